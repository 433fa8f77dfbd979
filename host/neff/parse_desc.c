/* One DMA descriptor object: operation, access patterns, sizes and bounds (neff-container.md §14, §12 address
 * resolve). */
#include "neff/parse.h"

#include <inttypes.h>
#include <stdio.h>
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

/* Bytes a variable has for access patterns; false: not known, no bound. */
static bool var_bytes(const struct prog_var *var, uint64_t *size)
{
    *size = var->kind == VARK_SB ? SBUF_BYTES : var->size;
    return *size != 0 || var->kind == VARK_BUFFER;
}

/* Every byte of the pattern must lie inside its variable; steps may be negative. */
static int check_bounds(struct parse *p, const struct json *j, const json_value *v,
                        const struct prog_pattern *a)
{
    const struct prog_var *var = &p->prog->vars[a->var];
    uint64_t below = 0, above = 1, size,
             end = 0; /* reach of the pattern around its offset, last byte included */
    bool fits = true;
    for (size_t i = 0; i < a->ndim; i++) {
        uint64_t step = a->steps[i] < 0 ? 0 - (uint64_t)a->steps[i] : (uint64_t)a->steps[i], reach;
        fits = fits && mul_u64(a->sizes[i] - 1, step, &reach);
        if (fits)
            fits = a->steps[i] < 0 ? add_u64(below, reach, &below) : add_u64(above, reach, &above);
    }
    fits = fits && add_u64(a->offset, above, &end);
    if (var->kind == VARK_PTR && a->offset)
        return json_error(j, v, NULL, p->err, "the pointer variable %s only allows offset 0, found %" PRIu64,
                          var->name, a->offset);
    if (fits && below > a->offset)
        return json_error(j, v, NULL, p->err,
                          "invalid offset in %s, the pattern reaches %" PRIu64 " bytes below the variable",
                          var->name, below - a->offset);
    if (!var_bytes(var, &size) || (fits && end <= size))
        return 0;
    return json_error(j, v, NULL, p->err, "invalid offset in %s, %" PRIu64 " < (%" PRIu64 " + %" PRIu64 ")",
                      var->name, size, a->offset, fits ? above : UINT64_MAX);
}

/* One access pattern. v holds the keys, outer the descriptor (the same object unless v is an element of
 * from_arr). */
static int read_side(struct parse *p, const struct json *j, const json_value *v, const json_value *outer,
                     const char *name, struct prog_desc *d, struct prog_pattern *a, uint64_t *total)
{
    const struct side k = side_keys(name);
    const char *var = NULL, *dtype = NULL;
    int rc = json_need_string(j, v, name, &var, p->err);
    if (rc)
        return rc;
    long index = program_find_var(p->prog, var);
    if (index < 0)
        return json_error(j, v, name, p->err, "there is no variable \"%.60s\"", var);
    a->var = (size_t)index;
    rc = json_opt_u64(j, v, k.off, 0, UINT64_MAX, &a->offset, p->err);
    if (rc == 0)
        rc = json_opt_string(j, v, k.dtype, &dtype, p->err);
    if (rc == 0)
        rc = json_get(v, k.sizes) || json_get(v, k.steps) ? read_dims(p, j, v, &k, a)
                                                          : read_flat(p, j, v, outer, a);
    if (rc)
        return rc;
    bool compute = d->op != KDMAOP_COPY && d->op != KDMAOP_TRANSPOSE;
    if (compute && !dtype)
        return json_error(j, v, k.dtype, p->err, "Invalid cce desc ap without dtype");
    d->typed = d->typed || dtype;
    *total = 1;
    for (size_t i = 0; i < a->ndim; i++)
        if (!mul_u64(*total, a->sizes[i], total))
            return json_error(j, v, k.sizes, p->err, "the product of the sizes does not fit 64 bits");
    return dtype ? 0 : check_bounds(p, j, v, a);
}

static int check_total(struct parse *p, const struct json *j, const json_value *v, uint64_t from, uint64_t to)
{
    if (from == to)
        return 0;
    return json_error(j, v, NULL, p->err, "the from side has %" PRIu64 " bytes, the to side %" PRIu64, from,
                      to);
}

/* from_arr: several sources, each as large as the destination. */
static int read_sources(struct parse *p, const struct json *j, const json_value *v, const json_value *sources,
                        struct prog_desc *d, uint64_t to)
{
    size_t n = json_count(sources);
    if (n == 0 || n > DESC_SOURCES_MAX)
        return json_error(j, sources, NULL, p->err, "has %zu sources, expected 1 to %u", n, DESC_SOURCES_MAX);
    int rc = 0;
    for (const json_value *s = json_child(sources); rc == 0 && s; s = json_next(s)) {
        struct prog_pattern other = { 0 };
        uint64_t from = 0;
        rc = read_side(p, j, s, v, "from", d, d->nsources ? &other : &d->from, &from);
        if (rc == 0)
            rc = check_total(p, j, s, from, to);
        d->nsources++;
    }
    return rc;
}

int parse_desc(struct parse *p, const struct json *j, const json_value *v, struct prog_desc *d)
{
    const json_value *sources = NULL;
    const char *scale_dtype = "float32";
    uint64_t from = 0, to = 0;
    int rc = json_as_object(j, v, p->err);
    if (rc == 0)
        rc = read_op(p, j, v, &d->op);
    if (rc == 0)
        rc = json_opt_string(j, v, "scale_dtype", &scale_dtype, p->err);
    if (rc == 0 && strcmp(scale_dtype, "float32") != 0)
        rc = json_error(j, v, "scale_dtype", p->err, "found \"%.40s\", expected \"float32\"", scale_dtype);
    if (rc == 0)
        rc = read_side(p, j, v, v, "to", d, &d->to, &to);
    if (rc == 0)
        rc = json_opt_array(j, v, "from_arr", &sources, p->err);
    if (rc)
        return rc;
    if (json_get(v, "cast"))
        d->typed = true;
    if (sources)
        return read_sources(p, j, v, sources, d, to);
    d->nsources = 1;
    rc = read_side(p, j, v, v, "from", d, &d->from, &from);
    return rc ? rc : check_total(p, j, v, from, to);
}
