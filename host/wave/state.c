/* The values of one side, step by step: see engine.h. This is where most of the time of a comparison goes. */
#include <stdlib.h>
#include <string.h>

#include "util/strbuf.h"
#include "wave/engine.h"
#include "wave/grow.h"

#define ROOM_MIN 32 /* a real has up to 24 characters */

static int no_memory(const struct wave_side *s, struct nerr *err)
{
    return nerr_set(err, NERR_MEM, s->reader->path, "out of memory for the values");
}

bool wave_side_listen(struct wave_side *s, uint32_t signal, uint32_t listener)
{
    if (!WAVE_GROW(&s->wanted, &s->wanted_capacity, s->nwanted + 1))
        return false;
    s->wanted[s->nwanted++] = (struct wave_listener){ signal, listener };
    return true;
}

/* Index from signals to their listeners, by counting. */
static bool index_listeners(struct wave_side *s)
{
    uint32_t at = 0;
    s->listeners = malloc((s->nwanted + 1) * sizeof *s->listeners);
    if (!s->listeners || s->nwanted > UINT32_MAX)
        return false;
    for (size_t i = 0; i < s->nwanted; i++)
        s->signals[s->wanted[i].signal].count++;
    for (uint32_t i = 0; i < s->reader->nsignals; i++) {
        s->signals[i].first = at;
        at += s->signals[i].count;
        s->signals[i].count = 0;
    }
    for (size_t i = 0; i < s->nwanted; i++) {
        struct wave_signal *g = &s->signals[s->wanted[i].signal];
        s->listeners[g->first + g->count++] = s->wanted[i].listener;
    }
    free(s->wanted);
    s->wanted = NULL;
    return true;
}

/* Values of fixed size lie in one block, in the order of the signals; a string has its own. */
static bool make_values(struct wave_side *s)
{
    const struct wave_reader *r = s->reader;
    size_t bytes = 0;
    for (size_t i = 0; i < r->nvars; i++) {
        struct wave_signal *g = &s->signals[r->vars[i].signal];
        uint32_t width = r->vars[i].width;
        if (!g->count || g->room)
            continue;
        g->kind = (uint8_t)r->vars[i].kind;
        g->room =
            r->vars[i].kind == WAVE_BITS || r->vars[i].kind == WAVE_EVENT ? (width ? width : 1) : ROOM_MIN;
        g->len = width;
        if (g->kind != WAVE_STRING)
            bytes += 2 * (size_t)g->room;
    }
    s->values = malloc(bytes + 1);
    if (!s->values)
        return false;
    char *at = s->values;
    for (uint32_t i = 0; i < r->nsignals; i++) {
        struct wave_signal *g = &s->signals[i];
        if (!g->count)
            continue;
        g->text = g->kind == WAVE_STRING ? malloc(2 * (size_t)g->room) : at;
        if (!g->text)
            return false;
        at += g->kind == WAVE_STRING ? 0 : 2 * (size_t)g->room;
        g->len = wave_initial((enum wave_kind)g->kind, g->len, g->text);
        g->before_len = g->len;
        memcpy(g->text + g->room, g->text, g->len);
    }
    return true;
}

static int next(struct wave_side *s, struct wave_record *out, struct nerr *err)
{
    return s->glitch ? wave_glitch_next(s, out, err) : wave_feed_next(&s->feed, out, err);
}

static void take_time(struct wave_side *s, const struct wave_record *r)
{
    s->ended = r->kind == WAVE_END;
    if (!s->ended)
        s->when = (wave_time)r->time * s->tick + s->offset;
}

int wave_side_start(struct wave_side *s, struct nerr *err)
{
    uint32_t n = s->reader->nsignals;
    s->signals = calloc((size_t)n + 1, sizeof *s->signals);
    s->touched = malloc(((size_t)n + 1) * sizeof *s->touched);
    uint8_t *wanted = malloc((size_t)n + 1);
    bool good = s->signals && s->touched && wanted && index_listeners(s) && make_values(s);
    for (uint32_t i = 0; good && i < n; i++)
        wanted[i] = s->signals[i].count != 0;
    int rc = good ? wave_feed_start(&s->feed, s->reader, wanted, err) : no_memory(s, err);
    free(wanted);
    return rc;
}

