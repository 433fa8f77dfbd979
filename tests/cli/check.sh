#!/bin/sh
# neffsim check: verdicts, exit codes, all problems with their places, --json, options.
. tests/cli/lib.inc

good=$work/good.neff
"$neffsim" pack vectors/allreduce/src -o "$good" --stored

# neff OUT [--major N] [--features N] [MEMBER OLD NEW]...: E1 with edits; MEMBER - - removes it.
cat >"$work/neff.py" <<'P'
import gzip, hashlib, io, sys, tarfile
src, out, rest = sys.argv[1], sys.argv[2], sys.argv[3:]
image = bytearray(open(src, "rb").read())
tar = tarfile.open(fileobj=io.BytesIO(gzip.decompress(bytes(image[1024:]))))
members = {m.name: tar.extractfile(m).read() for m in tar if m.isfile()}
while rest:
    if rest[0] in ("--major", "--features"):
        at = 0x18 if rest[0] == "--major" else 0x220
        image[at:at + 8] = int(rest[1], 0).to_bytes(8, "little")
        rest = rest[2:]
        continue
    name, old, new = rest[:3]
    rest = rest[3:]
    if old == "-":
        del members[name]
    elif old == "+":
        members[name] = members.get(name, b"") + bytes.fromhex(new)
    else:
        assert members[name].count(old.encode()) == 1, (name, old)
        members[name] = members[name].replace(old.encode(), new.encode())
body = io.BytesIO()
with tarfile.open(fileobj=body, mode="w", format=tarfile.GNU_FORMAT) as t:
    for name, data in members.items():
        info = tarfile.TarInfo(name)
        info.size = len(data)
        t.addfile(info, io.BytesIO(data))
window = gzip.compress(body.getvalue(), mtime=0)
image[0x10:0x18] = len(window).to_bytes(8, "little")
image[0xac:0xbc] = hashlib.md5(window).digest()
open(out, "wb").write(image[:1024] + window)
P
neff() {
    out=$1
    shift
    python3 "$work/neff.py" "$good" "$work/$out" "$@"
}

expect "E1" 0 "^valid .*: arch any, 1 warning$" "$neffsim" check "$good"
for a in sunda:sunda v2:sunda cayman:cayman v3:cayman mariana:mariana v4:mariana; do
    expect "E1 for $a" 0 "^valid .*: arch ${a#*:}, 1 warning$" "$neffsim" check --arch "${a%:*}" "$good"
done
for v in copy pingpong ringwrap fault/notification-loss fault/notification-overflow fault/notification-stall \
    fault/ring-id fault/unmapped fault/unmapped-dma; do
    "$neffsim" pack vectors/$v/src -o "$work/v.neff"
    expect "$v" 0 "^valid" "$neffsim" check "$work/v.neff"
    expect "$v for cayman" 0 "^valid" "$neffsim" check --arch cayman "$work/v.neff"
done
# These hold slots that break a host rule on purpose; the case copies them unseen to the device.
for v in bad-opcode:pool.bin illegal-instruction:act.bin; do
    "$neffsim" pack --force vectors/fault/${v%:*}/src -o "$work/v.neff" 2>/dev/null
    expect "${v%:*}" 1 "^error: tier 3, code 2: sg00/${v#*:} slot [0-9]+ byte 0x" "$neffsim" check "$work/v.neff"
done
# A legal slot on an engine that does not execute it is the device's to judge (tpb-sequencer.md §3.3, §3.4).
"$neffsim" pack vectors/fault/wrong-engine/src -o "$work/v.neff" 2>/dev/null
expect wrong-engine 0 "^warning: tier 3: sg00/sp.bin slot 3 byte 0x00: LDWEIGHTS is no instruction of engine sp" \
    "$neffsim" check "$work/v.neff"

neff many.neff kelf-a.json '"*"' '"v4"' sg00/pool.json '"to": "output"' '"to": "nobody"' \
    sg00/def.json '"semaphore": 10' '"semaphore": 999' sg00/dve.bin + a4100000 sg00/act.json - -
