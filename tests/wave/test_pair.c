/* Which signals are compared with which: names, ranges, bits of vectors, map rules. */
#include "compared.h"

#define FOUR_A "#0 b0000 n #10 b1010 n #20 b1001 n"
#define FOUR_B "#0 0h 0g 0f 0e #10 1h 1f #20 0f 1e"

START_TEST(kind_and_a_missing_range_do_not_matter)
{
    write_text("a", "$timescale 1ns $end $scope module top $end $var reg 4 n n $end $upscope $end\n"
                    "$enddefinitions $end\n" FOUR_A "\n");
    vcd("b", "4 n n [3:0]", FOUR_A);
    ck_assert_int_eq(verdict(PLAIN), 0);
    ck_assert_uint_eq(r.compared, 1);
}
END_TEST

START_TEST(single_bits_are_the_vector_on_either_side)
{
    vcd("a", "4 n n [3:0]", FOUR_A);
    vcd("b", "1 e n [0]; 1 h n [3]; 1 g n [2]; 1 f n [1]", FOUR_B);
    ck_assert_int_eq(verdict(PLAIN), 0);
    ck_assert_uint_eq(r.compared, 1);
    vcd("a", "1 e n [0]; 1 h n [3]; 1 g n [2]; 1 f n [1]", FOUR_B);
    vcd("b", "4 n n [3:0]", FOUR_A);
    ck_assert_int_eq(verdict(PLAIN), 0);
    vcd("b", "4 n n [3:0]", "#0 b0000 n #10 b1010 n #20 b1011 n");
    ck_assert_int_eq(verdict(PLAIN), 1);
    ck_assert_str_eq(line(0), "top.n[3:0]: 20 ns 4'h9/4'hb 2, until -, 0 ns, 1, 0 ns");
    ck_assert_str_eq(r.list[0].agreed_value, "4'ha");
}
END_TEST

START_TEST(parts_of_a_vector_are_the_vector)
{
    vcd("a", "4 n n [3:0]", FOUR_A);
    vcd("b", "2 h n [3:2]; 2 l n [1:0]", "#0 b00 h b00 l #10 b10 h b10 l #20 b01 l");
    ck_assert_int_eq(verdict(PLAIN), 0);
    vcd("b", "2 h n [3:2]; 2 l n [1:0]", "#0 b00 h b00 l #10 b10 h b10 l #20 b11 l");
    ck_assert_int_eq(verdict(PLAIN), 1);
}
END_TEST

START_TEST(a_vector_may_count_upwards)
{
    vcd("a", "4 n n [0:3]", FOUR_A);
    vcd("b", "1 h n [0]; 1 g n [1]; 1 f n [2]; 1 e n [3]", FOUR_B);
    ck_assert_int_eq(verdict(PLAIN), 0);
    vcd("b", "1 e n [0]; 1 f n [1]; 1 g n [2]; 1 h n [3]", FOUR_B); /* mirrored */
    ck_assert_int_eq(verdict(PLAIN), 1);
}
END_TEST

START_TEST(a_bit_that_is_missing_leaves_all_of_them_unmatched)
{
    vcd("a", "4 n n [3:0]", FOUR_A);
    vcd("b", "1 e n [0]; 1 h n [3]; 1 f n [1]", "#0 0h 0f 0e #10 1h");
    ck_assert_int_eq(verdict(PLAIN), 1);
    ck_assert_uint_eq(r.count[WAVE_DIFF_ONLY_A], 1);
    ck_assert_uint_eq(r.count[WAVE_DIFF_ONLY_B], 3);
}
END_TEST

START_TEST(one_bit_vectors_are_bits)
{
    vcd("a", "1 n n [0:0]", "#0 0n #5 1n");
    vcd("b", "1 n n", "#0 0n #5 1n");
    ck_assert_int_eq(verdict(PLAIN), 0);
    vcd("b", "1 n n [0]", "#0 0n #5 1n");
    ck_assert_int_eq(verdict(PLAIN), 0);
    vcd("b", "1 n n [1]", "#0 0n #5 1n");
    ck_assert_int_eq(verdict(PLAIN), 1);
}
END_TEST

START_TEST(map_renames_a_signal)
{
    vcd("a", "1 c clk; 4 n n [3:0]", "#0 0c b0000 n #10 1c b1010 n");
    vcd("b", "1 c clk; 4 n count [3:0]", "#0 0c b0000 n #10 1c b1010 n");
    ck_assert_int_eq(verdict(PLAIN), 1);
    ck_assert_int_eq(verdict_by("map top.n top.count # renamed\n", PLAIN), 0);
    ck_assert_uint_eq(r.compared, 2);
    vcd("b", "1 c clk; 4 n count [3:0]", "#0 0c b0000 n #10 1c b1011 n");
    ck_assert_int_eq(verdict_by("map top.n top.count\n", PLAIN), 1);
    ck_assert_str_eq(r.list[0].name_a, "top.n[3:0]");
    ck_assert_str_eq(r.list[0].name_b, "top.count[3:0]");
    ck_assert_int_eq(verdict_by("map top.n top.nowhere\n", PLAIN), 1);
    ck_assert_uint_eq(r.count[WAVE_DIFF_ONLY_A], 1);
    ck_assert_uint_eq(r.count[WAVE_DIFF_ONLY_B], 1);
}
END_TEST

