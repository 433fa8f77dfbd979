/*
 * What a sequencer does next: the order of the steps of a slot (tpb-sequencer.md §2.4, §4.1) and the event
 * each step makes. seq_expect() builds that event; ref_seq.c compares and applies it.
 */
#include "refmodel/ref_private.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const uint8_t record_class[ENG_COUNT] = {
    [ENG_PE] = NCLASS_PE_0,   [ENG_ACT] = NCLASS_ACT_0, [ENG_POOL] = NCLASS_POOL_0,
    [ENG_DVE] = NCLASS_DVE_0, [ENG_SP] = NCLASS_SP,
};
static const uint8_t fatal_class[ENG_COUNT] = {
    [ENG_PE] = NCLASS_PE_FATAL,   [ENG_ACT] = NCLASS_ACT_FATAL, [ENG_POOL] = NCLASS_POOL_FATAL,
    [ENG_DVE] = NCLASS_DVE_FATAL, [ENG_SP] = NCLASS_SP_FATAL,
};
static const uint8_t block_id[ENG_COUNT] = {
    [ENG_PE] = BLOCKID_PE,   [ENG_ACT] = BLOCKID_ACT, [ENG_POOL] = BLOCKID_POOL,
    [ENG_DVE] = BLOCKID_DVE, [ENG_SP] = BLOCKID_SP,
};

bool wait_has_effect(uint8_t wait_mode)
{
    return wait_mode == WAIT_EVT_SET_THEN_CLEAR || wait_mode == WAIT_EVT_CLEAR_THEN_SET;
}

bool seq_outstanding(const struct seq *s)
{
    return s->writes.issued != s->writes.answered;
}

static uint32_t slot_number(const struct seq *s)
{
    return (uint32_t)((s->pc - s->base) / SLOT_BYTES);
}

/* ---- where the slot stands ---- */

void seq_enter(struct seq *s, enum seq_step step)
{
    s->step = step;
    if (step != STEP_EXEC)
        return;
    s->slot.part = 0;
    if (!slot_begin(s))
        s->step = STEP_FAULT_RECORD;
}

/* The operation's present part: kind of event and its number among its kind. 0: execution is complete. */
unsigned seq_exec_part(const struct slot *t, unsigned *i)
{
    *i = t->part;
    if (*i < t->nreads)
        return EV_SEQ_READ;
    *i -= t->nreads;
    if (*i < t->nregs)
        return EV_SEQ_REG;
    *i -= t->nregs;
    if (*i < t->nwrites)
        return EV_SEQ_WRITE;
    *i -= t->nwrites;
    if (*i < t->nsems)
        return EV_SEM;
    *i -= t->nsems;
    return t->notify && *i == 0 ? EV_NQ_IN : 0;
}

static void check_fetch(struct ref *r, struct seq *s)
{
    uint64_t off;
    if (s->pc % SLOT_BYTES) {
        s->fault = (struct fault){ .set = true, .code = FAULT_BAD_OPCODE };
    } else if (s->bounded && (s->pc < s->base || s->pc > s->upper)) {
        s->fault = (struct fault){ .set = true, .code = FAULT_FETCH, .info = FAULT_AUX_BOUNDS };
    } else if (ref_decode(r, s->pc, &off) != TARGET_MEM) {
        s->fault = (struct fault){ .set = true, .code = FAULT_FETCH, .info = FAULT_AUX_BUS_ERROR };
    } else {
        return;
    }
    s->fault.at_fetch = true;
    s->step = STEP_FAULT_RECORD;
}

void seq_break_fault(struct seq *s)
{
    s->fault = (struct fault){ .set = true, .code = FAULT_BAD_OPCODE };
    s->lreg.surprise = s->lreg.halt_ctrl != 0; /* written again since */
    s->lreg.break_lost = false;
    s->step = STEP_FAULT_RECORD;
}

