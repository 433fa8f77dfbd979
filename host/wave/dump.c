/* The canonical text of a wave: see dump.h. */
#include "wave/dump.h"

#include <stdlib.h>
#include <string.h>

#include "util/strbuf.h"
#include "wave/settle.h"
#include "wave/text.h"
#include "wave/wtime.h"

#define PIECE 65536u

struct dumper {
    struct wave_reader *r;
    const struct wave_dump_options *options;
    wave_dump_put *put;
    void *ctx;
    struct nerr *err;
    struct wave_settle s;
    struct strbuf text;
    uint32_t *rows; /* chosen variables by name */
    uint32_t nrows;
    uint32_t *first, *list; /* per signal: its rows are list[first[i] .. first[i + 1]) */
    uint32_t *dirty;        /* rows to show in this step */
    int base;               /* times count 10^base seconds */
    wave_time from, to;
};

static int no_memory(struct dumper *d)
{
    return nerr_set(d->err, NERR_MEM, d->r->path, "out of memory");
}

static int flush(struct dumper *d, size_t least)
{
    if (d->text.failed)
        return no_memory(d);
    if (d->text.len < least || d->text.len == 0)
        return 0;
    int rc = d->put(d->ctx, d->text.s, d->text.len, d->err);
    d->text.len = 0;
    return rc;
}

/* ---- times ---- */

static wave_time in_base(const struct dumper *d, uint64_t ticks)
{
    return ((wave_time)ticks + d->r->timezero) * d->r->factor * wave_power(d->r->exponent - d->base);
}

static wave_time bound_in_base(const struct dumper *d, const struct wave_bound *b)
{
    if (b->has_unit)
        return (wave_time)b->value * wave_power(b->exponent - d->base);
    return (wave_time)b->value * d->r->factor * wave_power(d->r->exponent - d->base);
}

static int set_window(struct dumper *d)
{
    const struct wave_window *w = &d->options->window;
    int low = d->r->exponent, high = low;
    const struct wave_bound *bounds[2] = { &w->from, &w->to };
    for (int i = 0; i < 2; i++)
        if (bounds[i]->set && bounds[i]->has_unit) {
            low = bounds[i]->exponent < low ? bounds[i]->exponent : low;
            high = bounds[i]->exponent > high ? bounds[i]->exponent : high;
        }
    if (high - low > WAVE_EXPONENT_SPAN)
        return nerr_set(d->err, NERR_INPUT, d->r->path,
                        "the time units of the file and the window are more than a factor 10^%d apart",
                        WAVE_EXPONENT_SPAN);
    d->base = low;
    if (w->from.set)
        d->from = bound_in_base(d, &w->from);
    if (w->to.set)
        d->to = bound_in_base(d, &w->to);
    if (w->from.set && w->to.set && d->from > d->to)
        return nerr_set(d->err, NERR_INPUT, d->r->path, "the window ends before it begins");
    return 0;
}

static int put_time(struct dumper *d, const char *word, wave_time t)
{
    char *text = wave_time_text(t, d->base, d->r->exponent);
    if (!text)
        return no_memory(d);
    strbuf_printf(&d->text, "%s %s\n", word, text);
    free(text);
    return 0;
}

/* ---- names and values ---- */

static void put_name(struct dumper *d, const char *name)
{
    size_t at = d->text.len;
    strbuf_puts(&d->text, name);
    for (size_t i = at; !d->text.failed && i < d->text.len; i++)
        if ((unsigned char)d->text.s[i] < ' ' || d->text.s[i] == 0x7f)
            d->text.s[i] = '?';
}

static int put_declarations(struct dumper *d)
{
    int rc = 0;
    strbuf_puts(&d->text, "wave dump 1\n");
    for (uint32_t i = 0; i < d->nrows && !rc; i++) {
        const struct wave_var *v = &d->r->vars[d->rows[i]];
        char *shape = wave_shape_text(v->kind, v->width);
        if (!shape)
            return no_memory(d);
        strbuf_puts(&d->text, "signal ");
        put_name(d, v->name);
        strbuf_printf(&d->text, ", %s\n", shape);
        free(shape);
        rc = flush(d, PIECE);
    }
    return rc;
}

