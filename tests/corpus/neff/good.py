"""Two good NEFFs as {member: bytes}, from which the hostile corpus and the seeds of the fuzzers are made.

e1() is the allreduce case; rich() has one of everything that manifests may hold (neff-container.md sections 9 to 18).
"""
import importlib.util
import json
import os
import struct

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
E1 = os.path.join(ROOT, "vectors", "allreduce", "src")

TRIGGER, WAIT = 0xC1, 0xA0


def unhex(text):
    out = bytearray()
    for line in text.splitlines():
        line = line.split("#")[0]
        if ":" in line:
            offset, data = line.split(":")
            out.extend(bytes(int(offset, 16) - len(out)))
            out.extend(bytes.fromhex(data))
    return bytes(out)


def e1():
    files = {}
    for folder, _, names in sorted(os.walk(E1)):
        for name in sorted(names):
            path = os.path.join(folder, name)
            member = os.path.relpath(path, E1)
            data = open(path, "rb").read()
            if member.endswith(".hex"):
                member, data = member[:-4], unhex(data.decode())
            if member != "header.json":
                files[member] = data
    return files


def npy(data, descr="|u1", major=1):
    head = "{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }" % (descr, len(data))
    head += " " * (-(10 + len(head) + 1) % 64) + "\n"
    return b"\x93NUMPY" + bytes([major, 0]) + struct.pack("<H", len(head)) + head.encode() + data


def slot(opcode):
    return bytes([opcode, 0x10]) + bytes(62)


def trigger(queue, block):
    s = bytearray(slot(TRIGGER))
    s[12 : 12 + len(queue)] = queue.encode()
    struct.pack_into("<I", s, 48, block)
    return bytes(s)


