#!/bin/sh
# Waves of about thirty tools (NEFFSIM_CORPUS or ../shared/corpus; optional): each equals itself and its twin in the
# other format; one in which nothing ever changes says so. Which files are refused, and why: tests/wave/test_corpus.c.
. tests/cli/lib.inc

corpus=${NEFFSIM_CORPUS:-../shared/corpus}
if [ ! -d "$corpus/waves" ]; then
    echo "skipped: no corpus at $corpus"
    exit 77
fi

# equal NAME A B: equal, or nothing ever changes and it is equal when that is allowed.
equal() {
    "$neffsim" wave diff "$2" "$3" >"$work/out" 2>"$work/err"
    if [ $? -eq 2 ] && grep -qE "nothing ever change|no compared signal ever change" "$work/err"; then
        quiet=$((quiet + 1))
        expect "$1 (nothing changes)" 0 "-" "$neffsim" wave diff "$2" "$3" --allow-empty
    else
        expect "$1" 0 "-" "$neffsim" wave diff "$2" "$3"
    fi
}

quiet=0
files=0
twins=0
find "$corpus" -name '*.vcd' -o -name '*.fst' | sort >"$work/list"
while read -r file; do
    case $file in
    */VCD_file_with_errors.vcd | */migen/migen.vcd | */wellen/issue_5.vcd | */sigrok/libsigrok.vcd.fst)
        expect "$file" 2 "neffsim: $file" "$neffsim" wave diff "$file" "$file" # refused
        continue
        ;;
    esac
    files=$((files + 1))
    equal "$file with itself" "$file" "$file"
    for twin in "$file.fst" "${file%.vcd}.fst"; do
        case $file in *.fst | */sigrok/*) continue ;; esac
        [ -f "$twin" ] || continue
        twins=$((twins + 1))
        equal "$file with $twin" "$file" "$twin"
    done
done <"$work/list"
check "enough files ($files) and twins ($twins), one of them quiet ($quiet)" [ "$files" -ge 50 -a "$twins" -ge 18 -a "$quiet" -ge 1 ]
finish
