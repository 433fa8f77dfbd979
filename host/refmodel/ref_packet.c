/*
 * Packets of one DMA engine: START takes a packet from a queue's FIFO; packets pass the stream in the order
 * in which they started; resets and errors throw them away (udma.md §5, §11, §13). Their bytes are moved in
 * ref_pktread.c and ref_pktwrite.c.
 */
#include "refmodel/ref_packet.h"

#include <inttypes.h>
#include <string.h>

static uint32_t word(const struct dma *d, unsigned queue, unsigned dir, uint32_t off)
{
    return udma_word(d, udma_bank(dir, queue) + off);
}

/* ---- start ---- */

static bool not_a_copy(uint32_t w1)
{
    uint32_t op = (w1 & M2S_DESC_W1_OP_MASK) >> M2S_DESC_W1_OP_LSB,
             kind = (w1 & M2S_DESC_W1_OPTYPE_MASK) >> M2S_DESC_W1_OPTYPE_LSB;
    uint32_t checksum =
        ((UINT32_C(2) << M2S_DESC_W1_STORE_SRC_CRC_MSB) - 1) & ~((UINT32_C(1) << M2S_DESC_W1_CRC_IV_LSB) - 1);
    return op != DMA_OP_CME || kind != DMA_OPTYPE_COPY || !(w1 & M2S_DESC_W1_COPY_SRC_MASK) ||
           w1 & (M2S_DESC_W1_NOTIFY_MASK | checksum);
}

static uint32_t m2s_bytes(const struct dma *d, const struct desc *t)
{
    uint32_t n = t->w[0] & M2S_DESC_W0_LENGTH_MASK;
    if (t->w[0] & M2S_DESC_W0_MD_MASK)
        return 0;
    if (n == 0 && udma_word(d, UDMA_M2S_OFF + M2S_CFG_LEN_OFF) & M2S_CFG_LEN_ENCODE_64K_MASK)
        return DESC_LENGTH_MAX;
    return n;
}

/*
 * The oldest packet of a queue's FIFO as the scheduler sees it (rtl/udma/udma_sched.v): it looks when there
 * is a LAST, or more than a packet may have. False: not yet.
 */
static bool look(const struct dma *d, unsigned queue, struct dma_plan *plan)
{
    const struct dma_ring *g = &d->q[queue].ring[0];
    uint32_t level = ring_level(g), n = 0;
    uint32_t max_desc =
        (udma_word(d, UDMA_M2S_OFF + M2S_DESC_PREF_CFG_2_OFF) & M2S_DESC_PREF_CFG_2_MAX_DESC_MASK) >>
        M2S_DESC_PREF_CFG_2_MAX_DESC_LSB;
    uint32_t max_bytes =
        (udma_word(d, UDMA_M2S_OFF + M2S_CFG_LEN_OFF) & M2S_CFG_LEN_MAX_PKT_MASK) >> M2S_CFG_LEN_MAX_PKT_LSB;
    uint64_t bytes = 0;
    bool data = false;
    if (max_desc > UDMA_PREF_DEPTH)
        max_desc = UDMA_PREF_DEPTH;
    while (n < level && !(g->d[(g->taken + n) % DESC_RING].w[0] & M2S_DESC_W0_LAST_MASK))
        n++;
    if (n == level && level <= max_desc && level < UDMA_PREF_DEPTH)
        return false;
    *plan = (struct dma_plan){ .error = NO_ERROR };
    for (n = 0; plan->error == NO_ERROR; n++) {
        const struct desc *t = &g->d[(g->taken + n) % DESC_RING];
        uint32_t w0 = t->w[0];
        bool md = w0 & M2S_DESC_W0_MD_MASK, last = w0 & M2S_DESC_W0_LAST_MASK;
        bool block = !md && (!(w0 & M2S_DESC_W0_CONCAT_MASK) || !data);
        bytes += m2s_bytes(d, t);
        plan->seq = g->taken + n;
        plan->ndesc = n + 1;
        if (!(w0 & M2S_DESC_W0_FIRST_MASK) != (n > 0))
            plan->error = M2S_ERR_FIRST;
        else if (n == max_desc || (n + 1 == UDMA_PREF_DEPTH && !last))
            plan->error = M2S_ERR_MAX_DESC;
        else if (bytes > max_bytes)
            plan->error = M2S_ERR_PKT_LEN;
        else if (md && last)
            plan->error = M2S_ERR_LAST;
        else if (block && not_a_copy(t->w[1]))
            plan->error = M2S_ERR_STREAM_RESP;
        else if (last)
            break;
        data = data || !md;
    }
    return true;
}

