/*
 * What one 64-byte slot means: legality and the steps of its execution (tpb-sequencer.md §2, §4). The steps
 * of every operation run in one order: bus reads, register writes, bus writes, semaphore clears, record.
 */
#include "refmodel/ref_private.h"

#include <string.h>

#include "util/bytes.h"

/* Byte 15 of a MOVE is the one reserved byte the sources reject (tpb-sequencer.md §4.5). */
#define MOVE_RESERVED (SLOT_MOVE_SOURCE_OFF + 1)

static void fault(struct seq *s, uint8_t code, uint8_t info)
{
    if (!s->fault.set)
        s->fault = (struct fault){ .set = true, .code = code, .info = info };
}

/* Bad Opcode and Illegal Instruction are reported alike: code 0, aux opcode (tpb-image.md §3.1). */
static void illegal(struct seq *s)
{
    fault(s, FAULT_BAD_OPCODE, s->slot.op);
}

/* A failed assertion: code 0, aux 0 (tpb-image.md §3.1). */
static void assertion(struct seq *s)
{
    fault(s, FAULT_BAD_OPCODE, 0);
}

bool reg_readable(uint8_t reg)
{
    return reg < REG_COUNT || reg == REG_PC_LO || reg == REG_PC_HI;
}

uint32_t reg_value(const struct seq *s, uint8_t reg)
{
    if (reg == REG_PC_LO)
        return (uint32_t)s->pc;
    if (reg == REG_PC_HI)
        return (uint32_t)(s->pc >> 32);
    return reg < REG_COUNT ? s->regs[reg] : 0;
}

static uint32_t le32(const struct slot *t, unsigned off)
{
    return get_le32(t->bytes + off);
}

static bool is_int32(uint8_t dtype)
{
    return dtype == DTYPE_INT32 || dtype == DTYPE_UINT32;
}

/* ---- static checks, at decode ---- */

static void check_lane(struct seq *s, uint8_t wait_mode, uint32_t wait_val, uint8_t upd_mode,
                       uint32_t upd_val)
{
    if (!evt_wait_known(wait_mode) || !evt_update_known(upd_mode))
        illegal(s);
    else if (wait_mode != WAIT_UNORDERED && wait_mode & WAIT_REG_BIT && wait_val >= REG_COUNT)
        illegal(s);
    else if (upd_mode & UPD_REG_BIT && upd_val >= REG_COUNT)
        illegal(s);
}

static void check_move(struct seq *s)
{
    struct slot *t = &s->slot;
    unsigned n = t->bytes[SLOT_MOVE_NUM_MOV_OFF];
    uint8_t source = t->bytes[SLOT_MOVE_SOURCE_OFF], dtype = t->bytes[SLOT_MOVE_DTYPE_OFF];
    if (n < 1 || n > SLOT_MOVE_MAX || source > SRC_IMM) {
        illegal(s);
        return;
    }
    if (!is_int32(dtype) && dtype != DTYPE_FP32)
        assertion(s);
    if (t->bytes[MOVE_RESERVED])
        illegal(s);
    for (unsigned i = source == SRC_IMM ? 0 : n; i < SLOT_MOVE_MAX; i++)
        if (t->bytes[SLOT_MOVE_SRC_OFF + i])
            illegal(s);
    for (unsigned i = 0; i < n; i++) {
        uint8_t dst = t->bytes[SLOT_MOVE_DST_OFF + i], src = t->bytes[SLOT_MOVE_SRC_OFF + i];
        if (!reg_readable(dst) || (source == SRC_REG && !reg_readable(src)))
            illegal(s);
        for (unsigned j = 0; j < n; j++) {
            bool again = j > i && t->bytes[SLOT_MOVE_DST_OFF + j] == dst;
            if (again || (source == SRC_REG && t->bytes[SLOT_MOVE_SRC_OFF + j] == dst))
                illegal(s);
        }
    }
}

