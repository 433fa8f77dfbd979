/* DMA on the model alone: the examples of udma.md §18, the variants of slice-walkthrough.md §12, errors,
 * barriers. */
#include "chip.h"

#define M2S      0x800000u
#define S2M      0x801000u
#define SRC      0x1000000u
#define DST      0x1010000u
#define HOST_BUF LOAD_HOST_BUFFERS

static struct chip c;

static void setup(void)
{
    chip_open(&c, 1);
    chip_dma_engine(&c, 0);
    chip_dma_queue(&c, 0, 0, M2S, S2M, 32);
}

static void teardown(void)
{
    chip_accepted(&c);
    chip_close(&c);
}

static void fill(uint64_t addr, uint32_t len)
{
    uint8_t *b = malloc(len);
    ck_assert_ptr_nonnull(b);
    for (uint32_t i = 0; i < len; i++)
        b[i] = (uint8_t)(i * 13 + i / 256 + 1);
    chip_mem(&c, addr, b, len);
    free(b);
}

/* The bytes at dst are those of fill() from `skip` on, with untouched bytes on both sides. */
static void copied(uint64_t dst, uint32_t skip, uint32_t len)
{
    uint8_t *b = malloc(len + 128);
    ck_assert_ptr_nonnull(b);
    ref_mem_read(c.r, dst - 64, b, len + 128);
    for (uint32_t i = 0; i < len + 128; i++) {
        bool inside = i >= 64 && i < 64 + len;
        uint8_t want = inside ? (uint8_t)((i - 64 + skip) * 13 + (i - 64 + skip) / 256 + 1) : 0;
        ck_assert_msg(b[i] == want, "byte %d: 0x%02x instead of 0x%02x", (int)i - 64, b[i], want);
    }
    free(b);
}

static void pointers(uint32_t value)
{
    for (unsigned dir = 0; dir < 2; dir++) {
        uint64_t b = chip_bank(0, 0, dir);
        ck_assert_uint_eq(chip_r(&c, b + M2SQ_TDRTP_OFF), value);
        ck_assert_uint_eq(chip_r(&c, b + M2SQ_TDRHP_OFF), value);
        ck_assert_uint_eq(chip_r(&c, b + M2SQ_TDCP_OFF), value);
        ck_assert_uint_eq(chip_r(&c, b + M2SQ_TCRHP_OFF), value);
    }
}

static uint32_t udma_off(unsigned dir, unsigned queue)
{
    return (uint32_t)(chip_bank(0, queue, dir) - chip_dma(0));
}

static void marker(uint32_t index)
{
    static const uint32_t words[] = { DMA_MARKER, 0 };
    chip_words(&c, HOST_BUF, words, 2);
    chip_desc(&c, M2S, index, 0x0d000004, DMA_COPY_WORD, HOST_BUF);
    chip_desc(&c, S2M, index, 0x01000004, 0, HOST_BUF + 4);
}

static void done(void)
{
    chip_run(&c);
    chip_quiet(&c);
}

START_TEST(example_a_copies_and_writes_the_marker)
{
    fill(SRC, 4096);
    chip_desc(&c, M2S, 0, 0x0d001000, DMA_COPY_WB_WORD, SRC);
    chip_desc(&c, S2M, 0, 0x01001000, 0, DST);
    marker(1);
    chip_bell(&c, 0, 0, 1, 2);
    chip_bell(&c, 0, 0, 0, 2);
    done();
    copied(DST, 0, 4096);
    ck_assert_uint_eq(chip_word(&c, HOST_BUF + 4), DMA_MARKER);
    pointers(0x40000002);
}
END_TEST

START_TEST(source_bell_first_waits_and_loses_nothing)
{
    fill(SRC, 4096);
    chip_desc(&c, M2S, 0, 0x0d001000, DMA_COPY_WB_WORD, SRC);
    chip_desc(&c, S2M, 0, 0x01001000, 0, DST);
    marker(1);
    chip_bell(&c, 0, 0, 0, 2);
    chip_run(&c);
    ck_assert_uint_eq(chip_count(&c, EV_DMA_START), 0);
    chip_bell(&c, 0, 0, 1, 1);
    chip_run(&c);
    copied(DST, 0, 4096);
    ck_assert_uint_eq(chip_word(&c, HOST_BUF + 4), 0);
    chip_bell(&c, 0, 0, 1, 1);
    done();
    ck_assert_uint_eq(chip_word(&c, HOST_BUF + 4), DMA_MARKER);
}
END_TEST

