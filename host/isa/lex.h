/* The characters of assembly text: white space, comments, names, numbers, and errors with their place. */
#ifndef NEFFSIM_ISA_LEX_H
#define NEFFSIM_ISA_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/nerr.h"

struct lexer {
    const char *start, *p, *end; /* all of the text, the next character, behind the last one */
    const char *where;           /* name of the text in errors */
    struct nerr *err;
};

/* All of these that return bool return false only after setting the error. */

/* Over white space and comments (# and // to the end of the line, slash star ... star slash). */
bool lex_space(struct lexer *lx);

/* Length of the name at the present place: a letter or _, then letters, digits, _ and dots. 0: no name. */
size_t lex_name(const struct lexer *lx);

/* Takes c if it is next. */
bool lex_take(struct lexer *lx, char c);
/* Takes c, which must be next; white space may stand before and behind it. `in` says where it is wanted. */
bool lex_need(struct lexer *lx, char c, const char *in);
/* Takes the two characters if they are next. */
bool lex_take2(struct lexer *lx, const char *two);

/*
 * An integer literal without a sign, decimal or 0x hexadecimal. False without
 * an error when there is no digit; then nothing is taken. *too_big: does not fit 64 bits.
 */
bool lex_integer(struct lexer *lx, uint64_t *value, bool *too_big);

/* "found 'token'; expected ..." at a place in the text. Always false. */
bool lex_expected(struct lexer *lx, const char *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Any sentence at a place in the text; code as nerr_code. Always false. */
bool lex_error(struct lexer *lx, int code, const char *at, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* n characters in single quotes, others than printable ASCII escaped, long ones cut; into buf, which is
 * returned. */
enum { LEX_QUOTE_MAX = 64 };
const char *lex_quote(const char *s, size_t n, char buf[LEX_QUOTE_MAX]);

#endif
