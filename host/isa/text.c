/*
 * One line of text per slot, in the style of the fixture's .asm members (fixture-allreduce.md §6.7):
 * mnemonic, wait, update, operands, ';'. For reports; there is no promise that an assembler reads every line
 * back.
 */
#include "isa/layout.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct line {
    char *buf;
    size_t size, used;
};

__attribute__((format(printf, 2, 3))) static void add(struct line *l, const char *fmt, ...)
{
    if (l->used + 1 >= l->size)
        return;
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(l->buf + l->used, l->size - l->used, fmt, ap);
    va_end(ap);
    if (n > 0)
        l->used += (size_t)n < l->size - l->used ? (size_t)n : l->size - l->used - 1;
}

static void add_reg(struct line *l, unsigned reg)
{
    if (reg == REG_PC_LO)
        add(l, "PC.lo");
    else if (reg == REG_PC_HI)
        add(l, "PC.hi");
    else
        add(l, "R%u", reg);
}

static void add_operand(struct line *l, bool reg, uint32_t value)
{
    if (reg)
        add_reg(l, value);
    else
        add(l, "%" PRIu32, value);
}

static void add_wait(struct line *l, unsigned mode, unsigned idx, uint32_t value)
{
    static const char *const compare[] = { [WAIT_SEM_EQ_IMM] = "==",
                                           [WAIT_SEM_LT_IMM] = "<",
                                           [WAIT_SEM_LE_IMM] = "<=",
                                           [WAIT_SEM_GT_IMM] = ">",
                                           [WAIT_SEM_GE_IMM] = ">=" };
    unsigned imm = mode & ~WAIT_REG_BIT;
    if (mode == WAIT_NONE)
        return;
    if (!isa_wait_mode_legal(mode))
        add(l, " $wait?0x%02x", mode);
    else if (mode == WAIT_UNORDERED)
        add(l, " $unordered");
    else if (mode == WAIT_EVT_SET || mode == WAIT_EVT_CLEAR)
        add(l, " $E[%u]==%d", idx, mode == WAIT_EVT_SET);
    else if (mode == WAIT_EVT_SET_THEN_CLEAR || mode == WAIT_EVT_CLEAR_THEN_SET)
        add(l, " $E[%u]==%d,=%d", idx, mode == WAIT_EVT_SET_THEN_CLEAR, mode == WAIT_EVT_CLEAR_THEN_SET);
    else {
        add(l, " $S[%u]%s", idx, compare[imm]);
        add_operand(l, (mode & WAIT_REG_BIT) != 0, value);
    }
}

static void add_update(struct line *l, unsigned mode, unsigned idx, uint32_t value)
{
    if (mode == UPD_NONE)
        return;
    if (!isa_update_mode_legal(mode)) {
        add(l, " $update?0x%02x", mode);
        return;
    }
    const char *when = mode & UPD_COMPLETE_BIT ? "complete" : "read";
    bool reg = (mode & UPD_REG_BIT) != 0;
    switch ((mode & ~UPD_REG_BIT) | UPD_COMPLETE_BIT) {
    case UPD_EVT_SET_COMPLETE:
        add(l, " $E[%u]=1", idx);
        break;
    case UPD_EVT_CLR_COMPLETE:
        add(l, " $E[%u]=0", idx);
        break;
    case UPD_SEM_INC_COMPLETE:
        add(l, " $S[%u]++", idx);
        break;
    case UPD_SEM_DEC_COMPLETE:
        add(l, " $S[%u]--", idx);
        break;
    case UPD_SEM_ADD_IMM_COMPLETE:
        add(l, " $S[%u]+=", idx);
        add_operand(l, reg, value);
        break;
    case UPD_SEM_SUB_IMM_COMPLETE:
        add(l, " $S[%u]-=", idx);
        add_operand(l, reg, value);
        break;
    default:
        add(l, " $S[%u]=", idx);
        add_operand(l, reg, value);
        break;
    }
    add(l, "@%s", when);
}

