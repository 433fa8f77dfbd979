/* dma_queue entries (neff-container.md §13). */
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

static int read_semaphore_set(struct parse *p, const struct json *j, const json_value *v,
                              struct prog_queue *q)
{
    const json_value *set = NULL;
    uint64_t id;
    int rc = json_opt_array(j, v, "semaphore_set", &set, p->err);
    if (rc || !set)
        return rc;
    if (json_count(set) > SEMAPHORE_SET_MAX)
        return json_error(j, set, NULL, p->err,
                          "Runtime supports maximum of %u semaphores per queue set, found: %zu",
                          SEMAPHORE_SET_MAX, json_count(set));
    q->extra = "semaphore_set";
    q->semaphore_set = calloc(SEMAPHORE_SET_MAX, sizeof *q->semaphore_set);
    if (!q->semaphore_set)
        return parse_memory(p);
    for (const json_value *e = json_child(set); rc == 0 && e; e = json_next(e)) {
        rc = json_as_u64(j, e, 0, SEM_COUNT - 1, &id, p->err);
        if (rc == 0)
            q->semaphore_set[q->nsemaphores++] = (uint32_t)id;
    }
    return rc;
}

static int read_semaphores(struct parse *p, const struct json *j, const json_value *v, struct prog_queue *q)
{
    static const char *const keys[] = { "semaphore", "embedding_update_sync_semaphore" };
    int64_t *const ids[] = { &q->semaphore, &q->sync_semaphore };
    for (size_t i = 0; i < 2; i++) {
        uint64_t id = 0;
        int rc = json_opt_u64(j, v, keys[i], 0, SEM_COUNT - 1, &id, p->err);
        if (rc)
            return rc;
        *ids[i] = json_get(v, keys[i]) ? (int64_t)id : -1;
    }
    return read_semaphore_set(p, j, v, q);
}

/* A ring instance is its name, or an object that may have one. */
static int read_instances(struct parse *p, const struct json *j, const json_value *list, struct prog_queue *q)
{
    int rc = 0;
    q->instances = calloc(json_count(list) + 1, sizeof *q->instances);
    if (!q->instances)
        return parse_memory(p);
    for (const json_value *v = json_child(list); rc == 0 && v; v = json_next(v), q->ninstances++) {
        const char *name = NULL;
        if (json_is_string(v))
            rc = json_as_string(j, v, &name, p->err);
        else
            rc = json_opt_string(j, v, "name", &name, p->err);
        if (rc == 0 && name && !(q->instances[q->ninstances] = text_copy(name)))
            rc = parse_memory(p);
    }
    if (q->ninstances)
        q->extra = "queue_instances";
    return rc;
}

/* num_queues and queue_instances: only some ring kinds can be a set. */
static int read_set(struct parse *p, const struct json *j, const json_value *v, size_t type,
                    struct prog_queue *q)
{
    const json_value *instances = NULL;
    q->num_queues = 1;
    int rc = json_opt_u64(j, v, "num_queues", 1, UINT32_MAX, &q->num_queues, p->err);
    if (rc == 0)
        rc = json_opt_array(j, v, "queue_instances", &instances, p->err);
    if (rc)
        return rc;
    if (q->num_queues > 1 && ring_types[type].no_sets)
        return json_error(j, v, "num_queues", p->err,
                          "Invalid Neff: Queue set instances are not supported for %s queues (%s)",
                          ring_types[type].no_sets, json_key(v));
    if (q->num_queues > 1 && ring_types[type].kind == RINGK_DYNAMIC_ACT_TBL)
        return json_error(j, v, "num_queues", p->err, "an act_load queue must have num_queues 1");
    if (q->num_queues > 1)
        q->extra = "num_queues";
    return instances ? read_instances(p, j, instances, q) : 0;
}

static int read_flags(struct parse *p, const struct json *j, const json_value *v, size_t type,
                      struct prog_queue *q)
{
    int rc = json_opt_bool(j, v, "pinned", &q->pinned, p->err);
    if (rc == 0)
        rc = json_opt_bool(j, v, "dge", &q->dge, p->err);
    if (rc == 0)
        rc = json_opt_bool(j, v, "indirect_memcpy", &q->indirect, p->err);
    const json_value *dynamic = json_get(v, "dynamic_dma");
    q->dynamic_dma = dynamic != NULL; /* an object, or a flag */
    if (rc == 0 && dynamic && !json_is_object(dynamic))
        rc = json_opt_bool(j, v, "dynamic_dma", &q->dynamic_dma, p->err);
    q->ring_kind = q->dynamic_dma ? (int)RINGK_DATA : ring_types[type].kind;
    if (q->ring_kind == RINGK_DATA && q->indirect)
        q->ring_kind = RINGK_INDIRECT_MEMCPY;
    if (q->pinned)
        q->extra = "pinned";
    if (q->dge)
        q->extra = "dge";
    if (q->dynamic_dma)
        q->extra = "dynamic_dma";
    return rc;
}

