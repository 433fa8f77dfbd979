/* host/isa: the opcode tables against the pages of the specification (tpb-sequencer.md §3, §6). */
#include <check.h>
#include <string.h>

#include "isa/isa.h"

/* §3.1 row by row. */
static const struct {
    uint8_t op;
    const char *name, *unit, *layout, *gens;
    char dispatch;
} page[] = {
    { 0x01, "LDWEIGHTS", "PE", "S3_LW", "YYYY", 'x' },
    { 0x02, "MATMUL", "PE", "S3D3_MM", "YYYY", 'x' },
    { 0x03, "PE_REG_WRITE", "PE", "?", "YYYY", 'x' },
    { 0x04, "WEIGHT_MASK", "PE", "?", "nnnn", 'x' },
    { 0x05, "WEIGHT_SHIFT", "PE", "?", "nnnn", 'x' },
    { 0x06, "LDTAGS", "PE", "S3_LT", "-YYY", 'x' },
    { 0x07, "MATMUL_SPARSE", "PE", "S4D3_MM", "-YYY", 'x' },
    { 0x08, "PE_MANAGE_SEED", "PE", "S2S1D2_PE_SEED", "--YY", 'x' },
    { 0x09, "LDWEIGHTS_MX", "PE", "SMX1_LW", "--YY", 'x' },
    { 0x0a, "MATMUL_MX", "PE", "SMX1D3_MM", "--YY", 'x' },
    { 0x21, "ACTIVATE", "ACT", "S3D3_AC", "YYYY", 'x' },
    { 0x22, "ACTIVATE_QUANTIZE", "ACT", "S3D3_AQ", "YYYY", 'x' },
    { 0x23, "ACTIVATION_TABLE_LOAD", "ACT", "CTRL_NO", "YYYY", 'x' },
    { 0x24, "ACTIVATION_READ_ACCUMULATOR", "ACT", "D1_RD", "YYYY", 'x' },
    { 0x25, "ACTIVATE2", "ACT", "S2D2_AC", "--YY", 'x' },
    { 0x26, "ACTIVATE_MULTIPASS", "ACT", "S1S2D2_AM", "---Y", 'x' },
    { 0x30, "EXPONENTIAL", "DVE", "S3D3_TS", "....", 'x' },
    { 0x41, "TENSOR_TENSOR_ARITH_OP", "POOL", "S3S3D3_TT", "YYYY", 'R' },
    { 0x42, "TENSOR_REDUCE_ARITH_OP", "POOL", "S4D4_TR", "YYYY", 'd' },
    { 0x43, "TENSOR_SCALAR_ARITH_OP", "POOL", "S3D3_TS", "YYYY", 'R' },
    { 0x44, "TENSOR_SCALAR_PTR_ARITH_OP", "POOL", "S3D3_TS", "nnnn", 'R' },
    { 0x45, "POOL", "POOL", "S4D4_PL", "YYYY", 'R' },
    { 0x46, "COPY", "POOL", "S4D4_TR", "YYYY", 'R' },
    { 0x47, "CAST", "POOL", "S4D4_TR", "YYYY", 'R' },
    { 0x48, "RECIPROCAL", "POOL", "S4D4_TR", "YYYY", 'd' },
    { 0x49, "MEMSET", "POOL", "?", "YYYY", 'R' },
    { 0x4a, "REG_LOAD", "POOL", "?", "nnnn", 'd' },
    { 0x4b, "REG_STORE", "POOL", "?", "nnnn", 'd' },
    { 0x4c, "REG_SHUFFLE", "POOL", "CTRL_RS", "nnnn", 'd' },
    { 0x4d, "RNG", "POOL", "?", "YYYY", 'R' },
    { 0x4e, "TENSOR_CUMULATIVE_ARITH_OP", "POOL", "S4D4_TR", "YYYY", 'd' },
    { 0x4f, "TENSOR_SCALAR_PTR_MULTI_ARITH", "POOL", "S3D3_TS", "nnnn", 'd' },
    { 0x51, "TENSOR_TENSOR_BITVEC_OP", "POOL", "S3S3D3_TT", "YYYY", 'R' },
    { 0x52, "TENSOR_REDUCE_BITVEC_OP", "POOL", "S4D4_TR", "YYYY", 'R' },
    { 0x53, "TENSOR_SCALAR_BITVEC_OP", "POOL", "S3D3_TS", "YYYY", 'R' },
    { 0x54, "TENSOR_SCALAR_PTR_BITVEC_OP", "POOL", "S3D3_TS", "nnnn", 'R' },
    { 0x58, "MAX_POOL_SELECT", "POOL", "S4D4_PL", "YYYY", 'R' },
    { 0x5e, "TENSOR_CUMULATIVE_BITVEC_OP", "POOL", "S4D4_TR", "YYYY", 'd' },
    { 0x5f, "TENSOR_SCALAR_PTR_MULTI_BITVEC", "POOL", "S3D3_TS", "nnnn", 'd' },
    { 0x60, "BATCH_NORM_STATS", "DVE", "?", "nnnn", 'd' },
    { 0x61, "BATCH_NORM_STATS2", "DVE", "?", "YYYY", 'd' },
    { 0x62, "BATCH_NORM_AGGREGATE", "DVE", "?", "YYYY", 'd' },
    { 0x63, "BATCH_NORM_GRAD_ACCUMULATE", "DVE", "?", "nnnn", 'd' },
    { 0x64, "BATCH_NORM_PARAM_LOAD", "DVE", "S2_BN", "nnnn", 'd' },
    { 0x65, "BATCH_NORM_BACK_PROP", "DVE", "S3S3D3_TT", "YYYY", 'd' },
    { 0x66, "LOAD_PARAMETER_RAM", "DVE", "?", "YYYY", 'd' },
    { 0x67, "POOL_BUFFER_LOAD", "POOL", "?", "YYYY", 'R' },
    { 0x68, "GATHER", "POOL", "S4D4_GT", "YYYY", 'R' },
    { 0x69, "LOAD_MASK_SELECT", "POOL", "?", "YYYY", 'd' },
    { 0x6a, "STREAM_SHUFFLE", "POOL", "S4D4_TR", "YYYY", 'd' },
    { 0x6b, "STREAM_TRANSPOSE", "POOL", "S4D4_TR", "YYYY", 'd' },
    { 0x6c, "MAX8", "DVE", "S4D2_BN", "YYYY", 'd' },
    { 0x6d, "MATCH_VALUE_LOAD", "DVE", "S2_BN", "YYYY", 'd' },
    { 0x6e, "FIND_INDEX8", "DVE", "S4D2_BN", "YYYY", 'd' },
    { 0x6f, "MATCH_REPLACE8", "DVE", "S4D4_MR", "YYYY", 'd' },
    { 0x70, "TENSOR_SCALAR_IMM_LD_ARITH", "POOL", "S2_BN", "nnnn", 'd' },
    { 0x71, "TENSOR_SCALAR_IMM_LD_BITVEC", "POOL", "S2_BN", "nnnn", 'd' },
    { 0x72, "COPY_PREDICATED", "POOL", "S3S3D3_TT", "YYYY", 'd' },
    { 0x73, "ROI_ALIGN", "POOL", "?", "nnnn", 'd' },
    { 0x74, "TENSOR_SCALAR_ADDR", "POOL", "S3D3_TS", "YYYY", 'R' },
    { 0x76, "RAND", "DVE", "?", "nnnn", 'd' },
    { 0x77, "RAND_GET_STATE", "DVE", "?", "YYYY", 'R' },
    { 0x78, "RAND_SET_STATE", "DVE", "?", "YYYY", 'R' },
    { 0x79, "EMBEDDING_UPDATE", "POOL", "?", "YYYY", 'R' },
    { 0x7a, "LOAD_POOL_ARGUMENT", "POOL", "?", "YYYY", 'R' },
    { 0x7b, "TENSOR_DEQUANTIZE", "POOL", "S3D3_TENS_DEQUANT", "YYYY", 'R' },
    { 0x7c, "CROSS_LANE_REDUCE_ARITH", "POOL", "S4D4_CR", "YYYY", 'R' },
    { 0x7d, "CROSS_LANE_REDUCE_BITVEC", "POOL", "S4D4_CR", "YYYY", 'R' },
    { 0x7e, "IOTA", "POOL", "D4_IOTA", "YYYY", 'R' },
    { 0x7f, "DROPOUT", "POOL/DVE", "?", "YYYY", 'd' },
    { 0x81, "JPEG_DECODE", "POOL", "?", "-nnn", 'd' },
    { 0x82, "TRANSPOSE_BATCH_NORM_STATS2", "DVE", "?", "YYYY", 'd' },
    { 0x83, "TRANSPOSE_TENSOR_REDUCE_ARITH_OP", "POOL", "S4D4_TR", "YYYY", 'd' },
    { 0x84, "TRANSPOSE_TENSOR_REDUCE_BITVEC_OP", "POOL", "S4D4_TR", "YYYY", 'd' },
    { 0x85, "CUSTOM_OP_HEADER", "POOL", "?", "YYYY", 'd' },
    { 0x86, "CUSTOM_OP_PAYLOAD", "POOL", "?", "YYYY", 'd' },
    { 0x87, "TENSOR_SCALAR_PTR_MULTI_DUAL_ARITH", "POOL", "S3D3_TS", "n---", 'd' },
    { 0x88, "TENSOR_SCALAR_PTR_MULTI_DUAL_BITVEC", "POOL", "S3D3_TS", "n---", 'd' },
    { 0x8a, "TENSOR_TENSOR_ADD_BF16", "POOL", "?", "Y---", 'd' },
    { 0x8b, "TENSOR_TENSOR_MULT_BF16", "POOL", "?", "Y---", 'd' },
    { 0x8c, "TENSOR_REDUCE_ADD_BF16", "POOL", "?", "Y---", 'd' },
    { 0x8d, "TENSOR_REDUCE_MAX_BF16", "POOL", "?", "Y---", 'd' },
    { 0x8e, "BATCH_NORM_PARAM_LOAD2", "DVE", "?", "YYYY", 'd' },
    { 0x8f, "TENSOR_TENSOR_SUB_BF16", "POOL", "?", "Y---", 'd' },
    { 0x92, "TENSOR_SCALAR_AFFINE_SELECT", "POOL", "S3D3_TS", "YYYY", 'R' },
    { 0x93, "TRANSPOSE_TENSOR_SCALAR_ARITH_OP", "POOL", "S3D3_TS", "YYYY", 'd' },
    { 0x94, "BATCH_NORM_GRAD_ACCUMULATE2", "DVE", "?", "YYYY", 'd' },
    { 0x95, "MODIFY_POOL_CONFIG", "POOL", "?", "YYYY", 'R' },
    { 0x96, "SORT", "POOL", "S1D2_SORT", "YYYY", 'R' },
    { 0x98, "TENSOR_SCALAR_SELECT", "POOL", "S3D3_TS", "YYYY", 'd' },
    { 0x99, "CAST_PREDICATED", "POOL", "S3S3D3_TT", "YYYY", 'd' },
    { 0x9a, "TENSOR_SCALAR_CACHE_REDUCE", "POOL", "?", "YYYY", 'd' },
    { 0x9b, "DVE_READ_ACCUMULATOR", "DVE", "D1_RD", "YYYY", 'd' },
    { 0x9c, "TENSOR_REDUCE_RANGE_CHECK", "POOL", "?", "nnnn", 'd' },
    { 0x9d, "SCALAR_TENSOR_TENSOR_ARITH", "POOL", "S2S2D2-form", "YYYY", 'd' },
    { 0x9e, "SCALAR_TENSOR_TENSOR_BITVEC", "POOL", "S2S2D2-form", "YYYY", 'd' },
    { 0x9f, "ENGINE_NOP", "CTRL", "?", "YYYY", 'R' },
    { 0xa0, "EVENT_SEMAPHORE", "CTRL", "CTRL_ES", "YYYY", 'R' },
    { 0xa1, "HALT", "CTRL", "CTRL_NO", "YYYY", 'R' },
    { 0xa2, "DRAIN", "CTRL", "CTRL_NO", "YYYY", 'R' },
    { 0xa3, "INSTRUCTION_FLUSH", "CTRL", "CTRL_NO", "YYYY", 'R' },
    { 0xa4, "NOP", "CTRL", "CTRL_NO", "YYYY", 'R' },
    { 0xa5, "WRITE", "CTRL", "CTRL_WR", "YYYY", 'R' },
    { 0xa6, "NOTIFY", "CTRL", "CTRL_NO", "YYYY", 'R' },
    { 0xa7, "MOVE", "CTRL", "CTRL_MV", "YYYY", 'R' },
    { 0xa8, "ALU_OP", "CTRL", "CTRL_AL", "YYYY", 'R' },
    { 0xa9, "COMPARE_BRANCH", "CTRL", "CTRL_BR", "YYYY", 'R' },
    { 0xaa, "TENSOR_LOAD", "CTRL", "MEM_2D", "YYYY", 'R' },
    { 0xab, "TENSOR_STORE", "CTRL", "MEM_2D", "YYYY", 'R' },
    { 0xb0, "EVENT_SEMAPHORE_RANGE_CLEAR", "CTRL", "CTRL_ER", "YYYY", 'R' },
    { 0xb1, "SET_ORDERING_MODE", "CTRL", "?", "YYYY", 'R' },
    { 0xb2, "MOVE_SHAPE", "CTRL", "CTRL_MS", "YYYY", 'R' },
    { 0xb3, "POLL_SEM", "CTRL", "CTRL_POLL_SEM", "YYYY", 'R' },
    { 0xb4, "TEST_EVENT_SEM", "CTRL", "CTRL_TEST_ES", "--YY", 'd' },
    { 0xb5, "BRANCH_PREFETCH_HINT", "CTRL", "BR_HINT", "YYYY", 'R' },
    { 0xb6, "COMPACT_CONTROL_INST", "CTRL", "CTRL_CCI", "---Y", 'd' },
    { 0xb8, "DMAMEMCPY", "DMA", "DMA_DIRECT2D", "YYYY", 'R' },
    { 0xb9, "DMA_MEMCPY2", "DMA", "?", "---Y", 'd' },
    { 0xba, "DMA_IMMEDIATE", "DMA", "DMA_IMMEDIATE", "---Y", 'd' },
    { 0xbb, "DMA_INDIRECT", "DMA", "DMA_INDIRECT1D", "YYYY", 'R' },
    { 0xbc, "RANGE_SELECT", "DVE", "?", "-YYY", 'd' },
    { 0xbd, "DMA_TRANSPOSE", "DMA", "DMA_DIRECT2D_XPOSE", "-YYY", 'R' },
    { 0xbe, "GET_SEQUENCE_BOUNDS", "POOL", "S3D3_SEQ_BOUNDS", "-YYY", 'R' },
    { 0xbf, "SB2SB_COLLECTIVE", "POOL", "S3D3-form", "-YYY", 'R' },
    { 0xc1, "PSEUDO_DMATRIGGER", "PSEUDO", "5.2", "YYYY", 'd' },
    { 0xc2, "PSEUDO_DMAREARM", "PSEUDO", "-", "YYYY", 'd' },
    { 0xc3, "PSEUDO_DMABARRIER", "PSEUDO", "-", "YYYY", 'd' },
    { 0xc4, "PSEUDO_DMAMEMCPY_FULL_IND", "PSEUDO", "-", "YYYY", 'd' },
    { 0xc5, "PSEUDO_SEMAPHORE_SET", "PSEUDO", "-", "YYYY", 'd' },
    { 0xc6, "PSEUDO_LOAD_ACT_FUNC_SET", "PSEUDO", "-", "YYYY", 'd' },
    { 0xc7, "PSEUDO_TRIGGER_ALL_REDUCE", "PSEUDO", "-", "YYYY", 'd' },
    { 0xc8, "PSEUDO_TRIGGER_COLLECTIVE", "PSEUDO", "5.3", "YYYY", 'd' },
    { 0xc9, "PSEUDO_READ_VAR_ADDR", "PSEUDO", "-", "YYYY", 'd' },
    { 0xca, "PSEUDO_EMBEDDING_UPDATE", "PSEUDO", "-", "YYYY", 'd' },
    { 0xcb, "PSEUDO_SEND_RECV", "PSEUDO", "-", "YYYY", 'd' },
    { 0xcc, "PSEUDO_BRANCH_LABEL", "PSEUDO", "5.5", "YYYY", 'd' },
    { 0xcd, "PSEUDO_TENSOR_STORE", "PSEUDO", "PSEUDO_MEM_2D", "YYYY", 'd' },
    { 0xce, "PSEUDO_TENSOR_LOAD", "PSEUDO", "PSEUDO_MEM_2D", "YYYY", 'd' },
    { 0xcf, "PSEUDO_DMASWAP_QUEUE_SET", "PSEUDO", "-", "YYYY", 'd' },
    { 0xd0, "PSEUDO_SET_RNG_SEED", "PSEUDO", "-", "YYYY", 'd' },
    { 0xd1, "PSEUDO_FUNCTION_BEGIN", "PSEUDO", "5.4", "YYYY", 'd' },
    { 0xd2, "PSEUDO_FUNCTION_RETURN", "PSEUDO", "5.4", "YYYY", 'd' },
    { 0xd3, "PSEUDO_FUNCTION_CALL", "PSEUDO", "5.4", "YYYY", 'd' },
    { 0xd4, "PSEUDO_DMA_DIRECT2D", "PSEUDO", "DMA_DIRECT2D", "YYYY", 'd' },
    { 0xd5, "PSEUDO_SYNC_BARRIER", "PSEUDO", "5.6", "YYYY", 'd' },
    { 0xd6, "PSEUDO_RANGE_CHECK", "PSEUDO", "-", "YYYY", 'd' },
    { 0xd7, "PSEUDO_JPEG_DECODE", "PSEUDO", "-", "-YYY", 'd' },
    { 0xd8, "PSEUDO_CORE_BARRIER", "PSEUDO", "5.6", "YYYY", 'd' },
    { 0xd9, "PSEUDO_TRIGGER_COLLECTIVE2", "PSEUDO", "-", "YYYY", 'd' },
    { 0xda, "PSEUDO_EXTENSION", "PSEUDO", "-", "YYYY", 'd' },
    { 0xdb, "PSEUDO_CUR_PROCESSING_RANK_ID", "PSEUDO", "-", "YYYY", 'd' },
    { 0xdc, "PSEUDO_GID_LOAD", "PSEUDO", "-", "YYYY", 'd' },
    { 0xdd, "PSEUDO_BRANCH_PREFETCH_HINT", "PSEUDO", "-", "YYYY", 'd' },
    { 0xde, "PSEUDO_TENSOR_COMPLETION", "PSEUDO", "-", "YYYY", 'd' },
    { 0xdf, "PSEUDO_INST", "PSEUDO", "5.4", "YYYY", 'd' },
    { 0xe0, "SPARSITY_COMPRESS", "DVE", "S3D3_SC", "--YY", 'd' },
    { 0xe1, "SPARSITY_COMPRESS_TAG", "DVE", "S2D2D2_SC", "--YY", 'd' },
    { 0xe2, "RAND2", "DVE", "?", "--YY", 'd' },
    { 0xe3, "QUANTIZE_MX", "DVE", "MXTENSOR_V2", "--YY", 'd' },
    { 0xe4, "CONV_LUT_LOAD", "POOL/PE", "S2_CONVLUT", "-YYY", 'R' },
    { 0xe5, "TENSOR_TENSOR_SCAN_ARITH", "POOL", "?", "YYYY", 'd' },
    { 0xe6, "TENSOR_SCALAR_CACHE_CUMULATIVE", "POOL", "?", "YYYY", 'd' },
    { 0xe7, "INDIRECT_COPY", "POOL", "S4D4_IC", "YYYY", 'R' },
    { 0xe8, "COPY_PREDICATED_SCALAR", "POOL", "S3D3_CP_PRED_SCALAR", "YYYY", 'd' },
    { 0xe9, "DVE_READ_INDICES", "DVE", "?", "-YYY", 'd' },
    { 0xea, "SELECT_REDUCE", "POOL", "S2-form", "YYYY", 'd' },
    { 0xf0, "EXTENDED_INST", "POOL", "EXTENDED", "YYYY", 'R' },
    { 0xf1, "DMA_GATHER_TRANSPOSE", "DMA", "DMA_GATHER_XPOSE", "-YYY", 'R' },
    { 0xf2, "NONZERO_WITH_COUNT", "POOL", "S3D3_NONZERO_WC", "-YYY", 'R' },
    { 0xf3, "TENSOR_TENSOR_INT_WIDE", "DVE/POOL", "?", "---Y", 'x' },
    { 0xf4, "TENSOR_SCALAR_INT_WIDE", "DVE/POOL", "?", "---Y", 'x' },
    { 0xff, "INVALID", "-", "-", "....", 'x' },
};
enum { ROWS = sizeof page / sizeof *page };

