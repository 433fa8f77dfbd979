/* Ordering (udma.md §13): barriers proved by holding write responses back, and a checker of the event stream. */
#ifndef NEFFSIM_BENCH_UDMA_ORDER_H
#define NEFFSIM_BENCH_UDMA_ORDER_H

#include <map>

#include "udma_copy.h"

/*
 * Replays the events of a run without errors and checks what must hold between them, with effects of a clock visible
 * from the next clock on: SOW, write barrier, DMB, doorbell before fetch, S2M descriptor before start, heads in step
 * with responses, write bursts inside one S2M and one M2S buffer, and read bursts in stream order.
 */
class OrderChecker {
  public:
    bool encode_64k = true;

    void check(const std::vector<Event> &events)
    {
        for (auto &e : events) {
            Queue &q = queues[e.queue];
            switch (e.kind) {
            case EV_DMA_BELL:
                q.armed[e.dir] += e.code ? 0 : e.value;
                break;
            case EV_DMA_DESC:
                rule(q.armed[e.dir]-- > 0, "descriptors are fetched after their doorbell", e);
                q.desc[e.dir].push_back({e.words, e.index, e.cycle});
                break;
            case EV_DMA_START:
                start(q, e);
                break;
            case EV_DMA_WR:
                write(q, e);
                break;
            case EV_DMA_WRESP:
                q.writes.push_back(e.cycle);
                rule(e.code == 0, "responses are fine", e);
                break;
            case EV_DMA_CPL:
                q.completed[e.dir] += e.value;
                if (e.dir == 0) {
                    q.packets_done++;
                    q.last_done = e.cycle;
                }
                break;
            default:
                break;
            }
        }
        for (auto &it : queues) {
            Queue &q = it.second;
            TB_EQUAL(q.completed[0], q.desc[0].size());
            TB_EQUAL(q.packets_done, q.packets);
            TB_EQUAL(q.writes.size(), q.issued);
        }
    }

  private:
    struct Desc {
        std::array<uint32_t, 4> w;
        uint32_t index;
        uint64_t cycle;
    };
    struct Queue {
        int64_t armed[2] = {0, 0};
        std::vector<Desc> desc[2];
        size_t started = 0;           /* M2S descriptors in started packets */
        uint64_t packets = 0, packets_done = 0, last_done = 0;
        uint64_t completed[2] = {0, 0};
        std::vector<uint64_t> writes; /* cycles of the responses */
        uint64_t issued = 0;
        size_t from = 0, to = 0;      /* M2S and S2M descriptor in use */
        uint64_t from_used = 0, to_used = 0;
        bool barrier = false;
    };
    std::map<unsigned, Queue> queues;

    static void rule(bool ok, const char *what, const Event &e)
    {
        if (!ok) {
            std::printf("cycle %llu queue %u index %u\n", (unsigned long long)e.cycle, e.queue, e.index);
            tb_check_at(false, what, __FILE__, __LINE__);
        }
    }

    static bool quiet(const Queue &q, uint64_t cycle) /* all writes answered before this clock */
    {
        return q.writes.size() == q.issued && (q.writes.empty() || q.writes.back() < cycle);
    }

    void start(Queue &q, const Event &e)
    {
        size_t at = q.started;
        rule(at < q.desc[0].size() && q.desc[0][at].index == e.index, "packets start in ring order", e);
        if (at < q.desc[0].size() && q.desc[0][at].w[0] & M2S_DESC_W0_DMB_MASK)
            rule(q.packets == q.packets_done && (q.packets == 0 || q.last_done < e.cycle),
                 "DMB waits for all earlier packets", e);
        rule(q.desc[1].size() > q.to && q.desc[1].back().cycle <= e.cycle, "a packet starts with an S2M descriptor", e);
        while (at < q.desc[0].size() && !(q.desc[0][at].w[0] & M2S_DESC_W0_LAST_MASK))
            at++;
        rule(at < q.desc[0].size() && q.desc[0][at].cycle < e.cycle, "a packet starts when it is complete in the FIFO", e);
        q.started = at + 1;
        q.packets++;
    }

    uint64_t m2s_bytes(const Desc &t) const
    {
        uint32_t n = t.w[0] & M2S_DESC_W0_LENGTH_MASK;
        return t.w[0] & M2S_DESC_W0_MD_MASK ? 0 : n == 0 && encode_64k ? DESC_LENGTH_MAX : n;
    }

