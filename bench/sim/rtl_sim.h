/*
 * C API of the Verilated bench: neuron_core with its memory, its host APB port, its taps and its fault injection.
 * Implemented in C++ (bench/sim/rtl_sim.cpp); used only by host/device/rtl.c and by benches.
 */
#ifndef NEFFSIM_BENCH_RTL_SIM_H
#define NEFFSIM_BENCH_RTL_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/event.h"
#include "util/nerr.h"

#ifdef __cplusplus
extern "C" {
#endif

struct rtl_sim;

struct rtl_config {
    uint64_t seed;
    bool random_timing;   /* random memory latency 1..40 and random stalls on every handshake of the bench */
    const char *inject;   /* "KIND" or "KIND@N" (N-th occurrence, from 1), NULL for none */
};

/* Builds the model, applies reset for 16 clocks. NULL with *err for an unknown injection or when out of memory. */
struct rtl_sim *rtl_open(const struct rtl_config *cfg, struct nerr *err);
void rtl_close(struct rtl_sim *sim);

/* Events of each clock are delivered in kind order after the clock. sink NULL: the taps cost one test each. */
void rtl_sink(struct rtl_sim *sim, dev_event_fn sink, void *ctx);

/*
 * Runs up to `cycles` clocks. Stops after the clock in which the sink returned non-zero or, with until_notify, in
 * which a record write of NOTIFIC was committed to memory. Returns a mask: 1 notify, 2 sink stop.
 */
unsigned rtl_run(struct rtl_sim *sim, uint64_t cycles, bool until_notify);

/* One APB access on the host port at a 64-bit SoC address; clocks pass. Returns 0, 1 on slave error, 2 on no answer. */
int rtl_apb_write(struct rtl_sim *sim, uint64_t soc, uint32_t value);
int rtl_apb_read(struct rtl_sim *sim, uint64_t soc, uint32_t *value);

/* Back door to the memory targets (HBM, SBUF, PSUM, host). Returns 0, or 1 when the range is not memory. */
int rtl_mem_write(struct rtl_sim *sim, uint64_t soc, const void *buf, size_t len);
int rtl_mem_read(struct rtl_sim *sim, uint64_t soc, void *buf, size_t len);

uint64_t rtl_cycle(const struct rtl_sim *sim);

/* FST of clocks [from, to], both inclusive; rtl_close and rtl_wave_stop finish the file. */
int rtl_wave_start(struct rtl_sim *sim, const char *path, uint64_t from, uint64_t to, struct nerr *err);
void rtl_wave_stop(struct rtl_sim *sim);

/* Name of injection kind i with a one-line meaning, or NULL past the last. */
const char *rtl_inject_kind(unsigned i, const char **meaning);

/* True when the requested injection has happened. */
bool rtl_injected(const struct rtl_sim *sim);

#ifdef __cplusplus
}
#endif
#endif
