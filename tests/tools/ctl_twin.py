"""A naive checker of CTL over explicit graphs, written from the definitions;
random nets and formulas for it.  Used by run-symbolic."""

import random

UNARY = ["!", "EX", "EF", "EG", "AX", "AF", "AG"]
BINARY = ["&&", "||", "->", "<->"]
PATHS = ["EU", "EW", "ER", "AU", "AW", "AR"]


def random_formula(rng, atoms, depth):
    """A tree: (operator, operands...), or the text of an atom."""
    pick = rng.random()
    if depth == 0 or pick < 0.1:
        return rng.choice(atoms)
    if pick < 0.55:
        return (rng.choice(UNARY), random_formula(rng, atoms, depth - 1))
    kind = rng.choice(BINARY) if pick < 0.75 else rng.choice(PATHS)
    return (kind, random_formula(rng, atoms, depth - 1),
            random_formula(rng, atoms, depth - 1))


def text_of(formula):
    if isinstance(formula, str):
        return f"({formula})"
    kind, *rest = formula
    parts = [text_of(f) for f in rest]
    if kind in PATHS:
        return f"{kind[0]}[{parts[0]} {kind[1]} {parts[1]}]"
    if kind in BINARY:
        return f"({parts[0]} {kind} {parts[1]})"
    return f"({kind} {parts[0]})"


def skip_operand(text, at):
    """Where an operand that begins at 'at' ends."""
    if text[at] != "(":
        return at + len("true" if text.startswith("true", at) else "false")
    depth = 0
    while True:
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
        if depth == 0:
            return at


def formula_of(text):
    """The tree of a formula as reports write it: operands in parentheses."""
    if text.startswith("(") and skip_operand(text, 0) == len(text):
        return formula_of(text[1:-1])
    if text in ("true", "false"):
        return text
    for op in UNARY:
        head = op if op == "!" else op + " "
        if text.startswith(head) and \
                skip_operand(text, len(head)) == len(text):
            return (op, formula_of(text[len(head):]))
    path = text[:2] in ("E[", "A[")
    if not path and not text.startswith(("(", "true", "false")):
        return text
    first = 2 if path else 0
    end = skip_operand(text, first)
    sign, rest = text[end + 1:].split(" ", 1)
    if path:
        return (text[0] + sign, formula_of(text[first:end]),
                formula_of(rest[:-1]))
    if sign not in BINARY:
        return text
    return (sign, formula_of(text[first:end]), formula_of(rest))


