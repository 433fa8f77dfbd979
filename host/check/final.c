/* The comparison at the end of a run: what lockstep cannot see because it never happened. See check.h. */
#include "check/check_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "regs.h"

#define GUARD_BYTES    64u
#define CHUNK_BYTES    ((size_t)1 << 16)
#define SETTLE_CYCLES  64u
#define SETTLE_PASSES  16384u /* about a million clocks */
#define SETTLE_SILENCE 4096u  /* clocks without an event after which nothing more will come */

/* Completes *err with the agent in which the difference was found. */
static int differs(struct nerr *err, const char *where)
{
    snprintf(err->where, sizeof err->where, "%s", where);
    return NERR_MISMATCH;
}

/* Compares [addr, addr+len) of the device with the model. */
static int compare_memory(struct chk *c, struct device *dev, uint64_t addr, uint64_t len, struct nerr *err)
{
    uint8_t *buf = malloc(2 * CHUNK_BYTES);
    if (!buf)
        return nerr_set(err, NERR_MEM, "check", "out of memory for the final comparison");
    int rc = 0;
    while (len && !rc) {
        size_t n = len < CHUNK_BYTES ? (size_t)len : CHUNK_BYTES;
        rc = dev->ops->mem_read(dev, addr, buf, n, err);
        if (rc)
            break;
        ref_mem_read(c->model, addr, buf + CHUNK_BYTES, n);
        if (memcmp(buf, buf + CHUNK_BYTES, n) != 0) {
            size_t i = 0;
            while (buf[i] == buf[CHUNK_BYTES + i])
                i++;
            char place[200];
            load_addr_text(c->plan, addr + i, place, sizeof place);
            nerr_set(err, NERR_MISMATCH, "",
                     "byte at 0x%" PRIx64 " (%s) is 0x%02x at the end, the reference has 0x%02x", addr + i,
                     place, buf[i], buf[CHUNK_BYTES + i]);
            rc = differs(err, "memory");
        }
        addr += n;
        len -= n;
    }
    free(buf);
    return rc;
}

static int compare_placed(struct chk *c, struct device *dev, struct nerr *err)
{
    const struct loadplan *p = c->plan;
    int rc = 0;
    for (unsigned e = 0; e < PROG_ENGINES && !rc; e++)
        rc = compare_memory(c, dev, p->images[e].base, p->images[e].size, err);
    for (size_t i = 0; i < p->nrings && !rc; i++) {
        rc = compare_memory(c, dev, p->rings[i].m2s_base, p->rings[i].entries * M2S_DESC_SIZE, err);
        if (!rc)
            rc = compare_memory(c, dev, p->rings[i].s2m_base, p->rings[i].entries * S2M_DESC_SIZE, err);
    }
    for (size_t i = 0; i < p->prog->nvars && !rc; i++)
        if (p->vars[i].size && p->vars[i].addr >= GUARD_BYTES)
            rc =
                compare_memory(c, dev, p->vars[i].addr - GUARD_BYTES, p->vars[i].size + 2 * GUARD_BYTES, err);
    for (unsigned q = 0; q < 4 && !rc; q++)
        rc = compare_memory(c, dev, p->notify_base[q], p->notify_bytes, err);
    return rc;
}

/* Reads one register of the device and compares it with the model's. `what` names it for people. */
static int compare_reg(struct chk *c, struct device *dev, uint64_t bar0, const char *agent, const char *what,
                       struct nerr *err)
{
    uint32_t got, want;
    uint64_t soc;
    int rc = dev_bar0_to_soc(bar0, &soc, err);
    if (!rc)
        rc = dev->ops->reg_read32(dev, bar0, &got, err);
    if (rc)
        return rc;
    if (c->report.failed) { /* the read itself was judged in lockstep */
        *err = c->report.err;
        return NERR_MISMATCH;
    }
    if (ref_reg_peek(c->model, soc, &want) != 0 || got == want)
        return 0;
    nerr_set(err, NERR_MISMATCH, "", "%s reads 0x%" PRIx32 " at the end, the reference has 0x%" PRIx32, what,
             got, want);
    return differs(err, agent);
}

