#!/bin/sh
# The prelinker against a real toolchain: tests/q7/oracle/oracle.py with the tools that scripts/xtensa_binutils makes.
# Without their packages the test is skipped (exit code 77); NEFFSIM_REQUIRE_ORACLE=1 makes that a failure.
. tests/cli/lib.inc

scripts/xtensa_binutils
code=$?
if [ $code -eq 77 ] && [ "${NEFFSIM_REQUIRE_ORACLE:-0}" != 1 ]; then
    echo "skipped: the Xtensa tools are not installed, so nothing was compared with a real linker"
    exit 77
fi
check "scripts/xtensa_binutils makes the tools" [ $code -eq 0 ]
[ $code -eq 0 ] || finish
python3 tests/q7/oracle/oracle.py "$neffsim" build/xtensa "$work/oracle" >"$work/said" 2>&1
code=$?
grep -v '^[0-9]* passed, ' "$work/said"
count=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$work/said")
count=${count:-0 1}
passed=$((passed + ${count%% *}))
failed=$((failed + ${count##* }))
check "the comparison ended with its count" [ $code -eq 0 ]
finish
