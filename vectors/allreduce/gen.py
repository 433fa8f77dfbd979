#!/usr/bin/env python3
"""Makes the input and the golden output of the case `allreduce` again; src/ is fixture E1, byte for byte, and stays."""
import hashlib
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import neffgen as g  # noqa: E402

raw = struct.pack("<32f", *[1.0 + 10.0 * i for i in range(32)])
assert hashlib.md5(raw).hexdigest() == "bcf52664cfca686ecdb3f2eab7342375"  # slice walkthrough, section 2
g.write_npy(os.path.join(HERE, "input", "input.npy"), "<f4", [32], raw)
g.write_npy(os.path.join(HERE, "golden", "output.npy"), "<f4", [32], raw)  # one rank: the sum is the input