static int compare_semaphores(struct chk *c, struct device *dev, struct nerr *err)
{
    static const struct {
        uint64_t base;
        const char *unit;
    } units[] = { { BAR0_EVT, "TPB_0" }, { BAR0_TOPSP, "TOP_SP_0" } };
    char what[64];
    for (unsigned u = 0; u < 2; u++) {
        unsigned count = u == 0 ? SEM_COUNT : 1; /* of TOP_SP_0 only the mailbox is used */
        for (unsigned i = 0; i < count; i++) {
            snprintf(what, sizeof what, "semaphore %u of %s", i, units[u].unit);
            int rc = compare_reg(c, dev, units[u].base + EVT_WIN_SEM_READ + 4 * i, "EVT_SEM", what, err);
            if (rc)
                return rc;
            snprintf(what, sizeof what, "event %u of %s", i, units[u].unit);
            rc = compare_reg(c, dev, units[u].base + EVT_WIN_EVENT + 4 * i, "EVT_SEM", what, err);
            if (rc)
                return rc;
        }
    }
    return 0;
}

static int compare_queues(struct chk *c, struct device *dev, struct nerr *err)
{
    static const struct {
        unsigned off;
        const char *name;
    } regs[] = {
        { M2SQ_TDRTP_OFF, "tail" },
        { M2SQ_TDRHP_OFF, "head" },
        { M2SQ_TDCP_OFF, "current" },
        { M2SQ_TCRHP_OFF, "completion head" },
    };
    const struct loadplan *p = c->plan;
    char agent[32], what[96];
    for (size_t i = 0; i < p->nrings; i++) {
        const struct load_ring *r = &p->rings[i];
        for (unsigned dir = 0; dir < 2; dir++) {
            uint64_t bank = BAR0_UDMA0 + BAR0_UDMA_STRIDE * r->engine + (dir ? UDMA_S2M_OFF : UDMA_M2S_OFF) +
                            UDMA_Q_FIRST + UDMA_Q_STRIDE * r->queue;
            snprintf(agent, sizeof agent, "e%u q%u %s", r->engine, r->queue, dir ? "S2M" : "M2S");
            for (unsigned k = 0; k < 4; k++) {
                snprintf(what, sizeof what, "%s pointer of %.48s", regs[k].name, r->name);
                int rc = compare_reg(c, dev, bank + regs[k].off, agent, what, err);
                if (rc)
                    return rc;
            }
        }
    }
    return 0;
}

static int compare_notific(struct chk *c, struct device *dev, struct nerr *err)
{
    char agent[32], what[64];
    for (unsigned q = 0; q < 4; q++) {
        uint64_t base = BAR0_NOTIFIC + NQ_Q_BASE + NQ_Q_STRIDE * q;
        snprintf(agent, sizeof agent, "NOTIFIC q%u", q);
        snprintf(what, sizeof what, "tail of record queue %u", q);
        int rc = compare_reg(c, dev, base + NQQ_TAIL_OFF, agent, what, err);
        if (rc)
            return rc;
    }
    return compare_reg(c, dev, BAR0_NOTIFIC + NQ_FULL_OFF, "NOTIFIC", "nq_full", err);
}

/*
 * The last record is on its way before its engine is back at the gate, and a DMA block may still be moving
 * after an engine's fault: lets the device come to rest as long as something happens, so that a step is not
 * called missing that is only coming. The limit is for programs that never rest.
 */
static int settle(struct chk *c, struct device *dev, struct nerr *err)
{
    unsigned why;
    struct dev_time t;
    int rc = 0;
    for (unsigned i = 0; i < SETTLE_PASSES && !rc && !c->report.failed && !ref_quiet(c->model, err); i++) {
        rc = dev->ops->advance(dev, SETTLE_CYCLES, 0, &why, err);
        dev->ops->now(dev, &t);
        if (t.cycle > c->counts.last_progress + SETTLE_SILENCE)
            break;
    }
    return rc;
}

int chk_first_difference(struct chk *c, struct device *dev, struct nerr *err)
{
    int rc = compare_placed(c, dev, err);
    if (!rc)
        rc = compare_semaphores(c, dev, err);
    if (!rc)
        rc = compare_queues(c, dev, err);
    return rc ? rc : compare_notific(c, dev, err);
}

int chk_final(struct chk *c, struct nerr *err)
{
    struct device *dev = c->wrapper.inner;
    if (!c->model)
        return 0;
    if (dev->ops->under)
        dev = dev->ops->under(dev);
    int rc = settle(c, dev, err);
    if (rc)
        return rc;
    if (c->report.failed) {
        *err = c->report.err;
        return NERR_MISMATCH;
    }
    rc = ref_quiet(c->model, err) ? chk_first_difference(c, dev, err) : NERR_MISMATCH;
    if (rc == NERR_MISMATCH && !c->report.failed) {
        c->report.failed = true;
        c->report.has_event = false;
        c->report.err = *err;
    }
    return rc;
}
