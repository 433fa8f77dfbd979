#!/usr/bin/env python3
"""Bad Q7 kernel libraries, made from the worked example of q7-prelink.md §16: make.py FOLDER

Each NAME.elf gets a NAME.txt of one line: STATUS EXIT WHERE MESSAGE [OPTIONS...] | what is wrong. STATUS and EXIT as in
§1.1, WHERE and MESSAGE regular expressions (no blanks, `.` for them) for the fields `where` and `message` of
`prelink --json`, OPTIONS of the verb. Files of status 0 are the accepted neighbours of a refused one.
`make.py FOLDER --list` prints the lines only.
"""
import hashlib
import os
import struct
import sys

# §16.1: offset, bytes; everything else is zero. Section names at 0x3ac, headers at 0x3fc.
DUMP = """
000 7f454c46 01010100 00000000 00000000 02005e00 01000000 48000001 34000000
020 fc030000 00030000 34002000 04002800 09000800
034 01000000 00010000 00000001 00000001 66000000 66000000 05000000 80000000
054 01000000 80010000 00000002 00000002 80000000 90000000 07000000 80000000
074 01000000 00020000 00000003 00000003 ac010000 ac010000 03000000 80000000
094 02000000 00020000 00000003 00000003 a4000000 a4000000 06000000 04000000
100 3641001d f0000000 04000002 36410024 00022480 0031fcff e501000c 021df000
120 36610044 00014438 00e00400 0c021df0 3641000c 021df000 36410016 720022c2
140 ff86fdff 00001df0 36410044 00024420 00340002 3df03438 004033c0 3033411d
160 f0364100 1df0
180 58453751 38000001 40000002 ee200000 01ee1400 0002ee48 000001ee eeeeeeee
1a0 0000007e 0c000001 000004f0 30000001 000001f0 20000001 34cb9960 00000000
1d0 00100000 00100000 00100000 00100000 00ffffff 00ffffff 00ffffff 00ffffff
1f8 ffffffff ffffffff
200 0c000000 00000001 0d000000 61000001 04000000 a4000003 06000000 b4000003
220 05000000 c4000003 0a000000 01000000 0b000000 10000000 15000000 00000000
240 07000000 c8000003 08000000 e4000000 09000000 0c000000 03000000 ac010003
260 00000070 b0010003 01000070 00000000 00000000 00000000
2a4 01000000 01000000 00000000 00000000
2c8 0f000001 23000000 80000002 12000001 14000000 80000002 00000000 00000000 00000000
2ec 00000000 00000000 00000000 23000001 23000000 38000001 26000001 14000000 38000001
310 4b000001 23000000 20000002 4e000001 14000000 20000002 51000001 23000000 38000002
334 56000001 14000000 38000002 08000001 05000000 00000000 04000002 05000000 00000000
358 08000002 05000000 40000000 0d000002 05000000 00000000 12000002 05000000 00000000
37c 17000002 05000000 00000000 24000002 05000000 00000000 2c000002 05000000 00000000
3a0 34000002 05000000 00000000
"""
NAMES = b"\0.text\0.data\0kernel_info_table\0.globstruct\0.bss\0.dynamic\0.rela.got\0.shstrtab\0"
SECTIONS = [  # name, type, flags, addr, offset, size, align, entsize
    (0, 0, 0, 0, 0, 0, 0, 0),
    (0x01, 1, 6, 0x01000000, 0x100, 0x66, 0x80, 0),
    (0x07, 1, 3, 0x02000000, 0x180, 0x20, 4, 0),
    (0x0D, 1, 3, 0x02000020, 0x1A0, 0x18, 8, 0),
    (0x1F, 1, 3, 0x02000038, 0x1B8, 0x48, 8, 0),
    (0x2B, 8, 3, 0x02000080, 0x200, 0x10, 4, 0),
    (0x30, 6, 3, 0x03000000, 0x200, 0xA4, 4, 8),
    (0x39, 4, 2, 0x030000C8, 0x2C8, 0xE4, 4, 12),
    (0x43, 3, 0, 0, 0x3AC, 0x4D, 1, 0),
]
SHA256 = "5d8d15a71602fb81564e599cc5467d9da08fdd4f3625a232917694fe867dcc64"
SIZE = 0x564

