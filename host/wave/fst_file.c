/* Checks of the block structure of an FST file: see fst_file.h. */
#include "wave/fst_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "util/bytes.h"
#include "wave/fst_names.h"
#include "wave/fst_repair.h"
#include "wave/fst_unpack.h"
#include "wave/fst_varint.h"
#include "wave/reader.h"

#define HEADER_BYTES     329u /* length field of the header block */
#define HEADER_ENDIAN    16u  /* offsets below count from the end of the length field */
#define HEADER_SCOPES    32u
#define HEADER_VARS      40u
#define HEADER_HANDLES   48u
#define HEADER_BLOCKS    56u
#define HEADER_TIMESCALE 64u
#define HEADER_TIMEZERO  313u
#define ENDIAN_TEST      2.7182818284590452354

#define VALUE_FRAME      32u /* body of a value block after its length, times and memory need */
#define VALUE_TAIL       24u /* three sizes of the time table at its end */

/* What the walk has seen. */
struct chain {
    uint64_t header_handles, header_blocks;
    uint64_t value_blocks;
    uint64_t last_end;
    uint64_t geometry, geometry_len; /* body after the length field */
    uint64_t hierarchy, hierarchy_len;
    int hierarchy_kind;
    bool good_header;
    unsigned headers, geometries, hierarchies;
};

static uint64_t be64(const uint8_t *p)
{
    uint64_t v = 0;
    for (int i = 0; i < 8; i++)
        v = v << 8 | p[i];
    return v;
}

static int damaged(const struct fst_file *f, struct nerr *err, uint64_t offset, const char *what)
{
    return nerr_set(err, NERR_INPUT, f->path, "damaged or cut FST file: %s at byte %llu of %llu", what,
                    (unsigned long long)offset, (unsigned long long)f->size);
}

