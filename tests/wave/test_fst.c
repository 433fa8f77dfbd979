/* The FST reader on good files of other tools and on damaged ones: a verdict in bounded time, never a crash.
 */
#define _XOPEN_SOURCE 700 /* nftw */
#include "dumped.h"

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

/* 0 when the file reads the same twice, 2 when it is refused; with wave info, in a child that may take 100 s.
 */
static int guarded(const char *path)
{
    pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        struct wave_info info;
        signal(SIGALRM, SIG_DFL);
        alarm(100);
        int rc = wave_get_info(path, &info, &err);
        char *a = rc ? NULL : dump_of(path, &err), *b = a ? dump_of(path, &err) : NULL;
        if (b)
            _exit(strcmp(a, b) == 0 ? 0 : 1);
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
    char *a = dump_of(at("a"), &err), *b = dump_of(at("b"), &err), *c = dump_of(at("c"), &err);
    ck_assert(a && b && c);
    ck_assert_str_eq(a, b);
    ck_assert_str_eq(b, c);
    free(a);
    free(b);
    free(c);
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

/* What a killed writer leaves: name and name.hier. `blocks` whole blocks of 10 steps each, then an open one.
 */
static void killed_wave(const char *name, int blocks)
{
    pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        struct maker m = fst_begin(name, -9);
        double level = 0.25;
        fstHandle n = fst_var(m, "n", 8), clk = fst_var(m, "clk", 1);
        fst_alias(m, "too", 1, clk);
        fstHandle real = fstWriterCreateVar(m.fst, FST_VT_VCD_REAL, FST_VD_IMPLICIT, 8, "level", 0);
        fstHandle text = fstWriterCreateVar(m.fst, FST_VT_GEN_STRING, FST_VD_IMPLICIT, 0, "text", 0);
        for (uint64_t t = 0; t < (uint64_t)blocks * 10 + 5; t++) {
            if (t && t % 10 == 0)
                fstWriterFlushContext(m.fst);
            fst_time(m, t);
            fst_emit(m, n, t & 1 ? "00000001" : "10000000");
            fst_emit(m, clk, t & 1 ? "1" : "0");
            fstWriterEmitValueChange(m.fst, real, &level);
            fstWriterEmitVariableLengthValueChange(m.fst, text, "abcdefgh", (uint32_t)(t % 8));
            level *= 2;
        }
        _exit(0);
    }
    int status;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static char *incomplete(const char *name)
{
    return dump_with(at(name), true, (struct wave_dump_options){ 0 }, &err);
}

START_TEST(a_killed_writers_file_is_read_up_to_its_last_whole_block)
{
    killed_wave("killed", 2);
    ck_assert_ptr_null(dump_of(at("killed"), &err));
    ck_assert_int_eq(err.code, NERR_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "incomplete FST file"));
    ck_assert_msg(strstr(err.text, "complete up to 19 ns") != NULL, "%s", err.text);
    char *d = incomplete("killed");
    ck_assert_msg(d != NULL, "%s", err.text);
    ck_assert_ptr_nonnull(strstr(d, "signal top.clk, 1 bit\nsignal top.level, real\nsignal top.n, 8 bits\n"
                                    "signal top.text, string\nsignal top.too, 1 bit\ntime 0 ns\n"));
    ck_assert_ptr_nonnull(strstr(d, "time 1 ns\n  top.clk = 1\n  top.level = 0.5\n  top.n = 8'h01\n"
                                    "  top.text = \"a\"\n  top.too = 1\n"));
    ck_assert_ptr_nonnull(strstr(d, "time 19 ns\n"));
    ck_assert_ptr_nonnull(strstr(d, "\nincomplete after 19 ns\n"));
    free(d);
}
END_TEST

START_TEST(a_killed_writers_file_without_enough_is_refused)
{
    uint8_t *buf;
    size_t len;
    killed_wave("early", 0); /* no block was finished */
    ck_assert_ptr_null(incomplete("early"));
    ck_assert_msg(strstr(err.text, "before it wrote a whole block") != NULL, "%s", err.text);
    killed_wave("killed", 1);
    ck_assert_int_eq(file_read(at("killed.hier"), 0, &buf, &len, &err), 0);
    for (size_t n = 0; n < len; n++) { /* declarations cut anywhere */
        ck_assert_int_eq(file_write(at("killed.hier"), buf, n, &err), 0);
        char *d = incomplete("killed");
        ck_assert_msg(d == NULL, "declarations cut to %zu of %zu bytes", n, len);
        ck_assert_int_eq(err.code, NERR_INPUT);
    }
    free(buf);
    ck_assert_int_eq(unlink(at("killed.hier")), 0);
    ck_assert_ptr_null(incomplete("killed"));
    ck_assert_ptr_nonnull(strstr(err.text, "killed.hier with the declarations cannot be read"));
}
END_TEST

