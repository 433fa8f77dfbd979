/* Access patterns: see runs.h. */
#include "load/runs.h"

#include <string.h>

const char *runs_check(const struct prog_pattern *p, uint64_t size, uint64_t *bytes)
{
    uint64_t total = 1;
    __int128 low = (__int128)p->offset, high = (__int128)p->offset;
    if (p->ndim < 1 || p->ndim > PROG_MAX_DIMS)
        return "the pattern has no dimensions, or more than 8";
    for (size_t d = 0; d < p->ndim; d++) {
        if (p->sizes[d] == 0)
            return "Size cannot be 0";
        if (__builtin_mul_overflow(total, p->sizes[d], &total))
            return "the pattern has more than 2^64 bytes";
        __int128 span = (__int128)(p->sizes[d] - 1) * p->steps[d];
        if (span < 0)
            low += span;
        else
            high += span;
    }
    *bytes = total;
    if (low < 0 || high >= (__int128)size)
        return "the pattern leaves its variable";
    return NULL;
}

/* Folds the innermost dimensions that continue each other; returns the first one that does not. */
static size_t fold(const struct prog_pattern *p, uint64_t *length)
{
    size_t d = 0;
    *length = 1;
    while (d < p->ndim && (p->sizes[d] == 1 || (uint64_t)p->steps[d] == *length))
        *length *= p->sizes[d++];
    return d;
}

uint64_t runs_count(const struct prog_pattern *p)
{
    uint64_t length, n = 1;
    for (size_t d = fold(p, &length); d < p->ndim; d++)
        n *= p->sizes[d];
    return n;
}

void runs_start(struct runs *r, const struct prog_pattern *p)
{
    memset(r, 0, sizeof *r);
    r->pattern = p;
    r->first = fold(p, &r->length);
    r->offset = p->offset;
}

void runs_next(struct runs *r)
{
    const struct prog_pattern *p = r->pattern;
    for (size_t d = r->first; d < p->ndim; d++) {
        if (++r->counter[d] < p->sizes[d]) {
            r->offset += (uint64_t)p->steps[d];
            return;
        }
        r->offset -= (uint64_t)p->steps[d] * (p->sizes[d] - 1);
        r->counter[d] = 0;
    }
    r->done = true;
}
