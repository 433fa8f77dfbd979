/* JSON output: see json_write.h. */
#include "util/json_write.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Separator and indentation before a value or key. */
static void item(struct json_out *o)
{
    if (o->after_key) {
        o->after_key = false;
        return;
    }
    if (o->depth) {
        strbuf_puts(o->b, o->first ? "\n" : ",\n");
        for (unsigned i = 0; i < o->depth; i++)
            strbuf_puts(o->b, "  ");
    }
    o->first = false;
}

/* Length of the valid UTF-8 character at s, 0 when there is none (a NUL ends it early). */
static size_t utf8_length(const unsigned char *s)
{
    size_t n = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90) ||
        (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return n;
}

static void quoted(struct strbuf *b, const char *text)
{
    strbuf_puts(b, "\"");
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        size_t n = utf8_length(s);
        if (n == 0)
            strbuf_puts(b, "\\ufffd");
        else if (*s == '"' || *s == '\\')
            strbuf_printf(b, "\\%c", *s);
        else if (*s == '\n')
            strbuf_puts(b, "\\n");
        else if (*s < 0x20 || *s == 0x7f)
            strbuf_printf(b, "\\u%04x", *s);
        else
            strbuf_add(b, s, n);
        s += n ? n : 1;
    }
    strbuf_puts(b, "\"");
}

void json_open(struct json_out *o, char bracket)
{
    item(o);
    strbuf_add(o->b, &bracket, 1);
    o->depth++;
    o->first = true;
}

void json_close(struct json_out *o, char bracket)
{
    o->depth--;
    if (!o->first) {
        strbuf_puts(o->b, "\n");
        for (unsigned i = 0; i < o->depth; i++)
            strbuf_puts(o->b, "  ");
    }
    strbuf_add(o->b, &bracket, 1);
    o->first = false;
    if (o->depth == 0)
        strbuf_puts(o->b, "\n");
}

void json_put_key(struct json_out *o, const char *key)
{
    item(o);
    quoted(o->b, key);
    strbuf_puts(o->b, ": ");
    o->after_key = true;
}

void json_put_string(struct json_out *o, const char *s)
{
    item(o);
    if (s)
        quoted(o->b, s);
    else
        strbuf_puts(o->b, "null");
}

void json_put_u64(struct json_out *o, uint64_t v)
{
    item(o);
    strbuf_printf(o->b, "%" PRIu64, v);
}

void json_put_i64(struct json_out *o, int64_t v)
{
    item(o);
    strbuf_printf(o->b, "%" PRId64, v);
}

void json_put_u64s(struct json_out *o, const uint64_t *v, size_t n)
{
    item(o);
    strbuf_puts(o->b, "[");
    for (size_t i = 0; i < n; i++)
        strbuf_printf(o->b, "%s%" PRIu64, i ? ", " : "", v[i]);
    strbuf_puts(o->b, "]");
}

void json_put_i64s(struct json_out *o, const int64_t *v, size_t n)
{
    item(o);
    strbuf_puts(o->b, "[");
    for (size_t i = 0; i < n; i++)
        strbuf_printf(o->b, "%s%" PRId64, i ? ", " : "", v[i]);
    strbuf_puts(o->b, "]");
}

void json_put_double(struct json_out *o, double v)
{
    item(o);
    if (isfinite(v))
        strbuf_printf(o->b, "%.17g", v);
    else
        strbuf_puts(o->b, "null");
}

void json_put_bool(struct json_out *o, bool v)
{
    item(o);
    strbuf_puts(o->b, v ? "true" : "false");
}

void json_field_open(struct json_out *o, const char *key, char bracket)
{
    json_put_key(o, key);
    json_open(o, bracket);
}

void json_field_string(struct json_out *o, const char *key, const char *s)
{
    json_put_key(o, key);
    json_put_string(o, s);
}

void json_field_u64(struct json_out *o, const char *key, uint64_t v)
{
    json_put_key(o, key);
    json_put_u64(o, v);
}

void json_field_i64(struct json_out *o, const char *key, int64_t v)
{
    json_put_key(o, key);
    json_put_i64(o, v);
}

void json_field_bool(struct json_out *o, const char *key, bool v)
{
    json_put_key(o, key);
    json_put_bool(o, v);
}
