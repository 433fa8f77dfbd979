/* Chosen signals of one file, step by step: see trace.h. */
#include "wave/trace.h"

#include <stdlib.h>
#include <string.h>

#include "wave/grow.h"
#include "wave/wave.h"

static int no_memory(const struct wave_trace *t, struct nerr *err)
{
    return nerr_set(err, NERR_MEM, t->reader ? t->reader->path : "", "out of memory");
}

/* ---- finding the signals ---- */

static int not_found(const struct wave_trace *t, enum wave_found f, const char *name, size_t n,
                     struct nerr *err)
{
    if (f == WAVE_FOUND_NO_MEMORY)
        return no_memory(t, err);
    return nerr_set(err, NERR_RULE, t->reader->path, "the wave has no signal '%.*s'", (int)n, name);
}

static int add_pieces(struct wave_trace *t, struct wave_index *x, struct wave_lane *l, const char *name,
                      size_t n, struct nerr *err)
{
    struct wave_piece *pieces = NULL;
    uint32_t count = 0;
    enum wave_found f = wave_index_find(x, name, n, true, &pieces, &count);
    if (f != WAVE_FOUND)
        return not_found(t, f, name, n, err);
    struct wave_piece *all = realloc(l->pieces, (l->npieces + (size_t)count) * sizeof *all);
    if (!all) {
        free(pieces);
        return no_memory(t, err);
    }
    memcpy(all + l->npieces, pieces, count * sizeof *all);
    l->pieces = all;
    l->npieces += count;
    free(pieces);
    return 0;
}

/* A name as a whole first: an escaped one may begin with a brace. */
static int find_lane(struct wave_trace *t, struct wave_index *x, struct wave_lane *l, const char *name,
                     struct nerr *err)
{
    size_t n = strlen(name);
    int rc = add_pieces(t, x, l, name, n, err);
    if (rc != NERR_RULE || n < 3 || name[0] != '{' || name[n - 1] != '}')
        return rc;
    rc = 0;
    for (const char *p = name + 1; !rc && p < name + n;) {
        const char *comma = strstr(p, ", ");
        size_t part = comma ? (size_t)(comma - p) : (size_t)(name + n - 1 - p);
        rc = add_pieces(t, x, l, p, part, err);
        p += part + 2;
    }
    return rc;
}

static void measure(const struct wave_trace *t, struct wave_lane *l)
{
    const struct wave_var *v = &t->reader->vars[l->pieces[0].var];
    l->kind = l->npieces == 1 ? v->kind : WAVE_BITS;
    l->width = l->kind == WAVE_BITS ? 0 : v->width;
    for (uint32_t i = 0; i < l->npieces && l->kind == WAVE_BITS; i++)
        l->width += l->pieces[i].count;
}

/* Which lanes each signal belongs to, by counting. */
static bool index_users(struct wave_trace *t)
{
    size_t n = t->reader->nsignals, total = 0;
    for (size_t i = 0; i < t->nlanes; i++)
        total += t->lanes[i].npieces;
    t->first = calloc(n + 2, sizeof *t->first);
    t->users = calloc(total + 1, sizeof *t->users);
    t->list = calloc(t->nlanes + 1, sizeof *t->list);
    if (!t->first || !t->users || !t->list)
        return false;
    for (size_t i = 0; i < t->nlanes; i++)
        for (uint32_t k = 0; k < t->lanes[i].npieces; k++)
            t->first[t->lanes[i].pieces[k].signal + 2]++;
    for (size_t s = 2; s < n + 2; s++)
        t->first[s] += t->first[s - 1];
    for (size_t i = 0; i < t->nlanes; i++)
        for (uint32_t k = 0; k < t->lanes[i].npieces; k++)
            t->users[t->first[t->lanes[i].pieces[k].signal + 1]++] = (uint32_t)i;
    return true;
}

/* A file without a time scale has the one that the comparison assumed. */
static int assume(struct wave_reader *r, const char *timescale, struct nerr *err)
{
    struct wave_bound tick;
    if (r->has_timescale || !timescale)
        return 0;
    int rc = wave_bound_parse(timescale, &tick, err);
    if (!rc && tick.has_unit && tick.value > 0 && tick.value <= UINT32_MAX) {
        r->exponent = tick.exponent;
        r->factor = (uint32_t)tick.value;
    }
    return rc;
}

