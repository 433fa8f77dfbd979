/* util/file, util/hash and util/strbuf. */
#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/file.h"
#include "util/hash.h"
#include "util/strbuf.h"

static char dir[64], path[96];
static struct nerr err;

static void setup(void)
{
    strcpy(dir, "/tmp/neffsim-file-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/f", dir);
}

static void teardown(void)
{
    DIR *d = opendir(dir);
    for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
        char *p = text_printf("%s/%s", dir, e->d_name);
        if (e->d_name[0] != '.')
            remove(p);
        free(p);
    }
    closedir(d);
    rmdir(dir);
}

static int entries(void)
{
    DIR *d = opendir(dir);
    int n = 0;
    for (struct dirent *e; (e = readdir(d)) != NULL;)
        n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

START_TEST(what_is_written_reads_back)
{
    uint8_t *buf;
    size_t len, n = 200000;
    uint8_t *in = malloc(n);
    for (size_t i = 0; i < n; i++)
        in[i] = (uint8_t)(i * 31);
    ck_assert_int_eq(file_write(path, in, n, &err), 0);
    ck_assert_int_eq(file_read(path, 0, &buf, &len, &err), 0);
    ck_assert_uint_eq(len, n);
    ck_assert_mem_eq(buf, in, n);
    ck_assert_uint_eq(buf[n], 0);
    ck_assert_int_eq(entries(), 1);
    free(buf);
    free(in);
}
END_TEST

START_TEST(an_empty_file_is_a_buffer_of_length_zero)
{
    uint8_t *buf;
    size_t len = 9;
    ck_assert_int_eq(file_write(path, "", 0, &err), 0);
    ck_assert_int_eq(file_read(path, 0, &buf, &len, &err), 0);
    ck_assert_ptr_nonnull(buf);
    ck_assert_uint_eq(len, 0);
    free(buf);
}
END_TEST

START_TEST(the_limit_is_inclusive)
{
    uint8_t *buf;
    size_t len;
    ck_assert_int_eq(file_write(path, "12345", 5, &err), 0);
    ck_assert_int_eq(file_read(path, 5, &buf, &len, &err), 0);
    free(buf);
    ck_assert_int_eq(file_read(path, 4, &buf, &len, &err), NERR_INPUT);
}
END_TEST

START_TEST(missing_files_and_folders_are_io_errors)
{
    uint8_t *buf;
    size_t len;
    ck_assert_int_eq(file_read(path, 0, &buf, &len, &err), NERR_IO);
    ck_assert_str_eq(err.where, path);
    ck_assert_int_eq(file_read(dir, 0, &buf, &len, &err), NERR_IO);
    ck_assert_int_eq(file_read("/dev/zero", 100000, &buf, &len, &err), NERR_INPUT); /* endless, but limited */
}
END_TEST

START_TEST(a_failed_write_leaves_nothing_and_keeps_the_old_file)
{
    char below[128];
    ck_assert_int_eq(file_write(path, "old", 3, &err), 0);
    snprintf(below, sizeof below, "%s/no/such", dir);
    ck_assert_int_eq(file_write(below, "x", 1, &err), NERR_IO);
    ck_assert_int_eq(file_write(dir, "x", 1, &err), NERR_IO);
    ck_assert_int_eq(entries(), 1);
}
END_TEST

START_TEST(an_existing_file_is_replaced_with_normal_permissions)
{
    struct stat st;
    uint8_t *buf;
    size_t len;
    mode_t old = umask(022);
    ck_assert_int_eq(file_write(path, "a longer text", 13, &err), 0);
    ck_assert_int_eq(file_write(path, "new", 3, &err), 0);
    umask(old);
    ck_assert_int_eq(file_read(path, 0, &buf, &len, &err), 0);
    ck_assert_str_eq((char *)buf, "new");
    free(buf);
    ck_assert_int_eq(stat(path, &st), 0);
    ck_assert_uint_eq(st.st_mode & 0777, 0644);
}
END_TEST

START_TEST(links_and_devices_are_written_in_place)
{
    struct stat st;
    char link[128];
    snprintf(link, sizeof link, "%s/l", dir);
    ck_assert_int_eq(file_write(path, "x", 1, &err), 0);
    ck_assert_int_eq(symlink(path, link), 0);
    ck_assert_int_eq(file_write(link, "yz", 2, &err), 0);
    ck_assert_int_eq(lstat(link, &st), 0);
    ck_assert(S_ISLNK(st.st_mode));
    ck_assert_int_eq(stat(path, &st), 0);
    ck_assert_int_eq((int)st.st_size, 2);
    ck_assert_int_eq(file_write("/dev/null", "x", 1, &err), 0);
    ck_assert_int_eq(stat("/dev/null", &st), 0);
    ck_assert(S_ISCHR(st.st_mode));
}
END_TEST

START_TEST(only_a_regular_file_is_discarded)
{
    char link[112];
    snprintf(link, sizeof link, "%s/link", dir);
    ck_assert_int_eq(file_write(path, "x", 1, &err), 0);
    ck_assert_int_eq(symlink(path, link), 0);
    file_discard(link);
    file_discard(dir);
    ck_assert_int_eq(entries(), 2);
    file_discard(path);
    ck_assert_int_eq(entries(), 1);
    file_discard(path);
}
END_TEST

START_TEST(digests_match_their_published_values)
{
    uint8_t d[HASH_SHA256_BYTES];
    char hex[2 * HASH_SHA256_BYTES + 1];
    ck_assert_int_eq(hash_md5("abc", 3, d, &err), 0);
    ck_assert_str_eq(hash_hex(d, HASH_MD5_BYTES, hex), "900150983cd24fb0d6963f7d28e17f72"); /* RFC 1321 */
    ck_assert_int_eq(hash_md5(NULL, 0, d, &err), 0);
    ck_assert_str_eq(hash_hex(d, HASH_MD5_BYTES, hex), "d41d8cd98f00b204e9800998ecf8427e");
    ck_assert_int_eq(hash_sha256("abc", 3, d, &err), 0);
    ck_assert_str_eq(hash_hex(d, HASH_SHA256_BYTES, hex),
                     "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"); /* FIPS 180-4 */
}
END_TEST

START_TEST(strings_grow_and_format)
{
    struct strbuf b = { 0 };
    for (int i = 0; i < 1000; i++)
        strbuf_printf(&b, "%d,", i);
    strbuf_add(&b, "\0z", 2);
    ck_assert(!b.failed);
    ck_assert_uint_eq(b.len, 3890 + 2);
    ck_assert_int_eq(memcmp(b.s, "0,1,2,", 6), 0);
    ck_assert_uint_eq((unsigned char)b.s[b.len], 0);
    strbuf_free(&b);
    char *t = text_printf("%s-%d", "a", 5);
    ck_assert_str_eq(t, "a-5");
    free(t);
    t = text_copy_n("abcdef", 3);
    ck_assert_str_eq(t, "abc");
    free(t);
    t = text_copy("");
    ck_assert_str_eq(t, "");
    free(t);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("util/file");
    TCase *t = tcase_create("file");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, what_is_written_reads_back);
    tcase_add_test(t, an_empty_file_is_a_buffer_of_length_zero);
    tcase_add_test(t, the_limit_is_inclusive);
    tcase_add_test(t, missing_files_and_folders_are_io_errors);
    tcase_add_test(t, a_failed_write_leaves_nothing_and_keeps_the_old_file);
    tcase_add_test(t, an_existing_file_is_replaced_with_normal_permissions);
    tcase_add_test(t, links_and_devices_are_written_in_place);
    tcase_add_test(t, only_a_regular_file_is_discarded);
    tcase_add_test(t, digests_match_their_published_values);
    tcase_add_test(t, strings_grow_and_format);
    suite_add_tcase(s, t);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
