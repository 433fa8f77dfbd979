/* Operand tables of the control and DMA instructions of the 64-byte NEURON set (tpb-sequencer.md §4). */
#include "isa/table.h"

static const struct operand_word source_words[] = { { "reg", SRC_REG }, { "imm", SRC_IMM }, { NULL, 0 } };
static const struct operand_word compare_words[] = {
    { "always", CMP_ALWAYS }, { "lt_imm", CMP_LT_IMM },
    { "le_imm", CMP_LE_IMM }, { "eq_imm", CMP_EQ_IMM },
    { "ne_imm", CMP_NE_IMM }, { "ge_imm", CMP_GE_IMM },
    { "gt_imm", CMP_GT_IMM }, { "lt_reg", CMP_LT_REG },
    { "le_reg", CMP_LE_REG }, { "eq_reg", CMP_EQ_REG },
    { "ne_reg", CMP_NE_REG }, { "ge_reg", CMP_GE_REG },
    { "gt_reg", CMP_GT_REG }, { NULL, 0 },
};
static const struct operand_word target_words[] = {
    { "reg", BR_REG }, { "rel_imm", BR_REL_IMM }, { "rel_reg", BR_REL_REG }, { NULL, 0 }
};
static const struct operand_word range_words[] = { { "range", RANGE_RANGE },
                                                   { "mask", RANGE_MASK },
                                                   { NULL, 0 } };
static const struct operand_word order_words[] = { { "relaxed", ORDER_RELAXED },
                                                   { "strong", ORDER_STRONG },
                                                   { NULL, 0 } };
static const struct operand_word decision_words[] = { { "taken", 0 }, { "not_taken", 1 }, { NULL, 0 } };
static const struct operand_word dma_words[] = {
    { "copy", DMACPY_COPY }, { "add", DMACPY_ADD }, { "mult", DMACPY_MULT },
    { "max", DMACPY_MAX },   { "min", DMACPY_MIN }, { NULL, 0 },
};

const struct operand_layout layout_events_only = { .name = "CTRL_NO" };

