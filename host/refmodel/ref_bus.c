/*
 * What happens between a master and the bus: reads that are served, writes that are committed or refused, and
 * the register accesses of the device and of the host. Every master's writes commit in the order in which
 * they were issued (one ID per master, docs/rtl.md), with the data the model computed.
 */
#include "refmodel/ref_private.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool wq_init(struct write_queue *w, uint32_t size)
{
    w->e = calloc(size, sizeof *w->e);
    w->size = size;
    return w->e != NULL;
}

struct bus_write *wq_issue(struct ref *r, struct write_queue *w, uint64_t addr, uint32_t len)
{
    if (w->issued - w->answered >= w->size)
        return NULL;
    struct bus_write *e = &w->e[w->issued++ & (w->size - 1)];
    uint64_t off;
    memset(e, 0, sizeof *e);
    e->addr = addr & ~(uint64_t)SOC_ADDR_ATTR_MASK;
    e->given = addr;
    e->len = len;
    e->target = (uint8_t)ref_decode(r, addr, &off);
    e->resp = ref_write_resp(r, addr, len);
    return e;
}

struct bus_write *wq_uncommitted(struct write_queue *w)
{
    return w->committed != w->issued ? &w->e[w->committed & (w->size - 1)] : NULL;
}

struct bus_write *wq_unanswered(struct write_queue *w)
{
    return w->answered != w->committed ? &w->e[w->answered & (w->size - 1)] : NULL;
}

struct write_queue *ref_writes_of(struct ref *r, unsigned master)
{
    if (master < ENG_COUNT)
        return &r->seq[master].writes;
    if (master == MASTER_NOTIFIC)
        return &r->nq.writes;
    if (master >= MASTER_UDMA0 && master - MASTER_UDMA0 < r->cfg.n_dma)
        return &r->dma[master - MASTER_UDMA0].writes;
    return NULL;
}

void ref_write_bytes(struct ref *r, unsigned master, const struct bus_write *w, uint32_t from, uint32_t n,
                     uint8_t *out)
{
    if (master >= MASTER_UDMA0)
        stream_read(&r->dma[master - MASTER_UDMA0], w->stream + from, out, n);
    else
        memcpy(out, w->bytes + from, n);
}

static void committed(unsigned master, struct write_queue *q)
{
    q->committed++;
    if (master == MASTER_NOTIFIC)
        q->answered++; /* NOTIFIC reports no response events */
}

/* ---- reads ---- */

/* The read a sequencer's slot is waiting for. */
static bool seq_reads(struct ref *r, unsigned engine, uint64_t *addr)
{
    struct seq *s = &r->seq[engine];
    struct dev_event want;
    seq_settle(r, engine);
    if (s->read.answered || s->state != ESTATE_RUNNING)
        return false;
    seq_expect(r, engine, &want);
    if (want.kind != EV_SEQ_READ)
        return false;
    *addr = want.addr & ~(uint64_t)SOC_ADDR_ATTR_MASK;
    return true;
}

static struct bus_read *oldest_read(struct dma *d)
{
    while (d->r_out != d->r_in) {
        struct bus_read *b = &d->reads[d->r_out & (d->reads_size - 1)];
        if (b->got < b->len)
            return b;
        d->r_out++;
    }
    return NULL;
}

static int seq_mem_rd(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    struct seq *s = &r->seq[ev->code];
    uint64_t want;
    if (ev->dir == PROT_FETCH)
        return 0;
    if (!seq_reads(r, ev->code, &want))
        return ref_wrong(err, ref_engine_name(ev->code),
                         "memory served a data read at 0x%" PRIx64 " but no slot asked for one", ev->addr);
    uint64_t base = want & ~(uint64_t)(r->beat_bytes - 1);
    bool bytes_ok =
        ev->value == 4 || ev->value == r->beat_bytes || ev->value == r->beat_bytes - (want - base);
    if ((ev->addr != want && ev->addr != base) || !bytes_ok)
        return ref_wrong(err, ref_engine_name(ev->code),
                         "memory served a read of %" PRIu32 " B at 0x%" PRIx64 "; the slot at 0x%" PRIx64
                         " reads 4 B at 0x%" PRIx64,
                         ev->value, ev->addr, s->pc, want);
    uint8_t b[4];
    ref_mem_read(r, want, b, sizeof b);
    s->read.data = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    s->read.resp = AXI_OKAY;
    s->read.answered = true;
    return 0;
}

