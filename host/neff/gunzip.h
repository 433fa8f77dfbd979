/*
 * gzip members piece by piece (RFC 1952; neff-container.md §5): the compressed window is fed in, the archive
 * grows in memory. CRC-32 and ISIZE of every member are verified, the CRC through sums.h. Private to
 * host/neff.
 */
#ifndef NEFFSIM_NEFF_GUNZIP_H
#define NEFFSIM_NEFF_GUNZIP_H

#include <zlib.h>

#include "neff/sums.h"

enum gunzip_state { /* what the next byte belongs to; header fields in their order in the file */
                    GUNZIP_FIXED,
                    GUNZIP_EXTRA_LEN,
                    GUNZIP_EXTRA,
                    GUNZIP_NAME,
                    GUNZIP_COMMENT,
                    GUNZIP_HEADER_CRC,
                    GUNZIP_DATA,
                    GUNZIP_TRAILER,
                    GUNZIP_BETWEEN, /* behind a member: a second one, zeros or anything else */
                    GUNZIP_AFTER,
};

struct gunzip {
    /* result */
    uint8_t *out; /* the archive; never NULL after a gunzip_end that succeeded; gunzip_free frees it */
    size_t len;
    uint64_t trailing; /* bytes after the last member that are not all zero */
    bool stored;       /* the window is one member of stored blocks as gzip_write makes them */

    /* private */
    struct sums *sums;
    const char *where;
    uint64_t limit;
    struct nerr *err;
    size_t capacity;
    z_stream z;
    bool z_open;
    enum gunzip_state state;
    uint8_t field[10]; /* of the fixed header, a length, a CRC or the trailer, as far as it was fed */
    size_t have, extra_left;
    unsigned flags;
    uint32_t header_crc;
    uint64_t off;   /* in the window, of the next byte */
    uint64_t start; /* in the window, of the field or the data at off */
    uint64_t made;  /* bytes that this member gave */
    uint64_t members, end_of_members, end_of_trailing;
};

/* limit: most bytes to produce. where names the file in errors. Everything is borrowed until gunzip_free. */
int gunzip_begin(struct gunzip *g, struct sums *sums, uint64_t limit, const char *where, struct nerr *err);
int gunzip_feed(struct gunzip *g, const uint8_t *p, size_t n);
int gunzip_end(struct gunzip *g); /* after the last byte of the window */

/* The error for a CRC-32 that sums_close found different, which is reported late. */
int gunzip_crc_error(const struct gunzip *g, uint64_t at);

/* The caller has closed or drained the sums before. */
void gunzip_free(struct gunzip *g);

#endif
