/* Growing an image: see build.h. */
#include "load/build.h"

#include <string.h>

int build_emit_raw(struct builder *b, const uint8_t slot[SLOT_BYTES], const char *what)
{
    struct load_image *img = b->img;
    size_t n = img->size / SLOT_BYTES;
    if (n == b->slot_room) {
        b->slot_room = b->slot_room ? b->slot_room * 2 : 64;
        img->bytes = ctx_grow(b->c, img->bytes, n, b->slot_room, SLOT_BYTES);
        img->slots = ctx_grow(b->c, img->slots, n, b->slot_room, sizeof *img->slots);
        if (!img->bytes || !img->slots)
            return b->c->err->code;
    }
    memcpy(img->bytes + img->size, slot, SLOT_BYTES);
    img->slots[n].what = what;
    img->slots[n].section = b->section;
    img->slots[n].source_slot = b->source;
    img->slots[n].function = b->func ? b->func->name : NULL;
    img->size += SLOT_BYTES;
    return NERR_OK;
}

int build_emit(struct builder *b, const struct inst *in, const char *what)
{
    uint8_t slot[SLOT_BYTES];
    isa_encode(in, slot);
    return build_emit_raw(b, slot, what);
}

int build_patch(struct builder *b, size_t offset, size_t count, uint32_t type)
{
    struct load_image *img = b->img;
    if (!count)
        return NERR_OK;
    if (img->npatches == b->patch_room) {
        b->patch_room = b->patch_room ? b->patch_room * 2 : 16;
        img->patches = ctx_grow(b->c, img->patches, img->npatches, b->patch_room, sizeof *img->patches);
        if (!img->patches)
            return b->c->err->code;
    }
    size_t origin =
        b->section == LOAD_FUNCTION ? img->function : 0; /* function records are region-relative (§5.1) */
    img->patches[img->npatches++] = (struct load_patch){
        .offset = (uint32_t)(offset - origin), .count = (uint32_t)count, .type = type, .section = b->section
    };
    return NERR_OK;
}

int build_fixup(struct builder *b, int kind, size_t index)
{
    if (b->nfixups == b->fixup_room) {
        b->fixup_room = b->fixup_room ? b->fixup_room * 2 : 16;
        b->fixups = ctx_grow(b->c, b->fixups, b->nfixups, b->fixup_room, sizeof *b->fixups);
        if (!b->fixups)
            return b->c->err->code;
    }
    b->fixups[b->nfixups++] = (struct fixup){ .at = b->img->size, .kind = (unsigned)kind, .index = index };
    return NERR_OK;
}

/* Header bytes 2 and 3 of the pseudo go to every slot; its wait to the first, its update to the last (§5). */
int build_group(struct builder *b, const struct inst *pseudo, struct inst *slots, const char *const *what,
                size_t n)
{
    for (size_t i = 0; i < n; i++) {
        slots[i].debug_cmd = pseudo->debug_cmd;
        slots[i].debug_hint |= pseudo->debug_hint;
    }
    if (pseudo->wait_mode != WAIT_NONE) {
        slots[0].wait_mode = pseudo->wait_mode;
        slots[0].wait_idx = pseudo->wait_idx;
        slots[0].value = pseudo->value;
    }
    if (pseudo->update_mode != UPD_NONE) {
        slots[n - 1].update_mode = pseudo->update_mode;
        slots[n - 1].update_idx = pseudo->update_idx;
        slots[n - 1].value = pseudo->value;
    }
    for (size_t i = 0; i < n; i++)
        if (build_emit(b, &slots[i], what[i]))
            return b->c->err->code;
    return NERR_OK;
}
