/* Making gzip members (RFC 1952; neff-container.md §5, §23 item 8). Reading them is gunzip.c. */
#include "neff/container.h"

#include <stdlib.h>
#include <zlib.h>

#include "regs.h"
#include "util/bytes.h"

#define HEADER_LEN  ((size_t)10)
#define TRAILER_LEN ((size_t)8)
#define CM_DEFLATE  8u
#define OS_UNIX     3u
#define BLOCK_MAX   ((size_t)65535) /* of a stored deflate block */
#define STEP        ((size_t)65536)
#define PIECE       ((size_t)1 << 30) /* zlib counts in unsigned int */

bool gzip_sniff(const uint8_t *p, size_t len)
{
    uint16_t magic;
    return bytes_le16(p, len, 0, &magic) && magic == NEFF_GZIP_MAGIC;
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
