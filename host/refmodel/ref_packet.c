/*
 * Packets of one DMA engine: START takes a packet from a queue's FIFO, the reader fetches its buffers in
 * order into the engine's stream, the writer empties the stream into S2M buffers, responses land it, the
 * completion heads move (udma.md §5, §11, §13). Packets pass the stream in the order in which they started.
 */
#include "refmodel/ref_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define AXI_BOUNDARY 0x1000u /* no burst crosses it (docs/rtl.md) */

static struct packet *packet_at(struct dma *d, uint32_t n)
{
    return &d->packets[n % PACKET_RING];
}

static struct dma_queue *queue_of(struct dma *d, const struct packet *p)
{
    return &d->q[p->queue];
}

static uint32_t word(const struct dma *d, unsigned queue, unsigned dir, uint32_t off)
{
    return udma_word(d, udma_bank(dir, queue) + off);
}

/* ---- the stream ---- */

void stream_read(const struct dma *d, uint64_t pos, uint8_t *out, uint32_t n)
{
    size_t at = pos & (d->stream_size - 1), room = d->stream_size - at, first = n < room ? n : room;
    memcpy(out, d->stream + at, first);
    memcpy(out + first, d->stream, n - first);
}

static void stream_write(struct dma *d, uint64_t pos, const uint8_t *in, uint32_t n)
{
    size_t at = pos & (d->stream_size - 1), room = d->stream_size - at, first = n < room ? n : room;
    memcpy(d->stream + at, in, first);
    memcpy(d->stream, in + first, n - first);
}

/* First position whose byte may still be wanted. */
static uint64_t oldest_wanted(struct dma *d)
{
    const struct bus_write *w = wq_uncommitted(&d->writes);
    return w ? w->stream : d->written;
}

static bool stream_reserve(struct ref *r, struct dma *d, uint64_t end)
{
    uint64_t from = oldest_wanted(d);
    while (end - from > d->stream_size) {
        uint8_t *bigger = malloc(d->stream_size * 2);
        if (!bigger) {
            r->nomem = true;
            return false;
        }
        for (uint64_t pos = from; pos < d->issued; pos++)
            bigger[pos & (d->stream_size * 2 - 1)] = d->stream[pos & (d->stream_size - 1)];
        free(d->stream);
        d->stream = bigger;
        d->stream_size *= 2;
    }
    return true;
}

static void advance_arrived(struct dma *d)
{
    while (d->r_out != d->r_in) {
        const struct bus_read *b = &d->reads[d->r_out & (d->reads_size - 1)];
        d->arrived = b->stream + b->got;
        if (b->got < b->len)
            return;
        d->r_out++;
    }
}

void dma_data(struct dma *d, const uint8_t *bytes, uint32_t n)
{
    struct bus_read *b = &d->reads[d->r_out & (d->reads_size - 1)];
    stream_write(d, b->stream + b->got, bytes, n);
    b->got += n;
    advance_arrived(d);
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

static void close_buffer(struct dma *d, struct packet *p, bool ends)
{
    struct dma_queue *q = queue_of(d, p);
    ring_desc(&q->ring[1], q->ring[1].taken - 1)->ends_packet = ends;
    q->ring[1].current = ptr_add(q->ring[1].current, 1, ring_length(d, p->queue, 1));
    q->buffer_open = false;
    q->filled = 0;
}

static void open_buffer(struct dma *d, struct packet *p)
{
    struct dma_queue *q = queue_of(d, p);
    struct dma_ring *s = &q->ring[1];
    s->taken++;
    if (p->s2m++ == 0 && q->claims)
        q->claims--;
    q->buffer_open = true;
    q->filled = 0;
}

static void packet_written(struct dma *d, struct packet *p)
{
    struct dma_queue *q = queue_of(d, p);
    q->landing[q->land_in++ % LANDING_RING] = (struct landing){ p->ndesc, p->s2m, q->writes_issued };
    d->p_write++;
    land(q);
}

/* Steps over M2S descriptors whose bytes are all written and takes their write barriers. */
static void pass_descs(struct dma *d, struct packet *p)
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
            pass_descs(d, p);
            open_buffer(d, p);
            close_buffer(d, p, true);
            packet_written(d, p);
        } else {
            if (p->write_bytes == 0)
                pass_descs(d, p);
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
static void drop_unread(struct dma *d, unsigned moving_queue)
{
    while (d->p_read != d->p_in) {
        struct packet *p = packet_at(d, d->p_read);
        if (p->queue == moving_queue || !(queue_of(d, p)->dead || starves(d, p->queue, d->p_read)))
            return;
        p->cut = true;
        dma_settle(d);
    }
}

static void drop_unwritten(struct dma *d, unsigned moving_queue)
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
    drop_unread(d, UDMA_QUEUES);
    drop_unwritten(d, UDMA_QUEUES);
}

