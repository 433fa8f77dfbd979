#!/bin/sh
# Bad Q7 libraries (tests/corpus/elf): each gets the status, exit code, place and words of its table, in text and as JSON,
# and leaves no output file behind.
. tests/cli/lib.inc

corpus=$work/elf
mkdir "$corpus"
python3 tests/corpus/elf/make.py "$corpus"
check "the corpus was made" [ "$(ls "$corpus"/*.elf | wc -l)" -ge 60 ]

for file in "$corpus"/*.elf; do
    # STATUS EXIT WHERE MESSAGE [OPTIONS...] | what is wrong
    IFS='|' read -r table what <"${file%.elf}.txt"
    set -f
    set -- $table
    set +f
    code=$2
    shift 4
    name="$(basename "$file" .elf) ($what )"
    rm -f "$work/ucpl"
    expect "$name" "$code" - sh -c 'ulimit -v 4000000; exec timeout 20 "$@" >"$0"' "${file%.elf}.json" \
        "$neffsim" prelink "$file" -o "$work/ucpl" "$@" --json
    if [ "$code" = 0 ]; then
        check "$name: an image was written" [ -s "$work/ucpl" ]
    else
        check "$name: no image was written" [ ! -e "$work/ucpl" ]
        expect "$name: in words" "$code" - timeout 20 "$neffsim" prelink "$file" -o "$work/ucpl" "$@"
        check "$name: one sentence on stderr, nothing on stdout" sh -c "
            [ ! -s '$work/out' ] && [ \$(grep -vc 'neffsim: warning' '$work/err') -eq 1 ] && [ ! -e '$work/ucpl' ]"
    fi
done

check "status, label, place and message of each" python3 - "$corpus" <<'P'
import glob, json, re, sys
bad = []
for path in sorted(glob.glob(sys.argv[1] + "/*.txt")):
    status, _, where, message = open(path).read().split("|")[0].split()[:4]
    try:
        j = json.load(open(path[:-3] + "json"))
        right = j["status"] == int(status) and j["label"]
        if right and j["status"]:
            right = re.fullmatch(where, j["where"]) and re.fullmatch(message, j["message"])
    except (ValueError, KeyError) as e:
        right, j = False, repr(e)
    if not right:
        bad.append("%s: %s %s %s, found %s" % (path.split("/")[-1][:-4], status, where, message, j))
sys.exit("\n".join(bad) or 0)
P
finish
