/* Reject rules of pooling, iota, memset and the extended instruction (tpb-compute.md §5.7-§5.9). */
#include "isa/rules.h"

#include <string.h>

#include "util/bytes.h"

/* ---- pooling (§5.7) ---- */

/* pool_scale is 1 / window of an average, rounded, else 1.0. */
static int check_scale(const uint8_t *slot, bool known, uint64_t window, struct nerr *err)
{
    uint32_t bits = get_le32(slot + SLOT_PL_SCALE_OFF), want = F32_ONE;
    if (slot[SLOT_PL_FUNC_OFF] == POOLF_AVERAGE) {
        if (!known)
            return NERR_OK;
        float share = (float)(1.0 / (double)window);
        memcpy(&want, &share, sizeof want);
        if (bits == want + 1 || bits + 1 == want) /* the builder may have rounded twice */
            return NERR_OK;
    }
    return bits == want ? NERR_OK
                        : rule_refuse(err, SLOT_PL_SCALE_OFF,
                                      "pool_scale has the bits 0x%08x, 0x%08x is allowed", bits, want);
}

int rule_pool(const uint8_t *slot, unsigned gen, struct nerr *err)
{
    bool select = slot[SLOT_HDR_OPCODE_OFF] == OP_MAX_POOL_SELECT;
    unsigned in = slot[SLOT_PL_IN_DTYPE_OFF], out = slot[SLOT_PL_OUT_DTYPE_OFF],
             func = slot[SLOT_PL_FUNC_OFF];
    unsigned channels = slot[SLOT_PL_CHANNELS_OFF];
    if (rule_dtype(gen, "in_dtype", SLOT_PL_IN_DTYPE_OFF, in, 0, err) ||
        rule_dtype(gen, "out_dtype", SLOT_PL_OUT_DTYPE_OFF, out, DTYPE_MAY_FP32R, err) ||
        rule_count("num_active_channels", SLOT_PL_CHANNELS_OFF, channels, err) ||
        rule_dim("pool_dim", SLOT_PL_DIM_OFF, slot[SLOT_PL_DIM_OFF], err))
        return err->code;
    if (select && out != DTYPE_UINT8 && out != DTYPE_UINT16 && out != DTYPE_UINT32)
        return rule_refuse(err, SLOT_PL_OUT_DTYPE_OFF,
                           "out_dtype is %s, allowed are uint8, uint16 and uint32", rule_dtype_name(out));
    if (select ? func != POOLF_SELECT : func != POOLF_MAX && func != POOLF_AVERAGE)
        return rule_refuse(err, SLOT_PL_FUNC_OFF, "invalid pooling function %u, allowed %s", func,
                           select ? "is 0" : "are 1 (max) and 2 (average)");
    struct rule_tensor src = rule_operand("src", SLOT_PL_SRC_OFF, 4, channels, in);
    struct rule_tensor dst = rule_operand("dst", SLOT_PL_DST_OFF, 4, channels, out);
    if (rule_tensor(slot, &src, err) || rule_tensor(slot, &dst, err))
        return err->code;
    uint64_t window, rest = rule_fold(&src, slot[SLOT_PL_DIM_OFF], &window);
    if (src.counted && dst.counted && dst.count != rest)
        return rule_refuse(err, dst.off + TENSOR_STEP_OFF + 2 * dst.dims,
                           "dst has %llu elements, pool_dim %u leaves %llu of src",
                           (unsigned long long)dst.count, slot[SLOT_PL_DIM_OFF], (unsigned long long)rest);
    return check_scale(slot, src.counted, window, err);
}

/* ---- iota, memset, extended (§5.8, §5.9) ---- */

