/*
 * The write side of a DMA engine: the writer empties the stream into S2M buffers, responses land a packet,
 * the completion heads move (udma.md §5, §11, §13).
 */
#include "refmodel/ref_packet.h"

#include <inttypes.h>
#include <string.h>

/* ---- landing ---- */

static void land(struct dma_queue *q)
{
    while (q->land_out != q->land_in) {
        const struct landing *l = &q->landing[q->land_out % LANDING_RING];
        if (q->writes_answered < l->mark)
            return;
        q->ring[0].may_complete += l->m2s;
        q->ring[1].may_complete += l->s2m;
        q->land_out++;
    }
}

void dma_close_buffer(struct dma *d, struct packet *p, bool ends)
{
    struct dma_queue *q = queue_of(d, p);
    ring_desc(&q->ring[1], q->ring[1].taken - 1)->ends_packet = ends;
    q->ring[1].current = ptr_add(q->ring[1].current, 1, ring_length(d, p->queue, 1));
    q->buffer_open = false;
    q->filled = 0;
}

void dma_open_buffer(struct dma *d, struct packet *p)
{
    struct dma_queue *q = queue_of(d, p);
    struct dma_ring *s = &q->ring[1];
    s->taken++;
    if (p->s2m++ == 0 && q->claims)
        q->claims--;
    q->buffer_open = true;
    q->filled = 0;
}

void dma_packet_written(struct dma *d, struct packet *p)
{
    struct dma_queue *q = queue_of(d, p);
    q->landing[q->land_in++ % LANDING_RING] = (struct landing){ p->ndesc, p->s2m, q->writes_issued };
    d->p_write++;
    land(q);
}

/* Steps over M2S descriptors whose bytes are all written and takes their write barriers. */
void dma_pass_descs(struct dma *d, struct packet *p)
{
    struct dma_queue *q = queue_of(d, p);
    while (p->write_bytes >= p->write_end) {
        const struct desc *m = ring_desc(&q->ring[0], p->first + p->write_desc);
        if (!(m->w[0] & M2S_DESC_W0_MD_MASK) && m->w[1] & M2S_DESC_W1_WRITE_BARRIER_MASK)
            q->barrier = q->writes_issued;
        if (p->write_desc + 1 == p->ndesc)
            return;
        p->write_desc++;
        p->write_end += ring_desc(&q->ring[0], p->first + p->write_desc)->bytes;
    }
}

/* ---- writer ---- */

/* Bytes the writer may take before a write barrier inside the packet (udma.md §13). */
static uint64_t before_barrier(struct dma_queue *q, const struct packet *p, uint64_t n)
{
    uint64_t end = p->write_end;
    uint32_t i = p->write_desc;
    while (end < p->write_bytes + n) {
        const struct desc *t = ring_desc(&q->ring[0], p->first + i);
        bool md = t->w[0] & M2S_DESC_W0_MD_MASK;
        if (!md && t->w[1] & M2S_DESC_W1_WRITE_BARRIER_MASK && end > p->write_bytes)
            return end - p->write_bytes;
        i++;
        end += ring_desc(&q->ring[0], p->first + i)->bytes;
    }
    return n;
}

