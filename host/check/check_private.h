/* Shared by the files of host/check only. */
#ifndef NEFFSIM_CHECK_PRIVATE_H
#define NEFFSIM_CHECK_PRIVATE_H

#include "check/check.h"

struct chk_ring {
    struct dev_event ev[CHK_HISTORY];
    uint64_t order[CHK_HISTORY]; /* number of the event in the whole run */
    uint64_t count;
};

struct chk_device {
    struct device base;
    struct device *inner;
    struct chk *chk;
};

struct chk {
    const struct loadplan *plan;
    struct ref *model;
    struct chk_ring *rings;
    unsigned nrings;
    struct chk_report report;
    struct chk_counts counts;
    struct chk_device wrapper;
    dev_event_fn also;
    void *also_ctx;
};

/*
 * final.c: the first difference between the device and the model in memory, semaphores, pointers and record
 * queues. 0 when there is none, NERR_MISMATCH with *err, or another error of the device. Reads registers.
 */
int chk_first_difference(struct chk *c, struct device *dev, struct nerr *err);

#endif
