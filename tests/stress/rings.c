/*
 * Random DMA rings: packets that gather and scatter at odd addresses and lengths over several queues of both
 * engines, with wraps, barriers and semaphore writes; and the same with faults, resets and state commands.
 */
#include "stress.h"

#include <string.h>

#include "util/bytes.h"

#define RINGS      0x800000u
#define RING_SPACE 0x1000u
#define SOURCES    0x1000000u
#define TARGETS    0x1100000u
#define DATA_BYTES 0x18000u
#define SEM_FIRST  150u
#define DMA_SEMS   16u
#define RING_SIZES 3u
#define UNMAPPED   0x900000000000u

struct side {
    uint32_t size, index, id; /* ring: entries, next entry to write, its ring id */
    uint32_t used;            /* written and not known to be done */
    uint32_t armed;           /* written and not yet rung */
};

static struct queue {
    bool open;
    struct side side[2];
} queues[RIG_DMA][UDMA_QUEUES];

static uint32_t max_packet;

static uint64_t engine(unsigned e)
{
    return SOC_UDMA0 + e * (uint64_t)SOC_UDMA_STRIDE;
}

static uint64_t ring_base_of(unsigned e, unsigned q, unsigned dir)
{
    return RINGS + RING_SPACE * ((e * UDMA_QUEUES + q) * 2 + dir);
}

/* ---- bring-up ---- */

static void reset_side(struct rig *g, unsigned e, unsigned q, unsigned dir)
{
    struct side *s = &queues[e][q].side[dir];
    uint64_t b = rig_bank(e, q, dir);
    rig_write(g, b + (dir ? S2MQ_Q_SW_CTRL_OFF : M2SQ_Q_SW_CTRL_OFF), DMA_Q_RESET);
    s->index = s->used = s->armed = 0;
    s->id = RING_ID_FIRST;
}

static void open_queue(struct rig *g, unsigned e, unsigned q)
{
    static const uint32_t sizes[RING_SIZES] = { 32, 48, 64 };
    queues[e][q].open = true;
    for (unsigned dir = 0; dir < 2; dir++) {
        uint64_t b = rig_bank(e, q, dir), base = ring_base_of(e, q, dir);
        queues[e][q].side[dir].size = sizes[rig_below(g, RING_SIZES)];
        if (dir == 0)
            rig_write(g, b + M2SQ_RATE_LIMIT_MASK_OFF, rig_chance(g, 80) ? DMA_Q_DMB_ON : 7);
        rig_write(g, b + M2SQ_CFG_OFF, DMA_Q_CFG_OFF);
        reset_side(g, e, q, dir);
        rig_write(g, b + M2SQ_TDRBP_LOW_OFF, (uint32_t)base);
        rig_write(g, b + M2SQ_TDRBP_HIGH_OFF, 0);
        rig_write(g, b + M2SQ_TDRL_OFF, queues[e][q].side[dir].size);
        rig_write(g, b + (dir ? S2MQ_COMP_CFG_OFF : M2SQ_COMP_CFG_OFF), 0);
        rig_write(g, b + M2SQ_CFG_OFF, DMA_Q_CFG_ON);
    }
}

static void open_engine(struct rig *g, unsigned e)
{
    uint64_t b = engine(e);
    max_packet = rig_chance(g, 70) ? 0xfffff : 0x1000;
    rig_write(g, b + UDMA_M2S_OFF + M2S_CFG_LEN_OFF, M2S_CFG_LEN_ENCODE_64K_MASK | max_packet);
    rig_write(g, b + UDMA_M2S_OFF + M2S_DESC_PREF_CFG_2_OFF, rig_chance(g, 70) ? DMA_MAX_DESC_CFG : 8);
    rig_write(g, b + UDMA_APP_OFF + UAPP_EVENT_ACCEL_OFF, 1);
    if (rig_chance(g, 30)) {
        rig_write(g, b + UDMA_M2S_OFF + M2S_ENHANCED_OSTAND_CFG_OFF, rig_below(g, 8));
        rig_write(g, b + UDMA_S2M_OFF + S2M_OSTAND_CFG_WR_2_OFF, rig_below(g, 8));
        rig_write(g, b + UDMA_M2S_OFF + M2S_DESC_RD_CFG_3_OFF, rig_below(g, 12));
        rig_write(g, b + UDMA_S2M_OFF + S2M_DESC_RD_CFG_3_OFF, rig_below(g, 12));
    }
    for (unsigned i = rig_range(g, 1, 4); i > 0; i--) {
        unsigned q = rig_below(g, UDMA_QUEUES);
        if (!queues[e][q].open)
            open_queue(g, e, q);
    }
}