START_TEST(example_b_gathers_three_buffers)
{
    fill(SRC, 0x1c00);
    chip_desc(&c, M2S, 0, 0x05001000, DMA_COPY_WORD, SRC);
    chip_desc(&c, M2S, 1, 0x81000800, 0, SRC + 0x1000);
    chip_desc(&c, M2S, 2, 0x89000400, 0, SRC + 0x1800);
    chip_desc(&c, S2M, 0, 0x01001c00, 0, DST + 1);
    chip_bell(&c, 0, 0, 1, 1);
    chip_bell(&c, 0, 0, 0, 3);
    done();
    copied(DST + 1, 0, 0x1c00);
    ck_assert_uint_eq(chip_r(&c, chip_bank(0, 0, 0) + M2SQ_TCRHP_OFF), 0x40000003);
    ck_assert_uint_eq(chip_r(&c, chip_bank(0, 0, 1) + M2SQ_TCRHP_OFF), 0x40000001);
    ck_assert_uint_eq(chip_r(&c, chip_bank(0, 0, 0) + M2SQ_Q_TX_PKT_OFF), 1);
}
END_TEST

START_TEST(scatter_fills_a_buffer_before_the_next)
{
    fill(SRC, 0x1000);
    chip_desc(&c, M2S, 0, 0x0d001000, DMA_COPY_WB_WORD, SRC);
    marker(1);
    chip_desc(&c, S2M, 0, 0x01000800, 0, DST);
    chip_desc(&c, S2M, 1, 0x01000800, 0, DST + 0x2000);
    chip_desc(&c, S2M, 2, 0x01000004, 0, HOST_BUF + 4);
    chip_bell(&c, 0, 0, 1, 3);
    chip_bell(&c, 0, 0, 0, 2);
    done();
    copied(DST, 0, 0x800);
    copied(DST + 0x2000, 0x800, 0x800);
}
END_TEST

START_TEST(short_packet_closes_its_buffer)
{
    fill(SRC, 0x40);
    chip_desc(&c, M2S, 0, 0x0d000020, DMA_COPY_WORD, SRC);
    chip_desc(&c, M2S, 1, 0x0d000020, DMA_COPY_WORD, SRC + 0x20);
    chip_desc(&c, S2M, 0, 0x01001000, 0, DST);
    chip_desc(&c, S2M, 1, 0x01001000, 0, DST + 0x4000);
    chip_bell(&c, 0, 0, 1, 2);
    chip_bell(&c, 0, 0, 0, 2);
    done();
    copied(DST, 0, 0x20);
    copied(DST + 0x4000, 0x20, 0x20);
}
END_TEST

START_TEST(example_c_wraps_with_the_next_ring_id)
{
    fill(SRC, 512 * 34);
    for (uint32_t i = 0; i < 34; i++) {
        uint32_t id = (1 + i / 32) << 24;
        if (i == 32)
            chip_run(&c);
        chip_desc(&c, M2S, i % 32, 0x0c000200 | id, DMA_COPY_WORD, SRC + 512 * i);
        chip_desc(&c, S2M, i % 32, 0x00000200 | id, 0, DST + 512 * i);
        chip_bell(&c, 0, 0, 1, 1);
        chip_bell(&c, 0, 0, 0, 1);
    }
    done();
    copied(DST, 0, 512 * 34);
    pointers(0x80000002);
}
END_TEST

START_TEST(ring_id_starts_again_after_three)
{
    fill(SRC, 64);
    for (uint32_t i = 0; i < 32 * 5; i++) {
        uint32_t id = ((1 + i / 32) & 3) << 24;
        chip_desc(&c, M2S, i % 32, 0x0c000040 | id, DMA_COPY_WORD, SRC);
        chip_desc(&c, S2M, i % 32, 0x00000040 | id, 0, DST);
        chip_bell(&c, 0, 0, 1, 1);
        chip_bell(&c, 0, 0, 0, 1);
        chip_run(&c);
    }
    chip_quiet(&c);
    pointers(0x80000000);
}
END_TEST

