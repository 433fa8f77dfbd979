/* Unpacking (unpack.h, docs/neff-pack.md): what is written, that packing gives it back, and that nothing
 * hostile leaves the folder or anything behind. */
#include "e1.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "neff/unpack.h"
#include "util/file.h"

static char scratch[64], dir[96];
static struct neff *n;

static void setup(void)
{
    strcpy(scratch, "/tmp/neffsim-unpack-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(scratch));
    snprintf(dir, sizeof dir, "%s/out", scratch);
}

static void teardown(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", scratch);
    ck_assert_int_eq(system(command), 0);
    neff_close(n);
    n = NULL;
    e1_free();
}

static char *below(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    return path;
}

static void put(const char *name, const char *text)
{
    ck_assert_int_eq(file_write(below(name), text, strlen(text), &err), 0);
}

static void holds(const char *name, const char *text)
{
    uint8_t *buf;
    size_t len;
    ck_assert_msg(file_read(below(name), 0, &buf, &len, &err) == 0, "%s: %s", err.where, err.text);
    ck_assert_str_eq((char *)buf, text);
    free(buf);
}

static bool exists(const char *name)
{
    struct stat st;
    return lstat(below(name), &st) == 0;
}

/* Entries of a folder, without . and .. */
static size_t entries(const char *path)
{
    size_t count = 0;
    DIR *d = opendir(path);
    ck_assert_ptr_nonnull(d);
    for (struct dirent *e; (e = readdir(d)) != NULL;)
        count += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(d);
    return count;
}

static int warnings;

static void warn(void *ctx, const char *where, const char *text)
{
    (void)ctx;
    (void)where;
    ck_assert_uint_gt(strlen(text), 0);
    warnings++;
}

static void open_files(const struct neff_file *files, size_t count, const struct neff_pack_settings *s)
{
    struct neff_pack_settings plain;
    neff_pack_defaults(&plain);
    free(image);
    image = NULL;
    neff_close(n);
    n = NULL;
    ck_assert_msg(neff_pack_memory(files, count, s ? s : &plain, &image, &image_len, &err) == 0, "%s",
                  err.text);
    ck_assert_msg(neff_open_memory(image, image_len, NULL, &n, &err) == 0, "%s", err.text);
}

static int unpack(const char *header, bool overwrite)
{
    struct neff_unpack_options opt = { .header_name = header, .overwrite = overwrite, .warn = warn };
    warnings = 0;
    memset(&err, 0, sizeof err);
    return neff_unpack(n, dir, &opt, &err);
}

/* What packing the folder again gives is the file that was unpacked. */
static void packs_back(const char *header)
{
    struct neff_pack_options opt = { .header_name = header, .unchecked = true, .warn = warn };
    uint8_t *again = NULL;
    size_t len = 0;
    warnings = 0;
    ck_assert_msg(neff_pack_folder(dir, &opt, &again, &len, &err) == 0, "%s: %s", err.where, err.text);
    ck_assert_uint_eq(len, image_len);
    for (size_t i = 0; i < len; i++)
        ck_assert_msg(again[i] == image[i], "byte 0x%zx is 0x%02x, was 0x%02x", i, again[i], image[i]);
    free(again);
}

START_TEST(e1_comes_back_in_every_package)
{
    static const struct {
        int pkg, gzip;
    } forms[] = { { 2, NEFF_PACK_STORED }, { 2, 6 }, { 1, 0 } };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        e1_build(forms[i].pkg, forms[i].gzip);
        neff_close(n);
        ck_assert_int_eq(neff_open_memory(image, image_len, NULL, &n, &err), 0);
        snprintf(dir, sizeof dir, "%s/%zu", scratch, i);
        ck_assert_msg(unpack(NULL, false) == 0, "%s: %s", err.where, err.text);
        ck_assert_int_eq(warnings, 0);
        packs_back(NULL);
        ck_assert_int_eq(warnings, 0);
    }
    ck_assert_uint_eq(entries(scratch), 3); /* no temporary folder is left */
    ck_assert_uint_eq(entries(below("0")), 4);
    ck_assert_uint_eq(entries(below("0/sg00")), 16);
}
END_TEST

