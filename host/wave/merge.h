/*
 * One trace out of two: the chosen signals of a comparison side by side, for a viewer that opens one file.
 * golden.<hierarchy> holds what A had, actual.<hierarchy> what B had, and differs.<hierarchy> one bit per
 * signal that is 1 while the two are not the same.
 */
#ifndef NEFFSIM_WAVE_MERGE_H
#define NEFFSIM_WAVE_MERGE_H

#include "wave/compare.h"

struct wave_merge_signal {
    char *golden, *actual, *differs; /* full names in the merged trace */
};

struct wave_merge {
    struct wave_merge_signal *list; /* one for each name asked for */
    size_t n;
    char *clock;     /* full name, NULL: none */
    uint64_t marker; /* `first` in ticks of the trace */
};

/*
 * Writes the FST file `path` with the n signals of A and B (names as wave_signal_result has them) and with
 * the clock of A if the options name one. It appears whole or not at all. The file is read and written step
 * by step: memory depends on the signals only. NERR_INPUT also when the times do not fit 64 bits.
 */
int wave_merge_write(const char *path, const char *path_a, const char *path_b,
                     const struct wave_options *options, const char *const *names_a,
                     const char *const *names_b, size_t n, const struct wave_moment *first,
                     struct wave_merge *out, struct nerr *err);
void wave_merge_free(struct wave_merge *m);

#endif
