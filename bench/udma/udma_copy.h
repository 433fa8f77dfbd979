/* Worked examples and plain copies (udma.md §18, slice-walkthrough.md §12). */
#ifndef NEFFSIM_BENCH_UDMA_COPY_H
#define NEFFSIM_BENCH_UDMA_COPY_H

#include "udma_dut.h"

static const uint32_t BOTH = M2S_DESC_W0_FIRST_MASK | M2S_DESC_W0_LAST_MASK;
static const uint64_t INC_10 = UINT64_C(0x2802701828); /* INC alias of semaphore 10 of TPB_0 */

static inline void doorbells()
{
    tb_case("doorbell");
    Dut d;
    d.init_engine();
    Rings r(d, 3);
    r.init();
    d.wr(Dut::sq(3, S2MQ_CFG_OFF), DMA_Q_CFG_OFF); /* nothing moves */
    d.wr(Dut::mq(3, M2SQ_CFG_OFF), DMA_Q_CFG_OFF);
    r.bell_s(0);
    TB_EQUAL(r.ptr(true, M2SQ_TDRTP_OFF), RING_PTR_RESET);
    TB_EQUAL(d.count(EV_DMA_BELL), 0);
    r.bell_s(20);
    TB_EQUAL(r.ptr(true, M2SQ_TDRTP_OFF), RING_PTR_RESET + 20);
    r.bell_s(13); /* 33 > 32 */
    TB_EQUAL(r.ptr(true, M2SQ_TDRTP_OFF), RING_PTR_RESET + 20);
    TB_EQUAL(d.last(EV_DMA_BELL)->code, 1);
    TB_EQUAL(d.last(EV_DMA_BELL)->data, RING_PTR_RESET + 20);
    r.bell_s(0xab00000c); /* bits 31:24 are ignored; full and wrapped */
    TB_EQUAL(r.ptr(true, M2SQ_TDRTP_OFF), 0x80000000);
    TB_EQUAL(d.last(EV_DMA_BELL)->code, 0);
    TB_EQUAL(d.last(EV_DMA_BELL)->value, 12);
    TB_EQUAL(d.last(EV_DMA_BELL)->dir, 1);
    TB_EQUAL(d.last(EV_DMA_BELL)->data, 0x80000000);
    uint32_t status = d.rd(Dut::sq(3, S2MQ_STATUS_OFF));
    TB_EQUAL(status & S2MQ_STATUS_Q_USED_MASK, 32);
    TB_CHECK(status & S2MQ_STATUS_Q_FULL_MASK);
    r.bell_s(1);
    TB_EQUAL(r.ptr(true, M2SQ_TDRTP_OFF), 0x80000000);
    TB_EQUAL(d.rd(Dut::mq(3, M2SQ_TDRTP_INC_OFF)), 0);
    TB_EQUAL(r.ptr(false, M2SQ_TDRTP_OFF), RING_PTR_RESET);

    tb_case("doorbell of a queue without a ring is refused");
    d.wr(Dut::mq(5, M2SQ_TDRTP_INC_OFF), 1);
    TB_EQUAL(d.rd(Dut::mq(5, M2SQ_TDRTP_OFF)), RING_PTR_RESET);
    TB_EQUAL(d.last(EV_DMA_BELL)->code, 1);
}

