/* Save files, translate filters and the choice of signals for an agent. */
#include "fixture.h"

#include <sys/stat.h>

#include "wave/agent.h"
#include "wave/gtkw.h"

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

static char *content(const char *name)
{
    uint8_t *buf;
    size_t len;
    ck_assert_int_eq(file_read(at(name), 0, &buf, &len, &err), 0);
    return (char *)buf;
}

static void has(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) != NULL, "'%s' is not in:\n%s", part, text);
}

START_TEST(save_file_names_wave_marker_signals_and_formats)
{
    struct gtkw_row rows[] = {
        { .comment = "two\nlines" },
        { .name = "top.clk" },
        { .name = "top.data[7:0]", .comment = "here", .filter = "/tmp/states.txt" },
        { .name = "top.data[7:0]", .format = GTKW_DEC },
        { .name = "top.data[7:0]", .format = GTKW_ASCII },
    };
    char head[256];
    plain_wave("a.fst", 100, 42, "00000001");
    ck_assert_int_eq(wave_gtkw_write(at("a.gtkw"), at("a.fst"), rows, 5, 42, &err), 0);
    char *text = content("a.gtkw");
    snprintf(head, sizeof head, "[dumpfile] \"%s\"\n", at("a.fst"));
    has(text, head);
    has(text, "\n[timestart] 10\n");
    has(text, "\n*-3.678072 42 -1 -1 "); /* 64 ticks in 1000 pixels: 12.8 in the 200 that zoom is about */
    has(text, "\n@200\n-two lines\n");
    has(text, "\n@28\ntop.clk\n");
    has(text, "\n@200\n-here\n@2022\n^1 /tmp/states.txt\ntop.data[7:0]\n");
    has(text, "\n@24\ntop.data[7:0]\n");
    has(text, "\n@820\ntop.data[7:0]\n");
    free(text);
}
END_TEST

START_TEST(a_view_of_its_own_colours_and_aliases)
{
    const struct gtkw_row rows[] = {
        { .name = "top.data[7:0]", .color = GTKW_ORANGE, .alias = "data actual" }
    };
    const struct gtkw_view view = { .marker = 42, .from = 30, .to = 70 };
    plain_wave("a.fst", 100, 42, "00000001");
    ck_assert_int_eq(wave_gtkw_write_view(at("a.gtkw"), at("a.fst"), rows, 1, &view, &err), 0);
    char *text = content("a.gtkw");
    has(text, "\n[timestart] 30\n");
    has(text, "\n*-3.000000 42 -1 ");
    has(text, "\n[color] 2\n@22\n+{data actual} top.data[7:0]\n");
    free(text);
}
END_TEST

/* The filter program of this source tree, which the test binary lies in. */
START_TEST(records_get_their_filter_program)
{
    struct gtkw_row rows[] = { { .name = "top.slot[511:0]" },
                               { .name = "top.mine[127:0]" },
                               { .name = "top.slot[511:0]", .format = GTKW_HEX } };
    const struct wave_decode_rule rule = { "*.mine", WAVE_DECODE_M2S };
    const struct gtkw_view view = { .decode = &rule, .ndecode = 1 };
    struct maker m = fst_begin("a.fst", -9);
    char value[512];
    memset(value, '1', sizeof value);
    fstHandle slot = fst_var(m, "slot [511:0]", 512), mine = fst_var(m, "mine [127:0]", 128);
    fst_time(m, 0);
    fst_emit(m, slot, value);
    fst_emit(m, mine, value);
    fst_end(m);
    ck_assert_int_eq(wave_gtkw_write_view(at("a.gtkw"), at("a.fst"), rows, 3, &view, &err), 0);
    char *text = content("a.gtkw"), *first = strstr(text, "@4022\n^>1 "), *second;
    ck_assert_ptr_nonnull(first);
    second = strstr(first, "/share/neffsim/gtkwave/slot\ntop.slot[511:0]\n@4022\n^>1 ");
    ck_assert_ptr_nonnull(second);
    has(second, "/share/neffsim/gtkwave/m2s\ntop.mine[127:0]\n@22\ntop.slot[511:0]\n");
    free(text);
}
END_TEST

START_TEST(one_bit_vectors_and_numbers_have_the_names_that_gtkwave_gives_them)
{
    struct gtkw_row rows[] = { { .name = "top.one[3:3]" }, { .name = "top.n[31:0]" } };
    struct maker m = fst_begin("a.fst", -9);
    fstHandle h = fst_var(m, "one [3:3]", 1);
    fstWriterCreateVar(m.fst, FST_VT_SV_INT, FST_VD_IMPLICIT, 32, "n [31:0]", 0);
    fst_time(m, 0);
    fst_emit(m, h, "0");
    fst_time(m, 1);
    fst_emit(m, h, "1");
    fst_end(m);
    ck_assert_int_eq(wave_gtkw_write(at("a.gtkw"), at("a.fst"), rows, 2, 0, &err), 0);
    char *text = content("a.gtkw");
    has(text, "@28\ntop.one[3]\n@22\ntop.n\n");
    free(text);
}
END_TEST

START_TEST(a_name_that_the_wave_does_not_have_is_an_error_and_leaves_no_file)
{
    struct gtkw_row rows[] = { { .name = "top.clk" }, { .name = "top.stale" } };
    plain_wave("a.fst", 100, 42, "00000001");
    ck_assert_int_eq(wave_gtkw_write(at("a.gtkw"), at("a.fst"), rows, 2, 42, &err), NERR_RULE);
    has(err.text, "top.stale");
    ck_assert_int_ne(access(at("a.gtkw"), F_OK), 0);
}
END_TEST

