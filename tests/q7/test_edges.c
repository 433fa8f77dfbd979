/* Limits, switches and quirks of the prelinker that take more than one change of the worked file. */
#include "changed.h"

START_TEST(largest_segments_fill_the_windows)
{
    put_le32(file + 0x48, 0x8000);
    expect_ok();
    ck_assert_uint_eq(img.ucpl.data_off, 0x8020);
    put_le32(file + 0x68, 0x2000);
    expect_ok();
    ck_assert_uint_eq(img.ucpl.data_len, 0x2000);
    ck_assert_uint_eq(img.size, 0xa020); /* §13: the largest image of the CAYMAN windows */
    opt.image_max = 0xa020;
    expect_ok();
    opt.image_max = 0xa01f;
    ck_assert_int_eq(prelink(), 7);
    ck_assert_str_eq(err.message, "Prelinked library would be larger than the available buffer on device");
    ck_assert_int_eq(err.create_code, 7);
    ck_assert_ptr_null(img.code);
}
END_TEST

START_TEST(a_relocation_in_the_poison_is_inside_the_window)
{
    put_le32(file + 0x34c, 0x02001ffc);
    expect_ok();
    /* 0xa5a5a5a5 is far above the data boundary */
    ck_assert_uint_eq(get_le32(img.data + 0x1ffc), 0xa5a5a5a5u + 0xfe0be000u);
}
END_TEST

START_TEST(permissive_writes_as_the_reference_does)
{
    opt.permissive = true;
    put_le32(file + 0x2cc, 49); /* slot 14 on a 24-bit word: the same bytes */
    expect_ok();
    ck_assert_mem_eq(img.code + 0xf, "\x24\x0b\x00", 3);
    put_le32(file + 0x2cc, 35);
    put_le32(file + 0x2c8, 0x01000015); /* L32R: bytes 2 and 3 are overwritten */
    expect_ok();
    ck_assert_mem_eq(img.code + 0x15, "\x31\x0b\x00", 3);
    put_le32(file + 0x2c8, 0x0100001b);
    expect(12, "Unknown instruction format [0xf01d020c]", NULL);
    put_le32(file + 0x2c8, 0x01000066); /* poison, op0 5 */
    expect_ok();
}
END_TEST

/* The word at the first SLOT site, its status and message (§11). */
static const struct {
    uint32_t word;
    int status;
    const char *message;
} formats[] = {
    { 0x00000024, 0, NULL },
    { 0x00000028, 12, "Unknown instruction format [0x28]" },
    { 0xffffff2d, 12, "Unknown instruction format [0xffffff2d]" },
    { 0x0000002e, 8, "Failed to set large immediate field in instruction slot 0" }, /* class B */
    { 0xffffffee, 8, "Failed to set large immediate field in instruction slot 0" },
    { 0x0000002f, 8, "Failed to set large immediate field in instruction slot 0" }, /* class A */
    { 0xfe00002f, 8, "Failed to set large immediate field in instruction slot 0" },
    { 0x0100002f, 8, "Failed to set large immediate field in instruction slot 0" }, /* class C */
    { 0xfd00002f, 8, "Failed to set large immediate field in instruction slot 0" },
    { 0x0300002f, 12, "Unknown instruction format [0x300002f]" },
    { 0xff00002f, 12, "Unknown instruction format [0xff00002f]" },
};

START_TEST(instruction_formats_at_a_slot_site)
{
    put_le32(file + 0x2c8, 0x01000060);
    put_le32(file + 0x160, formats[_i].word);
    if (formats[_i].status)
        expect(formats[_i].status, formats[_i].message, "relocation 0");
    else
        expect_ok();
    if (!formats[_i].status)
        ck_assert_uint_eq(img.code[0x60], formats[_i].word);
}
END_TEST

START_TEST(slot_number_of_a_bundle_is_named)
{
    put_le32(file + 0x2c8, 0x01000060);
    put_le32(file + 0x160, 0x2e);
    put_le32(file + 0x2cc, 23);
    expect(8, "Failed to set large immediate field in instruction slot 3", NULL);
}
END_TEST

START_TEST(an_instruction_at_the_window_end)
{
    put_le32(file + 0x48, 0x8000);
    put_le32(file + 0x2c8, 0x01007ffd);
    expect(8, "Failed to set large immediate field in instruction slot 0", NULL); /* zeros: op0 0 */
    opt.permissive = true;
    expect_ok();
    ck_assert_uint_eq(get_le16(img.code + 0x7ffe), 0x000b);
}
END_TEST

