/* Whole files: read with a limit, write so that a failure leaves nothing half-written behind. */
#ifndef NEFFSIM_UTIL_FILE_H
#define NEFFSIM_UTIL_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "util/nerr.h"

/*
 * Reads path to its end; *buf is never NULL on success, has a NUL after its last byte (not counted in *len)
 * and is freed by the caller. limit: largest size accepted in bytes, 0 = none. Errors: NERR_IO, NERR_INPUT
 * (too long), NERR_MEM.
 */
int file_read(const char *path, uint64_t limit, uint8_t **buf, size_t *len, struct nerr *err);

/*
 * Writes path through a temporary file in the same folder and a rename, so path holds either its old content
 * or all of buf. What exists and is not a regular file (/dev/stdout, a pipe, a symbolic link) is written in
 * place instead.
 */
int file_write(const char *path, const void *buf, size_t len, struct nerr *err);

/* Removes an output that could not be completed, if it is a regular file: never a device, a pipe or a link.
 */
void file_discard(const char *path);

#endif
