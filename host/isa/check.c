/* The host's reject rules for one slot: see isa_check in isa.h. Sections are of tpb-sequencer.md. */
#include "isa/layout.h"

#include <string.h>

__attribute__((format(printf, 2, 3))) static int refuse(struct nerr *err, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    nerr_vset(err, NERR_RULE, "", fmt, ap);
    va_end(ap);
    err->runtime_code = NRT_INVALID;
    return NERR_RULE;
}

bool isa_wait_mode_legal(unsigned mode)
{
    switch (mode) {
    case WAIT_NONE:
    case WAIT_SEM_EQ_IMM:
    case WAIT_SEM_LT_IMM:
    case WAIT_SEM_LE_IMM:
    case WAIT_SEM_GT_IMM:
    case WAIT_SEM_GE_IMM:
    case WAIT_EVT_SET:
    case WAIT_EVT_SET_THEN_CLEAR:
    case WAIT_EVT_CLEAR:
    case WAIT_EVT_CLEAR_THEN_SET:
    case WAIT_SEM_EQ_REG:
    case WAIT_SEM_LT_REG:
    case WAIT_SEM_LE_REG:
    case WAIT_SEM_GT_REG:
    case WAIT_SEM_GE_REG:
    case WAIT_UNORDERED:
        return true;
    default:
        return false;
    }
}

bool isa_update_mode_legal(unsigned mode)
{
    switch (mode == UPD_NONE ? UPD_NONE : mode | UPD_COMPLETE_BIT) {
    case UPD_NONE:
    case UPD_EVT_SET_COMPLETE:
    case UPD_EVT_CLR_COMPLETE:
    case UPD_SEM_INC_COMPLETE:
    case UPD_SEM_DEC_COMPLETE:
    case UPD_SEM_ADD_IMM_COMPLETE:
    case UPD_SEM_SUB_IMM_COMPLETE:
    case UPD_SEM_WR_IMM_COMPLETE:
    case UPD_SEM_ADD_REG_COMPLETE:
    case UPD_SEM_SUB_REG_COMPLETE:
    case UPD_SEM_WR_REG_COMPLETE:
        return true;
    default:
        return false;
    }
}

static bool wait_takes_reg(unsigned mode)
{
    return (mode & WAIT_REG_BIT) && mode != WAIT_UNORDERED && mode != WAIT_INVALID;
}

static bool update_takes_reg(unsigned mode)
{
    return (mode & UPD_REG_BIT) && mode != UPD_INVALID;
}

static bool update_is_event(unsigned mode)
{
    return mode == UPD_EVT_SET_READ || mode == UPD_EVT_CLR_READ || mode == UPD_EVT_SET_COMPLETE ||
           mode == UPD_EVT_CLR_COMPLETE;
}

static bool wait_is_semaphore(unsigned mode)
{
    unsigned imm = mode & ~WAIT_REG_BIT;
    return mode != WAIT_UNORDERED && mode != WAIT_INVALID && imm >= WAIT_SEM_EQ_IMM && imm <= WAIT_SEM_GE_IMM;
}

/* One wait and one update with their operands (§2.1, §2.3). */
static int check_lane(const char *lane, unsigned wait, uint32_t wait_value, unsigned update,
                      uint32_t update_value, struct nerr *err)
{
    if (!isa_wait_mode_legal(wait))
        return refuse(err, "%s wait mode 0x%02x is not in table W", lane, wait);
    if (!isa_update_mode_legal(update))
        return refuse(err, "%s update mode 0x%02x is not in table U", lane, update);
    if (wait_takes_reg(wait) && wait_value >= REG_COUNT)
        return refuse(err, "%s wait mode 0x%02x names register %u, allowed are 0..63", lane, wait,
                      wait_value);
    if (update_takes_reg(update) && update_value >= REG_COUNT)
        return refuse(err, "%s update mode 0x%02x names register %u, allowed are 0..63", lane, update,
                      update_value);
    return NERR_OK;
}

static bool legal_reg(unsigned reg)
{
    return reg < REG_COUNT || reg == REG_PC_LO || reg == REG_PC_HI;
}

