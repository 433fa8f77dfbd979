/* The merged trace and the save file of a comparison: what was written is read back and compared with A and
 * B. */
#include "report_fixture.h"

#include <sys/stat.h>

#include "wave/gtkw_diff.h"
#include "wave/merge.h"
#include "wave/trace.h"

static char path_m[96];
static struct wave_merge merge;

static void begin(void)
{
    set_up();
    snprintf(path_m, sizeof path_m, "%s/m.gtkw.fst", scratch);
    list[1].name_b = T("top.valid");
}

static void tear_down(void)
{
    wave_merge_free(&merge);
    scratch_remove();
}

static int write_merge(const char *const *a, const char *const *b, size_t n)
{
    static const struct wave_moment first = { 20, 20, NULL };
    wave_merge_free(&merge);
    return wave_merge_write(path_m, path_a, path_b, &options, a, b, n, &first, &merge, &err);
}

/* "time=value time=value ..." of one signal of a file. */
static const char *changes(const char *path, const char *name)
{
    static struct strbuf text;
    struct wave_trace t;
    text.len = 0;
    strbuf_puts(&text, "");
    int rc = wave_trace_open(&t, path, &options, &name, 1, &err);
    ck_assert_msg(rc == 0, "%s: %s", err.where, err.text);
    ck_assert_int_eq(wave_trace_start(&t, t.reader->exponent, 0, &err), 0);
    while (!t.ended) {
        ck_assert_int_eq(wave_trace_step(&t, &err), 0);
        if (t.lanes[0].changed)
            strbuf_printf(&text, "%lld=%s ", (long long)t.now, t.lanes[0].value);
    }
    wave_trace_close(&t);
    return text.s;
}

static void same_changes(const char *name, const char *path, const char *original)
{
    char *want = text_copy(changes(path, original));
    ck_assert_str_eq(changes(path_m, name), want);
    free(want);
}

START_TEST(each_side_is_what_it_was_and_differs_says_where)
{
    static const char *const names[] = { "top.data[7:0]", "top.valid", "top.level", "top.hit" };
    options.clock.signal = "top.clk";
    ck_assert_int_eq(write_merge(names, names, 4), 0);
    ck_assert_str_eq(merge.clock, "golden.top.clk");
    ck_assert_str_eq(merge.list[0].golden, "golden.top.data[7:0]");
    ck_assert_str_eq(merge.list[0].differs, "differs.top.data");
    ck_assert_uint_eq(merge.marker, 20);
    same_changes("golden.top.clk", path_a, "top.clk");
    same_changes("golden.top.data[7:0]", path_a, "top.data[7:0]");
    same_changes("actual.top.data[7:0]", path_b, "top.data[7:0]");
    same_changes("actual.top.valid", path_b, "top.valid");
    same_changes("golden.top.level", path_a, "top.level");
    same_changes("golden.top.hit", path_a, "top.hit");
    ck_assert_str_eq(changes(path_m, "differs.top.data"), "0=0 20=1 30=0 ");
    ck_assert_str_eq(changes(path_m, "differs.top.valid"), "0=0 20=1 30=0 ");
    ck_assert_str_eq(changes(path_m, "differs.top.level"), "0=0 ");
    ck_assert_str_eq(changes(path_m, "differs.top.hit"), "0=0 30=1 40=0 ");
}
END_TEST

START_TEST(mapped_names_slices_and_repeated_names)
{
    static const char *const a[] = { "top.data[7:0]", "top.data[3:0]", "top.hi[3:0]", "top.hi[3:0]" };
    static const char *const b[] = { "{top.hi, top.lo}", "top.lo[3:0]", "top.hi[3:0]", "top.lo" };
    ck_assert_int_eq(write_merge(a, b, 4), 0);
    ck_assert_str_eq(merge.list[0].actual, "actual.top.data[7:0]");
    ck_assert_str_eq(merge.list[1].golden, "golden.top.data[3:0]");
    ck_assert_str_eq(merge.list[2].golden, "golden.top.hi[3:0]");
    ck_assert_str_eq(merge.list[3].golden, "golden.top.hi_2[3:0]");
    ck_assert_str_eq(changes(path_m, "actual.top.data[7:0]"), "0=00010010 ");
    ck_assert_str_eq(changes(path_m, "golden.top.data[3:0]"), "0=0001 10=0010 20=0011 30=0100 ");
    ck_assert_str_ne(merge.list[0].differs, merge.list[1].differs);
}
END_TEST

START_TEST(other_ticks_and_a_shift_give_one_axis)
{
    static const char *const names[] = { "top.data[7:0]" };
    put_waves("1ns", body_a, "100ps",
              "#0\n0c b00010001 d\n#70\nb00010010 d\n#170\nb00010011 d\n#270\nb00010100 d\n");
    options.shift = (struct wave_bound){ .set = true, .has_unit = true, .exponent = -9, .value = 3 };
    ck_assert_int_eq(write_merge(names, names, 1), 0);
    ck_assert_uint_eq(merge.marker, 200);
    ck_assert_str_eq(changes(path_m, "actual.top.data[7:0]"),
                     "30=00010001 100=00010010 200=00010011 300=00010100 ");
    ck_assert_str_eq(changes(path_m, "differs.top.data"), "0=1 30=0 ");
}
END_TEST

