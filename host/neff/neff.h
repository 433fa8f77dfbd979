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
    uint8_t pad[468];
};

struct neff_member {
    const char *name;    /* path after the ./ rule */
    const uint8_t *data; /* owned by the struct neff, never NULL; not NUL terminated */
    size_t size;
};

enum neff_entry_kind {
    NEFF_ENTRY_MEMBER,
    NEFF_ENTRY_FOLDER, /* its name ends in '/' */
    NEFF_ENTRY_SIDE,   /* a file that the loader drops (§6 rule 3): no member */
};

struct neff_entry { /* what the archive holds, as unpacking wants it; links, devices and copies that do not
                       count are left out */
    enum neff_entry_kind kind;
    const char *name;
    const uint8_t *data; /* as for a member */
    size_t size;
    unsigned mode; /* permission bits */
    int64_t uid, gid, mtime;
    const char *uname, *gname; /* "" when the archive has none */
};

struct neff; /* owns the archive, the members and their table */

/* Largest archive (after inflating) that is read unless an option says otherwise: stops a gzip bomb. */
#define NEFF_MAX_INFLATE (UINT64_C(4) << 30)

struct neff_options {
    bool no_hash;         /* skip MD5 / SHA-256; gzip CRC and ISIZE are still verified */
    bool any_version;     /* read on after rows 4, 5 and 7 of §3, for a look at files of newer versions */
    uint64_t max_inflate; /* largest archive in memory in bytes, 0 = NEFF_MAX_INFLATE */
    /* Receives warnings (skipped links, duplicates, ...); may be NULL. */
    void (*warn)(void *ctx, const char *where, const char *text);
    void *warn_ctx;
};

/*
 * Reads a file from disk / from memory (buf is only borrowed during the call). The file is read once, in
 * pieces; members stay in the inflated archive, so memory is about the size of the archive. A place in an
 * error is "FILE", "FILE byte 0x.." (of the file) or "FILE archive byte 0x.." (of the inflated archive). The
 * caller closes *out.
 */
int neff_open(const char *path, const struct neff_options *opt, struct neff **out, struct nerr *err);
int neff_open_memory(const void *buf, size_t len, const struct neff_options *opt, struct neff **out,
                     struct nerr *err);
void neff_close(struct neff *n);

const struct neff_header *neff_get_header(const struct neff *n);
const char *neff_feature_name(unsigned bit); /* §20; NULL for a bit without a known meaning */
size_t neff_member_count(const struct neff *n);
const struct neff_member *neff_member_at(const struct neff *n, size_t i); /* archive order */
size_t neff_entry_count(const struct neff *n);
const struct neff_entry *neff_entry_at(const struct neff *n, size_t i); /* archive order */
bool neff_is_stored(
    const struct neff *n); /* a gzip stream without compression, as `pack --stored` makes it */
const struct neff_member *neff_find(const struct neff *n, const char *name); /* NULL when absent */

#endif
