/* Sets of opcodes and the library that serves them (q7-prelink.md §15.2, q7-firmware.md §11): see library.h.
 */
#include "q7/library.h"

#include "isa/isa.h"

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

size_t q7_opset_missing(const struct q7_opset *s, const struct q7_image *img,
                        void (*miss)(void *ctx, uint8_t opcode, uint8_t spec), void *ctx)
{
    size_t n = 0;
    for (unsigned op = 0; op <= UINT8_MAX; op++) {
        unsigned specs = op == OP_EXTENDED_INST ? UINT8_MAX : 0;
        if (isa_opcode_class(op) != ISA_POOL)
            continue;
        for (unsigned spec = 0; spec <= specs; spec++)
            if (q7_opset_has(s, (uint8_t)op, (uint8_t)spec) &&
                q7_find_row(img, (uint8_t)op, (uint8_t)spec) < 0) {
                n++;
                miss(ctx, (uint8_t)op, (uint8_t)spec);
            }
    }
    return n;
}
