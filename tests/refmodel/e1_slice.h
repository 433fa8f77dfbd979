/* E1 of slice-walkthrough.md on a stand-alone model: placement, rings, images, registers, the run and the
 * agent. */
#ifndef NEFFSIM_TESTS_E1_SLICE_H
#define NEFFSIM_TESTS_E1_SLICE_H

#include "chip.h"

#include "../load/slice_images.h"

#define E1_INPUT        0x01000000u
#define E1_OUTPUT       0x01001000u
#define E1_GRADIENT_IN  0x01002000u
#define E1_GRADIENT_OUT 0x01003000u
#define E1_BYTES        128u

static const struct e1_queue {
    unsigned e, q;
    uint32_t m2s, s2m;
    uint32_t from, to;
    unsigned sem;
} e1_queues[] = {
    { 0, 0, 0x00800000, 0x00801000, E1_INPUT, E1_GRADIENT_IN, 10 },
    { 1, 0, 0x00802000, 0x00803000, E1_GRADIENT_OUT, E1_OUTPUT, 11 },
    { 0, 15, 0x00804000, 0x00805000, E1_GRADIENT_IN, E1_GRADIENT_OUT, 22 },
};

static inline void e1_input(uint8_t bytes[E1_BYTES])
{
    for (unsigned i = 0; i < E1_BYTES / 4; i++) {
        float v = 1.0f + 10.0f * (float)i;
        uint32_t w;
        memcpy(&w, &v, sizeof w);
        put_le32(bytes + 4 * i, w);
    }
}

static inline void e1_load(struct chip *c)
{
    static const uint8_t zero[512];
    uint8_t in[E1_BYTES];
    for (unsigned e = 0; e < ENG_COUNT; e++)
        chip_slots(c, slice_images[e].base, slice_images[e].lines);
    for (unsigned i = 0; i < 3; i++) {
        const struct e1_queue *q = &e1_queues[i];
        chip_mem(c, q->m2s, zero, sizeof zero);
        chip_mem(c, q->s2m, zero, sizeof zero);
        chip_desc(c, q->m2s, 0, 0x0d000080, 0x01080003, q->from);
        chip_desc(c, q->m2s, 1, 0x0d000004, 0x01080003, DMA_CONST_SET_ADDR);
        chip_desc(c, q->s2m, 0, 0x01000080, 0, q->to);
        chip_desc(c, q->s2m, 1, 0x21000004, 0, SOC_EVT + EVT_WIN_SEM_INC + EVT_STRIDE * (uint64_t)q->sem);
    }
    e1_input(in);
    chip_mem(c, E1_INPUT, in, sizeof in);
    chip_notific(c, 0x10000);
    static const unsigned sems[] = { 10, 11, 22, 240, 241, 242, 243, 244, 245, 246, 247, 248, 249 };
    for (unsigned i = 0; i < sizeof sems / sizeof sems[0]; i++)
        chip_w(c, SOC_EVT + EVT_WIN_SEM_SET + EVT_STRIDE * (uint64_t)sems[i], 0);
    chip_w(c, SOC_TOPSP0 + EVT_WIN_SEM_SET, 0);
    chip_dma_engine(c, 0);
    chip_dma_engine(c, 1);
    for (unsigned i = 0; i < 3; i++)
        chip_dma_queue(c, e1_queues[i].e, e1_queues[i].q, e1_queues[i].m2s, e1_queues[i].s2m, 32);
    for (unsigned e = 0; e < ENG_COUNT; e++)
        chip_start(c, e, slice_images[e].base, slice_images[e].size);
    for (unsigned e = 0; e < ENG_COUNT; e++) {
        ref_run(c->r, 1000, false, NULL);
        ck_assert_uint_eq(chip_r(c, chip_lreg(e) + LREG_START_CTRL_OFF), 0);
        ck_assert_uint_eq(chip_r(c, chip_lreg(e) + LREG_RUN_STATE_OFF), RUN_RUNNING);
    }
}

/* §6 steps 3 to 6: starts, serves records and the collective agent until five hint-3 records are there. */
static inline void e1_run(struct chip *c)
{
    unsigned read = 0, done = 0, rounds = 0;
    uint64_t ring = CHIP_RECORDS + LOAD_RECORD_RING_STRIDE;
    for (unsigned e = 0; e < ENG_COUNT; e++)
        chip_w(c, SOC_EVT + EVT_WIN_SEM_INC + EVT_STRIDE * (uint64_t)(SEM_START_GATE + e), 1);
    while (done < ENG_COUNT) {
        ck_assert_uint_lt(rounds++, 1000);
        ref_run(c->r, 256, true, NULL);
        chip_ok(c);
        unsigned before = read;
        while (chip_word(c, ring + 16 * read) >> 31) {
            done += (chip_word(c, ring + 16 * read) >> 20 & 0xf) == HINT_DONE;
            read++;
        }
        if (read != before)
            chip_w(c, SOC_NOTIFIC + NQ_Q_BASE + NQ_Q_STRIDE + NQQ_HEAD_OFF, 16 * read);
        if (chip_r(c, SOC_TOPSP0 + EVT_WIN_SEM_READ) >= 1) {
            chip_w(c, SOC_TOPSP0 + EVT_WIN_SEM_DEC, 1);
            chip_bell(c, 0, 15, 1, 2);
            chip_bell(c, 0, 15, 0, 2);
        }
    }
    chip_run(c);
}

static inline void e1_stop(struct chip *c)
{
    for (unsigned e = 0; e < ENG_COUNT; e++)
        chip_w(c, chip_lreg(e) + LREG_INSTR_HALT_CTRL_OFF, 1);
    chip_run(c);
}

#endif
