/* What the files of host/q7 share: the checked view of an ELF file and the way errors are filled. */
#ifndef NEFFSIM_Q7_PRIVATE_H
#define NEFFSIM_Q7_PRIVATE_H

#include "q7/q7.h"

/* Fills *err and returns status. message: the reference's words, NULL where it has none (then detail serves).
 */
int q7_fail(struct q7_error *err, int status, const char *where, const char *message, const char *detail, ...)
    __attribute__((format(printf, 5, 6)));

/* The reference's words for a file that is not what it expects (§1.1, statuses 1 and 7). */
#define Q7_SAYS_INVALID "Failed to validate ELF shared object file"
#define Q7_SAYS_TOO_BIG "Segment exceeds the size of the split region on device"

struct q7_file { /* filled by q7_read_headers; borrows the bytes */
    const uint8_t *bytes;
    size_t len;
    uint32_t entry, phoff, shoff;
    uint32_t phnum, shnum, shstrndx;
    struct q7_segment segment[Q7_SEGMENTS];
    bool split;
    uint32_t align; /* §7.1 */
    /* from the dynamic array; file offset and entries of the relocation table */
    uint64_t rela_at;
    uint32_t rela_count;
    uint32_t init, fini, hash, symtab, strtab, text_addr;
    bool has_init, has_fini, has_hash, has_symtab, has_strtab;
};

/* Steps 2 to 5 of §1, in that order. */
int q7_read_headers(struct q7_file *f, const struct q7_options *opt, struct q7_error *err);
int q7_read_dynamic(struct q7_file *f, struct q7_error *err);

/* First section of that name. False when there is none or the names cannot be read. */
bool q7_find_section(const struct q7_file *f, const char *name, uint32_t *addr, uint32_t *size);

/* One relocation entry; index < f->rela_count. */
struct q7_rela {
    uint32_t offset, info, addend;
};
struct q7_rela q7_rela_at(const struct q7_file *f, uint32_t index);

/* The word of the data segment at a link VA as it is in the file, 0 in .bss; va .. va + 3 inside the segment.
 */
uint32_t q7_data_word(const struct q7_file *f, uint32_t va);

bool q7_in_segment(const struct q7_segment *s, uint32_t va, uint32_t n);

/* Step 7. Counts into *img. */
int q7_relocate(const struct q7_file *f, const struct q7_options *opt, struct q7_image *img,
                struct q7_error *err);

/* Finds and checks kernel_info_table in the relocated image; fills img->rows. */
int q7_read_table(const struct q7_file *f, const struct q7_options *opt, struct q7_image *img,
                  struct q7_error *err);

/* Calls opt->warn with a formatted sentence. */
void q7_warn(const struct q7_options *opt, const char *where, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
