/* `neffsim info` for people: one graph, section by section. Sections without content are left out. */
#include "cli/info.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "regs.h"

#define OPCODES_SHOWN 12
#define RANKS_SHOWN   16

/* ---- engines ---- */

struct opcode_count {
    unsigned opcode;
    size_t count;
};

static int by_count(const void *a, const void *b)
{
    const struct opcode_count *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return x->opcode < y->opcode ? -1 : 1;
}

/* "12 MATMUL, 3 EVENT_SEMAPHORE", the most frequent first. */
static void histogram(const struct info_slots *s, bool all, struct strbuf *b)
{
    struct opcode_count list[256];
    size_t n = 0;
    for (unsigned op = 0; op < 256; op++)
        if (s->count[op])
            list[n++] = (struct opcode_count){ op, s->count[op] };
    qsort(list, n, sizeof *list, by_count);
    size_t shown = all || n < OPCODES_SHOWN ? n : OPCODES_SHOWN;
    for (size_t i = 0; i < shown; i++) {
        const char *name = info_opcode_name(s->dialect, list[i].opcode);
        strbuf_printf(b, "%s%zu ", i ? ", " : "", list[i].count);
        if (name)
            strbuf_puts(b, name);
        else
            strbuf_printf(b, "opcode 0x%02x", list[i].opcode);
    }
    if (shown < n)
        strbuf_printf(b, ", ... %zu more opcodes (--all)", n - shown);
}

static void engine_text(const struct prog_engine *e, int engine, struct page *out)
{
    struct strbuf b = { 0 };
    struct info_slots s;
    info_count_slots(e, engine, &s);
    if (!e->present)
        strbuf_puts(&b, "not in the graph");
    else if (e->bad)
        strbuf_printf(&b, "could not be read (%s)", e->json_name ? e->json_name : "?");
    else if (!s.slots && !s.rest)
        strbuf_printf(&b, "no slots (%s)", e->bin_name ? e->bin_name : "?");
    else {
        strbuf_printf(&b, "%zu slot%s of %zu bytes", s.slots, s.slots == 1 ? "" : "s", s.slot_bytes);
        if (s.rest)
            strbuf_printf(&b, " and %zu bytes", s.rest);
        strbuf_printf(&b, " (%s): ", e->bin_name ? e->bin_name : "?");
        histogram(&s, out->all, &b);
    }
    page_fact(out, program_engine_name(engine), "%s", b.s ? b.s : "");
    strbuf_free(&b);
}

/* ---- variables ---- */

static void var_details(const struct program *p, const struct prog_var *v, struct strbuf *b)
{
    static const char *const backing[] = { "local", "shared", "sharded", "main" };
    strbuf_puts(b, v->name);
    if (v->bad)
        strbuf_puts(b, " (could not be read)");
    if (v->file_name)
        strbuf_printf(b, " <- %s", v->file_name);
    if (v->kind == VARK_VIRTUAL)
        strbuf_printf(b, " in %s%s at 0x%" PRIx64, backing[v->backing & 3], v->alt_path ? " (alt)" : "",
                      v->backing_off);
    if (v->kind == VARK_PTR)
        strbuf_printf(b, " -> id %" PRIu32 "%s%s", v->referenced_id, v->referenced_id < p->nvars ? " " : "",
                      v->referenced_id < p->nvars && p->vars[v->referenced_id].name
                          ? p->vars[v->referenced_id].name
                          : "");
    if (v->nlist)
        strbuf_printf(b, ", list of %zu", v->nlist);
    if (v->has_remote)
        strbuf_printf(b, " = id %" PRIu32 " of graph +%" PRIu32, v->remote_id, v->remote_graph);
    if (v->print_prefix)
        strbuf_printf(b, ", printed as \"%s\" on pipe %" PRIu32, v->print_prefix, v->print_pipe);
}

