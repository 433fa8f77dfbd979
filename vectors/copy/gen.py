#!/usr/bin/env python3
"""Makes src/, the input and the golden outputs of the case `copy` again (README.md says what they show)."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import neffgen as g  # noqa: E402

BIG = 3 << 20
TAIL = 0x40000  # y holds the big copy, then 256 KiB for the blocks around 64 KiB

m = g.Model(HERE, "copy")
m.tensor("x", "input", "uint8", [BIG])
m.var("SB", "state-buffer")
m.tensor("y", "output", "uint8", [BIG + TAIL])
m.tensor("z", "output", "uint8", [16384])
m.var("t", "tmp-buf", size=4096)
m.var("w_npy", "file", file_name="weights.npy", dtype="float32", shape=[512])
m.var("w_raw", "file", file_name="table.bin")

# queue, owner, ring type, completion semaphore
m.queue("q_act_data", "act", "data", 20)
m.queue("q_act_in", "act", "in", 21)
m.queue("q_pool_big", "pool", "out", 22)
m.queue("q_pool_data", "pool", "data", 23)
m.queue("q_pool_in", "pool", "in", 24)

weights = b"".join(g.struct.pack("<f", (i * i) / 7.0 - 100.0) for i in range(512))
table = bytes((i * 73 + (i >> 3)) & 0xFF for i in range(1000))
m.files["weights.npy"] = g.npy("<f4", [512], weights)
m.files["table.bin"] = table
x = bytes((i + 3 * (i >> 8) + 7 * (i >> 16)) & 0xFF for i in range(BIG))

memory = {"x": bytearray(x), "y": bytearray(BIG + TAIL), "z": bytearray(16384), "t": bytearray(4096),
          "SB": bytearray(1 << 16), "w_npy": bytearray(weights), "w_raw": bytearray(table)}


def flat(source, offset, destination, to, n):
    return (source, offset, [n], [1], destination, to, [n], [1])


def block(queue, *descs):
    """Adds the block and applies it to the expected memory (the 3 MiB copy as a slice)."""
    for d in descs:
        if len(d[2]) == 1 and d[3] == [1] and len(d[6]) == 1 and d[7] == [1]:
            n = d[2][0]
            memory[d[4]][d[5]:d[5] + n] = memory[d[0]][d[1]:d[1] + n]
        else:
            g.copy(memory[d[0]], memory[d[4]], d)
    return m.block(queue, *descs)


pool, act, sp = m.programs["pool"], m.programs["act"], m.programs["sp"]

# q_pool_in: 16 blocks of one pair and one increment = 32 entries = the ring's length. Odd sizes, odd addresses.
sizes = [1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 1500]
source, to = 1, 0
for n in sizes:
    pool.dma("q_pool_in", block("q_pool_in", flat("x", source, "z", to, n)))
    source += n + 61
    to += n + 3
assert to < 3000

# q_pool_data: gather and scatter; each later block reads what the earlier one wrote, so it waits
pool.dma("q_pool_data", block("q_pool_data", ("x", 5, [32, 16], [1, 100], "t", 1, [512], [1])))
pool.dma("q_pool_data", block("q_pool_data", ("t", 1, [512], [1], "z", 3001, [64, 8], [1, 70])), (g.GE, 23), 1)
# 200 runs of 7 bytes into one: packets of 64, 64, 64 and 8 descriptors; then one run into 100
pool.dma("q_pool_data", block("q_pool_data", ("x", 9, [7, 200], [1, 13], "t", 1001, [1400], [1])))
pool.dma("q_pool_data", block("q_pool_data", ("t", 1001, [1400], [1], "z", 4001, [14, 100], [1, 31])), (g.GE, 23), 3)

# q_pool_big: 3 MiB, and sizes around the longest descriptor
pool.dma("q_pool_big", block("q_pool_big", flat("x", 0, "y", 0, BIG)))
pool.dma("q_pool_big", block("q_pool_big", flat("x", 64, "y", BIG + 0, 65536)))
pool.dma("q_pool_big", block("q_pool_big", flat("x", 4097, "y", BIG + 65543, 65537)))
pool.dma("q_pool_big", block("q_pool_big", flat("x", 12345, "y", BIG + 131101, 65535)))
pool.sem("wait for the 16 blocks of q_pool_in", (g.GE, 24), value=16)
pool.sem("wait for the 4 blocks of q_pool_data", (g.GE, 23), value=4)

# ACT: weights from a .npy and a raw file, through the state buffer, and shapes that cut both sides
act.dma("q_act_data", block("q_act_data", flat("w_npy", 0, "z", 8192, 2048)))
act.dma("q_act_data", block("q_act_data", flat("w_raw", 0, "z", 10241, 1000)))
act.dma("q_act_data", block("q_act_data", flat("x", 70001, "SB", 0x105, 1000)))
act.dma("q_act_data", block("q_act_data", flat("SB", 0x105, "z", 11300, 1000)), (g.GE, 20), 3)
# 16 x 8 elements, walked down the columns, from rows of 32 to rows of 36 bytes: 4-byte runs on both sides
act.dma("q_act_in", block("q_act_in", ("w_npy", 0, [4, 16, 8], [1, 32, 4], "z", 12400, [4, 16, 8], [1, 36, 4])))
# 64 elements in reverse order (a negative step), and one element repeated 50 times (step 0)
act.dma("q_act_in", block("q_act_in", ("x", 9000 + 252, [4, 64], [1, -4], "z", 13001, [256], [1]),
                          ("w_npy", 40, [4, 50], [1, 0], "z", 13301, [200], [1])))
# both sides cut, at different places: 48-byte runs into 64-byte runs
act.dma("q_act_in", block("q_act_in", ("x", 20003, [48, 20], [1, 96], "z", 14001, [64, 15], [1, 80])))

# SP waits for everything; the other engines are done as soon as their queues are
sp.sem("wait for ACT's four data blocks, then for its three in blocks", (g.GE, 20), value=4, wait1=(g.GE, 21), wvalue=3)
sp.sem("wait for the big copies, then for the gathers", (g.GE, 22), value=4, wait1=(g.GE, 23), wvalue=4)
sp.sem("wait for the small copies", (g.GE, 24), value=16)

m.write()
g.write_npy(os.path.join(HERE, "input", "x.npy"), "|u1", [BIG], x)
g.write_sha256(os.path.join(HERE, "golden", "y.sha256"), bytes(memory["y"]))
g.write_npy(os.path.join(HERE, "golden", "z.npy"), "|u1", [16384], bytes(memory["z"]))