/* ---- reader ---- */

bool dma_next_read(struct dma *d, struct dma_step *step)
{
    dma_settle(d);
    if (d->p_read == d->p_in)
        return false;
    struct packet *p = packet_at(d, d->p_read);
    struct dma_ring *g = &queue_of(d, p)->ring[0];
    struct desc *t = ring_desc(g, p->first + p->read_desc);
    while (p->read_off >= t->bytes) {
        p->read_desc++;
        p->read_off = 0;
        t = ring_desc(g, p->first + p->read_desc);
    }
    *step =
        (struct dma_step){ .packet = p, .desc = t, .bytes = t->bytes - p->read_off, .position = d->issued };
    step->addr = ((uint64_t)t->w[3] << 32 | t->w[2]) + p->read_off;
    if (!(udma_word(d, UDMA_APP_OFF + UAPP_EVENT_ACCEL_OFF) & UAPP_EVENT_ACCEL_EN_MASK))
        return true;
    uint64_t set = (uint64_t)udma_word(d, UDMA_APP_OFF + UAPP_SET_ADDR_HI_OFF) << 32 |
                   udma_word(d, UDMA_APP_OFF + UAPP_SET_ADDR_LO_OFF);
    uint64_t clr = (uint64_t)udma_word(d, UDMA_APP_OFF + UAPP_CLR_ADDR_HI_OFF) << 32 |
                   udma_word(d, UDMA_APP_OFF + UAPP_CLR_ADDR_LO_OFF);
    /* The last word of a descriptor; a burst never crosses its boundary (rtl/udma/udma_read.v). */
    step->constant = (step->addr == set || step->addr == clr) && step->bytes <= DMA_INC_BYTES;
    step->value = step->addr == set;
    uint64_t room = UDMA_READ_BURST_BYTES - step->addr % UDMA_READ_BURST_BYTES;
    if (step->constant && step->bytes > room)
        step->bytes = room;
    return true;
}

/* Common checks of RD and CONST. */
static int check_read(struct ref *r, const struct dev_event *ev, struct dma_step *step, const char *where,
                      struct nerr *err)
{
    struct dma *d = &r->dma[ev->unit];
    dma_settle(d);
    drop_unread(d, ev->queue);
    if (!dma_next_read(d, step))
        return ref_wrong(err, where, "reads 0x%" PRIx64 ", but no packet is being read", ev->addr);
    if (step->packet->queue != ev->queue)
        return ref_wrong(err, where,
                         "reads 0x%" PRIx64
                         " while the packet of queue %u, which started before, is being read",
                         ev->addr, step->packet->queue);
    if (ev->index != step->desc->index || ev->addr != step->addr)
        return ref_wrong(err, where,
                         "reads descriptor %" PRIu32 " at 0x%" PRIx64 "; right is descriptor %" PRIu32
                         " at 0x%" PRIx64,
                         ev->index, ev->addr, step->desc->index, step->addr);
    return 0;
}

static int issue_read(struct ref *r, struct dma *d, const struct dma_step *step, uint32_t n,
                      const char *where, struct nerr *err)
{
    if (d->r_in - d->r_out >= d->reads_size)
        return ref_wrong(err, where, "has more than %" PRIu32 " reads on the way", d->reads_size);
    if (!stream_reserve(r, d, d->issued + n))
        return nerr_set(err, NERR_MEM, "reference model", "out of memory");
    struct bus_read *b = &d->reads[d->r_in++ & (d->reads_size - 1)];
    *b = (struct bus_read){ .addr = step->addr & ~(uint64_t)SOC_ADDR_ATTR_MASK,
                            .stream = d->issued,
                            .len = n,
                            .index = step->desc->index,
                            .packet = d->p_read,
                            .lap = d->q[step->packet->queue].lap,
                            .queue = step->packet->queue,
                            .constant = step->constant };
    memcpy(b->w, step->desc->w, sizeof b->w);
    d->issued += n;
    step->packet->read_bytes += n;
    step->packet->read_off += n;
    return 0;
}

