/* BAR0 windows against the tables of profiler-and-trace.md §8.2, §8.3, §9 and events-semaphores.md §2.3. */
#include <check.h>
#include <inttypes.h>
#include <stdlib.h>

#include "device/device.h"

struct pair {
    uint64_t bar0, soc;
};

static void check_pairs(const struct pair *p, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        uint64_t soc = 0;
        struct nerr err;
        ck_assert_msg(dev_bar0_to_soc(p[i].bar0, &soc, &err) == 0, "0x%" PRIx64 ": %s", p[i].bar0, err.text);
        ck_assert_msg(soc == p[i].soc, "0x%" PRIx64 " gives 0x%" PRIx64 ", expected 0x%" PRIx64, p[i].bar0,
                      soc, p[i].soc);
    }
}

START_TEST(rows_of_the_simulation_map)
{
    static const struct pair p[] = {
        { 0xD0000000, 0x2000000000 }, { 0xD1FFFFFC, 0x2001FFFFFC }, { 0xD2000000, 0x2802000000 },
        { 0xD23FFFFC, 0x28023FFFFC }, { 0xD2700000, 0x2802700000 }, { 0xD3FFFFFC, 0x2803FFFFFC },
        { 0x06000000, 0x8006000000 }, { 0x06001000, 0x8006001000 }, { 0xF5200000, 0x8580000000 },
        { 0x1FFF0000, 0x801FFF0000 }, { 0x82000000, 0x1002000000 }, { 0x82100000, 0x1002100000 },
        { 0x82F00000, 0x1002F00000 }, { 0xF0000000, 0x8280000000 }, { 0xF0400000, 0x82C0000000 },
    };
    check_pairs(p, sizeof p / sizeof *p);
}
END_TEST

START_TEST(local_reg_of_every_engine)
{
    static const struct pair p[] = {
        { 0xD2660000, 0x2802660000 }, { 0xD2460000, 0x2802460000 }, { 0xD3060000, 0x2803060000 },
        { 0xD2B78000, 0x2802B78000 }, { 0xD2860000, 0x2802860000 },
    };
    check_pairs(p, sizeof p / sizeof *p);
}
END_TEST

START_TEST(event_units_of_all_eight_cores)
{
    static const struct pair p[] = {
        { 0xD2700000, 0x2802700000 },   { 0xD6700000, 0x3802700000 },   { 0xDA700000, 0x6802700000 },
        { 0xDE700000, 0x7802700000 },   { 0xE2700000, 0x802802700000 }, { 0xE6700000, 0x803802700000 },
        { 0xEA700000, 0x806802700000 }, { 0xEE700000, 0x807802700000 },
    };
    check_pairs(p, sizeof p / sizeof *p);
}
END_TEST

START_TEST(increment_of_semaphore_7_of_core_1)
{
    static const struct pair p[] = { { 0xD670181C, 0x380270181C } };
    check_pairs(p, 1);
}
END_TEST

START_TEST(every_top_sp)
{
    for (uint64_t t = 0; t < 20; t++) {
        uint64_t soc = UINT64_C(0x8280000000) + t % 10 * 0x40000000 + (t >= 10 ? UINT64_C(1) << 47 : 0);
        struct pair p[] = { { 0xF0000000 + t * 0x400000, soc },
                            { 0xF03FFFFC + t * 0x400000, soc + 0x3FFFFC } };
        check_pairs(p, 2);
    }
}
END_TEST

START_TEST(apb_windows_and_their_ends)
{
    static const struct pair p[] = {
        { 0x00000000, 0x8000000000 },   { 0x1FFFFFFC, 0x801FFFFFFC },   { 0x40000000, 0x808000000000 },
        { 0x80000000, 0x1000000000 },   { 0x8C7FFFFC, 0x100C7FFFFC },   { 0x90000000, 0x5000000000 },
        { 0xA0000000, 0x801000000000 }, { 0xB0000000, 0x805000000000 }, { 0xC0000000, 0x1200000000 },
        { 0xC34BFFFC, 0x12034BFFFC },   { 0xF5000000, 0x8580200000 },   { 0xF5201FFC, 0x8580001FFC },
        { 0xF5202000, 0x808580000000 }, { 0xF5203FFC, 0x808580001FFC },
    };
    check_pairs(p, sizeof p / sizeof *p);
}
END_TEST

START_TEST(outside_every_window_is_refused)
{
    static const uint64_t holes[] = { 0x20000000,
                                      0x3FFFFFFC,
                                      0x60000000,
                                      0x8C800000,
                                      0x8FFFFFFC,
                                      0xBC800000,
                                      0xC34C0000,
                                      0xF5204000,
                                      0xF5300000,
                                      0xFFFFFFFC,
                                      UINT64_C(0x100000000),
                                      UINT64_MAX - 3 };
    for (unsigned i = 0; i < sizeof holes / sizeof *holes; i++) {
        uint64_t soc = 5;
        struct nerr err;
        ck_assert_int_eq(dev_bar0_to_soc(holes[i], &soc, &err), NERR_RULE);
        ck_assert_uint_eq(soc, 5);
        ck_assert_int_ne(err.text[0], 0);
    }
}
END_TEST

START_TEST(an_offset_inside_a_word_is_refused)
{
    for (uint64_t i = 1; i < 4; i++) {
        uint64_t soc;
        struct nerr err;
        ck_assert_int_eq(dev_bar0_to_soc(0xD2700000 + i, &soc, &err), NERR_RULE);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("bar0");
    TCase *tc = tcase_create("bar0");
    tcase_add_test(tc, rows_of_the_simulation_map);
    tcase_add_test(tc, local_reg_of_every_engine);
    tcase_add_test(tc, event_units_of_all_eight_cores);
    tcase_add_test(tc, increment_of_semaphore_7_of_core_1);
    tcase_add_test(tc, every_top_sp);
    tcase_add_test(tc, apb_windows_and_their_ends);
    tcase_add_test(tc, outside_every_window_is_refused);
    tcase_add_test(tc, an_offset_inside_a_word_is_refused);
    suite_add_tcase(s, tc);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
