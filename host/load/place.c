/*
 * Addresses (slice-walkthrough.md §2): bump allocation in three arenas of HBM for images, rings and
 * variables, a fourth for the staging buffers of Q7 libraries, then the bytes of the rings, which hold
 * variable addresses.
 */
#include "load/ctx.h"

#include <string.h>

static int past_hbm(struct load_ctx *c, const char *what)
{
    return ctx_refuse(c, what, "does not fit into the %llu bytes of HBM", (unsigned long long)SOC_HBM0_BYTES);
}

/* Moves *at up to a multiple of align (a power of two). False when that leaves HBM. */
static bool align_up(uint64_t *at, uint64_t align)
{
    if (*at > SOC_HBM0_BYTES || align > SOC_HBM0_BYTES)
        return false;
    *at = (*at + align - 1) & ~(align - 1);
    return *at <= SOC_HBM0_BYTES;
}

static bool advance(uint64_t *at, uint64_t size)
{
    if (size > SOC_HBM0_BYTES - *at)
        return false;
    *at += size;
    return true;
}

/* Start of the next arena: at least `least`, above everything placed so far. */
static bool next_arena(uint64_t *at, uint64_t least)
{
    if (!align_up(at, LOAD_ARENA_ALIGN))
        return false;
    if (*at < least)
        *at = least;
    return true;
}

static int place_images(struct load_ctx *c, uint64_t *at)
{
    *at = LOAD_IMAGE_BASE;
    for (unsigned e = 0; e < PROG_ENGINES; e++) {
        struct load_image *img = &c->plan->images[e];
        if (!align_up(at, LOAD_IMAGE_ALIGN))
            return past_hbm(c, img->source);
        img->base = *at;
        if (!advance(at, img->size) || *at > UINT32_MAX) /* return addresses do not carry (§5.4) */
            return ctx_refuse(c, img->source, "the image does not end below 4 GiB");
    }
    return NERR_OK;
}

/* Both rings of a queue have the same length: max(32, used rounded up to 16) (udma.md §17.1). */
static size_t ring_length(const struct ring_side sides[2])
{
    size_t used = sides[SIDE_M2S].used > sides[SIDE_S2M].used ? sides[SIDE_M2S].used : sides[SIDE_S2M].used;
    size_t length = (used + RING_MULTIPLE - 1) / RING_MULTIPLE * RING_MULTIPLE;
    return length < RING_MIN ? RING_MIN : length;
}

static int place_rings(struct load_ctx *c, uint64_t *at)
{
    if (!next_arena(at, LOAD_RING_BASE))
        return past_hbm(c, "DMA rings");
    for (size_t i = 0; i < c->plan->nrings; i++) {
        struct load_ring *r = &c->plan->rings[i];
        r->entries = ring_length(c->sides[i]);
        uint64_t *bases[2] = { &r->m2s_base, &r->s2m_base };
        for (int side = 0; side < 2; side++) {
            if (!align_up(at, LOAD_RING_ALIGN))
                return past_hbm(c, r->name);
            *bases[side] = *at;
            if (!advance(at, (uint64_t)r->entries * DESC_BYTES))
                return past_hbm(c, r->name);
        }
    }
    return NERR_OK;
}

/* One variable at the next place that leaves the guard bytes; *end is one past the last placed byte, 0 before
 * any. */
static int bump(struct load_ctx *c, const char *name, uint64_t size, uint64_t alignment, uint64_t *at,
                uint64_t *end, uint64_t *addr)
{
    if (*end && !advance(at, LOAD_VAR_GUARD))
        return past_hbm(c, name);
    if (!align_up(at, alignment > LOAD_VAR_ALIGN ? alignment : LOAD_VAR_ALIGN))
        return past_hbm(c, name);
    *addr = *at;
    if (!advance(at, size))
        return past_hbm(c, name);
    *end = *at;
    return NERR_OK;
}

/* Virtual variables overlay one area, each at its backing_variable_off (neff-container.md §12). */
static int virtual_area(struct load_ctx *c, uint64_t *size, uint64_t *alignment)
{
    *size = 0;
    *alignment = 1;
    for (size_t i = 0; i < c->prog->nvars; i++) {
        const struct prog_var *v = &c->prog->vars[i];
        uint64_t end;
        if (v->kind != VARK_VIRTUAL)
            continue;
        if (v->backing != BACKING_LOCAL)
            return ctx_refuse(c, v->name,
                              "a virtual variable with a backing other than local is not supported yet");
        if (__builtin_add_overflow(v->backing_off, v->size, &end))
            return ctx_refuse(c, v->name, "backing_variable_off + size does not fit 64 bits");
        if (end > *size)
            *size = end;
        if (v->alignment > *alignment)
            *alignment = v->alignment;
    }
    return NERR_OK;
}

