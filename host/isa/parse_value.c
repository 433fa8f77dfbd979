/* Operand values, read back: the inverse of print_value.c. */
#include <stdlib.h>
#include <string.h>

#include "isa/number.h"
#include "isa/parse.h"
#include "isa/print.h"
#include "isa/words.h"

static bool number_error(struct assembler *as, const char *at, int64_t min, uint64_t max, const char *what)
{
    return max > 0xffff
               ? lex_expected(&as->lx, at, "%s, %lld to 0x%llx", what, (long long)min,
                              (unsigned long long)max)
               : lex_expected(&as->lx, at, "%s, %lld to %llu", what, (long long)min, (unsigned long long)max);
}

bool parse_number(struct assembler *as, int64_t min, uint64_t max, const char *what, uint64_t *value)
{
    struct lexer *lx = &as->lx;
    const char *at = lx->p;
    bool negative = lex_take(lx, '-'), too_big = false;
    size_t name = negative ? 0 : lex_name(lx);
    uint64_t v;
    if (name) {
        const struct symbol *s = symbols_find(&as->symbols, lx->p, name);
        if (!s || s->label)
            return number_error(as, at, min, max, what);
        lx->p += name;
        negative = s->value < 0;
        v = negative ? 0 - (uint64_t)s->value : (uint64_t)s->value;
    } else if (!lex_integer(lx, &v, &too_big))
        return number_error(as, at, min, max, what);
    if (too_big ||
        (negative ? v > 0 - (uint64_t)min || (min >= 0 && v) : v > max || (min > 0 && v < (uint64_t)min))) {
        char quoted[LEX_QUOTE_MAX];
        return lex_error(
            lx, NERR_INPUT, at, max > 0xffff ? "%s is no %s, %lld to 0x%llx" : "%s is no %s, %lld to %llu",
            lex_quote(at, (size_t)(lx->p - at), quoted), what, (long long)min, (unsigned long long)max);
    }
    *value = negative ? 0 - v : v;
    return true;
}

static bool ends_name(const struct lexer *lx, const char *word, size_t n)
{
    return strlen(word) == n && memcmp(lx->p, word, n) == 0;
}

/* R and a number of at most three digits, or PC.lo, PC.hi; -1 for any other name. */
static int reg_of(const struct lexer *lx, size_t n)
{
    if (ends_name(lx, "PC.lo", n))
        return (int)REG_PC_LO;
    if (ends_name(lx, "PC.hi", n))
        return (int)REG_PC_HI;
    if (n < 2 || n > 4 || lx->p[0] != 'R')
        return -1;
    int number = 0;
    for (size_t i = 1; i < n; i++) {
        if (lx->p[i] < '0' || lx->p[i] > '9')
            return -1;
        number = number * 10 + lx->p[i] - '0';
    }
    return number;
}

bool parse_sees_reg(const struct assembler *as)
{
    return reg_of(&as->lx, lex_name(&as->lx)) >= 0;
}

bool parse_reg(struct assembler *as, uint64_t max, uint64_t *reg)
{
    struct lexer *lx = &as->lx;
    size_t n = lex_name(lx);
    int number = reg_of(lx, n);
    if (n && (number < 0 || !print_is_reg((unsigned)number)))
        return lex_expected(lx, lx->p, "a register, R0 to R%u, PC.lo or PC.hi", REG_COUNT - 1);
    if (!n)
        return parse_number(as, 0, max, "register", reg);
    if (lx->p[0] == 'R' && number >= (int)REG_COUNT)
        return lex_expected(lx, lx->p, "a register, R0 to R%u, PC.lo or PC.hi", REG_COUNT - 1);
    lx->p += n;
    *reg = (uint64_t)number;
    return true;
}

bool parse_pair(struct assembler *as, uint8_t *lo, uint8_t *hi)
{
    uint64_t a, b;
    if (!lex_need(&as->lx, '{', "a register pair, {R10,R11}") || !parse_reg(as, UINT8_MAX, &a) ||
        !lex_need(&as->lx, ',', "a register pair, {R10,R11}") || !parse_reg(as, UINT8_MAX, &b) ||
        !lex_need(&as->lx, '}', "a register pair, {R10,R11}"))
        return false;
    *lo = (uint8_t)a;
    *hi = (uint8_t)b;
    return true;
}

