"""VCD files for tests, read and written in the plainest way: everything in memory, one Python object per change.

It shares nothing with host/wave, so that what it says about a pair of files is a second opinion. It reads what the
generators of these tests and common simulators write; anything else raises Unreadable and is left out of a test.
"""


class Unreadable(Exception):
    pass


class Var:
    """One name. signal: index of the values it shows (aliases share one)."""

    def __init__(self, kind, width, name, scope, signal, span=""):
        self.kind, self.width, self.name, self.scope, self.signal, self.span = kind, width, name, scope, signal, span

    def full(self):
        """The full name without a range, as far as it can be told from a name that only looks like one."""
        return ".".join(self.scope + [self.name])

    def copy(self):
        return Var(self.kind, self.width, self.name, list(self.scope), self.signal, self.span)


class Wave:
    """vars in declaration order; steps: [time, [(signal, value), ...]] with times that grow."""

    def __init__(self, timescale="1ns"):
        self.timescale, self.vars, self.steps, self.nsignals = timescale, [], [], 0

    def copy(self):
        w = Wave(self.timescale)
        w.vars = [v.copy() for v in self.vars]
        w.steps = [[t, list(c)] for t, c in self.steps]
        w.nsignals = self.nsignals
        return w

    def width_of(self):
        return {v.signal: v.width for v in self.vars}

    def kind_of(self):
        return {v.signal: v.kind for v in self.vars}

    def settled(self):
        """Per step with a settled change: (time, {signal: (old, new)})."""
        kinds, widths = self.kind_of(), self.width_of()
        state = {s: initial(kinds[s], widths[s]) for s in kinds}
        for t, changes in self.steps:
            last = {}
            for s, v in changes:
                last[s] = v
            moved = {s: (state[s], v) for s, v in last.items() if s in state and state[s] != v}
            state.update({s: v for s, (_, v) in moved.items() if kinds[s] != "event"}) # an event is over at once
            if moved:
                yield t, moved


def initial(kind, width):
    return "nan" if kind == "real" else "" if kind == "string" else "0" if kind == "event" else "x" * width


def extend(bits, width):
    """A VCD vector written shorter than its variable (IEEE 1364 18.2.1): 1 is not extended, x and z are."""
    bits = bits.lower()
    if len(bits) > width:
        raise Unreadable("value wider than its variable")
    fill = bits[0] if bits[0] in "xz" else "0"
    return fill * (width - len(bits)) + bits


def read(path, limit=2000000):
    with open(path, "rb") as f:
        data = f.read(limit + 1)
    if len(data) > limit:
        raise Unreadable("too large for this test")
    tokens = data.decode("latin-1").split()
    wave, scope, ids, at = Wave(""), [], {}, 0

    def until_end(i):
        j = tokens.index("$end", i)
        return tokens[i:j], j + 1

    try:
        while tokens[at] != "$enddefinitions":
            words, after = until_end(at + 1)
            if tokens[at] == "$timescale":
                wave.timescale = "".join(words)
            elif tokens[at] == "$scope":
                scope = scope + [words[1]]
            elif tokens[at] == "$upscope":
                scope = scope[:-1]
            elif tokens[at] == "$var":
                name, span = "".join(words[3:4]), "".join(words[4:])
                signal = ids.setdefault(words[2], len(ids))
                wave.vars.append(Var(words[0], int(words[1]), name, list(scope), signal, span))
            at = after
        at += 2
        widths = wave.width_of()
        kinds = wave.kind_of()
        wave.nsignals = len(ids)
        step = [0, []]
        while at < len(tokens):
            t = tokens[at]
            at += 1
            if t[0] == "#":
                now = int(t[1:])
                if now < step[0]:
                    raise Unreadable("time goes backwards")
                if now != step[0] or not wave.steps:
                    step = [now, []]
                    wave.steps.append(step)
            elif t == "$comment":
                _, at = until_end(at)
            elif t[0] == "$":
                pass
            else:
                if not wave.steps:
                    wave.steps.append(step)
                if t[0] in "bBrRsS":
                    value, code = t[1:], tokens[at]
                    at += 1
                else:
                    value, code = t[0], t[1:]
                s = ids[code]
                if t[0] in "bB" or t[0] not in "rRsS":
                    value = extend(value, widths[s]) if kinds[s] != "event" else "1"
                elif kinds[s] != "real" and t[0] in "rR":
                    raise Unreadable("real value of a variable that is none")
                step[1].append((s, value))
    except (IndexError, ValueError, KeyError) as e:
        raise Unreadable(str(e))
    return wave


def code(n):
    """The n-th identifier code."""
    text = ""
    while True:
        text += chr(33 + n % 94)
        n //= 94
        if n == 0:
            return text


