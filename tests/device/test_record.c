/* A recording answers like the device it was made from, and notices every call that differs. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/device.h"

/* A device whose answers are simple functions of the question. */
static uint64_t fake_cycle;

static int fake_read(struct device *d, uint64_t bar0, uint32_t *v, struct nerr *err)
{
    (void)d;
    if (bar0 == 0xbad)
        return nerr_set(err, NERR_RULE, "fake", "refused register 0xbad");
    *v = (uint32_t)bar0 + 1;
    return 0;
}

static int fake_write(struct device *d, uint64_t bar0, uint32_t v, struct nerr *err)
{
    (void)d, (void)bar0, (void)v, (void)err;
    return 0;
}

static int fake_mem_read(struct device *d, uint64_t soc, void *buf, size_t len, struct nerr *err)
{
    (void)d, (void)err;
    for (size_t i = 0; i < len; i++)
        ((uint8_t *)buf)[i] = (uint8_t)(soc + i);
    return 0;
}

static int fake_mem_write(struct device *d, uint64_t soc, const void *buf, size_t len, struct nerr *err)
{
    (void)d, (void)soc, (void)buf, (void)len, (void)err;
    return 0;
}

static int fake_advance(struct device *d, uint64_t cycles, unsigned until, unsigned *why, struct nerr *err)
{
    (void)d, (void)err;
    fake_cycle += cycles;
    *why = until & DEV_UNTIL_NOTIFY;
    return 0;
}

static void fake_now(struct device *d, struct dev_time *t)
{
    (void)d;
    *t = (struct dev_time){ fake_cycle, fake_cycle * 1000 };
}

static void fake_close(struct device *d)
{
    (void)d;
}

static const struct dev_ops fake_ops = { .reg_read32 = fake_read,
                                         .reg_write32 = fake_write,
                                         .mem_read = fake_mem_read,
                                         .mem_write = fake_mem_write,
                                         .advance = fake_advance,
                                         .now = fake_now,
                                         .close = fake_close };
static struct device fake = { &fake_ops, "fake" };

static char path[] = "/tmp/neffsim-record-XXXXXX";

static void make_path(void)
{
    strcpy(path + strlen(path) - 6, "XXXXXX");
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
}

static void remove_path(void)
{
    remove(path);
}

/* The calls of one run; `twist` changes one of them. Returns the first error code. */
static int calls(struct device *d, int twist, struct nerr *err)
{
    uint32_t v;
    uint8_t buf[8] = { 1, 2, 3 };
    unsigned why;
    struct dev_time t;
    int rc = d->ops->mem_write(d, twist == 1 ? 0x2000 : 0x1000, buf, sizeof buf, err);
    if (!rc)
        rc = d->ops->reg_write32(d, 0x10, twist == 2 ? 6 : 5, err);
    if (!rc)
        rc = d->ops->reg_read32(d, twist == 3 ? 0x24 : 0x20, &v, err);
    if (!rc && v != 0x21)
        return 99;
    if (!rc)
        rc = d->ops->advance(d, twist == 4 ? 11 : 10, DEV_UNTIL_NOTIFY, &why, err);
    if (!rc && why != DEV_UNTIL_NOTIFY)
        return 98;
    d->ops->now(d, &t);
    if (!rc)
        rc = d->ops->mem_read(d, 0x40, buf, twist == 5 ? 4 : sizeof buf, err);
    if (!rc && buf[3] != 0x43)
        return 97;
    buf[0] = twist == 6;
    if (!rc)
        rc = d->ops->mem_write(d, 0x3000, buf, sizeof buf, err);
    if (!rc && twist == 7)
        rc = d->ops->reg_read32(d, 0x20, &v, err);
    return rc;
}

static void record_once(void)
{
    struct device *d;
    struct nerr err = { 0 };
    fake_cycle = 0;
    ck_assert_int_eq(dev_open_record(&fake, path, &d, &err), 0);
    ck_assert_int_eq(calls(d, 0, &err), 0);
    d->ops->close(d);
}

static int replay_with(int twist, struct nerr *err)
{
    struct device *d;
    ck_assert_int_eq(dev_open_replay(path, &d, err), 0);
    int rc = calls(d, twist, err);
    d->ops->close(d);
    return rc;
}

START_TEST(replay_accepts_the_same_calls)
{
    struct nerr err = { 0 };
    record_once();
    ck_assert_msg(replay_with(0, &err) == 0, "%s: %s", err.where, err.text);
}
END_TEST

START_TEST(replay_refuses_each_changed_call)
{
    struct nerr err = { 0 };
    record_once();
    ck_assert_int_eq(replay_with(_i, &err), NERR_MISMATCH);
    ck_assert_ptr_nonnull(strchr(err.where, ':'));
}
END_TEST

