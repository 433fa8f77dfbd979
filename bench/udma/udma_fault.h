/* Descriptor errors and bus errors (udma.md §14): reported, logged, nothing of the packet executed, queue stopped. */
#ifndef NEFFSIM_BENCH_UDMA_FAULT_H
#define NEFFSIM_BENCH_UDMA_FAULT_H

#include "udma_order.h"

struct BadPacket {
    const char *name;
    unsigned n;               /* M2S descriptors, up to 3 */
    uint32_t w0[3], w1[3];    /* without ring id */
    unsigned index, code;     /* expected report */
};

static const uint32_t FIRST = M2S_DESC_W0_FIRST_MASK, LAST = M2S_DESC_W0_LAST_MASK, MD = M2S_DESC_W0_MD_MASK,
                      CONCAT = M2S_DESC_W0_CONCAT_MASK, COPY = DMA_COPY_WORD;

static const BadPacket bad_packets[] = {
    {"no FIRST", 1, {LAST | 64}, {COPY}, 0, M2S_ERR_FIRST},
    {"FIRST inside a packet", 2, {FIRST | 64, BOTH | 64}, {COPY, COPY}, 1, M2S_ERR_FIRST},
    {"too many descriptors", 3, {FIRST | 64, 64, LAST | 64}, {COPY, COPY, COPY}, 2, M2S_ERR_MAX_DESC},
    {"too many descriptors without LAST", 3, {FIRST | 64, 64, 64}, {COPY, COPY, COPY}, 2, M2S_ERR_MAX_DESC},
    {"packet too long", 2, {FIRST | 0x800, LAST | 0x801}, {COPY, COPY}, 1, M2S_ERR_PKT_LEN},
    {"early LAST on a metadata descriptor", 1, {BOTH | MD}, {0}, 0, M2S_ERR_LAST},
    {"DRE", 1, {BOTH | 64}, {0x00900000}, 0, M2S_ERR_STREAM_RESP},
    {"CCE", 1, {BOTH | 64}, {0x020aa003}, 0, M2S_ERR_STREAM_RESP},
    {"no engine 7", 1, {BOTH | 64}, {0x03880003}, 0, M2S_ERR_STREAM_RESP},
    {"op 0", 1, {BOTH | 64}, {0}, 0, M2S_ERR_STREAM_RESP},
    {"CRC32", 1, {BOTH | 64}, {0x01180003}, 0, M2S_ERR_STREAM_RESP},
    {"copy with send_crc", 1, {BOTH | 64}, {COPY | M2S_DESC_W1_SEND_CRC_MASK}, 0, M2S_ERR_STREAM_RESP},
    {"copy with source byte swap", 1, {BOTH | 64}, {COPY | 1u << M2S_DESC_W1_SRC_SWAP_LSB}, 0, M2S_ERR_STREAM_RESP},
    {"copy with a CRC seed slot", 1, {BOTH | 64}, {COPY | 1u << M2S_DESC_W1_CRC_IV_LSB}, 0, M2S_ERR_STREAM_RESP},
    {"copy that forwards nothing", 1, {BOTH | 64}, {COPY & ~M2S_DESC_W1_COPY_SRC_MASK}, 0, M2S_ERR_STREAM_RESP},
    {"v4 notification", 1, {BOTH | 64}, {COPY | M2S_DESC_W1_NOTIFY_MASK}, 0, M2S_ERR_STREAM_RESP},
    {"second block is no copy", 2, {FIRST | 64, LAST | 64}, {COPY, 0x01100003}, 1, M2S_ERR_STREAM_RESP},
    {"metadata then CCE", 2, {FIRST | MD, LAST | 64}, {0, 0x020aa003}, 1, M2S_ERR_STREAM_RESP},
};

