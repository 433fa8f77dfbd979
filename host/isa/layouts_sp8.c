/* Operand tables of the 8-byte SP set (tpb-sequencer.md §6). */
#include "isa/table.h"

static const struct operand write8_ind[] = {
    { OPD(SP8_WR8_IND, AR, OPD_UINT, "ar"), .always = true },
    { OPD(SP8_WR8_IND, OFFSET, OPD_INT, "offset") },
    { OPD(SP8_WR8_IND, DATA, OPD_HEX, "data"), .always = true },
};
static const struct operand write32_ind[] = {
    { OPD(SP8_WR32_IND, AR, OPD_UINT, "ar"), .always = true },
    { OPD(SP8_WR32_IND, OFFSET, OPD_UINT, "offset") },
    { OPD(SP8_WR32_IND, DATA, OPD_HEX, "data"), .always = true },
};
static const struct operand write8_dir[] = {
    { OPD(SP8_WR8_DIR, ADDR, OPD_HEX, "addr"), .always = true },
    { OPD(SP8_WR8_DIR, DATA, OPD_HEX, "data"), .always = true },
};
static const struct operand halt[] = {
    { OPD_FIELD(SP8_HALT, FLAGS, NOTIFY, OPD_UINT, "notify") },
    { OPD_FIELD(SP8_HALT, FLAGS, HALT, OPD_UINT, "halt") },
    { OPD(SP8_HALT, META, OPD_HEX, "metadata") },
};
static const struct operand cycles[] = { { OPD(SP8_CYCLES, COUNT, OPD_UINT, "cycles"), .always = true } };
static const struct operand wait[] = {
    { OPD(SP8_WAIT, EVENT, OPD_UINT, "event"), .always = true },
    { OPD_FIELD(SP8_WAIT, FLAGS, CLEAR, OPD_UINT, "clear") },
};
static const struct operand wait_m[] = {
    { OPD(SP8_WAIT, EVENT, OPD_UINT, "base"), .always = true },
    { OPD(SP8_WAIT, MASK, OPD_HEX, "mask"), .always = true },
    { OPD_FIELD(SP8_WAIT, FLAGS, CLEAR, OPD_UINT, "clear") },
};
static const struct operand branch[] = { { OPD(SP8_BRANCH, TARGET, OPD_INDEX, "target"), .always = true } };
static const struct operand branch_event[] = {
    { OPD(SP8_BRANCH, COND, OPD_UINT, "event"), .always = true },
    { OPD(SP8_BRANCH, TARGET, OPD_INDEX, "target"), .always = true },
};
static const struct operand branch_cntr[] = {
    { OPD(SP8_BRANCH, COND, OPD_UINT, "counter"), .always = true },
    { OPD(SP8_BRANCH, TARGET, OPD_INDEX, "target"), .always = true },
};
static const struct operand set_cntr[] = {
    { OPD(SP8_CNTR, CNTR, OPD_UINT, "counter"), .always = true },
    { OPD(SP8_CNTR, VALUE, OPD_UINT, "value"), .always = true },
};
static const struct operand decr_cntr[] = { { OPD(SP8_CNTR, CNTR, OPD_UINT, "counter"), .always = true } };
static const struct operand event[] = { { OPD(SP8_EVENT, EVENT, OPD_UINT, "event"), .always = true } };
static const struct operand set_ar[] = {
    { OPD(SP8_SET_AR, AR, OPD_UINT, "ar"), .always = true },
    { OPD(SP8_SET_AR, VALUE, OPD_HEX, "value"), .always = true },
};

LAYOUT(sp8_write8_ind, write8_ind, .name = "WRITE8_IND");
LAYOUT(sp8_write32_ind, write32_ind, .name = "WRITE32_IND");
LAYOUT(sp8_write8_dir, write8_dir, .name = "WRITE8_DIR");
LAYOUT(sp8_halt, halt, .name = "NOTIFY_HALT");
LAYOUT(sp8_cycles, cycles, .name = "WAIT_CYCLES");
LAYOUT(sp8_wait, wait, .name = "WAIT_EVENT");
LAYOUT(sp8_wait_m, wait_m, .name = "WAIT_EVENT_M");
LAYOUT(sp8_branch, branch, .name = "BRANCH");
LAYOUT(sp8_branch_event, branch_event, .name = "BRANCH_EVENT");
LAYOUT(sp8_branch_cntr, branch_cntr, .name = "BRANCH_CNTR");
LAYOUT(sp8_set_cntr, set_cntr, .name = "SET_CNTR");
LAYOUT(sp8_decr_cntr, decr_cntr, .name = "DECR_CNTR");
LAYOUT(sp8_event, event, .name = "EVENT");
LAYOUT(sp8_set_ar, set_ar, .name = "SET_AR");

const struct operand_layout *layout_sp8(unsigned op)
{
    switch (op) {
    case SP8OP_WRITE8_IND:
        return &sp8_write8_ind;
    case SP8OP_WRITE32_IND:
        return &sp8_write32_ind;
    case SP8OP_WRITE8_DIR:
        return &sp8_write8_dir;
    case SP8OP_NOTIFY_HALT:
        return &sp8_halt;
    case SP8OP_WAIT_CYCLES:
        return &sp8_cycles;
    case SP8OP_WAIT_EVENT_SET:
        return &sp8_wait;
    case SP8OP_WAIT_EVENT_SET_M:
        return &sp8_wait_m;
    case SP8OP_BRANCH_U:
        return &sp8_branch;
    case SP8OP_BRANCH_C_EVENT_SET:
        return &sp8_branch_event;
    case SP8OP_BRANCH_C_CNTR_Z:
    case SP8OP_BRANCH_C_CNTR_NZ:
        return &sp8_branch_cntr;
    case SP8OP_SET_CNTR:
        return &sp8_set_cntr;
    case SP8OP_DECR_CNTR:
        return &sp8_decr_cntr;
    case SP8OP_CLR_ALL_EVENTS:
        return &layout_events_only; /* no operands */
    case SP8OP_CLR_EVENT:
        return &sp8_event;
    case SP8OP_SET_AR:
        return &sp8_set_ar;
    default:
        return NULL;
    }
}
