"""Coloured nets made by chance, and an explorer that knows nothing of unfolding.

A marking is a bag of (place, value); a step is a transition with values of its
variables.  Terms are tuples: (operator, operands...).
"""

import collections
import itertools

SORTS = {"dot": [()], "C": ["a", "b", "c"], "R": [2, 3]}
SORTS["CR"] = list(itertools.product(SORTS["C"], SORTS["R"]))
SMALL = list(SORTS)
# Of S there may be any number, and nothing may depend on it: see AlikeNet.
SORTS["S"] = [1, 2, 3]
SORTS["CS"] = list(itertools.product(SORTS["C"], SORTS["S"]))
VARIABLES = {"x": "C", "y": "C", "z": "R", "s": "S", "t": "S"}
CLASSES = {"a": "low", "b": "low", "c": "high"}
DECLARATIONS = """<declaration><structure><declarations>
<namedsort id="dot" name="dot"><dot/></namedsort>
<namedsort id="C" name="C"><cyclicenumeration><feconstant id="a" name="a"/>
<feconstant id="b" name="b"/><feconstant id="c" name="c"/>
</cyclicenumeration></namedsort>
<namedsort id="R" name="R"><finiteintrange start="2" end="3"/></namedsort>
<namedsort id="CR" name="CR"><productsort><usersort declaration="C"/>
<usersort declaration="R"/></productsort></namedsort>
<partition id="P" name="P"><usersort declaration="C"/>
<partitionelement id="low" name="low"><useroperator declaration="a"/>
<useroperator declaration="b"/></partitionelement>
<partitionelement id="high" name="high"><useroperator declaration="c"/>
</partitionelement></partition>
<variabledecl id="x" name="x"><usersort declaration="C"/></variabledecl>
<variabledecl id="y" name="y"><usersort declaration="C"/></variabledecl>
<variabledecl id="z" name="z"><usersort declaration="R"/></variabledecl>
<namedsort id="S" name="S"><finiteintrange start="1" end="3"/></namedsort>
<namedsort id="CS" name="CS"><productsort><usersort declaration="C"/>
<usersort declaration="S"/></productsort></namedsort>
<variabledecl id="s" name="s"><usersort declaration="S"/></variabledecl>
<variabledecl id="t" name="t"><usersort declaration="S"/></variabledecl>
</declarations></structure></declaration>
"""


def term(dice, sort, depth=2):
    """A bag of values of the sort, as a term."""
    if sort == "dot":
        return dice.choice([("dotconstant",), ("times", 2, ("dotconstant",))])
    kind = dice.choice(["value", "value", "value", "all", "sum", "times",
                        "minus"]) if depth else "value"
    if kind == "all":
        return ("all", sort)
    if kind == "sum":
        return ("add", term(dice, sort, depth - 1), term(dice, sort, 0))
    if kind == "minus":
        return ("subtract", ("all", sort), value(dice, sort))
    if kind == "times":
        return ("times", dice.randint(1, 2), term(dice, sort, depth - 1))
    return value(dice, sort)


def value(dice, sort):
    if sort == "CR":
        return ("tuple", value(dice, "C"), value(dice, "R"))
    if sort == "R":
        return dice.choice([("variable", "z"), ("number", dice.choice([2, 3]))])
    return dice.choice([
        ("variable", "x"), ("variable", "y"), ("constant", dice.choice("abc")),
        ("successor", ("variable", "x")), ("predecessor", ("variable", "y"))])


def condition(dice):
    kind = dice.choice(["equality", "inequality", "class", "lessthan", "and",
                        "not", "range"])
    if kind == "and":
        return ("and", condition(dice), condition(dice))
    if kind == "not":
        return ("not", condition(dice))
    if kind == "class":
        return ("equality", ("partitionelementof", value(dice, "C")),
                ("element", dice.choice(["low", "high"])))
    if kind == "range":
        return ("greaterthanorequal", value(dice, "R"), ("number", 3))
    return (kind, value(dice, "C"), value(dice, "C"))


def variables(t):
    if t[0] == "variable":
        return {t[1]}
    return set().union(*(variables(o) for o in t[1:] if isinstance(o, tuple)))


