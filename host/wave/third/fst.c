/*
 * The FST library and the two decompressors that ship with Verilator, as one object of their own.
 *
 * Built by host/wave/fst.mk, which gives every symbol the prefix wave_third_: a Verilated model with FST tracing
 * carries the same functions under their own names, and both are linked into one program. The library ends the
 * process on damaged input; here that is always a forked decoder (fst_stream.c), which must not run the exit handlers
 * of its parent. On such input it also reads memory that nobody wrote: it gets cleared memory, so that a file
 * at least decodes the same way twice.
 *
 * It expands vectors to characters bit by bit, which is most of its time; fst.mk has it take eight bits at once from
 * the table below.
 */
#include <stdlib.h>
#include <unistd.h>

#define exit(status) _exit(status)
#define malloc(size) calloc(1, (size))
#define FST_CONFIG_INCLUDE "fst_config.h"

#define STATE(n, bit) '0' + (((n) >> (bit)) & 1)
#define EIGHT(n)                                                                                             \
    { STATE(n, 7), STATE(n, 6), STATE(n, 5), STATE(n, 4), STATE(n, 3), STATE(n, 2), STATE(n, 1), STATE(n, 0) }
#define FOUR(n)    EIGHT(n), EIGHT((n) + 1), EIGHT((n) + 2), EIGHT((n) + 3)
#define SIXTEEN(n) FOUR(n), FOUR((n) + 4), FOUR((n) + 8), FOUR((n) + 12)
#define SIXTY4(n)  SIXTEEN(n), SIXTEEN((n) + 16), SIXTEEN((n) + 32), SIXTEEN((n) + 48)
static const char eight_states[256][8] = { SIXTY4(0), SIXTY4(64), SIXTY4(128), SIXTY4(192) };

#include "fastlz.c"
#include "fstapi.c"
#include "lz4.c"
