/*
 * The libraries of a graph through the prelinker (q7-prelink.md §2-§13), and whether the opcodes of POOL's
 * program have a kernel in them (q7-firmware.md §11). The gates of their manifest were passed while it was
 * read.
 */
#include <stdio.h>
#include <string.h>

#include "load/verify_private.h"
#include "q7/opset.h"
#include "regs.h"

struct warnings {
    struct verify *v;
    const char *member;
    int rc;
};

static void warn(void *ctx, const char *where, const char *text)
{
    struct warnings *w = ctx;
    if (w->rc == 0)
        w->rc = verify_member(w->v, FINDING_WARNING, w->member, where, "%s", text);
}

/* Takes what the library serves out of *left. */
static int verify_library(struct verify *v, const struct prog_library *l, unsigned arch,
                          struct q7_opset *left)
{
    struct warnings w = { v, l->member, 0 };
    struct q7_options opt;
    struct q7_image image;
    struct q7_error why;
    memset(&opt, 0, sizeof opt);
    if (!q7_options_for(arch, &opt))
        return 0;
    opt.warn = warn;
    opt.ctx = &w;
    if (q7_prelink(l->data, l->size, &opt, &image, &why) == 0) {
        q7_opset_served(left, &image);
        q7_image_free(&image);
        return w.rc;
    }
    memset(left, 0, sizeof *left); /* it might have served everything */
    if (why.status == Q7_MEMORY)
        return nerr_set(v->err, NERR_MEM, l->member, "out of memory");
    struct nerr what;
    q7_error_nerr(&why, &what);
    what.runtime_code = NRT_INVALID;
    return findings_add_at(v->f, findings_level(&what), 3, l->member, why.where, &what, v->err);
}

/* The program of POOL as far as it is whole slots. */
static size_t pool_slots(const struct program *p, const uint8_t **code)
{
    const struct prog_engine *e = &p->engines[ENG_POOL];
    *code = e->code;
    return e->bad || !e->code ? 0 : e->code_size / SLOT_BYTES;
}

/* CONVENTION of q7-firmware.md §11: the first slot of every opcode that would miss. */
static int judge_misses(struct verify *v, struct q7_opset *left)
{
    const struct program *p = v->prog;
    const char *from =
        p->nlibraries ? "the libraries of this NEFF have" : "the built-in library 0 of CAYMAN has";
    const uint8_t *code;
    size_t n = pool_slots(p, &code);
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < n && !verify_stop(v); i++) {
        const uint8_t *slot = code + i * SLOT_BYTES;
        unsigned op = slot[SLOT_HDR_OPCODE_OFF], spec = op == OP_EXTENDED_INST ? slot[Q7_SPEC_BYTE] : 0;
        char place[64];
        if (!q7_opset_has(left, (uint8_t)op, (uint8_t)spec))
            continue;
        snprintf(place, sizeof place, "slot %zu byte 0x%02x", i + 1,
                 op == OP_EXTENDED_INST ? Q7_SPEC_BYTE : SLOT_HDR_OPCODE_OFF);
        rc = verify_member(v, FINDING_WARNING, p->engines[ENG_POOL].bin_name, place,
                           "%s no kernel for opcode 0x%02x spec %u (%s): the POOL cores will not know it",
                           from, op, spec, isa_opcode_name(op));
        q7_opset_remove(left, (uint8_t)op, (uint8_t)spec);
    }
    return rc;
}

int verify_libraries(struct verify *v)
{
    const struct program *p = v->prog;
    unsigned arch = v->arch ? v->arch : ISA_GEN_RTL, libraries = 0, index = 0, needed = 0;
    bool prelinked = false;
    struct q7_opset left = { 0 };
    const uint8_t *code;
    int rc = 0;
    if (q7_coretype_libraries(q7_coretype(arch), &libraries, &prelinked) || !prelinked)
        return 0; /* SUNDA stages its library as it is (§15.2) */
    for (size_t i = 0, n = pool_slots(p, &code); i < n; i++)
        q7_opset_add(&left, code + i * SLOT_BYTES);
    for (size_t i = 0; rc == 0 && i < p->nlibraries && !verify_stop(v); i++) {
        if (p->libraries[i].data)
            rc = verify_library(v, &p->libraries[i], arch, &left);
        else
            memset(&left, 0, sizeof left);
    }
    if (rc || q7_select_library(q7_coretype(arch), &left, 0, false, &index, &needed) || !needed)
        return rc;
    if (p->has_ucode_lib)
        return judge_misses(v, &left);
    q7_opset_served_builtin(&left, index);
    return arch == ARCH_CAYMAN ? judge_misses(v, &left) : 0; /* the tables of others are not known */
}
