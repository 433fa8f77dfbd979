/*
 * DMA queues: which engine and queue a dma_queue gets, which blocks its rings hold, and the ring of the
 * collective agent (tpb-sequencer.md §5.2, §5.3; udma.md §17.1; slice-walkthrough.md §3, §7).
 */
#include "load/ctx.h"
#include "load/packet.h"
#include "load/runs.h"

#include <string.h>

static void decode(const struct load_stream *s, size_t i, struct inst *in)
{
    isa_decode(s->code + i * SLOT_BYTES, in);
}

/* Bytes a descriptor may touch in a variable; 0 when the kind is not a place for DMA. */
static uint64_t var_limit(const struct prog_var *v)
{
    switch (v->kind) {
    case VARK_SB:
        return SOC_SBUF_BYTES;
    case VARK_BUFFER:
    case VARK_TMP_BUF:
    case VARK_INPUT:
    case VARK_OUTPUT:
    case VARK_VIRTUAL:
        return v->size;
    default:
        return 0;
    }
}

static int check_side(struct load_ctx *c, const struct prog_pattern *p, const char *side, const char *where,
                      uint64_t *bytes)
{
    const struct prog_var *v = &c->prog->vars[p->var];
    const char *wrong = runs_check(p, var_limit(v), bytes);
    return wrong ? ctx_refuse(c, where, "%s %s: %s", side, v->name, wrong) : NERR_OK;
}

static int add_desc(struct load_ctx *c, struct ring_side sides[2], const struct prog_desc *d)
{
    static const char *const ops[] = { "copy", "fma", "add", "min", "max", "transpose" };
    uint64_t source, destination;
    if (d->op != KDMAOP_COPY)
        return ctx_refuse(c, d->where, "operation %s is not supported, copy is",
                          d->op > 0 && d->op <= (int)KDMAOP_TRANSPOSE ? ops[d->op] : "?");
    if (d->nsources > 1)
        return ctx_refuse(c, d->where, "a copy of %zu sources, one is allowed", d->nsources);
    if (check_side(c, &d->from, "from", d->where, &source) ||
        check_side(c, &d->to, "to", d->where, &destination))
        return c->err->code;
    if (d->typed)
        return ctx_refuse(c, d->where, "a copy with element types or a cast is not supported yet");
    if (source != destination)
        return ctx_refuse(c, d->where, "from has %llu bytes, to has %llu", (unsigned long long)source,
                          (unsigned long long)destination);
    if (runs_count(&d->from) > RING_MAX || runs_count(&d->to) > RING_MAX)
        return ctx_refuse(c, d->where, "the copy needs more than %u descriptors", RING_MAX);
    return packet_copy(c, sides, &d->from, &d->to, d->where);
}

static const struct prog_block *find_block(const struct load_ctx *c, unsigned engine, size_t queue,
                                           uint32_t id)
{
    for (size_t i = 0; i < c->prog->nblocks; i++) {
        const struct prog_block *b = &c->prog->blocks[i];
        if (b->queue == queue && b->id == id && b->engine == (int)engine)
            return b;
    }
    return NULL;
}

/*
 * A trigger must run exactly once, in stream order: not in a function, not inside a loop, not under a branch
 * that can skip it, and in no stream with a branch through a register, whose target nobody knows here.
 */
static int check_once(struct load_ctx *c, const struct load_stream *s, size_t slot, const char *more)
{
    if (slot >= s->main_slots)
        return ctx_refuse_slot(c, s, slot, "a trigger inside a function is not supported yet%s", more);
    if (s->register_branch)
        return ctx_refuse_slot(
            c, s, slot,
            "a trigger in a stream with a branch through a register (slot %zu) is not supported "
            "yet%s",
            s->register_branch, more);
    if (s->times[slot] == LOAD_IN_LOOP)
        return ctx_refuse_slot(c, s, slot, "a trigger inside a loop is not supported yet%s", more);
    if (s->times[slot] == LOAD_SKIPPABLE)
        return ctx_refuse_slot(c, s, slot, "a trigger that a branch can skip is not supported yet%s", more);
    return NERR_OK;
}

