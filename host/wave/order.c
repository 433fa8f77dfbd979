/* Comparing sequences instead of times: see struct wave_group in engine.h, and docs/waves.md. */
#include <stdlib.h>
#include <string.h>

#include "util/strbuf.h"
#include "wave/engine.h"
#include "wave/grow.h"
#include "wave/text.h"

#define LOOK_AHEAD 1024u
#define BYTES_MAX  ((uint64_t)256 << 20) /* of waiting transactions */

struct wave_transactions {
    struct wave_transaction **t; /* [first, n) are waiting */
    size_t first, n, capacity;
};

/* ---- making the groups
 * ------------------------------------------------------------------------------------------- */

static const struct wave_match *match_of(const struct wave_engine *e, uint32_t item, uint32_t i)
{
    return &e->pairing.matches[e->matches[e->items[item].first_match + i]];
}

static bool in_group(const struct wave_engine *e, uint32_t item, const char *glob)
{
    for (uint32_t i = 0; i < e->items[item].nmatches; i++) {
        const struct wave_match *m = match_of(e, item, i);
        if (wave_glob_signal(glob, m->name_a) || wave_glob_signal(glob, m->name_b))
            return true;
    }
    return false;
}

struct member {
    uint32_t var, item;
};

static int by_declaration(const void *pa, const void *pb)
{
    const struct member *a = pa, *b = pb;
    return (a->var > b->var) - (a->var < b->var);
}

static bool fill_group(struct wave_engine *e, struct wave_group *g, struct member *all)
{
    size_t n = 0;
    for (uint32_t i = 0; i < e->nitems; i++)
        if (in_group(e, i, g->glob))
            all[n++] = (struct member){ match_of(e, i, 0)->var_a, i };
    qsort(all, n, sizeof *all, by_declaration);
    g->items = malloc((n + 1) * sizeof *g->items);
    for (size_t i = 0; g->items && i < n; i++)
        g->items[i] = all[i].item;
    g->nitems = (uint32_t)n;
    return g->items != NULL;
}

static bool make_groups(struct wave_engine *e, struct nerr *err, int *rc)
{
    const struct wave_order_option *o = &e->options->order;
    struct member *all = malloc(((size_t)e->nitems + 1) * sizeof *all);
    size_t n = o->ngroups ? o->ngroups : e->nitems;
    bool good = all && n < WAVE_LISTEN_MAX && (e->groups = calloc(n + 1, sizeof *e->groups)) != NULL;
    for (size_t i = 0; good && i < n; i++) {
        struct wave_group *g = &e->groups[e->ngroups++];
        g->queue = calloc(2, sizeof *g->queue);
        if (o->ngroups) {
            g->glob = o->groups[i];
            good = g->queue && fill_group(e, g, all);
            if (good && g->nitems == 0 && !*rc)
                *rc = nerr_set(err, NERR_INPUT, "", "no compared signal is in the group '%s'", g->glob);
        } else {
            good = g->queue && (g->items = malloc(sizeof *g->items)) != NULL;
            g->nitems = 1;
            if (good)
                g->items[0] = (uint32_t)i;
        }
    }
    free(all);
    return good;
}

static bool listen(struct wave_engine *e)
{
    for (int side = 0; side < 2; side++) {
        size_t n = 0;
        const struct wave_piece *valid = e->valid[side] ? wave_expr_pieces(e->valid[side], &n) : NULL;
        for (uint32_t i = 0; i < e->ngroups; i++) {
            struct wave_group *g = &e->groups[i];
            uint32_t listener = WAVE_LISTEN(WAVE_LISTEN_GROUP, i);
            for (size_t k = 0; k < n; k++)
                if (!wave_side_listen(&e->side[side], valid[k].signal, listener))
                    return false;
            for (uint32_t k = 0; k < g->nitems; k++) {
                struct wave_part part = side ? e->items[g->items[k]].b : e->items[g->items[k]].a;
                for (uint32_t p = 0; p < part.n; p++)
                    if (!wave_side_listen(&e->side[side], e->pairing.pieces[part.first + p].signal, listener))
                        return false;
            }
        }
        e->dirty_groups[side] = malloc(((size_t)e->ngroups + 1) * sizeof *e->dirty_groups[side]);
        if (!e->dirty_groups[side])
            return false;
    }
    return true;
}

int wave_order_make(struct wave_engine *e, struct nerr *err)
{
    int rc = 0;
    for (int side = 0; side < 2 && e->options->order.valid && !rc; side++) {
        rc = wave_expr_make(e->options->order.valid, &e->side[side].index, &e->valid[side], err);
        if (rc)
            nerr_prefix(err, e->side[side].reader->path);
    }
    if (!rc && !make_groups(e, err, &rc))
        rc = wave_no_memory(err);
    return !rc && !listen(e) ? wave_no_memory(err) : rc;
}

