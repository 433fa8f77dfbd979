/* The short forms, read back: the inverse of form.c. */
#include <string.h>

#include "isa/form.h"
#include "isa/number.h"
#include "isa/parse.h"
#include "isa/print.h"

/* R3 alone (the high register is 0) or {R3,R4}. */
static bool reg_or_pair(struct assembler *as, uint8_t *lo, uint8_t *hi)
{
    uint64_t reg;
    if (as->lx.p < as->lx.end && *as->lx.p == '{')
        return parse_pair(as, lo, hi);
    if (!parse_reg(as, UINT8_MAX, &reg))
        return false;
    *lo = (uint8_t)reg;
    *hi = 0;
    return true;
}

/* One "R1=0x40" or "R1=R2"; a comma may stand behind it. */
static bool one_move(struct assembler *as, struct statement *st)
{
    struct lexer *lx = &as->lx;
    const char *at = lx->p;
    uint64_t dst, value;
    unsigned n = st->moves;
    if (!parse_reg(as, UINT8_MAX, &dst) || !lex_need(lx, '=', "a move, R1=0x40 or R1=R2"))
        return false;
    if (n == SLOT_MOVE_MAX)
        return lex_error(lx, NERR_INPUT, at, "a MOVE has at most %u moves", SLOT_MOVE_MAX);
    unsigned source = parse_sees_reg(as) ? SRC_REG : SRC_IMM;
    if (n && source != st->slot[SLOT_MOVE_SOURCE_OFF])
        return lex_error(lx, NERR_INPUT, at, "the moves of one MOVE are all from registers or all immediate");
    if (source == SRC_REG) {
        if (!parse_reg(as, UINT8_MAX, &value))
            return false;
        st->slot[SLOT_MOVE_SRC_OFF + n] = (uint8_t)value;
    } else {
        if (!parse_number(as, INT32_MIN, UINT32_MAX, "register or immediate", &value))
            return false;
        store_le(st->slot + SLOT_MOVE_IMM_OFF + 4 * n, 4, value);
    }
    st->slot[SLOT_MOVE_DST_OFF + n] = (uint8_t)dst;
    st->slot[SLOT_MOVE_SOURCE_OFF] = (uint8_t)source;
    st->slot[SLOT_MOVE_NUM_MOV_OFF] = (uint8_t)++st->moves;
    if (!lex_space(lx))
        return false;
    if (!lex_take(lx, ','))
        return true;
    if (!lex_space(lx))
        return false;
    return parse_sees_reg(as) || lex_expected(lx, lx->p, "another move behind the comma");
}

/* "R3=R2 ADD 64", "{R2,R3}={R4,R5} SUB {R6,R7}". */
static bool alu(struct assembler *as, struct statement *st)
{
    struct lexer *lx = &as->lx;
    uint8_t *s = st->slot;
    uint64_t op, imm;
    if (!reg_or_pair(as, s + SLOT_ALU_DST_LO_OFF, s + SLOT_ALU_DST_HI_OFF) ||
        !lex_need(lx, '=', "an operation, R3=R2 ADD 64") ||
        !reg_or_pair(as, s + SLOT_ALU_SRC0_LO_OFF, s + SLOT_ALU_SRC0_HI_OFF) || !lex_space(lx) ||
        !parse_alu_op(as, &op) || !lex_space(lx))
        return false;
    s[SLOT_ALU_OP_OFF] = (uint8_t)op;
    if (parse_sees_reg(as) || (lx->p < lx->end && *lx->p == '{')) {
        s[SLOT_ALU_SRC1_SRC_OFF] = SRC_REG;
        return reg_or_pair(as, s + SLOT_ALU_SRC1_LO_OFF, s + SLOT_ALU_SRC1_HI_OFF);
    }
    if (!parse_number(as, INT64_MIN, UINT64_MAX, "register or immediate", &imm))
        return false;
    s[SLOT_ALU_SRC1_SRC_OFF] = SRC_IMM;
    store_le(s + SLOT_ALU_IMM_OFF, SLOT_ALU_IMM_BYTES, imm);
    return true;
}

/* Behind "if": R5==0, R5<R6. */
static bool condition(struct assembler *as, struct statement *st)
{
    static const struct {
        char sign[3];
        unsigned op;
    } signs[] = { { "<=", CMP_LE_IMM }, { ">=", CMP_GE_IMM }, { "==", CMP_EQ_IMM },
                  { "!=", CMP_NE_IMM }, { "<", CMP_LT_IMM },  { ">", CMP_GT_IMM } };
    struct lexer *lx = &as->lx;
    uint64_t reg0, right;
    if (!lex_space(lx) || !parse_reg(as, UINT8_MAX, &reg0) || !lex_space(lx))
        return false;
    size_t i = 0, n = sizeof signs / sizeof *signs;
    while (i < n && !(signs[i].sign[1] ? lex_take2(lx, signs[i].sign) : lex_take(lx, signs[i].sign[0])))
        i++;
    if (i == n)
        return lex_expected(lx, lx->p, "a comparison: == != < <= > or >=");
    if (!lex_space(lx))
        return false;
    unsigned op = signs[i].op;
    st->slot[SLOT_BR_CMP_REG0_OFF] = (uint8_t)reg0;
    if (parse_sees_reg(as)) {
        if (!parse_reg(as, UINT8_MAX, &right))
            return false;
        op += CMP_LT_REG - CMP_LT_IMM;
        st->slot[SLOT_BR_CMP_REG1_OFF] = (uint8_t)right;
    } else {
        if (!parse_number(as, INT32_MIN, UINT32_MAX, "register or number", &right))
            return false;
        store_le(st->slot + SLOT_BR_CMP_IMM_OFF, SLOT_BR_CMP_IMM_BYTES, right);
    }
    st->slot[SLOT_BR_CMP_OP_OFF] = (uint8_t)op;
    return true;
}

