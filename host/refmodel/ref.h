/*
 * The reference model: the chip in plain C without a clock (architecture §1, §5).
 *
 * It is a set of agents (a sequencer, a prefetcher of one ring, the packet reader, the packet writer and the
 * completion of one DMA engine's queue, one NOTIFIC block, ...). Each agent has at most one next event, with
 * an enabling condition. Two users:
 *
 *   lockstep    ref_judge() takes an event of the RTL, asks the agent for its next event, and compares: was
 * the step legal now, is its result the one the model computes? Then it applies it. stand-alone ref_run()
 * lets enabled agents step in a fixed round-robin order and reports their events.
 *
 * Both apply an event with the same code, so there is one description of the chip.
 */
#ifndef NEFFSIM_REFMODEL_REF_H
#define NEFFSIM_REFMODEL_REF_H

#include <stdbool.h>
#include <stdint.h>

#include "device/event.h"
#include "util/nerr.h"
#include "util/sparse.h"

struct ref;

struct ref_config {
    unsigned n_dma;        /* 1..16 */
    bool sem_unsigned_cmp; /* SEM_UNSIGNED_CMP */
    bool phase_first;      /* PHASE_FIRST, normally true */
};

struct ref *ref_new(const struct ref_config *cfg); /* NULL when out of memory; state as after reset */
void ref_free(struct ref *r);

/*
 * Lockstep. Judges and applies one event. NERR_MISMATCH: err->where names the agent ("POOL", "e0 q3 M2S",
 * "EVT_SEM", "NOTIFIC q1"), err->text says what the RTL did and what is right. After a mismatch the model
 * must not be used on.
 */
int ref_judge(struct ref *r, const struct dev_event *ev, struct nerr *err);

/* Memory as the host wrote or reads it (not an event). */
bool ref_mem_write(struct ref *r, uint64_t soc, const void *buf, size_t len);
void ref_mem_read(struct ref *r, uint64_t soc, void *buf, size_t len);
struct sparse *ref_memory(struct ref *r);
bool ref_mem_valid(struct ref *r, uint64_t soc, uint64_t len); /* the range lies in one memory target */

/*
 * Registers by SoC address. In lockstep only ref_reg_peek is used (the RTL's APB events drive writes);
 * stand-alone the host's accesses come through ref_reg_write / ref_reg_read. Return 0, or 1 for an access the
 * chip refuses. peek has no side effect and returns 2 for a register whose value depends on time
 * (timestamps).
 */
int ref_reg_write(struct ref *r, uint64_t soc, uint32_t value);
int ref_reg_read(struct ref *r, uint64_t soc, uint32_t *value);
int ref_reg_peek(struct ref *r, uint64_t soc, uint32_t *value);

/* Stand-alone: up to `steps` agent steps; stops when nothing is enabled. *notified: a record reached memory.
 * Returns steps done. */
uint64_t ref_run(struct ref *r, uint64_t steps, bool until_notify, bool *notified);
void ref_sink(struct ref *r, dev_event_fn sink, void *ctx);
bool ref_stopped(const struct ref *r); /* the sink asked to stop during the last ref_run */
bool ref_failed(const struct ref *r,
                struct nerr *err);             /* the model refused a step of its own (a bug of the model) */
uint64_t ref_cycle(const struct ref *r);       /* stand-alone: one clock per step or register access */
void ref_idle(struct ref *r, uint64_t cycles); /* lets clocks pass in which nothing happens */

/* End of a lockstep run: true when no agent has an enabled or half-done step; else *err says which (what
 * never came). */
bool ref_quiet(struct ref *r, struct nerr *err);

/* For hang reports: what each part is doing. */
struct ref_seq_view {
    int state; /* ESTATE_* */
    uint64_t pc, image_base;
    bool waiting; /* a wait predicate is false */
    uint8_t lane, mode, idx;
    uint32_t operand, current; /* wanted and present value */
    const char *stalled_on;    /* "NOTIFIC", "write response", "fetch", "EVT_SEM", or NULL */
    bool ready;                /* the model could take its next step now: the device has not taken it */
    char step[192];            /* that step in words, when ready */
    uint64_t retired;
};
void ref_view_seq(struct ref *r, unsigned engine, struct ref_seq_view *v);

struct ref_queue_view {
    bool enabled;
    uint32_t tail, head, current, completed; /* ring id 31:30, offset 23:0 */
    uint32_t size, outstanding, packets;     /* outstanding: write bursts not yet committed */
};
void ref_view_queue(struct ref *r, unsigned engine, unsigned dir, unsigned queue, struct ref_queue_view *v);

struct ref_nq_view {
    bool enabled;
    uint32_t head, tail, size;
    unsigned phase; /* of the next record */
    bool full;
    uint64_t written;
};
void ref_view_nq(struct ref *r, unsigned queue, struct ref_nq_view *v);

/*
 * The S2M descriptor of the oldest write of DMA engine `engine` that memory has not committed, or with
 * `answer` of the oldest one that has not been answered. False when there is none.
 */
bool ref_view_write(struct ref *r, unsigned engine, bool answer, unsigned *queue, uint32_t *index);

uint32_t ref_semaphore(struct ref *r, unsigned unit, unsigned index);
bool ref_event_bit(struct ref *r, unsigned unit, unsigned index);
uint64_t ref_commits(struct ref *r, unsigned unit); /* EV_SEM events applied */

#endif