START_TEST(names_that_packing_treats_specially_come_back)
{
    char name[200];
    memset(name, 'n', 150);
    memcpy(name + 20, "/folder/", 8);
    name[150] = '\0';
    const struct neff_file files[] = {
        { "z/", NULL, 0 },
        { "z/.hidden", "1", 1 },
        { ".hid/den", "2", 1 },
        { "x.bin.hex", "\0ff", 3 },
        { "w.npy.hex", "0: 01", 5 },
        { "with space\n\t\"", "3", 1 },
        { "\xc3\xbc/\xe2\x82\xac", "4", 1 },
        { "empty", "", 0 },
        { "empty-folder/", NULL, 0 },
        { "a/b/c/d", "5", 1 },
        { name, "long", 4 },
        { "d/wavegraph-bin.json", "side", 4 },
    };
    struct neff_pack_settings s;
    neff_pack_defaults(&s);
    s.long_names = true;
    open_files(files, sizeof files / sizeof files[0], &s);
    ck_assert_msg(unpack(NULL, false) == 0, "%s: %s", err.where, err.text);
    holds("out/x.bin.hex", "");
    holds("out/w.npy.hex", "0: 01");
    holds("out/.hid/den", "2");
    holds("out/d/wavegraph-bin.json", "side");
    ck_assert(exists("out/empty-folder"));
    packs_back(NULL);
    put("out/.swp", "x"); /* hidden and no member */
    packs_back(NULL);
    ck_assert_int_eq(warnings, 1);
}
END_TEST

START_TEST(every_header_field_comes_back)
{
    struct neff_pack_settings s;
    const struct neff_file files[] = { { "a", "1", 1 } };
    for (int round = 0; round < 2; round++) {
        neff_pack_defaults(&s);
        struct neff_header *h = &s.header;
        s.derive_uuid = false;
        s.keep_hash_tail = true;
        h->version_major = 2;
        h->version_minor = UINT64_MAX;
        h->feature_bits = UINT64_C(0x8000000007ffffff);
        h->unused_0 = 0x80000001;
        h->requested_tpb_count = UINT32_MAX;
        h->vnc_size = 7;
        for (size_t i = 0; i < sizeof h->hash; i++)
            h->hash[i] = (uint8_t)(i * 7 + 1);
        for (size_t i = 0; i < sizeof h->uuid; i++)
            h->uuid[i] = (uint8_t)(255 - i);
        memset(h->tpb_per_node, round ? 255 : 0, sizeof h->tpb_per_node);
        h->tpb_per_node[3] = 9;
        h->pad[round ? sizeof h->pad - 1 : 0] = 0xa5;
        strcpy(h->name, round ? "a \xff name" : "\xc3\xbc \"quoted\"");
        strcpy(h->build_version, "1.2%main@3");
        if (round)
            memcpy(h->build_version + 20, "after the NUL", 13);
        open_files(files, 1, &s);
        ck_assert_mem_eq(image + NEFF_HDR_HASH_OFF + 16, h->hash + 16, 16);
        ck_assert_mem_eq(image + NEFF_HDR_PAD_OFF, h->pad, sizeof h->pad);
        snprintf(dir, sizeof dir, "%s/%d", scratch, round);
        ck_assert_msg(unpack(NULL, false) == 0, "%s: %s", err.where, err.text);
        packs_back(NULL);
    }
}
END_TEST

START_TEST(modes_owners_and_times_come_back)
{
    static const struct neff_file_meta meta[] = {
        { 0755, 5, 6, 7, "me", "us" },
        { 0644, 0, 0, 0, "nobody", "nobody" },
        { 0700, 1, INT64_C(600260513), INT64_C(9000000000), "", "domain^users" },
    };
    const struct neff_file files[] = { { "run.sh", "1", 1 }, { "b", "2", 1 }, { "d/", NULL, 0 } };
    struct neff_pack_settings s;
    neff_pack_defaults(&s);
    s.meta = meta;
    open_files(files, 3, &s);
    ck_assert_uint_eq(neff_entry_at(n, 0)->mode, 0755);
    ck_assert_str_eq(neff_entry_at(n, 2)->gname, "domain^users");
    ck_assert_msg(unpack(NULL, false) == 0, "%s: %s", err.where, err.text);
    packs_back(NULL);
}
END_TEST

START_TEST(a_member_called_header_json_needs_another_name_for_the_header)
{
    const struct neff_file files[] = { { "header.json", "{}", 2 }, { "a", "1", 1 } };
    open_files(files, 2, NULL);
    ck_assert_int_eq(unpack(NULL, false), NERR_INPUT);
    ck_assert_str_eq(err.where, "header.json");
    ck_assert_ptr_nonnull(strstr(err.text, "--header NAME"));
    ck_assert(!exists("out"));
    ck_assert_int_eq(unpack("a", false), NERR_INPUT);
    ck_assert_int_eq(unpack("../h", false), NERR_INPUT);
    ck_assert_int_eq(unpack("", false), NERR_INPUT);
    ck_assert_int_eq(unpack("..", false), NERR_INPUT);
    ck_assert_uint_eq(entries(scratch), 0);
    ck_assert_int_eq(unpack("neff-header.json", false), 0);
    holds("out/header.json", "{}");
    packs_back("neff-header.json");
}
END_TEST

