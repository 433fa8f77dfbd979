// Address half of one direction of the fabric: decodes every master's address, keeps each master to one port at a time
// (see axi_fabric.v), picks round robin one address per clock and holds it in the register of its port. Latency 1 clock. A
// port that takes nothing holds only the masters that want it.
`default_nettype none
`include "regs.vh"

module axi_issue #(
    parameter N_M         = 8,
    parameter N_DMA       = 2,
    parameter OUTSTANDING = 64
) (
    input  wire              clk_i,
    input  wire              rst_ni,

    input  wire [N_M*16-1:0] m_id_i,
    input  wire [N_M*64-1:0] m_addr_i,
    input  wire [N_M*8-1:0]  m_len_i,
    input  wire [N_M*3-1:0]  m_size_i,
    input  wire [N_M*2-1:0]  m_burst_i,
    input  wire [N_M*3-1:0]  m_prot_i,
    input  wire [N_M-1:0]    m_valid_i,
    output wire [N_M-1:0]    m_ready_o,
    input  wire [N_M-1:0]    m_done_i,     // the last response of a burst is taken

    output reg  [3*21-1:0]   s_id_o,
    output reg  [3*64-1:0]   s_addr_o,
    output reg  [3*8-1:0]    s_len_o,
    output reg  [3*3-1:0]    s_size_o,
    output reg  [3*2-1:0]    s_burst_o,
    output reg  [3*3-1:0]    s_prot_o,
    output reg  [2:0]        s_valid_o,
    input  wire [2:0]        s_ready_i,

    input  wire [2:0]        room_i,       // port may take another burst
    output wire [2:0]        taken_o,      // a burst enters this port's register now
    output wire [4:0]        taken_m_o,    // from this master
    output wire [N_M*2-1:0]  port_o        // port of each master's outstanding bursts
);
    localparam [1:0] PORT_MEM = 2'd0, PORT_APB = 2'd1, PORT_ERR = 2'd2;

    wire [N_M*64-1:0] soc;
    wire [N_M*2-1:0]  want;
    wire [N_M-1:0]    eligible, grant;
    wire [4:0]        pick;
    wire [2:0]        open = room_i & (~s_valid_o | s_ready_i);
    wire [3:0]        open_port = {1'b0, open};

    genvar g;
    generate
        for (g = 0; g < N_M; g = g + 1) begin : g_master
            wire [4:0]  target;
            wire [19:0] offset;
            reg  [1:0]  port_q;
            reg  [6:0]  count_q; // bursts outstanding

            addr_map #(.N_DMA(N_DMA)) u_map (
                .addr_i(m_addr_i[g*64 +: 64]), .soc_o(soc[g*64 +: 64]), .target_o(target), .offset_o(offset)
            );
            wire unused = &{1'b0, offset};

            assign want[g*2 +: 2] = target == `TARGET_NONE ? PORT_ERR : target == `TARGET_MEM ? PORT_MEM : PORT_APB;
            assign eligible[g] = m_valid_i[g] && open_port[want[g*2 +: 2]] &&
                                 (count_q == 7'd0 || (port_q == want[g*2 +: 2] && count_q != OUTSTANDING[6:0]));
            assign port_o[g*2 +: 2] = port_q;

            always @(posedge clk_i) begin
                if (!rst_ni) begin
                    port_q  <= PORT_MEM;
                    count_q <= 7'd0;
                end else begin
                    if (grant[g]) port_q <= want[g*2 +: 2];
                    count_q <= count_q + {6'd0, grant[g]} - {6'd0, m_done_i[g]};
                end
            end
        end
    endgenerate

    rr_arb #(.N(N_M), .W(5)) u_arb (
        .clk_i(clk_i), .rst_ni(rst_ni), .req_i(eligible), .take_i(1'b1), .grant_o(grant), .index_o(pick)
    );

    wire       any    = eligible != {N_M{1'b0}};
    wire [1:0] chosen = want[pick*2 +: 2];

    assign m_ready_o = grant;
    assign taken_m_o = pick;
    assign taken_o   = any ? 3'b001 << chosen : 3'b000;

    integer p;
    always @(posedge clk_i) begin
        for (p = 0; p < 3; p = p + 1) begin
            if (taken_o[p]) begin
                s_id_o[p*21 +: 21]   <= {pick, m_id_i[pick*16 +: 16]};
                s_addr_o[p*64 +: 64] <= soc[pick*64 +: 64];
                s_len_o[p*8 +: 8]    <= m_len_i[pick*8 +: 8];
                s_size_o[p*3 +: 3]   <= m_size_i[pick*3 +: 3];
                s_burst_o[p*2 +: 2]  <= m_burst_i[pick*2 +: 2];
                s_prot_o[p*3 +: 3]   <= m_prot_i[pick*3 +: 3];
            end
        end
        if (!rst_ni) begin
            s_valid_o <= 3'd0;
            s_id_o    <= 63'd0;
            s_addr_o  <= 192'd0;
            s_len_o   <= 24'd0;
            s_size_o  <= 9'd0;
            s_burst_o <= 6'd0;
            s_prot_o  <= 9'd0;
        end else begin
            s_valid_o <= taken_o | (s_valid_o & ~s_ready_i);
        end
    end
endmodule
`default_nettype wire