static void check_alu(struct seq *s)
{
    const uint8_t *b = s->slot.bytes;
    uint8_t dst_type = b[SLOT_ALU_DST_DTYPE_OFF];
    /* An integer operation has one type throughout (tpb-compute.md §4); 0 means that of the sources. */
    bool int_op = b[SLOT_ALU_OP_OFF] == ALU_MOD || b[SLOT_ALU_OP_OFF] >= ALU_INT_ADD;
    bool types = is_int32(b[SLOT_ALU_DTYPE_OFF]) &&
                 (dst_type == 0 || dst_type == b[SLOT_ALU_DTYPE_OFF] || (!int_op && is_int32(dst_type)));
    bool regs = reg_readable(b[SLOT_ALU_SRC0_LO_OFF]) && reg_readable(b[SLOT_ALU_DST_LO_OFF]) &&
                (b[SLOT_ALU_SRC1_SRC_OFF] == SRC_IMM || reg_readable(b[SLOT_ALU_SRC1_LO_OFF]));
    if (!alu_known(b[SLOT_ALU_OP_OFF]) || b[SLOT_ALU_SRC1_SRC_OFF] > SRC_IMM || !types || !regs)
        illegal(s);
}

static void check_branch(struct seq *s)
{
    const struct slot *t = &s->slot;
    const uint8_t *b = t->bytes;
    uint8_t cmp = b[SLOT_BR_CMP_OP_OFF], mode = b[SLOT_BR_TARGET_MODE_OFF], dtype = b[SLOT_BR_DTYPE_OFF];
    bool with_imm = cmp >= CMP_LT_IMM && cmp <= CMP_GT_IMM, with_reg = cmp >= CMP_LT_REG && cmp <= CMP_GT_REG;
    if (mode > BR_MAX || (cmp != CMP_ALWAYS && !with_imm && !with_reg)) {
        assertion(s);
        return;
    }
    if (mode != BR_REG && mode != BR_REL_IMM && mode != BR_REL_REG)
        illegal(s);
    if (cmp != CMP_ALWAYS && !is_int32(dtype) && dtype != DTYPE_FP32)
        illegal(s);
    if (cmp != CMP_ALWAYS &&
        (!reg_readable(b[SLOT_BR_CMP_REG0_OFF]) || (with_reg && !reg_readable(b[SLOT_BR_CMP_REG1_OFF]))))
        illegal(s);
    if (mode == BR_REL_IMM && le32(t, SLOT_BR_DISP_OFF) % SLOT_BYTES)
        illegal(s);
    if (mode != BR_REL_IMM && !reg_readable(b[SLOT_BR_TARGET_LO_OFF]))
        illegal(s);
    if (mode == BR_REG && !reg_readable(b[SLOT_BR_TARGET_HI_OFF]))
        illegal(s);
}

static void check_addr8(struct seq *s, unsigned off)
{
    const uint8_t *b = s->slot.bytes + off;
    switch (b[ADDR8_REG_MARKER_OFF] & ADDR8_MARKER_MASK) {
    case ADDR8_IMM:
        break;
    case ADDR8_REG:
        if (!reg_readable(b[ADDR8_REG_LO_OFF]) || !reg_readable(b[ADDR8_REG_HI_OFF]))
            illegal(s);
        break;
    default:
        illegal(s);
        break;
    }
}

static void check_memory(struct seq *s)
{
    const uint8_t *b = s->slot.bytes;
    uint8_t dtype = b[SLOT_MEM_DTYPE_OFF];
    bool four_bytes = is_int32(dtype) || dtype == DTYPE_FP32;
    if (!four_bytes || b[SLOT_MEM_NUM_ELEM0_OFF] != 1 || b[SLOT_MEM_NUM_ELEM1_OFF] != 1 ||
        !reg_readable(b[SLOT_MEM_DATA_LO_OFF]))
        illegal(s);
    check_addr8(s, SLOT_MEM_ADDR_OFF);
}

