/*
 * The bench around NOTIFIC: drives the Verilated block, answers its AXI writes from a small memory, and compares every
 * output of every clock, and every event of the tap, with notific_model.h. Tests are in notific_tb.cpp.
 */
#ifndef NEFFSIM_BENCH_NOTIFIC_BENCH_H
#define NEFFSIM_BENCH_NOTIFIC_BENCH_H

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "Vnotific.h"
#include "notific_model.h"
#include "regs.h"
#include "tb.h"
#include "verilated.h"

/* Variant under test; bench.mk gives the same numbers to the model and to the Verilog parameters. */
#ifndef TB_N_SRC
#define TB_N_SRC 15
#define TB_MEM_W 512
#define TB_NIQ_DEPTH 4
#define TB_MAX_OUT 8
#define TB_PHASE_FIRST 1
#endif

/* Bits of a port, whatever type Verilator gives it. */
template <size_t N> static void put_bits(VlWide<N> &v, unsigned lsb, unsigned width, uint64_t x)
{
    for (unsigned i = 0; i < width; i++) {
        uint32_t one = UINT32_C(1) << (lsb + i) % 32;
        v[(lsb + i) / 32] = (v[(lsb + i) / 32] & ~one) | (x >> i & 1 ? one : 0);
    }
}
template <class T> static void put_bits(T &v, unsigned lsb, unsigned width, uint64_t x)
{
    uint64_t mask = ((UINT64_C(1) << width) - 1) << lsb;
    v = (T)((v & ~mask) | (x << lsb & mask));
}
template <size_t N> static uint8_t byte_of(const VlWide<N> &v, unsigned i) { return (uint8_t)(v[i / 4] >> 8 * (i % 4)); }
template <class T> static uint8_t byte_of(const T &v, unsigned i) { return (uint8_t)(v >> 8 * i); }

struct TapEvent {
    int kind, queue, code;
    uint32_t index, w[4];
    uint64_t addr;
    int nwords;
};
static std::vector<TapEvent> tapped;

extern "C" void neffsim_ev(int, int, int, int, int, int, int, long long, long long) {}
extern "C" void neffsim_ev_words(int kind, int unit, int queue, int, int code, int index, int, long long addr, long long,
                                 int nwords, const svBitVecVal *w)
{
    TB_EQUAL(unit, 0);
    tapped.push_back({ kind, queue, code, (uint32_t)index, { w[0], w[1], w[2], w[3] }, (uint64_t)addr, nwords });
}

class Bench {
public:
    NqIn in;
    NqOut out; /* of the last clock */
    NqModel model;
    std::map<uint64_t, uint8_t> memory;
    unsigned intr_count[9] = {}, accepted = 0, writes = 0, mismatches = 0;
    unsigned long long clocks = 0;
    bool bfail = false, ready_always = true; /* bfail: answer errors */
    unsigned b_hold = 0;                     /* clocks that each answer waits; UINT32_MAX for ever */
    uint64_t stall_seed = 0;                 /* not 0: random ready and answer delays */

    Bench() : model(TB_N_SRC, TB_NIQ_DEPTH, TB_MAX_OUT, TB_MEM_W == 64 ? 2 : 1, TB_PHASE_FIRST), top(new Vnotific)
    {
        in = NqIn();
        in.valid.resize(TB_N_SRC);
        in.offer.resize(TB_N_SRC);
        reset();
    }
    ~Bench() { delete top; }

    void reset(void)
    {
        in.valid.assign(TB_N_SRC, false);
        in.psel = in.penable = in.bvalid = false;
        drive();
        top->rst_ni = 0;
        edge();
        edge();
        top->rst_ni = 1;
        model.reset();
        pending.clear();
        aw_seen.clear();
        w_seen.clear();
        beat.clear();
    }

