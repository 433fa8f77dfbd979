/*
 * The decoder side of an FST stream: runs in a child process, because the library trusts the packed value
 * data and a damaged file can make it crash, end the process or run forever. What it decodes goes through a
 * ring of shared slots; the reader believes no number in it.
 *
 * A slot holds whole items, in the machine's own byte order and without padding:
 *     signal, value                    of a signal of bits, as many characters as it has
 *     signal, length, value            of a real or a string
 *     FST_ITEM_TIME, time (64 bits)    opens a time step
 *     FST_ITEM_LONG, signal, length    of a value that is larger than a slot; it fills the following slots
 *     FST_ITEM_END                     the last item of a complete stream
 * signal and length are 32 bits. For every filled slot the child writes its number of bytes (32 bits) into a
 * pipe; the reader gives slots back with one byte each through another one.
 */
#ifndef NEFFSIM_WAVE_FST_DECODE_H
#define NEFFSIM_WAVE_FST_DECODE_H

#include <stdint.h>

#include "wave/fst_file.h"

#define FST_ITEM_TIME  UINT32_MAX
#define FST_ITEM_END   (UINT32_MAX - 1)
#define FST_ITEM_LONG  (UINT32_MAX - 2)

#define FST_SLOTS      8u
#define FST_SLOT_BYTES 65536u

struct fst_ring {
    char *slots;      /* FST_SLOTS * FST_SLOT_BYTES, shared */
    int filled, free; /* pipe ends of this side */
};

/* CPU seconds the decoder may use without producing anything: more for a file with large blocks, unless f
 * says. */
unsigned fst_decode_patience(const struct fst_file *f);

/* Decodes f into the ring and ends the process. wanted: one byte per signal or NULL. */
_Noreturn void fst_decode(const struct fst_file *f, const uint8_t *wanted, const struct fst_ring *ring);

#endif
