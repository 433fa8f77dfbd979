#!/bin/sh
# neffsim prelink against images that scripts/q7_image lays out at the final addresses, never relocating anything;
# exit codes, the two reports, and that a failure leaves no file.
. tests/cli/lib.inc

elf=$work/lib.elf
out=$work/out.ucpl
want=$work/want.ucpl

digest() { # FILE SHA256
    [ "$(sha256sum <"$1" | cut -c1-64)" = "$2" ]
}
json() { # PYTHON-EXPRESSION over d, the document in $work/doc
    python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); sys.exit(not eval("(" + sys.argv[2] + ")"))' "$work/doc" "$1"
}
poke() { # FROM TO OFFSET HEX
    python3 -c '
import sys
b = bytearray(open(sys.argv[1], "rb").read())
at, raw = int(sys.argv[3], 0), bytes.fromhex(sys.argv[4])
b[at:at + len(raw)] = raw
open(sys.argv[2], "wb").write(b)' "$@"
}

# q7-prelink.md §16
scripts/q7_image worked "$elf" --expect "$want"
check "the generator builds the file of the page" digest "$elf" 5d8d15a71602fb81564e599cc5467d9da08fdd4f3625a232917694fe867dcc64
expect "worked example" 0 "304 bytes, code 0x68 at 0x18000, data 0x90 at 0xbe000, 19 relocations, 3 kernels" \
    "$neffsim" prelink "$elf" -o "$out"
check "its image" cmp "$out" "$want"
check "its hash" digest "$out" bb403ee8186b795815dfa3c1e982972bcdb2c454566efdefb7c320804a1490f3
for arch in cayman mariana mariana_plus; do
    rm -f "$out"
    expect "--arch $arch" 0 - "$neffsim" prelink "$elf" -o "$out" --arch $arch
    check "$arch has the CAYMAN windows" cmp "$out" "$want"
done
expect "--arch sunda" 0 - "$neffsim" prelink "$elf" -o "$out" --arch sunda
check "sunda image" digest "$out" 07f118f9eebc75ba1fb11d81da19b3d184e30967e9853f144ac1c2992c307b9c
expect "SUNDA addresses by hand" 0 - "$neffsim" prelink --code-addr 0x5500 --data-addr 581632 "$elf" -o "$out"
check "the same image" digest "$out" 07f118f9eebc75ba1fb11d81da19b3d184e30967e9853f144ac1c2992c307b9c
expect "--raw-initfini" 0 - "$neffsim" prelink "$elf" -o "$out" --raw-initfini
check "link addresses of init and fini, rebased start" sh -c \
    "[ \"\$(od -An -tx1 -j20 -N12 '$out' | tr -d ' \n')\" = 000000016100000148800100 ]"

expect "--map" 0 "^ *13  relative +0x0200000d +0x0be00d +01000020 -> 00018020 +\.data\+0xd = &row 2 EXTENDED_INST 1" \
    "$neffsim" prelink "$elf" --map
expect "--map: constants" 0 "0x0100004e +0x01804e +0020 -> e020 +start\+0x6 = &kernel_info_table" "$neffsim" prelink "$elf" --map
expect "--map: rows" 0 "^ +1  F0040000  0xf0 +4 +0x01000030  -> 0x018030 +32  EXTENDED_INST 4" "$neffsim" prelink "$elf" --map
expect "--map: core 7" 0 "^ +7  0x2803818000   0x28038be000" "$neffsim" prelink "$elf" --map
"$neffsim" prelink "$elf" --json >"$work/doc"
check "--json: status" json 'd["status"] == 0 and d["label"] == "ok" and d["message"] == "" and d["where"] == "" and d["output"] is None'
check "--json: relocations" json '[r["type"] for r in d["relocations"]] == [35, 20, 0, 0] + [35, 20] * 3 + [5] * 9'
check "--json: one relocation" json 'd["relocations"][14] == {"index": 14, "type": 5, "name": "relative", "site": 0x2000012,
    "staged": 0xbe012, "window": "data", "addend": 0, "before": 0x2000014, "after": 0xbe014, "symbol": ".data+0x12",
    "target": 0x2000014, "target_symbol": ".data+0x14"}'
