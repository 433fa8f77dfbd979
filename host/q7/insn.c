/* Lengths and format names of Q7 instructions (q7-prelink.md §11). The formats inside a bundle are not
 * decoded. */
#include "q7/q7.h"
#include "util/bytes.h"

#define FORMAT(name_, bytes)                                                                                 \
    {                                                                                                        \
#name_, Q7_FMT_##name_##_MASK, Q7_FMT_##name_##_VALUE, bytes                                         \
    }

static const struct bundle {
    const char *name;
    uint32_t mask, value; /* of the first 32 bits */
    unsigned length;
} bundles[] = {
    FORMAT(F3, Q7_FMT_BYTES),   FORMAT(F11, Q7_FMT_BYTES),  FORMAT(N0, Q7_FMT_N_BYTES),
    FORMAT(N1, Q7_FMT_N_BYTES), FORMAT(N2, Q7_FMT_N_BYTES), FORMAT(F0, Q7_FMT_BYTES),
    FORMAT(F4, Q7_FMT_BYTES),   FORMAT(F1, Q7_FMT_BYTES),   FORMAT(F2, Q7_FMT_BYTES),
    FORMAT(F6, Q7_FMT_BYTES),   FORMAT(F7, Q7_FMT_BYTES),
};

static const char *bundle_format(uint32_t bits, unsigned *length)
{
    for (size_t i = 0; i < sizeof bundles / sizeof bundles[0]; i++)
        if ((bits & bundles[i].mask) == bundles[i].value) {
            *length = bundles[i].length;
            return bundles[i].name;
        }
    return NULL;
}

/* Format of the word at p, of which `left` bytes exist; NULL when illegal or when byte 3 is needed and
 * missing. */
static const char *format(const uint8_t *p, size_t left, unsigned *length)
{
    unsigned op0 = left ? p[0] & Q7_OP0_MASK : 0;
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
    return left < sizeof(uint32_t) ? NULL : bundle_format(get_le32(p), length);
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
