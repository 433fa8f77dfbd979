/* Sequencers on the model alone: every instruction, run states, faults, breaks (tpb-sequencer.md,
 * tpb-image.md). */
#include "chip.h"

#define IMAGE 0x100000u
#define DATA  0x400000u
#define PARK  "00: a0 10 | 04: 04 63" /* waits for ever: S[99] > 0 */

static struct chip c;

static void setup(void)
{
    chip_open(&c, 1);
    chip_notific(&c, 0x1000);
}

static void teardown(void)
{
    chip_accepted(&c);
    chip_close(&c);
}

static void run(unsigned engine, const char *const *lines)
{
    chip_program(&c, engine, IMAGE, lines);
    chip_run(&c);
    chip_quiet(&c);
}

/* The value a register got last; ~0 - 1 when it was never written. */
static uint32_t reg(unsigned engine, unsigned r)
{
    uint32_t v = 0xfffffffe;
    for (size_t i = 0; i < c.n; i++)
        if (!c.items[i].bytes && c.items[i].ev.kind == EV_SEQ_REG && c.items[i].ev.unit == engine &&
            c.items[i].ev.index == r)
            v = c.items[i].ev.value;
    return v;
}

static struct ref_seq_view view(unsigned engine)
{
    struct ref_seq_view v;
    ref_view_seq(c.r, engine, &v);
    return v;
}

START_TEST(move_loads_immediates_and_copies)
{
    static const char *const p[] = {
        "00: a7 10 | 0c: 02 08 01 | 18: 03 3f | 20: 78 56 34 12 ff ff ff ff",
        "00: a7 10 | 0c: 02 09 00 | 10: 03 80 | 18: 05 06", /* R5 = R3, R6 = PC */
        "00: a7 10 | 0c: 01 09 01 | 18: 80",                /* the PC register ignores it */
        PARK,
        NULL,
    };
    run(ENG_PE, p);
    ck_assert_uint_eq(reg(ENG_PE, 3), 0x12345678);
    ck_assert_uint_eq(reg(ENG_PE, 63), 0xffffffff);
    ck_assert_uint_eq(reg(ENG_PE, 5), 0x12345678);
    ck_assert_uint_eq(reg(ENG_PE, 6), IMAGE + 0x40);
    ck_assert_uint_eq(chip_count(&c, EV_SEQ_REG), 4);
}
END_TEST

static const struct alu {
    uint8_t op, dtype;
    uint32_t a, b, result;
} alu_rows[] = {
    { 0x04, 8, 2, 64, 66 },
    { 0x04, 9, 0xffffffff, 2, 1 },
    { 0x05, 8, 2, 5, 0xfffffffd },
    { 0x06, 8, 0xfffffffe, 3, 0xfffffffa },
    { 0x07, 8, 0xfffffff9, 2, 0xfffffffd },
    { 0x07, 9, 0xfffffff9, 2, 0x7ffffffc },
    { 0x07, 8, 0x80000000, 0xffffffff, 0x80000000 },
    { 0x08, 8, 0xffffffff, 1, 1 },
    { 0x08, 9, 0xffffffff, 1, 0xffffffff },
    { 0x09, 8, 0xffffffff, 1, 0xffffffff },
    { 0x09, 9, 0xffffffff, 1, 1 },
    { 0x0a, 9, 0xff00, 0x0ff0, 0x0f00 },
    { 0x0b, 9, 0xff00, 0x0ff0, 0xfff0 },
    { 0x0c, 9, 0xff00, 0x0ff0, 0xf0f0 },
    { 0x01, 9, 0xff00, 0, 0xffff00ff },
    { 0x00, 9, 7, 9, 7 },
    { 0x10, 9, 1, 31, 0x80000000 },
    { 0x10, 9, 1, 32, 0 },
    { 0x11, 9, 0x80000000, 31, 1 },
    { 0x11, 8, 0x80000000, 4, 0x08000000 },
    { 0x03, 8, 0x80000000, 4, 0xf8000000 },
    { 0x03, 8, 0x80000000, 40, 0xffffffff },
    { 0x02, 8, 3, 2, 12 },
    { 0x0d, 9, 2, 0, 0 },
    { 0x0e, 9, 2, 0, 1 },
    { 0x0f, 9, 2, 3, 0 },
    { 0x12, 8, 5, 5, 1 },
    { 0x13, 8, 0xffffffff, 0, 0 },
    { 0x13, 9, 0xffffffff, 0, 1 },
    { 0x14, 8, 5, 5, 1 },
    { 0x15, 8, 6, 5, 0 },
    { 0x16, 8, 0xfffffff0, 5, 1 },
    { 0x18, 8, 5, 5, 0 },
    { 0x17, 8, 0xffffffff, 2, 3 },
    { 0x19, 8, 0xfffffffb, 0, 5 },
    { 0x1b, 8, 0xfffffff9, 4, 0xfffffffd },
    { 0xd3, 9, 0xffffffff, 0, 1 },
    { 0xda, 8, 0xffffffff, 0, 0 },
    { 0xdc, 8, 0xfffffff9, 2, 0x7ffffffc },
    { 0xcb, 8, 0xfffffff8, 7, 8 },
};

