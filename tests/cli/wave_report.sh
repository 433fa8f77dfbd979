#!/bin/sh
# Text, JSON and JUnit of wave diff as tools and people get them.
. tests/cli/lib.inc

python3 tests/cli/wave_pair.py "$work"
a=$work/a.vcd b=$work/b.vcd
expect "text with mask, duration and words" 1 "A 8'hd6  B 8'hf2  mask 24" "$neffsim" wave diff "$a" "$b"
cp "$work/out" "$work/text"
check "since when and for how long" grep -qE '^ +for 4(000 ps| ns) until 124(000 ps| ns), agreed before on ' "$work/text"
check "slots in words on both sides" sh -c "grep -qF 'A: EVENT_SEMAPHORE \$S[11]>0 signature=0x14' '$work/text' &&
    grep -qF 'B: EVENT_SEMAPHORE \$S[3]>0 signature=0x14' '$work/text'"
check "totals of the scope" grep -qx 'scope top.core: 5 of 7 signals differ' "$work/text"
expect "another name for the record" 1 "A: EVENT_SEMAPHORE" "$neffsim" wave diff "$a" "$b" --only '*.slot*' --decode 'slot=slot'
expect "no words" 1 - "$neffsim" wave diff "$a" "$b" --only '*.slot*' --decode '*.slot=none'
cp "$work/out" "$work/text"
check "as asked" sh -c "! grep -q EVENT_SEMAPHORE '$work/text'"
expect "--decode without a kind" 2 "is not GLOB=KIND" "$neffsim" wave diff "$a" "$b" --decode slot
expect "--decode of an unknown kind" 2 "is not one of: none slot desc m2s s2m notif" "$neffsim" wave diff "$a" "$b" --decode slot=word
expect "--limit names some and counts all" 1 "and 3 more" "$neffsim" wave diff "$a" "$b" --limit 2
cp "$work/out" "$work/text"
check "two names" [ "$(grep -c '  A .*  B ' "$work/text")" = 2 ]

expect "JSON" 1 - "$neffsim" wave diff "$a" "$b" --json --clock clk
cp "$work/out" "$work/diff.json"
check "the keys are those of docs/waves.md, and the values right" python3 - "$work/diff.json" <<'P'
import json, re, sys
j = json.load(open(sys.argv[1]))
page = open("docs/waves.md").read()
table = page[page.index("| key | meaning |"):page.index("A difference has `kind`")]
keys = [k for row in table.splitlines() if row.startswith("| `") for k in re.findall(r"`(\w+)`", row.split("|")[1])]
assert sorted(keys) == sorted(j), set(keys) ^ set(j)
words = page[page.index("A difference has `kind`"):page.index("| exit code |")]
for d in j["differences"]:
    assert set(d) <= set(re.findall(r"`(\w+)`", words)), set(d)
assert j["verdict"] == "different" and j["differing"] == j["count"]["value"] == 5 and j["samples"] == 399
by_name = {d["signal"]: d for d in j["differences"]}
slot = by_name["top.core.slot[511:0]"]
assert slot["a_words"] == "EVENT_SEMAPHORE $S[11]>0 signature=0x14" and slot["width"] == 512
assert by_name["top.core.valid"]["b"] == "x" and by_name["top.core.\\<odd>&name"]["total"] == "249 samples"
P
expect "equal as JSON" 0 '"verdict": "equal"' "$neffsim" wave diff "$a" "$a" --json

expect "JUnit" 1 "different" "$neffsim" wave diff "$a" "$b" --junit "$work/diff.xml"
check "is XML with a case for all and one per signal" python3 - "$work/diff.xml" <<'P'
import sys, xml.etree.ElementTree as E
suite = E.parse(sys.argv[1]).getroot()
cases = suite.findall("testcase")
failed = [c for c in cases if c.find("failure") is not None]
assert suite.tag == "testsuite" and int(suite.get("tests")) == len(cases) == 6 and int(suite.get("failures")) == len(failed) == 6
assert [(c.get("classname"), c.get("name")) for c in cases][1] == ("top.core", "data[7:0]")
assert ("top.core", "\\<odd>&name") in [(c.get("classname"), c.get("name")) for c in cases]
assert "120 ns" in cases[1].find("failure").get("message") or "120000 ps" in cases[1].find("failure").get("message")
P
expect "JUnit of equal waves" 0 "equal" "$neffsim" wave diff "$a" "$a" --junit "$work/same.xml"
check "passes" grep -q 'tests="1" failures="0"' "$work/same.xml"
expect "a file that cannot be written" 2 "no/such" "$neffsim" wave diff "$a" "$b" --junit "$work/no/such.xml"
expect "a save file that cannot be written" 2 "no/such" "$neffsim" wave diff "$a" "$b" --gtkw "$work/no/such.gtkw"
expect "nothing to show in GTKWave" 0 "is not written: no listed signal differs" "$neffsim" wave diff "$a" "$a" --gtkw "$work/none.gtkw"
check "and nothing is there" sh -c "! ls '$work' | grep -q none.gtkw"
finish
