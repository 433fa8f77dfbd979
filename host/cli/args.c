/* Option values: see args.h. */
#include "cli/args.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool parse_u64(const char *text, uint64_t *out)
{
    char *end;
    int base = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10;
    if (text[0] < '0' || text[0] > '9')
        return false;
    errno = 0;
    *out = strtoull(text, &end, base);
    return errno == 0 && *end == '\0' && end != text;
}

bool arg_u64(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *out)
{
    if (parse_u64(text, out) && *out >= min && *out <= max)
        return true;
    fprintf(stderr, "neffsim: %s: '%s' is not a number from %" PRIu64 " to %" PRIu64 "\n", option, text, min,
            max);
    return false;
}

bool arg_window(const char *option, const char *text, uint64_t *from, uint64_t *to)
{
    char left[32];
    const char *colon = strchr(text, ':');
    size_t n = colon ? (size_t)(colon - text) : 0;
    *from = 0;
    *to = UINT64_MAX;
    if (colon && n < sizeof left) {
        memcpy(left, text, n);
        left[n] = '\0';
        if ((n == 0 || parse_u64(left, from)) && (colon[1] == '\0' || parse_u64(colon + 1, to)) &&
            *from <= *to)
            return true;
    }
    fprintf(stderr, "neffsim: %s: '%s' is not a window A:B of clocks with A <= B\n", option, text);
    return false;
}

bool arg_word(const char *option, const char *text, const char *const *words, unsigned *index)
{
    for (*index = 0; words[*index]; ++*index)
        if (strcmp(text, words[*index]) == 0)
            return true;
    fprintf(stderr, "neffsim: %s: '%s' is not one of:", option, text);
    for (unsigned i = 0; words[i]; i++)
        fprintf(stderr, " %s", words[i]);
    fputc('\n', stderr);
    return false;
}

int cli_fail(const struct nerr *err)
{
    if (err->where[0])
        fprintf(stderr, "neffsim: %s: %s\n", err->where, err->text);
    else
        fprintf(stderr, "neffsim: %s\n", err->text);
    return nerr_exit_code(err);
}