expect "all problems are listed" 1 "^invalid .*: arch cayman, 5 errors, 1 warning$" "$neffsim" check --arch cayman "$work/many.neff"
for line in 'error: tier 2, code 2: kelf-a.json target: Loading a NEFF compiled for a different arch is not allowed, NEFF arch: v4, instance arch: v3' \
    'error: tier 3, code 2: sg00/def.json dma_queue.q_gradient_in.semaphore: found 999, expected an integer from 0 to 255' \
    'error: tier 3, code 2: sg00/def.json act: names the member sg00/act.json, which is missing from the NEFF' \
    'error: tier 3, code 2: sg00/pool.json dma\[1\].desc\[0\].to: there is no variable "nobody"' \
    'error: tier 3, code 2: sg00/dve.bin: has 4 bytes, which is no multiple of the 64-byte slot'; do
    expect "one of them is: $line" 1 "^$line" "$neffsim" check --arch cayman "$work/many.neff"
done
expect "--first stops early" 1 "^invalid .*: arch cayman, 1 error$" "$neffsim" check --first --arch v3 "$work/many.neff"
expect "--allow-legacy makes the target a warning" 1 "^warning: tier 3: kelf-a.json target: Loading a NEFF" \
    "$neffsim" check --arch cayman --allow-legacy "$work/many.neff"

neff legacy.neff sg00/def.json '"runtime_statebuffer_reservation"' '"other"'
expect "the legacy guard" 1 "Missing or corrupted runtime_statebuffer_reservation" "$neffsim" check --arch cayman "$work/legacy.neff"
expect "the legacy override" 0 "^warning: .*a legacy NEFF" "$neffsim" check --arch cayman --allow-legacy "$work/legacy.neff"
expect "any generation" 0 "^note: .*refused on cayman" "$neffsim" check "$work/legacy.neff"

neff features.neff --features 0x8000000008000004 --major 2
expect "bits of a newer compiler" 1 "^error: tier 1 row 5, code 10: .*newer version of Neuron compiler" "$neffsim" check "$work/features.neff"
expect "are named" 1 "byte 0x220: feature bit 27 \(no meaning is known\)" "$neffsim" check "$work/features.neff"
neff features.neff --features 0x8000000008000004 --major 1
expect "and only noted in version 1" 0 "^note: .*feature bit 27 .* version is 1.x" "$neffsim" check "$work/features.neff"

neff json.neff sg00/pool.json '"dma": [' '"dma": [[{,'
expect "a member that is no JSON is exit 2" 2 "^unreadable: tier 3, code 2: sg00/pool.json line 2 column [0-9]+: not JSON" "$neffsim" check "$work/json.neff"
head -c 1000 "$good" >"$work/short.neff"
expect "a short file is exit 2" 2 "^unreadable: tier 1 row 2, code 2: .*Invalid number of NEFF bytes received 3e8" "$neffsim" check "$work/short.neff"
printf 'x' | dd of="$work/many.neff" bs=1 seek=172 conv=notrunc 2>/dev/null
expect "a wrong digest" 1 "^error: tier 1 row 10, code 2: .*MD5 mismatch!" "$neffsim" check "$work/many.neff"
expect "does not hide the rest" 1 "there is no variable" "$neffsim" check "$work/many.neff"
expect "--no-hash" 1 "arch any, 4 errors" "$neffsim" check --no-hash "$work/many.neff"
expect "--max-size" 2 "^unreadable: tier 1" "$neffsim" check --max-size 1000 "$good"

expect "a missing file" 2 "neffsim: /nonexistent: cannot open" "$neffsim" check /nonexistent
expect "no file" 2 "one NEFF file" "$neffsim" check
expect "two files" 2 "one NEFF file" "$neffsim" check "$good" "$good"
expect "an unknown generation" 2 "--arch" "$neffsim" check --arch v9 "$good"
expect "an unknown option" 2 "--fast" "$neffsim" check --fast "$good"
expect "help" 0 "exit codes" "$neffsim" check --help

"$neffsim" check --json --arch cayman "$work/legacy.neff" >"$work/legacy.json"
check "--json says the same" python3 - "$work/legacy.json" <<'P'
import json, sys
d = json.load(open(sys.argv[1]))
assert d["verdict"] == "invalid" and d["exit"] == 1 and d["arch"] == "cayman" and d["complete"] is True, d
f = [x for x in d["findings"] if x["level"] == "error"]
assert len(f) == 1 and f[0]["tier"] == 3 and f[0]["code"] == 2 and f[0]["member"] == "sg00/def.json", f
assert set(f[0]) == {"level", "tier", "code", "row", "member", "place", "text"}, f
P
expect "--json of a missing file" 2 '"verdict"' "$neffsim" check --json /nonexistent
finish