    void clock(void)
    {
        axi_inputs();
        drive();
        top->eval();
        out = model.answer(in);
        bool same = outputs_match();
        NqIn was = in;
        axi_outputs();
        tapped.clear();
        edge();
        same = same && taps_match(was);
        if (!same && mismatches++ < 3)
            std::printf("clock %llu: ready %llx/%llx intr %x/%x prdata %x/%x aw %d/%d w %d/%d taps %zu (RTL/model)\n",
                        clocks, (unsigned long long)top->src_ready_o, (unsigned long long)out.ready, intr, out.intr,
                        prdata, out.prdata, awvalid, out.awvalid, wvalid, out.wvalid, tapped.size());
        TB_CHECK(same);
        model.step(was, out);
        for (unsigned s = 0; s < TB_N_SRC; s++)
            if (was.valid[s] && (out.ready >> s & 1)) {
                in.valid[s] = false;
                accepted++;
            }
        for (int i = 0; i < 9; i++)
            intr_count[i] += intr >> i & 1;
        writes += out.push;
        clocks++;
    }
    void clocks_pass(unsigned n)
    {
        while (n--)
            clock();
    }

    uint32_t apb(bool write, uint32_t addr, uint32_t data)
    {
        in.psel = true, in.penable = false, in.pwrite = write, in.paddr = addr, in.pwdata = data;
        clock();
        in.penable = true;
        clock();
        in.psel = in.penable = false;
        return prdata;
    }
    void write(uint32_t addr, uint32_t data) { apb(true, addr, data); }
    uint32_t read(uint32_t addr) { return apb(false, addr, 0); }
    static uint32_t queue_addr(unsigned q, uint32_t rel) { return NQ_Q_BASE + q * NQ_Q_STRIDE + rel; }
    uint32_t tail(unsigned q) { return read(queue_addr(q, NQQ_TAIL_OFF)); }
    void set_head(unsigned q, uint32_t v) { write(queue_addr(q, NQQ_HEAD_OFF), v); }

    /* Class bits on and the ring configured as the runtime does it (§12.2), then enabled. */
    void ring(unsigned q, uint64_t base, uint32_t size)
    {
        write(NQ_WR_BUF_ENABLE_LO_OFF, 0xffffffff);
        write(NQ_WR_BUF_ENABLE_HI_OFF, 0xffffffff);
        write(queue_addr(q, NQQ_BASE_HI_OFF), (uint32_t)(base >> 32));
        write(queue_addr(q, NQQ_BASE_LO_OFF), (uint32_t)base);
        write(queue_addr(q, NQQ_SIZE_OFF), size);
        write(queue_addr(q, NQQ_HEAD_OFF), 0);
        write(NQ_ENABLE_OFF, read(NQ_ENABLE_OFF) | 1u << q);
    }

    void offer(unsigned s, uint8_t type, uint32_t body0, uint32_t body1, unsigned q, unsigned cls = 0, bool ovf = false)
    {
        in.valid[s] = true;
        in.offer[s] = { type, (uint8_t)q, (uint8_t)cls, body0, body1, ovf, 0 };
    }
    /* One record through source s; returns when it was taken. */
    void send(unsigned s, uint8_t type, uint32_t body0, uint32_t body1, unsigned q, unsigned cls = 0, bool ovf = false)
    {
        offer(s, type, body0, body1, q, cls, ovf);
        for (int n = 0; n < 100 && in.valid[s]; n++)
            clock();
        TB_CHECK(!in.valid[s]);
    }
    void drain(unsigned limit = 200)
    {
        unsigned n = 0;
        for (; n < limit && !(model.idle() && pending.empty()); n++)
            clock();
        TB_CHECK(n < limit);
    }
    uint32_t word(uint64_t addr)
    {
        uint32_t v = 0;
        for (int i = 0; i < 4; i++)
            v |= (uint32_t)memory[addr + (uint64_t)i] << 8 * i;
        return v;
    }
    /* "23 01 ..." of the 16 bytes at addr. */
    std::string bytes(uint64_t addr)
    {
        std::string s;
        char b[4];
        for (uint64_t i = 0; i < 16; i++) {
            std::snprintf(b, sizeof b, i ? " %02x" : "%02x", memory[addr + i]);
            s += b;
        }
        return s;
    }
    /* Answers flow again, the waiting ones too. */
    void release_answers(void)
    {
        b_hold = 0;
        for (auto &p : pending)
            p.wait = 0;
    }
    void clear_counts(void)
    {
        for (unsigned &c : intr_count)
            c = 0;
    }
    /* Everything that the model wrote, and nothing else, is in memory. */
    void memory_equals_model(void)
    {
        std::map<uint64_t, uint8_t> want;
        for (auto &m : model.memory)
            for (int i = 0; i < 16; i++)
                want[m.first + (uint64_t)i] = (uint8_t)(m.second.w[i / 4] >> 8 * (i % 4));
        TB_CHECK(want == memory);
    }
    bool evsem_backpressure(void) const { return top->evsem_backpressure_o; }

private:
    struct Answer {
        uint64_t addr;
        uint16_t id;
        unsigned wait;
        bool data_done;
    };
    Vnotific *top;
    std::deque<Answer> pending;      /* writes whose address came, in order */
    std::deque<uint64_t> aw_seen;    /* addresses whose data is to come */
    std::deque<std::vector<uint8_t>> w_seen; /* whole bursts of data (lanes packed) whose address is to come */
    std::vector<uint8_t> beat;
    uint32_t intr = 0, prdata = 0;
    bool awvalid = false, wvalid = false;

