/* A program on the DUT and on the reference, compared: log, bus writes, memory errors, semaphores, events,
 * registers. */
#ifndef NEFFSIM_BENCH_SEQ_PAIR_H
#define NEFFSIM_BENCH_SEQ_PAIR_H

#include "seq_model.h"

class Pair
{
  public:
    Pair(Dut &d) : dut(d)
    {
    }
    Model ref;

    /* Puts slots at `at` in both memories. */
    void load(uint64_t at, const std::vector<Slot> &slots);
    /* Bytes of data in both memories. */
    void data(uint64_t at, uint64_t value, unsigned n);
    /*
     * Runs from `pc` (RESET or any stopped state) until both stop, at most max_slots; true when everything
     * agrees. Prints the first difference. Bounds are lower..upper; both 0 disable them.
     */
    bool run(uint64_t pc, uint64_t lower, uint64_t upper, uint64_t max_slots = 20000);
    /* The same for one list of slots at `at`, bounds exactly around it. */
    bool run(uint64_t at, const std::vector<Slot> &slots);

  private:
    Dut &dut;
};

void seq_latency();
void seq_random(uint64_t seed, unsigned programs);
void seq_fuzz(uint64_t seed, unsigned slots);
void seq_resets(uint64_t seed, unsigned rounds);

#endif
