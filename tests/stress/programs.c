/*
 * Random programs for the five engines. A program is legal and ends: every wait is placed after the update
 * that satisfies it in one global order, loops count down, functions return. What its loads see, and who is
 * first, is the chip's choice and judged in lockstep.
 */
#include "stress.h"

#include <string.h>

#include "isa/isa.h"

#define IMAGES      0x400000u
#define IMAGE_SPACE 0x20000u
#define SLOTS_MAX   700u
#define FUNCTIONS   3u

/* Who owns what: 16 semaphores and events per engine, the rest is shared in one of these ways. */
#define OWN(e, n)     ((uint8_t)(16 * (e) + (n)))
#define CROSS_FIRST   100u
#define CROSS_COUNT   40u
#define BARRIER       200u
#define DATA_REGS     32u /* R0..R31 hold data */
#define REG_ADDR_LO   40u
#define REG_ADDR_HI   41u
#define REG_LOOP      44u
#define REG_RETURN_LO 50u
#define REG_RETURN_HI 51u

struct program {
    uint8_t code[SLOTS_MAX * SLOT_BYTES];
    unsigned n;
    unsigned calls[SLOTS_MAX], ncalls; /* slots that branch to a function not placed yet */
};

static struct program programs[ENG_COUNT];
static uint32_t crossed[CROSS_COUNT], barriers;

static uint64_t image(unsigned e)
{
    return IMAGES + (uint64_t)e * IMAGE_SPACE;
}

static void add(unsigned e, const struct inst *in)
{
    struct program *p = &programs[e];
    if (p->n < SLOTS_MAX)
        isa_encode(in, p->code + SLOT_BYTES * p->n++);
}

static uint8_t data_reg(struct rig *g)
{
    return (uint8_t)rig_below(g, DATA_REGS);
}

static uint8_t read_reg(struct rig *g)
{
    return rig_chance(g, 95) ? data_reg(g) : rig_chance(g, 50) ? REG_PC_LO : REG_PC_HI;
}

/* ---- waits and updates ---- */

static void random_update(struct rig *g, unsigned e, uint8_t *mode, uint8_t *idx, uint32_t *value)
{
    static const uint8_t modes[] = {
        UPD_EVT_SET_READ,        UPD_EVT_CLR_READ,         UPD_SEM_INC_READ,         UPD_SEM_DEC_READ,
        UPD_SEM_ADD_IMM_READ,    UPD_SEM_SUB_IMM_READ,     UPD_SEM_WR_IMM_READ,      UPD_SEM_ADD_REG_READ,
        UPD_SEM_SUB_REG_READ,    UPD_SEM_WR_REG_READ,      UPD_EVT_SET_COMPLETE,     UPD_EVT_CLR_COMPLETE,
        UPD_SEM_INC_COMPLETE,    UPD_SEM_DEC_COMPLETE,     UPD_SEM_ADD_IMM_COMPLETE, UPD_SEM_SUB_IMM_COMPLETE,
        UPD_SEM_WR_IMM_COMPLETE, UPD_SEM_ADD_REG_COMPLETE, UPD_SEM_SUB_REG_COMPLETE, UPD_SEM_WR_REG_COMPLETE,
    };
    *mode = modes[rig_below(g, sizeof modes)];
    *idx = OWN(e, rig_below(g, 16));
    *value = *mode & UPD_REG_BIT ? data_reg(g) : rig_value(g);
}

