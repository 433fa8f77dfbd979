/*
 * The model on its own: agents take turns, each with at most one step a turn. A step is an event that the
 * judge of this same model accepts, so both uses share one description of the chip. One clock passes per
 * step. Here are the turns and what all agents do to registers and the bus; the agents are in ref_runseq.c
 * and ref_rundma.c.
 */
#include "refmodel/ref_run.h"

#include "util/bytes.h"

bool ref_emit(struct ref *r, struct dev_event *ev)
{
    ev->cycle = r->cycle;
    if (r->self.code)
        return false;
    if (ref_judge(r, ev, &r->self) != 0)
        return false;
    if (r->sink && r->sink(r->sink_ctx, ev) != 0)
        r->sink_stop = true;
    return true;
}

/* ---- register writes, of any master ---- */

struct dev_event ref_sem_event(const struct ref *r, unsigned unit, unsigned source, uint8_t mode, uint8_t idx,
                               uint32_t operand)
{
    struct evt_effect f = evt_compute(&r->evt[unit], source < ENG_COUNT, mode, idx, operand);
    struct dev_event ev = { .kind = EV_SEM,
                            .unit = (uint8_t)unit,
                            .code = (uint8_t)source,
                            .dir = f.is_sem,
                            .index = idx,
                            .value = operand,
                            .data = f.value,
                            .nwords = 2 };
    ev.words[0] = mode;
    ev.words[1] = f.error;
    return ev;
}

static void bell_event(struct ref *r, unsigned e, unsigned dir, unsigned queue)
{
    struct dma *d = &r->dma[e];
    struct dma_ring *g = &d->q[queue].ring[dir];
    uint32_t length = ring_length(d, queue, dir), n = g->bell.count;
    bool overflow = g->used + (uint64_t)n > length;
    struct dev_event ev = { .kind = EV_DMA_BELL,
                            .unit = (uint8_t)e,
                            .dir = (uint8_t)dir,
                            .queue = (uint8_t)queue,
                            .value = n,
                            .code = overflow };
    ev.data = ptr_word(overflow ? g->tail : ptr_add(g->tail, n, length));
    ref_emit(r, &ev);
}

static void write_register(struct ref *r, unsigned master, uint64_t soc, uint32_t value, bool refused)
{
    uint64_t off;
    uint8_t mode, idx;
    unsigned e, dir, queue, target = ref_decode(r, soc, &off);
    unsigned unit = target == TARGET_TOPSP_EVT;
    if ((target == TARGET_EVT || unit) && !refused && evt_command((uint32_t)off, value, &mode, &idx)) {
        struct dev_event sem = ref_sem_event(r, unit, EVT_PORT_BUS, mode, idx, value);
        ref_emit(r, &sem);
    }
    struct dev_event ev = {
        .kind = EV_APB_WR, .code = (uint8_t)master, .addr = soc, .value = value, .dir = refused
    };
    ref_emit(r, &ev);
    if (!refused && reg_is_bell(r, soc, &e, &dir, &queue) && r->dma[e].q[queue].ring[dir].bell.valid)
        bell_event(r, e, dir, queue);
}

int ref_reg_write(struct ref *r, uint64_t soc, uint32_t value)
{
    bool refused = ref_refuses_write(r, soc, value);
    r->cycle++;
    write_register(r, MASTER_HOST, soc, value, refused);
    return refused;
}

int ref_reg_read(struct ref *r, uint64_t soc, uint32_t *value)
{
    r->cycle++;
    dma_commands_done(r, true);
    int rc = reg_read(r, soc, value, false);
    if (rc == 2 && (soc & ~(uint64_t)SOC_ADDR_ATTR_MASK) == SOC_NOTIFIC + NQ_TIMESTAMP_LO_OFF)
        *value = (uint32_t)nq_time(&r->nq, r->cycle);
    if (rc == 2 && (soc & ~(uint64_t)SOC_ADDR_ATTR_MASK) == SOC_NOTIFIC + NQ_TIMESTAMP_HI_OFF)
        *value = (uint32_t)(nq_time(&r->nq, r->cycle) >> 32);
    struct dev_event ev = {
        .kind = EV_APB_RD, .code = MASTER_HOST, .addr = soc, .value = *value, .dir = rc == 1
    };
    ref_emit(r, &ev);
    return rc == 1;
}

/* ---- bus ---- */

