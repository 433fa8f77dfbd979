#!/bin/sh
# neffsim run, pack, info, case: usage, verdicts, exit codes, files left behind.
. tests/cli/lib.inc

src=vectors/allreduce/src
in=vectors/allreduce/input/input.npy
neff=$work/e1.neff

expect "no verb" 2 "usage" "$neffsim"
expect "unknown verb" 2 "no verb" "$neffsim" frobnicate
for verb in info pack run case wave; do
    expect "$verb --help shows an example and the exit codes" 0 "exit codes" "$neffsim" $verb --help
done

expect "pack writes a NEFF" 0 - "$neffsim" pack $src -o "$neff" --stored
check "E1-stored has the digest of the specification" sh -c \
    "[ \$(md5sum <'$neff' | cut -c1-32) = b29d33f1f610bd5b12ff72ccf6df9534 ]"
expect "info names the engines" 0 "pool" "$neffsim" info "$neff"
expect "info --json is JSON" 0 - sh -c "'$neffsim' info --json '$neff' | python3 -m json.tool >/dev/null"

expect "run passes and says so" 0 "^PASS .* cycles, .* s, .* kHz" "$neffsim" run "$neff" --input input=$in
expect "run on the reference model" 0 "^PASS" "$neffsim" run "$neff" --input input=$in --device ref
expect "run --json is JSON and passes" 0 '"verdict": *"pass"' "$neffsim" run "$neff" --input input=$in --json
expect "run --no-check" 0 "not checked" "$neffsim" run "$neff" --input input=$in --no-check
expect "golden folder agrees" 0 "equal to golden" "$neffsim" run "$neff" --input input=$in --golden vectors/allreduce/golden

mkdir "$work/wrong"
python3 - vectors/allreduce/golden/output.npy "$work/wrong/output.npy" <<'P'
import sys
b = bytearray(open(sys.argv[1], "rb").read())
b[-5] ^= 1
open(sys.argv[2], "wb").write(b)
P
expect "a wrong golden fails and names the byte" 1 "output differs from its golden.*byte 123" \
    "$neffsim" run "$neff" --input input=$in --golden "$work/wrong" --fail-wave none
expect "outputs are written" 0 - "$neffsim" run "$neff" --input input=$in --output "$work"
check "the written output is the golden one" cmp "$work/output.npy" vectors/allreduce/golden/output.npy

expect "wave is written and its command printed" 0 "gtkwave $work/w.fst" \
    "$neffsim" run "$neff" --input input=$in --wave "$work/w.fst"
expect "a wave equals itself" 0 - "$neffsim" wave diff "$work/w.fst" "$work/w.fst"
expect "events are JSON lines" 0 - "$neffsim" run "$neff" --input input=$in --events "$work/ev.jsonl"
check "each event line is JSON" python3 -c "
import json, sys
n = sum(1 for line in open('$work/ev.jsonl') if json.loads(line))
sys.exit(n < 100)"
expect "report page is written" 0 - "$neffsim" run "$neff" --input input=$in --report "$work/r.html"
check "the page holds the verdict" grep -q 'class="pass"' "$work/r.html"

expect "same seed, same cycles" 0 - sh -c "
    a=\$('$neffsim' run '$neff' --input input=$in --timing random --seed 7 | sed -n 's/.*: \\([0-9]* cycles\\).*/\\1/p')
    b=\$('$neffsim' run '$neff' --input input=$in --timing random --seed 7 | sed -n 's/.*: \\([0-9]* cycles\\).*/\\1/p')
    [ -n \"\$a\" ] && [ \"\$a\" = \"\$b\" ]"

expect "recording" 0 "^PASS" "$neffsim" run "$neff" --input input=$in --device "record:$work/rec"
expect "replay answers like the device" 0 "^PASS" "$neffsim" run "$neff" --input input=$in --device "replay:$work/rec" --no-check
expect "replay with the checker is refused: a recording has no events" 2 "no events" \
    "$neffsim" run "$neff" --input input=$in --device "replay:$work/rec"
head -c 3000 "$work/rec" >"$work/cut"
expect "a cut recording is refused" 2 "cut off|not a line" "$neffsim" run "$neff" --input input=$in --device "replay:$work/cut" --no-check
expect "another input than recorded is a difference" 1 "recording|recorded" "$neffsim" run "$neff" --device "replay:$work/rec" --no-check

# The wave around a failure shows the signals of the block in which it happened.
fail_wave() { # FAULT SIGNAL
    "$neffsim" run "$neff" --input input=$in --inject "$1" --fail-wave "$work/f.fst" >"$work/report"
    check "$1: the report ends with the gtkwave command" grep -q "wave: gtkwave $work/f.fst $work/f.gtkw$" "$work/report"
    check "$1: the save file shows $2" grep -qF "$2" "$work/f.gtkw"
    check "$1: the wave is not empty" sh -c "'$neffsim' wave info '$work/f.fst' | grep -qE ' [1-9][0-9]* value records'"
}
fail_wave flip-data@1 "g_dma[0].u_udma."
fail_wave flip-data@5 "g_dma[1].u_udma."
fail_wave lose-notification@1 "u_notific."
fail_wave drop-semaphore@2 "g_seq[0].u_seq."
fail_wave drop-semaphore@1 "g_seq["

expect "no file" 2 - "$neffsim" run "$work/nothing.neff"
expect "not a NEFF" 2 - "$neffsim" run README.md
head -c 5000 "$neff" >"$work/short.neff"
expect "truncated NEFF" 2 - "$neffsim" run "$work/short.neff"
expect "unknown device" 2 "rtl, ref" "$neffsim" run "$neff" --device fpga
expect "unknown input" 2 "no input variable" "$neffsim" run "$neff" --input nope=$in
expect "input of the wrong size" 2 "bytes of data" "$neffsim" run "$neff" --input input=README.md
expect "wave into a folder that is not there" 2 - "$neffsim" run "$neff" --wave "$work/no/such/w.fst"
check "nothing is left behind" sh -c "[ ! -e '$work/no' ]"
expect "bad number" 2 "not a number" "$neffsim" run "$neff" --max-cycles many
expect "cycle limit is a hang" 3 "cycle limit" "$neffsim" run "$neff" --input input=$in --max-cycles 1500 --fail-wave none
expect "case without a folder" 2 - "$neffsim" case
expect "case that is none" 2 - "$neffsim" case "$work"
expect "junit file" 0 - "$neffsim" case vectors/allreduce --junit "$work/j.xml"
check "junit is XML" python3 -c "import xml.dom.minidom as m; m.parse('$work/j.xml')"
finish
