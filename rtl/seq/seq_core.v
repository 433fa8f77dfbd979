// One TPB sequencer (PE, ACT, POOL, DVE or SP in 64-byte mode): runs 64-byte NEURON control slots from memory.
// Implements tpb-sequencer.md §1-§4 (opcodes 9F, A0-AB, B0, B1, B3, B5; everything else is a Bad Opcode fault) and
// tpb-image.md §1-§3. The 8-byte SP set is not built in: lr[9] bit 0 = 1 on the SP is a Bad Opcode fault at start.
//
// Parameters: ENGINE 0 PE, 1 ACT, 2 POOL, 3 DVE, 4 SP; MEM_W width of the memory port (64, 128, 256, 512).
// Latency: 3 clocks per plain slot with a resident line, +1 per wait lane whose predicate holds and per granted
// update, +2 per record when NOTIFIC is ready; MOVE +n; divide and remainder +33; WRITE and STORE +2 when the bus is
// ready.
// Other side misbehaving: an unanswered bus access, a record that is never taken and an update that is never granted
// stall the slot for ever, visible in run_state = RUNNING and not interruptible by a break; release_run_stall=1 then
// reaches RESET as soon as the accepted bus transfers are answered and an offered record is taken. Error responses:
// fetch -> fault when executed; slot accesses -> MEMORY_ERROR record, the engine goes on.
// Only this core's own records carry a queue (implicit: nx_queue_i, NOTIFY: explicit_queue_i).
`default_nettype none
`include "regs.vh"

