/* Comparing sequences of values instead of their times. */
#include "compared.h"

#define BUS "4 d d [3:0]"

static const struct wave_options order = { .order.on = true };

START_TEST(times_do_not_matter_and_the_latency_is_reported)
{
    pair(BUS, "#0 b0 d #10 b1 d #20 b10 d #30 b1 d", "#0 b0 d #15 b1 d #22 b10 d #40 b1 d");
    ck_assert_int_eq(verdict(PLAIN), 1);
    ck_assert_int_eq(verdict(order), 0);
    ck_assert_uint_eq(r.norders, 1);
    ck_assert_str_eq(r.orders[0].name, "top.d[3:0]");
    ck_assert_uint_eq(r.orders[0].count_a, 4);
    ck_assert_uint_eq(r.orders[0].count_b, 4);
    ck_assert_uint_eq(r.orders[0].matched, 4);
    ck_assert_str_eq(r.orders[0].latency_min, "0 ns");
    ck_assert_str_eq(r.orders[0].latency_max, "10 ns");
    ck_assert_str_eq(r.orders[0].latency_mean, "4 ns"); /* (0 + 5 + 2 + 10) / 4, rounded down to ticks */
}
END_TEST

START_TEST(another_value_is_a_difference_and_a_swap_is_said)
{
    pair(BUS, "#0 b0 d #10 b1 d #20 b10 d #30 b11 d", "#0 b0 d #11 b1 d #21 b11 d #31 b10 d");
    ck_assert_int_eq(verdict(order), 1);
    ck_assert_uint_eq(r.count[WAVE_DIFF_ORDER], 1);
    ck_assert_int_eq(r.list[0].kind, WAVE_DIFF_ORDER);
    ck_assert_str_eq(r.list[0].name_a, "top.d[3:0]");
    ck_assert_str_eq(r.list[0].first.text, "20 ns");
    ck_assert_uint_eq(r.list[0].first.ticks_a, 20);
    ck_assert_uint_eq(r.list[0].first.ticks_b, 21);
    ck_assert_str_eq(r.list[0].golden, "4'h2");
    ck_assert_str_eq(r.list[0].actual, "4'h3");
    ck_assert_str_eq(r.list[0].agreed.text, "10 ns");
    ck_assert_str_eq(r.list[0].agreed_value, "4'h1");
    ck_assert_uint_eq(r.orders[0].first_index, 2);
    ck_assert(r.orders[0].reordered);
    pair(BUS, "#0 b0 d #10 b1 d #20 b10 d #30 b11 d", "#0 b0 d #11 b1 d #21 b11 d #31 b100 d");
    ck_assert_int_eq(verdict(order), 1);
    ck_assert(!r.orders[0].reordered);
}
END_TEST

START_TEST(a_missing_value_is_a_difference_on_either_side)
{
    pair(BUS, "#0 b0 d #10 b1 d #20 b10 d", "#0 b0 d #10 b1 d #20");
    ck_assert_int_eq(verdict(order), 1);
    ck_assert_str_eq(r.list[0].golden, "4'h2");
    ck_assert_str_eq(r.list[0].actual, "nothing more");
    ck_assert_uint_eq(r.orders[0].count_b, 2);
    pair(BUS, "#0 b0 d #10 b1 d #20", "#0 b0 d #10 b1 d #20 b10 d");
    ck_assert_int_eq(verdict(order), 1);
    ck_assert_str_eq(r.list[0].golden, "nothing more");
    ck_assert_str_eq(r.list[0].actual, "4'h2");
}
END_TEST

static struct wave_options group(const char *const *glob, size_t n, const char *valid)
{
    return (struct wave_options){ .order = { .on = true, .valid = valid, .groups = glob, .ngroups = n } };
}

START_TEST(a_group_is_sampled_by_a_condition)
{
    static const char *const globs[] = { "top.[di]*", "top.data*", "top.*d*" };
    struct wave_options o = group(globs + 2, 1, "valid");
    /* The same two transfers, the second at another time, with other rubbish in between. */
    pair("1 v valid; 4 d data [3:0]; 2 i id [1:0]",
         "#0 0v b0 d b0 i #10 1v b101 d b1 i #20 0v b0 d #30 1v b110 d b10 i #40 0v",
         "#0 0v b0 d b0 i #10 1v b101 d b1 i #20 0v b111 d b11 i #50 1v b110 d b10 i #60 0v");
    ck_assert_int_eq(verdict(PLAIN), 1);
    ck_assert_int_eq(verdict(order), 1);
    ck_assert_int_eq(verdict(o), 0);
    ck_assert_uint_eq(r.orders[0].count_a, 2);
    ck_assert_str_eq(r.orders[0].latency_max, "20 ns");
    o = group(globs + 1, 1, "valid");
    ck_assert_int_eq(verdict(o), 0);
    ck_assert_uint_eq(r.compared, 1);
    ck_assert(noted("2 signals are in no group"));
    o = group(globs, 1, "valid"); /* brackets stand for themselves */
    ck_assert_int_eq(verdict(o), 2);
}
END_TEST