START_TEST(alu_operations)
{
    const struct alu *t = &alu_rows[_i];
    uint8_t slot[SLOT_BYTES] = { OP_ALU_OP, SLOT_WORDS };
    static const char *const park[] = { PARK, NULL };
    slot_parse("00: a7 10 | 0c: 01 09 01 | 18: 02", slot);
    put_le32(slot + SLOT_MOVE_IMM_OFF, t->a);
    chip_mem(&c, IMAGE, slot, sizeof slot);
    slot_parse("00: a8 10 | 0c: 00 00 01 00 | 10: 02 | 14: 09", slot);
    slot[SLOT_ALU_OP_OFF] = t->op;
    slot[SLOT_ALU_DTYPE_OFF] = t->dtype;
    put_le32(slot + SLOT_ALU_IMM_OFF, t->b);
    chip_mem(&c, IMAGE + 0x40, slot, sizeof slot);
    chip_slots(&c, IMAGE + 0x80, park);
    chip_start(&c, ENG_ACT, IMAGE, 0xc0);
    chip_run(&c);
    ck_assert_msg(reg(ENG_ACT, 9) == t->result, "op 0x%02x dtype %u: 0x%x op 0x%x = 0x%x, right is 0x%x",
                  t->op, t->dtype, t->a, t->b, reg(ENG_ACT, 9), t->result);
}
END_TEST

START_TEST(counted_loop_and_register_branch)
{
    static const char *const p[] = {
        "00: a7 10 | 0c: 01 09 01 | 18: 02 | 20: 05",
        "00: a0 10 | 20: 00 00 13 07",
        "00: a8 10 | 0c: 05 08 01 | 10: 02 | 14: 02 | 18: 01",
        "00: a9 10 00 02 | 0c: 06 08 03 | 20: 02 | 30: 80 ff ff ff", /* back two slots while R2 > 0 */
        "00: a7 10 | 0c: 02 09 01 | 18: 0a 0b | 20: 80 01 10 00 00 00 00 00",
        "00: a9 10 | 0c: 00 00 01 | 22: 0a 0b", /* to 0x100180 */
        PARK,
        NULL,
    };
    run(ENG_POOL, p);
    ck_assert_uint_eq(chip_sem(&c, 7), 5);
    ck_assert_uint_eq(view(ENG_POOL).pc, IMAGE + 0x180);
    ck_assert_uint_eq(view(ENG_POOL).retired, 1 + 5 * 3 + 2);
}
END_TEST

START_TEST(relative_register_branch_and_untaken_branch)
{
    static const char *const p[] = {
        "00: a7 10 | 0c: 01 09 01 | 18: 02 | 20: 80",
        "00: a9 10 | 0c: 03 08 03 | 20: 02 | 30: 00 00 00 00", /* R2 == 0: no */
        "00: a9 10 | 0c: 00 00 04 | 22: 02",                   /* to this + 0x80 */
        "00: 00 00",
        PARK,
        NULL,
    };
    run(ENG_PE, p);
    ck_assert_uint_eq(view(ENG_PE).pc, IMAGE + 0x100);
}
END_TEST

START_TEST(writes_of_every_size)
{
    static const char *const p[] = {
        "00: a5 10 | 0c: 01 | 10: 03 00 40 | 18: aa bb",
        "00: a5 10 | 0c: 02 | 10: 06 00 40 | 18: 11 22 33",
        "00: a5 10 | 0c: 04 | 10: 08 00 40 | 18: 01 02 03 04",
        "00: a5 10 | 0c: 08 | 10: 10 00 40 | 18: 01 02 03 04 05 06 07 08",
        "00: a2 10",
        PARK,
        NULL,
    };
    run(ENG_DVE, p);
    ck_assert_uint_eq(chip_word(&c, DATA), 0xaa000000);
    ck_assert_uint_eq(chip_word(&c, DATA + 4), 0x22110000);
    ck_assert_uint_eq(chip_word(&c, DATA + 8), 0x04030201);
    ck_assert_uint_eq(chip_word(&c, DATA + 20), 0x08070605);
}
END_TEST

/* Index of the n-th event of a kind. */
static size_t nth(unsigned kind, unsigned n)
{
    size_t i = chip_find(&c, kind, 0);
    while (n--)
        i = chip_find(&c, kind, i + 1);
    return i;
}

/* Without the response of the write, the n-th retirement must be refused. */
static void needs_the_response(unsigned n)
{
    struct nerr err = { 0 };
    ck_assert_uint_eq(chip_rejudge(&c, nth(EV_SEQ_WRESP, 0), NULL, &err), nth(EV_SEQ_RETIRE, n));
    ck_assert_ptr_nonnull(strstr(err.text, "respons"));
}

START_TEST(drain_waits_for_responses)
{
    static const char *const p[] = { "00: a5 10 | 0c: 04 | 10: 00 00 40", "00: a2 10", PARK, NULL };
    run(ENG_PE, p);
    needs_the_response(1);
}
END_TEST

