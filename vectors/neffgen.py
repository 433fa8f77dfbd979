"""Small tools of the vector cases' gen.py: instruction slots, listings, JSON members, npy files.

Nothing here knows the RTL. Slots are built from the byte layouts of the specification (section numbers of the
sequencer page in brackets); the words that describe them go into the listing as comments.
"""
import hashlib
import json
import os
import struct

ENGINES = ["pe", "act", "pool", "dve", "sp"]

# placement of the loader, for programs that must know an address (slice walkthrough, section 2)
VAR_BASE = 0x01000000
VAR_STEP = 0x1000


# ---- slots --------------------------------------------------------------------------------------------------------

def slot(op, fields=(), wait=None, update=None, value=0, hint=0, cmd=0):
    """64 bytes. fields: (offset, size, value). wait, update: (mode, index); value is shared by both [2.1]."""
    out = bytearray(64)
    out[0:4] = bytes([op, 0x10, cmd, hint])
    if wait:
        out[4:6] = bytes(wait)
    if update:
        out[6:8] = bytes(update)
    struct.pack_into("<I", out, 8, value & 0xFFFFFFFF)
    for offset, size, number in fields:
        if isinstance(number, (bytes, bytearray)):
            out[offset:offset + len(number)] = number
        else:
            out[offset:offset + size] = (number & ((1 << (8 * size)) - 1)).to_bytes(size, "little")
    return bytes(out)


# wait modes (table W) and update modes (table U) [2.1]
EQ, LT, LE, GT, GE = 1, 2, 3, 4, 5
IF_SET, IF_SET_THEN_CLEAR, IF_CLEAR, IF_CLEAR_THEN_SET = 6, 7, 0x0E, 0x0F
REG = 0x80
EVT_SET, EVT_CLR, INC, DEC, ADD, SUB, WR = 0x11, 0x12, 0x13, 0x14, 0x15, 0x17, 0x19

ALU_ADD, ALU_SUB, ALU_MAX, ALU_MIN, ALU_AND, ALU_OR, ALU_XOR = 4, 5, 8, 9, 10, 11, 12
INT32, UINT32 = 8, 9
BR_LT, BR_EQ, BR_NE = 1, 3, 4


