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
expect "broken JSON is exit 2 with line and column" 2 "sg00/pool.json line 1 column 2: not JSON" "$neffsim" pack "$work/src" -o "$out"

# ---- what `check` refuses is not packed, unless --force
rm -f "$out"
expect "what only check finds is refused, too" 1 "sg00/pool.bin slot 2 byte 0x00: opcode 0x0b" \
    "$neffsim" pack vectors/fault/bad-opcode/src -o "$out"
check "nothing is written" [ ! -e "$out" ]
expect "--force writes it and warns" 0 "warning: .*sg00/pool.bin slot 2 byte 0x00: opcode 0x0b" \
    "$neffsim" pack vectors/fault/bad-opcode/src -o "$out" --force
expect "check says the same of the file" 1 "sg00/pool.bin slot 2 byte 0x00: opcode 0x0b" "$neffsim" check "$out"
rm -f "$out"
cp $src/sg00/pool.json "$work/src/sg00/"
sed -i 's/"type": "tmp-buf"/"type": "tmp-bug"/' "$work/src/sg00/def.json"
expect "all problems are named" 1 "gradient_out.type" "$neffsim" pack "$work/src" -o "$out"
check "the first one too" grep -q "gradient_in.type" "$work/err"
expect "--json says why" 1 '"verdict": "error"' "$neffsim" pack "$work/src" -o "$out" --json
expect "--force --json counts the problems" 0 '"problems": [1-9]' "$neffsim" pack "$work/src" -o "$out" --json --force
rm -rf "$work/src/sg00/pool.json"
printf '{' >"$work/src/sg00/def.json"
rm "$work/src/header.json"
expect "unreadable members are exit 2" 2 "sg00/def.json line 1 column 2" "$neffsim" pack "$work/src" -o "$out"
expect "a broken header.json is not forced" 2 "header.json" sh -c "printf '{' >'$work/src/header.json'; '$neffsim' pack '$work/src' -o '$out' --force"

# ---- feature bits follow the members (neff-container.md §20, §23 item 4)
custom() { # header.json: E1 with a custom operator
    rm -rf "$work/custom"
    cp -r $src "$work/custom"
    rm "$work/custom/header.json"
    [ -z "$1" ] || printf '%s' "$1" >"$work/custom/header.json"
    printf '[{"library": "l.so", "ulib_to_ucode_version": "1.21.1.0", "cpu_id": 0, "total_cpus": 1,
              "functions": [{"name": "f", "opcode": 133}]}]' >"$work/custom/sg00/ucode_lib.json"
    printf 'no ELF' >"$work/custom/sg00/l.so"
    python3 -c "
import json, sys
p = sys.argv[1]
j = json.load(open(p))
j['ucode_lib'] = 'ucode_lib.json'
j['neff_features'] = ['neff_queue_set_instances', 'no such feature']
json.dump(j, open(p, 'w'))" "$work/custom/sg00/def.json"
    "$neffsim" pack "$work/custom" -o "$work/custom.neff" --force 2>"$work/said"
}
header() { # KEY VALUE: of the packed file
    "$neffsim" info --json "$work/custom.neff" 2>/dev/null | grep -q "^    \"$1\": $2,"
}
custom ""
check "open feature bits: custom operators and queue sets" header feature_bits 20
check "open major: 2 with feature bits" header version_major 2
custom '{"feature_bits": 0}'
check "given feature bits stay" header feature_bits 0
check "and the major" header version_major 1
check "a warning names the bit" grep -q "feature_bits has no bit 2 (neff_feature_custom_ops)" "$work/said"
custom '{"feature_bits": 4, "version_major": 1}'
check "a given major stays" header version_major 1
check "with a warning" grep -q "version_major is below 2" "$work/said"
custom '{"version_major": 0}'
check "open feature bits with a given major" header feature_bits 20
check "which stays" header version_major 0

# ---- --reproducible: the same bytes whatever times, owner, umask, order, locale and zlib are. The file is built here
# once more, by the rules of neff-container.md §6, §23.
python3 - $src "$work/expected.neff" <<'P'
import binascii, hashlib, os, struct, sys
root, out = sys.argv[1:]
def dump(path):
    data, at = bytearray(), 0
    for line in open(path):
        line = line.split("#")[0].strip()
        if line:
            at, text = line.split(":")
            at = int(at, 16)
            data += bytes(at - len(data)) + bytes.fromhex(text)
    return bytes(data)
