/* Waits and updates as suffixes: $S[10]>0, $S[22]++@complete, $E[3]==1 (tpb-sequencer.md §2, docs/asm.md). */
#include "isa/isa.h"
#include "isa/number.h"
#include "isa/print.h"

/* One wait and one update; in the standard lane both share a value. */
struct lane {
    unsigned wait_mode, wait_idx, update_mode, update_idx;
    uint32_t wait_value, update_value;
};

static char *key_number(char *p, const char *key, uint64_t v)
{
    p = print_text(p, key);
    return put_u64(p, v);
}

static char *key_mode(char *p, const char *key, unsigned mode)
{
    p = print_text(p, key);
    return put_hex(p, mode);
}

static char *indexed(char *p, char kind, unsigned idx)
{
    *p++ = ' ';
    *p++ = '$';
    *p++ = kind;
    *p++ = '[';
    p = put_u64(p, idx);
    *p++ = ']';
    return p;
}

/* A number, or the register that holds it. */
static char *value_or_reg(char *p, bool reg, uint32_t value)
{
    return reg ? print_reg(p, value) : put_u64(p, value);
}

static const char *compare_sign(unsigned mode)
{
    switch (mode & ~WAIT_REG_BIT) {
    case WAIT_SEM_EQ_IMM:
        return "==";
    case WAIT_SEM_LT_IMM:
        return "<";
    case WAIT_SEM_LE_IMM:
        return "<=";
    case WAIT_SEM_GT_IMM:
        return ">";
    case WAIT_SEM_GE_IMM:
        return ">=";
    default:
        return NULL;
    }
}

/* Sets *said when the value is part of the text. */
static char *print_wait(char *p, const struct lane *l, bool *said)
{
    const char *sign = compare_sign(l->wait_mode);
    bool reg = (l->wait_mode & WAIT_REG_BIT) != 0;
    if (sign && (!reg || print_is_reg(l->wait_value))) {
        *said = true;
        p = print_text(indexed(p, 'S', l->wait_idx), sign);
        return value_or_reg(p, reg, l->wait_value);
    }
    switch (l->wait_mode) {
    case WAIT_EVT_SET:
        return print_text(indexed(p, 'E', l->wait_idx), "==1");
    case WAIT_EVT_SET_THEN_CLEAR:
        return print_text(indexed(p, 'E', l->wait_idx), "==1,=0");
    case WAIT_EVT_CLEAR:
        return print_text(indexed(p, 'E', l->wait_idx), "==0");
    case WAIT_EVT_CLEAR_THEN_SET:
        return print_text(indexed(p, 'E', l->wait_idx), "==0,=1");
    case WAIT_UNORDERED:
        p = print_text(p, " $unordered");
        break;
    case WAIT_NONE:
        break;
    default:
        p = key_mode(p, " wait_mode=", l->wait_mode);
        break;
    }
    return l->wait_idx ? key_number(p, " wait_idx=", l->wait_idx) : p;
}

/* How an update reads behind $S[n] or $E[n]; NULL for a code without one. *operand: it has an operand. */
static const char *update_sign(unsigned mode, char *kind, bool *operand)
{
    *kind = 'S';
    *operand = true;
    switch ((mode & ~UPD_REG_BIT) | UPD_COMPLETE_BIT) {
    case UPD_SEM_ADD_IMM_COMPLETE:
        return "+=";
    case UPD_SEM_SUB_IMM_COMPLETE:
        return "-=";
    case UPD_SEM_WR_IMM_COMPLETE:
        return "=";
    default:
        break;
    }
    *operand = false;
    switch (mode | UPD_COMPLETE_BIT) {
    case UPD_SEM_INC_COMPLETE:
        return "++";
    case UPD_SEM_DEC_COMPLETE:
        return "--";
    case UPD_EVT_SET_COMPLETE:
        *kind = 'E';
        return "=1";
    case UPD_EVT_CLR_COMPLETE:
        *kind = 'E';
        return "=0";
    default:
        return NULL;
    }
}

