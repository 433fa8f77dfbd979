/*
 * An ELF file -> UCPL image. The padding of e_ident, which readers ignore (q7-prelink.md §2), steers the run:
 * byte 8 says what is put right in the file before, so that inputs get past the headers (FIX_*), byte 9 holds
 * the options, bytes 10 and 11 move the windows.
 *
 * An accepted file is relocated once more by the two-word method of §9.1 in buffers of this harness, and both
 * results must be equal.
 */
#include <elf.h>
#include <stddef.h>

#include "frame.h"
#include "q7/q7.h"

enum { FIX_HEADER = 1, FIX_SEGMENTS = 2, FIX_DYNAMIC = 4, FIX_SITES = 8, NO_SECTIONS = 16, NO_SCRATCH = 32 };
enum { OPT_ARCH = 3, OPT_RAW = 4, OPT_PERMISSIVE = 8, OPT_MISALIGNED = 16, OPT_MOVE = 32 };
enum { PHDRS = 0x34, STEER = 8, OPTIONS = 9, MOVE = 10 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint8_t code_copy[Q7_SUNDA_CODE_BYTES], data_copy[Q7_SUNDA_DATA_BYTES];

static void fix_header(uint8_t *f, unsigned steer)
{
    memcpy(f, ELFMAG "\1\1\1", 7);
    put_le16(f + offsetof(Elf32_Ehdr, e_type), ET_EXEC);
    put_le16(f + offsetof(Elf32_Ehdr, e_machine), EM_XTENSA);
    put_le32(f + offsetof(Elf32_Ehdr, e_version), 1);
    put_le32(f + offsetof(Elf32_Ehdr, e_phoff), PHDRS);
    put_le16(f + offsetof(Elf32_Ehdr, e_ehsize), 52);
    put_le16(f + offsetof(Elf32_Ehdr, e_phentsize), 32);
    put_le16(f + offsetof(Elf32_Ehdr, e_phnum), steer & NO_SCRATCH ? 3 : 4);
    put_le16(f + offsetof(Elf32_Ehdr, e_shentsize), 40);
    if (steer & NO_SECTIONS) {
        put_le32(f + offsetof(Elf32_Ehdr, e_shoff), 0);
        put_le16(f + offsetof(Elf32_Ehdr, e_shnum), 0);
    }
}

static void fix_segment(uint8_t *p, size_t size, uint32_t type, uint32_t flags)
{
    uint32_t offset = get_le32(p + 4) % (uint32_t)size;
    uint32_t filesz = get_le32(p + 16) % ((uint32_t)size - offset + 1), memsz = get_le32(p + 20);
    put_le32(p, type);
    put_le32(p + 4, offset);
    memcpy(p + 12, p + 8, 4);
    put_le32(p + 16, filesz);
    put_le32(p + 20, filesz + memsz % 64);
    put_le32(p + 24, flags);
    put_le32(p + 28, get_le32(p + 28) & 0x80);
}

static void fix_segments(uint8_t *f, size_t size, unsigned steer)
{
    uint8_t *p = f + PHDRS;
    fix_segment(p, size, PT_LOAD, 5);
    fix_segment(p + 32, size, PT_LOAD, 7);
    if ((steer & NO_SCRATCH) == 0)
        fix_segment(p + 64, size, PT_LOAD, 3);
    fix_segment(p + (steer & NO_SCRATCH ? 64 : 96), size, PT_DYNAMIC, 6);
    if (get_le32(p + 8) > get_le32(p + 40)) { /* code below data */
        put_le32(p + 8, 0x01000000);
        put_le32(p + 12, 0x01000000);
        put_le32(p + 40, 0x02000000);
        put_le32(p + 44, 0x02000000);
    }
    put_le32(f + offsetof(Elf32_Ehdr, e_entry), get_le32(p + 8));
}

/* RELA, RELASZ and RELAENT at the head of the dynamic array, describing what the file has room for. */
static void fix_dynamic(uint8_t *f, size_t size, unsigned steer)
{
    uint8_t *home = f + PHDRS + (steer & NO_SCRATCH ? 32 : 64),
            *dynamic = f + PHDRS + (steer & NO_SCRATCH ? 64 : 96);
    size_t at = get_le32(dynamic + 4), room;
    uint32_t table = get_le32(home + 4) + get_le32(home + 16) / 2;
    if (at > size || size - at < 32 || table > size || at < PHDRS + 128)
        return;
    room = (size - table) / 12;
    const uint32_t words[] = { 7, get_le32(home + 8) + table - get_le32(home + 4), 8, (uint32_t)room * 12, 9,
                               12 };
    for (unsigned i = 0; i < 6; i++)
        put_le32(f + at + 4 * i, words[i]);
    put_le32(dynamic + 16, (uint32_t)(size - at));
    put_le32(dynamic + 20, (uint32_t)(size - at));
}

/* Sites in or near the segments, known types; entries that cover the headers are left alone. */
static void fix_sites(uint8_t *f, size_t size, unsigned steer)
{
    static const uint8_t types[8] = { 5, 5, 20, 35, 20, 35, 0, 21 };
    const uint8_t *p = f + PHDRS, *home = p + (steer & NO_SCRATCH ? 32 : 64);
    for (size_t at = get_le32(home + 4) + get_le32(home + 16) / 2; at + 12 <= size; at += 12) {
        const uint8_t *segment = p + (f[at + 3] & 1 ? 0 : 32);
        uint32_t memsz = get_le32(segment + 20);
        if (at < PHDRS + 128)
            continue;
        put_le32(f + at, get_le32(segment + 8) + (uint32_t)(get_le16(f + at) % (memsz + UINT64_C(1))));
        put_le32(f + at + 4, types[f[at + 4] & 7]);
    }
}

static uint8_t *placed(const struct q7_image *img, uint32_t addr)
{
    if (addr - img->data_window.base < img->data_window.size)
        return data_copy + (addr - img->data_window.base);
    DEMAND(addr - img->code_window.base < img->code_window.size);
    return code_copy + (addr - img->code_window.base);
}

/* §7 again. */
static void load_copy(const uint8_t *f, const struct q7_segment *s, uint32_t dst, const struct q7_window *w,
                      uint8_t *copy)
{
    memset(copy, 0xa5, w->size);
    memset(copy + (dst - w->base), 0, s->memsz);
    memcpy(copy + (dst - w->base), f + s->offset, s->filesz);
}

/* §9.1 with its keep masks. */
static void word_copy(const struct q7_image *img, uint32_t site, uint32_t addend)
{
    static const uint32_t keep_low[4] = { 0, 0xff, 0xffff, 0xffffff };
    unsigned m = site & 3;
    uint8_t *p = placed(img, site & ~3u);
    if (m == 0) {
        put_le32(p, q7_reloc_addr(&img->dyn, get_le32(p) + addend));
        return;
    }
    uint32_t lo = get_le32(p), hi = get_le32(p + 4);
    uint32_t old = (uint32_t)(((uint64_t)hi << 32 | lo) >> 8 * m),
             new = q7_reloc_addr(&img->dyn, old + addend);
    put_le32(p, (lo & keep_low[m]) | new << 8 * m);
    put_le32(p + 4, (hi & ~keep_low[m]) | new >> (32 - 8 * m));
}

static void relocate_copy(const uint8_t *f, const struct q7_image *img)
{
    const uint8_t *e = f + img->dyn.rela;
    for (uint32_t i = 0; i < img->dyn.rela_count; i++, e += 12) {
        uint32_t site = q7_reloc_addr(&img->dyn, get_le32(e)), type = get_le32(e + 4),
                 addend = get_le32(e + 8);
        if (type == 0)
            continue;
        if (type == 5) {
            word_copy(img, site, addend);
            continue;
        }
        uint32_t value = q7_reloc_addr(&img->dyn, addend) >> (type >= 35 ? 16 : 0);
        uint8_t *p = placed(img, site);
        p[1] = (uint8_t)value;
        p[2] = (uint8_t)(value >> 8);
    }
}

static void check_image(const uint8_t *f, const struct q7_options *opt, const struct q7_image *img)
{
    struct q7_ucpl u;
    struct nerr err;
    uint8_t *bytes = malloc(img->size);
    if (!bytes)
        return;
    q7_image_write(img, bytes);
    int rc = q7_ucpl_decode(bytes, img->size, &u, &err);
    DEMAND(rc == 0 || img->ucpl.start == 0);
    DEMAND(memcmp(&u, &img->ucpl, sizeof u) == 0);
    load_copy(f, &img->segment[Q7_SEG_CODE], img->dyn.dst_code, &opt->code, code_copy);
    load_copy(f, &img->segment[Q7_SEG_DATA], img->dyn.dst_data, &opt->data, data_copy);
    relocate_copy(f, img);
    DEMAND(memcmp(code_copy, img->code, opt->code.size) == 0);
    DEMAND(memcmp(data_copy, img->data, opt->data.size) == 0);
    DEMAND(memcmp(bytes + u.data_off, data_copy, u.data_len) == 0);
    for (size_t i = 0; i < img->nrows; i++)
        DEMAND(img->rows[i].func_staged - opt->code.base < opt->code.size);
    free(bytes);
}

/* Every byte of the code, from the start and from the end of an illegal word on. */
static void walk(const struct q7_image *img)
{
    struct q7_insn insn;
    for (size_t at = 0, before = 0; at < img->ucpl.code_len; at++, before = at)
        while (q7_insn_next(img->code, img->ucpl.code_len, &at, &insn)) {
            DEMAND(insn.offset == before && at == before + insn.length && insn.format[0]);
            before = at;
        }
}

static void count(void *ctx, const struct q7_reloc *r)
{
    size_t *n = ctx;
    DEMAND(r->index == *n);
    ++*n;
}

static void warn(void *ctx, const char *where, const char *text)
{
    (void)ctx;
    DEMAND(where[0] && text[0]);
}

static void run(const uint8_t *f, size_t size, unsigned bits, uint32_t move)
{
    static const unsigned archs[4] = { ARCH_CAYMAN, ARCH_SUNDA, ARCH_MARIANA, ARCH_CAYMAN };
    struct q7_options opt;
    struct q7_image img;
    struct q7_error err;
    size_t seen = 0;
    DEMAND(q7_options_for(archs[bits & OPT_ARCH], &opt));
    opt.raw_initfini = bits & OPT_RAW;
    opt.permissive = bits & OPT_PERMISSIVE;
    opt.allow_misaligned = bits & OPT_MISALIGNED;
    opt.reloc = count;
    opt.warn = warn;
    opt.ctx = &seen;
    if (bits & OPT_MOVE) {
        opt.code.base += (move & 0xff) << 24 | (move & 7);
        opt.data.base += (move >> 8) << 24 | (move >> 8 & 7);
    }
    int status = q7_prelink(f, size, &opt, &img, &err);
    DEMAND(status == err.status);
    if (status == 0) {
        char name[24];
        uint32_t off;
        DEMAND(seen == img.dyn.rela_count);
        DEMAND(seen == img.relocs_none + img.relocs_relative + img.relocs_op + img.relocs_alt);
        check_image(f, &opt, &img);
        walk(&img);
        DEMAND(q7_find_row(&img, OP_EXTENDED_INST, (uint8_t)bits) < (long)img.nrows);
        q7_section_name(f, size, img.table_link, name, sizeof name, &off);
        q7_image_free(&img);
        return;
    }
    DEMAND(err.message[0] && err.detail[0] && err.where[0] && err.label[0] != '?');
    DEMAND(status == Q7_USAGE || !img.code);
    DEMAND(!img.data && !img.rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *f = malloc(size ? size : 1);
    if (!f)
        return 0;
    memcpy(f, data, size);
    unsigned bits = size > OPTIONS ? f[OPTIONS] : 0;
    uint32_t move = size > MOVE + 1 ? get_le16(f + MOVE) : 0;
    if (size >= PHDRS + 128) {
        unsigned steer = f[STEER];
        if (steer & FIX_HEADER)
            fix_header(f, steer);
        if (steer & FIX_SEGMENTS)
            fix_segments(f, size, steer);
        if (steer & FIX_DYNAMIC)
            fix_dynamic(f, size, steer);
        if ((steer & FIX_SITES) && get_le32(f + PHDRS + 4) < size)
            fix_sites(f, size, steer);
    }
    run(f, size, bits, move);
    free(f);
    return 0;
}
