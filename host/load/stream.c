/*
 * The five programs as source slots: legality, cut into MAIN and functions, the model's semaphores
 * (tpb-sequencer.md §5.4, §5.6, §6; tpb-image.md §4).
 */
#include "load/ctx.h"

#include <string.h>

#include "isa/asm.h"

static const uint8_t *slot_at(const struct load_stream *s, size_t i)
{
    return s->code + i * SLOT_BYTES;
}

static bool is_pseudo(unsigned op)
{
    return (op & OP_PSEUDO_MASK) == OP_PSEUDO_BITS;
}

/* The pseudo slots this loader expands. */
static bool is_expanded(unsigned op)
{
    switch (op) {
    case OP_PSEUDO_DMATRIGGER:
    case OP_PSEUDO_DMABARRIER:
    case OP_PSEUDO_TRIGGER_COLLECTIVE:
    case OP_PSEUDO_BRANCH_LABEL:
    case OP_PSEUDO_FUNCTION_BEGIN:
    case OP_PSEUDO_FUNCTION_RETURN:
    case OP_PSEUDO_FUNCTION_CALL:
    case OP_PSEUDO_SYNC_BARRIER:
    case OP_PSEUDO_CORE_BARRIER:
    case OP_PSEUDO_INST:
        return true;
    default:
        return false;
    }
}

static int check_slot(struct load_ctx *c, struct load_stream *s, size_t i)
{
    unsigned op = slot_at(s, i)[SLOT_HDR_OPCODE_OFF];
    if (isa_check(slot_at(s, i), ISA_SOURCE, c->err)) {
        if (!c->cfg.allow_bad_slots) {
            char text[sizeof c->err->text];
            memcpy(text, c->err->text, sizeof text);
            return ctx_refuse_slot(c, s, i, "%s", text);
        }
        s->verbatim[i] = true;
    } else if (is_pseudo(op) && !is_expanded(op)) {
        if (!c->cfg.allow_bad_slots)
            return ctx_refuse_slot(c, s, i, "%s is not supported", isa_opcode_name(op));
        s->verbatim[i] = true;
    }
    return NERR_OK;
}

unsigned load_op(const struct load_stream *s, size_t i)
{
    return s->verbatim[i] ? OP_NOP : slot_at(s, i)[SLOT_HDR_OPCODE_OFF];
}

static bool op_is(const struct load_stream *s, size_t i, unsigned op)
{
    return load_op(s, i) == op;
}

/* D1 opens a function that goes on to the next D1 or the end; slots before the first are MAIN. */
static int cut(struct load_ctx *c, struct load_stream *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->nslots; i++)
        count += op_is(s, i, OP_PSEUDO_FUNCTION_BEGIN);
    s->main_slots = s->nslots;
    s->funcs = ctx_alloc(c, count, sizeof *s->funcs);
    if (!s->funcs)
        return c->err->code;
    for (size_t i = 0; i < s->nslots; i++) {
        if (!op_is(s, i, OP_PSEUDO_FUNCTION_BEGIN))
            continue;
        struct inst in;
        isa_decode(slot_at(s, i), &in);
        for (size_t k = 0; k < s->nfuncs; k++)
            if (strcmp(s->funcs[k].name, in.u.func.name) == 0)
                return ctx_refuse_slot(c, s, i, "function %s is defined twice", in.u.func.name);
        if (s->nfuncs)
            s->funcs[s->nfuncs - 1].end = i;
        else
            s->main_slots = i;
        struct load_func *f = &s->funcs[s->nfuncs++];
        *f = (struct load_func){ .begin = i,
                                 .end = s->nslots,
                                 .reset_sems = in.u.func.reset_sems,
                                 .ret_lo = in.u.func.ret_lo,
                                 .ret_hi = in.u.func.ret_hi };
        f->name = ctx_text(c, "%s", in.u.func.name);
        if (!f->name)
            return c->err->code;
    }
    bool exit_found = false;
    for (size_t i = 0; i < s->main_slots; i++)
        exit_found |=
            op_is(s, i, OP_PSEUDO_INST) && slot_at(s, i)[SLOT_PSEUDO_SUBOP_OFF] == PSEUDO_EXIT_EXECUTION;
    if (s->nfuncs && !exit_found)
        return ctx_refuse(c, s->bin, "the stream has functions but MAIN has no exit (DF 1)");
    return NERR_OK;
}

