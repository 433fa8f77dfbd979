#!/bin/sh
# --metaneff of info and check: the page, the document, the binding contract, and files that are no metaneff.
. tests/cli/lib.inc

e1=$work/e1.neff
"$neffsim" pack vectors/allreduce/src -o "$e1" --stored || exit 1

# Bytes by hand: neff-container.md §21, its worked example for the input.
python3 - "$work" <<'P'
import sys
def put(name, data):
    open(sys.argv[1] + "/" + name, "wb").write(data)
field = lambda number, data: bytes([number << 3 | 2, len(data)]) + data
tensor = lambda name, shape=b"\x01\x01\x01\x20", dtype=1, kind=0, more=b"": (
    field(1, name) + field(2, shape) + bytes([0x18, dtype]) + (bytes([0x38, kind]) if kind else b"") + more)
worked = bytes.fromhex("0a120a06696e70757430120401010120180138 01".replace(" ", ""))
good = worked + field(2, tensor(b"output0")) + b"\x38\x01"
assert worked == field(1, tensor(b"input0", kind=1))
put("good", good)
put("full", field(1, tensor(b"input0", kind=1, more=field(8, b"x"))) +
    field(1, tensor(b"input1", b"\x08", kind=2, more=field(6, b"cache.0"))) + field(2, tensor(b"output0")) +
    field(3, b"\x08\x04\x20\x01") + field(4, b"graph") + field(5, b"model") + field(6, b"\x08\x00\x10\x00") +
    b"\x38\x01\x40\x01" + b"\x50\x00")
