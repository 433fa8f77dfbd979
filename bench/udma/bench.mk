# The DMA engine with its tap at the widest and the narrowest memory port.
UDMA_V := rtl/bus/rr_arb.v $(sort $(wildcard rtl/udma/*.v)) bench/taps/ev_pkg.sv bench/taps/udma_tap.sv \
          $(RULES_V) bench/assert/bind_udma.sv

BENCHES += udma
BENCH_udma_TOP := udma
BENCH_udma_V := $(UDMA_V)
BENCH_udma_CPP := bench/udma/udma_tb.cpp
BENCH_udma_VFLAGS := -GENGINE_ID=5
BENCH_udma_CFLAGS := -DMEM_W=512

BENCHES += udma_64
BENCH_udma_64_TOP := udma
BENCH_udma_64_V := $(UDMA_V)
BENCH_udma_64_CPP := bench/udma/udma_tb.cpp
BENCH_udma_64_VFLAGS := -GENGINE_ID=5 -GMEM_W=64
BENCH_udma_64_CFLAGS := -DMEM_W=64
