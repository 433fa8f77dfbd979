/*
 * What the runtime does at load (tpb-sequencer.md §5, tpb-image.md §4-6, udma.md §17, slice-walkthrough.md
 * §2-5): program -> memory writes, register writes and waits, with maps back to the source for every message.
 *
 * Pure: no device, no files. The plan borrows from the program (and so from the neff), which must outlive it.
 *
 * What is not loadable yet is refused by name, never skipped: pseudo slots other than C1, C3, C8, CC, D1-D3,
 * D5, D8 and DF, descriptor operations other than copy, ring kinds other than in, out and data, variables of
 * kind pointer, list, dge-table, remote and virtual with a backing that is not local, more than one Q7
 * library, the 8-byte SP set. Real slots pass through isa_check; what only the device can judge (isa.h) is
 * copied.
 */
#ifndef NEFFSIM_LOAD_LOADPLAN_H
#define NEFFSIM_LOAD_LOADPLAN_H

#include "neff/program.h"

struct load_config {
    unsigned n_dma;             /* DMA engines, default 2 */
    uint64_t notify_ring_bytes; /* size of each of the four record rings, 0 = 0x10000 (power of two) */
    bool notify_drop;           /* drop policy instead of back-pressure */
    uint64_t timestamp_inc;     /* NOTIFIC 0xcc, 0 = 0xFA000 (1000 ps per clock) */
    bool allow_bad_slots; /* copy slots that break a host rule instead of refusing the load (device fault
                             tests) */
};

enum load_op_kind {
    LOAD_MEM_WRITE, /* addr SoC, bytes, len */
    LOAD_REG_WRITE, /* addr BAR0, value */
    LOAD_REG_POLL,  /* read addr until (v & mask) == value */
};

struct load_op {
    enum load_op_kind kind;
    uint64_t addr;
    uint32_t value, mask;
    const uint8_t *bytes; /* borrowed from the plan; NULL means `len` zero bytes */
    size_t len;
    const char *label; /* "image PE", "S2M ring q_gradient_in", "R4 e0 q0 M2S base_lo", ... */
};

enum load_section { LOAD_PREAMBLE = 0, LOAD_POSTAMBLE = 1, LOAD_MAIN = 2, LOAD_FUNCTION = 3 };

struct load_patch { /* tpb-image.md §5.1 */
    uint32_t offset, count, type, section;
};

struct load_slot {    /* where a slot of an image comes from */
    const char *what; /* "gate", "RX bell q_gradient_in", "arrive", ... for generated slots; NULL: copied */
    uint8_t section;  /* enum load_section */
    uint32_t source_slot; /* 1-based slot of the .bin that produced it, 0: none (preamble, postamble) */
    const char *function; /* callable function's name or NULL */
};

struct load_image {
    uint64_t base;
    uint8_t *bytes;
    size_t size;                                /* multiple of 64 */
    size_t preamble, main, postamble, function; /* byte offsets of the four regions */
    struct load_patch *patches;
    size_t npatches;
    char *source;            /* "sg00/pool.bin", or "(no pool.bin)" */
    struct load_slot *slots; /* size / 64 */
    size_t source_slots;
};

struct load_ring_entry {
    char *from; /* "sg00/pool.json dma[0].desc[0]", "def.json q_gradient_in.semaphore 10" */
};

struct load_ring { /* one queue: an M2S and an S2M ring */
    char *name;    /* queue name, or "agent" */
    unsigned engine, queue;
    uint64_t m2s_base, s2m_base;
    size_t entries;     /* per ring (both the same) */
    uint8_t *m2s, *s2m; /* entries * 16 bytes */
    size_t m2s_used, s2m_used;
    struct load_ring_entry *m2s_from, *s2m_from; /* used entries */
    int64_t semaphore;                           /* -1: none */
    long prog_queue;                             /* index into program queues, -1: the agent */
    uint64_t first[2]; /* M2S, S2M: entries this ring has used in earlier inferences (load_restamp) */
};

