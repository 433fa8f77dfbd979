/* What wave_compare reports, and the options that are about values and times (docs/waves.md). */
#include "compared.h"

#define BUS "8 d data [7:0]"

START_TEST(a_difference_has_values_bits_duration_and_what_was_before)
{
    pair(BUS, "#0 b1 d #10 b111 d #20 b1000 d #30 b1001 d",
         "#0 b1 d #10 b101 d #20 b1000 d #30 b0 d #35 b1001 d");
    ck_assert_int_eq(verdict(PLAIN), 1);
    ck_assert_str_eq(line(0), "top.data[7:0]: 10 ns 8'h07/8'h05 02, until 20 ns, 10 ns, 2, 15 ns");
    ck_assert_str_eq(r.list[0].agreed.text, "0 ns");
    ck_assert_str_eq(r.list[0].agreed_value, "8'h01");
    ck_assert_str_eq(r.list[0].raw_golden, "00000111");
    ck_assert_uint_eq(r.changes_a, 3);
    ck_assert_uint_eq(r.changes_b, 4);
}
END_TEST

START_TEST(a_difference_to_the_end_has_no_until)
{
    pair(BUS, "#0 b1 d #10 b111 d #50", "#0 b1 d #20 b1 d #50");
    ck_assert_int_eq(verdict(PLAIN), 1);
    ck_assert_str_eq(line(0), "top.data[7:0]: 10 ns 8'h07/8'h01 06, until -, 40 ns, 1, 40 ns");
}
END_TEST

START_TEST(a_difference_from_the_start_was_never_agreed)
{
    pair(BUS, "#0 b1 d #10 b0 d", "#0 b0 d #10 b0 d");
    ck_assert_int_eq(verdict(PLAIN), 1);
    ck_assert_ptr_null(r.list[0].agreed.text);
}
END_TEST

START_TEST(ties_are_broken_by_depth_and_then_by_declaration)
{
    const char *head =
        "$timescale 1ns $end $scope module t $end $scope module u $end $var wire 1 ! deep $end "
        "$upscope $end $var wire 1 \" z $end $var wire 1 # a $end $upscope $end "
        "$enddefinitions $end ";
    char text[512];
    snprintf(text, sizeof text, "%s#0 0! 0\" 0# #5 1! 1\" 1#\n", head);
    write_text("a", text);
    snprintf(text, sizeof text, "%s#0 0! 0\" 0# #5 x! x\" x#\n", head);
    write_text("b", text);
    ck_assert_int_eq(verdict(PLAIN), 1);
    ck_assert_str_eq(r.list[0].name_a, "t.z");
    ck_assert_str_eq(r.list[1].name_a, "t.a");
    ck_assert_str_eq(r.list[2].name_a, "t.u.deep");
    ck_assert_uint_eq(r.nscopes, 2);
    ck_assert_str_eq(r.scopes[0].scope, "t");
    ck_assert_uint_eq(r.scopes[0].compared, 2);
    ck_assert_uint_eq(r.scopes[0].differing, 2);
    ck_assert_str_eq(r.scopes[1].scope, "t.u");
    ck_assert_uint_eq(r.scopes[1].differing, 1);
}
END_TEST

/* ---- a side that stops early */

START_TEST(a_side_that_stops_early_is_one_entry_with_what_it_lacks_first)
{
    pair("1 c clk; 1 q q", "#0 0c 0q #5 1c #10 0c 1q #15 1c", "#0 0c 0q #5 1c");
    ck_assert_int_eq(verdict(PLAIN), 1);
    ck_assert_uint_eq(r.count[WAVE_DIFF_ENDS], 2);
    ck_assert_uint_eq(r.count[WAVE_DIFF_VALUE], 0);
    ck_assert_uint_eq(r.nlist, 1);
    ck_assert_int_eq(r.list[0].kind, WAVE_DIFF_ENDS);
    ck_assert_str_eq(line(0), "top.clk: 10 ns 0/1 1, until 15 ns, 5 ns, 1, 5 ns");
}
END_TEST

START_TEST(a_difference_before_the_early_end_stays_a_difference_of_values)
{
    pair("1 c clk; 1 q q", "#0 0c 0q #5 1c #10 0c 1q #15 1c", "#0 0c 0q #5 1c 1q");
    ck_assert_int_eq(verdict(PLAIN), 1);
    ck_assert_uint_eq(r.count[WAVE_DIFF_ENDS], 1);
    ck_assert_uint_eq(r.count[WAVE_DIFF_VALUE], 1);
    ck_assert_str_eq(r.list[0].name_a, "top.q");
}
END_TEST

