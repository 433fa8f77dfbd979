/*
 * Directed bench of the DMA engine (rtl/udma): the examples of udma.md §18, the copy of slice-walkthrough.md §12 with
 * its variants, and the rules of udma.md §5, §6, §8-§11, §13, §14, against a byte model in C++.
 */
#include "udma_copy.h"
#include "udma_fault.h"
#include "udma_latency.h"
#include "udma_order.h"
#include "udma_random.h"
#include "udma_regs.h"
#include "udma_speed.h"
#include "udma_state.h"

int main()
{
    setvbuf(stdout, nullptr, _IOLBF, 0);
    registers();
    doorbells();
    examples();
    plain_copies();
    alignment_sweep();
    ring_laps();
    packet_shapes();
    start_needs_its_own_descriptor();
    barriers();
    random_packets();
    descriptor_errors();
    bus_errors();
    run_states();
    queue_resets();
    latencies();
    speed();
    return tb_finish();
}
