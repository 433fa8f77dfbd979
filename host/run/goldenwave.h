/* The golden wave of a case: same names and settled values per time step as the wave of this run. */
#ifndef NEFFSIM_RUN_GOLDENWAVE_H
#define NEFFSIM_RUN_GOLDENWAVE_H

#include "run/vcase.h"
#include "util/strbuf.h"

/* Compares fst with the case's golden wave. 0, NERR_MISMATCH with the first difference, or a reading error.
 */
int golden_wave_compare(const struct vcase *c, const char *fst, struct nerr *err);

/*
 * Makes fst the golden wave, after appending to *text how it differs from the old one. fst is moved or copied
 * away.
 */
int golden_wave_record(const struct vcase *c, const char *fst, struct strbuf *text, struct nerr *err);

#endif
