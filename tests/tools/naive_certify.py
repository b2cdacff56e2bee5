"""Does a certificate prove what it claims?  A naive checker, for the changed
certificates of run-certificates: everything is a tuple, a set or a dictionary.

    naive_certify.proves(c)          c as certificate.read gives it

It is written from docs/model.md for the smaller part of models: numbers and
arrays, channels and rendezvous, processes that come and go, atomic steps, claims
without variables.  Of others it says Unknown.
"""

import itertools
import re

KEPT = {"bit": 1, "bool": 1, "byte": 8, "pid": 8, "mtype": 8, "chan": 8}
TURN, STEP = 256, 512


class Unknown(Exception):
    """The model has something that is not known here."""


class Wrong(Exception):
    """The certificate is no proof."""


def lists(text):
    stack = [[]]
    for word in re.findall(r'"[^"]*"|[()]|[^\s()"]+', text):
        if word == "(":
            stack.append([])
        elif word == ")":
            last = stack.pop()
            stack[-1].append(last)
        else:
            stack[-1].append(word)
    return stack[0]


def must(good, what="not in bounds"):
    if not good:
        raise Wrong(what)


def wrap(value):
    return (value + 2**31) % 2**32 - 2**31


def keeper(kind, is_array):
    """What an assignment keeps of a value."""
    if kind == "int" or kind == ["unsigned", "32"]:
        return lambda v: v
    if kind == "short":
        return lambda v: (v + 2**15) % 2**16 - 2**15
    if kind[0] == "range":
        least, most = int(kind[1]), int(kind[2])

        def within(value):
            must(least <= value <= most)
            return value
        return within
    bits = KEPT.get(kind) if isinstance(kind, str) else \
        int(kind[1]) if kind[0] == "unsigned" else None
    if bits is None:
        raise Unknown(kind)
    if is_array:
        bits = 8 if bits <= 8 else 16 if bits <= 16 else 32
    return (lambda v: v % 2**bits) if bits < 32 else wrap


class Variables:
    """Where each variable stands, and what is kept in it."""

    def __init__(self, items):
        self.all, self.size, self.starts = [], 0, []
        for x in items:
            if x[0] != "var":
                continue
            if "hidden" in x[4:]:
                raise Unknown("hidden")
            length, keep = int(x[3]), keeper(x[2], "array" in x[4:])
            self.all.append((self.size, length, keep))
            for e in x[4:]:
                if e[0] in ("init", "create"):
                    self.starts.append((self.size, length, keep, e))
            if isinstance(x[2], list) and x[2][0] == "range" and int(x[2][1]):
                raise Unknown("a range without 0")
            self.size += length


class Edge:
    def __init__(self, x):
        self.source, self.target, self.rank = map(int, x[1:4])
        must(min(self.source, self.target, self.rank) >= 0)
        self.guard, self.comm, self.effects = None, None, []
        self.atomic, self.orelse = "atomic" in x[4:], "else" in x[4:]
        if "parallel" in x[4:]:
            raise Unknown("parallel")
        for e in x[4:]:
            if isinstance(e, str):
                continue
            if e[0] == "guard":
                self.guard = e[1]
            elif e[0] in ("assign", "eval", "assert", "print", "die"):
                self.effects.append(e)
            elif re.match("(send|receive)", e[0]):
                self.comm = e
            else:
                raise Unknown(e[0])


class Process:
    def __init__(self, x):
        self.kind, self.start = x[0], int(x[2])
        self.vars, self.parameters = Variables(x[5:]), int(x[4])
        self.flags = [e[2:] for e in x[5:] if e[0] == "location"]
        self.edges = [Edge(e) for e in x[5:] if e[0] == "edge"]
        known = {"var", "location", "edge"}
        if any(e[0] not in known for e in x[5:]) or \
                any("committed" in f or "inner" in f for f in self.flags):
            raise Unknown("process")
        must(all(e.target < len(self.flags) for e in self.edges))

    def at(self, place):
        return [e for e in self.edges if e.source == place]