/* Behind "->": {R10,R11}, +R7, a displacement in bytes, a label id, or the name of a label or constant. */
static bool target(struct assembler *as, struct statement *st)
{
    static const struct operand disp = { .off = SLOT_BR_DISP_OFF,
                                         .width = SLOT_BR_DISP_BYTES,
                                         .kind = OPD_DISP };
    struct lexer *lx = &as->lx;
    uint64_t v;
    if (!lex_space(lx))
        return false;
    if (lx->p < lx->end && *lx->p == '{') {
        st->slot[SLOT_BR_TARGET_MODE_OFF] = BR_REG;
        return parse_pair(as, st->slot + SLOT_BR_TARGET_LO_OFF, st->slot + SLOT_BR_TARGET_HI_OFF);
    }
    bool plus = lex_take(lx, '+');
    if (plus && parse_sees_reg(as)) {
        st->slot[SLOT_BR_TARGET_MODE_OFF] = BR_REL_REG;
        if (!parse_reg(as, UINT8_MAX, &v))
            return false;
        st->slot[SLOT_BR_TARGET_LO_OFF] = (uint8_t)v;
        return true;
    }
    if (parse_sees_reg(as))
        return lex_expected(lx, lx->p, "{R10,R11} (an address), +R7 (a displacement), a number or a label");
    st->slot[SLOT_BR_TARGET_MODE_OFF] = BR_REL_IMM;
    size_t n = lex_name(lx);
    if (n && !plus) {
        const struct symbol *s = symbols_find(&as->symbols, lx->p, n);
        if (!s || s->label)
            return parse_label_use(as, &disp, true);
    }
    const char *at = lx->p;
    if (!parse_number(as, INT32_MIN, UINT64_MAX, "displacement in bytes, label id or label", &v))
        return false;
    if (*at == '-') /* builders zero-extend (§4.7) */
        v = (uint32_t)v;
    store_le(st->slot + SLOT_BR_DISP_OFF, SLOT_BR_DISP_BYTES, v);
    return true;
}

static bool next_is(const struct lexer *lx, const char *word)
{
    size_t n = lex_name(lx);
    return strlen(word) == n && memcmp(lx->p, word, n) == 0;
}

/* Which part of the form comes next: 0 none, else its place in the form. */
enum part { NO_PART, CONDITION, TARGET, ASSIGNMENT };

static enum part part_next(const struct assembler *as, unsigned opcode)
{
    const struct lexer *lx = &as->lx;
    bool brace = lx->p < lx->end && *lx->p == '{';
    if (opcode != OP_COMPARE_BRANCH)
        return parse_sees_reg(as) || (brace && opcode == OP_ALU_OP) ? ASSIGNMENT : NO_PART;
    if (next_is(lx, "always") || next_is(lx, "if"))
        return CONDITION;
    return lx->end - lx->p > 1 && lx->p[0] == '-' && lx->p[1] == '>' ? TARGET : NO_PART;
}

bool parse_form(struct assembler *as, struct statement *st, bool *taken)
{
    struct lexer *lx = &as->lx;
    const char *at = lx->p;
    unsigned opcode = st->slot[SLOT_HDR_OPCODE_OFF];
    enum part part = part_next(as, opcode);
    *taken = part != NO_PART;
    if (!*taken)
        return true;
    for (size_t i = 0; i < st->layout->count; i++)
        if (st->seen >> i & 1 && form_covers(opcode, st->layout->list[i].off))
            return lex_error(lx, NERR_INPUT, at,
                             "%s is given already; expected either the short form or keys",
                             st->layout->list[i].key);
    if (st->form && opcode != OP_MOVE)
        return lex_error(lx, NERR_INPUT, at, "the operation is given twice");
    st->form = true;
    if (opcode == OP_MOVE)
        return one_move(as, st);
    if (opcode == OP_ALU_OP)
        return alu(as, st);
    if (part == CONDITION) {
        bool conditional = next_is(lx, "if");
        lx->p += lex_name(lx);
        if ((conditional && !condition(as, st)) || !lex_space(lx))
            return false;
    }
    if (!lex_take2(lx, "->"))
        return lex_expected(lx, lx->p, "'->' and where to branch");
    return target(as, st);
}
