/* Small checked parsers for option values, shared by the verbs. Each prints its own complaint and returns
 * false. */
#ifndef NEFFSIM_CLI_ARGS_H
#define NEFFSIM_CLI_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/nerr.h"

/* Decimal or 0x hexadecimal, the whole text, min <= value <= max. */
bool arg_u64(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *out);

/* "A:B" in clocks; either end may be empty. */
bool arg_window(const char *option, const char *text, uint64_t *from, uint64_t *to);

/* One of the words in the NULL-terminated list; *index is its place. */
bool arg_word(const char *option, const char *text, const char *const *words, unsigned *index);

/* "neffsim: where: text" on stderr. Returns the exit code of the error. */
int cli_fail(const struct nerr *err);

#endif
