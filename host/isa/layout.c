/*
 * Decode and encode of the slots that the loader reads and builds, by one table: where a field lies in the 64
 * bytes and where in struct inst. What the other bytes of any slot are is in the operand tables (operand.h).
 */
#include <stddef.h>
#include <string.h>

#include "isa/isa.h"

struct isa_field {
    uint8_t off, width, count; /* bytes from the slot start, bytes of one element, elements */
    uint16_t member;           /* offset in struct inst; elements are stored with the same width */
};

struct isa_layout {
    uint8_t opcode;
    const struct isa_field *fields;
    size_t nfields;
};

#define AT(layout, word, where, n)                                                                           \
    {                                                                                                        \
        .off = layout##_##word##_OFF, .width = layout##_##word##_BYTES / (n), .count = (n),                  \
        .member = offsetof(struct inst, where)                                                               \
    }
#define ONE(layout, word, where) AT(layout, word, where, 1)
#define COUNT(a)                 (sizeof(a) / sizeof *(a))

static const struct isa_field header[] = {
    ONE(SLOT_HDR, OPCODE, opcode),
    ONE(SLOT_HDR, WORD_LEN, word_len),
    ONE(SLOT_HDR, DEBUG_CMD, debug_cmd),
    ONE(SLOT_HDR, DEBUG_HINT, debug_hint),
    ONE(SLOT_HDR, WAIT_MODE, wait_mode),
    ONE(SLOT_HDR, WAIT_IDX, wait_idx),
    ONE(SLOT_HDR, UPDATE_MODE, update_mode),
    ONE(SLOT_HDR, UPDATE_IDX, update_idx),
    ONE(SLOT_HDR, VALUE, value),
};

