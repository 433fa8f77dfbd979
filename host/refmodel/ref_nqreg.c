/* Registers of NOTIFIC and of the tpb control block (notification-queue.md §2, §3, §8.1, events-semaphores.md
 * §8.1). */
#include "refmodel/ref_private.h"

#define COAL_CTRL_BITS                                                                                       \
    (NQ_COAL_CTRL_FORCE_ALIGNED_MASK | NQ_COAL_CTRL_BYPASS_MASK | NQ_COAL_CTRL_CLR_MASK |                    \
     NQ_COAL_CTRL_STREAM_EN_MASK | NQ_COAL_CTRL_FORCE_USE_MASK | NQ_COAL_CTRL_SPARE_MASK)
#define WOB_CTRL_BITS (NQ_WOB_CTRL_ID_ROTATE_MASK | NQ_WOB_CTRL_CLEAR_MASK | NQ_WOB_CTRL_FORCE_INORDER_MASK)

/* Disabling a ring resets its tail and its pass (notification-queue.md §12.3). */
static void set_enable(struct ref *r, uint32_t value)
{
    struct notific *n = &r->nq;
    for (unsigned i = 0; i < NQ_QUEUES; i++) {
        struct nq_ring *q = &n->q[i];
        if (value >> i & 1)
            continue;
        reg_changed(r, SOC_NOTIFIC + NQ_Q_BASE + (uint64_t)i * NQ_Q_STRIDE + NQQ_TAIL_OFF, q->tail);
        q->tail = 0;
        q->phase = r->cfg.phase_first;
        q->lost = false;
        q->lost_in = 0;
    }
    n->enable = value & NQ_QUEUE_MASK;
}

static void write_queue(struct ref *r, unsigned i, uint32_t off, uint32_t value)
{
    struct nq_ring *q = &r->nq.q[i];
    switch (off) {
    case NQQ_BASE_LO_OFF:
        q->base_lo = value;
        break;
    case NQQ_BASE_HI_OFF:
        q->base_hi = value;
        break;
    case NQQ_SIZE_OFF:
        q->size = value;
        break;
    case NQQ_HEAD_OFF:
        q->head = value;
        r->nq.threshold_passed &= ~(UINT32_C(1) << i);
        break;
    case NQQ_THRESHOLD_OFF:
        q->threshold = value;
        break;
    default:
        break;
    }
}

void nq_write_reg(struct ref *r, uint32_t off, uint32_t value)
{
    struct notific *n = &r->nq;
    if (off >= NQ_Q_BASE) {
        uint32_t i = (off - NQ_Q_BASE) / NQ_Q_STRIDE;
        if (i < NQ_QUEUES)
            write_queue(r, i, (off - NQ_Q_BASE) % NQ_Q_STRIDE, value);
        return;
    }
    switch (off) {
    case NQ_SW_BACKPRESSURE_OFF:
        n->sw_bp = value & NQ_QUEUE_MASK;
        break;
    case NQ_HW_BACKPRESSURE_LO_OFF:
        n->hw_bp[0] = value;
        break;
    case NQ_HW_BACKPRESSURE_HI_OFF:
        n->hw_bp[1] = value;
        break;
    case NQ_ENABLE_OFF:
        set_enable(r, value);
        break;
    case NQ_SW_OVERFLOW_OFF:
        n->overflow = value & NQ_QUEUE_MASK;
        break;
    case NQ_UART_MODE_OFF:
        n->uart = value & NQ_UART_MODE_EN_MASK;
        break;
    case NQ_AXI_ID_OFF:
        n->axi_id = value & NQ_AXI_ID_ID_MASK;
        break;
    case NQ_WR_BUF_ENABLE_LO_OFF:
        n->buf_enable[0] = value;
        break;
    case NQ_WR_BUF_ENABLE_HI_OFF:
        n->buf_enable[1] = value;
        break;
    case NQ_NIQ_BUFFER_INDEX_OFF:
        n->niq_index = value & NQ_NIQ_BUFFER_INDEX_INDEX_MASK;
        break;
    case NQ_NAQ_BUFFER_INDEX_OFF:
        n->naq_index = value & NQ_NAQ_BUFFER_INDEX_INDEX_MASK;
        break;
    case NQ_COAL_TIMER_OFF:
        n->coal_timer = value;
        break;
    case NQ_COAL_CTRL_OFF:
        n->coal_ctrl = value & COAL_CTRL_BITS;
        break;
    case NQ_WOB_CTRL_OFF:
        n->wob_ctrl = value & WOB_CTRL_BITS;
        break;
    case NQ_THRESHOLD_EN_OFF:
        n->threshold_en = value & NQ_QUEUE_MASK;
        break;
    case NQ_TIMESTAMP_INC_OFF:
        n->clock_acc += (r->cycle - n->clock_cycle) * n->inc;
        n->clock_cycle = r->cycle;
        n->inc = value & NQ_TIMESTAMP_INC_INC_MASK;
        break;
    case NQ_SPARE_0S_OFF:
        n->spare0 = value;
        break;
    case NQ_SPARE_1S_OFF:
        n->spare1 = value;
        break;
    default:
        break;
    }
}

