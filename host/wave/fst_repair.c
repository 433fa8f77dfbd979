/* Closing an FST file in the place of its killed writer: see fst_repair.h. */
#include "wave/fst_repair.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "util/strbuf.h"
#include "wave/fst_names.h"
#include "wave/fst_varint.h"
#include "wave/wtime.h"

#define HEADER_BYTES   330u /* kind, length and body */
#define HEADER_START   9u
#define HEADER_END     17u
#define HEADER_COUNTS  41u /* scopes, variables, signals, value blocks */
#define HEADER_TICK    73u
#define HEADER_ZERO    322u
#define BLOCK_HEAD     25u /* kind, length, begin and end time */
#define COPY_STEP      65536u
#define HIER_BYTES_MAX ((uint64_t)1 << 30)

struct mender {
    const char *path;
    int fd;
    uint64_t size, whole; /* whole: bytes up to the end of the last whole value block */
    struct fst_repair *out;
    struct nerr *err;
    FILE *to;
    uint8_t *hier;
    size_t hier_len;
    struct strbuf geometry;
    uint64_t scopes, vars, handles;
};

static uint64_t get64(const uint8_t *p)
{
    uint64_t v = 0;
    for (int i = 0; i < 8; i++)
        v = v << 8 | p[i];
    return v;
}

static void set64(uint8_t *p, uint64_t v)
{
    for (int i = 7; i >= 0; i--, v >>= 8)
        p[i] = (uint8_t)v;
}

static bool read_at(int fd, uint64_t offset, uint8_t *p, size_t n)
{
    while (n) {
        ssize_t got = pread(fd, p, n, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        p += got;
        offset += (uint64_t)got;
        n -= (size_t)got;
    }
    return true;
}

static bool is_value_block(uint8_t kind)
{
    return kind == FST_BL_VCDATA || kind == FST_BL_VCDATA_DYN_ALIAS || kind == FST_BL_VCDATA_DYN_ALIAS2;
}

/* Counts the whole value blocks, which follow the header one after the other. */
static void find_blocks(struct mender *m)
{
    uint8_t head[BLOCK_HEAD];
    m->whole = HEADER_BYTES;
    while (m->size - m->whole >= sizeof head && read_at(m->fd, m->whole, head, sizeof head) &&
           is_value_block(head[0])) {
        uint64_t len = get64(head + 1), end = get64(head + 17);
        if (len < BLOCK_HEAD || len > m->size - m->whole - 1)
            break;
        if (m->out->blocks++ == 0)
            m->out->start = get64(head + 9);
        m->out->end = end;
        m->whole += 1 + len;
    }
}

/* ---- declarations ---- */

static int read_hier(struct mender *m)
{
    struct stat st;
    char *name = text_printf("%s.hier", m->path);
    int rc = 0, fd = name ? open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || (uint64_t)st.st_size > HIER_BYTES_MAX)
        rc = nerr_set(
            m->err, NERR_INPUT, m->path,
            "incomplete FST file: its writer was killed, and %s.hier with the declarations cannot be "
            "read",
            m->path);
    if (!rc) {
        m->hier_len = (size_t)st.st_size;
        m->hier = malloc(m->hier_len + 1);
        if (!m->hier)
            rc = nerr_set(m->err, NERR_MEM, m->path, "out of memory");
        else if (!read_at(fd, 0, m->hier, m->hier_len))
            rc = nerr_set(m->err, NERR_IO, name, "cannot be read");
    }
    if (fd >= 0)
        close(fd);
    free(name);
    return rc;
}

static bool skip_string(const struct mender *m, size_t *pos)
{
    const uint8_t *end = *pos < m->hier_len ? memchr(m->hier + *pos, 0, m->hier_len - *pos) : NULL;
    if (end)
        *pos = (size_t)(end - m->hier) + 1;
    return end != NULL;
}

