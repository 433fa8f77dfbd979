/*
 * Little-endian access to byte buffers and arithmetic that cannot wrap unnoticed. For values that come from a
 * file: every offset is checked before use, every sum and product reports overflow. No allocation, no error
 * text.
 */
#ifndef NEFFSIM_UTIL_BYTES_H
#define NEFFSIM_UTIL_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True when [off, off + n) lies inside a buffer of len bytes. */
bool bytes_inside(size_t len, size_t off, size_t n);

/* Little-endian load at off; false (and *v untouched) when it would leave the buffer. */
bool bytes_le16(const void *buf, size_t len, size_t off, uint16_t *v);
bool bytes_le32(const void *buf, size_t len, size_t off, uint32_t *v);
bool bytes_le64(const void *buf, size_t len, size_t off, uint64_t *v);

/* Unchecked forms, for fixed records whose size was checked once. */
uint16_t get_le16(const void *p);
uint32_t get_le32(const void *p);
uint64_t get_le64(const void *p);
void put_le16(void *p, uint16_t v);
void put_le32(void *p, uint32_t v);
void put_le64(void *p, uint64_t v);

/* False when the exact result does not fit; *out is then unspecified. */
bool add_u64(uint64_t a, uint64_t b, uint64_t *out);
bool mul_u64(uint64_t a, uint64_t b, uint64_t *out);
bool add_size(size_t a, size_t b, size_t *out);
bool mul_size(size_t a, size_t b, size_t *out);

#endif
