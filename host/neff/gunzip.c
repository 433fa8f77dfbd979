/*
 * gzip members -> archive: see gunzip.h. zlib only does raw deflate and CRC-32 here: the framing is read by
 * us, because what follows a member (zeros of a block writer, a second member, anything else) has rules of
 * its own, and so that the CRC-32 of the data is computed beside the inflating.
 */
#include "neff/gunzip.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "neff/container.h"
#include "regs.h"
#include "util/bytes.h"

#define GATE          12 /* the runtime meets a damaged stream while it reads the next tar header */
#define HEADER_LEN    ((size_t)10)
#define TRAILER_LEN   ((size_t)8)
#define FHCRC         0x02u
#define FEXTRA        0x04u
#define FNAME         0x08u
#define FCOMMENT      0x10u
#define FRESERVED     0xe0u
#define CM_DEFLATE    8u
#define FIRST_STEP    ((size_t)65536)    /* of the archive's buffer */
#define DOUBLING_END  ((size_t)16 << 20) /* larger buffers grow by a quarter */
#define OUTPUT_CHUNK  ((size_t)512 << 10)
#define STORED_MAX    ((uint64_t)65535) /* of a stored deflate block */
#define STORED_HEADER ((uint64_t)5)

static int damaged(const struct gunzip *g, uint64_t off, const char *what)
{
    return gate_error_at(g->err, NERR_INPUT, NRT_INVALID, GATE, g->where, "byte", NEFF_HDR_SIZE + off,
                         "failure while reading NEFF metadata gzip data at window offset 0x%" PRIx64 ": %s",
                         off, what);
}

int gunzip_crc_error(const struct gunzip *g, uint64_t at)
{
    return damaged(g, at, "the CRC-32 of the inflated data differs from the trailer");
}

int gunzip_begin(struct gunzip *g, struct sums *sums, uint64_t limit, const char *where, struct nerr *err)
{
    *g = (struct gunzip){ .sums = sums, .limit = limit, .where = where, .err = err };
    if (inflateInit2(&g->z, -MAX_WBITS) != Z_OK)
        return nerr_set(err, NERR_MEM, where, "zlib cannot start inflating");
    g->z_open = true;
    return 0;
}

void gunzip_free(struct gunzip *g)
{
    if (g->z_open)
        inflateEnd(&g->z);
    free(g->out);
    *g = (struct gunzip){ 0 };
}

/* ---- framing ---- */

/* Goes on with the next field that the flags announce, else with the data. */
static void next_field(struct gunzip *g)
{
    static const struct {
        enum gunzip_state state;
        unsigned flag;
    } fields[] = { { GUNZIP_EXTRA_LEN, FEXTRA },
                   { GUNZIP_NAME, FNAME },
                   { GUNZIP_COMMENT, FCOMMENT },
                   { GUNZIP_HEADER_CRC, FHCRC } };
    g->have = 0;
    g->start = g->off;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (fields[i].state > g->state && g->flags & fields[i].flag) {
            g->state = fields[i].state;
            return;
        }
    g->state = GUNZIP_DATA;
    g->made = 0;
    inflateReset(&g->z);
}

/* Takes bytes of a field of fixed size; true when it is complete. */
static bool collect(struct gunzip *g, const uint8_t *p, size_t n, size_t size, size_t *taken)
{
    *taken = size - g->have < n ? size - g->have : n;
    memcpy(g->field + g->have, p, *taken);
    g->have += *taken;
    g->off += *taken;
    return g->have == size;
}

static int check_fixed(struct gunzip *g)
{
    if (get_le16(g->field) != NEFF_GZIP_MAGIC || g->field[2] != CM_DEFLATE)
        return damaged(g, g->start, "a member does not start with 1f 8b 08");
    g->flags = g->field[3];
    if (g->flags & FRESERVED)
        return damaged(g, g->start + 3, "reserved flag bits are set");
    next_field(g);
    return 0;
}

