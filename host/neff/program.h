/*
 * The typed model of one graph of a NEFF: what the manifest chain (neff-container.md §8-18) says, checked and
 * linked. All pointers into member data are borrowed from the struct neff, which must outlive the program.
 */
#ifndef NEFFSIM_NEFF_PROGRAM_H
#define NEFFSIM_NEFF_PROGRAM_H

#include "neff/neff.h"
#include "util/findings.h"

#define PROG_ENGINES     5 /* ENG_PE .. ENG_SP */
#define PROG_MAX_DIMS    8
#define PROG_IO_MAX_DIMS 32
#define PROG_DVE_TABLES  5

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
    bool alt_path;          /* virtual: fabric_path is "alt" */
    uint32_t *list;         /* list (and dge-table, when given): ids of its elements */
    size_t nlist;
    uint32_t remote_graph, remote_id; /* remote: graph (relative) and variable there */
    bool has_remote;                  /* the two keys are there */
    char *print_prefix;               /* device-print text, or NULL */
    uint32_t print_pipe;
    bool bad; /* only with findings: could not be read, a finding says why; do not judge uses of it */
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
    uint32_t *semaphore_set;
    size_t nsemaphores;     /* of the set */
    uint64_t num_queues;    /* size of the queue set, 1 for a plain queue */
    char **instances;       /* names of the ring instances; NULL elements for instances without a name */
    size_t ninstances;      /* queue_instances */
    int64_t sync_semaphore; /* embedding_update_sync_semaphore, -1 when absent */
    bool pinned, dge, dynamic_dma, indirect;
    bool bad; /* as for a variable */
};

struct prog_pattern { /* one side of a copy, §14; innermost dimension first, steps in bytes */
    size_t var;       /* index into vars */
    uint64_t offset;
    size_t ndim;
    uint64_t sizes[PROG_MAX_DIMS];
    int64_t steps[PROG_MAX_DIMS];
    int dtype;    /* KDTYPE_*, 0 when it has none: sizes count bytes */
    double scale; /* of a source of fma, 1 when absent */
};

struct prog_desc {                /* load runs op copy only; others are refused there */
    int op;                       /* 0 copy, 1 fma, 2 add, 3 min, 4 max, 5 transpose */
    struct prog_pattern from, to; /* from: the first source when there are several */
    size_t nsources;
    struct prog_pattern *more; /* sources 2 to nsources, or NULL */
    bool typed;                /* has a dtype or cast: sizes count elements, not bytes */
    bool cast, has_constant;
    double constant;        /* operand of min / max */
    uint64_t bytes;         /* that arrive at `to` */
    uint64_t element_bytes; /* transpose_element_size, 0 when absent */
    uint64_t tiling_dims;   /* num_tiling_dimensions, 0 when absent */
    char *where;            /* "sg00/pool.json dma[0].desc[0]" */
    bool bad;               /* as for a variable */
};

struct prog_block {
    size_t queue; /* index into queues */
    uint32_t id;
    struct prog_desc *desc;
    size_t ndesc;
    int engine;        /* whose JSON it came from; the queue's owner for a block of def.json itself */
    size_t json_index; /* dma[i] */
    char *instance;    /* instance_name, or NULL: the queue itself */
    uint8_t priority_class;
    bool function_start, section_start;
    size_t nremote; /* remote_semaphores */
    uint64_t bytes; /* sum over the descriptors */
    bool from_def;  /* an entry of the top-level dma of def.json */
    bool bad;       /* as for a variable; queue and id then mean nothing */
};

struct prog_engine {
    bool present;        /* def.json names it */
    char *json_name;     /* member, e.g. "sg00/pool.json"; NULL when absent */
    char *bin_name;      /* member, e.g. "sg00/pool.bin" */
    const uint8_t *code; /* borrowed; NULL when empty */
    size_t code_size;    /* bytes */
    bool bad;            /* as for a variable; code is then NULL */
};

struct prog_function { /* of a library, §15 */
    char *name;
    uint8_t opcode;
    int sub_opcode; /* -1 when absent */
};

