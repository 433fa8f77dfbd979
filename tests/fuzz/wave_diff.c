/*
 * Two VCD texts through the whole comparison. Byte 0 of the input chooses options, the two texts are parted
 * by a line "=". Whatever they are: a wave that can be read equals itself, under all options; it equals
 * itself with neighbouring changes of a step swapped; what both sides can be asked for has the same verdict
 * with the sides swapped; and a result that says "different" names a signal, a time and two values.
 */
#define _GNU_SOURCE /* memfd_create */
#include <sys/mman.h>
#include <unistd.h>

#include "frame.h"
#include "wave/compare.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct text_file {
    int fd;
    char path[32];
};

static bool put(struct text_file *f, const uint8_t *p, size_t n)
{
    f->fd = memfd_create("wave", 0);
    snprintf(f->path, sizeof f->path, "/proc/self/fd/%d", f->fd);
    return f->fd >= 0 && write(f->fd, p, n) == (ssize_t)n;
}

static struct wave_bound ticks(uint64_t n)
{
    return (struct wave_bound){ .set = true, .value = n };
}

/* Ticks and the clock are those of A, so that the sides are not alike. */
static bool sides_alike(const struct wave_options *o)
{
    return !o->clock.signal && !o->window.from.set && !o->glitch.set && !o->lead.set;
}

/* Options under which a wave equals itself. */
static struct wave_options choose(uint8_t byte)
{
    struct wave_options o = { .allow_empty = true, .assume_timescale = "1ns" };
    o.x = byte & 1 ? WAVE_X_ANY : WAVE_X_EXACT;
    o.limit = byte & 2 ? 1 : 0;
    o.order.on = (byte & 0x0c) == 0x0c;
    if ((byte & 0x0c) == 0x04)
        o.glitch = ticks(2);
    if ((byte & 0x0c) == 0x08)
        o.lead = o.lag = ticks(3);
    if (byte & 0x10) {
        o.window.from = ticks(2);
        o.window.to = ticks(9);
    }
    if (byte & 0x20)
        o.allow_incomplete = true;
    if (byte & 0x40)
        o.clock.signal = "clk";
    return o;
}

static void check_result(const struct wave_result *r)
{
    uint64_t differing = 0;
    for (unsigned k = 0; k < WAVE_DIFF_KINDS; k++)
        differing += r->count[k];
    DEMAND(wave_result_equal(r) == (differing == 0));
    DEMAND(wave_result_equal(r) || r->nlist > 0);
    for (size_t i = 0; i < r->nlist; i++) {
        const struct wave_signal_result *s = &r->list[i];
        DEMAND(s->name_a || s->name_b);
        DEMAND(s->kind != WAVE_DIFF_VALUE ||
               (s->name_a && s->name_b && s->first.text && s->golden && s->actual));
        DEMAND(s->kind != WAVE_DIFF_VALUE || s->intervals > 0);
    }
}

enum verdict { EQUAL, DIFFERENT, REFUSED };

static enum verdict compare(const char *a, const char *b, const struct wave_options *o)
{
    struct wave_result r = { 0 };
    struct nerr err = { 0 };
    int rc = wave_compare(a, b, o, &r, &err);
    enum verdict v = REFUSED;
    if (rc == 0) {
        v = wave_result_equal(&r) ? EQUAL : DIFFERENT;
        check_result(&r);
    } else {
        DEMAND(rc == NERR_INPUT || rc == NERR_IO || rc == NERR_MEM);
        DEMAND(err.text[0]);
    }
    wave_result_free(&r);
    return v;
}

/* Length of the line at p with its newline, 0 at the end. */
static size_t line_length(const uint8_t *p, const uint8_t *end)
{
    const uint8_t *nl = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;
    return nl ? (size_t)(nl - p) + 1 : 0;
}

/* The id code of a line that is one whole change ("1!", "b101 !"), its length in *n; NULL when it is none. */
static const uint8_t *change_code(const uint8_t *p, size_t len, size_t *n)
{
    size_t at = 1;
    len--; /* newline */
    if (len < 2 || !strchr("01xXzZbB", p[0]) || p[0] == '\0')
        return NULL;
    if (p[0] == 'b' || p[0] == 'B') {
        while (at < len && p[at] && strchr("01xz", p[at]))
            at++;
        if (at == 1 || at >= len || p[at] != ' ')
            return NULL;
        at++;
    }
    for (size_t i = at; i < len; i++)
        if (p[i] < '!' || p[i] > '~')
            return NULL;
    *n = len - at;
    return *n ? p + at : NULL;
}

static bool is_time(const uint8_t *p, size_t len)
{
    size_t i = 1;
    while (i + 1 < len && p[i] >= '0' && p[i] <= '9')
        i++;
    return len > 2 && p[0] == '#' && i + 1 == len;
}

/* Swaps neighbouring changes of different codes that follow a time line without anything between; p: behind
 * the declarations. */
static void swap_in_steps(uint8_t *p, uint8_t *end)
{
    bool clean = false;
    for (size_t len; (len = line_length(p, end)) > 0; p += len) {
        size_t n1, n2, next = line_length(p + len, end);
        const uint8_t *c1 = change_code(p, len, &n1), *c2 = next ? change_code(p + len, next, &n2) : NULL;
        if (clean && c1 && c2 && (n1 != n2 || memcmp(c1, c2, n1) != 0)) {
            uint8_t *first = malloc(len);
            if (!first)
                return;
            memcpy(first, p, len);
            memmove(p, p + len, next);
            memcpy(p + next, first, len);
            free(first);
            len += next;
        } else {
            clean = is_time(p, len) || (clean && c1);
        }
    }
}

static uint8_t *values_of(uint8_t *p, uint8_t *end)
{
    static const char last[] = "$enddefinitions $end\n";
    for (size_t len; (len = line_length(p, end)) > 0; p += len)
        if (len == sizeof last - 1 && memcmp(p, last, len) == 0)
            return p + len;
    return end;
}

static void check_pair(const uint8_t *a, size_t na, const uint8_t *b, size_t nb, const struct wave_options *o)
{
    struct text_file fa, fb, swapped;
    uint8_t *copy = malloc(na + 1);
    bool there = put(&fa, a, na) && copy;
    there = put(&fb, b, nb) && there;
    if (copy) {
        memcpy(copy, a, na);
        swap_in_steps(values_of(copy, copy + na), copy + na);
    }
    there = put(&swapped, copy ? copy : a, na) && there;
    if (there) {
        enum verdict self = compare(fa.path, fa.path, o);
        DEMAND(self != DIFFERENT);
        DEMAND(compare(fa.path, swapped.path, o) == self);
        enum verdict ab = compare(fa.path, fb.path, o);
        if (sides_alike(o))
            DEMAND(compare(fb.path, fa.path, o) == ab);
        DEMAND(self == EQUAL || ab != EQUAL); /* values of signals that differ in width are not looked at */
    }
    free(copy);
    close(fa.fd);
    close(fb.fd);
    close(swapped.fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    const struct wave_options o = choose(data[0]);
    const uint8_t *a = data + 1, *end = data + size, *p = a;
    for (size_t len; (len = line_length(p, end)) > 0 && !(len == 2 && *p == '='); p += len)
        ;
    const uint8_t *b = line_length(p, end) ? p + 2 : p;
    if (p == a || *a < ' ' || *a == 0xfe || b >= end || *b < ' ' ||
        *b == 0xfe) /* an FST is another harness */
        return 0;
    check_pair(a, (size_t)(p - a), b, (size_t)(end - b), &o);
    return 0;
}
