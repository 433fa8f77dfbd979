/*
 * The value section of a VCD file as a stream of time steps, in one pass. The hot path is read_change: no
 * copy, no allocation, one look at every byte; it works on the bytes at hand and only asks for more of the
 * file when a scan stops at their end.
 */
#include "wave/vcd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/strbuf.h"

static struct vcd_reader *self(struct wave_reader *r)
{
    return (struct vcd_reader *)r;
}

/* The lower-case form of a value character, 0 for one that is none. */
static const char state_of[256] = {
    ['0'] = '0', ['1'] = '1', ['x'] = 'x', ['X'] = 'x', ['z'] = 'z', ['Z'] = 'z', ['u'] = 'u', ['U'] = 'u',
    ['w'] = 'w', ['W'] = 'w', ['h'] = 'h', ['H'] = 'h', ['l'] = 'l', ['L'] = 'l', ['-'] = '-',
};

static int start(struct wave_reader *r, const uint8_t *wanted, struct nerr *err)
{
    struct vcd_reader *v = self(r);
    free((void *)(uintptr_t)v->wanted);
    v->wanted = NULL;
    if (wanted) {
        uint8_t *copy = malloc((size_t)r->nsignals + 1);
        if (!copy)
            return nerr_set(err, NERR_MEM, r->path, "out of memory");
        memcpy(copy, wanted, r->nsignals);
        v->wanted = copy;
    }
    v->timed = false;
    v->time = 0;
    if (v->started) {
        int rc = vcd_input_seek(&v->in, v->body_offset, v->body_lines, err);
        if (rc)
            return rc;
    }
    v->started = true;
    return 0;
}

/* Result of looking at the bytes at hand. */
enum look {
    LOOK_DONE, /* *out is filled */
    LOOK_NONE, /* consumed, nothing to tell */
    LOOK_MORE, /* the record goes on behind buf[have]; nothing consumed */
    LOOK_BAD,  /* *err is filled */
};

static enum look bad(struct vcd_reader *v, const char *at, struct nerr *err, const char *what)
{
    vcd_error(&v->in, (size_t)(at - v->in.buf), err, "%s", what);
    return LOOK_BAD;
}

/* True when a scan that stopped at p stopped because the bytes at hand end, not because the word does. */
static inline bool cut(const struct vcd_reader *v, const char *p)
{
    return p == v->in.buf + v->in.have && !v->in.at_end;
}

/* The signal of the code at p; *end: behind the code. */
static inline uint32_t find_signal(const struct vcd_reader *v, const char *p, const char **end)
{
    const char *q = p;
    uint32_t key = 0;
    for (; (unsigned char)(*q - '!') <= '~' - '!'; q++)
        key = vcd_short_step(key, *q);
    if (q - p <= VCD_SHORT_MAX && (unsigned char)*q <= ' ') {
        *end = q;
        return key < v->ids.ndirect && q != p ? v->ids.direct[key] : VCD_NO_SIGNAL;
    }
    while ((unsigned char)*q > ' ')
        q++;
    *end = q;
    return vcd_ids_find(&v->ids, p, (size_t)(q - p));
}

static enum look no_signal(struct vcd_reader *v, const char *code, const char *end, struct nerr *err)
{
    if (code == end)
        return bad(v, code, err, "a value without an identifier code");
    vcd_error(&v->in, (size_t)(code - v->in.buf), err, "identifier code '%.*s' was not declared",
              end - code > 40 ? 40 : (int)(end - code), code);
    return LOOK_BAD;
}

static inline bool unwanted(const struct vcd_reader *v, uint32_t signal)
{
    return v->wanted && !v->wanted[signal];
}

/* Checks n value characters and makes them lower case where they stand; NULL or the first wrong one. */
static inline char *lower(char *p, size_t n)
{
    size_t i = 0;
    uint64_t eight;
    for (; i + 8 <= n; i += 8) { /* '0' and '1' differ in one bit */
        memcpy(&eight, p + i, 8);
        if ((eight & 0xfefefefefefefefe) != 0x3030303030303030)
            break;
    }
    for (; i < n; i++) {
        char c = state_of[(unsigned char)p[i]];
        if (!c)
            return p + i;
        p[i] = c;
    }
    return NULL;
}

/* Fits n characters to the width of the signal: shorter ones are extended on the left (IEEE 1800 §21.7.2.1).
 */
static bool fit(struct vcd_reader *v, uint32_t width, const char **value, size_t *n)
{
    const char *p = *value;
    char fill = *p == '1' ? '0' : *p;
    if (*n > width) { /* some tools write leading zeros, or one state more than needed */
        for (; *n > width; p++, --*n)
            if (*p != fill && *p != '0')
                return false;
        *value = p;
        return true;
    }
    memset(v->scratch, fill, width - *n);
    memcpy(v->scratch + (width - *n), p, *n);
    *value = v->scratch;
    *n = width;
    return true;
}

