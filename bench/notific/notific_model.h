/*
 * What NOTIFIC must do in one clock, written from notification-queue.md: notific_tb.cpp compares the RTL with it clock
 * by clock. answer() says what the outputs must be for these inputs; step() then lets the clock end. Interrupt 7 is not
 * modelled (the tests that make rings overlap look for it themselves).
 */
#ifndef NEFFSIM_BENCH_NOTIFIC_MODEL_H
#define NEFFSIM_BENCH_NOTIFIC_MODEL_H

#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <vector>

struct NqRecord {
    uint8_t type, queue, cls;
    uint32_t body0, body1;
    bool ovf;
    uint64_t time;
};

struct NqIn {
    bool psel, penable, pwrite, ts_rst;
    uint32_t paddr, pwdata;
    std::vector<bool> valid;
    std::vector<NqRecord> offer;
    bool awready, wready, bvalid;
    uint8_t bresp;
};

struct NqWrite {
    uint64_t addr;
    uint32_t w[4];
    uint16_t id;
    uint8_t queue;
    uint32_t index; /* tail */
};

struct NqOut {
    uint64_t ready;
    uint32_t prdata, intr, drop_dbg, full_dbg;
    bool awvalid, wvalid, wlast, push, ring_full_drop, off_drop;
    NqWrite aw, w, pushed;
};

class NqModel {
public:
    static constexpr unsigned Q = 10;
    const unsigned n_src, depth, max_out, beats;
    const bool phase_first;
    std::map<uint64_t, NqWrite> memory; /* last record written to each address */

    NqModel(unsigned sources, unsigned niq_depth, unsigned out, unsigned w_beats, bool first)
        : n_src(sources), depth(niq_depth), max_out(out), beats(w_beats), phase_first(first),
          niq(sources), popped(sources), was_stalled(sources)
    {
        reset();
    }

    void reset(void)
    {
        std::memset(reg, 0, sizeof reg);
        reg[0x2c / 4] = 1;
        reg[0xb4 / 4] = 0x1000;
        reg[0xb8 / 4] = 0x3c00;
        reg[0xcc / 4] = 0x400;
        reg[0xf4 / 4] = 0xffffffff;
        acc = 0;
        stats = stalls = 0;
        error_addr = 0;
        last = n_src - 1;
        staged = told = axi_was_stalled = false;
        for (unsigned q = 0; q < Q; q++) {
            tail[q] = head[q] = 0;
            phase[q] = phase_first;
            lost[q] = passed[q] = clearing[q] = stale[q] = false;
        }
        settling = 0;
        naq.clear();
        retired = 0;
        beat = 0;
        for (unsigned s = 0; s < n_src; s++) {
            niq[s].clear();
            popped[s] = 0;
            was_stalled[s] = false;
        }
    }

    /* Bits that software can write; 0 for anything that is no such register. */
    static uint32_t writable(uint32_t off)
    {
        switch (off) {
        case 0x08: case 0x14: case 0x18: case 0xc0: return 0x3ff;
        case 0x0c: case 0x10: case 0x30: case 0x34: case 0xb4: case 0xf0: case 0xf4: return 0xffffffff;
        case 0x28: return 1;
        case 0x2c: return 0xffff;
        case 0x54: case 0x84: return 0x1ff;
        case 0xb8: return 0x1fffff;
        case 0xbc: return 7;
        case 0xcc: return 0xffffff;
        default: break;
        }
        if (off < 0x100 || off >= 0x100 + Q * 0x28 || off % 4)
            return 0;
        uint32_t rel = (off - 0x100) % 0x28;
        return rel == 0x10 || rel > 0x14 ? 0 : 0xffffffff;
    }

