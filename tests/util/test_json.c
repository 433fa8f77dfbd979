/* util/json and util/json_write. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/json.h"
#include "util/json_scan.h"
#include "util/json_write.h"
#include "util/strbuf.h"

static struct json *j;
static struct nerr err;

static int parse(const char *text)
{
    json_free(j);
    j = NULL;
    return json_parse(text, strlen(text), "d", &j, &err);
}

static void teardown(void)
{
    json_free(j);
    j = NULL;
}

static const json_value *root(const char *text)
{
    ck_assert_msg(parse(text) == 0, "%s: %s", err.where, err.text);
    return json_root(j);
}

START_TEST(every_kind_of_value_is_read)
{
    const json_value *v =
        root(" { \"a\" : [1, -2.5e+3, true, false, null, \"x\\n\\u00e9\\ud83d\\ude00\"], \"b\": {} } \n");
    ck_assert(json_is_object(v));
    ck_assert_uint_eq(json_count(v), 2);
    const json_value *a = json_get(v, "a");
    ck_assert(json_is_array(a));
    ck_assert_uint_eq(json_count(a), 6);
    const json_value *s = json_child(a);
    for (int i = 0; i < 5; i++)
        s = json_next(s);
    const char *text;
    ck_assert_int_eq(json_as_string(j, s, &text, &err), 0);
    ck_assert_str_eq(text, "x\n\xc3\xa9\xf0\x9f\x98\x80");
}
END_TEST

static const char *const refused[] = {
    "",
    " ",
    "{",
    "}",
    "[1,]",
    "[,1]",
    "[1 2]",
    "{\"a\":1,}",
    "{\"a\" 1}",
    "{a:1}",
    "{1:1}",
    "{\"a\":}",
    "[1]]",
    "[1] x",
    "01",
    "-01",
    "+1",
    ".5",
    "1.",
    "1.e5",
    "1e",
    "1e+",
    "-",
    "0x10",
    "NaN",
    "Infinity",
    "tru",
    "nul",
    "True",
    "\"abc",
    "\"\\",
    "\"\\q\"",
    "\"\\u12\"",
    "\"\\u0000\"",
    "\"\\udc00\"",
    "\"\\ud800\"",
    "\"\\ud800x\"",
    "\"\\ud800\\u0041\"",
    "\"a\tb\"",
    "\"a\nb\"",
    "\x01[1]",
    "[1]\x0b",
    "\xef\xbb\xbf[1]",
    "// c\n1",
    "[1] /* */",
    "'a'",
    "\"\x80\"",
    "\"\xc0\x80\"",
    "\"\xc1\xbf\"",
    "\"\xe0\x80\x80\"",
    "\"\xed\xa0\x80\"",
    "\"\xf0\x80\x80\x80\"",
    "\"\xf4\x90\x80\x80\"",
    "\"\xf8\x88\x80\x80\x80\"",
    "\"\xc3\"",
    "\"\xe2\x82\"",
    "\"\xff\"",
    "1234567890123456789012345678901234567890123456789012345678901234",
};

START_TEST(text_that_is_not_json_is_refused)
{
    ck_assert_msg(parse(refused[_i]) == NERR_INPUT, "accepted: %s", refused[_i]);
    ck_assert_msg(strncmp(err.where, "d 1:", 4) == 0 || strncmp(err.where, "d 2:", 4) == 0, "%s", err.where);
}
END_TEST

START_TEST(a_raw_nul_is_refused_anywhere)
{
    ck_assert_int_eq(json_parse("[1]\0", 4, "d", &j, &err), NERR_INPUT);
    ck_assert_int_eq(json_parse("\"a\0b\"", 5, "d", &j, &err), NERR_INPUT);
    ck_assert_int_eq(json_parse("[\0]", 3, "d", &j, &err), NERR_INPUT);
}
END_TEST

START_TEST(the_text_needs_no_nul_behind_it)
{
    static const char text[] = "[12]345";
    ck_assert_int_eq(json_parse(text, 4, "d", &j, &err), 0);
    char *copy = malloc(4); /* exactly as long: a read beyond is seen by ASan and valgrind */
    memcpy(copy, text, 4);
    teardown();
    ck_assert_int_eq(json_parse(copy, 4, "d", &j, &err), 0);
    ck_assert_int_eq(json_parse(copy, 3, "d", &j, &err), NERR_INPUT);
    teardown();
    free(copy);
}
END_TEST

