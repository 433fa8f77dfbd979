/*
 * EVT_SEM: predicates, updates and their records (events-semaphores.md §3-§5, §8). Unit 0 is the TPB's with
 * five engine ports, unit 1 the one of TOP_SP_0, which only the bus reaches and which produces no records.
 */
#include "refmodel/ref_private.h"

#include <inttypes.h>

static const char *unit_name(unsigned unit)
{
    return unit ? "TOP_SP_0 EVT_SEM" : "EVT_SEM";
}

bool evt_wait_known(uint8_t mode)
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

bool evt_update_known(uint8_t mode)
{
    switch (mode & ~(unsigned)UPD_COMPLETE_BIT) {
    case UPD_EVT_SET_READ:
    case UPD_EVT_CLR_READ:
    case UPD_SEM_INC_READ:
    case UPD_SEM_DEC_READ:
    case UPD_SEM_ADD_IMM_READ:
    case UPD_SEM_SUB_IMM_READ:
    case UPD_SEM_WR_IMM_READ:
    case UPD_SEM_ADD_REG_READ:
    case UPD_SEM_SUB_REG_READ:
    case UPD_SEM_WR_REG_READ:
        return true;
    default:
        return mode == UPD_NONE;
    }
}

bool evt_predicate(const struct ref *r, const struct evt_unit *u, uint8_t mode, uint8_t idx, uint32_t value)
{
    /* Flipping the sign bits turns the signed compare into an unsigned one. */
    uint32_t flip = r->cfg.sem_unsigned_cmp ? 0 : UINT32_C(1) << 31;
    uint32_t s = u->sem[idx] ^ flip, v = value ^ flip;
    switch (mode) {
    case WAIT_EVT_SET:
    case WAIT_EVT_SET_THEN_CLEAR:
        return u->event[idx];
    case WAIT_EVT_CLEAR:
    case WAIT_EVT_CLEAR_THEN_SET:
        return !u->event[idx];
    default:
        break;
    }
    switch (mode & ~(unsigned)WAIT_REG_BIT) {
    case WAIT_SEM_EQ_IMM:
        return s == v;
    case WAIT_SEM_LT_IMM:
        return s < v;
    case WAIT_SEM_LE_IMM:
        return s <= v;
    case WAIT_SEM_GT_IMM:
        return s > v;
    case WAIT_SEM_GE_IMM:
        return s >= v;
    default:
        return true;
    }
}

static struct evt_effect add(uint32_t old, uint32_t delta, bool subtract)
{
    struct evt_effect f = { .is_sem = true, .error = EVT_NO_ERROR };
    f.value = subtract ? old - delta : old + delta;
    uint32_t crossed = subtract ? (old ^ delta) & (old ^ f.value) : (old ^ f.value) & (delta ^ f.value);
    if (crossed >> 31)
        f.error = NERR_SEMAPHORE_ERROR;
    return f;
}

struct evt_effect evt_compute(const struct evt_unit *u, bool by_engine, uint8_t mode, uint8_t idx,
                              uint32_t value)
{
    uint32_t old = u->sem[idx];
    struct evt_effect f = { .error = EVT_NO_ERROR };
    switch (mode & ~(unsigned)(UPD_COMPLETE_BIT | UPD_REG_BIT)) {
    case UPD_EVT_SET_READ:
        f.value = 1;
        f.twice = u->event[idx];
        break;
    case UPD_EVT_CLR_READ:
        f.value = 0;
        f.twice = !u->event[idx];
        break;
    case UPD_SEM_INC_READ:
        return add(old, 1, false);
    case UPD_SEM_DEC_READ:
        return add(old, 1, true);
    case UPD_SEM_ADD_IMM_READ:
        return add(old, value, false);
    case UPD_SEM_SUB_IMM_READ:
        return add(old, value, true);
    default:
        f.is_sem = true;
        f.value = value;
        break;
    }
    if (f.twice && by_engine)
        f.error = NERR_EVENT_ERROR;
    return f;
}

