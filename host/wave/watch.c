/*
 * When a comparison counts, and what the intervals of an item amount to: see engine.h. An opening of a watch
 * touches only items that have not counted before, so that a condition may flip at every step.
 */
#include <stdlib.h>
#include <string.h>

#include "wave/engine.h"
#include "wave/grow.h"

#define EDGES_MAX ((size_t)1 << 20) /* clock edges within a hold time */

/* ---- lists of items
 * --------------------------------------------------------------------------------------------- */

static void enlist(struct wave_watch *w, struct wave_engine *e, uint32_t item, uint32_t list)
{
    struct wave_item *it = &e->items[item];
    size_t *n = list ? &w->nfirst : &w->nwaiting;
    it->list = list;
    it->slot = (uint32_t)*n;
    (list ? w->first : w->waiting)[(*n)++] = item;
}

static void delist(struct wave_watch *w, struct wave_engine *e, uint32_t item)
{
    struct wave_item *it = &e->items[item];
    if (it->slot == WAVE_NO_SLOT)
        return;
    uint32_t *items = it->list ? w->first : w->waiting;
    size_t *n = it->list ? &w->nfirst : &w->nwaiting;
    uint32_t last = items[--*n];
    items[it->slot] = last;
    e->items[last].slot = it->slot;
    it->slot = WAVE_NO_SLOT;
}

/* ---- what is known of an item
 * ----------------------------------------------------------------------------------- */

struct wave_track *wave_item_track(struct wave_engine *e, struct wave_item *it)
{
    if (it->track)
        return it->track;
    if (!WAVE_GROW(&e->tracks, &e->track_capacity, e->ntracks + 1) ||
        !(it->track = calloc(1, sizeof *it->track))) {
        e->failed = true;
        return NULL;
    }
    return e->tracks[e->ntracks++] = it->track;
}

static void keep(struct wave_engine *e, char **text, size_t *room, uint32_t *len, const char *value,
                 uint32_t n)
{
    if (!WAVE_GROW(text, room, (size_t)n + 1)) {
        e->failed = true;
        return;
    }
    memcpy(*text, value, n);
    *len = n;
}

static void keep_values(struct wave_engine *e, struct wave_track *t, const char *a, uint32_t na,
                        const char *b, uint32_t nb)
{
    keep(e, &t->golden, &t->golden_room, &t->golden_len, a, na);
    keep(e, &t->actual, &t->actual_room, &t->actual_len, b, nb);
}

void wave_item_agreed(struct wave_engine *e, struct wave_item *it, const char *value, uint32_t len)
{
    struct wave_track *t = wave_item_track(e, it);
    if (!t || t->found || !it->has_when)
        return;
    t->has_agreed = true;
    t->agreed_when = it->agreed_when;
    keep(e, &t->agreed, &t->agreed_room, &t->agreed_len, value, len);
}

static bool beyond_an_end(const struct wave_engine *e, wave_time when)
{
    for (int i = 0; i < 2; i++)
        if (e->side[i].ended && when > wave_side_end(&e->side[i]))
            return true;
    return false;
}

/* The first difference that counts; its values are kept already. */
static void found(struct wave_engine *e, uint32_t item, wave_time when)
{
    struct wave_item *it = &e->items[item];
    struct wave_watch *w = &e->watches[it->watch];
    struct wave_track *t = it->track;
    t->found = true;
    t->first = when;
    t->first_opens = t->from.opens + 1;
    t->kind = beyond_an_end(e, when) ? WAVE_DIFF_ENDS : WAVE_DIFF_VALUE;
    delist(w, e, item);
    if (!w->sampled && w->open)
        enlist(w, e, item, 1);
}

/* ---- a watch opens, closes, samples
 * ----------------------------------------------------------------------------- */

struct wave_mark wave_watch_mark(const struct wave_watch *w, wave_time now)
{
    bool open = w->open && !w->sampled;
    return (struct wave_mark){ now, w->opens, w->spent + (open ? now - w->since : 0), open };
}

static void found_with_values(struct wave_engine *e, uint32_t item, wave_time when, bool before)
{
    const struct wave_item *it = &e->items[item];
    uint32_t na, nb;
    const char *a = wave_item_value(e, it, 0, before, &na), *b = wave_item_value(e, it, 1, before, &nb);
    keep_values(e, it->track, a, na, b, nb);
    found(e, item, when);
}

void wave_watch_open(struct wave_engine *e, struct wave_watch *w, wave_time now)
{
    if (w->open)
        return;
    w->open = true;
    if (w->sampled)
        return;
    w->opens++;
    w->since = now;
    while (w->nwaiting)
        found_with_values(e, w->waiting[w->nwaiting - 1], now, false);
}

void wave_watch_close(struct wave_engine *e, struct wave_watch *w, wave_time now)
{
    if (!w->open)
        return;
    w->open = false;
    if (w->sampled)
        return;
    w->spent += now - w->since;
    while (w->nfirst) {
        uint32_t item = w->first[w->nfirst - 1];
        e->items[item].track->done = true;
        e->items[item].track->until = now;
        delist(w, e, item);
    }
}

/* Remembers an edge for signals that change within the hold time after it. */
static int remember(struct wave_engine *e, struct wave_watch *w, wave_time now, struct nerr *err)
{
    while (w->nedges && w->edges[w->edge_first] + e->hold < now) {
        w->edge_first = (w->edge_first + 1) % w->edge_capacity;
        w->nedges--;
    }
    if (w->nedges == w->edge_capacity) {
        size_t capacity = w->edge_capacity ? w->edge_capacity * 2 : 16;
        wave_time *more = capacity <= EDGES_MAX ? malloc(capacity * sizeof *more) : NULL;
        if (capacity > EDGES_MAX)
            return nerr_set(err, NERR_INPUT, "", "the hold time covers more than %zu clock edges", EDGES_MAX);
        if (!more)
            return wave_no_memory(err);
        for (size_t i = 0; i < w->nedges; i++)
            more[i] = w->edges[(w->edge_first + i) % w->edge_capacity];
        free(w->edges);
        w->edges = more;
        w->edge_first = 0;
        w->edge_capacity = capacity;
    }
    w->edges[(w->edge_first + w->nedges++) % w->edge_capacity] = now;
    return 0;
}

