/*
 * The engine under test with its clock, its APB driver, its events, and the rings as a driver sees them.
 */
#ifndef NEFFSIM_BENCH_UDMA_DUT_H
#define NEFFSIM_BENCH_UDMA_DUT_H

#include <memory>

#include "svdpi.h"
#include "udma_bus.h"

struct Event {
    uint64_t cycle;
    unsigned kind, unit, queue, dir, code;
    uint32_t index, value;
    uint64_t addr, data;
    std::array<uint32_t, 4> words;
};

struct Dut;
static Dut *the_dut;

struct Dut {
    std::unique_ptr<Vudma> t{new Vudma};
    Bus bus;
    uint64_t cycle = 0;
    std::vector<Event> events;
    bool slave_error = false;

    explicit Dut(uint64_t seed = 1)
    {
        the_dut = this;
        bus.seed = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
        reset();
    }

    void tick()
    {
        t->clk_i = 0;
        bus.drive(*t, cycle);
        t->eval();
        /* the bench samples and changes inputs only after the edge */
        Vudma &top = *t;
        bool rst = top.rst_ni;
        if (rst)
            bus.sample(top, cycle);
        t->clk_i = 1;
        t->eval();
        cycle++;
    }
    void run(uint64_t n)
    {
        while (n--)
            tick();
    }

    void reset()
    {
        t->rst_ni = 0;
        t->psel_i = t->penable_i = t->pwrite_i = 0;
        bus.reset();
        run(4);
        bus.reset();
        t->rst_ni = 1;
        tick();
    }

    uint32_t apb(bool write, uint32_t addr, uint32_t data)
    {
        t->psel_i = 1;
        t->penable_i = 0;
        t->pwrite_i = write;
        t->paddr_i = addr;
        t->pwdata_i = data;
        tick();
        t->penable_i = 1;
        t->clk_i = 0;
        t->eval();
        uint32_t got = t->prdata_o;
        slave_error = t->pslverr_o;
        TB_CHECK(t->pready_o);
        tick();
        t->psel_i = t->penable_i = 0;
        return got;
    }
    void wr(uint32_t addr, uint32_t data)
    {
        apb(true, addr, data);
        TB_CHECK(!slave_error);
    }
    uint32_t rd(uint32_t addr)
    {
        uint32_t v = apb(false, addr, 0);
        TB_CHECK(!slave_error);
        return v;
    }

    static uint32_t mq(unsigned q, uint32_t off) { return UDMA_M2S_OFF + UDMA_Q_FIRST + q * UDMA_Q_STRIDE + off; }
    static uint32_t sq(unsigned q, uint32_t off) { return UDMA_S2M_OFF + UDMA_Q_FIRST + q * UDMA_Q_STRIDE + off; }
    static uint32_t m(uint32_t off) { return UDMA_M2S_OFF + off; }
    static uint32_t s(uint32_t off) { return UDMA_S2M_OFF + off; }
    static uint32_t app(uint32_t off) { return UDMA_APP_OFF + off; }

    unsigned count(unsigned kind, int queue = -1, int dir = -1) const
    {
        unsigned n = 0;
        for (auto &e : events)
            n += e.kind == kind && (queue < 0 || (int)e.queue == queue) && (dir < 0 || (int)e.dir == dir);
        return n;
    }
    const Event *last(unsigned kind) const /* an empty one when there is none */
    {
        static const Event none = {};
        for (size_t i = events.size(); i-- > 0;)
            if (events[i].kind == kind)
                return &events[i];
        return &none;
    }
    /* Runs until `want` events of the kind were seen. */
    bool until(unsigned kind, unsigned want, uint64_t limit = 20000)
    {
        while (count(kind) < want && limit--)
            tick();
        return count(kind) >= want;
    }

    void init_engine() /* slice-walkthrough.md §5 R4 */
    {
        wr(m(M2S_CFG_LEN_OFF), DMA_LEN_CFG);
        wr(m(M2S_DESC_PREF_CFG_2_OFF), DMA_MAX_DESC_CFG);
        wr(app(UAPP_EVENT_ACCEL_OFF), 1);
    }
};

static void take_event(int kind, int unit, int queue, int dir, int code, int index, int value, long long addr,
                       long long data, const svBitVecVal *w)
{
    Event e = {the_dut->cycle, (unsigned)kind, (unsigned)unit, (unsigned)queue, (unsigned)dir, (unsigned)code,
               (uint32_t)index, (uint32_t)value, (uint64_t)addr, (uint64_t)data, {}};
    for (unsigned i = 0; w && i < 4; i++)
        e.words[i] = w[i];
    the_dut->events.push_back(e);
}
extern "C" void neffsim_ev(int kind, int unit, int queue, int dir, int code, int index, int value, long long addr,
                           long long data)
{
    take_event(kind, unit, queue, dir, code, index, value, addr, data, nullptr);
}
extern "C" void neffsim_ev_words(int kind, int unit, int queue, int dir, int code, int index, int value, long long addr,
                                 long long data, int, const svBitVecVal *w)
{
    take_event(kind, unit, queue, dir, code, index, value, addr, data, w);
}

/* One queue with its two rings, as software keeps them: next index and ring id per ring (udma.md §6.2, §18.2). */
struct Rings {
    Dut &d;
    unsigned q, m_size, s_size;
    uint64_t m_base, s_base;
    unsigned m_next = 0, s_next = 0, m_id = RING_ID_FIRST, s_id = RING_ID_FIRST;

