/* `neffsim info` for people: the file as a whole. Graphs are info_graph.c, the metaneff is info_meta.c. */
#include "cli/info.h"

#include <inttypes.h>
#include <string.h>

#include "regs.h"
#include "util/hash.h"

static void features_text(const struct neff_header *h, struct page *out)
{
    struct strbuf b = { 0 };
    strbuf_printf(&b, "0x%" PRIx64, h->feature_bits);
    for (unsigned bit = 0; bit < 64; bit++) {
        const char *name = neff_feature_name(bit);
        if (h->feature_bits >> bit & 1)
            strbuf_printf(&b, "%s %u %s", b.len > 18 || strchr(b.s, ' ') ? "," : ":", bit,
                          name ? name : "(unknown)");
    }
    if (!h->feature_bits)
        strbuf_puts(&b, " (none)");
    page_fact(out, "feature bits", "%s", b.s ? b.s : "");
    strbuf_free(&b);
}

static void cores_text(const struct neff_header *h, struct page *out)
{
    struct strbuf b = { 0 };
    for (size_t i = 0; i < sizeof h->tpb_per_node; i++)
        if (h->tpb_per_node[i])
            strbuf_printf(&b, ", node %zu: %u", i, h->tpb_per_node[i]);
    page_fact(out, "cores", "%" PRIu32 " requested, %" PRIu32 " per logical core (vnc_size)%s",
              h->requested_tpb_count, h->vnc_size, b.s ? b.s : "");
    strbuf_free(&b);
}

static void header_text(const struct info *in, struct page *out)
{
    const struct neff_header *h = &in->start.header;
    bool md5 = h->pkg_version == NEFF_PKG_GZIP_MD5;
    char hash[2 * sizeof h->hash + 1], id[2 * sizeof h->uuid + 1];
    hash_hex(h->hash, md5 ? NEFF_MD5_BYTES : sizeof h->hash, hash);
    hash_hex(h->uuid, sizeof h->uuid, id);
    page_fact(out, "name", "%s", h->name[0] ? h->name : "(none)");
    page_fact(out, "version", "%" PRIu64 ".%" PRIu64 ", package %" PRIu64 " (%s)", h->version_major,
              h->version_minor, h->pkg_version,
              md5                                     ? "gzip tar, MD5"
              : h->pkg_version == NEFF_PKG_TAR_SHA256 ? "tar, SHA-256"
                                                      : "unknown");
    page_fact(out, "built by", "%s", h->build_version[0] ? h->build_version : "(unknown)");
    page_fact(out, "uuid", "%.8s-%.4s-%.4s-%.4s-%.12s", id, id + 8, id + 12, id + 16, id + 20);
    page_fact(out, "hash", "%s (%s)", hash, in->hash_checked ? "verified" : "not verified");
    cores_text(h, out);
    features_text(h, out);
}

/* Bytes of weights in all graphs; a member that two variables name counts twice. */
static struct info_vars weights(const struct info *in)
{
    struct info_vars sum = { 0, 0 };
    for (size_t i = 0; i < in->nprograms; i++) {
        struct info_vars v = info_count_vars(in->programs[i], VARK_BUFFER);
        sum.count += v.count;
        sum.bytes += v.bytes;
    }
    return sum;
}

static void container_text(const struct info *in, struct page *out)
{
    if (in->start.file_size)
        page_fact(out, "file", "%s", page_bytes(in->start.file_size).text);
    if (in->start.has_header)
        page_fact(out, "archive", "%s%s", page_bytes(in->start.header.data_size).text,
                  !in->neff                  ? ", could not be read"
                  : !in->start.gzip          ? ", not compressed"
                  : neff_is_stored(in->neff) ? ", gzip without compression"
                                             : ", gzip");
    if (!in->neff)
        return;
    uint64_t bytes = 0;
    for (size_t i = 0; i < neff_member_count(in->neff); i++)
        bytes += neff_member_at(in->neff, i)->size;
    page_fact(out, "members", "%zu, %s", neff_member_count(in->neff), page_bytes(bytes).text);
    struct info_vars w = weights(in);
    if (w.count)
        page_fact(out, "weights", "%zu, %s", w.count, page_bytes(w.bytes).text);
}

static void members_text(const struct info *in, struct page *out)
{
    struct table t;
    page_heading(out, "members", "%zu, in archive order", neff_member_count(in->neff));
    TABLE_BEGIN(&t, out, ">bytes", "name");
    for (size_t i = 0; i < neff_member_count(in->neff); i++) {
        const struct neff_member *m = neff_member_at(in->neff, i);
        table_cell(&t, "%zu", m->size);
        table_cell(&t, "%s", m->name);
    }
    table_end(&t);
}

static void io_rows(struct table *t, const char *what, const struct prog_io *io, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct strbuf type = { 0 };
        info_type(&type, io[i].dtype, io[i].shape, io[i].ndim);
        table_cell(t, "%s", what);
        table_cell(t, "%" PRIu64, io[i].size);
        table_cell(t, "%s", type.s ? type.s : "");
        table_cell(t, "%s", io[i].name);
        strbuf_free(&type);
    }
}

static void io_text(const struct program *p, struct page *out)
{
    struct table t;
    page_heading(out, "inputs and outputs", "of the model, from neff.json");
    TABLE_BEGIN(&t, out, "", ">bytes", "type", "name");
    io_rows(&t, "input", p->inputs, p->ninputs);
    io_rows(&t, "output", p->outputs, p->noutputs);
    table_end(&t);
}

#define FINDINGS_SHOWN 10

static void findings_text(const struct info *in, bool problems, struct page *out)
{
    const struct findings *f = &in->findings;
    size_t all = problems ? findings_count(f, FINDING_RULE) + findings_count(f, FINDING_INPUT)
                          : findings_count(f, FINDING_WARNING);
    size_t shown = 0;
    if (!all)
        return;
    page_heading(out, problems ? "problems" : "warnings",
                 problems ? "what is shown may lack a part; neffsim check %s tells more" : "%s",
                 problems ? in->path : "");
    for (size_t i = 0; i < f->count && (out->all || shown < FINDINGS_SHOWN); i++) {
        const struct finding *x = &f->list[i];
        struct strbuf b = { 0 };
        if ((x->level >= FINDING_RULE) != problems || x->level < FINDING_WARNING)
            continue;
        strbuf_printf(&b, "%s%s%s%s%s", x->member, x->member[0] && x->place[0] ? " " : "", x->place,
                      x->member[0] || x->place[0] ? ": " : "", x->text);
        page_put(out, problems ? PAGE_RED : PAGE_YELLOW, "  %c ", problems ? '!' : '-');
        page_flow(out, 4, b.s ? b.s : "");
        page_end_line(out);
        strbuf_free(&b);
        shown++;
    }
    if (shown < all) {
        page_put(out, PAGE_DIM, "  ... %zu more (%s)", all - shown, out->all ? "neffsim check" : "--all");
        page_end_line(out);
    }
}

void info_text(const struct info *in, struct page *out)
{
    page_heading(out, "NEFF", "%s", in->path);
    if (in->start.has_header)
        header_text(in, out);
    container_text(in, out);
    findings_text(in, true, out);
    if (in->neff)
        members_text(in, out);
    if (in->nprograms)
        io_text(in->programs[0], out);
    for (size_t i = 0; i < in->nprograms; i++)
        if (info_shows(in, in->programs[i]))
            info_graph_text(in->programs[i], out);
    if (in->meta)
        info_meta_text(in, out);
    findings_text(in, false, out);
}
