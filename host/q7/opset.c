/* Sets of opcodes and the library that serves them: see opset.h. */
#include "q7/opset.h"

#include <string.h>

/* The tables of the built-in libraries of CAYMAN, EXTISA_0 to EXTISA_3 (q7-firmware.md §6). */
static const struct builtin_row {
    uint8_t library, opcode, spec;
} builtin[] = {
    { 0, OP_IOTA, 0 },
    { 0, OP_CROSS_LANE_REDUCE_ARITH, 0 },
    { 0, OP_CROSS_LANE_REDUCE_BITVEC, 0 },
    { 0, OP_POOL, 0 },
    { 0, OP_TENSOR_TENSOR_BITVEC_OP, 0 },
    { 0, OP_TENSOR_TENSOR_ARITH_OP, 0 },
    { 0, OP_EXTENDED_INST, EXT_NOP },
    { 0, OP_EXTENDED_INST, EXT_COPY },
    { 0, OP_EXTENDED_INST, EXT_TT },
    { 0, OP_EXTENDED_INST, EXT_GET_RANDOM },
    { 0, OP_EXTENDED_INST, EXT_SET_RANDOM },
    { 0, OP_TENSOR_REDUCE_BITVEC_OP, 0 },
    { 0, OP_COPY, 0 },
    { 0, OP_CAST, 0 },
    { 0, OP_GET_SEQUENCE_BOUNDS, 0 },
    { 0, OP_NONZERO_WITH_COUNT, 0 },
    { 0, OP_TENSOR_DEQUANTIZE, 0 },
    { 1, OP_IOTA, 0 },
    { 2, OP_CROSS_LANE_REDUCE_ARITH, 0 },
    { 2, OP_CROSS_LANE_REDUCE_BITVEC, 0 },
    { Q7_LIBRARY_CPTC, OP_IOTA, 0 },
    { Q7_LIBRARY_CPTC, OP_CROSS_LANE_REDUCE_ARITH, 0 },
    { Q7_LIBRARY_CPTC, OP_CROSS_LANE_REDUCE_BITVEC, 0 },
    { Q7_LIBRARY_CPTC, OP_POOL, 0 },
    { Q7_LIBRARY_CPTC, OP_GET_SEQUENCE_BOUNDS, 0 },
    { Q7_LIBRARY_CPTC, OP_NONZERO_WITH_COUNT, 0 },
    { Q7_LIBRARY_CPTC, OP_TENSOR_DEQUANTIZE, 0 },
    { Q7_LIBRARY_CPTC, OP_CONV_LUT_LOAD, 0 },
    { Q7_LIBRARY_CPTC, OP_EXTENDED_INST, EXT_CPTC },
};
#define BUILTIN_ROWS (sizeof builtin / sizeof builtin[0])

unsigned q7_coretype(unsigned arch)
{
    switch (arch) {
    case ARCH_SUNDA:
        return Q7_CORETYPE_SUNDA;
    case ARCH_CAYMAN:
        return Q7_CORETYPE_CAYMAN;
    case ARCH_MARIANA:
        return Q7_CORETYPE_MARIANA;
    default:
        return 0;
    }
}

int q7_coretype_libraries(unsigned coretype, unsigned *count, bool *prelinked)
{
    switch (coretype) {
    case Q7_CORETYPE_SUNDA:
        *count = Q7_LIBRARIES_SUNDA;
        *prelinked = false;
        return 0;
    case Q7_CORETYPE_CAYMAN:
    case Q7_CORETYPE_MARIANA:
    case Q7_CORETYPE_MARIANA_PLUS:
        *count = Q7_LIBRARIES;
        *prelinked = true;
        return 0;
    default: /* MAVERICK too: the shipped build rejects it */
        return Q7_CREATE_CORETYPE;
    }
}

static bool get_bit(const uint8_t *set, unsigned bit)
{
    return set[bit / 8] >> bit % 8 & 1;
}

static void set_bit(uint8_t *set, unsigned bit)
{
    set[bit / 8] = (uint8_t)(set[bit / 8] | 1u << bit % 8);
}

static void clear_bit(uint8_t *set, unsigned bit)
{
    set[bit / 8] = (uint8_t)(set[bit / 8] & ~(1u << bit % 8));
}

void q7_opset_add(struct q7_opset *s, const uint8_t slot[SLOT_BYTES])
{
    uint8_t opcode = slot[SLOT_HDR_OPCODE_OFF];
    set_bit(s->opcode, opcode);
    if (opcode == OP_EXTENDED_INST)
        set_bit(s->spec, slot[Q7_SPEC_BYTE]);
}

bool q7_opset_has(const struct q7_opset *s, uint8_t opcode, uint8_t spec)
{
    return get_bit(s->opcode, opcode) && (opcode != OP_EXTENDED_INST || get_bit(s->spec, spec));
}

static bool is_empty(const struct q7_opset *s)
{
    for (size_t i = 0; i < sizeof s->opcode; i++)
        if (s->opcode[i])
            return false;
    return true;
}

int q7_select_library(unsigned coretype, const struct q7_opset *s, unsigned requested, bool cptc_decode,
                      unsigned *index, unsigned *count)
{
    unsigned libraries;
    bool prelinked;
    if (q7_coretype_libraries(coretype, &libraries, &prelinked) != 0 && coretype != Q7_CORETYPE_MAVERICK)
        return 1;
    *count = is_empty(s) ? 0 : 1;
    *index = requested ? requested : cptc_decode ? Q7_LIBRARY_CPTC : 0;
    if (coretype == Q7_CORETYPE_SUNDA)
        *index = 0;
    return 0;
}

/* The sequencer of POOL hands an opcode to the cores when one of the known libraries has a row for it. */
static bool looked_up(unsigned opcode)
{
    for (size_t i = 0; i < BUILTIN_ROWS; i++)
        if (builtin[i].opcode == opcode)
            return true;
    return false;
}

static bool has_builtin_row(unsigned library, unsigned opcode, unsigned spec)
{
    for (size_t i = 0; i < BUILTIN_ROWS; i++)
        if (builtin[i].library == library && builtin[i].opcode == opcode && builtin[i].spec == spec)
            return true;
    return false;
}

void q7_opset_remove(struct q7_opset *s, uint8_t opcode, uint8_t spec)
{
    static const uint8_t none[sizeof s->spec];
    if (opcode == OP_EXTENDED_INST) {
        clear_bit(s->spec, spec);
        if (memcmp(s->spec, none, sizeof none) != 0)
            return;
    }
    clear_bit(s->opcode, opcode);
}

/* img: NULL for the built-in library. */
static void take_served(struct q7_opset *s, const struct q7_image *img, unsigned library)
{
    for (unsigned op = 0; op <= UINT8_MAX; op++) {
        unsigned specs = op == OP_EXTENDED_INST ? UINT8_MAX : 0;
        for (unsigned spec = 0; spec <= specs && get_bit(s->opcode, op); spec++) {
            bool row =
                img ? q7_find_row(img, (uint8_t)op, (uint8_t)spec) >= 0 : has_builtin_row(library, op, spec);
            if (row || !looked_up(op))
                q7_opset_remove(s, (uint8_t)op, (uint8_t)spec);
        }
    }
}

void q7_opset_served(struct q7_opset *s, const struct q7_image *img)
{
    take_served(s, img, 0);
}

void q7_opset_served_builtin(struct q7_opset *s, unsigned index)
{
    take_served(s, NULL, index);
}