    void write(Queue &q, const Event &e)
    {
        while (q.from < q.desc[0].size() && q.from_used == m2s_bytes(q.desc[0][q.from]))
            next_source(q);
        if (q.from >= q.started || q.to >= q.desc[1].size()) {
            rule(false, "writes belong to a started packet", e);
            return;
        }
        Desc &s = q.desc[1][q.to];
        uint32_t room = s.w[0] & S2M_DESC_W0_LENGTH_MASK ? s.w[0] & S2M_DESC_W0_LENGTH_MASK : DESC_LENGTH_MAX;
        rule(e.index == s.index, "writes use the S2M descriptors in ring order", e);
        rule(e.addr == ((uint64_t)s.w[3] << 32 | s.w[2]) + q.to_used, "a buffer is filled from its first byte on", e);
        rule(q.to_used + e.value <= room, "a write burst stays in one S2M buffer", e);
        rule(q.from_used + e.value <= m2s_bytes(q.desc[0][q.from]), "a write burst stays in one M2S buffer", e);
        if (s.w[0] & S2M_DESC_W0_SOW_MASK && q.to_used == 0)
            rule(quiet(q, e.cycle), "SOW waits for all earlier writes", e);
        if (q.barrier)
            rule(quiet(q, e.cycle), "a write barrier holds later writes", e);
        q.barrier = false;
        q.issued++;
        q.from_used += e.value;
        q.to_used += e.value;
        bool whole = q.from_used == m2s_bytes(q.desc[0][q.from]);
        bool last = q.desc[0][q.from].w[0] & M2S_DESC_W0_LAST_MASK;
        while (whole && q.from_used == m2s_bytes(q.desc[0][q.from])) {
            last = last || q.desc[0][q.from].w[0] & M2S_DESC_W0_LAST_MASK;
            next_source(q);
            if (last || q.from >= q.desc[0].size())
                break;
        }
        if (q.to_used == room || (whole && last)) {
            q.to++;
            q.to_used = 0;
        }
    }

    void next_source(Queue &q)
    {
        const Desc &t = q.desc[0][q.from];
        if (!(t.w[0] & M2S_DESC_W0_MD_MASK) && t.w[1] & M2S_DESC_W1_WRITE_BARRIER_MASK)
            q.barrier = true;
        q.from++;
        q.from_used = 0;
    }
};

/* The scheduler checks a long packet while the one before it takes the descriptor that allowed the choice. */
static inline void start_needs_its_own_descriptor()
{
    tb_case("a packet does not start on the second buffer of the packet before it");
    Dut d(73);
    d.init_engine();
    Rings r(d, 3), other(d, 5);
    r.init();
    other.init();
    d.bus.mem.randomize(0x1000000, 0x1000, &d.bus.seed);
    r.rx(100, 0x1100000);
    r.tx(M2S_DESC_W0_FIRST_MASK | M2S_DESC_W0_LAST_MASK | 200, DMA_COPY_WORD, 0x1000000);
    for (unsigned i = 0; i < 12; i++)
        r.tx((i == 0 ? M2S_DESC_W0_FIRST_MASK : 0) | (i == 11 ? M2S_DESC_W0_LAST_MASK : 0) | 10, DMA_COPY_WORD, 0x1000000);
    r.bell_s(1);
    r.bell_m(13);
    TB_CHECK(d.until(EV_DMA_WRESP, 1));
    d.run(100);
    r.rx(100, 0x1100100);
    r.bell_s(1);
    d.run(300);
    TB_EQUAL(d.count(EV_DMA_START), 1);
    other.copy(0x1000000, 0x1200000, 64);
    other.bells(1);
    TB_CHECK(other.finish(2000));
    r.rx(120, 0x1100200);
    r.bell_s(1);
    TB_CHECK(r.finish());
    TB_EQUAL(d.count(EV_DMA_START), 3);
}

