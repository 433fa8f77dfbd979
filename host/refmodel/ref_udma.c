/*
 * Rings of one DMA engine: doorbells, prefetch with the ring-id check, descriptor errors and the engine's run
 * state (udma.md §6, §11, §12, §14).
 */
#include "refmodel/ref_private.h"

#include <inttypes.h>
#include <string.h>

#include "util/bytes.h"

/* Prefetched S2M descriptors may leave the FIFO some time before their first write is seen. */
#define S2M_FIFO_SLACK UDMA_PREF_BURST

uint32_t ptr_word(struct ring_ptr p)
{
    return p.offset | (uint32_t)p.id << M2SQ_TDRTP_RING_ID_LSB;
}

struct ring_ptr ptr_add(struct ring_ptr p, uint32_t n, uint32_t length)
{
    uint64_t at = (uint64_t)p.offset + n;
    if (at >= length) {
        p.id = (p.id + 1) & RING_ID_MASK;
        at -= length;
    }
    p.offset = (uint32_t)at & M2SQ_TDRTP_OFFSET_MASK;
    return p;
}

uint32_t ring_length(const struct dma *d, unsigned queue, unsigned dir)
{
    return udma_word(d, udma_bank(dir, queue) + M2SQ_TDRL_OFF);
}

uint64_t ring_base(const struct dma *d, unsigned queue, unsigned dir)
{
    uint32_t bank = udma_bank(dir, queue);
    return (uint64_t)udma_word(d, bank + M2SQ_TDRBP_HIGH_OFF) << 32 | udma_word(d, bank + M2SQ_TDRBP_LOW_OFF);
}

static uint32_t word(const struct dma *d, unsigned queue, unsigned dir, uint32_t off)
{
    return udma_word(d, udma_bank(dir, queue) + off);
}

static bool allowed(const struct dma *d, unsigned queue, unsigned dir)
{
    uint32_t queues = dir ? udma_word(d, UDMA_S2M_OFF + S2M_PREF_QUEUE_EN_OFF)
                          : udma_word(d, UDMA_M2S_OFF + M2S_PREF_QUEUE_EN_OFF);
    return word(d, queue, dir, M2SQ_CFG_OFF) & M2SQ_CFG_EN_PREF_MASK && (queues >> queue & 1);
}

/* May prefetch. A packet in flight is finished, so `dis` does not keep its S2M descriptors away. */
bool ring_enabled(const struct dma *d, unsigned queue, unsigned dir)
{
    bool stream =
        !dir || !(udma_word(d, UDMA_S2M_OFF + S2M_STREAM_CFG_OFF) & S2M_STREAM_CFG_STOP_PREFETCH_MASK);
    bool run = d->run[dir] || (dir && d->q[queue].inflight);
    return run && !d->abort[0] && !d->abort[1] && stream && allowed(d, queue, dir);
}

void dma_note_enabled(const struct ref *r, struct dma *d, unsigned queue, unsigned dir)
{
    struct dma_ring *g = &d->q[queue].ring[dir];
    if (!ring_enabled(d, queue, dir))
        return;
    g->was_enabled = true;
    g->disabled_at = r->cycle;
}

bool dma_queue_runs(const struct dma *d, unsigned queue)
{
    return d->run[0] && d->run[1] && !d->abort[0] && !d->abort[1] && allowed(d, queue, 0) &&
           allowed(d, queue, 1) && word(d, queue, 0, M2SQ_CFG_OFF) & M2SQ_CFG_EN_SCHED_MASK &&
           word(d, queue, 1, S2MQ_CFG_OFF) & S2MQ_CFG_EN_STREAM_MASK &&
           !(udma_word(d, UDMA_M2S_OFF + M2S_STREAM_CFG_OFF) & M2S_STREAM_CFG_DISABLE_MASK) &&
           !(udma_word(d, UDMA_S2M_OFF + S2M_STREAM_CFG_OFF) & S2M_STREAM_CFG_DISABLE_MASK);
}

bool dma_comp_ring(const struct dma *d, unsigned queue)
{
    return word(d, queue, 1, S2MQ_COMP_CFG_OFF) & S2MQ_COMP_CFG_EN_RING_MASK;
}

