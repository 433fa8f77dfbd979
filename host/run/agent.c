/*
 * The collective agent: host code that stands in for the management core (slice-walkthrough §7). It takes
 * triggers from the mailbox, semaphore 0 of TOP_SP_0, and rings the next prepared block; it never touches
 * data.
 */
#include "run/run_private.h"

#include "regs.h"

static int ring_bell(struct run *r, unsigned dir, uint32_t count, struct nerr *err)
{
    uint64_t bank = BAR0_UDMA0 + BAR0_UDMA_STRIDE * r->plan->agent_engine +
                    (dir ? UDMA_S2M_OFF : UDMA_M2S_OFF) + UDMA_Q_FIRST + UDMA_Q_STRIDE * r->plan->agent_queue;
    return r->dev->ops->reg_write32(r->dev, bank + M2SQ_TDRTP_INC_OFF, count, err);
}

int run_agent_step(struct run *r, struct nerr *err)
{
    uint32_t pending;
    if (r->plan->nagent == 0)
        return 0;
    int rc = r->dev->ops->reg_read32(r->dev, BAR0_TOPSP + EVT_WIN_SEM_READ, &pending, err);
    if (rc || (int32_t)pending < 1)
        return rc;
    if (r->agent_next == r->plan->nagent)
        return nerr_set(err, NERR_MISMATCH, "collective agent",
                        "trigger number %zu, but the program has only %zu collective slots",
                        r->agent_next + 1, r->plan->nagent);
    const struct load_agent_block *b = &r->plan->agent[r->agent_next++];
    rc = r->dev->ops->reg_write32(r->dev, BAR0_TOPSP + EVT_WIN_SEM_DEC, 1, err);
    if (!rc)
        rc = ring_bell(r, 1, b->n_rx, err);
    if (!rc)
        rc = ring_bell(r, 0, b->n_tx, err);
    return rc;
}
