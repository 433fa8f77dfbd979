/*
 * Random work for the sequencer against the reference: whole programs with loops, branches, waits and every
 * instruction under random bus timing; single mutated slots for the legality rules; resets at random clocks.
 */
#include "seq_pair.h"

namespace
{

const uint64_t DATA = 0x40000000; /* scratch memory of the programs, 4 KiB */

class Writer
{
  public:
    Writer(uint64_t seed, uint64_t base) : rng(seed), at(base)
    {
    }
    std::vector<Slot> out;
    uint64_t r(uint64_t n)
    {
        return tb_random(&rng) % n;
    }
    bool one_in(unsigned n)
    {
        return r(n) == 0;
    }
    int src()
    {
        return one_in(12) ? int(128 + r(2)) : int(r(60));
    }
    int dst()
    {
        return one_in(20) ? int(128 + r(2)) : int(r(60));
    }
    uint32_t word()
    {
        static const uint32_t edge[] = { 0,          1,          2,          31,         32,        33,
                                         0x7fffffff, 0x80000000, 0xffffffff, 0xff800000, 0x7fc00000 };
        return one_in(2) ? edge[r(11)] : uint32_t(tb_random(&rng));
    }
    void add(Slot s)
    {
        if (one_in(3))
            sync(s);
        if (one_in(8))
            s.trace(one_in(10) ? int(r(256)) : int(r(10)), int(r(256)));
        out.push_back(s);
    }
    void simple();
    void block(unsigned n, unsigned depth);

