#!/usr/bin/env python3
"""Makes src/ and case.json of this case again (README.md).

The library is the worked example of the prelink page, section 16, as tests/corpus/elf/make.py builds it from the page's
dump. The expected record and error word follow from their layouts alone: code, block id of POOL, slot index 3 (the load
slot follows the three slots of the PREAMBLE), opcode 0x95.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "tests", "corpus", "elf"))
import make  # noqa: E402
import neffgen as g  # noqa: E402

POOL_BLOCK, LOAD_SLOT, LOAD_OPCODE = 3, 3, 0x95
CUSTOM_OPS = 2  # feature bit


def listing(data):
    """Lines of 16 bytes (docs/neff-pack.md); zero lines are left out, the last offset ends the file."""
    lines = ["# the worked example of the prelink page, section 16"]
    for at in range(0, len(data), 16):
        if any(data[at:at + 16]):
            lines.append("%04x: %s" % (at, data[at:at + 16].hex(" ")))
    lines.append("%04x:" % len(data))
    return "\n".join(lines) + "\n"


def main():
    m = g.Model(HERE, "q7load")
    m.tensor("y", "output", "uint32", [32])
    m.programs["pool"].write("y[0] = 1: never reached, the load slot in front of it faults", g.VAR_BASE, 1)
    m.files["kernels.bin.hex"] = listing(make.worked_example())
    m.definition = {"ucode_lib": "ucode_lib.json", "neff_features": ["neff_feature_custom_ops"]}
    m.feature_bits = 1 << CUSTOM_OPS
    m.write()
    g.write_json(os.path.join(HERE, "src", "sg00", "ucode_lib.json"), [{
        "library": "kernels.bin", "ulib_to_ucode_version": "1.21.1.0", "ulib_to_isa_version": "1.0", "cpu_id": 0,
        "total_cpus": 8, "functions": [{"name": "iota", "opcode": 133, "sub_opcode": 0},
                                       {"name": "extended_copy", "opcode": 133, "sub_opcode": 1}]}])
    where = POOL_BLOCK | LOAD_SLOT << 4
    g.write_json(os.path.join(HERE, "case.json"), {
        "name": "q7load",
        "description": "a NEFF with a Q7 library: it is prelinked and staged, POOL meets the slot that loads it and faults",
        "args": {"allow_bad_slots": True},
        "inputs": {}, "outputs": {},
        "expect": {"exit": 1, "text": "load library kernels.bin",
                   "records": [{"queue": 3, "type": "0x1f", "w0": "0x9f00000a", "w1": "0x%08x" % (where | LOAD_OPCODE << 16)}],
                   "engines": {"POOL": {"state": "fault", "halt_reason": 16,
                                        "error_word": "0x%08x" % (where << 8 | LOAD_OPCODE << 24)}}},
        "wave": {"golden": "golden/wave.fst", "window": [550, 750]}})


main()