static inline void barriers()
{
    enum { NONE, SOW, WB, WB_INSIDE, DMB, DMB_IGNORED, MODES };
    const char *name[] = {"no barrier", "SOW", "write barrier", "write barrier inside a packet", "DMB", "DMB masked"};
    for (unsigned mode = 0; mode < MODES; mode++) {
        tb_case(name[mode]);
        Dut d(40 + mode);
        d.init_engine();
        Rings r(d, 4), other(d, 9);
        r.init();
        other.init();
        if (mode == DMB_IGNORED)
            d.wr(Dut::mq(4, M2SQ_RATE_LIMIT_MASK_OFF), M2SQ_RATE_LIMIT_MASK_RESET);
        d.bus.mem.randomize(0x1000000, 0x1000, &d.bus.seed);
        Memory want = d.bus.mem;
        d.bus.hold_responses = true;
        if (mode == WB_INSIDE) {
            r.rx(0x404, 0x1100000);
            r.tx(0x400 | M2S_DESC_W0_FIRST_MASK, DMA_COPY_WB_WORD, 0x1000000);
            r.tx(0x4 | M2S_DESC_W0_LAST_MASK, DMA_COPY_WORD, 0x1000400);
            r.bells(1);
            r.bell_m(1);
        } else {
            r.copy(0x1000000, 0x1100000, 0x400, mode == WB ? DMA_COPY_WB_WORD : DMA_COPY_WORD);
            r.copy(0x1000400, 0x1100400, 4, DMA_COPY_WORD, mode >= DMB ? M2S_DESC_W0_DMB_MASK : 0,
                   mode == SOW ? S2M_DESC_W0_SOW_MASK : 0);
            r.bells(2);
        }
        d.run(500);
        unsigned before = d.count(EV_DMA_WR, 4);
        bool free_running = mode == NONE || mode == DMB_IGNORED;
        TB_EQUAL(before, free_running ? 5 : 4);
        TB_EQUAL(d.count(EV_DMA_START, 4), mode == DMB || mode == WB_INSIDE ? 1 : 2);
        TB_EQUAL(d.count(EV_DMA_CPL), 0);
        TB_EQUAL(!!(d.rd(Dut::mq(4, M2SQ_STATUS_OFF)) & M2SQ_STATUS_Q_DMB_MASK), mode == DMB);
        for (unsigned i = 0; i < 3; i++) { /* three of four responses are not enough */
            d.bus.released++;
            d.run(100);
        }
        TB_EQUAL(d.count(EV_DMA_WR, 4), before);
        if (mode == DMB) {
            other.copy(0x1000000, 0x1200000, 64);
            other.bells(1);
            TB_CHECK(d.until(EV_DMA_WR, before + 1)); /* the suspended queue does not hold the others */
            TB_EQUAL(d.last(EV_DMA_WR)->queue, 9);
        }
        d.bus.hold_responses = false;
        TB_CHECK(r.finish());
        TB_CHECK(other.finish());
        for (unsigned i = 0; i < 0x404; i++)
            want.set(0x1100000 + i, want.get(0x1000000 + i));
        for (unsigned i = 0; i < 0x440; i++)
            TB_EQUAL(d.bus.mem.get(0x1100000 + i), want.get(0x1100000 + i));
        if (mode != DMB_IGNORED) {
            OrderChecker c;
            c.check(d.events);
        }
    }

    tb_case("rst_dmb resumes a suspended queue");
    Dut d(50);
    d.init_engine();
    Rings r(d, 0);
    r.init();
    d.bus.hold_responses = true;
    r.copy(0x1000000, 0x1100000, 64);
    r.copy(0x1000000, 0x1200000, 64, DMA_COPY_WORD, M2S_DESC_W0_DMB_MASK);
    r.bells(2);
    d.run(300);
    TB_EQUAL(d.count(EV_DMA_START), 1);
    d.wr(Dut::mq(0, M2SQ_Q_SW_CTRL_OFF), M2SQ_Q_SW_CTRL_RST_DMB_MASK);
    TB_CHECK(d.until(EV_DMA_START, 2));
    TB_EQUAL(d.rd(Dut::mq(0, M2SQ_STATUS_OFF)) & M2SQ_STATUS_Q_DMB_MASK, 0);
    d.bus.hold_responses = false;
    TB_CHECK(r.finish());

    tb_case("completion waits for the last response of the packet");
    d.events.clear();
    d.bus.hold_responses = true;
    d.bus.released = 0;
    r.copy(0x1000000, 0x1100000, 1024);
    r.bells(1);
    d.run(300);
    d.bus.released = 3;
    d.run(300);
    TB_EQUAL(d.count(EV_DMA_WRESP), 3);
    TB_EQUAL(d.count(EV_DMA_CPL), 0);
    d.bus.released = 1;
    TB_CHECK(d.until(EV_DMA_CPL, 2));
    TB_EQUAL(d.last(EV_DMA_CPL)->cycle, d.last(EV_DMA_WRESP)->cycle);
    d.bus.hold_responses = false;
}
#endif
