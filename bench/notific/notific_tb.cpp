/*
 * Bench of NOTIFIC: the fifteen rows of notification-queue.md §16, its worked examples (§14) byte for byte, the corner
 * rules of §3, §9 and §12, and random traffic. All of it runs against notific_model.h clock by clock (notific_bench.h).
 */
#include <algorithm>

#include "latency.h"
#include "notific_bench.h"

static const uint64_t BASE = UINT64_C(0x4000) << 32 | 0x100000;
static const uint8_t START = NTYPE_POOL_START;

/* Header byte that a record of this pass (0 = first) carries, with its flags. */
static uint32_t head_word(uint8_t type, uint32_t body0, unsigned pass, bool sw_ovf = false, bool hw_ovf = false)
{
    uint32_t phase = (TB_PHASE_FIRST ^ pass) & 1;
    return phase << 31 | (uint32_t)hw_ovf << 30 | (uint32_t)sw_ovf << 29 | (uint32_t)type << 24 | body0;
}

/* ---- §16, row by row -------------------------------------------------------------------------------------------- */

static void row_1(void)
{
    tb_case("row 1: every register has its reset value and nothing is written");
    Bench b;
    b.clocks_pass(20);
    std::map<uint32_t, uint32_t> reset = { { 0x2c, 1 }, { 0xb4, 0x1000 }, { 0xb8, 0x3c00 }, { 0xcc, 0x400 },
        { 0xf4, 0xffffffff }, { 0x50, TB_NIQ_DEPTH * TB_N_SRC }, { 0x80, TB_MAX_OUT } };
    for (uint32_t off = 0x08; off < 0x1000; off++) {
        uint32_t v = b.read(off);
        TB_EQUAL(v, off % 4 ? 0 : reset.count(off) ? reset[off] : 0);
    }
    tb_case("row 1: time starts at reset with 1 ps per clock");
    TB_EQUAL(b.read(NQ_TIMESTAMP_HI_OFF), 0);
    uint32_t t = b.read(NQ_TIMESTAMP_LO_OFF);
    TB_EQUAL(b.read(NQ_TIMESTAMP_LO_OFF) - t, 2);
    TB_CHECK(b.memory.empty());
    TB_EQUAL(b.writes, 0);
    tb_case("every register keeps exactly its writable bits");
    for (uint32_t off = 0x08; off < 0x300; off += 4) {
        if (off == NQ_ENABLE_OFF)
            continue;
        b.write(off, 0xffffffff);
        uint32_t v = b.read(off);
        if (NqModel::writable(off))
            TB_EQUAL(v, NqModel::writable(off));
        b.write(off, 0);
        TB_EQUAL(b.read(off), off == 0x50 ? TB_NIQ_DEPTH * TB_N_SRC : off == 0x80 ? TB_MAX_OUT : 0);
    }
}

static void row_2(void)
{
    tb_case("row 2: one POOL START");
    Bench b;
    b.ring(0, BASE, 64);
    b.send(0, START, 0x500123, 0x00400007, 0);
    b.drain();
    TB_EQUAL(b.word(BASE), head_word(START, 0x500123, 0));
    TB_EQUAL(b.word(BASE + 4), 0x00400007);
    TB_EQUAL(b.memory.size(), 16);
    TB_EQUAL(b.tail(0), 0x10);
    TB_EQUAL(b.read(NQ_STATS_OFF), 1);
    TB_EQUAL(b.read(NQ_STATS_OFF), 0);
}

static void row_3(void)
{
    tb_case("row 3: a record for a disabled queue is dropped with interrupt 1");
    Bench b;
    b.ring(0, BASE, 64);
    b.send(0, START, 1, 1, 3);
    b.drain();
    TB_EQUAL(b.writes, 0);
    TB_EQUAL(b.intr_count[1], 1);
    TB_EQUAL(b.tail(3), 0);
}

static void four_records(Bench &b)
{
    b.ring(0, BASE, 64);
    for (unsigned i = 0; i < 4; i++)
        b.send(0, START, i, i, 0);
    b.clocks_pass(20);
}

static void row_4(void)
{
    tb_case("row 4: drop policy");
    Bench b;
    four_records(b);
    TB_EQUAL(b.writes, 3);
    TB_EQUAL(b.intr_count[0], 1);
    TB_EQUAL(b.read(NQ_FULL_OFF), 1);
    TB_EQUAL(b.tail(0), 0x30);
    b.set_head(0, 0x10);
    TB_EQUAL(b.read(NQ_FULL_OFF), 0);
    b.send(0, START, 4, 4, 0);
    b.drain();
    TB_EQUAL(b.word(BASE + 0x30), head_word(START, 4, 0, true));
    b.set_head(0, 0x30);
    b.send(0, START, 5, 5, 0);
    b.drain();
    TB_EQUAL(b.word(BASE), head_word(START, 5, 1)); /* the flag is told once */
}

static void row_5(void)
{
    tb_case("row 5: ignore_full overwrites");
    Bench b;
    b.write(NQ_SW_OVERFLOW_OFF, 1);
    four_records(b);
    TB_EQUAL(b.writes, 4);
    TB_EQUAL(b.intr_count[0], 0);
    TB_EQUAL(b.word(BASE + 0x30), head_word(START, 3, 0, true));
    TB_EQUAL(b.tail(0), 0);
    TB_EQUAL(b.read(NQ_FULL_OFF), 0); /* it looks empty */
    b.send(0, START, 4, 4, 0);
    b.drain();
    TB_EQUAL(b.word(BASE), head_word(START, 4, 1));
}

