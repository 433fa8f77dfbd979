#!/bin/sh
# What the README shows is what happens: its commands run, and each line it shows comes, whatever the numbers are.
. tests/cli/lib.inc

check "the README has commands with output" [ "$(grep -c '^    \$ build/neffsim' README.md)" -ge 3 ]
python3 - "$neffsim" "$work" <<'P' >"$work/readme" || echo "FAIL the README could not be followed"
import os, re, subprocess, sys
neffsim, work = os.path.abspath(sys.argv[1]), sys.argv[2]
steps, lines = [], None
for line in open("README.md"):
    text = line.rstrip("\n")
    if text.startswith("    $ build/neffsim"):
        lines = []
        steps.append((text[6:], lines))
    elif not text.startswith("    "):
        lines = None
    elif lines is not None and text.strip() not in ("", "..."):
        lines.append(text[4:])
shape = lambda s: re.sub(r"[0-9a-f]*[0-9][0-9a-f.]*", "N", s).strip()
for command, shown in steps:
    args = command.replace("build/neffsim", neffsim).replace("e1.neff", work + "/e1.neff").split()
    p = subprocess.run(args + (["--fail-wave", work + "/e1-fail.fst"] if "--inject" in args else []),
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    got = [shape(l) for l in p.stdout.replace(work + "/", "").splitlines()]
    want = 1 if "--inject" in args else 0
    bad = [] if p.returncode == want else ["exit code %d" % p.returncode]
    bad += ["does not print: " + l for l in shown if shape(l) not in got]
    print("ok" if not bad else "bad", command, "; ".join(bad))
P
check "every command does what the README shows" sh -c "! grep -v '^ok ' '$work/readme'"
check "three commands were tried" [ "$(grep -c '^ok ' "$work/readme")" -ge 3 ]
check "no placeholder is left" sh -c "! grep -rn '@@' README.md docs"
for page in $(grep -oE '\]\([a-z/_.-]+\.md\)|`(docs|vectors|tests|host|bench)/[a-z/_.-]+\.(md|sh|c)`' README.md | tr -d '`]()'); do
    check "README: $page is there" [ -e "$page" ]
done
for verb in info check unpack pack disasm asm prelink run case wave decode; do
    check "README or docs mention $verb" sh -c "grep -rqE 'neffsim $verb' README.md docs"
done
finish