struct load_var {
    uint64_t addr; /* SoC */
    uint64_t size; /* 0 for a state-buffer variable: it names the whole aperture */
};

struct load_library { /* a Q7 library, prelinked and staged (q7-prelink.md §13, §14) */
    const char *name; /* borrowed from the program */
    uint32_t selector;
    uint64_t staging; /* SoC address of its buffer of Q7_STAGING_BYTES */
    uint8_t *image;   /* header, code, zeros up to data_offset, data */
    size_t size;      /* of the image: prelinked_size of the load slot */
    size_t code_size, data_offset, data_size;
    size_t load_at; /* byte offset of its load slot in the image of POOL */
};

struct load_agent_block { /* slice-walkthrough §7 */
    uint32_t n_rx, n_tx;
    char *from; /* "pe.bin slot 1" */
};

struct loadplan {
    const struct program *prog;
    struct load_image images[PROG_ENGINES];
    struct load_ring *rings;
    size_t nrings;         /* agent's ring last when present */
    struct load_var *vars; /* prog->nvars */
    struct load_library *libraries;
    size_t nlibraries;
    struct load_op *init; /* memory writes (slice-walkthrough §2), then R1..R5 (§5), in order. Input variables
                             are not among them: the run writes them. */
    size_t ninit;
    struct load_agent_block *agent;
    size_t nagent;
    unsigned agent_engine, agent_queue; /* 0, 15 */
    uint64_t notify_base[4];
    uint64_t notify_bytes;
    uint32_t semaphores[256]; /* the model's semaphores, ascending */
    size_t nsemaphores;
    unsigned n_dma;
};

int load_plan(const struct program *prog, const struct load_config *cfg, struct loadplan **out,
              struct nerr *err);
void load_free(struct loadplan *plan);

/*
 * Device PC -> 1-based source slot (tpb-image.md §5.2, arithmetic walk over the patch records). 0 with *err
 * when pc is outside MAIN and FUNCTION.
 */
uint32_t load_source_slot(const struct load_image *img, uint64_t pc, struct nerr *err);

/*
 * A place for people: "POOL 0x140 = sg00/pool.bin slot 2: RX bell q_gradient_out" or "SP 0x0c0 postamble:
 * gather". Works for any pc. Returns buf.
 */
const char *load_pc_text(const struct loadplan *plan, unsigned engine, uint64_t pc, char *buf, size_t size);

/* "q_gradient_in M2S[1] (e0 q0): def.json q_gradient_in.semaphore 10". Works for any index. Returns buf. */
const char *load_desc_text(const struct loadplan *plan, unsigned engine, unsigned queue, unsigned dir,
                           uint32_t index, char *buf, size_t size);

/*
 * Entries of the next inference when the queue is not reset in between (`run --keep-rings`): inference n
 * (0-based) of a ring with `used` entries starts at absolute entry n * used, so at index (n * used) mod
 * length with ring id (1 + lap) mod 4, and may run over the end. Fills buf (used * DESC_BYTES bytes; dir 0
 * M2S, 1 S2M) and cuts it into the memory writes to be made before the next start; returns how many (0, 1 or
 * 2). Sets ring->first[dir], which load_desc_text needs. Inference 0 is what `init` wrote.
 */
struct load_stamp {
    uint64_t addr;        /* SoC */
    const uint8_t *bytes; /* into buf */
    size_t len;
};
size_t load_restamp(struct load_ring *ring, unsigned dir, uint64_t inference, uint8_t *buf,
                    struct load_stamp stamps[2]);

/* "output+0x40" for an address inside a variable, "image PE+0x80", "ring q_in S2M+0x10", else "0x...".
 * Returns buf. */
const char *load_addr_text(const struct loadplan *plan, uint64_t soc, char *buf, size_t size);

/* Place of a variable by name; NULL when there is none. */
const struct load_var *load_find_var(const struct loadplan *plan, const char *name);

#endif
