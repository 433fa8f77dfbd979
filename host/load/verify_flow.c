/* Functions and labels of one program (tpb-sequencer.md §5.4, §5.5). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "load/verify_private.h"
#include "regs.h"

struct function {
    char name[SLOT_FUNC_NAME_BYTES + 1];
    size_t slot;
};

struct label {
    uint64_t id;
    size_t slot;
};

struct flow {
    struct function *functions; /* sorted by name */
    size_t nfunctions;
    struct label *labels; /* sorted by id */
    size_t nlabels;
};

static int by_name(const void *a, const void *b)
{
    const struct function *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : x->slot < y->slot ? -1 : x->slot > y->slot;
}

static int by_id(const void *a, const void *b)
{
    const struct label *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->slot < y->slot ? -1 : x->slot > y->slot;
}

static int name_against(const void *key, const void *element)
{
    return strcmp(key, ((const struct function *)element)->name);
}

static int id_against(const void *key, const void *element)
{
    const uint64_t *id = key;
    const struct label *l = element;
    return *id < l->id ? -1 : *id > l->id;
}

/* A name field and a NUL behind it. */
static void copy_name(char out[SLOT_FUNC_NAME_BYTES + 1], const char *field)
{
    memcpy(out, field, SLOT_FUNC_NAME_BYTES);
    out[SLOT_FUNC_NAME_BYTES] = '\0';
}

static bool collect(const struct verify_stream *s, struct flow *flow)
{
    size_t nfunctions = 0, nlabels = 0;
    for (size_t i = 0; i < s->nslots; i++) {
        nfunctions += verify_op(s, i) == OP_PSEUDO_FUNCTION_BEGIN;
        nlabels += verify_op(s, i) == OP_PSEUDO_BRANCH_LABEL;
    }
    flow->functions = calloc(nfunctions + 1, sizeof *flow->functions);
    flow->labels = calloc(nlabels + 1, sizeof *flow->labels);
    if (!flow->functions || !flow->labels)
        return false;
    for (size_t i = 0; i < s->nslots; i++) {
        struct inst in;
        unsigned op = verify_op(s, i);
        if (op != OP_PSEUDO_FUNCTION_BEGIN && op != OP_PSEUDO_BRANCH_LABEL)
            continue;
        isa_decode(s->code + i * SLOT_BYTES, &in);
        if (op == OP_PSEUDO_BRANCH_LABEL) {
            flow->labels[flow->nlabels++] = (struct label){ in.u.label.id, i };
            continue;
        }
        struct function *f = &flow->functions[flow->nfunctions++];
        copy_name(f->name, in.u.func.name);
        f->slot = i;
    }
    qsort(flow->functions, flow->nfunctions, sizeof *flow->functions, by_name);
    qsort(flow->labels, flow->nlabels, sizeof *flow->labels, by_id);
    return true;
}

static int judge_repeats(struct verify *v, struct verify_stream *s, const struct flow *flow)
{
    int rc = 0;
    for (size_t k = 1; rc == 0 && k < flow->nfunctions && !verify_stop(v); k++) {
        const struct function *a = &flow->functions[k - 1], *b = &flow->functions[k];
        if (strcmp(a->name, b->name) == 0)
            rc = verify_slot(v, FINDING_RULE, s, b->slot, SLOT_FUNC_NAME_OFF,
                             "function %s is defined twice, first in slot %zu", b->name, a->slot + 1);
    }
    for (size_t k = 1; rc == 0 && k < flow->nlabels && !verify_stop(v); k++) {
        const struct label *a = &flow->labels[k - 1], *b = &flow->labels[k];
        if (a->id == b->id)
            rc = verify_slot(v, FINDING_RULE, s, b->slot, SLOT_LABEL_ID_OFF,
                             "label %" PRIu64 " is defined twice, first in slot %zu", b->id, a->slot + 1);
    }
    return rc;
}

/* Calls and label branches find what they name. */
static int judge_targets(struct verify *v, struct verify_stream *s, const struct flow *flow)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < s->nslots && !verify_stop(v); i++) {
        unsigned op = verify_op(s, i);
        struct inst in;
        if (op != OP_PSEUDO_FUNCTION_CALL && op != OP_COMPARE_BRANCH)
            continue;
        isa_decode(s->code + i * SLOT_BYTES, &in);
        if (op == OP_COMPARE_BRANCH) {
            if (in.u.br.target_mode == BR_REL_IMM &&
                !bsearch(&in.u.br.disp, flow->labels, flow->nlabels, sizeof *flow->labels, id_against))
                rc = verify_slot(v, FINDING_RULE, s, i, SLOT_BR_DISP_OFF, "label %" PRIu64 " is not defined",
                                 in.u.br.disp);
            continue;
        }
        char name[SLOT_FUNC_NAME_BYTES + 1];
        copy_name(name, in.u.call.name);
        if (!bsearch(name, flow->functions, flow->nfunctions, sizeof *flow->functions, name_against))
            rc = verify_slot(v, FINDING_RULE, s, i, SLOT_CALL_NAME_OFF, "function %s is not defined", name);
    }
    return rc;
}

/* MAIN of a stream with functions must leave before it runs into them. */
static int judge_exit(struct verify *v, struct verify_stream *s)
{
    for (size_t i = 0; i < s->nslots; i++) {
        unsigned op = verify_op(s, i);
        if (op == OP_PSEUDO_FUNCTION_BEGIN)
            return verify_member(v, FINDING_RULE, s->bin, "",
                                 "the stream has functions but MAIN has no exit (DF 1)");
        if (op == OP_PSEUDO_INST && s->code[i * SLOT_BYTES + SLOT_PSEUDO_SUBOP_OFF] == PSEUDO_EXIT_EXECUTION)
            return 0;
    }
    return 0;
}

_Static_assert(SLOT_FUNC_NAME_BYTES == SLOT_CALL_NAME_BYTES, "function names");

int verify_flow(struct verify *v, struct verify_stream *s)
{
    struct flow flow = { 0 };
    int rc = collect(s, &flow) ? 0 : nerr_set(v->err, NERR_MEM, s->bin, "out of memory");
    if (rc == 0)
        rc = judge_exit(v, s);
    if (rc == 0)
        rc = judge_repeats(v, s, &flow);
    if (rc == 0)
        rc = judge_targets(v, s, &flow);
    free(flow.functions);
    free(flow.labels);
    return rc;
}
