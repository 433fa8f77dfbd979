/*
 * Lockstep check of a device against the reference model (architecture §5): every event is judged, the first
 * wrong one is kept with the last events of its agent and its place in the NEFF; at the end memory,
 * semaphores, ring pointers and notification queues are compared as well.
 */
#ifndef NEFFSIM_CHECK_CHECK_H
#define NEFFSIM_CHECK_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "device/device.h"
#include "load/loadplan.h"
#include "refmodel/ref.h"
#include "regs.h"

#define CHK_HISTORY 32

struct chk;

/* The first thing that is wrong. Valid while the chk lives. */
struct chk_report {
    bool failed;
    struct nerr err; /* where = agent ("POOL", "e0 q3 M2S"), text = what the device did and what is right */
    bool has_event;  /* false for differences found at the end of the run */
    struct dev_event event; /* the offending event */
    uint64_t cycle;
    char place[320];                       /* the same place in terms of the NEFF; may be empty */
    struct dev_event history[CHK_HISTORY]; /* oldest first; the offending event is the last one */
    unsigned nhistory;
};

struct chk_counts {
    uint64_t events;         /* all kinds */
    uint64_t kind[EV_COUNT]; /* by EV_* */
    uint64_t retired[PROG_ENGINES];
    uint64_t last_progress; /* cycle of the last event that the host's own register accesses did not cause */
};

/* judge false: counts and history only, no model (run --no-check). plan is borrowed. NULL with *err on
 * failure. */
struct chk *chk_new(const struct loadplan *plan, bool judge, struct nerr *err);
void chk_free(struct chk *c);

/*
 * Wraps a device: the result passes every call on, mirrors memory writes into the model and judges the
 * events. It does not own `inner`; the chk owns the wrapper. With a second sink the events are also passed
 * there.
 */
int chk_attach(struct chk *c, struct device *inner, dev_event_fn also, void *also_ctx, struct device **out,
               struct nerr *err);

const struct chk_report *chk_get_report(const struct chk *c);
const struct chk_counts *chk_get_counts(const struct chk *c);
struct ref *chk_model(struct chk *c); /* NULL without judging */

/*
 * Compares the device's final state with the model's: every placed region with 64 guard bytes on both sides,
 * all semaphores and events, all ring pointers of used queues, the notification queues. Fills the report on
 * the first difference. These accesses are not the host's: a recording does not contain them. Returns 0 when
 * equal, NERR_MISMATCH, or another error of the device.
 */
int chk_final(struct chk *c, struct nerr *err);

/*
 * For a run that makes no progress: per engine PC, source slot, what it waits for and the present value; per
 * used queue the four pointers, phase and outstanding writes; per notification queue head, tail and phase.
 */
void chk_print_hang(struct chk *c, struct device *dev, FILE *out);

/* The report for people: verdict line, place, what is right, the history with the wrong event marked. */
void chk_print_report(const struct chk *c, FILE *out);

/* "POOL 0x140 = sg00/pool.bin slot 2: ..." for an event, from the load plan. Returns buf. */
const char *chk_event_place(const struct loadplan *plan, const struct dev_event *ev, char *buf, size_t size);

#endif
