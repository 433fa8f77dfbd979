// Handshake rules at the ports of a DMA engine.
bind udma axi_write_rules #(.MEM_W(MEM_W)) u_write_rules (
    .clk_i(clk_i), .rst_ni(rst_ni), .awid(m_awid_o), .awaddr(m_awaddr_o), .awlen(m_awlen_o), .awsize(m_awsize_o),
    .awburst(m_awburst_o), .awprot(m_awprot_o), .awvalid(m_awvalid_o), .awready(m_awready_i), .wdata(m_wdata_o),
    .wstrb(m_wstrb_o), .wlast(m_wlast_o), .wvalid(m_wvalid_o), .wready(m_wready_i), .bid(m_bid_i), .bresp(m_bresp_i),
    .bvalid(m_bvalid_i), .bready(m_bready_o)
);
bind udma axi_read_rules #(.MEM_W(MEM_W)) u_read_rules (
    .clk_i(clk_i), .rst_ni(rst_ni), .arid(m_arid_o), .araddr(m_araddr_o), .arlen(m_arlen_o), .arsize(m_arsize_o),
    .arburst(m_arburst_o), .arprot(m_arprot_o), .arvalid(m_arvalid_o), .arready(m_arready_i), .rid(m_rid_i),
    .rdata(m_rdata_i), .rresp(m_rresp_i), .rlast(m_rlast_i), .rvalid(m_rvalid_i), .rready(m_rready_o)
);
bind udma apb_rules #(.AW(20)) u_apb_rules (
    .clk_i(clk_i), .rst_ni(rst_ni), .psel(psel_i), .penable(penable_i), .pwrite(pwrite_i), .paddr(paddr_i),
    .pwdata(pwdata_i), .pready(pready_o), .excused_i(1'b0)
);
