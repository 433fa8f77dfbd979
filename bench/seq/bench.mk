# One sequencer with its tap: POOL on the 512-bit memory port, SP on the narrowest one.
SEQ_V := $(sort $(wildcard rtl/seq/*.v)) bench/taps/ev_pkg.sv bench/taps/seq_tap.sv \
         $(RULES_V) bench/assert/bind_seq.sv
SEQ_CPP := bench/seq/seq_tb.cpp bench/seq/seq_random.cpp bench/seq/seq_latency.cpp bench/seq/seq_pair.cpp bench/seq/seq_model.cpp bench/seq/seq_dut.cpp

BENCHES += seq
BENCH_seq_TOP := seq_core
BENCH_seq_V := $(SEQ_V)
BENCH_seq_CPP := $(SEQ_CPP)
BENCH_seq_VFLAGS := -GENGINE=2 -GMEM_W=512
BENCH_seq_CFLAGS := -DENGINE=2 -DMEM_W=512

BENCHES += seq_narrow
BENCH_seq_narrow_TOP := seq_core
BENCH_seq_narrow_V := $(SEQ_V)
BENCH_seq_narrow_CPP := $(SEQ_CPP)
BENCH_seq_narrow_VFLAGS := -GENGINE=4 -GMEM_W=64
BENCH_seq_narrow_CFLAGS := -DENGINE=4 -DMEM_W=64
