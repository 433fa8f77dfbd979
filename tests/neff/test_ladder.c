/* The reject ladder of neff-container.md §3, row by row, with the runtime's messages; fixture-allreduce.md
 * §11 item 10. */
#include "e1.h"

#include <inttypes.h>

static void setup(void)
{
    e1_stored();
}

static void put(size_t off, uint64_t v)
{
    put_le64(image + off, v);
}

START_TEST(row_01_no_buffer)
{
    struct neff *n;
    ck_refused(neff_open_memory(NULL, 5000, NULL, &n, &err), NERR_INPUT, 2, 1, "Invalid NEFF buffer");
}
END_TEST

START_TEST(row_02_file_shorter_than_its_header)
{
    image_len = 1023;
    ck_refused(e1_open(false), NERR_INPUT, 2, 2, "Invalid number of NEFF bytes received 3ff");
    image_len = 0;
    ck_refused(e1_open(false), NERR_INPUT, 2, 2, "Invalid number of NEFF bytes received 0");
}
END_TEST

START_TEST(row_03_header_as_large_as_the_file)
{
    put(NEFF_HDR_HEADER_SIZE_OFF, image_len);
    ck_refused(e1_open(false), NERR_INPUT, 2, 3, "Invalid NEFF file size hdr sz: 5417, file sz: 5417:");
    image_len = 1024; /* a header alone */
    put(NEFF_HDR_HEADER_SIZE_OFF, 1024);
    ck_refused(e1_open(false), NERR_INPUT, 2, 3, "Invalid NEFF file size hdr sz: 400, file sz: 400:");
}
END_TEST

START_TEST(row_03_only_the_known_header_size_is_taken)
{
    put(NEFF_HDR_HEADER_SIZE_OFF, 0x800);
    ck_refused(e1_open(false), NERR_INPUT, 2, 3,
               "header_size is 0x800, the only known header has 0x400 bytes");
}
END_TEST

START_TEST(row_04_major_3)
{
    put(NEFF_HDR_VERSION_MAJOR_OFF, 3);
    put(NEFF_HDR_VERSION_MINOR_OFF, 7);
    ck_refused(e1_open(false), NERR_RULE, 10, 4,
               "NEFF version: 3.7 is not supported, accepted version range: 0.x-2.x");
}
END_TEST

START_TEST(row_05_unknown_feature_bit_prints_only_the_offending_bits)
{
    put(NEFF_HDR_FEATURE_BITS_OFF, (1u << 27) | 5);
    ck_refused(e1_open(false), NERR_RULE, 10, 5,
               "This NEFF (version: 2.0, features: 0x8000000) has been compiled by a newer version of Neuron "
               "compiler. "
               "Features supported by this Neuron Runtime: 0x7ffffff. Please update the "
               "aws-neuronx-runtime-lib package "
               "to the latest version.");
}
END_TEST

START_TEST(row_05_every_bit_from_27_to_62_is_a_trap)
{
    for (unsigned bit = 0; bit < 64; bit++) {
        put(NEFF_HDR_FEATURE_BITS_OFF, UINT64_C(1) << bit);
        ck_assert_int_eq(e1_open(false), bit >= 27 && bit <= 62 ? NERR_RULE : 0);
    }
}
END_TEST

START_TEST(row_05_is_for_major_2_only)
{
    put(NEFF_HDR_FEATURE_BITS_OFF, 1u << 27);
    for (uint64_t major = 0; major < 2; major++) {
        put(NEFF_HDR_VERSION_MAJOR_OFF, major);
        ck_assert_int_eq(e1_open(false), 0);
    }
}
END_TEST

START_TEST(row_06_data_larger_than_the_file)
{
    put(NEFF_HDR_DATA_SIZE_OFF, 20504);
    ck_refused(e1_open(false), NERR_INPUT, 2, 6, "Invalid NEFF data size(5018 vs 5417)");
    put(NEFF_HDR_DATA_SIZE_OFF, UINT64_MAX);
    ck_refused(e1_open(false), NERR_INPUT, 2, 6, "Invalid NEFF data size(ffffffffffffffff vs 5417)");
}
END_TEST

