/* Two small VCD files with known differences, and the result that a comparison of them must give. */
#ifndef NEFFSIM_TESTS_WAVE_REPORT_FIXTURE_H
#define NEFFSIM_TESTS_WAVE_REPORT_FIXTURE_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/file.h"
#include "wave/report.h"

static char scratch[64];
static struct nerr err;
static char path_a[96], path_b[96];

__attribute__((unused)) static void scratch_make(void)
{
    strcpy(scratch, "/tmp/neffsim-report-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(scratch));
    snprintf(path_a, sizeof path_a, "%s/a.vcd", scratch);
    snprintf(path_b, sizeof path_b, "%s/b.vcd", scratch);
    memset(&err, 0, sizeof err);
}

__attribute__((unused)) static void scratch_remove(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", scratch);
    ck_assert_int_eq(system(command), 0);
}

__attribute__((unused)) static void put_file(const char *path, const char *text)
{
    ck_assert_int_eq(file_write(path, text, strlen(text), &err), 0);
}

/* Both files: one set of declarations, two time scales and two lists of changes. */
__attribute__((unused)) static void put_waves(const char *timescale_a, const char *body_a,
                                              const char *timescale_b, const char *body_b)
{
    static const char head[] =
        "$timescale %s $end\n$scope module top $end\n$var wire 1 c clk $end\n"
        "$var wire 8 d data [7:0] $end\n$var wire 1 v valid $end\n$var real 64 r level $end\n"
        "$var wire 4 h hi [3:0] $end\n$var wire 4 l lo [3:0] $end\n$var event 1 e hit $end\n"
        "$upscope $end\n$enddefinitions $end\n%s";
    char *a = text_printf(head, timescale_a, body_a), *b = text_printf(head, timescale_b, body_b);
    put_file(path_a, a);
    put_file(path_b, b);
    free(a);
    free(b);
}

static const char body_a[] =
    "#0\n0c b00010001 d 0v r1.5 r b0001 h b0010 l\n#10\n1c b00010010 d\n#15\n0c\n#20\n1c 1v "
    "b00010011 d\n#25\n0c\n#30\n1c b00010100 d 0v 1e\n#40\n0c\n";
static const char body_b[] =
    "#0\n0c b00010001 d 0v r1.5 r b0001 h b0010 l\n#10\n1c b00010010 d\n#15\n0c\n#20\n1c xv "
    "b00110011 d\n#25\n0c\n#30\n1c b00010100 d 0v\n#40\n0c\n";

/* String literals where the struct has char *: nothing here is freed. */
#define T(text) ((char *)(uintptr_t)(text))

static struct wave_signal_result list[4];
static struct wave_scope_result scope;
static struct wave_options options;
static struct wave_result result;
static struct wave_report report;

__attribute__((unused)) static void set_up(void)
{
    scratch_make();
    put_waves("1ns", body_a, "1ns", body_b);
    list[0] = (struct wave_signal_result){ .kind = WAVE_DIFF_VALUE,
                                           .name_a = T("top.data[7:0]"),
                                           .name_b = T("top.data[7:0]"),
                                           .width = 8,
                                           .first = { 20, 20, T("20 ns") },
                                           .golden = T("8'h13"),
                                           .actual = T("8'h33"),
                                           .raw_golden = T("00010011"),
                                           .raw_actual = T("00110011"),
                                           .mask = T("20"),
                                           .until = { 30, 30, T("30 ns") },
                                           .lasted = T("10 ns"),
                                           .intervals = 1,
                                           .total = T("10 ns"),
                                           .agreed = { 10, 10, T("10 ns") },
                                           .agreed_value = T("8'h12") };
    list[1] = (struct wave_signal_result){ .kind = WAVE_DIFF_VALUE,
                                           .name_a = T("top.valid"),
                                           .name_b = T("top.v<>&\"\x01"),
                                           .width = 1,
                                           .first = { 20, 20, T("20 ns") },
                                           .golden = T("1"),
                                           .actual = T("x"),
                                           .raw_golden = T("1"),
                                           .raw_actual = T("x"),
                                           .mask = T("1"),
                                           .lasted = T("20 ns"),
                                           .intervals = 3,
                                           .total = T("24 ns") };
    list[2] = (struct wave_signal_result){ .kind = WAVE_DIFF_ONLY_A,
                                           .name_a = T("top.gone"),
                                           .golden = T("1 bit") };
    list[3] = (struct wave_signal_result){ .kind = WAVE_DIFF_SHAPE,
                                           .name_a = T("top.w"),
                                           .name_b = T("top.w"),
                                           .golden = T("4 bits"),
                                           .actual = T("real") };
    scope = (struct wave_scope_result){ T("top"), 7, 4 };
    static char *notes[] = { T("A ends at 40 ns, B at 60 ns") };
    options = (struct wave_options){ .limit = 10 };
    result = (struct wave_result){
        .compared = 7,
        .changes_a = 14,
        .changes_b = 13,
        .count = { [WAVE_DIFF_VALUE] = 5, [WAVE_DIFF_ONLY_A] = 1, [WAVE_DIFF_SHAPE] = 1 },
        .list = list,
        .nlist = 4,
        .scopes = &scope,
        .nscopes = 1,
        .end_a = T("40 ns"),
        .end_b = T("60 ns"),
        .ends_differ = true,
        .notes = notes,
        .nnotes = 1
    };
    report = (struct wave_report){ path_a, path_b, &options, &result, NULL, 0 };
}

__attribute__((unused)) static void has(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) != NULL, "'%s' is not in:\n%s", part, text);
}

__attribute__((unused)) static void has_not(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) == NULL, "'%s' is in:\n%s", part, text);
}

#endif
