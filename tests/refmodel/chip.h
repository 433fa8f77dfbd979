/*
 * A stand-alone model under test: register and memory access as a host would do it, a recording of everything
 * that happened, and re-judging that recording in a second model, unchanged or with one event altered.
 */
#ifndef NEFFSIM_TESTS_CHIP_H
#define NEFFSIM_TESTS_CHIP_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "refmodel/ref.h"
#include "regs.h"
#include "util/bytes.h"

struct item { /* an event, or (bytes != NULL) a memory write of the host */
    struct dev_event ev;
    uint64_t addr;
    uint8_t *bytes;
    size_t len;
};

struct chip {
    struct ref *r;
    struct ref_config cfg;
    struct item *items;
    size_t n, room;
};

static inline struct item *chip_item(struct chip *c)
{
    if (c->n == c->room) {
        c->room = c->room ? 2 * c->room : 1024;
        c->items = realloc(c->items, c->room * sizeof *c->items);
        ck_assert_ptr_nonnull(c->items);
    }
    struct item *it = &c->items[c->n++];
    memset(it, 0, sizeof *it);
    return it;
}

static inline int chip_record(void *ctx, const struct dev_event *ev)
{
    chip_item(ctx)->ev = *ev;
    return 0;
}

static inline void chip_open(struct chip *c, unsigned n_dma)
{
    memset(c, 0, sizeof *c);
    c->cfg = (struct ref_config){ .n_dma = n_dma, .phase_first = true };
    c->r = ref_new(&c->cfg);
    ck_assert_ptr_nonnull(c->r);
    ref_sink(c->r, chip_record, c);
}

static inline void chip_close(struct chip *c)
{
    for (size_t i = 0; i < c->n; i++)
        free(c->items[i].bytes);
    free(c->items);
    ref_free(c->r);
}

static inline void chip_ok(struct chip *c)
{
    struct nerr err;
    ck_assert_msg(!ref_failed(c->r, &err), "the model refused itself: %s: %s", err.where, err.text);
}

static inline void chip_mem(struct chip *c, uint64_t addr, const void *bytes, size_t len)
{
    struct item *it = chip_item(c);
    it->addr = addr;
    it->len = len;
    it->bytes = malloc(len ? len : 1);
    ck_assert_ptr_nonnull(it->bytes);
    memcpy(it->bytes, bytes, len);
    ck_assert(ref_mem_write(c->r, addr, bytes, len));
}

static inline void chip_words(struct chip *c, uint64_t addr, const uint32_t *words, size_t n)
{
    uint8_t *b = malloc(4 * n);
    ck_assert_ptr_nonnull(b);
    for (size_t i = 0; i < n; i++)
        put_le32(b + 4 * i, words[i]);
    chip_mem(c, addr, b, 4 * n);
    free(b);
}

static inline void chip_w(struct chip *c, uint64_t soc, uint32_t value)
{
    ck_assert_int_eq(ref_reg_write(c->r, soc, value), 0);
    chip_ok(c);
}

static inline uint32_t chip_r(struct chip *c, uint64_t soc)
{
    uint32_t v;
    ck_assert_int_eq(ref_reg_read(c->r, soc, &v), 0);
    chip_ok(c);
    return v;
}

static inline uint32_t chip_word(struct chip *c, uint64_t addr)
{
    uint8_t b[4];
    ref_mem_read(c->r, addr, b, 4);
    return get_le32(b);
}

static inline uint64_t chip_run(struct chip *c)
{
    uint64_t n = ref_run(c->r, 1000000, false, NULL);
    chip_ok(c);
    ck_assert_uint_lt(n, 1000000);
    return n;
}

static inline void chip_quiet(struct chip *c)
{
    struct nerr err;
    ck_assert_msg(ref_quiet(c->r, &err), "%s: %s", err.where, err.text);
}

/* The first event of a kind from item `from` on; its number, or c->n. */
static inline size_t chip_find(const struct chip *c, unsigned kind, size_t from)
{
    while (from < c->n && (c->items[from].bytes || c->items[from].ev.kind != kind))
        from++;
    return from;
}

static inline size_t chip_count(const struct chip *c, unsigned kind)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n; i++)
        n += !c->items[i].bytes && c->items[i].ev.kind == kind;
    return n;
}

/*
 * Judges the recording in a fresh model, with item `at` replaced by *instead (NULL: left out; at == c->n:
 * nothing). Returns the item that was refused, c->n when only the end was (ref_quiet), c->n + 1 when all was
 * accepted.
 */
