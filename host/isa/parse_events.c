/* Waits and updates, read back: the inverse of print_events.c. */
#include <string.h>

#include "isa/number.h"
#include "isa/parse.h"
#include "isa/print.h"

/* A fact about a lane: which part, and what it is. */
static bool give(struct assembler *as, struct statement *st, const char *at, unsigned part, const char *what)
{
    unsigned *parts = &st->parts[st->second];
    if (*parts & part)
        return lex_error(
            &as->lx, NERR_INPUT, at, "the %s is given twice%s", what,
            st->lane_off && !st->second ? "; the second one of an EVENT_SEMAPHORE stands behind `then`" : "");
    *parts |= part;
    return true;
}

/* Place of a byte of the present lane: EVENTS and EVENTS_EXTENDED start alike (tpb-sequencer.md §2.1, §2.3).
 */
static uint8_t *lane_byte(struct statement *st, unsigned hdr_off)
{
    unsigned base = st->second ? st->lane_off : SLOT_HDR_WAIT_MODE_OFF;
    return st->slot + base + (hdr_off - SLOT_HDR_WAIT_MODE_OFF);
}

/* The value of a wait or an update. The standard lane has only one. */
static bool give_value(struct assembler *as, struct statement *st, const char *at, bool update,
                       uint32_t value)
{
    enum {
        WAIT_VALUE = SLOT_ES_WAIT_VALUE_OFF - SLOT_ES_WAIT_MODE_OFF,
        UPDATE_VALUE = SLOT_ES_UPDATE_VALUE_OFF - SLOT_ES_WAIT_MODE_OFF
    };
    unsigned part = update ? LANE_UPDATE_VALUE : LANE_WAIT_VALUE;
    if (!give(as, st, at, part, update ? "update value" : "wait value"))
        return false;
    if (st->second) {
        store_le(st->slot + st->lane_off + (update ? UPDATE_VALUE : WAIT_VALUE), 4, value);
        return true;
    }
    uint8_t *shared = st->slot + SLOT_HDR_VALUE_OFF;
    uint32_t before = (uint32_t)load_le(shared, SLOT_HDR_VALUE_BYTES);
    if ((st->parts[0] & (LANE_WAIT_VALUE | LANE_UPDATE_VALUE)) != part && before != value)
        return lex_error(&as->lx, NERR_INPUT, at, "wait and update share one value, which is %u and now %u%s",
                         before, value, st->lane_off ? "; put one of them behind `then`" : "");
    store_le(shared, SLOT_HDR_VALUE_BYTES, value);
    return true;
}

/* A number, or a register when *reg may become true. */
static bool value_or_reg(struct assembler *as, bool *reg, uint64_t *value)
{
    if (!lex_space(&as->lx))
        return false;
    *reg = parse_sees_reg(as);
    return *reg ? parse_reg(as, UINT8_MAX, value)
                : parse_number(as, INT32_MIN, UINT32_MAX, "value or register", value);
}

static bool set_wait(struct assembler *as, struct statement *st, const char *at, unsigned mode, uint64_t idx)
{
    if (!give(as, st, at, LANE_WAIT_MODE, "wait") || !give(as, st, at, LANE_WAIT_IDX, "wait index"))
        return false;
    *lane_byte(st, SLOT_HDR_WAIT_MODE_OFF) = (uint8_t)mode;
    *lane_byte(st, SLOT_HDR_WAIT_IDX_OFF) = (uint8_t)idx;
    return true;
}

static bool set_update(struct assembler *as, struct statement *st, const char *at, unsigned mode,
                       uint64_t idx)
{
    if (!give(as, st, at, LANE_UPDATE_MODE, "update") || !give(as, st, at, LANE_UPDATE_IDX, "update index"))
        return false;
    *lane_byte(st, SLOT_HDR_UPDATE_MODE_OFF) = (uint8_t)mode;
    *lane_byte(st, SLOT_HDR_UPDATE_IDX_OFF) = (uint8_t)idx;
    return true;
}

/* 0 or 1 behind an event. */
static bool event_state(struct assembler *as, uint64_t *state)
{
    return lex_space(&as->lx) && parse_number(as, 0, 1, "state of an event", state) && lex_space(&as->lx);
}

enum moment { AT_READ, AT_WRITE, AT_COMPLETE };