static int check_reg(const char *field, unsigned reg, struct nerr *err)
{
    return legal_reg(reg) ? NERR_OK
                          : refuse(err, "%s names register %u, allowed are 0..63, 128 and 129", field, reg);
}

static bool legal_alu(unsigned op)
{
    return op <= ALU_RSQRT || (op >= ALU_INT_ADD && op <= ALU_UINT_ARGMIN && op != ALU_INT_ABS);
}

/* §4.8: marker byte; the register form holds two register numbers and nothing else. */
static int check_addr8(uint64_t addr, struct nerr *err)
{
    unsigned marker = (unsigned)(addr >> ADDR8_IMM_WORD_MARKER_LSB) & ADDR8_MARKER_MASK;
    unsigned lo = (unsigned)addr & 0xff, hi = (unsigned)(addr >> 8) & 0xff;
    switch (marker & ~(ADDR8_TABLE_OFS_REG | ADDR8_TABLE_OFS_WIDE)) {
    case ADDR8_IMM:
    case ADDR8_REG:
    case ADDR8_SHAPE:
    case ADDR8_REG_SHAPE:
        if (marker & (ADDR8_TABLE_OFS_REG | ADDR8_TABLE_OFS_WIDE))
            return refuse(err, "address marker 0x%02x has a table offset without a table", marker);
        break;
    case ADDR8_TABLE:
    case ADDR8_TABLE_SHAPE:
        return NERR_OK;
    default:
        return refuse(err, "address marker 0x%02x is not defined", marker);
    }
    if (marker != ADDR8_REG)
        return NERR_OK;
    if (addr & (ADDR8_IMM_WORD_ADDR_MASK & ~UINT64_C(0xffff)))
        return refuse(err,
                      "the register form of an address has a byte other than its two register numbers set");
    if (check_reg("address low half", lo, err) || check_reg("address high half", hi, err))
        return err->code;
    return NERR_OK;
}

static bool is_immediate(uint64_t addr)
{
    return ((addr >> ADDR8_IMM_WORD_MARKER_LSB) & ADDR8_MARKER_MASK) == ADDR8_IMM;
}

static int check_write(const struct inst *in, struct nerr *err)
{
    unsigned size = in->u.write.size;
    if (size != 1 && size != 2 && size != 4 && size != 8)
        return refuse(err, "wr_size is %u, allowed are 1, 2, 4 and 8", size);
    if (check_addr8(in->u.write.addr, err))
        return err->code;
    if (is_immediate(in->u.write.addr) && (in->u.write.addr & (size - 1)))
        return refuse(err, "a write of %u bytes to 0x%llx is not naturally aligned", size,
                      (unsigned long long)in->u.write.addr);
    return NERR_OK;
}

static int check_move(const struct inst *in, struct nerr *err)
{
    unsigned n = in->u.move.num;
    if (n < 1 || n > SLOT_MOVE_MAX)
        return refuse(err, "num_mov is %u, allowed are 1..8", n);
    if (in->u.move.source > SRC_IMM)
        return refuse(err, "move_source is %u, allowed are 0 and 1", in->u.move.source);
    unsigned sources = in->u.move.source == SRC_REG ? n : 0;
    for (unsigned i = 0; i < SLOT_MOVE_MAX; i++)
        if (i < sources && check_reg("src_registers", in->u.move.src[i], err))
            return err->code;
        else if (i >= sources && in->u.move.src[i])
            return refuse(err, "src_registers[%u] is unused and must be 0, found %u", i, in->u.move.src[i]);
    for (unsigned i = 0; i < n; i++) {
        if (check_reg("dst_registers", in->u.move.dst[i], err))
            return err->code;
        for (unsigned k = 0; k < i; k++)
            if (in->u.move.dst[k] == in->u.move.dst[i])
                return refuse(err, "register %u is a destination twice", in->u.move.dst[i]);
        for (unsigned k = 0; k < sources; k++)
            if (in->u.move.src[k] == in->u.move.dst[i])
                return refuse(err, "register %u is both a source and a destination", in->u.move.dst[i]);
    }
    return NERR_OK;
}

