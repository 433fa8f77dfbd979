// Datapath of one sequencer: register file, operand selection, ALU, compare and addresses. seq_exec.v says with at
// most one `sel_*` input which operands it needs in this clock; with none of them the operands are those with which
// the instruction starts (ALU_OP and COMPARE_BRANCH sources, the address pair of WRITE and TENSOR_*). Everything is
// combinational but the register file and the divider. Sources: tpb-sequencer.md §4.4-§4.9.
`default_nettype none
`include "regs.vh"

module seq_data (
    input  wire         clk_i,
    input  wire         rst_ni,
    input  wire         clear_i,
    output wire         clear_busy_o,
    input  wire [511:0] slot_i,
    input  wire [ 63:0] pc_i,
    input  wire         sel_target_i, // COMPARE_BRANCH target registers
    input  wire         sel_store_i,  // TENSOR_STORE data
    input  wire         sel_move_i,   // entry idx_i of a MOVE
    input  wire         sel_value_i,  // semaphore_value of lane 0
    input  wire         sel_wait1_i,  // sem_wait_value of lane 1
    input  wire         sel_upd1_i,   // sem_update_value of lane 1
    input  wire         sel_fold_i,   // POLL_SEM: smaller of acc_i and ext_i
    input  wire [  2:0] idx_i,
    input  wire [ 31:0] acc_i,
    input  wire [ 31:0] ext_i,        // word from the bus, or the folded result
    input  wire         we_i,         // write the destination register of the slot
    input  wire         we_ext_i,     // ... with ext_i
    output wire [ 31:0] a_o,
    output wire [ 31:0] b_o,
    output wire [ 31:0] value_o,      // selected lane value (not resolved)
    output wire [ 63:0] addr_o,
    output wire         taken_o,
    output wire [ 31:0] result_o,
    output wire         divides_o,
    output wire         zero_o,
    input  wire         div_start_i,
    output wire         div_done_o
);

    wire [7:0] opcode = slot_i[8*`SLOT_HDR_OPCODE_OFF +: 8];
    wire alu_op = opcode == `OP_ALU_OP;
    wire branch = opcode == `OP_COMPARE_BRANCH;
    wire poll = opcode == `OP_POLL_SEM;

    // Register numbers
    reg [7:0] ra, rb, wa;
    assign value_o = sel_wait1_i ? slot_i[8*`SLOT_ES_WAIT_VALUE_OFF +: 32] :
                     sel_upd1_i ? slot_i[8*`SLOT_ES_UPDATE_VALUE_OFF +: 32] : slot_i[8*`SLOT_HDR_VALUE_OFF +: 32];
    always @* begin
        ra = alu_op ? slot_i[8*`SLOT_ALU_SRC0_LO_OFF +: 8] :
             branch ? slot_i[8*`SLOT_BR_CMP_REG0_OFF +: 8] : slot_i[8*(`SLOT_MEM_ADDR_OFF + `ADDR8_REG_LO_OFF) +: 8];
        rb = alu_op ? slot_i[8*`SLOT_ALU_SRC1_LO_OFF +: 8] :
             branch ? slot_i[8*`SLOT_BR_CMP_REG1_OFF +: 8] : slot_i[8*(`SLOT_MEM_ADDR_OFF + `ADDR8_REG_HI_OFF) +: 8];
        if (sel_target_i) begin
            ra = slot_i[8*`SLOT_BR_TARGET_LO_OFF +: 8];
            rb = slot_i[8*`SLOT_BR_TARGET_HI_OFF +: 8];
        end
        if (sel_store_i) ra = slot_i[8*`SLOT_MEM_DATA_LO_OFF +: 8];
        if (sel_move_i) ra = slot_i[8*`SLOT_MOVE_SRC_OFF + 8*idx_i +: 8];
        if (sel_value_i || sel_wait1_i || sel_upd1_i) ra = value_o[7:0];

        wa = alu_op ? slot_i[8*`SLOT_ALU_DST_LO_OFF +: 8] :
             poll ? slot_i[8*`SLOT_POLL_RESULT_OFF +: 8] :
             sel_move_i ? slot_i[8*`SLOT_MOVE_DST_OFF + 8*idx_i +: 8] : slot_i[8*`SLOT_MEM_DATA_LO_OFF +: 8];
    end

    // Result
    wire move_imm = slot_i[8*`SLOT_MOVE_SOURCE_OFF +: 8] == `SRC_IMM;
    wire [31:0] moved = move_imm ? slot_i[8*`SLOT_MOVE_IMM_OFF + 32*idx_i +: 32] : a_o;
    wire [31:0] wd = we_ext_i ? ext_i : sel_move_i ? moved : result_o;

    seq_rf u_rf (
        .clk_i(clk_i),
        .rst_ni(rst_ni),
        .clear_i(clear_i),
        .busy_o(clear_busy_o),
        .pc_i(pc_i),
        .ra_i(ra),
        .rb_i(rb),
        .a_o(a_o),
        .b_o(b_o),
        .we_i(we_i),
        .wa_i(wa),
        .wd_i(wd)
    );

    // POLL_SEM folds unsigned
    wire alu_imm = slot_i[8*`SLOT_ALU_SRC1_SRC_OFF +: 8] == `SRC_IMM;
    wire [7:0] alu_code = sel_fold_i ? `ALU_MIN : slot_i[8*`SLOT_ALU_OP_OFF +: 8];
    seq_alu u_alu (
        .clk_i(clk_i),
        .rst_ni(rst_ni),
        .op_i(alu_code),
        .signed_i(!sel_fold_i && slot_i[8*`SLOT_ALU_DTYPE_OFF +: 8] == `DTYPE_INT32),
        .a_i(sel_fold_i ? acc_i : a_o),
        .b_i(sel_fold_i ? ext_i : alu_imm ? slot_i[8*`SLOT_ALU_IMM_OFF +: 32] : b_o),
        .result_o(result_o),
        .divides_o(divides_o),
        .zero_o(zero_o),
        .start_i(div_start_i),
        .done_o(div_done_o)
    );

    wire [7:0] cmp_op = slot_i[8*`SLOT_BR_CMP_OP_OFF +: 8];
    seq_cmp u_cmp (
        .cmp_op_i(cmp_op),
        .dtype_i(slot_i[8*`SLOT_BR_DTYPE_OFF +: 8]),
        .a_i(a_o),
        .b_i(cmp_op >= `CMP_LT_REG ? b_o : slot_i[8*`SLOT_BR_CMP_IMM_OFF +: 32]),
        .true_o(taken_o)
    );

    // ADDR8 of WRITE and TENSOR_*; POLL_SEM has a plain 64-bit address in the same place (§4.8, §4.9)
    wire [63:0] addr8 = slot_i[8*`SLOT_MEM_ADDR_OFF +: 64];
    wire addr_reg = (addr8[63:56] & `ADDR8_MARKER_MASK) == `ADDR8_REG;
    assign addr_o = poll ? addr8 : addr_reg ? {b_o, a_o} : {8'd0, addr8[55:0]};

endmodule

`default_nettype wire