static void add_dtype(struct line *l, unsigned dtype)
{
    static const char *const names[] = {
        [DTYPE_UINT64] = "uint64", [DTYPE_INT8] = "int8",     [DTYPE_UINT8] = "uint8",
        [DTYPE_INT16] = "int16",   [DTYPE_UINT16] = "uint16", [DTYPE_BFLOAT16] = "bf16",
        [DTYPE_FP16] = "fp16",     [DTYPE_INT32] = "int32",   [DTYPE_UINT32] = "uint32",
        [DTYPE_FP32] = "fp32",     [DTYPE_FP32R] = "fp32r",   [DTYPE_INT64] = "int64"
    };
    if (dtype < sizeof names / sizeof *names && names[dtype])
        add(l, "%s", names[dtype]);
    else
        add(l, "dtype0x%02x", dtype);
}

static const char *alu_name(unsigned op)
{
    static const char *const names[] = { [ALU_BYPASS] = "BYPASS",
                                         [ALU_NOT] = "NOT",
                                         [ALU_SHL_ARITH] = "SHL_ARITH",
                                         [ALU_SHR_ARITH] = "SHR_ARITH",
                                         [ALU_ADD] = "ADD",
                                         [ALU_SUB] = "SUB",
                                         [ALU_MULT] = "MULT",
                                         [ALU_DIVIDE] = "DIVIDE",
                                         [ALU_MAX] = "MAX",
                                         [ALU_MIN] = "MIN",
                                         [ALU_AND] = "AND",
                                         [ALU_OR] = "OR",
                                         [ALU_XOR] = "XOR",
                                         [ALU_LOGICAL_AND] = "LOGICAL_AND",
                                         [ALU_LOGICAL_OR] = "LOGICAL_OR",
                                         [ALU_LOGICAL_XOR] = "LOGICAL_XOR",
                                         [ALU_SHL] = "SHL",
                                         [ALU_SHR] = "SHR",
                                         [ALU_EQ] = "EQ",
                                         [ALU_GT] = "GT",
                                         [ALU_GE] = "GE",
                                         [ALU_LE] = "LE",
                                         [ALU_LT] = "LT",
                                         [ALU_ABSDIFF] = "ABSDIFF",
                                         [ALU_NE] = "NE",
                                         [ALU_ABS] = "ABS",
                                         [ALU_POW] = "POW",
                                         [ALU_MOD] = "MOD",
                                         [ALU_CRC32] = "CRC32",
                                         [ALU_RSQRT] = "RSQRT" };
    return op < sizeof names / sizeof *names ? names[op] : NULL;
}

static void add_alu_op(struct line *l, unsigned op)
{
    const char *name = alu_name(op);
    if (name)
        add(l, "%s", name);
    else
        add(l, "op0x%02x", op);
}

static void add_addr(struct line *l, uint64_t addr)
{
    unsigned marker = (unsigned)(addr >> ADDR8_IMM_WORD_MARKER_LSB);
    if ((marker & ADDR8_MARKER_MASK) == ADDR8_IMM)
        add(l, "[0x%" PRIx64 "]", addr & ADDR8_IMM_WORD_ADDR_MASK);
    else if (marker == ADDR8_REG)
        add(l, "[{R%u,R%u}]", (unsigned)addr & 0xff, (unsigned)(addr >> 8) & 0xff);
    else
        add(l, "[addr8 0x%016" PRIx64 "]", addr);
}

static void add_move(struct line *l, const struct inst *in)
{
    unsigned n = in->u.move.num <= SLOT_MOVE_MAX ? in->u.move.num : SLOT_MOVE_MAX;
    for (unsigned i = 0; i < n; i++) {
        add(l, "%s", i ? ", " : " ");
        add_reg(l, in->u.move.dst[i]);
        add(l, "=");
        if (in->u.move.source == SRC_REG)
            add_reg(l, in->u.move.src[i]);
        else
            add(l, "0x%" PRIx32, in->u.move.imm[i]);
    }
}

static void add_alu(struct line *l, const struct inst *in)
{
    add(l, " ");
    add_reg(l, in->u.alu.dst_lo);
    add(l, "=");
    add_reg(l, in->u.alu.src0_lo);
    add(l, " ");
    add_alu_op(l, in->u.alu.op);
    add(l, " ");
    if (in->u.alu.src1_source == SRC_IMM)
        add(l, "%" PRIu64, in->u.alu.imm);
    else
        add_reg(l, in->u.alu.src1_lo);
    add(l, " dtype=");
    add_dtype(l, in->u.alu.dtype);
}

