/* Run states, pausing, reset and rst_q (udma.md §8.2, §11). */
#ifndef NEFFSIM_BENCH_UDMA_STATE_H
#define NEFFSIM_BENCH_UDMA_STATE_H

#include "udma_random.h"

static inline void both_commands(Dut &d, uint32_t command)
{
    d.wr(Dut::m(M2S_CHANGE_STATE_OFF), command);
    d.wr(Dut::s(S2M_CHANGE_STATE_OFF), command);
}

/* Copies k of a queue: 0x300 bytes each, to a place of their own. */
static inline void many_copies(Rings &r, unsigned n, uint64_t to)
{
    for (unsigned i = 0; i < n; i++)
        r.copy(SOURCE + 0x11 * i, to + 0x400 * i, 0x300);
    r.bells(n);
}
static inline bool copied(Dut &d, unsigned n, uint64_t to)
{
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < 0x400; k++)
            if (d.bus.mem.get(to + 0x400 * i + k) != (k < 0x300 ? d.bus.mem.get(SOURCE + 0x11 * i + k) : 0))
                return false;
    return true;
}

static inline void run_states()
{
    tb_case("dis finishes packets in flight, normal goes on");
    Dut d(110);
    d.init_engine();
    d.bus.mem.randomize(SOURCE, 0x2000, &d.bus.seed);
    Rings r(d, 0), q7(d, 7);
    r.init();
    q7.init();
    many_copies(r, 16, TARGET);
    d.run(60);
    TB_CHECK(d.count(EV_DMA_START) > 0);
    both_commands(d, M2S_CHANGE_STATE_DIS_MASK);
    d.run(2);
    unsigned started = d.count(EV_DMA_START);
    TB_CHECK(started < 16);
    d.run(3000);
    TB_EQUAL(d.count(EV_DMA_START), started);
    TB_EQUAL(d.count(EV_DMA_CPL, 0, 0), started);
    TB_EQUAL(d.rd(Dut::m(M2S_STATE_OFF)) | d.rd(Dut::s(S2M_STATE_OFF)), 0);
    TB_EQUAL(d.count(EV_DMA_STATE), 1);
    TB_EQUAL(d.last(EV_DMA_STATE)->code, 0);
    both_commands(d, M2S_CHANGE_STATE_NORMAL_MASK);
    TB_CHECK(r.finish());
    TB_CHECK(copied(d, 16, TARGET));
    TB_EQUAL(d.last(EV_DMA_STATE)->code, 1);

    tb_case("abort stops at once; rst_q of all queues and normal recover");
    many_copies(r, 16, TARGET + 0x10000);
    many_copies(q7, 16, TARGET + 0x20000);
    d.run(50);
    both_commands(d, M2S_CHANGE_STATE_ABORT_MASK);
    TB_EQUAL(d.last(EV_DMA_STATE)->code, 2);
    d.run(3);
    uint32_t done = r.ptr(false, M2SQ_TCRHP_OFF);
    unsigned writes = d.count(EV_DMA_WR);
    d.run(3000);
    TB_CHECK(d.bus.idle());
    TB_EQUAL(d.count(EV_DMA_WR), writes);
    TB_EQUAL(r.ptr(false, M2SQ_TCRHP_OFF), done); /* pointers stay readable */
    TB_EQUAL(d.rd(Dut::m(M2S_STATE_OFF)), 0x2222);
    TB_EQUAL(d.rd(Dut::s(S2M_STATE_OFF)), 0x22222);
    d.wr(Dut::m(M2S_CHANGE_STATE_OFF), M2S_CHANGE_STATE_DIS_MASK); /* does not end an abort */
    TB_EQUAL(d.rd(Dut::m(M2S_STATE_OFF)), 0x2222);
    for (unsigned q = 0; q < UDMA_QUEUES; q++) {
        d.wr(Dut::mq(q, M2SQ_Q_SW_CTRL_OFF), DMA_Q_RESET);
        d.wr(Dut::sq(q, S2MQ_Q_SW_CTRL_OFF), DMA_Q_RESET);
    }
    both_commands(d, M2S_CHANGE_STATE_NORMAL_MASK);
    for (Rings *q : {&r, &q7}) {
        q->init();
        many_copies(*q, 8, TARGET + 0x30000 + 0x10000 * q->q);
    }
    TB_CHECK(r.finish());
    TB_CHECK(q7.finish());
    TB_CHECK(copied(d, 8, TARGET + 0x30000));
    TB_CHECK(copied(d, 8, TARGET + 0xa0000));

    tb_case("pause: no enable, no work; nothing is lost");
    const struct {
        uint32_t addr, off, on;
    } gates[] = {
        {Dut::mq(0, M2SQ_CFG_OFF), DMA_Q_CFG_OFF, DMA_Q_CFG_ON},
        {Dut::mq(0, M2SQ_CFG_OFF), DMA_Q_CFG_OFF | M2SQ_CFG_EN_PREF_MASK, DMA_Q_CFG_ON},
        {Dut::sq(0, S2MQ_CFG_OFF), DMA_Q_CFG_OFF, DMA_Q_CFG_ON},
        {Dut::sq(0, S2MQ_CFG_OFF), DMA_Q_CFG_OFF | S2MQ_CFG_EN_PREF_MASK, DMA_Q_CFG_ON},
        {Dut::m(M2S_PREF_QUEUE_EN_OFF), 0xfffe, 0xffff},
        {Dut::s(S2M_PREF_QUEUE_EN_OFF), 0xfffe, 0xffff},
        {Dut::m(M2S_STREAM_CFG_OFF), 0x103, 0x102},
        {Dut::s(S2M_STREAM_CFG_OFF), 1, 0},
        {Dut::s(S2M_STREAM_CFG_OFF), S2M_STREAM_CFG_STOP_PREFETCH_MASK, 0},
    };
    uint64_t to = TARGET + 0x200000;
    for (auto &g : gates) {
        d.wr(g.addr, g.off);
        unsigned before = d.count(EV_DMA_START);
        many_copies(r, 5, to);
        d.run(300);
        TB_EQUAL(d.count(EV_DMA_START), before);
        d.wr(g.addr, g.on);
        TB_CHECK(r.finish());
        TB_CHECK(copied(d, 5, to));
        to += 0x2000;
    }
    d.wr(Dut::mq(0, M2SQ_CFG_OFF), DMA_Q_CFG_OFF); /* both enables off, status bits read 0 (HAL pause) */
    TB_EQUAL(d.rd(Dut::mq(0, M2SQ_STATUS_OFF)) & (M2SQ_STATUS_PREFETCH_MASK | M2SQ_STATUS_SCHEDULER_MASK), 0);
}

