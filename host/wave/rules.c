/* Rule files: see compare.h and docs/waves.md. One rule per line; what cannot be read is named by its place.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/file.h"
#include "util/strbuf.h"
#include "wave/compare.h"
#include "wave/expr.h"
#include "wave/grow.h"

#define FILE_MAX ((size_t)256 << 20)

struct wave_rule_file {
    char *path, *text;
    struct wave_rule *rules;
    size_t nrules, rule_capacity;
    const char **names; /* B-NAMEs of all map rules */
    size_t nnames, name_capacity;
};

/* One line while it is read. */
struct line {
    struct wave_rule_file *f;
    unsigned number;
    char *start, *p; /* p: what comes next */
    char *word;      /* that was read last */
    struct nerr *err;
};

static int bad(const struct line *l, const char *at, const char *fmt, const char *what)
{
    char where[192];
    snprintf(where, sizeof where, "%.140s %u:%zu", l->f->path, l->number, (size_t)(at - l->start) + 1);
    return nerr_set(l->err, NERR_INPUT, where, fmt, what);
}

static char *skip(char *p)
{
    while (*p == ' ' || *p == '\t')
        p++;
    return p;
}

/* The next word, or NULL at the end of the line. */
static char *word(struct line *l)
{
    l->p = l->word = skip(l->p);
    if (!*l->p)
        return NULL;
    while (*l->p && *l->p != ' ' && *l->p != '\t')
        l->p++;
    if (*l->p)
        *l->p++ = '\0';
    return l->word;
}

static int expect(struct line *l, const char *what, const char **out)
{
    *out = word(l);
    return *out ? 0 : bad(l, l->word, "%s is missing", what);
}

static int expect_time(struct line *l, const char *what, struct wave_bound *out)
{
    const char *text;
    int rc = expect(l, what, &text);
    if (!rc && wave_bound_parse(text, out, l->err) != 0)
        rc = bad(l, text, "'%s' is no time; write ticks of file A, or a number with a unit (10ns)", text);
    return rc;
}

static int expect_end(struct line *l)
{
    return word(l) ? bad(l, l->word, "'%s' is more than the rule takes", l->word) : 0;
}

static int map(struct line *l, struct wave_rule *r)
{
    struct wave_rule_file *f = l->f;
    size_t first = f->nnames;
    int rc = expect(l, "the name in A", &r->name);
    while (!rc && word(l)) {
        if (!WAVE_GROW(&f->names, &f->name_capacity, f->nnames + 1))
            return nerr_set(l->err, NERR_MEM, f->path, "out of memory");
        f->names[f->nnames++] = l->word;
    }
    r->nothers = f->nnames - first;
    if (rc || r->nothers)
        return rc;
    return bad(l, l->word, "%s is missing", "the name in B");
}

/* "a0", "0xa0" or "16'ha0": leaves the digits. */
static int mask(struct line *l, struct wave_rule *r)
{
    int rc = expect(l, "the name", &r->name);
    if (!rc)
        rc = expect(l, "the mask, hexadecimal, ones for the bits to compare,", &r->text);
    if (!rc && !wave_mask_digits(r->text, &r->text))
        rc = bad(l, r->text, "'%s' is no hexadecimal number", r->text);
    return rc ? rc : expect_end(l);
}

static int when(struct line *l, struct wave_rule *r)
{
    size_t column;
    struct nerr ignored;
    int rc = expect(l, "the name", &r->name);
    if (rc)
        return rc;
    l->p = skip(l->p);
    r->text = l->p;
    if (!*l->p)
        return bad(l, l->p, "%s is missing", "the condition");
    rc = wave_expr_check(r->text, &column, &ignored);
    return rc ? bad(l, r->text + column - 1, "%s", ignored.text) : 0;
}

static int tol(struct line *l, struct wave_rule *r)
{
    int rc = expect(l, "the name", &r->name);
    if (!rc)
        rc = expect_time(l, "the lead", &r->lead);
    if (!rc)
        rc = expect_time(l, "the lag", &r->lag);
    return rc ? rc : expect_end(l);
}

static int one_name(struct line *l, struct wave_rule *r)
{
    int rc = expect(l, "the name", &r->name);
    return rc ? rc : expect_end(l);
}

