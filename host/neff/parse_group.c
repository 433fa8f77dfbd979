/* Collectives, streams, fp8 block, feature names (neff-container.md §11, §16, §20). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "neff/parse.h"
#include "util/strbuf.h"

static int by_value(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static int read_ranks(struct parse *p, const struct json *j, const json_value *v, struct prog_group *g)
{
    uint64_t rank, world = UINT64_MAX;
    struct nerr ignored;
    int rc = json_as_array(j, v, p->err);
    if (rc)
        return rc;
    (void)json_opt_u64(j, json_root(j), "#rank_world_size", 0, UINT32_MAX, &world,
                       &ignored); /* a hint only */
    g->ranks = calloc(json_count(v) + 1, sizeof *g->ranks);
    if (!g->ranks)
        return parse_memory(p);
    for (const json_value *r = json_child(v); rc == 0 && r; r = json_next(r)) {
        rc = json_as_u64(j, r, 0, UINT32_MAX, &rank, p->err);
        if (rc == 0)
            g->ranks[g->nranks++] = (uint32_t)rank;
        if (rc == 0 && rank >= world)
            rc = parse_warn(p, j, r, NULL, "rank %" PRIu64 " does not fit #rank_world_size %" PRIu64, rank,
                            world);
    }
    return rc;
}

/* Room for one more group; their number is not known before they are read. */
static struct prog_group *next_group(struct program *prog, size_t *capacity)
{
    if (prog->ngroup_lists == *capacity) {
        size_t more = *capacity ? 2 * *capacity : 16;
        struct prog_group *list =
            more < SIZE_MAX / sizeof *list ? realloc(prog->groups, more * sizeof *list) : NULL;
        if (!list)
            return NULL;
        prog->groups = list;
        *capacity = more;
    }
    prog->groups[prog->ngroup_lists] = (struct prog_group){ 0 };
    return &prog->groups[prog->ngroup_lists++];
}

static int read_topology(struct parse *p, const struct json *j, const json_value *v, size_t topology,
                         size_t *capacity)
{
    int rc = json_as_array(j, v, p->err);
    if (rc)
        return parse_entry(p, j, rc, &p->prog->gaps.groups);
    for (const json_value *g = json_child(v); rc == 0 && g; g = json_next(g)) {
        struct prog_group *group = next_group(p->prog, capacity);
        if (!group)
            return parse_memory(p);
        group->topology = topology;
        rc = parse_entry(p, j, read_ranks(p, j, g, group), &p->prog->gaps.groups);
    }
    return rc;
}

/* Different ranks over all groups. */
static int count_ranks(struct parse *p)
{
    struct program *prog = p->prog;
    size_t n = 0;
    for (size_t i = 0; i < prog->ngroup_lists; i++)
        n += prog->groups[i].nranks;
    uint32_t *ranks = calloc(n + 1, sizeof *ranks);
    if (!ranks)
        return parse_memory(p);
    n = 0;
    for (size_t i = 0; i < prog->ngroup_lists; i++)
        for (size_t k = 0; k < prog->groups[i].nranks; k++)
            ranks[n++] = prog->groups[i].ranks[k];
    qsort(ranks, n, sizeof *ranks, by_value);
    for (size_t i = 1; i < n; i++)
        prog->world_size += ranks[i] != ranks[i - 1];
    free(ranks);
    return 0;
}

int parse_groups(struct parse *p, const struct json *def)
{
    const json_value *groups = NULL;
    size_t topology = 0, capacity = 0;
    p->prog->world_size = 1;
    int rc = json_opt_array(def, json_root(def), "replica_groups", &groups, p->err);
    if (rc || !groups)
        return rc;
    p->prog->ngroups = json_count(groups);
    for (const json_value *t = json_child(groups); rc == 0 && t; t = json_next(t))
        rc = read_topology(p, def, t, topology++, &capacity);
    return rc ? rc : count_ranks(p);
}

static int read_pair(struct parse *p, const struct json *j, const json_value *v, size_t topology)
{
    struct program *prog = p->prog;
    uint64_t rank[2] = { 0, 0 };
    int rc = json_as_array(j, v, p->err);
    if (rc == 0 && json_count(v) != 2)
        rc = json_error(j, v, NULL, p->err, "has %zu elements, expected [source, target]", json_count(v));
    if (rc == 0)
        rc = json_as_u64(j, json_child(v), 0, UINT32_MAX, &rank[0], p->err);
    if (rc == 0)
        rc = json_as_u64(j, json_next(json_child(v)), 0, UINT32_MAX, &rank[1], p->err);
    if (rc == 0)
        prog->pairs[prog->npairs++] = (struct prog_pair){ topology, (uint32_t)rank[0], (uint32_t)rank[1] };
    return rc;
}