/* S2M rst_q in every clock around the start of a packet: with the packet in flight M2S stops until its own rst_q. */
static inline void reset_races_start()
{
    tb_case("S2M rst_q around the start of a packet");
    bool same = false;
    for (unsigned delay = 0; delay < 120; delay++) {
        Dut d(74);
        d.init_engine();
        Rings r(d, 2);
        r.init();
        d.bus.mem.randomize(SOURCE, 0x100, &d.bus.seed);
        r.copy(SOURCE, TARGET, 64);
        uint64_t before = d.cycle;
        r.bell_s(1);
        uint64_t access = d.last(EV_DMA_BELL)->cycle - before; /* clocks from a call to the clock of its access */
        r.bell_m(1);
        d.run(delay);
        before = d.cycle;
        d.wr(Dut::sq(2, S2MQ_Q_SW_CTRL_OFF), DMA_Q_RESET);
        d.run(200);
        bool started = d.count(EV_DMA_START) && d.last(EV_DMA_START)->cycle <= before + access;
        bool done = d.count(EV_DMA_CPL) && d.last(EV_DMA_CPL)->cycle < before + access;
        same = same || (started && d.last(EV_DMA_START)->cycle == before + access);
        uint32_t prefetch = d.rd(Dut::mq(2, M2SQ_STATUS_OFF)) & M2SQ_STATUS_PREFETCH_MASK;
        TB_EQUAL(prefetch == 0, started && !done);
    }
    TB_CHECK(same);
}

