/*
 * The equivalent file E1 (fixture-allreduce.md §10) for the tests of this folder: built through the packer
 * from vectors/allreduce/src, with means to change one thing in it. The repository's root is the working
 * directory.
 */
#ifndef TESTS_NEFF_E1_H
#define TESTS_NEFF_E1_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "neff/neff.h"
#include "neff/pack.h"
#include "neff/program.h"
#include "regs.h"
#include "util/bytes.h"
#include "util/hash.h"
#include "util/strbuf.h"

#define E1_SOURCE    "vectors/allreduce/src"
#define E1_TAR_BYTES 20480

static struct nerr err;
static uint8_t *image; /* the file under test */
static size_t image_len;

static inline void e1_build(int pkg, int gzip)
{
    struct neff_pack_options opt = { .pkg = pkg, .has_gzip = pkg != 1, .gzip = gzip };
    free(image);
    image = NULL;
    ck_assert_msg(neff_pack_folder(E1_SOURCE, &opt, &image, &image_len, &err) == 0, "%s: %s", err.where,
                  err.text);
}

static inline void e1_stored(void)
{
    e1_build(2, NEFF_PACK_STORED);
}

static inline void e1_free(void)
{
    free(image);
    image = NULL;
}

/* Digest of the window into the header, after the window was changed. */
static inline void e1_rehash(void)
{
    uint8_t *window = image + NEFF_HDR_SIZE;
    size_t len = image_len - NEFF_HDR_SIZE;
    put_le64(image + NEFF_HDR_DATA_SIZE_OFF, len);
    if (get_le64(image + NEFF_HDR_PKG_VERSION_OFF) == NEFF_PKG_TAR_SHA256)
        hash_sha256(window, len, image + NEFF_HDR_HASH_OFF, &err);
    else
        hash_md5(window, len, image + NEFF_HDR_HASH_OFF, &err);
}

/* Replaces the window (pkg 2 header stays) and makes size and digest right. */
static inline void e1_set_window(const void *bytes, size_t len)
{
    image = realloc(image, NEFF_HDR_SIZE + len + 1);
    memcpy(image + NEFF_HDR_SIZE, bytes, len);
    image_len = NEFF_HDR_SIZE + len;
    e1_rehash();
}

/* 0, or the error's code; a file that opens is closed again. */
static inline int e1_open(bool no_hash)
{
    struct neff *n;
    struct neff_options opt = { .no_hash = no_hash };
    memset(&err, 0, sizeof err);
    int rc = neff_open_memory(image, image_len, &opt, &n, &err);
    if (rc == 0)
        neff_close(n);
    return rc;
}

/* The runtime's sentence; what it leaves out (what is allowed) may follow in brackets. */
#define ck_refused(rc, wanted_code, wanted_runtime, wanted_gate, wanted_text)                                \
    do {                                                                                                     \
        ck_assert_int_eq(rc, wanted_code);                                                                   \
        ck_assert_int_eq(err.code, wanted_code);                                                             \
        ck_assert_int_eq(err.runtime_code, wanted_runtime);                                                  \
        ck_assert_int_eq(err.gate, wanted_gate);                                                             \
        size_t wanted_len_ = strlen(wanted_text);                                                            \
        if (strncmp(err.text, wanted_text, wanted_len_) != 0 ||                                              \
            (err.text[wanted_len_] && strncmp(err.text + wanted_len_, " (", 2) != 0))                        \
            ck_assert_str_eq(err.text, wanted_text);                                                         \
    } while (0)

static inline int e1_main(Suite *s)
{
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
