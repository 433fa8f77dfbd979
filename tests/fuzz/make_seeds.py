#!/usr/bin/env python3
"""Seeds and dictionaries of the fuzz harnesses: make_seeds.py FOLDER writes FOLDER/NAME/* and FOLDER/NAME.dict.

Inputs that once failed are committed in tests/fuzz/seeds/NAME instead.
"""
import gzip
import hashlib
import io
import json
import os
import re
import struct
import sys
import tarfile

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "corpus", "neff"))
sys.dont_write_bytecode = True
import good

out = sys.argv[1]
FIX_SEAL, FIX_GZIP, FIX_TAR = 1, 2, 4
PAD = 0x22C


def save(harness, name, data):
    os.makedirs(os.path.join(out, harness), exist_ok=True)
    with open(os.path.join(out, harness, name), "wb") as f:
        f.write(data)


def save_dict(harness, words):
    with open(os.path.join(out, harness + ".dict"), "w") as f:
        for w in sorted(set(words)):
            f.write('"%s"\n' % "".join(c if c.isalnum() or c in " _-.:[]{}$#@/" else "\\x%02x" % ord(c) for c in w))


def tar_of(files, form=tarfile.GNU_FORMAT, pax=None, size=512):
    b = io.BytesIO()
    with tarfile.open(fileobj=b, mode="w", format=form, pax_headers=pax) as tar:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            if name.endswith("/"):
                info.type = tarfile.DIRTYPE
            elif isinstance(data, tuple):
                info.type, info.linkname = data
            else:
                info.size = len(data)
            tar.addfile(info, io.BytesIO(data) if isinstance(data, bytes) else None)
    end = b.getvalue().rstrip(b"\0")
    return end + bytes(-len(end) % size + 1024)


def header(pkg, window, fix, name=b"model", major=1, features=0):
    h = bytearray(1024)
    struct.pack_into("<5Q", h, 0, pkg, 1024, len(window), major, 0)
    h[0x28:0x2C] = b"2.0%"
    h[0xAC : 0xAC + 32] = hashlib.sha256(window).digest() if pkg == 1 else hashlib.md5(window).digest() + b"0" * 16
    h[0xDC : 0xDC + len(name)] = name
    struct.pack_into("<I", h, 0x1DC, 1)
    struct.pack_into("<Q", h, 0x220, features)
    struct.pack_into("<I", h, 0x228, 1)
    h[PAD] = fix
    return bytes(h)


# ---- archives: small members, every record type and number form
small = {"neff.json": b"{}", "sg00/": b"", "sg00/pe.bin": bytes(range(64))}
long_name = "sg00/" + "long" * 40 + ".bin"
archives = {
    "plain": tar_of(small),
    "dot": tar_of({"./neff.json": b"[]", "././x": b"1", "./": b""}),
    "duplicate": tar_of({"a": b"first"})[:1024] + tar_of({"a": b"second", "b/wavegraph-bin.json": b"skip"}),
    "gnu-long": tar_of({long_name: b"data"}),
    "pax": tar_of({long_name: b"data", "neff.json": b"{}"}, tarfile.PAX_FORMAT, {"comment": "global"}),
    "prefix": tar_of({"dir/" * 30 + "name": b"x"}, tarfile.USTAR_FORMAT),
    "links": tar_of({"a": b"x", "b": (tarfile.SYMTYPE, "a"), "c": (tarfile.LNKTYPE, "a"), "d": (tarfile.CHRTYPE, ""), "e": (tarfile.FIFOTYPE, "")}),
    "up": tar_of({"../a": b"x", "/b": b"y", "c/../d": b"z"}),
    "empty": bytes(1024),
}
plain = bytearray(archives["plain"])
plain[124:136] = b"\x80" + bytes(9) + b"\0\x02"  # base-256 size
archives["base256"] = bytes(plain)
plain[124:136] = b"\x80" + bytes(3) + b"\0\0\0\2\0\0\0\0"  # 8 GiB
archives["huge"] = bytes(plain)
plain[124:136] = b"   2 \0      "
archives["spaces"] = bytes(plain)
for i, (name, tar) in enumerate(archives.items()):
    for mode in (i & 3 | 4, 4 | (i * 16 + 8) & 0xF8):
        save("archive", "%s-%02x" % (name, mode), bytes([mode]) + tar)
    save("unpack", name, b"\4" + tar)