START_TEST(mask_in_a_recording_hides_bits_of_a_write)
{
    struct nerr err = { 0 };
    record_once();
    FILE *in = fopen(path, "r");
    char text[8192];
    size_t n = fread(text, 1, sizeof text - 1, in);
    fclose(in);
    text[n] = '\0';
    char *w = strstr(text, "w 10 5\n");
    ck_assert_ptr_nonnull(w);
    FILE *out = fopen(path, "w");
    fprintf(out, "%.*sw 10 5 fffffff0\n%s", (int)(w - text), text, w + 7);
    fclose(out);
    ck_assert_msg(replay_with(2, &err) == 0, "%s: %s", err.where, err.text);
}
END_TEST

START_TEST(recorded_error_is_replayed)
{
    struct device *d;
    struct nerr err = { 0 };
    uint32_t v;
    ck_assert_int_eq(dev_open_record(&fake, path, &d, &err), 0);
    ck_assert_int_eq(d->ops->reg_read32(d, 0xbad, &v, &err), NERR_RULE);
    d->ops->close(d);
    ck_assert_int_eq(dev_open_replay(path, &d, &err), 0);
    ck_assert_int_eq(d->ops->reg_read32(d, 0xbad, &v, &err), NERR_RULE);
    ck_assert_str_eq(err.text, "refused register 0xbad");
    d->ops->close(d);
}
END_TEST

START_TEST(every_truncation_is_refused_without_a_crash)
{
    char text[8192];
    record_once();
    FILE *in = fopen(path, "r");
    size_t n = fread(text, 1, sizeof text, in);
    fclose(in);
    size_t end = n - strlen("end\n");
    for (size_t cut = 0; cut + 1 < end; cut++) {
        struct device *d;
        struct nerr err = { 0 };
        FILE *out = fopen(path, "w");
        fwrite(text, 1, cut, out);
        fclose(out);
        if (dev_open_replay(path, &d, &err) != 0)
            continue;
        ck_assert_msg(calls(d, 0, &err) != 0, "accepted after %zu bytes", cut);
        d->ops->close(d);
    }
}
END_TEST

START_TEST(a_recording_must_end_with_the_run)
{
    struct device *d;
    struct nerr err = { 0 };
    make_path();
    record_once();
    ck_assert_int_eq(dev_open_replay(path, &d, &err), 0);
    ck_assert_int_eq(calls(d, 0, &err), 0);
    ck_assert_int_eq(d->ops->finish(d, &err), 0);
    d->ops->close(d);
    ck_assert_int_eq(dev_open_replay(path, &d, &err), 0);
    ck_assert_int_eq(d->ops->finish(d, &err), NERR_MISMATCH);
    ck_assert_ptr_nonnull(strstr(err.text, "goes on"));
    d->ops->close(d);
    remove_path();
}
END_TEST

START_TEST(a_recording_on_a_full_disk_is_an_error)
{
    struct device *d;
    struct nerr err = { 0 };
    make_path();
    remove_path();
    ck_assert_int_eq(symlink("/dev/full", path), 0); /* a link: the device itself stays out of reach */
    ck_assert_int_eq(dev_open_record(&fake, path, &d, &err), 0);
    calls(d, 0, &err);
    ck_assert_int_eq(d->ops->finish(d, &err), NERR_IO);
    d->ops->close(d);
    ck_assert_int_eq(access(path, F_OK), 0);
    remove_path();
}
END_TEST

START_TEST(device_names_are_checked)
{
    struct device *d;
    struct nerr err = { 0 };
    struct dev_config cfg = { .n_dma = 2 };
    ck_assert_int_eq(dev_open("board", &cfg, &d, &err), NERR_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "rtl, ref"));
    ck_assert_int_eq(dev_open("record:", &cfg, &d, &err), NERR_INPUT);
    ck_assert_int_eq(dev_open("replay:/no/such/file", &cfg, &d, &err), NERR_IO);
    cfg.inject = "flip-data";
    ck_assert_int_eq(dev_open("ref", &cfg, &d, &err), NERR_INPUT);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("record and replay");
    TCase *t = tcase_create("all");
    tcase_add_checked_fixture(t, make_path, remove_path);
    tcase_add_test(t, replay_accepts_the_same_calls);
    tcase_add_loop_test(t, replay_refuses_each_changed_call, 1, 8);
    tcase_add_test(t, mask_in_a_recording_hides_bits_of_a_write);
    tcase_add_test(t, recorded_error_is_replayed);
    tcase_add_test(t, every_truncation_is_refused_without_a_crash);
    tcase_add_test(t, a_recording_must_end_with_the_run);
    tcase_add_test(t, a_recording_on_a_full_disk_is_an_error);
    tcase_add_test(t, device_names_are_checked);
    suite_add_tcase(s, t);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? 1 : 0;
}