/* One good packet before the bad one, a good one behind it, a good one in another queue; then rst_q and again. */
static inline void bad_packet(const BadPacket &b)
{
    tb_case(b.name);
    Dut d(70);
    d.init_engine();
    d.wr(Dut::m(M2S_DESC_PREF_CFG_2_OFF), 2);
    d.wr(Dut::m(M2S_CFG_LEN_OFF), M2S_CFG_LEN_ENCODE_64K_MASK | 0x1000);
    Rings r(d, 3), other(d, 12);
    r.init();
    other.init();
    d.bus.mem.randomize(0x1000000, 0x2000, &d.bus.seed);
    r.copy(0x1000000, 0x1100000, 100);
    for (unsigned i = 0; i < b.n; i++)
        r.tx(b.w0[i], b.w1[i], 0x1001000);
    r.rx(0x1001, 0x1200000);
    r.copy(0x1000000, 0x1300000, 100);
    other.copy(0x1000000, 0x1400000, 100);
    r.bell_s(3);
    r.bell_m(b.n + 2);
    TB_CHECK(d.until(EV_DMA_ERR, 1));
    TB_CHECK(d.until(EV_DMA_CPL, 2));
    other.bells(1);
    TB_CHECK(other.finish());
    d.run(200);
    const Event &e = *d.last(EV_DMA_ERR);
    TB_EQUAL(d.count(EV_DMA_ERR), 1);
    TB_EQUAL(e.code, b.code);
    TB_EQUAL(e.index, b.index + 1);
    TB_EQUAL(e.queue, 3);
    TB_EQUAL(e.dir, 0);
    uint64_t at = r.m_base + DESC_BYTES * (b.index + 1);
    for (unsigned i = 0; i < 4; i++) {
        TB_EQUAL(e.words[i], d.bus.mem.word(at + 4 * i));
        TB_EQUAL(d.rd(Dut::m(M2S_LOG_0_OFF + 4 * i)), d.bus.mem.word(at + 4 * i));
    }
    TB_EQUAL(d.count(EV_DMA_START, 3), 1); /* the packet before it, nothing behind it */
    TB_EQUAL(d.bus.mem.get(0x1100000 + 99), d.bus.mem.get(0x1000000 + 99));
    TB_EQUAL(d.bus.mem.word(0x1200000), 0);
    TB_EQUAL(d.bus.mem.word(0x1300000), 0);
    TB_EQUAL(d.bus.mem.get(0x1400000 + 99), d.bus.mem.get(0x1000000 + 99));
    TB_EQUAL(r.ptr(false, M2SQ_TDCP_OFF), 0x40000001);
    TB_EQUAL(r.ptr(false, M2SQ_TCRHP_OFF), 0x40000001);
    TB_EQUAL(d.rd(Dut::mq(3, M2SQ_STATUS_OFF)) & M2SQ_STATUS_PREFETCH_MASK, 0);
    TB_EQUAL(d.rd(Dut::m(M2S_STATE_OFF)), 0);
    r.init();
    r.copy(0x1000000, 0x1500000, 200);
    r.bells(1);
    TB_CHECK(r.finish());
    TB_EQUAL(d.bus.mem.get(0x1500000 + 199), d.bus.mem.get(0x1000000 + 199));
}

