/*
 * Bench "sim": the assembled core through the C API of the simulator (rtl_sim.h). It checks what only the assembly can
 * get wrong: every block answers at its address, every record stream reaches the right queue with the right class, the
 * plain DMA copy of slice-walkthrough.md §12 works with every timing, waves and fault injection do what they say.
 */
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include <unistd.h>

#include "gtkwave/fstapi.h"
#include "latency.h"
#include "regs.h"
#include "sim/rtl_sim.h"
#include "tb.h"

namespace {

const uint64_t lreg[] = { SOC_LREG_PE, SOC_LREG_ACT, SOC_LREG_POOL, SOC_LREG_DVE, SOC_LREG_SP };
const unsigned block_id[] = { BLOCKID_PE, BLOCKID_ACT, BLOCKID_POOL, BLOCKID_DVE, BLOCKID_SP };
const std::string scratch_name = "sim_smoke." + std::to_string(getpid()) + ".fst"; /* in the working directory */
const char *const scratch = scratch_name.c_str();

std::vector<struct dev_event> events;
bool ordered;

int keep(void *, const struct dev_event *ev)
{
    if (!events.empty() && (ev->cycle < events.back().cycle ||
                            (ev->cycle == events.back().cycle && ev->kind < events.back().kind)))
        ordered = false;
    events.push_back(*ev);
    return 0;
}

unsigned count(unsigned kind)
{
    unsigned n = 0;
    for (const struct dev_event &e : events)
        n += e.kind == kind;
    return n;
}

struct rtl_sim *open_sim(uint64_t seed = 0, bool random = false, const char *inject = nullptr)
{
    struct rtl_config cfg = { seed, random, inject };
    struct nerr err;
    struct rtl_sim *s = rtl_open(&cfg, &err);
    TB_CHECK(s != nullptr);
    if (!s) {
        std::printf("%s\n", err.text);
        std::exit(tb_finish());
    }
    events.clear();
    ordered = true;
    rtl_sink(s, keep, nullptr);
    return s;
}

uint32_t get(struct rtl_sim *s, uint64_t soc)
{
    uint32_t v = 0xbadbad00;
    TB_EQUAL(rtl_apb_read(s, soc, &v), 0);
    return v;
}

void set(struct rtl_sim *s, uint64_t soc, uint32_t v) { TB_EQUAL(rtl_apb_write(s, soc, v), 0); }

void every_block_answers()
{
    tb_case("every block answers with its reset values");
    struct rtl_sim *s = open_sim();
    for (uint64_t l : lreg) {
        TB_EQUAL(get(s, l + LREG_RELEASE_RUN_STALL_OFF), LREG_RELEASE_RUN_STALL_RESET);
        TB_EQUAL(get(s, l + LREG_MODE_OFF), LREG_MODE_RESET);
        TB_EQUAL(get(s, l + LREG_RUN_STATE_OFF), RUN_IDLE);
        set(s, l + LREG_PC_LO_OFF, (uint32_t)l ^ 0x55);
    }
    for (uint64_t l : lreg)
        TB_EQUAL(get(s, l + LREG_PC_LO_OFF), (uint32_t)l ^ 0x55);
    TB_EQUAL(get(s, SOC_TPB_CTRL + TPB_SEM_HIGH_OFF), TPB_SEM_HIGH_RESET);
    TB_EQUAL(get(s, SOC_NOTIFIC + NQ_COAL_TIMER_OFF), NQ_COAL_TIMER_RESET);
    TB_EQUAL(get(s, SOC_NOTIFIC + NQ_TIMESTAMP_INC_OFF), NQ_TIMESTAMP_INC_RESET);
    for (unsigned e = 0; e < SIM_N_DMA; e++) {
        uint64_t base = SOC_UDMA0 + e * SOC_UDMA_STRIDE;
        TB_EQUAL(get(s, base + UDMA_Q_FIRST + M2SQ_TDCP_OFF), 0x40000000); /* ring id 1, offset 0 (udma.md §6.2) */
        set(s, base + UDMA_Q_FIRST + M2SQ_TDRBP_LOW_OFF, 0x1000 + e * 0x40);
    }
    for (unsigned e = 0; e < SIM_N_DMA; e++)
        TB_EQUAL(get(s, SOC_UDMA0 + e * SOC_UDMA_STRIDE + UDMA_Q_FIRST + M2SQ_TDRBP_LOW_OFF), 0x1000 + e * 0x40);

    tb_case("the two EVT_SEM units are two");
    set(s, SOC_EVT + EVT_WIN_SEM_INC + 4 * 7, 5);
    set(s, SOC_TOPSP0 + EVT_WIN_SEM_INC + 4 * 7, 9);
    TB_EQUAL(get(s, SOC_EVT + EVT_WIN_SEM_READ + 4 * 7), 5);
    TB_EQUAL(get(s, SOC_TOPSP0 + EVT_WIN_SEM_READ + 4 * 7), 9);
    unsigned units = 0;
    for (const struct dev_event &e : events)
        if (e.kind == EV_SEM)
            units |= 1u << e.unit;
    TB_EQUAL(units, 3);

    tb_case("an unmapped register is refused and reads poison");
    uint32_t v = 0;
    TB_EQUAL(rtl_apb_read(s, SOC_INTC, &v), 1);
    TB_EQUAL(v, SOC_POISON);
    TB_EQUAL(rtl_apb_write(s, SOC_HBM0, 1), 1);
    TB_EQUAL(events.back().kind, EV_APB_WR);
    TB_EQUAL(events.back().dir, 1);
    TB_EQUAL(events.back().code, MASTER_HOST);
    TB_CHECK(ordered);
    rtl_close(s);
}

void back_door_knows_memory()
{
    tb_case("the back door knows what is memory");
    struct rtl_sim *s = open_sim();
    const uint64_t base[] = { SOC_HBM0, SOC_SBUF, SOC_PSUM, SOC_HOST };
    const uint64_t bytes[] = { SOC_HBM0_BYTES, SOC_SBUF_BYTES, SOC_PSUM_BYTES, SOC_HOST_BYTES };
    char in[8] = "neffsim", out[8];
    for (unsigned i = 0; i < 4; i++) {
        TB_EQUAL(rtl_mem_write(s, base[i] + bytes[i] - 8, in, 8), 0);
        TB_EQUAL(rtl_mem_read(s, base[i] + bytes[i] - 8, out, 8), 0);
        TB_CHECK(std::memcmp(in, out, 8) == 0);
        TB_EQUAL(rtl_mem_write(s, base[i] + bytes[i] - 7, in, 8), 1);
        TB_EQUAL(rtl_mem_read(s, base[i] + bytes[i], out, 1), 1);
    }
    TB_EQUAL(rtl_mem_read(s, SOC_EVT, out, 4), 1);
    TB_EQUAL(rtl_mem_read(s, 0, out, SIZE_MAX), 1);
    rtl_close(s);
}

/* NOTIFIC and routing as slice-walkthrough.md §5 R1, R2. */
void setup_records(struct rtl_sim *s)
{
    set(s, SOC_NOTIFIC + NQ_WR_BUF_ENABLE_LO_OFF, 0xffffffff);
    set(s, SOC_NOTIFIC + NQ_WR_BUF_ENABLE_HI_OFF, 0xffffffff);
    set(s, SOC_NOTIFIC + NQ_SW_BACKPRESSURE_OFF, 0x3ff);
    set(s, SOC_NOTIFIC + NQ_HW_BACKPRESSURE_LO_OFF, 0xffffffff);
    set(s, SOC_NOTIFIC + NQ_HW_BACKPRESSURE_HI_OFF, 0xffffffff);
    set(s, SOC_NOTIFIC + NQ_TIMESTAMP_INC_OFF, NQ_TIMESTAMP_INC_1GHZ);
    for (unsigned q = 0; q < LOAD_RECORD_RINGS; q++) {
        uint64_t bank = SOC_NOTIFIC + NQ_Q_BASE + q * NQ_Q_STRIDE;
        uint64_t ring = LOAD_RECORD_RING + q * LOAD_RECORD_RING_STRIDE;
        set(s, bank + NQQ_BASE_HI_OFF, (uint32_t)(ring >> 32));
        set(s, bank + NQQ_BASE_LO_OFF, (uint32_t)ring);
        set(s, bank + NQQ_SIZE_OFF, LOAD_RECORD_RING_BYTES);
        set(s, bank + NQQ_HEAD_OFF, 0);
    }
    set(s, SOC_NOTIFIC + NQ_ENABLE_OFF, 0xf);
    set(s, SOC_TPB_CTRL + TPB_ROUTE_PE_POOL_OFF, 0x00100010);
    set(s, SOC_TPB_CTRL + TPB_ROUTE_ACT_DVE_OFF, 0x00100010);
    set(s, SOC_TPB_CTRL + TPB_ROUTE_SP_EVT_OFF, 0x00020010);
    set(s, SOC_TPB_CTRL + TPB_ROUTE_ERR_OFF, NROUTE_ERRORS);
}

std::vector<uint32_t> record(struct rtl_sim *s, unsigned queue, unsigned n)
{
    std::vector<uint32_t> w(4);
    TB_EQUAL(rtl_mem_read(s, LOAD_RECORD_RING + queue * LOAD_RECORD_RING_STRIDE + n * NQ_RECORD_BYTES, w.data(), 16), 0);
    return w;
}

unsigned field(uint32_t word, unsigned msb, unsigned lsb) { return word >> lsb & ((2u << (msb - lsb)) - 1); }

/* Class bit of the NQ_IN event of the n-th record that went to `queue`. */
unsigned class_of(unsigned queue, unsigned n)
{
    for (const struct dev_event &e : events)
        if (e.kind == EV_NQ_IN && e.queue == queue && n-- == 0)
            return e.code;
    return 255;
}

void records_reach_their_queues()
{
    tb_case("a fake error reaches the errors queue and stops the run");
    struct rtl_sim *s = open_sim();
    setup_records(s);
    set(s, SOC_TPB_CTRL + TPB_FAKE_ERROR_DATA_OFF, 0x12345678);
    set(s, SOC_TPB_CTRL + TPB_FAKE_ERROR_CTRL_OFF, 1);
    uint64_t before = rtl_cycle(s);
    TB_EQUAL(rtl_run(s, 1000, true), 1);
    TB_CHECK(rtl_cycle(s) - before < 60);
    std::vector<uint32_t> r = record(s, NROUTE_ERRORS, 0);
    TB_EQUAL(field(r[0], NOTIF_W0_TYPE_MSB, NOTIF_W0_TYPE_LSB), NTYPE_TPB_ERROR);
    TB_EQUAL(field(r[0], 7, 0), NERR_FAKE_ERROR);
    TB_EQUAL(r[1], 0x12345678);
    TB_EQUAL(class_of(NROUTE_ERRORS, 0), NCLASS_ERROR_FAKE_ERROR);

    tb_case("a bus-side semaphore update reaches the events queue");
    set(s, SOC_TPB_CTRL + TPB_EVT_NOTIFY_OFF, 1);
    set(s, SOC_EVT + EVT_WIN_SEM_SET + 4 * 3, 0);
    TB_EQUAL(rtl_run(s, 1000, true), 1);
    r = record(s, NROUTE_EVENTS, 0);
    TB_EQUAL(field(r[0], NOTIF_W0_TYPE_MSB, NOTIF_W0_TYPE_LSB), NTYPE_AXI_EVT_SEM);
    TB_EQUAL(class_of(NROUTE_EVENTS, 0), NCLASS_EVSEM);

    tb_case("a semaphore overflow reaches the errors queue");
    set(s, SOC_EVT + EVT_WIN_SEM_SET + 4 * 9, 0x7fffffff);
    set(s, SOC_EVT + EVT_WIN_SEM_INC + 4 * 9, 1);
    rtl_run(s, 200, false);
    r = record(s, NROUTE_ERRORS, 1);
    TB_EQUAL(field(r[0], 7, 0), NERR_SEMAPHORE_ERROR);
    TB_EQUAL(r[1], 9);
    TB_EQUAL(class_of(NROUTE_ERRORS, 1), NCLASS_ERROR_SEMAPHORE_ERROR);
    TB_CHECK(ordered);
    rtl_close(s);

    static const unsigned own[] = { NCLASS_PE_0, NCLASS_ACT_0, NCLASS_POOL_0, NCLASS_DVE_0, NCLASS_SP };
    static const unsigned fatal[] = { NCLASS_PE_FATAL, NCLASS_ACT_FATAL, NCLASS_POOL_FATAL, NCLASS_DVE_FATAL,
        NCLASS_SP_FATAL };
    for (unsigned e = 0; e < ENG_COUNT; e++) {
        tb_case("NOTIFY, bus error and fatal fault of each engine");
        s = open_sim();
        setup_records(s);
        uint8_t image[3 * 64] = { 0xa6, 0x10, 0, 4 }; /* NOTIFY hint 4; WRITE to nowhere; opcode 0 */
        const uint8_t write[] = { 0xa5, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0x40, 0, 0, 0x85, 0x85, 0, 0, 0, 1 };
        std::memcpy(image + 64, write, sizeof write);
        TB_EQUAL(rtl_mem_write(s, LOAD_IMAGE_BASE, image, sizeof image), 0);
        set(s, lreg[e] + LREG_PC_LO_OFF, LOAD_IMAGE_BASE);
        set(s, lreg[e] + LREG_BOUND_LO_LO_OFF, LOAD_IMAGE_BASE);
        set(s, lreg[e] + LREG_BOUND_HI_LO_OFF, LOAD_IMAGE_BASE + sizeof image - 1);
        set(s, lreg[e] + LREG_RELEASE_RUN_STALL_OFF, 0);
        set(s, lreg[e] + LREG_START_CTRL_OFF, 1);
        rtl_run(s, 400, false);
        r = record(s, NROUTE_EXPLICIT, 0);
        TB_EQUAL(field(r[0], NOTIF_W0_TYPE_MSB, NOTIF_W0_TYPE_LSB), NTYPE_ENG_BASE + NTYPE_ENG_STRIDE * e + NKIND_EXPLICIT);
        TB_EQUAL(class_of(NROUTE_EXPLICIT, 0), own[e]);
        bool seen_bus = false, seen_fatal = false;
        for (unsigned n = 0; n < 2; n++) {
            r = record(s, NROUTE_ERRORS, n);
            TB_EQUAL(field(r[0], NOTIF_W0_TYPE_MSB, NOTIF_W0_TYPE_LSB), NTYPE_TPB_ERROR);
            if (field(r[0], 7, 0) == NERR_MEMORY_ERROR) {
                seen_bus = true;
                TB_EQUAL(r[1], 0x85000040);
                TB_EQUAL(class_of(NROUTE_ERRORS, n), NCLASS_ERROR_MEMORY_ERROR);
            } else if (field(r[0], 7, 0) == NERR_SEQ_FATAL) {
                seen_fatal = true;
                TB_EQUAL(field(r[1], 3, 0), block_id[e]);
                TB_EQUAL(field(r[1], 15, 4), 2);
                TB_EQUAL(class_of(NROUTE_ERRORS, n), fatal[e]);
            }
        }
        TB_CHECK(seen_bus && seen_fatal);
        TB_EQUAL(count(EV_BUS_ERR), 1);
        for (const struct dev_event &ev : events)
            if (ev.kind == EV_BUS_ERR) {
                TB_EQUAL(ev.code, MASTER_SEQ_PE + e);
                TB_EQUAL(ev.addr, UINT64_C(0x8585000040));
                TB_EQUAL(ev.value, AXI_DECERR);
                TB_EQUAL(ev.dir, 1);
            }
        TB_CHECK(ordered);
        rtl_close(s);
    }
}

/* slice-walkthrough.md §12 with its rings, registers and poll; `first_m2s`: the M2S bell comes first. */
void descriptor(struct rtl_sim *s, uint64_t at, uint32_t w0, uint32_t w1, uint64_t addr)
{
    uint32_t d[4] = { w0, w1, (uint32_t)addr, (uint32_t)(addr >> 32) };
    TB_EQUAL(rtl_mem_write(s, at, d, sizeof d), 0);
}

const uint64_t m2sq = SOC_UDMA0 + UDMA_Q_FIRST, s2mq = SOC_UDMA0 + UDMA_S2M_OFF + UDMA_Q_FIRST;
const uint64_t src = 0x01000000, dst = 0x01010000, m2s = 0x00800000, s2m = 0x00801000;

void setup_copy(struct rtl_sim *s)
{
    uint8_t data[4096];
    for (unsigned i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 7 + i / 256);
    TB_EQUAL(rtl_mem_write(s, src, data, sizeof data), 0);
    uint32_t marker[2] = { 0xabcdef01, 0 };
    TB_EQUAL(rtl_mem_write(s, LOAD_HOST_BUFFERS, marker, sizeof marker), 0);
    descriptor(s, m2s, 0x0d001000, 0x05080003, src);
    descriptor(s, m2s + 16, 0x0d000004, 0x01080003, LOAD_HOST_BUFFERS);
    descriptor(s, s2m, 0x01001000, 0, dst);
    descriptor(s, s2m + 16, 0x01000004, 0, LOAD_HOST_BUFFERS + 4);
    set(s, SOC_UDMA0 + M2S_CFG_LEN_OFF, 0x010fffff);
    set(s, SOC_UDMA0 + M2S_DESC_PREF_CFG_2_OFF, 0x00010041);
    set(s, SOC_UDMA0 + UDMA_APP_OFF, 1);
    const uint32_t mw[][2] = { { M2SQ_RATE_LIMIT_MASK_OFF, 3 }, { M2SQ_CFG_OFF, 0x03000000 },
        { M2SQ_Q_SW_CTRL_OFF, 0x100 }, { M2SQ_TDRBP_LOW_OFF, (uint32_t)m2s }, { M2SQ_TDRBP_HIGH_OFF, 0 },
        { M2SQ_TDRL_OFF, 32 }, { M2SQ_COMP_CFG_OFF, 0 }, { M2SQ_CFG_OFF, 0x03030000 } };
    const uint32_t sw[][2] = { { S2MQ_CFG_OFF, 0x03000000 }, { S2MQ_Q_SW_CTRL_OFF, 0x100 },
        { S2MQ_RDRBP_LOW_OFF, (uint32_t)s2m }, { S2MQ_RDRBP_HIGH_OFF, 0 }, { S2MQ_RDRL_OFF, 32 },
        { S2MQ_COMP_CFG_OFF, 0 }, { S2MQ_CFG_OFF, 0x03030000 } };
    for (const auto &w : mw)
        set(s, m2sq + w[0], w[1]);
    for (const auto &w : sw)
        set(s, s2mq + w[0], w[1]);
}

/* Rings both bells and waits for the marker. Returns the clocks it took, or 0 when it never came. */
uint64_t run_copy(struct rtl_sim *s, bool first_m2s)
{
    set(s, first_m2s ? m2sq + M2SQ_TDRTP_INC_OFF : s2mq + S2MQ_RDRTP_INC_OFF, 2);
    if (first_m2s)
        rtl_run(s, 100, false);
    set(s, first_m2s ? s2mq + S2MQ_RDRTP_INC_OFF : m2sq + M2SQ_TDRTP_INC_OFF, 2);
    uint64_t start = rtl_cycle(s);
    uint32_t word = 0;
    while (word != 0xabcdef01 && rtl_cycle(s) - start < 20000) {
        rtl_run(s, 16, false);
        TB_EQUAL(rtl_mem_read(s, LOAD_HOST_BUFFERS + 4, &word, 4), 0);
    }
    return word == 0xabcdef01 ? rtl_cycle(s) - start : 0;
}

bool copy_is_right(struct rtl_sim *s)
{
    uint8_t a[4096], b[4096 + 128];
    rtl_mem_read(s, src, a, sizeof a);
    rtl_mem_read(s, dst - 64, b, sizeof b);
    bool guards = true;
    for (unsigned i = 0; i < 64; i++)
        guards = guards && b[i] == 0 && b[64 + 4096 + i] == 0;
    return guards && std::memcmp(a, b + 64, sizeof a) == 0;
}

void plain_dma_copy()
{
    for (unsigned seed = 0; seed < 8; seed++) {
        tb_case("plain DMA copy (slice-walkthrough.md §12), fixed and random timing, either bell first");
        struct rtl_sim *s = open_sim(seed, seed > 1);
        setup_copy(s);
        events.clear();
        TB_CHECK(run_copy(s, seed & 1) != 0);
        TB_CHECK(copy_is_right(s));
        rtl_run(s, 400, false);
        for (uint64_t bank : { m2sq, s2mq })
            for (unsigned reg : { M2SQ_TDRHP_OFF, M2SQ_TDRTP_OFF, M2SQ_TDCP_OFF, M2SQ_TCRHP_OFF }) /* as in S2MQ */
                TB_EQUAL(get(s, bank + reg), 0x40000002);
        TB_CHECK(ordered);
        TB_EQUAL(count(EV_DMA_DESC), 4);
        TB_EQUAL(count(EV_DMA_BELL), 2);
        TB_EQUAL(count(EV_SEM) + count(EV_NQ_IN), 0);
        uint64_t bytes = 0;
        for (const struct dev_event &e : events)
            if (e.kind == EV_MEM_WR) {
                TB_EQUAL(e.code, MASTER_UDMA0);
                bytes += (uint64_t)__builtin_popcountll(e.data);
            }
        TB_EQUAL(bytes, 4100);
        if (seed <= 1) { /* fixed timing: the memory serves a beat SIM_MEM_LATENCY clocks after its address (docs/rtl.md) */
            uint64_t asked = 0, served = 0;
            for (const struct dev_event &e : events) {
                if (e.kind == EV_DMA_RD && asked == 0)
                    asked = e.cycle;
                if (e.kind == EV_MEM_RD && e.dir == PROT_DATA && served == 0)
                    served = e.cycle;
            }
            TB_EQUAL(served - asked, LAT_FABRIC_ADDRESS + SIM_MEM_LATENCY);
        }
        rtl_close(s);
    }
}

void same_seed_same_run()
{
    tb_case("a seed repeats clock by clock, another does not");
    std::vector<struct dev_event> first;
    uint64_t clocks = 0;
    for (unsigned run = 0; run < 3; run++) {
        struct rtl_sim *s = open_sim(run == 2 ? 6 : 5, true);
        setup_copy(s);
        TB_CHECK(run_copy(s, false) != 0);
        if (run == 0) {
            first = events;
            clocks = rtl_cycle(s);
        }
        bool equal = first.size() == events.size() &&
                     std::memcmp(first.data(), events.data(), first.size() * sizeof first[0]) == 0;
        TB_EQUAL(equal, run != 2);
        rtl_close(s);
    }

    tb_case("the sink does not change the run");
    struct rtl_sim *s = open_sim(5, true);
    rtl_sink(s, nullptr, nullptr);
    setup_copy(s);
    TB_CHECK(run_copy(s, false) != 0);
    TB_EQUAL(rtl_cycle(s), clocks);
    rtl_close(s);
}

int stop_at_bell(void *, const struct dev_event *ev) { return ev->kind == EV_DMA_BELL; }

void sink_stops_the_run()
{
    tb_case("the sink stops the run after its clock");
    struct rtl_sim *s = open_sim();
    setup_copy(s);
    rtl_sink(s, stop_at_bell, nullptr);
    set(s, s2mq + S2MQ_RDRTP_INC_OFF, 2);
    uint64_t now = rtl_cycle(s);
    TB_EQUAL(rtl_run(s, 100, true), 2);
    TB_EQUAL(rtl_cycle(s), now); /* it asked during the register write: not one clock more */
    TB_EQUAL(rtl_run(s, 10, false), 0);
    rtl_close(s);
}

void waves_cover_their_window()
{
    tb_case("a wave holds the clocks that were asked for");
    struct nerr err;
    struct rtl_sim *s = open_sim();
    for (unsigned round = 0; round < 2; round++) {
        uint64_t from = rtl_cycle(s) + 10, to = from + 20;
        TB_EQUAL(rtl_wave_start(s, scratch, from, to, &err), 0);
        set(s, SOC_EVT + EVT_WIN_SEM_INC, 1);
        rtl_run(s, 100, false);
        void *r = fstReaderOpen(scratch);
        TB_CHECK(r != nullptr);
        if (r) {
            TB_EQUAL(fstReaderGetStartTime(r), from * SIM_CLOCK_PS);
            TB_EQUAL(fstReaderGetEndTime(r), to * SIM_CLOCK_PS + SIM_CLOCK_PS / 2);
            TB_EQUAL(fstReaderGetTimescale(r), (uint64_t)(int64_t)-12);
            TB_CHECK(fstReaderGetVarCount(r) > 1000);
            fstReaderClose(r);
        }
        std::remove(scratch);
    }
    tb_case("a window that is never reached leaves no file");
    TB_EQUAL(rtl_wave_start(s, scratch, rtl_cycle(s) + 1000, UINT64_MAX, &err), 0);
    rtl_run(s, 10, false);
    rtl_wave_stop(s);
    FILE *f = std::fopen(scratch, "rb");
    TB_CHECK(f == nullptr);
    tb_case("a wave that cannot be written is refused");
    TB_EQUAL(rtl_wave_start(s, "/nonexistent/x.fst", 0, UINT64_MAX, &err), NERR_IO);
    TB_EQUAL(rtl_wave_start(s, scratch, 5, 4, &err), NERR_INPUT);
    TB_EQUAL(rtl_wave_start(s, scratch, 0, 0, &err), NERR_INPUT);
    tb_case("rtl_close finishes an open wave");
    TB_EQUAL(rtl_wave_start(s, scratch, 0, UINT64_MAX, &err), 0);
    rtl_run(s, 50, false);
    uint64_t end = rtl_cycle(s);
    rtl_close(s);
    void *r = fstReaderOpen(scratch);
    TB_CHECK(r != nullptr);
    if (r) {
        TB_EQUAL(fstReaderGetEndTime(r), end * SIM_CLOCK_PS - SIM_CLOCK_PS / 2);
        fstReaderClose(r);
    }
    std::remove(scratch);
}

void injections()
{
    tb_case("injection names");
    struct nerr err;
    const char *meaning;
    unsigned kinds = 0;
    while (rtl_inject_kind(kinds, &meaning)) {
        TB_CHECK(std::strlen(meaning) > 10);
        kinds++;
    }
    TB_EQUAL(kinds, 7);
    for (const char *bad : { "flip", "flip-data@", "flip-data@0", "flip-data@-1", "flip-data@1x", "", "@1",
             "flip-data@99999999999999999999" }) {
        struct rtl_config cfg = { 0, false, bad };
        TB_CHECK(rtl_open(&cfg, &err) == nullptr);
        TB_EQUAL(err.code, NERR_INPUT);
        TB_CHECK(std::strstr(err.text, "allowed are") != nullptr);
    }

    tb_case("flip-data changes one bit of the copy");
    struct rtl_sim *s = open_sim(0, false, "flip-data@3");
    setup_copy(s);
    TB_CHECK(run_copy(s, false) != 0 && rtl_injected(s));
    uint8_t a[4096], b[4096];
    rtl_mem_read(s, src, a, 4096);
    rtl_mem_read(s, dst, b, 4096);
    unsigned bits = 0;
    for (unsigned i = 0; i < 4096; i++)
        bits += (unsigned)__builtin_popcount(a[i] ^ b[i]);
    TB_EQUAL(bits, 1);
    TB_EQUAL(a[128] ^ b[128], 1);
    rtl_close(s);

    tb_case("corrupt-descriptor moves a buffer");
    s = open_sim(0, false, "corrupt-descriptor@1");
    setup_copy(s);
    run_copy(s, false);
    TB_CHECK(rtl_injected(s) && !copy_is_right(s));
    rtl_close(s);

    tb_case("delay-response: the marker comes before the data");
    s = open_sim(0, false, "delay-response@1");
    setup_copy(s);
    TB_CHECK(run_copy(s, false) != 0);
    TB_CHECK(rtl_injected(s) && !copy_is_right(s));
    rtl_run(s, 500, false);
    TB_CHECK(copy_is_right(s));
    rtl_close(s);

    tb_case("swap-writes changes only the order");
    s = open_sim(0, false, "swap-writes@5");
    setup_copy(s);
    TB_CHECK(run_copy(s, false) != 0);
    TB_CHECK(rtl_injected(s) && copy_is_right(s));
    uint64_t last = 0;
    unsigned back = 0;
    for (const struct dev_event &e : events)
        if (e.kind == EV_MEM_WR && e.addr >= dst && e.addr < dst + 4096) {
            back += e.addr < last;
            last = e.addr;
        }
    TB_EQUAL(back, 1);
    rtl_close(s);

    tb_case("lose-notification answers but does not write");
    s = open_sim(0, false, "lose-notification@2");
    setup_records(s);
    for (unsigned n = 0; n < 3; n++) {
        set(s, SOC_TPB_CTRL + TPB_FAKE_ERROR_DATA_OFF, 100 + n);
        set(s, SOC_TPB_CTRL + TPB_FAKE_ERROR_CTRL_OFF, 1);
        TB_EQUAL(rtl_run(s, 100, true), n == 1 ? 0 : 1);
    }
    TB_CHECK(rtl_injected(s));
    TB_EQUAL(record(s, NROUTE_ERRORS, 0)[1], 100);
    TB_EQUAL(record(s, NROUTE_ERRORS, 1)[1], 0);
    TB_EQUAL(record(s, NROUTE_ERRORS, 2)[1], 102);
    TB_EQUAL(get(s, SOC_NOTIFIC + NQ_Q_BASE + 3 * NQ_Q_STRIDE + NQQ_TAIL_OFF), 48);
    rtl_close(s);

    tb_case("drop-semaphore reports the update and does not keep it");
    s = open_sim(0, false, "drop-semaphore@2");
    set(s, SOC_EVT + EVT_WIN_SEM_SET + 4 * 5, 0); /* changes nothing, does not count */
    for (unsigned n = 0; n < 3; n++)
        set(s, SOC_EVT + EVT_WIN_SEM_INC + 4 * 5, 10);
    TB_CHECK(rtl_injected(s));
    TB_EQUAL(get(s, SOC_EVT + EVT_WIN_SEM_READ + 4 * 5), 20);
    TB_EQUAL(count(EV_SEM), 4);
    rtl_close(s);

    tb_case("duplicate-doorbell moves the tail twice");
    s = open_sim(0, false, "duplicate-doorbell@1");
    setup_copy(s);
    set(s, s2mq + S2MQ_RDRTP_INC_OFF, 2);
    TB_CHECK(rtl_injected(s));
    TB_EQUAL(get(s, s2mq + S2MQ_RDRTP_OFF), 0x40000004);
    TB_EQUAL(count(EV_DMA_BELL), 1);
    rtl_close(s);
}

void speed()
{
    struct rtl_sim *s = open_sim();
    rtl_sink(s, nullptr, nullptr);
    setup_copy(s);
    std::clock_t start = std::clock();
    rtl_run(s, 100000, false);
    double seconds = (double)(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf("%.0f kHz idle, taps silent\n", 100 / seconds);
    rtl_close(s);
}

} // namespace

int main()
{
    every_block_answers();
    back_door_knows_memory();
    records_reach_their_queues();
    plain_dma_copy();
    same_seed_same_run();
    sink_stops_the_run();
    waves_cover_their_window();
    injections();
    speed();
    return tb_finish();
}