static inline void example_a()
{
    tb_case("example A");
    Dut d;
    d.init_engine();
    Rings r(d, 0);
    r.init();
    uint64_t src = UINT64_C(0x2000000000), dst = UINT64_C(0x100004000), host = UINT64_C(0x400012345000);
    d.bus.mem.randomize(src, 4096, &d.bus.seed);
    d.bus.mem.set_word(host, DMA_MARKER);
    r.raw(r.s_base, 0, 0x01001000, 0, dst);
    r.raw(r.m_base, 0, 0x0d001000, 0x05080003, src);
    r.raw(r.s_base, 1, 0x01000004, 0, host + 4);
    r.raw(r.m_base, 1, 0x0d000004, 0x01080003, host);
    const uint8_t first[16] = {0x00, 0x10, 0x00, 0x0d, 0x03, 0x00, 0x08, 0x05, 0, 0, 0, 0, 0x20, 0, 0, 0};
    for (unsigned i = 0; i < 16; i++)
        TB_EQUAL(d.bus.mem.get(r.m_base + i), first[i]);
    Memory want = d.bus.mem;
    for (unsigned i = 0; i < 4096; i++)
        want.set(dst + i, want.get(src + i));
    want.set_word(host + 4, DMA_MARKER);
    TB_EQUAL(Dut::mq(0, M2SQ_TDRTP_INC_OFF), 0x1038);
    TB_EQUAL(Dut::sq(0, S2MQ_RDRTP_INC_OFF), 0x21038);
    r.bells(2);
    unsigned polls = 0;
    while (d.bus.mem.word(host + 4) != DMA_MARKER && polls++ < 5000)
        d.tick();
    TB_EQUAL(d.bus.mem.word(host + 4), DMA_MARKER);
    TB_CHECK(r.finish());
    TB_EQUAL(d.bus.mem.first_difference(want), ~UINT64_C(0));
    r.expect_pointers(0x40000002, 0x40000002);
    TB_EQUAL(d.rd(Dut::mq(0, M2SQ_Q_TX_PKT_OFF)), 2);
    TB_EQUAL(d.rd(Dut::sq(0, S2MQ_Q_RX_PKT_OFF)), 2);
    TB_EQUAL(d.rd(Dut::mq(0, M2SQ_STATUS_OFF)) & M2SQ_STATUS_Q_USED_MASK, 0);
    TB_EQUAL(d.rd(Dut::m(M2S_STAT_TX_BYTES_LO_OFF)), 4100);
    TB_EQUAL(d.rd(Dut::s(S2M_STAT_RX_BYTES_LO_OFF)), 4100);
    TB_EQUAL(d.rd(Dut::m(M2S_STAT_COMP_DESC_OFF)), 2);
    TB_EQUAL(d.rd(Dut::m(M2S_STATE_OFF)), 0);
    TB_EQUAL(d.rd(Dut::s(S2M_STATE_OFF)), 0);
    TB_EQUAL(d.count(EV_DMA_DESC), 4);
    TB_EQUAL(d.count(EV_DMA_START), 2);
    TB_EQUAL(d.count(EV_DMA_CPL, 0, 0), 2);
    TB_EQUAL(d.count(EV_DMA_CPL, 0, 1), 2);
    TB_EQUAL(d.last(EV_DMA_CPL)->data, 0x40000002);
    TB_EQUAL(d.count(EV_DMA_WR), d.count(EV_DMA_WRESP));
}

static inline void example_b()
{
    for (unsigned scatter = 0; scatter < 2; scatter++) {
        tb_case(scatter ? "example B scatter" : "example B");
        Dut d(2 + scatter);
        d.init_engine();
        Rings r(d, 7);
        r.init();
        const uint64_t src[3] = {0x1000000, 0x1010003, 0x1020041}, dst = 0x2000011, dst2 = 0x2100000;
        const unsigned len[3] = {0x1000, 0x800, 0x400};
        const uint32_t w0[3] = {0x05001000, 0x81000800, 0x89000400}, w1[3] = {0x01080003, 0, 0};
        d.bus.mem.randomize(dst - 64, 0x1c00 + 128, &d.bus.seed);
        d.bus.mem.randomize(dst2 - 64, 0x0c00 + 128, &d.bus.seed);
        for (unsigned i = 0; i < 3; i++) {
            d.bus.mem.randomize(src[i], len[i], &d.bus.seed);
            r.raw(r.m_base, i, w0[i], w1[i], src[i]);
        }
        r.raw(r.s_base, 0, scatter ? 0x01001000 : 0x01001c00, 0, dst);
        r.raw(r.s_base, 1, 0x01000c00, 0, dst2);
        Memory want = d.bus.mem;
        unsigned at = 0;
        for (unsigned i = 0; i < 3; i++)
            for (unsigned k = 0; k < len[i]; k++, at++)
                want.set(scatter && at >= 0x1000 ? dst2 + at - 0x1000 : dst + at, want.get(src[i] + k));
        r.bell_s(1 + scatter);
        r.bell_m(3);
        TB_CHECK(r.finish());
        TB_EQUAL(d.bus.mem.first_difference(want), ~UINT64_C(0));
        r.expect_pointers(0x40000003, 0x40000001 + scatter);
        TB_EQUAL(d.count(EV_DMA_START), 1);
        TB_EQUAL(d.last(EV_DMA_CPL)->value, 3); /* M2S is reported second */
    }
}

