/*
 * The decoder side of an FST stream: runs in a child process, because the library trusts the packed value
 * data and a damaged file can make it crash, end the process or run forever. What it decodes goes through a
 * pipe.
 *
 * Stream, in the machine's own byte order: struct fst_item, then `len` bytes of value for a change.
 */
#ifndef NEFFSIM_WAVE_FST_DECODE_H
#define NEFFSIM_WAVE_FST_DECODE_H

#include <stdint.h>

#include "wave/fst_file.h"

#define FST_ITEM_TIME UINT32_MAX       /* value: time in ticks */
#define FST_ITEM_END  (UINT32_MAX - 1) /* the last item of a complete stream */

struct fst_item {
    uint32_t signal; /* or FST_ITEM_* */
    uint32_t len;
    uint64_t time;
};

/* CPU seconds the decoder may use without producing anything, for a file whose largest block has this many
 * bytes. */
unsigned fst_decode_patience(uint64_t largest_block);

/* Decodes f into the pipe `out` and ends the process. wanted: one byte per signal or NULL. */
_Noreturn void fst_decode(const struct fst_file *f, const uint8_t *wanted, int out);

#endif
