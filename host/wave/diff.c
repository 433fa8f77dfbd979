/* Comparing two waves: see wave.h. One pass over both files in time order. */
#include <stdlib.h>
#include <string.h>

#include "util/strbuf.h"
#include "wave/pairing.h"
#include "wave/reader.h"
#include "wave/side.h"
#include "wave/text.h"
#include "wave/wave.h"
#include "wave/wtime.h"

struct diff {
    const struct wave_diff_options *options;
    struct wave_diff_result *result;
    struct wave_reader *ra, *rb;
    struct wave_pairing pairing;
    struct wave_side a, b;
    int base; /* exponent of the common unit of time */
    bool has_from, has_to;
    wave_time from, to;
    uint32_t *marked; /* pairs to compare at the end of this step */
    uint32_t nmarked;
    struct wave_match *found; /* names that differ first in this step */
    size_t nfound;
    size_t capacity; /* of result->list */
    size_t listed[WAVE_ONLY_B + 1];
};

static int no_memory(struct nerr *err)
{
    return nerr_set(err, NERR_MEM, "", "out of memory");
}

/* ---- time
 * ------------------------------------------------------------------------------------------------------- */

static int bound_exponent(const struct diff *d, const struct wave_bound *b)
{
    return b->set && b->has_unit ? b->exponent : d->ra->exponent;
}

static int set_up_time(struct diff *d, struct nerr *err)
{
    const struct wave_window *w = &d->options->window;
    int all[] = { d->ra->exponent, d->rb->exponent, bound_exponent(d, &w->from), bound_exponent(d, &w->to) };
    int finest = all[0], coarsest = all[0];
    for (size_t i = 1; i < sizeof all / sizeof all[0]; i++) {
        finest = all[i] < finest ? all[i] : finest;
        coarsest = all[i] > coarsest ? all[i] : coarsest;
    }
    if (coarsest - finest > WAVE_EXPONENT_SPAN)
        return nerr_set(err, NERR_INPUT, "",
                        "the time units of the two files and the window are more than a factor 10^%d apart",
                        WAVE_EXPONENT_SPAN);
    d->base = finest;
    d->has_from = w->from.set;
    d->has_to = w->to.set;
    d->from = (wave_time)w->from.value * wave_power(all[2] - finest);
    d->to = (wave_time)w->to.value * wave_power(all[3] - finest);
    if (d->has_from && d->has_to && d->from > d->to)
        return nerr_set(err, NERR_INPUT, "", "the window ends before it begins");
    return 0;
}

static wave_time end_of(const struct diff *d, const struct wave_reader *r)
{
    return ((wave_time)r->end + r->timezero) * wave_power(r->exponent - d->base);
}

/* ---- what was found
 * --------------------------------------------------------------------------------------------- */

/* Takes the strings over; NULL where the kind has none is the caller's business. */
static int list(struct diff *d, struct wave_difference item, bool complete, struct nerr *err)
{
    struct wave_diff_result *r = d->result;
    if (complete && r->nlist == d->capacity) {
        size_t capacity = d->capacity ? d->capacity * 2 : 16;
        struct wave_difference *more = realloc(r->list, capacity * sizeof *more);
        complete = more != NULL;
        if (more) {
            r->list = more;
            d->capacity = capacity;
        }
    }
    if (!complete) {
        free(item.name);
        free(item.time);
        free(item.a);
        free(item.b);
        return no_memory(err);
    }
    r->list[r->nlist++] = item;
    d->listed[item.kind]++;
    return 0;
}

static bool list_is_full(const struct diff *d, enum wave_difference_kind kind)
{
    return d->options->limit && d->listed[kind] >= d->options->limit;
}

static int list_value(struct diff *d, struct wave_match m, wave_time when, struct nerr *err)
{
    const struct wave_var *va = &d->ra->vars[m.a], *vb = &d->rb->vars[m.b];
    const struct wave_value *a = &d->a.values[va->signal], *b = &d->b.values[vb->signal];
    wave_time ticks = when / d->b.multiplier - d->rb->timezero;
    struct wave_difference item = { .kind = WAVE_VALUE,
                                    .name = text_copy(va->name),
                                    .time = wave_time_text(when, d->base, d->ra->exponent),
                                    .a = wave_value_text(va->kind, a->text, a->len),
                                    .b = wave_value_text(vb->kind, b->text, b->len),
                                    .ticks_b = ticks > 0 ? (uint64_t)ticks : 0 };
    return list(d, item, item.name && item.time && item.a && item.b, err);
}

