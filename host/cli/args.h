/*
 * What the verbs share: checked parsers for option values, each of which prints its own complaint and returns
 * false, and the two streams: people read stderr, stdout carries the result, with --json exactly one
 * document.
 */
#ifndef NEFFSIM_CLI_ARGS_H
#define NEFFSIM_CLI_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/nerr.h"
#include "util/strbuf.h"

/* Decimal or 0x hexadecimal, the whole text, min <= value <= max. */
bool arg_u64(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *out);

/* A number of bytes, 1 or more: decimal or 0x hexadecimal, with K, M, G or T for powers of 1024. */
bool arg_size(const char *option, const char *text, uint64_t *out);

/* "A:B" in clocks; either end may be empty. */
bool arg_window(const char *option, const char *text, uint64_t *from, uint64_t *to);

/* One of the words in the NULL-terminated list; *index is its place. */
bool arg_word(const char *option, const char *text, const char *const *words, unsigned *index);

/* "neffsim: " and a sentence on stderr; control characters, which names in a file may hold, become '?'.
 * Returns 2. */
int cli_complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* "neffsim: where: text" on stderr. Returns the exit code of the error. */
int cli_fail(const struct nerr *err);

/* "neffsim: warning: where: text" on stderr. */
void cli_warn(const char *where, const char *text);

/* After getopt_long returned '?': names the option that is unknown or lacks its value. Returns 2. */
int cli_bad_option(const char *verb, int argc, char **argv);

/*
 * Writes the file that -o names, whole or not at all (util/file.h), also when a signal comes meanwhile: it
 * ends the program behind that. input: the file that was read, NULL for none; it is never overwritten.
 * Returns 0 or *err's code.
 */
int cli_write(const char *input, const char *path, const void *buf, size_t len, struct nerr *err);

/* The result for people: text on stdout, its control characters as '?'. */
void cli_text(const struct strbuf *text);

/* The JSON document of a verb on stdout. */
void cli_document(const struct strbuf *json);

/*
 * The end of every verb: with --json among the arguments a verb that failed without a document gets one that
 * says why; what could not be written to stdout makes the exit code 2.
 */
int cli_finish(int argc, char **argv, int code);

#endif