/* Cut anywhere behind its first block, the file still shows that block and never more than the whole. */
START_TEST(a_killed_writers_file_may_be_cut_too)
{
    uint8_t *buf, *hier;
    size_t len, hier_len;
    killed_wave("killed", 2);
    ck_assert_int_eq(file_read(at("killed"), 0, &buf, &len, &err), 0);
    ck_assert_int_eq(file_read(at("killed.hier"), 0, &hier, &hier_len, &err), 0);
    ck_assert_int_eq(file_write(at("cut.hier"), hier, hier_len, &err), 0);
    unsigned one = 0, two = 0;
    for (size_t n = 1; n < len; n++) {
        ck_assert_int_eq(file_write(at("cut"), buf, n, &err), 0);
        char *d = incomplete("cut");
        if (!d) {
            ck_assert_int_eq(err.code, NERR_INPUT);
            continue;
        }
        one += strstr(d, "incomplete after 9 ns") != NULL;
        two += strstr(d, "incomplete after 19 ns") != NULL;
        free(d);
    }
    ck_assert_uint_gt(one, 50);
    ck_assert_uint_gt(two, 10);
    free(buf);
    free(hier);
}
END_TEST

/* GTKWave's converter calls a scope without a name "$end". */
START_TEST(unnamed_scopes)
{
    struct wave_names names;
    void *w = fstWriterCreate(at("a.fst"), 1);
    fstWriterSetScope(w, FST_ST_VCD_MODULE, "$end\n", "");
    fstWriterSetScope(w, FST_ST_VCD_MODULE, "$endless", "");
    fstHandle h = fstWriterCreateVar(w, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, 1, "n", 0);
    fstWriterEmitTimeChange(w, 0);
    fstWriterEmitValueChange(w, h, "1");
    fstWriterClose(w);
    ck_assert_msg(wave_list(at("a.fst"), NULL, 0, &names, &err) == 0, "%s", err.text);
    ck_assert_str_eq(names.name[0], "$endless.n");
    wave_names_free(&names);
}
END_TEST

START_TEST(no_file_is_left_beside_the_input)
{
    rich_wave("a.fst", FST_WR_PT_LZ4, 0);
    char *d = dump_of(at("a.fst"), &err);
    ck_assert_ptr_nonnull(d);
    free(d);
    only_file_in_scratch("a.fst");
}
END_TEST

/* Values that fill several slots of the decoder's ring, next to small ones. */
START_TEST(values_larger_than_a_slot)
{
    enum { WIDTH = 250001, LEN = 150000 };
    char *bits = malloc(WIDTH + 1), *text = malloc(LEN);
    struct maker m = fst_begin("a.fst", -9);
    fstHandle wide = fst_var(m, "wide", WIDTH), bit = fst_var(m, "bit", 1);
    fstHandle string = fstWriterCreateVar(m.fst, FST_VT_GEN_STRING, FST_VD_IMPLICIT, 0, "text", 0);
    bits[WIDTH] = '\0';
    for (unsigned t = 0; t < 6; t++) {
        memset(bits, "01"[t & 1], WIDTH);
        memset(text, 'a' + (int)t, LEN);
        bits[t * 40000] = 'X';
        fst_time(m, t);
        fst_emit(m, bit, t & 1 ? "1" : "0");
        fst_emit(m, wide, bits);
        fstWriterEmitVariableLengthValueChange(m.fst, string, text, LEN);
    }
    fst_end(m);
    struct wave_reader *r;
    struct wave_record rec;
    unsigned seen_wide = 0, seen_text = 0;
    ck_assert_int_eq(wave_reader_open(at("a.fst"), &r, &err), 0);
    ck_assert_int_eq(r->ops->start(r, NULL, &err), 0);
    do {
        ck_assert_msg(r->ops->next(r, &rec, &err) == 0, "%s", err.text);
        unsigned t = (unsigned)rec.time;
        if (rec.kind == WAVE_CHANGE && rec.len == WIDTH && rec.value[t * 40000] == 'x') {
            ck_assert(rec.value[t * 40000 + 1] == "01"[t & 1] &&
                      rec.value[WIDTH - 1] == (t ? "01"[t & 1] : '0'));
            seen_wide++;
        }
        if (rec.kind == WAVE_CHANGE && rec.len == LEN) {
            ck_assert(rec.value[0] == (char)('a' + (int)t) && rec.value[LEN - 1] == rec.value[0]);
            seen_text++;
        }
    } while (rec.kind != WAVE_END);
    ck_assert_uint_eq(seen_text, 6);
    ck_assert_uint_ge(seen_wide, 6);
    wave_reader_close(r);
    free(bits);
    free(text);
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
    ck_assert_int_eq(guarded(at("a")), 0);
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
    tcase_add_test(tc, a_killed_writers_file_is_read_up_to_its_last_whole_block);
    tcase_add_test(tc, a_killed_writers_file_without_enough_is_refused);
    tcase_add_test(tc, a_killed_writers_file_may_be_cut_too);
    tcase_add_test(tc, unnamed_scopes);
    tcase_add_test(tc, no_file_is_left_beside_the_input);
    tcase_add_test(tc, values_larger_than_a_slot);
    tcase_add_test(tc, a_stray_hierarchy_file_is_not_believed);
    tcase_add_test(tc, what_is_no_wave_is_refused_with_a_sentence);
    tcase_add_test(tc, names_longer_than_the_librarys_buffer_are_kept_whole);
    tcase_add_test(tc, list_gives_names_in_declaration_order_by_glob);
    suite_add_tcase(s, tc);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? 1 : 0;
}
