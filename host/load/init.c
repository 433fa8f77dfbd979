/*
 * Everything the host writes before start: memory (slice-walkthrough.md §2), then the registers R1..R5 (§5),
 * in the order of that page.
 */
#include "load/ctx.h"

#include <string.h>

struct list {
    struct load_ctx *c;
    size_t room;
    bool failed;
};

static void push(struct list *l, struct load_op op)
{
    struct loadplan *p = l->c->plan;
    if (l->failed)
        return;
    if (p->ninit == l->room) {
        l->room = l->room ? l->room * 2 : 256;
        p->init = ctx_grow(l->c, p->init, p->ninit, l->room, sizeof *p->init);
    }
    l->failed = !p->init || !op.label;
    if (!l->failed)
        p->init[p->ninit++] = op;
}

static void memory(struct list *l, uint64_t addr, const uint8_t *bytes, uint64_t len, char *label)
{
    push(l, (struct load_op){
                .kind = LOAD_MEM_WRITE, .addr = addr, .bytes = bytes, .len = (size_t)len, .label = label });
}

static void reg(struct list *l, uint64_t bar0, uint32_t value, const char *label)
{
    push(l, (struct load_op){ .kind = LOAD_REG_WRITE, .addr = bar0, .value = value, .label = label });
}

uint64_t load_bank(unsigned queue, unsigned dir)
{
    return (dir == SIDE_S2M ? UDMA_S2M_OFF : UDMA_M2S_OFF) + UDMA_Q_FIRST + (uint64_t)UDMA_Q_STRIDE * queue;
}

static uint32_t low(uint64_t v)
{
    return (uint32_t)v;
}

static uint32_t high(uint64_t v)
{
    return (uint32_t)(v >> 32);
}

/* Weights are copied in place, other variables start as zeros; inputs are the run's to write. */
static void variables(struct list *l)
{
    struct load_ctx *c = l->c;
    for (size_t i = 0; i < c->prog->nvars; i++) {
        const struct prog_var *v = &c->prog->vars[i];
        uint64_t addr = c->plan->vars[i].addr;
        if (v->kind == VARK_BUFFER && v->payload)
            memory(l, addr, v->payload, v->size, ctx_text(c, "weight %s", v->name));
        else if (v->kind != VARK_SB && v->kind != VARK_INPUT)
            memory(l, addr, NULL, v->size, ctx_text(c, "zero %s", v->name));
    }
}

/* The three writes of §13; the host does not write between code and data. */
static void libraries(struct list *l)
{
    struct load_ctx *c = l->c;
    for (size_t i = 0; i < c->plan->nlibraries; i++) {
        const struct load_library *lib = &c->plan->libraries[i];
        const uint64_t data = lib->data_offset;
        memory(l, lib->staging, lib->image, UCPL_SIZE, ctx_text(c, "library %s header", lib->name));
        memory(l, lib->staging + UCPL_SIZE, lib->image + UCPL_SIZE, lib->code_size,
               ctx_text(c, "library %s code", lib->name));
        memory(l, lib->staging + data, lib->image + data, lib->data_size,
               ctx_text(c, "library %s data", lib->name));
    }
}

static void all_memory(struct list *l)
{
    struct load_ctx *c = l->c;
    struct loadplan *p = c->plan;
    for (unsigned e = 0; e < PROG_ENGINES; e++)
        memory(l, p->images[e].base, p->images[e].bytes, p->images[e].size,
               ctx_text(c, "image %s", isa_engine_name(e)));
    for (size_t i = 0; i < p->nrings; i++) {
        const struct load_ring *r = &p->rings[i];
        memory(l, r->m2s_base, r->m2s, (uint64_t)r->entries * DESC_BYTES,
               ctx_text(c, "M2S ring %s", r->name));
        memory(l, r->s2m_base, r->s2m, (uint64_t)r->entries * DESC_BYTES,
               ctx_text(c, "S2M ring %s", r->name));
    }
    variables(l);
    libraries(l);
    p->notify_bytes = c->cfg.notify_ring_bytes;
    for (unsigned q = 0; q < LOAD_RECORD_RINGS; q++) {
        p->notify_base[q] = LOAD_RECORD_RING + (uint64_t)LOAD_RECORD_RING_STRIDE * q;
        memory(l, p->notify_base[q], NULL, p->notify_bytes, ctx_text(c, "record ring %u", q));
    }
}

