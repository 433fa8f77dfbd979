/* Lengths and format names of Q7 instructions (q7-prelink.md §11). The formats inside a bundle are not
 * decoded. */
#include "q7/q7.h"

/* op0 15, by byte 3. NULL: illegal. */
static const char *wide_format(uint8_t byte3)
{
    if ((byte3 & 1) == 0)
        return (byte3 & 0x08) == 0 ? "N0" : (byte3 & 0x10) == 0 ? "N1" : "N2";
    if ((byte3 & 2) == 0)
        return (byte3 & 0x08) == 0 ? "F0" : "F4";
    switch (byte3 & 0x37) {
    case 0x03:
        return "F1";
    case 0x33:
        return "F2";
    case 0x23:
        return "F6";
    case 0x13:
        return "F7";
    default:
        return NULL;
    }
}

/* Format of the word at p, of which `left` bytes exist; NULL when illegal or when byte 3 is needed and
 * missing. */
static const char *format(const uint8_t *p, size_t left, unsigned *length)
{
    unsigned op0 = left ? p[0] & Q7_OP0_MASK : 0;
    const char *name;
    if (left == 0)
        return NULL;
    if (op0 < Q7_OP0_X16A) {
        *length = 3;
        return "x24";
    }
    if (op0 < Q7_OP0_F) {
        *length = 2;
        return op0 < Q7_OP0_X16B ? "x16a" : "x16b";
    }
    if (left < 4)
        return NULL;
    name = op0 == Q7_OP0_F ? (p[3] & 0x08 ? "F11" : "F3") : wide_format(p[3]);
    *length = name && name[0] == 'N' ? 8 : 16;
    return name;
}

unsigned q7_insn_length(const uint8_t *p, size_t left)
{
    unsigned length;
    return format(p, left, &length) && length <= left ? length : 0;
}

bool q7_insn_next(const uint8_t *code, size_t len, size_t *at, struct q7_insn *out)
{
    if (*at >= len)
        return false;
    out->offset = *at;
    out->format = format(code + *at, len - *at, &out->length);
    if (!out->format || out->length > len - *at)
        return false;
    *at += out->length;
    return true;
}
