/* neffsim prelink --map: segments, relocations, kernel table, the dynamic-info record and all addresses. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/prelink.h"
#include "isa/isa.h"

#define SYMBOL_MAX 80

const char *prelink_kernel(const struct q7_row *row, char *buf, size_t size)
{
    const char *name = isa_opcode_name(row->opcode);
    if (!name)
        snprintf(buf, size, "opcode 0x%02x", row->opcode);
    else if (row->opcode == OP_EXTENDED_INST)
        snprintf(buf, size, "%s %u", name, row->spec);
    else
        snprintf(buf, size, "%s", name);
    return buf;
}

const char *prelink_type(uint32_t type, char *buf, size_t size)
{
    if (type == Q7_REL_NONE)
        snprintf(buf, size, "none");
    else if (type == Q7_REL_RELATIVE)
        snprintf(buf, size, "relative");
    else if (type >= Q7_REL_SLOT_ALT)
        snprintf(buf, size, "slot %u alt", type - Q7_REL_SLOT_ALT);
    else
        snprintf(buf, size, "slot %u op", type - Q7_REL_SLOT_OP);
    return buf;
}

uint32_t prelink_target(const struct q7_reloc *r)
{
    return r->type == Q7_REL_RELATIVE ? r->before + r->addend : r->addend;
}

const char *prelink_source(enum q7_table_source s)
{
    return s == Q7_TABLE_SECTION ? "section" : s == Q7_TABLE_CONSTANTS ? "constants" : "none";
}

/* Code has no symbols but these: the kernels, the entry, init and fini. Distance to the closest one at or
 * below va; UINT32_MAX when there is none. */
static uint32_t code_symbol(const struct prelink_report *r, uint32_t va, char *name, size_t size)
{
    const struct q7_dyninfo *d = &r->img.dyn;
    const uint32_t delta = d->src_code - d->dst_code;
    const uint32_t at[] = { d->start_sym, d->init, d->fini };
    static const char *const names[] = { "start", "init", "fini" };
    char kernel[SYMBOL_MAX];
    uint32_t best = UINT32_MAX;
    size_t row = r->img.nrows;
    for (size_t i = 0; i < r->img.nrows; i++)
        if (va - r->img.rows[i].func_link < best) {
            best = va - r->img.rows[i].func_link;
            row = i;
        }
    if (row < r->img.nrows)
        snprintf(name, size, "row %zu %s", row, prelink_kernel(&r->img.rows[row], kernel, sizeof kernel));
    for (unsigned i = 0; i < 3; i++)
        if (at[i] && va - (at[i] + delta) < best) {
            best = va - (at[i] + delta);
            snprintf(name, size, "%s", names[i]);
        }
    return best;
}

static bool within(const struct q7_segment *s, uint32_t va)
{
    return va >= s->vaddr && va - s->vaddr < s->memsz;
}

const char *prelink_symbol(const struct prelink_report *r, uint32_t va, char *buf, size_t size)
{
    char name[SYMBOL_MAX];
    uint32_t off, table = va - r->img.table_link;
    const struct q7_segment *code = &r->img.segment[Q7_SEG_CODE], *data = &r->img.segment[Q7_SEG_DATA];
    if (r->img.nrows && table / KROW_SIZE < r->img.nrows && table % KROW_SIZE == KROW_FUNC_OFF) {
        snprintf(buf, size, "row %u funcVA", table / KROW_SIZE);
        return buf;
    }
    if (within(code, va) && (off = code_symbol(r, va, name, sizeof name)) <= va - code->vaddr)
        snprintf(buf, size, off ? "%s+0x%x" : "%s", name, off);
    else if (q7_section_name(r->elf, r->len, va, name, sizeof name, &off))
        snprintf(buf, size, off ? "%s+0x%x" : "%s", name, off);
    else if (within(code, va))
        snprintf(buf, size, "code+0x%x", va - code->vaddr);
    else if (within(data, va))
        snprintf(buf, size, "data+0x%x", va - data->vaddr);
    else
        snprintf(buf, size, "0x%08x", va);
    return buf;
}

static void segments(const struct prelink_report *r, struct strbuf *b)
{
    static const char *const roles[] = { "code", "data", "scratch", "dynamic" };
    const uint32_t dst[] = { r->img.dyn.dst_code, r->img.dyn.dst_data };
    strbuf_puts(b,
                "\nsegments\n  role     file off   link VA     filesz      memsz       flags  core-local\n");
    for (unsigned i = 0; i < Q7_SEGMENTS; i++) {
        const struct q7_segment *s = &r->img.segment[i];
        if (s->type == 0)
            continue;
        strbuf_printf(b, "  %-8s 0x%-8x 0x%08x  0x%-8x  0x%-8x  %c%c%c    ", roles[i], s->offset, s->vaddr,
                      s->filesz, s->memsz, s->flags & 4 ? 'R' : '-', s->flags & 2 ? 'W' : '-',
                      s->flags & 1 ? 'X' : '-');
        if (i > Q7_SEG_DATA)
            strbuf_puts(b, "not staged\n");
        else
            strbuf_printf(b, "0x%x..0x%" PRIx64 "\n", dst[i], (uint64_t)dst[i] + s->memsz);
    }
    strbuf_printf(b, "  windows: code 0x%x + 0x%x, data 0x%x + 0x%x; alignment 0x%x\n", r->opt.code.base,
                  r->opt.code.size, r->opt.data.base, r->opt.data.size, r->img.dyn.align);
}

