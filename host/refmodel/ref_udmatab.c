/*
 * Registers of a DMA engine as a table: offset, reset value and the bits a write changes (udma.md §8-§10).
 * Registers that are read-only, command or pointer have no such bits; what they do and return is in
 * ref_udmareg.c.
 */
#include "refmodel/ref_private.h"

struct row {
    uint32_t off, reset, bits;
};

#define ALL (~UINT32_C(0))
#define ROW(block, name, bits)                                                                               \
    {                                                                                                        \
        block##_##name##_OFF, block##_##name##_RESET, bits                                                   \
    }
#define F(block, name, field) block##_##name##_##field##_MASK

static const struct row m2sq_rows[] = {
    ROW(M2SQ, DESC_PREF_CFG, F(M2SQ, DESC_PREF_CFG, DEPTH) | F(M2SQ, DESC_PREF_CFG, START)),
    ROW(M2SQ, CFG,
        F(M2SQ, CFG, PKT_LEN_OFFSET) | F(M2SQ, CFG, EN_PREF) | F(M2SQ, CFG, EN_SCHED) |
            F(M2SQ, CFG, ALLOW_LT_MIN) | F(M2SQ, CFG, AWCACHE_COMP) | F(M2SQ, CFG, QOS) |
            F(M2SQ, CFG, FULL_LINE)),
    ROW(M2SQ, STATUS, 0),
    ROW(M2SQ, TDRBP_LOW, F(M2SQ, TDRBP_LOW, ADDR)),
    ROW(M2SQ, TDRBP_HIGH, ALL),
    ROW(M2SQ, TDRL, F(M2SQ, TDRL, LENGTH)),
    ROW(M2SQ, TDRHP, 0),
    ROW(M2SQ, TDRTP_INC, F(M2SQ, TDRTP_INC, VAL)),
    ROW(M2SQ, TDRTP, 0),
    ROW(M2SQ, TDCP, 0),
    ROW(M2SQ, TCRBP_LOW, F(M2SQ, TCRBP_LOW, ADDR)),
    ROW(M2SQ, TCRBP_HIGH, ALL),
    ROW(M2SQ, TCRHP, 0),
    ROW(M2SQ, TCRHP_INTERNAL, 0),
    ROW(M2SQ, RATE_LIMIT_CFG_1,
        F(M2SQ, RATE_LIMIT_CFG_1, MAX_BURST) | F(M2SQ, RATE_LIMIT_CFG_1, EN) |
            F(M2SQ, RATE_LIMIT_CFG_1, PAUSE)),
    ROW(M2SQ, RATE_LIMIT_CYCLE, F(M2SQ, RATE_LIMIT_CYCLE, LONG_CYCLE)),
    ROW(M2SQ, RATE_LIMIT_TOKEN_1, F(M2SQ, RATE_LIMIT_TOKEN_1, SIZE)),
    ROW(M2SQ, RATE_LIMIT_TOKEN_2, F(M2SQ, RATE_LIMIT_TOKEN_2, SIZE)),
    ROW(M2SQ, RATE_LIMIT_SW_CTRL, 0),
    ROW(M2SQ, RATE_LIMIT_MASK,
        F(M2SQ, RATE_LIMIT_MASK, EXTERNAL) | F(M2SQ, RATE_LIMIT_MASK, INTERNAL) |
            F(M2SQ, RATE_LIMIT_MASK, PAUSE_DMB) | F(M2SQ, RATE_LIMIT_MASK, EXTERNAL_PAUSE)),
    ROW(M2SQ, DWRR_CFG_1,
        F(M2SQ, DWRR_CFG_1, MAX_DEFICIT) | F(M2SQ, DWRR_CFG_1, STRICT) | F(M2SQ, DWRR_CFG_1, PAUSE)),
    ROW(M2SQ, DWRR_CFG_2, F(M2SQ, DWRR_CFG_2, Q_QOS)),
    ROW(M2SQ, DWRR_CFG_3, F(M2SQ, DWRR_CFG_3, WEIGHT)),
    ROW(M2SQ, DWRR_SW_CTRL, 0),
    ROW(M2SQ, COMP_CFG, F(M2SQ, COMP_CFG, EN_RING) | F(M2SQ, COMP_CFG, DIS_COAL)),
    ROW(M2SQ, Q_SW_CTRL, 0),
    ROW(M2SQ, Q_TX_PKT, 0),
    ROW(M2SQ, READ_DATA_SNP, F(M2SQ, READ_DATA_SNP, OVERRIDE) | F(M2SQ, READ_DATA_SNP, VAL)),
    ROW(M2SQ, TDRDTP_INC, 0),
    ROW(M2SQ, TDRDTP, 0),
};

