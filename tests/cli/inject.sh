#!/bin/sh
# Every fault injection must be found, with the right exit code and the right place (issue: a checker must be able to fail).
. tests/cli/lib.inc

"$neffsim" pack vectors/allreduce/src -o "$work/e1.neff" --stored >/dev/null || exit 1
e1() {
    "$neffsim" run "$work/e1.neff" --input input=vectors/allreduce/input/input.npy --fail-wave none "$@"
}

expect "a run without injection passes" 0 "PASS" e1
expect "kinds are listed one a line" 0 "^flip-data$" e1 --inject list

# q_gradient_in copies `input` to `gradient_in`: its first data beat.
expect "flip-data names the queue, the descriptor and the byte" 1 "e0 q0" e1 --inject flip-data@1
expect "flip-data of the last copy lands in the output" 1 "e1 q0" e1 --inject flip-data@5
expect "corrupt-descriptor names ring and index" 1 "q_gradient_in|e0 q0" e1 --inject corrupt-descriptor@1
expect "drop-semaphore of the first start gate hangs, and PE stands at its gate" 3 "PE .*gate" e1 --inject drop-semaphore@1
expect "drop-semaphore that a later update or read contradicts is a difference" 1 "right is" e1 --inject drop-semaphore@14
expect "duplicate-doorbell is a fetch behind the tail" 1 "e0 q0" e1 --inject duplicate-doorbell@1
expect "lose-notification is seen at the next record" 1 "NOTIFIC" e1 --inject lose-notification@1
expect "lose-notification of the last record hangs: the host never sees it" 3 "NOTIFIC q1" e1 --inject lose-notification@15
expect "delay-response lets the semaphore overtake the data" 1 "e0 q0" e1 --inject delay-response@1
expect "swap-writes commits in the wrong order" 1 "order" e1 --inject swap-writes@1
expect "an unknown kind is refused with the list" 2 "flip-data" e1 --inject nonsense
expect "a bad count is refused" 2 "@" e1 --inject flip-data@zero
expect "the reference has no bench to break" 2 "RTL" e1 --device ref --inject flip-data
finish
