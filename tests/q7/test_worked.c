/* q7-prelink.md §16: the worked example, byte for byte, for both window sets. */
#include "worked.h"

#include "q7/q7.h"
#include "util/hash.h"

static uint8_t file[WORKED_BYTES];
static struct q7_options opt;
static struct q7_image img;
static struct q7_error err;
static struct q7_reloc seen[32];
static size_t nseen;
static unsigned warnings;

static void keep_reloc(void *ctx, const struct q7_reloc *r)
{
    (void)ctx;
    ck_assert_uint_lt(nseen, 32);
    seen[nseen++] = *r;
}

static void count_warning(void *ctx, const char *where, const char *text)
{
    (void)ctx;
    (void)where;
    (void)text;
    warnings++;
}

static void setup(void)
{
    worked_build(file);
    ck_assert(q7_options_for(ARCH_CAYMAN, &opt));
    opt.reloc = keep_reloc;
    opt.warn = count_warning;
    nseen = warnings = 0;
}

static void teardown(void)
{
    q7_image_free(&img);
}

static void expect_sha(const uint8_t *bytes, size_t n, const char *want)
{
    uint8_t digest[HASH_SHA256_BYTES];
    char hex[2 * HASH_SHA256_BYTES + 1];
    struct nerr e;
    ck_assert_int_eq(hash_sha256(bytes, n, digest, &e), 0);
    ck_assert_str_eq(hash_hex(digest, sizeof digest, hex), want);
}

static uint8_t *prelinked(void)
{
    ck_assert_msg(q7_prelink(file, sizeof file, &opt, &img, &err) == 0, "%s", err.detail);
    uint8_t *bytes = malloc(img.size);
    ck_assert_ptr_nonnull(bytes);
    q7_image_write(&img, bytes);
    return bytes;
}

START_TEST(file_has_the_hash_of_the_page)
{
    expect_sha(file, sizeof file, WORKED_SHA);
}
END_TEST

START_TEST(cayman_image_has_the_bytes_of_the_page)
{
    uint8_t want[WORKED_IMAGE];
    worked_build_image(want);
    expect_sha(want, sizeof want, WORKED_CAYMAN_SHA);
    uint8_t *got = prelinked();
    ck_assert_uint_eq(img.size, WORKED_IMAGE);
    for (size_t i = 0; i < WORKED_IMAGE; i++)
        ck_assert_msg(got[i] == want[i], "byte 0x%zx is %02x, the page has %02x", i, got[i], want[i]);
    ck_assert_uint_eq(warnings, 0);
    free(got);
}
END_TEST

START_TEST(mariana_uses_the_cayman_windows)
{
    ck_assert(q7_options_for(ARCH_MARIANA, &opt));
    uint8_t *got = prelinked();
    expect_sha(got, img.size, WORKED_CAYMAN_SHA);
    free(got);
}
END_TEST

START_TEST(sunda_image_has_the_hash_of_the_page)
{
    ck_assert(q7_options_for(ARCH_SUNDA, &opt));
    uint8_t *got = prelinked();
    expect_sha(got, img.size, WORKED_SUNDA_SHA);
    ck_assert_uint_eq(img.rows[0].func_staged, 0x550c);
    free(got);
}
END_TEST

START_TEST(input_is_not_changed)
{
    uint8_t *got = prelinked();
    expect_sha(file, sizeof file, WORKED_SHA);
    free(got);
}
END_TEST

START_TEST(windows_are_poisoned_outside_the_segments)
{
    free(prelinked());
    for (size_t i = 0x66; i < opt.code.size; i++)
        ck_assert_msg(img.code[i] == 0xa5, "code byte 0x%zx", i);
    for (size_t i = 0x90; i < opt.data.size; i++)
        ck_assert_msg(img.data[i] == 0xa5, "data byte 0x%zx", i);
}
END_TEST

