/*
 * Judging one sequencer: every event must be its next step (ref_seqnext.c); run states, faults and breaks
 * follow tpb-image.md §1-§3.
 */
#include "refmodel/ref_private.h"

#include <inttypes.h>
#include <string.h>

static int unexpected(struct ref *r, unsigned engine, const struct dev_event *ev, struct nerr *err)
{
    char step[256], text[200];
    seq_step_text(r, engine, step, sizeof step);
    dev_event_text(ev, text, sizeof text);
    const char *got = strstr(text, "  "); /* the report names the clock already */
    return ref_wrong(err, ref_engine_name(engine), "did '%s', but at PC 0x%" PRIx64 " the next step is: %s",
                     got ? got + 2 : text, r->seq[engine].pc, step);
}

static int differs(struct ref *r, unsigned engine, const char *what, uint64_t got, uint64_t right,
                   struct nerr *err)
{
    return ref_wrong(err, ref_engine_name(engine),
                     "%s 0x%" PRIx64 " at PC 0x%" PRIx64 "; right is 0x%" PRIx64, what, got,
                     r->seq[engine].pc, right);
}

/* ---- applying ---- */

static void log_lreg(struct ref *r, unsigned engine, uint32_t off, uint32_t old)
{
    reg_changed(r, ref_lreg_base(engine) + off, old);
}

static void set_run_state(struct ref *r, unsigned engine, uint32_t v)
{
    struct lreg_file *f = &r->seq[engine].lreg;
    log_lreg(r, engine, LREG_RUN_STATE_OFF, f->run_state);
    f->run_state = v;
}

static void set_lr(struct ref *r, unsigned engine, unsigned n, uint32_t v)
{
    struct lreg_file *f = &r->seq[engine].lreg;
    log_lreg(r, engine, LREG_LR_BASE + n * LREG_LR_STRIDE, f->lr[n]);
    f->lr[n] = v;
}

static void stop(struct ref *r, unsigned engine, int state, uint32_t reason)
{
    struct seq *s = &r->seq[engine];
    s->state = state;
    if (state == ESTATE_PAUSED) {
        set_run_state(r, engine, RUN_PAUSED);
        return;
    }
    set_lr(r, engine, LR(LREG_PC_LO_OFF), (uint32_t)s->pc);
    set_lr(r, engine, LR(LREG_PC_HI_OFF), (uint32_t)(s->pc >> 32));
    if (state == ESTATE_HALTED)
        set_lr(r, engine, LR(LREG_HALT_REASON_OFF), reason);
    set_run_state(r, engine, RUN_MARKER);
}

static void start(struct ref *r, unsigned engine)
{
    struct seq *s = &r->seq[engine];
    struct lreg_file *f = &s->lreg;
    bool resumed = s->state == ESTATE_PAUSED;
    if (!resumed)
        s->pc = seq_pair(r, engine, LREG_PC_LO_OFF, LREG_PC_HI_OFF);
    s->base = seq_pair(r, engine, LREG_BOUND_LO_LO_OFF, LREG_BOUND_LO_HI_OFF);
    s->upper = seq_pair(r, engine, LREG_BOUND_HI_LO_OFF, LREG_BOUND_HI_HI_OFF);
    s->bounded = s->base || s->upper;
    s->state = ESTATE_RUNNING;
    s->fault.set = false;
    s->step = STEP_FETCH;
    log_lreg(r, engine, LREG_START_CTRL_OFF, f->start);
    f->start = 0;
    set_run_state(r, engine, RUN_RUNNING);
    if (engine == ENG_SP && f->lr[LR(LREG_SP_MODE_OFF)] & SP_MODE_SP8 && !resumed) {
        s->fault = (struct fault){ .set = true, .code = FAULT_BAD_OPCODE };
        s->step = STEP_FAULT_RECORD;
    }
}

/* An external break stops between instructions or at a wait that has had no effect yet (tpb-image.md §1.3).
 */
static bool breakable(const struct seq *s)
{
    if (s->state != ESTATE_RUNNING)
        return false;
    return s->step == STEP_FETCH || (s->step == STEP_FAULT_RECORD && s->fault.at_fetch) ||
           s->step == STEP_WAIT0 || (s->step == STEP_WAIT1 && !s->side_effect);
}