/* Bytes of a member's header; *taken of them belong to the present field. */
static int feed_header(struct gunzip *g, const uint8_t *p, size_t n, size_t *taken)
{
    enum gunzip_state state = g->state;
    const uint8_t *nul;
    uint32_t crc = g->header_crc;
    int rc = 0;
    bool complete = false;
    switch (state) {
    case GUNZIP_FIXED:
        complete = collect(g, p, n, HEADER_LEN, taken);
        break;
    case GUNZIP_EXTRA_LEN:
    case GUNZIP_HEADER_CRC:
        complete = collect(g, p, n, 2, taken);
        break;
    case GUNZIP_EXTRA:
        *taken = g->extra_left < n ? g->extra_left : n;
        g->extra_left -= *taken;
        g->off += *taken;
        complete = g->extra_left == 0;
        break;
    default: /* NAME, COMMENT: up to a NUL */
        nul = memchr(p, 0, n);
        *taken = nul ? (size_t)(nul - p) + 1 : n;
        g->off += *taken;
        complete = nul != NULL;
        break;
    }
    g->header_crc = (uint32_t)crc32_z(crc, p, *taken);
    if (!complete)
        return 0;
    if (state == GUNZIP_FIXED)
        return check_fixed(g);
    if (state == GUNZIP_HEADER_CRC && (crc & 0xffff) != get_le16(g->field))
        rc = damaged(g, g->start, "the header CRC-16 differs");
    if (state == GUNZIP_EXTRA_LEN && get_le16(g->field)) {
        g->extra_left = get_le16(g->field);
        g->state = GUNZIP_EXTRA;
        return 0;
    }
    next_field(g);
    return rc;
}

static int feed_trailer(struct gunzip *g, const uint8_t *p, size_t n, size_t *taken)
{
    if (!collect(g, p, n, TRAILER_LEN, taken))
        return 0;
    sums_crc_expect(g->sums, get_le32(g->field), g->start);
    if ((uint32_t)g->made != get_le32(g->field + 4))
        return damaged(g, g->start + 4, "the length of the inflated data differs from the trailer (ISIZE)");
    g->members++;
    g->end_of_members = g->end_of_trailing = g->off;
    g->have = 0;
    g->state = GUNZIP_BETWEEN;
    return 0;
}

/* The two bytes that tell a second member from trailing bytes. */
static void feed_between(struct gunzip *g, const uint8_t *p, size_t n, size_t *taken)
{
    bool complete = collect(g, p, n, 2, taken);
    if (complete && get_le16(g->field) == NEFF_GZIP_MAGIC) { /* the fixed header goes on behind these two */
        g->start = g->end_of_members;
        g->header_crc = (uint32_t)crc32_z(0, g->field, 2);
        g->state = GUNZIP_FIXED;
        return;
    }
    for (size_t i = 0; i < g->have; i++)
        if (g->field[i])
            g->end_of_trailing = g->end_of_members + i + 1;
    if (complete)
        g->state = GUNZIP_AFTER;
}

static void feed_after(struct gunzip *g, const uint8_t *p, size_t n)
{
    size_t end = n;
    while (end && p[end - 1] == 0)
        end--;
    if (end)
        g->end_of_trailing = g->off + end;
    g->off += n;
}

/* ---- data ---- */

/* The capacity follows what was inflated, never what a length in the file says; one byte beyond the limit is
 * enough to find that it was passed. */
static int grow(struct gunzip *g)
{
    size_t more = g->capacity < DOUBLING_END ? g->capacity : g->capacity / 4;
    size_t capacity;
    if (!add_size(g->capacity, more ? more : FIRST_STEP, &capacity))
        capacity = SIZE_MAX;
    if (g->limit < SIZE_MAX && capacity > g->limit + 1)
        capacity = (size_t)g->limit + 1;
    sums_drain(g->sums); /* the other thread reads from the buffer that may move now */
    uint8_t *bytes = realloc(g->out, capacity);
    if (!bytes)
        return nerr_set(g->err, NERR_MEM, g->where, "out of memory for %zu inflated bytes", capacity);
    g->out = bytes;
    g->capacity = capacity;
    return 0;
}

