#!/usr/bin/env python3
"""Prelinks kernel libraries of a real toolchain and compares with what its linker makes at the same addresses.

usage: tests/q7/oracle/oracle.py NEFFSIM TOOLS WORK      TOOLS: the folder that scripts/xtensa_binutils made

Every library (the .S files of this folder, programs.py and examples/q7) is assembled once, linked with scripts/q7_link,
prelinked by neffsim for several pairs of windows, and linked again with code and data at those addresses. Code and data
of both must be the same bytes. Then:
 - the same with addends: each word's relocation gets a random addend and the word what is left of the sum;
 - headers, segments, dynamic section and relocations as `prelink --map --json` shows them against readelf;
 - damage: an entry changed so that the prelinker still succeeds must make the comparison fail.
Prints "N passed, N failed".
"""
import glob
import json
import os
import random
import re
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "..", "..", ".."))
sys.path.insert(0, HERE)
import programs  # noqa: E402

NEFFSIM, TOOLS, WORK = sys.argv[1:]
RELATIVE, SLOT0_OP, SLOT0_ALT = 5, 20, 35
HEADER = 0x20
# options of prelink, code and data window. The second: data below code; the others: no relation to the product's.
WINDOWS = [([], 0x18000, 0xBE000), (["--arch", "sunda"], 0x5500, 0x8E000),
           (None, 0x80000, 0x7E000), (None, 0x12345680, 0x00010000), (None, 0x5FFC8080, 0x7FFF0000),
           (None, 0xFFFE0000, 0xFFFC0080)]
DAMAGE = WINDOWS[0]  # both halves of both moves differ from 0
passed = failed = 0


def check(name, wrong):
    """wrong: an empty text, or what is wrong."""
    global passed, failed
    if wrong:
        failed += 1
        print("FAIL %s: %s" % (name, wrong))
    else:
        passed += 1


def run(*command):
    p = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if p.returncode:
        raise SystemExit("%s: exit code %d\n%s%s" % (" ".join(command), p.returncode, p.stdout, p.stderr))
    return p.stdout


def read(path):
    with open(path, "rb") as f:
        return f.read()


def write(path, data):
    with open(path, "wb") as f:
        f.write(data)


def loads(elf):
    """(offset, vaddr, bytes with zero fill) of the LOAD segments."""
    phoff, = struct.unpack_from("<I", elf, 0x1C)
    phnum, = struct.unpack_from("<H", elf, 0x2C)
    headers = [struct.unpack_from("<8I", elf, phoff + 32 * i) for i in range(phnum)]
    return [(h[1], h[2], elf[h[1]:h[1] + h[4]] + bytes(h[5] - h[4])) for h in headers if h[0] == 1]


def table(elf):
    """File offset and number of entries of the relocation table, found by its section."""
    shoff, = struct.unpack_from("<I", elf, 0x20)
    shnum, = struct.unpack_from("<H", elf, 0x30)
    for i in range(shnum):
        s = struct.unpack_from("<10I", elf, shoff + 40 * i)
        if s[1] == 4 and s[2] & 2:
            return s[4], s[5] // 12
    raise SystemExit("no relocation table")


def staged(image):
    """Code and data of a UCPL image."""
    code, at, data = struct.unpack_from("<III", image, 8)
    return image[HEADER:HEADER + code], image[at:at + data]


def difference(image, moved, data_bytes=None):
    """Where a UCPL image and a file linked at its addresses differ; empty when they do not. data_bytes: compare only so
    many bytes of the data."""
    for part, ours, (_, vaddr, theirs) in zip(("code", "data"), staged(image), loads(moved)):
        if part == "data" and data_bytes is not None:
            ours, theirs = ours[:data_bytes], theirs[:data_bytes]
        if len(ours) != (len(theirs) + 3) & ~3:
            return "%s has %d bytes, linked %d" % (part, len(ours), len(theirs))
        for i, (a, b) in enumerate(zip(ours, theirs)):
            if a != b:
                return "%s 0x%x: prelinked %s, linked %s" % (part, vaddr + i, ours[i:i + 4].hex(), theirs[i:i + 4].hex())
        if any(b != 0xA5 for b in ours[len(theirs):]):
            return "%s: the bytes behind the segment are no poison" % part
    entry, = struct.unpack_from("<I", moved, 0x18)
    start, = struct.unpack_from("<I", image, 0x1C)
    return "" if entry == start else "start symbol 0x%x, linked entry 0x%x" % (start, entry)