bool evt_command(uint32_t off, uint32_t data, uint8_t *mode, uint8_t *idx)
{
    *idx = (uint8_t)(off % EVT_WIN_SIZE / EVT_STRIDE);
    switch (off - off % EVT_WIN_SIZE) {
    case EVT_WIN_EVENT:
        *mode = data & 1 ? UPD_EVT_SET_COMPLETE : UPD_EVT_CLR_COMPLETE;
        return true;
    case EVT_WIN_SEM_SET:
        *mode = UPD_SEM_WR_IMM_COMPLETE;
        return true;
    case EVT_WIN_SEM_INC:
        *mode = UPD_SEM_ADD_IMM_COMPLETE;
        return true;
    case EVT_WIN_SEM_DEC:
        *mode = UPD_SEM_SUB_IMM_COMPLETE;
        return true;
    default:
        return false;
    }
}

/*
 * Enters a queue in front of NOTIFIC, or is lost: full is decided on registered state, so a record that left
 * in this clock still counts (docs/rtl.md). The next one that enters says so (events-semaphores.md §8.2).
 */
static void enter(struct ref *r, struct evt_source *s, uint32_t depth, const struct note *rec)
{
    struct note n = *rec;
    if (note_count(&s->notes) + (s->out_cycle == r->cycle && r->cycle) >= depth) {
        s->lost = true;
        return;
    }
    if (s->lost)
        n.w0 |= NOTIF_W0_HW_OVF_MASK;
    s->lost = false;
    note_push(&s->notes, &n);
}

bool evt_engine_record_room(const struct ref *r)
{
    return note_count(&r->evt_notes.notes) < EVT_FIFO_DEPTH || !nq_class_lossless(&r->nq, NCLASS_EVSEM);
}

static void make_records(struct ref *r, const struct dev_event *ev, const struct evt_effect *f)
{
    if (f->error != EVT_NO_ERROR) {
        struct note e = { .w0 = f->error | (uint32_t)NTYPE_TPB_ERROR << NOTIF_W0_TYPE_LSB, .w1 = ev->index };
        enter(r, &r->evt_errors, EVT_ERR_DEPTH, &e);
    }
    bool bracket = f->value <= r->tpb.low || f->value >= r->tpb.high;
    if (!(r->tpb.notify & TPB_EVT_NOTIFY_EN_MASK) || (f->is_sem && !bracket))
        return;
    uint32_t type = ev->code < ENG_COUNT ? NTYPE_ENG_BASE + ev->code * NTYPE_ENG_STRIDE + NKIND_EVT_SEM
                                         : NTYPE_AXI_EVT_SEM;
    struct note n = { .w1 = f->value };
    n.w0 = ev->index << NOTIF_EVT_SEM_W0_ID_LSB | (uint32_t)f->is_sem << NOTIF_EVT_SEM_W0_IS_SEM_LSB |
           (uint32_t)f->twice << NOTIF_EVT_SEM_W0_DOUBLE_LSB |
           (ev->words[0] & 0xff) << NOTIF_EVT_SEM_W0_MODE_LSB | type << NOTIF_W0_TYPE_LSB;
    enter(r, &r->evt_notes, EVT_FIFO_DEPTH, &n);
}

static int check_bus(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    struct evt_unit *u = &r->evt[ev->unit];
    uint32_t window;
    if (u->pending.valid)
        return ref_wrong(err, unit_name(ev->unit),
                         "a second bus update was committed before the write of 0x%" PRIx32
                         " to offset 0x%" PRIx32 " was answered",
                         u->pending.data, u->pending.off);
    switch (ev->words[0]) {
    case UPD_EVT_SET_COMPLETE:
    case UPD_EVT_CLR_COMPLETE:
        window = EVT_WIN_EVENT;
        break;
    case UPD_SEM_WR_IMM_COMPLETE:
        window = EVT_WIN_SEM_SET;
        break;
    case UPD_SEM_ADD_IMM_COMPLETE:
        window = EVT_WIN_SEM_INC;
        break;
    case UPD_SEM_SUB_IMM_COMPLETE:
        window = EVT_WIN_SEM_DEC;
        break;
    default:
        return ref_wrong(err, unit_name(ev->unit),
                         "bus update with mode 0x%" PRIx32 ", which no alias produces", ev->words[0]);
    }
    if (window == EVT_WIN_EVENT && (ev->value & 1) != (ev->words[0] == UPD_EVT_SET_COMPLETE))
        return ref_wrong(err, unit_name(ev->unit),
                         "bus wrote 0x%" PRIx32 " to event %" PRIu32 " but the update is mode 0x%" PRIx32,
                         ev->value, ev->index, ev->words[0]);
    if (ev->queue)
        return ref_wrong(err, unit_name(ev->unit),
                         "a bus update of index %" PRIu32 " claims to be a wait's side effect", ev->index);
    u->pending.valid = true;
    u->pending.off = window + EVT_STRIDE * ev->index;
    u->pending.data = ev->value;
    u->pending.cycle = r->cycle;
    return 0;
}

