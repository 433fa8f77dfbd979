#!/bin/sh
# A checker must be able to fail: every kind of fault injection must be found, with the right exit code, and the report
# must name the queue or engine, the descriptor or slot, and the member of the NEFF it comes from.
. tests/cli/lib.inc

"$neffsim" pack vectors/allreduce/src -o "$work/e1.neff" --stored >/dev/null || exit 1
"$neffsim" pack vectors/copy/src -o "$work/copy.neff" --stored >/dev/null || exit 1
"$neffsim" pack vectors/pingpong/src -o "$work/pingpong.neff" --stored >/dev/null || exit 1
e1() {
    "$neffsim" run "$work/e1.neff" --input input=vectors/allreduce/input/input.npy --fail-wave none "$@"
}
copy() {
    "$neffsim" run "$work/copy.neff" --input x=vectors/copy/input/x.npy --inferences 2 --keep-rings --fail-wave none "$@"
}
pingpong() {
    "$neffsim" run "$work/pingpong.neff" --input seed=vectors/pingpong/input/seed.npy --fail-wave none "$@"
}

# found NEFF KIND@N CODE PATTERN...: the run ends with that code and its report matches every pattern.
found() {
    neff=$1
    fault=$2
    code=$3
    shift 3
    $neff --inject "$fault" >"$work/out" 2>&1 </dev/null
    got=$?
    why=
    [ $got -eq "$code" ] || why="exit code $got, expected $code"
    for pattern; do
        grep -qE -- "$pattern" "$work/out" || why="$why; does not say '$pattern'"
    done
    if [ -z "$why" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $neff $fault: $why"
        head -n 20 "$work/out" | sed 's/^/    /'
    fi
}

expect "a run without injection passes" 0 "PASS" e1
for kind in flip-data drop-semaphore duplicate-doorbell corrupt-descriptor lose-notification delay-response swap-writes; do
    expect "$kind is listed on a line of its own" 0 "^$kind\$" e1 --inject list
    expect "$kind that never happens is no pass" 2 "'$kind@100000' never happened" e1 --inject $kind@100000
done
check "and there are seven" sh -c "[ \$('$neffsim' run --inject list | wc -l) -eq 7 ]"

# The three copies of E1, in the order in which they run: e0 q0, the agent's e0 q15, e1 q0.
in='q_gradient_in S2M\[0\] \(e0 q0\): sg00/pool.json dma\[0\].desc\[0\]'
agent='agent S2M\[0\] \(e0 q15\): sg00/pe.bin slot 1, tensors 3, 4'
out='q_gradient_out S2M\[0\] \(e1 q0\): sg00/pool.json dma\[1\].desc\[0\]'

found e1 flip-data@1 1 "cycle [0-9]+, e0 q0 S2M" "at +$in; address gradient_in\+0x0" "written at 0x1002000; right is" "MEM_WR .* <--"
found e1 flip-data@2 1 "e0 q0 S2M" "$in; address gradient_in\+0x40" "byte 64 of"
found e1 flip-data@3 1 "e0 q15 S2M" "$agent; address gradient_out\+0x0"
found e1 flip-data@6 1 "e1 q0 S2M" "$out; address output\+0x40"
found copy flip-data@1 1 "e0 q0 S2M" "q_act_data S2M\[0\] \(e0 q0\): sg00/act.json dma\[0\].desc\[0\]; address z\+0x"
found copy flip-data@40 1 "e[01] q[0-9]+ S2M" "sg00/(act|pool).json dma\[[0-9]+\].desc\[0\]; address"
found copy flip-data@20000 1 "e[01] q[0-9]+ S2M" "sg00/(act|pool).json dma\[[0-9]+\].desc\[0\]; address"

found e1 corrupt-descriptor@1 1 "e0 q0 S2M" "at +$in" "word 2 is 0x01002040; memory at 0x801008 holds 0x01002000" "DMA_DESC .* <--"
found e1 corrupt-descriptor@2 1 "e0 q0 M2S" "q_gradient_in M2S\[0\] .* sg00/pool.json dma\[0\].desc\[0\]"
found e1 corrupt-descriptor@3 1 "e0 q15 S2M" "at +$agent"
found e1 corrupt-descriptor@6 1 "e1 q0 M2S" "q_gradient_out M2S\[0\] .* sg00/pool.json dma\[1\].desc\[0\]"
found copy corrupt-descriptor@7 1 "e[01] q[0-9]+ " "q_[a-z_]+ (S2M|M2S)\[[0-9]+\] \(e[01] q[0-9]+\): (sg00/(act|pool)|def).json" "descriptor [0-9]+ word"
found copy corrupt-descriptor@40 1 "e[01] q[0-9]+ " "q_[a-z_]+ (S2M|M2S)\[[0-9]+\] \(e[01] q[0-9]+\): (sg00/(act|pool)|def).json" "descriptor [0-9]+ word"

found e1 duplicate-doorbell@1 1 "e0 q0 S2M" "q_gradient_in S2M\[2\] \(e0 q0\): unused entry" "no doorbell has released it"
found e1 duplicate-doorbell@2 1 "e0 q0 M2S" "q_gradient_in M2S\[2\]"
found e1 duplicate-doorbell@3 1 "e0 q15 S2M" "agent S2M\[2\] \(e0 q15\)"
found e1 duplicate-doorbell@6 1 "e1 q0 M2S" "q_gradient_out M2S\[2\] \(e1 q0\)"
found copy duplicate-doorbell@1 1 "e0 q0 S2M" "q_act_data S2M\[2\] \(e0 q0\): sg00/act.json dma\[1\].desc\[0\]"
found copy duplicate-doorbell@7 1 "e[01] q[0-9]+ " "q_[a-z_]+ (S2M|M2S)\[[0-9]+\] \(e[01] q[0-9]+\): (sg00/(act|pool)|def).json" "after a doorbell of [0-9]+; right is"

found e1 delay-response@1 1 "e0 q0 S2M" "at +$in" "no write of the engine was committed"
found e1 delay-response@2 1 "e0 q15 S2M" "at +$agent"
found e1 delay-response@3 1 "e1 q0 S2M" "at +$out"
found copy delay-response@1 1 "e0 q0 S2M" "sg00/act.json dma\[0\].desc\[0\]"
found copy delay-response@40 1 "e[01] q[0-9]+ S2M" "q_[a-z_]+ S2M\[[0-9]+\] \(e[01] q[0-9]+\): (sg00/(act|pool)|def).json"

found e1 swap-writes@1 1 "e0 q0 S2M" "at +$in; address gradient_in\+0x40" "order in which they were issued"
found e1 swap-writes@3 1 "e0 q15 S2M" "at +$agent; address gradient_out\+0x40" "order in which they were issued"
found e1 swap-writes@5 1 "e1 q0 S2M" "at +$out; address output\+0x40" "order in which they were issued"
found copy swap-writes@7 1 "e0 q0 S2M" "sg00/act.json dma\[0\].desc\[0\]; address z\+0x"

found e1 lose-notification@1 1 "NOTIFIC" "record ring 1\+0x0" "write beat at 0x400000110000" "NQ_WR q1 offset 0x0 "
found e1 lose-notification@2 1 "NOTIFIC" "right is 0xffff0000 \(16 B from 0x400000110010\)"
found e1 lose-notification@8 1 "NOTIFIC" "oldest write on the way goes on at 0x400000110070"
found e1 lose-notification@15 3 "hangs" "NOTIFIC q1 head 0xe0 tail 0xf0" "never came: NOTIFIC: the write of 16 B at 0x4000001100e0"
found copy lose-notification@7 1 "NOTIFIC" "16 B from 0x400000110060"
found pingpong lose-notification@9 1 "NOTIFIC" "record ring 1\+0x80"

# A lost update is a wait that is never served, or a wait that passes although it must not.
found e1 drop-semaphore@1 3 "hangs" "PE +running at 0x040 preamble: gate; does not go on, although it may: .*S\[240\] >= 1" \
    "semaphore 240 of TPB_0 reads 0x0 at the end, the reference has 0x1"
found e1 drop-semaphore@2 1 "cycle [0-9]+, PE" "at +PE 0x040 preamble: gate" "S\[240\] >= 1 \(it is 0\)" "SEQ_PASS .* <--"
found e1 drop-semaphore@5 3 "POOL +running at 0x040 preamble: gate; does not go on" "semaphore 242 of TPB_0"
found e1 drop-semaphore@8 1 "cycle [0-9]+, DVE" "at +DVE 0x040 preamble: gate" "S\[243\] >= 1 \(it is 0\)"
found pingpong drop-semaphore@1 3 "PE +running at 0x040 preamble: gate; does not go on" "sg00/act.bin slot 4: EVENT_SEMAPHORE .* waits for S\[51\] >= 1, it is 0"
found pingpong drop-semaphore@9 3 "hangs" "semaphore [0-9]+ of TPB_0 reads"
found copy drop-semaphore@40 3 "hangs" "semaphore [0-9]+ of TPB_0 reads"

# What a hang report holds (issue, item 13): engines, queues and record queues, all of them.
e1 --inject drop-semaphore@1 >"$work/hang" 2>&1
for engine in PE ACT POOL DVE SP; do
    check "the hang report has $engine with place and slots" grep -qE "^  $engine +running at 0x[0-9a-f]+ .*; [0-9]+ slots retired" "$work/hang"
done
check "what an engine waits for, and the value" grep -qE "POOL .*sg00/pool.bin slot 2: .*; waits for S\[22\] > 0, it is 0" "$work/hang"
for queue in "e0 q0  M2S q_gradient_in" "e0 q0  S2M q_gradient_in" "e1 q0  M2S q_gradient_out" "e1 q0  S2M q_gradient_out" \
    "e0 q15 M2S agent" "e0 q15 S2M agent"; do
    check "the pointers of $queue" grep -qE \
        "^  $queue +tail [0-3]\.[0-9]+ head [0-3]\.[0-9]+ current [0-3]\.[0-9]+ completed [0-3]\.[0-9]+ of 32, phase [0-3], [0-9]+ outstanding" "$work/hang"
done
for q in 0 1 2 3; do
    check "record queue $q" grep -qE "^  NOTIFIC q$q head 0x[0-9a-f]+ tail 0x[0-9a-f]+ of 0x10000, phase [01], [0-9]+ written" "$work/hang"
done
e1 --inject drop-semaphore@1 --no-check >"$work/hang" 2>&1
check "without the checker the registers are shown" grep -qE "e1 q0  S2M q_gradient_out +tail 1.0 head" "$work/hang"

expect "an unknown kind is refused with the list" 2 "flip-data" e1 --inject nonsense
expect "a bad count is refused" 2 "@" e1 --inject flip-data@zero
expect "the reference has no bench to break" 2 "RTL" e1 --device ref --inject flip-data
finish