# File offsets
PH = [0x34, 0x54, 0x74, 0x94]  # program headers: code, data, scratch, dynamic
TYPE, OFFSET, VADDR, PADDR, FILESZ, MEMSZ, FLAGS, ALIGN = range(0, 32, 4)
SH = 0x3FC
DYN = 0x200  # entries of 8 bytes
INIT, FINI, HASH, SYMTAB, STRTAB, STRSZ, SYMENT, DEBUG, RELA, RELASZ, RELAENT, PLTGOT = range(DYN, DYN + 96, 8)
ROWS = 0x1A0


def rela(i):
    return 0x2C8 + 12 * i


def worked_example():
    b = bytearray(SIZE)
    for line in DUMP.split("\n"):
        if line:
            at, _, words = line.partition(" ")
            data = bytes.fromhex(words)
            b[int(at, 16):int(at, 16) + len(data)] = data
    b[0x3AC:0x3AC + len(NAMES)] = NAMES
    for i, (name, kind, flags, addr, offset, size, align, entsize) in enumerate(SECTIONS):
        struct.pack_into("<10I", b, SH + 40 * i, name, kind, flags, addr, offset, size, 0, 0, align, entsize)
    assert hashlib.sha256(b).hexdigest() == SHA256
    return b


GOOD = worked_example()
out = []


def case(name, status, where, message, what, *changes, cut=None, tail=b"", options=""):
    """changes: (offset, value) for a 32-bit word, (offset, size, value) for another size, or a function of the bytes."""
    b = bytearray(GOOD)
    for c in changes:
        if callable(c):
            c(b)
        else:
            offset, size, value = c if len(c) == 3 else (c[0], 4, c[1])
            b[offset:offset + size] = (value % (1 << 8 * size)).to_bytes(size, "little")
    if cut is not None:
        del b[cut:]
    b += tail
    code = 0 if status == 0 else 2 if status == 1 else 1
    out.append((name, "%d %d %s %s %s| %s" % (status, code, where, message, options + " " if options else "", what), bytes(b)))


NOT_ELF = "Failed.to.validate.ELF.shared.object.file"
NO_RELA = "Failed.to.extract.dynamic.relocation.info.from.ELF.shared.object.file"
TOO_BIG = "Segment.exceeds.the.size.of.the.split.region.on.device"
IMMEDIATE = "Failed.to.set.large.immediate.field.in.instruction.slot.%d"

case("good", 0, ".*", ".*", "the worked example itself")

# ---- ELF header (§2)
case("empty", 1, ".*", NOT_ELF, "no byte at all", cut=0)
case("header-cut", 1, ".*", NOT_ELF, "51 bytes, a header has 52", cut=51)
case("magic", 1, "file.offset.0x0*0", NOT_ELF, "first byte of the magic", (0, 1, 0x7E))
case("magic-end", 1, "file.offset.0x0*0", NOT_ELF, "last byte of the magic", (3, 1, 0x47))
case("class-64", 1, "file.offset.0x0*4", NOT_ELF, "ELFCLASS64", (4, 1, 2))
case("class-none", 1, "file.offset.0x0*4", NOT_ELF, "ELFCLASSNONE", (4, 1, 0))
case("data-3", 1, "file.offset.0x0*5", NOT_ELF, "data encoding 3", (5, 1, 3))
case("data-msb", 1, "file.offset.0x0*5", ".*big-endian.image.not.supported", "big-endian, which no shipped image is", (5, 1, 2))
case("ident-version", 1, "file.offset.0x0*6", NOT_ELF, "EI_VERSION 0", (6, 1, 0))
case("type-rel", 1, "file.offset.0x10", NOT_ELF, "ET_REL: an object file", (0x10, 2, 1))
case("type-core", 1, "file.offset.0x10", NOT_ELF, "ET_CORE", (0x10, 2, 4))
case("type-dyn", 0, ".*", ".*", "ET_DYN is accepted", (0x10, 2, 3))
case("machine", 1, "file.offset.0x12", NOT_ELF, "x86-64", (0x12, 2, 62))
case("version", 1, "file.offset.0x14", NOT_ELF, "e_version 2", (0x14, 2))
case("ehsize", 1, "file.offset.0x28", NOT_ELF, "e_ehsize 64", (0x28, 2, 64))
case("shentsize", 1, "file.offset.0x2e", NOT_ELF, "e_shentsize 64", (0x2E, 2, 64))
case("shoff-outside", 1, ".*", NOT_ELF, "section headers behind the end", (0x20, SIZE - 40))
case("shoff-wraps", 1, ".*", NOT_ELF, "section header table wraps 32 bits", (0x20, 0xFFFFFFF0))
case("shnum-huge", 1, ".*", NOT_ELF, "65535 sections", (0x30, 2, 0xFFFF))
case("sections-cut", 1, ".*", NOT_ELF, "the last section header is cut off", cut=SIZE - 1)
case("entry-below", 8, ".*", ".*", "e_entry in front of the code", (0x18, 0x00FFFFFF))
case("entry-end", 8, ".*", ".*", "e_entry one past the code", (0x18, 0x01000066))
case("entry-data", 8, ".*", ".*", "e_entry in the data", (0x18, 0x02000000))
case("entry-zero", 8, ".*", ".*", "no entry", (0x18, 0))
case("entry-last", 0, ".*", ".*", "e_entry in the last byte of the code is accepted", (0x18, 0x01000065))

