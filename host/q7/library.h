/*
 * What a ucode library and its manifest must satisfy (q7-prelink.md §15, neff-container.md §15), which of the
 * built-in libraries serves a set of opcodes (q7-firmware.md §11), and what a set of opcodes misses in an
 * image.
 */
#ifndef NEFFSIM_Q7_LIBRARY_H
#define NEFFSIM_Q7_LIBRARY_H

#include "q7/q7.h"

struct q7_function { /* one entry of `functions`; borrowed strings */
    const char *name;
    int opcode;     /* as in the manifest: -128..255 */
    int sub_opcode; /* 0..255, -1 when the manifest has none */
};

struct q7_library {      /* one entry of ucode_lib; borrowed strings and array */
    const char *name;    /* `library` */
    const char *version; /* `ulib_to_ucode_version`; NULL when missing */
    uint64_t cpu_id, total_cpus;
    const struct q7_function *functions;
    size_t nfunctions;
};

/* The major component equals UCODE_MAJOR. NERR_RULE with runtime code 2 for another or a text that is no
 * version. */
int q7_check_version(const char *version, struct nerr *err);

/*
 * Every gate of §15.1 over all libraries of a NEFF, in manifest order: version, cpu_id, total_cpus, unique
 * names, function names, functions per core and in total. NERR_RULE with runtime code 2; place "ucode_lib[1]"
 * or "ucode_lib[1].functions[3]".
 */
int q7_check_libraries(const struct q7_library *libs, size_t count, struct nerr *err);

/* True for the opcode of built-in library functions (0x85, -123 signed); other opcodes are user ext-ISA. */
bool q7_builtin_opcode(int opcode);

/* Q7_POOL coretype of ARCH_*, 0 for another number (q7-firmware.md §1). */
unsigned q7_coretype(unsigned arch);

/* §15.2: number of libraries of a coretype, and whether they are prelinked. Returns 0, or 8 for a coretype
 * that has none in the shipped build. */
int q7_coretype_libraries(unsigned coretype, unsigned *count, bool *prelinked);

/* Which (opcode, spec) pairs a model uses (q7-firmware.md §11): 256 bits each. */
struct q7_opset { /* start from { 0 } */
    uint8_t opcode[32];
    uint8_t spec[32]; /* of opcode 0xF0 */
};

void q7_opset_add(struct q7_opset *s, const uint8_t slot[SLOT_BYTES]);
bool q7_opset_has(const struct q7_opset *s, uint8_t opcode, uint8_t spec);

/*
 * The library index for a coretype: `requested` when not 0, else 3 with cptc_decode (the environment's
 * NRT_UCODE_UNSTABLE_LIBRARY_FLAG_CPTC_DECODE), else 0; SUNDA has only 0. The opcodes do not matter, except
 * that an empty set needs no library (*count 0). Returns 0, or 1 for an unknown core.
 */
int q7_select_library(unsigned coretype, const struct q7_opset *s, unsigned requested, bool cptc_decode,
                      unsigned *index, unsigned *count);

/*
 * Calls miss() for every pair of the set that the POOL cores would look up (isa class POOL) and the image has
 * no row for, ascending. Returns their number.
 */
size_t q7_opset_missing(const struct q7_opset *s, const struct q7_image *img,
                        void (*miss)(void *ctx, uint8_t opcode, uint8_t spec), void *ctx);

#endif
