/* NOTIFIC on the model alone: the rows of notification-queue.md §16 that need no clock, and the ring trace of
 * §14. */
#include "chip.h"

#define BANK(q) (SOC_NOTIFIC + NQ_Q_BASE + (uint64_t)(q)*NQ_Q_STRIDE)
#define NQ(reg) (SOC_NOTIFIC + (reg))

static struct chip c;

static void setup(void)
{
    chip_open(&c, 1);
}

static void teardown(void)
{
    chip_accepted(&c);
    chip_close(&c);
}

/* One ring of `size` bytes as queue q, lossless unless `policy` says otherwise; errors go there. */
static void ring(unsigned q, uint32_t size, uint32_t backpressure, uint32_t overflow)
{
    chip_w(&c, NQ(NQ_WR_BUF_ENABLE_LO_OFF), 0xffffffff);
    chip_w(&c, NQ(NQ_WR_BUF_ENABLE_HI_OFF), 0xffffffff);
    chip_w(&c, NQ(NQ_SW_BACKPRESSURE_OFF), backpressure);
    chip_w(&c, NQ(NQ_SW_OVERFLOW_OFF), overflow);
    chip_w(&c, NQ(NQ_HW_BACKPRESSURE_LO_OFF), 0xffffffff);
    chip_w(&c, BANK(q) + NQQ_BASE_HI_OFF, (uint32_t)(CHIP_RECORDS >> 32));
    chip_w(&c, BANK(q) + NQQ_BASE_LO_OFF, (uint32_t)CHIP_RECORDS);
    chip_w(&c, BANK(q) + NQQ_SIZE_OFF, size);
    chip_w(&c, NQ(NQ_ENABLE_OFF), 1u << q);
    chip_w(&c, SOC_TPB_CTRL + TPB_ROUTE_ERR_OFF, q);
}

/* Sends one record through the test hook. */
static void record(uint32_t data)
{
    chip_w(&c, SOC_TPB_CTRL + TPB_FAKE_ERROR_DATA_OFF, data);
    chip_w(&c, SOC_TPB_CTRL + TPB_FAKE_ERROR_CTRL_OFF, 1);
    chip_run(&c);
}

static uint32_t w0(unsigned slot)
{
    return chip_word(&c, CHIP_RECORDS + 16 * slot);
}

static uint32_t w1(unsigned slot)
{
    return chip_word(&c, CHIP_RECORDS + 16 * slot + 4);
}

START_TEST(row_1_reset_values)
{
    ck_assert_uint_eq(chip_r(&c, NQ(NQ_ENABLE_OFF)), 0);
    ck_assert_uint_eq(chip_r(&c, NQ(NQ_AXI_ID_OFF)), 1);
    ck_assert_uint_eq(chip_r(&c, NQ(NQ_COAL_TIMER_OFF)), 0x1000);
    ck_assert_uint_eq(chip_r(&c, NQ(NQ_COAL_CTRL_OFF)), 0x3c00);
    ck_assert_uint_eq(chip_r(&c, NQ(NQ_TIMESTAMP_INC_OFF)), 0x400);
    ck_assert_uint_eq(chip_r(&c, NQ(NQ_SPARE_1S_OFF)), 0xffffffff);
    ck_assert_uint_eq(chip_r(&c, BANK(9) + NQQ_TAIL_OFF), 0);
    ck_assert_uint_eq(chip_r(&c, NQ(0x3fc)), 0);
    ck_assert_uint_eq(chip_count(&c, EV_MEM_WR), 0);
}
END_TEST

START_TEST(row_2_one_record)
{
    static const char *const trace[] = { "00: a4 10 03 05", "00: a0 10 | 04: 04 63", NULL };
    ring(0, 64, 1, 0);
    chip_program(&c, ENG_POOL, 0x110000, trace);
    chip_run(&c);
    ck_assert_uint_eq(w0(0), 0x8c500000);
    ck_assert_uint_eq(w1(0), 0);
    ck_assert_uint_eq(chip_r(&c, BANK(0) + NQQ_TAIL_OFF), 0x10);
    ck_assert_uint_eq(chip_r(&c, NQ(NQ_STATS_OFF)), 1);
    ck_assert_uint_eq(chip_r(&c, NQ(NQ_STATS_OFF)), 0);
}
END_TEST