/* A slot that makes a predicate true, then the predicate for the next slot. */
static void true_wait(struct rig *g, unsigned e, uint8_t *mode, uint8_t *idx, uint32_t *value)
{
    struct inst in = isa_inst(OP_NOP);
    *idx = in.update_idx = OWN(e, rig_below(g, 16));
    *value = in.value = rig_value(g);
    switch (rig_below(g, 8)) {
    case 0:
        in.update_mode = UPD_EVT_SET_COMPLETE;
        *mode = rig_chance(g, 50) ? WAIT_EVT_SET : WAIT_EVT_SET_THEN_CLEAR;
        break;
    case 1:
        in.update_mode = UPD_EVT_CLR_READ;
        *mode = rig_chance(g, 50) ? WAIT_EVT_CLEAR : WAIT_EVT_CLEAR_THEN_SET;
        break;
    default:
        in.update_mode = rig_chance(g, 50) ? UPD_SEM_WR_IMM_READ : UPD_SEM_WR_IMM_COMPLETE;
        static const uint8_t modes[] = { WAIT_SEM_EQ_IMM, WAIT_SEM_LE_IMM, WAIT_SEM_GE_IMM };
        *mode = modes[rig_below(g, 3)];
        if (rig_chance(g, 20)) { /* the same through a register */
            struct inst mv = isa_inst(OP_MOVE);
            mv.u.move.num = 1;
            mv.u.move.dtype = DTYPE_UINT32;
            mv.u.move.source = SRC_IMM;
            mv.u.move.dst[0] = data_reg(g);
            mv.u.move.imm[0] = *value;
            add(e, &mv);
            *value = mv.u.move.dst[0];
            *mode |= WAIT_REG_BIT;
        }
        break;
    }
    add(e, &in);
}

static void decorate(struct rig *g, unsigned e, struct inst *in)
{
    static const uint8_t marks[] = { DBG_NOTIFY, DBG_START, DBG_END, DBG_START_END, DBG_INS_FIELD, 2 };
    if (rig_chance(g, 12))
        in->debug_cmd = marks[rig_below(g, sizeof marks)];
    in->debug_hint = (uint8_t)rig_random(g);
    if (in->opcode == OP_NOTIFY && rig_chance(g, 50))
        in->debug_hint = HINT_DONE;
    if (rig_chance(g, 15))
        true_wait(g, e, &in->wait_mode, &in->wait_idx, &in->value);
    else if (rig_chance(g, 25))
        random_update(g, e, &in->update_mode, &in->update_idx, &in->value);
    else if (rig_chance(g, 5))
        in->wait_mode = WAIT_UNORDERED;
}

/* ---- operations ---- */

static uint64_t shared(struct rig *g, uint32_t align)
{
    return STRESS_SHARED + (rig_below(g, STRESS_SHARED_BYTES) & ~(align - 1));
}

static void move_imm(struct rig *g, unsigned e, uint8_t dst, uint32_t value)
{
    struct inst in = isa_inst(OP_MOVE);
    in.u.move.num = 1;
    in.u.move.dtype = (uint8_t)rig_range(g, DTYPE_INT32, DTYPE_FP32);
    in.u.move.source = SRC_IMM;
    in.u.move.dst[0] = dst;
    in.u.move.imm[0] = value;
    add(e, &in);
}

/* An address as an immediate or in a register pair, sometimes with attribute bits. */
static uint64_t addr8(struct rig *g, unsigned e, uint64_t addr)
{
    if (rig_chance(g, 10))
        addr |= (uint64_t)rig_below(g, 2) << SOC_ADDR_ATTR_LSB;
    if (rig_chance(g, 70))
        return addr;
    if (rig_chance(g, 20))
        addr |= (uint64_t)rig_below(g, 8) << SOC_ADDR_ATTR_LSB;
    move_imm(g, e, REG_ADDR_LO, (uint32_t)addr);
    move_imm(g, e, REG_ADDR_HI, (uint32_t)(addr >> 32));
    return (uint64_t)ADDR8_REG << (8 * ADDR8_REG_MARKER_OFF) | REG_ADDR_HI << 8 | REG_ADDR_LO;
}

