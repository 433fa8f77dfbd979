#!/bin/sh
# neffsim info: the page of E1 word for word, the JSON document, cut tables, colours, and files that break a rule.
. tests/cli/lib.inc

e1=$work/e1.neff
"$neffsim" pack vectors/allreduce/src -o "$e1" --stored || exit 1

# From fixture-allreduce.md §2, §4, §6 to §8, §10; neff-container.md §20.
cat >"$work/page" <<'P'
NEFF  e1.neff
  name          x
  version       2.0, package 2 (gzip tar, MD5)
  built by      2.0.21884.0%kaena-tools/develop@6c66f4b
  uuid          561826fb-125f-4bb8-991c-29e085c8949a
  hash          e1ac4d5d914e211e6682bb213b463936 (verified)
  cores         1 requested, 1 per logical core (vnc_size)
  feature bits  0x0 (none)
  file          21527 bytes
  archive       20503 bytes, gzip without compression
  members       18, 4480 bytes

members  18, in archive order
  bytes  name
    129  kelf-a.json
    980  neff.json
     63  sg00/pe.json
   1421  sg00/def.json
    192  sg00/pool.bin
      0  sg00/sp.asm
     64  sg00/pe.bin
     65  sg00/dve.json
    182  sg00/act.json
      0  sg00/dve.bin
      0  sg00/dve.asm
      0  sg00/act.bin
      0  sg00/sp.bin
     63  sg00/sp.json
    126  sg00/pool.asm
    153  sg00/pe.asm
   1042  sg00/pool.json
      0  sg00/act.asm

inputs and outputs  of the model, from neff.json
          bytes  type         name
  input     128  float32[32]  input
  output    128  float32[32]  output

graph  sg00: sg00/def.json, target * (kelf-a.json, version 0.5)
  pe            1 slot of 64 bytes (sg00/pe.bin): 1 PSEUDO_TRIGGER_COLLECTIVE
  act           no slots (sg00/act.bin)
  pool          3 slots of 64 bytes (sg00/pool.bin): 2 PSEUDO_DMATRIGGER, 1 EVENT_SEMAPHORE
  dve           no slots (sg00/dve.bin)
  sp            no slots (sg00/sp.bin)

variables  5: 1 state-buffer, 2 tmp-buf, 1 input, 1 output
  id  kind          bytes  align  type  name
   0  input           128     64  [32]  input
   1  state-buffer      -     64        SB
   2  output          128     64  [32]  output
   3  tmp-buf         128     64        gradient_in
   4  tmp-buf         128     64        gradient_out

rings  2, with 2 blocks; read and write count hardware descriptors
  name            kind  owner  sem  blocks  desc  read  write  bytes  moves
  q_gradient_in   in    pool   10        1     1     1      1    128  DRAM->DRAM
  q_gradient_out  out   pool   11        1     1     1      1    128  DRAM->DRAM

collectives  1 topology of replica groups, world size 1, 1 stream

settings
  carveouts     none
  activation    0 table sets, 0 profile records, information in act_info.json
                loads use semaphore 9
  version       0.6-