const char *dma_next_write(struct dma *d, struct dma_step *step)
{
    dma_settle(d);
    if (d->p_write == d->p_in)
        return "no packet has started";
    struct packet *p = packet_at(d, d->p_write);
    struct dma_queue *q = queue_of(d, p);
    struct dma_ring *s = &q->ring[1];
    *step = (struct dma_step){ .packet = p };
    if (!p->begun)
        return "its packet has not been read";
    if (!q->buffer_open && ring_level(s) == 0)
        return "no S2M descriptor is prefetched";
    struct desc *t = ring_desc(s, q->buffer_open ? s->taken - 1 : s->taken);
    uint32_t filled = q->buffer_open ? q->filled : 0;
    step->desc = t;
    step->addr = ((uint64_t)t->w[3] << 32 | t->w[2]) + filled;
    step->position = p->begin + p->write_bytes;
    bool sow = t->w[0] & S2M_DESC_W0_SOW_MASK;
    uint32_t need = q->barrier;
    if (sow && !q->buffer_open)
        need = q->writes_issued;
    if (q->writes_answered < need)
        return sow ? "it is strongly ordered and earlier writes of the queue are not answered"
                   : "a write barrier before it waits for responses";
    step->bytes = t->bytes - filled;
    if (step->bytes > p->total - p->write_bytes)
        step->bytes = p->total - p->write_bytes;
    uint64_t there = p->begin + p->read_bytes;
    if (d->arrived < there)
        there = d->arrived;
    if (there < step->position)
        return "its data has not been read";
    if (step->bytes > there - step->position)
        step->bytes = there - step->position;
    step->bytes = before_barrier(q, p, step->bytes);
    return step->bytes ? NULL : "its data has not been read";
}

static void wrote(struct dma *d, struct packet *p, struct desc *t, uint32_t n)
{
    struct dma_queue *q = queue_of(d, p);
    if (!q->buffer_open)
        dma_open_buffer(d, p);
    q->writes_issued++;
    q->filled += n;
    p->write_bytes += n;
    d->written = p->begin + p->write_bytes;
    dma_pass_descs(d, p);
    bool ends = p->write_bytes == p->total;
    if (ends || q->filled == t->bytes)
        dma_close_buffer(d, p, ends);
    if (ends)
        dma_packet_written(d, p);
}

static bool late_write(struct ref *r, const struct dev_event *ev)
{
    struct dma *d = &r->dma[ev->unit];
    struct late l = d->q[ev->queue].late_write;
    for (unsigned q = 0; q < UDMA_QUEUES; q++)
        d->q[q].late_write.valid = false;
    if (!l.valid || l.addr != ev->addr || l.index != ev->index || ev->value == 0 || ev->value > l.bytes)
        return false;
    struct bus_write *w = wq_issue(r, &d->writes, ev->addr, ev->value);
    if (!w)
        return false;
    w->stream = l.position;
    w->queue = ev->queue;
    w->index = ev->index;
    w->lap = l.lap;
    return true;
}

int ref_dma_wr(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    struct dma *d = &r->dma[ev->unit];
    struct dma_step step;
    char where[32];
    ref_queue_name(ev->unit, ev->queue, 1, where, sizeof where);
    if (late_write(r, ev))
        return 0;
    dma_settle(d);
    dma_drop_unwritten(d, ev->queue);
    const char *why = dma_next_write(d, &step);
    if (d->p_write != d->p_in && packet_at(d, d->p_write)->queue != ev->queue)
        return ref_wrong(err, where,
                         "writes 0x%" PRIx64
                         " while the packet of queue %u, which started before, is being written",
                         ev->addr, packet_at(d, d->p_write)->queue);
    if (why)
        return ref_wrong(err, where, "writes %" PRIu32 " B at 0x%" PRIx64 " (descriptor %" PRIu32 "), but %s",
                         ev->value, ev->addr, ev->index, why);
    if (ev->index != step.desc->index || ev->addr != step.addr)
        return ref_wrong(err, where,
                         "writes descriptor %" PRIu32 " at 0x%" PRIx64 "; right is descriptor %" PRIu32
                         " at 0x%" PRIx64,
                         ev->index, ev->addr, step.desc->index, step.addr);
    if (ev->value == 0 || ev->value > step.bytes || (ev->addr % AXI_BOUNDARY) + ev->value > AXI_BOUNDARY)
        return ref_wrong(err, where,
                         "writes %" PRIu32 " B at 0x%" PRIx64 "; %" PRIu64
                         " B may be written there now and no burst crosses 4 KiB",
                         ev->value, ev->addr, step.bytes);
    struct bus_write *w = wq_issue(r, &d->writes, ev->addr, ev->value);
    if (!w)
        return ref_wrong(err, where, "has more than %" PRIu32 " writes on the way", d->writes.size);
    struct dma_queue *q = queue_of(d, step.packet);
    if (q->land_in - q->land_out >= LANDING_RING)
        return ref_wrong(err, where, "has more than %u packets whose writes are not answered", LANDING_RING);
    w->stream = step.position;
    w->queue = ev->queue;
    w->index = ev->index;
    w->seq = q->buffer_open ? q->ring[1].taken - 1 : q->ring[1].taken;
    w->lap = q->lap;
    reg_changed(r, SOC_UDMA0 + (uint64_t)ev->unit * SOC_UDMA_STRIDE + udma_bank(1, ev->queue) + S2MQ_RDCP_OFF,
                ptr_word(q->ring[1].current));
    wrote(d, step.packet, step.desc, ev->value);
    dma_settle(d);
    return 0;
}

