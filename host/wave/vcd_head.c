/* The declaration section of a VCD file. */
#include <stdlib.h>
#include <string.h>

#include "util/strbuf.h"
#include "wave/vcd.h"
#include "wave/wtime.h"

struct head {
    struct vcd_reader *v;
    struct nerr *err;
    struct strbuf scope; /* "top.core." */
    struct strbuf name;  /* the name being put together */
    size_t *parents;     /* length of scope before each open scope */
    size_t depth, parents_capacity, vars_capacity, signals_capacity;
    uint64_t total; /* bits of all signals */
};

struct word { /* valid until the next token is read */
    const char *s;
    size_t n;
};

static bool is(struct word w, const char *text)
{
    return strlen(text) == w.n && memcmp(w.s, text, w.n) == 0;
}

static int wrong(struct head *h, const char *fmt, const char *a, struct word w)
{
    struct vcd_input *in = &h->v->in;
    return vcd_error(in, in->pos - w.n, h->err, fmt, a, w.n > 60 ? 60 : (int)w.n, w.s);
}

static int no_memory(struct head *h)
{
    return nerr_set(h->err, NERR_MEM, h->v->base.path, "out of memory");
}

/* A token inside the command `of`; the file may not end here. */
static int inside(struct head *h, const char *of, struct word *w)
{
    int rc = vcd_token(&h->v->in, &w->s, &w->n, h->err);
    if (!rc && w->n == 0)
        rc = vcd_error(&h->v->in, h->v->in.pos, h->err, "the file ends inside %s, which has no $end", of);
    return rc;
}

/* Words that begin another command: the $end of this one is missing. */
static bool begins_command(struct word w)
{
    static const char *const words[] = { "$var", "$scope", "$upscope", "$enddefinitions", "$dumpvars", NULL };
    for (const char *const *p = words; *p; p++)
        if (is(w, *p))
            return true;
    return false;
}

static int skip(struct head *h, const char *of)
{
    struct word w = { "", 0 };
    int rc = 0;
    while (!rc && !is(w, "$end"))
        rc = inside(h, of, &w);
    return rc;
}

/* The words up to $end as one name: "data [7:0]" is data[7:0], other words stay apart (wave.h). */
static int read_name(struct head *h, const char *of)
{
    struct word w;
    int rc;
    h->name.len = 0;
    while ((rc = inside(h, of, &w)) == 0 && !is(w, "$end")) {
        if (begins_command(w))
            return wrong(h, "%s has no $end before '%.*s'", of, w);
        if (h->name.len && w.s[0] != '[')
            strbuf_puts(&h->name, " ");
        strbuf_add(&h->name, w.s, w.n);
    }
    strbuf_add(&h->name, "", 0);
    return rc ? rc : h->name.failed ? no_memory(h) : 0;
}

static int read_number(struct head *h, const char *of, struct word w, uint64_t max, uint64_t *out)
{
    *out = 0;
    for (size_t i = 0; i < w.n; i++) {
        if (w.s[i] < '0' || w.s[i] > '9')
            return wrong(h, "%s has '%.*s' where a number belongs", of, w);
        *out = *out * 10 + (uint64_t)(w.s[i] - '0');
        if (*out > max)
            return wrong(h, "%s has the number %.*s, which is too large", of, w);
    }
    return 0;
}

/* "1 ns", "100ps", "244 ns": a tick is factor * 10^exponent seconds. */
static int read_timescale(struct head *h)
{
    struct wave_reader *r = &h->v->base;
    struct word w;
    char unit[4] = "";
    size_t digits = 0;
    uint64_t factor;
    int rc = inside(h, "$timescale", &w);
    while (!rc && digits < w.n && w.s[digits] >= '0' && w.s[digits] <= '9')
        digits++;
    if (!rc && digits == 0)
        rc = wrong(h, "%s has '%.*s' where a number belongs", "$timescale", w);
    if (!rc)
        rc = read_number(h, "$timescale", (struct word){ w.s, digits }, 1000000, &factor);
    if (!rc && digits == w.n)
        rc = inside(h, "$timescale", &w);
    else if (!rc)
        w = (struct word){ w.s + digits, w.n - digits };
    if (rc)
        return rc;
    if (w.n < sizeof unit)
        memcpy(unit, w.s, w.n);
    if (factor == 0 || !wave_unit(unit, &r->exponent))
        return wrong(h, "%s has '%.*s', allowed are a number and one of s, ms, us, ns, ps, fs", "$timescale",
                     w);
    for (r->factor = (uint32_t)factor; r->factor % 10 == 0; r->factor /= 10)
        r->exponent++;
    r->has_timescale = true;
    return skip(h, "$timescale");
}

