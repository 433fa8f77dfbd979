/* Reject rules of the control and DMA instructions. Sections are of tpb-sequencer.md. */
#include "isa/rules.h"

#include "util/bytes.h"

/* An ALU code of tpb-compute.md §4 that the sequencer knows. */
static bool alu_defined(unsigned op)
{
    return op <= ALU_RSQRT || (op >= ALU_INT_ADD && op <= ALU_UINT_ARGMIN && op != ALU_INT_ABS);
}

static int check_reg(const char *field, unsigned off, unsigned reg, struct nerr *err)
{
    bool legal = reg < REG_COUNT || reg == REG_PC_LO || reg == REG_PC_HI;
    return legal ? NERR_OK
                 : rule_refuse(err, off, "%s names register %u, allowed are 0..63, 128 and 129", field, reg);
}

static unsigned marker_of(uint64_t addr)
{
    return (unsigned)(addr >> ADDR8_IMM_WORD_MARKER_LSB) & ADDR8_MARKER_MASK;
}

/* §4.8: marker byte; the register form holds two register numbers and nothing else. */
static int check_addr8(uint64_t addr, unsigned off, struct nerr *err)
{
    unsigned marker = marker_of(addr), at = off + ADDR8_REG_MARKER_OFF;
    unsigned lo = (unsigned)addr & 0xff, hi = (unsigned)(addr >> 8) & 0xff;
    switch (marker & ~(ADDR8_TABLE_OFS_REG | ADDR8_TABLE_OFS_WIDE)) {
    case ADDR8_IMM:
    case ADDR8_REG:
    case ADDR8_SHAPE:
    case ADDR8_REG_SHAPE:
        if (marker & (ADDR8_TABLE_OFS_REG | ADDR8_TABLE_OFS_WIDE))
            return rule_refuse(err, at, "address marker 0x%02x has a table offset without a table", marker);
        break;
    case ADDR8_TABLE:
    case ADDR8_TABLE_SHAPE:
        return NERR_OK;
    default:
        return rule_refuse(err, at, "address marker 0x%02x is not defined", marker);
    }
    if (marker != ADDR8_REG)
        return NERR_OK;
    if (addr & (ADDR8_IMM_WORD_ADDR_MASK & ~UINT64_C(0xffff)))
        return rule_refuse(
            err, off, "the register form of an address has a byte other than its two register numbers set");
    if (check_reg("address low half", off + ADDR8_REG_LO_OFF, lo, err) ||
        check_reg("address high half", off + ADDR8_REG_HI_OFF, hi, err))
        return err->code;
    return NERR_OK;
}

/* A pseudo slot may hold a variable id in place of an address. */
static int check_operand_addr(const uint8_t *slot, uint64_t addr, unsigned off, struct nerr *err)
{
    bool pseudo = (slot[SLOT_HDR_OPCODE_OFF] & OP_PSEUDO_MASK) == OP_PSEUDO_BITS;
    return pseudo && marker_of(addr) == ADDR8_VAR_ID ? NERR_OK : check_addr8(addr, off, err);
}

static int check_write(const struct inst *in, struct nerr *err)
{
    unsigned size = in->u.write.size;
    uint64_t addr = in->u.write.addr;
    if (size != 1 && size != 2 && size != 4 && size != 8)
        return rule_refuse(err, SLOT_WRITE_WR_SIZE_OFF, "wr_size is %u, allowed are 1, 2, 4 and 8", size);
    if (check_addr8(addr, SLOT_WRITE_ADDR_OFF, err))
        return err->code;
    if (marker_of(addr) == ADDR8_IMM && (addr & (size - 1)))
        return rule_refuse(err, SLOT_WRITE_ADDR_OFF, "a write of %u bytes to 0x%llx is not naturally aligned",
                           size, (unsigned long long)addr);
    return NERR_OK;
}

