/* The comparison itself: both files step by step in the order of time. See engine.h. */
#include <string.h>

#include "wave/engine.h"

/* ---- one step
 * --------------------------------------------------------------------------------------------------- */

static bool is_edge(const struct wave_engine *e, int side)
{
    const struct wave_signal *s = &e->side[side].signals[e->clock_signal[side]];
    uint32_t n, at = e->clock_at[side];
    const char *before = wave_before(s, &n), *now = wave_present(s);
    if (at >= n || at >= s->len)
        return false;
    bool rises = (before[at] == '0' || before[at] == 'l') && (now[at] == '1' || now[at] == 'h');
    bool falls = (before[at] == '1' || before[at] == 'h') && (now[at] == '0' || now[at] == 'l');
    enum wave_edge edge = e->options->clock.edge;
    return (rises && edge != WAVE_FALL) || (falls && edge != WAVE_RISE);
}

static void tell(struct wave_engine *e, int side, uint32_t listener)
{
    uint32_t index = listener & (WAVE_LISTEN_MAX - 1);
    switch (listener >> 30) {
    case WAVE_LISTEN_ITEM:
        if (!e->items[index].marked) {
            e->items[index].marked = true;
            e->marked[e->nmarked++] = index;
        }
        break;
    case WAVE_LISTEN_WATCH:
        if (!e->watches[index].dirty) {
            e->watches[index].dirty = true;
            e->dirty[e->ndirty++] = index;
        }
        break;
    case WAVE_LISTEN_CLOCK:
        e->clock_ticks[side] = is_edge(e, side);
        break;
    default:
        wave_order_tell(e, side, index);
    }
}

static void tell_all(struct wave_engine *e, int side, bool counts)
{
    struct wave_side *s = &e->side[side];
    for (uint32_t i = 0; i < s->ntouched; i++) {
        const struct wave_signal *g = &s->signals[s->touched[i]];
        const uint32_t *list = s->listeners + g->first;
        for (uint32_t k = 0; k < g->count; k++)
            tell(e, side, list[k]);
    }
    if (counts && s->stepped)
        s->changes += s->ntouched;
}

static const char *value_of_a(void *ctx, uint32_t signal)
{
    struct wave_engine *e = ctx;
    return wave_present(&e->side[0].signals[signal]);
}

static bool holds(struct wave_engine *e, const struct wave_watch *w)
{
    for (int i = 0; i < 2; i++)
        if (w->exprs[i] && !wave_expr_holds(w->exprs[i], value_of_a, e))
            return false;
    return true;
}

static void open_window(struct wave_engine *e, wave_time now)
{
    e->window_open = true;
    for (uint32_t i = 0; i < e->nwatches; i++)
        if (e->watches[i].holds)
            wave_watch_open(e, &e->watches[i], now);
}

static int sample(struct wave_engine *e, wave_time now, struct nerr *err)
{
    bool ticks = e->clock_ticks[0];
    int rc = 0;
    if (!ticks || e->options->order.on)
        return 0;
    if (e->window_open)
        e->result->samples++;
    for (uint32_t i = 0; i < e->nwatches && !rc; i++)
        if (e->watches[i].sampled)
            rc = wave_watch_sample(e, &e->watches[i], now, err);
    return rc;
}

/* What happens at `now` after the values are known. The order matters: an edge of the clock sees the state
 * before; a condition that ends counts no more what changes with it, one that begins does not count what was
 * before. */
static int judge(struct wave_engine *e, wave_time now, struct nerr *err)
{
    int rc = sample(e, now, err);
    for (uint32_t i = 0; i < e->ndirty; i++) {
        struct wave_watch *w = &e->watches[e->dirty[i]];
        w->holds = holds(e, w);
        if (!w->holds)
            wave_watch_close(e, w, now);
    }
    for (uint32_t i = 0; i < e->nmarked && !rc; i++)
        rc = wave_item_evaluate(e, e->marked[i], now, err);
    for (uint32_t i = 0; i < e->ndirty; i++) {
        struct wave_watch *w = &e->watches[e->dirty[i]];
        if (w->holds && e->window_open)
            wave_watch_open(e, w, now);
        w->dirty = false;
    }
    e->ndirty = 0;
    if (!e->window_open && e->has_from && now >= e->from)
        open_window(e, now);
    if (!rc && e->options->order.on)
        rc = wave_order_step(e, now, err);
    return rc;
}

