/*
 * Records: from their source through NOTIFIC's input buffers into the rings (notification-queue.md §8, §9).
 * Per source the order is kept; between sources the arbitration is free.
 */
#include "refmodel/ref_private.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define W0_FLAGS (NOTIF_W0_SW_OVF_MASK | NOTIF_W0_HW_OVF_MASK | NOTIF_W0_PHASE_MASK)

/* ---- record rings of the model ---- */

uint32_t note_count(const struct note_ring *n)
{
    return n->in - n->out;
}

bool note_push(struct note_ring *n, const struct note *rec)
{
    if (note_count(n) == NOTE_RING)
        return false;
    n->e[n->in++ % NOTE_RING] = *rec;
    return true;
}

struct note *note_front(struct note_ring *n)
{
    return note_count(n) ? &n->e[n->out % NOTE_RING] : NULL;
}

struct note *note_back(struct note_ring *n)
{
    return note_count(n) ? &n->e[(n->in - 1) % NOTE_RING] : NULL;
}

void note_pop(struct note_ring *n)
{
    n->out++;
}

/* ---- settings ---- */

static bool class_bit_set(const uint32_t halves[2], unsigned class_bit)
{
    return (halves[class_bit / 32] >> (class_bit % 32) & 1) != 0;
}

bool nq_class_on(const struct notific *n, unsigned class_bit)
{
    return class_bit_set(n->buf_enable, class_bit);
}

bool nq_class_lossless(const struct notific *n, unsigned class_bit)
{
    return class_bit_set(n->hw_bp, class_bit);
}

bool nq_ring_on(const struct notific *n, unsigned queue)
{
    if (queue >= NQ_QUEUES || !(n->enable >> queue & 1))
        return false;
    return n->q[queue].size >= NQ_MIN_RING && n->q[queue].size % NQ_RECORD_BYTES == 0;
}

static uint32_t head_of(const struct nq_ring *q)
{
    return q->size ? q->head % q->size & ~(NQ_RECORD_BYTES - 1) : 0;
}

/* True when the ring would be full after `ahead` more records. */
static bool full_after(const struct nq_ring *q, uint32_t ahead)
{
    return q->size && (q->tail + NQ_RECORD_BYTES * (ahead + 1)) % q->size == head_of(q);
}

bool nq_ring_full(const struct nq_ring *q)
{
    return full_after(q, 0);
}

bool nq_input_room(const struct ref *r, unsigned class_bit)
{
    const struct notific *n = &r->nq;
    return !nq_class_on(n, class_bit) || note_count(&n->in[class_bit]) < NQ_NIQ_DEPTH;
}

/* Picoseconds of the model's clock: exact up to the few clocks between a register write and its effect. */
uint64_t nq_time(const struct notific *n, uint64_t cycle)
{
    return (n->clock_acc + (cycle - n->clock_cycle) * n->inc) >> NQ_TIMESTAMP_FRAC;
}

unsigned nq_route(const struct ref *r, unsigned class_bit, unsigned kind)
{
    const struct tpb_regs *t = &r->tpb;
    bool expl = kind == NKIND_EXPLICIT;
    switch (class_bit) {
    case NCLASS_PE_0:
        return t->route_pe_pool >> (expl ? TPB_ROUTE_PE_POOL_PE_EXPLICIT_LSB : TPB_ROUTE_PE_POOL_PE_NX_LSB) &
               0xf;
    case NCLASS_POOL_0:
        return t->route_pe_pool >>
                   (expl ? TPB_ROUTE_PE_POOL_POOL_EXPLICIT_LSB : TPB_ROUTE_PE_POOL_POOL_NX_LSB) &
               0xf;
    case NCLASS_ACT_0:
        return t->route_act_dve >>
                   (expl ? TPB_ROUTE_ACT_DVE_ACT_EXPLICIT_LSB : TPB_ROUTE_ACT_DVE_ACT_NX_LSB) &
               0xf;
    case NCLASS_DVE_0:
        return t->route_act_dve >>
                   (expl ? TPB_ROUTE_ACT_DVE_DVE_EXPLICIT_LSB : TPB_ROUTE_ACT_DVE_DVE_NX_LSB) &
               0xf;
    case NCLASS_SP:
        return t->route_sp_evt >> (expl ? TPB_ROUTE_SP_EVT_SP_EXPLICIT_LSB : TPB_ROUTE_SP_EVT_SP_NX_LSB) &
               0xf;
    case NCLASS_EVSEM:
        return t->route_sp_evt >> TPB_ROUTE_SP_EVT_EVT_LSB & 0xf;
    default:
        return t->route_err >> TPB_ROUTE_ERR_ERR_LSB & 0xf;
    }
}

