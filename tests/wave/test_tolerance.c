/* Changes of B that may come earlier or later than in A. */
#include "compared.h"

#define BUS "4 d d [3:0]"

static struct wave_options tolerance(uint64_t lead, uint64_t lag)
{
    return (struct wave_options){ .lead = ns(lead), .lag = ns(lag) };
}

START_TEST(lead_is_for_an_earlier_b_and_lag_for_a_later_one)
{
    pair(BUS, "#0 b0 d #10 b1 d #20 b10 d #30", "#0 b0 d #12 b1 d #22 b10 d #30");
    ck_assert_int_eq(verdict(PLAIN), 1);
    ck_assert_int_eq(verdict(tolerance(0, 2)), 0);
    ck_assert_int_eq(verdict(tolerance(2, 0)), 1);
    ck_assert_int_eq(verdict(tolerance(5, 1)), 1);
    ck_assert_str_eq(line(0), "top.d[3:0]: 10 ns 4'h1/4'h0 1, until 12 ns, 2 ns, 2, 4 ns");
    pair(BUS, "#0 b0 d #12 b1 d #22 b10 d #30", "#0 b0 d #10 b1 d #20 b10 d #30");
    ck_assert_int_eq(verdict(tolerance(2, 0)), 0);
    ck_assert_int_eq(verdict(tolerance(1, 5)), 1);
    ck_assert_str_eq(line(0), "top.d[3:0]: 10 ns 4'h0/4'h1 1, until 12 ns, 2 ns, 2, 4 ns");
}
END_TEST

START_TEST(changes_faster_than_the_tolerance_are_told_apart)
{
    pair(BUS, "#0 b0 d #10 b1 d #11 b10 d #12 b11 d #30", "#0 b0 d #13 b1 d #14 b10 d #15 b11 d #30");
    ck_assert_int_eq(verdict(tolerance(0, 3)), 0);
    pair(BUS, "#0 b0 d #10 b1 d #11 b10 d #12 b11 d #30",
         "#0 b0 d #13 b1 d #15 b11 d #30"); /* one is missing */
    ck_assert_int_eq(verdict(tolerance(0, 3)), 1);
    ck_assert_str_eq(line(0), "top.d[3:0]: 11 ns 4'h2/4'h1 3, until 15 ns, 4 ns, 1, 4 ns");
    ck_assert_str_eq(r.list[0].agreed_value, "4'h1");
    ck_assert_str_eq(r.list[0].agreed.text, "10 ns");
    pair(BUS, "#0 b0 d #10 b1 d #11 b10 d #12 b11 d #30",
         "#0 b0 d #13 b1 d #14 b11 d #30"); /* in time, another */
    ck_assert_int_eq(verdict(tolerance(0, 3)), 1);
    ck_assert_str_eq(line(0), "top.d[3:0]: 14 ns 4'h2/4'h3 1, until 14 ns, 0 ns, 1, 0 ns");
}
END_TEST

START_TEST(a_pulse_on_one_side_is_found)
{
    pair(BUS, "#0 b0 d #10 b1 d #11 b0 d #30 b10 d #40", "#0 b0 d #30 b10 d #40");
    ck_assert_int_eq(verdict(tolerance(4, 4)), 1);
    ck_assert_str_eq(line(0), "top.d[3:0]: 10 ns 4'h1/4'h0 1, until 11 ns, 1 ns, 1, 1 ns");
    pair(BUS, "#0 b0 d #30 b10 d #40", "#0 b0 d #10 b1 d #11 b0 d #30 b10 d #40");
    ck_assert_int_eq(verdict(tolerance(4, 4)), 1);
    ck_assert_str_eq(line(0), "top.d[3:0]: 10 ns 4'h0/4'h1 1, until 11 ns, 1 ns, 1, 1 ns");
}
END_TEST

