/*
 * Graph inputs and outputs from neff.json, the TVM graph-runtime dialect (neff-container.md §9), with the
 * runtime's own messages.
 */
#include "neff/parse.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/bytes.h"
#include "util/strbuf.h"

/* The tables of neff.json, as arrays for access by index. */
struct tables {
    const struct json *j;
    const json_value **nodes, **dtypes, **shapes;
    size_t nnodes, ndtypes, nshapes;
    uint64_t *row; /* node_row_ptr: node -> first entry id */
};

static const json_value **to_list(const json_value *array, size_t *count)
{
    *count = json_count(array);
    const json_value **list = calloc(*count ? *count : 1, sizeof(json_value *));
    size_t i = 0;
    for (const json_value *v = json_child(array); list && v; v = json_next(v))
        list[i++] = v;
    return list;
}

/* Bytes of an element of the dtype at v. */
static int element_size(struct parse *p, const struct json *j, const json_value *v, const char *dtype,
                        uint64_t *bytes)
{
    static const struct {
        const char *name;
        uint64_t bytes;
    } known[] = {
        { "float32", 4 }, { "float16", 2 }, { "bfloat16", 2 }, { "int8", 1 },
        { "uint8", 1 },   { "int16", 2 },   { "uint16", 2 },   { "int32", 4 },
        { "uint32", 4 },  { "int64", 8 },   { "uint64", 8 },
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(dtype, known[i].name) == 0) {
            *bytes = known[i].bytes;
            return 0;
        }
    *bytes = 1;
    return parse_warn(p, j, v, NULL, "Unknown dtype: %s, defaulting to UNKNOWN", dtype);
}

/* attrs.dltype and attrs.shape are pairs [tag, array]; returns the array. */
static int attr_table(struct parse *p, const struct json *j, const json_value *attrs, const char *key,
                      const char *message, const json_value **out)
{
    const json_value *pair = json_get(attrs, key);
    if (!pair || !json_get(attrs, "dltype") || !json_get(attrs, "shape"))
        return json_error(j, attrs, NULL, p->err, "Missing dltype or shape in attrs");
    const json_value *second = json_child(pair) ? json_next(json_child(pair)) : NULL;
    if (!json_is_array(pair) || !second || !json_is_array(second))
        return json_error(j, pair, NULL, p->err, "%s", message);
    *out = second;
    return 0;
}

static int read_tables(struct parse *p, struct tables *t)
{
    const json_value *root = json_root(t->j), *v[4], *attrs, *dtypes, *shapes;
    static const char *const keys[] = { "nodes", "arg_nodes", "heads", "node_row_ptr" };
    for (size_t i = 0; i < 4; i++)
        if (!json_get(root, keys[i]))
            return json_error(t->j, root, keys[i], p->err, "Missing required fields in NEFF JSON");
    if (!json_get(root, "attrs"))
        return json_error(t->j, root, "attrs", p->err, "Missing required fields in NEFF JSON");
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < 4; i++)
        rc = json_need_array(t->j, root, keys[i], &v[i], p->err);
    if (rc == 0)
        rc = json_need_object(t->j, root, "attrs", &attrs, p->err);
    if (rc == 0)
        rc = attr_table(p, t->j, attrs, "dltype", "Invalid dltype data format", &dtypes);
    if (rc == 0)
        rc = attr_table(p, t->j, attrs, "shape", "Invalid shape data format", &shapes);
    if (rc)
        return rc;
    t->nodes = to_list(v[0], &t->nnodes);
    t->dtypes = to_list(dtypes, &t->ndtypes);
    t->shapes = to_list(shapes, &t->nshapes);
    t->row = calloc(t->nnodes + 1, sizeof *t->row);
    if (!t->nodes || !t->dtypes || !t->shapes || !t->row)
        return parse_memory(p);
    if (json_count(v[3]) != t->nnodes + 1)
        return json_error(t->j, v[3], NULL, p->err, "has %zu entries, expected one more than the %zu nodes",
                          json_count(v[3]), t->nnodes);
    size_t i = 0;
    for (const json_value *r = json_child(v[3]); rc == 0 && r; r = json_next(r))
        rc = json_as_u64(t->j, r, 0, UINT32_MAX, &t->row[i++], p->err);
    return rc;
}

static int read_shape(struct parse *p, const struct json *j, const json_value *v, struct prog_io *io)
{
    int rc = json_as_array(j, v, p->err);
    if (rc)
        return rc;
    size_t n = json_count(v);
    if (n > PROG_IO_MAX_DIMS)
        return json_error(j, v, NULL, p->err, "Too many dimensions (%zu)", n);
    for (const json_value *d = json_child(v); rc == 0 && d; d = json_next(d))
        rc = json_as_u64(j, d, 0, UINT32_MAX, &io->shape[io->ndim++], p->err);
    return rc;
}

/* Name of a node's output: output_names[index], output_names itself when it is a string, else the node's
 * name. */