/* ---- sources ---- */

static unsigned engine_of(unsigned class_bit)
{
    switch (class_bit) {
    case NCLASS_PE_0:
    case NCLASS_PE_FATAL:
        return ENG_PE;
    case NCLASS_ACT_0:
    case NCLASS_ACT_FATAL:
        return ENG_ACT;
    case NCLASS_POOL_0:
    case NCLASS_POOL_FATAL:
        return ENG_POOL;
    case NCLASS_DVE_0:
    case NCLASS_DVE_FATAL:
        return ENG_DVE;
    case NCLASS_SP:
    case NCLASS_SP_FATAL:
        return ENG_SP;
    default:
        return ENG_COUNT;
    }
}

static int fake_error(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    struct note *n = note_front(&r->fake_errors);
    if (!n || n->w0 != ev->words[0] || n->w1 != ev->words[1])
        return ref_wrong(err, "NOTIFIC",
                         "accepts FAKE_ERROR record %08" PRIx32 " %08" PRIx32 ", which was not raised",
                         ev->words[0], ev->words[1]);
    r->tpb.fake_taken = r->cycle;
    note_pop(&r->fake_errors);
    return 0;
}

static int from_source(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    unsigned engine = engine_of(ev->code);
    if (engine < ENG_COUNT)
        return ref_seq_note(r, engine, ev, err);
    unsigned right = nq_route(r, ev->code, 0);
    if (ev->queue != right)
        return ref_wrong(err, "NOTIFIC", "class 0x%02x sends a record to queue %u; right is queue %u",
                         ev->code, ev->queue, right);
    switch (ev->code) {
    case NCLASS_EVSEM:
    case NCLASS_ERROR_SEMAPHORE_ERROR:
    case NCLASS_ERROR_EVENT_ERROR:
        return ref_note_evt(r, ev, err);
    case NCLASS_ERROR_MEMORY_ERROR:
        return ref_seq_memory_error(r, ev, err);
    case NCLASS_ERROR_FAKE_ERROR:
        return fake_error(r, ev, err);
    default:
        return ref_wrong(err, "NOTIFIC",
                         "accepts record %08" PRIx32 " %08" PRIx32 " from class 0x%02x, which has no source",
                         ev->words[0], ev->words[1], ev->code);
    }
}

int ref_nq_in(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    if (ev->code >= NCLASS_COUNT)
        return ref_wrong(err, "NOTIFIC", "class 0x%02x does not exist", ev->code);
    int rc = from_source(r, ev, err);
    if (rc)
        return rc;
    struct note n = {
        .w0 = ev->words[0] & ~(uint32_t)W0_FLAGS, .w1 = ev->words[1], .queue = ev->queue, .cycle = r->cycle
    };
    n.hw_ovf = (ev->words[0] & NOTIF_W0_HW_OVF_MASK) != 0; /* the source lost some; it was judged above */
    bool on = nq_class_on(&r->nq, ev->code);
    if (!note_push(on ? &r->nq.in[ev->code] : &r->nq.limbo, &n))
        return ref_wrong(err, "NOTIFIC",
                         "class 0x%02x has more than %u records accepted and neither written nor dropped",
                         ev->code, NOTE_RING);
    return 0;
}

/* ---- out of the input buffers ---- */

