/* Golden and actual side by side in GTKWave: see gtkw_diff.h. */
#include "wave/gtkw_diff.h"

#include <stdlib.h>
#include <string.h>

#include "util/file.h"
#include "wave/gtkw.h"
#include "wave/merge.h"
#include "wave/report_private.h"
#include "wave/strip.h"

#define ROWS_PER_SIGNAL 3

/* The listed signals whose values differ at a time. */
static size_t choose(const struct wave_result *res, const struct wave_signal_result **list, const char **a,
                     const char **b)
{
    size_t n = 0;
    for (size_t i = 0; i < res->nlist; i++) {
        const struct wave_signal_result *s = &res->list[i];
        if (s->kind != WAVE_DIFF_VALUE || !s->name_a || !s->name_b || !s->first.text)
            continue;
        a[n] = s->name_a;
        b[n] = s->name_b;
        list[n++] = s;
    }
    return n;
}

/* Short: GTKWave makes the column of names as wide as the longest. */
static char *comment_of(const struct wave_signal_result *s)
{
    return text_printf("differs at %s", s->first.text);
}

/* What the first strip of a report shows. */
static int choose_view(const struct wave_report *r, const struct wave_merge *m, struct gtkw_view *view,
                       struct nerr *err)
{
    struct wave_strips strips;
    int rc = wave_strips_read(r->path_a, r->path_b, r->options, r->result, 1, &strips, err);
    view->marker = m->marker;
    if (r->options->clock.signal && view->marker > 0) /* what counts is the value before the edge */
        view->marker--;
    if (!rc && strips.n) {
        wave_time before = strips.list[0].first - strips.list[0].from;
        wave_time after = strips.list[0].to - strips.list[0].first;
        view->from = before < (wave_time)m->marker ? m->marker - (uint64_t)before : 0;
        view->to = after < INT64_MAX ? m->marker + (uint64_t)after : view->from;
    }
    wave_strips_free(&strips);
    return rc;
}

/* "q[3:0] golden" for "golden.top.q[3:0]". */
static char *alias_of(const char *name, const char *word)
{
    size_t depth = 0;
    const char *base = name;
    for (const char *p = name; *p; p++) {
        depth += *p == '[' || *p == '{';
        depth -= (*p == ']' || *p == '}') && depth > 0;
        if (*p == '.' && depth == 0)
            base = p + 1;
    }
    char *alias = text_printf("%s %s", base, word);
    for (char *p = alias; p && *p; p++)
        if (*p == '{' || *p == '}')
            *p = '_';
    return alias;
}

/* The three rows of a signal; the texts in them are for the caller to free, also after a failure. */
static bool put_rows(struct gtkw_row *rows, const struct wave_merge_signal *m,
                     const struct wave_signal_result *s)
{
    static const char *const words[ROWS_PER_SIGNAL] = { "golden", "actual", "differs" };
    static const enum gtkw_color colors[ROWS_PER_SIGNAL] = { GTKW_GREEN, GTKW_ORANGE, GTKW_RED };
    const char *const names[ROWS_PER_SIGNAL] = { m->golden, m->actual, m->differs };
    bool complete = true;
    for (int k = 0; k < ROWS_PER_SIGNAL; k++) {
        rows[k] = (struct gtkw_row){ .name = names[k],
                                     .color = colors[k],
                                     .alias = alias_of(names[k % 2], words[k]) };
        complete = complete && rows[k].alias;
    }
    rows[0].comment = comment_of(s);
    return complete && rows[0].comment;
}

static int write_save_file(const char *path, const char *trace, const struct wave_report *r,
                           const struct wave_signal_result *const *list, const struct wave_merge *m,
                           struct nerr *err)
{
    struct gtkw_view view = { .decode = r->decode, .ndecode = r->ndecode };
    struct gtkw_row *rows = calloc(m->n * ROWS_PER_SIGNAL + 1, sizeof *rows);
    size_t clock = m->clock ? 1 : 0, n = clock + m->n * ROWS_PER_SIGNAL;
    if (!rows)
        return nerr_set(err, NERR_MEM, path, "out of memory");
    int rc = choose_view(r, m, &view, err);
    rows[0].name = m->clock;
    for (size_t i = 0; i < m->n && !rc; i++)
        if (!put_rows(rows + clock + i * ROWS_PER_SIGNAL, &m->list[i], list[i]))
            rc = nerr_set(err, NERR_MEM, path, "out of memory");
    if (!rc)
        rc = wave_gtkw_write_view(path, trace, rows, n, &view, err);
    for (size_t i = 0; i < n; i++) {
        free((char *)rows[i].alias);
        free((char *)rows[i].comment);
    }
    free(rows);
    return rc;
}

int wave_gtkw_diff(const char *path, const struct wave_report *r, char **trace, struct nerr *err)
{
    const struct wave_result *res = r->result;
    struct wave_merge m = { 0 };
    const char **a = calloc(res->nlist + 1, sizeof *a), **b = calloc(res->nlist + 1, sizeof *b);
    const struct wave_signal_result **list = calloc(res->nlist + 1, sizeof *list);
    int rc = a && b && list ? 0 : nerr_set(err, NERR_MEM, path, "out of memory");
    size_t n = rc ? 0 : choose(res, list, a, b);
    *trace = NULL;
    if (n && !(*trace = text_printf("%s.fst", path)))
        rc = nerr_set(err, NERR_MEM, path, "out of memory");
    if (n && !rc) {
        rc = wave_merge_write(*trace, r->path_a, r->path_b, r->options, a, b, n, &list[0]->first, &m, err);
        if (!rc && (rc = write_save_file(path, *trace, r, list, &m, err)) != 0)
            file_discard(*trace);
    }
    if (rc) {
        free(*trace);
        *trace = NULL;
    }
    wave_merge_free(&m);
    free(list);
    free(a);
    free(b);
    return rc;
}
