/*
 * Speed of the assembly language on a realistic mixture of slots: disassembly in bytes of slots per second,
 * assembly in bytes of text per second, next to memcpy and a plain hexadecimal dump of the same bytes,
 * measured in the same run. Before it times anything it checks that millions of slots come back from their
 * text as they were. Arguments (neffsim, scratch folder) are not needed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "isa/isa.h"

enum { SLOTS = 1 << 16, RUNS = 7, PROPERTY_BATCHES = 48 };

static const double disasm_goal = 100, asm_goal = 20; /* MB/s */

static uint64_t seed = UINT64_C(88172645463325252);
static unsigned rnd(unsigned n) /* xorshift */
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)(seed >> 20) % n;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* One statement as a compiler emits them: mostly compute slots with a wait and an update, some of control. */
static void add_statement(struct strbuf *text)
{
    unsigned a = rnd(0x38000), b = rnd(0x4000);
    char events[64], tail[64];
    snprintf(events, sizeof events, "$S[%u]>=%u $S[%u]++@complete", rnd(256), rnd(100000), rnd(256));
    snprintf(tail, sizeof tail, "in_dtype=fp32 out_dtype=bf16 channels=%u", 1 + rnd(128));
    switch (rnd(8)) {
    case 0:
        strbuf_printf(text,
                      "MATMUL %s dst=PSUM[0x%x][512] src=SB[0x%x][512] in_dtype=bf16 rows=128 cols=128 "
                      "psum_accumulate=3;\n",
                      events, b, a);
        break;
    case 1:
        strbuf_printf(text, "LDWEIGHTS %s src=SB[0x%x][128:%u] in_dtype=bf16 rows=128 cols=128;\n", events, a,
                      b);
        break;
    case 2:
        strbuf_printf(text,
                      "ACTIVATE %s dst=SB[0x%x][512] src=PSUM[0x%x][512] func=2 in_bias_dtype=fp32,fp32 "
                      "out_dtype=bf16 channels=128 scale=0.125 bias=1.5;\n",
                      events, a, b);
        break;
    case 3:
        strbuf_printf(text,
                      "TENSOR_TENSOR_ARITH_OP %s dst=SB[0x%x][512] src0=SB[0x%x][512] src1=SB[0x1000][512] "
                      "op=ADD in_dtype=fp32,fp32 out_dtype=fp32 channels=128;\n",
                      events, a, b);
        break;
    case 4:
        strbuf_printf(text,
                      "TENSOR_SCALAR_ARITH_OP %s dst=SB[0x%x][64,8:64] src=SB[0x%x][64,8:64] op0=MULT "
                      "imm0=0.1 op1=ADD imm1=-3.25 %s;\n",
                      events, a, b, tail);
        break;
    case 5:
        strbuf_printf(text, "CAST %s dst=SB[0x%x][256] src=SB[0x%x][256] %s;\n", events, a, b, tail);
        break;
    case 6:
        strbuf_printf(text, "EVENT_SEMAPHORE $S[%u]>=%u then $S[%u]+=1@complete;\n", rnd(256), a, rnd(256));
        break;
    default:
        strbuf_printf(text, "WRITE %s [0x10021%05x] value=0x%x;\n", events, a, b);
        break;
    }
}

static void die(const struct nerr *err)
{
    fprintf(stderr, "bench_isa: %s: %s\n", err->where, err->text);
    exit(1);
}

/* Text and back must give the same bytes. */
static void round_trip(const uint8_t *code, size_t size, enum isa_dialect d)
{
    const struct isa_text_options opt = { .dialect = d };
    struct strbuf text = { 0 }, back = { 0 };
    struct nerr err;
    if (isa_disasm(code, size, &opt, &text, &err) || isa_asm(text.s, text.len, "text", &opt, &back, &err))
        die(&err);
    if (back.len != size || memcmp(back.s, code, size)) {
        fprintf(stderr, "bench_isa: a slot of %s does not come back from its text\n", isa_dialect_names[d]);
        exit(1);
    }
    strbuf_free(&text);
    strbuf_free(&back);
}