static inline void example_c()
{
    for (unsigned stale = 0; stale < 2; stale++) {
        tb_case(stale ? "example C stale id" : "example C");
        Dut d(5);
        d.init_engine();
        Rings r(d, 1);
        r.init();
        for (unsigned i = 0; i < 30; i++)
            r.copy(0x1000000 + 64 * i, 0x1100000 + 64 * i, 4);
        r.bells(30);
        TB_CHECK(r.finish());
        r.expect_pointers(0x4000001e, 0x4000001e);
        d.bus.mem.randomize(0x1200000, 0x800, &d.bus.seed);
        for (unsigned i = 0; i < 4; i++)
            r.copy(0x1200000 + 512 * i, 0x1300000 + 512 * i, 512);
        TB_EQUAL(d.bus.mem.word(r.m_base + 30 * 16), 0x0d000200);
        TB_EQUAL(d.bus.mem.word(r.s_base + 31 * 16), 0x01000200);
        TB_EQUAL(d.bus.mem.word(r.m_base), 0x0e000200);
        TB_EQUAL(d.bus.mem.word(r.s_base + 16), 0x02000200);
        if (stale)
            d.bus.mem.set_word(r.m_base, 0x0d000200);
        d.bus.fetches.clear();
        r.bells(4);
        TB_EQUAL(r.ptr(false, M2SQ_TDRTP_OFF), 0x80000002);
        if (!stale) {
            TB_CHECK(r.finish());
            r.expect_pointers(0x80000002, 0x80000002);
            TB_EQUAL(d.bus.fetches.size(), 4);
            for (auto &f : d.bus.fetches)
                TB_CHECK((f.addr & 0x7f) == 0 ? f.addr == r.m_base || f.addr == r.s_base
                                              : f.addr == r.m_base + 480 || f.addr == r.s_base + 480);
            for (unsigned i = 0; i < 2048; i++)
                TB_EQUAL(d.bus.mem.get(0x1300000 + i), d.bus.mem.get(0x1200000 + i));
            continue;
        }
        TB_CHECK(d.until(EV_DMA_ERR, 1));
        TB_CHECK(d.until(EV_DMA_CPL, 2 * 32));
        d.run(300);
        TB_EQUAL(d.last(EV_DMA_ERR)->code, M2S_ERR_RING_ID);
        TB_EQUAL(d.last(EV_DMA_ERR)->index, 0);
        TB_EQUAL(d.rd(Dut::m(M2S_LOG_0_OFF)), 0x0d000200);
        TB_EQUAL(d.bus.mem.word(0x1300000 + 1024), 0);
        TB_EQUAL(r.ptr(false, M2SQ_TCRHP_OFF), 0x80000000); /* the two before it are done */
    }
}

