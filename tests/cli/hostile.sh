#!/bin/sh
# Hostile NEFF files (tests/corpus/neff): each is refused with its exit code and one sentence, and leaves nothing behind.
. tests/cli/lib.inc

corpus=$work/neff
mkdir "$corpus" "$work/cwd"
"$neffsim" pack vectors/allreduce/src -o "$work/e1.neff" && python3 tests/corpus/neff/make.py "$work/e1.neff" "$corpus"
check "the corpus was made" [ "$(ls "$corpus"/*.neff | wc -l)" -ge 30 ]

case $neffsim in /*) program=$neffsim ;; *) program=$PWD/$neffsim ;; esac
for file in "$corpus"/*.neff; do
    read -r verb code pattern rest <"${file%.neff}.txt"
    what="$(basename "$file" .neff) ($rest)"
    device=
    [ "$verb" = run ] && device="--device ref"
    expect "$what" "$code" "$pattern" sh -c "ulimit -v 4000000; cd '$work/cwd' && exec timeout 20 '$program' $verb '$file' $device"
    check "$what: nothing on stdout, one sentence without control characters on stderr" sh -c "
        [ ! -s '$work/out' ] && [ \$(grep -vc 'neffsim: warning' '$work/err') -eq 1 ] &&
        ! tr -d '\n' <'$work/err' | LC_ALL=C grep -q '[[:cntrl:]]'"
    [ "$verb" = info ] && expect "$what: run refuses it, too" "$code" "$pattern" \
        timeout 20 "$neffsim" run "$file" --device ref
    expect "$what: --json" "$code" - sh -c "
        timeout 20 '$neffsim' $verb '$file' $device --json >'$work/j'; code=\$?
        python3 -m json.tool <'$work/j' >/dev/null || exit 9; exit \$code"
done
check "nothing was left behind" [ -z "$(ls -A "$work/cwd")" ]
finish
