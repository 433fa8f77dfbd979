/*
 * Device backend "ref": the reference model alone, thousands of times faster than the RTL. One clock is one
 * step of one agent, so cycle numbers mean order, not time of the hardware.
 */
#include "device/device.h"

#include <inttypes.h>
#include <stdlib.h>

#include "refmodel/ref.h"
#include "regs.h"

struct ref_device {
    struct device dev; /* first: a struct device * is a struct ref_device * */
    struct ref *model;
};

static struct ref_device *of(struct device *dev)
{
    return (struct ref_device *)dev;
}

static int refused(const char *what, uint64_t bar0, uint64_t soc, struct nerr *err)
{
    return nerr_set(err, NERR_RULE, "BAR0", "%s of 0x%" PRIx64 " (SoC 0x%" PRIx64 ") was refused", what, bar0,
                    soc);
}

static int reg_read32(struct device *dev, uint64_t bar0, uint32_t *value, struct nerr *err)
{
    uint64_t soc;
    int rc = dev_bar0_to_soc(bar0, &soc, err);
    if (rc)
        return rc;
    return ref_reg_read(of(dev)->model, soc, value) ? refused("register read", bar0, soc, err) : 0;
}

static int reg_write32(struct device *dev, uint64_t bar0, uint32_t value, struct nerr *err)
{
    uint64_t soc;
    int rc = dev_bar0_to_soc(bar0, &soc, err);
    if (rc)
        return rc;
    return ref_reg_write(of(dev)->model, soc, value) ? refused("register write", bar0, soc, err) : 0;
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
    if (!ref_mem_valid(of(dev)->model, soc, len))
        return no_memory("read", soc, len, err);
    ref_mem_read(of(dev)->model, soc, buf, len);
    return 0;
}

static int mem_write(struct device *dev, uint64_t soc, const void *buf, size_t len, struct nerr *err)
{
    if (!ref_mem_valid(of(dev)->model, soc, len))
        return no_memory("write", soc, len, err);
    return ref_mem_write(of(dev)->model, soc, buf, len) ? 0 : nerr_set(err, NERR_MEM, "ref", "out of memory");
}

/* Time that no agent needs passes as idle clocks, so that a caller's cycle limit is reached. */
static int advance(struct device *dev, uint64_t cycles, unsigned until, unsigned *why, struct nerr *err)
{
    struct ref_device *d = of(dev);
    bool notified = false;
    uint64_t done = ref_run(d->model, cycles, (until & DEV_UNTIL_NOTIFY) != 0, &notified);
    bool stopped = ref_stopped(d->model);
    *why = (notified && until & DEV_UNTIL_NOTIFY ? DEV_UNTIL_NOTIFY : 0) | (stopped ? DEV_UNTIL_STOP : 0);
    if (ref_failed(d->model, err))
        return err->code;
    if (done < cycles && !*why)
        ref_idle(d->model, cycles - done);
    return 0;
}

static void now(struct device *dev, struct dev_time *t)
{
    t->cycle = ref_cycle(of(dev)->model);
    t->ps = t->cycle * SIM_CLOCK_PS;
}

static int events(struct device *dev, dev_event_fn sink, void *ctx, struct nerr *err)
{
    (void)err;
    ref_sink(of(dev)->model, sink, ctx);
    return 0;
}

static void close_device(struct device *dev)
{
    ref_free(of(dev)->model);
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
    .close = close_device,
};

int dev_open_ref(const struct dev_config *cfg, struct device **dev, struct nerr *err)
{
    const struct ref_config rc = { .n_dma = cfg->n_dma, .phase_first = NQ_PHASE_FIRST };
    if (cfg->n_dma < 1 || cfg->n_dma > UDMA_ENGINES)
        return nerr_set(err, NERR_INPUT, "ref", "%u DMA engines are wanted; allowed: 1 to %u", cfg->n_dma,
                        UDMA_ENGINES);
    struct ref_device *d = calloc(1, sizeof *d);
    if (!d)
        return nerr_set(err, NERR_MEM, "ref", "out of memory");
    d->model = ref_new(&rc);
    if (!d->model) {
        free(d);
        return nerr_set(err, NERR_MEM, "ref", "out of memory for the reference model");
    }
    d->dev.ops = &ops;
    d->dev.name = "ref";
    *dev = &d->dev;
    return 0;
}
