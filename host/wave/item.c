/* Items: what is compared with what, and by which rules two values are equal. See engine.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "wave/engine.h"
#include "wave/grow.h"

/* ---- values
 * ----------------------------------------------------------------------------------------------------- */

const char *wave_item_value(struct wave_engine *e, const struct wave_item *it, int side, bool before,
                            uint32_t *len)
{
    struct wave_part part = side ? it->b : it->a;
    const struct wave_piece *p = e->pairing.pieces + part.first;
    const struct wave_signal *signals = e->side[side].signals;
    const struct wave_signal *s = &signals[p->signal];
    uint32_t n = s->len;
    const char *value = before ? wave_before(s, &n) : wave_present(s);
    if (part.n == 1 && (it->kind != WAVE_BITS || (p->at == 0 && p->count >= n))) {
        *len = n;
        return value;
    }
    char *at = e->scratch[side];
    for (uint32_t i = 0; i < part.n; i++, p++) {
        s = &signals[p->signal];
        n = s->len;
        value = before ? wave_before(s, &n) : wave_present(s);
        if ((uint64_t)p->at + p->count <= n)
            memcpy(at, value + p->at, p->count);
        else /* a name that claims more bits than its signal has */
            memset(at, 'x', p->count);
        at += p->count;
    }
    *len = it->width;
    return e->scratch[side];
}

static bool unknown(char c)
{
    return c == 'x' || c == 'u' || c == 'w' || c == '-';
}

/* Whether bit i (from the left) is compared: its bit in the mask is one. */
static bool compared_bit(const char *mask, uint32_t width, uint32_t i)
{
    size_t n = strlen(mask), digit = (width - 1 - i) / 4;
    if (digit >= n)
        return false;
    char c = mask[n - 1 - digit];
    int v = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    return v >> ((width - 1 - i) % 4) & 1;
}

bool wave_item_bit_differs(const struct wave_engine *e, const struct wave_item *it, uint32_t i, char a,
                           char b)
{
    enum wave_x_rule x = e->options->x;
    if (a == b || (x != WAVE_X_EXACT && unknown(a)))
        return false;
    if (x == WAVE_X_ANY && (a == 'z' || b == 'z' || unknown(b)))
        return false;
    return !it->mask || compared_bit(e->options->rules[it->mask - 1].text, it->width, i);
}

static double number(const char *text, uint32_t len)
{
    char copy[64];
    uint32_t n = len < sizeof copy - 1 ? len : (uint32_t)sizeof copy - 1;
    memcpy(copy, text, n);
    copy[n] = '\0';
    return strtod(copy, NULL);
}

bool wave_item_equal(struct wave_engine *e, const struct wave_item *it, const char *a, uint32_t na,
                     const char *b, uint32_t nb)
{
    if (na == nb && memcmp(a, b, na) == 0)
        return true;
    if (it->kind == WAVE_REAL && e->options->epsilon > 0)
        return fabs(number(a, na) - number(b, nb)) <= e->options->epsilon;
    if (it->kind != WAVE_BITS || na != nb)
        return false;
    for (uint32_t i = 0; i < na; i++)
        if (wave_item_bit_differs(e, it, i, a[i], b[i]))
            return false;
    return true;
}

/* ---- evaluation
 * -------------------------------------------------------------------------------------------------- */

static void changes_state(struct wave_engine *e, uint32_t item, bool differs, wave_time now)
{
    struct wave_item *it = &e->items[item];
    struct wave_mark mark = wave_watch_mark(&e->watches[it->watch], now);
    uint32_t na, nb;
    if (!differs) {
        wave_item_close(e, item, mark);
        return;
    }
    const char *a = wave_item_value(e, it, 0, true, &na);
    if (it->kind == WAVE_EVENT)
        wave_item_agreed(e, it, "1", 1);
    else
        wave_item_agreed(e, it, a, na);
    a = wave_item_value(e, it, 0, false, &na);
    const char *b = wave_item_value(e, it, 1, false, &nb);
    wave_item_open(e, item, mark, a, na, b, nb);
}

