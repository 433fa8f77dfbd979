// Clock and dump of the twin benches under Verilator, as twin_icarus.v has them for Icarus. TWIN_FST chooses the format.
//
// usage: twin WAVE
#include <memory>
#include <verilated.h>
#ifdef TWIN_FST
#include <verilated_fst_c.h>
using Trace = VerilatedFstC;
#else
#include <verilated_vcd_c.h>
using Trace = VerilatedVcdC;
#endif
#include "Vtwin.h"

int main(int argc, char **argv)
{
    static const int CLOCKS = 1200;
    if (argc != 2)
        return 2;
    const auto context = std::make_unique<VerilatedContext>();
    context->traceEverOn(true);
    const auto top = std::make_unique<Vtwin>(context.get());
    Trace trace;
    top->trace(&trace, 99);
    trace.open(argv[1]);
    top->clk_i = 0;
    top->eval();
    trace.dump(context->time());
    for (int i = 0; i < 2 * CLOCKS; i++) {
        context->timeInc(5);
        top->clk_i = !top->clk_i;
        top->eval();
        trace.dump(context->time());
    }
    context->timeInc(5);
    trace.dump(context->time());
    trace.close();
    top->final();
    return 0;
}