/* Semaphores of waits, updates and range clears; 240 and up belong to the harness. */
static int find_semaphores(struct load_ctx *c, struct load_stream *s)
{
    for (size_t i = 0; i < s->nslots; i++) {
        if (s->verbatim[i])
            continue;
        bool used[SEM_COUNT] = { false }, cleared[SEM_COUNT] = { false };
        isa_semaphores(slot_at(s, i), used);
        isa_cleared(slot_at(s, i), cleared);
        for (unsigned k = 0; k < SEM_COUNT; k++) {
            if ((used[k] || cleared[k]) && k >= SEM_HARNESS_FIRST)
                return ctx_refuse_slot(c, s, i,
                                       "semaphore %u belongs to the harness, programs may use 0..239", k);
            c->sems[k] |= used[k];
            if (i >= s->main_slots)
                s->function_sems[k] |= used[k];
        }
    }
    return NERR_OK;
}

static int scan_one(struct load_ctx *c, unsigned engine)
{
    const struct prog_engine *e = &c->prog->engines[engine];
    struct load_stream *s = &c->streams[engine];
    s->engine = engine;
    s->code = e->code;
    size_t size = e->present && e->code ? e->code_size : 0;
    s->bin = e->bin_name ? e->bin_name : ctx_text(c, "(no program of %s)", isa_engine_name(engine));
    if (!s->bin)
        return c->err->code;
    enum isa_dialect dialect = ISA_NEURON;
    struct nerr odd;
    if (engine == ENG_SP && isa_sp_dialect(s->code, size, &dialect, &odd) == 0 && dialect == ISA_SP8)
        return ctx_refuse(c, s->bin, "an SP program of the 8-byte set is not supported yet");
    if (size % SLOT_BYTES)
        return ctx_refuse(c, s->bin, "%zu bytes are not a multiple of 64", size);
    s->nslots = size / SLOT_BYTES;
    s->verbatim = ctx_alloc(c, s->nslots, sizeof *s->verbatim);
    s->triggers = ctx_alloc(c, s->nslots, sizeof *s->triggers);
    if (!s->verbatim || !s->triggers)
        return c->err->code;
    for (size_t i = 0; i < s->nslots; i++) {
        if (check_slot(c, s, i))
            return c->err->code;
        s->barriers += op_is(s, i, OP_PSEUDO_SYNC_BARRIER);
    }
    if (cut(c, s) || load_flow(c, s))
        return c->err->code;
    return find_semaphores(c, s);
}

int load_scan(struct load_ctx *c)
{
    for (unsigned e = 0; e < PROG_ENGINES; e++)
        if (scan_one(c, e))
            return c->err->code;
    for (unsigned e = 1; e < PROG_ENGINES; e++)
        if (c->streams[e].barriers != c->streams[0].barriers)
            return ctx_refuse(c, c->streams[e].bin,
                              "%zu sync barriers (D5) but %s has %zu: the barrier could never be met",
                              c->streams[e].barriers, c->streams[0].bin, c->streams[0].barriers);
    for (size_t q = 0; q < c->prog->nqueues; q++) {
        int64_t sem = c->prog->queues[q].semaphore;
        if (sem < 0)
            continue;
        if (sem >= SEM_HARNESS_FIRST)
            return ctx_refuse(c, c->prog->queues[q].name, "semaphore %lld, queues may use 0..239",
                              (long long)sem);
        c->sems[sem] = true;
    }
    for (unsigned k = 0; k < SEM_COUNT; k++)
        if (c->sems[k])
            c->plan->semaphores[c->plan->nsemaphores++] = k;
    return NERR_OK;
}