static int open_scope(struct head *h)
{
    struct word type;
    int rc = inside(h, "$scope", &type);
    h->name.len = 0;
    if (!rc && !is(type, "$end"))
        rc = read_name(h, "$scope");
    if (rc)
        return rc;
    if (h->depth == h->parents_capacity) {
        size_t capacity = h->parents_capacity ? h->parents_capacity * 2 : 32;
        size_t *more = realloc(h->parents, capacity * sizeof *more);
        if (!more)
            return no_memory(h);
        h->parents = more;
        h->parents_capacity = capacity;
    }
    h->parents[h->depth++] = h->scope.len;
    h->v->base.nscopes++;
    if (h->name.len) {
        strbuf_add(&h->scope, h->name.s, h->name.len);
        strbuf_puts(&h->scope, ".");
    }
    return h->scope.failed ? no_memory(h) : 0;
}

static int close_scope(struct head *h)
{
    if (h->depth == 0)
        return vcd_error(&h->v->in, h->v->in.pos, h->err, "$upscope without an open $scope");
    h->scope.len = h->parents[--h->depth];
    return skip(h, "$upscope");
}

static const struct var_type {
    const char *word;
    enum wave_kind kind;
    bool number;
} types[] = {
    { "event", WAVE_EVENT, false },   { "integer", WAVE_BITS, true },  { "parameter", WAVE_BITS, true },
    { "real", WAVE_REAL, true },      { "realtime", WAVE_REAL, true }, { "real_parameter", WAVE_REAL, true },
    { "shortreal", WAVE_REAL, true }, { "string", WAVE_STRING, true }, { "int", WAVE_BITS, true },
    { "shortint", WAVE_BITS, true },  { "longint", WAVE_BITS, true },
};

static struct var_type type_of(struct word w)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (is(w, types[i].word))
            return types[i];
    return (struct var_type){ "", WAVE_BITS, false };
}

/* The signal of a code that is declared as s: *out is the first one of the code and becomes the right one or
 * the number of the next new signal. */
static int find_twin(struct head *h, struct word id, struct vcd_signal s, uint32_t *out)
{
    struct vcd_reader *v = h->v;
    for (unsigned n = 0; n < VCD_TWINS_MAX; n++) {
        struct vcd_signal *first = &v->signals[*out];
        if (first->width == s.width && first->kind == s.kind)
            return 0;
        if (first->twin == VCD_NO_SIGNAL) {
            *out = first->twin = v->base.nsignals;
            return 0;
        }
        *out = first->twin;
    }
    return wrong(h, "%s declares the code '%.*s' with yet another width or kind", "$var", id);
}

/* Signal of an identifier code, a new one for a new code. */
static int take_signal(struct head *h, struct word id, struct vcd_signal s, uint32_t *out)
{
    struct vcd_reader *v = h->v;
    *out = vcd_ids_add(&v->ids, id.s, id.n, v->base.nsignals);
    if (*out == VCD_NO_SIGNAL)
        return no_memory(h);
    if (*out < v->base.nsignals) {
        int rc = find_twin(h, id, s, out);
        if (rc || *out < v->base.nsignals)
            return rc;
    }
    h->total += s.width;
    if (h->total > VCD_TOTAL_MAX)
        return wrong(h, "%s of code '%.*s' makes more than 2^28 bits of signals in this file", "$var", id);
    if (v->base.nsignals == h->signals_capacity) {
        size_t capacity = h->signals_capacity ? h->signals_capacity * 2 : 256;
        struct vcd_signal *more = realloc(v->signals, capacity * sizeof *more);
        if (!more)
            return no_memory(h);
        v->signals = more;
        h->signals_capacity = capacity;
    }
    v->signals[v->base.nsignals++] = s;
    return 0;
}

static int add_var(struct head *h, struct var_type type, struct vcd_signal s, uint32_t signal)
{
    struct wave_reader *r = &h->v->base;
    if (r->nvars == h->vars_capacity) {
        size_t capacity = h->vars_capacity ? h->vars_capacity * 2 : 256;
        struct wave_var *more = realloc(r->vars, capacity * sizeof *more);
        if (!more)
            return no_memory(h);
        r->vars = more;
        h->vars_capacity = capacity;
    }
    struct wave_var *var = &r->vars[r->nvars];
    *var = (struct wave_var){ NULL, signal, s.width, s.kind, type.number, (uint32_t)h->scope.len };
    var->name = malloc(h->scope.len + h->name.len + 1);
    if (!var->name)
        return no_memory(h);
    r->nvars++;
    if (h->scope.len)
        memcpy(var->name, h->scope.s, h->scope.len);
    memcpy(var->name + h->scope.len, h->name.s, h->name.len + 1);
    return 0;
}

