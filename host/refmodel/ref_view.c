/* What each part is doing, for hang reports (the view functions of ref.h). */
#include "refmodel/ref_private.h"

#include <string.h>

static const char *stalled_on(const struct seq *s, const struct dev_event *want, bool ready)
{
    if (s->state != ESTATE_RUNNING)
        return NULL;
    switch (want->kind) {
    case EV_SEQ_ISSUE:
        return "fetch";
    case EV_SEM:
        return "EVT_SEM";
    case EV_NQ_IN:
        return "NOTIFIC";
    case EV_SEQ_WRITE:
        return "bus";
    case EV_SEQ_READ:
        return ready ? NULL : "read response";
    case 0:
    case EV_SEQ_RETIRE:
        return ready ? NULL : "write response";
    default:
        return NULL;
    }
}

void ref_view_seq(struct ref *r, unsigned engine, struct ref_seq_view *v)
{
    struct dev_event want;
    memset(v, 0, sizeof *v);
    if (engine >= ENG_COUNT)
        return;
    struct seq *s = &r->seq[engine];
    seq_settle(r, engine);
    bool ready = seq_expect(r, engine, &want);
    v->state = s->state;
    v->pc = s->pc;
    v->image_base = s->base;
    v->retired = s->retired;
    v->stalled_on = stalled_on(s, &want, ready);
    v->ready = s->state == ESTATE_RUNNING && ready;
    if (v->ready)
        seq_step_text(r, engine, v->step, sizeof v->step);
    if (s->state != ESTATE_RUNNING || want.kind != EV_SEQ_PASS || ready)
        return;
    bool event = want.code == WAIT_EVT_SET || want.code == WAIT_EVT_CLEAR ||
                 want.code == WAIT_EVT_SET_THEN_CLEAR || want.code == WAIT_EVT_CLEAR_THEN_SET;
    v->waiting = true;
    v->lane = want.queue;
    v->mode = want.code;
    v->idx = (uint8_t)want.index;
    v->operand = want.value;
    v->current = event ? r->evt[0].event[v->idx] : r->evt[0].sem[v->idx];
}

void ref_view_queue(struct ref *r, unsigned engine, unsigned dir, unsigned queue, struct ref_queue_view *v)
{
    memset(v, 0, sizeof *v);
    if (engine >= r->cfg.n_dma || dir > 1 || queue >= UDMA_QUEUES)
        return;
    struct dma *d = &r->dma[engine];
    const struct dma_queue *q = &d->q[queue];
    const struct dma_ring *g = &q->ring[dir];
    v->enabled = ring_enabled(d, queue, dir);
    v->tail = ptr_word(g->tail);
    v->head = ptr_word(g->head);
    v->current = ptr_word(g->current);
    v->completed = ptr_word(g->completed);
    v->size = ring_length(d, queue, dir);
    v->packets = g->packets;
    for (uint32_t i = d->writes.committed; i != d->writes.issued; i++)
        v->outstanding += d->writes.e[i & (d->writes.size - 1)].queue == queue;
}

bool ref_view_write(struct ref *r, unsigned engine, bool answer, unsigned *queue, uint32_t *index)
{
    if (engine >= r->cfg.n_dma)
        return false;
    struct write_queue *writes = &r->dma[engine].writes;
    const struct bus_write *w = answer ? wq_unanswered(writes) : NULL;
    if (!w)
        w = wq_uncommitted(writes);
    if (!w)
        return false;
    *queue = w->queue;
    *index = w->index;
    return true;
}

void ref_view_nq(struct ref *r, unsigned queue, struct ref_nq_view *v)
{
    memset(v, 0, sizeof *v);
    if (queue >= NQ_QUEUES)
        return;
    const struct nq_ring *q = &r->nq.q[queue];
    v->enabled = nq_ring_on(&r->nq, queue);
    v->head = q->head;
    v->tail = q->tail;
    v->size = q->size;
    v->phase = q->phase;
    v->full = v->enabled && nq_ring_full(q);
    v->written = q->written;
}
