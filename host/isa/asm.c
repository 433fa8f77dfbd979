/* Assembly of whole texts and disassembly of whole programs: see asm.h. */
#include "isa/asm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/isa.h"
#include "isa/number.h"
#include "isa/print.h"
#include "isa/statement.h"

const char *const isa_dialect_names[] = {
    [ISA_NEURON] = "neuron", [ISA_TONGA] = "tonga", [ISA_SP8] = "sp8", NULL
};

/* Displacements have 32 bits, so programs end below 2 GiB. */
static const size_t program_max = (size_t)INT32_MAX + 1 - SLOT_BYTES;

unsigned isa_slot_bytes(enum isa_dialect d)
{
    return d == ISA_SP8 ? SP8_SLOT_BYTES : SLOT_BYTES;
}

int isa_sp_dialect(const uint8_t *code, size_t size, enum isa_dialect *out, struct nerr *err)
{
    bool neuron = size % SLOT_BYTES == 0;
    for (size_t at = 0; neuron && at < size; at += SLOT_BYTES)
        neuron = code[at + SLOT_HDR_WORD_LEN_OFF] == SLOT_WORDS;
    if (!neuron && size % SP8_SLOT_BYTES)
        return nerr_set(err, NERR_RULE, "",
                        "size %zu is no multiple of %u, the smallest slot of an SP program", size,
                        SP8_SLOT_BYTES);
    *out = neuron ? ISA_NEURON : ISA_SP8;
    return 0;
}

/* ---- assembling ---- */

/* name: for a label or the constant of a .set. */
static bool define(struct assembler *as, const char *name, size_t n, bool label, int64_t value)
{
    struct lexer *lx = &as->lx;
    struct lexer at = { .p = name, .end = name + n };
    struct assembler probe = { .lx = at };
    char quoted[LEX_QUOTE_MAX];
    if (parse_sees_reg(&probe))
        return lex_error(lx, NERR_INPUT, name, "%s is a register; expected another name",
                         lex_quote(name, n, quoted));
    struct symbol symbol = { .name = name, .len = n, .label = label, .value = value };
    switch (symbols_add(&as->symbols, &symbol)) {
    case SYMBOL_ADDED:
        return true;
    case SYMBOL_KNOWN:
        return lex_error(lx, NERR_INPUT, name, "%s is defined already", lex_quote(name, n, quoted));
    default:
        return lex_error(lx, NERR_MEM, name, "out of memory");
    }
}

/* Behind .set: NAME = number; */
static bool set(struct assembler *as)
{
    struct lexer *lx = &as->lx;
    const char *name = lx->p;
    size_t n = lex_name(lx);
    uint64_t value;
    if (!n)
        return lex_expected(lx, name, "a name behind .set");
    lx->p += n;
    return lex_need(lx, '=', ".set NAME = number;") &&
           parse_number(as, INT64_MIN, INT64_MAX, "number", &value) &&
           lex_need(lx, ';', ".set NAME = number;") && define(as, name, n, false, (int64_t)value);
}

/* Behind .slot: the bytes as pairs of hexadecimal digits. */
static bool slot(struct assembler *as, const char *at)
{
    struct lexer *lx = &as->lx;
    uint8_t bytes[SLOT_BYTES];
    unsigned size = isa_slot_bytes(as->dialect), n = 0;
    while (!lex_take(lx, ';')) {
        char pair[] = { '0', 'x', 0, 0 };
        struct lexer digits = { .p = pair, .end = pair + sizeof pair };
        uint64_t v;
        bool too_big;
        if (lx->p == lx->end || n == size)
            return lex_expected(lx, lx->p, n == size ? "';' behind %u bytes" : "%u bytes and ';'", size);
        if (lx->end - lx->p >= 2)
            memcpy(pair + 2, lx->p, 2);
        if (!lex_integer(&digits, &v, &too_big) || digits.p != digits.end)
            return lex_expected(lx, lx->p, "two hexadecimal digits of byte %u of %u", n, size);
        bytes[n++] = (uint8_t)v;
        lx->p += 2;
        if (!lex_space(lx))
            return false;
    }
    if (n != size)
        return lex_error(lx, NERR_INPUT, at, ".slot has %u bytes; expected %u", n, size);
    if (!parse_check_gen(as, at, bytes))
        return false;
    strbuf_add(as->out, bytes, size);
    return true;
}

static bool directive(struct assembler *as)
{
    struct lexer *lx = &as->lx;
    const char *at = lx->p++;
    size_t n = lex_name(lx);
    bool is_slot = n == 4 && memcmp(lx->p, "slot", n) == 0, is_set = n == 3 && memcmp(lx->p, "set", n) == 0;
    if (!is_slot && !is_set)
        return lex_expected(lx, lx->p, ".slot or .set");
    lx->p += n;
    return lex_space(lx) && (is_slot ? slot(as, at) : set(as));
}