static const struct row s2mq_rows[] = {
    ROW(S2MQ, DESC_PREF_CFG, F(S2MQ, DESC_PREF_CFG, DEPTH) | F(S2MQ, DESC_PREF_CFG, START)),
    ROW(S2MQ, CFG,
        F(S2MQ, CFG, AWCACHE_HDR) | F(S2MQ, CFG, AWCACHE_DATA) | F(S2MQ, CFG, EN_PREF) |
            F(S2MQ, CFG, EN_STREAM) | F(S2MQ, CFG, ALLOW_LT_MIN) | F(S2MQ, CFG, DATA_FULL_LINE) |
            F(S2MQ, CFG, AWCACHE_COMP) | F(S2MQ, CFG, QOS) | F(S2MQ, CFG, FULL_LINE)),
    ROW(S2MQ, STATUS, 0),
    ROW(S2MQ, RDRBP_LOW, F(S2MQ, RDRBP_LOW, ADDR)),
    ROW(S2MQ, RDRBP_HIGH, ALL),
    ROW(S2MQ, RDRL, F(S2MQ, RDRL, LENGTH)),
    ROW(S2MQ, RDRHP, 0),
    ROW(S2MQ, RDRTP_INC, 0),
    ROW(S2MQ, RDRTP, 0),
    ROW(S2MQ, RDCP, 0),
    ROW(S2MQ, RCRBP_LOW, F(S2MQ, RCRBP_LOW, ADDR)),
    ROW(S2MQ, RCRBP_HIGH, ALL),
    ROW(S2MQ, RCRHP, 0),
    ROW(S2MQ, RCRHP_INTERNAL, 0),
    ROW(S2MQ, COMP_CFG,
        F(S2MQ, COMP_CFG, EN_RING) | F(S2MQ, COMP_CFG, DIS_COAL) | F(S2MQ, COMP_CFG, FIRST_PROMOTION) |
            F(S2MQ, COMP_CFG, BUF2_LEN_LOC)),
    ROW(S2MQ, COMP_CFG_2, ALL),
    ROW(S2MQ, PKT_CFG,
        F(S2MQ, PKT_CFG, HDR_SPLIT) | F(S2MQ, PKT_CFG, FORCE_SPLIT) | F(S2MQ, PKT_CFG, EN_SPLIT)),
    ROW(S2MQ, QOS_CFG, F(S2MQ, QOS_CFG, Q_QOS)),
    ROW(S2MQ, Q_SW_CTRL, 0),
    ROW(S2MQ, Q_RX_PKT, 0),
};

