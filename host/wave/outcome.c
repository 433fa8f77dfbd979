/* From the state of a finished comparison to the result that is handed out: see compare.h and engine.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/strbuf.h"
#include "wave/engine.h"
#include "wave/grow.h"
#include "wave/text.h"

#define NOTES_MAX 20 /* about rules */

int wave_note(struct wave_result *r, struct nerr *err, const char *fmt, ...)
{
    va_list ap;
    char text[1024];
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    char **more = realloc(r->notes, (r->nnotes + 1) * sizeof *more);
    if (more)
        r->notes = more;
    char *copy = more ? text_copy(text) : NULL;
    if (!copy)
        return wave_no_memory(err);
    r->notes[r->nnotes++] = copy;
    return 0;
}

/* ---- what differs, in order
 * -------------------------------------------------------------------------------------- */

/* One line of the result on its way: a name of an item, or a group. */
struct found {
    wave_time when;
    uint32_t depth, var; /* of the name in A: ties */
    uint32_t match;      /* NO_MATCH: a group */
    uint32_t index;      /* of the item or group */
    enum wave_result_kind kind;
};
#define NO_MATCH UINT32_MAX

struct outcome {
    struct wave_engine *e;
    struct found *found;
    size_t n, capacity;
};

static uint32_t depth_of(const char *name)
{
    uint32_t n = 0;
    while ((name = strchr(name, '.')) != NULL) {
        name++;
        n++;
    }
    return n;
}

static bool add_found(struct outcome *o, struct found f, const char *name)
{
    if (!WAVE_GROW(&o->found, &o->capacity, o->n + 1))
        return false;
    f.depth = depth_of(name);
    o->found[o->n++] = f;
    return true;
}

static bool collect(struct outcome *o)
{
    struct wave_engine *e = o->e;
    for (uint32_t i = 0; i < e->nitems; i++) {
        const struct wave_item *it = &e->items[i];
        for (uint32_t k = 0; it->track && it->track->found && k < it->nmatches; k++) {
            uint32_t match = e->matches[it->first_match + k];
            const struct wave_match *m = &e->pairing.matches[match];
            struct found f = { it->track->first, 0, m->var_a, match, i, it->track->kind };
            if (!add_found(o, f, m->name_a))
                return false;
        }
    }
    for (uint32_t i = 0; i < e->ngroups; i++) {
        const struct wave_group *g = &e->groups[i];
        if (!g->differs)
            continue;
        const struct wave_transaction *one = g->odd[0], *other = g->odd[1];
        if (!one || (other && other->when < one->when))
            one = other;
        wave_time when = one->when;
        uint32_t match = e->matches[e->items[g->items[0]].first_match];
        struct found f = { when, 0, e->pairing.matches[match].var_a, NO_MATCH, i, WAVE_DIFF_ORDER };
        if (!add_found(o, f, wave_group_name(e, g, 0)))
            return false;
    }
    return true;
}

static int by_time(const void *pa, const void *pb)
{
    const struct found *a = pa, *b = pb;
    if (a->when != b->when)
        return a->when < b->when ? -1 : 1;
    if (a->depth != b->depth)
        return a->depth < b->depth ? -1 : 1;
    if (a->var != b->var)
        return a->var < b->var ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* ---- texts
 * ------------------------------------------------------------------------------------------------------ */

static char *time_text(const struct wave_engine *e, wave_time t)
{
    return wave_time_text(t, e->base, e->side[0].reader->exponent);
}

static uint64_t ticks(const struct wave_side *s, wave_time t)
{
    return t > s->offset ? (uint64_t)((t - s->offset) / s->tick) : 0;
}

static struct wave_moment moment(const struct wave_engine *e, wave_time t)
{
    return (struct wave_moment){ ticks(&e->side[0], t), ticks(&e->side[1], t), time_text(e, t) };
}

static char *count_text(uint64_t n)
{
    return text_printf("%llu sample%s", (unsigned long long)n, n == 1 ? "" : "s");
}

/* Hex of the bits that differ. */
static char *mask_text(const struct wave_engine *e, const struct wave_item *it)
{
    const struct wave_track *t = it->track;
    uint32_t n = it->width, digits = (n + 3) / 4;
    char *hex = malloc((size_t)digits + 1);
    if (!hex)
        return NULL;
    for (uint32_t d = 0; d < digits; d++) {
        unsigned v = 0;
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t from_right = (digits - 1 - d) * 4 + (3 - i);
            uint32_t at = n - 1 - from_right;
            v <<= 1;
            if (from_right < n)
                v |= wave_item_bit_differs(e, it, at, t->golden[at], t->actual[at]);
        }
        hex[d] = "0123456789abcdef"[v];
    }
    hex[digits] = '\0';
    return hex;
}

