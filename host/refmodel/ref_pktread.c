/*
 * The read side of a DMA engine: the stream, and the reader that fetches the buffers of the packets into it
 * in order, or constants of the event accelerator (udma.md §5, §13).
 */
#include "refmodel/ref_packet.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
    dma_drop_unread(d, ev->queue);
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
