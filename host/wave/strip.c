/* Changes around first differences: see strip.h. */
#include "wave/strip.h"

#include <stdlib.h>
#include <string.h>

#include "util/strbuf.h"
#include "wave/grow.h"
#include "wave/trace.h"

#define WINDOW_BEFORE 6  /* the window, in typical distances of changes */
#define WINDOW_AFTER  14 /* from the difference on */
#define WIDE_BITS     64 /* from here on values need more room: a third of the changes */
#define WIDE_LESS     3
#define GAPS_BEFORE   4 /* changes whose distance says what is typical */
#define GAPS_AFTER    8
#define TIMES_MAX     (2 * (GAPS_BEFORE + GAPS_AFTER) + 1)

static bool add_point(struct wave_strip_lane *l, wave_time at, const char *value, size_t len)
{
    char *copy = text_copy_n(value, len);
    if (!copy || !WAVE_GROW(&l->points, &l->capacity, l->n + 1)) {
        free(copy);
        return false;
    }
    l->points[l->n++] = (struct wave_strip_point){ at, copy, len };
    return true;
}

static void drop_first(struct wave_strip_lane *l, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(l->points[i].value);
    memmove(l->points, l->points + n, (l->n - n) * sizeof *l->points);
    l->n -= n;
}

/* ---- first pass: changes next to the difference ---- */

/* Number of points before the difference. */
static size_t before(const struct wave_strip_lane *l, wave_time first)
{
    size_t n = 0;
    while (n < l->n && l->points[n].at < first)
        n++;
    return n;
}

/* One side of the listed signals. Reads to the end, which says when that is. */
static int collect(struct wave_trace *t, struct wave_strips *s, bool actual, struct nerr *err)
{
    for (size_t i = 0; i < s->n; i++) {
        struct wave_strip_lane *l = actual ? &s->list[i].actual : &s->list[i].golden;
        l->kind = t->lanes[i].kind;
        l->width = t->lanes[i].width;
        if (!t->ended && t->when < s->start)
            s->start = t->when;
        if (!add_point(l, t->ended ? s->list[i].first : t->when, t->lanes[i].value ? t->lanes[i].value : "",
                       t->lanes[i].len))
            return nerr_set(err, NERR_MEM, t->reader->path, "out of memory");
    }
    while (!t->ended) {
        int rc = wave_trace_step(t, err);
        if (rc)
            return rc;
        for (size_t k = 0; k < t->nlist; k++) {
            size_t i = t->list[k];
            struct wave_strip_lane *l = actual ? &s->list[i].actual : &s->list[i].golden;
            if (!t->lanes[i].changed || l->dense)
                continue;
            if (!add_point(l, t->now, t->lanes[i].value, t->lanes[i].len))
                return nerr_set(err, NERR_MEM, t->reader->path, "out of memory");
            size_t n = before(l, s->list[i].first);
            if (n > STRIP_BEFORE)
                drop_first(l, n - STRIP_BEFORE);
            l->dense = l->n - before(l, s->list[i].first) >= STRIP_AFTER; /* complete */
        }
    }
    return 0;
}

static int by_time(const void *pa, const void *pb)
{
    const wave_time *a = pa, *b = pb;
    return (*a > *b) - (*a < *b);
}

/* The middle one of the distances of changes around the difference; 0 when there are none. */
static wave_time typical_gap(const struct wave_strip *s)
{
    wave_time times[TIMES_MAX], gaps[TIMES_MAX] = { 0 };
    size_t n = 0, ngaps = 0;
    const struct wave_strip_lane *lanes[2] = { &s->golden, &s->actual };
    times[n++] = s->first;
    for (int side = 0; side < 2; side++) {
        size_t middle = before(lanes[side], s->first);
        for (size_t i = middle > GAPS_BEFORE ? middle - GAPS_BEFORE : 0;
             i < lanes[side]->n && i < middle + GAPS_AFTER; i++)
            times[n++] = lanes[side]->points[i].at;
    }
    qsort(times, n, sizeof *times, by_time);
    for (size_t i = 1; i < n; i++)
        if (times[i] > times[i - 1])
            gaps[ngaps++] = times[i] - times[i - 1];
    qsort(gaps, ngaps, sizeof *gaps, by_time);
    return ngaps ? gaps[ngaps / 2] : 0;
}

/* Where the kept changes of a lane begin and end to be all there are. */
static void narrow(const struct wave_strip_lane *l, wave_time first, wave_time *from, wave_time *to)
{
    if (before(l, first) == STRIP_BEFORE && l->points[0].at > *from)
        *from = l->points[0].at;
    if (l->dense && l->points[l->n - 1].at < *to)
        *to = l->points[l->n - 1].at;
}

