/* util/nerr: codes, cutting, prefixes, exit codes. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "util/nerr.h"

START_TEST(set_fills_every_field_and_returns_the_code)
{
    struct nerr e = { .runtime_code = 5, .gate = 9 };
    ck_assert_int_eq(nerr_set(&e, NERR_RULE, "a.json", "found %d", 7), NERR_RULE);
    ck_assert_int_eq(e.code, NERR_RULE);
    ck_assert_int_eq(e.runtime_code, 0);
    ck_assert_int_eq(e.gate, 0);
    ck_assert_str_eq(e.where, "a.json");
    ck_assert_str_eq(e.text, "found 7");
}
END_TEST

START_TEST(long_places_and_texts_end_in_dots)
{
    struct nerr e;
    char big[2000];
    memset(big, 'x', sizeof big - 1);
    big[sizeof big - 1] = '\0';
    nerr_set(&e, NERR_INPUT, big, "%s", big);
    ck_assert_uint_eq(strlen(e.where), sizeof e.where - 1);
    ck_assert_uint_eq(strlen(e.text), sizeof e.text - 1);
    ck_assert_str_eq(e.where + sizeof e.where - 4, "...");
    ck_assert_str_eq(e.text + sizeof e.text - 4, "...");
}
END_TEST

START_TEST(a_place_may_be_missing)
{
    struct nerr e;
    nerr_set(&e, NERR_MEM, NULL, "x");
    ck_assert_str_eq(e.where, "");
    ck_assert_int_eq(nerr_prefix(&e, "file"), NERR_MEM);
    ck_assert_str_eq(e.where, "file");
}
END_TEST

START_TEST(prefixes_go_in_front)
{
    struct nerr e;
    nerr_set(&e, NERR_RULE, "def.json", "x");
    nerr_prefix(&e, "model.neff");
    ck_assert_str_eq(e.where, "model.neff: def.json");
    char big[500];
    memset(big, 'y', sizeof big - 1);
    big[sizeof big - 1] = '\0';
    nerr_prefix(&e, big);
    ck_assert_str_eq(e.where + sizeof e.where - 4, "...");
}
END_TEST

START_TEST(a_text_may_quote_the_error_itself)
{
    struct nerr e;
    nerr_set(&e, NERR_RULE, "w", "inner");
    nerr_set(&e, NERR_RULE, e.where, "outer: %s", e.text);
    ck_assert_str_eq(e.text, "outer: inner");
    ck_assert_str_eq(e.where, "w");
}
END_TEST

START_TEST(codes_decide_the_exit_code)
{
    static const struct {
        int code, exit;
    } rows[] = { { NERR_OK, 0 }, { NERR_RULE, 1 }, { NERR_MISMATCH, 1 }, { NERR_INPUT, 2 },
                 { NERR_IO, 2 }, { NERR_HANG, 3 }, { NERR_MEM, 2 } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct nerr e = { .code = rows[i].code };
        ck_assert_int_eq(nerr_exit_code(&e), rows[i].exit);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("util/nerr");
    TCase *t = tcase_create("nerr");
    tcase_add_test(t, set_fills_every_field_and_returns_the_code);
    tcase_add_test(t, long_places_and_texts_end_in_dots);
    tcase_add_test(t, a_place_may_be_missing);
    tcase_add_test(t, prefixes_go_in_front);
    tcase_add_test(t, a_text_may_quote_the_error_itself);
    tcase_add_test(t, codes_decide_the_exit_code);
    suite_add_tcase(s, t);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