START_TEST(strong_order_retires_a_write_after_its_response)
{
    static const char *const p[] = { "00: b1 10 | 0c: 01", "00: a5 10 | 0c: 04 | 10: 00 00 40", PARK, NULL };
    run(ENG_PE, p);
    needs_the_response(1);
}
END_TEST

START_TEST(load_and_store)
{
    static const uint32_t data[] = { 0x11223344, 0x55667788 };
    static const char *const p[] = {
        "00: a7 10 | 0c: 02 09 01 | 18: 0a 0b | 20: 04 00 40 00 00 00 00 00",
        "00: aa 10 | 0c: 09 | 0e: 01 01 | 10: 0a 0b 00 00 00 00 00 80 | 20: 05", /* register form */
        "00: ab 10 | 0c: 09 | 0e: 01 01 | 10: 20 00 40 | 20: 05",
        "00: aa 10 | 0c: 09 | 0e: 01 01 | 10: 20 00 40 | 20: 06",       /* the read-back fence */
        "00: aa 10 | 0c: 09 | 0e: 01 01 | 10: 08 00 86 02 28 | 20: 07", /* run_state of SP */
        PARK,
        NULL,
    };
    chip_words(&c, DATA, data, 2);
    run(ENG_SP, p);
    ck_assert_uint_eq(reg(ENG_SP, 5), 0x55667788);
    ck_assert_uint_eq(chip_word(&c, DATA + 0x20), 0x55667788);
    ck_assert_uint_eq(reg(ENG_SP, 7), RUN_RUNNING);
}
END_TEST

START_TEST(poll_takes_the_minimum_and_writes_it_back)
{
    static const uint32_t data[] = { 8, 3, 5, 4, 4, 10 };
    static const char *const p[] = { "00: b3 10 | 0c: 06 07 09 | 10: 00 00 40 | 18: 00 01 40", PARK, NULL };
    chip_words(&c, DATA, data, 6);
    run(ENG_SP, p);
    ck_assert_uint_eq(reg(ENG_SP, 7), 3);
    for (unsigned i = 0; i < 6; i++)
        ck_assert_uint_eq(chip_word(&c, DATA + 0x100 + 4 * i), 3);
    ck_assert_uint_eq(chip_word(&c, DATA + 0x118), 0);
}
END_TEST

START_TEST(poll_of_zero_writes_nothing)
{
    static const char *const p[] = { "00: b3 10 | 0c: 02 07 09 | 10: 00 00 40 | 18: 00 01 40", PARK, NULL };
    run(ENG_SP, p);
    ck_assert_uint_eq(reg(ENG_SP, 7), 0);
    ck_assert_uint_eq(chip_count(&c, EV_SEQ_WRITE), 0);
}
END_TEST

START_TEST(range_clear_by_range_and_by_mask)
{
    static const char *const p[] = {
        "00: b0 10 | 0c: 01 08 0a",
        "00: b0 10 | 0c: 02 | 20: 01 | 3f: 80",
        PARK,
        NULL,
    };
    for (unsigned i = 0; i < 12; i++)
        chip_w(&c, SOC_EVT + EVT_WIN_SEM_SET + 4 * i, 9);
    chip_w(&c, SOC_EVT + EVT_WIN_SEM_SET + 4 * 255, 9);
    run(ENG_SP, p);
    ck_assert_uint_eq(chip_sem(&c, 0), 0);
    ck_assert_uint_eq(chip_sem(&c, 7), 9);
    ck_assert_uint_eq(chip_sem(&c, 8), 0);
    ck_assert_uint_eq(chip_sem(&c, 10), 0);
    ck_assert_uint_eq(chip_sem(&c, 11), 9);
    ck_assert_uint_eq(chip_sem(&c, 255), 0);
    ck_assert_uint_eq(ref_commits(c.r, 0), 13 + 5);
}
END_TEST

static const struct wait {
    const char *slot;
    uint32_t sem, event;
    bool passes;
} wait_rows[] = {
    { "00: a4 10 | 04: 01 05 | 08: 03", 3, 0, true }, { "00: a4 10 | 04: 01 05 | 08: 03", 4, 0, false },
    { "00: a4 10 | 04: 02 05 | 08: 03", 2, 0, true }, { "00: a4 10 | 04: 02 05 | 08: 03", 3, 0, false },
    { "00: a4 10 | 04: 03 05 | 08: 03", 3, 0, true }, { "00: a4 10 | 04: 03 05 | 08: 03", 4, 0, false },
    { "00: a4 10 | 04: 04 05 | 08: 03", 4, 0, true }, { "00: a4 10 | 04: 04 05 | 08: 03", 3, 0, false },
    { "00: a4 10 | 04: 05 05 | 08: 03", 3, 0, true }, { "00: a4 10 | 04: 05 05 | 08: 03", 2, 0, false },
    { "00: a4 10 | 04: 06 05", 0, 1, true },          { "00: a4 10 | 04: 06 05", 0, 0, false },
    { "00: a4 10 | 04: 0e 05", 0, 0, true },          { "00: a4 10 | 04: 0e 05", 0, 1, false },
    { "00: a4 10 | 04: 85 05 | 08: 01", 0, 0, true }, { "00: a4 10 | 04: 84 05 | 08: 01", 0, 0, false },
    { "00: a4 10 | 04: fe 05", 0, 0, true },          { "00: a4 10 | 04: 02 05", 0xffffffff, 0, true },
    { "00: a0 10 | 20: 05 05 00 00 02", 2, 0, true }, { "00: a0 10 | 20: 05 05 00 00 02", 1, 0, false },
};