/* Passes over steps that the slot does not have, so that the present step is one with an event. */
void seq_settle(struct ref *r, unsigned engine)
{
    struct seq *s = &r->seq[engine];
    struct slot *t = &s->slot;
    unsigned i;
    if (s->state != ESTATE_RUNNING)
        return;
    for (;;) {
        switch (s->step) {
        case STEP_FETCH:
            check_fetch(r, s);
            return;
        case STEP_WAIT0:
        case STEP_WAIT1: {
            uint8_t mode = t->wait_mode[s->step == STEP_WAIT1];
            if (mode != WAIT_NONE && mode != WAIT_UNORDERED)
                return;
            s->step++;
            break;
        }
        case STEP_EFFECT0:
        case STEP_EFFECT1:
            if (wait_has_effect(t->wait_mode[s->step == STEP_EFFECT1]))
                return;
            s->step++;
            break;
        case STEP_START_RECORD:
            if (t->start_kind != NO_RECORD)
                return;
            seq_enter(s, STEP_EXEC);
            break;
        case STEP_EXEC:
            if (seq_exec_part(t, &i) != 0 || ((t->op == OP_DRAIN || t->in_order) && seq_outstanding(s)))
                return;
            s->step = STEP_UPDATE0;
            break;
        case STEP_UPDATE0:
        case STEP_UPDATE1:
            if (t->upd_mode[s->step == STEP_UPDATE1] != UPD_NONE)
                return;
            s->step++;
            break;
        case STEP_END_RECORD:
            if (t->end_kind != NO_RECORD)
                return;
            s->step = STEP_RETIRE;
            break;
        default:
            return;
        }
    }
}

/* ---- the next event ---- */

static void want_record(const struct ref *r, unsigned engine, unsigned kind, uint32_t ext,
                        struct dev_event *want)
{
    const struct seq *s = &r->seq[engine];
    uint32_t hint = s->slot.bytes[SLOT_HDR_DEBUG_HINT_OFF] & SLOT_HDR_DEBUG_HINT_NIBBLE_MASK;
    want->kind = EV_NQ_IN;
    want->code = record_class[engine];
    want->queue = (uint8_t)nq_route(r, want->code, kind);
    want->nwords = 2;
    want->words[0] = (slot_number(s) & NOTIF_EXPLICIT_W0_PC_MASK) | hint << NOTIF_EXPLICIT_W0_HINT_LSB |
                     (NTYPE_ENG_BASE + engine * NTYPE_ENG_STRIDE + kind) << NOTIF_W0_TYPE_LSB;
    want->words[1] = kind == NKIND_END ? 0 : s->soft_reset | ext << NOTIF_EXPLICIT_W1_HINT_EXT_LSB;
}

uint32_t seq_error_word(const struct ref *r, unsigned engine)
{
    const struct seq *s = &r->seq[engine];
    return (uint32_t)s->fault.code | (uint32_t)block_id[engine] << ERRWORD_W0_BLOCK_ID_LSB |
           (slot_number(s) << ERRWORD_W0_PC_LSB & ERRWORD_W0_PC_MASK) |
           (uint32_t)s->fault.info << ERRWORD_W0_INFO_LSB;
}

static void want_fault(const struct ref *r, unsigned engine, struct dev_event *want)
{
    const struct seq *s = &r->seq[engine];
    want->kind = EV_NQ_IN;
    want->code = fatal_class[engine];
    want->queue = (uint8_t)nq_route(r, want->code, 0);
    want->nwords = 2;
    want->words[0] = NERR_SEQ_FATAL | (uint32_t)s->fault.code << NOTIF_TPB_ERROR_W0_CODE_LSB |
                     (uint32_t)NTYPE_TPB_ERROR << NOTIF_W0_TYPE_LSB;
    want->words[1] = block_id[engine] |
                     (slot_number(s) << NOTIF_TPB_ERROR_W1_PC_LSB & NOTIF_TPB_ERROR_W1_PC_MASK) |
                     (uint32_t)s->fault.info << NOTIF_TPB_ERROR_W1_INFO_LSB;
}

static void want_sem(uint8_t mode, uint8_t idx, uint32_t value, bool by_wait, struct dev_event *want)
{
    want->kind = EV_SEM;
    want->index = idx;
    want->value = value;
    want->queue = by_wait;
    want->nwords = 2;
    want->words[0] = mode;
}