START_TEST(a_change_whose_time_is_not_up_at_the_end_is_no_difference)
{
    pair(BUS, "#0 b0 d #10 b1 d #18 b0 d #20", "#0 b0 d #11 b1 d #20");
    ck_assert_int_eq(verdict(tolerance(0, 2)), 0);
    ck_assert_int_eq(verdict(tolerance(0, 1)), 1);
    ck_assert_str_eq(line(0), "top.d[3:0]: 18 ns 4'h0/4'h1 1, until -, 2 ns, 1, 2 ns");
}
END_TEST

START_TEST(rules_give_single_signals_a_tolerance)
{
    pair("1 p p; 1 q q", "#0 0p 0q #10 1p 1q #20", "#0 0p 0q #11 1p 1q #20");
    ck_assert_int_eq(verdict_by("tol *.p 0 1\n", PLAIN), 1);
    ck_assert_uint_eq(r.count[WAVE_DIFF_VALUE], 1);
    ck_assert_str_eq(r.list[0].name_a, "top.q");
    ck_assert_int_eq(verdict_by("tol * 0 1ns\n", PLAIN), 0);
    ck_assert_int_eq(verdict_by("tol *.q 0 0\n", tolerance(1, 1)), 1);
    ck_assert_str_eq(r.list[0].name_a, "top.q");
}
END_TEST

START_TEST(a_signal_with_a_tolerance_is_not_sampled)
{
    const char *vars = "1 c clk; 1 q q";
    pair(vars, "#0 0c 0q #5 1c #10 0c 1q #15 1c #20 0c", "#0 0c 0q #5 1c #10 0c #14 1q #15 1c #20 0c");
    struct wave_options o = { .clock.signal = "clk" };
    ck_assert_int_eq(verdict(o), 0);
    ck_assert_int_eq(verdict_by("tol top.q 3 3\n", o), 1);
    ck_assert_int_eq(verdict_by("tol top.q 0 4\n", o), 0);
}
END_TEST

START_TEST(a_condition_is_taken_at_the_time_of_the_change)
{
    const char *vars = "1 v v; 4 d d [3:0]";
    struct wave_options o = tolerance(0, 2);
    o.when = "v";
    pair(vars, "#0 0v b0 d #9 1v #10 b1 d #11 0v #20 b0 d #40", "#0 0v b0 d #9 1v #11 0v #40");
    ck_assert_int_eq(verdict(o), 1);
    ck_assert_str_eq(line(0), "top.d[3:0]: 10 ns 4'h1/4'h0 1, until 20 ns, 10 ns, 1, 1 ns");
    pair(vars, "#0 0v b0 d #9 1v #11 0v #12 b1 d #20 b0 d #40", "#0 0v b0 d #9 1v #11 0v #40");
    ck_assert_int_eq(verdict(o), 0);
}
END_TEST

START_TEST(events_have_a_tolerance_too)
{
    pair("event e go; 1 c c", "#0 0c #10 1e #20 1e #30 1e #40 1c", "#0 0c #11 1e #21 1e #31 1e #40 1c");
    ck_assert_int_eq(verdict(PLAIN), 1);
    ck_assert_int_eq(verdict(tolerance(0, 1)), 0);
    pair("event e go; 1 c c", "#0 0c #10 1e #20 1e #30 1e #40 1c", "#0 0c #11 1e #31 1e #40 1c");
    ck_assert_int_eq(verdict(tolerance(0, 1)), 1);
    ck_assert_str_eq(r.list[0].first.text, "20 ns");
    ck_assert_uint_eq(r.list[0].intervals, 1);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        lead_is_for_an_earlier_b_and_lag_for_a_later_one,
        changes_faster_than_the_tolerance_are_told_apart,
        a_pulse_on_one_side_is_found,
        a_change_whose_time_is_not_up_at_the_end_is_no_difference,
        rules_give_single_signals_a_tolerance,
        a_signal_with_a_tolerance_is_not_sampled,
        a_condition_is_taken_at_the_time_of_the_change,
        events_have_a_tolerance_too,
    };
    return RUN_SUITE("wave/tolerance", tests);
}
