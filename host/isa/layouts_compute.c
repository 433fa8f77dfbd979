/* Operand tables of the compute instructions of the 64-byte NEURON set (tpb-compute.md §5.1-§5.9). */
#include "isa/table.h"

static const struct operand_word imm_words[] = {
    { "imm", IMMSRC_IMM }, { "ptr", IMMSRC_PTR }, { "reg_ptr", IMMSRC_REG_PTR }, { NULL, 0 }
};
static const struct operand_word bias_words[] = { /* inverted (§5.3) */
                                                  { "ptr", BIASSRC_PTR },
                                                  { "imm", BIASSRC_IMM },
                                                  { "reg_ptr", BIASSRC_REG_PTR },
                                                  { NULL, 0 }
};
static const struct operand_word acc_words[] = {
    { "idle", ACCUM_IDLE },
    { "reset", ACCUM_RESET },
    { "accumulate", ACCUM_ACCUMULATE },
    { "reset_accumulate", ACCUM_RESET_ACC },
    { NULL, 0 },
};
static const struct operand_word dim_words[] = { { "none", DIM_NONE }, { "x", DIM_X },       { "xy", DIM_XY },
                                                 { "xyz", DIM_XYZ },   { "xyzw", DIM_XYZW }, { NULL, 0 } };
static const struct operand_word pool_words[] = {
    { "select", POOLF_SELECT }, { "max", POOLF_MAX }, { "average", POOLF_AVERAGE }, { NULL, 0 }
};
static const struct operand_word fp32_words[] = {
    { "none", FP32M_NONE }, { "low", FP32M_LOW }, { "high", FP32M_HIGH }, { "both", FP32M_BOTH }, { NULL, 0 }
};
static const struct operand_word seed_words[] = { { "none", 0 }, { "load", 1 }, { "save", 2 }, { NULL, 0 } };
static const struct operand_word ext_words[] = {
    { "nop", EXT_NOP },
    { "copy", EXT_COPY },
    { "tensor_tensor", EXT_TT },
    { "set_random", EXT_SET_RANDOM },
    { "get_random", EXT_GET_RANDOM },
    { "sb2sb", EXT_SB2SB },
    { "cptc", EXT_CPTC },
    { "rdma0", EXT_RDMA0 },
    { "rdma1", EXT_RDMA1 },
    { NULL, 0 },
};

/* ---- PE (§5.1, §5.2) ---- */
#define MM_COMMON                                                                                            \
    { OPD_PATTERN(SLOT_MM, DST, "dst") }, { OPD_PATTERN(SLOT_MM, SRC, "src") },                              \
        { OPD(SLOT_MM, IN_DTYPE, OPD_DTYPE, "in_dtype"), .always = true },                                   \
        { OPD(SLOT_MM, ROWS, OPD_UINT, "rows"), .always = true },                                            \
        { OPD(SLOT_MM, COLS, OPD_UINT, "cols"), .always = true },                                            \
        { OPD(SLOT_MM, PSUM_ACC, OPD_UINT, "psum_accumulate"), .always = true },                             \
        { OPD(SLOT_MM, ROW_GRP, OPD_HEX, "row_grp"), .normal = QUAD_FULL },                                  \
        { OPD(SLOT_MM, COL_GRP, OPD_HEX, "col_grp"), .normal = QUAD_FULL },                                  \
        { OPD(SLOT_MM, XBUS, OPD_HEX, "xbus_sel"), .normal = XBUS_FULL },                                    \
        { OPD(SLOT_MM, FP32_MODE, OPD_WORD, "fp32_mode"), .words = fp32_words },                             \
        { OPD(SLOT_MM, PERF_OPT, OPD_UINT, "perf_opt") }, { OPD(SLOT_MM, QUANT, OPD_HEX, "quant_offset") },  \
    {                                                                                                        \
        OPD(SLOT_MM, ZERO_REGION, OPD_UINT, "psum_zero_region")                                              \
    }
