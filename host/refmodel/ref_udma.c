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
    if (length == 0)
        return p;
    p.id = (p.id + (unsigned)(at / length)) & RING_ID_MASK;
    p.offset = (uint32_t)(at % length);
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

static bool ptr_equal(struct ring_ptr a, struct ring_ptr b)
{
    return a.offset == b.offset && a.id == b.id;
}

uint32_t ring_used(const struct dma *d, unsigned queue, unsigned dir)
{
    const struct dma_ring *g = &d->q[queue].ring[dir];
    uint32_t length = ring_length(d, queue, dir);
    if (length == 0 || ptr_equal(g->completed, g->tail))
        return 0;
    uint32_t n = (g->tail.offset + length - g->completed.offset) % length;
    return n ? n : length;
}

bool ring_enabled(const struct dma *d, unsigned queue, unsigned dir)
{
    uint32_t cfg = udma_word(d, udma_bank(dir, queue) + M2SQ_CFG_OFF);
    uint32_t allowed = dir ? udma_word(d, UDMA_S2M_OFF + S2M_PREF_QUEUE_EN_OFF)
                           : udma_word(d, UDMA_M2S_OFF + M2S_PREF_QUEUE_EN_OFF);
    return d->running && !d->aborted && (cfg & M2SQ_CFG_EN_PREF_MASK) && (allowed >> queue & 1);
}

struct desc *ring_desc(struct dma_ring *g, uint32_t seq)
{
    return &g->d[seq % DESC_RING];
}

void dma_reset_queue(struct ref *r, unsigned e, unsigned queue, unsigned dir)
{
    struct dma *d = &r->dma[e];
    struct dma_queue *q = &d->q[queue];
    struct dma_ring *g = &q->ring[dir];
    g->tail = g->head = g->current = g->completed = (struct ring_ptr){ 0, RING_ID_FIRST };
    g->fetched = g->taken = g->done = g->may_complete = g->packet_end = 0;
    g->packets = 0;
    g->stopped = false;
    g->bell.valid = false;
    q->land_in = q->land_out = 0;
    q->lap++;
    q->buffer_open = false;
    q->dead = false;
    dma_kill_packets(d, queue);
    if (dir == 0) {
        q->open = false;
        q->packets_ready = q->packets_started = q->started = q->landed = 0;
    } else {
        q->writes_issued = q->writes_answered = q->barrier = 0;
    }
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
    bool overflow = ring_used(d, ev->queue, ev->dir) + (uint64_t)ev->value > length;
    struct ring_ptr right = overflow ? g->tail : ptr_add(g->tail, ev->value, length);
    if ((ev->code == 1) != overflow || ev->code > 1)
        return ref_wrong(err, where,
                         "doorbell of %" PRIu32 " was %s; right is %s (%" PRIu32 " of %" PRIu32
                         " entries used)",
                         ev->value, ev->code ? "refused" : "taken", overflow ? "refused" : "taken",
                         ring_used(d, ev->queue, ev->dir), length);
    if (ev->data != ptr_word(right))
        return ref_wrong(err, where,
                         "tail is 0x%08" PRIx64 " after a doorbell of %" PRIu32 "; right is 0x%08" PRIx32,
                         ev->data, ev->value, ptr_word(right));
    reg_changed(
        r, SOC_UDMA0 + (uint64_t)ev->unit * SOC_UDMA_STRIDE + udma_bank(ev->dir, ev->queue) + M2SQ_TDRTP_OFF,
        ptr_word(g->tail));
    g->tail = right;
    g->bell.valid = false;
    return 0;
}

/* ---- prefetch ---- */

static uint32_t field(uint32_t word, uint32_t mask, unsigned lsb)
{
    return (word & mask) >> lsb;
}

