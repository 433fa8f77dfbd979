/*
 * NumPy .npy files. Two depths: npy_payload follows the runtime's rule for weights (neff-container.md §18:
 * only the magic and the header length count), npy_parse reads the header in full, for inputs and golden
 * outputs. Version 1 only.
 */
#ifndef NEFFSIM_UTIL_NPY_H
#define NEFFSIM_UTIL_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/nerr.h"
#include "util/strbuf.h"

#define NPY_MAX_DIMS 32

struct npy {
    char descr[16]; /* as in the file: "<f4", "|u1", ... */
    bool fortran_order;
    uint64_t shape[NPY_MAX_DIMS];
    size_t ndim;         /* 0: a scalar */
    size_t item_size;    /* bytes of one element, from descr */
    uint64_t count;      /* elements */
    const uint8_t *data; /* borrowed; exactly count * item_size bytes */
    size_t data_size;
};

/* Reads the header and checks that the data has exactly the size that shape and descr give. Errors:
 * NERR_INPUT. */
int npy_parse(const void *buf, size_t len, const char *where, struct npy *out, struct nerr *err);

/* Weight bytes of a .npy member; borrowed from buf. Errors: NERR_INPUT with runtime code 2. */
int npy_payload(const void *buf, size_t len, const char *where, const uint8_t **data, size_t *size,
                struct nerr *err);

/* Appends a version-1 header (C order, padded to a multiple of 64) for data that the caller appends.
 * NERR_RULE, NERR_MEM. */
int npy_write_header(struct strbuf *out, const char *descr, const uint64_t *shape, size_t ndim,
                     struct nerr *err);

#endif