START_TEST(stale_ring_id_stops_the_queue_and_logs_the_descriptor)
{
    fill(SRC, 4096);
    chip_desc(&c, M2S, 0, 0x0e001000, DMA_COPY_WB_WORD, SRC);
    chip_desc(&c, S2M, 0, 0x01001000, 0, DST);
    chip_bell(&c, 0, 0, 1, 1);
    chip_bell(&c, 0, 0, 0, 1);
    done();
    ck_assert_uint_eq(chip_count(&c, EV_DMA_WR), 0);
    ck_assert_uint_eq(c.items[chip_find(&c, EV_DMA_ERR, 0)].ev.code, M2S_ERR_RING_ID);
    ck_assert_uint_eq(chip_r(&c, chip_dma(0) + UDMA_M2S_OFF + M2S_LOG_0_OFF), 0x0e001000);
}
END_TEST

START_TEST(masked_ring_id_mismatch_executes)
{
    fill(SRC, 64);
    chip_w(&c, chip_dma(0) + UDMA_M2S_OFF + M2S_ERR_LOG_MASK_OFF, 1u << M2S_ERR_RING_ID);
    chip_desc(&c, M2S, 0, 0x0e000040, DMA_COPY_WORD, SRC);
    chip_desc(&c, S2M, 0, 0x01000040, 0, DST);
    chip_bell(&c, 0, 0, 1, 1);
    chip_bell(&c, 0, 0, 0, 1);
    done();
    copied(DST, 0, 64);
}
END_TEST

START_TEST(example_e_increments_a_semaphore_after_the_data)
{
    fill(SRC, 128);
    chip_desc(&c, M2S, 0, 0x0d000080, DMA_COPY_WORD, SRC);
    chip_desc(&c, S2M, 0, 0x01000080, 0, DST);
    chip_desc(&c, M2S, 1, 0x0d000004, DMA_COPY_WORD, DMA_CONST_SET_ADDR);
    chip_desc(&c, S2M, 1, 0x21000004, 0, 0x2802701828);
    chip_bell(&c, 0, 0, 1, 2);
    chip_bell(&c, 0, 0, 0, 2);
    done();
    ck_assert_uint_eq(chip_sem(&c, 10), 1);
    ck_assert_uint_eq(chip_r(&c, chip_dma(0) + UDMA_APP_OFF + UAPP_NUM_SET_OFF), 1);
    size_t wr = chip_find(&c, EV_DMA_WR, 0), resp = chip_find(&c, EV_DMA_WRESP, 0);
    ck_assert_uint_lt(resp, chip_find(&c, EV_DMA_WR, wr + 1));
}
END_TEST

START_TEST(constant_addresses_are_unmapped_without_the_accelerator)
{
    chip_w(&c, chip_dma(0) + UDMA_APP_OFF + UAPP_EVENT_ACCEL_OFF, 0);
    chip_desc(&c, M2S, 0, 0x0d000004, DMA_COPY_WORD, DMA_CONST_SET_ADDR);
    chip_desc(&c, S2M, 0, 0x01000004, 0, DST);
    chip_bell(&c, 0, 0, 1, 1);
    chip_bell(&c, 0, 0, 0, 1);
    done();
    ck_assert_uint_eq(c.items[chip_find(&c, EV_DMA_ERR, 0)].ev.code, M2S_ERR_DATA_RESP);
    ck_assert_uint_eq(chip_count(&c, EV_DMA_CONST), 0);
}
END_TEST

START_TEST(length_zero_is_64_kib)
{
    fill(SRC, 65536);
    chip_desc(&c, M2S, 0, 0x0d000000, DMA_COPY_WORD, SRC);
    chip_desc(&c, S2M, 0, 0x01000000, 0, DST + 0x10000);
    chip_bell(&c, 0, 0, 1, 1);
    chip_bell(&c, 0, 0, 0, 1);
    done();
    copied(DST + 0x10000, 0, 65536);
}
END_TEST

START_TEST(any_length_at_any_offset)
{
    static const uint32_t lengths[] = { 1, 2, 3, 63, 64, 65, 255, 257 };
    uint32_t len = lengths[_i], n = 0;
    fill(SRC, 512);
    for (uint32_t off = 0; off < 64; off += 7, n++) {
        uint32_t id = (1 + n / 32) << 24;
        chip_desc(&c, M2S, n % 32, 0x0c000000 | id | len, DMA_COPY_WORD, SRC + off);
        chip_desc(&c, S2M, n % 32, id | len, 0, DST + 0x1000 * n + (off * 5 & 63));
        chip_bell(&c, 0, 0, 1, 1);
        chip_bell(&c, 0, 0, 0, 1);
        chip_run(&c);
        copied(DST + 0x1000 * n + (off * 5 & 63), off, len);
    }
    chip_quiet(&c);
}
END_TEST

