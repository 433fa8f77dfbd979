#!/bin/sh
# What went wrong in other comparers and benches, one small input each: the rows of classes W (wave) and T (tracing) of the
# list of 40 issues, by their numbers. Row 10, a signal during a run, is in edges.sh; row 39, stale names in a save file, in
# wave_gtkw.sh. Then the cases of vcddiff, when they are there, with the verdict that their names tell.
. tests/cli/lib.inc

# vcd FILE: $header, then the standard end of a header, then stdin as the values.
vcd() {
    { printf '$timescale 1ns $end\n%s\n$enddefinitions $end\n' "$header"; cat; } >"$work/$1.vcd"
}
diff_of() { # A B options...
    one=$1
    two=$2
    shift 2
    "$neffsim" wave diff "$work/$one.vcd" "$work/$two.vcd" "$@"
}

# 1: two nets share a code in B only
header='$scope module t $end
$var wire 1 ! a $end
$var wire 1 " b $end
$upscope $end'
vcd 1a <<'V'
#0
0!
0"
#5
1!
1"
V
header='$scope module t $end
$var wire 1 x a $end
$var wire 1 x b $end
$upscope $end'
vcd 1b <<'V'
#0
0x
#5
1x
V
expect "row 1: other aliases are equal" 0 - diff_of 1a 1b

# 2: two changes in another order within a step
header='$scope module t $end
$var wire 2 ! a $end
$var wire 2 " b $end
$upscope $end'
printf '#100\nb00 !\nb00 "\n#110\nb11 "\nb10 !\n' | vcd 2a
printf '#100\nb00 !\nb00 "\n#110\nb10 !\nb11 "\n' | vcd 2b
printf '#100\nb00 !\nb00 "\n#110\nb11 !\nb10 "\n' | vcd 2c
expect "row 2: the order inside a step does not matter" 0 - diff_of 2a 2b
expect "row 2: the values do" 1 "110 ns" diff_of 2a 2c

# 3: a vector wider than any token buffer
python3 - "$work" <<'P'
import sys
head = "$timescale 1ns $end\n$var reg 70000 ! wide $end\n$enddefinitions $end\n#0\nb0 !\n#7\nb"
value = "10" * 35000
for name, text in (("3a", value), ("3b", value[:40000] + "0" + value[40001:])):
    open("%s/%s.vcd" % (sys.argv[1], name), "w").write(head + text + " !\n")
P
expect "row 3: 70000 bits are equal to themselves" 0 - diff_of 3a 3a
expect "row 3: one bit of them differs" 1 "wide.*7 ns|7 ns.*wide" diff_of 3a 3b

# 4: variables before the first scope, a file against itself
header='$var wire 1 ! clk $end
$scope module t $end
$var wire 1 " a $end
$upscope $end'
printf '#0\n0!\n0"\n#5\n1!\n1"\n' | vcd 4a
printf '#0\n0!\n0"\n#5\n0!\n1"\n' | vcd 4b
expect "row 4: a file with variables outside scopes is equal to itself" 0 - diff_of 4a 4a
expect "row 4: such a variable is compared" 1 "clk" diff_of 4a 4b

# 5: a bus in one file, its bits in the other
header='$scope module t $end
$var wire 4 ! bus [3:0] $end
$upscope $end'
printf '#0\nb0000 !\n#5\nb1010 !\n' | vcd 5a
header='$scope module t $end
$var wire 1 a bus [3] $end
$var wire 1 b bus [2] $end
$var wire 1 c bus [1] $end
$var wire 1 d bus [0] $end
$upscope $end'
printf '#0\n0a\n0b\n0c\n0d\n#5\n1a\n1c\n' | vcd 5b
printf '#0\n0a\n0b\n0c\n0d\n#5\n1a\n1d\n' | vcd 5c
expect "row 5: a bus is its bits" 0 - diff_of 5a 5b
expect "row 5: in the other direction too" 0 - diff_of 5b 5a
expect "row 5: a wrong bit is found" 1 "bus.*5 ns|5 ns.*bus" diff_of 5a 5c

# 6: a space between value and code
header='$scope module t $end
$var wire 1 $ a $end
$upscope $end'
printf '#0\n0$\n#5\n1 $\n' | vcd 6
expect "row 6: '1 \$' is an error with its line" 2 "line [0-9]+" diff_of 6 6

