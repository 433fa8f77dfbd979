/* Changed copies of the worked file, prelinked: what test_refuse.c and test_edges.c share. */
#ifndef NEFFSIM_TESTS_Q7_CHANGED_H
#define NEFFSIM_TESTS_Q7_CHANGED_H

#include "worked.h"

#include <stdio.h>

#include "q7/q7.h"

static uint8_t file[WORKED_BYTES + 0x100];
static size_t length;
static struct q7_options opt;
static struct q7_image img;
static struct q7_error err;

static void setup(void)
{
    memset(file, 0, sizeof file);
    worked_build(file);
    length = WORKED_BYTES;
    ck_assert(q7_options_for(ARCH_CAYMAN, &opt));
}

static void teardown(void)
{
    q7_image_free(&img);
}

/* The file in a block of its own, so that a read behind it is found. */
static int prelink(void)
{
    uint8_t *copy = malloc(length ? length : 1);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, file, length);
    q7_image_free(&img);
    int status = q7_prelink(copy, length, &opt, &img, &err);
    ck_assert_int_eq(status, err.status);
    free(copy);
    return status;
}

static void expect_ok(void)
{
    ck_assert_msg(prelink() == 0, "status %d: %s", err.status, err.detail);
    ck_assert_str_eq(err.label, "ok");
    ck_assert_str_eq(err.message, "");
}

/* NULL: any. */
static void expect(int status, const char *message, const char *where)
{
    int got = prelink();
    ck_assert_msg(got == status, "status %d (%s), expected %d", got, err.detail, status);
    ck_assert_str_eq(err.label, q7_status_label(status));
    ck_assert_int_eq(err.create_code, status > 0 ? Q7_CREATE_PRELINK : 0);
    if (message)
        ck_assert_str_eq(err.message, message);
    if (where)
        ck_assert_str_eq(err.where, where);
    ck_assert_str_ne(err.message, "");
    ck_assert_str_ne(err.detail, "");
    ck_assert_ptr_null(img.code);
    ck_assert_ptr_null(img.rows);
}

#define INVALID "Failed to validate ELF shared object file"
#define NO_INFO "Failed to extract dynamic relocation info from ELF shared object file"
#define TOO_BIG "Segment exceeds the size of the split region on device"

#endif
