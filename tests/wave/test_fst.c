/* The FST reader on good files of other tools and on damaged ones: a verdict in bounded time, never a crash.
 */
#define _XOPEN_SOURCE 700 /* nftw */
#include "fixture.h"

#include <dirent.h>
#include <ftw.h>
#include <signal.h>
#include <sys/stat.h>

static struct nerr err;

static void set_up(void)
{
    scratch_make();
    memset(&err, 0, sizeof err);
}

static void tear_down(void)
{
    scratch_remove();
}

/* A wave with all kinds of signals, two value blocks and an alias. */
static void rich_wave(const char *name, enum fstWriterPackType pack, int repack)
{
    struct maker m = fst_begin(name, -9);
    double level = 0.0;
    fstWriterSetPackType(m.fst, pack);
    fstWriterSetRepackOnClose(m.fst, repack);
    fstHandle clk = fst_var(m, "clk", 1), bus = fst_var(m, "bus [31:0]", 32);
    fst_alias(m, "clk_too", 1, clk);
    fstHandle real = fstWriterCreateVar(m.fst, FST_VT_VCD_REAL, FST_VD_IMPLICIT, 8, "level", 0);
    fstHandle text = fstWriterCreateVar(m.fst, FST_VT_GEN_STRING, FST_VD_IMPLICIT, 0, "state", 0);
    for (uint64_t t = 0; t < 200; t++) {
        char bits[33] = "";
        for (int k = 0; k < 32; k++)
            bits[k] = "01"[(t * 2654435761u) >> k & 1];
        if (t % 50 == 3)
            bits[7] = 'x';
        fst_time(m, t);
        fst_emit(m, clk, t & 1 ? "1" : "0");
        fst_emit(m, bus, bits);
        level += 0.125;
        fstWriterEmitValueChange(m.fst, real, &level);
        fstWriterEmitVariableLengthValueChange(m.fst, text, bits, (uint32_t)(t % 30));
        if (t == 100)
            fstWriterFlushContext(m.fst);
    }
    fst_end(m);
}

/* Exit code of comparing a file with itself and of wave info, in a child that may take 100 s. */
static int guarded(const char *path)
{
    pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        struct wave_diff_options o = { .limit = 10 };
        struct wave_diff_result r;
        struct wave_info info;
        signal(SIGALRM, SIG_DFL);
        alarm(100);
        int rc = wave_get_info(path, &info, &err);
        if (!rc)
            rc = wave_diff(path, path, &o, &r, &err);
        if (!rc)
            _exit(wave_diff_equal(&r) ? 0 : 1);
        _exit(err.code == NERR_INPUT && err.text[0] ? 2 : 99);
    }
    int status;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_msg(WIFEXITED(status), "%s: ended by signal %d", path,
                  WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    return WEXITSTATUS(status);
}

static void only_file_in_scratch(const char *name)
{
    DIR *dir = opendir(scratch);
    ck_assert_ptr_nonnull(dir);
    for (struct dirent *e; (e = readdir(dir)) != NULL;)
        if (e->d_name[0] != '.')
            ck_assert_str_eq(e->d_name, name);
    closedir(dir);
}

static const struct {
    enum fstWriterPackType pack;
    int repack;
} packings[] = { { FST_WR_PT_LZ4, 0 }, { FST_WR_PT_FASTLZ, 0 }, { FST_WR_PT_ZLIB, 0 }, { FST_WR_PT_LZ4, 1 } };

START_TEST(every_packing_is_read)
{
    struct wave_info info;
    for (size_t i = 0; i < sizeof packings / sizeof packings[0]; i++) {
        rich_wave("p", packings[i].pack, packings[i].repack);
        ck_assert_msg(wave_get_info(at("p"), &info, &err) == 0, "packing %zu: %s", i, err.text);
        ck_assert_uint_eq(info.vars, 5);
        ck_assert_uint_eq(info.signals, 4);
        ck_assert_uint_eq(info.scopes, 1);
        ck_assert_uint_eq(info.end, 199);
        ck_assert_int_eq(info.exponent, -9);
        ck_assert_uint_ge(info.changes, 800);
        ck_assert_int_eq(guarded(at("p")), 0);
        only_file_in_scratch("p");
    }
}
END_TEST

START_TEST(packings_of_one_wave_are_equal)
{
    rich_wave("a", FST_WR_PT_LZ4, 0);
    rich_wave("b", FST_WR_PT_ZLIB, 0);
    rich_wave("c", FST_WR_PT_FASTLZ, 1);
    ck_assert_int_eq(diff_code("a", "b"), 0);
    ck_assert_int_eq(diff_code("b", "c"), 0);
}
END_TEST