static inline size_t chip_rejudge(const struct chip *c, size_t at, const struct dev_event *instead,
                                  struct nerr *err)
{
    struct ref *second = ref_new(&c->cfg);
    size_t result = c->n + 1;
    ck_assert_ptr_nonnull(second);
    for (size_t i = 0; i < c->n && result > c->n; i++) {
        const struct item *it = &c->items[i];
        if (it->bytes) {
            ck_assert(ref_mem_write(second, it->addr, it->bytes, it->len));
            continue;
        }
        const struct dev_event *ev = i == at ? instead : &it->ev;
        if (ev && ref_judge(second, ev, err) != 0)
            result = i;
    }
    if (result > c->n && !ref_quiet(second, err))
        result = c->n;
    ref_free(second);
    return result;
}

static inline void chip_accepted(const struct chip *c)
{
    struct nerr err = { 0 };
    size_t at = chip_rejudge(c, c->n, NULL, &err);
    char text[200] = "";
    if (at < c->n)
        dev_event_text(&c->items[at].ev, text, sizeof text);
    ck_assert_msg(at == c->n + 1, "item %zu of %zu (%s) was refused: %s: %s", at, c->n, text, err.where,
                  err.text);
}

/* ---- bring-up, as slice-walkthrough.md §5 ---- */

#define CHIP_RECORDS LOAD_RECORD_RING

static inline void chip_notific(struct chip *c, uint32_t ring_bytes)
{
    chip_w(c, SOC_NOTIFIC + NQ_WR_BUF_ENABLE_LO_OFF, 0xffffffff);
    chip_w(c, SOC_NOTIFIC + NQ_WR_BUF_ENABLE_HI_OFF, 0xffffffff);
    chip_w(c, SOC_NOTIFIC + NQ_SW_BACKPRESSURE_OFF, 0x3ff);
    chip_w(c, SOC_NOTIFIC + NQ_HW_BACKPRESSURE_LO_OFF, 0xffffffff);
    chip_w(c, SOC_NOTIFIC + NQ_HW_BACKPRESSURE_HI_OFF, 0xffffffff);
    chip_w(c, SOC_NOTIFIC + NQ_TIMESTAMP_INC_OFF, NQ_TIMESTAMP_INC_1GHZ);
    for (unsigned q = 0; q < 4; q++) {
        uint64_t bank = SOC_NOTIFIC + NQ_Q_BASE + q * NQ_Q_STRIDE,
                 base = CHIP_RECORDS + q * (uint64_t)LOAD_RECORD_RING_STRIDE;
        chip_w(c, bank + NQQ_BASE_HI_OFF, (uint32_t)(base >> 32));
        chip_w(c, bank + NQQ_BASE_LO_OFF, (uint32_t)base);
        chip_w(c, bank + NQQ_SIZE_OFF, ring_bytes);
        chip_w(c, bank + NQQ_HEAD_OFF, 0);
    }
    chip_w(c, SOC_NOTIFIC + NQ_ENABLE_OFF, 0xf);
    chip_w(c, SOC_TPB_CTRL + TPB_ROUTE_PE_POOL_OFF, 0x00100010);
    chip_w(c, SOC_TPB_CTRL + TPB_ROUTE_ACT_DVE_OFF, 0x00100010);
    chip_w(c, SOC_TPB_CTRL + TPB_ROUTE_SP_EVT_OFF, 0x00020010);
    chip_w(c, SOC_TPB_CTRL + TPB_ROUTE_ERR_OFF, 3);
}

static inline uint64_t chip_dma(unsigned e)
{
    return SOC_UDMA0 + (uint64_t)e * SOC_UDMA_STRIDE;
}

static inline uint64_t chip_bank(unsigned e, unsigned q, unsigned dir)
{
    return chip_dma(e) + (dir ? UDMA_S2M_OFF : UDMA_M2S_OFF) + UDMA_Q_FIRST + q * UDMA_Q_STRIDE;
}

static inline void chip_dma_engine(struct chip *c, unsigned e)
{
    chip_w(c, chip_dma(e) + UDMA_M2S_OFF + M2S_CFG_LEN_OFF, DMA_LEN_CFG);
    chip_w(c, chip_dma(e) + UDMA_M2S_OFF + M2S_DESC_PREF_CFG_2_OFF, DMA_MAX_DESC_CFG);
    chip_w(c, chip_dma(e) + UDMA_APP_OFF + UAPP_EVENT_ACCEL_OFF, 1);
}

