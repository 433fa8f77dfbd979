/* wave_compare without options: what counts as a difference and how it is reported (architecture §7.1). */
#include "fixture.h"

#define NONE ((struct wave_options){ 0 })

static struct wave_result r;
static struct nerr err;

static void set_up(void)
{
    scratch_make();
    memset(&r, 0, sizeof r);
}

static void tear_down(void)
{
    wave_result_free(&r);
    scratch_remove();
}

START_TEST(a_file_equals_itself)
{
    plain_wave("a", 100, 42, "00111111");
    ck_assert_int_eq(diff_with("a", "a", NONE, &r, &err), 0);
    ck_assert(wave_result_equal(&r));
    ck_assert_uint_eq(r.compared, 2);
    ck_assert(!r.ends_differ);
}
END_TEST

START_TEST(a_different_value_is_reported_with_time_signal_and_both_values)
{
    plain_wave("a", 100, 42, "00111111");
    plain_wave("b", 100, 42, "00111110");
    ck_assert_int_eq(diff_with("a", "b", NONE, &r, &err), 0);
    ck_assert(!wave_result_equal(&r));
    ck_assert_uint_eq(r.count[WAVE_DIFF_VALUE], 1);
    ck_assert_uint_eq(r.nlist, 1);
    ck_assert_str_eq(r.list[0].name_a, "top.data[7:0]");
    ck_assert_str_eq(r.list[0].first.text, "42 ns");
    ck_assert_str_eq(r.list[0].golden, "8'h3f");
    ck_assert_str_eq(r.list[0].actual, "8'h3e");
    ck_assert_uint_eq(r.list[0].first.ticks_b, 42);
}
END_TEST

START_TEST(the_same_change_at_another_time_is_different)
{
    plain_wave("a", 100, 42, "00111111");
    plain_wave("b", 100, 43, "00111111");
    ck_assert_int_eq(diff_with("a", "b", NONE, &r, &err), 0);
    ck_assert_uint_eq(r.count[WAVE_DIFF_VALUE], 1);
    ck_assert_str_eq(r.list[0].first.text, "42 ns");
    ck_assert_str_eq(r.list[0].actual, "8'h00");
}
END_TEST

START_TEST(a_difference_in_the_last_step_is_found)
{
    plain_wave("a", 100, 100, "00111111");
    plain_wave("b", 100, 100, "10111111");
    ck_assert_int_eq(diff_code("a", "b"), 1);
}
END_TEST

START_TEST(a_difference_in_the_initial_values_is_found)
{
    plain_wave("a", 100, 0, "00000001");
    plain_wave("b", 100, 0, "00000010");
    ck_assert_int_eq(diff_with("a", "b", NONE, &r, &err), 0);
    ck_assert_str_eq(r.list[0].first.text, "0 ns");
}
END_TEST

/* Declaration order, aliases, repeats and glitches are no differences. */
START_TEST(order_aliases_repeats_and_glitches_do_not_matter)
{
    struct maker a = fst_begin("a", -9);
    fstHandle x = fst_var(a, "x", 1), y = fst_var(a, "y", 4);
    fst_alias(a, "z", 4, y);
    fst_time(a, 0);
    fst_emit(a, x, "0");
    fst_emit(a, y, "0000");
    fst_time(a, 10);
    fst_emit(a, y, "1010");
    fst_end(a);

    struct maker b = fst_begin("b", -9);
    fstHandle bz = fst_var(b, "z", 4), by = fst_var(b, "y", 4), bx = fst_var(b, "x", 1);
    fst_time(b, 0);
    fst_emit(b, bz, "0000");
    fst_emit(b, by, "1111");
    fst_emit(b, bx, "1");
    fst_emit(b, bx, "0");
    fst_emit(b, by, "0000");
    fst_time(b, 5);
    fst_emit(b, by, "0000");
    fst_time(b, 7);
    fst_emit(b, bx, "1");
    fst_emit(b, bx, "0");
    fst_time(b, 10);
    fst_emit(b, by, "1010");
    fst_emit(b, bz, "0101");
    fst_emit(b, bz, "1010");
    fst_end(b);
    ck_assert_int_eq(diff_with("a", "b", NONE, &r, &err), 0);
    ck_assert(wave_result_equal(&r));
    ck_assert_uint_eq(r.compared, 3);
}
END_TEST

