#!/bin/sh
# The session of docs/q7.md: every command is run, in order, and must print what the page shows ("..." is anything).
. tests/cli/lib.inc

scripts/xtensa_binutils
code=$?
if [ $code -eq 77 ] && [ "${NEFFSIM_REQUIRE_ORACLE:-0}" != 1 ]; then
    echo "skipped: the Xtensa tools are not installed, so docs/q7.md was not followed"
    exit 77
fi
check "scripts/xtensa_binutils makes the tools" [ $code -eq 0 ]

case $neffsim in /*) program=$neffsim ;; *) program=$PWD/$neffsim ;; esac
mkdir -p "$work/root/build"
for name in scripts examples vectors share build/xtensa; do
    ln -s "$PWD/$name" "$work/root/$name"
done
ln -s "$program" "$work/root/build/neffsim"
python3 - docs/q7.md "$work/root" <<'P' >"$work/said"
import re, subprocess, sys
page, root = sys.argv[1:]
steps = []
for line in open(page):
    text = line.rstrip("\n")
    if text.startswith("    $ "):
        steps.append((text[6:], []))
        shown = steps[-1][1]
    elif not text.startswith("    "):
        shown = None
    elif steps and shown is not None:
        shown.append(text[4:])
for command, shown in steps:
    p = subprocess.run(command.split(), cwd=root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                       text=True)
    want = 0
    got = [line.rstrip() for line in p.stdout.splitlines()]
    bad = []
    for line in shown:
        m = re.fullmatch(r"\(exit code (\d+)\)", line)
        if m:
            want = int(m[1])
        elif line.strip() not in ("", "..."):
            pattern = ".*".join(re.escape(part) for part in line.strip().split("..."))
            if not any(re.fullmatch(pattern, g.strip()) for g in got):
                bad.append("does not print '%s'" % line)
    if not shown and got:
        bad.append("prints '%s', the page shows nothing" % got[0])
    if p.returncode != want:
        bad.append("exit code %d, the page has %d" % (p.returncode, want))
    print("ok" if not bad else "bad", command, *bad, sep="; ")
    if bad:
        print("   ", "\n    ".join(got[:30]))
P
check "every command does what docs/q7.md shows" sh -c "cat '$work/said'; ! grep -q '^bad' '$work/said'"
check "all of them were tried" [ "$(grep -c '^ok' "$work/said")" -ge 18 ]
check "the manifest of the page is the file" python3 - <<'P'
import json
page = open("docs/q7.md").read()
block = page[page.index("\n    [\n"):page.index("\n    ]\n") + 7]
assert json.loads(block) == json.load(open("examples/q7/ucode_lib.json"))
P
check "the page has the number of bad files" grep -q "makes $(python3 tests/corpus/elf/make.py - --list | wc -l) bad" docs/q7.md
finish
