/*
 * Q7 kernel libraries: a 32-bit Xtensa ELF -> the relocated UCPL image that the eight POOL cores load
 * (q7-prelink.md), and what a library must satisfy before that (library.h).
 *
 * Pure functions over (pointer, length): nothing here prints, exits or opens a file. Whatever the file says,
 * no byte outside it is read and no relocation touches a byte outside the two window buffers.
 */
#ifndef NEFFSIM_Q7_Q7_H
#define NEFFSIM_Q7_Q7_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "regs.h"
#include "util/nerr.h"

/*
 * Results of q7_prelink: Q7_ST_* of regs/q7.regs are the reference's status codes (§1.1), 0 is success. The
 * negative ones are ours: the reference aborts the process there (§1.2).
 */
enum {
    Q7_USAGE = -1,  /* NULL argument, windows that overlap or leave the 32-bit address space */
    Q7_MEMORY = -2, /* out of memory */
};

struct q7_error {
    int status;      /* Q7_ST_*, Q7_USAGE or Q7_MEMORY */
    int create_code; /* what nrtucode_ll_create returns for it (§1.2): 9, or 7 for the size gate; 0 if ours */
    const char *label; /* §1.1, a constant string */
    char message[128]; /* the reference's words; where it says nothing, the same as detail */
    char detail[256];  /* one sentence: what was found, what is allowed */
    char where[96];    /* "file offset 0x48", "relocation 3", "segment code", "kernel_info_table row 2" */
};

/* Label of a status, "?" for a number that is none. */
const char *q7_status_label(int status);

/* Exit code of the program (§1.1): 0; 2 for status 1 and the negative ones; 1 for every other. */
int q7_exit_code(int status);

/* The same as a struct nerr: NERR_INPUT for status 1, NERR_RULE, NERR_MEM; text "status N (label): message:
 * detail", without a message that only repeats the detail; of ours only the detail. Returns err->code. */
int q7_error_nerr(const struct q7_error *e, struct nerr *err);

struct q7_window { /* core-local addresses (§6) */
    uint32_t base;
    uint32_t size; /* also the size of the host buffer */
};

struct q7_reloc {    /* one entry of the relocation table after it was applied (§9) */
    uint32_t index;  /* in the table */
    uint32_t type;   /* 0, 5, 20..34, 35..49 */
    uint32_t offset; /* r_offset: link VA of the site; 0 for type 0 */
    uint32_t addend; /* r_addend */
    uint32_t staged; /* core-local address of the site; 0 for type 0 */
    uint32_t before; /* type 5: the word; SLOT: the 16-bit immediate; 0 for type 0 */
    uint32_t after;
    bool in_data; /* the site is in the data window */
};

struct q7_options {
    struct q7_window code, data;
    uint64_t image_max;    /* size gate, bytes (§13); 0: none, for speed tests only */
    bool raw_initfini;     /* store DT_INIT and DT_FINI as in the file (§12 note) */
    bool permissive;       /* SLOT relocations on 24-bit words as the reference does them (§10.1) */
    bool allow_misaligned; /* stage a segment whose destination is not the window base (§7) as a whole */
    /* Called in table order for every entry applied, also when a later entry fails. May be NULL. */
    void (*reloc)(void *ctx, const struct q7_reloc *r);
    /* What the reference accepts without a word but a reader should know. May be NULL. */
    void (*warn)(void *ctx, const char *where, const char *text);
    void *ctx;
};

/* Windows of an architecture (ARCH_SUNDA, ARCH_CAYMAN, ARCH_MARIANA: §6), the size gate of §13, no switch
 * set. False for another number; *o is then unchanged. */
bool q7_options_for(unsigned arch, struct q7_options *o);

/* "sunda", "cayman", "mariana", "mariana_plus" (the same as mariana): NULL-terminated; q7_arch_of[] gives
 * ARCH_* for each. */
extern const char *const q7_arch_names[];
extern const unsigned q7_arch_of[];

struct q7_ucpl { /* the 32-byte header (§12) without its magic */
    uint32_t code_len, data_off, data_len;
    uint32_t init, fini, start;
};

void q7_ucpl_encode(const struct q7_ucpl *u, uint8_t out[UCPL_SIZE]);

