#!/bin/sh
# The same RTL and stimulus (bench/twin) under Verilator, as VCD and as FST, and under Icarus: the waves must agree, block by
# block, by the rules of bench/twin/wave.rules. Then the RTL is broken for Icarus only: in one clock, so that signal, time and
# both values are known beforehand, and by a wrong line each, where a comparison in Python (tests/wave/twin.py) says what
# must be found.
. tests/cli/lib.inc

bin=build/bench/twin
rtl="rtl/bus rtl/evt rtl/notific rtl/udma rtl/seq"
rules=$work/wave.rules
icarus() { # FOLDER-WITH-rtl/ WAVE
    iverilog -g2005 -Ibuild/gen -s twin_icarus -o "$work/twin.vvp" $(for d in $rtl; do ls "$1/$d"/*.v; done) bench/twin/*.v &&
        vvp -n "$work/twin.vvp" "+wave=$2"
}
{
    cat bench/twin/wave.rules
    sed -nE 's/^ *function *(\[[^]]*\])? *([a-z_]+) *[;(].*/ignore *.\2.*/p' $(for d in $rtl; do ls "$d"/*.v; done) bench/twin/*.v | sort -u
} >"$rules"

check "Verilator writes VCD" "$bin/vcd/run" "$work/v.vcd"
check "Verilator writes FST" "$bin/fst/run" "$work/v.fst"
check "Icarus writes VCD" icarus . "$work/i.vcd"

pair() { # ICARUS VERILATOR options...
    one=$1
    two=$2
    shift 2
    "$neffsim" wave diff "$work/$one" "$work/$two" --map "$rules" --x golden --window 60: "$@"
}
expect "Verilator's VCD and FST are equal" 0 "^equal: [0-9]{4} " "$neffsim" wave diff "$work/v.vcd" "$work/v.fst"
for block in evt notific udma seq bus; do
    for wave in v.vcd v.fst; do
        expect "$block: Icarus and Verilator's $wave" 0 "^equal: [0-9]{2,} " pair i.vcd $wave --only "twin_icarus.twin.u_$block.*"
        expect "$block: the same at every clock edge" 0 "^equal: [0-9]{2,} " pair i.vcd $wave --only "twin_icarus.twin.u_$block.*" \
            --clock twin_icarus.twin.clk_i
    done
done
expect "everything: Icarus and Verilator's FST" 0 "^equal: 2[0-9]{3} " pair i.vcd v.fst

broken() { # NAME FILE SED-EXPRESSION: the RTL with one line changed, under Icarus
    rm -rf "$work/tree"
    mkdir "$work/tree"
    cp -r rtl "$work/tree"
    sed -i "$3" "$work/tree/$2"
    if cmp -s "$2" "$work/tree/$2"; then
        failed=$((failed + 1))
        echo "FAIL $1: nothing was changed"
    fi
    check "$1: Icarus runs" icarus "$work/tree" "$work/broken.vcd"
    pair broken.vcd v.fst --json --limit 0 >"$work/broken.json" 2>"$work/broken.err"
    check "$1: different" [ $? -eq 1 ]
}
found() { # NAME arguments of twin.py
    name=$1
    shift
    check "$name: found where it is" python3 tests/wave/twin.py "$work/broken.json" "$@"
}
# cycle_q is 700 from the edge at 5 + 699 * 10 ns on.
broken "one clock" rtl/evt/evt_sem.v "s/assign pslverr_o = 1'b0;/assign pslverr_o = twin_icarus.twin.cycle_q == 16'd700;/"
found "one clock" --signal twin_icarus.twin.u_evt.pslverr --time 6995 --values 1 0 --until 7005
broken "round robin" rtl/bus/apb_fabric.v 's/request0 \&\& request1 ? !last_q/request0 \&\& request1 ? last_q/'
found "round robin" --waves "$work/broken.vcd" "$work/v.vcd"
broken "phase bit" rtl/notific/notific_ring.v "s/new_tail == 32'd0) phase_q/new_tail == 32'd16) phase_q/"
found "phase bit" --waves "$work/broken.vcd" "$work/v.vcd"
broken "ALU" rtl/seq/seq_alu.v "s/big_shift ? 5'd31 : b_i/big_shift ? 5'd30 : b_i/"
found "ALU" --waves "$work/broken.vcd" "$work/v.vcd"
finish
