/*
 * An SP program of 8-byte slots (tpb-sequencer.md §6). The host only refuses its size; what a slot does wrong
 * is a fault of the device, so it is a warning here.
 */
#include <stdio.h>

#include "load/verify_private.h"
#include "regs.h"
#include "util/bytes.h"

/* What byte 1 of an instruction names, and how many of it there are. */
static const struct {
    uint8_t opcode;
    uint16_t count;
    const char *what;
} named[] = {
    { SP8OP_WRITE8_IND, SP8_AR_COUNT, "address register" },
    { SP8OP_WRITE32_IND, SP8_AR_COUNT, "address register" },
    { SP8OP_SET_AR, SP8_AR_COUNT, "address register" },
    { SP8OP_BRANCH_C_CNTR_Z, SP8_CNTR_COUNT, "counter" },
    { SP8OP_BRANCH_C_CNTR_NZ, SP8_CNTR_COUNT, "counter" },
    { SP8OP_SET_CNTR, SP8_CNTR_COUNT, "counter" },
    { SP8OP_DECR_CNTR, SP8_CNTR_COUNT, "counter" },
    { SP8OP_WAIT_EVENT_SET, SP8_EVENTS, "event" },
    { SP8OP_BRANCH_C_EVENT_SET, SP8_EVENTS, "event" },
    { SP8OP_CLR_EVENT, SP8_EVENTS, "event" },
};

static bool is_branch(unsigned op)
{
    return op == SP8OP_BRANCH_U || op == SP8OP_BRANCH_C_EVENT_SET || op == SP8OP_BRANCH_C_CNTR_Z ||
           op == SP8OP_BRANCH_C_CNTR_NZ;
}

/* A warning about slot i (from 0) unless found < count. */
static int below(struct verify *v, const struct prog_engine *e, size_t i, unsigned off, const char *what,
                 size_t found, size_t count)
{
    char place[64];
    if (found < count)
        return 0;
    snprintf(place, sizeof place, "slot %zu byte 0x%02x", i + 1, off);
    return verify_member(v, FINDING_WARNING, e->bin_name, place,
                         "%s %zu, allowed is 0..%zu: a bad opcode fault", what, found, count - 1);
}

static int judge(struct verify *v, const struct prog_engine *e, size_t i)
{
    const uint8_t *slot = e->code + i * SP8_SLOT_BYTES;
    int rc = 0;
    if (!isa_opcode_sp8(slot[0])) {
        char place[64];
        snprintf(place, sizeof place, "slot %zu byte 0x00", i + 1);
        return verify_member(v, FINDING_WARNING, e->bin_name, place,
                             "opcode 0x%02x is none of the 8-byte instructions: a bad opcode fault", slot[0]);
    }
    if (is_branch(slot[0]))
        rc = below(v, e, i, SP8_W1_OFF, "branch target", get_le32(slot + SP8_W1_OFF),
                   e->code_size / SP8_SLOT_BYTES);
    for (size_t k = 0; rc == 0 && k < sizeof named / sizeof named[0]; k++)
        if (named[k].opcode == slot[0])
            rc = below(v, e, i, SP8_B1_OFF, named[k].what, slot[SP8_B1_OFF], named[k].count);
    return rc;
}

int verify_sp8(struct verify *v, const struct prog_engine *e)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < e->code_size / SP8_SLOT_BYTES && !verify_stop(v); i++)
        rc = judge(v, e, i);
    return rc;
}
