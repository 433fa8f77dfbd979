/*
 * The scalar ALU of the sequencers: ALU_OP and the compares of COMPARE_BRANCH on 32-bit registers
 * (tpb-sequencer.md §4.6, §4.7, tpb-compute.md §4). Floats are only compared; no float arithmetic, no 64-bit
 * pairs.
 */
#include "refmodel/ref_private.h"

#include <string.h>

static int32_t as_signed(uint32_t v)
{
    int32_t s;
    memcpy(&s, &v, sizeof s);
    return s;
}

bool alu_known(uint8_t op)
{
    switch (op) {
    case ALU_POW:
    case ALU_CRC32:
    case ALU_RSQRT:
    case ALU_INT_ABS:
        return false;
    default:
        return op <= ALU_MOD || (op >= ALU_INT_ADD && op <= ALU_UINT_MOD);
    }
}

/* -1 signed, 0 unsigned, 1 as the data type says. */
static int forced_sign(uint8_t op)
{
    if (op < ALU_INT_ADD)
        return 1;
    if (op >= ALU_UINT_MAX)
        return 0;
    return op == ALU_INT_ADD || op == ALU_INT_SUB || op == ALU_INT_EQ || op == ALU_INT_NE ? 1 : -1;
}

static uint32_t magnitude(uint32_t v, bool is_signed)
{
    return is_signed && v >> 31 ? 0u - v : v;
}

static bool divide(bool is_signed, bool remainder, uint32_t a, uint32_t b, uint32_t *result)
{
    if (b == 0)
        return false;
    uint32_t ua = magnitude(a, is_signed), ub = magnitude(b, is_signed);
    bool negative = is_signed && (remainder ? a >> 31 : (a ^ b) >> 31) != 0;
    uint32_t v = remainder ? ua % ub : ua / ub;
    *result = negative ? 0u - v : v;
    return true;
}

static uint32_t shift(uint8_t op, uint32_t a, uint32_t b)
{
    if (op == ALU_SHR_ARITH) {
        uint32_t fill = a >> 31 ? ~UINT32_C(0) : 0;
        return b >= 32 ? fill : b == 0 ? a : (a >> b) | (fill << (32 - b));
    }
    if (b >= 32)
        return 0;
    return op == ALU_SHR ? a >> b : a << b;
}

bool alu_compute(uint8_t op, bool is_signed, uint32_t a, uint32_t b, uint32_t *result)
{
    int sign = forced_sign(op);
    if (sign != 1)
        is_signed = sign != 0;
    bool less = is_signed ? as_signed(a) < as_signed(b) : a < b;
    switch (op) {
    case ALU_BYPASS:
        *result = a;
        break;
    case ALU_NOT:
        *result = ~a;
        break;
    case ALU_SHL_ARITH:
    case ALU_SHR_ARITH:
    case ALU_SHL:
    case ALU_SHR:
        *result = shift(op, a, b);
        break;
    case ALU_ADD:
    case ALU_INT_ADD:
        *result = a + b;
        break;
    case ALU_SUB:
    case ALU_INT_SUB:
        *result = a - b;
        break;
    case ALU_MULT:
    case ALU_INT_MULT:
    case ALU_UINT_MULT:
        *result = a * b;
        break;
    case ALU_DIVIDE:
    case ALU_INT_DIV:
    case ALU_UINT_DIV:
        return divide(is_signed, false, a, b, result);
    case ALU_MOD:
    case ALU_INT_MOD:
    case ALU_UINT_MOD:
        return divide(is_signed, true, a, b, result);
    case ALU_MAX:
    case ALU_INT_MAX:
    case ALU_UINT_MAX:
        *result = less ? b : a;
        break;
    case ALU_MIN:
    case ALU_INT_MIN:
    case ALU_UINT_MIN:
        *result = less ? a : b;
        break;
    case ALU_AND:
        *result = a & b;
        break;
    case ALU_OR:
        *result = a | b;
        break;
    case ALU_XOR:
        *result = a ^ b;
        break;
    case ALU_LOGICAL_AND:
        *result = a && b;
        break;
    case ALU_LOGICAL_OR:
        *result = a || b;
        break;
    case ALU_LOGICAL_XOR:
        *result = !a != !b;
        break;
    case ALU_EQ:
    case ALU_INT_EQ:
        *result = a == b;
        break;
    case ALU_NE:
    case ALU_INT_NE:
        *result = a != b;
        break;
    case ALU_GT:
    case ALU_INT_GT:
    case ALU_UINT_GT:
        *result = !less && a != b;
        break;
    case ALU_GE:
    case ALU_INT_GE:
    case ALU_UINT_GE:
        *result = !less;
        break;
    case ALU_LE:
    case ALU_INT_LE:
    case ALU_UINT_LE:
        *result = less || a == b;
        break;
    case ALU_LT:
    case ALU_INT_LT:
    case ALU_UINT_LT:
        *result = less;
        break;
    case ALU_ABSDIFF:
    case ALU_INT_ABSDIFF:
        *result = less ? b - a : a - b;
        break;
    case ALU_ABS:
        *result = magnitude(a, is_signed);
        break;
    case ALU_INT_ABSMAX:
        *result = magnitude(a, true) < magnitude(b, true) ? magnitude(b, true) : magnitude(a, true);
        break;
    case ALU_INT_ABSMIN:
        *result = magnitude(a, true) < magnitude(b, true) ? magnitude(a, true) : magnitude(b, true);
        break;
    default:
        *result = a;
        break;
    }
    return true;
}

/* -1 less, 0 equal, 1 greater, 2 unordered. */
static int order(uint8_t dtype, uint32_t a, uint32_t b)
{
    if (dtype == DTYPE_FP32) {
        float fa, fb;
        memcpy(&fa, &a, sizeof fa);
        memcpy(&fb, &b, sizeof fb);
        return fa < fb ? -1 : fa > fb ? 1 : fa == fb ? 0 : 2;
    }
    if (a == b)
        return 0;
    if (dtype == DTYPE_INT32)
        return as_signed(a) < as_signed(b) ? -1 : 1;
    return a < b ? -1 : 1;
}

bool alu_compare(uint8_t cmp, uint8_t dtype, uint32_t a, uint32_t b)
{
    int o = order(dtype, a, b);
    switch (cmp) {
    case CMP_LT_IMM:
    case CMP_LT_REG:
        return o == -1;
    case CMP_LE_IMM:
    case CMP_LE_REG:
        return o == -1 || o == 0;
    case CMP_EQ_IMM:
    case CMP_EQ_REG:
        return o == 0;
    case CMP_NE_IMM:
    case CMP_NE_REG:
        return o != 0;
    case CMP_GE_IMM:
    case CMP_GE_REG:
        return o == 0 || o == 1;
    case CMP_GT_IMM:
    case CMP_GT_REG:
        return o == 1;
    default:
        return true;
    }
}