static int put_value(struct dumper *d, uint32_t row)
{
    const struct wave_var *v = &d->r->vars[d->rows[row]];
    const struct wave_cell *c = &d->s.cells[v->signal];
    strbuf_puts(&d->text, "  ");
    put_name(d, v->name);
    if (v->kind == WAVE_BITS && c->now_len == 1) { /* most lines of most waves */
        char tail[] = { ' ', '=', ' ', c->now[0], '\n' };
        strbuf_add(&d->text, tail, sizeof tail);
    } else {
        char *value = wave_value_text(v->kind, c->now, c->now_len);
        if (!value)
            return no_memory(d);
        strbuf_puts(&d->text, " = ");
        strbuf_puts(&d->text, value);
        strbuf_puts(&d->text, "\n");
        free(value);
    }
    return flush(d, PIECE);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* One step: the rows of the signals that changed. */
static int put_step(struct dumper *d, wave_time t)
{
    size_t n = 0;
    int rc = 0;
    for (size_t i = 0; i < d->s.nchanged; i++) {
        uint32_t signal = d->s.changed[i];
        for (uint32_t k = d->first[signal]; k < d->first[signal + 1]; k++)
            d->dirty[n++] = d->list[k];
    }
    if (n == 0)
        return 0;
    qsort(d->dirty, n, sizeof *d->dirty, by_number);
    rc = put_time(d, "time", t);
    for (size_t i = 0; i < n && !rc; i++)
        rc = put_value(d, d->dirty[i]);
    return rc;
}

static bool fired(const struct wave_settle *s, uint32_t signal)
{
    for (size_t i = 0; i < s->nchanged; i++)
        if (s->changed[i] == signal)
            return true;
    return false;
}

/* The first step of a window: every value that is known at its beginning. */
static int put_state(struct dumper *d, bool at_from)
{
    char initial[32];
    int rc = put_time(d, "time", d->from);
    for (uint32_t i = 0; i < d->nrows && !rc; i++) {
        const struct wave_var *v = &d->r->vars[d->rows[i]];
        const struct wave_cell *c = &d->s.cells[v->signal];
        bool unknown;
        if (v->kind == WAVE_BITS) {
            unknown = true;
            for (uint32_t k = 0; k < c->before_len && unknown; k++)
                unknown = c->before[k] == 'x';
        } else if (v->kind == WAVE_EVENT) {
            unknown = !at_from || !fired(&d->s, v->signal);
        } else {
            uint32_t len = wave_initial(v->kind, v->width, initial);
            unknown = c->before_len == len && memcmp(c->before, initial, len) == 0;
        }
        if (!unknown)
            rc = put_value(d, i);
    }
    return rc;
}

static int put_steps(struct dumper *d)
{
    const struct wave_window *w = &d->options->window;
    bool begun = !w->from.set;
    wave_time last = 0, t = 0;
    int rc = 0;
    for (;;) {
        /* The state at `from` is that before the first step behind it, so look at the step's time first. */
        t = in_base(d, d->s.next_time);
        if (!begun && (!d->s.has_next || t > d->from)) {
            rc = put_state(d, false);
            begun = true;
        }
        if (rc || !d->s.has_next || (w->to.set && t > d->to))
            break;
        rc = wave_settle_step(&d->s, d->err);
        last = t;
        if (!rc && !begun && t == d->from) {
            rc = put_state(d, true);
            begun = true;
        } else if (!rc && begun) {
            rc = put_step(d, t);
        }
        if (rc)
            break;
    }
    if (rc)
        return rc;
    if (d->r->incomplete)
        return put_time(d, "incomplete after", in_base(d, d->r->complete_to));
    return put_time(d, "end",
                    d->s.has_next                  ? d->to
                    : in_base(d, d->r->end) > last ? in_base(d, d->r->end)
                                                   : last);
}

/* ---- choice of signals ---- */

struct key {
    const char *name;
    uint32_t var;
};

static int by_name(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    int c = strcmp(x->name, y->name);
    return c ? c : by_number(&x->var, &y->var);
}

static bool chosen(const struct wave_dump_options *o, const char *name)
{
    for (size_t i = 0; i < o->nglobs; i++)
        if (wave_glob(o->globs[i], name))
            return true;
    return o->nglobs == 0;
}

/* Fills rows. Two declarations of one name for one signal are one row. */
static int sort_rows(struct dumper *d, struct key *keys)
{
    const struct wave_var *vars = d->r->vars;
    size_t n = 0;
    for (size_t i = 0; i < d->r->nvars; i++)
        if (chosen(d->options, vars[i].name))
            keys[n++] = (struct key){ vars[i].name, (uint32_t)i };
    qsort(keys, n, sizeof *keys, by_name);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || vars[keys[i].var].signal != vars[keys[i - 1].var].signal ||
            strcmp(keys[i].name, keys[i - 1].name) != 0)
            d->rows[d->nrows++] = keys[i].var;
    return n ? 0
             : nerr_set(d->err, NERR_INPUT, d->r->path, "no signal %s",
                        d->options->nglobs ? "has such a name" : "is declared");
}

