/*
 * How the operand tables (layouts_*.c) are written, and the functions by which operand_find asks them.
 * Offsets and widths come from regs/isa.regs: a row names a record and a word of it.
 */
#ifndef NEFFSIM_ISA_TABLE_H
#define NEFFSIM_ISA_TABLE_H

#include "isa/operand.h"
#include "regs.h"

#define LAYOUT(name_, list_, ...)                                                                            \
    static const struct operand_layout name_ = { .list = (list_),                                            \
                                                 .count = sizeof(list_) / sizeof *(list_),                   \
                                                 __VA_ARGS__ }

/* One word of a record; more members (.words, .normal, .always, .count) may follow it in the braces. */
#define OPD(rec, word, kind_, key_)                                                                          \
    .key = (key_), .off = rec##_##word##_OFF, .width = rec##_##word##_BYTES, .count = 1, .kind = (kind_)

/* A word of n elements. */
#define OPD_N(rec, word, kind_, key_, n)                                                                     \
    .key = (key_), .off = rec##_##word##_OFF, .width = rec##_##word##_BYTES / (n), .count = (n),             \
    .kind = (kind_)

/* A field of a one-byte word. */
#define OPD_FIELD(rec, word, field, kind_, key_)                                                             \
    .key = (key_), .off = rec##_##word##_OFF, .width = 1, .count = 1, .kind = (kind_),                       \
    .lsb = rec##_##word##_##field##_LSB,                                                                     \
    .bits = rec##_##word##_##field##_MSB - rec##_##word##_##field##_LSB + 1

/* A tensor descriptor of 4 + 4n bytes (tpb-compute.md §2). */
#define OPD_PATTERN(rec, word, key_)                                                                         \
    .key = (key_), .off = rec##_##word##_OFF, .width = rec##_##word##_BYTES,                                 \
    .count = (rec##_##word##_BYTES - ADDR4_SIZE) / 4, .kind = OPD_TENSOR, .always = true

/* The two sides of a DMA_DIRECT2D, which the real and the pseudo form share. */
#define OPD_DMA_SIDES                                                                                        \
    { OPD(SLOT_DMACPY, SRC_ADDR, OPD_ADDR8, "src"), .always = true },                                        \
        { OPD(SLOT_DMACPY, SRC_STEP0, OPD_INT, "src_step0") },                                               \
        { OPD(SLOT_DMACPY, SRC_STEP1, OPD_INT, "src_step1") },                                               \
        { OPD(SLOT_DMACPY, SRC_NUM0, OPD_UINT, "src_num0") },                                                \
        { OPD(SLOT_DMACPY, SRC_NUM1, OPD_UINT, "src_num1") },                                                \
        { OPD(SLOT_DMACPY, SRC_ELEM, OPD_UINT, "src_elem") },                                                \
        { OPD(SLOT_DMACPY, SRC_BOUND, OPD_HEX, "src_bound") },                                               \
        { OPD(SLOT_DMACPY, DST_ADDR, OPD_ADDR8, "dst"), .always = true },                                    \
        { OPD(SLOT_DMACPY, DST_STEP0, OPD_INT, "dst_step0") },                                               \
        { OPD(SLOT_DMACPY, DST_STEP1, OPD_INT, "dst_step1") },                                               \
        { OPD(SLOT_DMACPY, DST_NUM0, OPD_UINT, "dst_num0") },                                                \
        { OPD(SLOT_DMACPY, DST_NUM1, OPD_UINT, "dst_num1") },                                                \
        { OPD(SLOT_DMACPY, DST_ELEM, OPD_UINT, "dst_elem") },                                                \
        { OPD(SLOT_DMACPY, DST_BOUND, OPD_HEX, "dst_bound") },                                               \
        { OPD(SLOT_DMACPY, IN_DTYPE, OPD_DTYPE, "in_dtype") },                                               \
    {                                                                                                        \
        OPD(SLOT_DMACPY, OUT_DTYPE, OPD_DTYPE, "out_dtype")                                                  \
    }

/* NULL when the opcode has no known layout in this family. gen is 2..5. */
const struct operand_layout *layout_control(unsigned op);
const struct operand_layout *layout_pseudo(unsigned op);
const struct operand_layout *layout_compute(unsigned op, unsigned gen, const uint8_t *slot);
const struct operand_layout *layout_tonga(unsigned op);
const struct operand_layout *layout_sp8(unsigned op);

/* Header and events only: NOP and its like. */
extern const struct operand_layout layout_events_only;

/* The layout of a Q7 library slot (q7-prelink.md §14), or NULL when the 64 bytes are none. */
const struct operand_layout *layout_library(const uint8_t *slot);
/* "Q7_LIBRARY_LOAD" and "Q7_LIBRARY_UNLOAD" for direction 1 and 2. */
const struct operand_layout *layout_library_direction(unsigned direction);

#endif
