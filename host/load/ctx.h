/* What the files of host/load share while a plan is being made; nothing outside this folder includes it. */
#ifndef NEFFSIM_LOAD_CTX_H
#define NEFFSIM_LOAD_CTX_H

#include "isa/isa.h"
#include "load/loadplan.h"

/* The plan as allocated: the public part first, then what load_free releases. */
struct plan_owner {
    struct loadplan plan;
    struct chunk *chunks; /* every allocation of the plan */
};

/* One callable function of a stream: D1 at `begin`, body up to `end` (source slots, 0-based). */
struct load_func {
    char *name;
    size_t begin, end;
    bool reset_sems;
    uint8_t ret_lo, ret_hi;
};

/* One C1 or C8 of a stream: what its doorbells must say. */
struct load_trigger {
    uint32_t n_rx, n_tx;
};

/* One CC: the position in front of slot `slot`. Sorted by id. */
struct load_label {
    uint32_t id;
    size_t slot;
    size_t offset; /* in the image, set when the slot is placed */
};

/* How often control can pass a slot of MAIN, as far as label branches tell. */
enum load_times { LOAD_ONCE, LOAD_IN_LOOP, LOAD_SKIPPABLE };

/* One engine's program, scanned. */
struct load_stream {
    unsigned engine;
    const char *bin; /* "sg00/pool.bin" for messages */
    const uint8_t *code;
    size_t nslots, main_slots;     /* MAIN is [0, main_slots) */
    bool *verbatim;                /* nslots: copy as it is (allow_bad_slots) */
    struct load_trigger *triggers; /* nslots */
    struct load_func *funcs;
    size_t nfuncs;
    struct load_label *labels;
    size_t nlabels;
    uint8_t *times;                /* nslots, enum load_times */
    size_t register_branch;        /* 1-based slot of a branch through a register, 0: none */
    size_t barriers;               /* D5 slots */
    bool function_sems[SEM_COUNT]; /* semaphores in waits and updates of its FUNCTION slots */
};

/* A ring under construction: addresses of variables are not known yet. */
struct ring_entry {
    uint32_t w0, w1;
    uint64_t addr; /* offset into the variable, or an absolute address */
    long var;      /* -1: absolute */
    char *from;
};
struct ring_side {
    struct ring_entry *entries;
    size_t used, room;
};

struct load_ctx {
    struct plan_owner *owner;
    struct loadplan *plan;
    const struct program *prog;
    struct load_config cfg;
    struct load_stream streams[PROG_ENGINES];
    struct ring_side (*sides)[2]; /* per plan ring: M2S, S2M */
    bool sems[SEM_COUNT];
    struct nerr *err;
};

enum { SIDE_M2S, SIDE_S2M };

/* Zeroed memory that lives as long as the plan. NULL with ctx->err set when there is none (or n * size
 * wraps). */
void *ctx_alloc(struct load_ctx *c, size_t n, size_t size);
char *ctx_text(struct load_ctx *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A copy with room for `room` elements. */
void *ctx_grow(struct load_ctx *c, const void *old, size_t used, size_t room, size_t size);

/* NERR_RULE with the runtime's NRT_INVALID. */
int ctx_refuse(struct load_ctx *c, const char *where, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The same at "sg00/pool.bin slot 3". */
int ctx_refuse_slot(struct load_ctx *c, const struct load_stream *s, size_t slot, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* flow.c: labels, branches, and how often a slot runs. */
int load_flow(struct load_ctx *c, struct load_stream *s);
/* NULL when the stream has no such label. */
struct load_label *load_find_label(const struct load_stream *s, uint64_t id);

/* Opcode of a source slot; NOP for one that is copied as it is. */
unsigned load_op(const struct load_stream *s, size_t slot);

/* stream.c: cuts and checks the five programs, finds the model's semaphores. */
int load_scan(struct load_ctx *c);
/* ring.c: queues, blocks in trigger order, the collective agent's ring. Needs the streams. */
int load_rings(struct load_ctx *c);
/* library.c: prelinks the Q7 libraries. */
int load_libraries(struct load_ctx *c);
/* Its buffer has a place: the load slot gets the address. Needs the image of POOL. */
void load_library_address(struct load_ctx *c, struct load_library *lib, uint64_t staging);
/* image.c: the five images. Needs the streams and trigger counts. */
int load_images(struct load_ctx *c);
/* place.c: addresses of images, rings, variables; writes the rings' bytes. */
int load_place(struct load_ctx *c);
/* init.c: the list of writes before start. */
int load_init(struct load_ctx *c);

/* Byte offset of a queue's register bank in its DMA engine. */
uint64_t load_bank(unsigned queue, unsigned dir);

#endif
