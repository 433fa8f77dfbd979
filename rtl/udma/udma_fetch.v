// Chooses the next descriptor burst and asks for it (udma.md §12): round robin over the 32 rings, up to max_i
// descriptors, never across a 128-byte boundary, never across the ring end, never more than the prefetch FIFO can take.
// At most FETCHES (8) bursts are on the bus, so the beats that come back always find room.
//
// A queue whose S2M completion ring is enabled does not fetch: refuse_o reports it once and the queue stops.
// rst_q while a burst is on the bus: its entry is marked and the descriptors are thrown away on arrival.
// Throughput: one burst every 3 clocks.
`default_nettype none
`include "regs.vh"

module udma_fetch #(
    parameter MEM_W = 512
) (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire [31:0] want_i,      // {S2M, M2S} queues that may and can prefetch
    input  wire [15:0] comp_ring_i, // S2M queues with en_comp_ring_update
    output wire        pick_dir_o,  // ring under consideration; the next five inputs belong to it
    output wire [3:0]  pick_q_o,
    input  wire [23:0] offset_i,
    input  wire [23:0] left_i,
    input  wire [23:0] len_i,
    input  wire [57:0] base_i,      // address bits 63:6
    input  wire [7:0]  room_i,
    input  wire [7:0]  max_i,
    output wire        take_o,      // the burst is under way: move the request pointer, reserve room
    output wire [3:0]  take_n_o,
    output wire        refuse_o,
    // to the read channel
    output wire        ar_valid_o,
    output wire [63:0] ar_addr_o,
    output wire [5:0]  ar_beats_o,
    input  wire        ar_ready_i,
    // rst_q
    input  wire        m_rst_i,
    input  wire        s_rst_i,
    input  wire [3:0]  rst_q_i,
    // oldest burst on the bus, for the unpacker
    output wire        fetch_valid_o,
    output wire        fetch_dir_o,
    output wire [3:0]  fetch_q_o,
    output wire [3:0]  fetch_n_o,
    output wire [2:0]  fetch_lane_o, // place of the first descriptor in its 128 bytes
    output wire        fetch_drop_o,
    input  wire        fetch_pop_i
);
    localparam LOG_B   = $clog2(MEM_W / 8);
    localparam LOG_D   = $clog2(`DESC_BYTES);
    localparam [3:0] BURST = `UDMA_PREF_BURST;
    localparam [5:0] B_1   = MEM_W[8:3] - 6'd1; // bytes of a beat, less one

    localparam [1:0] PICK = 2'd0, SIZE = 2'd1, ASK = 2'd2;

    reg [1:0]  state_q, state_d;
    reg        dir_q;
    reg [3:0]  q_q;
    reg        doomed_q;
    reg [63:0] addr_q;
    reg [3:0]  n_q;

    // ---- choice ----
    wire [4:0]  win;
    wire [31:0] unused_grant;
    wire        table_room;
    wire        choose = state_q == PICK && want_i != 32'd0 && table_room;
    rr_arb #(.N(32), .W(5)) u_rr (
        .clk_i(clk_i), .rst_ni(rst_ni), .req_i(want_i), .take_i(choose), .grant_o(unused_grant), .index_o(win)
    );

    assign pick_dir_o = dir_q;
    assign pick_q_o   = q_q;

    // ---- size ----
    function [23:0] smaller;
        input [23:0] a;
        input [23:0] b;
        smaller = a < b ? a : b;
    endfunction

    wire [63:0] addr     = {base_i, 6'd0} + ({40'd0, offset_i} << LOG_D);
    wire [3:0]  to_line  = BURST - {1'b0, addr[LOG_D +: 3]};
    wire [23:0] max_desc = max_i == 8'd0 ? 24'd1 : {16'd0, max_i};
    wire [23:0] size     = smaller(smaller(smaller({20'd0, to_line}, max_desc), smaller(left_i, len_i - offset_i)),
                                   {16'd0, room_i});
    wire        wanted   = want_i[{dir_q, q_q}];
    wire        comp     = dir_q && comp_ring_i[q_q];
    wire        rst_hit  = (dir_q ? s_rst_i : m_rst_i) && rst_q_i == q_q;

    assign refuse_o = state_q == SIZE && wanted && comp;

    // bytes from the beat boundary before the first descriptor to the end, rounded up to beats
    wire [8:0] span    = {3'd0, addr_q[5:0] & B_1} + {1'b0, n_q, 4'd0} + {3'd0, B_1};
    wire [8:0] beats   = span >> LOG_B;

    assign ar_valid_o = state_q == ASK;
    assign ar_addr_o  = addr_q;
    assign ar_beats_o = beats[5:0];
    wire   unused     = ^beats[8:6];
    assign take_o     = state_q == ASK && ar_ready_i && !doomed_q && !rst_hit;
    assign take_n_o   = n_q;

    always @* begin
        state_d = state_q;
        case (state_q)
            PICK:    if (choose) state_d = SIZE;
            SIZE:    state_d = wanted && !comp && !rst_hit && size != 24'd0 ? ASK : PICK;
            ASK:     if (ar_ready_i) state_d = PICK;
            default: state_d = PICK;
        endcase
    end

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            state_q  <= PICK;
            dir_q    <= 1'b0;
            q_q      <= 4'd0;
            doomed_q <= 1'b0;
            addr_q   <= 64'd0;
            n_q      <= 4'd0;
        end else begin
            state_q <= state_d;
            if (choose) {dir_q, q_q} <= win;
            if (state_q == SIZE) begin
                addr_q   <= addr;
                n_q      <= size[3:0];
                doomed_q <= 1'b0;
            end else if (rst_hit) begin
                doomed_q <= 1'b1;
            end
        end
    end

    // ---- bursts on the bus ----
    localparam FETCHES = 8; // as many as the pointers count
    reg [8:0] tab_q  [0:FETCHES-1]; // {direction, queue, descriptors}
    reg [2:0] lane_q [0:FETCHES-1];
    reg       drop_q [0:FETCHES-1];
    reg [2:0] wr_q, rd_q;
    reg [3:0] count_q;

    wire push = state_q == ASK && ar_ready_i;

    assign table_room    = count_q != FETCHES[3:0];
    assign fetch_valid_o = count_q != 4'd0;
    assign {fetch_dir_o, fetch_q_o, fetch_n_o} = tab_q[rd_q];
    assign fetch_lane_o  = lane_q[rd_q];
    assign fetch_drop_o  = drop_q[rd_q];

    integer i;
    always @(posedge clk_i) begin
        if (!rst_ni) begin
            wr_q    <= 3'd0;
            rd_q    <= 3'd0;
            count_q <= 4'd0;
            for (i = 0; i < FETCHES; i = i + 1) begin
                tab_q[i]  <= 9'd0;
                lane_q[i] <= 3'd0;
                drop_q[i] <= 1'b0;
            end
        end else begin
            for (i = 0; i < FETCHES; i = i + 1)
                if ((tab_q[i][8] ? s_rst_i : m_rst_i) && rst_q_i == tab_q[i][7:4]) drop_q[i] <= 1'b1;
            if (push) begin
                tab_q[wr_q]  <= {dir_q, q_q, n_q};
                lane_q[wr_q] <= addr_q[LOG_D +: 3];
                drop_q[wr_q] <= doomed_q || rst_hit;
                wr_q         <= wr_q + 3'd1;
            end
            if (fetch_pop_i) rd_q <= rd_q + 3'd1;
            count_q <= count_q + {3'd0, push} - {3'd0, fetch_pop_i};
        end
    end
endmodule
`default_nettype wire
