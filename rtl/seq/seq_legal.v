// Legality of a slot at decode, before its wait (tpb-sequencer.md §2.1, §4; tpb-image.md §3.1). Combinational.
//
//   bad_o      opcode outside the implemented control set: Bad Opcode, aux = opcode
//   illegal_o  legal opcode, illegal field: Illegal Instruction, aux = opcode
//   assert_o   fields for which the source names a failed assertion (dtype of MOVE, cmp_op, target_mode > 10,
//              decision of the hint): aux 0. An illegal wait or update mode, or count or source of MOVE, counts as
//              illegal_o even then.
//
// Looked at: bytes a rule of the instruction names. Ignored: reserved bytes, inst_word_len, the high register of a
// 64-bit pair that a 32-bit operation does not use. Address alignment depends on registers and is checked when the
// slot executes.
// Implemented forms: ALU_OP on INT32/UINT32, loads and stores of one 4-byte element with an immediate or
// register-pair address, POLL_SEM folding 1..16 words with MIN.
`default_nettype none
`include "regs.vh"

module seq_legal (
    /* verilator lint_off UNUSEDSIGNAL */ // reserved bytes are not looked at
    input  wire [511:0] slot_i,
    /* verilator lint_on UNUSEDSIGNAL */
    output reg          bad_o,
    output wire         illegal_o,
    output reg          assert_o
);

    function reg_ok(input [7:0] r);
        reg_ok = r < `REG_COUNT || r == `REG_PC_LO || r == `REG_PC_HI;
    endfunction

    function wait_ok(input [7:0] mode, input [31:0] value);
        case (mode)
            `WAIT_NONE, `WAIT_SEM_EQ_IMM, `WAIT_SEM_LT_IMM, `WAIT_SEM_LE_IMM, `WAIT_SEM_GT_IMM, `WAIT_SEM_GE_IMM,
            `WAIT_EVT_SET, `WAIT_EVT_SET_THEN_CLEAR, `WAIT_EVT_CLEAR, `WAIT_EVT_CLEAR_THEN_SET,
            `WAIT_UNORDERED:
                wait_ok = 1'b1;
            `WAIT_SEM_EQ_REG, `WAIT_SEM_LT_REG, `WAIT_SEM_LE_REG, `WAIT_SEM_GT_REG, `WAIT_SEM_GE_REG:
                wait_ok = value < `REG_COUNT;
            default: wait_ok = 1'b0;
        endcase
    endfunction

    function upd_ok(input [7:0] mode, input [31:0] value);
        case (mode)
            `UPD_NONE, `UPD_EVT_SET_READ, `UPD_EVT_CLR_READ, `UPD_SEM_INC_READ, `UPD_SEM_DEC_READ,
            `UPD_SEM_ADD_IMM_READ, `UPD_SEM_SUB_IMM_READ, `UPD_SEM_WR_IMM_READ, `UPD_EVT_SET_COMPLETE,
            `UPD_EVT_CLR_COMPLETE, `UPD_SEM_INC_COMPLETE, `UPD_SEM_DEC_COMPLETE, `UPD_SEM_ADD_IMM_COMPLETE,
            `UPD_SEM_SUB_IMM_COMPLETE, `UPD_SEM_WR_IMM_COMPLETE:
                upd_ok = 1'b1;
            `UPD_SEM_ADD_REG_READ, `UPD_SEM_SUB_REG_READ, `UPD_SEM_WR_REG_READ, `UPD_SEM_ADD_REG_COMPLETE,
            `UPD_SEM_SUB_REG_COMPLETE, `UPD_SEM_WR_REG_COMPLETE: upd_ok = value < `REG_COUNT;
            default: upd_ok = 1'b0;
        endcase
    endfunction

    // Integer operations: C4..DD but CE, and MOD (tpb-compute.md §4)
    function int_code(input [7:0] op);
        int_code = op == `ALU_MOD || (op >= `ALU_INT_ADD && op <= `ALU_UINT_MOD && op != `ALU_INT_ABS);
    endfunction

    function alu_code(input [7:0] op);
        alu_code = int_code(op) || (op <= `ALU_ABS);
    endfunction

    /* verilator lint_off UNUSEDSIGNAL */
    function addr_ok(input [63:0] addr8);
        case (addr8[63:56] & `ADDR8_MARKER_MASK)
            `ADDR8_IMM: addr_ok = 1'b1;
            `ADDR8_REG: addr_ok = reg_ok(addr8[8*`ADDR8_REG_LO_OFF +: 8]) && reg_ok(addr8[8*`ADDR8_REG_HI_OFF +: 8]);
            default: addr_ok = 1'b0;
        endcase
    endfunction
    /* verilator lint_on UNUSEDSIGNAL */

    wire [7:0] opcode = slot_i[8*`SLOT_HDR_OPCODE_OFF +: 8];
    wire extended = opcode == `OP_EVENT_SEMAPHORE;
    wire sync_ok = wait_ok(slot_i[8*`SLOT_HDR_WAIT_MODE_OFF +: 8], slot_i[8*`SLOT_HDR_VALUE_OFF +: 32]) &&
                   upd_ok(slot_i[8*`SLOT_HDR_UPDATE_MODE_OFF +: 8], slot_i[8*`SLOT_HDR_VALUE_OFF +: 32]) &&
                   (!extended ||
                    (wait_ok(slot_i[8*`SLOT_ES_WAIT_MODE_OFF +: 8], slot_i[8*`SLOT_ES_WAIT_VALUE_OFF +: 32]) &&
                     upd_ok(slot_i[8*`SLOT_ES_UPDATE_MODE_OFF +: 8], slot_i[8*`SLOT_ES_UPDATE_VALUE_OFF +: 32])));

    // MOVE: used registers legal, unused sources 0, destinations unique and no source (§4.5)
    reg     move_ok;
    integer i, j;
    wire [7:0] num_mov = slot_i[8*`SLOT_MOVE_NUM_MOV_OFF +: 8];
    wire move_count_ok = num_mov >= 8'd1 && num_mov <= `SLOT_MOVE_MAX &&
                         slot_i[8*`SLOT_MOVE_SOURCE_OFF +: 8] <= `SRC_IMM;
    wire move_imm = slot_i[8*`SLOT_MOVE_SOURCE_OFF +: 8] == `SRC_IMM;
    wire [63:0] src = slot_i[8*`SLOT_MOVE_SRC_OFF +: 64];
    wire [63:0] dst = slot_i[8*`SLOT_MOVE_DST_OFF +: 64];
    always @* begin
        move_ok = move_count_ok && slot_i[8*`SLOT_MOVE_SOURCE_OFF + 8 +: 8] == 8'd0;
        j = 0; // on every path, or it would be a latch
        for (i = 0; i < `SLOT_MOVE_MAX; i = i + 1) begin
            if (i < num_mov) begin
                if (!reg_ok(dst[8*i +: 8]) || (!move_imm && !reg_ok(src[8*i +: 8]))) move_ok = 1'b0;
                for (j = 0; j < `SLOT_MOVE_MAX; j = j + 1)
                    if (j < num_mov && ((j != i && dst[8*i +: 8] == dst[8*j +: 8]) ||
                                        (!move_imm && dst[8*i +: 8] == src[8*j +: 8])))
                        move_ok = 1'b0;
            end
            if ((move_imm || i >= num_mov) && src[8*i +: 8] != 8'd0) move_ok = 1'b0;
        end
    end

    wire [7:0] alu_dtype = slot_i[8*`SLOT_ALU_DTYPE_OFF +: 8];
    wire [7:0] alu_dst_dtype = slot_i[8*`SLOT_ALU_DST_DTYPE_OFF +: 8];
    wire [7:0] alu_op = slot_i[8*`SLOT_ALU_OP_OFF +: 8];
    wire alu_ok = alu_code(alu_op) && (alu_dtype == `DTYPE_INT32 || alu_dtype == `DTYPE_UINT32) &&
                  (alu_dst_dtype == 8'd0 || alu_dst_dtype == alu_dtype ||
                   (!int_code(alu_op) && (alu_dst_dtype == `DTYPE_INT32 || alu_dst_dtype == `DTYPE_UINT32))) &&
                  reg_ok(slot_i[8*`SLOT_ALU_SRC0_LO_OFF +: 8]) && reg_ok(slot_i[8*`SLOT_ALU_DST_LO_OFF +: 8]) &&
                  (slot_i[8*`SLOT_ALU_SRC1_SRC_OFF +: 8] == `SRC_IMM ||
                   (slot_i[8*`SLOT_ALU_SRC1_SRC_OFF +: 8] == `SRC_REG && reg_ok(slot_i[8*`SLOT_ALU_SRC1_LO_OFF +: 8])));

    wire [7:0] cmp_op = slot_i[8*`SLOT_BR_CMP_OP_OFF +: 8];
    wire [7:0] br_dtype = slot_i[8*`SLOT_BR_DTYPE_OFF +: 8];
    wire [7:0] br_mode = slot_i[8*`SLOT_BR_TARGET_MODE_OFF +: 8];
    wire cmp_reg = cmp_op >= `CMP_LT_REG && cmp_op <= `CMP_GT_REG;
    wire cmp_imm = cmp_op >= `CMP_LT_IMM && cmp_op <= `CMP_GT_IMM;
    wire target_ok = br_mode == `BR_REL_IMM ? slot_i[8*`SLOT_BR_DISP_OFF +: 6] == 6'd0 : // multiple of SLOT_BYTES
                     br_mode == `BR_REL_REG ? reg_ok(slot_i[8*`SLOT_BR_TARGET_LO_OFF +: 8]) :
                     br_mode == `BR_REG && reg_ok(slot_i[8*`SLOT_BR_TARGET_LO_OFF +: 8]) &&
                                           reg_ok(slot_i[8*`SLOT_BR_TARGET_HI_OFF +: 8]);
    wire br_ok = target_ok &&
                 (cmp_op == `CMP_ALWAYS ||
                  ((br_dtype == `DTYPE_INT32 || br_dtype == `DTYPE_UINT32 || br_dtype == `DTYPE_FP32) &&
                   reg_ok(slot_i[8*`SLOT_BR_CMP_REG0_OFF +: 8]) &&
                   (!cmp_reg || reg_ok(slot_i[8*`SLOT_BR_CMP_REG1_OFF +: 8]))));

    wire [7:0] mem_dtype = slot_i[8*`SLOT_MEM_DTYPE_OFF +: 8];
    wire mem_ok = (mem_dtype == `DTYPE_INT32 || mem_dtype == `DTYPE_UINT32 || mem_dtype == `DTYPE_FP32) &&
                  slot_i[8*`SLOT_MEM_NUM_ELEM0_OFF +: 8] == 8'd1 && slot_i[8*`SLOT_MEM_NUM_ELEM1_OFF +: 8] == 8'd1 &&
                  addr_ok(slot_i[8*`SLOT_MEM_ADDR_OFF +: 64]) && reg_ok(slot_i[8*`SLOT_MEM_DATA_LO_OFF +: 8]);

    wire [7:0] wr_size = slot_i[8*`SLOT_WRITE_WR_SIZE_OFF +: 8];
    wire write_ok = (wr_size == 8'd1 || wr_size == 8'd2 || wr_size == 8'd4 || wr_size == 8'd8) &&
                    addr_ok(slot_i[8*`SLOT_WRITE_ADDR_OFF +: 64]);

    wire [7:0] range_mode = slot_i[8*`SLOT_RANGE_MODE_OFF +: 8];
    wire range_ok = range_mode == `RANGE_MASK ||
                    (range_mode == `RANGE_RANGE &&
                     slot_i[8*`SLOT_RANGE_FIRST_OFF +: 8] <= slot_i[8*`SLOT_RANGE_LAST_OFF +: 8]);

    wire [7:0] n_read = slot_i[8*`SLOT_POLL_N_READ_OFF +: 8];
    wire poll_ok = n_read >= 8'd1 && n_read <= `POLL_SEM_MAX && reg_ok(slot_i[8*`SLOT_POLL_RESULT_OFF +: 8]) &&
                   slot_i[8*`SLOT_POLL_OP_OFF +: 8] == `ALU_MIN;

    reg fields_ok;
    always @* begin
        bad_o = 1'b0;
        assert_o = 1'b0;
        fields_ok = 1'b1;
        case (opcode)
            `OP_ENGINE_NOP, `OP_EVENT_SEMAPHORE, `OP_HALT, `OP_DRAIN, `OP_INSTRUCTION_FLUSH, `OP_NOP, `OP_NOTIFY:
                fields_ok = 1'b1;
            `OP_WRITE: fields_ok = write_ok;
            `OP_MOVE: begin
                fields_ok = move_ok;
                assert_o = move_count_ok && (slot_i[8*`SLOT_MOVE_DTYPE_OFF +: 8] < `DTYPE_INT32 ||
                                             slot_i[8*`SLOT_MOVE_DTYPE_OFF +: 8] > `DTYPE_FP32);
            end
            `OP_ALU_OP: fields_ok = alu_ok;
            `OP_COMPARE_BRANCH: begin
                fields_ok = br_ok;
                assert_o = !(cmp_op == `CMP_ALWAYS || cmp_imm || cmp_reg) || br_mode > `BR_MAX;
            end
            `OP_TENSOR_LOAD, `OP_TENSOR_STORE: fields_ok = mem_ok;
            `OP_EVENT_SEMAPHORE_RANGE_CLEAR: fields_ok = range_ok;
            `OP_SET_ORDERING_MODE: fields_ok = slot_i[8*`SLOT_ORDER_MODE_OFF +: 8] <= `ORDER_STRONG;
            `OP_POLL_SEM: fields_ok = poll_ok;
            `OP_BRANCH_PREFETCH_HINT: begin
                fields_ok = slot_i[8*`SLOT_HINT_MODE_OFF +: 8] == `BR_REL_IMM;
                assert_o = slot_i[8*`SLOT_HINT_DECISION_OFF +: 8] > 8'd1;
            end
            default: bad_o = 1'b1;
        endcase
        if (!sync_ok) assert_o = 1'b0;
    end

    assign illegal_o = !bad_o && !assert_o && (!sync_ok || !fields_ok);

endmodule

`default_nettype wire