static void check_operation(struct seq *s)
{
    struct slot *t = &s->slot;
    const uint8_t *b = t->bytes;
    switch (t->op) {
    case OP_ENGINE_NOP:
    case OP_EVENT_SEMAPHORE:
    case OP_HALT:
    case OP_DRAIN:
    case OP_INSTRUCTION_FLUSH:
    case OP_NOP:
    case OP_NOTIFY:
        break;
    case OP_WRITE: {
        uint8_t n = b[SLOT_WRITE_WR_SIZE_OFF];
        if (n != 1 && n != 2 && n != 4 && n != 8)
            illegal(s);
        check_addr8(s, SLOT_WRITE_ADDR_OFF);
        break;
    }
    case OP_MOVE:
        check_move(s);
        break;
    case OP_ALU_OP:
        check_alu(s);
        break;
    case OP_COMPARE_BRANCH:
        check_branch(s);
        break;
    case OP_TENSOR_LOAD:
    case OP_TENSOR_STORE:
        check_memory(s);
        break;
    case OP_EVENT_SEMAPHORE_RANGE_CLEAR: {
        bool range =
            b[SLOT_RANGE_MODE_OFF] == RANGE_RANGE && b[SLOT_RANGE_FIRST_OFF] <= b[SLOT_RANGE_LAST_OFF];
        if (!range && b[SLOT_RANGE_MODE_OFF] != RANGE_MASK)
            illegal(s);
        break;
    }
    case OP_SET_ORDERING_MODE:
        if (b[SLOT_ORDER_MODE_OFF] > ORDER_STRONG)
            illegal(s);
        break;
    case OP_POLL_SEM:
        if (b[SLOT_POLL_N_READ_OFF] < 1 || b[SLOT_POLL_N_READ_OFF] > POLL_SEM_MAX ||
            b[SLOT_POLL_OP_OFF] != ALU_MIN || !reg_readable(b[SLOT_POLL_RESULT_OFF]))
            illegal(s);
        break;
    case OP_BRANCH_PREFETCH_HINT:
        if (b[SLOT_HINT_DECISION_OFF] > 1)
            assertion(s);
        else if (b[SLOT_HINT_MODE_OFF] != BR_REL_IMM)
            illegal(s);
        break;
    default:
        illegal(s);
        break;
    }
}

static void trace_records(struct slot *t)
{
    t->start_kind = t->end_kind = NO_RECORD;
    switch (t->bytes[SLOT_HDR_DEBUG_CMD_OFF]) {
    case DBG_NOTIFY:
    case DBG_INS_FIELD:
        t->end_kind = NKIND_EXPLICIT;
        break;
    case DBG_START:
        t->start_kind = NKIND_START;
        break;
    case DBG_END:
        t->end_kind = NKIND_END;
        break;
    case DBG_START_END:
        t->start_kind = NKIND_START;
        t->end_kind = NKIND_END;
        break;
    default:
        break;
    }
}

void slot_decode(const struct ref *r, struct seq *s)
{
    struct slot *t = &s->slot;
    memset(t, 0, sizeof *t);
    sparse_read(r->mem, s->pc & ~(uint64_t)SOC_ADDR_ATTR_MASK, t->bytes, SLOT_BYTES);
    t->op = t->bytes[SLOT_HDR_OPCODE_OFF];
    t->next_pc = s->pc + SLOT_BYTES;
    t->wait_mode[0] = t->bytes[SLOT_HDR_WAIT_MODE_OFF];
    t->wait_idx[0] = t->bytes[SLOT_HDR_WAIT_IDX_OFF];
    t->upd_mode[0] = t->bytes[SLOT_HDR_UPDATE_MODE_OFF];
    t->upd_idx[0] = t->bytes[SLOT_HDR_UPDATE_IDX_OFF];
    t->wait_val[0] = t->upd_val[0] = le32(t, SLOT_HDR_VALUE_OFF);
    if (t->op == OP_EVENT_SEMAPHORE) {
        t->wait_mode[1] = t->bytes[SLOT_ES_WAIT_MODE_OFF];
        t->wait_idx[1] = t->bytes[SLOT_ES_WAIT_IDX_OFF];
        t->upd_mode[1] = t->bytes[SLOT_ES_UPDATE_MODE_OFF];
        t->upd_idx[1] = t->bytes[SLOT_ES_UPDATE_IDX_OFF];
        t->wait_val[1] = le32(t, SLOT_ES_WAIT_VALUE_OFF);
        t->upd_val[1] = le32(t, SLOT_ES_UPDATE_VALUE_OFF);
    }
    trace_records(t);
    for (unsigned lane = 0; lane < 2; lane++)
        check_lane(s, t->wait_mode[lane], t->wait_val[lane], t->upd_mode[lane], t->upd_val[lane]);
    check_operation(s);
    if (s->fault.set)
        return;
    /* Register operands of waits and updates: the slot's own execution never changes what its waits read. */
    for (unsigned lane = 0; lane < 2; lane++)
        if (t->wait_mode[lane] & WAIT_REG_BIT && t->wait_mode[lane] != WAIT_UNORDERED)
            t->wait_val[lane] = s->regs[t->wait_val[lane]];
}