static void nested(char *text, int depth)
{
    memset(text, '[', (size_t)depth);
    memset(text + depth, ']', (size_t)depth);
    text[2 * depth] = '\0';
}

START_TEST(a_hundred_levels_are_allowed_and_one_more_is_not)
{
    char text[2 * (JSON_MAX_DEPTH + 1) + 1];
    nested(text, JSON_MAX_DEPTH);
    ck_assert_int_eq(parse(text), 0);
    nested(text, JSON_MAX_DEPTH + 1);
    ck_assert_int_eq(parse(text), NERR_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "at most 100 levels"));
}
END_TEST

START_TEST(a_million_brackets_do_not_overflow_the_stack)
{
    size_t n = 1000000;
    char *text = malloc(n);
    memset(text, '[', n);
    ck_assert_int_eq(json_parse(text, n, "d", &j, &err), NERR_INPUT);
    free(text);
}
END_TEST

START_TEST(syntax_errors_have_line_and_column)
{
    ck_assert_int_eq(parse("{\n  \"a\": 1,\n  \"b\" 2\n}"), NERR_INPUT);
    ck_assert_str_eq(err.where, "d 3:7");
    ck_assert_str_eq(err.text, "not JSON: found '2', expected ':'");
}
END_TEST

START_TEST(the_first_of_duplicate_keys_stays)
{
    const json_value *v = root("{\"b\": 0, \"a\": 1, \"a\": 2, \"A\": 3, \"a\": {\"x\": 9}, \"b\": 7}");
    uint64_t n = 0;
    ck_assert_uint_eq(json_count(v), 3);
    ck_assert_int_eq(json_need_u64(j, v, "a", 0, 10, &n, &err), 0);
    ck_assert_uint_eq(n, 1);
    ck_assert_int_eq(json_need_u64(j, v, "A", 0, 10, &n, &err), 0);
    ck_assert_uint_eq(n, 3); /* numbers behind a dropped member keep their text */
    ck_assert_int_eq(json_need_u64(j, v, "b", 0, 10, &n, &err), 0);
    ck_assert_uint_eq(n, 0);
}
END_TEST

START_TEST(duplicates_inside_a_nested_object_are_dropped_too)
{
    const json_value *v = root("[{\"k\": {\"z\": 1, \"z\": 2}}]");
    ck_assert_uint_eq(json_count(json_get(json_child(v), "k")), 1);
}
END_TEST

START_TEST(keys_are_case_sensitive)
{
    const json_value *v = root("{\"Size\": 1}");
    uint64_t n = 5;
    ck_assert_ptr_null(json_get(v, "size"));
    ck_assert_int_eq(json_opt_u64(j, v, "size", 0, 9, &n, &err), 0);
    ck_assert_uint_eq(n, 5);
    ck_assert_int_eq(json_need_u64(j, v, "size", 0, 9, &n, &err), NERR_RULE);
    ck_assert_str_eq(err.text, "the required key \"size\" is missing");
}
END_TEST

START_TEST(integers_are_exact_up_to_64_bits)
{
    const json_value *v =
        root("[18446744073709551615, 9007199254740993, -9223372036854775808, -0, 9223372036854775807]");
    const json_value *e = json_child(v);
    uint64_t u;
    int64_t i;
    ck_assert_int_eq(json_as_u64(j, e, 0, UINT64_MAX, &u, &err), 0);
    ck_assert_uint_eq(u, UINT64_MAX);
    ck_assert_int_ne(json_as_i64(j, e, INT64_MIN, INT64_MAX, &i, &err), 0);
    e = json_next(e);
    ck_assert_int_eq(json_as_u64(j, e, 0, UINT64_MAX, &u, &err), 0);
    ck_assert_uint_eq(u, UINT64_C(9007199254740993));
    e = json_next(e);
    ck_assert_int_eq(json_as_i64(j, e, INT64_MIN, INT64_MAX, &i, &err), 0);
    ck_assert_int_eq(i, INT64_MIN);
    ck_assert_int_ne(json_as_u64(j, e, 0, UINT64_MAX, &u, &err), 0);
    e = json_next(e);
    ck_assert_int_eq(json_as_u64(j, e, 0, UINT64_MAX, &u, &err), 0);
    ck_assert_uint_eq(u, 0);
    e = json_next(e);
    ck_assert_int_eq(json_as_i64(j, e, INT64_MIN, INT64_MAX, &i, &err), 0);
    ck_assert_int_eq(i, INT64_MAX);
}
END_TEST