static bool expect_exec(struct ref *r, unsigned engine, struct dev_event *want)
{
    struct seq *s = &r->seq[engine];
    struct slot *t = &s->slot;
    unsigned i;
    want->kind = (uint8_t)seq_exec_part(t, &i);
    switch (want->kind) {
    case EV_SEQ_READ:
        want->addr = t->read_addr + 4 * i;
        want->data = s->read.data;
        want->code = s->read.resp;
        return s->read.answered;
    case EV_SEQ_REG:
        want->index = t->reg[i];
        want->value = t->reg_val[i];
        return true;
    case EV_SEQ_WRITE:
        want->addr = t->write_addr + (uint64_t)t->write_size * i;
        want->data = t->write_data;
        want->value = t->write_size;
        return true;
    case EV_SEM:
        want_sem(UPD_SEM_WR_IMM_COMPLETE, t->sems[i], 0, false, want);
        return true;
    case EV_NQ_IN: {
        const uint8_t *ext = t->bytes + SLOT_NOTIFY_HINT_EXT_OFF;
        want_record(r, engine, NKIND_EXPLICIT, (uint32_t)ext[0] | (uint32_t)ext[1] << 8, want);
        return true;
    }
    default:
        return false; /* DRAIN and strong ordering wait for responses */
    }
}

static uint32_t update_operand(const struct seq *s, unsigned lane)
{
    const struct slot *t = &s->slot;
    return t->upd_mode[lane] & UPD_REG_BIT ? s->regs[t->upd_val[lane]] : t->upd_val[lane];
}

static bool expect_state(const struct ref *r, unsigned engine, struct dev_event *want)
{
    const struct seq *s = &r->seq[engine];
    want->kind = EV_SEQ_STATE;
    want->addr = s->pc;
    if (s->lreg.reset || s->lreg.release) {
        want->code = ESTATE_RESET;
        want->addr = 0;
        return s->lreg.reset;
    }
    if (s->state == ESTATE_RESET) {
        want->code = ESTATE_IDLE;
        return true;
    }
    want->code = ESTATE_RUNNING;
    if (s->state != ESTATE_PAUSED)
        want->addr = seq_pair(r, engine, LREG_PC_LO_OFF, LREG_PC_HI_OFF);
    return s->state != ESTATE_FAULT && s->lreg.start != 0;
}

bool seq_expect(struct ref *r, unsigned engine, struct dev_event *want)
{
    struct seq *s = &r->seq[engine];
    struct slot *t = &s->slot;
    memset(want, 0, sizeof *want);
    want->unit = (uint8_t)engine;
    if (s->state != ESTATE_RUNNING)
        return expect_state(r, engine, want);
    unsigned lane = s->step == STEP_WAIT1 || s->step == STEP_EFFECT1 || s->step == STEP_UPDATE1;
    switch (s->step) {
    case STEP_FETCH:
        want->kind = EV_SEQ_ISSUE;
        want->addr = s->pc;
        return true;
    case STEP_WAIT0:
    case STEP_WAIT1:
        want->kind = EV_SEQ_PASS;
        want->queue = (uint8_t)lane;
        want->code = t->wait_mode[lane];
        want->index = t->wait_idx[lane];
        want->value = t->wait_val[lane];
        return evt_predicate(r, &r->evt[0], t->wait_mode[lane], t->wait_idx[lane], t->wait_val[lane]);
    case STEP_EFFECT0:
    case STEP_EFFECT1:
        want_sem(t->wait_mode[lane] == WAIT_EVT_SET_THEN_CLEAR ? EVT_WAIT_CLEAR : EVT_WAIT_SET,
                 t->wait_idx[lane], 0, true, want);
        return true;
    case STEP_START_RECORD:
        want_record(r, engine, t->start_kind, 0, want);
        return true;
    case STEP_EXEC:
        return expect_exec(r, engine, want);
    case STEP_UPDATE0:
    case STEP_UPDATE1:
        want_sem(t->upd_mode[lane], t->upd_idx[lane], update_operand(s, lane), false, want);
        return true;
    case STEP_END_RECORD: {
        const uint8_t *ext = t->bytes + SLOT_NOTIFY_HINT_EXT_OFF;
        bool with_ext = t->bytes[SLOT_HDR_DEBUG_CMD_OFF] == DBG_INS_FIELD;
        want_record(r, engine, t->end_kind, with_ext ? (uint32_t)ext[0] | (uint32_t)ext[1] << 8 : 0, want);
        return true;
    }
    case STEP_RETIRE:
        want->kind = EV_SEQ_RETIRE;
        want->addr = s->pc;
        want->data = t->next_pc;
        return true;
    case STEP_STOP:
        want->kind = EV_SEQ_STATE;
        want->code = ESTATE_HALTED;
        want->index = HALT_INSTRUCTION;
        want->addr = s->pc;
        return true;
    case STEP_FAULT_RECORD:
        want_fault(r, engine, want);
        return true;
    default:
        want->kind = EV_SEQ_STATE;
        want->code = ESTATE_FAULT;
        want->index = HALT_FATAL;
        want->value = seq_error_word(r, engine);
        want->addr = s->pc;
        return true;
    }
}

