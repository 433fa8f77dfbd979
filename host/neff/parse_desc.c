/* One DMA descriptor object: operation, access patterns, operands, sizes and bounds (neff-container.md §14,
 * §12 address resolve). */
#include "neff/parse.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regs.h"
#include "util/bytes.h"

static int read_op(struct parse *p, const struct json *j, const json_value *v, int *op)
{
    static const char *const names[] = {
        [KDMAOP_COPY] = "copy", [KDMAOP_FMA] = "fma", [KDMAOP_ADD] = "add",
        [KDMAOP_MIN] = "min",   [KDMAOP_MAX] = "max", [KDMAOP_TRANSPOSE] = "transpose"
    };
    const char *name = names[KDMAOP_COPY];
    int rc = json_opt_string(j, v, "op", &name, p->err);
    for (*op = 0; rc == 0 && *op < (int)(sizeof names / sizeof names[0]); (*op)++)
        if (strcmp(name, names[*op]) == 0)
            return 0;
    return rc ? rc : json_error(j, v, "op", p->err, "Unknown dma operation: %s", name);
}

/* The keys of one side, "from" or "to". */
struct side {
    char off[16], sizes[16], steps[16], dtype[16];
    const char *name;
};

static struct side side_keys(const char *name)
{
    struct side k = { .name = name };
    snprintf(k.off, sizeof k.off, "%s_off", name);
    snprintf(k.sizes, sizeof k.sizes, "%s_sizes", name);
    snprintf(k.steps, sizeof k.steps, "%s_steps", name);
    snprintf(k.dtype, sizeof k.dtype, "%s_dtype", name);
    return k;
}

static int read_dims(struct parse *p, const struct json *j, const json_value *v, const struct side *k,
                     struct prog_pattern *a)
{
    const json_value *sizes, *steps;
    int rc = json_need_array(j, v, k->sizes, &sizes, p->err);
    if (rc == 0)
        rc = json_need_array(j, v, k->steps, &steps, p->err);
    if (rc)
        return rc;
    a->ndim = json_count(sizes);
    if (a->ndim == 0 || a->ndim > PROG_MAX_DIMS)
        return json_error(j, sizes, NULL, p->err, "has %zu dimensions, expected 1 to %d", a->ndim,
                          PROG_MAX_DIMS);
    if (json_count(steps) != a->ndim)
        return json_error(j, steps, NULL, p->err, "has %zu entries, %s has %zu", json_count(steps), k->sizes,
                          a->ndim);
    const json_value *s = json_child(sizes), *t = json_child(steps);
    for (size_t i = 0; rc == 0 && i < a->ndim; i++, s = json_next(s), t = json_next(t)) {
        rc = json_as_u64(j, s, 0, UINT64_MAX, &a->sizes[i], p->err);
        if (rc == 0 && a->sizes[i] == 0)
            rc = json_error(j, s, NULL, p->err, "Size cannot be 0");
        if (rc == 0)
            rc = json_as_i64(j, t, INT64_MIN, INT64_MAX, &a->steps[i], p->err);
    }
    return rc;
}

/* Early producers give a flat byte count, `size`, for both sides. */
static int read_flat(struct parse *p, const struct json *j, const json_value *v, const json_value *outer,
                     struct prog_pattern *a)
{
    const json_value *holder = json_get(v, "size") ? v : outer;
    a->ndim = 1;
    a->steps[0] = 1;
    int rc = json_need_u64(j, holder, "size", 0, UINT64_MAX, &a->sizes[0], p->err);
    if (rc == 0 && a->sizes[0] == 0)
        rc = json_error(j, holder, "size", p->err, "Size cannot be 0");
    return rc;
}

/* What reading one side of a descriptor needs to know and gives. */
struct reader {
    struct parse *p;
    const struct json *j;
    struct prog_desc *d;
    uint64_t elements; /* of the side read last */
    unsigned bytes;    /* of one of its elements, 0 when its dtype is not known */
    bool judged;       /* its variable is known and sound */
};

/* Bytes a variable has for access patterns; false: not known, no bound. */
static bool var_bytes(const struct prog_var *var, uint64_t *size)
{
    *size = var->kind == VARK_SB ? SBUF_BYTES : var->size;
    return *size != 0 || var->kind == VARK_BUFFER;
}

