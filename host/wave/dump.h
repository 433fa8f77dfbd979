/*
 * A wave as canonical text (docs/waves.md): settled values per time step, sorted by name, the same for every
 * file that holds the same values, whatever its format, id codes, aliases or order.
 */
#ifndef NEFFSIM_WAVE_DUMP_H
#define NEFFSIM_WAVE_DUMP_H

#include "wave/reader.h"
#include "wave/wave.h"

struct wave_dump_options {
    const char *const *globs; /* names to show; none: all */
    size_t nglobs;
    struct wave_window window;
};

/* Takes the text piece by piece, whole lines each; anything but 0 ends the dump. */
typedef int wave_dump_put(void *ctx, const char *text, size_t n, struct nerr *err);

/* NERR_INPUT when no name is selected. Memory is bounded by the signals, not by the time. */
int wave_dump(struct wave_reader *r, const struct wave_dump_options *options, wave_dump_put *put, void *ctx,
              struct nerr *err);

#endif