void rings_open(struct rig *g)
{
    memset(queues, 0, sizeof queues);
    rig_fill(g, SOURCES, DATA_BYTES);
    rig_fill(g, TARGETS, DATA_BYTES);
    rig_fill(g, SOC_SBUF, 0x4000);
    rig_fill(g, SOC_HOST, 0x4000);
    for (unsigned e = 0; e < RIG_DMA; e++)
        open_engine(g, e);
}

/* ---- descriptors ---- */

static uint32_t room(const struct side *s)
{
    return s->size - s->used;
}

static void put_desc(struct rig *g, unsigned e, unsigned q, unsigned dir, uint32_t w0, uint32_t w1,
                     uint64_t addr)
{
    struct side *s = &queues[e][q].side[dir];
    uint8_t b[DESC_BYTES];
    put_le32(b, w0 ^ s->id << M2S_DESC_W0_RING_ID_LSB);
    put_le32(b + 4, w1);
    put_le32(b + 8, (uint32_t)addr);
    put_le32(b + 12, (uint32_t)(addr >> 32));
    rig_mem(g, ring_base_of(e, q, dir) + s->index * (uint64_t)DESC_BYTES, b, sizeof b);
    s->used++;
    s->armed++;
    if (++s->index == s->size) {
        s->index = 0;
        s->id = (s->id + 1) & RING_ID_MASK;
    }
}

static uint64_t place(struct rig *g, bool target, uint32_t bytes)
{
    switch (rig_below(g, 4)) {
    case 0:
        return bytes < 0x4000 ? SOC_SBUF + rig_below(g, 0x4000 - bytes) : (target ? TARGETS : SOURCES);
    case 1:
        return bytes < 0x4000 ? SOC_HOST + rig_below(g, 0x4000 - bytes) : (target ? TARGETS : SOURCES);
    default:
        return (target ? TARGETS : SOURCES) + rig_below(g, DATA_BYTES - bytes);
    }
}

static uint32_t length(struct rig *g)
{
    static const uint32_t limits[] = { 4, 16, 64, 300, 700, 3000 };
    return 1 + rig_below(g, limits[rig_below(g, 6)]);
}

static uint32_t random_flag(struct rig *g, uint32_t percent, uint32_t flag)
{
    return rig_chance(g, percent) ? flag : 0;
}

/* What a faulty descriptor gets wrong; 0: nothing. */
static uint32_t fault_w0(struct rig *g, unsigned dir)
{
    static const uint32_t m2s[] = { M2S_DESC_W0_FIRST_MASK,        M2S_DESC_W0_LAST_MASK,
                                    M2S_DESC_W0_MD_MASK,           1u << M2S_DESC_W0_RING_ID_LSB,
                                    2u << M2S_DESC_W0_RING_ID_LSB, 0xffff };
    static const uint32_t s2m[] = { S2M_DESC_W0_DUAL_BUF_MASK, S2M_DESC_W0_META_MASK,
                                    1u << S2M_DESC_W0_RING_ID_LSB, 0xf };
    return dir ? s2m[rig_below(g, sizeof s2m / sizeof s2m[0])]
               : m2s[rig_below(g, sizeof m2s / sizeof m2s[0])];
}