/* ---- one entry
 * -------------------------------------------------------------------------------------------------- */

static void free_signal(struct wave_signal_result *s)
{
    free(s->name_a);
    free(s->name_b);
    free(s->first.text);
    free(s->golden);
    free(s->actual);
    free(s->raw_golden);
    free(s->raw_actual);
    free(s->mask);
    free(s->until.text);
    free(s->lasted);
    free(s->total);
    free(s->agreed.text);
    free(s->agreed_value);
}

/* Appends; takes the strings over. complete: none that has to be there is missing. */
static int append(struct wave_engine *e, struct wave_signal_result s, bool complete, struct nerr *err)
{
    struct wave_result *r = e->result;
    bool full = (r->nlist & (r->nlist - 1)) == 0; /* room is the next power of two */
    struct wave_signal_result *more = r->list;
    if (complete && full)
        more = realloc(r->list, (r->nlist ? r->nlist * 2 : 1) * sizeof *more);
    if (!complete || !more) {
        free_signal(&s);
        return wave_no_memory(err);
    }
    r->list = more;
    r->list[r->nlist++] = s;
    return 0;
}

static int append_value(struct wave_engine *e, const struct found *f, struct nerr *err)
{
    const struct wave_item *it = &e->items[f->index];
    const struct wave_track *t = it->track;
    const struct wave_match *m = &e->pairing.matches[f->match];
    enum wave_kind kind = (enum wave_kind)it->kind;
    bool sampled = e->watches[it->watch].sampled;
    struct wave_signal_result s = { .kind = f->kind,
                                    .name_a = text_copy(m->name_a),
                                    .name_b = text_copy(m->name_b),
                                    .width = it->width,
                                    .first = moment(e, t->first),
                                    .golden = wave_value_text(kind, t->golden, t->golden_len),
                                    .actual = wave_value_text(kind, t->actual, t->actual_len),
                                    .intervals = t->intervals };
    bool complete = s.name_a && s.name_b && s.first.text && s.golden && s.actual;
    s.total = sampled ? count_text(t->intervals) : time_text(e, t->total);
    complete = complete && s.total;
    if (kind == WAVE_BITS) {
        s.raw_golden = text_copy_n(t->golden, t->golden_len);
        s.raw_actual = text_copy_n(t->actual, t->actual_len);
        s.mask = mask_text(e, it);
        complete = complete && s.raw_golden && s.raw_actual && s.mask;
    }
    if (t->done) {
        s.until = moment(e, t->until);
        complete = complete && s.until.text;
    }
    s.lasted = sampled ? count_text(t->done ? t->first_samples : t->intervals)
                       : time_text(e, (t->done ? t->until : e->end) - t->first);
    if (t->has_agreed) {
        s.agreed = moment(e, t->agreed_when);
        s.agreed_value = wave_value_text(kind, t->agreed, t->agreed_len);
        complete = complete && s.agreed.text && s.agreed_value;
    }
    return append(e, s, complete && s.lasted, err);
}

static char *transaction(const struct wave_engine *e, const struct wave_group *g,
                         const struct wave_transaction *t)
{
    return t ? wave_transaction_text(e, g, t) : text_copy("nothing more");
}

