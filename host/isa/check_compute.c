/* Reject rules of the PE and ACT instructions, and which rules a compute slot has (tpb-compute.md §5.1-§5.3).
 */
#include "isa/rules.h"

#include "util/bytes.h"

/* ---- PE ---- */

/* The types and modes of a moving operand or of weights: the same offsets in every layout. */
static int check_pe_input(const uint8_t *slot, struct nerr *err)
{
    unsigned dtype = slot[SLOT_MM_IN_DTYPE_OFF], mode = slot[SLOT_MM_FP32_MODE_OFF];
    switch (dtype) {
    case DTYPE_FP32:
    case DTYPE_FP16:
    case DTYPE_BFLOAT16:
    case DTYPE_FP8_E3M4:
    case DTYPE_FP8_E4M3:
    case DTYPE_FP8_E5M2:
    case DTYPE_UINT8:
        break;
    default:
        return rule_refuse(err, SLOT_MM_IN_DTYPE_OFF,
                           "in_dtype 0x%02x (%s), allowed are fp32, fp16, bf16, the three fp8 and uint8",
                           dtype, rule_dtype_name(dtype));
    }
    if (dtype == DTYPE_FP32 && mode == FP32M_NONE)
        return rule_refuse(err, SLOT_MM_FP32_MODE_OFF, "fp32_mode is 0, fp32 input needs 1..3");
    return rule_max("fp32_mode", SLOT_MM_FP32_MODE_OFF, mode, FP32M_BOTH, err);
}

/* FP32 results are written as 0 or 0x0a (V4 and up). Returns the bytes of a result, or 0 with *err set. */
static unsigned pe_result_bytes(unsigned off, unsigned dtype, struct nerr *err)
{
    if (dtype == 0 || dtype == DTYPE_FP32)
        return 4;
    if (dtype == DTYPE_BFLOAT16)
        return 2;
    rule_refuse(err, off, "out_dtype 0x%02x (%s), allowed are 0, fp32 and bf16", dtype,
                rule_dtype_name(dtype));
    return 0;
}

static int check_group(const char *field, unsigned off, unsigned mask, struct nerr *err)
{
    switch (mask) {
    case QUAD_FULL:
    case QUAD_LOWER:
    case QUAD_UPPER:
    case QUAD_Q0:
    case QUAD_Q1:
    case QUAD_Q2:
    case QUAD_Q3:
        return NERR_OK;
    default:
        return rule_refuse(err, off, "%s is 0x%02x, allowed are 0x0f, 0x03, 0x0c, 0x01, 0x02, 0x04 and 0x08",
                           field, mask);
    }
}

/* Columns fit their group, and the crossbar is set for it. */
static int check_columns(const uint8_t *slot, struct nerr *err)
{
    unsigned group = slot[SLOT_MM_COL_GRP_OFF], cols = slot[SLOT_MM_COLS_OFF], xbus = slot[SLOT_MM_XBUS_OFF];
    static const struct {
        uint8_t group, xbus, quadrants;
    } rows[] = { { QUAD_FULL, XBUS_FULL, 4 }, { QUAD_LOWER, XBUS_LOWER, 2 }, { QUAD_UPPER, XBUS_UPPER, 2 },
                 { QUAD_Q0, XBUS_Q0, 1 },     { QUAD_Q1, XBUS_Q1, 1 },       { QUAD_Q2, XBUS_Q2, 1 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].group != group)
            continue;
        if (cols > rows[i].quadrants * QUADRANT)
            return rule_refuse(err, SLOT_MM_COLS_OFF, "num_active_cols is %u, column group 0x%02x holds %u",
                               cols, group, rows[i].quadrants * QUADRANT);
        if (xbus != rows[i].xbus)
            return rule_refuse(err, SLOT_MM_XBUS_OFF, "xbus_sel is 0x%02x, column group 0x%02x needs 0x%02x",
                               xbus, group, rows[i].xbus);
        return NERR_OK;
    }
    return rule_refuse(err, SLOT_MM_XBUS_OFF, "column group 0x%02x has no legal xbus_sel", group);
}

