/* Load, start, inference and stop, in the order of tpb-image §6 and slice-walkthrough §5-6. */
#include "run/run_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "regs.h"
#include "util/interrupt.h"

#define POLL_CYCLES  16u  /* between two reads of a polled register */
#define DRAIN_CYCLES 256u /* one pass of the host loop; part of what makes a run repeat cycle for cycle */
#define GRACE_PASSES 16u  /* passes after a device error, so that records behind it are seen */

static const uint64_t lreg[PROG_ENGINES] = { BAR0_LREG_PE, BAR0_LREG_ACT, BAR0_LREG_POOL, BAR0_LREG_DVE,
                                             BAR0_LREG_SP };

static int hang(struct run *r, uint64_t cycle, const char *why, struct nerr *err)
{
    r->res->fail_cycle = cycle;
    return nerr_set(err, NERR_HANG, "device", "%s at cycle %" PRIu64, why, cycle);
}

/* The last event is the place to look at, not the clock in which patience ended. */
static int no_progress(struct run *r, struct nerr *err)
{
    r->res->fail_cycle = r->last_progress;
    return nerr_set(err, NERR_HANG, "device", "the device hangs: no event since cycle %" PRIu64,
                    r->last_progress);
}

int run_interrupted(struct nerr *err)
{
    int number = interrupt_pending();
    return number ? nerr_set(err, NERR_IO, "run", "stopped by signal %d before its end", number) : 0;
}

int run_advance(struct run *r, uint64_t cycles, unsigned until, struct nerr *err)
{
    unsigned why;
    struct dev_time t;
    int rc = run_interrupted(err);
    if (rc)
        return rc;
    rc = r->dev->ops->advance(r->dev, cycles, until, &why, err);
    if (rc)
        return rc;
    r->dev->ops->now(r->dev, &t);
    if (r->cfg->progress)
        r->cfg->progress(r->cfg->progress_ctx, t.cycle);
    if (chk_get_report(r->chk)->failed) {
        *err = chk_get_report(r->chk)->err;
        return NERR_MISMATCH;
    }
    if (why & DEV_UNTIL_NOTIFY)
        r->last_progress = t.cycle;
    if (chk_get_counts(r->chk)->last_progress > r->last_progress)
        r->last_progress = chk_get_counts(r->chk)->last_progress;
    if (r->cfg->max_cycles && t.cycle > r->cfg->max_cycles)
        return hang(r, t.cycle, "the cycle limit (--max-cycles) was reached", err);
    uint64_t patience = r->cfg->hang_cycles ? r->cfg->hang_cycles : RUN_HANG_CYCLES;
    if (t.cycle > r->last_progress && t.cycle - r->last_progress > patience)
        return no_progress(r, err);
    return 0;
}

/* Reads a register until (v & mask) == value; time passes between two reads. */
static int poll(struct run *r, uint64_t bar0, uint32_t mask, uint32_t value, struct nerr *err)
{
    for (;;) {
        uint32_t v;
        int rc = r->dev->ops->reg_read32(r->dev, bar0, &v, err);
        if (rc || (v & mask) == value)
            return rc;
        rc = run_advance(r, POLL_CYCLES, 0, err);
        if (rc)
            return rc;
    }
}

static int write_memory(struct run *r, const struct load_op *op, struct nerr *err)
{
    static const uint8_t zero[65536];
    if (op->bytes)
        return r->dev->ops->mem_write(r->dev, op->addr, op->bytes, op->len, err);
    for (size_t done = 0; done < op->len;) {
        size_t n = op->len - done < sizeof zero ? op->len - done : sizeof zero;
        int rc = run_interrupted(err);
        if (!rc)
            rc = r->dev->ops->mem_write(r->dev, op->addr + done, zero, n, err);
        if (rc)
            return rc;
        done += n;
    }
    return 0;
}

/* All memory is in place before the first register write, inputs and patches included. */
static int before_registers(struct run *r, struct nerr *err)
{
    int rc = run_write_inputs(r, err);
    for (size_t i = 0; i < r->cfg->npatches && !rc; i++)
        rc = r->dev->ops->mem_write(r->dev, r->cfg->patches[i].addr, r->cfg->patches[i].bytes,
                                    r->cfg->patches[i].len, err);
    return rc;
}