def bag(t, env):
    """What a term says, as a Counter."""
    op, *rest = t
    if op == "all":
        return collections.Counter(SORTS[rest[0]])
    if op == "times":
        inner = bag(rest[1], env)
        return collections.Counter({v: rest[0] * n for v, n in inner.items()})
    if op == "add":
        return bag(rest[0], env) + bag(rest[1], env)
    if op == "subtract":
        left = bag(rest[0], env)
        left.subtract(bag(rest[1], env))
        return left
    return collections.Counter([single(t, env)])


def single(t, env):
    op, *rest = t
    if op == "dotconstant":
        return ()
    if op == "variable":
        return env[rest[0]]
    if op in ("constant", "number", "element"):
        return rest[0]
    if op == "tuple":
        return tuple(single(r, env) for r in rest)
    if op == "partitionelementof":
        return CLASSES[single(rest[0], env)]
    ring = SORTS["C"]
    by = 1 if op == "successor" else -1
    return ring[(ring.index(single(rest[0], env)) + by) % len(ring)]


def holds(t, env):
    op, *rest = t
    if op == "and":
        return all(holds(r, env) for r in rest)
    if op == "not":
        return not holds(rest[0], env)
    a, b = (single(r, env) for r in rest)
    return {"equality": a == b, "inequality": a != b, "lessthan": a < b,
            "greaterthanorequal": a >= b}[op]


def xml(t):
    op, *rest = t
    if op == "all":
        return f'<all><usersort declaration="{rest[0]}"/></all>'
    if op == "variable":
        return f'<variable refvariable="{rest[0]}"/>'
    if op in ("constant", "element"):
        return f'<useroperator declaration="{rest[0]}"/>'
    if op == "number":
        return (f'<finiteintrangeconstant value="{rest[0]}">'
                '<finiteintrange start="2" end="3"/></finiteintrangeconstant>')
    if op == "dotconstant":
        return "<dotconstant/>"
    if op == "times":
        return (f'<numberof><subterm><numberconstant value="{rest[0]}">'
                "<positive/></numberconstant></subterm>"
                f"<subterm>{xml(rest[1])}</subterm></numberof>")
    inner = "".join(f"<subterm>{xml(r)}</subterm>" for r in rest)
    extra = ' refpartition="P"' if op == "partitionelementof" else ""
    return f"<{op}{extra}>{inner}</{op}>"


class Net:
    def __init__(self, dice):
        self.places = [dice.choice(SMALL)
                       for _ in range(dice.randint(2, 4))]
        self.first = [term(dice, "dot") if sort == "dot" else
                      dice.choice([None, ("all", sort)])
                      for sort in self.places]
        self.steps = []
        for _ in range(dice.randint(1, 3)):
            arcs = [(dice.randrange(len(self.places)), way)
                    for way in ("in", "in", "out", "out")[:dice.randint(2, 4)]]
            arcs = [(p, way, term(dice, self.places[p])) for p, way in arcs]
            guard = condition(dice) if dice.random() < 0.5 else None
            self.steps.append((arcs, guard))

    def text(self):
        def label(name, t):
            return (f"<{name}><structure>{xml(t)}</structure></{name}>"
                    if t else "")
        parts = [f'<place id="p{i}"><type><structure><usersort declaration='
                 f'"{sort}"/></structure></type>'
                 f"{label('hlinitialMarking', self.first[i])}</place>\n"
                 for i, sort in enumerate(self.places)]
        for i, (arcs, guard) in enumerate(self.steps):
            parts.append(f'<transition id="t{i}">{label("condition", guard)}'
                         "</transition>\n")
            for k, (p, way, t) in enumerate(arcs):
                ends = (f"p{p}", f"t{i}") if way == "in" else (f"t{i}", f"p{p}")
                parts.append(f'<arc id="a{i}_{k}" source="{ends[0]}" target='
                             f'"{ends[1]}">{label("hlinscription", t)}</arc>\n')
        return ('<pnml><net id="n" type="http://www.pnml.org/version-2009/'
                f'grammar/symmetricnet">\n{DECLARATIONS}<page id="g">\n'
                f"{''.join(parts)}</page></net></pnml>\n")

    def bindings(self):
        """Each step with each binding: what it takes and what it gives; None
        when an arc takes away what is not there."""
        for arcs, guard in self.steps:
            names = sorted(set().union(
                *(variables(t) for _, _, t in arcs),
                variables(guard) if guard else set()))
            for values in itertools.product(
                    *(SORTS[VARIABLES[n]] for n in names)):
                env = dict(zip(names, values))
                if guard and not holds(guard, env):
                    continue
                take, give = collections.Counter(), collections.Counter()
                for p, way, t in arcs:
                    for v, n in bag(t, env).items():
                        if n < 0:
                            yield None
                        (take if way == "in" else give)[p, v] += n
                yield take, give

    def explore(self, most):
        """Markings, steps between them, dead ones, most tokens in a place;
        None: too many, or not a net.  'stable' is whether the number of tokens
        in some place, of all values together, is always the same."""
        steps = list(self.bindings())
        if None in steps:
            return None
        first = collections.Counter()
        for p, t in enumerate(self.first):
            for v, n in (bag(t, {}) if t else {}).items():
                first[p, v] += n
        start = frozenset((k, n) for k, n in first.items() if n)
        seen, todo, edges, dead, tokens = {start}, [start], 0, 0, 0
        sums = [set() for _ in self.places]
        while todo:
            now = collections.Counter(dict(todo.pop()))
            after = []
            for take, give in steps:
                if all(now[k] >= n for k, n in take.items()):
                    new = now.copy()
                    new.subtract(take)
                    new.update(give)
                    after.append(frozenset((k, n) for k, n in new.items()
                                           if n))
            edges += len(after)
            dead += not after
            for p in range(len(self.places)):
                sums[p].add(sum(n for (q, _), n in now.items() if q == p))
                tokens = max(tokens, *sums[p])
            for new in set(after) - seen:
                seen.add(new)
                todo.append(new)
            if len(seen) > most:
                return None
        self.stable = any(len(s) == 1 for s in sums)
        return len(seen), edges, dead, tokens


