/* Reject rules of the pseudo instructions (tpb-sequencer.md §5). */
#include "isa/rules.h"

#include <string.h>

/* A NUL-terminated name of printable ASCII inside its field. */
static int check_name(const char *field, unsigned off, const char *name, size_t size, struct nerr *err)
{
    size_t len = strnlen(name, size);
    if (len == 0)
        return rule_refuse(err, off, "%s is empty", field);
    if (len == size)
        return rule_refuse(err, off, "%s is longer than %zu characters", field, size - 1);
    for (size_t i = 0; i < len; i++)
        if (name[i] < ' ' || name[i] > '~')
            return rule_refuse(err, off + (unsigned)i, "%s holds the byte 0x%02x, printable ASCII is allowed",
                               field, (uint8_t)name[i]);
    return NERR_OK;
}

static int check_trigger(const struct inst *in, struct nerr *err)
{
    if (check_name("dma_queue_name", SLOT_DMATRIG_QUEUE_OFF, in->u.dmatrig.queue, sizeof in->u.dmatrig.queue,
                   err))
        return err->code;
    return in->u.dmatrig.use_raw > 1
               ? rule_refuse(err, SLOT_DMATRIG_USE_RAW_OFF, "use_raw_count is %u, allowed are 0 and 1",
                             in->u.dmatrig.use_raw)
               : NERR_OK;
}

static int check_collective(const struct inst *in, struct nerr *err)
{
    if (in->u.cc.ctype != CCTYPE_ALL_REDUCE)
        return rule_refuse(err, SLOT_CC_CTYPE_OFF, "collective type %u is not known, 1 (ALL_REDUCE) is",
                           in->u.cc.ctype);
    if (in->u.cc.op >= 32 || !((CC_REDUCE_OPS >> in->u.cc.op) & 1))
        return rule_refuse(err, SLOT_CC_OP_OFF, "reduce code 0x%02x, allowed are ADD, MULT, MAX and MIN",
                           in->u.cc.op);
    if (!isa_dtype_bytes(in->u.cc.dtype))
        return rule_refuse(err, SLOT_CC_DTYPE_OFF, "dtype 0x%02x is not defined", in->u.cc.dtype);
    if (in->update_mode != UPD_SEM_INC_COMPLETE)
        return rule_refuse(err, SLOT_HDR_UPDATE_MODE_OFF,
                           "update mode 0x%02x of a collective, 0x13 is allowed", in->update_mode);
    return NERR_OK;
}

static int check_function(const struct inst *in, struct nerr *err)
{
    if (check_name("function_name", SLOT_FUNC_NAME_OFF, in->u.func.name, sizeof in->u.func.name, err))
        return err->code;
    if (in->u.func.reset_sems > 1)
        return rule_refuse(err, SLOT_FUNC_RESET_SEMS_OFF,
                           "return_reset_semaphores is %u, allowed are 0 and 1", in->u.func.reset_sems);
    if (in->u.func.ret_lo >= REG_COUNT || in->u.func.ret_hi >= REG_COUNT)
        return rule_refuse(err, in->u.func.ret_lo >= REG_COUNT ? SLOT_FUNC_RET_LO_OFF : SLOT_FUNC_RET_HI_OFF,
                           "return address registers %u, %u, allowed are 0..63", in->u.func.ret_lo,
                           in->u.func.ret_hi);
    if (in->u.func.ret_lo == in->u.func.ret_hi)
        return rule_refuse(err, SLOT_FUNC_RET_HI_OFF, "both halves of the return address go to register %u",
                           in->u.func.ret_lo);
    return NERR_OK;
}

static int check_dma(const uint8_t *slot, struct nerr *err)
{
    if (slot[SLOT_DMACPY_COMPUTE_OFF] > DMAKIND_GATHER_TRANSPOSE)
        return rule_refuse(err, SLOT_DMACPY_COMPUTE_OFF, "kind is %u, allowed are 0..3",
                           slot[SLOT_DMACPY_COMPUTE_OFF]);
    return rule_dma_direct2d(slot, err);
}

static int check_inst(const struct inst *in, struct nerr *err)
{
    unsigned subop = in->u.pseudo.subop;
    return subop != PSEUDO_EXIT_EXECUTION && subop != PSEUDO_LIBRARY_RELOAD_INDEX
               ? rule_refuse(err, SLOT_PSEUDO_SUBOP_OFF,
                             "pseudo_opcode %u, allowed are 1 (exit) and 2 (library reload)", subop)
               : NERR_OK;
}

int rule_pseudo(const struct inst *in, const uint8_t *slot, struct nerr *err)
{
    switch (in->opcode) {
    case OP_PSEUDO_DMATRIGGER:
        return check_trigger(in, err);
    case OP_PSEUDO_TRIGGER_COLLECTIVE:
        return check_collective(in, err);
    case OP_PSEUDO_FUNCTION_BEGIN:
        return check_function(in, err);
    case OP_PSEUDO_FUNCTION_CALL:
        return check_name("function_name", SLOT_CALL_NAME_OFF, in->u.call.name, sizeof in->u.call.name, err);
    case OP_PSEUDO_DMA_DIRECT2D:
        return check_dma(slot, err);
    case OP_PSEUDO_INST:
        return check_inst(in, err);
    case OP_PSEUDO_TRIGGER_ALL_REDUCE:
    case OP_PSEUDO_SET_RNG_SEED:
    case OP_PSEUDO_RANGE_CHECK:
    case OP_PSEUDO_JPEG_DECODE:
    case OP_PSEUDO_TENSOR_COMPLETION: /* §5.1 */
        return rule_refuse(err, SLOT_HDR_OPCODE_OFF, "not supported: what it expands to is not known");
    default:
        return NERR_OK;
    }
}