static int check_move(const struct inst *in, struct nerr *err)
{
    unsigned n = in->u.move.num;
    if (n < 1 || n > SLOT_MOVE_MAX)
        return rule_refuse(err, SLOT_MOVE_NUM_MOV_OFF, "num_mov is %u, allowed are 1..8", n);
    if (in->u.move.source > SRC_IMM)
        return rule_refuse(err, SLOT_MOVE_SOURCE_OFF, "move_source is %u, allowed are 0 and 1",
                           in->u.move.source);
    unsigned sources = in->u.move.source == SRC_REG ? n : 0;
    for (unsigned i = 0; i < SLOT_MOVE_MAX; i++)
        if (i < sources && check_reg("src_registers", SLOT_MOVE_SRC_OFF + i, in->u.move.src[i], err))
            return err->code;
        else if (i >= sources && in->u.move.src[i])
            return rule_refuse(err, SLOT_MOVE_SRC_OFF + i,
                               "src_registers[%u] is unused and must be 0, found %u", i, in->u.move.src[i]);
    for (unsigned i = 0; i < n; i++) {
        unsigned reg = in->u.move.dst[i], at = SLOT_MOVE_DST_OFF + i;
        if (check_reg("dst_registers", at, reg, err))
            return err->code;
        for (unsigned k = 0; k < i; k++)
            if (in->u.move.dst[k] == reg)
                return rule_refuse(err, at, "register %u is a destination twice", reg);
        for (unsigned k = 0; k < sources; k++)
            if (in->u.move.src[k] == reg)
                return rule_refuse(err, at, "register %u is both a source and a destination", reg);
    }
    return NERR_OK;
}

static int check_alu(const struct inst *in, const uint8_t *slot, struct nerr *err)
{
    if (!alu_defined(in->u.alu.op))
        return rule_refuse(err, SLOT_ALU_OP_OFF, "ALU code 0x%02x is not defined", in->u.alu.op);
    if (!isa_dtype_bytes(in->u.alu.dtype))
        return rule_refuse(err, SLOT_ALU_DTYPE_OFF, "dtype 0x%02x is not defined", in->u.alu.dtype);
    if (in->u.alu.dst_dtype && !isa_dtype_bytes(in->u.alu.dst_dtype))
        return rule_refuse(err, SLOT_ALU_DST_DTYPE_OFF, "dst_dtype 0x%02x is not defined",
                           in->u.alu.dst_dtype);
    if (in->u.alu.src1_source > SRC_IMM)
        return rule_refuse(err, SLOT_ALU_SRC1_SRC_OFF, "src1_datasrc is %u, allowed are 0 and 1",
                           in->u.alu.src1_source);
    static const char *const names[] = { "src0_lo", "src0_hi", "src1_lo", "src1_hi", "dst_lo", "dst_hi" };
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (check_reg(names[i], SLOT_ALU_SRC0_LO_OFF + i, slot[SLOT_ALU_SRC0_LO_OFF + i], err))
            return err->code;
    return NERR_OK;
}

static int check_displacement(uint64_t disp, enum isa_form form, struct nerr *err)
{
    if (form == ISA_SOURCE)
        return disp > UINT32_MAX ? rule_refuse(err, SLOT_BR_DISP_OFF, "label id 0x%llx does not fit 32 bits",
                                               (unsigned long long)disp)
                                 : NERR_OK;
    /* builders zero-extend, a sign-extended 64-bit value is the same displacement */
    bool fits = disp <= UINT32_MAX || disp >= (uint64_t)INT64_C(-0x80000000);
    if (!fits || disp % SLOT_BYTES)
        return rule_refuse(
            err, SLOT_BR_DISP_OFF,
            "Invalid branch relative offset 0x%llx: a multiple of 64 that fits 32 bits is allowed",
            (unsigned long long)disp);
    return NERR_OK;
}