START_TEST(ends_that_differ_without_changes_are_a_note)
{
    pair("1 c clk", "#0 0c #5 1c", "#0 0c #5 1c #9");
    ck_assert_int_eq(verdict(PLAIN), 0);
    ck_assert(noted("A ends at 5 ns, B at 9 ns"));
}
END_TEST

/* ---- x, mask, epsilon */

START_TEST(x_is_a_value_or_agrees_with_all_or_only_in_the_golden_wave)
{
    pair(BUS, "#0 b0 d #10 bxxxx0001 d #20 b0 d", "#0 b0 d #10 b10100001 d #20 b0 d");
    ck_assert_int_eq(verdict(PLAIN), 1);
    ck_assert_int_eq(verdict((struct wave_options){ .x = WAVE_X_ANY }), 0);
    ck_assert_int_eq(verdict((struct wave_options){ .x = WAVE_X_GOLDEN }), 0);
    pair(BUS, "#0 b0 d #10 b10100001 d #20 b0 d", "#0 b0 d #10 bxxxx0001 d #20 b0 d");
    ck_assert_int_eq(verdict((struct wave_options){ .x = WAVE_X_ANY }), 0);
    ck_assert_int_eq(verdict((struct wave_options){ .x = WAVE_X_GOLDEN }), 1);
    pair(BUS, "#0 b0 d #10 bz0001 d #20 b0 d", "#0 b0 d #10 b10000 d #20 b0 d");
    ck_assert_int_eq(verdict((struct wave_options){ .x = WAVE_X_ANY }), 1);
    ck_assert_str_eq(r.list[0].mask, "01"); /* the z agree */
    ck_assert_int_eq(verdict((struct wave_options){ .x = WAVE_X_GOLDEN }), 1);
    ck_assert_str_eq(r.list[0].mask, "f1");
}
END_TEST

START_TEST(a_mask_says_which_bits_are_compared)
{
    pair(BUS, "#0 b0 d #10 b11110000 d #20 b0 d", "#0 b0 d #10 b11111111 d #20 b0 d");
    ck_assert_int_eq(verdict_by("mask top.data f0\n", PLAIN), 0);
    ck_assert_int_eq(verdict_by("mask top.data[7:0] 0xf8\n", PLAIN), 1);
    ck_assert_str_eq(r.list[0].mask, "08");
    ck_assert_int_eq(verdict_by("mask * 8'hf8\nmask *data* f0\n", PLAIN), 0); /* the last one counts */
    ck_assert_int_eq(verdict_by("mask top.data 1f0\n", PLAIN), 2);
    ck_assert_ptr_nonnull(strstr(err.text, "9 bits"));
}
END_TEST

START_TEST(epsilon_is_the_largest_difference_of_reals)
{
    pair("real v volt", "#0 r1.0 v #10 r1.5 v", "#0 r1.0 v #10 r1.625 v");
    ck_assert_int_eq(verdict(PLAIN), 1);
    ck_assert_str_eq(line(0), "top.volt: 10 ns 1.5/1.625 -, until -, 0 ns, 1, 0 ns");
    ck_assert_int_eq(verdict((struct wave_options){ .epsilon = 0.125 }), 0);
    ck_assert_int_eq(verdict((struct wave_options){ .epsilon = 0.12 }), 1);
}
END_TEST

/* ---- shift, window, when */

START_TEST(shift_moves_b)
{
    struct wave_options o = { .shift = ns(3) };
    pair("1 c clk", "#3 0c #8 1c #13 0c", "#0 0c #5 1c #10 0c");
    ck_assert_int_eq(verdict(PLAIN), 1);
    ck_assert_int_eq(verdict(o), 0);
    o.shift_negative = true;
    ck_assert_int_eq(verdict(o), 1);
    pair("1 c clk", "#0 0c #5 1c #10 0c", "#3 0c #8 1c #13 0c");
    ck_assert_int_eq(verdict(o), 0);
    pair("1 c clk", "#0 0c #5 1c #10 0c", "#3 0c #8 1c #14 0c");
    ck_assert_int_eq(verdict(o), 1);
    ck_assert_str_eq(r.list[0].first.text, "10 ns");
    ck_assert_uint_eq(r.list[0].first.ticks_a, 10);
    ck_assert_uint_eq(r.list[0].first.ticks_b, 13);
}
END_TEST