static const struct operand halt[] = { { OPD(SLOT_HALT, NOTIFY, OPD_IGNORED, "notify") } };
static const struct operand es[] = {
    { .off = SLOT_ES_WAIT_MODE_OFF,
      .width = SLOT_ES_UPDATE_VALUE_OFF + SLOT_ES_UPDATE_VALUE_BYTES - SLOT_ES_WAIT_MODE_OFF,
      .count = 1,
      .kind = OPD_LANE },
    { OPD(SLOT_ES, SIGNATURE, OPD_HEX, "signature") },
};
/* Text without a count is the full drain. */
static const struct operand drain[] = { { OPD(SLOT_DRAIN, COUNT, OPD_UINT, "count"), .normal = 1 } };
static const struct operand write_[] = {
    { OPD(SLOT_WRITE, ADDR, OPD_ADDR8, NULL), .always = true },
    { OPD(SLOT_WRITE, VALUE, OPD_HEX, "value"), .always = true },
    { OPD(SLOT_WRITE, WR_SIZE, OPD_UINT, "size"), .normal = 4 },
};
static const struct operand notify[] = {
    { OPD_FIELD(SLOT_NOTIFY, FLAGS, NOTIFY, OPD_UINT, "notify") },
    { OPD_FIELD(SLOT_NOTIFY, FLAGS, INTR, OPD_UINT, "interrupt") },
    { OPD(SLOT_NOTIFY, HINT_EXT, OPD_HEX, "ext") },
};
static const struct operand move[] = {
    { OPD(SLOT_MOVE, NUM_MOV, OPD_UINT, "num_mov"), .always = true },
    { OPD(SLOT_MOVE, SOURCE, OPD_WORD, "source"), .words = source_words, .always = true },
    { OPD_N(SLOT_MOVE, DST, OPD_REG, "dst", SLOT_MOVE_MAX) },
    { OPD_N(SLOT_MOVE, SRC, OPD_REG, "src", SLOT_MOVE_MAX) },
    { OPD_N(SLOT_MOVE, IMM, OPD_HEX, "imm", SLOT_MOVE_MAX) },
    { OPD(SLOT_MOVE, DTYPE, OPD_DTYPE, "dtype"), .normal = DTYPE_UINT32 },
};
static const struct operand alu[] = {
    { OPD(SLOT_ALU, OP, OPD_ALU, "op"), .always = true },
    { OPD(SLOT_ALU, DST_LO, OPD_REG, "dst"), .always = true },
    { OPD(SLOT_ALU, DST_HI, OPD_REG, "dst_hi") },
    { OPD(SLOT_ALU, SRC0_LO, OPD_REG, "src0"), .always = true },
    { OPD(SLOT_ALU, SRC0_HI, OPD_REG, "src0_hi") },
    { OPD(SLOT_ALU, SRC1_SRC, OPD_WORD, "src1_source"), .words = source_words },
    { OPD(SLOT_ALU, SRC1_LO, OPD_REG, "src1") },
    { OPD(SLOT_ALU, SRC1_HI, OPD_REG, "src1_hi") },
    { OPD(SLOT_ALU, IMM, OPD_HEX, "imm") },
    { OPD(SLOT_ALU, DTYPE, OPD_DTYPE, "dtype"), .always = true },
    { OPD(SLOT_ALU, DST_DTYPE, OPD_DTYPE, "dst_dtype") },
};
static const struct operand br[] = {
    { OPD(SLOT_BR, CMP_OP, OPD_WORD, "cmp_op"), .words = compare_words },
    { OPD(SLOT_BR, CMP_REG0, OPD_REG, "reg0") },
    { OPD(SLOT_BR, CMP_REG1, OPD_REG, "reg1") },
    { OPD(SLOT_BR, CMP_IMM, OPD_INT, "imm") },
    { OPD(SLOT_BR, TARGET_MODE, OPD_WORD, "target_mode"), .words = target_words, .always = true },
    { OPD(SLOT_BR, TARGET_LO, OPD_REG, "target") },
    { OPD(SLOT_BR, TARGET_HI, OPD_REG, "target_hi") },
    { OPD(SLOT_BR, DISP, OPD_HEX, "disp") },
    { OPD(SLOT_BR, DTYPE, OPD_DTYPE, "dtype") },
};
static const struct operand mem[] = {
    { OPD(SLOT_MEM, DATA_LO, OPD_REG, "data"), .always = true },
    { OPD(SLOT_MEM, DATA_HI, OPD_REG, "data_hi") },
    { OPD(SLOT_MEM, ADDR, OPD_ADDR8, "addr"), .always = true },
    { OPD(SLOT_MEM, NUM_ELEM0, OPD_UINT, "num0"), .normal = 1 },
    { OPD(SLOT_MEM, NUM_ELEM1, OPD_UINT, "num1"), .normal = 1 },
    { OPD(SLOT_MEM, STEP0, OPD_INT, "step0") },
    { OPD(SLOT_MEM, STEP1, OPD_INT, "step1") },
    { OPD(SLOT_MEM, DTYPE, OPD_DTYPE, "dtype"), .normal = DTYPE_UINT32 },
};
static const struct operand range[] = {
    { OPD(SLOT_RANGE, MODE, OPD_WORD, "mode"), .words = range_words, .always = true },
    { OPD(SLOT_RANGE, FIRST, OPD_UINT, "first") },
    { OPD(SLOT_RANGE, LAST, OPD_UINT, "last") },
    { OPD(SLOT_RANGE, MASK, OPD_BITS, "mask") },
};
static const struct operand order[] = {
    { OPD(SLOT_ORDER, MODE, OPD_WORD, "mode"), .words = order_words, .always = true },
};
static const struct operand poll[] = {
    { OPD(SLOT_POLL, RESULT, OPD_REG, "result"), .always = true },
    { OPD(SLOT_POLL, OP, OPD_ALU, "op"), .always = true },
    { OPD(SLOT_POLL, ADDR, OPD_HEX, "addr"), .always = true },
    { OPD(SLOT_POLL, N_READ, OPD_UINT, "n"), .always = true },
    { OPD(SLOT_POLL, WRITEBACK, OPD_HEX, "writeback") },
};
static const struct operand testes[] = {
    { OPD_N(SLOT_TESTES, IDS, OPD_UINT, "ids", SLOT_TESTES_IDS_BYTES) },
    { OPD_N(SLOT_TESTES, VALUES, OPD_REG, "values", SLOT_TESTES_VALUES_BYTES) },
    { OPD(SLOT_TESTES, THRESHOLD, OPD_UINT, "threshold") },
};
static const struct operand hint[] = {
    { OPD(SLOT_HINT, DECISION, OPD_WORD, "decision"), .words = decision_words, .always = true },
    { OPD(SLOT_HINT, BRANCH_DISP, OPD_DISP, "branch"), .always = true },
    { OPD(SLOT_HINT, TARGET_DISP, OPD_DISP, "target"), .always = true },
    { OPD(SLOT_HINT, MODE, OPD_UINT, "mode"), .normal = BR_REL_IMM },
};
static const struct operand dmacpy[] = {
    OPD_DMA_SIDES,
    { OPD(SLOT_DMACPY, COMPUTE, OPD_WORD, "compute_op"), .words = dma_words },
    { OPD_FIELD(SLOT_DMACPY, CONFIGS, PRIORITY, OPD_UINT, "priority") },
    { OPD(SLOT_DMACPY, SEMAPHORE, OPD_UINT, "semaphore") },
    { OPD(SLOT_DMACPY, SEM_INC, OPD_UINT, "increment") },
};