static const struct isa_field es[] = {
    ONE(SLOT_ES, SIGNATURE, u.es.signature),       ONE(SLOT_ES, WAIT_MODE, u.es.wait_mode),
    ONE(SLOT_ES, WAIT_IDX, u.es.wait_idx),         ONE(SLOT_ES, UPDATE_MODE, u.es.update_mode),
    ONE(SLOT_ES, UPDATE_IDX, u.es.update_idx),     ONE(SLOT_ES, WAIT_VALUE, u.es.wait_value),
    ONE(SLOT_ES, UPDATE_VALUE, u.es.update_value),
};
static const struct isa_field drain[] = { ONE(SLOT_DRAIN, COUNT, u.drain.count) };
static const struct isa_field write_[] = {
    ONE(SLOT_WRITE, WR_SIZE, u.write.size),
    ONE(SLOT_WRITE, ADDR, u.write.addr),
    ONE(SLOT_WRITE, VALUE, u.write.value),
};
static const struct isa_field notify[] = {
    ONE(SLOT_NOTIFY, FLAGS, u.notify.flags),
    ONE(SLOT_NOTIFY, HINT_EXT, u.notify.hint_ext),
};
static const struct isa_field move[] = {
    ONE(SLOT_MOVE, NUM_MOV, u.move.num),           ONE(SLOT_MOVE, DTYPE, u.move.dtype),
    ONE(SLOT_MOVE, SOURCE, u.move.source),         AT(SLOT_MOVE, SRC, u.move.src, SLOT_MOVE_MAX),
    AT(SLOT_MOVE, DST, u.move.dst, SLOT_MOVE_MAX), AT(SLOT_MOVE, IMM, u.move.imm, SLOT_MOVE_MAX),
};
static const struct isa_field alu[] = {
    ONE(SLOT_ALU, OP, u.alu.op),
    ONE(SLOT_ALU, DTYPE, u.alu.dtype),
    ONE(SLOT_ALU, SRC1_SRC, u.alu.src1_source),
    ONE(SLOT_ALU, DST_DTYPE, u.alu.dst_dtype),
    ONE(SLOT_ALU, SRC0_LO, u.alu.src0_lo),
    ONE(SLOT_ALU, SRC0_HI, u.alu.src0_hi),
    ONE(SLOT_ALU, SRC1_LO, u.alu.src1_lo),
    ONE(SLOT_ALU, SRC1_HI, u.alu.src1_hi),
    ONE(SLOT_ALU, DST_LO, u.alu.dst_lo),
    ONE(SLOT_ALU, DST_HI, u.alu.dst_hi),
    ONE(SLOT_ALU, IMM, u.alu.imm),
};
static const struct isa_field br[] = {
    ONE(SLOT_BR, CMP_OP, u.br.cmp_op),
    ONE(SLOT_BR, DTYPE, u.br.dtype),
    ONE(SLOT_BR, TARGET_MODE, u.br.target_mode),
    ONE(SLOT_BR, CMP_IMM, u.br.cmp_imm),
    ONE(SLOT_BR, CMP_REG0, u.br.cmp_reg0),
    ONE(SLOT_BR, CMP_REG1, u.br.cmp_reg1),
    ONE(SLOT_BR, TARGET_LO, u.br.target_lo),
    ONE(SLOT_BR, TARGET_HI, u.br.target_hi),
    ONE(SLOT_BR, DISP, u.br.disp),
};
static const struct isa_field mem[] = {
    ONE(SLOT_MEM, DTYPE, u.mem.dtype),           ONE(SLOT_MEM, NUM_ELEM0, u.mem.num_elem[0]),
    ONE(SLOT_MEM, NUM_ELEM1, u.mem.num_elem[1]), ONE(SLOT_MEM, ADDR, u.mem.addr),
    ONE(SLOT_MEM, STEP0, u.mem.step[0]),         ONE(SLOT_MEM, STEP1, u.mem.step[1]),
    ONE(SLOT_MEM, DATA_LO, u.mem.data_lo),       ONE(SLOT_MEM, DATA_HI, u.mem.data_hi),
};
static const struct isa_field range[] = {
    ONE(SLOT_RANGE, MODE, u.range.mode),
    ONE(SLOT_RANGE, FIRST, u.range.first),
    ONE(SLOT_RANGE, LAST, u.range.last),
    AT(SLOT_RANGE, MASK, u.range.mask, SLOT_RANGE_MASK_BYTES),
};
static const struct isa_field order[] = { ONE(SLOT_ORDER, MODE, u.order.mode) };
static const struct isa_field poll[] = {
    ONE(SLOT_POLL, N_READ, u.poll.n_read),
    ONE(SLOT_POLL, RESULT, u.poll.result),
    ONE(SLOT_POLL, OP, u.poll.op),
    ONE(SLOT_POLL, ADDR, u.poll.addr),
    ONE(SLOT_POLL, WRITEBACK, u.poll.writeback),
};
static const struct isa_field hint[] = {
    ONE(SLOT_HINT, DECISION, u.hint.decision),
    ONE(SLOT_HINT, MODE, u.hint.mode),
    ONE(SLOT_HINT, BRANCH_DISP, u.hint.branch_disp),
    ONE(SLOT_HINT, TARGET_DISP, u.hint.target_disp),
};
static const struct isa_field dmatrig[] = {
    AT(SLOT_DMATRIG, QUEUE, u.dmatrig.queue, SLOT_DMATRIG_QUEUE_BYTES),
    ONE(SLOT_DMATRIG, USE_RAW, u.dmatrig.use_raw),
    ONE(SLOT_DMATRIG, BLOCK, u.dmatrig.block),
};
static const struct isa_field cc[] = {
    /* RESERVED is left out: it is reserved */
    ONE(SLOT_CC, OP, u.cc.op),
    ONE(SLOT_CC, DTYPE, u.cc.dtype),
    ONE(SLOT_CC, GROUP, u.cc.group),
    ONE(SLOT_CC, INPUT, u.cc.input),
    ONE(SLOT_CC, OUTPUT, u.cc.output),
    ONE(SLOT_CC, NUM_ELEM, u.cc.num_elem),
    ONE(SLOT_CC, CTYPE, u.cc.ctype),
    ONE(SLOT_CC, SRC_OFFSET, u.cc.src_offset),
    ONE(SLOT_CC, DST_OFFSET, u.cc.dst_offset),
};
static const struct isa_field label[] = { ONE(SLOT_LABEL, ID, u.label.id) };
static const struct isa_field func[] = {
    AT(SLOT_FUNC, NAME, u.func.name, SLOT_FUNC_NAME_BYTES),
    ONE(SLOT_FUNC, RESET_SEMS, u.func.reset_sems),
    ONE(SLOT_FUNC, RET_LO, u.func.ret_lo),
    ONE(SLOT_FUNC, RET_HI, u.func.ret_hi),
};
static const struct isa_field call[] = {
    AT(SLOT_CALL, NAME, u.call.name, SLOT_CALL_NAME_BYTES),
    ONE(SLOT_CALL, ARGS, u.call.args),
};
static const struct isa_field corebar[] = {
    ONE(SLOT_COREBAR, ID, u.corebar.id),
    ONE(SLOT_COREBAR, SEMAPHORE, u.corebar.semaphore),
};
static const struct isa_field pseudo[] = { ONE(SLOT_PSEUDO, SUBOP, u.pseudo.subop) };

