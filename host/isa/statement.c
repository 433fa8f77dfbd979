/* One statement: mnemonic, suffixes, operands in any order, ';'. */
#include "isa/statement.h"

#include <string.h>

#include "isa/form.h"
#include "isa/isa.h"
#include "isa/print.h"
#include "isa/words.h"

bool parse_check_gen(struct assembler *as, const char *at, const uint8_t *slot)
{
    unsigned op = slot[SLOT_HDR_OPCODE_OFF];
    if (as->dialect != ISA_NEURON || !as->gen || isa_opcode_in_gen(op, as->gen))
        return true;
    const char *name = operand_mnemonic(as->dialect, slot);
    return lex_error(&as->lx, NERR_RULE, at, "V%u (%s) has no %s, opcode 0x%02x", as->gen,
                     isa_gen_name(as->gen), name ? name : "such instruction", op);
}

static bool unknown_mnemonic(struct assembler *as, const char *name, size_t n)
{
    char quoted[LEX_QUOTE_MAX], near[SUGGEST_MAX];
    uint8_t slot[SLOT_BYTES];
    for (unsigned d = ISA_NEURON; d <= ISA_SP8; d++)
        if (d != as->dialect && operand_begin((enum isa_dialect)d, name, n, slot))
            return lex_error(&as->lx, NERR_INPUT, name, "%s is an instruction of %s, not of %s",
                             lex_quote(name, n, quoted), isa_dialect_names[d],
                             isa_dialect_names[as->dialect]);
    return lex_error(&as->lx, NERR_INPUT, name, "%s is no instruction of %s%s", lex_quote(name, n, quoted),
                     isa_dialect_names[as->dialect], suggest_mnemonic(as->dialect, name, n, near));
}

static void set_layout(struct assembler *as, struct statement *st)
{
    st->layout = operand_find(as->dialect, as->gen, st->slot);
    st->lane_off = 0;
    for (size_t i = 0; st->layout && i < st->layout->count; i++)
        if (st->layout->list[i].kind == OPD_LANE)
            st->lane_off = st->layout->list[i].off;
}

/* Operand i of the layout, at its value. */
static bool operand(struct assembler *as, struct statement *st, size_t i, const char *at)
{
    const struct operand *o = &st->layout->list[i];
    if (st->seen >> i & 1 || (st->form && form_covers(st->slot[SLOT_HDR_OPCODE_OFF], o->off)))
        return lex_error(&as->lx, NERR_INPUT, at, "%s is given twice", o->key ? o->key : "the operand");
    if (!parse_value(as, st, o))
        return false;
    st->seen |= (uint64_t)1 << i;
    st->next = i + 1;
    /* The operands of an extended instruction follow from its first one (operand.h). */
    if (i == 0)
        set_layout(as, st);
    return true;
}

/* Header bytes by name, where the slot has them. */
static bool header_key(struct assembler *as, struct statement *st, const char *key, size_t n, bool *known)
{
    static const struct {
        const char *key;
        struct operand operand;
    } keys[] = {
        { "inst_word_len", { .off = SLOT_HDR_WORD_LEN_OFF, .width = 1, .count = 1, .kind = OPD_UINT } },
        { "debug_hint", { .off = SLOT_HDR_DEBUG_HINT_OFF, .width = 1, .count = 1, .kind = OPD_UINT } },
        { "debug_cmd",
          { .key = "debug_cmd",
            .off = SLOT_HDR_DEBUG_CMD_OFF,
            .width = 1,
            .count = 1,
            .kind = OPD_WORD,
            .words = debug_cmd_words } },
    };
    struct operand numeric;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && as->dialect != ISA_SP8; i++)
        if (strlen(keys[i].key) == n && memcmp(keys[i].key, key, n) == 0) {
            *known = true;
            if (st->header >> i & 1)
                return lex_error(&as->lx, NERR_INPUT, key, "%s is given twice", keys[i].key);
            st->header |= 1u << i;
            numeric = keys[i].operand;
            if (as->dialect == ISA_TONGA) /* its debug_cmd has bits, not words (tpb-sequencer.md §1) */
                numeric.kind = OPD_UINT;
            return parse_value(as, st, &numeric);
        }
    *known = false;
    return true;
}

