/* Signals by name: see names.h. Two sorted arrays, so that a look-up costs its binary search. */
#include "wave/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wave/wave.h"

#define BITS_MAX 65536 /* single bits that one name may collect */

/* Reads a number that ends before `end`; NULL when there is none. */
static const char *number(const char *p, const char *end, int64_t *out)
{
    bool minus = p < end && *p == '-';
    const char *first = p += minus;
    int64_t v = 0;
    for (; p < end && *p >= '0' && *p <= '9' && v < INT32_MAX; p++)
        v = v * 10 + (*p - '0');
    *out = minus ? -v : v;
    return p == first ? NULL : p;
}

struct wave_range wave_range_of(const char *name, size_t len)
{
    struct wave_range none = { .base = len }, r = none;
    size_t at = len;
    if (len < 4 || name[len - 1] != ']')
        return none;
    while (at > 0 && name[at - 1] != '[')
        at--;
    if (at < 2)
        return none;
    const char *end = name + len - 1;
    const char *p = number(name + at, end, &r.left);
    r.right = r.left;
    if (p && *p == ':') {
        r.colon = true;
        p = number(p + 1, end, &r.right);
    }
    r.has = true;
    r.base = at - 1;
    return p == end ? r : none;
}

bool wave_glob_signal(const char *glob, const char *name)
{
    size_t len = strlen(name);
    struct wave_range r = wave_range_of(name, len);
    return wave_glob_n(glob, name, len) || (r.has && r.colon && wave_glob_n(glob, name, r.base));
}

void wave_index_init(struct wave_index *x, const struct wave_reader *reader)
{
    *x = (struct wave_index){ .reader = reader };
}

void wave_index_free(struct wave_index *x)
{
    free(x->forward);
    free(x->backward);
    x->forward = x->backward = NULL;
}

static int compare_forward(const char *a, size_t na, const char *b, size_t nb)
{
    int c = memcmp(a, b, na < nb ? na : nb);
    return c ? c : (na > nb) - (na < nb);
}

/* As compare_forward for the reversed texts, of which at most the last `most` characters count. */
static int compare_backward(const char *a, size_t na, const char *b, size_t nb)
{
    size_t n = na < nb ? na : nb;
    for (size_t i = 1; i <= n; i++)
        if (a[na - i] != b[nb - i])
            return (unsigned char)a[na - i] < (unsigned char)b[nb - i] ? -1 : 1;
    return (na > nb) - (na < nb);
}

static int by_forward(const void *pa, const void *pb)
{
    const struct wave_index_entry *a = pa, *b = pb;
    int c = compare_forward(a->name, a->len, b->name, b->len);
    return c ? c : (a->var > b->var) - (a->var < b->var);
}

static int by_backward(const void *pa, const void *pb)
{
    const struct wave_index_entry *a = pa, *b = pb;
    int c = compare_backward(a->name, a->len, b->name, b->len);
    return c ? c : (a->var > b->var) - (a->var < b->var);
}

/* Every full name, and every name of a vector without its range. */
static struct wave_index_entry *collect(struct wave_index *x)
{
    const struct wave_reader *r = x->reader;
    struct wave_index_entry *e = malloc((r->nvars * 2 + 1) * sizeof *e);
    x->n = 0;
    for (size_t i = 0; e && i < r->nvars; i++) {
        size_t len = strlen(r->vars[i].name);
        struct wave_range range = wave_range_of(r->vars[i].name, len);
        e[x->n++] = (struct wave_index_entry){ r->vars[i].name, (uint32_t)len, (uint32_t)i };
        if (range.has && range.colon)
            e[x->n++] = (struct wave_index_entry){ r->vars[i].name, (uint32_t)range.base, (uint32_t)i };
    }
    return e;
}

