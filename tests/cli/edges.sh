#!/bin/sh
# neffsim at its edges: signals, closed and full outputs, two runs in one folder, --json after errors, option values.
. tests/cli/lib.inc

in=vectors/allreduce/input/input.npy
neff=$work/e1.neff
long=$work/long.neff
case $neffsim in /*) program=$neffsim ;; *) program=$PWD/$neffsim ;; esac
"$neffsim" pack vectors/allreduce/src -o "$neff"
"$neffsim" pack vectors/pingpong/src -o "$long"

# ---- signals: exit code 128 + n, and what was asked for is complete up to there
for number in 2 15 1 13; do
    expect "signal $number ends a run with $((128 + number))" 0 - timeout 120 python3 - "$number" "$neffsim" "$long" "$work" <<'P'
import json, os, signal, subprocess, sys, time
number, neffsim, neff, work = int(sys.argv[1]), *sys.argv[2:]
wave, events = work + "/s.fst", work + "/s.jsonl"
for f in (wave, events):
    if os.path.exists(f):
        os.remove(f)
# a shell may have set signals to be ignored, which a program inherits
p = subprocess.Popen([neffsim, "run", neff, "--inferences", "1000000", "--wave", wave, "--events", events],
                     stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                     preexec_fn=lambda: [signal.signal(n, signal.SIG_DFL) for n in (1, 2, 13, 15)])
while p.poll() is None and not (os.path.exists(events) and os.path.getsize(events) > 200000):
    time.sleep(0.01)
p.send_signal(number)
said = p.stderr.read().decode()
assert p.wait() == 128 + number, p.returncode
assert "signal %d" % number in said, said
assert subprocess.run([neffsim, "wave", "info", wave], stdout=subprocess.DEVNULL).returncode == 0
assert all(json.loads(line) for line in open(events))
P
done
check "a signal ends cases, and their temporary waves are gone" timeout 120 python3 - "$neffsim" "$work" <<'P'
import os, signal, subprocess, sys, time
neffsim, work = sys.argv[1:]
tmp = work + "/tmp"
os.mkdir(tmp)
p = subprocess.Popen([neffsim, "case", "vectors/pingpong", "--seeds", "1000", "--jobs", "2"], stdout=subprocess.DEVNULL,
                     stderr=subprocess.DEVNULL, env=dict(os.environ, TMPDIR=tmp),
                     preexec_fn=lambda: signal.signal(signal.SIGTERM, signal.SIG_DFL))
while p.poll() is None and not os.listdir(tmp):
    time.sleep(0.01)
p.send_signal(signal.SIGTERM)
assert p.wait() == 143, p.returncode
assert not os.listdir(tmp), os.listdir(tmp)
P

# ---- outputs that cannot be written. /dev/full is reached through a link, so that nothing can happen to the device.
ln -s /dev/full "$work/full"
run="$neffsim run $neff --input input=$in"
expect "stdout is full" 2 "stdout" sh -c "$run --device ref >'$work/full'"
expect "stdout is closed" 2 "stdout" sh -c "$run --device ref >&-"
expect "stdin and stderr are closed" 0 - sh -c "$run --device ref <&- 2>&-"
expect "stdout is closed and does not mix with the event file" 2 - sh -c "$run --device ref --events '$work/e' >&-"
check "the event file holds events only" sh -c "! grep -qv '^{' '$work/e'"
expect "info into a full disk" 2 "stdout" sh -c "'$neffsim' info '$neff' >'$work/full'"
expect "a reader that leaves early" 0 - sh -c "$run --device ref --events /dev/stdout | head -n 1 >/dev/null"
for option in --report --events --wave; do
    expect "$option into a full disk" 2 "full: " $run $option "$work/full"
    expect "$option into a folder's place" 2 - $run $option "$work"
    expect "$option into no folder" 2 - $run $option "$work/no/file"
done
expect "a recording into a full disk" 2 "cannot be written" $run --device "record:$work/full"
expect "pack into a full disk" 2 - "$neffsim" pack vectors/allreduce/src -o "$work/full"
check "the device behind the link is what it was" sh -c "[ -c /dev/full ] && [ -L '$work/full' ]"
expect "an output folder that is missing" 2 "no folder" $run --output "$work/missing"
expect "a golden folder that is missing" 2 "no folder" $run --golden "$work/missing"
expect "a window behind the end of the run" 2 "ends before clock" $run --wave "$work/late.fst" --wave-window 1000000:
check "it leaves no wave" [ ! -e "$work/late.fst" ]
expect "events of a device without a wave" 2 "no waves" $run --device ref --events "$work/none.jsonl" --wave "$work/none.fst"
check "it leaves no files" [ ! -e "$work/none.jsonl" -a ! -e "$work/none.fst" ]
mkfifo "$work/pipe"
expect "a fail wave in a pipe's place" 1 "FAIL" $run --inject flip-data --fail-wave "$work/pipe"
check "the pipe is what it was" [ -p "$work/pipe" ]

# ---- two runs at once in one folder
mkdir "$work/two"
check "two failing runs in one folder" sh -c "cd '$work/two' &&
    for i in 1 2 3; do '$program' run '$neff' --inject flip-data >out\$i & done; wait
    '$program' wave info e1-fail.fst && [ \"\$(ls -A | tr '\n' ' ')\" = 'e1-fail.fst e1-fail.gtkw out1 out2 out3 ' ]"

# ---- --json: one document whatever happens
json() {
    name=$1
    code=$2
    shift 2
    expect "--json: $name" "$code" - sh -c 'out=$1; shift; "$@" >"$out"; code=$?
        python3 -m json.tool <"$out" >/dev/null || exit 99; exit $code' sh "$work/j" "$@"
}
json "run" 0 $run --json
json "run without a file" 2 "$neffsim" run --json
json "run of no NEFF" 2 "$neffsim" run README.md --json
json "run with a bad value" 2 $run --json --max-cycles many
json "run with a bad option" 2 $run --json --frobnicate
json "run that fails" 1 $run --json --inject flip-data --fail-wave none
json "run that hangs" 3 $run --json --max-cycles 1000 --fail-wave none
json "run that cannot write its page" 2 $run --json --report "$work/full"
json "info" 0 "$neffsim" info --json "$neff"
json "info of no NEFF" 2 "$neffsim" info --json README.md
json "pack" 0 "$neffsim" pack vectors/allreduce/src -o "$work/p.neff" --json
json "pack of nothing" 2 "$neffsim" pack "$work/missing" -o "$work/p2.neff" --json
json "wave diff of no wave" 2 "$neffsim" wave diff README.md README.md --json
json "wave without words" 2 "$neffsim" wave --json
json "cases, one unreadable" 2 "$neffsim" case vectors/fault/bad-opcode "$work/missing" --device ref --json
check "the array tells which" python3 -c "
import json; a = json.load(open('$work/j')); assert [c['ok'] for c in a] == [True, False] and a[1]['text'], a"

# ---- option values
expect "the largest number of hang cycles" 0 "^PASS" $run --device ref --hang-cycles 18446744073709551615
expect "the largest cycle limit" 0 "^PASS" $run --device ref --max-cycles 18446744073709551615
expect "a number above 64 bits" 2 "not a number" $run --max-cycles 18446744073709551616
expect "an input given twice" 2 "twice" $run --device ref --input input=$in
expect "a ring size that is no power of two" 2 "powers of two" $run --notify-ring 48
expect "more engines than the core has" 2 "has 2" $run --engines 3
for n in 1 2 7 16; do
    expect "$n engines on the reference model" 0 "equal to golden" \
        $run --device ref --engines $n --golden vectors/allreduce/golden
done
expect "an unknown option is named" 2 "run: '--frobnicate'.*--help" $run --frobnicate
expect "an option without its value is named" 2 "run: '--seed'" $run --seed
expect "an injection that never happens" 2 "never happened" $run --inject flip-data@1000
expect "an endless file as recording" 2 "not a recording" timeout 20 $run --device replay:/dev/zero --no-check
"$neffsim" run "$neff" --input input=$in --device "record:$work/rec,ref" >/dev/null
expect "a recording of a longer run" 1 "goes on" sh -c "sed 's/^end\$/r 0 0/' '$work/rec' >'$work/rec2'; echo end >>'$work/rec2'
    $run --device 'replay:$work/rec2' --no-check"
for vector in allreduce copy pingpong ringwrap; do
    inputs=$(ls vectors/$vector/input 2>/dev/null | sed "s,\(.*\)\.[a-z]*\$,--input \1=vectors/$vector/input/&,")
    "$neffsim" pack vectors/$vector/src -o "$work/$vector.neff"
    for rings in "" --keep-rings; do
        expect "$vector: three inferences $rings" 0 "equal to golden" "$neffsim" run "$work/$vector.neff" $inputs \
            --inferences 3 $rings --golden vectors/$vector/golden
    done
done

# ---- a variable that is larger than the memory of this machine is no memory
mkdir "$work/big"
cp -r vectors/allreduce/src/. "$work/big"
python3 - "$work/big/sg00/def.json" <<'P'
import json, sys
j = json.load(open(sys.argv[1]))
j["var"]["big"] = {"type": "tmp-buf", "size": 1 << 32, "var_id": 5}
json.dump(j, open(sys.argv[1], "w"))
P
"$neffsim" pack "$work/big" -o "$work/big.neff"
expect "4 GiB of zeros need no memory" 0 "^PASS" sh -c "ulimit -v 1000000; '$neffsim' run '$work/big.neff' --device ref --input input=$in"
finish
