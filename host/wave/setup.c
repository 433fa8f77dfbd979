/* What has to be known before a comparison runs: times in one unit, conditions, the clock. See engine.h. */
#include <stdlib.h>
#include <string.h>

#include "util/strbuf.h"
#include "wave/engine.h"
#include "wave/grow.h"

/* ---- times
 * ------------------------------------------------------------------------------------------------------ */

/* Calls f for every time that the user gave. */
static void each_bound(const struct wave_options *o, void (*f)(void *ctx, const struct wave_bound *b),
                       void *ctx)
{
    const struct wave_bound *own[] = { &o->window.from, &o->window.to, &o->clock.setup, &o->clock.hold,
                                       &o->lead,        &o->lag,       &o->shift,       &o->glitch };
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        f(ctx, own[i]);
    for (size_t i = 0; i < o->nrules; i++)
        if (o->rules[i].kind == WAVE_RULE_TOL) {
            f(ctx, &o->rules[i].lead);
            f(ctx, &o->rules[i].lag);
        }
}

struct span {
    int finest, coarsest;
};

static void widen(void *ctx, const struct wave_bound *b)
{
    struct span *s = ctx;
    if (!b->set || !b->has_unit)
        return;
    s->finest = b->exponent < s->finest ? b->exponent : s->finest;
    s->coarsest = b->exponent > s->coarsest ? b->exponent : s->coarsest;
}

wave_time wave_bound_time(const struct wave_engine *e, const struct wave_bound *b)
{
    if (!b->set)
        return 0;
    return (wave_time)b->value * (b->has_unit ? wave_power(b->exponent - e->base) : e->side[0].tick);
}

/* "10ns" */
static bool parse_timescale(const char *text, uint32_t *factor, int *exponent)
{
    char *unit;
    unsigned long n = strtoul(text, &unit, 10);
    while (*unit == ' ')
        unit++;
    *factor = (uint32_t)n;
    return text[0] >= '1' && text[0] <= '9' && n <= 1000000 && wave_unit(unit, exponent);
}

static int assume_timescales(struct wave_engine *e, struct nerr *err)
{
    struct wave_reader *r[] = { e->side[0].reader, e->side[1].reader };
    const char *assumed = e->options->assume_timescale;
    uint32_t factor = 1;
    int exponent = 0;
    if (assumed && !parse_timescale(assumed, &factor, &exponent))
        return nerr_set(err, NERR_INPUT, "", "'%s' is no timescale; write it like 1ns or 10ps", assumed);
    if (!assumed && r[0]->has_timescale != r[1]->has_timescale)
        return nerr_set(err, NERR_INPUT, r[r[0]->has_timescale]->path,
                        "declares no $timescale and the other file does; say --assume-timescale 1ns");
    for (int i = 0; assumed && i < 2; i++)
        if (!r[i]->has_timescale) {
            r[i]->factor = factor;
            r[i]->exponent = exponent;
        }
    return 0;
}