uint32_t ring_level(const struct dma_ring *g)
{
    return g->fetched - g->taken - g->faulty;
}

bool ring_armed(const struct dma_ring *g)
{
    return g->head.offset != g->tail.offset || g->head.id != g->tail.id;
}

struct desc *ring_desc(struct dma_ring *g, uint32_t seq)
{
    return &g->d[seq % DESC_RING];
}

/* ---- errors stop a queue, rst_q starts it again (udma.md §14.3, rtl/udma/udma_track.v) ---- */

static void stop_ring(struct ref *r, struct dma_ring *g, bool stopping)
{
    g->stopping = stopping && (!g->stopped || g->stopping);
    g->stopped = true;
    g->stopped_at = r->cycle;
}

void dma_fail(struct ref *r, unsigned e, unsigned queue, bool stopping)
{
    struct dma_queue *q = &r->dma[e].q[queue];
    stop_ring(r, &q->ring[0], false);
    stop_ring(r, &q->ring[1], stopping);
    q->ring[0].halted = q->ring[1].halted = true;
}

static void reset_ring(struct ref *r, unsigned e, unsigned queue, unsigned dir, bool busy)
{
    struct dma *d = &r->dma[e];
    struct dma_ring *g = &d->q[queue].ring[dir], *other = &d->q[queue].ring[!dir];
    dma_kill(d, queue);
    g->tail = g->head = g->current = g->completed = (struct ring_ptr){ 0, RING_ID_FIRST };
    g->fetched = g->taken = g->done = g->may_complete = g->packets = g->used = 0;
    g->stopped = g->stopping = g->halted = g->faulty = g->reported = g->bell.valid = false;
    if (dir == 0)
        d->q[queue].dmb_pass = false;
    if (busy) { /* the other direction holds half a packet */
        stop_ring(r, other, false);
        other->halted = true;
    }
}

static int state_of(const struct dma *d)
{
    return d->abort[0] || d->abort[1] ? 2 : d->run[0] && d->run[1];
}

/* Several command bits in one write: abort wins, then dis (rtl/udma/udma_run.v). */
static void change_state(struct ref *r, unsigned e, unsigned dir, uint32_t command)
{
    struct dma *d = &r->dma[e];
    if (command & M2S_CHANGE_STATE_ABORT_MASK) {
        d->abort[dir] = true;
        for (unsigned q = 0; q < UDMA_QUEUES; q++) {
            dma_kill(d, q);
            dma_fail(r, e, q, false);
        }
    } else if (command & M2S_CHANGE_STATE_DIS_MASK) {
        for (unsigned q = 0; q < UDMA_QUEUES; q++)
            dma_note_enabled(r, d, q, dir);
        d->run[dir] = false;
    } else if (command & M2S_CHANGE_STATE_NORMAL_MASK) {
        d->run[dir] = true;
        d->abort[dir] = false;
    }
    d->wanted = state_of(d) == d->state ? -1 : state_of(d);
}

static void queue_command(struct ref *r, unsigned e, unsigned dir, unsigned queue)
{
    struct dma *d = &r->dma[e];
    const struct dma_queue *q = &d->q[queue];
    uint32_t value = d->command.value;
    if (dir == 0 && value & M2SQ_Q_SW_CTRL_RST_DMB_MASK)
        d->q[queue].dmb_pass = q->inflight != 0;
    if (value & M2SQ_Q_SW_CTRL_RST_Q_MASK)
        reset_ring(r, e, queue, dir, d->command.busy);
}

static void carry_out(struct ref *r, unsigned e)
{
    struct dma *d = &r->dma[e];
    uint32_t off = d->command.off;
    d->command.valid = false;
    for (unsigned dir = 0; dir < 2; dir++) {
        if (off == (dir ? UDMA_S2M_OFF + S2M_CHANGE_STATE_OFF : UDMA_M2S_OFF + M2S_CHANGE_STATE_OFF))
            change_state(r, e, dir, d->command.value);
        for (unsigned queue = 0; queue < UDMA_QUEUES; queue++)
            if (off == udma_bank(dir, queue) + (dir ? S2MQ_Q_SW_CTRL_OFF : M2SQ_Q_SW_CTRL_OFF))
                queue_command(r, e, dir, queue);
    }
}

