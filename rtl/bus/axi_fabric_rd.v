// Read half of the fabric (axi_fabric.v). Read data is broadcast; a master sees the port it reads from.
// Latency: address 1 clock (axi_issue.v), data 0; one beat per clock and port.
`default_nettype none

module axi_fabric_rd #(
    parameter N_M         = 8,
    parameter MEM_W       = 512,
    parameter N_DMA       = 2,
    parameter OUTSTANDING = 64
) (
    input  wire                 clk_i,
    input  wire                 rst_ni,
    input  wire [N_M*16-1:0]    m_arid_i,
    input  wire [N_M*64-1:0]    m_araddr_i,
    input  wire [N_M*8-1:0]     m_arlen_i,
    input  wire [N_M*3-1:0]     m_arsize_i,
    input  wire [N_M*2-1:0]     m_arburst_i,
    input  wire [N_M*3-1:0]     m_arprot_i,
    input  wire [N_M-1:0]       m_arvalid_i,
    output wire [N_M-1:0]       m_arready_o,
    output wire [N_M*16-1:0]    m_rid_o,
    output wire [N_M*MEM_W-1:0] m_rdata_o,
    output wire [N_M*2-1:0]     m_rresp_o,
    output wire [N_M-1:0]       m_rlast_o,
    output wire [N_M-1:0]       m_rvalid_o,
    input  wire [N_M-1:0]       m_rready_i,
    output wire [3*21-1:0]      s_arid_o,
    output wire [3*64-1:0]      s_araddr_o,
    output wire [3*8-1:0]       s_arlen_o,
    output wire [3*3-1:0]       s_arsize_o,
    output wire [3*2-1:0]       s_arburst_o,
    output wire [3*3-1:0]       s_arprot_o,
    output wire [2:0]           s_arvalid_o,
    input  wire [2:0]           s_arready_i,
    input  wire [3*21-1:0]      s_rid_i,
    input  wire [3*MEM_W-1:0]   s_rdata_i,
    input  wire [3*2-1:0]       s_rresp_i,
    input  wire [2:0]           s_rlast_i,
    input  wire [2:0]           s_rvalid_i,
    output wire [2:0]           s_rready_o
);
    wire [N_M*2-1:0] port;
    wire [2:0]       taken;
    wire [4:0]       taken_m;

    axi_issue #(.N_M(N_M), .N_DMA(N_DMA), .OUTSTANDING(OUTSTANDING)) u_issue (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .m_id_i(m_arid_i), .m_addr_i(m_araddr_i), .m_len_i(m_arlen_i), .m_size_i(m_arsize_i),
        .m_burst_i(m_arburst_i), .m_prot_i(m_arprot_i), .m_valid_i(m_arvalid_i), .m_ready_o(m_arready_o),
        .m_done_i(m_rvalid_o & m_rready_i & m_rlast_o),
        .s_id_o(s_arid_o), .s_addr_o(s_araddr_o), .s_len_o(s_arlen_o), .s_size_o(s_arsize_o),
        .s_burst_o(s_arburst_o), .s_prot_o(s_arprot_o), .s_valid_o(s_arvalid_o), .s_ready_i(s_arready_i),
        .room_i(3'b111), .taken_o(taken), .taken_m_o(taken_m), .port_o(port)
    );
    wire unused = &{1'b0, taken, taken_m};

    wire [31:0] ready = {{(32-N_M){1'b0}}, m_rready_i};
    assign s_rready_o = {ready[s_rid_i[2*21+16 +: 5]], ready[s_rid_i[21+16 +: 5]], ready[s_rid_i[16 +: 5]]};

    genvar g;
    generate
        for (g = 0; g < N_M; g = g + 1) begin : g_master
            localparam [4:0] ME = g;
            wire [1:0] p = port[g*2 +: 2];
            assign m_rid_o[g*16 +: 16]         = s_rid_i[p*21 +: 16];
            assign m_rresp_o[g*2 +: 2]         = s_rresp_i[p*2 +: 2];
            assign m_rlast_o[g]                = s_rlast_i[p];
            assign m_rvalid_o[g]               = s_rvalid_i[p] && s_rid_i[p*21+16 +: 5] == ME;
            assign m_rdata_o[g*MEM_W +: MEM_W] = p == 2'd0 ? s_rdata_i[0 +: MEM_W] :
                                                 p == 2'd1 ? s_rdata_i[MEM_W +: MEM_W] : s_rdata_i[2*MEM_W +: MEM_W];
        end
    endgenerate
endmodule
`default_nettype wire
