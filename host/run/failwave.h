/*
 * The wave around a failure (architecture §5): a run traces nothing; when it fails on the RTL, the same run
 * is repeated with tracing on for the clocks around the failing one. The bench is deterministic, so it fails
 * in the same clock.
 */
#ifndef NEFFSIM_RUN_FAILWAVE_H
#define NEFFSIM_RUN_FAILWAVE_H

#include "run/run.h"

#define FAIL_WAVE_BEFORE 2000 /* clocks traced before the failing one */
#define FAIL_WAVE_AFTER  100

struct fail_wave {
    char *fst; /* NULL: no wave was made */
    char *gtkw;
};

/*
 * Does nothing unless the result is a difference or a hang on the RTL and the run had no wave of its own.
 * path NULL:
 * "<neff without .neff>-fail.fst" in the output folder or the current one. Failing to make the wave is not an
 * error of the run. The caller frees with fail_wave_free.
 */
void fail_wave_record(const struct run_config *cfg, const struct run_result *res, const char *path,
                      struct fail_wave *out);
void fail_wave_free(struct fail_wave *w);

#endif
