/* E1 end to end on the model alone: final state, records and semaphore sequences of slice-walkthrough.md
 * §8-§10. */
#include "e1_slice.h"

static struct chip c;

static void setup(void)
{
    chip_open(&c, 2);
    e1_load(&c);
    e1_run(&c);
}

static void teardown(void)
{
    chip_close(&c);
}

START_TEST(tensors_hold_the_input_at_the_end)
{
    uint8_t in[E1_BYTES], got[E1_BYTES];
    static const uint32_t vars[] = { E1_OUTPUT, E1_GRADIENT_IN, E1_GRADIENT_OUT };
    e1_input(in);
    for (unsigned i = 0; i < 3; i++) {
        ref_mem_read(c.r, vars[i], got, sizeof got);
        ck_assert_mem_eq(got, in, sizeof in);
    }
}
END_TEST

START_TEST(nothing_else_in_memory_changed)
{
    struct sparse *want = sparse_new();
    uint8_t in[E1_BYTES], ring[0xf0];
    ck_assert_ptr_nonnull(want);
    for (size_t i = 0; i < c.n; i++)
        if (c.items[i].bytes)
            ck_assert(sparse_write(want, c.items[i].addr, c.items[i].bytes, c.items[i].len));
    e1_input(in);
    ck_assert(sparse_write(want, E1_OUTPUT, in, sizeof in));
    ck_assert(sparse_write(want, E1_GRADIENT_IN, in, sizeof in));
    ck_assert(sparse_write(want, E1_GRADIENT_OUT, in, sizeof in));
    ref_mem_read(c.r, CHIP_RECORDS + LOAD_RECORD_RING_STRIDE, ring, sizeof ring);
    ck_assert(sparse_write(want, CHIP_RECORDS + LOAD_RECORD_RING_STRIDE, ring, sizeof ring));
    uint64_t addr = 0;
    bool differs = sparse_first_difference(want, ref_memory(c.r), &addr);
    ck_assert_msg(!differs, "byte at 0x%lx differs", (unsigned long)addr);
    sparse_free(want);
}
END_TEST

/* The new values each semaphore takes, as one text. */
static void sequence(unsigned unit, unsigned sem, char *buf, size_t size)
{
    size_t used = 0;
    bool started = false;
    buf[0] = '\0';
    for (size_t i = 0; i < c.n; i++) {
        const struct dev_event *ev = &c.items[i].ev;
        started = started || (!c.items[i].bytes && ev->kind == EV_SEQ_STATE);
        if (!c.items[i].bytes && ev->kind == EV_SEM && ev->unit == unit && ev->index == sem && started)
            used +=
                (size_t)snprintf(buf + used, size - used, "%s%lu", used ? " " : "", (unsigned long)ev->data);
    }
}

START_TEST(semaphores_take_their_sequences)
{
    static const struct {
        unsigned unit, sem;
        const char *values;
    } rows[] = {
        { 0, 240, "1 0" },     { 0, 241, "1 0" },     { 0, 242, "1 0" },
        { 0, 243, "1 0" },     { 0, 244, "1 0" },     { 0, 10, "1 0" },
        { 0, 22, "1 0" },      { 0, 11, "1 0" },      { 0, 245, "1 2 3 4 0 1 2 3 4 0" },
        { 0, 246, "1 0 1 0" }, { 0, 247, "1 0 1 0" }, { 0, 248, "1 0 1 0" },
        { 0, 249, "1 0 1 0" }, { 1, 0, "1 0" },
    };
    char got[128];
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sequence(rows[i].unit, rows[i].sem, got, sizeof got);
        ck_assert_str_eq(got, rows[i].values);
    }
    for (unsigned i = 0; i < SEM_COUNT; i++)
        ck_assert_uint_eq(chip_sem(&c, i), 0);
    ck_assert_uint_eq(ref_commits(c.r, 0), 42 + 13); /* 42 after start, 13 by the host before */
}
END_TEST

