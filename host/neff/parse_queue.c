/* dma_queue, replica groups, source/target pairs, fp8 block (neff-container.md §13, §16). */
#include "neff/parse.h"

#include <stdlib.h>
#include <string.h>

#include "regs.h"
#include "util/strbuf.h"

static const struct {
    const char *name;
    int kind;
    const char *no_sets; /* how the message about queue sets calls it; NULL: sets are allowed */
} ring_types[] = {
    { "in", RINGK_IN, "input" },
    { "out", RINGK_OUT, "output" },
    { "data", RINGK_DATA, NULL },
    { "act_load", RINGK_DYNAMIC_ACT_TBL, NULL },
    { "embedding_update", RINGK_EMBEDDING_UPDATE, "embedding update" },
};
#define NTYPES (sizeof ring_types / sizeof ring_types[0])

const char *program_ring_kind_name(int ring_kind)
{
    if (ring_kind == RINGK_INDIRECT_MEMCPY)
        return "data, indirect";
    for (size_t i = 0; i < NTYPES; i++)
        if (ring_types[i].kind == ring_kind)
            return ring_types[i].name;
    return "?";
}

static int read_owner(struct parse *p, const struct json *j, const json_value *v, int *owner)
{
    const char *name;
    int rc = json_need_string(j, v, "owner", &name, p->err);
    if (rc)
        return rc;
    *owner = parse_engine(name);
    if (*owner == PROG_ENGINES)
        return json_error(j, v, "owner", p->err, "Invalid owner '%s' for DMA queue %s", name, json_key(v));
    return 0;
}

static int read_type(struct parse *p, const struct json *j, const json_value *v, size_t *type)
{
    const char *name;
    if (!json_get(v, "type"))
        return json_error(j, v, NULL, p->err, "missing <type> in %s", json_key(v));
    int rc = json_need_string(j, v, "type", &name, p->err);
    if (rc)
        return rc;
    for (*type = 0; *type < NTYPES && strcmp(name, ring_types[*type].name) != 0;)
        (*type)++;
    if (*type == NTYPES)
        return json_error(j, v, "type", p->err,
                          "found \"%.40s\", expected in, out, data, act_load or embedding_update", name);
    return 0;
}

static int read_semaphores(struct parse *p, const struct json *j, const json_value *v, struct prog_queue *q)
{
    const json_value *set = NULL;
    uint64_t id = 0;
    q->semaphore = -1;
    int rc = json_opt_u64(j, v, "semaphore", 0, SEM_COUNT - 1, &id, p->err);
    if (rc == 0 && json_get(v, "semaphore"))
        q->semaphore = (int64_t)id;
    if (rc == 0)
        rc = json_opt_u64(j, v, "embedding_update_sync_semaphore", 0, SEM_COUNT - 1, &id, p->err);
    if (rc == 0)
        rc = json_opt_array(j, v, "semaphore_set", &set, p->err);
    if (rc == 0 && set && json_count(set) > SEMAPHORE_SET_MAX)
        rc = json_error(j, set, NULL, p->err,
                        "Runtime supports maximum of %u semaphores per queue set, found: %zu",
                        SEMAPHORE_SET_MAX, json_count(set));
    for (const json_value *e = rc ? NULL : json_child(set); rc == 0 && e; e = json_next(e))
        rc = json_as_u64(j, e, 0, SEM_COUNT - 1, &id, p->err);
    if (rc == 0 && set)
        q->extra = "semaphore_set";
    return rc;
}

/* num_queues and queue_instances: only some ring kinds can be a set. */
static int read_set(struct parse *p, const struct json *j, const json_value *v, size_t type,
                    struct prog_queue *q)
{
    const json_value *instances = NULL;
    uint64_t n = 1;
    int rc = json_opt_u64(j, v, "num_queues", 1, UINT32_MAX, &n, p->err);
    if (rc == 0)
        rc = json_opt_array(j, v, "queue_instances", &instances, p->err);
    if (rc)
        return rc;
    if (n > 1 && ring_types[type].no_sets)
        return json_error(j, v, "num_queues", p->err,
                          "Invalid Neff: Queue set instances are not supported for %s queues (%s)",
                          ring_types[type].no_sets, json_key(v));
    if (n > 1 && ring_types[type].kind == RINGK_DYNAMIC_ACT_TBL)
        return json_error(j, v, "num_queues", p->err, "an act_load queue must have num_queues 1");
    if (n > 1)
        q->extra = "num_queues";
    if (instances && json_count(instances))
        q->extra = "queue_instances";
    return 0;
}

static int read_flags(struct parse *p, const struct json *j, const json_value *v, size_t type,
                      struct prog_queue *q)
{
    bool pinned = false, dge = false, indirect = false;
    int rc = json_opt_bool(j, v, "pinned", &pinned, p->err);
    if (rc == 0)
        rc = json_opt_bool(j, v, "dge", &dge, p->err);
    if (rc == 0)
        rc = json_opt_bool(j, v, "indirect_memcpy", &indirect, p->err);
    q->ring_kind = ring_types[type].kind;
    if (q->ring_kind == RINGK_DATA && indirect)
        q->ring_kind = RINGK_INDIRECT_MEMCPY;
    if (pinned)
        q->extra = "pinned";
    if (dge)
        q->extra = "dge";
    if (json_get(v, "dynamic_dma"))
        q->extra = "dynamic_dma";
    return rc;
}

