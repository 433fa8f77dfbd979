#!/usr/bin/env python3
"""Makes src/ and case.json of every fault case again (README.md says what each shows).

The expected error words follow from the record layout alone: code, block id of the engine, slot index in the image
(three PREAMBLE slots, then the program), opcode.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import neffgen as g  # noqa: E402

BLOCK_ID = {"pe": 2, "act": 1, "pool": 3, "dve": 6, "sp": 4}
PREAMBLE = 3
RESULT = g.VAR_BASE  # var 0
M2S_RING = 0x00800000  # first queue's source ring
UNMAPPED = 0x300000001234


def model(case):
    m = g.Model(os.path.join(HERE, case), "fault-" + case)
    m.tensor("y", "output", "uint32", [32])
    return m


def finish(m, case, description, args, expect, patch=None):
    m.write()
    value = {"name": "fault-" + case, "description": description, "args": args, "inputs": {}, "outputs": {},
             "expect": expect}
    if patch:
        value["patch"] = patch
    value["wave"] = {"golden": "golden/wave.fst", "window": [550, 750]}  # the gates open at about clock 560
    g.write_json(os.path.join(HERE, case, "case.json"), value)


def fatal(engine, slot, opcode):
    """What a severity-2 fault of code 0 in source slot `slot` (1-based, MAIN) leaves behind."""
    index = PREAMBLE + slot - 1
    where = BLOCK_ID[engine] | index << 4
    return {
        "exit": 1,
        "records": [{"queue": 3, "type": "0x1f", "w0": "0x%08x" % (0x80000000 | 0x1F << 24 | 0x0A),
                     "w1": "0x%08x" % (where | opcode << 16)}],
        "engines": {engine.upper(): {"state": "fault", "halt_reason": 16,
                                     "error_word": "0x%08x" % (where << 8 | opcode << 24)}},
    }


def bad_opcode():
    m = model("bad-opcode")
    p = m.programs["pool"]
    p.nop("a good slot")
    p.add("opcode 0x0b: undefined", g.slot(0x0B))
    p.write("never reached: y[0] = 1", RESULT, 1)
    expect = fatal("pool", 2, 0x0B)
    expect["text"] = "SEQUENCER_FATAL"
    finish(m, "bad-opcode", "POOL meets an undefined opcode and stops for good; the others wait in the barrier",
           {"allow_bad_slots": True}, expect)


def wrong_engine():
    m = model("wrong-engine")
    p = m.programs["sp"]
    p.nop("a good slot")
    p.nop("another one")
    weights = [(16, 4, 0), (20, 2, 1), (22, 2, 1), (24, 2, 1), (26, 2, 128), (28, 2, 1), (30, 2, 1),  # 128 of SBUF 0
               (32, 1, 6), (38, 1, 128), (39, 1, 128), (44, 1, 0xf)]
    p.add("LDWEIGHTS: a PE instruction, legal for the host", g.slot(0x01, weights))
    finish(m, "wrong-engine", "SP meets an instruction of the tensor engine: only the device can refuse it", {},
           fatal("sp", 3, 0x01))


def illegal_instruction():
    m = model("illegal-instruction")
    p = m.programs["act"]
    p.nop("a good slot")
    p.add("MOVE of 9 registers: a slot holds 8", g.slot(0xA7, [(12, 1, 9), (13, 1, 9), (14, 1, 1)]))
    expect = fatal("act", 2, 0xA7)
    finish(m, "illegal-instruction", "ACT meets a MOVE with an illegal count", {"allow_bad_slots": True}, expect)


def copy_model(case):
    m = g.Model(os.path.join(HERE, case), "fault-" + case)
    m.tensor("x", "input", "uint32", [32])
    m.tensor("y", "output", "uint32", [32])
    m.queue("q_copy", "pool", "data", 12)
    m.block("q_copy", ("x", 0, [128], [1], "y", 0, [128], [1]))
    m.programs["pool"].dma("q_copy", 0).sem("wait for the copy", (g.GE, 12), value=1)
    return m


STUCK = {"exit": 3, "engines": {"POOL": {"state": "running"}, "SP": {"state": "running"}}, "text": "q_copy"}


def ring_id():
    finish(copy_model("ring-id"), "ring-id",
           "the source descriptor carries ring id 2 in the first lap: the queue stops and POOL waits for ever",
           {"hang_cycles": 20000}, STUCK, [{"addr": "0x%x" % (M2S_RING + 3), "hex": "0e"}])


def unmapped_dma():
    finish(copy_model("unmapped-dma"), "unmapped-dma",
           "the source descriptor points to an address where nothing is: the read fails and the queue stops",
           {"hang_cycles": 20000}, STUCK,
           [{"addr": "0x%x" % (M2S_RING + 8), "hex": UNMAPPED.to_bytes(8, "little").hex()}])


def unmapped():
    m = model("unmapped")
    p = m.programs["pe"]
    p.write("5 to an address where nothing is", UNMAPPED, 5)
    p.drain("the error response is back")
    p.notify("the engine goes on", extended=0x77)
    finish(m, "unmapped", "a WRITE to an unmapped address gives a MEMORY_ERROR record; the engine goes on", {},
           {"exit": 1, "text": "MEMORY_ERROR",
            "records": [{"queue": 3, "type": "0x1f", "w0": "0x9f000004", "w0_mask": "0xff0000ff",
                         "w1": "0x%08x" % (UNMAPPED & 0xFFFFFFFF)},
                        {"queue": 1, "type": "0x06", "w1": "0x00770000"}],
            "engines": {"PE": {"state": "running"}}})


def notification_overflow():
    m = model("notification-overflow")
    finish(m, "notification-overflow",
           "record rings of 64 bytes hold three records: two of the five engines' gate records are dropped, the host "
           "never sees all engines at their gate", {"hang_cycles": 20000, "notify_drop": True, "notify_ring_bytes": 64},
           {"exit": 3, "engines": {e.upper(): {"state": "running"} for e in g.ENGINES}})


def notification_loss():
    m = model("notification-loss")
    for engine in g.ENGINES:
        p = m.programs[engine]
        p.move("R2 = 0", [(2, 0)])
        p.label(2)
        for k in range(10):
            p.notify("record %d of 10" % k, extended=k)
        p.alu("R2 += 1", g.ALU_ADD, 2, 2, imm=1)
        rounds = 16 if engine == "pe" else 4
        p.branch("if R2 < %d back to label 2" % rounds, g.BR_LT, 2, 2, rounds)
        p.barrier()
        # time for the host to empty the ring, so that no "done" record is lost
        p.move("R2 = 0", [(2, 0)])
        p.label(1)
        p.alu("R2 += 1", g.ALU_ADD, 2, 2, imm=1)
        p.branch("if R2 < 60 back to label 1", g.BR_LT, 1, 2, 60)
        p.barrier()
    finish(m, "notification-loss",
           "PE sends 160 records, the others 40 each, into a ring of seven: some are dropped, the next one says so",
           {"notify_drop": True, "notify_ring_bytes": 128},
           {"exit": 0, "min_retired": 900, "records": [{"queue": 1, "type": "0x06", "w0": "0x20000000",
                                                        "w0_mask": "0x20000000", "w1_mask": "0x00000000",
                                                        "w1": "0x00000000"}]})


def notification_stall():
    m = model("notification-stall")
    p = m.programs["dve"]
    p.notify("any record", extended=1)
    finish(m, "notification-stall",
           "the same three-record rings with back-pressure instead: engines stall, nothing is lost",
           {"notify_ring_bytes": 64},
           {"exit": 0, "records": [{"queue": 1, "type": "0x12", "w0": "0x12400000", "w0_mask": "0x1ff00000"},
                                   {"queue": 1, "type": "0x12", "w0": "0x12200002", "w0_mask": "0x1fffffff"},
                                   {"queue": 1, "type": "0x12", "w0": "0x12000003", "w0_mask": "0x1fffffff",
                                    "w1": "0x00010000"},
                                   {"queue": 1, "type": "0x12", "w0": "0x12300000", "w0_mask": "0x1ff00000"}]})


for case in (bad_opcode, wrong_engine, illegal_instruction, ring_id, unmapped_dma, unmapped, notification_overflow,
             notification_loss, notification_stall):
    case()
