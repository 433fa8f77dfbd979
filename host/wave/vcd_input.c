/* Reading a VCD file piece by piece: see vcd_input.h. */
#include "wave/vcd_input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PIECE ((size_t)1 << 20)

int vcd_input_open(struct vcd_input *in, const char *path, struct nerr *err)
{
    *in = (struct vcd_input){ .fd = -1, .path = path, .capacity = PIECE };
    in->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (in->fd < 0)
        return nerr_set(err, NERR_IO, path, "cannot be opened: %s", strerror(errno));
    in->buf = malloc(PIECE + 1);
    if (!in->buf) {
        vcd_input_close(in);
        return nerr_set(err, NERR_MEM, path, "out of memory");
    }
    in->buf[0] = '\0';
    return 0;
}

void vcd_input_close(struct vcd_input *in)
{
    if (in->fd >= 0)
        close(in->fd);
    free(in->buf);
    in->fd = -1;
    in->buf = NULL;
}

int vcd_input_seek(struct vcd_input *in, uint64_t offset, uint64_t lines, struct nerr *err)
{
    if (lseek(in->fd, (off_t)offset, SEEK_SET) < 0)
        return nerr_set(err, NERR_IO, in->path, "cannot be read a second time: %s", strerror(errno));
    in->have = in->pos = 0;
    in->before = offset;
    in->lines = lines;
    in->at_end = false;
    in->buf[0] = '\0';
    return 0;
}

static uint64_t count_lines(const char *p, size_t n)
{
    uint64_t lines = 0;
    for (size_t i = 0; i < n; i++)
        lines += p[i] == '\n';
    return lines;
}

int vcd_input_more(struct vcd_input *in, struct nerr *err)
{
    size_t keep = in->have - in->pos;
    in->lines += count_lines(in->buf, in->pos);
    in->before += in->pos;
    memmove(in->buf, in->buf + in->pos, keep);
    in->have = keep;
    in->pos = 0;
    if (keep > in->capacity / 2) {
        if (keep > VCD_TOKEN_MAX)
            return vcd_error(in, 0, err, "a word of more than %zu bytes; no value is that long",
                             VCD_TOKEN_MAX);
        char *more = realloc(in->buf, in->capacity * 2 + 1);
        if (!more)
            return nerr_set(err, NERR_MEM, in->path, "out of memory for a word of %zu bytes", keep);
        in->buf = more;
        in->capacity *= 2;
    }
    ssize_t got;
    do
        got = read(in->fd, in->buf + in->have, in->capacity - in->have);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return nerr_set(err, NERR_IO, in->path, "cannot be read: %s", strerror(errno));
    in->at_end = got == 0;
    in->have += (size_t)got;
    in->buf[in->have] = '\0';
    return 0;
}

int vcd_token(struct vcd_input *in, const char **token, size_t *len, struct nerr *err)
{
    int rc;
    for (;;) {
        while (vcd_space(in->buf[in->pos]))
            in->pos++;
        if (in->pos < in->have || in->at_end)
            break;
        if ((rc = vcd_input_more(in, err)) != 0)
            return rc;
    }
    size_t end = in->pos;
    for (;;) {
        while ((unsigned char)in->buf[end] > ' ')
            end++;
        if (end < in->have && !vcd_space(in->buf[end]))
            return vcd_error(in, end, err, "control character 0x%02x", (unsigned char)in->buf[end]);
        if (end < in->have || in->at_end)
            break;
        size_t scanned = end - in->pos;
        if ((rc = vcd_input_more(in, err)) != 0)
            return rc;
        end = in->pos + scanned;
    }
    *token = in->buf + in->pos;
    *len = end - in->pos;
    in->pos = end;
    return 0;
}

int vcd_error(const struct vcd_input *in, size_t at, struct nerr *err, const char *fmt, ...)
{
    char where[192];
    va_list ap;
    snprintf(where, sizeof where, "%.120s line %llu, byte %llu", in->path,
             (unsigned long long)(in->lines + count_lines(in->buf, at) + 1),
             (unsigned long long)(in->before + at));
    va_start(ap, fmt);
    nerr_vset(err, NERR_INPUT, where, fmt, ap);
    va_end(ap);
    return NERR_INPUT;
}