for name, files in {
    "file-is-a-folder": {"a": b"x", "a/b": b"y"}, "folder-is-a-file": {"a/": b"", "a": b"x"}, "header": {"header.json": b"{}"},
    "header-folder": {"header.json/x": b""}, "hex": {"p.bin": bytes(64), "p.bin.hex": b"00: 01"}, "hidden": {".x": b"", "a/.y": b""},
    "odd-names": {"a\nb": b"", "a b": b"", "\xff": b"", "a\\b": b""}, "parts": {"a/./b": b"", "a//b": b"", "a/b/": b"", "x/" * 20 + "y": b""},
}.items():
    save("unpack", name, b"\4" + tar_of(files))

# ---- whole files
tar = archives["plain"]
zipped = gzip.compress(tar, 6, mtime=0)
fields = zipped[:3] + b"\x1e" + zipped[4:10] + struct.pack("<H", 5) + b"extra" + b"name\0comment\0\0\0" + zipped[10:]
windows = {
    "gzip": zipped,
    "fields": fields,
    "members": gzip.compress(tar[:512], mtime=0) + gzip.compress(tar[512:], 0, mtime=0),
    "zeros": zipped + bytes(60),
    "trailing": zipped + b"\0\0junk",
    "bare": tar,
    "bomb": gzip.compress(bytes(3 << 20), mtime=0),
}
for name, window in windows.items():
    save("container", name, header(2, window, FIX_SEAL | FIX_GZIP | FIX_TAR) + window)
save("container", "package-1", header(1, tar, FIX_SEAL | FIX_TAR) + tar)
save("container", "raw", header(2, zipped, 0) + zipped)
save("container", "major-2", header(2, zipped, 1, major=2, features=0x7FFFFFF) + zipped)
save("container", "features", header(2, zipped, 1, major=2, features=1 << 40) + zipped)
save("container", "nothing", header(2, b"", 0))

# ---- manifests
def as_text(files):
    return b"\n".join(b"@" + name.encode() + b"\n" + data for name, data in files.items())


def words_of(value):
    if isinstance(value, dict):
        for key, v in value.items():
            yield '"%s"' % key
            yield from words_of(v)
    elif isinstance(value, list):
        for v in value:
            yield from words_of(v)
    elif isinstance(value, str):
        yield '"%s"' % value


e1, rich = good.e1(), good.rich()
texts = {name: data for name, data in e1.items() if not name.endswith(".asm")}
save("manifests", "e1", as_text({n: json.dumps(json.loads(d)).encode() if n.endswith(".json") else d for n, d in texts.items()}))
save("manifests", "rich", as_text(rich))
for key in ("dma_queue", "ucode_lib", "dma", "replica_groups"):
    graph = json.loads(rich["sg00/def.json"])
    del graph[key]
    save("manifests", "rich-no-" + key, as_text({**rich, "sg00/def.json": json.dumps(graph).encode()}))
bad_vars = {"b%d" % i: {"type": "bad", "var_id": i} for i in range(60)}
save("manifests", "bad-vars", as_text({**texts, "sg00/def.json": json.dumps({"var": bad_vars}).encode()}))
kelp = {("kelp.json" if n == "neff.json" else n): d for n, d in texts.items()}
save("manifests", "kelp", as_text(kelp))
words = [w for d in list(rich.values()) + list(e1.values()) if d[:1] == b"{" for w in words_of(json.loads(d))]
words += ['"%s"' % w for w in "min max transpose copy shared sharded main sunda mariana v2 v3 v4 * kelp.json size element_size fabric_path opcode".split()]
words += ["\n@sg00/", "\n@", "-1", "18446744073709551615", "18446744073709551616", "4294967296", "9223372036854775807", "null", "true", "[]", "{}"]
save_dict("manifests", words)

# ---- programs that load, and source folders
pool = b"".join(good.slot(op) for op in (0xA0, 0xA6, 0xA2, 0xB1)) + e1["sg00/pool.bin"]
save("load", "e1", as_text({n: json.dumps(json.loads(d)).encode() if n.endswith(".json") else d for n, d in texts.items()}))
save("load", "slots", as_text({**texts, "sg00/pool.bin": pool}))
save("load", "opcodes", as_text({**texts, "sg00/act.bin": b"".join(good.slot(op) for op in range(0xA0, 0xE0, 4))}))
save_dict("load", words)
for name in os.listdir(good.E1 + "/sg00"):
    if name.endswith(".hex"):
        save("source", name, open(good.E1 + "/sg00/" + name, "rb").read())
