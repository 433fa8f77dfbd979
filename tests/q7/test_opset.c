/* Opcode sets, the choice of a library and what a library misses (q7-firmware.md §11). */
#include "worked.h"

#include <stdio.h>

#include "q7/opset.h"

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

START_TEST(only_the_extended_opcode_has_specs)
{
    struct q7_opset s = { { 0 }, { 0 } };
    add(&s, 0x7e, 9); /* byte 12 counts only for 0xf0 */
    add(&s, 0xf0, 1);
    add(&s, 0xf0, 2);
    ck_assert(q7_opset_has(&s, 0x7e, 0));
    ck_assert(q7_opset_has(&s, 0xf0, 2));
    ck_assert(!q7_opset_has(&s, 0xf0, 3));
    ck_assert(!q7_opset_has(&s, 0x47, 0));
    q7_opset_remove(&s, 0xf0, 2);
    ck_assert(!q7_opset_has(&s, 0xf0, 2));
    ck_assert(q7_opset_has(&s, 0xf0, 1));
    q7_opset_remove(&s, 0xf0, 1);
    q7_opset_remove(&s, 0x7e, 0);
    unsigned index, count;
    ck_assert_int_eq(q7_select_library(13, &s, 0, false, &index, &count), 0);
    ck_assert_uint_eq(count, 0);
}
END_TEST

/* What is in the set, as "46/0 f0/2 ". */
static const char *text_of(const struct q7_opset *s)
{
    static char text[256];
    size_t n = 0;
    text[0] = '\0';
    for (unsigned op = 0; op < 256; op++)
        for (unsigned spec = 0; spec < (op == 0xf0 ? 256u : 1u); spec++)
            if (q7_opset_has(s, (uint8_t)op, (uint8_t)spec))
                n += (size_t)snprintf(text + n, sizeof text - n, "%02x/%u ", op, spec);
    return text;
}

static struct q7_opset mixed(void)
{
    struct q7_opset s = { { 0 }, { 0 } };
    add(&s, 0x7e, 9);
    add(&s, 0xf0, 1);
    add(&s, 0xf0, 4);
    add(&s, 0xf0, 2);
    add(&s, 0xf0, 7);
    add(&s, 0x46, 0);
    add(&s, 0xe4, 0);
    add(&s, OP_EVENT_SEMAPHORE, 0); /* of the sequencer, not of the cores */
    add(&s, OP_TENSOR_SCALAR_ARITH_OP, 0);
    return s;
}

START_TEST(opcodes_that_an_image_lacks)
{
    uint8_t file[WORKED_BYTES];
    struct q7_options opt;
    struct q7_image img;
    struct q7_error e;
    struct q7_opset s = mixed(), none = { { 0 }, { 0 } };
    worked_build(file);
    ck_assert(q7_options_for(ARCH_CAYMAN, &opt));
    ck_assert_int_eq(q7_prelink(file, sizeof file, &opt, &img, &e), 0);
    q7_opset_served(&none, &img);
    ck_assert_str_eq(text_of(&none), "");
    q7_opset_served(&s, &img); /* has 7e, f0/4 and f0/1 */
    ck_assert_str_eq(text_of(&s), "46/0 e4/0 f0/2 f0/7 ");
    q7_image_free(&img);
}
END_TEST

START_TEST(opcodes_that_a_built_in_library_lacks)
{
    static const char *const left[] = { "e4/0 f0/7 ", "46/0 e4/0 f0/1 f0/2 f0/4 f0/7 ",
                                        "46/0 7e/0 e4/0 f0/1 f0/2 f0/4 f0/7 ", "46/0 f0/1 f0/2 f0/4 ",
                                        "46/0 7e/0 e4/0 f0/1 f0/2 f0/4 f0/7 " };
    struct q7_opset s = mixed();
    q7_opset_served_builtin(&s, (unsigned)_i);
    ck_assert_str_eq(text_of(&s), left[_i]);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("q7 opcode sets");
    TCase *t = tcase_create("opset");
    tcase_add_test(t, libraries_of_a_coretype);
    tcase_add_test(t, library_index);
    tcase_add_test(t, only_the_extended_opcode_has_specs);
    tcase_add_test(t, opcodes_that_an_image_lacks);
    tcase_add_loop_test(t, opcodes_that_a_built_in_library_lacks, 0, 5);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
