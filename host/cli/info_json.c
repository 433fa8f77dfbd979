/* `neffsim info --json`: every list has the order of the text form; integers are exact. */
#include "cli/info.h"

#include "isa/isa.h"
#include "util/hash.h"
#include "util/json_write.h"

static void put_u64(struct json_out *o, const char *key, uint64_t v)
{
    json_put_key(o, key);
    json_put_u64(o, v);
}

static void put_string(struct json_out *o, const char *key, const char *v)
{
    json_put_key(o, key);
    json_put_string(o, v);
}

static void put_shape(struct json_out *o, const uint64_t *shape, size_t ndim)
{
    json_put_key(o, "shape");
    json_open(o, '[');
    for (size_t i = 0; i < ndim; i++)
        json_put_u64(o, shape[i]);
    json_close(o, ']');
}

static void header_json(struct json_out *o, const struct neff_header *h)
{
    char hash[2 * sizeof h->hash + 1], uuid[2 * sizeof h->uuid + 1];
    json_put_key(o, "header");
    json_open(o, '{');
    put_u64(o, "pkg_version", h->pkg_version);
    put_u64(o, "header_size", h->header_size);
    put_u64(o, "data_size", h->data_size);
    put_u64(o, "version_major", h->version_major);
    put_u64(o, "version_minor", h->version_minor);
    put_string(o, "build_version", h->build_version);
    put_u64(o, "unused_0", h->unused_0);
    put_string(o, "hash", hash_hex(h->hash, sizeof h->hash, hash));
    put_string(o, "uuid", hash_hex(h->uuid, sizeof h->uuid, uuid));
    put_string(o, "name", h->name);
    put_u64(o, "requested_tpb_count", h->requested_tpb_count);
    put_u64(o, "vnc_size", h->vnc_size);
    put_u64(o, "feature_bits", h->feature_bits);
    json_put_key(o, "features");
    json_open(o, '[');
    for (unsigned bit = 0; bit < 64; bit++)
        if (h->feature_bits >> bit & 1)
            json_put_string(o, neff_feature_name(bit));
    json_close(o, ']');
    json_close(o, '}');
}

static void members_json(struct json_out *o, const struct neff *n)
{
    json_put_key(o, "members");
    json_open(o, '[');
    for (size_t i = 0; i < neff_member_count(n); i++) {
        const struct neff_member *m = neff_member_at(n, i);
        json_open(o, '{');
        put_string(o, "name", m->name);
        put_u64(o, "size", m->size);
        json_close(o, '}');
    }
    json_close(o, ']');
}

static void io_json(struct json_out *o, const char *key, const struct prog_io *io, size_t count)
{
    json_put_key(o, key);
    json_open(o, '[');
    for (size_t i = 0; i < count; i++) {
        json_open(o, '{');
        put_string(o, "name", io[i].name);
        put_string(o, "dtype", io[i].dtype);
        put_shape(o, io[i].shape, io[i].ndim);
        put_u64(o, "size", io[i].size);
        json_close(o, '}');
    }
    json_close(o, ']');
}

static void vars_json(struct json_out *o, const struct program *p)
{
    json_put_key(o, "vars");
    json_open(o, '[');
    for (size_t i = 0; i < p->nvars; i++) {
        const struct prog_var *v = &p->vars[i];
        json_open(o, '{');
        put_u64(o, "var_id", v->var_id);
        put_string(o, "name", v->name);
        put_string(o, "type", program_var_kind_name(v->kind));
        put_u64(o, "size", v->size);
        put_u64(o, "alignment", v->alignment);
        put_string(o, "dtype", v->dtype);
        put_shape(o, v->shape, v->ndim);
        put_string(o, "file_name", v->file_name);
        json_close(o, '}');
    }
    json_close(o, ']');
}

static void queues_json(struct json_out *o, const struct program *p)
{
    json_put_key(o, "queues");
    json_open(o, '[');
    for (size_t i = 0; i < p->nqueues; i++) {
        const struct prog_queue *q = &p->queues[i];
        size_t blocks, descs;
        uint64_t bytes = info_queue_bytes(p, i, &blocks, &descs);
        json_open(o, '{');
        put_string(o, "name", q->name);
        put_string(o, "type", program_ring_kind_name(q->ring_kind));
        put_string(o, "owner", program_engine_name(q->owner));
        json_put_key(o, "semaphore");
        json_put_i64(o, q->semaphore);
        put_u64(o, "blocks", blocks);
        put_u64(o, "descriptors", descs);
        put_u64(o, "bytes", bytes);
        json_close(o, '}');
    }
    json_close(o, ']');
}

static void blocks_json(struct json_out *o, const struct program *p)
{
    json_put_key(o, "blocks");
    json_open(o, '[');
    for (size_t i = 0; i < p->nblocks; i++) {
        const struct prog_block *b = &p->blocks[i];
        json_open(o, '{');
        put_string(o, "queue", p->queues[b->queue].name);
        put_u64(o, "id", b->id);
        put_string(o, "engine", program_engine_name(b->engine));
        put_u64(o, "descriptors", b->ndesc);
        json_close(o, '}');
    }
    json_close(o, ']');
}

static void engines_json(struct json_out *o, const struct program *p)
{
    json_put_key(o, "engines");
    json_open(o, '[');
    for (int i = 0; i < PROG_ENGINES; i++) {
        const struct prog_engine *e = &p->engines[i];
        struct info_slots s;
        info_count_slots(e, i, &s);
        json_open(o, '{');
        put_string(o, "name", program_engine_name(i));
        json_put_key(o, "present");
        json_put_bool(o, e->present);
        put_string(o, "program", e->bin_name);
        put_u64(o, "bytes", e->code_size);
        put_u64(o, "slots", s.slots);
        put_u64(o, "slot_bytes", s.slot_bytes);
        json_put_key(o, "opcodes");
        json_open(o, '[');
        for (unsigned op = 0; op < 256; op++) {
            if (!s.count[op])
                continue;
            json_open(o, '{');
            put_u64(o, "opcode", op);
            put_string(o, "name", isa_opcode_name(op));
            put_u64(o, "count", s.count[op]);
            json_close(o, '}');
        }
        json_close(o, ']');
        json_close(o, '}');
    }
    json_close(o, ']');
}

void info_json(const struct neff *n, struct program *const *programs, size_t count, struct strbuf *out)
{
    struct json_out o = { .b = out };
    json_open(&o, '{');
    header_json(&o, neff_get_header(n));
    members_json(&o, n);
    io_json(&o, "inputs", count ? programs[0]->inputs : NULL, count ? programs[0]->ninputs : 0);
    io_json(&o, "outputs", count ? programs[0]->outputs : NULL, count ? programs[0]->noutputs : 0);
    json_put_key(&o, "graphs");
    json_open(&o, '[');
    for (size_t i = 0; i < count; i++) {
        const struct program *p = programs[i];
        json_open(&o, '{');
        put_string(&o, "name", p->graph_name);
        put_string(&o, "target", p->target);
        put_u64(&o, "replica_topologies", p->ngroups);
        put_u64(&o, "world_size", p->world_size);
        put_u64(&o, "num_streams", p->num_streams);
        json_put_key(&o, "ucode_lib");
        json_put_bool(&o, p->has_ucode_lib);
        vars_json(&o, p);
        queues_json(&o, p);
        blocks_json(&o, p);
        engines_json(&o, p);
        json_close(&o, '}');
    }
    json_close(&o, ']');
    json_close(&o, '}');
}