static inline void chip_dma_queue(struct chip *c, unsigned e, unsigned q, uint64_t m2s, uint64_t s2m,
                                  uint32_t entries)
{
    uint64_t b = chip_bank(e, q, 0);
    chip_w(c, b + M2SQ_RATE_LIMIT_MASK_OFF, DMA_Q_DMB_ON);
    chip_w(c, b + M2SQ_CFG_OFF, DMA_Q_CFG_OFF);
    chip_w(c, b + M2SQ_Q_SW_CTRL_OFF, DMA_Q_RESET);
    chip_w(c, b + M2SQ_TDRBP_LOW_OFF, (uint32_t)m2s);
    chip_w(c, b + M2SQ_TDRBP_HIGH_OFF, (uint32_t)(m2s >> 32));
    chip_w(c, b + M2SQ_TDRL_OFF, entries);
    chip_w(c, b + M2SQ_COMP_CFG_OFF, 0);
    chip_w(c, b + M2SQ_CFG_OFF, DMA_Q_CFG_ON);
    b = chip_bank(e, q, 1);
    chip_w(c, b + S2MQ_CFG_OFF, DMA_Q_CFG_OFF);
    chip_w(c, b + S2MQ_Q_SW_CTRL_OFF, DMA_Q_RESET);
    chip_w(c, b + S2MQ_RDRBP_LOW_OFF, (uint32_t)s2m);
    chip_w(c, b + S2MQ_RDRBP_HIGH_OFF, (uint32_t)(s2m >> 32));
    chip_w(c, b + S2MQ_RDRL_OFF, entries);
    chip_w(c, b + S2MQ_COMP_CFG_OFF, 0);
    chip_w(c, b + S2MQ_CFG_OFF, DMA_Q_CFG_ON);
}

static inline void chip_bell(struct chip *c, unsigned e, unsigned q, unsigned dir, uint32_t n)
{
    chip_w(c, chip_bank(e, q, dir) + M2SQ_TDRTP_INC_OFF, n);
}

/* One descriptor, M2S or S2M, at an index of a ring. */
static inline void chip_desc(struct chip *c, uint64_t ring, uint32_t index, uint32_t w0, uint32_t w1,
                             uint64_t buf)
{
    uint32_t w[4] = { w0, w1, (uint32_t)buf, (uint32_t)(buf >> 32) };
    chip_words(c, ring + (uint64_t)index * DESC_BYTES, w, 4);
}

static inline uint64_t chip_lreg(unsigned engine)
{
    static const uint64_t base[ENG_COUNT] = { [ENG_PE] = SOC_LREG_PE,
                                              [ENG_ACT] = SOC_LREG_ACT,
                                              [ENG_POOL] = SOC_LREG_POOL,
                                              [ENG_DVE] = SOC_LREG_DVE,
                                              [ENG_SP] = SOC_LREG_SP };
    return base[engine];
}

static inline void chip_start(struct chip *c, unsigned engine, uint64_t image, uint32_t size)
{
    uint64_t l = chip_lreg(engine);
    chip_w(c, l + LREG_PC_LO_OFF, (uint32_t)image);
    chip_w(c, l + LREG_PC_HI_OFF, (uint32_t)(image >> 32));
    chip_w(c, l + LREG_BOUND_LO_LO_OFF, (uint32_t)image);
    chip_w(c, l + LREG_BOUND_LO_HI_OFF, (uint32_t)(image >> 32));
    chip_w(c, l + LREG_BOUND_HI_LO_OFF, (uint32_t)(image + size - 1));
    chip_w(c, l + LREG_BOUND_HI_HI_OFF, (uint32_t)((image + size - 1) >> 32));
    if (engine == ENG_SP)
        chip_w(c, l + LREG_SP_MODE_OFF, 0);
    chip_w(c, l + LREG_RELEASE_RUN_STALL_OFF, 0);
    chip_w(c, l + LREG_START_CTRL_OFF, 1);
}

/* ---- slots in the notation of the specification: "00: a6 10 00 04 | 20: 05 f0 14 f0" ---- */

static inline void slot_parse(const char *text, uint8_t slot[SLOT_BYTES])
{
    memset(slot, 0, SLOT_BYTES);
    unsigned pos = 0;
    for (const char *p = text; *p && *p != ';' && *p != '\n';) {
        char *end;
        unsigned long v = strtoul(p, &end, 16);
        if (end == p) {
            p++;
        } else if (*end == ':') {
            pos = (unsigned)v;
            p = end + 1;
        } else {
            ck_assert_uint_lt(pos, SLOT_BYTES);
            slot[pos++] = (uint8_t)v;
            p = end;
        }
    }
}

/* Writes slots, one line of text each (a line may start with its offset and two blanks), and returns their
 * bytes. */
static inline uint32_t chip_slots(struct chip *c, uint64_t image, const char *const *lines)
{
    uint32_t size = 0;
    for (; *lines; lines++, size += SLOT_BYTES) {
        uint8_t slot[SLOT_BYTES];
        slot_parse(*lines, slot);
        chip_mem(c, image + size, slot, SLOT_BYTES);
    }
    return size;
}

static inline uint32_t chip_program(struct chip *c, unsigned engine, uint64_t image, const char *const *lines)
{
    uint32_t size = chip_slots(c, image, lines);
    chip_start(c, engine, image, size);
    return size;
}

static inline uint32_t chip_sem(struct chip *c, unsigned i)
{
    return ref_semaphore(c->r, 0, i);
}

#endif