module seq_core #(
    parameter ENGINE = 0,
    parameter MEM_W = 512
) (
    input  wire               clk_i,
    input  wire               rst_ni,

    // LOCAL_REG, APB3
    input  wire               psel_i,
    input  wire               penable_i,
    input  wire               pwrite_i,
    input  wire [       15:0] paddr_i,
    input  wire [       31:0] pwdata_i,
    output wire [       31:0] prdata_o,
    output wire               pready_o,
    output wire               pslverr_o,

    // EVT_SEM engine port
    output wire               wait_req_o,
    output wire [        7:0] wait_mode_o,
    output wire [        7:0] wait_idx_o,
    output wire [       31:0] wait_val_o,
    input  wire               wait_pass_i,
    output wire               upd_req_o,
    output wire [        7:0] upd_mode_o,
    output wire [        7:0] upd_idx_o,
    output wire [       31:0] upd_val_o,
    input  wire               upd_ack_i,

    // records of the engine itself (START, END, EXPLICIT)
    input  wire [        3:0] nx_queue_i,
    input  wire [        3:0] explicit_queue_i,
    output wire               rec_valid_o,
    input  wire               rec_ready_i,
    output wire [        4:0] rec_type_o,
    output wire [       23:0] rec_body0_o,
    output wire [       31:0] rec_body1_o,
    output wire [        3:0] rec_queue_o,

    // TPB_ERROR records: SEQUENCER_FATAL and MEMORY_ERROR
    output wire               flt_valid_o,
    input  wire               flt_ready_i,
    output wire [       23:0] flt_body0_o,
    output wire [       31:0] flt_body1_o,
    output wire               merr_valid_o,
    input  wire               merr_ready_i,
    output wire [       31:0] merr_body1_o,

    input  wire               pause_req_i,
    output wire               irq_o,

    // AXI4 master
    output wire [       15:0] m_awid_o,
    output wire [       63:0] m_awaddr_o,
    output wire [        7:0] m_awlen_o,
    output wire [        2:0] m_awsize_o,
    output wire [        1:0] m_awburst_o,
    output wire [        2:0] m_awprot_o,
    output wire               m_awvalid_o,
    input  wire               m_awready_i,
    output wire [  MEM_W-1:0] m_wdata_o,
    output wire [MEM_W/8-1:0] m_wstrb_o,
    output wire               m_wlast_o,
    output wire               m_wvalid_o,
    input  wire               m_wready_i,
    input  wire [       15:0] m_bid_i,
    input  wire [        1:0] m_bresp_i,
    input  wire               m_bvalid_i,
    output wire               m_bready_o,
    output wire [       15:0] m_arid_o,
    output wire [       63:0] m_araddr_o,
    output wire [        7:0] m_arlen_o,
    output wire [        2:0] m_arsize_o,
    output wire [        1:0] m_arburst_o,
    output wire [        2:0] m_arprot_o,
    output wire               m_arvalid_o,
    input  wire               m_arready_i,
    input  wire [       15:0] m_rid_i,
    input  wire [  MEM_W-1:0] m_rdata_i,
    input  wire [        1:0] m_rresp_i,
    input  wire               m_rlast_i,
    input  wire               m_rvalid_i,
    output wire               m_rready_o
);

    initial
        if (ENGINE < 0 || ENGINE >= `ENG_COUNT) begin
            $display("%m: ENGINE must be 0..4");
            $finish;
        end

    localparam REC_TYPE = `NTYPE_ENG_BASE + ENGINE * `NTYPE_ENG_STRIDE;

    // One ID per master and responses in order, so the response IDs say nothing.
    wire unused_ids = &{1'b0, m_bid_i, m_rid_i};

    // LOCAL_REG
    wire stall, start, surprise, halt_ctrl, strong_mode, sp8;
    wire start_clr, break_clr, resume_we, reason_we, error_we;
    wire [63:0] lr_resume, lr_lower, lr_upper, resume;
    wire [31:0] reason, error_word;
    wire [2:0] run;

    seq_regs u_regs (
        .clk_i(clk_i),
        .rst_ni(rst_ni),
        .psel_i(psel_i),
        .penable_i(penable_i),
        .pwrite_i(pwrite_i),
        .paddr_i(paddr_i),
        .pwdata_i(pwdata_i),
        .prdata_o(prdata_o),
        .pready_o(pready_o),
        .pslverr_o(pslverr_o),
        .stall_o(stall),
        .start_o(start),
        .surprise_o(surprise),
        .halt_ctrl_o(halt_ctrl),
        .strong_o(strong_mode),
        .sp8_o(sp8),
        .resume_o(lr_resume),
        .lower_o(lr_lower),
        .upper_o(lr_upper),
        .state_i(run),
        .start_clr_i(start_clr),
        .break_clr_i(break_clr),
        .resume_we_i(resume_we),
        .resume_i(resume),
        .reason_we_i(reason_we),
        .reason_i(reason),
        .error_we_i(error_we),
        .error_i(error_word)
    );

    // Fetch
    wire [63:0] pc, lower, upper;
    wire [511:0] slot;
    wire fetch, hit, fetch_err, fetch_idle, fetch_stop, flush, hint_arm, hint_disarm;
    wire fill_valid, fill_ready, fill_rvalid, fill_rerr, fill_rlast;
    wire [63:0] fill_addr;
    wire [MEM_W-1:0] fill_rdata;

    seq_fetch #(
        .MEM_W(MEM_W)
    ) u_fetch (
        .clk_i(clk_i),
        .rst_ni(rst_ni),
        .flush_i(flush),
        .stop_i(fetch_stop),
        .req_i(fetch),
        .pc_i(pc),
        .lower_i(lower),
        .upper_i(upper),
        .hit_o(hit),
        .err_o(fetch_err),
        .slot_o(slot),
        .idle_o(fetch_idle),
        .hint_arm_i(hint_arm),
        .hint_disarm_i(hint_disarm),
        .hint_branch_i(pc + slot[8*`SLOT_HINT_BRANCH_DISP_OFF +: 64]),
        .hint_target_i(pc + slot[8*`SLOT_HINT_TARGET_DISP_OFF +: 64]),
        .ar_valid_o(fill_valid),
        .ar_addr_o(fill_addr),
        .ar_ready_i(fill_ready),
        .r_valid_i(fill_rvalid),
        .r_data_i(fill_rdata),
        .r_err_i(fill_rerr),
        .r_last_i(fill_rlast)
    );

    // Decode
    wire [7:0] opcode;
    wire [3:0] hint;
    wire trace_start, trace_end, trace_note, bad, illegal, assertion;
    wire [1:0] wait_need, upd_need;
    wire [15:0] wait_mode, wait_idx, upd_mode, upd_idx, hint_ext, trace_ext;

    seq_decode u_decode (
        .slot_i(slot),
        .opcode_o(opcode),
        .hint_o(hint),
        .hint_ext_o(hint_ext),
        .trace_start_o(trace_start),
        .trace_end_o(trace_end),
        .trace_note_o(trace_note),
        .trace_ext_o(trace_ext),
        .wait_need_o(wait_need),
        .wait_mode_o(wait_mode),
        .wait_idx_o(wait_idx),
        .upd_need_o(upd_need),
        .upd_mode_o(upd_mode),
        .upd_idx_o(upd_idx),
        .bad_o(bad),
        .illegal_o(illegal),
        .assert_o(assertion)
    );

    // Datapath
    wire clear, clear_busy, sel_target, sel_store, sel_move, sel_value, sel_wait1, sel_upd1, sel_fold, we, we_ext;
    wire [2:0] idx;
    wire [31:0] acc, ext, a, b, value, result;
    wire [63:0] slot_addr;
    wire taken, divides, zero, div_start, div_done;

    seq_data u_data (
        .clk_i(clk_i),
        .rst_ni(rst_ni),
        .clear_i(clear),
        .clear_busy_o(clear_busy),
        .slot_i(slot),
        .pc_i(pc),
        .sel_target_i(sel_target),
        .sel_store_i(sel_store),
        .sel_move_i(sel_move),
        .sel_value_i(sel_value),
        .sel_wait1_i(sel_wait1),
        .sel_upd1_i(sel_upd1),
        .sel_fold_i(sel_fold),
        .idx_i(idx),
        .acc_i(acc),
        .ext_i(ext),
        .we_i(we),
        .we_ext_i(we_ext),
        .a_o(a),
        .b_o(b),
        .value_o(value),
        .addr_o(slot_addr),
        .taken_o(taken),
        .result_o(result),
        .divides_o(divides),
        .zero_o(zero),
        .div_start_i(div_start),
        .div_done_o(div_done)
    );

    // Memory port
    wire rd_req, wr_req, rd_ready, rd_done, wr_ready, wr_done, wr_idle, bus_idle;
    wire [63:0] addr, wdata;
    wire [31:0] rd_data;
    wire [1:0] size;

    seq_bus #(
        .ENGINE(ENGINE),
        .MEM_W(MEM_W)
    ) u_bus (
        .clk_i(clk_i),
        .rst_ni(rst_ni),
        .fill_valid_i(fill_valid),
        .fill_addr_i(fill_addr),
        .fill_ready_o(fill_ready),
        .fill_rvalid_o(fill_rvalid),
        .fill_rdata_o(fill_rdata),
        .fill_rerr_o(fill_rerr),
        .fill_rlast_o(fill_rlast),
        .rd_req_i(rd_req),
        .wr_req_i(wr_req),
        .addr_i(addr),
        .size_i(size),
        .wdata_i(wdata),
        .rd_ready_o(rd_ready),
        .rd_done_o(rd_done),
        .rd_data_o(rd_data),
        .wr_ready_o(wr_ready),
        .wr_done_o(wr_done),
        .wr_idle_o(wr_idle),
        .idle_o(bus_idle),
        .merr_valid_o(merr_valid_o),
        .merr_ready_i(merr_ready_i),
        .merr_body1_o(merr_body1_o),
        .m_awid_o(m_awid_o),
        .m_awaddr_o(m_awaddr_o),
        .m_awlen_o(m_awlen_o),
        .m_awsize_o(m_awsize_o),
        .m_awburst_o(m_awburst_o),
        .m_awprot_o(m_awprot_o),
        .m_awvalid_o(m_awvalid_o),
        .m_awready_i(m_awready_i),
        .m_wdata_o(m_wdata_o),
        .m_wstrb_o(m_wstrb_o),
        .m_wlast_o(m_wlast_o),
        .m_wvalid_o(m_wvalid_o),
        .m_wready_i(m_wready_i),
        .m_bresp_i(m_bresp_i),
        .m_bvalid_i(m_bvalid_i),
        .m_bready_o(m_bready_o),
        .m_arid_o(m_arid_o),
        .m_araddr_o(m_araddr_o),
        .m_arlen_o(m_arlen_o),
        .m_arsize_o(m_arsize_o),
        .m_arburst_o(m_arburst_o),
        .m_arprot_o(m_arprot_o),
        .m_arvalid_o(m_arvalid_o),
        .m_arready_i(m_arready_i),
        .m_rdata_i(m_rdata_i),
        .m_rresp_i(m_rresp_i),
        .m_rlast_i(m_rlast_i),
        .m_rvalid_i(m_rvalid_i),
        .m_rready_o(m_rready_o)
    );

    // Control
    wire rec_load, rec_idle, rec_done, flt_load, flt_idle, flt_done;
    wire [1:0] rec_kind;
    wire start_flush, op_flush, op_run, op_done, op_pause, op_raise, op_clear, op_note;
    wire [7:0] op_code, op_aux, op_clear_idx;
    wire [63:0] op_next;
    assign flush = start_flush || op_flush;
    wire [23:0] rec_body0;
    wire [31:0] rec_body1;

    seq_exec #(
        .ENGINE(ENGINE)
    ) u_exec (
        .clk_i(clk_i),
        .rst_ni(rst_ni),
        .stall_i(stall),
        .start_i(start),
        .surprise_i(surprise),
        .halt_ctrl_i(halt_ctrl),
        .sp8_i(sp8),
        .resume_i(lr_resume),
        .lower_i(lr_lower),
        .upper_i(lr_upper),
        .run_o(run),
        .start_clr_o(start_clr),
        .break_clr_o(break_clr),
        .resume_we_o(resume_we),
        .resume_o(resume),
        .reason_we_o(reason_we),
        .reason_o(reason),
        .error_we_o(error_we),
        .error_o(error_word),
        .pc_o(pc),
        .lower_o(lower),
        .upper_o(upper),
        .fetch_o(fetch),
        .hit_i(hit),
        .fetch_err_i(fetch_err),
        .fetch_idle_i(fetch_idle),
        .fetch_stop_o(fetch_stop),
        .flush_o(start_flush),
        .opcode_i(opcode),
        .hint_i(hint),
        .hint_ext_i(hint_ext),
        .trace_start_i(trace_start),
        .trace_end_i(trace_end),
        .trace_note_i(trace_note),
        .trace_ext_i(trace_ext),
        .wait_need_i(wait_need),
        .wait_mode_i(wait_mode),
        .wait_idx_i(wait_idx),
        .upd_need_i(upd_need),
        .upd_mode_i(upd_mode),
        .upd_idx_i(upd_idx),
        .bad_i(bad),
        .illegal_i(illegal),
        .assert_i(assertion),
        .op_run_o(op_run),
        .op_done_i(op_done),
        .op_next_i(op_next),
        .op_pause_i(op_pause),
        .op_raise_i(op_raise),
        .op_code_i(op_code),
        .op_aux_i(op_aux),
        .op_clear_i(op_clear),
        .op_clear_idx_i(op_clear_idx),
        .op_note_i(op_note),
        .clear_o(clear),
        .clear_busy_i(clear_busy),
        .sel_value_o(sel_value),
        .sel_wait1_o(sel_wait1),
        .sel_upd1_o(sel_upd1),
        .a_i(a),
        .value_i(value),
        .bus_idle_i(bus_idle),
        .wait_req_o(wait_req_o),
        .wait_mode_o(wait_mode_o),
        .wait_idx_o(wait_idx_o),
        .wait_val_o(wait_val_o),
        .wait_pass_i(wait_pass_i),
        .upd_req_o(upd_req_o),
        .upd_mode_o(upd_mode_o),
        .upd_idx_o(upd_idx_o),
        .upd_val_o(upd_val_o),
        .upd_ack_i(upd_ack_i),
        .rec_load_o(rec_load),
        .rec_kind_o(rec_kind),
        .rec_body0_o(rec_body0),
        .rec_body1_o(rec_body1),
        .rec_idle_i(rec_idle),
        .rec_done_i(rec_done),
        .flt_load_o(flt_load),
        .flt_idle_i(flt_idle),
        .flt_done_i(flt_done)
    );

    seq_op u_op (
        .clk_i(clk_i),
        .rst_ni(rst_ni),
        .run_i(op_run),
        .engine_reset_i(clear),
        .slot_i(slot),
        .opcode_i(opcode),
        .pc_i(pc),
        .strong_mode_i(strong_mode),
        .pause_req_i(pause_req_i),
        .done_o(op_done),
        .next_o(op_next),
        .pause_o(op_pause),
        .raise_o(op_raise),
        .code_o(op_code),
        .aux_o(op_aux),
        .irq_o(irq_o),
        .flush_o(op_flush),
        .hint_arm_o(hint_arm),
        .hint_disarm_o(hint_disarm),
        .sel_target_o(sel_target),
        .sel_store_o(sel_store),
        .sel_move_o(sel_move),
        .sel_fold_o(sel_fold),
        .idx_o(idx),
        .acc_o(acc),
        .ext_o(ext),
        .we_o(we),
        .we_ext_o(we_ext),
        .a_i(a),
        .b_i(b),
        .addr_i(slot_addr),
        .taken_i(taken),
        .result_i(result),
        .divides_i(divides),
        .zero_i(zero),
        .div_start_o(div_start),
        .div_done_i(div_done),
        .rd_req_o(rd_req),
        .wr_req_o(wr_req),
        .addr_o(addr),
        .size_o(size),
        .wdata_o(wdata),
        .rd_ready_i(rd_ready),
        .rd_done_i(rd_done),
        .rd_data_i(rd_data),
        .wr_ready_i(wr_ready),
        .wr_done_i(wr_done),
        .wr_idle_i(wr_idle),
        .clear_req_o(op_clear),
        .clear_idx_o(op_clear_idx),
        .clear_ack_i(upd_ack_i),
        .note_load_o(op_note),
        .rec_idle_i(rec_idle),
        .rec_done_i(rec_done)
    );

    // Records
    wire [4:0] rec_type = REC_TYPE[4:0] + {3'd0, rec_kind};
    wire [3:0] rec_queue = rec_kind == `NKIND_EXPLICIT ? explicit_queue_i : nx_queue_i;
    seq_hold #(
        .W(65)
    ) u_rec (
        .clk_i(clk_i),
        .rst_ni(rst_ni),
        .load_i(rec_load),
        .data_i({rec_queue, rec_type, rec_body0, rec_body1}),
        .idle_o(rec_idle),
        .done_o(rec_done),
        .valid_o(rec_valid_o),
        .ready_i(rec_ready_i),
        .data_o({rec_queue_o, rec_type_o, rec_body0_o, rec_body1_o})
    );

    // TPB_ERROR: error_id and code in W0; block_id, PC and info of the error word, 4 bits apart, in W1 (§3.2)
    localparam [7:0] FATAL_ID = `NERR_SEQ_FATAL;
    seq_hold #(
        .W(56)
    ) u_flt (
        .clk_i(clk_i),
        .rst_ni(rst_ni),
        .load_i(flt_load),
        .data_i({8'd0, error_word[`ERRWORD_W0_CODE_MSB:`ERRWORD_W0_CODE_LSB], FATAL_ID, 8'd0,
                 error_word[`ERRWORD_W0_INFO_MSB:`ERRWORD_W0_INFO_LSB],
                 error_word[`ERRWORD_W0_PC_MSB:`ERRWORD_W0_PC_LSB],
                 error_word[`ERRWORD_W0_BLOCK_ID_MSB:`ERRWORD_W0_BLOCK_ID_LSB]}),
        .idle_o(flt_idle),
        .done_o(flt_done),
        .valid_o(flt_valid_o),
        .ready_i(flt_ready_i),
        .data_o({flt_body0_o, flt_body1_o})
    );

endmodule

`default_nettype wire