    Rings(Dut &dut, unsigned queue, unsigned msize = 32, unsigned ssize = 32)
        : d(dut), q(queue), m_size(msize), s_size(ssize), m_base(UINT64_C(0x800000) + queue * UINT64_C(0x20000)),
          s_base(m_base + 0x10000)
    {
    }

    void init()
    {
        d.wr(Dut::mq(q, M2SQ_RATE_LIMIT_MASK_OFF), DMA_Q_DMB_ON);
        d.wr(Dut::mq(q, M2SQ_CFG_OFF), DMA_Q_CFG_OFF);
        d.wr(Dut::mq(q, M2SQ_Q_SW_CTRL_OFF), DMA_Q_RESET);
        d.wr(Dut::mq(q, M2SQ_TDRBP_LOW_OFF), (uint32_t)m_base);
        d.wr(Dut::mq(q, M2SQ_TDRBP_HIGH_OFF), (uint32_t)(m_base >> 32));
        d.wr(Dut::mq(q, M2SQ_TDRL_OFF), m_size);
        d.wr(Dut::mq(q, M2SQ_COMP_CFG_OFF), 0);
        d.wr(Dut::mq(q, M2SQ_CFG_OFF), DMA_Q_CFG_ON);
        d.wr(Dut::sq(q, S2MQ_CFG_OFF), DMA_Q_CFG_OFF);
        d.wr(Dut::sq(q, S2MQ_Q_SW_CTRL_OFF), DMA_Q_RESET);
        d.wr(Dut::sq(q, S2MQ_RDRBP_LOW_OFF), (uint32_t)s_base);
        d.wr(Dut::sq(q, S2MQ_RDRBP_HIGH_OFF), (uint32_t)(s_base >> 32));
        d.wr(Dut::sq(q, S2MQ_RDRL_OFF), s_size);
        d.wr(Dut::sq(q, S2MQ_COMP_CFG_OFF), 0);
        d.wr(Dut::sq(q, S2MQ_CFG_OFF), DMA_Q_CFG_ON);
        m_next = s_next = 0;
        m_id = s_id = RING_ID_FIRST;
    }

    void raw(uint64_t base, unsigned index, uint32_t w0, uint32_t w1, uint64_t addr)
    {
        uint64_t a = base + (uint64_t)index * DESC_BYTES;
        d.bus.mem.set_word(a, w0);
        d.bus.mem.set_word(a + 4, w1);
        d.bus.mem.set_word(a + 8, (uint32_t)addr);
        d.bus.mem.set_word(a + 12, (uint32_t)(addr >> 32));
    }
    /* w0 without ring id. Returns the index used. */
    unsigned tx(uint32_t w0, uint32_t w1, uint64_t addr)
    {
        unsigned at = m_next;
        raw(m_base, at, (w0 & ~M2S_DESC_W0_RING_ID_MASK) | m_id << M2S_DESC_W0_RING_ID_LSB, w1, addr);
        if (++m_next == m_size)
            m_next = 0, m_id = (m_id + 1) & RING_ID_MASK;
        return at;
    }
    unsigned rx(uint32_t w0, uint64_t addr)
    {
        unsigned at = s_next;
        raw(s_base, at, (w0 & ~S2M_DESC_W0_RING_ID_MASK) | s_id << S2M_DESC_W0_RING_ID_LSB, 0, addr);
        if (++s_next == s_size)
            s_next = 0, s_id = (s_id + 1) & RING_ID_MASK;
        return at;
    }
    void copy(uint64_t from, uint64_t to, uint32_t bytes, uint32_t w1 = DMA_COPY_WORD, uint32_t m_flags = 0,
              uint32_t s_flags = 0)
    {
        rx((bytes & 0xffff) | s_flags, to);
        tx((bytes & 0xffff) | M2S_DESC_W0_FIRST_MASK | M2S_DESC_W0_LAST_MASK | m_flags, w1, from);
    }
    void bell_s(unsigned n) { d.wr(Dut::sq(q, S2MQ_RDRTP_INC_OFF), n); }
    void bell_m(unsigned n) { d.wr(Dut::mq(q, M2SQ_TDRTP_INC_OFF), n); }
    void bells(unsigned n)
    {
        bell_s(n);
        bell_m(n);
    }
    uint32_t ptr(bool s2m, uint32_t m_off) /* pointer registers have the same offsets in both banks */
    {
        return d.rd(s2m ? Dut::sq(q, m_off) : Dut::mq(q, m_off));
    }
    bool idle()
    {
        return ptr(false, M2SQ_TCRHP_OFF) == ptr(false, M2SQ_TDRTP_OFF) &&
               ptr(true, S2MQ_RCRHP_OFF) == ptr(true, S2MQ_RDRTP_OFF);
    }
    bool finish(uint64_t polls = 200000)
    {
        while (polls--)
            if (idle())
                return true;
        return false;
    }
    /* All four pointers of both rings. */
    void expect_pointers(uint32_t m_want, uint32_t s_want)
    {
        const uint32_t regs[] = {M2SQ_TDRTP_OFF, M2SQ_TDRHP_OFF, M2SQ_TDCP_OFF, M2SQ_TCRHP_OFF};
        for (uint32_t r : regs) {
            TB_EQUAL(ptr(false, r), m_want);
            TB_EQUAL(ptr(true, r), s_want);
        }
    }
};
#endif