save("source", "header", open(good.E1 + "/header.json", "rb").read())
save("source", "repeat", b"00: 01 02 03\n*\n400:\n400: ff # x\n10000:\n")
save_dict("source", ["\n*\n", "10000000:", "ffffffff:", "00: ", "# "] + ['"%s":' % k for k in (
    "pkg_version version_major version_minor build_version name unused_0 uuid requested_tpb_count vnc_size tpb_per_node "
    "feature_bits archive members file_mode dir_mode uid gid mtime uname gname gzip header_size data_size hash").split()])

# ---- json
for name, text in {
    "e1": e1["sg00/def.json"], "rich": rich["sg00/def.json"],
    "numbers": b"[0, -0, 1e5, -1.5E+300, 18446744073709551615, 18446744073709551616, -9223372036854775808, 0.1]",
    "strings": '["\\u00e9\\ud83d\\ude00\\n\\"\\\\\\/\\b\\f\\r\\t", "\u00e9\u20ac\U0001f600", ""]'.encode(),
    "duplicates": b'{"a": 1, "b": {"a": 2, "a": 3}, "a": [], "": null}',
    "many": json.dumps({"k%d" % (i % 20): i for i in range(40)}).encode()[:-1] + b', "k1": 2, "k19": 1}',
    "deep": b"[" * 100 + b"]" * 100, "space": b" \t\r\n[ ] \n", "words": b"[true, false, null]",
}.items():
    save("json", name, text)
save_dict("json", ["true", "false", "null", '"a":', "{}", "[]", "\\u0000", "\\ud800", "\\udc00", "\\u00", "1e", "-0", "18446744073709551615"])

# ---- npy
for name, data in {
    "u1": good.npy(b"abc"), "f4": good.npy(b"", "<f4"), "v2": good.npy(b"abc", major=2), "v3": good.npy(b"x", major=3),
    "scalar": b"\x93NUMPY\x01\0" + struct.pack("<H", 57) + b"{'descr': '>i8', 'fortran_order': False, 'shape': (), }".ljust(56) + b"\n" + bytes(8),
    "fortran": b"\x93NUMPY\x01\0" + struct.pack("<H", 62) + b"{\"shape\":(2,3),\"fortran_order\":True,\"descr\":\"<U2\"}".ljust(61) + b"\n" + bytes(48),
}.items():
    save("npy", name, data)
save_dict("npy", ["'descr'", "'fortran_order'", "'shape'", "True", "False", "(", ")", "'<f4'", "'|S4'", "'<U1'", "18446744073709551616", "\x93NUMPY\x01"])

# ---- slots: every opcode with payload 0 and with one bit per byte; the texts are committed, their words are a dictionary
for dialect, size in ((0, 64), (1, 64), (2, 8)):
    for first in range(0, 256, 16):
        code = b""
        for op in range(first, first + 16):
            code += bytes([op, 0x10]) + bytes(size - 2)
            code += bytes([op, 0x10]) + bytes(1 << (i + op) % 8 if i > 7 else 0 for i in range(2, size))
        save("disasm", "%d-%02x" % (dialect, first), bytes([dialect]) + code)
texts_dir = os.path.join(here, "seeds", "asm")
found = set()
for name in os.listdir(texts_dir):
    with open(os.path.join(texts_dir, name)) as f:
        found.update(w for w in re.findall(r"[A-Za-z_.@$]+[A-Za-z0-9_.=]*|[-<>=!{}\[\]]+", f.read()) if 1 < len(w) < 40)
save_dict("asm", found)

