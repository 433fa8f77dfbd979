/*
 * An SP program of 8-byte slots (tpb-sequencer.md §6). The host only refuses its size; what a slot does wrong
 * is a fault of the device, so it is a warning here.
 */
#include <stdio.h>

#include "load/verify_private.h"
#include "regs.h"
#include "util/bytes.h"

/* A warning about slot i (from 0). */
static int fault(struct verify *v, const struct prog_engine *e, size_t i, unsigned off, const char *what,
                 unsigned long long found, unsigned long long max)
{
    char place[64];
    snprintf(place, sizeof place, "slot %zu byte 0x%02x", i + 1, off);
    return verify_member(v, FINDING_WARNING, e->bin_name, place,
                         "%s %llu, allowed is 0..%llu: a bad opcode fault", what, found, max);
}

static int judge(struct verify *v, const struct prog_engine *e, size_t i)
{
    const uint8_t *slot = e->code + i * SP8_SLOT_BYTES;
    size_t n = e->code_size / SP8_SLOT_BYTES;
    const struct isa_opcode *op = isa_opcode_sp8(slot[0]);
    char place[64];
    snprintf(place, sizeof place, "slot %zu byte 0x00", i + 1);
    if (!op)
        return verify_member(v, FINDING_WARNING, e->bin_name, place,
                             "opcode 0x%02x is none of the 8-byte instructions: a bad opcode fault", slot[0]);
    switch (slot[0]) {
    case SP8OP_BRANCH_U:
    case SP8OP_BRANCH_C_EVENT_SET:
    case SP8OP_BRANCH_C_CNTR_Z:
    case SP8OP_BRANCH_C_CNTR_NZ:
        if (get_le32(slot + SP8_W1_OFF) >= n)
            return fault(v, e, i, SP8_W1_OFF, "branch target", get_le32(slot + SP8_W1_OFF), n - 1);
        break;
    default:
        break;
    }
    switch (slot[0]) {
    case SP8OP_WRITE8_IND:
    case SP8OP_WRITE32_IND:
    case SP8OP_SET_AR:
        return slot[SP8_B1_OFF] < SP8_AR_COUNT
                   ? 0
                   : fault(v, e, i, SP8_B1_OFF, "address register", slot[SP8_B1_OFF], SP8_AR_COUNT - 1);
    case SP8OP_BRANCH_C_CNTR_Z:
    case SP8OP_BRANCH_C_CNTR_NZ:
    case SP8OP_SET_CNTR:
    case SP8OP_DECR_CNTR:
        return slot[SP8_B1_OFF] < SP8_CNTR_COUNT
                   ? 0
                   : fault(v, e, i, SP8_B1_OFF, "counter", slot[SP8_B1_OFF], SP8_CNTR_COUNT - 1);
    case SP8OP_WAIT_EVENT_SET:
    case SP8OP_BRANCH_C_EVENT_SET:
    case SP8OP_CLR_EVENT:
        return slot[SP8_B1_OFF] < SP8_EVENTS
                   ? 0
                   : fault(v, e, i, SP8_B1_OFF, "event", slot[SP8_B1_OFF], SP8_EVENTS - 1);
    default:
        return 0;
    }
}

int verify_sp8(struct verify *v, const struct prog_engine *e)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < e->code_size / SP8_SLOT_BYTES && !verify_stop(v); i++)
        rc = judge(v, e, i);
    return rc;
}