START_TEST(doorbell_over_the_ring_size_is_refused)
{
    chip_bell(&c, 0, 0, 1, 32);
    chip_bell(&c, 0, 0, 1, 1);
    size_t second = chip_find(&c, EV_DMA_BELL, chip_find(&c, EV_DMA_BELL, 0) + 1);
    ck_assert_uint_eq(c.items[second].ev.code, 1);
    ck_assert_uint_eq(chip_r(&c, chip_bank(0, 0, 1) + M2SQ_TDRTP_OFF), 0x80000000);
    chip_bell(&c, 0, 0, 0, 0); /* ignored */
    ck_assert_uint_eq(chip_count(&c, EV_DMA_BELL), 2);
    done();
}
END_TEST

START_TEST(wrong_descriptors_raise_their_bit)
{
    static const struct {
        uint32_t w0, w1;
        unsigned before, bit;
    } rows[] = {
        { 0x09000040, DMA_COPY_WORD, 0, M2S_ERR_FIRST }, /* LAST without FIRST */
        { 0x0d000040, DMA_COPY_WORD, 1, M2S_ERR_FIRST }, /* FIRST inside an open packet */
        { 0x0d000040, DMA_COPY_WORD, 2, M2S_ERR_MAX_DESC },
        { 0x0d000041, DMA_COPY_WORD, 3, M2S_ERR_PKT_LEN },
    };
    if (rows[_i].before == 1)
        chip_desc(&c, M2S, 0, 0x05000040, DMA_COPY_WORD, SRC);
    uint32_t at = rows[_i].before == 1;
    if (rows[_i].before == 2)
        chip_w(&c, chip_dma(0) + UDMA_M2S_OFF + M2S_DESC_PREF_CFG_2_OFF, 0);
    if (rows[_i].before == 3)
        chip_w(&c, chip_dma(0) + UDMA_M2S_OFF + M2S_CFG_LEN_OFF, 0x01000040);
    chip_desc(&c, M2S, at, rows[_i].w0, rows[_i].w1, SRC);
    chip_desc(&c, S2M, 0, 0x01000040, 0, DST);
    chip_bell(&c, 0, 0, 1, 1);
    chip_bell(&c, 0, 0, 0, at + 1);
    done();
    ck_assert_uint_eq(c.items[chip_find(&c, EV_DMA_ERR, 0)].ev.code, rows[_i].bit);
    ck_assert_uint_eq(chip_count(&c, EV_DMA_START), 0);
}
END_TEST

START_TEST(unsupported_operations_are_not_executed)
{
    chip_desc(&c, M2S, 0, 0x0d000040, DMA_CCE_ADD_WORD, SRC);
    chip_desc(&c, S2M, 0, 0x01000040, 0, DST);
    chip_bell(&c, 0, 0, 1, 1);
    chip_bell(&c, 0, 0, 0, 1);
    done();
    ck_assert_uint_eq(chip_count(&c, EV_DMA_ERR), 1);
    ck_assert_uint_eq(chip_count(&c, EV_DMA_START), 0);
}
END_TEST

/* Word 1 that is no plain copy: bit 2; LAST on a metadata descriptor: bit 16. */
START_TEST(what_is_no_copy_is_a_stream_error)
{
    static const uint32_t w1[] = { DMA_COPY_WORD & ~M2S_DESC_W1_COPY_SRC_MASK,
                                   DMA_COPY_WORD | M2S_DESC_W1_NOTIFY_MASK,
                                   DMA_COPY_WORD | 1u << M2S_DESC_W1_CRC_IV_LSB,
                                   DMA_COPY_WORD | 1u << M2S_DESC_W1_STORE_SRC_CRC_MSB,
                                   0x01100003,
                                   0 };
    bool md = w1[_i] == 0;
    chip_desc(&c, M2S, 0, md ? 0x0d800000 : 0x0d000040, md ? 0 : w1[_i], SRC);
    chip_desc(&c, S2M, 0, 0x01000040, 0, DST);
    chip_bell(&c, 0, 0, 1, 1);
    chip_bell(&c, 0, 0, 0, 1);
    done();
    ck_assert_uint_eq(c.items[chip_find(&c, EV_DMA_ERR, 0)].ev.code, md ? M2S_ERR_LAST : M2S_ERR_STREAM_RESP);
    ck_assert_uint_eq(chip_r(&c, chip_dma(0) + UDMA_M2S_OFF + M2S_LOG_0_OFF), md ? 0x0d800000 : 0x0d000040);
    chip_w(&c, chip_dma(0) + UDMA_M2S_OFF + M2S_CLEAR_ERR_LOG_OFF, 1);
    ck_assert_uint_eq(chip_r(&c, chip_dma(0) + UDMA_M2S_OFF + M2S_LOG_0_OFF), 0);
}
END_TEST

