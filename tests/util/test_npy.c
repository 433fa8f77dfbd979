/* util/npy: headers, the weight rule, writing. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/bytes.h"
#include "util/npy.h"

static struct nerr err;
static struct strbuf b;

static void teardown(void)
{
    strbuf_free(&b);
}

/* A file with this header text (version 1) and n data bytes. */
static void make(const char *header, size_t n)
{
    uint8_t fixed[10] = "\x93NUMPY\x01";
    static const uint8_t zero[4096];
    strbuf_free(&b);
    put_le16(fixed + 8, (uint16_t)strlen(header));
    strbuf_add(&b, fixed, sizeof fixed);
    strbuf_puts(&b, header);
    strbuf_add(&b, zero, n);
}

static int parse(struct npy *n)
{
    return npy_parse(b.s, b.len, "f.npy", n, &err);
}

START_TEST(a_numpy_file_is_read)
{
    struct npy n;
    make("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }                                        "
         "      \n",
         24);
    ck_assert_msg(parse(&n) == 0, "%s", err.text);
    ck_assert_str_eq(n.descr, "<f4");
    ck_assert(!n.fortran_order);
    ck_assert_uint_eq(n.ndim, 2);
    ck_assert_uint_eq(n.shape[0], 2);
    ck_assert_uint_eq(n.shape[1], 3);
    ck_assert_uint_eq(n.item_size, 4);
    ck_assert_uint_eq(n.count, 6);
    ck_assert_uint_eq(n.data_size, 24);
    ck_assert_ptr_eq(n.data, b.s + b.len - 24);
}
END_TEST

START_TEST(other_key_orders_and_quotes_are_read)
{
    struct npy n;
    make("{\"shape\":(7,),\"fortran_order\":True,\"descr\":\"|u1\"}\n", 7);
    ck_assert_msg(parse(&n) == 0, "%s", err.text);
    ck_assert(n.fortran_order);
    ck_assert_uint_eq(n.ndim, 1);
    make("{'descr': '>i8', 'fortran_order': False, 'shape': ()}", 8);
    ck_assert_msg(parse(&n) == 0, "%s", err.text);
    ck_assert_uint_eq(n.ndim, 0);
    ck_assert_uint_eq(n.count, 1);
    make("{'descr': '<f2', 'fortran_order': False, 'shape': (0, 5), }", 0);
    ck_assert_msg(parse(&n) == 0, "%s", err.text);
    ck_assert_uint_eq(n.count, 0);
}
END_TEST

static const char *const bad[] = {
    "",
    "{}",
    "{'descr': '<f4', 'fortran_order': False}",
    "{'descr': '<f4', 'shape': (1,)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 1}",
    "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
    "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (1,)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)",
    "{'descr': '<f4', 'fortran_order': False, 'shape': [1]}",
    "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}",
    "{'descr': '<f4, 'fortran_order': False, 'shape': (1,)}",
    "{'descr': '', 'fortran_order': False, 'shape': (4,)}",
    "{'descr': '<f', 'fortran_order': False, 'shape': (1,)}",
    "{'descr': '<f0', 'fortran_order': False, 'shape': (1,)}",
    "{'descr': '|O8', 'fortran_order': False, 'shape': (1,)}",
    "{'descr': '<f4x', 'fortran_order': False, 'shape': (1,)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (0,)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} trailing",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1 1)}",
    "{'descr': 'abcdefghijklmnopqrstuvwxyz', 'fortran_order': False, 'shape': (1,)}",
};

START_TEST(broken_headers_are_refused)
{
    struct npy n;
    make(bad[_i], 4);
    ck_assert_msg(parse(&n) == NERR_INPUT, "accepted: %s", bad[_i]);
}
END_TEST

START_TEST(every_truncation_is_refused)
{
    struct npy n;
    make("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", 24);
    for (size_t len = 0; len < b.len; len++) {
        uint8_t *copy = malloc(len ? len : 1);
        memcpy(copy, b.s, len);
        ck_assert_int_eq(npy_parse(copy, len, "f.npy", &n, &err), NERR_INPUT);
        free(copy);
    }
}
END_TEST

START_TEST(written_headers_are_aligned_and_read_back)
{
    const uint64_t shape[] = { 3, 5, 7 };
    for (size_t ndim = 0; ndim <= 3; ndim++) {
        struct npy n;
        static const uint8_t zero[2 * 105];
        size_t count = ndim == 0 ? 1 : ndim == 1 ? 3 : ndim == 2 ? 15 : 105;
        strbuf_free(&b);
        ck_assert_int_eq(npy_write_header(&b, "<f2", shape, ndim, &err), 0);
        ck_assert_uint_eq(b.len % 64, 0);
        ck_assert_int_eq(b.s[b.len - 1], '\n');
        strbuf_add(&b, zero, 2 * count);
        ck_assert_msg(parse(&n) == 0, "%s", err.text);
        ck_assert_uint_eq(n.ndim, ndim);
        ck_assert_uint_eq(n.count, count);
    }
}
END_TEST

START_TEST(the_weight_rule_ignores_the_header_text)
{
    const uint8_t *data;
    size_t size;
    make("no dict at all", 9);
    ck_assert_int_eq(npy_payload(b.s, b.len, "sg00/w.npy", &data, &size, &err), 0);
    ck_assert_uint_eq(size, 9);
    ck_assert_ptr_eq(data, b.s + b.len - 9);
}
END_TEST

START_TEST(the_weight_rule_refuses_with_the_runtimes_message)
{
    const uint8_t *data;
    size_t size;
    make("x", 1);
    b.s[0] = 'x';
    ck_assert_int_eq(npy_payload(b.s, b.len, "sg00/w.npy", &data, &size, &err), NERR_INPUT);
    ck_assert_str_eq(err.text, "NUMPY sg00/w.npy bad header 4e78 != 0x4e93");
    ck_assert_int_eq(err.runtime_code, 2);
    ck_assert_int_eq(npy_payload(b.s, 1, "w", &data, &size, &err), NERR_INPUT);
    ck_assert_int_eq(npy_payload(b.s, 0, "w", &data, &size, &err), NERR_INPUT);
}
END_TEST

START_TEST(later_versions_and_headers_beyond_the_file_are_refused)
{
    const uint8_t *data;
    size_t size;
    make("xx", 0);
    b.s[6] = 2;
    ck_assert_int_eq(npy_payload(b.s, b.len, "w", &data, &size, &err), NERR_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "version 2.0"));
    b.s[6] = 1;
    b.s[8] = 3;
    ck_assert_int_eq(npy_payload(b.s, b.len, "w", &data, &size, &err), NERR_INPUT);
    b.s[8] = 2;
    ck_assert_int_eq(npy_payload(b.s, b.len, "w", &data, &size, &err), 0);
    ck_assert_uint_eq(size, 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("util/npy");
    TCase *t = tcase_create("npy");
    tcase_add_checked_fixture(t, NULL, teardown);
    tcase_add_test(t, a_numpy_file_is_read);
    tcase_add_test(t, other_key_orders_and_quotes_are_read);
    tcase_add_loop_test(t, broken_headers_are_refused, 0, (int)(sizeof bad / sizeof bad[0]));
    tcase_add_test(t, every_truncation_is_refused);
    tcase_add_test(t, written_headers_are_aligned_and_read_back);
    tcase_add_test(t, the_weight_rule_ignores_the_header_text);
    tcase_add_test(t, the_weight_rule_refuses_with_the_runtimes_message);
    tcase_add_test(t, later_versions_and_headers_beyond_the_file_are_refused);
    suite_add_tcase(s, t);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
