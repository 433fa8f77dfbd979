/* Pairing by name: see pairing.h. Sorting and merging, so that 10^5 names cost no more than their sort. */
#include "wave/pairing.h"

#include <stdlib.h>
#include <string.h>

struct entry {
    const char *name;
    size_t key; /* length of the name that is compared */
    uint32_t var;
    uint32_t signal;
};

struct names {
    struct entry *e;
    size_t n;
};

static int compare_keys(const struct entry *a, const struct entry *b)
{
    size_t n = a->key < b->key ? a->key : b->key;
    int c = memcmp(a->name, b->name, n);
    return c ? c : (a->key > b->key) - (a->key < b->key);
}

static int by_key(const void *pa, const void *pb)
{
    const struct entry *a = pa, *b = pb;
    int c = compare_keys(a, b);
    return c ? c : (a->var > b->var) - (a->var < b->var);
}

static int by_number(const void *pa, const void *pb)
{
    uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
    return (a > b) - (a < b);
}

static bool any_glob(const char *name, const char *const *globs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (wave_glob(globs[i], name))
            return true;
    return false;
}

/* The selected names in order, without repeats of a name for the same signal. */
static bool collect(const struct wave_reader *r, const struct wave_diff_options *o, struct names *out)
{
    out->e = malloc((r->nvars + 1) * sizeof *out->e);
    out->n = 0;
    if (!out->e)
        return false;
    for (size_t i = 0; i < r->nvars; i++) {
        const char *name = r->vars[i].name;
        if ((o->nonly && !any_glob(name, o->only, o->nonly)) || any_glob(name, o->ignore, o->nignore))
            continue;
        out->e[out->n++] = (struct entry){ name, strlen(name), (uint32_t)i, r->vars[i].signal };
    }
    qsort(out->e, out->n, sizeof *out->e, by_key);
    size_t kept = 0;
    for (size_t i = 0; i < out->n; i++)
        if (!kept || compare_keys(&out->e[kept - 1], &out->e[i]) != 0 ||
            out->e[kept - 1].signal != out->e[i].signal)
            out->e[kept++] = out->e[i];
    out->n = kept;
    return true;
}

/* Sorts what was left over by the name without its range: bus[7:0] and bus[3:0] are one bus, declared
 * differently. */
static void strip_ranges(struct names *names)
{
    for (size_t i = 0; i < names->n; i++) {
        struct entry *e = &names->e[i];
        const char *bracket = strrchr(e->name, '[');
        if (bracket && e->name[e->key - 1] == ']' && strchr(bracket, ':'))
            e->key = (size_t)(bracket - e->name);
    }
    qsort(names->e, names->n, sizeof *names->e, by_key);
}

static bool alone(const struct names *names, size_t i)
{
    return (i == 0 || compare_keys(&names->e[i - 1], &names->e[i]) != 0) &&
           (i + 1 == names->n || compare_keys(&names->e[i + 1], &names->e[i]) != 0);
}

static bool same_shape(const struct wave_reader *a, const struct wave_reader *b, struct wave_match m)
{
    return a->vars[m.a].kind == b->vars[m.b].kind && a->vars[m.a].width == b->vars[m.b].width;
}

/* Equal names; what has no partner stays in a and b. Equal names in one file pair in order of declaration. */
static void match_names(const struct wave_reader *ra, const struct wave_reader *rb, struct names *a,
                        struct names *b, struct wave_pairing *out)
{
    size_t i = 0, j = 0, left_a = 0, left_b = 0;
    while (i < a->n || j < b->n) {
        int c = i == a->n ? 1 : j == b->n ? -1 : compare_keys(&a->e[i], &b->e[j]);
        if (c < 0) {
            a->e[left_a++] = a->e[i++];
        } else if (c > 0) {
            b->e[left_b++] = b->e[j++];
        } else {
            struct wave_match m = { a->e[i++].var, b->e[j++].var };
            if (same_shape(ra, rb, m))
                out->matches[out->nmatches++] = m;
            else
                out->shapes[out->nshapes++] = m;
        }
    }
    a->n = left_a;
    b->n = left_b;
}

