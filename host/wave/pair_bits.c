/* Vectors that one tool wrote whole and the other in parts: n[3:0] against n[3] .. n[0]. See pair.h. */
#include <stdlib.h>
#include <string.h>

#include "util/strbuf.h"
#include "wave/grow.h"
#include "wave/pair.h"

struct part {
    const char *name;
    size_t base;       /* length of the name before the range */
    int64_t low, high; /* indices that it covers */
    bool down;         /* the most significant bit has the highest index */
    uint32_t var;
    int64_t reach; /* highest index that this part and the ones that follow without a gap cover */
};

struct parts {
    struct part *p;
    size_t n;
};

static int compare_bases(const struct part *a, const struct part *b)
{
    int c = memcmp(a->name, b->name, a->base < b->base ? a->base : b->base);
    return c ? c : (a->base > b->base) - (a->base < b->base);
}

static int by_place(const void *pa, const void *pb)
{
    const struct part *a = pa, *b = pb;
    int c = compare_bases(a, b);
    if (c)
        return c;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    return (a->var > b->var) - (a->var < b->var);
}

/* Vectors and bits of vectors that have no partner yet. keys: names to use instead, or NULL. */
static bool collect(const struct wave_reader *r, const uint8_t *gone, const char *const *keys,
                    struct parts *out)
{
    out->n = 0;
    out->p = malloc((r->nvars + 1) * sizeof *out->p);
    if (!out->p)
        return false;
    for (size_t i = 0; i < r->nvars; i++) {
        const struct wave_var *v = &r->vars[i];
        const char *name = keys && keys[i] ? keys[i] : v->name;
        if (gone[i] == 1 || v->kind != WAVE_BITS)
            continue;
        struct wave_range range = wave_range_of(name, strlen(name));
        if (!range.has)
            range.left = (int64_t)v->width - 1;
        bool down = range.left >= range.right;
        int64_t low = down ? range.right : range.left, high = down ? range.left : range.right;
        if (high - low + 1 == (int64_t)v->width)
            out->p[out->n++] = (struct part){ name, range.base, low, high, down, (uint32_t)i, high };
    }
    qsort(out->p, out->n, sizeof *out->p, by_place);
    for (size_t i = out->n; i-- > 1;) /* from the highest part down */
        if (compare_bases(&out->p[i - 1], &out->p[i]) == 0 && out->p[i - 1].high + 1 == out->p[i].low)
            out->p[i - 1].reach = out->p[i].reach;
    return true;
}

/* The first part of `many` with the base and the lowest index of `one`. */
static size_t find_start(const struct parts *many, const struct part *one)
{
    struct part wanted = *one;
    size_t low = 0, high = many->n;
    wanted.var = 0;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (by_place(&many->p[mid], &wanted) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* Number of parts from `at` on that together are `one`; 0 when they are not. */
static uint32_t covers(const struct parts *many, size_t at, const struct part *one, const uint8_t *gone)
{
    uint32_t n = 0;
    if (at == many->n || compare_bases(&many->p[at], one) != 0 || many->p[at].low != one->low ||
        many->p[at].reach < one->high)
        return 0;
    for (size_t i = at; i < many->n; i++) {
        const struct part *p = &many->p[i];
        if (gone[p->var] == 1 || p->high > one->high || (p->low != p->high && p->down != one->down))
            return 0;
        n++;
        if (p->high == one->high)
            return n;
    }
    return 0;
}

/* "base[high:low]" in the direction of `one`, the name of a vector that has one on the other side only. */
static char *vector_name(const struct part *part, const struct part *one)
{
    long long first = one->down ? one->high : one->low, last = one->down ? one->low : one->high;
    return text_printf("%.*s[%lld:%lld]", (int)part->base, part->name, first, last);
}

/* one (of side `which`) against parts [at, at + n) of the other side. */
static bool add(struct wave_pair_work *w, int which, const struct part *one, const struct parts *many,
                size_t at, uint32_t n)
{
    const struct wave_reader *r1 = which ? w->b->reader : w->a->reader;
    const struct wave_reader *rn = which ? w->a->reader : w->b->reader;
    uint8_t *gone1 = which ? w->gone_b : w->gone_a, *gonen = which ? w->gone_a : w->gone_b;
    const struct wave_var *v = &r1->vars[one->var];
    struct wave_piece whole = { one->var, v->signal, 0, v->width };
    struct wave_piece *list = malloc(n * sizeof *list);
    struct wave_match m = { .width = v->width, .kind = WAVE_BITS };
    for (uint32_t i = 0; list && i < n; i++) {
        const struct part *p = &many->p[one->down ? at + n - 1 - i : at + i];
        const struct wave_var *vp = &rn->vars[p->var];
        list[i] = (struct wave_piece){ p->var, vp->signal, 0, vp->width };
        gonen[p->var] = 1;
    }
    gone1[one->var] = 1;
    /* The parts by the name that their own file would give the vector. */
    const struct wave_var *first = list ? &rn->vars[list[0].var] : NULL;
    struct part own = many->p[at];
    if (first) {
        own.name = first->name;
        own.base = wave_range_of(first->name, strlen(first->name)).base;
    }
    const char *name = n == 1 && first ? first->name : wave_pair_text(w->out, vector_name(&own, one));
    m.name_a = which ? name : v->name;
    m.name_b = which ? v->name : name;
    m.var_a = which ? (list ? list[0].var : 0) : one->var;
    m.var_b = which ? one->var : (list ? list[0].var : 0);
    bool good = list && name && wave_pair_pieces(w->out, &whole, 1, which ? &m.b : &m.a) &&
                wave_pair_pieces(w->out, list, n, which ? &m.a : &m.b) && wave_pair_add(w->out, &m);
    free(list);
    return good;
}

/* Vectors of one side against parts of the other. */
static bool one_direction(struct wave_pair_work *w, int which, const struct parts *ones,
                          const struct parts *many)
{
    const uint8_t *gone1 = which ? w->gone_b : w->gone_a, *gonen = which ? w->gone_a : w->gone_b;
    for (size_t i = 0; i < ones->n; i++) {
        const struct part *one = &ones->p[i];
        size_t at = find_start(many, one);
        uint32_t n = gone1[one->var] == 1 ? 0 : covers(many, at, one, gonen);
        if (n && !add(w, which, one, many, at, n))
            return false;
    }
    return true;
}

bool wave_pair_bits(struct wave_pair_work *w)
{
    struct parts a = { 0 }, b = { 0 };
    bool good = collect(w->a->reader, w->gone_a, w->key_a, &a) &&
                collect(w->b->reader, w->gone_b, NULL, &b) && one_direction(w, 0, &a, &b) &&
                one_direction(w, 1, &b, &a);
    free(a.p);
    free(b.p);
    return good;
}