int run_load(struct run *r, struct nerr *err)
{
    bool memory_done = false;
    int rc = 0;
    for (size_t i = 0; i < r->plan->ninit && !rc; i++) {
        const struct load_op *op = &r->plan->init[i];
        if (op->kind != LOAD_MEM_WRITE && !memory_done) {
            memory_done = true;
            rc = before_registers(r, err);
            if (rc)
                break;
        }
        switch (op->kind) {
        case LOAD_MEM_WRITE:
            rc = write_memory(r, op, err);
            break;
        case LOAD_REG_WRITE:
            rc = r->dev->ops->reg_write32(r->dev, op->addr, op->value, err);
            break;
        case LOAD_REG_POLL:
            rc = poll(r, op->addr, op->mask, op->value, err);
            break;
        }
        if (rc && op->label)
            nerr_prefix(err, op->label);
        if (!rc && chk_get_report(r->chk)->failed) {
            *err = chk_get_report(r->chk)->err;
            rc = NERR_MISMATCH;
        }
    }
    return rc;
}

static bool all(const bool flags[PROG_ENGINES])
{
    for (unsigned e = 0; e < PROG_ENGINES; e++)
        if (!flags[e])
            return false;
    return true;
}

/* The host loop (slice-walkthrough §6 step 4): until every flag is set, or the device reported an error. */
static int loop_until(struct run *r, const bool flags[PROG_ENGINES], struct nerr *err)
{
    unsigned grace = 0;
    for (;;) {
        bool any;
        int rc = run_drain(r, &any, err);
        if (!rc)
            rc = run_agent_step(r, err);
        if (rc || all(flags))
            return rc;
        if (r->device_error && grace++ == GRACE_PASSES)
            return 0;
        rc = run_advance(r, DRAIN_CYCLES, DEV_UNTIL_NOTIFY, err);
        if (rc == NERR_HANG && r->device_error)
            return 0;
        if (rc)
            return rc;
    }
}

int run_start(struct run *r, struct nerr *err)
{
    for (unsigned e = 0; e < PROG_ENGINES; e++) {
        int rc = poll(r, lreg[e] + LREG_START_CTRL_OFF, UINT32_MAX, 0, err);
        if (!rc)
            rc = poll(r, lreg[e] + LREG_RUN_STATE_OFF, UINT32_MAX, RUN_RUNNING, err);
        if (rc)
            return rc;
    }
    return loop_until(r, r->gated, err);
}

static int wait_rings(struct run *r, struct nerr *err)
{
    for (size_t i = 0; i < r->plan->nrings; i++) {
        const struct load_ring *ring = &r->plan->rings[i];
        for (unsigned dir = 0; dir < 2; dir++) {
            uint64_t bank = BAR0_UDMA0 + BAR0_UDMA_STRIDE * ring->engine +
                            (dir ? UDMA_S2M_OFF : UDMA_M2S_OFF) + UDMA_Q_FIRST + UDMA_Q_STRIDE * ring->queue;
            uint32_t tail;
            int rc = r->dev->ops->reg_read32(r->dev, bank + M2SQ_TDRTP_OFF, &tail, err);
            if (!rc)
                rc = poll(r, bank + M2SQ_TCRHP_OFF, UINT32_MAX, tail, err);
            if (rc)
                return rc;
        }
    }
    return 0;
}

int run_inference(struct run *r, struct nerr *err)
{
    memset(r->done, 0, sizeof r->done);
    r->agent_next = 0;
    for (unsigned e = 0; e < PROG_ENGINES; e++) {
        int rc =
            r->dev->ops->reg_write32(r->dev, BAR0_EVT + EVT_WIN_SEM_INC + 4 * (SEM_START_GATE + e), 1, err);
        if (rc)
            return rc;
    }
    int rc = loop_until(r, r->done, err);
    if (rc || r->device_error)
        return rc;
    rc = wait_rings(r, err);
    if (!rc && r->agent_next != r->plan->nagent)
        rc = nerr_set(err, NERR_MISMATCH, "collective agent", "%zu of %zu collective slots were triggered",
                      r->agent_next, r->plan->nagent);
    return rc;
}