/* A name that `code` knows, or a number up to max. */
static bool coded(struct assembler *as, int (*code)(const char *, size_t), uint64_t max, const char *what,
                  uint64_t *value)
{
    struct lexer *lx = &as->lx;
    size_t n = lex_name(lx);
    int found = n ? code(lx->p, n) : -1;
    if (found < 0)
        return parse_number(as, 0, max, what, value);
    if ((uint64_t)found > max)
        return lex_expected(lx, lx->p, "a data type with a code of at most %llu here",
                            (unsigned long long)max);
    lx->p += n;
    *value = (uint64_t)found;
    return true;
}

static const char dtype_wanted[] = "data type (fp32, bf16, int8, ...) or code";

bool parse_alu_op(struct assembler *as, uint64_t *code)
{
    return coded(as, alu_code, UINT8_MAX, "ALU operation (ADD, MULT, MAX, ...) or code", code);
}

static bool word(struct assembler *as, const struct operand *o, uint64_t max, uint64_t *value)
{
    struct lexer *lx = &as->lx;
    size_t n = lex_name(lx);
    for (const struct operand_word *w = o->words; n && w->word; w++)
        if (strlen(w->word) == n && word_distance(lx->p, n, w->word) == 0) {
            lx->p += n;
            *value = w->value;
            return true;
        }
    if (n && !symbols_find(&as->symbols, lx->p, n)) {
        char list[SUGGEST_MAX];
        return lex_expected(lx, lx->p, "%s or a number for %s", list_words(o->words, list),
                            o->key ? o->key : "it");
    }
    return parse_number(as, 0, max, "number", value);
}

static bool f32(struct assembler *as, uint64_t *value)
{
    struct lexer *lx = &as->lx;
    const char *at = lx->p, *p = at, *end = lx->end;
    if (end - p > 1 && p[0] == '0' && p[1] == 'x')
        return parse_number(as, 0, UINT32_MAX, "number, or 0x and the bits of one", value);
    p += p < end && *p == '-';
    while (p < end && ((*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'z') || *p == '.' || *p == 'E' ||
                       ((*p == '+' || *p == '-') && p > at && (p[-1] == 'e' || p[-1] == 'E'))))
        p++;
    uint32_t bits;
    if (!read_f32(at, (size_t)(p - at), &bits))
        return lex_expected(lx, at, "a number that fits binary32 (1.5, -2e-3, inf), or 0x and its bits");
    lx->p = p;
    *value = bits;
    return true;
}

bool parse_label_use(struct assembler *as, const struct operand *field, bool zero_extend)
{
    struct lexer *lx = &as->lx;
    if (as->nuses == as->uses_capacity) {
        enum { FIRST = 64 };
        size_t capacity = as->uses_capacity ? as->uses_capacity * 2 : FIRST;
        struct label_use *uses = realloc(as->uses, capacity * sizeof *uses);
        if (!uses)
            return lex_error(lx, NERR_MEM, lx->p, "out of memory");
        as->uses = uses;
        as->uses_capacity = capacity;
    }
    size_t n = lex_name(lx);
    as->uses[as->nuses++] = (struct label_use){
        .name = lx->p,
        .len = n,
        .slot = as->out->len - as->base,
        .off = field->off,
        .width = field->width,
        .index = field->kind == OPD_INDEX,
        .zero_extend = zero_extend,
    };
    lx->p += n;
    return true;
}

