/* Pairs that map rules ask for: see pair.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/strbuf.h"
#include "wave/grow.h"
#include "wave/pair.h"

/* ---- scopes: `map top.core. tb.dut.`
 * ---------------------------------------------------------------------------- */

struct prefix {
    const char *text; /* without the dot */
    size_t len;
    size_t rule;
};

static bool is_scope(const char *name)
{
    size_t n = strlen(name);
    return n > 0 && name[n - 1] == '.';
}

static int compare_prefix(const char *a, size_t na, const char *b, size_t nb)
{
    int c = memcmp(a, b, na < nb ? na : nb);
    return c ? c : (na > nb) - (na < nb);
}

static int by_text(const void *pa, const void *pb)
{
    const struct prefix *a = pa, *b = pb;
    int c = compare_prefix(a->text, a->len, b->text, b->len);
    return c ? c : (a->rule < b->rule) - (a->rule > b->rule); /* the last line first: it counts */
}

static const struct prefix *find_prefix(const struct prefix *p, size_t n, const char *text, size_t len)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (compare_prefix(p[mid].text, p[mid].len, text, len) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low < n && compare_prefix(p[low].text, p[low].len, text, len) == 0 ? &p[low] : NULL;
}

/* The longest scope of the name that is mapped; a scope of length 0 is everything. */
static const struct prefix *longest(const struct prefix *p, size_t n, const char *name)
{
    for (size_t i = strlen(name); i-- > 0;) {
        const struct prefix *found = name[i] == '.' ? find_prefix(p, n, name, i) : NULL;
        if (found)
            return found;
    }
    return find_prefix(p, n, "", 0);
}

static bool map_scopes(struct wave_pair_work *w, const struct prefix *p, size_t n)
{
    const struct wave_reader *a = w->a->reader;
    for (size_t i = 0; i < a->nvars; i++) {
        const struct prefix *found = w->key_a[i] || w->gone_a[i] ? NULL : longest(p, n, a->vars[i].name);
        if (!found)
            continue;
        const char *to = w->rules[found->rule].others[0];
        const char *rest = a->vars[i].name + found->len + (found->len > 0);
        w->key_a[i] = wave_pair_text(w->out, text_printf("%s%s", strcmp(to, ".") == 0 ? "" : to, rest));
        w->out->map_used[found->rule] = true;
        if (!w->key_a[i])
            return false;
    }
    return true;
}

/* ---- single names
 * ----------------------------------------------------------------------------------------------- */

struct side_pieces {
    struct wave_piece *p;
    uint32_t n;
    uint32_t width;
    enum wave_kind kind;
    const char *name;
    bool whole; /* one piece, and all of it */
};

/* The pieces of several names behind each other. found is WAVE_FOUND when all were found. */
static enum wave_found find_all(struct wave_index *x, const char *const *names, size_t n,
                                struct side_pieces *out)
{
    size_t capacity = 0;
    *out = (struct side_pieces){ .kind = WAVE_BITS };
    for (size_t i = 0; i < n; i++) {
        struct wave_piece *more;
        uint32_t nmore;
        enum wave_found f = wave_index_find(x, names[i], strlen(names[i]), false, &more, &nmore);
        if (f != WAVE_FOUND)
            return f;
        if (!WAVE_GROW(&out->p, &capacity, (size_t)out->n + nmore)) {
            free(more);
            return WAVE_FOUND_NO_MEMORY;
        }
        memcpy(out->p + out->n, more, nmore * sizeof *more);
        out->n += nmore;
        free(more);
    }
    for (uint32_t i = 0; i < out->n; i++) {
        const struct wave_var *v = &x->reader->vars[out->p[i].var];
        out->width += out->p[i].count;
        out->kind = v->kind == WAVE_BITS ? out->kind : v->kind;
        out->whole = out->n == 1 && out->p[i].count == v->width;
    }
    return WAVE_FOUND;
}

/* What a result calls the pieces: the declared name of a whole signal, else what the rule says. */
static const char *name_of(struct wave_pair_work *w, const struct wave_index *x, const char *const *names,
                           size_t n, const struct side_pieces *s)
{
    struct strbuf b = { 0 };
    if (s->whole)
        return x->reader->vars[s->p[0].var].name;
    strbuf_puts(&b, n > 1 ? "{" : "");
    for (size_t i = 0; i < n; i++)
        strbuf_printf(&b, "%s%s", i ? ", " : "", names[i]);
    strbuf_puts(&b, n > 1 ? "}" : "");
    if (b.failed)
        strbuf_free(&b);
    return wave_pair_text(w->out, b.s);
}

static bool add(struct wave_pair_work *w, const struct wave_rule *r, const struct side_pieces *a,
                const struct side_pieces *b)
{
    const char *name_a = name_of(w, w->a, &r->name, 1, a);
    const char *name_b = name_of(w, w->b, r->others, r->nothers, b);
    struct wave_match m = { .name_a = name_a,
                            .name_b = name_b,
                            .var_a = a->p[0].var,
                            .var_b = b->p[0].var,
                            .width = a->width,
                            .kind = a->kind };
    struct wave_shape s = { name_a, name_b, a->p[0].var, b->p[0].var, a->width, b->width };
    if (!name_a || !name_b || !wave_pair_use(w, 0, a->p, a->n) || !wave_pair_use(w, 1, b->p, b->n))
        return false;
    if (a->kind != b->kind || a->width != b->width || (a->kind != WAVE_BITS && (a->n != 1 || b->n != 1)))
        return wave_pair_shape(w->out, &s);
    return wave_pair_pieces(w->out, a->p, a->n, &m.a) && wave_pair_pieces(w->out, b->p, b->n, &m.b) &&
           wave_pair_add(w->out, &m);
}

