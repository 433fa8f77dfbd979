/* Judging events as they come, and the device wrapper that feeds the model: see check.h. */
#include "check/check_private.h"

#include <stdlib.h>
#include <string.h>

#include "regs.h"

/* Which history an event belongs to: engines, EVT_SEM units, NOTIFIC, host, then per DMA engine 16 queues and
 * its bus. */
enum { H_EVT = PROG_ENGINES, H_NOTIFIC = H_EVT + 2, H_HOST, H_DMA };
#define H_PER_DMA 17u

static unsigned of_master(unsigned master)
{
    if (master < PROG_ENGINES)
        return master;
    if (master == MASTER_NOTIFIC)
        return H_NOTIFIC;
    if (master == MASTER_HOST)
        return H_HOST;
    return H_DMA + (master - MASTER_UDMA0) * H_PER_DMA + 16;
}

static unsigned history_of(const struct dev_event *ev)
{
    switch (ev->kind) {
    case EV_SEQ_ISSUE:
    case EV_SEQ_PASS:
    case EV_SEQ_READ:
    case EV_SEQ_REG:
    case EV_SEQ_WRITE:
    case EV_SEQ_WRESP:
    case EV_SEQ_RETIRE:
    case EV_SEQ_STATE:
        return ev->unit;
    case EV_SEM:
        return ev->code < PROG_ENGINES ? ev->code : H_EVT + ev->unit;
    case EV_NQ_IN:
    case EV_NQ_DROP:
    case EV_NQ_WR:
        return H_NOTIFIC;
    case EV_MEM_RD:
    case EV_MEM_WR:
    case EV_BUS_ERR:
    case EV_APB_RD:
    case EV_APB_WR:
        return of_master(ev->code);
    case EV_DMA_STATE:
        return H_DMA + ev->unit * H_PER_DMA + 16;
    default:
        return H_DMA + ev->unit * H_PER_DMA + (ev->queue & 15u);
    }
}

static void remember(struct chk *c, const struct dev_event *ev)
{
    unsigned h = history_of(ev);
    if (h >= c->nrings)
        h = H_HOST;
    struct chk_ring *r = &c->rings[h];
    r->ev[r->count % CHK_HISTORY] = *ev;
    r->order[r->count % CHK_HISTORY] = c->counts.events;
    r->count++;
}

/* Copies the newest events of one history, and of its DMA engine's bus, into the report in the order they
 * came. */
static void collect_history(struct chk *c, const struct dev_event *ev)
{
    unsigned h = history_of(ev);
    if (h >= c->nrings)
        h = H_HOST;
    const struct chk_ring *src[2] = { &c->rings[h], NULL };
    if (h >= H_DMA)
        src[1] = &c->rings[h - (h - H_DMA) % H_PER_DMA + 16];
    if (src[1] == src[0])
        src[1] = NULL;
    uint64_t pos[2] = { src[0]->count, src[1] ? src[1]->count : 0 };
    unsigned n = 0;
    struct dev_event newest[CHK_HISTORY];
    while (n < CHK_HISTORY) {
        int best = -1;
        for (int s = 0; s < 2; s++) {
            if (!src[s] || pos[s] == 0 || src[s]->count - pos[s] >= CHK_HISTORY)
                continue;
            if (best < 0 ||
                src[s]->order[(pos[s] - 1) % CHK_HISTORY] > src[best]->order[(pos[best] - 1) % CHK_HISTORY])
                best = s;
        }
        if (best < 0)
            break;
        pos[best]--;
        newest[n++] = src[best]->ev[pos[best] % CHK_HISTORY];
    }
    c->report.nhistory = n;
    for (unsigned i = 0; i < n; i++)
        c->report.history[i] = newest[n - 1 - i];
}

static bool is_progress(const struct dev_event *ev)
{
    return !((ev->kind == EV_APB_RD || ev->kind == EV_APB_WR) && ev->code == MASTER_HOST);
}

/* A write of a DMA engine comes from a descriptor: the one whose write is due. */
static void add_descriptor(struct chk *c, const struct dev_event *ev)
{
    unsigned engine = ev->unit, queue;
    uint32_t index;
    bool answer = ev->kind == EV_DMA_WRESP;
    if (ev->kind == EV_MEM_WR || ev->kind == EV_APB_WR) {
        if (ev->code < MASTER_UDMA0 || ev->code == MASTER_HOST)
            return;
        engine = ev->code - MASTER_UDMA0;
    } else if (!answer) {
        return;
    }
    if (!ref_view_write(c->model, engine, answer, &queue, &index))
        return;
    char address[sizeof c->report.place], desc[200];
    snprintf(address, sizeof address, "%s", c->report.place);
    load_desc_text(c->plan, engine, queue, 1, index, desc, sizeof desc);
    snprintf(c->report.place, sizeof c->report.place, "%s%s%.100s", desc, address[0] ? "; " : "", address);
}