START_TEST(completion_ring_of_reset_refuses_the_queue)
{
    uint64_t s = chip_bank(0, 3, 1);
    chip_w(&c, s + S2MQ_RDRL_OFF, 32);
    chip_w(&c, s + S2MQ_CFG_OFF, DMA_Q_CFG_ON);
    chip_bell(&c, 0, 3, 1, 1);
    done();
    const struct dev_event *ev = &c.items[chip_find(&c, EV_DMA_ERR, 0)].ev;
    ck_assert_uint_eq(ev->code, S2M_ERR_UNSUP);
    ck_assert_uint_eq(ev->words[0] | ev->words[1] | ev->words[2] | ev->words[3], 0);
    ck_assert_uint_eq(chip_count(&c, EV_DMA_DESC), 0);
}
END_TEST

/* Served for the last 4 bytes of a descriptor or fewer; a longer read goes to the bus, where nothing is. */
START_TEST(constants_are_words)
{
    static const uint32_t len[] = { 4, 1, 5 };
    chip_desc(&c, M2S, 0, 0x0d000000 | len[_i], DMA_COPY_WORD, DMA_CONST_SET_ADDR);
    chip_desc(&c, S2M, 0, 0x01000000 | len[_i], 0, DST);
    chip_bell(&c, 0, 0, 1, 1);
    chip_bell(&c, 0, 0, 0, 1);
    done();
    ck_assert_uint_eq(chip_count(&c, EV_DMA_CONST), len[_i] <= 4);
    ck_assert_uint_eq(chip_count(&c, EV_DMA_ERR), len[_i] > 4);
    ck_assert_uint_eq(chip_word(&c, DST), len[_i] <= 4);
}
END_TEST

/* A failed read ends its packet and those behind it, not those ahead; both directions need rst_q. */
START_TEST(data_error_stops_both_directions)
{
    fill(SRC, 64);
    for (uint32_t i = 0; i < 3; i++) {
        chip_desc(&c, M2S, i, 0x0d000040, DMA_COPY_WORD, i == 1 ? SOC_HARNESS : SRC);
        chip_desc(&c, S2M, i, 0x01000040, 0, DST + 0x100 * i);
    }
    chip_bell(&c, 0, 0, 1, 3);
    chip_bell(&c, 0, 0, 0, 3);
    done();
    copied(DST, 0, 64);
    ck_assert_uint_eq(chip_word(&c, DST + 0x200), 0);
    ck_assert_uint_eq(chip_r(&c, chip_bank(0, 0, 0) + M2SQ_TCRHP_OFF), 0x40000001);
    for (unsigned dir = 0; dir < 2; dir++)
        chip_w(&c, chip_bank(0, 0, dir) + (dir ? S2MQ_Q_SW_CTRL_OFF : M2SQ_Q_SW_CTRL_OFF), DMA_Q_RESET);
    chip_desc(&c, M2S, 0, 0x0d000040, DMA_COPY_WORD, SRC);
    chip_bell(&c, 0, 0, 1, 1);
    chip_bell(&c, 0, 0, 0, 1);
    done();
    pointers(0x40000001);
}
END_TEST

/* Each direction has its own run state; the engine runs when both do. */
START_TEST(state_is_that_of_both_directions)
{
    uint64_t m = chip_dma(0) + UDMA_M2S_OFF + M2S_CHANGE_STATE_OFF,
             s = chip_dma(0) + UDMA_S2M_OFF + S2M_CHANGE_STATE_OFF;
    chip_w(&c, m, M2S_CHANGE_STATE_DIS_MASK);
    chip_w(&c, s, M2S_CHANGE_STATE_DIS_MASK);
    chip_w(&c, m, M2S_CHANGE_STATE_NORMAL_MASK);
    done();
    ck_assert_uint_eq(chip_count(&c, EV_DMA_STATE), 1);
    chip_w(&c, s, M2S_CHANGE_STATE_NORMAL_MASK);
    done();
    ck_assert_uint_eq(chip_count(&c, EV_DMA_STATE), 2);
}
END_TEST

