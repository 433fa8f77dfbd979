/* One variable of the var table and the weights behind it (neff-container.md §12, §18). */
#include "neff/parse.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "regs.h"
#include "util/npy.h"
#include "util/strbuf.h"

_Static_assert(PROG_MAX_DIMS == VAR_DIMS_MAX, "dimensions of a variable");

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
    else if (ends_in(name, ".npy")) {
        rc = npy_payload(m->data, m->size, path, &var->payload, &size, p->err);
        if (rc && p->sink) /* the problem belongs to that member, not to def.json */
            rc = parse_problem(p, path, TIER_SECTION, rc, &var->bad);
        if (var->bad)
            goto out;
    } else {
        var->payload = m->data;
        size = m->size;
    }
    if (rc)
        goto out;
    var->size = size;
    if (json_get(v, "size") && declared != size)
        rc = parse_warn_member(p, path, "variable %s has size %" PRIu64 ", its file holds %zu bytes",
                               var->name, declared, size);
out:
    free(path);
    return rc;
}

/* Behind its size. */
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
    const char *name = "local", *path = "main";
    int rc = json_need_u64(j, v, "backing_variable_off", 0, UINT64_MAX, &var->backing_off, p->err);
    if (rc == 0 && var->size > UINT64_MAX - var->backing_off)
        return json_error(j, v, "backing_variable_off", p->err,
                          "found %" PRIu64 ", with size %" PRIu64 " it does not fit 64 bits",
                          var->backing_off, var->size);
    if (rc == 0)
        rc = json_opt_string(j, v, "backing_buf", &name, p->err);
    if (rc == 0)
        rc = json_opt_string(j, v, "fabric_path", &path, p->err);
    if (rc)
        return rc;
    var->alt_path = strcmp(path, "alt") == 0;
    if (!var->alt_path && strcmp(path, "main") != 0)
        return json_error(j, v, "fabric_path", p->err, "found \"%.40s\", expected main or alt", path);
    for (size_t i = 0; i < sizeof areas / sizeof areas[0]; i++)
        if (strcmp(name, areas[i].name) == 0) {
            var->backing = areas[i].code;
            return 0;
        }
    return json_error(j, v, "backing_buf", p->err, "found \"%.40s\", expected local, shared, sharded or main",
                      name);
}

/* Ids of the elements; whether they exist is judged once all ids are known. */
static int read_list(struct parse *p, const struct json *j, const json_value *v, struct prog_var *var)
{
    const json_value *list;
    uint64_t id;
    int rc = json_need_array(j, v, "list", &list, p->err);
    if (rc)
        return rc;
    var->list = calloc(json_count(list) + 1, sizeof *var->list);
    if (!var->list)
        return parse_memory(p);
    for (const json_value *e = json_child(list); rc == 0 && e; e = json_next(e)) {
        rc = json_as_u64(j, e, 0, UINT32_MAX, &id, p->err);
        var->list[var->nlist++] = rc ? 0 : (uint32_t)id;
    }
    return rc;
}

static int read_pointer(struct parse *p, const struct json *j, const json_value *v, struct prog_var *var)
{
    uint64_t target = 0;
    int rc = json_need_u64(j, v, "size", sizeof(uint64_t), sizeof(uint64_t), &var->size, p->err);
    if (rc == 0)
        rc = json_need_u64(j, v, "referenced_var_id", 0, UINT32_MAX, &target, p->err);
    var->referenced_id = (uint32_t)target;
    return rc;
}

/* The keys of a remote variable are this project's reading of §12; without them only the name is known. */
static int read_remote(struct parse *p, const struct json *j, const json_value *v, struct prog_var *var)
{
    uint64_t graph = 0, id = 0;
    int rc = json_opt_u64(j, v, "remote_vtpb_rel_sg_id", 0, UINT32_MAX, &graph, p->err);
    if (rc == 0)
        rc = json_opt_u64(j, v, "remote_var_id", 0, UINT32_MAX, &id, p->err);
    var->remote_graph = (uint32_t)graph;
    var->remote_id = (uint32_t)id;
    var->has_remote = json_get(v, "remote_vtpb_rel_sg_id") && json_get(v, "remote_var_id");
    return rc;
}

/* prefix and pipe: device print, only for three kinds. */
static int read_print(struct parse *p, const struct json *j, const json_value *v, struct prog_var *var)
{
    const char *prefix = NULL;
    uint64_t pipe = 0;
    if (var->kind != VARK_BUFFER && var->kind != VARK_TMP_BUF && var->kind != VARK_VIRTUAL)
        return 0;
    int rc = json_opt_string(j, v, "prefix", &prefix, p->err);
    if (rc == 0 && prefix && strlen(prefix) > VAR_PREFIX_MAX)
        rc = json_error(j, v, "prefix", p->err, "has %zu characters, at most %u are allowed", strlen(prefix),
                        VAR_PREFIX_MAX);
    if (rc == 0)
        rc = json_opt_u64(j, v, "pipe", 0, UINT32_MAX, &pipe, p->err);
    if (rc || !prefix)
        return rc;
    var->print_pipe = (uint32_t)pipe;
    var->print_prefix = text_copy(prefix);
    return var->print_prefix ? 0 : parse_memory(p);
}

static int read_size(struct parse *p, const struct json *j, const json_value *v, struct prog_var *var)
{
    return json_need_u64(j, v, "size", 1, UINT64_MAX, &var->size, p->err);
}

/* Keys that only variables of this kind have. */
static int read_by_kind(struct parse *p, const struct json *j, const json_value *v, struct prog_var *var)
{
    int rc;
    switch (var->kind) {
    case VARK_SB:
        return 0;
    case VARK_BUFFER:
        return read_payload(p, j, v, var);
    case VARK_PTR:
        return read_pointer(p, j, v, var);
    case VARK_VIRTUAL:
        rc = read_size(p, j, v, var);
        return rc ? rc : read_virtual(p, j, v, var);
    case VARK_LIST:
        if (!json_get(v, "list"))
            return json_error(j, v, NULL, p->err, "Failed to parse, key: list");
        break;
    case VARK_PTR_TABLE: /* its keys are not known */
        break;
    case VARK_REMOTE:
        rc = read_remote(p, j, v, var);
        return rc ? rc : json_opt_u64(j, v, "size", 0, UINT64_MAX, &var->size, p->err);
    default:
        return read_size(p, j, v, var);
    }
    rc = json_get(v, "list") ? read_list(p, j, v, var) : 0;
    return rc ? rc : json_opt_u64(j, v, "size", 0, UINT64_MAX, &var->size, p->err);
}

int parse_var(struct parse *p, const struct json *j, const json_value *v, struct prog_var *var)
{
    int rc = json_as_object(j, v, p->err);
    if (rc == 0)
        rc = read_kind(p, j, v, &var->kind);
    if (rc == 0)
        rc = read_alignment(p, j, v, var);
    if (rc == 0)
        rc = read_dtype(p, j, v, var);
    if (rc == 0)
        rc = read_shape(p, j, v, var);
    if (rc == 0)
        rc = read_print(p, j, v, var);
    return rc ? rc : read_by_kind(p, j, v, var);
}
