/* The short forms as text: see form.h; read back by parse_form.c. */
#include "isa/form.h"

#include "isa/number.h"
#include "isa/print.h"
#include "isa/words.h"

bool form_exists(unsigned opcode)
{
    return opcode == OP_MOVE || opcode == OP_ALU_OP || opcode == OP_COMPARE_BRANCH;
}

bool form_covers(unsigned opcode, unsigned off)
{
    switch (opcode) {
    case OP_MOVE:
        return off != SLOT_MOVE_DTYPE_OFF;
    case OP_ALU_OP:
        return off != SLOT_ALU_DTYPE_OFF && off != SLOT_ALU_DST_DTYPE_OFF;
    case OP_COMPARE_BRANCH:
        return off != SLOT_BR_DTYPE_OFF;
    default:
        return false;
    }
}

static bool all_zero(const uint8_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (b[i])
            return false;
    return true;
}

/* {R10,R11}, or R10 alone when the high register is 0. */
static char *pair(char *p, unsigned lo, unsigned hi, bool always)
{
    if (!always && hi == 0)
        return print_reg(p, lo);
    *p++ = '{';
    p = print_reg(p, lo);
    *p++ = ',';
    p = print_reg(p, hi);
    *p++ = '}';
    return p;
}

/* Registers are named here, so all of them must have names. */
static bool named(const uint8_t *regs, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (!print_is_reg(regs[i]))
            return false;
    return true;
}

static char *print_move(const uint8_t *slot, char *p)
{
    unsigned n = slot[SLOT_MOVE_NUM_MOV_OFF], source = slot[SLOT_MOVE_SOURCE_OFF];
    const uint8_t *src = slot + SLOT_MOVE_SRC_OFF, *dst = slot + SLOT_MOVE_DST_OFF,
                  *imm = slot + SLOT_MOVE_IMM_OFF;
    if (n == 0 || n > SLOT_MOVE_MAX || source > SRC_IMM || !named(dst, n) ||
        !all_zero(dst + n, SLOT_MOVE_MAX - n))
        return NULL;
    unsigned nsrc = source == SRC_REG ? n : 0, nimm = n - nsrc;
    if (!named(src, nsrc) || !all_zero(src + nsrc, SLOT_MOVE_MAX - nsrc) ||
        !all_zero(imm + 4 * nimm, 4 * (SLOT_MOVE_MAX - nimm)))
        return NULL;
    for (unsigned i = 0; i < n; i++) {
        if (i)
            *p++ = ',';
        *p++ = ' ';
        p = print_reg(p, dst[i]);
        *p++ = '=';
        p = source == SRC_REG ? print_reg(p, src[i]) : put_hex(p, load_le(imm + 4 * i, 4));
    }
    return p;
}

static char *print_alu(const uint8_t *slot, char *p)
{
    const uint8_t *regs = slot + SLOT_ALU_SRC0_LO_OFF;
    uint64_t imm = load_le(slot + SLOT_ALU_IMM_OFF, SLOT_ALU_IMM_BYTES);
    bool immediate = slot[SLOT_ALU_SRC1_SRC_OFF] == SRC_IMM;
    if (slot[SLOT_ALU_SRC1_SRC_OFF] > SRC_IMM ||
        !named(regs, SLOT_ALU_DST_HI_OFF + 1 - SLOT_ALU_SRC0_LO_OFF) ||
        (immediate ? slot[SLOT_ALU_SRC1_LO_OFF] || slot[SLOT_ALU_SRC1_HI_OFF] : imm != 0))
        return NULL;
    const char *op = alu_word(slot[SLOT_ALU_OP_OFF]);
    if (!op)
        return NULL;
    *p++ = ' ';
    p = pair(p, slot[SLOT_ALU_DST_LO_OFF], slot[SLOT_ALU_DST_HI_OFF], false);
    *p++ = '=';
    p = pair(p, slot[SLOT_ALU_SRC0_LO_OFF], slot[SLOT_ALU_SRC0_HI_OFF], false);
    *p++ = ' ';
    p = print_text(p, op);
    *p++ = ' ';
    if (!immediate)
        return pair(p, slot[SLOT_ALU_SRC1_LO_OFF], slot[SLOT_ALU_SRC1_HI_OFF], false);
    return slot[SLOT_ALU_DTYPE_OFF] == DTYPE_FP32 ? put_hex(p, imm) : put_i64(p, (int64_t)imm);
}