/*
 * Reads the header of an image of len bytes: magic, extents inside len and the largest code and data of any
 * window set, start_sym not 0. NERR_INPUT when shorter than a header or without the magic, else NERR_RULE.
 */
int q7_ucpl_decode(const void *image, size_t len, struct q7_ucpl *u, struct nerr *err);

struct q7_segment { /* one used program header (§3) */
    uint32_t type, flags, offset, vaddr, filesz, memsz, align;
};

enum { Q7_SEG_CODE, Q7_SEG_DATA, Q7_SEG_SCRATCH, Q7_SEG_DYNAMIC, Q7_SEGMENTS };

struct q7_dyninfo { /* the record kept between the steps (§4), addresses as after get_dyn_info */
    uint32_t dst_code, src_code, dst_data, src_data;
    uint32_t start_sym, text_addr, init, fini;
    uint32_t rela; /* file offset of the relocation table (the reference keeps a host pointer) */
    uint32_t rela_count;
    uint32_t hash, symtab, strtab;
    uint32_t align;
    bool split;
};

struct q7_row {   /* kernel_info_table (q7-firmware.md §6) */
    uint32_t key; /* opcode << 24 | spec << 16 */
    uint8_t opcode, spec;
    uint32_t func_link;   /* funcVA in the file */
    uint32_t func_staged; /* after relocation */
    uint32_t frame;       /* bytes of the ENTRY at the function; 0 when it begins with something else */
};

enum q7_table_source {
    Q7_TABLE_NONE,      /* no table in this file */
    Q7_TABLE_SECTION,   /* section kernel_info_table */
    Q7_TABLE_CONSTANTS, /* without section names: from CONST16 pairs, ending at the READY word of .globstruct
                         */
};

struct q7_image { /* owned by the caller after success: q7_image_free */
    uint8_t header[UCPL_SIZE];
    struct q7_ucpl ucpl;
    uint8_t *code, *data; /* the whole windows, poisoned outside the segments */
    struct q7_window code_window, data_window;
    struct q7_segment segment[Q7_SEGMENTS]; /* type 0 where there is none (scratch) */
    struct q7_dyninfo dyn;
    size_t relocs_none, relocs_relative, relocs_op, relocs_alt;
    enum q7_table_source table_source;
    uint32_t table_link; /* link VA of row 0 */
    struct q7_row *rows;
    size_t nrows;
    uint64_t size; /* of the staged image: data_off + data_len */
};

/*
 * Prelinks an ELF file in memory. Returns 0 and fills *out, or a status (also in err->status) and leaves *out
 * zeroed. elf is only read and not referenced afterwards. err may not be NULL. Heap: the two windows and the
 * rows, nothing per relocation.
 */
int q7_prelink(const void *elf, size_t len, const struct q7_options *opt, struct q7_image *out,
               struct q7_error *err);

/* Header, code, zeroed gap, data: writes out->size bytes, the content of a .ucpl file and of the staging
 * buffer. */
void q7_image_write(const struct q7_image *img, uint8_t *out);

void q7_image_free(struct q7_image *img); /* back to zero */

/* §8: core-local address of a link VA, 32-bit arithmetic. */
uint32_t q7_reloc_addr(const struct q7_dyninfo *d, uint32_t va);

/*
 * For texts: name of the first section that holds a link VA, cut to size, and the distance from its start.
 * False (and an empty name) when the file has no such section or no section names. elf as given to
 * q7_prelink.
 */
bool q7_section_name(const void *elf, size_t len, uint32_t va, char *name, size_t size, uint32_t *offset);

/* The row that a (opcode, spec) pair reaches, first match wins (q7-firmware.md §7); -1 when there is none.
 * spec counts only for opcode 0xF0. */
long q7_find_row(const struct q7_image *img, uint8_t opcode, uint8_t spec);

struct q7_insn { /* one step of the code walker */
    size_t offset;
    unsigned length;    /* 2, 3, 8 or 16 */
    const char *format; /* "x24", "x16a", "x16b", "F0".."F11", "N0".."N2" */
};

/* Length of the instruction whose first bytes are p[0..left): 0 when illegal or cut off (§11). */
unsigned q7_insn_length(const uint8_t *p, size_t left);

/* Reads the instruction at *at and moves *at behind it; false at the end, at an illegal word (*at stays). */
bool q7_insn_next(const uint8_t *code, size_t len, size_t *at, struct q7_insn *out);

#endif
