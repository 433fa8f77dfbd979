/* Notification records in words (notification-queue.md §4-§6): see decode.h. */
#include <inttypes.h>

#include "regs.h"
#include "util/bytes.h"
#include "wave/decode_private.h"

static const char *const engine_words[] = { "PE", "ACT", "POOL", "DVE", "SP" };
#define NENGINES (sizeof engine_words / sizeof *engine_words)

static const char *const error_words[] = { "FP_UNDERFLOW",   "FP_NAN",       "FP_INF",          "FP_OVERFLOW",
                                           "MEMORY_ERROR",   "FAKE_ERROR",   "SEMAPHORE_ERROR", "EVENT_ERROR",
                                           "PSUM_COLLISION", "SEQ_NONFATAL", "SEQ_FATAL" };
static const char *const dma_words[16] = {
    [NDMA_M2S_SOP] = "M2S_SOP",     [NDMA_M2S_EOP] = "M2S_EOP",     [NDMA_M2S_COMPLETION] = "M2S_COMPLETION",
    [NDMA_S2M_SOP] = "S2M_SOP",     [NDMA_S2M_EOP] = "S2M_EOP",     [NDMA_S2M_COMPLETION] = "S2M_COMPLETION",
    [NDMA_AXI_REQ_0] = "AXI_REQ_0", [NDMA_AXI_REQ_1] = "AXI_REQ_1", [NDMA_AXI_RSP_0] = "AXI_RSP_0",
    [NDMA_AXI_RSP_1] = "AXI_RSP_1", [NDMA_APB_REQ_0] = "APB_REQ_0", [NDMA_APB_REQ_1] = "APB_REQ_1"
};
static const char *const hint_words[] = {
    [HINT_NONE] = NULL, [HINT_DGE] = NULL, [HINT_START] = "START", [HINT_DONE] = "DONE"
};

/* The update code without its READ/COMPLETE and register bits: EVT_SEM §4. */
static const char *update_word(uint32_t mode)
{
    switch ((mode & ~(uint32_t)(UPD_COMPLETE_BIT | UPD_REG_BIT)) | UPD_COMPLETE_BIT) {
    case UPD_EVT_SET_COMPLETE:
        return "set";
    case UPD_EVT_CLR_COMPLETE:
        return "clear";
    case UPD_SEM_INC_COMPLETE:
        return "++";
    case UPD_SEM_DEC_COMPLETE:
        return "--";
    case UPD_SEM_ADD_IMM_COMPLETE:
        return "+=";
    case UPD_SEM_SUB_IMM_COMPLETE:
        return "-=";
    case UPD_SEM_WR_IMM_COMPLETE:
        return ":=";
    default:
        return NULL;
    }
}

/* Left out when it is 0. */
static void put_number(const char *word, uint32_t n, struct strbuf *out)
{
    if (n)
        strbuf_printf(out, "%s %" PRIu32, word, n);
}

/* The hint of a NOTIFY, enum HINT. */
static void put_hint(uint32_t hint, struct strbuf *out)
{
    const char *word = hint < sizeof hint_words / sizeof *hint_words ? hint_words[hint] : NULL;
    if (word)
        strbuf_printf(out, " %s", word);
    else
        put_number(" hint", hint, out);
}

static void put_explicit(uint32_t w0, uint32_t w1, struct strbuf *out)
{
    uint32_t hint = FIELD(w0, NOTIF_EXPLICIT_W0_HINT);
    if (hint != HINT_DGE) {
        strbuf_printf(out, " NOTIFY pc %" PRIu32, FIELD(w0, NOTIF_EXPLICIT_W0_PC));
        put_hint(hint, out);
        if (FIELD(w1, NOTIF_EXPLICIT_W1_HINT_EXT))
            strbuf_printf(out, " ext 0x%" PRIx32, FIELD(w1, NOTIF_EXPLICIT_W1_HINT_EXT));
        strbuf_printf(out, " reset %" PRIu32, FIELD(w1, NOTIF_EXPLICIT_W1_RESET_CTR));
        return;
    }
    uint32_t packets = FIELD(w1, NOTIF_DGE_W1_PACKETS);
    strbuf_puts(out, " DGE done");
    if (w1 & NOTIF_DGE_W1_INFER_PC_MASK)
        strbuf_puts(out, " pc of the last START");
    else
        strbuf_printf(out, " pc %" PRIu32, FIELD(w0, NOTIF_EXPLICIT_W0_PC));
    strbuf_printf(out, " engines 0x%" PRIx32 "%s %" PRIu32 " packets", FIELD(w1, NOTIF_DGE_W1_DMA_MAP),
                  w1 & NOTIF_DGE_W1_GROUP_MASK ? "<<16" : "",
                  packets ? packets : (NOTIF_DGE_W1_PACKETS_MASK >> NOTIF_DGE_W1_PACKETS_LSB) + 1);
}