int wave_watch_sample(struct wave_engine *e, struct wave_watch *w, wave_time now, struct nerr *err)
{
    if (!w->open)
        return 0;
    w->opens++;
    while (w->nwaiting) {
        uint32_t item = w->waiting[w->nwaiting - 1];
        struct wave_track *t = e->items[item].track;
        if (t->lingers) /* its values were kept when it became equal */
            found(e, item, t->from.when > now - e->setup ? t->from.when : now - e->setup);
        else
            found_with_values(e, item, now, true);
    }
    while (w->nfirst) { /* back to equal since the last edge? */
        uint32_t item = w->first[w->nfirst - 1];
        struct wave_track *t = e->items[item].track;
        if (!e->items[item].differs && !t->lingers) {
            t->done = true;
            t->until = now;
            t->first_samples = w->opens - t->first_opens;
        }
        delist(w, e, item);
    }
    return e->hold > 0 ? remember(e, w, now, err) : 0;
}

/* ---- an item differs, and agrees again
 * -------------------------------------------------------------------------- */

/* Edges whose hold time reaches to `when`. */
static uint64_t held(const struct wave_engine *e, const struct wave_watch *w, wave_time when)
{
    uint64_t n = 0;
    while (n < w->nedges && w->edges[(w->edge_first + w->nedges - 1 - n) % w->edge_capacity] + e->hold > when)
        n++;
    return n;
}

void wave_item_open(struct wave_engine *e, uint32_t item, struct wave_mark from, const char *a, uint32_t na,
                    const char *b, uint32_t nb)
{
    struct wave_item *it = &e->items[item];
    struct wave_watch *w = &e->watches[it->watch];
    struct wave_track *t = wave_item_track(e, it);
    if (!t)
        return;
    it->differs = true;
    if (t->lingers) { /* the interval goes on */
        t->lingers = false;
        return;
    }
    if (w->sampled && e->hold > 0) {
        from.opens = w->opens - held(e, w, from.when);
        from.opens = from.opens < t->closed_opens ? t->closed_opens : from.opens;
    }
    t->from = from;
    delist(w, e, item); /* sampled: it was in doubt whether its first interval is over; now it goes on */
    if (t->found)
        return;
    if (from.open || w->opens > from.opens) {
        keep_values(e, t, a, na, b, nb);
        found(e, item, from.open || w->sampled ? from.when : w->since);
    } else {
        enlist(w, e, item, 0);
    }
}

static void add_up(struct wave_track *t, struct wave_mark to)
{
    t->intervals += to.opens - t->from.opens + (t->from.open ? 1 : 0);
    t->total += to.spent - t->from.spent;
}

static void finish_close(struct wave_engine *e, uint32_t item, struct wave_mark to)
{
    struct wave_item *it = &e->items[item];
    struct wave_watch *w = &e->watches[it->watch];
    struct wave_track *t = it->track;
    t->lingers = false;
    t->closed_opens = w->opens;
    add_up(t, to);
    delist(w, e, item);
    if (!t->found || t->done)
        return;
    if (w->sampled) {
        enlist(w, e, item, 1);
    } else {
        t->done = true;
        t->until = to.when;
    }
}

void wave_item_close(struct wave_engine *e, uint32_t item, struct wave_mark to)
{
    struct wave_item *it = &e->items[item];
    struct wave_track *t = it->track;
    uint32_t na, nb;
    it->differs = false;
    if (!e->watches[it->watch].sampled || e->setup == 0) {
        finish_close(e, item, to);
        return;
    }
    if (!t->found) {
        const char *a = wave_item_value(e, it, 0, true, &na), *b = wave_item_value(e, it, 1, true, &nb);
        keep_values(e, t, a, na, b, nb);
    }
    if (e->linger_first > 0 && e->linger_first * 2 > e->nlingering) { /* the front of the queue is used up */
        memmove(e->lingering, e->lingering + e->linger_first,
                (e->nlingering - e->linger_first) * sizeof *e->lingering);
        e->nlingering -= e->linger_first;
        e->linger_first = 0;
    }
    if (!WAVE_GROW(&e->lingering, &e->linger_capacity, e->nlingering + 1)) {
        e->failed = true;
        return;
    }
    e->lingering[e->nlingering++] = (struct wave_linger){ item, to.when };
    t->lingers = true;
    t->closed = to.when;
}

void wave_watch_expire(struct wave_engine *e, wave_time now)
{
    while (e->linger_first < e->nlingering && e->lingering[e->linger_first].closed + e->setup < now) {
        struct wave_linger l = e->lingering[e->linger_first++];
        const struct wave_item *it = &e->items[l.item];
        if (it->track->lingers && it->track->closed == l.closed)
            finish_close(e, l.item, wave_watch_mark(&e->watches[it->watch], l.closed));
    }
}

void wave_watch_end(struct wave_engine *e)
{
    for (uint32_t i = 0; i < e->nitems; i++) {
        const struct wave_item *it = &e->items[i];
        if (it->track && (it->differs || it->track->lingers))
            add_up(it->track, wave_watch_mark(&e->watches[it->watch], e->end));
    }
}
