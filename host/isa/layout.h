/* The field table of every slot layout: where a field lies in the 64 bytes and where in struct inst. */
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
    uint8_t ignored; /* a byte whose content is allowed and means nothing; 0: none */
};

/* NULL when the operands of this opcode are not known here. */
const struct isa_layout *isa_find_layout(unsigned opcode);

/* Offset of the first reserved byte that is not 0, or -1. -1 when the layout is not known. */
int isa_first_reserved(const uint8_t slot[SLOT_BYTES]);

#endif
