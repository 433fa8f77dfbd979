/*
 * What surrounds the bus in its bench: eight AXI masters, a memory that answers in any order its IDs allow, eleven APB
 * slaves and the host's APB port. Every ready and valid of the bench can be stalled at random. While it runs it checks
 * that the fabric keeps its payload while it waits and that responses come in each master's own order.
 */
#ifndef NEFFSIM_BENCH_BUS_MODEL_H
#define NEFFSIM_BENCH_BUS_MODEL_H

#include <array>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "Vbus_top.h"
#include "regs.h"
#include "tb.h"

constexpr unsigned MEM_W = BUS_MEM_W, BYTES = MEM_W / 8, N_M = 8, N_DMA = 2, N_S = 11;
using Beat = std::array<uint8_t, BYTES>;

/* One field of a flattened port, whatever C++ type Verilator gave the port. */
template <std::size_t N> void put(VlWide<N> &port, unsigned lsb, unsigned bits, uint64_t v)
{
    for (unsigned i = 0; i < bits; i++) {
        unsigned b = lsb + i;
        port[b / 32] = (port[b / 32] & ~(1u << b % 32)) | (uint32_t)(v >> i & 1) << b % 32;
    }
}
template <typename T> void put(T &port, unsigned lsb, unsigned bits, uint64_t v)
{
    uint64_t mask = (bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1) << lsb;
    port = (T)(((uint64_t)port & ~mask) | (v << lsb & mask));
}
template <std::size_t N> uint64_t get(const VlWide<N> &port, unsigned lsb, unsigned bits)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < bits; i++)
        v |= (uint64_t)(port[(lsb + i) / 32] >> (lsb + i) % 32 & 1) << i;
    return v;
}
template <typename T> uint64_t get(const T &port, unsigned lsb, unsigned bits)
{
    return (uint64_t)port >> lsb & (bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1);
}
template <typename P> Beat beat_get(const P &port, unsigned slice)
{
    Beat b;
    for (unsigned i = 0; i < BYTES; i += 4) {
        uint32_t w = (uint32_t)get(port, slice * MEM_W + i * 8, 32);
        std::memcpy(&b[i], &w, 4);
    }
    return b;
}
template <typename P> void beat_put(P &port, unsigned slice, const Beat &b)
{
    for (unsigned i = 0; i < BYTES; i += 4) {
        uint32_t w;
        std::memcpy(&w, &b[i], 4);
        put(port, slice * MEM_W + i * 8, 32, w);
    }
}

struct Burst {
    bool write;
    uint64_t addr;
    unsigned len = 0, size = 0, prot = 0;
    std::vector<Beat> data;       /* written, or read */
    std::vector<uint64_t> strobe; /* per beat, bit i = byte i of the beat */
    std::vector<unsigned> resp;
    bool done = false;
    uint64_t issued = 0, finished = 0;
    uint16_t id = 0;
};
using BurstP = std::shared_ptr<Burst>;

struct Master {
    std::deque<BurstP> aw, ar;            /* not yet accepted, oldest first */
    std::deque<std::pair<BurstP, unsigned>> w; /* burst, beat */
    std::deque<BurstP> b, r;              /* waiting for responses */
    bool awvalid = false, wvalid = false, arvalid = false;
    uint16_t next_id = 0;
};

struct Slave {
    std::map<uint32_t, uint32_t> regs;
    unsigned wait = 0;   /* extra clocks before pready */
    bool hold = false;   /* no answer at all */
    bool error = false;  /* answers pslverr */
    unsigned count = 0;
    std::vector<uint64_t> log; /* offset | write << 32 */
};

class Bus {
  public:
    Vbus_top t;
    Master m[N_M];
    Slave s[N_S];
    std::map<uint64_t, uint8_t> mem;
    uint64_t cycle = 0, seed;
    unsigned stall = 0; /* of 16: how often the bench withholds a valid or ready */
    std::vector<unsigned> served; /* memory port: master of each accepted address */
    uint64_t read_beats = 0, write_beats = 0;
    uint64_t last_aw = 0, last_ar = 0; /* memory port: addresses accepted last */