static inline void queue_resets()
{
    reset_races_start();

    tb_case("reset in the middle");
    for (unsigned at = 20; at < 260; at += 17) {
        Dut d(120 + at);
        d.bus.stall = 20;
        d.init_engine();
        Rings r(d, 2);
        r.init();
        d.bus.mem.randomize(SOURCE, 0x2000, &d.bus.seed);
        many_copies(r, 16, TARGET);
        d.run(at);
        d.reset();
        TB_EQUAL(d.rd(Dut::mq(2, M2SQ_TDRTP_OFF)), RING_PTR_RESET);
        TB_EQUAL(d.rd(Dut::mq(2, M2SQ_CFG_OFF)), M2SQ_CFG_RESET);
        d.init_engine();
        r.init();
        many_copies(r, 16, TARGET + 0x10000);
        TB_CHECK(r.finish());
        TB_CHECK(copied(d, 16, TARGET + 0x10000));
    }

    tb_case("rst_q while busy: nothing of the old packets lands later, new ones run, other queues do not notice");
    for (unsigned at = 0; at < 300; at += 7) {
        Dut d(400 + at);
        d.bus.stall = at % 3 * 25;
        d.bus.latency_max = 4 + at % 5 * 10;
        d.init_engine();
        Rings r(d, 2), other(d, 11);
        r.init();
        other.init();
        d.bus.mem.randomize(SOURCE, 0x2000, &d.bus.seed);
        many_copies(r, 20, TARGET);
        many_copies(other, 16, TARGET + 0x100000);
        d.run(at);
        r.init(); /* M2S first, then S2M: paused, reset, run again (udma.md §18.2) */
        TB_EQUAL(r.ptr(false, M2SQ_TCRHP_OFF), RING_PTR_RESET);
        TB_EQUAL(r.ptr(true, M2SQ_TDRHP_OFF), RING_PTR_RESET);
        Memory after = d.bus.mem;
        size_t events = d.events.size();
        many_copies(r, 20, TARGET + 0x10000);
        TB_CHECK(r.finish());
        TB_CHECK(other.finish());
        TB_CHECK(copied(d, 20, TARGET + 0x10000));
        TB_CHECK(copied(d, 16, TARGET + 0x100000));
        r.expect_pointers(0x40000014, 0x40000014);
        TB_EQUAL(d.rd(Dut::mq(2, M2SQ_Q_TX_PKT_OFF)), 20);
        for (size_t i = events; i < d.events.size(); i++) /* only bursts whose address was given before */
            if (d.events[i].kind == EV_DMA_WR && d.events[i].queue == 2 && d.events[i].addr < TARGET + 0x10000)
                tb_check_at(false, "no write burst of the old packets after the reset", __FILE__, __LINE__);
        TB_EQUAL(d.count(EV_DMA_ERR), 0);
    }

    tb_case("rst_q of one direction while busy stops the other until its own");
    Dut d(700);
    d.init_engine();
    Rings r(d, 2);
    r.init();
    many_copies(r, 16, TARGET);
    TB_CHECK(d.until(EV_DMA_WR, 2));
    d.wr(Dut::mq(2, M2SQ_Q_SW_CTRL_OFF), DMA_Q_RESET);
    d.run(300);
    TB_EQUAL(d.rd(Dut::sq(2, S2MQ_STATUS_OFF)) & S2MQ_STATUS_PREFETCH_MASK, 0);
    d.wr(Dut::sq(2, S2MQ_Q_SW_CTRL_OFF), DMA_Q_RESET);
    TB_CHECK(d.rd(Dut::sq(2, S2MQ_STATUS_OFF)) & S2MQ_STATUS_PREFETCH_MASK);
}
#endif
