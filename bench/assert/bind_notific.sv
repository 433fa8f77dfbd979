// Handshake rules at the ports of NOTIFIC; a source holds its record until it is taken.
bind notific axi_write_rules #(.MEM_W(MEM_W)) u_write_rules (
    .clk_i(clk_i), .rst_ni(rst_ni), .awid(m_awid_o), .awaddr(m_awaddr_o), .awlen(m_awlen_o), .awsize(m_awsize_o),
    .awburst(m_awburst_o), .awprot(m_awprot_o), .awvalid(m_awvalid_o), .awready(m_awready_i), .wdata(m_wdata_o),
    .wstrb(m_wstrb_o), .wlast(m_wlast_o), .wvalid(m_wvalid_o), .wready(m_wready_i), .bid(m_bid_i), .bresp(m_bresp_i),
    .bvalid(m_bvalid_i), .bready(m_bready_o)
);
bind notific apb_rules #(.AW(12)) u_apb_rules (
    .clk_i(clk_i), .rst_ni(rst_ni), .psel(psel_i), .penable(penable_i), .pwrite(pwrite_i), .paddr(paddr_i),
    .pwdata(pwdata_i), .pready(pready_o), .excused_i(1'b0)
);
bind notific_niq hold_rule #(.W(W + 1), .NAME("source record")) u_source_rule (
    .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(valid_i), .ready_i(ready_o), .payload_i({data_i, ovf_i})
);