static int append_group(struct wave_engine *e, const struct found *f, struct nerr *err)
{
    const struct wave_group *g = &e->groups[f->index];
    struct wave_signal_result s = { .kind = WAVE_DIFF_ORDER,
                                    .name_a = text_copy(wave_group_name(e, g, 0)),
                                    .name_b = text_copy(wave_group_name(e, g, 1)),
                                    .first = moment(e, f->when),
                                    .golden = transaction(e, g, g->odd[0]),
                                    .actual = transaction(e, g, g->odd[1]),
                                    .intervals = 1 };
    for (uint32_t i = 0; i < g->nitems; i++)
        s.width += e->items[g->items[i]].width;
    bool complete = s.name_a && s.name_b && s.first.text && s.golden && s.actual;
    /* Each side at its own time, which the texts cannot show. */
    if (g->odd[0])
        s.first.ticks_a = ticks(&e->side[0], g->odd[0]->when);
    if (g->odd[1])
        s.first.ticks_b = ticks(&e->side[1], g->odd[1]->when);
    if (g->last) {
        s.agreed = moment(e, g->last->when);
        s.agreed_value = wave_transaction_text(e, g, g->last);
        complete = complete && s.agreed.text && s.agreed_value;
    }
    return append(e, s, complete, err);
}

static int list_found(struct outcome *o, struct nerr *err)
{
    struct wave_engine *e = o->e;
    struct wave_result *r = e->result;
    size_t limit = e->options->limit ? e->options->limit : SIZE_MAX, listed[WAVE_DIFF_KINDS] = { 0 };
    int rc = 0;
    if (o->n)
        qsort(o->found, o->n, sizeof *o->found, by_time);
    for (size_t i = 0; i < o->n && !rc; i++) {
        const struct found *f = &o->found[i];
        r->count[f->kind]++;
        if (listed[f->kind] >= (f->kind == WAVE_DIFF_ENDS ? 1 : limit))
            continue;
        listed[f->kind]++;
        rc = f->match == NO_MATCH ? append_group(e, f, err) : append_value(e, f, err);
    }
    return rc;
}

/* ---- declarations
 * ----------------------------------------------------------------------------------------------- */

static int by_declaration(const void *pa, const void *pb)
{
    const struct wave_shape *a = pa, *b = pb;
    return (a->var_a > b->var_a) - (a->var_a < b->var_a);
}

static int list_only(struct wave_engine *e, enum wave_result_kind kind, const struct wave_only *list,
                     size_t n, struct nerr *err)
{
    size_t limit = e->options->limit ? e->options->limit : SIZE_MAX;
    bool in_a = kind == WAVE_DIFF_ONLY_A;
    const struct wave_reader *reader = e->side[!in_a].reader;
    int rc = 0;
    e->result->count[kind] = n;
    for (size_t i = 0; i < n && i < limit && !rc; i++) {
        char *name = text_copy(list[i].name);
        char *shape = wave_shape_text(reader->vars[list[i].var].kind, list[i].width);
        struct wave_signal_result s = { .kind = kind,
                                        .name_a = in_a ? name : NULL,
                                        .name_b = in_a ? NULL : name,
                                        .width = list[i].width,
                                        .golden = in_a ? shape : NULL,
                                        .actual = in_a ? NULL : shape };
        rc = append(e, s, name && shape, err);
    }
    return rc;
}

static int list_declarations(struct wave_engine *e, struct nerr *err)
{
    struct wave_pairing *p = &e->pairing;
    size_t limit = e->options->limit ? e->options->limit : SIZE_MAX;
    int rc = 0;
    if (p->nshapes)
        qsort(p->shapes, p->nshapes, sizeof *p->shapes, by_declaration);
    e->result->count[WAVE_DIFF_SHAPE] = p->nshapes;
    for (size_t i = 0; i < p->nshapes && i < limit && !rc; i++) {
        const struct wave_shape *sh = &p->shapes[i];
        struct wave_signal_result s = {
            .kind = WAVE_DIFF_SHAPE,
            .name_a = text_copy(sh->name_a),
            .name_b = text_copy(sh->name_b),
            .width = sh->width_a,
            .golden = wave_shape_text(e->side[0].reader->vars[sh->var_a].kind, sh->width_a),
            .actual = wave_shape_text(e->side[1].reader->vars[sh->var_b].kind, sh->width_b)
        };
        rc = append(e, s, s.name_a && s.name_b && s.golden && s.actual, err);
    }
    if (!rc)
        rc = list_only(e, WAVE_DIFF_ONLY_A, p->only_a, p->nonly_a, err);
    return rc ? rc : list_only(e, WAVE_DIFF_ONLY_B, p->only_b, p->nonly_b, err);
}

