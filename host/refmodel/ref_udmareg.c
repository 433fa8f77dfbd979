/* Reads and writes of a DMA engine's registers that do more than store: see ref_udmatab.c for the rest. */
#include "refmodel/ref_private.h"

#include <string.h>

/* Which queue bank an offset lies in. */
static bool in_bank(uint32_t off, unsigned *dir, unsigned *queue, uint32_t *reg)
{
    for (*dir = 0; *dir < 2; ++*dir) {
        uint32_t first = udma_bank(*dir, 0);
        if (off >= first && off - first < UDMA_QUEUES * UDMA_Q_STRIDE) {
            *queue = (off - first) / UDMA_Q_STRIDE;
            *reg = (off - first) % UDMA_Q_STRIDE;
            return true;
        }
    }
    return false;
}

uint32_t udma_word(const struct dma *d, uint32_t off)
{
    return off < UDMA_WINDOW_BYTES ? d->words[off / 4] : 0;
}

static void ring_bell(struct ref *r, struct dma_ring *g, uint32_t value)
{
    g->bell.valid = value != 0; /* N = 0 is ignored (udma.md §6.3) */
    g->bell.count = value & M2SQ_TDRTP_INC_VAL_MASK;
    g->bell.cycle = r->cycle;
}

/* Remembers since when a queue does not run: what was on the way may still arrive. */
static void note_enables(struct ref *r, struct dma *d, const bool before[2][UDMA_QUEUES])
{
    for (unsigned dir = 0; dir < 2; dir++) {
        for (unsigned q = 0; q < UDMA_QUEUES; q++) {
            if (!before[dir][q] || ring_enabled(d, q, dir))
                continue;
            d->q[q].ring[dir].was_enabled = true;
            d->q[q].ring[dir].disabled_at = r->cycle;
        }
    }
}

static void clear_log(struct dma *d, unsigned dir)
{
    d->log_full[dir] = false;
    memset(d->log[dir], 0, sizeof d->log[dir]);
}

void udma_write_reg(struct ref *r, unsigned e, uint32_t off, uint32_t value)
{
    struct dma *d = &r->dma[e];
    unsigned dir, queue;
    uint32_t reg;
    if (off >= UDMA_WINDOW_BYTES)
        return;
    if (in_bank(off, &dir, &queue, &reg)) {
        if (reg == M2SQ_TDRTP_INC_OFF) {
            ring_bell(r, &d->q[queue].ring[dir], value & M2SQ_TDRTP_INC_VAL_MASK);
            return;
        }
        if (reg == (dir ? S2MQ_Q_SW_CTRL_OFF : M2SQ_Q_SW_CTRL_OFF)) {
            dma_command(r, e, off, value);
            return;
        }
    }
    switch (off) {
    case UDMA_M2S_OFF + M2S_CHANGE_STATE_OFF:
    case UDMA_S2M_OFF + S2M_CHANGE_STATE_OFF:
        dma_command(r, e, off, value);
        return;
    case UDMA_M2S_OFF + M2S_CLEAR_ERR_LOG_OFF:
        if (value & M2S_CLEAR_ERR_LOG_CLEAR_MASK)
            clear_log(d, 0);
        return;
    case UDMA_S2M_OFF + S2M_CLEAR_ERR_LOG_OFF:
        if (value & S2M_CLEAR_ERR_LOG_CLEAR_MASK)
            clear_log(d, 1);
        return;
    default:
        break;
    }
    uint32_t bits = udma_writable_bits(off);
    if (!bits)
        return;
    bool before[2][UDMA_QUEUES];
    for (dir = 0; dir < 2; dir++)
        for (queue = 0; queue < UDMA_QUEUES; queue++)
            before[dir][queue] = ring_enabled(d, queue, dir);
    d->words[off / 4] = value & bits;
    note_enables(r, d, before);
}

static bool read_bank(const struct dma *d, unsigned queue, unsigned dir, uint32_t reg, uint32_t *value)
{
    const struct dma_ring *g = &d->q[queue].ring[dir];
    switch (reg) {
    case M2SQ_TDRHP_OFF:
        *value = ptr_word(g->head);
        return true;
    case M2SQ_TDRTP_OFF:
        *value = ptr_word(g->tail);
        return true;
    case M2SQ_TDCP_OFF:
        *value = ptr_word(g->current);
        return true;
    case M2SQ_TCRHP_OFF:
    case M2SQ_TCRHP_INTERNAL_OFF:
        *value = ptr_word(g->completed);
        if (udma_word(d, UDMA_GEN_OFF + UGEN_SPARE_OFF) & UGEN_SPARE_DIS_COMP_HEAD_MASK)
            *value = RING_PTR_RESET;
        return true;
    case M2SQ_TDRTP_INC_OFF:
        *value = 0;
        return true;
    case M2SQ_STATUS_OFF:
        return false;
    default:
        break;
    }
    if (reg == (dir ? S2MQ_Q_RX_PKT_OFF : M2SQ_Q_TX_PKT_OFF))
        *value = g->packets;
    else
        *value = udma_word(d, udma_bank(dir, queue) + reg);
    return true;
}

bool udma_read_reg(struct ref *r, unsigned e, uint32_t off, uint32_t *value)
{
    struct dma *d = &r->dma[e];
    unsigned dir, queue;
    uint32_t reg;
    *value = 0;
    if (off >= UDMA_WINDOW_BYTES)
        return true;
    if (in_bank(off, &dir, &queue, &reg))
        return read_bank(d, queue, dir, reg, value);
    for (dir = 0; dir < 2; dir++) {
        uint32_t block = dir ? UDMA_S2M_OFF : UDMA_M2S_OFF;
        if (off == block + M2S_STATE_OFF ||
            (off >= block + M2S_STAT_TX_PKT_OFF && off <= block + M2S_STAT_ACK_PKTS_OFF))
            return false;
        if (off >= block + M2S_LOG_0_OFF && off <= block + M2S_LOG_3_OFF) {
            *value = d->log[dir][(off - block - M2S_LOG_0_OFF) / 4];
            return true;
        }
    }
    switch (off) {
    case UDMA_M2S_OFF + M2S_DATA_FIFO_STATUS_OFF:
    case UDMA_M2S_OFF + M2S_HEADER_FIFO_STATUS_OFF:
    case UDMA_M2S_OFF + M2S_UNACK_FIFO_STATUS_OFF:
    case UDMA_M2S_OFF + M2S_SEL_PREF_FIFO_OFF:
    case UDMA_M2S_OFF + M2S_SEL_COMP_FIFO_OFF:
    case UDMA_M2S_OFF + M2S_SEL_RATE_LIMIT_OFF:
    case UDMA_M2S_OFF + M2S_SEL_DWRR_OFF:
        return false;
    case UDMA_APP_OFF + UAPP_NUM_SET_OFF:
        *value = d->num_set;
        return true;
    case UDMA_APP_OFF + UAPP_NUM_CLR_OFF:
        *value = d->num_clr;
        return true;
    default:
        *value = udma_word(d, off);
        return true;
    }
}
