/*
 * The data window -> archive in memory (neff-container.md §4, §5, §22 item 2). The window is read once, piece
 * by piece; its digest and the CRC-32 of what it inflates to are computed by a second thread meanwhile. All
 * sizes come from the file itself: data_size was compared with it, the rest is what was really inflated.
 */
#include "neff/container.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "neff/gunzip.h"
#include "neff/sums.h"
#include "regs.h"
#include "util/interrupt.h"

#define PIECE        ((size_t)256 << 10)
#define PIECES       ((size_t)8)         /* buffers between the reading and the digest */
#define THREADED_MIN ((uint64_t)1 << 20) /* a thread costs more than the sums of a smaller window */

struct window {
    const struct window_source *src;
    const char *where;
    struct sums *sums;
    struct nerr *err;
    uint64_t off, len;
    uint8_t *ring;            /* PIECES buffers, for a file */
    uint64_t tickets[PIECES]; /* of the digest of each buffer */
    size_t turn;
};

static int read_fully(struct window *w, uint8_t *into, size_t n)
{
    while (n) {
        ssize_t got = read(w->src->fd, into, n);
        if (got < 0 && errno == EINTR && !interrupt_pending())
            continue;
        if (got < 0)
            return nerr_set(w->err, NERR_IO, w->where, "cannot read: %s", strerror(errno));
        if (got == 0)
            return nerr_set(w->err, NERR_IO, w->where, "the file became shorter while it was read");
        into += got;
        n -= (size_t)got;
    }
    return 0;
}

/* The next piece, given to the digest; 0 bytes at the end. into: where a piece of a file goes, NULL: a buffer
 * that is valid until the next call. */
static int next_piece(struct window *w, uint8_t *into, const uint8_t **p, size_t *n)
{
    uint64_t left = w->len - w->off;
    size_t slot = w->turn++ % PIECES;
    int rc = 0;
    *n = left < PIECE ? (size_t)left : PIECE;
    if (w->src->memory) {
        *p = w->src->memory + w->off;
    } else {
        if (!into) {
            sums_wait(w->sums, w->tickets[slot]);
            into = w->ring + slot * PIECE;
        }
        rc = read_fully(w, into, *n);
        *p = into;
    }
    if (rc)
        return rc;
    w->tickets[slot] = sums_digest(w->sums, *p, *n);
    w->off += *n;
    return 0;
}

/* A bare tar: the window is the archive. */
static int copy_bare(struct window *w, const uint8_t *first, size_t n, uint64_t limit,
                     struct neff_archive *out)
{
    const uint8_t *p;
    if (w->len > limit)
        return nerr_set(w->err, NERR_INPUT, w->where,
                        "the archive has %" PRIu64 " bytes, more than the limit of %" PRIu64 " bytes", w->len,
                        limit);
    uint8_t *bytes = w->len < SIZE_MAX ? malloc(w->len ? (size_t)w->len : 1) : NULL;
    if (!bytes)
        return nerr_set(w->err, NERR_MEM, w->where, "out of memory for an archive of %" PRIu64 " bytes",
                        w->len);
    out->bytes = bytes;
    if (n)
        memcpy(bytes, first, n);
    out->len = n;
    out->stored = true;
    while (w->off < w->len) {
        int rc = next_piece(w, bytes + out->len, &p, &n);
        if (rc)
            return rc;
        if (w->src->memory)
            memcpy(bytes + out->len, p, n);
        out->len += n;
    }
    return 0;
}

static int inflate_window(struct window *w, const uint8_t *p, size_t n, struct gunzip *g)
{
    int rc = gunzip_feed(g, p, n);
    while (rc == 0 && w->off < w->len) {
        rc = next_piece(w, NULL, &p, &n);
        if (rc == 0)
            rc = gunzip_feed(g, p, n);
    }
    return rc ? rc : gunzip_end(g);
}

/* A digest that differs comes before what is wrong inside the window (§3), so the rest is read for it. */
static int finish_digest(struct window *w)
{
    const uint8_t *p;
    size_t n;
    int rc = 0;
    while (rc == 0 && w->off < w->len)
        rc = next_piece(w, NULL, &p, &n);
    return rc;
}

static int decode(struct window *w, uint64_t limit, struct gunzip *g, struct neff_archive *out)
{
    const uint8_t *p = NULL;
    size_t n = 0;
    int rc = next_piece(w, NULL, &p, &n);
    if (rc)
        return rc;
    if (!gzip_sniff(p, n))
        return copy_bare(w, p, n, limit, out);
    rc = gunzip_begin(g, w->sums, limit, w->where, w->err);
    return rc ? rc : inflate_window(w, p, n, g);
}

/* Decodes and verifies. Of several things that are wrong the one that comes first in §3 is reported. */
static int decode_and_verify(struct window *w, const struct neff_header *h, const struct neff_options *opt,
                             struct gunzip *g, struct neff_archive *out)
{
    struct sums_result sums = { 0 };
    struct nerr first = { 0 };
    int decoded = decode(w, opt->max_inflate ? opt->max_inflate : NEFF_MAX_INFLATE, g, out);
    if (decoded)
        first = *w->err;
    int rc = decoded == 0 || decoded == NERR_IO || opt->no_hash ? 0 : finish_digest(w);
    if (rc) { /* the file cannot be read to its end */
        first = *w->err;
        decoded = rc;
    }
    rc = sums_close(w->sums, &sums, w->err);
    if (rc == 0 && decoded != NERR_IO && !opt->no_hash)
        rc = header_check_digest(h, sums.digest, w->where, w->err);
    if (rc == 0 && decoded != NERR_IO && sums.crc_differs)
        rc = gunzip_crc_error(g, sums.crc_at);
    if (rc == 0 && decoded) {
        *w->err = first;
        rc = decoded;
    }
    return rc;
}

int window_read(const struct window_source *src, const struct neff_header *h, const struct neff_options *opt,
                const char *where, struct neff_archive *out, struct nerr *err)
{
    struct window w = { .src = src, .where = where, .err = err, .len = h->data_size };
    struct gunzip g = { 0 };
    enum sums_digest digest = h->pkg_version == NEFF_PKG_TAR_SHA256 ? SUMS_SHA256 : SUMS_MD5;
    *out = (struct neff_archive){ 0 };
    int rc = opt->no_hash ? 0 : header_check_size(h, where, err);
    if (rc)
        return rc;
    if (!src->memory && !(w.ring = malloc(PIECES * PIECE)))
        return nerr_set(err, NERR_MEM, where, "out of memory");
    rc = sums_open(&w.sums, opt->no_hash ? SUMS_NO_DIGEST : digest, w.len >= THREADED_MIN, err);
    if (rc == 0)
        rc = decode_and_verify(&w, h, opt, &g, out);
    if (rc == 0 && g.out) {
        *out = (struct neff_archive){ g.out, g.len, g.trailing, g.stored };
        g.out = NULL;
    }
    gunzip_free(&g);
    free(w.ring);
    if (rc) {
        free(out->bytes);
        *out = (struct neff_archive){ 0 };
    }
    return rc;
}
