#!/bin/sh
# neffsim wave info: what it says about files that are whole, cut, strange or none.
. tests/cli/lib.inc

cat >"$work/a.vcd" <<'V'
$timescale 10 ns $end
$var wire 1 % alone $end
$scope module top $end
$var wire 1 ! clk $end
$scope struct s $end
$var wire 4 " n [3:0] $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
0!
b0 "
0%
#1
1!
#2
0!
0!
b11 "
#7
V
info="$neffsim wave info"
expect "range, tick and format" 0 "a.vcd: VCD, from 0 ns to 70 ns, one tick is 10 ns" $info "$work/a.vcd"
expect "names, signals, scopes" 0 "3 names of 3 signals in 2 scopes" $info "$work/a.vcd"
expect "changes" 0 "6 changes at 4 times in 7 value records; quiet after the first time: 1" $info "$work/a.vcd"
expect "activity per scope" 0 "^ +3 +1  top$" $info "$work/a.vcd"
expect "names outside scopes" 0 "^ +1 +1  \(no scope\)$" $info "$work/a.vcd"
expect "a limit" 0 "and 2 more \(--limit 0 shows all\)" $info "$work/a.vcd" --limit 1
expect "listed signals" 0 "^  top.s.n\[3:0\] \(4\)$" $info "$work/a.vcd" --signal '*.n[3:0]'
cat >"$work/golden.json" <<'V'
{"format": "VCD", "tick_exponent": -8, "tick_factor": 1, "has_timescale": true, "timezero": 0, "start": 0, "end": 7,
 "scopes": 2, "names": 3, "signals": 3, "steps": 4, "records": 7, "changes": 6, "quiet": 1, "incomplete": false,
 "activity": [{"scope": "top", "names": 1, "changes": 3}, {"scope": "top.s", "names": 1, "changes": 2},
 {"scope": "", "names": 1, "changes": 1}], "listed": [{"name": "alone", "width": 1}]}
V
"$neffsim" wave info "$work/a.vcd" --json --signal alone >"$work/a.json"
check "the JSON document" python3 -c 'import json, sys; a, b = (json.load(open(f)) for f in sys.argv[1:]); assert a == b, a' \
    "$work/a.json" "$work/golden.json"

# The rows of known complaints: a blank before the code, an unknown command, a file cut inside a time.
printf '$var wire 1 $ a $end\n$enddefinitions $end\n#0\n1 $\n' >"$work/blank.vcd"
expect "a blank between value and code" 2 "blank.vcd line 4, byte 46: a value without an identifier code" $info "$work/blank.vcd"
printf '$crash $end\n$var wire 1 $ a $end\n$enddefinitions $end\n#0\n1$\n' >"$work/crash.vcd"
expect "an unknown command warns" 0 "warning: .*crash.vcd line 1, byte 0: command '.crash' is not known and was skipped" \
    $info "$work/crash.vcd"
printf '$var wire 1 $ a $end\n$enddefinitions $end\n#99\n1$\n#100\n0$\n#2' >"$work/cut.vcd"
expect "a file cut inside a time" 2 "cut.vcd line 7, byte 57: the file is cut inside its last record, '#2'" $info "$work/cut.vcd"
expect "read up to where it is whole" 0 "incomplete: known up to 100 ns; the file is cut at byte 59" \
    $info "$work/cut.vcd" --allow-incomplete
expect "no timescale" 0 "one tick is 1 ns \(the file does not say\)" $info "$work/crash.vcd"

: >"$work/empty"
expect "an empty file" 2 "empty: the file is empty" $info "$work/empty"
expect "a file that is no wave" 2 "neither an FST nor a VCD file" $info README.md
expect "a missing file" 2 "cannot be opened" $info "$work/missing"
expect "a folder" 2 "neffsim: $work: " $info "$work"
expect "two files" 2 "info takes one file" $info "$work/a.vcd" "$work/a.vcd"
expect "an unknown option" 2 "--wrong" $info "$work/a.vcd" --wrong
expect "its own help" 0 "usage: neffsim wave info" $info --help
cat "$work/a.vcd" | "$neffsim" wave info /dev/stdin >"$work/piped" 2>&1
check "a pipe" grep -q "6 changes" "$work/piped"
finish
