/* What neffsim prelink knows after a run, and its two forms: text for people and one JSON document. */
#ifndef NEFFSIM_CLI_PRELINK_H
#define NEFFSIM_CLI_PRELINK_H

#include "q7/q7.h"
#include "util/strbuf.h"

/* A library of the largest windows has fewer sites; only a hostile file has more. */
#define PRELINK_LIST_MAX 65536

struct prelink_report {
    const char *file, *output; /* output: NULL when none was asked for */
    const char *arch;
    unsigned arch_id;   /* ARCH_* */
    const uint8_t *elf; /* the file's bytes */
    size_t len;
    struct q7_options opt;
    struct q7_error err;
    struct q7_image img;     /* of a success */
    struct q7_reloc *relocs; /* the first PRELINK_LIST_MAX of the table */
    size_t nrelocs, capacity;
    char **warnings; /* "where: text" */
    size_t nwarnings;
    bool failed; /* out of memory while collecting */
};

/* "row 2 IOTA", ".data+0x14", "init", "fini+0x3": a link VA in the words of the library. Returns buf. */
const char *prelink_symbol(const struct prelink_report *r, uint32_t va, char *buf, size_t size);

/* Name of a row's kernel: the instruction's name or "opcode 0x12". */
const char *prelink_kernel(const struct q7_row *row, char *buf, size_t size);

/* "none", "relative", "slot 0 op", "slot 0 alt". Returns buf. */
const char *prelink_type(uint32_t type, char *buf, size_t size);

/* Link VA that a relocation makes its site refer to. */
uint32_t prelink_target(const struct q7_reloc *r);

/* "section", "constants", "none". */
const char *prelink_source(enum q7_table_source s);

void prelink_map(const struct prelink_report *r, struct strbuf *out);
void prelink_json(const struct prelink_report *r, struct strbuf *out);

#endif
