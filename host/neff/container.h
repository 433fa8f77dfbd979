/*
 * Parts of the container that reading and writing share: header codec and gates, gzip, tar. Private to
 * host/neff.
 */
#ifndef NEFFSIM_NEFF_CONTAINER_H
#define NEFFSIM_NEFF_CONTAINER_H

#include "neff/neff.h"
#include "util/strbuf.h"

/* ---- header.c (neff-container.md §2, §3) ---- */

/* Rows 2 to 7 of the reject ladder over a whole file; fills *h. where names the file. */
int header_read(const uint8_t *file, size_t len, const char *where, struct neff_header *h, struct nerr *err);

/* Rows 8 to 10: the digest over the data window. */
int header_check_hash(const struct neff_header *h, const uint8_t *window, const char *where,
                      struct nerr *err);

/* Digest of the window as its package version wants it, into h->hash. */
int header_set_hash(struct neff_header *h, const uint8_t *window, struct nerr *err);

/* The 1024 bytes of h; strings longer than their field are cut. */
void header_write(const struct neff_header *h, uint8_t *out);

/* An error of the ladder: runtime status and row besides the sentence. */
int gate_error(struct nerr *err, int code, unsigned runtime_code, int gate, const char *where,
               const char *fmt, ...) __attribute__((format(printf, 6, 7)));

/* ---- gzip.c (neff-container.md §5) ---- */

bool gzip_sniff(const uint8_t *p, size_t len);

/*
 * All members of the window, one after the other, into *out (the caller frees; never NULL on success). CRC-32
 * and ISIZE of each are verified. limit: most bytes to produce. *trailing: bytes after the last member that
 * are not zero.
 */
int gzip_read(const uint8_t *p, size_t len, uint64_t limit, const char *where, uint8_t **out, size_t *out_len,
              size_t *trailing, struct nerr *err);

/* One member over the bytes: level 0..9 through zlib, GZIP_STORED as stored blocks made here. */
#define GZIP_STORED (-1)
int gzip_write(const uint8_t *p, size_t len, int level, struct strbuf *out, struct nerr *err);

/* ---- tar.c (neff-container.md §6) ---- */

struct tar_warn {
    void (*call)(void *ctx, const char *where, const char *text);
    void *ctx;
};

/*
 * Walks an archive with the five rules of §6. *members (archive order, without duplicates) and their data are
 * own allocations; the caller frees with members_free.
 */
int tar_read(const uint8_t *p, size_t len, const char *where, const struct tar_warn *warn,
             struct neff_member **members, size_t *count, struct nerr *err);
void members_free(struct neff_member *members, size_t count);

struct tar_entry {
    const char *name; /* a trailing '/' makes it a directory */
    const void *data;
    size_t size;
};

struct tar_owner {
    int64_t uid, gid, mtime;
    const char *uname, *gname;
    unsigned file_mode, dir_mode;
};

/* GNU ustar without extension records, padded to 10240 bytes; *out is freed by the caller. */
int tar_write(const struct tar_entry *entries, size_t count, const struct tar_owner *owner, uint8_t **out,
              size_t *len, struct nerr *err);

/* ---- neff.c ---- */

/* Sends a warning to the options the file was opened with. */
void neff_warn(const struct neff *n, const char *where, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
