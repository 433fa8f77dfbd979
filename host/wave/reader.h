/*
 * The interface between a wave file format and everything that uses waves: declarations at once, then a
 * stream of time steps to pull from. One implementation per format (fst.c, vcd.c); wave_reader_open picks it
 * by the file's first bytes.
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
    uint32_t scope; /* so many first bytes of name are scopes, their last dot included */
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

struct wave_open_options {
    bool allow_incomplete; /* read an unfinished file as far as it is complete instead of refusing it */
    unsigned
        patience; /* seconds of processor time a decoder may use without producing anything; 0: 10 or more */
    void (*warn)(void *ctx, const char *where, const char *text); /* what was skipped; NULL: nobody listens */
    void *warn_ctx;                                               /* both must stay valid until close */
};

struct wave_reader {
    const struct wave_reader_ops *ops;
    const char *format; /* "FST", "VCD" */
    char *path;
    struct wave_open_options options;
    bool incomplete;      /* the file is unfinished or cut; only with allow_incomplete */
    uint64_t complete_to; /* ticks; the stream ends with this time */
    char note[256];       /* a sentence about it */
    int exponent;         /* one tick is factor * 10^exponent seconds */
    uint32_t factor;      /* 1 but for files with a tick such as 244 ns */
    bool has_timescale;
    int64_t timezero;
    uint64_t start, end; /* ticks; of a VCD file known when the stream has ended */
    uint64_t nscopes;
    struct wave_var *vars; /* in declaration order */
    size_t nvars;
    uint32_t nsignals;
};

#define WAVE_EXPONENT_MIN (-21)
#define WAVE_EXPONENT_MAX 2

int wave_reader_open(const char *path, struct wave_reader **out, struct nerr *err);
int wave_reader_open_with(const char *path, const struct wave_open_options *options, struct wave_reader **out,
                          struct nerr *err);
void wave_reader_close(struct wave_reader *r); /* NULL is allowed */

/* Initial value of a signal of this kind: x for bits, nan for a real, "" for a string, 0 for an event. */
uint32_t wave_initial(enum wave_kind kind, uint32_t width, char *value);

#endif
