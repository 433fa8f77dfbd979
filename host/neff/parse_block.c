/* DMA blocks of an engine JSON or of def.json itself (neff-container.md §14). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "neff/parse.h"
#include "regs.h"
#include "util/bytes.h"
#include "util/strbuf.h"

/* Room for one more descriptor; grows with what was read, not with what a list of nothing claims. */
static struct prog_desc *next_desc(struct prog_block *b, size_t *capacity)
{
    if (b->ndesc == *capacity) {
        size_t more = *capacity ? 2 * *capacity : 16;
        struct prog_desc *list =
            more < SIZE_MAX / sizeof *list ? realloc(b->desc, more * sizeof *list) : NULL;
        if (!list)
            return NULL;
        b->desc = list;
        *capacity = more;
    }
    b->desc[b->ndesc] = (struct prog_desc){ 0 };
    return &b->desc[b->ndesc++];
}

static int read_descs(struct parse *p, const struct json *j, const json_value *list, const char *member,
                      struct prog_block *b)
{
    size_t capacity = 0;
    int rc = 0;
    for (const json_value *v = json_child(list); rc == 0 && v; v = json_next(v)) {
        struct prog_desc *d = next_desc(b, &capacity);
        if (!d)
            return parse_memory(p);
        d->where = text_printf("%s dma[%zu].desc[%zu]", member, b->json_index, b->ndesc - 1);
        rc = parse_entry(p, j, d->where ? parse_desc(p, j, v, d) : parse_memory(p), &d->bad);
        if (rc == 0 && !add_u64(b->bytes, d->bytes, &b->bytes))
            b->bytes = UINT64_MAX;
    }
    return rc;
}

/* A flag may be a bool or a number. */
static int read_flag(struct parse *p, const struct json *j, const json_value *v, const char *key, bool *out)
{
    uint64_t number = 0;
    struct nerr ignored;
    if (json_opt_bool(j, v, key, out, &ignored) == 0)
        return 0;
    int rc = json_opt_u64(j, v, key, 0, UINT64_MAX, &number, p->err);
    *out = number != 0;
    return rc;
}

static int read_queue_name(struct parse *p, const struct json *j, const json_value *v, struct prog_block *b)
{
    const char *queue = NULL;
    int rc = json_need_string(j, v, "queue", &queue, p->err);
    if (rc)
        return rc;
    long index = program_find_queue(p->prog, queue);
    if (index < 0 && !p->prog->gaps.queues)
        return json_error(j, v, "queue", p->err, "there is no dma_queue \"%.60s\"", queue);
    b->bad = index < 0;
    b->queue = index < 0 ? 0 : (size_t)index;
    return 0;
}

/* Everything but the descriptors. */
static int read_head(struct parse *p, const struct json *j, const json_value *v, struct prog_block *b)
{
    const char *instance = NULL;
    const json_value *remote = NULL;
    uint64_t id = 0, priority = 0;
    int rc = read_queue_name(p, j, v, b);
    if (rc == 0)
        rc = json_need_u64(j, v, "id", 0, UINT32_MAX, &id, p->err);
    if (rc == 0)
        rc = json_opt_string(j, v, "instance_name", &instance, p->err);
    if (rc == 0)
        rc = json_opt_u64(j, v, "priority_class", 0, UINT8_MAX, &priority, p->err);
    if (rc == 0)
        rc = json_opt_array(j, v, "remote_semaphores", &remote, p->err);
    if (rc == 0)
        rc = read_flag(p, j, v, "function_start", &b->function_start);
    if (rc == 0)
        rc = read_flag(p, j, v, "section_start_desc", &b->section_start);
    if (rc)
        return rc;
    b->id = (uint32_t)id;
    b->priority_class = (uint8_t)priority;
    b->nremote = json_count(remote);
    if (b->engine == PROG_ENGINES && !b->bad)
        b->engine = p->prog->queues[b->queue].owner;
    b->instance = instance ? text_copy(instance) : NULL;
    return instance && !b->instance ? parse_memory(p) : 0;
}

