/* Pairing by name: see pair.h. Sorting and merging, so that 10^6 names cost no more than their sort. */
#include "wave/pair.h"

#include <stdlib.h>
#include <string.h>

#include "util/strbuf.h"
#include "wave/grow.h"

struct entry {
    const char *key;
    uint32_t len; /* of the part of the key that is compared */
    uint32_t var, signal;
    bool ranged; /* the part left out is a range */
};

struct names {
    struct entry *e;
    size_t n;
};

bool wave_pair_pieces(struct wave_pairing *out, const struct wave_piece *p, uint32_t n,
                      struct wave_part *part)
{
    if (out->npieces + n > UINT32_MAX || !WAVE_GROW(&out->pieces, &out->piece_capacity, out->npieces + n))
        return false;
    memcpy(out->pieces + out->npieces, p, n * sizeof *p);
    *part = (struct wave_part){ (uint32_t)out->npieces, n };
    out->npieces += n;
    return true;
}

bool wave_pair_add(struct wave_pairing *out, const struct wave_match *m)
{
    if (!WAVE_GROW(&out->matches, &out->match_capacity, out->nmatches + 1))
        return false;
    out->matches[out->nmatches++] = *m;
    return true;
}

bool wave_pair_shape(struct wave_pairing *out, const struct wave_shape *s)
{
    if (!WAVE_GROW(&out->shapes, &out->shape_capacity, out->nshapes + 1))
        return false;
    out->shapes[out->nshapes++] = *s;
    return true;
}

const char *wave_pair_text(struct wave_pairing *out, char *text)
{
    if (text && WAVE_GROW(&out->texts, &out->text_capacity, out->ntexts + 1))
        return out->texts[out->ntexts++] = text;
    free(text);
    return NULL;
}

/* ---- equal names
 * ------------------------------------------------------------------------------------------------ */

static int compare_keys(const struct entry *a, const struct entry *b)
{
    int c = memcmp(a->key, b->key, a->len < b->len ? a->len : b->len);
    return c ? c : (a->len > b->len) - (a->len < b->len);
}

static int by_key(const void *pa, const void *pb)
{
    const struct entry *a = pa, *b = pb;
    int c = compare_keys(a, b);
    return c ? c : (a->var > b->var) - (a->var < b->var);
}

/* The names that are not gone, in order, without repeats of a name for the same signal (gone from now on). */
static bool collect(const struct wave_reader *r, uint8_t *gone, const char *const *keys, struct names *out)
{
    out->n = 0;
    out->e = malloc((r->nvars + 1) * sizeof *out->e);
    if (!out->e)
        return false;
    for (size_t i = 0; i < r->nvars; i++) {
        const char *key = keys && keys[i] ? keys[i] : r->vars[i].name;
        if (gone[i] != 1)
            out->e[out->n++] =
                (struct entry){ key, (uint32_t)strlen(key), (uint32_t)i, r->vars[i].signal, false };
    }
    qsort(out->e, out->n, sizeof *out->e, by_key);
    size_t kept = 0;
    for (size_t i = 0; i < out->n; i++) {
        if (kept && compare_keys(&out->e[kept - 1], &out->e[i]) == 0 &&
            out->e[kept - 1].signal == out->e[i].signal)
            gone[out->e[i].var] = 1;
        else
            out->e[kept++] = out->e[i];
    }
    out->n = kept;
    return true;
}

static bool same_shape(const struct wave_pair_work *w, uint32_t a, uint32_t b)
{
    const struct wave_var *va = &w->a->reader->vars[a], *vb = &w->b->reader->vars[b];
    return va->kind == vb->kind && va->width == vb->width;
}

static bool add_whole(struct wave_pair_work *w, uint32_t a, uint32_t b)
{
    const struct wave_var *va = &w->a->reader->vars[a], *vb = &w->b->reader->vars[b];
    struct wave_piece pa = { a, va->signal, 0, va->width }, pb = { b, vb->signal, 0, vb->width };
    struct wave_match m = {
        .name_a = va->name, .name_b = vb->name, .var_a = a, .var_b = b, .width = va->width, .kind = va->kind
    };
    w->gone_a[a] = w->gone_b[b] = 1;
    return wave_pair_pieces(w->out, &pa, 1, &m.a) && wave_pair_pieces(w->out, &pb, 1, &m.b) &&
           wave_pair_add(w->out, &m);
}

