/*
 * Instruction slots as text and back (docs/asm.md): one statement per slot, three dialects.
 *
 * For any whole number of slots asm(disasm(x)) == x, byte for byte; a slot that its layout cannot express
 * (unknown layout, set reserved bytes, operand codes without a word) is written as `.slot` with its hex
 * bytes. disasm(asm(t)) is the canonical form of t.
 */
#ifndef NEFFSIM_ISA_ASM_H
#define NEFFSIM_ISA_ASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/nerr.h"
#include "util/strbuf.h"

enum isa_dialect {
    ISA_NEURON, /* 64-byte slots, V2 and later (tpb-sequencer.md §1-§5) */
    ISA_TONGA,  /* 64-byte slots of V1 (§2.2, §3.2, tpb-compute.md §5.10) */
    ISA_SP8,    /* 8-byte slots of the SP sequencer (§6) */
};

struct isa_text_options {
    enum isa_dialect dialect;
    unsigned gen;  /* 2..5: refuse what that generation lacks; 0: anything that exists in some generation */
    bool comments; /* disasm: byte offset, and slot index behind each statement as a comment */
};

unsigned isa_slot_bytes(enum isa_dialect d); /* 64, 64, 8 */

/* "neuron", "tonga", "sp8"; NULL-terminated, index is enum isa_dialect. */
extern const char *const isa_dialect_names[];

/*
 * §6: 64 or 8 bytes per SP slot, decided once per file: empty or size % 64 == 0 with byte 1 == 0x10 in every
 * slot gives ISA_NEURON, else size % 8 == 0 gives ISA_SP8, else NERR_RULE.
 */
int isa_sp_dialect(const uint8_t *code, size_t size, enum isa_dialect *out, struct nerr *err);

/*
 * Appends the text of all slots to *out. NERR_RULE when size is no multiple of the slot size, or when
 * opt->gen lacks an opcode (place "slot N byte 0xOFF").
 */
int isa_disasm(const uint8_t *code, size_t size, const struct isa_text_options *opt, struct strbuf *out,
               struct nerr *err);

/*
 * Appends the bytes of all statements to *out. text need not end in NUL. Errors: NERR_INPUT for text that is
 * not the language, NERR_RULE for an opcode that opt->gen lacks; place "where line:column", the sentence
 * names the token and what was expected.
 */
int isa_asm(const char *text, size_t len, const char *where, const struct isa_text_options *opt,
            struct strbuf *out, struct nerr *err);

#endif