  private:
    void sync(Slot &s)
    {
        static const int waits[] = { 1,    2,    3,    4,    5,    6,    7, 0xe, 0xf,
                                     0x81, 0x82, 0x83, 0x84, 0x85, 0xfe, 0, 5,   0x85 };
        static const int updates[] = { 0,    1,    2,    3,    4,    5,    7,    9,    0x11, 0x12, 0x13,
                                       0x14, 0x15, 0x17, 0x19, 0x85, 0x87, 0x89, 0x95, 0x97, 0x99 };
        int w = waits[r(18)], u = updates[r(21)];
        s.wait(w, int(r(8)),
               (w | u) & 0x80 && w != 0xfe ? uint32_t(r(64))
               : u & 0x80                  ? uint32_t(r(64))
                                           : uint32_t(r(5)));
        s.update(u, int(r(8)));
        if (s.b[0] == 0xa0 && one_in(2)) {
            int w1 = waits[r(18)], u1 = updates[r(21)];
            s.put(0x20, { w1, int(r(8)), u1, int(r(8)) });
            s.u32(0x24, w1 & 0x80 ? uint32_t(r(64)) : uint32_t(r(5)))
                .u32(0x28, u1 & 0x80 ? uint32_t(r(64)) : word());
        }
    }
    uint64_t rng;
    uint64_t at;
};

/* One slot that goes on to the next, whatever the state. */
void Writer::simple()
{
    static const int ops[] = { 0,  1,  2,  3,  4,  5,  6,  8,  9,  10, 11,   12,   13,   14,  15,
                               16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 0xc4, 0xc6, 0xc9, 0xca };
    static const int ints[] = { 0xc5, 0xcb, 0xcc, 0xcd, 0xcf, 0xd0, 0xd1, 0xd2, 0xd3,
                                0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xdb };
    static const int divs[] = { 0x07, 0x1b };
    int t = int(8 + r(2)), f = ops[r(29)];
    if (one_in(4))
        f = ints[r(17)];
    switch (r(16)) {
    case 0:
        add(Slot(one_in(2) ? 0x9f : 0xa4));
        break;
    case 1:
        add(Slot(0xa0));
        break;
    case 2: {
        uint32_t d = word();
        add(alu_imm(one_in(3) ? (t == 8 ? 0xc7 + int(r(2)) : 0xdc + int(r(2))) : divs[r(2)], t, dst(), src(),
                    d ? d : 7));
        break;
    }
    case 3:
    case 4:
        add(alu_reg(f, t, dst(), src(), src()));
        break;
    case 5:
        add(alu_imm(f, t, dst(), src(), word()));
        break;
    case 6:
        add(move_imm({ { int(r(30)), word() }, { int(30 + r(30)), word() }, { 128, word() } }));
        break;
    case 7:
        add(move_reg({ { int(r(20)), int(20 + r(20)) }, { int(40 + r(20)), one_in(2) ? 128 : 129 } }));
        break;
    case 8: {
        int size = 1 << r(4);
        add(write_to(DATA + r(4096 / size) * size, uint64_t(word()) << 32 | word(), size));
        break;
    }
    case 9:
        add(load(dst(), DATA + 4 * r(1024)));
        break;
    case 10:
        add(store(src(), DATA + 4 * r(1024)));
        break;
    case 11: /* by register pair */
        out.push_back(move_imm({ { 58, uint32_t(DATA + 4 * r(1024)) }, { 59, uint32_t(DATA >> 32) } }));
        add((one_in(2) ? load(int(r(50)), 0) : store(int(r(50)), 0)).u64(16, 0x8000000000003b3aULL));
        break;
    case 12:
        if (one_in(2))
            add(Slot(0xb0).put(12, { 1, int(r(4)), int(4 + r(4)) }));
        else
            add(Slot(0xb0).put(12, { 2 }).put(32 + unsigned(r(32)), { 1 << r(8) }));
        break;
    case 13:
        add(Slot(0xb3)
                .put(12, { int(1 + r(16)), dst(), 9 })
                .u64(16, DATA + 4 * r(1000))
                .u64(24, DATA + 4 * r(1000)));
        break;
    case 14: {
        Slot s = one_in(3) ? drain() : one_in(3) ? Slot(0xa3) : Slot(0xb1).put(12, { int(r(2)) });
        add(s);
        break;
    }
    default:
        if (one_in(2))
            add(notify(int(r(5)), int(r(4)), int(r(65536))));
        else
            add(Slot(0xb5).put(12, { int(r(2)), 0, 3 }).u64(40, 64 * r(20)).u64(48, 64 * r(100)));
    }
}

void Writer::block(unsigned n, unsigned depth)
{
    while (n) {
        unsigned kind = unsigned(r(8));
        if (kind == 0 && depth < 2 && n > 8) { /* counted loop, counter R60 or R61 */
            int c = int(60 + depth);
            out.push_back(move_imm({ { c, uint32_t(2 + r(3)) } }));
            size_t top = out.size();
            unsigned body = unsigned(3 + r(n - 7));
            block(body, depth + 1);
            out.push_back(alu_imm(5, 9, c, c, 1));
            out.push_back(branch_if(4, 9, c, 0, -int32_t(64 * (out.size() - top))));
            n -= body > n ? n : body;
        } else if (kind == 1) { /* skip ahead if ... */
            int cmp = int(r(15));
            if (cmp == 7 || cmp == 8)
                cmp = 0;
            int t = int(8 + r(3));
            unsigned mode = unsigned(r(3));
            size_t setup = 0, where = out.size();
            out.push_back(nop());
            if (mode)
                out.push_back(nop()), setup = 1;
            unsigned skip = unsigned(1 + r(4));
            for (unsigned i = 0; i < skip; i++)
                simple();
            int32_t d = int32_t(64 * (out.size() - where - setup));
            Slot b = branch_if(cmp, t, src(), cmp >= 9 ? uint32_t(src()) : word(), d);
            uint64_t target = at + 64 * out.size();
            if (mode == 1)
                out[where] = move_imm({ { 62, uint32_t(target) }, { 63, uint32_t(target >> 32) } }),
                b.put(14, { 1 }).put(34, { 62, 63 });
            if (mode == 2)
                out[where] = move_imm({ { 62, uint32_t(d) } }), b.put(14, { 4 }).put(34, { 62 });
            out[where + setup] = b;
            n -= skip > n ? n : skip;
        } else {
            simple();
            n--;
        }
    }
}

void timing(Dut &dut, uint64_t *rng)
{
    dut.stall_pct = unsigned(tb_random(rng) % 3 * 30);
    dut.latency_max = unsigned(1 + tb_random(rng) % 40);
}

} // namespace

void seq_random(uint64_t seed, unsigned programs)
{
    tb_case("random_programs_match_the_reference");
    uint64_t rng = seed, issued = 0;
    for (unsigned p = 0; p < programs; p++) {
        uint64_t mine = rng;
        Dut dut(tb_random(&rng));
        timing(dut, &rng);
        uint64_t base = (tb_random(&rng) % 4 ? 0x100000 : 0x4ffffe000) + 64 * (tb_random(&rng) % 64);
        Writer w(tb_random(&rng) | 1, base);
        w.block(100, 0);
        for (int i = 0; i < 64; i++) /* the registers, seen from outside */
            w.out.push_back(store(i, DATA + 0x2000 + 4 * uint64_t(i)));
        w.out.push_back(halt());
        Pair pair(dut);
        for (unsigned i = 0; i < 4096; i += 4)
            pair.data(DATA + i, w.word(), 4);
        if (tb_random(&rng) % 8 == 0) {
            dut.bad_lo = DATA + 0x800;
            dut.bad_hi = DATA + 0x8ff;
        }
        bool ok = pair.run(base, w.out);
        issued += pair.ref.issued;
        if (!ok)
            std::printf("  program %u, seed 0x%" PRIx64 ", %zu slots\n", p, mine, w.out.size());
        TB_CHECK(ok);
        if (!ok)
            return;
    }
    std::printf("random programs: %u, %" PRIu64 " slots, seed 0x%" PRIx64 "\n", programs, issued, seed);
}