    void edge(void)
    {
        top->clk_i = 1;
        top->eval();
        top->clk_i = 0;
        top->eval();
    }

    void axi_inputs(void)
    {
        uint64_t r = stall_seed ? tb_random(&stall_seed) : 0;
        in.awready = stall_seed ? (r & 3) != 0 : ready_always;
        in.wready = stall_seed ? (r & 12) != 0 : ready_always;
        in.bvalid = !pending.empty() && pending.front().data_done && pending.front().wait == 0;
        if (in.bvalid && stall_seed && (r & 0x30) == 0)
            in.bvalid = false;
        in.bresp = bfail ? 2 + (r >> 8 & 1) : 0;
        for (auto &p : pending)
            if (p.wait && p.wait != UINT32_MAX)
                p.wait--;
    }

    void drive(void)
    {
        for (unsigned s = 0; s < TB_N_SRC; s++) {
            const NqRecord &r = in.offer[s];
            put_bits(top->src_valid_i, s, 1, in.valid[s]);
            put_bits(top->src_type_i, 5 * s, 5, r.type);
            put_bits(top->src_body0_i, 24 * s, 24, r.body0);
            put_bits(top->src_body1_i, 32 * s, 32, r.body1);
            put_bits(top->src_queue_i, 4 * s, 4, r.queue);
            put_bits(top->src_class_i, 6 * s, 6, r.cls);
            put_bits(top->src_ovf_i, s, 1, r.ovf);
        }
        top->ts_rst_i = in.ts_rst;
        top->psel_i = in.psel, top->penable_i = in.penable, top->pwrite_i = in.pwrite;
        top->paddr_i = in.paddr, top->pwdata_i = in.pwdata;
        top->m_awready_i = in.awready, top->m_wready_i = in.wready;
        top->m_bvalid_i = in.bvalid, top->m_bresp_i = in.bresp, top->m_bid_i = in.bvalid ? pending.front().id : 0;
    }

    bool outputs_match(void)
    {
        intr = top->intr_o, prdata = top->prdata_o, awvalid = top->m_awvalid_o, wvalid = top->m_wvalid_o;
        bool ok = top->src_ready_o == out.ready && (intr & ~0x80u) == out.intr && top->drop_dbg_o == out.drop_dbg &&
                  top->full_dbg_o == out.full_dbg && top->pready_o && !top->pslverr_o && top->m_bready_o &&
                  awvalid == out.awvalid && wvalid == out.wvalid;
        if (in.psel && in.penable && !in.pwrite)
            ok = ok && prdata == out.prdata;
        if (awvalid && out.awvalid)
            ok = ok && top->m_awaddr_o == out.aw.addr && top->m_awid_o == out.aw.id && top->m_awburst_o == 1 &&
                 top->m_awprot_o == PROT_DATA && top->m_awlen_o == (TB_MEM_W == 64 ? 1 : 0) &&
                 top->m_awsize_o == (TB_MEM_W == 64 ? 3 : 4);
        if (!awvalid) /* what is not reset must not show */
            ok = ok && top->m_awaddr_o == 0 && top->m_awid_o == 0;
        if (!wvalid) {
            ok = ok && top->m_wstrb_o == 0;
            for (unsigned i = 0; i < TB_MEM_W / 8; i++)
                ok = ok && byte_of(top->m_wdata_o, i) == 0;
        }
        if (wvalid && out.wvalid) {
            ok = ok && top->m_wlast_o == out.wlast;
            for (unsigned i = 0; i < TB_MEM_W / 8; i++) { /* strobes: the 16 lanes of the address, or all 8 of 64 bits */
                bool lane = TB_MEM_W == 64 || i / 16 == out.w.addr % (TB_MEM_W / 8) / 16;
                ok = ok && ((uint64_t)top->m_wstrb_o >> i & 1) == lane;
            }
        }
        return ok;
    }