static int judge_state(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    unsigned e = ev->unit;
    struct seq *s = &r->seq[e];
    struct dev_event want;
    if (ev->code == ESTATE_RESET) {
        if (!s->lreg.reset || ev->addr != 0)
            return unexpected(r, e, ev, err);
        s->lreg.reset = false;
        s->strong = false;
        s->pc = 0;
        s->state = ESTATE_RESET;
        s->step = STEP_FETCH;
        s->fault.set = false;
        s->soft_reset = 0;
        memset(s->regs, 0, sizeof s->regs);
        set_run_state(r, e, RUN_IDLE);
        return 0;
    }
    if (ev->code == ESTATE_HALTED && ev->index == HALT_EXT_BREAK && s->lreg.surprise &&
        seq_sees_lreg(r, e, LREG_INSTR_HALT_CTRL_OFF) && breakable(s)) {
        if (ev->addr != s->pc)
            return differs(r, e, "external break reports resume PC", ev->addr, s->pc, err);
        log_lreg(r, e, LREG_INSTR_HALT_CTRL_OFF, s->lreg.halt_ctrl);
        s->lreg.halt_ctrl = 0;
        s->lreg.surprise = s->lreg.break_lost = s->fault.set = false;
        s->step = STEP_FETCH;
        stop(r, e, ESTATE_HALTED, HALT_EXT_BREAK);
        return 0;
    }
    bool ready = seq_expect(r, e, &want);
    bool paused = want.kind == EV_SEQ_STATE && s->step == STEP_STOP && s->state == ESTATE_RUNNING &&
                  ev->code == ESTATE_PAUSED;
    if (!ready || want.kind != EV_SEQ_STATE || (ev->code != want.code && !paused))
        return unexpected(r, e, ev, err);
    if (ev->code == ESTATE_IDLE) {
        s->state = ESTATE_IDLE;
        s->lreg.reset = s->lreg.release != 0; /* written in this clock */
        return 0;
    }
    if (ev->addr != want.addr)
        return differs(r, e, "state change reports PC", ev->addr, want.addr, err);
    if (ev->code == ESTATE_RUNNING) {
        start(r, e);
        return 0;
    }
    if (paused) {
        stop(r, e, ESTATE_PAUSED, 0);
        return 0;
    }
    if (ev->index != want.index)
        return differs(r, e, "halt reason", ev->index, want.index, err);
    if (ev->code == ESTATE_FAULT && ev->value != want.value)
        return differs(r, e, "error word", ev->value, want.value, err);
    stop(r, e, ev->code, ev->index);
    return 0;
}

static int judge_issue(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    unsigned e = ev->unit;
    struct seq *s = &r->seq[e];
    s->fault = (struct fault){ 0 };
    slot_decode(r, s);
    for (unsigned i = 0; i < SLOT_BYTES; i++) {
        uint8_t got = (uint8_t)(ev->words[i / 4] >> (8 * (i % 4)));
        if (got != s->slot.bytes[i])
            return ref_wrong(err, ref_engine_name(e),
                             "presents slot PC 0x%" PRIx64 " with byte 0x%02x = 0x%02x; memory holds 0x%02x",
                             s->pc, i, got, s->slot.bytes[i]);
    }
    s->side_effect = false;
    s->step = s->fault.set ? STEP_FAULT_RECORD : STEP_WAIT0;
    return 0;
}

static void read_done(struct seq *s)
{
    struct slot *t = &s->slot;
    if (s->read.data < s->folded)
        s->folded = s->read.data;
    s->read.answered = false;
    if (t->part + 1 != t->nreads)
        return;
    if (t->nregs)
        t->reg_val[0] = s->folded; /* one read: its data; POLL_SEM: the minimum */
    if (t->op == OP_POLL_SEM) {
        t->write_data = s->folded;
        t->nwrites = s->folded ? t->nreads : 0;
    }
}

static void memory_error(struct seq *s, uint64_t addr)
{
    struct note n = { .w0 = NERR_MEMORY_ERROR | (uint32_t)NTYPE_TPB_ERROR << NOTIF_W0_TYPE_LSB,
                      .w1 = (uint32_t)addr };
    note_push(&s->errors, &n);
}

static int judge_write(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    struct seq *s = &r->seq[ev->unit];
    struct bus_write *w = wq_issue(r, &s->writes, ev->addr, ev->value);
    if (!w)
        return ref_wrong(err, ref_engine_name(ev->unit), "has more than %" PRIu32 " unanswered writes",
                         s->writes.size);
    for (unsigned i = 0; i < ev->value; i++)
        w->bytes[i] = (uint8_t)(ev->data >> (8 * i));
    if (s->refused.set && s->refused.addr == (ev->addr & ~(uint64_t)SOC_ADDR_ATTR_MASK))
        s->writes.committed++; /* there was no other write on the way then */
    s->refused.set = false;
    s->slot.in_order = s->strong || s->lreg.high[0] & LREG_MODE_ORDERING_MASK;
    return 0;
}