static const char *const units[] = { "-", "PE", "ACT", "POOL", "DVE", "CTRL", "DMA", "PSEUDO" };

START_TEST(every_row_of_the_page_is_in_the_table)
{
    const struct isa_opcode *row = isa_opcode(ISA_NEURON, page[_i].op);
    ck_assert_ptr_nonnull(row);
    ck_assert_str_eq(row->name, page[_i].name);
    ck_assert_str_eq(row->layout, page[_i].layout);
    ck_assert_str_eq(row->gens, page[_i].gens);
    ck_assert_int_eq(row->dispatch, page[_i].dispatch);
    const char *unit = units[row->unit]; /* the first of "POOL/DVE" */
    ck_assert_msg(strncmp(unit, page[_i].unit, strlen(unit)) == 0, "%s is %s, not %s", row->name, unit,
                  page[_i].unit);
    ck_assert_int_eq(isa_opcode_find(ISA_NEURON, row->name, strlen(row->name)), page[_i].op);
}
END_TEST

START_TEST(the_table_has_no_other_row)
{
    unsigned count = 0;
    for (unsigned op = 0; op < 300; op++)
        count += isa_opcode(ISA_NEURON, op) != NULL;
    ck_assert_uint_eq(count, ROWS);
    ck_assert_uint_eq(count, 172);
    ck_assert_int_eq(isa_opcode_find(ISA_NEURON, "NO", 2), -1);
    ck_assert_int_eq(isa_opcode_find(ISA_NEURON, "NOPE", 4), -1);
    ck_assert_int_eq(isa_opcode_find(ISA_NEURON, "NOP", 4), -1); /* a NUL is not part of a name */
    ck_assert_int_eq(isa_opcode_find(ISA_NEURON, "nop", 3), -1);
    ck_assert_int_eq(isa_opcode_find(ISA_NEURON, "", 0), -1);
}
END_TEST