    /* The memory side: takes addresses and data, stores a burst when it has both. */
    void axi_outputs(void)
    {
        if (in.bvalid)
            pending.pop_front();
        if (awvalid && in.awready) {
            pending.push_back({ top->m_awaddr_o, top->m_awid_o, b_hold, false });
            aw_seen.push_back(top->m_awaddr_o);
        }
        if (wvalid && in.wready) {
            for (unsigned i = 0; i < TB_MEM_W / 8; i++)
                if ((uint64_t)top->m_wstrb_o >> i & 1)
                    beat.push_back(byte_of(top->m_wdata_o, i));
            if (top->m_wlast_o) {
                w_seen.push_back(beat);
                beat.clear();
            }
        }
        while (!aw_seen.empty() && !w_seen.empty()) {
            TB_EQUAL(w_seen.front().size(), 16);
            for (size_t i = 0; i < w_seen.front().size(); i++)
                memory[aw_seen.front() + i] = w_seen.front()[i];
            for (auto &p : pending)
                if (!p.data_done) {
                    p.data_done = true;
                    break;
                }
            aw_seen.pop_front();
            w_seen.pop_front();
        }
    }

    bool taps_match(const NqIn &was)
    {
        std::vector<TapEvent> want;
        for (unsigned s = 0; s < TB_N_SRC; s++) {
            const NqRecord &r = was.offer[s];
            if (!was.valid[s] || !(out.ready >> s & 1))
                continue;
            TapEvent e = { EV_NQ_IN, r.queue, r.cls, 0, { r.body0 | (uint32_t)r.type << 24 | (uint32_t)r.ovf << 30,
                           r.body1 }, 0, 2 };
            want.push_back(e);
            bool on = (r.cls < 32 ? model.read(0x30) >> r.cls : model.read(0x34) >> (r.cls - 32)) & 1;
            if (!on || model.buffered(s) == TB_NIQ_DEPTH) {
                e.kind = EV_NQ_DROP, e.index = r.cls;
                e.code = on ? NDROP_INPUT_FULL : NDROP_CLASS_OFF;
                want.push_back(e);
            }
        }
        if (out.off_drop || out.ring_full_drop) {
            const NqRecord &r = model.staged_record();
            want.push_back({ EV_NQ_DROP, r.queue, out.off_drop ? NDROP_QUEUE_OFF : NDROP_RING_FULL, 0,
                             { r.body0 | (uint32_t)r.type << 24 | (uint32_t)r.ovf << 30, r.body1 }, 0, 2 });
        }
        if (out.push) {
            const NqWrite &w = out.pushed;
            want.push_back({ EV_NQ_WR, w.queue, 0, w.index, { w.w[0], w.w[1], w.w[2], w.w[3] }, w.addr, 4 });
        }
        bool ok = want.size() == tapped.size();
        for (size_t i = 0; ok && i < want.size(); i++) {
            const TapEvent &a = want[i], &b = tapped[i];
            ok = a.kind == b.kind && a.queue == b.queue && a.code == b.code && a.index == b.index && a.addr == b.addr &&
                 a.nwords == b.nwords && std::memcmp(a.w, b.w, 4 * (size_t)a.nwords) == 0;
        }
        return ok;
    }
};
#endif