START_TEST(sp_commits_in_program_order)
{
    static const unsigned order[] = { 244, 245, 246, 247, 248, 249, 10, 11, 22, 245, 246, 247, 248, 249 };
    unsigned n = 0;
    for (size_t i = 0; i < c.n; i++) {
        const struct dev_event *ev = &c.items[i].ev;
        if (c.items[i].bytes || ev->kind != EV_SEM || ev->code != ENG_SP)
            continue;
        ck_assert_uint_lt(n, sizeof order / sizeof order[0]);
        ck_assert_uint_eq(ev->index, order[n++]);
    }
    ck_assert_uint_eq(n, sizeof order / sizeof order[0]);
}
END_TEST

START_TEST(fifteen_records_with_their_words)
{
    static const uint32_t want[ENG_COUNT][3] = {
        { 0x86400000, 0x86200002, 0x86300008 }, { 0x8a400000, 0x8a200002, 0x8a300007 },
        { 0x8e400000, 0x8e200002, 0x8e30000c }, { 0x92400000, 0x92200002, 0x92300007 },
        { 0x96400000, 0x96200002, 0x9630000e },
    };
    uint64_t ring = CHIP_RECORDS + LOAD_RECORD_RING_STRIDE, last = 0;
    unsigned seen[ENG_COUNT] = { 0 };
    for (unsigned i = 0; i < 15; i++) {
        uint32_t w0 = chip_word(&c, ring + 16 * i);
        unsigned e = ((w0 >> NOTIF_W0_TYPE_LSB & 0x1f) - NTYPE_ENG_BASE) / NTYPE_ENG_STRIDE;
        uint64_t time = (uint64_t)chip_word(&c, ring + 16 * i + 12) << 32 | chip_word(&c, ring + 16 * i + 8);
        ck_assert_uint_lt(e, ENG_COUNT);
        ck_assert_uint_lt(seen[e], 3);
        ck_assert_uint_eq(w0, want[e][seen[e]++]);
        ck_assert_uint_eq(chip_word(&c, ring + 16 * i + 4), 0);
        ck_assert_uint_ge(time, last);
        last = time;
    }
    ck_assert_uint_eq(chip_word(&c, ring + 0xf0), 0);
}
END_TEST

START_TEST(pointers_counters_and_engines)
{
    static const unsigned retired[ENG_COUNT] = { 10, 9, 14, 9, 16 };
    struct ref_seq_view v;
    for (unsigned e = 0; e < ENG_COUNT; e++) {
        ref_view_seq(c.r, e, &v);
        ck_assert_uint_eq(v.retired, retired[e]);
        ck_assert_int_eq(v.state, ESTATE_RUNNING);
        ck_assert_uint_eq(v.pc, slice_images[e].base + 0x40);
        ck_assert(v.waiting);
    }
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned dir = 0; dir < 2; dir++) {
            uint64_t b = chip_bank(e1_queues[i].e, e1_queues[i].q, dir);
            ck_assert_uint_eq(chip_r(&c, b + M2SQ_TDRHP_OFF), 0x40000002);
            ck_assert_uint_eq(chip_r(&c, b + M2SQ_TDRTP_OFF), 0x40000002);
            ck_assert_uint_eq(chip_r(&c, b + M2SQ_TDCP_OFF), 0x40000002);
            ck_assert_uint_eq(chip_r(&c, b + M2SQ_TCRHP_OFF), 0x40000002);
            ck_assert_uint_eq(chip_r(&c, b + (dir ? S2MQ_Q_RX_PKT_OFF : M2SQ_Q_TX_PKT_OFF)), 2);
        }
    }
    ck_assert_uint_eq(chip_r(&c, chip_dma(0) + UDMA_APP_OFF + UAPP_NUM_SET_OFF), 2);
    ck_assert_uint_eq(chip_r(&c, chip_dma(1) + UDMA_APP_OFF + UAPP_NUM_SET_OFF), 1);
    ck_assert_uint_eq(chip_r(&c, chip_dma(0) + UDMA_APP_OFF + UAPP_NUM_CLR_OFF), 0);
    ck_assert_uint_eq(chip_count(&c, EV_DMA_DESC), 12);
    ck_assert_uint_eq(chip_count(&c, EV_DMA_BELL), 6);
    ck_assert_uint_eq(chip_r(&c, SOC_NOTIFIC + NQ_Q_BASE + NQ_Q_STRIDE + NQQ_TAIL_OFF), 0xf0);
    ck_assert_uint_eq(chip_r(&c, SOC_NOTIFIC + NQ_Q_BASE + NQ_Q_STRIDE + NQQ_HEAD_OFF), 0xf0);
    ck_assert_uint_eq(chip_r(&c, SOC_NOTIFIC + NQ_STATS_OFF), 15);
    ck_assert_uint_eq(chip_r(&c, SOC_NOTIFIC + NQ_STATS_OFF), 0);
    ck_assert_uint_eq(chip_r(&c, SOC_NOTIFIC + NQ_FULL_OFF), 0);
}
END_TEST

