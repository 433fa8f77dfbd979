#!/bin/sh
# neffsim pack and info: exit codes, what they say, and that a refused pack leaves no file.
. tests/cli/lib.inc

src=vectors/allreduce/src
out=$work/out.neff

digest() { # FILE MD5
    [ "$(md5sum <"$1" | cut -c1-32)" = "$2" ]
}

expect "stored" 0 - "$neffsim" pack $src -o "$out" --stored
check "stored digest" digest "$out" b29d33f1f610bd5b12ff72ccf6df9534
expect "package 1" 0 - "$neffsim" pack $src -o "$out" --pkg 1
check "package 1 digest" digest "$out" 5f378b27f1654a21c6fd09e671d7d965
expect "level 5" 0 - "$neffsim" pack --level 5 -o "$out" $src
expect "info reads the compressed file" 0 "3 slots of 64 bytes" "$neffsim" info "$out"
expect "reproducible" 0 - "$neffsim" pack $src -o "$out" --reproducible

expect "pack without -o" 2 "-o FILE" "$neffsim" pack $src
expect "pack without a folder" 2 "one folder" "$neffsim" pack -o "$out"
expect "pack of two folders" 2 "one folder" "$neffsim" pack $src $src -o "$out"
expect "an unknown option" 2 "--fast" "$neffsim" pack $src -o "$out" --fast
expect "level 10" 2 "level" "$neffsim" pack $src -o "$out" --level 10
expect "package 3" 2 "pkg" "$neffsim" pack $src -o "$out" --pkg 3
expect "a level for package 1" 2 "not compressed" "$neffsim" pack $src -o "$out" --pkg 1 --level 5
expect "a missing folder" 2 "neffsim: /nonexistent: cannot open" "$neffsim" pack /nonexistent -o "$out"
expect "an output that cannot be made" 2 "cannot create" "$neffsim" pack $src -o "$work/no/such/file"

cp -r $src "$work/src"
rm -f "$out"
sed 's/"queue": "q_gradient_out"/"queue": "q_none"/' $src/sg00/pool.json >"$work/src/sg00/pool.json"
expect "a broken rule is exit 1 with member and path" 1 "sg00/pool.json dma\[1\].queue: there is no dma_queue" \
    "$neffsim" pack "$work/src" -o "$out"
check "and leaves nothing behind" sh -c "[ -z \"\$(ls '$work' | grep out.neff)\" ]"
printf '{' >"$work/src/sg00/pool.json"
expect "broken JSON is exit 2 with line and column" 2 "sg00/pool.json 1:2: not JSON" "$neffsim" pack "$work/src" -o "$out"

"$neffsim" pack $src -o "$out" --stored
python3 - "$out" "$work" <<'P'
import sys
b = bytearray(open(sys.argv[1], "rb").read())
def put(name, data):
    open(sys.argv[2] + "/" + name, "wb").write(data)
put("short.neff", b[:1000])
put("cut.neff", b[:-1])
b[5000] ^= 1
put("flip.neff", b)
b[24] = 3
put("major.neff", b)
P
expect "a short file" 2 "Invalid number of NEFF bytes received 3e8" "$neffsim" info "$work/short.neff"
expect "a cut file" 2 "Invalid NEFF data size" "$neffsim" info "$work/cut.neff"
expect "a flipped bit" 1 "MD5 mismatch!" "$neffsim" info "$work/flip.neff"
expect "a flipped bit without verification" 2 "CRC-32" "$neffsim" info --no-hash "$work/flip.neff"
expect "major 3" 1 "NEFF version: 3.0 is not supported" "$neffsim" info "$work/major.neff"
expect "a missing file" 2 "neffsim: /nonexistent: cannot open" "$neffsim" info /nonexistent
expect "info without a file" 2 "one NEFF file" "$neffsim" info
expect "info --json" 0 '"PSEUDO_DMATRIGGER"' "$neffsim" info --json "$out"
check "info --json is one JSON document" sh -c "'$neffsim' info --json '$out' | python3 -m json.tool"
expect "a closed stdout" 2 "cannot write" sh -c "'$neffsim' info '$out' >/dev/full"

finish