static const struct {
    const char *names[2], *where, *part;
} clashes[] = {
    { { "a", "a/b" }, "a/b", "a is a member and the folder of this one" },
    { { "x/a/b/c", "x/a" }, "x/a/b/c", "x/a is a member and the folder" },
    { { "a/", "a" }, "a/", "a is a member and the folder" },
    { { "a//b", "c" }, "a//b", "empty component" },
    { { "././b", "c" }, "./b", "component ." },
    { { "a/./b", "c" }, "a/./b", "component ." },
    { { "1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/f", "c" }, "1/2/3", "more than 16 folders" },
    { { "header.json/x", "c" }, "header.json/x", "--header NAME" },
};

START_TEST(names_that_cannot_be_files_of_one_folder_are_refused)
{
    const char *first = clashes[_i].names[0];
    const struct neff_file files[] = { { first, "1", first[strlen(first) - 1] != '/' },
                                       { clashes[_i].names[1], "2", 1 } };
    open_files(files, 2, NULL);
    int rc = unpack(NULL, false);
    ck_assert(rc == (strstr(clashes[_i].part, "--") ? NERR_INPUT : NERR_RULE));
    ck_assert_msg(strncmp(err.where, clashes[_i].where, strlen(clashes[_i].where)) == 0, "%s", err.where);
    ck_assert_msg(strstr(err.text, clashes[_i].part) != NULL, "%s", err.text);
    ck_assert_uint_eq(entries(scratch), 0);
}
END_TEST

START_TEST(deep_and_long_names_within_the_limits_are_written)
{
    char name[300];
    const struct neff_file files[] = { { "1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/f", "1", 1 },
                                       { name, "2", 1 } };
    struct neff_pack_settings s;
    neff_pack_defaults(&s);
    s.long_names = true;
    memset(name, 'n', 255);
    name[255] = '\0';
    open_files(files, 2, &s);
    ck_assert_msg(unpack(NULL, false) == 0, "%s: %s", err.where, err.text);
    packs_back(NULL);
    memset(name, 'n', 256);
    name[256] = '\0';
    open_files(files, 2, &s);
    ck_assert_int_eq(unpack(NULL, true), NERR_RULE);
    ck_assert_ptr_nonnull(strstr(err.text, "more than 255 bytes"));
}
END_TEST

START_TEST(a_name_that_is_no_utf8_is_unpacked_with_a_warning)
{
    const struct neff_file files[] = { { "z", "1", 1 }, { "\xff", "2", 1 } };
    open_files(files, 2, NULL);
    ck_assert_int_eq(unpack(NULL, false), 0);
    ck_assert_int_eq(warnings, 1);
    holds("out/\xff", "2");
    struct neff_pack_options opt = { .unchecked = true };
    uint8_t *again;
    size_t len;
    ck_assert_int_eq(neff_pack_folder(dir, &opt, &again, &len, &err), 0);
    free(again);
}
END_TEST

/* ---- a folder that exists ---- */

static void two_files(void)
{
    const struct neff_file files[] = { { "sub/a", "new a", 5 }, { "sub/b", "new b", 5 } };
    open_files(files, 2, NULL);
}

START_TEST(files_in_the_way_are_kept_unless_they_may_be_replaced)
{
    two_files();
    mkdir(dir, 0755);
    mkdir(below("out/sub"), 0755);
    put("out/sub/b", "old b");
    put("out/other", "mine");
    ck_assert_int_eq(unpack(NULL, false), NERR_INPUT);
    ck_assert_ptr_nonnull(strstr(err.where, "sub/b"));
    holds("out/sub/b", "old b");
    ck_assert(!exists("out/sub/a") && !exists("out/header.json"));
    ck_assert_int_eq(unpack(NULL, true), 0);
    holds("out/sub/a", "new a");
    holds("out/sub/b", "new b");
    holds("out/other", "mine");
    ck_assert_uint_eq(entries(below("out/sub")), 2);
    ck_assert_uint_eq(entries(dir), 3);
}
END_TEST