static inline void ring_id_errors()
{
    for (unsigned side = 0; side < 2; side++)
        for (unsigned masked = 0; masked < 2; masked++) {
            tb_case(side ? masked ? "S2M ring id masked" : "S2M ring id" : masked ? "M2S ring id masked" : "M2S ring id");
            Dut d(80);
            d.init_engine();
            if (masked)
                d.wr(side ? Dut::s(S2M_ERR_LOG_MASK_OFF) : Dut::m(M2S_ERR_LOG_MASK_OFF),
                     1u << (side ? S2M_ERR_RING_ID : M2S_ERR_RING_ID));
            Rings r(d, 0);
            r.init();
            d.bus.mem.randomize(0x1000000, 64, &d.bus.seed);
            r.copy(0x1000000, 0x1100000, 64);
            uint64_t at = side ? r.s_base : r.m_base;
            d.bus.mem.set_word(at, d.bus.mem.word(at) ^ M2S_DESC_W0_RING_ID_MASK);
            r.bells(1);
            d.run(300);
            TB_EQUAL(d.count(EV_DMA_ERR), !masked);
            TB_EQUAL(d.count(EV_DMA_CPL), masked ? 2 : 0);
            TB_EQUAL(d.bus.mem.get(0x1100000), masked ? d.bus.mem.get(0x1000000) : 0);
            TB_EQUAL(d.rd(side ? Dut::s(S2M_LOG_0_OFF) : Dut::m(M2S_LOG_0_OFF)), masked ? 0 : d.bus.mem.word(at));
            TB_EQUAL(r.ptr(side, M2SQ_TDRHP_OFF), 0x40000001);
            if (masked)
                continue;
            TB_EQUAL(d.last(EV_DMA_ERR)->code, side ? S2M_ERR_RING_ID : M2S_ERR_RING_ID);
            TB_EQUAL(d.last(EV_DMA_ERR)->dir, side);
            r.init();
            r.copy(0x1000000, 0x1200000, 64);
            r.bells(1);
            TB_CHECK(r.finish());
            TB_EQUAL(d.bus.mem.get(0x1200000), d.bus.mem.get(0x1000000));
        }

    tb_case("packet with a stale descriptor in the middle: nothing of it is executed");
    Dut d(81);
    d.init_engine();
    Rings r(d, 0);
    r.init();
    r.rx(192, 0x1100000);
    r.tx(FIRST | 64, COPY, 0x1000000);
    r.tx(64, COPY, 0x1000000);
    r.tx(LAST | 64, COPY, 0x1000000);
    d.bus.mem.set_word(r.m_base + 16, 64); /* ring id 0 */
    r.bell_s(1);
    r.bell_m(3);
    d.run(300);
    TB_EQUAL(d.last(EV_DMA_ERR)->code, M2S_ERR_RING_ID);
    TB_EQUAL(d.count(EV_DMA_START) + d.count(EV_DMA_RD), 0);
}