/* ---- operands, when the waits have passed ---- */

static uint64_t address(const struct seq *s, unsigned off)
{
    const uint8_t *b = s->slot.bytes + off;
    if ((b[ADDR8_REG_MARKER_OFF] & ADDR8_MARKER_MASK) == ADDR8_REG)
        return (uint64_t)reg_value(s, b[ADDR8_REG_HI_OFF]) << 32 | reg_value(s, b[ADDR8_REG_LO_OFF]);
    return get_le64(b) & (uint64_t)ADDR8_IMM_WORD_ADDR_MASK;
}

static void add_reg(struct slot *t, uint8_t reg, uint32_t value)
{
    if (reg >= REG_COUNT)
        return; /* the PC registers ignore writes */
    t->reg[t->nregs] = reg;
    t->reg_val[t->nregs++] = value;
}

static void set_write(struct slot *t, uint64_t addr, uint64_t data, uint32_t size)
{
    t->write_addr = addr;
    t->write_data = size == 8 ? data : data & ((UINT64_C(1) << (8 * size)) - 1);
    t->write_size = size;
    t->nwrites = 1;
}

static void begin_move(struct seq *s)
{
    struct slot *t = &s->slot;
    for (unsigned i = 0; i < t->bytes[SLOT_MOVE_NUM_MOV_OFF]; i++) {
        uint32_t imm = le32(t, SLOT_MOVE_IMM_OFF + 4 * i);
        bool from_imm = t->bytes[SLOT_MOVE_SOURCE_OFF] == SRC_IMM;
        add_reg(t, t->bytes[SLOT_MOVE_DST_OFF + i],
                from_imm ? imm : reg_value(s, t->bytes[SLOT_MOVE_SRC_OFF + i]));
    }
}

static void begin_alu(struct seq *s)
{
    struct slot *t = &s->slot;
    const uint8_t *b = t->bytes;
    uint32_t a = reg_value(s, b[SLOT_ALU_SRC0_LO_OFF]), result = 0;
    bool imm = b[SLOT_ALU_SRC1_SRC_OFF] == SRC_IMM;
    uint32_t c = imm ? le32(t, SLOT_ALU_IMM_OFF) : reg_value(s, b[SLOT_ALU_SRC1_LO_OFF]);
    if (!alu_compute(b[SLOT_ALU_OP_OFF], b[SLOT_ALU_DTYPE_OFF] == DTYPE_INT32, a, c, &result))
        fault(s, FAULT_INT_DIV_ZERO, 0);
    else
        add_reg(t, b[SLOT_ALU_DST_LO_OFF], result);
}

static uint64_t displaced(uint64_t pc, uint32_t disp)
{
    return pc + (disp >> 31 ? (uint64_t)disp | ~UINT64_C(0) << 32 : disp);
}

static void begin_branch(struct seq *s)
{
    struct slot *t = &s->slot;
    const uint8_t *b = t->bytes;
    uint8_t cmp = b[SLOT_BR_CMP_OP_OFF];
    if (cmp != CMP_ALWAYS) {
        uint32_t left = reg_value(s, b[SLOT_BR_CMP_REG0_OFF]);
        uint32_t right =
            cmp <= CMP_GT_IMM ? le32(t, SLOT_BR_CMP_IMM_OFF) : reg_value(s, b[SLOT_BR_CMP_REG1_OFF]);
        if (!alu_compare(cmp, b[SLOT_BR_DTYPE_OFF], left, right))
            return;
    }
    uint32_t lo = reg_value(s, b[SLOT_BR_TARGET_LO_OFF]);
    switch (b[SLOT_BR_TARGET_MODE_OFF]) {
    case BR_REG:
        t->next_pc = (uint64_t)reg_value(s, b[SLOT_BR_TARGET_HI_OFF]) << 32 | lo;
        break;
    case BR_REL_IMM:
        t->next_pc = displaced(s->pc, le32(t, SLOT_BR_DISP_OFF));
        break;
    default:
        t->next_pc = displaced(s->pc, lo);
        break;
    }
}