static void r1_notific(struct list *l)
{
    struct load_ctx *c = l->c;
    const uint32_t all = UINT32_MAX;
    reg(l, BAR0_NOTIFIC + NQ_WR_BUF_ENABLE_LO_OFF, all, "R1 wr_buf_enable_lo");
    reg(l, BAR0_NOTIFIC + NQ_WR_BUF_ENABLE_HI_OFF, all, "R1 wr_buf_enable_hi");
    reg(l, BAR0_NOTIFIC + NQ_SW_BACKPRESSURE_OFF, c->cfg.notify_drop ? 0 : NQ_QUEUE_MASK,
        "R1 sw_backpressure");
    reg(l, BAR0_NOTIFIC + NQ_HW_BACKPRESSURE_LO_OFF, all, "R1 hw_backpressure_lo");
    reg(l, BAR0_NOTIFIC + NQ_HW_BACKPRESSURE_HI_OFF, all, "R1 hw_backpressure_hi");
    reg(l, BAR0_NOTIFIC + NQ_TIMESTAMP_INC_OFF, low(c->cfg.timestamp_inc), "R1 timestamp_inc");
    for (unsigned q = 0; q < LOAD_RECORD_RINGS; q++) {
        uint64_t bank = BAR0_NOTIFIC + NQ_Q_BASE + (uint64_t)NQ_Q_STRIDE * q, base = c->plan->notify_base[q];
        reg(l, bank + NQQ_BASE_HI_OFF, high(base), ctx_text(c, "R1 q%u base_hi", q));
        reg(l, bank + NQQ_BASE_LO_OFF, low(base), ctx_text(c, "R1 q%u base_lo", q));
        reg(l, bank + NQQ_SIZE_OFF, low(c->plan->notify_bytes), ctx_text(c, "R1 q%u size", q));
        reg(l, bank + NQQ_HEAD_OFF, 0, ctx_text(c, "R1 q%u head", q));
    }
    reg(l, BAR0_NOTIFIC + NQ_ENABLE_OFF, (1u << LOAD_RECORD_RINGS) - 1, "R1 nq_enable");
}

static void r2_routes(struct list *l)
{
    const uint32_t pe_pool = NROUTE_EXPLICIT << TPB_ROUTE_PE_POOL_PE_EXPLICIT_LSB |
                             NROUTE_EXPLICIT << TPB_ROUTE_PE_POOL_POOL_EXPLICIT_LSB;
    const uint32_t act_dve = NROUTE_EXPLICIT << TPB_ROUTE_ACT_DVE_ACT_EXPLICIT_LSB |
                             NROUTE_EXPLICIT << TPB_ROUTE_ACT_DVE_DVE_EXPLICIT_LSB;
    const uint32_t sp_evt =
        NROUTE_EXPLICIT << TPB_ROUTE_SP_EVT_SP_EXPLICIT_LSB | NROUTE_EVENTS << TPB_ROUTE_SP_EVT_EVT_LSB;
    reg(l, BAR0_TPB_CTRL + TPB_ROUTE_PE_POOL_OFF, pe_pool, "R2 routes PE, POOL");
    reg(l, BAR0_TPB_CTRL + TPB_ROUTE_ACT_DVE_OFF, act_dve, "R2 routes ACT, DVE");
    reg(l, BAR0_TPB_CTRL + TPB_ROUTE_SP_EVT_OFF, sp_evt, "R2 routes SP, events");
    reg(l, BAR0_TPB_CTRL + TPB_ROUTE_ERR_OFF, NROUTE_ERRORS, "R2 route of errors");
}

static void r3_semaphores(struct list *l)
{
    struct load_ctx *c = l->c;
    const unsigned last = SEM_BAR_RELEASE + ENG_COUNT - 2;
    for (size_t i = 0; i < c->plan->nsemaphores; i++) {
        uint32_t k = c->plan->semaphores[i];
        reg(l, BAR0_EVT + EVT_WIN_SEM_SET + (uint64_t)EVT_STRIDE * k, 0, ctx_text(c, "R3 S[%u]", k));
    }
    for (unsigned k = SEM_START_GATE; k <= last; k++)
        reg(l, BAR0_EVT + EVT_WIN_SEM_SET + (uint64_t)EVT_STRIDE * k, 0, ctx_text(c, "R3 S[%u]", k));
    reg(l, BAR0_TOPSP + EVT_WIN_SEM_SET + (uint64_t)EVT_STRIDE * SEM_CC_MAILBOX, 0, "R3 TOP_SP_0 S[0]");
}