/* A name that one side declares otherwise or not at all: va or vb may be NULL. */
static int list_declaration(struct diff *d, enum wave_difference_kind kind, const struct wave_var *va,
                            const struct wave_var *vb, struct nerr *err)
{
    d->result->count[kind]++;
    if (list_is_full(d, kind))
        return 0;
    struct wave_difference item = { .kind = kind,
                                    .name = text_copy(va ? va->name : vb->name),
                                    .a = va ? wave_shape_text(va->kind, va->width) : NULL,
                                    .b = vb ? wave_shape_text(vb->kind, vb->width) : NULL };
    return list(d, item, item.name && (!va || item.a) && (!vb || item.b), err);
}

static int list_declarations(struct diff *d, struct nerr *err)
{
    const struct wave_pairing *p = &d->pairing;
    int rc = 0;
    for (size_t i = 0; i < p->nshapes && !rc; i++)
        rc = list_declaration(d, WAVE_SHAPE, &d->ra->vars[p->shapes[i].a], &d->rb->vars[p->shapes[i].b], err);
    for (size_t i = 0; i < p->nonly_a && !rc; i++)
        rc = list_declaration(d, WAVE_ONLY_A, &d->ra->vars[p->only_a[i]], NULL, err);
    for (size_t i = 0; i < p->nonly_b && !rc; i++)
        rc = list_declaration(d, WAVE_ONLY_B, NULL, &d->rb->vars[p->only_b[i]], err);
    return rc;
}

/* ---- comparing
 * -------------------------------------------------------------------------------------------------- */

static void mark(struct diff *d, uint32_t pair)
{
    struct wave_pair *p = &d->pairing.pairs[pair];
    if (!p->marked) {
        p->marked = true;
        d->marked[d->nmarked++] = pair;
    }
}

/*
 * Marks the pairs of a signal. Pairs that have differed leave the list here, so that a clock with 10^5
 * aliases is not walked over and over for nothing.
 */
static void touch(void *ctx, struct wave_side *s, uint32_t signal)
{
    struct diff *d = ctx;
    uint32_t *pairs = s->list + s->first[signal];
    for (uint32_t i = 0; i < s->count[signal];) {
        if (d->pairing.pairs[pairs[i]].differed) {
            pairs[i] = pairs[--s->count[signal]];
            continue;
        }
        mark(d, pairs[i++]);
    }
}

static int by_declaration(const void *pa, const void *pb)
{
    const struct wave_match *a = pa, *b = pb;
    return (a->a > b->a) - (a->a < b->a);
}

static void compare_pair(struct diff *d, struct wave_pair *p)
{
    const struct wave_value *a = &d->a.values[p->signal_a], *b = &d->b.values[p->signal_b];
    if (p->differed || (a->len == b->len && memcmp(a->text, b->text, a->len) == 0))
        return;
    p->differed = true;
    memcpy(d->found + d->nfound, d->pairing.matches + p->first, p->n * sizeof *d->found);
    d->nfound += p->n;
}

/* Ends a step: no pair is marked and no event fires any more. */
static void forget_marks(struct diff *d)
{
    for (uint32_t i = 0; i < d->nmarked; i++) {
        struct wave_pair *p = &d->pairing.pairs[d->marked[i]];
        p->marked = false;
        if (p->kind == WAVE_EVENT) {
            d->a.values[p->signal_a].text[0] = '0';
            d->b.values[p->signal_b].text[0] = '0';
        }
    }
    d->nmarked = 0;
}

/* Compares the marked pairs as values of time `when` and ends the step. */
static int compare_marked(struct diff *d, wave_time when, struct nerr *err)
{
    int rc = 0;
    d->nfound = 0;
    for (uint32_t i = 0; i < d->nmarked; i++)
        compare_pair(d, &d->pairing.pairs[d->marked[i]]);
    d->result->count[WAVE_VALUE] += d->nfound;
    if (d->nfound && !list_is_full(d, WAVE_VALUE)) {
        qsort(d->found, d->nfound, sizeof *d->found, by_declaration);
        for (size_t i = 0; i < d->nfound && !rc && !list_is_full(d, WAVE_VALUE); i++)
            rc = list_value(d, d->found[i], when, err);
    }
    forget_marks(d);
    return rc;
}

static int compare_all(struct diff *d, wave_time when, struct nerr *err)
{
    for (uint32_t i = 0; i < d->pairing.npairs; i++)
        mark(d, i);
    return compare_marked(d, when, err);
}