/* The page counts 145, 150, 159 and 165 with INVALID, which is no instruction. */
START_TEST(generations_have_the_counts_of_the_page)
{
    static const unsigned counts[] = { 145, 150, 159, 165 };
    for (unsigned gen = 2; gen <= 5; gen++) {
        unsigned n = 0;
        for (unsigned op = 0; op < 300; op++)
            n += isa_opcode_in_gen(op, gen);
        ck_assert_uint_eq(n + 1, counts[gen - 2]);
    }
    ck_assert(!isa_opcode_in_gen(OP_NOP, 1) && !isa_opcode_in_gen(OP_NOP, 6) && isa_opcode_in_gen(OP_NOP, 2));
    ck_assert(!isa_opcode_in_gen(OP_INVALID, 3));
    ck_assert(isa_opcode_in_gen(0x87, 2) && !isa_opcode_in_gen(0x87, 3)); /* abandoned at V3 */
    ck_assert(!isa_opcode_in_gen(0xb4, 3) && isa_opcode_in_gen(0xb4, 4));
    ck_assert_str_eq(isa_gen_name(2), "SUNDA");
    ck_assert_str_eq(isa_gen_name(5), "MAVERICK");
    ck_assert_str_eq(isa_gen_name(6), "?");
}
END_TEST