START_TEST(an_alias_on_one_side_does_not_hide_a_difference)
{
    struct maker a = fst_begin("a", -9);
    fstHandle y = fst_var(a, "y", 1);
    fst_alias(a, "z", 1, y);
    fst_time(a, 0);
    fst_emit(a, y, "0");
    fst_time(a, 10);
    fst_emit(a, y, "1");
    fst_end(a);
    struct maker b = fst_begin("b", -9);
    fstHandle by = fst_var(b, "y", 1), bz = fst_var(b, "z", 1);
    fst_time(b, 0);
    fst_emit(b, by, "0");
    fst_emit(b, bz, "0");
    fst_time(b, 10);
    fst_emit(b, by, "1");
    fst_end(b);
    ck_assert_int_eq(diff_with("a", "b", NONE, &r, &err), 0);
    ck_assert_uint_eq(r.count[WAVE_DIFF_VALUE], 1);
    ck_assert_str_eq(r.list[0].name_a, "top.z");
}
END_TEST

START_TEST(missing_signals_are_differences_in_both_directions)
{
    struct maker a = fst_begin("a", -9);
    fstHandle x = fst_var(a, "x", 1);
    fst_var(a, "mine", 3);
    fst_time(a, 0);
    fst_emit(a, x, "0");
    fst_time(a, 1);
    fst_emit(a, x, "1");
    fst_end(a);
    struct maker b = fst_begin("b", -9);
    fst_var(b, "yours", 1);
    x = fst_var(b, "x", 1);
    fst_time(b, 0);
    fst_emit(b, x, "0");
    fst_time(b, 1);
    fst_emit(b, x, "1");
    fst_end(b);
    ck_assert_int_eq(diff_with("a", "b", NONE, &r, &err), 0);
    ck_assert_uint_eq(r.count[WAVE_DIFF_VALUE], 0);
    ck_assert_uint_eq(r.count[WAVE_DIFF_ONLY_A], 1);
    ck_assert_uint_eq(r.count[WAVE_DIFF_ONLY_B], 1);
    ck_assert_str_eq(r.list[0].name_a, "top.mine");
    ck_assert_str_eq(r.list[0].golden, "3 bits");
    ck_assert_ptr_null(r.list[0].actual);
    ck_assert_str_eq(r.list[1].name_b, "top.yours");
}
END_TEST

static void two_widths(const char *name_a, uint32_t width_a, const char *name_b, uint32_t width_b)
{
    struct maker a = fst_begin("a", -9), b;
    fstHandle h = fst_var(a, name_a, width_a);
    fst_time(a, 0);
    fst_emit(a, h, "00000000");
    fst_time(a, 9);
    fst_emit(a, h, "11111111");
    fst_end(a);
    b = fst_begin("b", -9);
    h = fst_var(b, name_b, width_b);
    fst_time(b, 0);
    fst_emit(b, h, "00000000");
    fst_time(b, 9);
    fst_emit(b, h, "11111111");
    fst_end(b);
}

START_TEST(another_width_is_one_difference)
{
    two_widths("bus", 8, "bus", 4);
    ck_assert_int_eq(diff_with("a", "b", NONE, &r, &err), 0);
    ck_assert_uint_eq(r.count[WAVE_DIFF_SHAPE], 1);
    ck_assert_str_eq(r.list[0].golden, "8 bits");
    ck_assert_str_eq(r.list[0].actual, "4 bits");
}
END_TEST

START_TEST(another_range_in_the_name_is_one_difference_and_not_two_missing_signals)
{
    two_widths("bus [7:0]", 8, "bus [3:0]", 4);
    ck_assert_int_eq(diff_with("a", "b", NONE, &r, &err), 0);
    ck_assert_uint_eq(r.count[WAVE_DIFF_SHAPE], 1);
    ck_assert_uint_eq(r.count[WAVE_DIFF_ONLY_A] + r.count[WAVE_DIFF_ONLY_B], 0);
}
END_TEST

START_TEST(renamed_range_of_the_same_width_is_missing_on_both_sides)
{
    two_widths("bus [7:0]", 8, "bus [8:1]", 8);
    ck_assert_int_eq(diff_with("a", "b", NONE, &r, &err), 0);
    ck_assert_uint_eq(r.count[WAVE_DIFF_ONLY_A], 1);
    ck_assert_uint_eq(r.count[WAVE_DIFF_ONLY_B], 1);
}
END_TEST

START_TEST(blank_before_a_range_is_no_difference)
{
    two_widths("bus [7:0]", 8, "bus[7:0]", 8);
    ck_assert_int_eq(diff_code("a", "b"), 0);
}
END_TEST