static enum look bits(struct vcd_reader *v, uint32_t signal, const char *value, size_t n,
                      struct wave_record *out, struct nerr *err)
{
    const struct vcd_signal *s = &v->signals[signal];
    if (s->kind != WAVE_BITS && s->kind != WAVE_EVENT)
        return bad(v, value, err, "a value of bits for a signal that is declared as a real or a string");
    const char *at = value;
    if (n != s->width && !fit(v, s->width, &value, &n))
        return bad(v, at, err, "a value with more bits than its signal");
    if (s->kind == WAVE_EVENT) /* that it is written says that it fires */
        value = "1";
    *out = (struct wave_record){ WAVE_CHANGE, v->time, signal, (uint32_t)n, value };
    return LOOK_DONE;
}

/* "0!": p at the value. */
static enum look scalar(struct vcd_reader *v, char *p, struct wave_record *out, struct nerr *err)
{
    const char *end;
    uint32_t signal = find_signal(v, p + 1, &end);
    if (cut(v, end))
        return LOOK_MORE;
    if (signal == VCD_NO_SIGNAL)
        return no_signal(v, p + 1, end, err);
    v->in.pos = (size_t)(end - v->in.buf);
    if (unwanted(v, signal))
        return LOOK_NONE;
    *p = state_of[(unsigned char)*p];
    return bits(v, signal, p, 1, out, err);
}

/* Behind the separators that follow p, or NULL when the bytes at hand end before. */
static char *next_word(const struct vcd_reader *v, char *p)
{
    while (vcd_space(*p))
        p++;
    return cut(v, p) ? NULL : p;
}

/* "b0101 !": p at the b. */
static enum look vector(struct vcd_reader *v, char *p, struct wave_record *out, struct nerr *err)
{
    const char *end;
    char *digits = p + 1, *stop = digits, *id;
    while ((unsigned char)*stop > ' ')
        stop++;
    if (cut(v, stop) || !(id = next_word(v, stop)))
        return LOOK_MORE;
    uint32_t signal = find_signal(v, id, &end);
    if (cut(v, end))
        return LOOK_MORE;
    char *wrong = lower(digits, (size_t)(stop - digits));
    if (wrong || stop == digits)
        return bad(v, wrong ? wrong : p, err, "a value that is not made of 0, 1, x, z, u, w, h, l and -");
    if (signal == VCD_NO_SIGNAL)
        return no_signal(v, id, end, err);
    v->in.pos = (size_t)(end - v->in.buf);
    if (unwanted(v, signal))
        return LOOK_NONE;
    return bits(v, signal, digits, (size_t)(stop - digits), out, err);
}

/* "r1.5 !" and "stext !": p at the letter. */
static enum look other(struct vcd_reader *v, char *p, struct wave_record *out, struct nerr *err)
{
    const char *end;
    char *text = p + 1, *stop = text, *id, *behind;
    bool real = *p == 'r' || *p == 'R';
    while ((unsigned char)*stop > ' ')
        stop++;
    if (cut(v, stop) || !(id = next_word(v, stop)))
        return LOOK_MORE;
    uint32_t signal = find_signal(v, id, &end);
    if (cut(v, end))
        return LOOK_MORE;
    if (signal == VCD_NO_SIGNAL)
        return no_signal(v, id, end, err);
    if (v->signals[signal].kind != (real ? WAVE_REAL : WAVE_STRING))
        return bad(v, p, err,
                   real ? "a real value for a signal that is not declared as one"
                        : "a text for a signal that is not declared as a string");
    *out = (struct wave_record){ WAVE_CHANGE, v->time, signal, (uint32_t)(stop - text), text };
    if (real) {
        double d = strtod(text, &behind);
        if (behind != stop || stop == text)
            return bad(v, p, err, "a real value that is not a number");
        out->value = v->scratch;
        out->len = (uint32_t)snprintf(v->scratch, 32, "%.16g", d != d ? (double)__builtin_nanf("") : d);
    }
    v->in.pos = (size_t)(end - v->in.buf);
    return unwanted(v, signal) ? LOOK_NONE : LOOK_DONE;
}

/* "#120": p at the #. */
static enum look time_step(struct vcd_reader *v, char *p, struct wave_record *out, struct nerr *err)
{
    char *q = p + 1;
    uint64_t t = 0;
    bool fits = true;
    for (; *q >= '0' && *q <= '9'; q++) {
        fits = fits && t <= (UINT64_MAX - 9) / 10;
        t = t * 10 + (uint64_t)(*q - '0');
    }
    if (cut(v, q))
        return LOOK_MORE;
    if (q == p + 1 || (unsigned char)*q > ' ')
        return bad(v, p, err, "a time that is not a whole number");
    if (!fits)
        return bad(v, p, err, "a time beyond 2^64");
    if (v->timed && t < v->time) {
        vcd_error(&v->in, (size_t)(p - v->in.buf), err, "time goes backwards, from %llu to %llu",
                  (unsigned long long)v->time, (unsigned long long)t);
        return LOOK_BAD;
    }
    v->in.pos = (size_t)(q - v->in.buf);
    if (v->timed && t == v->time)
        return LOOK_NONE;
    v->timed = true;
    v->time = v->base.end = t;
    *out = (struct wave_record){ .kind = WAVE_TIME, .time = t };
    return LOOK_DONE;
}

