/* Reject rules of the tensor instructions of POOL and DVE (tpb-compute.md §5.4-§5.6). */
#include "isa/rules.h"

#include "util/bytes.h"

static int check_zero(const char *field, const uint8_t *slot, unsigned off, struct nerr *err)
{
    return slot[off] == 0 ? NERR_OK : rule_refuse(err, off, "%s is %u, 0 is allowed", field, slot[off]);
}

static int check_bypass(const uint8_t *slot, unsigned off, struct nerr *err)
{
    return slot[off] == ALU_BYPASS ? NERR_OK
                                   : rule_refuse(err, off, "op is 0x%02x, 0 (BYPASS) is allowed", slot[off]);
}

/* Bitvec operations take integers of one width; the integer band integers of one signedness. */
static int check_integers(const char *field, unsigned off, unsigned a, unsigned b, bool bitvec,
                          struct nerr *err)
{
    if (!rule_dtype_integer(a) || !rule_dtype_integer(b))
        return rule_refuse(err, off, "%s of %s and %s: integer types are allowed", field, rule_dtype_name(a),
                           rule_dtype_name(b));
    if (bitvec && isa_dtype_bytes(a) != isa_dtype_bytes(b))
        return rule_refuse(err, off, "%s of %s and %s: types of equal width are allowed", field,
                           rule_dtype_name(a), rule_dtype_name(b));
    if (!bitvec && rule_dtype_signed(a) != rule_dtype_signed(b))
        return rule_refuse(err, off, "%s mixes the signedness of %s and %s", field, rule_dtype_name(a),
                           rule_dtype_name(b));
    return NERR_OK;
}

/*
 * The ALU code of an arithmetic or bit-vector instruction. Opcodes 41 and 51 have the sets of §4; for the
 * others the page names no set, so that everything of the kind passes.
 */
static int check_alu(const char *field, unsigned off, unsigned op, bool bitvec, bool strict, struct nerr *err)
{
    bool bits = rule_alu_bitvec(op) || (!strict && op == ALU_CRC32);
    bool arith =
        rule_alu_arith(op) ||
        (!strict && (op == ALU_DIVIDE || op == ALU_RSQRT || (op >= ALU_INT_ARGMAX && op <= ALU_UINT_ARGMIN)));
    if (bitvec ? bits : arith)
        return NERR_OK;
    return rule_refuse(err, off, "%s 0x%02x is no %s operation", field, op,
                       bitvec ? "bit-vector" : "arithmetic or integer");
}

static bool is_bitvec(unsigned opcode)
{
    switch (opcode) {
    case OP_TENSOR_TENSOR_BITVEC_OP:
    case OP_TENSOR_REDUCE_BITVEC_OP:
    case OP_TENSOR_CUMULATIVE_BITVEC_OP:
    case OP_TENSOR_SCALAR_BITVEC_OP:
    case OP_TENSOR_SCALAR_PTR_BITVEC_OP:
        return true;
    default:
        return false;
    }
}

/* ---- family C (§5.4) ---- */

/* COPY and CAST do nothing else. */
static int check_plain(const uint8_t *slot, struct nerr *err)
{
    unsigned dim = slot[SLOT_TR_OP_DIM_OFF], in = slot[SLOT_TR_IN_DTYPE_OFF],
             out = slot[SLOT_TR_OUT_DTYPE_OFF];
    if (check_zero("negated", slot, SLOT_TR_NEGATED_OFF, err) || check_bypass(slot, SLOT_TR_OP_OFF, err) ||
        check_zero("mask_enable", slot, SLOT_TR_MASK_OFF, err))
        return err->code;
    if (dim != DIM_NONE && dim != DIM_X)
        return rule_refuse(err, SLOT_TR_OP_DIM_OFF, "op_dim is %u, allowed are 0 and 2", dim);
    if (slot[SLOT_HDR_OPCODE_OFF] == OP_COPY && in != out)
        return rule_refuse(err, SLOT_TR_OUT_DTYPE_OFF, "out_dtype is %s, COPY needs the in_dtype %s",
                           rule_dtype_name(out), rule_dtype_name(in));
    return NERR_OK;
}