def alike_value(dice, sort, taking):
    """Mostly one that does not tell values of S apart."""
    if sort == "CS":
        return ("tuple", value(dice, "C"), alike_value(dice, "S", taking))
    if sort != "S":
        return value(dice, sort)
    if dice.random() < (0.05 if taking else 0.3):
        return ("number", dice.choice([1, 2]))
    return ("variable", dice.choice("st"))


def alike_term(dice, sort, taking):
    if sort == "dot":
        return term(dice, sort)
    inner = alike_value(dice, sort, taking)
    if dice.random() < (0.1 if taking else 0.3):
        return ("times", dice.choice([1, 2]), inner)
    if dice.random() < 0.25:
        return ("add", inner, alike_value(dice, sort, taking))
    return inner


class AlikeNet(Net):
    """A net with a sort S of any number of values, often told apart by nobody."""

    def __init__(self, dice):
        self.places = ["S", dice.choice(["S", "CS"])] + [
            dice.choice(["dot", "C", "S", "CS"])
            for _ in range(dice.randint(0, 2))]
        self.first = [self.start(dice, sort) for sort in self.places]
        self.steps = []
        for _ in range(dice.randint(1, 3)):
            ways = ("in", "in", "out", "out")[:dice.randint(2, 4)]
            arcs = [(dice.randrange(len(self.places)), way) for way in ways]
            arcs = [(p, way, alike_term(dice, self.places[p], way == "in"))
                    for p, way in arcs]
            self.steps.append((arcs, self.guard(dice)))

    @staticmethod
    def start(dice, sort):
        names = {"S": [("number", 1), ("number", 2)],
                 "CS": [("tuple", ("constant", c), ("number", n))
                        for c in "ab" for n in (1, 2)],
                 "C": [("constant", "a"), ("all", "C")],
                 "dot": [("dotconstant",)]}[sort]
        return dice.choice([None] + [("times", dice.randint(1, 2), name)
                                     for name in names])

    @staticmethod
    def guard(dice):
        pick = dice.random()
        if pick < 0.06:
            return (dice.choice(["equality", "inequality"]),
                    ("variable", "s"), ("variable", "t"))
        if pick < 0.3:
            return ("equality", value(dice, "C"), value(dice, "C"))
        return None

    @classmethod
    def of(cls, arcs, guard=None):
        """Two places of S, and one transition."""
        net = cls.__new__(cls)
        net.places, net.first = ["S", "S"], [("times", 2, ("number", 1)), None]
        net.steps = [(arcs, guard)]
        return net

    def large(self):
        """The same with more values of S than a net can be unfolded to."""
        return self.text().replace('start="1" end="3"',
                                   'start="1" end="3000000"')