/* What a viewer shows as the end is the end of the longer file, though the chosen signal is quiet there. */
START_TEST(the_trace_is_as_long_as_the_longer_file)
{
    static const char *const names[] = { "top.hi[3:0]" };
    struct wave_info info;
    put_waves("1ns", body_a, "1ns", "#0\n0c b0001 h\n#75\n1c\n");
    ck_assert_int_eq(write_merge(names, names, 1), 0);
    ck_assert_int_eq(wave_get_info(path_m, &info, &err), 0);
    ck_assert_uint_eq(info.end, 75);

    /* Again from an FST file, which tells only the times at which the chosen signal changes. */
    static const char *const again[] = { "golden.top.hi[3:0]" };
    ck_assert_int_eq(rename(path_m, path_b), 0);
    memcpy(path_a, path_b, sizeof path_a);
    ck_assert_int_eq(write_merge(again, again, 1), 0);
    ck_assert_int_eq(wave_get_info(path_m, &info, &err), 0);
    ck_assert_uint_eq(info.end, 75);
}
END_TEST

START_TEST(values_that_are_no_bits_and_all_states)
{
    static const char head[] = "$timescale 1ps $end\n$scope module t $end\n$var string 1 s text $end\n"
                               "$var wire 4 w w [3:0] $end\n$upscope $end\n$enddefinitions $end\n";
    static const char *const names[] = { "t.text", "t.w[3:0]" };
    char *a = text_printf("%s#0\nsone s\nb01xz w\n#5\nstwo_words s\nbhlu- w\n", head);
    char *b = text_printf("%s#0\nsone s\nb01xz w\n#5\nsother s\nbhlu- w\n", head);
    put_file(path_a, a);
    put_file(path_b, b);
    ck_assert_int_eq(write_merge(names, names, 2), 0);
    same_changes("golden.t.text", path_a, "t.text");
    same_changes("actual.t.w[3:0]", path_b, "t.w[3:0]");
    ck_assert_str_eq(changes(path_m, "differs.t.text"), "0=0 5=1 ");
    ck_assert_str_eq(changes(path_m, "differs.t.w"), "0=0 ");
    free(a);
    free(b);
}
END_TEST

static unsigned files(void)
{
    char command[128];
    FILE *p;
    unsigned n = 0;
    snprintf(command, sizeof command, "ls -A '%s' | wc -l", scratch);
    ck_assert_ptr_nonnull(p = popen(command, "r"));
    ck_assert_int_eq(fscanf(p, "%u", &n), 1);
    pclose(p);
    return n;
}

START_TEST(a_failure_leaves_nothing_behind)
{
    static const char *const names[] = { "top.data[7:0]" };
    static const char *const stale[] = { "top.stale" };
    ck_assert_int_eq(write_merge(names, stale, 1), NERR_RULE);
    has(err.text, "top.stale");
    ck_assert_uint_eq(files(), 2);
    put_waves("1ns", body_a, "1ns", "#0\n0c b00010001 d\n#9\n#3\n"); /* goes back in time */
    ck_assert_int_eq(write_merge(names, names, 1), NERR_INPUT);
    ck_assert_uint_eq(files(), 2);
    ck_assert_int_eq(mkdir(path_m, 0777), 0); /* not a file */
    put_waves("1ns", body_a, "1ns", body_b);
    ck_assert_int_eq(write_merge(names, names, 1), NERR_IO);
    ck_assert_uint_eq(files(), 3);
}
END_TEST

START_TEST(the_save_file_names_what_the_trace_has)
{
    char path[96];
    char *trace;
    uint8_t *bytes;
    size_t len;
    snprintf(path, sizeof path, "%s/d.gtkw", scratch);
    options.clock.signal = "clk";
    int rc = wave_gtkw_diff(path, &report, &trace, &err);
    ck_assert_msg(rc == 0, "%s: %s", err.where, err.text);
    ck_assert_uint_eq(strlen(trace), strlen(path) + 4);
    ck_assert_int_eq(file_read(path, 0, &bytes, &len, &err), 0);
    has((char *)bytes, "d.gtkw.fst\"\n");
    has((char *)bytes, " 19 -1 -1"); /* the value before the edge at 20 */
    has((char *)bytes,
        "@28\ngolden.top.clk\n@200\n-differs at 20 ns\n[color] 4\n@22\n+{data[7:0] golden} "
        "golden.top.data[7:0]\n[color] 2\n@22\n+{data[7:0] actual} actual.top.data[7:0]\n[color] "
        "1\n@28\n+{data[7:0] differs} differs.top.data\n");
    has((char *)bytes, "+{valid actual} actual.top.valid\n");
    ck_assert_uint_eq(files(), 4);
    free(bytes);
    free(trace);
    result.list = list + 2;
    result.nlist = 2;
    ck_assert_int_eq(wave_gtkw_diff(path, &report, &trace, &err), 0);
    ck_assert_ptr_null(trace);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("wave/merge");
    TCase *tc = tcase_create("merge");
    tcase_add_checked_fixture(tc, begin, tear_down);
    tcase_add_test(tc, each_side_is_what_it_was_and_differs_says_where);
    tcase_add_test(tc, mapped_names_slices_and_repeated_names);
    tcase_add_test(tc, other_ticks_and_a_shift_give_one_axis);
    tcase_add_test(tc, the_trace_is_as_long_as_the_longer_file);
    tcase_add_test(tc, values_that_are_no_bits_and_all_states);
    tcase_add_test(tc, a_failure_leaves_nothing_behind);
    tcase_add_test(tc, the_save_file_names_what_the_trace_has);
    suite_add_tcase(s, tc);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? 1 : 0;
}