int wave_item_evaluate(struct wave_engine *e, uint32_t item, wave_time now, struct nerr *err)
{
    struct wave_item *it = &e->items[item];
    bool differs;
    it->marked = false;
    if (it->mode == WAVE_ITEM_FAST) {
        const struct wave_signal *a = &e->side[0].signals[it->signal_a];
        const struct wave_signal *b = &e->side[1].signals[it->signal_b];
        differs = a->len != b->len || memcmp(wave_present(a), wave_present(b), a->len) != 0;
    } else if (it->mode == WAVE_ITEM_GENERAL) {
        uint32_t na, nb;
        const char *a = wave_item_value(e, it, 0, false, &na), *b = wave_item_value(e, it, 1, false, &nb);
        differs = !wave_item_equal(e, it, a, na, b, nb);
    } else {
        return wave_late_change(e, item, now, err);
    }
    if (differs != it->differs)
        changes_state(e, item, differs, now);
    if (!differs) {
        it->has_when = true;
        it->agreed_when = now;
    }
    return 0;
}

/* ---- making them
 * ------------------------------------------------------------------------------------------------- */

/* A match on its way into an item; matches that are compared alike become one item. */
struct draft {
    const struct wave_match *m;
    const struct wave_piece *pieces;
    uint32_t match, watch;
};

static int compare_parts(const struct wave_piece *pieces, struct wave_part a, struct wave_part b)
{
    if (a.n != b.n)
        return a.n < b.n ? -1 : 1;
    for (uint32_t i = 0; i < a.n; i++) {
        const struct wave_piece *p = pieces + a.first + i, *q = pieces + b.first + i;
        if (p->signal != q->signal)
            return p->signal < q->signal ? -1 : 1;
        if (p->at != q->at)
            return p->at < q->at ? -1 : 1;
        if (p->count != q->count)
            return p->count < q->count ? -1 : 1;
    }
    return 0;
}

static int compare_drafts(const struct draft *x, const struct draft *y)
{
    int c = compare_parts(x->pieces, x->m->a, y->m->a);
    if (!c)
        c = compare_parts(x->pieces, x->m->b, y->m->b);
    if (!c)
        c = (x->watch > y->watch) - (x->watch < y->watch);
    if (!c)
        c = (x->m->mask > y->m->mask) - (x->m->mask < y->m->mask);
    return c ? c : (x->m->tol > y->m->tol) - (x->m->tol < y->m->tol);
}

static int by_content(const void *px, const void *py)
{
    const struct draft *x = px, *y = py;
    int c = compare_drafts(x, y);
    return c ? c : (x->m->var_a > y->m->var_a) - (x->m->var_a < y->m->var_a);
}

static bool whole(const struct wave_side *s, const struct wave_piece *p, uint32_t n)
{
    return n == 1 && p->at == 0 && p->count == s->reader->vars[p->var].width;
}

static enum wave_item_mode mode_of(const struct wave_engine *e, const struct wave_match *m)
{
    const struct wave_piece *pieces = e->pairing.pieces;
    if (e->options->order.on)
        return WAVE_ITEM_ORDER;
    if (m->tol || e->options->lead.set || e->options->lag.set)
        return WAVE_ITEM_LATE;
    if (!m->mask && !(m->kind == WAVE_BITS && e->options->x != WAVE_X_EXACT) &&
        !(m->kind == WAVE_REAL && e->options->epsilon > 0) &&
        whole(&e->side[0], pieces + m->a.first, m->a.n) && whole(&e->side[1], pieces + m->b.first, m->b.n))
        return WAVE_ITEM_FAST;
    return WAVE_ITEM_GENERAL;
}

/* The highest one in the mask has to be a bit of the signal. */
static int check_mask(const struct wave_engine *e, const struct wave_match *m, struct nerr *err)
{
    const struct wave_rule *r = &e->options->rules[m->mask - 1];
    const char *hex = r->text;
    while (*hex == '0')
        hex++;
    uint64_t bits = 4 * (uint64_t)strlen(hex);
    if (*hex) {
        int v = *hex <= '9' ? *hex - '0' : (*hex | 0x20) - 'a' + 10;
        bits -= v >= 8 ? 0 : v >= 4 ? 1 : v >= 2 ? 2 : 3;
    }
    if (m->kind != WAVE_BITS)
        return nerr_set(err, NERR_INPUT, r->file, "'%.150s' is not a vector of bits and cannot be masked",
                        m->name_a);
    if (bits > m->width)
        return nerr_set(err, NERR_INPUT, r->file, "the mask %.80s has %llu bits, '%.150s' has %lu", r->text,
                        (unsigned long long)bits, m->name_a, (unsigned long)m->width);
    return 0;
}

static uint32_t watch_of(struct wave_engine *e, const struct wave_match *m)
{
    const struct wave_piece *p = e->pairing.pieces + m->a.first;
    bool is_clock = m->a.n == 1 && p->signal == e->clock_signal[0];
    bool sampled = e->clocked && !is_clock && !m->tol && m->kind != WAVE_EVENT;
    return wave_watch_for(e, m->when, sampled);
}