int wave_side_first(struct wave_side *s, struct nerr *err)
{
    struct wave_record r;
    int rc = next(s, &r, err);
    if (!rc)
        take_time(s, &r);
    return rc;
}

void wave_side_warn(void *ctx, const char *where, const char *text)
{
    struct wave_side *s = ctx;
    if (s->nwarnings < WAVE_WARNINGS_MAX)
        s->warnings[s->nwarnings] = text_printf("%s%s%s", where, *where ? ": " : "", text);
    s->nwarnings++;
}

wave_time wave_side_end(const struct wave_side *s)
{
    return (wave_time)s->reader->end * s->tick + s->offset;
}

static bool make_room(struct wave_signal *g, uint32_t len)
{
    char *more = malloc(2 * (size_t)len);
    if (!more)
        return false;
    memcpy(more, g->text, g->flip ? (g->touched ? g->before_len : 0) : g->len);
    memcpy(more + len, g->text + g->room, g->flip ? g->len : (g->touched ? g->before_len : 0));
    free(g->text);
    g->text = more;
    g->room = len;
    return true;
}

static bool equal(const char *a, const char *b, uint32_t n)
{
    return n == 1 ? *a == *b : memcmp(a, b, n) == 0;
}

static bool assign(struct wave_side *s, const struct wave_record *r)
{
    struct wave_signal *g = &s->signals[r->signal];
    if (!g->text || (r->len == g->len && equal(wave_present(g), r->value, r->len)))
        return true;
    if (r->len > g->room && !make_room(g, r->len))
        return false;
    if (!g->touched) {
        s->touched[s->ntouched++] = r->signal;
        g->before_len = g->len;
        g->flip ^= 1;
    }
    g->touched = g->touched ? 2 : 1;
    char *to = g->text + (g->flip ? g->room : 0);
    if (r->len == 1)
        *to = *r->value;
    else
        memcpy(to, r->value, r->len);
    g->len = r->len;
    return true;
}

/* Forgets signals that were written more than once and hold their old value again. */
static void settle(struct wave_side *s)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->ntouched; i++) {
        struct wave_signal *g = &s->signals[s->touched[i]];
        if (g->touched == 2 && g->len == g->before_len && memcmp(g->text, g->text + g->room, g->len) == 0)
            g->touched = 0;
        else
            s->touched[kept++] = s->touched[i];
    }
    s->ntouched = kept;
}

int wave_side_step(struct wave_side *s, struct nerr *err)
{
    wave_time now = s->when;
    struct wave_record r;
    while (!s->ended && s->when == now) {
        int rc = next(s, &r, err);
        if (rc)
            return rc;
        if (r.kind != WAVE_CHANGE)
            take_time(s, &r);
        else if (!assign(s, &r))
            return no_memory(s, err);
    }
    settle(s);
    return 0;
}

int wave_side_drain(struct wave_side *s, struct nerr *err)
{
    struct wave_record r = { .kind = s->ended ? WAVE_END : WAVE_TIME };
    int rc = 0;
    while (!rc && r.kind != WAVE_END)
        rc = wave_feed_next(&s->feed, &r, err);
    return rc;
}

void wave_side_finish(struct wave_side *s)
{
    for (uint32_t i = 0; i < s->ntouched; i++) {
        struct wave_signal *g = &s->signals[s->touched[i]];
        g->touched = 0;
        if (g->kind == WAVE_EVENT)
            g->text[0] = g->text[g->room] = '0';
    }
    s->ntouched = 0;
}

void wave_side_free(struct wave_side *s)
{
    wave_feed_stop(&s->feed);
    wave_glitch_free(s);
    for (uint32_t i = 0; s->signals && i < s->reader->nsignals; i++)
        if (s->signals[i].kind == WAVE_STRING)
            free(s->signals[i].text);
    free(s->signals);
    free(s->values);
    free(s->listeners);
    free(s->wanted);
    free(s->touched);
    for (size_t i = 0; i < s->nwarnings && i < WAVE_WARNINGS_MAX; i++)
        free(s->warnings[i]);
    wave_index_free(&s->index);
    wave_reader_close(s->reader);
    memset(s, 0, sizeof *s);
}
