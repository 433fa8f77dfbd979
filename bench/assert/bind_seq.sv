// Handshake rules at the ports of a sequencer. A reset of the engine withdraws its requests to EVT_SEM, a break its wait.
bind seq_core axi_write_rules #(.MEM_W(MEM_W)) u_write_rules (
    .clk_i(clk_i), .rst_ni(rst_ni), .awid(m_awid_o), .awaddr(m_awaddr_o), .awlen(m_awlen_o), .awsize(m_awsize_o),
    .awburst(m_awburst_o), .awprot(m_awprot_o), .awvalid(m_awvalid_o), .awready(m_awready_i), .wdata(m_wdata_o),
    .wstrb(m_wstrb_o), .wlast(m_wlast_o), .wvalid(m_wvalid_o), .wready(m_wready_i), .bid(m_bid_i), .bresp(m_bresp_i),
    .bvalid(m_bvalid_i), .bready(m_bready_o)
);
bind seq_core axi_read_rules #(.MEM_W(MEM_W)) u_read_rules (
    .clk_i(clk_i), .rst_ni(rst_ni), .arid(m_arid_o), .araddr(m_araddr_o), .arlen(m_arlen_o), .arsize(m_arsize_o),
    .arburst(m_arburst_o), .arprot(m_arprot_o), .arvalid(m_arvalid_o), .arready(m_arready_i), .rid(m_rid_i),
    .rdata(m_rdata_i), .rresp(m_rresp_i), .rlast(m_rlast_i), .rvalid(m_rvalid_i), .rready(m_rready_o)
);
bind seq_core apb_rules #(.AW(16)) u_apb_rules (
    .clk_i(clk_i), .rst_ni(rst_ni), .psel(psel_i), .penable(penable_i), .pwrite(pwrite_i), .paddr(paddr_i),
    .pwdata(pwdata_i), .pready(pready_o), .excused_i(1'b0)
);
bind seq_core hold_rule #(.W(65), .NAME("record")) u_rec_rule (
    .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(rec_valid_o), .ready_i(rec_ready_i),
    .payload_i({rec_type_o, rec_body0_o, rec_body1_o, rec_queue_o})
);
bind seq_core hold_rule #(.W(56), .NAME("fault record")) u_flt_rule (
    .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(flt_valid_o), .ready_i(flt_ready_i),
    .payload_i({flt_body0_o, flt_body1_o})
);
bind seq_core hold_rule #(.W(32), .NAME("bus error record")) u_merr_rule (
    .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(merr_valid_o), .ready_i(merr_ready_i), .payload_i(merr_body1_o)
);
bind seq_core hold_rule #(.W(48), .NAME("wait request"), .MAY_FALL(1)) u_wait_rule (
    .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(wait_req_o), .ready_i(wait_pass_i),
    .payload_i({wait_mode_o, wait_idx_o, wait_val_o})
);
bind seq_core hold_rule #(.W(48), .NAME("update request"), .MAY_FALL(1)) u_upd_rule (
    .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(upd_req_o), .ready_i(upd_ack_i),
    .payload_i({upd_mode_o, upd_idx_o, upd_val_o})
);
