/*
 * Instruction-level reference of one sequencer for its bench, written from tpb-sequencer.md §1-§4 and
 * tpb-image.md §1-§3 and sharing nothing with the RTL: field offsets and codes are restated here as the pages
 * print them, on purpose. It produces the log that the DUT must produce, in order. External writes that end a
 * wait are invented here and replayed on the DUT (Fix).
 */
#ifndef NEFFSIM_BENCH_SEQ_MODEL_H
#define NEFFSIM_BENCH_SEQ_MODEL_H

#include "seq_dut.h"

/* A 64-byte slot under construction. */
struct Slot {
    std::array<uint8_t, 64> b{};
    Slot(uint8_t op = 0xa4)
    {
        b[0] = op, b[1] = 0x10;
    }
    Slot &put(unsigned off, std::initializer_list<int> bytes)
    {
        for (int v : bytes)
            b.at(off++) = uint8_t(v);
        return *this;
    }
    Slot &u32(unsigned off, uint32_t v)
    {
        return put(off, { int(v & 255), int(v >> 8 & 255), int(v >> 16 & 255), int(v >> 24) });
    }
    Slot &u64(unsigned off, uint64_t v)
    {
        return u32(off, uint32_t(v)).u32(off + 4, uint32_t(v >> 32));
    }
    Slot &wait(int mode, int idx, uint32_t value)
    {
        return put(4, { mode, idx }).u32(8, value);
    }
    Slot &update(int mode, int idx)
    {
        return put(6, { mode, idx });
    }
    Slot &trace(int cmd, int hint)
    {
        return put(2, { cmd, hint });
    }
};

Slot nop();
Slot halt();
Slot drain();
Slot notify(int hint, int flags = 0, int ext = 0);
Slot write_to(uint64_t addr, uint64_t value, int size = 4);
Slot load(int reg, uint64_t addr);
Slot store(int reg, uint64_t addr);
Slot move_imm(std::initializer_list<std::pair<int, uint32_t>> regs);
Slot move_reg(std::initializer_list<std::pair<int, int>> dst_src);
Slot alu_imm(int op, int dtype, int dst, int src, uint32_t imm);
Slot alu_reg(int op, int dtype, int dst, int src0, int src1);
Slot branch(int32_t bytes); /* always, relative */
Slot branch_if(int cmp_op, int dtype, int reg, uint32_t imm_or_reg, int32_t bytes);

struct Fix {
    uint64_t issue; /* number of slots issued when it is applied */
    unsigned lane;
    uint8_t mode, idx;
    uint32_t value;
};

class Model
{
  public:
    Memory mem;
    Sync sync;
    uint32_t r[64] = {};
    uint64_t pc = 0, lower = 0, upper = 0;
    uint16_t resets = 0;
    int state = ESTATE_IDLE;
    bool strong = false, pause_req = false, sp8 = false;
    uint32_t halt_reason = 0, error_word = 0;
    uint64_t resume = 0, issued = 0;
    uint64_t bad_lo = 1, bad_hi = 0;
    int nx_queue = 3, explicit_queue = 9;
    std::vector<Log> log;
    std::vector<BusWrite> writes;
    std::vector<uint32_t> merrs;
    std::vector<Fix> fixes;
    bool stuck = false, breakable = false; /* at a wait that no value can satisfy */

    void start(uint64_t at, uint64_t lo, uint64_t hi);
    bool step(); /* one slot; false when not running */
    bool run(uint64_t max_slots);

  private:
    enum Verdict { OK, BAD, ILLEGAL, ASSERT };
    uint8_t s[64];
    uint32_t u32(unsigned o) const
    {
        return uint32_t(s[o]) | uint32_t(s[o + 1]) << 8 | uint32_t(s[o + 2]) << 16 | uint32_t(s[o + 3]) << 24;
    }
    uint64_t u64(unsigned o) const
    {
        return u32(o) | uint64_t(u32(o + 4)) << 32;
    }
    uint32_t reg(uint8_t n) const
    {
        return n < 64 ? r[n] : uint32_t(n == 128 ? pc : pc >> 32);
    }
    void set(uint8_t n, uint32_t v);
    Verdict legal() const;
    bool wait(unsigned lane, uint8_t mode, uint8_t idx, uint32_t raw);
    void update(uint8_t mode, uint8_t idx, uint32_t raw);
    void record(int kind, uint32_t body1);
    void write(uint64_t addr, uint64_t v, unsigned n);
    uint32_t read(uint64_t addr);
    void fault(uint8_t code, uint8_t aux);
    bool execute(uint64_t &next); /* false: faulted */
};

#endif