/* ---- texts ---- */

static const char *predicate_text(uint8_t mode)
{
    switch (mode) {
    case WAIT_EVT_SET:
    case WAIT_EVT_SET_THEN_CLEAR:
        return "set";
    case WAIT_EVT_CLEAR:
    case WAIT_EVT_CLEAR_THEN_SET:
        return "clear";
    default:
        break;
    }
    switch (mode & ~(unsigned)WAIT_REG_BIT) {
    case WAIT_SEM_EQ_IMM:
        return "==";
    case WAIT_SEM_LT_IMM:
        return "<";
    case WAIT_SEM_LE_IMM:
        return "<=";
    case WAIT_SEM_GT_IMM:
        return ">";
    default:
        return ">=";
    }
}

static void wait_text(const struct ref *r, const struct slot *t, unsigned lane, char *buf, size_t size)
{
    uint8_t mode = t->wait_mode[lane], idx = t->wait_idx[lane];
    if (mode == WAIT_EVT_SET || mode == WAIT_EVT_CLEAR || wait_has_effect(mode))
        snprintf(buf, size, "wait lane %u until E[%u] is %s (it is %s)", lane, idx, predicate_text(mode),
                 r->evt[0].event[idx] ? "set" : "clear");
    else
        snprintf(buf, size, "wait lane %u until S[%u] %s %" PRId32 " (it is %" PRId32 ")", lane, idx,
                 predicate_text(mode), (int32_t)t->wait_val[lane], (int32_t)r->evt[0].sem[idx]);
}

static const char *const state_names[] = { "RESET", "IDLE", "RUNNING", "PAUSED", "HALTED", "FAULT" };

void seq_step_text(struct ref *r, unsigned engine, char *buf, size_t size)
{
    struct seq *s = &r->seq[engine];
    struct dev_event want;
    bool ready = seq_expect(r, engine, &want);
    if (s->state == ESTATE_RUNNING && (s->step == STEP_WAIT0 || s->step == STEP_WAIT1)) {
        wait_text(r, &s->slot, s->step == STEP_WAIT1, buf, size);
    } else if (s->state != ESTATE_RUNNING && !ready) {
        snprintf(buf, size, "nothing: the engine is %s", state_names[s->state]);
    } else if (want.kind == 0) {
        snprintf(buf, size, "wait until %" PRIu32 " write responses are in",
                 s->writes.issued - s->writes.answered);
    } else if (want.kind == EV_SEQ_ISSUE) {
        snprintf(buf, size, "SEQ_ISSUE of that slot");
    } else if (want.kind == EV_SEM) {
        unsigned action = want.words[0] & ~(unsigned)(UPD_COMPLETE_BIT | UPD_REG_BIT);
        snprintf(buf, size, "SEM %s %s[%" PRIu32 "] mode 0x%02" PRIx32 " operand %" PRId32,
                 want.queue ? "by the wait," : "update of", action <= UPD_EVT_CLR_READ ? "E" : "S",
                 want.index, want.words[0], (int32_t)want.value);
    } else {
        char text[160];
        want.cycle = r->cycle;
        dev_event_text(&want, text, sizeof text);
        const char *after = strstr(text, dev_event_name(want.kind));
        snprintf(buf, size, "%s%s", after ? after : text, ready ? "" : ", not before a response is in");
    }
}
