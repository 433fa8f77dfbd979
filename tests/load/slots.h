/* Small programs for the load tests: slots from struct inst, a program with one stream per engine. */
#ifndef NEFFSIM_TEST_SLOTS_H
#define NEFFSIM_TEST_SLOTS_H

#include <stdio.h>

#include "e1_program.h"
#include "isa/isa.h"
#include "load/loadplan.h"

struct stream {
    uint8_t code[64 * SLOT_BYTES];
    size_t slots;
};

static inline void add(struct stream *s, const struct inst *in)
{
    isa_encode(in, s->code + SLOT_BYTES * s->slots++);
}

static inline void add_op(struct stream *s, unsigned op)
{
    struct inst in = isa_inst(op);
    add(s, &in);
}

static inline void add_dma(struct stream *s, const char *queue, uint32_t block)
{
    struct inst in = isa_inst(OP_PSEUDO_DMATRIGGER);
    snprintf(in.u.dmatrig.queue, sizeof in.u.dmatrig.queue, "%s", queue);
    in.u.dmatrig.block = block;
    add(s, &in);
}

static inline void add_label(struct stream *s, uint32_t id)
{
    struct inst in = isa_inst(OP_PSEUDO_BRANCH_LABEL);
    in.u.label.id = id;
    add(s, &in);
}

/* COMPARE_BRANCH R5 == 0 -> label */
static inline void add_branch(struct stream *s, uint32_t id)
{
    struct inst in = isa_inst(OP_COMPARE_BRANCH);
    in.u.br.cmp_op = CMP_EQ_IMM;
    in.u.br.dtype = DTYPE_INT32;
    in.u.br.target_mode = BR_REL_IMM;
    in.u.br.cmp_reg0 = 5;
    in.u.br.disp = id;
    add(s, &in);
}

static inline void add_function(struct stream *s, const char *name, bool reset)
{
    struct inst in = isa_inst(OP_PSEUDO_FUNCTION_BEGIN);
    snprintf(in.u.func.name, sizeof in.u.func.name, "%s", name);
    in.u.func.reset_sems = reset;
    in.u.func.ret_lo = 10;
    in.u.func.ret_hi = 11;
    add(s, &in);
}

static inline void add_call(struct stream *s, const char *name)
{
    struct inst in = isa_inst(OP_PSEUDO_FUNCTION_CALL);
    snprintf(in.u.call.name, sizeof in.u.call.name, "%s", name);
    in.u.call.args = CALL_NO_ARGS;
    add(s, &in);
}

static inline void add_exit(struct stream *s)
{
    struct inst in = isa_inst(OP_PSEUDO_INST);
    in.u.pseudo.subop = PSEUDO_EXIT_EXECUTION;
    add(s, &in);
}

/* E1 with the streams replaced: engines without one are empty. */
static inline void use_stream(struct e1 *e, unsigned engine, struct stream *s)
{
    static char names[PROG_ENGINES][10] = { "pe.bin", "act.bin", "pool.bin", "dve.bin", "sp.bin" };
    e->p.engines[engine].bin_name = names[engine];
    e->p.engines[engine].code = s->slots ? s->code : NULL;
    e->p.engines[engine].code_size = s->slots * SLOT_BYTES;
}

static inline void no_streams(struct e1 *e)
{
    e1_init(e);
    for (unsigned i = 0; i < PROG_ENGINES; i++) {
        e->p.engines[i].code = NULL;
        e->p.engines[i].code_size = 0;
    }
}

#endif