/* "8", or the range "[7:0]" of an extended VCD port. */
static int read_width(struct head *h, struct word w, uint64_t *width)
{
    uint64_t left, right;
    const char *colon = memchr(w.s, ':', w.n);
    if (w.n < 3 || w.s[0] != '[' || w.s[w.n - 1] != ']')
        return read_number(h, "$var", w, VCD_WIDTH_MAX, width);
    size_t n = colon ? (size_t)(colon - w.s) - 1 : w.n - 2;
    int rc = read_number(h, "$var", (struct word){ w.s + 1, n }, VCD_WIDTH_MAX - 1, &left);
    right = left;
    if (!rc && colon)
        rc = read_number(h, "$var", (struct word){ colon + 1, w.n - n - 3 }, VCD_WIDTH_MAX - 1, &right);
    *width = (left > right ? left - right : right - left) + 1;
    return rc;
}

static int read_var(struct head *h)
{
    struct word w;
    uint64_t width = 0;
    uint32_t signal;
    int rc = inside(h, "$var", &w);
    struct var_type type = rc ? types[0] : type_of(w);
    if (!rc)
        rc = inside(h, "$var", &w);
    if (!rc)
        rc = read_width(h, w, &width);
    if (!rc)
        rc = inside(h, "$var", &w);
    if (!rc && is(w, "$end"))
        rc = wrong(h, "%s has '%.*s' where the identifier code belongs", "$var", w);
    if (rc)
        return rc;
    struct vcd_signal s = { (uint32_t)width, type.kind, VCD_NO_SIGNAL };
    if (s.kind == WAVE_REAL)
        s.width = 64;
    else if (s.kind == WAVE_STRING)
        s.width = 0;
    else if (s.width != 1 && s.kind == WAVE_EVENT)
        s.kind = WAVE_BITS;
    rc = take_signal(h, w, s, &signal);
    if (!rc)
        rc = read_name(h, "$var");
    return rc ? rc : add_var(h, type, s, signal);
}

/* "$timezero -5 $end": ticks to add to every time (an addition of GTKWave's tools). */
static int read_timezero(struct head *h)
{
    struct word w;
    uint64_t magnitude;
    int rc = inside(h, "$timezero", &w);
    if (rc)
        return rc;
    bool negative = w.n > 1 && w.s[0] == '-';
    rc = read_number(h, "$timezero", (struct word){ w.s + negative, w.n - negative }, INT64_MAX / 16,
                     &magnitude);
    h->v->base.timezero = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    return rc ? rc : skip(h, "$timezero");
}

static bool is_remark(struct word w)
{
    static const char *const words[] = { "$comment", "$date", "$version", "$attrbegin", "$attrend", NULL };
    for (const char *const *p = words; *p; p++)
        if (is(w, *p))
            return true;
    return false;
}

static int command(struct head *h, struct word w, bool *done)
{
    if (is(w, "$var"))
        return read_var(h);
    if (is(w, "$scope"))
        return open_scope(h);
    if (is(w, "$upscope"))
        return close_scope(h);
    if (is(w, "$timescale"))
        return read_timescale(h);
    if (is(w, "$enddefinitions")) {
        *done = true;
        return skip(h, "$enddefinitions");
    }
    if (is(w, "$timezero"))
        return read_timezero(h);
    if (w.s[0] != '$' || is(w, "$end") || (w.n > 5 && memcmp(w.s, "$dump", 5) == 0))
        return wrong(h, "%s'%.*s' stands before $enddefinitions, allowed are declarations", "", w);
    if (!is_remark(w))
        vcd_warn(h->v, h->v->in.pos - w.n, "command '%.*s' is not known and was skipped",
                 w.n > 40 ? 40 : (int)w.n, w.s);
    return skip(h, "a $ command");
}

int vcd_read_header(struct vcd_reader *v, struct nerr *err)
{
    struct head h = { .v = v, .err = err };
    struct word w;
    bool done = false;
    int rc = 0;
    while (!rc && !done) {
        rc = vcd_token(&v->in, &w.s, &w.n, err);
        if (!rc && w.n == 0)
            rc = vcd_error(&v->in, v->in.pos, err, "the file ends before $enddefinitions");
        if (!rc)
            rc = command(&h, w, &done);
    }
    strbuf_free(&h.scope);
    strbuf_free(&h.name);
    free(h.parents);
    return rc;
}