static int dma_mem_rd(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    unsigned e = ev->code - MASTER_UDMA0;
    struct dma *d = &r->dma[e];
    char where[32];
    if (ev->dir == PROT_DESC)
        return 0;
    struct bus_read *b = oldest_read(d);
    snprintf(where, sizeof where, "e%u", e);
    if (!b)
        return ref_wrong(err, where,
                         "memory served a data read at 0x%" PRIx64 " but the engine has no read on the way",
                         ev->addr);
    uint64_t next = b->addr + b->got;
    uint64_t room = r->beat_bytes - (next & (r->beat_bytes - 1));
    uint32_t left = b->len - b->got;
    uint32_t n = left < room ? left : (uint32_t)room;
    bool bytes_ok = ev->value == n || ev->value == room || ev->value == r->beat_bytes;
    if ((ev->addr != next && ev->addr != (next & ~(uint64_t)(r->beat_bytes - 1))) || !bytes_ok) {
        ref_queue_name(e, b->queue, 0, where, sizeof where);
        return ref_wrong(err, where,
                         "memory served 0x%" PRIx64 " (%" PRIu32 " B); the oldest read of descriptor %" PRIu32
                         " goes on at 0x%" PRIx64 " (%" PRIu32 " B)",
                         ev->addr, ev->value, b->index, next, n);
    }
    uint8_t bytes[BEAT_BYTES_MAX];
    ref_mem_read(r, next, bytes, n);
    dma_data(d, bytes, n);
    return 0;
}

int ref_mem_rd(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    char where[16];
    if (ev->code < ENG_COUNT)
        return seq_mem_rd(r, ev, err);
    if (ev->code >= MASTER_UDMA0 && ev->code - MASTER_UDMA0 < r->cfg.n_dma)
        return dma_mem_rd(r, ev, err);
    return ref_wrong(err, ref_master_name(ev->code, where, sizeof where),
                     "reads memory at 0x%" PRIx64 ", but it never reads", ev->addr);
}

/* ---- writes ---- */

int ref_mem_wr(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    char where[32];
    unsigned m = ev->code;
    struct write_queue *q = ref_writes_of(r, m);
    ref_master_name(m, where, sizeof where);
    struct bus_write *w = q ? wq_uncommitted(q) : NULL;
    if (!w)
        return ref_wrong(err, where,
                         "memory committed a write at 0x%" PRIx64 " (strobe 0x%" PRIx64
                         ") that was never issued",
                         ev->addr, ev->data);
    if (m >= MASTER_UDMA0)
        ref_queue_name(m - MASTER_UDMA0, w->queue, 1, where, sizeof where);
    if (w->target != TARGET_MEM)
        return ref_wrong(err, where,
                         "memory committed a write at 0x%" PRIx64 ", but the oldest write goes to 0x%" PRIx64
                         ", which is no memory",
                         ev->addr, w->addr);
    unsigned width = ev->nwords * 4u;
    if (width < 8 || width > BEAT_BYTES_MAX || (width & (width - 1)) != 0)
        return ref_wrong(err, where, "write beat at 0x%" PRIx64 " comes with %u words; right is a bus width",
                         ev->addr, ev->nwords);
    r->beat_bytes = width;
    uint64_t next = w->addr + w->done;
    uint64_t base = next & ~(uint64_t)(width - 1);
    uint32_t lane = (uint32_t)(next - base);
    uint32_t left = w->len - w->done;
    uint32_t n = left < width - lane ? left : width - lane;
    uint64_t strobe = (n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1) << lane;
    if (ev->addr != base && ev->addr != next)
        return ref_wrong(err, where,
                         "memory committed a write at 0x%" PRIx64
                         "; the oldest write on the way goes on at 0x%" PRIx64
                         ": writes of one master must land in the order in which they were issued",
                         ev->addr, next);
    if (ev->data != strobe)
        return ref_wrong(err, where,
                         "write beat at 0x%" PRIx64 " has strobe 0x%" PRIx64 "; right is 0x%" PRIx64
                         " (%" PRIu32 " B from 0x%" PRIx64 ")",
                         ev->addr, ev->data, strobe, n, next);
    uint8_t right[BEAT_BYTES_MAX];
    ref_write_bytes(r, m, w, w->done, n, right);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = lane + i;
        uint8_t got = (uint8_t)(ev->words[at / 4] >> (8 * (at % 4)));
        if (got != right[i])
            return ref_wrong(err, where,
                             "byte 0x%02x written at 0x%" PRIx64 "; right is 0x%02x (byte %" PRIu32
                             " of a write of %" PRIu32 " B at 0x%" PRIx64 ")",
                             got, next + i, right[i], w->done + i, w->len, w->addr);
    }
    if (!ref_mem_write(r, next, right, n))
        r->nomem = true;
    w->done += n;
    if (w->done == w->len) {
        if (m == MASTER_NOTIFIC)
            r->notified = true;
        committed(m, q);
    }
    return 0;
}