static int run_through(struct diff *d, struct nerr *err)
{
    bool open = !d->has_from;
    int rc = 0;
    while (!rc && (!d->a.ended || !d->b.ended)) {
        bool step_a = !d->a.ended && (d->b.ended || d->a.when <= d->b.when);
        bool step_b = !d->b.ended && (d->a.ended || d->b.when <= d->a.when);
        wave_time now = step_a ? d->a.when : d->b.when;
        bool opens = !open && now >= d->from;
        if (d->has_to && now > d->to)
            break;
        if (opens && now > d->from) { /* values carried into the window */
            rc = compare_all(d, d->from, err);
            open = true;
            opens = false;
        }
        if (!rc && step_a)
            rc = wave_side_step(&d->a, touch, d, err);
        if (!rc && step_b)
            rc = wave_side_step(&d->b, touch, d, err);
        if (rc)
            break;
        wave_side_settle(&d->a);
        wave_side_settle(&d->b);
        if (opens)
            rc = compare_all(d, now, err);
        else if (open)
            rc = compare_marked(d, now, err);
        else
            forget_marks(d);
        open = open || opens;
    }
    return !rc && !open ? compare_all(d, d->from, err) : rc;
}

/* ---- one comparison from open to close
 * -------------------------------------------------------------------------- */

static int judge_emptiness(const struct diff *d, struct nerr *err)
{
    if (d->options->allow_empty || !wave_diff_equal(d->result))
        return 0;
    if (d->result->compared == 0)
        return nerr_set(err, NERR_INPUT, "", "nothing was compared: no signal of %s and %s is selected",
                        d->ra->path, d->rb->path);
    if (!d->a.changed && !d->b.changed)
        return nerr_set(err, NERR_INPUT, "",
                        "nothing ever changed in %s and %s, so their equality says nothing", d->ra->path,
                        d->rb->path);
    return 0;
}

static int note_ends(struct diff *d, struct nerr *err)
{
    wave_time a = end_of(d, d->ra), b = end_of(d, d->rb);
    d->result->ends_differ = a != b && !(d->has_to && d->to <= a && d->to <= b);
    d->result->end_a = wave_time_text(a, d->base, d->ra->exponent);
    d->result->end_b = wave_time_text(b, d->base, d->ra->exponent);
    return d->result->end_a && d->result->end_b ? 0 : no_memory(err);
}

static int compare(struct diff *d, struct nerr *err)
{
    int rc = set_up_time(d, err);
    if (!rc)
        rc = wave_pairing_make(d->ra, d->rb, d->options, &d->pairing, err);
    if (rc)
        return rc;
    d->result->compared = d->pairing.nmatches;
    d->marked = malloc(((size_t)d->pairing.npairs + 1) * sizeof *d->marked);
    d->found = malloc((d->pairing.nmatches + 1) * sizeof *d->found);
    if (!d->marked || !d->found)
        return no_memory(err);
    rc = wave_side_init(&d->a, d->ra, &d->pairing, 0, d->base, err);
    if (!rc)
        rc = wave_side_init(&d->b, d->rb, &d->pairing, 1, d->base, err);
    if (!rc)
        rc = run_through(d, err);
    if (!rc)
        rc = list_declarations(d, err);
    if (!rc)
        rc = note_ends(d, err);
    return rc ? rc : judge_emptiness(d, err);
}

int wave_diff(const char *path_a, const char *path_b, const struct wave_diff_options *options,
              struct wave_diff_result *result, struct nerr *err)
{
    struct diff d = { .options = options, .result = result };
    memset(result, 0, sizeof *result);
    int rc = wave_reader_open(path_a, &d.ra, err);
    if (!rc)
        rc = wave_reader_open(path_b, &d.rb, err);
    if (!rc)
        rc = compare(&d, err);
    wave_side_free(&d.a);
    wave_side_free(&d.b);
    wave_pairing_free(&d.pairing);
    free(d.marked);
    free(d.found);
    wave_reader_close(d.ra);
    wave_reader_close(d.rb);
    return rc;
}

bool wave_diff_equal(const struct wave_diff_result *result)
{
    for (int kind = WAVE_VALUE; kind <= WAVE_ONLY_B; kind++)
        if (result->count[kind])
            return false;
    return true;
}

void wave_diff_free(struct wave_diff_result *result)
{
    for (size_t i = 0; i < result->nlist; i++) {
        free(result->list[i].name);
        free(result->list[i].time);
        free(result->list[i].a);
        free(result->list[i].b);
    }
    free(result->list);
    free(result->end_a);
    free(result->end_b);
    memset(result, 0, sizeof *result);
}