/* What V2..V4 have beyond the operands: §5.1. */
static int check_matmul_fields(const uint8_t *slot, unsigned gen, struct nerr *err)
{
    unsigned acc_max = SLOT_MM_PSUM_ACC_BEGIN_MASK | SLOT_MM_PSUM_ACC_END_MASK |
                       (gen > ISA_GEN_FIRST ? SLOT_MM_PSUM_ACC_BEGIN_ACC_MASK : 0);
    if (rule_max("perf_opt", SLOT_MM_PERF_OPT_OFF, slot[SLOT_MM_PERF_OPT_OFF], PERF_OPT_MAX, err) ||
        rule_count("num_active_rows", SLOT_MM_ROWS_OFF, slot[SLOT_MM_ROWS_OFF], err) ||
        rule_count("num_active_cols", SLOT_MM_COLS_OFF, slot[SLOT_MM_COLS_OFF], err) ||
        rule_max("psum_accumulate_flags", SLOT_MM_PSUM_ACC_OFF, slot[SLOT_MM_PSUM_ACC_OFF], acc_max, err) ||
        check_group("row_grp", SLOT_MM_ROW_GRP_OFF, slot[SLOT_MM_ROW_GRP_OFF], err) ||
        check_group("col_grp", SLOT_MM_COL_GRP_OFF, slot[SLOT_MM_COL_GRP_OFF], err) ||
        check_columns(slot, err) ||
        rule_max("psum_zero_region", SLOT_MM_ZERO_REGION_OFF, slot[SLOT_MM_ZERO_REGION_OFF],
                 gen >= 4 ? ZERO_REGION_MAX : 0, err))
        return err->code;
    return NERR_OK;
}

static int check_matmul(const uint8_t *slot, unsigned gen, struct nerr *err)
{
    bool v5 = gen >= 5;
    struct rule_tensor src = { .name = "src", .off = SLOT_MM_SRC_OFF, .dims = 3, .spaces = SPACE_SBUF };
    struct rule_tensor dst = {
        .name = "dst", .off = SLOT_MM_DST_OFF, .dims = 3, .spaces = SPACE_PSUM, .elem = 4
    };
    if (check_pe_input(slot, err))
        return err->code;
    if (v5) {
        if (rule_count("num_active_rows", SLOT_MMX_ROWS_OFF, slot[SLOT_MMX_ROWS_OFF], err))
            return err->code;
    } else if (check_matmul_fields(slot, gen, err))
        return err->code;
    if (gen >= 4) {
        unsigned off = v5 ? SLOT_MMX_OUT_DTYPE_OFF : SLOT_MM_OUT_DTYPE_OFF;
        dst.elem = pe_result_bytes(off, slot[off], err);
        if (!dst.elem)
            return err->code;
    }
    src.elem = isa_dtype_bytes(slot[SLOT_MM_IN_DTYPE_OFF]);
    src.channels = slot[v5 ? SLOT_MMX_ROWS_OFF : SLOT_MM_ROWS_OFF];
    dst.channels = v5 ? 1 : slot[SLOT_MM_COLS_OFF]; /* V5 spreads its columns in two halves */
    if (rule_tensor(slot, &src, err) || rule_tensor(slot, &dst, err) || rule_same_count(&src, &dst, err))
        return err->code;
    return NERR_OK;
}

static int check_weights(const uint8_t *slot, unsigned gen, struct nerr *err)
{
    bool v5 = gen >= 5;
    unsigned rows = v5 ? SLOT_LWX_ROWS_OFF : SLOT_LW_ROWS_OFF;
    if (check_pe_input(slot, err) || rule_count("num_active_rows", rows, slot[rows], err))
        return err->code;
    if (!v5 && (rule_max("perf_opt", SLOT_LW_PERF_OPT_OFF, slot[SLOT_LW_PERF_OPT_OFF], PERF_OPT_MAX, err) ||
                rule_count("num_active_cols", SLOT_LW_COLS_OFF, slot[SLOT_LW_COLS_OFF], err) ||
                check_group("row_grp", SLOT_LW_ROW_GRP_OFF, slot[SLOT_LW_ROW_GRP_OFF], err)))
        return err->code;
    struct rule_tensor src = { .name = "src",
                               .off = SLOT_LW_SRC_OFF,
                               .dims = 3,
                               .spaces = SPACE_SBUF,
                               .channels = slot[rows],
                               .elem = isa_dtype_bytes(slot[SLOT_LW_IN_DTYPE_OFF]) };
    if (rule_tensor(slot, &src, err))
        return err->code;
    unsigned cols = slot[SLOT_LW_COLS_OFF];
    if (!v5 && src.counted && src.count != cols)
        return rule_refuse(err, SLOT_LW_COLS_OFF, "num_active_cols is %u, src has %llu elements a row", cols,
                           (unsigned long long)src.count);
    return NERR_OK;
}

