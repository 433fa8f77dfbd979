/* Recordings that between them hold every kind of event; for tests of the judge. */
#ifndef NEFFSIM_TESTS_SCENES_H
#define NEFFSIM_TESTS_SCENES_H

#include "e1_slice.h"

static inline void scene_slice(struct chip *c)
{
    chip_open(c, 2);
    e1_load(c);
    e1_run(c);
    e1_stop(c);
}

/* One engine: MOVE, ALU_OP, branch, load, store, poll, ordering, clear, drain, trace records, HALT. */
static inline void scene_scalar(struct chip *c)
{
    static const uint32_t data[] = { 8, 3, 5, 4 };
    static const char *const program[] = {
        "00: a7 10 03 05 | 0c: 02 09 01 | 18: 02 03 | 20: 03 00 00 00 00 00 40 00", /* R2 = 3, R3 = 0x400000,
                                                                                       with INST_START */
        "00: a8 10 05 00 | 0c: 05 08 01 00 | 10: 02 | 14: 02 | 18: 01",          /* R2 -= 1, with INST_END */
        "00: a9 10 00 02 | 0c: 04 08 03 | 10: 00 | 20: 02 | 30: c0 ff ff ff",    /* again until 0 */
        "00: aa 10 | 0c: 09 | 0e: 01 01 | 10: 04 00 40 | 20: 05",                /* R5 = word 1 */
        "00: ab 10 | 0c: 09 | 0e: 01 01 | 10: 03 0b 00 00 00 00 00 80 | 20: 05", /* store it at {R11,R3} */
        "00: b3 10 | 0c: 04 06 09 | 10: 08 00 40 00 | 18: 00 01 40 00",          /* POLL_SEM of 4 words */
        "00: b1 10 | 0c: 01",
        "00: a5 10 | 0c: 08 | 10: 00 02 40 | 18: 01 02 03 04 05 06 07 08",
        "00: a5 10 | 0c: 04 | 10: 00 10 70 02 28 | 18: 07",             /* to a read-only alias: ignored */
        "00: aa 10 | 0c: 09 | 0e: 01 01 | 10: 1c 14 70 02 28 | 20: 08", /* load from a register */
        "00: b0 10 | 0c: 01 04 06",
        "00: a0 10 | 04: 06 07 01 0a | 20: 07 07 95 08 00 00 00 00 06", /* E7 consumed, E10 set, S8 += R6 */
        "00: a2 10 | 06: 13 09",
        "00: a1 10",
        NULL,
    };
    chip_open(c, 1);
    chip_words(c, 0x400000, data, 4);
    chip_words(c, 0x400010, data, 2);
    chip_notific(c, 0x1000);
    chip_w(c, SOC_TPB_CTRL + TPB_EVT_NOTIFY_OFF, 1);
    chip_w(c, SOC_EVT + EVT_WIN_EVENT + 4 * 7, 1);
    chip_program(c, ENG_PE, 0x100000, program);
    chip_run(c);
}

/* Refused accesses of every kind of master, a bad opcode, dropped records, a stale descriptor, engine states.
 */
static inline void scene_faults(struct chip *c)
{
    static const char *const pe[] = {
        "00: a5 10 | 0c: 04 | 10: 00 00 00 00 99 | 18: 01", /* unmapped */
        "00: a5 10 | 0c: 08 | 10: 00 00 00 06 80 | 18: 01", /* 8 bytes to a register */
        "00: aa 10 | 0c: 09 | 0e: 01 01 | 10: 00 00 00 00 99 | 20: 05",
        "00: a2 10",
        "00: 99 10",
        NULL,
    };
    static const char *const act[] = { "00: a6 10 00 02", "00: a6 10 00 02", "00: a6 10 00 02",
                                       "00: a0 10 | 04: 04 63", NULL };
    chip_open(c, 2);
    chip_notific(c, 0x20);
    chip_w(c, SOC_NOTIFIC + NQ_SW_BACKPRESSURE_OFF, 0);
    chip_program(c, ENG_PE, 0x100000, pe);
    chip_program(c, ENG_ACT, 0x108000, act);
    chip_dma_engine(c, 0);
    chip_dma_engine(c, 1);
    chip_dma_queue(c, 0, 2, 0x800000, 0x801000, 32);
    chip_desc(c, 0x800000, 0, 0x0e000040, 0x01080003, 0x1000000);
    chip_desc(c, 0x801000, 0, 0x01000040, 0, 0x1100000);
    chip_bell(c, 0, 2, 1, 1);
    chip_bell(c, 0, 2, 0, 33);
    chip_bell(c, 0, 2, 0, 1);
    chip_dma_queue(c, 1, 3, 0x802000, 0x803000, 32);
    chip_desc(c, 0x802000, 0, 0x0d000040, 0x01080003, 0x1000000);
    chip_desc(c, 0x803000, 0, 0x01000040, 0, 0x990000000000);
    chip_bell(c, 1, 3, 1, 1);
    chip_bell(c, 1, 3, 0, 1);
    chip_run(c);
    chip_w(c, chip_dma(1) + UDMA_M2S_OFF + M2S_CHANGE_STATE_OFF, M2S_CHANGE_STATE_DIS_MASK);
    chip_run(c);
    chip_w(c, chip_dma(1) + UDMA_M2S_OFF + M2S_CHANGE_STATE_OFF, M2S_CHANGE_STATE_NORMAL_MASK);
    chip_w(c, SOC_NOTIFIC + NQ_WR_BUF_ENABLE_LO_OFF, 0);
    chip_w(c, SOC_TPB_CTRL + TPB_FAKE_ERROR_CTRL_OFF, 1);
    chip_run(c);
}

/* Scatter, gather, ring wrap, barriers and a constant on one queue. */
static inline void scene_copies(struct chip *c)
{
    uint8_t bytes[4096];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 7 + i / 251);
    chip_open(c, 1);
    chip_mem(c, 0x1000003, bytes, sizeof bytes);
    chip_dma_engine(c, 0);
    chip_dma_queue(c, 0, 1, 0x800000, 0x801000, 32);
    for (uint32_t i = 0; i < 40; i++) {
        uint32_t id = (1 + i / 32) << 24;
        bool gather = i % 4 == 1 || i % 4 == 2; /* 1 and 2 are one packet */
        uint32_t flags = !gather ? 0x0c000000 : i % 4 == 1 ? 0x04000000 : 0x88000000;
        uint32_t w1 = i % 4 == 2 ? 0 : i % 4 == 0 ? DMA_COPY_WB_WORD : DMA_COPY_WORD;
        if (i % 8 == 3)
            flags |= M2S_DESC_W0_DMB_MASK;
        uint32_t bytes_of = i == 39 ? 4 : 0x31 + i;
        chip_desc(c, 0x800000, i % 32, id | flags | bytes_of, w1,
                  i == 39 ? DMA_CONST_CLR_ADDR : 0x1000003 + 64 * i);
        chip_desc(c, 0x801000, i % 32, id | (i % 8 == 4 ? S2M_DESC_W0_SOW_MASK : 0) | bytes_of, 0,
                  0x1200001 + 128 * i);
        if (i % 4 != 3)
            continue;
        chip_bell(c, 0, 1, 1, 4);
        chip_bell(c, 0, 1, 0, 4);
        if (i % 8 == 3)
            chip_run(c);
    }
    chip_run(c);
}

#endif
