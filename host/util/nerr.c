/* Error values: see nerr.h. */
#include "util/nerr.h"

#include <stdio.h>
#include <string.h>

static void cut(char *dst, size_t size, const char *src)
{
    size_t len = strlen(src);
    if (len < size) {
        memmove(dst, src, len + 1);
        return;
    }
    memmove(dst, src, size - 4);
    memcpy(dst + size - 4, "...", 4);
}

int nerr_vset(struct nerr *err, int code, const char *where, const char *fmt, va_list ap)
{
    char text[2 * sizeof err->text];
    int n = vsnprintf(text, sizeof text, fmt, ap);
    if (n < 0)
        text[0] = '\0';
    err->code = code;
    err->runtime_code = 0;
    err->gate = 0;
    cut(err->where, sizeof err->where, where ? where : "");
    cut(err->text, sizeof err->text, text);
    return code;
}

int nerr_set(struct nerr *err, int code, const char *where, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    nerr_vset(err, code, where, fmt, ap);
    va_end(ap);
    return code;
}

int nerr_prefix(struct nerr *err, const char *prefix)
{
    char joined[2 * sizeof err->where];
    int n = snprintf(joined, sizeof joined, "%s%s%s", prefix, err->where[0] ? ": " : "", err->where);
    if (n >= 0)
        cut(err->where, sizeof err->where, joined);
    return err->code;
}

int nerr_exit_code(const struct nerr *err)
{
    switch (err->code) {
    case NERR_OK:
        return 0;
    case NERR_RULE:
    case NERR_MISMATCH:
        return 1;
    case NERR_HANG:
        return 3;
    default:
        return 2;
    }
}