    explicit Bus(uint64_t sd);
    BurstP read(unsigned master, uint64_t addr, unsigned len, unsigned size, unsigned prot = 0);
    BurstP write(unsigned master, uint64_t addr, unsigned size, std::vector<Beat> data, std::vector<uint64_t> strobe);
    BurstP write32(unsigned master, uint64_t addr, uint32_t v); /* single-beat word */
    void step();
    bool wait(const BurstP &b, unsigned limit = 2000);
    bool drain(unsigned limit = 20000);

    /* Host APB: starts an access; host_done tells when and with what it ended. */
    void host(bool write, uint64_t addr, uint32_t v);
    int host_wait(bool write, uint64_t addr, uint32_t *v, unsigned limit = 200);
    bool host_busy = false;
    uint32_t host_data = 0;
    bool host_error = false;
    uint64_t host_started = 0, host_finished = 0;

  private:
    struct Out { unsigned id; unsigned resp; bool last; Beat data; };
    struct Req { unsigned id; uint64_t addr; unsigned len, size; };
    std::deque<Req> waw, rar;
    unsigned wbeat = 0;
    std::map<unsigned, std::deque<Out>> bq, rq; /* per ID */
    bool bvalid = false, rvalid = false;
    unsigned bsel = 0, rsel = 0;
    uint64_t rnd = 0;
    unsigned host_phase = 0;
    std::vector<uint64_t> held; /* payload of the memory port while it waits */

    bool go() { return stall == 0 || (tb_random(&rnd) & 15) >= stall; }
    void drive();
    void sample();
    void memory();
    void masters();
    void slaves();
    void check_stable();
    unsigned pick(std::map<unsigned, std::deque<Out>> &q);
};

inline uint64_t beat_base(uint64_t addr) { return addr & ~(uint64_t)(BYTES - 1); }
inline uint64_t next_beat(uint64_t addr, unsigned size) { return (addr >> size << size) + (UINT64_C(1) << size); }

inline Bus::Bus(uint64_t sd) : seed(sd), rnd(sd | 1)
{
    t.clk_i = 0;
    t.rst_ni = 0;
    for (int i = 0; i < 4; i++) {
        t.clk_i = 0;
        t.eval();
        t.clk_i = 1;
        t.eval();
    }
    t.rst_ni = 1;
    t.clk_i = 0;
    t.eval();
}

inline BurstP Bus::read(unsigned master, uint64_t addr, unsigned len, unsigned size, unsigned prot)
{
    BurstP b = std::make_shared<Burst>();
    b->write = false;
    b->addr = addr;
    b->len = len;
    b->size = size;
    b->prot = prot;
    b->id = m[master].next_id++;
    b->issued = cycle;
    m[master].ar.push_back(b);
    return b;
}

inline BurstP Bus::write(unsigned master, uint64_t addr, unsigned size, std::vector<Beat> data,
                         std::vector<uint64_t> strobe)
{
    BurstP b = std::make_shared<Burst>();
    b->write = true;
    b->addr = addr;
    b->len = (unsigned)data.size() - 1;
    b->size = size;
    b->data = std::move(data);
    b->strobe = std::move(strobe);
    b->id = m[master].next_id++;
    b->issued = cycle;
    m[master].aw.push_back(b);
    for (unsigned i = 0; i <= b->len; i++)
        m[master].w.push_back({ b, i });
    return b;
}

inline BurstP Bus::write32(unsigned master, uint64_t addr, uint32_t v)
{
    Beat d{};
    unsigned lane = (unsigned)(addr & (BYTES - 1));
    std::memcpy(&d[lane], &v, 4);
    return write(master, addr, 2, { d }, { UINT64_C(0xf) << lane });
}