/* §3.4: 178 slots from 0x41 to 0xf2, 55 with a handler. */
START_TEST(dispatch_table_has_55_handlers)
{
    unsigned handlers = 0;
    for (unsigned op = 0; op < 256; op++) {
        const struct isa_opcode *row = isa_opcode(ISA_NEURON, op);
        if (!row)
            continue;
        handlers += row->dispatch == 'R';
        ck_assert_int_eq(row->dispatch == 'x', op < OP_DISPATCH_FIRST || op > OP_DISPATCH_LAST);
    }
    ck_assert_uint_eq(handlers, 55);
}
END_TEST

/* The mask of §3.3 in other words: V3, one string of two-digit opcodes per engine beside the control set. */
static const char control[] = "9f a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 aa ab b0 b1 b2 b3 b5 b8 bb";
static const char pe[] = "01 02 03 04 05 06 07 e4";
static const char act[] = "21 22 23 24 30 43 44 46 47 53 54";
static const char pool[] =
    "41 42 43 44 45 46 47 48 49 4a 4b 4c 4d 4e 4f 51 52 53 54 58 5e 5f 67 68 69 6a 6b 70 71 72 73 74 79 7a "
    "7b 7c "
    "7d 7e 7f 81 83 84 85 86 92 93 95 96 98 99 9a 9c 9d 9e 77 78 bd be bf e4 e5 e6 e7 e8 e9 ea f0 f1 f2";