/* Every byte of the pattern must lie inside its variable; steps may be negative. */
static int check_bounds(const struct reader *r, const json_value *v, const struct prog_pattern *a)
{
    struct nerr *err = r->p->err;
    const struct prog_var *var = &r->p->prog->vars[a->var];
    /* reach of the pattern around its offset, last byte included */
    uint64_t below = 0, above = r->bytes, size, end = 0;
    bool fits = true;
    for (size_t i = 0; i < a->ndim; i++) {
        uint64_t step = a->steps[i] < 0 ? 0 - (uint64_t)a->steps[i] : (uint64_t)a->steps[i], reach;
        fits = fits && mul_u64(a->sizes[i] - 1, step, &reach);
        if (fits)
            fits = a->steps[i] < 0 ? add_u64(below, reach, &below) : add_u64(above, reach, &above);
    }
    fits = fits && add_u64(a->offset, above, &end);
    if (var->kind == VARK_PTR && a->offset)
        return json_error(r->j, v, NULL, err, "the pointer variable %s only allows offset 0, found %" PRIu64,
                          var->name, a->offset);
    if (fits && below > a->offset)
        return json_error(r->j, v, NULL, err,
                          "invalid offset in %s, the pattern reaches %" PRIu64 " bytes below the variable",
                          var->name, below - a->offset);
    if (!var_bytes(var, &size) || (fits && end <= size))
        return 0;
    return json_error(r->j, v, NULL, err, "invalid offset in %s, %" PRIu64 " < (%" PRIu64 " + %" PRIu64 ")",
                      var->name, size, a->offset, fits ? above : UINT64_MAX);
}

/* The variable of a side. A table that was not read whole judges no names. */
static int find_variable(struct reader *r, const json_value *v, const char *name, struct prog_pattern *a)
{
    const char *var = NULL;
    int rc = json_need_string(r->j, v, name, &var, r->p->err);
    if (rc)
        return rc;
    long index = program_find_var(r->p->prog, var);
    r->judged = index >= 0 && !r->p->prog->vars[index].bad;
    a->var = index < 0 ? 0 : (size_t)index;
    if (index < 0 && !r->p->prog->gaps.vars)
        return json_error(r->j, v, name, r->p->err, "there is no variable \"%.60s\"", var);
    r->d->bad = r->d->bad || !r->judged;
    return 0;
}

/* Element type of a side; a word outside the vocabulary leaves its size unknown. */
static int read_dtype(struct reader *r, const json_value *v, const char *key, struct prog_pattern *a)
{
    const char *dtype = NULL;
    bool compute = r->d->op != KDMAOP_COPY && r->d->op != KDMAOP_TRANSPOSE;
    int rc = json_opt_string(r->j, v, key, &dtype, r->p->err);
    r->bytes = 1;
    if (rc)
        return rc;
    if (!dtype)
        return compute ? json_error(r->j, v, key, r->p->err, "Invalid cce desc ap without dtype") : 0;
    r->d->typed = true;
    if (parse_dtype(dtype, &a->dtype, &r->bytes))
        return 0;
    r->bytes = 0;
    return parse_warn(r->p, r->j, v, key, "the dtype \"%.40s\" is not known, so sizes are not judged", dtype);
}

/* One access pattern. v holds the keys, outer the descriptor (the same object unless v is an element of
 * from_arr). */
static int read_side(struct reader *r, const json_value *v, const json_value *outer, const char *name,
                     struct prog_pattern *a)
{
    struct parse *p = r->p;
    const struct side k = side_keys(name);
    a->scale = 1;
    int rc = find_variable(r, v, name, a);
    if (rc == 0)
        rc = json_opt_u64(r->j, v, k.off, 0, UINT64_MAX, &a->offset, p->err);
    if (rc == 0)
        rc = read_dtype(r, v, k.dtype, a);
    if (rc == 0)
        rc = json_get(v, k.sizes) || json_get(v, k.steps) ? read_dims(p, r->j, v, &k, a)
                                                          : read_flat(p, r->j, v, outer, a);
    if (rc)
        return rc;
    r->elements = 1;
    for (size_t i = 0; i < a->ndim; i++)
        if (!mul_u64(r->elements, a->sizes[i], &r->elements))
            return json_error(r->j, v, k.sizes, p->err, "the product of the sizes does not fit 64 bits");
    return r->bytes && r->judged ? check_bounds(r, v, a) : 0;
}

/* Untyped sides agree in bytes, typed ones in elements (a cast changes their width) or, when only one has a
 * type, in bytes. */
static int check_total(const struct reader *r, const json_value *v, uint64_t from, uint64_t to)
{
    const char *unit = r->d->typed ? "elements" : "bytes";
    uint64_t bytes = 0;
    if (from == to || (r->bytes && mul_u64(from, r->bytes, &bytes) && bytes == r->d->bytes))
        return 0;
    return json_error(r->j, v, NULL, r->p->err, "the from side has %" PRIu64 " %s, the to side %" PRIu64,
                      from, unit, to);
}

/* from_arr: several sources, each as large as the destination. */
static int read_sources(struct reader *r, const json_value *v, const json_value *sources, uint64_t to)
{
    struct prog_desc *d = r->d;
    size_t n = json_count(sources);
    if (n == 0 || n > DESC_SOURCES_MAX)
        return json_error(r->j, sources, NULL, r->p->err, "has %zu sources, expected 1 to %u", n,
                          DESC_SOURCES_MAX);
    d->more = n > 1 ? calloc(n - 1, sizeof *d->more) : NULL;
    if (n > 1 && !d->more)
        return parse_memory(r->p);
    int rc = 0;
    for (const json_value *s = json_child(sources); rc == 0 && s; s = json_next(s)) {
        struct prog_pattern *a = d->nsources ? &d->more[d->nsources - 1] : &d->from;
        rc = read_side(r, s, v, "from", a);
        if (rc == 0)
            rc = check_total(r, s, r->elements, to);
        if (rc == 0)
            rc = json_opt_double(r->j, s, "scale", &a->scale, r->p->err);
        d->nsources++;
    }
    return rc;
}