/* [[[source, target], ...], ...]: the outer index is the group id (nesting CONVENTION of §16). */
int parse_pairs(struct parse *p, const struct json *def)
{
    struct program *prog = p->prog;
    const json_value *list = NULL;
    size_t n = 0;
    int rc = json_opt_array(def, json_root(def), "src_target_pairs", &list, p->err);
    if (rc || !list)
        return rc;
    for (const json_value *t = json_child(list); t; t = json_next(t))
        n += json_is_array(t) ? json_count(t) : 0;
    prog->pairs = calloc(n + 1, sizeof *prog->pairs);
    if (!prog->pairs)
        return parse_memory(p);
    for (const json_value *t = json_child(list); rc == 0 && t; t = json_next(t)) {
        rc = json_as_array(def, t, p->err);
        for (const json_value *v = rc ? NULL : json_child(t); rc == 0 && v; v = json_next(v))
            rc = parse_entry(p, def, read_pair(p, def, v, prog->npair_topologies), NULL);
        rc = parse_entry(p, def, rc, NULL);
        prog->npair_topologies++;
    }
    return rc;
}

/* num_streams, or cc_stream, which is the number or an object that holds it. */
int parse_streams(struct parse *p, const struct json *def)
{
    const json_value *cc = json_get(json_root(def), "cc_stream");
    uint64_t *n = &p->prog->num_streams;
    int rc = 0;
    *n = 1;
    if (cc && json_is_object(cc))
        rc = json_opt_u64(def, cc, "num_streams", 0, UINT32_MAX, n, p->err);
    else if (cc)
        rc = json_as_u64(def, cc, 0, UINT32_MAX, n, p->err);
    if (rc == 0)
        rc = json_opt_u64(def, json_root(def), "num_streams", 0, UINT32_MAX, n, p->err);
    return rc;
}

int parse_fp8(struct parse *p, const struct json *def)
{
    struct prog_fp8 *f = &p->prog->fp8;
    static const char *const flags[] = { "fp8_range_extension", "ocp_sat", "fp8_sis", "fp8_sns" };
    bool *const flag[] = { &f->range_extension, &f->ocp_sat, &f->sis, &f->sns };
    const json_value *v = NULL;
    uint64_t e4m3 = 0, e5m2 = 0;
    int rc = json_opt_object(def, json_root(def), "fp8_conversion_config", &v, p->err);
    if (rc || !v)
        return rc;
    f->present = true;
    for (size_t i = 0; rc == 0 && i < sizeof flags / sizeof flags[0]; i++)
        rc = parse_entry(p, def, json_opt_bool(def, v, flags[i], flag[i], p->err), NULL);
    if (rc == 0)
        rc = parse_entry(p, def, json_opt_u64(def, v, "emax_fp8_e4m3", 0, UINT32_MAX, &e4m3, p->err), NULL);
    if (rc == 0)
        rc = parse_entry(p, def, json_opt_u64(def, v, "emax_fp8_e5m2", 0, UINT32_MAX, &e5m2, p->err), NULL);
    f->has_emax_e4m3 = json_get(v, "emax_fp8_e4m3") != NULL;
    f->has_emax_e5m2 = json_get(v, "emax_fp8_e5m2") != NULL;
    f->emax_e4m3 = (uint32_t)e4m3;
    f->emax_e5m2 = (uint32_t)e5m2;
    return rc;
}

/* neff_features is not acted on: whatever is no list of names is left out with a warning. */
int parse_features(struct parse *p, const struct json *def)
{
    struct program *prog = p->prog;
    const json_value *list = json_get(json_root(def), "neff_features");
    int rc = 0;
    if (!list)
        return 0;
    if (!json_is_array(list))
        return parse_warn(p, def, list, NULL, "is no array of feature names");
    prog->features = calloc(json_count(list) + 1, sizeof *prog->features);
    if (!prog->features)
        return parse_memory(p);
    for (const json_value *v = json_child(list); rc == 0 && v; v = json_next(v)) {
        const char *name;
        if (!json_is_string(v)) {
            rc = parse_warn(p, def, v, NULL, "is no feature name");
            continue;
        }
        rc = json_as_string(def, v, &name, p->err);
        prog->features[prog->nfeatures] = text_copy(name);
        if (!prog->features[prog->nfeatures++])
            return parse_memory(p);
    }
    return rc;
}

void parse_free_groups(struct program *p)
{
    for (size_t i = 0; i < p->ngroup_lists; i++)
        free(p->groups[i].ranks);
    for (size_t i = 0; i < p->nfeatures; i++)
        free(p->features[i]);
    free(p->groups);
    free(p->pairs);
    free(p->features);
}
