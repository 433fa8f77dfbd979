/* What the disasm verb lists: programs, each with its bytes and where it came from. */
#ifndef NEFFSIM_CLI_LISTING_H
#define NEFFSIM_CLI_LISTING_H

#include "isa/asm.h"
#include "neff/program.h"

struct listed {                 /* one program; everything is borrowed */
    const char *graph, *engine; /* NULL for a bare file */
    const char *member;
    const uint8_t *code;
    size_t size;
    enum isa_dialect dialect;
};

struct listing_options {
    const char *graph, *engine; /* NULL: all */
    bool has_dialect;           /* else neuron, and for SP programs what the bytes say */
    struct isa_text_options text;
};

/*
 * True when a file looks like a NEFF, whatever its name (neff-container.md §3): head holds its first n bytes
 * (1536 are enough), size is that of the file.
 */
bool listing_is_neff(const uint8_t *head, size_t n, uint64_t size);

/* The programs of a NEFF that the options select; *list is freed by the caller and borrows from n and *p. */
int listing_neff(const struct neff *n, const struct listing_options *opt, struct program ***programs,
                 size_t *nprograms, struct listed **list, size_t *count, struct nerr *err);

/* The program of a bare file; name is its path. */
int listing_file(const char *name, const uint8_t *code, size_t size, const struct listing_options *opt,
                 struct listed *out, struct nerr *err);

/* Appends the text of the programs; with headings, a comment line before each. */
int listing_text(const struct listed *list, size_t count, const struct listing_options *opt, bool headings,
                 struct strbuf *out, struct nerr *err);

/* Appends one JSON array with an object per slot. */
int listing_json(const struct listed *list, size_t count, const struct listing_options *opt,
                 struct strbuf *out, struct nerr *err);

#endif