# ---- program headers (§3)
case("phoff-outside", 7, ".*", NOT_ELF, "program headers behind the end", (0x1C, SIZE - 100))
case("phoff-wraps", 7, ".*", NOT_ELF, "program header table wraps 32 bits", (0x1C, 0xFFFFFFC0))
case("phentsize", 7, ".*", NOT_ELF, "e_phentsize 56", (0x2A, 2, 56))
case("phnum-2", 7, ".*", NOT_ELF, "two program headers", (0x2C, 2, 2))
case("phnum-0", 7, ".*", NOT_ELF, "no program header", (0x2C, 2, 0))
case("phnum-3", 7, ".*", NOT_ELF, "a scratch segment, and no header left for the dynamic one", (0x2C, 2, 3))
case("phnum-huge", 7, ".*", NOT_ELF, "65535 program headers", (0x2C, 2, 0xFFFF))
case("code-not-load", 7, ".*", NOT_ELF, "first header is no LOAD", (PH[0] + TYPE, 0))
case("code-writable", 7, ".*", NOT_ELF, "code is R W X", (PH[0] + FLAGS, 7))
case("code-no-exec", 7, ".*", NOT_ELF, "code is R only", (PH[0] + FLAGS, 4))
case("data-not-load", 7, ".*", NOT_ELF, "second header is a NOTE", (PH[1] + TYPE, 4))
case("data-read-only", 7, ".*", NOT_ELF, "data is R X", (PH[1] + FLAGS, 5))
case("data-rw", 0, ".*", ".*", "data R W without X is accepted", (PH[1] + FLAGS, 6))
case("scratch-readable", 7, ".*", NOT_ELF, "scratch is R W X, so neither scratch nor dynamic", (PH[2] + FLAGS, 7))
case("scratch-not-load", 7, ".*", NOT_ELF, "scratch is a NOTE", (PH[2] + TYPE, 4))
case("dynamic-read-only", 7, ".*", NOT_ELF, "dynamic is R only", (PH[3] + FLAGS, 4))
case("dynamic-exec", 7, ".*", NOT_ELF, "dynamic is R W X", (PH[3] + FLAGS, 7))
case("dynamic-not-dynamic", 7, ".*", NOT_ELF, "fourth header is a LOAD", (PH[3] + TYPE, 1))
case("code-filesz-memsz", 7, ".*", NOT_ELF, "code filesz above memsz", (PH[0] + FILESZ, 0x67))
case("data-filesz-memsz", 7, ".*", NOT_ELF, "data filesz above memsz", (PH[1] + MEMSZ, 0x7F))
case("code-outside", 7, ".*", NOT_ELF, "code behind the end of the file", (PH[0] + OFFSET, SIZE - 0x65))
case("data-offset-wraps", 7, ".*", NOT_ELF, "data offset + filesz wraps 32 bits", (PH[1] + OFFSET, 0xFFFFFFC0))
case("dynamic-outside", 7, ".*", NOT_ELF, "dynamic array behind the end", (PH[3] + OFFSET, SIZE - 0xA3))
case("code-paddr", 7, ".*", NOT_ELF, "code paddr is not its vaddr", (PH[0] + PADDR, 0x01000080))
case("data-paddr", 7, ".*", NOT_ELF, "data paddr is not its vaddr", (PH[1] + PADDR, 0x02000100))
case("align-3", 7, ".*", NOT_ELF, "code p_align 3", (PH[0] + ALIGN, 3))
case("too-close", 7, ".*", NOT_ELF, "data 0x3ff bytes behind the code",
     (PH[1] + VADDR, 0x01000465), (PH[1] + PADDR, 0x01000465))
