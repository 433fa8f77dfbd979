// Handshake rules of the bus bench, whose masters and register slaves are not the core's: every master of the fabric and
// every slave of the APB fabric.
`default_nettype none

module fabric_master_rules #(
    parameter int N_M = 8,
    parameter int MEM_W = 512
) (
    input wire                   clk_i,
    input wire                   rst_ni,
    input wire [N_M*16-1:0] m_awid_i,
    input wire [N_M*64-1:0] m_awaddr_i,
    input wire [N_M*8-1:0] m_awlen_i,
    input wire [N_M*3-1:0] m_awsize_i,
    input wire [N_M*2-1:0] m_awburst_i,
    input wire [N_M*3-1:0] m_awprot_i,
    input wire [N_M-1:0] m_awvalid_i,
    input wire [N_M-1:0] m_awready_o,
    input wire [N_M*MEM_W-1:0] m_wdata_i,
    input wire [N_M*MEM_W/8-1:0] m_wstrb_i,
    input wire [N_M-1:0] m_wlast_i,
    input wire [N_M-1:0] m_wvalid_i,
    input wire [N_M-1:0] m_wready_o,
    input wire [N_M*16-1:0] m_bid_o,
    input wire [N_M*2-1:0] m_bresp_o,
    input wire [N_M-1:0] m_bvalid_o,
    input wire [N_M-1:0] m_bready_i,
    input wire [N_M*16-1:0] m_arid_i,
    input wire [N_M*64-1:0] m_araddr_i,
    input wire [N_M*8-1:0] m_arlen_i,
    input wire [N_M*3-1:0] m_arsize_i,
    input wire [N_M*2-1:0] m_arburst_i,
    input wire [N_M*3-1:0] m_arprot_i,
    input wire [N_M-1:0] m_arvalid_i,
    input wire [N_M-1:0] m_arready_o,
    input wire [N_M*16-1:0] m_rid_o,
    input wire [N_M*MEM_W-1:0] m_rdata_o,
    input wire [N_M*2-1:0] m_rresp_o,
    input wire [N_M-1:0] m_rlast_o,
    input wire [N_M-1:0] m_rvalid_o,
    input wire [N_M-1:0] m_rready_i
);
    for (genvar g = 0; g < N_M; g++) begin : g_master
        axi_write_rules #(.MEM_W(MEM_W), .STRICT(0)) u_write (
            .clk_i, .rst_ni,
            .awid(m_awid_i[g*16 +: 16]), .awaddr(m_awaddr_i[g*64 +: 64]), .awlen(m_awlen_i[g*8 +: 8]),
            .awsize(m_awsize_i[g*3 +: 3]), .awburst(m_awburst_i[g*2 +: 2]), .awprot(m_awprot_i[g*3 +: 3]),
            .awvalid(m_awvalid_i[g]), .awready(m_awready_o[g]), .wdata(m_wdata_i[g*MEM_W +: MEM_W]),
            .wstrb(m_wstrb_i[g*(MEM_W/8) +: (MEM_W/8)]), .wlast(m_wlast_i[g]), .wvalid(m_wvalid_i[g]),
            .wready(m_wready_o[g]), .bid(m_bid_o[g*16 +: 16]), .bresp(m_bresp_o[g*2 +: 2]),
            .bvalid(m_bvalid_o[g]), .bready(m_bready_i[g])
        );
        axi_read_rules #(.MEM_W(MEM_W), .STRICT(0)) u_read (
            .clk_i, .rst_ni,
            .arid(m_arid_i[g*16 +: 16]), .araddr(m_araddr_i[g*64 +: 64]), .arlen(m_arlen_i[g*8 +: 8]),
            .arsize(m_arsize_i[g*3 +: 3]), .arburst(m_arburst_i[g*2 +: 2]), .arprot(m_arprot_i[g*3 +: 3]),
            .arvalid(m_arvalid_i[g]), .arready(m_arready_o[g]), .rid(m_rid_o[g*16 +: 16]),
            .rdata(m_rdata_o[g*MEM_W +: MEM_W]), .rresp(m_rresp_o[g*2 +: 2]), .rlast(m_rlast_o[g]),
            .rvalid(m_rvalid_o[g]), .rready(m_rready_i[g])
        );
    end
endmodule
bind axi_fabric fabric_master_rules #(.N_M(N_M), .MEM_W(MEM_W)) u_master_rules (.*);

module apb_slave_rules #(
    parameter int N_S = 11
) (
    input wire              clk_i,
    input wire              rst_ni,
    input wire [N_S-1:0]    s_psel_o,
    input wire [N_S-1:0]    s_penable_o,
    input wire [N_S-1:0]    s_pwrite_o,
    input wire [N_S*20-1:0] s_paddr_o,
    input wire [N_S*32-1:0] s_pwdata_o,
    input wire [N_S-1:0]    s_pready_i
);
    for (genvar g = 0; g < N_S; g++) begin : g_slave
        apb_rules #(.AW(20), .LIMIT(0)) u_rules (
            .clk_i, .rst_ni, .psel(s_psel_o[g]), .penable(s_penable_o[g]), .pwrite(s_pwrite_o[g]),
            .paddr(s_paddr_o[g*20 +: 20]), .pwdata(s_pwdata_o[g*32 +: 32]), .pready(s_pready_i[g]), .excused_i(1'b0)
        );
    end
endmodule
bind apb_fabric apb_slave_rules #(.N_S(N_S)) u_slave_rules (.*);
`default_nettype wire