const char *dma_start_blocked(const struct dma *d, unsigned queue, struct dma_plan *plan)
{
    const struct dma_queue *q = &d->q[queue];
    const struct dma_ring *g = &q->ring[0];
    if (!dma_queue_runs(d, queue))
        return "the queue does not run";
    if (g->halted || q->ring[1].halted)
        return "an error has stopped the queue";
    if (ring_level(&q->ring[1]) <= q->claims)
        return "no S2M descriptor is prefetched";
    if (!look(d, queue, plan))
        return "its FIFO holds no complete packet";
    const struct desc *first = &g->d[g->taken % DESC_RING];
    bool obeyed = !(word(d, queue, 0, M2SQ_RATE_LIMIT_MASK_OFF) & M2SQ_RATE_LIMIT_MASK_PAUSE_DMB_MASK);
    bool barrier = first->w[0] & M2S_DESC_W0_DMB_MASK && first->w[0] & M2S_DESC_W0_FIRST_MASK;
    if (barrier && obeyed && q->inflight && !q->dmb_pass)
        return "its data memory barrier waits for earlier packets";
    return NULL;
}

int ref_dma_start(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    struct dma *d = &r->dma[ev->unit];
    struct dma_queue *q = &d->q[ev->queue];
    struct dma_ring *g = &q->ring[0];
    struct dma_plan plan;
    char where[32];
    ref_queue_name(ev->unit, ev->queue, 0, where, sizeof where);
    const char *why = dma_start_blocked(d, ev->queue, &plan);
    if (why)
        return ref_wrong(err, where, "starts a packet at descriptor %" PRIu32 ", but %s", ev->index, why);
    if (plan.error != NO_ERROR)
        return ref_wrong(err, where,
                         "starts a packet at descriptor %" PRIu32 ", but descriptor %" PRIu32
                         " of it has error bit %u",
                         ev->index, ring_desc(g, plan.seq)->index, plan.error);
    if (ev->index != ring_desc(g, g->taken)->index)
        return ref_wrong(err, where, "starts a packet at descriptor %" PRIu32 "; right is %" PRIu32,
                         ev->index, ring_desc(g, g->taken)->index);
    if (d->p_in - d->p_write >= PACKET_RING)
        return ref_wrong(err, where, "more than %u packets are on the way", PACKET_RING);
    struct packet *p = packet_at(d, d->p_in++);
    memset(p, 0, sizeof *p);
    p->queue = ev->queue;
    p->first = g->taken;
    p->ndesc = plan.ndesc;
    for (uint32_t i = 0; i < p->ndesc; i++) {
        struct desc *t = ring_desc(g, p->first + i);
        t->bytes = m2s_bytes(d, t);
        p->total += t->bytes;
    }
    p->write_end = ring_desc(g, p->first)->bytes;
    ring_desc(g, p->first + p->ndesc - 1)->ends_packet = true;
    reg_changed(r, SOC_UDMA0 + (uint64_t)ev->unit * SOC_UDMA_STRIDE + udma_bank(0, ev->queue) + M2SQ_TDCP_OFF,
                ptr_word(g->current));
    g->taken += p->ndesc;
    g->current = ptr_add(g->current, p->ndesc, ring_length(d, ev->queue, 0));
    q->inflight++;
    q->claims++;
    q->dmb_pass = false;
    q->late_read.valid = q->late_write.valid = false;
    dma_settle(d);
    return 0;
}

/* ---- packets that are thrown away ---- */

static void note_late(struct dma *d, unsigned queue)
{
    struct dma_queue *q = &d->q[queue];
    struct dma_step step;
    if (dma_next_read(d, &step) && step.packet->queue == queue && !step.constant && !step.packet->cut)
        q->late_read =
            (struct late){ .valid = true, .addr = step.addr, .bytes = step.bytes, .index = step.desc->index };
    if (dma_next_write(d, &step) == NULL && step.packet->queue == queue)
        q->late_write = (struct late){ .valid = true,
                                       .addr = step.addr,
                                       .position = step.position,
                                       .bytes = step.bytes,
                                       .index = step.desc->index,
                                       .lap = q->lap };
}

void dma_kill_from(struct dma *d, uint32_t packet)
{
    unsigned queue = packet_at(d, packet)->queue;
    for (uint32_t n = packet; n != d->p_in; n++)
        if (packet_at(d, n)->queue == queue)
            packet_at(d, n)->dead = true;
    dma_settle(d);
}

void dma_kill(struct dma *d, unsigned queue)
{
    struct dma_queue *q = &d->q[queue];
    if (q->inflight)
        note_late(d, queue);
    for (uint32_t n = d->p_write; n != d->p_in; n++) /* the writer never overtakes the reader */
        if (packet_at(d, n)->queue == queue)
            packet_at(d, n)->dead = true;
    q->lap++;
    q->inflight = q->claims = 0;
    q->land_in = q->land_out = 0;
    q->writes_issued = q->writes_answered = q->barrier = 0;
    q->buffer_open = q->dead = false;
    q->filled = 0;
    q->read_error.valid = q->write_error.valid = false;
    for (unsigned dir = 0; dir < 2; dir++) {
        struct dma_ring *g = &q->ring[dir];
        g->may_complete = g->done;
    }
    dma_settle(d);
}