class State:
    """Globals, processes [type, place, older, locals], channels [type, messages]."""

    def __init__(self, row=(), procs=(), chans=()):
        self.row, self.procs, self.chans = list(row), list(procs), list(chans)

    def copy(self):
        return State(self.row,
                     [[t, p, o, list(v)] for t, p, o, v in self.procs],
                     [[t, list(m)] for t, m in self.chans])


class Model:
    def __init__(self, text):
        items = lists(text)
        flags = items[0][2:]
        if set(flags) - {"changing"}:
            raise Unknown(flags)
        self.changing = "changing" in flags
        self.vars = Variables(items)
        self.procs = [Process(x) for x in items
                      if x[0] in ("process", "claim", "automaton")]
        if any(x[0] in ("record", "trace", "notrace") for x in items):
            raise Unknown("trace")
        self.chans = [(int(x[2]), [keeper(k, False) for k in x[3:]])
                      for x in items if x[0] == "channel"]
        self.properties = [x for x in items if x[0] == "property"]
        self.first = [x[1:] for x in items if x[0] in ("channels", "start")]

    # ---- states ---------------------------------------------------------------

    def pack(self, s):
        row = s.row + [len(s.procs)]
        for kind, place, older, values in s.procs:
            row += [kind, place] + [older] * self.changing + values
        row.append(len(s.chans))
        for kind, messages in s.chans:
            row += [kind, len(messages)] + list(itertools.chain(*messages))
        return tuple(row)

    def unpack(self, row):
        """The state, and what stands behind it."""
        at = self.vars.size
        s = State(row[:at])
        try:
            count, at = row[at], at + 1
            must(0 <= count <= 255)
            for _ in range(count):
                kind, place = row[at:at + 2]
                at += 2
                older = row[at] if self.changing else 0
                at += self.changing
                must(0 <= kind < len(self.procs))
                p = self.procs[kind]
                must(p.kind == "process" and 0 <= place < len(p.flags))
                s.procs.append([kind, place, older,
                                list(row[at:at + p.vars.size])])
                at += p.vars.size
            count, at = row[at], at + 1
            must(0 <= count <= 255)
            for _ in range(count):
                kind, length = row[at:at + 2]
                must(0 <= kind < len(self.chans) and
                     0 <= length <= self.chans[kind][0])
                width = len(self.chans[kind][1])
                at += 2
                s.chans.append([kind, [list(row[at + i * width:
                                                at + (i + 1) * width])
                                       for i in range(length)]])
                at += length * width
        except (IndexError, ValueError):
            raise Wrong("a state is not one of the model") from None
        must(at <= len(row))
        return s, row[at:]

    def initial(self):
        s = State([0] * self.vars.size)
        for kind in self.first[0]:
            s.chans.append([int(kind), []])
        Run(self, s, None).begin(self.vars, s.row)
        for kind in self.first[1]:
            Run(self, s, None).create(int(kind), [])
        return s

    # ---- steps -----------------------------------------------------------------

    def steps(self, s, p, timeout):
        """States after a step of process p, each with who goes on, or None, and
        those who take part."""
        taken, rank = False, None
        process = self.procs[s.procs[p][0]]
        for e in process.at(s.procs[p][1]):
            if taken and e.rank < rank:
                break
            found = [] if e.orelse and taken else \
                list(self.take(s, p, e, timeout))
            if found:
                taken, rank = True, e.rank
            yield from found

    def take(self, s, p, e, timeout):
        r = Run(self, s.copy(), p, timeout)
        if e.guard and not e.orelse and not r.value(e.guard):
            return
        if e.comm:
            yield from self.talk(s, r, p, e, timeout)
            return
        if ["die"] in e.effects and p + 1 != len(s.procs):
            return
        r.effects(e)
        yield r.s, p if e.atomic else None, {p}

    def talk(self, s, r, p, e, timeout):
        number = r.value(e.comm[1])
        must(0 < number <= len(s.chans))
        kind, messages = r.s.chans[number - 1]
        room, keeps = self.chans[kind]
        sends = e.comm[0].startswith("send")
        copies = "-copy" in e.comm[0]
        if not room:
            must(sends or not copies)
            if sends:
                must(len(keeps) == len(e.comm) - 2)
                message = [k(r.value(x)) for k, x in zip(keeps, e.comm[2:])]
                yield from self.meet(s, p, e, number, message, timeout)
            return
        if sends:
            if len(messages) == room:
                return
            must(len(keeps) == len(e.comm) - 2)
            message = [k(r.value(x)) for k, x in zip(keeps, e.comm[2:])]
            at = len(messages)
            if "-sorted" in e.comm[0]:
                at = next((i for i, m in enumerate(messages) if m >= message),
                          at)
            messages.insert(at, message)
        else:
            end = len(messages) if "-anywhere" in e.comm[0] else 1
            at = next((i for i, m in enumerate(messages[:end])
                       if r.fits(e.comm, m)), None)
            if at is None:
                return
            must(len(e.comm) - 2 == len(keeps) or
                 copies and len(e.comm) - 2 < len(keeps))
            message = messages[at] if copies else messages.pop(at)
            r.store(e.comm, message)
        r.effects(e)
        yield r.s, p if e.atomic else None, {p}

    def meet(self, s, p, e, number, message, timeout):
        """A rendezvous with each process that can receive."""
        for q in range(len(s.procs)):
            taken, rank = False, None
            for f in self.procs[s.procs[q][0]].at(s.procs[q][1]):
                if q == p or not f.comm or f.orelse or \
                        not f.comm[0].startswith("receive") or \
                        "-copy" in f.comm[0] or taken and f.rank < rank:
                    continue
                r = Run(self, s.copy(), q, timeout)
                if (f.guard and not r.value(f.guard)) or \
                        r.value(f.comm[1]) != number or \
                        not r.fits(f.comm, message):
                    continue
                must(len(f.comm) - 2 == len(message))
                taken, rank = True, f.rank
                r.s.procs[p][1] = e.target
                r.store(f.comm, message)
                Run(self, r.s, p, timeout).effects(e)
                r.effects(f)
                yield r.s, q if f.atomic else None, {p, q}

    def successors(self, s):
        """States, each with who begins and who takes part; whether nothing
        happens at once."""
        for timeout in (False, True):
            found, stuck = [], True
            for p in range(len(s.procs)):
                seen, waiting = set(), list(self.steps(s, p, timeout))
                stuck = stuck and not waiting
                while waiting:
                    t, who, moved = waiting.pop()
                    # Within an atomic sequence 'timeout' stays what it was.
                    more = [] if who is None or who >= len(t.procs) else \
                        list(self.steps(t, who, timeout))
                    key = (self.pack(t), who, frozenset(moved))
                    if not more:
                        found.append((p, moved, self.pack(t)))
                    elif key not in seen:
                        seen.add(key)
                        if len(seen) > 20000:
                            raise Unknown("a long atomic sequence")
                        waiting += [(u, on, moved | by) for u, on, by in more]
            if not stuck:
                break
        return found, timeout, stuck


