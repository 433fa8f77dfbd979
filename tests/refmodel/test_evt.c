/* EVT_SEM through registers and engines: the vectors of events-semaphores.md §11 and the rules around them.
 */
#include "chip.h"

#define SEM(window, i) (SOC_EVT + (window) + EVT_STRIDE * (uint64_t)(i))
#define IMAGE(e)       (0x100000u + 0x8000u * (e))

static struct chip c;

static void setup(void)
{
    chip_open(&c, 2);
}

static void teardown(void)
{
    chip_accepted(&c);
    chip_close(&c);
}

START_TEST(vector_1_set_then_read)
{
    chip_w(&c, SEM(EVT_WIN_SEM_SET, 5), 10);
    ck_assert_uint_eq(chip_r(&c, SEM(EVT_WIN_SEM_READ, 5)), 10);
}
END_TEST

START_TEST(vector_2_increment_adds_the_written_word)
{
    chip_w(&c, SEM(EVT_WIN_SEM_SET, 5), 10);
    chip_w(&c, SEM(EVT_WIN_SEM_INC, 5), 3);
    ck_assert_uint_eq(chip_r(&c, SEM(EVT_WIN_SEM_READ, 5)), 13);
}
END_TEST

START_TEST(vector_3_decrement_subtracts_the_written_word)
{
    chip_w(&c, SEM(EVT_WIN_SEM_SET, 5), 13);
    chip_w(&c, SEM(EVT_WIN_SEM_DEC, 5), 13);
    ck_assert_uint_eq(chip_r(&c, SEM(EVT_WIN_SEM_READ, 5)), 0);
}
END_TEST

START_TEST(vector_4_decrement_below_zero_is_no_error)
{
    chip_w(&c, SEM(EVT_WIN_SEM_DEC, 5), 1);
    ck_assert_uint_eq(chip_r(&c, SEM(EVT_WIN_SEM_READ, 5)), 0xffffffff);
    ck_assert_uint_eq(c.items[chip_find(&c, EV_SEM, 0)].ev.words[1], 0xff);
}
END_TEST

START_TEST(vector_5_crossing_the_signed_range_wraps_and_raises_an_error_record)
{
    chip_notific(&c, 0x1000);
    chip_w(&c, SEM(EVT_WIN_SEM_SET, 5), 0x7fffffff);
    chip_w(&c, SEM(EVT_WIN_SEM_INC, 5), 1);
    ck_assert_uint_eq(chip_r(&c, SEM(EVT_WIN_SEM_READ, 5)), 0x80000000);
    chip_run(&c);
    uint64_t ring = CHIP_RECORDS + 3 * LOAD_RECORD_RING_STRIDE;
    ck_assert_uint_eq(chip_word(&c, ring), 0x9f000006);
    ck_assert_uint_eq(chip_word(&c, ring + 4), 5);
}
END_TEST

START_TEST(vector_6_increments_of_two_engines_are_not_lost)
{
    static const char *const inc[] = { "00: a0 10 | 20: 00 00 13 05 00 00 00 00 01", "00: a0 10 | 04: 04 63",
                                       NULL };
    chip_program(&c, ENG_PE, IMAGE(0), inc);
    chip_program(&c, ENG_DVE, IMAGE(1), inc);
    chip_run(&c);
    ck_assert_uint_eq(chip_sem(&c, 5), 2);
    chip_quiet(&c);
}
END_TEST

START_TEST(vector_7_exactly_one_of_two_engines_consumes_an_event)
{
    static const char *const wait[] = { "00: a0 10 | 04: 07 03 | 20: 00 00 13 06", "00: a0 10 | 04: 04 63",
                                        NULL };
    chip_program(&c, ENG_ACT, IMAGE(0), wait);
    chip_program(&c, ENG_SP, IMAGE(1), wait);
    chip_run(&c);
    ck_assert_uint_eq(chip_sem(&c, 6), 0);
    chip_w(&c, SEM(EVT_WIN_EVENT, 3), 1);
    chip_run(&c);
    ck_assert_uint_eq(chip_sem(&c, 6), 1);
    ck_assert_uint_eq(chip_r(&c, SEM(EVT_WIN_EVENT, 3)), 0);
    ck_assert(!ref_event_bit(c.r, 0, 3));
}
END_TEST

START_TEST(vector_8_signed_compare_stalls_on_minus_one)
{
    static const char *const wait[] = { "00: a0 10 | 04: 04 07 | 20: 00 00 13 08", "00: a0 10 | 04: 04 63",
                                        NULL };
    chip_w(&c, SEM(EVT_WIN_SEM_DEC, 7), 1);
    chip_program(&c, ENG_PE, IMAGE(0), wait);
    chip_run(&c);
    ck_assert_uint_eq(chip_sem(&c, 8), 0);
    struct ref_seq_view v;
    ref_view_seq(c.r, ENG_PE, &v);
    ck_assert(v.waiting);
    ck_assert_uint_eq(v.idx, 7);
    ck_assert_uint_eq(v.current, 0xffffffff);
}
END_TEST

START_TEST(vector_8_unsigned_compare_passes_on_minus_one)
{
    static const char *const wait[] = { "00: a0 10 | 04: 04 07 | 20: 00 00 13 08", "00: a0 10 | 04: 04 63",
                                        NULL };
    chip_close(&c);
    chip_open(&c, 1);
    ref_free(c.r);
    c.cfg.sem_unsigned_cmp = true;
    c.r = ref_new(&c.cfg);
    ck_assert_ptr_nonnull(c.r);
    ref_sink(c.r, chip_record, &c);
    chip_w(&c, SEM(EVT_WIN_SEM_DEC, 7), 1);
    chip_program(&c, ENG_PE, IMAGE(0), wait);
    chip_run(&c);
    ck_assert_uint_eq(chip_sem(&c, 8), 1);
}
END_TEST

