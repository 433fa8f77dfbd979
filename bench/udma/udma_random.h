/* Packets of every shape over several queues at once, against a byte model (udma.md §5). */
#ifndef NEFFSIM_BENCH_UDMA_RANDOM_H
#define NEFFSIM_BENCH_UDMA_RANDOM_H

#include "udma_order.h"

static const uint64_t SOURCE = 0x4000000, SOURCE_BYTES = 0x30000, TARGET = 0x8000000;

class RandomPackets {
  public:
    RandomPackets(uint64_t seed_, unsigned stall, unsigned latency) : seed(seed_ * 977 + 3), d(seed_)
    {
        d.bus.stall = stall;
        d.bus.latency_max = latency;
        d.init_engine();
        const unsigned used[] = {0, 1, 5, 9, 14, 15};
        for (unsigned q : used) {
            rings.emplace_back(d, q, 32 + 16 * (unsigned)below(4), 32 + 16 * (unsigned)below(4));
            rings.back().init();
        }
        d.bus.mem.randomize(SOURCE, SOURCE_BYTES, &seed);
        want = d.bus.mem;
    }

    void round()
    {
        std::vector<std::pair<unsigned, unsigned>> added;
        for (auto &r : rings) {
            unsigned m = 0, s = 0;
            while (m < 20 && s < 20 && below(5) != 0)
                packet(r, m, s);
            added.push_back({m, s});
        }
        for (size_t i = 0; i < rings.size(); i++) /* any order and split of the bells */
            ring_bells(rings[i], added[i].first, added[i].second);
        for (auto &r : rings)
            TB_CHECK(r.finish());
        for (auto &r : rings)
            mirror(r);
        TB_EQUAL(d.bus.mem.first_difference(want), ~UINT64_C(0));
    }

    unsigned packets = 0;

    void verify()
    {
        OrderChecker c;
        c.check(d.events);
        TB_EQUAL(d.count(EV_DMA_ERR), 0);
        TB_EQUAL(d.count(EV_DMA_START), packets);
    }

  private:
    uint64_t seed;
    Dut d;
    std::vector<Rings> rings;
    Memory want;
    uint64_t target = TARGET;

    uint64_t below(uint64_t n) { return (tb_random(&seed) >> 16) % n; }

    uint32_t length()
    {
        switch (below(12)) {
        case 0:
            return 1 + (uint32_t)below(4);
        case 1:
            return 0x8000 + (uint32_t)below(0x8001); /* up to 64 KiB */
        case 2:
        case 3:
            return 256 * (1 + (uint32_t)below(8));
        default:
            return 1 + (uint32_t)below(900);
        }
    }

    void packet(Rings &r, unsigned &m, unsigned &s)
    {
        unsigned n = 1 + (unsigned)below(below(3) ? 3 : 8);
        std::vector<uint8_t> bytes;
        bool md = below(6) == 0;
        if (md) {
            r.tx(M2S_DESC_W0_MD_MASK | M2S_DESC_W0_FIRST_MASK, (uint32_t)below(1u << 30), below(UINT64_C(1) << 60));
            m++;
        }
        for (unsigned i = 0; i < n; i++, m++) {
            uint32_t len = length();
            uint64_t from = SOURCE + below(SOURCE_BYTES - len);
            bool concat = i > 0 && below(2);
            uint32_t w0 = (len & 0xffff) | (i == 0 && !md ? M2S_DESC_W0_FIRST_MASK : 0) | (i + 1 == n ? M2S_DESC_W0_LAST_MASK : 0);
            if (concat)
                w0 |= M2S_DESC_W0_CONCAT_MASK;
            if (i == 0 && !md && below(8) == 0)
                w0 |= M2S_DESC_W0_DMB_MASK;
            uint32_t w1 = concat ? 0 : below(5) ? DMA_COPY_WORD : DMA_COPY_WB_WORD;
            r.tx(w0, w1, from);
            for (uint32_t k = 0; k < len; k++)
                bytes.push_back(want.get(from + k));
        }
        size_t at = 0;
        while (at < bytes.size()) {
            size_t left = bytes.size() - at, room = below(3) ? left : 1 + below(left);
            if (room > DESC_LENGTH_MAX || s % 20 == 19)
                room = left < DESC_LENGTH_MAX ? left : DESC_LENGTH_MAX;
            size_t fill = room < left ? room : left;
            if (fill == left && room < DESC_LENGTH_MAX && below(4) == 0)
                room += 1 + below(100) % (DESC_LENGTH_MAX - room); /* closed partly filled */
            target += below(4) ? below(80) : 0;
            r.rx((room & 0xffff) | (below(7) == 0 ? S2M_DESC_W0_SOW_MASK : 0), target);
            s++;
            for (size_t k = 0; k < fill; k++)
                want.set(target + k, bytes[at + k]);
            target += room;
            at += fill;
        }
        packets++;
    }

