#!/usr/bin/env python3
"""Hostile NEFF files, made from the equivalent file E1 (vectors/allreduce): make.py E1.neff FOLDER

Each NAME.neff gets a NAME.txt of one line: VERB CODE PATTERN | what is wrong. VERB is what must refuse it (info, or run
on the reference model), CODE its exit code, PATTERN (no blanks, `.` for them) what the sentence must match. Size and
digest in the header are made right again, so that a file is refused for its own reason and not for its digest.
"""
import gzip
import hashlib
import io
import json
import os
import struct
import sys
import tarfile

HEADER, DATA_SIZE, HASH = 1024, 0x10, 0xAC

e1 = open(sys.argv[1], "rb").read()
folder = sys.argv[2]
E1_TAR = gzip.decompress(e1[HEADER:])


def members():
    tar = tarfile.open(fileobj=io.BytesIO(E1_TAR))
    return {m.name: tar.extractfile(m).read() for m in tar.getmembers() if m.isfile()}


def tar_of(files):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return out.getvalue()


def sealed(window, header=e1[:HEADER]):
    """A file around a window: size and MD5 as they must be."""
    h = bytearray(header)
    struct.pack_into("<Q", h, DATA_SIZE, len(window))
    h[HASH : HASH + 32] = hashlib.md5(window).digest() + bytes(16)
    return bytes(h) + window


def save(name, verb, code, pattern, what, image):
    with open(os.path.join(folder, name + ".neff"), "wb") as f:
        f.write(image)
    with open(os.path.join(folder, name + ".txt"), "w") as f:
        f.write("%s %d %s | %s\n" % (verb, code, pattern, what))


def changed(member, change):
    """E1 with one member changed: text -> change(text), JSON -> change(document)."""
    files = members()
    if member.endswith(".json") and change.__code__.co_varnames[:1] == ("j",):
        j = json.loads(files[member])
        change(j)
        files[member] = json.dumps(j).encode()
    else:
        files[member] = change(files[member])
    return sealed(gzip.compress(tar_of(files)))


def put(*path_and_value):
    *path, last, value = path_and_value

    def change(j):
        for key in path:
            j = j[key]
        j[last] = value

    return change


def drop(*path):
    *way, last = path

    def change(j):
        for key in way:
            j = j[key]
        del j[last]

    return change


def patched(offset, data):
    return e1[:offset] + data + e1[offset + len(data) :]


DEF, POOL = "sg00/def.json", "sg00/pool.json"
T40 = 1 << 40

# ---- header
save("empty", "info", 2, "bytes", "a file of 0 bytes", b"")
save("header-cut", "info", 2, "bytes.received", "the file ends inside the header", e1[:700])
save("header-size-huge", "info", 2, "hdr.sz", "header_size 2^64-1", patched(8, b"\xff" * 8))
save("data-size-huge", "info", 2, "size", "data_size 2^64-1024 wraps to the file's size", patched(16, struct.pack("<Q", 2**64 - 1024)))
save("data-size-short", "info", 2, "size", "the file ends one byte early", e1[:-1])
save("package-3", "info", 1, "packager", "an unknown package version", patched(0, struct.pack("<Q", 3)))
save("feature-bit-40", "info", 1, "feature", "a feature bit nobody knows", patched(0x220, struct.pack("<Q", 1 << 40)))
save("digest", "info", 1, "hash|MD5", "one bit of the digest is wrong", patched(HASH, bytes([e1[HASH] ^ 1])))

# ---- gzip
window = e1[HEADER:]
save("gzip-cut", "info", 2, "gzip", "the deflate data ends early", sealed(window[:5000]))
save("gzip-crc", "info", 2, "CRC-32", "the CRC-32 of the trailer is wrong", sealed(window[:-8] + b"\0\0\0\0" + window[-4:]))
save("gzip-isize", "info", 2, "ISIZE", "the length of the trailer is wrong", sealed(window[:-4] + b"\0\0\0\0"))
save("gzip-flags", "info", 2, "gzip", "reserved flag bits are set", sealed(window[:3] + b"\xe0" + window[4:]))
save("gzip-name-open", "info", 2, "gzip", "a file name without its NUL", sealed(window[:3] + b"\x08" + window[4:10] + b"x" * 50))

