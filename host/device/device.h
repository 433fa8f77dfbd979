/*
 * The device seam (architecture §3). Code above this header does not know whether it talks to Verilated RTL,
 * to the reference model, to a recording or, later, to a board.
 *
 * Registers are named by their real BAR0 offset, memory by its real SoC address (profiler-and-trace.md §8.3,
 * §9). Every function returns 0 or an error code with *err filled. A mem_write is visible to the device
 * before any later reg_write32 takes effect. A refused register access (unmapped, slave error) is NERR_RULE
 * with the address.
 */
#ifndef NEFFSIM_DEVICE_DEVICE_H
#define NEFFSIM_DEVICE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/event.h"
#include "util/nerr.h"

/* What advance() may stop for, and what it reports in *why. */
#define DEV_UNTIL_NOTIFY 1u /* a notification record was committed to memory */
#define DEV_UNTIL_STOP   2u /* the event sink asked to stop (always honoured) */

struct dev_time {
    uint64_t cycle;
    uint64_t ps;
};

struct device;

struct dev_ops {
    int (*reg_read32)(struct device *dev, uint64_t bar0, uint32_t *value, struct nerr *err);
    int (*reg_write32)(struct device *dev, uint64_t bar0, uint32_t value, struct nerr *err);
    int (*mem_read)(struct device *dev, uint64_t soc, void *buf, size_t len, struct nerr *err);
    int (*mem_write)(struct device *dev, uint64_t soc, const void *buf, size_t len, struct nerr *err);
    /* Lets up to `cycles` clocks pass; stops early for a condition in `until`. *why gets the conditions that
     * held. */
    int (*advance)(struct device *dev, uint64_t cycles, unsigned until, unsigned *why, struct nerr *err);
    void (*now)(struct device *dev, struct dev_time *t);
    /* Optional (NULL when the backend has none). sink NULL turns events off. */
    int (*events)(struct device *dev, dev_event_fn sink, void *ctx, struct nerr *err);
    /* FST of clocks [from, to], both inclusive; the file is complete after wave_stop or close. */
    int (*wave_start)(struct device *dev, const char *path, uint64_t from, uint64_t to, struct nerr *err);
    int (*wave_stop)(struct device *dev, struct nerr *err);
    bool (*injected)(struct device *dev); /* the requested fault has happened */
    /* The device below a recording, for accesses that are the checker's and not the host's. NULL: the device
     * itself. */
    struct device *(*under)(struct device *dev);
    /* Optional: completes files of the backend's own (a recording), before close. Nothing half-written is
     * left after an error. */
    int (*finish)(struct device *dev, struct nerr *err);
    void (*close)(struct device *dev);
};

struct device {
    const struct dev_ops *ops;
    const char *name; /* "rtl", "ref", "record", "replay" */
};

/* BAR0 offset -> SoC address (profiler-and-trace.md §8.2, §8.3). NERR_RULE when the offset is in no window.
 */
int dev_bar0_to_soc(uint64_t bar0, uint64_t *soc, struct nerr *err);

struct dev_config {
    uint64_t seed;      /* of the bench's latencies and stalls */
    bool random_timing; /* false: fixed latency, no stalls */
    const char *inject; /* "KIND" or "KIND@N", NULL for none (rtl only) */
    unsigned n_dma;     /* DMA engines, 1..16; the RTL has 2 */
};

/*
 * Opens a backend: "rtl", "ref", "record:FILE" (wraps rtl), "record:FILE,ref" (wraps ref) or "replay:FILE".
 * The caller owns *dev and ends it with dev->ops->close(dev).
 */
int dev_open(const char *spec, const struct dev_config *cfg, struct device **dev, struct nerr *err);

/* Name and one-line meaning of fault injection i of the rtl backend, NULL past the last. */
const char *dev_inject_kind(unsigned i, const char **meaning);

int dev_open_rtl(const struct dev_config *cfg, struct device **dev, struct nerr *err);
int dev_open_ref(const struct dev_config *cfg, struct device **dev, struct nerr *err);
int dev_open_record(struct device *inner, const char *path, struct device **dev, struct nerr *err);
int dev_open_replay(const char *path, struct device **dev, struct nerr *err);

#endif
