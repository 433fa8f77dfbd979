/*
 * A tar archive in every frame it can have in a NEFF, and what must hold for every archive that is accepted.
 * Byte 0 of the input: bits 0-1 bare, gzip stored, gzip level 1, two gzip members; bit 2 tar checksums are
 * put right; bit 3 package 1; bits 4-6 zero bytes behind the stream, times 4; bit 7 the last of them is not
 * zero.
 */
#ifndef NEFFSIM_TESTS_FUZZ_MEMBERS_H
#define NEFFSIM_TESTS_FUZZ_MEMBERS_H

#include "frame.h"
#include "neff/neff.h"

#define INFLATE_LIMIT ((uint64_t)1 << 20)

static inline void members_check(const struct neff *n, uint64_t most)
{
    uint64_t total = 0;
    DEMAND(neff_member_at(n, neff_member_count(n)) == NULL);
    for (size_t i = 0; i < neff_member_count(n); i++) {
        const struct neff_member *m = neff_member_at(n, i);
        DEMAND(m && m->data && m->name && m->name[0] && m->name[0] != '/');
        for (const char *p = m->name; p; p = strchr(p, '/')) {
            p += *p == '/';
            DEMAND(!(p[0] == '.' && p[1] == '.' && (p[2] == '/' || p[2] == '\0')));
        }
        DEMAND(neff_find(n, m->name) == m); /* also: no name twice */
        frame_touch(m->data, m->size);
        total += m->size;
    }
    DEMAND(total <= most);
}

static inline void members_frame(struct strbuf *out, unsigned how, const uint8_t *tar, size_t len)
{
    switch (how) {
    case 0:
        strbuf_add(out, tar, len);
        break;
    case 1:
        frame_gzip(tar, len, 0, out);
        break;
    case 2:
        frame_gzip(tar, len, 1, out);
        break;
    default:
        frame_gzip(tar, len / 2, 1, out);
        frame_gzip(tar + len / 2, len - len / 2, 0, out);
        break;
    }
}

/* The NEFF of an input; NULL when it is refused. The caller closes it. */
static inline struct neff *members_open(const uint8_t *data, size_t size)
{
    static const uint8_t space[NEFF_HDR_SIZE];
    struct neff_options opt = { .max_inflate = INFLATE_LIMIT };
    struct strbuf file = { 0 };
    struct neff *n = NULL;
    struct nerr err;
    unsigned mode = size ? data[0] : 0;
    size_t len = size ? size - 1 : 0;
    uint8_t *tar = malloc(len + 1);
    if (!tar)
        return NULL;
    memcpy(tar, data + (size ? 1 : 0), len);
    if (mode & 4)
        frame_tar_checksums(tar, len);
    strbuf_add(&file, space, sizeof space);
    members_frame(&file, mode & 3, tar, len);
    for (unsigned i = 0; i < (mode >> 4 & 7) * 4; i++)
        strbuf_add(&file, mode & 0x80 && i % 4 == 3 ? "\x01" : "\0", 1);
    if (!file.failed) {
        frame_header(&file, mode & 8 ? NEFF_PKG_TAR_SHA256 : NEFF_PKG_GZIP_MD5, 1, 0);
        if (neff_open_memory(file.s, file.len, &opt, &n, &err) == 0) {
            members_check(n, len + 64);
        } else {
            DEMAND(err.code != 0 && err.text[0]);
            n = NULL;
        }
    }
    free(tar);
    strbuf_free(&file);
    return n;
}

#endif
