/* The canonical text: golden examples written by hand, windows, choice of signals, sameness over formats. */
#include "dumped.h"

static struct nerr err;

static void set_up(void)
{
    scratch_make();
}

static void tear_down(void)
{
    strbuf_free(&warned);
    scratch_remove();
}

static const char *const counter = "$timescale 10 ns $end\n"
                                   "$scope module top $end\n"
                                   "$var wire 1 ! clk $end\n"
                                   "$var reg 8 \" n [7:0] $end\n"
                                   "$var wire 1 ! zclk $end\n"
                                   "$var real 64 # level $end\n"
                                   "$var string 1 $ text $end\n"
                                   "$var event 1 % tick $end\n"
                                   "$var wire 3 & never $end\n"
                                   "$upscope $end\n"
                                   "$enddefinitions $end\n"
                                   "#0\n"
                                   "0!\nb11 \"\nr0.5 #\nsidle $\n"
                                   "#1\n"
                                   "1!\n1%\nb11 \"\n"
                                   "#2\n"
                                   "0!\n1!\nb1x \"\n"
                                   "#3\n"
                                   "1%\nsa\\x20\"b $\nr-1e3 #\n"
                                   "#7\n";

#define DECLARED                                                                                             \
    "wave dump 1\n"                                                                                          \
    "signal top.clk, 1 bit\n"                                                                                \
    "signal top.level, real\n"                                                                               \
    "signal top.n[7:0], 8 bits\n"                                                                            \
    "signal top.never, 3 bits\n"                                                                             \
    "signal top.text, string\n"                                                                              \
    "signal top.tick, event\n"                                                                               \
    "signal top.zclk, 1 bit\n"

static void expect_dump(const char *name, struct wave_dump_options o, const char *golden)
{
    char *text = dump_with(at(name), false, o, &err);
    ck_assert_msg(text != NULL, "%s: %s", err.where, err.text);
    ck_assert_str_eq(text, golden);
    free(text);
}

START_TEST(golden)
{
    write_text("a.vcd", counter);
    expect_dump("a.vcd", (struct wave_dump_options){ 0 },
                DECLARED "time 0 ns\n"
                         "  top.clk = 0\n"
                         "  top.level = 0.5\n"
                         "  top.n[7:0] = 8'h03\n"
                         "  top.text = \"idle\"\n"
                         "  top.zclk = 0\n"
                         "time 10 ns\n"
                         "  top.clk = 1\n"
                         "  top.tick = fires\n"
                         "  top.zclk = 1\n"
                         "time 20 ns\n" /* clk fell and rose again inside the step */
                         "  top.n[7:0] = 8'b0000001x\n"
                         "time 30 ns\n"
                         "  top.level = -1000\n"
                         "  top.text = \"a \\\"b\"\n"
                         "  top.tick = fires\n"
                         "end 70 ns\n");
}
END_TEST

static struct wave_dump_options window(const char *text)
{
    struct wave_dump_options o = { 0 };
    ck_assert_int_eq(wave_window_parse(text, &o.window, &err), 0);
    return o;
}

START_TEST(windows)
{
    write_text("a.vcd", counter);
    expect_dump("a.vcd", window("1:2"), /* from a step to a step */
                DECLARED "time 10 ns\n"
                         "  top.clk = 1\n"
                         "  top.level = 0.5\n"
                         "  top.n[7:0] = 8'h03\n"
                         "  top.text = \"idle\"\n"
                         "  top.tick = fires\n"
                         "  top.zclk = 1\n"
                         "time 20 ns\n"
                         "  top.n[7:0] = 8'b0000001x\n"
                         "end 20 ns\n");
    expect_dump("a.vcd", window("15ns:19999ps"), /* between two steps, in finer units */
                DECLARED "time 15000 ps\n"
                         "  top.clk = 1\n"
                         "  top.level = 0.5\n"
                         "  top.n[7:0] = 8'h03\n"
                         "  top.text = \"idle\"\n"
                         "  top.zclk = 1\n"
                         "end 19999 ps\n");
    expect_dump("a.vcd", window("1us:"), /* behind the end: the values stay */
                DECLARED "time 1000 ns\n"
                         "  top.clk = 1\n"
                         "  top.level = -1000\n"
                         "  top.n[7:0] = 8'b0000001x\n"
                         "  top.text = \"a \\\"b\"\n"
                         "  top.zclk = 1\n"
                         "end 70 ns\n");
}
END_TEST