static void row_6(void)
{
    for (unsigned ignore = 0; ignore < 2; ignore++) {
        tb_case("row 6: sw_backpressure stalls until the head moves, with and without ignore_full");
        Bench b;
        b.write(NQ_SW_BACKPRESSURE_OFF, 1);
        b.write(NQ_SW_OVERFLOW_OFF, ignore);
        four_records(b);
        b.clocks_pass(50);
        TB_EQUAL(b.writes, 3);
        TB_EQUAL(b.intr_count[0], 1);
        tb_case("row 6: the whole output path stands meanwhile");
        b.ring(1, BASE + 0x1000, 64);
        b.send(1, START, 9, 9, 1);
        b.clocks_pass(20);
        TB_EQUAL(b.writes, 3);
        tb_case("row 6: the head write releases it");
        b.set_head(0, 0x10);
        b.drain();
        TB_EQUAL(b.writes, 5);
        TB_EQUAL(b.intr_count[0], 1);
        TB_EQUAL(b.word(BASE + 0x30), head_word(START, 3, 0));
        TB_EQUAL(b.word(BASE + 0x1000), head_word(START, 9, 0));
    }
}

/* Fills the output path of ring 0 (which must stall) and then the buffer of source 0; returns the records sent. */
static unsigned fill_input(Bench &b, unsigned cls)
{
    b.write(NQ_SW_BACKPRESSURE_OFF, 1);
    b.ring(0, BASE, 64);
    unsigned n = 0;
    for (; n < 4 + TB_NIQ_DEPTH; n++) { /* 3 in the ring, 1 staged, the buffer */
        b.send(0, START, n, n, 0, cls);
        b.clocks_pass(4);
    }
    return n;
}

/* The host frees one slot of ring 0 after the other until nothing is on its way. */
static void consume_until_idle(Bench &b)
{
    for (unsigned i = 1; i < 50 && (!b.model.idle() || b.in.valid[0]); i++) {
        b.set_head(0, 16 * i % 64);
        b.clocks_pass(6);
    }
    TB_CHECK(b.model.idle());
}

static void row_7(void)
{
    tb_case("row 7: input buffer overrun, hw_backpressure 0");
    Bench b;
    unsigned n = fill_input(b, 0x0a);
    TB_EQUAL(b.intr_count[3], 0);
    b.offer(0, START, 0xbad, 0, 0, 0x0a);
    b.clock();
    TB_EQUAL(b.intr_count[3], 1);
    TB_EQUAL(b.out.drop_dbg, 1u << 0x0a);
    TB_CHECK(!b.in.valid[0]);
    consume_until_idle(b);
    /* The newest buffered record, the last one, carries bit 30; the others do not. */
    unsigned flagged = 0, seen = 0;
    for (unsigned i = 0; i < 4; i++) {
        uint32_t w = b.word(BASE + 16 * i);
        flagged += w >> 30 & 1;
        seen += (w >> 30 & 1) && (w & 0xffffff) == n - 1;
    }
    TB_EQUAL(flagged, 1);
    TB_EQUAL(seen, 1);
    TB_EQUAL(b.writes, n);
}

static void row_8(void)
{
    tb_case("row 8: input buffer overrun, hw_backpressure 1");
    Bench b;
    b.write(NQ_HW_BACKPRESSURE_LO_OFF, 1u << 0x0a);
    unsigned n = fill_input(b, 0x0a);
    b.offer(0, START, n, n, 0, 0x0a);
    b.clocks_pass(30);
    TB_CHECK(b.in.valid[0]);
    TB_EQUAL(b.intr_count[2], 1);
    TB_EQUAL(b.intr_count[3], 0);
    consume_until_idle(b);
    TB_EQUAL(b.writes, n + 1);
    for (unsigned i = 0; i < 4; i++)
        TB_EQUAL(b.word(BASE + 16 * i) >> 30 & 1, 0);
    tb_case("a class bit above 31 uses the high registers");
    Bench c;
    c.write(NQ_HW_BACKPRESSURE_HI_OFF, 1u << (NCLASS_SP_FATAL - 32));
    n = fill_input(c, NCLASS_SP_FATAL);
    c.offer(0, START, n, n, 0, NCLASS_SP_FATAL);
    c.clocks_pass(5);
    TB_CHECK(c.in.valid[0]);
    TB_EQUAL(c.intr_count[2], 1);
}

static void row_9(void)
{
    tb_case("row 9: the threshold fires once, and again after a head write");
    Bench b;
    b.write(Bench::queue_addr(0, NQQ_THRESHOLD_OFF), 32);
    b.write(NQ_THRESHOLD_EN_OFF, 1);
    b.ring(0, BASE, 64);
    b.send(0, START, 0, 0, 0);
    b.drain();
    TB_EQUAL(b.intr_count[6], 0);
    b.send(0, START, 1, 1, 0);
    b.drain();
    TB_EQUAL(b.intr_count[6], 1);
    TB_EQUAL(b.read(NQ_THRESHOLD_PASSED_OFF), 1);
    b.send(0, START, 2, 2, 0);
    b.drain();
    TB_EQUAL(b.intr_count[6], 1);
    b.set_head(0, 0x10);
    TB_EQUAL(b.read(NQ_THRESHOLD_PASSED_OFF), 0);
    b.send(0, START, 3, 3, 0);
    b.drain();
    TB_EQUAL(b.intr_count[6], 2);
}