static bool same(const struct note *n, const struct dev_event *ev)
{
    return ((n->w0 ^ ev->words[0]) & ~(uint32_t)W0_FLAGS) == 0 && n->w1 == ev->words[1] &&
           n->queue == ev->queue;
}

/* The class whose oldest record is this one; NCLASS_COUNT when there is none. */
static unsigned class_with_front(struct notific *n, const struct dev_event *ev)
{
    for (unsigned c = 0; c < NCLASS_COUNT; c++) {
        const struct note *f = note_front(&n->in[c]);
        if (f && same(f, ev))
            return c;
    }
    return NCLASS_COUNT;
}

static int no_front(struct notific *n, const struct dev_event *ev, const char *where, const char *verb,
                    struct nerr *err)
{
    for (unsigned c = 0; c < NCLASS_COUNT; c++) {
        for (uint32_t i = n->in[c].out; i != n->in[c].in; i++) {
            const struct note *f = note_front(&n->in[c]);
            if (same(&n->in[c].e[i % NOTE_RING], ev))
                return ref_wrong(err, where,
                                 "%s record %08" PRIx32 " %08" PRIx32
                                 " of class 0x%02x before the older record %08" PRIx32 " %08" PRIx32
                                 " of the same source",
                                 verb, ev->words[0], ev->words[1], c, f->w0, f->w1);
        }
    }
    return ref_wrong(err, where, "%s record %08" PRIx32 " %08" PRIx32 ", which no source sent to this queue",
                     verb, ev->words[0], ev->words[1]);
}

/* A drop at the input may be reported instead of the acceptance: finds the source that is about to send it.
 */
static int accept_late(struct ref *r, const struct dev_event *ev, bool class_on, struct nerr *err,
                       unsigned *class_bit)
{
    for (unsigned c = 0; c < NCLASS_COUNT; c++) {
        unsigned engine = engine_of(c);
        struct dev_event want, in = *ev;
        if (nq_class_on(&r->nq, c) != class_on)
            continue;
        if (engine < ENG_COUNT) {
            seq_settle(r, engine);
            if (!seq_expect(r, engine, &want) || want.kind != EV_NQ_IN || want.code != c ||
                want.words[0] != ev->words[0])
                continue;
        } else if (c == NCLASS_EVSEM) {
            const struct note *n = note_front(&r->evt_notes.notes);
            if (!n || n->w0 != ev->words[0] || n->w1 != ev->words[1])
                continue;
        } else {
            continue;
        }
        in.kind = EV_NQ_IN;
        in.code = (uint8_t)c;
        *class_bit = c;
        return ref_nq_in(r, &in, err);
    }
    return ref_wrong(err, "NOTIFIC", "drops record %08" PRIx32 " %08" PRIx32 " that nobody sent",
                     ev->words[0], ev->words[1]);
}

static int drop_class_off(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    struct note_ring *l = &r->nq.limbo;
    const struct note *f = note_front(l);
    unsigned c;
    if (!f) {
        int rc = accept_late(r, ev, false, err, &c);
        if (rc)
            return rc;
        f = note_front(l);
    }
    if (!f || !same(f, ev))
        return ref_wrong(err, "NOTIFIC",
                         "drops record %08" PRIx32 " %08" PRIx32 " for its class bit; right is %08" PRIx32
                         " %08" PRIx32,
                         ev->words[0], ev->words[1], f ? f->w0 : 0, f ? f->w1 : 0);
    note_pop(l);
    return 0;
}

static int drop_input_full(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    struct notific *n = &r->nq;
    unsigned c = NCLASS_COUNT;
    for (unsigned i = 0; i < NCLASS_COUNT && c == NCLASS_COUNT; i++) {
        const struct note *b = note_back(&n->in[i]);
        if (b && same(b, ev) && b->cycle == r->cycle)
            c = i;
    }
    if (c == NCLASS_COUNT) {
        int rc = accept_late(r, ev, true, err, &c);
        if (rc)
            return rc;
    }
    if (nq_class_lossless(n, c) || note_count(&n->in[c]) <= NQ_NIQ_DEPTH)
        return ref_wrong(
            err, "NOTIFIC",
            "drops record %08" PRIx32 " %08" PRIx32 " of class 0x%02x for a full input buffer, but %s",
            ev->words[0], ev->words[1], c,
            nq_class_lossless(n, c) ? "its hw_backpressure bit is set" : "the buffer is not full");
    n->in[c].in--;
    note_back(&n->in[c])->hw_ovf = true; /* not empty: the buffer was full (notification-queue §9.4) */
    return 0;
}