START_TEST(record_between_the_steps)
{
    free(prelinked());
    ck_assert_uint_eq(img.dyn.dst_code, 0x18000);
    ck_assert_uint_eq(img.dyn.src_code, 0x01000000);
    ck_assert_uint_eq(img.dyn.dst_data, 0xbe000);
    ck_assert_uint_eq(img.dyn.src_data, 0x02000000);
    ck_assert_uint_eq(img.dyn.start_sym, 0x18048);
    ck_assert_uint_eq(img.dyn.text_addr, 0);
    ck_assert_uint_eq(img.dyn.init, 0x18000);
    ck_assert_uint_eq(img.dyn.fini, 0x18061);
    ck_assert_uint_eq(img.dyn.rela, 0x2c8);
    ck_assert_uint_eq(img.dyn.rela_count, 19);
    ck_assert_uint_eq(img.dyn.hash, 0x030000a4u + 0xfe0be000u);
    ck_assert_uint_eq(img.dyn.symtab, 0x030000b4u + 0xfe0be000u);
    ck_assert_uint_eq(img.dyn.strtab, 0x030000c4u + 0xfe0be000u);
    ck_assert_uint_eq(img.dyn.align, 0x80);
    ck_assert(img.dyn.split);
    ck_assert_uint_eq(img.relocs_none, 2);
    ck_assert_uint_eq(img.relocs_relative, 9);
    ck_assert_uint_eq(img.relocs_op, 4);
    ck_assert_uint_eq(img.relocs_alt, 4);
}
END_TEST

START_TEST(raw_initfini_keeps_the_link_addresses)
{
    opt.raw_initfini = true;
    uint8_t *got = prelinked();
    ck_assert_uint_eq(get_le32(got + 0x14), 0x01000000);
    ck_assert_uint_eq(get_le32(got + 0x18), 0x01000061);
    ck_assert_uint_eq(get_le32(got + 0x1c), 0x18048);
    free(got);
}
END_TEST

/* §16.2 and §16.3: entry, site, staged, before, after. */
static const uint32_t walk[][5] = {
    { 0, 0x0100000f, 0x1800f, 0x0200, 0x000b },          { 1, 0x01000012, 0x18012, 0x0080, 0xe080 },
    { 4, 0x01000023, 0x18023, 0x0100, 0x0001 },          { 5, 0x01000026, 0x18026, 0x0038, 0x8038 },
    { 6, 0x0100004b, 0x1804b, 0x0200, 0x000b },          { 7, 0x0100004e, 0x1804e, 0x0020, 0xe020 },
    { 8, 0x01000051, 0x18051, 0x0200, 0x000b },          { 9, 0x01000056, 0x18056, 0x0038, 0xe038 },
    { 10, 0x01000008, 0x18008, 0x02000004, 0x000be004 }, { 11, 0x02000004, 0xbe004, 0x01000038, 0x00018038 },
    { 12, 0x02000008, 0xbe008, 0x02000040, 0x000be080 }, { 13, 0x0200000d, 0xbe00d, 0x01000020, 0x00018020 },
    { 14, 0x02000012, 0xbe012, 0x02000014, 0x000be014 }, { 15, 0x02000017, 0xbe017, 0x01000048, 0x00018048 },
    { 16, 0x02000024, 0xbe024, 0x0100000c, 0x0001800c }, { 17, 0x0200002c, 0xbe02c, 0x01000030, 0x00018030 },
    { 18, 0x02000034, 0xbe034, 0x01000020, 0x00018020 },
};

START_TEST(relocations_are_reported_in_table_order)
{
    free(prelinked());
    ck_assert_uint_eq(nseen, 19);
    for (size_t i = 0; i < nseen; i++)
        ck_assert_uint_eq(seen[i].index, i);
    ck_assert_uint_eq(seen[2].type, 0);
    ck_assert_uint_eq(seen[2].staged, 0);
    for (size_t i = 0; i < sizeof walk / sizeof walk[0]; i++) {
        const struct q7_reloc *r = &seen[walk[i][0]];
        ck_assert_uint_eq(r->offset, walk[i][1]);
        ck_assert_uint_eq(r->staged, walk[i][2]);
        ck_assert_uint_eq(r->before, walk[i][3]);
        ck_assert_uint_eq(r->after, walk[i][4]);
        ck_assert_int_eq(r->in_data, walk[i][2] >= 0xbe000);
    }
    ck_assert_uint_eq(seen[12].addend, 0x40);
}
END_TEST

static void expect_rows(enum q7_table_source source)
{
    static const uint32_t rows[3][4] = { { 0x7e000000, 0x0100000c, 0x1800c, 32 },
                                         { 0xf0040000, 0x01000030, 0x18030, 32 },
                                         { 0xf0010000, 0x01000020, 0x18020, 48 } };
    ck_assert_int_eq(img.table_source, source);
    ck_assert_uint_eq(img.table_link, 0x02000020);
    ck_assert_uint_eq(img.nrows, 3);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(img.rows[i].key, rows[i][0]);
        ck_assert_uint_eq(img.rows[i].func_link, rows[i][1]);
        ck_assert_uint_eq(img.rows[i].func_staged, rows[i][2]);
        ck_assert_uint_eq(img.rows[i].frame, rows[i][3]);
    }
}