static void add_varint(struct strbuf *b, uint64_t v)
{
    uint8_t byte;
    for (; v > 0x7f; v >>= 7) {
        byte = (uint8_t)(v | 0x80);
        strbuf_add(b, &byte, 1);
    }
    byte = (uint8_t)v;
    strbuf_add(b, &byte, 1);
}

/* The width as the geometry has it: 0 for a real, 2^32-1 for a string. */
static uint64_t geometry_of(uint8_t type, uint64_t len)
{
    switch (type) {
    case FST_VT_VCD_REAL:
    case FST_VT_VCD_REAL_PARAMETER:
    case FST_VT_VCD_REALTIME:
    case FST_VT_SV_SHORTREAL:
        return 0;
    default:
        return len ? len : UINT32_MAX;
    }
}

/* One record at *pos; false when it is cut or none. */
static bool take_record(struct mender *m, size_t *pos)
{
    uint64_t len, alias;
    uint8_t kind = m->hier[(*pos)++];
    switch (kind) {
    case FST_ST_VCD_SCOPE:
        ++*pos;
        if (!skip_string(m, pos) || !skip_string(m, pos))
            return false;
        m->scopes++;
        return true;
    case FST_ST_VCD_UPSCOPE:
    case FST_ST_GEN_ATTREND:
        return true;
    case FST_ST_GEN_ATTRBEGIN:
        *pos += 2;
        return skip_string(m, pos) && fst_varint(m->hier, m->hier_len, pos, &len);
    default:
        ++*pos;
        if (kind > FST_VT_MAX || !skip_string(m, pos) || !fst_varint(m->hier, m->hier_len, pos, &len) ||
            !fst_varint(m->hier, m->hier_len, pos, &alias))
            return false;
        m->vars++;
        if (alias == 0) {
            m->handles++;
            add_varint(&m->geometry, geometry_of(kind, len));
        }
        return true;
    }
}

/* Counts and widths, at least as many as the header had when the first value was written; a last record that
 * is cut is left out. */
static int walk_hier(struct mender *m, const uint8_t *header)
{
    size_t pos = 0, good = 0;
    while (pos < m->hier_len && take_record(m, &pos))
        good = pos;
    m->hier_len = good;
    if (m->geometry.failed)
        return nerr_set(m->err, NERR_MEM, m->path, "out of memory");
    if (m->handles == 0 || m->scopes < get64(header + HEADER_COUNTS) ||
        m->vars < get64(header + HEADER_COUNTS + 8))
        return nerr_set(
            m->err, NERR_INPUT, m->path,
            "incomplete FST file: its writer was killed, and %s.hier with the declarations is cut", m->path);
    return 0;
}

/* ---- the closed copy ---- */

static int no_copy(struct mender *m)
{
    return nerr_set(m->err, NERR_IO, m->path, "cannot make a closed copy in a temporary file: %s",
                    strerror(errno));
}

static int put(struct mender *m, const void *p, size_t n)
{
    return fwrite(p, 1, n, m->to) == n ? 0 : no_copy(m);
}

static int put_block_head(struct mender *m, uint8_t kind, uint64_t body, uint64_t plain)
{
    uint8_t head[17];
    head[0] = kind;
    set64(head + 1, 8 + 8 + body);
    set64(head + 9, plain);
    return put(m, head, sizeof head);
}

static int put_header(struct mender *m)
{
    uint8_t h[HEADER_BYTES];
    if (!read_at(m->fd, 0, h, sizeof h))
        return no_copy(m);
    set64(h + HEADER_START, m->out->start);
    set64(h + HEADER_END, m->out->end);
    set64(h + HEADER_COUNTS, m->scopes);
    set64(h + HEADER_COUNTS + 8, m->vars);
    set64(h + HEADER_COUNTS + 16, m->handles);
    set64(h + HEADER_COUNTS + 24, m->out->blocks);
    return put(m, h, sizeof h);
}