/* The first refused read of a queue is reported, with its descriptor. */
static void note_read_error(struct dma *d, const struct bus_read *b)
{
    struct dma_queue *q = &d->q[b->queue];
    if (b->lap != q->lap || q->dead || q->read_error.valid)
        return;
    q->read_error = (struct due){ .valid = true, .index = b->index };
    memcpy(q->read_error.w, b->w, sizeof q->read_error.w);
}

/* The bus may refuse an address before it has taken the data, which is when a sequencer's write counts as
 * accepted. */
static bool refused_early(struct ref *r, const struct dev_event *ev)
{
    struct seq *s = &r->seq[ev->code];
    struct dev_event want;
    seq_settle(r, ev->code);
    if (!seq_expect(r, ev->code, &want) || want.kind != EV_SEQ_WRITE || s->refused.set)
        return false;
    if ((want.addr & ~(uint64_t)SOC_ADDR_ATTR_MASK) != ev->addr ||
        ref_write_resp(r, want.addr, want.value) != ev->value || ev->value == AXI_OKAY)
        return false;
    s->refused.set = true;
    s->refused.addr = ev->addr;
    return true;
}

static int refused_write(struct ref *r, const struct dev_event *ev, const char *where, struct nerr *err)
{
    struct write_queue *q = ref_writes_of(r, ev->code);
    struct bus_write *w = q ? wq_uncommitted(q) : NULL;
    if (ev->code == MASTER_HOST)
        return 0;
    if (!w && ev->code < ENG_COUNT && refused_early(r, ev))
        return 0;
    if (!w)
        return ref_wrong(err, where, "the bus refused a write at 0x%" PRIx64 " that was never issued",
                         ev->addr);
    if (w->addr != ev->addr || w->resp != ev->value || w->done)
        return ref_wrong(err, where,
                         "the bus refused a write at 0x%" PRIx64 " with response %" PRIu32
                         "; the oldest write on the way (%" PRIu32 " B at 0x%" PRIx64 ") gets response %u",
                         ev->addr, ev->value, w->len, w->addr, w->resp);
    if (ev->code == MASTER_NOTIFIC) {
        reg_changed(r, SOC_NOTIFIC + NQ_ERROR_ADDR_LO_OFF, (uint32_t)r->nq.error_addr);
        reg_changed(r, SOC_NOTIFIC + NQ_ERROR_ADDR_HI_OFF, (uint32_t)(r->nq.error_addr >> 32));
        r->nq.error_addr = w->given;
    }
    committed(ev->code, q);
    return 0;
}