/* Noise, and known slots with some bytes changed. */
static void check_property(uint8_t *slots)
{
    for (unsigned batch = 0; batch < PROPERTY_BATCHES; batch++) {
        enum isa_dialect d = (enum isa_dialect)(batch % 4 < 2 ? ISA_NEURON : batch % 4 - 1);
        unsigned n = isa_slot_bytes(d);
        for (size_t i = 0; i < SLOTS; i++) {
            uint8_t *s = slots + i * n;
            memset(s, 0, n);
            s[0] = (uint8_t)rnd(256);
            s[1] = (uint8_t)(d == ISA_SP8 ? 0 : SLOT_WORDS);
            for (unsigned changes = rnd(24); changes; changes--)
                s[rnd(n)] = (uint8_t)(batch % 2 ? rnd(256) : rnd(20));
        }
        round_trip(slots, (size_t)SLOTS * n, d);
    }
    printf("isa: %.1f million random slots come back from their text\n", 1e-6 * SLOTS * PROPERTY_BATCHES);
}

/* The plainest listing there is: bytes as digits. */
static void hex_dump(const uint8_t *code, size_t size, char *out)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < size; i++) {
        *out++ = digits[code[i] >> 4];
        *out++ = digits[code[i] & 0xf];
    }
}

/* Best seconds of a few runs. */
#define BEST(best, run)                                                                                      \
    for (unsigned r_ = 0; r_ < RUNS; r_++) {                                                                 \
        double t_ = now();                                                                                   \
        run;                                                                                                 \
        t_ = now() - t_;                                                                                     \
        best = r_ == 0 || t_ < best ? t_ : best;                                                             \
    }

int main(void)
{
    static const struct isa_text_options opt = { .dialect = ISA_NEURON };
    struct strbuf source = { 0 }, text = { 0 }, code = { 0 };
    struct nerr err;
    uint8_t *slots = malloc((size_t)SLOTS * SLOT_BYTES);
    char *copy = malloc((size_t)2 * SLOTS * SLOT_BYTES);
    for (unsigned i = 0; i < SLOTS; i++)
        add_statement(&source);
    if (!slots || !copy || source.failed)
        return 1;
    check_property(slots);
    if (isa_asm(source.s, source.len, "mixture", &opt, &code, &err))
        die(&err);
    size_t size = code.len;
    double copying, dumping, disassembling, assembling;
    memset(copy, 1, 2 * size);
    BEST(copying, memcpy(copy, code.s, size))
    BEST(dumping, hex_dump((const uint8_t *)code.s, size, copy))
    memcpy(slots, code.s, size);
    BEST(disassembling, {
        text.len = 0;
        if (isa_disasm(slots, size, &opt, &text, &err))
            die(&err);
    })
    BEST(assembling, {
        code.len = 0;
        if (isa_asm(text.s, text.len, "text", &opt, &code, &err))
            die(&err);
    })
    if (code.len != size || memcmp(code.s, slots, size))
        return 1;
    double mb = 1e-6 * (double)size, disasm_speed = mb / disassembling,
           asm_speed = 1e-6 * (double)text.len / assembling;
    printf("isa: disasm %.0f MB/s of slots (goal %.0f), %.1f times the time of a hex dump, %.0f times that "
           "of memcpy; "
           "%.1f million slots/s\n",
           disasm_speed, disasm_goal, disassembling / dumping, disassembling / copying,
           mb / SLOT_BYTES / disassembling);
    printf("isa: asm %.0f MB/s of text (goal %.0f), %.1f times the time of a hex dump of its slots; %.1f "
           "million slots/s\n",
           asm_speed, asm_goal, assembling / dumping, mb / SLOT_BYTES / assembling);
    strbuf_free(&source);
    strbuf_free(&text);
    strbuf_free(&code);
    free(slots);
    free(copy);
    return 0;
}
