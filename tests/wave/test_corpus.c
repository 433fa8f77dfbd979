/*
 * Waves of about thirty tools (NEFFSIM_CORPUS, or ../shared/corpus; optional): each opens, and an FST that
 * was made from a VCD holds the same wave. What does not is named here with its reason.
 */
#define _XOPEN_SOURCE 700 /* nftw */
#include "dumped.h"

#include <ftw.h>
#include <sys/stat.h>

static struct nerr err;
static unsigned files, twins, refused;

static const struct {
    const char *path, *sentence, *reason;
} refusals[] = {
    { "waves/VCD_file_with_errors.vcd", "ends before $enddefinitions", "cut inside its declarations" },
    { "waves/migen/migen.vcd", "not a whole number", "has the time #12.0; times are integers (IEEE 1800)" },
    { "waves/wellen/issue_5.vcd", "time goes backwards", "cut and joined: times 4, 1, 5, 2" },
    { "waves/sigrok/libsigrok.vcd.fst", "incomplete FST",
      "the converter was killed, without leaving declarations" },
};

static const char *corpus(void)
{
    const char *set = getenv("NEFFSIM_CORPUS");
    return set ? set : "../shared/corpus";
}

static bool ends_in(const char *path, const char *tail)
{
    size_t n = strlen(path), t = strlen(tail);
    return n >= t && strcmp(path + n - t, tail) == 0;
}

static const char *refusal_of(const char *path)
{
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++)
        if (ends_in(path, refusals[i].path))
            return refusals[i].sentence;
    return NULL;
}

static int open_file(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)ftw;
    if (type != FTW_F || (!ends_in(path, ".fst") && !ends_in(path, ".vcd")))
        return 0;
    const char *sentence = refusal_of(path);
    char *d = dump_of(path, &err);
    files++;
    refused += sentence != NULL;
    if (sentence)
        ck_assert_msg(!d && strstr(err.text, sentence), "%s: %s", path, d ? "was read" : err.text);
    else
        ck_assert_msg(d != NULL, "%s: %s", err.where, err.text);
    ck_assert_msg(!warned.len, "%s: %s", path, warned.s ? warned.s : "");
    free(d);
    return 0;
}

static void compare(const char *vcd, const char *fst)
{
    char *a = dump_of(vcd, &err), *b;
    if (!a) { /* its refusal was checked */
        ck_assert_ptr_nonnull(refusal_of(vcd));
        return;
    }
    b = dump_of(fst, &err);
    if (!b)
        ck_assert_msg(refusal_of(fst) != NULL, "%s: %s", err.where, err.text);
    else
        ck_assert_msg(strcmp(a, b) == 0, "%s and %s differ", vcd, fst);
    twins += b != NULL;
    free(a);
    free(b);
}

static int open_twin(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    char fst[4096];
    (void)st;
    (void)ftw;
    if (type != FTW_F || !ends_in(path, ".vcd"))
        return 0;
    snprintf(fst, sizeof fst, "%s.fst", path);
    if (access(fst, R_OK) == 0)
        compare(path, fst);
    snprintf(fst, sizeof fst, "%.*sfst", (int)(strlen(path) - 3), path);
    if (access(fst, R_OK) == 0)
        compare(path, fst);
    return 0;
}

static bool present(void)
{
    if (access(corpus(), R_OK) == 0)
        return true;
    printf("skipped: no corpus at %s\n", corpus());
    return false;
}

START_TEST(each_file_opens)
{
    ck_assert_int_eq(nftw(corpus(), open_file, 16, FTW_PHYS), 0);
    ck_assert_uint_ge(files, 50);
    ck_assert_uint_eq(refused, sizeof refusals / sizeof refusals[0]);
}
END_TEST

START_TEST(each_twin_is_the_same_wave)
{
    ck_assert_int_eq(nftw(corpus(), open_twin, 16, FTW_PHYS), 0);
    ck_assert_uint_ge(twins, 18);
}
END_TEST

int main(void)
{
    if (!present())
        return 77; /* scripts/run_tests: could not be run here */
    Suite *s = suite_create("wave/corpus");
    TCase *tc = tcase_create("corpus");
    tcase_set_timeout(tc, 200);
    tcase_add_test(tc, each_file_opens);
    tcase_add_test(tc, each_twin_is_the_same_wave);
    suite_add_tcase(s, tc);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? 1 : 0;
}