static void row_10(void)
{
    tb_case("row 10: an error answer is captured and the next records are unaffected");
    Bench b;
    b.ring(0, BASE, 64);
    b.send(0, START, 0, 0, 0);
    b.drain();
    TB_EQUAL(b.intr_count[4], 0);
    b.bfail = true;
    b.send(0, START, 1, 1, 0);
    b.drain();
    b.bfail = false;
    TB_EQUAL(b.intr_count[4], 1);
    b.send(0, START, 2, 2, 0);
    b.drain();
    TB_EQUAL(b.intr_count[4], 1);
    TB_EQUAL(b.read(NQ_ERROR_ADDR_LO_OFF), (uint32_t)BASE + 0x10);
    TB_EQUAL(b.read(NQ_ERROR_ADDR_HI_OFF), BASE >> 32);
    TB_EQUAL(b.tail(0), 0x30);
    TB_EQUAL(b.word(BASE + 0x20), head_word(START, 2, 0));
}

static void row_11(void)
{
    tb_case("row 11: overlapping enabled rings raise interrupt 7 on the enabling write");
    const struct { uint64_t base1; uint32_t size1; unsigned q0, q1, fires; } c[] = {
        { BASE + 0x40, 64, 0, 1, 0 },  { BASE + 0x30, 64, 0, 1, 1 },          { BASE - 0x40, 64, 4, 9, 0 },
        { BASE - 0x30, 64, 4, 9, 1 },  { BASE, 64, 9, 0, 1 },                 { BASE + 0x10, 32, 8, 9, 1 },
        { BASE - 0x100, 1024, 3, 7, 1 }, { BASE + (UINT64_C(1) << 32), 64, 0, 1, 0 }, { BASE, 16, 0, 1, 0 },
    };
    for (auto &x : c) {
        Bench b;
        b.ring(x.q0, BASE, 64);
        b.clocks_pass(60);
        TB_EQUAL(b.intr_count[7], 0);
        b.ring(x.q1, x.base1, x.size1);
        b.clocks_pass(60);
        TB_EQUAL(b.intr_count[7], x.fires);
        tb_case("row 11: enabling a third ring that overlaps nothing does not fire again");
        b.ring(5, BASE + 0x100000, 64);
        b.clocks_pass(60);
        TB_EQUAL(b.intr_count[7], x.fires);
        tb_case("row 11: moving an enabled ring onto another fires");
        b.clear_counts();
        b.write(Bench::queue_addr(5, NQQ_BASE_LO_OFF), (uint32_t)BASE);
        b.clocks_pass(60);
        TB_EQUAL(b.intr_count[7], 1);
        tb_case("row 11: overlapping enabled rings raise interrupt 7 on the enabling write");
    }
}

static void row_12(void)
{
    tb_case("row 12: clearing enable brings tail to 0 once the writes are answered");
    Bench b;
    b.ring(0, BASE, 64);
    for (unsigned i = 0; i < 5; i++) { /* into the second pass */
        b.send(0, START, i, i, 0);
        b.clocks_pass(5);
        b.set_head(0, 16 * (i + 1) % 64);
    }
    b.drain();
    b.b_hold = UINT32_MAX;
    b.send(0, START, 5, 5, 0);
    b.clocks_pass(5);
    TB_EQUAL(b.tail(0), 0x20);
    b.write(NQ_ENABLE_OFF, 0);
    b.clocks_pass(40);
    TB_EQUAL(b.tail(0), 0x20); /* staged write not answered */
    tb_case("row 12: re-enabling before that holds the record and still restarts");
    b.write(NQ_ENABLE_OFF, 1);
    b.set_head(0, 0);
    b.send(0, START, 6, 6, 0);
    b.clocks_pass(10);
    TB_EQUAL(b.tail(0), 0x20);
    b.release_answers();
    b.drain();
    TB_EQUAL(b.tail(0), 0x10);
    TB_EQUAL(b.word(BASE), head_word(START, 6, 0));
    tb_case("row 12: an idle ring is reset at once; re-enable restarts with the first phase and no old loss flag");
    for (unsigned i = 0; i < 4; i++)
        b.send(0, START, i, i, 0); /* fills the ring, loses one */
    b.drain();
    TB_EQUAL(b.intr_count[0], 2);
    b.write(NQ_ENABLE_OFF, 0);
    TB_EQUAL(b.tail(0), 0);
    b.write(NQ_ENABLE_OFF, 1);
    b.send(0, START, 7, 7, 0);
    b.drain();
    TB_EQUAL(b.word(BASE), head_word(START, 7, 0));
    TB_EQUAL(b.tail(0), 0x10);
    tb_case("row 12: a busy neighbour does not keep a ring from being reset");
    b.ring(1, BASE + 0x1000, 1024);
    b.b_hold = 3;
    b.write(NQ_ENABLE_OFF, 2);
    for (unsigned i = 0; i < 10; i++)
        b.send(1, START, i, i, 1);
    TB_EQUAL(b.tail(0), 0);
}