/* One C1: its block goes to the end of the queue's rings. */
static int add_trigger(struct load_ctx *c, struct load_stream *s, size_t slot)
{
    struct inst in;
    decode(s, slot, &in);
    long q = program_find_queue(c->prog, in.u.dmatrig.queue);
    if (q < 0)
        return ctx_refuse_slot(c, s, slot, "queue %s is not in dma_queue", in.u.dmatrig.queue);
    const struct prog_queue *queue = &c->prog->queues[q];
    if (queue->owner != (int)s->engine)
        return ctx_refuse_slot(c, s, slot, "queue %s belongs to %s", queue->name,
                               isa_engine_name((unsigned)queue->owner));
    if (in.u.dmatrig.use_raw)
        return ctx_refuse_slot(c, s, slot, "a raw descriptor count is not supported yet: it names no block");
    if (check_once(c, s, slot, ""))
        return c->err->code;
    const struct prog_block *b = find_block(c, s->engine, (size_t)q, in.u.dmatrig.block);
    if (!b)
        return ctx_refuse_slot(c, s, slot, "queue %s has no block %u", queue->name, in.u.dmatrig.block);
    struct ring_side *sides = c->sides[q];
    size_t tx = sides[SIDE_M2S].used, rx = sides[SIDE_S2M].used;
    for (size_t i = 0; i < b->ndesc; i++)
        if (add_desc(c, sides, &b->desc[i]))
            return c->err->code;
    if (queue->semaphore >= 0) {
        char *from = ctx_text(c, "def.json %s.semaphore %lld", queue->name, (long long)queue->semaphore);
        if (!from || packet_increment(c, sides, (unsigned)queue->semaphore, from))
            return c->err->code;
    }
    s->triggers[slot].n_tx = (uint32_t)(sides[SIDE_M2S].used - tx);
    s->triggers[slot].n_rx = (uint32_t)(sides[SIDE_S2M].used - rx);
    if (!s->triggers[slot].n_tx)
        return ctx_refuse_slot(c, s, slot, "block %u of queue %s has no descriptors and no semaphore", b->id,
                               queue->name);
    return NERR_OK;
}

static int operand(struct load_ctx *c, const struct load_stream *s, size_t slot, const char *what,
                   uint32_t id, uint64_t offset, uint64_t elements, unsigned elem_bytes,
                   struct prog_pattern *p)
{
    if (id >= c->prog->nvars)
        return ctx_refuse_slot(c, s, slot, "%s tensor %u is not a variable", what, id);
    const struct prog_var *v = &c->prog->vars[id];
    uint64_t bytes, first;
    if (__builtin_mul_overflow(elements, elem_bytes, &bytes) ||
        __builtin_mul_overflow(offset, elem_bytes, &first))
        return ctx_refuse_slot(c, s, slot, "%s tensor %s: the size does not fit 64 bits", what, v->name);
    *p = (struct prog_pattern){ .var = id, .offset = first, .ndim = 1, .sizes = { bytes }, .steps = { 1 } };
    const char *wrong = runs_check(p, var_limit(v), &bytes);
    return wrong ? ctx_refuse_slot(c, s, slot, "%s tensor %s: %s", what, v->name, wrong) : NERR_OK;
}

#define NEEDS_CORE ": it needs the management core"

/* One C8: one block of the agent's ring (slice-walkthrough.md §7). */
static int add_collective(struct load_ctx *c, struct load_stream *s, size_t slot)
{
    struct inst in;
    decode(s, slot, &in);
    if (c->prog->world_size != 1)
        return ctx_refuse_slot(c, s, slot, "a collective of %llu ranks is not supported yet" NEEDS_CORE,
                               (unsigned long long)c->prog->world_size);
    if (c->prog->num_streams != 1)
        return ctx_refuse_slot(c, s, slot, "a collective needs one stream, the program has %llu",
                               (unsigned long long)c->prog->num_streams);
    if (in.u.cc.group >= c->prog->ngroups)
        return ctx_refuse_slot(c, s, slot, "group_id %u, replica_groups has %zu", in.u.cc.group,
                               c->prog->ngroups);
    if (check_once(c, s, slot, NEEDS_CORE))
        return c->err->code;
    unsigned elem = isa_dtype_bytes(in.u.cc.dtype);
    struct prog_pattern from, to;
    if (operand(c, s, slot, "input", in.u.cc.input, in.u.cc.src_offset, in.u.cc.num_elem, elem, &from) ||
        operand(c, s, slot, "output", in.u.cc.output, in.u.cc.dst_offset, in.u.cc.num_elem, elem, &to))
        return c->err->code;
    struct loadplan *p = c->plan;
    struct ring_side *sides = c->sides[p->nrings - 1];
    size_t tx = sides[SIDE_M2S].used, rx = sides[SIDE_S2M].used;
    char *tensors =
        ctx_text(c, "%s slot %zu, tensors %u, %u", s->bin, slot + 1, in.u.cc.input, in.u.cc.output);
    char *update = ctx_text(c, "%s slot %zu, update_idx %u", s->bin, slot + 1, in.update_idx);
    struct load_agent_block *block = &p->agent[p->nagent];
    block->from = ctx_text(c, "%s slot %zu", s->bin, slot + 1);
    if (!tensors || !update || !block->from)
        return c->err->code;
    if (packet_copy(c, sides, &from, &to, tensors) || packet_increment(c, sides, in.update_idx, update))
        return c->err->code;
    block->n_tx = (uint32_t)(sides[SIDE_M2S].used - tx);
    block->n_rx = (uint32_t)(sides[SIDE_S2M].used - rx);
    p->nagent++;
    return NERR_OK;
}

