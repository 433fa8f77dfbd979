# The bench that breaks every handshake rule on purpose. First of the bench.mk files: the others use RULES_V.
include bench/assert/rules.mk

BENCHES += assert
BENCH_assert_TOP := rules_top
BENCH_assert_V := $(RULES_V) bench/assert/rules_top.sv
BENCH_assert_CPP := bench/assert/assert_tb.cpp
