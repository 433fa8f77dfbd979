/* Checked byte access and arithmetic: see bytes.h. */
#include "util/bytes.h"

bool bytes_inside(size_t len, size_t off, size_t n)
{
    return off <= len && n <= len - off;
}

bool bytes_le16(const void *buf, size_t len, size_t off, uint16_t *v)
{
    if (!bytes_inside(len, off, sizeof *v))
        return false;
    *v = get_le16((const uint8_t *)buf + off);
    return true;
}

bool bytes_le32(const void *buf, size_t len, size_t off, uint32_t *v)
{
    if (!bytes_inside(len, off, sizeof *v))
        return false;
    *v = get_le32((const uint8_t *)buf + off);
    return true;
}

bool bytes_le64(const void *buf, size_t len, size_t off, uint64_t *v)
{
    if (!bytes_inside(len, off, sizeof *v))
        return false;
    *v = get_le64((const uint8_t *)buf + off);
    return true;
}

uint16_t get_le16(const void *p)
{
    const uint8_t *b = p;
    return (uint16_t)(b[0] | b[1] << 8);
}

uint32_t get_le32(const void *p)
{
    const uint8_t *b = p;
    return (uint32_t)get_le16(b) | (uint32_t)get_le16(b + 2) << 16;
}

uint64_t get_le64(const void *p)
{
    const uint8_t *b = p;
    return (uint64_t)get_le32(b) | (uint64_t)get_le32(b + 4) << 32;
}

void put_le16(void *p, uint16_t v)
{
    uint8_t *b = p;
    b[0] = (uint8_t)v;
    b[1] = (uint8_t)(v >> 8);
}

void put_le32(void *p, uint32_t v)
{
    uint8_t *b = p;
    put_le16(b, (uint16_t)v);
    put_le16(b + 2, (uint16_t)(v >> 16));
}

void put_le64(void *p, uint64_t v)
{
    uint8_t *b = p;
    put_le32(b, (uint32_t)v);
    put_le32(b + 4, (uint32_t)(v >> 32));
}

bool add_u64(uint64_t a, uint64_t b, uint64_t *out)
{
    return !__builtin_add_overflow(a, b, out);
}

bool mul_u64(uint64_t a, uint64_t b, uint64_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}

bool add_size(size_t a, size_t b, size_t *out)
{
    return !__builtin_add_overflow(a, b, out);
}

bool mul_size(size_t a, size_t b, size_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}
