/* neffsim wave: exit codes and what is printed. */
#include "fixture.h"

#include <cjson/cJSON.h>
#include <fcntl.h>

#include "cli/args.h"
#include "cli/verbs.h"

static struct nerr err;
static char *out; /* what the last command printed on standard output */

static void set_up(void)
{
    scratch_make();
    out = NULL;
    plain_wave("a", 100, 42, "00000001");
    plain_wave("b", 100, 42, "00000010");
}

static void tear_down(void)
{
    free(out);
    scratch_remove();
}

/* Runs the verb in a child with both outputs in files. Words up to NULL. */
static int run(const char *const *words)
{
    char *argv[24] = { (char *)"wave" };
    int argc = 1;
    for (; words[argc - 1]; argc++)
        argv[argc] = (char *)(uintptr_t)words[argc - 1];
    fflush(NULL);
    pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        if (!freopen(at("out"), "w", stdout) || !freopen(at("err"), "w", stderr))
            _exit(99);
        int code = cli_finish(argc, argv, verb_wave(argc, argv)); /* as main does */
        fflush(NULL);
        _exit(code);
    }
    int status;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert(WIFEXITED(status));
    uint8_t *buf;
    size_t len;
    free(out);
    ck_assert_int_eq(file_read(at("out"), 0, &buf, &len, &err), 0);
    out = (char *)buf;
    return WEXITSTATUS(status);
}

#define RUN(...) run((const char *const[]){ __VA_ARGS__, NULL })

static const cJSON *member(const cJSON *j, const char *name)
{
    const cJSON *m = cJSON_GetObjectItemCaseSensitive(j, name);
    ck_assert_msg(m != NULL, "no member %s in %s", name, out);
    return m;
}

START_TEST(exit_codes_are_zero_one_two)
{
    ck_assert_int_eq(RUN("diff", at("a"), at("a")), 0);
    ck_assert_int_eq(RUN("diff", at("a"), at("b")), 1);
    ck_assert_int_eq(RUN("diff", at("a"), at("missing")), 2);
    ck_assert_int_eq(RUN("diff", at("missing"), at("a")), 2);
    ck_assert_int_eq(RUN("diff", at("a"), at("b"), "--ignore", "*data*"), 0);
    ck_assert_int_eq(RUN("diff", "--signal", "*clk", at("a"), at("b")), 0);
    ck_assert_int_eq(RUN("diff", at("a"), at("b"), "--window", ":41"), 0);
    ck_assert_int_eq(RUN("diff", at("a"), at("b"), "--only", "nothing"), 2);
    ck_assert_int_eq(RUN("diff", at("a"), at("b"), "--only", "nothing", "--allow-empty"), 0);
    ck_assert_int_eq(RUN("info", at("a")), 0);
    ck_assert_int_eq(RUN("info", at("out")), 2);
    ck_assert_int_eq(RUN("--help"), 0);
    ck_assert_int_eq(RUN("diff", "--help"), 0);
}
END_TEST

START_TEST(usage_errors_are_two)
{
    ck_assert_int_eq(run((const char *const[]){ NULL }), 2);
    ck_assert_int_eq(RUN("diff", at("a")), 2);
    ck_assert_int_eq(RUN("diff", at("a"), at("a"), at("a")), 2);
    ck_assert_int_eq(RUN("compare", at("a"), at("a")), 2);
    ck_assert_int_eq(RUN("diff", at("a"), at("a"), "--nonsense"), 2);
    ck_assert_int_eq(RUN("diff", at("a"), at("a"), "--limit", "many"), 2);
    ck_assert_int_eq(RUN("diff", at("a"), at("a"), "--window", "3"), 2);
    ck_assert_int_eq(RUN("info", at("a"), "--gtkw", "x"), 2);
}
END_TEST

START_TEST(first_difference_is_the_first_line)
{
    ck_assert_int_eq(RUN("diff", at("a"), at("b")), 1);
    ck_assert_ptr_nonnull(
        strstr(out, "different: first at 42 ns, top.data[7:0] is 8'h01 in A and 8'h02 in B\n1 signal with"));
}
END_TEST

START_TEST(json_is_one_document_with_all_counts)
{
    ck_assert_int_eq(RUN("diff", "--json", at("a"), at("b")), 1);
    cJSON *j = cJSON_Parse(out);
    ck_assert_ptr_nonnull(j);
    ck_assert_str_eq(member(j, "verdict")->valuestring, "different");
    ck_assert_int_eq(member(j, "compared")->valueint, 2);
    ck_assert_int_eq(member(member(j, "count"), "value")->valueint, 1);
    const cJSON *first = cJSON_GetArrayItem(member(j, "differences"), 0);
    ck_assert_str_eq(member(first, "signal")->valuestring, "top.data[7:0]");
    ck_assert_str_eq(member(first, "time")->valuestring, "42 ns");
    ck_assert_str_eq(member(first, "a")->valuestring, "8'h01");
    ck_assert_str_eq(member(first, "b")->valuestring, "8'h02");
    cJSON_Delete(j);

    ck_assert_int_eq(RUN("diff", "--json", at("a"), at("missing")), 2);
    j = cJSON_Parse(out);
    ck_assert_ptr_nonnull(j);
    ck_assert_str_eq(member(j, "verdict")->valuestring, "error");
    cJSON_Delete(j);

    ck_assert_int_eq(RUN("info", "--json", "--signal", "*clk", at("a")), 0);
    j = cJSON_Parse(out);
    ck_assert_ptr_nonnull(j);
    ck_assert_int_eq(member(j, "names")->valueint, 2);
    ck_assert_int_eq(cJSON_GetArraySize(member(j, "listed")), 1);
    cJSON_Delete(j);
}
END_TEST

START_TEST(gtkw_marks_the_first_difference)
{
    ck_assert_int_eq(RUN("diff", at("a"), at("b"), "--gtkw", at("d.gtkw")), 1);
    uint8_t *text;
    size_t len;
    ck_assert_int_eq(file_read(at("d.gtkw"), 0, &text, &len, &err), 0);
    ck_assert_ptr_nonnull(strstr((char *)text, " 42 -1"));
    ck_assert_ptr_nonnull(strstr((char *)text, "@200\n-differs at 42 ns\n[color] 4\n@22\n+{data[7:0] golden} "
                                               "golden.top.data[7:0]\n"));
    ck_assert_int_eq(access(at("d.gtkw.fst"), F_OK), 0);
    free(text);
}
END_TEST

START_TEST(gtkw_that_cannot_be_written_is_two_and_equal_writes_none)
{
    ck_assert_int_eq(RUN("diff", at("a"), at("b"), "--gtkw", at("no/where.gtkw")), 2);
    ck_assert_int_eq(RUN("diff", at("a"), at("a"), "--gtkw", at("e.gtkw")), 0);
    ck_assert_int_ne(access(at("e.gtkw"), F_OK), 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("wave/verb");
    TCase *tc = tcase_create("verb");
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, exit_codes_are_zero_one_two);
    tcase_add_test(tc, usage_errors_are_two);
    tcase_add_test(tc, first_difference_is_the_first_line);
    tcase_add_test(tc, json_is_one_document_with_all_counts);
    tcase_add_test(tc, gtkw_marks_the_first_difference);
    tcase_add_test(tc, gtkw_that_cannot_be_written_is_two_and_equal_writes_none);
    suite_add_tcase(s, tc);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? 1 : 0;
}
