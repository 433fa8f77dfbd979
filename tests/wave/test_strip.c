/* Changes around first differences, and the page that draws them. */
#include "report_fixture.h"

#include "wave/strip.h"

static struct wave_strips strips;
static struct strbuf out;

static void tear_down(void)
{
    wave_strips_free(&strips);
    strbuf_free(&out);
    scratch_remove();
}

/* Only the data signal differs. */
static void only_data(void)
{
    list[1].name_b = T("top.valid");
    result.nlist = 2;
}

static void point(const struct wave_strip_lane *l, size_t i, long long at, const char *value)
{
    ck_assert_uint_lt(i, l->n);
    ck_assert_int_eq((long long)l->points[i].at, at);
    ck_assert_str_eq(l->points[i].value, value);
}

static void read_strips(void)
{
    int rc = wave_strips_read(path_a, path_b, &options, &result, 10, &strips, &err);
    ck_assert_msg(rc == 0, "%s: %s", err.where, err.text);
}

START_TEST(both_sides_have_their_changes)
{
    only_data();
    read_strips();
    ck_assert_uint_eq(strips.n, 2);
    ck_assert_int_eq((int)strips.base, -9);
    const struct wave_strip *s = &strips.list[0];
    ck_assert_int_eq((long long)s->first, 20);
    ck_assert_uint_eq(s->golden.n, 5);
    point(&s->golden, 1, 0, "00010001");
    point(&s->golden, 3, 20, "00010011");
    point(&s->actual, 3, 20, "00110011");
    point(&s->actual, 4, 30, "00010100");
    point(&strips.list[1].actual, 2, 20, "x");
    ck_assert_int_le((long long)s->from, 10);
    ck_assert_int_eq((long long)s->to, 40);
    ck_assert_int_eq((long long)strips.end, 40);
    ck_assert_ptr_null(strips.clock);
}
END_TEST

START_TEST(slices_and_several_signals_are_one_lane)
{
    only_data();
    list[0].name_a = T("top.data[6:4]");
    list[0].name_b = T("{top.hi, top.lo[1:0]}");
    read_strips();
    ck_assert_uint_eq(strips.list[0].golden.width, 3);
    ck_assert_uint_eq(strips.list[0].actual.width, 6);
    point(&strips.list[0].golden, 1, 0, "001");
    ck_assert_uint_eq(strips.list[0].golden.n, 2); /* data[6:4] never changes again */
    point(&strips.list[0].actual, 1, 0, "000110");
}
END_TEST

/* 20 ns are tick 200 of a file that counts 100 ps; it is 3 ns early. */
START_TEST(one_time_axis_for_other_ticks_and_a_shift)
{
    only_data();
    put_waves("1ns", body_a, "100ps", "#0\n0c b00010001 d\n#170\nb00110011 d\n#270\nb00010100 d\n");
    options.shift = (struct wave_bound){ .set = true, .has_unit = true, .exponent = -9, .value = 3 };
    list[0].first = (struct wave_moment){ 20, 170, T("20 ns") };
    read_strips();
    ck_assert_int_eq((int)strips.base, -10);
    ck_assert_int_eq((long long)strips.list[0].first, 200);
    point(&strips.list[0].golden, 3, 200, "00010011");
    point(&strips.list[0].actual, 2, 200, "00110011");
    point(&strips.list[0].actual, 3, 300, "00010100");
    wave_strips_free(&strips);
    options.shift_negative = true;
    list[0].first = (struct wave_moment){ 14, 170, T("14 ns") };
    read_strips();
    ck_assert_int_eq((long long)strips.list[0].first, 140);
    point(&strips.list[0].actual, 2, 140, "00110011");
}
END_TEST

/* 20.5 ns are no tick of A. */
START_TEST(a_moment_is_exact_in_the_finer_file)
{
    only_data();
    put_waves("1ns", body_a, "100ps", "#0\n0c b00010001 d\n#205\nb00110011 d\n");
    list[0].first = (struct wave_moment){ 20, 205, T("20500 ps") };
    read_strips();
    ck_assert_int_eq((long long)strips.list[0].first, 205);
}
END_TEST

START_TEST(the_clock_is_read_in_the_window)
{
    only_data();
    options.clock.signal = "clk";
    read_strips();
    ck_assert_str_eq(strips.clock, "top.clk");
    const struct wave_strip_lane *l = &strips.list[0].clock;
    ck_assert_uint_ge(l->n, 5);
    point(l, l->n - 1, 40, "0");
    ck_assert(!l->dense);
}
END_TEST

/* Many changes: memory and window stay small, and the window keeps what is complete. */
START_TEST(a_busy_signal_has_a_bounded_list)
{
    struct strbuf a = { 0 }, b = { 0 };
    for (int t = 0; t < 2000; t++) {
        strbuf_printf(&a, "#%d\nb%d d\n%dc\n", t, t & 1, t & 1);
        strbuf_printf(&b, "#%d\nb%d d\n%dc\n", t, t >= 1000 && t < 1010 ? (t & 1) + 10 : t & 1, t & 1);
    }
    put_waves("1ns", a.s, "1ns", b.s);
    only_data();
    list[0].first = (struct wave_moment){ 1000, 1000, T("1 us") };
    result.nlist = 1;
    read_strips();
    const struct wave_strip *s = &strips.list[0];
    ck_assert_uint_le(s->golden.n, STRIP_BEFORE + STRIP_AFTER);
    ck_assert_int_ge((long long)s->from, (long long)s->golden.points[0].at);
    ck_assert_int_le((long long)s->to, (long long)s->golden.points[s->golden.n - 1].at);
    ck_assert_int_lt((long long)s->from, 1000);
    ck_assert_int_gt((long long)s->to, 1005);
    strbuf_free(&a);
    strbuf_free(&b);
}
END_TEST

