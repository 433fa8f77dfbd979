/* Values as people write them. */
#ifndef NEFFSIM_WAVE_TEXT_H
#define NEFFSIM_WAVE_TEXT_H

#include "wave/reader.h"

/*
 * One bit as it is, more as Verilog literals: 8'h3f, with 8'b001x0z11 when a digit would mix known and
 * unknown bits. Reals as they are, strings in quotes with escapes, an event as "fires" or "quiet". The caller
 * frees; NULL when out of memory.
 */
char *wave_value_text(enum wave_kind kind, const char *value, uint32_t len);

/* "8 bits", "real", ... The caller frees; NULL when out of memory. */
char *wave_shape_text(enum wave_kind kind, uint32_t width);

#endif