static int read_block(struct parse *p, const struct json *j, const json_value *v, const char *member,
                      struct prog_block *b)
{
    const json_value *list = NULL;
    int rc = parse_entry(p, j, json_as_object(j, v, p->err), &b->bad);
    if (rc || b->bad)
        return rc;
    rc = parse_entry(p, j, read_head(p, j, v, b), &b->bad);
    if (rc == 0)
        rc = json_need_array(j, v, "desc", &list, p->err);
    return rc ? rc : read_descs(p, j, list, member, b);
}

int parse_blocks(struct parse *p, const struct json *j, const char *member, int engine)
{
    struct program *prog = p->prog;
    const json_value *list = NULL;
    int rc = json_opt_array(j, json_root(j), "dma", &list, p->err);
    if (rc || !list)
        return rc;
    size_t n = json_count(list);
    struct prog_block *more = realloc(prog->blocks, (prog->nblocks + n + 1) * sizeof *more);
    if (!more)
        return parse_memory(p);
    prog->blocks = more;
    size_t i = 0;
    for (const json_value *v = json_child(list); rc == 0 && v; v = json_next(v)) {
        struct prog_block *b = &prog->blocks[prog->nblocks++];
        *b = (struct prog_block){ .engine = engine, .json_index = i++, .from_def = engine == PROG_ENGINES };
        rc = parse_entry(p, j, read_block(p, j, v, member, b), &b->bad);
        prog->gaps.blocks = prog->gaps.blocks || b->bad;
    }
    return rc;
}

static int by_queue_and_id(const void *a, const void *b)
{
    const struct prog_block *const *x = a, *const *y = b;
    if ((*x)->queue != (*y)->queue)
        return (*x)->queue < (*y)->queue ? -1 : 1;
    if ((*x)->id != (*y)->id)
        return (*x)->id < (*y)->id ? -1 : 1;
    return *x < *y ? -1 : *x > *y; /* file order */
}

static int same_id(struct parse *p, const struct prog_block *b, const char **member)
{
    const struct program *prog = p->prog;
    const char *json = b->from_def ? prog->definition : prog->engines[b->engine].json_name;
    char *where = text_printf("%s dma[%zu].id", json ? json : "", b->json_index);
    *member = json ? json : "";
    if (!where)
        return parse_memory(p);
    int rc = nerr_set(p->err, NERR_RULE, where, "queue %s has two blocks with id %" PRIu32,
                      prog->queues[b->queue].name, b->id);
    free(where);
    return rc;
}

/* A trigger names its block by queue and id, so the pair must be unique (unless ring instances tell them
 * apart). */
int parse_check_blocks(struct parse *p)
{
    struct program *prog = p->prog;
    const struct prog_block **list = calloc(prog->nblocks + 1, sizeof(struct prog_block *));
    size_t n = 0;
    if (!list)
        return parse_memory(p);
    for (size_t i = 0; i < prog->nblocks; i++)
        if (!prog->blocks[i].bad)
            list[n++] = &prog->blocks[i];
    qsort(list, n, sizeof *list, by_queue_and_id);
    int rc = 0;
    for (size_t i = 1; rc == 0 && i < n; i++) {
        const struct prog_block *a = list[i - 1], *b = list[i];
        const char *member;
        if (a->queue != b->queue || a->id != b->id || prog->queues[b->queue].extra)
            continue;
        rc = same_id(p, b, &member);
        rc = parse_problem(p, member, TIER_SECTION, rc, NULL);
    }
    free(list);
    return rc;
}

void parse_free_blocks(struct program *p)
{
    for (size_t i = 0; i < p->nblocks; i++) {
        for (size_t d = 0; d < p->blocks[i].ndesc; d++) {
            free(p->blocks[i].desc[d].where);
            free(p->blocks[i].desc[d].more);
        }
        free(p->blocks[i].desc);
        free(p->blocks[i].instance);
    }
    free(p->blocks);
}
