/* Registers (udma.md §8-§10): resets, fields, what is refused, and the driver's init sequence (§18.1). */
#ifndef NEFFSIM_BENCH_UDMA_REGS_H
#define NEFFSIM_BENCH_UDMA_REGS_H

#include "udma_copy.h"

struct Reg {
    uint32_t off, reset, fields;
};
#define REG(b, n) {b##_##n##_OFF, b##_##n##_RESET, b##_##n##_FIELDS}

/* Reads the reset value, keeps exactly the declared bits of two patterns, and gets its reset value back. */
static inline void stored(Dut &d, uint32_t base, const Reg &r)
{
    TB_EQUAL(d.rd(base + r.off), r.reset);
    for (uint32_t pattern : {0xa5a5a5a5u, 0x5a5a5a5au}) {
        d.wr(base + r.off, pattern);
        TB_EQUAL(d.rd(base + r.off), pattern & r.fields);
    }
    d.wr(base + r.off, r.reset);
    TB_EQUAL(d.rd(base + r.off), r.reset);
}
static inline void refused(Dut &d, uint32_t addr, uint32_t data)
{
    uint32_t before = d.apb(false, addr, 0);
    d.apb(true, addr, data);
    TB_CHECK(d.slave_error);
    TB_EQUAL(d.apb(false, addr, 0), before);
}

