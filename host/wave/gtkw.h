/*
 * Files for GTKWave: a save file that opens a wave at the interesting place, and translate filters that show
 * names instead of numbers. Load with `gtkwave FILE.fst FILE.gtkw`.
 */
#ifndef NEFFSIM_WAVE_GTKW_H
#define NEFFSIM_WAVE_GTKW_H

#include <stddef.h>
#include <stdint.h>

#include "util/nerr.h"
#include "wave/decode.h"
#include "wave/wave.h"

enum gtkw_format { GTKW_AUTO, GTKW_HEX, GTKW_DEC, GTKW_BIN, GTKW_ASCII }; /* AUTO: hex, one bit in binary */

enum gtkw_color { GTKW_PLAIN, GTKW_RED, GTKW_ORANGE, GTKW_YELLOW, GTKW_GREEN, GTKW_BLUE };

/*
 * One row: a comment, a signal, or a signal with a comment above it. A row without a filter and with format
 * GTKW_AUTO whose signal carries a hardware record (wave/decode.h) is shown in words when the filter program
 * is at hand.
 */
struct gtkw_row {
    const char *name;    /* full name (wave.h), NULL for a comment alone */
    const char *comment; /* or NULL */
    const char *filter;  /* path of a translate filter file, or NULL */
    enum gtkw_format format;
    enum gtkw_color color;
    const char *alias; /* shown instead of the last part of the name, or NULL; without braces */
};

/* What is in view at first, in ticks of the wave; from == to: around the marker. */
struct gtkw_view {
    uint64_t marker, from, to;
    const struct wave_decode_rule *decode; /* what else carries records (--decode); ndecode 0: nothing */
    size_t ndecode;
};

/*
 * Writes the save file `path` for the wave fst_path with the primary marker at `marker` (ticks of the wave)
 * and the view around it. Every name must be in the wave (NERR_RULE names the first that is not: GTKWave
 * itself would drop it without a word). The file appears whole or not at all.
 */
int wave_gtkw_write(const char *path, const char *fst_path, const struct gtkw_row *rows, size_t nrows,
                    uint64_t marker, struct nerr *err);

/* As above, with the view chosen. */
int wave_gtkw_write_view(const char *path, const char *fst_path, const struct gtkw_row *rows, size_t nrows,
                         const struct gtkw_view *view, struct nerr *err);

struct gtkw_label {
    uint64_t number;
    const char *name;
};

/* Translate filter for a signal of `width` bits (1..64) shown in hexadecimal. */
int wave_filter_write(const char *path, const struct gtkw_label *labels, size_t nlabels, unsigned width,
                      struct nerr *err);

#endif