int wave_setup_times(struct wave_engine *e, struct nerr *err)
{
    const struct wave_options *o = e->options;
    const struct wave_reader *a = e->side[0].reader, *b = e->side[1].reader;
    int rc = assume_timescales(e, err);
    struct span s = { a->exponent < b->exponent ? a->exponent : b->exponent,
                      a->exponent > b->exponent ? a->exponent : b->exponent };
    if (rc)
        return rc;
    each_bound(o, widen, &s);
    bool fits = s.coarsest - s.finest <= WAVE_EXPONENT_SPAN;
    const wave_time most = wave_power(WAVE_EXPONENT_SPAN);
    for (int i = 0; fits && i < 2; i++) {
        const struct wave_reader *r = e->side[i].reader;
        e->side[i].tick = wave_power(r->exponent - s.finest) * r->factor;
        fits = e->side[i].tick <= most;
    }
    if (!fits)
        return nerr_set(
            err, NERR_INPUT, "",
            "the time units of the two files and of the options are more than a factor 10^%d apart",
            WAVE_EXPONENT_SPAN);
    e->base = s.finest;
    e->has_from = o->window.from.set;
    e->has_to = o->window.to.set;
    e->from = wave_bound_time(e, &o->window.from);
    e->to = wave_bound_time(e, &o->window.to);
    e->lead = wave_bound_time(e, &o->lead);
    e->lag = wave_bound_time(e, &o->lag);
    e->setup = wave_bound_time(e, &o->clock.setup);
    e->hold = wave_bound_time(e, &o->clock.hold);
    e->glitch = wave_bound_time(e, &o->glitch);
    wave_time shift = wave_bound_time(e, &o->shift);
    for (int i = 0; i < 2; i++)
        e->side[i].offset = e->side[i].reader->timezero * e->side[i].tick;
    e->side[1].offset += o->shift_negative ? -shift : shift;
    if (e->has_from && e->has_to && e->from > e->to)
        return nerr_set(err, NERR_INPUT, "", "the window ends before it begins");
    for (int i = 0; i < 2; i++) { /* an unfinished file says nothing about the time after */
        const struct wave_side *side = &e->side[i];
        wave_time complete = (wave_time)side->reader->complete_to * side->tick + side->offset;
        if (side->reader->incomplete && (!e->has_to || complete < e->to)) {
            e->has_to = true;
            e->to = complete;
        }
    }
    return 0;
}

/* ---- conditions
 * ------------------------------------------------------------------------------------------------- */

struct expr_text {
    const char *text;
    uint32_t rule; /* + 1 */
};

static int by_text(const void *pa, const void *pb)
{
    const struct expr_text *a = pa, *b = pb;
    int c = strcmp(a->text, b->text);
    return c ? c : (a->rule > b->rule) - (a->rule < b->rule);
}

/* Where the text of a rule is, for messages: "file line 7". The caller frees. */
static char *place_of(const struct wave_rule *r)
{
    return r->file[0] ? text_printf("%s line %u", r->file, r->line) : text_copy("");
}

static int make_expr(struct wave_engine *e, uint32_t number, const char *text, struct nerr *err)
{
    int rc = wave_expr_make(text, &e->side[0].index, &e->exprs[number], err);
    char *place = rc && number ? place_of(&e->options->rules[number - 1]) : NULL;
    if (place && *place)
        nerr_prefix(err, place);
    free(place);
    return rc;
}

int wave_setup_exprs(struct wave_engine *e, struct nerr *err)
{
    const struct wave_options *o = e->options;
    size_t n = 0;
    int rc = 0;
    struct expr_text *list = malloc((o->nrules + 1) * sizeof *list);
    e->exprs = calloc(o->nrules + 1, sizeof *e->exprs);
    e->expr_of = calloc(o->nrules + 1, sizeof *e->expr_of);
    e->watch_table = malloc((o->nrules + 1) * 2 * sizeof *e->watch_table);
    if (!list || !e->exprs || !e->expr_of || !e->watch_table) {
        free(list);
        return wave_no_memory(err);
    }
    memset(e->watch_table, 0xff, (o->nrules + 1) * 2 * sizeof *e->watch_table);
    e->nexprs = o->nrules + 1;
    for (size_t i = 0; i < o->nrules; i++)
        if (o->rules[i].kind == WAVE_RULE_WHEN)
            list[n++] = (struct expr_text){ o->rules[i].text, (uint32_t)i + 1 };
    if (n)
        qsort(list, n, sizeof *list, by_text);
    if (o->when)
        rc = make_expr(e, 0, o->when, err);
    for (size_t i = 0; !rc && i < n; i++) {
        bool again = i > 0 && strcmp(list[i - 1].text, list[i].text) == 0;
        e->expr_of[list[i].rule] = again ? e->expr_of[list[i - 1].rule] : list[i].rule;
        if (!again)
            rc = make_expr(e, list[i].rule, list[i].text, err);
    }
    free(list);
    return rc;
}