static void vars_text(const struct program *p, struct page *out)
{
    struct table t;
    struct strbuf sum = { 0 };
    for (int kind = VARK_SB; kind <= (int)VARK_REMOTE; kind++) {
        struct info_vars v = info_count_vars(p, kind);
        if (v.count)
            strbuf_printf(&sum, "%s%zu %s", sum.len ? ", " : "", v.count, program_var_kind_name(kind));
    }
    page_heading(out, "variables", "%zu: %s", p->nvars, sum.s ? sum.s : "");
    strbuf_free(&sum);
    TABLE_BEGIN(&t, out, ">id", "kind", ">bytes", ">align", "type", "name");
    for (size_t i = 0; i < p->nvars; i++) {
        const struct prog_var *v = &p->vars[i];
        struct strbuf type = { 0 }, name = { 0 };
        info_type(&type, v->dtype, v->shape, v->ndim);
        var_details(p, v, &name);
        table_cell(&t, "%" PRIu32, v->var_id);
        table_cell(&t, "%s", program_var_kind_name(v->kind));
        if (v->kind == VARK_SB || v->kind == VARK_LIST)
            table_cell(&t, "-");
        else
            table_cell(&t, "%" PRIu64, v->size);
        table_cell(&t, "%" PRIu32, v->alignment);
        table_cell(&t, "%s", type.s ? type.s : "");
        table_cell(&t, "%s", name.s ? name.s : "");
        strbuf_free(&type);
        strbuf_free(&name);
    }
    table_end(&t);
}

/* ---- rings ---- */

static void semaphores(const struct prog_queue *q, struct strbuf *b)
{
    if (q->semaphore >= 0)
        strbuf_printf(b, "%" PRId64, q->semaphore);
    for (size_t i = 0; i < q->nsemaphores; i++)
        strbuf_printf(b, "%s%" PRIu32, b->len ? " " : "", q->semaphore_set[i]);
    if (q->sync_semaphore >= 0)
        strbuf_printf(b, "%ssync %" PRId64, b->len ? " " : "", q->sync_semaphore);
    if (!b->len)
        strbuf_puts(b, "-");
}

static void add_word(struct strbuf *b, bool on, const char *word)
{
    if (on)
        strbuf_printf(b, "%s%s", b->len ? ", " : "", word);
}

/* Where the bytes go, and what is special about the queue. */
static void queue_details(const struct prog_queue *q, const struct info_ring *r, struct strbuf *b)
{
    for (int from = 0; from < INFO_MEMORIES; from++)
        for (int to = 0; to < INFO_MEMORIES; to++) {
            if (!r->moved[from][to])
                continue;
            strbuf_printf(b, "%s%s->%s", b->len ? ", " : "", info_memory_names[from], info_memory_names[to]);
            if (r->moved[from][to] != r->bytes_written)
                strbuf_printf(b, " %" PRIu64, r->moved[from][to]);
        }
    if (r->bytes_read != r->bytes_written)
        strbuf_printf(b, ", %" PRIu64 " read", r->bytes_read);
    add_word(b, q->pinned, "pinned");
    add_word(b, q->dge, "dge");
    add_word(b, q->dynamic_dma, "dynamic_dma");
    if (q->num_queues > 1)
        strbuf_printf(b, "%sset of %" PRIu64, b->len ? ", " : "", q->num_queues);
    if (q->ninstances)
        strbuf_printf(b, "%s%zu instances", b->len ? ", " : "", q->ninstances);
    add_word(b, q->bad, "could not be read");
}

static void rings_text(const struct program *p, struct page *out)
{
    struct info_ring *rings = info_count_rings(p);
    struct table t;
    if (!rings) {
        out->b.failed = true;
        return;
    }
    page_heading(out, "rings", "%zu, with %zu block%s; read and write count hardware descriptors", p->nqueues,
                 p->nblocks, p->nblocks == 1 ? "" : "s");
    TABLE_BEGIN(&t, out, "name", "kind", "owner", "sem", ">blocks", ">desc", ">read", ">write", ">bytes",
                "moves");
    for (size_t i = 0; i < p->nqueues; i++) {
        const struct prog_queue *q = &p->queues[i];
        struct strbuf sems = { 0 }, more = { 0 };
        semaphores(q, &sems);
        queue_details(q, &rings[i], &more);
        table_cell(&t, "%s", q->name);
        table_cell(&t, "%s", program_ring_kind_name(q->ring_kind));
        table_cell(&t, "%s", program_engine_name(q->owner));
        table_cell(&t, "%s", sems.s ? sems.s : "");
        table_cell(&t, "%zu", rings[i].blocks);
        table_cell(&t, "%zu", rings[i].descriptors);
        table_cell(&t, "%" PRIu64, rings[i].read_elements);
        table_cell(&t, "%" PRIu64, rings[i].write_elements);
        table_cell(&t, "%" PRIu64, rings[i].bytes_written);
        table_cell(&t, "%s", more.s ? more.s : "");
        strbuf_free(&sems);
        strbuf_free(&more);
    }
    table_end(&t);
    free(rings);
}

