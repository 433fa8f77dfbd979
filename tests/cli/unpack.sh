#!/bin/sh
# neffsim unpack: what it writes, that pack gives the file back, archives of the system's tar, exit codes, limits.
. tests/cli/lib.inc

neff=$work/e1.neff
"$neffsim" pack vectors/allreduce/src -o "$neff" --stored

# ---- round trips
for src in vectors/allreduce vectors/copy vectors/pingpong vectors/ringwrap vectors/fault/unmapped; do
    for form in --stored "--level 6" "--pkg 1"; do
        name="$(basename $src) $form"
        rm -rf "$work/d"
        # shellcheck disable=SC2086
        check "$name: packs" "$neffsim" pack $src/src -o "$work/a.neff" $form
        expect "$name: unpacks" 0 "files, [0-9]+ bytes, and the header in header.json" \
            "$neffsim" unpack "$work/a.neff" -C "$work/d"
        check "$name: packs again" "$neffsim" pack "$work/d" -o "$work/b.neff"
        check "$name: the same bytes" cmp "$work/a.neff" "$work/b.neff"
    done
done
mkdir "$work/sorted"
check "the members are the sources" sh -c "
    rm -rf '$work/d' && '$neffsim' unpack '$neff' -C '$work/d' && cd vectors/allreduce/src &&
    for f in *.json sg00/*; do case \$f in *.hex | header.json) ;; *) cmp \$f '$work/d'/\$f || exit 1 ;; esac; done"

# ---- archives of other tar programs, made around the members of E1
if command -v tar >/dev/null 2>&1 && tar --version 2>/dev/null | grep -q GNU; then
    printf 'weights' >"$work/d/sg00/$(printf 'w%.0s' 1 2 3 4 5 6 7 8 9)-$(printf 'ü')-$(printf '%0120d' 0).bin"
    ln -s neff.json "$work/d/link"
    for format in gnu ustar posix v7; do
        long=yes
        case $format in ustar | v7) long=no ;; esac
        [ $long = yes ] || rm -f "$work"/d/sg00/w*.bin
        tar --format=$format --exclude=header.json --owner=nobody:12345678 --group=nobody:7 -C "$work/d" -cf "$work/t.tar" . 2>"$work/tar.err" ||
            tar --format=$format --exclude=header.json --owner=nobody:5 --group=nobody:7 -C "$work/d" -cf "$work/t.tar" .
        gzip -n -c "$work/t.tar" >"$work/t.gz"
        for pkg in 1 2; do
            python3 - "$neff" "$work" $pkg <<'P'
import hashlib, struct, sys
neff, work, pkg = sys.argv[1], sys.argv[2], int(sys.argv[3])
h = bytearray(open(neff, "rb").read()[:1024])
w = open(work + ("/t.tar" if pkg == 1 else "/t.gz"), "rb").read()
struct.pack_into("<QQQ", h, 0, pkg, 1024, len(w))
h[0xac:0xcc] = hashlib.sha256(w).digest() if pkg == 1 else hashlib.md5(w).digest() + b"0" * 16
open(work + "/t.neff", "wb").write(h + w)
P
            rm -rf "$work/u" "$work/v"
            expect "tar $format, package $pkg: unpacks, the link is skipped" 0 "warning: link: is a link or device, skipped" \
                env LC_ALL=C "$neffsim" unpack "$work/t.neff" -C "$work/u"
            check "tar $format, package $pkg: the same files" diff -r --exclude=header.json --exclude=link "$work/d" "$work/u"
            check "tar $format, package $pkg: packs" "$neffsim" pack "$work/u" -o "$work/t2.neff"
            check "tar $format, package $pkg: unpacks again" "$neffsim" unpack "$work/t2.neff" -C "$work/v"
            check "tar $format, package $pkg: the same header.json" python3 - "$work" <<'P'
import json, sys
u, v = (json.load(open(sys.argv[1] + d + "/header.json")) for d in ("/u", "/v"))
for key in ("hash", "data_size"):
    u.pop(key), v.pop(key)
assert u == v, (u, v)
P
        done
    done
else
    echo "no GNU tar here: its archives are not tried"
fi

# ---- --json and the texts
rm -rf "$work/d"
expect "--json" 0 '"verdict": "written"' "$neffsim" unpack "$neff" -C "$work/d" --json
check "--json is one document that lists the files" sh -c "
    rm -rf '$work/d'; '$neffsim' unpack '$neff' -C '$work/d' --json | python3 -c '
import json, os, sys
d = json.load(sys.stdin)
assert len(d[\"files\"]) == 18 and all(os.path.getsize(d[\"folder\"] + \"/\" + f[\"name\"]) == f[\"bytes\"] for f in d[\"files\"])'"
expect "--help" 0 "exit codes" "$neffsim" unpack --help

# ---- refusals
before=$(cd "$work/d" && find . -type f -exec md5sum {} + | sort)
expect "files that exist" 2 "exists already; only --overwrite" "$neffsim" unpack "$neff" -C "$work/d"
expect "they may be replaced" 0 "files" "$neffsim" unpack "$neff" -C "$work/d" --overwrite
check "by the same" [ "$before" = "$(cd "$work/d" && find . -type f -exec md5sum {} + | sort)" ]
expect "no -C" 2 "-C DIR" "$neffsim" unpack "$neff"
expect "no file" 2 "one NEFF file" "$neffsim" unpack -C "$work/x"
expect "an unknown option" 2 "--fast" "$neffsim" unpack "$neff" -C "$work/x" --fast
expect "a header name with a folder" 2 "no plain file name" "$neffsim" unpack "$neff" -C "$work/x" --header a/b
expect "a missing NEFF" 2 "cannot open" "$neffsim" unpack /nonexistent -C "$work/x"
expect "a folder whose parent is missing" 2 "cannot make the folder" "$neffsim" unpack "$neff" -C "$work/no/such"
cp "$neff" "$work/bad.neff"
printf 'x' | dd of="$work/bad.neff" bs=1 seek=5000 conv=notrunc 2>/dev/null
expect "a digest that differs" 1 "MD5 mismatch! \(the header has [0-9a-f]{32}, the data window gives" \
    "$neffsim" unpack "$work/bad.neff" -C "$work/x"
expect "and its place" 1 "bad.neff byte 0xac: " "$neffsim" unpack "$work/bad.neff" -C "$work/x"
expect "unverified, the CRC-32 still counts" 2 "CRC-32" "$neffsim" unpack "$work/bad.neff" -C "$work/x" --no-hash
check "nothing was written" [ ! -e "$work/x" ]

# ---- a header in a file of another name
rm -rf "$work/d" "$work/h"
mkdir "$work/h"
cp -r vectors/allreduce/src/. "$work/h"
mv "$work/h/header.json" "$work/h/neff-header"
printf '{}' >"$work/h/header.json"
python3 - "$work/h/neff-header" <<'P'
import json, sys
h = json.load(open(sys.argv[1]))
h["archive"]["members"].append("header.json")
json.dump(h, open(sys.argv[1], "w"))
P
check "pack --header" "$neffsim" pack "$work/h" -o "$work/h.neff" --header neff-header
expect "a member called header.json" 2 "header.json: is in the archive, .*--header NAME" "$neffsim" unpack "$work/h.neff" -C "$work/d"
expect "the header elsewhere" 0 "header in other" "$neffsim" unpack "$work/h.neff" -C "$work/d" --header other
check "packs back" "$neffsim" pack "$work/d" -o "$work/h2.neff" --header other
check "to the same bytes" cmp "$work/h.neff" "$work/h2.neff"
expect "pack with a header file that is missing" 2 "cannot open" "$neffsim" pack "$work/d" -o "$work/h2.neff" --header none

# ---- limits
python3 - "$neff" "$work" <<'P'
import gzip, hashlib, struct, sys
h = bytearray(open(sys.argv[1], "rb").read()[:1024])
def put(name, window, size=None):
    struct.pack_into("<Q", h, 16, len(window) if size is None else size)
    h[0xac:0xbc] = hashlib.md5(window).digest()
    open(sys.argv[2] + "/" + name, "wb").write(h + window)
put("bomb.neff", gzip.compress(bytes(300 << 20), 9))
put("claim.neff", b"\x1f\x8b", 8 << 30)
P
expect "a bomb stops at --max-size" 2 "more than the limit of 33554432 bytes" \
    "$neffsim" unpack "$work/bomb.neff" -C "$work/x" --max-size 32M
expect "and takes no more memory than that" 2 "limit of 33554432" \
    sh -c "ulimit -v 400000; exec '$neffsim' unpack '$work/bomb.neff' -C '$work/x' --max-size 32M"
expect "8 GiB that are only claimed" 2 "Invalid NEFF data size\(200000000 vs 402\)" \
    sh -c "ulimit -v 400000; exec '$neffsim' unpack '$work/claim.neff' -C '$work/x'"
for size in 0 -1 1X 1KK K 99999999999999999999 16777216T; do
    expect "--max-size $size" 2 "not a number of bytes" "$neffsim" unpack "$neff" -C "$work/x" --max-size "$size"
done
for size in 20480 20K 0x5000 1G 1T; do
    rm -rf "$work/x"
    expect "--max-size $size" 0 "files" "$neffsim" unpack "$neff" -C "$work/x" --max-size "$size"
done
rm -rf "$work/x"
expect "--max-size 20479" 2 "limit of 20479 bytes" "$neffsim" unpack "$neff" -C "$work/x" --max-size 20479
mkfifo "$work/fifo"
expect "a NEFF from a pipe" 0 "18 files" sh -c "cat '$neff' >'$work/fifo' & exec '$neffsim' unpack '$work/fifo' -C '$work/x'"
finish
