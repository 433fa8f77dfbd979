#!/bin/sh
# Every option of `neffsim wave diff` on the command line: one pair of waves that it makes or leaves equal, and one that
# differs all the same. What the options mean in every corner is tested in tests/wave.
. tests/cli/lib.inc

# wave NAME: a clock that rises at 5, 15, 25 ns, a byte and a flag; stdin holds the values from 0 ns on.
wave() {
    {
        printf '$timescale 1ns $end\n$scope module t $end\n$var wire 1 c clk $end\n$var wire 8 d data [7:0] $end\n'
        printf '$var wire 1 v valid $end\n$var real 64 r level $end\n$upscope $end\n$enddefinitions $end\n'
        cat
    } >"$work/$1.vcd"
}
# values D V R TIME-OF-SECOND-DATA SECOND-DATA
values() {
    printf '#0\n0c\nb%s d\n%sv\nr%s r\n' "$1" "$2" "$3"
    for line in 5:1c 10:0c 15:1c 20:0c 25:1c 30:0c "$4:b$5 d"; do echo "$line"; done |
        sort -t: -n -s -k1,1 | awk -F: '$1 != last { print "#" $1; last = $1 } { print $2 }'
}
values 1 1 0.5 12 1010 | wave a
values 1 1 0.5 13 1010 | wave late
values 1 1 0.5 12 1011 | wave wrong
values 1 0 0.5 12 1010 | wave idle
values x 1 0.5 12 1010 | wave unknown
values 1 1 0.5000001 12 1010 | wave real
{ values 1 1 0.5 12 1010; printf '#31\nb0 d\n#32\nb1010 d\n'; } | wave glitch
values 1 1 0.5 12 1010 | wave plain
{ values 1 1 0.5 12 1010; printf '#33\nb11 d\n'; } | wave longer
sed 's/data \[7:0\]/bus [7:0]/' "$work/a.vcd" >"$work/renamed.vcd"
sed '/timescale/d' "$work/a.vcd" >"$work/untimed.vcd"
sed 's/^#\([0-9]*\)$/#\1 /; s/^#\([0-9]*\) $/#\1/' "$work/a.vcd" | awk '/^#/ { print "#" substr($0, 2) + 7; next } { print }' >"$work/shifted.vcd"

d() { # A B options...
    one=$work/$1.vcd
    two=$work/$2.vcd
    shift 2
    "$neffsim" wave diff "$one" "$two" "$@"
}