static int check_branch(const struct inst *in, enum isa_form form, struct nerr *err)
{
    unsigned op = in->u.br.cmp_op, mode = in->u.br.target_mode;
    if (op > CMP_GT_REG || (op > CMP_GT_IMM && op < CMP_LT_REG))
        return rule_refuse(err, SLOT_BR_CMP_OP_OFF, "cmp_op %u is invalid, allowed are 0..6 and 9..14", op);
    if (op != CMP_ALWAYS && isa_dtype_bytes(in->u.br.dtype) != 4)
        return rule_refuse(err, SLOT_BR_DTYPE_OFF, "dtype 0x%02x of a compare is not a 32-bit type",
                           in->u.br.dtype);
    if (mode != BR_REG && mode != BR_REL_IMM && mode != BR_REL_REG)
        return rule_refuse(err, SLOT_BR_TARGET_MODE_OFF, "target_mode %u, allowed are 1, 3 and 4", mode);
    if (check_reg("cmp_reg0", SLOT_BR_CMP_REG0_OFF, in->u.br.cmp_reg0, err) ||
        check_reg("cmp_reg1", SLOT_BR_CMP_REG1_OFF, in->u.br.cmp_reg1, err) ||
        check_reg("target_reg_lo", SLOT_BR_TARGET_LO_OFF, in->u.br.target_lo, err) ||
        check_reg("target_reg_hi", SLOT_BR_TARGET_HI_OFF, in->u.br.target_hi, err))
        return err->code;
    return mode == BR_REL_IMM ? check_displacement(in->u.br.disp, form, err) : NERR_OK;
}

/* The shape register holds the counts: the slot's own must be 0. */
static int check_shape_counts(const uint8_t *slot, struct nerr *err)
{
    for (unsigned off = SLOT_MEM_NUM_ELEM0_OFF; off <= SLOT_MEM_NUM_ELEM1_OFF; off++)
        if (slot[off])
            return rule_refuse(err, off, "num_elem is %u, a shape register needs 0", slot[off]);
    return NERR_OK;
}

static int check_mem(const struct inst *in, const uint8_t *slot, struct nerr *err)
{
    unsigned dtype = slot[SLOT_MEM_DTYPE_OFF];
    uint64_t word = get_le64(slot + SLOT_MEM_ADDR_OFF), addr = word & ADDR8_IMM_WORD_ADDR_MASK;
    if (!isa_dtype_bytes(dtype))
        return rule_refuse(err, SLOT_MEM_DTYPE_OFF, "dtype 0x%02x is not defined", dtype);
    if (check_addr8(word, SLOT_MEM_ADDR_OFF, err))
        return err->code;
    if ((marker_of(word) & ADDR8_SHAPE) && check_shape_counts(slot, err))
        return err->code;
    if (in->opcode == OP_TENSOR_STORE && marker_of(word) == ADDR8_IMM && addr >= SOC_PSUM &&
        addr < SOC_PSUM + SOC_PSUM_BYTES)
        return rule_refuse(err, SLOT_MEM_ADDR_OFF, "TENSOR_STORE to PSUM address 0x%llx is illegal",
                           (unsigned long long)addr);
    if (check_reg("data register lo", SLOT_MEM_DATA_LO_OFF, slot[SLOT_MEM_DATA_LO_OFF], err) ||
        check_reg("data register hi", SLOT_MEM_DATA_HI_OFF, slot[SLOT_MEM_DATA_HI_OFF], err))
        return err->code;
    return NERR_OK;
}

static int check_range(const struct inst *in, struct nerr *err)
{
    if (in->u.range.mode != RANGE_RANGE && in->u.range.mode != RANGE_MASK)
        return rule_refuse(err, SLOT_RANGE_MODE_OFF, "mode %u, allowed are 1 (range) and 2 (bit mask)",
                           in->u.range.mode);
    if (in->u.range.mode == RANGE_RANGE && in->u.range.first > in->u.range.last)
        return rule_refuse(err, SLOT_RANGE_FIRST_OFF, "the range starts at %u, after its end %u",
                           in->u.range.first, in->u.range.last);
    return NERR_OK;
}

