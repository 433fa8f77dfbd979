/* What to do with a problem while the manifests are read: see parse.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "neff/container.h"
#include "neff/parse.h"
#include "regs.h"
#include "util/strbuf.h"

/* "12:3" of an unreadable document becomes "line 12 column 3". */
static void place_text(const char *place, bool input, char *buf, size_t size)
{
    size_t line, column;
    int n = 0;
    if (input && sscanf(place, "%zu:%zu%n", &line, &column, &n) == 2 && place[n] == '\0')
        snprintf(buf, size, "line %zu column %zu", line, column);
    else
        snprintf(buf, size, "%s", place);
}

/* Adds what->text at a member; what->where begins with the member when it is about a part of it. */
static int record(struct parse *p, enum finding_level level, int tier, const char *member,
                  const struct nerr *what)
{
    char place[sizeof what->where + 32];
    struct nerr memory;
    size_t n = strlen(member);
    const char *rest = what->where;
    if (strncmp(rest, member, n) == 0 && (rest[n] == ' ' || rest[n] == '\0'))
        rest += rest[n] ? n + 1 : n;
    place_text(rest, level == FINDING_INPUT, place, sizeof place);
    int rc = findings_add_at(p->sink, level, tier, member, place, what, &memory);
    if (rc) {
        *p->err = memory;
        p->stopped = true;
        return rc;
    }
    p->stopped = findings_stop(p->sink) || findings_full(p->sink);
    return 0;
}

int parse_problem(struct parse *p, const char *member, int tier, int rc, bool *bad)
{
    if (rc == 0 || !p->sink || p->stopped)
        return rc;
    if (bad)
        *bad = true;
    if (rc == NERR_MEM) {
        p->stopped = true;
        return rc;
    }
    if (p->err->runtime_code == 0)
        p->err->runtime_code = NRT_INVALID; /* §8: whatever fails in the chain fails the load with code 2 */
    rc = record(p, findings_level(p->err), tier, member, p->err);
    return rc ? rc : p->stopped ? p->err->code : 0;
}

int parse_entry(struct parse *p, const struct json *j, int rc, bool *bad)
{
    return parse_problem(p, json_name(j), TIER_SECTION, rc, bad);
}

static int remark(struct parse *p, enum finding_level level, const char *member, struct nerr *what)
{
    what->runtime_code = 0;
    if (!p->sink) {
        if (level == FINDING_WARNING)
            neff_warn(p->neff, what->where, "%s", what->text);
        return 0;
    }
    if (p->stopped)
        return p->err->code;
    int rc = record(p, level, TIER_SECTION, member, what);
    if (rc == 0 && p->stopped) {
        *p->err = *what;
        rc = p->err->code;
    }
    return rc;
}

static int remark_at(struct parse *p, enum finding_level level, const struct json *j, const json_value *at,
                     const char *key, const char *fmt, va_list ap)
{
    struct nerr place, what;
    json_error(j, at, key, &place, "%s", "");
    nerr_vset(&what, NERR_RULE, place.where, fmt, ap);
    return remark(p, level, json_name(j), &what);
}

int parse_warn(struct parse *p, const struct json *j, const json_value *at, const char *key, const char *fmt,
               ...)
{
    va_list ap;
    va_start(ap, fmt);
    int rc = remark_at(p, FINDING_WARNING, j, at, key, fmt, ap);
    va_end(ap);
    return rc;
}

int parse_note(struct parse *p, const struct json *j, const json_value *at, const char *key, const char *fmt,
               ...)
{
    va_list ap;
    va_start(ap, fmt);
    int rc = remark_at(p, FINDING_NOTE, j, at, key, fmt, ap);
    va_end(ap);
    return rc;
}

int parse_warn_member(struct parse *p, const char *member, const char *fmt, ...)
{
    struct nerr what;
    va_list ap;
    va_start(ap, fmt);
    nerr_vset(&what, NERR_RULE, member, fmt, ap);
    va_end(ap);
    return remark(p, FINDING_WARNING, member, &what);
}

int parse_repeated_keys(struct parse *p, const struct json *j)
{
    int rc = 0;
    const json_value *v;
    for (size_t i = 0; rc == 0 && p->sink && (v = json_repeated(j, i)); i++)
        rc = parse_warn(p, j, v, NULL, "the object has this key more than once, the first one counts");
    return rc;
}

struct named {
    const char *name;
    size_t order;
};

static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : x->order < y->order ? -1 : x->order > y->order;
}

bool parse_mark_repeats(const char *const *names, size_t n, bool *repeat)
{
    struct named *list = calloc(n + 1, sizeof *list);
    if (!list)
        return false;
    for (size_t i = 0; i < n; i++)
        list[i] = (struct named){ names[i], i };
    qsort(list, n, sizeof *list, by_name);
    for (size_t i = 1; i < n; i++)
        if (strcmp(list[i].name, list[i - 1].name) == 0)
            repeat[list[i].order] = true;
    free(list);
    return true;
}
