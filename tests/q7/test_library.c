/* Gates of a ucode library (q7-prelink.md §15), opcode sets and the choice of a library (q7-firmware.md §11).
 */
#include "worked.h"

#include <stdio.h>

#include "q7/library.h"

static struct nerr err;
static struct q7_function functions[100];
static struct q7_library libs[4];

static void setup(void)
{
    static const char *const names[] = { "a.so", "b.so", "c.so", "d.so" };
    for (size_t i = 0; i < 100; i++)
        functions[i] = (struct q7_function){ .name = "f", .opcode = 133, .sub_opcode = -1 };
    for (size_t i = 0; i < 4; i++)
        libs[i] = (struct q7_library){
            .name = names[i], .version = "1.21.1.0", .total_cpus = 8, .functions = functions, .nfunctions = 1
        };
}

static void expect_refused(size_t count, const char *where, const char *part)
{
    memset(&err, 0, sizeof err);
    ck_assert_int_eq(q7_check_libraries(libs, count, &err), NERR_RULE);
    ck_assert_int_eq(err.runtime_code, NRT_INVALID);
    ck_assert_str_eq(err.where, where);
    ck_assert_msg(strstr(err.text, part) != NULL, "\"%s\" does not say \"%s\"", err.text, part);
}

static void expect_ok(size_t count)
{
    ck_assert_msg(q7_check_libraries(libs, count, &err) == 0, "%s", err.text);
}

START_TEST(version_has_the_major_of_the_runtime)
{
    static const char *const good[] = { "1.21.1.0", "1.0", "1.99", "01.2", "1.2.3-rc.1", "1.2+b7" };
    static const char *const other[] = { "2.0", "0.1", "10.1", "11.21.1.0", "99999999999999999999.1" };
    static const char *const malformed[] = {
        "",     "1",    "1.",   ".1",     "x.1",  "1.x", "1..2", "-1.2",
        " 1.2", "1.2 ", "1.2-", "1.2.3a", "v1.2", "1,2", "+1.2", "1.2-\n"
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        ck_assert_msg(q7_check_version(good[i], &err) == 0, "%s: %s", good[i], err.text);
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
        ck_assert_int_eq(q7_check_version(other[i], &err), NERR_RULE);
        ck_assert_ptr_nonnull(strstr(err.text, "Mismatch between GPSIMD lib version and NRT version!"));
        ck_assert_int_eq(err.runtime_code, NRT_INVALID);
    }
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++) {
        ck_assert_msg(q7_check_version(malformed[i], &err) == NERR_RULE, "'%s'", malformed[i]);
        ck_assert_ptr_nonnull(strstr(err.text, "Failed to parse GPSIMD lib version string!"));
        ck_assert_int_eq(err.runtime_code, NRT_INVALID);
    }
    ck_assert_int_eq(q7_check_version(NULL, &err), NERR_RULE);
    ck_assert_str_eq(err.text, "Missing GPSIMD lib version!");
}
END_TEST

START_TEST(gates_of_one_library)
{
    expect_ok(0);
    expect_ok(4);
    libs[2].version = "2.0";
    expect_refused(4, "ucode_lib[2]", "Mismatch");
    libs[2].version = "1.0";
    libs[1].cpu_id = 1;
    expect_refused(4, "ucode_lib[1]", "cpu_id == 0");
    libs[1].cpu_id = 0;
    for (uint64_t cpus = 0; cpus < 12; cpus++) {
        libs[3].total_cpus = cpus;
        if (cpus <= 1 || cpus == 8)
            expect_ok(4);
        else
            expect_refused(4, "ucode_lib[3]", "UCode Library d.so has invalid number of total cpus");
    }
    libs[3].total_cpus = 1;
    libs[3].name = "b.so";
    expect_refused(4, "ucode_lib[3]", "UCode Library b.so has already been added");
}
END_TEST

START_TEST(function_names_have_up_to_64_characters)
{
    char name[66];
    memset(name, 'n', 65);
    name[65] = '\0';
    libs[1].nfunctions = 3;
    struct q7_function own[3] = { functions[0], functions[0], functions[0] };
    libs[1].functions = own;
    own[2].name = name + 1;
    expect_ok(2);
    own[2].name = name;
    expect_refused(2, "ucode_lib[1].functions[2]", "is too long.  Max length = 64");
    own[2].name = "x";
    own[0].opcode = 256;
    expect_refused(2, "ucode_lib[1].functions[0]", "no byte");
    own[0].opcode = -129;
    expect_refused(2, "ucode_lib[1].functions[0]", "no byte");
    own[0].opcode = -123;
    own[1].sub_opcode = 255;
    expect_refused(2, "ucode_lib[1].functions[1]", "sub_opcode");
    own[1].sub_opcode = 254;
    expect_ok(2);
}
END_TEST

START_TEST(functions_per_core_and_in_total)
{
    libs[0].nfunctions = 28;
    expect_ok(1);
    expect_refused(2, "ucode_lib[1]",
                   "Number of ucode functions: 29 per core exceeded the maximum allowed 28");
    libs[0].nfunctions = 97;
    expect_refused(1, "ucode_lib[0]", "97 per core");
    libs[0].nfunctions = 98;
    expect_refused(1, "ucode_lib[0]", "too many ucode functions in this table.  Max is 97.");
}
END_TEST

