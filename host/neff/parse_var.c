/* The var table and the weights behind it (neff-container.md §12, §18). */
#include "neff/parse.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "neff/container.h"
#include "regs.h"
#include "util/npy.h"
#include "util/strbuf.h"

_Static_assert(PROG_MAX_DIMS == VAR_DIMS_MAX, "dimensions of a variable");

struct entry { /* one member of `var`, until ids are known to be dense */
    const json_value *json;
    uint32_t id;
    size_t order;
};

static const struct {
    const char *name;
    int kind;
} kinds[] = {
    { "state-buffer", VARK_SB },     { "file", VARK_BUFFER },     { "buffer", VARK_BUFFER },
    { "tmp-buf", VARK_TMP_BUF },     { "input", VARK_INPUT },     { "output", VARK_OUTPUT },
    { "pointer", VARK_PTR },         { "virtual", VARK_VIRTUAL }, { "list", VARK_LIST },
    { "dge-table", VARK_PTR_TABLE }, { "remote", VARK_REMOTE },
};

const char *program_var_kind_name(int kind)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].kind == kind)
            return kinds[i].name;
    return "?";
}

static int read_kind(struct parse *p, const struct json *j, const json_value *v, int *kind)
{
    const char *type;
    if (!json_get(v, "type"))
        return json_error(j, v, NULL, p->err, "Failed to parse, key: type");
    int rc = json_need_string(j, v, "type", &type, p->err);
    if (rc)
        return rc;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(type, kinds[i].name) == 0) {
            *kind = kinds[i].kind;
            return 0;
        }
    return json_error(j, v, "type", p->err, "Invalid var type %s", type);
}

/* Text of up to 15 characters, or one of the longer names of the vocabulary. */
static int read_dtype(struct parse *p, const struct json *j, const json_value *v, struct prog_var *var)
{
    static const char *const longer[] = { "float8_e4m3fn_x4", "float8_e5m2_x4", "float4_e2m1fn_x4" };
    const char *dtype = "";
    int rc = json_opt_string(j, v, "dtype", &dtype, p->err);
    if (rc)
        return rc;
    bool fits = strlen(dtype) <= VAR_DTYPE_MAX;
    for (size_t i = 0; i < sizeof longer / sizeof longer[0]; i++)
        fits = fits || strcmp(dtype, longer[i]) == 0;
    if (!fits)
        return json_error(j, v, "dtype", p->err, "the dtype \"%.40s\" has more than %u characters", dtype,
                          VAR_DTYPE_MAX);
    strcpy(var->dtype, dtype);
    return 0;
}

static int read_shape(struct parse *p, const struct json *j, const json_value *v, struct prog_var *var)
{
    const json_value *shape = NULL;
    int rc = json_opt_array(j, v, "shape", &shape, p->err);
    if (rc || !shape)
        return rc;
    if (json_count(shape) > PROG_MAX_DIMS)
        return json_error(j, shape, NULL, p->err, "has %zu dimensions, at most %d are allowed",
                          json_count(shape), PROG_MAX_DIMS);
    for (const json_value *d = json_child(shape); rc == 0 && d; d = json_next(d))
        rc = json_as_u64(j, d, 0, UINT64_MAX, &var->shape[var->ndim++], p->err);
    return rc;
}

static int read_alignment(struct parse *p, const struct json *j, const json_value *v, struct prog_var *var)
{
    uint64_t alignment = VAR_ALIGN_DEFAULT;
    int rc = json_opt_u64(j, v, "alignment", 0, UINT32_MAX, &alignment, p->err);
    if (rc == 0 && (alignment == 0 || (alignment & (alignment - 1)) != 0))
        rc = json_error(j, v, "alignment", p->err, "alignment provided not power of 2. alignment=%" PRIu64,
                        alignment);
    var->alignment = (uint32_t)alignment;
    return rc;
}

static bool ends_in(const char *s, const char *suffix)
{
    size_t n = strlen(s), m = strlen(suffix);
    return n >= m && strcmp(s + n - m, suffix) == 0;
}

