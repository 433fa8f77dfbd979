/* Strict JSON grammar: see json_scan.h. Recursive, the depth is limited. */
#include "util/json_scan.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/json.h"

#define NUMBER_CHARS_MAX ((size_t)63) /* cJSON cuts longer ones */

static int fail(struct json_scan *s, const char *expected)
{
    size_t line = 1, column = 1;
    for (size_t i = 0; i < s->pos; i++) {
        column++;
        if (s->text[i] == '\n') {
            line++;
            column = 1;
        }
    }
    char where[sizeof s->err->where], found[16];
    if (s->pos >= s->len)
        snprintf(found, sizeof found, "the end");
    else if (s->text[s->pos] > 0x20 && s->text[s->pos] < 0x7f)
        snprintf(found, sizeof found, "'%c'", s->text[s->pos]);
    else
        snprintf(found, sizeof found, "byte 0x%02x", s->text[s->pos]);
    int n = snprintf(where, sizeof where, "%s %zu:%zu", s->where, line, column);
    (void)n; /* a cut place is still a place */
    return nerr_set(s->err, NERR_INPUT, where, "not JSON: found %s, expected %s", found, expected);
}

/* An error about what starts at pos. */
static int fail_at(struct json_scan *s, size_t pos, const char *expected)
{
    s->pos = pos;
    return fail(s, expected);
}

static int fail_limit(struct json_scan *s)
{
    char expected[48];
    snprintf(expected, sizeof expected, "at most %zu values", s->max_values);
    return fail(s, expected);
}

static int peek(const struct json_scan *s)
{
    return s->pos < s->len ? s->text[s->pos] : -1;
}

static bool accept(struct json_scan *s, int c)
{
    if (peek(s) != c)
        return false;
    s->pos++;
    return true;
}

static void skip_space(struct json_scan *s)
{
    for (int c = peek(s); c == ' ' || c == '\t' || c == '\n' || c == '\r'; c = peek(s))
        s->pos++;
}

static size_t skip_digits(struct json_scan *s)
{
    size_t start = s->pos;
    while (peek(s) >= '0' && peek(s) <= '9')
        s->pos++;
    return s->pos - start;
}

static int remember_number(struct json_scan *s, size_t start)
{
    if (s->nnumbers == s->capacity) {
        size_t capacity = s->capacity ? 2 * s->capacity : 64;
        struct json_number *more =
            capacity < SIZE_MAX / sizeof *more ? realloc(s->numbers, capacity * sizeof *more) : NULL;
        if (!more)
            return nerr_set(s->err, NERR_MEM, s->where, "out of memory");
        s->numbers = more;
        s->capacity = capacity;
    }
    s->numbers[s->nnumbers++] = (struct json_number){ .offset = start, .len = (uint32_t)(s->pos - start) };
    return 0;
}

static int scan_number(struct json_scan *s)
{
    size_t start = s->pos;
    (void)accept(s, '-');
    if (!accept(s, '0') && skip_digits(s) == 0)
        return fail(s, "a digit");
    if (accept(s, '.') && skip_digits(s) == 0)
        return fail(s, "a digit after the point");
    if (accept(s, 'e') || accept(s, 'E')) {
        if (!accept(s, '+'))
            (void)accept(s, '-');
        if (skip_digits(s) == 0)
            return fail(s, "a digit of the exponent");
    }
    if (s->pos - start > NUMBER_CHARS_MAX) {
        return fail_at(s, start, "a number of at most 63 characters");
    }
    return remember_number(s, start);
}

/* The four digits of \uXXXX, or -1. */
static long hex4(struct json_scan *s)
{
    long v = 0;
    for (int i = 0; i < 4; i++, s->pos++) {
        int c = peek(s);
        if (c >= '0' && c <= '9')
            v = v * 16 + c - '0';
        else if (c >= 'a' && c <= 'f')
            v = v * 16 + c - 'a' + 10;
        else if (c >= 'A' && c <= 'F')
            v = v * 16 + c - 'A' + 10;
        else
            return -1;
    }
    return v;
}

