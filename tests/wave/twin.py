#!/usr/bin/env python3
"""Whether the JSON report of a comparison of twin benches names the right place (tests/cli/wave_twin.sh).

usage: tests/wave/twin.py REPORT --signal NAME --time NS --values GOLDEN ACTUAL --until NS
       tests/wave/twin.py REPORT --waves ICARUS.vcd VERILATOR.vcd     the place is what vcd.py finds
"""
import argparse
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import vcd  # noqa: E402

RESET_END = 60      # ns, the --window of the test
ICARUS, VERILATOR = "twin_icarus.twin.", "TOP.twin."
# bench/twin/wave.rules: values that count only while u_sched.check is 1
GATED = {ICARUS + "u_udma.u_dut.u_sched." + n for n in ("fault", "err_code_o")}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("report")
    p.add_argument("--signal")
    p.add_argument("--time", type=int)
    p.add_argument("--values", nargs=2)
    p.add_argument("--until", type=int)
    p.add_argument("--waves", nargs=2)
    o = p.parse_args()
    with open(o.report) as f:
        found = json.load(f)["differences"]
    if o.waves:
        a, b = (vcd.read(path, 1 << 28) for path in o.waves)
        place = vcd.compare(a, b, b_name=lambda n: n.replace(VERILATOR, ICARUS, 1), x_golden=True, since=RESET_END, skip=GATED)
        if not place:
            print("the change of the RTL changes no signal")
            return 1
        time, names = place[0], {place[1]}
    else:
        time, names = o.time, {o.signal}
    first = [e for e in found if e["kind"] == "value" and e["time"] == found[0]["time"]]
    here = [e for e in first if e["signal"].split("[")[0] in {n.split("[")[0] for n in names}]
    print("expected %s ns %s; found %s" % (time, sorted(names), [(e["time"], e["signal"]) for e in first[:5]]))
    if found[0]["time"] != "%d ns" % time or not here:
        return 1
    if o.values and (here[0]["a"], here[0]["b"]) != tuple(o.values):
        return 1
    if o.until and here[0]["until"]["text"] != "%d ns" % o.until:
        return 1
    return 0


sys.exit(main())