static void match_ranges(const struct wave_reader *ra, const struct wave_reader *rb, struct names *a,
                         struct names *b, struct wave_pairing *out)
{
    size_t i = 0, j = 0;
    strip_ranges(a);
    strip_ranges(b);
    while (i < a->n || j < b->n) {
        int c = i == a->n ? 1 : j == b->n ? -1 : compare_keys(&a->e[i], &b->e[j]);
        struct wave_match m = { c <= 0 ? a->e[i].var : 0, c >= 0 ? b->e[j].var : 0 };
        if (c == 0 && alone(a, i) && alone(b, j) && !same_shape(ra, rb, m)) {
            out->shapes[out->nshapes++] = m;
        } else {
            if (c <= 0)
                out->only_a[out->nonly_a++] = m.a;
            if (c >= 0)
                out->only_b[out->nonly_b++] = m.b;
        }
        i += c <= 0;
        j += c >= 0;
    }
    qsort(out->only_a, out->nonly_a, sizeof *out->only_a, by_number);
    qsort(out->only_b, out->nonly_b, sizeof *out->only_b, by_number);
}

struct keyed_match {
    uint32_t signal_a, signal_b;
    struct wave_match m;
};

static int by_signals(const void *pa, const void *pb)
{
    const struct keyed_match *a = pa, *b = pb;
    if (a->signal_a != b->signal_a)
        return a->signal_a < b->signal_a ? -1 : 1;
    if (a->signal_b != b->signal_b)
        return a->signal_b < b->signal_b ? -1 : 1;
    return (a->m.a > b->m.a) - (a->m.a < b->m.a);
}

/* Groups the matches by the pair of signals behind them. */
static bool make_pairs(const struct wave_reader *a, const struct wave_reader *b, struct wave_pairing *out)
{
    struct keyed_match *keyed = malloc((out->nmatches + 1) * sizeof *keyed);
    if (!keyed)
        return false;
    for (size_t i = 0; i < out->nmatches; i++) {
        struct wave_match m = out->matches[i];
        keyed[i] = (struct keyed_match){ a->vars[m.a].signal, b->vars[m.b].signal, m };
    }
    qsort(keyed, out->nmatches, sizeof *keyed, by_signals);
    for (size_t i = 0; i < out->nmatches; i++) {
        out->matches[i] = keyed[i].m;
        if (i && keyed[i].signal_a == keyed[i - 1].signal_a && keyed[i].signal_b == keyed[i - 1].signal_b) {
            out->pairs[out->npairs - 1].n++;
            continue;
        }
        const struct wave_var *var = &a->vars[keyed[i].m.a];
        out->pairs[out->npairs++] = (struct wave_pair){ .signal_a = keyed[i].signal_a,
                                                        .signal_b = keyed[i].signal_b,
                                                        .first = (uint32_t)i,
                                                        .n = 1,
                                                        .kind = var->kind,
                                                        .width = var->width };
    }
    free(keyed);
    return true;
}

int wave_pairing_make(const struct wave_reader *a, const struct wave_reader *b,
                      const struct wave_diff_options *options, struct wave_pairing *out, struct nerr *err)
{
    struct names na = { 0 }, nb = { 0 };
    size_t most = (a->nvars > b->nvars ? a->nvars : b->nvars) + 1;
    memset(out, 0, sizeof *out);
    out->matches = malloc(most * sizeof *out->matches);
    out->pairs = malloc(most * sizeof *out->pairs);
    out->shapes = malloc(most * sizeof *out->shapes);
    out->only_a = malloc(most * sizeof *out->only_a);
    out->only_b = malloc(most * sizeof *out->only_b);
    bool good = out->matches && out->pairs && out->shapes && out->only_a && out->only_b &&
                collect(a, options, &na) && collect(b, options, &nb);
    if (good) {
        match_names(a, b, &na, &nb, out);
        match_ranges(a, b, &na, &nb, out);
        good = make_pairs(a, b, out);
    }
    free(na.e);
    free(nb.e);
    if (good)
        return 0;
    wave_pairing_free(out);
    return nerr_set(err, NERR_MEM, a->path, "out of memory for %zu names", most);
}

void wave_pairing_free(struct wave_pairing *p)
{
    free(p->matches);
    free(p->pairs);
    free(p->shapes);
    free(p->only_a);
    free(p->only_b);
    memset(p, 0, sizeof *p);
}
