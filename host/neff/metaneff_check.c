/*
 * What must hold between a metaneff and the program it was made for (neff-container.md §21, ruling R6):
 * tensors have variables, by name or by ordinal, of the right kind, type and size; counts and aliases agree.
 */
#include "neff/metaneff.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "neff/metaneff.pb-c.h"
#include "regs.h"
#include "util/bytes.h"

#define TYPE_USER   METANEFF__META_TENSOR__TYPE__USER_INPUT
#define TYPE_STATE  METANEFF__META_TENSOR__TYPE__INPUT_STATE
#define TYPE_WEIGHT METANEFF__META_TENSOR__TYPE__INPUT_WEIGHT
#define TYPE_NONE   METANEFF__META_TENSOR__TYPE__UNDEFINED_TYPE

struct kinds { /* the variables by kind, each kind in ascending var_id */
    size_t start[VARK_REMOTE + 2];
    long *order;
};

struct checker {
    const struct metaneff *m;
    const struct program *p;
    struct kinds kinds;
    struct findings *f;
    struct nerr *err;
    int rc; /* NERR_MEM once memory ran out; then nothing more is added */
};

static void report(struct checker *c, enum finding_level level, const char *place, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
static void report(struct checker *c, enum finding_level level, const char *place, const char *fmt, ...)
{
    struct nerr e;
    va_list ap;
    if (c->rc || findings_stop(c->f))
        return;
    va_start(ap, fmt);
    nerr_vset(&e, level == FINDING_INPUT ? NERR_INPUT : NERR_RULE, "", fmt, ap);
    va_end(ap);
    c->rc = findings_add_at(c->f, level, 0, c->m->where, place, &e, c->err);
}

struct place { /* of a tensor or of one of its fields */
    char text[64];
};

static struct place place_of(bool output, size_t i, const char *field)
{
    struct place p;
    snprintf(p.text, sizeof p.text, "%s[%zu]%s%s", output ? "output_tensors" : "input_tensors", i,
             field ? "." : "", field ? field : "");
    return p;
}

/* The kind of variable that a tensor stands for; UNDEFINED_TYPE and unknown types count as user inputs. */
static int kind_of(const struct meta_tensor *t, bool output)
{
    if (output)
        return VARK_OUTPUT;
    return t->type == TYPE_STATE ? VARK_SB : t->type == TYPE_WEIGHT ? VARK_BUFFER : VARK_INPUT;
}

static bool kinds_init(struct kinds *k, const struct program *p)
{
    size_t next[VARK_REMOTE + 1];
    memset(k, 0, sizeof *k);
    k->order = calloc(p->nvars + 1, sizeof *k->order);
    if (!k->order)
        return false;
    for (size_t i = 0; i < p->nvars; i++)
        k->start[p->vars[i].kind + 1]++;
    for (size_t kind = 0; kind <= VARK_REMOTE; kind++) {
        next[kind] = k->start[kind];
        k->start[kind + 1] += k->start[kind];
    }
    for (size_t i = 0; i < p->nvars; i++)
        k->order[next[p->vars[i].kind]++] = (long)i;
    return true;
}

static size_t count_vars(const struct kinds *k, int kind)
{
    return k->start[kind + 1] - k->start[kind];
}

/* Ordinal n of a kind (R6), or -1. */
static long nth_var(const struct kinds *k, int kind, size_t n)
{
    return n < count_vars(k, kind) ? k->order[k->start[kind] + n] : -1;
}

static size_t count_tensors(const struct metaneff *m, int32_t type)
{
    size_t n = 0;
    for (size_t i = 0; i < m->ninputs; i++)
        n += m->inputs[i].type == type;
    return n;
}

static long var_by_name(const struct program *p, const struct meta_tensor *t)
{
    return strlen(t->name.text) == t->name.len ? program_find_var(p, t->name.text) : -1;
}

/* The two ways to the variable of a tensor; -1 where a way leads to none. */
static void ways(const struct program *p, const struct kinds *k, const struct meta_tensor *t, int kind,
                 size_t ordinal, size_t ntensors, long *by_name, long *by_ordinal)
{
    bool ordered = kind == VARK_INPUT || kind == VARK_OUTPUT || count_vars(k, kind) == ntensors;
    *by_name = var_by_name(p, t);
    if (*by_name >= 0 && p->vars[*by_name].kind != kind)
        *by_name = -1;
    *by_ordinal = ordered ? nth_var(k, kind, ordinal) : -1;
}

struct tally { /* of the tensors of one list, by kind of variable */
    size_t seen[VARK_REMOTE + 1], all[VARK_REMOTE + 1];
};

static void tally_start(struct tally *y, const struct meta_tensor *list, size_t n, bool output)
{
    memset(y, 0, sizeof *y);
    for (size_t i = 0; i < n; i++)
        y->all[kind_of(&list[i], output)]++;
}

static long *bind_list(const struct program *p, const struct kinds *k, const struct meta_tensor *list,
                       size_t n, bool output)
{
    long *bound = calloc(n + 1, sizeof *bound);
    struct tally y;
    tally_start(&y, list, n, output);
    for (size_t i = 0; bound && i < n; i++) {
        int kind = kind_of(&list[i], output);
        long by_name, by_ordinal;
        ways(p, k, &list[i], kind, y.seen[kind]++, y.all[kind], &by_name, &by_ordinal);
        bound[i] = by_name >= 0 ? by_name : by_ordinal;
    }
    return bound;
}

int metaneff_bind(const struct metaneff *m, const struct program *p, long **inputs, long **outputs,
                  struct nerr *err)
{
    struct kinds k;
    bool ok = kinds_init(&k, p);
    *inputs = ok ? bind_list(p, &k, m->inputs, m->ninputs, false) : NULL;
    *outputs = *inputs ? bind_list(p, &k, m->outputs, m->noutputs, true) : NULL;
    free(k.order);
    if (*outputs)
        return 0;
    free(*inputs);
    return nerr_set(err, NERR_MEM, m->where, "out of memory");
}

/* ---- one tensor ---- */

static void check_name(struct checker *c, const struct meta_tensor *t, bool output, size_t i)
{
    char want[40];
    snprintf(want, sizeof want, "%s%zu", output ? "output" : "input", i);
    if (t->name.len != strlen(want) || memcmp(t->name.text, want, t->name.len) != 0)
        report(c, FINDING_RULE, place_of(output, i, "name").text,
               "found \"%.60s\"; the tensor at this place must be called %s", t->name.text, want);
}

static void check_type(struct checker *c, const struct meta_tensor *t, bool output, size_t i)
{
    struct place at = place_of(output, i, "type");
    if (!output && t->type == TYPE_NONE)
        report(c, FINDING_WARNING, at.text, "UNDEFINED_TYPE is taken as USER_INPUT");
    else if (!metaneff_type_name(t->type))
        report(c, FINDING_WARNING, at.text, "the type %" PRId32 " is unknown%s", t->type,
               output ? "" : ", taken as USER_INPUT");
    else if (output && t->type != TYPE_NONE)
        report(c, FINDING_WARNING, at.text, "found %s on an output, which is always bound as an output",
               metaneff_type_name(t->type));
    if (!output && t->type == TYPE_STATE && !t->has_checkpoint_key)
        report(c, FINDING_WARNING, place_of(output, i, "checkpoint_key").text,
               "the state has no checkpoint_key");
}

/* The variable of a tensor, said where name and place contradict each other; -1 when there is none. */
static long check_binding(struct checker *c, const struct meta_tensor *t, bool output, size_t i,
                          size_t ordinal, size_t ntensors)
{
    const struct program *p = c->p;
    int kind = kind_of(t, output);
    const char *word = program_var_kind_name(kind);
    struct place at = place_of(output, i, NULL);
    long named = var_by_name(p, t), by_name, by_ordinal;
    ways(p, &c->kinds, t, kind, ordinal, ntensors, &by_name, &by_ordinal);
    if (named >= 0 && by_name < 0)
        report(c, FINDING_RULE, at.text,
               "has the name of variable %s (var id %" PRIu32
               "), which is of type %s; the tensor needs one of type %s",
               p->vars[named].name, p->vars[named].var_id, program_var_kind_name(p->vars[named].kind), word);
    if (by_name >= 0 && by_ordinal >= 0 && by_name != by_ordinal &&
        (kind == VARK_INPUT || kind == VARK_OUTPUT))
        report(c, FINDING_RULE, at.text,
               "has the name of variable %s (var id %" PRIu32 ") and the place of %s (var id %" PRIu32
               "), which is number %zu of type %s",
               p->vars[by_name].name, p->vars[by_name].var_id, p->vars[by_ordinal].name,
               p->vars[by_ordinal].var_id, ordinal, word);
    if (by_name < 0 && by_ordinal < 0)
        report(c, FINDING_RULE, at.text,
               "there is no variable for it: %zu tensors for %zu variables of type %s, none is called %.60s",
               ntensors, count_vars(&c->kinds, kind), word, t->name.text);
    if (by_name < 0 && by_ordinal >= 0)
        report(c, FINDING_NOTE, at.text,
               "bound to variable %s (var id %" PRIu32 ") by its place among those of type %s, not by name",
               p->vars[by_ordinal].name, p->vars[by_ordinal].var_id, word);
    return by_name >= 0 ? by_name : by_ordinal;
}

/* Words of def.json and neff.json for each DataType; a type without words is judged by its size only. */
static const char *const dtype_words[][3] = {
    [METANEFF__META_TENSOR__DATA_TYPE__FLOAT] = { "float32", "float32r" },
    [METANEFF__META_TENSOR__DATA_TYPE__INT32] = { "int32" },
    [METANEFF__META_TENSOR__DATA_TYPE__BYTE] = { "uint8", "int8" },
    [METANEFF__META_TENSOR__DATA_TYPE__BOOL] = { "uint8", "int8" },
    [METANEFF__META_TENSOR__DATA_TYPE__UINT8] = { "uint8" },
    [METANEFF__META_TENSOR__DATA_TYPE__INT8] = { "int8" },
    [METANEFF__META_TENSOR__DATA_TYPE__UINT16] = { "uint16" },
    [METANEFF__META_TENSOR__DATA_TYPE__INT16] = { "int16" },
    [METANEFF__META_TENSOR__DATA_TYPE__INT64] = { "int64" },
    [METANEFF__META_TENSOR__DATA_TYPE__FLOAT16] = { "float16" },
    [METANEFF__META_TENSOR__DATA_TYPE__BFLOAT16] = { "bfloat16" },
    [METANEFF__META_TENSOR__DATA_TYPE__F8E4M3FN] = { "float8_e4m3fn", "float8e4" },
    [METANEFF__META_TENSOR__DATA_TYPE__F8E5M2] = { "float8e5" },
};
#define NDTYPES ((int32_t)(sizeof dtype_words / sizeof dtype_words[0]))

/* The dtype text of a variable: its own, else that of the input or output in neff.json with its name. */
static const char *var_dtype(const struct program *p, const struct prog_var *v)
{
    if (v->dtype[0])
        return v->dtype;
    const struct prog_io *io = v->kind == VARK_OUTPUT ? p->outputs : p->inputs;
    size_t n = v->kind == VARK_OUTPUT ? p->noutputs : v->kind == VARK_INPUT ? p->ninputs : 0;
    for (size_t i = 0; i < n; i++)
        if (strcmp(io[i].name, v->name) == 0)
            return io[i].dtype;
    return "";
}

static void check_dtype(struct checker *c, const struct meta_tensor *t, bool output, size_t i,
                        const struct prog_var *v)
{
    struct place at = place_of(output, i, "data_type");
    const char *name = metaneff_dtype_name(t->data_type);
    if (!name) {
        report(c, FINDING_WARNING, at.text,
               "the data type %" PRId32 " is unknown; type and size are not judged", t->data_type);
        return;
    }
    if (t->data_type == METANEFF__META_TENSOR__DATA_TYPE__UNDEFINED)
        report(c, FINDING_RULE, at.text, "found UNDEFINED, expected the type of the elements");
    const char *text = v ? var_dtype(c->p, v) : "";
    if (!text[0] || t->data_type < 0 || t->data_type >= NDTYPES || !dtype_words[t->data_type][0])
        return;
    for (size_t k = 0; dtype_words[t->data_type][k]; k++)
        if (strcmp(dtype_words[t->data_type][k], text) == 0)
            return;
    report(c, FINDING_RULE, at.text, "found %s; variable %s (var id %" PRIu32 ") is %s", name, v->name,
           v->var_id, text);
}

static void check_shape(struct checker *c, const struct meta_tensor *t, bool output, size_t i,
                        const struct prog_var *v)
{
    struct place at = place_of(output, i, "shape");
    size_t first = t->allow_dynamic_batch_size && t->ndim ? 1 : 0; /* dimension 0 is replaced per call */
    unsigned element = metaneff_dtype_bytes(t->data_type);
    uint64_t bytes = element;
    if (t->allow_dynamic_batch_size && t->ndim == 0)
        report(c, FINDING_RULE, at.text, "Scalar tensor cannot have allow_dynamic_batch_size=True");
    for (size_t k = first; k < t->ndim; k++)
        if (t->shape[k] < 0) {
            report(c, FINDING_RULE, at.text, "dimension %zu is %" PRId64 ", expected 0 or more", k,
                   t->shape[k]);
            return;
        }
    for (size_t k = first; k < t->ndim; k++)
        if (element && !mul_u64(bytes, (uint64_t)t->shape[k], &bytes)) {
            report(c, FINDING_RULE, at.text, "the size of the tensor does not fit in 64 bits");
            return;
        }
    if (!element || !v || v->bad || v->kind == VARK_SB) /* a state-buffer variable has no size of its own */
        return;
    if (first && (bytes ? v->size % bytes != 0 : v->size != 0))
        report(c, FINDING_RULE, at.text,
               "one element of the batch has %" PRIu64 " bytes; variable %s (var id %" PRIu32 ") has %" PRIu64
               ", which is no multiple",
               bytes, v->name, v->var_id, v->size);
    else if (!first && bytes != v->size)
        report(c, FINDING_RULE, at.text,
               "shape and type give %" PRIu64 " bytes; variable %s (var id %" PRIu32 ") has %" PRIu64, bytes,
               v->name, v->var_id, v->size);
}

static void check_list(struct checker *c, const struct meta_tensor *list, size_t n, bool output)
{
    struct tally y;
    tally_start(&y, list, n, output);
    for (size_t i = 0; i < n && c->rc == 0 && !findings_stop(c->f); i++) {
        const struct meta_tensor *t = &list[i];
        int kind = kind_of(t, output);
        check_name(c, t, output, i);
        check_type(c, t, output, i);
        long var = check_binding(c, t, output, i, y.seen[kind]++, y.all[kind]);
        const struct prog_var *v = var >= 0 && !c->p->vars[var].bad ? &c->p->vars[var] : NULL;
        check_dtype(c, t, output, i, v);
        check_shape(c, t, output, i, v);
    }
    int kind = output ? VARK_OUTPUT : VARK_INPUT;
    for (size_t k = y.all[kind]; k < count_vars(&c->kinds, kind); k++) {
        long var = nth_var(&c->kinds, kind, k);
        report(c, FINDING_RULE, output ? "output_tensors" : "input_tensors",
               "there is no tensor for variable %s (var id %" PRIu32 "), number %zu of type %s",
               c->p->vars[var].name, c->p->vars[var].var_id, k, program_var_kind_name(kind));
    }
}

/* ---- what is about several tensors ---- */

static void check_counts(struct checker *c)
{
    const struct {
        const char *key;
        int64_t found;
        int32_t type;
    } counts[] = {
        { "num_user_inputs", c->m->num_user_inputs, TYPE_USER },
        { "num_states", c->m->num_states, TYPE_STATE },
        { "num_weights", c->m->num_weights, TYPE_WEIGHT },
    };
    bool any = c->m->num_user_inputs || c->m->num_states || c->m->num_weights;
    if (!any && c->m->ninputs) { /* proto3: absent and 0 look the same; older writers had no counts */
        report(c, FINDING_WARNING, "num_user_inputs",
               "the numbers of user inputs, states and weights are absent");
        return;
    }
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        size_t n = count_tensors(c->m, counts[i].type);
        if ((uint64_t)counts[i].found != n) /* a negative number is none */
            report(c, FINDING_RULE, counts[i].key, "found %" PRId64 "; input_tensors has %zu of type %s",
                   counts[i].found, n, metaneff_type_name(counts[i].type));
    }
}

