/*
 * Puts bytes of the fuzzer into the frame they need to get past sizes, digests and checksums: a NEFF around a
 * window, a gzip member around a tar, right checksums in tar headers and gzip trailers. Memory errors end the
 * run of one input by giving an empty buffer.
 */
#ifndef NEFFSIM_TESTS_FUZZ_FRAME_H
#define NEFFSIM_TESTS_FUZZ_FRAME_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "regs.h"
#include "util/bytes.h"
#include "util/hash.h"
#include "util/strbuf.h"

/* A property of the code under test does not hold: what libFuzzer reports as a crash. */
#define DEMAND(what)                                                                                         \
    do {                                                                                                     \
        if (!(what)) {                                                                                       \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #what);                        \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)

/* Reads every byte, so that AddressSanitizer sees a wrong size. */
static inline unsigned frame_touch(const void *p, size_t n)
{
    const volatile uint8_t *b = p;
    unsigned sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += b[i];
    return sum;
}

/* Size and digest of a NEFF image of at least a header, over all bytes behind the header. */
static inline void frame_seal(uint8_t *file, size_t len)
{
    struct nerr err;
    uint8_t digest[HASH_SHA256_BYTES] = { 0 };
    put_le64(file + NEFF_HDR_DATA_SIZE_OFF, len - NEFF_HDR_SIZE);
    if (get_le64(file + NEFF_HDR_PKG_VERSION_OFF) == NEFF_PKG_TAR_SHA256)
        (void)hash_sha256(file + NEFF_HDR_SIZE, len - NEFF_HDR_SIZE, digest, &err);
    else
        (void)hash_md5(file + NEFF_HDR_SIZE, len - NEFF_HDR_SIZE, digest, &err);
    memcpy(file + NEFF_HDR_HASH_OFF, digest, sizeof digest);
}

/* A header before the window in *out, which starts with NEFF_HDR_SIZE bytes for it. */
static inline void frame_header(struct strbuf *out, uint64_t pkg, uint64_t major, uint64_t features)
{
    uint8_t *h = (uint8_t *)out->s;
    memset(h, 0, NEFF_HDR_SIZE);
    put_le64(h + NEFF_HDR_PKG_VERSION_OFF, pkg);
    put_le64(h + NEFF_HDR_HEADER_SIZE_OFF, NEFF_HDR_SIZE);
    put_le64(h + NEFF_HDR_VERSION_MAJOR_OFF, major);
    put_le64(h + NEFF_HDR_FEATURE_BITS_OFF, features);
    put_le32(h + NEFF_HDR_VNC_SIZE_OFF, 1);
    frame_seal(h, out->len);
}

/* Right checksums in whatever looks like a tar header at a multiple of 512. */
static inline void frame_tar_checksums(uint8_t *tar, size_t len)
{
    enum { BLOCK = 512, SUM = 148, MAGIC = 257 };
    for (size_t off = 0; len - off >= BLOCK; off += BLOCK) {
        uint8_t *h = tar + off;
        unsigned sum = 0;
        if (memcmp(h + MAGIC, "ustar", 5) != 0)
            continue;
        memset(h + SUM, ' ', 8);
        for (size_t i = 0; i < BLOCK; i++)
            sum += h[i];
        char text[9];
        snprintf(text, sizeof text, "%06o", sum & 0777777);
        memcpy(h + SUM, text, 7);
    }
}

/* One gzip member around the bytes, level 0 to 9. */
static inline void frame_gzip(const uint8_t *p, size_t n, int level, struct strbuf *out)
{
    static const uint8_t head[10] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3 };
    z_stream z = { 0 };
    uint8_t tail[8];
    if (deflateInit2(&z, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return;
    uLong bound = deflateBound(&z, (uLong)n);
    uint8_t *buf = malloc(bound);
    Bytef *in = malloc(n + 1);
    if (buf && in) {
        memcpy(in, p, n);
        z.next_in = in;
        z.avail_in = (uInt)n;
        z.next_out = buf;
        z.avail_out = (uInt)bound;
        DEMAND(deflate(&z, Z_FINISH) == Z_STREAM_END);
        strbuf_add(out, head, sizeof head);
        strbuf_add(out, buf, z.total_out);
        put_le32(tail, (uint32_t)crc32_z(0, in, n));
        put_le32(tail + 4, (uint32_t)n);
        strbuf_add(out, tail, sizeof tail);
    }
    deflateEnd(&z);
    free(buf);
    free(in);
}

/* Length of the gzip header at p (RFC 1952), 0 when there is none; makes a header CRC right. */
static inline size_t frame_gzip_header(uint8_t *p, size_t n)
{
    enum { FHCRC = 2, FEXTRA = 4, FNAME = 8, FCOMMENT = 16 };
    size_t off = 10;
    if (n < off || p[0] != 0x1f || p[1] != 0x8b)
        return 0;
    if (p[3] & FEXTRA) {
        if (n - off < 2 || n - off - 2 < get_le16(p + off))
            return 0;
        off += 2 + (size_t)get_le16(p + off);
    }
    for (unsigned flag = FNAME; flag <= FCOMMENT; flag *= 2)
        if (p[3] & flag) {
            const uint8_t *nul = memchr(p + off, 0, n - off);
            if (!nul)
                return 0;
            off = (size_t)(nul - p) + 1;
        }
    if (p[3] & FHCRC) {
        if (n - off < 2)
            return 0;
        put_le16(p + off, (uint16_t)crc32_z(0, p, off));
        off += 2;
    }
    return off;
}

/* Right CRC-32 and ISIZE in the trailers of the gzip members at p, up to a mebibyte of data each. */
static inline void frame_gzip_trailers(uint8_t *p, size_t n)
{
    enum { MOST = 1 << 20 };
    static uint8_t sink[MOST];
    for (size_t off = 0, head; (head = frame_gzip_header(p + off, n - off)) != 0;) {
        z_stream z = { 0 };
        if (inflateInit2(&z, -MAX_WBITS) != Z_OK)
            return;
        off += head;
        z.next_in = p + off;
        z.avail_in = (uInt)(n - off);
        z.next_out = sink;
        z.avail_out = sizeof sink;
        int status = inflate(&z, Z_FINISH);
        size_t used = z.total_in, made = z.total_out;
        inflateEnd(&z);
        off += used;
        if (status != Z_STREAM_END || n - off < 8)
            return;
        put_le32(p + off, (uint32_t)crc32_z(0, sink, made));
        put_le32(p + off + 4, (uint32_t)made);
        off += 8;
    }
}

#endif