struct prog_library {  /* ucode_lib entry, §15 */
    char *name;        /* as the manifest has it */
    char *member;      /* the file: next to def.json, else at the root */
    char *version;     /* ulib_to_ucode_version */
    char *isa_version; /* ulib_to_isa_version, "" when absent */
    uint8_t cpu_id, total_cpus;
    int opcode;     /* of the library, else of its first function (R9); -1 when neither is there */
    unsigned flags; /* UCODE_FLAGS_*: 0 built-in op, 6 extended-ISA op of the user */
    bool is_builtin;
    struct prog_function *functions;
    size_t nfunctions;
    const uint8_t *data; /* borrowed; NULL when the file is missing or the library is a repeated one */
    size_t size;
};

struct prog_table { /* a table file that an engine JSON names, §14 */
    char *key;      /* "bkt_bin", "opcode_table", ... */
    char *member;   /* "sg00/act_bkt.bin" */
    size_t size;
};

struct prog_act_set { /* element of activation_function_sets; tables that are absent have member NULL */
    struct prog_table bucket, control;
};

struct prog_group { /* one group of replica_groups, §16 */
    size_t topology;
    uint32_t *ranks;
    size_t nranks;
};

struct prog_pair { /* one pair of src_target_pairs, §16 */
    size_t topology;
    uint32_t source, target;
};

struct prog_gaps { /* only with findings: what could not be read whole; uses of it are not judged */
    bool vars, var_ids, queues, blocks, groups;
};

struct prog_fp8 { /* fp8_conversion_config, §16; has_*: the key is there */
    bool present, range_extension, ocp_sat, sis, sns;
    bool has_emax_e4m3, has_emax_e5m2;
    uint32_t emax_e4m3, emax_e5m2;
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
    } evtaccel;                      /* the first one */
    struct prog_carveout *carveouts; /* all of them, file order */
    size_t ncarveouts;
    char *definition;            /* member: "sg00/def.json" */
    char *kelf;                  /* member: "kelf-a.json" */
    char *kelf_version;          /* "0.5" */
    char *version, *git_version; /* of def.json, "" when absent */
    char **features;             /* neff_features, file order */
    size_t nfeatures;
    struct prog_library *libraries;
    size_t nlibraries;
    struct prog_group *groups; /* in file order; ngroups above counts topologies */
    size_t ngroup_lists;
    struct prog_pair *pairs;
    size_t npairs;
    size_t npair_topologies;
    struct prog_fp8 fp8;
    struct prog_gaps gaps;
    int64_t act_semaphore; /* -1 when absent */
    struct prog_act_set *act_sets;
    size_t nact_sets;
    size_t nprofile;                               /* profile_meta_data records */
    char *act_info;                                /* as written, or NULL; the member may be absent */
    struct prog_table dve_tables[PROG_DVE_TABLES]; /* member NULL when absent */
};

/*
 * Reads graph `graph` (NULL: the first). Every manifest rule of §8-18 that does not depend on the
 * architecture is checked; the error names member and JSON path. The caller frees with program_free.
 */
int program_read(const struct neff *n, const char *graph, struct program **out, struct nerr *err);
void program_free(struct program *p);

/*
 * All graphs, going on after a problem in one entry (a variable, a queue, a block, ...): each is added to f,
 * warnings too, in the runtime's order, with tier 3 (1 for row 16 of §3, 2 for the target). What could not be
 * read is marked bad or named in `gaps`. arch: 2, 3 or 4 judges target and carveouts for that generation, 0
 * does not; allow_legacy is the runtime's NEURON_RT_ALLOW_LEGACY_NEFF=1. Reading stops early when f is full
 * or findings_stop(f).
 *
 * Returns non-zero only when memory ran out. *list has one program per graph of the kelf (with all gaps when
 * its def.json could not be read); it is freed with program_free_all (after an error there is nothing to
 * free).
 */
int program_read_all(const struct neff *n, unsigned arch, bool allow_legacy, struct findings *f,
                     struct program ***list, size_t *count, struct nerr *err);
void program_free_all(struct program **list, size_t count);

/* Names of the graphs of the kelf, in file order; *names is one allocation that the caller frees. */
int program_graphs(const struct neff *n, const char ***names, size_t *count, struct nerr *err);

/* Generation that the target names: 2, 3 or 4 (ARCH_*), 0 for "*". */
unsigned program_target_arch(const struct program *p);

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
