/* `neffsim info --json`: one graph. Every list has the order of the file unless its struct says otherwise. */
#include "cli/info.h"

#include <stdlib.h>

#include "regs.h"

static void engine_json(struct json_out *o, const struct prog_engine *e, int engine)
{
    struct info_slots s;
    info_count_slots(e, engine, &s);
    json_open(o, '{');
    json_field_string(o, "name", program_engine_name(engine));
    json_field_bool(o, "present", e->present);
    json_field_bool(o, "readable", !e->bad);
    json_field_string(o, "member", e->json_name);
    json_field_string(o, "program", e->bin_name);
    json_field_u64(o, "bytes", e->code_size);
    json_field_u64(o, "slots", s.slots);
    json_field_u64(o, "slot_bytes", s.slot_bytes);
    json_field_string(o, "dialect", isa_dialect_names[s.dialect]);
    json_field_open(o, "opcodes", '[');
    for (unsigned op = 0; op < 256; op++) {
        if (!s.count[op])
            continue;
        json_open(o, '{');
        json_field_u64(o, "opcode", op);
        json_field_string(o, "name", info_opcode_name(s.dialect, op));
        json_field_u64(o, "count", s.count[op]);
        json_close(o, '}');
    }
    json_close(o, ']');
    json_close(o, '}');
}

static void var_json(struct json_out *o, const struct prog_var *v)
{
    static const char *const backing[] = { "local", "shared", "sharded", "main" };
    json_open(o, '{');
    json_field_u64(o, "var_id", v->var_id);
    json_field_string(o, "name", v->name);
    json_field_bool(o, "readable", !v->bad);
    json_field_string(o, "type", program_var_kind_name(v->kind));
    json_field_u64(o, "size", v->size);
    json_field_u64(o, "alignment", v->alignment);
    json_field_string(o, "dtype", v->dtype);
    info_put_shape(o, "shape", v->shape, v->ndim);
    json_field_string(o, "file_name", v->file_name);
    if (v->kind == VARK_VIRTUAL) {
        json_field_u64(o, "backing_variable_off", v->backing_off);
        json_field_string(o, "backing_buf", backing[v->backing & 3]);
        json_field_string(o, "fabric_path", v->alt_path ? "alt" : "main");
    }
    if (v->kind == VARK_PTR)
        json_field_u64(o, "referenced_var_id", v->referenced_id);
    if (v->kind == VARK_LIST || v->nlist) {
        json_field_open(o, "list", '[');
        for (size_t i = 0; i < v->nlist; i++)
            json_put_u64(o, v->list[i]);
        json_close(o, ']');
    }
    if (v->has_remote) {
        json_field_u64(o, "remote_graph", v->remote_graph);
        json_field_u64(o, "remote_var_id", v->remote_id);
    }
    if (v->print_prefix) {
        json_field_string(o, "prefix", v->print_prefix);
        json_field_u64(o, "pipe", v->print_pipe);
    }
    json_close(o, '}');
}

static void moved_json(struct json_out *o, const struct info_ring *r)
{
    json_field_open(o, "moved", '[');
    for (int from = 0; from < INFO_MEMORIES; from++)
        for (int to = 0; to < INFO_MEMORIES; to++) {
            if (!r->moved[from][to])
                continue;
            json_open(o, '{');
            json_field_string(o, "from", info_memory_names[from]);
            json_field_string(o, "to", info_memory_names[to]);
            json_field_u64(o, "bytes", r->moved[from][to]);
            json_close(o, '}');
        }
    json_close(o, ']');
}

static void queue_json(struct json_out *o, const struct prog_queue *q, const struct info_ring *r)
{
    json_open(o, '{');
    json_field_string(o, "name", q->name);
    json_field_bool(o, "readable", !q->bad);
    json_field_string(o, "type", program_ring_kind_name(q->ring_kind));
    json_field_string(o, "owner", program_engine_name(q->owner));
    json_field_i64(o, "semaphore", q->semaphore);
    json_field_open(o, "semaphore_set", '[');
    for (size_t i = 0; i < q->nsemaphores; i++)
        json_put_u64(o, q->semaphore_set[i]);
    json_close(o, ']');
    json_field_i64(o, "embedding_update_sync_semaphore", q->sync_semaphore);
    json_field_u64(o, "num_queues", q->num_queues);
    json_field_open(o, "queue_instances", '[');
    for (size_t i = 0; i < q->ninstances; i++)
        json_put_string(o, q->instances[i]);
    json_close(o, ']');
    json_field_bool(o, "pinned", q->pinned);
    json_field_bool(o, "dge", q->dge);
    json_field_bool(o, "dynamic_dma", q->dynamic_dma);
    json_field_bool(o, "indirect_memcpy", q->indirect);
    json_field_u64(o, "blocks", r->blocks);
    json_field_u64(o, "descriptors", r->descriptors);
    json_field_u64(o, "read_elements", r->read_elements);
    json_field_u64(o, "write_elements", r->write_elements);
    json_field_u64(o, "bytes_read", r->bytes_read);
    json_field_u64(o, "bytes_written", r->bytes_written);
    moved_json(o, r);
    json_close(o, '}');
}