/* ---- responses and completion ---- */

int ref_dma_wresp(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    struct dma *d = &r->dma[ev->unit];
    struct bus_write *w = wq_unanswered(&d->writes);
    char where[32];
    ref_queue_name(ev->unit, ev->queue, 1, where, sizeof where);
    if (!w)
        return ref_wrong(err, where,
                         "got a write response, but no write of the engine was committed and is unanswered");
    if (w->queue != ev->queue || w->resp != ev->code)
        return ref_wrong(err, where,
                         "got write response %u; the oldest unanswered write is queue %u's at 0x%" PRIx64
                         " with response %u",
                         ev->code, w->queue, w->addr, w->resp);
    struct dma_queue *q = &d->q[w->queue];
    d->writes.answered++;
    if (w->lap != q->lap)
        return 0;
    if (w->resp != AXI_OKAY) { /* neither its packet nor one behind it lands any more */
        q->write_error = (struct due){ .valid = true, .index = w->index };
        memcpy(q->write_error.w, ring_desc(&q->ring[1], w->seq)->w, sizeof q->write_error.w);
        q->land_out = q->land_in;
        return 0;
    }
    q->writes_answered++;
    if (!q->write_error.valid)
        land(q);
    return 0;
}

int ref_dma_cpl(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    struct dma *d = &r->dma[ev->unit];
    struct dma_ring *g = &d->q[ev->queue].ring[ev->dir];
    char where[32];
    ref_queue_name(ev->unit, ev->queue, ev->dir, where, sizeof where);
    uint32_t ready = g->may_complete - g->done;
    if (ev->value == 0 || ev->value > ready)
        return ref_wrong(err, where,
                         "completes %" PRIu32 " descriptors; all writes of %" PRIu32 " are answered",
                         ev->value, ready);
    struct ring_ptr right = ptr_add(g->completed, ev->value, ring_length(d, ev->queue, ev->dir));
    if (ev->data != ptr_word(right))
        return ref_wrong(err, where,
                         "completion head is 0x%08" PRIx64 " after %" PRIu32
                         " descriptors; right is 0x%08" PRIx32,
                         ev->data, ev->value, ptr_word(right));
    uint64_t bank = SOC_UDMA0 + (uint64_t)ev->unit * SOC_UDMA_STRIDE + udma_bank(ev->dir, ev->queue);
    reg_changed(r, bank + M2SQ_TCRHP_OFF, ptr_word(g->completed));
    reg_changed(r, bank + M2SQ_TCRHP_INTERNAL_OFF, ptr_word(g->completed));
    reg_changed(r, bank + (ev->dir ? S2MQ_Q_RX_PKT_OFF : M2SQ_Q_TX_PKT_OFF), g->packets);
    g->completed = right;
    g->used -= ev->value;
    dma_note_enabled(r, d, ev->queue, 1); /* with nothing in flight `dis` stops its prefetch too */
    for (uint32_t i = 0; i < ev->value; i++) {
        bool ends = ring_desc(g, g->done + i)->ends_packet;
        g->packets += ends;
        if (ends && ev->dir == 0 && d->q[ev->queue].inflight)
            d->q[ev->queue].inflight--;
    }
    g->done += ev->value;
    return 0;
}