static const struct row m2s_rows[] = {
    ROW(M2S, MLA_CFG_OUTSTANDING, F(M2S, MLA_CFG_OUTSTANDING, MAX_ENABLE)),
    ROW(M2S, MLA_CFG_PREFETCH,
        F(M2S, MLA_CFG_PREFETCH, ENHANCED_EN) | F(M2S, MLA_CFG_PREFETCH, DATA_TAIL_EN)),
    ROW(M2S, MLA_TDR_REQ_HIGH, F(M2S, MLA_TDR_REQ_HIGH, ENABLE)),
    ROW(M2S, COMP_WR_CFG_1, ALL),
    ROW(M2S, COMP_WR_CFG_2, ALL),
    ROW(M2S, DATA_RD_CFG_1, ALL),
    ROW(M2S, DATA_RD_CFG_2, ALL),
    ROW(M2S, DESC_RD_CFG_1, ALL),
    ROW(M2S, DESC_RD_CFG_2, ALL),
    ROW(M2S, DATA_RD_CFG, F(M2S, DATA_RD_CFG, MAX_BEATS) | F(M2S, DATA_RD_CFG, BREAK)),
    ROW(M2S, DESC_RD_CFG_3, F(M2S, DESC_RD_CFG_3, MAX_DESC) | F(M2S, DESC_RD_CFG_3, BREAK)),
    ROW(M2S, DESC_WR_CFG_1, F(M2S, DESC_WR_CFG_1, MAX_BEATS) | F(M2S, DESC_WR_CFG_1, MIN_BEATS)),
    ROW(M2S, OSTAND_CFG,
        F(M2S, OSTAND_CFG, DATA_RD) | F(M2S, OSTAND_CFG, DESC_RD) | F(M2S, OSTAND_CFG, COMP_REQ) |
            F(M2S, OSTAND_CFG, COMP_DATA)),
    ROW(M2S, ENHANCED_OSTAND_CFG, F(M2S, ENHANCED_OSTAND_CFG, DATA_RD)),
    ROW(M2S, STATE, 0),
    ROW(M2S, CHANGE_STATE, 0),
    ROW(M2S, ERR_LOG_MASK, ALL),
    ROW(M2S, LOG_0, 0),
    ROW(M2S, LOG_1, 0),
    ROW(M2S, LOG_2, 0),
    ROW(M2S, LOG_3, 0),
    ROW(M2S, CLEAR_ERR_LOG, 0),
    ROW(M2S, DATA_FIFO_STATUS, 0),
    ROW(M2S, HEADER_FIFO_STATUS, 0),
    ROW(M2S, UNACK_FIFO_STATUS, 0),
    ROW(M2S, INDIRECT_CTRL, F(M2S, INDIRECT_CTRL, Q_NUM)),
    ROW(M2S, SEL_PREF_FIFO, 0),
    ROW(M2S, SEL_COMP_FIFO, 0),
    ROW(M2S, SEL_RATE_LIMIT, 0),
    ROW(M2S, SEL_DWRR, 0),
    ROW(M2S, CLEAR_CTRL, 0),
    ROW(M2S, CHECK_EN, ALL),
    ROW(M2S, FIFO_EN, ALL),
    ROW(M2S, CFG_LEN, F(M2S, CFG_LEN, MAX_PKT) | F(M2S, CFG_LEN, ENCODE_64K)),
    ROW(M2S, STREAM_CFG,
        F(M2S, STREAM_CFG, DISABLE) | F(M2S, STREAM_CFG, RD_MODE) | F(M2S, STREAM_CFG, RD_TH)),
    ROW(M2S, PREF_QUEUE_EN, F(M2S, PREF_QUEUE_EN, EN)),
    ROW(M2S, DESC_PREF_CFG_2, F(M2S, DESC_PREF_CFG_2, MAX_DESC) | F(M2S, DESC_PREF_CFG_2, FORCE_RR)),
    ROW(M2S, DESC_PREF_CFG_3,
        F(M2S, DESC_PREF_CFG_3, MIN_BELOW) | F(M2S, DESC_PREF_CFG_3, MIN_ABOVE) |
            F(M2S, DESC_PREF_CFG_3, THR)),
    ROW(M2S, DATA_CFG, F(M2S, DATA_CFG, DEPTH) | F(M2S, DATA_CFG, MAX_PKT)),
    ROW(M2S, DWRR_CFG_SCHED,
        F(M2S, DWRR_CFG_SCHED, EN) | F(M2S, DWRR_CFG_SCHED, PKT_MODE) | F(M2S, DWRR_CFG_SCHED, WEIGHT_INC) |
            F(M2S, DWRR_CFG_SCHED, INC_FACTOR)),
    ROW(M2S, RATE_LIMIT_GEN_CFG,
        F(M2S, RATE_LIMIT_GEN_CFG, SHORT_CYCLE) | F(M2S, RATE_LIMIT_GEN_CFG, PKT_MODE)),
    ROW(M2S, STREAM_RATE_MASK, ALL),
    ROW(M2S, COMP_CFG_1C,
        F(M2S, COMP_CFG_1C, COMP_DEPTH) | F(M2S, COMP_CFG_1C, UNACK_DEPTH) |
            F(M2S, COMP_CFG_1C, Q_PROMOTION) | F(M2S, COMP_CFG_1C, FORCE_RR) |
            F(M2S, COMP_CFG_1C, Q_FREE_MIN)),
    ROW(M2S, COMP_CFG_COAL, ALL),
    ROW(M2S, COMP_CFG_ACK, F(M2S, COMP_CFG_ACK, TOUT)),
    ROW(M2S, STAT_CFG, ALL),
    ROW(M2S, STAT_TX_PKT, 0),
    ROW(M2S, STAT_TX_BYTES_LO, 0),
    ROW(M2S, STAT_TX_BYTES_HI, 0),
    ROW(M2S, STAT_PREFED_DESC, 0),
    ROW(M2S, STAT_COMP_PKT, 0),
    ROW(M2S, STAT_COMP_DESC, 0),
    ROW(M2S, STAT_ACK_PKTS, 0),
    ROW(M2S, FEATURE_1, 0),
    ROW(M2S, DMA_VERSION, 0),
};

