/*
 * Byte-addressed sparse memory of 64-bit addresses: 4 KiB pages made when a byte other than 0 is written,
 * bytes never written read 0. The bench's memory and the reference model's memory are each one of these.
 */
#ifndef NEFFSIM_UTIL_SPARSE_H
#define NEFFSIM_UTIL_SPARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct sparse;

struct sparse *sparse_new(void); /* NULL when out of memory */
void sparse_free(struct sparse *m);

/* Copies len bytes from addr; the range may cross pages, addresses wrap at 2^64. */
void sparse_read(const struct sparse *m, uint64_t addr, void *buf, size_t len);

/* False when a page could not be allocated (nothing more is written then). */
bool sparse_write(struct sparse *m, uint64_t addr, const void *buf, size_t len);

/* Writes the bytes whose bit in strobe is set (bit i = byte i, len <= 64). */
bool sparse_write_strobe(struct sparse *m, uint64_t addr, const void *buf, size_t len, uint64_t strobe);

/* Finds the lowest address >= *addr at which the two memories differ. False when there is none. */
bool sparse_first_difference(const struct sparse *a, const struct sparse *b, uint64_t *addr);

#ifdef __cplusplus
}
#endif
#endif
