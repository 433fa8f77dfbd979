/*
 * kernel_info_table (q7-firmware.md §6): where it is, its rows before and after relocation, and the rules
 * that a row must keep. The table has no count and no terminator: its end comes from the section or from the
 * constants that the kernel code itself uses.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "q7/private.h"
#include "util/bytes.h"

#define SECTION "kernel_info_table"

/* A row of the file that could be one: zero field, function in the code segment. */
static bool plausible(const struct q7_file *f, uint32_t va)
{
    return (q7_data_word(f, va) & UINT16_MAX) == 0 &&
           q7_in_segment(&f->segment[Q7_SEG_CODE], q7_data_word(f, va + KROW_FUNC_OFF), 1);
}

static bool is_constant(uint32_t type)
{
    return type == Q7_REL_SLOT_OP || type == Q7_REL_SLOT_ALT;
}

/* The table ends where .globstruct begins with the READY word (§4): a CONST16 constant that points to one. */
static bool find_end(const struct q7_file *f, uint32_t *end)
{
    const struct q7_segment *data = &f->segment[Q7_SEG_DATA];
    for (uint32_t i = 0; i < f->rela_count; i++) {
        struct q7_rela e = q7_rela_at(f, i);
        *end = e.addend;
        if (is_constant(e.info) && q7_in_segment(data, e.addend, sizeof(uint32_t)) &&
            q7_data_word(f, e.addend) == Q7_READY)
            return true;
    }
    return false;
}

/* Without section names: the lowest constant below the end from which on every row is plausible. */
static bool find_by_constants(const struct q7_file *f, uint32_t *base, uint32_t *size)
{
    uint32_t end, first, start = f->segment[Q7_SEG_DATA].vaddr;
    if (!find_end(f, &end))
        return false;
    for (first = end; first - start >= KROW_SIZE && plausible(f, first - KROW_SIZE);)
        first -= KROW_SIZE;
    *base = end;
    for (uint32_t i = 0; i < f->rela_count; i++) {
        struct q7_rela e = q7_rela_at(f, i);
        if (is_constant(e.info) && e.addend >= first && e.addend < *base && (end - e.addend) % KROW_SIZE == 0)
            *base = e.addend;
    }
    *size = end - *base;
    return *size != 0;
}

/* Fills table_source, table_link and nrows. */
static int find_table(const struct q7_file *f, const struct q7_options *opt, struct q7_image *img,
                      struct q7_error *err)
{
    uint32_t size = 0;
    if (q7_find_section(f, SECTION, &img->table_link, &size))
        img->table_source = Q7_TABLE_SECTION;
    else if (find_by_constants(f, &img->table_link, &size))
        img->table_source = Q7_TABLE_CONSTANTS;
    else
        q7_warn(opt, SECTION, "the library has none: no kernel of it can be dispatched");
    if (size && !q7_in_segment(&f->segment[Q7_SEG_DATA], img->table_link, size))
        return q7_fail(err, Q7_ST_NOT_SPLIT, "section " SECTION, NULL,
                       "0x%x bytes at 0x%x are not inside the data LOAD", size, img->table_link);
    if (size % KROW_SIZE)
        q7_warn(opt, "section " SECTION, "the size 0x%x is no multiple of %u; the last bytes are no row",
                size, KROW_SIZE);
    img->nrows = size / KROW_SIZE;
    return 0;
}

/* Frame size of the ENTRY instruction at a staged address, 0 when there is none inside the segment. */
static uint32_t entry_frame(const struct q7_image *img, uint32_t va)
{
    uint32_t at = va - img->code_window.base;
    if (at >= img->code_window.size || img->code_window.size - at < 3 || img->code[at] != Q7_ENTRY_BYTE0)
        return 0;
    return ((uint32_t)get_le16(img->code + at + 1) >> 4) * Q7_ENTRY_UNIT;
}

static int bad_row(struct q7_error *err, size_t row, const char *what, uint32_t found, const char *allowed)
{
    char where[48];
    snprintf(where, sizeof where, SECTION " row %zu", row);
    return q7_fail(err, Q7_ST_NOT_SPLIT, where, NULL, "%s is 0x%x, must be %s", what, found, allowed);
}

/* Reads row i from its staged bytes and judges it. seen: one bit per (opcode, spec). */
static int read_row(const struct q7_file *f, const struct q7_options *opt, struct q7_image *img, size_t i,
                    uint8_t *seen, struct q7_error *err)
{
    char where[48];
    uint32_t va = img->table_link + (uint32_t)(i * KROW_SIZE);
    const uint8_t *p = img->data + (va - img->dyn.src_data + img->dyn.dst_data - img->data_window.base);
    struct q7_row *r = &img->rows[i];
    unsigned zero = get_le16(p + KROW_ZERO_OFF);
    r->spec = p[KROW_SPEC_OFF];
    r->opcode = p[KROW_OPCODE_OFF];
    r->key = (uint32_t)r->opcode << KROW_KEY_OPCODE_LSB | (uint32_t)r->spec << KROW_KEY_SPEC_LSB;
    r->func_link = q7_data_word(f, va + KROW_FUNC_OFF);
    r->func_staged = get_le32(p + KROW_FUNC_OFF);
    r->frame = entry_frame(img, r->func_staged);
    if (zero)
        return bad_row(err, i, "the zero field", zero, "0");
    if (r->func_staged - img->code_window.base >= img->code_window.size)
        return bad_row(err, i, "the relocated funcVA", r->func_staged, "in the code window");
    snprintf(where, sizeof where, SECTION " row %zu", i);
    if (r->func_staged - img->dyn.dst_code >= f->segment[Q7_SEG_CODE].memsz)
        q7_warn(opt, where, "funcVA 0x%x is behind the code segment", r->func_staged);
    else if (!r->frame)
        q7_warn(opt, where, "the kernel at 0x%x does not begin with ENTRY", r->func_staged);
    if (r->spec && r->opcode != OP_EXTENDED_INST)
        q7_warn(opt, where, "spec 0x%x with opcode 0x%x: the dispatcher uses spec 0 for all but 0x%x",
                r->spec, r->opcode, OP_EXTENDED_INST);
    unsigned bit = r->key >> KROW_KEY_SPEC_LSB;
    if (seen[bit / 8] >> bit % 8 & 1)
        q7_warn(opt, where, "key %08X was already in the table; the first row wins", r->key);
    seen[bit / 8] = (uint8_t)(seen[bit / 8] | 1u << bit % 8);
    return 0;
}

int q7_read_table(const struct q7_file *f, const struct q7_options *opt, struct q7_image *img,
                  struct q7_error *err)
{
    uint8_t seen[(UINT16_MAX + 1) / 8] = { 0 };
    int rc = find_table(f, opt, img, err);
    if (rc || img->nrows == 0)
        return rc;
    img->rows = calloc(img->nrows, sizeof *img->rows);
    if (!img->rows)
        return q7_fail(err, Q7_MEMORY, SECTION, NULL, "no memory for %zu rows", img->nrows);
    for (size_t i = 0; rc == 0 && i < img->nrows; i++)
        rc = read_row(f, opt, img, i, seen, err);
    return rc;
}

long q7_find_row(const struct q7_image *img, uint8_t opcode, uint8_t spec)
{
    uint32_t key = (uint32_t)opcode << KROW_KEY_OPCODE_LSB |
                   (opcode == OP_EXTENDED_INST ? (uint32_t)spec << KROW_KEY_SPEC_LSB : 0);
    for (size_t i = 0; i < img->nrows; i++)
        if (img->rows[i].key == key)
            return (long)i;
    return -1;
}
