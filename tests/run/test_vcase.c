/* Case files: what is read, what is refused and where, and that an unmet expectation is noticed. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "regs.h"
#include "run/vcase.h"

static char dir[64];

/* A case folder that uses the members of the all-reduce case. */
static void make_case(const char *json)
{
    char path[512], cwd[256];
    snprintf(dir, sizeof dir, "/tmp/neffsim-case-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/case.json", dir);
    FILE *f = fopen(path, "w");
    fputs(json, f);
    fclose(f);
    ck_assert_ptr_nonnull(getcwd(cwd, sizeof cwd));
    char target[512];
    snprintf(target, sizeof target, "%s/vectors/allreduce/src", cwd);
    snprintf(path, sizeof path, "%s/src", dir);
    ck_assert_int_eq(symlink(target, path), 0);
}

static void remove_case(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s/case.json", dir);
    remove(path);
    snprintf(path, sizeof path, "%s/src", dir);
    remove(path);
    rmdir(dir);
}

static void refused(const char *json, const char *where, const char *text)
{
    struct vcase c;
    struct nerr err = { 0 };
    make_case(json);
    ck_assert_int_ne(vcase_open(dir, &c, &err), 0);
    ck_assert_msg(strstr(err.where, where) != NULL, "place '%s' lacks '%s'", err.where, where);
    ck_assert_msg(strstr(err.text, text) != NULL, "text '%s' lacks '%s'", err.text, text);
    vcase_free(&c);
    remove_case();
}

START_TEST(full_case_is_read)
{
    struct vcase c;
    struct nerr err = { 0 };
    make_case(
        "{\"name\":\"n\",\"args\":{\"inferences\":3,\"keep_rings\":true,\"notify_ring_bytes\":64},"
        "\"inputs\":{\"input\":\"a.npy\"},\"outputs\":{\"output\":\"b.sha256\"},"
        "\"patch\":[{\"addr\":\"0x1000\",\"hex\":\"0aff\"}],"
        "\"expect\":{\"exit\":3,\"text\":\"hangs\",\"min_retired\":7,"
        "\"records\":[{\"queue\":3,\"type\":\"0x1f\",\"w0\":\"0x9f00000a\",\"w1\":\"0x5\",\"w1_mask\":"
        "\"0xf\"}],"
        "\"engines\":{\"POOL\":{\"state\":\"fault\",\"halt_reason\":16,\"error_word\":\"0x99000000\"}}},"
        "\"wave\":{\"golden\":\"w.fst\",\"window\":[10,20]}}");
    ck_assert_msg(vcase_open(dir, &c, &err) == 0, "%s: %s", err.where, err.text);
    ck_assert_str_eq(c.name, "n");
    ck_assert_uint_eq(c.cfg.inferences, 3);
    ck_assert(c.cfg.keep_rings);
    ck_assert_uint_eq(c.cfg.load.notify_ring_bytes, 64);
    ck_assert_uint_eq(c.cfg.ninputs, 1);
    ck_assert_str_eq(c.cfg.inputs[0].name, "input");
    ck_assert_uint_eq(c.cfg.npatches, 1);
    ck_assert_uint_eq(c.cfg.patches[0].addr, 0x1000);
    ck_assert_uint_eq(c.cfg.patches[0].len, 2);
    ck_assert_uint_eq(c.cfg.patches[0].bytes[1], 0xff);
    ck_assert_int_eq(c.exit_code, 3);
    ck_assert_uint_eq(c.nrecords, 1);
    ck_assert_uint_eq(c.records[0].w0_mask, 0xffffffff);
    ck_assert_uint_eq(c.records[0].w1_mask, 0xf);
    ck_assert_int_eq(c.engines[ENG_POOL].state, ESTATE_FAULT);
    ck_assert_int_eq(c.engines[ENG_PE].state, -1);
    ck_assert_uint_eq(c.wave_from, 10);
    ck_assert_uint_eq(c.wave_to, 20);
    ck_assert_uint_gt(c.neff_len, 1024);
    vcase_free(&c);
    remove_case();
}
END_TEST