/* Data of a refused read: the poison word, at its place in memory. */
static void poison(struct dma *d, struct bus_read *b)
{
    static const uint8_t word[4] = { SOC_POISON & 0xff, SOC_POISON >> 8 & 0xff, SOC_POISON >> 16 & 0xff,
                                     SOC_POISON >> 24 & 0xff };
    while (b->got < b->len) {
        uint8_t byte = word[(b->addr + b->got) & 3];
        dma_data(d, &byte, 1);
    }
}

static int refused_read(struct ref *r, const struct dev_event *ev, const char *where, struct nerr *err)
{
    uint64_t off;
    unsigned target = ref_decode(r, ev->addr, &off);
    uint8_t right = target == TARGET_NONE ? AXI_DECERR : AXI_SLVERR;
    if (ev->code == MASTER_HOST)
        return 0;
    if (target == TARGET_MEM || ev->value != right)
        return ref_wrong(err, where,
                         "the bus refused a read at 0x%" PRIx64 " with response %" PRIu32
                         "; right is response %u",
                         ev->addr, ev->value, target == TARGET_MEM ? AXI_OKAY : right);
    if (ev->code < ENG_COUNT) {
        struct seq *s = &r->seq[ev->code];
        uint64_t want;
        if (seq_reads(r, ev->code, &want) && want == ev->addr) {
            s->read.answered = true;
            s->read.data = SOC_POISON;
            s->read.resp = right;
        }
        return 0; /* else a line fill: judged when a slot of that line is executed */
    }
    if (ev->code < MASTER_UDMA0)
        return ref_wrong(err, where, "the bus refused a read at 0x%" PRIx64 " of a master that never reads",
                         ev->addr);
    struct dma *d = &r->dma[ev->code - MASTER_UDMA0];
    struct bus_read *b = oldest_read(d);
    if (b && b->addr + b->got == ev->addr) {
        note_read_error(d, b);
        poison(d, b);
    } else {
        d->prefetch_errors++;
    }
    return 0;
}

int ref_bus_err(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    char where[32];
    ref_master_name(ev->code, where, sizeof where);
    if (ev->code != MASTER_HOST && !ref_writes_of(r, ev->code))
        return ref_wrong(err, "bus", "master %u does not exist", ev->code);
    return ev->dir ? refused_write(r, ev, where, err) : refused_read(r, ev, where, err);
}

/* ---- registers ---- */

int ref_apb_rd(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    char where[32];
    uint32_t want = SOC_POISON;
    ref_master_name(ev->code, where, sizeof where);
    int rc = reg_read(r, ev->addr, &want, false);
    if ((rc == 1) != (ev->dir != 0))
        return ref_wrong(err, where, "register read at 0x%" PRIx64 " was %s; right is %s", ev->addr,
                         ev->dir ? "refused" : "answered", rc == 1 ? "refused" : "answered");
    if (rc != 2 && ev->value != want && !reg_read_close(r, ev->addr, ev->value, want))
        return ref_wrong(err, where, "register 0x%" PRIx64 " reads 0x%" PRIx32 "; right is 0x%" PRIx32,
                         ev->addr, ev->value, want);
    if (rc != 1)
        reg_read(r, ev->addr, &want, true);
    if (ev->code == MASTER_HOST)
        return 0;
    if (ev->code < ENG_COUNT) {
        struct seq *s = &r->seq[ev->code];
        uint64_t at;
        if (!seq_reads(r, ev->code, &at) || at != ev->addr)
            return ref_wrong(err, where, "reads register 0x%" PRIx64 ", which no slot asked for", ev->addr);
        s->read.answered = true;
        s->read.data = ev->value;
        s->read.resp = ev->dir ? AXI_SLVERR : AXI_OKAY;
        return 0;
    }
    if (ev->code < MASTER_UDMA0 || ev->code - MASTER_UDMA0 >= r->cfg.n_dma)
        return ref_wrong(err, where, "reads register 0x%" PRIx64 ", but it never reads", ev->addr);
    struct dma *d = &r->dma[ev->code - MASTER_UDMA0];
    struct bus_read *b = oldest_read(d);
    if (!b || b->addr + b->got != ev->addr || b->len != 4)
        return ref_wrong(err, where, "reads register 0x%" PRIx64 ", which is not its oldest read", ev->addr);
    if (ev->dir)
        note_read_error(d, b);
    uint8_t bytes[4] = { (uint8_t)ev->value, (uint8_t)(ev->value >> 8), (uint8_t)(ev->value >> 16),
                         (uint8_t)(ev->value >> 24) };
    dma_data(d, bytes, 4);
    return 0;
}