static int check_fold(const uint8_t *slot, const struct rule_tensor *src, const struct rule_tensor *dst,
                      struct nerr *err)
{
    uint64_t window, rest = rule_fold(src, slot[SLOT_TR_OP_DIM_OFF], &window);
    if (!src->counted || !dst->counted || dst->count == rest)
        return NERR_OK;
    return rule_refuse(err, dst->off + TENSOR_STEP_OFF + 2 * dst->dims,
                       "dst has %llu elements, op_dim %u leaves %llu of src", (unsigned long long)dst->count,
                       slot[SLOT_TR_OP_DIM_OFF], (unsigned long long)rest);
}

static int check_reduce(const uint8_t *slot, struct nerr *err)
{
    bool bitvec = is_bitvec(slot[SLOT_HDR_OPCODE_OFF]);
    unsigned op = slot[SLOT_TR_OP_OFF];
    if (check_alu("op", SLOT_TR_OP_OFF, op, bitvec, false, err))
        return err->code;
    if ((bitvec || rule_alu_int(op)) && check_integers("op", SLOT_TR_IN_DTYPE_OFF, slot[SLOT_TR_IN_DTYPE_OFF],
                                                       slot[SLOT_TR_OUT_DTYPE_OFF], bitvec, err))
        return err->code;
    return NERR_OK;
}

static int check_family_c(const uint8_t *slot, unsigned gen, struct nerr *err)
{
    unsigned opcode = slot[SLOT_HDR_OPCODE_OFF];
    bool reduce = opcode == OP_TENSOR_REDUCE_ARITH_OP || opcode == OP_TENSOR_REDUCE_BITVEC_OP;
    bool cumulative = opcode == OP_TENSOR_CUMULATIVE_ARITH_OP || opcode == OP_TENSOR_CUMULATIVE_BITVEC_OP;
    bool plain = opcode == OP_COPY || opcode == OP_CAST;
    unsigned in = slot[SLOT_TR_IN_DTYPE_OFF], out = slot[SLOT_TR_OUT_DTYPE_OFF];
    unsigned channels = slot[SLOT_TR_CHANNELS_OFF];
    if (rule_dtype(gen, "in_dtype", SLOT_TR_IN_DTYPE_OFF, in, 0, err) ||
        rule_dtype(gen, "out_dtype", SLOT_TR_OUT_DTYPE_OFF, out, DTYPE_MAY_FP32R, err) ||
        rule_count("num_active_channels", SLOT_TR_CHANNELS_OFF, channels, err) ||
        rule_dim("op_dim", SLOT_TR_OP_DIM_OFF, slot[SLOT_TR_OP_DIM_OFF], err) ||
        (plain && check_plain(slot, err)) || ((reduce || cumulative) && check_reduce(slot, err)))
        return err->code;
    struct rule_tensor src = rule_operand("src", SLOT_TR_SRC_OFF, 4, channels, in);
    struct rule_tensor dst = rule_operand("dst", SLOT_TR_DST_OFF, 4, channels, out);
    if (rule_tensor(slot, &src, err) || rule_tensor(slot, &dst, err))
        return err->code;
    return reduce ? check_fold(slot, &src, &dst, err) : rule_same_count(&src, &dst, err);
}

/* ---- family B (§5.5) ---- */

