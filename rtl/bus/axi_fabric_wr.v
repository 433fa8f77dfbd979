// Write half of the fabric (axi_fabric.v). Each port serves the write data of one burst at a time, in the order in
// which its addresses were taken (AXI4 has no write-data ID). Latency: address 1 clock (axi_issue.v), data and answers 0.
`default_nettype none

module axi_fabric_wr #(
    parameter N_M         = 8,
    parameter MEM_W       = 512,
    parameter N_DMA       = 2,
    parameter OUTSTANDING = 64
) (
    input  wire                   clk_i,
    input  wire                   rst_ni,
    input  wire [N_M*16-1:0]      m_awid_i,
    input  wire [N_M*64-1:0]      m_awaddr_i,
    input  wire [N_M*8-1:0]       m_awlen_i,
    input  wire [N_M*3-1:0]       m_awsize_i,
    input  wire [N_M*2-1:0]       m_awburst_i,
    input  wire [N_M*3-1:0]       m_awprot_i,
    input  wire [N_M-1:0]         m_awvalid_i,
    output wire [N_M-1:0]         m_awready_o,
    input  wire [N_M*MEM_W-1:0]   m_wdata_i,
    input  wire [N_M*MEM_W/8-1:0] m_wstrb_i,
    input  wire [N_M-1:0]         m_wlast_i,
    input  wire [N_M-1:0]         m_wvalid_i,
    output wire [N_M-1:0]         m_wready_o,
    output wire [N_M*16-1:0]      m_bid_o,
    output wire [N_M*2-1:0]       m_bresp_o,
    output wire [N_M-1:0]         m_bvalid_o,
    input  wire [N_M-1:0]         m_bready_i,
    output wire [3*21-1:0]        s_awid_o,
    output wire [3*64-1:0]        s_awaddr_o,
    output wire [3*8-1:0]         s_awlen_o,
    output wire [3*3-1:0]         s_awsize_o,
    output wire [3*2-1:0]         s_awburst_o,
    output wire [3*3-1:0]         s_awprot_o,
    output wire [2:0]             s_awvalid_o,
    input  wire [2:0]             s_awready_i,
    output wire [3*MEM_W-1:0]     s_wdata_o,
    output wire [3*MEM_W/8-1:0]   s_wstrb_o,
    output wire [2:0]             s_wlast_o,
    output wire [2:0]             s_wvalid_o,
    input  wire [2:0]             s_wready_i,
    input  wire [3*21-1:0]        s_bid_i,
    input  wire [3*2-1:0]         s_bresp_i,
    input  wire [2:0]             s_bvalid_i,
    output wire [2:0]             s_bready_o
);
    localparam BYTES = MEM_W / 8;

    wire [N_M*2-1:0] port;
    wire [2:0]       taken, room;
    wire [4:0]       taken_m;

    axi_issue #(.N_M(N_M), .N_DMA(N_DMA), .OUTSTANDING(OUTSTANDING)) u_issue (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .m_id_i(m_awid_i), .m_addr_i(m_awaddr_i), .m_len_i(m_awlen_i), .m_size_i(m_awsize_i),
        .m_burst_i(m_awburst_i), .m_prot_i(m_awprot_i), .m_valid_i(m_awvalid_i), .m_ready_o(m_awready_o),
        .m_done_i(m_bvalid_o & m_bready_i),
        .s_id_o(s_awid_o), .s_addr_o(s_awaddr_o), .s_len_o(s_awlen_o), .s_size_o(s_awsize_o),
        .s_burst_o(s_awburst_o), .s_prot_o(s_awprot_o), .s_valid_o(s_awvalid_o), .s_ready_i(s_awready_i),
        .room_i(room), .taken_o(taken), .taken_m_o(taken_m), .port_o(port)
    );

    wire [31:0] bready = {{(32-N_M){1'b0}}, m_bready_i};
    wire [31:0] wvalid = {{(32-N_M){1'b0}}, m_wvalid_i};
    wire [31:0] wlast  = {{(32-N_M){1'b0}}, m_wlast_i};
    wire [3*N_M-1:0] wready; // per port, one-hot: the master whose write beat it takes

    genvar p, g;
    generate
        for (p = 0; p < 3; p = p + 1) begin : g_port
            // Masters of the bursts whose data is still to come, oldest at read_q.
            reg  [4:0] order_q [0:15];
            reg  [4:0] read_q, write_q;
            wire       pending = read_q != write_q;
            wire [4:0] head    = pending ? order_q[read_q[3:0]] : 5'd0;
            wire       full    = read_q == {~write_q[4], write_q[3:0]};
            wire       beat    = s_wvalid_o[p] && s_wready_i[p];

            assign room[p]                     = !full;
            assign s_wvalid_o[p]               = pending && wvalid[head];
            assign s_wlast_o[p]                = wlast[head];
            assign s_wdata_o[p*MEM_W +: MEM_W] = m_wdata_i[head*MEM_W +: MEM_W];
            assign s_wstrb_o[p*BYTES +: BYTES] = m_wstrb_i[head*BYTES +: BYTES];
            assign wready[p*N_M +: N_M]        = {{(N_M-1){1'b0}}, pending && s_wready_i[p]} << head;
            assign s_bready_o[p]               = bready[s_bid_i[p*21+16 +: 5]];

            always @(posedge clk_i) begin
                if (taken[p]) order_q[write_q[3:0]] <= taken_m;
                if (!rst_ni) begin
                    read_q  <= 5'd0;
                    write_q <= 5'd0;
                end else begin
                    write_q <= write_q + {4'd0, taken[p]};
                    read_q  <= read_q + {4'd0, beat && s_wlast_o[p]};
                end
            end
        end

        for (g = 0; g < N_M; g = g + 1) begin : g_master
            localparam [4:0] ME = g;
            wire [1:0] from = port[g*2 +: 2];
            assign m_wready_o[g]       = wready[g] || wready[N_M+g] || wready[2*N_M+g];
            assign m_bid_o[g*16 +: 16] = s_bid_i[from*21 +: 16];
            assign m_bresp_o[g*2 +: 2] = s_bresp_i[from*2 +: 2];
            assign m_bvalid_o[g]       = s_bvalid_i[from] && s_bid_i[from*21+16 +: 5] == ME;
        end
    endgenerate
endmodule
`default_nettype wire