expect "equal" 0 "equal" d a plain
expect "different, with time and both values" 1 "12 ns.*t.data.*8'h0a.*8'h0b" d a wrong
expect "the same the other way round" 1 "12 ns" d wrong a
expect "--ignore leaves it out" 0 - d a wrong --ignore '*data*'
expect "--ignore of another" 1 - d a wrong --ignore '*valid'
expect "--only without it" 0 - d a wrong --only '*clk'
expect "--only with it" 1 - d a wrong --only '*data*' --only '*clk'
expect "--only that nothing fits" 2 "no signal" d a wrong --only nothing
expect "--allow-empty" 0 - d a wrong --only nothing --allow-empty
expect "--window before it" 0 - d a wrong --window :11
expect "--window with it" 1 - d a wrong --window 11ns:12ns
expect "--window after it, still wrong" 1 "20 ns" d a wrong --window 20:
expect "--window backwards" 2 "window" d a wrong --window 20:10
expect "--when never holds" 2 - d idle wrong --only '*data*' --when valid
expect "--when holds" 1 - d a wrong --when 'valid && data != 8'"'"'h01'
expect "--when excludes it" 0 - d a wrong --only '*data*' --when 'data == 8'"'"'h01'
expect "--when with an unknown name" 2 "nosuch" d a wrong --when nosuch
expect "--when that is no expression" 2 "expression|expected|column" d a wrong --when 'valid &&'
expect "a late change" 1 "12 ns" d a late
expect "--clock does not see it" 0 - d a late --clock clk
expect "--clock sees a wrong value" 1 "15 ns" d a wrong --clock t.clk:rise
expect "--clock on the other edge" 1 "20 ns" d a wrong --clock clk:fall
expect "--clock that does not exist" 2 "nosuch" d a wrong --clock nosuch
expect "--clock with no such edge" 2 - d a wrong --clock clk:up
expect "--setup reaches it" 1 - d a late --clock clk --setup 3
expect "--setup does not reach it" 0 - d a late --clock clk --setup 1
expect "--hold reaches it" 1 - d a late --clock clk --hold 8
expect "--hold does not reach it" 0 - d a late --clock clk --hold 6
expect "--shift makes up for it" 0 - d a shifted --shift -7
expect "--shift by another amount" 1 - d a shifted --shift -6ns
expect "--tolerance" 0 - d a late --tolerance 1
expect "--tolerance with lag only" 0 - d a late --tolerance 0:1ns
expect "--tolerance with lead only" 1 - d a late --tolerance 1:0
expect "--tolerance forgives no wrong value" 1 - d a wrong --tolerance 5
expect "a glitch" 1 "31 ns" d a glitch
expect "--glitch removes it" 0 - d a glitch --glitch 2
expect "--glitch below its length" 1 - d a glitch --glitch 1
expect "x is a value" 1 "0 (ns|s)" d a unknown
expect "--x any" 0 - d a unknown --x any
expect "--x golden, x in B" 1 - d a unknown --x golden
expect "--x golden, x in A" 0 - d unknown a --x golden
expect "--x otherwise" 2 "exact.*any.*golden" d a unknown --x none
expect "--mask without the bit" 0 - d a wrong --mask 't.data[7:0]=fe'
expect "--mask with the bit" 1 - d a wrong --mask 't.data[7:0]=01'
expect "a real number" 1 "level" d a real
expect "--epsilon" 0 - d a real --epsilon 1e-6
expect "--epsilon that is too small" 1 - d a real --epsilon 1e-8
expect "--order of late values" 0 - d a late --order
expect "--order of wrong values" 1 "data" d a wrong --order
expect "--order with a group and a valid" 1 - d a wrong --order --group '*data*' --valid valid
expect "--group asks for --order by itself" 1 "order of" d a wrong --group '*data*'
expect "a name that the other side lacks" 1 "bus" d a renamed
echo 'map t.data t.bus # renamed' >"$work/rules"
expect "--map" 0 - d a renamed --map "$work/rules"
sed 's/0\(.\) d$/1\1 d/; s/b1010 d/b1110 d/' "$work/renamed.vcd" >"$work/both.vcd"
expect "--map and a wrong value" 1 - d a both --map "$work/rules"
printf 'map t.data t.bus\nmask t.data\n' >"$work/rules"
expect "--map with a bad line" 2 "rules.*2" d a renamed --map "$work/rules"
expect "--map without a file" 2 "nosuch" d a renamed --map "$work/nosuch"
expect "no timescale on one side" 2 "timescale" d a untimed
expect "--assume-timescale" 0 - d a untimed --assume-timescale 1ns
expect "--assume-timescale of another size" 1 - d a untimed --assume-timescale 10ns
expect "one side ends early" 1 "33 ns" d longer a
head -c "$(($(wc -c <"$work/wrong.vcd") - 2))" "$work/wrong.vcd" >"$work/cut.vcd"
expect "a file that is cut" 2 "cut.vcd" d a cut
expect "--allow-incomplete" 1 "12 ns" d a cut --allow-incomplete
expect "--limit" 1 "1 more|2 signals" d idle unknown --limit 1
expect "an unknown option" 2 "nosuch" d a wrong --nosuch
expect "an option without its value" 2 "window" d a wrong --window
expect "one file only" 2 - "$neffsim" wave diff "$work/a.vcd"
for format in junit html gtkw; do
    expect "--$format of equal waves" 0 - d a plain --$format "$work/equal.$format"
    expect "--$format of different ones" 1 - d a wrong --$format "$work/out.$format"
    check "--$format is there" test -s "$work/out.$format"
    expect "--$format that cannot be written" 2 "none/x" d a wrong --$format "$work/none/x"
done
expect "--decode with an unknown kind" 2 - d a wrong --decode '*data*=nosuch'
"$neffsim" wave diff "$work/a.vcd" "$work/wrong.vcd" --json >"$work/doc" 2>/dev/null
check "--json is one document" python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$work/doc"
finish