START_TEST(wrong_case_files_are_refused_with_their_place)
{
    refused("{", "case.json", "");
    refused("{}", "case.json", "name");
    refused("{\"name\":3}", "name", "");
    refused("{\"name\":\"n\",\"expct\":{}}", "expct", "no key");
    refused("{\"name\":\"n\",\"args\":{\"inference\":2}}", "args.inference", "no key");
    refused("{\"name\":\"n\",\"expect\":{\"texts\":\"x\"}}", "expect.texts", "no key");
    refused("{\"name\":\"n\",\"expect\":{\"records\":[7]}}", "expect.records[0]", "object");
    refused("{\"name\":\"n\",\"wave\":{\"golden\":\"w\",\"windows\":[]}}", "wave.windows", "no key");
    refused("{\"name\":\"n\",\"args\":{\"inferences\":0}}", "args.inferences", "");
    refused("{\"name\":\"n\",\"args\":{\"notify_ring_bytes\":131072}}", "args.notify_ring_bytes", "");
    refused("{\"name\":\"n\",\"patch\":[{\"addr\":\"1000\",\"hex\":\"00\"}]}", "patch[0].addr",
            "hexadecimal");
    refused("{\"name\":\"n\",\"patch\":[{\"addr\":\"0x10\",\"hex\":\"0\"}]}", "patch[0].hex", "even");
    refused("{\"name\":\"n\",\"patch\":[{\"addr\":\"0x10\",\"hex\":\"0g\"}]}", "patch[0].hex", "no byte");
    refused("{\"name\":\"n\",\"expect\":{\"exit\":4}}", "expect.exit", "");
    refused("{\"name\":\"n\",\"expect\":{\"records\":[{\"queue\":4,\"type\":\"0x1\"}]}}", "queue", "");
    refused("{\"name\":\"n\",\"expect\":{\"records\":[{\"queue\":1,\"type\":\"0x20\"}]}}", "type", "0x1f");
    refused("{\"name\":\"n\",\"expect\":{\"engines\":{\"GPSIMD\":{}}}}", "engines", "PE, ACT");
    refused("{\"name\":\"n\",\"expect\":{\"engines\":{\"PE\":{\"state\":\"asleep\"}}}}", "state",
            "idle, running");
    refused("{\"name\":\"n\",\"wave\":{\"golden\":\"w\",\"window\":[5]}}", "window", "");
    refused("{\"name\":\"n\",\"wave\":{\"golden\":\"w\",\"window\":[5,4]}}", "window", "");
}
END_TEST

START_TEST(unmet_expectations_are_noticed)
{
    struct vcase c;
    struct nerr err = { 0 };
    struct run_record records[2] = { { .queue = 1, .type = 6, .w0 = 0x86400000 },
                                     { .queue = 1, .type = 6, .w0 = 0x86200002 } };
    struct run_result res = { .verdict = RUN_PASS, .checked = true, .records = records, .nrecords = 2 };
    make_case("{\"name\":\"n\",\"expect\":{\"min_retired\":5,"
              "\"records\":[{\"queue\":1,\"type\":\"0x6\",\"w0\":\"0x86400000\"},"
              "{\"queue\":1,\"type\":\"0x6\",\"w0\":\"0x86200002\"}],"
              "\"engines\":{\"PE\":{\"state\":\"running\"}}}}");
    ck_assert_msg(vcase_open(dir, &c, &err) == 0, "%s: %s", err.where, err.text);
    res.engine_state[ENG_PE] = ESTATE_RUNNING;
    res.retired[0] = 5;
    ck_assert_msg(vcase_judge(&c, &res, &err) == 0, "%s", err.text);

    res.retired[0] = 4;
    ck_assert_int_eq(vcase_judge(&c, &res, &err), NERR_MISMATCH);
    res.retired[0] = 5;
    res.engine_state[ENG_PE] = ESTATE_HALTED;
    ck_assert_int_eq(vcase_judge(&c, &res, &err), NERR_MISMATCH);
    res.engine_state[ENG_PE] = ESTATE_RUNNING;
    res.nrecords = 1;
    ck_assert_int_eq(vcase_judge(&c, &res, &err), NERR_MISMATCH);
    res.nrecords = 2;
    records[0].w0 = 0x86200002; /* the wrong order */
    records[1].w0 = 0x86400000;
    ck_assert_int_eq(vcase_judge(&c, &res, &err), NERR_MISMATCH);
    records[0].w0 = 0x86400000;
    records[1].w0 = 0x86200002;
    res.verdict = RUN_HANG;
    ck_assert_int_eq(vcase_judge(&c, &res, &err), NERR_MISMATCH);
    vcase_free(&c);
    remove_case();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("vector cases");
    TCase *t = tcase_create("all");
    tcase_add_test(t, full_case_is_read);
    tcase_add_test(t, wrong_case_files_are_refused_with_their_place);
    tcase_add_test(t, unmet_expectations_are_noticed);
    suite_add_tcase(s, t);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? 1 : 0;
}