START_TEST(vector_9_second_set_of_an_event_has_the_double_flag_and_no_error)
{
    chip_notific(&c, 0x1000);
    chip_w(&c, SOC_TPB_CTRL + TPB_EVT_NOTIFY_OFF, 1);
    chip_w(&c, SEM(EVT_WIN_EVENT, 9), 1);
    chip_w(&c, SEM(EVT_WIN_EVENT, 9), 1);
    ck_assert_uint_eq(chip_r(&c, SEM(EVT_WIN_EVENT, 9)), 1);
    chip_run(&c);
    uint64_t ring = CHIP_RECORDS + 2 * LOAD_RECORD_RING_STRIDE;
    ck_assert_uint_eq(chip_word(&c, ring), 0x9b110009);
    ck_assert_uint_eq(chip_word(&c, ring + 16), 0x9b110209);
    ck_assert_uint_eq(chip_word(&c, ring + 20), 1);
    ck_assert_uint_eq(chip_word(&c, CHIP_RECORDS + 3 * LOAD_RECORD_RING_STRIDE), 0);
}
END_TEST

START_TEST(vector_10_engine_update_record)
{
    static const char *const add[] = { "00: a0 10 | 20: 00 00 15 2a 00 00 00 00 05", "00: a0 10 | 04: 04 63",
                                       NULL };
    chip_notific(&c, 0x1000);
    chip_w(&c, SOC_TPB_CTRL + TPB_SEM_HIGH_OFF, 0);
    chip_w(&c, SOC_TPB_CTRL + TPB_EVT_NOTIFY_OFF, 1);
    chip_program(&c, ENG_PE, IMAGE(0), add);
    chip_run(&c);
    uint64_t ring = CHIP_RECORDS + 2 * LOAD_RECORD_RING_STRIDE;
    ck_assert_uint_eq(chip_word(&c, ring), 0x8715012a);
    ck_assert_uint_eq(chip_word(&c, ring + 4), 5);
}
END_TEST

START_TEST(reset_thresholds_report_only_the_extremes)
{
    chip_notific(&c, 0x1000);
    chip_w(&c, SOC_TPB_CTRL + TPB_EVT_NOTIFY_OFF, 1);
    chip_w(&c, SEM(EVT_WIN_SEM_SET, 1), 7);
    chip_w(&c, SEM(EVT_WIN_SEM_DEC, 1), 7);
    chip_run(&c);
    ck_assert_uint_eq(chip_count(&c, EV_NQ_WR), 1);
}
END_TEST

START_TEST(double_clear_by_an_engine_raises_event_error)
{
    static const char *const clear[] = { "00: a4 10 | 06: 12 04", "00: a0 10 | 04: 04 63", NULL };
    chip_notific(&c, 0x1000);
    chip_program(&c, ENG_PE, IMAGE(0), clear);
    chip_run(&c);
    uint64_t ring = CHIP_RECORDS + 3 * LOAD_RECORD_RING_STRIDE;
    ck_assert_uint_eq(chip_word(&c, ring), 0x9f000007);
    ck_assert_uint_eq(chip_word(&c, ring + 4), 4);
}
END_TEST

START_TEST(read_and_reserved_windows_ignore_writes)
{
    chip_w(&c, SEM(EVT_WIN_SEM_READ, 3), 9);
    chip_w(&c, SOC_EVT + 0x2000, 9);
    ck_assert_uint_eq(chip_r(&c, SEM(EVT_WIN_SEM_READ, 3)), 0);
    ck_assert_uint_eq(chip_r(&c, SEM(EVT_WIN_SEM_INC, 3)), 0);
    ck_assert_uint_eq(chip_count(&c, EV_SEM), 0);
}
END_TEST

START_TEST(top_sp_unit_is_separate)
{
    chip_w(&c, SOC_TOPSP0 + EVT_WIN_SEM_INC, 2);
    ck_assert_uint_eq(chip_r(&c, SOC_TOPSP0 + EVT_WIN_SEM_READ), 2);
    ck_assert_uint_eq(chip_sem(&c, 0), 0);
    ck_assert_uint_eq(ref_semaphore(c.r, 1, 0), 2);
    ck_assert_uint_eq(ref_commits(c.r, 1), 1);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("refmodel evt");
    TCase *t = tcase_create("vectors");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, vector_1_set_then_read);
    tcase_add_test(t, vector_2_increment_adds_the_written_word);
    tcase_add_test(t, vector_3_decrement_subtracts_the_written_word);
    tcase_add_test(t, vector_4_decrement_below_zero_is_no_error);
    tcase_add_test(t, vector_5_crossing_the_signed_range_wraps_and_raises_an_error_record);
    tcase_add_test(t, vector_6_increments_of_two_engines_are_not_lost);
    tcase_add_test(t, vector_7_exactly_one_of_two_engines_consumes_an_event);
    tcase_add_test(t, vector_8_signed_compare_stalls_on_minus_one);
    tcase_add_test(t, vector_8_unsigned_compare_passes_on_minus_one);
    tcase_add_test(t, vector_9_second_set_of_an_event_has_the_double_flag_and_no_error);
    tcase_add_test(t, vector_10_engine_update_record);
    tcase_add_test(t, reset_thresholds_report_only_the_extremes);
    tcase_add_test(t, double_clear_by_an_engine_raises_event_error);
    tcase_add_test(t, read_and_reserved_windows_ignore_writes);
    tcase_add_test(t, top_sp_unit_is_separate);
    suite_add_tcase(s, t);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed != 0;
}
