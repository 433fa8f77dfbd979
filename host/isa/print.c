/* A slot as a statement: see print.h. */
#include "isa/print.h"

#include <string.h>

#include "isa/form.h"
#include "isa/number.h"
#include "isa/words.h"

/* A set bit in *unsaid: the text has no place for that bit, so it must be as in *must_be. */
static void make_plan(struct print_plan *plan, enum isa_dialect d, const struct operand_layout *layout)
{
    uint8_t unsaid[SLOT_BYTES] = { 0 }, must_be[SLOT_BYTES] = { 0 };
    unsigned size = isa_slot_bytes(d);
    unsigned payload = d == ISA_SP8 ? SP8_B1_OFF : d == ISA_TONGA ? TONGA_PAYLOAD : SLOT_HDR_SIZE;
    memset(unsaid + payload, 0xff, size - payload);
    if (d == ISA_SP8)
        unsaid[SP8_B0_OFF] = SP8_B0_PHASE_MASK;
    for (size_t k = 0; k < layout->count; k++) {
        const struct operand *o = &layout->list[k];
        unsigned elements = operand_is_number(o) ? o->count : 1u;
        for (unsigned i = 0; i < elements * o->width; i++)
            if (o->kind != OPD_FIXED)
                unsaid[o->off + i] &= (uint8_t)(o->bits ? ~(((1u << o->bits) - 1) << o->lsb) : 0);
        for (unsigned i = 0; o->kind == OPD_FIXED && i < elements; i++)
            operand_set(o, must_be, i, o->normal);
    }
    memcpy(plan->unsaid, unsaid, sizeof unsaid);
    memcpy(plan->must_be, must_be, sizeof must_be);
    plan->layout = layout;
    plan->ready = true;
}

static bool says_all(const struct print_plan *plan, const uint8_t *slot, unsigned size)
{
    uint64_t wrong = 0;
    for (unsigned i = 0; i < size / 8; i++) {
        uint64_t v;
        memcpy(&v, slot + 8 * i, sizeof v);
        wrong |= (v ^ plan->must_be[i]) & plan->unsaid[i];
    }
    return wrong == 0;
}

static bool is_normal(const struct operand *o, const uint8_t *slot)
{
    if (o->always)
        return false;
    if (!operand_is_number(o)) {
        for (unsigned i = 0; i < o->width; i++)
            if (slot[o->off + i])
                return false;
        return true;
    }
    for (unsigned i = 0; i < o->count; i++)
        if (operand_get(o, slot, i) != o->normal)
            return false;
    return true;
}

static char *print_operand(enum isa_dialect d, const struct operand *o, const uint8_t *slot, char *p)
{
    if (o->kind == OPD_LANE)
        return print_lane(slot + o->off, p);
    if (o->kind == OPD_FIXED || is_normal(o, slot))
        return p;
    *p++ = ' ';
    if (o->key) {
        p = print_text(p, o->key);
        *p++ = '=';
    }
    return print_value(d, o, slot, p);
}

/* Positional operands first, then the keys. */
static char *print_operands(enum isa_dialect d, const struct operand_layout *layout, const uint8_t *slot,
                            char *p)
{
    unsigned opcode = slot[SLOT_HDR_OPCODE_OFF];
    char *form = d == ISA_NEURON && form_exists(opcode) ? form_print(slot, p) : NULL;
    if (form)
        p = form;
    for (int keyed = 0; keyed < 2; keyed++)
        for (size_t k = 0; k < layout->count; k++) {
            const struct operand *o = &layout->list[k];
            if ((o->key != NULL) == keyed && !(form && form_covers(opcode, o->off)))
                p = print_operand(d, o, slot, p);
        }
    return p;
}

/* The header bytes that are not their usual value, last because they matter least. */
static char *print_header(const uint8_t *slot, enum isa_dialect d, char *p)
{
    const struct operand cmd = { .off = SLOT_HDR_DEBUG_CMD_OFF,
                                 .width = 1,
                                 .count = 1,
                                 .kind = d == ISA_TONGA ? OPD_HEX : OPD_WORD,
                                 .words = debug_cmd_words };
    if (slot[SLOT_HDR_WORD_LEN_OFF] != SLOT_WORDS)
        p = put_u64(print_text(p, " inst_word_len="), slot[SLOT_HDR_WORD_LEN_OFF]);
    if (slot[SLOT_HDR_DEBUG_CMD_OFF])
        p = print_value(d, &cmd, slot, print_text(p, " debug_cmd="));
    if (slot[SLOT_HDR_DEBUG_HINT_OFF])
        p = put_u64(print_text(p, " debug_hint="), slot[SLOT_HDR_DEBUG_HINT_OFF]);
    return p;
}

/* All bytes; what the slot is called, and what it waits for, in a comment. */
static char *print_bytes(enum isa_dialect d, const char *name, const uint8_t *slot, unsigned size, char *p)
{
    p = print_text(p, ".slot");
    if (name) {
        p = print_text(print_text(p, " /* "), name);
        if (d != ISA_SP8)
            p = print_events(d, slot, p);
        p = print_text(p, " */");
    }
    for (unsigned i = 0; i < size; i += 4) {
        *p++ = ' ';
        p = put_hex_bytes(p, slot + i, 4);
    }
    return p;
}

char *print_slot(struct printer *pr, const uint8_t *slot, char *p)
{
    enum isa_dialect d = pr->dialect;
    unsigned size = isa_slot_bytes(d);
    const struct operand_layout *layout = operand_find(d, pr->gen, slot);
    const char *name = operand_mnemonic(d, slot);
    struct print_plan *plan = &pr->plans[slot[SLOT_HDR_OPCODE_OFF]];
    if (layout && (!plan->ready || plan->layout != layout))
        make_plan(plan, d, layout);
    if (!layout || !name || !says_all(plan, slot, size))
        p = print_bytes(d, name, slot, size, p);
    else {
        p = print_text(p, name);
        if (d != ISA_SP8)
            p = print_events(d, slot, p);
        p = print_operands(d, layout, slot, p);
        if (d != ISA_SP8)
            p = print_header(slot, d, p);
    }
    *p++ = ';';
    return p;
}