/* A device master's register write must be its oldest write on the way, with the model's data. */
static int device_write(struct ref *r, const struct dev_event *ev, bool refused, const char *where,
                        struct nerr *err)
{
    struct write_queue *q = ref_writes_of(r, ev->code);
    struct bus_write *w = q ? wq_uncommitted(q) : NULL;
    if (!w)
        return ref_wrong(err, where, "wrote register 0x%" PRIx64 " without having issued a write", ev->addr);
    uint8_t b[4] = { 0 };
    if (w->len == 4)
        ref_write_bytes(r, ev->code, w, 0, 4, b);
    uint32_t right = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    if (w->addr != ev->addr || w->target == TARGET_MEM || w->target == TARGET_NONE || w->len != 4 || w->done)
        return ref_wrong(err, where,
                         "wrote register 0x%" PRIx64 "; the oldest write on the way is %" PRIu32
                         " B at 0x%" PRIx64
                         ": writes of one master must land in the order in which they were issued",
                         ev->addr, w->len, w->addr);
    if (right != ev->value)
        return ref_wrong(err, where, "wrote 0x%" PRIx32 " to register 0x%" PRIx64 "; right is 0x%" PRIx32,
                         ev->value, ev->addr, right);
    w->resp = refused ? AXI_SLVERR : AXI_OKAY;
    committed(ev->code, q);
    return 0;
}

/* EVT_SEM aliases: the update must have been committed before the write is answered (events-semaphores.md §9
 * rule 4). */
static int evt_answer(struct ref *r, const struct dev_event *ev, unsigned unit, uint64_t off,
                      struct nerr *err)
{
    struct evt_unit *u = &r->evt[unit];
    uint8_t mode, idx;
    if (!evt_command((uint32_t)off, ev->value, &mode, &idx))
        return 0;
    if (!u->pending.valid || u->pending.off != off || u->pending.data != ev->value)
        return ref_wrong(err, unit ? "TOP_SP_0 EVT_SEM" : "EVT_SEM",
                         "the write of 0x%" PRIx32 " to 0x%" PRIx64
                         " was answered, but its update was not committed",
                         ev->value, ev->addr);
    u->pending.valid = false;
    return 0;
}

int ref_apb_wr(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    char where[32];
    uint64_t off;
    unsigned target = ref_decode(r, ev->addr, &off);
    ref_master_name(ev->code, where, sizeof where);
    bool refused = ref_refuses_write(r, ev->addr, ev->value);
    if (refused != (ev->dir != 0))
        return ref_wrong(err, where, "register write at 0x%" PRIx64 " was %s; right is %s", ev->addr,
                         ev->dir ? "refused" : "taken", refused ? "refused" : "taken");
    if (ev->code != MASTER_HOST) {
        int rc = device_write(r, ev, refused, where, err);
        if (rc)
            return rc;
    }
    if (refused)
        return 0;
    if (target == TARGET_EVT || target == TARGET_TOPSP_EVT)
        return evt_answer(r, ev, target == TARGET_TOPSP_EVT, off, err);
    unsigned e, dir, queue;
    if (reg_is_bell(r, ev->addr, &e, &dir, &queue) && r->dma[e].q[queue].ring[dir].bell.valid) {
        ref_queue_name(e, queue, dir, where, sizeof where);
        return ref_wrong(err, where,
                         "a doorbell is written, but the doorbell of %" PRIu32 " before it was never taken",
                         r->dma[e].q[queue].ring[dir].bell.count);
    }
    reg_write(r, ev->addr, ev->value);
    return 0;
}