/* What is wrong with an M2S descriptor by itself or at its place in the packet (udma.md §3.1, §4, §14.1). */
static void check_m2s(struct dma *d, struct dma_queue *q, struct desc *t, unsigned right_id)
{
    uint32_t w0 = t->w[0], w1 = t->w[1];
    bool md = w0 & M2S_DESC_W0_MD_MASK, first = w0 & M2S_DESC_W0_FIRST_MASK,
         last = w0 & M2S_DESC_W0_LAST_MASK;
    uint32_t cfg_len = udma_word(d, UDMA_M2S_OFF + M2S_CFG_LEN_OFF);
    uint32_t max_desc = field(udma_word(d, UDMA_M2S_OFF + M2S_DESC_PREF_CFG_2_OFF),
                              M2S_DESC_PREF_CFG_2_MAX_DESC_MASK, M2S_DESC_PREF_CFG_2_MAX_DESC_LSB);
    uint32_t masked = udma_word(d, UDMA_M2S_OFF + M2S_ERR_LOG_MASK_OFF);
    t->bytes = w0 & M2S_DESC_W0_LENGTH_MASK;
    if (t->bytes == 0 && cfg_len & M2S_CFG_LEN_ENCODE_64K_MASK)
        t->bytes = DESC_LENGTH_MAX;
    if (md)
        t->bytes = 0;
    if (field(w0, M2S_DESC_W0_RING_ID_MASK, M2S_DESC_W0_RING_ID_LSB) != right_id) {
        bool runs_on =
            masked >> M2S_ERR_RING_ID & 1; /* a masked mismatch executes normally (udma.md §14.3) */
        t->error = runs_on ? NO_ERROR : M2S_ERR_RING_ID;
        t->other_error = M2S_ERR_RING_ID;
    }
    if (t->error == NO_ERROR && first == q->open) {
        t->error = M2S_ERR_FIRST;
        t->other_error = q->open ? M2S_ERR_LAST : M2S_ERR_FIRST;
    }
    if (first) {
        q->open_descs = 0;
        q->open_bytes = 0;
    }
    q->open = !last;
    q->open_descs++;
    q->open_bytes += t->bytes;
    uint32_t op = field(w1, M2S_DESC_W1_OP_MASK, M2S_DESC_W1_OP_LSB),
             kind = field(w1, M2S_DESC_W1_OPTYPE_MASK, M2S_DESC_W1_OPTYPE_LSB);
    if (t->error != NO_ERROR)
        return;
    if (q->open_descs > max_desc) {
        t->error = M2S_ERR_MAX_DESC;
    } else if (q->open_bytes > field(cfg_len, M2S_CFG_LEN_MAX_PKT_MASK, M2S_CFG_LEN_MAX_PKT_LSB)) {
        t->error = M2S_ERR_PKT_LEN;
    } else if (md) {
        t->other_error = ANY_ERROR; /* parameters of operations this model does not have */
    } else if (!(w0 & M2S_DESC_W0_CONCAT_MASK) && (op != DMA_OP_CME || kind != DMA_OPTYPE_COPY)) {
        t->error = ANY_ERROR; /* no bit of group A names a missing application engine */
    }
}

static void check_s2m(struct desc *t, unsigned right_id, uint32_t masked)
{
    uint32_t w0 = t->w[0];
    t->bytes = w0 & S2M_DESC_W0_LENGTH_MASK;
    if (t->bytes == 0)
        t->bytes = DESC_LENGTH_MAX;
    if (field(w0, S2M_DESC_W0_RING_ID_MASK, S2M_DESC_W0_RING_ID_LSB) != right_id) {
        t->error = masked >> S2M_ERR_RING_ID & 1 ? NO_ERROR : S2M_ERR_RING_ID;
        t->other_error = S2M_ERR_RING_ID;
    } else if (w0 & S2M_DESC_W0_DUAL_BUF_MASK) {
        t->error = ANY_ERROR; /* unsupported on v3 (udma.md §3.2) */
    } else if (w0 & S2M_DESC_W0_META_MASK) {
        t->other_error = ANY_ERROR;
    }
}

static void entered(struct ref *r, struct dma *d, unsigned queue, unsigned dir, const uint32_t *words)
{
    struct dma_queue *q = &d->q[queue];
    struct dma_ring *g = &q->ring[dir];
    struct desc *t = ring_desc(g, g->fetched);
    memset(t, 0, sizeof *t);
    memcpy(t->w, words, sizeof t->w);
    t->index = g->head.offset;
    t->error = t->other_error = NO_ERROR;
    if (dir)
        check_s2m(t, g->head.id, udma_word(d, UDMA_S2M_OFF + S2M_ERR_LOG_MASK_OFF));
    else
        check_m2s(d, q, t, g->head.id);
    unsigned e = (unsigned)(d - r->dma);
    reg_changed(r, SOC_UDMA0 + (uint64_t)e * SOC_UDMA_STRIDE + udma_bank(dir, queue) + M2SQ_TDRHP_OFF,
                ptr_word(g->head));
    g->fetched++;
    g->head = ptr_add(g->head, 1, ring_length(d, queue, dir));
    if (t->error != NO_ERROR)
        g->stopped = true;
    else if (dir == 0 && !q->open && !g->stopped)
        q->packet_descs[q->packets_ready++ % DESC_RING] = q->open_descs;
}

int ref_dma_desc(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    struct dma *d = &r->dma[ev->unit];
    struct dma_ring *g = &d->q[ev->queue].ring[ev->dir];
    char where[32];
    ref_queue_name(ev->unit, ev->queue, ev->dir, where, sizeof where);
    if (ptr_equal(g->head, g->tail))
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
    d->secondary[dir ? UGROUP_B : UGROUP_A].cause |= UINT32_C(1) << bit;
    d->primary[UGROUP_D].cause |= UINT32_C(1) << (dir ? UGROUP_D_SECONDARY_B_BIT : UGROUP_D_SECONDARY_A_BIT);
    d->may_abort = true;
}

