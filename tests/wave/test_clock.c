/* Sampling at the edges of a clock, with and without setup and hold times. */
#include "compared.h"

/* Rising edges at 5, 15, 25, 35; falling ones at 10, 20, 30, 40. */
#define VARS "1 c clk; 4 d d [3:0]"

static struct wave_options clock_of(const char *signal)
{
    return (struct wave_options){ .clock.signal = signal };
}

/* d is `value` in A from time `from` to time `to`, else 0; always 0 in B. */
static void differs_in(unsigned from, unsigned to)
{
    char a[256] = "", b[256] = "";
    for (unsigned t = 0; t <= 45; t++) {
        char step[32];
        if (t % 5 == 0 || t == from || t == to) {
            snprintf(step, sizeof step, "#%u ", t);
            strcat(a, step);
            strcat(b, step);
        }
        if (t % 5 == 0) {
            snprintf(step, sizeof step, "%uc ", t / 5 % 2);
            strcat(a, step);
            strcat(b, step);
        }
        if (t == 0) {
            strcat(a, "b0 d ");
            strcat(b, "b0 d ");
        }
        if (t == from)
            strcat(a, "b1000 d ");
        if (t == to)
            strcat(a, "b0 d ");
    }
    pair(VARS, a, b);
}

START_TEST(values_count_just_before_the_rising_edge)
{
    differs_in(6, 15); /* changes with the edge at 15: its value before counts */
    ck_assert_int_eq(verdict(clock_of("clk")), 1);
    ck_assert_str_eq(line(0), "top.d[3:0]: 15 ns 4'h8/4'h0 8, until 25 ns, 1 sample, 1, 1 sample");
    ck_assert_uint_eq(r.samples, 5);
    differs_in(6, 14);
    ck_assert_int_eq(verdict(clock_of("clk")), 0);
    differs_in(5, 14); /* from the edge at 5 on */
    ck_assert_int_eq(verdict(clock_of("top.clk")), 0);
    differs_in(15, 25);
    ck_assert_int_eq(verdict(clock_of("clk")), 1);
    ck_assert_str_eq(r.list[0].first.text, "25 ns");
}
END_TEST

START_TEST(the_edge_may_be_chosen)
{
    struct wave_options o = clock_of("clk");
    differs_in(18, 22);
    ck_assert_int_eq(verdict(o), 0);
    o.clock.edge = WAVE_FALL;
    ck_assert_int_eq(verdict(o), 1);
    ck_assert_str_eq(r.list[0].first.text, "20 ns");
    ck_assert_uint_eq(r.samples, 4);
    o.clock.edge = WAVE_BOTH;
    ck_assert_int_eq(verdict(o), 1);
    ck_assert_uint_eq(r.samples, 9);
}
END_TEST

START_TEST(samples_are_counted)
{
    differs_in(12, 38);
    ck_assert_int_eq(verdict(clock_of("clk")), 1);
    ck_assert_str_eq(line(0), "top.d[3:0]: 15 ns 4'h8/4'h0 8, until 45 ns, 3 samples, 3, 3 samples");
    differs_in(12, 99);
    ck_assert_int_eq(verdict(clock_of("clk")), 1);
    ck_assert_str_eq(line(0), "top.d[3:0]: 15 ns 4'h8/4'h0 8, until -, 4 samples, 4, 4 samples");
}
END_TEST

START_TEST(two_differences_between_samples_are_one_interval)
{
    pair(VARS,
         "#0 0c b0 d #5 1c #10 0c b1 d #15 1c #16 b0 d #17 b10 d #20 0c #25 1c b0 d #30 0c #35 1c #40 0c",
         "#0 0c b0 d #5 1c #10 0c #15 1c #20 0c #25 1c #30 0c #35 1c #40 0c");
    ck_assert_int_eq(verdict(clock_of("clk")), 1);
    ck_assert_str_eq(line(0), "top.d[3:0]: 15 ns 4'h1/4'h0 1, until 35 ns, 2 samples, 2, 2 samples");
}
END_TEST

START_TEST(the_clock_itself_is_compared_all_the_time)
{
    pair(VARS, "#0 0c b0 d #5 1c b1 d #10 0c #15 1c #20 0c", "#0 0c b0 d #5 1c b1 d #11 0c #15 1c #20 0c");
    ck_assert_int_eq(verdict(clock_of("clk")), 1);
    ck_assert_str_eq(line(0), "top.clk: 10 ns 0/1 1, until 11 ns, 1 ns, 1, 1 ns");
}
END_TEST