static void row_13(void)
{
    tb_case("row 13: uart mode writes everything at base");
    Bench b;
    b.write(NQ_UART_MODE_OFF, 1);
    b.write(NQ_HW_BACKPRESSURE_LO_OFF, 0xffffffff);
    b.ring(0, BASE, 64);
    for (unsigned i = 0; i < 6; i++)
        b.send(0, START, i, i, 0);
    b.drain();
    TB_EQUAL(b.writes, 6);
    TB_EQUAL(b.memory.size(), 16);
    TB_EQUAL(b.word(BASE), head_word(START, 5, 0));
    TB_EQUAL(b.tail(0), 0);
}

static void row_14(void)
{
    tb_case("row 14: 1024 clocks at 0x0b2924 are 731428 ps");
    Bench b;
    b.write(NQ_TIMESTAMP_INC_OFF, 0x0b2924);
    uint32_t t = b.read(NQ_TIMESTAMP_LO_OFF);
    b.clocks_pass(1022);
    TB_EQUAL(b.read(NQ_TIMESTAMP_LO_OFF) - t, 731428);
    tb_case("time has 64 bits and ts_rst clears nothing else");
    b.write(NQ_TIMESTAMP_INC_OFF, 0xffffff);
    b.in.ts_rst = true;
    b.clock();
    b.in.ts_rst = false;
    b.clocks_pass(4 * 65536 + 100); /* 16383.999 ps each: past 2^32 ps */
    TB_EQUAL(b.read(NQ_TIMESTAMP_HI_OFF), 1);
    TB_EQUAL(b.read(NQ_TIMESTAMP_INC_OFF), 0xffffff);
}

static void row_15(void)
{
    tb_case("row 15: a record of a class that is off vanishes");
    Bench b;
    b.ring(0, BASE, 64);
    b.write(NQ_WR_BUF_ENABLE_LO_OFF, ~(1u << 5));
    b.write(NQ_WR_BUF_ENABLE_HI_OFF, ~(1u << 3));
    b.send(0, START, 1, 1, 0, 5);
    b.send(0, START, 2, 2, 0, 32 + 3);
    b.send(0, START, 3, 3, 0, 4);
    b.send(0, START, 4, 4, 0, 32 + 4);
    b.drain();
    TB_EQUAL(b.writes, 2);
    for (unsigned n : b.intr_count)
        TB_EQUAL(n, 0);
    tb_case("row 15: even when its input buffer is full");
    Bench c;
    unsigned n = fill_input(c, 0);
    c.write(NQ_WR_BUF_ENABLE_LO_OFF, 0);
    c.offer(0, START, 99, 99, 0, 0);
    c.clock();
    TB_CHECK(!c.in.valid[0]);
    TB_EQUAL(c.intr_count[2] + c.intr_count[3], 0);
    (void)n;
}

/* ---- worked examples (§14) -------------------------------------------------------------------------------------- */

static void worked_examples(void)
{
    static const struct { uint8_t type; uint32_t body0, body1; bool hw_ovf; const char *bytes; } record[] = {
        { 0x0c, 0x500123, 0x00400007, false, "23 01 50 8c 07 00 40 00 00 e4 0b 54 02 00 00 00" },
        { 0x0d, 0x500123, 0x29b11d0f, false, "23 01 50 8d 0f 1d b1 29 00 e8 0b 54 02 00 00 00" },
        { 0x16, 0x000040, 0xbeef0007, false, "40 00 00 96 07 00 ef be 00 ec 0b 54 02 00 00 00" },
        { 0x0e, 0x100200, 0x804000ff, false, "00 02 10 8e ff 00 40 80 00 f0 0b 54 02 00 00 00" },
        { 0x13, 0x15012a, 0x00000005, false, "2a 01 15 93 05 00 00 00 00 f4 0b 54 02 00 00 00" },
        { 0x1b, 0x110007, 0x00000001, false, "07 00 11 9b 01 00 00 00 00 f8 0b 54 02 00 00 00" },
        { 0x02, 0x001000, 0xbeef0032, false, "00 10 00 82 32 00 ef be 00 fc 0b 54 02 00 00 00" },
        { 0x02, 0x000000, 0x00000036, false, "00 00 00 82 36 00 00 00 00 00 0c 54 02 00 00 00" },
        { 0x02, 0x701804, 0x00500498, false, "04 18 70 82 98 04 50 00 00 04 0c 54 02 00 00 00" },
        { 0x02, 0x001110, 0x0000006c, false, "10 11 00 82 6c 00 00 00 00 08 0c 54 02 00 00 00" },
        { 0x03, 0x002501, 0x00000011, false, "01 25 00 83 11 00 00 00 00 0c 0c 54 02 00 00 00" },
        { 0x03, 0x0c252c, 0x12345678, false, "2c 25 0c 83 78 56 34 12 00 10 0c 54 02 00 00 00" },
        { 0x1e, 0x018040, 0x00ff0080, false, "40 80 01 9e 80 00 ff 00 00 14 0c 54 02 00 00 00" },
        { 0x1f, 0x00000a, 0x00991232, false, "0a 00 00 9f 32 12 99 00 00 18 0c 54 02 00 00 00" },
        { 0x1f, 0x000005, 0xdeadbeef, false, "05 00 00 9f ef be ad de 00 1c 0c 54 02 00 00 00" },
        { 0x06, 0x000077, 0x00000007, false, "77 00 00 26 07 00 00 00 00 20 0c 54 02 00 00 00" },
        { 0x08, 0x0001f0, 0x00100007, true, "f0 01 00 48 07 00 10 00 00 24 0c 54 02 00 00 00" },
    };
    const unsigned FIRST_PASS = 15;
    tb_case("worked examples byte for byte, the last two in the second pass of a ring of 15 slots");
    Bench b;
    b.ring(0, BASE, 16 * FIRST_PASS);
    b.write(NQ_SW_OVERFLOW_OFF, 1);
    /* Time stands at exactly 10 000 000 000 ps, then moves 1024 ps between two records. */
    b.write(NQ_TIMESTAMP_INC_OFF, 0);
    b.in.ts_rst = true;
    b.clock();
    b.in.ts_rst = false;
    b.write(NQ_TIMESTAMP_INC_OFF, 16000u << 10);
    b.clocks_pass(625000 - 2);
    b.write(NQ_TIMESTAMP_INC_OFF, 0);
    unsigned i = 0;
    for (auto &r : record) {
        if (i == 7)
            b.set_head(0, 0x60);
        if (i == FIRST_PASS)
            b.set_head(0, 0x10); /* the next slot is the last free one: overwritten, unread records are lost */
        b.send(i % TB_N_SRC, r.type, r.body0, r.body1, 0, 0, r.hw_ovf);
        b.drain();
        std::string want = r.bytes;
        if (!TB_PHASE_FIRST) { /* the other polarity flips the top bit of byte 3 */
            char flipped[3];
            std::snprintf(flipped, sizeof flipped, "%02lx", std::strtoul(want.substr(9, 2).c_str(), nullptr, 16) ^ 0x80);
            want.replace(9, 2, flipped);
        }
        std::string got = b.bytes(BASE + 16 * (i % FIRST_PASS));
        TB_CHECK(got == want);
        if (got != want)
            std::printf("  example %u: %s, expected %s\n", i, got.c_str(), want.c_str());
        b.write(NQ_TIMESTAMP_INC_OFF, 512u << 10);
        b.write(NQ_TIMESTAMP_INC_OFF, 0);
        i++;
    }
}

