/*
 * A comparison in GTKWave: golden and actual of each listed signal side by side, out of one merged trace
 * (merge.h), with the marker on the first difference.
 */
#ifndef NEFFSIM_WAVE_GTKW_DIFF_H
#define NEFFSIM_WAVE_GTKW_DIFF_H

#include <stdbool.h>

#include "wave/report.h"

/*
 * Writes `path` and the trace beside it, path with ".fst" behind it. *trace gets the name of the trace
 * (malloc), or NULL when no listed signal differs in its values: then nothing is written. Reads both files
 * twice. Every name in the save file is in the trace. Nothing is left behind after an error.
 */
int wave_gtkw_diff(const char *path, const struct wave_report *r, char **trace, struct nerr *err);

#endif