def elf_corpus():
    """tests/corpus/elf/make.py as a module: GOOD is the worked example of q7-prelink.md section 16."""
    path = os.path.join(ROOT, "tests", "corpus", "elf", "make.py")
    spec = importlib.util.spec_from_file_location("elf", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pattern(side, name, size, **more):
    return {side: name, side + "_off": 0, side + "_sizes": [size, 1], side + "_steps": [1, size], **more}


def copy(source, target, size, **more):
    return {**pattern("from", source, size), **pattern("to", target, size), **more}


def rich_graph():
    v = {
        "input": {"type": "input", "var_id": 0, "size": 128, "dtype": "float32", "shape": [32], "alignment": 64,
                  "element_size": 4, "internal_shape": [1, 1, 1, 32], "#transfer-type": "input"},
        "output": {"type": "output", "var_id": 1, "size": 128, "dtype": "float32", "shape": [32],
                   "#file-name": "out.npy"},
        "SB": {"type": "state-buffer", "var_id": 2},
        "tmp": {"type": "tmp-buf", "var_id": 3, "size": 128, "prefix": "print me", "pipe": 1},
        "weights": {"type": "file", "var_id": 4, "file_name": "w.npy", "size": 64, "dtype": "uint8", "shape": [64]},
        "raw": {"type": "file", "var_id": 5, "file_name": "w.bin", "#transfer-type": "weight"},
        "view": {"type": "virtual", "var_id": 6, "size": 64, "backing_variable_off": 64, "backing_buf": "local"},
        "pointer": {"type": "pointer", "var_id": 7, "size": 8, "referenced_var_id": 8},
        "pointer2": {"type": "pointer", "var_id": 8, "size": 8, "referenced_var_id": 3},
        "list": {"type": "list", "var_id": 9, "list": [3, 4, 5]},
        "far": {"type": "remote", "var_id": 10, "remote_vtpb_rel_sg_id": 1, "remote_var_id": 3},
        "table": {"type": "dge-table", "var_id": 11},
        "wide": {"type": "tmp-buf", "var_id": 12, "size": 4096, "dtype": "float8_e4m3fn_x4",
                 "shape": [2, 2, 2, 2, 2, 2, 2, 8], "alignment": 4096},
    }
    q = {
        "q_in": {"type": "in", "owner": "pool", "semaphore": 10},
        "q_out": {"type": "out", "owner": "pool", "semaphore": 11},
        "q_data": {"type": "data", "owner": "pe", "semaphore": 12},
        "q_set": {"type": "data", "owner": "act", "semaphore_set": [13, 14], "num_queues": 2, "queue_instances": []},
        "q_indirect": {"type": "data", "owner": "dve", "indirect_memcpy": True, "pinned": True},
        "q_act": {"type": "act_load", "owner": "act", "num_queues": 1, "semaphore": 9},
        "q_emb": {"type": "embedding_update", "owner": "sp", "semaphore": 15, "embedding_update_sync_semaphore": 16},
    }
    return {
        "name": "definition", "version": "0.6-", "git_version": "", "debug_info": {"wavegraph": "wavegraph-bin.json"},
        "var": v, "dma_queue": q, "replica_groups": [[[0, 1], [2, 3]], [[0, 2], [1, 3]]],
        "src_target_pairs": [[[0, 1], [1, 0]]], "ucode_lib": "ucode_lib.json",
        "runtime_statebuffer_reservation": [
            {"type": "evtaccel", "offset": 0x37FF8, "size": 8, "base_partition": 0, "partitions": 128}],
        "cc_stream": {"num_streams": 2},
        "dma": [{"queue": "q_data", "id": 7, "desc": [{"from": "tmp", "to": "output", "size": 128}]}],
        "fp8_conversion_config": {"fp8_range_extension": True, "emax_fp8_e4m3": 8, "emax_fp8_e5m2": 15,
                                  "ocp_sat": False, "fp8_sis": False, "fp8_sns": True},
        "neff_features": ["neff_feature_custom_ops"], "#rank_world_size": 4,
        "pe": "pe.json", "act": "act.json", "pool": "pool.json", "dve": "dve.json", "sp": "sp.json",
    }


def rich():
    sum_of = {"op": "add", "from_arr": [pattern("from", "tmp", 32, from_dtype="float32"),
                                        pattern("from", "input", 32, from_dtype="float32")],
              **pattern("to", "output", 32, to_dtype="float32")}
    scaled = {"op": "fma", "scale": 0.5, "scale_dtype": "float32", **pattern("from", "tmp", 8, from_dtype="bfloat16"),
              **pattern("to", "output", 8, to_dtype="float32"), "cast": True}
    turned = {"op": "transpose", "transpose_op": "2-byte", "transpose_shape": [8, 8], "transpose_element_size": 2,
              **pattern("from", "tmp", 128), **pattern("to", "wide", 128)}
    backwards = {"from": "tmp", "from_off": 124, "from_sizes": [4, 32], "from_steps": [1, -4], **pattern("to", "output", 128)}
    backwards["to_sizes"], backwards["to_steps"] = [4, 32], [1, 4]
    pool = {"instr": "pool.bin", "name": "pool_array_json", "dma": [
        {"queue": "q_in", "id": 0, "desc": [copy("input", "tmp", 128)], "priority_class": 1, "#comment": "in"},
        {"queue": "q_out", "id": 0, "desc": [copy("tmp", "output", 128), backwards], "instance_name": "q_out",
         "remote_semaphores": []}]}
    pe = {"instr": "pe.bin", "name": "pe_array_json", "dma": [
        {"queue": "q_data", "id": 0, "desc": [sum_of, scaled, turned, copy("weights", "wide", 64)]}]}
    act = {"instr": "act.bin", "dma": [], "act_semaphore": 9, "activation_function_sets": [
        {"bkt_bin": "bkt.bin", "ctl_bin": "ctl.bin"}], "profile_meta_data": [{}], "act_info": "act_info.json"}
    dve = {"instr": "dve.bin", "dve_tables": {"opcode_table": "opcode.bin", "control_table": "control.bin"}}
    library = {"library": "lib.so", "ulib_to_ucode_version": "1.21.1.0", "ulib_to_isa_version": "1.0",
               "is_builtin": False, "cpu_id": 0, "total_cpus": 8,
               "functions": [{"name": "scale", "opcode": 133, "sub_opcode": 0}, {"name": "bias", "opcode": -123}]}
    neff = {
        "arg_nodes": [0], "heads": [[1, 0, 0]], "node_row_ptr": [0, 1, 2],
        "attrs": {"dltype": ["list_str", ["float32", "float32"]], "shape": ["list_shape", [[32], [32]]],
                  "storage_id": ["list_int", [0, 1]]},
        "metadata": {"signatures": {"default": {"inputs": {"input": {"id": 0, "dtype": "float32", "shape": [32]}}}}},
        "nodes": [
            {"op": "null", "name": "input", "inputs": [], "is_param": "0", "output_names": ["input"]},
            {"op": "tvm_op", "name": "sg", "inputs": [[0, 0, 0]], "output_names": "output", "attrs": {
                "func_name": "__kelf", "kelf": "kelf-0.json", "num_inputs": "1", "num_outputs": "1"}}],
    }
    kelf = {"version": "0.5", "target": "cayman", "graphs": [
        {"name": "sg00", "definition": "sg00/def.json"}, {"name": "sg01", "definition": "sg01/def.json"}]}
    small = {"var": {"output": {"type": "output", "var_id": 0, "size": 4}}, "runtime_statebuffer_reservation": [],
             "ucode_lib": [], "num_streams": 1}
    docs = {
        "neff.json": neff, "kelf-0.json": kelf, "sg00/def.json": rich_graph(), "sg00/pool.json": pool,
        "sg00/pe.json": pe, "sg00/act.json": act, "sg00/dve.json": dve, "sg00/sp.json": {"instr": "sp.bin"},
        "sg00/ucode_lib.json": {"ucode_lib": [library]}, "sg01/def.json": small, "hlo_stats.json": {"hlo_mac_count": 1},
    }
    files = {name: json.dumps(doc).encode() for name, doc in docs.items()}
    files.update({
        "sg00/pool.bin": trigger("q_in", 0) + trigger("q_out", 0), "sg00/pe.bin": trigger("q_data", 0),
        "sg00/act.bin": b"", "sg00/dve.bin": b"", "sg00/sp.bin": b"", "sg00/w.npy": npy(bytes(range(64))),
        "sg00/w.bin": bytes(32), "sg00/lib.so": bytes(elf_corpus().GOOD), "sg00/opcode.bin": bytes(16),
        "sg00/control.bin": bytes(16), "sg00/bkt.bin": bytes(16), "sg00/ctl.bin": bytes(16),
    })
    return files
