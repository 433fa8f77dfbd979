/*
 * One slot as one statement of docs/asm.md, the inverse of the assembler. Private to host/isa.
 *
 * What is written is canonical: a function of the bytes alone, and every byte can be rebuilt from it. A slot
 * for which that is not so becomes `.slot` with all its bytes.
 */
#ifndef NEFFSIM_ISA_PRINT_H
#define NEFFSIM_ISA_PRINT_H

#include "isa/operand.h"
#include "regs.h"

enum {
    STATEMENT_MAX = 4096, /* characters of any statement; the longest is below 1000 */
};

/* Per layout: the bits that its text cannot say, and what they must be. Kept for the opcode it was made for.
 */
struct print_plan {
    bool ready;
    const struct operand_layout *layout;
    uint64_t unsaid[SLOT_BYTES / 8], must_be[SLOT_BYTES / 8];
};

struct printer { /* start from { .dialect, .gen } and zeros */
    enum isa_dialect dialect;
    unsigned gen; /* 2..5, 0 as V3 */
    struct print_plan plans[256];
};

/* Writes the statement with its ';' and without a newline at p, which has room for STATEMENT_MAX characters.
 * Returns the end. */
char *print_slot(struct printer *pr, const uint8_t *slot, char *p);

/* Wait and update of a slot of 64 bytes, in front of each a space; nothing when there are none. */
char *print_events(enum isa_dialect d, const uint8_t *slot, char *p);

/* The 12 bytes of an OPD_LANE behind " then"; nothing when all are 0. */
char *print_lane(const uint8_t *lane, char *p);

/* The value of an operand of any kind but OPD_LANE and OPD_FIXED, without its key. */
char *print_value(enum isa_dialect d, const struct operand *o, const uint8_t *slot, char *p);

static inline char *print_text(char *p, const char *text)
{
    while (*text)
        *p++ = *text++;
    return p;
}
char *print_reg(char *p, uint64_t number); /* R0..R63, PC.lo, PC.hi; a plain number for any other */
bool print_is_reg(uint64_t number);

/* The number in element i of an operand of numbers. */
uint64_t operand_get(const struct operand *o, const uint8_t *slot, unsigned i);
void operand_set(const struct operand *o, uint8_t *slot, unsigned i, uint64_t value);

/* True for kinds whose elements are numbers of `width` bytes. */
bool operand_is_number(const struct operand *o);

#endif
