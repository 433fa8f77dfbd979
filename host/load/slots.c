/* The slots that the runtime itself puts into an image (tpb-image.md §4, tpb-sequencer.md §5). */
#include "load/build.h"

struct inst slot_notify(unsigned hint)
{
    struct inst in = isa_inst(OP_NOTIFY);
    in.debug_hint = (uint8_t)hint;
    return in;
}

struct inst slot_update(unsigned update, unsigned sem, uint32_t operand)
{
    struct inst in = isa_inst(OP_EVENT_SEMAPHORE);
    in.u.es.update_mode = (uint8_t)update;
    in.u.es.update_idx = (uint8_t)sem;
    in.u.es.update_value = operand;
    return in;
}

struct inst slot_wait_update(uint32_t threshold, unsigned update, unsigned sem, uint32_t operand)
{
    struct inst in = slot_update(update, sem, operand);
    in.u.es.wait_mode = WAIT_SEM_GE_IMM;
    in.u.es.wait_idx = (uint8_t)sem;
    in.u.es.wait_value = threshold;
    return in;
}

struct inst slot_take_one(unsigned sem)
{
    return slot_wait_update(1, UPD_SEM_DEC_COMPLETE, sem, 1);
}

struct inst slot_write32(uint64_t addr, uint32_t value)
{
    struct inst in = isa_inst(OP_WRITE);
    in.u.write.size = sizeof value;
    in.u.write.addr = addr;
    in.u.write.value = value;
    return in;
}

/* A taken relative branch; hint bit 1 marks a branch built with a relative target (tpb-sequencer.md §1). */
struct inst slot_branch_to(int64_t displacement)
{
    struct inst in = isa_inst(OP_COMPARE_BRANCH);
    in.debug_hint = 2;
    in.u.br.cmp_op = CMP_ALWAYS;
    in.u.br.target_mode = BR_REL_IMM;
    in.u.br.disp = (uint32_t)displacement; /* builders zero-extend */
    return in;
}

void slot_set_mask(uint8_t mask[SLOT_RANGE_MASK_BYTES], const bool sems[SEM_COUNT])
{
    for (unsigned k = 0; k < SEM_COUNT; k++)
        if (sems[k])
            mask[k / 8] |= (uint8_t)(1u << (k % 8));
}
