/* Engine JSON files and their DMA blocks (neff-container.md §14). */
#include "neff/parse.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "neff/container.h"
#include "regs.h"
#include "util/strbuf.h"

static int read_descs(struct parse *p, const struct json *j, const json_value *list, const char *member,
                      struct prog_block *b)
{
    b->desc = calloc(json_count(list) + 1, sizeof *b->desc);
    if (!b->desc)
        return parse_memory(p);
    for (const json_value *v = json_child(list); v; v = json_next(v)) {
        struct prog_desc *d = &b->desc[b->ndesc];
        d->where = text_printf("%s dma[%zu].desc[%zu]", member, b->json_index, b->ndesc);
        b->ndesc++;
        int rc = d->where ? parse_desc(p, j, v, d) : parse_memory(p);
        if (rc)
            return rc;
    }
    return 0;
}

static int read_block(struct parse *p, const struct json *j, const json_value *v, const char *member,
                      struct prog_block *b)
{
    const char *queue = NULL, *instance = NULL;
    const json_value *list = NULL, *remote = NULL;
    uint64_t id = 0, priority = 0;
    int rc = json_need_string(j, v, "queue", &queue, p->err);
    if (rc == 0 && program_find_queue(p->prog, queue) < 0)
        rc = json_error(j, v, "queue", p->err, "there is no dma_queue \"%.60s\"", queue);
    if (rc == 0)
        rc = json_need_u64(j, v, "id", 0, UINT32_MAX, &id, p->err);
    if (rc == 0)
        rc = json_opt_string(j, v, "instance_name", &instance, p->err);
    if (rc == 0)
        rc = json_opt_u64(j, v, "priority_class", 0, UINT8_MAX, &priority, p->err);
    if (rc == 0)
        rc = json_opt_array(j, v, "remote_semaphores", &remote, p->err);
    if (rc == 0)
        rc = json_need_array(j, v, "desc", &list, p->err);
    if (rc)
        return rc;
    b->queue = (size_t)program_find_queue(p->prog, queue);
    b->id = (uint32_t)id;
    if (b->engine == PROG_ENGINES)
        b->engine = p->prog->queues[b->queue].owner;
    return read_descs(p, j, list, member, b);
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
        *b = (struct prog_block){ .engine = engine, .json_index = i++ };
        rc = read_block(p, j, v, member, b);
    }
    return rc;
}

static int by_queue_and_id(const void *a, const void *b)
{
    const struct prog_block *const *x = a, *const *y = b;
    if ((*x)->queue != (*y)->queue)
        return (*x)->queue < (*y)->queue ? -1 : 1;
    return (*x)->id < (*y)->id ? -1 : (*x)->id > (*y)->id;
}

/* A trigger names its block by queue and id, so the pair must be unique (unless ring instances tell them
 * apart). */
int parse_check_blocks(struct parse *p)
{
    const struct program *prog = p->prog;
    const struct prog_block **list = calloc(prog->nblocks + 1, sizeof(struct prog_block *));
    int rc = list ? 0 : parse_memory(p);
    for (size_t i = 0; rc == 0 && i < prog->nblocks; i++)
        list[i] = &prog->blocks[i];
    if (rc == 0)
        qsort(list, prog->nblocks, sizeof *list, by_queue_and_id);
    for (size_t i = 1; rc == 0 && i < prog->nblocks; i++) {
        const struct prog_block *a = list[i - 1], *b = list[i];
        const struct prog_queue *q = &prog->queues[b->queue];
        if (a->queue != b->queue || a->id != b->id || q->extra)
            continue;
        const struct prog_block *later = b->engine > a->engine || b->json_index > a->json_index ? b : a;
        rc = nerr_set(
            p->err, NERR_RULE,
            prog->engines[later->engine].json_name ? prog->engines[later->engine].json_name : prog->sg_dir,
            "dma[%zu].id: queue %s has two blocks with id %" PRIu32, later->json_index, q->name, b->id);
    }
    free(list);
    return rc;
}

static int read_program(struct parse *p, const struct json *j, int engine, struct prog_engine *e)
{
    const struct neff_member *m;
    if (!json_get(json_root(j), "instr"))
        return json_error(j, json_root(j), NULL, p->err, "the required key \"instr\" is missing");
    int rc = parse_member(p, j, json_get(json_root(j), "instr"), &m, &e->bin_name);
    if (rc)
        return rc;
    if ((uint64_t)m->size > UINT32_MAX)
        return json_error(j, json_root(j), "instr", p->err,
                          "Instruction size %zu for %s exceeds maximum supported size %u", m->size,
                          e->bin_name, UINT32_MAX);
    size_t unit = engine == ENG_SP ? SP8_SLOT_BYTES : SLOT_BYTES; /* SP may hold either dialect */
    if (m->size % unit)
        neff_warn(p->neff, e->bin_name, "has %zu bytes, which is no multiple of the %zu-byte slot", m->size,
                  unit);
    e->code_size = m->size;
    e->code = m->size ? m->data : NULL;
    return 0;
}

/* Tables of ACT and DVE: only that what is named exists and has the right type; loading them is another
 * matter. */
static int check_tables(struct parse *p, const struct json *j, int engine)
{
    static const char *const tables[] = { "opcode_table", "datapath_table", "control_fast_table",
                                          "control_slow_table", "control_table" };
    const json_value *v = NULL, *root = json_root(j);
    const struct neff_member *m;
    uint64_t semaphore;
    int rc = 0;
    if (engine == ENG_ACT) {
        rc = json_opt_u64(j, root, "act_semaphore", 0, SEM_COUNT - 1, &semaphore, p->err);
        if (rc == 0)
            rc = json_opt_array(j, root, "activation_function_sets", &v, p->err);
        if (rc == 0) {
            v = NULL;
            rc = json_opt_array(j, root, "profile_meta_data", &v, p->err);
        }
        if (rc == 0 && v && json_count(v) > PROFILE_META_MAX)
            rc = json_error(j, v, NULL, p->err, "has %zu records, at most %u are allowed", json_count(v),
                            PROFILE_META_MAX);
    } else if (engine == ENG_DVE) {
        rc = json_opt_object(j, root, "dve_tables", &v, p->err);
        for (size_t i = 0; rc == 0 && v && i < sizeof tables / sizeof tables[0]; i++)
            if (json_get(v, tables[i]))
                rc = parse_member(p, j, json_get(v, tables[i]), &m, NULL);
    }
    return rc;
}

static int read_engine(struct parse *p, int engine, struct prog_engine *e)
{
    struct json *j;
    int rc = parse_document(p, e->json_name, &j);
    if (rc)
        return rc;
    rc = read_program(p, j, engine, e);
    if (rc == 0)
        rc = check_tables(p, j, engine);
    if (rc == 0)
        rc = parse_blocks(p, j, e->json_name, engine);
    json_free(j);
    return rc;
}

int parse_engines(struct parse *p, const struct json *def)
{
    int rc = 0;
    for (int i = 0; rc == 0 && i < PROG_ENGINES; i++) {
        struct prog_engine *e = &p->prog->engines[i];
        const json_value *v = json_get(json_root(def), program_engine_name(i));
        const struct neff_member *m;
        if (!v) {
            neff_warn(p->neff, p->prog->graph_name, "Engine %s not found in NEFF %s, using empty placeholder",
                      program_engine_name(i), neff_get_header(p->neff)->name);
            continue;
        }
        e->present = true;
        rc = parse_member(p, def, v, &m, &e->json_name);
        if (rc == 0)
            rc = read_engine(p, i, e);
    }
    return rc;
}
