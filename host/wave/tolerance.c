/*
 * Items with a tolerance in time: every change of one side has to find the same change on the other side, at
 * most `lead` earlier or `lag` later in B. Changes wait in a queue per side; one that waits too long, or
 * meets another value, opens a difference, which lasts until both sides hold the same value. See engine.h.
 *
 * Nothing happens to an item between its changes, so what ran out in between is found at the next change; the
 * counts of the watch that each change carries make that exact.
 */
#include <stdlib.h>
#include <string.h>

#include "wave/engine.h"
#include "wave/grow.h"

#define SMALL     16
#define BYTES_MAX ((uint64_t)256 << 20) /* of waiting changes */

struct change {
    struct wave_mark mark;
    uint32_t len;
    char small[SMALL];
    char *big; /* NULL: small */
};

struct queue {
    struct change *c; /* [first, n) are waiting */
    size_t first, n, capacity;
};

struct wave_late {
    wave_time lead, lag;
    struct queue queue[2];
    char *value[2]; /* present values */
    uint32_t len[2];
    size_t room[2];
    char *base[2]; /* values before the first waiting change */
    uint32_t base_len[2];
    size_t base_room[2];
    struct wave_mark last; /* of the last change of either side */
};

static const char *text(const struct change *c)
{
    return c->big ? c->big : c->small;
}

static void pop(struct wave_engine *e, struct queue *q)
{
    struct change *c = &q->c[q->first++];
    e->late_bytes -= sizeof *c + (c->big ? c->len : 0);
    free(c->big);
    if (q->first == q->n)
        q->first = q->n = 0;
}

static bool waits(const struct queue *q)
{
    return q->first < q->n;
}

static void clear(struct wave_engine *e, struct wave_late *l)
{
    for (int i = 0; i < 2; i++)
        while (waits(&l->queue[i]))
            pop(e, &l->queue[i]);
}

static bool set(char **to, uint32_t *len, size_t *room, const char *value, uint32_t n)
{
    if (!WAVE_GROW(to, room, (size_t)n + 1))
        return false;
    memcpy(*to, value, n);
    *len = n;
    return true;
}

static int push(struct wave_engine *e, struct queue *q, struct wave_mark mark, const char *value, uint32_t n,
                struct nerr *err)
{
    if (q->first > 0 && q->n == q->capacity && q->first * 2 >= q->n) {
        memmove(q->c, q->c + q->first, (q->n - q->first) * sizeof *q->c);
        q->n -= q->first;
        q->first = 0;
    }
    e->late_bytes += sizeof *q->c + (n > SMALL ? n : 0);
    if (e->late_bytes > BYTES_MAX)
        return nerr_set(
            err, NERR_INPUT, "",
            "the tolerance covers so many changes that more than %llu MB of them wait for a partner",
            (unsigned long long)(BYTES_MAX >> 20));
    if (!WAVE_GROW(&q->c, &q->capacity, q->n + 1))
        return wave_no_memory(err);
    struct change *c = &q->c[q->n];
    *c = (struct change){ .mark = mark, .len = n };
    if (n > SMALL && !(c->big = malloc(n)))
        return wave_no_memory(err);
    memcpy(c->big ? c->big : c->small, value, n);
    q->n++;
    return 0;
}

int wave_late_make(struct wave_engine *e, struct wave_item *it, uint32_t rule, struct nerr *err)
{
    struct wave_late *l = it->late = calloc(1, sizeof *l);
    if (!l)
        return wave_no_memory(err);
    l->lead = rule ? wave_bound_time(e, &e->options->rules[rule - 1].lead) : e->lead;
    l->lag = rule ? wave_bound_time(e, &e->options->rules[rule - 1].lag) : e->lag;
    for (int i = 0; i < 2; i++) {
        size_t n = it->width > 32 ? it->width : 32;
        if (!WAVE_GROW(&l->value[i], &l->room[i], n) || !WAVE_GROW(&l->base[i], &l->base_room[i], n))
            return wave_no_memory(err);
        l->len[i] = l->base_len[i] = wave_initial((enum wave_kind)it->kind, it->width, l->value[i]);
        memcpy(l->base[i], l->value[i], l->len[i]);
    }
    return 0;
}