/* ---- scopes
 * ------------------------------------------------------------------------------------------------------ */

struct scope {
    const char *name; /* of the variable; the scope is its first len bytes */
    size_t len;
    uint64_t differing;
};

static struct scope scope_of(const char *name)
{
    const char *escaped = strstr(name, ".\\"), *dot = escaped ? escaped : strrchr(name, '.');
    return (struct scope){ name, dot ? (size_t)(dot - name) : 0, 1 };
}

static int by_scope(const void *pa, const void *pb)
{
    const struct scope *a = pa, *b = pb;
    int c = memcmp(a->name, b->name, a->len < b->len ? a->len : b->len);
    return c ? c : (a->len > b->len) - (a->len < b->len);
}

/* Every differing name's scope, each once with its number. */
static struct scope *differing_scopes(struct outcome *o, size_t *n)
{
    const struct wave_pairing *p = &o->e->pairing;
    struct scope *s = malloc((o->n + p->nshapes + p->nonly_a + p->nonly_b + 1) * sizeof *s);
    size_t total = 0, kept = 0;
    if (!s)
        return NULL;
    for (size_t i = 0; i < o->n; i++)
        if (o->found[i].match != NO_MATCH)
            s[total++] = scope_of(p->matches[o->found[i].match].name_a);
        else
            s[total++] = scope_of(wave_group_name(o->e, &o->e->groups[o->found[i].index], 0));
    for (size_t i = 0; i < p->nshapes; i++)
        s[total++] = scope_of(p->shapes[i].name_a);
    for (size_t i = 0; i < p->nonly_a; i++)
        s[total++] = scope_of(p->only_a[i].name);
    for (size_t i = 0; i < p->nonly_b; i++)
        s[total++] = scope_of(p->only_b[i].name);
    qsort(s, total, sizeof *s, by_scope);
    for (size_t i = 0; i < total; i++)
        if (kept && by_scope(&s[kept - 1], &s[i]) == 0)
            s[kept - 1].differing++;
        else
            s[kept++] = s[i];
    *n = kept;
    return s;
}

static int list_scopes(struct outcome *o, struct nerr *err)
{
    struct wave_result *r = o->e->result;
    const struct wave_pairing *p = &o->e->pairing;
    size_t n = 0;
    struct scope *s = differing_scopes(o, &n);
    r->scopes = calloc(n + 1, sizeof *r->scopes);
    bool good = s && r->scopes;
    for (size_t i = 0; good && i < n; i++) {
        r->scopes[i].differing = s[i].differing;
        r->scopes[i].scope = text_copy_n(s[i].name, s[i].len);
        r->nscopes = i + 1;
        good = r->scopes[i].scope != NULL;
    }
    for (size_t i = 0; good && n && i < p->nmatches; i++) {
        struct scope key = scope_of(p->matches[i].name_a);
        const struct scope *at = bsearch(&key, s, n, sizeof *s, by_scope);
        if (at)
            r->scopes[at - s].compared++;
    }
    free(s);
    return good ? 0 : wave_no_memory(err);
}

/* ---- transactions
 * ----------------------------------------------------------------------------------------------- */

