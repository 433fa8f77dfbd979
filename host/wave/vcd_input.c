/* Reading a VCD file piece by piece: see vcd_input.h. */
#include "wave/vcd_input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE ((size_t)1 << 20)

int vcd_input_open(struct vcd_input *in, const char *path, struct nerr *err)
{
    return vcd_input_open_sized(in, path, PIECE, err);
}

int vcd_input_open_sized(struct vcd_input *in, const char *path, size_t piece, struct nerr *err)
{
    struct stat st;
    *in = (struct vcd_input){ .fd = -1, .path = path, .capacity = piece, .limit = UINT64_MAX, .last = '\n' };
    in->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO without a writer must not hang us */
    if (in->fd < 0)
        return nerr_set(err, NERR_IO, path, "cannot be opened: %s", strerror(errno));
    if (fstat(in->fd, &st) != 0 || S_ISDIR(st.st_mode) || fcntl(in->fd, F_SETFL, 0) != 0) {
        vcd_input_close(in);
        return nerr_set(err, NERR_INPUT, path, "is no file that can be read");
    }
    in->buf = malloc(piece + VCD_PAST);
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

/* Eight bytes at a time, because every byte of a file comes by here. */
static uint64_t count_lines(const char *p, size_t n)
{
    const uint64_t low7 = UINT64_C(0x7f7f7f7f7f7f7f7f), newlines = UINT64_C(0x0a0a0a0a0a0a0a0a);
    uint64_t lines = 0;
    while (n >= 8) {
        uint64_t sum = 0; /* eight counters of a byte */
        size_t words = n / 8 < 255 ? n / 8 : 255;
        for (size_t i = 0; i < words; i++, p += 8) {
            uint64_t x;
            memcpy(&x, p, 8);
            x ^= newlines;
            sum += ~(((x & low7) + low7) | x | low7) >> 7; /* 1 in each byte that is 0 */
        }
        n -= words * 8;
        for (; sum; sum >>= 8)
            lines += sum & 0xff;
    }
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
        char *more = realloc(in->buf, in->capacity * 2 + VCD_PAST);
        if (!more)
            return nerr_set(err, NERR_MEM, in->path, "out of memory for a word of %zu bytes", keep);
        in->buf = more;
        in->capacity *= 2;
    }
    uint64_t at = in->before + in->have;
    size_t most = in->capacity - in->have;
    if (in->limit - at < most)
        most = (size_t)(in->limit - at);
    ssize_t got;
    do
        got = read(in->fd, in->buf + in->have, most);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return nerr_set(err, NERR_IO, in->path, "cannot be read: %s", strerror(errno));
    in->at_end = got == 0;
    in->have += (size_t)got;
    in->buf[in->have] = '\0';
    if (got > 0)
        in->last = in->buf[in->have - 1];
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