void wave_late_free(struct wave_late *l)
{
    if (!l)
        return;
    for (int i = 0; i < 2; i++) {
        for (size_t k = l->queue[i].first; k < l->queue[i].n; k++)
            free(l->queue[i].c[k].big);
        free(l->queue[i].c);
        free(l->value[i]);
        free(l->base[i]);
    }
    free(l);
}

static bool agree(struct wave_engine *e, const struct wave_item *it)
{
    const struct wave_late *l = it->late;
    return wave_item_equal(e, it, l->value[0], l->len[0], l->value[1], l->len[1]);
}

/* Ends the difference when both sides hold the same value; from now on changes wait again. */
static void try_close(struct wave_engine *e, uint32_t item)
{
    struct wave_item *it = &e->items[item];
    struct wave_late *l = it->late;
    if (!agree(e, it))
        return;
    wave_item_close(e, item, l->last);
    for (int i = 0; i < 2; i++)
        if (!set(&l->base[i], &l->base_len[i], &l->base_room[i], l->value[i], l->len[i]))
            e->failed = true;
}

static void open(struct wave_engine *e, uint32_t item, struct wave_mark from, const struct change *a,
                 const struct change *b)
{
    struct wave_item *it = &e->items[item];
    struct wave_late *l = it->late;
    wave_item_agreed(e, it, l->base[0], l->base_len[0]);
    wave_item_open(e, item, from, a ? text(a) : l->base[0], a ? a->len : l->base_len[0],
                   b ? text(b) : l->base[1], b ? b->len : l->base_len[1]);
    clear(e, l);
    try_close(e, item);
}

/* Changes whose time ran out before `now`: at most one side has some. */
static void expire(struct wave_engine *e, uint32_t item, wave_time now)
{
    struct wave_item *it = &e->items[item];
    struct wave_late *l = it->late;
    for (int i = 0; i < 2; i++) {
        const struct queue *q = &l->queue[i];
        if (!it->differs && waits(q) && q->c[q->first].mark.when + (i ? l->lead : l->lag) < now) {
            const struct change *c = &q->c[q->first];
            open(e, item, c->mark, i ? NULL : c, i ? c : NULL);
        }
    }
}

static void match(struct wave_engine *e, uint32_t item)
{
    struct wave_item *it = &e->items[item];
    struct wave_late *l = it->late;
    struct queue *qa = &l->queue[0], *qb = &l->queue[1];
    while (waits(qa) && waits(qb)) {
        const struct change *a = &qa->c[qa->first], *b = &qb->c[qb->first];
        if (!wave_item_equal(e, it, text(a), a->len, text(b), b->len)) {
            open(e, item, a->mark.when > b->mark.when ? a->mark : b->mark, a, b);
            return;
        }
        it->has_when = true;
        it->agreed_when = a->mark.when;
        if (it->kind != WAVE_EVENT &&
            (!set(&l->base[0], &l->base_len[0], &l->base_room[0], text(a), a->len) ||
             !set(&l->base[1], &l->base_len[1], &l->base_room[1], text(b), b->len)))
            e->failed = true;
        pop(e, qa);
        pop(e, qb);
    }
}

int wave_late_change(struct wave_engine *e, uint32_t item, wave_time now, struct nerr *err)
{
    struct wave_item *it = &e->items[item];
    struct wave_late *l = it->late;
    struct wave_mark mark = wave_watch_mark(&e->watches[it->watch], now);
    expire(e, item, now);
    for (int i = 0; i < 2; i++) {
        uint32_t n;
        const char *value = wave_item_value(e, it, i, false, &n);
        bool fires = it->kind == WAVE_EVENT && *value == '1';
        if (it->kind == WAVE_EVENT ? !fires : n == l->len[i] && memcmp(value, l->value[i], n) == 0)
            continue;
        l->last = mark;
        if (!fires && !set(&l->value[i], &l->len[i], &l->room[i], value, n))
            return wave_no_memory(err);
        int rc = it->differs ? 0 : push(e, &l->queue[i], mark, value, n, err);
        if (rc)
            return rc;
    }
    if (it->differs)
        try_close(e, item);
    else
        match(e, item);
    return 0;
}

void wave_late_end(struct wave_engine *e, uint32_t item, wave_time now)
{
    expire(e, item, now);
}