START_TEST(x_and_z_are_values_of_their_own)
{
    static const char *const v[] = { "0000000x", "0000000z", "00000000", "xxxxxxxx" };
    for (size_t i = 0; i < 4; i++)
        plain_wave((const char *[]){ "v0", "v1", "v2", "v3" }[i], 50, 10, v[i]);
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++)
            ck_assert_int_eq(diff_code((const char *[]){ "v0", "v1", "v2", "v3" }[i],
                                       (const char *[]){ "v0", "v1", "v2", "v3" }[j]),
                             i != j);
    ck_assert_int_eq(diff_with("v0", "v3", NONE, &r, &err), 0);
    ck_assert_str_eq(r.list[0].golden, "8'b0000000x");
    ck_assert_str_eq(r.list[0].actual, "8'hxx");
}
END_TEST

START_TEST(letter_case_of_x_does_not_matter)
{
    plain_wave("a", 50, 10, "0000000x");
    plain_wave("b", 50, 10, "0000000X");
    ck_assert_int_eq(diff_code("a", "b"), 0);
}
END_TEST

START_TEST(a_signal_that_is_never_written_is_x)
{
    struct maker a = fst_begin("a", -9), b;
    fstHandle t = fst_var(a, "t", 1);
    fst_var(a, "quiet", 2);
    fst_time(a, 0);
    fst_emit(a, t, "0");
    fst_time(a, 3);
    fst_emit(a, t, "1");
    fst_end(a);
    b = fst_begin("b", -9);
    t = fst_var(b, "t", 1);
    fstHandle quiet = fst_var(b, "quiet", 2);
    fst_time(b, 0);
    fst_emit(b, t, "0");
    fst_emit(b, quiet, "00");
    fst_time(b, 3);
    fst_emit(b, t, "1");
    fst_end(b);
    ck_assert_int_eq(diff_with("a", "b", NONE, &r, &err), 0);
    ck_assert_uint_eq(r.count[WAVE_DIFF_VALUE], 1);
    ck_assert_str_eq(r.list[0].golden, "2'hx");
}
END_TEST

START_TEST(a_later_end_with_equal_values_is_equal_with_a_note)
{
    struct maker a = fst_begin("a", -9), b;
    fstHandle t = fst_var(a, "t", 1);
    fst_time(a, 0);
    fst_emit(a, t, "0");
    fst_time(a, 3);
    fst_emit(a, t, "1");
    fst_end(a);
    b = fst_begin("b", -9);
    t = fst_var(b, "t", 1);
    fst_time(b, 0);
    fst_emit(b, t, "0");
    fst_time(b, 3);
    fst_emit(b, t, "1");
    fst_time(b, 30);
    fst_end(b);
    ck_assert_int_eq(diff_with("a", "b", NONE, &r, &err), 0);
    ck_assert(wave_result_equal(&r));
    ck_assert(r.ends_differ);
    ck_assert_str_eq(r.end_a, "3 ns");
    ck_assert_str_eq(r.end_b, "30 ns");
}
END_TEST

START_TEST(a_change_after_the_end_of_the_other_file_is_a_difference)
{
    plain_wave("a", 50, 10, "00000001");
    plain_wave("b", 55, 10, "00000001");
    ck_assert_int_eq(diff_with("a", "b", NONE, &r, &err), 0);
    ck_assert_str_eq(r.list[0].first.text, "55 ns");
    ck_assert_str_eq(r.list[0].name_a, "top.clk");
}
END_TEST

/* One scaled wave: t at `step` and 2 * step ticks of 10^exponent s. */
static void scaled(const char *name, int exponent, uint64_t step)
{
    struct maker m = fst_begin(name, exponent);
    fstHandle t = fst_var(m, "t", 1);
    fst_time(m, 0);
    fst_emit(m, t, "0");
    fst_time(m, step);
    fst_emit(m, t, "1");
    fst_time(m, 2 * step);
    fst_emit(m, t, "0");
    fst_end(m);
}

START_TEST(timescales_are_brought_together_exactly)
{
    scaled("ns", -9, 7);
    scaled("ps", -12, 7000);
    scaled("ps10", -11, 700);
    scaled("off", -12, 7001);
    ck_assert_int_eq(diff_code("ns", "ps"), 0);
    ck_assert_int_eq(diff_code("ps", "ns"), 0);
    ck_assert_int_eq(diff_code("ps10", "ns"), 0);
    ck_assert_int_eq(diff_with("ns", "off", NONE, &r, &err), 0);
    ck_assert_str_eq(r.list[0].first.text, "7 ns");
    wave_result_free(&r);
    ck_assert_int_eq(diff_with("off", "ns", NONE, &r, &err), 0);
    ck_assert_str_eq(r.list[0].first.text, "7000 ps");
    ck_assert_uint_eq(r.list[0].first.ticks_b, 7);
}
END_TEST

START_TEST(equal_tick_numbers_of_different_timescales_are_different)
{
    scaled("ns", -9, 7);
    scaled("ps", -12, 7);
    ck_assert_int_eq(diff_code("ns", "ps"), 1);
}
END_TEST

