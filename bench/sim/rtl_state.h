/* What one simulation is made of; shared by rtl_sim.cpp (API and run loop) and rtl_dpi.cpp (calls from the model). */
#ifndef NEFFSIM_BENCH_SIM_RTL_STATE_H
#define NEFFSIM_BENCH_SIM_RTL_STATE_H

#include <memory>
#include <string>
#include <vector>

#include "Vsim_top.h"
#include "sim/inject.h"
#include "sim/rtl_sim.h"
#include "util/sparse.h"
#include "verilated.h"
#include "verilated_fst_c.h"

struct rtl_sim {
    VerilatedContext context;
    std::unique_ptr<Vsim_top> top;
    struct sparse *memory = nullptr;

    dev_event_fn sink = nullptr;
    void *sink_ctx = nullptr;
    bool listening = false;                /* events are wanted: by the sink or by the injection */
    std::vector<struct dev_event> pending; /* of this clock, in call order */

    Inject inject;
    uint64_t cycle = 0;
    bool notified = false; /* NOTIFIC wrote a record */
    bool stopped = false;  /* the sink asked to stop */
    bool random = false;
    uint64_t rnd = 1;

    VerilatedFstC fst;
    bool wave = false, wave_traced = false, wave_dumped = false;
    uint64_t wave_from = 0, wave_to = 0;
    std::string wave_path;

    ~rtl_sim();
};

/* The simulation whose model is being evaluated; DPI calls carry no handle. */
extern thread_local struct rtl_sim *rtl_current;

/* Puts a beat into the memory and reports it. */
void rtl_commit(struct rtl_sim *sim, const MemBeat &beat);

/*
 * Changes state of the model between two clocks, so that everything that depends on it follows at once. False when the
 * ring has no room for a second doorbell: the engine would refuse it, so there is no fault to make.
 */
bool rtl_poke(Vsim_top *top, const Inject::Poke &poke);
#endif