int ref_nq_drop(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    struct notific *n = &r->nq;
    char where[32];
    if (ev->code == NDROP_CLASS_OFF)
        return drop_class_off(r, ev, err);
    if (ev->code == NDROP_INPUT_FULL)
        return drop_input_full(r, ev, err);
    snprintf(where, sizeof where, "NOTIFIC q%u", ev->queue);
    unsigned c = class_with_front(n, ev);
    if (c == NCLASS_COUNT)
        return no_front(n, ev, where, "drops", err);
    if (ev->code == NDROP_QUEUE_OFF) {
        if (nq_ring_on(n, ev->queue))
            return ref_wrong(err, where,
                             "drops record %08" PRIx32 " %08" PRIx32
                             " as if the queue were disabled, but it is enabled",
                             ev->words[0], ev->words[1]);
        note_pop(&n->in[c]);
        return 0;
    }
    if (ev->code != NDROP_RING_FULL || !nq_ring_on(n, ev->queue))
        return ref_wrong(err, where,
                         "drops record %08" PRIx32 " %08" PRIx32 " for reason %u, which does not hold",
                         ev->words[0], ev->words[1], ev->code);
    struct nq_ring *q = &n->q[ev->queue];
    uint32_t bit = UINT32_C(1) << ev->queue, ahead = 0;
    while (ahead < NQ_MAX_OUT && !full_after(q, ahead)) /* records already past the decision */
        ahead++;
    if (!full_after(q, ahead) || ahead >= note_count(&n->in[c]) + NQ_MAX_OUT)
        return ref_wrong(err, where,
                         "drops record %08" PRIx32 " %08" PRIx32 " as if the ring were full; tail 0x%" PRIx32
                         ", head 0x%" PRIx32 ", size 0x%" PRIx32,
                         ev->words[0], ev->words[1], q->tail, head_of(q), q->size);
    if ((n->sw_bp | n->overflow) & bit)
        return ref_wrong(err, where, "drops record %08" PRIx32 " %08" PRIx32 ", but the full ring must %s",
                         ev->words[0], ev->words[1], n->sw_bp & bit ? "stall its sources" : "be overwritten");
    q->lost = true;
    q->lost_in = ahead;
    note_pop(&n->in[c]);
    return 0;
}

static int check_time(struct ref *r, const struct dev_event *ev, const struct note *rec, const char *where,
                      struct nerr *err)
{
    struct notific *n = &r->nq;
    uint64_t t = (uint64_t)ev->words[3] << 32 | ev->words[2];
    uint64_t slack = ((uint64_t)n->inc * WINDOW_CLOCKS >> NQ_TIMESTAMP_FRAC) + WINDOW_CLOCKS;
    uint64_t lowest = nq_time(n, rec->cycle > n->clock_cycle ? rec->cycle : n->clock_cycle);
    uint64_t highest = nq_time(n, r->cycle) + slack;
    lowest = lowest > slack ? lowest - slack : 0;
    if (rec->cycle < n->clock_cycle)
        lowest = 0;
    if (t < n->last_time)
        return ref_wrong(err, where,
                         "record time %" PRIu64 " ps is before the previous record's %" PRIu64 " ps", t,
                         n->last_time);
    if (t < lowest || t > highest)
        return ref_wrong(err, where,
                         "record time %" PRIu64 " ps; right is between %" PRIu64 " and %" PRIu64 " ps", t,
                         lowest, highest);
    n->last_time = t;
    return 0;
}

