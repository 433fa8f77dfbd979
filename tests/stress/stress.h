/* The kinds of random runs. Each prepares, drives and ends one run on an open rig. */
#ifndef NEFFSIM_TESTS_STRESS_H
#define NEFFSIM_TESTS_STRESS_H

#include "rig.h"

/* ---- programs (programs.c) ---- */

/* Memory all programs load from and store to. */
#define STRESS_SHARED       0xa00000u
#define STRESS_SHARED_BYTES 0x1000u

void stress_programs(struct rig *g);          /* five engines, legal programs that end */
void stress_bad_slots(struct rig *g);         /* one illegal or odd slot after the other, with resets */
void programs_place(struct rig *g, bool dma); /* writes the images; dma: also rings the bells of dma_post() */
void programs_start(struct rig *g);
void programs_disturb(struct rig *g); /* one host action beside running programs */

/* ---- DMA (rings.c) ---- */

void stress_rings(struct rig *g);     /* legal packets on many queues */
void stress_bad_rings(struct rig *g); /* faulty descriptors and addresses, resets, state commands */
void rings_open(struct rig *g);       /* engines and queues */

/* What a program has to do to start the packets of one queue and to know that they are done. */
struct dma_job {
    uint64_t s2m_bell, m2s_bell;
    uint32_t s2m_count, m2s_count;
    uint8_t semaphore;
};
void rings_post(struct rig *g, struct dma_job *job); /* writes descriptors, rings nothing */

/* ---- registers (pokes.c) ---- */

void stress_pokes(struct rig *g); /* reads and writes anywhere in the windows of all blocks */

#endif