static uint64_t register_addr(struct rig *g, unsigned e)
{
    switch (rig_below(g, 8)) {
    case 0:
        return rig_lreg(e) + LREG_LR_BASE + LREG_LR_STRIDE * rig_range(g, 10 + 8 * e, 17 + 8 * e);
    case 1:
        return SOC_EVT + EVT_WIN_SEM_READ + 4 * rig_below(g, SEM_COUNT);
    case 2:
        return SOC_EVT + EVT_WIN_EVENT + 4 * OWN(e, rig_below(g, 16));
    case 3:
        return SOC_EVT + EVT_WIN_SEM_SET + 4 * OWN(e, rig_below(g, 16));
    case 4:
        return SOC_EVT + EVT_WIN_SEM_INC + 4 * OWN(e, rig_below(g, 16));
    case 5:
        return SOC_EVT + EVT_WIN_SEM_DEC + 4 * OWN(e, rig_below(g, 16));
    case 6:
        return SOC_TOPSP0 + EVT_WIN_SEM_INC + 4 * rig_below(g, 16);
    default:
        return rig_chance(g, 50) ? SOC_HARNESS + 4 * rig_below(g, 64) : SOC_RDM;
    }
}

static void add_access(struct rig *g, unsigned e)
{
    unsigned kind = rig_below(g, 4);
    bool to_register = rig_chance(g, 30);
    if (kind < 2) {
        struct inst in = isa_inst(kind ? OP_TENSOR_LOAD : OP_TENSOR_STORE);
        in.u.mem.dtype = (uint8_t)rig_range(g, DTYPE_INT32, DTYPE_FP32);
        in.u.mem.num_elem[0] = in.u.mem.num_elem[1] = 1;
        in.u.mem.data_lo = kind ? data_reg(g) : read_reg(g);
        in.u.mem.addr = addr8(g, e, to_register ? register_addr(g, e) : shared(g, 4));
        decorate(g, e, &in);
        add(e, &in);
    } else if (kind == 2) {
        struct inst in = isa_inst(OP_WRITE);
        in.u.write.size = to_register && rig_chance(g, 90) ? 4 : (uint8_t)(1u << rig_below(g, 4));
        in.u.write.value = (uint64_t)rig_value(g) << 32 | rig_value(g);
        uint64_t at = to_register ? register_addr(g, e) : shared(g, in.u.write.size);
        in.u.write.addr = addr8(g, e, at & ~(uint64_t)(in.u.write.size - 1));
        decorate(g, e, &in);
        add(e, &in);
    } else {
        struct inst in = isa_inst(OP_POLL_SEM);
        in.u.poll.n_read = (uint8_t)rig_range(g, 1, POLL_SEM_MAX);
        in.u.poll.result = data_reg(g);
        in.u.poll.op = ALU_MIN;
        in.u.poll.addr =
            rig_chance(g, 60) ? SOC_EVT + EVT_WIN_SEM_READ + 4 * rig_below(g, 200) : shared(g, 64);
        in.u.poll.writeback = rig_chance(g, 10) ? SOC_EVT + EVT_WIN_SEM_SET + 4 * OWN(e, 0) : shared(g, 64);
        decorate(g, e, &in);
        add(e, &in);
    }
}

static void add_alu(struct rig *g, unsigned e)
{
    struct inst in = isa_inst(OP_ALU_OP);
    do {
        in.u.alu.op = (uint8_t)(rig_chance(g, 60) ? rig_below(g, ALU_MOD + 1)
                                                  : rig_range(g, ALU_INT_ADD, ALU_UINT_MOD));
    } while (in.u.alu.op == ALU_POW || in.u.alu.op == ALU_INT_ABS);
    in.u.alu.dtype = (uint8_t)rig_range(g, DTYPE_INT32, DTYPE_UINT32);
    in.u.alu.dst_dtype = rig_chance(g, 50) ? 0 : in.u.alu.dtype;
    in.u.alu.src0_lo = read_reg(g);
    in.u.alu.src1_lo = read_reg(g);
    in.u.alu.dst_lo = read_reg(g);
    in.u.alu.src1_source = rig_chance(g, 50) ? SRC_IMM : SRC_REG;
    in.u.alu.imm = rig_value(g);
    bool divides = in.u.alu.op == ALU_DIVIDE || in.u.alu.op == ALU_MOD || in.u.alu.op == ALU_INT_DIV ||
                   in.u.alu.op == ALU_INT_MOD || in.u.alu.op == ALU_UINT_DIV || in.u.alu.op == ALU_UINT_MOD;
    if (divides) { /* never by zero, which would be a fault */
        in.u.alu.src1_source = SRC_IMM;
        in.u.alu.imm |= 1;
    }
    decorate(g, e, &in);
    add(e, &in);
}