class Graph:
    """States 0..n-1 with the lists of their successors."""

    def __init__(self, successors, stutter, fair=()):
        self.after = successors
        self.every = set(range(len(successors)))
        self.stuck = {s for s in self.every if not successors[s]}
        self.stutter = stutter
        self.constraints = [set(c) for c in fair]
        self.fair = (self.always(self.every) if self.constraints
                     else self.every)

    def some(self, goal):
        return {s for s in self.every if any(t in goal for t in self.after[s])}

    def all(self, goal):
        return {s for s in self.every if all(t in goal for t in self.after[s])}

    def next(self, goal):
        found = self.some(goal & self.fair)
        if self.stutter:
            found |= self.stuck & goal & self.fair
        return found

    def until(self, x, y):
        y = y & self.fair
        while True:
            more = y | (x & self.some(y))
            if more == y:
                return y
            y = more

    def always(self, x):
        """Where x can hold for ever, on a fair run."""
        reach = {}
        for s in x:
            seen, waiting = set(), [s]
            while waiting:
                at = waiting.pop()
                for t in self.after[at] or [at]:
                    if t in x and t not in seen:
                        seen.add(t)
                        waiting.append(t)
            reach[s] = seen
        good = set()
        for s in x:
            turn = {t for t in reach[s] if s in reach[t]}
            if s in reach[s] and all(c & turn for c in self.constraints):
                good.add(s)
        return {s for s in x if s in good or good & reach[s]}

    def fixpoint(self, start, step):
        while True:
            new = step(start)
            if new == start:
                return start
            start = new

    def without_fairness(self, kind, x, y):
        """Operators over all runs, as fixpoints of their own."""
        every, stuck = self.every, self.stuck
        go_on = {"AF": lambda z: x | (self.all(z) - stuck),
                 "AG": lambda z: x & self.all(z),
                 "AU": lambda z: y | (x & (self.all(z) - stuck)),
                 "AW": lambda z: y | (x & self.all(z)),
                 "AR": lambda z: y & (x | self.all(z)),
                 "EW": lambda z: y | (x & (self.some(z) | stuck)),
                 "ER": lambda z: y & (x | self.some(z) | stuck)}
        least = kind in ("AF", "AU")
        return self.fixpoint(set() if least else every, go_on[kind])

    def with_fairness(self, kind, x, y):
        no = self.every.difference
        if kind == "AF":
            return no(self.always(no(x)))
        if kind == "AG":
            return no(self.until(self.every, no(x)))
        if kind in ("EW", "ER"):
            x, y = (x, y) if kind == "EW" else (y, x & y)
            return self.until(x, y) | self.always(x)
        if kind == "AR":
            x, y = y, x & y
        weak = no(self.until(no(y), no(x) & no(y)))
        return weak - self.always(no(y)) if kind == "AU" else weak

    def states(self, formula, atoms):
        """Where the formula is true; 'atoms' gives the sets of atoms."""
        if formula in ("true", "false"):
            return set(self.every) if formula == "true" else set()
        if isinstance(formula, str):
            return set(atoms[formula])
        kind, *rest = formula
        x, y = ([self.states(f, atoms) for f in rest] + [set()])[:2]
        no = self.every.difference
        simple = {"!": lambda: no(x), "&&": lambda: x & y,
                  "||": lambda: x | y, "->": lambda: no(x) | y,
                  "<->": lambda: (x & y) | no(x | y),
                  "EX": lambda: self.next(x),
                  "AX": lambda: no(self.next(no(x))),
                  "EF": lambda: self.until(self.every, x),
                  "EU": lambda: self.until(x, y),
                  "EG": lambda: self.always(x)}
        if kind in simple:
            return simple[kind]()
        if self.constraints:
            return self.with_fairness(kind, x, y)
        return self.without_fairness(kind, x, y)


    def shown_by(self, formula, atoms, way, loop):
        """What is wrong with a run that is to show a formula: states, and the
        index of the one after the last or None."""
        kind, *rest = formula
        x, y = ([self.states(f, atoms) for f in rest] + [set()])[:2]
        if kind == "EF":
            x, y = self.every, x
        if kind == "EX":
            last = way[1] if len(way) > 1 else way[0]
            good = last in x and len(way) == (1 if way[0] in self.stuck else 2)
        elif kind in ("EF", "EU"):
            good = way[-1] in y and set(way[:-1]) <= x
        elif kind == "EG":
            turn = set(way[loop:]) if loop is not None else set()
            good = turn and set(way) <= x and all(c & turn for c
                                                  in self.constraints)
        else:
            good = False
        fair = kind == "EG" or way[-1] in self.fair
        return "" if good and fair else f"{formula}: {way} {loop}"