static int feed_data(struct gunzip *g, const uint8_t *p, size_t n, size_t *taken)
{
    int rc = g->len == g->capacity ? grow(g) : 0;
    *taken = 0;
    if (rc)
        return rc;
    union { /* zlib does not write through next_in, it only lacks the const */
        const uint8_t *given;
        Bytef *taken;
    } input = { p };
    size_t room = g->capacity - g->len < OUTPUT_CHUNK ? g->capacity - g->len : OUTPUT_CHUNK;
    g->z.next_in = input.taken;
    g->z.avail_in = (uInt)n;
    g->z.next_out = g->out + g->len;
    g->z.avail_out = (uInt)room;
    int status = inflate(&g->z, Z_NO_FLUSH);
    size_t made = room - g->z.avail_out;
    *taken = n - g->z.avail_in;
    g->off += *taken;
    sums_crc(g->sums, g->out + g->len, made);
    g->len += made;
    g->made += made;
    if (g->len > g->limit)
        return nerr_set(g->err, NERR_INPUT, g->where,
                        "the archive inflates to more than the limit of %" PRIu64 " bytes", g->limit);
    if (status == Z_STREAM_END) {
        g->state = GUNZIP_TRAILER;
        g->have = 0;
        g->start = g->off;
        return 0;
    }
    if (status == Z_MEM_ERROR)
        return nerr_set(g->err, NERR_MEM, g->where, "zlib is out of memory");
    return status == Z_OK ? 0 : damaged(g, g->off, g->z.msg ? g->z.msg : "invalid deflate data");
}

int gunzip_feed(struct gunzip *g, const uint8_t *p, size_t n)
{
    int rc = 0;
    while (rc == 0 && n) {
        size_t taken = n;
        switch (g->state) {
        case GUNZIP_DATA:
            rc = feed_data(g, p, n, &taken);
            break;
        case GUNZIP_TRAILER:
            rc = feed_trailer(g, p, n, &taken);
            break;
        case GUNZIP_BETWEEN:
            feed_between(g, p, n, &taken);
            break;
        case GUNZIP_AFTER:
            feed_after(g, p, n);
            break;
        default:
            rc = feed_header(g, p, n, &taken);
            break;
        }
        p += taken;
        n -= taken;
    }
    return rc;
}

/* True when stored blocks, all but the last one full, explain the length of the window. */
static bool is_stored(const struct gunzip *g)
{
    uint64_t blocks = g->len ? (g->len + STORED_MAX - 1) / STORED_MAX : 1;
    return g->members == 1 && g->flags == 0 && g->off == g->end_of_members &&
           g->end_of_members == HEADER_LEN + TRAILER_LEN + blocks * STORED_HEADER + g->len;
}

int gunzip_end(struct gunzip *g)
{
    static const char *const unfinished[] = {
        [GUNZIP_FIXED] = "the gzip header is cut short",
        [GUNZIP_EXTRA_LEN] = "the extra field is cut short",
        [GUNZIP_EXTRA] = "the extra field is cut short",
        [GUNZIP_NAME] = "the file name is cut short",
        [GUNZIP_COMMENT] = "the comment is cut short",
        [GUNZIP_HEADER_CRC] = "the header CRC is cut short",
        [GUNZIP_DATA] = "the deflate data is cut short",
        [GUNZIP_TRAILER] = "the gzip trailer is cut short",
        [GUNZIP_AFTER] = NULL,
    };
    if (unfinished[g->state])
        return damaged(g, g->off, unfinished[g->state]);
    g->trailing = g->end_of_trailing - g->end_of_members;
    g->stored = is_stored(g);
    sums_drain(g->sums);
    uint8_t *exact = realloc(g->out, g->len ? g->len : 1);
    if (exact)
        g->out = exact;
    return g->out ? 0 : nerr_set(g->err, NERR_MEM, g->where, "out of memory");
}