static inline void s2m_errors()
{
    const uint32_t flags[] = {S2M_DESC_W0_DUAL_BUF_MASK, S2M_DESC_W0_META_MASK};
    for (uint32_t flag : flags) {
        tb_case("S2M descriptor of an unsupported kind");
        Dut d(82);
        d.init_engine();
        Rings r(d, 1), other(d, 2);
        r.init();
        other.init();
        d.bus.mem.randomize(0x1000000, 256, &d.bus.seed);
        r.rx(64, 0x1100000);
        r.rx(64 | flag, 0x1200000);
        r.tx(BOTH | 128, COPY, 0x1000000); /* its second buffer is the faulty one */
        r.bell_s(2);
        r.bell_m(1);
        other.copy(0x1000000, 0x1300000, 64);
        TB_CHECK(d.until(EV_DMA_ERR, 1));
        TB_EQUAL(d.last(EV_DMA_ERR)->code, S2M_ERR_UNSUP);
        TB_EQUAL(d.last(EV_DMA_ERR)->index, 1);
        TB_EQUAL(d.rd(Dut::s(S2M_LOG_0_OFF)), d.bus.mem.word(r.s_base + 16));
        other.bells(1); /* the stream is not held by the packet that can never end */
        TB_CHECK(other.finish());
        TB_EQUAL(d.bus.mem.get(0x1300000), d.bus.mem.get(0x1000000));
        TB_EQUAL(d.count(EV_DMA_CPL, 1), 0);
        TB_EQUAL(d.bus.mem.word(0x1200000), 0);
        r.init();
        r.copy(0x1000000, 0x1400000, 64);
        r.bells(1);
        TB_CHECK(r.finish());
    }

    tb_case("completion ring enabled (its reset value): the queue refuses to run");
    Dut d(83);
    d.init_engine();
    Rings r(d, 1);
    r.init();
    Dut::sq(1, 0);
    Rings fresh(d, 2);
    d.wr(Dut::sq(2, S2MQ_RDRBP_LOW_OFF), (uint32_t)fresh.s_base);
    d.wr(Dut::sq(2, S2MQ_RDRL_OFF), 32);
    d.wr(Dut::sq(2, S2MQ_CFG_OFF), DMA_Q_CFG_ON);
    TB_EQUAL(d.rd(Dut::sq(2, S2MQ_COMP_CFG_OFF)), S2MQ_COMP_CFG_RESET);
    fresh.rx(64, 0x1100000);
    fresh.bell_s(1);
    d.run(100);
    TB_EQUAL(d.count(EV_DMA_ERR), 1);
    TB_EQUAL(d.last(EV_DMA_ERR)->code, S2M_ERR_UNSUP);
    TB_EQUAL(d.last(EV_DMA_ERR)->queue, 2);
    TB_EQUAL(d.bus.fetches.size(), 0);
    TB_EQUAL(d.rd(Dut::sq(2, S2MQ_STATUS_OFF)) & S2MQ_STATUS_PREFETCH_MASK, 0);

    tb_case("log: first error stays until cleared, masked errors are not logged");
    Rings a(d, 4), b(d, 5), c(d, 6);
    for (Rings *q : {&a, &b, &c})
        q->init();
    d.wr(Dut::m(M2S_ERR_LOG_MASK_OFF), 1u << M2S_ERR_FIRST);
    a.rx(64, 0x1100000);
    a.tx(LAST | 61, COPY, 0);
    a.bells(1);
    TB_CHECK(d.until(EV_DMA_ERR, 2));
    d.tick();
    TB_EQUAL(d.rd(Dut::m(M2S_LOG_0_OFF)), 0);
    b.rx(64, 0x1100000);
    b.tx(BOTH | 62, 0, 0x55);
    b.bells(1);
    TB_CHECK(d.until(EV_DMA_ERR, 3));
    c.rx(64, 0x1100000);
    c.tx(BOTH | 63, 0, 0);
    c.bells(1);
    TB_CHECK(d.until(EV_DMA_ERR, 4));
    d.tick();
    TB_EQUAL(d.rd(Dut::m(M2S_LOG_0_OFF)), BOTH | 1u << 24 | 62);
    TB_EQUAL(d.rd(Dut::m(M2S_LOG_2_OFF)), 0x55);
    d.wr(Dut::m(M2S_CLEAR_ERR_LOG_OFF), 1);
    TB_EQUAL(d.rd(Dut::m(M2S_LOG_0_OFF)), 0);
    c.init();
    c.rx(64, 0x1100000);
    c.tx(BOTH | 60, 0, 0);
    c.bells(1);
    TB_CHECK(d.until(EV_DMA_ERR, 5));
    d.tick();
    TB_EQUAL(d.rd(Dut::m(M2S_LOG_0_OFF)), BOTH | 1u << 24 | 60);
}

/* clear_err_log in every clock around an error: one of the same clock or later is kept. */
static inline void clear_races_error()
{
    tb_case("log: an error in the clock of clear_err_log is the first of the new time");
    bool same = false;
    for (unsigned delay = 0; delay < 60; delay++) {
        Dut d(71);
        d.init_engine();
        Rings r(d, 2);
        r.init();
        r.rx(64, 0x1100000);
        r.tx(LAST | 61, COPY, 0);
        uint64_t before = d.cycle;
        r.bell_s(1);
        uint64_t access = d.last(EV_DMA_BELL)->cycle - before; /* clocks from a call to the clock of its access */
        r.bell_m(1);
        d.run(delay);
        before = d.cycle;
        d.wr(Dut::m(M2S_CLEAR_ERR_LOG_OFF), 1);
        TB_CHECK(d.until(EV_DMA_ERR, 1));
        d.tick();
        uint64_t error = d.last(EV_DMA_ERR)->cycle;
        same = same || error == before + access;
        TB_EQUAL(d.rd(Dut::m(M2S_LOG_0_OFF)) != 0, error >= before + access);
    }
    TB_CHECK(same);
}

static inline void descriptor_errors()
{
    clear_races_error();
    for (auto &b : bad_packets)
        bad_packet(b);
    ring_id_errors();
    s2m_errors();
}

