/*
 * Hardware records in words: what a signal carries when it holds a 64-byte slot (tpb-sequencer.md §1), a
 * 16-byte descriptor (udma.md §3) or a notification record (notification-queue.md §4). Used by the report of
 * a comparison and by GTKWave's translate filters.
 */
#ifndef NEFFSIM_WAVE_DECODE_H
#define NEFFSIM_WAVE_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/strbuf.h"

enum wave_decode {
    WAVE_DECODE_NONE,
    WAVE_DECODE_SLOT,  /* 512 bits */
    WAVE_DECODE_DESC,  /* 128 bits: what both directions have in common */
    WAVE_DECODE_M2S,   /* source descriptor */
    WAVE_DECODE_S2M,   /* destination descriptor */
    WAVE_DECODE_NOTIF, /* 128 bits: record with time stamp */
    WAVE_DECODE_COUNT,
};

/* "none", "slot", "desc", "m2s", "s2m", "notif"; ends with NULL, index is enum wave_decode. */
extern const char *const wave_decode_words[];

unsigned wave_decode_bits(enum wave_decode kind); /* 512 or 128 */

/*
 * Appends what `bits` (one character per bit, most significant first; byte 0 of the record is the least
 * significant one) says. Bits that are neither 0 nor 1 are read as 0 and the bytes that hold them are named
 * behind the text; when all are the same state the text is just that state. False, and nothing is appended,
 * when nbits is not the size of the record.
 */
bool wave_decode_text(enum wave_decode kind, const char *bits, size_t nbits, struct strbuf *out);

/* As wave_decode_text for one word of GTKWave's: hexadecimal or binary digits, any case, x and z among them.
 */
bool wave_decode_digits(enum wave_decode kind, const char *digits, size_t n, struct strbuf *out);

/* One --decode option: signals that match the glob are of that kind. */
struct wave_decode_rule {
    const char *glob;
    enum wave_decode kind;
};

/* What the signal carries: the last rule that matches name and width, else the RTL's own names (docs/waves.md
 * lists them), else WAVE_DECODE_NONE. A glob without a dot also matches the name behind its last scope. */
enum wave_decode wave_decode_of(const char *name, uint32_t width, const struct wave_decode_rule *rules,
                                size_t nrules);

/*
 * The translate filter program of a kind, which GTKWave can start: share/neffsim/gtkwave/KIND beside this
 * program's source tree or installation. NULL when it is not there, or when its path has characters that
 * GTKWave, which hands it to a shell, would not take as they are. The caller frees.
 */
char *wave_decode_filter(enum wave_decode kind);

#endif