START_TEST(wait_modes)
{
    const char *const p[] = { wait_rows[_i].slot, PARK, NULL };
    chip_w(&c, SOC_EVT + EVT_WIN_SEM_SET + 4 * 5, wait_rows[_i].sem);
    if (wait_rows[_i].event)
        chip_w(&c, SOC_EVT + EVT_WIN_EVENT + 4 * 5, 1);
    run(ENG_PE, p);
    ck_assert_uint_eq(view(ENG_PE).retired, wait_rows[_i].passes);
}
END_TEST

START_TEST(then_forms_change_the_event)
{
    static const char *const p[] = { "00: a4 10 | 04: 07 05", "00: a4 10 | 04: 0f 06", PARK, NULL };
    chip_w(&c, SOC_EVT + EVT_WIN_EVENT + 4 * 5, 1);
    run(ENG_PE, p);
    ck_assert(!ref_event_bit(c.r, 0, 5));
    ck_assert(ref_event_bit(c.r, 0, 6));
}
END_TEST

static const struct upd {
    const char *slot;
    uint32_t sem;
} upd_rows[] = {
    { "00: a4 10 | 06: 03 05 09", 11 }, { "00: a4 10 | 06: 13 05", 11 },
    { "00: a4 10 | 06: 04 05", 9 },     { "00: a4 10 | 06: 14 05", 9 },
    { "00: a4 10 | 06: 05 05 04", 14 }, { "00: a4 10 | 06: 15 05 04", 14 },
    { "00: a4 10 | 06: 07 05 04", 6 },  { "00: a4 10 | 06: 17 05 04", 6 },
    { "00: a4 10 | 06: 09 05 04", 4 },  { "00: a4 10 | 06: 19 05 04", 4 },
    { "00: a4 10 | 06: 85 05 02", 17 }, { "00: a4 10 | 06: 95 05 02", 17 },
    { "00: a4 10 | 06: 87 05 02", 3 },  { "00: a4 10 | 06: 97 05 02", 3 },
    { "00: a4 10 | 06: 89 05 02", 7 },  { "00: a4 10 | 06: 99 05 02", 7 },
};

START_TEST(update_modes)
{
    const char *const p[] = { "00: a7 10 | 0c: 01 09 01 | 18: 02 | 20: 07", upd_rows[_i].slot, PARK, NULL };
    chip_w(&c, SOC_EVT + EVT_WIN_SEM_SET + 4 * 5, 10);
    run(ENG_PE, p);
    ck_assert_uint_eq(chip_sem(&c, 5), upd_rows[_i].sem);
}
END_TEST

START_TEST(standard_update_comes_before_the_extended_one)
{
    static const char *const p[] = { "00: a0 10 | 06: 15 05 03 | 20: 00 00 17 05 00 00 00 00 01", PARK,
                                     NULL };
    run(ENG_PE, p);
    ck_assert_uint_eq(c.items[nth(EV_SEM, 0)].ev.data, 3);
    ck_assert_uint_eq(c.items[nth(EV_SEM, 1)].ev.data, 2);
}
END_TEST

START_TEST(notify_carries_hint_extension_and_counter)
{
    static const char *const p[] = {
        "00: a6 10 00 03 | 0e: ef be",
        "00: a6 10 00 02 | 0c: 01",
        "00: a6 10 00 02 | 0c: 02",
        "00: a4 10 09 04 | 0e: 34 12",
        PARK,
        NULL,
    };
    run(ENG_SP, p);
    uint64_t ring = CHIP_RECORDS + LOAD_RECORD_RING_STRIDE;
    ck_assert_uint_eq(chip_word(&c, ring), 0x96300000);
    ck_assert_uint_eq(chip_word(&c, ring + 4), 0xbeef0000);
    ck_assert_uint_eq(chip_word(&c, ring + 16), 0x96200001);
    ck_assert_uint_eq(chip_word(&c, ring + 20), 0x00000001);
    ck_assert_uint_eq(chip_word(&c, ring + 32), 0x96400003); /* flags 2: interrupt only; debug_cmd 9 */
    ck_assert_uint_eq(chip_word(&c, ring + 36), 0x12340001);
}
END_TEST

START_TEST(trace_records_in_order)
{
    static const char *const p[] = { "00: a4 10 07 05 | 06: 13 03", PARK, NULL };
    run(ENG_DVE, p);
    ck_assert_uint_eq(chip_word(&c, CHIP_RECORDS), 0x90500000);
    ck_assert_uint_eq(chip_word(&c, CHIP_RECORDS + 16), 0x91500000);
    ck_assert_uint_gt(nth(EV_NQ_IN, 1), chip_find(&c, EV_SEM, nth(EV_NQ_IN, 0)));
}
END_TEST

