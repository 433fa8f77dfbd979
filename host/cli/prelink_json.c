/* neffsim prelink --json: one document, also of a failure (q7-prelink.md §1.1). Addresses are integers. */
#include <stdlib.h>

#include "cli/prelink.h"
#include "util/hash.h"
#include "util/json_write.h"

static void result(const struct prelink_report *r, struct json_out *j)
{
    json_field_i64(j, "status", r->err.status);
    json_field_string(j, "label", r->err.label);
    json_field_string(j, "message", r->err.message);
    json_field_string(j, "where", r->err.where);
    json_field_string(j, "detail", r->err.detail);
    json_field_u64(j, "ll_create", (uint64_t)r->err.create_code);
    json_field_u64(j, "exit", (uint64_t)q7_exit_code(r->err.status));
    json_field_string(j, "file", r->file);
    json_field_string(j, "output", r->output);
    json_field_string(j, "arch", r->arch);
}

static void window(struct json_out *j, const char *key, const struct q7_window *w)
{
    json_field_open(j, key, '{');
    json_field_u64(j, "base", w->base);
    json_field_u64(j, "size", w->size);
    json_close(j, '}');
}

static void segments(const struct prelink_report *r, struct json_out *j)
{
    static const char *const roles[] = { "code", "data", "scratch", "dynamic" };
    const uint32_t dst[] = { r->img.dyn.dst_code, r->img.dyn.dst_data };
    json_field_open(j, "segments", '[');
    for (unsigned i = 0; i < Q7_SEGMENTS; i++) {
        const struct q7_segment *s = &r->img.segment[i];
        if (s->type == 0)
            continue;
        json_open(j, '{');
        json_field_string(j, "role", roles[i]);
        json_field_u64(j, "offset", s->offset);
        json_field_u64(j, "vaddr", s->vaddr);
        json_field_u64(j, "filesz", s->filesz);
        json_field_u64(j, "memsz", s->memsz);
        json_field_u64(j, "flags", s->flags);
        json_field_u64(j, "align", s->align);
        if (i <= Q7_SEG_DATA)
            json_field_u64(j, "staged", dst[i]);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void record(const struct q7_dyninfo *d, struct json_out *j)
{
    json_field_open(j, "dynamic", '{');
    json_field_u64(j, "dst_code", d->dst_code);
    json_field_u64(j, "src_code", d->src_code);
    json_field_u64(j, "dst_data", d->dst_data);
    json_field_u64(j, "src_data", d->src_data);
    json_field_u64(j, "start_sym", d->start_sym);
    json_field_u64(j, "text_addr", d->text_addr);
    json_field_u64(j, "init", d->init);
    json_field_u64(j, "fini", d->fini);
    json_field_u64(j, "rela", d->rela);
    json_field_u64(j, "rela_count", d->rela_count);
    json_field_u64(j, "hash", d->hash);
    json_field_u64(j, "symtab", d->symtab);
    json_field_u64(j, "strtab", d->strtab);
    json_field_u64(j, "align", d->align);
    json_field_bool(j, "split_flag", d->split);
    json_close(j, '}');
}

static void relocation(const struct prelink_report *r, const struct q7_reloc *e, struct json_out *j)
{
    char text[160];
    json_open(j, '{');
    json_field_u64(j, "index", e->index);
    json_field_u64(j, "type", e->type);
    json_field_string(j, "name", prelink_type(e->type, text, sizeof text));
    if (e->type != Q7_REL_NONE) {
        json_field_u64(j, "site", e->offset);
        json_field_u64(j, "staged", e->staged);
        json_field_string(j, "window", e->in_data ? "data" : "code");
        json_field_u64(j, "addend", e->addend);
        json_field_u64(j, "before", e->before);
        json_field_u64(j, "after", e->after);
        json_field_string(j, "symbol", prelink_symbol(r, e->offset, text, sizeof text));
        json_field_u64(j, "target", prelink_target(e));
        json_field_string(j, "target_symbol", prelink_symbol(r, prelink_target(e), text, sizeof text));
    }
    json_close(j, '}');
}

static void relocations(const struct prelink_report *r, struct json_out *j)
{
    json_field_open(j, "relocation_counts", '{');
    json_field_u64(j, "none", r->img.relocs_none);
    json_field_u64(j, "relative", r->img.relocs_relative);
    json_field_u64(j, "slot_op", r->img.relocs_op);
    json_field_u64(j, "slot_alt", r->img.relocs_alt);
    json_close(j, '}');
    json_field_open(j, "relocations", '[');
    for (size_t i = 0; i < r->nrelocs; i++)
        relocation(r, &r->relocs[i], j);
    json_close(j, ']');
}

static void kernels(const struct q7_image *img, struct json_out *j)
{
    char name[80];
    json_field_open(j, "kernel_info_table", '{');
    json_field_string(j, "source", prelink_source(img->table_source));
    json_field_u64(j, "vaddr", img->table_link);
    json_field_u64(j, "staged", img->table_source ? q7_reloc_addr(&img->dyn, img->table_link) : 0);
    json_field_open(j, "rows", '[');
    for (size_t i = 0; i < img->nrows; i++) {
        const struct q7_row *k = &img->rows[i];
        json_open(j, '{');
        json_field_u64(j, "row", i);
        json_field_u64(j, "key", k->key);
        json_field_u64(j, "opcode", k->opcode);
        json_field_u64(j, "spec", k->spec);
        json_field_string(j, "kernel", prelink_kernel(k, name, sizeof name));
        json_field_u64(j, "func_link", k->func_link);
        json_field_u64(j, "func_staged", k->func_staged);
        json_field_u64(j, "entry_frame", k->frame);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_close(j, '}');
}

static void digest(const struct q7_image *img, struct json_out *j)
{
    uint8_t sum[HASH_SHA256_BYTES], *bytes = malloc(img->size);
    char hex[2 * HASH_SHA256_BYTES + 1];
    struct nerr err;
    if (bytes)
        q7_image_write(img, bytes);
    if (bytes && hash_sha256(bytes, img->size, sum, &err) == 0)
        json_field_string(j, "sha256", hash_hex(sum, sizeof sum, hex));
    free(bytes);
}

static void staged(const struct prelink_report *r, struct json_out *j)
{
    const struct q7_ucpl *u = &r->img.ucpl;
    json_field_open(j, "image", '{');
    json_field_u64(j, "size", r->img.size);
    json_field_u64(j, "code_off", UCPL_SIZE);
    json_field_u64(j, "code_seg_len", u->code_len);
    json_field_u64(j, "data_seg_off", u->data_off);
    json_field_u64(j, "data_seg_len", u->data_len);
    json_field_u64(j, "init_fn", u->init);
    json_field_u64(j, "fini_fn", u->fini);
    json_field_u64(j, "start_sym", u->start);
    digest(&r->img, j);
    json_close(j, '}');
    json_field_open(j, "install", '[');
    for (unsigned i = 0; i < Q7_CORES && r->arch_id != ARCH_SUNDA; i++) {
        json_open(j, '{');
        json_field_u64(j, "core", i);
        json_field_u64(j, "code", Q7_CORE0 + i * (uint64_t)Q7_CORE_STRIDE + r->opt.code.base);
        json_field_u64(j, "data", Q7_CORE0 + i * (uint64_t)Q7_CORE_STRIDE + r->opt.data.base);
        json_close(j, '}');
    }
    json_close(j, ']');
}

void prelink_json(const struct prelink_report *r, struct strbuf *out)
{
    struct json_out j = { .b = out };
    json_open(&j, '{');
    result(r, &j);
    json_field_open(&j, "windows", '{');
    window(&j, "code", &r->opt.code);
    window(&j, "data", &r->opt.data);
    json_close(&j, '}');
    json_field_open(&j, "warnings", '[');
    for (size_t i = 0; i < r->nwarnings; i++)
        json_put_string(&j, r->warnings[i]);
    json_close(&j, ']');
    if (r->err.status == Q7_ST_OK) {
        segments(r, &j);
        record(&r->img.dyn, &j);
        relocations(r, &j);
        kernels(&r->img, &j);
        staged(r, &j);
    }
    json_close(&j, '}');
}