START_TEST(intervals_are_cut_at_the_window)
{
    struct wave_options o = { .window = { .from = ns(15), .to = ns(30) } };
    pair(BUS, "#0 b0 d #10 b1 d #20 b0 d #25 b1 d #40 b0 d", "#0 b0 d #20 b0 d #40 b0 d");
    ck_assert_int_eq(verdict(o), 1);
    ck_assert_str_eq(line(0), "top.data[7:0]: 15 ns 8'h01/8'h00 01, until 20 ns, 5 ns, 2, 10 ns");
    ck_assert_str_eq(r.list[0].agreed.text, "0 ns");
    o.window = (struct wave_window){ .from = ns(20), .to = ns(24) };
    o.allow_empty = true;
    ck_assert_int_eq(verdict(o), 0);
}
END_TEST

START_TEST(a_window_in_which_nothing_changes_says_nothing)
{
    struct wave_options o = { .window = { .from = ns(11), .to = ns(19) } };
    pair(BUS, "#0 b0 d #10 b1 d #20 b0 d", "#0 b0 d #10 b1 d #20 b0 d");
    ck_assert_int_eq(verdict(o), 2);
    ck_assert_ptr_nonnull(strstr(err.text, "nothing ever changed"));
    o.window.from = ns(10);
    ck_assert_int_eq(verdict(o), 0);
}
END_TEST

#define GATED "1 v valid; 8 d data [7:0]"

START_TEST(when_compares_only_while_it_holds)
{
    struct wave_options o = { .when = "valid" };
    pair(GATED, "#0 0v b0 d #10 1v #20 0v #30 1v #40 0v",
         "#0 0v b0 d #3 b1 d #7 b0 d #10 1v #20 0v b1 d #30 1v b0 d #40 0v");
    ck_assert_int_eq(verdict(PLAIN), 1);
    ck_assert_int_eq(verdict(o), 0);
    pair(GATED, "#0 0v b0 d #10 1v #20 0v #30 1v #40 0v",
         "#0 0v b0 d #5 b1 d #10 1v #12 b0 d #20 0v b1 d #30 1v #40 0v");
    ck_assert_int_eq(verdict(o), 1);
    ck_assert_str_eq(line(0), "top.data[7:0]: 10 ns 8'h00/8'h01 01, until 12 ns, 2 ns, 2, 12 ns");
    ck_assert_str_eq(r.list[0].agreed.text, "0 ns");
}
END_TEST

START_TEST(when_ends_the_first_interval)
{
    pair(GATED, "#0 0v b0 d #10 1v #20 0v #30 1v #40 0v", "#0 0v b0 d #10 1v #15 b1 d #20 0v #30 1v #40 0v");
    ck_assert_int_eq(verdict((struct wave_options){ .when = "top.valid == 1" }), 1);
    ck_assert_str_eq(line(0), "top.data[7:0]: 15 ns 8'h00/8'h01 01, until 20 ns, 5 ns, 2, 15 ns");
}
END_TEST

START_TEST(when_that_never_holds_says_nothing)
{
    pair(GATED, "#0 0v b0 d #10 b1 d", "#0 0v b0 d #10 b1 d");
    ck_assert_int_eq(verdict((struct wave_options){ .when = "valid" }), 2);
    ck_assert_ptr_nonnull(strstr(err.text, "never holds"));
    ck_assert_int_eq(verdict((struct wave_options){ .when = "valid", .allow_empty = true }), 0);
    ck_assert_int_eq(verdict_by("when *data* valid\n", PLAIN), 0); /* the rest was compared */
    ck_assert(noted("the condition of 1 signal never held"));
}
END_TEST

START_TEST(when_rules_are_for_their_signals_only)
{
    pair(GATED, "#0 0v b0 d #10 1v #20 0v", "#0 0v b1 d #10 1v b0 d #20 0v");
    ck_assert_int_eq(verdict(PLAIN), 1);
    ck_assert_int_eq(verdict_by("when top.data valid && data < 3\n", PLAIN), 0);
    ck_assert_int_eq(verdict_by("when top.valid valid\n", PLAIN), 1);
    ck_assert_int_eq(verdict((struct wave_options){ .when = "nowhere" }), 2);
    ck_assert_ptr_nonnull(strstr(err.text, "no signal is called 'nowhere'"));
}
END_TEST

