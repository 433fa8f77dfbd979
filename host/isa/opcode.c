/* The opcode tables of tpb-sequencer.md §3.1, §3.3: what a byte is called, whose it is and where it exists.
 */
#include "isa/isa.h"

#define OP(name, unit, layout, gens, dispatch) [OP_##name] = { #name, layout, unit, gens, dispatch }

static const struct isa_opcode neuron[256] = {
    OP(LDWEIGHTS, ISA_PE, "S3_LW", "YYYY", 'x'),
    OP(MATMUL, ISA_PE, "S3D3_MM", "YYYY", 'x'),
    OP(PE_REG_WRITE, ISA_PE, "?", "YYYY", 'x'),
    OP(WEIGHT_MASK, ISA_PE, "?", "nnnn", 'x'),
    OP(WEIGHT_SHIFT, ISA_PE, "?", "nnnn", 'x'),
    OP(LDTAGS, ISA_PE, "S3_LT", "-YYY", 'x'),
    OP(MATMUL_SPARSE, ISA_PE, "S4D3_MM", "-YYY", 'x'),
    OP(PE_MANAGE_SEED, ISA_PE, "S2S1D2_PE_SEED", "--YY", 'x'),
    OP(LDWEIGHTS_MX, ISA_PE, "SMX1_LW", "--YY", 'x'),
    OP(MATMUL_MX, ISA_PE, "SMX1D3_MM", "--YY", 'x'),
    OP(ACTIVATE, ISA_ACT, "S3D3_AC", "YYYY", 'x'),
    OP(ACTIVATE_QUANTIZE, ISA_ACT, "S3D3_AQ", "YYYY", 'x'),
    OP(ACTIVATION_TABLE_LOAD, ISA_ACT, "CTRL_NO", "YYYY", 'x'),
    OP(ACTIVATION_READ_ACCUMULATOR, ISA_ACT, "D1_RD", "YYYY", 'x'),
    OP(ACTIVATE2, ISA_ACT, "S2D2_AC", "--YY", 'x'),
    OP(ACTIVATE_MULTIPASS, ISA_ACT, "S1S2D2_AM", "---Y", 'x'),
    OP(EXPONENTIAL, ISA_DVE, "S3D3_TS", "....", 'x'),
    OP(TENSOR_TENSOR_ARITH_OP, ISA_POOL, "S3S3D3_TT", "YYYY", 'R'),
    OP(TENSOR_REDUCE_ARITH_OP, ISA_POOL, "S4D4_TR", "YYYY", 'd'),
    OP(TENSOR_SCALAR_ARITH_OP, ISA_POOL, "S3D3_TS", "YYYY", 'R'),
    OP(TENSOR_SCALAR_PTR_ARITH_OP, ISA_POOL, "S3D3_TS", "nnnn", 'R'),
    OP(POOL, ISA_POOL, "S4D4_PL", "YYYY", 'R'),
    OP(COPY, ISA_POOL, "S4D4_TR", "YYYY", 'R'),
    OP(CAST, ISA_POOL, "S4D4_TR", "YYYY", 'R'),
    OP(RECIPROCAL, ISA_POOL, "S4D4_TR", "YYYY", 'd'),
    OP(MEMSET, ISA_POOL, "?", "YYYY", 'R'),
    OP(REG_LOAD, ISA_POOL, "?", "nnnn", 'd'),
    OP(REG_STORE, ISA_POOL, "?", "nnnn", 'd'),
    OP(REG_SHUFFLE, ISA_POOL, "CTRL_RS", "nnnn", 'd'),
    OP(RNG, ISA_POOL, "?", "YYYY", 'R'),
    OP(TENSOR_CUMULATIVE_ARITH_OP, ISA_POOL, "S4D4_TR", "YYYY", 'd'),
    OP(TENSOR_SCALAR_PTR_MULTI_ARITH, ISA_POOL, "S3D3_TS", "nnnn", 'd'),
    OP(TENSOR_TENSOR_BITVEC_OP, ISA_POOL, "S3S3D3_TT", "YYYY", 'R'),
    OP(TENSOR_REDUCE_BITVEC_OP, ISA_POOL, "S4D4_TR", "YYYY", 'R'),
    OP(TENSOR_SCALAR_BITVEC_OP, ISA_POOL, "S3D3_TS", "YYYY", 'R'),
    OP(TENSOR_SCALAR_PTR_BITVEC_OP, ISA_POOL, "S3D3_TS", "nnnn", 'R'),
    OP(MAX_POOL_SELECT, ISA_POOL, "S4D4_PL", "YYYY", 'R'),
    OP(TENSOR_CUMULATIVE_BITVEC_OP, ISA_POOL, "S4D4_TR", "YYYY", 'd'),
    OP(TENSOR_SCALAR_PTR_MULTI_BITVEC, ISA_POOL, "S3D3_TS", "nnnn", 'd'),
    OP(BATCH_NORM_STATS, ISA_DVE, "?", "nnnn", 'd'),
    OP(BATCH_NORM_STATS2, ISA_DVE, "?", "YYYY", 'd'),
    OP(BATCH_NORM_AGGREGATE, ISA_DVE, "?", "YYYY", 'd'),
    OP(BATCH_NORM_GRAD_ACCUMULATE, ISA_DVE, "?", "nnnn", 'd'),
    OP(BATCH_NORM_PARAM_LOAD, ISA_DVE, "S2_BN", "nnnn", 'd'),
    OP(BATCH_NORM_BACK_PROP, ISA_DVE, "S3S3D3_TT", "YYYY", 'd'),
    OP(LOAD_PARAMETER_RAM, ISA_DVE, "?", "YYYY", 'd'),
    OP(POOL_BUFFER_LOAD, ISA_POOL, "?", "YYYY", 'R'),
    OP(GATHER, ISA_POOL, "S4D4_GT", "YYYY", 'R'),
    OP(LOAD_MASK_SELECT, ISA_POOL, "?", "YYYY", 'd'),
    OP(STREAM_SHUFFLE, ISA_POOL, "S4D4_TR", "YYYY", 'd'),
    OP(STREAM_TRANSPOSE, ISA_POOL, "S4D4_TR", "YYYY", 'd'),
    OP(MAX8, ISA_DVE, "S4D2_BN", "YYYY", 'd'),
    OP(MATCH_VALUE_LOAD, ISA_DVE, "S2_BN", "YYYY", 'd'),
    OP(FIND_INDEX8, ISA_DVE, "S4D2_BN", "YYYY", 'd'),
    OP(MATCH_REPLACE8, ISA_DVE, "S4D4_MR", "YYYY", 'd'),
    OP(TENSOR_SCALAR_IMM_LD_ARITH, ISA_POOL, "S2_BN", "nnnn", 'd'),
    OP(TENSOR_SCALAR_IMM_LD_BITVEC, ISA_POOL, "S2_BN", "nnnn", 'd'),
    OP(COPY_PREDICATED, ISA_POOL, "S3S3D3_TT", "YYYY", 'd'),
    OP(ROI_ALIGN, ISA_POOL, "?", "nnnn", 'd'),
    OP(TENSOR_SCALAR_ADDR, ISA_POOL, "S3D3_TS", "YYYY", 'R'),
    OP(RAND, ISA_DVE, "?", "nnnn", 'd'),
    OP(RAND_GET_STATE, ISA_DVE, "?", "YYYY", 'R'),
    OP(RAND_SET_STATE, ISA_DVE, "?", "YYYY", 'R'),
    OP(EMBEDDING_UPDATE, ISA_POOL, "?", "YYYY", 'R'),
    OP(LOAD_POOL_ARGUMENT, ISA_POOL, "?", "YYYY", 'R'),
    OP(TENSOR_DEQUANTIZE, ISA_POOL, "S3D3_TENS_DEQUANT", "YYYY", 'R'),
    OP(CROSS_LANE_REDUCE_ARITH, ISA_POOL, "S4D4_CR", "YYYY", 'R'),
    OP(CROSS_LANE_REDUCE_BITVEC, ISA_POOL, "S4D4_CR", "YYYY", 'R'),
    OP(IOTA, ISA_POOL, "D4_IOTA", "YYYY", 'R'),
    OP(DROPOUT, ISA_POOL, "?", "YYYY", 'd'),
    OP(JPEG_DECODE, ISA_POOL, "?", "-nnn", 'd'),
    OP(TRANSPOSE_BATCH_NORM_STATS2, ISA_DVE, "?", "YYYY", 'd'),
    OP(TRANSPOSE_TENSOR_REDUCE_ARITH_OP, ISA_POOL, "S4D4_TR", "YYYY", 'd'),
    OP(TRANSPOSE_TENSOR_REDUCE_BITVEC_OP, ISA_POOL, "S4D4_TR", "YYYY", 'd'),
    OP(CUSTOM_OP_HEADER, ISA_POOL, "?", "YYYY", 'd'),
    OP(CUSTOM_OP_PAYLOAD, ISA_POOL, "?", "YYYY", 'd'),
    OP(TENSOR_SCALAR_PTR_MULTI_DUAL_ARITH, ISA_POOL, "S3D3_TS", "n---", 'd'),
    OP(TENSOR_SCALAR_PTR_MULTI_DUAL_BITVEC, ISA_POOL, "S3D3_TS", "n---", 'd'),
    OP(TENSOR_TENSOR_ADD_BF16, ISA_POOL, "?", "Y---", 'd'),
    OP(TENSOR_TENSOR_MULT_BF16, ISA_POOL, "?", "Y---", 'd'),
    OP(TENSOR_REDUCE_ADD_BF16, ISA_POOL, "?", "Y---", 'd'),
    OP(TENSOR_REDUCE_MAX_BF16, ISA_POOL, "?", "Y---", 'd'),
    OP(BATCH_NORM_PARAM_LOAD2, ISA_DVE, "?", "YYYY", 'd'),
    OP(TENSOR_TENSOR_SUB_BF16, ISA_POOL, "?", "Y---", 'd'),
    OP(TENSOR_SCALAR_AFFINE_SELECT, ISA_POOL, "S3D3_TS", "YYYY", 'R'),
    OP(TRANSPOSE_TENSOR_SCALAR_ARITH_OP, ISA_POOL, "S3D3_TS", "YYYY", 'd'),
    OP(BATCH_NORM_GRAD_ACCUMULATE2, ISA_DVE, "?", "YYYY", 'd'),
    OP(MODIFY_POOL_CONFIG, ISA_POOL, "?", "YYYY", 'R'),
    OP(SORT, ISA_POOL, "S1D2_SORT", "YYYY", 'R'),
    OP(TENSOR_SCALAR_SELECT, ISA_POOL, "S3D3_TS", "YYYY", 'd'),
    OP(CAST_PREDICATED, ISA_POOL, "S3S3D3_TT", "YYYY", 'd'),
    OP(TENSOR_SCALAR_CACHE_REDUCE, ISA_POOL, "?", "YYYY", 'd'),
    OP(DVE_READ_ACCUMULATOR, ISA_DVE, "D1_RD", "YYYY", 'd'),
    OP(TENSOR_REDUCE_RANGE_CHECK, ISA_POOL, "?", "nnnn", 'd'),
    OP(SCALAR_TENSOR_TENSOR_ARITH, ISA_POOL, "S2S2D2-form", "YYYY", 'd'),
    OP(SCALAR_TENSOR_TENSOR_BITVEC, ISA_POOL, "S2S2D2-form", "YYYY", 'd'),
    OP(ENGINE_NOP, ISA_CTRL, "?", "YYYY", 'R'),
    OP(EVENT_SEMAPHORE, ISA_CTRL, "CTRL_ES", "YYYY", 'R'),
    OP(HALT, ISA_CTRL, "CTRL_NO", "YYYY", 'R'),
    OP(DRAIN, ISA_CTRL, "CTRL_NO", "YYYY", 'R'),
    OP(INSTRUCTION_FLUSH, ISA_CTRL, "CTRL_NO", "YYYY", 'R'),
    OP(NOP, ISA_CTRL, "CTRL_NO", "YYYY", 'R'),
    OP(WRITE, ISA_CTRL, "CTRL_WR", "YYYY", 'R'),
    OP(NOTIFY, ISA_CTRL, "CTRL_NO", "YYYY", 'R'),
    OP(MOVE, ISA_CTRL, "CTRL_MV", "YYYY", 'R'),
    OP(ALU_OP, ISA_CTRL, "CTRL_AL", "YYYY", 'R'),
    OP(COMPARE_BRANCH, ISA_CTRL, "CTRL_BR", "YYYY", 'R'),
    OP(TENSOR_LOAD, ISA_CTRL, "MEM_2D", "YYYY", 'R'),
    OP(TENSOR_STORE, ISA_CTRL, "MEM_2D", "YYYY", 'R'),
    OP(EVENT_SEMAPHORE_RANGE_CLEAR, ISA_CTRL, "CTRL_ER", "YYYY", 'R'),
    OP(SET_ORDERING_MODE, ISA_CTRL, "?", "YYYY", 'R'),
    OP(MOVE_SHAPE, ISA_CTRL, "CTRL_MS", "YYYY", 'R'),
    OP(POLL_SEM, ISA_CTRL, "CTRL_POLL_SEM", "YYYY", 'R'),
    OP(TEST_EVENT_SEM, ISA_CTRL, "CTRL_TEST_ES", "--YY", 'd'),
    OP(BRANCH_PREFETCH_HINT, ISA_CTRL, "BR_HINT", "YYYY", 'R'),
    OP(COMPACT_CONTROL_INST, ISA_CTRL, "CTRL_CCI", "---Y", 'd'),
    OP(DMAMEMCPY, ISA_DMA, "DMA_DIRECT2D", "YYYY", 'R'),
    OP(DMA_MEMCPY2, ISA_DMA, "?", "---Y", 'd'),
    OP(DMA_IMMEDIATE, ISA_DMA, "DMA_IMMEDIATE", "---Y", 'd'),
    OP(DMA_INDIRECT, ISA_DMA, "DMA_INDIRECT1D", "YYYY", 'R'),
    OP(RANGE_SELECT, ISA_DVE, "?", "-YYY", 'd'),
    OP(DMA_TRANSPOSE, ISA_DMA, "DMA_DIRECT2D_XPOSE", "-YYY", 'R'),
    OP(GET_SEQUENCE_BOUNDS, ISA_POOL, "S3D3_SEQ_BOUNDS", "-YYY", 'R'),
    OP(SB2SB_COLLECTIVE, ISA_POOL, "S3D3-form", "-YYY", 'R'),
    OP(PSEUDO_DMATRIGGER, ISA_PSEUDO, "5.2", "YYYY", 'd'),
    OP(PSEUDO_DMAREARM, ISA_PSEUDO, "-", "YYYY", 'd'),
    OP(PSEUDO_DMABARRIER, ISA_PSEUDO, "-", "YYYY", 'd'),
    OP(PSEUDO_DMAMEMCPY_FULL_IND, ISA_PSEUDO, "-", "YYYY", 'd'),
    OP(PSEUDO_SEMAPHORE_SET, ISA_PSEUDO, "-", "YYYY", 'd'),
    OP(PSEUDO_LOAD_ACT_FUNC_SET, ISA_PSEUDO, "-", "YYYY", 'd'),
    OP(PSEUDO_TRIGGER_ALL_REDUCE, ISA_PSEUDO, "-", "YYYY", 'd'),
    OP(PSEUDO_TRIGGER_COLLECTIVE, ISA_PSEUDO, "5.3", "YYYY", 'd'),
    OP(PSEUDO_READ_VAR_ADDR, ISA_PSEUDO, "-", "YYYY", 'd'),
    OP(PSEUDO_EMBEDDING_UPDATE, ISA_PSEUDO, "-", "YYYY", 'd'),
    OP(PSEUDO_SEND_RECV, ISA_PSEUDO, "-", "YYYY", 'd'),
    OP(PSEUDO_BRANCH_LABEL, ISA_PSEUDO, "5.5", "YYYY", 'd'),
    OP(PSEUDO_TENSOR_STORE, ISA_PSEUDO, "PSEUDO_MEM_2D", "YYYY", 'd'),
    OP(PSEUDO_TENSOR_LOAD, ISA_PSEUDO, "PSEUDO_MEM_2D", "YYYY", 'd'),
    OP(PSEUDO_DMASWAP_QUEUE_SET, ISA_PSEUDO, "-", "YYYY", 'd'),
    OP(PSEUDO_SET_RNG_SEED, ISA_PSEUDO, "-", "YYYY", 'd'),
    OP(PSEUDO_FUNCTION_BEGIN, ISA_PSEUDO, "5.4", "YYYY", 'd'),
    OP(PSEUDO_FUNCTION_RETURN, ISA_PSEUDO, "5.4", "YYYY", 'd'),
    OP(PSEUDO_FUNCTION_CALL, ISA_PSEUDO, "5.4", "YYYY", 'd'),
    OP(PSEUDO_DMA_DIRECT2D, ISA_PSEUDO, "DMA_DIRECT2D", "YYYY", 'd'),
    OP(PSEUDO_SYNC_BARRIER, ISA_PSEUDO, "5.6", "YYYY", 'd'),
    OP(PSEUDO_RANGE_CHECK, ISA_PSEUDO, "-", "YYYY", 'd'),
    OP(PSEUDO_JPEG_DECODE, ISA_PSEUDO, "-", "-YYY", 'd'),
    OP(PSEUDO_CORE_BARRIER, ISA_PSEUDO, "5.6", "YYYY", 'd'),
    OP(PSEUDO_TRIGGER_COLLECTIVE2, ISA_PSEUDO, "-", "YYYY", 'd'),
    OP(PSEUDO_EXTENSION, ISA_PSEUDO, "-", "YYYY", 'd'),
    OP(PSEUDO_CUR_PROCESSING_RANK_ID, ISA_PSEUDO, "-", "YYYY", 'd'),
    OP(PSEUDO_GID_LOAD, ISA_PSEUDO, "-", "YYYY", 'd'),
    OP(PSEUDO_BRANCH_PREFETCH_HINT, ISA_PSEUDO, "-", "YYYY", 'd'),
    OP(PSEUDO_TENSOR_COMPLETION, ISA_PSEUDO, "-", "YYYY", 'd'),
    OP(PSEUDO_INST, ISA_PSEUDO, "5.4", "YYYY", 'd'),
    OP(SPARSITY_COMPRESS, ISA_DVE, "S3D3_SC", "--YY", 'd'),
    OP(SPARSITY_COMPRESS_TAG, ISA_DVE, "S2D2D2_SC", "--YY", 'd'),
    OP(RAND2, ISA_DVE, "?", "--YY", 'd'),
    OP(QUANTIZE_MX, ISA_DVE, "MXTENSOR_V2", "--YY", 'd'),
    OP(CONV_LUT_LOAD, ISA_POOL, "S2_CONVLUT", "-YYY", 'R'),
    OP(TENSOR_TENSOR_SCAN_ARITH, ISA_POOL, "?", "YYYY", 'd'),
    OP(TENSOR_SCALAR_CACHE_CUMULATIVE, ISA_POOL, "?", "YYYY", 'd'),
    OP(INDIRECT_COPY, ISA_POOL, "S4D4_IC", "YYYY", 'R'),
    OP(COPY_PREDICATED_SCALAR, ISA_POOL, "S3D3_CP_PRED_SCALAR", "YYYY", 'd'),
    OP(DVE_READ_INDICES, ISA_DVE, "?", "-YYY", 'd'),
    OP(SELECT_REDUCE, ISA_POOL, "S2-form", "YYYY", 'd'),
    OP(EXTENDED_INST, ISA_POOL, "EXTENDED", "YYYY", 'R'),
    OP(DMA_GATHER_TRANSPOSE, ISA_DMA, "DMA_GATHER_XPOSE", "-YYY", 'R'),
    OP(NONZERO_WITH_COUNT, ISA_POOL, "S3D3_NONZERO_WC", "-YYY", 'R'),
    OP(TENSOR_TENSOR_INT_WIDE, ISA_DVE, "?", "---Y", 'x'),
    OP(TENSOR_SCALAR_INT_WIDE, ISA_DVE, "?", "---Y", 'x'),
    OP(INVALID, ISA_CLASS_NONE, "-", "....", 'x'),
};