static bool memory_beat(struct ref *r, unsigned master, const struct bus_write *w)
{
    struct dev_event ev = { .kind = EV_MEM_WR, .code = (uint8_t)master, .nwords = BEAT_BYTES / 4 };
    uint64_t next = w->addr + w->done;
    uint32_t lane = (uint32_t)(next % BEAT_BYTES), left = w->len - w->done;
    uint32_t n = left < BEAT_BYTES - lane ? left : BEAT_BYTES - lane;
    uint8_t beat[BEAT_BYTES] = { 0 };
    ref_write_bytes(r, master, w, w->done, n, beat + lane);
    for (unsigned i = 0; i < BEAT_BYTES / 4; i++)
        ev.words[i] = get_le32(beat + 4 * i);
    ev.addr = next - lane;
    ev.data = (n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1) << lane;
    return ref_emit(r, &ev);
}

bool ref_commit_step(struct ref *r, unsigned master)
{
    const struct bus_write *w = wq_uncommitted(ref_writes_of(r, master));
    if (!w)
        return false;
    if (w->resp != AXI_OKAY) {
        struct dev_event ev = {
            .kind = EV_BUS_ERR, .code = (uint8_t)master, .addr = w->addr, .dir = 1, .value = w->resp
        };
        return ref_emit(r, &ev);
    }
    if (w->target == TARGET_MEM)
        return memory_beat(r, master, w);
    uint8_t bytes[4];
    ref_write_bytes(r, master, w, 0, 4, bytes);
    write_register(r, master, w->addr, get_le32(bytes), ref_refuses_write(r, w->addr, get_le32(bytes)));
    return true;
}

/* Serves `n` bytes of a read of 4 bytes or more at addr. Returns false when the bus refuses it. */
bool ref_serve_read(struct ref *r, unsigned master, uint64_t addr, uint32_t len, uint32_t n)
{
    uint64_t off;
    unsigned target = ref_decode(r, addr, &off);
    struct dev_event ev = { .code = (uint8_t)master, .addr = addr };
    bool word = len == 4 && !ref_refuses(r, addr);
    if (target == TARGET_MEM) {
        ev.kind = EV_MEM_RD;
        ev.value = n;
        ev.dir = PROT_DATA;
    } else if (target == TARGET_NONE || !word) {
        ev.kind = EV_BUS_ERR;
        ev.value = target == TARGET_NONE ? AXI_DECERR : AXI_SLVERR;
    } else {
        ev.kind = EV_APB_RD;
        reg_read(r, addr, &ev.value, false);
    }
    ref_emit(r, &ev);
    return ev.kind != EV_BUS_ERR;
}

/* ---- turns ---- */

enum { AGENT_SOURCES = 3 * ENG_COUNT, AGENT_NOTIFIC, AGENT_RECORD_WRITE, AGENT_DMA };

static bool agent_step(struct ref *r, unsigned agent)
{
    if (agent < AGENT_SOURCES) {
        unsigned e = agent / 3;
        switch (agent % 3) {
        case 0:
            return ref_seq_step(r, e);
        case 1:
            return ref_commit_step(r, e);
        default:
            return ref_answer_step(r, e);
        }
    }
    switch (agent) {
    case AGENT_SOURCES:
        return ref_sources_step(r);
    case AGENT_NOTIFIC:
        return ref_notific_step(r);
    case AGENT_RECORD_WRITE:
        return ref_commit_step(r, MASTER_NOTIFIC);
    default:
        return ref_dma_agent(r, (agent - AGENT_DMA) / DMA_AGENTS, (agent - AGENT_DMA) % DMA_AGENTS);
    }
}

void ref_sink(struct ref *r, dev_event_fn sink, void *ctx)
{
    r->sink = sink;
    r->sink_ctx = ctx;
}

bool ref_stopped(const struct ref *r)
{
    return r->sink_stop;
}

bool ref_failed(const struct ref *r, struct nerr *err)
{
    if (r->self.code)
        *err = r->self;
    return r->self.code != 0;
}

uint64_t ref_cycle(const struct ref *r)
{
    return r->cycle;
}

void ref_idle(struct ref *r, uint64_t cycles)
{
    r->cycle += cycles;
}

uint64_t ref_run(struct ref *r, uint64_t steps, bool until_notify, bool *notified)
{
    unsigned agents = AGENT_DMA + DMA_AGENTS * r->cfg.n_dma, idle = 0;
    uint64_t done = 0;
    r->notified = false;
    r->sink_stop = false;
    while (done < steps && idle < agents && !r->self.code && !r->sink_stop &&
           !(until_notify && r->notified)) {
        r->cycle++;
        dma_commands_done(r, false);
        bool stepped = agent_step(r, r->turn);
        r->turn = (r->turn + 1) % agents;
        idle = stepped ? 0 : idle + 1;
        r->cycle -= !stepped;
        done += stepped;
    }
    if (notified)
        *notified = r->notified;
    return done;
}