static const struct operand mm[] = { MM_COMMON };
static const struct operand mm_v4[] = {
    MM_COMMON,
    { OPD(SLOT_MM, OUT_DTYPE, OPD_DTYPE, "out_dtype") },
    { OPD_FIELD(SLOT_MM, FLAGS, SEED, OPD_UINT, "seed") },
    { OPD_FIELD(SLOT_MM, FLAGS, ACCUMULATE, OPD_UINT, "accumulate") },
};
static const struct operand mm_v5[] = {
    { OPD_PATTERN(SLOT_MMX, DST, "dst") },
    { OPD_PATTERN(SLOT_MMX, SRC, "src") },
    { OPD(SLOT_MMX, IN_DTYPE, OPD_DTYPE, "in_dtype"), .always = true },
    { OPD(SLOT_MMX, OUT_DTYPE, OPD_DTYPE, "out_dtype") },
    { OPD(SLOT_MMX, ROWS, OPD_UINT, "rows"), .always = true },
    { OPD(SLOT_MMX, COLS, OPD_UINT, "cols"), .always = true },
    { OPD(SLOT_MMX, FP32_MODE, OPD_WORD, "fp32_mode"), .words = fp32_words },
    { OPD(SLOT_MMX, TILE_SIZE, OPD_HEX, "tile_size") },
    { OPD(SLOT_MMX, TILE_SEL, OPD_HEX, "tile_sel") },
    { OPD(SLOT_MMX, FLAGS, OPD_HEX, "flags") },
    { OPD(SLOT_MMX, PERF_MODE, OPD_HEX, "perf_mode") },
};
static const struct operand lw[] = {
    { OPD_PATTERN(SLOT_LW, SRC, "src") },
    { OPD(SLOT_LW, IN_DTYPE, OPD_DTYPE, "in_dtype"), .always = true },
    { OPD(SLOT_LW, ROWS, OPD_UINT, "rows"), .always = true },
    { OPD(SLOT_LW, COLS, OPD_UINT, "cols"), .always = true },
    { OPD(SLOT_LW, ROW_GRP, OPD_HEX, "row_grp"), .normal = QUAD_FULL },
    { OPD(SLOT_LW, FP32_MODE, OPD_WORD, "fp32_mode"), .words = fp32_words },
    { OPD(SLOT_LW, PERF_OPT, OPD_UINT, "perf_opt") },
    { OPD(SLOT_LW, QUANT, OPD_HEX, "quant_offset") },
};
static const struct operand lw_v5[] = {
    { OPD_PATTERN(SLOT_LWX, SRC, "src") },
    { OPD(SLOT_LWX, IN_DTYPE, OPD_DTYPE, "in_dtype"), .always = true },
    { OPD(SLOT_LWX, ROWS, OPD_UINT, "rows"), .always = true },
    { OPD(SLOT_LWX, COLS, OPD_UINT, "cols"), .always = true },
    { OPD(SLOT_LWX, FP32_MODE, OPD_WORD, "fp32_mode"), .words = fp32_words },
    { OPD(SLOT_LWX, TILE_SIZE, OPD_HEX, "tile_size") },
    { OPD(SLOT_LWX, TILE_SEL, OPD_HEX, "tile_sel") },
    { OPD(SLOT_LWX, FLAGS, OPD_HEX, "flags") },
    { OPD(SLOT_LWX, PERF_MODE, OPD_HEX, "perf_mode") },
};
static const struct operand seed[] = {
    { OPD(SLOT_SEED, MODE, OPD_WORD, "mode"), .words = seed_words, .always = true },
    { OPD_PATTERN(SLOT_SEED, DST, "dst") },
    { OPD_PATTERN(SLOT_SEED, SEEDS, "seeds") },
    { OPD_PATTERN(SLOT_SEED, IDENTITY, "identity") },
    { OPD(SLOT_SEED, DTYPE, OPD_DTYPE, "dtype"), .always = true },
    { OPD(SLOT_SEED, ROWS, OPD_UINT, "rows"), .normal = SEED_ROWS },
    { OPD(SLOT_SEED, COLS, OPD_UINT, "cols"), .normal = SEED_COLS },
};