START_TEST(events_are_compared_all_the_time)
{
    pair("1 c clk; event e go", "#0 0c #5 1c #7 1e #10 0c #15 1c", "#0 0c #5 1c #10 0c #15 1c");
    ck_assert_int_eq(verdict(clock_of("clk")), 1);
    ck_assert_str_eq(r.list[0].first.text, "7 ns");
}
END_TEST

START_TEST(setup_and_hold_widen_the_edge)
{
    struct wave_options o = clock_of("clk");
    differs_in(11, 13); /* ends 2 before the edge */
    ck_assert_int_eq(verdict(o), 0);
    o.clock.setup = ns(1);
    ck_assert_int_eq(verdict(o), 0);
    o.clock.setup = ns(2);
    ck_assert_int_eq(verdict(o), 1);
    ck_assert_str_eq(line(0), "top.d[3:0]: 13 ns 4'h8/4'h0 8, until 25 ns, 1 sample, 1, 1 sample");
    differs_in(17, 19); /* begins 2 after the edge */
    o.clock.setup = (struct wave_bound){ 0 };
    o.clock.hold = ns(2);
    ck_assert_int_eq(verdict(o), 0);
    o.clock.hold = ns(3);
    ck_assert_int_eq(verdict(o), 1);
    ck_assert_str_eq(line(0), "top.d[3:0]: 17 ns 4'h8/4'h0 8, until 25 ns, 1 sample, 1, 1 sample");
}
END_TEST

START_TEST(setup_and_hold_count_an_edge_once)
{
    struct wave_options o = clock_of("clk");
    o.clock.setup = ns(4);
    o.clock.hold = ns(4);
    pair(VARS,
         "#0 0c b0 d #5 1c #10 0c #12 b1 d #13 b0 d #15 1c #16 b1 d #17 b0 d #20 0c #25 1c #30 0c #35 1c",
         "#0 0c b0 d #5 1c #10 0c #15 1c #20 0c #25 1c #30 0c #35 1c");
    ck_assert_int_eq(verdict(o), 1);
    ck_assert_uint_eq(r.list[0].intervals, 1);
    differs_in(12, 28); /* before the edge at 15, past the one at 25 */
    ck_assert_int_eq(verdict(o), 1);
    ck_assert_uint_eq(r.list[0].intervals, 2);
}
END_TEST

START_TEST(a_condition_counts_as_it_is_just_before_the_edge)
{
    struct wave_options o = clock_of("clk");
    const char *vars = "1 c clk; 1 v valid; 4 d d [3:0]";
    pair(vars, "#0 0c 0v b0 d #5 1c #10 0c #15 1c 1v #20 0c #25 1c 0v #30 0c #35 1c",
         "#0 0c 0v b0 d #5 1c #10 0c b1 d #15 1c 1v #20 0c #21 b0 d #25 1c 0v #30 0c b1 d #35 1c");
    ck_assert_int_eq(verdict(o), 1);
    o.when = "valid";
    ck_assert_int_eq(verdict(o), 0);
    pair(vars, "#0 0c 0v b0 d #5 1c #10 0c #15 1c 1v #20 0c #25 1c 0v #30 0c #35 1c",
         "#0 0c 0v b0 d #5 1c #10 0c #15 1c 1v #20 0c #21 b1 d #25 1c 0v #30 0c #35 1c");
    ck_assert_int_eq(verdict(o), 1);
    ck_assert_str_eq(r.list[0].first.text, "25 ns");
}
END_TEST

START_TEST(a_clock_has_to_be_one_known_bit_with_edges)
{
    struct wave_options o = clock_of("nowhere");
    differs_in(99, 99);
    ck_assert_int_eq(verdict(o), 2);
    o.clock.signal = "d";
    ck_assert_int_eq(verdict(o), 2);
    ck_assert_ptr_nonnull(strstr(err.text, "not one bit"));
    o.clock.signal = "d[3]";
    ck_assert_int_eq(verdict(o), 2);
    ck_assert_ptr_nonnull(strstr(err.text, "no such edge"));
    o = (struct wave_options){ .clock.setup = ns(1) };
    ck_assert_int_eq(verdict(o), 2);
    o = clock_of("clk");
    o.lag = ns(1);
    ck_assert_int_eq(verdict(o), 2);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        values_count_just_before_the_rising_edge,
        the_edge_may_be_chosen,
        samples_are_counted,
        two_differences_between_samples_are_one_interval,
        the_clock_itself_is_compared_all_the_time,
        events_are_compared_all_the_time,
        setup_and_hold_widen_the_edge,
        setup_and_hold_count_an_edge_once,
        a_condition_counts_as_it_is_just_before_the_edge,
        a_clock_has_to_be_one_known_bit_with_edges,
    };
    return RUN_SUITE("wave/clock", tests);
}