static int check_alu(const struct inst *in, struct nerr *err)
{
    if (!legal_alu(in->u.alu.op))
        return refuse(err, "ALU code 0x%02x is not defined", in->u.alu.op);
    if (!isa_dtype_bytes(in->u.alu.dtype))
        return refuse(err, "dtype 0x%02x is not defined", in->u.alu.dtype);
    if (in->u.alu.dst_dtype && !isa_dtype_bytes(in->u.alu.dst_dtype))
        return refuse(err, "dst_dtype 0x%02x is not defined", in->u.alu.dst_dtype);
    if (in->u.alu.src1_source > SRC_IMM)
        return refuse(err, "src1_datasrc is %u, allowed are 0 and 1", in->u.alu.src1_source);
    const uint8_t regs[] = { in->u.alu.src0_lo, in->u.alu.src0_hi, in->u.alu.src1_lo,
                             in->u.alu.src1_hi, in->u.alu.dst_lo,  in->u.alu.dst_hi };
    static const char *const names[] = { "src0_lo", "src0_hi", "src1_lo", "src1_hi", "dst_lo", "dst_hi" };
    for (unsigned i = 0; i < 6; i++)
        if (check_reg(names[i], regs[i], err))
            return err->code;
    return NERR_OK;
}

static int check_branch(const struct inst *in, enum isa_form form, struct nerr *err)
{
    unsigned op = in->u.br.cmp_op, mode = in->u.br.target_mode;
    if (op > CMP_GT_REG || (op > CMP_GT_IMM && op < CMP_LT_REG))
        return refuse(err, "cmp_op %u is invalid, allowed are 0..6 and 9..14", op);
    if (op != CMP_ALWAYS && isa_dtype_bytes(in->u.br.dtype) != 4)
        return refuse(err, "dtype 0x%02x of a compare is not a 32-bit type", in->u.br.dtype);
    if (mode != BR_REG && mode != BR_REL_IMM && mode != BR_REL_REG)
        return refuse(err, "target_mode %u, allowed are 1, 3 and 4", mode);
    if (check_reg("cmp_reg0", in->u.br.cmp_reg0, err) || check_reg("cmp_reg1", in->u.br.cmp_reg1, err) ||
        check_reg("target_reg_lo", in->u.br.target_lo, err) ||
        check_reg("target_reg_hi", in->u.br.target_hi, err))
        return err->code;
    if (mode != BR_REL_IMM)
        return NERR_OK;
    uint64_t disp = in->u.br.disp;
    if (form == ISA_SOURCE)
        return disp > UINT32_MAX
                   ? refuse(err, "label id 0x%llx does not fit 32 bits", (unsigned long long)disp)
                   : NERR_OK;
    /* builders zero-extend, a sign-extended 64-bit value is the same displacement */
    bool fits = disp <= UINT32_MAX || disp >= (uint64_t)INT64_C(-0x80000000);
    if (!fits || disp % SLOT_BYTES)
        return refuse(err,
                      "Invalid branch relative offset 0x%llx: a multiple of 64 that fits 32 bits is allowed",
                      (unsigned long long)disp);
    return NERR_OK;
}

static int check_mem(const struct inst *in, struct nerr *err)
{
    if (!isa_dtype_bytes(in->u.mem.dtype))
        return refuse(err, "dtype 0x%02x is not defined", in->u.mem.dtype);
    if (check_addr8(in->u.mem.addr, err))
        return err->code;
    uint64_t addr = in->u.mem.addr & ADDR8_IMM_WORD_ADDR_MASK;
    if (in->opcode == OP_TENSOR_STORE && is_immediate(in->u.mem.addr) && addr >= SOC_PSUM &&
        addr < SOC_PSUM + SOC_PSUM_BYTES)
        return refuse(err, "TENSOR_STORE to PSUM address 0x%llx is illegal", (unsigned long long)addr);
    if (check_reg("data register lo", in->u.mem.data_lo, err) ||
        check_reg("data register hi", in->u.mem.data_hi, err))
        return err->code;
    return NERR_OK;
}

