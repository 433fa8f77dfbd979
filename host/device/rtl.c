/*
 * Device backend "rtl": the Verilated core in this process (bench/sim/rtl_sim.h). It converts BAR0 offsets to
 * SoC addresses and turns the bench's answers into errors; it adds no behaviour.
 */
#include "device/device.h"

#include <inttypes.h>
#include <stdlib.h>

#include "regs.h"
#include "sim/rtl_sim.h"

struct rtl_device {
    struct device dev; /* first: a struct device * is a struct rtl_device * */
    struct rtl_sim *sim;
};

static struct rtl_sim *sim_of(struct device *dev)
{
    return ((struct rtl_device *)dev)->sim;
}

static int refused(int answer, const char *what, uint64_t bar0, uint64_t soc, struct nerr *err)
{
    if (answer == 2)
        return nerr_set(err, NERR_HANG, "BAR0", "%s of 0x%" PRIx64 " (SoC 0x%" PRIx64 ") was not answered",
                        what, bar0, soc);
    return nerr_set(err, NERR_RULE, "BAR0", "%s of 0x%" PRIx64 " (SoC 0x%" PRIx64 ") was refused", what, bar0,
                    soc);
}

static int reg_read32(struct device *dev, uint64_t bar0, uint32_t *value, struct nerr *err)
{
    uint64_t soc;
    int rc = dev_bar0_to_soc(bar0, &soc, err);
    if (rc)
        return rc;
    rc = rtl_apb_read(sim_of(dev), soc, value);
    return rc ? refused(rc, "register read", bar0, soc, err) : 0;
}

static int reg_write32(struct device *dev, uint64_t bar0, uint32_t value, struct nerr *err)
{
    uint64_t soc;
    int rc = dev_bar0_to_soc(bar0, &soc, err);
    if (rc)
        return rc;
    rc = rtl_apb_write(sim_of(dev), soc, value);
    return rc ? refused(rc, "register write", bar0, soc, err) : 0;
}

static int no_memory(const char *what, uint64_t soc, size_t len, struct nerr *err)
{
    return nerr_set(err, NERR_RULE, "memory",
                    "%s of %zu bytes at SoC 0x%" PRIx64
                    ": not inside HBM_0, state buffer, PSUM or host memory",
                    what, len, soc);
}

static int mem_read(struct device *dev, uint64_t soc, void *buf, size_t len, struct nerr *err)
{
    return rtl_mem_read(sim_of(dev), soc, buf, len) ? no_memory("read", soc, len, err) : 0;
}

static int mem_write(struct device *dev, uint64_t soc, const void *buf, size_t len, struct nerr *err)
{
    return rtl_mem_write(sim_of(dev), soc, buf, len) ? no_memory("write", soc, len, err) : 0;
}

static int advance(struct device *dev, uint64_t cycles, unsigned until, unsigned *why, struct nerr *err)
{
    (void)err;
    unsigned stopped = rtl_run(sim_of(dev), cycles, (until & DEV_UNTIL_NOTIFY) != 0);
    *why = (stopped & 1u ? DEV_UNTIL_NOTIFY : 0) | (stopped & 2u ? DEV_UNTIL_STOP : 0);
    return 0;
}

static void now(struct device *dev, struct dev_time *t)
{
    t->cycle = rtl_cycle(sim_of(dev));
    t->ps = t->cycle * SIM_CLOCK_PS;
}

static int events(struct device *dev, dev_event_fn sink, void *ctx, struct nerr *err)
{
    (void)err;
    rtl_sink(sim_of(dev), sink, ctx);
    return 0;
}

static int wave_start(struct device *dev, const char *path, uint64_t from, uint64_t to, struct nerr *err)
{
    return rtl_wave_start(sim_of(dev), path, from, to, err);
}

static int wave_stop(struct device *dev, struct nerr *err)
{
    (void)err;
    rtl_wave_stop(sim_of(dev));
    return 0;
}

static bool injected(struct device *dev)
{
    return rtl_injected(sim_of(dev));
}

static void close_device(struct device *dev)
{
    rtl_close(sim_of(dev));
    free(dev);
}

static const struct dev_ops ops = {
    .reg_read32 = reg_read32,
    .reg_write32 = reg_write32,
    .mem_read = mem_read,
    .mem_write = mem_write,
    .advance = advance,
    .now = now,
    .events = events,
    .wave_start = wave_start,
    .wave_stop = wave_stop,
    .injected = injected,
    .close = close_device,
};

const char *dev_inject_kind(unsigned i, const char **meaning)
{
    return rtl_inject_kind(i, meaning);
}

int dev_open_rtl(const struct dev_config *cfg, struct device **dev, struct nerr *err)
{
    if (cfg->n_dma > SIM_N_DMA)
        return nerr_set(err, NERR_INPUT, "rtl", "%u DMA engines are wanted, the simulated core has %u",
                        cfg->n_dma, SIM_N_DMA);
    struct rtl_device *d = calloc(1, sizeof *d);
    if (!d)
        return nerr_set(err, NERR_MEM, "rtl", "out of memory");
    const struct rtl_config rc = { .seed = cfg->seed,
                                   .random_timing = cfg->random_timing,
                                   .inject = cfg->inject };
    d->sim = rtl_open(&rc, err);
    if (!d->sim) {
        free(d);
        return err->code;
    }
    d->dev.ops = &ops;
    d->dev.name = "rtl";
    *dev = &d->dev;
    return 0;
}
