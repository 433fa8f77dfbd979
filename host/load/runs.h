/*
 * One side of a DMA descriptor (neff-container.md §14) as contiguous runs, in traversal order: dimension 0 is
 * innermost, dimensions that continue each other are one run.
 */
#ifndef NEFFSIM_LOAD_RUNS_H
#define NEFFSIM_LOAD_RUNS_H

#include "neff/program.h"

struct runs {
    const struct prog_pattern *pattern;
    size_t first;    /* dimensions below are folded into the run */
    uint64_t length; /* bytes of each run */
    uint64_t counter[PROG_MAX_DIMS];
    uint64_t offset; /* of the current run in the variable */
    bool done;
};

/* What is wrong with a pattern against a variable of `size` bytes: NULL, or the reason. *bytes gets the
 * total. */
const char *runs_check(const struct prog_pattern *p, uint64_t size, uint64_t *bytes);

/* How many runs the pattern has (patterns that passed runs_check). */
uint64_t runs_count(const struct prog_pattern *p);

void runs_start(struct runs *r, const struct prog_pattern *p);
/* Moves to the next run; r->done at the end. */
void runs_next(struct runs *r);

#endif
