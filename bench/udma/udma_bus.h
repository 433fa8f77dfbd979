/*
 * Memory and AXI4 slave for the bench of the DMA engine: sparse bytes, random latency and stalls, error ranges, write
 * responses that can be held back, and checks of what docs/rtl.md promises about the master.
 */
#ifndef NEFFSIM_BENCH_UDMA_BUS_H
#define NEFFSIM_BENCH_UDMA_BUS_H

#include <array>
#include <cstring>
#include <deque>
#include <unordered_map>
#include <utility>
#include <vector>

#include "Vudma.h"
#include "regs.h"
#include "tb.h"

class Memory {
  public:
    uint8_t get(uint64_t a) const
    {
        auto it = pages.find(a >> 12);
        return it == pages.end() ? 0 : it->second[a & 0xfff];
    }
    void set(uint64_t a, uint8_t v) { pages[a >> 12][a & 0xfff] = v; }
    uint32_t word(uint64_t a) const
    {
        uint32_t v = 0;
        for (unsigned i = 0; i < 4; i++)
            v |= (uint32_t)get(a + i) << 8 * i;
        return v;
    }
    void set_word(uint64_t a, uint32_t v)
    {
        for (unsigned i = 0; i < 4; i++)
            set(a + i, (uint8_t)(v >> 8 * i));
    }
    void randomize(uint64_t a, size_t n, uint64_t *seed)
    {
        for (size_t i = 0; i < n; i++)
            set(a + i, (uint8_t)(tb_random(seed) >> 32));
    }
    /* Address of the first byte that differs, or ~0. */
    uint64_t first_difference(const Memory &other) const
    {
        uint64_t worst = ~UINT64_C(0);
        const Memory *side[2][2] = {{this, &other}, {&other, this}};
        for (auto &s : side)
            for (auto &p : s[0]->pages)
                for (unsigned i = 0; i < 4096; i++)
                    if (p.second[i] != s[1]->get((p.first << 12) + i) && (p.first << 12) + i < worst)
                        worst = (p.first << 12) + i;
        return worst;
    }

  private:
    std::unordered_map<uint64_t, std::array<uint8_t, 4096>> pages;
};

struct Fetch { /* one descriptor burst, as it was asked for */
    uint64_t addr;
    unsigned bytes;
};

class Bus {
  public:
    Memory mem;
    std::vector<std::pair<uint64_t, uint64_t>> bad_read, bad_write; /* [first, last] */
    std::vector<Fetch> fetches;
    uint64_t seed = 1;
    unsigned latency_min = 4, latency_max = 4, stall = 0; /* stall: percent of clocks without ready or valid */
    bool hold_responses = false;
    uint64_t released = 0; /* responses let through while held */
    uint64_t read_beats = 0, write_beats = 0;

    static constexpr unsigned BYTES = MEM_W / 8;

    void reset()
    {
        reads.clear();
        writes.clear();
        responses.clear();
        seen_ar = seen_aw = seen_w = 0;
        silent = 0;
        data_beat = 0;
        in_burst = false;
    }

    /* Before the rising edge: what the slave offers in this clock. */
    void drive(Vudma &t, uint64_t cycle)
    {
        t.m_arready_i = reads.size() < 64 && go();
        t.m_awready_i = writes.size() < 64 && go();
        t.m_wready_i = !writes.empty() && go();
        /* a response once offered stays until it is taken */
        t.m_rvalid_i = !reads.empty() && reads[0].when <= cycle && (r_offered || go());
        r_offered = t.m_rvalid_i;
        if (t.m_rvalid_i) {
            const Read &r = reads[0];
            uint64_t beat = (r.addr & ~(uint64_t)(BYTES - 1)) + (uint64_t)r.beat * BYTES;
            uint8_t data[BYTES];
            for (unsigned i = 0; i < BYTES; i++)
                data[i] = mem.get(beat + i);
            std::memcpy(&t.m_rdata_i, data, BYTES);
            t.m_rresp_i = hits(bad_read, beat > r.addr ? beat : r.addr, beat + BYTES - 1) ? 2 : 0;
            t.m_rlast_i = r.beat + 1 == r.beats;
        }
        bool may = !hold_responses || released > 0;
        t.m_bvalid_i = !responses.empty() && responses[0].when <= cycle && (b_offered || (may && go()));
        b_offered = t.m_bvalid_i;
        t.m_bresp_i = t.m_bvalid_i ? responses[0].resp : 0;
    }

    /* At the rising edge, with the inputs and outputs of the clock that ends. */
    void sample(const Vudma &t, uint64_t cycle)
    {
        stable(t);
        if (t.m_rvalid_i && t.m_rready_o) {
            r_offered = false;
            read_beats += reads[0].prot == PROT_DATA;
            if (++reads[0].beat == reads[0].beats)
                reads.pop_front();
        }
        silent = t.m_rvalid_i && !t.m_rready_o ? silent + 1 : 0;
        if (silent == 200)
            tb_check_at(false, "the master accepts the beats it asked for", __FILE__, __LINE__);
        if (t.m_bvalid_i && t.m_bready_o) {
            b_offered = false;
            responses.pop_front();
            if (hold_responses && released > 0)
                released--;
        }
        if (t.m_wvalid_o && t.m_wready_i)
            write_beat(t, cycle);
        if (t.m_arvalid_o && t.m_arready_i) {
            Read r = {t.m_araddr_o, t.m_arlen_o + 1u, 0, t.m_arprot_o, cycle + 1 + latency()};
            if (!reads.empty() && r.when < reads.back().when)
                r.when = reads.back().when;
            legal(t.m_araddr_o, t.m_arlen_o, t.m_arsize_o, t.m_arburst_o, t.m_arid_o);
            if (t.m_arprot_o == PROT_DESC) {
                fetches.push_back({t.m_araddr_o, (t.m_arlen_o + 1u) * BYTES});
                uint64_t end = (t.m_araddr_o & ~(uint64_t)(BYTES - 1)) + (t.m_arlen_o + 1u) * BYTES - 1;
                if ((t.m_araddr_o ^ end) >> 7)
                    tb_check_at(false, "no descriptor burst crosses a 128-byte boundary", __FILE__, __LINE__);
            }
            reads.push_back(r);
        }
        if (t.m_awvalid_o && t.m_awready_i) {
            legal(t.m_awaddr_o, t.m_awlen_o, t.m_awsize_o, t.m_awburst_o, t.m_awid_o);
            writes.push_back({t.m_awaddr_o, t.m_awlen_o + 1u});
        }
    }

