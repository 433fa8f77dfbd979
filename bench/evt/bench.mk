# EVT_SEM with its tap: signed comparison (the default) and SEM_UNSIGNED_CMP.
EVT_V := rtl/bus/rr_arb.v $(sort $(wildcard rtl/evt/*.v)) bench/taps/ev_pkg.sv bench/taps/evt_tap.sv \
         $(RULES_V) bench/assert/bind_evt.sv

BENCHES += evt
BENCH_evt_TOP := evt_sem
BENCH_evt_V := $(EVT_V)
BENCH_evt_CPP := bench/evt/evt_tb.cpp
BENCH_evt_VFLAGS := -GUNIT=3

BENCHES += evt_unsigned
BENCH_evt_unsigned_TOP := evt_sem
BENCH_evt_unsigned_V := $(EVT_V)
BENCH_evt_unsigned_CPP := bench/evt/evt_tb.cpp
BENCH_evt_unsigned_VFLAGS := -GUNIT=3 -GSEM_UNSIGNED_CMP=1
BENCH_evt_unsigned_CFLAGS := -DSEM_UNSIGNED_CMP=1

build/bench/evt/run build/bench/evt_unsigned/run: bench/evt/evt_model.h
