/*
 * Waveform files: what is in one, names, times and values as people write them (architecture §7.1;
 * comparing: compare.h). FST is read through the library that ships with Verilator; a damaged or unfinished
 * file gives NERR_INPUT and never ends or hangs the caller (reader.h, fst_stream.c).
 *
 * Full names are the scopes joined with dots and the declared name; the blank that some tools put before a
 * range is dropped ("top.core.data[7:0]"), as GTKWave shows them. In a glob `*` stands for any text, dots
 * included, and `?` for one character; brackets stand for themselves.
 */
#ifndef NEFFSIM_WAVE_WAVE_H
#define NEFFSIM_WAVE_WAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/nerr.h"

/* ---- what is in a file
 * ------------------------------------------------------------------------------------------ */

struct wave_info {
    int exponent;     /* one tick is 10^exponent seconds */
    int64_t timezero; /* ticks to add to every time of the file */
    uint64_t start;   /* ticks, as the header says */
    uint64_t end;
    uint64_t scopes;
    uint64_t vars;    /* names */
    uint64_t signals; /* distinct values behind the names */
    uint64_t changes; /* value records in the file, initial values and repeats included */
};

/* Reads the whole file, so a file that passes is complete and decodable. */
int wave_get_info(const char *path, struct wave_info *info, struct nerr *err);

/* Full names in declaration order, with the number of bits (64 for a real, 0 for a string). */
struct wave_names {
    char **name;
    uint32_t *width;
    size_t n;
};

/* Names that match any of nglobs globs; nglobs 0: all. The caller frees with wave_names_free. */
int wave_list(const char *path, const char *const *globs, size_t nglobs, struct wave_names *out,
              struct nerr *err);
void wave_names_free(struct wave_names *names);

bool wave_glob(const char *glob, const char *text);
bool wave_glob_n(const char *glob, const char *text, size_t len);

/* ---- times on a command line
 * ------------------------------------------------------------------------------------ */

/* A point in time on the command line: ticks of file A, or with a unit an exact time. */
struct wave_bound {
    bool set;
    bool has_unit;
    int exponent; /* with has_unit: value counts 10^exponent seconds */
    uint64_t value;
};

struct wave_window {
    struct wave_bound from, to; /* both inclusive; not set: open */
};

/* "100", "10ns". NERR_INPUT with a sentence otherwise. */
int wave_bound_parse(const char *text, struct wave_bound *out, struct nerr *err);

/* "100:200", "10ns:", ":3us". NERR_INPUT with a sentence otherwise. */
int wave_window_parse(const char *text, struct wave_window *out, struct nerr *err);

/*
 * Two differing values for one line of text: as they are up to 64 characters; of longer ones both show the
 * same part, around the first character that differs, with "..." for what is left out.
 */
#define WAVE_BRIEF_BYTES 80
struct wave_brief {
    char a[WAVE_BRIEF_BYTES], b[WAVE_BRIEF_BYTES];
};
struct wave_brief wave_brief(const char *a, const char *b);

#endif
