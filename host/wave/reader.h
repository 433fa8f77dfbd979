/*
 * The interface between a wave file format and everything that uses waves: declarations at once, then a
 * stream of time steps to pull from. One implementation per format (fst.c); wave_reader_open picks it by the
 * file's first bytes.
 */
#ifndef NEFFSIM_WAVE_READER_H
#define NEFFSIM_WAVE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/nerr.h"

enum wave_kind {
    WAVE_BITS,   /* value: one character per bit, most significant first, lower case (0 1 x z h u w l -) */
    WAVE_REAL,   /* value: 16 significant decimal digits */
    WAVE_STRING, /* value: any bytes, any length */
    WAVE_EVENT,  /* value "1" in the time steps in which it fires */
};

struct wave_var {
    char *name; /* full name */
    uint32_t signal;
    uint32_t width; /* bits; 64 for a real, 0 for a string */
    enum wave_kind kind;
    bool is_number; /* declared as an integer, parameter, real or string and not as a vector of bits */
};

enum wave_record_kind { WAVE_TIME, WAVE_CHANGE, WAVE_END };

/* TIME opens a step; the CHANGEs that follow belong to it, the last one of a signal counts. Times never
 * decrease. */
struct wave_record {
    enum wave_record_kind kind;
    uint64_t time; /* ticks */
    uint32_t signal;
    uint32_t len;
    const char *value; /* len bytes, no NUL; valid until the next call */
};

struct wave_reader;

struct wave_reader_ops {
    /* Starts the stream from the beginning. wanted: one byte per signal, 0 = leave its changes out; NULL:
     * all. */
    int (*start)(struct wave_reader *r, const uint8_t *wanted, struct nerr *err);
    int (*next)(struct wave_reader *r, struct wave_record *out, struct nerr *err);
    void (*close)(struct wave_reader *r);
};

struct wave_reader {
    const struct wave_reader_ops *ops;
    char *path;
    int exponent;    /* one tick is factor * 10^exponent seconds */
    uint32_t factor; /* 1 but for files with a tick such as 244 ns */
    bool has_timescale;
    int64_t timezero;
    uint64_t start, end; /* ticks */
    uint64_t nscopes;
    struct wave_var *vars; /* in declaration order */
    size_t nvars;
    uint32_t nsignals;
};

#define WAVE_EXPONENT_MIN (-21)
#define WAVE_EXPONENT_MAX 2

int wave_reader_open(const char *path, struct wave_reader **out, struct nerr *err);
void wave_reader_close(struct wave_reader *r); /* NULL is allowed */

/* Initial value of a signal of this kind: x for bits, nan for a real, "" for a string, 0 for an event. */
uint32_t wave_initial(enum wave_kind kind, uint32_t width, char *value);

#endif
