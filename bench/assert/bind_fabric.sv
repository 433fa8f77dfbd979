// Handshake rules behind the fabric: its memory port, its bridge port, and the masters of the APB fabric, whose slaves may
// take as long as another master keeps them. Narrow bursts and stray strobes pass: the bridge answers them.
bind axi_fabric axi_write_rules #(.MEM_W(MEM_W), .IDW(21), .IN_ORDER(0), .STRICT(0)) u_mem_write_rules (
    .clk_i(clk_i), .rst_ni(rst_ni), .awid(s_awid_o[20:0]), .awaddr(s_awaddr_o[63:0]), .awlen(s_awlen_o[7:0]),
    .awsize(s_awsize_o[2:0]), .awburst(s_awburst_o[1:0]), .awprot(s_awprot_o[2:0]), .awvalid(s_awvalid_o[0]),
    .awready(s_awready_i[0]), .wdata(s_wdata_o[MEM_W-1:0]), .wstrb(s_wstrb_o[MEM_W/8-1:0]), .wlast(s_wlast_o[0]),
    .wvalid(s_wvalid_o[0]), .wready(s_wready_i[0]), .bid(s_bid_i[20:0]), .bresp(s_bresp_i[1:0]),
    .bvalid(s_bvalid_i[0]), .bready(s_bready_o[0])
);
bind axi_fabric axi_read_rules #(.MEM_W(MEM_W), .IDW(21), .IN_ORDER(0), .STRICT(0)) u_mem_read_rules (
    .clk_i(clk_i), .rst_ni(rst_ni), .arid(s_arid_o[20:0]), .araddr(s_araddr_o[63:0]), .arlen(s_arlen_o[7:0]),
    .arsize(s_arsize_o[2:0]), .arburst(s_arburst_o[1:0]), .arprot(s_arprot_o[2:0]), .arvalid(s_arvalid_o[0]),
    .arready(s_arready_i[0]), .rid(s_rid_i[20:0]), .rdata(s_rdata_i[MEM_W-1:0]), .rresp(s_rresp_i[1:0]),
    .rlast(s_rlast_i[0]), .rvalid(s_rvalid_i[0]), .rready(s_rready_o[0])
);
bind axi_fabric axi_write_rules #(.MEM_W(MEM_W), .IDW(21), .STRICT(0)) u_bridge_write_rules (
    .clk_i(clk_i), .rst_ni(rst_ni), .awid(s_awid_o[41:21]), .awaddr(s_awaddr_o[127:64]), .awlen(s_awlen_o[15:8]),
    .awsize(s_awsize_o[5:3]), .awburst(s_awburst_o[3:2]), .awprot(s_awprot_o[5:3]), .awvalid(s_awvalid_o[1]),
    .awready(s_awready_i[1]), .wdata(s_wdata_o[2*MEM_W-1:MEM_W]), .wstrb(s_wstrb_o[2*MEM_W/8-1:MEM_W/8]),
    .wlast(s_wlast_o[1]), .wvalid(s_wvalid_o[1]), .wready(s_wready_i[1]), .bid(s_bid_i[41:21]),
    .bresp(s_bresp_i[3:2]), .bvalid(s_bvalid_i[1]), .bready(s_bready_o[1])
);
bind axi_fabric axi_read_rules #(.MEM_W(MEM_W), .IDW(21), .STRICT(0)) u_bridge_read_rules (
    .clk_i(clk_i), .rst_ni(rst_ni), .arid(s_arid_o[41:21]), .araddr(s_araddr_o[127:64]), .arlen(s_arlen_o[15:8]),
    .arsize(s_arsize_o[5:3]), .arburst(s_arburst_o[3:2]), .arprot(s_arprot_o[5:3]), .arvalid(s_arvalid_o[1]),
    .arready(s_arready_i[1]), .rid(s_rid_i[41:21]), .rdata(s_rdata_i[2*MEM_W-1:MEM_W]), .rresp(s_rresp_i[3:2]),
    .rlast(s_rlast_i[1]), .rvalid(s_rvalid_i[1]), .rready(s_rready_o[1])
);
bind apb_fabric apb_rules #(.AW(64), .LIMIT(0)) u_bridge_rules (
    .clk_i(clk_i), .rst_ni(rst_ni), .psel(m_psel_i[0]), .penable(m_penable_i[0]), .pwrite(m_pwrite_i[0]),
    .paddr(m_paddr_i[63:0]), .pwdata(m_pwdata_i[31:0]), .pready(m_pready_o[0]), .excused_i(1'b0)
);
bind apb_fabric apb_rules #(.AW(64), .LIMIT(0)) u_host_rules (
    .clk_i(clk_i), .rst_ni(rst_ni), .psel(m_psel_i[1]), .penable(m_penable_i[1]), .pwrite(m_pwrite_i[1]),
    .paddr(m_paddr_i[127:64]), .pwdata(m_pwdata_i[63:32]), .pready(m_pready_o[1]), .excused_i(1'b0)
);