case("data-below-code", 7, ".*", NOT_ELF, "data linked below the code", (PH[1] + VADDR, 0x00800000), (PH[1] + PADDR, 0x00800000))
case("section-align-3", 7, ".*", NOT_ELF, "largest section alignment is no power of two", (SH + 40 + 32, 0x180))
case("section-align-huge", 7, ".*", NOT_ELF, "section alignment 0x4000", (SH + 40 + 32, 0x4000))

# ---- windows (§4, §7)
case("code-window", 13, "segment.code", TOO_BIG, "code one byte larger than its window", (PH[0] + MEMSZ, 0x8001))
case("code-window-full", 0, ".*", ".*", "code as large as its window is accepted", (PH[0] + MEMSZ, 0x8000))
case("data-window", 13, "segment.data", TOO_BIG, "data one byte larger than its window", (PH[1] + MEMSZ, 0x2001))
case("data-window-full", 0, ".*", ".*", "data as large as its window is accepted", (PH[1] + MEMSZ, 0x2000))
case("code-memsz-wraps", 13, "segment.code", TOO_BIG, "code as large as the address space allows below the data",
     (PH[0] + MEMSZ, 0x00FFFC00))
case("data-memsz-max", 13, "segment.data", TOO_BIG, "data memsz 0xffffffff", (PH[1] + MEMSZ, 0xFFFFFFFF))
case("code-window-sunda", 0, ".*", ".*", "0x8001 bytes of code fit the windows of sunda", (PH[0] + MEMSZ, 0x8001),
     options="--arch=sunda")
case("data-misaligned", 13, "segment.data", TOO_BIG + ".*last.12.bytes.*", "data 12 bytes off its alignment: the reference cuts 12 bytes",
     (PH[1] + VADDR, 0x0200000C), (PH[1] + PADDR, 0x0200000C))

# ---- dynamic section (§4)
case("no-rela", 4, ".*", NO_RELA, "no DT_RELA", (RELA, 0x6FFFFFFF))
case("no-relasz", 4, ".*", NO_RELA, "no DT_RELASZ", (RELASZ, 0x6FFFFFFF))
case("no-relaent", 4, ".*", NO_RELA, "no DT_RELAENT", (RELAENT, 0x6FFFFFFF))
case("dynamic-empty", 4, ".*", NO_RELA, "the first entry is DT_NULL", (INIT, 0))
case("dynamic-short", 4, ".*", NO_RELA, "p_filesz ends in front of DT_RELA", (PH[3] + FILESZ, 0x40), (PH[3] + MEMSZ, 0x40))
case("relasz-odd", 8, ".*", ".*", "DT_RELASZ is no multiple of 12", (RELASZ + 4, 0xE0))
case("relasz-negative", 4, ".*", NO_RELA, "DT_RELASZ 0x80000004", (RELASZ + 4, 0x80000004))
case("relasz-behind-file", 4, ".*", NO_RELA, "the relocation table ends behind the file", (RELASZ + 4, 0x2A0))
case("relasz-zero", 7, "kernel_info_table.row.0", ".*", "no relocation: success of its own, but then no kernel lies in the window",
     (RELASZ + 4, 0))
case("relaent-8", 8, ".*", ".*", "DT_RELAENT 8", (RELAENT + 4, 8))
case("rela-before-file", 4, ".*", NO_RELA, "DT_RELA so far in front of the scratch segment that it leaves the file",
     (RELA + 4, 0x02FFFDFF))
case("rela-in-code", 8, "relocation.0", "Unknown.relocation.type.240", "DT_RELA in front of the scratch segment, in the code's bytes",
     (RELA + 4, 0x02FFFF00))
case("rela-behind-file", 4, ".*", NO_RELA, "DT_RELA far behind the file", (RELA + 4, 0x03100000))
case("rela-wraps", 4, ".*", NO_RELA, "DT_RELA 0xffffffff", (RELA + 4, 0xFFFFFFFF))
case("init-outside", 8, ".*", ".*", "DT_INIT behind the code", (INIT + 4, 0x01000066))
case("fini-data", 8, ".*", ".*", "DT_FINI in the data", (FINI + 4, 0x02000000))

# ---- relocations (§9, §10, §11)
for kind in (1, 2, 3, 4, 6, 8, 11, 14, 17, 19, 50, 62, 255):
    case("type-%d" % kind, 8, "relocation.0", "Unknown.relocation.type.%d" % kind, "relocation type %d" % kind, (rela(0) + 4, kind))
case("symbol", 5, "relocation.0", ".*", "a symbol index", (rela(0) + 4, 0x123))
case("symbol-none", 5, "relocation.2", ".*", "a symbol index beside type 0", (rela(2) + 4, 0x100))
case("site-code-end", 8, "relocation.0", "Invalid.relocation.address.131072", "site one past the code window",
     (rela(0), 0x01008000))