static int place_queues(struct load_ctx *c)
{
    const struct program *prog = c->prog;
    struct loadplan *p = c->plan;
    p->n_dma = c->cfg.n_dma;
    p->agent_engine = LOAD_AGENT_ENGINE;
    p->agent_queue = LOAD_AGENT_QUEUE;
    for (size_t k = 0; k < prog->nqueues; k++) {
        const struct prog_queue *q = &prog->queues[k];
        if (q->ring_kind != RINGK_IN && q->ring_kind != RINGK_OUT && q->ring_kind != RINGK_DATA)
            return ctx_refuse(c, q->name,
                              "a dma_queue of ring kind %d is not supported, in, out and data are",
                              q->ring_kind);
        if (q->extra)
            return ctx_refuse(c, q->name, "a dma_queue with the key %s is not supported yet", q->extra);
        if (k / c->cfg.n_dma > UDMA_Q_PROGRAM_LAST)
            return ctx_refuse(c, q->name, "%zu queues, %u DMA engines hold %u", prog->nqueues, c->cfg.n_dma,
                              c->cfg.n_dma * (UDMA_Q_PROGRAM_LAST + 1));
        p->rings[k] = (struct load_ring){ .name = q->name,
                                          .engine = (unsigned)(k % c->cfg.n_dma),
                                          .queue = (unsigned)(k / c->cfg.n_dma),
                                          .semaphore = q->semaphore,
                                          .prog_queue = (long)k };
    }
    p->nrings = prog->nqueues;
    return NERR_OK;
}

/* Engine of the C8 slots in *engine; their number in *count. */
static int find_collectives(struct load_ctx *c, unsigned *engine, size_t *count)
{
    *count = 0;
    for (unsigned e = 0; e < PROG_ENGINES; e++)
        for (size_t i = 0; i < c->streams[e].nslots; i++) {
            if (load_op(&c->streams[e], i) != OP_PSEUDO_TRIGGER_COLLECTIVE)
                continue;
            if (*count && *engine != e)
                return ctx_refuse_slot(
                    c, &c->streams[e], i,
                    "collectives in the streams of %s and %s are not supported yet" NEEDS_CORE,
                    isa_engine_name(*engine), isa_engine_name(e));
            *engine = e;
            ++*count;
        }
    return NERR_OK;
}

int load_rings(struct load_ctx *c)
{
    struct loadplan *p = c->plan;
    unsigned engine = 0;
    size_t collectives;
    p->rings = ctx_alloc(c, c->prog->nqueues + 1, sizeof *p->rings);
    c->sides = ctx_alloc(c, c->prog->nqueues + 1, sizeof *c->sides);
    if (!p->rings || !c->sides || place_queues(c) || find_collectives(c, &engine, &collectives))
        return c->err->code;
    if (collectives) {
        p->agent = ctx_alloc(c, collectives, sizeof *p->agent);
        char *name = ctx_text(c, "agent");
        if (!p->agent || !name)
            return c->err->code;
        p->rings[p->nrings++] = (struct load_ring){ .name = name,
                                                    .engine = p->agent_engine,
                                                    .queue = p->agent_queue,
                                                    .semaphore = -1,
                                                    .prog_queue = -1 };
    }
    for (unsigned e = 0; e < PROG_ENGINES; e++) {
        struct load_stream *s = &c->streams[e];
        for (size_t i = 0; i < s->nslots; i++) {
            unsigned op = load_op(s, i);
            if ((op == OP_PSEUDO_DMATRIGGER && add_trigger(c, s, i)) ||
                (op == OP_PSEUDO_TRIGGER_COLLECTIVE && add_collective(c, s, i)))
                return c->err->code;
        }
    }
    return NERR_OK;
}
