/*
 * The model on its own: agents take turns, each with at most one step a turn. A step is an event that the
 * judge of this same model accepts, so both uses share one description of the chip. One clock passes per
 * step.
 */
#include "refmodel/ref_private.h"

#include <string.h>

#include "util/bytes.h"

#define BURST_BYTES    UDMA_READ_BURST_BYTES /* reads and writes end at a multiple of this */
#define BURSTS_OUT     64u                   /* of one engine and kind on the way, as the RTL's order FIFOs */
#define PACKETS_OUT    64u
#define SEQ_WRITES_OUT 8u

static bool emit(struct ref *r, struct dev_event *ev)
{
    ev->cycle = r->cycle;
    if (r->self.code)
        return false;
    if (ref_judge(r, ev, &r->self) != 0)
        return false;
    if (r->sink && r->sink(r->sink_ctx, ev) != 0)
        r->sink_stop = true;
    return true;
}

/* ---- register writes, of any master ---- */

static struct dev_event sem_event(const struct ref *r, unsigned unit, unsigned source, uint8_t mode,
                                  uint8_t idx, uint32_t operand)
{
    struct evt_effect f = evt_compute(&r->evt[unit], source < ENG_COUNT, mode, idx, operand);
    struct dev_event ev = { .kind = EV_SEM,
                            .unit = (uint8_t)unit,
                            .code = (uint8_t)source,
                            .dir = f.is_sem,
                            .index = idx,
                            .value = operand,
                            .data = f.value,
                            .nwords = 2 };
    ev.words[0] = mode;
    ev.words[1] = f.error;
    return ev;
}

static void bell_event(struct ref *r, unsigned e, unsigned dir, unsigned queue)
{
    struct dma *d = &r->dma[e];
    struct dma_ring *g = &d->q[queue].ring[dir];
    uint32_t length = ring_length(d, queue, dir), n = g->bell.count;
    bool overflow = g->used + (uint64_t)n > length;
    struct dev_event ev = { .kind = EV_DMA_BELL,
                            .unit = (uint8_t)e,
                            .dir = (uint8_t)dir,
                            .queue = (uint8_t)queue,
                            .value = n,
                            .code = overflow };
    ev.data = ptr_word(overflow ? g->tail : ptr_add(g->tail, n, length));
    emit(r, &ev);
}

static void write_register(struct ref *r, unsigned master, uint64_t soc, uint32_t value, bool refused)
{
    uint64_t off;
    uint8_t mode, idx;
    unsigned e, dir, queue, target = ref_decode(r, soc, &off);
    unsigned unit = target == TARGET_TOPSP_EVT;
    if ((target == TARGET_EVT || unit) && !refused && evt_command((uint32_t)off, value, &mode, &idx)) {
        struct dev_event sem = sem_event(r, unit, EVT_PORT_BUS, mode, idx, value);
        emit(r, &sem);
    }
    struct dev_event ev = {
        .kind = EV_APB_WR, .code = (uint8_t)master, .addr = soc, .value = value, .dir = refused
    };
    emit(r, &ev);
    if (!refused && reg_is_bell(r, soc, &e, &dir, &queue) && r->dma[e].q[queue].ring[dir].bell.valid)
        bell_event(r, e, dir, queue);
}

int ref_reg_write(struct ref *r, uint64_t soc, uint32_t value)
{
    bool refused = ref_refuses_write(r, soc, value);
    r->cycle++;
    write_register(r, MASTER_HOST, soc, value, refused);
    return refused;
}

int ref_reg_read(struct ref *r, uint64_t soc, uint32_t *value)
{
    r->cycle++;
    dma_commands_done(r, true);
    int rc = reg_read(r, soc, value, false);
    if (rc == 2 && (soc & ~(uint64_t)SOC_ADDR_ATTR_MASK) == SOC_NOTIFIC + NQ_TIMESTAMP_LO_OFF)
        *value = (uint32_t)nq_time(&r->nq, r->cycle);
    if (rc == 2 && (soc & ~(uint64_t)SOC_ADDR_ATTR_MASK) == SOC_NOTIFIC + NQ_TIMESTAMP_HI_OFF)
        *value = (uint32_t)(nq_time(&r->nq, r->cycle) >> 32);
    struct dev_event ev = {
        .kind = EV_APB_RD, .code = MASTER_HOST, .addr = soc, .value = *value, .dir = rc == 1
    };
    emit(r, &ev);
    return rc == 1;
}

