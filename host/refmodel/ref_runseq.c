/* Stand-alone steps of the sequencers, of what sends records and of NOTIFIC: see ref_run.c. */
#include "refmodel/ref_run.h"

#include "util/bytes.h"

#define SEQ_WRITES_OUT 8u

/* ---- records ---- */

/* Sends a record to its NOTIFIC input; false when the input holds the source back. */
static bool send_note(struct ref *r, struct dev_event *ev)
{
    bool on = nq_class_on(&r->nq, ev->code), room = nq_input_room(r, ev->code);
    if (on && !room && nq_class_lossless(&r->nq, ev->code))
        return false;
    ev->kind = EV_NQ_IN;
    ev->nwords = 2;
    ref_emit(r, ev);
    if (on && room)
        return true;
    ev->kind = EV_NQ_DROP;
    ev->code = on ? NDROP_INPUT_FULL : NDROP_CLASS_OFF;
    ref_emit(r, ev);
    return true;
}

static bool send_waiting(struct ref *r, struct note_ring *ring, unsigned class_bit)
{
    const struct note *n = note_front(ring);
    if (!n)
        return false;
    struct dev_event ev = { .code = (uint8_t)class_bit, .queue = (uint8_t)nq_route(r, class_bit, 0) };
    ev.words[0] = n->w0;
    ev.words[1] = n->w1;
    return send_note(r, &ev);
}

bool ref_sources_step(struct ref *r)
{
    const struct note *e = note_front(&r->evt_errors.notes);
    unsigned error_class =
        e && (e->w0 & 0xff) == NERR_EVENT_ERROR ? NCLASS_ERROR_EVENT_ERROR : NCLASS_ERROR_SEMAPHORE_ERROR;
    for (unsigned i = 0; i < ENG_COUNT; i++)
        if (send_waiting(r, &r->seq[i].errors, NCLASS_ERROR_MEMORY_ERROR))
            return true;
    return send_waiting(r, &r->evt_notes.notes, NCLASS_EVSEM) ||
           send_waiting(r, &r->evt_errors.notes, error_class) ||
           send_waiting(r, &r->fake_errors, NCLASS_ERROR_FAKE_ERROR);
}

bool ref_notific_step(struct ref *r)
{
    struct notific *n = &r->nq;
    const struct note *rec = NULL;
    unsigned c = 0;
    for (unsigned i = 0; i < NCLASS_COUNT && !rec; i++) {
        c = (n->turn + i) % NCLASS_COUNT;
        rec = note_front(&n->in[c]);
    }
    if (!rec || n->writes.issued - n->writes.answered >= NQ_MAX_OUT)
        return false;
    struct dev_event ev = { .kind = EV_NQ_DROP, .queue = rec->queue, .code = NDROP_QUEUE_OFF, .nwords = 2 };
    ev.words[0] = rec->w0;
    ev.words[1] = rec->w1;
    bool on = nq_ring_on(n, rec->queue);
    uint32_t bit = UINT32_C(1) << rec->queue;
    bool full = on && nq_ring_full(&n->q[rec->queue]);
    if (full && n->sw_bp & bit)
        return false; /* stalls the whole output path until the host moves the head */
    n->turn = (c + 1) % NCLASS_COUNT;
    if (!on)
        return ref_emit(r, &ev);
    if (full && !(n->overflow & bit)) {
        ev.code = NDROP_RING_FULL;
        return ref_emit(r, &ev);
    }
    struct nq_ring *q = &n->q[rec->queue];
    uint64_t base = ((uint64_t)q->base_hi << 32 | q->base_lo) & ~(uint64_t)(NQ_RECORD_BYTES - 1);
    uint64_t t = nq_time(n, r->cycle);
    if (t < n->last_time)
        t = n->last_time;
    ev.kind = EV_NQ_WR;
    ev.code = 0;
    ev.nwords = 4;
    ev.index = q->tail;
    ev.addr = base + (n->uart ? 0 : q->tail);
    ev.words[0] |= (uint32_t)q->phase << NOTIF_W0_PHASE_LSB;
    if (full || (q->lost && q->lost_in == 0))
        ev.words[0] |= NOTIF_W0_SW_OVF_MASK;
    if (rec->hw_ovf)
        ev.words[0] |= NOTIF_W0_HW_OVF_MASK;
    ev.words[2] = (uint32_t)t;
    ev.words[3] = (uint32_t)(t >> 32);
    return ref_emit(r, &ev);
}

/* ---- sequencers ---- */

static bool evt_record_due(const struct ref *r, const struct dev_event *sem)
{
    bool bracket = sem->data <= r->tpb.low || sem->data >= r->tpb.high;
    return r->tpb.notify & TPB_EVT_NOTIFY_EN_MASK && (!sem->dir || bracket);
}

static bool seq_sem(struct ref *r, unsigned e, const struct dev_event *want)
{
    struct dev_event ev = ref_sem_event(r, 0, e, (uint8_t)want->words[0], (uint8_t)want->index, want->value);
    ev.queue = want->queue;
    return (!evt_record_due(r, &ev) || evt_engine_record_room(r)) && ref_emit(r, &ev);
}

bool ref_seq_step(struct ref *r, unsigned e)
{
    struct seq *s = &r->seq[e];
    struct dev_event want;
    seq_settle(r, e);
    bool at_wait = s->step == STEP_WAIT0 || (s->step == STEP_WAIT1 && !s->side_effect);
    if (s->lreg.reset && s->writes.issued == s->writes.answered) {
        struct dev_event ev = { .kind = EV_SEQ_STATE, .unit = (uint8_t)e, .code = ESTATE_RESET, .addr = 0 };
        return ref_emit(r, &ev);
    }
    if (s->state == ESTATE_RUNNING && s->lreg.surprise && (s->step == STEP_FETCH || at_wait)) {
        struct dev_event ev = { .kind = EV_SEQ_STATE,
                                .unit = (uint8_t)e,
                                .code = ESTATE_HALTED,
                                .index = HALT_EXT_BREAK,
                                .addr = s->pc };
        if (s->lreg.halt_ctrl)
            return ref_emit(r, &ev);
        seq_break_fault(s);
    }
    bool ready = seq_expect(r, e, &want);
    if (want.kind == EV_SEQ_WRITE && s->writes.issued - s->writes.answered >= SEQ_WRITES_OUT)
        return false;
    if (want.kind == EV_SEQ_READ && !ready) {
        ref_serve_read(r, e, want.addr, 4, 4);
        return true;
    }
    if (!ready || want.kind == 0)
        return false;
    switch (want.kind) {
    case EV_SEM:
        return seq_sem(r, e, &want);
    case EV_NQ_IN:
        return send_note(r, &want);
    case EV_SEQ_ISSUE: {
        uint8_t slot[SLOT_BYTES];
        ref_mem_read(r, s->pc, slot, sizeof slot);
        want.nwords = SLOT_BYTES / 4;
        for (unsigned i = 0; i < SLOT_BYTES / 4; i++)
            want.words[i] = get_le32(slot + 4 * i);
        return ref_emit(r, &want);
    }
    case EV_SEQ_PASS: /* a side effect commits in the clock of its wait */
        ref_emit(r, &want);
        seq_settle(r, e);
        if (seq_expect(r, e, &want) && want.kind == EV_SEM && want.queue)
            seq_sem(r, e, &want);
        return true;
    default:
        return ref_emit(r, &want);
    }
}