static void choose_window(const struct wave_strips *all, struct wave_strip *s)
{
    wave_time gap = typical_gap(s);
    if (gap == 0)
        gap = (all->end - all->start) / (WINDOW_BEFORE + WINDOW_AFTER);
    if (gap <= 0)
        gap = 1;
    int less = s->golden.kind == WAVE_BITS && s->golden.width > WIDE_BITS ? WIDE_LESS : 1;
    s->from = s->first - gap * WINDOW_BEFORE / less;
    s->to = s->first + gap * WINDOW_AFTER / less;
    if (s->from < all->start)
        s->from = all->start;
    if (all->end > s->first && s->to > all->end)
        s->to = all->end;
    narrow(&s->golden, s->first, &s->from, &s->to);
    narrow(&s->actual, s->first, &s->from, &s->to);
    if (s->to <= s->first)
        s->to = s->first + gap;
}

/* ---- second pass: the clock of A in all windows ---- */

static bool clock_change(struct wave_strips *s, wave_time at, const char *value, size_t len, bool *more)
{
    *more = false;
    for (size_t i = 0; i < s->n; i++) {
        struct wave_strip_lane *l = &s->list[i].clock;
        if (at > s->list[i].to || l->dense)
            continue;
        *more = true;
        if (!add_point(l, at, value, len))
            return false;
        if (at <= s->list[i].from) /* only the last one before the window counts */
            drop_first(l, l->n - 1);
        l->dense = l->n > STRIP_CLOCK;
    }
    return true;
}

static int read_clock(struct wave_trace_pair *p, const char *path, const struct wave_options *options,
                      struct wave_strips *s, struct nerr *err)
{
    struct wave_trace t;
    bool more = true;
    int rc = wave_trace_open(&t, path, options, &options->clock.signal, 1, err);
    if (!rc)
        rc = wave_trace_start(&t, p->base, 0, err);
    for (size_t i = 0; i < s->n && !rc; i++) {
        s->list[i].clock.kind = t.lanes[0].kind;
        s->list[i].clock.width = t.lanes[0].width;
    }
    while (!rc && !t.ended && more) {
        rc = wave_trace_step(&t, err);
        if (!rc && t.lanes[0].changed && !clock_change(s, t.now, t.lanes[0].value, t.lanes[0].len, &more))
            rc = nerr_set(err, NERR_MEM, path, "out of memory");
    }
    if (!rc && !(s->clock = text_copy(t.reader->vars[t.lanes[0].pieces[0].var].name)))
        rc = nerr_set(err, NERR_MEM, path, "out of memory");
    wave_trace_close(&t);
    return rc;
}

/* ---- all of it ---- */

static bool shown(const struct wave_signal_result *s)
{
    return s->kind == WAVE_DIFF_VALUE && s->name_a && s->name_b && s->first.text;
}

static int read_pair(struct wave_trace_pair *p, struct wave_strips *s, struct nerr *err)
{
    int rc = wave_trace_pair_start(p, err);
    if (rc)
        return rc;
    s->base = p->base;
    s->unit = p->unit;
    for (size_t i = 0; i < s->n; i++)
        s->list[i].first = wave_trace_moment(p, &s->list[i].signal->first);
    s->start = s->list[0].first;
    rc = collect(&p->a, s, false, err);
    if (!rc)
        rc = collect(&p->b, s, true, err);
    s->end = wave_trace_end(&p->a);
    if (wave_trace_end(&p->b) > s->end)
        s->end = wave_trace_end(&p->b);
    for (size_t i = 0; i < s->n && !rc; i++) {
        choose_window(s, &s->list[i]);
        s->list[i].golden.dense = s->list[i].actual.dense = false;
    }
    return rc;
}

int wave_strips_read(const char *path_a, const char *path_b, const struct wave_options *options,
                     const struct wave_result *result, size_t limit, struct wave_strips *out,
                     struct nerr *err)
{
    struct wave_trace_pair p = { 0 };
    *out = (struct wave_strips){ 0 };
    const char **a = calloc(result->nlist + 1, sizeof *a), **b = calloc(result->nlist + 1, sizeof *b);
    out->list = calloc(result->nlist + 1, sizeof *out->list);
    int rc = a && b && out->list ? 0 : nerr_set(err, NERR_MEM, path_a, "out of memory");
    for (size_t i = 0; i < result->nlist && !rc && out->n < limit; i++)
        if (shown(&result->list[i])) {
            a[out->n] = result->list[i].name_a;
            b[out->n] = result->list[i].name_b;
            out->list[out->n++].signal = &result->list[i];
        }
    if (!rc && out->n) {
        rc = wave_trace_pair_open(&p, path_a, path_b, options, a, b, out->n, err);
        if (!rc)
            rc = read_pair(&p, out, err);
        if (!rc && options->clock.signal)
            rc = read_clock(&p, path_a, options, out, err);
        wave_trace_pair_close(&p);
    }
    free(a);
    free(b);
    return rc;
}

static void free_lane(struct wave_strip_lane *l)
{
    for (size_t i = 0; i < l->n; i++)
        free(l->points[i].value);
    free(l->points);
}

void wave_strips_free(struct wave_strips *s)
{
    for (size_t i = 0; i < s->n; i++) {
        free_lane(&s->list[i].golden);
        free_lane(&s->list[i].actual);
        free_lane(&s->list[i].clock);
    }
    free(s->list);
    free(s->clock);
    *s = (struct wave_strips){ 0 };
}