/* Weight bytes of a file variable; its size is the payload's. */
static int read_payload(struct parse *p, const struct json *j, const json_value *v, struct prog_var *var)
{
    const char *name;
    uint64_t declared = 0;
    size_t size;
    int rc = json_need_string(j, v, "file_name", &name, p->err);
    if (rc == 0)
        rc = json_opt_u64(j, v, "size", 0, UINT64_MAX, &declared, p->err);
    if (rc)
        return rc;
    char *path = parse_member_path(p, name);
    var->file_name = text_copy(name);
    const struct neff_member *m = path ? neff_find(p->neff, path) : NULL;
    if (!path || !var->file_name)
        rc = parse_memory(p);
    else if (!m)
        rc = json_error(j, v, "file_name", p->err, "Failed to get neff weight content for %s", path);
    else if (ends_in(name, ".npy"))
        rc = npy_payload(m->data, m->size, path, &var->payload, &size, p->err);
    else {
        var->payload = m->data;
        size = m->size;
    }
    if (rc == 0) {
        var->size = size;
        if (json_get(v, "size") && declared != size)
            neff_warn(p->neff, path, "variable %s has size %" PRIu64 ", its file holds %zu bytes", var->name,
                      declared, size);
    }
    free(path);
    return rc;
}

static int read_virtual(struct parse *p, const struct json *j, const json_value *v, struct prog_var *var)
{
    static const struct {
        const char *name;
        int code;
    } areas[] = {
        { "local", BACKING_LOCAL },
        { "shared", BACKING_SHARED },
        { "sharded", BACKING_SHARDED },
        { "main", BACKING_MAIN },
    };
    const char *name = "local";
    int rc = json_opt_u64(j, v, "backing_variable_off", 0, UINT64_MAX, &var->backing_off, p->err);
    if (rc == 0)
        rc = json_opt_string(j, v, "backing_buf", &name, p->err);
    if (rc)
        return rc;
    for (size_t i = 0; i < sizeof areas / sizeof areas[0]; i++)
        if (strcmp(name, areas[i].name) == 0) {
            var->backing = areas[i].code;
            return 0;
        }
    return json_error(j, v, "backing_buf", p->err, "found \"%.40s\", expected local, shared, sharded or main",
                      name);
}

static int read_list(struct parse *p, const struct json *j, const json_value *v)
{
    const json_value *list;
    uint64_t id;
    if (!json_get(v, "list"))
        return json_error(j, v, NULL, p->err, "Failed to parse, key: list");
    int rc = json_need_array(j, v, "list", &list, p->err);
    for (const json_value *e = rc ? NULL : json_child(list); rc == 0 && e; e = json_next(e))
        rc = json_as_u64(j, e, 0, UINT32_MAX, &id, p->err);
    return rc;
}

static int read_pointer(struct parse *p, const struct json *j, const json_value *v, struct prog_var *var)
{
    uint64_t target;
    int rc = json_need_u64(j, v, "referenced_var_id", 0, UINT32_MAX, &target, p->err);
    if (rc == 0 && target >= p->prog->nvars)
        rc = json_error(j, v, "referenced_var_id", p->err, "found %" PRIu64 ", there are only %zu variables",
                        target, p->prog->nvars);
    if (rc == 0)
        var->referenced_id = (uint32_t)target;
    return rc;
}

static int read_var(struct parse *p, const struct json *j, const json_value *v, struct prog_var *var)
{
    var->name = text_copy(json_key(v));
    if (!var->name)
        return parse_memory(p);
    int rc = read_kind(p, j, v, &var->kind);
    if (rc == 0)
        rc = read_alignment(p, j, v, var);
    if (rc == 0)
        rc = read_dtype(p, j, v, var);
    if (rc == 0)
        rc = read_shape(p, j, v, var);
    if (rc)
        return rc;
    switch (var->kind) {
    case VARK_SB:
        return 0;
    case VARK_BUFFER:
        return read_payload(p, j, v, var);
    case VARK_PTR:
        rc = json_need_u64(j, v, "size", sizeof(uint64_t), sizeof(uint64_t), &var->size, p->err);
        return rc ? rc : read_pointer(p, j, v, var);
    case VARK_VIRTUAL:
        rc = read_virtual(p, j, v, var);
        break;
    case VARK_LIST:
        rc = read_list(p, j, v);
        return rc ? rc : json_opt_u64(j, v, "size", 0, UINT64_MAX, &var->size, p->err);
    case VARK_PTR_TABLE:
    case VARK_REMOTE: /* their keys are not known */
        return json_opt_u64(j, v, "size", 0, UINT64_MAX, &var->size, p->err);
    default:
        break;
    }
    return rc ? rc : json_need_u64(j, v, "size", 1, UINT64_MAX, &var->size, p->err);
}