    bool idle() const { return reads.empty() && writes.empty() && responses.empty(); }

  private:
    struct Read {
        uint64_t addr;
        unsigned beats, beat, prot;
        uint64_t when;
    };
    struct Write {
        uint64_t addr;
        unsigned beats;
    };
    struct Response {
        uint64_t when;
        uint8_t resp;
    };
    std::deque<Read> reads;
    std::deque<Write> writes;
    std::deque<Response> responses;
    unsigned data_beat = 0, silent = 0;
    bool r_offered = false, b_offered = false, in_burst = false;
    uint64_t seen_ar = 0, seen_aw = 0, seen_w = 0; /* payload that must not change, 0: none is waiting */

    bool go() { return stall == 0 || tb_random(&seed) % 100 >= stall; }
    uint64_t latency() { return latency_min + tb_random(&seed) % (latency_max - latency_min + 1); }

    static bool hits(const std::vector<std::pair<uint64_t, uint64_t>> &ranges, uint64_t first, uint64_t last)
    {
        for (auto &r : ranges)
            if (first <= r.second && last >= r.first)
                return true;
        return false;
    }

    static void legal(uint64_t addr, unsigned len, unsigned size, unsigned burst, unsigned id)
    {
        uint64_t last = (addr & ~(uint64_t)((1u << size) - 1)) + ((uint64_t)(len + 1) << size) - 1;
        bool ok = burst == 1 && id == 0 && (addr >> 12) == (last >> 12) && (1u << size) <= BYTES;
        ok = ok && ((1u << size) == BYTES || (size == 2 && len == 0 && (addr & 3) == 0));
        if (!ok)
            tb_check_at(false, "legal burst (INCR, one ID, inside 4 KiB, full width or one word)", __FILE__, __LINE__);
    }

    void write_beat(const Vudma &t, uint64_t cycle)
    {
        const Write &w = writes[0];
        uint64_t beat = (w.addr & ~(uint64_t)(BYTES - 1)) + (uint64_t)data_beat * BYTES;
        uint8_t data[BYTES];
        uint64_t strobes = 0;
        std::memcpy(data, &t.m_wdata_o, BYTES);
        std::memcpy(&strobes, &t.m_wstrb_o, sizeof t.m_wstrb_o);
        bool error = hits(bad_write, beat, beat + BYTES - 1);
        for (unsigned i = 0; i < BYTES; i++)
            if (strobes >> i & 1) {
                if (beat + i < w.addr)
                    tb_check_at(false, "no strobe below the address", __FILE__, __LINE__);
                if (!error)
                    mem.set(beat + i, data[i]);
            }
        resp |= error ? 2 : 0;
        write_beats++;
        bool last = ++data_beat == w.beats;
        if (last != (bool)t.m_wlast_o)
            tb_check_at(false, "wlast on the last beat", __FILE__, __LINE__);
        in_burst = !last;
        if (last) {
            Response r = {cycle + 1 + latency(), resp};
            if (!responses.empty() && r.when < responses.back().when)
                r.when = responses.back().when;
            responses.push_back(r);
            writes.pop_front();
            data_beat = 0;
            resp = 0;
        }
    }

    static uint64_t mix(uint64_t a, uint64_t b) { return (a * UINT64_C(0x9e3779b97f4a7c15) ^ b) | 1; }

    static void keep(bool valid, bool ready, uint64_t payload, uint64_t *seen, const char *what)
    {
        if (*seen && (!valid || payload != *seen))
            tb_check_at(false, what, __FILE__, __LINE__);
        *seen = valid && !ready ? payload : 0;
    }

    void stable(const Vudma &t)
    {
        uint64_t w = t.m_wlast_o;
        uint8_t data[BYTES];
        std::memcpy(data, &t.m_wdata_o, BYTES);
        for (uint8_t byte : data)
            w = mix(w, byte);
        keep(t.m_arvalid_o, t.m_arready_i, mix(t.m_araddr_o, t.m_arlen_o), &seen_ar, "AR stays while it waits");
        keep(t.m_awvalid_o, t.m_awready_i, mix(t.m_awaddr_o, t.m_awlen_o), &seen_aw, "AW stays while it waits");
        keep(t.m_wvalid_o, t.m_wready_i, mix(w, 0), &seen_w, "W stays while it waits");
        if (in_burst && !t.m_wvalid_o)
            tb_check_at(false, "all data of a burst is in hand", __FILE__, __LINE__);
    }

    uint8_t resp = 0;
};
#endif