static const struct row s2m_rows[] = {
    ROW(S2M, DESC_RD_CFG_3, F(S2M, DESC_RD_CFG_3, MAX_DESC) | F(S2M, DESC_RD_CFG_3, BREAK)),
    ROW(S2M, OSTAND_CFG_RD, F(S2M, OSTAND_CFG_RD, DESC_RD) | F(S2M, OSTAND_CFG_RD, STREAM_ACK)),
    ROW(S2M, OSTAND_CFG_WR,
        F(S2M, OSTAND_CFG_WR, DATA_WR) | F(S2M, OSTAND_CFG_WR, DATA_BEATS) | F(S2M, OSTAND_CFG_WR, COMP_REQ) |
            F(S2M, OSTAND_CFG_WR, COMP_DATA)),
    ROW(S2M, OSTAND_CFG_WR_2, F(S2M, OSTAND_CFG_WR_2, DATA_WR)),
    ROW(S2M, STATE, 0),
    ROW(S2M, CHANGE_STATE, 0),
    ROW(S2M, ERR_LOG_MASK, ALL),
    ROW(S2M, LOG_0, 0),
    ROW(S2M, LOG_1, 0),
    ROW(S2M, LOG_2, 0),
    ROW(S2M, LOG_3, 0),
    ROW(S2M, CLEAR_ERR_LOG, 0),
    ROW(S2M, CLEAR_CTRL, 0),
    ROW(S2M, FIFO_EN, ALL),
    ROW(S2M, STREAM_CFG,
        F(S2M, STREAM_CFG, DISABLE) | F(S2M, STREAM_CFG, FLUSH) | F(S2M, STREAM_CFG, STOP_PREFETCH)),
    ROW(S2M, PREF_QUEUE_EN, F(S2M, PREF_QUEUE_EN, EN)),
    ROW(S2M, DESC_PREF_CFG_2,
        F(S2M, DESC_PREF_CFG_2, Q_PROMOTION) | F(S2M, DESC_PREF_CFG_2, FORCE_PROMOTION) |
            F(S2M, DESC_PREF_CFG_2, EN_PREDICTION) | F(S2M, DESC_PREF_CFG_2, PROMOTION_TH) |
            F(S2M, DESC_PREF_CFG_2, FORCE_RR)),
    ROW(S2M, DESC_PREF_CFG_3,
        F(S2M, DESC_PREF_CFG_3, MIN_BELOW) | F(S2M, DESC_PREF_CFG_3, MIN_ABOVE) |
            F(S2M, DESC_PREF_CFG_3, THR)),
    ROW(S2M, WR_DATA_CFG_1, F(S2M, WR_DATA_CFG_1, DEPTH) | F(S2M, WR_DATA_CFG_1, MAX_PKT)),
    ROW(S2M, WR_DATA_CFG_2,
        F(S2M, WR_DATA_CFG_2, DESC_WAIT) | F(S2M, WR_DATA_CFG_2, DROP_IF_NO_DESC) |
            F(S2M, WR_DATA_CFG_2, HINT_IF_NO_DESC) | F(S2M, WR_DATA_CFG_2, WAIT_FOR_PREF) |
            F(S2M, WR_DATA_CFG_2, FULL_LINE) | F(S2M, WR_DATA_CFG_2, HDR_USE_BUF1)),
    ROW(S2M, COMP_CFG_1C,
        F(S2M, COMP_CFG_1C, DESC_SIZE) | F(S2M, COMP_CFG_1C, CNT_WORDS) | F(S2M, COMP_CFG_1C, Q_PROMOTION) |
            F(S2M, COMP_CFG_1C, FORCE_RR) | F(S2M, COMP_CFG_1C, Q_FREE_MIN)),
    ROW(S2M, COMP_CFG_2C, F(S2M, COMP_CFG_2C, COMP_DEPTH) | F(S2M, COMP_CFG_2C, UNACK_DEPTH)),
    ROW(S2M, COMP_CFG_ACK, F(S2M, COMP_CFG_ACK, TOUT)),
    ROW(S2M, STAT_DROP_PKT, 0),
    ROW(S2M, STAT_RX_BYTES_LO, 0),
    ROW(S2M, STAT_RX_BYTES_HI, 0),
    ROW(S2M, STAT_PREFED_DESC, 0),
    ROW(S2M, STAT_COMP_PKT, 0),
    ROW(S2M, STAT_COMP_DESC, 0),
    ROW(S2M, STAT_ACK_PKTS, 0),
};