static void put_evt_sem(uint32_t w0, uint32_t w1, struct strbuf *out)
{
    uint32_t mode = FIELD(w0, NOTIF_EVT_SEM_W0_MODE);
    const char *word = update_word(mode);
    bool semaphore = (w0 & NOTIF_EVT_SEM_W0_IS_SEM_MASK) != 0;
    strbuf_printf(out, " $%c[%" PRIu32 "]", semaphore ? 'S' : 'E', FIELD(w0, NOTIF_EVT_SEM_W0_ID));
    if (word)
        strbuf_printf(out, "%s%s", *word == 's' || *word == 'c' ? " " : "", word);
    else
        strbuf_printf(out, " mode 0x%" PRIx32, mode);
    strbuf_printf(out, " -> %" PRId32, (int32_t)w1);
    if (w0 & NOTIF_EVT_SEM_W0_DOUBLE_MASK)
        strbuf_puts(out, " (it was so already)");
}

static void put_dma(uint32_t w0, uint32_t w1, struct strbuf *out)
{
    uint32_t sub = FIELD(w1, NOTIF_DMA_W1_SUB);
    if (!dma_words[sub]) {
        strbuf_printf(out, "DMA ? (sub-type %" PRIu32 ")", sub);
        return;
    }
    strbuf_printf(out, "DMA %s", dma_words[sub]);
    if (sub == NDMA_AXI_REQ_0 || sub == NDMA_AXI_REQ_1) {
        uint64_t address = FIELD(w0, NOTIF_DMA_AXI_W0_ADDR_LO) | (uint64_t)FIELD(w1, NOTIF_DMA_AXI_W1_ADDR_HI)
                                                                     << 24;
        strbuf_printf(out, " 0x%" PRIx64 " id %" PRIu32, address, FIELD(w1, NOTIF_DMA_AXI_W1_ID));
    } else if (sub == NDMA_AXI_RSP_0 || sub == NDMA_AXI_RSP_1) {
        strbuf_printf(out, " id %" PRIu32, FIELD(w1, NOTIF_DMA_AXI_W1_ID));
    } else if (sub == NDMA_APB_REQ_0 || sub == NDMA_APB_REQ_1) {
        strbuf_printf(out, " 0x%" PRIx32,
                      FIELD(w0, NOTIF_DMA_APB_W0_ADDR_LO) | FIELD(w1, NOTIF_DMA_APB_W1_ADDR_HI) << 24);
    } else {
        strbuf_printf(out, " q%" PRIu32, FIELD(w1, NOTIF_DMA_W1_QUEUE));
        if (sub == NDMA_M2S_EOP || sub == NDMA_S2M_EOP)
            strbuf_printf(out, " %" PRIu32 " B crc 0x%04" PRIx32, FIELD(w0, NOTIF_DMA_W0_NBYTES),
                          FIELD(w1, NOTIF_DMA_W1_CRC));
        if (sub == NDMA_M2S_SOP || sub == NDMA_S2M_SOP)
            strbuf_printf(out, " tag %" PRIu32, FIELD(w1, NOTIF_DMA_W1_TAG));
    }
}

static void put_error(uint32_t w0, uint32_t w1, struct strbuf *out)
{
    bool warning = (w0 & NOTIF_ERROR_W0_N_TYPE_MASK) != 0;
    strbuf_printf(out, "%s group %" PRIu32 " block %" PRIu32, warning ? "WARNING" : "INTERRUPT",
                  FIELD(w0, NOTIF_ERROR_W0_GROUP), FIELD(w0, NOTIF_ERROR_W0_BLOCK_ID));
    if (warning)
        strbuf_printf(out, " meta %" PRIu32 ",%" PRIu32 ",0x%" PRIx32, FIELD(w0, NOTIF_ERROR_W0_META0),
                      FIELD(w0, NOTIF_ERROR_W0_META1), w1);
    else
        strbuf_printf(out, " cause 0x%" PRIx32, w1);
}

static const char *block_word(uint32_t block)
{
    switch (block) {
    case BLOCKID_PE:
        return "PE";
    case BLOCKID_ACT:
        return "ACT";
    case BLOCKID_POOL:
        return "POOL";
    case BLOCKID_DVE:
        return "DVE";
    case BLOCKID_SP:
        return "SP";
    default:
        return "block ?";
    }
}

