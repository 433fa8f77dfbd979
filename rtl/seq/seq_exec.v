// Control of one sequencer: the run-state machine (tpb-image.md §1) and the life of one slot (tpb-sequencer.md §2.4):
// fetch, decode, waits, INST_START, execute (seq_op.v), updates, INST_END, retire. One slot in flight.
//
//   * Loop order: release_run_stall, break, PC alignment, bounds, fetch, legality, waits. A break also ends a wait
//     that is false and has had no side effect; lane 0 passed with a THEN form is one, a plain lane 0 is not.
//   * A slot that cannot run faults without updates and without retiring. Misaligned or PSUM addresses are found when
//     the slot executes (after its wait), everything else before. A PC fault or an SP8 start has aux 0.
//   * HALT retires (updates, INST_END) and then halts with resume PC = next slot, or pauses when pause_req_i was set
//     and all posted writes are answered.
//   * FAULT is entered (run_state, resume PC = the slot) when NOTIFIC has taken the TPB_ERROR record.
//   * release_run_stall=1 drops the slot at once, withdraws its EVT_SEM requests, and enters RESET when the bus and
//     the fetch are idle and a record already offered has been taken (a valid is never withdrawn).
// Latency: a slot without waits, updates, records or bus access takes 3 clocks when its line is resident.
`default_nettype none
`include "regs.vh"

