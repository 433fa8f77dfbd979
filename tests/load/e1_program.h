/* The program of fixture E1 (fixture-allreduce.md §6), built by hand, as program_read would give it. */
#ifndef NEFFSIM_TEST_E1_PROGRAM_H
#define NEFFSIM_TEST_E1_PROGRAM_H

#include <string.h>

#include "neff/program.h"
#include "regs.h"

static const uint8_t e1_pe_bin[64] = { 0xc8, 0x10, 0, 0, 4, 0x0a, 0x13, 0x16, 0, 0, 0, 0,    4,
                                       0x0a, 0,    0, 3, 0, 0,    0,    4,    0, 0, 0, 0x20, [32] = 1 };

static const uint8_t e1_pool_bin[192] = {
    0xc1, 0x10,        [12] = 'q', '_', 'g', 'r', 'a',  'd',          'i',  'e', 'n', 't', '_', 'i',
    'n',  [64] = 0xc1, 0x10,       0,   0,   4,   0x16, [76] = 'q',   '_',  'g', 'r', 'a', 'd', 'i',
    'e',  'n',         't',        '_', 'o', 'u', 't',  [128] = 0xa0, 0x10, 0,   0,   4,   0x0b
};

struct e1 {
    struct program p;
    struct prog_var vars[5];
    struct prog_name names[5];
    struct prog_queue queues[2];
    struct prog_block blocks[2];
    struct prog_desc desc[2];
};

static inline void e1_var(struct e1 *e, unsigned id, const char *name, int kind, uint64_t size)
{
    e->vars[id] = (struct prog_var){ .name = (char *)(uintptr_t)name,
                                     .kind = kind,
                                     .var_id = id,
                                     .size = size,
                                     .alignment = VAR_ALIGN_DEFAULT };
}

static inline struct prog_pattern e1_pattern(size_t var)
{
    return (struct prog_pattern){ .var = var, .ndim = 2, .sizes = { 128, 1 }, .steps = { 1, 128 } };
}

static inline void e1_init(struct e1 *e)
{
    static char q_in[] = "q_gradient_in", q_out[] = "q_gradient_out", sg[] = "sg00", pe[] = "sg00/pe.bin",
                pool[] = "sg00/pool.bin", w0[] = "sg00/pool.json dma[0].desc[0]",
                w1[] = "sg00/pool.json dma[1].desc[0]";
    memset(e, 0, sizeof *e);
    e1_var(e, 0, "input", VARK_INPUT, 128);
    e1_var(e, 1, "SB", VARK_SB, 0);
    e1_var(e, 2, "output", VARK_OUTPUT, 128);
    e1_var(e, 3, "gradient_in", VARK_TMP_BUF, 128);
    e1_var(e, 4, "gradient_out", VARK_TMP_BUF, 128);
    static const size_t by_name[5] = { 1, 3, 4, 0, 2 }; /* SB, gradient_in, gradient_out, input, output */
    for (size_t i = 0; i < 5; i++)
        e->names[i] = (struct prog_name){ e->vars[by_name[i]].name, by_name[i] };
    e->queues[0] =
        (struct prog_queue){ .name = q_in, .ring_kind = RINGK_IN, .owner = ENG_POOL, .semaphore = 10 };
    e->queues[1] =
        (struct prog_queue){ .name = q_out, .ring_kind = RINGK_OUT, .owner = ENG_POOL, .semaphore = 11 };
    e->desc[0] = (struct prog_desc){ .from = e1_pattern(0), .to = e1_pattern(3), .nsources = 1, .where = w0 };
    e->desc[1] = (struct prog_desc){ .from = e1_pattern(4), .to = e1_pattern(2), .nsources = 1, .where = w1 };
    for (unsigned i = 0; i < 2; i++)
        e->blocks[i] = (struct prog_block){
            .queue = i, .desc = &e->desc[i], .ndesc = 1, .engine = ENG_POOL, .json_index = i
        };
    e->p = (struct program){ .graph_name = sg,
                             .sg_dir = sg,
                             .target = "*",
                             .vars = e->vars,
                             .nvars = 5,
                             .var_names = e->names,
                             .queues = e->queues,
                             .nqueues = 2,
                             .blocks = e->blocks,
                             .nblocks = 2,
                             .ngroups = 1,
                             .world_size = 1,
                             .num_streams = 1,
                             .has_sb_reservation = true };
    for (unsigned i = 0; i < PROG_ENGINES; i++)
        e->p.engines[i].present = true;
    e->p.engines[ENG_PE].bin_name = pe;
    e->p.engines[ENG_PE].code = e1_pe_bin;
    e->p.engines[ENG_PE].code_size = sizeof e1_pe_bin;
    e->p.engines[ENG_POOL].bin_name = pool;
    e->p.engines[ENG_POOL].code = e1_pool_bin;
    e->p.engines[ENG_POOL].code_size = sizeof e1_pool_bin;
}

#endif
