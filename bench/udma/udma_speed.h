/* How many data beats per clock the engine moves each way; the published ones (docs/rtl.md) are demanded. */
#ifndef NEFFSIM_BENCH_UDMA_SPEED_H
#define NEFFSIM_BENCH_UDMA_SPEED_H

#include "latency.h"
#include "udma_random.h"

static inline double measure(const char *what, uint32_t bytes, unsigned packets, unsigned misalign, unsigned latency)
{
    Dut d(150);
    d.bus.latency_min = d.bus.latency_max = latency;
    d.init_engine();
    Rings r(d, 0, 256, 256);
    r.init();
    for (unsigned i = 0; i < packets; i++)
        r.copy(SOURCE + misalign + (uint64_t)i * bytes, TARGET + (uint64_t)i * bytes, bytes);
    r.bells(packets);
    TB_CHECK(d.until(EV_DMA_WR, 1));
    uint64_t start = d.cycle;
    TB_CHECK(d.until(EV_DMA_CPL, 2 * packets, 2000000));
    double rate = (double)d.bus.write_beats / (double)(d.cycle - start);
    std::printf("%-44s %.3f beats/clock written\n", what, rate);
    return rate;
}

static inline void speed()
{
    tb_case("speed");
    TB_CHECK(measure("64 KiB copies, latency 4", DESC_LENGTH_MAX, 8, 0, 4) * 100 >= LAT_DMA_LONG_PERCENT);
    measure("64 KiB copies, source + 1, latency 4", DESC_LENGTH_MAX, 8, 1, 4);
    measure("64 KiB copies, latency 40", DESC_LENGTH_MAX, 8, 0, 40);
    measure("4 KiB copies, latency 4", 4096, 64, 0, 4);
    TB_CHECK(measure("64 B copies, latency 4", 64, 200, 0, 4) * 100 >= LAT_DMA_SHORT_PERCENT);
    measure("64 B copies, latency 40", 64, 200, 0, 40);
}
#endif
