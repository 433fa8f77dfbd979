// Issues the write bursts that udma_write completed, in that order (udma.md §13):
//
//   SOW            a burst marked so waits until no write of its queue is unanswered
//   write barrier  so does the first burst of the queue after a burst (or an empty command) with the barrier mark
//
// The gates look at registers, so a response of clock n opens them in clock n+1 at the earliest. Bursts of a killed
// queue are thrown away here. Write data follows its address handshake. At most ORDER entries and, with cap_i not 0,
// cap_i bursts are unanswered. Throughput: one burst per clock, one data beat per clock.
`default_nettype none
`include "regs.vh"

module udma_issue #(
    parameter MEM_W = 512
) (
    input  wire               clk_i,
    input  wire               rst_ni,
    input  wire               cmd_valid_i,
    input  wire [255:0]       cmd_i,
    output wire               cmd_pop_o,
    input  wire [15:0]        kill_i,
    input  wire [15:0]        writing_i,   // queues with unanswered writes
    input  wire [9:0]         cap_i,
    // write buffer
    output wire               w_pop_o,
    input  wire [MEM_W-1:0]   w_data_i,
    input  wire [MEM_W/8-1:0] w_strb_i,
    input  wire               w_last_i,
    // to the completion stage
    input  wire               order_room_i,
    output wire               order_push_o,
    output wire [174:0]       order_o,     // {words, idx, S2M descriptors, M2S descriptors, drop, burst, end, q}
    output wire               issue_o,     // a burst is on its way
    output wire [3:0]         issue_q_o,
    input  wire               answer_i,
    // AXI
    output wire [63:0]        m_awaddr_o,
    output wire [7:0]         m_awlen_o,
    output wire [2:0]         m_awsize_o,
    output wire               m_awvalid_o,
    input  wire               m_awready_i,
    output wire [MEM_W-1:0]   m_wdata_o,
    output wire [MEM_W/8-1:0] m_wstrb_o,
    output wire               m_wlast_o,
    output wire               m_wvalid_o,
    input  wire               m_wready_i,
    // burst whose address is on the bus, for the tap
    output wire [3:0]         aw_q_o,
    output wire [23:0]        aw_idx_o,
    output wire [8:0]         aw_bytes_o
);
    localparam       LOG_B = $clog2(MEM_W / 8);
    localparam [2:0] FULL_SIZE = LOG_B[2:0];
    localparam [2:0] WORD_SIZE = 3'd2;

    // ---- command at the front ----
    wire [3:0]   q       = cmd_i[3:0];
    wire         burst   = cmd_i[4];
    wire         dropped = cmd_i[5];
    wire         eop     = cmd_i[6];
    wire         barrier = cmd_i[7];
    wire         sow     = cmd_i[8];
    wire [63:0]  addr    = cmd_i[72:9];
    wire [5:0]   beats   = cmd_i[78:73];
    wire [8:0]   bytes   = cmd_i[87:79];
    wire [7:0]   m2s_n   = cmd_i[95:88];
    wire [7:0]   s2m_n   = cmd_i[103:96];
    wire [23:0]  idx     = cmd_i[127:104];
    wire [127:0] words   = cmd_i[255:128];

    reg  [15:0]  barrier_q; // the queue's next burst waits
    reg  [9:0]   open_q;    // bursts unanswered
    reg          aw_valid_q;
    reg  [63:0]  aw_addr_q;
    reg  [5:0]   aw_beats_q;
    reg  [2:0]   aw_size_q;
    reg  [3:0]   aw_q_q;
    reg  [23:0]  aw_idx_q;
    reg  [8:0]   aw_bytes_q;
    wire         line_room;

    wire kill   = kill_i[q];
    wire gate   = !((sow || barrier_q[q]) && writing_i[q]);
    wire cap_ok = cap_i == 10'd0 || open_q < cap_i;
    wire aw_go  = aw_valid_q && m_awready_i;
    wire load   = cmd_valid_i && burst && !kill && gate && cap_ok && order_room_i && line_room
        && (!aw_valid_q || m_awready_i);
    wire toss   = cmd_valid_i && burst && kill && order_room_i && line_room && !aw_valid_q;
    wire pass   = cmd_valid_i && !burst && order_room_i;

    assign cmd_pop_o    = load || toss || pass;
    assign issue_o      = load;
    assign issue_q_o    = q;
    assign order_push_o = load || ((toss || pass) && eop);
    assign order_o      = {words, idx, s2m_n, m2s_n, dropped || kill, load, eop, q};
    wire   unused       = ^line_count[8:4];

    // ---- address ----
    assign m_awaddr_o  = aw_addr_q;
    assign m_awlen_o   = {2'd0, aw_beats_q} - 8'd1;
    assign m_awsize_o  = aw_size_q;
    assign m_awvalid_o = aw_valid_q;
    assign aw_q_o      = aw_q_q;
    assign aw_idx_o    = aw_idx_q;
    assign aw_bytes_o  = aw_bytes_q;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            barrier_q  <= 16'd0;
            open_q     <= 10'd0;
            aw_valid_q <= 1'b0;
            aw_addr_q  <= 64'd0;
            aw_beats_q <= 6'd0;
            aw_size_q  <= 3'd0;
            aw_q_q     <= 4'd0;
            aw_idx_q   <= 24'd0;
            aw_bytes_q <= 9'd0;
        end else begin
            open_q <= open_q + {9'd0, load} - {9'd0, answer_i};
            if (load) barrier_q[q] <= barrier;
            else if (pass && barrier) barrier_q[q] <= 1'b1;
            if (m_awready_i) aw_valid_q <= 1'b0;
            if (load) begin
                aw_valid_q <= 1'b1;
                aw_addr_q  <= addr;
                aw_beats_q <= beats;
                aw_size_q  <= bytes == 9'd4 && addr[1:0] == 2'd0 ? WORD_SIZE : FULL_SIZE;
                aw_q_q     <= q;
                aw_idx_q   <= idx;
                aw_bytes_q <= bytes;
            end
        end
    end

    // ---- data: one entry per burst, sent or thrown away ----
    wire       line_valid, line_toss;
    wire [8:0] line_count;
    udma_fifo #(.W(1), .DEPTH(8)) u_line (
        .clk_i(clk_i), .rst_ni(rst_ni), .push_i(aw_go || toss), .data_i(toss), .pop_i(w_pop_o && w_last_i),
        .valid_o(line_valid), .data_o(line_toss), .count_o(line_count)
    );
    assign line_room  = line_count[3:0] < 4'd6; // one more may be waiting for its address handshake
    // Payload is 0 while its valid is low: the write buffer is not reset and must not show.
    assign m_wvalid_o = line_valid && !line_toss;
    assign m_wdata_o  = m_wvalid_o ? w_data_i : {MEM_W{1'b0}};
    assign m_wstrb_o  = m_wvalid_o ? w_strb_i : {(MEM_W/8){1'b0}};
    assign m_wlast_o  = m_wvalid_o && w_last_i;
    assign w_pop_o    = line_valid && (line_toss || m_wready_i);
endmodule
`default_nettype wire