def walk(folder, prefix=""):
    names = sorted(os.listdir(folder))
    files = [n for n in names if os.path.isfile(folder + "/" + n)]
    for n in sorted(files, key=lambda n: n[:-4] if n.endswith(".hex") else n):
        path = folder + "/" + n
        if n != "header.json":
            yield (prefix + n[:-4], dump(path)) if n.endswith(".hex") else (prefix + n, open(path, "rb").read())
    for n in names:
        if n not in files:
            yield prefix + n + "/", None
            yield from walk(folder + "/" + n, prefix + n + "/")
def entry(name, data):
    h = bytearray(512)
    def put(at, text):
        h[at:at + len(text)] = text
    put(0, name.encode())
    put(100, b"0000755\0" if data is None else b"0000644\0")
    put(108, b"0000000\0" * 2)
    put(124, b"%011o\0" % len(data or b""))
    put(136, b"00000000000\0")
    put(148, b" " * 8)
    put(156, b"5" if data is None else b"0")
    put(257, b"ustar  \0")
    put(265, b"nobody")
    put(297, b"nobody")
    put(148, b"%06o\0 " % sum(h))
    return bytes(h) + (data or b"") + bytes(-len(data or b"") % 512)
tar = b"".join(entry(*m) for m in walk(root)) + bytes(1024)
tar += bytes(-len(tar) % 10240)
blocks = [tar[i:i + 65535] for i in range(0, len(tar), 65535)]
gz = bytes.fromhex("1f8b0800000000000003") + b"".join(
    bytes([i == len(blocks) - 1]) + struct.pack("<HH", len(b), len(b) ^ 0xffff) + b for i, b in enumerate(blocks))
gz += struct.pack("<II", binascii.crc32(tar), len(tar))
h = bytearray(1024)
struct.pack_into("<QQQQQ", h, 0, 2, 1024, len(gz), 2, 0)
h[0x28:0x28 + 39] = b"2.0.21884.0%kaena-tools/develop@6c66f4b"
struct.pack_into("<I", h, 0xa8, 1)
h[0xac:0xcc] = hashlib.md5(gz).digest() + b"0" * 16
uuid = bytearray(hashlib.sha256(tar).digest()[:16])
uuid[6], uuid[8] = uuid[6] & 15 | 64, uuid[8] & 63 | 128
h[0xcc:0xdc] = uuid
h[0xdc:0xdd] = b"x"
struct.pack_into("<I", h, 0x1dc, 1)
struct.pack_into("<I", h, 0x228, 1)
open(out, "wb").write(bytes(h) + gz)
P
"$neffsim" pack $src -o "$out" --reproducible
check "reproducible: the bytes of the write checklist" cmp "$work/expected.neff" "$out"
mkdir "$work/other" "$work/other/sg00"
for f in $(cd $src && find . -type f | sort -r); do
    (umask 077 && cat $src/$f >"$work/other/$f")
done
find "$work/other" -exec touch -d "1999-01-02 03:04:05" {} +
find "$work/other" -type f -exec chmod 0755 {} +
expect "another order of creation, other times, modes and umask" 0 - sh -c \
    "umask 077; LC_ALL=C.UTF-8 LANG=de_DE TZ=Pacific/Kiritimati '$neffsim' pack '$work/other' -o '$work/other.neff' --reproducible"
check "the same bytes" cmp "$work/expected.neff" "$work/other.neff"
sed -i 's/"mtime": [0-9]*/"mtime": 7/; s/"uname": "[a-z]*"/"uname": "me"/; s/"0644"/"0600"/; s/"uuid": "5/"uuid": "6/; s/"stored"/9/' "$work/other/header.json"
expect "other archive settings in header.json" 0 - "$neffsim" pack "$work/other" -o "$work/other.neff" --reproducible
check "still the same bytes" cmp "$work/expected.neff" "$work/other.neff"
"$neffsim" pack "$work/other" -o "$work/other.neff"
check "without --reproducible they differ" sh -c "! cmp '$work/expected.neff' '$work/other.neff'"

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
expect "a flipped bit" 2 "MD5 mismatch!" "$neffsim" info "$work/flip.neff"
expect "a flipped bit without verification" 2 "CRC-32" "$neffsim" info --no-hash "$work/flip.neff"
expect "major 3" 1 "NEFF version: 3.0 is not supported" "$neffsim" info "$work/major.neff"
expect "a missing file" 2 "neffsim: /nonexistent: cannot open" "$neffsim" info /nonexistent
expect "info without a file" 2 "one NEFF file" "$neffsim" info
expect "info --json" 0 '"PSEUDO_DMATRIGGER"' "$neffsim" info --json "$out"
check "info --json is one JSON document" sh -c "'$neffsim' info --json '$out' | python3 -m json.tool"
expect "a closed stdout" 2 "cannot write" sh -c "'$neffsim' info '$out' >/dev/full"

finish
