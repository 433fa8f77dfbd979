/*
 * The operand table: what stands where in a slot, under which word the text knows it. One table drives the
 * disassembler, the assembler and the reserved-byte rule for every layout of tpb-sequencer.md §4-§6 and
 * tpb-compute.md §5, in all three dialects. Private to host/isa.
 *
 * The header is no operand: bytes 0..3 and the events block are the same for every 64-byte slot (NEURON
 * payload starts at 12, TONGA payload at 8); of an SP8 slot byte 0 is the header.
 *
 * MOVE, ALU_OP and COMPARE_BRANCH are listed here field by field like all others; the text has a shorter form
 * for them ("R3=R2 ADD 64", form.c), and falls back to the list when the short form cannot say a slot. A
 * positional operand (no key) is written first and in list order; keys come in list order, text may give them
 * in any.
 */
#ifndef NEFFSIM_ISA_OPERAND_H
#define NEFFSIM_ISA_OPERAND_H

#include "isa/asm.h"

enum operand_kind {
    OPD_UINT,    /* decimal, default 0 */
    OPD_INT,     /* signed decimal */
    OPD_HEX,     /* 0x... */
    OPD_F32,     /* IEEE-754 binary32; text must give the same bits back (hex bits for NaN payloads). The same
                    four     bytes may be an address or a small integer: bits below 0x20000000 other than 0 read
                    best     as 0x */
    OPD_REG,     /* R0..R63, PC.lo, PC.hi */
    OPD_WORD,    /* one of `words`, by value */
    OPD_DTYPE,   /* data type word */
    OPD_DTYPE2,  /* low nibble first operand, high nibble second: fp32,bf16 */
    OPD_ALU,     /* ALU operation word */
    OPD_TENSOR,  /* TENSORnD / MEM_PATTERNnD, count = dimensions 1..4 (tpb-compute.md §2) */
    OPD_DATA4D,  /* iota generator */
    OPD_ADDR8,   /* 64-bit address with marker byte (tpb-sequencer.md §4.8) */
    OPD_TEXT,    /* NUL-padded ASCII of `width` bytes */
    OPD_BITS,    /* bit set of width*8 bits, least significant bit of the first byte is bit 0 */
    OPD_LANE,    /* EVENTS_EXTENDED, 12 bytes: a second wait and update with operands of their own (§2.3) */
    OPD_DISP,    /* signed displacement in bytes from this slot; text may name a label instead */
    OPD_INDEX,   /* slot index of an SP8 branch; text may name a label instead */
    OPD_FIXED,   /* never written: the element must be `normal`, the assembler puts it there */
    OPD_IGNORED, /* no operand: may hold anything, printed only when not 0 */
};

struct operand_word {
    const char *word;
    uint32_t value;
};

struct operand {
    const char *key;   /* "num_elements"; NULL: positional, written without a key */
    uint8_t off;       /* byte offset in the slot */
    uint8_t width;     /* bytes of one element: 1, 2, 3, 4, 6 or 8; for the kinds of one piece all bytes */
    uint8_t count;     /* elements; for OPD_TENSOR dimensions */
    uint8_t kind;      /* enum operand_kind */
    uint8_t lsb, bits; /* part of one byte when bits != 0 */
    const struct operand_word *words; /* OPD_WORD: ended by a NULL word */
    uint32_t normal; /* value that is not written: text without this operand means `normal` */
    bool always;     /* written even when `normal`, and text may not leave it out */
};

/* The list is in the order of the text, not of the bytes. */
struct operand_layout {
    const char *name; /* "S3D3_MM" */
    const struct operand *list;
    size_t count;
    const char
        *mnemonic; /* NULL: the opcode's; a slot with a name of its own ("Q7_LIBRARY_LOAD") otherwise */
    bool partial;  /* bytes outside the list are unknown, not reserved: no reject, but no text either */
};

/*
 * Layout of an opcode in a dialect and generation (0: as V3); NULL when unknown. Some opcodes have another
 * layout from V4 or V5 on (MATMUL, LDWEIGHTS); the extended instruction F0 has one per extended opcode, so
 * the slot itself is asked: an assembler asks again when it has stored the first operand, which all of these
 * layouts share.
 */
const struct operand_layout *operand_find(enum isa_dialect d, unsigned gen, const uint8_t *slot);

/*
 * Fills slot (isa_slot_bytes(d) bytes) with the start of the statement `name` (not NUL-terminated, len
 * characters): opcode, length word, fixed bytes, all else 0. Case matters. False when no instruction has that
 * name.
 */
bool operand_begin(enum isa_dialect d, const char *name, size_t len, uint8_t *slot);

/* The name under which operand_begin knows the slot; NULL when its opcode is undefined in the dialect. */
const char *operand_mnemonic(enum isa_dialect d, const uint8_t *slot);

/* Offset of the first byte with a reserved bit set behind the header, or -1 (also when the layout is not
 * known). */
int operand_first_reserved(enum isa_dialect d, unsigned gen, const uint8_t *slot);

/* As operand_first_reserved, but bytes outside a partial layout count too: what its text cannot say. */
int operand_first_unsaid(enum isa_dialect d, unsigned gen, const uint8_t *slot);

#endif