static const char *compare_sign(unsigned op)
{
    static const char *const signs[] = { [CMP_LT_IMM] = "<",  [CMP_LE_IMM] = "<=", [CMP_EQ_IMM] = "==",
                                         [CMP_NE_IMM] = "!=", [CMP_GE_IMM] = ">=", [CMP_GT_IMM] = ">" };
    if (op >= CMP_LT_REG && op <= CMP_GT_REG)
        op = op - CMP_LT_REG + CMP_LT_IMM;
    return op >= CMP_LT_IMM && op <= CMP_GT_IMM ? signs[op] : NULL;
}

/* NULL when a field that this comparison does not use is not 0. */
static char *print_condition(const uint8_t *slot, char *p)
{
    unsigned op = slot[SLOT_BR_CMP_OP_OFF], reg0 = slot[SLOT_BR_CMP_REG0_OFF],
             reg1 = slot[SLOT_BR_CMP_REG1_OFF];
    uint32_t imm = (uint32_t)load_le(slot + SLOT_BR_CMP_IMM_OFF, SLOT_BR_CMP_IMM_BYTES);
    const char *sign = compare_sign(op);
    if (op == CMP_ALWAYS)
        return reg0 || reg1 || imm ? NULL : print_text(p, " always");
    bool reg = op >= CMP_LT_REG;
    if (!sign || !print_is_reg(reg0) || !print_is_reg(reg1) || (reg ? imm != 0 : reg1 != 0))
        return NULL;
    p = print_reg(print_text(p, " if "), reg0);
    p = print_text(p, sign);
    if (reg)
        return print_reg(p, reg1);
    return slot[SLOT_BR_DTYPE_OFF] == DTYPE_FP32 ? put_hex(p, imm) : put_i64(p, (int32_t)imm);
}

/* Whole slots are displacements and carry a sign; other numbers are label ids (§5.5). Builders zero-extend.
 */
static char *print_target_number(char *p, uint64_t disp)
{
    if (disp > UINT32_MAX)
        return put_hex(p, disp);
    int32_t signed_disp = (int32_t)(uint32_t)disp;
    if (signed_disp >= 0 && signed_disp % (int32_t)SLOT_BYTES == 0)
        *p++ = '+';
    return put_i64(p, signed_disp);
}

static char *print_branch(const uint8_t *slot, char *p)
{
    unsigned lo = slot[SLOT_BR_TARGET_LO_OFF], hi = slot[SLOT_BR_TARGET_HI_OFF];
    uint64_t disp = load_le(slot + SLOT_BR_DISP_OFF, SLOT_BR_DISP_BYTES);
    p = print_condition(slot, p);
    if (!p || !print_is_reg(lo) || !print_is_reg(hi))
        return NULL;
    p = print_text(p, " -> ");
    switch (slot[SLOT_BR_TARGET_MODE_OFF]) {
    case BR_REG:
        return disp ? NULL : pair(p, lo, hi, true);
    case BR_REL_IMM:
        return lo || hi ? NULL : print_target_number(p, disp);
    case BR_REL_REG:
        return disp || hi ? NULL : print_reg(print_text(p, "+"), lo);
    default:
        return NULL;
    }
}

char *form_print(const uint8_t *slot, char *p)
{
    switch (slot[SLOT_HDR_OPCODE_OFF]) {
    case OP_MOVE:
        return print_move(slot, p);
    case OP_ALU_OP:
        return print_alu(slot, p);
    case OP_COMPARE_BRANCH:
        return print_branch(slot, p);
    default:
        return NULL;
    }
}