START_TEST(huge_times_of_different_timescales_do_not_wrap)
{
    scaled("s", 0, UINT64_C(4000000000000000000));
    scaled("ps", -12, UINT64_C(4000000000000000000));
    ck_assert_int_eq(diff_code("s", "ps"), 1);
    ck_assert_int_eq(diff_code("s", "s"), 0);
}
END_TEST

START_TEST(nothing_ever_changed_is_an_error_unless_allowed)
{
    for (int i = 0; i < 2; i++) {
        struct maker m = fst_begin(i ? "b" : "a", -9);
        fstHandle t = fst_var(m, "t", 1);
        fst_time(m, 0);
        fst_emit(m, t, "0");
        fst_time(m, 8);
        fst_emit(m, t, "1");
        fst_emit(m, t, "0");
        fst_end(m);
    }
    ck_assert_int_eq(diff_with("a", "b", NONE, &r, &err), NERR_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "nothing ever changed"));
    wave_result_free(&r);
    ck_assert_int_eq(diff_with("a", "b", (struct wave_options){ .allow_empty = true }, &r, &err), 0);
    ck_assert(wave_result_equal(&r));
}
END_TEST

START_TEST(constant_files_with_different_values_are_different)
{
    for (int i = 0; i < 2; i++) {
        struct maker m = fst_begin(i ? "b" : "a", -9);
        fstHandle t = fst_var(m, "t", 1);
        fst_time(m, 0);
        fst_emit(m, t, i ? "1" : "0");
        fst_time(m, 8);
        fst_end(m);
    }
    ck_assert_int_eq(diff_code("a", "b"), 1);
}
END_TEST

START_TEST(nothing_compared_is_an_error_unless_allowed)
{
    struct wave_rule only = { .kind = WAVE_RULE_ONLY, .name = "no.such*", .file = "" };
    plain_wave("a", 50, 10, "00000001");
    struct wave_options o = { .rules = &only, .nrules = 1 };
    ck_assert_int_eq(diff_with("a", "a", o, &r, &err), NERR_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "nothing was compared"));
    wave_result_free(&r);
    o.allow_empty = true;
    ck_assert_int_eq(diff_with("a", "a", o, &r, &err), 0);
}
END_TEST

START_TEST(ignore_and_only_select_by_glob_across_dots)
{
    struct wave_rule data = { .kind = WAVE_RULE_IGNORE, .name = "*data*", .file = "" };
    struct wave_rule clk = { .kind = WAVE_RULE_ONLY, .name = "top.c?k", .file = "" };
    struct wave_rule brackets = { .kind = WAVE_RULE_ONLY, .name = "t*[7:0]", .file = "" };
    plain_wave("a", 50, 10, "00000001");
    plain_wave("b", 50, 10, "00000010");
    ck_assert_int_eq(diff_with("a", "b", (struct wave_options){ .rules = &data, .nrules = 1 }, &r, &err), 0);
    ck_assert(wave_result_equal(&r));
    ck_assert_uint_eq(r.compared, 1);
    wave_result_free(&r);
    ck_assert_int_eq(diff_with("a", "b", (struct wave_options){ .rules = &clk, .nrules = 1 }, &r, &err), 0);
    ck_assert(wave_result_equal(&r));
    wave_result_free(&r);
    ck_assert_int_eq(diff_with("a", "b", (struct wave_options){ .rules = &brackets, .nrules = 1 }, &r, &err),
                     0);
    ck_assert(!wave_result_equal(&r));
    ck_assert_uint_eq(r.compared, 1);
}
END_TEST

START_TEST(an_ignored_signal_may_be_missing)
{
    struct wave_rule ignore = { .kind = WAVE_RULE_IGNORE, .name = "*.extra", .file = "" };
    scaled("a", -9, 7);
    struct maker m = fst_begin("b", -9);
    fstHandle t = fst_var(m, "t", 1);
    fst_var(m, "extra", 1);
    fst_time(m, 0);
    fst_emit(m, t, "0");
    fst_time(m, 7);
    fst_emit(m, t, "1");
    fst_time(m, 14);
    fst_emit(m, t, "0");
    fst_end(m);
    ck_assert_int_eq(diff_code("a", "b"), 1);
    ck_assert_int_eq(diff_with("a", "b", (struct wave_options){ .rules = &ignore, .nrules = 1 }, &r, &err),
                     0);
    ck_assert(wave_result_equal(&r));
}
END_TEST

static bool equal_in(const char *window)
{
    struct wave_options o = { .allow_empty = true };
    ck_assert_int_eq(wave_window_parse(window, &o.window, &err), 0);
    ck_assert_int_eq(diff_with("a", "b", o, &r, &err), 0);
    bool equal = wave_result_equal(&r);
    if (equal)
        wave_result_free(&r);
    return equal;
}