static inline void registers()
{
    Dut d(140);
    const Reg m2sq[] = {REG(M2SQ, DESC_PREF_CFG), REG(M2SQ, CFG), REG(M2SQ, TDRBP_LOW), REG(M2SQ, TDRBP_HIGH), REG(M2SQ, TDRL),
                        REG(M2SQ, TCRBP_LOW), REG(M2SQ, TCRBP_HIGH), REG(M2SQ, RATE_LIMIT_CFG_1), REG(M2SQ, RATE_LIMIT_CYCLE),
                        REG(M2SQ, RATE_LIMIT_TOKEN_1), REG(M2SQ, RATE_LIMIT_TOKEN_2), REG(M2SQ, RATE_LIMIT_MASK),
                        REG(M2SQ, DWRR_CFG_1), REG(M2SQ, DWRR_CFG_2), REG(M2SQ, DWRR_CFG_3), REG(M2SQ, READ_DATA_SNP)};
    const Reg s2mq[] = {REG(S2MQ, DESC_PREF_CFG), REG(S2MQ, CFG), REG(S2MQ, RDRBP_LOW), REG(S2MQ, RDRBP_HIGH), REG(S2MQ, RDRL),
                        REG(S2MQ, RCRBP_LOW), REG(S2MQ, RCRBP_HIGH), REG(S2MQ, COMP_CFG_2), REG(S2MQ, PKT_CFG), REG(S2MQ, QOS_CFG)};
    const Reg m2s[] = {REG(M2S, MLA_CFG_OUTSTANDING), REG(M2S, MLA_TDR_REQ_HIGH), REG(M2S, COMP_WR_CFG_1), REG(M2S, COMP_WR_CFG_2),
                       REG(M2S, DATA_RD_CFG_1), REG(M2S, DATA_RD_CFG_2), REG(M2S, DESC_RD_CFG_1), REG(M2S, DESC_RD_CFG_2),
                       REG(M2S, DATA_RD_CFG), REG(M2S, DESC_RD_CFG_3), REG(M2S, DESC_WR_CFG_1), REG(M2S, OSTAND_CFG),
                       REG(M2S, ENHANCED_OSTAND_CFG), REG(M2S, ERR_LOG_MASK), REG(M2S, INDIRECT_CTRL), REG(M2S, CHECK_EN),
                       REG(M2S, FIFO_EN), REG(M2S, CFG_LEN), REG(M2S, STREAM_CFG), REG(M2S, PREF_QUEUE_EN), REG(M2S, DESC_PREF_CFG_2),
                       REG(M2S, DESC_PREF_CFG_3), REG(M2S, DATA_CFG), REG(M2S, DWRR_CFG_SCHED), REG(M2S, RATE_LIMIT_GEN_CFG),
                       REG(M2S, STREAM_RATE_MASK), REG(M2S, COMP_CFG_1C), REG(M2S, COMP_CFG_COAL), REG(M2S, COMP_CFG_ACK), REG(M2S, STAT_CFG)};
    const Reg s2m[] = {REG(S2M, DESC_RD_CFG_3), REG(S2M, OSTAND_CFG_RD), REG(S2M, OSTAND_CFG_WR), REG(S2M, OSTAND_CFG_WR_2),
                       REG(S2M, ERR_LOG_MASK), REG(S2M, FIFO_EN), REG(S2M, PREF_QUEUE_EN), REG(S2M, DESC_PREF_CFG_2),
                       REG(S2M, DESC_PREF_CFG_3), REG(S2M, WR_DATA_CFG_1), REG(S2M, WR_DATA_CFG_2), REG(S2M, COMP_CFG_1C),
                       REG(S2M, COMP_CFG_2C), REG(S2M, COMP_CFG_ACK)};
    const Reg gen[] = {REG(UGEN, ABORT_CTL), REG(UGEN, AXI_CFG_1), REG(UGEN, AXI_ARB_PROMOTION), REG(UGEN, AXI_ENDIAN), REG(UGEN, SPARE)};
    const Reg app[] = {REG(UAPP, EVENT_ACCEL), REG(UAPP, SET_ADDR_LO), REG(UAPP, SET_ADDR_HI), REG(UAPP, CLR_ADDR_LO),
                       REG(UAPP, CLR_ADDR_HI), REG(UAPP, ROB_CFG), REG(UAPP, WOB_CFG), REG(UAPP, BCAST_GROUP), REG(UAPP, BCAST_LAST_NODE),
                       REG(UAPP, INFLIGHT_CME), REG(UAPP, INFLIGHT_DMB), REG(UAPP, NOTIFIC_STALL), REG(UAPP, TIMESTAMP_INC), REG(UAPP, ROBERT_TXDF)};
    const Reg vm[] = {REG(UGENEX, TX_SEL), REG(UGENEX, RX_SEL_BUF1), REG(UGENEX, RX_SEL_BUF2), REG(UGENEX, RX_SEL_DDP)};
    const Reg trig[] = {REG(UAPPQ, M2S_CRC_INIT), REG(UAPPQ, M2S_SW_QUEUE), REG(UAPPQ, S2M_CRC_INIT), REG(UAPPQ, S2M_SW_QUEUE)};

    tb_case("stored registers: reset value, declared bits only");
    for (unsigned q : {0u, 7u, 15u}) {
        for (auto &r : m2sq)
            stored(d, Dut::mq(q, 0), r);
        for (auto &r : s2mq)
            stored(d, Dut::sq(q, 0), r);
        for (auto &r : vm)
            stored(d, UDMA_GEN_EX_OFF + UGENEX_VMPR_OFF + q * UGENEX_VMPR_STRIDE, r);
        for (auto &r : trig)
            stored(d, UDMA_APP_OFF + UAPPQ_FIRST + q * UAPPQ_STRIDE, r);
    }
    for (auto &r : m2s)
        stored(d, UDMA_M2S_OFF, r);
    for (auto &r : s2m)
        stored(d, UDMA_S2M_OFF, r);
    for (auto &r : gen)
        stored(d, UDMA_GEN_OFF, r);
    for (auto &r : app)
        stored(d, UDMA_APP_OFF, r);

    tb_case("every stored word has a place of its own");
    std::vector<std::pair<uint32_t, uint32_t>> words; /* address, fields */
    for (unsigned q = 0; q < UDMA_QUEUES; q++) {
        for (auto &r : m2sq)
            words.push_back({Dut::mq(q, r.off), r.fields});
        for (auto &r : s2mq)
            words.push_back({Dut::sq(q, r.off), r.fields});
        for (auto &r : vm)
            words.push_back({UDMA_GEN_EX_OFF + UGENEX_VMPR_OFF + q * UGENEX_VMPR_STRIDE + r.off, r.fields});
        for (auto &r : trig)
            words.push_back({UDMA_APP_OFF + UAPPQ_FIRST + q * UAPPQ_STRIDE + r.off, r.fields});
        words.push_back({UDMA_GEN_OFF + UGEN_AXI_QUEUE_OFF + q * UGEN_AXI_QUEUE_STRIDE, ~0u});
        words.push_back({UDMA_GEN_OFF + UGEN_AXI_QUEUE_OFF + q * UGEN_AXI_QUEUE_STRIDE + 8, ~0u});
    }
    for (auto &r : m2s)
        words.push_back({UDMA_M2S_OFF + r.off, r.fields});
    for (auto &r : s2m)
        words.push_back({UDMA_S2M_OFF + r.off, r.fields});
    for (auto &r : gen)
        words.push_back({UDMA_GEN_OFF + r.off, r.fields});
    for (auto &r : app)
        words.push_back({UDMA_APP_OFF + r.off, r.fields});
    for (unsigned i = 0; i < UGEN_AXI_ERR_TABLES; i++) {
        for (unsigned k = 0; k < 16; k++)
            words.push_back({UDMA_GEN_OFF + UGEN_AXI_ERR_DET_OFF + i * UGEN_AXI_ERR_DET_STRIDE + 4 * k, ~0u});
        words.push_back({UDMA_GEN_OFF + UGEN_AXI_ERR_CTRL_OFF + i * UGEN_AXI_ERR_CTRL_STRIDE, ~0u});
        words.push_back({UDMA_GEN_OFF + UGEN_AXI_ERR_CTRL_OFF + i * UGEN_AXI_ERR_CTRL_STRIDE + 4, ~0u});
    }
    for (unsigned i = 0; i < UGEN_MAILBOXES; i++)
        for (unsigned k = 4; k <= 8; k += 4)
            words.push_back({UDMA_GEN_OFF + UGEN_MAILBOX_OFF + i * UGEN_MAILBOX_STRIDE + k, ~0u});
    auto pattern = [](uint32_t addr) { return addr * 0x9e3779b1u ^ addr << 13; };
    for (auto &w : words)
        d.wr(w.first, pattern(w.first));
    for (auto &w : words)
        TB_EQUAL(d.rd(w.first), pattern(w.first) & w.second);

    tb_case("read-only and unmapped registers");
    Dut e(141);
    TB_EQUAL(e.rd(UDMA_GEN_OFF + UGEN_REVISION_OFF), UGEN_REVISION_RESET);
    TB_EQUAL(e.rd(Dut::m(M2S_DMA_VERSION_OFF)), 4);
    TB_EQUAL(e.rd(Dut::m(M2S_FEATURE_1_OFF)), 0x400);
    TB_EQUAL(e.rd(Dut::m(M2S_DATA_FIFO_STATUS_OFF)), M2S_DATA_FIFO_STATUS_RESET);
    TB_EQUAL(e.rd(Dut::m(M2S_HEADER_FIFO_STATUS_OFF)), M2S_HEADER_FIFO_STATUS_RESET);
    TB_EQUAL(e.rd(Dut::m(M2S_UNACK_FIFO_STATUS_OFF)), M2S_UNACK_FIFO_STATUS_RESET);
    for (unsigned q = 0; q < UDMA_QUEUES; q++)
        for (uint32_t off : {M2SQ_TDRHP_OFF, M2SQ_TDRTP_OFF, M2SQ_TDCP_OFF, M2SQ_TCRHP_OFF, M2SQ_TCRHP_INTERNAL_OFF}) {
            e.wr(Dut::mq(q, off), 5);
            TB_EQUAL(e.rd(Dut::mq(q, off)), RING_PTR_RESET);
            TB_EQUAL(e.rd(Dut::sq(q, off)), RING_PTR_RESET);
        }
    TB_EQUAL(e.rd(Dut::mq(0, M2SQ_TDRDTP_OFF)), RING_PTR_RESET);
    TB_EQUAL(e.rd(Dut::mq(3, M2SQ_COMP_CFG_OFF)), 0);
    TB_EQUAL(e.rd(Dut::sq(3, S2MQ_COMP_CFG_OFF)), 0xf);
    for (uint32_t addr : {Dut::mq(0, 0xfc), Dut::m(0x7fc), 0x11000u + 0x1000u, UDMA_S2M_OFF + 0x17ffcu, UDMA_GEN_OFF + 0x1000u,
                          UDMA_GEN_EX_OFF + 0x10u, UDMA_APP_OFF + 0xffcu, UDMA_GEN_OFF + UGEN_AXI_QUEUE_OFF + 4}) {
        e.wr(addr, 0xffffffff);
        TB_EQUAL(e.rd(addr), 0);
    }

    tb_case("what does not exist yet is refused and does not stick");
    refused(e, Dut::mq(1, M2SQ_COMP_CFG_OFF), 1);
    refused(e, Dut::sq(1, S2MQ_COMP_CFG_OFF), 0x1);
    e.wr(Dut::sq(1, S2MQ_COMP_CFG_OFF), 0);
    refused(e, Dut::sq(1, S2MQ_COMP_CFG_OFF), 0xf);
    e.wr(Dut::sq(1, S2MQ_COMP_CFG_OFF), 0xe);
    TB_EQUAL(e.rd(Dut::sq(1, S2MQ_COMP_CFG_OFF)), 0xe);
    refused(e, Dut::app(UAPPQ_FIRST + UAPPQ_STRIDE * 5 + UAPPQ_M2S_TRIGGER_OFF), UAPPQ_M2S_TRIGGER_EN_MASK);
    refused(e, Dut::app(UAPPQ_FIRST + UAPPQ_STRIDE * 5 + UAPPQ_S2M_TRIGGER_OFF), UAPPQ_S2M_TRIGGER_EN_MASK | 3);
    e.wr(Dut::app(UAPPQ_FIRST + UAPPQ_STRIDE * 5 + UAPPQ_S2M_TRIGGER_OFF), 3);
    TB_EQUAL(e.rd(Dut::app(UAPPQ_FIRST + UAPPQ_STRIDE * 5 + UAPPQ_S2M_TRIGGER_OFF)), 3);
    refused(e, Dut::m(M2S_MLA_CFG_PREFETCH_OFF), 0x10000);
    refused(e, Dut::mq(0, M2SQ_TDRDTP_INC_OFF), 1);
    refused(e, Dut::mq(0, M2SQ_Q_SW_CTRL_OFF), M2SQ_Q_SW_CTRL_RST_TAIL_MASK);
    refused(e, Dut::sq(0, S2MQ_Q_SW_CTRL_OFF), S2MQ_Q_SW_CTRL_RST_PREFETCH_MASK);
    refused(e, Dut::s(S2M_STREAM_CFG_OFF), S2M_STREAM_CFG_FLUSH_MASK);
    refused(e, UDMA_GEN_OFF + UGEN_MAILBOX_OFF, 1);
    for (uint32_t addr : {UDMA_GEN_OFF, UDMA_GEN_OFF + 0xfcu, UDMA_GEN_OFF + UGEN_SECONDARY_OFF, UDMA_GEN_OFF + UGEN_SECONDARY_OFF + 0xbcu,
                          UDMA_GEN_OFF + UGEN_AXI_IOFIC_OFF, UDMA_GEN_OFF + 0x3318u, UDMA_NOTIFIC_OFF, UDMA_NOTIFIC_OFF + 0x14u,
                          UDMA_BCAST_OFF + 0x1038u, 0xffffcu}) {
        e.apb(false, addr, 0);
        TB_CHECK(e.slave_error);
        refused(e, addr, 0);
    }

    tb_case("driver init sequence without the IOFIC part");
    Dut f(142);
    for (unsigned q = 0; q < UDMA_QUEUES; q++) {
        f.wr(0x1020 + q * 0x1000, 0x00030000);
        f.wr(0x21020 + q * 0x1000, 0x00030000);
    }
    const uint32_t init[][2] = {{0x310, 0x010008f8}, {0x124, 0x20808080}, {0x3a300, 0x05f5e100}, {0x408, 0}, {0x254, 0x010fffff},
                                {0x258, 0x102}, {0x118, 0x00010008}, {0x2038c, 0}, {0x20124, 0x00400080}, {0x20128, 0x40804080},
                                {0x3b460, 0}, {0x20380, 0x1004}, {0x304, 0x00010041}, {0x308, 0x4181}, {0x20308, 0x4181},
                                {0x11c, 0x00010008}, {0x2011c, 0x00010008}, {0x4001c, 1}, {0x40020, 1}, {0x40000, 1}, {0x40800, 0x26},
                                {0x20c, 1u << 17}, {0x2020c, 1u << 11}};
    for (auto &w : init) {
        f.wr(w[0], w[1]);
        TB_EQUAL(f.rd(w[0]), w[1]);
    }
    for (unsigned q = 0; q < UDMA_QUEUES; q++)
        for (uint32_t k = 0; k < 16; k += 4)
            f.wr(0x3c400 + q * 0x40 + k, ~0u);
    Rings r(f, 15, 64, 64);
    r.init();
    f.bus.mem.randomize(0x1000000, 64, &f.bus.seed);
    r.copy(0x1000000, 0x1100000, 64);
    r.bells(1);
    TB_CHECK(r.finish());
    TB_EQUAL(f.bus.mem.get(0x1100000 + 63), f.bus.mem.get(0x1000000 + 63));

    tb_case("spare_reg bit 0 hides the completion heads");
    f.wr(UDMA_GEN_OFF + UGEN_SPARE_OFF, 1);
    TB_EQUAL(f.rd(Dut::mq(15, M2SQ_TCRHP_OFF)), RING_PTR_RESET);
    TB_EQUAL(f.rd(Dut::sq(15, S2MQ_RCRHP_OFF)), RING_PTR_RESET);
    f.wr(UDMA_GEN_OFF + UGEN_SPARE_OFF, 0);
    TB_EQUAL(f.rd(Dut::mq(15, M2SQ_TCRHP_OFF)), RING_PTR_RESET + 1);
}
#endif
