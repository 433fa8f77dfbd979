/*
 * Waveform files: what is in one, whether two hold the same values, and what GTKWave needs to show the place
 * (architecture §7.1). FST is read through the library that ships with Verilator; a damaged or unfinished
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

/* ---- whether two files agree
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

struct wave_diff_options {
    const char *const *ignore; /* globs: names left out */
    size_t nignore;
    const char *const *only; /* globs: names kept; none: all */
    size_t nonly;
    struct wave_window window;
    size_t limit;     /* differences listed per kind, 0 = all; counting goes on */
    bool allow_empty; /* equal although nothing was compared or nothing ever changed */
};

enum wave_difference_kind {
    WAVE_VALUE,  /* values differ at a time */
    WAVE_SHAPE,  /* declared with another width or kind; values not compared */
    WAVE_ONLY_A, /* missing in B */
    WAVE_ONLY_B, /* missing in A */
};

struct wave_difference {
    enum wave_difference_kind kind;
    char *name;
    char *time; /* "120 ns"; NULL unless kind is WAVE_VALUE */
    char *a;    /* value or declaration in A; NULL when missing there */
    char *b;
    uint64_t ticks_b; /* the same time in ticks of B (rounded down), for a marker */
};

struct wave_diff_result {
    uint64_t compared;               /* names whose values were compared */
    uint64_t count[WAVE_ONLY_B + 1]; /* differing names by kind */
    struct wave_difference *list; /* values by time, then in A's order of declaration; then the other kinds */
    size_t nlist;
    bool ends_differ;    /* the files stop at different times */
    char *end_a, *end_b; /* with unit */
};

/*
 * Compares the settled values of equally named signals at every time at which either file changes: the last
 * value written in a time step counts, repeats and the order inside a step do not. Signals hold their last
 * value beyond the end of their file; never written is x. x, z and every other state are values of their own.
 *
 * Returns 0 when the files could be judged (then wave_diff_equal tells), otherwise NERR_INPUT, NERR_IO or
 * NERR_MEM; nothing compared and nothing ever changed are NERR_INPUT unless allow_empty. The result must be
 * freed either way.
 */
int wave_diff(const char *path_a, const char *path_b, const struct wave_diff_options *options,
              struct wave_diff_result *result, struct nerr *err);
bool wave_diff_equal(const struct wave_diff_result *result);
void wave_diff_free(struct wave_diff_result *result);

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