static bool add_shape(struct wave_pair_work *w, uint32_t a, uint32_t b)
{
    const struct wave_var *va = &w->a->reader->vars[a], *vb = &w->b->reader->vars[b];
    struct wave_shape s = { va->name, vb->name, a, b, va->width, vb->width };
    w->gone_a[a] = w->gone_b[b] = 1;
    return wave_pair_shape(w->out, &s);
}

/* Equal names; what has no partner stays in a and b. Equal names in one file pair in order of declaration. */
static bool match_names(struct wave_pair_work *w, struct names *a, struct names *b)
{
    size_t i = 0, j = 0, left_a = 0, left_b = 0;
    bool good = true;
    while (good && (i < a->n || j < b->n)) {
        int c = i == a->n ? 1 : j == b->n ? -1 : compare_keys(&a->e[i], &b->e[j]);
        if (c < 0) {
            a->e[left_a++] = a->e[i++];
        } else if (c > 0) {
            b->e[left_b++] = b->e[j++];
        } else {
            uint32_t va = a->e[i++].var, vb = b->e[j++].var;
            good = same_shape(w, va, vb) ? add_whole(w, va, vb) : add_shape(w, va, vb);
        }
    }
    a->n = left_a;
    b->n = left_b;
    return good;
}

/* ---- equal names but for the range
 * ------------------------------------------------------------------------------ */

/* Sorts what was left over by the name without its range: bus[7:0] and bus[3:0] are one bus, declared
 * differently, and bus[3:0] and bus of four bits are the same. */
static void strip_ranges(struct names *names)
{
    for (size_t i = 0; i < names->n; i++) {
        struct entry *e = &names->e[i];
        struct wave_range r = wave_range_of(e->key, e->len);
        if (r.has && r.colon) {
            e->len = (uint32_t)r.base;
            e->ranged = true;
        }
    }
    qsort(names->e, names->n, sizeof *names->e, by_key);
}

static bool alone(const struct names *names, size_t i)
{
    return (i == 0 || compare_keys(&names->e[i - 1], &names->e[i]) != 0) &&
           (i + 1 == names->n || compare_keys(&names->e[i + 1], &names->e[i]) != 0);
}

static bool match_ranges(struct wave_pair_work *w, struct names *a, struct names *b)
{
    size_t i = 0, j = 0;
    bool good = true;
    strip_ranges(a);
    strip_ranges(b);
    while (good && i < a->n && j < b->n) {
        int c = compare_keys(&a->e[i], &b->e[j]);
        if (c == 0 && alone(a, i) && alone(b, j)) {
            uint32_t va = a->e[i].var, vb = b->e[j].var;
            if (!same_shape(w, va, vb))
                good = add_shape(w, va, vb);
            else if (!a->e[i].ranged || !b->e[j].ranged)
                good = add_whole(w, va, vb);
        }
        i += c <= 0;
        j += c >= 0;
    }
    return good;
}

/* The common case at once: the same names in the same order, none twice. */
static bool match_twins(struct wave_pair_work *w, bool *done)
{
    const struct wave_reader *a = w->a->reader, *b = w->b->reader;
    bool good = true;
    *done = a->nvars == b->nvars && w->nrules == 0;
    for (size_t i = 0; *done && i < a->nvars; i++)
        *done = strcmp(a->vars[i].name, b->vars[i].name) == 0 && same_shape(w, (uint32_t)i, (uint32_t)i);
    for (size_t i = 0; *done && good && i < a->nvars; i++)
        good = add_whole(w, (uint32_t)i, (uint32_t)i);
    return good;
}

static bool match_all(struct wave_pair_work *w)
{
    struct names a = { 0 }, b = { 0 };
    bool done, good = match_twins(w, &done);
    if (good && !done)
        good = collect(w->a->reader, w->gone_a, w->key_a, &a) && collect(w->b->reader, w->gone_b, NULL, &b) &&
               match_names(w, &a, &b) && match_ranges(w, &a, &b) && wave_pair_bits(w);
    free(a.e);
    free(b.e);
    return good;
}

/* ---- what the rules say about each name
 * ------------------------------------------------------------------------- */

