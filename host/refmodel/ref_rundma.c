/* Stand-alone steps of the DMA engines, and the answers to writes of every master: see ref_run.c. */
#include "refmodel/ref_run.h"

#include <string.h>

#include "util/bytes.h"

#define BURST_BYTES UDMA_READ_BURST_BYTES /* reads and writes end at a multiple of this */
#define BURSTS_OUT  64u                   /* of one engine and kind on the way, as the RTL's order FIFOs */
#define PACKETS_OUT 64u

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
    ref_emit(r, &ev);
}

bool ref_answer_step(struct ref *r, unsigned master)
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
    ref_emit(r, &ev);
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
        ref_serve_read(r, MASTER_UDMA0 + e, addr, DESC_BYTES, DESC_BYTES);
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
    if (!ref_emit(r, &ev))
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
        return ref_emit(r, &ev);
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
    return ref_emit(r, &ev);
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
    if (!ref_serve_read(r, MASTER_UDMA0 + e, next, b.len, n)) {
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
    return ref_emit(r, &ev);
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
        return ref_emit(r, &ev);
    }
    return false;
}

static bool state_step(struct ref *r, unsigned e)
{
    const struct dma *d = &r->dma[e];
    if (d->wanted < 0)
        return false;
    struct dev_event ev = { .kind = EV_DMA_STATE, .unit = (uint8_t)e, .code = (uint8_t)d->wanted };
    return ref_emit(r, &ev);
}

bool ref_dma_agent(struct ref *r, unsigned e, unsigned what)
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
        return ref_commit_step(r, MASTER_UDMA0 + e);
    case 6:
        return ref_answer_step(r, MASTER_UDMA0 + e);
    case 7:
        return complete_step(r, e);
    default:
        return state_step(r, e);
    }
}
