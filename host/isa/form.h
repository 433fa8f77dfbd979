/*
 * Short forms of three control instructions that people write by hand (docs/asm.md): "MOVE R1=0x40, R2=0x0",
 * "ALU_OP R3=R2 ADD 64", "COMPARE_BRANCH if R5==0 -> -256". A slot that a short form cannot say is written
 * operand by operand instead.
 */
#ifndef NEFFSIM_ISA_FORM_H
#define NEFFSIM_ISA_FORM_H

#include "isa/operand.h"

struct lexer;
struct label_use;

/* Length of what was written at p, behind a space; NULL when there is no short form for the slot. */
char *form_print(const uint8_t *slot, char *p);

/* True when an operand at this byte is part of the short form of the opcode, so that it is not written again.
 */
bool form_covers(unsigned opcode, unsigned off);

/* True for an opcode with a short form (NEURON dialect). */
bool form_exists(unsigned opcode);

#endif
