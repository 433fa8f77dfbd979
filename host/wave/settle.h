/* A wave as its settled values: one time step at a time, with the signals that are different after it. */
#ifndef NEFFSIM_WAVE_SETTLE_H
#define NEFFSIM_WAVE_SETTLE_H

#include "wave/reader.h"

struct wave_cell {
    char *now, *before; /* one block; before: value after the previous step */
    uint32_t now_len, before_len, capacity;
    enum wave_kind kind;
    bool touched;
};

struct wave_settle {
    struct wave_reader *reader;
    struct wave_cell *cells; /* per signal; now is NULL where not wanted */
    uint32_t *touched;       /* scratch: signals written in this step */
    uint32_t *changed;       /* signals whose value differs after this step, and events that fired in it */
    size_t ntouched, nchanged;
    bool has_next, ended;
    uint64_t time, next_time;
    uint64_t records; /* value records so far, repeats included */
};

/* Starts the stream. wanted: one byte per signal, NULL: all. Free it in any case. */
int wave_settle_start(struct wave_settle *s, struct wave_reader *r, const uint8_t *wanted, struct nerr *err);

/* Reads one time step into time and changed[]; ended is set when there was none. */
int wave_settle_step(struct wave_settle *s, struct nerr *err);
void wave_settle_free(struct wave_settle *s);

#endif