const struct isa_opcode *isa_opcode(enum isa_dialect d, unsigned op)
{
    const struct isa_opcode *row = NULL;
    if (op < 256)
        row = d == ISA_NEURON ? &neuron[op] : d == ISA_TONGA ? isa_opcode_tonga(op) : isa_opcode_sp8(op);
    return row && row->name ? row : NULL;
}

const char *isa_opcode_name(unsigned op)
{
    return op < 256 ? neuron[op].name : NULL;
}

enum isa_class isa_opcode_class(unsigned op)
{
    return op < 256 ? neuron[op].unit : ISA_CLASS_NONE;
}

bool isa_opcode_in_gen(unsigned op, unsigned gen)
{
    return op < 256 && neuron[op].name && op != OP_INVALID && gen >= ISA_GEN_FIRST && gen <= ISA_GEN_LAST &&
           neuron[op].gens[gen - ISA_GEN_FIRST] != '-';
}

const char *isa_gen_name(unsigned gen)
{
    static const char *const names[] = { "SUNDA", "CAYMAN", "MARIANA", "MAVERICK" };
    return gen >= ISA_GEN_FIRST && gen <= ISA_GEN_LAST ? names[gen - ISA_GEN_FIRST] : "?";
}

/* The control set that every engine has: 9F, A0..AB, B0..B3, B5, B8, BB. */
static bool is_control(unsigned op)
{
    return op == OP_ENGINE_NOP || (op >= OP_EVENT_SEMAPHORE && op <= OP_TENSOR_STORE) ||
           (op >= OP_EVENT_SEMAPHORE_RANGE_CLEAR && op <= OP_POLL_SEM) || op == OP_BRANCH_PREFETCH_HINT ||
           op == OP_DMAMEMCPY || op == OP_DMA_INDIRECT;
}