/* data is 0x01 in A from 42 on and 0x01 in B from 47 on: they differ in [42, 47). */
START_TEST(window_is_inclusive_at_both_ends)
{
    plain_wave("a", 100, 42, "00000001");
    plain_wave("b", 100, 47, "00000001");
    ck_assert(equal_in("0:41"));
    ck_assert(equal_in("47:100"));
    ck_assert(equal_in("47:"));
    ck_assert(equal_in(":41ns"));
    ck_assert(equal_in(":41999ps"));
    ck_assert(!equal_in(":42"));
    ck_assert_str_eq(r.list[0].first.text, "42 ns");
    wave_result_free(&r);
    ck_assert(!equal_in("46:"));
    wave_result_free(&r);
    ck_assert(!equal_in("44:45"));
    wave_result_free(&r);
    ck_assert(!equal_in(":"));
}
END_TEST

START_TEST(values_carried_into_a_window_differ_at_its_start)
{
    plain_wave("a", 100, 42, "00000001");
    plain_wave("b", 100, 42, "00000010");
    ck_assert(!equal_in("61:"));
    ck_assert_str_eq(r.list[0].first.text, "61 ns");
    ck_assert_str_eq(r.list[0].golden, "8'h01");
    wave_result_free(&r);
    ck_assert(!equal_in("65:65"));
    ck_assert_str_eq(r.list[0].first.text, "65 ns");
    wave_result_free(&r);
    ck_assert(!equal_in("5us:"));
    ck_assert_str_eq(r.list[0].first.text, "5000 ns");
}
END_TEST

START_TEST(bare_window_numbers_are_ticks_of_a)
{
    scaled("a", -9, 10);
    scaled("b", -12, 10001);
    ck_assert(!equal_in("10:10"));
    wave_result_free(&r);
    ck_assert(equal_in(":9"));
    ck_assert(equal_in("11:19"));
}
END_TEST

START_TEST(bad_windows_are_refused)
{
    static const char *const bad[] = { "",      "5",     "a:b",
                                       "5:4x",  "-1:",   "1:2:3",
                                       "1.5:2", "5 ns:", "99999999999999999999:" };
    struct wave_window w;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ck_assert_int_eq(wave_window_parse(bad[i], &w, &err), NERR_INPUT);
    struct wave_options o = { 0 };
    plain_wave("a", 50, 10, "00000001");
    ck_assert_int_eq(wave_window_parse("10ns:5", &o.window, &err), 0);
    ck_assert_int_eq(diff_with("a", "a", o, &r, &err), NERR_INPUT);
}
END_TEST

/* n signals that differ at times n, n - 1, ... 1 */
static void staircase(const char *name, unsigned n, const char *value)
{
    struct maker m = fst_begin(name, -9);
    fstHandle h[64];
    for (unsigned i = 0; i < n; i++) {
        char text[16];
        snprintf(text, sizeof text, "s%02u", i);
        h[i] = fst_var(m, text, 1);
    }
    fst_time(m, 0);
    for (unsigned i = 0; i < n; i++)
        fst_emit(m, h[i], "0");
    for (unsigned t = 1; t <= n; t++) {
        fst_time(m, t);
        fst_emit(m, h[n - t], value);
    }
    fst_end(m);
}

START_TEST(limit_bounds_the_list_and_not_the_count)
{
    staircase("a", 40, "1");
    staircase("b", 40, "z");
    ck_assert_int_eq(diff_with("a", "b", (struct wave_options){ .limit = 3 }, &r, &err), 0);
    ck_assert_uint_eq(r.count[WAVE_DIFF_VALUE], 40);
    ck_assert_uint_eq(r.nlist, 3);
    ck_assert_str_eq(r.list[0].name_a, "top.s39");
    ck_assert_str_eq(r.list[0].first.text, "1 ns");
    ck_assert_str_eq(r.list[2].first.text, "3 ns");
}
END_TEST

START_TEST(limit_zero_lists_all)
{
    struct wave_options o = { .limit = 0 };
    staircase("a", 40, "1");
    staircase("b", 40, "z");
    ck_assert_int_eq(wave_compare(at("a"), at("b"), &o, &r, &err), 0);
    ck_assert_uint_eq(r.nlist, 40);
}
END_TEST