void dma_commands_done(struct ref *r, bool now)
{
    for (unsigned e = 0; e < r->cfg.n_dma; e++)
        if (r->dma[e].command.valid && (now || r->cycle > r->dma[e].command.cycle))
            carry_out(r, e);
}

/* Rule of docs/rtl.md: what the engine does in the clock of the command is still done by the old state. */
void dma_command(struct ref *r, unsigned e, uint32_t off, uint32_t value)
{
    struct dma *d = &r->dma[e];
    dma_commands_done(r, true);
    d->command.valid = true;
    d->command.off = off;
    d->command.value = value;
    d->command.cycle = r->cycle;
    d->command.busy = false;
    for (unsigned dir = 0; dir < 2; dir++)
        if (off >= udma_bank(dir, 0) && off - udma_bank(dir, 0) < UDMA_QUEUES * UDMA_Q_STRIDE)
            d->command.busy = d->q[(off - udma_bank(dir, 0)) / UDMA_Q_STRIDE].inflight != 0;
}

/* ---- doorbells ---- */

int ref_dma_bell(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    struct dma *d = &r->dma[ev->unit];
    struct dma_ring *g = &d->q[ev->queue].ring[ev->dir];
    char where[32];
    ref_queue_name(ev->unit, ev->queue, ev->dir, where, sizeof where);
    if (!g->bell.valid || g->bell.count != ev->value)
        return ref_wrong(err, where, "takes a doorbell of %" PRIu32 ", but %s", ev->value,
                         g->bell.valid ? "another count was written" : "no doorbell write is waiting");
    uint32_t length = ring_length(d, ev->queue, ev->dir);
    bool overflow = g->used + (uint64_t)ev->value > length;
    struct ring_ptr right = overflow ? g->tail : ptr_add(g->tail, ev->value, length);
    if ((ev->code == 1) != overflow || ev->code > 1)
        return ref_wrong(
            err, where,
            "doorbell of %" PRIu32 " was %s; right is %s (%" PRIu32 " of %" PRIu32 " entries used)",
            ev->value, ev->code ? "refused" : "taken", overflow ? "refused" : "taken", g->used, length);
    if (ev->data != ptr_word(right))
        return ref_wrong(err, where,
                         "tail is 0x%08" PRIx64 " after a doorbell of %" PRIu32 "; right is 0x%08" PRIx32,
                         ev->data, ev->value, ptr_word(right));
    reg_changed(
        r, SOC_UDMA0 + (uint64_t)ev->unit * SOC_UDMA_STRIDE + udma_bank(ev->dir, ev->queue) + M2SQ_TDRTP_OFF,
        ptr_word(g->tail));
    g->tail = right;
    g->used += overflow ? 0 : ev->value;
    g->bell.valid = false;
    return 0;
}

/* ---- prefetch ---- */

static uint32_t field(uint32_t word, uint32_t mask, unsigned lsb)
{
    return (word & mask) >> lsb;
}

/* What prefetch refuses (rtl/udma/udma_unpack.v); the rest is the scheduler's (ref_packet.c). */
static unsigned prefetch_error(const struct dma *d, unsigned dir, const struct dma_ring *g,
                               const struct desc *t)
{
    uint32_t w0 = t->w[0];
    unsigned bit = dir ? S2M_ERR_RING_ID : M2S_ERR_RING_ID;
    uint32_t masked = dir ? udma_word(d, UDMA_S2M_OFF + S2M_ERR_LOG_MASK_OFF)
                          : udma_word(d, UDMA_M2S_OFF + M2S_ERR_LOG_MASK_OFF);
    if (field(w0, M2S_DESC_W0_RING_ID_MASK, M2S_DESC_W0_RING_ID_LSB) != g->head.id && !(masked >> bit & 1))
        return bit; /* a masked mismatch executes normally (udma.md §14.3) */
    if (dir && w0 & (S2M_DESC_W0_DUAL_BUF_MASK | S2M_DESC_W0_META_MASK))
        return S2M_ERR_UNSUP;
    return NO_ERROR;
}

