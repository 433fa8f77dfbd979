/*
 * The packings inside FST files, each into exactly the announced number of bytes. A result that is announced
 * larger than the packing could ever make is refused before memory is taken.
 */
#ifndef NEFFSIM_WAVE_FST_UNPACK_H
#define NEFFSIM_WAVE_FST_UNPACK_H

#include <stdbool.h>
#include <stdint.h>

#include "util/nerr.h"

/* False when n packed bytes cannot stand for `plain` bytes in any of the packings. */
bool fst_unpack_possible(uint64_t n, uint64_t plain);

/* Each returns a malloc'd buffer of `plain` bytes (one more when plain is 0), or NULL when that is not
 * possible. */
uint8_t *fst_unpack_zlib(const uint8_t *in, uint64_t n, uint64_t plain); /* n equal to plain: stored */
uint8_t *fst_unpack_gzip(const uint8_t *in, uint64_t n, uint64_t plain);
uint8_t *fst_unpack_lz4(const uint8_t *in, uint64_t n, uint64_t plain);
uint8_t *fst_unpack_lz4_twice(const uint8_t *in, uint64_t n,
                              uint64_t plain); /* the middle size comes first */

/*
 * A file that is packed as a whole: kind byte, length, unpacked length, gzip stream. Replaces *fd, which is
 * closed, by an unlinked temporary file with the content, and *size by its size. On failure *fd is still the
 * old one.
 */
int fst_unpack_wrapper(const char *path, int *fd, uint64_t *size, struct nerr *err);

#endif
