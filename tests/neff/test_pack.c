/* The packer: source folders, hex dumps, header.json, refusals (docs/neff-pack.md, neff-container.md §23). */
#include "e1.h"

#include <sys/stat.h>
#include <unistd.h>

#include "util/file.h"

static char dir[64];

/* A file below the scratch folder. */
static void put(const char *name, const char *text)
{
    char *path = text_printf("%s/%s", dir, name);
    ck_assert_int_eq(file_write(path, text, strlen(text), &err), 0);
    free(path);
}

static void copy_member(const char *name)
{
    char *from = text_printf("%s/%s", E1_SOURCE, name), *to = text_printf("%s/%s", dir, name);
    uint8_t *buf;
    size_t len;
    ck_assert_int_eq(file_read(from, 0, &buf, &len, &err), 0);
    ck_assert_int_eq(file_write(to, buf, len, &err), 0);
    free(buf);
    free(from);
    free(to);
}

/* A copy of the source of E1 without its header.json. */
static void setup(void)
{
    static const char *const names[] = { "kelf-a.json",   "neff.json",       "sg00/act.asm",
                                         "sg00/act.bin",  "sg00/act.json",   "sg00/def.json",
                                         "sg00/dve.asm",  "sg00/dve.bin",    "sg00/dve.json",
                                         "sg00/pe.asm",   "sg00/pe.bin.hex", "sg00/pe.json",
                                         "sg00/pool.asm", "sg00/pool.json",  "sg00/pool.bin.hex",
                                         "sg00/sp.asm",   "sg00/sp.bin",     "sg00/sp.json" };
    strcpy(dir, "/tmp/neffsim-pack-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(dir));
    char *sg = text_printf("%s/sg00", dir);
    ck_assert_int_eq(mkdir(sg, 0755), 0);
    free(sg);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        copy_member(names[i]);
}

static void teardown(void)
{
    char *command = text_printf("rm -rf '%s'", dir);
    ck_assert_int_eq(system(command), 0);
    free(command);
    e1_free();
}

static int pack(const struct neff_pack_options *opt)
{
    e1_free();
    memset(&err, 0, sizeof err);
    return neff_pack_folder(dir, opt, &image, &image_len, &err);
}

static struct neff *packed(const struct neff_pack_options *opt)
{
    struct neff *n;
    ck_assert_msg(pack(opt) == 0, "%s: %s", err.where, err.text);
    ck_assert_int_eq(neff_open_memory(image, image_len, NULL, &n, &err), 0);
    return n;
}

static void refused(int code, const char *where, const char *text)
{
    int rc = pack(NULL);
    ck_assert_msg(rc == code, "code %d (%s: %s)", rc, err.where, err.text);
    ck_assert_msg(strstr(err.where, where) && strstr(err.text, text), "\"%s\": \"%s\"", err.where, err.text);
}

START_TEST(without_header_json_the_conventions_apply)
{
    struct neff *n = packed(NULL);
    const struct neff_header *h = neff_get_header(n);
    ck_assert_uint_eq(h->pkg_version, 2);
    ck_assert_uint_eq(h->version_major, 1);
    ck_assert_uint_eq(h->unused_0, 1);
    ck_assert_uint_eq(h->requested_tpb_count, 1);
    ck_assert_uint_eq(h->vnc_size, 1);
    ck_assert_uint_eq(h->uuid[6] >> 4, 4);
    ck_assert_uint_eq(h->uuid[8] >> 6, 2);
    ck_assert_uint_eq(neff_member_count(n), 18);
    ck_assert_str_eq(neff_member_at(n, 0)->name, "kelf-a.json");
    ck_assert_str_eq(neff_member_at(n, 1)->name, "neff.json");
    ck_assert_str_eq(neff_member_at(n, 2)->name, "sg00/act.asm"); /* sorted */
    const char *tar = (const char *)image + NEFF_HDR_SIZE + 15;
    ck_assert_str_eq(tar + 0x109, "nobody");
    ck_assert_str_eq(tar + 0x88, "00000000000");
    neff_close(n);
}
END_TEST

START_TEST(the_uuid_follows_the_content)
{
    uint8_t first[16];
    neff_close(packed(NULL));
    memcpy(first, image + NEFF_HDR_UUID_OFF, 16);
    neff_close(packed(NULL));
    ck_assert_mem_eq(image + NEFF_HDR_UUID_OFF, first, 16);
    put("extra.json", "{}");
    neff_close(packed(NULL));
    ck_assert_mem_ne(image + NEFF_HDR_UUID_OFF, first, 16);
}
END_TEST

START_TEST(every_header_field_can_be_given)
{
    put("header.json",
        "{\"pkg_version\": 2, \"version_major\": 2, \"version_minor\": 9, \"build_version\": \"b\", "
        "\"unused_0\": 4294967295, \"uuid\": \"00112233-4455-6677-8899-AABBCCDDEEFF\", \"name\": \"model\", "
        "\"requested_tpb_count\": 2, \"tpb_per_node\": [2, 255], \"feature_bits\": 134217727, "
        "\"vnc_size\": 2, \"hash\": \"ignored\", \"data_size\": 1, \"header_size\": 1, "
        "\"archive\": {\"gzip\": 9, \"uid\": 5, \"gid\": 6, \"mtime\": 7, \"uname\": \"u\", \"gname\": "
        "\"g\", "
        "\"file_mode\": \"0600\", \"dir_mode\": \"0700\"}}");
    struct neff *n = packed(NULL);
    const struct neff_header *h = neff_get_header(n);
    ck_assert_uint_eq(h->version_minor, 9);
    ck_assert_str_eq(h->build_version, "b");
    ck_assert_uint_eq(h->unused_0, UINT32_MAX);
    ck_assert_uint_eq(h->uuid[15], 0xff);
    ck_assert_str_eq(h->name, "model");
    ck_assert_uint_eq(h->requested_tpb_count, 2);
    ck_assert_uint_eq(h->tpb_per_node[1], 255);
    ck_assert_uint_eq(h->feature_bits, 134217727);
    ck_assert_uint_eq(h->vnc_size, 2);
    ck_assert_uint_eq(neff_member_count(n), 18); /* header.json is no member */
    ck_assert_ptr_null(neff_find(n, "header.json"));
    neff_close(n);
}
END_TEST

START_TEST(a_feature_bit_raises_the_major)
{
    put("header.json", "{\"feature_bits\": 4}");
    neff_close(packed(NULL));
    ck_assert_uint_eq(get_le64(image + NEFF_HDR_VERSION_MAJOR_OFF), 2);
    put("header.json", "{\"feature_bits\": 4, \"version_major\": 1}");
    neff_close(packed(NULL));
    ck_assert_uint_eq(get_le64(image + NEFF_HDR_VERSION_MAJOR_OFF), 1);
}
END_TEST

static const struct {
    const char *json, *where, *text;
    int code;
} bad_headers[] = {
    { "{", "header.json", "not JSON", NERR_INPUT },
    { "[]", "header.json", "expected an object", NERR_RULE },
    { "{\"nmae\": \"x\"}", "header.json nmae", "no key of header.json", NERR_RULE },
    { "{\"archive\": {\"members\": []}}", "header.json archive.members", "does not name", NERR_RULE },
    { "{\"archive\": {\"members\": [\"no\"]}}", "archive.members[0]", "does not have", NERR_RULE },
    { "{\"archive\": {\"members\": [\"neff.json\", \"neff.json\"]}}", "archive.members[1]", "a second time",
      NERR_RULE },
    { "{\"archive\": {\"member\": []}}", "archive.member", "no key of header.json", NERR_RULE },
    { "{\"archive\": {\"gzip\": 10}}", "archive.gzip", "found 10", NERR_RULE },
    { "{\"archive\": {\"gzip\": \"best\"}}", "archive.gzip", "expected \"stored\"", NERR_RULE },
    { "{\"archive\": {\"file_mode\": \"0888\"}}", "archive.file_mode", "octal", NERR_RULE },
    { "{\"archive\": {\"file_mode\": \"\"}}", "archive.file_mode", "octal", NERR_RULE },
    { "{\"archive\": {\"uname\": \"a-name-of-more-than-thirty-two-bytes\"}}", "", "at most 32 bytes",
      NERR_RULE },
    { "{\"archive\": {\"uid\": -1}}", "archive.uid", "found -1", NERR_RULE },
    { "{\"pkg_version\": 3}", "pkg_version", "found 3", NERR_RULE },
    { "{\"uuid\": \"00112233-4455-6677-8899-aabbccddeef\"}", "uuid", "expected the form", NERR_RULE },
    { "{\"uuid\": \"00112233-4455-6677-8899-aabbccddeefg\"}", "uuid", "expected the form", NERR_RULE },
    { "{\"uuid\": \"00112233-4455-6677-8899xaabbccddeeff\"}", "uuid", "expected the form", NERR_RULE },
    { "{\"vnc_size\": 4294967296}", "vnc_size", "found 4294967296", NERR_RULE },
    { "{\"tpb_per_node\": [256]}", "tpb_per_node[0]", "found 256", NERR_RULE },
    { "{\"name\": 1}", "name", "expected a string", NERR_RULE },
    { "{\"version_major\": 3}", "", "NEFF version: 3.0 is not supported", NERR_RULE },
    { "{\"feature_bits\": 134217728}", "", "features: 0x8000000", NERR_RULE },
};

START_TEST(a_wrong_header_json_is_refused)
{
    put("header.json", bad_headers[_i].json);
    refused(bad_headers[_i].code, bad_headers[_i].where, bad_headers[_i].text);
    ck_assert_int_eq(strncmp(err.where, dir, strlen(dir)), 0);
}
END_TEST

START_TEST(an_overlong_name_is_refused)
{
    char text[400];
    snprintf(text, sizeof text, "{\"name\": \"%0256d\"}", 0);
    put("header.json", text);
    refused(NERR_RULE, "header.json name", "has 256 bytes, at most 255");
    snprintf(text, sizeof text, "{\"name\": \"%0255d\"}", 0);
    put("header.json", text);
    neff_close(packed(NULL));
}
END_TEST

START_TEST(options_override_header_json)
{
    struct neff_pack_options opt = { .pkg = 1 };
    put("header.json", "{\"unused_0\": 1, \"archive\": {\"gzip\": 9}}");
    neff_close(packed(&opt));
    ck_assert_uint_eq(get_le64(image), 1);
    ck_assert_uint_eq(get_le32(image + NEFF_HDR_UNUSED_0_OFF), 0);
    opt = (struct neff_pack_options){ .has_gzip = true, .gzip = NEFF_PACK_STORED };
    neff_close(packed(&opt));
    ck_assert_uint_eq(image_len % 512, (1024 + 23) % 512);
}
END_TEST

START_TEST(reproducible_forgets_owner_time_uuid_and_order)
{
    struct neff_pack_options opt = { .reproducible = true };
    uint8_t *first;
    put("header.json",
        "{\"uuid\": \"00112233-4455-4677-8899-aabbccddeeff\", \"archive\": {\"mtime\": 5, \"gzip\": 9, "
        "\"uname\": \"me\"}}");
    neff_close(packed(&opt));
    first = image;
    image = NULL;
    size_t len = image_len;
    put("header.json", "{}");
    neff_close(packed(NULL));
    ck_assert_uint_eq(len, image_len);
    ck_assert_mem_eq(first, image, len);
    free(first);
}
END_TEST

START_TEST(what_the_reader_refuses_is_not_packed)
{
    put("sg00/pool.json", "{\"instr\": \"pool.bin\", \"dma\": 7}");
    ck_assert_int_eq(pack(NULL), NERR_RULE);
    ck_assert_ptr_nonnull(strstr(err.where, "sg00/pool.json dma"));
}
END_TEST

START_TEST(a_folder_without_neff_json_is_refused)
{
    char *path = text_printf("%s/neff.json", dir);
    remove(path);
    free(path);
    refused(NERR_RULE, "", "neff.json is missing");
    ck_assert_int_eq(err.gate, 16);
}
END_TEST

START_TEST(missing_folders_links_and_long_names_are_refused)
{
    ck_assert_int_eq(neff_pack_folder("/nonexistent", NULL, &image, &image_len, &err), NERR_IO);
    char *link = text_printf("%s/link", dir);
    ck_assert_int_eq(symlink("neff.json", link), 0);
    refused(NERR_INPUT, "link", "neither a file nor a folder");
    remove(link);
    free(link);
    char name[102];
    memset(name, 'n', 101);
    name[101] = '\0';
    put(name, "x");
    refused(NERR_RULE, "nnn", "has 101 bytes, 1 to 100");
}
END_TEST

static int warnings;

static void count_warning(void *ctx, const char *where, const char *text)
{
    (void)ctx;
    (void)where;
    (void)text;
    warnings++;
}

START_TEST(hidden_files_are_left_out_with_a_warning)
{
    struct neff_pack_options opt = { .warn = count_warning };
    put(".swp", "x");
    struct neff *n = packed(&opt);
    ck_assert_uint_eq(neff_member_count(n), 18);
    ck_assert_int_eq(warnings, 1);
    neff_close(n);
}
END_TEST

/* ---- hex dumps ---- */

static const struct {
    const char *text;
    size_t size;
    const char *bytes;
} dumps[] = {
    { "", 0, "" },
    { "# nothing\n\n", 0, "" },
    { "0: 01 02 FF", 3, "\x01\x02\xff" },
    { "00: 01 # a\r\n01:02\n", 2, "\x01\x02" },
    { "4: 07\n6:\n", 6, "\0\0\0\0\x07\0" },
    { "0: 0102 03\n", 0, NULL }, /* two digits a byte */
    { "0: 01 02\n*\n7:\n", 7, "\x01\x02\x01\x02\x01\x02\x01" },
    { "0: 01 02\n*\n6: 09\n", 7, "\x01\x02\x01\x02\x01\x02\x09" },
    { "0: 01\n0: 02\n", 0, NULL },
    { "0: 01\n*\n", 0, NULL },
    { "*\n4:\n", 0, NULL },
    { "0: 01\n* x\n4:\n", 0, NULL },
    { "01 02\n", 0, NULL },
    { "g: 01\n", 0, NULL },
    { "0: 0\n", 0, NULL },
    { "0: 0g\n", 0, NULL },
    { "0: 012\n", 0, NULL },
    { "123456789abc: 01\n", 0, NULL },
};

START_TEST(hex_dumps_become_bytes)
{
    put("w.bin.hex", dumps[_i].text);
    if (!dumps[_i].bytes) {
        refused(NERR_INPUT, "w.bin.hex:", "found \"");
        return;
    }
    struct neff *n = packed(NULL);
    const struct neff_member *m = neff_find(n, "w.bin");
    ck_assert_ptr_nonnull(m);
    ck_assert_ptr_null(neff_find(n, "w.bin.hex"));
    ck_assert_uint_eq(m->size, dumps[_i].size);
    ck_assert_int_eq(memcmp(m->data, dumps[_i].bytes, m->size), 0);
    neff_close(n);
}
END_TEST

START_TEST(only_bin_and_npy_have_hex_forms)
{
    put("w.npy.hex", "0: 93");
    put("notes.hex", "not a dump");
    struct neff *n = packed(NULL);
    ck_assert_ptr_nonnull(neff_find(n, "w.npy"));
    ck_assert_ptr_nonnull(neff_find(n, "notes.hex"));
    neff_close(n);
}
END_TEST

START_TEST(a_member_given_twice_is_refused)
{
    put("sg00/pe.bin", "x");
    refused(NERR_RULE, "", "sg00/pe.bin exists twice");
}
END_TEST

START_TEST(hex_errors_name_file_and_line)
{
    put("w.bin.hex", "0: 01\n# fine\n2: zz\n");
    ck_assert_int_eq(pack(NULL), NERR_INPUT);
    ck_assert_ptr_nonnull(strstr(err.where, "/w.bin.hex:3"));
    ck_assert_str_eq(err.text, "found \"zz\", expected a byte as two hex digits");
}
END_TEST

/* ---- members in memory ---- */

START_TEST(compressed_and_stored_forms_of_large_members_read_back)
{
    size_t size = 300000; /* several stored blocks */
    uint8_t *data = malloc(size);
    for (size_t i = 0; i < size; i++)
        data[i] = (uint8_t)((i * i) >> 7);
    struct neff_file files[] = { { "d/", NULL, 0 }, { "d/big.bin", data, size }, { "empty", "", 0 } };
    for (int level = NEFF_PACK_STORED; level <= 9; level++) {
        struct neff_pack_settings s;
        struct neff *n;
        neff_pack_defaults(&s);
        s.gzip = level;
        e1_free();
        ck_assert_int_eq(neff_pack_memory(files, 3, &s, &image, &image_len, &err), 0);
        ck_assert_int_eq(neff_open_memory(image, image_len, NULL, &n, &err), 0);
        ck_assert_uint_eq(neff_member_count(n), 2);
        ck_assert_mem_eq(neff_find(n, "d/big.bin")->data, data, size);
        neff_close(n);
    }
    free(data);
}
END_TEST

START_TEST(an_archive_of_nothing_is_readable)
{
    struct neff_pack_settings s;
    struct neff *n;
    neff_pack_defaults(&s);
    ck_assert_int_eq(neff_pack_memory(NULL, 0, &s, &image, &image_len, &err), 0);
    ck_assert_int_eq(neff_open_memory(image, image_len, NULL, &n, &err), 0);
    ck_assert_uint_eq(neff_member_count(n), 0);
    ck_assert_ptr_null(neff_find(n, "x"));
    neff_close(n);
    s.gzip = 10;
    ck_assert_int_eq(neff_pack_memory(NULL, 0, &s, &image, &image_len, &err), NERR_RULE);
    e1_free();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("neff/pack");
    TCase *t = tcase_create("pack");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, without_header_json_the_conventions_apply);
    tcase_add_test(t, the_uuid_follows_the_content);
    tcase_add_test(t, every_header_field_can_be_given);
    tcase_add_test(t, a_feature_bit_raises_the_major);
    tcase_add_loop_test(t, a_wrong_header_json_is_refused, 0,
                        (int)(sizeof bad_headers / sizeof bad_headers[0]));
    tcase_add_test(t, an_overlong_name_is_refused);
    tcase_add_test(t, options_override_header_json);
    tcase_add_test(t, reproducible_forgets_owner_time_uuid_and_order);
    tcase_add_test(t, what_the_reader_refuses_is_not_packed);
    tcase_add_test(t, a_folder_without_neff_json_is_refused);
    tcase_add_test(t, missing_folders_links_and_long_names_are_refused);
    tcase_add_test(t, hidden_files_are_left_out_with_a_warning);
    tcase_add_loop_test(t, hex_dumps_become_bytes, 0, (int)(sizeof dumps / sizeof dumps[0]));
    tcase_add_test(t, only_bin_and_npy_have_hex_forms);
    tcase_add_test(t, a_member_given_twice_is_refused);
    tcase_add_test(t, hex_errors_name_file_and_line);
    tcase_add_test(t, compressed_and_stored_forms_of_large_members_read_back);
    tcase_add_test(t, an_archive_of_nothing_is_readable);
    suite_add_tcase(s, t);
    return e1_main(s);
}
