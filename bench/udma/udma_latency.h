/*
 * The published latencies of the DMA engine (docs/rtl.md, bench/latency.h): one aligned packet whose S2M descriptor is already
 * there, on an engine that does nothing else. Beats per clock: udma_speed.h.
 */
#ifndef NEFFSIM_BENCH_UDMA_LATENCY_H
#define NEFFSIM_BENCH_UDMA_LATENCY_H

#include "udma_speed.h"

static inline void latency_of_a_packet(unsigned memory, uint32_t bytes) /* memory: clocks from address to first data */
{
    const uint64_t beats = bytes > Bus::BYTES ? bytes / Bus::BYTES : 1;
    const uint64_t desc_beats = DESC_BYTES > Bus::BYTES ? DESC_BYTES / Bus::BYTES : 1;
    Dut d(151);
    d.bus.latency_min = d.bus.latency_max = memory - 1;
    d.init_engine();
    Rings r(d, 0);
    r.init();
    r.copy(SOURCE, TARGET, bytes);
    r.bell_s(1);
    d.run(100);
    size_t fetches = d.bus.fetches.size();
    r.bell_m(1);
    while (d.bus.fetches.size() == fetches && d.cycle < 1000)
        d.tick();
    uint64_t fetch = d.cycle - 1;
    TB_CHECK(d.until(EV_DMA_CPL, 2));
    uint64_t read = d.last(EV_DMA_RD)->cycle, write = d.last(EV_DMA_WR)->cycle;
    TB_EQUAL(fetch - d.last(EV_DMA_BELL)->cycle, LAT_DMA_FETCH);
    TB_EQUAL(read - fetch - memory - (desc_beats - 1), LAT_DMA_READ);
    TB_EQUAL(write - read - memory - (beats - 1), LAT_DMA_WRITE);
    TB_EQUAL(d.last(EV_DMA_CPL)->cycle - d.last(EV_DMA_WRESP)->cycle, LAT_DMA_CPL);
}

static inline void latencies()
{
    tb_case("latency of a packet (docs/rtl.md)");
    for (unsigned memory : {1u, 8u, 40u})
        for (uint32_t bytes : {4u, 64u, 256u})
            latency_of_a_packet(memory, bytes);
}
#endif
