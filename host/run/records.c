/* The host's consumer of the record rings, by phase bit in host memory (notification-queue §11). */
#include "run/run_private.h"

#include <stdlib.h>

#include "regs.h"
#include "util/bytes.h"

static int keep(struct run *r, const struct run_record *rec, struct nerr *err)
{
    struct run_result *res = r->res;
    if ((res->nrecords & (res->nrecords - 1)) == 0) { /* full at every power of two */
        size_t capacity = res->nrecords ? 2 * res->nrecords : 16;
        struct run_record *more = realloc(res->records, capacity * sizeof *more);
        if (!more)
            return nerr_set(err, NERR_MEM, "records", "out of memory for %zu records", capacity);
        res->records = more;
    }
    res->records[res->nrecords++] = *rec;
    return 0;
}

/* What a record means for the protocol: which engine reached its gate, finished, or failed. */
static void note(struct run *r, const struct run_record *rec)
{
    if (rec->type == NTYPE_TPB_ERROR || rec->queue == 3)
        r->device_error = true;
    for (unsigned e = 0; e < PROG_ENGINES; e++) {
        if (rec->type != NTYPE_PE_EXPLICIT + NTYPE_ENG_STRIDE * e)
            continue;
        uint32_t hint = (rec->w0 & NOTIF_EXPLICIT_W0_HINT_MASK) >> NOTIF_EXPLICIT_W0_HINT_LSB;
        if (hint == HINT_SWITCH_START)
            r->gated[e] = true;
        if (hint == HINT_DONE)
            r->done[e] = true;
    }
}

/* Reads the new records of one ring; *read counts them. */
static int drain_ring(struct run *r, unsigned q, size_t *read, struct nerr *err)
{
    struct run_ring *ring = &r->rings[q];
    uint32_t entries = (uint32_t)(r->plan->notify_bytes / NOTIF_SIZE);
    *read = 0;
    for (;;) {
        uint8_t raw[NOTIF_SIZE];
        int rc = r->dev->ops->mem_read(r->dev, r->plan->notify_base[q] + (uint64_t)ring->next * NOTIF_SIZE,
                                       raw, sizeof raw, err);
        if (rc)
            return rc;
        struct run_record rec = {
            .queue = q, .w0 = get_le32(raw), .w1 = get_le32(raw + 4), .ps = get_le64(raw + 8)
        };
        if ((rec.w0 & NOTIF_W0_PHASE_MASK) >> NOTIF_W0_PHASE_LSB == ring->stale)
            return 0;
        rec.type = (rec.w0 & NOTIF_W0_TYPE_MASK) >> NOTIF_W0_TYPE_LSB;
        rc = keep(r, &rec, err);
        if (rc)
            return rc;
        note(r, &rec);
        ring->next++;
        if (ring->next == entries) {
            ring->next = 0;
            ring->stale ^= 1u;
        }
        ++*read;
    }
}

int run_drain(struct run *r, bool *any, struct nerr *err)
{
    *any = false;
    for (unsigned q = 0; q < RUN_QUEUES; q++) {
        size_t read;
        int rc = drain_ring(r, q, &read, err);
        if (rc)
            return rc;
        if (!read)
            continue;
        *any = true;
        rc = r->dev->ops->reg_write32(r->dev, BAR0_NOTIFIC + NQ_Q_BASE + NQ_Q_STRIDE * q + NQQ_HEAD_OFF,
                                      r->rings[q].next * NOTIF_SIZE, err);
        if (rc)
            return rc;
    }
    return 0;
}
