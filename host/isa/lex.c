/* Characters of assembly text: see lex.h. */
#include "isa/lex.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool lex_space(struct lexer *lx)
{
    const char *p = lx->p, *end = lx->end;
    for (;;) {
        while (p < end && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r'))
            p++;
        if (p == end || (*p != '#' && *p != '/'))
            break;
        if (*p == '#' || (end - p > 1 && p[1] == '/')) {
            const char *eol = memchr(p, '\n', (size_t)(end - p));
            p = eol ? eol : end;
            continue;
        }
        if (end - p < 2 || p[1] != '*')
            break;
        const char *open = p;
        for (p += 2; end - p >= 2 && !(p[0] == '*' && p[1] == '/'); p++)
            ;
        if (end - p < 2)
            return lex_error(lx, NERR_INPUT, open, "a comment is not closed; expected */");
        p += 2;
    }
    lx->p = p;
    return true;
}

size_t lex_name(const struct lexer *lx)
{
    const char *p = lx->p;
    if (p == lx->end || !is_letter(*p))
        return 0;
    while (p < lx->end && (is_letter(*p) || is_digit(*p) || *p == '.'))
        p++;
    return (size_t)(p - lx->p);
}

bool lex_take(struct lexer *lx, char c)
{
    if (lx->p == lx->end || *lx->p != c)
        return false;
    lx->p++;
    return true;
}

bool lex_take2(struct lexer *lx, const char *two)
{
    if (lx->end - lx->p < 2 || lx->p[0] != two[0] || lx->p[1] != two[1])
        return false;
    lx->p += 2;
    return true;
}

bool lex_need(struct lexer *lx, char c, const char *in)
{
    if (!lex_space(lx))
        return false;
    if (!lex_take(lx, c))
        return lex_expected(lx, lx->p, "'%c' in %s", c, in);
    return lex_space(lx);
}

static int hex_value(char c)
{
    return is_digit(c)            ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

bool lex_integer(struct lexer *lx, uint64_t *value, bool *too_big)
{
    const char *p = lx->p, *end = lx->end;
    uint64_t v = 0;
    *too_big = false;
    if (p == end || !is_digit(*p))
        return false;
    if (end - p > 2 && p[0] == '0' && p[1] == 'x' && hex_value(p[2]) >= 0)
        for (p += 2; p < end && hex_value(*p) >= 0; p++) {
            *too_big = *too_big || v >> 60;
            v = v << 4 | (uint64_t)hex_value(*p);
        }
    else
        for (; p < end && is_digit(*p); p++) {
            uint64_t d = (uint64_t)(*p - '0');
            *too_big = *too_big || v > (UINT64_MAX - d) / 10;
            v = v * 10 + d;
        }
    if (p < end && is_letter(*p)) /* 12ab is no number */
        return false;
    lx->p = p;
    *value = v;
    return true;
}

const char *lex_quote(const char *s, size_t n, char buf[LEX_QUOTE_MAX])
{
    enum { ESCAPE = 4, TAIL = 5 }; /* \xNN; the dots, the quote and the NUL */
    char *out = buf;
    *out++ = '\'';
    for (size_t i = 0; i < n; i++) {
        if (out + ESCAPE + TAIL > buf + LEX_QUOTE_MAX) {
            memcpy(out, "...", 3);
            out += 3;
            break;
        }
        if (s[i] >= ' ' && s[i] <= '~')
            *out++ = s[i];
        else
            out += snprintf(out, ESCAPE + 1, "\\x%02x", (unsigned char)s[i]);
    }
    *out++ = '\'';
    *out = '\0';
    return buf;
}

/* What a person sees as one word at this place. */
static size_t token(const struct lexer *lx, const char *at)
{
    const char *p = at;
    while (p < lx->end && (is_letter(*p) || is_digit(*p) || *p == '.'))
        p++;
    return p > at ? (size_t)(p - at) : at < lx->end;
}

static bool error_at(struct lexer *lx, int code, const char *at, const char *prefix, const char *fmt,
                     va_list ap)
{
    size_t line = 1;
    const char *bol = lx->start;
    for (const char *nl; (nl = memchr(bol, '\n', (size_t)(at - bol))); bol = nl + 1)
        line++;
    char place[sizeof lx->err->where], text[sizeof lx->err->text];
    snprintf(place, sizeof place, "%s %zu:%zu", lx->where, line, (size_t)(at - bol) + 1);
    vsnprintf(text, sizeof text, fmt, ap);
    nerr_set(lx->err, code, place, "%s%s", prefix, text);
    return false;
}

bool lex_error(struct lexer *lx, int code, const char *at, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    error_at(lx, code, at, "", fmt, ap);
    va_end(ap);
    return false;
}

bool lex_expected(struct lexer *lx, const char *at, const char *fmt, ...)
{
    char quoted[LEX_QUOTE_MAX], prefix[LEX_QUOTE_MAX + 32];
    if (at == lx->end)
        snprintf(prefix, sizeof prefix, "the text ends; expected ");
    else
        snprintf(prefix, sizeof prefix, "found %s; expected ", lex_quote(at, token(lx, at), quoted));
    va_list ap;
    va_start(ap, fmt);
    error_at(lx, NERR_INPUT, at, prefix, fmt, ap);
    va_end(ap);
    return false;
}