static int list_orders(struct wave_engine *e, struct nerr *err)
{
    struct wave_result *r = e->result;
    size_t limit = e->options->limit && !e->options->order.ngroups ? e->options->limit : SIZE_MAX;
    r->orders = calloc((size_t)e->ngroups + 1, sizeof *r->orders);
    if (!r->orders)
        return wave_no_memory(err);
    for (int pass = 0; pass < 2; pass++) /* those that differ first */
        for (uint32_t i = 0; i < e->ngroups && r->norders < limit; i++) {
            const struct wave_group *g = &e->groups[i];
            struct wave_order_result *o = &r->orders[r->norders];
            if (g->differs != (pass == 0))
                continue;
            r->norders++;
            *o = (struct wave_order_result){ .name = text_copy(wave_group_name(e, g, 0)),
                                             .count_a = g->count[0],
                                             .count_b = g->count[1],
                                             .matched = g->matched,
                                             .first_index = g->matched,
                                             .reordered = g->reordered };
            wave_time mean = g->matched ? g->latency_sum / (wave_time)g->matched : 0;
            o->latency_min = time_text(e, g->latency_min);
            o->latency_mean = time_text(e, mean);
            o->latency_max = time_text(e, g->latency_max);
            if (!o->name || !o->latency_min || !o->latency_mean || !o->latency_max)
                return wave_no_memory(err);
        }
    return 0;
}

/* ---- notes and the verdict about emptiness
 * ----------------------------------------------------------------------- */

static int note_rules(struct wave_engine *e, struct nerr *err)
{
    static const char *const kinds[] = { "map", "ignore", "only", "mask", "tol", "when" };
    size_t unused = 0;
    int rc = 0;
    for (size_t i = 0; i < e->options->nrules && !rc; i++) {
        const struct wave_rule *r = &e->options->rules[i];
        if (r->kind == WAVE_RULE_MAP ? e->pairing.map_used[i] : wave_selector_used(e->selector, i))
            continue;
        if (++unused > NOTES_MAX)
            continue;
        if (r->file[0])
            rc = wave_note(e->result, err, "%s line %u: '%s %s' meets no signal", r->file, r->line,
                           kinds[r->kind], r->name);
        else
            rc = wave_note(e->result, err, "'%s %s' meets no signal", kinds[r->kind], r->name);
    }
    if (!rc && unused > NOTES_MAX)
        rc = wave_note(e->result, err, "and %zu more rules meet no signal", unused - NOTES_MAX);
    return rc;
}

/* Signals whose condition never held. */
static uint64_t never_counted(const struct wave_engine *e)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < e->nitems; i++) {
        const struct wave_watch *w = &e->watches[e->items[i].watch];
        if ((w->exprs[0] || w->exprs[1]) && w->opens == 0)
            n += e->items[i].nmatches;
    }
    return n;
}

static int note_all(struct wave_engine *e, struct nerr *err)
{
    struct wave_result *r = e->result;
    wave_time a = wave_side_end(&e->side[0]), b = wave_side_end(&e->side[1]);
    uint64_t dropped = wave_glitch_dropped(&e->side[0]) + wave_glitch_dropped(&e->side[1]);
    uint64_t never = never_counted(e);
    int rc = 0;
    r->ends_differ = a != b && !(e->has_to && e->to <= a && e->to <= b);
    r->end_a = time_text(e, a);
    r->end_b = time_text(e, b);
    if (!r->end_a || !r->end_b)
        return wave_no_memory(err);
    if (r->ends_differ)
        rc = wave_note(r, err, "A ends at %s, B at %s", r->end_a, r->end_b);
    for (int i = 0; i < 2 && !rc; i++)
        if (e->side[i].reader->incomplete)
            rc = wave_note(r, err, "%s: %s", e->side[i].reader->path, e->side[i].reader->note);
    for (int i = 0; i < 2 && !rc; i++) {
        const struct wave_side *s = &e->side[i];
        for (size_t k = 0; k < s->nwarnings && k < WAVE_WARNINGS_MAX && !rc; k++)
            if (s->warnings[k])
                rc = wave_note(r, err, "%s", s->warnings[k]);
        if (!rc && s->nwarnings > WAVE_WARNINGS_MAX)
            rc = wave_note(r, err, "%s: and %zu more warnings", s->reader->path,
                           s->nwarnings - WAVE_WARNINGS_MAX);
    }
    if (!rc && never)
        rc = wave_note(r, err, "the condition of %llu signal%s never held: not compared",
                       (unsigned long long)never, never == 1 ? "" : "s");
    if (!rc && dropped)
        rc = wave_note(r, err, "%llu short pulse%s left out", (unsigned long long)dropped,
                       dropped == 1 ? "" : "s");
    if (!rc && e->options->order.ngroups && r->compared < e->pairing.nmatches)
        rc = wave_note(r, err, "%llu signals are in no group and were not compared",
                       (unsigned long long)(e->pairing.nmatches - r->compared));
    return rc ? rc : note_rules(e, err);
}

