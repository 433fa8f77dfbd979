/* Growing strings: see strbuf.h. */
#include "util/strbuf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/bytes.h"

/* Room for n more bytes and the NUL. */
static bool reserve(struct strbuf *b, size_t n)
{
    size_t need;
    if (b->failed || !add_size(b->len, n, &need) || !add_size(need, 1, &need)) {
        b->failed = true;
        return false;
    }
    if (need <= b->capacity)
        return true;
    size_t capacity = b->capacity ? b->capacity : 64;
    while (capacity < need)
        if (!mul_size(capacity, 2, &capacity))
            capacity = need;
    char *s = realloc(b->s, capacity);
    if (!s) {
        b->failed = true;
        return false;
    }
    b->s = s;
    b->capacity = capacity;
    return true;
}

void strbuf_add(struct strbuf *b, const void *bytes, size_t n)
{
    if (!reserve(b, n))
        return;
    if (n)
        memcpy(b->s + b->len, bytes, n);
    b->len += n;
    b->s[b->len] = '\0';
}

void strbuf_puts(struct strbuf *b, const char *text)
{
    strbuf_add(b, text, strlen(text));
}

static void vprintf_to(struct strbuf *b, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    if (n < 0)
        b->failed = true;
    else if (reserve(b, (size_t)n)) {
        vsnprintf(b->s + b->len, (size_t)n + 1, fmt, again);
        b->len += (size_t)n;
    }
    va_end(again);
}

void strbuf_printf(struct strbuf *b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vprintf_to(b, fmt, ap);
    va_end(ap);
}

void strbuf_free(struct strbuf *b)
{
    free(b->s);
    *b = (struct strbuf){ 0 };
}

char *text_copy_n(const char *s, size_t n)
{
    struct strbuf b = { 0 };
    strbuf_add(&b, s, n);
    if (b.failed)
        strbuf_free(&b);
    return b.s;
}

char *text_copy(const char *s)
{
    return text_copy_n(s, strlen(s));
}

char *text_printf(const char *fmt, ...)
{
    struct strbuf b = { 0 };
    va_list ap;
    va_start(ap, fmt);
    vprintf_to(&b, fmt, ap);
    va_end(ap);
    if (b.failed)
        strbuf_free(&b);
    return b.s;
}
