/* One statement of assembly text. Private to host/isa. */
#ifndef NEFFSIM_ISA_STATEMENT_H
#define NEFFSIM_ISA_STATEMENT_H

#include "isa/parse.h"

/* Behind the mnemonic (n characters at `name`), up to and with the ';'. Appends the slot. */
bool parse_statement(struct assembler *as, const char *name, size_t n);

/* Refuses an opcode that the generation lacks (NERR_RULE). */
bool parse_check_gen(struct assembler *as, const char *at, const uint8_t *slot);

#endif