/* One queue: paused, reset, base and length, running; M2S first (udma.md §18.2). */
static void queue_registers(struct list *l, const struct load_ring *r)
{
    struct load_ctx *c = l->c;
    uint64_t engine = BAR0_UDMA0 + (uint64_t)BAR0_UDMA_STRIDE * r->engine;
    uint64_t m = engine + load_bank(r->queue, SIDE_M2S), s = engine + load_bank(r->queue, SIDE_S2M);
    struct {
        uint64_t addr;
        uint32_t value;
        const char *name;
    } w[] = {
        { m + M2SQ_RATE_LIMIT_MASK_OFF, DMA_Q_DMB_ON, "M2S rate_limit_mask" },
        { m + M2SQ_CFG_OFF, DMA_Q_CFG_OFF, "M2S cfg paused" },
        { m + M2SQ_Q_SW_CTRL_OFF, DMA_Q_RESET, "M2S reset" },
        { m + M2SQ_TDRBP_LOW_OFF, low(r->m2s_base), "M2S base_lo" },
        { m + M2SQ_TDRBP_HIGH_OFF, high(r->m2s_base), "M2S base_hi" },
        { m + M2SQ_TDRL_OFF, (uint32_t)r->entries, "M2S length" },
        { m + M2SQ_COMP_CFG_OFF, 0, "M2S comp_cfg" },
        { m + M2SQ_CFG_OFF, DMA_Q_CFG_ON, "M2S cfg running" },
        { s + S2MQ_CFG_OFF, DMA_Q_CFG_OFF, "S2M cfg paused" },
        { s + S2MQ_Q_SW_CTRL_OFF, DMA_Q_RESET, "S2M reset" },
        { s + S2MQ_RDRBP_LOW_OFF, low(r->s2m_base), "S2M base_lo" },
        { s + S2MQ_RDRBP_HIGH_OFF, high(r->s2m_base), "S2M base_hi" },
        { s + S2MQ_RDRL_OFF, (uint32_t)r->entries, "S2M length" },
        { s + S2MQ_COMP_CFG_OFF, 0, "S2M comp_cfg" },
        { s + S2MQ_CFG_OFF, DMA_Q_CFG_ON, "S2M cfg running" },
    };
    for (size_t i = 0; i < sizeof w / sizeof *w; i++)
        reg(l, w[i].addr, w[i].value, ctx_text(c, "R4 e%u q%u %s", r->engine, r->queue, w[i].name));
}

static void r4_dma(struct list *l)
{
    struct load_ctx *c = l->c;
    for (unsigned e = 0; e < c->plan->n_dma; e++) {
        uint64_t base = BAR0_UDMA0 + (uint64_t)BAR0_UDMA_STRIDE * e;
        reg(l, base + UDMA_M2S_OFF + M2S_CFG_LEN_OFF, DMA_LEN_CFG, ctx_text(c, "R4 e%u cfg_len", e));
        reg(l, base + UDMA_M2S_OFF + M2S_DESC_PREF_CFG_2_OFF, DMA_MAX_DESC_CFG,
            ctx_text(c, "R4 e%u desc_pref_cfg_2", e));
        reg(l, base + UDMA_APP_OFF + UAPP_EVENT_ACCEL_OFF, UAPP_EVENT_ACCEL_EN_MASK,
            ctx_text(c, "R4 e%u event_accel", e));
    }
    for (size_t i = 0; i < c->plan->nrings; i++)
        queue_registers(l, &c->plan->rings[i]);
}

static void r5_sequencers(struct list *l)
{
    static const uint64_t lregs[ENG_COUNT] = { [ENG_PE] = BAR0_LREG_PE,
                                               [ENG_ACT] = BAR0_LREG_ACT,
                                               [ENG_POOL] = BAR0_LREG_POOL,
                                               [ENG_DVE] = BAR0_LREG_DVE,
                                               [ENG_SP] = BAR0_LREG_SP };
    struct load_ctx *c = l->c;
    for (unsigned e = 0; e < ENG_COUNT; e++) {
        const struct load_image *img = &c->plan->images[e];
        const char *name = isa_engine_name(e);
        uint64_t last = img->base + img->size - 1;
        reg(l, lregs[e] + LREG_PC_LO_OFF, low(img->base), ctx_text(c, "R5 %s pc_lo", name));
        reg(l, lregs[e] + LREG_PC_HI_OFF, high(img->base), ctx_text(c, "R5 %s pc_hi", name));
        reg(l, lregs[e] + LREG_BOUND_LO_LO_OFF, low(img->base), ctx_text(c, "R5 %s lower bound lo", name));
        reg(l, lregs[e] + LREG_BOUND_LO_HI_OFF, high(img->base), ctx_text(c, "R5 %s lower bound hi", name));
        reg(l, lregs[e] + LREG_BOUND_HI_LO_OFF, low(last), ctx_text(c, "R5 %s upper bound lo", name));
        reg(l, lregs[e] + LREG_BOUND_HI_HI_OFF, high(last), ctx_text(c, "R5 %s upper bound hi", name));
        if (e == ENG_SP)
            reg(l, lregs[e] + LREG_SP_MODE_OFF, 0, "R5 SP 64-byte mode");
        reg(l, lregs[e] + LREG_RELEASE_RUN_STALL_OFF, 0, ctx_text(c, "R5 %s release_run_stall", name));
        reg(l, lregs[e] + LREG_START_CTRL_OFF, LREG_START_CTRL_START_MASK,
            ctx_text(c, "R5 %s start_ctrl", name));
    }
}

int load_init(struct load_ctx *c)
{
    struct list l = { .c = c };
    all_memory(&l);
    r1_notific(&l);
    r2_routes(&l);
    r3_semaphores(&l);
    r4_dma(&l);
    r5_sequencers(&l);
    return l.failed ? c->err->code : NERR_OK;
}
