/* Text, JSON and JUnit of a comparison: a result made by hand, and every line of what is said about it. */
#include "report_fixture.h"

#include "wave/report_private.h"

static struct strbuf out;

static void tear_down(void)
{
    strbuf_free(&out);
    scratch_remove();
}

START_TEST(text_says_everything_about_a_difference)
{
    wave_report_text(&report, &out);
    ck_assert_str_eq(out.s, "different: first at 20 ns, top.data[7:0] is 8'h13 in A and 8'h33 in B\n"
                            "5 signals with different values, each with its first difference:\n"
                            "  20 ns  top.data[7:0]  A 8'h13  B 8'h33  mask 20\n"
                            "      for 10 ns until 30 ns, agreed before on 8'h12 since 10 ns\n"
                            "  20 ns  top.valid (B: top.v<>&\"\x01)  A 1  B x\n"
                            "      for 20 ns, to the end, 3 times, 24 ns in all, never agreed before\n"
                            "  and 3 more (--limit 0 shows all)\n"
                            "1 signal declared differently:\n"
                            "  top.w is declared as 4 bits in A and as real in B\n"
                            "1 signal missing in B:\n"
                            "  top.gone (1 bit) is in A only\n"
                            "scope top: 4 of 7 signals differ\n"
                            "note: A ends at 40 ns, B at 60 ns\n");
}
END_TEST

START_TEST(equal_is_one_line_and_notes)
{
    result = (struct wave_result){ .compared = 1 };
    wave_report_text(&report, &out);
    ck_assert_str_eq(out.s, "equal: 1 signal compared\n");
}
END_TEST

START_TEST(only_declarations_differ)
{
    result.list = list + 2;
    result.nlist = 1;
    memset(result.count, 0, sizeof result.count);
    result.count[WAVE_DIFF_ONLY_A] = 1;
    wave_report_text(&report, &out);
    has(out.s, "different: the files do not declare the same signals\n1 signal missing in B:\n  top.gone");
}
END_TEST

START_TEST(records_are_shown_in_words_on_both_sides)
{
    static char golden[129], actual[129];
    const struct wave_decode_rule rule = { "desc_q", WAVE_DECODE_M2S };
    memset(golden, '0', 128);
    memset(actual, '0', 128);
    golden[127 - 6] = actual[127 - 6] = '1'; /* 64 bytes */
    golden[127 - 26] = '1';                  /* first */
    actual[127 - 27] = '1';                  /* last */
    list[0].name_a = list[0].name_b = T("top.desc_q[127:0]");
    list[0].width = 128;
    list[0].raw_golden = golden;
    list[0].raw_actual = actual;
    wave_report_text(&report, &out);
    has_not(out.s, "M2S");
    out.len = 0;
    report.decode = &rule;
    report.ndecode = 1;
    wave_report_text(&report, &out);
    has(out.s, "      A: M2S 64 B from 0x0 phase 0 first\n      B: M2S 64 B from 0x0 phase 0 last\n");
    out.len = 0;
    wave_report_json(&report, &out);
    has(out.s, "\"a_words\": \"M2S 64 B from 0x0 phase 0 first\"");
    out.len = 0;
    wave_report_junit(&report, &out);
    has(out.s, "B: M2S 64 B from 0x0 phase 0 last\n");
}
END_TEST

static void bits(uint32_t width, const char *mask, const char *want)
{
    struct wave_signal_result s = { .width = width, .mask = T(mask) };
    out.len = 0;
    strbuf_puts(&out, "");
    report_bits(&s, &out);
    ck_assert_str_eq(out.s, want);
}

START_TEST(bits_as_a_mask_or_by_number)
{
    bits(1, "1", "");
    bits(8, "00", "mask 0");
    bits(64, "00f0000000000001", "mask f0000000000001");
    bits(68, "80000000000000000", "bit 67");
    bits(68, "0000000000000000f", "bits 0-3");
    bits(128, "80000000000000010000000000000f05", "bits 0, 2, 8-11, 64 and 1 more");
    bits(128, "ff000000000000010000000000000505", "bits 0, 2, 8, 10 and 9 more");
}
END_TEST

START_TEST(samples_are_not_said_twice)
{
    list[0].lasted = list[0].total = T("4 samples");
    list[0].intervals = 4;
    report_duration(&list[0], &out);
    ck_assert_str_eq(out.s, "for 4 samples until 30 ns, agreed before on 8'h12 since 10 ns");
    out.len = 0;
    list[0].total = T("6 samples");
    report_duration(&list[0], &out);
    ck_assert_str_eq(out.s,
                     "for 4 samples until 30 ns, 6 samples in all, agreed before on 8'h12 since 10 ns");
}
END_TEST