START_TEST(differences_of_one_time_come_in_order_of_declaration)
{
    for (int i = 0; i < 2; i++) {
        struct maker m = fst_begin(i ? "b" : "a", -9);
        fstHandle p = fst_var(m, "zz", 1), q = fst_var(m, "aa", 1);
        fst_time(m, 0);
        fst_emit(m, q, "0");
        fst_emit(m, p, "0");
        fst_time(m, 4);
        fst_emit(m, q, i ? "1" : "z");
        fst_emit(m, p, i ? "1" : "z");
        fst_end(m);
    }
    ck_assert_int_eq(diff_with("a", "b", NONE, &r, &err), 0);
    ck_assert_str_eq(r.list[0].name_a, "top.zz");
    ck_assert_str_eq(r.list[1].name_a, "top.aa");
}
END_TEST

static void real_wave(const char *name, double value)
{
    struct maker m = fst_begin(name, -9);
    double zero = 0.0;
    fstHandle h = fstWriterCreateVar(m.fst, FST_VT_VCD_REAL, FST_VD_IMPLICIT, 8, "volt", 0);
    fst_time(m, 0);
    fstWriterEmitValueChange(m.fst, h, &zero);
    fst_time(m, 5);
    fstWriterEmitValueChange(m.fst, h, &value);
    fst_end(m);
}

START_TEST(reals_compare_by_sixteen_digits)
{
    real_wave("a", 0.1);
    real_wave("b", 0.1 + 1e-18);
    real_wave("c", 0.25);
    ck_assert_int_eq(diff_code("a", "b"), 0);
    ck_assert_int_eq(diff_with("a", "c", NONE, &r, &err), 0);
    ck_assert_str_eq(r.list[0].golden, "0.1");
    ck_assert_str_eq(r.list[0].actual, "0.25");
}
END_TEST

START_TEST(a_real_and_a_vector_of_one_name_are_declared_differently)
{
    real_wave("a", 0.5);
    two_widths("volt", 8, "volt", 8);
    real_wave("a", 0.5);
    ck_assert_int_eq(diff_with("a", "b", NONE, &r, &err), 0);
    ck_assert_uint_eq(r.count[WAVE_DIFF_SHAPE], 1);
    ck_assert_str_eq(r.list[0].golden, "real");
}
END_TEST

static void string_wave(const char *name, const char *value, uint32_t len)
{
    struct maker m = fst_begin(name, -9);
    fstHandle h = fstWriterCreateVar(m.fst, FST_VT_GEN_STRING, FST_VD_IMPLICIT, 0, "state", 0);
    fst_time(m, 0);
    fstWriterEmitVariableLengthValueChange(m.fst, h, "idle", 4);
    fst_time(m, 5);
    fstWriterEmitVariableLengthValueChange(m.fst, h, value, len);
    fst_end(m);
}

START_TEST(strings_of_any_length_compare)
{
    static char big[600000];
    memset(big, 'q', sizeof big);
    string_wave("a", "fetch\n", 6);
    string_wave("b", "fetch", 5);
    string_wave("c", big, sizeof big);
    ck_assert_int_eq(diff_code("a", "a"), 0);
    ck_assert_int_eq(diff_code("c", "c"), 0);
    ck_assert_int_eq(diff_code("a", "c"), 1);
    ck_assert_int_eq(diff_with("a", "b", NONE, &r, &err), 0);
    ck_assert_str_eq(r.list[0].golden, "\"fetch\\x0a\"");
    ck_assert_str_eq(r.list[0].actual, "\"fetch\"");
}
END_TEST

static void event_wave(const char *name, const uint64_t *fires, size_t n)
{
    struct maker m = fst_begin(name, -9);
    fstHandle h = fstWriterCreateVar(m.fst, FST_VT_VCD_EVENT, FST_VD_IMPLICIT, 1, "ev", 0),
              t = fst_var(m, "t", 1);
    fst_time(m, 0);
    fst_emit(m, t, "0");
    for (size_t i = 0; i < n; i++) {
        fst_time(m, fires[i]);
        fst_emit(m, h, "1");
    }
    fst_time(m, 90);
    fst_emit(m, t, "1");
    fst_end(m);
}

START_TEST(an_event_that_fires_again_counts_each_time)
{
    event_wave("a", (const uint64_t[]){ 10, 20, 30 }, 3);
    event_wave("b", (const uint64_t[]){ 10, 30 }, 2);
    ck_assert_int_eq(diff_code("a", "a"), 0);
    ck_assert_int_eq(diff_with("a", "b", NONE, &r, &err), 0);
    ck_assert_uint_eq(r.count[WAVE_DIFF_VALUE], 1);
    ck_assert_str_eq(r.list[0].first.text, "20 ns");
    ck_assert_str_eq(r.list[0].golden, "fires");
    ck_assert_str_eq(r.list[0].actual, "quiet");
}
END_TEST

