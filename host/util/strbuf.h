/*
 * A growing byte string, always NUL terminated once something was added. An allocation failure is sticky:
 * later adds do nothing and `failed` is set, so a writer checks once at its end.
 */
#ifndef NEFFSIM_UTIL_STRBUF_H
#define NEFFSIM_UTIL_STRBUF_H

#include <stdbool.h>
#include <stddef.h>

struct strbuf { /* start from { 0 } */
    char *s;    /* NULL until the first add */
    size_t len;
    size_t capacity;
    bool failed;
};

void strbuf_add(struct strbuf *b, const void *bytes, size_t n);
void strbuf_puts(struct strbuf *b, const char *text);
void strbuf_printf(struct strbuf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void strbuf_free(struct strbuf *b); /* back to { 0 } */

/* Copy of a string or of n bytes plus a NUL; NULL when out of memory. The caller frees. */
char *text_copy(const char *s);
char *text_copy_n(const char *s, size_t n);
/* A formatted string of its own; NULL when out of memory. The caller frees. */
char *text_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
