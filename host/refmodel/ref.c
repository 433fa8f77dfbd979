/* Life of the model, its memory, and the dispatch of events to the agents: see ref.h. */
#include "refmodel/ref_private.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DMA_WRITES   1024u /* bursts of one engine on the way */
#define DMA_READS    1024u
#define SEQ_WRITES   256u
#define NQ_WRITES    64u
#define STREAM_BYTES ((size_t)1 << 16)

static const char *const engine_names[ENG_COUNT] = { "PE", "ACT", "POOL", "DVE", "SP" };

int ref_wrong(struct nerr *err, const char *where, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    nerr_vset(err, NERR_MISMATCH, where, fmt, ap);
    va_end(ap);
    return NERR_MISMATCH;
}

const char *ref_engine_name(unsigned engine)
{
    return engine < ENG_COUNT ? engine_names[engine] : "?";
}

const char *ref_master_name(unsigned master, char *buf, size_t size)
{
    if (master < ENG_COUNT)
        snprintf(buf, size, "%s", engine_names[master]);
    else if (master == MASTER_NOTIFIC)
        snprintf(buf, size, "NOTIFIC");
    else if (master == MASTER_HOST)
        snprintf(buf, size, "host");
    else
        snprintf(buf, size, "e%u", master - MASTER_UDMA0);
    return buf;
}

const char *ref_queue_name(unsigned engine, unsigned queue, unsigned dir, char *buf, size_t size)
{
    snprintf(buf, size, "e%u q%u %s", engine, queue, dir ? "S2M" : "M2S");
    return buf;
}

static bool dma_init(struct dma *d)
{
    d->run[0] = d->run[1] = true;
    d->state = 1;
    d->wanted = -1;
    d->stream_size = STREAM_BYTES;
    d->stream = malloc(STREAM_BYTES);
    d->reads_size = DMA_READS;
    d->reads = calloc(DMA_READS, sizeof *d->reads);
    d->words = calloc(UDMA_WINDOW_BYTES / 4, sizeof *d->words);
    if (!d->stream || !d->reads || !d->words || !wq_init(&d->writes, DMA_WRITES))
        return false;
    udma_reset_words(d->words);
    for (unsigned q = 0; q < UDMA_QUEUES; q++) {
        for (unsigned dir = 0; dir < 2; dir++) {
            struct dma_ring *g = &d->q[q].ring[dir];
            g->tail = g->head = g->current = g->completed = (struct ring_ptr){ 0, RING_ID_FIRST };
        }
    }
    return true;
}

static void lreg_init(struct lreg_file *f)
{
    f->release = LREG_RELEASE_RUN_STALL_RESET;
    f->high[0] = LREG_MODE_RESET;
    f->high[(LREG_BREAK_CTRL_OFF - LREG_MODE_OFF) / 4] = LREG_BREAK_CTRL_RESET;
    f->high[(LREG_SEARCH_OFF - LREG_MODE_OFF) / 4] = LREG_SEARCH_RESET;
    f->high[(LREG_FLUSH_CNTR_OFF - LREG_MODE_OFF) / 4] = LREG_FLUSH_CNTR_RESET;
}

struct ref *ref_new(const struct ref_config *cfg)
{
    struct ref *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->cfg = *cfg;
    if (r->cfg.n_dma == 0 || r->cfg.n_dma > UDMA_ENGINES)
        r->cfg.n_dma = UDMA_ENGINES;
    r->beat_bytes = BEAT_BYTES;
    r->mem = sparse_new();
    r->dma = calloc(r->cfg.n_dma, sizeof *r->dma);
    bool ok = r->mem && r->dma && wq_init(&r->nq.writes, NQ_WRITES);
    for (unsigned e = 0; ok && e < ENG_COUNT; e++) {
        ok = wq_init(&r->seq[e].writes, SEQ_WRITES);
        r->seq[e].state = ESTATE_RESET;
        lreg_init(&r->seq[e].lreg);
    }
    for (unsigned e = 0; ok && e < r->cfg.n_dma; e++)
        ok = dma_init(&r->dma[e]);
    if (!ok) {
        ref_free(r);
        return NULL;
    }
    r->nq.axi_id = NQ_AXI_ID_RESET;
    r->nq.coal_timer = NQ_COAL_TIMER_RESET;
    r->nq.coal_ctrl = NQ_COAL_CTRL_RESET;
    r->nq.inc = NQ_TIMESTAMP_INC_RESET;
    r->nq.spare1 = NQ_SPARE_1S_RESET;
    for (unsigned q = 0; q < NQ_QUEUES; q++)
        r->nq.q[q].phase = r->cfg.phase_first;
    r->tpb.high = TPB_SEM_HIGH_RESET;
    return r;
}

void ref_free(struct ref *r)
{
    if (!r)
        return;
    sparse_free(r->mem);
    free(r->nq.writes.e);
    for (unsigned e = 0; e < ENG_COUNT; e++)
        free(r->seq[e].writes.e);
    for (unsigned e = 0; r->dma && e < r->cfg.n_dma; e++) {
        free(r->dma[e].stream);
        free(r->dma[e].reads);
        free(r->dma[e].words);
        free(r->dma[e].writes.e);
    }
    free(r->dma);
    free(r);
}

bool ref_mem_write(struct ref *r, uint64_t soc, const void *buf, size_t len)
{
    return sparse_write(r->mem, soc & ~(uint64_t)SOC_ADDR_ATTR_MASK, buf, len);
}

void ref_mem_read(struct ref *r, uint64_t soc, void *buf, size_t len)
{
    sparse_read(r->mem, soc & ~(uint64_t)SOC_ADDR_ATTR_MASK, buf, len);
}