uint32_t wave_watch_for(struct wave_engine *e, uint32_t when, bool sampled)
{
    uint32_t *place = &e->watch_table[e->expr_of[when] * 2 + sampled];
    if (*place != WAVE_NO_SLOT)
        return *place;
    if (!WAVE_GROW(&e->watches, &e->watch_capacity, (size_t)e->nwatches + 1))
        return WAVE_NO_SLOT;
    e->watches[e->nwatches] =
        (struct wave_watch){ .exprs = { e->exprs[0], when ? e->exprs[e->expr_of[when]] : NULL },
                             .sampled = sampled };
    return *place = e->nwatches++;
}

/* ---- clock
 * ------------------------------------------------------------------------------------------------------ */

int wave_setup_clock(struct wave_engine *e, struct nerr *err)
{
    const struct wave_options *o = e->options;
    const char *name = o->clock.signal;
    e->clocked = name != NULL;
    if (!name && (o->clock.setup.set || o->clock.hold.set))
        return nerr_set(err, NERR_INPUT, "", "setup and hold times need a clock");
    if (!name)
        return 0;
    if (o->lead.set || o->lag.set)
        return nerr_set(
            err, NERR_INPUT, "",
            "a clock and a tolerance for all signals do not go together; use setup and hold times, or "
            "'tol' rules for single signals");
    for (int i = 0; i < (o->order.on ? 2 : 1); i++) {
        struct wave_piece *p;
        uint32_t n;
        const struct wave_reader *r = e->side[i].reader;
        enum wave_found f = wave_index_find(&e->side[i].index, name, strlen(name), true, &p, &n);
        if (f == WAVE_FOUND_NO_MEMORY)
            return wave_no_memory(err);
        if (f != WAVE_FOUND)
            return nerr_set(err, NERR_INPUT, r->path,
                            f == WAVE_AMBIGUOUS
                                ? "the clock '%s' is not clear: more than one signal's name ends so"
                                : "the clock '%s' is no signal of this file",
                            name);
        e->clock_signal[i] = p->signal;
        e->clock_at[i] = p->at;
        bool good = n == 1 && p->count == 1 && r->vars[p->var].kind == WAVE_BITS;
        free(p);
        if (!good)
            return nerr_set(err, NERR_INPUT, r->path, "the clock '%s' is not one bit", name);
    }
    return 0;
}

int wave_setup_listeners(struct wave_engine *e, struct nerr *err)
{
    struct wave_side *a = &e->side[0];
    bool good = true;
    for (uint32_t i = 0; good && i < e->nwatches; i++)
        for (int k = 0; k < 2; k++) {
            size_t n = 0;
            const struct wave_piece *p =
                e->watches[i].exprs[k] ? wave_expr_pieces(e->watches[i].exprs[k], &n) : NULL;
            for (size_t j = 0; good && j < n; j++)
                good = wave_side_listen(a, p[j].signal, WAVE_LISTEN(WAVE_LISTEN_WATCH, i));
        }
    for (int i = 0; good && e->clocked && i < (e->options->order.on ? 2 : 1); i++)
        good = wave_side_listen(&e->side[i], e->clock_signal[i], WAVE_LISTEN(WAVE_LISTEN_CLOCK, 0));
    e->dirty = malloc(((size_t)e->nwatches + 1) * sizeof *e->dirty);
    return good && e->dirty ? 0 : wave_no_memory(err);
}

void wave_setup_free(struct wave_engine *e)
{
    for (size_t i = 0; e->exprs && i < e->nexprs; i++)
        wave_expr_free(e->exprs[i]);
    for (uint32_t i = 0; i < e->nwatches; i++) {
        free(e->watches[i].waiting);
        free(e->watches[i].first);
        free(e->watches[i].edges);
    }
    free(e->watches);
    free(e->watch_table);
    free(e->exprs);
    free(e->expr_of);
    free(e->dirty);
}