# ---- kernel libraries
def kernel_libraries():
    elf = good.elf_corpus()
    for name, _, image in elf.out[:: max(1, len(elf.out) // 30)]:
        save("q7_elf", "corpus-" + name, image)
    save("q7_elf", "good", bytes(elf.GOOD))


kernel_libraries()

# ---- metaneff
def varint(v):
    v &= (1 << 64) - 1
    out = b""
    while v > 127:
        out, v = out + bytes([v & 127 | 128]), v >> 7
    return out + bytes([v])


def field(number, value):
    """A number is a varint field, bytes and text are of length-delimited ones."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def tensor(name, shape, dtype, kind, *more):
    return field(1, name) + field(2, b"".join(varint(n) for n in shape)) + field(3, dtype) + b"".join(more) + field(7, kind)


config = b"".join(field(i, 1) for i in range(1, 7))
binding = (field(1, tensor("input0", [2, 3], 1, 1, field(8, "x"))) + field(1, tensor("input1", [4], 7, 1))
           + field(1, tensor("SB", [], 0, 2, field(5, 1), field(6, "key"))) + field(1, tensor("w", [8], 6, 3, field(4, b"weights")))
           + field(2, tensor("output0", [2, 3], 1, 1)) + field(2, tensor("output1", [4], 7, 1)) + field(3, config)
           + field(4, b"graph") + field(5, "model") + field(6, field(1, 0) + field(2, 0)) + field(6, field(1, 1) + field(2, 1))
           + field(7, 2) + field(8, 1) + field(9, 1))
save("metaneff", "worked", bytes.fromhex("0a120a06696e7075743012040101012018013801"))
save("metaneff", "binding", binding)
save("metaneff", "unpacked", field(1, field(1, "input0") + field(2, 2) + field(2, 3) + field(3, 99) + field(7, 99)) + field(100, 5) + field(101, "x"))
save("metaneff", "negative", field(1, tensor("input0", [-1, 1 << 62], 9, 1)) + field(6, field(1, -1) + field(2, 7)) + field(7, -1))
save("metaneff", "fixed", b"\x55" + bytes(4) + b"\x59" + bytes(8) + field(1, b""))
save_dict("metaneff", ["input0", "input1", "output0", "output1", "SB", "w", "key"])

# ---- waves: declarations of every kind with a few steps; faults of the FST harness, whose files it makes itself
vcd_head = "$timescale 1ns $end\n$scope module t $end\n"
vcd_vars = ('$var wire 1 ! a $end\n$var reg 9 abcd b [8:0] $end\n$var real 64 " r $end\n$var string 1 # s $end\n'
            '$var event 1 $ e $end\n$var wire 3 ! c $end\n$var port [1:0] <0 p $end\n')
vcd_body = "$upscope $end\n$enddefinitions $end\n"
vcd_steps = ("$dumpvars\n0!\nb1x abcd\nr0.5 \"\n$end\n#5\n1!\nbz01 abcd\nsa\\\\x20b #\n1$\n#9\n$comment x $end\n"
             "pDU 6 6 <0\nr1e3 \"\n#12\nx!\n")
save("vcd", "whole", (vcd_head + vcd_vars + vcd_body + vcd_steps).encode())
save("vcd", "crlf", (vcd_head + vcd_vars + vcd_body + vcd_steps).replace("\n", "\r\n").replace(" ", "\t").encode())
save("vcd", "small", b"$var wire 2 ! a $end $enddefinitions $end #1 b10 ! #2 1! #3 ")
save("vcd", "cut", (vcd_head + vcd_vars + vcd_body + vcd_steps + "#13").encode())
save_dict("vcd", ["$var ", "$end", "$scope module x $end", "$upscope $end", "$enddefinitions $end", "$dumpvars", "$dumpoff",
                  "$comment", "$timescale", "$timezero", "$x", "#", "b", "r", "s", "p", "real", "string", "event", "wire",
                  "port", "[3:0]", "99999999999999999999", "16777216", "nan", "-inf", "1e", "\\x20", " !", "ps", "244 ns"])
for which in range(6):
    save("fst", "base-%d" % which, bytes([which]))
    save("fst", "incomplete-%d" % which, bytes([0x80 | which]))
    save("fst", "number-%d" % which, bytes([which, 5, 1, 75, 4, 0, 2, 20, 255]))
ring = struct.pack("<IQIcI8sI8sI", 2**32 - 1, 5, 0, b"1", 1, b"01xzuwhl", 0, b"0", 2**32 - 2)
save("fst", "ring", b"\x07" + struct.pack(">H", len(ring)) + ring)
long_item = struct.pack("<IQIII2s", 2**32 - 1, 7, 2**32 - 3, 4, 6, b"ab")
save("fst", "ring-long", b"\x07" + struct.pack(">H", len(long_item)) + long_item + struct.pack(">H", 8) + b"cdef" + struct.pack("<I", 2**32 - 2))