static const char *const no_u64[] = {
    "18446744073709551616",       "1.0", "1e2", "1E0", "-1", "\"1\"", "true", "null", "[]", "{}",
    "99999999999999999999999999", "0.5"
};

START_TEST(what_is_no_integer_is_a_type_error)
{
    uint64_t u;
    const json_value *v = root(no_u64[_i]);
    ck_assert_int_eq(json_as_u64(j, v, 0, UINT64_MAX, &u, &err), NERR_RULE);
    ck_assert_ptr_nonnull(strstr(err.text, ", expected an integer from 0 to 18446744073709551615"));
}
END_TEST

START_TEST(i64_refuses_one_beyond_its_ends)
{
    int64_t i;
    ck_assert_int_ne(json_as_i64(j, root("9223372036854775808"), INT64_MIN, INT64_MAX, &i, &err), 0);
    ck_assert_int_ne(json_as_i64(j, root("-9223372036854775809"), INT64_MIN, INT64_MAX, &i, &err), 0);
    ck_assert_int_eq(json_as_i64(j, root("-5"), -5, 5, &i, &err), 0);
    ck_assert_int_ne(json_as_i64(j, root("-6"), -5, 5, &i, &err), 0);
}
END_TEST

START_TEST(errors_name_document_path_and_what_was_found)
{
    uint64_t u;
    const json_value *v = root("{\"var\": {\"in put\": {\"shape\": [1, 2.5]}}}");
    const json_value *e = json_child(json_get(json_get(json_get(v, "var"), "in put"), "shape"));
    ck_assert_int_eq(json_as_u64(j, json_next(e), 1, 8, &u, &err), NERR_RULE);
    ck_assert_str_eq(err.where, "d var[\"in put\"].shape[1]");
    ck_assert_str_eq(err.text, "found 2.5, expected an integer from 1 to 8");
}
END_TEST

START_TEST(range_errors_give_both_ends)
{
    uint64_t u;
    ck_assert_int_eq(json_need_u64(j, root("{\"x\": 9}"), "x", 1, 8, &u, &err), NERR_RULE);
    ck_assert_str_eq(err.where, "d x");
    ck_assert_str_eq(err.text, "found 9, expected an integer from 1 to 8");
}
END_TEST

START_TEST(typed_getters_refuse_other_types)
{
    const json_value *v = root("{\"s\": 1, \"a\": {}, \"o\": [], \"b\": 1, \"n\": null}"), *out;
    const char *s;
    bool b;
    ck_assert_int_eq(json_opt_string(j, v, "s", &s, &err), NERR_RULE);
    ck_assert_int_eq(json_opt_array(j, v, "a", &out, &err), NERR_RULE);
    ck_assert_int_eq(json_opt_object(j, v, "o", &out, &err), NERR_RULE);
    ck_assert_int_eq(json_opt_bool(j, v, "b", &b, &err), NERR_RULE);
    ck_assert_int_eq(json_opt_string(j, v, "n", &s, &err), NERR_RULE); /* null is not "absent" */
    ck_assert_int_eq(json_need_array(j, v, "missing", &out, &err), NERR_RULE);
    ck_assert_int_eq(json_need_string(j, json_get(v, "o"), "x", &s, &err), NERR_RULE);
}
END_TEST

START_TEST(paths_are_found_without_a_walk_through_the_document)
{
    const json_value *v = root("{\"drop\": 1, \"a\": [[], {\"x y\": [1, \"s\", 2.5, {}]}], \"drop\": 2}");
    const json_value *list = json_child(json_next(json_child(json_get(v, "a"))));
    static const char *const paths[] = { "a[1][\"x y\"][0]", "a[1][\"x y\"][1]", "a[1][\"x y\"][2]",
                                         "a[1][\"x y\"][3]" };
    const json_value *e = json_child(list);
    for (size_t i = 0; i < 4; i++, e = json_next(e)) {
        char *path = json_path(j, e);
        ck_assert_str_eq(path, paths[i]);
        free(path);
    }
    char *path = json_path(j, v);
    ck_assert_str_eq(path, "");
    free(path);
}
END_TEST

