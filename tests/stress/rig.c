/* See rig.h. */
#include "rig.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/rtl_sim.h"

#define QUIET_CLOCKS 3000u /* longer than any latency of the bench */
#define STUCK_CLOCKS 1000000u
#define RECORD_RINGS 4u

static int judge(void *ctx, const struct dev_event *ev)
{
    struct rig *g = ctx;
    if (g->failed)
        return 1;
    bool host = (ev->kind == EV_APB_RD || ev->kind == EV_APB_WR) && ev->code == MASTER_HOST;
    g->history[g->events++ % RIG_HISTORY] = *ev;
    if (!host)
        g->last_event = ev->cycle;
    g->retired += ev->kind == EV_SEQ_RETIRE;
    g->failed = ref_judge(g->model, ev, &g->err) != 0;
    return g->failed;
}

bool rig_open(struct rig *g, uint64_t seed, struct nerr *err)
{
    memset(g, 0, sizeof *g);
    g->random = seed; /* twice through the generator: neighbours in seed shall share nothing */
    g->random = (uint64_t)rig_random(g) << 32 | rig_random(g);
    struct rtl_config rc = { .seed = seed, .random_timing = !rig_chance(g, 20) };
    struct ref_config mc = { .n_dma = RIG_DMA, .phase_first = NQ_PHASE_FIRST };
    g->model = ref_new(&mc);
    g->sim = rtl_open(&rc, err);
    if (!g->model)
        nerr_set(err, NERR_MEM, "stress", "out of memory");
    if (!g->model || !g->sim)
        return false;
    rtl_sink(g->sim, judge, g);
    return true;
}

void rig_close(struct rig *g)
{
    if (g->sim)
        rtl_close(g->sim);
    ref_free(g->model);
}

uint32_t rig_random(struct rig *g)
{
    g->random += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */
    uint64_t z = g->random;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z ^ (z >> 31)) >> 16);
}

uint32_t rig_below(struct rig *g, uint32_t n)
{
    return (uint32_t)((uint64_t)rig_random(g) * n >> 32);
}

uint32_t rig_range(struct rig *g, uint32_t first, uint32_t last)
{
    return first + rig_below(g, last - first + 1);
}

bool rig_chance(struct rig *g, uint32_t percent)
{
    return rig_below(g, 100) < percent;
}

uint32_t rig_value(struct rig *g)
{
    switch (rig_below(g, 5)) {
    case 0:
        return rig_below(g, 16);
    case 1:
        return 0u - rig_below(g, 16);
    case 2:
        return (UINT32_C(1) << rig_below(g, 32)) - rig_below(g, 3);
    default:
        return rig_random(g);
    }
}

static void fail(struct rig *g, const char *where, const char *what, uint64_t addr)
{
    if (g->failed)
        return;
    g->failed = true;
    nerr_set(&g->err, NERR_MISMATCH, where, "%s at 0x%" PRIx64, what, addr);
}

void rig_write(struct rig *g, uint64_t soc, uint32_t value)
{
    if (!g->failed && rtl_apb_write(g->sim, soc, value) == 2)
        fail(g, "host", "no answer to a register write", soc);
}

uint32_t rig_read(struct rig *g, uint64_t soc)
{
    uint32_t v = 0;
    if (!g->failed && rtl_apb_read(g->sim, soc, &v) == 2)
        fail(g, "host", "no answer to a register read", soc);
    return v;
}

void rig_mem(struct rig *g, uint64_t soc, const void *bytes, uint32_t len)
{
    if (rtl_mem_write(g->sim, soc, bytes, len) != 0 || !ref_mem_write(g->model, soc, bytes, len))
        fail(g, "host", "memory write failed", soc);
}

void rig_region(struct rig *g, uint64_t soc, uint32_t len)
{
    if (g->nregions == RIG_REGIONS) {
        fail(g, "stress", "more regions than the table holds", soc);
        return;
    }
    g->region[g->nregions].addr = soc;
    g->region[g->nregions++].len = len;
}

void rig_fill(struct rig *g, uint64_t soc, uint32_t len)
{
    uint8_t b[256];
    rig_region(g, soc, len);
    for (uint32_t at = 0; at < len; at += sizeof b) {
        uint32_t n = len - at < sizeof b ? len - at : (uint32_t)sizeof b;
        for (uint32_t i = 0; i < n; i++)
            b[i] = (uint8_t)rig_random(g);
        rig_mem(g, soc + at, b, n);
    }
}

void rig_run(struct rig *g, uint32_t cycles)
{
    if (!g->failed)
        rtl_run(g->sim, cycles, false);
}