static void clear_queue(struct wave_engine *e, struct wave_transactions *q)
{
    for (; q->first < q->n; q->first++) {
        e->order_bytes -= sizeof *q->t[q->first] + q->t[q->first]->len;
        free(q->t[q->first]);
    }
}

void wave_order_free(struct wave_engine *e)
{
    for (uint32_t i = 0; i < e->ngroups; i++) {
        struct wave_group *g = &e->groups[i];
        for (int side = 0; side < 2; side++) {
            if (g->queue) {
                clear_queue(e, &g->queue[side]);
                free(g->queue[side].t);
            }
            free(g->odd[side]);
            free(g->before[side]);
        }
        free(g->queue);
        free(g->last);
        free(g->items);
    }
    free(e->groups);
    for (int side = 0; side < 2; side++) {
        wave_expr_free(e->valid[side]);
        free(e->dirty_groups[side]);
    }
}

/* ---- transactions
 * ----------------------------------------------------------------------------------------------- */

/* The values of the group now, or before this step; NULL when out of memory. */
static struct wave_transaction *take(struct wave_engine *e, const struct wave_group *g, int side, bool before,
                                     wave_time now)
{
    size_t len = 0;
    uint32_t n;
    for (uint32_t i = 0; i < g->nitems; i++) {
        wave_item_value(e, &e->items[g->items[i]], side, before, &n);
        len += sizeof n + n;
    }
    struct wave_transaction *t = malloc(sizeof *t + len);
    if (!t)
        return NULL;
    t->when = now;
    t->len = len;
    char *at = t->bytes;
    for (uint32_t i = 0; i < g->nitems; i++) {
        const char *value = wave_item_value(e, &e->items[g->items[i]], side, before, &n);
        memcpy(at, &n, sizeof n);
        memcpy(at + sizeof n, value, n);
        at += sizeof n + n;
    }
    return t;
}

static bool same(struct wave_engine *e, const struct wave_group *g, const struct wave_transaction *a,
                 const struct wave_transaction *b)
{
    const char *pa = a->bytes, *pb = b->bytes;
    if (a->len == b->len && memcmp(pa, pb, a->len) == 0)
        return true;
    for (uint32_t i = 0; i < g->nitems; i++) {
        uint32_t na, nb;
        memcpy(&na, pa, sizeof na);
        memcpy(&nb, pb, sizeof nb);
        pa += sizeof na;
        pb += sizeof nb;
        if (!wave_item_equal(e, &e->items[g->items[i]], pa, na, pb, nb))
            return false;
        pa += na;
        pb += nb;
    }
    return true;
}

char *wave_transaction_text(const struct wave_engine *e, const struct wave_group *g,
                            const struct wave_transaction *t)
{
    struct strbuf b = { 0 };
    const char *p = t->bytes;
    for (uint32_t i = 0; i < g->nitems; i++) {
        uint32_t n;
        memcpy(&n, p, sizeof n);
        char *value = wave_value_text((enum wave_kind)e->items[g->items[i]].kind, p + sizeof n, n);
        p += sizeof n + n;
        const char *name = match_of(e, g->items[i], 0)->name_a, *dot = strrchr(name, '.');
        if (g->nitems > 1)
            strbuf_printf(&b, "%s%s=", i ? " " : "", dot ? dot + 1 : name);
        if (value)
            strbuf_puts(&b, value);
        b.failed = b.failed || !value;
        free(value);
    }
    if (b.failed)
        strbuf_free(&b);
    return b.s;
}

const char *wave_group_name(const struct wave_engine *e, const struct wave_group *g, int side)
{
    const struct wave_match *m = match_of(e, g->items[0], 0);
    return g->glob ? g->glob : side ? m->name_b : m->name_a;
}

static struct wave_transaction *pop(struct wave_engine *e, struct wave_transactions *q)
{
    struct wave_transaction *t = q->t[q->first++];
    e->order_bytes -= sizeof *t + t->len;
    if (q->first == q->n)
        q->first = q->n = 0;
    return t;
}

/* One more transaction of B behind the first difference. */
static void look_at(struct wave_engine *e, struct wave_group *g, const struct wave_transaction *b)
{
    if (g->reordered || !g->odd[0] || g->ahead++ >= LOOK_AHEAD)
        return;
    g->reordered = same(e, g, g->odd[0], b);
}

/* From here on only counts and the look-ahead go on. Takes a and b over. */
static void differ(struct wave_engine *e, struct wave_group *g, struct wave_transaction *a,
                   struct wave_transaction *b)
{
    struct wave_transactions *qb = &g->queue[1];
    g->differs = true;
    g->odd[0] = a;
    g->odd[1] = b;
    for (size_t i = qb->first; i < qb->n; i++)
        look_at(e, g, qb->t[i]);
    clear_queue(e, &g->queue[0]);
    clear_queue(e, &g->queue[1]);
}

static void matched(struct wave_group *g, struct wave_transaction *a, struct wave_transaction *b)
{
    wave_time latency = b->when - a->when;
    g->latency_min = !g->matched || latency < g->latency_min ? latency : g->latency_min;
    g->latency_max = !g->matched || latency > g->latency_max ? latency : g->latency_max;
    g->latency_sum += latency;
    g->matched++;
    free(g->last);
    free(b);
    g->last = a;
}

