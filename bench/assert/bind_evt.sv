// Handshake rules at the ports of EVT_SEM. Requests may be withdrawn (see bind_seq.sv).
bind evt_sem apb_rules #(.AW(20)) u_apb_rules (
    .clk_i(clk_i), .rst_ni(rst_ni), .psel(psel_i), .penable(penable_i), .pwrite(pwrite_i), .paddr(paddr_i),
    .pwdata(pwdata_i), .pready(pready_o), .excused_i(!ready)
);
bind evt_sem hold_rule #(.W(62), .NAME("update record")) u_nq_rule (
    .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(nq_valid_o), .ready_i(nq_ready_i),
    .payload_i({nq_type_o, nq_body0_o, nq_body1_o, nq_ovf_o})
);
bind evt_sem hold_rule #(.W(17), .NAME("error record")) u_err_rule (
    .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(err_valid_o), .ready_i(err_ready_i),
    .payload_i({err_id_o, err_index_o, err_ovf_o})
);
