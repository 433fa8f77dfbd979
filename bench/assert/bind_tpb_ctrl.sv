// Handshake rules at the ports of the tpb control block.
bind tpb_ctrl apb_rules #(.AW(12)) u_apb_rules (
    .clk_i(clk_i), .rst_ni(rst_ni), .psel(psel_i), .penable(penable_i), .pwrite(pwrite_i), .paddr(paddr_i),
    .pwdata(pwdata_i), .pready(pready_o), .excused_i(1'b0)
);
bind tpb_ctrl hold_rule #(.W(32), .NAME("fake error record")) u_fake_rule (
    .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(fake_valid_o), .ready_i(fake_ready_i), .payload_i(fake_data_o)
);
