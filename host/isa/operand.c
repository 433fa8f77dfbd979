/* Which operand table a slot has, its name in text, and what its bytes hold beyond the table: see operand.h.
 */
#include "isa/table.h"

#include <string.h>

#include "isa/isa.h"

const struct operand_layout *operand_find(enum isa_dialect d, unsigned gen, const uint8_t *slot)
{
    unsigned op = slot[SLOT_HDR_OPCODE_OFF];
    if (d == ISA_TONGA)
        return layout_tonga(op);
    if (d == ISA_SP8)
        return layout_sp8(op);
    if (op == OP_MODIFY_POOL_CONFIG)
        return layout_library(slot);
    if ((op & OP_PSEUDO_MASK) == OP_PSEUDO_BITS)
        return layout_pseudo(op);
    const struct operand_layout *l = layout_control(op);
    return l ? l : layout_compute(op, gen ? gen : ISA_GEN_RTL, slot);
}

/* The listings of the fixture write C1 with one more underscore than the enum. */
static const char trigger_name[] = "PSEUDO_DMA_TRIGGER";

static bool is_name(const char *want, const char *name, size_t len)
{
    return strlen(want) == len && memcmp(want, name, len) == 0;
}

/* Opcode and fixed bytes of the library slot with that name. */
static bool begin_library(const char *name, size_t len, uint8_t *slot)
{
    for (unsigned direction = LIBRARY_LOAD; direction <= LIBRARY_UNLOAD; direction++) {
        const struct operand_layout *l = layout_library_direction(direction);
        if (!is_name(l->mnemonic, name, len))
            continue;
        slot[SLOT_HDR_OPCODE_OFF] = OP_MODIFY_POOL_CONFIG;
        for (size_t i = 0; i < l->count; i++)
            if (l->list[i].kind == OPD_FIXED)
                slot[l->list[i].off] = (uint8_t)l->list[i].normal;
        return true;
    }
    return false;
}

bool operand_begin(enum isa_dialect d, const char *name, size_t len, uint8_t *slot)
{
    memset(slot, 0, isa_slot_bytes(d));
    if (d != ISA_SP8)
        slot[SLOT_HDR_WORD_LEN_OFF] = SLOT_WORDS;
    int op = isa_opcode_find(d, name, len);
    if (op < 0 && d == ISA_NEURON) {
        if (begin_library(name, len, slot))
            return true;
        if (is_name(trigger_name, name, len))
            op = OP_PSEUDO_DMATRIGGER;
    }
    if (op < 0)
        return false;
    slot[SLOT_HDR_OPCODE_OFF] = (uint8_t)op;
    return true;
}

const char *operand_mnemonic(enum isa_dialect d, const uint8_t *slot)
{
    unsigned op = slot[SLOT_HDR_OPCODE_OFF];
    if (d == ISA_NEURON && op == OP_PSEUDO_DMATRIGGER)
        return trigger_name;
    const struct operand_layout *l =
        d == ISA_NEURON && op == OP_MODIFY_POOL_CONFIG ? layout_library(slot) : NULL;
    const struct isa_opcode *row = isa_opcode(d, op);
    return l ? l->mnemonic : row ? row->name : NULL;
}

/* Bits of each byte that the header or an operand explains. */
static void known_bits(const struct operand_layout *l, unsigned header, uint8_t known[SLOT_BYTES])
{
    memset(known, 0, SLOT_BYTES);
    memset(known, 0xff, header);
    for (size_t i = 0; i < l->count; i++) { /* a layout without operands has no list */
        const struct operand *o = &l->list[i];
        bool pieces = o->kind != OPD_TENSOR && !o->bits;
        if (o->bits)
            known[o->off] |= (uint8_t)(((1u << o->bits) - 1) << o->lsb);
        else
            memset(known + o->off, 0xff, (size_t)o->width * (pieces ? o->count : 1));
    }
}

static int first_unknown(enum isa_dialect d, const struct operand_layout *l, const uint8_t *slot)
{
    static const uint8_t header[] = {
        [ISA_NEURON] = SLOT_PAYLOAD, [ISA_TONGA] = TONGA_PAYLOAD, [ISA_SP8] = SP8_B0_BYTES
    };
    uint8_t known[SLOT_BYTES];
    known_bits(l, header[d], known);
    for (unsigned i = header[d]; i < isa_slot_bytes(d); i++)
        if (slot[i] & ~known[i])
            return (int)i;
    return -1;
}

int operand_first_reserved(enum isa_dialect d, unsigned gen, const uint8_t *slot)
{
    const struct operand_layout *l = operand_find(d, gen, slot);
    return l && !l->partial ? first_unknown(d, l, slot) : -1;
}

int operand_first_unsaid(enum isa_dialect d, unsigned gen, const uint8_t *slot)
{
    const struct operand_layout *l = operand_find(d, gen, slot);
    return l ? first_unknown(d, l, slot) : -1;
}
