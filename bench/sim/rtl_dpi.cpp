/* Calls from the model: memory beats (axi_mem.sv), events (bench/taps) and broken handshake rules (bench/assert). */
#include <cstdio>
#include <cstring>
#include <new>

#include "regs.h"
#include "sim/rtl_state.h"

#include "Vsim_top__Dpi.h"

thread_local struct rtl_sim *rtl_current;

void rtl_commit(struct rtl_sim *sim, const MemBeat &beat)
{
    if (!sparse_write_strobe(sim->memory, beat.addr, beat.line.data(), 64, beat.strobe))
        throw std::bad_alloc();
    if (beat.master == MASTER_NOTIFIC)
        sim->notified = true;
    if (!sim->listening)
        return;
    struct dev_event ev = {};
    ev.kind = EV_MEM_WR;
    ev.code = beat.master;
    ev.addr = beat.addr;
    ev.data = beat.strobe;
    ev.nwords = 16;
    std::memcpy(ev.words, beat.line.data(), sizeof ev.words);
    sim->pending.push_back(ev);
}

void neffsim_mem_read(int id, int prot, long long addr, int bytes, svBitVecVal *line)
{
    struct rtl_sim *sim = rtl_current;
    unsigned master = (unsigned)id >> 16;
    sparse_read(sim->memory, (uint64_t)addr & ~UINT64_C(63), line, 64);
    if (sim->inject.active())
        sim->inject.read_beat(master, (unsigned)prot, (uint64_t)addr, line);
    if (!sim->listening)
        return;
    struct dev_event ev = {};
    ev.kind = EV_MEM_RD;
    ev.code = (uint8_t)master;
    ev.dir = (uint8_t)prot;
    ev.addr = (uint64_t)addr;
    ev.value = (uint32_t)bytes;
    sim->pending.push_back(ev);
}

void neffsim_mem_write(int id, int prot, long long addr, long long strobe, svBit last, const svBitVecVal *line)
{
    struct rtl_sim *sim = rtl_current;
    MemBeat beat;
    beat.master = (uint8_t)((unsigned)id >> 16);
    beat.prot = (uint8_t)prot;
    beat.last = last;
    beat.addr = (uint64_t)addr;
    beat.strobe = (uint64_t)strobe;
    std::memcpy(beat.line.data(), line, sizeof beat.line);
    if (sim->inject.active() && sim->inject.write_beat(beat, sim->cycle))
        return;
    rtl_commit(sim, beat);
}

void neffsim_ev(int kind, int unit, int qu, int dir, int code, int index, int value, long long addr, long long data)
{
    struct rtl_sim *sim = rtl_current;
    if (!sim->listening)
        return;
    struct dev_event ev = {};
    ev.kind = (uint8_t)kind;
    ev.unit = (uint8_t)unit;
    ev.queue = (uint8_t)qu;
    ev.dir = (uint8_t)dir;
    ev.code = (uint8_t)code;
    ev.index = (uint32_t)index;
    ev.value = (uint32_t)value;
    ev.addr = (uint64_t)addr;
    ev.data = (uint64_t)data;
    sim->pending.push_back(ev);
}

void neffsim_ev_words(int kind, int unit, int qu, int dir, int code, int index, int value, long long addr,
                      long long data, int nwords, const svBitVecVal *w)
{
    struct rtl_sim *sim = rtl_current;
    if (!sim->listening)
        return;
    neffsim_ev(kind, unit, qu, dir, code, index, value, addr, data);
    struct dev_event &ev = sim->pending.back();
    ev.nwords = (uint8_t)nwords;
    std::memcpy(ev.words, w, (size_t)nwords * 4);
}

/* Said at once, checker or not; the checker refuses the event. During reset there is nothing to judge. */
void neffsim_rule(const char *place, const char *text)
{
    struct rtl_sim *sim = rtl_current;
    std::fprintf(stderr, "clock %llu: handshake rule broken: %s (%s)\n", (unsigned long long)sim->cycle, text, place);
    if (!sim->listening)
        return;
    struct dev_event ev = {};
    ev.kind = EV_RULE;
    ev.nwords = 16;
    std::snprintf((char *)ev.words, sizeof ev.words, "%s", text);
    sim->pending.push_back(ev);
}