static void ring_trace(void)
{
    tb_case("ring trace of §14: drop, consume, wrap and phase");
    Bench b;
    b.ring(0, BASE, 64);
    const uint32_t tails[] = { 16, 32, 48 };
    for (unsigned i = 0; i < 3; i++) {
        b.send(0, START, i, i, 0);
        b.drain();
        TB_EQUAL(b.tail(0), tails[i]);
        TB_EQUAL(b.word(BASE + 16 * i), head_word(START, i, 0));
    }
    b.send(0, START, 3, 3, 0);
    b.drain();
    TB_EQUAL(b.intr_count[0], 1);
    TB_EQUAL(b.read(NQ_FULL_OFF), 1);
    b.set_head(0, 32);
    b.send(0, START, 4, 4, 0);
    b.drain();
    TB_EQUAL(b.word(BASE + 48), head_word(START, 4, 0, true));
    TB_EQUAL(b.tail(0), 0);
    b.send(0, START, 5, 5, 0);
    b.drain();
    TB_EQUAL(b.word(BASE), head_word(START, 5, 1));
    TB_EQUAL(b.tail(0), 16);
    TB_EQUAL(b.read(NQ_FULL_OFF), 1);
}

/* ---- corner rules ----------------------------------------------------------------------------------------------- */

static void phase_over_many_passes(void)
{
    tb_case("phase flips with every pass, on all ten queues");
    Bench b;
    for (unsigned q = 0; q < NQ_QUEUES; q++)
        b.ring(q, BASE + 0x1000 * q, q == 9 ? 48 : 64);
    for (unsigned i = 0; i < 20; i++)
        for (unsigned q = 0; q < NQ_QUEUES; q++) {
            unsigned slots = q == 9 ? 3 : 4;
            b.send(q % TB_N_SRC, START, i, q, q);
            b.drain();
            TB_EQUAL(b.word(BASE + 0x1000 * q + 16 * (i % slots)), head_word(START, i, i / slots));
            b.set_head(q, 16 * ((i + 1) % slots));
        }
    TB_EQUAL(b.intr_count[0], 0);
    TB_EQUAL(b.read(NQ_STATS_OFF), 200);
}