START_TEST(an_unwritable_save_file_is_an_io_error)
{
    struct gtkw_row rows[] = { { .name = "top.clk" } };
    plain_wave("a.fst", 100, 42, "00000001");
    ck_assert_int_eq(wave_gtkw_write(at("no/such/folder.gtkw"), at("a.fst"), rows, 1, 42, &err), NERR_IO);
}
END_TEST

START_TEST(filter_lines_have_all_digits)
{
    static const struct gtkw_label labels[] = { { 0xb0, "WRITE" }, { 5, "IDLE" } };
    ck_assert_int_eq(wave_filter_write(at("f.txt"), labels, 2, 12, &err), 0);
    char *text = content("f.txt");
    ck_assert_str_eq(text, "0B0 WRITE\n005 IDLE\n");
    free(text);
}
END_TEST

static char *core_names[] = {
    "TOP.clk_i",
    "TOP.top.clk_i",
    "TOP.top.u_core.rst_ni",
    "TOP.top.u_core.g_seq[0].u_seq.pc_q[63:0]",
    "TOP.top.u_core.g_seq[1].u_seq.clk_i",
    "TOP.top.u_core.g_seq[1].u_seq.pc_q[63:0]",
    "TOP.top.u_core.g_seq[1].u_seq.start_i",
    "TOP.top.u_core.g_seq[1].u_seq.pc_d[63:0]",
    "TOP.top.u_core.g_seq[1].u_seq.u_fetch.state_q[2:0]",
    "TOP.top.u_core.g_seq[1].u_seq.u_fetch.busy_o",
    "TOP.top.u_core.u_notific.ring_q[3:0]",
    "TOP.top.u_core.u_notific.u_notific.deep_q",
};
static uint32_t core_widths[12];
static const struct wave_names core = { core_names, core_widths, 12 };

START_TEST(rows_of_an_agent_are_its_ports_and_registers)
{
    struct gtkw_row *rows;
    size_t n;
    ck_assert_int_eq(wave_agent_rows(&core, WAVE_AGENT_SEQ, 1, 99, &rows, &n, &err), 0);
    ck_assert_uint_eq(n, 5);
    ck_assert_str_eq(rows[0].name, "TOP.clk_i");
    ck_assert_str_eq(rows[1].name, "TOP.top.u_core.rst_ni");
    ck_assert_str_eq(rows[2].name, "TOP.top.u_core.g_seq[1].u_seq.pc_q[63:0]");
    ck_assert_str_eq(rows[3].name, "TOP.top.u_core.g_seq[1].u_seq.start_i");
    ck_assert_str_eq(rows[4].name, "TOP.top.u_core.g_seq[1].u_seq.u_fetch.state_q[2:0]");
    free(rows);
    ck_assert_int_eq(wave_agent_rows(&core, WAVE_AGENT_NOTIFIC, 0, 3, &rows, &n, &err), 0);
    ck_assert_uint_eq(n, 3);
    ck_assert_str_eq(rows[2].name, "TOP.top.u_core.u_notific.ring_q[3:0]");
    free(rows);
}
END_TEST

START_TEST(records_of_an_agent_come_first)
{
    static char *names[] = { "t.clk_i", "t.g_seq[1].u_seq.pc_q[63:0]", "t.g_seq[1].u_seq.slot[511:0]",
                             "t.g_seq[1].u_seq.u_fetch.slot_o[511:0]" };
    static uint32_t widths[] = { 1, 64, 512, 512 };
    const struct wave_names wave = { names, widths, 4 };
    struct gtkw_row *rows;
    size_t n;
    ck_assert_int_eq(wave_agent_rows(&wave, WAVE_AGENT_SEQ, 1, 99, &rows, &n, &err), 0);
    ck_assert_uint_eq(n, 3);
    ck_assert_str_eq(rows[1].name, "t.g_seq[1].u_seq.slot[511:0]");
    ck_assert_str_eq(rows[1].comment, "in words");
    ck_assert_str_eq(rows[2].name, "t.g_seq[1].u_seq.pc_q[63:0]");
    free(rows);
}
END_TEST

START_TEST(an_agent_that_is_not_in_the_wave_has_no_rows)
{
    struct gtkw_row *rows;
    size_t n;
    ck_assert_int_eq(wave_agent_rows(&core, WAVE_AGENT_SEQ, 7, 99, &rows, &n, &err), 0);
    ck_assert_uint_eq(n, 0);
    ck_assert_ptr_null(rows);
    ck_assert_int_eq(wave_agent_rows(&core, WAVE_AGENT_UDMA, 0, 99, &rows, &n, &err), 0);
    ck_assert_uint_eq(n, 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("wave/gtkw");
    TCase *tc = tcase_create("gtkw");
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, save_file_names_wave_marker_signals_and_formats);
    tcase_add_test(tc, a_view_of_its_own_colours_and_aliases);
    tcase_add_test(tc, records_get_their_filter_program);
    tcase_add_test(tc, one_bit_vectors_and_numbers_have_the_names_that_gtkwave_gives_them);
    tcase_add_test(tc, a_name_that_the_wave_does_not_have_is_an_error_and_leaves_no_file);
    tcase_add_test(tc, an_unwritable_save_file_is_an_io_error);
    tcase_add_test(tc, filter_lines_have_all_digits);
    tcase_add_test(tc, rows_of_an_agent_are_its_ports_and_registers);
    tcase_add_test(tc, records_of_an_agent_come_first);
    tcase_add_test(tc, an_agent_that_is_not_in_the_wave_has_no_rows);
    suite_add_tcase(s, tc);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? 1 : 0;
}
