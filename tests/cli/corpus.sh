#!/bin/sh
# Hostile NEFF files (tests/corpus/neff): what table.txt says of each, within 10 seconds and a gigabyte, with one
# sentence (`check`: a list) free of control characters, and nothing left behind.
. tests/cli/lib.inc

corpus=$work/neff
table=tests/corpus/neff/table.txt
mkdir "$corpus" "$work/cwd" "$work/json"
case $neffsim in /*) program=$neffsim ;; *) program=$PWD/$neffsim ;; esac

check "the corpus was made" python3 tests/corpus/neff/make.py "$corpus"
[ "$failed" -eq 0 ] || finish
grep -v '^#' "$table" | cut -d ' ' -f 1 | sort -u >"$work/named"
(cd "$corpus" && ls) | sed 's/\.neff$//' | sort >"$work/made"
check "table.txt and make.py name the same files" cmp "$work/named" "$work/made"
check "there are at least 80 bad files" [ "$(grep -cv '^ok-' "$work/made")" -ge 80 ]

# Sets why to what is wrong with a run of $verb on $file.
judge() { # code pattern
    [ $got -eq "$1" ] || why="exit code $got, expected $1"
    if [ "$2" != - ] && ! cat "$work/out" "$work/err" | grep -qE -- "$2"; then
        why="$why; does not say '$2'"
    fi
    if cat "$work/out" "$work/err" | tr -d '\n\t' | LC_ALL=C grep -q '[[:cntrl:]]'; then
        why="$why; prints control characters"
    fi
    if [ "$1" -ne 0 ] && [ "$verb" != check ]; then
        # What info could still read of the header is for people.
        [ "$verb" = info ] || [ ! -s "$work/out" ] || why="$why; prints on stdout"
        [ "$(grep -vc 'neffsim: warning' "$work/err")" -eq 1 ] || why="$why; no single sentence on stderr"
    fi
    if [ "$verb" = unpack ] && [ "$1" -ne 0 ] && [ -n "$(find "$work/cwd" -type f)" ]; then
        why="$why; leaves files behind"
    fi
}

while read -r name verbs code pattern rest; do
    case $name in '#'* | '') continue ;; esac
    file=$corpus/$name.neff
    for with in $(echo "$verbs" | tr ',' ' '); do
        verb=${with%%+*}
        options=$(echo "${with#"$verb"}" | tr '+' ' ')
        case $verb in
        run) options="$options --device ref" ;;
        unpack) options="$options -C target" ;;
        esac
        # shellcheck disable=SC2086
        (ulimit -v 1000000 && cd "$work/cwd" && exec timeout 10 "$program" $verb $options "$file") \
            >"$work/out" 2>"$work/err" </dev/null
        got=$?
        why=
        judge "$code" "$pattern"
        if [ -z "$why" ]; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "FAIL $with $name ($rest): $why"
            head -n 10 "$work/out" "$work/err" | cut -c 1-300 | sed 's/^/    /'
        fi
        rm -rf "$work/cwd/target"
        if [ "$verb" = check ]; then
            # shellcheck disable=SC2086
            (cd "$work/cwd" && timeout 10 "$program" check --json $options "$file") >"$work/json/$name" 2>/dev/null
            [ $? -eq "$code" ] || echo "$name: check --json exits with another code than check" >>"$work/other"
        fi
    done
done <"$table"
check "check --json exits as check does" sh -c "! cat '$work/other'"
check "check --json prints one JSON document for each" python3 -c '
import json, os, sys
for name in os.listdir(sys.argv[1]):
    with open(os.path.join(sys.argv[1], name)) as f:
        print(name)
        json.load(f)' "$work/json"
check "nothing was left behind" [ -z "$(ls -A "$work/cwd")" ]
finish