static inline void example_e()
{
    tb_case("example E");
    Dut d;
    d.init_engine();
    Rings r(d, 0);
    r.init();
    r.raw(r.m_base, 0, 0x0d000004, 0x01080003, UINT64_C(0x9000000004));
    r.raw(r.s_base, 0, 0x01000004, 0, INC_10);
    r.raw(r.m_base, 1, 0x0d000004, 0x01080003, UINT64_C(0x9000000000));
    r.raw(r.s_base, 1, 0x21000004, 0, INC_10 + 0x400);
    d.bus.mem.set_word(INC_10 + 0x400, 77);
    r.bells(2);
    TB_CHECK(r.finish());
    TB_EQUAL(d.bus.mem.word(INC_10), 1);
    TB_EQUAL(d.bus.mem.word(INC_10 + 0x400), 0);
    TB_EQUAL(d.rd(Dut::app(UAPP_NUM_SET_OFF)), 1);
    TB_EQUAL(d.rd(Dut::app(UAPP_NUM_CLR_OFF)), 1);
    TB_EQUAL(d.count(EV_DMA_CONST), 2);
    TB_EQUAL(d.count(EV_DMA_RD), 0);
    TB_EQUAL(d.bus.read_beats, 0);

    tb_case("event accelerator off: the read goes out and fails");
    d.wr(Dut::app(UAPP_EVENT_ACCEL_OFF), 0);
    d.bus.bad_read.push_back({UINT64_C(0x9000000000), UINT64_C(0x9000000007)});
    r.m_next = r.s_next = 2;
    r.copy(UINT64_C(0x9000000004), INC_10, 4);
    r.bells(1);
    TB_CHECK(d.until(EV_DMA_ERR, 1));
    d.run(200);
    TB_EQUAL(d.last(EV_DMA_ERR)->code, M2S_ERR_DATA_RESP);
    TB_EQUAL(d.rd(Dut::m(M2S_LOG_0_OFF)), 0x0d000004);
    TB_EQUAL(d.rd(Dut::app(UAPP_NUM_SET_OFF)), 1);
    TB_EQUAL(r.ptr(false, M2SQ_TCRHP_OFF), 0x40000002);
}

static inline void examples()
{
    example_a();
    example_b();
    example_c();
    example_e();
}

/* slice-walkthrough.md §12 with its variants. */
static inline void plain_copies()
{
    enum { PLAIN, M2S_FIRST, SPLIT_BELLS, SPLIT_S2M, STALE, VARIANTS };
    const char *name[] = {"copy", "copy, M2S bell first", "copy, split bells", "copy, S2M split", "copy, stale ring id"};
    for (unsigned v = 0; v < VARIANTS; v++)
        for (unsigned stall = 0; stall <= 60; stall += 30) {
            tb_case(name[v]);
            Dut d(10 + v + stall);
            d.bus.stall = stall;
            d.bus.latency_max = stall ? 40 : 4;
            d.init_engine();
            Rings r(d, 0);
            r.init();
            const uint64_t src = 0x1000000, dst = 0x1010000, mark = UINT64_C(0x400000020000);
            d.bus.mem.randomize(src, 4096, &d.bus.seed);
            d.bus.mem.randomize(dst - 64, 4096 + 128, &d.bus.seed);
            d.bus.mem.set_word(mark, DMA_MARKER);
            d.bus.mem.set_word(mark + 4, 0);
            unsigned s = 0;
            r.raw(r.m_base, 0, v == STALE ? 0x0e001000 : 0x0d001000, 0x05080003, src);
            r.raw(r.m_base, 1, 0x0d000004, 0x01080003, mark);
            if (v == SPLIT_S2M) {
                r.raw(r.s_base, s++, 0x01000800, 0, dst);
                r.raw(r.s_base, s++, 0x01000800, 0, dst + 0x800);
            } else {
                r.raw(r.s_base, s++, 0x01001000, 0, dst);
            }
            r.raw(r.s_base, s++, 0x01000004, 0, mark + 4);
            Memory want = d.bus.mem;
            if (v == M2S_FIRST) {
                r.bell_m(2);
                d.run(300);
                TB_EQUAL(d.count(EV_DMA_START), 0);
                r.bell_s(s);
            } else if (v == SPLIT_BELLS) {
                r.bells(1);
                d.run(150);
                r.bells(1);
            } else {
                r.bells(s == 2 ? 2 : 0);
                if (s == 3) {
                    r.bell_s(3);
                    r.bell_m(2);
                }
            }
            if (v == STALE) {
                TB_CHECK(d.until(EV_DMA_ERR, 1));
                d.run(500);
                TB_EQUAL(d.last(EV_DMA_ERR)->code, M2S_ERR_RING_ID);
                TB_EQUAL(d.rd(Dut::m(M2S_LOG_0_OFF)), 0x0e001000);
                TB_EQUAL(d.bus.mem.first_difference(want), ~UINT64_C(0));
                TB_EQUAL(d.count(EV_DMA_WR), 0);
                TB_EQUAL(d.rd(Dut::mq(0, M2SQ_STATUS_OFF)) & M2SQ_STATUS_PREFETCH_MASK, 0);
                continue;
            }
            for (unsigned i = 0; i < 4096; i++)
                want.set(dst + i, want.get(src + i));
            want.set_word(mark + 4, DMA_MARKER);
            TB_CHECK(r.finish());
            TB_EQUAL(d.bus.mem.first_difference(want), ~UINT64_C(0));
            r.expect_pointers(0x40000002, 0x40000000 + s);
        }
}

