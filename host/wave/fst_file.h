/*
 * The outside of an FST file: its chain of blocks, header, geometry and hierarchy bytes, all checked. The
 * library that decodes the values trusts every length in the file, so nothing reaches it that did not pass
 * here.
 *
 * Layout: a block is one kind byte, an 8-byte big-endian length that counts itself, and a body. A complete
 * file is a header, one or more value blocks, one geometry, at most one blackout and one hierarchy block, and
 * ends with the last block; the simulator writes geometry and hierarchy when it closes the file.
 */
#ifndef NEFFSIM_WAVE_FST_FILE_H
#define NEFFSIM_WAVE_FST_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/nerr.h"

#define FST_LEN_STRING UINT32_MAX /* in lens[] */
#define FST_LEN_REAL   0u

struct fst_file {
    int fd;           /* the file, or an unlinked unpacked copy of it */
    const char *path; /* borrowed, for messages */
    uint64_t size;
    uint64_t start, end;
    int exponent;
    int64_t timezero;
    uint64_t scopes, vars;
    uint32_t handles;
    uint32_t *lens; /* per handle: bits, FST_LEN_REAL or FST_LEN_STRING */
    uint8_t *hier;  /* hierarchy, unpacked */
    size_t hier_len;
    uint64_t largest_block; /* bytes */
    unsigned patience;      /* of the decoder (reader.h); 0: by the largest block */
    bool incomplete;        /* the writer was killed; values end at `end` */
};

/* path must stay valid while f is open. On failure nothing is left open. An unfinished file is refused unless
 * allow_incomplete. */
int fst_file_open(const char *path, bool allow_incomplete, struct fst_file *f, struct nerr *err);
void fst_file_close(struct fst_file *f);

#endif
