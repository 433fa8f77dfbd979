/*
 * asm(disasm(x)) == x for all bytes, and disasm(asm(t)) is canonical: every byte value at every offset of
 * every opcode, and random slots, in all dialects and generations.
 */
#include "asm_test.h"

#include "isa/number.h"

#if defined(__SANITIZE_ADDRESS__)
enum { VALUE_STEP = 17, RANDOM_SLOTS = 20000, RANDOM_FLOATS = 20000 };
#else
enum { VALUE_STEP = 1, RANDOM_SLOTS = 200000, RANDOM_FLOATS = 400000 };
#endif

static uint64_t seed = UINT64_C(88172645463325252);
static uint64_t rnd(void) /* xorshift */
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static void round_trip(const uint8_t *code, size_t size)
{
    struct strbuf text = disassembled(code, size), back = { 0 };
    unsigned n = isa_slot_bytes(opt.dialect);
    ck_assert_msg(isa_asm(text.s, text.len, "t", &opt, &back, &err) == 0, "%s: %s", err.where, err.text);
    ck_assert_uint_eq(back.len, size);
    for (size_t at = 0; at < size; at += n)
        if (memcmp(back.s + at, code + at, n)) {
            struct strbuf one = disassembled(code + at, n);
            ck_abort_msg("dialect %d gen %u: %s is not what it was", (int)opt.dialect, opt.gen, one.s);
        }
    strbuf_free(&text);
    strbuf_free(&back);
}

START_TEST(every_byte_value_at_every_offset_of_every_opcode)
{
    static uint8_t code[SLOT_BYTES * 256 * SLOT_BYTES];
    for (unsigned d = ISA_NEURON; d <= ISA_SP8; d++)
        for (unsigned op = 0; op < 256; op++) {
            dialect((enum isa_dialect)d);
            unsigned n = isa_slot_bytes(opt.dialect);
            /* A slot without a layout is bytes whatever they are: fewer values do. */
            uint8_t first[SLOT_BYTES] = { (uint8_t)op };
            struct strbuf text = disassembled(first, n);
            unsigned step = strncmp(text.s, ".slot", 5) == 0 ? 51 : VALUE_STEP;
            strbuf_free(&text);
            size_t size = 0;
            for (unsigned off = 1; off < n; off++)
                for (unsigned v = 0; v < 256; v += step, size += n) {
                    memset(code + size, 0, n);
                    code[size] = (uint8_t)op;
                    code[size + 1] = d == ISA_SP8 ? 0 : SLOT_WORDS;
                    code[size + off] = (uint8_t)v;
                }
            round_trip(code, size);
        }
}
END_TEST

/* Noise, a few changed bytes of a control or compute slot, or small values that are mostly legal. */
static void random_slot(uint8_t *s, unsigned n)
{
    static const uint8_t known[] = { OP_EVENT_SEMAPHORE,
                                     OP_MOVE,
                                     OP_ALU_OP,
                                     OP_COMPARE_BRANCH,
                                     OP_WRITE,
                                     OP_TENSOR_LOAD,
                                     OP_PSEUDO_DMATRIGGER,
                                     OP_PSEUDO_TRIGGER_COLLECTIVE,
                                     OP_MATMUL,
                                     OP_ACTIVATE,
                                     OP_TENSOR_TENSOR_ARITH_OP,
                                     OP_TENSOR_SCALAR_ARITH_OP,
                                     OP_CAST,
                                     OP_POOL,
                                     OP_IOTA,
                                     OP_MEMSET,
                                     OP_EXTENDED_INST,
                                     OP_EVENT_SEMAPHORE_RANGE_CLEAR,
                                     OP_DMAMEMCPY,
                                     OP_PSEUDO_FUNCTION_BEGIN,
                                     OP_MODIFY_POOL_CONFIG };
    unsigned style = (unsigned)(rnd() % 4), changes = (unsigned)(rnd() % 24);
    memset(s, 0, n);
    if (style == 0)
        for (unsigned i = 0; i < n; i++)
            s[i] = (uint8_t)rnd();
    s[0] = opt.dialect == ISA_NEURON && style ? known[rnd() % sizeof known] : (uint8_t)rnd();
    s[1] = opt.dialect == ISA_SP8 ? s[1] : SLOT_WORDS;
    for (unsigned i = 0; style && i < changes; i++)
        s[1 + rnd() % (n - 1)] = (uint8_t)(style == 1 ? rnd() : rnd() % 4 ? rnd() % 12 : rnd() % 256);
}

START_TEST(random_slots)
{
    enum { BATCH = 256 };
    static uint8_t code[BATCH * SLOT_BYTES];
    for (unsigned i = 0; i < RANDOM_SLOTS / BATCH; i++) {
        dialect((enum isa_dialect)(i % 4 < 2 ? ISA_NEURON : i % 4 - 1));
        unsigned n = isa_slot_bytes(opt.dialect);
        for (unsigned k = 0; k < BATCH; k++)
            random_slot(code + k * n, n);
        round_trip(code, BATCH * n);
    }
}
END_TEST

/* A generation has layouts of its own; slots that it lacks are left out. */
START_TEST(random_slots_of_a_generation)
{
    for (unsigned i = 0; i < RANDOM_SLOTS / 16; i++) {
        uint8_t code[SLOT_BYTES];
        dialect(ISA_NEURON);
        opt.gen = 2 + i % 4;
        random_slot(code, SLOT_BYTES);
        if (isa_opcode_in_gen(code[0], opt.gen))
            round_trip(code, sizeof code);
    }
}
END_TEST