void rig_take_records(struct rig *g)
{
    for (unsigned q = 0; q < RECORD_RINGS && !g->failed; q++) {
        uint64_t bank = SOC_NOTIFIC + NQ_Q_BASE + q * NQ_Q_STRIDE;
        rig_write(g, bank + NQQ_HEAD_OFF, rig_read(g, bank + NQQ_TAIL_OFF));
    }
}

void rig_settle(struct rig *g, uint32_t limit)
{
    uint64_t end = rtl_cycle(g->sim) + limit;
    while (!g->failed) {
        if (rtl_cycle(g->sim) > end) { /* a loop without end: stop the programs */
            for (unsigned e = 0; e < ENG_COUNT; e++)
                rig_write(g, rig_lreg(e) + LREG_RELEASE_RUN_STALL_OFF, 1);
            end = rtl_cycle(g->sim) + STUCK_CLOCKS;
        }
        rig_run(g, 100);
        uint64_t quiet_since = g->last_event;
        rig_take_records(g);
        if (rtl_cycle(g->sim) - quiet_since > QUIET_CLOCKS && g->last_event == quiet_since)
            return;
    }
}

static void compare_memory(struct rig *g, uint64_t addr, uint32_t len)
{
    uint8_t got[256], want[256];
    for (uint32_t at = 0; at < len && !g->failed; at += sizeof got) {
        uint32_t n = len - at < sizeof got ? len - at : (uint32_t)sizeof got;
        if (rtl_mem_read(g->sim, addr + at, got, n) != 0)
            fail(g, "memory", "cannot be read", addr + at);
        ref_mem_read(g->model, addr + at, want, n);
        for (uint32_t i = 0; i < n; i++)
            if (got[i] != want[i])
                fail(g, "memory", "the chip and the model hold different bytes", addr + at + i);
    }
}

static void read_all(struct rig *g, uint64_t base, uint32_t from, uint32_t to)
{
    for (uint32_t off = from; off < to && !g->failed; off += 4)
        rig_read(g, base + off);
}

/* Every register that says how far things have come; the judge compares each answer. */
static void read_state(struct rig *g)
{
    for (unsigned e = 0; e < ENG_COUNT; e++) {
        read_all(g, rig_lreg(e), LREG_RELEASE_RUN_STALL_OFF, LREG_INTR_INFO_OFF);
        for (unsigned n = 0; n < LREG_LR_COUNT; n++)
            rig_read(g, rig_lreg(e) + LREG_LR_BASE + n * LREG_LR_STRIDE);
    }
    read_all(g, SOC_EVT, EVT_WIN_EVENT, EVT_WIN_EVENT + EVT_WIN_SIZE);
    read_all(g, SOC_EVT, EVT_WIN_SEM_READ, EVT_WIN_SEM_READ + EVT_WIN_SIZE);
    read_all(g, SOC_TOPSP0, EVT_WIN_SEM_READ, EVT_WIN_SEM_READ + 64);
    for (unsigned q = 0; q < NQ_QUEUES; q++)
        read_all(g, SOC_NOTIFIC + NQ_Q_BASE + q * NQ_Q_STRIDE, NQQ_BASE_LO_OFF, NQQ_THRESHOLD_OFF + 4);
    rig_read(g, SOC_NOTIFIC + NQ_FULL_OFF);
    rig_read(g, SOC_NOTIFIC + NQ_ERROR_ADDR_LO_OFF);
    rig_read(g, SOC_NOTIFIC + NQ_ERROR_ADDR_HI_OFF);
    for (unsigned e = 0; e < RIG_DMA; e++) {
        uint64_t base = SOC_UDMA0 + e * (uint64_t)SOC_UDMA_STRIDE;
        for (unsigned q = 0; q < UDMA_QUEUES; q++) {
            for (unsigned dir = 0; dir < 2; dir++) {
                read_all(g, rig_bank(e, q, dir), M2SQ_TDRBP_LOW_OFF, M2SQ_TCRHP_INTERNAL_OFF + 4);
                rig_read(g, rig_bank(e, q, dir) + (dir ? S2MQ_Q_RX_PKT_OFF : M2SQ_Q_TX_PKT_OFF));
            }
        }
        read_all(g, base + UDMA_M2S_OFF, M2S_LOG_0_OFF, M2S_LOG_3_OFF + 4);
        read_all(g, base + UDMA_S2M_OFF, S2M_LOG_0_OFF, S2M_LOG_3_OFF + 4);
        read_all(g, base + UDMA_APP_OFF, UAPP_EVENT_ACCEL_OFF, UAPP_NUM_CLR_OFF + 4);
    }
}

void rig_final(struct rig *g)
{
    if (!g->failed && !ref_quiet(g->model, &g->err))
        g->failed = true;
    read_state(g);
    for (unsigned i = 0; i < g->nregions && !g->failed; i++)
        compare_memory(g, g->region[i].addr, g->region[i].len);
}

