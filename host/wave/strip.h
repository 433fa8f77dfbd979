/*
 * What two waves hold around the first difference of a signal: short lists of changes, golden and actual, in
 * a window that shows the difference and what led to it. Memory is bounded by the number of signals.
 */
#ifndef NEFFSIM_WAVE_STRIP_H
#define NEFFSIM_WAVE_STRIP_H

#include "wave/compare.h"
#include "wave/reader.h"
#include "wave/wtime.h"

#define STRIP_BEFORE 14  /* changes kept before the difference, per side */
#define STRIP_AFTER  26  /* and from it on */
#define STRIP_CLOCK  400 /* changes of the clock that are drawn; more are a grey band */

struct wave_strip_point {
    wave_time at;
    char *value;
    size_t len;
};

/* points[0] holds at or before the window's start; the value of each lasts until the next. */
struct wave_strip_lane {
    enum wave_kind kind;
    uint32_t width;
    struct wave_strip_point *points;
    size_t n, capacity;
    bool dense; /* the clock has more changes than are kept */
};

struct wave_strip {
    const struct wave_signal_result *signal;
    struct wave_strip_lane golden, actual, clock; /* clock without points: none, or out of the window */
    wave_time first, from, to;
};

struct wave_strips {
    struct wave_strip *list;
    size_t n;
    int base, unit;       /* of the times; unit for texts */
    wave_time start, end; /* of both files together */
    char *clock;          /* name of the clock, NULL: none */
};

/* The first `limit` listed signals whose values differ at a time. Freed by wave_strips_free either way. */
int wave_strips_read(const char *path_a, const char *path_b, const struct wave_options *options,
                     const struct wave_result *result, size_t limit, struct wave_strips *out,
                     struct nerr *err);
void wave_strips_free(struct wave_strips *s);

#endif
