#!/usr/bin/env python3
"""Hostile NEFF files, each made from a good one by one change: make.py FOLDER writes FOLDER/NAME.neff

table.txt says what must happen to each. Size and digest in the header are made right again after a change, so that a
file is refused for its own reason and not for its digest. Names that start with "ok-" are odd, but must load.
"""
import gzip
import hashlib
import io
import json
import os
import struct
import sys
import tarfile
import zlib

sys.dont_write_bytecode = True
import good

E1, RICH = good.e1(), good.rich()
DEF, POOL, PE, ACT, DVE, NEFF, KELF = (
    "sg00/def.json", "sg00/pool.json", "sg00/pe.json", "sg00/act.json", "sg00/dve.json", "neff.json", "kelf-a.json")
UCODE = "sg00/ucode_lib.json"
GIB8 = 8 << 30
cases = {}


# ---- the layers of a file
def header(window, pkg=2, major=1, features=0, size=None, header_size=1024, digest=None):
    h = bytearray(1024)
    struct.pack_into("<5Q", h, 0, pkg, header_size, len(window) if size is None else size, major, 0)
    struct.pack_into("<I", h, 0xA8, 1)
    md5 = hashlib.md5(window).digest() + b"0" * 16
    h[0xAC:0xCC] = digest or (hashlib.sha256(window).digest() if pkg == 1 else md5)
    h[0xCC:0xDC] = bytes.fromhex("561826fb125f4bb8991c29e085c8949a")
    h[0xDC:0xE0] = b"evil"
    struct.pack_into("<I", h, 0x1DC, 1)
    struct.pack_into("<Q", h, 0x220, features)
    struct.pack_into("<I", h, 0x228, 1)
    return bytes(h)


def neff(window, **fields):
    return header(window, **fields) + window


def entry(name, data=b"", size=None, kind=b"0", link=b"", magic=b"ustar  \0", checksum=None):
    """A tar header with its data; size may be a number or the 12 bytes of the field."""
    h = bytearray(512)
    h[: len(name)] = name
    h[100:136] = b"0000644\0" + b"0000000\0" * 2 + (size if isinstance(size, bytes) else b"%011o\0" % (len(data) if size is None else size))
    h[136:148] = b"00000000000\0"
    h[156:157] = kind
    h[157 : 157 + len(link)] = link
    h[257:265] = magic
    h[148:156] = b"        "
    h[148:156] = b"%06o\0 " % (sum(h) if checksum is None else checksum)
    return bytes(h) + data + bytes(-len(data) % 512)


END = bytes(1024)


def big(n):
    """base-256 form of a size field."""
    return (n & (1 << 96) - 1 | 1 << 95).to_bytes(12, "big")


def entries(files):
    return b"".join(entry(n.encode(), d) for n, d in files.items())


def tar(files, more=b""):
    return entries(files) + more + END


def zipped(data):
    return gzip.compress(data, 1, mtime=0)


def archive(files, more=b""):
    return neff(zipped(tar(files, more)))


# ---- changes of members
def put(files, member, *path_and_value):
    """files with one value of a JSON member set."""
    *path, last, value = path_and_value
    j = json.loads(files[member])
    at = j
    for key in path:
        at = at[key]
    at[last] = value
    return {**files, member: json.dumps(j).encode()}


def drop(files, member, *path):
    *way, last = path
    j = json.loads(files[member])
    at = j
    for key in way:
        at = at[key]
    del at[last]
    return {**files, member: json.dumps(j).encode()}


def swap(files, member, old, new):
    assert old in files[member], (member, old)
    return {**files, member: files[member].replace(old, new, 1)}


def without(files, *members):
    return {n: d for n, d in files.items() if n not in members}


def case(name, image):
    assert name not in cases, name
    cases[name] = image


def e1(name, files):
    case(name, archive(files))


rich = e1
whole = archive(E1)
window = whole[1024:]
E1_TAR = tar(E1)

