/*
 * The field table of the slots that the loader reads and builds: where a field lies in the 64 bytes and where
 * in struct inst. What the other bytes of any slot are is in the operand tables (operand.h).
 */
#ifndef NEFFSIM_ISA_LAYOUT_H
#define NEFFSIM_ISA_LAYOUT_H

#include "isa/isa.h"

struct isa_field {
    uint8_t off, width, count; /* bytes from the slot start, bytes of one element, elements */
    uint16_t member;           /* offset in struct inst; elements are stored with the same width */
};

struct isa_layout {
    uint8_t opcode;
    const struct isa_field *fields;
    size_t nfields;
};

/* NULL when struct inst has no member for the operands of this opcode. */
const struct isa_layout *isa_find_layout(unsigned opcode);

#endif