static const struct row gen_rows[] = {
    ROW(UGEN, REVISION, 0),
    ROW(UGEN, ABORT_CTL, F(UGEN, ABORT_CTL, MASK_LOCAL) | F(UGEN, ABORT_CTL, MASK_APP)),
    ROW(UGEN, AXI_CFG_1, ALL),
    ROW(UGEN, AXI_ARB_PROMOTION, F(UGEN, AXI_ARB_PROMOTION, PROMOTION)),
    ROW(UGEN, AXI_ENDIAN, ALL),
    ROW(UGEN, SPARE, F(UGEN, SPARE, DIS_COMP_HEAD)),
};

static const struct row box_rows[] = {
    { UBOX_MSG_OUT_OFF, 0, ALL },
    { UBOX_MSG_IN_OFF, 0, ALL },
};

/* axi_error_detection tables and axi_error_control: every word of them. */
static const struct row table_rows[] = { { 0, 0, ALL } };

static const struct row axi_queue_rows[] = {
    { UAXQ_STATE_REQUEST_OFF, 0, ALL },
    { UAXQ_CFG_OFF, UGEN_AXI_QUEUE_CFG_RESET, ALL },
};

static const struct row gen_ex_rows[] = {
    ROW(UGENEX, TX_SEL, ALL),
    ROW(UGENEX, RX_SEL_BUF1, ALL),
    ROW(UGENEX, RX_SEL_BUF2, ALL),
    ROW(UGENEX, RX_SEL_DDP, ALL),
};

static const struct row app_rows[] = {
    ROW(UAPP, EVENT_ACCEL, F(UAPP, EVENT_ACCEL, EN)),
    ROW(UAPP, SET_ADDR_LO, ALL),
    ROW(UAPP, SET_ADDR_HI, ALL),
    ROW(UAPP, CLR_ADDR_LO, ALL),
    ROW(UAPP, CLR_ADDR_HI, ALL),
    ROW(UAPP, NUM_SET, 0),
    ROW(UAPP, NUM_CLR, 0),
    ROW(UAPP, ROB_CFG,
        F(UAPP, ROB_CFG, EN) | F(UAPP, ROB_CFG, FORCE_INORDER) | F(UAPP, ROB_CFG, CLEAR) |
            F(UAPP, ROB_CFG, USE_RID_BASE) | F(UAPP, ROB_CFG, RID_BASE) | F(UAPP, ROB_CFG, POWERDOWN)),
    ROW(UAPP, WOB_CFG,
        F(UAPP, WOB_CFG, EN) | F(UAPP, WOB_CFG, FORCE_INORDER) | F(UAPP, WOB_CFG, CLEAR) |
            F(UAPP, WOB_CFG, USE_WID_BASE) | F(UAPP, WOB_CFG, WID_BASE)),
    ROW(UAPP, BCAST_GROUP, ALL),
    ROW(UAPP, BCAST_LAST_NODE, ALL),
    ROW(UAPP, INFLIGHT_CME, ALL),
    ROW(UAPP, INFLIGHT_DRE, ALL),
    ROW(UAPP, INFLIGHT_CCE, ALL),
    ROW(UAPP, INFLIGHT_ATS, ALL),
    ROW(UAPP, INFLIGHT_DMB, ALL),
    ROW(UAPP, NOTIFIC_STALL,
        F(UAPP, NOTIFIC_STALL, M2S_SOP_EOP) | F(UAPP, NOTIFIC_STALL, S2M_SOP_EOP) |
            F(UAPP, NOTIFIC_STALL, S2M_CMPL)),
    ROW(UAPP, TIMESTAMP_INC, F(UAPP, TIMESTAMP_INC, INC)),
    ROW(UAPP, ROBERT_TXDF, F(UAPP, ROBERT_TXDF, OVERHEAD)),
};