static void pattern_json(struct json_out *o, const struct program *p, const struct prog_pattern *a,
                         bool scaled)
{
    json_open(o, '{');
    json_field_string(o, "var", a->var < p->nvars ? p->vars[a->var].name : NULL);
    json_field_u64(o, "offset", a->offset);
    info_put_shape(o, "sizes", a->sizes, a->ndim);
    json_put_key(o, "steps");
    json_put_i64s(o, a->steps, a->ndim);
    json_field_string(o, "dtype", info_dtype_name(a->dtype));
    if (scaled) {
        json_put_key(o, "scale");
        json_put_double(o, a->scale);
    }
    json_close(o, '}');
}

static void desc_json(struct json_out *o, const struct program *p, const struct prog_desc *d)
{
    static const char *const ops[] = { "copy", "fma", "add", "min", "max", "transpose" };
    bool scaled = d->op == KDMAOP_FMA;
    json_open(o, '{');
    json_field_bool(o, "readable", !d->bad);
    if (!d->bad) {
        json_field_string(o, "op", (size_t)d->op < sizeof ops / sizeof ops[0] ? ops[d->op] : NULL);
        json_field_open(o, "from", '[');
        pattern_json(o, p, &d->from, scaled);
        for (size_t i = 0; d->more && i + 1 < d->nsources; i++)
            pattern_json(o, p, &d->more[i], scaled);
        json_close(o, ']');
        json_put_key(o, "to");
        pattern_json(o, p, &d->to, false);
        json_field_u64(o, "bytes", d->bytes);
        json_field_bool(o, "cast", d->cast);
        if (d->has_constant) {
            json_put_key(o, "constant");
            json_put_double(o, d->constant);
        }
        if (d->op == KDMAOP_TRANSPOSE) {
            json_field_u64(o, "transpose_element_size", d->element_bytes);
            json_field_u64(o, "num_tiling_dimensions", d->tiling_dims);
        }
    }
    json_close(o, '}');
}

static void block_json(struct json_out *o, const struct program *p, const struct prog_block *b)
{
    json_open(o, '{');
    json_field_bool(o, "readable", !b->bad);
    json_field_string(o, "queue", !b->bad && b->queue < p->nqueues ? p->queues[b->queue].name : NULL);
    json_field_string(o, "instance_name", b->instance);
    json_field_u64(o, "id", b->id);
    json_field_string(o, "engine", program_engine_name(b->engine));
    json_field_u64(o, "index", b->json_index);
    json_field_u64(o, "priority_class", b->priority_class);
    json_field_bool(o, "function_start", b->function_start);
    json_field_bool(o, "section_start_desc", b->section_start);
    json_field_u64(o, "remote_semaphores", b->nremote);
    json_field_u64(o, "bytes", b->bytes);
    json_field_open(o, "descriptors", '[');
    for (size_t i = 0; i < b->ndesc; i++)
        desc_json(o, p, &b->desc[i]);
    json_close(o, ']');
    json_close(o, '}');
}

static void library_json(struct json_out *o, const struct prog_library *l)
{
    json_open(o, '{');
    json_field_string(o, "library", l->name);
    json_field_string(o, "member", l->member);
    json_field_u64(o, "size", l->size);
    json_field_string(o, "ulib_to_ucode_version", l->version);
    json_field_string(o, "ulib_to_isa_version", l->isa_version);
    json_field_bool(o, "is_builtin", l->is_builtin);
    json_field_i64(o, "opcode", l->opcode);
    json_field_u64(o, "flags", l->flags);
    json_field_u64(o, "cpu_id", l->cpu_id);
    json_field_u64(o, "total_cpus", l->total_cpus);
    json_field_open(o, "functions", '[');
    for (size_t i = 0; i < l->nfunctions; i++) {
        json_open(o, '{');
        json_field_string(o, "name", l->functions[i].name);
        json_field_u64(o, "opcode", l->functions[i].opcode);
        json_field_i64(o, "sub_opcode", l->functions[i].sub_opcode);
        json_close(o, '}');
    }
    json_close(o, ']');
    json_close(o, '}');
}

/* [topology][group][rank], as def.json has it. */
static void groups_json(struct json_out *o, const struct program *p)
{
    size_t g = 0;
    json_field_open(o, "replica_groups", '[');
    for (size_t t = 0; t < p->ngroups; t++) {
        json_open(o, '[');
        for (; g < p->ngroup_lists && p->groups[g].topology == t; g++) {
            json_open(o, '[');
            for (size_t i = 0; i < p->groups[g].nranks; i++)
                json_put_u64(o, p->groups[g].ranks[i]);
            json_close(o, ']');
        }
        json_close(o, ']');
    }
    json_close(o, ']');
}

