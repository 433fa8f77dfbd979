/*
 * Where a cut VCD file stops being complete: a file whose last word has no line end was cut inside its last
 * time step, so everything from the last time line on is left out.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wave/vcd.h"

#define PIECE      65536
#define MOST_DIGIT 24

static int read_back(struct vcd_reader *v, uint64_t offset, char *buf, size_t n, struct nerr *err)
{
    while (n) {
        ssize_t got = pread(v->in.fd, buf, n, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return nerr_set(err, NERR_IO, v->base.path, "cannot be read: %s",
                            got < 0 ? strerror(errno) : "it became shorter");
        buf += got;
        offset += (uint64_t)got;
        n -= (size_t)got;
    }
    return 0;
}

/* Offset of the last '#' that begins a line in [from, to), UINT64_MAX when there is none. */
static int last_time_line(struct vcd_reader *v, uint64_t from, uint64_t to, uint64_t *out, struct nerr *err)
{
    char buf[PIECE + 1];
    *out = UINT64_MAX;
    while (to > from && *out == UINT64_MAX) {
        size_t n = to - from < PIECE ? (size_t)(to - from) : PIECE;
        uint64_t at = to - n;
        size_t before = at > from; /* the byte before the piece tells whether its first one begins a line */
        int rc = read_back(v, at - before, buf, n + before, err);
        if (rc)
            return rc;
        for (size_t i = n + before; i-- > before;)
            if (buf[i] == '#' && (i > 0 ? buf[i - 1] == '\n' : true)) {
                *out = at - before + i;
                break;
            }
        to = at;
    }
    return 0;
}

static int read_time(struct vcd_reader *v, uint64_t at, uint64_t size, uint64_t *time, struct nerr *err)
{
    char buf[MOST_DIGIT];
    size_t n = size - at - 1 < sizeof buf ? (size_t)(size - at - 1) : sizeof buf;
    int rc = read_back(v, at + 1, buf, n, err);
    *time = 0;
    for (size_t i = 0; !rc && i < n && buf[i] >= '0' && buf[i] <= '9'; i++)
        *time = *time * 10 + (uint64_t)(buf[i] - '0');
    return rc;
}

int vcd_find_cut(struct vcd_reader *v, struct nerr *err)
{
    struct stat st;
    char last;
    uint64_t cut, step;
    if (fstat(v->in.fd, &st) != 0 || !S_ISREG(st.st_mode) || (uint64_t)st.st_size <= v->body_offset)
        return 0;
    uint64_t size = (uint64_t)st.st_size;
    int rc = read_back(v, size - 1, &last, 1, err);
    if (rc || vcd_space(last))
        return rc;
    rc = last_time_line(v, v->body_offset, size, &cut, err);
    if (rc || cut == UINT64_MAX)
        return rc ? rc
                  : nerr_set(err, NERR_INPUT, v->base.path, "the file is cut before its first time step");
    rc = last_time_line(v, v->body_offset, cut, &step, err);
    if (rc || step == UINT64_MAX)
        return rc ? rc
                  : nerr_set(err, NERR_INPUT, v->base.path, "the file is cut inside its first time step");
    rc = read_time(v, step, size, &v->base.complete_to, err);
    if (rc)
        return rc;
    v->base.incomplete = true;
    v->in.limit = cut;
    if (v->in.before + v->in.have > cut) { /* some of what is left out was read already */
        v->in.have = (size_t)(cut - v->in.before);
        v->in.buf[v->in.have] = '\0';
    }
    snprintf(v->base.note, sizeof v->base.note, "the file is cut at byte %llu inside its last time step",
             (unsigned long long)size);
    return 0;
}
