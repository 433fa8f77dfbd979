/* util/sparse: the memory of bench and reference model. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "util/sparse.h"

static struct sparse *m, *n;

static void setup(void)
{
    m = sparse_new();
    n = sparse_new();
    ck_assert_ptr_nonnull(m);
    ck_assert_ptr_nonnull(n);
}

static void teardown(void)
{
    sparse_free(m);
    sparse_free(n);
}

static uint8_t byte_at(const struct sparse *s, uint64_t addr)
{
    uint8_t b = 0xaa;
    sparse_read(s, addr, &b, 1);
    return b;
}

START_TEST(unwritten_bytes_read_zero)
{
    uint8_t b[16];
    memset(b, 0xff, sizeof b);
    sparse_read(m, 0x123456789abcdef0, b, sizeof b);
    for (size_t i = 0; i < sizeof b; i++)
        ck_assert_uint_eq(b[i], 0);
}
END_TEST

START_TEST(a_write_over_page_borders_reads_back)
{
    uint8_t in[10000], out[sizeof in];
    for (size_t i = 0; i < sizeof in; i++)
        in[i] = (uint8_t)(i * 7 + 1);
    ck_assert(sparse_write(m, 0x1000 - 3, in, sizeof in));
    sparse_read(m, 0x1000 - 3, out, sizeof out);
    ck_assert_mem_eq(in, out, sizeof in);
    ck_assert_uint_eq(byte_at(m, 0x1000 - 4), 0);
    ck_assert_uint_eq(byte_at(m, 0x1000 - 3 + sizeof in), 0);
}
END_TEST

START_TEST(zeros_replace_what_was_there)
{
    uint8_t ones[0x2000], zeros[0x3000] = { 0 };
    memset(ones, 1, sizeof ones);
    ck_assert(sparse_write(m, 0x1800, ones, sizeof ones));
    ck_assert(sparse_write(m, 0x1000, zeros, sizeof zeros));
    for (uint64_t a = 0x1000; a < 0x4000; a++)
        ck_assert_uint_eq(byte_at(m, a), 0);
}
END_TEST

START_TEST(zeros_over_a_huge_range_take_no_memory)
{
    static const uint8_t zeros[1 << 20];
    for (uint64_t a = 0; a < UINT64_C(1) << 32; a += sizeof zeros)
        ck_assert(sparse_write(m, a, zeros, sizeof zeros));
    uint8_t last = 1;
    ck_assert(sparse_write(m, UINT32_MAX, &last, 1));
    ck_assert_uint_eq(byte_at(m, UINT32_MAX), 1);
    ck_assert_uint_eq(byte_at(m, UINT32_MAX - 1), 0);
}
END_TEST

START_TEST(addresses_wrap_at_the_top)
{
    uint8_t in[4] = { 1, 2, 3, 4 }, out[4];
    ck_assert(sparse_write(m, UINT64_MAX - 1, in, 4));
    sparse_read(m, UINT64_MAX - 1, out, 4);
    ck_assert_mem_eq(in, out, 4);
    ck_assert_uint_eq(byte_at(m, 0), 3);
    ck_assert_uint_eq(byte_at(m, UINT64_MAX), 2);
}
END_TEST

START_TEST(strobe_writes_only_marked_bytes)
{
    uint8_t in[64], out[64];
    for (size_t i = 0; i < 64; i++)
        in[i] = (uint8_t)(i + 1);
    ck_assert(sparse_write_strobe(m, 0x2fe0, in, 64, UINT64_C(0x8000000000000ff1)));
    sparse_read(m, 0x2fe0, out, 64);
    for (size_t i = 0; i < 64; i++)
        ck_assert_uint_eq(out[i], UINT64_C(0x8000000000000ff1) >> i & 1 ? i + 1 : 0);
}
END_TEST

START_TEST(strobe_of_zero_touches_nothing)
{
    uint8_t in[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };
    ck_assert(sparse_write_strobe(m, 0, in, 8, 0));
    ck_assert_uint_eq(byte_at(m, 0), 0);
}
END_TEST

START_TEST(many_pages_survive_growth)
{
    for (uint64_t i = 0; i < 1000; i++) {
        uint32_t v = (uint32_t)(i * 2654435761u);
        ck_assert(sparse_write(m, i << 28, &v, sizeof v));
    }
    for (uint64_t i = 0; i < 1000; i++) {
        uint32_t v = 0;
        sparse_read(m, i << 28, &v, sizeof v);
        ck_assert_uint_eq(v, (uint32_t)(i * 2654435761u));
    }
}
END_TEST

START_TEST(equal_memories_have_no_difference)
{
    uint8_t zero[100] = { 0 };
    uint64_t addr = 0;
    ck_assert(sparse_write(m, 0x5000, zero, sizeof zero)); /* a page of zeros equals no page */
    ck_assert(!sparse_first_difference(m, n, &addr));
    ck_assert(!sparse_first_difference(n, m, &addr));
}
END_TEST

START_TEST(the_lowest_difference_is_found_from_either_side)
{
    uint8_t one = 1;
    uint64_t addr = 0;
    ck_assert(sparse_write(m, 0x90000, &one, 1));
    ck_assert(sparse_write(n, 0x80123, &one, 1));
    ck_assert(sparse_first_difference(m, n, &addr));
    ck_assert_uint_eq(addr, 0x80123);
    addr = 0x80124;
    ck_assert(sparse_first_difference(m, n, &addr));
    ck_assert_uint_eq(addr, 0x90000);
    addr = 0x90001;
    ck_assert(!sparse_first_difference(m, n, &addr));
}
END_TEST

START_TEST(differences_before_the_start_do_not_count)
{
    uint8_t one = 1;
    uint64_t addr = 0x1001;
    ck_assert(sparse_write(m, 0x1000, &one, 1));
    ck_assert(!sparse_first_difference(m, n, &addr));
    ck_assert(sparse_write(m, 0x1fff, &one, 1));
    ck_assert(sparse_first_difference(m, n, &addr));
    ck_assert_uint_eq(addr, 0x1fff);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("util/sparse");
    TCase *t = tcase_create("sparse");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, unwritten_bytes_read_zero);
    tcase_add_test(t, a_write_over_page_borders_reads_back);
    tcase_add_test(t, zeros_replace_what_was_there);
    tcase_add_test(t, zeros_over_a_huge_range_take_no_memory);
    tcase_add_test(t, addresses_wrap_at_the_top);
    tcase_add_test(t, strobe_writes_only_marked_bytes);
    tcase_add_test(t, strobe_of_zero_touches_nothing);
    tcase_add_test(t, many_pages_survive_growth);
    tcase_add_test(t, equal_memories_have_no_difference);
    tcase_add_test(t, the_lowest_difference_is_found_from_either_side);
    tcase_add_test(t, differences_before_the_start_do_not_count);
    suite_add_tcase(s, t);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