START_TEST(a_path_shows_64_bytes_of_a_long_key)
{
    char text[200] = "{\"", end[] = "\": 1}";
    memset(text + 2, 'k', 63);
    strcpy(text + 65, "\xc3\xa9 and more");
    strcat(text, end);
    const json_value *v = root(text);
    char *path = json_path(j, json_child(v));
    ck_assert_uint_eq(strlen(path), 2 + 63 + 3 + 2); /* the two bytes of the 64th character do not fit */
    ck_assert_ptr_nonnull(strstr(path, "k...\"]"));
    free(path);
    memset(text + 2, 'k', 64);
    strcpy(text + 66, end);
    path = json_path(j, json_child(root(text)));
    ck_assert_uint_eq(strlen(path), 64);
    free(path);
}
END_TEST

/* An object of n members "k0": 0 ..., each key `copies` times. */
static void many_keys(struct strbuf *b, unsigned n, unsigned copies)
{
    for (unsigned c = 0; c < copies; c++)
        for (unsigned i = 0; i < n; i++)
            strbuf_printf(b, "%s\"k%u\": %u", b->len ? ", " : "{", i, c ? i + n : i);
    strbuf_puts(b, "}");
}

START_TEST(large_objects_keep_the_first_copy_too)
{
    for (unsigned n = 1; n < 40; n++) { /* around the size from which members are sorted */
        struct strbuf b = { 0 };
        many_keys(&b, n, 3);
        const json_value *v = root(b.s);
        ck_assert_uint_eq(json_count(v), n);
        const json_value *c = json_child(v);
        for (unsigned i = 0; i < n; i++, c = json_next(c)) {
            char key[16];
            uint64_t u;
            snprintf(key, sizeof key, "k%u", i);
            ck_assert_str_eq(json_key(c), key);
            ck_assert_ptr_eq(json_get(v, key), c);
            ck_assert_int_eq(json_need_u64(j, v, key, i, i, &u, &err), 0);
        }
        ck_assert_ptr_null(c);
        ck_assert_ptr_null(json_get(v, "k"));
        ck_assert_ptr_null(json_get(v, "k99"));
        teardown();
        strbuf_free(&b);
    }
}
END_TEST

START_TEST(elements_are_found_by_position)
{
    for (unsigned n = 0; n < 40; n++) { /* around the size from which arrays have a table */
        struct strbuf b = { 0 };
        strbuf_puts(&b, "[");
        for (unsigned i = 0; i < n; i++)
            strbuf_printf(&b, "%s[%u]", i ? "," : "", i);
        strbuf_puts(&b, "]");
        const json_value *v = root(b.s), *c = json_child(v);
        ck_assert_uint_eq(json_count(v), n);
        for (unsigned i = 0; i < n; i++, c = json_next(c)) {
            uint64_t u;
            ck_assert_ptr_eq(json_at(v, i), c);
            ck_assert_int_eq(json_as_u64(j, json_at(json_at(v, i), 0), i, i, &u, &err), 0);
        }
        ck_assert_ptr_null(json_at(v, n));
        ck_assert_ptr_null(json_at(v, SIZE_MAX));
        teardown();
        strbuf_free(&b);
    }
    ck_assert_ptr_null(json_at(root("{\"a\": 1}"), 0));
    ck_assert_ptr_null(json_at(NULL, 0));
}
END_TEST

/* With anything quadratic in here this takes minutes; the limit of Check is 4 seconds. */
START_TEST(two_hundred_thousand_keys_cost_no_square)
{
    struct strbuf b = { 0 };
    const unsigned n = 100000;
    many_keys(&b, n, 2);
    const json_value *v = root(b.s);
    ck_assert_uint_eq(json_count(v), n);
    for (unsigned i = 0; i < n; i++) {
        char key[16];
        uint64_t u;
        snprintf(key, sizeof key, "k%u", n - 1 - i);
        ck_assert_int_eq(json_need_u64(j, v, key, n, n, &u, &err), NERR_RULE); /* each with its path */
    }
    ck_assert_str_eq(err.where, "d k0");
    teardown();
    strbuf_free(&b);
}
END_TEST

START_TEST(the_number_of_values_is_limited)
{
    static const char text[] = "[1,{\"k\":[]},\"s\"]";
    struct json_scan s = {
        .text = (const unsigned char *)text, .len = strlen(text), .max_values = 5, .where = "d", .err = &err
    };
    ck_assert_int_eq(json_scan(&s), 0);
    ck_assert_uint_eq(s.values, 5);
    free(s.numbers);
    s = (struct json_scan){ .text = s.text, .len = s.len, .max_values = 4, .where = "d", .err = &err };
    ck_assert_int_eq(json_scan(&s), NERR_INPUT);
    ck_assert_str_eq(err.where, "d 1:13");
    ck_assert_str_eq(err.text, "not JSON: found '\"', expected at most 4 values");
    free(s.numbers);
}
END_TEST

