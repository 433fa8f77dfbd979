/* Operand tables of the pseudo instructions (tpb-sequencer.md §5). */
#include "isa/table.h"

static const struct operand_word ctype_words[] = { { "ALL_REDUCE", CCTYPE_ALL_REDUCE }, { NULL, 0 } };
static const struct operand_word kind_words[] = {
    { "direct2d", DMAKIND_DIRECT2D },
    { "indirect1d", DMAKIND_INDIRECT1D },
    { "transpose", DMAKIND_TRANSPOSE },
    { "gather_transpose", DMAKIND_GATHER_TRANSPOSE },
    { NULL, 0 },
};
static const struct operand_word subop_words[] = { { "exit", PSEUDO_EXIT_EXECUTION },
                                                   { "library_reload", PSEUDO_LIBRARY_RELOAD_INDEX },
                                                   { NULL, 0 } };

static const struct operand dmatrig[] = {
    { OPD(SLOT_DMATRIG, QUEUE, OPD_TEXT, NULL), .always = true },
    { OPD(SLOT_DMATRIG, USE_RAW, OPD_UINT, "use_raw_count") },
    { OPD(SLOT_DMATRIG, BLOCK, OPD_UINT, "block_id"), .always = true },
};
static const struct operand semset[] = {
    { OPD(SLOT_SEMSET, INDEX, OPD_UINT, "semaphore"), .always = true },
    { OPD(SLOT_SEMSET, VALUE, OPD_UINT, "value"), .always = true },
};
static const struct operand cc[] = {
    /* in the order of the fixture's listing */
    { OPD(SLOT_CC, CTYPE, OPD_WORD, "ctype"), .words = ctype_words, .always = true },
    { OPD(SLOT_CC, INPUT, OPD_UINT, "input_tensor_id"), .always = true },
    { OPD(SLOT_CC, OUTPUT, OPD_UINT, "output_tensor_id"), .always = true },
    { OPD(SLOT_CC, NUM_ELEM, OPD_UINT, "num_elements"), .always = true },
    { OPD(SLOT_CC, DTYPE, OPD_DTYPE, "dtype"), .always = true },
    { OPD(SLOT_CC, OP, OPD_ALU, "op"), .always = true },
    { OPD(SLOT_CC, GROUP, OPD_UINT, "group_id"), .always = true },
    { OPD(SLOT_CC, SRC_OFFSET, OPD_UINT, "src_offset") },
    { OPD(SLOT_CC, DST_OFFSET, OPD_UINT, "dst_offset") },
};
static const struct operand label[] = { { OPD(SLOT_LABEL, ID, OPD_UINT, "id"), .always = true } };
static const struct operand func[] = {
    { OPD(SLOT_FUNC, NAME, OPD_TEXT, NULL), .always = true },
    { OPD(SLOT_FUNC, RET_LO, OPD_REG, "return_lo"), .always = true },
    { OPD(SLOT_FUNC, RET_HI, OPD_REG, "return_hi"), .always = true },
    { OPD(SLOT_FUNC, RESET_SEMS, OPD_UINT, "reset_semaphores") },
};
static const struct operand call[] = {
    { OPD(SLOT_CALL, NAME, OPD_TEXT, NULL), .always = true },
    { OPD(SLOT_CALL, ARGS, OPD_UINT, "args_table"), .normal = CALL_NO_ARGS },
};
/* B8 with addresses to be resolved; at the place of compute_op stands what it becomes (§5.1). */
static const struct operand direct2d[] = {
    { OPD(SLOT_DMACPY, COMPUTE, OPD_WORD, "kind"), .words = kind_words },
    OPD_DMA_SIDES,
    { OPD_FIELD(SLOT_DMACPY, CONFIGS, PRIORITY, OPD_UINT, "priority") },
    { OPD(SLOT_DMACPY, SEMAPHORE, OPD_UINT, "semaphore") },
    { OPD(SLOT_DMACPY, SEM_INC, OPD_UINT, "increment") },
};
static const struct operand corebar[] = {
    { OPD(SLOT_COREBAR, ID, OPD_UINT, "id"), .always = true },
    { OPD(SLOT_COREBAR, SEMAPHORE, OPD_UINT, "semaphore"), .always = true },
};
static const struct operand inst[] = {
    { OPD(SLOT_PSEUDO, SUBOP, OPD_WORD, NULL), .words = subop_words, .always = true },
};

LAYOUT(pseudo_dmatrig, dmatrig, .name = "PSEUDO_DMATRIGGER");
LAYOUT(pseudo_semset, semset, .name = "PSEUDO_SEMAPHORE_SET");
LAYOUT(pseudo_cc, cc, .name = "PSEUDO_TRIGGER_COLLECTIVE");
LAYOUT(pseudo_label, label, .name = "PSEUDO_BRANCH_LABEL");
LAYOUT(pseudo_func, func, .name = "PSEUDO_FUNCTION_BEGIN");
LAYOUT(pseudo_call, call, .name = "PSEUDO_FUNCTION_CALL");
LAYOUT(pseudo_direct2d, direct2d, .name = "DMA_DIRECT2D");
LAYOUT(pseudo_corebar, corebar, .name = "PSEUDO_CORE_BARRIER");
LAYOUT(pseudo_inst, inst, .name = "PSEUDO_INST");

const struct operand_layout *layout_pseudo(unsigned op)
{
    switch (op) {
    case OP_PSEUDO_DMATRIGGER:
        return &pseudo_dmatrig;
    case OP_PSEUDO_DMABARRIER:
    case OP_PSEUDO_FUNCTION_RETURN:
    case OP_PSEUDO_SYNC_BARRIER:
        return &layout_events_only;
    case OP_PSEUDO_SEMAPHORE_SET:
        return &pseudo_semset;
    case OP_PSEUDO_TRIGGER_COLLECTIVE:
        return &pseudo_cc;
    case OP_PSEUDO_BRANCH_LABEL:
        return &pseudo_label;
    case OP_PSEUDO_TENSOR_STORE:
    case OP_PSEUDO_TENSOR_LOAD:
        return layout_control(op); /* its list is that of MEM_2D */
    case OP_PSEUDO_FUNCTION_BEGIN:
        return &pseudo_func;
    case OP_PSEUDO_FUNCTION_CALL:
        return &pseudo_call;
    case OP_PSEUDO_DMA_DIRECT2D:
        return &pseudo_direct2d;
    case OP_PSEUDO_CORE_BARRIER:
        return &pseudo_corebar;
    case OP_PSEUDO_INST:
        return &pseudo_inst;
    default:
        return NULL;
    }
}
