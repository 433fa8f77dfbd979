#!/usr/bin/env python3
"""Prove that the generated C and Verilog headers say the same, that they match worked examples of the
specification, and that scripts/gen_regs refuses bad tables.

    tests/regs/agree.py [GENDIR]

Without GENDIR the headers are generated into a temporary folder. The C header is read back by a compiled
program that prints every macro, the Verilog header by an iverilog simulation that prints every `define; nothing is parsed
as text except the names. Ends with "N passed, N failed" and exit code 1 if anything failed.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GENERATOR = os.path.join(ROOT, "scripts", "gen_regs")
TABLES = sorted(glob.glob(os.path.join(ROOT, "regs", "*.regs")))
passed = failed = 0


def check(what, found, wanted):
    global passed, failed
    if found == wanted:
        passed += 1
    else:
        failed += 1
        show = lambda v: hex(v) if isinstance(v, int) else repr(v)
        print("FAIL %s: found %s, wanted %s" % (what, show(found), show(wanted)))


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)


def must(*command):
    result = run(*command)
    if result.returncode:
        sys.exit("%s failed:\n%s%s" % (" ".join(command), result.stdout, result.stderr))
    return result.stdout


def values(text):
    return {name: int(value, 16) for name, value in (line.split() for line in text.splitlines() if line)}


def read_back(gen, work):
    c_names = re.findall(r"^#define (\w+) +\S", open(os.path.join(gen, "regs.h")).read(), re.M)
    v_names = re.findall(r"^`define (\w+) +\S", open(os.path.join(gen, "regs.vh")).read(), re.M)
    c_path, v_path = os.path.join(work, "dump.c"), os.path.join(work, "dump.v")
    with open(c_path, "w") as out:
        out.write('#include <stdio.h>\n#include "regs.h"\n#include "regs.h"\nint main(void)\n{\n')
        out.writelines('\tprintf("%s %%llx\\n", (unsigned long long)%s);\n' % (n, n) for n in c_names)
        out.write("\treturn 0;\n}\n")
    with open(v_path, "w") as out:
        out.write('`include "regs.vh"\n`include "regs.vh"\nmodule dump;\nreg [63:0] v;\ninitial begin\n')
        out.writelines('v = `%s; $display("%s %%h", v);\n' % (n, n) for n in v_names)
        out.write("end\nendmodule\n")
    must(os.environ.get("CC", "cc"), "-std=c11", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-O0", "-I", gen,
         c_path, "-o", os.path.join(work, "dump"))
    must("iverilog", "-g2005", "-I", gen, "-o", os.path.join(work, "dump.vvp"), v_path)
    c_values = values(must(os.path.join(work, "dump")))
    v_values = values(must("vvp", "-n", os.path.join(work, "dump.vvp")))
    check("names in the C header", len(c_values), len(c_names))
    check("both headers define the same names", sorted(v_values), sorted(c_values))
    for name in c_names:
        check("C and Verilog value of " + name, v_values.get(name), c_values[name])
    return c_values


def shape(m):
    """LSB, MSB and MASK of every field belong together."""
    fields = [n[:-5] for n in m if n.endswith("_MASK") and n[:-5] + "_LSB" in m]
    check("there are fields", len(fields) > 300, True)
    for stem in fields:
        lsb, msb = m[stem + "_LSB"], m[stem + "_MSB"]
        check(stem, m[stem + "_MASK"], ((1 << (msb - lsb + 1)) - 1) << lsb)


def worked_examples(m):
    def put(stem, **fields):
        word = 0
        for name, value in fields.items():
            value <<= m["%s_%s_LSB" % (stem, name)]
            check("%s_%s holds its value" % (stem, name), value & ~m["%s_%s_MASK" % (stem, name)], 0)
            word |= value
        return word

    def slot(*parts):
        """Build a slot from (macro stem, value) pairs, as a loader does."""
        raw = bytearray(m["SLOT_BYTES"])
        for stem, value in (("SLOT_HDR_WORD_LEN", m["SLOT_WORDS"]),) + parts:
            offset, size = m[stem + "_OFF"], m[stem + "_BYTES"]
            raw[offset:offset + size] = value if isinstance(value, bytes) else value.to_bytes(size, "little")
        return raw.hex()

    def wanted(*parts):
        raw = bytearray(64)
        for offset, text in parts:
            raw[offset:offset + len(bytes.fromhex(text))] = bytes.fromhex(text)
        return raw.hex()

    # isa: tables of tpb-sequencer.md, read again from their closed forms
    ops = [n for n in m if re.match(r"OP_(?!PSEUDO_MASK|PSEUDO_BITS|DISPATCH_)", n)]
    check("172 opcodes (tpb-sequencer.md §3.1)", len(ops), 172)
    check("opcode values differ", len({m[n] for n in ops}), 172)
    check("31 pseudo opcodes C1..DF", sum(m[n] & m["OP_PSEUDO_MASK"] == m["OP_PSEUDO_BITS"] for n in ops), 31)
    check("pseudo opcodes are the PSEUDO_ names", all((m[n] & m["OP_PSEUDO_MASK"] == m["OP_PSEUDO_BITS"])
                                                     == n.startswith("OP_PSEUDO_") for n in ops), True)
    check("178 dispatch slots (§3.4)", m["OP_DISPATCH_LAST"] - m["OP_DISPATCH_FIRST"] + 1, 178)
    check("HALT dispatch index (tpb-image.md §8)", m["OP_HALT"] - m["OP_DISPATCH_FIRST"], 0x60)
    for name in [n for n in m if n.startswith("UPD_") and n.endswith("_COMPLETE")]:
        check(name + " = READ + 0x10", m[name], m[name[:-8] + "READ"] + m["UPD_COMPLETE_BIT"])
    for name in [n for n in m if re.match(r"(WAIT|UPD)_SEM_.*_REG", n) and n != "WAIT_REG_BIT"]:
        check(name + " = IMM with bit 7", m[name], m[name.replace("_REG", "_IMM")] | 0x80)
    for name in [n for n in m if re.match(r"CMP_.._REG", n)]:
        check(name + " = IMM + 8", m[name], m[name.replace("_REG", "_IMM")] + 8)
    check("reduce mask (§5.3)", sum(1 << m["ALU_" + n] for n in ("ADD", "MULT", "MAX", "MIN")), m["CC_REDUCE_OPS"])

    # slots of tpb-image.md §7 and slice-walkthrough.md §4
    hdr = lambda op, **f: (("SLOT_HDR_OPCODE", m["OP_" + op]),) + tuple(("SLOT_HDR_" + k, v) for k, v in f.items())
    check("§7 ex. 4: EVENT_SEMAPHORE $S[11]>0",
          slot(*hdr("EVENT_SEMAPHORE", WAIT_MODE=m["WAIT_SEM_GT_IMM"], WAIT_IDX=11)), wanted((0, "a0100000040b")))
    check("§7 ex. 5: S[7] += 1", slot(*hdr("EVENT_SEMAPHORE"), ("SLOT_ES_UPDATE_MODE", m["UPD_SEM_ADD_IMM_COMPLETE"]),
                                     ("SLOT_ES_UPDATE_IDX", 7), ("SLOT_ES_UPDATE_VALUE", 1)),
          wanted((0, "a010"), (0x22, "1507"), (0x28, "01")))
    check("PE gate", slot(*hdr("EVENT_SEMAPHORE"), ("SLOT_ES_WAIT_MODE", m["WAIT_SEM_GE_IMM"]),
                          ("SLOT_ES_WAIT_IDX", m["SEM_START_GATE"]), ("SLOT_ES_WAIT_VALUE", 1),
                          ("SLOT_ES_UPDATE_MODE", m["UPD_SEM_DEC_COMPLETE"]),
                          ("SLOT_ES_UPDATE_IDX", m["SEM_START_GATE"]), ("SLOT_ES_UPDATE_VALUE", 1)),
          wanted((0, "a010"), (0x20, "05f014f00100000001")))
    check("§7 ex. 1: C8", slot(*hdr("PSEUDO_TRIGGER_COLLECTIVE", WAIT_MODE=m["WAIT_SEM_GT_IMM"], WAIT_IDX=10,
                                    UPDATE_MODE=m["UPD_SEM_INC_COMPLETE"], UPDATE_IDX=22),
                               ("SLOT_CC_OP", m["ALU_ADD"]), ("SLOT_CC_DTYPE", m["DTYPE_FP32"]), ("SLOT_CC_INPUT", 3),
                               ("SLOT_CC_OUTPUT", 4), ("SLOT_CC_NUM_ELEM", 32), ("SLOT_CC_CTYPE", m["CCTYPE_ALL_REDUCE"])),
          wanted((0, "c8100000040a131600000000040a0000030000000400000020000000000000000100")))
    check("§7 ex. 2: C1", slot(*hdr("PSEUDO_DMATRIGGER"), ("SLOT_DMATRIG_QUEUE", b"q_gradient_in".ljust(32, b"\0"))),
          wanted((0, "c110"), (12, b"q_gradient_in".hex())))
    check("§7 ex. 6: ALU_OP", slot(*hdr("ALU_OP"), ("SLOT_ALU_OP", m["ALU_ADD"]), ("SLOT_ALU_DTYPE", m["DTYPE_INT32"]),
                                  ("SLOT_ALU_SRC1_SRC", m["SRC_IMM"]), ("SLOT_ALU_SRC0_LO", 2), ("SLOT_ALU_DST_LO", 3),
                                  ("SLOT_ALU_IMM", 64)),
          wanted((0, "a810"), (0x0c, "04080100"), (0x10, "02"), (0x14, "03"), (0x18, "40")))
    check("§7 ex. 7: branch", slot(*hdr("COMPARE_BRANCH", DEBUG_HINT=2), ("SLOT_BR_CMP_OP", m["CMP_EQ_IMM"]),
                                  ("SLOT_BR_DTYPE", m["DTYPE_INT32"]), ("SLOT_BR_TARGET_MODE", m["BR_REL_IMM"]),
                                  ("SLOT_BR_CMP_REG0", 5), ("SLOT_BR_DISP", 0xffffff00)),
          wanted((0, "a9100002"), (0x0c, "030803"), (0x20, "05"), (0x30, "00ffffff")))
    check("§7 ex. 8: return", slot(*hdr("COMPARE_BRANCH"), ("SLOT_BR_TARGET_MODE", m["BR_REG"]),
                                  ("SLOT_BR_TARGET_LO", 10), ("SLOT_BR_TARGET_HI", 11)),
          wanted((0, "a910"), (0x0c, "000001"), (0x22, "0a0b")))
    check("§7 ex. 9: MOVE", slot(*hdr("MOVE"), ("SLOT_MOVE_NUM_MOV", 2), ("SLOT_MOVE_DTYPE", m["DTYPE_UINT32"]),
                                ("SLOT_MOVE_SRC", bytes([m["REG_PC_LO"], m["REG_PC_HI"]] + [0] * 6)),
                                ("SLOT_MOVE_DST", bytes([10, 11] + [0] * 6))),
          wanted((0, "a710"), (0x0c, "0209"), (0x10, "8081"), (0x18, "0a0b")))
    check("§7 ex. 10: RANGE_CLEAR", slot(*hdr("EVENT_SEMAPHORE_RANGE_CLEAR"), ("SLOT_RANGE_MODE", m["RANGE_RANGE"]),
                                        ("SLOT_RANGE_FIRST", 8), ("SLOT_RANGE_LAST", 31)),
          wanted((0, "b010"), (0x0c, "01081f")))
    check("§7 ex. 11: D8", slot(*hdr("PSEUDO_CORE_BARRIER", WAIT_MODE=m["WAIT_SEM_GE_IMM"], WAIT_IDX=7,
                                     UPDATE_MODE=m["UPD_SEM_INC_COMPLETE"], UPDATE_IDX=7, VALUE=4),
                                ("SLOT_COREBAR_ID", 0x2a), ("SLOT_COREBAR_SEMAPHORE", 7)),
          wanted((0, "d8100000050713070400000" + "02a000000"), (0x10, "07")))
    check("§7 ex. 12: exit", slot(*hdr("PSEUDO_INST"), ("SLOT_PSEUDO_SUBOP", m["PSEUDO_EXIT_EXECUTION"])),
          wanted((0, "df10"), (0x0c, "01")))
    check("§7 ex. 12: call", slot(*hdr("PSEUDO_FUNCTION_CALL"), ("SLOT_CALL_NAME", b"softmx".ljust(36, b"\0")),
                                 ("SLOT_CALL_ARGS", m["CALL_NO_ARGS"])),
          wanted((0, "d310"), (0x0c, "736f66746d78"), (0x30, "ffffffff")))
    check("PE trigger WRITE", slot(*hdr("WRITE", WAIT_MODE=m["WAIT_SEM_GT_IMM"], WAIT_IDX=10), ("SLOT_WRITE_WR_SIZE", 4),
                                   ("SLOT_WRITE_ADDR", m["SOC_TOPSP0"] + m["EVT_WIN_SEM_INC"]), ("SLOT_WRITE_VALUE", 1)),
          wanted((0, "a510"), (4, "040a"), (12, "04"), (16, "001800808200"), (24, "01")))
    check("NOTIFY hint 3", slot(*hdr("NOTIFY", DEBUG_HINT=m["HINT_DONE"])), wanted((0, "a6100003")))

    # seq
    check("lr[58]", m["LREG_LR_BASE"] + 58 * m["LREG_LR_STRIDE"], m["LREG_HALT_REASON_OFF"])
    for n, name in ((3, "PC_LO"), (4, "PC_HI"), (5, "BOUND_LO_LO"), (6, "BOUND_LO_HI"), (7, "BOUND_HI_LO"),
                    (8, "BOUND_HI_HI"), (9, "SP_MODE"), (38, "FEATURES"), (47, "SWITCH_BELL"), (59, "ERROR_WORD")):
        check("lr[%d] is %s" % (n, name), m["LREG_%s_OFF" % name], 0x1000 + 0x20 * n)
    check("hw_decode block mask reset 0x1FFF", m["LREG_MODE_RESET"], put("LREG_MODE", BLOCK_MASK=0x1fff))

    # udma §4.3, §18.4..18.8
    copy = put("M2S_DESC_W1", LAST_BLOCK=1, FIRST_BLOCK=1, COPY_SRC=1, OP=m["DMA_OP_CME"], OPTYPE=m["DMA_OPTYPE_COPY"])
    check("copy word", copy, m["DMA_COPY_WORD"])
    check("copy word with write barrier", copy | put("M2S_DESC_W1", WRITE_BARRIER=1), m["DMA_COPY_WB_WORD"])
    for op in ("ADD", "FMA", "MAX", "MIN"):
        check("CCE word " + op, put("M2S_DESC_W1", OP=m["DMA_OP_CCE"], OPTYPE=m["DMA_OPTYPE_CCE_" + op]),
              m["DMA_CCE_%s_WORD" % op])
    check("ex. A M2S[0]", put("M2S_DESC_W0", RING_ID=1, FIRST=1, LAST=1, LENGTH=4096), 0x0d001000)
    check("ex. A S2M[0]", put("S2M_DESC_W0", RING_ID=1, LENGTH=4096), 0x01001000)
    check("ex. A S2M[0] INT_EN", put("S2M_DESC_W0", RING_ID=1, LENGTH=4096, INT_EN=1), 0x11001000)
    check("ex. A completion", put("S2M_CMPL_W0", RING_ID=1, FIRST=1, LAST=1, BUF1_USED=1), 0x4d000000)
    check("ex. A TDRTP", put("M2SQ_TDRTP", RING_ID=1, OFFSET=2), 0x40000002)
    check("ex. B M2S[2]", put("M2S_DESC_W0", RING_ID=1, CONCAT=1, LAST=1, LENGTH=0x400), 0x89000400)
    check("ex. C stale id is error 17", m["M2S_ERR_RING_ID"], 17)
    check("ex. D source", put("M2S_CCE_W1", OP=4, TYPE_B=10, TYPE_C=10, FINAL=1, LAST_BLOCK=1), 0x020aa081)
    check("ex. D FMA MD word 2", put("M2S_MD_FMA_W2", A_SEL=1, B_SEL=2), 0x09000000)
    check("INC S2M word with SOW", put("S2M_DESC_W0", RING_ID=1, SOW=1, LENGTH=4),
          m["DMA_INC_S2M_SOW_WORD"] | put("S2M_DESC_W0", RING_ID=1))
    check("INC M2S word with DMB", put("M2S_DESC_W0", RING_ID=1, DMB=1, FIRST=1, LAST=1, LENGTH=4), 0x4d000004)
    check("its constant", m["DMA_INC_M2S_DMB_WORD"] | put("M2S_DESC_W0", RING_ID=1), 0x4d000004)
    check("constant-1 address", m["UAPP_SET_ADDR_HI_RESET"] << 32 | m["UAPP_SET_ADDR_LO_RESET"], m["DMA_CONST_SET_ADDR"])
    check("constant-0 address", m["UAPP_CLR_ADDR_HI_RESET"] << 32 | m["UAPP_CLR_ADDR_LO_RESET"], m["DMA_CONST_CLR_ADDR"])
    check("queue CFG on", m["DMA_Q_CFG_OFF"] | put("M2SQ_CFG", EN_PREF=1, EN_SCHED=1), m["DMA_Q_CFG_ON"])
    check("queue CFG reset", m["M2SQ_CFG_RESET"], put("M2SQ_CFG", AWCACHE_COMP=3))
    check("S2M CFG_ON", m["DMA_Q_CFG_OFF"] | put("S2MQ_CFG", EN_PREF=1, EN_STREAM=1), m["DMA_Q_CFG_ON"])
    check("rst_q", put("M2SQ_Q_SW_CTRL", RST_Q=1), m["DMA_Q_RESET"])
    check("CFG_LEN at init", put("M2S_CFG_LEN", MAX_PKT=0xfffff, ENCODE_64K=1), m["DMA_LEN_CFG"])
    check("DESC_PREF_CFG_2 at init", put("M2S_DESC_PREF_CFG_2", MAX_DESC=65, FORCE_RR=1), m["DMA_MAX_DESC_CFG"])
    check("28 M2S errors", sum(n.startswith("M2S_ERR_") and not n.startswith("M2S_ERR_LOG") for n in m), 28)

    # addresses: udma §1.3, §18.8, slice-walkthrough §3, §5
    def bell(base, engine, queue, block, reg):
        return (m[base] + engine * m[base.replace("UDMA0", "UDMA_STRIDE")] + m["UDMA_%s_OFF" % block] + m["UDMA_Q_FIRST"]
                + queue * m["UDMA_Q_STRIDE"] + m["%sQ_%s_OFF" % (block, reg)])
    check("engine 5 queue 5 bell", bell("SOC_UDMA0", 5, 5, "M2S", "TDRTP_INC"), 0x1002506038)
    for engine, queue, s2m, m2s in ((0, 0, 0x1002021038, 0x1002001038), (1, 0, 0x1002121038, 0x1002101038),
                                    (0, 15, 0x1002030038, 0x1002010038)):
        check("S2M bell", bell("SOC_UDMA0", engine, queue, "S2M", "RDRTP_INC"), s2m)
        check("M2S bell", bell("SOC_UDMA0", engine, queue, "M2S", "TDRTP_INC"), m2s)
    check("agent bell BAR0", bell("BAR0_UDMA0", 0, m["UDMA_Q_COLLECTIVES"], "S2M", "RDRTP_INC"), 0x82030038)
    check("first poll register", bell("BAR0_UDMA0", 0, 0, "M2S", "TCRHP"), 0x8200104c)
    check("GEN axi.cfg_1", m["UDMA_GEN_OFF"] + m["UGEN_AXI_CFG_1_OFF"], 0x3a300)
    check("GEN spare", m["UDMA_GEN_OFF"] + m["UGEN_SPARE_OFF"], 0x3b460)
    check("GEN_EX vmpr", m["UDMA_GEN_EX_OFF"] + m["UGENEX_VMPR_OFF"], 0x3c400)
    check("num_set of engine 1", m["BAR0_UDMA0"] + m["BAR0_UDMA_STRIDE"] + m["UDMA_APP_OFF"] + m["UAPP_NUM_SET_OFF"],
          0x82140014)
    for sem, address in ((10, 0x2802701828), (11, 0x280270182c), (22, 0x2802701858)):
        check("INC alias of S[%d]" % sem, m["SOC_EVT"] + m["EVT_WIN_SEM_INC"] + m["EVT_STRIDE"] * sem, address)
    check("start gate of PE", m["BAR0_EVT"] + m["EVT_WIN_SEM_INC"] + 4 * m["SEM_START_GATE"], 0xd2701bc0)
    check("sem 7 of core 1", m["BAR0_TPB0"] + m["BAR0_TPB_STRIDE"] + m["LOC_EVT"] + m["EVT_WIN_SEM_INC"] + 28, 0xd670181c)
    check("mailbox DEC", m["BAR0_TOPSP"] + m["EVT_WIN_SEM_DEC"], 0xf0001c00)
    for engine in ("PE", "ACT", "POOL", "DVE", "SP"):
        local = m["LOC_LREG_" + engine]
        check("SoC LOCAL_REG of " + engine, m["SOC_LREG_" + engine], m["SOC_TPB0"] + m["SOC_LOCAL_HIGH"] + local)
        check("BAR0 LOCAL_REG of " + engine, m["BAR0_LREG_" + engine], m["BAR0_TPB0"] + local)
    check("attribute mask", m["SOC_ADDR_ATTR_MASK"], 7 << m["SOC_ADDR_ATTR_LSB"])
    check("SDMA NOTIFIC", m["BAR0_UDMA0"] + m["UDMA_NOTIFIC_OFF"], 0x82041000)
    check("host memory is bit 46", m["SOC_HOST"], 1 << 46)

    # notific §3, §14, slice-walkthrough §5, §9
    check("tail of queue 9", m["NQ_Q_BASE"] + 9 * m["NQ_Q_STRIDE"] + m["NQQ_TAIL_OFF"], 0x278)
    check("head of queue 1, BAR0", m["BAR0_NOTIFIC"] + m["NQ_Q_BASE"] + m["NQ_Q_STRIDE"] + m["NQQ_HEAD_OFF"], 0x06001134)
    check("25 record types", len({v for n, v in m.items() if n.startswith("NTYPE_") and "_ENG_" not in n}), 25)
    for e, name in enumerate(("PE", "ACT", "POOL", "DVE", "SP")):
        check("engine number of " + name, m["ENG_" + name], e)
        for kind in ("START", "END", "EXPLICIT", "EVT_SEM"):
            check("type of %s %s" % (name, kind), m["NTYPE_%s_%s" % (name, kind)],
                  m["NTYPE_ENG_BASE"] + e * m["NTYPE_ENG_STRIDE"] + m["NKIND_" + kind])
    head = lambda kind, **f: put("NOTIF_W0", TYPE=m["NTYPE_" + kind], **f)
    check("§14 POOL START", head("POOL_START", PHASE=1) | put("NOTIF_START_W0", PC=0x123, HINT=5), 0x8c500123)
    check("§14 POOL START W1", put("NOTIF_START_W1", RESET_CTR=7, WAIT_CYCLES=64), 0x00400007)
    check("§14 POOL END W1", put("NOTIF_END_W1", IN_CRC=0x1d0f, OUT_CRC=0x29b1), 0x29b11d0f)
    check("§14 SP EXPLICIT W1", put("NOTIF_EXPLICIT_W1", RESET_CTR=7, HINT_EXT=0xbeef), 0xbeef0007)
    check("§14 DGE W1", put("NOTIF_DGE_W1", DMA_MAP=0xff, PACKETS=64, GROUP=1), 0x804000ff)
    check("§14 DVE EVT_SEM", head("DVE_EVT_SEM", PHASE=1)
          | put("NOTIF_EVT_SEM_W0", ID=0x2a, IS_SEM=1, MODE=m["UPD_SEM_ADD_IMM_COMPLETE"]), 0x9315012a)
    check("§14 M2S_EOP W1", put("NOTIF_DMA_W1", SUB=m["NDMA_M2S_EOP"], QUEUE=3, CRC=0xbeef), 0xbeef0032)
    axi = 0x2802701804
    check("§14 AXI_REQ W1", put("NOTIF_DMA_AXI_W1", SUB=m["NDMA_AXI_REQ_0"], ID=9, ADDR_HI=axi >> 24), 0x00500498)
    check("§14 APB_REQ W1", put("NOTIF_DMA_APB_W1", SUB=m["NDMA_APB_REQ_0"], ADDR_HI=6), 0x6c)
    check("§14 ERROR warning", head("ERROR", PHASE=1)
          | put("NOTIF_ERROR_W0", GROUP=4, N_TYPE=1, META0=2, BLOCK_ID=0x25, META1=3), 0x830c252c)
    check("§14 TPB_ERROR", head("TPB_ERROR", PHASE=1) | put("NOTIF_TPB_ERROR_W0", ID=m["NERR_SEQ_FATAL"]), 0x9f00000a)
    check("§14 TPB_ERROR W1", put("NOTIF_TPB_ERROR_W1", BLOCK_ID=2, PC=0x123, INFO=0x99), 0x00991232)
    check("§14 2nd pass, sw overflow", head("PE_EXPLICIT", SW_OVF=1) | put("NOTIF_EXPLICIT_W0", PC=0x77), 0x26000077)
    check("§14 2nd pass, hw overflow", head("ACT_START", HW_OVF=1) | put("NOTIF_START_W0", PC=0x1f0), 0x480001f0)
    check("E1 PE hint 4", head("PE_EXPLICIT", PHASE=m["NQ_PHASE_FIRST"])
          | put("NOTIF_EXPLICIT_W0", HINT=m["HINT_SWITCH_START"]), 0x86400000)
    check("E1 SP hint 3", head("SP_EXPLICIT", PHASE=1) | put("NOTIF_EXPLICIT_W0", PC=0xe, HINT=m["HINT_DONE"]), 0x9630000e)
    for reg, fields, word in (("PE_POOL", dict(PE_EXPLICIT=1, POOL_EXPLICIT=1), 0x00100010),
                              ("ACT_DVE", dict(ACT_EXPLICIT=1, DVE_EXPLICIT=1), 0x00100010),
                              ("SP_EVT", dict(SP_EXPLICIT=1, EVT=2), 0x00020010), ("ERR", dict(ERR=3), 3)):
        check("E1 routing " + reg, put("TPB_ROUTE_" + reg, **fields), word)
    check("coalescer reset", put("NQ_COAL_CTRL", STREAM_EN=0xf), m["NQ_COAL_CTRL_RESET"])

    # neff §2: the C check list
    for name, offset in (("HASH", 0xac), ("UUID", 0xcc), ("NAME", 0xdc), ("TPB_COUNT", 0x1dc), ("FEATURE_BITS", 0x220)):
        check("offset of " + name, m["NEFF_HDR_%s_OFF" % name], offset)
    words = sorted((m[n], m[n[:-4] + "_BYTES"]) for n in m if re.match(r"NEFF_HDR_\w+_OFF$", n))
    check("the header has no holes", [o for o, _ in words], [sum(s for _, s in words[:i]) for i in range(len(words))])
    check("header size", sum(s for _, s in words), m["NEFF_HDR_SIZE"])
    check("trap mask is every unknown bit below 63",
          m["NEFF_FEATURES_TRAP"], ~m["NEFF_FEATURES_KNOWN"] & ((1 << 63) - 1))

    # q7-prelink §6, §12, §13, q7-firmware §1, §6
    for arch in ("CAYMAN", "SUNDA"):
        q7 = lambda name: m["Q7_%s_%s" % (arch, name)]
        check(arch + " code window ends with the IRAM", q7("CODE_BASE") + q7("CODE_BYTES"), q7("IRAM_BASE") + q7("IRAM_BYTES"))
        check(arch + " data window ends with the DRAM", q7("DATA_BASE") + q7("DATA_BYTES"), q7("DRAM_BASE") + q7("DRAM_BYTES"))
    check("UCPL magic", m["UCPL_MAGIC"].to_bytes(8, "little"), b"UCPL \0\0\0")
    check("UCPL magic holds the code offset", m["UCPL_MAGIC"] >> m["UCPL_MAGIC_CODE_OFF_LSB"], m["UCPL_SIZE"])
    words = sorted((m[n], m[n[:-4] + "_BYTES"]) for n in m if re.match(r"UCPL_\w+_OFF$", n) and n[:-4] + "_BYTES" in m)
    check("the UCPL header has no holes", [o for o, _ in words], [sum(s for _, s in words[:i]) for i in range(len(words))])
    check("UCPL header size", sum(s for _, s in words), m["UCPL_SIZE"])
    check("key of EXTENDED_INST spec 4", m["OP_EXTENDED_INST"] << m["KROW_KEY_OPCODE_LSB"] | 4 << m["KROW_KEY_SPEC_LSB"], 0xf0040000)
    check("core 7 code window", m["Q7_CORE0"] + 7 * m["Q7_CORE_STRIDE"] + m["Q7_CAYMAN_CODE_BASE"], 0x2803818000)
    check("core 7 data window", m["Q7_CORE0"] + 7 * m["Q7_CORE_STRIDE"] + m["Q7_CAYMAN_DATA_BASE"], 0x28038be000)
    check("gate mask of prelinked coretypes", sum(1 << m["Q7_CORETYPE_" + n] for n in ("CAYMAN", "MARIANA", "MARIANA_PLUS", "MAVERICK")),
          0x2020202000)
    check("15 slots between the SLOT families", m["Q7_REL_SLOT_ALT"] - m["Q7_REL_SLOT_OP"], m["Q7_REL_SLOTS"])


def generator(work):
    """Bad tables are refused with file:line and nothing is written; good ones are written only on change."""
    path, out = os.path.join(work, "t.regs"), os.path.join(work, "out")
    block, rec = 'block B "b"\n', 'record R 8 "r"\n'
    reg = 'reg A 0x0 RW 0 "a"\n'
    bad = [("overlapping fields", block + reg + 'field F 3:0 "f"\nfield G 5:3 "g"\n', 4),
           ("field wider than the register", block + reg + 'field F 32:0 "f"\n', 3),
           ("field wider than the word", rec + 'word W 0 1 "w"\nfield F 8:8 "f"\n', 3),
           ("msb below lsb", block + reg + 'field F 0:3 "f"\n', 3),
           ("duplicate register", block + reg + 'reg A 0x4 RW 0 "a"\n', 3),
           ("duplicate field", block + reg + 'field F 0:0 "f"\nfield F 1:1 "f"\n', 4),
           ("duplicate constant", 'const C 1 "c"\nconst C 2 "c"\n', 2),
           ("duplicate value", 'enum E "e"\nvalue V 0 "v"\nvalue V 1 "v"\n', 3),
           ("same macro from two items", 'enum E "e"\nvalue V 0 "v"\nconst E_V 1 "v"\n', 3),
           ("overlapping registers", block + reg + 'reg B 0x0 RW 0 "b"\n', 3),
           ("unaligned register", block + 'reg A 0x2 RW 0 "a"\n', 2),
           ("reset that does not fit", block + 'reg A 0x0 RW 0x100000000 "a"\n', 2),
           ("reset outside the fields", block + 'reg A 0x0 RW 0x10 "a"\nfield F 3:0 "f"\n', 2),
           ("unknown access", block + 'reg A 0x0 RX 0 "a"\n', 2),
           ("overlapping words", rec + 'word V 0 4 "v"\nword W 2 4 "w"\n', 3),
           ("word outside the record", rec + 'word W 6 4 "w"\n', 2),
           ("field without a holder", block + 'field F 0:0 "f"\n', 2),
           ("value outside an enum", block + 'value V 0 "v"\n', 2),
           ("not a number", 'const C 0xg "c"\n', 1), ("65 bits", 'const C 0x10000000000000000 "c"\n', 1),
           ("small letters", 'const c 1 "c"\n', 1), ("no meaning", "const C 1\n", 1),
           ("unknown item", '\nfoo C 1 "c"\n', 2), ("missing word", 'const C "c"\n', 1),
           ("open quote", 'const C 1 "c\n', 1), ("comment end in a meaning", 'const C 1 "c */ d"\n', 1),
           ("empty block", block, 1)]
    for what, text, line in bad:
        with open(path, "w") as table:
            table.write(text)
        result = run(GENERATOR, out, path)
        check("refuses " + what, (result.returncode, ("%s:%d: " % (path, line)) in result.stderr, os.path.exists(out)),
              (1, True, False))
    with open(path, "w") as table:
        table.write('const C 1 "c"  # a comment with "quotes"\n')
    check("accepts a comment", run(GENERATOR, out, path).returncode, 0)
    files = [os.path.join(out, name) for name in ("regs.h", "regs.vh", "regs.md")]
    for name in files:
        os.utime(name, (1, 1))
    check("runs again", run(GENERATOR, out, path).returncode, 0)
    check("unchanged files stay untouched", [os.path.getmtime(name) for name in files], [1, 1, 1])
    with open(path, "a") as table:
        table.write('const D 2 "d"\n')
    run(GENERATOR, out, path)
    check("changed files are written", all(os.path.getmtime(name) > 1 for name in files), True)
    check("no file, usage", (run(GENERATOR, out).returncode, run(GENERATOR, out, path + "x").returncode), (2, 1))


def main():
    with tempfile.TemporaryDirectory() as work:
        gen = sys.argv[1] if len(sys.argv) > 1 else os.path.join(work, "gen")
        if len(sys.argv) < 2:
            must(GENERATOR, gen, *TABLES)
        macros = read_back(gen, work)
        shape(macros)
        worked_examples(macros)
        generator(work)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