static inline void bus_errors()
{
    enum { READ, WRITE, M_FETCH, S_FETCH };
    const char *name[] = {"data read error", "data write error", "M2S prefetch error", "S2M prefetch error"};
    const unsigned code[] = {M2S_ERR_DATA_RESP, S2M_ERR_DATA_RESP, M2S_ERR_PREF_RESP, S2M_ERR_PREF_RESP};
    for (unsigned v = 0; v < 4; v++)
        for (unsigned seed = 0; seed < 6; seed++) {
            tb_case(name[v]);
            Dut d(90 + seed);
            d.bus.stall = seed * 10;
            d.bus.latency_max = 4 + 10 * seed;
            d.init_engine();
            Rings r(d, 3), other(d, 4);
            r.init();
            other.init();
            d.bus.mem.randomize(0x1000000, 0x4000, &d.bus.seed);
            /* three packets, the second fails in its third burst; the other queue has work all the time */
            for (unsigned i = 0; i < 3; i++)
                r.copy(0x1000000 + 0x1000 * i, 0x1100000 + 0x1000 * i, 0x400);
            for (unsigned i = 0; i < 8; i++)
                other.copy(0x1000000, 0x1200000 + 0x400 * i, 0x400);
            if (v == READ)
                d.bus.bad_read.push_back({0x1001210, 0x1001210});
            else if (v == WRITE)
                d.bus.bad_write.push_back({0x1101210, 0x1101210});
            else
                d.bus.bad_read.push_back({(v == M_FETCH ? r.m_base : r.s_base) + 16, (v == M_FETCH ? r.m_base : r.s_base) + 31});
            other.bells(8);
            r.bells(3);
            TB_CHECK(d.until(EV_DMA_ERR, 1));
            TB_CHECK(other.finish());
            d.run(800);
            const Event &e = *d.last(EV_DMA_ERR);
            TB_EQUAL(d.count(EV_DMA_ERR), 1);
            TB_EQUAL(e.code, code[v]);
            TB_EQUAL(e.dir, v == WRITE || v == S_FETCH);
            TB_EQUAL(e.queue, 3);
            bool fetch = v == M_FETCH || v == S_FETCH;
            unsigned broken = fetch ? MEM_W > 128 ? 0 : 1 : 1; /* a wide beat holds several descriptors */
            TB_EQUAL(e.index, broken);
            TB_EQUAL(e.words[0], fetch ? 0 : d.bus.mem.word((v == READ ? r.m_base : r.s_base) + 16));
            TB_EQUAL(d.count(EV_DMA_CPL, 3), 2 * broken); /* the first packet is complete, the others never are */
            TB_EQUAL(r.ptr(false, M2SQ_TCRHP_OFF), RING_PTR_RESET + broken);
            if (v != WRITE) /* its bursts may be on the bus before the error comes back */
                TB_EQUAL(d.bus.mem.word(0x1102000), 0);
            for (unsigned i = 0x200; v == READ && i < 0x300; i++) /* nothing of a burst with a bad beat is written */
                TB_EQUAL(d.bus.mem.get(0x1101000 + i), 0);
            for (unsigned i = 0; i < 0x2000; i++)
                if (d.bus.mem.get(0x1200000 + i) != d.bus.mem.get(0x1000000 + i % 0x400))
                    TB_EQUAL(d.bus.mem.get(0x1200000 + i), d.bus.mem.get(0x1000000 + i % 0x400));
            TB_EQUAL(d.rd(Dut::m(M2S_STATE_OFF)) | d.rd(Dut::s(S2M_STATE_OFF)), 0);
            d.bus.bad_read.clear();
            d.bus.bad_write.clear();
            r.init();
            r.copy(0x1003000, 0x1300000, 0x400);
            r.bells(1);
            TB_CHECK(r.finish());
            TB_EQUAL(d.bus.mem.get(0x13003ff), d.bus.mem.get(0x10033ff));
        }
}
#endif
