/* Settled values: see settle.h. */
#include "wave/settle.h"

#include <stdlib.h>
#include <string.h>

#define REAL_BYTES 32 /* longest text of a real */

static bool make_cell(struct wave_cell *c, const struct wave_var *var)
{
    c->kind = var->kind;
    c->capacity = var->kind == WAVE_REAL ? REAL_BYTES : var->width ? var->width : 1;
    c->now = malloc((size_t)c->capacity * 2);
    if (!c->now)
        return false;
    c->before = c->now + c->capacity;
    c->now_len = wave_initial(c->kind, var->width, c->now);
    c->before_len = c->now_len;
    memcpy(c->before, c->now, c->now_len);
    return true;
}

int wave_settle_start(struct wave_settle *s, struct wave_reader *r, const uint8_t *wanted, struct nerr *err)
{
    size_t n = r->nsignals;
    bool made = true;
    memset(s, 0, sizeof *s);
    s->reader = r;
    s->cells = calloc(n + 1, sizeof *s->cells);
    s->touched = calloc(n + 1, sizeof *s->touched);
    s->changed = calloc(n + 1, sizeof *s->changed);
    if (!s->cells || !s->touched || !s->changed)
        return nerr_set(err, NERR_MEM, r->path, "out of memory");
    for (size_t i = 0; i < r->nvars && made; i++) {
        uint32_t signal = r->vars[i].signal;
        if (!s->cells[signal].now && (!wanted || wanted[signal]))
            made = make_cell(&s->cells[signal], &r->vars[i]);
    }
    if (!made)
        return nerr_set(err, NERR_MEM, r->path, "out of memory");
    struct wave_record first = { .kind = WAVE_END };
    int rc = r->ops->start(r, wanted, err);
    if (!rc)
        rc = r->ops->next(r, &first, err);
    if (!rc && first.kind == WAVE_TIME) {
        s->has_next = true;
        s->next_time = first.time;
    }
    return rc;
}

void wave_settle_free(struct wave_settle *s)
{
    for (uint32_t i = 0; s->cells && i < s->reader->nsignals; i++)
        free(s->cells[i].now);
    free(s->cells);
    free(s->touched);
    free(s->changed);
    memset(s, 0, sizeof *s);
}

static bool widen(struct wave_cell *c, uint32_t len)
{
    uint32_t capacity = len > UINT32_MAX / 2 ? len : len * 2;
    char *more = malloc((size_t)capacity * 2);
    if (!more)
        return false;
    memcpy(more, c->now, c->now_len);
    memcpy(more + capacity, c->before, c->before_len);
    free(c->now);
    c->now = more;
    c->before = more + capacity;
    c->capacity = capacity;
    return true;
}

static int assign(struct wave_settle *s, const struct wave_record *r, struct nerr *err)
{
    struct wave_cell *c = &s->cells[r->signal];
    s->records++;
    if (!c->now)
        return 0;
    if (r->len > c->capacity && !widen(c, r->len))
        return nerr_set(err, NERR_MEM, s->reader->path, "out of memory for a value of %lu bytes",
                        (unsigned long)r->len);
    memcpy(c->now, r->value, r->len);
    c->now_len = r->len;
    if (!c->touched) {
        c->touched = true;
        s->touched[s->ntouched++] = r->signal;
    }
    return 0;
}

/* Finds out what the step changed. An event is quiet again before the next one. */
static void settle(struct wave_settle *s)
{
    for (size_t i = 0; i < s->ntouched; i++) {
        struct wave_cell *c = &s->cells[s->touched[i]];
        c->touched = false;
        if (c->now_len == c->before_len && memcmp(c->now, c->before, c->now_len) == 0)
            continue;
        s->changed[s->nchanged++] = s->touched[i];
        if (c->kind == WAVE_EVENT)
            continue;
        memcpy(c->before, c->now, c->now_len);
        c->before_len = c->now_len;
    }
}

int wave_settle_step(struct wave_settle *s, struct nerr *err)
{
    struct wave_record r;
    s->nchanged = s->ntouched = 0;
    s->ended = !s->has_next;
    if (s->ended)
        return 0;
    s->time = s->next_time;
    s->has_next = false;
    for (;;) {
        int rc = s->reader->ops->next(s->reader, &r, err);
        if (!rc && r.kind == WAVE_CHANGE)
            rc = assign(s, &r, err);
        if (rc)
            return rc;
        if (r.kind == WAVE_CHANGE || (r.kind == WAVE_TIME && r.time == s->time))
            continue;
        s->has_next = r.kind == WAVE_TIME;
        s->next_time = r.time;
        settle(s);
        return 0;
    }
}