START_TEST(kernel_table_by_section_name)
{
    free(prelinked());
    expect_rows(Q7_TABLE_SECTION);
    ck_assert_int_eq(q7_find_row(&img, 0x7e, 5), 0); /* q7-firmware.md §13 */
    ck_assert_int_eq(q7_find_row(&img, 0xf0, 1), 2);
    ck_assert_int_eq(q7_find_row(&img, 0xf0, 4), 1);
    ck_assert_int_eq(q7_find_row(&img, 0xf0, 2), -1);
    ck_assert_int_eq(q7_find_row(&img, 0x46, 0), -1);
}
END_TEST

START_TEST(kernel_table_without_sections)
{
    put_le32(file + 0x20, 0); /* e_shoff, e_shentsize, e_shnum, e_shstrndx */
    put_le16(file + 0x2e, 0);
    put_le16(file + 0x30, 0);
    put_le16(file + 0x32, 0);
    uint8_t *got = prelinked();
    expect_sha(got, img.size, WORKED_CAYMAN_SHA);
    expect_rows(Q7_TABLE_CONSTANTS);
    ck_assert_uint_eq(img.dyn.align, 0x80); /* of the LOAD headers */
    free(got);
}
END_TEST

START_TEST(kernel_table_without_section_names)
{
    put_le16(file + 0x32, 0);
    free(prelinked());
    expect_rows(Q7_TABLE_CONSTANTS);
}
END_TEST

START_TEST(a_library_without_a_table_is_only_warned_about)
{
    put_le16(file + 0x32, 0);
    put_le32(file + 0x1b8, 0); /* no READY word */
    free(prelinked());
    ck_assert_int_eq(img.table_source, Q7_TABLE_NONE);
    ck_assert_uint_eq(img.nrows, 0);
    ck_assert_uint_eq(warnings, 1);
}
END_TEST

START_TEST(header_decodes_to_what_was_encoded)
{
    struct q7_ucpl u;
    struct nerr e;
    uint8_t *got = prelinked();
    ck_assert_int_eq(q7_ucpl_decode(got, img.size, &u, &e), 0);
    ck_assert_uint_eq(u.code_len, 0x68);
    ck_assert_uint_eq(u.data_off, 0xa0);
    ck_assert_uint_eq(u.data_len, 0x90);
    ck_assert_uint_eq(u.init, 0x18000);
    ck_assert_uint_eq(u.fini, 0x18061);
    ck_assert_uint_eq(u.start, 0x18048);
    ck_assert_int_eq(q7_ucpl_decode(got, 31, &u, &e), NERR_INPUT);
    ck_assert_int_eq(q7_ucpl_decode(got, img.size - 1, &u, &e), NERR_RULE);
    static const struct {
        size_t at;
        uint32_t word;
        int code;
    } bad[] = {
        { 0x00, 0x4c504356, NERR_INPUT }, { 0x04, 0x21, NERR_INPUT },  { 0x08, 0x66, NERR_RULE },
        { 0x08, 0xab04, NERR_RULE },      { 0x0c, 0x80, NERR_RULE },   { 0x0c, 0xa4, NERR_RULE },
        { 0x10, 0x8e, NERR_RULE },        { 0x10, 0x2004, NERR_RULE }, { 0x1c, 0, NERR_RULE },
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint8_t head[WORKED_IMAGE];
        memcpy(head, got, sizeof head);
        put_le32(head + bad[i].at, bad[i].word);
        ck_assert_int_eq(q7_ucpl_decode(head, sizeof head, &u, &e), bad[i].code);
    }
    free(got);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("q7 worked example");
    TCase *t = tcase_create("worked");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, file_has_the_hash_of_the_page);
    tcase_add_test(t, cayman_image_has_the_bytes_of_the_page);
    tcase_add_test(t, mariana_uses_the_cayman_windows);
    tcase_add_test(t, sunda_image_has_the_hash_of_the_page);
    tcase_add_test(t, input_is_not_changed);
    tcase_add_test(t, windows_are_poisoned_outside_the_segments);
    tcase_add_test(t, record_between_the_steps);
    tcase_add_test(t, raw_initfini_keeps_the_link_addresses);
    tcase_add_test(t, relocations_are_reported_in_table_order);
    tcase_add_test(t, kernel_table_by_section_name);
    tcase_add_test(t, kernel_table_without_sections);
    tcase_add_test(t, kernel_table_without_section_names);
    tcase_add_test(t, a_library_without_a_table_is_only_warned_about);
    tcase_add_test(t, header_decodes_to_what_was_encoded);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
