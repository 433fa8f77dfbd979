/*
 * Grammar check of a JSON text (RFC 8259) before cJSON sees it, and the place of every number in document
 * order. Used by json.c only.
 */
#ifndef NEFFSIM_UTIL_JSON_SCAN_H
#define NEFFSIM_UTIL_JSON_SCAN_H

#include <stddef.h>
#include <stdint.h>

#include "util/nerr.h"

struct json_number {
    size_t offset;     /* in the text */
    uint32_t len;      /* at most 63 */
    uint32_t position; /* among its siblings; filled by json_tree.c */
};

struct json_scan {
    const unsigned char *text;
    size_t len;
    size_t pos;
    unsigned depth;
    size_t values; /* read so far */
    size_t max_values;
    struct json_number *numbers; /* the caller frees, also after an error */
    size_t nnumbers, capacity;
    const char *where;
    struct nerr *err;
};

/* text, len, max_values, where and err are set by the caller, the rest is 0. */
int json_scan(struct json_scan *s);

#endif