static int output_name(struct parse *p, const struct tables *t, const json_value *node, uint64_t index,
                       const char **name)
{
    const json_value *names = json_get(node, "output_names");
    if (json_is_string(names))
        return json_as_string(t->j, names, name, p->err);
    if (json_is_array(names)) {
        const json_value *v = json_at(names, (size_t)index);
        if (v)
            return json_as_string(t->j, v, name, p->err);
    }
    return json_need_string(t->j, node, "name", name, p->err);
}

/* Output `index` of a node; at is the place in neff.json that asks for it. */
static int read_io(struct parse *p, const struct tables *t, const json_value *at, uint64_t node,
                   uint64_t index, bool input, struct prog_io *io)
{
    const char *name, *dtype;
    uint64_t eid = t->row[node] + index;
    if (eid >= t->ndtypes || eid >= t->nshapes)
        return json_error(t->j, at, NULL, p->err, "EID %" PRIu64 " out of bounds for dtypes/shapes", eid);
    int rc = input ? json_need_string(t->j, t->nodes[node], "name", &name, p->err)
                   : output_name(p, t, t->nodes[node], index, &name);
    if (rc == 0)
        rc = json_as_string(t->j, t->dtypes[eid], &dtype, p->err);
    if (rc == 0)
        rc = read_shape(p, t->j, t->shapes[eid], io);
    if (rc)
        return rc;
    if (strlen(dtype) >= sizeof io->dtype)
        return json_error(t->j, t->dtypes[eid], NULL, p->err,
                          "the dtype \"%.40s\" has more than %zu characters", dtype, sizeof io->dtype - 1);
    strcpy(io->dtype, dtype);
    rc = element_size(p, t->j, t->dtypes[eid], dtype, &io->size);
    if (rc)
        return rc;
    for (size_t i = 0; i < io->ndim; i++)
        if (!mul_u64(io->size, io->shape[i], &io->size))
            return json_error(t->j, t->shapes[eid], NULL, p->err, "the tensor's size does not fit 64 bits");
    io->name = text_copy(name);
    return io->name ? 0 : parse_memory(p);
}

/* An entry that was read to its end counts; of another nothing is left. */
static void keep_io(struct prog_io *io, size_t *count)
{
    if (io->name)
        ++*count;
    else
        *io = (struct prog_io){ 0 };
}

static int read_inputs(struct parse *p, const struct tables *t)
{
    const json_value *list = json_get(json_root(t->j), "arg_nodes");
    p->prog->inputs = calloc(json_count(list) + 1, sizeof *p->prog->inputs);
    if (!p->prog->inputs)
        return parse_memory(p);
    int rc = 0;
    for (const json_value *v = json_child(list); rc == 0 && v; v = json_next(v)) {
        struct prog_io *io = &p->prog->inputs[p->prog->ninputs];
        uint64_t node;
        rc = json_as_u64(t->j, v, 0, UINT32_MAX, &node, p->err);
        if (rc == 0 && node >= t->nnodes)
            rc = json_error(t->j, v, NULL, p->err, "Input node ID %" PRIu64 " out of bounds", node);
        if (rc == 0)
            rc = read_io(p, t, v, node, 0, true, io);
        rc = parse_entry(p, t->j, rc, NULL);
        keep_io(io, &p->prog->ninputs);
    }
    return rc;
}

static int read_outputs(struct parse *p, const struct tables *t)
{
    const json_value *list = json_get(json_root(t->j), "heads");
    p->prog->outputs = calloc(json_count(list) + 1, sizeof *p->prog->outputs);
    if (!p->prog->outputs)
        return parse_memory(p);
    int rc = 0;
    for (const json_value *v = json_child(list); rc == 0 && v; v = json_next(v)) {
        struct prog_io *io = &p->prog->outputs[p->prog->noutputs];
        uint64_t part[3] = { 0, 0, 0 };
        size_t n = 0;
        rc = json_as_array(t->j, v, p->err);
        for (const json_value *e = json_child(v); rc == 0 && e && n < 3; e = json_next(e))
            rc = json_as_u64(t->j, e, 0, UINT32_MAX, &part[n++], p->err);
        if (rc == 0 && (n != 3 || json_count(v) != 3))
            rc = json_error(t->j, v, NULL, p->err, "has %zu elements, expected [node, out_index, version]",
                            json_count(v));
        if (rc == 0 && part[0] >= t->nnodes)
            rc = json_error(t->j, v, NULL, p->err, "Output node ID %" PRIu64 " out of bounds", part[0]);
        if (rc == 0)
            rc = read_io(p, t, v, part[0], part[1], false, io);
        rc = parse_entry(p, t->j, rc, NULL);
        keep_io(io, &p->prog->noutputs);
    }
    return rc;
}

int parse_io(struct parse *p, const struct json *neff_json)
{
    struct tables t = { .j = neff_json };
    int rc = read_tables(p, &t);
    if (rc == 0)
        rc = read_inputs(p, &t);
    if (rc == 0)
        rc = read_outputs(p, &t);
    free(t.nodes);
    free(t.dtypes);
    free(t.shapes);
    free(t.row);
    return rc;
}
