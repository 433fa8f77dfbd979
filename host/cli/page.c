/* Headings, facts, colours and harmless text: see page.h. Tables are table.c. */
#include "cli/page.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/page_text.h"

#define FACT_COLUMN 14

bool page_colour(const char *when, bool *colour)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    if (strcmp(when, "auto") == 0)
        *colour = isatty(STDOUT_FILENO) && !(no && no[0]) && !(term && strcmp(term, "dumb") == 0);
    else if (strcmp(when, "always") == 0 || strcmp(when, "never") == 0)
        *colour = when[0] == 'a';
    else
        return false;
    return true;
}

/* Bytes of the UTF-8 character at s, 0 when there is none or it is a control character. */
static size_t character(const unsigned char *s)
{
    if (s[0] < 0x80)
        return s[0] >= ' ' && s[0] != 0x7f;
    size_t n = s[0] >= 0xf0 && s[0] < 0xf5   ? 4
               : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
               : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
                                             : 0;
    if (n == 2 && s[0] == 0xc2 && s[1] < 0xa0) /* C1 controls */
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    return n;
}

/* Bytes of what becomes one column. */
static size_t step(const unsigned char *s)
{
    size_t n = character(s);
    return n ? n : s[0] == 0xc2 && (s[1] & 0xe0) == 0x80 ? 2 : 1;
}

void page_clean(struct strbuf *out, const char *text, size_t width)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t dots = text_width(text) > width ? (width < 3 ? width : 3) : 0;
    for (size_t left = width - dots; *s && left; left--) {
        size_t n = character(s);
        if (n)
            strbuf_add(out, s, n);
        else
            strbuf_add(out, "?", 1);
        s += step(s);
    }
    strbuf_add(out, "...", dots);
}

size_t text_width(const char *text)
{
    size_t width = 0;
    for (const unsigned char *s = (const unsigned char *)text; *s; width++)
        s += step(s);
    return width;
}

void page_raw(struct page *p, enum page_style style, const char *clean)
{
    static const char *const codes[] = { "", "\033[1m", "\033[2m", "\033[31m", "\033[33m" };
    bool on = p->colour && style != PAGE_PLAIN && clean[0];
    if (on)
        strbuf_puts(&p->b, codes[style]);
    strbuf_puts(&p->b, clean);
    if (on)
        strbuf_puts(&p->b, "\033[0m");
}

/* The formatted text, harmless; NULL when out of memory. The caller frees. */
static char *clean_text(const char *fmt, va_list ap)
{
    struct strbuf clean = { 0 };
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    char *text = n < 0 ? NULL : malloc((size_t)n + 1);
    if (text) {
        vsnprintf(text, (size_t)n + 1, fmt, again);
        page_clean(&clean, text, SIZE_MAX);
        strbuf_puts(&clean, "");
    }
    va_end(again);
    free(text);
    if (clean.failed)
        strbuf_free(&clean);
    return clean.s;
}

static void put_line(struct page *p, enum page_style style, const char *fmt, va_list ap)
{
    char *text = clean_text(fmt, ap);
    p->b.failed = p->b.failed || !text;
    page_raw(p, style, text ? text : "");
    free(text);
}

void page_put(struct page *p, enum page_style style, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    put_line(p, style, fmt, ap);
    va_end(ap);
}

void page_end_line(struct page *p)
{
    strbuf_puts(&p->b, "\n");
}

/* Where to end a line that may take `room` characters: bytes up to the last space that fits, else as many as
 * fit. */
static size_t line_end(const char *text, size_t room)
{
    size_t at = 0, space = 0;
    for (size_t width = 0; text[at] && width < room; width++) {
        if (text[at] == ' ')
            space = at;
        at += step((const unsigned char *)text + at);
    }
    return !text[at] || text[at] == ' ' || !space ? at : space;
}

void page_flow(struct page *p, size_t indent, const char *text)
{
    struct strbuf clean = { 0 };
    size_t room = p->width > indent + 20 ? p->width - indent : 20;
    page_clean(&clean, text, SIZE_MAX);
    for (const char *rest = clean.s ? clean.s : ""; *rest;) {
        size_t n = line_end(rest, room);
        strbuf_add(&p->b, rest, n);
        rest += n;
        while (*rest == ' ')
            rest++;
        if (*rest)
            strbuf_printf(&p->b, "\n%*s", (int)indent, "");
    }
    p->b.failed = p->b.failed || clean.failed;
    strbuf_free(&clean);
}

void page_heading(struct page *p, const char *title, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *text = clean_text(fmt, ap);
    va_end(ap);
    p->b.failed = p->b.failed || !text;
    if (p->b.len)
        page_end_line(p);
    page_raw(p, PAGE_BOLD, title);
    if (text && text[0]) {
        strbuf_puts(&p->b, "  ");
        page_flow(p, text_width(title) + 2, text);
    }
    free(text);
    page_end_line(p);
}

void page_fact(struct page *p, const char *key, const char *fmt, ...)
{
    va_list ap;
    strbuf_puts(&p->b, "  ");
    page_raw(p, PAGE_DIM, key);
    strbuf_printf(&p->b, "%*s", strlen(key) < FACT_COLUMN ? (int)(FACT_COLUMN - strlen(key)) : 1, "");
    va_start(ap, fmt);
    char *text = clean_text(fmt, ap);
    va_end(ap);
    p->b.failed = p->b.failed || !text;
    page_flow(p, FACT_COLUMN + 2, text ? text : "");
    free(text);
    page_end_line(p);
}

struct page_size page_bytes(uint64_t bytes)
{
    static const char units[] = "MGTPE";
    struct page_size s;
    unsigned unit = 0;
    double scaled = (double)bytes / (1024.0 * 1024.0);
    int n = snprintf(s.text, sizeof s.text, "%" PRIu64 " byte%s", bytes, bytes == 1 ? "" : "s");
    while (scaled >= 1024.0 && units[unit + 1]) {
        scaled /= 1024.0;
        unit++;
    }
    if (scaled >= 1.0 && n > 0)
        snprintf(s.text + n, sizeof s.text - (size_t)n, " (%.1f %ciB)", scaled, units[unit]);
    return s;
}

bool page_print(const struct page *p)
{
    return !p->b.failed && (!p->b.s || fwrite(p->b.s, 1, p->b.len, stdout) == p->b.len);
}