static void add_move(struct rig *g, unsigned e)
{
    struct inst in = isa_inst(OP_MOVE);
    unsigned n = rig_range(g, 1, SLOT_MOVE_MAX);
    in.u.move.num = (uint8_t)n;
    in.u.move.dtype = (uint8_t)rig_range(g, DTYPE_INT32, DTYPE_FP32);
    in.u.move.source = rig_chance(g, 50) ? SRC_IMM : SRC_REG;
    unsigned base = rig_below(g, 8);
    for (unsigned i = 0; i < n; i++) {
        in.u.move.dst[i] = (uint8_t)(base + i);
        if (in.u.move.source == SRC_REG)
            in.u.move.src[i] = rig_chance(g, 90) ? (uint8_t)rig_range(g, 16, DATA_REGS - 1) : REG_PC_LO;
        in.u.move.imm[i] = rig_value(g);
    }
    decorate(g, e, &in);
    add(e, &in);
}

static void add_event_semaphore(struct rig *g, unsigned e)
{
    struct inst in = isa_inst(OP_EVENT_SEMAPHORE);
    if (rig_chance(g, 50))
        true_wait(g, e, &in.u.es.wait_mode, &in.u.es.wait_idx, &in.u.es.wait_value);
    random_update(g, e, &in.u.es.update_mode, &in.u.es.update_idx, &in.u.es.update_value);
    if (rig_chance(g, 30)) /* not on lane 0: its update could undo the wait of lane 1 */
        random_update(g, e, &in.update_mode, &in.update_idx, &in.value);
    add(e, &in);
}

static void add_range_clear(struct rig *g, unsigned e)
{
    struct inst in = isa_inst(OP_EVENT_SEMAPHORE_RANGE_CLEAR);
    in.u.range.mode = rig_chance(g, 50) ? RANGE_RANGE : RANGE_MASK;
    unsigned a = rig_below(g, 16), b = rig_below(g, 16);
    in.u.range.first = OWN(e, a < b ? a : b);
    in.u.range.last = OWN(e, a < b ? b : a);
    in.u.range.mask[2 * e] = (uint8_t)rig_random(g);
    in.u.range.mask[2 * e + 1] = (uint8_t)rig_random(g);
    decorate(g, e, &in);
    add(e, &in);
}

static void add_simple(struct rig *g, unsigned e)
{
    static const uint8_t ops[] = { OP_NOP,
                                   OP_NOP,
                                   OP_ENGINE_NOP,
                                   OP_DRAIN,
                                   OP_INSTRUCTION_FLUSH,
                                   OP_NOTIFY,
                                   OP_NOTIFY,
                                   OP_SET_ORDERING_MODE,
                                   OP_BRANCH_PREFETCH_HINT };
    struct inst in = isa_inst(ops[rig_below(g, sizeof ops)]);
    if (in.opcode == OP_NOTIFY) {
        in.u.notify.flags = (uint8_t)rig_below(g, 4);
        in.u.notify.hint_ext = (uint16_t)rig_random(g);
    } else if (in.opcode == OP_SET_ORDERING_MODE) {
        in.u.order.mode = (uint8_t)rig_below(g, 2);
    } else if (in.opcode == OP_BRANCH_PREFETCH_HINT) {
        in.u.hint.decision = (uint8_t)rig_below(g, 2);
        in.u.hint.mode = BR_REL_IMM;
        in.u.hint.branch_disp = (uint64_t)rig_below(g, 64) * SLOT_BYTES;
        in.u.hint.target_disp = (uint64_t)rig_below(g, 256) * SLOT_BYTES;
    }
    decorate(g, e, &in);
    add(e, &in);
}

