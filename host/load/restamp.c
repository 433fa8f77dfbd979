/* Ring entries for an inference that continues where the last one ended: see load_restamp in loadplan.h. */
#include "load/loadplan.h"
#include "regs.h"

#include <string.h>

enum { RING_ID_BYTE = M2S_DESC_W0_RING_ID_LSB / 8, RING_ID_SHIFT = M2S_DESC_W0_RING_ID_LSB % 8 };

size_t load_restamp(struct load_ring *ring, unsigned dir, uint64_t inference, uint8_t *buf,
                    struct load_stamp stamps[2])
{
    size_t used = dir ? ring->s2m_used : ring->m2s_used;
    const uint8_t *entries = dir ? ring->s2m : ring->m2s;
    uint64_t base = dir ? ring->s2m_base : ring->m2s_base;
    uint64_t first = inference * used;
    size_t start = (size_t)(first % ring->entries), n = 0;
    ring->first[dir ? 1 : 0] = first;
    memcpy(buf, entries, used * DESC_BYTES);
    for (size_t k = 0; k < used; k++) {
        uint64_t id = (RING_ID_FIRST + (first + k) / ring->entries) & RING_ID_MASK;
        uint8_t *byte = &buf[k * DESC_BYTES + RING_ID_BYTE];
        *byte = (uint8_t)((*byte & ~(RING_ID_MASK << RING_ID_SHIFT)) | id << RING_ID_SHIFT);
    }
    for (size_t done = 0; done < used; n++) {
        size_t at = (start + done) % ring->entries, room = ring->entries - at;
        size_t count = used - done < room ? used - done : room;
        stamps[n] = (struct load_stamp){ .addr = base + (uint64_t)at * DESC_BYTES,
                                         .bytes = buf + done * DESC_BYTES,
                                         .len = count * DESC_BYTES };
        done += count;
    }
    return n;
}