static const char *const fault_rows[] = {
    "00: 99 10", /* no opcode */
    "00: c1 10", /* pseudo */
    "00: 41 10", /* compute */
    "00: b8 10",
    "00: b2 10",
    "00: b4 10",             /* control that is not there */
    "00: a4 10 | 04: 08 00", /* wait mode */
    "00: a4 10 | 04: ff 00",
    "00: a4 10 | 06: 06 00",                         /* update mode */
    "00: a4 10 | 04: 81 00 | 08: 40",                /* register 64 */
    "00: a5 10 | 0c: 03 | 10: 00 00 40",             /* size */
    "00: a7 10 | 0c: 01 09 01 | 10: 03 | 18: 02",    /* MOVE: source register beside an immediate */
    "00: a7 10 | 0c: 01 09 00 | 10: 03 04 | 18: 02", /* ... source register that is not used */
    "00: a7 10 | 0c: 01 09 01 01 | 18: 02",          /* ... byte 15 */
    "00: a8 10 | 0c: c4 08 01 09 | 14: 02",          /* integer operation of mixed types */
    "00: a8 10 | 0c: 1b 08 01 09 | 14: 02 | 18: 01",
    "00: ab 10 | 0c: 09 | 0e: 01 01 | 10: 00 00 00 02 28 | 20: 05",
    "00: ab 10 | 0c: 09 | 0e: 01 01 | 10: 00 00 00 02 28 00 80 | 20: 05", /* PSUM behind an attribute bit */
    "00: a5 10 | 0c: 04 | 10: 02 00 40",                                  /* alignment */
    "00: a5 10 | 0c: 04 | 10: 00 00 40 00 00 00 00 40",                   /* ADDR8 form */
    "00: a7 10 | 0c: 09 09 01",
    "00: a7 10 | 0c: 00 09 01",
    "00: a7 10 | 0c: 02 09 01 | 18: 02 02",
    "00: a8 10 | 0c: 1d 08 01 | 10: 02 | 14: 02", /* RSQRT */
    "00: a8 10 | 0c: 04 0a 01 | 10: 02 | 14: 02", /* FP32 */
    "00: a9 10 | 0c: 00 00 02",
    "00: a9 10 | 0c: 00 00 03 | 30: 20",
    "00: aa 10 | 0c: 09 | 0e: 02 01 | 10: 00 00 40 | 20: 05",
    "00: ab 10 | 0c: 09 | 0e: 01 01 | 10: 00 00 00 02 28 | 20: 05", /* PSUM */
    "00: b0 10 | 0c: 01 05 04",
    "00: b0 10 | 0c: 03",
    "00: b1 10 | 0c: 02",
    "00: b3 10 | 0c: 11 05 09 | 10: 00 00 40",
    "00: b3 10 | 0c: 01 05 08 | 10: 00 00 40",
};

START_TEST(bad_slots_fault)
{
    const char *const p[] = { fault_rows[_i], PARK, NULL };
    uint8_t slot[SLOT_BYTES];
    slot_parse(fault_rows[_i], slot);
    run(ENG_POOL, p);
    ck_assert_int_eq(view(ENG_POOL).state, ESTATE_FAULT);
    uint64_t errors = CHIP_RECORDS + 3 * LOAD_RECORD_RING_STRIDE, l = chip_lreg(ENG_POOL);
    ck_assert_uint_eq(chip_word(&c, errors), 0x9f00000a);
    ck_assert_uint_eq(chip_word(&c, errors + 4), 3u | (uint32_t)slot[0] << 16);
    ck_assert_uint_eq(chip_r(&c, l + LREG_RUN_STATE_OFF), RUN_MARKER);
    ck_assert_uint_eq(chip_r(&c, l + LREG_HALT_REASON_OFF), HALT_FATAL);
    ck_assert_uint_eq(chip_r(&c, l + LREG_ERROR_WORD_OFF), 3u << 8 | (uint32_t)slot[0] << 24);
    ck_assert_uint_eq(chip_r(&c, l + LREG_PC_LO_OFF), IMAGE);
}
END_TEST

START_TEST(assertions_fault)
{
    static const char *const rows[] = {
        "00: a7 10 | 0c: 01 05 01 | 18: 02",
        "00: a9 10 | 0c: 07 08 03",
        "00: a9 10 | 0c: 00 00 0b",
        "00: b5 10 | 0c: 02 | 0e: 03",
    };
    const char *const p[] = { rows[_i], PARK, NULL };
    run(ENG_DVE, p);
    ck_assert_int_eq(view(ENG_DVE).state, ESTATE_FAULT);
    ck_assert_uint_eq(chip_word(&c, CHIP_RECORDS + 3 * LOAD_RECORD_RING_STRIDE + 4) & 0xf, BLOCKID_DVE);
}
END_TEST