uint64_t rig_lreg(unsigned engine)
{
    static const uint64_t base[ENG_COUNT] = { [ENG_PE] = SOC_LREG_PE,
                                              [ENG_ACT] = SOC_LREG_ACT,
                                              [ENG_POOL] = SOC_LREG_POOL,
                                              [ENG_DVE] = SOC_LREG_DVE,
                                              [ENG_SP] = SOC_LREG_SP };
    return base[engine];
}

uint64_t rig_bank(unsigned e, unsigned q, unsigned dir)
{
    return SOC_UDMA0 + e * (uint64_t)SOC_UDMA_STRIDE + (dir ? UDMA_S2M_OFF : UDMA_M2S_OFF) + UDMA_Q_FIRST +
           q * UDMA_Q_STRIDE;
}

/* Small rings and, by chance, every policy of what happens when one is full. */
void rig_notific(struct rig *g)
{
    bool lossless = rig_chance(g, 60);
    g->record_bytes = NQ_RECORD_BYTES << rig_range(g, 1, 6);
    rig_write(g, SOC_NOTIFIC + NQ_WR_BUF_ENABLE_LO_OFF, rig_chance(g, 80) ? 0xffffffff : rig_random(g));
    rig_write(g, SOC_NOTIFIC + NQ_WR_BUF_ENABLE_HI_OFF, rig_chance(g, 80) ? 0xffffffff : rig_random(g));
    rig_write(g, SOC_NOTIFIC + NQ_SW_BACKPRESSURE_OFF, lossless ? NQ_QUEUE_MASK : rig_random(g));
    rig_write(g, SOC_NOTIFIC + NQ_HW_BACKPRESSURE_LO_OFF, lossless ? 0xffffffff : rig_random(g));
    rig_write(g, SOC_NOTIFIC + NQ_HW_BACKPRESSURE_HI_OFF, lossless ? 0xffffffff : rig_random(g));
    rig_write(g, SOC_NOTIFIC + NQ_SW_OVERFLOW_OFF, rig_chance(g, 80) ? 0 : rig_random(g));
    rig_write(g, SOC_NOTIFIC + NQ_TIMESTAMP_INC_OFF,
              rig_chance(g, 50) ? NQ_TIMESTAMP_INC_1GHZ : rig_value(g));
    rig_write(g, SOC_NOTIFIC + NQ_THRESHOLD_EN_OFF, rig_random(g));
    for (unsigned q = 0; q < RECORD_RINGS; q++) {
        uint64_t bank = SOC_NOTIFIC + NQ_Q_BASE + q * NQ_Q_STRIDE;
        rig_write(g, bank + NQQ_BASE_LO_OFF, RIG_RECORDS + q * RIG_STRIDE);
        uint64_t attributes = rig_chance(g, 10) ? (uint64_t)rig_below(g, 8) << SOC_ADDR_ATTR_LSB : 0;
        bool nowhere = rig_chance(g, 3);
        rig_write(g, bank + NQQ_BASE_HI_OFF, (uint32_t)(attributes >> 32) | (nowhere ? 0x9000 : 0));
        rig_write(g, bank + NQQ_SIZE_OFF, g->record_bytes);
        rig_write(g, bank + NQQ_HEAD_OFF, 0);
        rig_write(g, bank + NQQ_THRESHOLD_OFF, rig_below(g, g->record_bytes));
        rig_region(g, RIG_RECORDS + q * RIG_STRIDE, g->record_bytes + 64);
    }
    rig_write(g, SOC_NOTIFIC + NQ_ENABLE_OFF, rig_chance(g, 85) ? 0xf : rig_random(g));
    rig_write(g, SOC_TPB_CTRL + TPB_ROUTE_PE_POOL_OFF, rig_chance(g, 80) ? 0x00100010 : rig_random(g));
    rig_write(g, SOC_TPB_CTRL + TPB_ROUTE_ACT_DVE_OFF, rig_chance(g, 80) ? 0x00100010 : rig_random(g));
    rig_write(g, SOC_TPB_CTRL + TPB_ROUTE_SP_EVT_OFF, rig_chance(g, 80) ? 0x00020010 : rig_random(g));
    rig_write(g, SOC_TPB_CTRL + TPB_ROUTE_ERR_OFF, 3);
    rig_write(g, SOC_TPB_CTRL + TPB_EVT_NOTIFY_OFF, rig_below(g, 2));
    if (rig_chance(g, 50)) {
        rig_write(g, SOC_TPB_CTRL + TPB_SEM_LOW_OFF, rig_value(g));
        rig_write(g, SOC_TPB_CTRL + TPB_SEM_HIGH_OFF, rig_value(g));
    }
}
