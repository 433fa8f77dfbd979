/*
 * One of the two files of a comparison while it is being read: the current value of every signal, the step
 * that comes next, and which pairs each signal belongs to.
 */
#ifndef NEFFSIM_WAVE_SIDE_H
#define NEFFSIM_WAVE_SIDE_H

#include "wave/pairing.h"
#include "wave/reader.h"
#include "wave/wtime.h"

struct wave_value {
    char *text; /* NULL: the signal is not compared */
    uint32_t len, capacity;
    enum wave_kind kind;
    bool saved; /* the value before this step is in the undo list */
};

/* Value of a signal before the step in which it was written first; kept until something has really changed.
 */
struct wave_undo {
    uint32_t signal, len;
    char *text;
};

struct wave_side {
    struct wave_reader *reader;
    struct wave_value *values; /* per signal */
    uint32_t *first, *count;   /* per signal: its pairs are list[first .. first + count) */
    uint32_t *list;
    wave_time multiplier; /* ticks to the common unit */
    bool ended;
    wave_time when;   /* time of the next step, in the common unit */
    bool has_stepped; /* the first step, which holds the initial values, is done */
    bool changed;     /* some signal settled to another value after the first step */
    struct wave_undo *undo;
    size_t nundo, undo_capacity;
};

/* which: 0 reads the a half of the pairs, 1 the b half. base: exponent of the common unit. Freed by
 * wave_side_free. */
int wave_side_init(struct wave_side *s, struct wave_reader *reader, const struct wave_pairing *pairing,
                   int which, int base, struct nerr *err);
void wave_side_free(struct wave_side *s); /* not the reader */

/* Applies the step at s->when and moves to the next one. Calls touch for every write that changed a value. */
int wave_side_step(struct wave_side *s, void (*touch)(void *ctx, struct wave_side *s, uint32_t signal),
                   void *ctx, struct nerr *err);

/* End of a step: decides `changed`. */
void wave_side_settle(struct wave_side *s);

#endif
