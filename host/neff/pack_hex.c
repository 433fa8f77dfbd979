/*
 * Hex dumps as program sources: "OFFSET: xx xx ..." lines (docs/neff-pack.md). A line without bytes moves to
 * its offset, what lies between is zero; "*" repeats the line before up to the next offset, as hexdump prints
 * it.
 */
#include "neff/pack_source.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "util/bytes.h"

#define OFFSET_MAX ((uint64_t)1 << 28) /* no member is larger: a typing error must not fill the memory */

struct reader {
    const char *p, *end; /* of the current line */
    const char *where;
    size_t line;
    struct strbuf *out;
    size_t last_start; /* of the line before, in out */
    bool repeat;       /* a '*' is waiting for its end */
    struct nerr *err;
};

static int fail(struct reader *r, const char *expected)
{
    char where[sizeof r->err->where];
    int n = snprintf(where, sizeof where, "%s:%zu", r->where, r->line);
    (void)n; /* a cut place is still a place */
    return nerr_set(r->err, NERR_INPUT, where, "found \"%.*s\", expected %s",
                    (int)(r->end - r->p < 20 ? r->end - r->p : 20), r->p, expected);
}

static void skip_space(struct reader *r)
{
    while (r->p < r->end && (*r->p == ' ' || *r->p == '\t' || *r->p == '\r'))
        r->p++;
    if (r->p < r->end && *r->p == '#')
        r->p = r->end;
}

static int digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* "OFFSET:" */
static int read_offset(struct reader *r, uint64_t *offset)
{
    const char *start = r->p;
    for (*offset = 0; r->p < r->end && digit(*r->p) >= 0; r->p++) {
        *offset = *offset * 16 + (uint64_t)digit(*r->p);
        if (*offset > OFFSET_MAX)
            return fail(r, "an offset of at most 10000000");
    }
    if (r->p == start || r->p == r->end || *r->p != ':') {
        r->p = start;
        return fail(r, "a hexadecimal offset with a colon");
    }
    r->p++;
    return 0;
}

/* Fills up to offset: with the line before after a '*', else with zeros. */
static int fill_to(struct reader *r, uint64_t offset)
{
    size_t period = r->out->len - r->last_start;
    if (offset < r->out->len || (r->repeat && period == 0))
        return fail(r, "an offset that is not below the bytes before it");
    while (r->out->len < offset && !r->out->failed) {
        size_t n = (size_t)offset - r->out->len;
        if (r->repeat) {
            char line[256];
            size_t piece = period < sizeof line ? period : sizeof line;
            memcpy(line, r->out->s + r->out->len - period, piece);
            strbuf_add(r->out, line, n < piece ? n : piece);
        } else {
            static const char zero[4096];
            strbuf_add(r->out, zero, n < sizeof zero ? n : sizeof zero);
        }
    }
    r->repeat = false;
    return 0;
}

static int read_line(struct reader *r)
{
    uint64_t offset;
    skip_space(r);
    if (r->p == r->end)
        return 0;
    if (*r->p == '*') {
        r->p++;
        skip_space(r);
        if (r->p != r->end || r->out->len == r->last_start)
            return fail(r, "'*' alone on a line after a line of bytes");
        r->repeat = true;
        return 0;
    }
    int rc = read_offset(r, &offset);
    if (rc == 0)
        rc = fill_to(r, offset);
    if (rc)
        return rc;
    r->last_start = r->out->len;
    for (skip_space(r); r->p < r->end; skip_space(r)) {
        int high = digit(r->p[0]), low = r->p + 1 < r->end ? digit(r->p[1]) : -1;
        if (high < 0 || low < 0 || (r->p + 2 < r->end && digit(r->p[2]) >= 0))
            return fail(r, "a byte as two hex digits");
        char byte = (char)(high << 4 | low);
        strbuf_add(r->out, &byte, 1);
        r->p += 2;
    }
    return 0;
}

int hex_read(const char *text, size_t len, const char *where, struct strbuf *out, struct nerr *err)
{
    struct reader r = { .where = where, .out = out, .err = err };
    const char *end = text + len;
    strbuf_puts(out, "");
    for (const char *line = text; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        r.p = line;
        r.end = stop ? stop : end;
        r.line++;
        int rc = read_line(&r);
        if (rc)
            return rc;
        line = r.end + 1;
    }
    if (r.repeat) {
        r.p = r.end = end;
        return fail(&r, "an offset line that ends the repetition");
    }
    return out->failed ? nerr_set(err, NERR_MEM, where, "out of memory") : 0;
}