/* ---- libraries ---- */

static void functions(const struct prog_library *l, bool all, struct strbuf *b)
{
    size_t shown = all || l->nfunctions < OPCODES_SHOWN ? l->nfunctions : OPCODES_SHOWN;
    for (size_t i = 0; i < shown; i++) {
        strbuf_printf(b, "%s%s (0x%02x", i ? ", " : "", l->functions[i].name, l->functions[i].opcode);
        if (l->functions[i].sub_opcode >= 0)
            strbuf_printf(b, "/%d", l->functions[i].sub_opcode);
        strbuf_puts(b, ")");
    }
    if (shown < l->nfunctions)
        strbuf_printf(b, ", ... %zu more (--all)", l->nfunctions - shown);
}

static void libraries_text(const struct program *p, struct page *out)
{
    page_heading(out, "libraries", "%zu, custom operators of the POOL processors", p->nlibraries);
    for (size_t i = 0; i < p->nlibraries; i++) {
        const struct prog_library *l = &p->libraries[i];
        struct strbuf b = { 0 };
        strbuf_printf(&b, "%s: %s, version %s%s%s, cpu %u of %u, %s", l->member ? l->member : l->name,
                      page_bytes(l->size).text, l->version,
                      l->isa_version && l->isa_version[0] ? ", isa " : "",
                      l->isa_version ? l->isa_version : "", l->cpu_id, l->total_cpus,
                      l->flags == UCODE_FLAGS_BUILTIN ? "built-in op" : "extended-ISA op");
        page_fact(out, l->name ? l->name : "?", "%s", b.s ? b.s : "");
        strbuf_free(&b);
        functions(l, out->all, &b);
        page_fact(out, "", "%zu function%s: %s", l->nfunctions, l->nfunctions == 1 ? "" : "s",
                  b.s ? b.s : "");
        strbuf_free(&b);
    }
}

/* ---- the rest ---- */

static void groups_text(const struct program *p, struct page *out)
{
    struct table t;
    page_heading(out, "collectives",
                 "%zu topolog%s of replica groups, world size %" PRIu64 ", %" PRIu64 " stream%s", p->ngroups,
                 p->ngroups == 1 ? "y" : "ies", p->world_size, p->num_streams,
                 p->num_streams == 1 ? "" : "s");
    if (p->ngroup_lists) {
        TABLE_BEGIN(&t, out, ">group id", ">ranks", "members");
        for (size_t i = 0; i < p->ngroup_lists; i++) {
            const struct prog_group *g = &p->groups[i];
            struct strbuf b = { 0 };
            size_t shown = out->all || g->nranks < RANKS_SHOWN ? g->nranks : RANKS_SHOWN;
            for (size_t k = 0; k < shown; k++)
                strbuf_printf(&b, "%s%" PRIu32, k ? " " : "", g->ranks[k]);
            strbuf_puts(&b, shown < g->nranks ? " ..." : "");
            table_cell(&t, "%zu", g->topology);
            table_cell(&t, "%zu", g->nranks);
            table_cell(&t, "%s", b.s ? b.s : "");
            strbuf_free(&b);
        }
        table_end(&t);
    }
    if (p->npairs) {
        TABLE_BEGIN(&t, out, ">group id", ">source", ">target");
        for (size_t i = 0; i < p->npairs; i++) {
            table_cell(&t, "%zu", p->pairs[i].topology);
            table_cell(&t, "%" PRIu32, p->pairs[i].source);
            table_cell(&t, "%" PRIu32, p->pairs[i].target);
        }
        table_end(&t);
    }
}