static int place_vars(struct load_ctx *c, uint64_t *at)
{
    static const char *const kinds[] = {
        [VARK_PTR] = "pointer", [VARK_LIST] = "list", [VARK_PTR_TABLE] = "dge-table", [VARK_REMOTE] = "remote"
    };
    struct loadplan *p = c->plan;
    uint64_t end = 0, area = 0, area_size, area_alignment;
    bool area_placed = false;
    p->vars = ctx_alloc(c, c->prog->nvars, sizeof *p->vars);
    if (!p->vars || virtual_area(c, &area_size, &area_alignment))
        return c->err->code;
    if (!next_arena(at, LOAD_VAR_BASE))
        return past_hbm(c, "variables");
    for (size_t i = 0; i < c->prog->nvars; i++) {
        const struct prog_var *v = &c->prog->vars[i];
        if (v->alignment & (v->alignment - 1))
            return ctx_refuse(c, v->name, "alignment provided not power of 2. alignment=%u", v->alignment);
        p->vars[i].size = v->size;
        switch (v->kind) {
        case VARK_SB:
            p->vars[i].addr = SOC_SBUF;
            break;
        case VARK_BUFFER:
        case VARK_TMP_BUF:
        case VARK_INPUT:
        case VARK_OUTPUT:
            if (bump(c, v->name, v->size, v->alignment, at, &end, &p->vars[i].addr))
                return c->err->code;
            break;
        case VARK_VIRTUAL: /* the area lies where the first of them would */
            if (!area_placed && bump(c, v->name, area_size, area_alignment, at, &end, &area))
                return c->err->code;
            area_placed = true;
            p->vars[i].addr = area + v->backing_off;
            break;
        default:
            return ctx_refuse(c, v->name, "a variable of kind %s is not supported yet",
                              v->kind > 0 && v->kind <= (int)VARK_REMOTE && kinds[v->kind] ? kinds[v->kind]
                                                                                           : "?");
        }
    }
    return NERR_OK;
}

/* Above everything else, so that a library moves nothing of a program. */
static int place_libraries(struct load_ctx *c, uint64_t *at)
{
    for (size_t i = 0; i < c->plan->nlibraries; i++) {
        struct load_library *lib = &c->plan->libraries[i];
        if (!align_up(at, LOAD_ARENA_ALIGN))
            return past_hbm(c, lib->name);
        load_library_address(c, lib, *at);
        if (!advance(at, Q7_STAGING_BYTES))
            return past_hbm(c, lib->name);
    }
    return NERR_OK;
}

static void put32(uint8_t *at, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(v >> (8 * i));
}

static int write_side(struct load_ctx *c, const struct ring_side *side, size_t length, uint8_t **bytes,
                      struct load_ring_entry **from)
{
    *bytes = ctx_alloc(c, length, DESC_BYTES);
    *from = ctx_alloc(c, side->used, sizeof **from);
    if (!*bytes || !*from)
        return c->err->code;
    for (size_t k = 0; k < side->used; k++) {
        const struct ring_entry *e = &side->entries[k];
        uint64_t addr = e->addr + (e->var >= 0 ? c->plan->vars[e->var].addr : 0);
        uint8_t *at = *bytes + k * DESC_BYTES;
        put32(at + M2S_DESC_W0_OFF, e->w0);
        put32(at + M2S_DESC_W1_OFF, e->w1);
        put32(at + M2S_DESC_BUF_OFF, (uint32_t)addr);
        put32(at + M2S_DESC_BUF_OFF + 4, (uint32_t)(addr >> 32));
        (*from)[k].from = e->from;
    }
    return NERR_OK;
}

int load_place(struct load_ctx *c)
{
    uint64_t at;
    if (place_images(c, &at) || place_rings(c, &at) || place_vars(c, &at) || place_libraries(c, &at))
        return c->err->code;
    for (size_t i = 0; i < c->plan->nrings; i++) {
        struct load_ring *r = &c->plan->rings[i];
        r->m2s_used = c->sides[i][SIDE_M2S].used;
        r->s2m_used = c->sides[i][SIDE_S2M].used;
        if (write_side(c, &c->sides[i][SIDE_M2S], r->entries, &r->m2s, &r->m2s_from) ||
            write_side(c, &c->sides[i][SIDE_S2M], r->entries, &r->s2m, &r->s2m_from))
            return c->err->code;
    }
    return NERR_OK;
}