static int on_event(void *ctx, const struct dev_event *ev)
{
    struct chk *c = ctx;
    if (c->report.failed)
        return 1;
    c->counts.events++;
    if (ev->kind < EV_COUNT)
        c->counts.kind[ev->kind]++;
    if (ev->kind == EV_SEQ_RETIRE && ev->unit < PROG_ENGINES)
        c->counts.retired[ev->unit]++;
    if (is_progress(ev))
        c->counts.last_progress = ev->cycle;
    int stop = c->also ? c->also(c->also_ctx, ev) : 0;
    if (!c->model)
        return stop;
    bool fill = ev->kind == EV_MEM_RD && ev->dir == PROT_FETCH; /* these would push the steps out */
    if (!fill)
        remember(c, ev);
    if (ref_judge(c->model, ev, &c->report.err) == 0)
        return stop;
    if (fill)
        remember(c, ev);
    c->report.failed = true;
    c->report.has_event = true;
    c->report.event = *ev;
    c->report.cycle = ev->cycle;
    chk_event_place(c->plan, ev, c->report.place, sizeof c->report.place);
    add_descriptor(c, ev);
    if (!c->report.place[0] && history_of(ev) < PROG_ENGINES) {
        struct ref_seq_view v;
        ref_view_seq(c->model, history_of(ev), &v);
        load_pc_text(c->plan, history_of(ev), v.pc, c->report.place, sizeof c->report.place);
    }
    collect_history(c, ev);
    return 1;
}

static struct chk *chk_of(struct device *dev)
{
    return ((struct chk_device *)dev)->chk;
}

static struct device *inner_of(struct device *dev)
{
    return ((struct chk_device *)dev)->inner;
}

static int chk_reg_read32(struct device *dev, uint64_t bar0, uint32_t *value, struct nerr *err)
{
    return inner_of(dev)->ops->reg_read32(inner_of(dev), bar0, value, err);
}

static int chk_reg_write32(struct device *dev, uint64_t bar0, uint32_t value, struct nerr *err)
{
    return inner_of(dev)->ops->reg_write32(inner_of(dev), bar0, value, err);
}

static int chk_mem_read(struct device *dev, uint64_t soc, void *buf, size_t len, struct nerr *err)
{
    return inner_of(dev)->ops->mem_read(inner_of(dev), soc, buf, len, err);
}

static int chk_mem_write(struct device *dev, uint64_t soc, const void *buf, size_t len, struct nerr *err)
{
    struct chk *c = chk_of(dev);
    if (c->model && !ref_mem_write(c->model, soc, buf, len))
        return nerr_set(err, NERR_MEM, "reference model", "out of memory for a write of %zu bytes", len);
    return inner_of(dev)->ops->mem_write(inner_of(dev), soc, buf, len, err);
}

static int chk_advance(struct device *dev, uint64_t cycles, unsigned until, unsigned *why, struct nerr *err)
{
    return inner_of(dev)->ops->advance(inner_of(dev), cycles, until, why, err);
}

static void chk_now(struct device *dev, struct dev_time *t)
{
    inner_of(dev)->ops->now(inner_of(dev), t);
}

/* The wrapper belongs to the chk and the inner device to the caller: nothing to close here. */
static void chk_close(struct device *dev)
{
    (void)dev;
}

static const struct dev_ops chk_ops = {
    .reg_read32 = chk_reg_read32,
    .reg_write32 = chk_reg_write32,
    .mem_read = chk_mem_read,
    .mem_write = chk_mem_write,
    .advance = chk_advance,
    .now = chk_now,
    .close = chk_close,
};

struct chk *chk_new(const struct loadplan *plan, bool judge, struct nerr *err)
{
    struct chk *c = calloc(1, sizeof *c);
    if (!c)
        goto nomem;
    c->plan = plan;
    c->nrings = H_DMA + plan->n_dma * H_PER_DMA;
    c->rings = calloc(c->nrings, sizeof *c->rings);
    if (!c->rings)
        goto nomem;
    if (judge) {
        struct ref_config rc = { .n_dma = plan->n_dma, .phase_first = true };
        c->model = ref_new(&rc);
        if (!c->model)
            goto nomem;
    }
    return c;
nomem:
    chk_free(c);
    nerr_set(err, NERR_MEM, "check", "out of memory for the reference model");
    return NULL;
}

void chk_free(struct chk *c)
{
    if (!c)
        return;
    ref_free(c->model);
    free(c->rings);
    free(c);
}

int chk_attach(struct chk *c, struct device *inner, dev_event_fn also, void *also_ctx, struct device **out,
               struct nerr *err)
{
    c->wrapper.base.ops = &chk_ops;
    c->wrapper.base.name = inner->name;
    c->wrapper.inner = inner;
    c->wrapper.chk = c;
    c->also = also;
    c->also_ctx = also_ctx;
    *out = &c->wrapper.base;
    if (inner->ops->events)
        return inner->ops->events(inner, on_event, c, err);
    if (c->model)
        return nerr_set(err, NERR_INPUT, "--device", "device '%s' reports no events; run it with --no-check",
                        inner->name);
    return 0;
}

const struct chk_report *chk_get_report(const struct chk *c)
{
    return &c->report;
}

const struct chk_counts *chk_get_counts(const struct chk *c)
{
    return &c->counts;
}

struct ref *chk_model(struct chk *c)
{
    return c->model;
}
