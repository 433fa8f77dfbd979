/*
 * One random run: the Verilated chip and the reference model in lockstep, without host software in between.
 * Every choice comes from one seed, so that a seed repeats its run clock for clock.
 */
#ifndef NEFFSIM_TESTS_STRESS_RIG_H
#define NEFFSIM_TESTS_STRESS_RIG_H

#include <stdbool.h>
#include <stdint.h>

#include "refmodel/ref.h"
#include "regs.h"
#include "util/nerr.h"

struct rtl_sim;

#define RIG_HISTORY 48u
#define RIG_REGIONS 64u
#define RIG_DMA     2u /* DMA engines of the RTL */

struct rig {
    struct rtl_sim *sim;
    struct ref *model;
    uint64_t random; /* state of the generator */
    struct dev_event history[RIG_HISTORY];
    uint64_t events, last_event; /* count; clock of the last event the host did not cause */
    bool failed;
    struct nerr err;
    struct { /* memory compared at the end */
        uint64_t addr;
        uint32_t len;
    } region[RIG_REGIONS];
    unsigned nregions;
    uint32_t record_bytes; /* of a notification ring */
    uint64_t retired;
};

/* False when the chip cannot be built; *err says why. */
bool rig_open(struct rig *g, uint64_t seed, struct nerr *err);
void rig_close(struct rig *g);

/* ---- random choices ---- */
uint32_t rig_random(struct rig *g);
uint32_t rig_below(struct rig *g, uint32_t n); /* 0..n-1 */
uint32_t rig_range(struct rig *g, uint32_t first, uint32_t last);
bool rig_chance(struct rig *g, uint32_t percent);
uint32_t rig_value(struct rig *g); /* small, large, near a power of two */

/* ---- the host ---- */
void rig_write(struct rig *g, uint64_t soc, uint32_t value);
uint32_t rig_read(struct rig *g, uint64_t soc);
void rig_mem(struct rig *g, uint64_t soc, const void *bytes, uint32_t len);
void rig_fill(struct rig *g, uint64_t soc, uint32_t len); /* random bytes; compared at the end */
void rig_region(struct rig *g, uint64_t soc, uint32_t len);
void rig_run(struct rig *g, uint32_t cycles);

/* Takes all records, as host software does: head := tail. */
void rig_take_records(struct rig *g);
/* Until nothing has happened for a while, or `limit` clocks; takes records meanwhile. */
void rig_settle(struct rig *g, uint32_t limit);
/* Compares what lockstep cannot see because it never happened: steps that are due, memory, all state. */
void rig_final(struct rig *g);

/* ---- bring-up ---- */
#define RIG_RECORDS 0x900000u
#define RIG_STRIDE  0x10000u
void rig_notific(struct rig *g);
uint64_t rig_lreg(unsigned engine);
uint64_t rig_bank(unsigned e, unsigned q, unsigned dir);

#endif