void seq_fuzz(uint64_t seed, unsigned slots)
{
    tb_case("mutated_slots_fault_or_run_like_the_reference");
    uint64_t rng = seed;
    unsigned faults = 0;
    Dut dut(tb_random(&rng));
    for (unsigned i = 0; i < slots; i++) {
        uint64_t mine = rng;
        Pair pair(dut);
        pair.ref.mem = dut.mem;
        Writer w(tb_random(&rng) | 1, 0x200000);
        do {
            w.out.clear();
            if (tb_random(&rng) % 6 == 0)
                w.out.push_back(branch_if(int(w.r(18)), int(w.r(12)), int(w.r(66)), uint32_t(w.r(66)),
                                          int32_t(64 + w.r(2) * 64)));
            else
                w.simple();
        } while (w.out.size() != 1);
        Slot &s = w.out[0];
        static const unsigned where[] = { 0,  4,  6,  8,  12, 13, 14, 15, 16, 17, 18, 20,
                                          23, 24, 25, 32, 33, 34, 35, 48, 32, 34, 36, 40 };
        for (uint64_t n = w.r(3); n; n--) {
            unsigned off = where[w.r(24)];
            s.put(off, { int(w.one_in(3) ? w.r(256) : w.one_in(2) ? w.r(16) : 0x80 + w.r(32)) });
        }
        w.out.push_back(halt());
        w.out.push_back(halt());
        w.out.push_back(halt());
        bool ok =
            (pair.load(0x200000, w.out), pair.run(0x200000, 0x200000, 0x200000 + 64 * w.out.size() - 1, 50));
        faults += pair.ref.state == ESTATE_FAULT;
        if (!ok) {
            std::printf("  slot %u, seed 0x%" PRIx64 ":", i, mine);
            for (uint8_t byte : s.b)
                std::printf(" %02x", byte);
            std::printf("\n");
        }
        TB_CHECK(ok);
        if (!ok)
            return;
        dut.to_idle();
    }
    std::printf("mutated slots: %u, %u of them fault, seed 0x%" PRIx64 "\n", slots, faults, seed);
    TB_CHECK(faults > slots / 5 && faults < slots);
}

void seq_resets(uint64_t seed, unsigned rounds)
{
    tb_case("release_run_stall_at_any_clock_is_safe");
    uint64_t rng = seed;
    Dut dut(tb_random(&rng));
    for (unsigned i = 0; i < rounds; i++) {
        timing(dut, &rng);
        uint64_t base = 0x100000;
        Writer w(tb_random(&rng) | 1, base);
        w.block(60, 0);
        w.out.push_back(halt());
        {
            Pair pair(dut);
            pair.load(base, w.out);
            dut.on_wait = [&] {
                dut.sync.satisfy(dut.top->wait_mode_o, dut.top->wait_idx_o, dut.top->wait_val_o);
            };
            dut.start(base, base, base + 64 * w.out.size() - 1);
            dut.tick(unsigned(tb_random(&rng) % 1500));
            dut.on_wait = nullptr;
            dut.lreg_write(LREG_RELEASE_RUN_STALL_OFF, 1);
            size_t before = dut.log.size();
            TB_CHECK(dut.run_until([&] { return dut.state == ESTATE_RESET; }, 4000));
            for (size_t j = before; j < dut.log.size(); j++) /* nothing new begins */
                TB_CHECK(dut.log[j].kind != EV_SEQ_ISSUE && dut.log[j].kind != EV_SEQ_RETIRE &&
                         dut.log[j].kind != LOG_UPD);
            TB_EQUAL(dut.lreg_read(LREG_RUN_STATE_OFF), RUN_IDLE);
            size_t quiet = dut.writes.size();
            dut.tick(100);
            TB_EQUAL(dut.writes.size(), quiet);
        }
        /* from a clean slate: registers 0, lr[] kept */
        Pair pair(dut);
        pair.load(base, { store(60, DATA), store(1, DATA + 4), notify(0), halt() });
        TB_CHECK(pair.run(base, base, base + 255));
        dut.to_idle();
    }
}
