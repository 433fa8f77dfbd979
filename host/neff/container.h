/*
 * Parts of the container that reading and writing share: header codec and gates, gzip, tar. Private to
 * host/neff.
 */
#ifndef NEFFSIM_NEFF_CONTAINER_H
#define NEFFSIM_NEFF_CONTAINER_H

#include "neff/neff.h"
#include "neff/pack.h"
#include "util/strbuf.h"

/* ---- header.c (neff-container.md §2, §3) ---- */

/* Rows 2 to 7 of the reject ladder; fills *h. head: the first bytes of the file, at least NEFF_HDR_SIZE
 * unless the file is shorter; len: size of the file. where names the file. */
int header_read(const uint8_t *head, uint64_t len, const char *where, struct neff_header *h,
                struct nerr *err);

/* Row 8: a verified window may not be empty. */
int header_check_size(const struct neff_header *h, const char *where, struct nerr *err);

/* Rows 9 and 10: the digest of the data window, as its package version wants it. */
int header_check_digest(const struct neff_header *h, const uint8_t *digest, const char *where,
                        struct nerr *err);

/* Digest of the window as its package version wants it, into h->hash. */
int header_set_hash(struct neff_header *h, const uint8_t *window, struct nerr *err);

/* The 1024 bytes of h; strings longer than their field are cut. */
void header_write(const struct neff_header *h, uint8_t *out);

/* An error of the ladder: runtime status and row besides the sentence. */
int gate_error(struct nerr *err, int code, unsigned runtime_code, int gate, const char *where,
               const char *fmt, ...) __attribute__((format(printf, 6, 7)));

/* The same at an offset: the place becomes "where unit 0x...". unit: "byte" of the file or "archive byte". */
int gate_error_at(struct nerr *err, int code, unsigned runtime_code, int gate, const char *where,
                  const char *unit, uint64_t offset, const char *fmt, ...)
    __attribute__((format(printf, 8, 9)));

/* ---- window.c (neff-container.md §4, §5) ---- */

struct window_source { /* one of the two */
    int fd;            /* positioned at the start of the data window */
    const uint8_t *memory;
};

struct neff_archive {
    uint8_t *bytes; /* own allocation, never NULL after success */
    size_t len;
    uint64_t trailing; /* bytes after the gzip stream that are neither zero nor a second member */
    bool stored;       /* no compression: a gzip stream of stored blocks, or a bare tar */
};

/*
 * The archive of a data window, read once in pieces: inflated when it starts as a gzip member does, else
 * copied (§4: the decoder follows the content); the digest is verified on the way unless opt->no_hash. Rows 8
 * to 10 and what is wrong with the gzip stream (row 12). An archive larger than opt->max_inflate is refused.
 */
int window_read(const struct window_source *src, const struct neff_header *h, const struct neff_options *opt,
                const char *where, struct neff_archive *out, struct nerr *err);

/* ---- gzip.c (neff-container.md §5, §23) ---- */

bool gzip_sniff(const uint8_t *p, size_t len);

/* One member over the bytes: level 0..9 through zlib, GZIP_STORED as stored blocks made here. */
#define GZIP_STORED (-1)
int gzip_write(const uint8_t *p, size_t len, int level, struct strbuf *out, struct nerr *err);

/* ---- tar_read.c (neff-container.md §6) ---- */

struct tar_warn {
    void (*call)(void *ctx, const char *where, const char *text);
    void *ctx;
};

struct tar_list {               /* what an archive holds; the data points into the archive */
    struct neff_entry *entries; /* in archive order, without duplicates */
    size_t count, capacity;
    void **owned; /* names, owners and members that are not contiguous in the archive */
    size_t nowned, owned_capacity;
};

/*
 * Walks an archive with the five rules of §6; rows 11 to 15. *list borrows from the archive and is freed by
 * tar_list_free, also after an error.
 */
int tar_read(const struct neff_archive *archive, const char *where, const struct tar_warn *warn,
             struct tar_list *list, struct nerr *err);
void tar_list_free(struct tar_list *list);

/* ---- tar_write.c (neff-container.md §6, §23) ---- */

struct tar_entry {
    const char *name; /* a trailing '/' makes it a directory */
    const void *data;
    size_t size;
    const struct neff_file_meta *meta; /* instead of the owner below, or NULL */
};

struct tar_owner {
    int64_t uid, gid, mtime;
    const char *uname, *gname;
    unsigned file_mode, dir_mode;
    bool long_names; /* GNU extension records for names of more than 100 bytes, which are refused otherwise */
};

/* GNU ustar, padded to 10240 bytes; *out is freed by the caller. */
int tar_write(const struct tar_entry *entries, size_t count, const struct tar_owner *owner, uint8_t **out,
              size_t *len, struct nerr *err);

/* ---- neff.c ---- */

/* Sends a warning to the options the file was opened with. */
void neff_warn(const struct neff *n, const char *where, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
