/* Identifier codes: see vcd_ids.h. */
#include "wave/vcd_ids.h"

#include <stdlib.h>
#include <string.h>

#include "util/strbuf.h"

static bool is_short(const char *code, size_t len, uint32_t *key)
{
    *key = 0;
    if (len == 0 || len > VCD_SHORT_MAX)
        return false;
    for (size_t i = 0; i < len; i++) {
        if (code[i] < '!' || code[i] > '~')
            return false;
        *key = vcd_short_step(*key, code[i]);
    }
    return true;
}

static size_t hash(const char *code, size_t len)
{
    uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */
    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)code[i]) * 0x100000001b3u;
    return (size_t)(h ^ h >> 32);
}

static struct vcd_id *slot_of(const struct vcd_ids *ids, const char *code, size_t len)
{
    size_t i = hash(code, len) & (ids->nslots - 1);
    while (ids->slots[i].code && (ids->slots[i].len != len || memcmp(ids->slots[i].code, code, len) != 0))
        i = (i + 1) & (ids->nslots - 1);
    return &ids->slots[i];
}

uint32_t vcd_ids_find(const struct vcd_ids *ids, const char *code, size_t len)
{
    uint32_t key;
    if (is_short(code, len, &key))
        return key < ids->ndirect ? ids->direct[key] - 1 : VCD_NO_SIGNAL; /* 0 - 1 is VCD_NO_SIGNAL */
    if (!ids->nslots)
        return VCD_NO_SIGNAL;
    const struct vcd_id *s = slot_of(ids, code, len);
    return s->code ? s->signal : VCD_NO_SIGNAL;
}

static bool grow_direct(struct vcd_ids *ids, uint32_t key)
{
    size_t n = ids->ndirect ? ids->ndirect : 95;
    while (n <= key)
        n *= 95;
    uint32_t *more = calloc(n, sizeof *more);
    if (!more)
        return false;
    if (ids->ndirect)
        memcpy(more, ids->direct, ids->ndirect * sizeof *more);
    free(ids->direct);
    ids->direct = more;
    ids->ndirect = n;
    return true;
}

static bool grow_slots(struct vcd_ids *ids)
{
    struct vcd_ids bigger = { .nslots = ids->nslots ? ids->nslots * 2 : 64 };
    bigger.slots = calloc(bigger.nslots, sizeof *bigger.slots);
    if (!bigger.slots)
        return false;
    for (size_t i = 0; i < ids->nslots; i++)
        if (ids->slots[i].code)
            *slot_of(&bigger, ids->slots[i].code, ids->slots[i].len) = ids->slots[i];
    free(ids->slots);
    ids->slots = bigger.slots;
    ids->nslots = bigger.nslots;
    return true;
}

uint32_t vcd_ids_add(struct vcd_ids *ids, const char *code, size_t len, uint32_t next)
{
    uint32_t key;
    if (is_short(code, len, &key)) {
        if (key >= ids->ndirect && !grow_direct(ids, key))
            return VCD_NO_SIGNAL;
        if (ids->direct[key] == 0)
            ids->direct[key] = next + 1;
        return ids->direct[key] - 1;
    }
    if (ids->used * 2 >= ids->nslots && !grow_slots(ids))
        return VCD_NO_SIGNAL;
    struct vcd_id *s = slot_of(ids, code, len);
    if (!s->code) {
        char *copy = text_copy_n(code, len);
        if (!copy)
            return VCD_NO_SIGNAL;
        *s = (struct vcd_id){ next, (uint32_t)len, copy };
        ids->used++;
    }
    return s->signal;
}

void vcd_ids_free(struct vcd_ids *ids)
{
    for (size_t i = 0; i < ids->nslots; i++)
        free(ids->slots[i].code);
    free(ids->slots);
    free(ids->direct);
    *ids = (struct vcd_ids){ 0 };
}