static char *print_update(char *p, const struct lane *l, bool *said)
{
    char kind;
    bool operand, reg = (l->update_mode & UPD_REG_BIT) != 0;
    const char *sign = update_sign(l->update_mode, &kind, &operand);
    if (sign && (!operand || !reg || print_is_reg(l->update_value))) {
        p = print_text(indexed(p, kind, l->update_idx), sign);
        if (operand) {
            *said = true;
            p = value_or_reg(p, reg, l->update_value);
        }
        return print_text(p, l->update_mode & UPD_COMPLETE_BIT ? "@complete" : "@read");
    }
    if (l->update_mode != UPD_NONE)
        p = key_mode(p, " update_mode=", l->update_mode);
    return l->update_idx ? key_number(p, " update_idx=", l->update_idx) : p;
}

static char *print_neuron(const uint8_t *slot, char *p)
{
    uint32_t value = (uint32_t)load_le(slot + SLOT_HDR_VALUE_OFF, SLOT_HDR_VALUE_BYTES);
    struct lane l = { .wait_mode = slot[SLOT_HDR_WAIT_MODE_OFF],
                      .wait_idx = slot[SLOT_HDR_WAIT_IDX_OFF],
                      .update_mode = slot[SLOT_HDR_UPDATE_MODE_OFF],
                      .update_idx = slot[SLOT_HDR_UPDATE_IDX_OFF],
                      .wait_value = value,
                      .update_value = value };
    bool said = false;
    p = print_wait(p, &l, &said);
    p = print_update(p, &l, &said);
    return said || !value ? p : key_number(p, " semaphore_value=", value);
}

/* §2.2: events only; the set happens when the source is read, the destination written, or all is done. */
static char *print_tonga(const uint8_t *slot, char *p)
{
    unsigned wait = slot[TONGA_EVENTS_WAIT_MODE_OFF], idx = slot[TONGA_EVENTS_WAIT_IDX_OFF];
    unsigned set = slot[TONGA_EVENTS_SET_MODE_OFF], set_idx = slot[TONGA_EVENTS_SET_IDX_OFF];
    if (wait == TONGA_WAIT_FOR_SET || wait == TONGA_WAIT_FOR_SET_THEN_CLEAR)
        p = print_text(indexed(p, 'E', idx), wait == TONGA_WAIT_FOR_SET ? "==1" : "==1,=0");
    else {
        p = wait ? key_mode(p, " wait_mode=", wait) : p;
        p = idx ? key_number(p, " wait_idx=", idx) : p;
    }
    if (set == TONGA_SET_READ || set == TONGA_SET_WRITE || set == TONGA_SET_COMPLETE)
        return print_text(indexed(p, 'E', set_idx), set == TONGA_SET_READ    ? "=1@read"
                                                    : set == TONGA_SET_WRITE ? "=1@write"
                                                                             : "=1@complete");
    p = set ? key_mode(p, " update_mode=", set) : p;
    return set_idx ? key_number(p, " update_idx=", set_idx) : p;
}

char *print_events(enum isa_dialect d, const uint8_t *slot, char *p)
{
    return d == ISA_TONGA ? print_tonga(slot, p) : print_neuron(slot, p);
}

char *print_lane(const uint8_t *lane, char *p)
{
    /* Offsets of EVENTS_EXTENDED, as they lie in CTRL_ES. */
    enum { BASE = SLOT_ES_WAIT_MODE_OFF, END = SLOT_ES_UPDATE_VALUE_OFF + SLOT_ES_UPDATE_VALUE_BYTES };
    bool empty = true;
    for (unsigned i = 0; i < END - BASE; i++)
        empty = empty && lane[i] == 0;
    if (empty)
        return p;
    struct lane l = {
        .wait_mode = lane[0],
        .wait_idx = lane[SLOT_ES_WAIT_IDX_OFF - BASE],
        .update_mode = lane[SLOT_ES_UPDATE_MODE_OFF - BASE],
        .update_idx = lane[SLOT_ES_UPDATE_IDX_OFF - BASE],
        .wait_value = (uint32_t)load_le(lane + SLOT_ES_WAIT_VALUE_OFF - BASE, SLOT_ES_WAIT_VALUE_BYTES),
        .update_value = (uint32_t)load_le(lane + SLOT_ES_UPDATE_VALUE_OFF - BASE, SLOT_ES_UPDATE_VALUE_BYTES),
    };
    bool wait_said = false, update_said = false;
    p = print_text(p, " then");
    p = print_wait(p, &l, &wait_said);
    p = print_update(p, &l, &update_said);
    if (!wait_said && l.wait_value)
        p = key_number(p, " wait_value=", l.wait_value);
    if (!update_said && l.update_value)
        p = key_number(p, " update_value=", l.update_value);
    return p;
}