static int add(struct wave_engine *e, struct wave_group *g, int side, struct wave_transaction *t,
               struct nerr *err)
{
    struct wave_transactions *q = &g->queue[side], *other = &g->queue[!side];
    g->count[side]++;
    if (g->differs) {
        if (side == 1)
            look_at(e, g, t);
        free(t);
        return 0;
    }
    if (other->first < other->n) {
        struct wave_transaction *u = pop(e, other);
        struct wave_transaction *a = side ? u : t, *b = side ? t : u;
        if (same(e, g, a, b))
            matched(g, a, b);
        else
            differ(e, g, a, b);
        return 0;
    }
    if (q->first > 0 && q->n == q->capacity && q->first * 2 >= q->n) {
        memmove(q->t, q->t + q->first, (q->n - q->first) * sizeof *q->t);
        q->n -= q->first;
        q->first = 0;
    }
    e->order_bytes += sizeof *t + t->len;
    if (e->order_bytes > BYTES_MAX || !WAVE_GROW(&q->t, &q->capacity, q->n + 1)) {
        bool full = e->order_bytes > BYTES_MAX;
        e->order_bytes -= sizeof *t + t->len;
        free(t);
        return !full
                   ? wave_no_memory(err)
                   : nerr_set(err, NERR_INPUT, "",
                              "more than %llu MB of transactions wait for the other side; compare less with "
                              "--only or --window",
                              (unsigned long long)(BYTES_MAX >> 20));
    }
    q->t[q->n++] = t;
    return 0;
}

/* ---- sampling
 * --------------------------------------------------------------------------------------------------- */

struct where {
    struct wave_engine *e;
    int side;
    bool before;
};

static const char *value_of(void *ctx, uint32_t signal)
{
    const struct where *w = ctx;
    const struct wave_signal *s = &w->e->side[w->side].signals[signal];
    uint32_t n;
    return w->before ? wave_before(s, &n) : wave_present(s);
}

static bool is_valid(struct wave_engine *e, int side, bool before)
{
    struct where w = { e, side, before };
    return !e->valid[side] || wave_expr_holds(e->valid[side], value_of, &w);
}

/* Without a valid expression a value counts once however often it is sampled. */
static bool is_news(struct wave_engine *e, struct wave_group *g, int side, const struct wave_transaction *t)
{
    if (e->valid[side])
        return true;
    if (g->before[side] && g->before_len[side] == t->len && memcmp(g->before[side], t->bytes, t->len) == 0)
        return false;
    if (!WAVE_GROW(&g->before[side], &g->before_room[side], t->len + 1)) {
        e->failed = true;
        return false;
    }
    memcpy(g->before[side], t->bytes, t->len);
    g->before_len[side] = t->len;
    return true;
}

static int sample(struct wave_engine *e, uint32_t group, int side, bool before, wave_time now,
                  struct nerr *err)
{
    struct wave_group *g = &e->groups[group];
    struct wave_transaction *t = take(e, g, side, before, now);
    if (!t)
        return wave_no_memory(err);
    if (is_news(e, g, side, t))
        return add(e, g, side, t, err);
    free(t);
    return 0;
}

void wave_order_tell(struct wave_engine *e, int side, uint32_t group)
{
    struct wave_group *g = &e->groups[group];
    if (g->dirty[side])
        return;
    g->dirty[side] = true;
    e->dirty_groups[side][e->ndirty_groups[side]++] = group;
}

int wave_order_step(struct wave_engine *e, wave_time now, struct nerr *err)
{
    int rc = 0;
    for (int side = 0; side < 2; side++) {
        bool sampling =
            e->window_open && (!e->clocked || e->clock_ticks[side]) && is_valid(e, side, e->clocked);
        e->result->samples += e->window_open && e->clocked && side == 0 && e->clock_ticks[0];
        if (sampling && e->clocked)
            for (uint32_t i = 0; i < e->ngroups && !rc; i++)
                rc = sample(e, i, side, true, now, err);
        for (uint32_t i = 0; i < e->ndirty_groups[side]; i++) {
            uint32_t group = e->dirty_groups[side][i];
            e->groups[group].dirty[side] = false;
            if (sampling && !e->clocked && !rc)
                rc = sample(e, group, side, false, now, err);
        }
        e->ndirty_groups[side] = 0;
    }
    return rc;
}

void wave_order_end(struct wave_engine *e)
{
    for (uint32_t i = 0; i < e->ngroups; i++) {
        struct wave_group *g = &e->groups[i];
        for (int side = 0; side < 2 && !g->differs; side++)
            if (g->queue[side].first < g->queue[side].n) {
                struct wave_transaction *t = pop(e, &g->queue[side]);
                differ(e, g, side ? NULL : t, side ? t : NULL);
            }
    }
}