inline void Bus::host(bool wr, uint64_t addr, uint32_t v)
{
    t.h_psel = 1;
    t.h_penable = 0;
    t.h_pwrite = wr;
    t.h_paddr = addr;
    t.h_pwdata = v;
    host_busy = true;
    host_phase = 0;
    host_started = cycle;
}

inline int Bus::host_wait(bool wr, uint64_t addr, uint32_t *v, unsigned limit)
{
    host(wr, addr, wr ? *v : 0);
    for (unsigned i = 0; i < limit && host_busy; i++)
        step();
    if (host_busy)
        return 2;
    if (!wr)
        *v = host_data;
    return host_error ? 1 : 0;
}

inline bool Bus::wait(const BurstP &b, unsigned limit)
{
    for (unsigned i = 0; i < limit && !b->done; i++)
        step();
    return b->done;
}

inline bool Bus::drain(unsigned limit)
{
    for (unsigned i = 0; i < limit; i++) {
        bool idle = true;
        for (const Master &x : m)
            idle = idle && x.aw.empty() && x.w.empty() && x.ar.empty() && x.b.empty() && x.r.empty();
        if (idle)
            return true;
        step();
    }
    return false;
}

inline unsigned Bus::pick(std::map<unsigned, std::deque<Out>> &q)
{
    std::vector<unsigned> ids;
    for (auto &e : q)
        if (!e.second.empty())
            ids.push_back(e.first);
    return ids[tb_random(&rnd) % ids.size()];
}

inline void Bus::drive()
{
    for (unsigned i = 0; i < N_M; i++) {
        Master &x = m[i];
        if (!x.awvalid && !x.aw.empty() && go())
            x.awvalid = true;
        if (!x.wvalid && !x.w.empty() && go())
            x.wvalid = true;
        if (!x.arvalid && !x.ar.empty() && go())
            x.arvalid = true;
        put(t.m_awvalid, i, 1, x.awvalid);
        put(t.m_wvalid, i, 1, x.wvalid);
        put(t.m_arvalid, i, 1, x.arvalid);
        if (x.awvalid) {
            const Burst &b = *x.aw.front();
            put(t.m_awid, i * 16, 16, b.id);
            put(t.m_awaddr, i * 64, 64, b.addr);
            put(t.m_awlen, i * 8, 8, b.len);
            put(t.m_awsize, i * 3, 3, b.size);
            put(t.m_awprot, i * 3, 3, b.prot);
        }
        if (x.wvalid) {
            const auto &[b, n] = x.w.front();
            beat_put(t.m_wdata, i, b->data[n]);
            put(t.m_wstrb, i * BYTES, BYTES, b->strobe[n]);
            put(t.m_wlast, i, 1, n == b->len);
        }
        if (x.arvalid) {
            const Burst &b = *x.ar.front();
            put(t.m_arid, i * 16, 16, b.id);
            put(t.m_araddr, i * 64, 64, b.addr);
            put(t.m_arlen, i * 8, 8, b.len);
            put(t.m_arsize, i * 3, 3, b.size);
            put(t.m_arprot, i * 3, 3, b.prot);
        }
        put(t.m_bready, i, 1, go());
        put(t.m_rready, i, 1, go());
    }
    t.s_awready = go() && waw.size() < 8;
    t.s_wready = go() && !waw.empty();
    t.s_arready = go() && rar.size() < 64;
    bool any_b = false, any_r = false;
    for (auto &e : bq)
        any_b = any_b || !e.second.empty();
    for (auto &e : rq)
        any_r = any_r || !e.second.empty();
    if (!bvalid && any_b && go()) {
        bvalid = true;
        bsel = pick(bq);
    }
    if (!rvalid && any_r && go()) {
        rvalid = true;
        rsel = pick(rq);
    }
    t.s_bvalid = bvalid;
    t.s_rvalid = rvalid;
    if (bvalid) {
        t.s_bid = bq[bsel].front().id;
        t.s_bresp = bq[bsel].front().resp;
    }
    if (rvalid) {
        const Out &o = rq[rsel].front();
        t.s_rid = o.id;
        t.s_rresp = o.resp;
        t.s_rlast = o.last;
        beat_put(t.s_rdata, 0, o.data);
    }
    t.h_psel = host_busy;
    t.h_penable = host_busy && host_phase > 0;
    t.p_pready = 0;
    t.p_pslverr = 0;
    for (unsigned i = 0; i < N_S; i++) {
        bool access = get(t.p_psel, i, 1) && get(t.p_penable, i, 1);
        put(t.p_pready, i, 1, access && !s[i].hold && s[i].count >= s[i].wait);
        put(t.p_pslverr, i, 1, access && s[i].error);
        uint32_t off = (uint32_t)get(t.p_paddr, i * 20, 20);
        put(t.p_prdata, i * 32, 32, s[i].regs.count(off) ? s[i].regs[off] : off | i << 24);
    }
}