static int check_place(struct ref *r, const struct dev_event *ev, const struct nq_ring *q, const char *where,
                       struct nerr *err)
{
    uint64_t base = ((uint64_t)q->base_hi << 32 | q->base_lo) & ~(uint64_t)(NQ_RECORD_BYTES - 1);
    uint64_t right = base + (r->nq.uart ? 0 : q->tail);
    if (ev->addr != right || ev->index != q->tail)
        return ref_wrong(err, where,
                         "writes a record to 0x%" PRIx64 " (offset 0x%" PRIx32 "); right is 0x%" PRIx64
                         " (offset 0x%" PRIx32 ")",
                         ev->addr, ev->index, right, q->tail);
    return 0;
}

static void advance(struct ref *r, unsigned queue)
{
    struct notific *n = &r->nq;
    struct nq_ring *q = &n->q[queue];
    uint64_t bank = SOC_NOTIFIC + NQ_Q_BASE + (uint64_t)queue * NQ_Q_STRIDE;
    reg_changed(r, SOC_NOTIFIC + NQ_STATS_OFF, n->stats);
    n->stats++;
    q->written++;
    if (!n->uart) {
        reg_changed(r, bank + NQQ_TAIL_OFF, q->tail);
        q->tail = (q->tail + NQ_RECORD_BYTES) % q->size;
        if (q->tail == 0)
            q->phase ^= 1;
    }
    uint32_t usage = (q->tail + q->size - head_of(q)) % q->size;
    if (n->threshold_en >> queue & 1 && usage >= q->threshold)
        n->threshold_passed |= UINT32_C(1) << queue;
}

int ref_nq_wr(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    struct notific *n = &r->nq;
    char where[32];
    snprintf(where, sizeof where, "NOTIFIC q%u", ev->queue);
    unsigned c = class_with_front(n, ev);
    if (c == NCLASS_COUNT)
        return no_front(n, ev, where, "writes", err);
    if (!nq_ring_on(n, ev->queue))
        return ref_wrong(err, where, "writes a record to a ring that is disabled or has an illegal size");
    struct nq_ring *q = &n->q[ev->queue];
    const struct note *rec = note_front(&n->in[c]);
    bool full = nq_ring_full(q);
    uint32_t bit = UINT32_C(1) << ev->queue;
    if (full && (n->sw_bp & bit || !(n->overflow & bit)))
        return ref_wrong(err, where,
                         "writes record %08" PRIx32 " into the full ring (tail 0x%" PRIx32 ", head 0x%" PRIx32
                         "); it must %s",
                         ev->words[0], q->tail, head_of(q),
                         n->sw_bp & bit ? "wait for the host" : "be dropped");
    int rc = check_place(r, ev, q, where, err);
    if (rc)
        return rc;
    bool lost = full || (q->lost && q->lost_in == 0);
    uint32_t right = rec->w0 | (lost ? NOTIF_W0_SW_OVF_MASK : 0) | (rec->hw_ovf ? NOTIF_W0_HW_OVF_MASK : 0) |
                     (uint32_t)q->phase << NOTIF_W0_PHASE_LSB;
    if (ev->words[0] != right)
        return ref_wrong(err, where,
                         "record header 0x%02" PRIx32 "; right is 0x%02" PRIx32
                         " (phase %u, software overflow %u, hardware overflow %u)",
                         ev->words[0] >> NOTIF_W0_TYPE_LSB, right >> NOTIF_W0_TYPE_LSB, q->phase, lost,
                         rec->hw_ovf);
    rc = check_time(r, ev, rec, where, err);
    if (rc)
        return rc;
    struct bus_write *w = wq_issue(r, &n->writes, ev->addr, NQ_RECORD_BYTES);
    if (!w)
        return ref_wrong(err, where, "more than %" PRIu32 " record writes are on the way", n->writes.size);
    for (unsigned i = 0; i < NQ_RECORD_BYTES; i++)
        w->bytes[i] = (uint8_t)(ev->words[i / 4] >> (8 * (i % 4)));
    if (q->lost && q->lost_in)
        q->lost_in--;
    else
        q->lost = false;
    advance(r, ev->queue);
    note_pop(&n->in[c]);
    return 0;
}