/* Not taken or to the next slot: tests compares without making a maze. */
static void add_compare(struct rig *g, unsigned e)
{
    static const uint8_t cmps[] = { 1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14 };
    struct inst in = isa_inst(OP_COMPARE_BRANCH);
    in.u.br.cmp_op = cmps[rig_below(g, sizeof cmps)];
    in.u.br.dtype = (uint8_t)rig_range(g, DTYPE_INT32, DTYPE_FP32);
    in.u.br.cmp_imm = rig_value(g);
    in.u.br.cmp_reg0 = read_reg(g);
    in.u.br.cmp_reg1 = read_reg(g);
    in.u.br.target_mode = BR_REL_IMM;
    in.u.br.disp = SLOT_BYTES * rig_range(g, 1, 2);
    decorate(g, e, &in);
    add(e, &in);
    struct inst nop = isa_inst(OP_NOP);
    add(e, &nop);
}

static void add_private(struct rig *g, unsigned e)
{
    switch (rig_below(g, 10)) {
    case 0:
    case 1:
        add_alu(g, e);
        break;
    case 2:
        add_move(g, e);
        break;
    case 3:
    case 4:
        add_access(g, e);
        break;
    case 5:
        add_event_semaphore(g, e);
        break;
    case 6:
        add_range_clear(g, e);
        break;
    case 7:
        add_compare(g, e);
        break;
    default:
        add_simple(g, e);
        break;
    }
}

/* ---- control flow ---- */

static void add_branch(unsigned e, uint8_t cmp, uint8_t reg, int64_t disp)
{
    struct inst in = isa_inst(OP_COMPARE_BRANCH);
    in.u.br.cmp_op = cmp;
    in.u.br.dtype = DTYPE_INT32;
    in.u.br.cmp_reg0 = reg;
    in.u.br.target_mode = BR_REL_IMM;
    in.u.br.disp = (uint32_t)disp;
    add(e, &in);
}

static void add_call(unsigned e)
{
    struct inst in = isa_inst(OP_MOVE);
    in.u.move.num = 2;
    in.u.move.dtype = DTYPE_UINT32;
    in.u.move.src[0] = REG_PC_LO;
    in.u.move.src[1] = REG_PC_HI;
    in.u.move.dst[0] = REG_RETURN_LO;
    in.u.move.dst[1] = REG_RETURN_HI;
    add(e, &in);
    in = isa_inst(OP_ALU_OP);
    in.u.alu.op = ALU_ADD;
    in.u.alu.dtype = DTYPE_UINT32;
    in.u.alu.src0_lo = in.u.alu.dst_lo = REG_RETURN_LO;
    in.u.alu.src1_source = SRC_IMM;
    in.u.alu.imm = 3 * SLOT_BYTES;
    add(e, &in);
    struct program *p = &programs[e];
    if (p->n < SLOTS_MAX)
        p->calls[p->ncalls++] = p->n;
    add_branch(e, CMP_ALWAYS, 0, 0);
}

static void add_loop(struct rig *g, unsigned e)
{
    move_imm(g, e, REG_LOOP, rig_range(g, 1, 6));
    unsigned body = programs[e].n;
    for (unsigned i = rig_range(g, 1, 6); i > 0; i--)
        add_private(g, e);
    if (rig_chance(g, 30))
        add_call(e);
    struct inst in = isa_inst(OP_ALU_OP);
    in.u.alu.op = rig_chance(g, 50) ? ALU_SUB : ALU_INT_SUB;
    in.u.alu.dtype = DTYPE_INT32;
    in.u.alu.src0_lo = in.u.alu.dst_lo = REG_LOOP;
    in.u.alu.src1_source = SRC_IMM;
    in.u.alu.imm = 1;
    add(e, &in);
    add_branch(e, CMP_NE_IMM, REG_LOOP, ((int64_t)body - (int64_t)programs[e].n) * SLOT_BYTES);
}

