/* Shared by the files of host/run only: the state of one run. */
#ifndef NEFFSIM_RUN_PRIVATE_H
#define NEFFSIM_RUN_PRIVATE_H

#include "check/check.h"
#include "device/device.h"
#include "load/loadplan.h"
#include "run/run.h"

struct run {
    const struct run_config *cfg;
    struct run_result *res;
    struct neff *neff;
    struct program *prog;
    struct loadplan *plan;
    struct device *raw; /* the backend */
    struct device *dev; /* the same behind the checker */
    struct chk *chk;
    FILE *events; /* --events, or NULL */

    struct run_ring {   /* consumer side of a record queue (notification-queue §11) */
        uint32_t next;  /* entry index */
        unsigned stale; /* phase value of slots not yet written */
    } rings[RUN_QUEUES];
    bool done[PROG_ENGINES];  /* hint-3 record seen in this inference */
    bool gated[PROG_ENGINES]; /* hint-4 record seen */
    bool device_error;        /* a TPB_ERROR record, or any record in the errors queue */
    size_t agent_next;        /* next agent block of this inference */
    uint64_t last_progress;   /* cycle of the last sign of life when the device reports no events */
};

/* records.c: drains every record queue by phase. *any: at least one record was read. */
int run_drain(struct run *r, bool *any, struct nerr *err);

/* agent.c: one step of the collective agent (slice-walkthrough §7). */
int run_agent_step(struct run *r, struct nerr *err);

/* protocol.c: tpb-image §6 and slice-walkthrough §6 in order. */
int run_load(struct run *r, struct nerr *err);
int run_start(struct run *r, struct nerr *err);
int run_inference(struct run *r, struct nerr *err);
int run_next_inference(struct run *r, unsigned number, struct nerr *err);
int run_read_engines(struct run *r, struct nerr *err); /* run states into the result */
int run_stop(struct run *r, struct nerr *err);

/* io.c: inputs before the start, outputs and golden compare after the end. */
/* What can be refused before any time is spent: names of inputs and goldens, the output folder. */
int run_check_tensors(const struct run *r, struct nerr *err);
int run_write_inputs(struct run *r, struct nerr *err);
int run_collect_outputs(struct run *r, struct nerr *err);

/* An error once a signal asked the run to stop (util/interrupt.h). */
int run_interrupted(struct nerr *err);

/* advance() of the device plus the checks that every wait needs: first mismatch, cycle limit, hang. */
int run_advance(struct run *r, uint64_t cycles, unsigned until, struct nerr *err);

#endif