    uint64_t now(void) const { return (uint64_t)(acc >> 10); }
    uint32_t &queue_reg(unsigned q, uint32_t rel) { return reg[(0x100 + q * 0x28 + rel) / 4]; }
    uint32_t queue_reg(unsigned q, uint32_t rel) const { return reg[(0x100 + q * 0x28 + rel) / 4]; }
    uint32_t size(unsigned q) const { return queue_reg(q, 8); }
    bool legal(unsigned q) const { return size(q) >= 32 && size(q) % 16 == 0; }
    bool enabled(unsigned q) const { return reg[0x14 / 4] >> q & 1; }
    uint32_t after(unsigned q) const { return tail[q] + 16 >= size(q) ? 0 : tail[q] + 16; }
    bool full(unsigned q) const { return enabled(q) && legal(q) && after(q) == head[q]; }
    bool idle(void) const
    {
        bool empty = !staged && naq.empty();
        for (auto &b : niq)
            empty = empty && b.empty();
        return empty;
    }

    size_t buffered(unsigned s) const { return niq[s].size(); }
    const NqRecord &staged_record(void) const { return rec; }

    uint32_t read(uint32_t off) const
    {
        if (off == 0x00 || off == 0x04)
            return (uint32_t)(now() >> (off ? 32 : 0));
        if (off == 0x40 || off == 0x44)
            return (uint32_t)(error_addr >> (off == 0x44 ? 32 : 0));
        if (off == 0x48)
            return stalls;
        if (off == 0x50)
            return depth * n_src;
        if (off == 0x80)
            return max_out;
        if (off >= 0x60 && off <= 0x70)
            return niq_word((off - 0x60) / 4);
        if (off >= 0x90 && off <= 0xa8)
            return naq_word((off - 0x90) / 4);
        if (off == 0xb0)
            return stats;
        uint32_t bits = 0;
        for (unsigned q = 0; q < Q; q++) {
            if (off == 0x110 + 0x28 * q)
                return tail[q];
            bits |= (uint32_t)(off == 0xc4 ? full(q) : off == 0xc8 ? passed[q] : false) << q;
        }
        return bits | (reg[off / 4] & writable(off));
    }

    NqOut answer(const NqIn &in) const
    {
        NqOut o = NqOut();
        uint64_t on = reg[0x30 / 4] | (uint64_t)reg[0x34 / 4] << 32, bp = reg[0x0c / 4] | (uint64_t)reg[0x10 / 4] << 32;
        for (unsigned s = 0; s < n_src; s++) {
            unsigned c = in.offer[s].cls;
            bool live = on >> c & 1, room = niq[s].size() < depth, holds = bp >> c & 1;
            o.ready |= (uint64_t)(!live || room || !holds) << s;
            if (!in.valid[s] || !live || room)
                continue;
            if (!holds) {
                o.intr |= 1u << 3;
                o.drop_dbg |= c < 30 ? 1u << c : 0;
            } else if (!was_stalled[s]) {
                o.intr |= 1u << 2;
                o.full_dbg |= c < 30 ? 1u << c : 0;
            }
        }
        if (in.psel && in.penable)
            o.prdata = in.paddr % 4 ? 0 : read(in.paddr);
        for (auto &e : naq) {
            if (!e.aw_done && !o.awvalid)
                o.awvalid = true, o.aw = e.write;
            if (!e.w_done && !o.wvalid)
                o.wvalid = true, o.w = e.write;
        }
        o.wlast = o.wvalid && beat == beats - 1;
        if (in.bvalid && !naq.empty() && naq.front().aw_done && naq.front().w_done && in.bresp & 2)
            o.intr |= 1u << 4;
        judge(o);
        return o;
    }