# ---- tar
files = members()
save("tar-none", "info", 1, "neff.json", "an archive without members", sealed(gzip.compress(bytes(10240))))
save("tar-noise", "info", 2, ".", "no tar archive at all", sealed(gzip.compress(b"\xa5" * 10240)))
save("tar-cut", "info", 2, ".", "the archive ends inside a member", sealed(gzip.compress(E1_TAR[:1000])))
save("member-missing", "info", 1, "pool.bin", "the program of POOL is missing", sealed(gzip.compress(tar_of({k: v for k, v in files.items() if k != "sg00/pool.bin"}))))

# ---- manifests
save("json-deep", "info", 2, "100", "150 levels of nesting", changed("neff.json", lambda b: b"[" * 150 + b"]" * 150))
save("json-cut", "info", 2, "JSON|end", "def.json ends in the middle", changed(DEF, lambda b: b[: len(b) // 2]))
save("json-key-twice", "info", 1, "found.1", "a key stands twice: the first one, of the wrong type, counts", changed(DEF, lambda b: b.replace(b'"act"', b'"act": 1, "act"', 1)))
save("json-nul", "info", 2, ".", "a name holds a NUL", changed(DEF, lambda b: b.replace(b'"gradient_in"', b'"gradient\\u0000in"', 1)))
save("json-half-surrogate", "info", 2, ".", "half a surrogate pair", changed(DEF, lambda b: b.replace(b'"gradient_in"', b'"\\ud800"', 1)))
save("name-escape", "info", 1, "[^[:cntrl:]]", "a member name with an escape sequence for the terminal", changed(DEF, put("pool", "\x1b[2J.json")))
save("path-up", "info", 1, "passwd", "a member path out of the archive", changed(DEF, put("pool", "../../etc/passwd")))
save("var-id-gap", "info", 1, "var_id", "variable numbers with a hole", changed(DEF, put("var", "output", "var_id", 9)))
save("var-id-huge", "info", 1, "var_id", "a variable number of 2^32", changed(DEF, put("var", "output", "var_id", 1 << 32)))
save("var-none", "info", 1, ".", "no variables", changed(DEF, put("var", {})))
save("size-negative", "info", 1, "size", "a size below 0", changed(DEF, put("var", "input", "size", -1)))
save("size-fraction", "info", 1, "size", "a size of 1.5", changed(DEF, put("var", "input", "size", 1.5)))
save("alignment-3", "info", 1, "power.of.2", "an alignment of 3", changed(DEF, put("var", "input", "alignment", 3)))
save("dtype-long", "info", 1, "dtype", "a dtype of 300 characters", changed(DEF, put("var", "input", "dtype", "f" * 300)))

# ---- what only loading can refuse
save("tmp-buf-2-40", "run", 1, "HBM", "a tmp-buf of 2^40 bytes", changed(DEF, put("var", "gradient_in", "size", T40)))
save("input-2-40", "run", 1, "HBM", "an input of 2^40 bytes", changed(DEF, put("var", "input", "size", T40)))
save("output-2-64", "run", 1, "HBM", "an output of 2^64-1 bytes", changed(DEF, put("var", "output", "size", 2**64 - 1)))
save("copy-outside", "run", 1, "invalid.offset", "a copy beyond its variable", changed(POOL, put("dma", 0, "desc", 0, "from_off", 1)))
save("copy-huge", "run", 1, "64.bits", "a pattern of more than 2^64 bytes", changed(POOL, put("dma", 0, "desc", 0, "from_sizes", [1 << 62, 1 << 62])))
save("copy-uneven", "run", 1, "bytes", "source and destination of different size", changed(POOL, put("dma", 0, "desc", 0, "to_sizes", [64, 1])))
save("queue-unknown", "run", 1, "queue", "a block of a queue that is not declared", changed(POOL, put("dma", 0, "queue", "q_nowhere")))
save("semaphore-harness", "run", 1, "semaphore", "a queue on semaphore 300", changed(DEF, put("dma_queue", "q_gradient_in", "semaphore", 300)))
save("slot-noise", "run", 1, "slot.1", "a first slot of random bytes", changed("sg00/pool.bin", lambda b: bytes(range(7, 71)) + b[64:]))
save("slot-half", "run", 1, "64|slot", "a program of half a slot", changed("sg00/pool.bin", lambda b: b[:32]))
save("reservation-missing", "run", 1, "runtime_statebuffer_reservation", "a file of an old compiler", changed(DEF, drop("runtime_statebuffer_reservation")))
