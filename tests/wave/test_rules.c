/* Rule files: what is in one, and where it is wrong. */
#include "compared.h"

static struct wave_rule_file *file;
static const struct wave_rule *rules;
static size_t n;

static int read_text(const char *text)
{
    write_text("rules", text);
    int rc = wave_rules_read(at("rules"), &file, &err);
    rules = rc ? NULL : wave_rules_list(file, &n);
    return rc;
}

START_TEST(every_rule_is_read)
{
    ck_assert_int_eq(read_text("# a comment\n\n"
                               "map top.a tb.x tb.y[3:0]  # two names\n"
                               "\tignore *.dbg_*\r\n"
                               "only top.*\n"
                               "mask top.bus 16'hFF00\n"
                               "tol top.q 5 3ns\n"
                               "when top.q top.valid && n == 4'h3   # spaces belong to it\r\n"
                               "map top.core. tb.dut."),
                     0);
    ck_assert_uint_eq(n, 7);
    ck_assert_int_eq(rules[0].kind, WAVE_RULE_MAP);
    ck_assert_uint_eq(rules[0].line, 3);
    ck_assert_str_eq(rules[0].name, "top.a");
    ck_assert_uint_eq(rules[0].nothers, 2);
    ck_assert_str_eq(rules[0].others[0], "tb.x");
    ck_assert_str_eq(rules[0].others[1], "tb.y[3:0]");
    ck_assert_int_eq(rules[1].kind, WAVE_RULE_IGNORE);
    ck_assert_str_eq(rules[1].name, "*.dbg_*");
    ck_assert_int_eq(rules[2].kind, WAVE_RULE_ONLY);
    ck_assert_int_eq(rules[3].kind, WAVE_RULE_MASK);
    ck_assert_str_eq(rules[3].text, "FF00");
    ck_assert_int_eq(rules[4].kind, WAVE_RULE_TOL);
    ck_assert(!rules[4].lead.has_unit && rules[4].lead.value == 5);
    ck_assert(rules[4].lag.has_unit && rules[4].lag.value == 3 && rules[4].lag.exponent == -9);
    ck_assert_int_eq(rules[5].kind, WAVE_RULE_WHEN);
    ck_assert_str_eq(rules[5].text, "top.valid && n == 4'h3");
    ck_assert_str_eq(rules[6].others[0], "tb.dut.");
    ck_assert_str_eq(rules[6].file, at("rules"));
    wave_rules_free(file);
    ck_assert_int_eq(read_text(""), 0);
    ck_assert_uint_eq(n, 0);
    wave_rules_free(file);
}
END_TEST

START_TEST(errors_have_line_and_column)
{
    static const struct {
        const char *text, *place, *what;
    } bad[] = {
        { "ignore a\nforget b\n", "rules 2:1", "'forget' is no rule" },
        { "ignore\n", "rules 1:7", "the name is missing" },
        { "  ignore a b\n", "rules 1:12", "'b' is more than" },
        { "map a\n", "rules 1:6", "the name in B is missing" },
        { "map # a b\n", "rules 1:4", "the name in A is missing" },
        { "mask a xyz\n", "rules 1:8", "'xyz' is no hexadecimal" },
        { "mask a\n", "rules 1:7", "missing" },
        { "tol a 5\n", "rules 1:8", "the lag is missing" },
        { "tol a 5 5q\n", "rules 1:9", "'5q' is no time" },
        { "tol a -5 5\n", "rules 1:7", "'-5' is no time" },
        { "\n\n  when a  b && \n", "rules 3:15", "ends" },
        { "when a b == 3'h9\n", "rules 1:16", "fit" },
        { "when a\n", "rules 1:7", "the condition is missing" },
    };
    char place[256];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_msg(read_text(bad[i].text) == NERR_INPUT, "%s", bad[i].text);
        snprintf(place, sizeof place, "%s%s", at(""), bad[i].place);
        ck_assert_msg(strcmp(err.where, place) == 0, "%s: '%s' is not '%s'", bad[i].text, err.where, place);
        ck_assert_msg(strstr(err.text, bad[i].what) != NULL, "%s: %s", bad[i].text, err.text);
        wave_rules_free(file);
    }
    ck_assert_int_eq(file_write(at("rules"), "ignore a\0b\n", 11, &err), 0);
    ck_assert_int_eq(wave_rules_read(at("rules"), &file, &err), NERR_INPUT);
    wave_rules_free(file);
    ck_assert_int_eq(wave_rules_read(at("no such file"), &file, &err), NERR_IO);
    wave_rules_free(file);
}
END_TEST

START_TEST(masks_are_hexadecimal)
{
    const char *d;
    ck_assert(wave_mask_digits("a0", &d) && strcmp(d, "a0") == 0);
    ck_assert(wave_mask_digits("0xA0", &d) && strcmp(d, "A0") == 0);
    ck_assert(wave_mask_digits("8'hff", &d) && strcmp(d, "ff") == 0);
    ck_assert(!wave_mask_digits("", &d));
    ck_assert(!wave_mask_digits("0x", &d));
    ck_assert(!wave_mask_digits("8'b1", &d));
    ck_assert(!wave_mask_digits("12g", &d));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = { every_rule_is_read, errors_have_line_and_column, masks_are_hexadecimal };
    return RUN_SUITE("wave/rules", tests);
}