/* scale of fma: one number for all sources, or a list with one per source. */
static int read_scale(struct reader *r, const json_value *v)
{
    const json_value *scale = json_get(v, "scale");
    const char *dtype = "float32";
    int rc = json_opt_string(r->j, v, "scale_dtype", &dtype, r->p->err);
    if (rc == 0 && strcmp(dtype, "float32") != 0)
        rc = json_error(r->j, v, "scale_dtype", r->p->err, "found \"%.40s\", expected \"float32\"", dtype);
    if (rc || !scale || json_is_array(scale))
        return rc;
    double value = 1;
    rc = json_opt_double(r->j, v, "scale", &value, r->p->err);
    r->d->from.scale = value;
    for (size_t i = 1; i < r->d->nsources; i++)
        r->d->more[i - 1].scale = value;
    return rc;
}

static int read_scales(struct reader *r, const json_value *v)
{
    const json_value *list = json_get(v, "scale");
    if (!json_is_array(list))
        return 0;
    if (json_count(list) != r->d->nsources)
        return json_error(r->j, list, NULL, r->p->err, "has %zu numbers, there are %zu sources",
                          json_count(list), r->d->nsources);
    size_t i = 0;
    for (const json_value *s = json_child(list); s; s = json_next(s), i++)
        if (json_as_double(r->j, s, i ? &r->d->more[i - 1].scale : &r->d->from.scale, r->p->err))
            return r->p->err->code;
    return 0;
}

/* cast may be any flag: true, 1, or a word. */
static bool flag_set(const struct json *j, const json_value *v, const char *key)
{
    bool flag = true;
    uint64_t number = 1;
    struct nerr ignored;
    if (!json_get(v, key))
        return false;
    if (json_opt_bool(j, v, key, &flag, &ignored) &&
        json_opt_u64(j, v, key, 0, UINT64_MAX, &number, &ignored))
        return true;
    return flag && number;
}

/* Operands besides the access patterns. */
static int read_operands(struct reader *r, const json_value *v)
{
    struct prog_desc *d = r->d;
    struct nerr *err = r->p->err;
    const json_value *shape = NULL;
    const char *dtype = NULL;
    uint64_t n;
    int rc = read_scale(r, v);
    if (rc == 0)
        rc = read_scales(r, v);
    if (rc == 0)
        rc = json_opt_double(r->j, v, "constant", &d->constant, err);
    d->has_constant = json_get(v, "constant") != NULL;
    if (rc == 0)
        rc = json_opt_string(r->j, v, "constant_dtype", &dtype, err);
    if (rc == 0)
        rc = json_opt_u64(r->j, v, "transpose_element_size", 1, UINT32_MAX, &d->element_bytes, err);
    if (rc == 0)
        rc = json_opt_u64(r->j, v, "num_tiling_dimensions", 0, UINT32_MAX, &d->tiling_dims, err);
    if (rc == 0)
        rc = json_opt_array(r->j, v, "transpose_shape", &shape, err);
    for (const json_value *s = rc ? NULL : json_child(shape); rc == 0 && s; s = json_next(s))
        rc = json_as_u64(r->j, s, 0, UINT64_MAX, &n, err);
    return rc;
}

int parse_desc(struct parse *p, const struct json *j, const json_value *v, struct prog_desc *d)
{
    struct reader r = { .p = p, .j = j, .d = d };
    const json_value *sources = NULL;
    int rc = json_as_object(j, v, p->err);
    if (rc == 0)
        rc = read_op(p, j, v, &d->op);
    if (rc)
        return rc;
    d->cast = flag_set(j, v, "cast");
    d->typed = json_get(v, "cast") != NULL;
    rc = read_side(&r, v, v, "to", &d->to);
    uint64_t to = r.elements;
    if (rc == 0 && r.bytes && !mul_u64(to, r.bytes, &d->bytes))
        rc = json_error(j, v, "to_sizes", p->err, "the number of bytes does not fit 64 bits");
    if (rc == 0)
        rc = json_opt_array(j, v, "from_arr", &sources, p->err);
    if (rc)
        return rc;
    if (sources)
        rc = read_sources(&r, v, sources, to);
    else {
        d->nsources = 1;
        rc = read_side(&r, v, v, "from", &d->from);
        if (rc == 0)
            rc = check_total(&r, v, r.elements, to);
    }
    return rc ? rc : read_operands(&r, v);
}