class Style:
    """How a wave is written; none of it may change a verdict."""

    newline = "\n"
    comments = False
    first_code = 0     # codes start here
    dumpvars = True    # the first step inside $dumpvars
    repeat = 0         # every n-th step dumps a value again
    full_width = False # vectors with all their digits
    upper = False      # B and R, X and Z


def shorten(bits):
    """The shortest form that extends to the same bits."""
    while len(bits) > 1 and bits[0] in "0xz" and (bits[1] == bits[0] if bits[0] in "xz" else bits[1] in "01"):
        bits = bits[1:]
    return bits


def record(kind, width, value, name, style):
    if kind == "real":
        return "%s%s %s" % ("R" if style.upper else "r", value, name)
    if kind == "string":
        return "s%s %s" % (value, name)
    if kind == "event":
        return "1" + name
    if width == 1:
        return (value.upper() if style.upper else value) + name
    bits = value if style.full_width else shorten(value)
    return "%s%s %s" % ("B" if style.upper else "b", bits.upper() if style.upper else bits, name)


def text(wave, style=None):
    style = style or Style()
    out = []
    if style.comments:
        out += ["$comment", "\ta comment with $var and #100 in it", "$end"]
    out += ["$date today $end", "$version a test $end", "$timescale %s $end" % wave.timescale]
    scope = []
    for v in wave.vars:
        while scope != v.scope[:len(scope)]:
            out.append("$upscope $end")
            scope = scope[:-1]
        while len(scope) < len(v.scope):
            scope = v.scope[:len(scope) + 1]
            out.append("$scope module %s $end" % scope[-1])
        span = " " + v.span if v.span else ""
        out.append("$var %s %d %s %s%s $end" % (v.kind, v.width, code(style.first_code + v.signal), v.name, span))
    out += ["$upscope $end"] * len(scope)
    out.append("$enddefinitions $end")
    kinds, widths, state = wave.kind_of(), wave.width_of(), {}
    for i, (t, changes) in enumerate(wave.steps):
        out.append("#%d" % t)
        first = i == 0 and style.dumpvars
        if first:
            out.append("$dumpvars")
        if style.comments and i % 3 == 1:
            out.append("$comment #1 0! $end")
        if style.repeat and i % style.repeat == style.repeat - 1:
            for s in list(state)[:2]:
                if kinds[s] != "event":
                    out.append(record(kinds[s], widths[s], state[s], code(style.first_code + s), style))
        for s, value in changes:
            out.append(record(kinds[s], widths[s], value, code(style.first_code + s), style))
            state[s] = value
        if first:
            out.append("$end")
    return style.newline.join(out) + style.newline


def compare(a, b, a_name=lambda n: n, b_name=lambda n: n, x_golden=False, since=0, skip=()):
    """(time, name, value in a, value in b) of the first difference of names that both have; None when there is none.
    At one time the first name in a's order counts. Only times from `since` on and names not in `skip` count. The second
    opinion: slow, by dictionary of all values."""

    def timeline(w):
        for t, moved in w.settled():
            yield t, moved

    names_b = {}
    for v in b.vars:
        names_b.setdefault(b_name(v.full()), v.signal)
    pairs = [(a_name(v.full()), v.signal, names_b[a_name(v.full())]) for v in a.vars
             if a_name(v.full()) in names_b and a_name(v.full()) not in skip]
    wa, wb = a.width_of(), b.width_of()
    kinds = a.kind_of()
    sa = {s: initial(kinds[s], wa[s]) for _, s, _ in pairs}
    sb = {s: initial(kinds[p], wb[s]) for _, p, s in pairs}
    users_a, users_b = {}, {}
    for i, (_, s, p) in enumerate(pairs):
        users_a.setdefault(s, []).append(i)
        users_b.setdefault(p, []).append(i)
    ia, ib = timeline(a), timeline(b)
    na, nb = next(ia, None), next(ib, None)
    late = set() # what changed before `since`
    while na or nb:
        t = min(x[0] for x in (na, nb) if x)
        dirty, late = late, set()
        if na and na[0] == t:
            for s, (_, v) in na[1].items():
                if s in users_a:
                    sa[s] = v
                    dirty.update(users_a[s])
            na = next(ia, None)
        if nb and nb[0] == t:
            for s, (_, v) in nb[1].items():
                if s in users_b:
                    sb[s] = v
                    dirty.update(users_b[s])
            nb = next(ib, None)
        if t < since:
            late = dirty
            continue
        for i in sorted(dirty):
            name, s, p = pairs[i]
            if not agree(sa[s], sb[p], x_golden):
                return t, name, sa[s], sb[p]
    return None


def agree(va, vb, x_golden):
    if va == vb or not x_golden:
        return va == vb
    return len(va) == len(vb) and all(p == q or p == "x" for p, q in zip(va, vb))
