#!/bin/sh
# Mutants of waves with known verdict, signal, time and values (tests/wave/mutate.py): generated waves, and those of the
# corpus when it is there.
. tests/cli/lib.inc
exec python3 tests/wave/mutate.py "$neffsim" "$work" --waves "${MUTATE_WAVES:-10}" --corpus "${NEFFSIM_CORPUS:-../shared/corpus}"