static void add_functions(struct rig *g, unsigned e)
{
    struct program *p = &programs[e];
    unsigned at[FUNCTIONS];
    for (unsigned f = 0; f < FUNCTIONS; f++) {
        at[f] = p->n;
        for (unsigned i = rig_range(g, 1, 5); i > 0; i--)
            add_private(g, e);
        struct inst in = isa_inst(OP_COMPARE_BRANCH);
        in.u.br.target_mode = BR_REG;
        in.u.br.target_lo = REG_RETURN_LO;
        in.u.br.target_hi = REG_RETURN_HI;
        add(e, &in);
    }
    for (unsigned i = 0; i < p->ncalls; i++) {
        struct inst in;
        uint8_t *slot = p->code + SLOT_BYTES * p->calls[i];
        isa_decode(slot, &in);
        in.u.br.disp = (uint64_t)(at[rig_below(g, FUNCTIONS)] - p->calls[i]) * SLOT_BYTES;
        isa_encode(&in, slot);
    }
}

/* ---- between engines ---- */

static void add_wait(unsigned e, uint8_t mode, uint8_t idx, uint32_t value)
{
    struct inst in = isa_inst(OP_EVENT_SEMAPHORE);
    in.wait_mode = mode;
    in.wait_idx = idx;
    in.value = value;
    add(e, &in);
}

static void add_update(unsigned e, uint8_t mode, uint8_t idx, uint32_t value)
{
    struct inst in = isa_inst(OP_NOP);
    in.update_mode = mode;
    in.update_idx = idx;
    in.value = value;
    add(e, &in);
}

/* Semaphores between engines only rise, so a wait for a sum that was reached before never fails later. */
static void add_cross(struct rig *g)
{
    unsigned from = rig_below(g, ENG_COUNT), to = rig_below(g, ENG_COUNT), k = rig_below(g, CROSS_COUNT);
    uint32_t n = rig_range(g, 1, 5);
    crossed[k] += n;
    add_update(from, UPD_SEM_ADD_IMM_COMPLETE, (uint8_t)(CROSS_FIRST + k), n);
    add_wait(to, WAIT_SEM_GE_IMM, (uint8_t)(CROSS_FIRST + k), crossed[k]);
}

static void add_barrier(void)
{
    barriers++;
    for (unsigned e = 0; e < ENG_COUNT; e++)
        add_update(e, UPD_SEM_INC_COMPLETE, BARRIER, 0);
    for (unsigned e = 0; e < ENG_COUNT; e++)
        add_wait(e, WAIT_SEM_GE_IMM, BARRIER, ENG_COUNT * barriers);
}

static void add_write4(unsigned e, uint64_t addr, uint32_t value)
{
    struct inst in = isa_inst(OP_WRITE);
    in.u.write.size = 4;
    in.u.write.addr = addr;
    in.u.write.value = value;
    add(e, &in);
}

static void add_dma(struct rig *g)
{
    struct dma_job job;
    unsigned e = rig_below(g, ENG_COUNT);
    rings_post(g, &job);
    if (!job.m2s_count)
        return;
    add_write4(e, job.s2m_bell, job.s2m_count);
    add_write4(e, job.m2s_bell, job.m2s_count);
    if (rig_chance(g, 70))
        add_wait(rig_below(g, ENG_COUNT), WAIT_SEM_GE_IMM, job.semaphore, 1);
}

void programs_place(struct rig *g, bool dma)
{
    memset(programs, 0, sizeof programs);
    memset(crossed, 0, sizeof crossed);
    barriers = 0;
    for (unsigned i = rig_range(g, 20, 150); i > 0; i--) {
        uint32_t what = rig_below(g, 100);
        if (what < 70)
            add_private(g, rig_below(g, ENG_COUNT));
        else if (what < 80)
            add_cross(g);
        else if (what < 84)
            add_barrier();
        else if (what < 90)
            add_loop(g, rig_below(g, ENG_COUNT));
        else if (what < 95 || !dma)
            add_call(rig_below(g, ENG_COUNT));
        else
            add_dma(g);
    }
    for (unsigned e = 0; e < ENG_COUNT; e++) {
        struct inst halt = isa_inst(OP_HALT);
        add(e, &halt);
        add_functions(g, e);
        rig_mem(g, image(e), programs[e].code, programs[e].n * SLOT_BYTES);
    }
    rig_fill(g, STRESS_SHARED, STRESS_SHARED_BYTES + 64);
}

