/*
 * Fault injection of the bench (rtl_config.inject): one fault of one kind, at its N-th opportunity, made at the memory
 * or by writing state of the model; the RTL itself is unchanged. A checker must notice every one of them.
 */
#ifndef NEFFSIM_BENCH_SIM_INJECT_H
#define NEFFSIM_BENCH_SIM_INJECT_H

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "device/event.h"
#include "util/nerr.h"

/* One write beat on its way to the memory: a bus line and the bytes of it that are written. */
struct MemBeat {
    uint8_t master, prot;
    bool last; /* of its burst */
    uint64_t addr, strobe;
    std::array<uint32_t, 16> line;
};

class Inject {
  public:
    /* "KIND" or "KIND@N"; NERR_INPUT with a sentence that names the kinds. */
    int parse(const char *spec, struct nerr *err);
    static const char *kind(unsigned i, const char **meaning);

    bool active() const { return kind_ != NONE && !finished_; }
    bool done() const { return happened_; }

    /* A read beat of `bytes` bytes at addr is about to be delivered; may flip a bit of line. */
    void read_beat(unsigned master, unsigned prot, uint64_t addr, uint32_t *line);

    /* True when the beat must not be committed now. */
    bool write_beat(const MemBeat &beat, uint64_t cycle);

    /* Beats to commit at the end of this clock, in this order. */
    std::vector<MemBeat> due(uint64_t cycle);

    /* Sees every event of a clock. */
    void observe(const struct dev_event &ev);

    /* State of the model to change after this clock: a semaphore to put back, a tail to advance again. */
    struct Poke {
        enum { NOTHING, SEMAPHORE, TAIL } what = NOTHING;
        unsigned unit = 0, dir = 0, queue = 0, index = 0;
        uint32_t value = 0;
    };
    Poke poke();
    void poked(bool done) { happened_ = finished_ = done; } /* not done: the next opportunity is taken */

  private:
    enum Kind {
        FLIP_DATA,
        DROP_SEMAPHORE,
        DUPLICATE_DOORBELL,
        CORRUPT_DESCRIPTOR,
        LOSE_NOTIFICATION,
        DELAY_RESPONSE,
        SWAP_WRITES,
        NONE
    };
    struct Name {
        const char *name, *meaning;
    };
    static const Name names_[NONE];

    Kind kind_ = NONE;
    uint64_t at_ = 1, seen_ = 0; /* occurrence wanted; occurrences so far */
    bool happened_ = false, finished_ = false;
    bool holding_ = false, burst_open_ = false; /* inside the burst that is held back */
    std::vector<MemBeat> held_;
    uint64_t release_ = 0; /* clock in which held beats are committed at the latest */
    std::vector<MemBeat> due_;
    std::map<uint32_t, uint32_t> semaphores_; /* unit << 8 | index -> value */
    Poke poke_;

    bool hit() { return !happened_ && !holding_ && poke_.what == Poke::NOTHING && ++seen_ >= at_; }
};
#endif