/* Text, mangled: what is still accepted has a canonical form that stays what it is. */
START_TEST(canonical_text_is_a_fixed_point)
{
    unsigned accepted = 0;
    for (unsigned i = 0; i < RANDOM_SLOTS / 8; i++) {
        uint8_t code[SLOT_BYTES];
        dialect(i % 3 ? ISA_NEURON : (enum isa_dialect)(rnd() % 3));
        random_slot(code, isa_slot_bytes(opt.dialect));
        struct strbuf text = disassembled(code, isa_slot_bytes(opt.dialect)), once = { 0 };
        for (unsigned k = (unsigned)(rnd() % 3); k; k--) {
            static const char chars[] = "0123456789=[]{}$,;:+-><@ RES.x\"";
            text.s[rnd() % text.len] = chars[rnd() % (sizeof chars - 1)];
        }
        if (isa_asm(text.s, text.len, "t", &opt, &once, &err) == 0) {
            struct strbuf canonical = disassembled(once.s, once.len);
            struct strbuf twice = assembled(canonical.s ? canonical.s : "", canonical.len);
            struct strbuf again = disassembled(twice.s, twice.len);
            ck_assert_uint_eq(twice.len, once.len);
            ck_assert(once.len == 0 || memcmp(twice.s, once.s, once.len) == 0);
            if (canonical.s)
                ck_assert_str_eq(again.s, canonical.s);
            strbuf_free(&canonical);
            strbuf_free(&twice);
            strbuf_free(&again);
            accepted++;
        } else
            ck_assert_uint_eq(once.len, 0);
        strbuf_free(&text);
        strbuf_free(&once);
    }
    ck_assert_uint_gt(accepted, RANDOM_SLOTS / 64);
}
END_TEST

static const char *f32(uint32_t bits, char buf[NUMBER_MAX])
{
    *put_f32(buf, bits) = '\0';
    return buf;
}

START_TEST(binary32_is_short_and_exact)
{
    static const struct {
        uint32_t bits;
        const char *text;
    } values[] = {
        { 0, "0" },
        { 0x80000000, "-0" },
        { 0x3f800000, "1" },
        { 0xbf800000, "-1" },
        { 0x40490fdb, "3.1415927" },
        { 0x3dcccccd, "0.1" },
        { 0x3f000000, "0.5" },
        { 0x3a83126f, "0.001" },
        { 0x4b7fffff, "16777215" },
        { 0x4cbebc20, "1e+08" },
        { 0x7f7fffff, "3.4028235e+38" },
        { 0x7f800000, "inf" },
        { 0xff800000, "-inf" },
        { 0x7fc00000, "0x7fc00000" },
        { 0x00000001, "0x1" }, /* rather an integer or an address */
        { 0x80000001, "0x80000001" },
        { 0x80800000, "-1.1754944e-38" },
    };
    char buf[NUMBER_MAX];
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        ck_assert_str_eq(f32(values[i].bits, buf), values[i].text);
    for (unsigned i = 0; i < RANDOM_FLOATS; i++) {
        uint32_t bits = (uint32_t)rnd(), back;
        if (i % 2) { /* values of people: few digits */
            float f = (float)(int32_t)(rnd() % 200001 - 100000) / (float)(i % 4 > 1 ? 1000 : 64);
            memcpy(&bits, &f, sizeof bits);
        }
        f32(bits, buf);
        if (buf[0] == '0' && buf[1] == 'x')
            continue;
        ck_assert_msg(read_f32(buf, strlen(buf), &back) && back == bits, "0x%08x: %s", bits, buf);
        float libc = strtof(buf, NULL); /* another reader agrees */
        ck_assert(memcmp(&libc, &bits, sizeof bits) == 0);
    }
}
END_TEST

/* Decimal readings agree with the library's, which rounds correctly. */
START_TEST(binary32_is_read_correctly_rounded)
{
    for (unsigned i = 0; i < RANDOM_FLOATS; i++) {
        char text[40];
        snprintf(text, sizeof text, i % 2 ? "%llu.%06llu" : "%llu.%llue-%u",
                 (unsigned long long)(rnd() % 1000), (unsigned long long)(rnd() % 1000000), i % 30);
        if (i % 2 == 0 && i % 5 == 0)
            text[strcspn(text, "e")] = '\0';
        float libc = strtof(text, NULL);
        uint32_t want, got;
        memcpy(&want, &libc, sizeof want);
        ck_assert_msg(read_f32(text, strlen(text), &got) && got == want, "%s: 0x%08x, right is 0x%08x", text,
                      got, want);
    }
    uint32_t bits;
    ck_assert(!read_f32("", 0, &bits) && !read_f32(".", 1, &bits) && !read_f32("1e", 2, &bits) &&
              !read_f32("1e+", 3, &bits) && !read_f32("--1", 3, &bits) && !read_f32("1 ", 2, &bits) &&
              !read_f32("1e39", 4, &bits));
}
END_TEST

static void add(TCase *tc)
{
    tcase_add_test(tc, every_byte_value_at_every_offset_of_every_opcode);
    tcase_add_test(tc, random_slots);
    tcase_add_test(tc, random_slots_of_a_generation);
    tcase_add_test(tc, canonical_text_is_a_fixed_point);
    tcase_add_test(tc, binary32_is_short_and_exact);
    tcase_add_test(tc, binary32_is_read_correctly_rounded);
}

int main(void)
{
    return run_cases("asm round trip", add);
}