static bool act_accepts(unsigned op)
{
    switch (op) {
    case OP_EXPONENTIAL:
    case OP_TENSOR_SCALAR_ARITH_OP:
    case OP_TENSOR_SCALAR_PTR_ARITH_OP:
    case OP_COPY:
    case OP_CAST:
    case OP_TENSOR_SCALAR_BITVEC_OP:
    case OP_TENSOR_SCALAR_PTR_BITVEC_OP:
        return true;
    default:
        return op >= OP_ACTIVATE && op <= OP_ACTIVATE_MULTIPASS;
    }
}

static bool pool_accepts(unsigned op)
{
    return (op >= OP_TENSOR_TENSOR_ARITH_OP && op <= OP_SCALAR_TENSOR_TENSOR_BITVEC &&
            neuron[op].unit == ISA_POOL) ||
           op == OP_RAND_GET_STATE || op == OP_RAND_SET_STATE ||
           (op >= OP_DMA_TRANSPOSE && op <= OP_SB2SB_COLLECTIVE) ||
           (op >= OP_CONV_LUT_LOAD && op <= OP_SELECT_REDUCE) ||
           (op >= OP_EXTENDED_INST && op <= OP_NONZERO_WITH_COUNT);
}

static bool dve_accepts(unsigned op)
{
    switch (op) {
    case OP_POOL:
    case OP_POOL_BUFFER_LOAD:
    case OP_EMBEDDING_UPDATE:
    case OP_LOAD_POOL_ARGUMENT:
    case OP_TENSOR_DEQUANTIZE:
    case OP_CUSTOM_OP_HEADER:
    case OP_CUSTOM_OP_PAYLOAD:
    case OP_GET_SEQUENCE_BOUNDS:
    case OP_SB2SB_COLLECTIVE:
    case OP_EXTENDED_INST:
    case OP_DMA_GATHER_TRANSPOSE:
    case OP_NONZERO_WITH_COUNT:
        return false;
    default:
        return neuron[op].unit == ISA_DVE || neuron[op].unit == ISA_POOL;
    }
}

