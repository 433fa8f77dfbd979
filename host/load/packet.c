/* Copies cut into DMA packets: see packet.h. */
#include "load/packet.h"

#include "load/runs.h"

enum {
    PACKET_MAX = DMA_MAX_DESC - 1
}; /* data descriptors of one side; the last place is kept for metadata */

static const uint32_t ring_id = RING_ID_FIRST << M2S_DESC_W0_RING_ID_LSB;

/* What is left of the current run of one side. */
struct cursor {
    struct runs runs;
    uint64_t offset, left;
};

static void fill(struct cursor *k)
{
    k->offset = k->runs.offset;
    k->left = k->runs.done ? 0 : k->runs.length;
}

static void cursor_start(struct cursor *k, const struct prog_pattern *p)
{
    runs_start(&k->runs, p);
    fill(k);
}

static void cursor_take(struct cursor *k, uint64_t n)
{
    k->offset += n;
    k->left -= n;
    if (!k->left) {
        runs_next(&k->runs);
        fill(k);
    }
}

static int append(struct load_ctx *c, struct ring_side *side, struct ring_entry entry)
{
    if (side->used >= RING_MAX)
        return ctx_refuse(c, entry.from, "the queue needs more than %u descriptors", RING_MAX);
    if (side->used == side->room) {
        side->room = side->room ? side->room * 2 : RING_MIN;
        side->entries = ctx_grow(c, side->entries, side->used, side->room, sizeof *side->entries);
        if (!side->entries)
            return c->err->code;
    }
    side->entries[side->used++] = entry;
    return NERR_OK;
}

static int source(struct load_ctx *c, struct ring_side *side, uint32_t flags, uint64_t bytes, uint64_t addr,
                  long var, char *from)
{
    bool first =
        (flags & M2S_DESC_W0_CONCAT_MASK) == 0; /* word 1 counts on the first of a block (udma.md §4.3) */
    return append(c, side,
                  (struct ring_entry){ .w0 = flags | ring_id | (uint32_t)(bytes & M2S_DESC_W0_LENGTH_MASK),
                                       .w1 = first ? DMA_COPY_WORD : 0,
                                       .addr = addr,
                                       .var = var,
                                       .from = from });
}

static int destination(struct load_ctx *c, struct ring_side *side, uint32_t flags, uint64_t bytes,
                       uint64_t addr, long var, char *from)
{
    return append(c, side,
                  (struct ring_entry){ .w0 = flags | ring_id | (uint32_t)(bytes & S2M_DESC_W0_LENGTH_MASK),
                                       .addr = addr,
                                       .var = var,
                                       .from = from });
}

/* Whole runs of `k` that fit into `room` bytes, as sources of one packet. */
static int gather(struct load_ctx *c, struct ring_side *side, struct cursor *k, uint64_t room, long var,
                  char *from, uint64_t *total)
{
    size_t start = side->used;
    *total = 0;
    while (k->left && k->left <= room - *total && side->used - start < PACKET_MAX) {
        uint32_t flags = side->used == start ? M2S_DESC_W0_FIRST_MASK : M2S_DESC_W0_CONCAT_MASK;
        uint64_t n = k->left;
        if (source(c, side, flags, n, k->offset, var, from))
            return c->err->code;
        *total += n;
        cursor_take(k, n);
    }
    side->entries[side->used - 1].w0 |= M2S_DESC_W0_LAST_MASK;
    return NERR_OK;
}

static int scatter(struct load_ctx *c, struct ring_side *side, struct cursor *k, uint64_t room, long var,
                   char *from, uint64_t *total)
{
    size_t start = side->used;
    *total = 0;
    while (k->left && k->left <= room - *total && side->used - start < PACKET_MAX) {
        uint64_t n = k->left;
        if (destination(c, side, 0, n, k->offset, var, from))
            return c->err->code;
        *total += n;
        cursor_take(k, n);
    }
    return NERR_OK;
}

static uint64_t min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

int packet_copy(struct load_ctx *c, struct ring_side sides[2], const struct prog_pattern *from,
                const struct prog_pattern *to, char *where)
{
    const uint32_t whole = M2S_DESC_W0_FIRST_MASK | M2S_DESC_W0_LAST_MASK;
    long svar = (long)from->var, dvar = (long)to->var;
    struct cursor s, d;
    cursor_start(&s, from);
    cursor_start(&d, to);
    while (s.left && d.left) {
        uint64_t n = min(min(s.left, d.left), DESC_LENGTH_MAX);
        if (s.left < d.left && s.left < DESC_LENGTH_MAX) {
            uint64_t at = d.offset;
            if (gather(c, &sides[SIDE_M2S], &s, min(d.left, DESC_LENGTH_MAX), svar, where, &n) ||
                destination(c, &sides[SIDE_S2M], 0, n, at, dvar, where))
                return c->err->code;
            cursor_take(&d, n);
        } else if (d.left < s.left && d.left < DESC_LENGTH_MAX) {
            uint64_t at = s.offset;
            if (scatter(c, &sides[SIDE_S2M], &d, min(s.left, DESC_LENGTH_MAX), dvar, where, &n) ||
                source(c, &sides[SIDE_M2S], whole, n, at, svar, where))
                return c->err->code;
            cursor_take(&s, n);
        } else {
            if (source(c, &sides[SIDE_M2S], whole, n, s.offset, svar, where) ||
                destination(c, &sides[SIDE_S2M], 0, n, d.offset, dvar, where))
                return c->err->code;
            cursor_take(&s, n);
            cursor_take(&d, n);
        }
    }
    return NERR_OK;
}

int packet_increment(struct load_ctx *c, struct ring_side sides[2], unsigned semaphore, char *where)
{
    uint64_t alias = SOC_EVT + EVT_WIN_SEM_INC + (uint64_t)EVT_STRIDE * semaphore;
    if (source(c, &sides[SIDE_M2S], M2S_DESC_W0_FIRST_MASK | M2S_DESC_W0_LAST_MASK, DMA_INC_BYTES,
               DMA_CONST_SET_ADDR, -1, where))
        return c->err->code;
    return destination(c, &sides[SIDE_S2M], S2M_DESC_W0_SOW_MASK, DMA_INC_BYTES, alias, -1, where);
}
