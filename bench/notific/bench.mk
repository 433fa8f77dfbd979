# NOTIFIC with its tap: as the core has it, and a small variant with a 64-bit memory port (two beats a record) and the
# other first phase. The tpb control block has its own bench.
NOTIFIC_V := rtl/bus/rr_arb.v $(sort $(wildcard rtl/notific/notific*.v)) bench/taps/ev_pkg.sv bench/taps/notific_tap.sv \
             $(RULES_V) bench/assert/bind_notific.sv

BENCHES += notific
BENCH_notific_TOP := notific
BENCH_notific_V := $(NOTIFIC_V)
BENCH_notific_CPP := bench/notific/notific_tb.cpp

BENCHES += notific_narrow
BENCH_notific_narrow_TOP := notific
BENCH_notific_narrow_V := $(NOTIFIC_V)
BENCH_notific_narrow_CPP := bench/notific/notific_tb.cpp
BENCH_notific_narrow_VFLAGS := -GN_SRC=4 -GMEM_W=64 -GNIQ_DEPTH=2 -GMAX_OUT=2 -GPHASE_FIRST=0
BENCH_notific_narrow_CFLAGS := -DTB_N_SRC=4 -DTB_MEM_W=64 -DTB_NIQ_DEPTH=2 -DTB_MAX_OUT=2 -DTB_PHASE_FIRST=0

BENCHES += tpb_ctrl
BENCH_tpb_ctrl_TOP := tpb_ctrl
BENCH_tpb_ctrl_V := rtl/notific/tpb_ctrl.v $(RULES_V) bench/assert/bind_tpb_ctrl.sv
BENCH_tpb_ctrl_CPP := bench/notific/tpb_ctrl_tb.cpp

build/bench/notific/run build/bench/notific_narrow/run: bench/notific/notific_bench.h bench/notific/notific_model.h