START_TEST(an_event_at_the_start_of_a_window_counts)
{
    struct wave_options o = { .allow_empty = true };
    event_wave("a", (const uint64_t[]){ 10, 20, 30 }, 3);
    event_wave("b", (const uint64_t[]){ 10, 30 }, 2);
    ck_assert_int_eq(wave_window_parse("20:20", &o.window, &err), 0);
    ck_assert_int_eq(diff_with("a", "b", o, &r, &err), 0);
    ck_assert_uint_eq(r.count[WAVE_DIFF_VALUE], 1);
    wave_result_free(&r);
    ck_assert_int_eq(wave_window_parse("21:", &o.window, &err), 0);
    ck_assert_int_eq(diff_with("a", "b", o, &r, &err), 0);
    ck_assert(wave_result_equal(&r));
}
END_TEST

START_TEST(very_wide_vectors_compare)
{
    enum { WIDTH = 700000 };
    char *bits = malloc(WIDTH + 1);
    ck_assert_ptr_nonnull(bits);
    for (int i = 0; i < 2; i++) {
        struct maker m = fst_begin(i ? "b" : "a", -9);
        fstHandle h = fst_var(m, "wide", WIDTH);
        memset(bits, '0', WIDTH);
        fst_time(m, 0);
        fst_emit(m, h, bits);
        fst_time(m, 1);
        bits[0] = '1';
        bits[WIDTH - 1] = i ? '1' : '0';
        fst_emit(m, h, bits);
        fst_end(m);
    }
    free(bits);
    ck_assert_int_eq(diff_code("a", "a"), 0);
    ck_assert_int_eq(diff_code("a", "b"), 1);
}
END_TEST

START_TEST(files_of_several_value_blocks_compare_whole)
{
    for (int i = 0; i < 3; i++) {
        struct maker m = fst_begin((const char *[]){ "a", "b", "c" }[i], -9);
        fstHandle h = fst_var(m, "n", 32), one = fst_var(m, "late", 1);
        for (uint32_t t = 0; t < 3000; t++) {
            char bits[33] = "";
            for (int k = 0; k < 32; k++)
                bits[k] = (char)('0' + ((t * 2654435761u) >> k & 1));
            fst_time(m, t);
            fst_emit(m, h, bits);
            if (t == 0)
                fst_emit(m, one, "0");
            if (t == 2900 && i == 2)
                fst_emit(m, one, "1");
            if (t % (i ? 700 : 10000) == 699)
                fstWriterFlushContext(m.fst);
        }
        fst_end(m);
    }
    ck_assert_int_eq(diff_code("a", "b"), 0);
    ck_assert_int_eq(diff_with("a", "c", NONE, &r, &err), 0);
    ck_assert_uint_eq(r.count[WAVE_DIFF_VALUE], 1);
    ck_assert_str_eq(r.list[0].first.text, "2900 ns");
}
END_TEST

START_TEST(time_zero_shifts_all_times_of_a_file)
{
    for (int i = 0; i < 2; i++) {
        struct maker m = fst_begin(i ? "b" : "a", -9);
        if (i)
            fstWriterSetTimezero(m.fst, -100);
        fstHandle h = fst_var(m, "t", 1);
        uint64_t start = i ? 100 : 0;
        fst_time(m, start);
        fst_emit(m, h, "0");
        fst_time(m, start + 6);
        fst_emit(m, h, "1");
        fst_end(m);
    }
    ck_assert_int_eq(diff_with("a", "b", NONE, &r, &err), 0);
    ck_assert(wave_result_equal(&r));
    ck_assert(!r.ends_differ);
}
END_TEST

START_TEST(every_alias_of_a_differing_signal_is_counted)
{
    for (int i = 0; i < 2; i++) {
        struct maker m = fst_begin(i ? "b" : "a", -9);
        fstHandle h = fst_var(m, "n0", 1);
        for (int k = 1; k < 50; k++) {
            char name[8];
            snprintf(name, sizeof name, "n%d", k);
            fst_alias(m, name, 1, h);
        }
        fst_time(m, 0);
        fst_emit(m, h, "0");
        fst_time(m, 2);
        fst_emit(m, h, i ? "1" : "x");
        fst_end(m);
    }
    ck_assert_int_eq(diff_with("a", "b", NONE, &r, &err), 0);
    ck_assert_uint_eq(r.count[WAVE_DIFF_VALUE], 50);
}
END_TEST

START_TEST(glob_star_crosses_dots_and_brackets_are_literal)
{
    ck_assert(wave_glob("*", ""));
    ck_assert(wave_glob("top.*q", "top.a.b.q"));
    ck_assert(wave_glob("*a*b*c", "xxaxxbxxbxc"));
    ck_assert(!wave_glob("*a*b*c", "xxaxxbxxbx"));
    ck_assert(wave_glob("x[3]", "x[3]"));
    ck_assert(!wave_glob("x[3]", "x3"));
    ck_assert(!wave_glob("?", ""));
    ck_assert(!wave_glob("", "a"));
    ck_assert(!wave_glob("Top", "top"));
}
END_TEST