class Run:
    """A process that evaluates and does things in a state."""

    def __init__(self, m, s, me, timeout=False):
        self.m, self.s, self.me, self.timeout = m, s, me, timeout

    def place(self, x, owner=None):
        """The list that has the number, where, and what it keeps."""
        if x[0] == "global":
            values, known = self.s.row, self.m.vars
        else:
            kind, _, _, values = self.s.procs[self.me if owner is None
                                              else owner]
            known = self.m.procs[kind].vars
        must(int(x[1]) < len(known.all))
        at, length, keep = known.all[int(x[1])]
        index = self.value(x[2][1]) if len(x) > 2 else 0
        must(0 <= index < length)
        return values, at + index, keep

    def begin(self, variables, values):
        for at, length, keep, x in variables.starts:
            for i in range(length):
                if x[0] == "create":
                    self.s.chans.append([int(x[1]), []])
                    values[at + i] = len(self.s.chans)
                elif len(x) == 2 or i + 1 < len(x):
                    values[at + i] = keep(self.value(x[1 if len(x) == 2
                                                       else i + 1]))

    def create(self, kind, args):
        must(len(self.s.procs) < 255 and kind < len(self.m.procs))
        p = self.m.procs[kind]
        values = [0] * p.vars.size
        self.s.procs.append([kind, p.start, len(self.s.chans), values])
        for (at, _, keep), value in zip(p.vars.all[:p.parameters], args):
            values[at] = keep(value)
        Run(self.m, self.s, len(self.s.procs) - 1).begin(p.vars, values)
        return len(self.s.procs) - 1

    def fits(self, comm, message):
        return all(x == "any" or x[0] == "store" or self.value(x) == v
                   for x, v in zip(comm[2:], message))

    def store(self, comm, message):
        for x, value in zip(comm[2:], message):
            if x[0] == "store":
                self.assign(x[1], value)

    def assign(self, x, value):
        values, at, keep = self.place(x)
        values[at] = keep(value)

    def effects(self, e):
        place = self.s.procs[self.me]
        for x in e.effects:
            if x[0] == "assign":
                self.assign(x[1], self.value(x[2]))
            elif x[0] == "die":
                older = self.s.procs.pop()[2]
                del self.s.chans[older:]
            else:
                for y in x[1:]:
                    must(self.value(y) or x[0] != "assert", "an assertion")
        place[1] = e.target

    def value(self, x):
        if isinstance(x, str):
            return int(x)
        op = x[0]
        if op in ("global", "local"):
            values, at, _ = self.place(x)
            return values[at]
        lazy = {"AND": lambda a, b: int(bool(a() and b())),
                "OR": lambda a, b: int(bool(a() or b())),
                "IMPLY": lambda a, b: int(bool(not a() or b())),
                "COND": lambda a, b, c: b() if a() else c()}
        if op in lazy:
            return lazy[op](*((lambda y=y: self.value(y)) for y in x[1:]))
        if op == "RUN":
            args = [self.value(y) for y in x[2]]
            return self.create(int(x[1]), args)
        if op in ("AT", "REMOTE"):
            return self.other(x)
        if op in ("PID", "NR_PR", "TIMEOUT"):
            return {"PID": self.me, "NR_PR": len(self.s.procs),
                    "TIMEOUT": int(self.timeout)}[op]
        args = [self.value(y) for y in x[1:]]
        if op in ("LEN", "EMPTY", "NEMPTY", "FULL", "NFULL"):
            must(0 < args[0] <= len(self.s.chans))
            kind, messages = self.s.chans[args[0] - 1]
            full = bool(self.m.chans[kind][0]) and \
                len(messages) >= self.m.chans[kind][0]
            return {"LEN": len(messages), "EMPTY": int(not messages),
                    "NEMPTY": int(bool(messages)), "FULL": int(full),
                    "NFULL": int(not full)}[op]
        return self.compute(op, *args)

    def other(self, x):
        number = self.value(x[3]) if len(x) > 3 else -1
        for i, p in enumerate(self.s.procs):
            if p[0] == int(x[1]) and number in (-1, i):
                if x[0] == "AT":
                    return int(p[1] == int(x[2]))
                values, at, _ = self.place(x[2], i)
                return values[at]
        return 0

    def compute(self, op, a, b=0):
        if op in ("DIV", "MOD"):
            must(b, "a division by zero")
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return wrap(quotient if op == "DIV" else a - b * quotient)
        known = {"NEG": lambda: -a, "NOT": lambda: int(not a),
                 "COMPL": lambda: ~a, "ADD": lambda: a + b,
                 "SUB": lambda: a - b, "MUL": lambda: a * b,
                 "BITAND": lambda: a & b, "BITOR": lambda: a | b,
                 "BITXOR": lambda: a ^ b, "SHL": lambda: a << b % 32,
                 "SHR": lambda: a >> b % 32, "LT": lambda: int(a < b),
                 "LE": lambda: int(a <= b), "GT": lambda: int(a > b),
                 "GE": lambda: int(a >= b), "EQ": lambda: int(a == b),
                 "NE": lambda: int(a != b)}
        if op not in known:
            raise Unknown(op)
        return wrap(known[op]())


