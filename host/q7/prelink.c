/*
 * The prelinker as a whole: the steps of q7-prelink.md §1 in their order, the segment copy (§7), the header
 * (§12) and the size gate (§13).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "q7/private.h"

#define WINDOW_MAX 0x40000000u /* keeps every sum of extents below 2^32 */

static uint32_t round_up(uint32_t n, uint32_t align)
{
    return (n + align - 1) & ~(align - 1);
}

/* place() of relocate.c relies on windows that neither wrap nor overlap, the header on whole words. */
static int check_options(const struct q7_options *o, struct q7_error *err)
{
    const struct q7_window *w[2] = { &o->code, &o->data };
    uint64_t code_end = (uint64_t)o->code.base + o->code.size,
             data_end = (uint64_t)o->data.base + o->data.size;
    for (unsigned i = 0; i < 2; i++)
        if (w[i]->size > WINDOW_MAX || w[i]->size % UCPL_LEN_ALIGN ||
            (uint64_t)w[i]->base + w[i]->size > UINT64_C(1) << 32)
            return q7_fail(
                err, Q7_USAGE, "options", NULL,
                "the %s window, 0x%x bytes at 0x%x, leaves the 32-bit address space or has a bad size",
                i ? "data" : "code", w[i]->size, w[i]->base);
    if (o->code.base < data_end && o->data.base < code_end)
        return q7_fail(err, Q7_USAGE, "options", NULL,
                       "the code window 0x%x + 0x%x and the data window 0x%x + 0x%x overlap", o->code.base,
                       o->code.size, o->data.base, o->data.size);
    return 0;
}

/* Step 4: dst = align_ptr(window base) + misalignment of the link address. 64 bits: the sum may pass 2^32. */
static uint64_t destination(uint32_t base, uint32_t src, uint32_t align)
{
    return (((uint64_t)base + align - 1) & ~(uint64_t)(align - 1)) + (src & (align - 1));
}

/* How many bytes of the segment lie behind the staged length of the reference, which counts from the window
 * base. */
static uint64_t dropped(uint64_t shift, uint32_t memsz)
{
    uint64_t end = shift + memsz, staged = round_up(memsz, UCPL_LEN_ALIGN);
    uint64_t behind = end > staged ? end - staged : 0;
    return behind < memsz ? behind : memsz;
}

/* Step 6 for one segment: poison, file bytes, zeros, poison. *staged: bytes of the buffer that are staged. */
static int load_segment(const struct q7_file *f, const struct q7_options *opt, unsigned role, uint64_t dst,
                        uint8_t **buffer, uint32_t *staged, struct q7_error *err)
{
    const struct q7_segment *s = &f->segment[role];
    const struct q7_window *w = role == Q7_SEG_CODE ? &opt->code : &opt->data;
    const char *where = role == Q7_SEG_CODE ? "segment code" : "segment data";
    uint64_t shift = dst - w->base;
    if (shift + s->memsz > w->size)
        return q7_fail(err, Q7_ST_TOO_BIG, where, Q7_SAYS_TOO_BIG,
                       "0x%x bytes at offset 0x%llx do not fit the window of 0x%x bytes at 0x%x", s->memsz,
                       (unsigned long long)shift, w->size, w->base);
    if (shift && !opt->allow_misaligned) {
        char message[128];
        snprintf(message, sizeof message,
                 Q7_SAYS_TOO_BIG " (the reference would have dropped the last %llu bytes)",
                 (unsigned long long)dropped(shift, s->memsz));
        return q7_fail(
            err, Q7_ST_TOO_BIG, where, message,
            "the destination is 0x%llx bytes above the window base (link address 0x%x, alignment 0x%x)",
            (unsigned long long)shift, s->vaddr, f->align);
    }
    uint8_t *b = malloc(w->size ? w->size : 1);
    if (!b)
        return q7_fail(err, Q7_MEMORY, where, NULL, "no memory for a window of 0x%x bytes", w->size);
    uint32_t at = (uint32_t)shift, end = at + s->memsz;
    memset(b, Q7_POISON, at);
    memcpy(b + at, f->bytes + s->offset, s->filesz);
    memset(b + at + s->filesz, 0, s->memsz - s->filesz);
    memset(b + end, Q7_POISON, w->size - end);
    *buffer = b;
    *staged = round_up(end, UCPL_LEN_ALIGN);
    return 0;
}

static uint32_t rebased(bool present, uint32_t va, uint32_t delta)
{
    return present ? va + delta : 0;
}