/* op0 15 needs byte 3, which is behind the window: code of 0x66 bytes moved to its end. */
START_TEST(a_bundle_cut_by_the_window_end)
{
    file[0x165] = 0x2f;
    opt.code.size = 0x68;
    put_le32(file + 0x2c8, 0x01000065);
    expect(8, "Invalid relocation address 98405", NULL);
    file[0x165] = 0x2e;
    expect(8, "Failed to set large immediate field in instruction slot 0", NULL);
    file[0x165] = 0x2c;
    expect(12, "Unknown instruction format [0xa5a52c]", NULL);
}
END_TEST

START_TEST(cut_files)
{
    static const size_t lengths[] = { 0, 1, 3, 4, 51 };
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        length = lengths[i];
        expect(1, INVALID, NULL);
    }
    for (length = 52; length < WORKED_BYTES; length++)
        expect(1, INVALID, "file offset 0x20"); /* the section headers come last */
    put_le32(file + 0x20, 0);
    put_le16(file + 0x30, 0);
    for (length = 52; length < 0xb4; length++)
        expect(7, INVALID, "file offset 0x1c");
    for (; length < 0x3ac; length++)
        expect(7, INVALID, NULL);
    expect_ok();
}
END_TEST

/* A file without scratch: three headers, the table is found below the data segment. */
static void unsplit(void)
{
    memcpy(file + 0x74, file + 0x94, 32);
    put_le16(file + 0x2c, 3);
    put_le32(file + 0x244, 0x02000000 + 0x2c8 - 0x180); /* DT_RELA below data.p_vaddr */
}

START_TEST(three_headers_without_a_scratch_segment)
{
    unsplit();
    expect_ok();
    ck_assert(!img.dyn.split);
    ck_assert_uint_eq(img.dyn.rela, 0x2c8);
    ck_assert_uint_eq(img.segment[Q7_SEG_SCRATCH].type, 0);
    uint8_t want[WORKED_IMAGE], got[WORKED_IMAGE];
    worked_build_image(want);
    ck_assert_uint_eq(img.size, sizeof got);
    q7_image_write(&img, got);
    ck_assert_mem_eq(got, want, sizeof want); /* no address here is within 0x400 below the data */
    put_le32(file + 0x244, 0x02000000 + 0x2c8 - 0x180 + 0x300);
    expect(4, NO_INFO, NULL);
    put_le16(file + 0x2c, 2);
    expect(7, INVALID, "file offset 0x2c");
}
END_TEST

START_TEST(addresses_just_below_the_data)
{
    put_le32(file + 0x184, 0x01fffc00); /* word of relocation 11 */
    expect_ok();
    ck_assert_uint_eq(get_le32(img.data + 4), 0x000bdc00);
    put_le32(file + 0x184, 0x01fffbff);
    expect_ok();
    ck_assert_uint_eq(get_le32(img.data + 4), 0x01017bff);
    unsplit();
    put_le32(file + 0x184, 0x01fffc00);
    expect_ok();
    ck_assert_uint_eq(get_le32(img.data + 4), 0x01fffc00 + 0xff018000u);
    put_le32(file + 0x184, 0x01ffffff);
    expect_ok();
    ck_assert_uint_eq(get_le32(img.data + 4), 0x01ffffffu + 0xff018000u);
    put_le32(file + 0x184, 0x02000000);
    expect_ok();
    ck_assert_uint_eq(get_le32(img.data + 4), 0x000be000);
}
END_TEST

START_TEST(the_sum_is_mapped_not_the_word)
{
    put_le32(file + 0x184, 0x01fffbf0); /* alone it would be code */
    put_le32(file + 0x354, 0x20);
    expect_ok();
    ck_assert_uint_eq(get_le32(img.data + 4), 0x000bdc10);
    put_le32(file + 0x354, 0xfffffff0); /* addends wrap */
    put_le32(file + 0x184, 0x02000008);
    expect_ok();
    ck_assert_uint_eq(get_le32(img.data + 4), 0x000bdff8);
}
END_TEST

START_TEST(empty_relocation_table)
{
    put_le32(file + 0x24c, 0);
    expect(7, NULL, "kernel_info_table row 0"); /* nothing moved the functions */
    put_le16(file + 0x32, 0);
    expect_ok();
    ck_assert_uint_eq(img.dyn.rela_count, 0);
    ck_assert_mem_eq(img.code, file + 0x100, 0x66);
    put_le32(file + 0x244, 0xffffffff); /* then its place does not matter */
    expect_ok();
}
END_TEST

