/* Option values: see args.h. */
#include "cli/args.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util/file.h"
#include "util/interrupt.h"
#include "util/json_write.h"

static struct nerr last; /* the latest complaint, for the JSON document of a failure */
static bool documented;  /* a document is on stdout */

int cli_complain(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    nerr_vset(&last, NERR_INPUT, "", fmt, ap);
    va_end(ap);
    return cli_fail(&last);
}

static void visible(char *s, const char *kept)
{
    for (; *s; s++)
        if (((unsigned char)*s < ' ' || *s == 0x7f) && !strchr(kept, *s))
            *s = '?';
}

int cli_fail(const struct nerr *err)
{
    struct nerr e = *err;
    visible(e.where, "");
    visible(e.text, "");
    fprintf(stderr, "neffsim: %s%s%s\n", e.where, e.where[0] ? ": " : "", e.text);
    last = *err;
    return nerr_exit_code(err);
}

void cli_warn(const char *where, const char *text)
{
    struct nerr e;
    nerr_set(&e, NERR_OK, where, "%s", text);
    visible(e.where, "");
    visible(e.text, "");
    fprintf(stderr, "neffsim: warning: %s%s%s\n", e.where, e.where[0] ? ": " : "", e.text);
}

static bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && S_ISREG(x.st_mode) && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino;
}

int cli_write(const char *input, const char *path, const void *buf, size_t len, struct nerr *err)
{
    if (input && same_file(input, path))
        return nerr_set(err, NERR_INPUT, path, "is the file that was read; -o needs another one");
    interrupt_catch();
    return file_write(path, buf, len, err);
}

int cli_bad_option(const char *verb, int argc, char **argv)
{
    const char *word = optind > 0 && optind <= argc ? argv[optind - 1] : "";
    return cli_complain("%s: '%s' is no option or lacks its value; see neffsim %s --help", verb, word, verb);
}

void cli_text(const struct strbuf *text)
{
    if (!text->s)
        return;
    visible(text->s, "\n\t");
    fwrite(text->s, 1, strlen(text->s), stdout);
}

void cli_document(const struct strbuf *json)
{
    documented = true;
    if (json->s)
        fwrite(json->s, 1, json->len, stdout);
}

static void document_failure(int code)
{
    struct strbuf b = { 0 };
    struct json_out o = { .b = &b };
    json_open(&o, '{');
    json_put_key(&o, "verdict");
    json_put_string(&o, "error");
    json_put_key(&o, "exit");
    json_put_i64(&o, code);
    json_put_key(&o, "where");
    json_put_string(&o, last.where);
    json_put_key(&o, "text");
    json_put_string(&o, last.text);
    json_close(&o, '}');
    cli_document(&b);
    strbuf_free(&b);
}

int cli_finish(int argc, char **argv, int code)
{
    bool json = false;
    for (int i = 1; i < argc; i++)
        json = json || strcmp(argv[i], "--json") == 0;
    if (json && code != 0 && !documented)
        document_failure(code);
    if (fflush(stdout) != 0 || ferror(stdout))
        return cli_complain("stdout: cannot write: %s", strerror(errno));
    return code;
}

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
    cli_complain("%s: '%s' is not a number from %" PRIu64 " to %" PRIu64, option, text, min, max);
    return false;
}

bool arg_size(const char *option, const char *text, uint64_t *out)
{
    static const char units[] = "KMGT";
    char digits[32];
    size_t n = strlen(text);
    const char *unit = n ? strchr(units, text[n - 1]) : NULL;
    unsigned shift = unit ? 10 * ((unsigned)(unit - units) + 1) : 0;
    n -= unit != NULL;
    if (n < sizeof digits) {
        memcpy(digits, text, n);
        digits[n] = '\0';
        if (parse_u64(digits, out) && *out > 0 && *out <= UINT64_MAX >> shift) {
            *out <<= shift;
            return true;
        }
    }
    cli_complain("%s: '%s' is not a number of bytes, such as 4096, 512M or 8G", option, text);
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
    cli_complain("%s: '%s' is not a window A:B of clocks with A <= B", option, text);
    return false;
}

bool arg_word(const char *option, const char *text, const char *const *words, unsigned *index)
{
    for (*index = 0; words[*index]; ++*index)
        if (strcmp(text, words[*index]) == 0)
            return true;
    struct strbuf list = { 0 };
    for (unsigned i = 0; words[i]; i++)
        strbuf_printf(&list, " %s", words[i]);
    cli_complain("%s: '%s' is not one of:%s", option, text, list.s ? list.s : "");
    strbuf_free(&list);
    return false;
}