START_TEST(divide_by_zero_is_code_2)
{
    static const char *const p[] = { "00: a8 10 | 0c: 07 08 01 | 10: 02 | 14: 02", PARK, NULL };
    run(ENG_PE, p);
    ck_assert_uint_eq(chip_word(&c, CHIP_RECORDS + 3 * LOAD_RECORD_RING_STRIDE), 0x9f00020a);
}
END_TEST

START_TEST(pc_out_of_bounds_is_code_50)
{
    static const char *const p[] = { "00: a4 10", NULL };
    run(ENG_PE, p);
    ck_assert_uint_eq(chip_word(&c, CHIP_RECORDS + 3 * LOAD_RECORD_RING_STRIDE), 0x9f00500a);
    ck_assert_uint_eq(chip_word(&c, CHIP_RECORDS + 3 * LOAD_RECORD_RING_STRIDE + 4), BLOCKID_PE | 1 << 4);
    ck_assert_uint_eq(view(ENG_PE).retired, 1);
}
END_TEST

START_TEST(fetch_from_no_memory_is_code_50_aux_1)
{
    uint64_t l = chip_lreg(ENG_PE);
    chip_w(&c, l + LREG_PC_HI_OFF, 0x99);
    chip_w(&c, l + LREG_RELEASE_RUN_STALL_OFF, 0);
    chip_w(&c, l + LREG_START_CTRL_OFF, 1);
    chip_run(&c);
    ck_assert_uint_eq(chip_word(&c, CHIP_RECORDS + 3 * LOAD_RECORD_RING_STRIDE), 0x9f00500a);
    ck_assert_uint_eq(chip_word(&c, CHIP_RECORDS + 3 * LOAD_RECORD_RING_STRIDE + 4) >> 16,
                      FAULT_AUX_BUS_ERROR);
}
END_TEST

START_TEST(eight_byte_mode_is_a_fault)
{
    chip_w(&c, chip_lreg(ENG_SP) + LREG_SP_MODE_OFF, 1);
    chip_w(&c, chip_lreg(ENG_SP) + LREG_RELEASE_RUN_STALL_OFF, 0);
    chip_w(&c, chip_lreg(ENG_SP) + LREG_START_CTRL_OFF, 1);
    chip_run(&c);
    ck_assert_int_eq(view(ENG_SP).state, ESTATE_FAULT);
}
END_TEST

START_TEST(refused_accesses_report_and_go_on)
{
    static const char *const p[] = {
        "00: a5 10 | 0c: 04 | 10: 00 00 00 00 99",
        "00: aa 10 | 0c: 09 | 0e: 01 01 | 10: 08 00 00 00 99 | 20: 05",
        "00: a5 10 | 0c: 02 | 10: 00 00 00 06 80",
        "00: a2 10",
        PARK,
        NULL,
    };
    run(ENG_PE, p);
    uint64_t errors = CHIP_RECORDS + 3 * LOAD_RECORD_RING_STRIDE;
    ck_assert_uint_eq(reg(ENG_PE, 5), SOC_POISON);
    ck_assert_uint_eq(view(ENG_PE).retired, 4);
    uint32_t seen = 0;
    for (unsigned i = 0; i < 3; i++) {
        ck_assert_uint_eq(chip_word(&c, errors + 16 * i), 0x9f000004);
        seen += chip_word(&c, errors + 16 * i + 4);
    }
    ck_assert_uint_eq(seen, 0x06000008);
}
END_TEST

START_TEST(halt_stops_behind_itself_and_can_be_resumed)
{
    static const char *const p[] = { "00: a1 10", "00: a4 10 | 06: 13 03", PARK, NULL };
    run(ENG_PE, p);
    ck_assert_int_eq(view(ENG_PE).state, ESTATE_HALTED);
    ck_assert_uint_eq(chip_r(&c, chip_lreg(ENG_PE) + LREG_PC_LO_OFF), IMAGE + 0x40);
    ck_assert_uint_eq(chip_sem(&c, 3), 0);
    chip_w(&c, chip_lreg(ENG_PE) + LREG_START_CTRL_OFF, 1);
    chip_run(&c);
    ck_assert_uint_eq(chip_sem(&c, 3), 1);
}
END_TEST

START_TEST(external_break_stops_at_a_false_wait)
{
    static const char *const p[] = { "00: a4 10", PARK, NULL };
    run(ENG_ACT, p);
    chip_w(&c, chip_lreg(ENG_ACT) + LREG_INSTR_HALT_CTRL_OFF, 1);
    chip_run(&c);
    ck_assert_uint_eq(chip_r(&c, chip_lreg(ENG_ACT) + LREG_PC_LO_OFF), IMAGE + 0x40);
    ck_assert_uint_eq(chip_r(&c, chip_lreg(ENG_ACT) + LREG_HALT_REASON_OFF), HALT_EXT_BREAK);
    ck_assert_uint_eq(chip_r(&c, chip_lreg(ENG_ACT) + LREG_INSTR_HALT_CTRL_OFF), 0);
}
END_TEST

