#!/bin/sh
# The build: a second make does nothing, golden needs a case, setup names its packages, and lint can fail.
. tests/cli/lib.inc

unset MAKEFLAGS MAKELEVEL MFLAGS
check "a second make rebuilds nothing" sh -c '[ -z "$(make --no-print-directory all)" ]'
expect "make golden without a case says how" 2 "usage: make golden CASE=" make --no-print-directory golden
expect "make help names the targets" 0 "make soak" make --no-print-directory help
expect "setup lists the packages of a run" 0 "^verilator$" scripts/setup list run
expect "and those of the tests" 0 "^check$" scripts/setup list
expect "setup refuses what it does not know" 2 "usage" scripts/setup everything
check "setup finds every package here and says nothing" sh -c '[ -z "$(scripts/setup test)" ]'
expect "run_tests fails when a suite prints no count" 1 "printed no count" scripts/run_tests "quiet=true"
expect "and when it ran nothing" 1 "ran nothing" scripts/run_tests "empty=echo 0 passed, 0 failed"
expect "and when it dies after its count" 1 "exit code 3" scripts/run_tests "dies=echo 4 passed, 0 failed; exit 3"
expect "and adds up" 1 "^6 passed, 1 failed" scripts/run_tests "a=echo 4 passed, 0 failed" "b=echo 2 passed, 1 failed; exit 1"

# Lint in a copy of the sources, where each kind of check meets something wrong.
mkdir -p "$work/tree/build"
cp -r rtl host scripts .clang-format "$work/tree/"
cp -r build/gen "$work/tree/build/gen"
lint() {
    (cd "$work/tree" && scripts/lint "$1")
}
expect "lint: stations are in order" 0 "0 failed" lint "includes only from its left"
expect "lint: a check that is not there is no pass" 1 "^0 passed, 0 failed" lint "no such check"
broken() { # NAME CHECK FILE TEXT: with TEXT appended to FILE the check fails
    cp "$work/tree/$3" "$work/saved"
    printf '%s\n' "$4" >>"$work/tree/$3"
    expect "lint: $1" 1 "FAIL lint: .*" lint "$2"
    cp "$work/saved" "$work/tree/$3"
}
broken "util may not include run" "host/util includes" host/util/nerr.c '#include "run/run.h"'
broken "neff may not include load" "host/neff includes" host/neff/header.c '#include "load/loadplan.h"'
broken "refmodel may not include check" "host/refmodel includes" host/refmodel/ref.c '#include "check/check.h"'
broken "load may not include device" "host/load includes" host/load/place.c '#include "device/device.h"'
broken "layout" "clang-format" host/util/nerr.c 'int   x ;'
broken "a second module in a file" "rr_arb.v: one module" rtl/bus/rr_arb.v 'module other; endmodule'
broken "default_nettype stays none" "rr_arb.v: default_nettype" rtl/bus/rr_arb.v '`default_nettype none'
sed -i 's/^endmodule/    wire unused = 1'"'"'b0;\n    reg latch_q;\n    always @* if (take_i) latch_q = index_o[0];\nendmodule/' \
    "$work/tree/rtl/bus/rr_arb.v"
expect "lint: verilator warns of what is not used" 1 "rr_arb.v:[0-9]+:[0-9]+: Signal is not used" lint "MEM_W=512"
expect "lint: yosys finds a latch" 1 "FAIL lint: yosys" lint "yosys"
sed -i 's/wire unused = /wire [1:0] unused = missing + /' "$work/tree/rtl/bus/rr_arb.v"
expect "lint: iverilog refuses an undeclared name" 1 "FAIL lint: iverilog" lint "iverilog"
finish