# ---- observers ---------------------------------------------------------------------

class Tableau:
    """Formulas are tuples with negations before leaves; numbers as they come."""

    def __init__(self, formula):
        self.numbers, self.places, self.moves = {}, [], []
        first = self.normal(formula, True)
        self.place_of(frozenset([first]))
        for i, place in enumerate(self.places):
            self.moves.append([(has, self.place_of(then))
                               for has, then in place])
            assert len(self.moves) == i + 1

    def made(self, f):
        self.numbers.setdefault(f, len(self.numbers))
        return f

    def normal(self, x, negated):
        dual = {"and": "or", "or": "and", "until": "release",
                "release": "until"}
        if x in ("true", "false"):
            return self.made((x == "true") != negated)
        if x[0] == "is":
            return self.made(("not" if negated else "is", repr(x[1])))
        if x[0] == "not":
            return self.normal(x[1], not negated)
        args = [self.normal(y, negated) for y in x[1:]]
        return self.made((dual.get(x[0], x[0]) if negated else x[0], *args))

    def asks(self, f):
        """Pairs: what it has, and what is next."""
        none = frozenset()
        if f in (True, False):
            return {(none, none)} if f else set()
        if f[0] in ("is", "not"):
            return {(frozenset([f]), none)}
        if f[0] == "next":
            return {(none, frozenset([f[1]]))}
        a, b = self.asks(f[1]), self.asks(f[2])
        mine = frozenset([f])
        if f[0] == "and":
            return self.both(a, b)
        if f[0] == "or":
            return a | b
        if f[0] == "until":
            return b | self.both(a, {(mine, mine)})
        return self.both(b, a | {(none, mine)})

    def both(self, a, b):
        return {(p | r, q | s) for p, q in a for r, s in b}

    def least(self, found):
        found = {(p, q) for p, q in found
                 if not any(("not", f[1]) in p for f in p if f[0] == "is")}
        return [x for x in found if not any(
            y != x and y[0] <= x[0] and y[1] <= x[1] for y in found)]

    def number(self, formulas):
        return sum(1 << self.numbers[f] for f in formulas)

    def place_of(self, formulas):
        found = {(frozenset(), frozenset())}
        for f in formulas:
            found = self.both(found, self.asks(f))
        place = sorted(self.least(found), key=lambda x: (self.number(x[0]),
                                                         self.number(x[1])))
        if place not in self.places:
            self.places.append(place)
        return self.places.index(place)

    def mark(self, number):
        return next((f for f, n in self.numbers.items() if n == number and
                     isinstance(f, tuple) and f[0] == "until"), None)


