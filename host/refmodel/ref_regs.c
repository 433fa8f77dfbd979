/* Register accesses by SoC address: which block, and how close a value read from the RTL must be (ref.h). */
#include "refmodel/ref_private.h"

void reg_changed(struct ref *r, uint64_t soc, uint32_t old)
{
    struct change *c = &r->changes[r->nchanges++ % CHANGE_RING];
    c->soc = soc;
    c->cycle = r->cycle;
    c->old = old;
}

/* EVT_SEM through the bus: only the aliases of events and of the present value can be read. */
static uint32_t read_evt(const struct evt_unit *u, uint32_t off)
{
    if (off - EVT_WIN_EVENT < EVT_WIN_SIZE)
        return u->event[(off - EVT_WIN_EVENT) / EVT_STRIDE];
    if (off >= EVT_WIN_SEM_READ && off - EVT_WIN_SEM_READ < EVT_WIN_SIZE)
        return u->sem[(off - EVT_WIN_SEM_READ) / EVT_STRIDE];
    return 0;
}

int reg_write(struct ref *r, uint64_t soc, uint32_t value)
{
    uint64_t off;
    unsigned target = ref_decode(r, soc, &off);
    uint32_t old;
    if (ref_refuses_write(r, soc, value))
        return 1;
    if (target != TARGET_EVT && target != TARGET_TOPSP_EVT && reg_read(r, soc, &old, false) == 0)
        reg_changed(r, soc, old);
    if (target >= TARGET_LREG && target < TARGET_LREG + ENG_COUNT)
        seq_write_lreg(r, target - TARGET_LREG, (uint32_t)off, value);
    else if (target == TARGET_TPB_CTRL)
        tpb_write_reg(r, (uint32_t)off, value);
    else if (target == TARGET_NOTIFIC)
        nq_write_reg(r, (uint32_t)off, value);
    else if (target >= TARGET_UDMA)
        udma_write_reg(r, target - TARGET_UDMA, (uint32_t)off, value);
    return 0;
}

int reg_read(struct ref *r, uint64_t soc, uint32_t *value, bool side_effects)
{
    uint64_t off;
    unsigned target = ref_decode(r, soc, &off);
    bool timed = false;
    *value = 0;
    if (ref_refuses(r, soc)) {
        *value = target == TARGET_NONE || target == TARGET_MEM ? SOC_POISON : 0;
        return 1;
    }
    if (target >= TARGET_LREG && target < TARGET_LREG + ENG_COUNT)
        *value = seq_read_lreg(r, target - TARGET_LREG, (uint32_t)off, &timed);
    else if (target == TARGET_EVT)
        *value = read_evt(&r->evt[0], (uint32_t)off);
    else if (target == TARGET_TOPSP_EVT)
        *value = read_evt(&r->evt[1], (uint32_t)off);
    else if (target == TARGET_TPB_CTRL)
        *value = tpb_read_reg(r, (uint32_t)off);
    else if (target == TARGET_NOTIFIC)
        timed = !nq_read_reg(r, (uint32_t)off, value, side_effects);
    else
        timed = !udma_read_reg(r, target - TARGET_UDMA, (uint32_t)off, value);
    return timed ? 2 : 0;
}

/* The current pointer may be anywhere between completion head and head while the queue works. */
static bool current_pointer(const struct ref *r, unsigned e, uint32_t off, uint32_t value)
{
    const struct dma *d = &r->dma[e];
    for (unsigned dir = 0; dir < 2; dir++) {
        for (unsigned q = 0; q < UDMA_QUEUES; q++) {
            if (off != udma_bank(dir, q) + M2SQ_TDCP_OFF)
                continue;
            const struct dma_ring *g = &d->q[q].ring[dir];
            struct ring_ptr p = g->completed;
            for (uint32_t n = 0; n <= g->fetched - g->done; n++) {
                if (ptr_word(p) == value)
                    return true;
                p = ptr_add(p, 1, ring_length(d, q, dir));
            }
        }
    }
    return false;
}

/* Records NOTIFIC has accepted and not written: its tail and counters may already be ahead of the model. */
static bool records_on_the_way(const struct notific *n)
{
    for (unsigned c = 0; c < NCLASS_COUNT; c++)
        if (note_count(&n->in[c]))
            return true;
    return false;
}

bool reg_read_close(const struct ref *r, uint64_t soc, uint32_t value, uint32_t want)
{
    uint64_t off;
    unsigned target = ref_decode(r, soc, &off);
    uint32_t first = r->nchanges > CHANGE_RING ? r->nchanges - CHANGE_RING : 0;
    for (uint32_t i = r->nchanges; i != first; i--) {
        const struct change *c = &r->changes[(i - 1) % CHANGE_RING];
        if (r->cycle - c->cycle > WINDOW_CLOCKS)
            break;
        if (c->soc == (soc & ~(uint64_t)SOC_ADDR_ATTR_MASK) && c->old == value)
            return true;
    }
    if (target >= TARGET_LREG && target < TARGET_LREG + ENG_COUNT) { /* latched shortly before the record */
        const struct seq *s = &r->seq[target - TARGET_LREG];
        bool faults = s->state == ESTATE_RUNNING && s->step == STEP_FAULT_RECORD;
        return faults && ((off == LREG_HALT_REASON_OFF && value == HALT_FATAL) ||
                          (off == LREG_ERROR_WORD_OFF && value == seq_error_word(r, target - TARGET_LREG)));
    }
    if (target == TARGET_NOTIFIC && off < NQ_BLOCK_BYTES) {
        bool moving = off == NQ_STATS_OFF || off == NQ_FULL_OFF || off == NQ_THRESHOLD_PASSED_OFF ||
                      (off >= NQ_Q_BASE && (off - NQ_Q_BASE) % NQ_Q_STRIDE == NQQ_TAIL_OFF);
        return moving && records_on_the_way(&r->nq) && value != want;
    }
    return target >= TARGET_UDMA && current_pointer(r, target - TARGET_UDMA, (uint32_t)off, value);
}

bool reg_is_bell(const struct ref *r, uint64_t soc, unsigned *e, unsigned *dir, unsigned *queue)
{
    uint64_t off;
    unsigned target = ref_decode(r, soc, &off);
    if (target < TARGET_UDMA)
        return false;
    *e = target - TARGET_UDMA;
    for (*dir = 0; *dir < 2; ++*dir)
        for (*queue = 0; *queue < UDMA_QUEUES; ++*queue)
            if (off == udma_bank(*dir, *queue) + M2SQ_TDRTP_INC_OFF)
                return true;
    return false;
}

int ref_reg_peek(struct ref *r, uint64_t soc, uint32_t *value)
{
    dma_commands_done(r, true);
    return reg_read(r, soc, value, false);
}