static void put_tpb_error(uint32_t w0, uint32_t w1, struct strbuf *out)
{
    uint32_t id = FIELD(w0, NOTIF_TPB_ERROR_W0_ID);
    if (id >= sizeof error_words / sizeof *error_words) {
        strbuf_printf(out, "ERROR %" PRIu32 " meta 0x%" PRIx32 " 0x%" PRIx32, id,
                      FIELD(w0, NOTIF_W0_META0) >> 8 | FIELD(w0, NOTIF_W0_META1) << 8, w1);
        return;
    }
    strbuf_printf(out, "ERROR %s", error_words[id]);
    if (id == NERR_SEQ_NONFATAL || id == NERR_SEQ_FATAL)
        strbuf_printf(out, " %s pc %" PRIu32 " (mod 4096) code 0x%" PRIx32 " info 0x%" PRIx32,
                      block_word(FIELD(w1, NOTIF_TPB_ERROR_W1_BLOCK_ID)), FIELD(w1, NOTIF_TPB_ERROR_W1_PC),
                      FIELD(w0, NOTIF_TPB_ERROR_W0_CODE), FIELD(w1, NOTIF_TPB_ERROR_W1_INFO));
    else
        strbuf_printf(out, " 0x%" PRIx32, w1);
}

static void put_engine(uint32_t type, uint32_t w0, uint32_t w1, struct strbuf *out)
{
    strbuf_puts(out, engine_words[(type - NTYPE_PE_START) / NTYPE_ENG_STRIDE]);
    switch ((type - NTYPE_PE_START) % NTYPE_ENG_STRIDE) {
    case NKIND_START:
        strbuf_printf(out, " START pc %" PRIu32, FIELD(w0, NOTIF_START_W0_PC));
        put_number(" hint", FIELD(w0, NOTIF_START_W0_HINT), out);
        strbuf_printf(out, " waited %" PRIu32 " reset %" PRIu32, FIELD(w1, NOTIF_START_W1_WAIT_CYCLES),
                      FIELD(w1, NOTIF_START_W1_RESET_CTR));
        break;
    case NKIND_END:
        strbuf_printf(out, " END pc %" PRIu32, FIELD(w0, NOTIF_END_W0_PC));
        put_number(" hint", FIELD(w0, NOTIF_END_W0_HINT), out);
        strbuf_printf(out, " crc 0x%04" PRIx32 " -> 0x%04" PRIx32, FIELD(w1, NOTIF_END_W1_IN_CRC),
                      FIELD(w1, NOTIF_END_W1_OUT_CRC));
        break;
    case NKIND_EXPLICIT:
        put_explicit(w0, w1, out);
        break;
    default:
        put_evt_sem(w0, w1, out);
    }
}

void decode_notification(const uint8_t raw[NOTIF_SIZE], struct strbuf *out)
{
    uint32_t w0 = get_le32(raw + NOTIF_W0_OFF), w1 = get_le32(raw + NOTIF_W1_OFF);
    uint32_t type = FIELD(w0, NOTIF_W0_TYPE);
    if (type >= NTYPE_PE_START && type < NTYPE_PE_START + NENGINES * NTYPE_ENG_STRIDE) {
        put_engine(type, w0, w1, out);
    } else if (type == NTYPE_DMA) {
        put_dma(w0, w1, out);
    } else if (type == NTYPE_ERROR) {
        put_error(w0, w1, out);
    } else if (type == NTYPE_AXI_EVT_SEM) {
        strbuf_puts(out, "AXI");
        put_evt_sem(w0, w1, out);
    } else if (type == NTYPE_HAM) {
        strbuf_printf(out, "HAM n %" PRIu32 " k %" PRIu32 " average %" PRIu32 " min %" PRIu32 " max %" PRIu32,
                      FIELD(w0, NOTIF_HAM_W0_N), FIELD(w0, NOTIF_HAM_W0_K), FIELD(w1, NOTIF_HAM_W1_AVE),
                      FIELD(w1, NOTIF_HAM_W1_MIN), FIELD(w1, NOTIF_HAM_W1_MAX));
    } else if (type == NTYPE_TPB_ERROR) {
        put_tpb_error(w0, w1, out);
    } else {
        strbuf_printf(out, "type 0x%" PRIx32 " 0x%" PRIx32 " 0x%" PRIx32, type,
                      w0 & (NOTIF_W0_META0_MASK | NOTIF_W0_META1_MASK), w1);
    }
    strbuf_printf(out, " phase %" PRIu32, FIELD(w0, NOTIF_W0_PHASE));
    if (w0 & NOTIF_W0_SW_OVF_MASK)
        strbuf_puts(out, " records-lost-before");
    if (w0 & NOTIF_W0_HW_OVF_MASK)
        strbuf_puts(out, " source-lost-records");
    strbuf_printf(out, " at %" PRIu64 " ps", get_le64(raw + NOTIF_W2_OFF));
}