static void add_branch(struct line *l, const struct inst *in)
{
    static const char *const compare[] = { "", "<", "<=", "==", "!=", ">=", ">" };
    unsigned op = in->u.br.cmp_op;
    if (op == CMP_ALWAYS)
        add(l, " always");
    else if (op <= CMP_GT_IMM || (op >= CMP_LT_REG && op <= CMP_GT_REG)) {
        add(l, " if ");
        add_reg(l, in->u.br.cmp_reg0);
        add(l, "%s", compare[op <= CMP_GT_IMM ? op : op - CMP_LT_REG + CMP_LT_IMM]);
        if (op <= CMP_GT_IMM)
            add(l, "%" PRId32, (int32_t)in->u.br.cmp_imm);
        else
            add_reg(l, in->u.br.cmp_reg1);
    } else
        add(l, " cmp_op=%u", op);
    if (in->u.br.target_mode == BR_REG)
        add(l, " -> {R%u,R%u}", in->u.br.target_lo, in->u.br.target_hi);
    else if (in->u.br.target_mode == BR_REL_IMM)
        add(l, " -> %+" PRId32, (int32_t)(uint32_t)in->u.br.disp);
    else if (in->u.br.target_mode == BR_REL_REG)
        add(l, " -> +R%u", in->u.br.target_lo);
    else
        add(l, " target_mode=%u", in->u.br.target_mode);
}

static void add_range(struct line *l, const struct inst *in)
{
    if (in->u.range.mode == RANGE_RANGE) {
        add(l, " $S[%u..%u]=0", in->u.range.first, in->u.range.last);
        return;
    }
    if (in->u.range.mode != RANGE_MASK) {
        add(l, " mode=%u", in->u.range.mode);
        return;
    }
    for (unsigned i = 0; i < SEM_COUNT; i++)
        if (in->u.range.mask[i / 8] >> (i % 8) & 1)
            add(l, " $S[%u]=0", i);
}

static void add_collective(struct line *l, const struct inst *in)
{
    if (in->u.cc.ctype == CCTYPE_ALL_REDUCE)
        add(l, " ctype=ALL_REDUCE");
    else
        add(l, " ctype=%u", in->u.cc.ctype);
    add(l, " input_tensor_id=%" PRIu32 " output_tensor_id=%" PRIu32 " num_elements=%" PRIu64 " dtype=",
        in->u.cc.input, in->u.cc.output, in->u.cc.num_elem);
    add_dtype(l, in->u.cc.dtype);
    add(l, " op=");
    add_alu_op(l, in->u.cc.op);
    add(l, " group_id=%u", in->u.cc.group);
    if (in->u.cc.src_offset || in->u.cc.dst_offset)
        add(l, " src_offset=%" PRIu64 " dst_offset=%" PRIu64, in->u.cc.src_offset, in->u.cc.dst_offset);
}