static const char dve[] = "30 41 42 43 44 46 47 48 49 4a 4b 4c 4d 4e 4f 51 52 53 54 58 5e 5f 60 61 62 63 64 "
                          "65 66 68 69 6a 6b 6c 6d 6e "
                          "6f 70 71 72 73 74 76 77 78 7c 7d 7e 7f 81 82 83 84 8e 92 93 94 95 96 98 99 9a 9b "
                          "9c 9d 9e bc e4 e5 e6 e7 "
                          "e8 e9 ea";

static bool lists(const char *list, unsigned op)
{
    static const char hex[] = "0123456789abcdef";
    const char word[] = { hex[op >> 4], hex[op & 15], '\0' };
    return strstr(list, word) != NULL;
}

START_TEST(engines_accept_what_the_page_lists)
{
    static const char *const own[ENG_COUNT] = { pe, act, pool, dve, "" };
    for (unsigned op = 0; op < 256; op++)
        for (unsigned e = 0; e < ENG_COUNT; e++)
            ck_assert_msg(isa_engine_accepts(e, op, 3) == (lists(control, op) || lists(own[e], op)),
                          "engine %u, opcode %02x", e, op);
    ck_assert(!isa_engine_accepts(ENG_COUNT, OP_NOP, 3));
    ck_assert(!isa_engine_accepts(ENG_PE, 0x08, 3) && isa_engine_accepts(ENG_PE, 0x08, 4));
    ck_assert(!isa_engine_accepts(ENG_ACT, 0x25, 3) && isa_engine_accepts(ENG_ACT, 0x25, 4));
    ck_assert(!isa_engine_accepts(ENG_ACT, 0x26, 4) && isa_engine_accepts(ENG_ACT, 0x26, 5));
    ck_assert(isa_engine_accepts(ENG_DVE, 0xe0, 4) && isa_engine_accepts(ENG_DVE, 0xf3, 5));
    ck_assert(!isa_engine_accepts(ENG_POOL, 0xf3, 5) && !isa_engine_accepts(ENG_POOL, 0xb4, 5));
    ck_assert(isa_engine_accepts(ENG_POOL, 0x87, 2) && !isa_engine_accepts(ENG_POOL, 0x87, 3));
}
END_TEST