static void entered(struct ref *r, struct dma *d, unsigned queue, unsigned dir, const uint32_t *words)
{
    struct dma_ring *g = &d->q[queue].ring[dir];
    struct desc *t = ring_desc(g, g->fetched);
    unsigned e = (unsigned)(d - r->dma);
    memset(t, 0, sizeof *t);
    memcpy(t->w, words, sizeof t->w);
    t->index = g->head.offset;
    t->error = prefetch_error(d, dir, g, t);
    t->bytes = t->w[0] & S2M_DESC_W0_LENGTH_MASK;
    if (t->bytes == 0)
        t->bytes = DESC_LENGTH_MAX;
    reg_changed(r, SOC_UDMA0 + (uint64_t)e * SOC_UDMA_STRIDE + udma_bank(dir, queue) + M2SQ_TDRHP_OFF,
                ptr_word(g->head));
    g->fetched++;
    g->head = ptr_add(g->head, 1, ring_length(d, queue, dir));
    if (t->error == NO_ERROR)
        return;
    g->faulty = true;
    g->reported = false;
    stop_ring(r, g, false);
}

int ref_dma_desc(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    struct dma *d = &r->dma[ev->unit];
    struct dma_ring *g = &d->q[ev->queue].ring[ev->dir];
    char where[32];
    ref_queue_name(ev->unit, ev->queue, ev->dir, where, sizeof where);
    if (!ring_armed(g))
        return ref_wrong(err, where,
                         "fetches descriptor %" PRIu32
                         ", but no doorbell has released it (head = tail = 0x%08" PRIx32 ")",
                         ev->index, ptr_word(g->tail));
    if (ev->index != g->head.offset)
        return ref_wrong(err, where, "fetches descriptor %" PRIu32 "; right is %" PRIu32, ev->index,
                         g->head.offset);
    if (ev->code != g->head.id)
        return ref_wrong(err, where, "descriptor %" PRIu32 " is expected with ring id %u; right is %u",
                         ev->index, ev->code, g->head.id);
    bool late = !ring_enabled(d, ev->queue, ev->dir) &&
                (!g->was_enabled || r->cycle - g->disabled_at > SETTLE_CLOCKS);
    if (late)
        return ref_wrong(err, where, "fetches descriptor %" PRIu32 " although the queue does not run",
                         ev->index);
    if (g->stopped && (!g->stopping || r->cycle - g->stopped_at > SETTLE_CLOCKS))
        return ref_wrong(err, where, "fetches descriptor %" PRIu32 " although an error has stopped the queue",
                         ev->index);
    if (g->fetched - g->taken >= UDMA_PREF_DEPTH + (ev->dir ? S2M_FIFO_SLACK : 0))
        return ref_wrong(err, where, "fetches descriptor %" PRIu32 " into a full prefetch FIFO", ev->index);
    uint8_t bytes[DESC_BYTES];
    uint64_t addr = ring_base(d, ev->queue, ev->dir) + (uint64_t)DESC_BYTES * ev->index;
    ref_mem_read(r, addr, bytes, sizeof bytes);
    for (unsigned i = 0; i < DESC_BYTES / 4; i++)
        if (ev->words[i] != get_le32(bytes + 4 * i))
            return ref_wrong(err, where,
                             "descriptor %" PRIu32 " word %u is 0x%08" PRIx32 "; memory at 0x%" PRIx64
                             " holds 0x%08" PRIx32,
                             ev->index, i, ev->words[i], addr + 4 * i, get_le32(bytes + 4 * i));
    entered(r, d, ev->queue, ev->dir, ev->words);
    return 0;
}

/* ---- errors and run state ---- */

void dma_raise(struct ref *r, unsigned e, unsigned dir, unsigned bit, const uint32_t *words)
{
    struct dma *d = &r->dma[e];
    uint32_t mask = dir ? udma_word(d, UDMA_S2M_OFF + S2M_ERR_LOG_MASK_OFF)
                        : udma_word(d, UDMA_M2S_OFF + M2S_ERR_LOG_MASK_OFF);
    if (!(mask >> bit & 1) && !d->log_full[dir]) {
        memcpy(d->log[dir], words, sizeof d->log[dir]);
        d->log_full[dir] = true;
    }
}

