#!/usr/bin/env python3
"""Makes src/, the input and the golden output of the case `pingpong` again (README.md explains the phases)."""
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import neffgen as g  # noqa: E402

LAPS, DUELS, CALLS = 420, 320, 24  # iterations of the three phases
SEED, RESULT = g.VAR_BASE, g.VAR_BASE + g.VAR_STEP  # where the loader puts var 0 and var 1
XOR = {"pe": 0x1111, "act": 0x2222, "pool": 0x3333, "dve": 0x4444, "sp": 0x5555}

# registers of every engine
ACC, COUNT, LIMIT, SCRATCH, RET_LO, RET_HI = 1, 2, 3, 4, 10, 11
# semaphores and events
TOKEN = {"pe": 50, "act": 51, "pool": 52, "dve": 53, "sp": 54}
JOIN, SCORE, SHARED, FLUSH = 60, 61, 70, 80
BALL, BACK, BOX = 5, 6, 7

m = g.Model(HERE, "pingpong")
m.tensor("seed", "input", "uint32", [8])
m.tensor("result", "output", "uint32", [16])
seed = [1000, 2000, 3000, 4000, 5000, 0, 0, 7]
result = [0] * 16


def count_loop(p, label, limit):
    """The end of a counted loop; COUNT was set to 0 in front of it."""
    p.alu("R2 += 1", g.ALU_ADD, COUNT, COUNT, imm=1)
    p.branch("if R2 < %d back to label %d" % (limit, label), g.BR_LT, label, COUNT, limit)


def phase_tokens(p, engine):
    """One token travels PE, ACT, POOL, DVE, SP, PE ... LAPS times."""
    order = g.ENGINES
    following = order[(order.index(engine) + 1) % len(order)]
    p.move("R2 = 0", [(COUNT, 0)])
    p.label(1)
    if engine == "pe":
        p.nop("pass the token to act", update=(g.INC, TOKEN["act"]))
    p.sem("take the own token", wait1=(g.GE, TOKEN[engine]), wvalue=1, update1=(g.DEC, TOKEN[engine]), uvalue=1)
    p.alu("R1 += R2", g.ALU_ADD, ACC, ACC, reg=COUNT)
    p.alu("R1 ^= 0x%x" % XOR[engine], g.ALU_XOR, ACC, ACC, imm=XOR[engine], dtype=g.UINT32)
    if engine != "pe":
        p.nop("pass the token to %s" % following, update=(g.INC, TOKEN[following]))
    count_loop(p, 1, LAPS)


def phase_duels(p, engine):
    """PE and ACT play a ball with two events, POOL feeds DVE through one, SP joins a score with register operands."""
    p.move("R2 = 0, R3 = 4", [(COUNT, 0), (LIMIT, 4)])
    p.label(2)
    if engine == "pe":
        p.nop("throw: event %d := 1" % BALL, update=(g.EVT_SET, BALL))
        p.nop("catch: event %d == 1, then 0" % BACK, wait=(g.IF_SET_THEN_CLEAR, BACK))
    elif engine == "act":
        p.nop("catch: event %d == 1, then 0" % BALL, wait=(g.IF_SET_THEN_CLEAR, BALL))
        p.nop("throw back: event %d := 1" % BACK, update=(g.EVT_SET, BACK))
    elif engine == "pool":
        p.nop("fill: event %d == 0, then 1" % BOX, wait=(g.IF_CLEAR_THEN_SET, BOX))
    elif engine == "dve":
        p.nop("look: event %d == 1" % BOX, wait=(g.IF_SET, BOX))
        p.nop("empty: event %d := 0" % BOX, update=(g.EVT_CLR, BOX))
    if engine == "sp":
        p.sem("join: S[%d] >= R3, then S[%d] -= R3" % (JOIN, JOIN), wait1=(g.GE | g.REG, JOIN), wvalue=LIMIT,
              update1=(g.SUB | g.REG, JOIN), uvalue=LIMIT)
        p.nop("S[%d] += 1" % SCORE, update=(g.INC, SCORE))
    else:
        p.alu("R1 = max(R1, R2), S[%d] += 1" % JOIN, g.ALU_MAX, ACC, ACC, reg=COUNT, update=(g.ADD, JOIN), value=1)
    count_loop(p, 2, DUELS)