static void truncate_everywhere(size_t packing)
{
    uint8_t *buf;
    size_t len;
    rich_wave("whole", packings[packing].pack, packings[packing].repack);
    ck_assert_int_eq(file_read(at("whole"), 0, &buf, &len, &err), 0);
    for (size_t n = 0; n < len; n += 37) {
        ck_assert_int_eq(file_write(at("cut"), buf, n, &err), 0);
        int code = guarded(at("cut"));
        ck_assert_msg(code == 2, "cut to %zu of %zu bytes: %d", n, len, code);
    }
    ck_assert_int_eq(file_write(at("cut"), buf, len - 1, &err), 0);
    ck_assert_int_eq(guarded(at("cut")), 2);
    buf[len] = 0; /* file_read leaves room for one byte more */
    ck_assert_int_eq(file_write(at("cut"), buf, len + 1, &err), 0);
    ck_assert_int_eq(guarded(at("cut")), 2);
    free(buf);
}

START_TEST(a_cut_file_is_refused)
{
    truncate_everywhere(0);
}
END_TEST

START_TEST(a_cut_file_that_is_packed_as_a_whole_is_refused)
{
    truncate_everywhere(3);
}
END_TEST

/*
 * A flipped value may go unseen, because LZ4 has no checksum, and a string with a flipped length may even
 * differ from itself; but there must be a verdict.
 */
static void flip_everywhere(size_t packing, size_t step, uint8_t mask)
{
    uint8_t *buf;
    size_t len, refused = 0, tried = 0;
    rich_wave("whole", packings[packing].pack, packings[packing].repack);
    ck_assert_int_eq(file_read(at("whole"), 0, &buf, &len, &err), 0);
    for (size_t i = 0; i < len; i += step, tried++) {
        buf[i] ^= mask;
        ck_assert_int_eq(file_write(at("bad"), buf, len, &err), 0);
        buf[i] ^= mask;
        int code = guarded(at("bad"));
        ck_assert_msg(code >= 0 && code <= 2, "byte %zu of %zu: %d", i, len, code);
        refused += code == 2;
    }
    ck_assert_uint_gt(refused, 0);
    ck_assert_uint_gt(tried, 50);
    free(buf);
}

START_TEST(flipped_bytes_give_a_verdict)
{
    static const uint8_t masks[] = { 0xff, 0x01, 0x80 };
    flip_everywhere((size_t)_i / 3, 29, masks[_i % 3]);
}
END_TEST

START_TEST(an_unclosed_file_is_refused)
{
    struct maker m = fst_begin("open", -9);
    fstHandle h = fst_var(m, "n", 8);
    for (uint64_t t = 0; t < 3000; t++) {
        fst_time(m, t);
        fst_emit(m, h, t & 1 ? "00000001" : "10000000");
    }
    fstWriterFlushContext(m.fst);
    uint8_t *buf;
    size_t len;
    ck_assert_int_eq(file_read(at("open"), 0, &buf, &len, &err), 0);
    ck_assert_int_eq(file_write(at("killed"), buf, len, &err), 0);
    free(buf);
    fst_end(m);
    struct wave_info info;
    ck_assert_int_eq(wave_get_info(at("killed"), &info, &err), NERR_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "incomplete"));
}
END_TEST

START_TEST(a_stray_hierarchy_file_is_not_believed)
{
    plain_wave("a", 50, 10, "00000001");
    ck_assert_int_eq(file_write(at("a.hier"), "\x10junk", 5, &err), 0);
    ck_assert_int_eq(guarded(at("a")), 0);
}
END_TEST

START_TEST(what_is_no_wave_is_refused_with_a_sentence)
{
    struct wave_info info;
    static const char *const texts[] = { "", "#", "$date today $end", "\0", "\xfe", "\xfe\0\0\0\0\0\0\0\0" };
    static const size_t sizes[] = { 0, 1, 16, 1, 1, 9 };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        ck_assert_int_eq(file_write(at("x"), texts[i], sizes[i], &err), 0);
        ck_assert_int_eq(wave_get_info(at("x"), &info, &err), NERR_INPUT);
        ck_assert_uint_gt(strlen(err.text), 10);
    }
    ck_assert_int_eq(wave_get_info(at("missing"), &info, &err), NERR_IO);
    ck_assert_int_eq(wave_get_info(scratch, &info, &err), NERR_INPUT);
    ck_assert_int_eq(mkfifo(at("fifo"), 0600), 0);
    ck_assert_int_eq(wave_get_info(at("fifo"), &info, &err), NERR_INPUT);
}
END_TEST

