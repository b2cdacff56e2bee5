"""Gates as labelled Petri nets, for the generators beside this file.

Every gate is a loop of two places: up when its set condition holds, down when
its reset condition holds.  Gates never take tokens from each other, so that a
gate whose wish to switch goes away again is a hazard: property 'disabling'.
"""


class Circuit:
    def __init__(self, name):
        self.name = name
        self.signals = []
        self.places = []
        self.arcs = []
        self.guards = []
        self.values = []
        self.failures = []
        self.properties = []

    def step(self, name, source, target, guard, signal=None, value=0):
        """One transition between two places."""
        self.arcs.append((source, name))
        self.arcs.append((name, target))
        self.guards.append((name, guard))
        if signal:
            self.values.append((name, signal, value))

    def place(self, name, marked=False):
        self.places.append((name, marked))

    def gate(self, out, rise, fall, first=0):
        self.signals.append((out, first))
        self.place(out + "_0", not first)
        self.place(out + "_1", bool(first))
        self.step(out + "_up", out + "_0", out + "_1", rise, out, 1)
        self.step(out + "_dn", out + "_1", out + "_0", fall, out, 0)

    def follow(self, out, function, first=0):
        """A combinational gate."""
        self.gate(out, function, "~(" + function + ")", first)

    def mutex(self, name, requests, grants):
        """A mutual exclusion element: one free token, taken by one side."""
        self.place(name + "_free", True)
        for request, grant in zip(requests, grants):
            self.signals.append((grant, 0))
            self.place(grant + "_1")
            self.step(grant + "_up", name + "_free", grant + "_1", request,
                      grant, 1)
            self.step(grant + "_dn", grant + "_1", name + "_free",
                      "~" + request, grant, 0)

    def never(self, condition):
        self.properties.append("AG(~(" + condition + "))")

    def text(self):
        names = [name for name, _ in self.guards]
        lines = [
            ".name " + self.name,
            ".outputs " + " ".join(s for s, _ in self.signals),
            ".dummy " + " ".join(names),
            "#|.places " + " ".join(p for p, _ in self.places),
            "#@.init_state [" + "".join(str(v) for _, v in self.signals) + "]",
        ]
        lines += ["#@.property " + p for p in self.properties]
        lines += [".graph"] + [a + " " + b for a, b in self.arcs]
        marked = " ".join(p for p, m in self.places if m)
        lines.append(".marking {" + marked + "}")
        lines.append("#@.enablings {" + "".join(
            "<%s=[%s]>" % g for g in self.guards) + "}")
        lines.append("#@.boolean_assignments {" + "".join(
            "<%s=[%s:=%d]>" % v for v in self.values) + "}")
        return "\n".join(lines + [".end", ""])