/* ---- ACT (§5.3) ---- */
static const struct operand ac[] = {
    { OPD_PATTERN(SLOT_AC, DST, "dst") },
    { OPD_PATTERN(SLOT_AC, SRC, "src") },
    { OPD(SLOT_AC, FUNC, OPD_UINT, "func"), .always = true },
    { OPD(SLOT_AC, DTYPES, OPD_DTYPE2, "in_bias_dtype"), .always = true },
    { OPD(SLOT_AC, OUT_DTYPE, OPD_DTYPE, "out_dtype"), .always = true },
    { OPD(SLOT_AC, CHANNELS, OPD_UINT, "channels"), .always = true },
    { OPD(SLOT_AC, SCALE_SRC, OPD_WORD, "scale_src"), .words = imm_words },
    { OPD(SLOT_AC, SCALE, OPD_F32, "scale"), .always = true },
    { OPD(SLOT_AC, BIAS_SRC, OPD_WORD, "bias_src"), .words = bias_words, .normal = BIASSRC_IMM },
    { OPD(SLOT_AC, BIAS, OPD_F32, "bias"), .always = true },
    { OPD(SLOT_AC, IMM_SRC, OPD_WORD, "imm_src"), .words = imm_words },
    { OPD(SLOT_AC, IMM, OPD_F32, "imm") },
    { OPD(SLOT_AC, ACC_CMD, OPD_WORD, "accumulator"), .words = acc_words },
};
static const struct operand aq[] = {
    { OPD_PATTERN(SLOT_AQ, DST, "dst") },
    { OPD_PATTERN(SLOT_AQ, SRC, "src") },
    { OPD(SLOT_AQ, FUNC, OPD_UINT, "func"), .always = true },
    { OPD(SLOT_AQ, DTYPES, OPD_DTYPE2, "in_bias_dtype"), .always = true },
    { OPD(SLOT_AQ, OUT_DTYPE, OPD_DTYPE, "out_dtype"), .normal = DTYPE_UINT8 },
    { OPD(SLOT_AQ, CHANNELS, OPD_UINT, "channels"), .always = true },
    { OPD(SLOT_AQ, IN_SCALE, OPD_F32, "in_scale"), .always = true },
    { OPD(SLOT_AQ, BIAS, OPD_HEX, "bias"), .always = true },
    { OPD(SLOT_AQ, OUT_SCALE, OPD_F32, "out_scale"), .always = true },
    { OPD(SLOT_AQ, OUT_ZERO, OPD_F32, "out_zero"), .always = true },
};
static const struct operand rd[] = {
    { OPD_PATTERN(SLOT_RD, DST, "dst") },
    { OPD(SLOT_RD, DTYPE, OPD_DTYPE, "dtype"), .always = true },
    { OPD(SLOT_RD, CHANNELS, OPD_UINT, "channels"), .always = true },
};

/* ---- POOL and DVE (§5.4-§5.9) ---- */
static const struct operand tr[] = {
    { OPD_PATTERN(SLOT_TR, DST, "dst") },
    { OPD_PATTERN(SLOT_TR, SRC, "src") },
    { OPD(SLOT_TR, IN_DTYPE, OPD_DTYPE, "in_dtype"), .always = true },
    { OPD(SLOT_TR, OUT_DTYPE, OPD_DTYPE, "out_dtype"), .always = true },
    { OPD(SLOT_TR, CHANNELS, OPD_UINT, "channels"), .always = true },
    { OPD(SLOT_TR, OP, OPD_ALU, "op") },
    { OPD(SLOT_TR, OP_DIM, OPD_WORD, "op_dim"), .words = dim_words },
    { OPD(SLOT_TR, NEGATED, OPD_UINT, "negated") },
    { OPD(SLOT_TR, MASK, OPD_UINT, "mask_enable") },
};
static const struct operand tt[] = {
    { OPD_PATTERN(SLOT_TT, DST, "dst") },
    { OPD_PATTERN(SLOT_TT, SRC0, "src0") },
    { OPD_PATTERN(SLOT_TT, SRC1, "src1") },
    { OPD(SLOT_TT, OP, OPD_ALU, "op"), .always = true },
    { OPD(SLOT_TT, DTYPES, OPD_DTYPE2, "in_dtype"), .always = true },
    { OPD(SLOT_TT, OUT_DTYPE, OPD_DTYPE, "out_dtype"), .always = true },
    { OPD(SLOT_TT, CHANNELS, OPD_UINT, "channels"), .always = true },
};
/* Immediates of the bit operations are integer bits, of the others mostly FP32 (§5.6). */
#define TS_LIST(imm_kind)                                                                                    \
    { OPD_PATTERN(SLOT_TS, DST, "dst") }, { OPD_PATTERN(SLOT_TS, SRC, "src") },                              \
        { OPD(SLOT_TS, OP0, OPD_ALU, "op0"), .always = true },                                               \
        { OPD(SLOT_TS, IMM0_SRC, OPD_WORD, "imm0_src"), .words = imm_words },                                \
        { OPD(SLOT_TS, IMM0, imm_kind, "imm0"), .always = true }, { OPD(SLOT_TS, OP1, OPD_ALU, "op1") },     \
        { OPD(SLOT_TS, IMM1_SRC, OPD_WORD, "imm1_src"), .words = imm_words },                                \
        { OPD(SLOT_TS, IMM1, imm_kind, "imm1") },                                                            \
        { OPD(SLOT_TS, IN_DTYPE, OPD_DTYPE, "in_dtype"), .always = true },                                   \
        { OPD(SLOT_TS, OUT_DTYPE, OPD_DTYPE, "out_dtype"), .always = true },                                 \
        { OPD(SLOT_TS, CHANNELS, OPD_UINT, "channels"), .always = true },                                    \
        { OPD_FIELD(SLOT_TS, REVERSE, OP0, OPD_UINT, "reverse0") },                                          \
        { OPD_FIELD(SLOT_TS, REVERSE, OP1, OPD_UINT, "reverse1") },                                          \
    {                                                                                                        \
        OPD(SLOT_TS, ACC_CMD, OPD_WORD, "accumulator"), .words = acc_words                                   \
    }