def prelink(elf, options):
    """(image or None, what was said)"""
    out = os.path.join(WORK, "out.ucpl")
    if os.path.exists(out):
        os.remove(out)
    p = subprocess.run([NEFFSIM, "prelink", elf, "-o", out, *options], capture_output=True, text=True)
    return (read(out) if p.returncode == 0 else None), p.stdout + p.stderr


def options_of(window):
    options, code, data = window
    return options if options is not None else ["--code-addr", hex(code), "--data-addr", hex(data)]


def with_addends(elf, seed):
    """The same library with other addends: word + addend stays."""
    rnd = random.Random(seed)
    b = bytearray(elf)
    segments = loads(elf)
    start, count = table(elf)
    for at in range(start, start + 12 * count, 12):
        site, info, addend = struct.unpack_from("<III", b, at)
        if info == RELATIVE:
            offset = next(o + site - v for o, v, data in segments if v <= site < v + len(data))
            word, = struct.unpack_from("<I", b, offset)
            addend = rnd.choice([1, 4, 0xFFFFFFFF, 0x80000000, rnd.randrange(1 << 32)])
            struct.pack_into("<I", b, offset, (word - addend) & 0xFFFFFFFF)
            struct.pack_into("<I", b, at + 8, addend)
    return bytes(b)


def damages(elf):
    """(what, library) for one damage of each kind that the prelinker cannot see."""
    start, count = table(elf)
    entries = [struct.unpack_from("<III", elf, start + 12 * i) for i in range(count)]
    rows = symbols_of_table(elf)
    done = set()
    for i, (site, info, addend) in enumerate(entries):
        if site in rows:
            continue  # a kernel's address: prelink itself looks at it
        for what, change in ((("a missing entry for type %d" % info), (0, 0, 0)),
                             ("another addend for type %d" % info, (site, info, addend ^ (4 if info != SLOT0_ALT else 0x80000))),
                             ("low for high", (site, SLOT0_OP, addend) if info == SLOT0_ALT else None),
                             ("high for low", (site, SLOT0_ALT, addend) if info == SLOT0_OP else None)):
            if info in (RELATIVE, SLOT0_OP, SLOT0_ALT) and change and what not in done:
                done.add(what)
                b = bytearray(elf)
                struct.pack_into("<III", b, start + 12 * i, *change)
                yield what, bytes(b)


def symbols_of_table(elf):
    """Link addresses of the function words of kernel_info_table."""
    path = os.path.join(WORK, "symbols.elf")
    write(path, elf)
    where = {}
    for line in run(os.path.join(TOOLS, "readelf"), "-sW", path).splitlines():
        f = line.split()
        if len(f) == 8 and f[7].startswith("kernel_info_table_"):
            where[f[7]] = int(f[1], 16)
    return range(where["kernel_info_table_start"] + 4, where["kernel_info_table_end"], 8)


def assemble(name, sources):
    """Objects of a library from texts or files."""
    objects = []
    for i, source in enumerate(sources):
        path = source
        if not os.path.exists(source):
            path = os.path.join(WORK, "%s-%d.S" % (name, i))
            with open(path, "w") as f:
                f.write(source)
        objects.append(os.path.join(WORK, "%s-%d.o" % (name, i)))
        run(os.path.join(TOOLS, "as"), "-I", HERE, "-o", objects[-1], path)
    return objects


def libraries():
    for path in sorted(glob.glob(os.path.join(HERE, "*.S")) + glob.glob(os.path.join(ROOT, "examples", "q7", "*.S"))):
        yield os.path.basename(path)[:-2], [path]
    yield from programs.programs()


def link_with(*options):
    return [sys.executable, os.path.join(ROOT, "scripts", "q7_link"), "--tools", TOOLS, *options]