static struct desc *find_bad(struct dma_ring *g, const struct dev_event *ev)
{
    uint32_t oldest = g->fetched > DESC_RING ? g->fetched - DESC_RING : 0;
    for (uint32_t seq = g->done > oldest ? g->done : oldest; seq != g->fetched; seq++) {
        struct desc *t = ring_desc(g, seq);
        bool bad = t->error != NO_ERROR || t->other_error != NO_ERROR;
        if (bad && !t->reported && t->index == ev->index)
            return t;
    }
    return NULL;
}

/* Errors of bus accesses: the response was seen before as BUS_ERR. */
static bool bus_error(struct dma *d, const struct dev_event *ev)
{
    unsigned *count = NULL;
    if (ev->dir == 0 && ev->code == M2S_ERR_DATA_RESP && ev->queue == d->error_queue_read)
        count = &d->read_errors;
    else if (ev->dir == 1 && ev->code == S2M_ERR_DATA_RESP && ev->queue == d->error_queue_write)
        count = &d->write_errors;
    else if ((ev->dir == 0 && ev->code == M2S_ERR_PREF_RESP) ||
             (ev->dir == 1 && ev->code == S2M_ERR_PREF_RESP))
        count = &d->prefetch_errors;
    if (!count || !*count)
        return false;
    --*count;
    d->bus_error_reported = true;
    return true;
}

int ref_dma_err(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    struct dma *d = &r->dma[ev->unit];
    struct dma_ring *g = &d->q[ev->queue].ring[ev->dir];
    char where[32];
    ref_queue_name(ev->unit, ev->queue, ev->dir, where, sizeof where);
    if (bus_error(d, ev)) {
        g->stopped = true;
        dma_raise(r, ev->unit, ev->dir, ev->code, ev->words);
        return 0;
    }
    struct desc *t = find_bad(g, ev);
    if (!t)
        return ref_wrong(err, where, "reports error bit %u on descriptor %" PRIu32 ", which has none",
                         ev->code, ev->index);
    bool any = t->error == ANY_ERROR || t->other_error == ANY_ERROR;
    if (ev->code > 31 || (!any && ev->code != t->error && ev->code != t->other_error))
        return ref_wrong(err, where, "reports error bit %u on descriptor %" PRIu32 "; right is bit %u",
                         ev->code, ev->index, t->error == NO_ERROR ? t->other_error : t->error);
    for (unsigned i = 0; i < 4; i++)
        if (ev->words[i] != t->w[i])
            return ref_wrong(err, where,
                             "error report of descriptor %" PRIu32 " has word %u = 0x%08" PRIx32
                             "; right is 0x%08" PRIx32,
                             ev->index, i, ev->words[i], t->w[i]);
    t->reported = true;
    if (t->error != NO_ERROR || t->other_error == ANY_ERROR)
        g->stopped = true;
    dma_raise(r, ev->unit, ev->dir, ev->code, t->w);
    return 0;
}

void dma_command(struct ref *r, unsigned e, uint32_t command)
{
    struct dma *d = &r->dma[e];
    if (command & M2S_CHANGE_STATE_ABORT_MASK)
        d->wanted = d->aborted ? -1 : 2;
    else if (command & M2S_CHANGE_STATE_DIS_MASK)
        d->wanted = d->running ? 0 : -1;
    else if (command & M2S_CHANGE_STATE_NORMAL_MASK)
        d->wanted = d->running && !d->aborted ? -1 : 1;
}

int ref_dma_state(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    struct dma *d = &r->dma[ev->unit];
    char where[16];
    ref_master_name(MASTER_UDMA0 + ev->unit, where, sizeof where);
    bool by_error = ev->code == 2 && d->may_abort && !d->aborted;
    if (ev->code != d->wanted && !by_error)
        return ref_wrong(err, where, "changes to state %u, which nobody asked for", ev->code);
    if (ev->code == d->wanted)
        d->wanted = -1;
    for (unsigned q = 0; q < UDMA_QUEUES; q++) {
        for (unsigned dir = 0; dir < 2; dir++) {
            struct dma_ring *g = &d->q[q].ring[dir];
            if (!ring_enabled(d, q, dir))
                continue;
            g->was_enabled = true;
            g->disabled_at = r->cycle;
        }
    }
    d->may_abort = false;
    d->running = ev->code == 1 || (ev->code == 2 && d->running);
    d->aborted = ev->code == 2;
    if (d->aborted)
        for (unsigned q = 0; q < UDMA_QUEUES; q++)
            dma_kill_packets(d, q);
    return 0;
}