static int check_poll(const struct inst *in, struct nerr *err)
{
    if (in->u.poll.n_read < 1 || in->u.poll.n_read > POLL_SEM_MAX)
        return refuse(err, "n_read is %u, allowed are 1..16", in->u.poll.n_read);
    if (!legal_alu(in->u.poll.op))
        return refuse(err, "fold code 0x%02x is not defined", in->u.poll.op);
    return check_reg("result register", in->u.poll.result, err);
}

/* A NUL-terminated name of printable ASCII inside its field. */
static int check_name(const char *field, const char *name, size_t size, struct nerr *err)
{
    size_t len = strnlen(name, size);
    if (len == 0)
        return refuse(err, "%s is empty", field);
    if (len == size)
        return refuse(err, "%s is longer than %zu characters", field, size - 1);
    for (size_t i = 0; i < len; i++)
        if (name[i] < ' ' || name[i] > '~')
            return refuse(err, "%s holds the byte 0x%02x, printable ASCII is allowed", field,
                          (uint8_t)name[i]);
    return NERR_OK;
}

static int check_collective(const struct inst *in, struct nerr *err)
{
    if (in->u.cc.ctype != CCTYPE_ALL_REDUCE)
        return refuse(err, "collective type %u is not known, 1 (ALL_REDUCE) is", in->u.cc.ctype);
    if (in->u.cc.op >= 32 || !((CC_REDUCE_OPS >> in->u.cc.op) & 1))
        return refuse(err, "reduce code 0x%02x, allowed are ADD, MULT, MAX and MIN", in->u.cc.op);
    if (!isa_dtype_bytes(in->u.cc.dtype))
        return refuse(err, "dtype 0x%02x is not defined", in->u.cc.dtype);
    if (in->update_mode != UPD_SEM_INC_COMPLETE)
        return refuse(err, "update mode 0x%02x of a collective, 0x13 is allowed", in->update_mode);
    return NERR_OK;
}

static int check_function(const struct inst *in, struct nerr *err)
{
    if (check_name("function_name", in->u.func.name, sizeof in->u.func.name, err))
        return err->code;
    if (in->u.func.reset_sems > 1)
        return refuse(err, "return_reset_semaphores is %u, allowed are 0 and 1", in->u.func.reset_sems);
    if (in->u.func.ret_lo >= REG_COUNT || in->u.func.ret_hi >= REG_COUNT)
        return refuse(err, "return address registers %u, %u, allowed are 0..63", in->u.func.ret_lo,
                      in->u.func.ret_hi);
    if (in->u.func.ret_lo == in->u.func.ret_hi)
        return refuse(err, "both halves of the return address go to register %u", in->u.func.ret_lo);
    return NERR_OK;
}

