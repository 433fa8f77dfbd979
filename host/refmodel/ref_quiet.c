/* The end of a run: what was begun and never came to its end (ref_quiet of ref.h). */
#include "refmodel/ref_private.h"

#include <inttypes.h>
#include <stdio.h>

static bool writes_done(const char *where, struct write_queue *w, struct nerr *err)
{
    const struct bus_write *e = wq_uncommitted(w);
    if (e) {
        ref_wrong(err, where, "the write of %" PRIu32 " B at 0x%" PRIx64 " was issued but never committed",
                  e->len, e->addr);
        return false;
    }
    e = wq_unanswered(w);
    if (e)
        ref_wrong(err, where, "the write of %" PRIu32 " B at 0x%" PRIx64 " was committed but never answered",
                  e->len, e->addr);
    return e == NULL;
}

static bool notes_gone(const char *where, struct note_ring *ring, const char *what, struct nerr *err)
{
    const struct note *n = note_front(ring);
    if (n)
        ref_wrong(err, where, "record %08" PRIx32 " %08" PRIx32 " %s", n->w0, n->w1, what);
    return n == NULL;
}

static bool seq_quiet(struct ref *r, unsigned e, struct nerr *err)
{
    struct seq *s = &r->seq[e];
    struct dev_event want;
    char step[256];
    const char *name = ref_engine_name(e);
    if (!writes_done(name, &s->writes, err) ||
        !notes_gone(name, &s->errors, "was never sent to NOTIFIC", err))
        return false;
    seq_settle(r, e);
    if (!seq_expect(r, e, &want) || want.kind == 0)
        return true;
    seq_step_text(r, e, step, sizeof step);
    ref_wrong(err, name, "stands at PC 0x%" PRIx64 " and could go on, but this never came: %s", s->pc, step);
    return false;
}

/* With a full lossless ring the whole output path waits for the host (notification-queue.md §9.3). */
static bool waits_for_host(const struct notific *n)
{
    for (unsigned q = 0; q < NQ_QUEUES; q++)
        if (nq_ring_on(n, q) && nq_ring_full(&n->q[q]) && n->sw_bp >> q & 1)
            return true;
    return false;
}

static bool notific_quiet(struct ref *r, struct nerr *err)
{
    struct notific *n = &r->nq;
    if (!writes_done("NOTIFIC", &n->writes, err) ||
        !notes_gone("NOTIFIC", &n->limbo,
                    "was accepted with its class bit off but its drop was never reported", err))
        return false;
    if (waits_for_host(n))
        return true;
    for (unsigned c = 0; c < NCLASS_COUNT; c++)
        if (!notes_gone("NOTIFIC", &n->in[c], "was accepted but neither written nor dropped", err))
            return false;
    return notes_gone("EVT_SEM", &r->evt_notes.notes, "was never sent to NOTIFIC", err) &&
           notes_gone("EVT_SEM", &r->evt_errors.notes, "was never sent to NOTIFIC", err) &&
           notes_gone("NOTIFIC", &r->fake_errors, "was raised but never accepted", err);
}

static bool ring_quiet(struct dma *d, unsigned e, unsigned queue, unsigned dir, struct nerr *err)
{
    struct dma_ring *g = &d->q[queue].ring[dir];
    char where[32];
    ref_queue_name(e, queue, dir, where, sizeof where);
    if (g->bell.valid) {
        ref_wrong(err, where, "a doorbell of %" PRIu32 " was written but never taken", g->bell.count);
        return false;
    }
    if (g->faulty && !g->reported) {
        const struct desc *t = ring_desc(g, g->fetched - 1);
        ref_wrong(err, where,
                  "descriptor %" PRIu32 " (word 0 0x%08" PRIx32 ") is in error, but no error was reported",
                  t->index, t->w[0]);
        return false;
    }
    if (g->may_complete != g->done) {
        ref_wrong(err, where,
                  "%" PRIu32
                  " descriptors have landed but their completion never came (completion head 0x%08" PRIx32
                  ")",
                  g->may_complete - g->done, ptr_word(g->completed));
        return false;
    }
    if (g->stopped || dma_dying(d, queue) || !ring_enabled(d, queue, dir) || !ring_armed(g) ||
        g->fetched - g->taken >= UDMA_PREF_DEPTH || ring_length(d, queue, dir) == 0)
        return true;
    ref_wrong(err, where,
              "descriptors were released by a doorbell and not fetched: tail 0x%08" PRIx32
              ", head 0x%08" PRIx32 ", completion head 0x%08" PRIx32,
              ptr_word(g->tail), ptr_word(g->head), ptr_word(g->completed));
    return false;
}

/* A queue whose packets nothing holds up must have none left. */
static bool queue_quiet(struct dma *d, unsigned e, unsigned queue, struct nerr *err)
{
    struct dma_queue *q = &d->q[queue];
    struct dma_plan plan;
    char where[32];
    ref_queue_name(e, queue, 0, where, sizeof where);
    if (q->read_error.valid || q->write_error.valid) {
        ref_wrong(err, where,
                  "the bus refused an access of descriptor %" PRIu32 ", but no error was reported",
                  q->read_error.valid ? q->read_error.index : q->write_error.index);
        return false;
    }
    if (dma_stuck(d))
        return true; /* all queues share the stream */
    if (q->inflight && !q->dead) {
        ref_wrong(err, where, "%" PRIu32 " packets were started and never completed", q->inflight);
        return false;
    }
    if (dma_start_blocked(d, queue, &plan))
        return true;
    if (plan.error == NO_ERROR)
        ref_wrong(err, where, "a packet at descriptor %" PRIu32 " could start and never did",
                  ring_desc(&q->ring[0], q->ring[0].taken)->index);
    else
        ref_wrong(err, where, "descriptor %" PRIu32 " has error bit %u, which was never reported",
                  ring_desc(&q->ring[0], plan.seq)->index, plan.error);
    return false;
}

static bool dma_quiet(struct ref *r, unsigned e, struct nerr *err)
{
    struct dma *d = &r->dma[e];
    char where[16];
    ref_master_name(MASTER_UDMA0 + e, where, sizeof where);
    if (!writes_done(where, &d->writes, err))
        return false;
    dma_drop_failed(d);
    for (unsigned q = 0; q < UDMA_QUEUES; q++) {
        for (unsigned dir = 0; dir < 2; dir++)
            if (!ring_quiet(d, e, q, dir, err))
                return false;
        if (!queue_quiet(d, e, q, err))
            return false;
    }
    if (d->wanted >= 0) {
        ref_wrong(err, where, "a state command was written, but the change to state %d never came",
                  d->wanted);
        return false;
    }
    return true;
}

bool ref_quiet(struct ref *r, struct nerr *err)
{
    if (r->self.code) {
        *err = r->self;
        return false;
    }
    dma_commands_done(r, true);
    for (unsigned u = 0; u < 2; u++) {
        if (!r->evt[u].pending.valid)
            continue;
        ref_wrong(err, u ? "TOP_SP_0 EVT_SEM" : "EVT_SEM",
                  "a bus update at offset 0x%" PRIx32 " was committed, but no write was answered",
                  r->evt[u].pending.off);
        return false;
    }
    for (unsigned e = 0; e < ENG_COUNT; e++)
        if (!seq_quiet(r, e, err))
            return false;
    for (unsigned e = 0; e < r->cfg.n_dma; e++)
        if (!dma_quiet(r, e, err))
            return false;
    return notific_quiet(r, err);
}