static bool map_name(struct wave_pair_work *w, size_t rule)
{
    const struct wave_rule *r = &w->rules[rule];
    struct side_pieces a = { 0 }, b = { 0 };
    enum wave_found fa = find_all(w->a, &r->name, 1, &a);
    enum wave_found fb = find_all(w->b, r->others, r->nothers, &b);
    bool good = fa != WAVE_FOUND_NO_MEMORY && fb != WAVE_FOUND_NO_MEMORY;
    w->out->map_used[rule] = fa == WAVE_FOUND;
    if (good && fa == WAVE_FOUND && fb == WAVE_FOUND) {
        good = add(w, r, &a, &b);
        for (uint32_t i = 0; i < a.n; i++)
            w->gone_a[a.p[i].var] = 1;
        for (uint32_t i = 0; i < b.n; i++) /* may have a partner of its own name besides */
            w->gone_b[b.p[i].var] = 2;
    } else if (good && fa == WAVE_FOUND) { /* its partner is missing: so is the partner of its own name */
        for (uint32_t i = 0; i < a.n; i++)
            w->key_a[a.p[i].var] = r->others[0];
    }
    free(a.p);
    free(b.p);
    return good;
}

/* ---- bits that no rule names
 * ------------------------------------------------------------------------------------ */

bool wave_pair_use(struct wave_pair_work *w, int side, const struct wave_piece *p, uint32_t n)
{
    if (!WAVE_GROW(&w->used[side], &w->used_capacity[side], w->nused[side] + n))
        return false;
    memcpy(w->used[side] + w->nused[side], p, n * sizeof *p);
    w->nused[side] += n;
    return true;
}

static int by_var_and_place(const void *pa, const void *pb)
{
    const struct wave_piece *a = pa, *b = pb;
    if (a->var != b->var)
        return a->var < b->var ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

/* Characters [at, end) of a vector as a name: "top.n[7:4]". */
static char *slice_name(const struct wave_var *v, uint32_t at, uint32_t end)
{
    struct wave_range r = wave_range_of(v->name, strlen(v->name));
    if (!r.has)
        r.left = (int64_t)v->width - 1;
    int64_t step = r.left >= r.right ? -1 : 1;
    long long left = r.left + step * (int64_t)at, right = r.left + step * ((int64_t)end - 1);
    return left == right ? text_printf("%.*s[%lld]", (int)r.base, v->name, left)
                         : text_printf("%.*s[%lld:%lld]", (int)r.base, v->name, left, right);
}

/* Bits of mapped vectors that no rule maps are missing on the other side. */
bool wave_pair_holes(struct wave_pair_work *w, int side, struct wave_only **list, size_t *n, size_t *capacity)
{
    const struct wave_reader *r = side ? w->b->reader : w->a->reader;
    const struct wave_piece *p = w->used[side];
    if (w->nused[side])
        qsort(w->used[side], w->nused[side], sizeof *p, by_var_and_place);
    for (size_t i = 0; i < w->nused[side];) {
        uint32_t var = p[i].var, covered = 0;
        const struct wave_var *v = &r->vars[var];
        bool paired = side && w->gone_b[var] == 1; /* as a whole, by its name */
        while (covered < v->width || (i < w->nused[side] && p[i].var == var)) {
            bool more = i < w->nused[side] && p[i].var == var;
            uint32_t next = more ? p[i].at : v->width;
            if (next > covered && !paired) {
                const char *name = wave_pair_text(w->out, slice_name(v, covered, next));
                if (!name || !WAVE_GROW(list, capacity, *n + 1))
                    return false;
                (*list)[(*n)++] = (struct wave_only){ name, var, next - covered };
            }
            uint32_t end = more ? p[i].at + p[i].count : v->width;
            covered = end > covered ? end : covered;
            i += more;
        }
    }
    return true;
}

int wave_pair_map(struct wave_pair_work *w, struct nerr *err)
{
    struct prefix *p = malloc((w->nrules + 1) * sizeof *p);
    size_t n = 0;
    bool good = p != NULL;
    int rc = 0;
    for (size_t i = 0; good && !rc && i < w->nrules; i++) {
        const struct wave_rule *r = &w->rules[i];
        if (r->kind != WAVE_RULE_MAP)
            continue;
        bool scope = is_scope(r->name);
        if (r->nothers == 0 || (r->nothers > 1 && scope) || is_scope(r->others[0]) != scope)
            rc = nerr_set(err, NERR_INPUT, r->file, "line %u: a scope ('%s') is mapped to one scope", r->line,
                          r->name);
        else if (scope)
            p[n++] = (struct prefix){ r->name, strlen(r->name) - 1, i };
        else
            good = map_name(w, i);
    }
    if (good && !rc && n) {
        qsort(p, n, sizeof *p, by_text);
        good = map_scopes(w, p, n);
    }
    free(p);
    return good ? rc : nerr_set(err, NERR_MEM, "", "out of memory for map rules");
}