START_TEST(names_longer_than_the_librarys_buffer_are_kept_whole)
{
    char name[3000];
    struct wave_names names;
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    struct maker m = fst_begin("a", -9);
    fstHandle h = fst_var(m, name, 1);
    name[sizeof name - 2] = 'm'; /* differs in the last character only */
    fst_var(m, name, 1);
    fst_time(m, 0);
    fst_emit(m, h, "0");
    fst_time(m, 1);
    fst_emit(m, h, "1");
    fst_end(m);
    ck_assert_int_eq(wave_list(at("a"), NULL, 0, &names, &err), 0);
    ck_assert_uint_eq(names.n, 2);
    ck_assert_uint_eq(strlen(names.name[0]), 4 + sizeof name - 1);
    ck_assert_str_ne(names.name[0], names.name[1]);
    wave_names_free(&names);
    ck_assert_int_eq(diff_code("a", "a"), 0);
}
END_TEST

START_TEST(list_gives_names_in_declaration_order_by_glob)
{
    static const char *const globs[] = { "*data*", "*.clk" }, *const none[] = { "nothing" };
    struct wave_names names;
    plain_wave("a", 50, 10, "00000001");
    ck_assert_int_eq(wave_list(at("a"), globs, 2, &names, &err), 0);
    ck_assert_uint_eq(names.n, 2);
    ck_assert_str_eq(names.name[0], "top.clk");
    ck_assert_str_eq(names.name[1], "top.data[7:0]");
    ck_assert_uint_eq(names.width[1], 8);
    wave_names_free(&names);
    ck_assert_int_eq(wave_list(at("a"), none, 1, &names, &err), 0);
    ck_assert_uint_eq(names.n, 0);
    wave_names_free(&names);
}
END_TEST

/* ---- waves that other tools made; only where the collection is at hand
 * ------------------------------------------ */

static unsigned seen;

static int check_file(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)ftw;
    size_t n = strlen(path);
    if (type != FTW_F || n < 4 || strcmp(path + n - 4, ".fst") != 0)
        return 0;
    struct wave_info info;
    struct wave_diff_result r;
    struct wave_diff_options o = { .limit = 10 };
    seen++;
    if (wave_get_info(path, &info, &err)) { /* one of them really is cut */
        ck_assert_msg(strstr(path, "sigrok") && strstr(err.text, "incomplete"), "%s: %s", path, err.text);
        return 0;
    }
    int rc = wave_diff(path, path, &o, &r, &err);
    ck_assert_msg(rc == 0 || strstr(err.text, "nothing ever changed"), "%s: %s", path, err.text);
    ck_assert_msg(rc || wave_diff_equal(&r), "%s differs from itself", path);
    ck_assert_uint_eq(rc ? info.vars : r.compared, info.vars);
    wave_diff_free(&r);
    return 0;
}

START_TEST(waves_of_other_tools_equal_themselves)
{
    char path[4096];
    const char *corpus = getenv("NEFFSIM_CORPUS");
    snprintf(path, sizeof path, "%s/waves", corpus ? corpus : "../shared/corpus");
    if (access(path, R_OK) != 0)
        return;
    ck_assert_int_eq(nftw(path, check_file, 16, FTW_PHYS), 0);
    ck_assert_uint_gt(seen, 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("wave/fst");
    TCase *tc = tcase_create("fst");
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_set_timeout(tc, 600);
    tcase_add_test(tc, every_packing_is_read);
    tcase_add_test(tc, packings_of_one_wave_are_equal);
    tcase_add_test(tc, a_cut_file_is_refused);
    tcase_add_test(tc, a_cut_file_that_is_packed_as_a_whole_is_refused);
    tcase_add_loop_test(tc, flipped_bytes_give_a_verdict, 0, 12);
    tcase_add_test(tc, an_unclosed_file_is_refused);
    tcase_add_test(tc, a_stray_hierarchy_file_is_not_believed);
    tcase_add_test(tc, what_is_no_wave_is_refused_with_a_sentence);
    tcase_add_test(tc, names_longer_than_the_librarys_buffer_are_kept_whole);
    tcase_add_test(tc, list_gives_names_in_declaration_order_by_glob);
    tcase_add_test(tc, waves_of_other_tools_equal_themselves);
    suite_add_tcase(s, tc);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? 1 : 0;
}
