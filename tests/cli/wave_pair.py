"""Two VCD files for the report tests, FOLDER/a.vcd and FOLDER/b.vcd: buses, an x, z, a real, a slot, a name with markup.

b differs in data (120 to 124 ns, bits 24), valid (x from 121 to 123 ns), slot (from 200 ns on, wait on semaphore 3), level
(300 to 310 ns) and <odd> (150 ns to the end).
"""
import random
import sys


def bits(data):
    return bin(int.from_bytes(data, "little"))[2:]


def wave(actual):
    values = random.Random(7)
    out = ["$timescale 1ps $end", "$scope module top $end", "$scope module core $end", "$var wire 1 ! clk $end",
           '$var wire 1 " valid $end', "$var wire 8 # data [7:0] $end", "$var wire 512 $ slot [511:0] $end",
           "$var real 64 % level $end", "$var wire 16 & bus [15:0] $end", "$var wire 1 ' \\<odd>&name $end",
           "$upscope $end", "$upscope $end", "$enddefinitions $end"]
    for n in range(400):
        out += ["#%d" % (n * 1000), "1!", '%s"' % ("x" if actual and n in (121, 122) else int(n % 7 < 3))]
        out.append("b%s #" % bin(values.randrange(256) ^ (0x24 if actual and 120 <= n < 124 else 0))[2:])
        out.append("%d'" % (n % 2 if not (actual and n >= 150) else 1 - n % 2))
        if n % 5 == 0:
            out.append("b%s &" % ("z" * 16 if n % 15 == 0 else bin(n * 31 & 0xffff)[2:]))
        if n % 10 == 0:
            slot = bytearray(64)
            slot[:6] = bytes([0xa0, 0x10, 0, 0, 4, 3 if actual and n >= 200 else 11])
            slot[12] = n // 10
            out += ["b%s $" % bits(slot), "r%.16g %%" % (n * 0.5 + (0.25 if actual and n == 300 else 0))]
        out += ["#%d" % (n * 1000 + 500), "0!"]
    return "\n".join(out) + "\n"


for name, actual in (("a.vcd", False), ("b.vcd", True)):
    with open(sys.argv[1] + "/" + name, "w") as f:
        f.write(wave(actual))