/* ---- bus ---- */

static bool memory_beat(struct ref *r, unsigned master, const struct bus_write *w)
{
    struct dev_event ev = { .kind = EV_MEM_WR, .code = (uint8_t)master, .nwords = BEAT_BYTES / 4 };
    uint64_t next = w->addr + w->done;
    uint32_t lane = (uint32_t)(next % BEAT_BYTES), left = w->len - w->done;
    uint32_t n = left < BEAT_BYTES - lane ? left : BEAT_BYTES - lane;
    uint8_t beat[BEAT_BYTES] = { 0 };
    ref_write_bytes(r, master, w, w->done, n, beat + lane);
    for (unsigned i = 0; i < BEAT_BYTES / 4; i++)
        ev.words[i] = get_le32(beat + 4 * i);
    ev.addr = next - lane;
    ev.data = (n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1) << lane;
    return emit(r, &ev);
}

static bool commit_step(struct ref *r, unsigned master)
{
    const struct bus_write *w = wq_uncommitted(ref_writes_of(r, master));
    if (!w)
        return false;
    if (w->resp != AXI_OKAY) {
        struct dev_event ev = {
            .kind = EV_BUS_ERR, .code = (uint8_t)master, .addr = w->addr, .dir = 1, .value = w->resp
        };
        return emit(r, &ev);
    }
    if (w->target == TARGET_MEM)
        return memory_beat(r, master, w);
    uint8_t bytes[4];
    ref_write_bytes(r, master, w, 0, 4, bytes);
    write_register(r, master, w->addr, get_le32(bytes), ref_refuses_write(r, w->addr, get_le32(bytes)));
    return true;
}

/* Serves `n` bytes of a read of 4 bytes or more at addr. Returns false when the bus refuses it. */
static bool serve_read(struct ref *r, unsigned master, uint64_t addr, uint32_t len, uint32_t n)
{
    uint64_t off;
    unsigned target = ref_decode(r, addr, &off);
    struct dev_event ev = { .code = (uint8_t)master, .addr = addr };
    bool word = len == 4 && !ref_refuses(r, addr);
    if (target == TARGET_MEM) {
        ev.kind = EV_MEM_RD;
        ev.value = n;
        ev.dir = PROT_DATA;
    } else if (target == TARGET_NONE || !word) {
        ev.kind = EV_BUS_ERR;
        ev.value = target == TARGET_NONE ? AXI_DECERR : AXI_SLVERR;
    } else {
        ev.kind = EV_APB_RD;
        reg_read(r, addr, &ev.value, false);
    }
    emit(r, &ev);
    return ev.kind != EV_BUS_ERR;
}

/* ---- records ---- */

/* Sends a record to its NOTIFIC input; false when the input holds the source back. */
static bool send_note(struct ref *r, struct dev_event *ev)
{
    bool on = nq_class_on(&r->nq, ev->code), room = nq_input_room(r, ev->code);
    if (on && !room && nq_class_lossless(&r->nq, ev->code))
        return false;
    ev->kind = EV_NQ_IN;
    ev->nwords = 2;
    emit(r, ev);
    if (on && room)
        return true;
    ev->kind = EV_NQ_DROP;
    ev->code = on ? NDROP_INPUT_FULL : NDROP_CLASS_OFF;
    emit(r, ev);
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

static bool sources_step(struct ref *r)
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

static bool notific_step(struct ref *r)
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
        return emit(r, &ev);
    if (full && !(n->overflow & bit)) {
        ev.code = NDROP_RING_FULL;
        return emit(r, &ev);
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
    return emit(r, &ev);
}

/* ---- sequencers ---- */

static bool evt_record_due(const struct ref *r, const struct dev_event *sem)
{
    bool bracket = sem->data <= r->tpb.low || sem->data >= r->tpb.high;
    return r->tpb.notify & TPB_EVT_NOTIFY_EN_MASK && (!sem->dir || bracket);
}

static bool seq_sem(struct ref *r, unsigned e, const struct dev_event *want)
{
    struct dev_event ev = sem_event(r, 0, e, (uint8_t)want->words[0], (uint8_t)want->index, want->value);
    ev.queue = want->queue;
    return (!evt_record_due(r, &ev) || evt_engine_record_room(r)) && emit(r, &ev);
}

static bool seq_step(struct ref *r, unsigned e)
{
    struct seq *s = &r->seq[e];
    struct dev_event want;
    seq_settle(r, e);
    bool at_wait = s->step == STEP_WAIT0 || (s->step == STEP_WAIT1 && !s->side_effect);
    if (s->lreg.reset && s->writes.issued == s->writes.answered) {
        struct dev_event ev = { .kind = EV_SEQ_STATE, .unit = (uint8_t)e, .code = ESTATE_RESET, .addr = 0 };
        return emit(r, &ev);
    }
    if (s->state == ESTATE_RUNNING && s->lreg.surprise && (s->step == STEP_FETCH || at_wait)) {
        struct dev_event ev = { .kind = EV_SEQ_STATE,
                                .unit = (uint8_t)e,
                                .code = ESTATE_HALTED,
                                .index = HALT_EXT_BREAK,
                                .addr = s->pc };
        if (s->lreg.halt_ctrl)
            return emit(r, &ev);
        seq_break_fault(s);
    }
    bool ready = seq_expect(r, e, &want);
    if (want.kind == EV_SEQ_WRITE && s->writes.issued - s->writes.answered >= SEQ_WRITES_OUT)
        return false;
    if (want.kind == EV_SEQ_READ && !ready) {
        serve_read(r, e, want.addr, 4, 4);
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
        return emit(r, &want);
    }
    case EV_SEQ_PASS: /* a side effect commits in the clock of its wait */
        emit(r, &want);
        seq_settle(r, e);
        if (seq_expect(r, e, &want) && want.kind == EV_SEM && want.queue)
            seq_sem(r, e, &want);
        return true;
    default:
        return emit(r, &want);
    }
}