# ---- header: the reject ladder (section 3)
case("empty", b"")
case("header-cut", whole[:1023])
case("header-alone", whole[:1024])
case("header-size-of-the-file", neff(window, header_size=len(whole)))
case("header-size-small", neff(window, header_size=512))
case("header-size-huge", neff(window, header_size=2**64 - 1))
case("major-3", neff(window, major=3))
case("major-huge", neff(window, major=2**64 - 1))
case("feature-bit-27", neff(window, major=2, features=1 << 27))
case("feature-bit-40", neff(window, major=2, features=1 << 40 | 1))
case("feature-bits-all", neff(window, major=2, features=2**64 - 1))
case("data-size-one-more", neff(window, size=len(window) + 1))
case("data-size-wraps", neff(window, size=2**64 - 1024))
case("data-size-8-gib", neff(window, size=GIB8))
case("data-size-short", whole[:-1])
case("data-size-0", neff(b"", size=0) + window)
case("package-0", neff(window, pkg=0))
case("package-3", neff(window, pkg=3))
case("md5-wrong", neff(window, digest=b"\1" * 32))
case("md5-of-the-tar", neff(window, digest=hashlib.md5(E1_TAR).digest() + b"0" * 16))
case("sha256-wrong", neff(E1_TAR, pkg=1, digest=b"\1" * 32))
case("sha256-half-right", neff(E1_TAR, pkg=1, digest=hashlib.sha256(E1_TAR).digest()[:16] + bytes(16)))
case("order-version-before-size", neff(window, major=3, size=GIB8, pkg=3))
case("order-features-before-size", neff(window, major=2, features=1 << 30, size=GIB8))
case("order-size-before-package", neff(window, size=GIB8, pkg=3))
case("order-package-before-digest", neff(window, pkg=3, digest=b"\1" * 32))
case("ok-feature-bit-40-major-1", neff(window, features=1 << 40))
case("ok-feature-bit-63", neff(window, major=2, features=1 << 63))
case("ok-bytes-behind-the-window", whole + b"trailing bytes")
case("ok-package-1-gzip", neff(window, pkg=1))
case("ok-package-2-bare", neff(E1_TAR))

# ---- gzip (section 5)
deflated = window[10:-8]


def gzip_header(flags, more=b""):
    return b"\x1f\x8b\x08" + bytes([flags]) + bytes(5) + b"\x03" + more


def member(deflate, plain, flags=0, more=b""):
    return gzip_header(flags, more) + deflate + struct.pack("<II", zlib.crc32(plain), len(plain))