static int check_poll(const struct inst *in, struct nerr *err)
{
    if (in->u.poll.n_read < 1 || in->u.poll.n_read > POLL_SEM_MAX)
        return rule_refuse(err, SLOT_POLL_N_READ_OFF, "n_read is %u, allowed are 1..16", in->u.poll.n_read);
    if (!alu_defined(in->u.poll.op))
        return rule_refuse(err, SLOT_POLL_OP_OFF, "fold code 0x%02x is not defined", in->u.poll.op);
    return check_reg("result register", SLOT_POLL_RESULT_OFF, in->u.poll.result, err);
}

int rule_dma_direct2d(const uint8_t *slot, struct nerr *err)
{
    unsigned priority = slot[SLOT_DMACPY_CONFIGS_OFF] & SLOT_DMACPY_CONFIGS_PRIORITY_MASK;
    if (priority > DMACPY_PRIORITY_MAX)
        return rule_refuse(err, SLOT_DMACPY_CONFIGS_OFF, "priority is %u, allowed are 0..4", priority);
    if (check_operand_addr(slot, get_le64(slot + SLOT_DMACPY_SRC_ADDR_OFF), SLOT_DMACPY_SRC_ADDR_OFF, err) ||
        check_operand_addr(slot, get_le64(slot + SLOT_DMACPY_DST_ADDR_OFF), SLOT_DMACPY_DST_ADDR_OFF, err))
        return err->code;
    return NERR_OK;
}

static int check_dmamemcpy(const uint8_t *slot, struct nerr *err)
{
    if (slot[SLOT_DMACPY_COMPUTE_OFF] > DMACPY_MIN)
        return rule_refuse(err, SLOT_DMACPY_COMPUTE_OFF,
                           "compute_op is %u, allowed are 0 copy, 1 add, 2 mult, 3 max and 4 min",
                           slot[SLOT_DMACPY_COMPUTE_OFF]);
    return rule_dma_direct2d(slot, err);
}

static int check_extended_lane(const struct inst *in, struct nerr *err)
{
    const struct rule_lane lane = { .name = "extended",
                                    .off = SLOT_ES_WAIT_MODE_OFF,
                                    .wait_value_off = SLOT_ES_WAIT_VALUE_OFF,
                                    .update_value_off = SLOT_ES_UPDATE_VALUE_OFF,
                                    .wait = in->u.es.wait_mode,
                                    .update = in->u.es.update_mode,
                                    .wait_value = in->u.es.wait_value,
                                    .update_value = in->u.es.update_value };
    return rule_lane(&lane, err);
}

int rule_control(const struct inst *in, const uint8_t *slot, enum isa_form form, struct nerr *err)
{
    switch (in->opcode) {
    case OP_EVENT_SEMAPHORE:
        return check_extended_lane(in, err);
    case OP_WRITE:
        return check_write(in, err);
    case OP_MOVE:
        return check_move(in, err);
    case OP_ALU_OP:
        return check_alu(in, slot, err);
    case OP_COMPARE_BRANCH:
        return check_branch(in, form, err);
    case OP_TENSOR_LOAD:
    case OP_TENSOR_STORE:
        return check_mem(in, slot, err);
    case OP_EVENT_SEMAPHORE_RANGE_CLEAR:
        return check_range(in, err);
    case OP_SET_ORDERING_MODE:
        return in->u.order.mode > ORDER_STRONG
                   ? rule_refuse(err, SLOT_ORDER_MODE_OFF, "mode %u, allowed are 0 and 1", in->u.order.mode)
                   : NERR_OK;
    case OP_POLL_SEM:
        return check_poll(in, err);
    case OP_BRANCH_PREFETCH_HINT:
        return in->u.hint.mode != BR_REL_IMM
                   ? rule_refuse(err, SLOT_HINT_MODE_OFF, "mode %u, 3 is allowed", in->u.hint.mode)
                   : NERR_OK;
    case OP_DMAMEMCPY:
        return check_dmamemcpy(slot, err);
    default: /* no rule beyond the reserved bytes, or no known layout */
        return NERR_OK;
    }
}