module seq_exec #(
    parameter ENGINE = 0
) (
    input  wire         clk_i,
    input  wire         rst_ni,
    // LOCAL_REG
    input  wire         stall_i,
    input  wire         start_i,
    input  wire         surprise_i,
    input  wire         halt_ctrl_i,
    input  wire         sp8_i,
    input  wire [ 63:0] resume_i,
    input  wire [ 63:0] lower_i,
    input  wire [ 63:0] upper_i,
    output wire [  2:0] run_o,          // ESTATE_*
    output reg          start_clr_o,
    output reg          break_clr_o,
    output reg          resume_we_o,
    output reg  [ 63:0] resume_o,
    output reg          reason_we_o,
    output reg  [ 31:0] reason_o,
    output reg          error_we_o,
    output wire [ 31:0] error_o,
    // fetch
    output wire [ 63:0] pc_o,
    output wire [ 63:0] lower_o,        // sampled, all addresses when disabled
    output wire [ 63:0] upper_o,
    output wire         fetch_o,
    input  wire         hit_i,
    input  wire         fetch_err_i,
    input  wire         fetch_idle_i,
    output reg          fetch_stop_o,
    output reg          flush_o,
    // slot
    input  wire [  7:0] opcode_i,
    input  wire [  3:0] hint_i,
    input  wire [ 15:0] hint_ext_i,
    input  wire         trace_start_i,
    input  wire         trace_end_i,
    input  wire         trace_note_i,
    input  wire [ 15:0] trace_ext_i,
    input  wire [  1:0] wait_need_i,
    input  wire [ 15:0] wait_mode_i,
    input  wire [ 15:0] wait_idx_i,
    input  wire [  1:0] upd_need_i,
    input  wire [ 15:0] upd_mode_i,
    input  wire [ 15:0] upd_idx_i,
    input  wire         bad_i,
    input  wire         illegal_i,
    input  wire         assert_i,
    // execution (seq_op.v)
    output wire         op_run_o,
    input  wire         op_done_i,
    input  wire [ 63:0] op_next_i,
    input  wire         op_pause_i,
    input  wire         op_raise_i,
    input  wire [  7:0] op_code_i,
    input  wire [  7:0] op_aux_i,
    input  wire         op_clear_i,     // zero semaphore op_clear_idx_i
    input  wire [  7:0] op_clear_idx_i,
    input  wire         op_note_i,      // load the NOTIFY record
    // datapath
    output reg          clear_o,        // R0..R63 and what else RESET clears
    input  wire         clear_busy_i,
    output wire         sel_value_o,
    output wire         sel_wait1_o,
    output wire         sel_upd1_o,
    input  wire [ 31:0] a_i,
    input  wire [ 31:0] value_i,
    // bus
    input  wire         bus_idle_i,
    // EVT_SEM
    output wire         wait_req_o,
    output wire [  7:0] wait_mode_o,
    output wire [  7:0] wait_idx_o,
    output wire [ 31:0] wait_val_o,
    input  wire         wait_pass_i,
    output wire         upd_req_o,
    output wire [  7:0] upd_mode_o,
    output wire [  7:0] upd_idx_o,
    output wire [ 31:0] upd_val_o,
    input  wire         upd_ack_i,
    // records, into holding registers
    output reg          rec_load_o,
    output reg  [  1:0] rec_kind_o,     // NKIND_*
    output reg  [ 23:0] rec_body0_o,
    output reg  [ 31:0] rec_body1_o,
    input  wire         rec_idle_i,
    input  wire         rec_done_i,
    output reg          flt_load_o,
    input  wire         flt_idle_i,
    input  wire         flt_done_i
);

    localparam [3:0] BLOCK_ID = ENGINE == `ENG_PE ? `BLOCKID_PE : ENGINE == `ENG_ACT ? `BLOCKID_ACT :
                                ENGINE == `ENG_POOL ? `BLOCKID_POOL : ENGINE == `ENG_DVE ? `BLOCKID_DVE : `BLOCKID_SP;

    localparam [3:0] RESET = 4'd0, STOPPED = 4'd1, BEGIN = 4'd2, FETCH = 4'd3, DECODE = 4'd4, WAIT0 = 4'd5,
                     WAIT1 = 4'd6, START_REC = 4'd7, EXEC = 4'd8, UPDATE0 = 4'd9, UPDATE1 = 4'd10, END_REC = 4'd11,
                     FAULT = 4'd12, QUIESCE = 4'd13;

    reg [3:0] state_q, state_d;
    reg [2:0] run_q, run_d;
    reg [63:0] pc_q, pc_d, next_q, next_d;
    reg [63:0] lower_q, upper_q;
    reg [15:0] waited_q, waited_d, resets_q, resets_d;
    reg [7:0] code_q, code_d, aux_q, aux_d;
    reg sp8_q, pause_q, pause_d, sent_q, sent_d, sample;

    // What the case below asks of the common code after it
    reg lead;           // go on with the next needed step before execution ...
    reg [1:0] lead_at;  // ... from: 0 wait lane 0, 1 wait lane 1, 2 INST_START, 3 execution
    reg leave;          // go on with the next needed step after execution ...
    reg [1:0] leave_at; // ... from: 0 update lane 0, 1 update lane 1, 2 INST_END, 3 retire
    reg raise;          // fault with code_d, aux_d
    reg break_now;
    /* verilator lint_off UNUSEDSIGNAL */
    reg issue, retire, pass; // seen by bench/taps/seq_tap.sv only
    /* verilator lint_on UNUSEDSIGNAL */

    /* verilator lint_off UNUSEDSIGNAL */
    wire [63:0] offset = pc_q - lower_q;
    /* verilator lint_on UNUSEDSIGNAL */
    wire [19:0] slot_no = offset[25:6];
    wire off_bounds = pc_q < lower_q || pc_q > upper_o;
    wire then0 = wait_mode_i[7:0] == `WAIT_EVT_SET_THEN_CLEAR || wait_mode_i[7:0] == `WAIT_EVT_CLEAR_THEN_SET;

    // Requests and selects come straight from the state, so that no answer to one of them feeds back into it.
    wire go = !stall_i;
    assign fetch_o = go && state_q == FETCH && !surprise_i && pc_q[5:0] == 6'd0 && !off_bounds;
    assign op_run_o = go && state_q == EXEC;
    assign wait_req_o = go && (state_q == WAIT0 || state_q == WAIT1);
    assign upd_req_o = go && (state_q == UPDATE0 || state_q == UPDATE1 || op_clear_i);
    assign sel_value_o = state_q == WAIT0 || state_q == UPDATE0;
    assign sel_wait1_o = state_q == WAIT1;
    assign sel_upd1_o = state_q == UPDATE1;

    assign run_o = run_q;
    assign pc_o = pc_q;
    assign lower_o = lower_q;
    assign upper_o = lower_q == 64'd0 && upper_q == 64'd0 ? {64{1'b1}} : upper_q; // all 0 = disabled
    assign error_o = {aux_q, slot_no[11:0], BLOCK_ID, code_q};

    // Requests to EVT_SEM: register operands resolved; quiet while there is none
    wire [7:0] lane_wait = state_q == WAIT1 ? wait_mode_i[15:8] : wait_mode_i[7:0];
    wire [7:0] lane_upd = state_q == UPDATE1 ? upd_mode_i[15:8] : upd_mode_i[7:0];
    assign wait_mode_o = wait_req_o ? lane_wait & ~`WAIT_REG_BIT : 8'd0;
    assign wait_idx_o = !wait_req_o ? 8'd0 : state_q == WAIT1 ? wait_idx_i[15:8] : wait_idx_i[7:0];
    assign wait_val_o = !wait_req_o ? 32'd0 : |(lane_wait & `WAIT_REG_BIT) ? a_i : value_i;
    assign upd_mode_o = !upd_req_o ? 8'd0 : op_clear_i ? `UPD_SEM_WR_IMM_COMPLETE : lane_upd;
    assign upd_idx_o = !upd_req_o ? 8'd0 : op_clear_i ? op_clear_idx_i :
                       state_q == UPDATE1 ? upd_idx_i[15:8] : upd_idx_i[7:0];
    assign upd_val_o = !upd_req_o || op_clear_i ? 32'd0 : |(lane_upd & `UPD_REG_BIT) ? a_i : value_i;

    always @* begin
        state_d = state_q;
        run_d = run_q;
        pc_d = pc_q;
        next_d = next_q;
        waited_d = waited_q;
        resets_d = resets_q;
        code_d = code_q;
        aux_d = aux_q;
        pause_d = pause_q;
        sent_d = sent_q;
        sample = 1'b0;
        lead = 1'b0;
        lead_at = 2'd0;
        leave = 1'b0;
        leave_at = 2'd0;
        raise = 1'b0;
        break_now = 1'b0;
        issue = 1'b0;
        retire = 1'b0;
        pass = 1'b0;
        start_clr_o = 1'b0;
        break_clr_o = 1'b0;
        resume_we_o = 1'b0;
        resume_o = pc_q;
        reason_we_o = 1'b0;
        reason_o = `HALT_INSTRUCTION;
        error_we_o = 1'b0;
        fetch_stop_o = 1'b0;
        flush_o = 1'b0;
        clear_o = 1'b0;
        rec_load_o = 1'b0;
        rec_kind_o = `NKIND_START;
        rec_body0_o = {hint_i, slot_no};
        rec_body1_o = {waited_q, resets_q};
        flt_load_o = 1'b0;

        if (state_q == QUIESCE || (stall_i && state_q != RESET)) begin
            state_d = QUIESCE;
            fetch_stop_o = 1'b1;
            if (bus_idle_i && fetch_idle_i && rec_idle_i && flt_idle_i) begin
                state_d = RESET;
                run_d = `ESTATE_RESET;
                pc_d = 64'd0;
                resets_d = 16'd0;
                sent_d = 1'b0;
                clear_o = 1'b1;
            end
        end else begin
            case (state_q)
                RESET: begin
                    fetch_stop_o = 1'b1;
                    if (!stall_i && !clear_busy_i) begin
                        state_d = STOPPED;
                        run_d = `ESTATE_IDLE;
                    end
                end

                STOPPED: begin
                    fetch_stop_o = 1'b1;
                    if (start_i && run_q != `ESTATE_FAULT) begin
                        start_clr_o = 1'b1;
                        flush_o = 1'b1;
                        sample = 1'b1;
                        if (run_q != `ESTATE_PAUSED) pc_d = resume_i;
                        run_d = `ESTATE_RUNNING;
                        state_d = BEGIN;
                    end
                end

                BEGIN: begin
                    state_d = FETCH;
                    if (sp8_q) begin
                        raise = 1'b1;
                        code_d = `FAULT_BAD_OPCODE;
                        aux_d = 8'd0;
                    end
                end

                FETCH: begin
                    code_d = `FAULT_FETCH;
                    aux_d = `FAULT_AUX_BOUNDS;
                    waited_d = 16'd0;
                    if (surprise_i) begin
                        break_now = 1'b1;
                    end else if (|pc_q[5:0]) begin
                        raise = 1'b1;
                        code_d = `FAULT_BAD_OPCODE;
                    end else if (off_bounds) begin
                        raise = 1'b1;
                    end else if (fetch_err_i) begin
                        raise = 1'b1;
                        aux_d = `FAULT_AUX_BUS_ERROR;
                    end else if (hit_i) begin
                        state_d = DECODE;
                    end
                end

                DECODE: begin
                    issue = 1'b1;
                    code_d = `FAULT_BAD_OPCODE;
                    aux_d = assert_i ? 8'd0 : opcode_i;
                    if (bad_i || illegal_i || assert_i) raise = 1'b1;
                    else lead = 1'b1;
                end

                WAIT0, WAIT1: begin
                    if (wait_pass_i) begin
                        pass = 1'b1;
                        lead = 1'b1;
                        lead_at = state_q == WAIT0 ? 2'd1 : 2'd2;
                    end else begin
                        if (waited_q != 16'hffff) waited_d = waited_q + 16'd1;
                        if (surprise_i && (state_q == WAIT0 || !then0)) break_now = 1'b1;
                    end
                end

                START_REC: begin
                    rec_load_o = rec_idle_i && !sent_q;
                    if (rec_load_o) sent_d = 1'b1;
                    if (sent_q && rec_done_i) begin
                        lead = 1'b1;
                        lead_at = 2'd3;
                    end
                end

                EXEC: begin
                    next_d = op_next_i;
                    pause_d = op_pause_i;
                    code_d = op_code_i;
                    aux_d = op_aux_i;
                    raise = op_raise_i;
                    leave = op_done_i;
                    if (op_note_i) begin
                        rec_load_o = 1'b1;
                        rec_kind_o = `NKIND_EXPLICIT;
                        rec_body1_o = {hint_ext_i, resets_q};
                    end
                end

                UPDATE0, UPDATE1: begin
                    leave = upd_ack_i;
                    leave_at = state_q == UPDATE0 ? 2'd1 : 2'd2;
                end

                END_REC: begin
                    rec_kind_o = trace_note_i ? `NKIND_EXPLICIT : `NKIND_END;
                    rec_body1_o = trace_note_i ? {trace_ext_i, resets_q} : 32'd0; // no data path, so no CRC
                    rec_load_o = rec_idle_i && !sent_q;
                    if (rec_load_o) sent_d = 1'b1;
                    leave = sent_q && rec_done_i;
                    leave_at = 2'd3;
                end

                FAULT: begin
                    flt_load_o = flt_idle_i && !sent_q;
                    reason_we_o = flt_load_o;
                    reason_o = `HALT_FATAL;
                    error_we_o = flt_load_o;
                    if (flt_load_o) sent_d = 1'b1;
                    if (sent_q && flt_done_i) begin
                        sent_d = 1'b0;
                        resume_we_o = 1'b1;
                        run_d = `ESTATE_FAULT;
                        state_d = STOPPED;
                    end
                end

                default: state_d = RESET;
            endcase

            if (break_now) begin
                break_clr_o = 1'b1;
                if (halt_ctrl_i) begin
                    resume_we_o = 1'b1;
                    reason_we_o = 1'b1;
                    reason_o = `HALT_EXT_BREAK;
                    run_d = `ESTATE_HALTED;
                    state_d = STOPPED;
                end else begin
                    raise = 1'b1; // break without a request: failed assertion
                    code_d = `FAULT_BAD_OPCODE;
                    aux_d = 8'd0;
                end
            end

            if (lead) begin
                sent_d = 1'b0;
                if (lead_at == 2'd0 && wait_need_i[0]) state_d = WAIT0;
                else if (lead_at <= 2'd1 && wait_need_i[1]) state_d = WAIT1;
                else if (lead_at <= 2'd2 && trace_start_i) state_d = START_REC;
                else state_d = EXEC;
            end

            if (leave) begin
                sent_d = 1'b0;
                if (leave_at == 2'd0 && upd_need_i[0]) state_d = UPDATE0;
                else if (leave_at <= 2'd1 && upd_need_i[1]) state_d = UPDATE1;
                else if (leave_at <= 2'd2 && trace_end_i) state_d = END_REC;
                else begin
                    retire = 1'b1;
                    pc_d = next_d;
                    state_d = FETCH;
                    if (opcode_i == `OP_NOTIFY && hint_i == `HINT_DONE) resets_d = resets_q + 16'd1;
                    if (opcode_i == `OP_HALT) begin
                        state_d = STOPPED;
                        run_d = pause_d ? `ESTATE_PAUSED : `ESTATE_HALTED;
                        resume_we_o = !pause_d;
                        resume_o = next_d;
                        reason_we_o = !pause_d;
                    end
                end
            end

            if (raise) begin
                sent_d = 1'b0;
                state_d = FAULT;
            end
        end
    end

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            state_q <= RESET;
            run_q <= `ESTATE_RESET;
            pc_q <= 64'd0;
            next_q <= 64'd0;
            waited_q <= 16'd0;
            resets_q <= 16'd0;
            code_q <= 8'd0;
            aux_q <= 8'd0;
            lower_q <= 64'd0;
            upper_q <= 64'd0;
            sp8_q <= 1'b0;
            pause_q <= 1'b0;
            sent_q <= 1'b0;
        end else begin
            state_q <= state_d;
            run_q <= run_d;
            pc_q <= pc_d;
            next_q <= next_d;
            waited_q <= waited_d;
            resets_q <= resets_d;
            code_q <= code_d;
            aux_q <= aux_d;
            pause_q <= pause_d;
            sent_q <= sent_d;
            if (sample) begin
                lower_q <= lower_i;
                upper_q <= upper_i;
                if (run_q != `ESTATE_PAUSED) sp8_q <= ENGINE == `ENG_SP && sp8_i;
            end
        end
    end

endmodule

`default_nettype wire
