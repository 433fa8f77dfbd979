// What one slot does between its waits and its updates, the "execute" of tpb-sequencer.md §2.4, for every opcode of
// §4. `run_i` is high from the first clock of execution until `done_o` or `raise_o`; when it falls early (reset of
// the engine) the operation is dropped, the bus and the record finish on their own. `next_o` (next PC) and `pause_o`
// (HALT means pause) are valid with `done_o`; `code_o`/`aux_o` with `raise_o`. Semaphores of RANGE_CLEAR are
// requested on clear_*.
// Requests and selects come straight from the state, so that no answer to one of them feeds back into it.
// Clocks: 1, but MOVE n + 1, register branches 2, NOTIFY 3 and more, divide and remainder 34, bus accesses as the
// bus.
`default_nettype none
`include "regs.vh"

module seq_op (
    input  wire         clk_i,
    input  wire         rst_ni,
    input  wire         run_i,
    input  wire         engine_reset_i, // back to relaxed ordering
    input  wire [511:0] slot_i,
    input  wire [  7:0] opcode_i,
    input  wire [ 63:0] pc_i,
    input  wire         strong_mode_i,
    input  wire         pause_req_i,
    output reg          done_o,
    output reg  [ 63:0] next_o,
    output reg          pause_o,
    output reg          raise_o,
    output reg  [  7:0] code_o,
    output reg  [  7:0] aux_o,
    output reg          irq_o,
    // fetch
    output reg          flush_o,
    output reg          hint_arm_o,
    output reg          hint_disarm_o,
    // datapath
    output wire         sel_target_o,
    output wire         sel_store_o,
    output wire         sel_move_o,
    output wire         sel_fold_o,
    output wire [  2:0] idx_o,
    output wire [ 31:0] acc_o,
    output wire [ 31:0] ext_o,
    output reg          we_o,
    output reg          we_ext_o,
    input  wire [ 31:0] a_i,
    input  wire [ 31:0] b_i,
    input  wire [ 63:0] addr_i,
    input  wire         taken_i,
    input  wire [ 31:0] result_i,
    input  wire         divides_i,
    input  wire         zero_i,
    output reg          div_start_o,
    input  wire         div_done_i,
    // bus
    output reg          rd_req_o,
    output reg          wr_req_o,
    output wire [ 63:0] addr_o,
    output wire [  1:0] size_o,
    output wire [ 63:0] wdata_o,
    input  wire         rd_ready_i,
    input  wire         rd_done_i,
    input  wire [ 31:0] rd_data_i,
    input  wire         wr_ready_i,
    input  wire         wr_done_i,
    input  wire         wr_idle_i,
    // RANGE_CLEAR and NOTIFY
    output wire         clear_req_o,
    output wire [  7:0] clear_idx_o,
    input  wire         clear_ack_i,
    output reg          note_load_o,
    input  wire         rec_idle_i,
    input  wire         rec_done_i
);

    localparam [3:0] IDLE = 4'd0, DIVIDE = 4'd1, MOVE = 4'd2, TARGET = 4'd3, ACCESS = 4'd4, WRITE = 4'd5, READ = 4'd6,
                     RESPONSE = 4'd7, POLL_READ = 4'd8, POLL_DATA = 4'd9, POLL_FOLD = 4'd10, POLL_WRITE = 4'd11,
                     POLL_SENT = 4'd12, CLEAR = 4'd13, NOTIFY = 4'd14, NOTIFY_SENT = 4'd15;

    reg [3:0] op_q, op_d;
    reg [63:0] addr_q, addr_d;
    reg [31:0] acc_q, acc_d, data_q, data_d;
    reg [7:0] idx_q, idx_d;
    reg strong_q, strong_d, irq_d;

    wire in_order = strong_q || strong_mode_i;
    wire notify_on = slot_i[8*`SLOT_NOTIFY_FLAGS_OFF + `SLOT_NOTIFY_FLAGS_NOTIFY_LSB];
    wire notify_irq = slot_i[8*`SLOT_NOTIFY_FLAGS_OFF + `SLOT_NOTIFY_FLAGS_INTR_LSB];
    wire notify_rec = notify_on || !notify_irq;
    wire [7:0] wr_size = slot_i[8*`SLOT_WRITE_WR_SIZE_OFF +: 8];
    wire is_write = opcode_i == `OP_WRITE;
    wire is_store = opcode_i == `OP_TENSOR_STORE;
    wire is_poll = opcode_i == `OP_POLL_SEM;
    wire misaligned = |(addr_q[2:0] & {size_o == 2'd3, size_o[1], |size_o});
    wire [63:0] psum_ofs = {addr_q[63:58], 3'd0, addr_q[54:0]} - `SOC_PSUM; // bits 57:55 are attributes
    wire in_psum = psum_ofs < `SOC_PSUM_BYTES;
    wire [63:0] writeback = slot_i[8*`SLOT_POLL_WRITEBACK_OFF +: 64];
    wire [63:0] disp = {{32{slot_i[8*`SLOT_BR_DISP_OFF + 31]}}, slot_i[8*`SLOT_BR_DISP_OFF +: 32]};
    wire by_mask = slot_i[8*`SLOT_RANGE_MODE_OFF +: 8] == `RANGE_MASK;
    wire [7:0] last_idx = opcode_i == `OP_MOVE ? slot_i[8*`SLOT_MOVE_NUM_MOV_OFF +: 8] - 8'd1 :
                          is_poll ? slot_i[8*`SLOT_POLL_N_READ_OFF +: 8] - 8'd1 :
                          by_mask ? 8'd255 : slot_i[8*`SLOT_RANGE_LAST_OFF +: 8];
    wire at_last = idx_q == last_idx;
    wire [7:0] mask_byte = slot_i[8*`SLOT_RANGE_MASK_OFF + 8*idx_q[7:3] +: 8];
    wire listed = !by_mask || mask_byte[idx_q[2:0]];
    wire skip8 = by_mask && idx_q[2:0] == 3'd0 && mask_byte == 8'd0;

    assign sel_target_o = op_q == TARGET;
    assign sel_move_o = op_q == MOVE;
    assign sel_store_o = op_q == ACCESS && is_store;
    assign sel_fold_o = op_q == POLL_FOLD && idx_q <= last_idx;
    assign idx_o = idx_q[2:0];
    assign acc_o = acc_q;
    assign ext_o = sel_fold_o ? data_q : op_q == POLL_FOLD ? acc_q : rd_data_i;
    assign addr_o = addr_q;
    assign size_o = !is_write || wr_size == 8'd4 ? 2'd2 : wr_size == 8'd8 ? 2'd3 : wr_size == 8'd2 ? 2'd1 : 2'd0;
    assign wdata_o = is_poll ? {32'd0, acc_q} : is_store ? {32'd0, a_i} : slot_i[8*`SLOT_WRITE_VALUE_OFF +: 64];
    assign clear_req_o = op_q == CLEAR && listed;
    assign clear_idx_o = idx_q;

    always @* begin
        op_d = op_q;
        addr_d = addr_q;
        acc_d = acc_q;
        data_d = data_q;
        idx_d = idx_q;
        strong_d = strong_q;
        irq_d = 1'b0;
        done_o = 1'b0;
        next_o = pc_i + `SLOT_BYTES;
        pause_o = 1'b0;
        raise_o = 1'b0;
        code_o = `FAULT_BAD_OPCODE;
        aux_o = opcode_i;
        flush_o = 1'b0;
        hint_arm_o = 1'b0;
        hint_disarm_o = 1'b0;
        we_o = 1'b0;
        we_ext_o = 1'b0;
        div_start_o = 1'b0;
        rd_req_o = 1'b0;
        wr_req_o = 1'b0;
        note_load_o = 1'b0;

        if (!run_i) begin
            op_d = IDLE;
            idx_d = 8'd0;
        end else begin
            case (op_q)
                IDLE: begin
                    case (opcode_i)
                        `OP_HALT: begin
                            hint_disarm_o = 1'b1;
                            pause_o = pause_req_i;
                            done_o = !pause_req_i || wr_idle_i;
                        end
                        `OP_DRAIN: done_o = wr_idle_i;
                        `OP_INSTRUCTION_FLUSH: begin
                            flush_o = 1'b1;
                            done_o = 1'b1;
                        end
                        `OP_NOTIFY: op_d = NOTIFY;
                        `OP_MOVE: op_d = MOVE;
                        `OP_ALU_OP: begin
                            code_o = `FAULT_INT_DIV_ZERO;
                            aux_o = 8'd0;
                            raise_o = zero_i;
                            if (divides_i) begin
                                div_start_o = !zero_i;
                                op_d = DIVIDE;
                            end else begin
                                we_o = 1'b1;
                                done_o = 1'b1;
                            end
                        end
                        `OP_COMPARE_BRANCH: begin
                            hint_disarm_o = taken_i;
                            if (taken_i && slot_i[8*`SLOT_BR_TARGET_MODE_OFF +: 8] != `BR_REL_IMM) begin
                                op_d = TARGET;
                            end else begin
                                if (taken_i) next_o = pc_i + disp;
                                done_o = 1'b1;
                            end
                        end
                        `OP_WRITE, `OP_TENSOR_LOAD, `OP_TENSOR_STORE, `OP_POLL_SEM: begin
                            addr_d = addr_i;
                            op_d = ACCESS;
                        end
                        `OP_EVENT_SEMAPHORE_RANGE_CLEAR: begin
                            if (!by_mask) idx_d = slot_i[8*`SLOT_RANGE_FIRST_OFF +: 8];
                            op_d = CLEAR;
                        end
                        `OP_SET_ORDERING_MODE: begin
                            strong_d = slot_i[8*`SLOT_ORDER_MODE_OFF +: 8] == `ORDER_STRONG;
                            done_o = 1'b1;
                        end
                        `OP_BRANCH_PREFETCH_HINT: begin
                            hint_arm_o = slot_i[8*`SLOT_HINT_DECISION_OFF +: 8] == 8'd0;
                            hint_disarm_o = !hint_arm_o;
                            done_o = 1'b1;
                        end
                        default: done_o = 1'b1; // NOP, ENGINE_NOP, EVENT_SEMAPHORE
                    endcase
                end

                DIVIDE: begin
                    we_o = div_done_i;
                    done_o = div_done_i;
                end

                MOVE: begin
                    we_o = 1'b1;
                    idx_d = idx_q + 8'd1;
                    done_o = at_last;
                end

                TARGET: begin
                    next_o = slot_i[8*`SLOT_BR_TARGET_MODE_OFF +: 8] == `BR_REG ? {b_i, a_i} :
                             pc_i + {{32{a_i[31]}}, a_i};
                    done_o = 1'b1;
                end

                ACCESS: begin
                    if (misaligned || (is_store && in_psum) || (is_poll && |writeback[1:0])) begin
                        raise_o = 1'b1;
                    end else if (is_poll) begin
                        op_d = POLL_READ;
                    end else if (is_write || is_store) begin
                        wr_req_o = wr_ready_i;
                        if (wr_ready_i) op_d = WRITE;
                    end else begin
                        rd_req_o = rd_ready_i;
                        if (rd_ready_i) op_d = READ;
                    end
                end

                WRITE: begin
                    if (wr_done_i) begin
                        if (in_order) op_d = RESPONSE;
                        else done_o = 1'b1;
                    end
                end

                RESPONSE: done_o = wr_idle_i;

                READ: begin
                    we_o = rd_done_i;
                    we_ext_o = 1'b1;
                    done_o = rd_done_i;
                end

                POLL_READ: begin
                    rd_req_o = rd_ready_i;
                    if (rd_ready_i) op_d = POLL_DATA;
                end

                POLL_DATA: begin
                    data_d = rd_data_i;
                    if (rd_done_i) begin
                        if (idx_q == 8'd0) acc_d = rd_data_i;
                        op_d = POLL_FOLD;
                    end
                end

                // Folds one word; after the last one writes the result of the clock before and starts the copies.
                POLL_FOLD: begin
                    if (idx_q > last_idx) begin
                        we_o = 1'b1;
                        we_ext_o = 1'b1;
                        idx_d = 8'd0;
                        addr_d = writeback;
                        if (acc_q != 32'd0) op_d = POLL_WRITE;
                        else done_o = 1'b1;
                    end else begin
                        if (idx_q != 8'd0) acc_d = result_i;
                        idx_d = idx_q + 8'd1;
                        addr_d = addr_q + 64'd4;
                        if (!at_last) op_d = POLL_READ;
                    end
                end

                POLL_WRITE: begin
                    wr_req_o = wr_ready_i;
                    if (wr_ready_i) op_d = POLL_SENT;
                end

                POLL_SENT: begin
                    if (wr_done_i) begin
                        idx_d = idx_q + 8'd1;
                        addr_d = addr_q + 64'd4;
                        op_d = POLL_WRITE;
                        if (at_last && in_order) op_d = RESPONSE;
                        done_o = at_last && !in_order;
                    end
                end

                CLEAR: begin
                    if (clear_ack_i || !listed) begin
                        idx_d = idx_q + (skip8 ? 8'd8 : 8'd1);
                        done_o = at_last || (skip8 && idx_q[7:3] == last_idx[7:3]);
                    end
                end

                NOTIFY: begin
                    note_load_o = notify_rec && rec_idle_i;
                    if (note_load_o) op_d = NOTIFY_SENT;
                    irq_d = !notify_rec; // an interrupt alone
                    done_o = !notify_rec;
                end

                NOTIFY_SENT: begin
                    irq_d = rec_done_i && notify_irq;
                    done_o = rec_done_i;
                end
            endcase
            if (done_o || raise_o) begin
                op_d = IDLE;
                idx_d = 8'd0;
            end
        end
    end

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            op_q <= IDLE;
            addr_q <= 64'd0;
            acc_q <= 32'd0;
            data_q <= 32'd0;
            idx_q <= 8'd0;
            strong_q <= 1'b0;
            irq_o <= 1'b0;
        end else begin
            op_q <= op_d;
            addr_q <= addr_d;
            acc_q <= acc_d;
            data_q <= data_d;
            idx_q <= idx_d;
            strong_q <= strong_d && !engine_reset_i;
            irq_o <= irq_d;
        end
    end

endmodule

`default_nettype wire
