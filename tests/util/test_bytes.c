/* util/bytes: checked loads and arithmetic. */
#include <check.h>
#include <stdlib.h>

#include "util/bytes.h"

static const uint8_t buf[] = { 1, 2, 3, 4, 5, 6, 7, 0x88, 9 };

START_TEST(loads_are_little_endian)
{
    uint16_t h;
    uint32_t w;
    uint64_t d;
    ck_assert(bytes_le16(buf, sizeof buf, 0, &h));
    ck_assert_uint_eq(h, 0x0201);
    ck_assert(bytes_le32(buf, sizeof buf, 1, &w));
    ck_assert_uint_eq(w, 0x05040302);
    ck_assert(bytes_le64(buf, sizeof buf, 0, &d));
    ck_assert_uint_eq(d, UINT64_C(0x8807060504030201));
}
END_TEST

START_TEST(load_of_the_last_bytes_works_and_one_further_fails)
{
    uint16_t h = 7;
    uint64_t d = 7;
    ck_assert(bytes_le16(buf, sizeof buf, 7, &h));
    ck_assert_uint_eq(h, 0x0988);
    ck_assert(!bytes_le16(buf, sizeof buf, 8, &h));
    ck_assert(!bytes_le64(buf, sizeof buf, 2, &d));
    ck_assert_uint_eq(h, 0x0988);
    ck_assert_uint_eq(d, 7);
}
END_TEST

START_TEST(huge_offsets_do_not_wrap)
{
    uint32_t w;
    ck_assert(!bytes_le32(buf, sizeof buf, SIZE_MAX, &w));
    ck_assert(!bytes_le32(buf, sizeof buf, SIZE_MAX - 2, &w));
    ck_assert(!bytes_inside(10, 4, SIZE_MAX - 3));
    ck_assert(bytes_inside(10, 10, 0));
    ck_assert(!bytes_inside(10, 11, 0));
}
END_TEST

START_TEST(stores_and_loads_agree)
{
    uint8_t b[8];
    put_le64(b, UINT64_C(0xfedcba9876543210));
    ck_assert_uint_eq(get_le64(b), UINT64_C(0xfedcba9876543210));
    ck_assert_uint_eq(b[0], 0x10);
    put_le16(b, 0xabcd);
    ck_assert_uint_eq(get_le16(b), 0xabcd);
}
END_TEST

START_TEST(sums_and_products_report_overflow)
{
    uint64_t v;
    size_t s;
    ck_assert(add_u64(UINT64_MAX - 1, 1, &v));
    ck_assert_uint_eq(v, UINT64_MAX);
    ck_assert(!add_u64(UINT64_MAX, 1, &v));
    ck_assert(mul_u64(UINT64_C(1) << 32, UINT64_C(0xffffffff), &v));
    ck_assert(!mul_u64(UINT64_C(1) << 32, UINT64_C(1) << 32, &v));
    ck_assert(!add_size(SIZE_MAX, 1, &s));
    ck_assert(!mul_size(SIZE_MAX / 2 + 1, 2, &s));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("util/bytes");
    TCase *t = tcase_create("bytes");
    tcase_add_test(t, loads_are_little_endian);
    tcase_add_test(t, load_of_the_last_bytes_works_and_one_further_fails);
    tcase_add_test(t, huge_offsets_do_not_wrap);
    tcase_add_test(t, stores_and_loads_agree);
    tcase_add_test(t, sums_and_products_report_overflow);
    suite_add_tcase(s, t);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
