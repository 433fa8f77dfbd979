/* Ring entries: copy packets and completion pairs (udma.md §2-§5, §17.1). */
#ifndef NEFFSIM_LOAD_PACKET_H
#define NEFFSIM_LOAD_PACKET_H

#include "load/ctx.h"

/*
 * Appends one copy as packets: 1:1 pairs of at most 64 KiB, n:1 where one destination run takes several
 * source runs, 1:n the other way round; at most 64 descriptors of a side in one packet. `from` names the
 * descriptor.
 */
int packet_copy(struct load_ctx *c, struct ring_side sides[2], const struct prog_pattern *from,
                const struct prog_pattern *to, char *where);

/* Appends the pair that ends a block: constant 1 -> INC alias of TPB_0 semaphore, ordered by SOW. */
int packet_increment(struct load_ctx *c, struct ring_side sides[2], unsigned semaphore, char *where);

#endif