put("name", field(1, tensor(b"input7", kind=1)) + field(2, tensor(b"output0")) + b"\x38\x01")
put("size", field(1, tensor(b"input0", b"\x21", kind=1)) + field(2, tensor(b"output0")) + b"\x38\x01")
put("type", field(1, tensor(b"input0", kind=1, dtype=2)) + field(2, tensor(b"output0")) + b"\x38\x01")
put("weight", field(1, tensor(b"input0", kind=3)) + field(2, tensor(b"output0")) + b"\x48\x01")
put("count", good[:-1] + b"\x02")
put("alias", good + field(6, b"\x08\x00\x10\x05"))
put("scalar", field(1, tensor(b"input0", b"", kind=1, more=b"\x28\x01")) + field(2, tensor(b"output0")) + b"\x38\x01")
put("unknown", field(1, tensor(b"input0", kind=9, dtype=99)) + field(2, tensor(b"output0")) + b"\x38\x00")
put("cut", good[:9])
put("huge", b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")
put("long", b"\x0a\x7f\x01")
put("varint", b"\x38" + b"\x80" * 20)
put("nest", b"\x53" * 1000000)
put("wire", b"\x08\x01")
put("bomb", b"\x0a\x00" * 3000000)
put("empty", b"")
P
cd_info() { # FILE ARGS...
    "$neffsim" info "$e1" --metaneff "$work/$1" --color never
}
cd_info full | sed -n '/^metaneff/,/^warnings/p' | sed '/^warnings/,$d' | sed "s,$work/,," | sed '$ { /^$/d }' >"$work/got"
cat >"$work/want" <<'P'
metaneff  full
  name          model
  counts        1 user inputs, 1 states, 0 weights; 2 inputs, 1 outputs
  model config  num_infer 4, timeout 0, optimal_ncg_size 0, async_load
  graph def     5 bytes
  unknown       1 fields skipped
  place     name     type         shape            bytes  bound to
  input 0   input0   USER_INPUT   FLOAT[1,1,1,32]    128  var 0 input, key "x"
  input 1   input1   INPUT_STATE  FLOAT[8]            32  var 1 SB, checkpoint "cache.0"
  output 0  output0               FLOAT[1,1,1,32]    128  var 2 output, reuses input 0
P
check "the page of a metaneff" diff "$work/want" "$work/got"
"$neffsim" info "$e1" --json --metaneff "$work/full" >"$work/full.json"
check "its document" python3 - "$work/full.json" <<'P'
import json, sys
m = json.load(open(sys.argv[1]))["metaneff"]
assert m["name"] == "model" and m["num_user_inputs"] == 1 and m["num_states"] == 1 and m["num_weights"] == 0
assert m["output_aliases_to"] == [{"output": 0, "input": 0}] and m["unknown_fields"] == 1
assert m["model_config"] == {"num_infer": 4, "timeout": 0, "optimal_ncg_size": 0, "async_load": True,
                             "lazy_load": False, "return_aliases": False}
assert m["serialized_graph_def_bytes"] == 5
a, b = m["input_tensors"]
assert a == {"name": "input0", "type": "USER_INPUT", "data_type": "FLOAT", "shape": [1, 1, 1, 32], "bytes": 128,
             "allow_dynamic_batch_size": False, "checkpoint_key": None, "user_input_key": "x", "content_bytes": 0,
             "var_id": 0, "var": "input"}, a
assert (b["type"], b["checkpoint_key"], b["user_input_key"], b["var_id"]) == ("INPUT_STATE", "cache.0", None, 1)
assert m["output_tensors"][0]["var_id"] == 2
P
expect "unknown numbers are shown as numbers" 0 "input 0   input0   9  *99\[1,1,1,32\]  *-  " cd_info unknown

check_meta() { # NAME CODE PATTERN FILE
    expect "check: $1" "$2" "$3" "$neffsim" check "$e1" --metaneff "$work/$4"
}
check_meta "a metaneff that fits" 0 "^valid" good
check_meta "with states, aliases and keys" 0 "^valid" full
check_meta "how it is bound" 0 "good input_tensors\[0\]: bound to variable input \(var id 0\)" good
check_meta "a name that is not of its place" 1 'name input_tensors\[0\].name: found "input7".*called input0' name
check_meta "a size" 1 "size input_tensors\[0\].shape: shape and type give 132 bytes; variable input \(var id 0\) has 128" size
check_meta "a type" 1 "type input_tensors\[0\].data_type: found INT32; variable input \(var id 0\) is float32" type
check_meta "a weight without a variable" 1 "weight input_tensors\[0\]: there is no variable for it" weight
check_meta "a variable without a tensor" 1 "weight input_tensors: there is no tensor for variable input" weight
check_meta "counts" 1 "count num_user_inputs: found 2; input_tensors has 1 of type USER_INPUT" count
check_meta "an alias out of range" 1 "alias output_aliases_to\[0\]: there is no input 5" alias
check_meta "a scalar with a dynamic batch" 1 "Scalar tensor cannot have allow_dynamic_batch_size=True" scalar
check_meta "unknown numbers are warnings" 0 "the data type 99 is unknown" unknown
expect "check: the document" 1 '"place": "input_tensors\[0\].name"' "$neffsim" check --json "$e1" --metaneff "$work/name"
expect "--first stops at the first problem" 1 "^invalid.* 1 error" "$neffsim" check --first "$e1" --metaneff "$work/weight"

for verb in info check; do
    bad() { # FILE PATTERN: exit code 2 with an offset
        expect "$verb: $1 is no metaneff" 2 "$1:? byte 0x$2" "$neffsim" $verb "$e1" --metaneff "$work/$1"
    }
    bad cut "1: field 1 \(input_tensors\) has 18 bytes, 7 are left in the message"
    bad huge "1: field 1 .* has a length of 18446744073709551615 bytes"
    bad long "1: field 1 .* has 127 bytes, 1 are left"
    bad varint "1: the varint has more than 64 bits"
    bad nest "0: field 10 \(unknown\) has wire type 3"
    bad wire "0: field 1 \(input_tensors\) has wire type 0, expected 2"
    bad bomb "0: the message needs more than [0-9]* bytes of memory"
    expect "$verb: no file" 2 "cannot open" "$neffsim" $verb "$e1" --metaneff "$work/none"
done
expect "the page of the NEFF is there anyhow" 2 "^graph  sg00" cd_info cut
expect "an empty file is an empty metaneff" 1 "there is no tensor for variable input" "$neffsim" check "$e1" --metaneff "$work/empty"
finish