static int rule(struct line *l)
{
    struct wave_rule_file *f = l->f;
    struct wave_rule r = { .file = f->path, .line = l->number };
    const char *w = word(l);
    int rc;
    if (!w)
        return 0;
    if (strcmp(w, "map") == 0) {
        r.kind = WAVE_RULE_MAP;
        rc = map(l, &r);
    } else if (strcmp(w, "ignore") == 0 || strcmp(w, "only") == 0) {
        r.kind = *w == 'i' ? WAVE_RULE_IGNORE : WAVE_RULE_ONLY;
        rc = one_name(l, &r);
    } else if (strcmp(w, "mask") == 0) {
        r.kind = WAVE_RULE_MASK;
        rc = mask(l, &r);
    } else if (strcmp(w, "tol") == 0) {
        r.kind = WAVE_RULE_TOL;
        rc = tol(l, &r);
    } else if (strcmp(w, "when") == 0) {
        r.kind = WAVE_RULE_WHEN;
        rc = when(l, &r);
    } else {
        return bad(l, w, "'%s' is no rule; there are map, ignore, only, mask, tol and when", w);
    }
    if (!rc && !WAVE_GROW(&f->rules, &f->rule_capacity, f->nrules + 1))
        rc = nerr_set(l->err, NERR_MEM, f->path, "out of memory");
    if (!rc)
        f->rules[f->nrules++] = r;
    return rc;
}

/* A comment begins with # at the start of a word. */
static void cut_comment(char *line)
{
    for (char *p = line; *p; p++)
        if (*p == '#' && (p == line || p[-1] == ' ' || p[-1] == '\t')) {
            *p = '\0';
            return;
        }
}

static int parse(struct wave_rule_file *f, size_t len, struct nerr *err)
{
    unsigned number = 0;
    int rc = 0;
    for (char *p = f->text, *end = f->text + len; p < end && !rc;) {
        char *feed = memchr(p, '\n', (size_t)(end - p)), *stop = feed ? feed : end;
        number++;
        struct line l = { .f = f, .number = number, .start = p, .p = p, .word = p, .err = err };
        char *zero = memchr(p, '\0', (size_t)(stop - p));
        if (zero)
            return bad(&l, zero, "%s", "a byte 0 is no text");
        if (stop > p && stop[-1] == '\r')
            stop[-1] = '\0';
        *stop = '\0';
        cut_comment(p);
        for (char *q = p + strlen(p); q > p && (q[-1] == ' ' || q[-1] == '\t');)
            *--q = '\0';
        rc = rule(&l);
        p = feed ? feed + 1 : end;
    }
    size_t next = 0; /* the list of names does not move any more */
    for (size_t i = 0; i < f->nrules; i++)
        if (f->rules[i].kind == WAVE_RULE_MAP) {
            f->rules[i].others = f->names + next;
            next += f->rules[i].nothers;
        }
    return rc;
}

int wave_rules_read(const char *path, struct wave_rule_file **out, struct nerr *err)
{
    uint8_t *bytes = NULL;
    size_t len;
    struct wave_rule_file *f = calloc(1, sizeof *f);
    *out = f;
    if (!f || !(f->path = text_copy(path)))
        return nerr_set(err, NERR_MEM, path, "out of memory");
    int rc = file_read(path, FILE_MAX, &bytes, &len, err);
    f->text = (char *)bytes;
    return rc ? rc : parse(f, len, err);
}

const struct wave_rule *wave_rules_list(const struct wave_rule_file *f, size_t *count)
{
    *count = f->nrules;
    return f->rules;
}

void wave_rules_free(struct wave_rule_file *f)
{
    if (!f)
        return;
    free(f->path);
    free(f->text);
    free(f->rules);
    free(f->names);
    free(f);
}

bool wave_mask_digits(const char *text, const char **digits)
{
    const char *quote = strchr(text, '\'');
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        text += 2;
    else if (quote && (quote[1] == 'h' || quote[1] == 'H') &&
             strspn(text, "0123456789") == (size_t)(quote - text))
        text = quote + 2;
    *digits = text;
    return *text && text[strspn(text, "0123456789abcdefABCDEF")] == '\0';
}
