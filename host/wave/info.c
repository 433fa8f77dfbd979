/* The numbers about a wave: see info.h. */
#include "wave/info.h"

#include <stdlib.h>
#include <string.h>

#include "util/strbuf.h"
#include "wave/settle.h"

struct counts {
    uint64_t changes; /* the first value included */
    bool later;       /* changed after the first step */
};

/* Length of the scope without its last dot. */
static size_t scope_length(const struct wave_var *v)
{
    return v->scope ? v->scope - 1 : 0;
}

static int by_scope(const void *a, const void *b)
{
    const struct wave_var *x = *(const struct wave_var *const *)a, *y = *(const struct wave_var *const *)b;
    size_t n = scope_length(x), m = scope_length(y);
    int c = memcmp(x->name, y->name, n < m ? n : m);
    return c ? c : n < m ? -1 : n > m;
}

static int by_activity(const void *a, const void *b)
{
    const struct wave_scope_activity *x = a, *y = b;
    if (x->changes != y->changes)
        return x->changes > y->changes ? -1 : 1;
    return strcmp(x->scope, y->scope);
}

/* Groups the names by scope: sorted pointers, then one entry per run. */
static bool list_scopes(const struct wave_reader *r, const struct counts *counts, struct wave_summary *out)
{
    const struct wave_var **sorted = calloc(r->nvars + 1, sizeof *sorted);
    bool good = sorted != NULL;
    size_t n = 0;
    for (size_t i = 0; good && i < r->nvars; i++)
        sorted[i] = &r->vars[i];
    if (good)
        qsort(sorted, r->nvars, sizeof *sorted, by_scope);
    for (size_t i = 0; good && i < r->nvars; i++)
        n += i == 0 || by_scope(&sorted[i - 1], &sorted[i]) != 0;
    if (good)
        out->list = calloc(n + 1, sizeof *out->list);
    good = good && out->list;
    for (size_t i = 0; good && i < r->nvars; i++) {
        if (i == 0 || by_scope(&sorted[i - 1], &sorted[i]) != 0) {
            out->list[out->nlist].scope = text_copy_n(sorted[i]->name, scope_length(sorted[i]));
            good = out->list[out->nlist++].scope != NULL;
        }
        out->list[out->nlist - 1].names++;
        out->list[out->nlist - 1].changes += counts[sorted[i]->signal].changes;
    }
    if (good)
        qsort(out->list, out->nlist, sizeof *out->list, by_activity);
    free(sorted);
    return good;
}

static int count(struct wave_reader *r, struct counts *counts, struct wave_summary *out, struct nerr *err)
{
    struct wave_settle s;
    int rc = wave_settle_start(&s, r, NULL, err);
    while (!rc && !(rc = wave_settle_step(&s, err)) && !s.ended) {
        if (out->steps++ == 0)
            out->start = s.time;
        if (s.time > out->end)
            out->end = s.time;
        out->changes += s.nchanged;
        for (size_t i = 0; i < s.nchanged; i++) {
            counts[s.changed[i]].changes++;
            counts[s.changed[i]].later = out->steps > 1;
        }
    }
    out->records = s.records;
    wave_settle_free(&s);
    for (uint32_t i = 0; i < r->nsignals; i++)
        out->quiet += !counts[i].later;
    return rc;
}

static void copy_head(const struct wave_reader *r, struct wave_summary *out)
{
    out->format = r->format;
    out->exponent = r->exponent;
    out->factor = r->factor;
    out->has_timescale = r->has_timescale;
    out->timezero = r->timezero;
    out->scopes = r->nscopes;
    out->names = r->nvars;
    out->signals = r->nsignals;
    out->incomplete = r->incomplete;
    out->complete_to = r->complete_to;
    memcpy(out->note, r->note, sizeof out->note);
}

int wave_summarise(const char *path, const struct wave_open_options *options, struct wave_summary *out,
                   struct nerr *err)
{
    struct wave_reader *r;
    memset(out, 0, sizeof *out);
    int rc = wave_reader_open_with(path, options, &r, err);
    if (rc)
        return rc;
    copy_head(r, out);
    struct counts *counts = calloc((size_t)r->nsignals + 1, sizeof *counts);
    if (!counts)
        rc = nerr_set(err, NERR_MEM, path, "out of memory");
    if (!rc)
        rc = count(r, counts, out, err);
    if (!rc && r->end > out->end) /* an FST says so itself */
        out->end = r->end;
    if (!rc && strcmp(r->format, "FST") == 0)
        out->start = r->start;
    if (!rc && !list_scopes(r, counts, out))
        rc = nerr_set(err, NERR_MEM, path, "out of memory");
    free(counts);
    wave_reader_close(r);
    return rc;
}

void wave_summary_free(struct wave_summary *s)
{
    for (size_t i = 0; i < s->nlist; i++)
        free(s->list[i].scope);
    free(s->list);
    memset(s, 0, sizeof *s);
}
