/*
 * `neffsim info --json`: the file as a whole; graphs are info_json_graph.c. Keys and their order are
 * documented in docs/neff.md; integers are exact.
 */
#include "cli/info.h"

#include <stdio.h>

#include "regs.h"
#include "util/hash.h"

void info_put_shape(struct json_out *o, const char *key, const uint64_t *shape, size_t ndim)
{
    json_put_key(o, key);
    json_put_u64s(o, shape, ndim);
}

static void features_json(struct json_out *o, uint64_t bits)
{
    json_field_open(o, "features", '[');
    for (unsigned bit = 0; bit < 64; bit++) {
        if (!(bits >> bit & 1))
            continue;
        json_open(o, '{');
        json_field_u64(o, "bit", bit);
        json_field_string(o, "name", neff_feature_name(bit));
        json_close(o, '}');
    }
    json_close(o, ']');
}

static void header_json(struct json_out *o, const struct neff_header *h)
{
    char hash[2 * sizeof h->hash + 1], id[2 * sizeof h->uuid + 1], uuid[40];
    hash_hex(h->uuid, sizeof h->uuid, id);
    snprintf(uuid, sizeof uuid, "%.8s-%.4s-%.4s-%.4s-%.12s", id, id + 8, id + 12, id + 16, id + 20);
    json_open(o, '{');
    json_field_u64(o, "pkg_version", h->pkg_version);
    json_field_u64(o, "header_size", h->header_size);
    json_field_u64(o, "data_size", h->data_size);
    json_field_u64(o, "version_major", h->version_major);
    json_field_u64(o, "version_minor", h->version_minor);
    json_field_string(o, "build_version", h->build_version);
    json_field_u64(o, "unused_0", h->unused_0);
    json_field_string(o, "hash", hash_hex(h->hash, sizeof h->hash, hash));
    json_field_string(o, "uuid", uuid);
    json_field_string(o, "name", h->name);
    json_field_u64(o, "requested_tpb_count", h->requested_tpb_count);
    json_put_key(o, "tpb_per_node"); /* without the zeros at the end, as in header.json */
    json_open(o, '[');
    size_t nodes = sizeof h->tpb_per_node;
    while (nodes && !h->tpb_per_node[nodes - 1])
        nodes--;
    for (size_t i = 0; i < nodes; i++)
        json_put_u64(o, h->tpb_per_node[i]);
    json_close(o, ']');
    json_field_u64(o, "vnc_size", h->vnc_size);
    json_field_u64(o, "feature_bits", h->feature_bits);
    features_json(o, h->feature_bits);
    json_close(o, '}');
}

static void archive_json(struct json_out *o, const struct info *in)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < neff_member_count(in->neff); i++)
        bytes += neff_member_at(in->neff, i)->size;
    json_open(o, '{');
    json_field_bool(o, "gzip", in->start.gzip);
    json_field_bool(o, "compressed", in->start.gzip && !neff_is_stored(in->neff));
    json_field_bool(o, "hash_verified", in->hash_checked);
    json_field_u64(o, "member_bytes", bytes);
    json_field_open(o, "members", '[');
    for (size_t i = 0; i < neff_member_count(in->neff); i++) {
        const struct neff_member *m = neff_member_at(in->neff, i);
        json_open(o, '{');
        json_field_string(o, "name", m->name);
        json_field_u64(o, "size", m->size);
        json_close(o, '}');
    }
    json_close(o, ']');
    json_close(o, '}');
}

static void io_json(struct json_out *o, const char *key, const struct prog_io *io, size_t count)
{
    json_field_open(o, key, '[');
    for (size_t i = 0; i < count; i++) {
        json_open(o, '{');
        json_field_string(o, "name", io[i].name);
        json_field_string(o, "dtype", io[i].dtype);
        info_put_shape(o, "shape", io[i].shape, io[i].ndim);
        json_field_u64(o, "size", io[i].size);
        json_close(o, '}');
    }
    json_close(o, ']');
}

static void findings_json(struct json_out *o, const char *key, const struct findings *f, bool problems)
{
    json_field_open(o, key, '[');
    for (size_t i = 0; i < f->count; i++) {
        const struct finding *x = &f->list[i];
        if ((x->level >= FINDING_RULE) != problems || x->level < FINDING_WARNING)
            continue;
        json_open(o, '{');
        json_field_string(o, "member", x->member);
        json_field_string(o, "place", x->place);
        json_field_string(o, "text", x->text);
        json_close(o, '}');
    }
    json_close(o, ']');
}

void info_json(const struct info *in, struct strbuf *out)
{
    struct json_out o = { .b = out };
    const struct program *first = in->nprograms ? in->programs[0] : NULL;
    json_open(&o, '{');
    json_field_string(&o, "file", in->path);
    json_field_u64(&o, "file_size", in->start.file_size);
    json_put_key(&o, "header");
    if (in->start.has_header)
        header_json(&o, &in->start.header);
    else
        json_put_string(&o, NULL);
    json_put_key(&o, "archive");
    if (in->neff)
        archive_json(&o, in);
    else
        json_put_string(&o, NULL);
    json_field_string(&o, "kelf", first ? first->kelf : NULL);
    json_field_string(&o, "kelf_version", first ? first->kelf_version : NULL);
    json_field_string(&o, "target", first ? first->target : NULL);
    io_json(&o, "inputs", first ? first->inputs : NULL, first ? first->ninputs : 0);
    io_json(&o, "outputs", first ? first->outputs : NULL, first ? first->noutputs : 0);
    json_field_open(&o, "graphs", '[');
    for (size_t i = 0; i < in->nprograms; i++)
        if (info_shows(in, in->programs[i]))
            info_graph_json(in->programs[i], &o);
    json_close(&o, ']');
    json_put_key(&o, "metaneff");
    if (in->meta)
        info_meta_json(in, &o);
    else
        json_put_string(&o, NULL);
    findings_json(&o, "problems", &in->findings, true);
    findings_json(&o, "warnings", &in->findings, false);
    json_close(&o, '}');
}
