/*
 * Values that last shorter than a given time do not exist: changes are held back until they have lasted long
 * enough, and come out with the time at which they happened. Stands between a feed and its side (engine.h).
 */
#include <stdlib.h>
#include <string.h>

#include "wave/engine.h"
#include "wave/grow.h"

struct held {
    uint64_t time;
    uint32_t signal, len;
    char *value;
    bool dropped;
};

struct wave_glitch {
    uint64_t least;    /* ticks of this file */
    struct held *held; /* [first, n) in the order of time */
    size_t first, n, capacity;
    size_t live;   /* not dropped */
    size_t *place; /* per signal: index + 1 of the change that is held back, 0: none */
    char **passed; /* per signal: the last value that came out; NULL: none yet */
    uint32_t *passed_len;
    bool started, ended, in_step;
    uint64_t initial; /* time of the first step: initial values are no pulses */
    uint64_t now;     /* of the input */
    uint64_t step;    /* of the output */
    uint64_t dropped;
};

/* Shortest time that counts, in ticks, rounded up. */
static uint64_t ticks_of(const struct wave_side *s, wave_time least)
{
    wave_time n = (least + s->tick - 1) / s->tick;
    return n > (wave_time)UINT64_MAX ? UINT64_MAX : (uint64_t)n;
}

int wave_glitch_make(struct wave_side *s, wave_time least, struct nerr *err)
{
    struct wave_glitch *g = s->glitch = calloc(1, sizeof *g);
    size_t n = (size_t)s->reader->nsignals + 1;
    if (!g)
        return wave_no_memory(err);
    g->least = ticks_of(s, least);
    g->place = calloc(n, sizeof *g->place);
    g->passed = calloc(n, sizeof *g->passed);
    g->passed_len = calloc(n, sizeof *g->passed_len);
    return g->place && g->passed && g->passed_len ? 0 : wave_no_memory(err);
}

void wave_glitch_free(struct wave_side *s)
{
    struct wave_glitch *g = s->glitch;
    if (!g)
        return;
    for (size_t i = g->first; i < g->n; i++)
        free(g->held[i].value);
    for (uint32_t i = 0; g->passed && i < s->reader->nsignals; i++)
        free(g->passed[i]);
    free(g->held);
    free(g->place);
    free(g->passed);
    free(g->passed_len);
    free(g);
    s->glitch = NULL;
}

uint64_t wave_glitch_dropped(const struct wave_side *s)
{
    return s->glitch ? s->glitch->dropped : 0;
}

/* Forgets dropped changes and what came out, so that memory follows the signals and not the time. */
static void compact(struct wave_glitch *g)
{
    size_t kept = 0;
    for (size_t i = g->first; i < g->n; i++) {
        if (g->held[i].dropped)
            continue;
        g->held[kept] = g->held[i];
        if (g->place[g->held[kept].signal])
            g->place[g->held[kept].signal] = kept + 1;
        kept++;
    }
    g->first = 0;
    g->n = kept;
}

static bool hold(struct wave_side *s, const struct wave_record *r)
{
    struct wave_glitch *g = s->glitch;
    bool event = s->signals[r->signal].kind == WAVE_EVENT; /* has no length */
    size_t place = g->place[r->signal];
    if (place && g->held[place - 1].len == r->len && memcmp(g->held[place - 1].value, r->value, r->len) == 0)
        return true; /* still the same value */
    if (place) {     /* it did not last, or belongs to this very step */
        struct held *h = &g->held[place - 1];
        g->dropped += h->time != g->now;
        h->dropped = true;
        free(h->value);
        h->value = NULL;
        g->place[r->signal] = 0;
        g->live--;
    }
    if (!event && g->passed[r->signal] && g->passed_len[r->signal] == r->len &&
        memcmp(g->passed[r->signal], r->value, r->len) == 0)
        return true;
    if (g->n > 4 * g->live + 1024)
        compact(g);
    char *copy = malloc((size_t)r->len + 1);
    if (!copy || !WAVE_GROW(&g->held, &g->capacity, g->n + 1)) {
        free(copy);
        return false;
    }
    memcpy(copy, r->value, r->len);
    struct held *added = &g->held[g->n++];
    *added = (struct held){ .time = g->now, .signal = r->signal, .len = r->len };
    added->value = copy;
    g->place[r->signal] = event ? 0 : g->n;
    g->live++;
    return true;
}

/* The front has lasted long enough, or nothing can end it any more. */
static bool is_due(const struct wave_glitch *g, const struct held *h)
{
    return h->dropped || g->ended || (h->time == g->initial && g->now > h->time) ||
           g->now - h->time >= g->least;
}

/* Takes the front out. */
static void give(struct wave_glitch *g, struct wave_record *out)
{
    struct held *h = &g->held[g->first];
    free(g->passed[h->signal]);
    g->passed[h->signal] = h->value;
    g->passed_len[h->signal] = h->len;
    g->place[h->signal] = 0;
    *out = (struct wave_record){ WAVE_CHANGE, h->time, h->signal, h->len, h->value };
    g->first++;
    g->live--;
}

int wave_glitch_next(struct wave_side *s, struct wave_record *out, struct nerr *err)
{
    struct wave_glitch *g = s->glitch;
    struct wave_record r;
    for (;;) {
        while (g->first < g->n && g->held[g->first].dropped)
            g->first++;
        if (g->first < g->n && is_due(g, &g->held[g->first])) {
            if (!g->in_step || g->step != g->held[g->first].time) {
                g->in_step = true;
                g->step = g->held[g->first].time;
                *out = (struct wave_record){ .kind = WAVE_TIME, .time = g->step };
            } else {
                give(g, out);
            }
            return 0;
        }
        if (g->ended) {
            *out = (struct wave_record){ .kind = WAVE_END };
            return 0;
        }
        int rc = wave_feed_next(&s->feed, &r, err);
        if (rc)
            return rc;
        if (r.kind == WAVE_CHANGE) {
            if (!hold(s, &r))
                return wave_no_memory(err);
            continue;
        }
        g->ended = r.kind == WAVE_END;
        if (!g->ended && !g->started)
            g->initial = r.time;
        g->started = true;
        if (!g->ended)
            g->now = r.time;
    }
}