def oracle(name, sources):
    """All comparisons of one library."""
    objects = assemble(name, sources)
    link = link_with()
    elf = os.path.join(WORK, name + ".elf")
    run(*link, "-o", elf, *objects)
    shifted = os.path.join(WORK, name + "-addends.elf")
    write(shifted, with_addends(read(elf), name))
    check(name + ": the addends differ", "" if read(shifted) != read(elf) else "the file is the same")
    for window in WINDOWS:
        moved = os.path.join(WORK, "%s-%x.elf" % (name, window[1]))
        run(*link, "-o", moved, "--at", hex(window[1]), hex(window[2]), *objects)
        for what, path in (("", elf), (" with addends", shifted)):
            image, said = prelink(path, options_of(window))
            wrong = difference(image, read(moved)) if image else said
            check("%s%s at 0x%x, 0x%x" % (name, what, window[1], window[2]), wrong)
    return elf, os.path.join(WORK, "%s-%x.elf" % (name, DAMAGE[1]))


def other_bands(name, sources):
    """The same library with other link addresses. With code at 0 it becomes ET_DYN, as on the newest generation."""
    objects = assemble(name, sources)
    elf, moved = (os.path.join(WORK, name + end) for end in ("-bands.elf", "-moved.elf"))
    _, code, data = DAMAGE
    run(*link_with("--at", hex(code), hex(data)), "-o", moved, *objects)
    for bands, kind in ((("0", "0x02000000"), "DYN"), (("0x00400080", "0x00600000"), "EXEC"), (("0xf0000000", "0xf7000000"), "EXEC")):
        run(*link_with("--bands", *bands), "-o", elf, *objects)
        image, said = prelink(elf, [])
        check("%s linked at %s, %s" % (name, *bands), difference(image, read(moved)) if image else said)
        check("%s linked at %s, %s is ET_%s" % (name, *bands, kind), "" if kind + " (" in readelf(elf, "-hW") else "it is not")


def unsplit(name, sources):
    """The same library without a scratch segment. Behind the data lies what the moved file has otherwise: not compared."""
    objects = assemble(name, sources)
    link = link_with("--script", os.path.join(HERE, "unsplit.ld"))
    elf, moved = (os.path.join(WORK, name + end) for end in ("-unsplit.elf", "-moved.elf"))
    run(*link, "-o", elf, *objects)
    dynamic = int(re.search(r"DYNAMIC +0x\w+ 0x(\w+)", readelf(elf, "-lW"))[1], 16) - 0x02000000
    for window in WINDOWS:
        run(*link, "--at", hex(window[1]), hex(window[2]), "-o", moved, *objects)
        image, said = prelink(elf, options_of(window))
        check("%s without scratch at 0x%x, 0x%x" % (name, window[1], window[2]),
              difference(image, read(moved), dynamic) if image else said)


def close_bands(name, sources):
    """Data 0x800 bytes behind the code. With a scratch segment, addresses less than 0x400 in front of the data count as data
    (q7-prelink.md §8): the images must differ from the linker's, without one they must not."""
    objects = assemble(name, sources)
    elf, moved = (os.path.join(WORK, name + end) for end in ("-close.elf", "-moved.elf"))
    _, code, data = DAMAGE
    bands = ["--bands", "0x01000000", "0x01000800"]
    for what, script, same in (("with", os.path.join(ROOT, "share", "neffsim", "q7.ld"), False),
                               ("without", os.path.join(HERE, "unsplit.ld"), True)):
        run(*link_with("--script", script, *bands), "-o", elf, *objects)
        run(*link_with("--script", script, "--at", hex(code), hex(data)), "-o", moved, *objects)
        image, said = prelink(elf, [])
        wrong = difference(image, read(moved), 0x10) if image else said
        check("%s, data close behind the code, %s scratch" % (name, what), wrong if same or not image else
              "" if wrong.startswith("code 0x") else "the same bytes as the linker's")


def damaged(name, elf, moved):
    """The comparison must see every damage that prelink does not."""
    kinds = 0
    for what, data in damages(read(elf)):
        path = os.path.join(WORK, "damaged.elf")
        write(path, data)
        image, said = prelink(path, options_of(DAMAGE))
        kinds += 1
        if image is None:
            wrong = "prelink refuses it: " + said
        else:
            wrong = "" if difference(image, read(moved)) else "the comparison sees nothing"
        check("%s, damaged: %s" % (name, what), wrong)
    return kinds


def readelf(elf, options):
    return run(os.path.join(TOOLS, "readelf"), options, elf)


