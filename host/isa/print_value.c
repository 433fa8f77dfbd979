/* Operand values as text, by kind (docs/asm.md, operands). */
#include <string.h>

#include "isa/number.h"
#include "isa/print.h"
#include "isa/words.h"

uint64_t operand_get(const struct operand *o, const uint8_t *slot, unsigned i)
{
    if (o->bits)
        return (uint64_t)slot[o->off] >> o->lsb & ((1u << o->bits) - 1);
    return load_le(slot + o->off + i * o->width, o->width);
}

void operand_set(const struct operand *o, uint8_t *slot, unsigned i, uint64_t value)
{
    if (o->bits) {
        unsigned mask = ((1u << o->bits) - 1) << o->lsb;
        slot[o->off] = (uint8_t)((slot[o->off] & ~mask) | ((unsigned)value << o->lsb & mask));
        return;
    }
    store_le(slot + o->off + i * o->width, o->width, value);
}

bool operand_is_number(const struct operand *o)
{
    switch ((enum operand_kind)o->kind) {
    case OPD_TENSOR:
    case OPD_DATA4D:
    case OPD_ADDR8:
    case OPD_TEXT:
    case OPD_BITS:
    case OPD_LANE:
        return false;
    default:
        return true;
    }
}

bool print_is_reg(uint64_t number)
{
    return number < REG_COUNT || number == REG_PC_LO || number == REG_PC_HI;
}

char *print_reg(char *p, uint64_t number)
{
    if (number == REG_PC_LO)
        return print_text(p, "PC.lo");
    if (number == REG_PC_HI)
        return print_text(p, "PC.hi");
    if (number < REG_COUNT)
        *p++ = 'R';
    return put_u64(p, number);
}

static int64_t sign_extend(uint64_t v, unsigned bits)
{
    uint64_t sign = (uint64_t)1 << (bits - 1);
    return (int64_t)((v ^ sign) - sign);
}

static char *word_or_hex(char *p, const char *word, uint64_t v)
{
    return word ? print_text(p, word) : put_hex(p, v);
}

static const char *word_of(const struct operand_word *w, uint64_t v)
{
    for (; w->word; w++)
        if (w->value == v)
            return w->word;
    return NULL;
}

static char *number(const struct operand *o, const uint8_t *slot, unsigned i, char *p)
{
    uint64_t v = operand_get(o, slot, i);
    unsigned bits = o->bits ? o->bits : 8u * o->width;
    switch ((enum operand_kind)o->kind) {
    case OPD_INT:
    case OPD_DISP:
        return put_i64(p, sign_extend(v, bits));
    case OPD_HEX:
        return put_hex(p, v);
    case OPD_F32:
        return put_f32(p, (uint32_t)v);
    case OPD_REG:
        return print_reg(p, v);
    case OPD_WORD:
        return word_or_hex(p, word_of(o->words, v), v);
    case OPD_DTYPE:
        return word_or_hex(p, dtype_word((unsigned)v), v);
    case OPD_DTYPE2:
        p = word_or_hex(p, dtype_word((unsigned)v & 0xf), v & 0xf);
        *p++ = ',';
        return word_or_hex(p, dtype_word((unsigned)v >> 4), v >> 4);
    case OPD_ALU:
        return word_or_hex(p, alu_word((unsigned)v), v);
    default:
        return put_u64(p, v);
    }
}

/* One dimension: how many, and the step when it is not 1. */
static char *dimension(char *p, uint64_t num, int64_t step)
{
    p = put_u64(p, num);
    if (step == 1)
        return p;
    *p++ = ':';
    return put_i64(p, step);
}

/* [64,3:100]: up to the last dimension that is not one element at step 1. */
static char *dimensions(char *p, const uint8_t *step, const uint8_t *num, unsigned n)
{
    unsigned last = n;
    while (last > 1 && load_le(num + 2 * (last - 1), 2) == 1 && load_le(step + 2 * (last - 1), 2) == 1)
        last--;
    *p++ = '[';
    for (unsigned i = 0; i < last; i++) {
        if (i)
            *p++ = ',';
        p = dimension(p, load_le(num + 2 * i, 2), sign_extend(load_le(step + 2 * i, 2), 16));
    }
    *p++ = ']';
    return p;
}

/* On-chip address: partition and offset where the map knows them (tpb-compute.md §1). */
static char *place(enum isa_dialect d, char *p, uint32_t addr)
{
    uint32_t stride = 0;
    if (d != ISA_TONGA && addr < PSUM_BASE) {
        p = print_text(p, "SB[");
        stride = SBUF_STRIDE;
    } else if (d != ISA_TONGA && addr - PSUM_BASE < PARTITIONS * PSUM_STRIDE) {
        p = print_text(p, "PSUM[");
        addr -= PSUM_BASE;
        stride = PSUM_STRIDE;
    } else
        p = print_text(p, "MEM[");
    if (stride && addr >= stride) {
        *p++ = 'p';
        p = put_u64(p, addr / stride);
        *p++ = '+';
    }
    return put_hex(p, stride ? addr % stride : addr);
}

