/*
 * The FST library and the two decompressors that ship with Verilator, as one object of their own.
 *
 * Built by host/wave/fst.mk, which gives every symbol the prefix wave_third_: a Verilated model with FST tracing
 * carries the same functions under their own names, and both are linked into one program. The library ends the
 * process on damaged input; here that is always a forked decoder (fst_stream.c), which must not run the exit handlers
 * of its parent. On such input it also reads memory that nobody wrote: it gets cleared memory, so that a file
 * at least decodes the same way twice.
 */
#include <stdlib.h>
#include <unistd.h>

#define exit(status) _exit(status)
#define malloc(size) calloc(1, (size))
#define FST_CONFIG_INCLUDE "fst_config.h"

#include "fastlz.c"
#include "fstapi.c"
#include "lz4.c"