/* `bad` percent of the descriptors are faulty. Returns false when the rings have no room for the packet. */
static bool post_packet(struct rig *g, unsigned e, unsigned q, uint32_t bad)
{
    uint32_t n = rig_chance(g, 50) ? 1 : rig_range(g, 1, 6), lens[6], total = 0;
    bool md = n > 1 && rig_chance(g, 5);
    if (room(&queues[e][q].side[0]) < n || room(&queues[e][q].side[1]) < 6)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        lens[i] = length(g);
        if (total + lens[i] > max_packet)
            lens[i] = 1;
        total += md && i == 0 ? 0 : lens[i];
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t w0 = lens[i] & M2S_DESC_W0_LENGTH_MASK, w1 = DMA_COPY_WORD;
        w0 |= i == 0 ? M2S_DESC_W0_FIRST_MASK | random_flag(g, 10, M2S_DESC_W0_DMB_MASK) : 0;
        w0 |= i + 1 == n ? M2S_DESC_W0_LAST_MASK : 0;
        w0 |= i > 0 ? random_flag(g, 60, M2S_DESC_W0_CONCAT_MASK) : 0;
        w0 |= random_flag(g, 20, M2S_DESC_W0_INT_EN_MASK) | (md && i == 0 ? M2S_DESC_W0_MD_MASK : 0);
        if (w0 & M2S_DESC_W0_CONCAT_MASK && i > 1)
            w1 = rig_random(g) & ~(uint32_t)M2S_DESC_W1_WRITE_BARRIER_MASK;
        w1 |= random_flag(g, 15, M2S_DESC_W1_WRITE_BARRIER_MASK);
        uint64_t from = place(g, false, lens[i]);
        if (rig_chance(g, bad)) {
            switch (rig_below(g, 4)) {
            case 0:
                w0 ^= fault_w0(g, 0);
                break;
            case 1:
                w1 ^= UINT32_C(1) << rig_range(g, 3, 28);
                break;
            case 2:
                from = UNMAPPED + rig_below(g, 64);
                break;
            default:
                from = SOC_EVT + EVT_WIN_SEM_READ + rig_below(g, 16);
                break;
            }
        }
        put_desc(g, e, q, 0, w0, w1, from);
    }
    uint32_t left = total;
    for (uint32_t i = 0; i < 6 && left; i++) {
        uint32_t len = i == 5 || rig_chance(g, 50) ? left + (rig_chance(g, 20) ? rig_below(g, 100) : 0)
                                                   : rig_range(g, 1, left);
        uint64_t to = place(g, true, len);
        uint32_t w0 =
            len | random_flag(g, 15, S2M_DESC_W0_SOW_MASK) | random_flag(g, 20, S2M_DESC_W0_INT_EN_MASK);
        if (rig_chance(g, bad)) {
            if (rig_chance(g, 50))
                w0 ^= fault_w0(g, 1);
            else
                to = rig_chance(g, 50) ? UNMAPPED + rig_below(g, 64) : SOC_TPB_CTRL + rig_below(g, 16);
        }
        put_desc(g, e, q, 1, w0, 0, to);
        left -= len < left ? len : left;
    }
    return true;
}

/* One word from the event accelerator to a semaphore. */
static bool post_increment(struct rig *g, unsigned e, unsigned q, uint8_t sem)
{
    if (room(&queues[e][q].side[0]) < 1 || room(&queues[e][q].side[1]) < 1)
        return false;
    put_desc(g, e, q, 0, 4 | M2S_DESC_W0_FIRST_MASK | M2S_DESC_W0_LAST_MASK, DMA_COPY_WORD,
             DMA_CONST_SET_ADDR);
    put_desc(g, e, q, 1, 4 | random_flag(g, 70, S2M_DESC_W0_SOW_MASK), 0,
             SOC_EVT + EVT_WIN_SEM_INC + 4 * sem);
    return true;
}

/* ---- doorbells ---- */

static void ring(struct rig *g, unsigned e, unsigned q, unsigned dir, uint32_t n)
{
    struct side *s = &queues[e][q].side[dir];
    if (!n)
        return;
    s->armed -= n;
    rig_write(g, rig_bank(e, q, dir) + M2SQ_TDRTP_INC_OFF, n);
}