static void aim(struct rig *g, unsigned e, uint64_t pc, uint64_t lower, uint64_t upper)
{
    uint64_t l = rig_lreg(e);
    rig_write(g, l + LREG_PC_LO_OFF, (uint32_t)pc);
    rig_write(g, l + LREG_PC_HI_OFF, (uint32_t)(pc >> 32));
    rig_write(g, l + LREG_BOUND_LO_LO_OFF, (uint32_t)lower);
    rig_write(g, l + LREG_BOUND_LO_HI_OFF, (uint32_t)(lower >> 32));
    rig_write(g, l + LREG_BOUND_HI_LO_OFF, (uint32_t)upper);
    rig_write(g, l + LREG_BOUND_HI_HI_OFF, (uint32_t)(upper >> 32));
}

static void start(struct rig *g, unsigned e)
{
    bool bounded = rig_chance(g, 80);
    uint64_t size = programs[e].n * (uint64_t)SLOT_BYTES;
    aim(g, e, image(e), bounded ? image(e) : 0, bounded ? image(e) + size - 1 : 0);
    rig_write(g, rig_lreg(e) + LREG_RELEASE_RUN_STALL_OFF, 0);
    rig_write(g, rig_lreg(e) + LREG_START_CTRL_OFF, rig_value(g) | 1);
}

void programs_start(struct rig *g)
{
    if (rig_chance(g, 20))
        rig_write(g, rig_lreg(rig_below(g, ENG_COUNT)) + LREG_MODE_OFF, LREG_MODE_ORDERING_MASK);
    for (unsigned e = 0; e < ENG_COUNT; e++)
        start(g, e);
}

void programs_disturb(struct rig *g)
{
    unsigned e = rig_below(g, ENG_COUNT);
    uint64_t l = rig_lreg(e);
    switch (rig_below(g, 12)) {
    case 0:
        rig_write(g, SOC_EVT + EVT_WIN_SEM_INC + 4 * rig_below(g, 80), rig_value(g));
        break;
    case 1:
        rig_write(g, SOC_EVT + EVT_WIN_EVENT + 4 * rig_below(g, 80), rig_below(g, 2));
        break;
    case 2: /* break, and go on later */
        rig_write(g, l + LREG_INSTR_HALT_CTRL_OFF, 1);
        rig_run(g, rig_below(g, 300));
        rig_write(g, l + LREG_START_CTRL_OFF, 1);
        break;
    case 3: /* a break that is taken back */
        rig_write(g, l + LREG_INSTR_HALT_CTRL_OFF, 1);
        rig_write(g, l + LREG_INSTR_HALT_CTRL_OFF, 0);
        break;
    case 4: /* reset, and again from the start */
        rig_write(g, l + LREG_RELEASE_RUN_STALL_OFF, 1);
        if (rig_chance(g, 50))
            rig_run(g, rig_below(g, 200));
        start(g, e);
        break;
    case 5:
        rig_write(g, SOC_TPB_CTRL + TPB_FAKE_ERROR_DATA_OFF, rig_random(g));
        rig_write(g, SOC_TPB_CTRL + TPB_FAKE_ERROR_CTRL_OFF, 1);
        if (rig_chance(g, 50))
            rig_write(g, SOC_TPB_CTRL + TPB_FAKE_ERROR_CTRL_OFF, 1);
        break;
    case 6:
        rig_write(g, l + LREG_START_CTRL_OFF, rig_below(g, 2));
        break;
    case 7:
        rig_write(g, l + LREG_MODE_OFF, rig_random(g));
        break;
    case 8:
        rig_read(g, l + LREG_RUN_STATE_OFF);
        rig_read(g, l + LREG_HALT_REASON_OFF);
        rig_read(g, l + LREG_ERROR_WORD_OFF);
        break;
    default:
        rig_take_records(g);
        break;
    }
}