static int by_id(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* Entries in ascending var_id; refuses ids that are not exactly 0..N-1. */
static int dense_entries(struct parse *p, const struct json *j, const json_value *table, struct entry *list,
                         size_t n)
{
    size_t i = 0;
    for (const json_value *v = json_child(table); v; v = json_next(v), i++) {
        uint64_t id = 0;
        int rc = json_as_object(j, v, p->err);
        if (rc == 0 && !json_get(v, "var_id"))
            rc = json_error(j, v, NULL, p->err, "missing <var_id>");
        if (rc == 0)
            rc = json_need_u64(j, v, "var_id", 0, UINT32_MAX, &id, p->err);
        if (rc)
            return rc;
        list[i] = (struct entry){ v, (uint32_t)id, i };
    }
    qsort(list, n, sizeof *list, by_id);
    for (i = 0; i < n; i++)
        if (list[i].id != i)
            return json_error(j, table, NULL, p->err, "Unexpected var_ids set! max=%" PRIu32 ", size=%zu",
                              list[n - 1].id, n);
    return 0;
}

/* A pointer may name a pointer; following them must end. */
static int check_pointer_loops(struct parse *p, const struct json *j, const json_value *table)
{
    const struct program *prog = p->prog;
    for (size_t i = 0; i < prog->nvars; i++) {
        const struct prog_var *v = &prog->vars[i];
        size_t steps = 0;
        while (v->kind == VARK_PTR && steps++ <= prog->nvars)
            v = &prog->vars[v->referenced_id];
        if (v->kind == VARK_PTR)
            return json_error(j, json_get(table, prog->vars[i].name), "referenced_var_id", p->err,
                              "the pointers that start here form a loop");
    }
    return 0;
}

static int by_name(const void *a, const void *b)
{
    const struct prog_name *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static int index_names(struct parse *p)
{
    struct program *prog = p->prog;
    prog->var_names = calloc(prog->nvars + 1, sizeof *prog->var_names);
    if (!prog->var_names)
        return parse_memory(p);
    for (size_t i = 0; i < prog->nvars; i++)
        prog->var_names[i] = (struct prog_name){ prog->vars[i].name, i };
    qsort(prog->var_names, prog->nvars, sizeof *prog->var_names, by_name);
    return 0;
}

int parse_vars(struct parse *p, const struct json *def)
{
    const json_value *table;
    int rc = json_need_object(def, json_root(def), "var", &table, p->err);
    if (rc)
        return rc;
    size_t n = json_count(table), outputs = 0;
    struct entry *list = calloc(n + 1, sizeof *list);
    p->prog->vars = calloc(n + 1, sizeof *p->prog->vars);
    rc = list && p->prog->vars ? dense_entries(p, def, table, list, n) : parse_memory(p);
    if (rc == 0)
        p->prog->nvars = n;
    for (size_t i = 0; rc == 0 && i < n; i++) {
        p->prog->vars[i].var_id = (uint32_t)i;
        rc = read_var(p, def, list[i].json, &p->prog->vars[i]);
        outputs += p->prog->vars[i].kind == VARK_OUTPUT;
    }
    if (rc == 0 && outputs == 0)
        rc = json_error(def, table, NULL, p->err, "the graph has no Outputs");
    if (rc == 0)
        rc = check_pointer_loops(p, def, table);
    if (rc == 0)
        rc = index_names(p);
    free(list);
    return rc;
}