def has_flag(m, s, flag):
    return any(flag in m.procs[p[0]].flags[p[1]] for p in s.procs)


def moves(m, what, tableau, s, place, timeout):
    """Where the observer goes, and which of its marks that gives."""
    r = Run(m, s, None, timeout)
    if what[0] == "ltl":
        must(0 <= place < len(tableau.places))
        for has, target in tableau.moves[place]:
            if all(bool(r.value(parsed(f[1]))) == (f[0] == "is") for f in has
                   if f[0] in ("is", "not")):
                yield target, lambda mark, has=has: \
                    tableau.mark(mark) not in has
    elif what[0] == "acceptance":
        accepts = has_flag(m, s, "accept")
        yield 0, lambda _: accepts
    elif what[0] == "non-progress":
        if place == 0:
            yield 0, lambda _: False
        if not has_flag(m, s, "progress"):
            yield 1, lambda _: place != 0
    else:
        yield from claim_moves(m, m.procs[int(what[1])], r, place)


def parsed(text):
    return eval(text, {"__builtins__": {}})  # of our own repr


def claim_moves(m, claim, r, place):
    must(0 <= place < len(claim.flags))
    accepts = "accept" in claim.flags[place] or has_flag(m, r.s, "accept")
    waiting, seen = [place], set()
    while waiting:
        at = waiting.pop()
        taken = False
        for e in [] if at in seen else claim.at(at):
            if e.comm or any(x[0] == "assign" for x in e.effects):
                raise Unknown("claim")
            if taken if e.orelse else e.guard and not r.value(e.guard):
                continue
            taken = True
            for x in e.effects:
                must(x[0] != "assert" or r.value(x[1]))
            if e.atomic:
                waiting.append(e.target)
            else:
                must(claim.kind != "claim" or
                     "end" not in claim.flags[e.target], "the claim ends")
                yield e.target, lambda _: accepts
        seen.add(at)


