/*
 * The sequencer under test with everything around it: sparse memory behind an AXI4 slave with random latency
 * and stalls, EVT_SEM and NOTIFIC stand-ins, the LOCAL_REG host, and protocol monitors. One ordered log of
 * what happened.
 */
#ifndef NEFFSIM_BENCH_SEQ_DUT_H
#define NEFFSIM_BENCH_SEQ_DUT_H

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "Vseq_core.h"
#include "regs.h"
#include "tb.h"

#ifndef ENGINE
#define ENGINE 2
#endif
#ifndef MEM_W
#define MEM_W 512
#endif

/* Log entries besides the EV_SEQ_* of the tap. */
enum { LOG_REC = 0x100, LOG_UPD, LOG_FLT };

struct Log {
    int kind;
    uint64_t a, b, c, d; /* meaning by kind, see log_text() */
    bool operator==(const Log &o) const
    {
        return kind == o.kind && a == o.a && b == o.b && c == o.c && d == o.d;
    }
};
std::string log_text(const Log &e);

class Memory
{
  public:
    uint8_t &at(uint64_t addr)
    {
        return pages[addr >> 12][addr & 4095];
    }
    uint64_t get(uint64_t addr, unsigned n)
    {
        uint64_t v = 0;
        for (unsigned i = 0; i < n; i++)
            v |= uint64_t(at(addr + i)) << (8 * i);
        return v;
    }
    void put(uint64_t addr, uint64_t v, unsigned n)
    {
        for (unsigned i = 0; i < n; i++)
            at(addr + i) = uint8_t(v >> (8 * i));
    }

  private:
    std::unordered_map<uint64_t, std::array<uint8_t, 4096>> pages;
};

/* Semaphores and events by the rules of events-semaphores.md §5; used by the stand-in and by the reference.
 */
struct Sync {
    uint32_t sem[256] = {};
    bool evt[256] = {};
    bool holds(uint8_t mode, uint8_t idx, uint32_t value) const; /* mode without bit 7 */
    void side_effect(uint8_t mode, uint8_t idx);
    void update(uint8_t mode, uint8_t idx, uint32_t value);
    void satisfy(uint8_t mode, uint8_t idx, uint32_t value); /* makes holds() true */
};

struct BusWrite {
    uint64_t addr, data;
    unsigned size;
    bool operator==(const BusWrite &o) const
    {
        return addr == o.addr && data == o.data && size == o.size;
    }
};

class Dut
{
  public:
    Dut(uint64_t seed);
    ~Dut();
    void tick(unsigned n = 1);
    bool run_until(const std::function<bool()> &done, unsigned limit = 20000);
    void reset(); /* rst_ni for 16 clocks, all stand-ins empty */

    void lreg_write(uint32_t off, uint32_t value);
    uint32_t lreg_read(uint32_t off);
    void start(uint64_t pc, uint64_t lower, uint64_t upper); /* the host's protocol from any stopped state */
    bool stopped();                              /* halted, paused or fault seen since the last start */
    uint32_t wait_stop(unsigned limit = 200000); /* run_state when it left RUNNING */
    void to_idle();                              /* release_run_stall 1 -> 0, as after a fault */

    Memory mem;
    Sync sync;
    std::vector<Log> log;
    std::vector<BusWrite> writes; /* in the order of arrival */
    std::vector<uint32_t> merrs;
    std::vector<uint64_t> fills; /* addresses of line fills */
    uint64_t clocks = 0, irqs = 0, wresps = 0;
    int state = 0; /* ESTATE_* of the last EV_SEQ_STATE */

    /* knobs */
    unsigned stall_pct = 0, latency_max = 1;
    bool rec_block = false, resp_block = false, upd_block = false, read_block = false, wait_block = false;
    uint64_t bad_lo = 1, bad_hi = 0; /* accesses in [bad_lo, bad_hi] answer SLVERR */
    uint8_t nx_queue = 3, explicit_queue = 9;
    std::function<void()> on_wait; /* called each clock in which a wait is up and false */

    std::unique_ptr<Vseq_core> top;
    void event(int kind, int unit, int queue, int code, int index, int value, uint64_t addr, uint64_t data);
    void event_words(int kind, uint64_t addr, const uint32_t *w);

  private:
    struct Read {
        uint64_t addr;
        unsigned beats, size, beat, due;
        bool fill;
    };
    struct Answer {
        unsigned due;
        unsigned resp;
    };
    bool chance(); /* true: do not stall */
    void drive_memory();
    void take_handshakes();
    void monitor();
    uint64_t rng;
    std::deque<Read> reads;
    std::deque<std::pair<uint64_t, unsigned>> aws;
    std::deque<std::pair<std::vector<uint8_t>, std::vector<bool>>> ws;
    std::deque<Answer> answers;
    bool r_on = false, b_on = false;
    /* previous clock, for the stability monitors */
    struct Held {
        bool valid = false;
        std::vector<uint64_t> payload;
    } held_aw, held_w, held_ar, held_rec, held_flt, held_merr;
    void stable(Held &h, bool valid, bool ready, std::vector<uint64_t> payload, const char *what);
};

#endif