static uint32_t read_queue(const struct nq_ring *q, uint32_t off)
{
    switch (off) {
    case NQQ_BASE_LO_OFF:
        return q->base_lo;
    case NQQ_BASE_HI_OFF:
        return q->base_hi;
    case NQQ_SIZE_OFF:
        return q->size;
    case NQQ_HEAD_OFF:
        return q->head;
    case NQQ_TAIL_OFF:
        return q->tail;
    case NQQ_THRESHOLD_OFF:
        return q->threshold;
    default:
        return 0;
    }
}

static uint32_t full_bits(const struct notific *n)
{
    uint32_t v = 0;
    for (unsigned i = 0; i < NQ_QUEUES; i++)
        if (nq_ring_on(n, i) && nq_ring_full(&n->q[i]))
            v |= UINT32_C(1) << i;
    return v;
}

bool nq_read_reg(struct ref *r, uint32_t off, uint32_t *value, bool side_effects)
{
    struct notific *n = &r->nq;
    *value = 0;
    if (off >= NQ_Q_BASE) {
        uint32_t i = (off - NQ_Q_BASE) / NQ_Q_STRIDE;
        if (i < NQ_QUEUES)
            *value = read_queue(&n->q[i], (off - NQ_Q_BASE) % NQ_Q_STRIDE);
        return true;
    }
    switch (off) {
    case NQ_TIMESTAMP_LO_OFF:
    case NQ_TIMESTAMP_HI_OFF:
    case NQ_PIPELINE_STALL_COUNT_OFF:
    case NQ_NIQ_BUFFER_COUNT_OFF:
    case NQ_NAQ_BUFFER_COUNT_OFF:
        return false; /* time, or how the block is built */
    case NQ_SW_BACKPRESSURE_OFF:
        *value = n->sw_bp;
        break;
    case NQ_HW_BACKPRESSURE_LO_OFF:
        *value = n->hw_bp[0];
        break;
    case NQ_HW_BACKPRESSURE_HI_OFF:
        *value = n->hw_bp[1];
        break;
    case NQ_ENABLE_OFF:
        *value = n->enable;
        break;
    case NQ_SW_OVERFLOW_OFF:
        *value = n->overflow;
        break;
    case NQ_UART_MODE_OFF:
        *value = n->uart;
        break;
    case NQ_AXI_ID_OFF:
        *value = n->axi_id;
        break;
    case NQ_WR_BUF_ENABLE_LO_OFF:
        *value = n->buf_enable[0];
        break;
    case NQ_WR_BUF_ENABLE_HI_OFF:
        *value = n->buf_enable[1];
        break;
    case NQ_ERROR_ADDR_LO_OFF:
        *value = (uint32_t)n->error_addr;
        break;
    case NQ_ERROR_ADDR_HI_OFF:
        *value = (uint32_t)(n->error_addr >> 32);
        break;
    case NQ_NIQ_BUFFER_INDEX_OFF:
        *value = n->niq_index;
        break;
    case NQ_NAQ_BUFFER_INDEX_OFF:
        *value = n->naq_index;
        break;
    case NQ_STATS_OFF:
        *value = n->stats;
        if (side_effects)
            n->stats = 0;
        break;
    case NQ_COAL_TIMER_OFF:
        *value = n->coal_timer;
        break;
    case NQ_COAL_CTRL_OFF:
        *value = n->coal_ctrl;
        break;
    case NQ_WOB_CTRL_OFF:
        *value = n->wob_ctrl;
        break;
    case NQ_THRESHOLD_EN_OFF:
        *value = n->threshold_en;
        break;
    case NQ_FULL_OFF:
        *value = full_bits(n);
        break;
    case NQ_THRESHOLD_PASSED_OFF:
        *value = n->threshold_passed;
        break;
    case NQ_TIMESTAMP_INC_OFF:
        *value = n->inc;
        break;
    case NQ_SPARE_0S_OFF:
        *value = n->spare0;
        break;
    case NQ_SPARE_1S_OFF:
        *value = n->spare1;
        break;
    default: /* buffer dumps: what is visible depends on timing */
        return !(off >= NQ_NIQ_BUFFER_0_OFF && off <= NQ_NAQ_BUFFER_6_OFF);
    }
    return true;
}