bool isa_engine_accepts(unsigned engine, unsigned op, unsigned gen)
{
    if (!isa_opcode_in_gen(op, gen))
        return false;
    if (is_control(op))
        return engine < ENG_COUNT;
    switch (engine) {
    case ENG_PE:
        return (op >= OP_LDWEIGHTS && op <= OP_MATMUL_MX) || op == OP_CONV_LUT_LOAD;
    case ENG_ACT:
        return act_accepts(op);
    case ENG_POOL:
        return pool_accepts(op);
    case ENG_DVE:
        return dve_accepts(op);
    default:
        return false;
    }
}

const char *isa_engine_name(unsigned engine)
{
    static const char *const names[ENG_COUNT] = {
        [ENG_PE] = "PE", [ENG_ACT] = "ACT", [ENG_POOL] = "POOL", [ENG_DVE] = "DVE", [ENG_SP] = "SP"
    };
    return engine < ENG_COUNT ? names[engine] : "?";
}

unsigned isa_dtype_bytes(unsigned dtype)
{
    switch (dtype) {
    case DTYPE_UINT64:
    case DTYPE_INT64:
        return 8;
    case DTYPE_INT32:
    case DTYPE_UINT32:
    case DTYPE_FP32:
    case DTYPE_FP32R:
        return 4;
    case DTYPE_INT16:
    case DTYPE_UINT16:
    case DTYPE_BFLOAT16:
    case DTYPE_FP16:
        return 2;
    case DTYPE_INT8:
    case DTYPE_UINT8:
    case DTYPE_FP8_E3M4:
    case DTYPE_FP8_E4M3:
    case DTYPE_FP8_E5M2:
    case DTYPE_FP8_E2M5:
        return 1;
    default:
        return 0;
    }
}