static int read_queue(struct parse *p, const struct json *j, const json_value *v, struct prog_queue *q)
{
    size_t type;
    int rc = json_as_object(j, v, p->err);
    if (rc)
        return rc;
    if (strlen(json_key(v)) > RING_NAME_MAX)
        return json_error(j, v, NULL, p->err, "the queue name has %zu characters, at most %u are allowed",
                          strlen(json_key(v)), RING_NAME_MAX);
    q->name = text_copy(json_key(v));
    if (!q->name)
        return parse_memory(p);
    rc = read_owner(p, j, v, &q->owner);
    if (rc == 0)
        rc = read_type(p, j, v, &type);
    if (rc == 0)
        rc = read_semaphores(p, j, v, q);
    if (rc == 0)
        rc = read_set(p, j, v, type, q);
    if (rc == 0)
        rc = read_flags(p, j, v, type, q);
    return rc;
}

/* One act_load queue per NEFF; embedding_update queues have semaphores of their own. */
static int check_together(struct parse *p, const struct json *j, const json_value *table)
{
    const struct program *prog = p->prog;
    for (size_t i = 0; i < prog->nqueues; i++)
        for (size_t k = 0; k < i; k++) {
            const struct prog_queue *a = &prog->queues[i], *b = &prog->queues[k];
            if (a->ring_kind != b->ring_kind)
                continue;
            if (a->ring_kind == RINGK_DYNAMIC_ACT_TBL)
                return json_error(j, json_get(table, a->name), "type", p->err,
                                  "a NEFF has one act_load queue, %s is another", b->name);
            if (a->ring_kind == RINGK_EMBEDDING_UPDATE && a->semaphore >= 0 && a->semaphore == b->semaphore)
                return json_error(j, json_get(table, a->name), "semaphore", p->err,
                                  "semaphore %lld belongs to the embedding_update queue %s",
                                  (long long)a->semaphore, b->name);
        }
    return 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct prog_queue *)a)->name, ((const struct prog_queue *)b)->name);
}

int parse_queues(struct parse *p, const struct json *def)
{
    const json_value *table = NULL;
    int rc = json_opt_object(def, json_root(def), "dma_queue", &table, p->err);
    if (rc || !table)
        return rc;
    size_t n = json_count(table);
    if (n > RINGS_PER_PROGRAM)
        return json_error(def, table, NULL, p->err, "has %zu queues, a program has at most %u rings", n,
                          RINGS_PER_PROGRAM);
    p->prog->queues = calloc(n + 1, sizeof *p->prog->queues);
    if (!p->prog->queues)
        return parse_memory(p);
    for (const json_value *v = json_child(table); rc == 0 && v; v = json_next(v))
        rc = read_queue(p, def, v, &p->prog->queues[p->prog->nqueues++]);
    if (rc)
        return rc;
    qsort(p->prog->queues, n, sizeof *p->prog->queues, by_name);
    return check_together(p, def, table);
}

static int by_value(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* All ranks below [topology][group][rank], counted; stored when ranks is not NULL. */
static int walk_ranks(struct parse *p, const struct json *j, const json_value *groups, uint64_t *ranks,
                      size_t *count)
{
    int rc = 0;
    *count = 0;
    for (const json_value *t = json_child(groups); rc == 0 && t; t = json_next(t)) {
        rc = json_as_array(j, t, p->err);
        for (const json_value *g = json_child(t); rc == 0 && g; g = json_next(g)) {
            rc = json_as_array(j, g, p->err);
            for (const json_value *r = json_child(g); rc == 0 && r; r = json_next(r), (*count)++) {
                uint64_t rank;
                rc = json_as_u64(j, r, 0, UINT32_MAX, &rank, p->err);
                if (rc == 0 && ranks)
                    ranks[*count] = rank;
            }
        }
    }
    return rc;
}

int parse_groups(struct parse *p, const struct json *def)
{
    const json_value *groups = NULL, *pairs = NULL;
    size_t n = 0;
    p->prog->world_size = 1;
    int rc = json_opt_array(def, json_root(def), "src_target_pairs", &pairs, p->err);
    if (rc == 0)
        rc = json_opt_array(def, json_root(def), "replica_groups", &groups, p->err);
    if (rc == 0 && groups)
        rc = walk_ranks(p, def, groups, NULL, &n);
    if (rc || !groups)
        return rc;
    p->prog->ngroups = json_count(groups);
    if (n == 0)
        return 0;
    uint64_t *ranks = calloc(n, sizeof *ranks);
    if (!ranks)
        return parse_memory(p);
    rc = walk_ranks(p, def, groups, ranks, &n);
    qsort(ranks, n, sizeof *ranks, by_value);
    for (size_t i = 1; i < n; i++)
        p->prog->world_size += ranks[i] != ranks[i - 1];
    free(ranks);
    return rc;
}

int parse_fp8(struct parse *p, const struct json *def)
{
    static const char *const flags[] = { "fp8_range_extension", "ocp_sat", "fp8_sis", "fp8_sns" };
    static const char *const numbers[] = { "emax_fp8_e4m3", "emax_fp8_e5m2" };
    const json_value *v = NULL;
    bool flag;
    uint64_t number;
    int rc = json_opt_object(def, json_root(def), "fp8_conversion_config", &v, p->err);
    for (size_t i = 0; rc == 0 && v && i < sizeof flags / sizeof flags[0]; i++)
        rc = json_opt_bool(def, v, flags[i], &flag, p->err);
    for (size_t i = 0; rc == 0 && v && i < sizeof numbers / sizeof numbers[0]; i++)
        rc = json_opt_u64(def, v, numbers[i], 0, UINT32_MAX, &number, p->err);
    return rc;
}