START_TEST(a_mapped_scope_is_renamed_with_all_below_it)
{
    const char *body = "$upscope $end $upscope $end $enddefinitions $end\n#0 0! #5 1! #10 0!\n";
    char text[512];
    snprintf(text, sizeof text,
             "$timescale 1ns $end $scope module top $end $scope module core $end "
             "$var wire 1 ! q $end %s",
             body);
    write_text("a", text);
    snprintf(text, sizeof text,
             "$timescale 1ns $end $scope module tb $end $scope module dut $end "
             "$var wire 1 ! q $end %s",
             body);
    write_text("b", text);
    ck_assert_int_eq(verdict(PLAIN), 1);
    ck_assert_int_eq(verdict_by("map top.core. tb.dut.\n", PLAIN), 0);
    ck_assert_int_eq(verdict_by("map top. tb.\n", PLAIN), 1);
    ck_assert_int_eq(verdict_by("map top. tb.\nmap top.core. tb.dut.\n", PLAIN), 0); /* the longest counts */
    ck_assert_int_eq(verdict_by("map top.core. tb.dut\n", PLAIN), 2);
    write_text("b", "$timescale 1ns $end $var wire 1 ! q $end $enddefinitions $end\n#0 0! #5 1! #10 0!\n");
    ck_assert_int_eq(verdict_by("map top.core. .\n", PLAIN), 0); /* a capture without scopes */
    ck_assert_str_eq(r.notes ? r.notes[0] : "", "");
}
END_TEST

START_TEST(map_takes_bits_and_joins_names)
{
    vcd("a", "8 d data [7:0]", "#0 b0 d #10 b10100101 d");
    vcd("b", "4 h high [3:0]; 6 l low [5:0]", "#0 b0 h b0 l #10 b1010 h b010111 l");
    ck_assert_int_eq(verdict_by("map top.data top.high top.low[5:2]\nignore top.low[1:0]\n", PLAIN), 0);
    ck_assert_int_eq(verdict_by("map top.data top.low[5:2] top.high\nignore top.low[1:0]\n", PLAIN), 1);
    ck_assert_str_eq(line(0), "top.data[7:0]: 10 ns 8'ha5/8'h5a ff, until -, 0 ns, 1, 0 ns");
    ck_assert_str_eq(r.list[0].name_b, "{top.low[5:2], top.high}");
    ck_assert_int_eq(verdict_by("map top.data top.high top.low[5:2]\n", PLAIN), 1);
    ck_assert_str_eq(r.list[0].name_b, "top.low[1:0]");
}
END_TEST

START_TEST(bits_that_no_rule_maps_are_missing)
{
    vcd("a", "8 d data [7:0]", "#0 b0 d #10 b10100101 d");
    vcd("b", "4 h high [3:0]", "#0 b0 h #10 b1010 h");
    ck_assert_int_eq(verdict_by("map top.data[7:4] top.high\n", PLAIN), 1);
    ck_assert_uint_eq(r.count[WAVE_DIFF_ONLY_A], 1);
    ck_assert_str_eq(r.list[0].name_a, "top.data[3:0]");
    ck_assert_str_eq(r.list[0].golden, "4 bits");
    ck_assert_int_eq(verdict_by("map top.data[7:4] top.high\nignore top.data[3:0]\n", PLAIN), 0);
    ck_assert_int_eq(verdict_by("map top.data[7:4] top.high\nignore top.data\n", PLAIN), 2); /* all of it */
    ck_assert_int_eq(verdict_by("map top.data[7:3] top.high\n", PLAIN), 1);
    ck_assert_uint_eq(r.count[WAVE_DIFF_SHAPE], 1);
    ck_assert_str_eq(r.list[0].golden, "5 bits");
}
END_TEST

START_TEST(a_partly_mapped_signal_of_b_may_have_a_partner_of_its_own_name)
{
    vcd("a", "4 n n [3:0]; 2 h high [1:0]", "#0 b0 n b0 h #10 b1010 n b10 h");
    vcd("b", "4 n n [3:0]", "#0 b0 n #10 b1010 n");
    ck_assert_int_eq(verdict_by("map top.high top.n[3:2]\n", PLAIN), 0);
    ck_assert_uint_eq(r.compared, 2);
}
END_TEST

START_TEST(a_part_of_one_against_a_part_of_the_other)
{
    vcd("a", "8 d data [7:0]", "#0 b0 d #10 b10100101 d");
    vcd("b", "4 x lo [3:0]; 4 y hi [3:0]", "#0 b0 x b0 y #10 b0101 x b1011 y");
    ck_assert_int_eq(verdict_by("map top.data[7:4] top.hi\nmap top.data[3:0] top.lo\n", PLAIN), 1);
    ck_assert_uint_eq(r.compared, 2);
    ck_assert_uint_eq(r.nlist, 1);
    ck_assert_str_eq(line(0), "top.data[7:4]: 10 ns 4'ha/4'hb 1, until -, 0 ns, 1, 0 ns");
}
END_TEST