static void pairs_json(struct json_out *o, const struct program *p)
{
    size_t i = 0;
    json_field_open(o, "src_target_pairs", '[');
    for (size_t t = 0; t < p->npair_topologies; t++) {
        json_open(o, '[');
        for (; i < p->npairs && p->pairs[i].topology == t; i++) {
            json_open(o, '[');
            json_put_u64(o, p->pairs[i].source);
            json_put_u64(o, p->pairs[i].target);
            json_close(o, ']');
        }
        json_close(o, ']');
    }
    json_close(o, ']');
}

static void carveouts_json(struct json_out *o, const struct program *p)
{
    json_field_bool(o, "has_statebuffer_reservation", p->has_sb_reservation);
    json_field_open(o, "statebuffer_reservation", '[');
    for (size_t i = 0; i < p->ncarveouts; i++) {
        json_open(o, '{');
        json_field_string(o, "type", "evtaccel");
        json_field_u64(o, "offset", p->carveouts[i].offset);
        json_field_u64(o, "size", p->carveouts[i].size);
        json_field_u64(o, "base_partition", p->carveouts[i].base_partition);
        json_field_u64(o, "partitions", p->carveouts[i].partitions);
        json_close(o, '}');
    }
    json_close(o, ']');
}

static void fp8_json(struct json_out *o, const struct prog_fp8 *f)
{
    json_put_key(o, "fp8_conversion_config");
    if (!f->present) {
        json_put_string(o, NULL);
        return;
    }
    json_open(o, '{');
    json_field_bool(o, "fp8_range_extension", f->range_extension);
    if (f->has_emax_e4m3)
        json_field_u64(o, "emax_fp8_e4m3", f->emax_e4m3);
    if (f->has_emax_e5m2)
        json_field_u64(o, "emax_fp8_e5m2", f->emax_e5m2);
    json_field_bool(o, "ocp_sat", f->ocp_sat);
    json_field_bool(o, "fp8_sis", f->sis);
    json_field_bool(o, "fp8_sns", f->sns);
    json_close(o, '}');
}

static void table_json(struct json_out *o, const struct prog_table *t)
{
    if (!t->member)
        return;
    json_open(o, '{');
    json_field_string(o, "key", t->key);
    json_field_string(o, "member", t->member);
    json_field_u64(o, "size", t->size);
    json_close(o, '}');
}

static void tables_json(struct json_out *o, const struct program *p)
{
    json_field_i64(o, "act_semaphore", p->act_semaphore);
    json_field_string(o, "act_info", p->act_info);
    json_field_u64(o, "profile_records", p->nprofile);
    json_field_open(o, "activation_tables", '[');
    for (size_t i = 0; i < p->nact_sets; i++) {
        json_open(o, '[');
        table_json(o, &p->act_sets[i].bucket);
        table_json(o, &p->act_sets[i].control);
        json_close(o, ']');
    }
    json_close(o, ']');
    json_field_open(o, "dve_tables", '[');
    for (size_t i = 0; i < PROG_DVE_TABLES; i++)
        table_json(o, &p->dve_tables[i]);
    json_close(o, ']');
}

static void names_json(struct json_out *o, const struct program *p)
{
    json_field_string(o, "name", p->graph_name);
    json_field_string(o, "definition", p->definition);
    json_field_string(o, "version", p->version);
    json_field_string(o, "git_version", p->git_version);
    json_field_open(o, "neff_features", '[');
    for (size_t i = 0; i < p->nfeatures; i++)
        json_put_string(o, p->features[i]);
    json_close(o, ']');
}

void info_graph_json(const struct program *p, struct json_out *o)
{
    struct info_ring *rings = info_count_rings(p);
    if (!rings) {
        o->b->failed = true;
        return;
    }
    json_open(o, '{');
    names_json(o, p);
    json_field_open(o, "engines", '[');
    for (int i = 0; i < PROG_ENGINES; i++)
        engine_json(o, &p->engines[i], i);
    json_close(o, ']');
    json_field_open(o, "vars", '[');
    for (size_t i = 0; i < p->nvars; i++)
        var_json(o, &p->vars[i]);
    json_close(o, ']');
    json_field_open(o, "queues", '[');
    for (size_t i = 0; i < p->nqueues; i++)
        queue_json(o, &p->queues[i], &rings[i]);
    json_close(o, ']');
    json_field_open(o, "blocks", '[');
    for (size_t i = 0; i < p->nblocks; i++)
        block_json(o, p, &p->blocks[i]);
    json_close(o, ']');
    json_field_bool(o, "ucode_lib", p->has_ucode_lib);
    json_field_open(o, "libraries", '[');
    for (size_t i = 0; i < p->nlibraries; i++)
        library_json(o, &p->libraries[i]);
    json_close(o, ']');
    groups_json(o, p);
    pairs_json(o, p);
    json_field_u64(o, "world_size", p->world_size);
    json_field_u64(o, "num_streams", p->num_streams);
    carveouts_json(o, p);
    fp8_json(o, &p->fp8);
    tables_json(o, p);
    json_close(o, '}');
    free(rings);
}