static void record(const struct q7_dyninfo *d, struct strbuf *b)
{
    strbuf_printf(b,
                  "\ndynamic info\n"
                  "  dst_code 0x%08x  src_code 0x%08x  dst_data 0x%08x  src_data 0x%08x\n"
                  "  start    0x%08x  init     0x%08x  fini     0x%08x  text     0x%08x\n"
                  "  hash     0x%08x  symtab   0x%08x  strtab   0x%08x  align    0x%x\n"
                  "  rela     file offset 0x%x, %u entries  split %s\n",
                  d->dst_code, d->src_code, d->dst_data, d->src_data, d->start_sym, d->init, d->fini,
                  d->text_addr, d->hash, d->symtab, d->strtab, d->align, d->rela, d->rela_count,
                  d->split ? "yes" : "no");
}

static void relocation(const struct prelink_report *r, const struct q7_reloc *e, struct strbuf *b)
{
    char type[24], site[2 * SYMBOL_MAX], target[2 * SYMBOL_MAX];
    int digits = e->type == Q7_REL_RELATIVE ? 8 : 4;
    prelink_type(e->type, type, sizeof type);
    if (e->type == Q7_REL_NONE) {
        strbuf_printf(b, "  %5u  %s\n", e->index, type);
        return;
    }
    strbuf_printf(b, "  %5u  %-11s 0x%08x  0x%06x  %*s%0*x -> %0*x%*s  %s = &%s", e->index, type, e->offset,
                  e->staged, 8 - digits, "", digits, e->before, digits, e->after, 8 - digits, "",
                  prelink_symbol(r, e->offset, site, sizeof site),
                  prelink_symbol(r, prelink_target(e), target, sizeof target));
    if (e->type == Q7_REL_RELATIVE && e->addend)
        strbuf_printf(b, " (addend 0x%x)", e->addend);
    strbuf_puts(b, "\n");
}

static void relocations(const struct prelink_report *r, struct strbuf *b)
{
    strbuf_printf(b, "\nrelocations: %u (none %zu, relative %zu, slot op %zu, slot alt %zu)\n",
                  r->img.dyn.rela_count, r->img.relocs_none, r->img.relocs_relative, r->img.relocs_op,
                  r->img.relocs_alt);
    if (r->nrelocs)
        strbuf_puts(b, "  index  type        site        staged      before -> after     meaning\n");
    for (size_t i = 0; i < r->nrelocs; i++)
        relocation(r, &r->relocs[i], b);
    if (r->nrelocs < r->img.dyn.rela_count)
        strbuf_printf(b, "  and %zu more\n", r->img.dyn.rela_count - r->nrelocs);
}

static void kernels(const struct prelink_report *r, struct strbuf *b)
{
    const struct q7_image *img = &r->img;
    if (img->table_source == Q7_TABLE_NONE) {
        strbuf_puts(b, "\nkernel_info_table: none\n");
        return;
    }
    strbuf_printf(
        b, "\nkernel_info_table: %zu rows at 0x%08x, staged 0x%x, found by %s, scanned in this order\n",
        img->nrows, img->table_link, q7_reloc_addr(&img->dyn, img->table_link),
        img->table_source == Q7_TABLE_SECTION ? "section name" : "CONST16 constants");
    if (img->nrows)
        strbuf_puts(b, "  row  key       opcode  spec  funcVA      -> staged    entry  kernel\n");
    for (size_t i = 0; i < img->nrows; i++) {
        const struct q7_row *k = &img->rows[i];
        char name[SYMBOL_MAX];
        strbuf_printf(b, "  %3zu  %08X  0x%02x    %3u   0x%08x  -> 0x%06x  ", i, k->key, k->opcode, k->spec,
                      k->func_link, k->func_staged);
        if (k->frame)
            strbuf_printf(b, "%5u", k->frame);
        else
            strbuf_puts(b, "    -");
        strbuf_printf(b, "  %s\n", prelink_kernel(k, name, sizeof name));
    }
}

static void addresses(const struct prelink_report *r, struct strbuf *b)
{
    const struct q7_ucpl *u = &r->img.ucpl;
    strbuf_printf(b,
                  "\nstaged image: 0x%" PRIx64 " bytes in three writes\n"
                  "  header 0x0 + 0x%x, code 0x%x + 0x%x, data 0x%x + 0x%x\n"
                  "  init 0x%x, fini 0x%x, start 0x%x\n",
                  r->img.size, UCPL_SIZE, UCPL_SIZE, u->code_len, u->data_off, u->data_len, u->init, u->fini,
                  u->start);
    if (r->arch_id == ARCH_SUNDA)
        return; /* never prelinked by the reference: no addresses are known */
    strbuf_puts(b, "\ninstalled at, TPB_0 (data first)\n  core  code           data\n");
    for (unsigned i = 0; i < Q7_CORES; i++)
        strbuf_printf(b, "  %4u  0x%010" PRIx64 "   0x%010" PRIx64 "\n", i,
                      Q7_CORE0 + i * (uint64_t)Q7_CORE_STRIDE + r->opt.code.base,
                      Q7_CORE0 + i * (uint64_t)Q7_CORE_STRIDE + r->opt.data.base);
}

void prelink_map(const struct prelink_report *r, struct strbuf *out)
{
    strbuf_printf(out, "%s: %zu bytes, prelinked for %s\n", r->file, r->len, r->arch);
    segments(r, out);
    record(&r->img.dyn, out);
    relocations(r, out);
    kernels(r, out);
    addresses(r, out);
}