START_TEST(chosen_signals)
{
    static const char *const globs[] = { "*.clk", "*n[7:0]" };
    static const char *const none[] = { "*.absent" };
    write_text("a.vcd", counter);
    struct wave_dump_options o = { .globs = globs, .nglobs = 2 };
    expect_dump("a.vcd", o,
                "wave dump 1\n"
                "signal top.clk, 1 bit\n"
                "signal top.n[7:0], 8 bits\n"
                "time 0 ns\n"
                "  top.clk = 0\n"
                "  top.n[7:0] = 8'h03\n"
                "time 10 ns\n"
                "  top.clk = 1\n"
                "time 20 ns\n"
                "  top.n[7:0] = 8'b0000001x\n"
                "end 70 ns\n");
    o = (struct wave_dump_options){ .globs = none, .nglobs = 1 };
    ck_assert_ptr_null(dump_with(at("a.vcd"), false, o, &err));
    ck_assert_int_eq(err.code, NERR_INPUT);
    ck_assert_str_eq(err.text, "no signal has such a name");
}
END_TEST

/* Other ids, order, repeats, an alias instead of a second signal, leading zeros, tabs and CRLF. */
START_TEST(the_same_values_are_the_same_text)
{
    static const char *const other = "$timescale 10ns $end\r\n"
                                     "$scope module top $end\r\n"
                                     "$var\treg 8 long_code n[7:0] $end\r\n"
                                     "$var reg 3 x never $end\r\n"
                                     "$var real 1 r level $end\r\n"
                                     "$var string 0 s text $end\r\n"
                                     "$var event 1 # tick $end\r\n"
                                     "$var reg 1 c zclk $end\r\n"
                                     "$var reg 1 d clk $end\r\n"
                                     "$upscope $end $enddefinitions $end\r\n"
                                     "#0 $dumpvars bxxx x\r\nb00011\tlong_code sidle s r.5e0 r 0c 0d $end\r\n"
                                     "#1 1# 1c 1d b00000011 long_code b11 long_code\r\n"
                                     "#2 $comment #99 $end b0000001X long_code\r\n"
                                     "#3 r-1000.0 r sa\\040\"b s 1# 1c\r\n"
                                     "#5 1c 1d\r\n"
                                     "#7\r\n";
    write_text("a.vcd", counter);
    write_text("b.vcd", other);
    char *a = dump_of(at("a.vcd"), &err), *b = dump_of(at("b.vcd"), &err);
    ck_assert_msg(a && b, "%s: %s", err.where, err.text);
    ck_assert_str_eq(a, b);
    free(a);
    free(b);
}
END_TEST

START_TEST(an_fst_gives_the_same_text)
{
    struct maker m = fst_begin("a.fst", -9);
    fstHandle clk = fst_var(m, "clk", 1), bus = fst_var(m, "bus [3:0]", 4);
    fst_time(m, 5);
    fst_emit(m, clk, "0");
    fst_emit(m, bus, "X01z");
    fst_time(m, 6);
    fst_emit(m, clk, "1");
    fst_time(m, 9);
    fst_end(m);
    write_text("a.vcd", "$timescale 1ns $end $scope module top $end $var wire 4 ! bus [3:0] $end\n"
                        "$var wire 1 \" clk $end $enddefinitions $end\n#5\nbx01z !\n0\"\n#6\n1\"\n#9\n");
    char *a = dump_of(at("a.fst"), &err), *b = dump_of(at("a.vcd"), &err);
    ck_assert_msg(a && b, "%s: %s", err.where, err.text);
    ck_assert_str_eq(a, b);
    ck_assert_ptr_nonnull(strstr(a, "time 5 ns\n  top.bus[3:0] = 4'bx01z\n  top.clk = 0\n"));
    free(a);
    free(b);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("wave/dump");
    TCase *tc = tcase_create("dump");
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, golden);
    tcase_add_test(tc, windows);
    tcase_add_test(tc, chosen_signals);
    tcase_add_test(tc, the_same_values_are_the_same_text);
    tcase_add_test(tc, an_fst_gives_the_same_text);
    suite_add_tcase(s, tc);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? 1 : 0;
}
