/* Pseudo slots become real ones (tpb-sequencer.md §5). */
#include "load/build.h"

#include <string.h>

enum { CALL_RETURN_DISTANCE = 3 * SLOT_BYTES }; /* MOVE, ALU_OP, COMPARE_BRANCH */

/* One all-engine barrier, gather and release (§5.6): 2 slots on a member, 1 + members on the leader. */
int build_barrier(struct builder *b, const struct inst *pseudo)
{
    static const char *const names[] = { "release PE", "release ACT", "release POOL", "release DVE" };
    struct inst slots[1 + ENG_COUNT];
    const char *what[1 + ENG_COUNT];
    size_t n = 0;
    if (b->s->engine != BARRIER_LEADER) {
        what[n] = "arrive";
        slots[n++] = slot_update(UPD_SEM_ADD_IMM_COMPLETE, SEM_BAR_ARRIVE, 1);
        what[n] = "released";
        slots[n++] = slot_take_one(SEM_BAR_RELEASE + b->s->engine);
    } else {
        const uint32_t members = ENG_COUNT - 1;
        what[n] = "gather";
        slots[n++] = slot_wait_update(members, UPD_SEM_SUB_IMM_COMPLETE, SEM_BAR_ARRIVE, members);
        for (unsigned e = 0; e < members; e++) {
            what[n] = names[e];
            slots[n++] = slot_update(UPD_SEM_ADD_IMM_COMPLETE, SEM_BAR_RELEASE + e, 1);
        }
    }
    return build_group(b, pseudo, slots, what, n);
}

static int expand_trigger(struct builder *b, const struct inst *in)
{
    const struct load_ring *r = &b->c->plan->rings[program_find_queue(b->c->prog, in->u.dmatrig.queue)];
    const struct load_trigger *t = &b->s->triggers[b->source - 1];
    uint64_t base = SOC_UDMA0 + (uint64_t)SOC_UDMA_STRIDE * r->engine;
    struct inst slots[] = { slot_write32(base + load_bank(r->queue, SIDE_S2M) + S2MQ_RDRTP_INC_OFF, t->n_rx),
                            slot_write32(base + load_bank(r->queue, SIDE_M2S) + M2SQ_TDRTP_INC_OFF,
                                         t->n_tx) };
    const char *what[] = { ctx_text(b->c, "RX bell %s", r->name), ctx_text(b->c, "TX bell %s", r->name) };
    return what[0] && what[1] ? build_group(b, in, slots, what, 2) : b->c->err->code;
}

/* The trigger keeps only the wait; whoever executes the collective does the update (§5.3). */
static int expand_collective(struct builder *b, const struct inst *in)
{
    struct inst pseudo = *in;
    pseudo.update_mode = UPD_NONE;
    struct inst slot = slot_write32(SOC_TOPSP0 + EVT_WIN_SEM_INC + (uint64_t)EVT_STRIDE * SEM_CC_MAILBOX, 1);
    const char *what = "collective trigger";
    return build_group(b, &pseudo, &slot, &what, 1);
}

static int expand_call(struct builder *b, const struct inst *in)
{
    const struct load_stream *s = b->s;
    size_t f = 0;
    while (f < s->nfuncs && strcmp(s->funcs[f].name, in->u.call.name) != 0)
        f++;
    if (f == s->nfuncs)
        return ctx_refuse_slot(b->c, s, b->source - 1, "function %s is not defined in this stream",
                               in->u.call.name);
    if (in->u.call.args != CALL_NO_ARGS)
        return ctx_refuse_slot(b->c, s, b->source - 1, "an args table (variable %u) is not supported yet",
                               in->u.call.args);
    struct inst save = isa_inst(OP_MOVE), add = isa_inst(OP_ALU_OP);
    save.u.move.num = 2;
    save.u.move.dtype = DTYPE_UINT32;
    save.u.move.source = SRC_REG;
    save.u.move.src[0] = REG_PC_LO;
    save.u.move.src[1] = REG_PC_HI;
    save.u.move.dst[0] = s->funcs[f].ret_lo;
    save.u.move.dst[1] = s->funcs[f].ret_hi;
    add.u.alu.op = ALU_ADD;
    add.u.alu.dtype = DTYPE_INT32;
    add.u.alu.src1_source = SRC_IMM;
    add.u.alu.src0_lo = add.u.alu.dst_lo = s->funcs[f].ret_lo;
    add.u.alu.imm =
        CALL_RETURN_DISTANCE; /* the slot after the branch; no carry, images cross no 4 GiB line */
    struct inst slots[] = { save, add, slot_branch_to(0) };
    const char *what[] = { ctx_text(b->c, "call %s: save PC", s->funcs[f].name),
                           ctx_text(b->c, "call %s: return address", s->funcs[f].name),
                           ctx_text(b->c, "call %s", s->funcs[f].name) };
    if (!what[0] || !what[1] || !what[2] || build_fixup(b, TO_FUNCTION, f))
        return b->c->err->code;
    b->fixups[b->nfixups - 1].at += 2 * SLOT_BYTES;
    return build_group(b, in, slots, what, 3);
}

