/*
 * Changes state of the model for fault injection: see rtl_state.h. The state is public to C++ but not to Verilator's
 * optimizer (public.vlt), so a change is followed by the routine with which the model settles at time 0; it recomputes
 * everything combinational and touches no register.
 */
#include "Vsim_top___024root.h"
#include "regs.h"
#include "sim/rtl_state.h"

void Vsim_top___024root___eval_settle(Vsim_top___024root *root);

#define EVT(unit) root->sim_top__DOT__u_core__DOT__##unit##__DOT__sem_q
#define QUEUE(engine, dir, name) \
    root->sim_top__DOT__u_core__DOT__g_dma__BRA__##engine##__KET____DOT__u_udma__DOT__u_##dir##_queue__DOT__##name

namespace {
/* What udma_queue.v does for a doorbell that fits. */
template <typename Tail, typename Used, typename Left, typename Pending, typename Len>
bool ring_again(Tail &tail, Used &used, Left &left, Pending &pending, const Len &len, const Inject::Poke &poke)
{
    const uint32_t offset_mask = 0xffffff, id_lsb = 24;
    uint32_t size = 0;
    for (unsigned b = 0; b < 24; b++)
        size |= (len[(24 * poke.queue + b) / 32] >> (24 * poke.queue + b) % 32 & 1) << b;
    if (used[poke.queue] + poke.value > size)
        return false;
    uint32_t id = tail[poke.queue] >> id_lsb, offset = (tail[poke.queue] & offset_mask) + poke.value;
    if (offset >= size) {
        offset -= size;
        id = (id + 1) & 3;
    }
    tail[poke.queue] = id << id_lsb | offset;
    used[poke.queue] += poke.value;
    left[poke.queue] += poke.value;
    pending |= 1u << poke.queue;
    return true;
}
} // namespace

#define RING_AGAIN(engine, dir)                                                                            \
    ring_again(QUEUE(engine, dir, tail_q), QUEUE(engine, dir, used_q), QUEUE(engine, dir, left_q),         \
               QUEUE(engine, dir, pending_q), QUEUE(engine, dir, len_i), poke)

static_assert(SIM_N_DMA == 2, "rtl_poke knows two DMA engines");

bool rtl_poke(Vsim_top *top, const Inject::Poke &poke)
{
    Vsim_top___024root *root = top->rootp;
    bool done = true;
    if (poke.what == Inject::Poke::SEMAPHORE)
        (poke.unit == 0 ? EVT(u_evt) : EVT(u_topsp))[poke.index] = poke.value;
    else if (poke.unit == 0)
        done = poke.dir == 0 ? RING_AGAIN(0, m2s) : RING_AGAIN(0, s2m);
    else
        done = poke.dir == 0 ? RING_AGAIN(1, m2s) : RING_AGAIN(1, s2m);
    Vsim_top___024root___eval_settle(root);
    return done;
}