int rule_iota(const uint8_t *slot, unsigned gen, struct nerr *err)
{
    uint64_t count = 1;
    for (unsigned i = 0; i < TENSOR_DIMS_MAX; i++) {
        unsigned off = SLOT_IOTA_DATA_OFF + DATA4D_NUM_OFF + 2 * i, num = get_le16(slot + off);
        if (num == 0)
            return rule_refuse(err, off, "data num[%u] is 0, allowed are 1..65535", i);
        count *= num;
    }
    struct rule_tensor dst = rule_operand("dst", SLOT_IOTA_DST_OFF, 4, slot[SLOT_IOTA_CHANNELS_OFF],
                                          slot[SLOT_IOTA_OUT_DTYPE_OFF]);
    if (rule_dtype(gen, "out_dtype", SLOT_IOTA_OUT_DTYPE_OFF, slot[SLOT_IOTA_OUT_DTYPE_OFF], DTYPE_MAY_FP32R,
                   err) ||
        rule_count("num_active_channels", SLOT_IOTA_CHANNELS_OFF, dst.channels, err) ||
        rule_tensor(slot, &dst, err))
        return err->code;
    if (dst.counted && dst.count != count)
        return rule_refuse(err, dst.off + TENSOR_STEP_OFF + 2 * dst.dims,
                           "dst has %llu elements, as many as data (%llu) are allowed",
                           (unsigned long long)dst.count, (unsigned long long)count);
    return NERR_OK;
}

int rule_memset(const uint8_t *slot, unsigned gen, struct nerr *err)
{
    struct rule_tensor dst = rule_operand("dst", SLOT_MEMSET_DST_OFF, 4, slot[SLOT_MEMSET_CHANNELS_OFF],
                                          slot[SLOT_MEMSET_DTYPE_OFF]);
    if (rule_dtype(gen, "dtype", SLOT_MEMSET_DTYPE_OFF, slot[SLOT_MEMSET_DTYPE_OFF], DTYPE_MAY_FP32R, err) ||
        rule_count("num_active_channels", SLOT_MEMSET_CHANNELS_OFF, dst.channels, err) ||
        rule_tensor(slot, &dst, err))
        return err->code;
    return NERR_OK;
}

static int check_extended_tensor(const uint8_t *slot, unsigned gen, struct nerr *err)
{
    unsigned a = slot[SLOT_EXT_TT_DTYPES_OFF] & SLOT_TT_DTYPES_SRC0_MASK;
    unsigned b = slot[SLOT_EXT_TT_DTYPES_OFF] >> SLOT_TT_DTYPES_SRC1_LSB,
             out = slot[SLOT_EXT_TT_OUT_DTYPE_OFF];
    unsigned op = slot[SLOT_EXT_TT_OP_OFF];
    if (rule_dtype(gen, "src0 dtype", SLOT_EXT_TT_DTYPES_OFF, a, 0, err) ||
        rule_dtype(gen, "src1 dtype", SLOT_EXT_TT_DTYPES_OFF, b, 0, err) ||
        rule_dtype(gen, "out_dtype", SLOT_EXT_TT_OUT_DTYPE_OFF, out, DTYPE_MAY_FP32R, err))
        return err->code;
    if (op != ALU_ADD && op != ALU_MULT)
        return rule_refuse(err, SLOT_EXT_TT_OP_OFF, "op is 0x%02x, allowed are 0x04 (ADD) and 0x06 (MULT)",
                           op);
    struct rule_tensor src0 = rule_operand("src0", SLOT_EXT_TT_SRC0_OFF, 2, 0, a);
    struct rule_tensor src1 = rule_operand("src1", SLOT_EXT_TT_SRC1_OFF, 2, 0, b);
    struct rule_tensor dst = rule_operand("dst", SLOT_EXT_TT_DST_OFF, 2, 0, out);
    if (rule_tensor(slot, &src0, err) || rule_tensor(slot, &src1, err) || rule_tensor(slot, &dst, err) ||
        rule_same_count(&src0, &src1, err) || rule_same_count(&src0, &dst, err))
        return err->code;
    return NERR_OK;
}

int rule_extended(const uint8_t *slot, unsigned gen, struct nerr *err)
{
    const unsigned bits = SLOT_EXT_COMPLETION_HAS_READ_MASK | SLOT_EXT_COMPLETION_HAS_WRITE_MASK |
                          SLOT_EXT_COMPLETION_PORTS_MASK;
    unsigned completion = slot[SLOT_EXT_COMPLETION_OFF];
    if (completion & ~bits)
        return rule_refuse(err, SLOT_EXT_COMPLETION_OFF,
                           "completion info 0x%02x has bits besides 0, 2 and 5:3 set", completion);
    return slot[SLOT_EXT_CODE_OFF] == EXT_TT ? check_extended_tensor(slot, gen, err) : NERR_OK;
}
