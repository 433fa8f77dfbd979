/* The opcodes of the two other dialects: TONGA, V1 (tpb-sequencer.md §3.2), and the 8-byte SP set (§6). */
#include "isa/isa.h"

#define TOP(name, unit) [TOP_##name] = { #name, "-", unit, "----", 'x' }
#define SP8OP(name)     [SP8OP_##name] = { #name, "6", ISA_CTRL, "----", 'x' }

static const struct isa_opcode tonga[256] = {
    TOP(LDWEIGHTS, ISA_PE),
    TOP(MATMUL, ISA_PE),
    TOP(ACTIVATE, ISA_ACT),
    TOP(ACTIVATE_QUANTIZE, ISA_ACT),
    TOP(TENSOR_TENSOR_ARITH_OP, ISA_POOL),
    TOP(TENSOR_REDUCE_ARITH_OP, ISA_POOL),
    TOP(TENSOR_SCALAR_ARITH_OP, ISA_POOL),
    TOP(TENSOR_SCALAR_PTR_ARITH_OP, ISA_POOL),
    TOP(POOL, ISA_POOL),
    TOP(COPY, ISA_POOL),
    TOP(CAST, ISA_POOL),
    TOP(RECIPROCAL, ISA_POOL),
    TOP(MEMSET, ISA_POOL),
    TOP(REG_LOAD, ISA_POOL),
    TOP(REG_STORE, ISA_POOL),
    TOP(REG_SHUFFLE, ISA_POOL),
    TOP(RNG, ISA_POOL),
    TOP(TENSOR_CUMULATIVE_ARITH_OP, ISA_POOL),
    TOP(TENSOR_TENSOR_BITVEC_OP, ISA_POOL),
    TOP(TENSOR_REDUCE_BITVEC_OP, ISA_POOL),
    TOP(TENSOR_SCALAR_BITVEC_OP, ISA_POOL),
    TOP(TENSOR_SCALAR_PTR_BITVEC_OP, ISA_POOL),
    TOP(TENSOR_CUMULATIVE_BITVEC_OP, ISA_POOL),
    TOP(EVENT_WAIT, ISA_CTRL),
    TOP(EVENT_SET, ISA_CTRL),
    TOP(EVENT_CLEAR, ISA_CTRL),
    TOP(SEMAPHORE_TEST_AND_SET, ISA_CTRL),
    TOP(NOP, ISA_CTRL),
    TOP(WRITE, ISA_CTRL),
    TOP(NOTIFY, ISA_CTRL),
    TOP(DMA_TRIGGER, ISA_PSEUDO),
    TOP(DMA_REARM, ISA_PSEUDO),
    TOP(DMA_BARRIER, ISA_PSEUDO),
    TOP(DMA_MEMCPY, ISA_PSEUDO),
    TOP(SEMAPHORE_SET, ISA_PSEUDO),
    TOP(LOAD_ACT_FUNC_SET, ISA_PSEUDO),
    TOP(SET_TRANSFER_ADJUST, ISA_PSEUDO),
    TOP(READ_VAR_ADDR, ISA_PSEUDO),
    TOP(DMA_COPY, ISA_SIM),
    TOP(WRFILE, ISA_SIM),
    TOP(WRNPY, ISA_SIM),
    TOP(RDNPY, ISA_SIM),
    TOP(MEMCPY, ISA_SIM),
    TOP(INVALID, ISA_CLASS_NONE),
};

/* By the whole first byte: a set phase bit names no instruction. */
static const struct isa_opcode sp8[256] = {
    SP8OP(WRITE8_IND),         SP8OP(WRITE32_IND),     SP8OP(WRITE8_DIR),       SP8OP(NOTIFY_HALT),
    SP8OP(WAIT_CYCLES),        SP8OP(WAIT_EVENT_SET),  SP8OP(WAIT_EVENT_SET_M), SP8OP(BRANCH_U),
    SP8OP(BRANCH_C_EVENT_SET), SP8OP(BRANCH_C_CNTR_Z), SP8OP(BRANCH_C_CNTR_NZ), SP8OP(SET_CNTR),
    SP8OP(DECR_CNTR),          SP8OP(CLR_ALL_EVENTS),  SP8OP(CLR_EVENT),        SP8OP(SET_AR),
};

const struct isa_opcode *isa_opcode_tonga(unsigned op)
{
    return op < 256 && tonga[op].name ? &tonga[op] : NULL;
}

const struct isa_opcode *isa_opcode_sp8(unsigned op)
{
    return op < 256 && sp8[op].name ? &sp8[op] : NULL;
}
