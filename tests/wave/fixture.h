/* Waves for the tests: written with the library's own writer into a scratch folder. */
#ifndef NEFFSIM_TESTS_WAVE_FIXTURE_H
#define NEFFSIM_TESTS_WAVE_FIXTURE_H

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/file.h"
#include "wave/fst_names.h"
#include "wave/compare.h"
#include "wave/wave.h"

static char scratch[64];

__attribute__((unused)) static void scratch_make(void)
{
    strcpy(scratch, "/tmp/neffsim-wave-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(scratch));
}

__attribute__((unused)) static void scratch_remove(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", scratch);
    ck_assert_int_eq(system(command), 0);
}

/* Path of a file in the scratch folder; a few results stay valid at a time. */
__attribute__((unused)) static const char *at(const char *name)
{
    static char paths[8][160];
    static unsigned turn;
    char *p = paths[turn++ % 8];
    snprintf(p, sizeof paths[0], "%s/%s", scratch, name);
    return p;
}

/* An FST writer inside scope top, with as many signals as a test declares. */
struct maker {
    void *fst;
};

__attribute__((unused)) static struct maker fst_begin(const char *name, int exponent)
{
    struct maker m = { fstWriterCreate(at(name), 1) };
    ck_assert_ptr_nonnull(m.fst);
    fstWriterSetPackType(m.fst, FST_WR_PT_LZ4);
    fstWriterSetTimescale(m.fst, exponent);
    fstWriterSetScope(m.fst, FST_ST_VCD_MODULE, "top", "top");
    return m;
}

__attribute__((unused)) static fstHandle fst_var(struct maker m, const char *name, uint32_t width)
{
    return fstWriterCreateVar(m.fst, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, width, name, 0);
}

__attribute__((unused)) static fstHandle fst_alias(struct maker m, const char *name, uint32_t width,
                                                   fstHandle of)
{
    return fstWriterCreateVar(m.fst, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, width, name, of);
}

__attribute__((unused)) static void fst_time(struct maker m, uint64_t t)
{
    fstWriterEmitTimeChange(m.fst, t);
}

__attribute__((unused)) static void fst_emit(struct maker m, fstHandle h, const char *bits)
{
    fstWriterEmitValueChange(m.fst, h, bits);
}

__attribute__((unused)) static void fst_end(struct maker m)
{
    fstWriterClose(m.fst); /* no upscope: the writer loses hierarchy that comes after the first time */
}

/*
 * The wave most tests start from: 1 ns ticks, top.clk toggles every 5 from 0 to `last`, top.data[7:0] is 0x00
 * at 0 and `value` from time `when` on.
 */
__attribute__((unused)) static void plain_wave(const char *name, uint64_t last, uint64_t when,
                                               const char *value)
{
    struct maker m = fst_begin(name, -9);
    fstHandle clk = fst_var(m, "clk", 1), data = fst_var(m, "data [7:0]", 8);
    for (uint64_t t = 0; t <= last; t++) {
        if (t % 5 && t != when)
            continue;
        fst_time(m, t);
        if (t % 5 == 0)
            fst_emit(m, clk, t / 5 % 2 ? "1" : "0");
        if (t == 0)
            fst_emit(m, data, "00000000");
        if (t == when)
            fst_emit(m, data, value);
    }
    fst_end(m);
}

/* Compares two scratch files with defaults (limit 10). */
__attribute__((unused)) static int diff_with(const char *a, const char *b, struct wave_options options,
                                             struct wave_result *r, struct nerr *err)
{
    if (!options.limit)
        options.limit = 10;
    memset(err, 0, sizeof *err);
    return wave_compare(at(a), at(b), &options, r, err);
}

/* Exit code that the command would have: 0 equal, 1 different, 2 anything else. */
__attribute__((unused)) static int diff_code(const char *a, const char *b)
{
    struct wave_result r;
    struct nerr err;
    int rc = diff_with(a, b, (struct wave_options){ 0 }, &r, &err);
    int code = rc ? nerr_exit_code(&err) : !wave_result_equal(&r);
    wave_result_free(&r);
    return code;
}

#endif
