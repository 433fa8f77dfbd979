#!/usr/bin/env python3
"""Mutants of waves with a known verdict: each is compared with its original by `neffsim wave diff --json`.

usage: tests/wave/mutate.py NEFFSIM SCRATCH [--seed N] [--waves N] [--rounds N] [--corpus FOLDER] [--keep]

A mutant is the original written in another way (other codes, order, timescale, ...: must be equal), or that with one
thing changed (value, drop, shift, name, width, tail, ...: must be found, with signal, time and both values). What must come
out is known from the change itself, not from another comparison. Prints "N passed, N failed"; a failing pair stays in
SCRATCH.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import fractions

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import vcd  # noqa: E402

UNITS = {"s": 0, "ms": -3, "us": -6, "ns": -9, "ps": -12, "fs": -15}


class NotHere(Exception):
    """This wave has no place for this mutation."""


# ---- waves -----------------------------------------------------------------------------------------------------------
def random_value(rng, kind, width, states):
    if kind == "real":
        return repr(round(rng.uniform(-1000, 1000), rng.randrange(1, 9)))
    if kind == "event":
        return "1"
    return "".join(rng.choice(states) for _ in range(width))


def generate(rng):
    """A wave as a simulator might write it: nested scopes, scalars, vectors, reals, aliases, x and z."""
    w = vcd.Wave(rng.choice(["1ns", "1ps", "10ps", "100ns", "1us", "10 fs"]))
    scopes = [["top"], ["top", "core"], ["top", "core", "alu"], ["top", "mem"], ["other"]]
    states = rng.choice(["01", "01", "0011xz"])
    if rng.random() < 0.2:
        w.vars.append(vcd.Var("wire", 1, "outside", [], 0))
        w.nsignals = 1
    for scope in scopes[:rng.randrange(1, 6)]:
        for i in range(rng.randrange(2, 9)):
            kind = rng.choice(["wire", "reg", "wire", "reg", "logic", "integer", "real", "event"])
            width = 64 if kind == "real" else 1 if kind == "event" else 32 if kind == "integer" else \
                rng.choice([1, 1, 1, 2, 4, 8, 13, 32, 33, 64, 65, 130, 512])
            span = "[%d:0]" % (width - 1) if width > 1 and kind in ("wire", "reg", "logic") and rng.random() < 0.8 else ""
            name = rng.choice(["clk", "a", "data_q", "valid", "\\odd.name", "n$x", "state"]) + str(i)
            w.vars.append(vcd.Var(kind, width, name, scope, w.nsignals, span))
            w.nsignals += 1
    for v in rng.sample(w.vars, min(3, len(w.vars))): # aliases one scope further down
        w.vars.append(vcd.Var(v.kind, v.width, v.name + "_i", v.scope + ["port"], v.signal, v.span))
    kinds, widths = w.kind_of(), w.width_of()
    first = [(s, random_value(rng, kinds[s], widths[s], states)) for s in kinds if kinds[s] != "event"]
    t = rng.choice([0, 0, 0, 7])
    w.steps.append([t, first])
    signals = list(kinds)
    for _ in range(rng.randrange(20, 60)):
        t += rng.choice([1, 2, 5, 5, 10, 1000])
        some = rng.sample(signals, rng.randrange(1, min(len(signals), 7)))
        w.steps.append([t, [(s, random_value(rng, kinds[s], widths[s], states)) for s in some]])
    return w


def usable(wave):
    """A wave of somebody else that the mutations understand."""
    names = [n for v in wave.vars for n in {v.full(), v.full() + v.span}]
    if len(set(names)) != sum(2 if v.span else 1 for v in wave.vars) or len(list(wave.settled())) < 5:
        return False
    if not wave.timescale or any(" " in v.name or not v.name for v in wave.vars):
        return False
    by_signal = {}
    for v in wave.vars:
        if v.width == 0 or by_signal.setdefault(v.signal, (v.width, v.kind in ("real", "string", "event"))) != \
                (v.width, v.kind in ("real", "string", "event")):
            return False
    return all(set(value) <= set("01xz") for _, c in wave.steps for s, value in c
               if not by_signal[s][1]) and not any(v.kind == "string" for v in wave.vars)


# ---- other ways to write the same wave -----------------------------------------------------------------------------------
def reorder(rng, w):
    for step in w.steps:
        order = {}
        for s, v in step[1]:
            order.setdefault(s, []).append(v)
        slots = [s for s, _ in step[1]]
        rng.shuffle(slots)
        step[1] = [(s, order[s].pop(0)) for s in slots]


def new_codes(rng, w):
    to = list(range(w.nsignals))
    rng.shuffle(to)
    for v in w.vars:
        v.signal = to[v.signal]
    for step in w.steps:
        step[1] = [(to[s], value) for s, value in step[1]]


def declare_in_another_order(rng, w):
    rng.shuffle(w.vars)


def split_aliases(rng, w):
    seen = set()
    for v in w.vars:
        if v.signal in seen:
            old, v.signal = v.signal, w.nsignals
            w.nsignals += 1
            for step in w.steps:
                step[1] += [(v.signal, value) for s, value in step[1] if s == old]
        seen.add(v.signal)


def merge_equal(rng, w):
    """Two signals that always agree get one code."""
    history, kinds, widths = {}, w.kind_of(), w.width_of()
    for s in kinds:
        history[s] = []
    for t, moved in w.settled():
        for s, (_, value) in moved.items():
            history[s].append((t, value))
    first = {}
    to = {}
    for s in kinds:
        to[s] = first.setdefault((kinds[s], widths[s], tuple(history[s])), s)
    for v in w.vars:
        v.signal = to[v.signal]
    for step in w.steps:
        step[1] = [(s, value) for s, value in step[1] if to.get(s) == s]


def other_kinds(rng, w):
    for v in w.vars:
        if v.kind in ("wire", "reg", "logic", "tri", "wand"):
            v.kind = rng.choice(["wire", "reg", "logic", "tri0", "wor"])


def glitch_in_step(rng, w):
    """Values that are overwritten in the same step."""
    kinds = w.kind_of()
    for step in rng.sample(w.steps, min(4, len(w.steps))):
        extra = [(s, flipped(rng, kinds[s], value)) for s, value in step[1] if kinds[s] not in ("event", "real", "string")]
        step[1] = extra + step[1]


def empty_steps(rng, w):
    for _ in range(3):
        i = rng.randrange(len(w.steps))
        if i + 1 < len(w.steps) and w.steps[i][0] + 1 < w.steps[i + 1][0]:
            w.steps.insert(i + 1, [w.steps[i][0] + 1, []])


def finer_timescale(rng, w):
    number, unit = split_unit(w.timescale)
    exponent = UNITS[unit] + {1: 0, 10: 1, 100: 2}.get(number, 99)
    down = rng.choice([1, 2, 3, 6])
    if exponent > 90 or exponent - down < -15:
        raise NotHere
    exponent -= down
    base = [(u, e) for u, e in UNITS.items() if 0 <= exponent - e <= 2][0]
    w.timescale = "%d%s" % (10 ** (exponent - base[1]), base[0])
    for step in w.steps:
        step[0] *= 10 ** down


def bits_of_vectors(rng, w):
    """Some vectors as single bits."""
    count = 0
    users = {}
    for v in w.vars:
        users[v.signal] = users.get(v.signal, 0) + 1
    out = []
    for v in w.vars:
        if v.span and 1 < v.width <= 65 and users[v.signal] == 1 and count < 2 and v.kind in ("wire", "reg", "logic"):
            high, low = (int(x) for x in v.span[1:-1].split(":"))
            if high - low + 1 != v.width:
                out.append(v)
                continue
            count += 1
            base, w.nsignals = w.nsignals, w.nsignals + v.width
            for i in range(v.width):
                out.append(vcd.Var(v.kind, 1, v.name, v.scope, base + i, "[%d]" % (high - i)))
            for step in w.steps:
                step[1] = [c for s, value in step[1]
                           for c in ([(base + i, b) for i, b in enumerate(value)] if s == v.signal else [(s, value)])]
        else:
            out.append(v)
    if not count:
        raise NotHere
    w.vars = out


SAME = [reorder, new_codes, declare_in_another_order, split_aliases, merge_equal, other_kinds, glitch_in_step, empty_steps,
        finer_timescale, bits_of_vectors]


def some_style(rng):
    s = vcd.Style()
    s.newline = rng.choice(["\n", "\n", "\r\n"])
    s.comments = rng.random() < 0.3
    s.first_code = rng.choice([0, 0, 5, 93, 94, 8000])
    s.dumpvars = rng.random() < 0.7
    s.repeat = rng.choice([0, 0, 1, 3])
    s.full_width = rng.random() < 0.3
    s.upper = rng.random() < 0.2
    return s


# ---- one change ------------------------------------------------------------------------------------------------------
def split_unit(timescale):
    digits = "".join(c for c in timescale if c.isdigit())
    return int(digits), timescale[len(digits):].strip()


def flipped(rng, kind, value):
    if kind == "real":
        return repr(float(value) + 0.5)
    i = rng.randrange(len(value))
    return value[:i] + {"0": "1", "1": "0"}.get(value[i], rng.choice("01")) + value[i + 1:]


def a_change(rng, w, allowed=lambda kind: kind != "event", after_first=False):
    """A settled change: (number of the step, signal, value before, value after)."""
    kinds, at = w.kind_of(), {t: i for i, (t, _) in enumerate(w.steps)}
    found = [(at[t], s, old, new) for t, moved in w.settled() for s, (old, new) in moved.items()
             if allowed(kinds[s]) and not (after_first and at[t] == 0)]
    if not found:
        raise NotHere
    return rng.choice(found)


def without(changes, signal):
    return [c for c in changes if c[0] != signal]


def names(w, signal):
    return [v for v in w.vars if v.signal == signal]


class Value:
    """A difference of values: of which names, from when until when, what is there."""

    code = 1

    def __init__(self, w, signal, time, golden, actual, until=None):
        self.names = {n for v in names(w, signal) for n in (v.full(), v.full() + v.span)}
        self.kind = w.kind_of()[signal]
        self.time, self.golden, self.actual, self.until = time, golden, actual, until
        self.nsignals = len(names(w, signal))


def one_value(rng, w):
    i, s, _, new = a_change(rng, w)
    other = flipped(rng, w.kind_of()[s], new)
    w.steps[i][1] = without(w.steps[i][1], s) + [(s, other)]
    return Value(w, s, w.steps[i][0], new, other)


def one_drop(rng, w):
    i, s, old, new = a_change(rng, w, after_first=True)
    w.steps[i][1] = without(w.steps[i][1], s)
    return Value(w, s, w.steps[i][0], new, old)


def one_event_less(rng, w):
    i, s, _, _ = a_change(rng, w, lambda kind: kind == "event")
    w.steps[i][1] = without(w.steps[i][1], s)
    return Value(w, s, w.steps[i][0], "1", "0")


def one_later(rng, w):
    i, s, old, new = a_change(rng, w, after_first=True)
    t = w.steps[i][0]
    if i + 1 < len(w.steps) and t + 1 == w.steps[i + 1][0]:
        raise NotHere
    w.steps[i][1] = without(w.steps[i][1], s)
    w.steps.insert(i + 1, [t + 1, [(s, new)]])
    return Value(w, s, t, new, old, t + 1)


def one_earlier(rng, w):
    i, s, old, new = a_change(rng, w, after_first=True)
    t = w.steps[i][0]
    if w.steps[i - 1][0] + 1 == t:
        raise NotHere
    w.steps[i][1] = without(w.steps[i][1], s)
    w.steps.insert(i, [t - 1, [(s, new)]])
    return Value(w, s, t - 1, old, new, t)


def one_pulse_more(rng, w):
    """A value that is there for one tick between two steps."""
    i, s, _, new = a_change(rng, w)
    if i + 1 == len(w.steps) or w.steps[i + 1][0] - w.steps[i][0] < 3:
        raise NotHere
    t, other = w.steps[i][0] + 1, flipped(rng, w.kind_of()[s], new)
    w.steps[i + 1:i + 1] = [[t, [(s, other)]], [t + 1, [(s, new)]]]
    return Value(w, s, t, new, other, t + 1)


def to_unknown(rng, w):
    i, s, _, new = a_change(rng, w, lambda kind: kind not in ("event", "real", "string"))
    other = rng.choice("xz") * len(new)
    if other == new:
        raise NotHere
    w.steps[i][1] = without(w.steps[i][1], s) + [(s, other)]
    return Value(w, s, w.steps[i][0], new, other)


class Names:
    """Names that only one side has, or that are declared in another way."""

    code = 1

    def __init__(self, kind, only_a=(), only_b=()):
        self.kind, self.only_a, self.only_b = kind, set(only_a), set(only_b)


def both_forms(v):
    return {v.full(), v.full() + v.span}


def rename(rng, w):
    v = rng.choice(w.vars)
    before = both_forms(v)
    v.name += "_renamed"
    return Names("missing", before, both_forms(v))


def move_to_another_scope(rng, w):
    v = rng.choice([v for v in w.vars])
    before = both_forms(v)
    v.scope = v.scope + ["moved"]
    return Names("missing", before, both_forms(v))


def one_name_less(rng, w):
    v = rng.choice(w.vars)
    if len(w.vars) < 3:
        raise NotHere
    w.vars.remove(v)
    if not names(w, v.signal):
        for step in w.steps:
            step[1] = without(step[1], v.signal)
    return Names("missing", both_forms(v))


def one_name_more(rng, w):
    like = rng.choice(w.vars)
    v = like.copy()
    v.name = "one_more"
    w.vars.append(v)
    return Names("missing", (), both_forms(v))


def wider(rng, w):
    v = rng.choice(w.vars)
    if v.kind in ("real", "event", "integer", "string", "parameter") or len(names(w, v.signal)) > 1 or not v.span:
        raise NotHere
    if ":" not in v.span:
        raise NotHere
    high, low = (int(x) for x in v.span[1:-1].split(":"))
    if high < low:
        raise NotHere
    before = both_forms(v)
    v.width += 1
    v.span = "[%d:%d]" % (high + 1, low)
    for step in w.steps:
        step[1] = [(s, ("0" if value[0] in "01" else value[0]) + value if s == v.signal else value) for s, value in step[1]]
    return Names("shape", before, both_forms(v))


CHANGES = [one_value, one_drop, one_event_less, one_later, one_earlier, one_pulse_more, to_unknown, rename,
           move_to_another_scope, one_name_less, one_name_more, wider]


# ---- damaged texts ---------------------------------------------------------------------------------------------------
class Codes:
    """Only the exit code is known."""

    def __init__(self, *codes):
        self.codes = codes


def cut(rng, w, text):
    """Cut anywhere. In the header: unreadable. Behind a whole line: what was lost is missing. Elsewhere: never equal."""
    body = text.index("$enddefinitions")
    at = rng.randrange(len(text) // 20, len(text)) if rng.random() < 0.2 else rng.randrange(body + 20, len(text))
    kept = text[:at]
    if at < body + len("$enddefinitions $end"):
        return kept, Codes(2)
    if text[at - 1] != "\n": # whatever the last word is, it could have been longer
        return kept, Codes(1, 2)
    last = [int(line[1:]) for line in kept.splitlines() if line.startswith("#")]
    lost = [t for t, _ in w.settled() if not last or t > last[-1]]
    if lost:
        return kept, Codes(1) if last and len(list(w.settled())) - len(lost) > 2 else Codes(1, 2)
    return kept, Codes(0, 1)


def time_goes_back(rng, w, text):
    lines = text.split("\n")
    times = [i for i, line in enumerate(lines) if line.startswith("#")]
    if len(times) < 3:
        raise NotHere
    i = rng.randrange(len(times) - 1)
    lines[times[i]], lines[times[i + 1]] = lines[times[i + 1]], lines[times[i]]
    return "\n".join(lines), Codes(2)


def insert_line(rng, text, line):
    lines = text.split("\n")
    first = [i for i, old in enumerate(lines) if old.startswith("#")]
    at = rng.randrange(first[1], len(lines))
    return "\n".join(lines[:at] + [line] + lines[at:])


def undeclared_code(rng, w, text):
    return insert_line(rng, text, rng.choice(["1~~~~~", "b10 ~~~~~", "r1.5 ~~~~~"])), Codes(2)


def no_value(rng, w, text):
    return insert_line(rng, text, rng.choice(["q!", "1 !", "#", "#abc", "#12.5", "b102 !", "b", "#99999999999999999999999"])), \
        Codes(2)


def no_end_of_header(rng, w, text):
    return text.replace("$enddefinitions $end\n", ""), Codes(2)


def bad_width(rng, w, text):
    return text.replace("$enddefinitions", "$var wire %s ~~~ more $end\n$enddefinitions" %
                        rng.choice(["-3", "x", "99999999999"])), Codes(2)


DAMAGE = [cut, cut, time_goes_back, undeclared_code, no_value, no_end_of_header, bad_width]


# ---- judging ---------------------------------------------------------------------------------------------------------
class Judge:
    def __init__(self, neffsim, scratch, keep):
        self.neffsim, self.scratch, self.keep = neffsim, scratch, keep
        self.passed = self.failed = 0
        self.kinds = {}

    def path(self, name):
        return os.path.join(self.scratch, name)

    def write(self, name, text):
        with open(self.path(name), "wb") as f:
            f.write(text.encode("latin-1"))

    def run(self, a, b, *options):
        p = subprocess.run([self.neffsim, "wave", "diff", a, b, "--json"] + list(options),
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        report = None
        if p.returncode in (0, 1):
            try:
                report = json.loads(p.stdout)
            except ValueError:
                return p.returncode, None, "no JSON: %r" % p.stdout[:80]
        elif not p.stderr.strip():
            return p.returncode, None, "no sentence on stderr"
        return p.returncode, report, p.stderr.decode("latin-1").strip()

    def judge(self, what, a_text, b_text, expected, timescale="1ns"):
        self.write("a.vcd", a_text)
        self.write("b.vcd", b_text)
        why = self.complaint(expected, timescale, *self.run(self.path("a.vcd"), self.path("b.vcd")))
        if not why:
            self.passed += 1
            self.kinds[what.split(":")[0]] = self.kinds.get(what.split(":")[0], 0) + 1
            return
        self.failed += 1
        print("FAIL %s: %s" % (what, why))
        if self.failed <= 10 or self.keep:
            for side in "ab":
                os.replace(self.path(side + ".vcd"), self.path("fail%d.%s.vcd" % (self.failed, side)))

    def complaint(self, expected, timescale, code, report, said):
        if isinstance(expected, Codes):
            return "" if code in expected.codes else "exit code %d, expected %s %s" % (code, expected.codes, said)
        if code != expected.code:
            return "exit code %d, expected %d %s" % (code, expected.code, said)
        if report is None:
            return said
        if code == 0:
            return ""
        found = entries(report)
        if not found:
            return "nothing listed"
        return expected_names(expected, found) if isinstance(expected, Names) else \
            expected_value(expected, found, timescale)


class Equal:
    code = 0


def entries(report):
    return report["differences"]


def names_of(found):
    """Names that are listed for A and for B."""
    a = {e["signal"] for e in found if e["kind"] != "only_b"}
    b = {e.get("signal_b", e["signal"]) for e in found if e["kind"] != "only_a"}
    return a, b


def expected_names(expected, found):
    a, b = names_of(found)
    if any(e["kind"] in ("value", "ends", "order") for e in found):
        return "a difference of values: %s" % found[0]
    if expected.kind == "shape":
        return "" if a & expected.only_a else "expected %s, found %s" % (expected.only_a, found)
    if (expected.only_a and not a & expected.only_a) or (expected.only_b and not b & expected.only_b):
        return "expected %s and %s, found %s" % (expected.only_a, expected.only_b, found)
    return "" if len(found) == bool(expected.only_a) + bool(expected.only_b) else "more than that: %s" % found


def seconds(text):
    """'120 ns' as a fraction of a second."""
    number, unit = text.split()
    return fractions.Fraction(number) * fractions.Fraction(10) ** UNITS[unit]


def bits(text):
    """The bits of "8'h3f", "4'b01xz" or "1"."""
    if "'" not in text:
        return text
    width, digits = text.split("'")
    if digits[0] == "b":
        return digits[1:]
    return "".join(c * 4 if c in "xz" else format(int(c, 16), "04b") for c in digits[1:])[-int(width):]


def expected_value(expected, found, timescale):
    number, unit = split_unit(timescale)
    tick = number * fractions.Fraction(10) ** UNITS[unit]
    e = found[0]
    if e["kind"] != "value":
        return "first entry is %s" % e
    if len(found) != expected.nsignals:
        return "%d entries, expected %d: %s" % (len(found), expected.nsignals, found)
    if e["signal"] not in expected.names:
        return "signal %s, expected %s" % (e["signal"], sorted(expected.names))
    if seconds(e["time"]) != expected.time * tick:
        return "time %s, expected %s" % (e["time"], expected.time)
    words = {"1": "fires", "0": "quiet"}
    read = float if expected.kind == "real" else (lambda t: words.get(t, t)) if expected.kind == "event" else bits
    if (read(e["a"]), read(e["b"])) != (read(expected.golden), read(expected.actual)):
        return "values %s and %s, expected %s and %s" % (e["a"], e["b"], expected.golden, expected.actual)
    if expected.until is not None and ("until" not in e or seconds(e["until"]["text"]) != expected.until * tick):
        return "until %s, expected %s" % (e.get("until"), expected.until)
    return ""


# ---- the run ---------------------------------------------------------------------------------------------------------
def apply(rng, w, mutations):
    done = []
    for m in mutations:
        try:
            m(rng, w)
            done.append(m.__name__)
        except NotHere:
            pass
    return done


def rounds(rng, judge, name, wave, count):
    original = vcd.text(wave)
    for _ in range(count):
        for m in SAME + [None]:
            w = wave.copy()
            others = [x for x in rng.sample(SAME, 2) if x is not m]
            done = apply(rng, w, ([m] if m else []) + (others if rng.random() < 0.4 else []))
            if m and m.__name__ not in done:
                continue
            judge.judge("equal: %s of %s" % ("+".join(done) or "style", name), original, vcd.text(w, some_style(rng)), Equal())
        for m in CHANGES:
            w = wave.copy()
            try:
                expected = m(rng, w)
            except NotHere:
                continue
            done = apply(rng, w, rng.sample([s for s in SAME if s not in (bits_of_vectors, merge_equal)], rng.randrange(0, 4)))
            judge.judge("%s: %s of %s" % (m.__name__, "+".join(done), name), original, vcd.text(w, some_style(rng)), expected,
                        wave.timescale)
        for m in DAMAGE:
            try:
                text, expected = m(rng, wave, original)
            except NotHere:
                continue
            judge.judge("%s: of %s" % (m.__name__, name), original, text, expected)


def corpus_waves(folder):
    for where, _, files in sorted(os.walk(folder)):
        for f in sorted(files):
            path = os.path.join(where, f)
            if f.endswith(".vcd") and os.path.getsize(path) < 60000:
                try:
                    wave = vcd.read(path)
                    if usable(wave):
                        yield path, wave
                except (vcd.Unreadable, ValueError):
                    pass


def main():
    p = argparse.ArgumentParser()
    p.add_argument("neffsim")
    p.add_argument("scratch")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--waves", type=int, default=8)
    p.add_argument("--rounds", type=int, default=1)
    p.add_argument("--corpus")
    p.add_argument("--keep", action="store_true")
    o = p.parse_args()
    judge = Judge(os.path.abspath(o.neffsim), o.scratch, o.keep)
    for n in range(o.waves):
        rng = random.Random("%d %d" % (o.seed, n))
        rounds(rng, judge, "seed %d wave %d" % (o.seed, n), generate(rng), o.rounds)
    if o.corpus and os.path.isdir(o.corpus):
        for path, wave in corpus_waves(o.corpus):
            with open(path, "rb") as f:
                judge.judge("rewritten: %s" % path, f.read().decode("latin-1"), vcd.text(wave), Equal())
            rounds(random.Random("%d %s" % (o.seed, os.path.basename(path))), judge, path, wave, 1)
    print(" ".join("%s %d" % (k, n) for k, n in sorted(judge.kinds.items())))
    print("%d passed, %d failed" % (judge.passed, judge.failed))
    return 1 if judge.failed or not judge.passed else 0


sys.exit(main())