START_TEST(row_3_disabled_queue_drops)
{
    ring(0, 64, 1, 0);
    chip_w(&c, SOC_TPB_CTRL + TPB_ROUTE_ERR_OFF, 3);
    record(1);
    ck_assert_uint_eq(chip_count(&c, EV_NQ_WR), 0);
    ck_assert_uint_eq(c.items[chip_find(&c, EV_NQ_DROP, 0)].ev.code, NDROP_QUEUE_OFF);
    ck_assert_uint_eq(chip_r(&c, BANK(3) + NQQ_TAIL_OFF), 0);
    chip_quiet(&c);
}
END_TEST

START_TEST(queue_number_ten_and_illegal_sizes_drop)
{
    ring(0, 64, 1, 0);
    chip_w(&c, SOC_TPB_CTRL + TPB_ROUTE_ERR_OFF, 10);
    record(1);
    chip_w(&c, SOC_TPB_CTRL + TPB_ROUTE_ERR_OFF, 0);
    chip_w(&c, BANK(0) + NQQ_SIZE_OFF, 24);
    record(2);
    chip_w(&c, BANK(0) + NQQ_SIZE_OFF, 16);
    record(3);
    ck_assert_uint_eq(chip_count(&c, EV_NQ_DROP), 3);
    ck_assert_uint_eq(chip_count(&c, EV_NQ_WR), 0);
}
END_TEST

START_TEST(row_4_drop_policy_and_ring_trace)
{
    ring(0, 64, 0, 0);
    for (uint32_t i = 0; i < 4; i++)
        record(i);
    ck_assert_uint_eq(chip_count(&c, EV_NQ_WR), 3);
    ck_assert_uint_eq(chip_r(&c, NQ(NQ_FULL_OFF)), 1);
    ck_assert_uint_eq(chip_r(&c, BANK(0) + NQQ_TAIL_OFF), 48);
    chip_w(&c, BANK(0) + NQQ_HEAD_OFF, 32);
    record(4);
    ck_assert_uint_eq(w0(3), 0xbf000005); /* phase 1, software overflow */
    ck_assert_uint_eq(w1(3), 4);
    ck_assert_uint_eq(chip_r(&c, BANK(0) + NQQ_TAIL_OFF), 0);
    record(5);
    ck_assert_uint_eq(w0(0), 0x1f000005); /* second pass */
    ck_assert_uint_eq(chip_r(&c, BANK(0) + NQQ_TAIL_OFF), 16);
    ck_assert_uint_eq(chip_r(&c, NQ(NQ_FULL_OFF)), 1);
}
END_TEST

START_TEST(row_5_overwrite_policy)
{
    ring(0, 64, 0, 1);
    for (uint32_t i = 0; i < 5; i++)
        record(i);
    ck_assert_uint_eq(w0(3), 0xbf000005);
    ck_assert_uint_eq(w0(0), 0x1f000005);
    ck_assert_uint_eq(w1(0), 4);
    ck_assert_uint_eq(chip_count(&c, EV_NQ_DROP), 0);
}
END_TEST

START_TEST(row_6_backpressure_stalls_until_the_head_moves)
{
    ring(0, 64, 1, 0);
    for (uint32_t i = 0; i < 4; i++)
        record(i);
    ck_assert_uint_eq(chip_count(&c, EV_NQ_WR), 3);
    chip_quiet(&c);
    struct ref_nq_view v;
    ref_view_nq(c.r, 0, &v);
    ck_assert(v.full && v.enabled);
    chip_w(&c, BANK(0) + NQQ_HEAD_OFF, 16);
    chip_run(&c);
    ck_assert_uint_eq(w0(3), 0x9f000005);
    ck_assert_uint_eq(w1(3), 3);
}
END_TEST

