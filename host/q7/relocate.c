/*
 * Step 7 of the pipeline: the relocation walk (q7-prelink.md §8-§11). Sites are core-local addresses; place()
 * is the only way from one to a byte of the two window buffers.
 */
#include <stdio.h>

#include "q7/private.h"
#include "util/bytes.h"

struct walk {
    const struct q7_options *opt;
    struct q7_image *img;
    struct q7_error *err;
    struct q7_reloc r; /* the current entry */
};

uint32_t q7_reloc_addr(const struct q7_dyninfo *d, uint32_t va)
{
    uint32_t biased = va + (d->split ? Q7_SPLIT_GAP : 0);
    return biased >= d->src_data ? va + (d->dst_data - d->src_data) : va + (d->dst_code - d->src_code);
}

/* The n bytes at a core-local address when all of them are in one window, else NULL. The data window is asked
 * first (§6); windows neither overlap nor wrap (checked with the options). */
static uint8_t *place(struct walk *w, uint32_t addr, uint32_t n)
{
    const struct q7_image *i = w->img;
    uint32_t at = addr - i->data_window.base;
    w->r.in_data = at < i->data_window.size;
    if (w->r.in_data)
        return n <= i->data_window.size - at ? i->data + at : NULL;
    at = addr - i->code_window.base;
    return at < i->code_window.size && n <= i->code_window.size - at ? i->code + at : NULL;
}

static int fail(struct walk *w, int status, const char *message, const char *detail)
{
    char where[40];
    snprintf(where, sizeof where, "relocation %u", w->r.index);
    return q7_fail(w->err, status, where, message, "type %u at link VA 0x%x, core-local 0x%x: %s", w->r.type,
                   w->r.offset, w->r.staged, detail);
}

static int bad_load(struct walk *w, uint32_t addr)
{
    char message[40];
    snprintf(message, sizeof message, "Invalid load @ 0x%x", addr);
    return fail(w, Q7_ST_RELOCATION, message, "the word is not inside one window");
}

static int bad_site(struct walk *w)
{
    char message[48];
    snprintf(message, sizeof message, "Invalid relocation address %u", w->r.staged);
    return fail(w, Q7_ST_RELOCATION, message, "the instruction is not inside one window");
}

static int bad_slot(struct walk *w, unsigned slot, const char *detail)
{
    char message[72];
    snprintf(message, sizeof message, "Failed to set large immediate field in instruction slot %u", slot);
    return fail(w, Q7_ST_RELOCATION, message, detail);
}

/* §9.1. The two aligned words that the reference reads and writes cover the site: one 4-byte access inside
 * them leaves the same bytes. */
static int apply_word(struct walk *w)
{
    uint32_t m = w->r.staged & 3, first = w->r.staged & ~UINT32_C(3);
    if (!place(w, first, 4))
        return bad_load(w, first);
    uint8_t *p = place(w, first, m ? 8 : 4);
    if (!p)
        return bad_load(w, first + 4);
    w->r.before = get_le32(p + m);
    w->r.after = q7_reloc_addr(&w->img->dyn, w->r.before + w->r.addend);
    put_le32(p + m, w->r.after);
    w->img->relocs_relative++;
    return 0;
}

/* The word at the site is no 24-bit instruction. Where immediates sit in a bundle is unknown (§11): refused.
 */
static int refuse_format(struct walk *w, const uint8_t *p, unsigned slot)
{
    char message[48];
    unsigned op0 = p[0] & Q7_OP0_MASK;
    const uint8_t *four = place(w, w->r.staged, 4);
    uint32_t x = four ? get_le32(four) : (uint32_t)get_le16(p) | (uint32_t)p[2] << 16;
    if (op0 == Q7_OP0_NF && !four)
        return bad_site(w);
    if (op0 == Q7_OP0_F || (x & Q7_CLASS_A_MASK) == Q7_CLASS_A_VALUE ||
        (x & Q7_CLASS_C_MASK) == Q7_CLASS_C_VALUE)
        return bad_slot(w, slot, "the site is a FLIX bundle, only CONST16 in 24-bit form is supported");
    snprintf(message, sizeof message, "Unknown instruction format [0x%x]", x);
    return fail(w, Q7_ST_FORMAT, message, "neither a 24-bit instruction nor a known bundle");
}

/* §10.1: bytes 1 and 2 of a 24-bit word are the immediate. */
static int apply_slot(struct walk *w, unsigned slot, uint32_t value)
{
    uint8_t *p = place(w, w->r.staged, 3);
    if (!p)
        return bad_site(w);
    unsigned op0 = p[0] & Q7_OP0_MASK;
    if (op0 >= Q7_OP0_X16A)
        return refuse_format(w, p, slot);
    if (!w->opt->permissive && slot != 0)
        return bad_slot(w, slot, "a 24-bit instruction has only slot 0");
    if (!w->opt->permissive && op0 != Q7_OP0_CONST16)
        return bad_slot(w, slot, "the instruction is not CONST16");
    w->r.before = get_le16(p + 1);
    w->r.after = value & UINT16_MAX;
    put_le16(p + 1, (uint16_t)w->r.after);
    return 0;
}

static int apply(struct walk *w)
{
    struct q7_image *img = w->img;
    uint32_t type = w->r.type;
    if (type == Q7_REL_NONE) { /* before any look at r_offset */
        img->relocs_none++;
        return 0;
    }
    w->r.staged = q7_reloc_addr(&img->dyn, w->r.offset);
    if (type == Q7_REL_RELATIVE)
        return apply_word(w);
    uint32_t target = q7_reloc_addr(&img->dyn, w->r.addend);
    if (type - Q7_REL_SLOT_OP < Q7_REL_SLOTS) {
        img->relocs_op++;
        return apply_slot(w, type - Q7_REL_SLOT_OP, target);
    }
    if (type - Q7_REL_SLOT_ALT < Q7_REL_SLOTS) {
        img->relocs_alt++;
        return apply_slot(w, type - Q7_REL_SLOT_ALT, target >> 16);
    }
    char message[48];
    snprintf(message, sizeof message, "Unknown relocation type %u", type);
    return fail(w, Q7_ST_RELOCATION, message, "known are 0, 5, 20..34 and 35..49");
}

int q7_relocate(const struct q7_file *f, const struct q7_options *opt, struct q7_image *img,
                struct q7_error *err)
{
    struct walk w = { .opt = opt, .img = img, .err = err };
    for (uint32_t i = 0; i < f->rela_count; i++) {
        struct q7_rela e = q7_rela_at(f, i);
        w.r = (struct q7_reloc){ .index = i, .type = e.info, .offset = e.offset, .addend = e.addend };
        if (e.info > Q7_REL_MAX) {
            char where[40];
            snprintf(where, sizeof where, "relocation %u", i);
            return q7_fail(err, Q7_ST_SYMBOL, where, NULL,
                           "r_info is 0x%x; above 0xff it names a symbol, and symbols are never resolved",
                           e.info);
        }
        int rc = apply(&w);
        if (rc)
            return rc;
        if (opt->reloc)
            opt->reloc(opt->ctx, &w.r);
    }
    return 0;
}
