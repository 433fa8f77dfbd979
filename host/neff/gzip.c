/*
 * gzip members in memory (RFC 1952; neff-container.md §5). zlib only does raw deflate and CRC-32 here: the
 * framing is read by us, because what follows a member (zeros of a block writer, a second member, anything
 * else) has rules of its own.
 */
#include "neff/container.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "regs.h"
#include "util/bytes.h"

#define GATE        12 /* the runtime meets a damaged stream while it reads the next tar header */
#define HEADER_LEN  ((size_t)10)
#define TRAILER_LEN ((size_t)8)
#define FHCRC       0x02u
#define FEXTRA      0x04u
#define FNAME       0x08u
#define FCOMMENT    0x10u
#define FRESERVED   0xe0u
#define CM_DEFLATE  8u
#define OS_UNIX     3u
#define BLOCK_MAX   ((size_t)65535) /* of a stored deflate block */
#define STEP        ((size_t)65536)
#define PIECE       ((size_t)1 << 30) /* zlib counts in unsigned int */

struct inflater {
    const uint8_t *p;
    size_t len;
    uint64_t limit;
    const char *where;
    struct nerr *err;
    uint8_t *out;
    size_t used, capacity;
};

static int damaged(const struct inflater *g, size_t off, const char *what)
{
    return gate_error(g->err, NERR_INPUT, NRT_INVALID, GATE, g->where,
                      "failure while reading NEFF metadata gzip data at window offset 0x%zx: %s", off, what);
}

bool gzip_sniff(const uint8_t *p, size_t len)
{
    uint16_t magic;
    return bytes_le16(p, len, 0, &magic) && magic == NEFF_GZIP_MAGIC;
}

/* Moves *off behind a NUL-terminated header field. */
static int skip_text(const struct inflater *g, size_t *off, const char *what)
{
    const uint8_t *nul = memchr(g->p + *off, 0, g->len - *off);
    if (!nul)
        return damaged(g, *off, what);
    *off = (size_t)(nul - g->p) + 1;
    return 0;
}

/* Moves *off from the start of a member to its deflate data. */
static int read_header(const struct inflater *g, size_t *off)
{
    const uint8_t *p = g->p + *off;
    size_t start = *off;
    uint16_t n;
    int rc = 0;
    if (g->len - *off < HEADER_LEN)
        return damaged(g, *off, "the gzip header is cut short");
    if (get_le16(p) != NEFF_GZIP_MAGIC || p[2] != CM_DEFLATE)
        return damaged(g, *off, "a member does not start with 1f 8b 08");
    unsigned flags = p[3];
    if (flags & FRESERVED)
        return damaged(g, *off + 3, "reserved flag bits are set");
    *off += HEADER_LEN;
    if (flags & FEXTRA) {
        if (!bytes_le16(g->p, g->len, *off, &n) || n > g->len - *off - 2)
            return damaged(g, *off, "the extra field is cut short");
        *off += 2 + (size_t)n;
    }
    if (flags & FNAME)
        rc = skip_text(g, off, "the file name is cut short");
    if (rc == 0 && flags & FCOMMENT)
        rc = skip_text(g, off, "the comment is cut short");
    if (rc == 0 && flags & FHCRC) {
        if (!bytes_le16(g->p, g->len, *off, &n))
            return damaged(g, *off, "the header CRC is cut short");
        if ((crc32_z(crc32(0, NULL, 0), p, *off - start) & 0xffff) != n)
            return damaged(g, *off, "the header CRC-16 differs");
        *off += 2;
    }
    return rc;
}

static int grow(struct inflater *g)
{
    size_t capacity = g->capacity ? g->capacity : STEP;
    if (g->capacity && !mul_size(capacity, 2, &capacity))
        capacity = SIZE_MAX;
    uint8_t *more = realloc(g->out, capacity);
    if (!more)
        return nerr_set(g->err, NERR_MEM, g->where, "out of memory for %zu inflated bytes", capacity);
    g->out = more;
    g->capacity = capacity;
    return 0;
}

/* Inflates one raw deflate stream at *off, moves *off behind it. */
static int inflate_stream(struct inflater *g, size_t *off)
{
    z_stream z = { 0 };
    int rc = 0, status = Z_OK;
    if (inflateInit2(&z, -MAX_WBITS) != Z_OK)
        return nerr_set(g->err, NERR_MEM, g->where, "zlib cannot start inflating");
    while (rc == 0 && status != Z_STREAM_END) {
        if (g->used == g->capacity && (rc = grow(g)) != 0)
            break;
        size_t left = g->len - *off, room = g->capacity - g->used;
        uInt in = (uInt)(left < PIECE ? left : PIECE), out = (uInt)(room < PIECE ? room : PIECE);
        union { /* zlib does not write through next_in, it only lacks the const */
            const uint8_t *given;
            Bytef *taken;
        } input = { g->p + *off };
        z.next_in = input.taken;
        z.avail_in = in;
        z.next_out = g->out + g->used;
        z.avail_out = out;
        status = inflate(&z, Z_NO_FLUSH);
        *off += in - z.avail_in;
        g->used += out - z.avail_out;
        if (g->used > g->limit)
            rc = nerr_set(g->err, NERR_INPUT, g->where,
                          "the archive inflates to more than the limit of %" PRIu64 " bytes", g->limit);
        else if (status == Z_BUF_ERROR || (status == Z_OK && *off == g->len && g->used < g->capacity))
            rc = damaged(g, *off, "the deflate data is cut short");
        else if (status == Z_MEM_ERROR)
            rc = nerr_set(g->err, NERR_MEM, g->where, "zlib is out of memory");
        else if (status != Z_OK && status != Z_STREAM_END)
            rc = damaged(g, *off, z.msg ? z.msg : "invalid deflate data");
    }
    inflateEnd(&z);
    return rc;
}