START_TEST(row_07_packager_3)
{
    put(NEFF_HDR_PKG_VERSION_OFF, 3);
    ck_refused(e1_open(false), NERR_RULE, 10, 7, "Unsupported NEFF packager: 3");
    put(NEFF_HDR_PKG_VERSION_OFF, 0);
    ck_refused(e1_open(false), NERR_RULE, 10, 7, "Unsupported NEFF packager: 0");
}
END_TEST

START_TEST(row_08_no_data_while_verifying)
{
    put(NEFF_HDR_DATA_SIZE_OFF, 0);
    ck_assert_int_eq(e1_open(false), NERR_INPUT);
    ck_assert_int_eq(err.gate, 8);
    ck_assert_ptr_nonnull(strstr(err.text, "assertion `len > 0' failed in neff.cpp line 0x40 (md5)"));
    put(NEFF_HDR_PKG_VERSION_OFF, 1);
    ck_assert_int_eq(e1_open(false), NERR_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "0x34 (sha256)"));
    ck_assert_int_eq(e1_open(true), NERR_INPUT); /* unverified: not an archive */
    ck_assert_int_gt(err.gate, 10);
}
END_TEST

START_TEST(row_09_sha256_differs)
{
    e1_build(1, 0);
    image[NEFF_HDR_HASH_OFF + 31] ^= 1; /* all 32 bytes count */
    ck_refused(e1_open(false), NERR_RULE, 2, 9, "SHA256 mismatch!");
    ck_assert_int_eq(e1_open(true), 0);
}
END_TEST

START_TEST(row_10_md5_differs)
{
    image[NEFF_HDR_HASH_OFF + 15] ^= 1;
    ck_refused(e1_open(false), NERR_RULE, 2, 10, "MD5 mismatch!");
    ck_assert_int_eq(e1_open(true), 0);
}
END_TEST

START_TEST(row_10_the_tail_of_an_md5_hash_is_ignored)
{
    memset(image + NEFF_HDR_HASH_OFF + 16, 0, 16);
    ck_assert_int_eq(e1_open(false), 0);
}
END_TEST

START_TEST(version_is_judged_before_size_and_packager)
{
    put(NEFF_HDR_VERSION_MAJOR_OFF, 3);
    put(NEFF_HDR_DATA_SIZE_OFF, UINT64_MAX);
    put(NEFF_HDR_PKG_VERSION_OFF, 9);
    ck_assert_int_eq(e1_open(false), NERR_RULE);
    ck_assert_int_eq(err.gate, 4);
    put(NEFF_HDR_VERSION_MAJOR_OFF, 2);
    put(NEFF_HDR_FEATURE_BITS_OFF, UINT64_C(1) << 62);
    ck_assert_int_eq(e1_open(false), NERR_RULE);
    ck_assert_int_eq(err.gate, 5);
    put(NEFF_HDR_FEATURE_BITS_OFF, 0);
    ck_assert_int_eq(e1_open(false), NERR_INPUT);
    ck_assert_int_eq(err.gate, 6);
    put(NEFF_HDR_DATA_SIZE_OFF, 20503);
    ck_assert_int_eq(e1_open(false), NERR_RULE);
    ck_assert_int_eq(err.gate, 7);
}
END_TEST

START_TEST(bytes_after_the_window_are_tolerated)
{
    image = realloc(image, image_len + 100);
    memset(image + image_len, 0xee, 100);
    image_len += 100;
    ck_assert_int_eq(e1_open(false), 0);
}
END_TEST

static void count_warning(void *ctx, const char *where, const char *text)
{
    (void)where;
    ck_assert_uint_gt(strlen(text), 0);
    ++*(int *)ctx;
}

START_TEST(vnc_size_outside_1_to_2_is_a_warning)
{
    int warnings = 0;
    struct neff_options opt = { .warn = count_warning, .warn_ctx = &warnings };
    struct neff *n;
    put_le32(image + NEFF_HDR_VNC_SIZE_OFF, 3);
    ck_assert_int_eq(neff_open_memory(image, image_len, &opt, &n, &err), 0);
    ck_assert_int_eq(warnings, 1);
    ck_assert_uint_eq(neff_get_header(n)->vnc_size, 3);
    neff_close(n);
}
END_TEST