START_TEST(a_condition_may_flip_at_every_step)
{
    struct strbuf a = { 0 }, b = { 0 };
    strbuf_puts(&a, "#0 0v b0 d ");
    strbuf_puts(&b, "#0 0v b1 d ");
    for (int t = 1; t < 2000; t++) {
        strbuf_printf(&a, "#%d %dv ", t, t & 1);
        strbuf_printf(&b, "#%d %dv ", t, t & 1);
    }
    pair(GATED, a.s, b.s);
    strbuf_free(&a);
    strbuf_free(&b);
    ck_assert_int_eq(verdict((struct wave_options){ .when = "valid" }), 1);
    ck_assert_str_eq(line(0), "top.data[7:0]: 1 ns 8'h00/8'h01 01, until 2 ns, 1 ns, 1000, 999 ns");
}
END_TEST

/* ---- files */

START_TEST(a_missing_timescale_has_to_be_assumed)
{
    write_text("a", "$scope module top $end $var wire 1 c clk $end $upscope $end $enddefinitions $end\n"
                    "#0 0c #7 1c\n");
    vcd("b", "1 c clk", "#0 0c #7 1c");
    ck_assert_int_eq(verdict(PLAIN), 2);
    ck_assert_ptr_nonnull(strstr(err.text, "--assume-timescale"));
    ck_assert_int_eq(verdict((struct wave_options){ .assume_timescale = "1ns" }), 0);
    ck_assert_int_eq(verdict((struct wave_options){ .assume_timescale = "100 ps" }), 1);
    ck_assert_str_eq(r.list[0].first.text, "700 ps");
    ck_assert_int_eq(verdict((struct wave_options){ .assume_timescale = "ns" }), 2);
}
END_TEST

START_TEST(a_damaged_tail_behind_the_window_is_not_equal)
{
    struct wave_options o = { .window = { .to = ns(6) } };
    pair("1 c clk", "#0 0c #5 1c #10 0c", "#0 0c #5 1c #10 0? ");
    ck_assert_int_eq(verdict(o), 2);
}
END_TEST

START_TEST(rules_that_meet_no_signal_are_noted)
{
    pair("1 c clk", "#0 0c #5 1c", "#0 0c #5 1c");
    ck_assert_int_eq(verdict_by("ignore top.clock\nmap top.a top.b\nmask top.clk 1\n", PLAIN), 0);
    ck_assert(noted("line 1: 'ignore top.clock' meets no signal"));
    ck_assert(noted("line 2: 'map top.a' meets no signal"));
    ck_assert_uint_eq(r.nnotes, 2);
}
END_TEST

START_TEST(strings_and_events_are_compared)
{
    pair("string s state; event e go", "#0 sidle s #5 1e #7 1e #9 srun s", "#0 sidle s #5 1e #9 srun s");
    ck_assert_int_eq(verdict(PLAIN), 1);
    ck_assert_str_eq(line(0), "top.go: 7 ns fires/quiet -, until 7 ns, 0 ns, 1, 0 ns");
    ck_assert_uint_eq(r.nlist, 1);
    ck_assert_str_eq(r.list[0].agreed.text, "5 ns");
    ck_assert_str_eq(r.list[0].agreed_value, "fires");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_difference_has_values_bits_duration_and_what_was_before,
        a_difference_to_the_end_has_no_until,
        a_difference_from_the_start_was_never_agreed,
        ties_are_broken_by_depth_and_then_by_declaration,
        a_side_that_stops_early_is_one_entry_with_what_it_lacks_first,
        a_difference_before_the_early_end_stays_a_difference_of_values,
        ends_that_differ_without_changes_are_a_note,
        x_is_a_value_or_agrees_with_all_or_only_in_the_golden_wave,
        a_mask_says_which_bits_are_compared,
        epsilon_is_the_largest_difference_of_reals,
        shift_moves_b,
        intervals_are_cut_at_the_window,
        a_window_in_which_nothing_changes_says_nothing,
        when_compares_only_while_it_holds,
        when_ends_the_first_interval,
        when_that_never_holds_says_nothing,
        when_rules_are_for_their_signals_only,
        a_condition_may_flip_at_every_step,
        a_missing_timescale_has_to_be_assumed,
        a_damaged_tail_behind_the_window_is_not_equal,
        rules_that_meet_no_signal_are_noted,
        strings_and_events_are_compared,
    };
    return RUN_SUITE("wave/compare", tests);
}