static int judge_emptiness(const struct wave_engine *e, struct nerr *err)
{
    const struct wave_result *r = e->result;
    const char *a = e->side[0].reader->path, *b = e->side[1].reader->path;
    uint64_t transactions = 0;
    if (e->options->allow_empty || !wave_result_equal(r))
        return 0;
    if (r->compared == 0)
        return nerr_set(err, NERR_INPUT, "", "nothing was compared: no signal of %s and %s is selected", a,
                        b);
    if (e->clocked && r->samples == 0)
        return nerr_set(err, NERR_INPUT, "", "nothing was compared: the clock '%s' has no such edge in %s",
                        e->options->clock.signal, e->has_from || e->has_to ? "the window" : a);
    if (never_counted(e) == r->compared)
        return nerr_set(err, NERR_INPUT, "", "nothing was compared: the condition never holds");
    for (uint32_t i = 0; i < e->ngroups; i++)
        transactions += e->groups[i].count[0] + e->groups[i].count[1];
    if (e->options->order.on && transactions == 0)
        return nerr_set(err, NERR_INPUT, "", "nothing was compared: there is no transaction");
    if (r->changes_a == 0 && r->changes_b == 0)
        return nerr_set(err, NERR_INPUT, "",
                        "nothing ever changed in %s and %s%s, so their equality says nothing", a, b,
                        e->has_from || e->has_to ? " inside the window" : "");
    return 0;
}

static int count_compared(struct wave_engine *e, struct nerr *err)
{
    struct wave_result *r = e->result;
    r->changes_a = e->side[0].changes;
    r->changes_b = e->side[1].changes;
    r->compared = e->pairing.nmatches;
    if (!e->options->order.ngroups)
        return 0;
    bool *in = calloc((size_t)e->nitems + 1, sizeof *in);
    if (!in)
        return wave_no_memory(err);
    r->compared = 0;
    for (uint32_t i = 0; i < e->ngroups; i++)
        for (uint32_t k = 0; k < e->groups[i].nitems; k++) {
            uint32_t item = e->groups[i].items[k];
            r->compared += in[item] ? 0 : e->items[item].nmatches;
            in[item] = true;
        }
    free(in);
    return 0;
}

int wave_outcome(struct wave_engine *e, struct nerr *err)
{
    struct outcome o = { .e = e };
    int rc = count_compared(e, err);
    if (!rc && !collect(&o))
        rc = wave_no_memory(err);
    if (!rc)
        rc = list_found(&o, err);
    if (!rc)
        rc = list_declarations(e, err);
    if (!rc)
        rc = list_scopes(&o, err);
    if (!rc && e->options->order.on)
        rc = list_orders(e, err);
    if (!rc)
        rc = note_all(e, err);
    free(o.found);
    return rc ? rc : judge_emptiness(e, err);
}

bool wave_result_equal(const struct wave_result *result)
{
    for (int kind = 0; kind < WAVE_DIFF_KINDS; kind++)
        if (result->count[kind])
            return false;
    return true;
}

void wave_result_free(struct wave_result *r)
{
    for (size_t i = 0; i < r->nlist; i++)
        free_signal(&r->list[i]);
    for (size_t i = 0; i < r->nscopes; i++)
        free(r->scopes[i].scope);
    for (size_t i = 0; i < r->norders; i++) {
        free(r->orders[i].name);
        free(r->orders[i].latency_min);
        free(r->orders[i].latency_mean);
        free(r->orders[i].latency_max);
    }
    for (size_t i = 0; i < r->nnotes; i++)
        free(r->notes[i]);
    free(r->list);
    free(r->scopes);
    free(r->orders);
    free(r->notes);
    free(r->end_a);
    free(r->end_b);
    memset(r, 0, sizeof *r);
}