/* Lengths 1, 63, 64, 65 at every source and destination offset 0..63, with guard bytes everywhere around. */
static inline void alignment_sweep()
{
    tb_case("length x source offset x destination offset");
    Dut d(20);
    d.init_engine();
    Rings r(d, 0, 64, 64);
    r.init();
    d.bus.mem.randomize(0x1000000, 0x4000, &d.bus.seed);
    d.bus.mem.randomize(0x1100000, 0x8000, &d.bus.seed);
    const unsigned lengths[] = {1, 63, 64, 65};
    Memory want = d.bus.mem;
    for (unsigned length : lengths)
        for (unsigned from = 0; from < 64; from++) {
            d.bus.stall = from % 4 == 3 ? 40 : 0;
            for (unsigned to = 0; to < 64; to++) {
                uint64_t a = 0x1000000 + 0x100 * to + from, b = 0x1100000 + 0x200 * to + to;
                r.copy(a, b, length);
                for (unsigned i = 0; i < length; i++)
                    want.set(b + i, want.get(a + i));
            }
            for (unsigned i = 0; i < 64 * DESC_BYTES; i++) {
                want.set(r.m_base + i, d.bus.mem.get(r.m_base + i));
                want.set(r.s_base + i, d.bus.mem.get(r.s_base + i));
            }
            r.bells(64);
            TB_CHECK(r.finish());
            TB_EQUAL(d.bus.mem.first_difference(want), ~UINT64_C(0));
            /* other data for the next round, so that a copy that does nothing shows */
            d.bus.mem.randomize(0x1000000, 0x4000, &d.bus.seed);
            for (unsigned i = 0; i < 0x4000; i++)
                want.set(0x1000000 + i, d.bus.mem.get(0x1000000 + i));
        }
}

/* Many laps of the smallest rings of different size: ids 1, 2, 3, 0, 1 on both sides. */
static inline void ring_laps()
{
    tb_case("ring wrap through all ids");
    Dut d(30);
    d.init_engine();
    Rings r(d, 15, 32, 48);
    r.init();
    unsigned ids = 0;
    for (unsigned round = 0; round < 40; round++) {
        d.bus.stall = round % 3 * 20;
        d.bus.mem.randomize(0x1000000, 0x2000, &d.bus.seed);
        unsigned n = 1 + tb_random(&d.bus.seed) % 16;
        for (unsigned i = 0; i < n; i++) {
            ids |= 1u << r.m_id | 16u << r.s_id;
            r.copy(0x1000000 + 0x200 * i, 0x1100000 + 0x200 * i, 0x181);
        }
        r.bells(n);
        TB_CHECK(r.finish());
        for (unsigned i = 0; i < n; i++)
            for (unsigned k = 0; k < 0x181; k++)
                if (d.bus.mem.get(0x1100000 + 0x200 * i + k) != d.bus.mem.get(0x1000000 + 0x200 * i + k))
                    TB_EQUAL(d.bus.mem.get(0x1100000 + 0x200 * i + k), d.bus.mem.get(0x1000000 + 0x200 * i + k));
        r.expect_pointers(r.m_id << 30 | r.m_next, r.s_id << 30 | r.s_next);
    }
    TB_EQUAL(ids, 0xff);
    TB_EQUAL(d.count(EV_DMA_ERR), 0);
}
#endif