/* @read, @complete, and in TONGA @write. */
static bool moment(struct assembler *as, enum moment *when)
{
    struct lexer *lx = &as->lx;
    bool tonga = as->dialect == ISA_TONGA;
    static const char *const words[] = {
        [AT_READ] = "read", [AT_WRITE] = "write", [AT_COMPLETE] = "complete"
    };
    if (!lex_need(lx, '@', "an update: @read or @complete says when"))
        return false;
    size_t n = lex_name(lx);
    for (unsigned i = AT_READ; i <= AT_COMPLETE; i++)
        if (strlen(words[i]) == n && memcmp(words[i], lx->p, n) == 0 && (tonga || i != AT_WRITE)) {
            lx->p += n;
            *when = (enum moment)i;
            return true;
        }
    return lex_expected(lx, lx->p, tonga ? "read, write or complete" : "read or complete");
}

/* Behind $S[idx]. */
static bool semaphore(struct assembler *as, struct statement *st, const char *at, uint64_t idx)
{
    static const struct {
        char sign[3];
        unsigned mode; /* of a wait, or the COMPLETE form of an update */
        bool update, operand;
    } forms[] = {
        { "==", WAIT_SEM_EQ_IMM, false, true },         { "<=", WAIT_SEM_LE_IMM, false, true },
        { ">=", WAIT_SEM_GE_IMM, false, true },         { "<", WAIT_SEM_LT_IMM, false, true },
        { ">", WAIT_SEM_GT_IMM, false, true },          { "++", UPD_SEM_INC_COMPLETE, true, false },
        { "--", UPD_SEM_DEC_COMPLETE, true, false },    { "+=", UPD_SEM_ADD_IMM_COMPLETE, true, true },
        { "-=", UPD_SEM_SUB_IMM_COMPLETE, true, true }, { "=", UPD_SEM_WR_IMM_COMPLETE, true, true },
    };
    struct lexer *lx = &as->lx;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (!(forms[i].sign[1] ? lex_take2(lx, forms[i].sign) : lex_take(lx, forms[i].sign[0])))
            continue;
        bool reg = false;
        uint64_t value = 0;
        unsigned mode = forms[i].mode;
        const char *value_at = lx->p;
        enum moment when = AT_COMPLETE;
        if (forms[i].operand && !value_or_reg(as, &reg, &value))
            return false;
        if (forms[i].update) {
            if (!moment(as, &when))
                return false;
            mode &= when == AT_READ ? ~UPD_COMPLETE_BIT : ~0u;
            mode |= reg ? UPD_REG_BIT : 0;
        } else
            mode |= reg ? WAIT_REG_BIT : 0;
        if (!(forms[i].update ? set_update(as, st, at, mode, idx) : set_wait(as, st, at, mode, idx)))
            return false;
        return !forms[i].operand || give_value(as, st, value_at, forms[i].update, (uint32_t)value);
    }
    return lex_expected(lx, lx->p, "a wait (== < <= > >=) or an update (++ -- += -= =) of the semaphore");
}

/* Behind $E[idx]==state: perhaps the change that goes with the test. */
static bool event_wait(struct assembler *as, struct statement *st, const char *at, uint64_t idx)
{
    struct lexer *lx = &as->lx;
    uint64_t state, after;
    if (!event_state(as, &state))
        return false;
    after = state;
    const char *comma = lx->p;
    if (lex_take(lx, ',')) {
        if (!lex_need(lx, '=', "a test that changes the event, ==1,=0") || !event_state(as, &after))
            return false;
        if (after == state)
            return lex_error(lx, NERR_INPUT, comma,
                             "a test changes the event to the other state: ==1,=0 or ==0,=1");
    }
    bool changes = after != state;
    if (as->dialect == ISA_TONGA) {
        if (!state)
            return lex_error(lx, NERR_INPUT, at, "tonga waits only for set events; expected ==1 or ==1,=0");
        return set_wait(as, st, at, changes ? TONGA_WAIT_FOR_SET_THEN_CLEAR : TONGA_WAIT_FOR_SET, idx);
    }
    return set_wait(as, st, at,
                    state ? (changes ? WAIT_EVT_SET_THEN_CLEAR : WAIT_EVT_SET)
                          : (changes ? WAIT_EVT_CLEAR_THEN_SET : WAIT_EVT_CLEAR),
                    idx);
}