static int check_tensor_tensor_types(const uint8_t *slot, unsigned gen, struct nerr *err)
{
    unsigned a = slot[SLOT_TT_DTYPES_OFF] & SLOT_TT_DTYPES_SRC0_MASK;
    unsigned b = slot[SLOT_TT_DTYPES_OFF] >> SLOT_TT_DTYPES_SRC1_LSB, out = slot[SLOT_TT_OUT_DTYPE_OFF];
    unsigned wide = a == b && a == out ? DTYPE_MAY_WIDE : 0; /* 64 bits when all agree */
    if (rule_dtype(gen, "src0 dtype", SLOT_TT_DTYPES_OFF, a, wide, err) ||
        rule_dtype(gen, "src1 dtype", SLOT_TT_DTYPES_OFF, b, wide, err) ||
        rule_dtype(gen, "out_dtype", SLOT_TT_OUT_DTYPE_OFF, out, wide | DTYPE_MAY_FP32R, err))
        return err->code;
    bool bitvec = is_bitvec(slot[SLOT_HDR_OPCODE_OFF]);
    if (!bitvec && !rule_alu_int(slot[SLOT_TT_OP_OFF]))
        return NERR_OK;
    if (check_integers("op", SLOT_TT_DTYPES_OFF, a, b, bitvec, err) ||
        check_integers("op", SLOT_TT_OUT_DTYPE_OFF, a, out, bitvec, err))
        return err->code;
    return NERR_OK;
}

static int check_tensor_tensor(const uint8_t *slot, unsigned gen, struct nerr *err)
{
    unsigned opcode = slot[SLOT_HDR_OPCODE_OFF], channels = slot[SLOT_TT_CHANNELS_OFF];
    bool free_op = opcode == OP_TENSOR_TENSOR_ARITH_OP || opcode == OP_TENSOR_TENSOR_BITVEC_OP;
    if (free_op ? check_alu("op", SLOT_TT_OP_OFF, slot[SLOT_TT_OP_OFF], is_bitvec(opcode), true, err)
                : check_bypass(slot, SLOT_TT_OP_OFF, err))
        return err->code;
    if (check_tensor_tensor_types(slot, gen, err) ||
        rule_count("num_active_channels", SLOT_TT_CHANNELS_OFF, channels, err))
        return err->code;
    struct rule_tensor src0 = rule_operand("src0", SLOT_TT_SRC0_OFF, 3, channels,
                                           slot[SLOT_TT_DTYPES_OFF] & SLOT_TT_DTYPES_SRC0_MASK);
    struct rule_tensor src1 = src0, dst = src0;
    src1.name = "src1";
    src1.off = SLOT_TT_SRC1_OFF;
    src1.elem = isa_dtype_bytes(slot[SLOT_TT_DTYPES_OFF] >> SLOT_TT_DTYPES_SRC1_LSB);
    dst.name = "dst";
    dst.off = SLOT_TT_DST_OFF;
    dst.elem = isa_dtype_bytes(slot[SLOT_TT_OUT_DTYPE_OFF]);
    if (rule_tensor(slot, &src0, err) || rule_tensor(slot, &src1, err) || rule_tensor(slot, &dst, err) ||
        rule_same_count(&src0, &src1, err) || rule_same_count(&src0, &dst, err))
        return err->code;
    return NERR_OK;
}

/* ---- tensor-scalar (§5.6) ---- */

static int check_immediate(const uint8_t *slot, const char *field, unsigned source_off, unsigned off,
                           struct nerr *err)
{
    if (rule_max(field, source_off, slot[source_off], IMMSRC_REG_PTR, err))
        return err->code;
    uint32_t addr = get_le32(slot + off);
    if (slot[source_off] == IMMSRC_PTR && addr % 4)
        return rule_refuse(err, off, "the pointer 0x%x of %s is not aligned to its 4-byte values", addr,
                           field);
    return NERR_OK;
}