static int judge_wresp(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    struct seq *s = &r->seq[ev->unit];
    struct bus_write *w = wq_unanswered(&s->writes);
    if (!w)
        return ref_wrong(err, ref_engine_name(ev->unit),
                         "got a write response, but no write of it was committed and is unanswered");
    if (ev->code != w->resp)
        return ref_wrong(err, ref_engine_name(ev->unit),
                         "the write of %" PRIu32 " B at 0x%" PRIx64 " got response %u; right is %u", w->len,
                         w->addr, ev->code, w->resp);
    if (w->resp != AXI_OKAY)
        memory_error(s, w->addr);
    s->writes.answered++;
    return 0;
}

static void retire(struct seq *s)
{
    struct slot *t = &s->slot;
    s->retired++;
    s->soft_reset = (uint16_t)(s->soft_reset + t->counts_done);
    if (t->op == OP_SET_ORDERING_MODE)
        s->strong = t->bytes[SLOT_ORDER_MODE_OFF] == ORDER_STRONG;
    s->pc = t->next_pc;
    s->step = t->op == OP_HALT ? STEP_STOP : STEP_FETCH;
}

/* Compares what every kind of step has in common. */
static int same_step(struct ref *r, const struct dev_event *ev, const struct dev_event *want,
                     struct nerr *err)
{
    unsigned e = ev->unit;
    bool is_event = want->code == WAIT_EVT_SET || want->code == WAIT_EVT_CLEAR || wait_has_effect(want->code);
    switch (ev->kind) {
    case EV_SEQ_PASS:
        if (ev->queue != want->queue ||
            (ev->code != want->code && ev->code != (want->code & ~(unsigned)WAIT_REG_BIT)) ||
            ev->index != want->index || (ev->value != want->value && !(is_event && ev->value == 0)))
            return unexpected(r, e, ev, err);
        return 0;
    case EV_SEQ_READ:
        if (ev->addr != want->addr)
            return differs(r, e, "reads address", ev->addr, want->addr, err);
        if (ev->data != want->data)
            return differs(r, e, "read data", ev->data, want->data, err);
        if (ev->code != want->code)
            return differs(r, e, "read response", ev->code, want->code, err);
        return 0;
    case EV_SEQ_REG:
        if (ev->index != want->index)
            return differs(r, e, "writes register", ev->index, want->index, err);
        return ev->value == want->value ? 0 : differs(r, e, "register becomes", ev->value, want->value, err);
    case EV_SEQ_WRITE:
        if (ev->addr != want->addr)
            return differs(r, e, "writes address", ev->addr, want->addr, err);
        if (ev->value != want->value)
            return differs(r, e, "writes bytes", ev->value, want->value, err);
        return ev->data == want->data ? 0 : differs(r, e, "writes data", ev->data, want->data, err);
    case EV_SEQ_RETIRE:
        if (ev->addr != want->addr)
            return differs(r, e, "retires PC", ev->addr, want->addr, err);
        return ev->data == want->data ? 0 : differs(r, e, "goes on at", ev->data, want->data, err);
    default:
        return ev->addr == want->addr ? 0 : differs(r, e, "issues PC", ev->addr, want->addr, err);
    }
}

int ref_seq(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    unsigned e = ev->unit;
    struct seq *s = &r->seq[e];
    struct slot *t = &s->slot;
    struct dev_event want;
    int rc;
    seq_settle(r, e);
    if (ev->kind == EV_SEQ_WRESP)
        return judge_wresp(r, ev, err);
    if (ev->kind == EV_SEQ_STATE)
        return judge_state(r, ev, err);
    bool ready = seq_expect(r, e, &want);
    /* A write-back to address 0 may be taken as "none". */
    if (ev->kind == EV_SEQ_RETIRE && want.kind == EV_SEQ_WRITE && t->writes_optional) {
        t->nwrites = 0;
        seq_settle(r, e);
        ready = seq_expect(r, e, &want);
    }
    if (s->state != ESTATE_RUNNING || ev->kind != want.kind || !ready)
        return unexpected(r, e, ev, err);
    rc = same_step(r, ev, &want, err);
    if (rc)
        return rc;
    switch (ev->kind) {
    case EV_SEQ_ISSUE:
        rc = judge_issue(r, ev, err);
        break;
    case EV_SEQ_PASS:
        s->step++;
        break;
    case EV_SEQ_READ:
        if (ev->code != AXI_OKAY)
            memory_error(s, ev->addr);
        read_done(s);
        t->part++;
        break;
    case EV_SEQ_REG:
        s->regs[want.index] = want.value;
        t->part++;
        break;
    case EV_SEQ_WRITE:
        rc = judge_write(r, ev, err);
        t->part++;
        break;
    default:
        retire(s);
        break;
    }
    return rc;
}

