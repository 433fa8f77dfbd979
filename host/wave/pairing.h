/* Which signals of two files are compared with each other: those with equal full names. */
#ifndef NEFFSIM_WAVE_PAIRING_H
#define NEFFSIM_WAVE_PAIRING_H

#include "wave/reader.h"
#include "wave/wave.h"

struct wave_match { /* indices into vars */
    uint32_t a, b;
};

/*
 * Two values that have to agree, and the names under which they have to (aliases): matches[first .. first +
 * n). Comparing per pair and not per name keeps the cost independent of the number of aliases.
 */
struct wave_pair {
    uint32_t signal_a, signal_b;
    uint32_t first, n;
    enum wave_kind kind;
    uint32_t width;
    bool differed; /* its first difference was found */
    bool marked;   /* to be compared at the end of this time step */
};

struct wave_pairing {
    struct wave_match *matches;
    size_t nmatches;
    struct wave_pair *pairs;
    uint32_t npairs;
    struct wave_match *shapes; /* same name, other width or kind */
    size_t nshapes;
    uint32_t *only_a, *only_b; /* vars of one side, in declaration order */
    size_t nonly_a, nonly_b;
};

int wave_pairing_make(const struct wave_reader *a, const struct wave_reader *b,
                      const struct wave_diff_options *options, struct wave_pairing *out, struct nerr *err);
void wave_pairing_free(struct wave_pairing *p);

#endif