static char *tensor(enum isa_dialect d, const struct operand *o, const uint8_t *slot, char *p)
{
    const uint8_t *t = slot + o->off;
    uint32_t word = (uint32_t)load_le(t, ADDR4_WORD_BYTES);
    uint32_t addr = word & ADDR4_WORD_ADDR_MASK;
    bool reg = (word & ADDR4_WORD_ADDR_REG_MASK) != 0, shape = (word & ADDR4_WORD_SHAPE_REG_MASK) != 0;
    if ((word & ADDR4_WORD_INDIRECT_MASK) != 0 || (reg && addr >= REG_COUNT)) {
        p = put_hex(print_text(p, "RAW["), word); /* a marker whose meaning is not known */
        shape = false;
    } else if (reg) {
        *p++ = '[';
        p = print_reg(p, addr);
    } else
        p = place(d, p, addr);
    if (shape)
        p = print_text(p, ",shape");
    *p++ = ']';
    return dimensions(p, t + TENSOR_STEP_OFF, t + TENSOR_STEP_OFF + 2 * o->count, o->count);
}

static char *data4d(const struct operand *o, const uint8_t *slot, char *p)
{
    const uint8_t *t = slot + o->off;
    p = put_i64(p, sign_extend(load_le(t + DATA4D_BASE_OFF, DATA4D_BASE_BYTES), 8 * DATA4D_BASE_BYTES));
    return dimensions(p, t + DATA4D_STEP_OFF, t + DATA4D_NUM_OFF, TENSOR_DIMS_MAX);
}

static char *addr8(const struct operand *o, const uint8_t *slot, char *p)
{
    uint64_t word = load_le(slot + o->off, ADDR8_IMM_WORD_BYTES), low = word & ADDR8_IMM_WORD_ADDR_MASK;
    unsigned marker = (unsigned)(word >> ADDR8_IMM_WORD_MARKER_LSB);
    unsigned lo = (unsigned)low & 0xff, hi = (unsigned)(low >> 8) & 0xff;
    bool reg = (marker & ADDR8_REG) != 0;
    *p++ = '[';
    if ((marker & ~ADDR8_MARKER_MASK) != 0 ||
        (reg && (low >> 16 || !print_is_reg(lo) || !print_is_reg(hi)))) {
        p = put_hex(p, word);
        return print_text(p, ",raw]");
    }
    if (reg) {
        *p++ = '{';
        p = print_reg(p, lo);
        *p++ = ',';
        p = print_reg(p, hi);
        *p++ = '}';
    } else
        p = put_hex(p, low);
    for (const struct operand_word *w = addr8_flag_words; w->word; w++)
        if (marker & w->value) {
            *p++ = ',';
            p = print_text(p, w->word);
        }
    *p++ = ']';
    return p;
}

static bool is_name(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char c = s[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
              (i && ((c >= '0' && c <= '9') || c == '.'))))
            return false;
    }
    return n != 0;
}

/* A name stands as it is, everything else in quotes, with what follows the first NUL. */
static char *text(const struct operand *o, const uint8_t *slot, char *p)
{
    const char *s = (const char *)slot + o->off;
    size_t n = o->width;
    while (n && s[n - 1] == '\0')
        n--;
    if (is_name(s, n)) {
        memcpy(p, s, n);
        return p + n;
    }
    *p++ = '"';
    for (size_t i = 0; i < n; i++) {
        if (s[i] == '"' || s[i] == '\\')
            *p++ = '\\';
        if (s[i] >= ' ' && s[i] <= '~')
            *p++ = s[i];
        else {
            p = print_text(p, "\\x");
            p = put_hex_bytes(p, (const uint8_t *)s + i, 1);
        }
    }
    *p++ = '"';
    return p;
}

/* {0..7,9}: runs of set bits. */
static char *bits(const struct operand *o, const uint8_t *slot, char *p)
{
    const uint8_t *b = slot + o->off;
    char separator = '{';
    for (unsigned i = 0, total = 8u * o->width; i < total; i++) {
        unsigned first = i;
        while (i < total && b[i / 8] >> (i % 8) & 1)
            i++;
        if (i == first)
            continue;
        *p++ = separator;
        separator = ',';
        p = put_u64(p, first);
        if (i - first > 1)
            p = put_u64(print_text(p, ".."), i - 1);
    }
    if (separator == '{')
        *p++ = '{';
    *p++ = '}';
    return p;
}

char *print_value(enum isa_dialect d, const struct operand *o, const uint8_t *slot, char *p)
{
    switch ((enum operand_kind)o->kind) {
    case OPD_TENSOR:
        return tensor(d, o, slot, p);
    case OPD_DATA4D:
        return data4d(o, slot, p);
    case OPD_ADDR8:
        return addr8(o, slot, p);
    case OPD_TEXT:
        return text(o, slot, p);
    case OPD_BITS:
        return bits(o, slot, p);
    default:
        break;
    }
    for (unsigned i = 0; i < o->count; i++) {
        if (i)
            *p++ = ',';
        p = number(o, slot, i, p);
    }
    return p;
}