static const struct operand ts[] = { TS_LIST(OPD_F32) };
static const struct operand ts_bits[] = { TS_LIST(OPD_HEX) };
static const struct operand pl[] = {
    { OPD_PATTERN(SLOT_PL, DST, "dst") },
    { OPD_PATTERN(SLOT_PL, SRC, "src") },
    { OPD(SLOT_PL, FUNC, OPD_WORD, "func"), .words = pool_words, .always = true },
    { OPD(SLOT_PL, DIM, OPD_WORD, "pool_dim"), .words = dim_words, .always = true },
    { OPD(SLOT_PL, SCALE, OPD_F32, "scale"), .normal = F32_ONE },
    { OPD(SLOT_PL, IN_DTYPE, OPD_DTYPE, "in_dtype"), .always = true },
    { OPD(SLOT_PL, OUT_DTYPE, OPD_DTYPE, "out_dtype"), .always = true },
    { OPD(SLOT_PL, CHANNELS, OPD_UINT, "channels"), .always = true },
};
static const struct operand iota[] = {
    { OPD_PATTERN(SLOT_IOTA, DST, "dst") },
    { OPD(SLOT_IOTA, DATA, OPD_DATA4D, "data"), .always = true },
    { OPD(SLOT_IOTA, MULTIPLIER, OPD_INT, "channel_multiplier") },
    { OPD(SLOT_IOTA, OUT_DTYPE, OPD_DTYPE, "out_dtype"), .always = true },
    { OPD(SLOT_IOTA, CHANNELS, OPD_UINT, "channels"), .always = true },
};
static const struct operand memset_[] = {
    { OPD_PATTERN(SLOT_MEMSET, DST, "dst") },
    { OPD(SLOT_MEMSET, VALUE, OPD_HEX, "value"), .always = true },
    { OPD(SLOT_MEMSET, DTYPE, OPD_DTYPE, "dtype"), .always = true },
    { OPD(SLOT_MEMSET, CHANNELS, OPD_UINT, "channels"), .always = true },
};

/* The extended opcode comes first in every list: see operand_find. */
#define EXT_COMMON                                                                                           \
    { OPD(SLOT_EXT, CODE, OPD_WORD, NULL), .words = ext_words, .always = true },                             \
        { OPD_FIELD(SLOT_EXT, COMPLETION, HAS_READ, OPD_UINT, "has_read") },                                 \
        { OPD_FIELD(SLOT_EXT, COMPLETION, HAS_WRITE, OPD_UINT, "has_write") },                               \
    {                                                                                                        \
        OPD_FIELD(SLOT_EXT, COMPLETION, PORTS, OPD_UINT, "ports")                                            \
    }
static const struct operand ext[] = { EXT_COMMON };
static const struct operand ext_tt[] = {
    EXT_COMMON,
    { OPD_PATTERN(SLOT_EXT_TT, DST, "dst") },
    { OPD_PATTERN(SLOT_EXT_TT, SRC0, "src0") },
    { OPD_PATTERN(SLOT_EXT_TT, SRC1, "src1") },
    { OPD(SLOT_EXT_TT, OP, OPD_ALU, "op"), .always = true },
    { OPD(SLOT_EXT_TT, DTYPES, OPD_DTYPE2, "in_dtype"), .always = true },
    { OPD(SLOT_EXT_TT, OUT_DTYPE, OPD_DTYPE, "out_dtype"), .always = true },
};

