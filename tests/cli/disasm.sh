#!/bin/sh
# neffsim disasm: a NEFF and bare programs as text and JSON, and back to the same bytes.
. tests/cli/lib.inc

neff=$work/e1.neff
"$neffsim" pack vectors/allreduce/src -o "$neff" || exit 1

expect "whole neff" 0 '# sg00/pool.bin: 3 slots, neuron' "$neffsim" disasm "$neff"
expect "its statements" 0 '^EVENT_SEMAPHORE .S\[11\]>0;$' "$neffsim" disasm "$neff"
expect "empty engines are named" 0 '# sg00/sp.bin: 0 slots, neuron' "$neffsim" disasm "$neff"
printf 'PSEUDO_DMA_TRIGGER q_gradient_in block_id=0;\nPSEUDO_DMA_TRIGGER $S[22]>0 q_gradient_out block_id=0;\nEVENT_SEMAPHORE $S[11]>0;\n' >"$work/want.asm"
expect "one engine" 0 - "$neffsim" disasm "$neff" --engine pool -o "$work/pool.asm"
check "is the fixture's listing" cmp "$work/want.asm" "$work/pool.asm"
expect "comments" 0 'block_id=0; # 0x40 slot 2' "$neffsim" disasm "$neff" --engine pool --comments

# Each engine of each vector case assembles back to its member.
for src in vectors/*/src vectors/*/*/src; do
    check "pack $src" "$neffsim" pack "$src" -o "$work/case.neff" --force
    "$neffsim" disasm "$work/case.neff" --json >"$work/case.json"
    for engine in pe act pool dve sp; do
        check "$src $engine" sh -c '
            "$1" disasm "$2/case.neff" --engine "$3" --comments -o "$2/e.asm" && "$1" asm "$2/e.asm" -o "$2/e.bin" &&
            python3 - "$2/case.json" "$3" "$2/e.bin" <<EOF
import json, sys
slots = [s for s in json.load(open(sys.argv[1])) if s["engine"] == sys.argv[2]]
assert [s["index"] for s in slots] == list(range(len(slots)))
assert open(sys.argv[3], "rb").read() == bytes.fromhex("".join(s["hex"] for s in slots))
EOF' sh "$neffsim" "$work" $engine
    done
done

# JSON.
expect "json" 0 '"text": "EVENT_SEMAPHORE .S\[11\]>0;"' "$neffsim" disasm "$neff" --json
"$neffsim" disasm "$neff" --engine pe --json >"$work/pe.json"
check "json is an array of slots" python3 -c '
import json, sys
(slot,) = json.load(open(sys.argv[1]))
assert (slot["graph"], slot["engine"], slot["member"], slot["index"], slot["offset"]) == ("sg00", "pe", "sg00/pe.bin", 0, 0)
assert len(slot["hex"]) == 128 and slot["text"].startswith("PSEUDO_TRIGGER_COLLECTIVE ")' "$work/pe.json"
"$neffsim" disasm "$neff" --engine act --json >"$work/act.json"
check "json of nothing" python3 -c 'import json, sys; assert json.load(open(sys.argv[1])) == []' "$work/act.json"

# Bare programs.
printf '\121\5\0\0\0\0\0\0' >"$work/sp.bin"
expect "sp.bin decides by its bytes" 0 '^CLR_EVENT event=5;$' "$neffsim" disasm "$work/sp.bin"
cp "$work/sp.bin" "$work/other.bin"
expect "other names are neuron" 1 'size 8 is no multiple of 64, the slot of neuron' "$neffsim" disasm "$work/other.bin"
expect "--engine sp" 0 CLR_EVENT "$neffsim" disasm "$work/other.bin" --engine sp
expect "--isa sp8" 0 CLR_EVENT "$neffsim" disasm "$work/other.bin" --isa sp8
expect "--isa neuron" 1 'no multiple of 64' "$neffsim" disasm "$work/sp.bin" --isa neuron
printf 'abcde' >"$work/sp.bin"
expect "no SP program" 1 'sp.bin: size 5 is no multiple of 8' "$neffsim" disasm "$work/sp.bin"
: >"$work/empty.bin"
expect "empty" 0 - "$neffsim" disasm "$work/empty.bin"
check "stdin" sh -c 'printf "\121\5\0\0\0\0\0\0" | "$1" disasm - --isa sp8 | grep -qx "CLR_EVENT event=5;"' sh "$neffsim"
"$neffsim" asm - -o "$work/v4.bin" <<EOF
NOP;
.slot 25100000 $(printf '0%.0s' $(seq 120));
EOF
expect "lacks it" 1 'v4.bin: slot 2 byte 0x40: V3 \(CAYMAN\) has no ACTIVATE2, opcode 0x25' "$neffsim" disasm "$work/v4.bin" --gen v3
expect "has it" 0 'slot /. ACTIVATE2' "$neffsim" disasm "$work/v4.bin" --gen v4

# Usage and unreadable input.
expect "help" 0 'example: neffsim disasm' "$neffsim" disasm --help
expect "no file" 2 'takes one file' "$neffsim" disasm
expect "missing file" 2 'cannot open' "$neffsim" disasm "$work/none.bin"
expect "no such graph" 2 "no graph 'sg99'; the first one is 'sg00'" "$neffsim" disasm "$neff" --graph sg99
expect "graph of a bare file" 2 'this is no NEFF' "$neffsim" disasm "$work/empty.bin" --graph sg00
expect "unknown engine" 2 "'gpu' is not one of: pe act pool dve sp" "$neffsim" disasm "$neff" --engine gpu
expect "json and -o" 2 'no -o' "$neffsim" disasm "$neff" --json -o "$work/x"
expect "a folder" 2 'Is a directory' "$neffsim" disasm "$work"
head -c 3000 "$neff" >"$work/cut.neff"
expect "a cut NEFF" 2 'data size' "$neffsim" disasm "$work/cut.neff"
cp "$neff" "$work/model.bin"
expect "a NEFF of another name" 0 '# sg00/pool.bin: 3 slots' "$neffsim" disasm "$work/model.bin"
finish
