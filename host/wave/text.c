/* Text forms of times and values: wtime.h, text.h, and the window of wave.h. */
#include "wave/text.h"

#include <stdio.h>
#include <string.h>

#include "util/strbuf.h"
#include "wave/wave.h"
#include "wave/wtime.h"

static const char *const units[] = { "s", "ms", "us", "ns", "ps", "fs", "as", "zs" }; /* 10^0, 10^-3, ... */
#define BRIEF_CHARS 64 /* of a long value in a line of text */
#define NUNITS      ((int)(sizeof units / sizeof units[0]))

wave_time wave_power(int n)
{
    wave_time p = 1;
    while (n-- > 0)
        p *= 10;
    return p;
}

bool wave_unit(const char *text, int *exponent)
{
    for (int i = 0; i < NUNITS; i++)
        if (strcmp(text, units[i]) == 0) {
            *exponent = -3 * i;
            return true;
        }
    return false;
}

char *wave_time_text(wave_time t, int base, int unit)
{
    struct strbuf b = { 0 };
    char digits[48];
    size_t n = sizeof digits;
    wave_time step = wave_power(unit - base);
    int exponent = base;
    if (t % step == 0) {
        t /= step;
        exponent = unit;
    }
    bool negative = t < 0;
    digits[--n] = '\0';
    do {
        digits[--n] = (char)('0' + (int)(negative ? -(t % 10) : t % 10));
        t /= 10;
    } while (t != 0);
    if (negative)
        digits[--n] = '-';
    strbuf_puts(&b, digits + n);
    int index = exponent >= 0 ? 0 : (2 - exponent) / 3;
    if (strcmp(digits + n, "0") != 0)
        for (int zeros = exponent + 3 * index; zeros > 0; zeros--)
            strbuf_puts(&b, "0");
    strbuf_printf(&b, " %s", units[index < NUNITS ? index : NUNITS - 1]);
    if (b.failed)
        strbuf_free(&b);
    return b.s;
}

/* One hexadecimal digit for up to four bits; 0 when the bits have no common digit. */
static char hex_digit(const char *bits, unsigned n)
{
    unsigned v = 0;
    bool known = true, same = true;
    for (unsigned i = 0; i < n; i++) {
        known = known && (bits[i] == '0' || bits[i] == '1');
        same = same && bits[i] == bits[0];
        v = v << 1 | (unsigned)(bits[i] == '1');
    }
    if (known)
        return "0123456789abcdef"[v];
    return same ? bits[0] : '\0';
}

static void put_bits(struct strbuf *b, const char *value, uint32_t len)
{
    strbuf_printf(b, "%lu'", (unsigned long)len);
    size_t mark = b->len;
    strbuf_puts(b, "h");
    for (uint32_t i = 0; i < len;) {
        unsigned n = (len - i) % 4 ? (len - i) % 4 : 4;
        char digit = hex_digit(value + i, n);
        if (!digit) {
            b->len = mark;
            strbuf_puts(b, "b");
            strbuf_add(b, value, len);
            return;
        }
        strbuf_add(b, &digit, 1);
        i += n;
    }
}

static void put_string(struct strbuf *b, const char *value, uint32_t len)
{
    strbuf_puts(b, "\"");
    for (uint32_t i = 0; i < len; i++) {
        unsigned char ch = (unsigned char)value[i];
        if (ch == '"' || ch == '\\')
            strbuf_printf(b, "\\%c", ch);
        else if (ch < 0x20 || ch > 0x7e)
            strbuf_printf(b, "\\x%02x", ch);
        else
            strbuf_add(b, &value[i], 1);
    }
    strbuf_puts(b, "\"");
}

char *wave_value_text(enum wave_kind kind, const char *value, uint32_t len)
{
    struct strbuf b = { 0 };
    if (kind == WAVE_STRING)
        put_string(&b, value, len);
    else if (kind == WAVE_EVENT)
        strbuf_puts(&b, len && value[0] == '1' ? "fires" : "quiet");
    else if (kind == WAVE_BITS && len > 1)
        put_bits(&b, value, len);
    else
        strbuf_add(&b, value, len);
    if (b.failed)
        strbuf_free(&b);
    return b.s;
}

char *wave_shape_text(enum wave_kind kind, uint32_t width)
{
    switch (kind) {
    case WAVE_REAL:
        return text_copy("real");
    case WAVE_STRING:
        return text_copy("string");
    case WAVE_EVENT:
        return text_copy("event");
    default:
        return text_printf("%lu bit%s", (unsigned long)width, width == 1 ? "" : "s");
    }
}

/* One end of a window: n characters, none for an open end. */
static bool parse_bound(const char *text, size_t n, struct wave_bound *out)
{
    char unit[8];
    size_t i = 0;
    *out = (struct wave_bound){ 0 };
    if (n == 0)
        return true;
    for (; i < n && text[i] >= '0' && text[i] <= '9'; i++) {
        uint64_t digit = (uint64_t)(text[i] - '0');
        if (out->value > (UINT64_MAX - digit) / 10)
            return false;
        out->value = out->value * 10 + digit;
    }
    if (i == 0 || n - i >= sizeof unit)
        return false;
    out->set = true;
    if (i == n)
        return true;
    memcpy(unit, text + i, n - i);
    unit[n - i] = '\0';
    out->has_unit = true;
    return wave_unit(unit, &out->exponent);
}

int wave_bound_parse(const char *text, struct wave_bound *out, struct nerr *err)
{
    if (*text && parse_bound(text, strlen(text), out))
        return 0;
    return nerr_set(err, NERR_INPUT, "",
                    "'%s' is no time; write ticks of file A, or a number with a unit (10ns)", text);
}

int wave_window_parse(const char *text, struct wave_window *out, struct nerr *err)
{
    const char *colon = strchr(text, ':');
    if (colon && parse_bound(text, (size_t)(colon - text), &out->from) &&
        parse_bound(colon + 1, strlen(colon + 1), &out->to))
        return 0;
    return nerr_set(
        err, NERR_INPUT, "",
        "'%s' is no window; write FROM:TO, each empty, ticks of file A, or a number with a unit (10ns)",
        text);
}

static void brief(const char *value, size_t from, char *out)
{
    size_t n = strlen(value);
    if (from > n)
        from = n;
    snprintf(out, WAVE_BRIEF_BYTES, "%s%.*s%s", from ? "..." : "", BRIEF_CHARS, value + from,
             n - from > BRIEF_CHARS ? "..." : "");
}

struct wave_brief wave_brief(const char *a, const char *b)
{
    struct wave_brief out = { "", "" };
    size_t first = 0, from = 0;
    while (a[first] && a[first] == b[first])
        first++;
    if ((strlen(a) > BRIEF_CHARS || strlen(b) > BRIEF_CHARS) && first > BRIEF_CHARS / 2)
        from = first - BRIEF_CHARS / 2;
    brief(a, from, out.a);
    brief(b, from, out.b);
    return out;
}