START_TEST(a_document_beyond_the_limit_is_refused_unread)
{
    ck_assert_int_eq(json_parse("1", JSON_MAX_BYTES + 1, "d", &j, &err), NERR_INPUT);
    ck_assert_str_eq(err.text, "the JSON document has 1073741825 bytes, at most 1073741824 are read");
}
END_TEST

START_TEST(a_number_of_a_million_digits_is_refused_at_its_start)
{
    size_t n = 1000000;
    char *text = malloc(n);
    memset(text, '1', n);
    memcpy(text, "\n [", 3);
    ck_assert_int_eq(json_parse(text, n, "d", &j, &err), NERR_INPUT);
    ck_assert_str_eq(err.where, "d 2:3");
    free(text);
}
END_TEST

START_TEST(written_documents_read_back)
{
    struct strbuf b = { 0 };
    struct json_out o = { .b = &b };
    json_open(&o, '{');
    json_put_key(&o, "text");
    json_put_string(&o, "a\"b\\c\nd\x01\xff\xc3\xa9");
    json_put_key(&o, "big");
    json_put_u64(&o, UINT64_MAX);
    json_put_key(&o, "list");
    json_open(&o, '[');
    json_put_i64(&o, -3);
    json_put_bool(&o, true);
    json_put_string(&o, NULL);
    json_open(&o, '{');
    json_close(&o, '}');
    json_close(&o, ']');
    json_close(&o, '}');
    ck_assert(!b.failed);
    const json_value *v = root(b.s);
    const char *s;
    uint64_t u;
    ck_assert_int_eq(json_need_string(j, v, "text", &s, &err), 0);
    ck_assert_str_eq(s, "a\"b\\c\nd\x01\xef\xbf\xbd\xc3\xa9");
    ck_assert_int_eq(json_need_u64(j, v, "big", 0, UINT64_MAX, &u, &err), 0);
    ck_assert_uint_eq(u, UINT64_MAX);
    ck_assert_uint_eq(json_count(json_get(v, "list")), 4);
    teardown();
    strbuf_free(&b);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("util/json");
    TCase *t = tcase_create("json");
    tcase_add_checked_fixture(t, NULL, teardown);
    tcase_add_test(t, every_kind_of_value_is_read);
    tcase_add_loop_test(t, text_that_is_not_json_is_refused, 0, (int)(sizeof refused / sizeof refused[0]));
    tcase_add_test(t, a_raw_nul_is_refused_anywhere);
    tcase_add_test(t, the_text_needs_no_nul_behind_it);
    tcase_add_test(t, a_hundred_levels_are_allowed_and_one_more_is_not);
    tcase_add_test(t, a_million_brackets_do_not_overflow_the_stack);
    tcase_add_test(t, syntax_errors_have_line_and_column);
    tcase_add_test(t, the_first_of_duplicate_keys_stays);
    tcase_add_test(t, duplicates_inside_a_nested_object_are_dropped_too);
    tcase_add_test(t, keys_are_case_sensitive);
    tcase_add_test(t, integers_are_exact_up_to_64_bits);
    tcase_add_loop_test(t, what_is_no_integer_is_a_type_error, 0, (int)(sizeof no_u64 / sizeof no_u64[0]));
    tcase_add_test(t, i64_refuses_one_beyond_its_ends);
    tcase_add_test(t, errors_name_document_path_and_what_was_found);
    tcase_add_test(t, range_errors_give_both_ends);
    tcase_add_test(t, typed_getters_refuse_other_types);
    tcase_add_test(t, paths_are_found_without_a_walk_through_the_document);
    tcase_add_test(t, a_path_shows_64_bytes_of_a_long_key);
    tcase_add_test(t, large_objects_keep_the_first_copy_too);
    tcase_add_test(t, elements_are_found_by_position);
    tcase_add_test(t, two_hundred_thousand_keys_cost_no_square);
    tcase_add_test(t, the_number_of_values_is_limited);
    tcase_add_test(t, a_document_beyond_the_limit_is_refused_unread);
    tcase_add_test(t, a_number_of_a_million_digits_is_refused_at_its_start);
    tcase_add_test(t, written_documents_read_back);
    suite_add_tcase(s, t);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