START_TEST(a_name_that_is_not_in_the_file_is_said)
{
    only_data();
    list[0].name_b = T("top.stale");
    ck_assert_int_eq(wave_strips_read(path_a, path_b, &options, &result, 10, &strips, &err), NERR_RULE);
    has(err.text, "top.stale");
}
END_TEST

static unsigned occurrences(const char *text, const char *part)
{
    unsigned n = 0;
    for (; (text = strstr(text, part)) != NULL; text++)
        n++;
    return n;
}

START_TEST(the_page_shows_values_spans_and_times)
{
    only_data();
    result.nlist = 4;
    ck_assert_int_eq(wave_report_html(&report, &out, &err), 0);
    has(out.s, "<h1>Wave comparison <span class=\"verdict different\">different</span></h1>");
    has(out.s, "<section class=\"strip\" id=\"s0\"><h3><code>top.data[7:0]</code></h3>\n<p>differs at 20 ns "
               "for 10 ns "
               "until 30 ns, agreed before on 8'h12 since 10 ns</p>");
    ck_assert_uint_eq(occurrences(out.s, "<svg viewBox"), 2);
    ck_assert_uint_eq(occurrences(out.s, "class=\"d\""), 2);
    ck_assert_uint_eq(occurrences(out.s, "class=\"m\""), 2);
    has(out.s, ">13</text>");
    has(out.s, ">33</text>");
    has(out.s, "<title>golden 8'h13 from 20 ns</title>");
    has(out.s, ">20 ns</text>");
    has(out.s, "<td class=\"v\">top.gone</td><td class=\"t\">1 bit</td><td class=\"t\">missing</td>");
    has(out.s, "and 3 more");
    has(out.s, "<li>A ends at 40 ns, B at 60 ns</li>");
    has_not(out.s, "<script");
    has_not(out.s, "http");
    has_not(out.s, "src=");
    has_not(out.s, "url(");
    has_not(out.s, "@import");
}
END_TEST

/* The differing span is where the two lanes are unequal: 20 to 30 in a window that ends at 40. */
START_TEST(the_span_has_the_place_of_the_difference)
{
    only_data();
    result.nlist = 1;
    ck_assert_int_eq(wave_report_html(&report, &out, &err), 0);
    read_strips();
    double from = (double)strips.list[0].from, to = (double)strips.list[0].to, x, width;
    const char *rect = strstr(out.s, "<rect class=\"d\" x=\"");
    ck_assert_ptr_nonnull(rect);
    ck_assert_int_eq(sscanf(rect, "<rect class=\"d\" x=\"%lf\" y=\"%*f\" width=\"%lf\"", &x, &width), 2);
    ck_assert_double_eq_tol(x, 64 + (20 - from) / (to - from) * 908, 0.1);
    ck_assert_double_eq_tol(width, 10 / (to - from) * 908, 0.1);
    strbuf_free(&out);
    options.x = WAVE_X_ANY;
    list[0] = list[1]; /* 1 against x is no difference under this rule */
    ck_assert_int_eq(wave_report_html(&report, &out, &err), 0);
    has_not(out.s, "class=\"d\"");
}
END_TEST

START_TEST(names_are_escaped_in_the_page)
{
    static char *notes[] = { T("<script>alert(1)</script> & \x02") };
    result.notes = notes;
    list[2].name_a = T("top.\\<img/>");
    result.list = list + 2;
    result.nlist = 1;
    ck_assert_int_eq(wave_report_html(&report, &out, &err), 0);
    has(out.s, "&lt;script&gt;alert(1)&lt;/script&gt; &amp; ?");
    has(out.s, "top.\\&lt;img/&gt;");
    has_not(out.s, "<script");
    has_not(out.s, "<img");
}
END_TEST

START_TEST(equal_waves_make_a_short_page)
{
    result = (struct wave_result){ .compared = 3, .end_a = T("1 ns"), .end_b = T("1 ns") };
    ck_assert_int_eq(wave_report_html(&report, &out, &err), 0);
    has(out.s, "verdict equal\">equal</span>");
    has(out.s, "equal: 3 signals compared");
    has_not(out.s, "<svg");
    has_not(out.s, "<table");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("wave/strip");
    TCase *tc = tcase_create("strip");
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, both_sides_have_their_changes);
    tcase_add_test(tc, slices_and_several_signals_are_one_lane);
    tcase_add_test(tc, one_time_axis_for_other_ticks_and_a_shift);
    tcase_add_test(tc, a_moment_is_exact_in_the_finer_file);
    tcase_add_test(tc, the_clock_is_read_in_the_window);
    tcase_add_test(tc, a_busy_signal_has_a_bounded_list);
    tcase_add_test(tc, a_name_that_is_not_in_the_file_is_said);
    tcase_add_test(tc, the_page_shows_values_spans_and_times);
    tcase_add_test(tc, the_span_has_the_place_of_the_difference);
    tcase_add_test(tc, names_are_escaped_in_the_page);
    tcase_add_test(tc, equal_waves_make_a_short_page);
    suite_add_tcase(s, tc);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? 1 : 0;
}