check "--json: rows" json '[(r["key"], r["func_link"], r["func_staged"], r["entry_frame"]) for r in d["kernel_info_table"]["rows"]]
    == [(0x7e000000, 0x100000c, 0x1800c, 32), (0xf0040000, 0x1000030, 0x18030, 32), (0xf0010000, 0x1000020, 0x18020, 48)]'
check "--json: image and install" json 'd["image"]["sha256"][:8] == "bb403ee8" and d["image"]["size"] == 304
    and d["install"][7] == {"core": 7, "code": 0x2803818000, "data": 0x28038be000} and d["dynamic"]["rela"] == 0x2c8'

# §5 and q7-firmware.md §6
scripts/q7_image reference "$elf" --expect "$want"
check "the reference-shaped file is as long as the shipped one" sh -c "[ \$(wc -c <'$elf') -eq 41568 ]"
check "its first bytes are those of the page" sh -c "[ \"\$(od -An -tx1 -N52 '$elf' | tr -d ' \n')\" = \
7f454c46010101000000000000000000\
02005e000100000010560001340000\
00e89c0000000300003400200004002800\
23002200 ]"
expect "reference shape" 0 "29644 bytes, code 0x6f20 at 0x18000, data 0x48c at 0xbe000, 240 relocations, 17 kernels" \
    "$neffsim" prelink "$elf" -o "$out"
check "its image" cmp "$out" "$want"
check "its UCPL header" sh -c "[ \"\$(od -An -tx1 -N32 '$out' | tr -d ' \n')\" = \
5543504c20000000206f0000406f00008c0400000080010010ef010010d60100 ]"
"$neffsim" prelink "$elf" --json >"$work/doc"
check "8, 30, 101, 101 relocations" json 'list(d["relocation_counts"].values()) == [8, 30, 101, 101]'
check "the staged funcVA of the 17 rows" json '[(r["opcode"], r["spec"], r["func_staged"]) for r in d["kernel_info_table"]["rows"]] == [
    (0x7e, 0, 0x18080), (0x7c, 0, 0x183f8), (0x7d, 0, 0x18410), (0x45, 0, 0x18b90), (0x51, 0, 0x1905c), (0x41, 0, 0x18f1c),
    (0xf0, 0, 0x1b370), (0xf0, 1, 0x1b380), (0xf0, 2, 0x1b484), (0xf0, 4, 0x1b7a8), (0xf0, 3, 0x1ba60), (0x52, 0, 0x1bb40),
    (0x46, 0, 0x1c0c0), (0x47, 0, 0x1c160), (0xbe, 0, 0x1c204), (0xf2, 0, 0x1c84c), (0x7b, 0, 0x1cdc4)]'
check "poison behind the code, zeros in .bss" sh -c "[ \"\$(od -An -tx1 -j\$((0x20 + 0x6f1c)) -N4 '$out' | tr -d ' \n')\" = 0000a5a5 ]"
poke "$elf" "$work/bare.elf" 0x32 0000
"$neffsim" prelink "$work/bare.elf" --json >"$work/doc"
check "the table is found without section names too" json 'd["kernel_info_table"]["source"] == "constants"
    and d["kernel_info_table"]["vaddr"] == 0x2000380 and len(d["kernel_info_table"]["rows"]) == 17'

# random libraries: sizes, kinds, words at every byte offset, with and without a scratch segment
for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24; do
    case $((seed % 4)) in
    0) code=0x18000 data=0xbe000 ;;
    1) code=0x5fff0000 data=0x10000 ;;
    2) code=0x87600 data=0x12344000 ;;
    3) code=0xffff8000 data=0 ;;
    esac
    scripts/q7_image random "$elf" --seed $seed --expect "$want" --code-addr $code --data-addr $data
    expect "random library $seed" 0 - "$neffsim" prelink "$elf" -o "$out" --code-addr $code --data-addr $data
    check "random library $seed: image" cmp "$out" "$want"
done

