/* Identifier codes of a VCD file -> signal numbers: a table for codes of up to three characters, a hash for
 * the rest. Private to the VCD reader. */
#ifndef NEFFSIM_WAVE_VCD_IDS_H
#define NEFFSIM_WAVE_VCD_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VCD_NO_SIGNAL UINT32_MAX

struct vcd_id {
    uint32_t signal;
    uint32_t len;
    char *code; /* own copy */
};

struct vcd_ids {
    uint32_t *direct; /* by key: signal + 1, 0 where none, so that what is not used is never touched */
    size_t ndirect;
    struct vcd_id *slots; /* open addressing, power of two, code NULL: free */
    size_t nslots, used;
};

/* Key of a code of 1..3 characters out of '!'..'~': its digits to base 95. One character more changes the
 * key. */
#define VCD_SHORT_MAX 3
static inline uint32_t vcd_short_step(uint32_t key, char c)
{
    return key * 95 + (uint32_t)((unsigned char)c - ' ');
}

uint32_t vcd_ids_find(const struct vcd_ids *ids, const char *code, size_t len);

/* Signal of the code, which becomes `next` when it is new. VCD_NO_SIGNAL when out of memory. */
uint32_t vcd_ids_add(struct vcd_ids *ids, const char *code, size_t len, uint32_t next);
void vcd_ids_free(struct vcd_ids *ids);

#endif
