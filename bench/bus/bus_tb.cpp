/*
 * Directed bench of the bus: addr_map, axi_fabric, axi2apb, apb_fabric (profiler-and-trace.md §9 rules 1-4). The RTL is
 * built with 64 and with 512 data bits.
 */
#include "bus_model.h"
#include "latency.h"

namespace {

struct Row {
    const char *name;
    uint64_t base, bytes;
    int slave; /* -1 memory */
    bool end_is_mapped; /* the next window follows without a gap */
};

const Row rows[] = {
    { "HBM", SOC_HBM0, SOC_HBM0_BYTES, -1, false },
    { "state buffer", SOC_SBUF, SOC_SBUF_BYTES, -1, false },
    { "PSUM", SOC_PSUM, SOC_PSUM_BYTES, -1, false },
    { "host memory", SOC_HOST, SOC_HOST_BYTES, -1, false },
    { "LOCAL_REG PE", SOC_LREG_PE, SOC_LREG_BYTES, TARGET_LREG - TARGET_LREG + MASTER_SEQ_PE, false },
    { "LOCAL_REG ACT", SOC_LREG_ACT, SOC_LREG_BYTES, MASTER_SEQ_ACT, false },
    { "LOCAL_REG POOL", SOC_LREG_POOL, SOC_LREG_BYTES, MASTER_SEQ_POOL, false },
    { "LOCAL_REG DVE", SOC_LREG_DVE, SOC_LREG_BYTES, MASTER_SEQ_DVE, false },
    { "LOCAL_REG SP", SOC_LREG_SP, SOC_LREG_BYTES, MASTER_SEQ_SP, false },
    { "EVT_SEM", SOC_EVT, SOC_EVT_BYTES, TARGET_EVT - TARGET_LREG, false },
    { "tpb control", SOC_TPB_CTRL, SOC_TPB_CTRL_BYTES, TARGET_TPB_CTRL - TARGET_LREG, true },
    { "NOTIFIC", SOC_NOTIFIC, SOC_NOTIFIC_BYTES, TARGET_NOTIFIC - TARGET_LREG, false },
    { "TOP_SP_0 EVT_SEM", SOC_TOPSP0, SOC_EVT_BYTES, TARGET_TOPSP_EVT - TARGET_LREG, false },
    { "DMA engine 0", SOC_UDMA0, SOC_UDMA_BYTES, TARGET_UDMA - TARGET_LREG, true },
    { "DMA engine 1", SOC_UDMA0 + SOC_UDMA_STRIDE, SOC_UDMA_BYTES, TARGET_UDMA - TARGET_LREG + 1, false },
};

/* Names a case with its seed or variant. */
void case_of(const char *what, uint64_t n)
{
    static char name[96];
    std::snprintf(name, sizeof name, "%s %" PRIu64, what, n);
    tb_case(name);
}

uint32_t word_of(const Beat &b, uint64_t addr)
{
    uint32_t v;
    std::memcpy(&v, &b[addr & (BYTES - 1) & ~UINT64_C(3)], 4);
    return v;
}

/* One word at addr through a device master must end at the row's target with this offset. */
void hit(Bus &bus, const Row &row, uint64_t addr)
{
    if (row.slave < 0) {
        BurstP w = bus.write32(6, addr, 0x12340000u | (uint32_t)(addr & 0xffff));
        TB_CHECK(bus.wait(w));
        TB_EQUAL(w->resp.at(0), AXI_OKAY);
        BurstP r = bus.read(0, addr, 0, 2);
        TB_CHECK(bus.wait(r));
        TB_EQUAL(r->resp.at(0), AXI_OKAY);
        TB_EQUAL(word_of(r->data.at(0), addr), 0x12340000u | (uint32_t)(addr & 0xffff));
        TB_EQUAL(bus.last_aw, addr & ~SOC_ADDR_ATTR_MASK);
        TB_EQUAL(bus.last_ar, addr & ~SOC_ADDR_ATTR_MASK);
        uint32_t v = 0;
        TB_EQUAL(bus.host_wait(false, addr, &v), 1); /* memory is not on the host's register port */
        TB_EQUAL(v, SOC_POISON);
        return;
    }
    Slave &s = bus.s[row.slave];
    uint32_t off = (uint32_t)((addr & ~SOC_ADDR_ATTR_MASK) - row.base), v = 0;
    s.log.clear();
    BurstP w = bus.write32(2, addr, 0xabcd0000u + off);
    TB_CHECK(bus.wait(w));
    TB_EQUAL(w->resp.at(0), AXI_OKAY);
    BurstP r = bus.read(7, addr, 0, 2);
    TB_CHECK(bus.wait(r));
    TB_EQUAL(r->resp.at(0), AXI_OKAY);
    TB_EQUAL(word_of(r->data.at(0), addr), 0xabcd0000u + off);
    TB_EQUAL(bus.host_wait(false, addr, &v), 0);
    TB_EQUAL(v, 0xabcd0000u + off);
    v = 77;
    TB_EQUAL(bus.host_wait(true, addr, &v), 0);
    TB_EQUAL(s.regs[off], 77);
    TB_EQUAL(s.log.size(), 4);
    for (uint64_t l : s.log)
        TB_EQUAL(l & 0xfffff, off);
}

void miss(Bus &bus, uint64_t addr)
{
    BurstP w = bus.write32(3, addr, 1), r = bus.read(4, addr, 0, 2);
    TB_CHECK(bus.wait(w) && bus.wait(r));
    TB_EQUAL(w->resp.at(0), AXI_DECERR);
    TB_EQUAL(r->resp.at(0), AXI_DECERR);
    TB_EQUAL(word_of(r->data.at(0), addr), SOC_POISON);
    uint32_t v = 0;
    TB_EQUAL(bus.host_wait(false, addr, &v), 1);
    TB_EQUAL(v, SOC_POISON);
    TB_EQUAL(bus.host_wait(true, addr, &v), 1);
    for (const Slave &s : bus.s)
        TB_EQUAL(s.log.size(), 0);
}

void every_row_first_last_and_past()
{
    for (const Row &row : rows) {
        Bus bus(1);
        tb_case(row.name);
        hit(bus, row, row.base);
        hit(bus, row, row.base + row.bytes - 4);
        hit(bus, row, row.base + (row.bytes / 2 & ~UINT64_C(3)));
        hit(bus, row, row.base | SOC_ADDR_ATTR_MASK);
        hit(bus, row, row.base | (UINT64_C(1) << SOC_ADDR_ATTR_LSB));
        for (Slave &s : bus.s)
            s.log.clear();
        if (!row.end_is_mapped)
            miss(bus, row.base + row.bytes);
        miss(bus, row.base | UINT64_C(1) << 58);
        miss(bus, row.base | SOC_ADDR_CHIP_VALID);
        miss(bus, row.base | SOC_ADDR_DIE);
    }
}

void holes_are_unmapped()
{
    tb_case("holes are unmapped");
    Bus bus(2);
    const uint64_t holes[] = { SOC_APB_SE0, SOC_UDMA0 + N_DMA * SOC_UDMA_STRIDE, SOC_UDMA0 - 4, SOC_SBUF - 4,
        SOC_EVT - 4, SOC_LREG_PE - 4, SOC_LREG_DVE - 4, SOC_TPB_CTRL - 4, SOC_NOTIFIC + SOC_NOTIFIC_BYTES,
        SOC_TOPSP0 + SOC_EVT_BYTES, SOC_TOPSP0 + SOC_TOPSP_BYTES, SOC_TOPSP0 + SOC_TOPSP_STRIDE, SOC_HOST - 4,
        SOC_INTC, SOC_HARNESS, SOC_HBM1, UINT64_C(0x9000000000), UINT64_C(0x9000000004), SOC_EVT_TPB1,
        ~SOC_ADDR_ATTR_MASK & ~UINT64_C(3) };
    for (uint64_t a : holes)
        miss(bus, a);
}

void decerr_answers_whole_bursts()
{
    tb_case("rule 1: DECERR answers whole bursts");
    Bus bus(3);
    unsigned size = BYTES == 64 ? 6 : 3;
    BurstP r = bus.read(1, SOC_HBM1, 15, size);
    BurstP w = bus.write(1, SOC_HBM1, size, std::vector<Beat>(16), std::vector<uint64_t>(16, 1));
    BurstP r2 = bus.read(1, SOC_HBM0, 3, size), w2 = bus.write32(1, SOC_HBM0, 5);
    TB_CHECK(bus.wait(r) && bus.wait(w) && bus.wait(r2) && bus.wait(w2));
    TB_EQUAL(r->data.size(), 16);
    for (unsigned n = 0; n < 16; n++) {
        TB_EQUAL(r->resp.at(n), AXI_DECERR);
        for (unsigned i = 0; i < BYTES; i += 4)
            TB_EQUAL(word_of(r->data.at(n), i), SOC_POISON);
    }
    TB_EQUAL(w->resp.at(0), AXI_DECERR);
    TB_EQUAL(r2->resp.at(0), AXI_OKAY);
    TB_EQUAL(w2->resp.at(0), AXI_OKAY);
}

void bridge_takes_exactly_one_word()
{
    tb_case("rule 3: a write by its strobes, whatever awsize says");
    Bus bus(4);
    Slave &s = bus.s[TARGET_NOTIFIC - TARGET_LREG];
    for (unsigned lane = 0; lane < BYTES; lane += 4) {
        for (unsigned strobe = 0; strobe < 16; strobe++) {
            s.log.clear();
            Beat d{};
            uint32_t v = 0xc0de0000u + lane;
            std::memcpy(&d[lane], &v, 4);
            unsigned size = (lane / 4 + strobe) % (BYTES == 64 ? 7 : 4);
            BurstP w = bus.write(0, SOC_NOTIFIC + lane, size, { d }, { (uint64_t)strobe << lane });
            TB_CHECK(bus.wait(w));
            TB_EQUAL(w->resp.at(0), strobe == 15 ? AXI_OKAY : AXI_SLVERR);
            TB_EQUAL(s.log.size(), strobe == 15 ? 1 : 0);
            if (strobe == 15)
                TB_EQUAL(s.regs[lane], v);
        }
    }
    s.log.clear();
    BurstP two = bus.write(0, SOC_NOTIFIC, 3, { Beat{} }, { 0xff });
    BurstP astride = bus.write(0, SOC_NOTIFIC, 3, { Beat{} }, { 0x3c });
    BurstP burst = bus.write(0, SOC_NOTIFIC, 2, { Beat{}, Beat{} }, { 0xf, 0xf0 });
    BurstP once = bus.write(0, SOC_NOTIFIC, 2, { Beat{}, Beat{} }, { 0xf, 0 });
    TB_CHECK(bus.wait(two) && bus.wait(astride) && bus.wait(burst) && bus.wait(once));
    TB_EQUAL(two->resp.at(0), AXI_SLVERR);
    TB_EQUAL(astride->resp.at(0), AXI_SLVERR);
    TB_EQUAL(burst->resp.at(0), AXI_SLVERR);
    TB_EQUAL(once->resp.at(0), AXI_SLVERR);
    TB_EQUAL(s.log.size(), 0);

    tb_case("rule 3: the word a strobe names, not the address");
    Beat d{};
    uint32_t v = 99;
    std::memcpy(&d[4], &v, 4);
    BurstP high = bus.write(0, SOC_NOTIFIC, 3, { d }, { 0xf0 });
    TB_CHECK(bus.wait(high));
    TB_EQUAL(high->resp.at(0), AXI_OKAY);
    TB_EQUAL(s.log.at(0), 4 | UINT64_C(1) << 32);

    tb_case("rule 3: a read by arsize = 2");
    for (unsigned size = 0; size <= (BYTES == 64 ? 6u : 3u); size++) {
        for (unsigned byte = 0; byte < 8; byte++) {
            s.log.clear();
            BurstP r = bus.read(5, SOC_NOTIFIC + 8 + byte, 0, size);
            TB_CHECK(bus.wait(r));
            bool ok = size == 2 && byte % 4 == 0;
            TB_EQUAL(r->resp.at(0), ok ? AXI_OKAY : AXI_SLVERR);
            TB_EQUAL(s.log.size(), ok ? 1 : 0);
            if (!ok)
                TB_EQUAL(word_of(r->data.at(0), SOC_NOTIFIC + 8 + byte), SOC_POISON);
        }
    }
    s.log.clear();
    BurstP many = bus.read(5, SOC_NOTIFIC, 7, 2);
    TB_CHECK(bus.wait(many));
    TB_EQUAL(many->data.size(), 8);
    for (unsigned r : many->resp)
        TB_EQUAL(r, AXI_SLVERR);
    TB_EQUAL(s.log.size(), 0);

    tb_case("a slave error is SLVERR for both masters");
    s.error = true;
    BurstP r = bus.read(5, SOC_NOTIFIC, 0, 2), w = bus.write32(5, SOC_NOTIFIC, 1);
    TB_CHECK(bus.wait(r) && bus.wait(w));
    TB_EQUAL(r->resp.at(0), AXI_SLVERR);
    TB_EQUAL(w->resp.at(0), AXI_SLVERR);
    uint32_t h = 0;
    TB_EQUAL(bus.host_wait(false, SOC_NOTIFIC, &h), 1);
}

void host_is_not_blocked()
{
    tb_case("rule 3: a device access that waits at one slave never blocks the host at another");
    Bus bus(5);
    Slave &evt = bus.s[TARGET_EVT - TARGET_LREG];
    evt.hold = true;
    BurstP w = bus.write32(6, SOC_EVT + EVT_WIN_SEM_INC, 1);
    for (int i = 0; i < 20; i++)
        bus.step();
    TB_CHECK(!w->done);
    for (unsigned s = 0; s < sizeof rows / sizeof *rows; s++) {
        if (rows[s].slave < 0 || rows[s].base == SOC_EVT)
            continue;
        uint32_t v = 0;
        TB_EQUAL(bus.host_wait(false, rows[s].base, &v), 0);
        TB_CHECK(bus.host_finished - bus.host_started <= 3);
    }
    uint32_t v = 0;
    TB_EQUAL(bus.host_wait(false, SOC_HBM1, &v), 1);
    TB_CHECK(!w->done);
    bus.host(false, SOC_EVT + EVT_WIN_SEM_READ, 0); /* same slave: waits its turn */
    for (int i = 0; i < 20; i++)
        bus.step();
    TB_CHECK(bus.host_busy && !w->done);
    TB_EQUAL(evt.log.size(), 0);
    evt.hold = false;
    TB_CHECK(bus.wait(w, 20));
    for (int i = 0; i < 20 && bus.host_busy; i++)
        bus.step();
    TB_CHECK(!bus.host_busy && !bus.host_error);
    TB_EQUAL(evt.log.size(), 2);
    TB_EQUAL(evt.log.at(0) >> 32, 1); /* the device came first */

    tb_case("a host access that waits at one slave never blocks a device at another");
    evt.hold = true;
    bus.host(false, SOC_EVT, 0);
    for (int i = 0; i < 10; i++)
        bus.step();
    BurstP bell = bus.write32(2, SOC_UDMA0 + 0x1038, 2);
    TB_CHECK(bus.wait(bell, 20));
    TB_CHECK(bus.host_busy);
    evt.hold = false;
    for (int i = 0; i < 20 && bus.host_busy; i++)
        bus.step();
    TB_CHECK(!bus.host_busy);

    tb_case("one slave serves the two APB masters in turn");
    evt.log.clear();
    evt.wait = 3;
    std::vector<BurstP> writes;
    for (int i = 0; i < 20; i++)
        writes.push_back(bus.write32(6, SOC_EVT + EVT_WIN_SEM_INC, 1));
    uint64_t worst = 0;
    for (int i = 0; i < 8; i++) {
        uint32_t x = 0;
        TB_EQUAL(bus.host_wait(false, SOC_EVT, &x), 0);
        worst = std::max(worst, bus.host_finished - bus.host_started);
    }
    TB_CHECK(worst <= 2 * (3 + 3));
    TB_CHECK(bus.drain());
    TB_EQUAL(evt.log.size(), 28);
    for (unsigned first = 0; first < 2; first++) { /* both ask in the same clock: the one served last waits */
        for (int i = 0; i < 10; i++)
            bus.step();
        uint32_t x = 0;
        if (first == 0)
            TB_EQUAL(bus.host_wait(false, SOC_EVT, &x), 0);
        else
            TB_CHECK(bus.wait(bus.write32(6, SOC_EVT, 1)));
        evt.log.clear();
        BurstP b = bus.write32(6, SOC_EVT, 1);
        while (!bus.t.bridge_next)
            bus.step();
        bus.step();
        bus.host(false, SOC_EVT, 0);
        while (!b->done || bus.host_busy)
            bus.step();
        TB_EQUAL(evt.log.size(), 2);
        TB_EQUAL(evt.log.at(0) >> 32, first == 0 ? 1 : 0);
    }
}

void bridge_serves_reads_and_writes_in_turn()
{
    tb_case("the bridge serves reads and writes in turn");
    Bus bus(10);
    std::vector<BurstP> writes, reads;
    for (unsigned i = 0; i < 20; i++) {
        writes.push_back(bus.write32(i % N_M, SOC_NOTIFIC + 4 * i, i));
        reads.push_back(bus.read((i + 3) % N_M, SOC_NOTIFIC, 0, 2));
    }
    TB_CHECK(bus.drain());
    const std::vector<uint64_t> &log = bus.s[TARGET_NOTIFIC - TARGET_LREG].log;
    TB_EQUAL(log.size(), 40);
    for (unsigned i = 1; i < log.size(); i++)
        TB_CHECK(log[i] >> 32 != log[i - 1] >> 32);
}

void memory_is_not_blocked_by_registers()
{
    tb_case("a register access that waits does not hold the memory port");
    Bus bus(6);
    bus.s[0].hold = true;
    BurstP w = bus.write32(0, SOC_LREG_PE, 1);
    for (int i = 0; i < 10; i++)
        bus.step();
    BurstP other = bus.write32(1, SOC_HBM0 + 64, 3), r = bus.read(1, SOC_HBM0 + 64, 0, 2);
    TB_CHECK(bus.wait(other, 20) && bus.wait(r, 20));
    TB_CHECK(!w->done);
    bus.s[0].hold = false;
    TB_CHECK(bus.wait(w, 20));
}

void full_throughput()
{
    unsigned size = BYTES == 64 ? 6 : 3;
    for (unsigned masters : { 1u, 8u }) {
        for (unsigned len : { 0u, 1u, 15u }) {
            case_of("one beat per clock, masters * 100 + burst length", masters * 100 + len + 1);
            Bus bus(7);
            unsigned bursts = 320 / (len + 1) / masters, beats = bursts * (len + 1) * masters;
            for (unsigned n = 0; n < bursts; n++)
                for (unsigned i = 0; i < masters; i++) {
                    uint64_t a = 0x10000 * (i + 1) + n * (len + 1) * BYTES;
                    bus.read(i, a, len, size);
                    bus.write(i, a, size, std::vector<Beat>(len + 1), std::vector<uint64_t>(len + 1, 0xff));
                }
            uint64_t start = bus.cycle;
            TB_CHECK(bus.drain());
            TB_CHECK(bus.cycle - start <= beats + 12);
            TB_EQUAL(bus.read_beats, beats);
            TB_EQUAL(bus.write_beats, beats);
        }
    }

    tb_case("round robin: no master waits longer than the others' one burst each");
    Bus bus(8);
    for (unsigned n = 0; n < 40; n++)
        for (unsigned i = 0; i < N_M; i++)
            bus.read(i, 0x1000 * i, 0, size);
    TB_CHECK(bus.drain());
    for (unsigned n = 0; n + N_M <= bus.served.size(); n++) {
        unsigned seen = 0;
        for (unsigned i = 0; i < N_M; i++)
            seen |= 1u << bus.served[n + i];
        TB_EQUAL(seen, (1u << N_M) - 1);
    }
}

/* Random traffic: each master has its own memory and its own word in every slave, so that it knows what it must read. */
void random_masters(uint64_t seed)
{
    case_of("random masters, seed", seed);
    Bus bus(seed * 77 + 1);
    uint64_t r = seed + 1;
    bus.stall = (unsigned)(tb_random(&r) % 14);
    struct Want { BurstP b; std::vector<Beat> data; unsigned resp; uint64_t compare; };
    std::vector<Want> want;
    std::map<uint64_t, uint8_t> ours;
    uint32_t word[N_M][N_S] = {};
    for (Slave &s : bus.s)
        for (unsigned i = 0; i < N_M; i++)
            s.regs[0x40 + 4 * i] = 0;
    const unsigned max_size = BYTES == 64 ? 6 : 3;
    unsigned host_accesses = 0;
    for (unsigned n = 0; n < 400; n++) {
        unsigned i = (unsigned)(tb_random(&r) % N_M);
        unsigned kind = (unsigned)(tb_random(&r) % 8);
        for (Slave &s : bus.s)
            s.wait = (unsigned)(tb_random(&r) % 8);
        if (kind == 7) {
            uint64_t hole = SOC_HBM1 + tb_random(&r) % (4096 - 3 * BYTES) / 64 * 64; /* a burst stays in its 4 KiB */
            unsigned len = (unsigned)(tb_random(&r) % 4);
            if (tb_random(&r) & 1)
                want.push_back({ bus.read(i, hole, len, max_size), {}, AXI_DECERR, 0 });
            else
                want.push_back({ bus.write(i, hole, max_size, std::vector<Beat>(len + 1),
                    std::vector<uint64_t>(len + 1, 1)), {}, AXI_DECERR, 0 });
        } else if (kind >= 5) {
            const Row &row = rows[4 + tb_random(&r) % 11];
            uint64_t a = row.base + 0x40 + 4 * i;
            if (tb_random(&r) & 1) {
                word[i][row.slave] = (uint32_t)tb_random(&r);
                want.push_back({ bus.write32(i, a, word[i][row.slave]), {}, AXI_OKAY, 0 });
                TB_CHECK(bus.wait(want.back().b)); /* read and write channels have no order between them */
            } else {
                Beat d{};
                std::memcpy(&d[a & (BYTES - 1)], &word[i][row.slave], 4);
                want.push_back({ bus.read(i, a, 0, 2), { d }, AXI_OKAY, UINT64_C(0xf) << (a & (BYTES - 1)) });
            }
        } else {
            unsigned len = (unsigned)(tb_random(&r) % 8);
            uint64_t a = 0x100000 * (i + 1) + tb_random(&r) % (4096 - 8 * BYTES);
            if (len > 0)
                a &= ~(uint64_t)(BYTES - 1);
            if (tb_random(&r) & 1) {
                std::vector<Beat> data(len + 1);
                std::vector<uint64_t> strobe(len + 1);
                uint64_t at = a;
                for (unsigned b = 0; b <= len; b++) {
                    strobe[b] = tb_random(&r) & (BYTES == 64 ? ~UINT64_C(0) : 0xff);
                    strobe[b] = strobe[b] >> (at % BYTES) << (at % BYTES);
                    for (unsigned k = 0; k < BYTES; k++) {
                        data[b][k] = (uint8_t)tb_random(&r);
                        if (strobe[b] >> k & 1)
                            ours[beat_base(at) + k] = data[b][k];
                    }
                    at = next_beat(at, max_size);
                }
                want.push_back({ bus.write(i, a, max_size, data, strobe), {}, AXI_OKAY, 0 });
                TB_CHECK(bus.wait(want.back().b));
            } else {
                std::vector<Beat> data;
                uint64_t at = a;
                for (unsigned b = 0; b <= len; b++) {
                    Beat d;
                    for (unsigned k = 0; k < BYTES; k++)
                        d[k] = ours.count(beat_base(at) + k) ? ours[beat_base(at) + k] : 0;
                    data.push_back(d);
                    at = next_beat(at, max_size);
                }
                want.push_back({ bus.read(i, a, len, max_size), data, AXI_OKAY, ~UINT64_C(0) });
                if (tb_random(&r) & 1)
                    TB_CHECK(bus.wait(want.back().b));
            }
        }
        /* A later write may not overtake a read that is still out: let this master's reads end first. */
        for (const Want &x : want)
            if (!x.b->done && (tb_random(&r) & 3) == 0)
                bus.wait(x.b);
        if (!bus.host_busy && (tb_random(&r) & 3) == 0) {
            bus.host(false, rows[4 + tb_random(&r) % 11].base + 0x800, 0);
            host_accesses++;
        }
        for (unsigned k = tb_random(&r) % 4; k > 0; k--)
            bus.step();
        if ((tb_random(&r) & 7) == 0)
            TB_CHECK(bus.drain());
        bool write_next_is_safe = true;
        for (const Want &x : want)
            write_next_is_safe = write_next_is_safe && x.b->done;
        if (!write_next_is_safe)
            TB_CHECK(bus.drain());
    }
    TB_CHECK(bus.drain());
    TB_CHECK(host_accesses > 10);
    for (const Want &x : want) {
        TB_CHECK(x.b->done);
        for (unsigned resp : x.b->resp)
            if (resp != x.resp)
                TB_EQUAL(resp, x.resp);
        for (unsigned b = 0; b < x.data.size() && b < x.b->data.size(); b++)
            for (unsigned k = 0; k < BYTES; k++)
                if ((x.compare >> k & 1) && x.b->data[b][k] != x.data[b][k])
                    TB_EQUAL(x.b->data[b][k], x.data[b][k]);
    }
}

/* Many bursts of each master to mixed targets at once: order, count and no deadlock. Payload checked by the model. */
void order_across_targets(uint64_t seed)
{
    case_of("responses in order across targets, seed", seed);
    Bus bus(seed + 1000);
    uint64_t r = seed + 5;
    bus.stall = (unsigned)(tb_random(&r) % 12);
    std::vector<BurstP> all;
    std::vector<unsigned> resp;
    const unsigned max_size = BYTES == 64 ? 6 : 3;
    for (unsigned n = 0; n < 300; n++) {
        unsigned i = (unsigned)(tb_random(&r) % N_M), len = (unsigned)(tb_random(&r) % 6);
        const uint64_t places[] = { SOC_HBM0 + 0x1000 * i, SOC_EVT + 4 * i, SOC_HBM1, SOC_HOST + 0x2000 };
        unsigned place = (unsigned)(tb_random(&r) % 4);
        if (place == 1)
            len = 0;
        bool wr = tb_random(&r) & 1;
        all.push_back(!wr ? bus.read(i, places[place], len, place == 1 ? 2 : max_size)
                      : place == 1 ? bus.write32(i, places[place], n)
                                   : bus.write(i, places[place], max_size, std::vector<Beat>(len + 1),
                                               std::vector<uint64_t>(len + 1, 0xf)));
        resp.push_back(place == 2 ? AXI_DECERR : AXI_OKAY);
    }
    TB_CHECK(bus.drain(60000));
    for (unsigned n = 0; n < all.size(); n++) {
        TB_CHECK(all[n]->done);
        if (all[n]->done)
            TB_EQUAL(all[n]->resp.back(), resp[n]);
    }
}

void latencies()
{
    tb_case("published latencies (docs/rtl.md)");
    Bus bus(11);
    const unsigned size = BYTES == 64 ? 6 : 3;
    BurstP r = bus.read(3, SOC_HBM0, 0, size), w = bus.write(4, SOC_HBM0 + BYTES, size, { Beat{} }, { 0xff });
    TB_EQUAL(bus.t.s_arvalid | bus.t.s_awvalid, 0);
    for (int i = 0; i < LAT_FABRIC_ADDRESS; i++)
        bus.step();
    TB_CHECK(bus.t.s_arvalid && bus.t.s_awvalid);
    TB_CHECK(bus.wait(r) && bus.wait(w));
    TB_EQUAL(r->finished - r->issued, LAT_FABRIC_ADDRESS + 1 + LAT_FABRIC_DATA); /* the stand-in answers one clock later */
    TB_EQUAL(w->finished - w->issued, LAT_FABRIC_ADDRESS + 2 + LAT_FABRIC_DATA);
    uint32_t x = 0;
    TB_EQUAL(bus.host_wait(false, SOC_NOTIFIC, &x), 0);
    TB_EQUAL(bus.host_finished - bus.host_started, LAT_APB_HOST);
    w = bus.write32(6, SOC_EVT, 1);
    TB_CHECK(bus.wait(w));
    r = bus.read(6, SOC_EVT, 0, 2);
    TB_CHECK(bus.wait(r));
    TB_EQUAL(r->finished - r->issued, LAT_APB_DEVICE_READ);
    TB_EQUAL(w->finished - w->issued, LAT_APB_DEVICE_WRITE);
    r = bus.read(6, SOC_INTC, 0, 2);
    TB_CHECK(bus.wait(r));
    w = bus.write32(6, SOC_INTC, 1);
    TB_CHECK(bus.wait(w));
    TB_EQUAL(r->finished - r->issued, LAT_DECERR_READ);
    TB_EQUAL(w->finished - w->issued, LAT_DECERR_WRITE);
}

void quiet_after_reset()
{
    tb_case("nothing moves after reset");
    Bus bus(9);
    for (int i = 0; i < 20; i++) {
        bus.step();
        TB_EQUAL(bus.t.s_awvalid | bus.t.s_wvalid | bus.t.s_arvalid | bus.t.p_psel | bus.t.m_bvalid | bus.t.m_rvalid, 0);
    }
}

} // namespace

int main()
{
    quiet_after_reset();
    every_row_first_last_and_past();
    holes_are_unmapped();
    decerr_answers_whole_bursts();
    bridge_takes_exactly_one_word();
    host_is_not_blocked();
    bridge_serves_reads_and_writes_in_turn();
    memory_is_not_blocked_by_registers();
    full_throughput();
    latencies();
    for (uint64_t seed = 0; seed < 12; seed++) {
        random_masters(seed);
        order_across_targets(seed);
    }
    return tb_finish();
}