static int put_values(struct mender *m)
{
    uint8_t buf[COPY_STEP];
    int rc = 0;
    for (uint64_t at = HEADER_BYTES; at < m->whole && !rc;) {
        size_t n = m->whole - at < sizeof buf ? (size_t)(m->whole - at) : sizeof buf;
        rc = read_at(m->fd, at, buf, n) ? put(m, buf, n) : no_copy(m);
        at += n;
    }
    return rc;
}

static int put_geometry(struct mender *m)
{
    uint8_t count[8];
    set64(count, m->handles);
    int rc = put_block_head(m, FST_BL_GEOM, 8 + m->geometry.len, m->geometry.len);
    if (!rc)
        rc = put(m, count, sizeof count);
    return rc ? rc : put(m, m->geometry.s, m->geometry.len);
}

static int put_hier(struct mender *m)
{
    z_stream z = { 0 };
    if (deflateInit2(&z, 1, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return nerr_set(m->err, NERR_MEM, m->path, "out of memory");
    uLong bound = deflateBound(&z, (uLong)m->hier_len);
    uint8_t *packed = malloc(bound);
    z.next_in = m->hier;
    z.avail_in = (uInt)m->hier_len;
    z.next_out = packed;
    z.avail_out = (uInt)bound;
    int rc = packed && deflate(&z, Z_FINISH) == Z_STREAM_END
                 ? 0
                 : nerr_set(m->err, NERR_MEM, m->path, "out of memory");
    if (!rc)
        rc = put_block_head(m, FST_BL_HIER, z.total_out, m->hier_len);
    if (!rc)
        rc = put(m, packed, z.total_out);
    deflateEnd(&z);
    free(packed);
    return rc;
}

static int make_copy(struct mender *m, int *fd, uint64_t *size)
{
    m->to = tmpfile();
    if (!m->to)
        return no_copy(m);
    int rc = put_header(m);
    if (!rc)
        rc = put_values(m);
    if (!rc)
        rc = put_geometry(m);
    if (!rc)
        rc = put_hier(m);
    long end = rc ? 0 : ftell(m->to);
    int copy = -1;
    if (!rc && (fflush(m->to) != 0 || end < 0 || (copy = fcntl(fileno(m->to), F_DUPFD_CLOEXEC, 0)) < 0))
        rc = no_copy(m);
    fclose(m->to);
    if (rc)
        return rc;
    close(*fd);
    *fd = copy;
    *size = (uint64_t)end;
    return 0;
}

/* The sentence of a file that is not read. */
static int refuse(struct mender *m, const uint8_t *header)
{
    char *to = wave_time_text((wave_time)m->out->end + (int64_t)get64(header + HEADER_ZERO), m->out->exponent,
                              m->out->exponent);
    int rc = nerr_set(m->err, NERR_INPUT, m->path,
                      "incomplete FST file: its writer was killed or still runs; complete up to %s, and "
                      "--allow-incomplete reads that far",
                      to ? to : "?");
    free(to);
    return rc;
}

int fst_repair(const char *path, bool really, int *fd, uint64_t *size, struct fst_repair *out,
               struct nerr *err)
{
    struct mender m = { .path = path, .fd = *fd, .size = *size, .out = out, .err = err };
    uint8_t header[HEADER_BYTES];
    memset(out, 0, sizeof *out);
    if (*size < HEADER_BYTES || !read_at(*fd, 0, header, sizeof header))
        return nerr_set(err, NERR_INPUT, path, "incomplete FST file: it ends inside its header");
    out->exponent = (int8_t)header[HEADER_TICK];
    find_blocks(&m);
    if (out->blocks == 0)
        return nerr_set(err, NERR_INPUT, path,
                        "incomplete FST file: its writer was killed before it wrote a whole block of values");
    int rc = read_hier(&m);
    if (!rc)
        rc = walk_hier(&m, header);
    if (!rc && !really)
        rc = refuse(&m, header);
    if (!rc)
        rc = make_copy(&m, fd, size);
    strbuf_free(&m.geometry);
    free(m.hier);
    return rc;
}
