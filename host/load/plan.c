/* load_plan: the order of the steps, and the plan's memory. */
#include "load/ctx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct chunk {
    struct chunk *next;
    max_align_t bytes[];
};

void *ctx_alloc(struct load_ctx *c, size_t n, size_t size)
{
    size_t bytes;
    struct chunk *chunk = NULL;
    if (!__builtin_mul_overflow(n, size, &bytes) && bytes < SIZE_MAX - sizeof *chunk)
        chunk = calloc(1, sizeof *chunk + (bytes ? bytes : 1));
    if (!chunk) {
        nerr_set(c->err, NERR_MEM, "load", "out of memory for %zu elements of %zu bytes", n, size);
        return NULL;
    }
    chunk->next = c->owner->chunks;
    c->owner->chunks = chunk;
    return chunk->bytes;
}

void *ctx_grow(struct load_ctx *c, const void *old, size_t used, size_t room, size_t size)
{
    void *grown = ctx_alloc(c, room, size);
    if (grown && used)
        memcpy(grown, old, used * size);
    return grown;
}

char *ctx_text(struct load_ctx *c, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    char *text = ctx_alloc(c, n < 0 ? 1 : (size_t)n + 1, 1);
    if (!text || n < 0)
        return text;
    va_start(ap, fmt);
    vsnprintf(text, (size_t)n + 1, fmt, ap);
    va_end(ap);
    return text;
}

int ctx_refuse(struct load_ctx *c, const char *where, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    nerr_vset(c->err, NERR_RULE, where, fmt, ap);
    va_end(ap);
    c->err->runtime_code = NRT_INVALID;
    return NERR_RULE;
}

int ctx_refuse_slot(struct load_ctx *c, const struct load_stream *s, size_t slot, const char *fmt, ...)
{
    char where[sizeof c->err->where];
    snprintf(where, sizeof where, "%.120s slot %zu", s->bin, slot + 1);
    va_list ap;
    va_start(ap, fmt);
    nerr_vset(c->err, NERR_RULE, where, fmt, ap);
    va_end(ap);
    c->err->runtime_code = NRT_INVALID;
    return NERR_RULE;
}

static int check_config(struct load_ctx *c)
{
    struct load_config *g = &c->cfg;
    if (!g->n_dma)
        g->n_dma = 2;
    if (!g->notify_ring_bytes)
        g->notify_ring_bytes = LOAD_RECORD_RING_BYTES;
    if (!g->timestamp_inc)
        g->timestamp_inc = NQ_TIMESTAMP_INC_1GHZ;
    if (g->n_dma > UDMA_ENGINES)
        return nerr_set(c->err, NERR_INPUT, "load", "%u DMA engines, allowed are 1..16", g->n_dma);
    if (g->notify_ring_bytes < NQ_MIN_RING || g->notify_ring_bytes > LOAD_RECORD_RING_BYTES ||
        (g->notify_ring_bytes & (g->notify_ring_bytes - 1)))
        return nerr_set(c->err, NERR_INPUT, "load",
                        "a record ring of %llu bytes, allowed are powers of two from 32 to 65536",
                        (unsigned long long)g->notify_ring_bytes);
    if (g->timestamp_inc > NQ_TIMESTAMP_INC_INC_MASK)
        return nerr_set(c->err, NERR_INPUT, "load", "timestamp_inc 0x%llx does not fit 24 bits",
                        (unsigned long long)g->timestamp_inc);
    return NERR_OK;
}

/* Parts of a NEFF that this loader does not carry to the device yet. */
static int check_program(struct load_ctx *c)
{
    const struct program *p = c->prog;
    if (!p->has_sb_reservation) /* neff-container.md §17, arch_type 3 */
        return ctx_refuse(
            c, "def.json",
            "Missing or corrupted runtime_statebuffer_reservation field in def.json and "
            "NEURON_RT_ALLOW_LEGACY_NEFF=1 is not set. Potentially a legacy neff without proper "
            "compiler support");
    return NERR_OK;
}

int load_plan(const struct program *prog, const struct load_config *cfg, struct loadplan **out,
              struct nerr *err)
{
    *out = NULL;
    struct load_ctx c;
    memset(&c, 0, sizeof c);
    c.owner = calloc(1, sizeof *c.owner);
    if (!c.owner)
        return nerr_set(err, NERR_MEM, "load", "out of memory");
    c.plan = &c.owner->plan;
    c.plan->prog = prog;
    c.prog = prog;
    if (cfg)
        c.cfg = *cfg;
    c.err = err;
    if (check_config(&c) || check_program(&c) || load_scan(&c) || load_rings(&c) || load_libraries(&c) ||
        load_images(&c) || load_place(&c) || load_init(&c)) {
        load_free(c.plan);
        return err->code;
    }
    *out = c.plan;
    return NERR_OK;
}

void load_free(struct loadplan *plan)
{
    if (!plan)
        return;
    struct plan_owner *owner = (struct plan_owner *)(void *)plan;
    for (struct chunk *next, *chunk = owner->chunks; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    free(owner);
}
