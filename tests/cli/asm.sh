#!/bin/sh
# neffsim asm: text to bytes, errors with their place, options, and that nothing is left behind.
. tests/cli/lib.inc

# hex FILE: its bytes as one word.
hex() {
    od -An -v -tx1 "$1" | tr -d ' \n'
}

printf 'PSEUDO_DMA_TRIGGER q_gradient_in block_id=0;\nPSEUDO_DMA_TRIGGER $S[22]>0 q_gradient_out block_id=0;\nEVENT_SEMAPHORE $S[11]>0;\n' >"$work/pool.asm"
expect "assembles" 0 - "$neffsim" asm "$work/pool.asm" -o "$work/pool.bin"
check "fixture bytes" test "$(md5sum <"$work/pool.bin" | cut -d' ' -f1)" = 25daba764d4de4444cbf460a1e52df2f
expect "json" 0 '"slots": 3' "$neffsim" asm "$work/pool.asm" -o "$work/pool.bin" --json
check "stdin to stdout" sh -c '"$1" asm - -o - <"$2/pool.asm" >"$2/pool2.bin" && cmp "$2/pool.bin" "$2/pool2.bin"' sh "$neffsim" "$work"
: >"$work/empty.asm"
expect "empty text" 0 - "$neffsim" asm "$work/empty.asm" -o "$work/empty.bin"
check "empty program" sh -c 'test -f "$1" && ! test -s "$1"' sh "$work/empty.bin"

echo 'CLR_EVENT event=5;' >"$work/sp.asm"
expect "sp8" 0 - "$neffsim" asm "$work/sp.asm" -o "$work/sp.bin" --isa sp8
check "sp8 bytes" test "$(hex "$work/sp.bin")" = 5105000000000000
echo 'NOP $E[5]==1;' >"$work/t.asm"
expect "tonga" 0 - "$neffsim" asm "$work/t.asm" -o "$work/t.bin" --isa tonga
check "tonga bytes" test "$(hex "$work/t.bin" | cut -c1-16)" = 6810000001050000

# Errors: file line:column, token, what is right; exit 2, and nothing is written.
printf 'NOP;\n  EVENT_SEMAFORE $S[1]>0;\n' >"$work/bad.asm"
expect "misspelt" 2 'bad.asm 2:3: .EVENT_SEMAFORE. is no instruction of neuron; did you mean EVENT_SEMAPHORE\?' "$neffsim" asm "$work/bad.asm" -o "$work/bad.bin"
check "nothing is left" test ! -e "$work/bad.bin"
cp "$work/pool.bin" "$work/kept.bin"
expect "old output stays" 2 - "$neffsim" asm "$work/bad.asm" -o "$work/kept.bin"
check "as it was" cmp "$work/pool.bin" "$work/kept.bin"
expect "error as json" 2 '"where": ".*bad.asm 2:3"' "$neffsim" asm "$work/bad.asm" -o "$work/bad.bin" --json
printf 'NOP $S[300]>0;' >"$work/bad.asm"
expect "index" 2 "1:8: '300' is no index, 0 to 255" "$neffsim" asm "$work/bad.asm" -o "$work/bad.bin"
printf 'NOP;\n\033[31m;' >"$work/bad.asm"
expect "escape in the text" 2 "2:1: found '.x1b'" "$neffsim" asm "$work/bad.asm" -o "$work/bad.bin"

# Generations: exit 1.
printf 'NOP;\nACTIVATE2;\n' >"$work/gen.asm"
expect "v3 lacks it" 1 'gen.asm 2:1: V3 \(CAYMAN\) has no ACTIVATE2' "$neffsim" asm "$work/gen.asm" -o "$work/gen.bin" --gen v3
check "nothing is left by a rule" test ! -e "$work/gen.bin"
printf 'NOP;' >"$work/ok.asm"
for gen in v2 v3 v4 v5; do
    expect "$gen" 0 - "$neffsim" asm "$work/ok.asm" -o "$work/ok.bin" --gen $gen
done

# Usage.
expect "help" 0 'example: neffsim asm' "$neffsim" asm --help
expect "no output" 2 'takes one text and -o FILE' "$neffsim" asm "$work/ok.asm"
expect "no text" 2 'takes one text' "$neffsim" asm -o "$work/x.bin"
expect "two texts" 2 'takes one text' "$neffsim" asm "$work/ok.asm" "$work/ok.asm" -o "$work/x.bin"
expect "unknown option" 2 "'--foo' is no option" "$neffsim" asm --foo "$work/ok.asm" -o "$work/x.bin"
expect "unknown isa" 2 "'arm' is not one of: neuron tonga sp8" "$neffsim" asm "$work/ok.asm" -o "$work/x.bin" --isa arm
expect "unknown generation" 2 "'v1' is not one of: v2 v3 v4 v5" "$neffsim" asm "$work/ok.asm" -o "$work/x.bin" --gen v1
expect "json and stdout" 2 'stdout is taken' "$neffsim" asm "$work/ok.asm" -o - --json
expect "no such file" 2 'cannot open' "$neffsim" asm "$work/none.asm" -o "$work/x.bin"
expect "no such folder" 2 'none/x.bin' "$neffsim" asm "$work/ok.asm" -o "$work/none/x.bin"
finish