static bool statement_or_label(struct assembler *as)
{
    struct lexer *lx = &as->lx;
    const char *name = lx->p;
    size_t n = lex_name(lx);
    if (!n)
        return lex_expected(lx, name, "an instruction, a label or a directive");
    lx->p += n;
    if (!lex_space(lx))
        return false;
    if (lex_take(lx, ':'))
        return define(as, name, n, true, (int64_t)(as->out->len - as->base));
    if (as->out->len - as->base >= program_max)
        return lex_error(lx, NERR_INPUT, name, "the program is longer than 2 GiB");
    return parse_statement(as, name, n);
}

/* Puts the labels into the fields that wait for them. */
static bool resolve(struct assembler *as)
{
    for (size_t i = 0; i < as->nuses; i++) {
        const struct label_use *u = &as->uses[i];
        const struct symbol *s = symbols_find(&as->symbols, u->name, u->len);
        char quoted[LEX_QUOTE_MAX];
        if (!s || !s->label)
            return lex_error(&as->lx, NERR_INPUT, u->name,
                             "%s is no label; expected one that the text defines with %s",
                             lex_quote(u->name, u->len, quoted), "`name:`");
        int64_t value = u->index ? s->value / isa_slot_bytes(as->dialect) : s->value - (int64_t)u->slot;
        store_le((uint8_t *)as->out->s + as->base + u->slot + u->off, u->width,
                 u->zero_extend ? (uint32_t)value : (uint64_t)value);
    }
    return true;
}

static bool assemble(struct assembler *as)
{
    struct lexer *lx = &as->lx;
    for (;;) {
        if (!lex_space(lx))
            return false;
        if (lx->p == lx->end)
            return as->out->failed || resolve(as);
        if (!(*lx->p == '.' ? directive(as) : statement_or_label(as)))
            return false;
    }
}

int isa_asm(const char *text, size_t len, const char *where, const struct isa_text_options *opt,
            struct strbuf *out, struct nerr *err)
{
    struct assembler as = {
        .lx = { .start = text, .p = text, .end = text + len, .where = where, .err = err },
        .dialect = opt->dialect,
        .gen = opt->gen,
        .out = out,
        .base = out->len,
    };
    bool ok = assemble(&as);
    symbols_free(&as.symbols);
    free(as.uses);
    if (ok && out->failed)
        return nerr_set(err, NERR_MEM, where, "out of memory");
    if (!ok)
        out->len = as.base;
    return ok ? 0 : err->code;
}

/* ---- disassembling ---- */

static char *print_comment(char *p, size_t index, size_t at)
{
    p = put_hex(print_text(p, " # "), at);
    return put_u64(print_text(p, " slot "), index + 1);
}

static int check_slot(const uint8_t *code, size_t at, const struct isa_text_options *opt, struct nerr *err)
{
    unsigned op = code[at];
    if (!opt->gen || opt->dialect != ISA_NEURON || isa_opcode_in_gen(op, opt->gen))
        return 0;
    char where[64];
    const char *name = operand_mnemonic(opt->dialect, code + at);
    snprintf(where, sizeof where, "slot %zu byte 0x%zx", at / isa_slot_bytes(opt->dialect) + 1, at);
    return nerr_set(err, NERR_RULE, where, "V%u (%s) has no %s, opcode 0x%02x", opt->gen,
                    isa_gen_name(opt->gen), name ? name : "such instruction", op);
}

int isa_disasm(const uint8_t *code, size_t size, const struct isa_text_options *opt, struct strbuf *out,
               struct nerr *err)
{
    unsigned step = isa_slot_bytes(opt->dialect);
    size_t base = out->len;
    if (size % step)
        return nerr_set(err, NERR_RULE, "", "size %zu is no multiple of %u, the slot of %s", size, step,
                        isa_dialect_names[opt->dialect]);
    enum { CHUNK = 65536 };
    char *buf = malloc(CHUNK + STATEMENT_MAX), *p = buf;
    struct printer *pr = calloc(1, sizeof *pr);
    int rc = buf && pr ? 0 : nerr_set(err, NERR_MEM, "", "out of memory");
    if (pr)
        *pr = (struct printer){ .dialect = opt->dialect, .gen = opt->gen };
    for (size_t at = 0; rc == 0 && at < size; at += step) {
        rc = check_slot(code, at, opt, err);
        p = print_slot(pr, code + at, p);
        if (opt->comments)
            p = print_comment(p, at / step, at);
        *p++ = '\n';
        if (p - buf > CHUNK || at + step == size) {
            strbuf_add(out, buf, (size_t)(p - buf));
            p = buf;
        }
    }
    free(buf);
    free(pr);
    if (rc == 0 && out->failed)
        rc = nerr_set(err, NERR_MEM, "", "out of memory");
    if (rc)
        out->len = base;
    return rc;
}
