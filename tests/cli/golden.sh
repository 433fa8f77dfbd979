#!/bin/sh
# Golden waves and golden outputs of a case: recorded, compared, changed on purpose. The failure must name signal and time.
. tests/cli/lib.inc

case=$work/case
cp -r vectors/allreduce "$case"
rm -f "$case/golden/wave.fst"
expect "a case without its golden wave does not pass" 1 "golden/wave.fst" "$neffsim" case "$case"
expect "the first golden wave is recorded" 0 "first golden wave" "$neffsim" case "$case" --record-golden
expect "the case passes with it" 0 "1 passed, 0 failed" "$neffsim" case "$case"
cp "$case/golden/wave.fst" "$work/first.fst"
expect "recording again shows that nothing differs" 0 ": 0 of [1-9][0-9]* signals differ" "$neffsim" case "$case" --record-golden
expect "and gives the same wave" 0 "equal" "$neffsim" wave diff "$work/first.fst" "$case/golden/wave.fst"
expect "random timing is not compared with it" 0 "1 passed, 0 failed" "$neffsim" case "$case" --timing random --seed 3

# A device that does something else in one bit of one beat: the golden wave of another input.
cp "$case/input/input.npy" "$work/input.npy"
cp "$case/golden/output.npy" "$work/output.npy"
python3 - "$case/input/input.npy" "$case/golden/output.npy" <<'P'
import sys
for name in sys.argv[1:]:
    b = bytearray(open(name, "rb").read())
    b[-128] ^= 1
    open(name, "wb").write(b)
P
expect "another input fails on the golden wave, with signal and time" 1 \
    "[1-9][0-9]* signals differ from the golden wave, first sim_top\.[^ ]+ at [0-9.]+ [np]s: golden [^ ]+, now " "$neffsim" case "$case"
echo 'only *clk_i' >"$case/wave.rules"
expect "the rules of the case are used" 0 "1 passed, 0 failed" "$neffsim" case "$case"
echo 'only' >"$case/wave.rules"
expect "wrong rules are named by their place" 1 "wave.rules 1:5" "$neffsim" case "$case"
rm "$case/wave.rules"
expect "recording shows the difference first" 0 "^  sim_top\.[^ ]+ at [0-9.]+ [np]s: golden [^ ]+, now " \
    "$neffsim" case "$case" --record-golden
expect "wave diff names time, signal and both values, and exits 1" 1 \
    "different: first at [0-9.]+ [np]s, sim_top\.[^ ]+ is .* in A and .* in B" "$neffsim" wave diff "$work/first.fst" "$case/golden/wave.fst"
expect "with the new golden wave the new input passes" 0 "1 passed, 0 failed" "$neffsim" case "$case"

# The golden output, changed on purpose.
cp "$work/output.npy" "$case/golden/output.npy"
expect "a golden output with one other bit fails and names the byte" 1 "output differs from its golden.*byte 0" "$neffsim" case "$case"
cp "$work/input.npy" "$case/input/input.npy"
cp "$work/first.fst" "$case/golden/wave.fst"
expect "with everything put back it passes" 0 "1 passed, 0 failed" "$neffsim" case "$case"

# The golden wave, damaged: unreadable is no difference and no pass.
head -c 5000 "$work/first.fst" >"$case/golden/wave.fst"
expect "a cut golden wave is not accepted" 2 "wave.fst" "$neffsim" wave diff "$case/golden/wave.fst" "$work/first.fst"
expect "nor by the case" 1 "golden/wave.fst" "$neffsim" case "$case"

expect "expectations of the case are judged" 1 "does not say .no report says this" sh -c "
    sed 's/\"exit\": 0,/\"exit\": 0, \"text\": \"no report says this\",/' vectors/allreduce/case.json >'$case/case.json'
    '$neffsim' case '$case'"
finish