int ref_sem(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    struct evt_unit *u = &r->evt[ev->unit];
    bool by_engine = ev->code < ENG_COUNT;
    if (ev->index >= SEM_COUNT || ev->words[0] > 0xff || ev->code > EVT_PORT_BUS ||
        (by_engine && ev->unit != 0))
        return ref_wrong(err, unit_name(ev->unit),
                         "update of index %" PRIu32 " with mode 0x%" PRIx32 " from source %u cannot exist",
                         ev->index, ev->words[0], ev->code);
    int rc = by_engine ? ref_seq_sem(r, ev, err) : check_bus(r, ev, err);
    if (rc)
        return rc;
    uint8_t idx = (uint8_t)ev->index;
    struct evt_effect f = evt_compute(u, by_engine, (uint8_t)ev->words[0], idx, ev->value);
    const char *what = f.is_sem ? "semaphore" : "event";
    uint32_t old = f.is_sem ? u->sem[idx] : u->event[idx];
    if (ev->dir != f.is_sem || ev->data != f.value)
        return ref_wrong(err, unit_name(ev->unit),
                         "%s %u became 0x%" PRIx64 "; right is %s %u = 0x%" PRIx32 " (was 0x%" PRIx32
                         ", mode 0x%02" PRIx32 ", operand 0x%" PRIx32 ")",
                         ev->dir ? "semaphore" : "event", idx, ev->data, what, idx, f.value, old,
                         ev->words[0], ev->value);
    if (ev->words[1] != f.error)
        return ref_wrong(err, unit_name(ev->unit),
                         "%s %u: error id 0x%02" PRIx32 " reported; right is 0x%02x", what, idx, ev->words[1],
                         f.error);
    uint64_t base = ev->unit ? SOC_TOPSP0 : SOC_EVT;
    reg_changed(r, base + (f.is_sem ? EVT_WIN_SEM_READ : EVT_WIN_EVENT) + (uint64_t)EVT_STRIDE * idx, old);
    if (f.is_sem)
        u->sem[idx] = f.value;
    else
        u->event[idx] = f.value != 0;
    u->commits++;
    if (ev->unit == 0)
        make_records(r, ev, &f);
    if (by_engine)
        ref_seq_sem_done(r, ev->code);
    return 0;
}

int ref_note_evt(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    bool error = ev->code != NCLASS_EVSEM;
    struct evt_source *source = error ? &r->evt_errors : &r->evt_notes;
    struct note *n = note_front(&source->notes);
    if (!n)
        return ref_wrong(err, "EVT_SEM",
                         "sends record %08" PRIx32 " %08" PRIx32 " but no commit produced one", ev->words[0],
                         ev->words[1]);
    if (n->w0 != ev->words[0] || n->w1 != ev->words[1])
        return ref_wrong(err, "EVT_SEM",
                         "sends record %08" PRIx32 " %08" PRIx32 "; right is %08" PRIx32 " %08" PRIx32,
                         ev->words[0], ev->words[1], n->w0, n->w1);
    unsigned right =
        (n->w0 & 0xff) == NERR_EVENT_ERROR ? NCLASS_ERROR_EVENT_ERROR : NCLASS_ERROR_SEMAPHORE_ERROR;
    if (error && ev->code != right)
        return ref_wrong(err, "EVT_SEM",
                         "error record of id %" PRIu32 " enters NOTIFIC at class 0x%02x; right is 0x%02x",
                         n->w0 & 0xff, ev->code, right);
    note_pop(&source->notes);
    source->out_cycle = r->cycle;
    return 0;
}