static int check_seed(const uint8_t *slot, struct nerr *err)
{
    if (slot[SLOT_SEED_ROWS_OFF] != SEED_ROWS)
        return rule_refuse(err, SLOT_SEED_ROWS_OFF, "rows is %u, %u is allowed", slot[SLOT_SEED_ROWS_OFF],
                           SEED_ROWS);
    if (slot[SLOT_SEED_COLS_OFF] != SEED_COLS)
        return rule_refuse(err, SLOT_SEED_COLS_OFF, "cols is %u, %u is allowed", slot[SLOT_SEED_COLS_OFF],
                           SEED_COLS);
    return rule_max("mode", SLOT_SEED_MODE_OFF, slot[SLOT_SEED_MODE_OFF], SEED_MODE_MAX, err);
}

/* ---- ACT ---- */

static int check_pointer(const char *field, const uint8_t *slot, unsigned off, unsigned align,
                         struct nerr *err)
{
    uint32_t addr = get_le32(slot + off);
    return addr % align == 0 ? NERR_OK
                             : rule_refuse(err, off, "%s pointer 0x%x is not aligned to its %u-byte values",
                                           field, addr, align);
}

/* Input and bias types in one byte, output type, channels, function: the same offsets in both instructions.
 */
static int check_act_types(const uint8_t *slot, unsigned gen, struct nerr *err)
{
    unsigned pair = slot[SLOT_AC_DTYPES_OFF];
    unsigned in = pair & SLOT_AC_DTYPES_IN_MASK, bias = pair >> SLOT_AC_DTYPES_BIAS_LSB;
    if (rule_dtype(gen, "in_dtype", SLOT_AC_DTYPES_OFF, in, 0, err))
        return err->code;
    if (bias != DTYPE_BFLOAT16 && bias != DTYPE_FP16 && bias != DTYPE_FP32)
        return rule_refuse(err, SLOT_AC_DTYPES_OFF, "bias dtype 0x%02x (%s), allowed are bf16, fp16 and fp32",
                           bias, rule_dtype_name(bias));
    return rule_count("num_active_channels", SLOT_AC_CHANNELS_OFF, slot[SLOT_AC_CHANNELS_OFF], err);
}

static int check_act_tensors(const uint8_t *slot, struct nerr *err)
{
    unsigned channels = slot[SLOT_AC_CHANNELS_OFF];
    struct rule_tensor src =
        rule_operand("src", SLOT_AC_SRC_OFF, 3, channels, slot[SLOT_AC_DTYPES_OFF] & SLOT_AC_DTYPES_IN_MASK);
    struct rule_tensor dst = src;
    dst.name = "dst";
    dst.off = SLOT_AC_DST_OFF;
    dst.elem = isa_dtype_bytes(slot[SLOT_AC_OUT_DTYPE_OFF]);
    if (rule_tensor(slot, &src, err) || rule_tensor(slot, &dst, err) || rule_same_count(&src, &dst, err))
        return err->code;
    return NERR_OK;
}

