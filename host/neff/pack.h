/*
 * The container, writing side (neff-container.md §23): members or a source folder (docs/neff-pack.md) -> NEFF
 * file.
 */
#ifndef NEFFSIM_NEFF_PACK_H
#define NEFFSIM_NEFF_PACK_H

#include "neff/neff.h"

struct neff_file {
    const char *name; /* member path; a trailing '/' makes it a directory */
    const void *data;
    size_t size;
};

struct neff_file_meta { /* of one member, where it differs from the settings */
    unsigned mode;
    int64_t uid, gid, mtime;
    const char *uname, *gname; /* borrowed */
};

#define NEFF_PACK_STORED (-1) /* gzip with stored blocks: the same bytes with every zlib */

struct neff_pack_settings {
    struct neff_header header; /* header_size, data_size and hash are computed */
    bool derive_uuid;          /* make the uuid from the archive's bytes */
    bool derive_features; /* neff_pack_folder: set the feature bits that the members ask for (§23 item 4) */
    bool derive_major;    /* neff_pack_folder: 2 when there is a feature bit (§20) */
    int gzip; /* NEFF_PACK_STORED or a zlib level 0..9; packages of version 1 are never compressed */
    unsigned file_mode, dir_mode;
    int64_t uid, gid, mtime;
    const char *uname, *gname; /* borrowed */
    bool long_names;           /* members with more than 100 bytes of name get a GNU extension record */
    bool keep_hash_tail;       /* package 2: hash[16..31] as in header, else '0' (§2) */
    const struct neff_file_meta *meta; /* borrowed: of every file, or NULL for the settings above */
};

/* §23: package 2, major 1 (2 with feature bits is the caller's choice), stored gzip, mode 0644/0755, nobody,
 * time 0. */
void neff_pack_defaults(struct neff_pack_settings *s);

/* Packs members in the given order; *out is freed by the caller. Does not look into the members. */
int neff_pack_memory(const struct neff_file *files, size_t count, const struct neff_pack_settings *s,
                     uint8_t **out, size_t *len, struct nerr *err);

struct neff_pack_options {   /* override what header.json says */
    const char *header_name; /* file of the header in the folder, NULL: header.json */
    int pkg;                 /* 1, 2, or 0: as header.json */
    bool has_gzip;
    int gzip;
    bool unchecked;    /* the caller judges the result: do not read it back */
    bool reproducible; /* sorted members, owner nobody, time 0, derived uuid, stored gzip unless has_gzip */
    void (*warn)(void *ctx, const char *where, const char *text); /* may be NULL */
    void *warn_ctx;
};

/*
 * Packs a source folder into memory and reads the result back: what the reader refuses is refused here. Where
 * header.json leaves feature bits and major open they follow the members; where it contradicts them: a
 * warning.
 */
int neff_pack_folder(const char *dir, const struct neff_pack_options *opt, uint8_t **out, size_t *len,
                     struct nerr *err);

#endif