/* Switching on what is not built is refused and changes nothing (rtl/udma/udma.v). */
START_TEST(what_is_not_built_is_refused)
{
    const struct {
        uint32_t off, value;
        bool refused;
    } rows[] = {
        { UDMA_GEN_OFF + UGEN_PRIMARY_OFF + UIOFIC_MASK_OFF, 0, true },
        { UDMA_GEN_OFF + UGEN_SECONDARY_OFF + UIOFIC_CAUSE_OFF, 0, true },
        { UDMA_GEN_OFF + UGEN_AXI_IOFIC_OFF, 0, true },
        { UDMA_GEN_OFF + UGEN_MAILBOX_OFF + UBOX_INTERRUPT_OFF, 1, true },
        { UDMA_GEN_OFF + UGEN_MAILBOX_OFF + UBOX_INTERRUPT_OFF, 0, false },
        { UDMA_GEN_OFF + UGEN_MAILBOX_OFF + UBOX_MSG_OUT_OFF, 7, false },
        { UDMA_GEN_OFF + UGEN_AXI_ERR_DET_OFF + 8, 7, false },
        { udma_off(0, 2) + M2SQ_COMP_CFG_OFF, M2SQ_COMP_CFG_EN_RING_MASK, true },
        { udma_off(1, 2) + S2MQ_COMP_CFG_OFF, S2MQ_COMP_CFG_EN_RING_MASK, true },
        { udma_off(0, 2) + M2SQ_TDRDTP_INC_OFF, 0, true },
        { udma_off(0, 2) + M2SQ_Q_SW_CTRL_OFF, M2SQ_Q_SW_CTRL_RST_HEAD_MASK, true },
        { udma_off(1, 2) + S2MQ_Q_SW_CTRL_OFF, S2MQ_Q_SW_CTRL_RST_PREFETCH_MASK, true },
        { udma_off(1, 2) + S2MQ_Q_SW_CTRL_OFF, S2MQ_Q_SW_CTRL_RST_PREFETCH_MASK | DMA_Q_RESET, false },
        { UDMA_M2S_OFF + M2S_MLA_CFG_PREFETCH_OFF, 0x10000, true },
        { UDMA_S2M_OFF + S2M_STREAM_CFG_OFF, S2M_STREAM_CFG_FLUSH_MASK, true },
        { UDMA_APP_OFF + UAPPQ_FIRST + UAPPQ_M2S_TRIGGER_OFF, UAPPQ_M2S_TRIGGER_EN_MASK, true },
        { UDMA_APP_OFF + UAPPQ_FIRST + UAPPQ_M2S_TRIGGER_OFF, 5, false },
        { UDMA_NOTIFIC_OFF, 0, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t before = 0, after = 0;
        ref_reg_read(c.r, chip_dma(0) + rows[i].off, &before);
        ck_assert_msg(ref_reg_write(c.r, chip_dma(0) + rows[i].off, rows[i].value) == rows[i].refused,
                      "row %zu", i);
        ref_reg_read(c.r, chip_dma(0) + rows[i].off, &after);
        ck_assert_msg(!rows[i].refused || before == after, "row %zu changed the register", i);
    }
}
END_TEST

/* Judges the recording up to the second write burst and gives that burst to a model that has not seen the
 * answer. */
static int second_write_before_the_answer(struct nerr *err)
{
    struct ref *second = ref_new(&c.cfg);
    ck_assert_ptr_nonnull(second);
    size_t wr = chip_find(&c, EV_DMA_WR, 0), next = chip_find(&c, EV_DMA_WR, wr + 1);
    int rc = 0;
    ck_assert_uint_lt(next, c.n);
    for (size_t i = 0; i <= next && !rc; i++) {
        if (c.items[i].bytes)
            ck_assert(ref_mem_write(second, c.items[i].addr, c.items[i].bytes, c.items[i].len));
        else if (c.items[i].ev.kind != EV_DMA_WRESP && c.items[i].ev.kind != EV_DMA_CPL)
            rc = ref_judge(second, &c.items[i].ev, err);
    }
    ref_free(second);
    return rc;
}

START_TEST(barriers_hold_the_next_write)
{
    /* no barrier, write barrier on the first source, SOW on the second destination, DMB on the second source
     */
    static const uint32_t w1[] = { DMA_COPY_WORD, DMA_COPY_WB_WORD, DMA_COPY_WORD, DMA_COPY_WORD };
    static const uint32_t sow[] = { 0, 0, S2M_DESC_W0_SOW_MASK, 0 };
    static const uint32_t dmb[] = { 0, 0, 0, M2S_DESC_W0_DMB_MASK };
    struct nerr err = { 0 };
    fill(SRC, 64);
    chip_desc(&c, M2S, 0, 0x0d000020, w1[_i], SRC);
    chip_desc(&c, M2S, 1, 0x0d000020 | dmb[_i], DMA_COPY_WORD, SRC + 32);
    chip_desc(&c, S2M, 0, 0x01000020, 0, DST);
    chip_desc(&c, S2M, 1, 0x01000020 | sow[_i], 0, DST + 32);
    chip_bell(&c, 0, 0, 1, 2);
    chip_bell(&c, 0, 0, 0, 2);
    done();
    copied(DST, 0, 64);
    ck_assert_int_eq(second_write_before_the_answer(&err), _i == 0 ? 0 : NERR_MISMATCH);
}
END_TEST

START_TEST(masked_dmb_is_ignored)
{
    struct nerr err = { 0 };
    fill(SRC, 64);
    chip_w(&c, chip_bank(0, 0, 0) + M2SQ_RATE_LIMIT_MASK_OFF, M2SQ_RATE_LIMIT_MASK_RESET);
    chip_desc(&c, M2S, 0, 0x0d000020, DMA_COPY_WORD, SRC);
    chip_desc(&c, M2S, 1, 0x4d000020, DMA_COPY_WORD, SRC + 32);
    chip_desc(&c, S2M, 0, 0x01000020, 0, DST);
    chip_desc(&c, S2M, 1, 0x01000020, 0, DST + 32);
    chip_bell(&c, 0, 0, 1, 2);
    chip_bell(&c, 0, 0, 0, 2);
    done();
    ck_assert_int_eq(second_write_before_the_answer(&err), 0);
}
END_TEST

START_TEST(queues_share_the_engine)
{
    fill(SRC, 0x8000);
    for (unsigned q = 1; q < 16; q++) {
        uint64_t ring = 0x810000u + 0x1000u * q;
        chip_dma_queue(&c, 0, q, ring, ring + 0x800, 32);
        chip_desc(&c, ring, 0, 0x0d000333, DMA_COPY_WORD, SRC + q);
        chip_desc(&c, ring + 0x800, 0, 0x01000333, 0, DST + 0x1000 * q);
        chip_bell(&c, 0, q, 1, 1);
        chip_bell(&c, 0, q, 0, 1);
    }
    done();
    for (unsigned q = 1; q < 16; q++)
        copied(DST + 0x1000 * q, q, 0x333);
}
END_TEST

START_TEST(stopped_engine_waits_and_goes_on)
{
    fill(SRC, 64);
    chip_w(&c, chip_dma(0) + UDMA_M2S_OFF + M2S_CHANGE_STATE_OFF, M2S_CHANGE_STATE_DIS_MASK);
    chip_run(&c);
    chip_desc(&c, M2S, 0, 0x0d000040, DMA_COPY_WORD, SRC);
    chip_desc(&c, S2M, 0, 0x01000040, 0, DST);
    chip_bell(&c, 0, 0, 1, 1);
    chip_bell(&c, 0, 0, 0, 1);
    chip_run(&c);
    ck_assert_uint_eq(chip_count(&c, EV_DMA_START), 0);
    chip_w(&c, chip_dma(0) + UDMA_M2S_OFF + M2S_CHANGE_STATE_OFF, M2S_CHANGE_STATE_NORMAL_MASK);
    done();
    copied(DST, 0, 64);
}
END_TEST

START_TEST(queue_reset_starts_again)
{
    fill(SRC, 64);
    for (unsigned round = 0; round < 3; round++) {
        chip_dma_queue(&c, 0, 0, M2S, S2M, 32);
        chip_desc(&c, M2S, 0, 0x0d000040, DMA_COPY_WORD, SRC);
        chip_desc(&c, S2M, 0, 0x01000040, 0, DST + 0x1000 * round);
        chip_bell(&c, 0, 0, 1, 1);
        chip_bell(&c, 0, 0, 0, 1);
        done();
        copied(DST + 0x1000 * round, 0, 64);
        pointers(0x40000001);
    }
}
END_TEST

START_TEST(registers_read_their_reset_values)
{
    uint64_t q = chip_bank(0, 5, 0), s = chip_bank(0, 5, 1);
    ck_assert_uint_eq(chip_r(&c, q + M2SQ_CFG_OFF), 0x03000000);
    ck_assert_uint_eq(chip_r(&c, s + S2MQ_CFG_OFF), 0x03000033);
    ck_assert_uint_eq(chip_r(&c, q + M2SQ_TDRBP_LOW_OFF), 0x40);
    ck_assert_uint_eq(chip_r(&c, q + M2SQ_RATE_LIMIT_MASK_OFF), 7);
    ck_assert_uint_eq(chip_r(&c, s + S2MQ_COMP_CFG_OFF), 0xf);
    ck_assert_uint_eq(chip_r(&c, chip_dma(0) + UDMA_M2S_OFF + M2S_DMA_VERSION_OFF), 4);
    ck_assert_uint_eq(chip_r(&c, chip_dma(0) + UDMA_GEN_OFF + UGEN_REVISION_OFF), 0x1c360003);
    ck_assert_uint_eq(
        chip_r(&c, chip_dma(0) + UDMA_APP_OFF + UAPPQ_FIRST + UAPPQ_STRIDE + UAPPQ_M2S_CRC_INIT_OFF),
        0xffffffff);
    uint32_t v;
    ck_assert_int_eq(ref_reg_read(c.r, chip_dma(0) + UDMA_NOTIFIC_OFF, &v), 1); /* not built: refused */
    ck_assert_int_eq(ref_reg_write(c.r, chip_dma(0) + UDMA_NOTIFIC_OFF, 1), 1);
    chip_w(&c, q + M2SQ_TDRBP_LOW_OFF, 0xffffffff);
    ck_assert_uint_eq(chip_r(&c, q + M2SQ_TDRBP_LOW_OFF), 0xffffffc0);
    chip_w(&c, q + M2SQ_TDRHP_OFF, 5);
    ck_assert_uint_eq(chip_r(&c, q + M2SQ_TDRHP_OFF), 0x40000000);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("refmodel udma");
    TCase *t = tcase_create("udma");
    tcase_set_timeout(t, 60);
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, example_a_copies_and_writes_the_marker);
    tcase_add_test(t, source_bell_first_waits_and_loses_nothing);
    tcase_add_test(t, example_b_gathers_three_buffers);
    tcase_add_test(t, scatter_fills_a_buffer_before_the_next);
    tcase_add_test(t, short_packet_closes_its_buffer);
    tcase_add_test(t, example_c_wraps_with_the_next_ring_id);
    tcase_add_test(t, ring_id_starts_again_after_three);
    tcase_add_test(t, stale_ring_id_stops_the_queue_and_logs_the_descriptor);
    tcase_add_test(t, masked_ring_id_mismatch_executes);
    tcase_add_test(t, example_e_increments_a_semaphore_after_the_data);
    tcase_add_test(t, constant_addresses_are_unmapped_without_the_accelerator);
    tcase_add_test(t, length_zero_is_64_kib);
    tcase_add_loop_test(t, any_length_at_any_offset, 0, 8);
    tcase_add_test(t, doorbell_over_the_ring_size_is_refused);
    tcase_add_loop_test(t, wrong_descriptors_raise_their_bit, 0, 4);
    tcase_add_test(t, unsupported_operations_are_not_executed);
    tcase_add_loop_test(t, what_is_no_copy_is_a_stream_error, 0, 6);
    tcase_add_test(t, completion_ring_of_reset_refuses_the_queue);
    tcase_add_loop_test(t, constants_are_words, 0, 3);
    tcase_add_test(t, data_error_stops_both_directions);
    tcase_add_test(t, state_is_that_of_both_directions);
    tcase_add_test(t, what_is_not_built_is_refused);
    tcase_add_loop_test(t, barriers_hold_the_next_write, 0, 4);
    tcase_add_test(t, masked_dmb_is_ignored);
    tcase_add_test(t, queues_share_the_engine);
    tcase_add_test(t, stopped_engine_waits_and_goes_on);
    tcase_add_test(t, queue_reset_starts_again);
    tcase_add_test(t, registers_read_their_reset_values);
    suite_add_tcase(s, t);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed != 0;
}