def readers(name, elf):
    """prelink --map --json and readelf, thing by thing."""
    j = json.loads(run(NEFFSIM, "prelink", elf, "-o", os.path.join(WORK, "out.ucpl"), "--map", "--json"))

    # Segments: type offset vaddr paddr filesz memsz flags align
    theirs = []
    for line in readelf(elf, "-lW").splitlines():
        m = re.match(r"^ +(LOAD|DYNAMIC) +(\S+) (\S+) (\S+) (\S+) (\S+) ([R ][W ][E ]) (\S+)$", line)
        if m:
            numbers = [int(m[i], 16) for i in (2, 3, 5, 6)]
            flags = (m[7][0] != " ") * 4 + (m[7][1] != " ") * 2 + (m[7][2] != " ")
            theirs.append(numbers + [flags, int(m[8], 16)])
    ours = [[s[k] for k in ("offset", "vaddr", "filesz", "memsz", "flags", "align")] for s in j["segments"]]
    check(name + ": segments", "" if ours == theirs and len(ours) == 4 else "%s, readelf %s" % (ours, theirs))

    # Dynamic section and entry point; addresses as in the file
    tags = {}
    for line in readelf(elf, "-dW").splitlines():
        m = re.match(r"^ 0x[0-9a-f]+ \((\w+)\) +(0x[0-9a-f]+|\d+)", line)
        if m:
            tags[m[1]] = int(m[2], 0)
    entry = int(re.search(r"Entry point address: +(0x[0-9a-f]+)", readelf(elf, "-hW"))[1], 16)
    d = j["dynamic"]
    code, data = d["dst_code"] - d["src_code"], d["dst_data"] - d["src_data"]
    ours = {"INIT": d["init"] - code, "FINI": d["fini"] - code, "HASH": d["hash"] - data, "SYMTAB": d["symtab"] - data,
            "STRTAB": d["strtab"] - data, "RELASZ": 12 * d["rela_count"]}
    wrong = {k: (v, tags.get(k)) for k, v in ours.items() if v % (1 << 32) != tags.get(k)}
    check(name + ": dynamic section", "%s" % wrong if wrong else "")
    check(name + ": entry point", "" if (d["start_sym"] - code) % (1 << 32) == entry else "readelf 0x%x" % entry)

    # Sections: the alignment and the place of the table
    align, table_at = 0, None
    for line in readelf(elf, "-SW").splitlines():
        f = line.replace("[ ", "[").split()
        if len(f) > 8 and re.match(r"\[\d+\]", f[0]) and f[1] != "Name":
            if int(f[5], 16):
                align = max(align, int(f[-1]))
            if f[1] == "kernel_info_table":
                table_at = int(f[3], 16), int(f[5], 16) // 8
    check(name + ": alignment", "" if d["align"] == align else "%d, readelf %d" % (d["align"], align))
    t = j["kernel_info_table"]
    check(name + ": kernel table", "" if (t["vaddr"], len(t["rows"])) == table_at else "%s, readelf %s" % (t, table_at))

    # Relocations in table order: site, type, addend (readelf prints nothing else for symbol 0)
    theirs = []
    for line in readelf(elf, "-rW").splitlines():
        f = line.split()
        if len(f) >= 4 and re.match(r"^[0-9a-f]{8}$", f[0]):
            info, addend = int(f[1], 16), int(f[3], 16)
            theirs.append((info, int(f[0], 16), addend) if info else (0, 0, 0))
    ours = [(r["type"], r.get("site", 0), r.get("addend", 0)) for r in j["relocations"]]
    check(name + ": relocations", "" if ours == theirs and ours else "%s, readelf %s" % (ours[:20], theirs[:20]))


def main():
    os.makedirs(WORK, exist_ok=True)
    names = []
    kinds = 0
    for name, sources in libraries():
        elf, moved = oracle(name, sources)
        readers(name, elf)
        kinds += damaged(name, elf, moved)
        names.append(name)
        if name in ("const16", "literals", "table", "random9"):
            other_bands(name, sources)
        if name in ("smallest", "literals", "table", "jumps"):  # no address in front of the data
            unsplit(name, sources)
        if name == "past":
            close_bands(name, sources)
    check("at least 20 libraries", "" if len(set(names)) >= 20 else "only %d" % len(names))
    check("at least 40 damages", "" if kinds >= 40 else "only %d" % kinds)
    print("%d libraries, %d pairs of windows, %d damages" % (len(names), len(WINDOWS), kinds))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


sys.exit(main())