bool dma_starved(struct dma *d, unsigned *queue)
{
    struct dma_step step;
    const char *why = dma_next_write(d, &step);
    if (!why || d->p_write == d->p_in)
        return false;
    const struct packet *p = packet_at(d, d->p_write);
    const struct dma_queue *q = queue_of(d, p);
    *queue = p->queue;
    return !q->buffer_open && q->ring[1].stopped && ring_level(&q->ring[1]) == 0;
}

bool dma_dying(const struct dma *d, unsigned queue)
{
    for (uint32_t n = d->p_write; n != d->p_in; n++)
        if (d->packets[n % PACKET_RING].queue == queue && d->packets[n % PACKET_RING].dead)
            return true;
    return false;
}

bool dma_stuck(struct dma *d)
{
    dma_settle(d);
    if (d->p_write == d->p_in)
        return false;
    const struct packet *p = packet_at(d, d->p_write);
    const struct dma_queue *q = queue_of(d, p);
    return q->dead || p->cut || (!q->buffer_open && ring_level(&q->ring[1]) == 0);
}

/* ---- passing the stream ---- */

/* Passes over dead and empty packets and over finished ones of the reader. */
void dma_settle(struct dma *d)
{
    while (d->p_read != d->p_in) {
        struct packet *p = packet_at(d, d->p_read);
        if (!p->begun) {
            p->begun = true;
            p->begin = d->issued;
        }
        if (!p->dead && !p->cut && p->read_bytes < p->total)
            break;
        d->p_read++;
    }
    while (d->p_write != d->p_in) {
        struct packet *p = packet_at(d, d->p_write);
        struct dma_queue *q = queue_of(d, p);
        if (d->p_read == d->p_write && (!p->begun || p->dead))
            break;
        if (p->dead) {
            d->written = p->begin + p->read_bytes;
            q->buffer_open = false;
            d->p_write++;
        } else if (p->total == 0 && ring_level(&q->ring[1])) {
            dma_pass_descs(d, p);
            dma_open_buffer(d, p);
            dma_close_buffer(d, p, true);
            dma_packet_written(d, p);
        } else {
            if (p->write_bytes == 0)
                dma_pass_descs(d, p);
            break;
        }
    }
}

/*
 * The buffers of a stopped queue do not suffice for its packets up to this one. The write stage knows it
 * before the last of its bursts is on the bus.
 */
static bool starves(struct dma *d, unsigned queue, uint32_t last)
{
    const struct dma_queue *q = &d->q[queue];
    const struct dma_ring *s = &q->ring[1];
    uint32_t next = s->taken, level = ring_level(s);
    if (!s->stopped)
        return false;
    for (uint32_t n = d->p_write; n != last + 1; n++) {
        const struct packet *p = packet_at(d, n);
        if (p->queue != queue || p->dead)
            continue;
        bool open = n == d->p_write && q->buffer_open;
        uint64_t need = p->total - p->write_bytes;
        uint64_t room = open ? s->d[(next - 1) % DESC_RING].bytes - q->filled : 0;
        for (bool fresh = !open; fresh || need > room; fresh = false) {
            if (level-- == 0)
                return true;
            need -= room;
            room = s->d[next++ % DESC_RING].bytes;
        }
    }
    return false;
}

/*
 * After a data error the engine drops the packets of that queue: when the reader or the writer is seen at
 * another one, it has.
 */
void dma_drop_unread(struct dma *d, unsigned moving_queue)
{
    while (d->p_read != d->p_in) {
        struct packet *p = packet_at(d, d->p_read);
        if (p->queue == moving_queue || !(queue_of(d, p)->dead || starves(d, p->queue, d->p_read)))
            return;
        p->cut = true;
        dma_settle(d);
    }
}

void dma_drop_unwritten(struct dma *d, unsigned moving_queue)
{
    while (d->p_write != d->p_in) {
        struct packet *p = packet_at(d, d->p_write);
        unsigned starved = UDMA_QUEUES;
        if (p->queue == moving_queue ||
            !(queue_of(d, p)->dead || (dma_starved(d, &starved) && starved == p->queue)))
            return;
        queue_of(d, p)->dead = true; /* both directions wait for their resets now */
        for (unsigned dir = 0; dir < 2; dir++) {
            struct dma_ring *g = &queue_of(d, p)->ring[dir];
            g->stopped = g->halted = true;
            g->stopping = false;
        }
        p->dead = true;
        dma_settle(d);
    }
}

void dma_drop_failed(struct dma *d)
{
    dma_drop_unread(d, UDMA_QUEUES);
    dma_drop_unwritten(d, UDMA_QUEUES);
}