START_TEST(other_dialects)
{
    unsigned tonga = 0, sp8 = 0;
    for (unsigned d = ISA_TONGA; d <= ISA_SP8; d++)
        for (unsigned op = 0; op < 256; op++) {
            const struct isa_opcode *row = isa_opcode((enum isa_dialect)d, op);
            if (row)
                ck_assert_int_eq(isa_opcode_find((enum isa_dialect)d, row->name, strlen(row->name)), (int)op);
        }
    for (unsigned op = 0; op < 300; op++) {
        tonga += isa_opcode(ISA_TONGA, op) != NULL;
        sp8 += isa_opcode(ISA_SP8, op) != NULL;
    }
    /* PE 2, ACT 2, POOL 13 + 5 twins + 1 (4E) , ALL 7, RT 8, SIM 5, INVALID */
    ck_assert_uint_eq(tonga, 2 + 2 + 19 + 7 + 8 + 5 + 1);
    ck_assert_uint_eq(sp8, 16);
    static const struct {
        enum isa_dialect d;
        unsigned op;
        const char *name;
        enum isa_class unit;
    } rows[] = { { ISA_TONGA, 0x02, "MATMUL", ISA_PE },
                 { ISA_TONGA, 0x22, "ACTIVATE_QUANTIZE", ISA_ACT },
                 { ISA_TONGA, 0x4d, "RNG", ISA_POOL },
                 { ISA_TONGA, 0x5e, "TENSOR_CUMULATIVE_BITVEC_OP", ISA_POOL },
                 { ISA_TONGA, 0x61, "EVENT_WAIT", ISA_CTRL },
                 { ISA_TONGA, 0x65, "SEMAPHORE_TEST_AND_SET", ISA_CTRL },
                 { ISA_TONGA, 0x6a, "NOTIFY", ISA_CTRL },
                 { ISA_TONGA, 0xc8, "READ_VAR_ADDR", ISA_PSEUDO }, /* NEURON has it at C9 */
                 { ISA_TONGA, 0xee, "RDNPY", ISA_SIM },
                 { ISA_SP8, 0x04, "WRITE8_IND", ISA_CTRL },
                 { ISA_SP8, 0x25, "WAIT_EVENT_SET_M", ISA_CTRL },
                 { ISA_SP8, 0x39, "BRANCH_C_CNTR_NZ", ISA_CTRL },
                 { ISA_SP8, 0x60, "SET_AR", ISA_CTRL } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct isa_opcode *row = isa_opcode(rows[i].d, rows[i].op);
        ck_assert_ptr_nonnull(row);
        ck_assert_str_eq(row->name, rows[i].name);
        ck_assert_int_eq(row->unit, rows[i].unit);
        ck_assert_int_eq(isa_opcode_find(rows[i].d, row->name, strlen(row->name)), (int)rows[i].op);
    }
    ck_assert_ptr_null(isa_opcode(ISA_TONGA, 0xa0));
    ck_assert_ptr_null(isa_opcode(ISA_SP8, 0x84)); /* a set phase bit */
    ck_assert_int_eq(isa_opcode_find(ISA_SP8, "NOP", 3), -1);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("opcode");
    TCase *tc = tcase_create("tables");
    tcase_add_loop_test(tc, every_row_of_the_page_is_in_the_table, 0, ROWS);
    tcase_add_test(tc, the_table_has_no_other_row);
    tcase_add_test(tc, generations_have_the_counts_of_the_page);
    tcase_add_test(tc, dispatch_table_has_55_handlers);
    tcase_add_test(tc, engines_accept_what_the_page_lists);
    tcase_add_test(tc, other_dialects);
    suite_add_tcase(s, tc);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? 1 : 0;
}