static uint32_t later(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* The rules for a name that either file may call differently. */
static struct wave_choice look(struct wave_selector *s, const char *a, const char *b)
{
    struct wave_choice c = wave_selector_look(s, a);
    if (a == b || strcmp(a, b) == 0)
        return c;
    struct wave_choice other = wave_selector_look(s, b);
    return (struct wave_choice){ .ignored = c.ignored || other.ignored,
                                 .only = c.only || other.only,
                                 .mask = later(c.mask, other.mask),
                                 .tol = later(c.tol, other.tol),
                                 .when = later(c.when, other.when) };
}

static void select_matches(struct wave_pairing *p, struct wave_selector *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->nmatches; i++) {
        struct wave_match m = p->matches[i];
        struct wave_choice c = look(s, m.name_a, m.name_b);
        if (!c.only || c.ignored)
            continue;
        m.mask = c.mask;
        m.tol = c.tol;
        m.when = c.when;
        p->matches[kept++] = m;
    }
    p->nmatches = kept;
    kept = 0;
    for (size_t i = 0; i < p->nshapes; i++) {
        struct wave_choice c = look(s, p->shapes[i].name_a, p->shapes[i].name_b);
        if (c.only && !c.ignored)
            p->shapes[kept++] = p->shapes[i];
    }
    p->nshapes = kept;
}

static int by_declaration(const void *pa, const void *pb)
{
    const struct wave_only *a = pa, *b = pb;
    return (a->var > b->var) - (a->var < b->var);
}

/* Names of one side that are neither gone nor unselected. */
static bool list_left(struct wave_pair_work *w, int side, struct wave_selector *s, struct wave_only **list,
                      size_t *n)
{
    const struct wave_reader *r = side ? w->b->reader : w->a->reader;
    const uint8_t *gone = side ? w->gone_b : w->gone_a;
    size_t capacity = 0, kept = 0;
    for (size_t i = 0; i < r->nvars; i++) {
        if (gone[i])
            continue;
        if (!WAVE_GROW(list, &capacity, *n + 1))
            return false;
        (*list)[(*n)++] = (struct wave_only){ r->vars[i].name, (uint32_t)i, r->vars[i].width };
    }
    if (!wave_pair_holes(w, side, list, n, &capacity))
        return false;
    for (size_t i = 0; i < *n; i++) {
        struct wave_choice c = wave_selector_look(s, (*list)[i].name);
        if (c.only && !c.ignored)
            (*list)[kept++] = (*list)[i];
    }
    *n = kept;
    if (kept)
        qsort(*list, kept, sizeof **list, by_declaration);
    return true;
}

int wave_pair(struct wave_index *a, struct wave_index *b, const struct wave_rule *rules, size_t nrules,
              struct wave_selector *selector, struct wave_pairing *out, struct nerr *err)
{
    struct wave_pair_work w = { .a = a, .b = b, .rules = rules, .nrules = nrules, .out = out };
    memset(out, 0, sizeof *out);
    w.gone_a = calloc(a->reader->nvars + 1, 1);
    w.gone_b = calloc(b->reader->nvars + 1, 1);
    w.key_a = calloc(a->reader->nvars + 1, sizeof *w.key_a);
    out->map_used = calloc(nrules + 1, sizeof *out->map_used);
    bool good = w.gone_a && w.gone_b && w.key_a && out->map_used;
    int rc = good ? wave_pair_map(&w, err) : 0;
    if (!rc && good)
        good = match_all(&w);
    if (!rc && good) {
        select_matches(out, selector);
        good = list_left(&w, 0, selector, &out->only_a, &out->nonly_a) &&
               list_left(&w, 1, selector, &out->only_b, &out->nonly_b);
    }
    free(w.gone_a);
    free(w.gone_b);
    free(w.key_a);
    free(w.used[0]);
    free(w.used[1]);
    return good ? rc : nerr_set(err, NERR_MEM, "", "out of memory for the names of %s", a->reader->path);
}

void wave_pairing_free(struct wave_pairing *p)
{
    for (size_t i = 0; i < p->ntexts; i++)
        free(p->texts[i]);
    free(p->texts);
    free(p->matches);
    free(p->pieces);
    free(p->shapes);
    free(p->only_a);
    free(p->only_b);
    free(p->map_used);
    memset(p, 0, sizeof *p);
}
