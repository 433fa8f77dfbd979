/*
 * Value changes of a VCD file. This is the hot path: no copy, no allocation, one look at every byte; it works
 * on the bytes at hand and only asks for more of the file when a scan stops at their end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wave/vcd.h"

/* The lower-case form of a value character, 0 for one that is none. */
static const char state_of[256] = {
    ['0'] = '0', ['1'] = '1', ['x'] = 'x', ['X'] = 'x', ['z'] = 'z', ['Z'] = 'z', ['u'] = 'u', ['U'] = 'u',
    ['w'] = 'w', ['W'] = 'w', ['h'] = 'h', ['H'] = 'h', ['l'] = 'l', ['L'] = 'l', ['-'] = '-',
};

/* States of an extended VCD port (IEEE 1800 §21.7.4.3): input, output, unknown direction. */
static const char port_state_of[256] = {
    ['D'] = '0', ['U'] = '1', ['N'] = 'x', ['Z'] = 'z', ['d'] = '0', ['u'] = '1', ['L'] = '0', ['H'] = '1',
    ['X'] = 'x', ['T'] = 'z', ['l'] = '0', ['h'] = '1', ['0'] = '0', ['1'] = '1', ['?'] = 'x', ['F'] = 'z',
    ['A'] = 'x', ['a'] = 'x', ['B'] = 'x', ['b'] = 'x', ['C'] = 'x', ['c'] = 'x', ['f'] = 'z',
};

bool vcd_begins_value(char c)
{
    return state_of[(unsigned char)c] || strchr("bBrRsSp", c) != NULL;
}

static enum vcd_look bad(struct vcd_reader *v, const char *at, struct nerr *err, const char *what)
{
    vcd_error(&v->in, (size_t)(at - v->in.buf), err, "%s", what);
    return VCD_BAD;
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
        return key < v->ids.ndirect && q != p ? v->ids.direct[key] - 1 : VCD_NO_SIGNAL;
    }
    while ((unsigned char)*q > ' ')
        q++;
    *end = q;
    return vcd_ids_find(&v->ids, p, (size_t)(q - p));
}

static enum vcd_look no_signal(struct vcd_reader *v, const char *code, const char *end, struct nerr *err)
{
    if (code == end)
        return bad(v, code, err, "a value without an identifier code");
    vcd_error(&v->in, (size_t)(code - v->in.buf), err, "identifier code '%.*s' was not declared",
              end - code > 40 ? 40 : (int)(end - code), code);
    return VCD_BAD;
}

/* Eight characters that are all 0 or 1, which differ in one bit. The NUL behind the bytes at hand is none. */
static inline bool vcd_eight_binary(const char *p)
{
    uint64_t eight;
    memcpy(&eight, p, 8);
    return (eight & UINT64_C(0xfefefefefefefefe)) == UINT64_C(0x3030303030303030);
}

/* Checks n value characters and makes them lower case where they stand; NULL or the first wrong one. */
static inline char *lower(char *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char c = state_of[(unsigned char)p[i]];
        if (!c)
            return p + i;
        p[i] = c;
    }
    return NULL;
}

/* Fits n characters to the width of the signal: shorter ones are extended on the left (IEEE 1800 §21.7.2.1).
 */
