/*
 * BAR0 windows of the host and the SoC addresses behind them (profiler-and-trace.md §8.2, §8.3). A window
 * whose SoC base the specification does not give (PREPROC_1 and up) is no window. What answers at a SoC
 * address, and whether anything does, is the device's business.
 */
#include "device/device.h"

#include <inttypes.h>

#include "regs.h"

struct window {
    uint64_t bar0;
    uint64_t bytes;
    uint64_t soc;
};

/* The same unit on the other die. */
#define OTHER_DIE(soc) ((soc) | SOC_ADDR_DIE)

static const struct window windows[] = {
    { BAR0_APB_IO, SOC_APB_IO_BYTES, SOC_APB_IO0 },
    { BAR0_APB_IO1, SOC_APB_IO_BYTES, OTHER_DIE(SOC_APB_IO0) },
    { BAR0_APB_SE, SOC_APB_SE_BYTES, SOC_APB_SE0 },
    { BAR0_APB_SE + BAR0_APB_SE_STRIDE, SOC_APB_SE_BYTES, SOC_APB_SE1 },
    { BAR0_APB_SE + 2u * BAR0_APB_SE_STRIDE, SOC_APB_SE_BYTES, OTHER_DIE(SOC_APB_SE0) },
    { BAR0_APB_SE + 3u * BAR0_APB_SE_STRIDE, SOC_APB_SE_BYTES, OTHER_DIE(SOC_APB_SE1) },
    { BAR0_PREPROC, BAR0_PREPROC_BYTES, SOC_PREPROC0 },
    { BAR0_RDM, SOC_RDM_BYTES, SOC_RDM },
    { BAR0_RDM + SOC_RDM_BYTES, SOC_RDM_BYTES, OTHER_DIE(SOC_RDM) },
    { BAR0_INTC, BAR0_INTC_BYTES, SOC_INTC },
    { BAR0_INTC + BAR0_INTC_BYTES, BAR0_INTC_BYTES, OTHER_DIE(SOC_INTC) },
};

/* Containers of TPB_0..TPB_7. */
static const uint64_t tpb[BAR0_TPB_COUNT] = {
    SOC_TPB0,
    SOC_TPB1,
    SOC_TPB2,
    SOC_TPB3,
    OTHER_DIE(SOC_TPB0),
    OTHER_DIE(SOC_TPB1),
    OTHER_DIE(SOC_TPB2),
    OTHER_DIE(SOC_TPB3),
};

/* §8.2: the local map of a core is one piece of BAR0 but two pieces of SoC space. */
static uint64_t local_to_soc(unsigned core, uint64_t local)
{
    return tpb[core] + local + (local >= SOC_LOCAL_SPLIT ? SOC_LOCAL_HIGH : 0);
}

static uint64_t topsp_to_soc(uint64_t number)
{
    if (number < BAR0_TOPSP_DIE)
        return SOC_TOPSP0 + number * SOC_TOPSP_STRIDE;
    return OTHER_DIE(SOC_TOPSP0 + (number - BAR0_TOPSP_DIE) * SOC_TOPSP_STRIDE);
}

int dev_bar0_to_soc(uint64_t bar0, uint64_t *soc, struct nerr *err)
{
    if (bar0 % 4 != 0)
        return nerr_set(err, NERR_RULE, "BAR0", "offset 0x%" PRIx64 " is not a multiple of 4", bar0);
    for (unsigned i = 0; i < sizeof windows / sizeof *windows; i++) {
        if (bar0 >= windows[i].bar0 && bar0 - windows[i].bar0 < windows[i].bytes) {
            *soc = windows[i].soc + (bar0 - windows[i].bar0);
            return 0;
        }
    }
    if (bar0 >= BAR0_TPB0 && bar0 - BAR0_TPB0 < (uint64_t)BAR0_TPB_COUNT * BAR0_TPB_STRIDE) {
        *soc = local_to_soc((unsigned)((bar0 - BAR0_TPB0) / BAR0_TPB_STRIDE),
                            (bar0 - BAR0_TPB0) % BAR0_TPB_STRIDE);
        return 0;
    }
    if (bar0 >= BAR0_TOPSP && bar0 - BAR0_TOPSP < (uint64_t)BAR0_TOPSP_COUNT * BAR0_TOPSP_STRIDE) {
        *soc =
            topsp_to_soc((bar0 - BAR0_TOPSP) / BAR0_TOPSP_STRIDE) + (bar0 - BAR0_TOPSP) % BAR0_TOPSP_STRIDE;
        return 0;
    }
    return nerr_set(err, NERR_RULE, "BAR0", "offset 0x%" PRIx64 " is in no window", bar0);
}
