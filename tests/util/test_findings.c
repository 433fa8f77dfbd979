/* The list of findings: order, places, limit, exit code. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "util/findings.h"

static struct nerr err;

static void add(struct findings *f, enum finding_level level, const char *where, const char *text)
{
    struct nerr what;
    nerr_set(&what, NERR_RULE, where, "%s", text);
    what.runtime_code = 2;
    what.gate = 7;
    ck_assert_int_eq(findings_add(f, level, 3, &what, &err), 0);
}

START_TEST(findings_keep_their_order_and_own_their_text)
{
    struct findings f = { 0 };
    char text[] = "one";
    add(&f, FINDING_NOTE, "a/b.json var.x", text);
    memset(text, 'z', 3);
    add(&f, FINDING_RULE, "", "two");
    add(&f, FINDING_WARNING, "pe.bin slot 3 byte 0x0c", "three");
    ck_assert_uint_eq(f.count, 3);
    ck_assert_str_eq(f.list[0].member, "a/b.json");
    ck_assert_str_eq(f.list[0].place, "var.x");
    ck_assert_str_eq(f.list[0].text, "one");
    ck_assert_int_eq(f.list[0].tier, 3);
    ck_assert_int_eq(f.list[0].runtime_code, 2);
    ck_assert_int_eq(f.list[0].gate, 7);
    ck_assert_str_eq(f.list[1].member, "");
    ck_assert_str_eq(f.list[1].place, "");
    ck_assert_str_eq(f.list[2].place, "slot 3 byte 0x0c");
    findings_free(&f);
    ck_assert_uint_eq(f.count, 0);
    ck_assert_int_eq(findings_exit_code(&f), 0);
}
END_TEST

START_TEST(a_member_with_spaces_is_given_apart)
{
    struct findings f = { 0 };
    struct nerr what;
    nerr_set(&what, NERR_RULE, "not looked at", "text");
    ck_assert_int_eq(findings_add_at(&f, FINDING_RULE, 1, "my file.json", "x y", &what, &err), 0);
    ck_assert_str_eq(f.list[0].member, "my file.json");
    ck_assert_str_eq(f.list[0].place, "x y");
    findings_free(&f);
}
END_TEST

START_TEST(the_exit_code_is_that_of_the_worst)
{
    struct findings f = { 0 };
    ck_assert_int_eq(findings_exit_code(&f), 0);
    add(&f, FINDING_NOTE, "", "");
    add(&f, FINDING_WARNING, "", "");
    ck_assert_int_eq(findings_exit_code(&f), 0);
    add(&f, FINDING_RULE, "", "");
    ck_assert_int_eq(findings_exit_code(&f), 1);
    add(&f, FINDING_INPUT, "", "");
    ck_assert_int_eq(findings_exit_code(&f), 2);
    findings_free(&f);
}
END_TEST

START_TEST(beyond_the_limit_findings_are_counted_only)
{
    struct findings f = { .limit = 3 };
    for (int i = 0; i < 3; i++) {
        ck_assert(!findings_full(&f));
        add(&f, FINDING_RULE, "", "");
    }
    ck_assert(findings_full(&f));
    add(&f, FINDING_INPUT, "", "dropped, but not forgotten");
    ck_assert_uint_eq(f.count, 3);
    ck_assert_uint_eq(f.dropped, 1);
    ck_assert_uint_eq(findings_count(&f, FINDING_RULE), 3);
    ck_assert_uint_eq(findings_count(&f, FINDING_INPUT), 1);
    ck_assert_int_eq(findings_exit_code(&f), 2);
    findings_free(&f);
    ck_assert_uint_eq(f.limit, 3);
}
END_TEST

START_TEST(warnings_never_take_the_place_of_a_problem)
{
    struct findings f = { .limit = 3 };
    for (int i = 0; i < 5; i++)
        add(&f, i % 2 ? FINDING_NOTE : FINDING_WARNING, "", "");
    ck_assert(!findings_full(&f));
    ck_assert_uint_eq(f.dropped, 2);
    add(&f, FINDING_RULE, "", "kept");
    ck_assert_uint_eq(f.count, 4);
    ck_assert_str_eq(f.list[3].text, "kept");
    ck_assert_uint_eq(f.dropped, 2);
    findings_free(&f);
}
END_TEST

START_TEST(the_default_limit_is_1000)
{
    struct findings f = { 0 };
    for (int i = 0; i < 1001; i++)
        add(&f, FINDING_NOTE, "", "");
    ck_assert_uint_eq(f.count, 1000);
    ck_assert_uint_eq(f.dropped, 1);
    findings_free(&f);
}
END_TEST

START_TEST(first_stops_at_a_rule_but_not_at_a_warning)
{
    struct findings f = { .first = true }, all = { 0 };
    add(&f, FINDING_WARNING, "", "");
    ck_assert(!findings_stop(&f));
    add(&f, FINDING_RULE, "", "");
    ck_assert(findings_stop(&f));
    add(&all, FINDING_RULE, "", "");
    ck_assert(!findings_stop(&all));
    findings_free(&f);
    findings_free(&all);
}
END_TEST

START_TEST(levels_follow_the_error_code)
{
    struct nerr e;
    nerr_set(&e, NERR_RULE, "", "x");
    ck_assert_int_eq(findings_level(&e), FINDING_RULE);
    nerr_set(&e, NERR_MISMATCH, "", "x");
    ck_assert_int_eq(findings_level(&e), FINDING_RULE);
    nerr_set(&e, NERR_INPUT, "", "x");
    ck_assert_int_eq(findings_level(&e), FINDING_INPUT);
    nerr_set(&e, NERR_IO, "", "x");
    ck_assert_int_eq(findings_level(&e), FINDING_INPUT);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("util/findings");
    TCase *t = tcase_create("findings");
    tcase_add_test(t, findings_keep_their_order_and_own_their_text);
    tcase_add_test(t, a_member_with_spaces_is_given_apart);
    tcase_add_test(t, the_exit_code_is_that_of_the_worst);
    tcase_add_test(t, beyond_the_limit_findings_are_counted_only);
    tcase_add_test(t, warnings_never_take_the_place_of_a_problem);
    tcase_add_test(t, the_default_limit_is_1000);
    tcase_add_test(t, first_stops_at_a_rule_but_not_at_a_warning);
    tcase_add_test(t, levels_follow_the_error_code);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
