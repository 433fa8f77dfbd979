/*
 * One run: NEFF -> load plan -> device -> records -> verdict. The order of things, nothing else.
 */
#ifndef NEFFSIM_RUN_RUN_H
#define NEFFSIM_RUN_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "check/check.h"
#include "device/device.h"
#include "load/loadplan.h"

#define RUN_QUEUES      4 /* record queues of the reference test bench: implicit, explicit, events, errors */
#define RUN_HANG_CYCLES 20000 /* clocks without an event after which a run hangs */

struct run_named_file {
    const char *name; /* variable */
    const char *path; /* .npy, or raw bytes otherwise; for outputs also a .sha256 of the raw bytes */
};

struct run_patch { /* bytes written after loading and before the first register write */
    uint64_t addr; /* SoC */
    const uint8_t *bytes;
    size_t len;
};

struct run_config {
    const char *neff_path; /* a NEFF file, or with neff_bytes only a name for messages */
    const uint8_t *neff_bytes;
    size_t neff_len;
    bool no_hash;
    uint64_t max_inflate; /* largest archive of the NEFF in bytes, 0: default */
    const char *device;   /* "rtl", "ref", "record:F", "replay:F" */
    struct dev_config dev;
    struct load_config load;
    const struct run_named_file *inputs;
    size_t ninputs;
    const struct run_named_file *golden; /* expected outputs */
    size_t ngolden;
    const char
        *golden_dir; /* holds NAME.npy, NAME.bin or NAME.sha256 for every output; NULL: only `golden` */
    const char *output_dir;      /* NULL: outputs are not written */
    const char *wave;            /* NULL: no wave */
    uint64_t wave_from, wave_to; /* clocks, inclusive */
    const char *events;          /* JSON lines file, NULL: none */
    const struct run_patch *patches;
    size_t npatches;
    uint64_t max_cycles;  /* 0: no limit but the hang detector */
    uint64_t hang_cycles; /* 0: 20000 */
    unsigned inferences;  /* 0: 1 */
    bool keep_rings;      /* do not reset DMA queues between inferences: rings wrap and change phase */
    bool no_check;
    void (*progress)(void *ctx, uint64_t cycle); /* may be NULL */
    void *progress_ctx;
};

enum run_verdict {
    RUN_PASS,    /* ran, every event right, outputs equal */
    RUN_DIFFERS, /* the checker, the golden or a device error said no: exit 1 */
    RUN_HANG,    /* no progress or cycle limit: exit 3 */
    RUN_ERROR,   /* input, device or system error: exit code of err */
};

struct run_record {
    unsigned queue, type;
    uint32_t w0, w1;
    uint64_t ps;
};

struct run_output {
    char *name;
    uint64_t bytes;
    enum { RUN_OUT_NOT_COMPARED, RUN_OUT_EQUAL, RUN_OUT_DIFFERS } state;
    char text[200]; /* first difference */
};

struct run_result {
    enum run_verdict verdict;
    struct nerr err; /* why, unless RUN_PASS */
    uint64_t cycles, ps;
    double seconds; /* wall time of everything after the file was read */
    uint64_t retired[PROG_ENGINES];
    uint64_t events;
    uint64_t fail_cycle;      /* cycle of the first difference or of the hang */
    struct chk_report report; /* when the checker failed */
    unsigned suspect;         /* engine to look at first in a hang: one that stands in its program */
    char *text;               /* report for people (mismatch or hang), or NULL */
    struct run_record *records;
    size_t nrecords;
    struct run_output *outputs;
    size_t noutputs;
    int engine_state[PROG_ENGINES]; /* ESTATE_* before the stop; -1 unknown */
    uint32_t halt_reason[PROG_ENGINES], error_word[PROG_ENGINES];
    char device[16];
    bool checked;
    bool injected; /* the requested fault happened */
    bool wave_written;
};

/* Runs. The result is always filled and the caller frees it. Returns the exit code (architecture §6). */
int run_execute(const struct run_config *cfg, struct run_result *res);
void run_result_free(struct run_result *res);

/* Exit code of a verdict. */
int run_exit_code(const struct run_result *res);

#endif