START_TEST(order_statistics)
{
    static struct wave_order_result orders[2] = {
        { T("top.q"), 12, 11, 9, T("0 ns"), T("3500 ps"), T("8 ns"), 4, true },
        { T("top.r"), 3, 3, 3, NULL, NULL, NULL, 0, false },
    };
    result.orders = orders;
    result.norders = 2;
    wave_report_text(&report, &out);
    has(out.s,
        "order of top.q: 12 transactions in A, 11 in B, 9 agree; B minus A: 0 ns least, 3500 ps mean, 8 ns "
        "most; number 4 is the first that differs (B has A's elsewhere: re-ordered)\n");
    has(out.s, "order of top.r: 3 transactions in A, 3 in B, 3 agree\n");
    out.len = 0;
    wave_report_json(&report, &out);
    has(out.s, "\"latency_mean\": \"3500 ps\"");
    has(out.s, "\"reordered\": true");
}
END_TEST

START_TEST(one_line_for_other_reports)
{
    wave_report_line(&list[0], &out);
    ck_assert_str_eq(out.s, "top.data[7:0] at 20 ns: golden 8'h13, now 8'h33");
    out.len = 0;
    wave_report_line(&list[2], &out);
    ck_assert_str_eq(out.s, "top.gone is missing now");
    out.len = 0;
    wave_report_line(&list[3], &out);
    ck_assert_str_eq(out.s, "top.w was 4 bits and is real");
    ck_assert_uint_eq(wave_report_differing(&result), 7);
}
END_TEST

START_TEST(json_has_every_key)
{
    static const char *const parts[] = {
        "\"verdict\": \"different\"",
        "\"compared\": 7",
        "\"differing\": 7",
        "\"changes_a\": 14",
        "\"value\": 5",
        "\"only_a\": 1",
        "\"ends\": 0",
        "\"kind\": \"value\"",
        "\"signal\": \"top.data[7:0]\"",
        "\"signal_b\": \"top.v<>&\\\"\\u0001\"",
        "\"width\": 8",
        "\"time\": \"20 ns\"",
        "\"a\": \"8'h13\"",
        "\"b\": \"8'h33\"",
        "\"mask\": \"20\"",
        "\"ticks_b\": 20",
        "\"lasted\": \"10 ns\"",
        "\"intervals\": 3",
        "\"total\": \"24 ns\"",
        "\"agreed_value\": \"8'h12\"",
        "\"scope\": \"top\"",
        "\"notes\": [",
        "\"end_b\": \"60 ns\"",
        "\"ends_differ\": true",
    };
    wave_report_json(&report, &out);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        has(out.s, parts[i]);
    has_not(out.s, "samples");
    options.clock.signal = "clk";
    out.len = 0;
    wave_report_json(&report, &out);
    has(out.s, "\"samples\": 0");
}
END_TEST

START_TEST(junit_has_one_case_for_all_and_one_per_signal)
{
    wave_report_junit(&report, &out);
    has(out.s, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"wave diff\" tests=\"5\" "
               "failures=\"5\" "
               "errors=\"0\" skipped=\"0\">\n");
    has(out.s, "b.vcd against ");
    has(out.s, "  <testcase classname=\"top\" name=\"data[7:0]\">\n    <failure type=\"value\" "
               "message=\"top.data[7:0] "
               "at 20 ns: golden 8'h13, now 8'h33\">A 8'h13\nB 8'h33\nmask 20\nfor 10 ns until 30 "
               "ns, agreed "
               "before on 8'h12 since 10 ns</failure>\n  </testcase>\n");
    has(out.s, "(B: top.v&lt;&gt;&amp;&quot;?)");
    out.len = 0;
    result = (struct wave_result){ .compared = 3 };
    wave_report_junit(&report, &out);
    has(out.s, "tests=\"1\" failures=\"0\"");
    has(out.s, "<system-out>equal: 3 signals compared\n</system-out>");
}
END_TEST

START_TEST(markup_has_only_what_xml_allows)
{
    report_markup("a<b>&\"c\x01\x7f\xff\xc3\xa9\xed\xa0\x80\xef\xbf\xbf\n\xe2\x82", &out);
    ck_assert_str_eq(out.s, "a&lt;b&gt;&amp;&quot;c???\xc3\xa9??????\n??");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("wave/report");
    TCase *tc = tcase_create("report");
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, text_says_everything_about_a_difference);
    tcase_add_test(tc, equal_is_one_line_and_notes);
    tcase_add_test(tc, only_declarations_differ);
    tcase_add_test(tc, records_are_shown_in_words_on_both_sides);
    tcase_add_test(tc, bits_as_a_mask_or_by_number);
    tcase_add_test(tc, samples_are_not_said_twice);
    tcase_add_test(tc, order_statistics);
    tcase_add_test(tc, one_line_for_other_reports);
    tcase_add_test(tc, json_has_every_key);
    tcase_add_test(tc, junit_has_one_case_for_all_and_one_per_signal);
    tcase_add_test(tc, markup_has_only_what_xml_allows);
    suite_add_tcase(s, tc);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? 1 : 0;
}