/* What goes together within one queue. */
static int check_queue(struct parse *p, const struct json *j, const json_value *v, const struct prog_queue *q)
{
    const json_value *dynamic = json_get(v, "dynamic_dma");
    const char *scratch = "SB_scratch_partition_size";
    int rc = 0;
    if (q->ring_kind == RINGK_EMBEDDING_UPDATE && q->sync_semaphore < 0)
        return json_error(j, v, NULL, p->err,
                          "the required key \"embedding_update_sync_semaphore\" is missing");
    if (q->pinned && q->semaphore >= 0)
        rc = parse_warn(p, j, v, "semaphore", "a pinned ring has no semaphore, %lld is not used",
                        (long long)q->semaphore);
    if (rc == 0 && q->dynamic_dma && !json_get(v, scratch) && !json_get(dynamic, scratch))
        rc = parse_warn(p, j, v, "dynamic_dma", "dynamic DMA needs scratch memory, the key %s is missing",
                        scratch);
    return rc;
}

static int read_queue(struct parse *p, const struct json *j, const json_value *v, struct prog_queue *q)
{
    size_t type;
    q->semaphore = q->sync_semaphore = -1;
    q->name = text_copy(json_key(v));
    if (!q->name)
        return parse_memory(p);
    int rc = json_as_object(j, v, p->err);
    if (rc)
        return rc;
    if (strlen(q->name) > RING_NAME_MAX)
        return json_error(j, v, NULL, p->err, "the queue name has %zu characters, at most %u are allowed",
                          strlen(q->name), RING_NAME_MAX);
    rc = read_owner(p, j, v, &q->owner);
    if (rc == 0)
        rc = read_type(p, j, v, &type);
    if (rc == 0)
        rc = read_semaphores(p, j, v, q);
    if (rc == 0)
        rc = read_set(p, j, v, type, q);
    if (rc == 0)
        rc = read_flags(p, j, v, type, q);
    return rc ? rc : check_queue(p, j, v, q);
}

/* The semaphore that two embedding_update queues share, or -1. */
static int64_t shared_semaphore(const struct prog_queue *a, const struct prog_queue *b)
{
    const int64_t x[] = { a->semaphore, a->sync_semaphore }, y[] = { b->semaphore, b->sync_semaphore };
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < 2; k++)
            if (x[i] >= 0 && x[i] == y[k])
                return x[i];
    return -1;
}

/* One act_load queue per NEFF; embedding_update queues have semaphores of their own. */
static int check_pair(struct parse *p, const struct json *j, const json_value *table, struct prog_queue *a,
                      const struct prog_queue *b)
{
    int rc = 0;
    if (a->bad || b->bad || a->ring_kind != b->ring_kind)
        return 0;
    if (a->ring_kind == RINGK_DYNAMIC_ACT_TBL)
        rc = json_error(j, json_get(table, a->name), "type", p->err,
                        "a NEFF has one act_load queue, %s is another", b->name);
    else if (a->ring_kind == RINGK_EMBEDDING_UPDATE && shared_semaphore(a, b) >= 0)
        rc = json_error(j, json_get(table, a->name), "semaphore", p->err,
                        "semaphore %lld belongs to the embedding_update queue %s",
                        (long long)shared_semaphore(a, b), b->name);
    return parse_entry(p, j, rc, &a->bad);
}

static int check_together(struct parse *p, const struct json *j, const json_value *table)
{
    struct program *prog = p->prog;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < prog->nqueues; i++)
        for (size_t k = 0; rc == 0 && k < i; k++)
            rc = check_pair(p, j, table, &prog->queues[i], &prog->queues[k]);
    return rc;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct prog_queue *)a)->name, ((const struct prog_queue *)b)->name);
}

int parse_queues(struct parse *p, const struct json *def)
{
    struct program *prog = p->prog;
    const json_value *table = NULL;
    int rc = json_opt_object(def, json_root(def), "dma_queue", &table, p->err);
    if (rc || !table)
        return rc;
    size_t n = json_count(table);
    bool many = n > RINGS_PER_PROGRAM;
    if (many)
        rc = json_error(def, table, NULL, p->err, "has %zu queues, a program has at most %u rings", n,
                        RINGS_PER_PROGRAM);
    rc = parse_entry(p, def, rc, NULL);
    if (rc)
        return rc;
    prog->queues = calloc(n + 1, sizeof *prog->queues);
    if (!prog->queues)
        return parse_memory(p);
    for (const json_value *v = json_child(table); rc == 0 && v; v = json_next(v)) {
        struct prog_queue *q = &prog->queues[prog->nqueues++];
        rc = parse_entry(p, def, read_queue(p, def, v, q), &q->bad);
    }
    if (rc)
        return rc;
    qsort(prog->queues, n, sizeof *prog->queues, by_name);
    return many ? 0 : check_together(p, def, table);
}

void parse_free_queues(struct program *p)
{
    for (size_t i = 0; i < p->nqueues; i++) {
        free(p->queues[i].name);
        free(p->queues[i].semaphore_set);
        for (size_t k = 0; k < p->queues[i].ninstances; k++)
            free(p->queues[i].instances[k]);
        free(p->queues[i].instances);
    }
    free(p->queues);
}