START_TEST(builtin_opcode_is_0x85)
{
    ck_assert(q7_builtin_opcode(0x85));
    ck_assert(q7_builtin_opcode(-123));
    ck_assert(!q7_builtin_opcode(0xf0));
    ck_assert(!q7_builtin_opcode(-122));
}
END_TEST

START_TEST(libraries_of_a_coretype)
{
    static const unsigned table[][3] = { { 6, 1, 0 }, { 13, 4, 1 }, { 21, 4, 1 }, { 29, 4, 1 } };
    for (size_t i = 0; i < 4; i++) {
        unsigned count = 9;
        bool prelinked = false;
        ck_assert_int_eq(q7_coretype_libraries(table[i][0], &count, &prelinked), 0);
        ck_assert_uint_eq(count, table[i][1]);
        ck_assert_int_eq(prelinked, table[i][2]);
    }
    for (unsigned coretype = 0; coretype < 64; coretype++) {
        unsigned count;
        bool prelinked;
        if (coretype != 6 && coretype != 13 && coretype != 21 && coretype != 29)
            ck_assert_int_eq(q7_coretype_libraries(coretype, &count, &prelinked), 8);
    }
    ck_assert_uint_eq(q7_coretype(2), 6);
    ck_assert_uint_eq(q7_coretype(3), 13);
    ck_assert_uint_eq(q7_coretype(4), 21);
    ck_assert_uint_eq(q7_coretype(5), 0);
}
END_TEST

static void add(struct q7_opset *s, uint8_t opcode, uint8_t byte12)
{
    uint8_t slot[SLOT_BYTES] = { opcode };
    slot[0x0c] = byte12;
    q7_opset_add(s, slot);
}

START_TEST(library_index)
{
    struct q7_opset empty = { { 0 }, { 0 } }, some = empty;
    unsigned index, count;
    add(&some, 0x46, 0);
    ck_assert_int_eq(q7_select_library(13, &some, 0, false, &index, &count), 0);
    ck_assert_uint_eq(index, 0);
    ck_assert_uint_eq(count, 1);
    ck_assert_int_eq(q7_select_library(21, &some, 0, true, &index, &count), 0);
    ck_assert_uint_eq(index, 3);
    ck_assert_int_eq(q7_select_library(29, &some, 2, true, &index, &count), 0);
    ck_assert_uint_eq(index, 2);
    ck_assert_int_eq(q7_select_library(6, &some, 0, true, &index, &count), 0);
    ck_assert_uint_eq(index, 0);
    ck_assert_int_eq(q7_select_library(13, &empty, 0, false, &index, &count), 0);
    ck_assert_uint_eq(count, 0);
    ck_assert_int_eq(q7_select_library(14, &some, 0, false, &index, &count), 1);
}
END_TEST

static char missing[256];

static void miss(void *ctx, uint8_t opcode, uint8_t spec)
{
    (void)ctx;
    size_t n = strlen(missing);
    snprintf(missing + n, sizeof missing - n, "%02x/%u ", opcode, spec);
}

START_TEST(opcodes_that_an_image_lacks)
{
    uint8_t file[WORKED_BYTES];
    struct q7_options opt;
    struct q7_image img;
    struct q7_error e;
    struct q7_opset s = { { 0 }, { 0 } };
    worked_build(file);
    ck_assert(q7_options_for(ARCH_CAYMAN, &opt));
    ck_assert_int_eq(q7_prelink(file, sizeof file, &opt, &img, &e), 0);
    missing[0] = '\0';
    ck_assert_uint_eq(q7_opset_missing(&s, &img, miss, NULL), 0);
    add(&s, 0x7e, 9); /* a row; byte 12 counts only for 0xf0 */
    add(&s, 0xf0, 1);
    add(&s, 0xf0, 4);
    add(&s, 0xf0, 2);
    add(&s, 0x46, 0);
    add(&s, OP_EVENT_SEMAPHORE, 0); /* of the sequencer, not of the cores */
    add(&s, OP_MATMUL, 0);
    ck_assert(q7_opset_has(&s, 0x7e, 0));
    ck_assert(q7_opset_has(&s, 0xf0, 2));
    ck_assert(!q7_opset_has(&s, 0xf0, 3));
    ck_assert(!q7_opset_has(&s, 0x47, 0));
    ck_assert_uint_eq(q7_opset_missing(&s, &img, miss, NULL), 2);
    ck_assert_str_eq(missing, "46/0 f0/2 ");
    q7_image_free(&img);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("q7 libraries");
    TCase *t = tcase_create("library");
    tcase_add_checked_fixture(t, setup, NULL);
    tcase_add_test(t, version_has_the_major_of_the_runtime);
    tcase_add_test(t, gates_of_one_library);
    tcase_add_test(t, function_names_have_up_to_64_characters);
    tcase_add_test(t, functions_per_core_and_in_total);
    tcase_add_test(t, builtin_opcode_is_0x85);
    tcase_add_test(t, libraries_of_a_coretype);
    tcase_add_test(t, library_index);
    tcase_add_test(t, opcodes_that_an_image_lacks);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
