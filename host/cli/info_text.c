/* `neffsim info` for people, and the counts that both forms share. */
#include "cli/info.h"

#include <inttypes.h>
#include <string.h>

#include "isa/isa.h"
#include "regs.h"

void info_count_slots(const struct prog_engine *e, int engine, struct info_slots *s)
{
    memset(s, 0, sizeof *s);
    s->slot_bytes = SLOT_BYTES;
    for (size_t i = 0; engine == ENG_SP && i < e->code_size && s->slot_bytes == SLOT_BYTES; i += SLOT_BYTES)
        if (e->code_size % SLOT_BYTES || e->code[i + SLOT_HDR_WORD_LEN_OFF] != SLOT_WORDS)
            s->slot_bytes = SP8_SLOT_BYTES;
    s->slots = e->code_size / s->slot_bytes;
    s->rest = e->code_size % s->slot_bytes;
    for (size_t i = 0; s->slot_bytes == SLOT_BYTES && i < s->slots; i++)
        s->count[e->code[i * SLOT_BYTES + SLOT_HDR_OPCODE_OFF]]++;
}

uint64_t info_queue_bytes(const struct program *p, size_t queue, size_t *blocks, size_t *descs)
{
    uint64_t bytes = 0;
    *blocks = *descs = 0;
    for (size_t i = 0; i < p->nblocks; i++) {
        if (p->blocks[i].queue != queue)
            continue;
        ++*blocks;
        *descs += p->blocks[i].ndesc;
        for (size_t d = 0; d < p->blocks[i].ndesc; d++) {
            const struct prog_pattern *to = &p->blocks[i].desc[d].to;
            uint64_t n = 1;
            for (size_t k = 0; k < to->ndim; k++)
                n *= to->sizes[k]; /* the reader has checked this product */
            bytes += n;
        }
    }
    return bytes;
}

void info_type(struct strbuf *b, const char *dtype, const uint64_t *shape, size_t ndim)
{
    strbuf_puts(b, dtype);
    for (size_t i = 0; i < ndim; i++)
        strbuf_printf(b, "%s%" PRIu64, i ? "," : "[", shape[i]);
    strbuf_puts(b, ndim ? "]" : "");
}

static void header_text(const struct neff_header *h, struct strbuf *out)
{
    strbuf_printf(out,
                  "  name %s, version %" PRIu64 ".%" PRIu64 ", package %" PRIu64 " (%s), archive %" PRIu64
                  " bytes\n",
                  h->name[0] ? h->name : "(none)", h->version_major, h->version_minor, h->pkg_version,
                  h->pkg_version == NEFF_PKG_GZIP_MD5 ? "gzip, MD5" : "tar, SHA-256", h->data_size);
    strbuf_printf(out, "  built by %s\n", h->build_version[0] ? h->build_version : "(unknown)");
    strbuf_puts(out, "  uuid ");
    for (size_t i = 0; i < sizeof h->uuid; i++)
        strbuf_printf(out, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", h->uuid[i]);
    strbuf_printf(out, ", cores %" PRIu32 ", logical core size %" PRIu32 "\n", h->requested_tpb_count,
                  h->vnc_size);
    strbuf_printf(out, "  features 0x%" PRIx64 "%s", h->feature_bits, h->feature_bits ? "" : " (none)");
    const char *between = ": ";
    for (unsigned bit = 0; bit < 64; bit++) {
        const char *name = neff_feature_name(bit);
        if (!(h->feature_bits >> bit & 1))
            continue;
        if (name)
            strbuf_printf(out, "%s%s", between, name);
        else
            strbuf_printf(out, "%sbit %u", between, bit);
        between = ", ";
    }
    strbuf_puts(out, "\n");
}

static void io_text(const char *what, const struct prog_io *io, size_t count, struct strbuf *out)
{
    for (size_t i = 0; i < count; i++) {
        strbuf_printf(out, "  %s %s ", what, io[i].name);
        info_type(out, io[i].dtype, io[i].shape, io[i].ndim);
        strbuf_printf(out, ", %" PRIu64 " bytes\n", io[i].size);
    }
}

static void vars_text(const struct program *p, struct strbuf *out)
{
    strbuf_printf(out, "  %zu variables\n", p->nvars);
    for (size_t i = 0; i < p->nvars; i++) {
        const struct prog_var *v = &p->vars[i];
        strbuf_printf(out, "    %4" PRIu32 " %-12s %12" PRIu64 " bytes  %s ", v->var_id,
                      program_var_kind_name(v->kind), v->size, v->name);
        info_type(out, v->dtype, v->shape, v->ndim);
        strbuf_printf(out, "%s%s\n", v->file_name ? " from " : "", v->file_name ? v->file_name : "");
    }
}

static void queues_text(const struct program *p, struct strbuf *out)
{
    strbuf_printf(out, "  %zu DMA queues, %zu blocks\n", p->nqueues, p->nblocks);
    for (size_t i = 0; i < p->nqueues; i++) {
        const struct prog_queue *q = &p->queues[i];
        size_t blocks, descs;
        uint64_t bytes = info_queue_bytes(p, i, &blocks, &descs);
        strbuf_printf(out, "    %s: %s, owner %s, ", q->name, program_ring_kind_name(q->ring_kind),
                      program_engine_name(q->owner));
        if (q->semaphore >= 0)
            strbuf_printf(out, "semaphore %" PRId64, q->semaphore);
        else
            strbuf_puts(out, "no semaphore");
        strbuf_printf(out, ", %zu blocks, %zu descriptors, %" PRIu64 " bytes\n", blocks, descs, bytes);
    }
}

static void engine_text(const struct prog_engine *e, int engine, struct strbuf *out)
{
    struct info_slots s;
    info_count_slots(e, engine, &s);
    strbuf_printf(out, "    %-4s %s: %zu slots of %zu bytes", program_engine_name(engine),
                  e->bin_name ? e->bin_name : "(not in the file)", s.slots, s.slot_bytes);
    if (s.rest)
        strbuf_printf(out, " and %zu bytes", s.rest);
    strbuf_puts(out, "\n");
    for (unsigned op = 0; op < 256; op++)
        if (s.count[op])
            strbuf_printf(out, "         %6zu x 0x%02x %s\n", s.count[op], op,
                          isa_opcode_name(op) ? isa_opcode_name(op) : "(undefined)");
}

static void program_text(const struct program *p, struct strbuf *out)
{
    strbuf_printf(
        out, "graph %s, target %s, %zu replica topologies, world size %" PRIu64 ", %" PRIu64 " streams%s\n",
        p->graph_name, p->target[0] ? p->target : "(none: sunda)", p->ngroups, p->world_size, p->num_streams,
        p->has_ucode_lib ? ", custom operators" : "");
    vars_text(p, out);
    queues_text(p, out);
    strbuf_puts(out, "  engines\n");
    for (int i = 0; i < PROG_ENGINES; i++)
        engine_text(&p->engines[i], i, out);
}

void info_text(const char *path, const struct neff *n, struct program *const *programs, size_t count,
               struct strbuf *out)
{
    size_t bytes = 0;
    for (size_t i = 0; i < neff_member_count(n); i++)
        bytes += neff_member_at(n, i)->size;
    strbuf_printf(out, "%s: %zu members, %zu bytes\n", path, neff_member_count(n), bytes);
    header_text(neff_get_header(n), out);
    if (count) {
        io_text("input ", programs[0]->inputs, programs[0]->ninputs, out);
        io_text("output", programs[0]->outputs, programs[0]->noutputs, out);
    }
    for (size_t i = 0; i < count; i++)
        program_text(programs[i], out);
}
