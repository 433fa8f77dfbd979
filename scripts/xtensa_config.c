/*
 * Gives the GNU tools for Xtensa the instruction set that a Q7 test kernel needs: little endian, windowed
 * registers, density, loops, L32R and CONST16, 24- and 16-bit instructions only. Compiled by
 * scripts/xtensa_binutils, never shipped.
 *
 * GNU as, ld and objdump load the shared object named by XTENSA_GNU_CONFIG and take three symbols from it:
 * the option flags xtensa_config_v1 and _v2, and the instruction table xtensa_modules. The table is the one
 * in the source package of binutils, included below at build time. It is for a core with MAC16 and wide
 * bundles; changed here:
 *  - op0 = 4 is CONST16 at,imm16 (MAC16 otherwise),
 *  - op0 = 14 and 15 are no instruction: the layout of Q7 bundles is not known, so nothing is shown or made
 * there.
 */
#include <stdlib.h>
#include <string.h>

#define xtensa_modules stock_modules
#include "xtensa-modules.c"
#undef xtensa_modules

#include "xtensa-config.h"
#undef XCHAL_HAVE_BE
#define XCHAL_HAVE_BE 0
#undef XCHAL_HAVE_MAC16
#define XCHAL_HAVE_MAC16 0
#undef XCHAL_HAVE_MMU
#define XCHAL_HAVE_MMU 0
#undef XCHAL_NUM_AREGS
#define XCHAL_NUM_AREGS 64
#undef XCHAL_HAVE_CONST16
#define XCHAL_HAVE_CONST16 1
#undef XCHAL_HAVE_L32R
#define XCHAL_HAVE_L32R                                                                                      \
    0 /* `movi a2, symbol` becomes a CONST16 pair; L32R written by name is still assembled */
#define XTENSA_CONFIG_DEFINITION
#include "xtensa-dynconfig.h"
XTENSA_CONFIG_INSTANCE_LIST;

enum { OP0_MASK = 15, OP0_CONST16 = 4, OP0_DENSITY = 8, OP0_BUNDLE = 14, IMM16_MAX = 0xffff };

xtensa_isa_internal xtensa_modules;
static int const16;

static int imm16_decode(uint32 *v)
{
    (void)v;
    return 0;
}

static int imm16_encode(uint32 *v)
{
    int bad = *v > IMM16_MAX;
    *v &= IMM16_MAX;
    return bad;
}

static void const16_encode(xtensa_insnbuf b)
{
    b[0] = OP0_CONST16;
}

static int slot_decode(const xtensa_insnbuf b)
{
    return (b[0] & OP0_MASK) == OP0_CONST16 ? const16 : Slot_inst_decode(b);
}

/* Formats of the stock table: 0 x24, 1 x16a (op0 8..11), 2 x16b (12, 13). */
static int format_decode(const xtensa_insnbuf b)
{
    unsigned op0 = b[0] & OP0_MASK;
    return op0 < OP0_DENSITY ? 0 : op0 < OP0_DENSITY + 4 ? 1 : op0 < OP0_BUNDLE ? 2 : -1;
}

static int length_decode(const unsigned char *p)
{
    unsigned op0 = *p & OP0_MASK;
    return op0 < OP0_DENSITY ? 3 : op0 < OP0_BUNDLE ? 2 : -1;
}

/* A copy of a table of n elements with room for `extra` more. */
static void *grow(const void *table, size_t size, int n, int extra)
{
    void *copy = calloc((size_t)(n + extra), size);
    if (!copy)
        abort();
    return memcpy(copy, table, size * (size_t)n);
}

static int operand_index(const char *name)
{
    int i = 0;
    while (strcmp(operands[i].name, name) != 0)
        i++;
    return i;
}

__attribute__((constructor)) static void add_const16(void)
{
    xtensa_isa_internal *m = &xtensa_modules;
    *m = stock_modules;
    m->num_formats = 3;
    m->format_decode_fn = format_decode;
    m->length_decode_fn = length_decode;

    struct xtensa_operand_internal_struct *od = grow(operands, sizeof *od, m->num_operands, 1);
    struct xtensa_operand_internal_struct *imm = &od[m->num_operands];
    imm->name = "uimm16x";
    imm->field_id = operands[operand_index("imm16")].field_id;
    imm->regfile = -1;
    imm->encode = imm16_encode;
    imm->decode = imm16_decode;
    m->operands = od;

    static struct xtensa_arg_internal_struct args[2];
    args[0].u.operand_id = operand_index("art"); /* at = at << 16 | imm16 */
    args[0].inout = 'm';
    args[1].u.operand_id = m->num_operands;
    args[1].inout = 'i';
    struct xtensa_iclass_internal_struct *ic = grow(iclasses, sizeof *ic, m->num_iclasses, 1);
    ic[m->num_iclasses].num_operands = 2;
    ic[m->num_iclasses].operands = args;
    m->iclasses = ic;

    struct xtensa_opcode_internal_struct *oc = grow(opcodes, sizeof *oc, m->num_opcodes, 1);
    xtensa_opcode_encode_fn *encode = calloc((size_t)m->num_slots, sizeof *encode);
    if (!encode)
        abort();
    encode[0] = const16_encode;
    const16 = m->num_opcodes;
    oc[const16].name = "const16";
    oc[const16].iclass_id = m->num_iclasses;
    oc[const16].encode_fns = encode;
    m->opcodes = oc;

    struct xtensa_slot_internal_struct *sl = grow(slots, sizeof *sl, m->num_slots, 0);
    sl[0].opcode_decode_fn = slot_decode;
    m->slots = sl;

    m->num_operands++;
    m->num_iclasses++;
    m->num_opcodes++;
}