static void bad_values(void)
{
    tb_case("a size below 32 or not a multiple of 16 counts as disabled, as does a queue above 9");
    const uint32_t sizes[] = { 0, 16, 24, 33, 40, 56, 0xffffffff };
    for (uint32_t s : sizes) {
        Bench b;
        b.ring(2, BASE, s);
        b.send(0, START, 1, 1, 2);
        b.drain();
        TB_EQUAL(b.writes, 0);
        TB_EQUAL(b.intr_count[1], 1);
        TB_EQUAL(b.read(NQ_FULL_OFF), 0);
        TB_EQUAL(b.read(Bench::queue_addr(2, NQQ_SIZE_OFF)), s);
    }
    Bench b;
    for (unsigned q = 0; q < NQ_QUEUES; q++)
        b.ring(q, BASE + 0x1000 * q, 64);
    for (unsigned q = NQ_QUEUES; q < 16; q++)
        b.send(0, START, 1, 1, q);
    b.drain();
    TB_EQUAL(b.writes, 0);
    TB_EQUAL(b.intr_count[1], 6);
    tb_case("the low four bits of base do not count");
    Bench c;
    c.ring(0, BASE + 0xf, 64);
    c.send(0, START, 1, 1, 0);
    c.drain();
    TB_EQUAL(c.word(BASE), head_word(START, 1, 0));
    TB_EQUAL(c.read(Bench::queue_addr(0, NQQ_BASE_LO_OFF)), (uint32_t)BASE + 0xf);
    tb_case("head is used modulo size with the low four bits cleared");
    const struct { uint32_t size, head, slot; } h[] = { { 64, 0x1f, 1 }, { 64, 0x73, 3 }, { 64, 0xfffffff0, 3 }, { 48, 0x2f, 2 },
        { 48, 116, 1 }, { 48, 0xffffffff, 0 }, { 240, 0x80000010, 9 }, { 0xfffffff0, 0xfffffff0, 0 }, { 32, 0xffffffe1, 0 } };
    for (auto &x : h) {
        Bench d;
        d.ring(0, 0, x.size);
        d.set_head(0, x.head);
        unsigned want = x.slot == 0 ? x.size / 16 - 1 : x.slot - 1; /* records until full */
        if (want > 20)
            continue;
        d.write(NQ_SW_BACKPRESSURE_OFF, 1);
        d.write(NQ_HW_BACKPRESSURE_LO_OFF, 0xffffffff);
        d.clocks_pass(40);
        for (unsigned i = 0; i < want + 1; i++)
            d.send(0, START, i, i, 0);
        d.clocks_pass(10);
        TB_EQUAL(d.writes, want);
        TB_EQUAL(d.read(NQ_FULL_OFF), 1);
        TB_EQUAL(d.read(Bench::queue_addr(0, NQQ_HEAD_OFF)), x.head);
    }
    tb_case("a record right behind a head write sees the new head, even when it must be divided");
    Bench e;
    four_records(e);
    e.write(Bench::queue_addr(0, NQQ_SIZE_OFF), 64);
    e.set_head(0, 64 * 100 + 16); /* frees one slot */
    e.send(0, START, 8, 8, 0);
    e.drain();
    TB_EQUAL(e.writes, 4);
    e.ring(1, BASE + 0x1000, 48);
    e.send(0, START, 1, 1, 1);
    e.send(0, START, 2, 2, 1);
    e.drain();
    e.set_head(1, 48 * 100 + 16);
    e.send(0, START, 9, 9, 1);
    e.drain();
    TB_EQUAL(e.word(BASE + 0x1020), head_word(START, 9, 0));
}

static void policies_can_change_while_a_record_waits(void)
{
    tb_case("a stalled record obeys a new policy and interrupt 0 is not repeated");
    Bench b;
    b.write(NQ_SW_BACKPRESSURE_OFF, 1);
    four_records(b);
    TB_EQUAL(b.intr_count[0], 1);
    b.write(NQ_SW_BACKPRESSURE_OFF, 0);
    b.clocks_pass(10);
    TB_CHECK(b.model.idle());
    TB_EQUAL(b.intr_count[0], 1);
    TB_EQUAL(b.writes, 3);
    tb_case("disabling the ring frees a stalled record with interrupt 1");
    Bench c;
    c.write(NQ_SW_BACKPRESSURE_OFF, 1);
    four_records(c);
    c.write(NQ_ENABLE_OFF, 0);
    c.clocks_pass(10);
    TB_CHECK(c.model.idle());
    TB_EQUAL(c.intr_count[1], 1);
}

static void outstanding_limit(void)
{
    tb_case("at most MAX_OUT writes are outstanding; the stall is counted and raises interrupt 5 once");
    Bench b;
    b.ring(0, BASE, 1024);
    b.b_hold = UINT32_MAX;
    for (unsigned i = 0; i < TB_MAX_OUT + 2; i++)
        b.send(i % 2, START, i, i, 0);
    b.clocks_pass(50);
    TB_EQUAL(b.writes, TB_MAX_OUT);
    TB_EQUAL(b.intr_count[5], 1);
    TB_CHECK(b.read(NQ_PIPELINE_STALL_COUNT_OFF) >= 40);
    TB_EQUAL(b.read(NQ_PIPELINE_STALL_COUNT_OFF), 2); /* clears on read; the two clocks of this access */
    b.write(NQ_PIPELINE_STALL_OFF, 1);
    TB_EQUAL(b.read(NQ_PIPELINE_STALL_COUNT_OFF), 2);
    b.write(NQ_PIPELINE_STALL_OFF, 0);
    TB_EQUAL(b.read(NQ_PIPELINE_STALL_COUNT_OFF), 4);
    tb_case("the entries can be looked at");
    for (unsigned i = 0; i < TB_MAX_OUT + 1; i++) {
        b.write(NQ_NAQ_BUFFER_INDEX_OFF, i);
        bool there = i < TB_MAX_OUT;
        TB_EQUAL(b.read(NQ_NAQ_BUFFER_0_OFF), there ? head_word(START, i, 0) : 0);
        TB_EQUAL(b.read(NQ_NAQ_BUFFER_1_OFF), there ? i : 0);
        TB_EQUAL(b.read(NQ_NAQ_BUFFER_4_OFF), there ? (uint32_t)BASE + 16 * i : 0);
        TB_EQUAL(b.read(NQ_NAQ_BUFFER_5_OFF), there ? BASE >> 32 : 0);
        TB_EQUAL(b.read(NQ_NAQ_BUFFER_6_OFF), 0);
    }
    b.release_answers();
    b.drain();
    TB_EQUAL(b.writes, TB_MAX_OUT + 2);
    b.write(NQ_NAQ_BUFFER_INDEX_OFF, 0);
    TB_EQUAL(b.read(NQ_NAQ_BUFFER_4_OFF), 0);
}