/* key=value; the key has n characters, the lexer is behind the '='. */
static bool keyed(struct assembler *as, struct statement *st, const char *key, size_t n)
{
    const struct operand_layout *l = st->layout;
    for (size_t k = 0; k < l->count; k++) {
        size_t i = (st->next + k) % l->count;
        const char *name = l->list[i].key;
        if (name && l->list[i].kind != OPD_FIXED && strncmp(name, key, n) == 0 && name[n] == '\0')
            return operand(as, st, i, key);
    }
    bool known;
    bool ok = parse_event_key(as, st, key, n, &known);
    if (ok && !known)
        ok = header_key(as, st, key, n, &known);
    if (!ok || known)
        return ok;
    char quoted[LEX_QUOTE_MAX], near[SUGGEST_MAX];
    return lex_error(&as->lx, NERR_INPUT, key, "%s is no operand of %s%s", lex_quote(key, n, quoted),
                     operand_mnemonic(as->dialect, st->slot), suggest_key(l, key, n, near));
}

/* Where the next positional operand goes, or the count of the list. */
static size_t positional(const struct statement *st)
{
    size_t i = 0;
    const struct operand *list = st->layout->list;
    while (i < st->layout->count &&
           (list[i].key || list[i].kind == OPD_LANE || list[i].kind == OPD_FIXED || st->seen >> i & 1))
        i++;
    return i;
}

/* What stands between the mnemonic and the ';'. */
static bool item(struct assembler *as, struct statement *st)
{
    struct lexer *lx = &as->lx;
    static const char then[] = "then";
    if (*lx->p == '$')
        return parse_suffix(as, st);
    bool taken = false;
    if (as->dialect == ISA_NEURON && form_exists(st->slot[SLOT_HDR_OPCODE_OFF]) &&
        !parse_form(as, st, &taken))
        return false;
    if (taken)
        return true;
    const char *at = lx->p;
    size_t n = lex_name(lx);
    if (n) {
        lx->p += n;
        if (!lex_space(lx))
            return false;
        if (lx->p < lx->end && *lx->p == '=') {
            lx->p++;
            return lex_space(lx) && keyed(as, st, at, n);
        }
        if (st->lane_off && n == sizeof then - 1 && memcmp(at, then, n) == 0) {
            if (st->second)
                return lex_error(lx, NERR_INPUT, at, "`then` is given twice");
            st->second = true;
            return true;
        }
        lx->p = at;
    }
    size_t i = positional(st);
    if (i < st->layout->count)
        return operand(as, st, i, at);
    return lex_expected(lx, at,
                        as->dialect == ISA_SP8 ? "key=value or ';'" : "$S[n] or $E[n], key=value or ';'");
}

/* What the text left out. */
static bool complete(struct assembler *as, struct statement *st)
{
    for (size_t i = 0; i < st->layout->count; i++) {
        const struct operand *o = &st->layout->list[i];
        if (st->seen >> i & 1 || (st->form && form_covers(st->slot[SLOT_HDR_OPCODE_OFF], o->off)))
            continue;
        if (o->always && o->kind != OPD_FIXED)
            return lex_error(&as->lx, NERR_INPUT, st->at, "%s lacks its operand %s",
                             operand_mnemonic(as->dialect, st->slot),
                             o->key ? o->key : "behind the mnemonic");
        if (operand_is_number(o))
            for (unsigned k = 0; k < o->count; k++)
                operand_set(o, st->slot, k, o->normal);
    }
    return true;
}

bool parse_statement(struct assembler *as, const char *name, size_t n)
{
    struct lexer *lx = &as->lx;
    struct statement st = { .at = name };
    if (!operand_begin(as->dialect, name, n, st.slot))
        return unknown_mnemonic(as, name, n);
    if (!parse_check_gen(as, name, st.slot))
        return false;
    set_layout(as, &st);
    if (!st.layout)
        return lex_error(lx, NERR_INPUT, name,
                         "the operands of %.*s are not known; expected .slot and %u bytes", (int)n, name,
                         isa_slot_bytes(as->dialect));
    for (;;) {
        if (!lex_space(lx))
            return false;
        if (lex_take(lx, ';'))
            break;
        if (lx->p == lx->end)
            return lex_expected(lx, lx->p, "';' behind the statement");
        if (!item(as, &st))
            return false;
    }
    if (!complete(as, &st))
        return false;
    strbuf_add(as->out, st.slot, isa_slot_bytes(as->dialect));
    return true;
}