/* ---- DMA ---- */

static void error_event(struct ref *r, unsigned e, unsigned dir, unsigned queue, unsigned bit, uint32_t index,
                        const uint32_t *words)
{
    struct dev_event ev = { .kind = EV_DMA_ERR,
                            .unit = (uint8_t)e,
                            .dir = (uint8_t)dir,
                            .queue = (uint8_t)queue,
                            .code = (uint8_t)bit,
                            .index = index,
                            .nwords = 4 };
    if (words)
        memcpy(ev.words, words, 4 * sizeof ev.words[0]);
    emit(r, &ev);
}

static bool answer_step(struct ref *r, unsigned master)
{
    struct write_queue *q = ref_writes_of(r, master);
    if (!wq_unanswered(q))
        return false;
    const struct bus_write w = *wq_unanswered(q);
    struct dev_event ev = { .kind = EV_SEQ_WRESP, .unit = (uint8_t)master, .code = w.resp };
    if (master >= MASTER_UDMA0) {
        ev.kind = EV_DMA_WRESP;
        ev.unit = (uint8_t)(master - MASTER_UDMA0);
        ev.queue = w.queue;
    }
    bool live = master >= MASTER_UDMA0 && r->dma[ev.unit].q[w.queue].lap == w.lap;
    emit(r, &ev);
    if (live && w.resp != AXI_OKAY)
        error_event(r, ev.unit, 1, w.queue, S2M_ERR_DATA_RESP, w.index,
                    r->dma[ev.unit].q[w.queue].write_error.w);
    return true;
}

static bool prefetch_one(struct ref *r, unsigned e, unsigned queue, unsigned dir)
{
    struct dma *d = &r->dma[e];
    struct dma_ring *g = &d->q[queue].ring[dir];
    uint8_t bytes[DESC_BYTES];
    if (!ring_armed(g) || g->stopped || !ring_enabled(d, queue, dir) ||
        g->fetched - g->taken >= UDMA_PREF_DEPTH || ring_length(d, queue, dir) == 0)
        return false;
    if (dir && dma_comp_ring(d, queue)) {
        error_event(r, e, dir, queue, S2M_ERR_UNSUP, g->head.offset, NULL);
        return true;
    }
    uint64_t addr = ring_base(d, queue, dir) + (uint64_t)DESC_BYTES * g->head.offset;
    if (!ref_is_memory(r, addr, DESC_BYTES)) {
        serve_read(r, MASTER_UDMA0 + e, addr, DESC_BYTES, DESC_BYTES);
        error_event(r, e, dir, queue, dir ? S2M_ERR_PREF_RESP : M2S_ERR_PREF_RESP, g->head.offset, NULL);
        return true;
    }
    struct dev_event ev = { .kind = EV_DMA_DESC,
                            .unit = (uint8_t)e,
                            .dir = (uint8_t)dir,
                            .queue = (uint8_t)queue,
                            .nwords = 4,
                            .index = g->head.offset,
                            .code = (uint8_t)g->head.id };
    ref_mem_read(r, addr, bytes, sizeof bytes);
    for (unsigned i = 0; i < 4; i++)
        ev.words[i] = get_le32(bytes + 4 * i);
    if (!emit(r, &ev))
        return true;
    const struct desc *t = ring_desc(g, g->fetched - 1);
    if (t->error != NO_ERROR)
        error_event(r, e, dir, queue, t->error, t->index, t->w);
    return true;
}