/* "$dumpvars", "$end", "$comment ... $end": p at the $. */
static enum look command(struct vcd_reader *v, struct nerr *err)
{
    static const char *const transparent[] = { "$dumpvars", "$dumpall", "$dumpon", "$dumpoff", "$end" };
    const char *w;
    size_t n;
    int rc = vcd_token(&v->in, &w, &n, err);
    if (rc)
        return LOOK_BAD;
    for (size_t i = 0; i < sizeof transparent / sizeof *transparent; i++)
        if (strlen(transparent[i]) == n && memcmp(w, transparent[i], n) == 0)
            return LOOK_NONE;
    do {
        rc = vcd_token(&v->in, &w, &n, err);
        if (!rc && n == 0)
            rc = vcd_error(&v->in, v->in.pos, err, "the file ends inside a $ command that has no $end");
    } while (!rc && (n != 4 || memcmp(w, "$end", 4) != 0));
    return rc ? LOOK_BAD : LOOK_NONE;
}

static enum look look(struct vcd_reader *v, char *p, struct wave_record *out, struct nerr *err)
{
    switch (*p) {
    case '#':
        return time_step(v, p, out, err);
    case '$':
        return command(v, err);
    case 'b':
    case 'B':
        break;
    case 'r':
    case 'R':
    case 's':
    case 'S':
        break;
    default:
        if (!state_of[(unsigned char)*p])
            return bad(v, p, err, "neither a time, a value nor a $ command");
    }
    if (!v->timed) { /* values before the first time: a step of their own at time 0 */
        v->timed = true;
        *out = (struct wave_record){ .kind = WAVE_TIME };
        return LOOK_DONE;
    }
    if (*p == 'b' || *p == 'B')
        return vector(v, p, out, err);
    return state_of[(unsigned char)*p] ? scalar(v, p, out, err) : other(v, p, out, err);
}

static int next(struct wave_reader *r, struct wave_record *out, struct nerr *err)
{
    struct vcd_reader *v = self(r);
    for (;;) {
        char *p = v->in.buf + v->in.pos;
        while (vcd_space(*p))
            p++;
        v->in.pos = (size_t)(p - v->in.buf);
        enum look l = LOOK_MORE;
        if (v->in.pos < v->in.have)
            l = look(v, p, out, err);
        else if (v->in.at_end) {
            *out = (struct wave_record){ .kind = WAVE_END };
            return 0;
        }
        if (l == LOOK_DONE)
            return 0;
        if (l == LOOK_BAD)
            return err->code;
        if (l == LOOK_MORE) {
            int rc = vcd_input_more(&v->in, err);
            if (rc)
                return rc;
        }
    }
}

static void close_reader(struct wave_reader *r)
{
    struct vcd_reader *v = self(r);
    vcd_input_close(&v->in);
    vcd_ids_free(&v->ids);
    free(v->signals);
    free((void *)(uintptr_t)v->wanted);
    free(v->scratch);
}

int vcd_reader_open(const char *path, struct wave_reader **out, struct nerr *err)
{
    static const struct wave_reader_ops ops = { start, next, close_reader };
    struct vcd_reader *v = calloc(1, sizeof *v);
    if (!v)
        return nerr_set(err, NERR_MEM, path, "out of memory");
    v->base.ops = &ops;
    v->base.exponent = -9;
    v->base.factor = 1;
    v->in.fd = -1;
    v->base.path = text_copy(path);
    int rc = v->base.path ? vcd_input_open(&v->in, v->base.path, err)
                          : nerr_set(err, NERR_MEM, path, "out of memory");
    if (!rc)
        rc = vcd_read_header(v, err);
    uint32_t widest = 32;
    for (uint32_t i = 0; !rc && i < v->base.nsignals; i++)
        widest = v->signals[i].width > widest ? v->signals[i].width : widest;
    if (!rc && !(v->scratch = malloc(widest)))
        rc = nerr_set(err, NERR_MEM, path, "out of memory");
    if (rc) {
        wave_reader_close(&v->base);
        return rc;
    }
    v->body_offset = v->in.before + v->in.pos;
    v->body_lines = v->in.lines;
    for (size_t i = 0; i < v->in.pos; i++)
        v->body_lines += v->in.buf[i] == '\n';
    *out = &v->base;
    return 0;
}
