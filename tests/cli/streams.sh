#!/bin/sh
# Where bytes come from and go to: pipes and devices without an end, an output that is the input, signals while writing, more
# warnings than the list of findings holds.
. tests/cli/lib.inc

neff=$work/e1.neff
"$neffsim" pack vectors/allreduce/src -o "$neff"
"$neffsim" disasm "$neff" --engine pool -o "$work/pool.asm"
"$neffsim" asm "$work/pool.asm" -o "$work/pool.bin"

# ---- pipes
for verb in check info "unpack -C $work/u"; do
    expect "$verb: a NEFF from a pipe" 0 - sh -c "cat '$neff' | '$neffsim' $verb /dev/stdin"
    rm -rf "$work/u"
    expect "$verb: bytes behind a NEFF from a pipe" 0 "9 bytes after the data window" \
        sh -c "{ cat '$neff'; echo trailing; } | '$neffsim' $verb /dev/stdin"
    rm -rf "$work/u"
    expect "$verb: half a NEFF from a pipe" 2 "Invalid NEFF data size" sh -c "head -c 5000 '$neff' | '$neffsim' $verb /dev/stdin"
    expect "$verb: a pipe with a header alone" 2 "Invalid NEFF file size|Invalid NEFF data size" \
        sh -c "head -c 1024 '$neff' | '$neffsim' $verb /dev/stdin"
    expect "$verb: a pipe with nothing" 2 "bytes received 0" sh -c ": | '$neffsim' $verb /dev/stdin"
    # An address space that holds the program, but nothing that has no end.
    expect "$verb: an endless device" 2 "header_size is 0x0" sh -c "ulimit -v 1000000; timeout 60 '$neffsim' $verb /dev/zero"
    expect "$verb: a NEFF in front of an endless stream" 0 "bytes after the data window" \
        sh -c "ulimit -v 1000000; { cat '$neff'; cat /dev/zero; } | timeout 60 '$neffsim' $verb /dev/stdin"
    rm -rf "$work/u"
    expect "$verb: a header that claims 2^60 bytes in front of an endless stream" 2 "1152921504606846976 bytes, more than the limit" \
        sh -c "ulimit -v 1000000; { head -c 16 '$neff'; printf '\0\0\0\0\0\0\0\020'; tail -c +25 '$neff'; cat /dev/zero; } |
            timeout 60 '$neffsim' $verb /dev/stdin"
    check "$verb: nothing is left" [ ! -e "$work/u" ]
done
expect "disasm of a program from a pipe by name" 0 "^EVENT_SEMAPHORE .S.11.>0;" \
    sh -c "mkfifo '$work/fifo'; cat '$work/pool.bin' >'$work/fifo' & exec '$neffsim' disasm '$work/fifo'"
expect "disasm of a NEFF from a pipe by name" 0 "^EVENT_SEMAPHORE .S.11.>0;" \
    sh -c "cat '$neff' >'$work/fifo' & exec '$neffsim' disasm '$work/fifo' --engine pool"
expect "disasm of a NEFF from stdin" 0 "^PSEUDO_TRIGGER_COLLECTIVE" \
    sh -c "'$neffsim' disasm - --graph sg00 --engine pe <'$neff'"

# ---- -o may not name what was read
expect "disasm onto its input" 2 "e1.neff: is the file that was read" "$neffsim" disasm "$neff" -o "$neff"
ln -s e1.neff "$work/link"
expect "disasm onto its input through a link" 2 "link: is the file that was read" "$neffsim" disasm "$neff" -o "$work/link"
expect "disasm of stdin onto its input" 2 "is the file that was read" sh -c "'$neffsim' disasm - -o '$neff' <'$neff'"
expect "the NEFF is what it was" 0 "^valid" "$neffsim" check "$neff"
cp "$work/pool.asm" "$work/kept.asm"
expect "asm onto its input" 2 "is the file that was read" "$neffsim" asm "$work/pool.asm" -o "$work/pool.asm"
check "the text is what it was" cmp "$work/pool.asm" "$work/kept.asm"
expect "an output that cannot be made is named alone" 2 "^neffsim: $work/none/x: cannot create" "$neffsim" disasm "$neff" -o "$work/none/x"
expect "pack --stored --level" 2 "exclude each other" "$neffsim" pack vectors/allreduce/src -o "$work/x.neff" --stored --level 3

