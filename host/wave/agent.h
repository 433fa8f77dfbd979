/*
 * Which signals to look at when one agent of the core misbehaves. The choice goes by the names that are in
 * the wave, so it needs no list that could grow stale.
 */
#ifndef NEFFSIM_WAVE_AGENT_H
#define NEFFSIM_WAVE_AGENT_H

#include "wave/gtkw.h"

enum wave_agent { WAVE_AGENT_SEQ, WAVE_AGENT_UDMA, WAVE_AGENT_NOTIFIC, WAVE_AGENT_EVT };

/*
 * Rows for unit `unit` of the agent: clock and reset of the core, then what carries slots, descriptors or
 * records, ports and registers in the agent's own scope, then registers of the blocks below it, at most limit
 * rows. Names and comments are borrowed from `names`, which stays valid until the rows are freed with free().
 * No scope of that agent in the wave: *n is 0 and *rows NULL.
 */
int wave_agent_rows(const struct wave_names *names, enum wave_agent agent, unsigned unit, size_t limit,
                    struct gtkw_row **rows, size_t *n, struct nerr *err);

#endif