/* One entry whose output is in range. */
static void check_alias(struct checker *c, const struct meta_alias *a, const char *at)
{
    uint64_t to, from;
    if (a->input < 0 || (uint64_t)a->input >= c->m->ninputs)
        report(c, FINDING_RULE, at, "there is no input %" PRId64 ", input_tensors has %zu", a->input,
               c->m->ninputs);
    else if (metaneff_tensor_bytes(&c->m->outputs[a->output], &to) &&
             metaneff_tensor_bytes(&c->m->inputs[a->input], &from) && to != from)
        report(c, FINDING_RULE, at,
               "output %" PRId64 " has %" PRIu64 " bytes and reuses the buffer of input %" PRId64
               ", which has %" PRIu64,
               a->output, to, a->input, from);
}

static void check_aliases(struct checker *c)
{
    bool *seen = calloc(c->m->noutputs + 1, sizeof *seen);
    if (!seen)
        c->rc = nerr_set(c->err, NERR_MEM, c->m->where, "out of memory");
    for (size_t i = 0; seen && i < c->m->naliases && c->rc == 0; i++) {
        const struct meta_alias *a = &c->m->aliases[i];
        char at[64];
        snprintf(at, sizeof at, "output_aliases_to[%" PRId64 "]", a->output);
        if (a->output < 0 || (uint64_t)a->output >= c->m->noutputs) {
            report(c, FINDING_RULE, at, "there is no output %" PRId64 ", output_tensors has %zu", a->output,
                   c->m->noutputs);
            continue;
        }
        if (seen[a->output])
            report(c, FINDING_WARNING, at, "the output has a second entry; the last one counts");
        seen[a->output] = true;
        check_alias(c, a, at);
    }
    free(seen);
}

int metaneff_check(const struct metaneff *m, const struct program *p, struct findings *f, struct nerr *err)
{
    struct checker c = { .m = m, .p = p, .f = f, .err = err };
    if (!kinds_init(&c.kinds, p))
        return nerr_set(err, NERR_MEM, m->where, "out of memory");
    check_list(&c, m->inputs, m->ninputs, false);
    check_list(&c, m->outputs, m->noutputs, true);
    check_counts(&c);
    check_aliases(&c);
    if (m->unknown_fields)
        report(&c, FINDING_NOTE, "", "%zu unknown fields were skipped", m->unknown_fields);
    free(c.kinds.order);
    return c.rc;
}
