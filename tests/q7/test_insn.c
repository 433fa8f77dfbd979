/* The code walker: lengths and formats of q7-prelink.md §11. */
#include "worked.h"

#include "q7/q7.h"

static uint8_t word[16];

static unsigned length(uint8_t byte0, uint8_t byte3, size_t left)
{
    memset(word, 0, sizeof word);
    word[0] = byte0;
    word[3] = byte3;
    return q7_insn_length(word, left);
}

START_TEST(narrow_words_by_op0)
{
    for (unsigned high = 0; high < 256; high += 16)
        for (unsigned b3 = 0; b3 < 256; b3++) {
            for (unsigned op0 = 0; op0 < 8; op0++)
                ck_assert_uint_eq(length((uint8_t)(high | op0), (uint8_t)b3, 16), 3);
            for (unsigned op0 = 8; op0 < 14; op0++)
                ck_assert_uint_eq(length((uint8_t)(high | op0), (uint8_t)b3, 16), 2);
            ck_assert_uint_eq(length((uint8_t)(high | 14), (uint8_t)b3, 16), 16);
        }
}
END_TEST

/* byte3[3:0] of op0 15: even 8, 1 3 5 9 B D 16, 7 and F illegal; 3 and B only with the bits of F1, F2, F6,
 * F7. */
START_TEST(wide_words_by_byte_3)
{
    for (unsigned b3 = 0; b3 < 256; b3++) {
        unsigned low = b3 & 15, want = low % 2 == 0 ? 8 : 16;
        if (low == 7 || low == 15)
            want = 0;
        if ((low == 3 || low == 11) && (b3 & 0x37) != 0x03 && (b3 & 0x37) != 0x33 && (b3 & 0x37) != 0x23 &&
            (b3 & 0x37) != 0x13)
            want = 0;
        ck_assert_msg(length(0x0f, (uint8_t)b3, 16) == want, "byte 3 0x%02x", b3);
    }
}
END_TEST

static const struct {
    uint8_t byte0, byte3;
    const char *format;
} formats[] = {
    { 0x36, 0, "x24" },   { 0x08, 0, "x16a" },  { 0x1b, 0, "x16a" },   { 0x0c, 0, "x16b" },
    { 0x1d, 0, "x16b" },  { 0x0e, 0x07, "F3" }, { 0x0e, 0x08, "F11" }, { 0x0f, 0x00, "N0" },
    { 0x0f, 0x16, "N0" }, { 0x0f, 0x08, "N1" }, { 0x0f, 0x18, "N2" },  { 0x0f, 0x01, "F0" },
    { 0x0f, 0x05, "F0" }, { 0x0f, 0x09, "F4" }, { 0x0f, 0x0d, "F4" },  { 0x0f, 0x03, "F1" },
    { 0x0f, 0x0b, "F1" }, { 0x0f, 0x33, "F2" }, { 0x0f, 0x23, "F6" },  { 0x0f, 0x13, "F7" },
};

START_TEST(format_names)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        struct q7_insn insn;
        size_t at = 0;
        length(formats[i].byte0, formats[i].byte3, 16);
        ck_assert(q7_insn_next(word, sizeof word, &at, &insn));
        ck_assert_str_eq(insn.format, formats[i].format);
        ck_assert_uint_eq(insn.offset, 0);
        ck_assert_uint_eq(at, insn.length);
    }
}
END_TEST

START_TEST(cut_words)
{
    ck_assert_uint_eq(length(0, 0, 0), 0);
    ck_assert_uint_eq(length(0x0c, 0, 1), 0);
    ck_assert_uint_eq(length(0x0c, 0, 2), 2);
    ck_assert_uint_eq(length(0x06, 0, 2), 0);
    ck_assert_uint_eq(length(0x06, 0, 3), 3);
    ck_assert_uint_eq(length(0x0e, 0, 3), 0);
    ck_assert_uint_eq(length(0x0e, 0, 15), 0);
    ck_assert_uint_eq(length(0x0e, 0, 16), 16);
    ck_assert_uint_eq(length(0x0f, 0, 7), 0);
    ck_assert_uint_eq(length(0x0f, 0, 8), 8);
}
END_TEST

/* kB of the worked example: entry, const16, const16, callx8, movi.n, retw.n. */
START_TEST(walks_a_kernel)
{
    static const unsigned lengths[] = { 3, 3, 3, 3, 2, 2 };
    uint8_t file[WORKED_BYTES];
    struct q7_insn insn;
    size_t at = 0x120, n = 0;
    worked_build(file);
    while (at < 0x130 && q7_insn_next(file, 0x130, &at, &insn))
        ck_assert_uint_eq(insn.length, lengths[n++]);
    ck_assert_uint_eq(n, 6);
    ck_assert_uint_eq(at, 0x130);
    ck_assert(!q7_insn_next(file, 0x130, &at, &insn));
    file[0x12e] = 0x06; /* 3 bytes where 2 are left */
    at = 0x12e;
    ck_assert(!q7_insn_next(file, 0x130, &at, &insn));
    ck_assert_uint_eq(at, 0x12e);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("q7 code walker");
    TCase *t = tcase_create("insn");
    tcase_add_test(t, narrow_words_by_op0);
    tcase_add_test(t, wide_words_by_byte_3);
    tcase_add_test(t, format_names);
    tcase_add_test(t, cut_words);
    tcase_add_test(t, walks_a_kernel);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