START_TEST(a_negative_table_size_is_named)
{
    put_le32(file + 0x24c, 0xffffffff);
    expect(4, NO_INFO, NULL);
    ck_assert_ptr_nonnull(strstr(err.detail, "must be below 0x80000000"));
}
END_TEST

START_TEST(a_part_of_a_row_is_no_row)
{
    put_le32(file + 0x3fc + 3 * 40 + 20, 0x17);
    expect_ok();
    ck_assert_uint_eq(img.nrows, 2);
}
END_TEST

START_TEST(last_of_repeated_tags_counts)
{
    put_le32(file + 0x258, 12); /* the PLTGOT entry becomes a second DT_INIT */
    put_le32(file + 0x25c, 0x0100000c);
    expect_ok();
    ck_assert_uint_eq(img.ucpl.init, 0x1800c);
    put_le32(file + 0x200, 0x70000002); /* LOPROC + 2 instead of the first */
    expect_ok();
    ck_assert_uint_eq(img.dyn.text_addr, 0x01000000);
}
END_TEST

START_TEST(absent_init_and_fini_are_zero)
{
    put_le32(file + 0x200, 21);
    put_le32(file + 0x208, 21);
    expect_ok();
    ck_assert_uint_eq(img.ucpl.init, 0);
    ck_assert_uint_eq(img.ucpl.fini, 0);
}
END_TEST

/* §7: data linked at 0x0200000c with an alignment of 0x80, as in two images of the field. */
static void misalign(void)
{
    put_le32(file + 0x5c, 0x0200000c);
    put_le32(file + 0x60, 0x0200000c);
    put_le32(file + 0x24c, 0);
    put_le16(file + 0x32, 0);
}

START_TEST(misaligned_data_is_refused_with_what_would_be_lost)
{
    misalign();
    expect(13, TOO_BIG " (the reference would have dropped the last 12 bytes)", "segment data");
    put_le32(file + 0x68, 0x92);
    expect(13, TOO_BIG " (the reference would have dropped the last 10 bytes)", "segment data");
}
END_TEST

START_TEST(misaligned_data_is_staged_as_a_whole)
{
    misalign();
    opt.allow_misaligned = true;
    expect_ok();
    ck_assert_uint_eq(img.ucpl.data_len, 0x9c);
    ck_assert_uint_eq(img.dyn.dst_data, 0xbe00c);
    for (size_t i = 0; i < 12; i++)
        ck_assert_uint_eq(img.data[i], 0xa5);
    ck_assert_mem_eq(img.data + 12, file + 0x180, 0x80);
    ck_assert_uint_eq(img.data[0x8c], 0);
    ck_assert_uint_eq(img.data[0x9b], 0);
    ck_assert_uint_eq(img.data[0x9c], 0xa5);
    put_le32(file + 0x68, 0x1ff4);
    expect_ok();
    put_le32(file + 0x68, 0x1ff5);
    expect(13, TOO_BIG, "segment data");
}
END_TEST

START_TEST(misaligned_window_bases)
{
    opt.code.base = 0x18004; /* the next multiple of 0x80 is 0x7c away */
    expect(13, NULL, "segment code");
    ck_assert_ptr_nonnull(strstr(err.detail, "0x7c bytes above"));
    opt.allow_misaligned = true;
    expect_ok();
    ck_assert_uint_eq(img.dyn.dst_code, 0x18080);
    ck_assert_uint_eq(img.ucpl.code_len, 0x66 + 0x7c + 2);
    ck_assert_uint_eq(img.ucpl.start, 0x180c8);
    ck_assert_mem_eq(img.code + 0x7c + 0xf, "\x24\x0b\x00", 3);
}
END_TEST

/* §8: init, fini and the start symbol do not use the code delta of reloc_addr when paddr is misaligned. */
START_TEST(misaligned_code_keeps_the_formula_of_the_page)
{
    put_le32(file + 0x3c, 0x01000040);
    put_le32(file + 0x40, 0x01000040);
    put_le32(file + 0x204, 0x01000040); /* init */
    put_le32(file + 0x24c, 0);
    put_le16(file + 0x32, 0);
    opt.allow_misaligned = true;
    expect_ok();
    ck_assert_uint_eq(img.dyn.dst_code, 0x18040);
    ck_assert_uint_eq(img.ucpl.init, 0x01000040u + 0x18040u - (0x01000040u + 0x40u));
    ck_assert_uint_eq(img.ucpl.code_len, 0xa8);
}
END_TEST