START_TEST(ignored_names_may_be_missing_on_either_side)
{
    vcd("a", "1 c clk; 1 m mine", "#0 0c 0m #5 1c");
    vcd("b", "1 c clk; 1 y yours", "#0 0c 0y #5 1c");
    ck_assert_int_eq(verdict(PLAIN), 1);
    ck_assert_int_eq(verdict_by("ignore top.mine\n", PLAIN), 1);
    ck_assert_int_eq(verdict_by("ignore top.mine\nignore *yours\n", PLAIN), 0);
    ck_assert_int_eq(verdict_by("only *clk\n", PLAIN), 0);
}
END_TEST

START_TEST(globs_are_found_whatever_their_literal_text)
{
    static const char *const hit[] = { "*",
                                       "top.a_long_signal_name",
                                       "top.a_long_signal_nam?",
                                       "*name",
                                       "top.*",
                                       "*long_signal*",
                                       "t*p.a*e",
                                       "?op.*_n?me",
                                       "*a*",
                                       "top.a_long_*_name" };
    static const char *const miss[] = {
        "top", "a_long_signal_name", "*nam", "top.b*", "?", "*long_signals*"
    };
    char rule[64];
    pair("1 c a_long_signal_name; 1 d clk", "#0 0c 0d #5 1c 1d", "#0 0c 0d #5 0c 1d");
    for (size_t i = 0; i < sizeof hit / sizeof hit[0]; i++) {
        snprintf(rule, sizeof rule, "ignore %s\n", hit[i]);
        ck_assert_msg(verdict_by(rule, (struct wave_options){ .allow_empty = true }) == 0, "%s", hit[i]);
    }
    for (size_t i = 0; i < sizeof miss / sizeof miss[0]; i++) {
        snprintf(rule, sizeof rule, "ignore %s\n", miss[i]);
        ck_assert_msg(verdict_by(rule, PLAIN) == 1, "%s", miss[i]);
    }
}
END_TEST

/* n rules and n names take no more than the time of their sorts: this would not end if each met each. */
START_TEST(many_rules_and_many_names)
{
    enum { N = 100000 };
    struct strbuf v = { 0 }, rules = { 0 };
    strbuf_puts(&v, "$timescale 1ns $end $scope module top $end\n");
    for (int i = 0; i < N; i++) {
        strbuf_printf(&v, "$var wire 1 c%d s%d $end\n", i, i);
        strbuf_printf(&rules, i & 1 ? "ignore *.s%d\n" : "tol top.s%d 1 2\n", i);
    }
    strbuf_puts(&v, "$upscope $end $enddefinitions $end\n#0 0c0 0c1 #5 1c0 #6 1c1\n");
    write_text("a", v.s);
    write_text("b", v.s);
    ck_assert_int_eq(verdict_by(rules.s, PLAIN), 0);
    ck_assert_uint_eq(r.compared, N / 2);
    strbuf_free(&v);
    strbuf_free(&rules);
}
END_TEST

START_TEST(many_aliases_cost_one_comparison)
{
    enum { N = 100000, STEPS = 20000 };
    struct strbuf v = { 0 };
    strbuf_puts(&v, "$timescale 1ns $end $scope module top $end\n");
    for (int i = 0; i < N; i++)
        strbuf_printf(&v, "$var wire 1 c s%d $end\n", i);
    strbuf_puts(&v, "$upscope $end $enddefinitions $end\n");
    for (int t = 0; t < STEPS; t++)
        strbuf_printf(&v, "#%d %dc\n", t, t & 1);
    write_text("a", v.s);
    v.s[v.len - 3] ^= 1;
    write_text("b", v.s);
    strbuf_free(&v);
    ck_assert_int_eq(verdict(PLAIN), 1);
    ck_assert_uint_eq(r.count[WAVE_DIFF_VALUE], N);
    ck_assert_str_eq(r.list[0].name_a, "top.s0");
    ck_assert_uint_eq(r.nlist, 10);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        kind_and_a_missing_range_do_not_matter,
        single_bits_are_the_vector_on_either_side,
        parts_of_a_vector_are_the_vector,
        a_vector_may_count_upwards,
        a_bit_that_is_missing_leaves_all_of_them_unmatched,
        one_bit_vectors_are_bits,
        map_renames_a_signal,
        a_mapped_scope_is_renamed_with_all_below_it,
        map_takes_bits_and_joins_names,
        bits_that_no_rule_maps_are_missing,
        a_partly_mapped_signal_of_b_may_have_a_partner_of_its_own_name,
        a_part_of_one_against_a_part_of_the_other,
        ignored_names_may_be_missing_on_either_side,
        globs_are_found_whatever_their_literal_text,
        many_rules_and_many_names,
        many_aliases_cost_one_comparison,
    };
    return RUN_SUITE("wave/pair", tests);
}