static int scan_escape(struct json_scan *s)
{
    int c = peek(s);
    if (c > 0 && strchr("\"\\/bfnrt", c)) {
        s->pos++;
        return 0;
    }
    if (!accept(s, 'u'))
        return fail(s, "an escape: one of \" \\ / b f n r t u");
    size_t start = s->pos - 2; /* the backslash */
    long unit = hex4(s);
    if (unit < 0)
        return fail(s, "four hex digits");
    if (unit == 0)
        return fail_at(s, start, "no NUL in a string (\\u0000)");
    if (unit >= 0xdc00 && unit <= 0xdfff)
        return fail_at(s, start, "a high surrogate before this low one");
    if (unit >= 0xd800 && unit <= 0xdbff) {
        long low = accept(s, '\\') && accept(s, 'u') ? hex4(s) : -1;
        if (low < 0xdc00 || low > 0xdfff)
            return fail_at(s, start, "a low surrogate after this high one (\\uDC00 to \\uDFFF)");
    }
    return 0;
}

/* One character of two to four bytes (RFC 3629: shortest form, no surrogates, at most U+10FFFF). */
static int scan_utf8(struct json_scan *s)
{
    static const uint32_t least[] = { 0, 0x80, 0x800, 0x10000 };
    unsigned lead = s->text[s->pos];
    unsigned more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    if (lead < 0xc2 || lead > 0xf4)
        return fail(s, "valid UTF-8");
    uint32_t v = lead & (0x3fu >> more);
    size_t start = s->pos++;
    for (unsigned i = 0; i < more; i++) {
        int c = peek(s);
        if (c < 0x80 || c > 0xbf) {
            return fail_at(s, start, "valid UTF-8");
        }
        v = v << 6 | ((unsigned)c & 0x3f);
        s->pos++;
    }
    if (v < least[more] || v > 0x10ffff || (v >= 0xd800 && v <= 0xdfff)) {
        return fail_at(s, start, "valid UTF-8");
    }
    return 0;
}

static int scan_string(struct json_scan *s)
{
    if (!accept(s, '"'))
        return fail(s, "a string");
    for (;;) {
        int c = peek(s), rc = 0;
        if (c < 0x20) /* also the end of the text */
            return fail(s, "the end of the string (\")");
        if (c >= 0x80)
            rc = scan_utf8(s);
        else {
            s->pos++;
            if (c == '"')
                return 0;
            if (c == '\\')
                rc = scan_escape(s);
        }
        if (rc)
            return rc;
    }
}

static int scan_word(struct json_scan *s, const char *word)
{
    size_t n = strlen(word);
    if (s->len - s->pos < n || memcmp(s->text + s->pos, word, n) != 0)
        return fail(s, "a value");
    s->pos += n;
    return 0;
}

static int scan_value(struct json_scan *s);

static int scan_object(struct json_scan *s)
{
    skip_space(s);
    if (accept(s, '}'))
        return 0;
    for (;;) {
        skip_space(s);
        int rc = scan_string(s);
        if (rc)
            return rc;
        skip_space(s);
        if (!accept(s, ':'))
            return fail(s, "':'");
        rc = scan_value(s);
        if (rc)
            return rc;
        if (accept(s, '}'))
            return 0;
        if (!accept(s, ','))
            return fail(s, "',' or '}'");
    }
}

static int scan_array(struct json_scan *s)
{
    skip_space(s);
    if (accept(s, ']'))
        return 0;
    for (;;) {
        int rc = scan_value(s);
        if (rc)
            return rc;
        if (accept(s, ']'))
            return 0;
        if (!accept(s, ','))
            return fail(s, "',' or ']'");
    }
}

/* A value with the white space around it. */
static int scan_value(struct json_scan *s)
{
    int rc;
    skip_space(s);
    if (s->values++ == s->max_values)
        return fail_limit(s);
    int c = peek(s);
    if (c == '{' || c == '[') {
        if (s->depth == JSON_MAX_DEPTH)
            return fail(s, "at most 100 levels");
        s->depth++;
        s->pos++;
        rc = c == '{' ? scan_object(s) : scan_array(s);
        s->depth--;
    } else if (c == '"')
        rc = scan_string(s);
    else if (c == 't')
        rc = scan_word(s, "true");
    else if (c == 'f')
        rc = scan_word(s, "false");
    else if (c == 'n')
        rc = scan_word(s, "null");
    else if (c == '-' || (c >= '0' && c <= '9'))
        rc = scan_number(s);
    else
        rc = fail(s, "a value");
    if (rc == 0)
        skip_space(s);
    return rc;
}

int json_scan(struct json_scan *s)
{
    int rc = scan_value(s);
    if (rc == 0 && s->pos != s->len)
        rc = fail(s, "nothing after the value");
    return rc;
}