START_TEST(code_may_be_linked_at_zero)
{
    for (size_t at = 0x3c; at <= 0x40; at += 4)
        put_le32(file + at, 0);
    put_le32(file + 0x18, 0x48);
    put_le32(file + 0x204, 0);
    put_le32(file + 0x20c, 0x61);
    put_le32(file + 0x24c, 0);
    put_le16(file + 0x32, 0);
    put_le16(file + 0x10, 3); /* ET_DYN */
    expect_ok();
    ck_assert_uint_eq(img.ucpl.init, 0x18000);
    ck_assert_uint_eq(img.ucpl.fini, 0x18061);
    ck_assert_uint_eq(img.ucpl.start, 0x18048);
    ck_assert_uint_eq(q7_reloc_addr(&img.dyn, 0x10), 0x18010);
}
END_TEST

START_TEST(address_map_of_section_8)
{
    static const uint32_t map[][2] = {
        { 0x01000000, 0x00018000 },
        { 0x01005610, 0x0001d610 },
        { 0x01006f10, 0x0001ef10 },
        { 0x0100001b, 0x0001801b },
        { 0x0200025c, 0x000be25c },
        { 0x020001f8, 0x000be1f8 },
        { 0x02000380, 0x000be380 },
        { 0x02000408, 0x000be408 },
        { 0x02000450, 0x000be450 },
        { 0x0200048c, 0x000be48c },
        { 0x01000bc0, 0x00018bc0 },
        { 0x01fffc00, 0x000bdc00 },
        { 0x01fffbff, 0x01017bff },
        { 0xffffffff, 0xff017fff }, /* va + 0x400 wraps: code */
        { 0xfffffbff, 0xfffffbff + 0xfe0be000u },
    };
    expect_ok();
    for (size_t i = 0; i < sizeof map / sizeof map[0]; i++)
        ck_assert_uint_eq(q7_reloc_addr(&img.dyn, map[i][0]), map[i][1]);
}
END_TEST

START_TEST(rounding_of_section_12)
{
    static const uint32_t sizes[][2] = { { 0x100, 0x120 }, { 0x1234, 0x1260 }, { 0x66, 0xa0 } };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        put_le32(file + 0x48, sizes[i][0]);
        expect_ok();
        ck_assert_uint_eq(img.ucpl.data_off, sizes[i][1]);
    }
}
END_TEST

START_TEST(bad_options)
{
    opt.data.base = 0x18000 + 0x7ffc;
    expect(Q7_USAGE, NULL, "options");
    opt.data.base = 0x20000; /* right behind is no overlap, but no word may cross */
    expect_ok();
    put_le32(file + 0x34c, 0x01007ffe);
    expect(8, "Invalid load @ 0x20000", NULL);
    opt.data.base = 0xffffe001;
    expect(Q7_USAGE, NULL, NULL);
    opt.data.base = 0xffffe000;
    put_le32(file + 0x34c, 0x02000004);
    expect_ok();
    ck_assert_uint_eq(img.dyn.dst_data, 0xffffe000);
    put_le32(file + 0x34c, 0x02001ffd); /* the second word would be at address 0 */
    expect(8, "Invalid load @ 0x0", NULL);
    put_le32(file + 0x34c, 0x02000004);
    opt.code.size = 0x8001;
    expect(Q7_USAGE, NULL, NULL);
    opt.code.size = 0x80000000;
    expect(Q7_USAGE, NULL, NULL);
    ck_assert_int_eq(q7_prelink(NULL, 0, &opt, &img, &err), Q7_USAGE);
    ck_assert_int_eq(q7_prelink(file, length, NULL, &img, &err), Q7_USAGE);
    ck_assert_int_eq(q7_prelink(file, length, &opt, NULL, &err), Q7_USAGE);
    struct q7_options before = opt;
    ck_assert(!q7_options_for(5, &opt));
    ck_assert_mem_eq(&before, &opt, sizeof opt);
}
END_TEST