/* Everything that is written, in several doorbells of both directions in any order. */
static void ring_all(struct rig *g, unsigned e, unsigned q)
{
    struct side *s = queues[e][q].side;
    while ((s[0].armed || s[1].armed) && !g->failed) {
        unsigned dir = rig_below(g, 2);
        uint32_t n = rig_chance(g, 60) ? s[dir].armed : rig_below(g, s[dir].armed + 1);
        ring(g, e, q, dir, n);
        if (rig_chance(g, 30))
            rig_run(g, rig_below(g, 60));
    }
}

static bool pick_queue(struct rig *g, unsigned *e, unsigned *q)
{
    *e = rig_below(g, RIG_DMA);
    unsigned first = rig_below(g, UDMA_QUEUES);
    for (unsigned i = 0; i < UDMA_QUEUES; i++) {
        *q = (first + i) % UDMA_QUEUES;
        if (queues[*e][*q].open)
            return true;
    }
    return false;
}

void rings_post(struct rig *g, struct dma_job *job)
{
    static unsigned next;
    unsigned e, q;
    memset(job, 0, sizeof *job);
    if (!pick_queue(g, &e, &q) || queues[e][q].side[0].armed)
        return;
    job->semaphore = (uint8_t)(SEM_FIRST + next++ % DMA_SEMS);
    for (unsigned i = rig_range(g, 1, 3); i > 0; i--)
        if (!post_packet(g, e, q, 0))
            break;
    if (!post_increment(g, e, q, job->semaphore))
        return;
    job->s2m_bell = rig_bank(e, q, 1) + M2SQ_TDRTP_INC_OFF;
    job->m2s_bell = rig_bank(e, q, 0) + M2SQ_TDRTP_INC_OFF;
    job->m2s_count = queues[e][q].side[0].armed;
    job->s2m_count = queues[e][q].side[1].armed;
    queues[e][q].side[0].armed = queues[e][q].side[1].armed = 0;
}

/* A queue whose completion heads have reached its tails may be filled again. */
static void reclaim(struct rig *g, unsigned e, unsigned q)
{
    for (unsigned dir = 0; dir < 2; dir++) {
        uint64_t b = rig_bank(e, q, dir);
        if (rig_read(g, b + M2SQ_TCRHP_OFF) == rig_read(g, b + M2SQ_TDRTP_OFF) &&
            !queues[e][q].side[dir].armed)
            queues[e][q].side[dir].used = 0;
    }
}

void stress_rings(struct rig *g)
{
    unsigned e, q;
    rig_notific(g);
    rings_open(g);
    for (unsigned i = rig_range(g, 20, 80); i > 0 && !g->failed; i--) {
        if (!pick_queue(g, &e, &q))
            return;
        reclaim(g, e, q);
        for (unsigned k = rig_range(g, 1, 4); k > 0; k--)
            if (!post_packet(g, e, q, 0))
                break;
        if (rig_chance(g, 30))
            post_increment(g, e, q, (uint8_t)(SEM_FIRST + rig_below(g, DMA_SEMS)));
        ring_all(g, e, q);
        if (rig_chance(g, 60))
            rig_run(g, rig_below(g, 600));
    }
    rig_settle(g, 60000);
}

/* ---- faults ---- */

static void restart(struct rig *g, unsigned e, unsigned q)
{
    unsigned first = rig_below(g, 2);
    reset_side(g, e, q, first);
    if (rig_chance(g, 50))
        rig_run(g, rig_below(g, 100));
    reset_side(g, e, q, !first);
    for (unsigned dir = 0; dir < 2; dir++) {
        rig_write(g, rig_bank(e, q, dir) + M2SQ_TDRBP_HIGH_OFF, 0);
        rig_write(g, rig_bank(e, q, dir) + M2SQ_CFG_OFF, DMA_Q_CFG_ON);
    }
}