    void step(const NqIn &in, const NqOut &o)
    {
        bool room = !staged || o.push || o.off_drop || o.ring_full_drop;
        uint64_t on = reg[0x30 / 4] | (uint64_t)reg[0x34 / 4] << 32;
        bool busy[Q] = {};
        for (auto &e : naq)
            busy[e.write.queue] = true;
        bool stalled = staged && wants_write() && naq.size() == max_out;
        bool access = in.psel && in.penable, wr = access && in.pwrite, rd = access && !in.pwrite;

        /* counters */
        stats = (rd && in.paddr == 0xb0 ? 0 : stats) + o.push;
        stalls = ((rd && in.paddr == 0x48) || (wr && in.paddr == 0x4c && in.pwdata & 1) ? 0 : stalls) + stalled;
        axi_was_stalled = stalled;

        /* rings */
        if (staged) {
            unsigned q = rec.queue;
            if (o.ring_full_drop)
                lost[q] = true;
            told = !(o.push || o.off_drop || o.ring_full_drop) && (told || (o.intr & 1));
            if (o.push) {
                lost[q] = false;
                if (!(reg[0x28 / 4] & 1)) {
                    tail[q] = after(q);
                    phase[q] ^= tail[q] == 0;
                }
                if (o.intr >> 6 & 1)
                    passed[q] = true;
            }
        }
        for (unsigned q = 0; q < Q; q++)
            if (clearing[q] && !busy[q]) {
                clearing[q] = lost[q] = false;
                tail[q] = 0;
                phase[q] = phase_first;
            }

        /* AXI: answer, address, data; then the new entry */
        if (in.bvalid && !naq.empty() && naq.front().aw_done && naq.front().w_done) {
            if (in.bresp & 2)
                error_addr = naq.front().write.addr;
            naq.pop_front();
            retired++;
        }
        if (o.awvalid && in.awready)
            for (auto &e : naq)
                if (!e.aw_done) {
                    e.aw_done = true;
                    break;
                }
        if (o.wvalid && in.wready) {
            beat = (beat + 1) % beats;
            for (auto &e : naq)
                if (!e.w_done) {
                    e.w_done = beat == 0;
                    break;
                }
        }
        if (o.push) {
            naq.push_back({ o.pushed, false, false });
            memory[o.pushed.addr] = o.pushed;
        }

        /* inputs: the record that leaves for the stage, then what came */
        std::vector<bool> was_full(n_src);
        for (unsigned s = 0; s < n_src; s++)
            was_full[s] = niq[s].size() == depth;
        if (room) {
            staged = false;
            for (unsigned k = 1; k <= n_src && !staged; k++) {
                unsigned s = (last + k) % n_src;
                if (niq[s].empty())
                    continue;
                rec = niq[s].front();
                rec.time = now();
                niq[s].pop_front();
                popped[s]++;
                last = s;
                staged = true;
            }
        }
        for (unsigned s = 0; s < n_src; s++) {
            bool live = on >> in.offer[s].cls & 1, taken = in.valid[s] && (o.ready >> s & 1);
            was_stalled[s] = in.valid[s] && live && !taken;
            if (!taken || !live)
                continue;
            if (was_full[s])
                niq[s].back().ovf = true;
            else
                niq[s].push_back(in.offer[s]);
        }

        settle_heads();
        acc = in.ts_rst ? 0 : (acc + reg[0xcc / 4]) & (((unsigned __int128)1 << 74) - 1);
        if (wr && in.paddr % 4 == 0)
            write(in.paddr, in.pwdata);
    }

private:
    struct Entry {
        NqWrite write;
        bool aw_done, w_done;
    };
    uint32_t reg[1024];
    unsigned __int128 acc;
    std::vector<std::deque<NqRecord>> niq;
    std::vector<uint64_t> popped;
    std::vector<bool> was_stalled;
    unsigned last;
    bool staged, told, axi_was_stalled;
    NqRecord rec;
    uint32_t tail[Q], head[Q], stats, stalls;
    bool phase[Q], lost[Q], passed[Q], clearing[Q], stale[Q];
    unsigned settling, served; /* clocks spent on the head of queue `served` */
    std::deque<Entry> naq;
    uint64_t retired, error_addr;
    unsigned beat;

    bool usable(void) const { return rec.queue < Q && enabled(rec.queue) && legal(rec.queue); }
    bool forced(void) const
    {
        unsigned q = rec.queue;
        return full(q) && !(reg[0x08 / 4] >> q & 1) && (reg[0x18 / 4] >> q & 1);
    }
    bool held(void) const { return clearing[rec.queue] || stale[rec.queue]; }
    bool wants_write(void) const { return usable() && !held() && (!full(rec.queue) || forced()); }