int wave_trace_open(struct wave_trace *t, const char *path, const struct wave_options *options,
                    const char *const *names, size_t nnames, struct nerr *err)
{
    struct wave_open_options open = { .allow_incomplete = options->allow_incomplete };
    struct wave_index x;
    *t = (struct wave_trace){ 0 };
    int rc = wave_reader_open_with(path, &open, &t->reader, err);
    if (!rc)
        rc = assume(t->reader, options->assume_timescale, err);
    if (rc)
        return rc;
    t->lanes = calloc(nnames + 1, sizeof *t->lanes);
    t->values = calloc((size_t)t->reader->nsignals + 1, sizeof *t->values);
    if (!t->lanes || !t->values)
        return no_memory(t, err);
    t->nlanes = nnames;
    wave_index_init(&x, t->reader);
    for (size_t i = 0; i < nnames && !rc; i++) {
        if (!names[i])
            continue;
        rc = find_lane(t, &x, &t->lanes[i], names[i], err);
        if (!rc)
            measure(t, &t->lanes[i]);
    }
    wave_index_free(&x);
    return !rc && !index_users(t) ? no_memory(t, err) : rc;
}

void wave_trace_close(struct wave_trace *t)
{
    for (size_t i = 0; i < t->nlanes; i++) {
        free(t->lanes[i].pieces);
        free(t->lanes[i].value);
    }
    for (uint32_t s = 0; t->values && s < t->reader->nsignals; s++)
        free(t->values[s].text);
    free(t->lanes);
    free(t->values);
    free(t->first);
    free(t->users);
    free(t->list);
    free(t->scratch);
    wave_reader_close(t->reader);
    *t = (struct wave_trace){ 0 };
}

/* ---- the stream ---- */

static bool set_text(char **text, size_t *len, size_t *capacity, const char *bytes, size_t n)
{
    if (!WAVE_GROW(text, capacity, n + 1))
        return false;
    memcpy(*text, bytes, n);
    (*text)[n] = '\0';
    *len = n;
    return true;
}

/* The lane's value out of its signals' into scratch or straight from the signal. */
static bool compose(struct wave_trace *t, const struct wave_lane *l, const char **value, size_t *len)
{
    const struct wave_trace_value *v = &t->values[l->pieces[0].signal];
    if (l->kind != WAVE_BITS || (l->npieces == 1 && l->pieces[0].count == v->len)) {
        *value = v->text;
        *len = v->len;
        return true;
    }
    if (!WAVE_GROW(&t->scratch, &t->scratch_capacity, (size_t)l->width + 1))
        return false;
    size_t n = 0;
    for (uint32_t i = 0; i < l->npieces; i++) {
        const struct wave_piece *p = &l->pieces[i];
        memcpy(t->scratch + n, t->values[p->signal].text + p->at, p->count);
        n += p->count;
    }
    *value = t->scratch;
    *len = n;
    return true;
}

static bool settle(struct wave_trace *t, struct wave_lane *l)
{
    const char *value = "";
    size_t len = 0;
    l->touched = false;
    if (!compose(t, l, &value, &len))
        return false;
    l->changed = !l->value || len != l->len || memcmp(value, l->value, len) != 0 || l->kind == WAVE_EVENT;
    return !l->changed || set_text(&l->value, &l->len, &l->capacity, value, len);
}

static bool set_initial(struct wave_trace *t)
{
    for (size_t i = 0; i < t->nlanes; i++) {
        struct wave_lane *l = &t->lanes[i];
        for (uint32_t k = 0; k < l->npieces; k++) {
            const struct wave_var *var = &t->reader->vars[l->pieces[k].var];
            struct wave_trace_value *v = &t->values[l->pieces[k].signal];
            if (!WAVE_GROW(&v->text, &v->capacity, (size_t)(var->width < 32 ? 32 : var->width) + 1))
                return false;
            v->len = wave_initial(var->kind, var->width, v->text);
            v->text[v->len] = '\0';
        }
        if (l->npieces && !settle(t, l))
            return false;
        l->changed = false;
    }
    return true;
}

/* Reads to the head of the next step. */
static int take_head(struct wave_trace *t, const struct wave_record *r)
{
    t->ended = r->kind == WAVE_END;
    if (!t->ended)
        t->when = ((wave_time)r->time + t->reader->timezero) * t->multiplier + t->offset;
    return 0;
}

int wave_trace_start(struct wave_trace *t, int base, wave_time offset, struct nerr *err)
{
    struct wave_record r;
    t->multiplier = wave_power(t->reader->exponent - base) * t->reader->factor;
    t->offset = offset;
    t->nlist = 0;
    t->now = 0;
    uint8_t *wanted = calloc((size_t)t->reader->nsignals + 1, 1);
    if (!wanted || !set_initial(t)) {
        free(wanted);
        return no_memory(t, err);
    }
    for (uint32_t s = 0; s < t->reader->nsignals; s++)
        wanted[s] = t->values[s].text != NULL;
    int rc = t->reader->ops->start(t->reader, wanted, err);
    free(wanted);
    if (!rc)
        rc = t->reader->ops->next(t->reader, &r, err);
    return rc ? rc : take_head(t, &r);
}

static bool take_change(struct wave_trace *t, const struct wave_record *r)
{
    struct wave_trace_value *v = &t->values[r->signal];
    if (!v->text)
        return true;
    for (uint32_t i = t->first[r->signal]; i < t->first[r->signal + 1]; i++) {
        struct wave_lane *l = &t->lanes[t->users[i]];
        if (!l->touched)
            t->list[t->nlist++] = t->users[i];
        l->touched = true;
    }
    return set_text(&v->text, &v->len, &v->capacity, r->value, r->len);
}

