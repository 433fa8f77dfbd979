/* Sparse memory as an open-addressing hash table of pages: see sparse.h. */
#include "util/sparse.h"

#include <stdlib.h>
#include <string.h>

#define PAGE_BITS  12u
#define PAGE_BYTES ((size_t)1 << PAGE_BITS)
#define PAGE_MASK  ((uint64_t)PAGE_BYTES - 1)

struct page {
    uint64_t number;
    uint8_t *bytes; /* NULL: free slot */
};

struct sparse {
    struct page *slots;
    size_t capacity; /* power of two */
    size_t used;
};

struct sparse *sparse_new(void)
{
    struct sparse *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->capacity = 64;
    m->slots = calloc(m->capacity, sizeof *m->slots);
    if (!m->slots) {
        free(m);
        return NULL;
    }
    return m;
}

void sparse_free(struct sparse *m)
{
    if (!m)
        return;
    for (size_t i = 0; i < m->capacity; i++)
        free(m->slots[i].bytes);
    free(m->slots);
    free(m);
}

/* Index of the slot that holds `number`, or of the free slot where it would go. */
static size_t find(const struct page *slots, size_t capacity, uint64_t number)
{
    size_t i = (size_t)((number * UINT64_C(0x9E3779B97F4A7C15)) >> 20) & (capacity - 1);
    while (slots[i].bytes && slots[i].number != number)
        i = (i + 1) & (capacity - 1);
    return i;
}

static bool grow(struct sparse *m)
{
    size_t capacity = m->capacity * 2;
    struct page *slots = calloc(capacity, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i < m->capacity; i++)
        if (m->slots[i].bytes)
            slots[find(slots, capacity, m->slots[i].number)] = m->slots[i];
    free(m->slots);
    m->slots = slots;
    m->capacity = capacity;
    return true;
}

static uint8_t *page_peek(const struct sparse *m, uint64_t number)
{
    return m->slots[find(m->slots, m->capacity, number)].bytes;
}

static uint8_t *page_make(struct sparse *m, uint64_t number)
{
    size_t i = find(m->slots, m->capacity, number);
    if (m->slots[i].bytes)
        return m->slots[i].bytes;
    if (m->used * 2 >= m->capacity) {
        if (!grow(m))
            return NULL;
        i = find(m->slots, m->capacity, number);
    }
    uint8_t *bytes = calloc(1, PAGE_BYTES);
    if (!bytes)
        return NULL;
    m->slots[i] = (struct page){ number, bytes };
    m->used++;
    return bytes;
}

/* Bytes from addr to the end of its page, at most len. */
static size_t chunk(uint64_t addr, size_t len)
{
    size_t room = PAGE_BYTES - (size_t)(addr & PAGE_MASK);
    return len < room ? len : room;
}

void sparse_read(const struct sparse *m, uint64_t addr, void *buf, size_t len)
{
    uint8_t *out = buf;
    while (len) {
        size_t n = chunk(addr, len);
        const uint8_t *page = page_peek(m, addr >> PAGE_BITS);
        if (page)
            memcpy(out, page + (addr & PAGE_MASK), n);
        else
            memset(out, 0, n);
        out += n;
        addr += n;
        len -= n;
    }
}

static bool all_zero(const uint8_t *p, size_t n)
{
    return p[0] == 0 && memcmp(p, p + 1, n - 1) == 0;
}

/* Zeros where no page is need none: a host that clears a large buffer takes no memory for it. */
bool sparse_write(struct sparse *m, uint64_t addr, const void *buf, size_t len)
{
    const uint8_t *in = buf;
    while (len) {
        size_t n = chunk(addr, len);
        uint8_t *page = page_peek(m, addr >> PAGE_BITS);
        if (!page && !all_zero(in, n) && !(page = page_make(m, addr >> PAGE_BITS)))
            return false;
        if (page)
            memcpy(page + (addr & PAGE_MASK), in, n);
        in += n;
        addr += n;
        len -= n;
    }
    return true;
}

bool sparse_write_strobe(struct sparse *m, uint64_t addr, const void *buf, size_t len, uint64_t strobe)
{
    const uint8_t *in = buf;
    size_t i = 0;
    while (i < len) {
        size_t start = i;
        while (i < len && (strobe >> i & 1) != 0)
            i++;
        if (i > start && !sparse_write(m, addr + start, in + start, i - start))
            return false;
        while (i < len && (strobe >> i & 1) == 0)
            i++;
    }
    return true;
}

/* Lowest differing address among the pages of `from`, compared with `other`; true when found. */
static bool scan(const struct sparse *from, const struct sparse *other, uint64_t first, uint64_t *best,
                 bool found)
{
    static const uint8_t zero[PAGE_BYTES];
    for (size_t i = 0; i < from->capacity; i++) {
        const struct page *p = &from->slots[i];
        if (!p->bytes || p->number < first >> PAGE_BITS || (found && p->number > *best >> PAGE_BITS))
            continue;
        const uint8_t *q = page_peek(other, p->number);
        if (!q)
            q = zero;
        if (memcmp(p->bytes, q, PAGE_BYTES) == 0)
            continue;
        size_t b = p->number == first >> PAGE_BITS ? (size_t)(first & PAGE_MASK) : 0;
        while (b < PAGE_BYTES && p->bytes[b] == q[b])
            b++;
        uint64_t addr = (p->number << PAGE_BITS) + b;
        if (b < PAGE_BYTES && (!found || addr < *best)) {
            *best = addr;
            found = true;
        }
    }
    return found;
}

bool sparse_first_difference(const struct sparse *a, const struct sparse *b, uint64_t *addr)
{
    uint64_t best = 0;
    bool found = scan(a, b, *addr, &best, false);
    found = scan(b, a, *addr, &best, found);
    if (found)
        *addr = best;
    return found;
}