LAYOUT(ctrl_halt, halt, .name = "CTRL_NO");
LAYOUT(ctrl_es, es, .name = "CTRL_ES");
LAYOUT(ctrl_drain, drain, .name = "CTRL_NO");
LAYOUT(ctrl_notify, notify, .name = "CTRL_NO");
LAYOUT(ctrl_wr, write_, .name = "CTRL_WR");
LAYOUT(ctrl_mv, move, .name = "CTRL_MV");
LAYOUT(ctrl_al, alu, .name = "CTRL_AL");
LAYOUT(ctrl_br, br, .name = "CTRL_BR");
LAYOUT(mem_2d, mem, .name = "MEM_2D");
/* By its name and what it becomes (§5.1) the same fields; no page lists them, so nothing is refused by it. */
LAYOUT(pseudo_mem_2d, mem, .name = "PSEUDO_MEM_2D", .partial = true);
LAYOUT(ctrl_er, range, .name = "CTRL_ER");
LAYOUT(ordering, order, .name = "ORDERING");
LAYOUT(ctrl_poll_sem, poll, .name = "CTRL_POLL_SEM");
LAYOUT(ctrl_test_es, testes, .name = "CTRL_TEST_ES", .partial = true); /* details unknown (§4.9) */
LAYOUT(br_hint, hint, .name = "BR_HINT");
LAYOUT(dma_direct2d, dmacpy, .name = "DMA_DIRECT2D");

const struct operand_layout *layout_control(unsigned op)
{
    switch (op) {
    case OP_ENGINE_NOP:
    case OP_INSTRUCTION_FLUSH:
    case OP_NOP:
        return &layout_events_only;
    case OP_EVENT_SEMAPHORE:
        return &ctrl_es;
    case OP_HALT:
        return &ctrl_halt;
    case OP_DRAIN:
        return &ctrl_drain;
    case OP_WRITE:
        return &ctrl_wr;
    case OP_NOTIFY:
        return &ctrl_notify;
    case OP_MOVE:
        return &ctrl_mv;
    case OP_ALU_OP:
        return &ctrl_al;
    case OP_COMPARE_BRANCH:
        return &ctrl_br;
    case OP_TENSOR_LOAD:
    case OP_TENSOR_STORE:
        return &mem_2d;
    case OP_PSEUDO_TENSOR_LOAD:
    case OP_PSEUDO_TENSOR_STORE:
        return &pseudo_mem_2d;
    case OP_EVENT_SEMAPHORE_RANGE_CLEAR:
        return &ctrl_er;
    case OP_SET_ORDERING_MODE:
        return &ordering;
    case OP_POLL_SEM:
        return &ctrl_poll_sem;
    case OP_TEST_EVENT_SEM:
        return &ctrl_test_es;
    case OP_BRANCH_PREFETCH_HINT:
        return &br_hint;
    case OP_DMAMEMCPY:
        return &dma_direct2d;
    default:
        return NULL;
    }
}
