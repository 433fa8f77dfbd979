/*
 * A vector case: a folder with case.json, src/ (members of a NEFF), inputs and golden results
 * (docs/cases.md). Reading one gives a run_config and what to expect of its result.
 */
#ifndef NEFFSIM_RUN_VCASE_H
#define NEFFSIM_RUN_VCASE_H

#include "run/run.h"

struct vcase_record { /* a record that must appear, after the ones before it in the list */
    unsigned queue, type;
    uint32_t w0, w0_mask, w1, w1_mask;
};

struct vcase_engine {
    int state;                       /* ESTATE_*, -1: any */
    int64_t halt_reason, error_word; /* -1: any */
};

struct vcase {
    char *folder, *name;
    struct run_config cfg; /* points into this struct */
    uint8_t *neff;         /* packed from src/ */
    size_t neff_len;
    int exit_code; /* expected exit code of the run */
    char *text;    /* must appear in the report, or NULL */
    uint64_t min_retired;
    struct vcase_record *records;
    size_t nrecords;
    struct vcase_engine engines[PROG_ENGINES];
    char *golden_wave; /* path, or NULL */
    uint64_t wave_from, wave_to;
    struct run_named_file *inputs, *golden;
    struct run_patch *patches;
    char **strings; /* everything allocated for the lists above */
    size_t nstrings;
};

/* Reads DIR/case.json and packs DIR/src. The caller frees with vcase_free also after an error. */
int vcase_open(const char *dir, struct vcase *c, struct nerr *err);
void vcase_free(struct vcase *c);

/*
 * Judges the result of running the case: exit code, report text, records, engine states, retired slots, and
 * that every output with a golden was compared. Returns 0, or NERR_MISMATCH with the first expectation that
 * is not met.
 */
int vcase_judge(const struct vcase *c, const struct run_result *res, struct nerr *err);

#endif