    void judge(NqOut &o) const
    {
        if (!staged)
            return;
        unsigned q = rec.queue;
        if (!usable()) {
            o.off_drop = true;
            o.intr |= 1u << 1;
            return;
        }
        if (held())
            return;
        if (!wants_write()) {
            o.ring_full_drop = !(reg[0x08 / 4] >> q & 1);
            o.intr |= !told;
            return;
        }
        if (naq.size() == max_out) {
            o.intr |= (unsigned)!axi_was_stalled << 5;
            return;
        }
        bool uart = reg[0x28 / 4] & 1;
        o.push = true;
        NqWrite &w = o.pushed;
        w.index = tail[q];
        w.addr = ((uint64_t)queue_reg(q, 4) << 32 | (queue_reg(q, 0) & ~15u)) + (uart ? 0 : tail[q]);
        w.w[0] = (uint32_t)phase[q] << 31 | (uint32_t)rec.ovf << 30 | (uint32_t)(lost[q] || forced()) << 29 |
                 (uint32_t)rec.type << 24 | rec.body0;
        w.w[1] = rec.body1;
        w.w[2] = (uint32_t)rec.time;
        w.w[3] = (uint32_t)(rec.time >> 32);
        w.id = (uint16_t)reg[0x2c / 4];
        w.queue = (uint8_t)q;
        uint32_t next = uart ? tail[q] : after(q), used = next >= head[q] ? next - head[q] : next + size(q) - head[q];
        if ((reg[0xc0 / 4] >> q & 1) && !passed[q] && used >= queue_reg(q, 0x14))
            o.intr |= 1u << 6;
    }

    /* One clock of the unit that works out `head mod size`: 1 clock, or 29 with a division. */
    void settle_heads(void)
    {
        if (!settling) {
            for (served = 0; served < Q && !stale[served]; served++)
                ;
            if (served == Q)
                return;
        }
        uint32_t s = size(served) / 16, h = queue_reg(served, 0x0c) / 16;
        bool quick = s == 0 || (s & (s - 1)) == 0 || h < s;
        if (!settling && !quick) {
            settling = 1;
        } else if (!settling || ++settling == 29) {
            head[served] = (s ? h % s : h) * 16;
            stale[served] = false;
            settling = 0;
        }
    }

    void write(uint32_t off, uint32_t data)
    {
        if (off == 0x14)
            for (unsigned q = 0; q < Q; q++)
                if (enabled(q) && !(data >> q & 1))
                    clearing[q] = true;
        if (writable(off))
            reg[off / 4] = data & writable(off);
        if (off < 0x100 || !writable(off))
            return;
        unsigned q = (off - 0x100) / 0x28, rel = (off - 0x100) % 0x28;
        if (rel == 0x0c)
            passed[q] = false;
        if (rel == 0x0c || rel == 0x08) {
            stale[q] = true;
            if (settling && served == q)
                settling = 0;
        }
    }

    uint32_t niq_word(unsigned word) const
    {
        unsigned s = reg[0x54 / 4] / depth, place = reg[0x54 / 4] % depth;
        if (s >= n_src)
            return 0;
        unsigned age = (place + depth - (unsigned)(popped[s] % depth)) % depth;
        if (age >= niq[s].size())
            return 0;
        const NqRecord &r = niq[s][age];
        switch (word) {
        case 0: return (uint32_t)r.ovf << 30 | (uint32_t)r.type << 24 | r.body0;
        case 1: return r.body1;
        case 4: return r.queue | (uint32_t)r.cls << 4;
        default: return 0;
        }
    }

    uint32_t naq_word(unsigned word) const
    {
        unsigned place = reg[0x84 / 4];
        if (place >= max_out)
            return 0;
        unsigned age = (place + max_out - (unsigned)(retired % max_out)) % max_out;
        if (age >= naq.size())
            return 0;
        const NqWrite &w = naq[age].write;
        return word < 4 ? w.w[word] : word == 4 ? (uint32_t)w.addr : word == 5 ? (uint32_t)(w.addr >> 32) : w.queue;
    }
};
#endif
