/* What `neffsim info` knows about a file, and the two forms in which it prints it (docs/neff.md). */
#ifndef NEFFSIM_CLI_INFO_H
#define NEFFSIM_CLI_INFO_H

#include "cli/page.h"
#include "isa/asm.h"
#include "neff/metaneff.h"
#include "neff/peek.h"
#include "neff/program.h"
#include "util/findings.h"
#include "util/json_write.h"

struct info {
    const char *path;
    struct neff_peek start; /* header and size of the file */
    bool hash_checked;      /* the digest was compared and is right */
    struct neff *neff;      /* NULL when the archive could not be read */
    struct program **programs;
    size_t nprograms;
    const char *graph;        /* show this one only, or NULL */
    struct metaneff *meta;    /* or NULL */
    struct findings findings; /* warnings, and what could not be read */
};

void info_text(const struct info *in, struct page *out);
void info_json(const struct info *in, struct strbuf *out);

/* True when the graph is to be shown. */
bool info_shows(const struct info *in, const struct program *p);

/* ---- info_graph.c, info_meta.c: parts of the text ---- */

void info_graph_text(const struct program *p, struct page *out);
void info_meta_text(const struct info *in, struct page *out);

/* ---- info_json_graph.c, info_meta.c: parts of the document ---- */

void info_graph_json(const struct program *p, struct json_out *o);
void info_meta_json(const struct info *in, struct json_out *o); /* the value of the key */

/* A key and its value. */
void info_put_shape(struct json_out *o, const char *key, const uint64_t *shape, size_t ndim);

/* ---- info_count.c ---- */

/* Slots of one engine's program, counted by opcode. */
struct info_slots {
    enum isa_dialect dialect; /* of SP it is decided by the file (tpb-sequencer.md §6) */
    size_t slots;
    size_t slot_bytes;
    size_t rest;       /* bytes after the last whole slot */
    size_t count[256]; /* by opcode; of 8-byte slots without the phase bit */
};
void info_count_slots(const struct prog_engine *e, int engine, struct info_slots *s);

/* Mnemonic of an opcode, NULL when it has none. */
const char *info_opcode_name(enum isa_dialect dialect, unsigned opcode);

/* Where the bytes of a copy are: on chip or in memory outside of it. */
enum info_memory { INFO_DRAM, INFO_SB, INFO_MEMORIES };
extern const char *const info_memory_names[];

/* What one queue moves. */
struct info_ring {
    size_t blocks, descriptors;
    uint64_t read_elements, write_elements; /* hardware descriptors: one per run of dimension 0 (§14) */
    uint64_t bytes_read, bytes_written;     /* several sources are read, one destination is written */
    uint64_t moved[INFO_MEMORIES][INFO_MEMORIES]; /* bytes written, [from][to] by the first source */
};
/* One record per queue; NULL when out of memory. The caller frees. */
struct info_ring *info_count_rings(const struct program *p);

/* Word of a KDTYPE_* code, NULL for 0. */
const char *info_dtype_name(int kdtype);

/* Variables and bytes of a kind. */
struct info_vars {
    size_t count;
    uint64_t bytes;
};
struct info_vars info_count_vars(const struct program *p, int kind);

/* "float32[1,32]"; "" without dtype and shape. */
void info_type(struct strbuf *b, const char *dtype, const uint64_t *shape, size_t ndim);

#endif
