#!/bin/sh
# neffsim wave dump: golden texts, the same for files that hold the same values, and nothing for a broken one.
. tests/cli/lib.inc

cat >"$work/a.vcd" <<'V'
$timescale 1 ns $end
$scope module top $end
$var wire 1 ! clk $end
$var wire 8 " data [7:0] $end
$upscope $end
$enddefinitions $end
#0
$dumpvars
0!
b111111 "
$end
#5
1!
#10
0!
b1x "
#12
V
cat >"$work/b.vcd" <<'V'
$timescale 1 ns $end
$scope module top $end
$var reg 8 data8 data[7:0] $end
$var reg 1 c clk $end
$upscope $end
$enddefinitions $end
#0
0c b00111111 data8
#5
0c b00111111 data8 1c
#10
b0000001x data8 0c
#12
V
cat >"$work/golden" <<'V'
wave dump 1
signal top.clk, 1 bit
signal top.data[7:0], 8 bits
time 0 ns
  top.clk = 0
  top.data[7:0] = 8'h3f
time 5 ns
  top.clk = 1
time 10 ns
  top.clk = 0
  top.data[7:0] = 8'b0000001x
end 12 ns
V
dump="$neffsim wave dump"
$dump "$work/a.vcd" >"$work/a.txt"
$dump "$work/b.vcd" >"$work/b.txt"
check "the golden text" diff "$work/golden" "$work/a.txt"
check "other codes, order and repeats" diff "$work/golden" "$work/b.txt"
cat >"$work/golden" <<'V'
wave dump 1
signal top.clk, 1 bit
time 6 ns
  top.clk = 1
time 10 ns
  top.clk = 0
end 12 ns
V
$dump "$work/a.vcd" --signal '*clk' --window 6ns: >"$work/a.txt"
check "a signal in a window" diff "$work/golden" "$work/a.txt"
expect "no such signal" 2 "no signal has such a name" $dump "$work/a.vcd" --signal nothing
expect "a wrong window" 2 "window" $dump "$work/a.vcd" --window 9:3
expect "a wrong option" 2 "--json" $dump "$work/a.vcd" --json
expect "its help" 0 "usage: neffsim wave dump" $dump --help
expect "no file" 2 "dump takes one file" $dump
head -c 150 "$work/a.vcd" >"$work/cut.vcd"
expect "a cut file" 2 "cut.vcd line [0-9]+, byte [0-9]+: " $dump "$work/cut.vcd"
sed '$d' "$work/a.vcd" | head -c -3 >"$work/cut.vcd"
expect "as far as it is whole" 0 "^incomplete after 5 ns$" $dump "$work/cut.vcd" --allow-incomplete
$dump "$work/a.vcd" >/dev/full 2>"$work/err"
check "a full disk" [ $? -eq 2 ]
finish