case("gzip-cut-header", neff(window[:9]))
case("gzip-cut-deflate", neff(window[: len(window) // 2]))
case("gzip-cut-crc", neff(window[:-7]))
case("gzip-cut-isize", neff(window[:-1]))
case("gzip-crc-wrong", neff(window[:-8] + bytes([window[-8] ^ 1]) + window[-7:]))
case("gzip-isize-wrong", neff(window[:-4] + struct.pack("<I", len(E1_TAR) + 512)))
case("gzip-flag-reserved", neff(window[:3] + b"\x20" + window[4:]))
case("gzip-method-7", neff(window[:2] + b"\7" + window[3:]))
case("gzip-extra-cut", neff(gzip_header(4, struct.pack("<H", 65535)) + deflated))
case("gzip-name-open", neff(gzip_header(8, b"x" * 60)))
case("gzip-comment-open", neff(gzip_header(16, b"x" * 60)))
case("gzip-header-crc-wrong", neff(member(deflated, E1_TAR, 2, b"\0\0")))
case("gzip-header-crc-cut", neff(gzip_header(2, b"\0")))
case("gzip-second-member-crc", neff(window + window[:-8] + bytes(4) + window[-4:]))
case("gzip-second-member-cut", neff(window + window[:20]))
case("gzip-second-member-method", neff(window + window[:2] + b"\7" + window[3:]))
case("gzip-block-type-3", neff(gzip_header(0, b"\x07") + bytes(20)))
case("gzip-stored-length", neff(gzip_header(0, b"\x01\x05\x00\x00\x00hello") + bytes(8)))
case("gzip-distance-too-far", neff(gzip_header(0, bytes.fromhex("4b4c02110000")) + bytes(8)))
case("gzip-bomb", neff(zipped(tar({**E1, "zeros": bytes(64 << 20)}))))
fields = gzip_header(0x1E, struct.pack("<H", 5) + b"extra" + b"name\0comment\0")
fields += struct.pack("<H", zlib.crc32(fields) & 0xFFFF)
case("ok-gzip-all-fields", neff(fields + deflated + window[-8:]))
half = len(E1) // 2 * 512
case("ok-gzip-two-members", neff(zipped(E1_TAR[:half]) + zipped(E1_TAR[half:])))
case("ok-gzip-zeros-behind", neff(window + bytes(10240)))

# ---- tar (section 6)
rest = entries(E1)


def with_entry(name, *args, **kinds):
    case(name, neff(zipped(rest + entry(*args, **kinds) + END)))


def pax(*records, kind=b"x"):
    return entry(b"pax", b"".join(records), kind=kind)


def record(text):
    n = len(text) + 2
    while len("%d %s\n" % (n, text)) != n:
        n = len("%d %s\n" % (n, text))
    return b"%d %s\n" % (n, text.encode())


case("tar-empty", neff(zipped(bytes(10240))))
case("tar-noise", neff(zipped(b"\xa5" * 10240)))
case("tar-cut-member", neff(zipped(E1_TAR[:1000])))
case("tar-cut-header", neff(zipped(rest + entry(b"x")[:300])))
with_entry("tar-checksum-wrong", b"x", b"data", checksum=1234)
case("tar-checksum-wrong-first", neff(zipped(entry(b"x", checksum=1234) + rest + END)))
with_entry("tar-size-no-octal", b"x", b"data", size=b"0000000000z\0")
with_entry("tar-size-one-more", b"x", bytes(512), size=512 + 1024 + 1)
with_entry("tar-size-8-gib", b"x", b"data", size=big(GIB8))
with_entry("tar-size-octal-8-gib", b"x", b"data", size=b"77777777777\0")
with_entry("tar-size-2-63", b"x", b"data", size=big(1 << 63))
with_entry("tar-size-negative", b"x", b"data", size=b"\xff" * 12)
case("tar-pax-size-8-gib", neff(zipped(rest + pax(record("size=%d" % GIB8)) + entry(b"x", b"data") + END)))
case("tar-pax-size-negative", neff(zipped(rest + pax(record("size=-1")) + entry(b"x", b"data") + END)))
case("tar-pax-length-wrong", neff(zipped(rest + pax(b"99 path=x\n") + entry(b"x", b"data") + END)))
case("tar-pax-length-missing", neff(zipped(rest + pax(b"path=x\n") + entry(b"x", b"data") + END)))
case("tar-pax-path-up", neff(zipped(rest + pax(record("path=../../passwd")) + entry(b"x", b"data") + END)))
case("tar-gnu-long-name-up", neff(zipped(rest + entry(b"././@LongLink", b"../" * 40 + b"x\0", kind=b"L") + entry(b"x", b"data") + END)))
with_entry("tar-path-absolute", b"/etc/passwd", b"x")
with_entry("tar-path-up", b"../passwd", b"x")
with_entry("tar-path-up-inside", b"sg00/../../passwd", b"x")
with_entry("tar-path-up-at-end", b"sg00/..", b"x")
with_entry("tar-path-dot-up", b"./../passwd", b"x")
with_entry("tar-path-dot-absolute", b".//etc/passwd", b"x")
with_entry("tar-path-empty", b"", b"x")
with_entry("tar-prefix-up", b"passwd\0" + bytes(338) + b"..", b"x", magic=b"ustar\x0000")
case("tar-neff-json-is-a-link", archive(without(E1, NEFF), entry(NEFF.encode(), kind=b"2", link=b"/etc/passwd")))
case("tar-program-is-a-hard-link", archive(without(E1, "sg00/pool.bin"), entry(b"sg00/pool.bin", kind=b"1", link=b"sg00/pe.bin")))
case("tar-def-is-a-device", archive(without(E1, DEF), entry(DEF.encode(), kind=b"3")))
case("tar-def-is-a-fifo", archive(without(E1, DEF), entry(DEF.encode(), kind=b"6")))
case("tar-def-is-a-folder", archive(without(E1, DEF), entry(DEF.encode() + b"/", kind=b"5")))
case("tar-duplicate-last-is-bad", archive(E1, entry(DEF.encode(), b"{")))
case("tar-name-in-other-case", archive({**without(E1, NEFF), "NEFF.json": E1[NEFF]}))
case("tar-name-skipped-by-suffix", archive(without(put(E1, NEFF, "nodes", 1, "attrs", "kelf", "xwavegraph-bin.json"), KELF), entry(b"xwavegraph-bin.json", E1[KELF])))
case("ok-tar-duplicate-last-is-good", archive({}, entry(DEF.encode(), b"{") + rest))
case("ok-tar-dot-names", neff(zipped(b"".join(entry(b"./" + n.encode(), d) for n, d in E1.items()) + END)))
case("ok-tar-link-beside", archive(E1, entry(b"link", kind=b"2", link=b"../../x")))
case("ok-tar-base-256", neff(zipped(b"".join(entry(n.encode(), d, size=big(len(d))) for n, d in E1.items()) + END)))
case("ok-tar-pax", neff(zipped(pax(record("comment=all"), kind=b"g") + b"".join(
    pax(record("path=" + n), record("size=%d" % len(d))) + entry(b"short", d) for n, d in E1.items()) + END)))
case("ok-tar-side-file-skipped", archive(E1, entry(b"sg00/wavegraph-bin.json", b"not json")))

# ---- members that are named and absent
for name, files in {
    "member-missing-kelf": without(E1, KELF), "member-missing-def": without(E1, DEF),
    "member-missing-engine": without(E1, POOL), "member-missing-program": without(E1, "sg00/pool.bin"),
    "member-missing-weight": without(RICH, "sg00/w.bin"), "member-missing-npy": without(RICH, "sg00/w.npy"),
    "member-missing-ucode": without(RICH, UCODE), "member-missing-library": without(RICH, "sg00/lib.so"),
    "member-missing-table": without(RICH, "sg00/opcode.bin"), "member-missing-neff": without(E1, NEFF),
}.items():
    e1(name, files)
e1("ok-member-kelp", {("kelp.json" if n == NEFF else n): d for n, d in E1.items()})

# ---- JSON (section 8)
GRADIENT = b'"gradient_in"'
for name, old, new in (
    ("json-nul-raw", GRADIENT, b'"gradient\0in"'),
    ("json-nul-escape", GRADIENT, b'"gradient\\u0000in"'),
    ("json-half-surrogate", GRADIENT, b'"\\ud800"'),
    ("json-low-surrogate", GRADIENT, b'"\\udc00x"'),
    ("json-latin-1", GRADIENT, b'"gradient_\xe9n"'),
    ("json-utf8-overlong", GRADIENT, b'"gradient\xc0\xafin"'),
    ("json-utf8-surrogate", GRADIENT, b'"\xed\xa0\x80"'),
    ("json-utf8-too-large", GRADIENT, b'"\xf4\x90\x80\x80"'),
    ("json-utf8-cut", GRADIENT, b'"\xe2\x82"'),
    ("json-control-character", GRADIENT, b'"gradient\nin"'),
    ("json-escape-unknown", GRADIENT, b'"gradient\\xin"'),
    ("json-comment", b"{", b"{ // comment\n"),
    ("json-comma-too-many", b'"act"', b', "act"'),
    ("json-comma-missing", b",", b""),
    ("json-single-quotes", GRADIENT, b"'gradient_in'"),
    ("json-key-without-quotes", GRADIENT, b"gradient_in"),
    ("json-number-leading-zero", b": 128", b": 0128"),
    ("json-number-hex", b": 128", b": 0x80"),
    ("json-number-plus", b": 128", b": +128"),
    ("json-number-nan", b": 128", b": NaN"),
    ("json-number-64-digits", b": 128", b": " + b"1" * 64),
    ("json-number-million-digits", b": 128", b": " + b"1" * 1000000),
    ("json-literal-in-capitals", b": 128", b": True"),
):
    e1(name, swap(E1, DEF, old, new))
e1("json-byte-order-mark", {**E1, DEF: b"\xef\xbb\xbf" + E1[DEF]})
e1("json-bytes-behind", {**E1, DEF: E1[DEF] + b"x"})
e1("json-nul-behind", {**E1, DEF: E1[DEF] + b"\0"})
e1("json-cut", {**E1, DEF: E1[DEF][: len(E1[DEF]) // 2]})
e1("json-empty", {**E1, DEF: b""})
e1("json-space-only", {**E1, DEF: b" \n"})
e1("json-deep-101", {**E1, DEF: b'{"x":' + b"[" * 100 + b"]" * 100 + b"}"})
e1("json-deep-million", {**E1, NEFF: b"[" * 1000000})
e1("json-root-array", {**E1, DEF: b"[]"})
e1("json-root-number", {**E1, KELF: b"0.5"})
e1("json-values-bomb", {**E1, DEF: b"[" + b"[]," * (1 << 25) + b"0]"})
e1("json-key-twice-first-counts", swap(E1, DEF, b'"act"', b'"act": 1, "act"'))
e1("json-key-in-other-case", swap(E1, DEF, b'"var"', b'"Var"'))
e1("ok-json-key-twice-first-is-good", swap(E1, DEF, b'"act": "act.json"', b'"act": "act.json", "act": 1'))
e1("ok-json-deep-100", {**E1, DEF: E1[DEF].rstrip()[:-1] + b',"x":' + b"[" * 99 + b"]" * 99 + b"}"})
many = json.loads(E1[DEF])
many["var"].update({"v%d" % i: {"type": "tmp-buf", "size": 64, "var_id": 5 + i} for i in range(100000)})
e1("ok-json-hundred-thousand-variables", {**E1, DEF: json.dumps(many).encode()})

# ---- neff.json (section 9)
e1("neff-nodes-missing", drop(E1, NEFF, "nodes"))
e1("neff-heads-missing", drop(E1, NEFF, "heads"))
e1("neff-attrs-missing", drop(E1, NEFF, "attrs"))
e1("neff-dltype-missing", drop(E1, NEFF, "attrs", "dltype"))
e1("neff-dltype-no-list", put(E1, NEFF, "attrs", "dltype", ["list_str", "float32"]))
e1("neff-shape-no-list", put(E1, NEFF, "attrs", "shape", ["list_shape", 3]))
e1("neff-entry-beyond-tables", put(E1, NEFF, "node_row_ptr", [0, 7, 8]))
e1("neff-head-beyond-nodes", put(E1, NEFF, "heads", [[9, 0, 0]]))
e1("neff-arg-beyond-nodes", put(E1, NEFF, "arg_nodes", [9]))
e1("neff-arg-negative", put(E1, NEFF, "arg_nodes", [-1]))
e1("neff-row-ptr-short", put(E1, NEFF, "node_row_ptr", [0, 1]))
e1("neff-33-dimensions", put(E1, NEFF, "attrs", "shape", ["list_shape", [[1] * 33, [32]]]))
e1("neff-size-overflow", put(E1, NEFF, "attrs", "shape", ["list_shape", [[4294967295] * 3, [32]]]))
e1("neff-kelf-node-missing", put(E1, NEFF, "nodes", 1, "attrs", "func_name", "cpu"))
e1("neff-kelf-name-missing", drop(E1, NEFF, "nodes", 1, "attrs", "kelf"))
e1("neff-kelf-name-a-number", put(E1, NEFF, "nodes", 1, "attrs", "kelf", 1))

# ---- kelf (section 10)
e1("kelf-version-missing", drop(E1, KELF, "version"))
e1("kelf-version-without-point", put(E1, KELF, "version", "5"))
e1("kelf-version-a-number", put(E1, KELF, "version", 0.5))
e1("kelf-target-unknown", put(E1, KELF, "target", "v9"))
e1("kelf-target-in-capitals", put(E1, KELF, "target", "Cayman"))
e1("kelf-target-other-chip", put(E1, KELF, "target", "sunda"))
e1("kelf-graphs-missing", drop(E1, KELF, "graphs"))
e1("kelf-graphs-none", put(E1, KELF, "graphs", []))
e1("kelf-257-graphs", put(E1, KELF, "graphs", [{"name": "g%d" % i, "definition": DEF} for i in range(257)]))
e1("kelf-graph-twice", put(E1, KELF, "graphs", [{"name": "g", "definition": DEF}] * 2))
e1("kelf-graph-without-definition", drop(E1, KELF, "graphs", 0, "definition"))
e1("kelf-definition-up", put(E1, KELF, "graphs", 0, "definition", "../../../etc/passwd"))

# ---- variables (sections 11 and 12)
e1("var-table-missing", drop(E1, DEF, "var"))
e1("var-table-a-list", put(E1, DEF, "var", []))
e1("var-none", put(E1, DEF, "var", {}))
e1("var-id-gap", put(E1, DEF, "var", "output", "var_id", 9))
e1("var-id-twice", put(E1, DEF, "var", "output", "var_id", 3))
e1("var-id-twice-the-highest", put(E1, DEF, "var", "output", "var_id", 4))
e1("var-id-2-32", put(E1, DEF, "var", "output", "var_id", 1 << 32))
e1("var-id-negative", put(E1, DEF, "var", "output", "var_id", -1))
e1("var-id-missing", drop(E1, DEF, "var", "output", "var_id"))
e1("var-no-output", put(E1, DEF, "var", "output", "type", "tmp-buf"))
e1("var-type-missing", drop(E1, DEF, "var", "input", "type"))
e1("var-type-unknown", put(E1, DEF, "var", "input", "type", "inout"))
e1("var-size-missing", drop(E1, DEF, "var", "input", "size"))
e1("var-size-0", put(E1, DEF, "var", "input", "size", 0))
e1("var-size-negative", put(E1, DEF, "var", "input", "size", -1))
e1("var-size-fraction", put(E1, DEF, "var", "input", "size", 1.5))
e1("var-size-2-64", put(E1, DEF, "var", "input", "size", 1 << 64))
e1("var-size-a-string", put(E1, DEF, "var", "input", "size", "128"))
e1("var-alignment-3", put(E1, DEF, "var", "input", "alignment", 3))
e1("var-alignment-0", put(E1, DEF, "var", "input", "alignment", 0))
e1("var-dtype-300-characters", put(E1, DEF, "var", "input", "dtype", "f" * 300))
e1("var-shape-9-dimensions", put(E1, DEF, "var", "input", "shape", [1] * 9))
e1("var-shape-negative", put(E1, DEF, "var", "input", "shape", [-32]))
bad = {"b%d" % i: {"type": "bad", "var_id": i} for i in range(1100)}
e1("var-1100-bad", put(E1, DEF, "var", bad))  # once a crash: looking stops before names are known
rich("pointer-of-4-bytes", put(RICH, DEF, "var", "pointer", "size", 4))
rich("pointer-to-nothing", put(RICH, DEF, "var", "pointer", "referenced_var_id", 99))
rich("pointer-without-target", drop(RICH, DEF, "var", "pointer", "referenced_var_id"))
rich("pointer-to-itself", put(RICH, DEF, "var", "pointer", "referenced_var_id", 7))
rich("pointer-loop", put(RICH, DEF, "var", "pointer2", "referenced_var_id", 7))
rich("list-missing", drop(RICH, DEF, "var", "list", "list"))
rich("list-of-strings", put(RICH, DEF, "var", "list", "list", ["tmp"]))
rich("virtual-backing-unknown", put(RICH, DEF, "var", "view", "backing_buf", "remote"))
rich("file-without-name", drop(RICH, DEF, "var", "weights", "file_name"))
rich("file-name-up", put(RICH, DEF, "var", "raw", "file_name", "../../etc/passwd"))

# ---- weights (section 18)
rich("npy-magic", {**RICH, "sg00/w.npy": b"\x94" + RICH["sg00/w.npy"][1:]})
rich("npy-version-2", {**RICH, "sg00/w.npy": good.npy(bytes(64), major=2)})
rich("npy-version-3", {**RICH, "sg00/w.npy": good.npy(bytes(64), major=3)})
rich("npy-9-bytes", {**RICH, "sg00/w.npy": RICH["sg00/w.npy"][:9]})
rich("npy-empty", {**RICH, "sg00/w.npy": b""})
rich("npy-header-beyond-the-file", {**RICH, "sg00/w.npy": RICH["sg00/w.npy"][:8] + b"\xff\xff" + RICH["sg00/w.npy"][10:]})

# ---- queues (section 13)
Q = "dma_queue"
e1("queue-owner-unknown", put(E1, DEF, Q, "q_gradient_in", "owner", "gpu"))
e1("queue-owner-missing", drop(E1, DEF, Q, "q_gradient_in", "owner"))
e1("queue-type-missing", drop(E1, DEF, Q, "q_gradient_in", "type"))
e1("queue-type-unknown", put(E1, DEF, Q, "q_gradient_in", "type", "inout"))
e1("queue-name-256-characters", put(E1, DEF, Q, "q" * 256, {"owner": "pe", "type": "data"}))
e1("queue-33-semaphores", put(E1, DEF, Q, "q", {"owner": "pe", "type": "data", "semaphore_set": list(range(33))}))
e1("queue-set-of-inputs", put(E1, DEF, Q, "q_gradient_in", "num_queues", 2))
e1("queue-33-queues", put(E1, DEF, Q, {"q%d" % i: {"owner": "pe", "type": "data"} for i in range(33)}))
rich("queue-act-load-twice", put(RICH, DEF, Q, "q_act2", {"owner": "act", "type": "act_load"}))
rich("queue-act-load-of-2", put(RICH, DEF, Q, "q_act", "num_queues", 2))
rich("queue-embedding-semaphore-twice", put(RICH, DEF, Q, "q_emb2", {"owner": "sp", "type": "embedding_update", "semaphore": 15, "embedding_update_sync_semaphore": 17}))

# ---- engines and DMA blocks (section 14)
D = ("dma", 0, "desc", 0)
e1("engine-name-a-number", put(E1, DEF, "pool", 5))
e1("engine-name-escape-sequence", put(E1, DEF, "pool", "\x1b[2J.json"))
e1("engine-name-up", put(E1, DEF, "pool", "../../etc/passwd"))
e1("engine-without-program", drop(E1, POOL, "instr"))
e1("block-queue-unknown", put(E1, POOL, "dma", 0, "queue", "q_nowhere"))
e1("block-id-missing", drop(E1, POOL, "dma", 0, "id"))
e1("block-without-desc", drop(E1, POOL, "dma", 0, "desc"))
e1("block-twice", put(E1, POOL, "dma", 1, "queue", "q_gradient_in"))
e1("block-priority-256", put(E1, POOL, "dma", 0, "priority_class", 256))
e1("desc-op-unknown", put(E1, POOL, *D, "op", "mul"))
e1("desc-from-unknown", put(E1, POOL, *D, "from", "nothing"))
e1("desc-from-missing", drop(E1, POOL, *D, "from"))
e1("desc-size-0", put(E1, POOL, *D, "from_sizes", [0, 1]))
e1("desc-9-dimensions", put(put(E1, POOL, *D, "from_sizes", [1] * 9), POOL, *D, "from_steps", [1] * 9))
e1("desc-steps-short", put(E1, POOL, *D, "from_steps", [1]))
e1("desc-sizes-overflow", put(E1, POOL, *D, "from_sizes", [1 << 62, 1 << 62]))
e1("desc-bytes-differ", put(E1, POOL, *D, "to_sizes", [64, 1]))
e1("desc-beyond-the-variable", put(E1, POOL, *D, "from_off", 1))
e1("desc-below-the-variable", put(E1, POOL, *D, "from_steps", [-1, 128]))
e1("desc-step-overflow", put(E1, POOL, *D, "from_steps", [-(1 << 63), 128]))
e1("desc-offset-2-64-1", put(E1, POOL, *D, "from_off", 2**64 - 1))
rich("desc-compute-without-dtype", drop(RICH, PE, *D, "to_dtype"))
rich("desc-33-sources", put(RICH, PE, *D, "from_arr", [good.pattern("from", "tmp", 32, from_dtype="float32")] * 33))
rich("desc-no-sources", put(RICH, PE, *D, "from_arr", []))
rich("desc-scale-dtype", put(RICH, PE, "dma", 0, "desc", 1, "scale_dtype", "float16"))
rich("act-semaphore-256", put(RICH, ACT, "act_semaphore", 256))
rich("act-26-profile-records", put(RICH, ACT, "profile_meta_data", [{}] * 26))
rich("dve-table-missing", put(RICH, DVE, "dve_tables", "control_slow_table", "none.bin"))

# ---- programs (sections 14 and 22)
e1("slot-half", swap({**E1, "sg00/pool.bin": E1["sg00/pool.bin"][:32]}, POOL, b"q", b"q"))
e1("slot-word-count", {**E1, "sg00/pool.bin": b"\xa0\x11" + E1["sg00/pool.bin"][2:]})
e1("slot-opcode-undefined", {**E1, "sg00/pool.bin": b"\x00\x10" + bytes(62) + E1["sg00/pool.bin"]})
e1("slot-noise", {**E1, "sg00/pool.bin": bytes(range(7, 71)) + E1["sg00/pool.bin"][64:]})
e1("slot-trigger-unknown-queue", {**E1, "sg00/pool.bin": good.trigger("q_nowhere", 0) + E1["sg00/pool.bin"][64:]})
e1("slot-trigger-unknown-block", {**E1, "sg00/pool.bin": good.trigger("q_gradient_in", 7) + E1["sg00/pool.bin"][64:]})
e1("slot-sp-7-bytes", {**E1, "sg00/sp.bin": bytes(7)})

# ---- ucode_lib (section 15)
L = ("ucode_lib", 0)
LIBRARY = json.loads(RICH[UCODE])["ucode_lib"][0]
rich("ucode-version-missing", drop(RICH, UCODE, *L, "ulib_to_ucode_version"))
rich("ucode-version-2", put(RICH, UCODE, *L, "ulib_to_ucode_version", "2.0.0.0"))
rich("ucode-version-text", put(RICH, UCODE, *L, "ulib_to_ucode_version", "latest"))
rich("ucode-cpu-1", put(RICH, UCODE, *L, "cpu_id", 1))
rich("ucode-cpu-missing", drop(RICH, UCODE, *L, "cpu_id"))
rich("ucode-2-cpus", put(RICH, UCODE, *L, "total_cpus", 2))
rich("ucode-library-missing", drop(RICH, UCODE, *L, "library"))
rich("ucode-library-twice", put(RICH, UCODE, "ucode_lib", [LIBRARY, LIBRARY]))
rich("ucode-functions-missing", drop(RICH, UCODE, *L, "functions"))
rich("ucode-function-without-opcode", drop(RICH, UCODE, *L, "functions", 0, "opcode"))
rich("ucode-opcode-300", put(RICH, UCODE, *L, "functions", 0, "opcode", 300))
rich("ucode-98-functions", put(RICH, UCODE, *L, "functions", [{"name": "f%d" % i, "opcode": 133, "sub_opcode": i} for i in range(98)]))
rich("ucode-29-functions", put(RICH, UCODE, *L, "functions", [{"name": "f%d" % i, "opcode": 133, "sub_opcode": i} for i in range(29)]))
rich("ucode-name-65-characters", put(RICH, UCODE, *L, "functions", 0, "name", "f" * 65))
rich("ucode-manifest-a-number", put(RICH, DEF, "ucode_lib", 5))
rich("ucode-manifest-cut", {**RICH, UCODE: RICH[UCODE][:40]})

# ---- collectives, streams, fp8, carveouts (sections 16 and 17)
e1("groups-no-lists", put(E1, DEF, "replica_groups", [5]))
e1("groups-rank-negative", put(E1, DEF, "replica_groups", [[[-1]]]))
e1("streams-a-string", put(E1, DEF, "num_streams", "2"))
rich("fp8-flag-a-number", put(RICH, DEF, "fp8_conversion_config", "ocp_sat", 1))
rich("fp8-emax-2-32", put(RICH, DEF, "fp8_conversion_config", "emax_fp8_e4m3", 1 << 32))
R = ("runtime_statebuffer_reservation",)
rich("carveout-type-unknown", put(RICH, DEF, *R, 0, "type", "evaccel"))
rich("carveout-start", put(RICH, DEF, *R, 0, "base_partition", 1))
rich("carveout-partitions", put(RICH, DEF, *R, 0, "partitions", 64))
rich("carveout-offset", put(RICH, DEF, *R, 0, "offset", 0x37FF0))
rich("carveout-size", put(RICH, DEF, *R, 0, "size", 16))
rich("carveout-key-missing", drop(RICH, DEF, *R))
rich("carveout-a-number", put(RICH, DEF, *R, 5))

# ---- what only loading can refuse
e1("load-tmp-buf-2-40", put(E1, DEF, "var", "gradient_in", "size", 1 << 40))
e1("load-output-2-64", put(E1, DEF, "var", "output", "size", 2**64 - 1))
e1("load-semaphore-of-the-runtime", put(E1, DEF, Q, "q_gradient_in", "semaphore", 300))

if __name__ == "__main__":
    for case_name, image in cases.items():
        with open(os.path.join(sys.argv[1], case_name + ".neff"), "wb") as f:
            f.write(image)