/* What an error report must say; false: nothing is wrong there. */
static bool expected_error(struct ref *r, const struct dev_event *ev, struct due *want)
{
    struct dma *d = &r->dma[ev->unit];
    struct dma_queue *q = &d->q[ev->queue];
    struct dma_ring *g = &q->ring[ev->dir];
    struct dma_plan plan;
    memset(want, 0, sizeof *want);
    want->index = g->head.offset;
    if (ev->code == (ev->dir ? S2M_ERR_PREF_RESP : M2S_ERR_PREF_RESP)) {
        want->valid = d->prefetch_errors && ring_armed(g) && !g->stopped;
        return want->valid;
    }
    if (ev->code == (ev->dir ? S2M_ERR_DATA_RESP : M2S_ERR_DATA_RESP)) {
        *want = ev->dir ? q->write_error : q->read_error;
        return want->valid;
    }
    if (g->faulty && !g->reported && ring_desc(g, g->fetched - 1)->error == ev->code) {
        const struct desc *t = ring_desc(g, g->fetched - 1);
        want->index = t->index;
        memcpy(want->w, t->w, sizeof want->w);
        return true;
    }
    if (ev->dir && ev->code == S2M_ERR_UNSUP)
        return dma_comp_ring(d, ev->queue) && ring_armed(g) && !g->stopped;
    if (ev->dir || dma_start_blocked(d, ev->queue, &plan) || plan.error != ev->code)
        return false;
    want->index = ring_desc(g, plan.seq)->index;
    memcpy(want->w, ring_desc(g, plan.seq)->w, sizeof want->w);
    return true;
}

/* What the error does (rtl/udma/udma_track.v). */
static void stop_by_error(struct ref *r, const struct dev_event *ev)
{
    struct dma *d = &r->dma[ev->unit];
    struct dma_queue *q = &d->q[ev->queue];
    struct dma_ring *g = &q->ring[ev->dir];
    if (ev->dir == 0 && ev->code == M2S_ERR_DATA_RESP) {
        q->read_error.valid = false;
        q->dead = true;
        dma_fail(r, ev->unit, ev->queue, true);
    } else if (ev->dir == 1 && ev->code == S2M_ERR_DATA_RESP) {
        q->write_error.valid = false;
        dma_kill(d, ev->queue);
        dma_fail(r, ev->unit, ev->queue, false);
    } else if (ev->code == (ev->dir ? S2M_ERR_PREF_RESP : M2S_ERR_PREF_RESP)) {
        d->prefetch_errors--;
        stop_ring(r, g, false);
    } else if (g->faulty && !g->reported) {
        g->reported = true;
    } else {
        stop_ring(r, g, false);
        g->halted = ev->dir == 0; /* the scheduler's: nothing behind the packet may run */
    }
}

int ref_dma_err(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    struct due want;
    char where[32];
    ref_queue_name(ev->unit, ev->queue, ev->dir, where, sizeof where);
    if (!expected_error(r, ev, &want))
        return ref_wrong(err, where, "reports error bit %u on descriptor %" PRIu32 ", which it does not have",
                         ev->code, ev->index);
    if (ev->index != want.index)
        return ref_wrong(err, where, "reports error bit %u on descriptor %" PRIu32 "; right is %" PRIu32,
                         ev->code, ev->index, want.index);
    for (unsigned i = 0; i < 4; i++)
        if (ev->words[i] != want.w[i])
            return ref_wrong(err, where,
                             "error report of descriptor %" PRIu32 " has word %u = 0x%08" PRIx32
                             "; right is 0x%08" PRIx32,
                             ev->index, i, ev->words[i], want.w[i]);
    stop_by_error(r, ev);
    dma_raise(r, ev->unit, ev->dir, ev->code, want.w);
    return 0;
}

int ref_dma_state(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    struct dma *d = &r->dma[ev->unit];
    char where[16];
    ref_master_name(MASTER_UDMA0 + ev->unit, where, sizeof where);
    if (ev->code != d->wanted)
        return ref_wrong(err, where, "changes to state %u, which nobody asked for", ev->code);
    d->state = ev->code;
    d->wanted = -1;
    return 0;
}