/* Events are over with the step in which they fire. */
static void quiet(struct wave_engine *e, wave_time now)
{
    for (uint32_t i = 0; i < e->nmarked; i++) {
        const struct wave_item *it = &e->items[e->marked[i]];
        if (it->kind == WAVE_EVENT && it->differs && it->mode != WAVE_ITEM_LATE)
            wave_item_close(e, e->marked[i], wave_watch_mark(&e->watches[it->watch], now));
    }
    e->nmarked = 0;
}

static int step(struct wave_engine *e, wave_time now, bool step_a, bool step_b, struct nerr *err)
{
    bool counts = e->window_open || (e->has_from && now >= e->from);
    bool steps[] = { step_a, step_b };
    int rc = 0;
    e->clock_ticks[0] = e->clock_ticks[1] = false;
    wave_watch_expire(e, now);
    for (int i = 0; i < 2 && !rc; i++)
        if (steps[i])
            rc = wave_side_step(&e->side[i], err);
    for (int i = 0; i < 2 && !rc; i++)
        if (steps[i])
            tell_all(e, i, counts);
    if (!rc)
        rc = judge(e, now, err);
    quiet(e, now);
    for (int i = 0; i < 2; i++)
        if (steps[i]) {
            wave_side_finish(&e->side[i]);
            e->side[i].stepped = true;
        }
    if (!rc && e->failed)
        rc = wave_no_memory(err);
    return rc;
}

/* ---- all steps
 * -------------------------------------------------------------------------------------------------- */

static void begin(struct wave_engine *e)
{
    const struct wave_side *a = &e->side[0], *b = &e->side[1];
    for (uint32_t i = 0; i < e->nwatches; i++)
        e->watches[i].holds = holds(e, &e->watches[i]);
    if (!e->has_from)
        open_window(e, a->ended || (!b->ended && b->when < a->when) ? b->when : a->when);
}

static void end(struct wave_engine *e)
{
    wave_time a = wave_side_end(&e->side[0]), b = wave_side_end(&e->side[1]);
    e->end = a > b ? a : b;
    if (e->has_to && e->to < e->end)
        e->end = e->to;
    if (e->has_from && e->end < e->from)
        e->end = e->from;
    if (!e->window_open)
        open_window(e, e->from);
    for (uint32_t i = 0; i < e->nitems; i++)
        if (e->items[i].mode == WAVE_ITEM_LATE)
            wave_late_end(e, i, e->end);
    wave_watch_expire(e, e->end + e->setup + 1);
    wave_watch_end(e);
}

int wave_run(struct wave_engine *e, struct nerr *err)
{
    struct wave_side *a = &e->side[0], *b = &e->side[1];
    int rc = 0;
    begin(e);
    while (!rc && (!a->ended || !b->ended)) {
        bool step_a = !a->ended && (b->ended || a->when <= b->when);
        bool step_b = !b->ended && (a->ended || b->when <= a->when);
        wave_time now = step_a ? a->when : b->when;
        if (e->has_to && now > e->to)
            break;
        if (!e->window_open && now > e->from)
            open_window(e, e->from); /* with the values carried into it */
        rc = step(e, now, step_a, step_b, err);
    }
    /* What is behind the window is read all the same: a damaged file is not equal to anything. */
    for (int i = 0; i < 2 && !rc; i++)
        rc = wave_side_drain(&e->side[i], err);
    if (!rc)
        end(e);
    if (!rc && e->options->order.on)
        wave_order_end(e);
    return rc ? rc : e->failed ? wave_no_memory(err) : 0;
}