class Net:
    """A random net with few places and 8 to 'most' markings."""

    def __init__(self, seed, most=150):
        rng = random.Random(seed)
        self.markings = None
        while not self.markings or len(self.markings) < 8:
            self.draw(rng)
            self.markings, self.successors = self.explore(most)

    def draw(self, rng):
        self.places = rng.randint(4, 7)
        self.start = [rng.choice([0, 0, 1, 1, 2]) for _ in range(self.places)]
        self.steps = []
        for _ in range(rng.randint(4, 8)):
            takes = rng.sample(range(self.places), rng.choice([1, 1, 2]))
            more = rng.choice([-1, 0, 0, 0, 0, 1])
            puts = rng.sample(range(self.places), max(0, len(takes) + more))
            self.steps.append(({p: 1 for p in takes}, {p: 1 for p in puts}))

    def explore(self, most):
        """All markings and their successors; None when they are too many."""
        first = tuple(self.start)
        numbers, order, after = {first: 0}, [first], []
        for marking in order:
            after.append([])
            for takes, puts in self.steps:
                if any(marking[p] < n for p, n in takes.items()):
                    continue
                new = list(marking)
                for p, n in takes.items():
                    new[p] -= n
                for p, n in puts.items():
                    new[p] += n
                new = tuple(new)
                if new not in numbers:
                    numbers[new] = len(order)
                    order.append(new)
                after[-1].append(numbers[new])
            if len(order) > most:
                return None, None
        return order, after

    def atoms(self):
        """Texts of atoms and the sets of states where they are true."""
        found = {}
        for p in range(self.places):
            for text, test in ((f"p{p} >= 1", lambda n: n >= 1),
                               (f"p{p} == 2", lambda n: n == 2)):
                found[text] = {i for i, m in enumerate(self.markings)
                               if test(m[p])}
        found["p0 + p1 > p2"] = {i for i, m in enumerate(self.markings)
                                 if m[0] + m[1] > m[2]}
        return found

    def run(self, trace):
        """The states of a run that was written as JSON, and its loop."""
        marking, found = list(self.start), [0]
        for step in trace["steps"]:
            takes, puts = self.steps[int(step["text"][1:])]
            for p, n in takes.items():
                marking[p] -= n
            for p, n in puts.items():
                marking[p] += n
            found.append(self.markings.index(tuple(marking)))
            if found[-1] not in self.successors[found[-2]]:
                raise ValueError("no such step")
        loop = trace["loop"]
        if loop is not None and loop < len(found) - 1:
            if found.pop() != found[loop]:
                raise ValueError("no loop")
        return found, loop

    def pnml(self):
        lines = ['<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">',
                 '<net id="n" type="http://www.pnml.org/version-2009/grammar/'
                 'ptnet"><page id="page">']
        for p, tokens in enumerate(self.start):
            lines.append(f'<place id="p{p}"><initialMarking><text>{tokens}'
                         '</text></initialMarking></place>')
        arcs = 0
        for t, (takes, puts) in enumerate(self.steps):
            lines.append(f'<transition id="t{t}"/>')
            for sources, ends in (takes, "p{0} t{1}"), (puts, "t{1} p{0}"):
                for p in sources:
                    source, target = ends.format(p, t).split()
                    lines.append(f'<arc id="a{arcs}" source="{source}" '
                                 f'target="{target}"/>')
                    arcs += 1
        return "\n".join(lines + ["</page></net></pnml>"]) + "\n"


def random_promela(seed):
    """A model whose processes are all there from the start."""
    rng = random.Random(seed)
    lines = ["byte x, y; bool b; chan q = [2] of { bit };"]
    for i in range(rng.randint(2, 3)):
        lines.append(f"active proctype p{i}() {{ byte k;\nend: do")
        for _ in range(rng.randint(2, 4)):
            guard = rng.choice(["x < 2", "y != x", "b", "!b", "y > 0", "true",
                                "len(q) < 2", "nempty(q)", "x + y < 4"])
            body = rng.choice(["x = (x + 1) % 3", "y = (y + 2) % 4", "b = !b",
                               "x = 0", "k = x; y = k", "atomic { x = y % 3; b = 1 }",
                               "q!b", "q?b", "if :: q?k; x = k :: else fi",
                               "d_step { y = x; x = 0 }"])
            lines.append(f"  :: {guard} -> {body}")
        if rng.random() < 0.3:
            lines.append("  :: x == 2 && y == 3 -> y > 7")
        lines.append("  od }")
    return "\n".join(lines) + "\n"


PROMELA_ATOMS = ["x == 0", "x > y", "b", "y == 2", "len(q) > 0", "x + y < 3"]
