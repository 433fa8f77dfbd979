/* Conditions over signals: what they say, and where they are wrong. */
#include "compared.h"

#include "wave/expr.h"

static struct wave_reader *reader;
static struct wave_index names;

/* v[7:0] is 1010_0x11, up is 1, n[3] .. n[0] are 0110; two scopes have a signal q. */
static const char *value(void *ctx, uint32_t signal)
{
    static const char *const values[] = { "10100x11", "1", "0", "1", "1", "0", "0", "1" };
    (void)ctx;
    return values[signal];
}

static void open_wave(void)
{
    write_text("w", "$timescale 1ns $end $scope module top $end\n"
                    "$var wire 8 v v [7:0] $end $var wire 1 u up $end\n"
                    "$var wire 1 a n [3] $end $var wire 1 b n [2] $end $var wire 1 c n [1] $end\n"
                    "$var wire 1 d n [0] $end\n"
                    "$scope module x $end $var wire 1 p q $end $upscope $end\n"
                    "$scope module y $end $var wire 1 r q $end $var wire 1 p alias $end $upscope $end\n"
                    "$upscope $end $enddefinitions $end\n#0\n");
    ck_assert_int_eq(wave_reader_open(at("w"), &reader, &err), 0);
    wave_index_init(&names, reader);
}

static void close_wave(void)
{
    wave_index_free(&names);
    wave_reader_close(reader);
}

static bool holds(const char *text)
{
    struct wave_expr *x;
    ck_assert_msg(wave_expr_make(text, &names, &x, &err) == 0, "%s: %s: %s", text, err.where, err.text);
    bool yes = wave_expr_holds(x, value, NULL);
    wave_expr_free(x);
    return yes;
}

START_TEST(what_holds)
{
    static const char *const yes[] = {
        "up",
        "top.up",
        "1",
        "!0",
        "up == 1",
        "up == 1'b1",
        "n[3:0] == 6",
        "top.n[3:0] == 4'h6",
        "n[2]",
        "!n[3]",
        "v[7:6] == 2'b10",
        "v[1:0] == 3",
        "v[7:4]==4'ha&&up",
        "0 || up",
        "v[7:4] > 9",
        "v[7:4] >= 10",
        "n[3:0] < 7",
        "n[3:0] <= 6",
        "n[3:0] != 5",
        "(up)",
        "!(n[3:0] == 5)",
        "n[3:0] & 2",
        "(n[3:0] & 4'b1001) == 0",
        "v & 8'h80",
        "v === 8'b10100x11",
        "v !== 8'h1",
        "x.q == 0",
        "y.q",
        "{y.q}",
        "!{x.q} && {top.n[3:0]}==6",
        "n[3:0] == 12'd6",
        "n[3:0] == 16'o6",
        "n[3:0] == 8'b0000_0110",
        "1'bx || up",
        "!(1'bx && !up)",
        "v[7:4] == 4'b1010 && n[2:1] == 2'b11 && !(up == 0)",
    };
    static const char *const no[] = {
        "0",
        "!up",
        "n[3:0] == 5",
        "n[3:0] > 6",
        "n[3:0] >= 7",
        "n[3:0] < 6",
        "n[3]",
        "up && !up",
        "v == 8'b10100x11", /* unknown */
        "v != 0",
        "!(v == 1)",
        "v[2]",
        "!v[2]",
        "1'bx",
        "!1'bz",
        "v[2] == 1'b0",
        "n[3:0] & 9",
        "up == 2",
        "up & 2",
        "n[3:0] === 5",
        "v < 1",
        "1'bx && up",
    };
    open_wave();
    for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++)
        ck_assert_msg(holds(yes[i]), "%s", yes[i]);
    for (size_t i = 0; i < sizeof no / sizeof no[0]; i++)
        ck_assert_msg(!holds(no[i]), "%s", no[i]);
    close_wave();
}
END_TEST

START_TEST(precedence_is_verilogs)
{
    open_wave();
    ck_assert(!holds("n[3:0] & 2 == 2")); /* n & (2 == 2), and bit 0 of n is 0 */
    ck_assert(holds("(n[3:0] & 2) == 2"));
    ck_assert(holds("1 || 0 && 0")); /* 1 || (0 && 0) */
    ck_assert(holds("!n[3] && up")); /* (!n[3]) && up */
    ck_assert(holds("1 == 2 < 3"));  /* 1 == (2 < 3) */
    close_wave();
}
END_TEST

START_TEST(errors_have_a_column)
{
    static const struct {
        const char *text, *where, *what;
    } bad[] = {
        { "", "column 1", "ends" },
        { "up &&", "column 6", "ends" },
        { "up up", "column 4", "operator" },
        { "(up", "column 4", "closing bracket" },
        { "up)", "column 3", "operator" },
        { "nobody", "column 1", "no signal is called 'nobody'" },
        { "up && q", "column 7", "more than one" },
        { "v[8]", "column 1", "no signal" },
        { "v[0:7]", "column 1", "no signal" },
        { "n[3:0] == 4'h1f", "column 14", "fit" },
        { "n[3:0] == 4'q1", "column 13", "base" },
        { "n[3:0] == 0'h1", "column 11", "width" },
        { "n[3:0] == 99999999999999999999", "column 11", "2^64" },
        { "n[3:0] == 4'h", "column 14", "digits" },
        { "up | up", "column 4", "operator" },
        { "up = 1", "column 4", "operator" },
        { "== 1", "column 1", "expected" },
        { "up && {n", "column 7", "closing brace" },
        { "{}", "column 1", "expected" },
    };
    struct wave_expr *x;
    open_wave();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_msg(wave_expr_make(bad[i].text, &names, &x, &err) == NERR_INPUT, "%s", bad[i].text);
        ck_assert_ptr_null(x);
        ck_assert_msg(strstr(err.where, bad[i].where) &&
                          strstr(err.where, bad[i].where)[strlen(bad[i].where)] == 0,
                      "%s: %s", bad[i].text, err.where);
        ck_assert_msg(strstr(err.text, bad[i].what) != NULL, "%s: %s", bad[i].text, err.text);
    }
    close_wave();
}
END_TEST

START_TEST(deep_and_long_expressions_are_refused_and_not_crashed_on)
{
    enum { N = 100000 };
    struct strbuf deep = { 0 }, chain = { 0 };
    size_t column;
    for (int i = 0; i < N; i++) {
        strbuf_puts(&deep, i & 1 ? "(" : "!");
        strbuf_puts(&chain, "1&&");
    }
    strbuf_puts(&deep, "1");
    strbuf_puts(&chain, "1");
    ck_assert_int_eq(wave_expr_check(deep.s, &column, &err), NERR_INPUT);
    ck_assert_uint_eq(column, 201);
    ck_assert_int_eq(wave_expr_check(chain.s, &column, &err), NERR_INPUT);
    strbuf_free(&deep);
    strbuf_free(&chain);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = { what_holds, precedence_is_verilogs, errors_have_a_column,
                                   deep_and_long_expressions_are_refused_and_not_crashed_on };
    return RUN_SUITE("wave/expr", tests);
}