static int make_item(struct wave_engine *e, const struct draft *d, struct nerr *err)
{
    const struct wave_match *m = d->m;
    struct wave_item *it = &e->items[e->nitems];
    *it = (struct wave_item){ .signal_a = e->pairing.pieces[m->a.first].signal,
                              .signal_b = e->pairing.pieces[m->b.first].signal,
                              .mode = (uint8_t)mode_of(e, m),
                              .kind = (uint8_t)m->kind,
                              .width = m->width,
                              .watch = d->watch,
                              .a = m->a,
                              .b = m->b,
                              .mask = m->mask,
                              .slot = WAVE_NO_SLOT };
    int rc = m->mask ? check_mask(e, m, err) : 0;
    if (!rc && it->mode == WAVE_ITEM_LATE)
        rc = wave_late_make(e, it, m->tol, err);
    if (rc)
        return rc;
    uint32_t item = e->nitems++;
    for (int side = 0; side < 2; side++) {
        struct wave_part part = side ? m->b : m->a;
        if (!WAVE_GROW(&e->scratch[side], &e->scratch_room[side], (size_t)m->width + 1))
            return wave_no_memory(err);
        for (uint32_t i = 0; it->mode != WAVE_ITEM_ORDER && i < part.n; i++)
            if (!wave_side_listen(&e->side[side], e->pairing.pieces[part.first + i].signal,
                                  WAVE_LISTEN(WAVE_LISTEN_ITEM, item)))
                return wave_no_memory(err);
    }
    return 0;
}

/* Every watch has room for all of its items in both lists. */
static int make_lists(struct wave_engine *e, struct nerr *err)
{
    size_t *count = calloc((size_t)e->nwatches + 1, sizeof *count);
    bool good = count != NULL;
    for (uint32_t i = 0; good && i < e->nitems; i++)
        count[e->items[i].watch]++;
    for (uint32_t i = 0; good && i < e->nwatches; i++) {
        struct wave_watch *w = &e->watches[i];
        w->waiting = malloc((count[i] + 1) * sizeof *w->waiting);
        w->first = malloc((count[i] + 1) * sizeof *w->first);
        good = w->waiting && w->first;
    }
    free(count);
    return good ? 0 : wave_no_memory(err);
}

int wave_items_make(struct wave_engine *e, struct nerr *err)
{
    const struct wave_pairing *p = &e->pairing;
    int rc = 0;
    if (p->nmatches >= WAVE_LISTEN_MAX)
        return nerr_set(err, NERR_INPUT, "", "more than %lu signals to compare",
                        (unsigned long)WAVE_LISTEN_MAX);
    struct draft *d = malloc((p->nmatches + 1) * sizeof *d);
    e->items = malloc((p->nmatches + 1) * sizeof *e->items);
    e->matches = malloc((p->nmatches + 1) * sizeof *e->matches);
    e->marked = malloc((p->nmatches + 1) * sizeof *e->marked);
    if (!d || !e->items || !e->matches || !e->marked)
        rc = wave_no_memory(err);
    for (size_t i = 0; !rc && i < p->nmatches; i++) {
        d[i] = (struct draft){ &p->matches[i], p->pieces, (uint32_t)i, watch_of(e, &p->matches[i]) };
        if (d[i].watch == WAVE_NO_SLOT)
            rc = wave_no_memory(err);
    }
    if (!rc)
        qsort(d, p->nmatches, sizeof *d, by_content);
    for (size_t i = 0; !rc && i < p->nmatches; i++) {
        if (i == 0 || compare_drafts(&d[i - 1], &d[i]) != 0) {
            rc = make_item(e, &d[i], err);
            if (!rc)
                e->items[e->nitems - 1].first_match = (uint32_t)i;
        }
        e->matches[i] = d[i].match;
        if (!rc)
            e->items[e->nitems - 1].nmatches++;
    }
    free(d);
    return rc ? rc : make_lists(e, err);
}

void wave_items_free(struct wave_engine *e)
{
    for (size_t i = 0; i < e->ntracks; i++) {
        free(e->tracks[i]->golden);
        free(e->tracks[i]->actual);
        free(e->tracks[i]->agreed);
        free(e->tracks[i]);
    }
    for (uint32_t i = 0; e->items && i < e->nitems; i++)
        wave_late_free(e->items[i].late);
    free(e->tracks);
    free(e->items);
    free(e->matches);
    free(e->marked);
    free(e->scratch[0]);
    free(e->scratch[1]);
    free(e->lingering);
}
