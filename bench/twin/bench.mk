# Twin benches: one design (twin.v) under Verilator, once with VCD and once with FST; tests/cli/wave_twin.sh runs them, has
# Icarus simulate the same sources and compares the waves. Speed of the model does not matter, so it is built without
# optimization. Arrays and parameters are left out of the traces because Icarus does not dump them.
TWIN_V := $(sort $(wildcard rtl/bus/*.v rtl/evt/*.v rtl/notific/notific*.v rtl/udma/*.v)) rtl/seq/seq_alu.v \
          rtl/seq/seq_cmp.v rtl/seq/seq_decode.v rtl/seq/seq_legal.v \
          $(filter-out bench/twin/twin_icarus.v,$(sort $(wildcard bench/twin/*.v)))
TWIN_BIN := build/bench/twin/vcd/run build/bench/twin/fst/run

build/bench/twin/vcd/run: TWIN_TRACE := --trace
build/bench/twin/fst/run: TWIN_TRACE := --trace-fst -CFLAGS -DTWIN_FST
$(TWIN_BIN): $(TWIN_V) bench/twin/twin_main.cpp bench/twin/bench.mk $(GEN)
	@mkdir -p $(@D)
	$(call say,BENCH twin $(notdir $(@D)))
	$(Q)$(VERILATOR) --cc --exe --build -j 1 --no-timing --x-assign 0 --x-initial 0 --trace-max-array 0 --no-trace-params \
	  -Wno-fatal -Wno-WIDTH --top-module twin -Ibuild/gen $(TWIN_TRACE) -CFLAGS -O0 \
	  -MAKEFLAGS "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O1" -Mdir $(@D) -o run $(TWIN_V) \
	  $(CURDIR)/bench/twin/twin_main.cpp >$(@D)/build.log 2>&1 || { tail -n 30 $(@D)/build.log; exit 1; }

test-built: $(TWIN_BIN)
