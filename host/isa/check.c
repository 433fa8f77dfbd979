/* The host's reject rules for one slot: see isa_check in isa.h. Sections are of tpb-sequencer.md. */
#include "isa/rules.h"

#include <stdio.h>
#include <string.h>

#include "isa/operand.h"

int rule_refuse(struct nerr *err, unsigned off, const char *fmt, ...)
{
    char where[32];
    snprintf(where, sizeof where, "byte 0x%02x", off);
    va_list ap;
    va_start(ap, fmt);
    nerr_vset(err, NERR_RULE, where, fmt, ap);
    va_end(ap);
    err->runtime_code = NRT_INVALID;
    return NERR_RULE;
}

bool isa_wait_mode_legal(unsigned mode)
{
    switch (mode) {
    case WAIT_NONE:
    case WAIT_SEM_EQ_IMM:
    case WAIT_SEM_LT_IMM:
    case WAIT_SEM_LE_IMM:
    case WAIT_SEM_GT_IMM:
    case WAIT_SEM_GE_IMM:
    case WAIT_EVT_SET:
    case WAIT_EVT_SET_THEN_CLEAR:
    case WAIT_EVT_CLEAR:
    case WAIT_EVT_CLEAR_THEN_SET:
    case WAIT_SEM_EQ_REG:
    case WAIT_SEM_LT_REG:
    case WAIT_SEM_LE_REG:
    case WAIT_SEM_GT_REG:
    case WAIT_SEM_GE_REG:
    case WAIT_UNORDERED:
        return true;
    default:
        return false;
    }
}

bool isa_update_mode_legal(unsigned mode)
{
    switch (mode == UPD_NONE ? UPD_NONE : mode | UPD_COMPLETE_BIT) {
    case UPD_NONE:
    case UPD_EVT_SET_COMPLETE:
    case UPD_EVT_CLR_COMPLETE:
    case UPD_SEM_INC_COMPLETE:
    case UPD_SEM_DEC_COMPLETE:
    case UPD_SEM_ADD_IMM_COMPLETE:
    case UPD_SEM_SUB_IMM_COMPLETE:
    case UPD_SEM_WR_IMM_COMPLETE:
    case UPD_SEM_ADD_REG_COMPLETE:
    case UPD_SEM_SUB_REG_COMPLETE:
    case UPD_SEM_WR_REG_COMPLETE:
        return true;
    default:
        return false;
    }
}

static bool wait_takes_reg(unsigned mode)
{
    return (mode & WAIT_REG_BIT) && mode != WAIT_UNORDERED && mode != WAIT_INVALID;
}

static bool update_takes_reg(unsigned mode)
{
    return (mode & UPD_REG_BIT) && mode != UPD_INVALID;
}

static bool update_is_event(unsigned mode)
{
    return mode == UPD_EVT_SET_READ || mode == UPD_EVT_CLR_READ || mode == UPD_EVT_SET_COMPLETE ||
           mode == UPD_EVT_CLR_COMPLETE;
}

static bool wait_is_semaphore(unsigned mode)
{
    unsigned imm = mode & ~WAIT_REG_BIT;
    return mode != WAIT_UNORDERED && mode != WAIT_INVALID && imm >= WAIT_SEM_EQ_IMM && imm <= WAIT_SEM_GE_IMM;
}

int rule_lane(const struct rule_lane *l, struct nerr *err)
{
    const unsigned update_off =
        SLOT_HDR_UPDATE_MODE_OFF - SLOT_HDR_WAIT_MODE_OFF; /* the same in both lanes */
    if (!isa_wait_mode_legal(l->wait))
        return rule_refuse(err, l->off, "%s wait mode 0x%02x is not in table W", l->name, l->wait);
    if (!isa_update_mode_legal(l->update))
        return rule_refuse(err, l->off + update_off, "%s update mode 0x%02x is not in table U", l->name,
                           l->update);
    if (wait_takes_reg(l->wait) && l->wait_value >= REG_COUNT)
        return rule_refuse(err, l->wait_value_off, "%s wait mode 0x%02x names register %u, allowed are 0..63",
                           l->name, l->wait, l->wait_value);
    if (update_takes_reg(l->update) && l->update_value >= REG_COUNT)
        return rule_refuse(err, l->update_value_off,
                           "%s update mode 0x%02x names register %u, allowed are 0..63", l->name, l->update,
                           l->update_value);
    return NERR_OK;
}