/* One name, no ending. */
static enum wave_found find_full(struct wave_index *x, const char *text, size_t len, uint32_t *var)
{
    if (!x->forward) {
        if (!(x->forward = collect(x)))
            return WAVE_FOUND_NO_MEMORY;
        qsort(x->forward, x->n, sizeof *x->forward, by_forward);
    }
    size_t low = 0, high = x->n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (compare_forward(x->forward[mid].name, x->forward[mid].len, text, len) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    const struct wave_index_entry *e = x->forward + low;
    if (low == x->n || compare_forward(e->name, e->len, text, len) != 0)
        return WAVE_NOT_FOUND;
    *var = e->var;
    return WAVE_FOUND;
}

static bool ends_with(const struct wave_index_entry *e, const char *text, size_t len)
{
    return e->len > len && memcmp(e->name + e->len - len, text, len) == 0 && e->name[e->len - len - 1] == '.';
}

/* The signal some of whose names end in .text, when all of those are names of one signal. */
static enum wave_found find_ending(struct wave_index *x, const char *text, size_t len, uint32_t *var)
{
    if (!x->backward) {
        if (!(x->backward = collect(x)))
            return WAVE_FOUND_NO_MEMORY;
        qsort(x->backward, x->n, sizeof *x->backward, by_backward);
    }
    size_t low = 0, high = x->n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (compare_backward(x->backward[mid].name, x->backward[mid].len, text, len) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    bool found = false;
    for (; low < x->n; low++) {
        const struct wave_index_entry *e = x->backward + low;
        if (e->len < len || memcmp(e->name + e->len - len, text, len) != 0)
            break;
        if (!ends_with(e, text, len))
            continue;
        if (found && x->reader->vars[*var].signal != x->reader->vars[e->var].signal)
            return WAVE_AMBIGUOUS;
        if (!found)
            *var = e->var;
        found = true;
    }
    return found ? WAVE_FOUND : WAVE_NOT_FOUND;
}

static enum wave_found find_name(struct wave_index *x, const char *text, size_t len, bool ending,
                                 uint32_t *var)
{
    enum wave_found f = find_full(x, text, len, var);
    return f == WAVE_NOT_FOUND && ending ? find_ending(x, text, len, var) : f;
}

static struct wave_piece whole(const struct wave_index *x, uint32_t var)
{
    const struct wave_var *v = &x->reader->vars[var];
    return (struct wave_piece){ var, v->signal, 0, v->width };
}

/* Narrows a whole vector to the bits of `wanted`; false when they are not all in it, or run the other way. */
static bool narrow(const struct wave_index *x, struct wave_piece *p, struct wave_range wanted)
{
    const struct wave_var *v = &x->reader->vars[p->var];
    struct wave_range have = wave_range_of(v->name, strlen(v->name));
    if (v->kind != WAVE_BITS)
        return false;
    if (!have.has) {
        have.left = (int64_t)v->width - 1;
        have.right = 0;
    }
    bool down = have.left >= have.right;
    int64_t first = down ? have.left - wanted.left : wanted.left - have.left;
    int64_t last = down ? have.left - wanted.right : wanted.right - have.left;
    if (first < 0 || last < first || last >= (int64_t)v->width)
        return false;
    p->at = (uint32_t)first;
    p->count = (uint32_t)(last - first + 1);
    return true;
}

/* n[3:0] as n[3], n[2], n[1], n[0]. */
static enum wave_found find_bits(struct wave_index *x, const char *text, struct wave_range range, bool ending,
                                 struct wave_piece **pieces, uint32_t *n)
{
    int64_t step = range.left >= range.right ? -1 : 1;
    int64_t count = (range.right - range.left) * step + 1;
    if (count > BITS_MAX)
        return WAVE_NOT_FOUND;
    char *name = malloc(range.base + 32);
    struct wave_piece *list = malloc((size_t)count * sizeof *list);
    enum wave_found f = name && list ? WAVE_FOUND : WAVE_FOUND_NO_MEMORY;
    for (int64_t i = 0; f == WAVE_FOUND && i < count; i++) {
        uint32_t var;
        memcpy(name, text, range.base);
        int len = snprintf(name + range.base, 32, "[%lld]", (long long)(range.left + i * step));
        f = find_name(x, name, range.base + (size_t)len, ending, &var);
        if (f == WAVE_FOUND) {
            list[i] = whole(x, var);
            if (x->reader->vars[var].kind != WAVE_BITS || list[i].count != 1)
                f = WAVE_NOT_FOUND;
        }
    }
    free(name);
    if (f != WAVE_FOUND) {
        free(list);
        return f;
    }
    *pieces = list;
    *n = (uint32_t)count;
    return f;
}

enum wave_found wave_index_find(struct wave_index *x, const char *text, size_t len, bool ending,
                                struct wave_piece **pieces, uint32_t *n)
{
    uint32_t var;
    struct wave_range range = wave_range_of(text, len);
    struct wave_piece one;
    enum wave_found f = find_name(x, text, len, ending, &var);
    if (f == WAVE_FOUND) {
        one = whole(x, var);
    } else {
        if (f != WAVE_NOT_FOUND || !range.has)
            return f;
        f = find_name(x, text, range.base, ending, &var);
        if (f == WAVE_FOUND)
            one = whole(x, var);
        if (f == WAVE_FOUND && !narrow(x, &one, range))
            return WAVE_NOT_FOUND;
        if (f != WAVE_FOUND)
            return f == WAVE_NOT_FOUND && range.colon ? find_bits(x, text, range, ending, pieces, n) : f;
    }
    *pieces = malloc(sizeof **pieces);
    if (!*pieces)
        return WAVE_FOUND_NO_MEMORY;
    **pieces = one;
    *n = 1;
    return WAVE_FOUND;
}
