/*
 * The metaneff (neff-container.md §21): a protobuf beside the NEFF in which the framework says what it binds
 * to the program's inputs and outputs. Reading it, and the rules between it and the program.
 */
#ifndef NEFFSIM_NEFF_METANEFF_H
#define NEFFSIM_NEFF_METANEFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "neff/program.h"
#include "util/findings.h"
#include "util/nerr.h"

struct meta_bytes { /* bytes of any value; text has a NUL behind them, which len does not count */
    char *text;     /* never NULL after a successful read */
    size_t len;
};

struct meta_tensor {
    struct meta_bytes name;
    int64_t *shape;
    size_t ndim;
    int32_t data_type; /* DataType of metaneff.proto, or an unknown number */
    int32_t type;      /* Type of metaneff.proto, or an unknown number */
    bool allow_dynamic_batch_size;
    size_t content_size; /* bytes of `content` */
    bool has_checkpoint_key, has_user_input_key;
    struct meta_bytes checkpoint_key, user_input_key; /* empty when absent */
};

struct metaneff {
    char *where; /* as given to metaneff_read */
    struct meta_bytes name;
    struct meta_tensor *inputs,
        *outputs; /* the place in the list is the ordinal in the runtime's tensor set */
    size_t ninputs, noutputs;
    struct meta_alias {
        int64_t output, input;
    } * aliases; /* in file order; of equal outputs the last one counts */
    size_t naliases;
    size_t graph_def_size; /* bytes of serialized_graph_def */
    int64_t num_user_inputs, num_states, num_weights;
    bool has_config;
    struct {
        int64_t num_infer, timeout, optimal_ncg_size;
        bool async_load, lazy_load, return_aliases;
    } config;
    size_t unknown_fields; /* skipped, all messages together */
};

/* Reads a message; where names it in errors (protobuf_read). The caller frees with metaneff_free. */
int metaneff_read(const uint8_t *buf, size_t len, const char *where, struct metaneff **out, struct nerr *err);
void metaneff_free(struct metaneff *m);

/*
 * The same from a file of at most METANEFF_MAX bytes, which names it. Bytes that are no metaneff become a
 * finding, and *out NULL; returns non-zero only for NERR_IO and NERR_MEM and a file that is too long.
 */
#define METANEFF_MAX (UINT64_C(1) << 30)
int metaneff_open(const char *path, struct findings *f, struct metaneff **out, struct nerr *err);

/* Words of the .proto for DataType and Type values; NULL for a number without one. */
const char *metaneff_dtype_name(int32_t data_type);
const char *metaneff_type_name(int32_t type);

/* Bytes of one element; 0 for UNDEFINED, STRING and unknown types. */
unsigned metaneff_dtype_bytes(int32_t data_type);

/* product(shape) x element size; false for a negative dimension, a type without a size or an overflow. */
bool metaneff_tensor_bytes(const struct meta_tensor *t, uint64_t *bytes);

/*
 * Which variable of p each tensor stands for (§21, ruling R6): an index into p->vars, or -1. That is the
 * variable of the tensor's kind that has its name; without one, the variable whose ordinal among the
 * variables of that kind, in ascending var_id, is the tensor's ordinal among the tensors of that kind. For
 * states and weights the second way is open only when there are as many variables as tensors. *inputs and
 * *outputs have ninputs and noutputs entries; the caller frees both. Errors: NERR_MEM.
 */
int metaneff_bind(const struct metaneff *m, const struct program *p, long **inputs, long **outputs,
                  struct nerr *err);

/*
 * The binding contract of §21 between m and p; what breaks it goes to f with tier 0, member m->where and a
 * place such as "input_tensors[0].shape". Variables that are marked bad are not judged. Errors: NERR_MEM.
 */
int metaneff_check(const struct metaneff *m, const struct program *p, struct findings *f, struct nerr *err);

#endif
