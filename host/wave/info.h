/* What is in a wave file: the numbers of `neffsim wave info`. */
#ifndef NEFFSIM_WAVE_INFO_H
#define NEFFSIM_WAVE_INFO_H

#include "wave/reader.h"
#include "wave/wave.h"

struct wave_scope_activity {
    char *scope;      /* "top.core", "" for names outside any scope */
    uint64_t names;   /* declared directly in it */
    uint64_t changes; /* of those names */
};

struct wave_summary {
    const char *format; /* "FST", "VCD" */
    int exponent;       /* one tick is factor * 10^exponent seconds */
    uint32_t factor;
    bool has_timescale;
    int64_t timezero;    /* ticks to add to every time of the file */
    uint64_t start, end; /* ticks */
    uint64_t scopes, names, signals;
    uint64_t steps;                   /* times at which something is written */
    uint64_t records;                 /* values written, repeats included */
    uint64_t changes;                 /* of settled values, summed over the signals */
    uint64_t quiet;                   /* signals that never change after the first time step */
    struct wave_scope_activity *list; /* scopes with names, the most active first */
    size_t nlist;
    bool incomplete;
    uint64_t complete_to;
    char note[256];
};

/* Reads the whole file, so a file that passes is complete and decodable. Free out in any case. */
int wave_summarise(const char *path, const struct wave_open_options *options, struct wave_summary *out,
                   struct nerr *err);
void wave_summary_free(struct wave_summary *s);

/* wave_list (wave.h) with options for opening; without their warn, a second opening says nothing twice. */
int wave_list_with(const char *path, const struct wave_open_options *options, const char *const *globs,
                   size_t nglobs, struct wave_names *out, struct nerr *err);

#endif