static int expand_return(struct builder *b, const struct inst *in)
{
    if (!b->func)
        return ctx_refuse_slot(b->c, b->s, b->source - 1, "a function return outside a function");
    struct inst slots[3];
    const char *what[3];
    size_t n = 0;
    what[n] = "return: drain";
    slots[n] = isa_inst(OP_DRAIN);
    slots[n++].u.drain.count = 1;
    if (b->func->reset_sems) {
        what[n] = "return: clear semaphores";
        slots[n] = isa_inst(OP_EVENT_SEMAPHORE_RANGE_CLEAR);
        slots[n].u.range.mode = RANGE_MASK;
        slot_set_mask(slots[n++].u.range.mask, b->s->function_sems);
    }
    what[n] = "return";
    slots[n] = isa_inst(OP_COMPARE_BRANCH);
    slots[n].u.br.cmp_op = CMP_ALWAYS;
    slots[n].u.br.target_mode = BR_REG;
    slots[n].u.br.target_lo = b->func->ret_lo;
    slots[n++].u.br.target_hi = b->func->ret_hi;
    return build_group(b, in, slots, what, n);
}

/* Where the runtime may load another library: with one library there is nothing to load, and the marker
 * yields no slot. */
static int expand_reload(struct builder *b, const struct inst *in)
{
    if (b->s->engine != ENG_POOL || !b->c->plan->nlibraries)
        return ctx_refuse_slot(b->c, b->s, b->source - 1,
                               "a library reload, but no Q7 library is loaded here");
    if (in->wait_mode != WAIT_NONE || in->update_mode != UPD_NONE)
        return ctx_refuse_slot(b->c, b->s, b->source - 1,
                               "a library reload yields no slot and cannot carry a wait or an update");
    return NERR_OK;
}

static int expand_inst(struct builder *b, const struct inst *in)
{
    if (in->u.pseudo.subop != PSEUDO_EXIT_EXECUTION)
        return expand_reload(b, in);
    struct inst slot = slot_branch_to(0);
    const char *what = "exit";
    return build_fixup(b, TO_POSTAMBLE, 0) ? b->c->err->code : build_group(b, in, &slot, &what, 1);
}

/* A marker yields no slot, so it cannot carry a wait or an update. */
static int expand_marker(struct builder *b, const struct inst *in)
{
    if (in->wait_mode != WAIT_NONE || in->update_mode != UPD_NONE)
        return ctx_refuse_slot(b->c, b->s, b->source - 1,
                               "%s yields no slot and cannot carry a wait or an update",
                               isa_opcode_name(in->opcode));
    if (in->opcode == OP_PSEUDO_BRANCH_LABEL)
        load_find_label(b->s, in->u.label.id)->offset = b->img->size;
    return NERR_OK;
}

static int copy_slot(struct builder *b, const uint8_t *slot, const struct inst *in)
{
    if (in->opcode == OP_COMPARE_BRANCH && in->u.br.target_mode == BR_REL_IMM) {
        const struct load_label *label = load_find_label(b->s, in->u.br.disp);
        if (build_fixup(b, TO_LABEL, (size_t)(label - b->s->labels)))
            return b->c->err->code;
    }
    return build_emit_raw(b, slot, NULL);
}

int build_expand(struct builder *b, const uint8_t *slot, const struct inst *in)
{
    static const char *const barrier_wait = "DMA barrier", *const nop = "core barrier (one core)";
    struct inst one;
    switch (in->opcode) {
    case OP_PSEUDO_DMATRIGGER:
        return expand_trigger(b, in);
    case OP_PSEUDO_DMABARRIER:
        one = isa_inst(OP_EVENT_SEMAPHORE);
        return build_group(b, in, &one, &barrier_wait, 1);
    case OP_PSEUDO_TRIGGER_COLLECTIVE:
        return expand_collective(b, in);
    case OP_PSEUDO_FUNCTION_CALL:
        return expand_call(b, in);
    case OP_PSEUDO_FUNCTION_RETURN:
        return expand_return(b, in);
    case OP_PSEUDO_SYNC_BARRIER:
        return build_barrier(b, in);
    case OP_PSEUDO_CORE_BARRIER: { /* one core: a NOP without events (§5.6) */
        one = isa_inst(OP_NOP);
        struct inst bare = *in;
        bare.wait_mode = WAIT_NONE;
        bare.update_mode = UPD_NONE;
        return build_group(b, &bare, &one, &nop, 1);
    }
    case OP_PSEUDO_INST:
        return expand_inst(b, in);
    case OP_PSEUDO_BRANCH_LABEL:
    case OP_PSEUDO_FUNCTION_BEGIN:
        return expand_marker(b, in);
    default:
        return copy_slot(b, slot, in);
    }
}