static void input_buffers_can_be_looked_at(void)
{
    tb_case("the input buffers can be looked at");
    Bench b;
    b.write(NQ_SW_BACKPRESSURE_OFF, 1);
    four_records(b);
    b.send(1, NTYPE_SP_EXPLICIT, 0x123456, 0x89abcdef, 7, 0x26, true);
    b.write(NQ_NIQ_BUFFER_INDEX_OFF, 1 * TB_NIQ_DEPTH);
    TB_EQUAL(b.read(NQ_NIQ_BUFFER_0_OFF), 0x56123456);
    TB_EQUAL(b.read(NQ_NIQ_BUFFER_1_OFF), 0x89abcdef);
    TB_EQUAL(b.read(NQ_NIQ_BUFFER_2_OFF), 0);
    TB_EQUAL(b.read(NQ_NIQ_BUFFER_4_OFF), 0x267);
    b.write(NQ_NIQ_BUFFER_INDEX_OFF, 1 * TB_NIQ_DEPTH + 1);
    TB_EQUAL(b.read(NQ_NIQ_BUFFER_4_OFF), 0);
    b.write(NQ_NIQ_BUFFER_INDEX_OFF, TB_NIQ_DEPTH * TB_N_SRC);
    TB_EQUAL(b.read(NQ_NIQ_BUFFER_4_OFF), 0);
}

static void arbitration_is_round_robin(void)
{
    tb_case("round robin over sources, lowest first after reset; one record per clock, three clocks to awvalid");
    Bench b;
    b.ring(0, BASE, 1024);
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned s = 0; s < TB_N_SRC; s++)
            b.offer(s, START, round, s, 0);
        b.clock();
        b.clocks_pass(LAT_NQ_RECORD - 1);
        TB_CHECK(!b.out.awvalid);
        b.clock();
        TB_CHECK(b.out.awvalid);
        unsigned long long start = b.clocks;
        b.drain();
        if (TB_MAX_OUT == 8)
            TB_CHECK(b.clocks - start <= TB_N_SRC + 2);
    }
    for (unsigned i = 0; i < 2 * TB_N_SRC; i++)
        TB_EQUAL(b.word(BASE + 16 * i + 4), i % TB_N_SRC);
}

static void evsem_backpressure_bit(void)
{
    tb_case("EVT_SEM sees the EVSEM bit of hw_backpressure");
    Bench b;
    TB_CHECK(!b.evsem_backpressure());
    b.write(NQ_HW_BACKPRESSURE_LO_OFF, 1u << NCLASS_EVSEM);
    b.clock();
    TB_CHECK(b.evsem_backpressure());
    b.write(NQ_HW_BACKPRESSURE_LO_OFF, ~(1u << NCLASS_EVSEM));
    b.clock();
    TB_CHECK(!b.evsem_backpressure());
}

static void reset_in_the_middle(void)
{
    tb_case("reset in the middle of everything starts from nothing");
    Bench b;
    b.write(NQ_SW_BACKPRESSURE_OFF, 1);
    four_records(b);
    b.b_hold = UINT32_MAX;
    b.reset();
    for (uint32_t off = 0x08; off < 0x290; off += 4)
        b.read(off); /* the model compares */
    b.b_hold = 0;
    b.ring(0, BASE, 64);
    b.send(0, START, 1, 1, 0);
    b.drain();
    TB_EQUAL(b.word(BASE), head_word(START, 1, 0));
    TB_EQUAL(b.tail(0), 0x10);
}

/* ---- random ----------------------------------------------------------------------------------------------------- */

