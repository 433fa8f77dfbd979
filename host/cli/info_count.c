/* The counts that both forms of `neffsim info` share: see info.h. */
#include "cli/info.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "isa/isa.h"
#include "regs.h"

const char *const info_memory_names[] = { "DRAM", "SB", NULL };

void info_count_slots(const struct prog_engine *e, int engine, struct info_slots *s)
{
    struct nerr ignored; /* a file of neither dialect is counted as 64-byte slots with a rest */
    memset(s, 0, sizeof *s);
    s->dialect = ISA_NEURON;
    if (engine == ENG_SP && e->code && isa_sp_dialect(e->code, e->code_size, &s->dialect, &ignored))
        s->dialect = ISA_NEURON;
    s->slot_bytes = isa_slot_bytes(s->dialect);
    s->slots = e->code_size / s->slot_bytes;
    s->rest = e->code_size % s->slot_bytes;
    uint8_t mask = s->dialect == ISA_SP8 ? 0x7f : 0xff; /* bit 7 of an 8-byte slot is its phase */
    for (size_t i = 0; i < s->slots; i++)
        s->count[e->code[i * s->slot_bytes + SLOT_HDR_OPCODE_OFF] & mask]++;
}

const char *info_opcode_name(enum isa_dialect dialect, unsigned opcode)
{
    const struct isa_opcode *op = isa_opcode(dialect, opcode);
    return op ? op->name : NULL;
}

static const struct {
    const char *name;
    unsigned bytes;
} dtypes[] = {
    [0] = { NULL, 1 }, /* a pattern without a type counts bytes */
    [KDTYPE_FLOAT8E3] = { "float8e3", 1 },
    [KDTYPE_FLOAT8E4] = { "float8e4", 1 },
    [KDTYPE_FLOAT8E5] = { "float8e5", 1 },
    [KDTYPE_FLOAT16] = { "float16", 2 },
    [KDTYPE_FLOAT32] = { "float32", 4 },
    [KDTYPE_FLOAT32R] = { "float32r", 4 },
    [KDTYPE_BFLOAT16] = { "bfloat16", 2 },
    [KDTYPE_UINT8] = { "uint8", 1 },
    [KDTYPE_UINT16] = { "uint16", 2 },
    [KDTYPE_UINT32] = { "uint32", 4 },
    [KDTYPE_UINT64] = { "uint64", 8 },
    [KDTYPE_INT8] = { "int8", 1 },
    [KDTYPE_INT16] = { "int16", 2 },
    [KDTYPE_INT32] = { "int32", 4 },
    [KDTYPE_INT64] = { "int64", 8 },
};

const char *info_dtype_name(int kdtype)
{
    return dtypes[(unsigned)kdtype < sizeof dtypes / sizeof dtypes[0] ? kdtype : 0].name;
}

static unsigned element_bytes(int kdtype)
{
    return dtypes[(unsigned)kdtype < sizeof dtypes / sizeof dtypes[0] ? kdtype : 0].bytes;
}

/* Runs of dimension 0 and bytes of a pattern. The reader has checked these products. */
static void measure(const struct prog_pattern *a, uint64_t *runs, uint64_t *bytes)
{
    uint64_t n = 1;
    for (size_t k = 1; k < a->ndim; k++)
        n *= a->sizes[k];
    *runs += n;
    *bytes += n * (a->ndim ? a->sizes[0] : 0) * element_bytes(a->dtype);
}

static enum info_memory memory_of(const struct program *p, const struct prog_pattern *a)
{
    return a->var < p->nvars && p->vars[a->var].kind == VARK_SB ? INFO_SB : INFO_DRAM;
}

static void count_desc(const struct program *p, const struct prog_desc *d, struct info_ring *r)
{
    uint64_t written = 0;
    measure(&d->from, &r->read_elements, &r->bytes_read);
    for (size_t i = 0; d->more && i + 1 < d->nsources; i++)
        measure(&d->more[i], &r->read_elements, &r->bytes_read);
    measure(&d->to, &r->write_elements, &written);
    r->bytes_written += written;
    r->moved[memory_of(p, &d->from)][memory_of(p, &d->to)] += written;
}

struct info_ring *info_count_rings(const struct program *p)
{
    struct info_ring *rings = calloc(p->nqueues + 1, sizeof *rings);
    for (size_t i = 0; rings && i < p->nblocks; i++) {
        const struct prog_block *b = &p->blocks[i];
        if (b->bad || b->queue >= p->nqueues)
            continue;
        rings[b->queue].blocks++;
        rings[b->queue].descriptors += b->ndesc;
        for (size_t d = 0; d < b->ndesc; d++)
            if (!b->desc[d].bad)
                count_desc(p, &b->desc[d], &rings[b->queue]);
    }
    return rings;
}

struct info_vars info_count_vars(const struct program *p, int kind)
{
    struct info_vars v = { 0, 0 };
    for (size_t i = 0; i < p->nvars; i++)
        if (p->vars[i].kind == kind && !p->vars[i].bad) {
            v.count++;
            v.bytes += p->vars[i].size;
        }
    return v;
}

void info_type(struct strbuf *b, const char *dtype, const uint64_t *shape, size_t ndim)
{
    strbuf_puts(b, dtype);
    for (size_t i = 0; i < ndim; i++)
        strbuf_printf(b, "%s%" PRIu64, i ? "," : "[", shape[i]);
    strbuf_puts(b, ndim ? "]" : "");
}

bool info_shows(const struct info *in, const struct program *p)
{
    return !in->graph || strcmp(in->graph, p->graph_name) == 0;
}