/* A burst of a killed packet whose address was on the bus: its data is thrown away. */
static bool late_read(struct ref *r, const struct dev_event *ev, struct nerr *err, int *rc)
{
    struct dma *d = &r->dma[ev->unit];
    struct late l = d->q[ev->queue].late_read;
    for (unsigned q = 0; q < UDMA_QUEUES; q++)
        d->q[q].late_read.valid = false; /* only one address can have been on the bus */
    if (!l.valid || l.addr != ev->addr || l.index != ev->index || ev->value == 0 || ev->value > l.bytes)
        return false;
    *rc = 0;
    if (d->r_in - d->r_out >= d->reads_size || !stream_reserve(r, d, d->issued + ev->value)) {
        *rc = nerr_set(err, NERR_MEM, "reference model", "out of memory");
        return true;
    }
    struct bus_read *b = &d->reads[d->r_in++ & (d->reads_size - 1)];
    *b = (struct bus_read){ .addr = ev->addr & ~(uint64_t)SOC_ADDR_ATTR_MASK,
                            .stream = d->issued,
                            .len = ev->value,
                            .index = ev->index,
                            .lap = d->q[ev->queue].lap - 1,
                            .queue = ev->queue };
    d->issued += ev->value;
    if (d->p_read != d->p_in && packet_at(d, d->p_read)->read_bytes == 0)
        packet_at(d, d->p_read)->begin = d->issued;
    return true;
}

int ref_dma_rd(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    struct dma *d = &r->dma[ev->unit];
    struct dma_step step;
    char where[32];
    ref_queue_name(ev->unit, ev->queue, 0, where, sizeof where);
    int rc;
    if (late_read(r, ev, err, &rc))
        return rc;
    rc = check_read(r, ev, &step, where, err);
    if (rc)
        return rc;
    if (step.constant)
        return ref_wrong(
            err, where,
            "reads the constant address 0x%" PRIx64 " on the bus; the event accelerator serves it", ev->addr);
    if (ev->value == 0 || ev->value > step.bytes || (ev->addr % AXI_BOUNDARY) + ev->value > AXI_BOUNDARY)
        return ref_wrong(err, where,
                         "reads %" PRIu32 " B at 0x%" PRIx64 "; %" PRIu64 " B of descriptor %" PRIu32
                         " are left and no burst crosses 4 KiB",
                         ev->value, ev->addr, step.bytes, ev->index);
    rc = issue_read(r, d, &step, ev->value, where, err);
    dma_settle(d);
    return rc;
}

int ref_dma_const(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    struct dma *d = &r->dma[ev->unit];
    struct dma_step step;
    char where[32];
    ref_queue_name(ev->unit, ev->queue, 0, where, sizeof where);
    int rc = check_read(r, ev, &step, where, err);
    if (rc)
        return rc;
    if (!step.constant)
        return ref_wrong(err, where, "is served a constant for 0x%" PRIx64 ", which is no constant address",
                         ev->addr);
    if (ev->value != step.value)
        return ref_wrong(err, where,
                         "is served the constant %" PRIu32 " for 0x%" PRIx64 "; right is %" PRIu32, ev->value,
                         ev->addr, step.value);
    rc = issue_read(r, d, &step, (uint32_t)step.bytes, where, err);
    if (rc)
        return rc;
    struct bus_read *b = &d->reads[(d->r_in - 1) & (d->reads_size - 1)];
    uint8_t bytes[4] = { (uint8_t)step.value, 0, 0, 0 };
    stream_write(d, b->stream, bytes, b->len);
    b->got = b->len;
    uint64_t base = SOC_UDMA0 + (uint64_t)ev->unit * SOC_UDMA_STRIDE + UDMA_APP_OFF;
    reg_changed(r, base + (step.value ? UAPP_NUM_SET_OFF : UAPP_NUM_CLR_OFF),
                step.value ? d->num_set : d->num_clr);
    if (step.value)
        d->num_set++;
    else
        d->num_clr++;
    advance_arrived(d);
    dma_settle(d);
    return 0;
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
        open_buffer(d, p);
    q->writes_issued++;
    q->filled += n;
    p->write_bytes += n;
    d->written = p->begin + p->write_bytes;
    pass_descs(d, p);
    bool ends = p->write_bytes == p->total;
    if (ends || q->filled == t->bytes)
        close_buffer(d, p, ends);
    if (ends)
        packet_written(d, p);
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
    drop_unwritten(d, ev->queue);
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