START_TEST(stop_leaves_the_engines_halted_at_the_gate)
{
    e1_stop(&c);
    for (unsigned e = 0; e < ENG_COUNT; e++) {
        ck_assert_uint_eq(chip_r(&c, chip_lreg(e) + LREG_RUN_STATE_OFF), RUN_MARKER);
        ck_assert_uint_eq(chip_r(&c, chip_lreg(e) + LREG_HALT_REASON_OFF), HALT_EXT_BREAK);
        ck_assert_uint_eq(chip_r(&c, chip_lreg(e) + LREG_PC_LO_OFF), slice_images[e].base + 0x40);
    }
    chip_quiet(&c);
}
END_TEST

START_TEST(second_model_accepts_the_recording)
{
    e1_stop(&c);
    chip_accepted(&c);
}
END_TEST

START_TEST(second_inference_counts_in_w1)
{
    for (unsigned i = 0; i < 3; i++) {
        chip_w(&c, chip_bank(e1_queues[i].e, e1_queues[i].q, 0) + M2SQ_Q_SW_CTRL_OFF, DMA_Q_RESET);
        chip_w(&c, chip_bank(e1_queues[i].e, e1_queues[i].q, 1) + S2MQ_Q_SW_CTRL_OFF, DMA_Q_RESET);
    }
    for (unsigned e = 0; e < ENG_COUNT; e++)
        chip_w(&c, SOC_EVT + EVT_WIN_SEM_INC + EVT_STRIDE * (uint64_t)(SEM_START_GATE + e), 1);
    for (unsigned round = 0; round < 3; round++) {
        chip_run(&c);
        if (chip_r(&c, SOC_TOPSP0 + EVT_WIN_SEM_READ) == 0)
            continue;
        chip_w(&c, SOC_TOPSP0 + EVT_WIN_SEM_DEC, 1);
        chip_bell(&c, 0, 15, 1, 2);
        chip_bell(&c, 0, 15, 0, 2);
    }
    uint64_t ring = CHIP_RECORDS + LOAD_RECORD_RING_STRIDE;
    for (unsigned i = 15; i < 25; i++) {
        ck_assert_uint_eq(chip_word(&c, ring + 16 * i) >> 31, 1);
        ck_assert_uint_eq(chip_word(&c, ring + 16 * i + 4), 1);
    }
    chip_quiet(&c);
    chip_accepted(&c);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("refmodel slice");
    TCase *t = tcase_create("E1");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, tensors_hold_the_input_at_the_end);
    tcase_add_test(t, nothing_else_in_memory_changed);
    tcase_add_test(t, semaphores_take_their_sequences);
    tcase_add_test(t, sp_commits_in_program_order);
    tcase_add_test(t, fifteen_records_with_their_words);
    tcase_add_test(t, pointers_counters_and_engines);
    tcase_add_test(t, stop_leaves_the_engines_halted_at_the_gate);
    tcase_add_test(t, second_model_accepts_the_recording);
    tcase_add_test(t, second_inference_counts_in_w1);
    suite_add_tcase(s, t);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed != 0;
}