START_TEST(a_group_shows_all_of_its_signals)
{
    static const char *const globs[] = { "top.*d*" };
    struct wave_options o = group(globs, 1, "valid");
    pair("1 v valid; 4 d data [3:0]; 2 i id [1:0]", "#0 0v b0 d b0 i #10 1v b101 d b1 i #20 0v",
         "#0 0v b0 d b0 i #10 1v b101 d b10 i #20 0v");
    ck_assert_int_eq(verdict(o), 1);
    ck_assert_str_eq(r.list[0].name_a, "top.*d*");
    ck_assert_str_eq(r.list[0].golden, "valid=1 data[3:0]=4'h5 id[1:0]=2'h1");
    ck_assert_str_eq(r.list[0].actual, "valid=1 data[3:0]=4'h5 id[1:0]=2'h2");
}
END_TEST

START_TEST(a_clock_samples_each_side_by_itself)
{
    static const char *const globs[] = { "top.data" };
    struct wave_options o = group(globs, 1, "valid");
    o.clock.signal = "clk";
    /* B has another period and one wait state. Two equal values behind each other are two transfers. */
    pair("1 c clk; 1 v valid; 4 d data [3:0]",
         "#0 0c 0v b0 d #5 1c 1v b11 d #10 0c #15 1c #20 0c #25 1c b1 d #30 0c #35 1c 0v b0 d #40 0c",
         "#0 0c 0v b0 d #4 1c #8 0c #12 1c 1v b11 d #16 0c #20 1c #24 0c #28 1c b1 d #32 0c #36 1c 0v b0 d");
    ck_assert_int_eq(verdict(o), 0);
    ck_assert_uint_eq(r.orders[0].count_a, 3);
    ck_assert_uint_eq(r.orders[0].count_b, 3);
    o.order.valid = NULL; /* equal neighbours count once: 0 3 1 */
    ck_assert_int_eq(verdict(o), 0);
    ck_assert_uint_eq(r.orders[0].count_a, 3);
    ck_assert_uint_eq(r.orders[0].count_b, 3);
}
END_TEST

START_TEST(no_transaction_says_nothing)
{
    static const char *const globs[] = { "top.data" };
    pair("1 v valid; 4 d data [3:0]", "#0 0v b0 d #10 b1 d", "#0 0v b0 d #10 b1 d");
    ck_assert_int_eq(verdict(group(globs, 1, "valid")), 2);
    ck_assert_ptr_nonnull(strstr(err.text, "no transaction"));
    ck_assert_int_eq(verdict(group(globs, 1, "nobody")), 2);
}
END_TEST

START_TEST(a_swap_far_away_is_not_looked_for)
{
    struct strbuf a = { 0 }, b = { 0 };
    strbuf_puts(&a, "#0 b0 d #1 b1111 d ");
    strbuf_puts(&b, "#0 b0 d ");
    for (int t = 2; t < 1100; t++)
        strbuf_printf(&b, "#%d b%d d ", t, t & 1 ? 10 : 1);
    strbuf_puts(&b, "#2000 b1111 d");
    pair(BUS, a.s, b.s);
    strbuf_free(&a);
    strbuf_free(&b);
    ck_assert_int_eq(verdict(order), 1);
    ck_assert(!r.orders[0].reordered);
    ck_assert_uint_eq(r.orders[0].count_b, 1100);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        times_do_not_matter_and_the_latency_is_reported,
        another_value_is_a_difference_and_a_swap_is_said,
        a_missing_value_is_a_difference_on_either_side,
        a_group_is_sampled_by_a_condition,
        a_group_shows_all_of_its_signals,
        a_clock_samples_each_side_by_itself,
        no_transaction_says_nothing,
        a_swap_far_away_is_not_looked_for,
    };
    return RUN_SUITE("wave/order", tests);
}
