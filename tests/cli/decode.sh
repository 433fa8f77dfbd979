#!/bin/sh
# neffsim decode and the filter programs that GTKWave starts.
. tests/cli/lib.inc

m2s=0000000080001000000000000C000040
text="M2S 64 B from 0x80001000 phase 0 first last"
expect "a value" 0 "^$text\$" "$neffsim" decode m2s $m2s
expect "with 0x" 0 "^$text\$" "$neffsim" decode m2s 0x$m2s
expect "as a Verilog literal" 0 "^$text\$" "$neffsim" decode m2s "128'h$m2s"
expect "a value that does not fit" 2 "is no slot; it has 128 hexadecimal or 512 binary digits" "$neffsim" decode slot $m2s
expect "no kind" 2 "decode: say slot" "$neffsim" decode
expect "another kind" 2 "is not one of: slot desc m2s s2m notif" "$neffsim" decode none
expect "help" 0 "usage: neffsim decode KIND" "$neffsim" decode --help

for kind in slot desc m2s s2m notif; do
    program=share/neffsim/gtkwave/$kind
    check "$program is a program" [ -x "$program" ]
    # What was installed finds its own neffsim, in a folder that is not the source tree.
    mkdir -p "$work/inst/bin" "$work/inst/share/neffsim/gtkwave"
    cp "$program" "$work/inst/share/neffsim/gtkwave/"
done
cp "$neffsim" "$work/inst/bin/neffsim"
check "a line for every line, what is no record as it is" sh -c "
    printf '%s\n' $m2s zz '' 00 $m2s | '$work/inst/share/neffsim/gtkwave/m2s' >'$work/lines'
    printf '%s\n' '$text' zz '' 00 '$text' | diff - '$work/lines'"

# GTKWave waits for the answer before it writes the next value.
check "each answer comes at once" python3 - "$work/inst/share/neffsim/gtkwave/m2s" $m2s "$text" <<'P'
import select, subprocess, sys
program, value, want = sys.argv[1:]
p = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
for _ in range(3):
    p.stdin.write((value + "\n").encode())
    p.stdin.flush()
    assert select.select([p.stdout], [], [], 20)[0], "no answer"
    line = p.stdout.readline().decode()
    assert line == want + "\n", line
p.stdin.close()
assert p.wait(20) == 0
P
check "a line of any length is one line" sh -c "
    (head -c 100000 /dev/zero | tr '\0' a; echo; echo b) | '$neffsim' decode slot | awk 'END { exit NR != 2 || \$0 != \"b\" }'"
check "answers fit what GTKWave reads" sh -c "printf '%0512d\n' 1 | tr 0 x | sed 's/x1/01/' | '$neffsim' decode slot | awk '{ exit length(\$0) > 1000 }'"
finish