static const struct row appq_rows[] = {
    ROW(UAPPQ, M2S_TRIGGER, F(UAPPQ, M2S_TRIGGER, CNT) | F(UAPPQ, M2S_TRIGGER, EN)),
    ROW(UAPPQ, M2S_CRC_INIT, ALL),
    ROW(UAPPQ, M2S_SW_QUEUE, F(UAPPQ, M2S_SW_QUEUE, ID)),
    ROW(UAPPQ, S2M_TRIGGER, F(UAPPQ, S2M_TRIGGER, CNT) | F(UAPPQ, S2M_TRIGGER, EN)),
    ROW(UAPPQ, S2M_CRC_INIT, ALL),
    ROW(UAPPQ, S2M_SW_QUEUE, F(UAPPQ, S2M_SW_QUEUE, ID)),
};

/* Where the tables apply in the engine's window; `count` copies at distance `stride`. */
static const struct area {
    const struct row *rows;
    uint32_t nrows, off, count, stride;
} areas[] = {
#define AREA(rows, off, count, stride)                                                                       \
    {                                                                                                        \
        rows, sizeof rows / sizeof rows[0], off, count, stride                                               \
    }
    AREA(m2s_rows, UDMA_M2S_OFF, 1, UDMA_Q_STRIDE),
    AREA(m2sq_rows, UDMA_M2S_OFF + UDMA_Q_FIRST, UDMA_QUEUES, UDMA_Q_STRIDE),
    AREA(s2m_rows, UDMA_S2M_OFF, 1, UDMA_Q_STRIDE),
    AREA(s2mq_rows, UDMA_S2M_OFF + UDMA_Q_FIRST, UDMA_QUEUES, UDMA_Q_STRIDE),
    AREA(gen_rows, UDMA_GEN_OFF, 1, UDMA_GEN_EX_OFF - UDMA_GEN_OFF),
    AREA(box_rows, UDMA_GEN_OFF + UGEN_MAILBOX_OFF, UGEN_MAILBOXES, UGEN_MAILBOX_STRIDE),
    AREA(table_rows, UDMA_GEN_OFF + UGEN_AXI_ERR_DET_OFF, UGEN_AXI_ERR_TABLES *UGEN_AXI_ERR_DET_STRIDE / 4,
         4),
    AREA(table_rows, UDMA_GEN_OFF + UGEN_AXI_ERR_CTRL_OFF, UGEN_AXI_ERR_TABLES *UGEN_AXI_ERR_CTRL_STRIDE / 4,
         4),
    AREA(axi_queue_rows, UDMA_GEN_OFF + UGEN_AXI_QUEUE_OFF, UDMA_QUEUES, UGEN_AXI_QUEUE_STRIDE),
    AREA(gen_ex_rows, UDMA_GEN_EX_OFF + UGENEX_VMPR_OFF, UDMA_QUEUES, UGENEX_VMPR_STRIDE),
    AREA(appq_rows, UDMA_APP_OFF + UAPPQ_FIRST, UDMA_QUEUES, UAPPQ_STRIDE),
    AREA(app_rows, UDMA_APP_OFF, 1, UDMA_NOTIFIC_OFF - UDMA_APP_OFF),
};

uint32_t udma_bank(unsigned dir, unsigned queue)
{
    return (dir ? UDMA_S2M_OFF : UDMA_M2S_OFF) + UDMA_Q_FIRST + queue * UDMA_Q_STRIDE;
}

void udma_reset_words(uint32_t *words)
{
    for (unsigned a = 0; a < sizeof areas / sizeof areas[0]; a++)
        for (uint32_t i = 0; i < areas[a].count; i++)
            for (uint32_t k = 0; k < areas[a].nrows; k++)
                words[(areas[a].off + i * areas[a].stride + areas[a].rows[k].off) / 4] =
                    areas[a].rows[k].reset;
}

