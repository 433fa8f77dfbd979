/* Operand tables of the TONGA (V1) set: 4-byte events block, payload at 8 (tpb-sequencer.md §3.2, §5.2,
 * tpb-compute.md §5.10). */
#include "isa/table.h"

static const struct operand_word pool_words[] = { { "max", POOLF_MAX },
                                                  { "average", POOLF_AVERAGE },
                                                  { NULL, 0 } };
static const struct operand_word dim_words[] = { { "none", DIM_NONE }, { "x", DIM_X },       { "xy", DIM_XY },
                                                 { "xyz", DIM_XYZ },   { "xyzw", DIM_XYZW }, { NULL, 0 } };

static const struct operand write_[] = {
    { OPD(TONGA_WRITE, ADDR, OPD_ADDR8, NULL), .always = true },
    { OPD(TONGA_WRITE, VALUE, OPD_HEX, "value"), .always = true },
    { OPD(TONGA_WRITE, WR_SIZE, OPD_UINT, "size"), .normal = 4 },
};
static const struct operand notify[] = {
    { .key = "notify",
      .off = TONGA_NOTIFY_FLAGS_OFF,
      .width = 1,
      .count = 1,
      .kind = OPD_UINT,
      .lsb = SLOT_NOTIFY_FLAGS_NOTIFY_LSB,
      .bits = 1 },
    { .key = "interrupt",
      .off = TONGA_NOTIFY_FLAGS_OFF,
      .width = 1,
      .count = 1,
      .kind = OPD_UINT,
      .lsb = SLOT_NOTIFY_FLAGS_INTR_LSB,
      .bits = 1 },
    { OPD(TONGA_NOTIFY, HINT_EXT, OPD_HEX, "ext") },
};
static const struct operand tas[] = {
    { OPD(TONGA_TAS, INDEX, OPD_UINT, "semaphore"), .always = true },
    { OPD(TONGA_TAS, EXPECTED, OPD_UINT, "expected"), .always = true },
    { OPD(TONGA_TAS, NEW, OPD_UINT, "new"), .always = true },
};
static const struct operand dmatrig[] = {
    { OPD(TONGA_DMATRIG, QUEUE, OPD_TEXT, NULL), .always = true },
    { OPD(TONGA_DMATRIG, USE_RAW, OPD_UINT, "use_raw_count") },
    { OPD(TONGA_DMATRIG, BLOCK, OPD_UINT, "block_id"), .always = true },
};
static const struct operand copy[] = {
    { OPD_PATTERN(TONGA_COPY, DST, "dst") },
    { OPD_PATTERN(TONGA_COPY, SRC, "src") },
    { OPD(TONGA_COPY, DTYPE, OPD_DTYPE, "dtype"), .always = true },
    { OPD(TONGA_COPY, CHANNELS, OPD_UINT, "channels"), .always = true },
};
static const struct operand pool[] = {
    { OPD_PATTERN(TONGA_POOL, DST, "dst") },
    { OPD_PATTERN(TONGA_POOL, SRC, "src") },
    { OPD(TONGA_POOL, FUNC, OPD_WORD, "func"), .words = pool_words, .always = true },
    { OPD(TONGA_POOL, DIM, OPD_WORD, "pool_dim"), .words = dim_words, .always = true },
    { OPD(TONGA_POOL, SCALE, OPD_F32, "scale"), .normal = F32_ONE },
    { OPD(TONGA_POOL, IN_DTYPE, OPD_DTYPE, "in_dtype"), .always = true },
    { OPD(TONGA_POOL, OUT_DTYPE, OPD_DTYPE, "out_dtype"), .always = true },
    { OPD(TONGA_POOL, CHANNELS, OPD_UINT, "channels"), .always = true },
};
static const struct operand mm[] = {
    { OPD_PATTERN(TONGA_MM, DST, "dst") },
    { OPD_PATTERN(TONGA_MM, SRC, "src") },
    { OPD(TONGA_MM, IN_DTYPE, OPD_DTYPE, "in_dtype"), .always = true },
    { OPD(TONGA_MM, ROWS, OPD_UINT, "rows"), .always = true },
    { OPD(TONGA_MM, COLS, OPD_UINT, "cols"), .always = true },
    { OPD(TONGA_MM, PSUM_ACC, OPD_UINT, "psum_accumulate"), .always = true },
    { OPD(TONGA_MM, PERF_OPT, OPD_UINT, "perf_opt") },
    { OPD_N(TONGA_MM, REPLICATION, OPD_HEX, "replication", TONGA_MM_REPLICATION_BYTES) },
    { OPD(TONGA_MM, QUANT, OPD_HEX, "quant_offset") },
};

LAYOUT(tonga_write, write_, .name = "TONGA_WRITE");
LAYOUT(tonga_notify, notify, .name = "TONGA_NOTIFY");
LAYOUT(tonga_tas, tas, .name = "TONGA_TEST_AND_SET");
LAYOUT(tonga_dmatrig, dmatrig, .name = "TONGA_DMA_TRIGGER");
LAYOUT(tonga_copy, copy, .name = "TONGA_COPY");
LAYOUT(tonga_pool, pool, .name = "TONGA_POOL");
LAYOUT(tonga_mm, mm, .name = "TONGA_MATMUL");

const struct operand_layout *layout_tonga(unsigned op)
{
    switch (op) {
    case TOP_EVENT_WAIT:
    case TOP_EVENT_SET:
    case TOP_EVENT_CLEAR:
    case TOP_NOP:
        return &layout_events_only;
    case TOP_WRITE:
        return &tonga_write;
    case TOP_NOTIFY:
        return &tonga_notify;
    case TOP_SEMAPHORE_TEST_AND_SET:
        return &tonga_tas;
    case TOP_DMA_TRIGGER:
        return &tonga_dmatrig;
    case TOP_COPY:
        return &tonga_copy;
    case TOP_POOL:
        return &tonga_pool;
    case TOP_MATMUL:
        return &tonga_mm;
    default:
        return NULL;
    }
}