/* The record of §4 with the two destinations of step 4. */
static void fill_record(const struct q7_file *f, uint32_t dst_code, uint32_t dst_data, struct q7_dyninfo *d)
{
    uint32_t src_code = f->segment[Q7_SEG_CODE].vaddr, src_data = f->segment[Q7_SEG_DATA].vaddr;
    /* §8: not the code delta of reloc_addr when the link address is misaligned. */
    uint32_t code_delta = dst_code - (src_code + (src_code & (f->align - 1)));
    uint32_t data_delta = dst_data - src_data;
    *d = (struct q7_dyninfo){
        .dst_code = dst_code,
        .src_code = src_code,
        .dst_data = dst_data,
        .src_data = src_data,
        .start_sym = f->entry + code_delta,
        .text_addr = f->text_addr,
        .init = rebased(f->has_init, f->init, code_delta),
        .fini = rebased(f->has_fini, f->fini, code_delta),
        .rela = (uint32_t)f->rela_at,
        .rela_count = f->rela_count,
        .hash = rebased(f->has_hash, f->hash, data_delta),
        .symtab = rebased(f->has_symtab, f->symtab, data_delta),
        .strtab = rebased(f->has_strtab, f->strtab, data_delta),
        .align = f->align,
        .split = f->split,
    };
}

/* Step 8. */
static void make_header(const struct q7_file *f, const struct q7_options *opt, uint32_t code_len,
                        uint32_t data_len, struct q7_image *out)
{
    struct q7_ucpl *u = &out->ucpl;
    u->code_len = code_len;
    u->data_off = UCPL_SIZE + round_up(code_len, UCPL_DATA_ALIGN);
    u->data_len = data_len;
    u->init = opt->raw_initfini ? f->init : out->dyn.init;
    u->fini = opt->raw_initfini ? f->fini : out->dyn.fini;
    u->start = out->dyn.start_sym;
    if (u->start == 0)
        q7_warn(opt, "file offset 0x18", "the start symbol is at address 0, which the device refuses");
    q7_ucpl_encode(u, out->header);
    out->size = (uint64_t)u->data_off + u->data_len;
}

/* Step 9: the only check after the writes. */
static int check_size(const struct q7_options *opt, const struct q7_image *out, struct q7_error *err)
{
    if (!opt->image_max || out->size <= opt->image_max)
        return 0;
    q7_fail(err, Q7_ST_NOT_SPLIT, "image",
            "Prelinked library would be larger than the available buffer on device",
            "the staged image has 0x%llx bytes, at most 0x%llx are allowed", (unsigned long long)out->size,
            (unsigned long long)opt->image_max);
    err->label = "image too large";
    err->create_code = Q7_CREATE_TOO_LARGE;
    return err->status;
}

static int prelink(struct q7_file *f, const struct q7_options *opt, struct q7_image *out,
                   struct q7_error *err)
{
    uint32_t code_len = 0, data_len = 0;
    int rc = q7_read_headers(f, opt, err);
    if (rc == 0)
        rc = q7_read_dynamic(f, err);
    if (rc)
        return rc;
    uint64_t dst_code = destination(opt->code.base, f->segment[Q7_SEG_CODE].vaddr, f->align);
    uint64_t dst_data = destination(opt->data.base, f->segment[Q7_SEG_DATA].vaddr, f->align);
    memcpy(out->segment, f->segment, sizeof out->segment);
    out->code_window = opt->code;
    out->data_window = opt->data;
    fill_record(f, (uint32_t)dst_code, (uint32_t)dst_data, &out->dyn);
    rc = load_segment(f, opt, Q7_SEG_CODE, dst_code, &out->code, &code_len, err);
    if (rc == 0)
        rc = load_segment(f, opt, Q7_SEG_DATA, dst_data, &out->data, &data_len, err);
    if (rc == 0)
        rc = q7_relocate(f, opt, out, err);
    if (rc)
        return rc;
    make_header(f, opt, code_len, data_len, out);
    rc = q7_read_table(f, opt, out, err);
    return rc ? rc : check_size(opt, out, err);
}

int q7_prelink(const void *elf, size_t len, const struct q7_options *opt, struct q7_image *out,
               struct q7_error *err)
{
    struct q7_file f = { .bytes = elf, .len = len };
    *err = (struct q7_error){ .label = q7_status_label(Q7_ST_OK) };
    if (!elf || !opt || !out)
        return q7_fail(err, Q7_USAGE, "options", NULL, "invalid API usage: a NULL argument");
    *out = (struct q7_image){ 0 };
    int rc = check_options(opt, err);
    if (rc == 0)
        rc = prelink(&f, opt, out, err);
    if (rc)
        q7_image_free(out);
    return rc;
}

void q7_image_free(struct q7_image *img)
{
    free(img->code);
    free(img->data);
    free(img->rows);
    *img = (struct q7_image){ 0 };
}