# ---- a signal while the output is written leaves the whole file or none
check "a signal while an output is written" timeout 120 python3 - "$neffsim" "$work" <<'P'
import os, signal, subprocess, sys, time
neffsim, work = sys.argv[1:]
out = work + "/signals"
os.mkdir(out)
open(work + "/big.bin", "wb").write(bytes([0x51, 0x10]) + bytes(62))
with open(work + "/big.bin", "ab") as f:
    f.write(open(work + "/big.bin", "rb").read() * 150000)
seen = 0
for delay in range(12):
    p = subprocess.Popen([neffsim, "disasm", work + "/big.bin", "-o", out + "/big.asm"], stderr=subprocess.DEVNULL,
                         preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    while p.poll() is None and not os.listdir(out):   # wait for the temporary file
        time.sleep(0.0005)
    time.sleep(delay / 8000)
    p.send_signal(signal.SIGINT)
    code = p.wait()
    seen += code == 130
    assert code in (0, 130), code
    assert os.listdir(out) in ([], ["big.asm"]), (os.listdir(out), code)
    for f in os.listdir(out):
        os.remove(out + "/" + f)
assert seen, "no signal came while writing"
P

# ---- warnings never take the place of an error
python3 - "$neff" "$work" <<'P'
import hashlib, io, struct, sys, tarfile, zlib
neff, work = sys.argv[1:]
data = open(neff, "rb").read()
def make(name, change, extra):
    old = tarfile.open(fileobj=io.BytesIO(zlib.decompress(data[1024:], 31)))
    out = io.BytesIO()
    t = tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT)
    extra(t)
    for m in old.getmembers():
        b = old.extractfile(m).read() if m.isfile() else b""
        b = change(m.name, b)
        m.size = len(b)
        t.addfile(m, io.BytesIO(b))
    t.close()
    bare = out.getvalue()
    head = bytearray(data[:1024])
    struct.pack_into("<Q", head, 16, len(bare))
    head[0xac:0xbc] = hashlib.md5(bare).digest()
    open(work + "/" + name, "wb").write(head + bare)
def links(t):
    for i in range(1500):
        m = tarfile.TarInfo("link%d" % i)
        m.type, m.linkname = tarfile.SYMTYPE, "x"
        t.addfile(m)
def copies(t):
    for i in range(1500):
        t.addfile(tarfile.TarInfo("neff.json"))
make("slot.neff", lambda n, b: b[:1] + b"\x11" + b[2:] if n == "sg00/pool.bin" else b, links)
make("vars.neff", lambda n, b: b.replace(b'"tmp-buf"', b'"tmp-bug"') if n == "sg00/def.json" else b, links)
make("copies.neff", lambda n, b: b, copies)
P
expect "a bad slot behind 1500 warnings" 1 "^error: .*pool.bin slot 1 .*inst_word_len" "$neffsim" check "$work/slot.neff"
expect "both bad variables behind 1500 warnings" 1 "arch any, 2 errors, 1501 warnings" "$neffsim" check "$work/vars.neff"
expect "the last one is named" 1 "^error: .*gradient_out.type" "$neffsim" check "$work/vars.neff"
expect "what is left out is counted" 1 "^501 more warnings and notes are not shown" "$neffsim" check "$work/vars.neff"
check "--json says that it is not complete" sh -c "'$neffsim' check --json '$work/vars.neff' >'$work/j'; python3 -c '
import json, sys; j = json.load(open(sys.argv[1])); l = [f[\"level\"] for f in j[\"findings\"]]
assert not j[\"complete\"] and l.count(\"error\") == 2 and l.count(\"warning\") == 1000, (j[\"complete\"], len(l))' '$work/j'"
expect "1500 copies of a member are one warning" 0 "arch any, 2 warnings" "$neffsim" check "$work/copies.neff"
finish