    void ring_bells(Rings &r, unsigned m, unsigned s)
    {
        /* S2M before M2S of the same packet is the rule; the other order only when S2M follows at once */
        if (below(3) == 0) {
            if (m)
                r.bell_m(m);
            if (s)
                r.bell_s(s);
            return;
        }
        while (s) {
            unsigned part = 1 + (unsigned)below(s);
            r.bell_s(part);
            s -= part;
        }
        while (m) {
            unsigned part = 1 + (unsigned)below(m);
            r.bell_m(part);
            m -= part;
            d.run(below(40));
        }
    }

    void mirror(Rings &r) /* the rings are the driver's */
    {
        for (unsigned i = 0; i < r.m_size * DESC_BYTES; i++)
            want.set(r.m_base + i, d.bus.mem.get(r.m_base + i));
        for (unsigned i = 0; i < r.s_size * DESC_BYTES; i++)
            want.set(r.s_base + i, d.bus.mem.get(r.s_base + i));
    }
};

static inline void random_packets()
{
    tb_case("random gather and scatter over six queues");
    const unsigned stall[] = {0, 30, 60}, latency[] = {4, 40, 20};
    unsigned packets = 0;
    for (unsigned i = 0; i < 3; i++) {
        RandomPackets t(100 + i, stall[i], latency[i]);
        for (unsigned round = 0; round < 12; round++)
            t.round();
        t.verify();
        packets += t.packets;
    }
    std::printf("random packets: %u\n", packets);
    TB_CHECK(packets >= 300);
}