static int check_tensor_scalar(const uint8_t *slot, unsigned gen, struct nerr *err)
{
    bool bitvec = is_bitvec(slot[SLOT_HDR_OPCODE_OFF]);
    unsigned in = slot[SLOT_TS_IN_DTYPE_OFF], out = slot[SLOT_TS_OUT_DTYPE_OFF];
    unsigned op0 = slot[SLOT_TS_OP0_OFF], op1 = slot[SLOT_TS_OP1_OFF], channels = slot[SLOT_TS_CHANNELS_OFF];
    if (rule_max("accumulator_cmd", SLOT_TS_ACC_CMD_OFF, slot[SLOT_TS_ACC_CMD_OFF], ACCUM_RESET_ACC, err) ||
        rule_dtype(gen, "in_dtype", SLOT_TS_IN_DTYPE_OFF, in, 0, err) ||
        rule_dtype(gen, "out_dtype", SLOT_TS_OUT_DTYPE_OFF, out, DTYPE_MAY_FP32R, err) ||
        rule_count("num_active_channels", SLOT_TS_CHANNELS_OFF, channels, err) ||
        check_immediate(slot, "imm0_src", SLOT_TS_IMM0_SRC_OFF, SLOT_TS_IMM0_OFF, err) ||
        check_immediate(slot, "imm1_src", SLOT_TS_IMM1_SRC_OFF, SLOT_TS_IMM1_OFF, err) ||
        check_alu("op0", SLOT_TS_OP0_OFF, op0, bitvec, false, err) ||
        check_alu("op1", SLOT_TS_OP1_OFF, op1, bitvec, false, err))
        return err->code;
    if ((bitvec || rule_alu_int(op0) || rule_alu_int(op1)) &&
        check_integers("op", SLOT_TS_OUT_DTYPE_OFF, in, out, bitvec, err))
        return err->code;
    struct rule_tensor src = rule_operand("src", SLOT_TS_SRC_OFF, 3, channels, in);
    struct rule_tensor dst = rule_operand("dst", SLOT_TS_DST_OFF, 3, channels, out);
    if (rule_tensor(slot, &src, err) || rule_tensor(slot, &dst, err) || rule_same_count(&src, &dst, err))
        return err->code;
    return NERR_OK;
}

int rule_vector(const uint8_t *slot, unsigned gen, struct nerr *err)
{
    switch (slot[SLOT_HDR_OPCODE_OFF]) {
    case OP_STREAM_SHUFFLE:
    case OP_TRANSPOSE_TENSOR_REDUCE_ARITH_OP:
    case OP_TRANSPOSE_TENSOR_REDUCE_BITVEC_OP:
        return rule_refuse(err, SLOT_HDR_OPCODE_OFF, "not supported: its operation is not known");
    case OP_TENSOR_REDUCE_ARITH_OP:
    case OP_TENSOR_REDUCE_BITVEC_OP:
    case OP_TENSOR_CUMULATIVE_ARITH_OP:
    case OP_TENSOR_CUMULATIVE_BITVEC_OP:
    case OP_COPY:
    case OP_CAST:
    case OP_RECIPROCAL:
    case OP_STREAM_TRANSPOSE:
        return check_family_c(slot, gen, err);
    case OP_TENSOR_TENSOR_ARITH_OP:
    case OP_TENSOR_TENSOR_BITVEC_OP:
    case OP_COPY_PREDICATED:
    case OP_CAST_PREDICATED:
    case OP_BATCH_NORM_BACK_PROP:
        return check_tensor_tensor(slot, gen, err);
    case OP_TENSOR_SCALAR_ARITH_OP:
    case OP_TENSOR_SCALAR_BITVEC_OP:
    case OP_TENSOR_SCALAR_PTR_ARITH_OP:
    case OP_TENSOR_SCALAR_PTR_BITVEC_OP:
        return check_tensor_scalar(slot, gen, err);
    case OP_POOL:
    case OP_MAX_POOL_SELECT:
        return rule_pool(slot, gen, err);
    case OP_IOTA:
        return rule_iota(slot, gen, err);
    case OP_MEMSET:
        return rule_memset(slot, gen, err);
    case OP_EXTENDED_INST:
        return rule_extended(slot, gen, err);
    default: /* the layout is not known: the device judges */
        return NERR_OK;
    }
}
