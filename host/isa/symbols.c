/* Names that assembly text defines: see parse.h. */
#include <stdlib.h>
#include <string.h>

#include "isa/parse.h"

enum { FIRST_CAPACITY = 64 };

/* FNV-1a. */
static size_t hash(const char *s, size_t n)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < n; i++)
        h = (h ^ (uint8_t)s[i]) * UINT64_C(0x100000001b3);
    return (size_t)(h ^ h >> 32);
}

/* The place of the name, or the empty place where it belongs. */
static struct symbol *place(const struct symbols *s, const char *name, size_t len)
{
    size_t mask = s->capacity - 1;
    for (size_t i = hash(name, len) & mask;; i = (i + 1) & mask) {
        struct symbol *at = &s->table[i];
        if (!at->name || (at->len == len && memcmp(at->name, name, len) == 0))
            return at;
    }
}

const struct symbol *symbols_find(const struct symbols *s, const char *name, size_t len)
{
    if (!s->capacity)
        return NULL;
    const struct symbol *at = place(s, name, len);
    return at->name ? at : NULL;
}

static bool grow(struct symbols *s)
{
    struct symbols bigger = { .count = s->count, .capacity = s->capacity ? s->capacity * 2 : FIRST_CAPACITY };
    bigger.table = calloc(bigger.capacity, sizeof *bigger.table);
    if (!bigger.table)
        return false;
    for (size_t i = 0; i < s->capacity; i++)
        if (s->table[i].name)
            *place(&bigger, s->table[i].name, s->table[i].len) = s->table[i];
    free(s->table);
    *s = bigger;
    return true;
}

enum symbols_result symbols_add(struct symbols *s, const struct symbol *add)
{
    if (s->count >= s->capacity / 2 && !grow(s))
        return SYMBOL_NO_MEMORY;
    struct symbol *at = place(s, add->name, add->len);
    if (at->name)
        return SYMBOL_KNOWN;
    *at = *add;
    s->count++;
    return SYMBOL_ADDED;
}

void symbols_free(struct symbols *s)
{
    free(s->table);
    *s = (struct symbols){ 0 };
}