START_TEST(codes_of_the_program)
{
    static const int codes[][2] = { { 0, 0 }, { 1, 2 },  { 4, 1 },  { 5, 1 },        { 7, 1 },
                                    { 8, 1 }, { 12, 1 }, { 13, 1 }, { Q7_USAGE, 2 }, { Q7_MEMORY, 2 } };
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        struct nerr e;
        err = (struct q7_error){ .status = codes[i][0], .label = q7_status_label(codes[i][0]) };
        ck_assert_int_eq(q7_exit_code(codes[i][0]), codes[i][1]);
        q7_error_nerr(&err, &e);
        ck_assert_int_eq(nerr_exit_code(&e), codes[i][1]);
    }
    ck_assert_str_eq(q7_status_label(2), "?");
}
END_TEST

static char warned[512];

static void note(void *ctx, const char *where, const char *text)
{
    (void)ctx;
    size_t n = strlen(warned);
    snprintf(warned + n, sizeof warned - n, "%s: %s\n", where, text);
}

/* What is accepted but worth a word. */
static const struct {
    size_t at;
    unsigned bytes;
    uint32_t value;
    const char *message;
} warnings[] = {
    { 0x24, 4, 0, "e_flags is 0x0" },
    { 0x1a2, 1, 3, "row 0: spec 0x3 with opcode 0x7e" },
    { 0x1aa, 1, 1, "row 2: key F0010000 was already in the table" },
    { 0x1b4, 4, 0x01000068, "row 2: funcVA 0x18068 is behind the code segment" },
    { 0x1b4, 4, 0x01000023, "row 2: the kernel at 0x18023 does not begin with ENTRY" },
    { 0x3fc + 3 * 40 + 20, 4, 0x17, "no multiple of 8" },
};

START_TEST(warnings_say_what_they_are_about)
{
    opt.warn = note;
    for (size_t i = 0; i < sizeof warnings / sizeof warnings[0]; i++) {
        setup();
        opt.warn = note;
        warned[0] = '\0';
        for (unsigned k = 0; k < warnings[i].bytes; k++)
            file[warnings[i].at + k] = (uint8_t)(warnings[i].value >> 8 * k);
        expect_ok();
        ck_assert_msg(strstr(warned, warnings[i].message) != NULL, "'%s' lacks '%s'", warned,
                      warnings[i].message);
    }
}
END_TEST

START_TEST(a_start_symbol_at_zero_is_warned_about)
{
    opt.warn = note;
    opt.code.base = 0;
    warned[0] = '\0';
    expect_ok();
    ck_assert_str_eq(warned, "");
    put_le32(file + 0x18, 0x01000000);
    expect_ok();
    ck_assert_uint_eq(img.ucpl.start, 0);
    ck_assert_ptr_nonnull(strstr(warned, "address 0"));
}
END_TEST

int main(void)
{
#define COUNT(a) (int)(sizeof(a) / sizeof(a)[0])
    Suite *s = suite_create("q7 edges");
    TCase *t = tcase_create("edges");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_loop_test(t, instruction_formats_at_a_slot_site, 0, COUNT(formats));
    tcase_add_test(t, largest_segments_fill_the_windows);
    tcase_add_test(t, a_relocation_in_the_poison_is_inside_the_window);
    tcase_add_test(t, permissive_writes_as_the_reference_does);
    tcase_add_test(t, slot_number_of_a_bundle_is_named);
    tcase_add_test(t, an_instruction_at_the_window_end);
    tcase_add_test(t, a_bundle_cut_by_the_window_end);
    tcase_add_test(t, cut_files);
    tcase_add_test(t, three_headers_without_a_scratch_segment);
    tcase_add_test(t, addresses_just_below_the_data);
    tcase_add_test(t, the_sum_is_mapped_not_the_word);
    tcase_add_test(t, empty_relocation_table);
    tcase_add_test(t, a_negative_table_size_is_named);
    tcase_add_test(t, a_part_of_a_row_is_no_row);
    tcase_add_test(t, last_of_repeated_tags_counts);
    tcase_add_test(t, absent_init_and_fini_are_zero);
    tcase_add_test(t, misaligned_data_is_refused_with_what_would_be_lost);
    tcase_add_test(t, misaligned_data_is_staged_as_a_whole);
    tcase_add_test(t, misaligned_window_bases);
    tcase_add_test(t, misaligned_code_keeps_the_formula_of_the_page);
    tcase_add_test(t, code_may_be_linked_at_zero);
    tcase_add_test(t, address_map_of_section_8);
    tcase_add_test(t, rounding_of_section_12);
    tcase_add_test(t, bad_options);
    tcase_add_test(t, codes_of_the_program);
    tcase_add_test(t, warnings_say_what_they_are_about);
    tcase_add_test(t, a_start_symbol_at_zero_is_warned_about);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
