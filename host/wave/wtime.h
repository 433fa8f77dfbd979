/*
 * Exact times over files with different timescales. A wave_time counts 10^base seconds, base being the finest
 * unit of everything that takes part, so that comparing is comparing integers.
 */
#ifndef NEFFSIM_WAVE_WTIME_H
#define NEFFSIM_WAVE_WTIME_H

#include <stdbool.h>
#include <stdint.h>

/* 64-bit ticks plus a 64-bit time zero, times at most 10^18: fits. */
typedef __int128 wave_time;

#define WAVE_EXPONENT_SPAN 18 /* largest exponent - base that a wave_time can hold */

/* 10^n, 0 <= n <= WAVE_EXPONENT_SPAN. */
wave_time wave_power(int n);

/*
 * "120 ns": t in units of 10^base s, written in the unit of exponent `unit` (>= base) when that is exact and
 * in base otherwise. The caller frees; NULL when out of memory.
 */
char *wave_time_text(wave_time t, int base, int unit);

/* Exponent of "ns" and the like; false when the text is no unit. */
bool wave_unit(const char *text, int *exponent);

#endif