static int read_member(struct inflater *g, size_t *off)
{
    size_t start = g->used;
    uint32_t crc = 0, isize = 0;
    int rc = read_header(g, off);
    if (rc == 0)
        rc = inflate_stream(g, off);
    if (rc)
        return rc;
    if (!bytes_le32(g->p, g->len, *off, &crc) || !bytes_le32(g->p, g->len, *off + 4, &isize))
        return damaged(g, *off, "the gzip trailer is cut short");
    size_t made = g->used - start;
    if (crc32_z(crc32(0, NULL, 0), made ? g->out + start : (const uint8_t *)"", made) != crc)
        return damaged(g, *off, "the CRC-32 of the inflated data differs from the trailer");
    if ((uint32_t)made != isize)
        return damaged(g, *off + 4, "the length of the inflated data differs from the trailer (ISIZE)");
    *off += TRAILER_LEN;
    return 0;
}

int gzip_read(const uint8_t *p, size_t len, uint64_t limit, const char *where, uint8_t **out, size_t *out_len,
              size_t *trailing, struct nerr *err)
{
    struct inflater g = { .p = p, .len = len, .limit = limit, .where = where, .err = err };
    size_t off = 0;
    int rc;
    do
        rc = read_member(&g, &off);
    while (rc == 0 && gzip_sniff(p + off, len - off));
    if (rc == 0 && !g.out)
        rc = grow(&g); /* so that an empty archive is a buffer too */
    if (rc) {
        free(g.out);
        return rc;
    }
    size_t end = len;
    while (end > off && p[end - 1] == 0)
        end--;
    *trailing = end - off;
    *out = g.out;
    *out_len = g.used;
    return 0;
}

/* Deflate data without a compressor: stored blocks, the last one marked final. */
static void write_stored(const uint8_t *p, size_t len, struct strbuf *out)
{
    do {
        uint8_t head[5];
        size_t n = len < BLOCK_MAX ? len : BLOCK_MAX;
        head[0] = n == len;
        put_le16(head + 1, (uint16_t)n);
        put_le16(head + 3, (uint16_t)~n);
        strbuf_add(out, head, sizeof head);
        strbuf_add(out, p, n);
        p += n;
        len -= n;
    } while (len);
}

static int write_deflated(const uint8_t *p, size_t len, int level, struct strbuf *out, struct nerr *err)
{
    z_stream z = { 0 };
    uint8_t *chunk = malloc(STEP);
    int status = chunk ? deflateInit2(&z, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) : Z_MEM_ERROR;
    if (status != Z_OK) {
        free(chunk);
        return nerr_set(err, NERR_MEM, "", "zlib cannot start deflating");
    }
    while (status == Z_OK) {
        if (z.avail_in == 0 && len) {
            union {
                const uint8_t *given;
                Bytef *taken;
            } input = { p };
            z.next_in = input.taken;
            z.avail_in = (uInt)(len < PIECE ? len : PIECE);
            p += z.avail_in;
            len -= z.avail_in;
        }
        z.next_out = chunk;
        z.avail_out = (uInt)STEP;
        status = deflate(&z, len ? Z_NO_FLUSH : Z_FINISH);
        strbuf_add(out, chunk, STEP - z.avail_out);
    }
    deflateEnd(&z);
    free(chunk);
    return status == Z_STREAM_END ? 0 : nerr_set(err, NERR_MEM, "", "zlib failed to deflate (%d)", status);
}

int gzip_write(const uint8_t *p, size_t len, int level, struct strbuf *out, struct nerr *err)
{
    uint8_t head[HEADER_LEN] = { 0 }, tail[TRAILER_LEN];
    int rc = 0;
    put_le16(head, NEFF_GZIP_MAGIC);
    head[2] = CM_DEFLATE;
    head[9] = OS_UNIX;
    strbuf_add(out, head, sizeof head);
    if (level == GZIP_STORED)
        write_stored(p, len, out);
    else
        rc = write_deflated(p, len, level, out, err);
    put_le32(tail, (uint32_t)crc32_z(crc32(0, NULL, 0), p, len));
    put_le32(tail + 4, (uint32_t)len);
    strbuf_add(out, tail, sizeof tail);
    if (rc == 0 && out->failed)
        rc = nerr_set(err, NERR_MEM, "", "out of memory for the gzip stream");
    return rc;
}