bool ref_mem_valid(struct ref *r, uint64_t soc, uint64_t len)
{
    return ref_is_memory(r, soc, len);
}

struct sparse *ref_memory(struct ref *r)
{
    return r->mem;
}

/* A bus write that changed EVT_SEM must be answered soon (events-semaphores.md §9 rule 4). */
static int overdue(struct ref *r, struct nerr *err)
{
    for (unsigned u = 0; u < 2; u++) {
        struct evt_unit *unit = &r->evt[u];
        if (!unit->pending.valid || r->cycle - unit->pending.cycle <= WINDOW_CLOCKS)
            continue;
        return ref_wrong(err, u ? "TOP_SP_0 EVT_SEM" : "EVT_SEM",
                         "a bus update at offset 0x%" PRIx32 " with 0x%" PRIx32
                         " was committed at cycle %" PRIu64
                         " but no register write to that alias was answered since: nobody issued it",
                         unit->pending.off, unit->pending.data, unit->pending.cycle);
    }
    return 0;
}

static int check_unit(const struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    unsigned limit;
    bool queued = false;
    switch (ev->kind) {
    case EV_SEQ_ISSUE:
    case EV_SEQ_PASS:
    case EV_SEQ_READ:
    case EV_SEQ_REG:
    case EV_SEQ_WRITE:
    case EV_SEQ_WRESP:
    case EV_SEQ_RETIRE:
    case EV_SEQ_STATE:
        limit = ENG_COUNT;
        break;
    case EV_SEM:
        limit = 2;
        break;
    case EV_DMA_DESC:
    case EV_DMA_START:
    case EV_DMA_CONST:
    case EV_DMA_RD:
    case EV_DMA_WR:
    case EV_DMA_BELL:
    case EV_DMA_WRESP:
    case EV_DMA_CPL:
    case EV_DMA_ERR:
        queued = true;
        limit = r->cfg.n_dma;
        break;
    case EV_DMA_STATE:
        limit = r->cfg.n_dma;
        break;
    default:
        return 0;
    }
    if (ev->unit >= limit || (queued && (ev->queue >= UDMA_QUEUES || ev->dir > 1)))
        return ref_wrong(err, dev_event_name(ev->kind), "unit %u queue %u dir %u does not exist", ev->unit,
                         ev->queue, ev->dir);
    return 0;
}

static int dispatch(struct ref *r, const struct dev_event *ev, struct nerr *err)
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
        return ref_seq(r, ev, err);
    case EV_DMA_DESC:
        return ref_dma_desc(r, ev, err);
    case EV_DMA_START:
        return ref_dma_start(r, ev, err);
    case EV_DMA_CONST:
        return ref_dma_const(r, ev, err);
    case EV_DMA_RD:
        return ref_dma_rd(r, ev, err);
    case EV_DMA_WR:
        return ref_dma_wr(r, ev, err);
    case EV_NQ_IN:
        return ref_nq_in(r, ev, err);
    case EV_NQ_DROP:
        return ref_nq_drop(r, ev, err);
    case EV_NQ_WR:
        return ref_nq_wr(r, ev, err);
    case EV_MEM_RD:
        return ref_mem_rd(r, ev, err);
    case EV_MEM_WR:
        return ref_mem_wr(r, ev, err);
    case EV_BUS_ERR:
        return ref_bus_err(r, ev, err);
    case EV_SEM:
        return ref_sem(r, ev, err);
    case EV_APB_RD:
        return ref_apb_rd(r, ev, err);
    case EV_APB_WR:
        return ref_apb_wr(r, ev, err);
    case EV_DMA_BELL:
        return ref_dma_bell(r, ev, err);
    case EV_DMA_WRESP:
        return ref_dma_wresp(r, ev, err);
    case EV_DMA_CPL:
        return ref_dma_cpl(r, ev, err);
    case EV_DMA_ERR:
        return ref_dma_err(r, ev, err);
    case EV_DMA_STATE:
        return ref_dma_state(r, ev, err);
    case EV_RULE:
        return ref_wrong(err, "handshake", "rule broken: %.63s", (const char *)ev->words);
    default:
        return ref_wrong(err, "event", "kind %u is none of the architectural events", ev->kind);
    }
}

int ref_judge(struct ref *r, const struct dev_event *ev, struct nerr *err)
{
    if (ev->cycle < r->cycle)
        return ref_wrong(err, dev_event_name(ev->kind), "time went back from cycle %" PRIu64 " to %" PRIu64,
                         r->cycle, ev->cycle);
    r->cycle = ev->cycle;
    dma_commands_done(r, false);
    int rc = check_unit(r, ev, err);
    if (rc)
        return rc;
    if (r->evt[0].pending.valid || r->evt[1].pending.valid) {
        rc = overdue(r, err);
        if (rc)
            return rc;
    }
    rc = dispatch(r, ev, err);
    if (!rc && r->nomem)
        return nerr_set(err, NERR_MEM, "reference model", "out of memory");
    return rc;
}

uint32_t ref_semaphore(struct ref *r, unsigned unit, unsigned index)
{
    return unit < 2 && index < SEM_COUNT ? r->evt[unit].sem[index] : 0;
}

bool ref_event_bit(struct ref *r, unsigned unit, unsigned index)
{
    return unit < 2 && index < EVT_COUNT && r->evt[unit].event[index];
}

uint64_t ref_commits(struct ref *r, unsigned unit)
{
    return unit < 2 ? r->evt[unit].commits : 0;
}