static void carveouts_text(const struct program *p, struct page *out)
{
    if (!p->has_sb_reservation)
        page_fact(out, "carveouts", "no runtime_statebuffer_reservation key");
    else if (!p->ncarveouts)
        page_fact(out, "carveouts", "none");
    for (size_t i = 0; i < p->ncarveouts; i++) {
        const struct prog_carveout *c = &p->carveouts[i];
        page_fact(out, "carveout",
                  "evtaccel: %" PRIu64 " bytes at 0x%" PRIx64 " of partitions %" PRIu64 " to %" PRIu64,
                  c->size, c->offset, c->base_partition,
                  c->partitions ? c->base_partition + c->partitions - 1 : c->base_partition);
    }
}

static void fp8_text(const struct prog_fp8 *f, struct page *out)
{
    struct strbuf b = { 0 };
    add_word(&b, f->range_extension, "range extension");
    if (f->has_emax_e4m3)
        strbuf_printf(&b, "%semax e4m3 %" PRIu32, b.len ? ", " : "", f->emax_e4m3);
    if (f->has_emax_e5m2)
        strbuf_printf(&b, "%semax e5m2 %" PRIu32, b.len ? ", " : "", f->emax_e5m2);
    add_word(&b, f->ocp_sat, "OCP saturation");
    add_word(&b, f->sis, "saturate infinity");
    add_word(&b, f->sns, "saturate NaN");
    page_fact(out, "fp8", "%s", b.s ? b.s : "all off");
    strbuf_free(&b);
}

static void table_file(const struct prog_table *f, const char *key, struct page *out)
{
    if (f->member)
        page_fact(out, key, "%s: %s, %s", f->key ? f->key : "?", f->member, page_bytes(f->size).text);
}

static void act_text(const struct program *p, struct page *out)
{
    if (p->act_semaphore >= 0 || p->nact_sets || p->act_info || p->nprofile)
        page_fact(out, "activation", "%zu table set%s, %zu profile record%s%s%s", p->nact_sets,
                  p->nact_sets == 1 ? "" : "s", p->nprofile, p->nprofile == 1 ? "" : "s",
                  p->act_info ? ", information in " : "", p->act_info ? p->act_info : "");
    if (p->act_semaphore >= 0)
        page_fact(out, "", "loads use semaphore %" PRId64, p->act_semaphore);
    for (size_t i = 0; i < p->nact_sets; i++) {
        table_file(&p->act_sets[i].bucket, "act table", out);
        table_file(&p->act_sets[i].control, "act table", out);
    }
    for (size_t i = 0; i < PROG_DVE_TABLES; i++)
        table_file(&p->dve_tables[i], "dve table", out);
}

static void rest_text(const struct program *p, struct page *out)
{
    struct strbuf b = { 0 };
    page_heading(out, "settings", "%s", "");
    carveouts_text(p, out);
    if (p->fp8.present)
        fp8_text(&p->fp8, out);
    act_text(p, out);
    for (size_t i = 0; i < p->nfeatures; i++)
        strbuf_printf(&b, "%s%s", i ? ", " : "", p->features[i]);
    if (p->nfeatures)
        page_fact(out, "neff_features", "%s", b.s ? b.s : "");
    if ((p->version && p->version[0]) || (p->git_version && p->git_version[0]))
        page_fact(out, "version", "%s%s%s", p->version ? p->version : "",
                  p->git_version && p->git_version[0] ? ", git " : "", p->git_version ? p->git_version : "");
    strbuf_free(&b);
}

void info_graph_text(const struct program *p, struct page *out)
{
    page_heading(out, "graph", "%s: %s, target %s (%s, version %s)", p->graph_name,
                 p->definition ? p->definition : "?", p->target[0] ? p->target : "none, which means sunda",
                 p->kelf ? p->kelf : "?", p->kelf_version ? p->kelf_version : "?");
    for (int i = 0; i < PROG_ENGINES; i++)
        engine_text(&p->engines[i], i, out);
    vars_text(p, out);
    if (p->nqueues)
        rings_text(p, out);
    if (p->nlibraries)
        libraries_text(p, out);
    groups_text(p, out);
    rest_text(p, out);
}