START_TEST(unterminated_texts_are_cut_at_their_field)
{
    struct neff *n;
    memset(image + NEFF_HDR_NAME_OFF, 'n', NEFF_HDR_NAME_BYTES);
    memset(image + NEFF_HDR_BUILD_VERSION_OFF, 'b', NEFF_HDR_BUILD_VERSION_BYTES);
    ck_assert_int_eq(neff_open_memory(image, image_len, NULL, &n, &err), 0);
    ck_assert_uint_eq(strlen(neff_get_header(n)->name), 255);
    ck_assert_uint_eq(strlen(neff_get_header(n)->build_version), 128);
    neff_close(n);
}
END_TEST

START_TEST(a_truncated_file_is_always_refused)
{
    size_t whole = image_len;
    for (size_t len = 0; len < whole; len += 97) {
        uint8_t *exact = malloc(len ? len : 1); /* so that ASan sees any read beyond */
        struct neff *n;
        memcpy(exact, image, len);
        ck_assert_int_eq(neff_open_memory(exact, len, NULL, &n, &err), NERR_INPUT);
        free(exact);
    }
}
END_TEST

START_TEST(a_file_on_disk_is_named_in_the_error)
{
    char path[] = "/tmp/neffsim-ladder-XXXXXX";
    struct neff *n;
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    FILE *f = fdopen(fd, "wb");
    image[0] = 9;
    ck_assert_uint_eq(fwrite(image, 1, image_len, f), image_len);
    fclose(f);
    ck_assert_int_eq(neff_open(path, NULL, &n, &err), NERR_RULE);
    ck_assert_int_eq(strncmp(err.where, path, strlen(path)), 0);
    ck_assert_str_eq(err.where + strlen(path), " byte 0x0");
    remove(path);
    ck_assert_int_eq(neff_open(path, NULL, &n, &err), NERR_IO);
    ck_assert_str_eq(err.where, path);
}
END_TEST

START_TEST(feature_bits_have_names)
{
    ck_assert_str_eq(neff_feature_name(2), "neff_feature_custom_ops");
    ck_assert_ptr_null(neff_feature_name(18));
    ck_assert_ptr_null(neff_feature_name(63));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("neff/ladder");
    TCase *t = tcase_create("ladder");
    tcase_add_checked_fixture(t, setup, e1_free);
    tcase_add_test(t, row_01_no_buffer);
    tcase_add_test(t, row_02_file_shorter_than_its_header);
    tcase_add_test(t, row_03_header_as_large_as_the_file);
    tcase_add_test(t, row_03_only_the_known_header_size_is_taken);
    tcase_add_test(t, row_04_major_3);
    tcase_add_test(t, row_05_unknown_feature_bit_prints_only_the_offending_bits);
    tcase_add_test(t, row_05_every_bit_from_27_to_62_is_a_trap);
    tcase_add_test(t, row_05_is_for_major_2_only);
    tcase_add_test(t, row_06_data_larger_than_the_file);
    tcase_add_test(t, row_07_packager_3);
    tcase_add_test(t, row_08_no_data_while_verifying);
    tcase_add_test(t, row_09_sha256_differs);
    tcase_add_test(t, row_10_md5_differs);
    tcase_add_test(t, row_10_the_tail_of_an_md5_hash_is_ignored);
    tcase_add_test(t, version_is_judged_before_size_and_packager);
    tcase_add_test(t, bytes_after_the_window_are_tolerated);
    tcase_add_test(t, vnc_size_outside_1_to_2_is_a_warning);
    tcase_add_test(t, unterminated_texts_are_cut_at_their_field);
    tcase_add_test(t, a_truncated_file_is_always_refused);
    tcase_add_test(t, a_file_on_disk_is_named_in_the_error);
    tcase_add_test(t, feature_bits_have_names);
    suite_add_tcase(s, t);
    return e1_main(s);
}
