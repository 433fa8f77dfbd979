/*
 * Which opcodes a model uses, which of the built-in libraries serves them, and what a library misses of them
 * (q7-prelink.md §15.2, q7-firmware.md §6, §11). The gates of a manifest are in neff/parse_ucode.c.
 */
#ifndef NEFFSIM_Q7_OPSET_H
#define NEFFSIM_Q7_OPSET_H

#include "q7/q7.h"

/* Q7_POOL coretype of ARCH_*, 0 for another number (q7-firmware.md §1). */
unsigned q7_coretype(unsigned arch);

/* §15.2: number of libraries of a coretype, and whether they are prelinked. Returns 0, or 8 for a coretype
 * that has none in the shipped build. */
int q7_coretype_libraries(unsigned coretype, unsigned *count, bool *prelinked);

/* (opcode, spec) pairs: 256 bits each. */
struct q7_opset { /* start from { 0 } */
    uint8_t opcode[32];
    uint8_t spec[32]; /* of opcode 0xF0 */
};

void q7_opset_add(struct q7_opset *s, const uint8_t slot[SLOT_BYTES]);
bool q7_opset_has(const struct q7_opset *s, uint8_t opcode, uint8_t spec);
/* The opcode leaves the set; of 0xF0 one spec, and the opcode with the last of them. */
void q7_opset_remove(struct q7_opset *s, uint8_t opcode, uint8_t spec);

/*
 * The library index for a coretype: `requested` when not 0, else 3 with cptc_decode (the environment's
 * NRT_UCODE_UNSTABLE_LIBRARY_FLAG_CPTC_DECODE), else 0; SUNDA has only 0. The opcodes do not matter, except
 * that an empty set needs no library (*count 0). Returns 0, or 1 for an unknown core.
 */
int q7_select_library(unsigned coretype, const struct q7_opset *s, unsigned requested, bool cptc_decode,
                      unsigned *index, unsigned *count);

/*
 * Removes the pairs that the POOL cores would not look up or that have a row in the table of the image. What
 * stays misses at run time when no other library is loaded.
 */
void q7_opset_served(struct q7_opset *s, const struct q7_image *img);
/* The same for the built-in library of that index of CAYMAN; an index without a library serves nothing. */
void q7_opset_served_builtin(struct q7_opset *s, unsigned index);

#endif
