/* Shared by decode.c and decode_notif.c. */
#ifndef NEFFSIM_WAVE_DECODE_PRIVATE_H
#define NEFFSIM_WAVE_DECODE_PRIVATE_H

#include <stdint.h>

#include "regs.h"
#include "util/strbuf.h"

/* A field of a word by its name in regs.h. */
#define FIELD(word, name) (((word) & (name##_MASK)) >> (name##_LSB))

void decode_notification(const uint8_t raw[NOTIF_SIZE], struct strbuf *out);

#endif
