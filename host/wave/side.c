/* Reading one side of a comparison: see side.h. */
#include "wave/side.h"

#include <stdlib.h>
#include <string.h>

static int no_memory(const struct wave_side *s, struct nerr *err)
{
    return nerr_set(err, NERR_MEM, s->reader->path, "out of memory");
}

static uint32_t signal_of(const struct wave_pair *p, int which)
{
    return which ? p->signal_b : p->signal_a;
}

/* Index from signals to their pairs, by counting. */
static bool index_pairs(struct wave_side *s, const struct wave_pairing *p, int which)
{
    uint32_t n = s->reader->nsignals, at = 0;
    s->first = calloc((size_t)n + 1, sizeof *s->first);
    s->count = calloc((size_t)n + 1, sizeof *s->count);
    s->list = malloc(((size_t)p->npairs + 1) * sizeof *s->list);
    if (!s->first || !s->count || !s->list)
        return false;
    for (uint32_t i = 0; i < p->npairs; i++)
        s->count[signal_of(&p->pairs[i], which)]++;
    for (uint32_t i = 0; i < n; i++) {
        s->first[i] = at;
        at += s->count[i];
        s->count[i] = 0;
    }
    for (uint32_t i = 0; i < p->npairs; i++) {
        uint32_t signal = signal_of(&p->pairs[i], which);
        s->list[s->first[signal] + s->count[signal]++] = i;
    }
    return true;
}

static bool make_values(struct wave_side *s, const struct wave_pairing *p, int which)
{
    s->values = calloc((size_t)s->reader->nsignals + 1, sizeof *s->values);
    if (!s->values)
        return false;
    for (uint32_t i = 0; i < p->npairs; i++) {
        struct wave_value *v = &s->values[signal_of(&p->pairs[i], which)];
        if (v->text)
            continue;
        v->kind = p->pairs[i].kind;
        v->capacity = p->pairs[i].width < 32 ? 32 : p->pairs[i].width; /* a real has up to 24 characters */
        v->text = malloc(v->capacity);
        if (!v->text)
            return false;
        v->len = wave_initial(v->kind, p->pairs[i].width, v->text);
    }
    return true;
}

/* Reads on to the first record of the next step. */
static int take_time(struct wave_side *s, const struct wave_record *r)
{
    s->ended = r->kind == WAVE_END;
    if (!s->ended)
        s->when = ((wave_time)r->time + s->reader->timezero) * s->multiplier;
    return 0;
}

int wave_side_init(struct wave_side *s, struct wave_reader *reader, const struct wave_pairing *pairing,
                   int which, int base, struct nerr *err)
{
    memset(s, 0, sizeof *s);
    s->reader = reader;
    s->multiplier = wave_power(reader->exponent - base);
    if (!index_pairs(s, pairing, which) || !make_values(s, pairing, which))
        return no_memory(s, err);
    uint8_t *wanted = malloc((size_t)reader->nsignals + 1);
    if (!wanted)
        return no_memory(s, err);
    for (uint32_t i = 0; i < reader->nsignals; i++)
        wanted[i] = s->values[i].text != NULL;
    struct wave_record r;
    int rc = reader->ops->start(reader, wanted, err);
    if (!rc)
        rc = reader->ops->next(reader, &r, err);
    free(wanted);
    return rc ? rc : take_time(s, &r);
}

static void drop_undo(struct wave_side *s)
{
    for (size_t i = 0; i < s->nundo; i++) {
        s->values[s->undo[i].signal].saved = false;
        free(s->undo[i].text);
    }
    s->nundo = 0;
}

void wave_side_free(struct wave_side *s)
{
    if (s->values && s->reader)
        for (uint32_t i = 0; i < s->reader->nsignals; i++)
            free(s->values[i].text);
    for (size_t i = 0; i < s->nundo; i++)
        free(s->undo[i].text);
    free(s->undo);
    free(s->values);
    free(s->first);
    free(s->count);
    free(s->list);
    memset(s, 0, sizeof *s);
}

static bool save(struct wave_side *s, uint32_t signal)
{
    struct wave_value *v = &s->values[signal];
    if (s->nundo == s->undo_capacity) {
        size_t capacity = s->undo_capacity ? s->undo_capacity * 2 : 64;
        struct wave_undo *more = realloc(s->undo, capacity * sizeof *more);
        if (!more)
            return false;
        s->undo = more;
        s->undo_capacity = capacity;
    }
    struct wave_undo *u = &s->undo[s->nundo];
    u->text = malloc(v->len ? v->len : 1);
    if (!u->text)
        return false;
    memcpy(u->text, v->text, v->len);
    u->signal = signal;
    u->len = v->len;
    s->nundo++;
    v->saved = true;
    return true;
}

static bool assign(struct wave_side *s, const struct wave_record *r, bool *changed)
{
    struct wave_value *v = &s->values[r->signal];
    *changed = v->len != r->len || memcmp(v->text, r->value, r->len) != 0;
    if (!*changed)
        return true;
    if (s->has_stepped && !s->changed && !v->saved && !save(s, r->signal))
        return false;
    if (r->len > v->capacity) {
        char *more = realloc(v->text, r->len);
        if (!more)
            return false;
        v->text = more;
        v->capacity = r->len;
    }
    memcpy(v->text, r->value, r->len);
    v->len = r->len;
    return true;
}

int wave_side_step(struct wave_side *s, void (*touch)(void *ctx, struct wave_side *s, uint32_t signal),
                   void *ctx, struct nerr *err)
{
    wave_time now = s->when;
    while (!s->ended && s->when == now) {
        struct wave_record r;
        int rc = s->reader->ops->next(s->reader, &r, err);
        if (rc)
            return rc;
        if (r.kind != WAVE_CHANGE) {
            take_time(s, &r);
            continue;
        }
        bool changed;
        if (!s->values[r.signal].text)
            continue;
        if (!assign(s, &r, &changed))
            return no_memory(s, err);
        if (changed)
            touch(ctx, s, r.signal);
    }
    return 0;
}

void wave_side_settle(struct wave_side *s)
{
    for (size_t i = 0; i < s->nundo; i++) {
        const struct wave_undo *u = &s->undo[i];
        const struct wave_value *v = &s->values[u->signal];
        s->changed = s->changed || v->len != u->len || memcmp(v->text, u->text, u->len) != 0;
    }
    drop_undo(s);
    s->has_stepped = true;
}