/* instr_halt_ctrl back at 0 before the engine looks: failed assertion, aux 0 (tpb-image.md §1.3). */
START_TEST(break_taken_back_is_an_assertion)
{
    static const char *const p[] = { "00: a4 10", PARK, NULL };
    run(ENG_ACT, p);
    ref_reg_write(c.r, chip_lreg(ENG_ACT) + LREG_INSTR_HALT_CTRL_OFF, 1);
    ref_reg_write(c.r, chip_lreg(ENG_ACT) + LREG_INSTR_HALT_CTRL_OFF, 0);
    chip_run(&c);
    ck_assert_int_eq(view(ENG_ACT).state, ESTATE_FAULT);
    ck_assert_uint_eq(chip_r(&c, chip_lreg(ENG_ACT) + LREG_ERROR_WORD_OFF), BLOCKID_ACT << 8 | 1 << 12);
}
END_TEST

START_TEST(start_ctrl_0_changes_nothing)
{
    static const char *const p[] = { "00: a4 10 | 06: 13 03", PARK, NULL };
    uint64_t l = chip_lreg(ENG_ACT);
    uint32_t size = chip_slots(&c, IMAGE, p);
    (void)size;
    chip_w(&c, l + LREG_PC_LO_OFF, IMAGE);
    ref_reg_write(c.r, l + LREG_START_CTRL_OFF, 2);
    ref_reg_write(c.r, l + LREG_START_CTRL_OFF, 0);
    ck_assert_uint_eq(chip_r(&c, l + LREG_START_CTRL_OFF), 1);
    chip_w(&c, l + LREG_RELEASE_RUN_STALL_OFF, 0);
    chip_run(&c);
    ck_assert_uint_eq(chip_sem(&c, 3), 1);
}
END_TEST

/* RESET also forgets SET_ORDERING_MODE: the write of the second program retires before its response. */
START_TEST(reset_ends_strong_ordering)
{
    static const char *const p[] = { "00: b1 10 | 0c: 01", PARK, NULL };
    static const char *const q[] = { "00: a5 10 | 0c: 04 | 10: 00 00 40", PARK, NULL };
    run(ENG_PE, p);
    chip_w(&c, chip_lreg(ENG_PE) + LREG_RELEASE_RUN_STALL_OFF, 1);
    chip_run(&c);
    size_t from = c.n;
    run(ENG_PE, q);
    struct nerr err;
    size_t answer = chip_find(&c, EV_SEQ_WRESP, from), retire = chip_find(&c, EV_SEQ_RETIRE, from);
    struct dev_event early = c.items[retire].ev;
    early.cycle = c.items[answer].ev.cycle;
    ck_assert_uint_eq(chip_rejudge(&c, answer, &early, &err), retire); /* only the second one is too much */
}
END_TEST

/* The tpb block refuses what is not built, and a FAKE_ERROR while one waits. */
START_TEST(tpb_block_refuses)
{
    static const uint32_t holes[] = { TPB_ROUTE_HAM_OFF, TPB_ROUTE_Q7_OFF, TPB_ROUTE_INST_OFF, 0, 0x80c };
    for (unsigned i = 0; i < 5; i++) {
        ck_assert_int_eq(ref_reg_write(c.r, SOC_TPB_CTRL + holes[i], 1), 1);
        ck_assert_int_eq(ref_reg_write(c.r, SOC_TPB_CTRL + holes[i], 0), 0);
        ck_assert_uint_eq(chip_r(&c, SOC_TPB_CTRL + holes[i]), 0);
    }
    ck_assert_int_eq(ref_reg_write(c.r, SOC_TPB_CTRL + TPB_FAKE_ERROR_CTRL_OFF, 1), 0);
    ck_assert_int_eq(ref_reg_write(c.r, SOC_TPB_CTRL + TPB_FAKE_ERROR_CTRL_OFF, 1), 1);
    chip_run(&c);
    ck_assert_int_eq(ref_reg_write(c.r, SOC_TPB_CTRL + TPB_FAKE_ERROR_CTRL_OFF, 1), 0);
    chip_run(&c);
}
END_TEST

START_TEST(no_break_after_a_side_effect)
{
    static const char *const p[] = { "00: a0 10 | 04: 07 05 | 20: 04 63", PARK, NULL };
    chip_w(&c, SOC_EVT + EVT_WIN_EVENT + 4 * 5, 1);
    run(ENG_ACT, p);
    chip_w(&c, chip_lreg(ENG_ACT) + LREG_INSTR_HALT_CTRL_OFF, 1);
    chip_run(&c);
    ck_assert_int_eq(view(ENG_ACT).state, ESTATE_RUNNING);
    chip_w(&c, SOC_EVT + EVT_WIN_SEM_INC + 4 * 99, 1);
    chip_run(&c);
    ck_assert_int_eq(view(ENG_ACT).state, ESTATE_HALTED);
    ck_assert_uint_eq(view(ENG_ACT).retired, 1);
}
END_TEST

