/* One engine's image while it is being made: slots, patch records and branches that still need their target.
 */
#ifndef NEFFSIM_LOAD_BUILD_H
#define NEFFSIM_LOAD_BUILD_H

#include "load/ctx.h"

/* A branch whose displacement is not known while it is emitted. */
struct fixup {
    size_t at; /* image offset of the branch */
    enum { TO_LABEL, TO_FUNCTION, TO_POSTAMBLE } kind;
    size_t index; /* label or function */
};

struct builder {
    struct load_ctx *c;
    struct load_stream *s;
    struct load_image *img;
    size_t slot_room, patch_room;
    struct fixup *fixups;
    size_t nfixups, fixup_room;
    size_t *func_offsets;
    /* what the slots being emitted belong to */
    uint8_t section;
    uint32_t source; /* 1-based, 0: none */
    const struct load_func *func;
};

enum {
    BARRIER_LEADER = ENG_SP
}; /* of every barrier: the last engine that runs 64-byte slots (tpb-sequencer.md §5.6) */

/* build.c. `what` names a generated slot, NULL: copied. */
int build_emit_raw(struct builder *b, const uint8_t slot[SLOT_BYTES], const char *what);
int build_emit(struct builder *b, const struct inst *in, const char *what);
int build_patch(struct builder *b, size_t offset, size_t count, uint32_t type);
/* The next emitted slot is a branch to that place. */
int build_fixup(struct builder *b, int kind, size_t index);
/*
 * The slots of one pseudo: its header bytes 2 and 3 go to every slot, its wait to the first, its update to
 * the last (tpb-sequencer.md §5). Changes `slots`.
 */
int build_group(struct builder *b, const struct inst *pseudo, struct inst *slots, const char *const *what,
                size_t n);

/* expand.c: one source slot that is not copied verbatim; b->source is its number. */
int build_expand(struct builder *b, const uint8_t *slot, const struct inst *in);
/* One all-engine barrier that carries the wait and update of `pseudo`. */
int build_barrier(struct builder *b, const struct inst *pseudo);

/* library.c: the slots that load and unload the Q7 libraries; none on engines other than POOL. */
int build_library_loads(struct builder *b);
int build_library_unloads(struct builder *b);

/* slots.c: the real slots the runtime makes. */
struct inst slot_notify(unsigned hint);
/* EVENT_SEMAPHORE, extended lane: the update alone, or after a wait GE(sem, threshold). */
struct inst slot_update(unsigned update, unsigned sem, uint32_t operand);
struct inst slot_wait_update(uint32_t threshold, unsigned update, unsigned sem, uint32_t operand);
/* Wait GE(sem, 1), then decrement. */
struct inst slot_take_one(unsigned sem);
struct inst slot_write32(uint64_t addr, uint32_t value);
/* A taken relative branch. */
struct inst slot_branch_to(int64_t displacement);
void slot_set_mask(uint8_t mask[SLOT_RANGE_MASK_BYTES], const bool sems[SEM_COUNT]);

#endif