def check_product(m, what, product, fair):
    tableau = Tableau(what[1]) if what[0] == "ltl" else None
    claim = m.procs[int(what[1])] if what[0] == "never" else None
    if claim and (claim.vars.size or any(x[0] == "assign" for e in claim.edges
                                         for x in e.effects)):
        raise Unknown("a claim with variables")
    place = claim.start if claim else 0
    ranks = dict(zip(product.states, product.ranks))
    must(len(ranks) == len(product.states) == len(product.ranks))
    for mark in product.marks:
        must(mark == STEP or TURN <= mark < TURN + 255 and fair or
             (tableau.mark(mark) if tableau else mark == 0))
    must(m.pack(m.initial()) + (place,) in ranks)
    for row, rank in ranks.items():
        s, place = m.unpack(row)
        must(len(place) == 1 and 0 <= rank < len(product.marks))
        found, timeout, stuck = m.successors(s)
        able = {p for p, _, _ in found}
        if stuck and what[0] != "non-progress":
            found = [(None, set(), m.pack(s))]
        mark = product.marks[rank]
        for target, gives in moves(m, what, tableau, s, place[0], timeout):
            for _, moved, t in found:
                given = mark == STEP or (gives(mark) if mark < TURN else
                                         mark - TURN in moved or
                                         mark - TURN not in able)
                must(t + (target,) in ranks, "not in the product")
                must(ranks[t + (target,)] <= rank - given, "the rank")


def check_states(m, c, ends, invariants):
    states = set(c.states)
    must(len(states) == len(c.states))
    must(m.pack(m.initial()) in states)
    for row in states:
        s, more = m.unpack(row)
        must(not more)
        found, timeout, stuck = m.successors(s)
        must(all(t in states for _, _, t in found), "a successor is missing")
        must(not (stuck and ends) or all(
            "end" in m.procs[p[0]].flags[p[1]] for p in s.procs))
        for x in invariants:
            must(Run(m, s, None, timeout).value(x))


def proves(c):
    """Whether it does; Unknown is raised when that cannot be said."""
    try:
        m = Model(c.model)
        facts = lists(c.facts)
        said = [m.properties[int(x[1])][2] if x[0] == "property" else
                x[2] if x[0] == "asked" else x for x in facts]
        check_states(m, c, ["end-states"] in facts,
                     [x[1] for x in said if x[0] == "invariant"])
        runs = [x for x in said if x[0] in ("ltl", "never", "acceptance",
                                            "non-progress")]
        must(len(runs) == len(c.products))
        for what, product in zip(runs, c.products):
            check_product(m, what, product, ["weak-fairness"] in facts)
    except (Wrong, IndexError, ValueError, TypeError, KeyError, RecursionError):
        return False
    return True