START_TEST(reset_clears_registers_and_counter_but_not_scratch)
{
    static const char *const p[] = { "00: a7 10 | 0c: 01 09 01 | 18: 02 | 20: 07", "00: a6 10 00 03", PARK,
                                     NULL };
    static const char *const q[] = { "00: a4 10 | 06: 95 05 02", "00: a6 10 00 02", PARK, NULL };
    run(ENG_PE, p);
    chip_w(&c, chip_lreg(ENG_PE) + LREG_RELEASE_RUN_STALL_OFF, 1);
    chip_run(&c);
    ck_assert_uint_eq(chip_r(&c, chip_lreg(ENG_PE) + LREG_RUN_STATE_OFF), RUN_IDLE);
    ck_assert_uint_eq(chip_r(&c, chip_lreg(ENG_PE) + LREG_BOUND_LO_LO_OFF), IMAGE);
    run(ENG_PE, q);
    ck_assert_uint_eq(chip_sem(&c, 5), 0);
    ck_assert_uint_eq(chip_word(&c, CHIP_RECORDS + LOAD_RECORD_RING_STRIDE + 20), 0);
}
END_TEST

START_TEST(two_engines_pass_a_token)
{
    static const char *const ping[] = {
        "00: a7 10 | 0c: 01 09 01 | 18: 02 | 20: 14",
        "00: a0 10 | 20: 00 00 13 01",    /* S1 += 1 */
        "00: a0 10 | 20: 05 02 14 02 01", /* wait S2 >= 1, S2 -= 1 */
        "00: a8 10 | 0c: 05 08 01 | 10: 02 | 14: 02 | 18: 01",
        "00: a9 10 00 02 | 0c: 04 08 03 | 20: 02 | 30: 40 ff ff ff",
        PARK,
        NULL,
    };
    static const char *const pong[] = {
        "00: a0 10 | 20: 05 01 14 01 01",
        "00: a0 10 | 20: 00 00 13 02",
        "00: a9 10 00 02 | 0e: 03 | 30: 80 ff ff ff",
        NULL,
    };
    chip_program(&c, ENG_PE, IMAGE, ping);
    chip_program(&c, ENG_ACT, IMAGE + 0x8000, pong);
    chip_run(&c);
    chip_quiet(&c);
    ck_assert_uint_eq(view(ENG_PE).retired, 1 + 20 * 4);
    ck_assert_uint_eq(view(ENG_ACT).retired, 20 * 3);
    ck_assert_uint_eq(chip_sem(&c, 1), 0);
    ck_assert_uint_eq(chip_sem(&c, 2), 0);
}
END_TEST

#define COUNT(rows) (int)(sizeof rows / sizeof rows[0])

int main(void)
{
    Suite *s = suite_create("refmodel seq");
    TCase *t = tcase_create("seq");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, move_loads_immediates_and_copies);
    tcase_add_loop_test(t, alu_operations, 0, COUNT(alu_rows));
    tcase_add_test(t, counted_loop_and_register_branch);
    tcase_add_test(t, relative_register_branch_and_untaken_branch);
    tcase_add_test(t, writes_of_every_size);
    tcase_add_test(t, drain_waits_for_responses);
    tcase_add_test(t, strong_order_retires_a_write_after_its_response);
    tcase_add_test(t, load_and_store);
    tcase_add_test(t, poll_takes_the_minimum_and_writes_it_back);
    tcase_add_test(t, poll_of_zero_writes_nothing);
    tcase_add_test(t, range_clear_by_range_and_by_mask);
    tcase_add_loop_test(t, wait_modes, 0, COUNT(wait_rows));
    tcase_add_test(t, then_forms_change_the_event);
    tcase_add_loop_test(t, update_modes, 0, COUNT(upd_rows));
    tcase_add_test(t, standard_update_comes_before_the_extended_one);
    tcase_add_test(t, notify_carries_hint_extension_and_counter);
    tcase_add_test(t, trace_records_in_order);
    tcase_add_loop_test(t, bad_slots_fault, 0, COUNT(fault_rows));
    tcase_add_loop_test(t, assertions_fault, 0, 4);
    tcase_add_test(t, divide_by_zero_is_code_2);
    tcase_add_test(t, pc_out_of_bounds_is_code_50);
    tcase_add_test(t, fetch_from_no_memory_is_code_50_aux_1);
    tcase_add_test(t, eight_byte_mode_is_a_fault);
    tcase_add_test(t, refused_accesses_report_and_go_on);
    tcase_add_test(t, halt_stops_behind_itself_and_can_be_resumed);
    tcase_add_test(t, external_break_stops_at_a_false_wait);
    tcase_add_test(t, break_taken_back_is_an_assertion);
    tcase_add_test(t, start_ctrl_0_changes_nothing);
    tcase_add_test(t, reset_ends_strong_ordering);
    tcase_add_test(t, tpb_block_refuses);
    tcase_add_test(t, no_break_after_a_side_effect);
    tcase_add_test(t, reset_clears_registers_and_counter_but_not_scratch);
    tcase_add_test(t, two_engines_pass_a_token);
    suite_add_tcase(s, t);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed != 0;
}