class Program:
    """The slots of one .bin with a comment each."""

    def __init__(self):
        self.slots = []

    def add(self, text, data):
        assert len(data) == 64
        self.slots.append((text, data))
        return self

    def sem(self, text, wait=None, update=None, value=0, wait1=None, wvalue=0, update1=None, uvalue=0):
        """A0 EVENT_SEMAPHORE [4.1]: standard lane, then extended lane."""
        fields = []
        if wait1:
            fields += [(0x20, 2, bytes(wait1)), (0x24, 4, wvalue)]
        if update1:
            fields += [(0x22, 2, bytes(update1)), (0x28, 4, uvalue)]
        return self.add(text, slot(0xA0, fields, wait, update, value))

    def nop(self, text, wait=None, update=None, value=0):
        return self.add(text, slot(0xA4, (), wait, update, value))

    def drain(self, text):
        return self.add(text, slot(0xA2, [(0x28, 1, 1)]))

    def write(self, text, addr, value, size=4):
        return self.add(text, slot(0xA5, [(12, 1, size), (16, 8, addr), (24, 8, value)]))

    def notify(self, text, extended=0, hint=0):
        return self.add(text, slot(0xA6, [(14, 2, extended)], hint=hint))

    def move(self, text, pairs):
        """A7 MOVE [4.5] of immediates: (register, value)."""
        fields = [(12, 1, len(pairs)), (13, 1, UINT32), (14, 1, 1)]
        fields += [(24 + i, 1, reg) for i, (reg, _) in enumerate(pairs)]
        fields += [(32 + 4 * i, 4, value) for i, (_, value) in enumerate(pairs)]
        return self.add(text, slot(0xA7, fields))

    def move_reg(self, text, dst, src):
        return self.add(text, slot(0xA7, [(12, 1, 1), (13, 1, UINT32), (16, 1, src), (24, 1, dst)]))

    def alu(self, text, op, dst, a, reg=None, imm=None, dtype=INT32, update=None, value=0):
        """A8 ALU_OP [4.6]: dst = a op (register or immediate)."""
        fields = [(12, 1, op), (13, 1, dtype), (14, 1, reg is None), (16, 1, a), (20, 1, dst)]
        fields.append((24, 8, imm & 0xFFFFFFFF) if reg is None else (18, 1, reg))
        return self.add(text, slot(0xA8, fields, update=update, value=value))

    def branch(self, text, cmp_op, label, reg=0, imm=0, other=None):
        """A9 COMPARE_BRANCH [4.7, 5.5] to a label."""
        fields = [(12, 1, cmp_op), (13, 1, INT32 if cmp_op else 0), (14, 1, 3), (32, 1, reg), (48, 4, label)]
        fields.append((16, 4, imm) if other is None else (33, 1, other))
        return self.add(text, slot(0xA9, fields, hint=2))

    def load(self, text, reg, addr):
        return self.add(text, slot(0xAA, [(12, 1, UINT32), (14, 2, b"\x01\x01"), (16, 8, addr), (32, 1, reg)]))

    def store(self, text, addr, reg):
        return self.add(text, slot(0xAB, [(12, 1, UINT32), (14, 2, b"\x01\x01"), (16, 8, addr), (32, 1, reg)]))

    def clear_range(self, text, first, last):
        return self.add(text, slot(0xB0, [(12, 1, 1), (13, 1, first), (14, 1, last)]))

    def clear_mask(self, text, sems):
        mask = bytearray(32)
        for s in sems:
            mask[s // 8] |= 1 << (s % 8)
        return self.add(text, slot(0xB0, [(12, 1, 2), (32, 32, bytes(mask))]))

    # pseudo slots [5]
    def dma(self, queue, block, wait=None, value=0):
        text = "start block %d of %s" % (block, queue)
        if wait:
            text += ", when S[%d] %s %d" % (wait[1], {EQ: "==", GT: ">", GE: ">="}[wait[0]], value)
        return self.add(text, slot(0xC1, [(12, 32, queue.encode()), (48, 4, block)], wait, value=value))

    def dma_barrier(self, text, wait, value):
        return self.add(text, slot(0xC3, (), wait, value=value))

    def label(self, number):
        return self.add("label %d" % number, slot(0xCC, [(12, 4, number)]))

    def function(self, name, lo, hi, reset=False):
        return self.add("function %s, return address in R%d, R%d" % (name, lo, hi),
                        slot(0xD1, [(12, 36, name.encode()), (48, 1, reset), (49, 1, lo), (50, 1, hi)]))

    def ret(self):
        return self.add("return", slot(0xD2))

    def call(self, name):
        return self.add("call %s" % name, slot(0xD3, [(12, 36, name.encode()), (48, 4, 0xFFFFFFFF)]))

    def barrier(self):
        return self.add("barrier of all five engines", slot(0xD5))

    def core_barrier(self):
        return self.add("core barrier: one core, so a NOP", slot(0xD8, [(12, 4, 1), (16, 4, 7)]))

    def exit(self):
        return self.add("exit", slot(0xDF, [(12, 1, 1)]))

    def listing(self, name):
        """Lines without bytes are zeros; the last offset ends the file (docs/neff-pack.md)."""
        out = ["# %s: %d slots of 64 bytes; zero lines are left out" % (name, len(self.slots))]
        for i, (text, data) in enumerate(self.slots):
            out.append("# slot %d: %s" % (i + 1, text))
            for at in range(0, 64, 16):
                line = data[at:at + 16]
                if any(line):
                    out.append("%04x: %s" % (64 * i + at, line.hex(" ")))
        out.append("%04x:" % (64 * len(self.slots)))
        return "\n".join(out) + "\n"


# ---- files --------------------------------------------------------------------------------------------------------

def write_file(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as out:
        out.write(data if isinstance(data, bytes) else data.encode())


def write_json(path, value):
    write_file(path, json.dumps(value, indent=2, sort_keys=True) + "\n")


def npy(descr, shape, raw):
    """A version 1 .npy file."""
    dims = ", ".join(str(n) for n in shape) + ("," if len(shape) == 1 else "")
    text = "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }" % (descr, dims)
    text += " " * (-(10 + len(text) + 1) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + raw


def write_npy(path, descr, shape, raw):
    write_file(path, npy(descr, shape, raw))


def write_sha256(path, raw):
    write_file(path, hashlib.sha256(raw).hexdigest() + "\n")


DTYPES = {"uint8": ("|u1", 1), "uint32": ("<u4", 4), "float32": ("<f4", 4), "int32": ("<i4", 4)}


class Model:
    """The members of one NEFF as a source folder: variables, queues, DMA blocks and programs."""

    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        self.vars, self.queues = {}, {}
        self.blocks = {engine: [] for engine in ENGINES}
        self.programs = {engine: Program() for engine in ENGINES}
        self.inputs, self.outputs, self.files = [], [], {}
        self.definition = {}  # further keys of def.json
        self.feature_bits = 0

    def var(self, name, kind, **more):
        self.vars[name] = dict(more, type=kind, var_id=len(self.vars))

    def tensor(self, name, kind, dtype, shape):
        """An input or output of the graph."""
        size = DTYPES[dtype][1]
        for n in shape:
            size *= n
        self.var(name, kind, size=size, shape=list(shape), dtype=dtype)
        (self.inputs if kind == "input" else self.outputs).append((name, dtype, list(shape)))

    def queue(self, name, owner, kind, semaphore):
        self.queues[name] = {"owner": owner, "type": kind, "semaphore": semaphore}

    def block(self, queue, *descs):
        """Appends a block to a queue; the ids count from 0. A desc: (from, offset, sizes, steps, to, ...)."""
        owner = self.queues[queue]["owner"]
        number = sum(1 for b in self.blocks[owner] if b["queue"] == queue)
        self.blocks[owner].append({"id": number, "queue": queue, "desc": [
            {"from": f, "from_off": fo, "from_sizes": fs, "from_steps": ft,
             "to": t, "to_off": to, "to_sizes": ts, "to_steps": tt} for f, fo, fs, ft, t, to, ts, tt in descs]})
        return number

    def graph(self):
        nodes = [{"inputs": [], "is_param": "0", "name": n, "op": "null", "output_names": [n]} for n, _, _ in self.inputs]
        nodes.append({"attrs": {"flatten_data": "0", "func_name": "__kelf", "kelf": "kelf-a.json",
                                "num_inputs": str(len(self.inputs)), "num_outputs": str(len(self.outputs))},
                      "inputs": [[i, 0, 0] for i in range(len(self.inputs))], "name": "sg_tonga0", "op": "tvm_op",
                      "output_names": [n for n, _, _ in self.outputs]})
        entries = self.inputs + self.outputs
        count = len(self.inputs)
        return {"arg_nodes": list(range(count)), "heads": [[count, i, 0] for i in range(len(self.outputs))],
                "node_row_ptr": list(range(count + 1)) + [len(entries)], "nodes": nodes,
                "attrs": {"dltype": ["list_str", [d for _, d, _ in entries]],
                          "shape": ["list_shape", [s for _, _, s in entries]],
                          "storage_id": ["list_int", list(range(len(entries)))]}}

    def write(self):
        src = os.path.join(self.folder, "src")
        write_json(os.path.join(src, "header.json"), {
            "name": self.name, "pkg_version": 2, "version_major": 2, "version_minor": 0,
            "build_version": "neffsim vectors", "requested_tpb_count": 1, "feature_bits": self.feature_bits, "vnc_size": 1})
        write_json(os.path.join(src, "kelf-a.json"), {
            "graphs": [{"definition": "sg00/def.json", "name": "sg00"}], "target": "cayman", "version": "0.5"})
        write_json(os.path.join(src, "neff.json"), self.graph())
        definition = {"name": "definition", "version": "0.6-", "git_version": "", "var": self.vars,
                      "dma_queue": self.queues, "replica_groups": [[]], "runtime_statebuffer_reservation": [], **self.definition}
        for engine in ENGINES:
            definition[engine] = engine + ".json"
            write_json(os.path.join(src, "sg00", engine + ".json"),
                       {"dma": self.blocks[engine], "instr": engine + ".bin", "name": engine + "_array_json"})
            write_file(os.path.join(src, "sg00", engine + ".bin.hex"),
                       self.programs[engine].listing("sg00/%s.bin" % engine))
        write_json(os.path.join(src, "sg00", "def.json"), definition)
        for name, data in self.files.items():
            write_file(os.path.join(src, "sg00", name), data)


# ---- access patterns -----------------------------------------------------------------------------------------------

def addresses(offset, sizes, steps):
    """Byte offsets in traversal order, dimension 0 innermost."""
    out = [offset]
    for size, step in reversed(list(zip(sizes, steps))):
        out = [base + i * step for base in out for i in range(size)]
    return out


def copy(source, destination, desc):
    """What one descriptor does to two bytearrays."""
    _, fo, fs, ft, _, to, ts, tt = desc
    a, b = addresses(fo, fs, ft), addresses(to, ts, tt)
    assert len(a) == len(b) and min(a) >= 0 and max(a) < len(source) and min(b) >= 0 and max(b) < len(destination)
    taken = [source[x] for x in a]
    for x, byte in zip(b, taken):
        destination[x] = byte