/* Packets that do not fit their S2M buffers, and lengths at the ends of the range. */
static inline void packet_shapes()
{
    tb_case("packet longer than the S2M buffers waits for more");
    Dut d(60);
    d.init_engine();
    Rings r(d, 2), other(d, 3);
    r.init();
    other.init();
    d.bus.mem.randomize(SOURCE, 0x20000, &d.bus.seed);
    r.rx(0x100, TARGET);
    r.tx(0x300 | BOTH, DMA_COPY_WORD, SOURCE);
    r.bells(1);
    d.run(500);
    TB_EQUAL(d.count(EV_DMA_CPL), 0);
    TB_EQUAL(d.rd(Dut::mq(2, M2SQ_STATUS_OFF)) & M2SQ_STATUS_Q_USED_MASK, 1);
    TB_EQUAL(d.count(EV_DMA_ERR), 0);
    r.rx(0x1f0, TARGET + 0x1000);
    r.rx(0x200, TARGET + 0x2000);
    r.bell_s(2);
    TB_CHECK(r.finish());
    for (unsigned i = 0; i < 0x300; i++)
        TB_EQUAL(d.bus.mem.get(i < 0x100 ? TARGET + i : i < 0x2f0 ? TARGET + 0xf00 + i : TARGET + 0x2000 + i - 0x2f0),
                 d.bus.mem.get(SOURCE + i));
    TB_EQUAL(d.bus.mem.get(TARGET + 0x2010), 0); /* partly filled and closed */
    r.expect_pointers(0x40000001, 0x40000003);

    tb_case("such a packet does not let another queue's S2M descriptors run out");
    r.rx(0x100, TARGET);
    r.tx(0x300 | BOTH, DMA_COPY_WORD, SOURCE);
    r.bells(1);
    d.run(200);
    d.wr(Dut::mq(2, M2SQ_Q_SW_CTRL_OFF), DMA_Q_RESET); /* software error: reset frees the stream */
    d.wr(Dut::sq(2, S2MQ_Q_SW_CTRL_OFF), DMA_Q_RESET);
    other.copy(SOURCE, TARGET + 0x4000, 256);
    other.bells(1);
    TB_CHECK(other.finish());

    for (unsigned encode = 0; encode < 2; encode++) {
        tb_case(encode ? "length 0 is 65536" : "length 0 is empty with encode_64k 0");
        Dut e(61 + encode);
        e.init_engine();
        e.wr(Dut::m(M2S_CFG_LEN_OFF), DMA_LEN_CFG & ~(encode ? 0 : M2S_CFG_LEN_ENCODE_64K_MASK));
        Rings z(e, 6);
        z.init();
        e.bus.mem.randomize(SOURCE, 0x10000, &e.bus.seed);
        z.rx(0, TARGET + 3);
        z.tx(BOTH, encode ? DMA_COPY_WORD : DMA_COPY_WB_WORD, SOURCE);
        z.copy(SOURCE, TARGET + 0x20000, 64);
        z.bells(2);
        TB_CHECK(z.finish());
        z.expect_pointers(0x40000002, 0x40000002);
        TB_EQUAL(e.count(EV_DMA_CPL), 4);
        if (!encode) { /* empty buffers before, inside and behind a packet, and nothing else in one */
            z.rx(64, TARGET + 0x30000);
            z.rx(64, TARGET + 0x31000);
            z.tx(M2S_DESC_W0_FIRST_MASK, DMA_COPY_WORD, 0);
            z.tx(40, DMA_COPY_WB_WORD, SOURCE);
            z.tx(0, DMA_COPY_WB_WORD, 0);
            z.tx(24, DMA_COPY_WORD, SOURCE + 40);
            z.tx(M2S_DESC_W0_LAST_MASK, DMA_COPY_WORD, 0);
            z.tx(M2S_DESC_W0_FIRST_MASK, DMA_COPY_WORD, 0);
            z.tx(M2S_DESC_W0_LAST_MASK, DMA_COPY_WORD, 0);
            z.bell_s(2);
            z.bell_m(7);
            TB_CHECK(z.finish());
            z.expect_pointers(0x40000009, 0x40000004);
            for (unsigned i = 0; i < 64; i++)
                TB_EQUAL(e.bus.mem.get(TARGET + 0x30000 + i), e.bus.mem.get(SOURCE + i));
            TB_EQUAL(e.bus.mem.word(TARGET + 0x31000), 0);
            for (unsigned i = 0; i < 20; i++) /* no claim on S2M descriptors is left behind */
                z.copy(SOURCE, TARGET + 0x40000, 8);
            z.bells(20);
            TB_CHECK(z.finish());
        }
        for (unsigned i = 0; i < 0x10000; i++)
            if (e.bus.mem.get(TARGET + 3 + i) != (encode ? e.bus.mem.get(SOURCE + i) : 0))
                TB_EQUAL(e.bus.mem.get(TARGET + 3 + i), e.bus.mem.get(SOURCE + i));
        TB_EQUAL(e.bus.mem.get(TARGET + 3 + 0x10000), 0);
        TB_EQUAL(e.bus.mem.get(TARGET + 2), 0);
        TB_EQUAL(e.bus.mem.get(TARGET + 0x20000 + 63), e.bus.mem.get(SOURCE + 63));
    }

    tb_case("largest packet: 65 descriptors");
    Dut f(63);
    f.init_engine();
    Rings big(f, 8, 128, 32);
    big.init();
    f.bus.mem.randomize(SOURCE, 0x10000, &f.bus.seed);
    for (unsigned i = 0; i < 65; i++)
        big.tx(17 | (i == 0 ? M2S_DESC_W0_FIRST_MASK : 0) | (i == 64 ? M2S_DESC_W0_LAST_MASK : 0), DMA_COPY_WORD, SOURCE + 97 * i);
    big.rx(65 * 17, TARGET + 5);
    big.bell_s(1);
    big.bell_m(65);
    TB_CHECK(big.finish());
    for (unsigned i = 0; i < 65 * 17; i++)
        TB_EQUAL(f.bus.mem.get(TARGET + 5 + i), f.bus.mem.get(SOURCE + 97 * (i / 17) + i % 17));
}
#endif