static bool prefetch_step(struct ref *r, unsigned e)
{
    struct dma *d = &r->dma[e];
    for (unsigned i = 0; i < 2 * UDMA_QUEUES; i++) {
        unsigned t = (d->turn[0] + i) % (2 * UDMA_QUEUES);
        if (prefetch_one(r, e, t / 2, t % 2)) {
            d->turn[0] = t + 1;
            return true;
        }
    }
    return false;
}

static bool start_step(struct ref *r, unsigned e)
{
    struct dma *d = &r->dma[e];
    struct dma_plan plan;
    if (d->p_read != d->p_in || d->p_in - d->p_write >= PACKETS_OUT)
        return false;
    for (unsigned i = 0; i < UDMA_QUEUES; i++) {
        unsigned q = (d->turn[1] + i) % UDMA_QUEUES;
        struct dma_ring *g = &d->q[q].ring[0];
        if (ring_level(g) == 0 || dma_start_blocked(d, q, &plan))
            continue;
        d->turn[1] = q + 1;
        if (plan.error != NO_ERROR) {
            const struct desc *t = ring_desc(g, plan.seq);
            error_event(r, e, 0, q, plan.error, t->index, t->w);
            return true;
        }
        struct dev_event ev = { .kind = EV_DMA_START,
                                .unit = (uint8_t)e,
                                .queue = (uint8_t)q,
                                .index = ring_desc(g, g->taken)->index };
        return emit(r, &ev);
    }
    return false;
}

static bool read_step(struct ref *r, unsigned e)
{
    struct dma_step step;
    struct dma *d = &r->dma[e];
    if (d->r_in - d->r_out >= BURSTS_OUT || !dma_next_read(d, &step))
        return false;
    struct dev_event ev = { .kind = step.constant ? EV_DMA_CONST : EV_DMA_RD,
                            .unit = (uint8_t)e,
                            .queue = step.packet->queue,
                            .index = step.desc->index,
                            .addr = step.addr };
    uint64_t room = BURST_BYTES - step.addr % BURST_BYTES;
    ev.value = step.constant ? step.value : (uint32_t)(step.bytes < room ? step.bytes : room);
    return emit(r, &ev);
}

static bool serve_step(struct ref *r, unsigned e)
{
    struct dma *d = &r->dma[e];
    if (d->r_out == d->r_in)
        return false;
    const struct bus_read b = d->reads[d->r_out & (d->reads_size - 1)];
    if (b.got == b.len)
        return false;
    uint64_t next = b.addr + b.got, room = BEAT_BYTES - next % BEAT_BYTES;
    uint32_t n = b.len - b.got < room ? b.len - b.got : (uint32_t)room;
    if (!serve_read(r, MASTER_UDMA0 + e, next, b.len, n)) {
        if (d->q[b.queue].read_error.valid)
            error_event(r, e, 0, b.queue, M2S_ERR_DATA_RESP, b.index, b.w);
        if (b.lap == d->q[b.queue].lap)
            dma_kill_from(d, b.packet);
    }
    return true;
}

/* A packet that needs a buffer of a stopped queue is given up: it must not hold the stream. */
static void dma_drop_starved(struct ref *r, unsigned e)
{
    unsigned queue;
    if (!dma_starved(&r->dma[e], &queue))
        return;
    dma_kill_from(&r->dma[e], r->dma[e].p_write);
    r->dma[e].q[queue].dead = true;
    dma_fail(r, e, queue, false);
}

/* The writer takes whole bursts: it waits until all bytes up to the next boundary or the end are there. */
static bool write_step(struct ref *r, unsigned e)
{
    struct dma *d = &r->dma[e];
    struct dma_step step;
    dma_drop_starved(r, e);
    if (d->writes.issued - d->writes.answered >= BURSTS_OUT || dma_next_write(d, &step) != NULL)
        return false;
    const struct packet *p = step.packet;
    uint64_t n = BURST_BYTES - step.addr % BURST_BYTES;
    if (step.bytes < n && d->arrived < p->begin + p->total)
        return false;
    struct dev_event ev = { .kind = EV_DMA_WR,
                            .unit = (uint8_t)e,
                            .queue = p->queue,
                            .index = step.desc->index,
                            .addr = step.addr,
                            .value = (uint32_t)(step.bytes < n ? step.bytes : n) };
    return emit(r, &ev);
}