/* One element of an operand of numbers. */
static bool number(struct assembler *as, const struct operand *o, uint64_t *value)
{
    unsigned bits = o->bits ? o->bits : 8u * o->width;
    uint64_t max = UINT64_MAX >> (64 - bits), second;
    int64_t min = -(int64_t)(max >> 1) - 1;
    size_t n = lex_name(&as->lx);
    switch ((enum operand_kind)o->kind) {
    case OPD_DISP:
    case OPD_INDEX:
        if (n) {
            const struct symbol *s = symbols_find(&as->symbols, as->lx.p, n);
            *value = 0;
            if (!s || s->label)
                return parse_label_use(as, o, false);
        }
        return parse_number(as, o->kind == OPD_DISP ? min : 0, max, "label or number", value);
    case OPD_INT:
        return parse_number(as, min, max, "number", value);
    case OPD_F32:
        return f32(as, value);
    case OPD_REG:
        return parse_reg(as, max, value);
    case OPD_WORD:
        return word(as, o, max, value);
    case OPD_DTYPE:
        return coded(as, dtype_code, max, dtype_wanted, value);
    case OPD_DTYPE2:
        if (!coded(as, dtype_code, 0xf, dtype_wanted, value) ||
            !lex_need(&as->lx, ',', "a pair of data types") ||
            !coded(as, dtype_code, 0xf, dtype_wanted, &second))
            return false;
        *value |= second << 4;
        return true;
    case OPD_ALU:
        return parse_alu_op(as, value);
    default:
        return parse_number(as, 0, max, "number", value);
    }
}

/* [num:step,...] of n dimensions at most; those left out are one element at step 1. */
static bool dimensions(struct assembler *as, uint8_t *step, uint8_t *num, unsigned n)
{
    struct lexer *lx = &as->lx;
    static const char in[] = "dimensions, [64,4:128] as count:step";
    for (unsigned i = 0; i < n; i++) {
        store_le(step + 2 * i, 2, 1);
        store_le(num + 2 * i, 2, 1);
    }
    if (!lex_need(lx, '[', in))
        return false;
    for (unsigned i = 0;; i++) {
        uint64_t v;
        if (i == n)
            return lex_expected(lx, lx->p, "at most %u dimensions", n);
        if (!parse_number(as, 0, UINT16_MAX, "count", &v) || !lex_space(lx))
            return false;
        store_le(num + 2 * i, 2, v);
        if (lex_take(lx, ':')) {
            if (!lex_space(lx) || !parse_number(as, INT16_MIN, INT16_MAX, "step", &v) || !lex_space(lx))
                return false;
            store_le(step + 2 * i, 2, v);
        }
        if (lex_take(lx, ']'))
            return true;
        if (!lex_need(lx, ',', in))
            return false;
    }
}

/* p32+0x100 or an offset alone, inside one partition. */
static bool place(struct assembler *as, uint32_t base, uint32_t stride, uint64_t *addr)
{
    struct lexer *lx = &as->lx;
    uint64_t partition = 0, offset = 0;
    if (lx->end - lx->p > 1 && lx->p[0] == 'p' && lx->p[1] >= '0' && lx->p[1] <= '9') {
        lx->p++;
        if (!parse_number(as, 0, PARTITIONS - 1, "partition", &partition) || !lex_space(lx))
            return false;
        *addr = base + partition * stride;
        if (!lex_take(lx, '+'))
            return true;
        if (!lex_space(lx))
            return false;
    }
    if (!parse_number(as, 0, stride - 1, "offset in a partition", &offset))
        return false;
    *addr = base + partition * stride + offset;
    return true;
}