# failures: status in the document and on stderr, exit code, no file
scripts/q7_image worked "$elf"
refused() { # NAME OFFSET HEX STATUS EXIT MESSAGE WHERE
    poke "$elf" "$work/bad.elf" "$2" "$3"
    rm -f "$out"
    expect "$1" "$5" "status $4 .*$(echo "$6" | sed 's/[][]/./g')" "$neffsim" prelink "$work/bad.elf" -o "$out"
    "$neffsim" prelink "$work/bad.elf" -o "$out" --json >"$work/doc" 2>/dev/null
    check "$1: document" json "d['status'] == $4 and d['message'].startswith('$6') and d['where'] == '$7' and d['exit'] == $5"
    check "$1: nothing written" sh -c "[ ! -e '$out' ]"
}
refused "64-bit" 0x04 02 1 2 "Failed to validate ELF shared object file" "file offset 0x4"
refused "big-endian" 0x05 02 1 2 "Failed to validate ELF shared object file: big-endian image not supported" "file offset 0x5"
refused "no DT_RELA" 0x240 f0 4 1 "Failed to extract dynamic relocation info" "dynamic section"
refused "symbol" 0x2cc 23010000 5 1 "r_info is 0x123" "relocation 0"
refused "code flags" 0x4c 07 7 1 "Failed to validate ELF shared object file" "program header 0"
refused "kernel row" 0x1b0 01 7 1 "the zero field is 0x1" "kernel_info_table row 2"
refused "type" 0x2cc 01 8 1 "Unknown relocation type 1" "relocation 0"
refused "site" 0x2c8 00800001 8 1 "Invalid relocation address 131072" "relocation 0"
refused "load" 0x34c fd1f0002 8 1 "Invalid load @ 0xc0000" "relocation 11"
refused "slot" 0x2cc 31 8 1 "Failed to set large immediate field in instruction slot 14" "relocation 0"
refused "format" 0x2c8 1b000001 12 1 "Unknown instruction format [0xf01d020c]" "relocation 0"
refused "size" 0x48 01800000 13 1 "Segment exceeds the size of the split region on device" "segment code"
poke "$elf" "$work/bad.elf" 0x2cc 31
expect "--permissive takes it" 0 - "$neffsim" prelink "$work/bad.elf" -o "$out" --permissive
check "with the same bytes" digest "$out" bb403ee8186b795815dfa3c1e982972bcdb2c454566efdefb7c320804a1490f3
expect "misaligned window" 1 "status 13 .*would have dropped the last 102 bytes.*0x7c bytes above" "$neffsim" prelink "$elf" --map --code-addr 0x18004
expect "--allow-misaligned" 0 "code 0xe4 at 0x18004" "$neffsim" prelink "$elf" -o "$out" --code-addr 0x18004 --allow-misaligned
expect "overlapping windows" 2 "overlap" "$neffsim" prelink "$elf" --map --data-addr 0x1fffc

# usage and input/output
expect "without a file" 2 "one ELF file" "$neffsim" prelink -o "$out"
expect "two files" 2 "one ELF file" "$neffsim" prelink "$elf" "$elf" -o "$out"
expect "without anything to do" 2 "needs -o FILE" "$neffsim" prelink "$elf"
expect "an unknown architecture" 2 "sunda cayman mariana" "$neffsim" prelink "$elf" -o "$out" --arch tonga
expect "an address of 33 bits" 2 "code-addr" "$neffsim" prelink "$elf" -o "$out" --code-addr 0x100000000
expect "an unknown option" 2 "prelink: '--fast'" "$neffsim" prelink "$elf" -o "$out" --fast
expect "a missing file" 2 "cannot open" "$neffsim" prelink "$work/none.elf" -o "$out"
"$neffsim" prelink "$work/none.elf" -o "$out" --json >"$work/doc" 2>/dev/null
check "a missing file: document" json 'd["status"] == -1 and d["label"] == "input" and d["exit"] == 2 and "cannot open" in d["message"]'
: >"$work/empty.elf"
expect "an empty file" 2 "status 1 " "$neffsim" prelink "$work/empty.elf" -o "$out"
expect "an output that cannot be made" 2 "cannot create" "$neffsim" prelink "$elf" -o "$work/no/such/file"
"$neffsim" prelink "$elf" -o "$work/no/such/file" --json >"$work/doc" 2>/dev/null
check "an output that cannot be made: document" json 'd["status"] == -1 and d["label"] == "output" and d["exit"] == 2'
expect "help" 0 "exit codes" "$neffsim" prelink --help
expect "a closed stdout" 2 "cannot write" sh -c "'$neffsim' prelink '$elf' --map >/dev/full"
poke "$elf" "$work/flags.elf" 0x24 00000000
expect "other flags are only warned about" 0 "warning: .*e_flags is 0x0" "$neffsim" prelink "$work/flags.elf" -o "$out"

finish