static void recover(struct rig *g, unsigned e)
{
    uint64_t b = engine(e);
    for (unsigned q = 0; q < UDMA_QUEUES; q++)
        for (unsigned dir = 0; dir < 2; dir++)
            reset_side(g, e, q, dir);
    rig_write(g, b + UDMA_M2S_OFF + M2S_CHANGE_STATE_OFF, M2S_CHANGE_STATE_NORMAL_MASK);
    rig_write(g, b + UDMA_S2M_OFF + S2M_CHANGE_STATE_OFF, S2M_CHANGE_STATE_NORMAL_MASK);
}

static void disturb(struct rig *g, unsigned e, unsigned q)
{
    uint64_t b = engine(e);
    unsigned dir = rig_below(g, 2);
    switch (rig_below(g, 12)) {
    case 0:
    case 1:
        restart(g, e, q);
        break;
    case 2: /* only one side, while it may be at work */
        reset_side(g, e, q, dir);
        break;
    case 3:
        rig_write(g, b + (dir ? UDMA_S2M_OFF + S2M_CHANGE_STATE_OFF : UDMA_M2S_OFF + M2S_CHANGE_STATE_OFF),
                  rig_below(g, 8));
        break;
    case 4:
        recover(g, e);
        break;
    case 5:
        rig_write(g, rig_bank(e, q, dir) + M2SQ_CFG_OFF, rig_chance(g, 50) ? DMA_Q_CFG_OFF : DMA_Q_CFG_ON);
        break;
    case 6:
        rig_write(g, b + UDMA_M2S_OFF + M2S_CLEAR_ERR_LOG_OFF, 1);
        rig_write(g, b + UDMA_S2M_OFF + S2M_CLEAR_ERR_LOG_OFF, 1);
        break;
    case 7:
        rig_write(g, rig_bank(e, q, 0) + M2SQ_Q_SW_CTRL_OFF, M2SQ_Q_SW_CTRL_RST_DMB_MASK);
        break;
    case 8:
        rig_write(g, b + UDMA_M2S_OFF + M2S_ERR_LOG_MASK_OFF, rig_chance(g, 50) ? 0 : rig_random(g));
        rig_write(g, b + UDMA_S2M_OFF + S2M_ERR_LOG_MASK_OFF, rig_chance(g, 50) ? 0 : rig_random(g));
        break;
    case 9:
        rig_write(g, b + UDMA_M2S_OFF + M2S_PREF_QUEUE_EN_OFF, rig_chance(g, 70) ? 0xffff : rig_random(g));
        rig_write(g, b + UDMA_S2M_OFF + S2M_PREF_QUEUE_EN_OFF, rig_chance(g, 70) ? 0xffff : rig_random(g));
        break;
    case 10:
        rig_write(g, b + UDMA_M2S_OFF + M2S_STREAM_CFG_OFF, rig_below(g, 4));
        rig_write(g, b + UDMA_S2M_OFF + S2M_STREAM_CFG_OFF, rig_chance(g, 50) ? 0 : rig_random(g));
        break;
    default:
        ring(g, e, q, dir, 0);
        rig_write(g, rig_bank(e, q, dir) + M2SQ_TDRTP_INC_OFF, rig_range(g, 65, 70)); /* more than fits */
        break;
    }
}

void stress_bad_rings(struct rig *g)
{
    unsigned e, q;
    rig_notific(g);
    rings_open(g);
    for (unsigned i = 0; i < 80 && !g->failed; i++) {
        if (!pick_queue(g, &e, &q))
            return;
        reclaim(g, e, q);
        for (unsigned k = rig_range(g, 1, 4); k > 0; k--)
            if (!post_packet(g, e, q, rig_chance(g, 30) ? 10 : 1))
                break;
        ring_all(g, e, q);
        if (rig_chance(g, 60))
            rig_run(g, rig_below(g, 400));
        if (rig_chance(g, 40))
            disturb(g, e, q);
        if (rig_chance(g, 20))
            restart(g, e, q);
        if (rig_chance(g, 5))
            recover(g, e);
    }
    rig_settle(g, 60000);
}