START_TEST(long_values_are_cut_to_the_part_that_differs)
{
    char a[600], b[600];
    memset(a, '0', sizeof a);
    memset(b, '0', sizeof b);
    a[599] = b[599] = '\0';
    b[500] = '1';
    struct wave_brief v = wave_brief(a, b);
    ck_assert_str_ne(v.a, v.b);
    ck_assert_ptr_nonnull(strchr(v.b, '1'));
    ck_assert(strncmp(v.b, "...", 3) == 0 && strcmp(v.b + strlen(v.b) - 3, "...") == 0);
    v = wave_brief("8'h01", "8'h02");
    ck_assert_str_eq(v.a, "8'h01");
    ck_assert_str_eq(v.b, "8'h02");
    v = wave_brief("x", a);
    ck_assert_str_eq(v.a, "x");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("wave/diff");
    TCase *tc = tcase_create("diff");
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, a_file_equals_itself);
    tcase_add_test(tc, a_different_value_is_reported_with_time_signal_and_both_values);
    tcase_add_test(tc, the_same_change_at_another_time_is_different);
    tcase_add_test(tc, a_difference_in_the_last_step_is_found);
    tcase_add_test(tc, a_difference_in_the_initial_values_is_found);
    tcase_add_test(tc, order_aliases_repeats_and_glitches_do_not_matter);
    tcase_add_test(tc, an_alias_on_one_side_does_not_hide_a_difference);
    tcase_add_test(tc, missing_signals_are_differences_in_both_directions);
    tcase_add_test(tc, another_width_is_one_difference);
    tcase_add_test(tc, another_range_in_the_name_is_one_difference_and_not_two_missing_signals);
    tcase_add_test(tc, renamed_range_of_the_same_width_is_missing_on_both_sides);
    tcase_add_test(tc, blank_before_a_range_is_no_difference);
    tcase_add_test(tc, x_and_z_are_values_of_their_own);
    tcase_add_test(tc, letter_case_of_x_does_not_matter);
    tcase_add_test(tc, a_signal_that_is_never_written_is_x);
    tcase_add_test(tc, a_later_end_with_equal_values_is_equal_with_a_note);
    tcase_add_test(tc, a_change_after_the_end_of_the_other_file_is_a_difference);
    tcase_add_test(tc, timescales_are_brought_together_exactly);
    tcase_add_test(tc, equal_tick_numbers_of_different_timescales_are_different);
    tcase_add_test(tc, huge_times_of_different_timescales_do_not_wrap);
    tcase_add_test(tc, nothing_ever_changed_is_an_error_unless_allowed);
    tcase_add_test(tc, constant_files_with_different_values_are_different);
    tcase_add_test(tc, nothing_compared_is_an_error_unless_allowed);
    tcase_add_test(tc, ignore_and_only_select_by_glob_across_dots);
    tcase_add_test(tc, an_ignored_signal_may_be_missing);
    tcase_add_test(tc, window_is_inclusive_at_both_ends);
    tcase_add_test(tc, values_carried_into_a_window_differ_at_its_start);
    tcase_add_test(tc, bare_window_numbers_are_ticks_of_a);
    tcase_add_test(tc, bad_windows_are_refused);
    tcase_add_test(tc, limit_bounds_the_list_and_not_the_count);
    tcase_add_test(tc, limit_zero_lists_all);
    tcase_add_test(tc, differences_of_one_time_come_in_order_of_declaration);
    tcase_add_test(tc, reals_compare_by_sixteen_digits);
    tcase_add_test(tc, a_real_and_a_vector_of_one_name_are_declared_differently);
    tcase_add_test(tc, strings_of_any_length_compare);
    tcase_add_test(tc, an_event_that_fires_again_counts_each_time);
    tcase_add_test(tc, an_event_at_the_start_of_a_window_counts);
    tcase_add_test(tc, very_wide_vectors_compare);
    tcase_add_test(tc, files_of_several_value_blocks_compare_whole);
    tcase_add_test(tc, time_zero_shifts_all_times_of_a_file);
    tcase_add_test(tc, every_alias_of_a_differing_signal_is_counted);
    tcase_add_test(tc, long_values_are_cut_to_the_part_that_differs);
    tcase_add_test(tc, glob_star_crosses_dots_and_brackets_are_literal);
    suite_add_tcase(s, tc);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? 1 : 0;
}
