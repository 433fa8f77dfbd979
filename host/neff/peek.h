/* The first 1026 bytes of a file, for a page about a file that cannot be opened as a NEFF. */
#ifndef NEFFSIM_NEFF_PEEK_H
#define NEFFSIM_NEFF_PEEK_H

#include "neff/neff.h"

struct neff_peek {
    uint64_t file_size; /* bytes; 0 when the path names no regular file */
    bool has_header;    /* the file is long enough and the header looks like one (neff-container.md §3) */
    bool gzip;          /* the archive starts as a gzip member does */
    struct neff_header header;
};

/* Judges nothing. What could not be read is left 0. */
void neff_peek(const char *path, struct neff_peek *out);

#endif
