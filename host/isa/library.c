/*
 * The slot that loads or unloads a Q7 library (q7-prelink.md §14). Its marker reads as opcode 0x95,
 * MODIFY_POOL_CONFIG, whose operands no page gives: a slot is a library slot when the events block is empty,
 * the direction is 1 or 2 and the lane mask 0xff (tpb-sequencer.md §1, library-index marker).
 */
#include <string.h>

#include "isa/isa.h"
#include "isa/table.h"
#include "util/bytes.h"

static const struct operand load_list[] = {
    { OPD(SLOT_LIBRARY, DIRECTION, OPD_FIXED, NULL), .normal = LIBRARY_LOAD },
    { OPD(SLOT_LIBRARY, LANES, OPD_FIXED, NULL), .normal = LIBRARY_LANES },
    { OPD(SLOT_LIBRARY, SELECTOR, OPD_UINT, "selector"), .always = true },
    { OPD(SLOT_LIBRARY, ADDR, OPD_HEX, "addr"), .always = true },
    { OPD(SLOT_LIBRARY, SIZE, OPD_UINT, "size"), .always = true },
};
static const struct operand unload_list[] = {
    /* address and size are 0, but the device does not look */
    { OPD(SLOT_LIBRARY, DIRECTION, OPD_FIXED, NULL), .normal = LIBRARY_UNLOAD },
    { OPD(SLOT_LIBRARY, LANES, OPD_FIXED, NULL), .normal = LIBRARY_LANES },
    { OPD(SLOT_LIBRARY, SELECTOR, OPD_UINT, "selector"), .always = true },
    { OPD(SLOT_LIBRARY, ADDR, OPD_HEX, "addr") },
    { OPD(SLOT_LIBRARY, SIZE, OPD_UINT, "size") },
};

/* The bytes outside the list are ignored by the device, not refused. */
LAYOUT(load, load_list, .name = "Q7_LIBRARY", .mnemonic = "Q7_LIBRARY_LOAD", .partial = true);
LAYOUT(unload, unload_list, .name = "Q7_LIBRARY", .mnemonic = "Q7_LIBRARY_UNLOAD", .partial = true);

const struct operand_layout *layout_library_direction(unsigned direction)
{
    return direction == LIBRARY_LOAD ? &load : &unload;
}

static bool all_zero(const uint8_t *bytes, size_t n)
{
    while (n && bytes[n - 1] == 0)
        n--;
    return n == 0;
}

bool isa_is_library_slot(const uint8_t slot[SLOT_BYTES])
{
    unsigned direction = slot[SLOT_LIBRARY_DIRECTION_OFF];
    return slot[SLOT_HDR_OPCODE_OFF] == OP_MODIFY_POOL_CONFIG && slot[SLOT_HDR_WORD_LEN_OFF] == SLOT_WORDS &&
           all_zero(slot + SLOT_LIBRARY_ZERO_OFF, SLOT_LIBRARY_ZERO_BYTES) &&
           (direction == LIBRARY_LOAD || direction == LIBRARY_UNLOAD) &&
           slot[SLOT_LIBRARY_LANES_OFF] == LIBRARY_LANES;
}

const struct operand_layout *layout_library(const uint8_t *slot)
{
    return isa_is_library_slot(slot) ? layout_library_direction(slot[SLOT_LIBRARY_DIRECTION_OFF]) : NULL;
}

bool isa_library_slot_decode(const uint8_t slot[SLOT_BYTES], struct isa_library_slot *out)
{
    if (!isa_is_library_slot(slot))
        return false;
    out->direction = slot[SLOT_LIBRARY_DIRECTION_OFF];
    out->device_addr = get_le64(slot + SLOT_LIBRARY_ADDR_OFF);
    out->selector = get_le32(slot + SLOT_LIBRARY_SELECTOR_OFF);
    out->size = get_le32(slot + SLOT_LIBRARY_SIZE_OFF);
    return true;
}

void isa_library_slot_encode(const struct isa_library_slot *in, uint8_t slot[SLOT_BYTES])
{
    memset(slot, 0, SLOT_BYTES);
    slot[SLOT_HDR_OPCODE_OFF] = OP_MODIFY_POOL_CONFIG;
    slot[SLOT_HDR_WORD_LEN_OFF] = SLOT_WORDS;
    slot[SLOT_LIBRARY_DIRECTION_OFF] = in->direction;
    slot[SLOT_LIBRARY_LANES_OFF] = LIBRARY_LANES;
    put_le64(slot + SLOT_LIBRARY_ADDR_OFF, in->device_addr);
    put_le32(slot + SLOT_LIBRARY_SELECTOR_OFF, in->selector);
    put_le32(slot + SLOT_LIBRARY_SIZE_OFF, in->size);
}