def phase_calls(p):
    p.move("R2 = 0", [(COUNT, 0)])
    p.label(3)
    p.call("mix")
    count_loop(p, 3, CALLS)


def mix_function(p, engine):
    p.function("mix", RET_LO, RET_HI, reset=engine == "sp")
    if engine == "sp":
        p.nop("S[%d] += 9, cleared by the return" % FLUSH, update=(g.ADD, FLUSH), value=9)
        p.nop("S[%d] == 9" % FLUSH, wait=(g.EQ, FLUSH), value=9)
    p.move_reg("R4 = R1", SCRATCH, ACC)
    p.alu("R4 &= 0xff", g.ALU_AND, SCRATCH, SCRATCH, imm=0xFF, dtype=g.UINT32)
    p.alu("R1 += R4", g.ALU_ADD, ACC, ACC, reg=SCRATCH)
    p.branch("if R4 == 0 skip to label 9", g.BR_EQ, 9, SCRATCH, 0)
    p.alu("R1 -= 1", g.ALU_SUB, ACC, ACC, imm=1)
    p.label(9)
    p.ret()


def shared_semaphores(p, engine):
    """DVE sets four semaphores, PE clears two by range, ACT two by mask, POOL sees all of them at 0."""
    if engine == "dve":
        for i in range(4):
            p.nop("S[%d] := %d" % (SHARED + i, 7 + i), update=(g.WR, SHARED + i), value=7 + i)
    p.barrier()
    if engine == "pe":
        p.clear_range("S[%d..%d] := 0" % (SHARED, SHARED + 1), SHARED, SHARED + 1)
    if engine == "act":
        p.clear_mask("S[%d], S[%d] := 0" % (SHARED + 2, SHARED + 3), [SHARED + 2, SHARED + 3])
    p.barrier()
    if engine == "pool":
        for i in range(4):
            p.nop("S[%d] == 0" % (SHARED + i), wait=(g.EQ, SHARED + i), value=0)


for number, engine in enumerate(g.ENGINES):
    p = m.programs[engine]
    p.load("R1 = seed[%d]" % number, ACC, SEED + 4 * number)
    phase_tokens(p, engine)
    p.notify("phase 1 done", extended=1)
    p.barrier()
    phase_duels(p, engine)
    p.notify("phase 2 done", extended=2)
    p.barrier()
    phase_calls(p)
    p.core_barrier()
    shared_semaphores(p, engine)
    p.notify("phase 3 done", extended=3)
    p.store("result[%d] = R1" % number, RESULT + 4 * number, ACC)
    if engine == "sp":
        p.nop("S[%d] == %d" % (SCORE, DUELS), wait=(g.EQ, SCORE), value=DUELS)
        p.load("R5 = seed[7]", 5, SEED + 28)
        p.alu("R5 += %d" % DUELS, g.ALU_ADD, 5, 5, imm=DUELS)
        p.store("result[8] = R5", RESULT + 32, 5)
        p.write("result[10..11] = 0x1122334455667788", RESULT + 40, 0x1122334455667788, 8)
        p.write("byte 3 of result[12] = 0xab", RESULT + 48 + 3, 0xAB, 1)
    p.drain("every write has been answered")
    p.exit()
    mix_function(p, engine)

    # the same in Python
    acc = seed[number]
    for lap in range(LAPS):
        acc = (acc + lap) ^ XOR[engine]
    if engine != "sp":
        for duel in range(DUELS):
            acc = max(acc, duel)
    for _ in range(CALLS):
        low = acc & 0xFF
        acc += low - (low != 0)
    assert 0 <= acc < 1 << 31
    result[number] = acc
result[8] = seed[7] + DUELS
result[10], result[11] = 0x55667788, 0x11223344
result[12] = 0xAB << 24

m.write()
g.write_npy(os.path.join(HERE, "input", "seed.npy"), "<u4", [8], struct.pack("<8I", *seed))
g.write_npy(os.path.join(HERE, "golden", "result.npy"), "<u4", [16], struct.pack("<16I", *result))