void tpb_write_reg(struct ref *r, uint32_t off, uint32_t value)
{
    struct tpb_regs *t = &r->tpb;
    switch (off) {
    case TPB_SEM_LOW_OFF:
        t->low = value;
        break;
    case TPB_SEM_HIGH_OFF:
        t->high = value;
        break;
    case TPB_EVT_NOTIFY_OFF:
        t->notify = value & TPB_EVT_NOTIFY_EN_MASK;
        break;
    case TPB_ROUTE_PE_POOL_OFF:
        t->route_pe_pool =
            value & (TPB_ROUTE_PE_POOL_PE_NX_MASK | TPB_ROUTE_PE_POOL_PE_EXPLICIT_MASK |
                     TPB_ROUTE_PE_POOL_PE_ENGINE_MASK | TPB_ROUTE_PE_POOL_POOL_NX_MASK |
                     TPB_ROUTE_PE_POOL_POOL_EXPLICIT_MASK | TPB_ROUTE_PE_POOL_POOL_ENGINE_MASK);
        break;
    case TPB_ROUTE_ACT_DVE_OFF:
        t->route_act_dve = value & (TPB_ROUTE_ACT_DVE_ACT_NX_MASK | TPB_ROUTE_ACT_DVE_ACT_EXPLICIT_MASK |
                                    TPB_ROUTE_ACT_DVE_ACT_ENGINE_MASK | TPB_ROUTE_ACT_DVE_DVE_NX_MASK |
                                    TPB_ROUTE_ACT_DVE_DVE_EXPLICIT_MASK | TPB_ROUTE_ACT_DVE_DVE_ENGINE_MASK);
        break;
    case TPB_ROUTE_SP_EVT_OFF:
        t->route_sp_evt = value & (TPB_ROUTE_SP_EVT_SP_NX_MASK | TPB_ROUTE_SP_EVT_SP_EXPLICIT_MASK |
                                   TPB_ROUTE_SP_EVT_EVT_MASK);
        break;
    case TPB_ROUTE_ERR_OFF:
        t->route_err = value & TPB_ROUTE_ERR_ERR_MASK;
        break;
    case TPB_FAKE_ERROR_DATA_OFF:
        t->fake_data = value;
        break;
    case TPB_FAKE_ERROR_CTRL_OFF:
        if (value & TPB_FAKE_ERROR_CTRL_RAISE_MASK) {
            struct note n = { .w0 = NERR_FAKE_ERROR | (uint32_t)NTYPE_TPB_ERROR << NOTIF_W0_TYPE_LSB,
                              .w1 = t->fake_data };
            note_push(&r->fake_errors, &n);
        }
        break;
    default:
        break;
    }
}

uint32_t tpb_read_reg(const struct ref *r, uint32_t off)
{
    const struct tpb_regs *t = &r->tpb;
    switch (off) {
    case TPB_SEM_LOW_OFF:
        return t->low;
    case TPB_SEM_HIGH_OFF:
        return t->high;
    case TPB_EVT_NOTIFY_OFF:
        return t->notify;
    case TPB_ROUTE_PE_POOL_OFF:
        return t->route_pe_pool;
    case TPB_ROUTE_ACT_DVE_OFF:
        return t->route_act_dve;
    case TPB_ROUTE_SP_EVT_OFF:
        return t->route_sp_evt;
    case TPB_ROUTE_ERR_OFF:
        return t->route_err;
    case TPB_FAKE_ERROR_DATA_OFF:
        return t->fake_data;
    default:
        return 0;
    }
}

/* What is not built refuses to be switched on; a FAKE_ERROR waits until NOTIFIC has taken the one before. */
bool tpb_refuses_write(const struct ref *r, uint32_t off, uint32_t value)
{
    bool waits = note_count(&r->fake_errors) || (r->tpb.fake_taken && r->tpb.fake_taken == r->cycle);
    switch (off) {
    case TPB_SEM_LOW_OFF:
    case TPB_SEM_HIGH_OFF:
    case TPB_EVT_NOTIFY_OFF:
    case TPB_ROUTE_PE_POOL_OFF:
    case TPB_ROUTE_ACT_DVE_OFF:
    case TPB_ROUTE_SP_EVT_OFF:
    case TPB_ROUTE_ERR_OFF:
    case TPB_FAKE_ERROR_DATA_OFF:
        return false;
    case TPB_FAKE_ERROR_CTRL_OFF:
        return value & TPB_FAKE_ERROR_CTRL_RAISE_MASK && waits;
    default:
        return value != 0;
    }
}