inline void Bus::check_stable()
{
    std::vector<uint64_t> now{ t.s_awvalid, 0, 0, 0, t.s_arvalid, 0, 0, 0, t.s_wvalid, 0, 0 };
    if (t.s_awvalid) {
        now[1] = t.s_awaddr;
        now[2] = t.s_awid;
        now[3] = (uint64_t)t.s_awlen << 8 | (uint64_t)t.s_awsize << 4 | t.s_awprot;
    }
    if (t.s_arvalid) {
        now[5] = t.s_araddr;
        now[6] = t.s_arid;
        now[7] = (uint64_t)t.s_arlen << 8 | (uint64_t)t.s_arsize << 4 | t.s_arprot;
    }
    if (t.s_wvalid) {
        now[9] = get(t.s_wdata, 0, 64);
        now[10] = get(t.s_wstrb, 0, BYTES);
    }
    if (!held.empty()) {
        for (unsigned i = 0; i < 11; i++)
            if (held[i < 4 ? 0 : i < 8 ? 4 : 8] && held[i] != now[i])
                TB_EQUAL(now[i], held[i]); /* payload changed while it waited */
    }
    if (t.s_awready)
        now[0] = 0;
    if (t.s_arready)
        now[4] = 0;
    if (t.s_wready)
        now[8] = 0;
    held = now;
}

inline void Bus::memory()
{
    if (t.s_wvalid && t.s_wready) {
        Req &q = waw.front();
        Beat d = beat_get(t.s_wdata, 0);
        for (unsigned i = 0; i < BYTES; i++)
            if (get(t.s_wstrb, i, 1))
                mem[beat_base(q.addr) + i] = d[i];
        q.addr = next_beat(q.addr, q.size);
        write_beats++;
        bool last = wbeat == q.len;
        if (last != (bool)t.s_wlast)
            TB_EQUAL(t.s_wlast, last);
        wbeat = last ? 0 : wbeat + 1;
        if (last) {
            bq[q.id >> 16].push_back({ q.id, AXI_OKAY, true, {} });
            waw.pop_front();
        }
    }
    if (t.s_awvalid && t.s_awready) {
        waw.push_back({ t.s_awid, t.s_awaddr, t.s_awlen, t.s_awsize });
        served.push_back(t.s_awid >> 16);
        last_aw = t.s_awaddr;
        if (t.s_awburst != 1)
            TB_EQUAL(t.s_awburst, 1);
    }
    if (t.s_arvalid && t.s_arready) {
        Req q{ t.s_arid, t.s_araddr, t.s_arlen, t.s_arsize };
        rar.push_back(q);
        served.push_back(q.id >> 16);
        last_ar = q.addr;
    }
    if (!rar.empty()) {
        Req q = rar.front();
        rar.pop_front();
        for (unsigned n = 0; n <= q.len; n++) {
            Out o{ q.id, AXI_OKAY, n == q.len, {} };
            for (unsigned i = 0; i < BYTES; i++) {
                auto it = mem.find(beat_base(q.addr) + i);
                o.data[i] = it == mem.end() ? 0 : it->second;
            }
            rq[q.id >> 16].push_back(o); /* one ID per master: order within a master */
            q.addr = next_beat(q.addr, q.size);
        }
    }
    if (bvalid && t.s_bready) {
        bq[bsel].pop_front();
        bvalid = false;
    }
    if (rvalid && t.s_rready) {
        rq[rsel].pop_front();
        rvalid = false;
        read_beats++;
    }
}

