/* Words for data types, ALU operations and header codes: see words.h. */
#include "isa/words.h"

#include <stdbool.h>
#include <string.h>

#include "regs.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* The fixture spells data types in lower case (fixture-allreduce.md §6.7). */
static const char *const dtypes[] = {
    [DTYPE_INVALID] = "invalid",
    [DTYPE_UINT64] = "uint64",
    [DTYPE_INT8] = "int8",
    [DTYPE_UINT8] = "uint8",
    [DTYPE_INT16] = "int16",
    [DTYPE_UINT16] = "uint16",
    [DTYPE_BFLOAT16] = "bf16",
    [DTYPE_FP16] = "fp16",
    [DTYPE_INT32] = "int32",
    [DTYPE_UINT32] = "uint32",
    [DTYPE_FP32] = "fp32",
    [DTYPE_FP32R] = "fp32r",
    [DTYPE_INT64] = "int64",
    [DTYPE_FP8_E3M4] = "fp8_e3m4",
    [DTYPE_FP8_E4M3] = "fp8_e4m3",
    [DTYPE_FP8_E5M2] = "fp8_e5m2",
    [DTYPE_FP4_E2M1] = "fp4_e2m1",
    [DTYPE_FP8_E2M5] = "fp8_e2m5",
    [DTYPE_INT4] = "int4",
    [DTYPE_SCALE_E8M0] = "scale_e8m0",
    [DTYPE_SCALE_E7M1] = "scale_e7m1",
    [DTYPE_SCALE_E6M2] = "scale_e6m2",
    [DTYPE_SCALE_E5M3] = "scale_e5m3",
    [DTYPE_CPTC1] = "cptc1",
    [DTYPE_CPTC2] = "cptc2",
    [DTYPE_CPTC3] = "cptc3",
    [DTYPE_CPTC4] = "cptc4",
    [DTYPE_CPTC5] = "cptc5",
    [DTYPE_CPTC6] = "cptc6",
    [DTYPE_CPTC7] = "cptc7",
};

#define ALU(name) [ALU_##name] = #name
static const char *const alus[] = {
    ALU(BYPASS),      ALU(NOT),         ALU(SHL_ARITH),  ALU(SHR_ARITH),   ALU(ADD),        ALU(SUB),
    ALU(MULT),        ALU(DIVIDE),      ALU(MAX),        ALU(MIN),         ALU(AND),        ALU(OR),
    ALU(XOR),         ALU(LOGICAL_AND), ALU(LOGICAL_OR), ALU(LOGICAL_XOR), ALU(SHL),        ALU(SHR),
    ALU(EQ),          ALU(GT),          ALU(GE),         ALU(LE),          ALU(LT),         ALU(ABSDIFF),
    ALU(NE),          ALU(ABS),         ALU(POW),        ALU(MOD),         ALU(CRC32),      ALU(RSQRT),
    ALU(RELU),        ALU(SQUARE),      ALU(INT_ADD),    ALU(INT_MULT),    ALU(INT_SUB),    ALU(INT_DIV),
    ALU(INT_MOD),     ALU(INT_EQ),      ALU(INT_NE),     ALU(INT_ABSMAX),  ALU(INT_ABSMIN), ALU(INT_ABSDIFF),
    ALU(INT_ABS),     ALU(INT_MAX),     ALU(INT_MIN),    ALU(INT_GT),      ALU(INT_GE),     ALU(INT_LE),
    ALU(INT_LT),      ALU(UINT_MAX),    ALU(UINT_MIN),   ALU(UINT_GT),     ALU(UINT_GE),    ALU(UINT_LE),
    ALU(UINT_LT),     ALU(UINT_MULT),   ALU(UINT_DIV),   ALU(UINT_MOD),    ALU(INT_ARGMAX), ALU(INT_ARGMIN),
    ALU(UINT_ARGMAX), ALU(UINT_ARGMIN),
};

const struct operand_word debug_cmd_words[] = {
    { "NONE", DBG_NONE }, { "NOTIFY", DBG_NOTIFY },       { "START", DBG_START },
    { "END", DBG_END },   { "START_END", DBG_START_END }, { "INS_FIELD", DBG_INS_FIELD },
    { NULL, 0 },
};

const struct operand_word addr8_flag_words[] = {
    { "shape", ADDR8_SHAPE },       { "table", ADDR8_TABLE },         { "var", ADDR8_VAR_ID },
    { "reg", ADDR8_TABLE_OFS_REG }, { "wide", ADDR8_TABLE_OFS_WIDE }, { NULL, 0 },
};

const char *dtype_word(unsigned code)
{
    return code < COUNT(dtypes) ? dtypes[code] : NULL;
}

const char *alu_word(unsigned code)
{
    return code < COUNT(alus) ? alus[code] : NULL;
}

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static bool same(const char *word, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (lower(word[i]) != lower(s[i])) /* a shorter word differs at its NUL */
            return false;
    return word[n] == '\0';
}

static int find(const char *const *words, size_t count, const char *s, size_t n)
{
    for (size_t i = 0; i < count; i++)
        if (words[i] && same(words[i], s, n))
            return (int)i;
    return -1;
}

/* The names that the specification uses where the canonical word is shorter. */
int dtype_code(const char *s, size_t n)
{
    int code = find(dtypes, COUNT(dtypes), s, n);
    return code < 0 && same("bfloat16", s, n) ? (int)DTYPE_BFLOAT16 : code;
}

int alu_code(const char *s, size_t n)
{
    int code = find(alus, COUNT(alus), s, n);
    return code < 0 && same("SUBTRACT", s, n) ? (int)ALU_SUB : code;
}

unsigned word_distance(const char *a, size_t na, const char *b)
{
    enum { LONGEST = 64 };
    size_t nb = strnlen(b, LONGEST);
    unsigned row[LONGEST + 1];
    na = na < LONGEST ? na : LONGEST;
    for (unsigned j = 0; j <= nb; j++)
        row[j] = j;
    for (unsigned i = 0; i < na; i++) {
        unsigned diagonal = row[0];
        row[0] = i + 1;
        for (unsigned j = 0; j < nb; j++) {
            unsigned best = diagonal + (lower(a[i]) != lower(b[j]));
            diagonal = row[j + 1];
            best = best < row[j] + 1 ? best : row[j] + 1;
            row[j + 1] = best < diagonal + 1 ? best : diagonal + 1;
        }
    }
    return row[nb];
}