LAYOUT(s3d3_mm, mm, .name = "S3D3_MM");
LAYOUT(s3d3_mm_v4, mm_v4, .name = "S3D3_MM");
LAYOUT(s3d3_mm_v5, mm_v5, .name = "S3D3_MM");
LAYOUT(s3_lw, lw, .name = "S3_LW");
LAYOUT(s3_lw_v5, lw_v5, .name = "S3_LW");
LAYOUT(pe_seed, seed, .name = "S2S1D2_PE_SEED");
LAYOUT(s3d3_ac, ac, .name = "S3D3_AC");
LAYOUT(s3d3_aq, aq, .name = "S3D3_AQ");
LAYOUT(d1_rd, rd, .name = "D1_RD");
LAYOUT(s4d4_tr, tr, .name = "S4D4_TR");
LAYOUT(s3s3d3_tt, tt, .name = "S3S3D3_TT");
LAYOUT(s3d3_ts, ts, .name = "S3D3_TS");
LAYOUT(s3d3_ts_bits, ts_bits, .name = "S3D3_TS");
/* The MULTI forms are S3D3_TS by the opcode table, but no page says what their other bytes hold. */
LAYOUT(s3d3_ts_multi, ts, .name = "S3D3_TS", .partial = true);
LAYOUT(s4d4_pl, pl, .name = "S4D4_PL");
LAYOUT(d4_iota, iota, .name = "D4_IOTA");
LAYOUT(d4_memset, memset_, .name = "D4_MEMSET");
LAYOUT(extended, ext, .name = "EXTENDED", .partial = true); /* operands of these codes are unknown (§5.9) */
LAYOUT(extended_tt, ext_tt, .name = "EXTENDED_TT");

static const struct operand_layout *layout_matmul(unsigned gen)
{
    return gen >= 5 ? &s3d3_mm_v5 : gen == 4 ? &s3d3_mm_v4 : &s3d3_mm;
}

const struct operand_layout *layout_compute(unsigned op, unsigned gen, const uint8_t *slot)
{
    switch (op) {
    case OP_MATMUL:
        return layout_matmul(gen);
    case OP_LDWEIGHTS:
        return gen >= 5 ? &s3_lw_v5 : &s3_lw;
    case OP_PE_MANAGE_SEED:
        return &pe_seed;
    case OP_ACTIVATE:
        return &s3d3_ac;
    case OP_ACTIVATE_QUANTIZE:
        return &s3d3_aq;
    case OP_ACTIVATION_TABLE_LOAD:
        return &layout_events_only;
    case OP_ACTIVATION_READ_ACCUMULATOR:
        return &d1_rd;
    case OP_TENSOR_REDUCE_ARITH_OP:
    case OP_TENSOR_REDUCE_BITVEC_OP:
    case OP_TENSOR_CUMULATIVE_ARITH_OP:
    case OP_TENSOR_CUMULATIVE_BITVEC_OP:
    case OP_COPY:
    case OP_CAST:
    case OP_RECIPROCAL:
    case OP_STREAM_SHUFFLE:
    case OP_STREAM_TRANSPOSE:
    case OP_TRANSPOSE_TENSOR_REDUCE_ARITH_OP:
    case OP_TRANSPOSE_TENSOR_REDUCE_BITVEC_OP:
        return &s4d4_tr;
    case OP_TENSOR_TENSOR_ARITH_OP:
    case OP_TENSOR_TENSOR_BITVEC_OP:
    case OP_COPY_PREDICATED:
    case OP_CAST_PREDICATED:
    case OP_BATCH_NORM_BACK_PROP:
        return &s3s3d3_tt;
    case OP_TENSOR_SCALAR_ARITH_OP:
    case OP_TENSOR_SCALAR_PTR_ARITH_OP:
        return &s3d3_ts;
    case OP_TENSOR_SCALAR_BITVEC_OP:
    case OP_TENSOR_SCALAR_PTR_BITVEC_OP:
        return &s3d3_ts_bits;
    case OP_TENSOR_SCALAR_PTR_MULTI_ARITH:
    case OP_TENSOR_SCALAR_PTR_MULTI_BITVEC:
    case OP_TENSOR_SCALAR_PTR_MULTI_DUAL_ARITH:
    case OP_TENSOR_SCALAR_PTR_MULTI_DUAL_BITVEC:
        return &s3d3_ts_multi;
    case OP_POOL:
    case OP_MAX_POOL_SELECT:
        return &s4d4_pl;
    case OP_IOTA:
        return &d4_iota;
    case OP_MEMSET:
        return &d4_memset;
    case OP_EXTENDED_INST:
        return slot[SLOT_EXT_CODE_OFF] == EXT_TT ? &extended_tt : &extended;
    default:
        return NULL;
    }
}