uint32_t udma_writable_bits(uint32_t off)
{
    for (unsigned a = 0; a < sizeof areas / sizeof areas[0]; a++) {
        const struct area *t = &areas[a];
        if (off < t->off || off - t->off >= t->count * t->stride)
            continue;
        uint32_t inside = (off - t->off) % t->stride;
        for (uint32_t k = 0; k < t->nrows; k++)
            if (t->rows[k].off == inside)
                return t->rows[k].bits;
    }
    return 0;
}

static bool within(uint32_t off, uint32_t from, uint32_t bytes)
{
    return off >= from && off - from < bytes;
}

bool udma_refuses(uint32_t off)
{
    return off >= UDMA_NOTIFIC_OFF ||
           within(off, UDMA_GEN_OFF + UGEN_PRIMARY_OFF, UIOFIC_GROUPS * UIOFIC_STRIDE) ||
           within(off, UDMA_GEN_OFF + UGEN_SECONDARY_OFF, UIOFIC_SECONDARY_GROUPS * UIOFIC_STRIDE) ||
           within(off, UDMA_GEN_OFF + UGEN_AXI_IOFIC_OFF, UGEN_AXI_IOFIC_END - UGEN_AXI_IOFIC_OFF);
}

/* A queue's bank: completion rings, the data tail, and pointer resets without rst_q are not built. */
static bool bank_refuses(unsigned dir, uint32_t reg, uint32_t value)
{
    if (reg == (dir ? S2MQ_COMP_CFG_OFF : M2SQ_COMP_CFG_OFF))
        return value & M2SQ_COMP_CFG_EN_RING_MASK;
    if (reg == (dir ? S2MQ_Q_SW_CTRL_OFF : M2SQ_Q_SW_CTRL_OFF)) {
        uint32_t pointers = dir ? S2MQ_Q_SW_CTRL_RST_TAIL_MASK | S2MQ_Q_SW_CTRL_RST_HEAD_MASK |
                                      S2MQ_Q_SW_CTRL_RST_CURRENT_MASK | S2MQ_Q_SW_CTRL_RST_PREFETCH_MASK
                                : M2SQ_Q_SW_CTRL_RST_TAIL_MASK | M2SQ_Q_SW_CTRL_RST_HEAD_MASK |
                                      M2SQ_Q_SW_CTRL_RST_CURRENT_MASK | M2SQ_Q_SW_CTRL_RST_DATA_TAIL_MASK;
        return value & pointers && !(value & M2SQ_Q_SW_CTRL_RST_Q_MASK);
    }
    return dir == 0 && reg == M2SQ_TDRDTP_INC_OFF;
}

bool udma_refuses_write(uint32_t off, uint32_t value)
{
    for (unsigned dir = 0; dir < 2; dir++)
        if (within(off, udma_bank(dir, 0), UDMA_QUEUES * UDMA_Q_STRIDE))
            return bank_refuses(dir, (off - udma_bank(dir, 0)) % UDMA_Q_STRIDE, value);
    if (off == UDMA_M2S_OFF + M2S_MLA_CFG_PREFETCH_OFF)
        return value & M2S_MLA_CFG_PREFETCH_DATA_TAIL_EN_MASK;
    if (off == UDMA_S2M_OFF + S2M_STREAM_CFG_OFF)
        return value & S2M_STREAM_CFG_FLUSH_MASK;
    if (within(off, UDMA_APP_OFF + UAPPQ_FIRST, UDMA_QUEUES * UAPPQ_STRIDE)) {
        uint32_t reg = (off - UDMA_APP_OFF - UAPPQ_FIRST) % UAPPQ_STRIDE;
        return (reg == UAPPQ_M2S_TRIGGER_OFF || reg == UAPPQ_S2M_TRIGGER_OFF) &&
               value & UAPPQ_M2S_TRIGGER_EN_MASK;
    }
    uint32_t boxes = UDMA_GEN_OFF + UGEN_MAILBOX_OFF;
    return within(off, boxes, UGEN_MAILBOXES * UGEN_MAILBOX_STRIDE) &&
           (off - boxes) % UGEN_MAILBOX_STRIDE == UBOX_INTERRUPT_OFF && value != 0;
}