case("site-code-straddle", 8, "relocation.0", "Invalid.relocation.address.131070", "last byte of the CONST16 outside the window",
     (rela(0), 0x01007FFE), (PH[0] + MEMSZ, 0x8000))
case("site-below-code", 8, "relocation.0", "Invalid.relocation.address.98303", "site one in front of the code window",
     (rela(0), 0x00FFFFFF))
case("site-zero", 8, "relocation.0", "Invalid.relocation.address.4278288384", "site 0", (rela(0), 0))
case("site-scratch", 8, "relocation.0", "Invalid.relocation.address.*", "site in the scratch segment", (rela(0), 0x030000C8))
case("site-density", 12, "relocation.0", "Unknown.instruction.format..0xf01d020c.", "CONST16 relocation on MOVI.N",
     (rela(0), 0x0100001B))
case("site-l32r", 8, "relocation.0", IMMEDIATE % 0, "CONST16 relocation on L32R", (rela(0), 0x01000015))
case("site-l32r-permissive", 0, ".*", ".*", "the reference overwrites the L32R", (rela(0), 0x01000015), options="--permissive")
case("site-entry", 8, "relocation.0", IMMEDIATE % 0, "CONST16 relocation on ENTRY", (rela(0), 0x0100000C))
case("slot-14", 8, "relocation.0", IMMEDIATE % 14, "slot 14 of a 24-bit word", (rela(0) + 4, 49))
case("slot-14-permissive", 0, ".*", ".*", "the reference ignores the slot", (rela(0) + 4, 49), options="--permissive")
case("slot-1-low", 8, "relocation.1", IMMEDIATE % 1, "slot 1, low half", (rela(1) + 4, 21))
case("bundle-16", 8, "relocation.0", IMMEDIATE % 0, "CONST16 relocation on a 16-byte bundle", (0x10F, 1, 0x0E))
case("bundle-8", 8, "relocation.0", IMMEDIATE % 0, "CONST16 relocation on an 8-byte bundle", (0x10F, 4, 0x0000000F))
case("bundle-unknown", 12, "relocation.0", "Unknown.instruction.format..0x300000f.", "a bundle of a format the writer lacks",
     (0x10F, 4, 0x0300000F))
case("word-code-end", 8, "relocation.10", "Invalid.load.@.0x20000", "word one past the code window", (rela(10), 0x01008000))
case("word-data-end", 8, "relocation.11", "Invalid.load.@.0xc0000", "word one past the data window", (rela(11), 0x02002000))
case("word-straddle", 8, "relocation.11", "Invalid.load.@.0xc0000", "word over the end of the data window", (rela(11), 0x02001FFD))
case("word-last", 0, ".*", ".*", "the last word of the data window is accepted", (rela(11), 0x02001FFC))
case("word-code-straddle", 8, "relocation.10", "Invalid.load.@.0x20000", "word over the end of the code window", (rela(10), 0x01007FFE))
case("word-below-data", 8, "relocation.11", "Invalid.load.@.0xbdffc", "word below the data window: data side by the split gap",
     (rela(11), 0x01FFFFFC))
case("word-wild", 8, "relocation.18", "Invalid.load.*", "the last entry points to 0x7fffffff", (rela(18), 0x7FFFFFFF))

# ---- kernel table (q7-firmware.md §6)
case("row-not-zero", 7, "kernel_info_table.row.1", ".*", "the half word of row 1 is not zero", (ROWS + 8, 2, 1))
case("row-in-data", 7, "kernel_info_table.row.0", ".*", "row 0 points to the data", (ROWS + 4, 0x02000000))
case("row-outside", 7, "kernel_info_table.row.2", ".*", "row 2 points behind the code window", (ROWS + 20, 0x01008000))
case("row-not-relocated", 7, "kernel_info_table.row.0", ".*", "the relocation of row 0 is missing", (rela(16) + 4, 0))

def main():
    folder, listing = sys.argv[1], sys.argv[2:] == ["--list"]
    assert len({name for name, _, _ in out}) == len(out)
    for name, text, image in out:
        if listing:
            print(name, text)
            continue
        with open(os.path.join(folder, name + ".elf"), "wb") as f:
            f.write(image)
        with open(os.path.join(folder, name + ".txt"), "w") as f:
            f.write(text + "\n")


if __name__ == "__main__":
    main()
