/* Values that last too short to exist. */
#include "compared.h"

#define BUS "4 d d [3:0]"

START_TEST(a_short_pulse_does_not_exist)
{
    struct wave_options o = { .glitch = ns(3) };
    pair(BUS, "#0 b0 d #10 b1 d #20 b10 d #40", "#0 b0 d #5 b111 d #7 b0 d #10 b1 d #20 b10 d #40");
    ck_assert_int_eq(verdict(PLAIN), 1);
    ck_assert_int_eq(verdict(o), 0);
    ck_assert(noted("1 short pulse left out"));
    o.glitch = ns(2); /* it lasts 2: not shorter */
    ck_assert_int_eq(verdict(o), 1);
    ck_assert_str_eq(line(0), "top.d[3:0]: 5 ns 4'h0/4'h7 7, until 7 ns, 2 ns, 1, 2 ns");
}
END_TEST

START_TEST(a_short_value_on_the_way_is_skipped_and_the_next_keeps_its_time)
{
    struct wave_options o = { .glitch = ns(2) };
    pair(BUS, "#0 b0 d #11 b1 d #40", "#0 b0 d #10 b111 d #11 b1 d #40");
    ck_assert_int_eq(verdict(o), 0);
    pair(BUS, "#0 b0 d #10 b1 d #40", "#0 b0 d #10 b111 d #11 b1 d #40");
    ck_assert_int_eq(verdict(o), 1);
    ck_assert_str_eq(line(0), "top.d[3:0]: 10 ns 4'h1/4'h0 1, until 11 ns, 1 ns, 1, 1 ns");
}
END_TEST

START_TEST(long_trains_of_pulses_and_slow_signals_keep_their_order)
{
    struct strbuf b = { 0 };
    struct wave_options o = { .glitch = ns(1000) };
    strbuf_puts(&b, "#0 b0 d 0q ");
    for (int t = 1; t < 9000; t++)
        strbuf_printf(&b, "#%d b%d d %s", t, t & 1, t == 4000 ? "1q " : "");
    strbuf_puts(&b, "#9000 b1 d #20000 b0 d 0q #30000");
    pair("4 d d [3:0]; 1 q q", "#0 b0 d 0q #4000 1q #8999 b1 d #20000 b0 d 0q #30000", b.s);
    strbuf_free(&b);
    ck_assert_int_eq(verdict(o), 0);
}
END_TEST

START_TEST(initial_values_and_the_last_ones_are_no_pulses)
{
    struct wave_options o = { .glitch = ns(50) };
    pair(BUS, "#0 b0 d #10 b1 d #90 b10 d #99", "#0 b0 d #10 b1 d #90 b10 d #99");
    ck_assert_int_eq(verdict(o), 0);
    ck_assert_uint_eq(r.changes_a, 2);
    pair(BUS, "#0 b0 d #10 b1 d #90 b10 d #99", "#0 b11 d #10 b1 d #90 b10 d #99");
    ck_assert_int_eq(verdict(o), 1);
    ck_assert_str_eq(r.list[0].first.text, "0 ns");
    pair(BUS, "#0 b0 d #10 b1 d #90 b10 d #99", "#0 b0 d #10 b1 d #90 b11 d #99");
    ck_assert_int_eq(verdict(o), 1);
    ck_assert_str_eq(r.list[0].first.text, "90 ns");
}
END_TEST

START_TEST(events_are_not_pulses)
{
    struct wave_options o = { .glitch = ns(50) };
    pair("event e go; 1 c c", "#0 0c #10 1e #11 1e #90 1c", "#0 0c #10 1e #11 1e #90 1c");
    ck_assert_int_eq(verdict(o), 0);
    pair("event e go; 1 c c", "#0 0c #10 1e #11 1e #90 1c", "#0 0c #10 1e #90 1c");
    ck_assert_int_eq(verdict(o), 1);
    ck_assert_str_eq(r.list[0].first.text, "11 ns");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_short_pulse_does_not_exist,
        a_short_value_on_the_way_is_skipped_and_the_next_keeps_its_time,
        long_trains_of_pulses_and_slow_signals_keep_their_order,
        initial_values_and_the_last_ones_are_no_pulses,
        events_are_not_pulses,
    };
    return RUN_SUITE("wave/glitch", tests);
}
