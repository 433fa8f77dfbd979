/* Comparing two small VCD texts. */
#ifndef NEFFSIM_TESTS_WAVE_COMPARED_H
#define NEFFSIM_TESTS_WAVE_COMPARED_H

#include "fixture.h"

#include "util/strbuf.h"

static struct wave_result r;
static struct nerr err;

__attribute__((unused)) static void set_up(void)
{
    scratch_make();
    memset(&r, 0, sizeof r);
}

__attribute__((unused)) static void tear_down(void)
{
    wave_result_free(&r);
    scratch_remove();
}

__attribute__((unused)) static void write_text(const char *name, const char *text)
{
    ck_assert_int_eq(file_write(at(name), text, strlen(text), &err), 0);
}

/*
 * A wave in scope top with ticks of 1 ns. vars: "1 c clk; 8 d data [7:0]", that is width, code and name of
 * each; "real" and "string" instead of a width. body: times and values, "#0 0c b1 d #5 1c".
 */
__attribute__((unused)) static void vcd(const char *name, const char *vars, const char *body)
{
    struct strbuf b = { 0 };
    strbuf_puts(&b, "$timescale 1 ns $end\n$scope module top $end\n");
    while (*vars) {
        size_t n = strcspn(vars, ";");
        vars += strspn(vars, " ");
        n = strcspn(vars, ";");
        if (strncmp(vars, "real", 4) == 0)
            strbuf_printf(&b, "$var real 64 %.*s $end\n", (int)(n - 4), vars + 4);
        else if (strncmp(vars, "string", 6) == 0)
            strbuf_printf(&b, "$var string 0 %.*s $end\n", (int)(n - 6), vars + 6);
        else if (strncmp(vars, "event", 5) == 0)
            strbuf_printf(&b, "$var event 1 %.*s $end\n", (int)(n - 5), vars + 5);
        else
            strbuf_printf(&b, "$var wire %.*s $end\n", (int)n, vars);
        vars += n + (vars[n] == ';');
    }
    strbuf_printf(&b, "$upscope $end\n$enddefinitions $end\n%s\n", body);
    ck_assert(!b.failed);
    write_text(name, b.s);
    strbuf_free(&b);
}

/* Both sides with the same declarations. */
__attribute__((unused)) static void pair(const char *vars, const char *a, const char *b)
{
    vcd("a", vars, a);
    vcd("b", vars, b);
}

/* Exit code of comparing a with b: 0, 1 or 2. The result stays in r, an error in err. */
__attribute__((unused)) static int verdict(struct wave_options o)
{
    wave_result_free(&r);
    int rc = diff_with("a", "b", o, &r, &err);
    return rc ? nerr_exit_code(&err) : !wave_result_equal(&r);
}

/* The same with a rule file. */
__attribute__((unused)) static int verdict_by(const char *rules, struct wave_options o)
{
    struct wave_rule_file *f;
    write_text("rules", rules);
    ck_assert_msg(wave_rules_read(at("rules"), &f, &err) == 0, "%s: %s", err.where, err.text);
    o.rules = wave_rules_list(f, &o.nrules);
    int code = verdict(o);
    wave_rules_free(f);
    return code;
}

__attribute__((unused)) static struct wave_bound ns(uint64_t n)
{
    return (struct wave_bound){ .set = true, .has_unit = true, .exponent = -9, .value = n };
}

#define PLAIN ((struct wave_options){ 0 })

/* "name: first golden/actual mask, until, lasted, intervals, total" of an entry, with - for what is not set.
 */
__attribute__((unused)) static const char *line(size_t i)
{
    static char text[512];
    ck_assert_uint_lt(i, r.nlist);
    const struct wave_signal_result *s = &r.list[i];
    snprintf(text, sizeof text, "%s: %s %s/%s %s, until %s, %s, %llu, %s", s->name_a ? s->name_a : s->name_b,
             s->first.text ? s->first.text : "-", s->golden ? s->golden : "-", s->actual ? s->actual : "-",
             s->mask ? s->mask : "-", s->until.text ? s->until.text : "-", s->lasted ? s->lasted : "-",
             (unsigned long long)s->intervals, s->total ? s->total : "-");
    return text;
}

__attribute__((unused)) static bool noted(const char *part)
{
    for (size_t i = 0; i < r.nnotes; i++)
        if (strstr(r.notes[i], part))
            return true;
    return false;
}

__attribute__((unused)) static int run_suite(const char *name, const TTest *const *tests, size_t n)
{
    Suite *s = suite_create(name);
    TCase *tc = tcase_create(name);
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_set_timeout(tc, 60);
    for (size_t i = 0; i < n; i++)
        tcase_add_test(tc, tests[i]);
    suite_add_tcase(s, tc);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? 1 : 0;
}

#define RUN_SUITE(name, tests) run_suite(name, tests, sizeof(tests) / sizeof(tests)[0])

#endif
