/* The two forms of what `neffsim info` prints. */
#ifndef NEFFSIM_CLI_INFO_H
#define NEFFSIM_CLI_INFO_H

#include "neff/program.h"
#include "util/strbuf.h"

void info_text(const char *path, const struct neff *n, struct program *const *programs, size_t count,
               struct strbuf *out);
void info_json(const struct neff *n, struct program *const *programs, size_t count, struct strbuf *out);

/* Slots of one engine's program, counted by opcode. */
struct info_slots {
    size_t slots;
    size_t slot_bytes; /* 64, or 8 for SP's other dialect (tpb-sequencer.md §6) */
    size_t rest;       /* bytes after the last whole slot */
    size_t count[256]; /* by opcode byte; all 0 for 8-byte slots */
};
void info_count_slots(const struct prog_engine *e, int engine, struct info_slots *s);

/* Bytes moved by the copies of one queue. */
uint64_t info_queue_bytes(const struct program *p, size_t queue, size_t *blocks, size_t *descs);

/* "float32[1,32]"; "" without dtype and shape. */
void info_type(struct strbuf *b, const char *dtype, const uint64_t *shape, size_t ndim);

#endif