void stress_programs(struct rig *g)
{
    bool disturbed = rig_chance(g, 40);
    rig_notific(g);
    programs_place(g, false);
    programs_start(g);
    for (unsigned i = 0; i < 60 && !g->failed; i++) {
        rig_run(g, rig_below(g, 400));
        if (disturbed && rig_chance(g, 40))
            programs_disturb(g);
        else
            rig_take_records(g);
    }
    rig_settle(g, 40000);
}

/* ---- illegal and odd slots ---- */

/* Would overwrite an image: the line cache may or may not see that. */
static bool harmless(const uint8_t *slot)
{
    struct inst in;
    isa_decode(slot, &in);
    uint64_t a = in.opcode == OP_WRITE          ? in.u.write.addr
                 : in.opcode == OP_TENSOR_STORE ? in.u.mem.addr
                 : in.opcode == OP_POLL_SEM     ? in.u.poll.writeback
                                                : 0;
    a &= ~(uint64_t)SOC_ADDR_ATTR_MASK;
    return a + 64 < IMAGES || a >= IMAGES + ENG_COUNT * IMAGE_SPACE;
}

static void mutate(struct rig *g, uint8_t *slot)
{
    uint8_t before[SLOT_BYTES];
    memcpy(before, slot, sizeof before);
    do {
        memcpy(slot, before, sizeof before);
        for (unsigned i = rig_range(g, 1, 3); i > 0; i--) {
            unsigned at = rig_chance(g, 60) ? rig_below(g, 36) : rig_below(g, SLOT_BYTES);
            slot[at] =
                rig_chance(g, 50) ? (uint8_t)rig_random(g) : (uint8_t)(slot[at] ^ 1u << rig_below(g, 8));
        }
        if (rig_chance(g, 10))
            slot[0] = (uint8_t)rig_random(g);
    } while (!harmless(slot));
}

static void odd_start(struct rig *g, unsigned e)
{
    uint64_t pc = image(e);
    switch (rig_below(g, 8)) {
    case 0:
        pc += rig_below(g, SLOT_BYTES);
        break;
    case 1:
        pc = rig_chance(g, 50) ? SOC_RDM : SOC_EVT;
        break;
    case 2:
        pc -= SLOT_BYTES * rig_below(g, 2);
        break;
    default:
        break;
    }
    aim(g, e, pc, rig_chance(g, 50) ? 0 : image(e),
        rig_chance(g, 50) ? 0 : image(e) + SLOT_BYTES * rig_below(g, 8) - 1);
    if (e == ENG_SP)
        rig_write(g, rig_lreg(e) + LREG_SP_MODE_OFF, rig_chance(g, 10));
    rig_write(g, rig_lreg(e) + LREG_RELEASE_RUN_STALL_OFF, 0);
    rig_write(g, rig_lreg(e) + LREG_START_CTRL_OFF, 1);
}

void stress_bad_slots(struct rig *g)
{
    rig_notific(g);
    rig_fill(g, STRESS_SHARED, STRESS_SHARED_BYTES + 64);
    for (unsigned round = 0; round < 25 && !g->failed; round++) {
        memset(programs, 0, sizeof programs);
        for (unsigned e = 0; e < ENG_COUNT; e++) {
            for (unsigned i = rig_range(g, 1, 4); i > 0; i--)
                add_private(g, e);
            mutate(g, programs[e].code + SLOT_BYTES * rig_below(g, programs[e].n));
            struct inst halt = isa_inst(OP_HALT);
            add(e, &halt);
            rig_mem(g, image(e), programs[e].code, programs[e].n * SLOT_BYTES);
            odd_start(g, e);
        }
        for (unsigned i = rig_below(g, 4); i > 0; i--) {
            rig_run(g, rig_below(g, 300));
            rig_take_records(g);
        }
        for (unsigned e = 0; e < ENG_COUNT; e++)
            rig_write(g, rig_lreg(e) + LREG_RELEASE_RUN_STALL_OFF, 1);
        rig_settle(g, rig_chance(g, 80) ? 500 : 5000);
    }
    rig_settle(g, 20000);
}
