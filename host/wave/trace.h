/*
 * Chosen signals of one wave file, step by step with their settled values: what the strips of a report and
 * the merged trace for GTKWave are made from. Memory depends on the chosen signals, not on time.
 */
#ifndef NEFFSIM_WAVE_TRACE_H
#define NEFFSIM_WAVE_TRACE_H

#include "wave/compare.h"
#include "wave/names.h"
#include "wave/reader.h"
#include "wave/wtime.h"

struct wave_lane {
    struct wave_piece *pieces; /* most significant first */
    uint32_t npieces;
    enum wave_kind kind;
    uint32_t width; /* bits; 64 for a real, 0 for a string */
    char *value;    /* settled */
    size_t len, capacity;
    bool changed; /* in the step done last */
    bool touched; /* private */
};

struct wave_trace_value {
    char *text; /* NULL: not chosen */
    size_t len, capacity;
};

struct wave_trace {
    struct wave_reader *reader;
    struct wave_lane *lanes;
    size_t nlanes;
    struct wave_trace_value *values; /* per signal */
    uint32_t *first, *users;         /* per signal: the lanes users[first[s] .. first[s + 1]) */
    uint32_t *list;                  /* touched lanes */
    size_t nlist;
    char *scratch; /* a composed value */
    size_t scratch_capacity;
    wave_time multiplier, offset; /* ticks to common units, and what is added */
    bool ended;                   /* no further step */
    wave_time when;               /* of the next step */
    wave_time now;                /* of the step done last */
};

/*
 * Opens path and finds the named signals: full names, slices, or "{a, b[3:0]}" for several, most significant
 * first. NULL among the names gives a lane without pieces. NERR_RULE names what the file does not have.
 */
int wave_trace_open(struct wave_trace *t, const char *path, const struct wave_options *options,
                    const char *const *names, size_t nnames, struct nerr *err);
void wave_trace_close(struct wave_trace *t); /* also after a failed open */

/* Starts from the beginning. Times are (ticks + time zero) in units of 10^base s, plus offset. */
int wave_trace_start(struct wave_trace *t, int base, wave_time offset, struct nerr *err);

/* Does the step at t->when: now, values and `changed` of every lane. Not after `ended`. */
int wave_trace_step(struct wave_trace *t, struct nerr *err);

/* When the file ends, which a VCD file says only after its last step. */
wave_time wave_trace_end(const struct wave_trace *t);

/* The same signals of the two files of a comparison, on one time axis: B is moved by options->shift. */
struct wave_trace_pair {
    struct wave_trace a, b;
    int base;        /* times count 10^base seconds */
    int unit;        /* exponent of A's ticks, for texts */
    wave_time shift; /* added to times of B */
    enum wave_x_rule x;
};

/* names_a and names_b have n entries each; NULL where a side is not asked. */
int wave_trace_pair_open(struct wave_trace_pair *p, const char *path_a, const char *path_b,
                         const struct wave_options *options, const char *const *names_a,
                         const char *const *names_b, size_t n, struct nerr *err);
int wave_trace_pair_start(struct wave_trace_pair *p, struct nerr *err);
void wave_trace_pair_close(struct wave_trace_pair *p); /* also after a failed open */

/* Two values under the rule about x; what other rules of a comparison accept still differs. */
bool wave_values_agree(enum wave_kind kind, const char *a, size_t na, const char *b, size_t nb,
                       enum wave_x_rule rule);
bool wave_lanes_agree(const struct wave_lane *a, const struct wave_lane *b, enum wave_x_rule rule);

/* When the moment is, which is a tick of one of the files at least. */
wave_time wave_trace_moment(const struct wave_trace_pair *p, const struct wave_moment *m);

#endif
