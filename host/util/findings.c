/* The list of problems that `check` collects: see findings.h. */
#include "util/findings.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "util/strbuf.h"

#define DEFAULT_LIMIT 1000

static size_t limit_of(const struct findings *f)
{
    return f->limit ? f->limit : DEFAULT_LIMIT;
}

static size_t problems(const struct findings *f)
{
    return f->seen[FINDING_RULE] + f->seen[FINDING_INPUT];
}

static void release(struct finding *x)
{
    free(x->member);
    free(x->place);
    free(x->text);
}

static int no_memory(struct nerr *err)
{
    return nerr_set(err, NERR_MEM, "", "out of memory for the list of findings");
}

static int grow(struct findings *f, struct nerr *err)
{
    if (f->count < f->capacity)
        return 0;
    size_t capacity = f->capacity ? 2 * f->capacity : 16;
    struct finding *more =
        capacity < SIZE_MAX / sizeof *more ? realloc(f->list, capacity * sizeof *more) : NULL;
    if (!more)
        return no_memory(err);
    f->list = more;
    f->capacity = capacity;
    return 0;
}

int findings_add_at(struct findings *f, enum finding_level level, int tier, const char *member,
                    const char *place, const struct nerr *what, struct nerr *err)
{
    f->seen[level]++;
    size_t others = f->seen[FINDING_NOTE] + f->seen[FINDING_WARNING];
    if ((level >= FINDING_RULE ? problems(f) : others) > limit_of(f)) {
        f->dropped++;
        return 0;
    }
    int rc = grow(f, err);
    if (rc)
        return rc;
    struct finding x = { .level = level,
                         .tier = tier,
                         .runtime_code = what->runtime_code,
                         .gate = what->gate,
                         .member = text_copy(member),
                         .place = text_copy(place),
                         .text = text_copy(what->text) };
    if (!x.member || !x.place || !x.text) {
        release(&x);
        return no_memory(err);
    }
    f->list[f->count++] = x;
    return 0;
}

int findings_add(struct findings *f, enum finding_level level, int tier, const struct nerr *what,
                 struct nerr *err)
{
    const char *space = strchr(what->where, ' ');
    size_t n = space ? (size_t)(space - what->where) : strlen(what->where);
    char member[sizeof what->where];
    memcpy(member, what->where, n);
    member[n] = '\0';
    return findings_add_at(f, level, tier, member, space ? space + 1 : "", what, err);
}

size_t findings_count(const struct findings *f, enum finding_level level)
{
    return f->seen[level];
}

int findings_exit_code(const struct findings *f)
{
    return f->seen[FINDING_INPUT] ? 2 : f->seen[FINDING_RULE] ? 1 : 0;
}

bool findings_stop(const struct findings *f)
{
    return f->first && findings_exit_code(f) != 0;
}

bool findings_full(const struct findings *f)
{
    return problems(f) >= limit_of(f);
}

enum finding_level findings_level(const struct nerr *what)
{
    return nerr_exit_code(what) == 1 ? FINDING_RULE : FINDING_INPUT;
}

void findings_free(struct findings *f)
{
    for (size_t i = 0; i < f->count; i++)
        release(&f->list[i]);
    free(f->list);
    *f = (struct findings){ .limit = f->limit, .first = f->first };
}
