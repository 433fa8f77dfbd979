/*
 * The five device images (tpb-image.md §4): PREAMBLE | MAIN | POSTAMBLE | FUNCTION*, patch records, relative
 * branches linked when every slot has its place.
 */
#include "load/build.h"

/* Source slots [begin, end) with a patch record for each that does not become exactly one slot (tpb-image.md
 * §5.1). */
static int translate(struct builder *b, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        const uint8_t *slot = b->s->code + i * SLOT_BYTES;
        size_t before = b->img->size;
        b->source = (uint32_t)(i + 1);
        if (b->s->verbatim[i]) {
            if (build_emit_raw(b, slot, NULL))
                return b->c->err->code;
        } else {
            struct inst in;
            isa_decode(slot, &in);
            if (build_expand(b, slot, &in))
                return b->c->err->code;
        }
        size_t n = (b->img->size - before) / SLOT_BYTES;
        if ((n == 0 && build_patch(b, before, 1, PATCH_TYPE_DELETE)) ||
            (n > 1 && build_patch(b, before, n - 1, PATCH_TYPE_INSERT)))
            return b->c->err->code;
    }
    b->source = 0;
    return NERR_OK;
}

static int preamble(struct builder *b)
{
    struct inst start = slot_notify(HINT_SWITCH_START), gate = slot_take_one(SEM_START_GATE + b->s->engine),
                begin = slot_notify(HINT_START);
    b->section = LOAD_PREAMBLE;
    if (build_emit(b, &start, "switch start") || build_emit(b, &gate, "gate") ||
        build_emit(b, &begin, "start") || build_library_loads(b))
        return b->c->err->code;
    return build_patch(b, 0, b->img->size / SLOT_BYTES, PATCH_TYPE_INSERT);
}

static int postamble(struct builder *b)
{
    const struct inst none = isa_inst(OP_NOP);
    b->section = LOAD_POSTAMBLE;
    b->img->postamble = b->img->size;
    if (build_barrier(b, &none))
        return b->c->err->code;
    if (b->s->engine == BARRIER_LEADER) {
        struct inst clear = isa_inst(OP_EVENT_SEMAPHORE_RANGE_CLEAR);
        clear.u.range.mode = RANGE_MASK;
        slot_set_mask(clear.u.range.mask, b->c->sems);
        if (build_emit(b, &clear, "clear semaphores"))
            return b->c->err->code;
    }
    struct inst done = slot_notify(HINT_DONE);
    if (build_barrier(b, &none) || build_library_unloads(b) || build_emit(b, &done, "done"))
        return b->c->err->code;
    struct inst loop = slot_branch_to((int64_t)PROGRAM_START - (int64_t)b->img->size);
    if (build_emit(b, &loop, "loop to gate"))
        return b->c->err->code;
    return build_patch(b, b->img->postamble, (b->img->size - b->img->postamble) / SLOT_BYTES,
                       PATCH_TYPE_INSERT);
}

static int functions(struct builder *b)
{
    b->section = LOAD_FUNCTION;
    b->img->function = b->img->size;
    for (size_t f = 0; f < b->s->nfuncs; f++) {
        b->func = &b->s->funcs[f];
        b->func_offsets[f] = b->img->size;
        if (translate(b, b->func->begin, b->func->end))
            return b->c->err->code;
    }
    b->func = NULL;
    return NERR_OK;
}

static int link_branches(struct builder *b)
{
    struct load_image *img = b->img;
    if (img->size > INT32_MAX)
        return ctx_refuse(b->c, b->s->bin, "the image of %zu bytes is too large for relative branches",
                          img->size);
    for (size_t i = 0; i < b->nfixups; i++) {
        const struct fixup *f = &b->fixups[i];
        size_t target = f->kind == TO_LABEL      ? b->s->labels[f->index].offset
                        : f->kind == TO_FUNCTION ? b->func_offsets[f->index]
                                                 : img->postamble;
        if (target >= img->size)
            return ctx_refuse_slot(b->c, b->s, img->slots[f->at / SLOT_BYTES].source_slot - 1,
                                   "the branch leads to the end of the image");
        struct inst in;
        isa_decode(img->bytes + f->at, &in);
        in.u.br.disp = (uint32_t)((int64_t)target - (int64_t)f->at);
        isa_encode(&in, img->bytes + f->at);
    }
    return NERR_OK;
}

static int build(struct load_ctx *c, struct load_stream *s)
{
    struct builder b = { .c = c, .s = s, .img = &c->plan->images[s->engine] };
    b.func_offsets = ctx_alloc(c, s->nfuncs, sizeof *b.func_offsets);
    b.img->source = ctx_text(c, "%s", s->bin);
    b.img->source_slots = s->nslots;
    if (!b.func_offsets || !b.img->source || preamble(&b))
        return c->err->code;
    b.section = LOAD_MAIN;
    b.img->main = b.img->size;
    if (translate(&b, 0, s->main_slots) || postamble(&b) || functions(&b))
        return c->err->code;
    return link_branches(&b);
}

int load_images(struct load_ctx *c)
{
    for (unsigned e = 0; e < PROG_ENGINES; e++)
        if (build(c, &c->streams[e]))
            return c->err->code;
    return NERR_OK;
}
