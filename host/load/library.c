/*
 * The Q7 library of a NEFF (q7-prelink.md §13, §14): prelinked for the POOL cores, put into a staging buffer,
 * loaded by a slot at the end of POOL's PREAMBLE and unloaded by one in its POSTAMBLE, so that an inference
 * that loops back to the gate finds the state of the first one.
 *
 * The gates of the manifest were passed when it was read (neff/parse_ucode.c).
 *
 * All libraries are prelinked to the same windows of a core, and nothing in a program says when to exchange
 * them: one library is loadable, several are refused.
 */
#include "load/build.h"

#include <string.h>

#include "q7/q7.h"

/* The image as it is staged; the arena owns it. */
static int prelink(struct load_ctx *c, const struct prog_library *from, struct load_library *lib)
{
    struct q7_options opt;
    struct q7_image img;
    struct q7_error why;
    memset(&opt, 0, sizeof opt);
    q7_options_for(ARCH_CAYMAN, &opt); /* the generation of the RTL */
    if (q7_prelink(from->data, from->size, &opt, &img, &why)) {
        q7_error_nerr(&why, c->err);
        nerr_prefix(c->err, from->member);
        return c->err->code;
    }
    lib->name = from->name;
    lib->size = (size_t)img.size;
    lib->code_size = img.ucpl.code_len;
    lib->data_offset = img.ucpl.data_off;
    lib->data_size = img.ucpl.data_len;
    lib->image = ctx_alloc(c, lib->size, 1);
    if (lib->image)
        q7_image_write(&img, lib->image);
    q7_image_free(&img);
    return lib->image ? NERR_OK : c->err->code;
}

int load_libraries(struct load_ctx *c)
{
    const struct program *p = c->prog;
    struct loadplan *plan = c->plan;
    if (!p->nlibraries)
        return NERR_OK;
    if (p->nlibraries > LOAD_LIBRARIES_MAX)
        return ctx_refuse(
            c, "def.json ucode_lib",
            "%zu Q7 libraries, allowed is %u: all are prelinked to the same windows of a POOL core",
            p->nlibraries, LOAD_LIBRARIES_MAX);
    plan->nlibraries = p->nlibraries;
    plan->libraries = ctx_alloc(c, p->nlibraries, sizeof *plan->libraries);
    if (!plan->libraries)
        return c->err->code;
    for (size_t i = 0; i < p->nlibraries; i++) {
        plan->libraries[i].selector = (uint32_t)i;
        if (prelink(c, &p->libraries[i], &plan->libraries[i]))
            return c->err->code;
    }
    return NERR_OK;
}

static void load_slot(const struct load_library *lib, uint8_t slot[SLOT_BYTES])
{
    const struct isa_library_slot load = { .direction = LIBRARY_LOAD,
                                           .device_addr = lib->staging,
                                           .selector = lib->selector,
                                           .size = (uint32_t)lib->size };
    isa_library_slot_encode(&load, slot);
}

int build_library_loads(struct builder *b)
{
    struct loadplan *plan = b->c->plan;
    for (size_t i = 0; b->s->engine == ENG_POOL && i < plan->nlibraries; i++) {
        struct load_library *lib = &plan->libraries[i];
        uint8_t slot[SLOT_BYTES];
        lib->load_at = b->img->size;
        load_slot(lib, slot); /* load_library_address fills in the place that is not known yet */
        char *what = ctx_text(b->c, "load library %s", lib->name);
        if (!what || build_emit_raw(b, slot, what))
            return b->c->err->code;
    }
    return NERR_OK;
}

int build_library_unloads(struct builder *b)
{
    const struct loadplan *plan = b->c->plan;
    for (size_t i = plan->nlibraries; b->s->engine == ENG_POOL && i-- > 0;) {
        const struct isa_library_slot unload = { .direction = LIBRARY_UNLOAD,
                                                 .selector = plan->libraries[i].selector };
        uint8_t slot[SLOT_BYTES];
        isa_library_slot_encode(&unload, slot);
        char *what = ctx_text(b->c, "unload library %s", plan->libraries[i].name);
        if (!what || build_emit_raw(b, slot, what))
            return b->c->err->code;
    }
    return NERR_OK;
}

void load_library_address(struct load_ctx *c, struct load_library *lib, uint64_t staging)
{
    lib->staging = staging;
    load_slot(lib, c->plan->images[ENG_POOL].bytes + lib->load_at);
}