#define LAYOUT(op, fields)                                                                                   \
    {                                                                                                        \
        OP_##op, fields, COUNT(fields)                                                                       \
    }

static const struct isa_layout layouts[] = {
    LAYOUT(EVENT_SEMAPHORE, es),
    LAYOUT(DRAIN, drain),
    LAYOUT(WRITE, write_),
    LAYOUT(NOTIFY, notify),
    LAYOUT(MOVE, move),
    LAYOUT(ALU_OP, alu),
    LAYOUT(COMPARE_BRANCH, br),
    LAYOUT(TENSOR_LOAD, mem),
    LAYOUT(TENSOR_STORE, mem),
    LAYOUT(EVENT_SEMAPHORE_RANGE_CLEAR, range),
    LAYOUT(SET_ORDERING_MODE, order),
    LAYOUT(POLL_SEM, poll),
    LAYOUT(BRANCH_PREFETCH_HINT, hint),
    LAYOUT(PSEUDO_DMATRIGGER, dmatrig),
    LAYOUT(PSEUDO_TRIGGER_COLLECTIVE, cc),
    LAYOUT(PSEUDO_BRANCH_LABEL, label),
    LAYOUT(PSEUDO_FUNCTION_BEGIN, func),
    LAYOUT(PSEUDO_FUNCTION_CALL, call),
    LAYOUT(PSEUDO_CORE_BARRIER, corebar),
    LAYOUT(PSEUDO_INST, pseudo),
};

/* NULL when struct inst has no member for the operands of this opcode. */
static const struct isa_layout *find_layout(unsigned opcode)
{
    for (size_t i = 0; i < COUNT(layouts); i++)
        if (layouts[i].opcode == opcode)
            return &layouts[i];
    return NULL;
}

/* Little-endian bytes <-> one element of struct inst, independent of the host's byte order. */
static void load(const uint8_t *bytes, unsigned width, uint8_t *element)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < width; i++)
        v |= (uint64_t)bytes[i] << (8 * i);
    uint16_t v2 = (uint16_t)v;
    uint32_t v4 = (uint32_t)v;
    switch (width) {
    case 1:
        *element = bytes[0];
        break;
    case 2:
        memcpy(element, &v2, sizeof v2);
        break;
    case 4:
        memcpy(element, &v4, sizeof v4);
        break;
    default:
        memcpy(element, &v, sizeof v);
        break;
    }
}

static void store(uint8_t *bytes, unsigned width, const uint8_t *element)
{
    uint64_t v = 0;
    uint16_t v2;
    uint32_t v4;
    switch (width) {
    case 1:
        v = *element;
        break;
    case 2:
        memcpy(&v2, element, sizeof v2);
        v = v2;
        break;
    case 4:
        memcpy(&v4, element, sizeof v4);
        v = v4;
        break;
    default:
        memcpy(&v, element, sizeof v);
        break;
    }
    for (unsigned i = 0; i < width; i++)
        bytes[i] = (uint8_t)(v >> (8 * i));
}

static void decode_fields(const uint8_t *slot, const struct isa_field *f, size_t n, struct inst *in)
{
    for (; n; n--, f++)
        for (unsigned i = 0; i < f->count; i++)
            load(slot + f->off + i * f->width, f->width, (uint8_t *)in + f->member + i * f->width);
}

static void encode_fields(const struct inst *in, const struct isa_field *f, size_t n, uint8_t *slot)
{
    for (; n; n--, f++)
        for (unsigned i = 0; i < f->count; i++)
            store(slot + f->off + i * f->width, f->width, (const uint8_t *)in + f->member + i * f->width);
}

void isa_decode(const uint8_t slot[SLOT_BYTES], struct inst *in)
{
    memset(in, 0, sizeof *in);
    decode_fields(slot, header, COUNT(header), in);
    const struct isa_layout *l = find_layout(in->opcode);
    if (l)
        decode_fields(slot, l->fields, l->nfields, in);
}

void isa_encode(const struct inst *in, uint8_t slot[SLOT_BYTES])
{
    memset(slot, 0, SLOT_BYTES);
    encode_fields(in, header, COUNT(header), slot);
    const struct isa_layout *l = find_layout(in->opcode);
    if (l)
        encode_fields(in, l->fields, l->nfields, slot);
}

struct inst isa_inst(unsigned opcode)
{
    struct inst in;
    memset(&in, 0, sizeof in);
    in.opcode = (uint8_t)opcode;
    in.word_len = SLOT_WORDS;
    return in;
}