static int choose(struct dumper *d)
{
    struct wave_reader *r = d->r;
    if (r->nvars >= UINT32_MAX)
        return nerr_set(d->err, NERR_INPUT, r->path, "more than 2^32 names");
    struct key *keys = calloc(r->nvars + 1, sizeof *keys);
    d->rows = calloc(r->nvars + 1, sizeof *d->rows);
    d->dirty = calloc(r->nvars + 1, sizeof *d->dirty);
    d->list = calloc(r->nvars + 1, sizeof *d->list);
    d->first = calloc((size_t)r->nsignals + 2, sizeof *d->first);
    int rc = keys && d->rows && d->dirty && d->list && d->first ? sort_rows(d, keys) : no_memory(d);
    free(keys);
    return rc;
}

/* Index from signals to rows, by counting. */
static void index_rows(struct dumper *d, uint8_t *wanted)
{
    struct wave_reader *r = d->r;
    for (uint32_t i = 0; i < d->nrows; i++) {
        uint32_t signal = r->vars[d->rows[i]].signal;
        wanted[signal] = 1;
        d->first[signal + 1]++;
    }
    for (uint32_t i = 0; i < r->nsignals; i++)
        d->first[i + 1] += d->first[i];
    for (uint32_t i = d->nrows; i-- > 0;) {
        uint32_t signal = r->vars[d->rows[i]].signal;
        d->list[--d->first[signal + 1]] = i;
    }
    /* first[i + 1] has become the begin of signal i: shift back, the end of the last one is all */
    memmove(d->first, d->first + 1, r->nsignals * sizeof *d->first);
    d->first[r->nsignals] = d->nrows;
}

static int start(struct dumper *d)
{
    uint8_t *wanted = calloc((size_t)d->r->nsignals + 1, 1);
    if (!wanted)
        return no_memory(d);
    index_rows(d, wanted);
    int rc = wave_settle_start(&d->s, d->r, wanted, d->err);
    free(wanted);
    return rc;
}

int wave_dump(struct wave_reader *r, const struct wave_dump_options *options, wave_dump_put *put, void *ctx,
              struct nerr *err)
{
    struct dumper d = { .r = r, .options = options, .put = put, .ctx = ctx, .err = err };
    int rc = set_window(&d);
    if (!rc)
        rc = choose(&d);
    if (!rc)
        rc = start(&d);
    if (!rc)
        rc = put_declarations(&d);
    if (!rc)
        rc = put_steps(&d);
    if (!rc)
        rc = flush(&d, 0);
    if (d.s.cells)
        wave_settle_free(&d.s);
    strbuf_free(&d.text);
    free(d.rows);
    free(d.dirty);
    free(d.list);
    free(d.first);
    return rc;
}
