/*
 * Random register accesses in the windows of all blocks, by the host and by nobody else: legal offsets,
 * holes, refused ones, and addresses next to a window. The judge compares every answer and every refusal.
 */
#include "stress.h"

static const struct {
    uint64_t base;
    uint32_t bytes;
} windows[] = {
    { SOC_LREG_PE, SOC_LREG_BYTES },
    { SOC_LREG_SP, SOC_LREG_BYTES },
    { SOC_EVT, EVT_WIN_SEM_DEC + EVT_WIN_SIZE + 64 },
    { SOC_TOPSP0, EVT_WIN_SEM_DEC + EVT_WIN_SIZE + 64 },
    { SOC_TPB_CTRL, SOC_TPB_CTRL_BYTES },
    { SOC_NOTIFIC, SOC_NOTIFIC_BYTES },
    { SOC_NOTIFIC, 0x300 },
    { SOC_UDMA0, UDMA_NOTIFIC_OFF + 0x1000 },
    { SOC_UDMA0 + UDMA_M2S_OFF, UDMA_Q_FIRST + 2 * UDMA_Q_STRIDE },
    { SOC_UDMA0 + UDMA_S2M_OFF, UDMA_Q_FIRST + 2 * UDMA_Q_STRIDE },
    { SOC_UDMA0 + SOC_UDMA_STRIDE + UDMA_GEN_OFF, 0x4800 },
    { SOC_UDMA0 + SOC_UDMA_STRIDE + UDMA_APP_OFF, 0x1000 },
    { SOC_UDMA0, SOC_UDMA_STRIDE },
    { SOC_HARNESS, 0x100 },
    { SOC_RDM, 0x100 },
};

/* Registers of a block sit close together: half of the offsets are near another one. */
static uint32_t offset(struct rig *g, uint32_t bytes)
{
    uint32_t off = rig_below(g, bytes);
    if (rig_chance(g, 60) && bytes > UDMA_Q_STRIDE)
        off = (off & ~(UDMA_Q_STRIDE - 1)) | rig_below(g, rig_chance(g, 50) ? 0x100 : UDMA_Q_STRIDE);
    return off % bytes & ~UINT32_C(3);
}

void stress_pokes(struct rig *g)
{
    rig_region(g, RIG_RECORDS, 0x1000);
    for (unsigned i = 0; i < 1500 && !g->failed; i++) {
        unsigned w = rig_below(g, sizeof windows / sizeof windows[0]);
        uint64_t soc = windows[w].base + offset(g, windows[w].bytes);
        if (rig_chance(g, 5))
            soc |= (uint64_t)rig_below(g, 8) << SOC_ADDR_ATTR_LSB;
        if (rig_chance(g, 50))
            rig_write(g, soc, rig_chance(g, 30) ? 0 : rig_value(g));
        if (rig_chance(g, 70))
            rig_read(g, soc);
        if (rig_chance(g, 3))
            rig_run(g, rig_below(g, 200));
    }
    rig_settle(g, 20000);
}