/* The ADDR4 in its brackets. */
static bool addr4(struct assembler *as, uint64_t *word_out)
{
    struct lexer *lx = &as->lx;
    static const char wanted[] = "an address: SB[0x0], PSUM[p32+0x0], MEM[0x0] or [R5]";
    const char *at = lx->p;
    size_t n = lex_name(lx);
    bool sb = ends_name(lx, "SB", n), psum = ends_name(lx, "PSUM", n), raw = ends_name(lx, "RAW", n);
    if (n && !sb && !psum && !raw && !ends_name(lx, "MEM", n))
        return lex_expected(lx, at, "%s", wanted);
    if ((sb || psum) && as->dialect == ISA_TONGA)
        return lex_error(lx, NERR_INPUT, at,
                         "the on-chip map of tonga is not known; expected MEM[0x0] or [R5]");
    lx->p += n;
    bool ok;
    uint64_t v = 0;
    if (!lex_need(lx, '[', wanted))
        return false;
    if (sb)
        ok = place(as, 0, SBUF_STRIDE, &v);
    else if (psum)
        ok = place(as, PSUM_BASE, PSUM_STRIDE, &v);
    else if (n)
        ok = parse_number(as, 0, raw ? UINT32_MAX : ADDR4_WORD_ADDR_MASK, "address", &v);
    else {
        const char *reg = lx->p;
        if (!parse_sees_reg(as))
            return lex_expected(
                lx, reg, "a register in [R5]; an address needs its space, SB[0x0], PSUM[0x0] or MEM[0x0]");
        ok = parse_reg(as, REG_COUNT - 1, &v);
        if (ok && v >= REG_COUNT)
            return lex_expected(lx, reg, "R0 to R%u; the program counter is no on-chip address",
                                REG_COUNT - 1);
        v |= ADDR4_WORD_ADDR_REG_MASK;
    }
    if (!ok || !lex_space(lx))
        return false;
    if (!raw && lex_take(lx, ',')) {
        if (!lex_space(lx))
            return false;
        n = lex_name(lx);
        if (!ends_name(lx, "shape", n))
            return lex_expected(lx, lx->p, "shape");
        lx->p += n;
        v |= ADDR4_WORD_SHAPE_REG_MASK;
    }
    *word_out = v;
    return lex_need(lx, ']', "an address");
}

static bool tensor(struct assembler *as, struct statement *st, const struct operand *o)
{
    uint8_t *t = st->slot + o->off;
    uint64_t w = 0;
    if (!addr4(as, &w))
        return false;
    store_le(t, ADDR4_WORD_BYTES, w);
    return dimensions(as, t + TENSOR_STEP_OFF, t + TENSOR_STEP_OFF + 2 * o->count, o->count);
}

static bool data4d(struct assembler *as, struct statement *st, const struct operand *o)
{
    uint8_t *t = st->slot + o->off;
    uint64_t base;
    if (!parse_number(as, INT32_MIN, UINT32_MAX, "base", &base))
        return false;
    store_le(t + DATA4D_BASE_OFF, DATA4D_BASE_BYTES, base);
    return dimensions(as, t + DATA4D_STEP_OFF, t + DATA4D_NUM_OFF, TENSOR_DIMS_MAX);
}

/* The words behind an ADDR8: bits of the marker, or "raw" for all 64 bits as they are. */
static bool addr8_flags(struct assembler *as, uint64_t *marker, bool *raw)
{
    struct lexer *lx = &as->lx;
    while (lex_space(lx) && lex_take(lx, ',')) {
        if (!lex_space(lx))
            return false;
        size_t n = lex_name(lx);
        const struct operand_word *w = addr8_flag_words;
        while (w->word && !ends_name(lx, w->word, n))
            w++;
        if (!w->word && !ends_name(lx, "raw", n))
            return lex_expected(lx, lx->p, "shape, table, var, reg, wide or raw");
        *marker |= w->word ? w->value : 0;
        *raw = *raw || !w->word;
        lx->p += n;
    }
    return lex_need(lx, ']', "an address, [0x1000] or [{R10,R11}]");
}

static bool addr8(struct assembler *as, struct statement *st, const struct operand *o)
{
    struct lexer *lx = &as->lx;
    const char *at = lx->p;
    uint64_t v, marker = 0;
    bool raw = false;
    if (!lex_need(lx, '[', "an address, [0x1000] or [{R10,R11}]"))
        return false;
    if (lx->p < lx->end && *lx->p == '{') {
        uint8_t lo, hi;
        if (!parse_pair(as, &lo, &hi))
            return false;
        v = lo | (uint64_t)hi << 8;
        marker = ADDR8_REG;
    } else if (!parse_number(as, 0, UINT64_MAX, "address", &v))
        return false;
    bool reg = marker != 0;
    if (!addr8_flags(as, &marker, &raw))
        return false;
    if (raw && marker)
        return lex_error(lx, NERR_INPUT, at, "raw gives all 64 bits, so it stands alone behind a number");
    if (!raw && !reg && v > ADDR8_IMM_WORD_ADDR_MASK)
        return lex_error(lx, NERR_INPUT, at,
                         "an address has at most 56 bits; the whole word is written [0x...,raw]");
    store_le(st->slot + o->off, ADDR8_IMM_WORD_BYTES, v | marker << ADDR8_IMM_WORD_MARKER_LSB);
    return true;
}

