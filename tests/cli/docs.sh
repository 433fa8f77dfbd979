#!/bin/sh
# The sessions of docs/*.md run as they stand: every `$ command` of a fenced console block is executed in order, in one
# folder per page, and must print the lines below it ("..." stands for anything).
. tests/cli/lib.inc

case $neffsim in /*) program=$neffsim ;; *) program=$PWD/$neffsim ;; esac
mkdir "$work/bin"
ln -s "$program" "$work/bin/neffsim"
cat >"$work/follow.py" <<'P'
import os, re, subprocess, sys
page, folder = sys.argv[1:]
steps, inside = [], False
for number, line in enumerate(open(page), 1):
    line = line.rstrip("\n")
    if line.startswith("```"):
        inside = line == "```console"
    elif inside and line.startswith("$ "):
        steps.append((number, line[2:], []))
    elif inside and line.startswith("> ") and not steps[-1][2]:
        steps[-1] = (steps[-1][0], steps[-1][1] + "\n" + line[2:], [])
    elif inside:
        steps[-1][2].append(line)
status, bad = 0, 0
for number, command, shown in steps:
    p = subprocess.run(["sh", "-c", "(exit %d)\n%s" % (status, command)], cwd=folder, text=True, stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=dict(os.environ, LC_ALL="C"))
    status = p.returncode
    wanted = "\n".join(shown + [""]) if shown else ""
    pattern = "".join("(?s:.*?)" if w == "...\n" else "".join(".*" if x == "..." else re.escape(x) for x in re.split(r"(\.\.\.)", w))
                      for w in wanted.splitlines(True))
    if not re.fullmatch(pattern, p.stdout):
        bad += 1
        print("%s:%d: %s prints\n%s  instead of\n%s" % (page, number, command, p.stdout, wanted))
print("%d commands followed, %d differ" % (len(steps), bad))
sys.exit(1 if bad or not steps else 0)
P
for page in $(grep -l '^```console' docs/*.md); do
    mkdir "$work/$(basename "$page" .md)"
    ln -s "$PWD/vectors" "$work/$(basename "$page" .md)/vectors"
    expect "$page" 0 "commands followed, 0 differ" env PATH="$work/bin:$PATH" python3 "$work/follow.py" "$page" "$work/$(basename "$page" .md)"
done
check "docs/neff.md has a session" sh -c "[ \$(grep -c '^\\\$ neffsim' docs/neff.md) -ge 12 ]"
# The keys that docs/neff.md documents are those of the document, in its order.
"$neffsim" pack vectors/allreduce/src -o "$work/e1.neff"
"$neffsim" info --json "$work/e1.neff" >"$work/e1.json"
check "docs/neff.md documents the keys of info --json" python3 - "$work/e1.json" <<'P'
import json, re, sys
text = open("docs/neff.md").read()
tables = text[text.index("`--json` is complete"):text.index("\n## check")].split("\n| key of a graph")
words = lambda row: re.findall(r"`([a-z_0-9]+)`", row.split("|")[1])
keys = [[k for row in t.splitlines() if row.startswith("| `") for k in words(row)] for t in tables]
j = json.load(open(sys.argv[1]))
assert keys[0] == list(j), (keys[0], list(j))
assert keys[1] == list(j["graphs"][0]), (keys[1], list(j["graphs"][0]))
for part in ("engines", "queues", "blocks"):
    row = next(r for r in tables[1].splitlines() if r.startswith("| `%s`" % part))
    known = set(re.findall(r"`([a-z_0-9]+)`", row))
    missing = set(j["graphs"][0][part][0]) - known
    assert not missing, (part, missing)
P
for option in graph metaneff all color no-hash max-size arch allow-legacy first reproducible force pkg level stored json; do
    check "docs/neff.md names --$option" grep -q -- "--$option" docs/neff.md
done
finish
