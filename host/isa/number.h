/* Numbers as text and back, fast and exact: what printf and scanf would cost is most of a disassembler's
 * time. */
#ifndef NEFFSIM_ISA_NUMBER_H
#define NEFFSIM_ISA_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NUMBER_MAX = 32,      /* characters that any of the writers needs at most */
    NUMBER_TEXT_MAX = 63, /* longest floating-point literal that is read */
};

/* Each writes at p, without a NUL, and returns the end. */
char *put_u64(char *p, uint64_t v);
char *put_i64(char *p, int64_t v);
char *put_hex(char *p, uint64_t v);                       /* 0x and no leading zeros */
char *put_hex_bytes(char *p, const uint8_t *b, size_t n); /* two digits a byte */

/*
 * binary32: the shortest decimal that reads back as the same bits. Hexadecimal bits for what reads better or
 * only that way: NaN, and bits that are an address or a small integer rather than a number (subnormals, and
 * positive ones below 2^-63 or so).
 */
char *put_f32(char *p, uint32_t bits);

/* Decimal or "inf", "-inf", all of the n characters; correctly rounded. False when it is no number. */
bool read_f32(const char *s, size_t n, uint32_t *bits);

/* Little-endian, n <= 8 bytes. Here, so that a constant n becomes one load. */
static inline uint64_t load_le(const uint8_t *p, unsigned n)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < n; i++)
        v |= (uint64_t)p[i] << (8 * i);
    return v;
}

static inline void store_le(uint8_t *p, unsigned n, uint64_t v)
{
    for (unsigned i = 0; i < n; i++)
        p[i] = (uint8_t)(v >> (8 * i));
}

#endif