/* The character behind a backslash, or -1. */
static int escape(struct lexer *lx)
{
    uint64_t v;
    bool too_big;
    if (lex_take(lx, '"'))
        return '"';
    if (lex_take(lx, '\\'))
        return '\\';
    if (lx->end - lx->p < 3 || lx->p[0] != 'x')
        return -1;
    char hex[] = { '0', 'x', lx->p[1], lx->p[2] };
    struct lexer digits = { .p = hex, .end = hex + sizeof hex };
    if (!lex_integer(&digits, &v, &too_big) || digits.p != digits.end)
        return -1;
    lx->p += 3;
    return (int)v;
}

static bool text(struct assembler *as, struct statement *st, const struct operand *o)
{
    struct lexer *lx = &as->lx;
    uint8_t *to = st->slot + o->off;
    const char *at = lx->p;
    size_t n = lex_name(lx), len = 0;
    if (n > o->width)
        return lex_expected(lx, at, "at most %u characters", o->width);
    if (n) {
        memcpy(to, at, n);
        lx->p += n;
        return true;
    }
    if (!lex_take(lx, '"'))
        return lex_expected(lx, at, "%s or \"text in quotes\"", o->key ? o->key : "a name");
    while (!lex_take(lx, '"')) {
        const char *c = lx->p;
        if (c == lx->end || *c == '\n')
            return lex_error(lx, NERR_INPUT, at, "a text is not closed; expected '\"' before the line ends");
        lx->p++;
        int value = *c == '\\' ? escape(lx) : (unsigned char)*c;
        if (value < 0)
            return lex_expected(lx, c, "\\\\, \\\" or \\x and two digits");
        if (len == o->width)
            return lex_error(lx, NERR_INPUT, at, "the text is too long; expected at most %u bytes", o->width);
        to[len++] = (uint8_t)value;
    }
    return true;
}

static bool bits(struct assembler *as, struct statement *st, const struct operand *o)
{
    struct lexer *lx = &as->lx;
    static const char in[] = "a set, {0..7,9}";
    uint64_t last_bit = 8u * o->width - 1;
    if (!lex_need(lx, '{', in))
        return false;
    if (lex_take(lx, '}'))
        return true;
    for (;;) {
        uint64_t first, last;
        if (!parse_number(as, 0, last_bit, "number in the set", &first) || !lex_space(lx))
            return false;
        last = first;
        if (lex_take2(lx, "..") &&
            (!lex_space(lx) || !parse_number(as, (int64_t)first, last_bit, "end of a range", &last) ||
             !lex_space(lx)))
            return false;
        for (uint64_t i = first; i <= last; i++)
            st->slot[o->off + i / 8] |= (uint8_t)(1u << (i % 8));
        if (lex_take(lx, '}'))
            return true;
        if (!lex_need(lx, ',', in))
            return false;
    }
}

bool parse_value(struct assembler *as, struct statement *st, const struct operand *o)
{
    switch ((enum operand_kind)o->kind) {
    case OPD_TENSOR:
        return tensor(as, st, o);
    case OPD_DATA4D:
        return data4d(as, st, o);
    case OPD_ADDR8:
        return addr8(as, st, o);
    case OPD_TEXT:
        return text(as, st, o);
    case OPD_BITS:
        return bits(as, st, o);
    default:
        break;
    }
    for (unsigned i = 0; i < o->count; i++) {
        uint64_t v;
        if (i && !lex_need(&as->lx, ',', "a list of values"))
            return false;
        if (!number(as, o, &v))
            return false;
        operand_set(o, st->slot, i, v);
    }
    return true;
}