P
case $neffsim in /*) program=$neffsim ;; *) program=$PWD/$neffsim ;; esac
page() { # FILE ARGS...: the page without the warnings
    (cd "$work" && "$program" info "$@" 2>/dev/null) | sed '/^warnings/,$d' | sed '$ { /^$/d }'
}
page e1.neff >"$work/got"
check "the page of E1" diff "$work/page" "$work/got"
check "--graph of the only graph changes nothing" sh -c "'$neffsim' info '$e1' --graph sg00 | cmp - '$work/whole'" \
    "$("$neffsim" info "$e1" >"$work/whole")"
expect "an unknown graph is named, with those that are there" 2 'no graph "sg07".*found: sg00' "$neffsim" info "$e1" --graph sg07
expect "a wrong colour word" 2 "auto, always or never" "$neffsim" info "$e1" --color blue
expect "no word of memory that is not known" 2 "max-size" "$neffsim" info "$e1" --max-size many
expect "an archive above the limit" 2 "archive" "$neffsim" info "$e1" --max-size 20000

# ---- colours: only when asked for or on a terminal
escape=$(printf '\033')
check "no colour into a pipe" sh -c "! '$neffsim' info '$e1' | grep -q '$escape'"
check "--color always" sh -c "'$neffsim' info '$e1' --color always | grep -q '$escape\[1mNEFF$escape\[0m'"
check "colours change nothing else" sh -c "'$neffsim' info '$e1' --color always | sed 's/$escape\[[0-9]*m//g' | cmp - '$work/whole'"
cat >"$work/terminal.py" <<'P'
import os, pty, sys
os.environ.update(TERM="xterm")
os.environ.pop("NO_COLOR", None)
os.environ.update(w.split("=") for w in sys.argv[1].split())
got = b""
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[2], sys.argv[2:])
while True:
    try:
        piece = os.read(fd, 65536)
    except OSError:
        break
    if not piece:
        break
    got += piece
os.waitpid(pid, 0)
sys.exit(0 if b"\x1b[" in got else 1)
P
check "colour on a terminal" python3 "$work/terminal.py" "A=b" "$neffsim" info "$e1"
check "NO_COLOR" sh -c "! python3 '$work/terminal.py' NO_COLOR=1 '$neffsim' info '$e1'"
check "an empty NO_COLOR means nothing" python3 "$work/terminal.py" "NO_COLOR=" "$neffsim" info "$e1"
check "a dumb terminal" sh -c "! python3 '$work/terminal.py' TERM=dumb '$neffsim' info '$e1'"
check "--color never on a terminal" sh -c "! python3 '$work/terminal.py' A=b '$neffsim' info '$e1' --color never"
check "--color always wins over NO_COLOR" python3 "$work/terminal.py" "NO_COLOR=1" "$neffsim" info "$e1" --color always

# ---- the document
"$neffsim" info --json "$e1" >"$work/e1.json"
check "the document of E1" python3 - "$work/e1.json" <<'P'
import json, sys
j = json.load(open(sys.argv[1]))
keys = ["file", "file_size", "header", "archive", "kelf", "kelf_version", "target", "inputs", "outputs", "graphs",
        "metaneff", "problems", "warnings"]
assert list(j) == keys, list(j)
h = j["header"]
assert h == {"pkg_version": 2, "header_size": 1024, "data_size": 20503, "version_major": 2, "version_minor": 0,
             "build_version": "2.0.21884.0%kaena-tools/develop@6c66f4b", "unused_0": 1,
             "hash": "e1ac4d5d914e211e6682bb213b463936" + 16 * "30", "uuid": "561826fb-125f-4bb8-991c-29e085c8949a",
             "name": "x", "requested_tpb_count": 1, "tpb_per_node": [], "vnc_size": 1, "feature_bits": 0,
             "features": []}, h
a = j["archive"]
assert (a["gzip"], a["compressed"], a["hash_verified"], a["member_bytes"], len(a["members"])) == (True, False, True, 4480, 18)
assert a["members"][3] == {"name": "sg00/def.json", "size": 1421}
assert j["inputs"] == [{"name": "input", "dtype": "float32", "shape": [32], "size": 128}]
assert (j["kelf"], j["kelf_version"], j["target"], j["metaneff"], j["problems"]) == ("kelf-a.json", "0.5", "*", None, [])
g, = j["graphs"]
e = {x["name"]: x for x in g["engines"]}
assert list(e) == ["pe", "act", "pool", "dve", "sp"]
assert e["pool"]["opcodes"] == [{"opcode": 0xa0, "name": "EVENT_SEMAPHORE", "count": 1},
                                {"opcode": 0xc1, "name": "PSEUDO_DMATRIGGER", "count": 2}]
assert [(v["var_id"], v["name"], v["type"], v["size"]) for v in g["vars"]] == [
    (0, "input", "input", 128), (1, "SB", "state-buffer", 0), (2, "output", "output", 128),
    (3, "gradient_in", "tmp-buf", 128), (4, "gradient_out", "tmp-buf", 128)]
assert [(q["name"], q["type"], q["owner"], q["semaphore"], q["descriptors"], q["bytes_read"], q["bytes_written"])
        for q in g["queues"]] == [("q_gradient_in", "in", "pool", 10, 1, 128, 128),
                                  ("q_gradient_out", "out", "pool", 11, 1, 128, 128)]
d = g["blocks"][1]["descriptors"][0]
assert d["from"] == [{"var": "gradient_out", "offset": 0, "sizes": [128, 1], "steps": [1, 128], "dtype": None}]
assert d["to"]["var"] == "output" and d["op"] == "copy"
assert g["replica_groups"] == [[]] and g["num_streams"] == 1 and g["world_size"] == 1
assert g["act_semaphore"] == 9 and g["act_info"] == "act_info.json" and g["statebuffer_reservation"] == []
P
check "the document is the same every time" sh -c "'$neffsim' info --json '$e1' | cmp - '$work/e1.json'"

# ---- a graph with everything: two graphs, libraries, groups, pairs, fp8, carveouts, compute copies, an 8-byte SP
mkdir -p "$work/rich/sg00" "$work/rich/sg01"
cp vectors/allreduce/src/neff.json "$work/rich/"
python3 - "$work/rich" <<'P'
import json, struct, sys
root = sys.argv[1]
def put(name, value):
    with open(root + "/" + name, "wb") as f:
        f.write(value if isinstance(value, bytes) else json.dumps(value).encode())
put("kelf-a.json", {"version": "0.5", "target": "cayman", "graphs": [
    {"name": "sg00", "definition": "sg00/def.json"}, {"name": "sg01", "definition": "sg01/def.json"}]})
ap = lambda side, var, sizes, steps, **k: {side: var, side + "_sizes": sizes, side + "_steps": steps, **k}
put("sg00/def.json", {
    "version": "0.6-", "git_version": "abc",
    "var": {
        "input": {"type": "input", "size": 128, "var_id": 0, "dtype": "float32", "shape": [32]},
        "output": {"type": "output", "size": 128, "var_id": 1},
        "SB": {"type": "state-buffer", "var_id": 2},
        "w": {"type": "file", "file_name": "w.bin", "size": 32, "var_id": 3, "dtype": "uint8"},
        "view": {"type": "virtual", "size": 64, "backing_variable_off": 64, "backing_buf": "shared", "var_id": 4},
        "ptr": {"type": "pointer", "size": 8, "referenced_var_id": 3, "var_id": 5},
        "both": {"type": "list", "list": [0, 1], "var_id": 6}},
    "dma_queue": {
        "q_in": {"type": "in", "owner": "pool", "semaphore": 10},
        "q_set": {"type": "data", "owner": "act", "semaphore_set": [13, 14], "num_queues": 2}},
    "replica_groups": [[[0, 1], [2, 3]], [[0, 2], [1, 3]]], "src_target_pairs": [[[0, 1], [1, 0]]],
    "num_streams": 2, "runtime_statebuffer_reservation": [
        {"type": "evtaccel", "offset": 0x37ff8, "size": 8, "base_partition": 0, "partitions": 128}],
    "fp8_conversion_config": {"fp8_range_extension": True, "emax_fp8_e4m3": 8, "fp8_sns": True},
    "pool": "pool.json", "act": "act.json", "sp": "sp.json"})
put("sg00/pool.json", {"instr": "pool.bin", "dma": [{"queue": "q_in", "id": 0, "desc": [
    {**ap("from", "input", [4, 8], [1, 4]), **ap("to", "SB", [32], [1])},
    {"op": "add", "from_arr": [ap("from", "input", [8], [4], from_dtype="float32"),
                               ap("from", "output", [8], [4], from_dtype="float32")],
     **ap("to", "output", [8], [4], to_dtype="float32")}]}]})
put("sg00/act.json", {"instr": "act.bin", "act_semaphore": 9, "profile_meta_data": [{}]})
put("sg00/sp.json", {"instr": "sp.bin"})
put("sg00/pool.bin", b"")
put("sg00/act.bin", b"")
put("sg00/sp.bin", bytes([0x60, 1]) + bytes(6) + bytes([0x10, 3]) + bytes(6) + bytes([0x90, 3]) + bytes(6))
put("sg00/w.bin", bytes(32))
put("sg01/def.json", {"var": {"output": {"type": "output", "size": 4, "var_id": 0}}})
P
expect "pack a graph with everything" 0 - "$neffsim" pack "$work/rich" -o "$work/rich.neff" --force
for line in \
    "weights       1, 32 bytes" \
    "graph  sg00: sg00/def.json, target cayman \(kelf-a.json, version 0.5\)" \
    "pool          no slots \(sg00/pool.bin\)" \
    "pe            not in the graph" \
    "sp            3 slots of 8 bytes \(sg00/sp.bin\): 2 NOTIFY_HALT, 1 SET_AR" \
    "3  file             32     64  uint8        w <- w.bin" \
    "4  virtual          64     64               view in shared at 0x40" \
    "5  pointer           8     64               ptr -> id 3 w" \
    "6  list              -     64               both, list of 2" \
    "q_in   in    pool   10          1     2    10      2     64  DRAM->DRAM 32, DRAM->SB 32, 96 re" \
    "q_set  data  act    13 14       0     0     0      0      0  set of 2" \
    "collectives  2 topologies of replica groups, world size 4, 2 streams" \
    "         1      2  1 3" \
    "         0       1       0" \
    "carveout      evtaccel: 8 bytes at 0x37ff8 of partitions 0 to 127" \
    "fp8           range extension, emax e4m3 8, saturate NaN" \
    "activation    0 table sets, 1 profile record" \
    "version       0.6-, git abc" \
    "graph  sg01: sg01/def.json"; do
    expect "everything: $line" 0 "^ *$line" "$neffsim" info "$work/rich.neff"
done
expect "--graph leaves the other out" 0 - sh -c "'$neffsim' info '$work/rich.neff' --graph sg01 | grep -q 'graph  sg01' &&
    ! '$neffsim' info '$work/rich.neff' --graph sg01 | grep -q 'graph  sg00'"
check "and in the document" sh -c "'$neffsim' info '$work/rich.neff' --json --graph sg01 >'$work/one.json' &&
    python3 -c 'import json; assert [g[\"name\"] for g in json.load(open(\"$work/one.json\"))[\"graphs\"]] == [\"sg01\"]'"
"$neffsim" info "$work/rich.neff" --json >"$work/rich.json"
check "the document has everything" python3 - "$work/rich.json" <<'P'
import json, sys
g = json.load(open(sys.argv[1]))["graphs"][0]
assert g["replica_groups"] == [[[0, 1], [2, 3]], [[0, 2], [1, 3]]] and g["src_target_pairs"] == [[[0, 1], [1, 0]]]
assert g["fp8_conversion_config"] == {"fp8_range_extension": True, "emax_fp8_e4m3": 8, "ocp_sat": False,
                                      "fp8_sis": False, "fp8_sns": True}
assert g["statebuffer_reservation"] == [{"type": "evtaccel", "offset": 0x37ff8, "size": 8, "base_partition": 0,
                                         "partitions": 128}]
sp = g["engines"][4]
assert (sp["dialect"], sp["slots"], sp["slot_bytes"]) == ("sp8", 3, 8)
q = g["queues"][0]
assert (q["read_elements"], q["write_elements"], q["bytes_read"], q["bytes_written"]) == (10, 2, 96, 64), q
assert q["moved"] == [{"from": "DRAM", "to": "DRAM", "bytes": 32}, {"from": "DRAM", "to": "SB", "bytes": 32}]
assert g["vars"][4]["backing_buf"] == "shared" and g["vars"][6]["list"] == [0, 1]
assert g["queues"][1]["semaphore_set"] == [13, 14]
P

# ---- long lists, long names, names that are made to hurt
cp -r vectors/allreduce/src "$work/many"
python3 - "$work/many/sg00/def.json" <<'P'
import json, sys
j = json.load(open(sys.argv[1]))
for i in range(60):
    j["var"]["tmp%02d_" % i + "n" * 150] = {"type": "tmp-buf", "size": 1 << 40, "var_id": 5 + i}
j["var"]["evil\u001b[31m\u009b5m\u007f"] = {"type": "tmp-buf", "size": 1, "var_id": 65}
json.dump(j, open(sys.argv[1], "w"))
P
"$neffsim" pack "$work/many" -o "$work/many.neff" || exit 1
expect "a long table is cut" 0 '^  \.\.\. 42 more \(--all\)$' "$neffsim" info "$work/many.neff"
check "--all is not" sh -c "[ \$('$neffsim' info --all '$work/many.neff' | grep -c 'tmp[0-9][0-9]_n*\$') = 60 ]"
check "everything fits 100 columns" sh -c "! '$neffsim' info '$work/many.neff' | grep -qE '^.{101}' &&
    ! '$neffsim' info '$work/rich.neff' | grep -qE '^.{101}'"
"$neffsim" info --all "$work/many.neff" >"$work/evil"
check "control characters of names are harmless" python3 - "$work/evil" <<'P'
import sys
page = open(sys.argv[1], "rb").read()
assert b"evil?[31m?5m?\n" in page, page[-300:]
assert not set(page.decode()) & set(map(chr, [*range(10), *range(11, 32), *range(127, 160)]))
P

# ---- files that break a rule: what can be read is shown, the rest named
python3 - "$e1" "$work" <<'P'
import sys
b = bytearray(open(sys.argv[1], "rb").read())
def put(name, at, value):
    c = bytearray(b)
    c[at] = value
    open(sys.argv[2] + "/" + name, "wb").write(c)
put("hash.neff", 0xac, 0)
put("major.neff", 24, 3)
put("feature.neff", 0x223, 0x08)
put("packager.neff", 0, 9)
put("gzip.neff", 0x402, 7)
P
expect "a wrong digest: exit 1" 1 "MD5 mismatch!" "$neffsim" info "$work/hash.neff"
expect "the page is there" 1 "^graph  sg00" "$neffsim" info "$work/hash.neff"
expect "and says that the digest is not verified" 1 "hash .*\(not verified\)" "$neffsim" info "$work/hash.neff"
expect "--no-hash: exit 0" 0 "\(not verified\)" "$neffsim" info --no-hash "$work/hash.neff"
for f in major feature packager; do
    expect "$f: exit 1, the page is there" 1 "^graph  sg00" "$neffsim" info "$work/$f.neff"
    expect "$f: check tells why" 1 "^problems  .*neffsim check .*$f.neff" "$neffsim" info "$work/$f.neff"
done
expect "no archive: the header is there" 2 "name          x" "$neffsim" info "$work/gzip.neff"
expect "and what could not be read" 2 "20503 bytes, could not be read" "$neffsim" info "$work/gzip.neff"
expect "no header: nothing but the reason" 2 "Invalid number of NEFF bytes" sh -c "head -c 1000 '$e1' >'$work/short.neff'; '$neffsim' info '$work/short.neff'"
check "no page then" sh -c "[ -z \"\$('$neffsim' info '$work/short.neff' 2>/dev/null)\" ]"
expect "but a document" 2 '"header": null' "$neffsim" info --json "$work/short.neff"

cp -r vectors/allreduce/src "$work/bad"
sed 's/"queue": "q_gradient_out"/"queue": "q_none"/' vectors/allreduce/src/sg00/pool.json >"$work/bad/sg00/pool.json"
sed 's/"type": "tmp-buf"/"type": "tmp-bug"/' vectors/allreduce/src/sg00/def.json >"$work/bad/sg00/def.json"
"$neffsim" pack "$work/bad" -o "$work/bad.neff" --force 2>/dev/null || exit 1
expect "broken entries: exit 1" 1 "Invalid var type tmp-bug" "$neffsim" info "$work/bad.neff"
expect "good variables are there" 1 "2  output          128" "$neffsim" info "$work/bad.neff"
expect "bad ones say so" 1 "gradient_in \(could not be read\)" "$neffsim" info "$work/bad.neff"
expect "engines are there" 1 "1 PSEUDO_TRIGGER_COLLECTIVE" "$neffsim" info "$work/bad.neff"
check "the document lists every problem" sh -c "'$neffsim' info --json '$work/bad.neff' 2>/dev/null >'$work/bad.json'; python3 -c '
import json; p = json.load(open(\"$work/bad.json\"))[\"problems\"]; assert len(p) >= 3 and p[0][\"member\"] == \"sg00/def.json\", p'"
printf '{' >"$work/bad/sg00/def.json"
"$neffsim" pack "$work/bad" -o "$work/bad.neff" --force 2>/dev/null || exit 1
expect "a def.json that is no JSON: exit 2" 2 "sg00/def.json line 1 column 2: not JSON" "$neffsim" info "$work/bad.neff"
expect "members and inputs are there" 2 "^  input     128  float32\[32\]  input" "$neffsim" info "$work/bad.neff"
rm "$work/bad/neff.json" "$work/bad/header.json"
"$neffsim" pack "$work/bad" -o "$work/bad.neff" --force 2>/dev/null || exit 1
expect "no neff.json: exit 1, members are there" 1 "  1421|sg00/pool.json" "$neffsim" info "$work/bad.neff"
finish