inline void Bus::masters()
{
    for (unsigned i = 0; i < N_M; i++) {
        Master &x = m[i];
        if (x.awvalid && get(t.m_awready, i, 1)) {
            x.b.push_back(x.aw.front());
            x.aw.pop_front();
            x.awvalid = false;
        }
        if (x.wvalid && get(t.m_wready, i, 1)) {
            x.w.pop_front();
            x.wvalid = false;
        }
        if (x.arvalid && get(t.m_arready, i, 1)) {
            x.r.push_back(x.ar.front());
            x.ar.pop_front();
            x.arvalid = false;
        }
        if (get(t.m_bvalid, i, 1) && get(t.m_bready, i, 1)) {
            if (x.b.empty()) {
                TB_CHECK(!"write response nobody waits for");
                continue;
            }
            Burst &b = *x.b.front();
            if (get(t.m_bid, i * 16, 16) != b.id)
                TB_EQUAL(get(t.m_bid, i * 16, 16), b.id);
            b.resp.push_back((unsigned)get(t.m_bresp, i * 2, 2));
            b.done = true;
            b.finished = cycle;
            x.b.pop_front();
        }
        if (get(t.m_rvalid, i, 1) && get(t.m_rready, i, 1)) {
            if (x.r.empty()) {
                TB_CHECK(!"read beat nobody waits for");
                continue;
            }
            Burst &b = *x.r.front();
            if (get(t.m_rid, i * 16, 16) != b.id)
                TB_EQUAL(get(t.m_rid, i * 16, 16), b.id);
            b.data.push_back(beat_get(t.m_rdata, i));
            b.resp.push_back((unsigned)get(t.m_rresp, i * 2, 2));
            bool last = b.data.size() == b.len + 1;
            if (last != (bool)get(t.m_rlast, i, 1))
                TB_EQUAL(get(t.m_rlast, i, 1), last);
            if (last) {
                b.done = true;
                b.finished = cycle;
                x.r.pop_front();
            }
        }
    }
}

inline void Bus::slaves()
{
    for (unsigned i = 0; i < N_S; i++) {
        bool access = get(t.p_psel, i, 1) && get(t.p_penable, i, 1);
        if (access && get(t.p_pready, i, 1)) {
            uint32_t off = (uint32_t)get(t.p_paddr, i * 20, 20);
            bool wr = get(t.p_pwrite, i, 1);
            if (wr)
                s[i].regs[off] = (uint32_t)get(t.p_pwdata, i * 32, 32);
            s[i].log.push_back(off | (uint64_t)wr << 32);
            s[i].count = 0;
        } else if (access) {
            s[i].count++;
        }
    }
    if (host_busy) {
        if (host_phase > 0 && t.h_pready) {
            host_busy = false;
            host_data = t.h_prdata;
            host_error = t.h_pslverr;
            host_finished = cycle;
        } else {
            host_phase = 1;
        }
    }
}

inline void Bus::step()
{
    drive();
    t.clk_i = 0;
    t.eval();
    check_stable();
    masters();
    memory();
    slaves();
    t.clk_i = 1;
    t.eval();
    t.clk_i = 0;
    t.eval();
    cycle++;
}
#endif