static void add_operands(struct line *l, const struct inst *in)
{
    switch (in->opcode) {
    case OP_EVENT_SEMAPHORE:
        add_wait(l, in->u.es.wait_mode, in->u.es.wait_idx, in->u.es.wait_value);
        add_update(l, in->u.es.update_mode, in->u.es.update_idx, in->u.es.update_value);
        break;
    case OP_DRAIN:
        add(l, " count=%u", in->u.drain.count);
        break;
    case OP_WRITE:
        add(l, " ");
        add_addr(l, in->u.write.addr);
        add(l, "=0x%" PRIx64 " size=%u", in->u.write.value, in->u.write.size);
        break;
    case OP_NOTIFY:
        add(l, " hint=%u", in->debug_hint & SLOT_HDR_DEBUG_HINT_NIBBLE_MASK);
        if (in->u.notify.flags)
            add(l, " flags=%u", in->u.notify.flags);
        if (in->u.notify.hint_ext)
            add(l, " ext=0x%x", in->u.notify.hint_ext);
        break;
    case OP_MOVE:
        add_move(l, in);
        break;
    case OP_ALU_OP:
        add_alu(l, in);
        break;
    case OP_COMPARE_BRANCH:
        add_branch(l, in);
        break;
    case OP_TENSOR_LOAD:
        add(l, " R%u=", in->u.mem.data_lo);
        add_addr(l, in->u.mem.addr);
        add(l, " num=%u,%u dtype=", in->u.mem.num_elem[0], in->u.mem.num_elem[1]);
        add_dtype(l, in->u.mem.dtype);
        break;
    case OP_TENSOR_STORE:
        add(l, " ");
        add_addr(l, in->u.mem.addr);
        add(l, "=R%u num=%u,%u dtype=", in->u.mem.data_lo, in->u.mem.num_elem[0], in->u.mem.num_elem[1]);
        add_dtype(l, in->u.mem.dtype);
        break;
    case OP_EVENT_SEMAPHORE_RANGE_CLEAR:
        add_range(l, in);
        break;
    case OP_SET_ORDERING_MODE:
        add(l, " mode=%u", in->u.order.mode);
        break;
    case OP_POLL_SEM:
        add(l, " R%u=", in->u.poll.result);
        add_alu_op(l, in->u.poll.op);
        add(l, " [0x%" PRIx64 "] n=%u writeback=0x%" PRIx64, in->u.poll.addr, in->u.poll.n_read,
            in->u.poll.writeback);
        break;
    case OP_BRANCH_PREFETCH_HINT:
        add(l, " decision=%u branch=%+" PRId64 " target=%+" PRId64, in->u.hint.decision,
            (int64_t)in->u.hint.branch_disp, (int64_t)in->u.hint.target_disp);
        break;
    case OP_PSEUDO_DMATRIGGER:
        add(l, " %.*s %s=%" PRIu32, (int)sizeof in->u.dmatrig.queue, in->u.dmatrig.queue,
            in->u.dmatrig.use_raw ? "count" : "block_id", in->u.dmatrig.block);
        break;
    case OP_PSEUDO_TRIGGER_COLLECTIVE:
        add_collective(l, in);
        break;
    case OP_PSEUDO_BRANCH_LABEL:
        add(l, " id=%" PRIu32, in->u.label.id);
        break;
    case OP_PSEUDO_FUNCTION_BEGIN:
        add(l, " %.*s return={R%u,R%u} reset_semaphores=%u", (int)sizeof in->u.func.name, in->u.func.name,
            in->u.func.ret_lo, in->u.func.ret_hi, in->u.func.reset_sems);
        break;
    case OP_PSEUDO_FUNCTION_CALL:
        add(l, " %.*s", (int)sizeof in->u.call.name, in->u.call.name);
        if (in->u.call.args != CALL_NO_ARGS)
            add(l, " args_table=%" PRIu32, in->u.call.args);
        break;
    case OP_PSEUDO_CORE_BARRIER:
        add(l, " id=%" PRIu32 " semaphore=%" PRIu32, in->u.corebar.id, in->u.corebar.semaphore);
        break;
    case OP_PSEUDO_INST:
        if (in->u.pseudo.subop == PSEUDO_EXIT_EXECUTION)
            add(l, " exit");
        else
            add(l, " sub_opcode=%u", in->u.pseudo.subop);
        break;
    default:
        break;
    }
}

const char *isa_text(const uint8_t slot[SLOT_BYTES], char *buf, size_t size)
{
    struct line l = { buf, size, 0 };
    if (!size)
        return buf;
    buf[0] = '\0';
    struct inst in;
    isa_decode(slot, &in);
    const char *name = isa_opcode_name(in.opcode);
    if (in.opcode == OP_PSEUDO_DMATRIGGER)
        name = "PSEUDO_DMA_TRIGGER"; /* the listing's spelling, not the enum's */
    if (name)
        add(&l, "%s", name);
    else
        add(&l, "OPCODE_0x%02x", in.opcode);
    add_wait(&l, in.wait_mode, in.wait_idx, in.value);
    add_update(&l, in.update_mode, in.update_idx, in.value);
    add_operands(&l, &in);
    add(&l, ";");
    for (char *c = buf; *c; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
    return buf;
}