static int check_activate(const uint8_t *slot, unsigned gen, struct nerr *err)
{
    unsigned bias_bytes = isa_dtype_bytes(slot[SLOT_AC_DTYPES_OFF] >> SLOT_AC_DTYPES_BIAS_LSB);
    if (rule_max("imm_src", SLOT_AC_IMM_SRC_OFF, slot[SLOT_AC_IMM_SRC_OFF], IMMSRC_REG_PTR, err) ||
        rule_max("scale_src", SLOT_AC_SCALE_SRC_OFF, slot[SLOT_AC_SCALE_SRC_OFF], IMMSRC_REG_PTR, err) ||
        rule_max("accumulator_cmd", SLOT_AC_ACC_CMD_OFF, slot[SLOT_AC_ACC_CMD_OFF], ACCUM_RESET_ACC, err) ||
        rule_max("bias_src_n", SLOT_AC_BIAS_SRC_OFF, slot[SLOT_AC_BIAS_SRC_OFF], BIASSRC_REG_PTR, err) ||
        check_act_types(slot, gen, err) ||
        rule_dtype(gen, "out_dtype", SLOT_AC_OUT_DTYPE_OFF, slot[SLOT_AC_OUT_DTYPE_OFF], DTYPE_MAY_FP32R,
                   err))
        return err->code;
    if ((slot[SLOT_AC_IMM_SRC_OFF] == IMMSRC_PTR && check_pointer("imm", slot, SLOT_AC_IMM_OFF, 4, err)) ||
        (slot[SLOT_AC_SCALE_SRC_OFF] == IMMSRC_PTR &&
         check_pointer("scale", slot, SLOT_AC_SCALE_OFF, 4, err)) ||
        (slot[SLOT_AC_BIAS_SRC_OFF] == BIASSRC_PTR &&
         check_pointer("bias", slot, SLOT_AC_BIAS_OFF, bias_bytes, err)))
        return err->code;
    return check_act_tensors(slot, err);
}

static int check_quantize(const uint8_t *slot, unsigned gen, struct nerr *err)
{
    static const struct {
        const char *name;
        unsigned off;
    } scales[] = { { "output scale", SLOT_AQ_OUT_SCALE_OFF }, { "input scale", SLOT_AQ_IN_SCALE_OFF } };
    if (check_act_types(slot, gen, err))
        return err->code;
    if (slot[SLOT_AQ_OUT_DTYPE_OFF] != DTYPE_UINT8)
        return rule_refuse(err, SLOT_AQ_OUT_DTYPE_OFF, "out_dtype 0x%02x (%s), uint8 is allowed",
                           slot[SLOT_AQ_OUT_DTYPE_OFF], rule_dtype_name(slot[SLOT_AQ_OUT_DTYPE_OFF]));
    for (unsigned i = 0; i < 2; i++)
        if ((get_le32(slot + scales[i].off) & INT32_MAX) == 0) /* 0.0 or -0.0 */
            return rule_refuse(err, scales[i].off, "%s is 0, anything else is allowed", scales[i].name);
    if (check_pointer("bias", slot, SLOT_AQ_BIAS_OFF,
                      isa_dtype_bytes(slot[SLOT_AQ_DTYPES_OFF] >> SLOT_AC_DTYPES_BIAS_LSB), err))
        return err->code;
    return check_act_tensors(slot, err);
}

static int check_accumulator(const uint8_t *slot, unsigned gen, struct nerr *err)
{
    unsigned dtype = slot[SLOT_RD_DTYPE_OFF];
    struct rule_tensor dst = rule_operand("dst", SLOT_RD_DST_OFF, 4, slot[SLOT_RD_CHANNELS_OFF], dtype);
    if (rule_dtype(gen, "dtype", SLOT_RD_DTYPE_OFF, dtype, DTYPE_MAY_FP32R, err) ||
        rule_count("num_active_channels", SLOT_RD_CHANNELS_OFF, dst.channels, err) ||
        rule_tensor(slot, &dst, err))
        return err->code;
    return NERR_OK;
}

int rule_compute(const uint8_t *slot, unsigned gen, struct nerr *err)
{
    switch (slot[SLOT_HDR_OPCODE_OFF]) {
    case OP_MATMUL:
        return check_matmul(slot, gen, err);
    case OP_LDWEIGHTS:
        return check_weights(slot, gen, err);
    case OP_PE_MANAGE_SEED:
        return check_seed(slot, err);
    case OP_LDWEIGHTS_MX:
    case OP_MATMUL_MX:
    case OP_QUANTIZE_MX:
        return rule_refuse(err, SLOT_HDR_OPCODE_OFF, "mixed-precision MX instructions are not supported");
    case OP_ACTIVATE:
        return check_activate(slot, gen, err);
    case OP_ACTIVATE_QUANTIZE:
        return check_quantize(slot, gen, err);
    case OP_ACTIVATION_READ_ACCUMULATOR:
        return check_accumulator(slot, gen, err);
    case OP_ACTIVATE2:
        return rule_refuse(err, SLOT_HDR_OPCODE_OFF,
                           "not supported: the offsets of its operands are not known");
    default:
        return rule_vector(slot, gen, err);
    }
}
