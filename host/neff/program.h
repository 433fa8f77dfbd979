/*
 * The typed model of one graph of a NEFF: what the manifest chain (neff-container.md §8-18) says, checked and
 * linked. All pointers into member data are borrowed from the struct neff, which must outlive the program.
 */
#ifndef NEFFSIM_NEFF_PROGRAM_H
#define NEFFSIM_NEFF_PROGRAM_H

#include "neff/neff.h"

#define PROG_ENGINES     5 /* ENG_PE .. ENG_SP */
#define PROG_MAX_DIMS    8
#define PROG_IO_MAX_DIMS 32

struct prog_var {
    char *name;
    int kind; /* VARK_* (neff-container §12, kbin_mr_type) */
    uint32_t var_id;
    uint64_t size;      /* bytes; for file variables the payload's size; 0 for state-buffer */
    uint32_t alignment; /* power of two, default 64 */
    char dtype[24];     /* text, may be empty */
    uint64_t shape[PROG_MAX_DIMS];
    size_t ndim;
    char *file_name;        /* file variables: member below sg_dir */
    const uint8_t *payload; /* file variables: weight bytes (npy header stripped), else NULL */
    uint64_t backing_off;   /* virtual */
    int backing;            /* virtual: 0 local, 1 shared, 2 sharded, 3 main */
    uint32_t referenced_id; /* pointer */
};

struct prog_io { /* a graph input or output as neff.json tells it, §9 */
    char *name;
    char dtype[24];
    uint64_t shape[PROG_IO_MAX_DIMS];
    size_t ndim;
    uint64_t size; /* bytes */
};

struct prog_queue { /* dma_queue entry, §13 */
    char *name;
    int ring_kind;     /* RINGK_* */
    int owner;         /* engine */
    int64_t semaphore; /* -1 when the queue has none */
    const char
        *extra; /* a key that asks for more than a plain ring ("dge", "pinned", "num_queues", ...), or NULL */
};

struct prog_pattern { /* one side of a copy, §14; innermost dimension first, steps in bytes */
    size_t var;       /* index into vars */
    uint64_t offset;
    size_t ndim;
    uint64_t sizes[PROG_MAX_DIMS];
    int64_t steps[PROG_MAX_DIMS];
};

struct prog_desc {                /* only op copy in this milestone; others are refused by load */
    int op;                       /* 0 copy, 1 fma, 2 add, 3 min, 4 max, 5 transpose */
    struct prog_pattern from, to; /* from: the first source when there are several */
    size_t nsources;
    bool typed;  /* has a dtype or cast: sizes count elements, not bytes */
    char *where; /* "sg00/pool.json dma[0].desc[0]" */
};

struct prog_block {
    size_t queue; /* index into queues */
    uint32_t id;
    struct prog_desc *desc;
    size_t ndesc;
    int engine;        /* whose JSON it came from; the queue's owner for a block of def.json itself */
    size_t json_index; /* dma[i] */
};

struct prog_engine {
    bool present;        /* def.json names it */
    char *json_name;     /* member, e.g. "sg00/pool.json"; NULL when absent */
    char *bin_name;      /* member, e.g. "sg00/pool.bin" */
    const uint8_t *code; /* borrowed; NULL when empty */
    size_t code_size;    /* bytes */
};

struct program {
    char *graph_name;      /* "sg00" */
    char *sg_dir;          /* "sg00" */
    char target[16];       /* as in the kelf ("*", "cayman", ...) */
    struct prog_var *vars; /* ascending var_id, vars[i].var_id == i */
    size_t nvars;
    struct prog_name { /* sorted by name, for program_find_var */
        const char *name;
        size_t index;
    } * var_names;
    struct prog_queue *queues; /* sorted by name (bytes) */
    size_t nqueues;
    struct prog_block *blocks; /* in file order: engine PE..SP, dma[] order */
    size_t nblocks;
    struct prog_engine engines[PROG_ENGINES];
    struct prog_io *inputs, *outputs; /* of the whole NEFF, in neff.json order */
    size_t ninputs, noutputs;
    size_t ngroups;      /* replica_groups topologies */
    uint64_t world_size; /* different ranks named in replica_groups, 1 for [[]] */
    uint64_t num_streams;
    bool has_ucode_lib;
    bool has_sb_reservation; /* the key is present */
    bool has_evtaccel;       /* with an entry of type evtaccel: */
    struct prog_carveout {
        uint64_t offset, size, base_partition, partitions;
    } evtaccel;
};

/*
 * Reads graph `graph` (NULL: the first). Every manifest rule of §8-18 that does not depend on the
 * architecture is checked; the error names member and JSON path. The caller frees with program_free.
 */
int program_read(const struct neff *n, const char *graph, struct program **out, struct nerr *err);
void program_free(struct program *p);

/* Names of the graphs of the kelf, in file order; *names is one allocation that the caller frees. */
int program_graphs(const struct neff *n, const char ***names, size_t *count, struct nerr *err);

/* The rules that depend on the chip: tier 2 of §20 (target) and, for cayman, the carveout of §17. arch: 2, 3
 * or 4. */
int program_check_arch(const struct program *p, unsigned arch, struct nerr *err);

/* Words of the manifests for VARK_* ("tmp-buf") and RINGK_* codes ("in"); "?" for codes that no word gives.
 */
const char *program_var_kind_name(int kind);
const char *program_ring_kind_name(int ring_kind);

/* "pe", "act", "pool", "dve", "sp"; "?" for anything else. */
const char *program_engine_name(int engine);

/* Index of a variable / queue by name, or -1. */
long program_find_var(const struct program *p, const char *name);
long program_find_queue(const struct program *p, const char *name);

#endif