static int check_payload(const struct inst *in, enum isa_form form, struct nerr *err)
{
    switch (in->opcode) {
    case OP_EVENT_SEMAPHORE:
        return check_lane("extended", in->u.es.wait_mode, in->u.es.wait_value, in->u.es.update_mode,
                          in->u.es.update_value, err);
    case OP_NOTIFY:
        return in->u.notify.flags & ~(SLOT_NOTIFY_FLAGS_NOTIFY_MASK | SLOT_NOTIFY_FLAGS_INTR_MASK)
                   ? refuse(err, "flags 0x%02x have reserved bits set", in->u.notify.flags)
                   : NERR_OK;
    case OP_WRITE:
        return check_write(in, err);
    case OP_MOVE:
        return check_move(in, err);
    case OP_ALU_OP:
        return check_alu(in, err);
    case OP_COMPARE_BRANCH:
        return check_branch(in, form, err);
    case OP_TENSOR_LOAD:
    case OP_TENSOR_STORE:
        return check_mem(in, err);
    case OP_EVENT_SEMAPHORE_RANGE_CLEAR:
        if (in->u.range.mode != RANGE_RANGE && in->u.range.mode != RANGE_MASK)
            return refuse(err, "mode %u, allowed are 1 (range) and 2 (bit mask)", in->u.range.mode);
        if (in->u.range.mode == RANGE_RANGE && in->u.range.first > in->u.range.last)
            return refuse(err, "the range starts at %u, after its end %u", in->u.range.first,
                          in->u.range.last);
        return NERR_OK;
    case OP_SET_ORDERING_MODE:
        return in->u.order.mode > ORDER_STRONG ? refuse(err, "mode %u, allowed are 0 and 1", in->u.order.mode)
                                               : NERR_OK;
    case OP_POLL_SEM:
        return check_poll(in, err);
    case OP_BRANCH_PREFETCH_HINT:
        return in->u.hint.mode != BR_REL_IMM ? refuse(err, "mode %u, 3 is allowed", in->u.hint.mode)
                                             : NERR_OK;
    case OP_PSEUDO_DMATRIGGER:
        if (check_name("dma_queue_name", in->u.dmatrig.queue, sizeof in->u.dmatrig.queue, err))
            return err->code;
        return in->u.dmatrig.use_raw > 1
                   ? refuse(err, "use_raw_count is %u, allowed are 0 and 1", in->u.dmatrig.use_raw)
                   : NERR_OK;
    case OP_PSEUDO_TRIGGER_COLLECTIVE:
        return check_collective(in, err);
    case OP_PSEUDO_FUNCTION_BEGIN:
        return check_function(in, err);
    case OP_PSEUDO_FUNCTION_CALL:
        return check_name("function_name", in->u.call.name, sizeof in->u.call.name, err);
    case OP_PSEUDO_INST:
        return in->u.pseudo.subop != PSEUDO_EXIT_EXECUTION &&
                       in->u.pseudo.subop != PSEUDO_LIBRARY_RELOAD_INDEX
                   ? refuse(err, "pseudo_opcode %u, allowed are 1 (exit) and 2 (library reload)",
                            in->u.pseudo.subop)
                   : NERR_OK;
    default:
        return NERR_OK;
    }
}

int isa_check(const uint8_t slot[SLOT_BYTES], enum isa_form form, struct nerr *err)
{
    struct inst in;
    isa_decode(slot, &in);
    const char *name = isa_opcode_name(in.opcode);
    if (!isa_opcode_v3(in.opcode)) /* INVALID is a name, not an instruction */
        return refuse(err, "opcode 0x%02x (%s) is no instruction of the CAYMAN generation", in.opcode,
                      name ? name : "undefined");
    if (form == ISA_DEVICE && (in.opcode & OP_PSEUDO_MASK) == OP_PSEUDO_BITS)
        return refuse(err, "pseudo opcode 0x%02x (%s) on the device", in.opcode, name);
    if (in.word_len != SLOT_WORDS)
        return refuse(err, "inst_word_len is 0x%02x, 0x10 is allowed", in.word_len);
    if (check_lane("standard", in.wait_mode, in.value, in.update_mode, in.value, err))
        return err->code;
    int reserved = isa_first_reserved(slot);
    if (reserved >= 0)
        return refuse(err, "%s: reserved byte %d is 0x%02x, must be 0", name, reserved, slot[reserved]);
    if (check_payload(&in, form, err)) {
        char text[sizeof err->text];
        memcpy(text, err->text, sizeof text);
        return refuse(err, "%s: %s", name, text);
    }
    return NERR_OK;
}

static void add_lane(unsigned wait, unsigned wait_idx, unsigned update, unsigned update_idx,
                     bool used[SEM_COUNT])
{
    if (wait_is_semaphore(wait))
        used[wait_idx] = true;
    if (update != UPD_NONE && isa_update_mode_legal(update) && !update_is_event(update))
        used[update_idx] = true;
}

void isa_semaphores(const uint8_t slot[SLOT_BYTES], bool used[SEM_COUNT])
{
    struct inst in;
    isa_decode(slot, &in);
    add_lane(in.wait_mode, in.wait_idx, in.update_mode, in.update_idx, used);
    if (in.opcode == OP_EVENT_SEMAPHORE)
        add_lane(in.u.es.wait_mode, in.u.es.wait_idx, in.u.es.update_mode, in.u.es.update_idx, used);
}
