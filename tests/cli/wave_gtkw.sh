#!/bin/sh
# Save files in the real GTKWave, on an X server without a screen: which signals it loaded, what it shows at the marker, and
# a picture of it. Without GTKWave and Xvfb the test is skipped (exit code 77); NEFFSIM_REQUIRE_ORACLE=1 makes that a failure.
. tests/cli/lib.inc

missing=
for name in gtkwave Xvfb import; do
    command -v $name >/dev/null 2>&1 || missing="$missing $name"
done
if [ -n "$missing" ] && [ "${NEFFSIM_REQUIRE_ORACLE:-0}" != 1 ]; then
    echo "skipped: not installed:$missing (packages gtkwave, xvfb, imagemagick), so no save file was opened"
    exit 77
fi
check "GTKWave, Xvfb and import are there" [ -z "$missing" ]
[ -z "$missing" ] || finish

cat >"$work/ask.tcl" <<'T'
set n [gtkwave::getTotalNumTraces]
for {set i 0} {$i < $n} {incr i} {
    puts "row [gtkwave::getTraceNameFromIndex $i] = [gtkwave::getTraceValueAtMarkerFromIndex $i]"
}
puts "view from [gtkwave::getWindowStartTime] to [gtkwave::getWindowEndTime]"
puts "marker [gtkwave::getMarker]"
flush stdout
T

Xvfb -displayfd 3 -screen 0 1400x900x24 -nolisten tcp 3>"$work/display" >/dev/null 2>&1 &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$work"' EXIT
for i in $(seq 100); do
    [ -s "$work/display" ] && break
    sleep 0.1
done
DISPLAY=:$(cat "$work/display")
export DISPLAY HOME="$work" # no settings of the user's
unset XAUTHORITY WAYLAND_DISPLAY

# look TRACE SAVEFILE: what GTKWave says into $work/said, its picture into $work/shot.png
look() {
    gtkwave -S "$work/ask.tcl" "$1" "$2" >"$work/said" 2>&1 &
    viewer=$!
    for i in $(seq 300); do
        grep -q '^marker' "$work/said" && break
        kill -0 $viewer 2>/dev/null || break
        sleep 0.1
    done
    for i in $(seq 20); do # until the waves are painted
        sleep 0.3
        import -window root -define png:compression-filter=0 "$work/shot.png" && python3 tests/cli/png_colors.py "$work/shot.png" 00ff00 | awk '{ exit $4 < 500 }' && break
    done
    kill $viewer
    wait $viewer 2>/dev/null
}
says() { # NAME LINE
    check "$1" grep -qxF -- "$2" "$work/said"
}

python3 tests/cli/wave_pair.py "$work"
expect "the save file is written" 1 "look at it with: gtkwave $work/d.gtkw.fst $work/d.gtkw" "$neffsim" wave diff "$work/a.vcd" \
    "$work/b.vcd" --clock clk --gtkw "$work/d.gtkw" --only '*.data*' --only '*.slot*' --only '*.valid'
look "$work/d.gtkw.fst" "$work/d.gtkw"
check "all rows are loaded: the clock, and a comment and three for each signal" [ "$(grep -c '^row ' "$work/said")" = 13 ]
says "the marker is just before the edge at which the first difference is sampled" "marker 120999"
says "golden data at the marker" "row data[7:0] golden = D6"
says "actual data at the marker" "row data[7:0] actual = F2"
says "the line that says they differ" "row data[7:0] differs = 1"
says "valid does not differ yet" "row valid differs = 0"
says "slots are in words" 'row slot[511:0] actual = EVENT_SEMAPHORE $S[11]>0 signature=0xc'
check "the view is around the marker and wide enough to see changes" awk '
    /^view/ { ok = $3 > 100000 && $3 < 120000 && $5 > 124000 && $5 < 150000 } END { exit !ok }' "$work/said"
check "golden, actual and differs are painted" sh -c "python3 tests/cli/png_colors.py '$work/shot.png' 00ff00 ff7f00 ff0000 |
    awk '{ exit !(\$3 > 10 && \$4 > 500 && \$5 > 500 && \$6 > 500) }'"

# The failure wave of a run: the engine that hangs, with what it executes in words.
"$neffsim" pack vectors/allreduce/src -o "$work/e1.neff" >/dev/null
expect "a run that hangs leaves its wave and save file" 3 "wave: gtkwave $work/f.fst $work/f.gtkw" "$neffsim" run "$work/e1.neff" \
    --input input=vectors/allreduce/input/input.npy --inject drop-semaphore@1 --fail-wave "$work/f.fst"
look "$work/f.fst" "$work/f.gtkw"
check "its signals are loaded" [ "$(grep -c '^row [a-z].* = [0-9A-Fa-f]' "$work/said")" -ge 10 ]
check "the slot is in words" grep -qE '^row slot\[511:0\] = [A-Z_]+ .*\$S\[' "$work/said"
check "the view is around the marker" awk '/^view/ { from = $3; to = $5 } /^marker/ { exit !(from < $2 && $2 < to) }' "$work/said"
check "the picture is not blank" sh -c "python3 tests/cli/png_colors.py '$work/shot.png' 00ff00 | awk '{ exit !(\$3 > 10 && \$4 > 500) }'"
finish
