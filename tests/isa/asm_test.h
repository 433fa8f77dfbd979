/* What the tests of the assembly language share: assemble, disassemble, compare. */
#ifndef NEFFSIM_TESTS_ISA_ASM_TEST_H
#define NEFFSIM_TESTS_ISA_ASM_TEST_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/isa.h"

static struct nerr err;
static struct isa_text_options opt; /* reset by dialect() */

static inline void dialect(enum isa_dialect d)
{
    opt = (struct isa_text_options){ .dialect = d };
}

/* Freed by the caller. */
static inline struct strbuf assembled(const char *text, size_t len)
{
    struct strbuf out = { 0 };
    ck_assert_msg(isa_asm(text, len, "t.asm", &opt, &out, &err) == 0, "%s: %s", err.where, err.text);
    return out;
}

static inline struct strbuf disassembled(const void *code, size_t size)
{
    struct strbuf out = { 0 };
    ck_assert_msg(isa_disasm(code, size, &opt, &out, &err) == 0, "%s: %s", err.where, err.text);
    return out;
}

/* "00: a0 10 | 20: 05" puts bytes at offsets of a slot of n bytes; the rest is 0. */
static inline void slot_bytes(const char *hex, uint8_t *slot, size_t n)
{
    memset(slot, 0, n);
    unsigned long at = 0;
    for (const char *p = hex; *p;) {
        char *next;
        unsigned long v = strtoul(p, &next, 16);
        ck_assert_msg(next != p, "no hex at \"%s\"", p);
        if (*next == ':') {
            at = v;
            next++;
        } else {
            ck_assert_uint_lt(at, n);
            slot[at++] = (uint8_t)v;
        }
        while (*next == ' ' || *next == '|')
            next++;
        p = next;
    }
}

/* The statement gives these bytes, and the bytes read as `canonical`. */
static inline void expect_slot(const char *hex, const char *text, const char *canonical)
{
    uint8_t want[SLOT_BYTES];
    size_t n = isa_slot_bytes(opt.dialect);
    slot_bytes(hex, want, n);
    struct strbuf got = assembled(text, strlen(text));
    ck_assert_uint_eq(got.len, n);
    for (size_t i = 0; i < n; i++)
        ck_assert_msg((uint8_t)got.s[i] == want[i], "%s: byte 0x%zx is %02x, right is %02x", text, i,
                      (uint8_t)got.s[i], want[i]);
    struct strbuf back = disassembled(want, n);
    ck_assert(back.s[back.len - 1] == '\n');
    back.s[back.len - 1] = '\0';
    ck_assert_str_eq(back.s, canonical);
    strbuf_free(&got);
    strbuf_free(&back);
}

/* As expect_slot when the text is canonical. */
static inline void expect_both(const char *hex, const char *text)
{
    expect_slot(hex, text, text);
}

static inline int run_cases(const char *name, void (*add)(TCase *))
{
    Suite *s = suite_create(name);
    TCase *tc = tcase_create(name);
    tcase_set_timeout(tc, 240);
    add(tc);
    suite_add_tcase(s, tc);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