static int read_at(const struct fst_file *f, uint64_t offset, void *buf, size_t n, struct nerr *err)
{
    uint8_t *p = buf;
    if (offset > f->size || n > f->size - offset)
        return damaged(f, err, offset, "a field reaches beyond the end");
    while (n) {
        ssize_t got = pread(f->fd, p, n, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return nerr_set(err, NERR_IO, f->path, "cannot read: %s", strerror(errno));
        if (got == 0)
            return damaged(f, err, offset, "the file ends early");
        p += got;
        offset += (uint64_t)got;
        n -= (size_t)got;
    }
    return 0;
}

static int read_alloc(const struct fst_file *f, uint64_t offset, uint64_t n, uint8_t **out, struct nerr *err)
{
    if (offset > f->size || n > f->size - offset)
        return damaged(f, err, offset, "a block reaches beyond the end");
    *out = malloc((size_t)n + 1);
    if (!*out)
        return nerr_set(err, NERR_MEM, f->path, "out of memory for %llu bytes", (unsigned long long)n);
    int rc = read_at(f, offset, *out, (size_t)n, err);
    if (rc) {
        free(*out);
        *out = NULL;
    }
    return rc;
}

static int check_header(struct fst_file *f, struct chain *c, uint64_t body, uint64_t len, struct nerr *err)
{
    uint8_t h[HEADER_BYTES - 8];
    double test = ENDIAN_TEST;
    uint8_t straight[8], reversed[8];
    if (len != HEADER_BYTES)
        return damaged(f, err, body, "the header has the wrong length");
    int rc = read_at(f, body, h, sizeof h, err);
    if (rc)
        return rc;
    memcpy(straight, &test, 8);
    for (int i = 0; i < 8; i++)
        reversed[i] = straight[7 - i];
    if (memcmp(h + HEADER_ENDIAN, straight, 8) != 0 && memcmp(h + HEADER_ENDIAN, reversed, 8) != 0)
        return damaged(f, err, body + HEADER_ENDIAN, "the byte-order mark is wrong");
    f->start = be64(h);
    f->end = be64(h + 8);
    f->scopes = be64(h + HEADER_SCOPES);
    f->vars = be64(h + HEADER_VARS);
    c->header_handles = be64(h + HEADER_HANDLES);
    c->header_blocks = be64(h + HEADER_BLOCKS);
    f->exponent = (int8_t)h[HEADER_TIMESCALE];
    f->timezero = (int64_t)be64(h + HEADER_TIMEZERO);
    if (f->exponent < WAVE_EXPONENT_MIN || f->exponent > WAVE_EXPONENT_MAX)
        return damaged(f, err, body + HEADER_TIMESCALE, "the timescale is out of range");
    if (f->end < f->start)
        return damaged(f, err, body, "the end time is before the start time");
    c->good_header = true;
    return 0;
}

static int next_block(struct fst_file *f, struct chain *c, uint64_t *pos, struct nerr *err)
{
    uint8_t head[9];
    int rc = read_at(f, *pos, head, sizeof head, err);
    if (rc)
        return rc;
    uint64_t len = be64(head + 1), body = *pos + 9;
    if (head[0] == FST_BL_SKIP)
        return nerr_set(
            err, NERR_INPUT, f->path,
            "incomplete FST file: the block at byte %llu was being written when the file was abandoned",
            (unsigned long long)*pos);
    if (len < 8 || len > f->size - (*pos + 1))
        return damaged(f, err, *pos, "the length of a block does not fit the file");
    if (!c->headers && head[0] != FST_BL_HDR)
        return nerr_set(err, NERR_INPUT, f->path, "not an FST file: it does not start with a header block");
    switch (head[0]) {
    case FST_BL_HDR:
        if (c->headers++)
            return damaged(f, err, *pos, "a second header");
        rc = check_header(f, c, body, len, err);
        break;
    case FST_BL_VCDATA:
    case FST_BL_VCDATA_DYN_ALIAS:
    case FST_BL_VCDATA_DYN_ALIAS2:
        c->value_blocks++;
        break;
    case FST_BL_GEOM:
        if (c->geometries++)
            return damaged(f, err, *pos, "a second geometry");
        c->geometry = body;
        c->geometry_len = len - 8;
        break;
    case FST_BL_HIER:
    case FST_BL_HIER_LZ4:
    case FST_BL_HIER_LZ4DUO:
        if (c->hierarchies++)
            return damaged(f, err, *pos, "a second hierarchy");
        c->hierarchy = body;
        c->hierarchy_len = len - 8;
        c->hierarchy_kind = head[0];
        break;
    case FST_BL_BLACKOUT:
        break;
    default:
        return damaged(f, err, *pos, "a block of unknown kind");
    }
    if (len > f->largest_block)
        f->largest_block = len;
    *pos += 1 + len;
    return rc;
}

static int walk(struct fst_file *f, struct chain *c, struct nerr *err)
{
    uint64_t pos = 0;
    while (pos < f->size) {
        int rc = next_block(f, c, &pos, err);
        if (rc)
            return rc;
    }
    if (!c->geometries || !c->hierarchies)
        return nerr_set(err, NERR_INPUT, f->path,
                        "incomplete FST file: no %s block, the simulator did not close it",
                        c->geometries ? "hierarchy" : "geometry");
    if (!c->value_blocks)
        return nerr_set(err, NERR_INPUT, f->path, "the FST file holds no values");
    if (c->header_blocks != c->value_blocks)
        return damaged(f, err, 0, "the header counts other value blocks than there are");
    return 0;
}

/* Widths of all handles; the geometry has one varint per handle. */
static int read_geometry(struct fst_file *f, const struct chain *c, struct nerr *err)
{
    uint8_t *packed = NULL, *plain = NULL;
    size_t pos = 0;
    if (c->geometry_len < 16)
        return damaged(f, err, c->geometry, "the geometry is too short");
    uint64_t packed_len = c->geometry_len - 16;
    int rc = read_alloc(f, c->geometry, c->geometry_len, &packed, err);
    if (rc)
        return rc;
    uint64_t plain_len = be64(packed), handles = be64(packed + 8);
    if (handles != c->header_handles || handles == 0 || handles > plain_len || handles > UINT32_MAX / 2) {
        rc = damaged(f, err, c->geometry, "the geometry has another number of signals than the header");
        goto out;
    }
    plain = fst_unpack_zlib(packed + 16, packed_len, plain_len);
    f->lens = calloc((size_t)handles, sizeof *f->lens);
    if (!plain || !f->lens) {
        rc = damaged(f, err, c->geometry, "the geometry cannot be unpacked");
        goto out;
    }
    f->handles = (uint32_t)handles;
    for (uint32_t i = 0; i < f->handles; i++) {
        uint64_t v;
        if (!fst_varint(plain, (size_t)plain_len, &pos, &v) || v > UINT32_MAX ||
            (v > INT_MAX / 2 && v != FST_LEN_STRING)) {
            rc = damaged(f, err, c->geometry, "the geometry holds an impossible width");
            goto out;
        }
        f->lens[i] = (uint32_t)v;
    }
    if (pos != plain_len)
        rc = damaged(f, err, c->geometry, "the geometry is longer than its signals");
out:
    free(packed);
    free(plain);
    return rc;
}

static int read_hierarchy(struct fst_file *f, const struct chain *c, struct nerr *err)
{
    uint8_t *packed = NULL;
    if (c->hierarchy_len < 8)
        return damaged(f, err, c->hierarchy, "the hierarchy is too short");
    int rc = read_alloc(f, c->hierarchy, c->hierarchy_len, &packed, err);
    if (rc)
        return rc;
    uint64_t plain_len = be64(packed), packed_len = c->hierarchy_len - 8;
    if (c->hierarchy_kind == FST_BL_HIER)
        f->hier = fst_unpack_gzip(packed + 8, packed_len, plain_len);
    else if (c->hierarchy_kind == FST_BL_HIER_LZ4)
        f->hier = fst_unpack_lz4(packed + 8, packed_len, plain_len);
    else
        f->hier = fst_unpack_lz4_twice(packed + 8, packed_len, plain_len);
    f->hier_len = (size_t)plain_len;
    if (!f->hier)
        rc = damaged(f, err, c->hierarchy, "the hierarchy cannot be unpacked");
    free(packed);
    return rc;
}

/*
 * Inside of one value block: initial values ("frame"), change chains, chain index, time table. body and len
 * are what follows the length field. frame_bytes[i] is the size of the frame of the first i handles.
 */
static int check_values(struct fst_file *f, struct chain *c, const uint64_t *frame_bytes, uint64_t body,
                        uint64_t len, struct nerr *err)
{
    uint8_t fixed[24], tail[VALUE_TAIL], small[8 + 4 * 10];
    uint64_t frame_plain, frame_packed, frame_handles, chain_handles;
    size_t pos = 0;
    if (len < sizeof fixed + VALUE_TAIL + 8)
        return damaged(f, err, body, "a value block is too short");
    uint64_t room = len - sizeof fixed - VALUE_TAIL - 8; /* frame, chains, index and time table */
    int rc = read_at(f, body, fixed, sizeof fixed, err);
    if (!rc)
        rc = read_at(f, body + len - VALUE_TAIL, tail, VALUE_TAIL, err);
    if (rc)
        return rc;
    uint64_t begin = be64(fixed), end = be64(fixed + 8);
    if (begin > end || begin < c->last_end || begin < f->start || end > f->end)
        return damaged(f, err, body, "time goes backwards between value blocks");
    c->last_end = end;

    uint64_t times_plain = be64(tail), times_packed = be64(tail + 8), times = be64(tail + 16);
    if (times_packed > room || times == 0 || times > times_plain ||
        !fst_unpack_possible(times_packed, times_plain))
        return damaged(f, err, body + len - VALUE_TAIL, "the time table does not fit its block");
    room -= times_packed;

    uint64_t at = body + sizeof fixed;
    size_t n = room < sizeof small ? (size_t)room : sizeof small;
    rc = read_at(f, at, small, n, err);
    if (rc)
        return rc;
    if (!fst_varint(small, n, &pos, &frame_plain) || !fst_varint(small, n, &pos, &frame_packed) ||
        !fst_varint(small, n, &pos, &frame_handles) || frame_packed > room - pos ||
        frame_handles > f->handles || frame_plain != frame_bytes[frame_handles] ||
        !fst_unpack_possible(frame_packed, frame_plain))
        return damaged(f, err, at, "the initial values do not fit their block");
    room -= pos + frame_packed;

    at += pos + frame_packed;
    n = room < sizeof small ? (size_t)room : sizeof small;
    pos = 0;
    rc = read_at(f, at, small, n, err);
    if (rc)
        return rc;
    if (!fst_varint(small, n, &pos, &chain_handles) || chain_handles > f->handles || pos >= n)
        return damaged(f, err, at, "the change chains do not fit their block");
    room -= pos + 1; /* the byte that names the packing of the chains */

    uint64_t index_at = body + len - VALUE_TAIL - times_packed - 8;
    rc = read_at(f, index_at, small, 8, err);
    if (rc)
        return rc;
    if (be64(small) > room || be64(small) == 0)
        return damaged(f, err, index_at, "the chain index does not fit its block");
    return 0;
}

static int check_all_values(struct fst_file *f, struct chain *c, struct nerr *err)
{
    int rc = 0;
    uint64_t *frame_bytes = calloc((size_t)f->handles + 1, sizeof *frame_bytes);
    if (!frame_bytes)
        return nerr_set(err, NERR_MEM, f->path, "out of memory");
    for (uint32_t i = 0; i < f->handles; i++) {
        uint32_t len = f->lens[i];
        frame_bytes[i + 1] = frame_bytes[i] + (len == FST_LEN_REAL ? 8 : len == FST_LEN_STRING ? 0 : len);
    }
    for (uint64_t pos = 0; pos < f->size && !rc;) {
        uint8_t head[9];
        rc = read_at(f, pos, head, sizeof head, err);
        if (rc)
            break;
        uint64_t len = be64(head + 1);
        if (head[0] == FST_BL_VCDATA || head[0] == FST_BL_VCDATA_DYN_ALIAS ||
            head[0] == FST_BL_VCDATA_DYN_ALIAS2)
            rc = check_values(f, c, frame_bytes, pos + 9, len - 8, err);
        pos += 1 + len;
    }
    free(frame_bytes);
    return rc;
}

/* The block chain, mended when the writer left it unfinished: then the header counts no value blocks yet. */
static int walk_or_mend(struct fst_file *f, bool allow_incomplete, struct chain *c, struct nerr *err)
{
    struct fst_repair mended;
    int rc = walk(f, c, err);
    if (rc != NERR_INPUT || !c->good_header || c->header_blocks)
        return rc;
    rc = fst_repair(f->path, allow_incomplete, &f->fd, &f->size, &mended, err);
    if (rc)
        return rc;
    f->incomplete = true;
    memset(c, 0, sizeof *c);
    return walk(f, c, err);
}

int fst_file_open(const char *path, bool allow_incomplete, struct fst_file *f, struct nerr *err)
{
    struct stat st;
    struct chain c = { 0 };
    uint8_t kind;
    memset(f, 0, sizeof *f);
    f->path = path;
    f->fd = open(path, O_RDONLY | O_CLOEXEC |
                           O_NONBLOCK); /* O_NONBLOCK: a FIFO without a writer must not hang us */
    if (f->fd < 0)
        return nerr_set(err, NERR_IO, path, "cannot open: %s", strerror(errno));
    int rc = 0;
    if (fstat(f->fd, &st) != 0)
        rc = nerr_set(err, NERR_IO, path, "cannot read: %s", strerror(errno));
    else if (!S_ISREG(st.st_mode))
        rc = nerr_set(err, NERR_INPUT, path, "not a regular file; a wave is read more than once");
    else if (st.st_size == 0)
        rc = nerr_set(err, NERR_INPUT, path, "the file is empty");
    if (rc)
        goto fail;
    f->size = (uint64_t)st.st_size;
    rc = read_at(f, 0, &kind, 1, err);
    if (!rc && kind == FST_BL_ZWRAPPER)
        rc = fst_unpack_wrapper(path, &f->fd, &f->size, err);
    if (!rc)
        rc = walk_or_mend(f, allow_incomplete, &c, err);
    if (!rc)
        rc = read_geometry(f, &c, err);
    if (!rc)
        rc = read_hierarchy(f, &c, err);
    if (!rc)
        rc = check_all_values(f, &c, err);
    if (!rc)
        return 0;
fail:
    fst_file_close(f);
    return rc;
}

void fst_file_close(struct fst_file *f)
{
    if (f->fd >= 0)
        close(f->fd);
    free(f->lens);
    free(f->hier);
    f->fd = -1;
    f->lens = NULL;
    f->hier = NULL;
}