static bool complete_step(struct ref *r, unsigned e)
{
    struct dma *d = &r->dma[e];
    for (unsigned i = 0; i < 2 * UDMA_QUEUES; i++) {
        unsigned t = (d->turn[2] + i) % (2 * UDMA_QUEUES), q = t / 2, dir = t % 2;
        const struct dma_ring *g = &d->q[q].ring[dir];
        uint32_t n = g->may_complete - g->done;
        if (!n)
            continue;
        d->turn[2] = t + 1;
        struct dev_event ev = { .kind = EV_DMA_CPL,
                                .unit = (uint8_t)e,
                                .queue = (uint8_t)q,
                                .dir = (uint8_t)dir,
                                .value = n,
                                .data = ptr_word(ptr_add(g->completed, n, ring_length(d, q, dir))) };
        return emit(r, &ev);
    }
    return false;
}

static bool state_step(struct ref *r, unsigned e)
{
    const struct dma *d = &r->dma[e];
    if (d->wanted < 0)
        return false;
    struct dev_event ev = { .kind = EV_DMA_STATE, .unit = (uint8_t)e, .code = (uint8_t)d->wanted };
    return emit(r, &ev);
}

/* ---- turns ---- */

enum { AGENT_SOURCES = 3 * ENG_COUNT, AGENT_NOTIFIC, AGENT_RECORD_WRITE, AGENT_DMA };
#define DMA_AGENTS 9u

static bool dma_agent(struct ref *r, unsigned e, unsigned what)
{
    switch (what) {
    case 0:
        return prefetch_step(r, e);
    case 1:
        return start_step(r, e);
    case 2:
        return read_step(r, e);
    case 3:
        return serve_step(r, e);
    case 4:
        return write_step(r, e);
    case 5:
        return commit_step(r, MASTER_UDMA0 + e);
    case 6:
        return answer_step(r, MASTER_UDMA0 + e);
    case 7:
        return complete_step(r, e);
    default:
        return state_step(r, e);
    }
}

static bool agent_step(struct ref *r, unsigned agent)
{
    if (agent < AGENT_SOURCES) {
        unsigned e = agent / 3;
        switch (agent % 3) {
        case 0:
            return seq_step(r, e);
        case 1:
            return commit_step(r, e);
        default:
            return answer_step(r, e);
        }
    }
    switch (agent) {
    case AGENT_SOURCES:
        return sources_step(r);
    case AGENT_NOTIFIC:
        return notific_step(r);
    case AGENT_RECORD_WRITE:
        return commit_step(r, MASTER_NOTIFIC);
    default:
        return dma_agent(r, (agent - AGENT_DMA) / DMA_AGENTS, (agent - AGENT_DMA) % DMA_AGENTS);
    }
}

void ref_sink(struct ref *r, dev_event_fn sink, void *ctx)
{
    r->sink = sink;
    r->sink_ctx = ctx;
}

bool ref_stopped(const struct ref *r)
{
    return r->sink_stop;
}

bool ref_failed(const struct ref *r, struct nerr *err)
{
    if (r->self.code)
        *err = r->self;
    return r->self.code != 0;
}

uint64_t ref_cycle(const struct ref *r)
{
    return r->cycle;
}

void ref_idle(struct ref *r, uint64_t cycles)
{
    r->cycle += cycles;
}

uint64_t ref_run(struct ref *r, uint64_t steps, bool until_notify, bool *notified)
{
    unsigned agents = AGENT_DMA + DMA_AGENTS * r->cfg.n_dma, idle = 0;
    uint64_t done = 0;
    r->notified = false;
    r->sink_stop = false;
    while (done < steps && idle < agents && !r->self.code && !r->sink_stop &&
           !(until_notify && r->notified)) {
        r->cycle++;
        dma_commands_done(r, false);
        bool stepped = agent_step(r, r->turn);
        r->turn = (r->turn + 1) % agents;
        idle = stepped ? 0 : idle + 1;
        r->cycle -= !stepped;
        done += stepped;
    }
    if (notified)
        *notified = r->notified;
    return done;
}