int ref_seq_sem(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    unsigned e = ev->code;
    struct seq *s = &r->seq[e];
    struct dev_event want;
    seq_settle(r, e);
    bool ready = seq_expect(r, e, &want);
    if (s->state != ESTATE_RUNNING || want.kind != EV_SEM || !ready)
        return unexpected(r, e, ev, err);
    bool clear_read = s->step == STEP_EXEC && ev->words[0] == UPD_SEM_WR_IMM_READ;
    unsigned action = want.words[0] & ~(unsigned)(UPD_COMPLETE_BIT | UPD_REG_BIT);
    bool no_operand = action < UPD_SEM_ADD_IMM_READ;
    if (ev->index != want.index || ev->queue != want.queue || (ev->words[0] != want.words[0] && !clear_read))
        return unexpected(r, e, ev, err);
    if (ev->value != want.value && !(no_operand && ev->value <= 1))
        return differs(r, e, "update operand", ev->value, want.value, err);
    return 0;
}

void ref_seq_sem_done(struct ref *r, unsigned engine)
{
    struct seq *s = &r->seq[engine];
    if (s->step == STEP_EFFECT0 || s->step == STEP_EFFECT1)
        s->side_effect = true;
    if (s->step == STEP_EXEC)
        s->slot.part++;
    else
        s->step++;
}

int ref_seq_note(struct ref *r, unsigned engine, const struct dev_event *ev, struct nerr *err)
{
    struct seq *s = &r->seq[engine];
    struct dev_event want;
    seq_settle(r, engine);
    bool ready = seq_expect(r, engine, &want);
    /* A break that finds instr_halt_ctrl 0 again is a fault; it is seen by its record. */
    if (s->lreg.break_lost && breakable(s) && (want.kind != EV_NQ_IN || ev->words[1] != want.words[1])) {
        seq_break_fault(s);
        ready = seq_expect(r, engine, &want);
    }
    if (s->state != ESTATE_RUNNING || want.kind != EV_NQ_IN || !ready || ev->code != want.code)
        return unexpected(r, engine, ev, err);
    uint32_t mask = s->step == STEP_START_RECORD ? NOTIF_START_W1_RESET_CTR_MASK : ~UINT32_C(0);
    if (ev->words[0] != want.words[0])
        return differs(r, engine, "sends a record with W0", ev->words[0], want.words[0], err);
    if ((ev->words[1] & mask) != (want.words[1] & mask))
        return differs(r, engine, "sends a record with W1", ev->words[1], want.words[1], err);
    if (ev->queue != want.queue)
        return differs(r, engine, "sends a record to queue", ev->queue, want.queue, err);
    if (s->step == STEP_START_RECORD) {
        seq_enter(s, STEP_EXEC);
    } else if (s->step == STEP_EXEC) {
        s->slot.part++;
    } else {
        if (s->step == STEP_FAULT_RECORD) { /* latched before the record is offered (tpb-image §3.2) */
            set_lr(r, engine, LR(LREG_HALT_REASON_OFF), HALT_FATAL);
            set_lr(r, engine, LR(LREG_ERROR_WORD_OFF), seq_error_word(r, engine));
        }
        s->step++;
    }
    return 0;
}

int ref_seq_memory_error(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    for (unsigned e = 0; e < ENG_COUNT; e++) {
        struct note *n = note_front(&r->seq[e].errors);
        if (n && n->w0 == ev->words[0] && n->w1 == ev->words[1]) {
            note_pop(&r->seq[e].errors);
            return 0;
        }
    }
    return ref_wrong(err, "NOTIFIC",
                     "accepts MEMORY_ERROR record %08" PRIx32 " %08" PRIx32
                     ", but no access of a sequencer failed so",
                     ev->words[0], ev->words[1]);
}
