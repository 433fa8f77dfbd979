/*
 * What the files of a DMA engine's packets share with each other: ref_packet.c, ref_pktread.c,
 * ref_pktwrite.c. What the rest of the model calls is in ref_private.h.
 */
#ifndef NEFFSIM_REF_PACKET_H
#define NEFFSIM_REF_PACKET_H

#include "refmodel/ref_private.h"

#define AXI_BOUNDARY 0x1000u /* no burst crosses it (docs/rtl.md) */

static inline struct packet *packet_at(struct dma *d, uint32_t n)
{
    return &d->packets[n % PACKET_RING];
}

static inline struct dma_queue *queue_of(struct dma *d, const struct packet *p)
{
    return &d->q[p->queue];
}

/* ---- ref_packet.c ---- */
/* The reader or the writer is seen at this queue: the failed packets of others before it are gone. */
void dma_drop_unread(struct dma *d, unsigned moving_queue);
void dma_drop_unwritten(struct dma *d, unsigned moving_queue);

/* ---- ref_pktwrite.c ---- */
void dma_close_buffer(struct dma *d, struct packet *p, bool ends);
void dma_open_buffer(struct dma *d, struct packet *p); /* takes the next S2M descriptor */
void dma_packet_written(struct dma *d, struct packet *p);
void dma_pass_descs(struct dma *d, struct packet *p);

#endif
