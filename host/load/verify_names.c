/* Names and numbers by which slots and manifests find each other (neff-container.md §22.11). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "load/verify_private.h"
#include "regs.h"

/* Blocks sorted by queue and id, so that a trigger finds its block. */
struct block_key {
    size_t queue;
    uint32_t id;
};

static int by_key(const void *a, const void *b)
{
    const struct block_key *x = a, *y = b;
    if (x->queue != y->queue)
        return x->queue < y->queue ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static struct block_key *sorted_blocks(const struct program *p, size_t *n)
{
    struct block_key *keys = calloc(p->nblocks + 1, sizeof *keys);
    *n = 0;
    for (size_t i = 0; keys && i < p->nblocks; i++)
        if (!p->blocks[i].bad)
            keys[(*n)++] = (struct block_key){ p->blocks[i].queue, p->blocks[i].id };
    if (keys)
        qsort(keys, *n, sizeof *keys, by_key);
    return keys;
}

/* C1: the queue exists and has the block (§5.2). */
static int judge_trigger(struct verify *v, struct verify_stream *s, size_t i, const struct inst *in,
                         const struct block_key *blocks, size_t nblocks)
{
    const struct program *p = v->prog;
    char name[SLOT_DMATRIG_QUEUE_BYTES + 1] = "";
    memcpy(name, in->u.dmatrig.queue, SLOT_DMATRIG_QUEUE_BYTES);
    long queue = program_find_queue(p, name);
    if (queue < 0)
        return p->gaps.queues ? 0
                              : verify_slot(v, FINDING_RULE, s, i, SLOT_DMATRIG_QUEUE_OFF,
                                            "there is no dma_queue \"%s\" in %s", name, p->definition);
    if (in->u.dmatrig.use_raw || p->gaps.blocks || p->queues[queue].bad)
        return 0;
    const struct block_key key = { (size_t)queue, in->u.dmatrig.block };
    if (nblocks && bsearch(&key, blocks, nblocks, sizeof key, by_key))
        return 0;
    return verify_slot(v, FINDING_RULE, s, i, SLOT_DMATRIG_BLOCK_OFF,
                       "queue %s has no block with id %" PRIu32, name, in->u.dmatrig.block);
}

/* A variable by its id. */
static int judge_variable(struct verify *v, struct verify_stream *s, size_t i, int off, const char *what,
                          uint32_t id)
{
    const struct program *p = v->prog;
    if (id < p->nvars || p->gaps.vars)
        return 0;
    return verify_slot(v, FINDING_RULE, s, i, off, "%s is %" PRIu32 ", there are only %zu variables", what,
                       id, p->nvars);
}

/* C8: both tensors and the replica group exist, one stream (§5.3). */
static int judge_collective(struct verify *v, struct verify_stream *s, size_t i, const struct inst *in)
{
    const struct program *p = v->prog;
    int rc = judge_variable(v, s, i, SLOT_CC_INPUT_OFF, "input_tensor_id", in->u.cc.input);
    if (rc == 0)
        rc = judge_variable(v, s, i, SLOT_CC_OUTPUT_OFF, "output_tensor_id", in->u.cc.output);
    if (rc == 0 && in->u.cc.group >= p->ngroups && !p->gaps.groups)
        rc = verify_slot(v, FINDING_RULE, s, i, SLOT_CC_GROUP_OFF,
                         "group_id is %u, replica_groups has %zu topologies", in->u.cc.group, p->ngroups);
    if (rc == 0 && p->num_streams != 1)
        rc = verify_slot(v, FINDING_RULE, s, i, -1,
                         "a collective needs a single stream, the graph has %" PRIu64, p->num_streams);
    return rc;
}

int verify_names(struct verify *v, struct verify_stream *s)
{
    size_t nblocks;
    struct block_key *blocks = sorted_blocks(v->prog, &nblocks);
    int rc = blocks ? 0 : nerr_set(v->err, NERR_MEM, s->bin, "out of memory");
    for (size_t i = 0; rc == 0 && i < s->nslots && !verify_stop(v); i++) {
        unsigned op = verify_op(s, i);
        struct inst in;
        if (op != OP_PSEUDO_DMATRIGGER && op != OP_PSEUDO_TRIGGER_COLLECTIVE && op != OP_PSEUDO_FUNCTION_CALL)
            continue;
        isa_decode(s->code + i * SLOT_BYTES, &in);
        if (op == OP_PSEUDO_DMATRIGGER)
            rc = judge_trigger(v, s, i, &in, blocks, nblocks);
        else if (op == OP_PSEUDO_TRIGGER_COLLECTIVE)
            rc = judge_collective(v, s, i, &in);
        else if (in.u.call.args != UINT32_MAX)
            rc = judge_variable(v, s, i, SLOT_CALL_ARGS_OFF, "args_table_var_id", in.u.call.args);
    }
    free(blocks);
    return rc;
}