/* Gives one ring of the next inference its entries: with new ring ids behind the old ones. */
static int restamp(struct run *r, struct load_ring *ring, unsigned dir, unsigned number, struct nerr *err)
{
    size_t used = dir ? ring->s2m_used : ring->m2s_used;
    struct load_stamp stamps[2];
    uint8_t *buf = malloc(used ? used * M2S_DESC_SIZE : 1);
    if (!buf)
        return nerr_set(err, NERR_MEM, ring->name, "out of memory for %zu descriptors", used);
    size_t n = load_restamp(ring, dir, number, buf, stamps);
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++)
        rc = r->dev->ops->mem_write(r->dev, stamps[i].addr, stamps[i].bytes, stamps[i].len, err);
    free(buf);
    return rc;
}

int run_next_inference(struct run *r, unsigned number, struct nerr *err)
{
    for (size_t i = 0; i < r->plan->nrings; i++) {
        struct load_ring *ring = &r->plan->rings[i];
        uint64_t base =
            BAR0_UDMA0 + BAR0_UDMA_STRIDE * ring->engine + UDMA_Q_FIRST + UDMA_Q_STRIDE * ring->queue;
        int rc;
        if (r->cfg->keep_rings) {
            rc = restamp(r, ring, 0, number, err);
            if (!rc)
                rc = restamp(r, ring, 1, number, err);
        } else { /* pointers 0 and ring id 1 again, the same descriptors (tpb-image §6 step 6) */
            rc = r->dev->ops->reg_write32(r->dev, base + UDMA_M2S_OFF + M2SQ_Q_SW_CTRL_OFF,
                                          M2SQ_Q_SW_CTRL_RST_Q_MASK, err);
            if (!rc)
                rc = r->dev->ops->reg_write32(r->dev, base + UDMA_S2M_OFF + S2MQ_Q_SW_CTRL_OFF,
                                              S2MQ_Q_SW_CTRL_RST_Q_MASK, err);
        }
        if (rc)
            return rc;
    }
    return 0;
}

int run_read_engines(struct run *r, struct nerr *err)
{
    for (unsigned e = 0; e < PROG_ENGINES; e++) {
        uint32_t state = 0;
        int rc = r->dev->ops->reg_read32(r->dev, lreg[e] + LREG_RUN_STATE_OFF, &state, err);
        if (!rc)
            rc =
                r->dev->ops->reg_read32(r->dev, lreg[e] + LREG_HALT_REASON_OFF, &r->res->halt_reason[e], err);
        if (!rc)
            rc = r->dev->ops->reg_read32(r->dev, lreg[e] + LREG_ERROR_WORD_OFF, &r->res->error_word[e], err);
        if (rc)
            return rc;
        if (state == RUN_RUNNING)
            r->res->engine_state[e] = ESTATE_RUNNING;
        else if (state == RUN_PAUSED)
            r->res->engine_state[e] = ESTATE_PAUSED;
        else if (state == RUN_IDLE)
            r->res->engine_state[e] = ESTATE_IDLE;
        else
            r->res->engine_state[e] = r->res->halt_reason[e] == HALT_FATAL ? ESTATE_FAULT : ESTATE_HALTED;
    }
    return 0;
}

int run_stop(struct run *r, struct nerr *err)
{
    for (unsigned e = 0; e < PROG_ENGINES; e++) {
        if (r->res->engine_state[e] != ESTATE_RUNNING)
            continue;
        int rc = r->dev->ops->reg_write32(r->dev, lreg[e] + LREG_INSTR_HALT_CTRL_OFF, 1, err);
        if (!rc)
            rc = poll(r, lreg[e] + LREG_RUN_STATE_OFF, UINT32_MAX, RUN_MARKER, err);
        if (rc)
            return rc;
    }
    return 0;
}
