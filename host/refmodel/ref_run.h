/*
 * What the files of the stand-alone model share with each other: ref_run.c, ref_runseq.c, ref_rundma.c. A
 * step returns false when its agent can do nothing now.
 */
#ifndef NEFFSIM_REF_RUN_H
#define NEFFSIM_REF_RUN_H

#include "refmodel/ref_private.h"

/* ---- ref_run.c ---- */
bool ref_emit(struct ref *r, struct dev_event *ev); /* judges, applies and reports it; false: refused */
struct dev_event ref_sem_event(const struct ref *r, unsigned unit, unsigned source, uint8_t mode, uint8_t idx,
                               uint32_t operand);
bool ref_commit_step(struct ref *r, unsigned master);
bool ref_serve_read(struct ref *r, unsigned master, uint64_t addr, uint32_t len, uint32_t n);

/* ---- ref_runseq.c ---- */
bool ref_sources_step(struct ref *r);
bool ref_notific_step(struct ref *r);
bool ref_seq_step(struct ref *r, unsigned e);

/* ---- ref_rundma.c ---- */
#define DMA_AGENTS 9u /* of one engine */
bool ref_answer_step(struct ref *r, unsigned master);
bool ref_dma_agent(struct ref *r, unsigned e, unsigned what); /* what < DMA_AGENTS */

#endif