START_TEST(full_ring_holds_an_engine_at_its_notify)
{
    static const char *const notes[] = { "00: a6 10 00 02", "00: a9 10 00 02 | 0e: 03 | 30: c0 ff ff ff",
                                         NULL };
    ring(1, 32, 2, 0);
    chip_w(&c, SOC_TPB_CTRL + TPB_ROUTE_PE_POOL_OFF, 0x10);
    chip_program(&c, ENG_PE, 0x100000, notes);
    chip_run(&c);
    struct ref_seq_view v;
    ref_view_seq(c.r, ENG_PE, &v);
    ck_assert_str_eq(v.stalled_on, "NOTIFIC");
    ck_assert_uint_eq(chip_count(&c, EV_NQ_IN), 1 + NQ_NIQ_DEPTH);
    chip_w(&c, chip_lreg(ENG_PE) + LREG_RELEASE_RUN_STALL_OFF, 1);
    chip_run(&c);
    ck_assert_uint_eq(chip_r(&c, chip_lreg(ENG_PE) + LREG_RUN_STATE_OFF), RUN_IDLE);
}
END_TEST

START_TEST(row_7_input_overrun_drops_and_marks_the_newest_record)
{
    static const char *const notes[] = { "00: a6 10 00 02", "00: a9 10 00 02 | 0e: 03 | 30: c0 ff ff ff",
                                         NULL };
    ring(1, 32, 2, 0);
    chip_w(&c, NQ(NQ_HW_BACKPRESSURE_LO_OFF), 0);
    chip_w(&c, SOC_TPB_CTRL + TPB_ROUTE_PE_POOL_OFF, 0x10);
    chip_program(&c, ENG_PE, 0x100000, notes);
    ref_run(c.r, 400, false, NULL);
    chip_ok(&c);
    ck_assert_uint_gt(chip_count(&c, EV_NQ_DROP), 3);
    chip_w(&c, chip_lreg(ENG_PE) + LREG_INSTR_HALT_CTRL_OFF, 1);
    chip_run(&c);
    for (unsigned i = 1; i <= NQ_NIQ_DEPTH; i++) {
        ck_assert_uint_eq(w0(i % 2) >> 30 & 1, i - 1 == NQ_NIQ_DEPTH);
        chip_w(&c, BANK(1) + NQQ_HEAD_OFF, 16 * (i % 2));
        chip_run(&c);
    }
    ck_assert_uint_eq(w0(NQ_NIQ_DEPTH % 2) >> 30 & 1, 1);
}
END_TEST

START_TEST(row_9_threshold_is_sticky_until_the_head_is_written)
{
    ring(0, 0x1000, 1, 0);
    chip_w(&c, BANK(0) + NQQ_THRESHOLD_OFF, 32);
    chip_w(&c, NQ(NQ_THRESHOLD_EN_OFF), 1);
    record(0);
    ck_assert_uint_eq(chip_r(&c, NQ(NQ_THRESHOLD_PASSED_OFF)), 0);
    record(1);
    ck_assert_uint_eq(chip_r(&c, NQ(NQ_THRESHOLD_PASSED_OFF)), 1);
    chip_w(&c, BANK(0) + NQQ_HEAD_OFF, 32);
    ck_assert_uint_eq(chip_r(&c, NQ(NQ_THRESHOLD_PASSED_OFF)), 0);
}
END_TEST

START_TEST(row_10_refused_write_is_captured_and_tail_is_kept)
{
    ring(0, 0x1000, 1, 0);
    chip_w(&c, BANK(0) + NQQ_BASE_HI_OFF, 0x99);
    record(0);
    ck_assert_uint_eq(chip_r(&c, NQ(NQ_ERROR_ADDR_LO_OFF)), (uint32_t)CHIP_RECORDS);
    ck_assert_uint_eq(chip_r(&c, NQ(NQ_ERROR_ADDR_HI_OFF)), 0x99);
    ck_assert_uint_eq(chip_r(&c, BANK(0) + NQQ_TAIL_OFF), 16);
}
END_TEST

