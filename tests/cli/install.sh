#!/bin/sh
# make install: the program works from where it lands, with a man page for every verb that says what --help says.
. tests/cli/lib.inc

unset MAKEFLAGS MAKELEVEL MFLAGS
expect "make install" 0 "neffsim" make --no-print-directory install "DESTDIR=$work/root" PREFIX=/usr
root=$work/root/usr
expect "the program runs there" 0 "^usage: neffsim VERB" "$root/bin/neffsim" --help
man=$root/share/man/man1
check "a page of its own" grep -q '^neffsim \\- ' "$man/neffsim.1"
for verb in $("$neffsim" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    page=$man/neffsim-$verb.1
    check "$verb has a page" grep -q "^neffsim\\\\-$verb " "$page"
    for section in NAME SYNOPSIS DESCRIPTION "EXIT STATUS"; do
        check "$verb: $section" grep -q "^.SH $section\$" "$page"
    done
    "$neffsim" "$verb" --help | grep -oE '^  --[a-z-]+' | sed 's/-/\\-/g' >"$work/options"
    check "$verb: its options" sh -c "while read -r o; do grep -qF -- \"\$o\" '$page' || exit 1; done <'$work/options'"
done
if command -v groff >/dev/null 2>&1; then
    for page in "$man"/*.1; do
        check "$(basename "$page") is good troff" sh -c "[ -z \"\$(groff -man -ww -z '$page' 2>&1)\" ]"
    done
fi
finish
