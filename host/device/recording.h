/*
 * The recording that `record:` writes and `replay:` answers from: one text line per call of the device seam.
 *
 *   neffsim-recording 1
 *   w BAR0 VALUE [MASK]        reg_write32; replay compares value under MASK (default ffffffff)
 *   r BAR0 VALUE               reg_read32 and its answer
 *   M SOC LEN SHA256           mem_write; replay compares the digest; "-" as digest accepts any bytes
 *   m SOC LEN HEX              mem_read and its answer
 *   a CYCLES UNTIL WHY CYCLE PS   advance, what it reported, and the time after it
 *   t CYCLE PS                 now
 *   x KIND SENTENCE            the call before failed with this error code and sentence
 *   end                        the recording is complete
 *
 * Numbers are hexadecimal without prefix. Lines that start with # are comments. A recording may be edited by
 * hand.
 */
#ifndef NEFFSIM_DEVICE_RECORDING_H
#define NEFFSIM_DEVICE_RECORDING_H

#include <stddef.h>

#define RECORDING_MAGIC    "neffsim-recording 1"
#define RECORDING_READ_MAX ((size_t)16 << 20) /* bytes of one mem_read, which bounds the length of a line */

/* SHA-256 of a buffer as 64 hexadecimal digits and a NUL. */
void recording_digest(const void *buf, size_t len, char out[65]);

#endif
