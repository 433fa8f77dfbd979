#!/bin/sh
# The page of wave diff --html in a real browser without a window: what is in it, and that it is drawn. Without a browser
# the test is skipped (exit code 77); NEFFSIM_REQUIRE_ORACLE=1 makes that a failure.
. tests/cli/lib.inc

browser=
for name in chromium-headless-shell chromium google-chrome chrome; do
    # Ubuntu's chromium may be a stub that only says how to get the real one.
    if "$name" --version >"$work/version" 2>/dev/null && grep -qE '[0-9]+\.[0-9]+' "$work/version"; then
        browser=$name
        break
    fi
done
if [ -z "$browser" ] && [ "${NEFFSIM_REQUIRE_ORACLE:-0}" != 1 ]; then
    echo "skipped: no Chromium (package chromium-headless-shell), so no page was looked at"
    exit 77
fi
check "a browser is there" [ -n "$browser" ]
[ -n "$browser" ] || finish

show() { # options for the browser; the page is $work/page.html
    timeout 100 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --virtual-time-budget=2000 \
        --user-data-dir="$work/profile" --window-size=1200,1500 "$@" "file://$work/page.html" 2>"$work/browser"
}

python3 tests/cli/wave_pair.py "$work"
expect "the waves differ and the page is written" 1 "different: first at 121000 ps" "$neffsim" wave diff "$work/a.vcd" "$work/b.vcd" \
    --clock clk --html "$work/page.html" --limit 0
show --dump-dom >"$work/dom"
for text in 'class="verdict different">different<' '<code>top.core.data[7:0]</code>' 'differs at 121000 ps for 4 samples until 125000 ps' '>unknown (x)<' \
    'EVENT_SEMAPHORE $S[11]&gt;0' 'EVENT_SEMAPHORE $S[3]&gt;0' '\&lt;odd&gt;&amp;name' '150.25' '</svg>'; do
    check "the browser sees $text" grep -qF -- "$text" "$work/dom"
done
check "a strip for each differing signal" [ "$(grep -c '<section class="strip"' "$work/dom")" = 5 ]
check "no signal became an element" sh -c "! grep -q '<odd' '$work/dom'"
check "nothing is fetched" sh -c "! grep -qiE '(src|href) *= *\"[^#]|url\\(|@import|<script' '$work/page.html'"

# Blank paper has one colour. Lines of waves, bands of differences and the x are there, in light and in dark.
show --screenshot="$work/light.png" >/dev/null
show --blink-settings=preferredColorScheme=0 --screenshot="$work/dark.png" >/dev/null
drawn() { # FILE COLOR..: each of the colours is on a good number of pixels
    python3 tests/cli/png_colors.py "$@" | tee "$work/colors" | awk '{ for (i = 3; i <= NF; i++) if ($i < 200) exit 1; exit NF < 5 }'
}
check "the light page is drawn" drawn "$work/light.png" ffffff 1f5fa8 e7f0fb f7c9c9 c62f2f
check "the dark page is drawn" drawn "$work/dark.png" 12161b 79b8ff 182a3f 4a1f22 ff7b72

expect "equal waves have a page too" 0 "equal" "$neffsim" wave diff "$work/a.vcd" "$work/a.vcd" --html "$work/page.html"
show --dump-dom >"$work/dom"
check "which says so" grep -qF 'class="verdict equal">equal<' "$work/dom"
expect "a page that cannot be written" 2 "no/such" "$neffsim" wave diff "$work/a.vcd" "$work/b.vcd" --html "$work/no/such/page.html"
finish