START_TEST(links_in_the_folder_are_not_followed)
{
    two_files();
    mkdir(dir, 0755);
    mkdir(below("outside"), 0755);
    ck_assert_int_eq(symlink("../outside", below("out/sub")), 0);
    for (int overwrite = 0; overwrite < 2; overwrite++) {
        ck_assert_int_eq(unpack(NULL, overwrite), NERR_IO);
        ck_assert_ptr_nonnull(strstr(err.text, "links are not followed"));
        ck_assert_uint_eq(entries(below("outside")), 0);
        ck_assert_uint_eq(entries(dir), 1);
    }
    unlink(below("out/sub"));
    mkdir(below("out/sub"), 0755);
    put("outside/f", "theirs");
    char *target = text_copy(below("outside/f"));
    ck_assert_int_eq(symlink(target, below("out/sub/b")), 0);
    for (int overwrite = 0; overwrite < 2; overwrite++) {
        ck_assert_int_eq(unpack(NULL, overwrite), NERR_INPUT);
        holds("outside/f", "theirs");
        ck_assert_uint_eq(entries(below("out/sub")), 1);
    }
    unlink(below("out/sub/b"));
    ck_assert_int_eq(symlink("../outside/new", below("out/header.json")), 0); /* leads nowhere yet */
    ck_assert_int_eq(unpack(NULL, true), NERR_INPUT);
    ck_assert(!exists("outside/new"));
    ck_assert_uint_eq(entries(below("out/sub")), 0);
    free(target);
}
END_TEST

START_TEST(a_folder_in_the_place_of_a_file_is_refused)
{
    two_files();
    mkdir(dir, 0755);
    mkdir(below("out/sub"), 0755);
    mkdir(below("out/sub/a"), 0755);
    ck_assert_int_eq(unpack(NULL, true), NERR_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "no plain file"));
    unlink(below("out/sub"));
    ck_assert(exists("out/sub/a"));
}
END_TEST

START_TEST(places_that_cannot_be_written_are_refused)
{
    two_files();
    snprintf(dir, sizeof dir, "%s/no/such/folder", scratch);
    ck_assert_int_eq(unpack(NULL, false), NERR_IO);
    snprintf(dir, sizeof dir, "%s/file", scratch);
    put("file", "x");
    ck_assert_int_eq(unpack(NULL, false), NERR_IO);
    holds("file", "x");
    snprintf(dir, sizeof dir, "%s/dangling", scratch);
    ck_assert_int_eq(symlink("nowhere", dir), 0);
    ck_assert_int_eq(unpack(NULL, false), NERR_IO);
    ck_assert_uint_eq(entries(scratch), 2);
}
END_TEST

START_TEST(a_failure_in_the_middle_leaves_nothing)
{
    static uint8_t data[20000];
    const struct neff_file files[] = { { "sub/a", "1", 1 },
                                       { "d/e/f", "2", 1 },
                                       { "big", data, sizeof data } };
    const struct rlimit small = { 10000, 10000 };
    signal(SIGXFSZ, SIG_IGN);
    open_files(files, 3, NULL);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    ck_assert_int_eq(unpack(NULL, false), NERR_IO);
    ck_assert_ptr_nonnull(strstr(err.where, "big"));
    ck_assert_uint_eq(entries(scratch), 0);
    mkdir(dir, 0755);
    mkdir(below("out/sub"), 0755);
    put("out/sub/a", "old");
    ck_assert_int_eq(unpack(NULL, true), NERR_IO);
    holds("out/sub/a", "old");
    ck_assert_uint_eq(entries(dir), 1);
    ck_assert_uint_eq(entries(below("out/sub")), 1);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("neff/unpack");
    TCase *t = tcase_create("unpack");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, e1_comes_back_in_every_package);
    tcase_add_test(t, names_that_packing_treats_specially_come_back);
    tcase_add_test(t, every_header_field_comes_back);
    tcase_add_test(t, modes_owners_and_times_come_back);
    tcase_add_test(t, a_member_called_header_json_needs_another_name_for_the_header);
    tcase_add_loop_test(t, names_that_cannot_be_files_of_one_folder_are_refused, 0,
                        (int)(sizeof clashes / sizeof clashes[0]));
    tcase_add_test(t, deep_and_long_names_within_the_limits_are_written);
    tcase_add_test(t, a_name_that_is_no_utf8_is_unpacked_with_a_warning);
    tcase_add_test(t, files_in_the_way_are_kept_unless_they_may_be_replaced);
    tcase_add_test(t, links_in_the_folder_are_not_followed);
    tcase_add_test(t, a_folder_in_the_place_of_a_file_is_refused);
    tcase_add_test(t, places_that_cannot_be_written_are_refused);
    tcase_add_test(t, a_failure_in_the_middle_leaves_nothing);
    suite_add_tcase(s, t);
    return e1_main(s);
}
