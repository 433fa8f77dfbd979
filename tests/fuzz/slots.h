/* What the two harnesses of the assembler share: options from a byte, and both directions on exact buffers.
 */
#ifndef NEFFSIM_TESTS_FUZZ_SLOTS_H
#define NEFFSIM_TESTS_FUZZ_SLOTS_H

#include "frame.h"
#include "isa/asm.h"

/* Bits 0-1 dialect, bits 2-4 generation (0 or 1: any), bit 5 comments. */
static inline struct isa_text_options slots_options(unsigned mode)
{
    unsigned dialect = mode & 3, gen = mode >> 2 & 7;
    return (struct isa_text_options){ .dialect = dialect > ISA_SP8 ? ISA_NEURON : (enum isa_dialect)dialect,
                                      .gen = gen >= 2 && gen <= 5 ? gen : 0,
                                      .comments = mode & 0x20 };
}

/* A copy that ends where it ends, so that AddressSanitizer sees a read behind it. */
static inline void *slots_exact(const void *p, size_t n)
{
    uint8_t *copy = malloc(n ? n : 1);
    if (copy)
        memcpy(copy, n ? p : copy, n);
    return copy;
}

/* asm(text) must give exactly these bytes. */
static inline void slots_demand_bytes(const struct strbuf *text, const struct isa_text_options *opt,
                                      const void *bytes, size_t n)
{
    struct strbuf again = { 0 };
    struct nerr err;
    char *exact = slots_exact(text->s, text->len);
    if (!exact)
        return;
    int rc = isa_asm(exact, text->len, "again.asm", opt, &again, &err);
    if (rc)
        fprintf(stderr, "%s: %s\n%.2000s\n", err.where, err.text, text->len ? text->s : "");
    DEMAND(rc == 0);
    bool same = again.len == n && (n == 0 || memcmp(again.s, bytes, n) == 0);
    if (!same && text->len)
        fprintf(stderr, "%.2000s\n", text->s);
    DEMAND(same);
    free(exact);
    strbuf_free(&again);
}

#endif