START_TEST(row_12_disabling_resets_tail_and_phase)
{
    ring(0, 64, 1, 0);
    record(1);
    chip_w(&c, NQ(NQ_ENABLE_OFF), 0);
    ck_assert_uint_eq(chip_r(&c, BANK(0) + NQQ_TAIL_OFF), 0);
    chip_w(&c, NQ(NQ_ENABLE_OFF), 1);
    record(2);
    ck_assert_uint_eq(w0(0), 0x9f000005);
    ck_assert_uint_eq(w1(0), 2);
}
END_TEST

START_TEST(row_13_uart_mode_writes_at_the_base)
{
    ring(0, 64, 1, 0);
    chip_w(&c, NQ(NQ_UART_MODE_OFF), 1);
    for (uint32_t i = 0; i < 5; i++)
        record(i);
    ck_assert_uint_eq(w1(0), 4);
    ck_assert_uint_eq(w0(1), 0);
    ck_assert_uint_eq(chip_r(&c, BANK(0) + NQQ_TAIL_OFF), 0);
}
END_TEST

START_TEST(row_15_class_bit_off_discards_silently)
{
    ring(0, 64, 1, 0);
    chip_w(&c, NQ(NQ_WR_BUF_ENABLE_LO_OFF), ~(1u << NCLASS_ERROR_FAKE_ERROR));
    record(1);
    ck_assert_uint_eq(chip_count(&c, EV_NQ_WR), 0);
    ck_assert_uint_eq(chip_r(&c, BANK(0) + NQQ_TAIL_OFF), 0);
    chip_quiet(&c);
}
END_TEST

START_TEST(time_follows_the_increment)
{
    ring(0, 0x1000, 1, 0);
    chip_w(&c, NQ(NQ_TIMESTAMP_INC_OFF), NQ_TIMESTAMP_INC_1GHZ);
    record(0);
    record(1);
    uint64_t a = chip_word(&c, CHIP_RECORDS + 8), b = chip_word(&c, CHIP_RECORDS + 24);
    ck_assert_uint_gt(b, a);
    ck_assert_uint_eq((b - a) % 1000, 0);
}
END_TEST

/* A record lost inside NOTIFIC shows when the next one of the same source is written. */
START_TEST(a_lost_record_is_named)
{
    struct nerr err = { 0 };
    ring(0, 0x1000, 1, 0);
    record(7);
    record(8);
    size_t first = chip_find(&c, EV_NQ_WR, 0), second = chip_find(&c, EV_NQ_WR, first + 1);
    struct ref *judge = ref_new(&c.cfg);
    ck_assert_ptr_nonnull(judge);
    int rc = 0;
    for (size_t i = 0; i <= second && !rc; i++)
        if (i != first && c.items[i].ev.kind != EV_MEM_WR)
            rc = ref_judge(judge, &c.items[i].ev, &err);
    ref_free(judge);
    ck_assert_int_eq(rc, NERR_MISMATCH);
    ck_assert_str_eq(err.where, "NOTIFIC q0");
    ck_assert_ptr_nonnull(strstr(err.text, "before the older record"));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("refmodel notific");
    TCase *t = tcase_create("rows");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, row_1_reset_values);
    tcase_add_test(t, row_2_one_record);
    tcase_add_test(t, row_3_disabled_queue_drops);
    tcase_add_test(t, queue_number_ten_and_illegal_sizes_drop);
    tcase_add_test(t, row_4_drop_policy_and_ring_trace);
    tcase_add_test(t, row_5_overwrite_policy);
    tcase_add_test(t, row_6_backpressure_stalls_until_the_head_moves);
    tcase_add_test(t, full_ring_holds_an_engine_at_its_notify);
    tcase_add_test(t, row_7_input_overrun_drops_and_marks_the_newest_record);
    tcase_add_test(t, row_9_threshold_is_sticky_until_the_head_is_written);
    tcase_add_test(t, row_10_refused_write_is_captured_and_tail_is_kept);
    tcase_add_test(t, row_12_disabling_resets_tail_and_phase);
    tcase_add_test(t, row_13_uart_mode_writes_at_the_base);
    tcase_add_test(t, row_15_class_bit_off_discards_silently);
    tcase_add_test(t, time_follows_the_increment);
    tcase_add_test(t, a_lost_record_is_named);
    suite_add_tcase(s, t);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed != 0;
}