/* Behind $E[idx]. */
static bool event(struct assembler *as, struct statement *st, const char *at, uint64_t idx)
{
    struct lexer *lx = &as->lx;
    if (lex_take2(lx, "=="))
        return event_wait(as, st, at, idx);
    if (!lex_take(lx, '='))
        return lex_expected(lx, lx->p, "a wait (==) or an update (=) of the event");
    uint64_t state;
    enum moment when;
    if (!event_state(as, &state) || !moment(as, &when))
        return false;
    if (as->dialect == ISA_TONGA) {
        if (!state)
            return lex_error(lx, NERR_INPUT, at, "tonga updates only set events; expected =1");
        return set_update(as, st, at,
                          when == AT_READ    ? TONGA_SET_READ
                          : when == AT_WRITE ? TONGA_SET_WRITE
                                             : TONGA_SET_COMPLETE,
                          idx);
    }
    unsigned mode = state ? UPD_EVT_SET_COMPLETE : UPD_EVT_CLR_COMPLETE;
    return set_update(as, st, at, when == AT_READ ? mode & ~UPD_COMPLETE_BIT : mode, idx);
}

bool parse_suffix(struct assembler *as, struct statement *st)
{
    struct lexer *lx = &as->lx;
    const char *at = lx->p++;
    size_t n = lex_name(lx);
    bool neuron = as->dialect == ISA_NEURON;
    static const char unordered[] = "unordered";
    if (as->dialect == ISA_SP8)
        return lex_error(lx, NERR_INPUT, at, "8-byte slots have no waits and updates");
    if (neuron && n == sizeof unordered - 1 && memcmp(lx->p, unordered, n) == 0) {
        lx->p += n;
        if (!give(as, st, at, LANE_WAIT_MODE, "wait"))
            return false;
        *lane_byte(st, SLOT_HDR_WAIT_MODE_OFF) = WAIT_UNORDERED;
        return true;
    }
    bool is_event = n == 1 && *lx->p == 'E';
    if (!is_event && !(neuron && n == 1 && *lx->p == 'S'))
        return lex_expected(lx, lx->p, neuron ? "S[n], E[n] or unordered behind $" : "E[n] behind $");
    lx->p++;
    uint64_t idx;
    if (!lex_need(lx, '[', "$S[n] or $E[n]") || !parse_number(as, 0, UINT8_MAX, "index", &idx) ||
        !lex_need(lx, ']', "$S[n] or $E[n]"))
        return false;
    return is_event ? event(as, st, at, idx) : semaphore(as, st, at, idx);
}

bool parse_event_key(struct assembler *as, struct statement *st, const char *key, size_t len, bool *known)
{
    static const struct {
        const char *key;
        unsigned part;
        unsigned off;
        bool standard, extended, tonga; /* where there is such a key */
    } keys[] = {
        { "wait_mode", LANE_WAIT_MODE, SLOT_HDR_WAIT_MODE_OFF, true, true, true },
        { "wait_idx", LANE_WAIT_IDX, SLOT_HDR_WAIT_IDX_OFF, true, true, true },
        { "update_mode", LANE_UPDATE_MODE, SLOT_HDR_UPDATE_MODE_OFF, true, true, true },
        { "update_idx", LANE_UPDATE_IDX, SLOT_HDR_UPDATE_IDX_OFF, true, true, true },
        { "semaphore_value", 0, 0, true, false, false },
        { "wait_value", LANE_WAIT_VALUE, 0, false, true, false },
        { "update_value", LANE_UPDATE_VALUE, 0, false, true, false },
    };
    *known = false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && as->dialect != ISA_SP8; i++) {
        bool here = as->dialect == ISA_TONGA ? keys[i].tonga
                    : st->second             ? keys[i].extended
                                             : keys[i].standard;
        if (!here || strlen(keys[i].key) != len || memcmp(keys[i].key, key, len) != 0)
            continue;
        *known = true;
        uint64_t v;
        if (keys[i].off) {
            if (!parse_number(as, 0, UINT8_MAX, "number", &v) ||
                !give(as, st, key, keys[i].part, keys[i].key))
                return false;
            *lane_byte(st, keys[i].off) = (uint8_t)v;
            return true;
        }
        if (!parse_number(as, INT32_MIN, UINT32_MAX, "number", &v))
            return false;
        bool update =
            keys[i].part == LANE_UPDATE_VALUE || (!keys[i].part && !(st->parts[0] & LANE_UPDATE_VALUE));
        return give_value(as, st, key, update, (uint32_t)v);
    }
    return true;
}
