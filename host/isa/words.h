/* Words of the assembly language for codes that many layouts share, and how near misses are found. */
#ifndef NEFFSIM_ISA_WORDS_H
#define NEFFSIM_ISA_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "isa/operand.h"

/* NULL for a code without a word (tpb-compute.md §3, §4). */
const char *dtype_word(unsigned code);
const char *alu_word(unsigned code);

/* The code of a word of n characters, case not minded, or -1. */
int dtype_code(const char *s, size_t n);
int alu_code(const char *s, size_t n);

/* Ended by a NULL word: enum DBG; and the bits of an ADDR8 marker that are written behind the address. */
extern const struct operand_word debug_cmd_words[];
extern const struct operand_word addr8_flag_words[];

/* Insertions, deletions and changes from a to b, both cut to 64 characters; case not minded. */
unsigned word_distance(const char *a, size_t na, const char *b);

#endif