static int check_payload(const struct inst *in, const uint8_t *slot, enum isa_form form, unsigned gen,
                         struct nerr *err)
{
    switch (isa_opcode_class(in->opcode)) {
    case ISA_CTRL:
    case ISA_DMA:
        return rule_control(in, slot, form, err);
    case ISA_PSEUDO:
        return rule_pseudo(in, slot, err);
    default:
        return rule_compute(slot, gen, err);
    }
}

static int check_slot(const struct inst *in, const uint8_t *slot, enum isa_form form, unsigned gen,
                      struct nerr *err)
{
    int reserved = operand_first_reserved(ISA_NEURON, gen, slot);
    if (reserved >= 0)
        return rule_refuse(err, (unsigned)reserved, "reserved byte %d is 0x%02x, must be 0", reserved,
                           slot[reserved]);
    return check_payload(in, slot, form, gen, err);
}

int isa_check_gen(const uint8_t slot[SLOT_BYTES], enum isa_form form, unsigned gen, struct nerr *err)
{
    struct inst in;
    isa_decode(slot, &in);
    const char *name = isa_opcode_name(in.opcode);
    if (!isa_opcode_in_gen(in.opcode, gen)) /* INVALID is a name, not an instruction */
        return rule_refuse(err, SLOT_HDR_OPCODE_OFF,
                           "opcode 0x%02x (%s) is no instruction of the %s generation", in.opcode,
                           name ? name : "undefined", isa_gen_name(gen));
    if (form == ISA_DEVICE && (in.opcode & OP_PSEUDO_MASK) == OP_PSEUDO_BITS)
        return rule_refuse(err, SLOT_HDR_OPCODE_OFF, "pseudo opcode 0x%02x (%s) on the device", in.opcode,
                           name);
    if (in.word_len != SLOT_WORDS)
        return rule_refuse(err, SLOT_HDR_WORD_LEN_OFF, "inst_word_len is 0x%02x, 0x10 is allowed",
                           in.word_len);
    const struct rule_lane standard = { .name = "standard",
                                        .off = SLOT_HDR_WAIT_MODE_OFF,
                                        .wait_value_off = SLOT_HDR_VALUE_OFF,
                                        .update_value_off = SLOT_HDR_VALUE_OFF,
                                        .wait = in.wait_mode,
                                        .update = in.update_mode,
                                        .wait_value = in.value,
                                        .update_value = in.value };
    if (rule_lane(&standard, err))
        return err->code;
    if (check_slot(&in, slot, form, gen, err)) {
        char text[sizeof err->text];
        memcpy(text, err->text, sizeof text);
        char where[sizeof err->where];
        memcpy(where, err->where, sizeof where);
        int runtime_code = err->runtime_code;
        nerr_set(err, NERR_RULE, where, "%s: %s", name, text);
        err->runtime_code = runtime_code;
        return NERR_RULE;
    }
    return NERR_OK;
}

int isa_check(const uint8_t slot[SLOT_BYTES], enum isa_form form, struct nerr *err)
{
    return isa_check_gen(slot, form, ISA_GEN_RTL, err);
}

static void add_lane(unsigned wait, unsigned wait_idx, unsigned update, unsigned update_idx,
                     bool used[SEM_COUNT])
{
    if (wait_is_semaphore(wait))
        used[wait_idx] = true;
    if (update != UPD_NONE && isa_update_mode_legal(update) && !update_is_event(update))
        used[update_idx] = true;
}

void isa_semaphores(const uint8_t slot[SLOT_BYTES], bool used[SEM_COUNT])
{
    struct inst in;
    isa_decode(slot, &in);
    add_lane(in.wait_mode, in.wait_idx, in.update_mode, in.update_idx, used);
    if (in.opcode == OP_EVENT_SEMAPHORE)
        add_lane(in.u.es.wait_mode, in.u.es.wait_idx, in.u.es.update_mode, in.u.es.update_idx, used);
}

void isa_cleared(const uint8_t slot[SLOT_BYTES], bool cleared[SEM_COUNT])
{
    struct inst in;
    isa_decode(slot, &in);
    if (in.opcode != OP_EVENT_SEMAPHORE_RANGE_CLEAR)
        return;
    for (unsigned k = 0; k < SEM_COUNT; k++)
        if (in.u.range.mode == RANGE_RANGE ? k >= in.u.range.first && k <= in.u.range.last
                                           : (in.u.range.mask[k / 8] >> k % 8 & 1) != 0)
            cleared[k] = true;
}