static void begin_memory(struct seq *s)
{
    struct slot *t = &s->slot;
    uint64_t addr = address(s, SLOT_MEM_ADDR_OFF);
    uint8_t reg = t->bytes[SLOT_MEM_DATA_LO_OFF];
    uint64_t place = addr & ~(uint64_t)SOC_ADDR_ATTR_MASK;
    bool to_psum = place >= SOC_PSUM && place - SOC_PSUM < SOC_PSUM_BYTES;
    if (addr % 4 || (t->op == OP_TENSOR_STORE && to_psum)) {
        illegal(s);
        return;
    }
    if (t->op == OP_TENSOR_STORE) {
        set_write(t, addr, reg_value(s, reg), 4);
        return;
    }
    t->read_addr = addr;
    t->nreads = 1;
    add_reg(t, reg, 0);
}

static void begin_clear(struct seq *s)
{
    struct slot *t = &s->slot;
    const uint8_t *b = t->bytes;
    for (unsigned i = 0; i < SEM_COUNT; i++) {
        bool listed = b[SLOT_RANGE_MODE_OFF] == RANGE_RANGE
                          ? i >= b[SLOT_RANGE_FIRST_OFF] && i <= b[SLOT_RANGE_LAST_OFF]
                          : (b[SLOT_RANGE_MASK_OFF + i / 8] >> (i % 8) & 1) != 0;
        if (listed)
            t->sems[t->nsems++] = (uint8_t)i;
    }
}

static void begin_poll(struct seq *s)
{
    struct slot *t = &s->slot;
    t->read_addr = get_le64(t->bytes + SLOT_POLL_ADDR_OFF);
    t->write_addr = get_le64(t->bytes + SLOT_POLL_WRITEBACK_OFF);
    t->writes_optional = t->write_addr == 0;
    t->write_size = 4;
    if (t->read_addr % 4 || t->write_addr % 4) {
        illegal(s);
        return;
    }
    t->nreads = t->bytes[SLOT_POLL_N_READ_OFF];
    add_reg(t, t->bytes[SLOT_POLL_RESULT_OFF], 0);
}

bool slot_begin(struct seq *s)
{
    struct slot *t = &s->slot;
    s->folded = UINT32_MAX;
    s->read.answered = false;
    switch (t->op) {
    case OP_WRITE: {
        uint64_t addr = address(s, SLOT_WRITE_ADDR_OFF);
        uint32_t size = t->bytes[SLOT_WRITE_WR_SIZE_OFF];
        set_write(t, addr, get_le64(t->bytes + SLOT_WRITE_VALUE_OFF), size);
        if (addr % size)
            illegal(s);
        break;
    }
    case OP_MOVE:
        begin_move(s);
        break;
    case OP_ALU_OP:
        begin_alu(s);
        break;
    case OP_COMPARE_BRANCH:
        begin_branch(s);
        break;
    case OP_TENSOR_LOAD:
    case OP_TENSOR_STORE:
        begin_memory(s);
        break;
    case OP_EVENT_SEMAPHORE_RANGE_CLEAR:
        begin_clear(s);
        break;
    case OP_POLL_SEM:
        begin_poll(s);
        break;
    case OP_NOTIFY: {
        uint8_t flags =
            t->bytes[SLOT_NOTIFY_FLAGS_OFF] & (SLOT_NOTIFY_FLAGS_NOTIFY_MASK | SLOT_NOTIFY_FLAGS_INTR_MASK);
        t->notify = flags == 0 || (flags & SLOT_NOTIFY_FLAGS_NOTIFY_MASK) != 0;
        t->counts_done = (t->bytes[SLOT_HDR_DEBUG_HINT_OFF] & SLOT_HDR_DEBUG_HINT_NIBBLE_MASK) == HINT_DONE;
        break;
    }
    default:
        break;
    }
    return !s->fault.set;
}