/* One register access that a host, or a confused host, might make. */
static void random_access(Bench &b, uint64_t *s)
{
    static const uint32_t looks[] = { 0x00, 0x04, 0x48, 0xb0, 0xc4, 0xc8, 0x40, 0x14, 0x60, 0x64, 0x70, 0x90, 0x94, 0xa0, 0xa8, 0xcc };
    static const uint32_t sizes[] = { 64, 32, 128, 48, 80, 256, 24, 64 };
    uint64_t r = tb_random(s);
    unsigned q = (unsigned)(r >> 8) % (NQ_QUEUES), size = b.model.size(q);
    uint32_t v = (uint32_t)(r >> 32);
    b.in.psel = true, b.in.penable = false, b.in.pwrite = true;
    switch (r & 31) {
    case 0: b.in.paddr = NQ_SW_BACKPRESSURE_OFF, b.in.pwdata = v & v >> 10; break;
    case 1: b.in.paddr = NQ_SW_OVERFLOW_OFF, b.in.pwdata = v; break;
    case 2: b.in.paddr = NQ_HW_BACKPRESSURE_LO_OFF + 4 * (v & 1), b.in.pwdata = (uint32_t)tb_random(s); break;
    case 3: b.in.paddr = NQ_WR_BUF_ENABLE_LO_OFF + 4 * (v & 1), b.in.pwdata = (uint32_t)(tb_random(s) | tb_random(s)); break;
    case 4: b.in.paddr = NQ_ENABLE_OFF, b.in.pwdata = v | v >> 10 | v >> 20; break;
    case 5: b.in.paddr = NQ_THRESHOLD_EN_OFF, b.in.pwdata = v; break;
    case 6: b.in.paddr = Bench::queue_addr(q, NQQ_THRESHOLD_OFF), b.in.pwdata = v & 0x70; break;
    case 7: b.in.paddr = NQ_TIMESTAMP_INC_OFF, b.in.pwdata = v; break;
    case 8: b.in.paddr = NQ_NIQ_BUFFER_INDEX_OFF, b.in.pwdata = v % (TB_N_SRC * TB_NIQ_DEPTH + 2); break;
    case 9: b.in.paddr = NQ_NAQ_BUFFER_INDEX_OFF, b.in.pwdata = v % (TB_MAX_OUT + 1); break;
    case 10: b.in.paddr = NQ_UART_MODE_OFF, b.in.pwdata = (v & 7) == 0; break;
    case 11:
        if (b.model.enabled(q)) { /* rings are resized only while disabled */
            b.in.paddr = NQ_ENABLE_OFF, b.in.pwdata = 0x3ff & ~(1u << q);
        } else {
            b.in.paddr = Bench::queue_addr(q, NQQ_SIZE_OFF), b.in.pwdata = sizes[v & 7];
        }
        break;
    case 12: b.in.paddr = Bench::queue_addr(q, NQQ_HEAD_OFF), b.in.pwdata = v; break; /* out of range, unaligned */
    case 13: b.in.paddr = NQ_AXI_ID_OFF, b.in.pwdata = v; break;
    case 14: case 15: case 16: case 17: case 18: case 19:
        b.in.pwrite = false, b.in.paddr = looks[v & 15];
        break;
    case 20: case 21:
        b.in.pwrite = false, b.in.paddr = Bench::queue_addr(q, NQQ_TAIL_OFF);
        break;
    default: /* drain: move the head up to the tail, or part of the way */
        b.in.paddr = Bench::queue_addr(q, NQQ_HEAD_OFF);
        b.in.pwdata = size < 32 ? 0 : v & 1 ? b.model.read(b.in.paddr + 4) : 16 * (v % (size / 16));
        break;
    }
}

static void random_traffic(uint64_t seed, unsigned records)
{
    tb_case("random traffic, stalls, errors, policies and draining equal the model clock by clock");
    Bench b;
    uint64_t s = seed * 77 + 3;
    for (unsigned q = 0; q < NQ_QUEUES; q++)
        b.ring(q, BASE + 0x1000 * q + 0x10 * q, q & 1 ? 64 : 48);
    b.stall_seed = seed;
    while (b.accepted < records) {
        uint64_t r = tb_random(&s);
        unsigned burst = b.clocks >> 8 & 3; /* idle, sparse, busy, flood */
        b.b_hold = (unsigned)(r >> 40 & 7);
        b.bfail = (r >> 44 & 31) == 0;
        b.in.ts_rst = (r >> 50 & 511) == 0;
        for (unsigned src = 0; src < TB_N_SRC; src++) {
            r = tb_random(&s);
            if (b.in.valid[src] || (r & 15) > (burst == 0 ? 0 : burst == 1 ? 1 : burst == 2 ? 5 : 15))
                continue;
            unsigned q = (r >> 8 & 31) == 0 ? (unsigned)(r >> 16 & 15) : (unsigned)(r >> 16 & 15) % NQ_QUEUES;
            b.offer(src, r >> 24 & 31, (uint32_t)(r >> 32) & 0xffffff, (uint32_t)tb_random(&s), q,
                    (unsigned)(r >> 56) % NCLASS_COUNT, (r >> 29 & 63) == 0);
        }
        if (b.in.penable) {
            b.in.psel = b.in.penable = false;
        } else if (b.in.psel) {
            b.in.penable = true;
        }
        if (!b.in.psel && tb_random(&s) & 1)
            random_access(b, &s);
        b.clock();
    }
    TB_EQUAL(b.mismatches, 0);
    TB_EQUAL(b.intr_count[7], 0);
    TB_CHECK(b.writes > records / 20);
    for (unsigned i : { 0u, 1u, 2u, 3u, 4u, 5u, 6u })
        TB_CHECK(b.intr_count[i] > 0);
    b.stall_seed = 0, b.b_hold = 0, b.bfail = false;
    if (b.in.psel && !b.in.penable) { /* finish the access that is on its way */
        b.in.penable = true;
        b.clock();
    }
    b.in.psel = b.in.penable = false;
    b.write(NQ_SW_BACKPRESSURE_OFF, 0);
    auto offered = [&b] { return std::count(b.in.valid.begin(), b.in.valid.end(), true) > 0; };
    for (unsigned n = 0; n < 2000 && offered(); n++)
        b.clock();
    TB_CHECK(!offered());
    b.drain(500);
    b.memory_equals_model();
}

int main(int argc, char **argv)
{
    Verilated::commandArgs(argc, argv);
    Verilated::randReset(2); /* whatever reset leaves alone starts random */
    row_1();
    row_2();
    row_3();
    row_4();
    row_5();
    row_6();
    row_7();
    row_8();
    row_9();
    row_10();
    row_11();
    row_12();
    row_13();
    row_14();
    row_15();
    worked_examples();
    ring_trace();
    phase_over_many_passes();
    bad_values();
    policies_can_change_while_a_record_waits();
    outstanding_limit();
    input_buffers_can_be_looked_at();
    arbitration_is_round_robin();
    evsem_backpressure_bit();
    reset_in_the_middle();
    for (uint64_t seed = 1; seed <= 4; seed++)
        random_traffic(seed, 20000);
    return tb_finish();
}
