"""Random kernel libraries as assembler text: many functions, calls across objects, CONST16 pairs with gaps, literals,
words at any byte offset, jump tables, tables of kernels. The same seed gives the same text."""
import random

OPS = [0x41, 0x45, 0x46, 0x47, 0x51, 0x52, 0x7B, 0x7C, 0x7D, 0x7E, 0xBE, 0xE4, 0xF2]


class Program:
    def __init__(self, seed, objects, functions, body, words, bss):
        self.rnd = random.Random(seed)
        self.functions = ["f%d" % i for i in range(functions)]
        self.data = ["d%d" % i for i in range(words)]
        self.bss = bss
        self.body = body
        self.texts = [self.object(i, objects) for i in range(objects)]

    def target(self):
        """An address somewhere in the library, as an expression."""
        name = self.rnd.choice(self.functions + self.data + ["bss_end", "kernel_info_table_start"])
        return name + self.rnd.choice(["", "", "", "+1", "+6", "+0x30", "-2" if name[0] == "f" else "-0x20"])

    def filler(self):
        r = self.rnd
        a, b = r.randrange(2, 16), r.randrange(2, 16)
        return r.choice(["nop.n", "nop", "addi.n a%d, a%d, 3" % (a, b), "add a%d, a%d, a2" % (a, b), "movi.n a%d, 17" % a,
                         "addi a%d, a%d, -9" % (a, b), "const16 a%d, 0x%x" % (a, r.randrange(0x10000)),
                         "l32i a%d, a%d, 8" % (a, b), "s32i.n a%d, a1, 0" % a, "extui a%d, a%d, 3, 5" % (a, b), "memw"])

    def step(self, i, label):
        r = self.rnd
        a, t = r.randrange(2, 16), self.target()
        kind = r.randrange(10)
        if kind < 3:
            gap = [self.filler() for _ in range(r.choice([0, 0, 1, 2, 5]))]
            return ["const16 a%d, (%s)@h" % (a, t), *gap, "const16 a%d, (%s)@l" % (a, t)]
        if kind == 3:
            b, u = a % 14 + 2, self.target()
            return ["const16 a%d, (%s)@h" % (a, t), "const16 a%d, (%s)@h" % (b, u), "const16 a%d, (%s)@l" % (a, t),
                    "const16 a%d, (%s)@l" % (b, u)]
        if kind == 4:
            return ["movi a%d, %s" % (a, t), "callx8 a%d" % a]
        if kind == 5:
            return ["call8 " + r.choice(self.functions)]
        if kind == 6:
            return ["l32r a%d, lit%d_%d" % (a, i, r.randrange(3))]
        if kind == 7:
            return ["beqz a%d, %sf" % (a, label), self.filler(), "bne a%d, a2, %sf" % (a, label), label + ":"]
        return [self.filler() for _ in range(r.randrange(1, 6))]

    def function(self, i):
        r = self.rnd
        lines = ["\t.align 4"]
        lines += ["lit%d_%d:\t.long %s" % (i, k, r.choice([self.target(), "0x%x" % r.randrange(1 << 32)])) for k in range(3)]
        lines += ["\t.global f%d" % i, "f%d:\tentry a1, %d" % (i, r.choice([32, 48, 128]))]
        for _ in range(r.randrange(1, 2 * self.body)):
            lines += [x if x.endswith(":") else "\t" + x for x in self.step(i, "1")]
        lines.append("\tretw.n")
        if r.random() < 0.3:
            lines += ["\t.byte %s" % ", ".join(["0x3d"] * r.randrange(1, 4)), "\t.long " + self.target()]
        return lines

    def object(self, index, count):
        r = self.rnd
        lines = ["\t.text"]
        for i in range(index, len(self.functions), count):
            lines += self.function(i)
        for i in range(index, len(self.data), count):
            lines += ["\t.section %s" % r.choice(['.data, "aw"', '.rodata, "a"']), "\t.global d%d" % i, "d%d:" % i]
            if r.random() < 0.4:
                lines.append("\t.byte %s" % ", ".join(str(r.randrange(256)) for _ in range(r.randrange(1, 6))))
            lines.append("\t.long " + ", ".join(self.target() for _ in range(r.randrange(1, 4))))
        if index == 0:
            lines += ['\t.include "library.inc"', "\t.text", "\t.global _start", "\t.align 4", "_start:\tentry a1, 32",
                      "\tcall8 f0", "\tretw.n"]
            keys = [(op, 0) for op in OPS] + [(0xF0, s) for s in range(40)]
            for (op, spec) in r.sample(keys, min(len(keys), max(1, len(self.functions) // 2))):
                lines.append("\tkernel 0x%x, %d, %s" % (op, spec, r.choice(self.functions)))
            lines += ["\t.bss", "\t.space %d" % self.bss]
        return "\n".join(lines) + "\n"


# seed, objects, functions, steps per function, data items, .bss bytes: small ones, then up to the windows' size
SIZES = [(1, 1, 1, 1, 1, 0), (2, 1, 2, 2, 2, 1), (3, 1, 3, 4, 5, 2), (4, 2, 4, 6, 9, 3), (5, 2, 8, 8, 20, 64),
         (6, 3, 12, 8, 30, 100), (7, 3, 20, 10, 60, 255), (8, 4, 30, 10, 90, 512), (9, 2, 40, 14, 120, 1000),
         (10, 5, 60, 12, 200, 2048), (11, 3, 80, 12, 300, 1500), (12, 6, 100, 13, 350, 3000), (13, 1, 150, 9, 400, 33),
         (14, 8, 90, 16, 250, 4096), (15, 4, 184, 19, 60, 6000)]


def programs():
    for size in SIZES:
        yield "random%d" % size[0], Program(*size).texts
