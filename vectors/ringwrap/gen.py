#!/usr/bin/env python3
"""Makes src/, the input and the golden output of the case `ringwrap` again (README.md says what they show)."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import neffgen as g  # noqa: E402

m = g.Model(HERE, "ringwrap")
m.tensor("x", "input", "uint8", [4096])
m.tensor("y", "output", "uint8", [8192])
m.queue("q_exact", "dve", "data", 30)
m.queue("q_ragged", "pe", "data", 31)
x = bytes((i * 37 + (i >> 8) * 11 + 5) & 0xFF for i in range(4096))
y = bytearray(8192)


def block(queue, *descs):
    for d in descs:
        g.copy(x, y, d)
    return m.block(queue, *descs)


pe, dve, sp = m.programs["pe"], m.programs["dve"], m.programs["sp"]

# q_ragged: 23 source entries and 24 destination entries in rings of 32, so every inference starts somewhere else and
# packets of several descriptors run over the end of either ring
pe.dma("q_ragged", block("q_ragged", ("x", 3, [40, 9], [1, 64], "y", 7, [360], [1])))
pe.dma("q_ragged", block("q_ragged", ("x", 1000, [330], [1], "y", 500, [33, 10], [1, 50])), (g.GE, 31), 1)
pe.dma("q_ragged", block("q_ragged", ("x", 2000, [11, 9], [1, 20], "y", 1100, [11, 9], [1, 24]),
                         ("x", 2500, [1], [1], "y", 1400, [1], [1])))
pe.dma_barrier("wait for the three blocks of q_ragged", (g.GE, 31), 3)

# q_exact: 16 blocks of a pair and an increment: 32 entries, the whole ring, so every inference is one lap
for i in range(16):
    dve.dma("q_exact", block("q_exact", ("x", 5 * i, [17 + 31 * i], [1], "y", 2048 + 300 * i + i, [17 + 31 * i], [1])))
dve.sem("wait for the 16 blocks of q_exact", (g.GE, 30), value=16)
sp.sem("wait for both queues", (g.GE, 30), value=16, wait1=(g.GE, 31), wvalue=3)

m.write()
g.write_npy(os.path.join(HERE, "input", "x.npy"), "|u1", [4096], x)
g.write_npy(os.path.join(HERE, "golden", "y.npy"), "|u1", [8192], bytes(y))