# 7: an unknown command in the header
header='$scope module t $end
$crash something $end
$var wire 1 ! a $end
$upscope $end'
printf '#0\n0!\n#5\n1!\n' | vcd 7
expect "row 7: an unknown \$ command is skipped with a warning" 0 "crash" diff_of 7 7

# 8: cut in the last time
header='$scope module t $end
$var wire 1 ! a $end
$upscope $end'
printf '#0\n0!\n#50\n1!\n#100\n0!\n#200\n1!\n' | vcd 8a
printf '#0\n0!\n#50\n1!\n#100\n0!\n#2' | vcd 8b
expect "row 8: cut inside a time: unreadable, with the byte, not equal" 2 "byte [0-9]+" diff_of 8a 8b

# 9: scopes that the standard does not have
header='$scope struct t $end
$scope union u $end
$var logic 1 ! a $end
$upscope $end
$upscope $end'
printf '#0\n0!\n#5\n1!\n' | vcd 9
expect "row 9: struct and union scopes are read" 0 - diff_of 9 9

# 11: the wave around a failure has the clocks before it and after it
"$neffsim" pack vectors/allreduce/src -o "$work/e1.neff"
input=input=vectors/allreduce/input/input.npy
"$neffsim" run "$work/e1.neff" --input $input --inject flip-data@1 --fail-wave "$work/fail.fst" --json >"$work/fail.json"
around() { # WAVE: from 800 clocks before the failure (or the start) to 100 behind it
    "$neffsim" wave info "$1" --json >"$work/info.json"
    python3 - "$work/fail.json" "$work/info.json" <<'P'
import json, re, sys
cycle = json.load(open(sys.argv[1]))["failure"]["cycle"]
text = json.dumps(json.load(open(sys.argv[2])))
first, last = (int(re.search(r'"%s": "?(\d+)' % key, text).group(1)) // 1000 for key in ("start", "end"))
print("failure at %d, wave from %d to %d" % (cycle, first, last))
sys.exit(not (first <= max(cycle - 800, 20) and last >= cycle + 99))
P
}
check "row 11: the wave around a failure goes on behind it" around "$work/fail.fst"
"$neffsim" run "$work/e1.neff" --input $input --inject flip-data@1 --wave "$work/whole.fst" >"$work/out"
check "row 11: so does the wave of a whole run that fails" around "$work/whole.fst"

# 12: with and without a trace the run is the same; 13: and every time
mkdir "$work/o1" "$work/o2" "$work/o3"
for n in 1 2 3; do
    wave=
    [ $n = 2 ] && wave="--wave $work/w.fst"
    "$neffsim" run "$work/e1.neff" --input $input --output "$work/o$n" --events "$work/o$n/events" $wave >"$work/out" ||
        echo "run $n failed"
done
check "row 12: a traced run has the events and outputs of one without" diff -r "$work/o1" "$work/o2"
check "row 13: two runs have the same events and outputs" diff -r "$work/o1" "$work/o3"
check "row 13: and there are some" sh -c "[ -s '$work/o1/events' ] && [ -s '$work/o1/output.npy' ]"

# 13: the lint of our RTL refuses a race of two processes
mkdir "$work/race"
cat >"$work/race/race.v" <<'V'
module race (input wire clk_i, output reg [3:0] b_o);
    reg [3:0] a;
    always @(posedge clk_i) a = a + 1;
    always @(posedge clk_i) b_o <= a + 1;
endmodule
V
expect "row 13: verilator -Wall names the race" 1 "BLKSEQ" verilator --lint-only -Wall "$work/race/race.v"

# vcddiff's own cases: counter.NAME.vcd against counter.vcd; "diff" in the name means that they differ
cases=${NEFFSIM_CORPUS:-../shared/corpus}/vcddiff-cases
if [ -d "$cases" ]; then
    for f in "$cases"/counter.*.vcd; do
        case $f in
        *.no_diff.vcd | "$cases"/counter.vcd) want=0 ;;
        *.diff.vcd) want=1 ;;
        *) want=0 ;;
        esac
        expect "vcddiff: $(basename "$f")" $want - "$neffsim" wave diff "$cases/counter.vcd" "$f"
        expect "vcddiff: $(basename "$f"), sides swapped" $want - "$neffsim" wave diff "$f" "$cases/counter.vcd"
    done
else
    echo "no corpus at $cases: the cases of vcddiff were not run"
fi
finish