int wave_trace_step(struct wave_trace *t, struct nerr *err)
{
    struct wave_record r;
    int rc;
    for (size_t i = 0; i < t->nlist; i++)
        t->lanes[t->list[i]].changed = false;
    t->nlist = 0;
    t->now = t->when;
    for (;;) {
        rc = t->reader->ops->next(t->reader, &r, err);
        if (rc)
            return rc;
        if (r.kind == WAVE_TIME) { /* a repeated time goes on with the same step */
            take_head(t, &r);
            if (t->when != t->now)
                break;
        } else if (r.kind == WAVE_END) {
            take_head(t, &r);
            break;
        } else if (!take_change(t, &r)) {
            return no_memory(t, err);
        }
    }
    for (size_t i = 0; i < t->nlist; i++)
        if (!settle(t, &t->lanes[t->list[i]]))
            return no_memory(t, err);
    return 0;
}

wave_time wave_trace_end(const struct wave_trace *t)
{
    return ((wave_time)t->reader->end + t->reader->timezero) * t->multiplier + t->offset;
}

/* ---- two files ---- */

static int choose_base(struct wave_trace_pair *p, const struct wave_bound *shift, struct nerr *err)
{
    int low = p->a.reader->exponent, high = low;
    int others[2] = { p->b.reader->exponent, shift->set && shift->has_unit ? shift->exponent : low };
    for (int i = 0; i < 2; i++) {
        low = others[i] < low ? others[i] : low;
        high = others[i] > high ? others[i] : high;
    }
    p->base = low;
    p->unit = p->a.reader->exponent;
    if (high - low > WAVE_EXPONENT_SPAN)
        return nerr_set(err, NERR_INPUT, p->a.reader->path,
                        "the time units of the two files are more than a factor 10^%d apart",
                        WAVE_EXPONENT_SPAN);
    return 0;
}

static wave_time ticks(const struct wave_trace *t, int base)
{
    return wave_power(t->reader->exponent - base) * t->reader->factor;
}

int wave_trace_pair_open(struct wave_trace_pair *p, const char *path_a, const char *path_b,
                         const struct wave_options *options, const char *const *names_a,
                         const char *const *names_b, size_t n, struct nerr *err)
{
    const struct wave_bound *shift = &options->shift;
    *p = (struct wave_trace_pair){ .x = options->x };
    int rc = wave_trace_open(&p->a, path_a, options, names_a, n, err);
    if (!rc)
        rc = wave_trace_open(&p->b, path_b, options, names_b, n, err);
    if (!rc)
        rc = choose_base(p, shift, err);
    if (rc)
        return rc;
    if (shift->set)
        p->shift = (wave_time)shift->value *
                   (shift->has_unit ? wave_power(shift->exponent - p->base) : ticks(&p->a, p->base));
    if (options->shift_negative)
        p->shift = -p->shift;
    return 0;
}

int wave_trace_pair_start(struct wave_trace_pair *p, struct nerr *err)
{
    int rc = wave_trace_start(&p->a, p->base, 0, err);
    return rc ? rc : wave_trace_start(&p->b, p->base, p->shift, err);
}

void wave_trace_pair_close(struct wave_trace_pair *p)
{
    wave_trace_close(&p->a);
    wave_trace_close(&p->b);
}

wave_time wave_trace_moment(const struct wave_trace_pair *p, const struct wave_moment *m)
{
    wave_time a = ((wave_time)m->ticks_a + p->a.reader->timezero) * ticks(&p->a, p->base);
    wave_time b = ((wave_time)m->ticks_b + p->b.reader->timezero) * ticks(&p->b, p->base) + p->shift;
    return a > b ? a : b; /* both are rounded down */
}

static bool bits_agree(enum wave_x_rule rule, char a, char b)
{
    bool known_a = a == '0' || a == '1', known_b = b == '0' || b == '1';
    return a == b || (rule == WAVE_X_ANY && (!known_a || !known_b)) || (rule == WAVE_X_GOLDEN && !known_a);
}

bool wave_values_agree(enum wave_kind kind, const char *a, size_t na, const char *b, size_t nb,
                       enum wave_x_rule rule)
{
    if (na != nb || kind != WAVE_BITS || rule == WAVE_X_EXACT)
        return na == nb && memcmp(a, b, na) == 0;
    for (size_t i = 0; i < na; i++)
        if (!bits_agree(rule, a[i], b[i]))
            return false;
    return true;
}

bool wave_lanes_agree(const struct wave_lane *a, const struct wave_lane *b, enum wave_x_rule rule)
{
    return wave_values_agree(a->kind, a->value, a->len, b->value, b->len, rule);
}
