/* The variable-length integers of FST: seven bits per byte, low ones first, bit 7 set on all but the last. */
#ifndef NEFFSIM_WAVE_FST_VARINT_H
#define NEFFSIM_WAVE_FST_VARINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads at *pos and moves it; false when it leaves the buffer or does not fit 64 bits. */
static inline bool fst_varint(const uint8_t *buf, size_t len, size_t *pos, uint64_t *out)
{
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 64 && *pos < len; shift += 7) {
        uint8_t byte = buf[(*pos)++];
        uint64_t bits = byte & 0x7fu;
        if (shift == 63 && bits > 1)
            return false;
        v |= bits << shift;
        if (!(byte & 0x80u)) {
            *out = v;
            return true;
        }
    }
    return false;
}

#endif
