/*
 * The NEFF container, reading side (neff-container.md §2-6, §22): header, hash, gzip, tar -> named members.
 * Knows nothing about what the members mean; that is program.h.
 */
#ifndef NEFFSIM_NEFF_NEFF_H
#define NEFFSIM_NEFF_NEFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/nerr.h"

struct neff_header { /* §2, host order, strings NUL terminated */
    uint64_t pkg_version, header_size, data_size, version_major, version_minor, feature_bits;
    char build_version[129];
    uint32_t unused_0;
    uint8_t hash[32];
    uint8_t uuid[16];
    char name[257];
    uint32_t requested_tpb_count, vnc_size;
    uint8_t tpb_per_node[64];
};

struct neff_member {
    char *name;          /* path after the ./ rule */
    const uint8_t *data; /* owned by the struct neff, never NULL; not NUL terminated */
    size_t size;
};

struct neff; /* owns the members and their table */

struct neff_options {
    bool no_hash;         /* skip MD5 / SHA-256; gzip CRC and ISIZE are still verified */
    uint64_t max_inflate; /* stop limit for the inflated archive, 0 = default (4 GiB) */
    /* Receives warnings (skipped links, duplicates, ...); may be NULL. */
    void (*warn)(void *ctx, const char *where, const char *text);
    void *warn_ctx;
};

/* Reads a file from disk / from memory (buf is only borrowed during the call). The caller closes *out. */
int neff_open(const char *path, const struct neff_options *opt, struct neff **out, struct nerr *err);
int neff_open_memory(const void *buf, size_t len, const struct neff_options *opt, struct neff **out,
                     struct nerr *err);
void neff_close(struct neff *n);

const struct neff_header *neff_get_header(const struct neff *n);
const char *neff_feature_name(unsigned bit); /* §20; NULL for a bit without a known meaning */
size_t neff_member_count(const struct neff *n);
const struct neff_member *neff_member_at(const struct neff *n, size_t i);    /* archive order */
const struct neff_member *neff_find(const struct neff *n, const char *name); /* NULL when absent */

#endif