static bool fit(struct vcd_reader *v, uint32_t width, bool shorten, const char **value, size_t *n)
{
    const char *p = *value;
    char fill = *p == '1' ? '0' : *p;
    if (*n > width) { /* some tools write leading zeros, or one state more than needed */
        for (; *n > width; p++, --*n)
            if (!shorten && *p != fill && *p != '0')
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

static inline enum vcd_look bits(struct vcd_reader *v, uint32_t signal, const char *value, size_t n,
                                 bool shorten, struct wave_record *out, struct nerr *err)
{
    const struct vcd_signal *s = &v->signals[signal];
    if (s->kind != WAVE_BITS && s->kind != WAVE_EVENT)
        return bad(v, value, err, "a value of bits for a signal that is declared as a real or a string");
    const char *at = value;
    if (n != s->width && !fit(v, s->width, shorten, &value, &n))
        return bad(v, at, err, "a value with more bits than its signal");
    if (s->kind == WAVE_EVENT) /* that it is written says that it fires */
        value = "1";
    *out = (struct wave_record){ WAVE_CHANGE, v->time, signal, (uint32_t)n, value };
    return VCD_DONE;
}

static enum vcd_look real(struct vcd_reader *v, uint32_t signal, const struct vcd_raw *raw,
                          struct wave_record *out, struct nerr *err)
{
    char *behind;
    if (v->signals[signal].kind != WAVE_REAL)
        return bad(v, raw->p, err, "a real value for a signal that is not declared as one");
    double d = strtod(raw->p, &behind);
    if (raw->n == 0 || behind != raw->p + raw->n)
        return bad(v, raw->p, err, "a real value that is not a number");
    *out = (struct wave_record){ WAVE_CHANGE, v->time, signal, 3, "nan" };
    if (d == d) {
        out->value = v->scratch;
        out->len = (uint32_t)snprintf(v->scratch, 32, "%.16g", d);
    }
    return VCD_DONE;
}

static enum vcd_look text(struct vcd_reader *v, uint32_t signal, const struct vcd_raw *raw,
                          struct wave_record *out, struct nerr *err)
{
    if (v->signals[signal].kind != WAVE_STRING)
        return bad(v, raw->p, err, "a text for a signal that is not declared as a string");
    *out = (struct wave_record){ WAVE_CHANGE, v->time, signal, (uint32_t)raw->n, raw->p };
    return VCD_DONE;
}

static bool takes(enum wave_kind kind, const struct vcd_raw *raw)
{
    return kind == WAVE_REAL     ? raw->form == VCD_RAW_REAL
           : kind == WAVE_STRING ? raw->form == VCD_RAW_TEXT
                                 : raw->form == VCD_RAW_BITS;
}

enum vcd_look vcd_value_again(struct vcd_reader *v, struct wave_record *out, struct nerr *err)
{
    const struct vcd_raw *raw = &v->raw;
    while (v->again != VCD_NO_SIGNAL) {
        uint32_t signal = v->again;
        v->again = v->signals[signal].twin;
        if (!takes(v->signals[signal].kind, raw))
            continue;
        v->given = true;
        if (v->wanted && !v->wanted[signal])
            continue;
        return raw->form == VCD_RAW_BITS   ? bits(v, signal, raw->p, raw->n, true, out, err)
               : raw->form == VCD_RAW_REAL ? real(v, signal, raw, out, err)
                                           : text(v, signal, raw, out, err);
    }
    return v->given ? VCD_NONE : bad(v, raw->p, err, "a value of another kind than its signal");
}

static enum vcd_look give_twins(struct vcd_reader *v, uint32_t signal, struct vcd_raw raw,
                                struct wave_record *out, struct nerr *err)
{
    v->raw = raw;
    v->again = signal;
    v->given = false;
    return vcd_value_again(v, out, err);
}

/* A checked value of bits, consumed. */
static inline enum vcd_look give_bits(struct vcd_reader *v, uint32_t signal, char *p, size_t n,
                                      struct wave_record *out, struct nerr *err)
{
    if (v->signals[signal].twin != VCD_NO_SIGNAL)
        return give_twins(v, signal, (struct vcd_raw){ VCD_RAW_BITS, p, n }, out, err);
    if (v->wanted && !v->wanted[signal])
        return VCD_NONE;
    return bits(v, signal, p, n, false, out, err);
}

/* "0!": p at the value. */
enum vcd_look vcd_scalar(struct vcd_reader *v, char *p, struct wave_record *out, struct nerr *err)
{
    const char *end;
    if (!state_of[(unsigned char)*p])
        return bad(v, p, err, "neither a time, a value nor a $ command");
    uint32_t signal = find_signal(v, p + 1, &end);
    if (vcd_cut(v, end))
        return VCD_MORE;
    if (signal == VCD_NO_SIGNAL)
        return no_signal(v, p + 1, end, err);
    v->in.pos = (size_t)(end - v->in.buf);
    *p = state_of[(unsigned char)*p];
    return give_bits(v, signal, p, 1, out, err);
}

/* The word behind *p and the separators that follow it: false when the bytes at hand end before. */
static bool word(const struct vcd_reader *v, char **p, char **stop)
{
    char *q = *p;
    while (vcd_space(*q))
        q++;
    if (vcd_cut(v, q))
        return false;
    *p = q;
    while ((unsigned char)*q > ' ')
        q++;
    *stop = q;
    return !vcd_cut(v, q);
}

/* "b0101 !": p at the b. */
static enum vcd_look vector(struct vcd_reader *v, char *p, struct wave_record *out, struct nerr *err)
{
    const char *end;
    char *digits = p + 1, *stop = digits, *id;
    while (vcd_eight_binary(stop))
        stop += 8;
    char *rest = stop; /* what is not known to be 0 and 1 */
    while ((unsigned char)*stop > ' ')
        stop++;
    if (vcd_cut(v, stop))
        return VCD_MORE;
    for (id = stop; vcd_space(*id); id++)
        ;
    uint32_t signal = find_signal(v, id, &end);
    if (vcd_cut(v, end))
        return VCD_MORE;
    char *wrong = lower(rest, (size_t)(stop - rest));
    if (wrong || stop == digits)
        return bad(v, wrong ? wrong : p, err, "a value that is not made of 0, 1, x, z, u, w, h, l and -");
    if (signal == VCD_NO_SIGNAL)
        return no_signal(v, id, end, err);
    v->in.pos = (size_t)(end - v->in.buf);
    return give_bits(v, signal, digits, (size_t)(stop - digits), out, err);
}

/* "pDU 60 06 <0": states, strengths of 0, strengths of 1 (which are not compared), code. */
static enum vcd_look port(struct vcd_reader *v, char *p, struct wave_record *out, struct nerr *err)
{
    const char *end;
    char *states = p + 1, *stop, *low, *low_stop, *high, *high_stop, *id, *id_stop;
    for (stop = states; (unsigned char)*stop > ' '; stop++)
        ;
    if (vcd_cut(v, stop))
        return VCD_MORE;
    low = stop;
    if (!word(v, &low, &low_stop))
        return VCD_MORE;
    high = low_stop;
    if (!word(v, &high, &high_stop))
        return VCD_MORE;
    id = high_stop;
    if (!word(v, &id, &id_stop))
        return VCD_MORE;
    if (stop == states || id == id_stop)
        return bad(v, p, err, "a port value without states or code; it is pSTATES STRENGTHS STRENGTHS CODE");
    for (char *q = states; q < stop; q++)
        if (!port_state_of[(unsigned char)*q])
            return bad(v, q, err, "a port value with a state that does not exist");
    uint32_t signal = find_signal(v, id, &end);
    if (signal == VCD_NO_SIGNAL)
        return no_signal(v, id, end, err);
    for (char *q = states; q < stop; q++)
        *q = port_state_of[(unsigned char)*q];
    v->in.pos = (size_t)(end - v->in.buf);
    return give_bits(v, signal, states, (size_t)(stop - states), out, err);
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* The bytes that a text with backslashes stands for, in place (as the writers of GTKWave's tools make them).
 */
static size_t unescape(char *p, size_t n)
{
    static const char from[] = "abfnrtv", to[] = "\a\b\f\n\r\t\v";
    size_t made = 0;
    for (size_t i = 0; i < n; i++) {
        const char *plain;
        if (p[i] != '\\' || i + 1 == n) {
            p[made++] = p[i];
        } else if (p[i + 1] == 'x' && i + 3 < n && hex_digit(p[i + 2]) >= 0 && hex_digit(p[i + 3]) >= 0) {
            p[made++] = (char)(hex_digit(p[i + 2]) * 16 + hex_digit(p[i + 3]));
            i += 3;
        } else if (p[i + 1] >= '0' && p[i + 1] <= '7') {
            int value = 0, digits = 0;
            for (; digits < 3 && i + 1 < n && p[i + 1] >= '0' && p[i + 1] <= '7'; digits++, i++)
                value = value * 8 + (p[i + 1] - '0');
            p[made++] = (char)value;
        } else {
            i++;
            plain = memchr(from, p[i], sizeof from - 1);
            p[made++] = plain ? to[plain - from] : p[i];
        }
    }
    return made;
}

/* "r1.5 !" and "stext !": p at the letter. */
static enum vcd_look other(struct vcd_reader *v, char *p, struct wave_record *out, struct nerr *err)
{
    const char *end;
    char *stop = p + 1, *id;
    while ((unsigned char)*stop > ' ')
        stop++;
    if (vcd_cut(v, stop))
        return VCD_MORE;
    for (id = stop; vcd_space(*id); id++)
        ;
    uint32_t signal = find_signal(v, id, &end);
    if (vcd_cut(v, end))
        return VCD_MORE;
    if (signal == VCD_NO_SIGNAL)
        return no_signal(v, id, end, err);
    v->in.pos = (size_t)(end - v->in.buf);
    struct vcd_raw raw = { VCD_RAW_REAL, p + 1, (size_t)(stop - (p + 1)) };
    if (*p == 's' || *p == 'S') {
        raw.form = VCD_RAW_TEXT;
        raw.n = unescape(raw.p, raw.n);
    }
    if (v->signals[signal].twin != VCD_NO_SIGNAL)
        return give_twins(v, signal, raw, out, err);
    enum vcd_look l =
        raw.form == VCD_RAW_REAL ? real(v, signal, &raw, out, err) : text(v, signal, &raw, out, err);
    return l == VCD_DONE && v->wanted && !v->wanted[signal] ? VCD_NONE : l;
}

enum vcd_look vcd_value(struct vcd_reader *v, char *p, struct wave_record *out, struct nerr *err)
{
    switch (*p) {
    case 'b':
    case 'B':
        return vector(v, p, out, err);
    case 'r':
    case 'R':
    case 's':
    case 'S':
        return other(v, p, out, err);
    case 'p':
        return port(v, p, out, err);
    default:
        return vcd_scalar(v, p, out, err);
    }
}
