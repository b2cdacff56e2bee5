"""The tables of the papers: what is run, what was published, how it is shown.

Published figures are facts taken from the works themselves; see the list at the
end of papers.md.in.  A function here makes one table out of the results and
returns it as Markdown; drawings go beside it."""

import math

from cells import Column, Model
from draw import draw, human

PAPERS, MODELS = "bench/papers", "bench/models"
SPIN = "@promela/spin-examples"
BEEM = "@dve/beem"

# ---- models ------------------------------------------------------------------

COUNTERS = [Model(f"counters {n}", f"{PAPERS}/counters.pml", f"-DN={n}",
                  f"-DN={n} -DMAX=3", f"counters {n}") for n in (4, 5, 6)]
ADDRESS = Model("address interface", f"{PAPERS}/address_bus.pml",
                "-DN=3 -DPARTS=8", "-DN=2", "address interface")
SNOOPING = Model("snooping caches", f"{PAPERS}/snooping.pml")
SNOOPY = Model("snoopy (SPIN)", f"{SPIN}/snoopy.pml", published="snoopy")
SCHEDULER = Model("scheduler", f"{PAPERS}/scheduler.pml", "-DN=6", "-DN=4",
                  "scheduler")
LAYERS = Model("file transfer in layers", f"{PAPERS}/layers.pml", "-DBOTH=1",
               "-DBOTH=0")
PFTP = Model("pftp, session (SPIN)", f"{SPIN}/Book_1991/p337.pftp.ses.pml",
             published="pftp")
PROTOCOLS = [ADDRESS, SNOOPING, SNOOPY, SCHEDULER, LAYERS, PFTP]

GASTON = "examples/gaston"
TRANSFER = Model("file transfer", f"{GASTON}/file_transfer.gst", "",
                 "-DBLOCKS=0 -DLOSSES=0")
SMALL_TRANSFER = Model("file transfer", f"{GASTON}/file_transfer.gst",
                       "-DBLOCKS=1 -DLOSSES=0", "-DBLOCKS=0 -DLOSSES=0",
                       "G.F.T.P.")
CONNECTION = Model("connection", f"{GASTON}/connection.gst", "-DN200=1",
                   None, "C.E.")
IDENTIFIERS = Model("identifiers", f"{GASTON}/identifiers.gst",
                    "-DIDENTIFIERS=3", "", "T.M.")
MIRROR = [Model(str(n), f"{PAPERS}/mirror.pml", f"-DN={n}",
                f"-DN={n} -DMAX=4") for n in (3, 4, 5)]


def circuit(name, full, quick, published):
    return Model(f"{name} {full}", f"!examples/lpn/{name} N", full, quick,
                 published)


CIRCUITS = [circuit("arb", "8", "4", "arbN7"),
            circuit("dme", "7", "4", "dmeN4"),
            circuit("fifo", "18", "10", "fifoN8"),
            circuit("mmu", "12", "6", "mmu"),
            circuit("pipectrl", "5", "3", "pipectrl"),
            circuit("tagunit", "7", "4", "tagunit")]
OUR_DVE = [Model("szymanski, 5 (ours)", "!bench/dve/szymanski N", "5", "3"),
           Model("philosophers, 7 (ours)", f"{MODELS}/philosophers.pml",
                 "-DN=7", "-DN=4")]
BEEM_MODELS = [Model(name, f"{BEEM}/{name}.dve", published=name) for name in (
    "anderson.6", "at.4", "fischer.3", "lamport.5", "peterson.4", "phils.6",
    "szymanski.4")]

LEADER = Model("leader election, 7", f"{MODELS}/leader_ring.pml",
               "-DN=7 -DSTEP=3", "-DN=5 -DSTEP=3")
SORT = Model("sort, 5", f"{MODELS}/sort.pml", "-DN=5", "-DN=3")
COMPACTED = [
    Model("ring stations", f"{PAPERS}/ring_stations.pml", "-DQ=5", "-DQ=2"),
    Model("cambridge (SPIN)", f"{SPIN}/cambridge.pml", published="cambridge"),
    LEADER,
    Model("leader, 6 (SPIN)", f"{SPIN}/leader0.pml", published="leader",
          replace=("#define N\t5", "#define N 6")),
    LAYERS, PFTP, SNOOPING, SNOOPY, SORT,
    Model("sort (SPIN)", f"{SPIN}/sort.pml", published="sort (BIG)"),
    Model("sliding window", f"{MODELS}/sliding_window.pml", "-DW=4 -DP=10",
          "-DW=3 -DP=6", published="slide"),
]

# ---- published ----------------------------------------------------------------

# Table 1: table (MB, s), OBDD (MB, nodes, s), states; the last pftp figures
# are lower bounds.
VISSER_1 = {
    "counters 4": (0.1, 11, 0.3, "158", 358, "10^4"),
    "counters 5": (1, 647, 0.32, "233", 1580, "10^5"),
    "counters 6": (32, 3012, 0.33, "283", 18780, "10^6"),
    "address interface": (0.7, 2.8, 0.74, "22 470", 580, "9 491"),
    "snoopy": (7.7, 100, 9.97, "421 165", 36824, "91 920"),
    "scheduler": (14.7, 202, 0.95, "53 354", 36259, "256 929"),
    "pftp": (48, 600, None, "> 10^6", None, "439 895"),
}
# Table 2: four-byte pieces, collapse, collapse improved: MB, s.
VISSER_2 = {
    "address interface": (0.17, 4.1, 0.25, 5.4, 0.11, 2.3),
    "snoopy": (1.92, 29, 4.0, 33, 1.57, 23.3),
    "scheduler": (3.67, 221, 7.8, 234, 4.41, 226),
    "pftp": (12, 741, 10.9, 730, 5.8, 659),
}
# Table 3: OBDD with pieces, with collapse: MB, nodes, s.
VISSER_3 = {
    "address interface": (0.29, "11 246", 340, 0.2, "6 950", 212),
    "snoopy": (1.97, "108 193", 3910, 2.6, "126 141", 4613),
    "scheduler": (0.49, "19 705", 6891, 0.48, "18 474", 6185),
    "pftp": (6.3, "349 210", 17403, 3.43, "167 767", 15870),
}
# Table 4: reduced states; OBDD: MB, s, nodes; collapse and table: MB, s.
VISSER_4 = {
    "address interface": ("9 491", 0.21, 242, "7 229", 0.11, 2.3),
    "snoopy": ("15 295", 0.9, 171, "44 543", 0.26, 3.1),
    "scheduler": ("9 251", 0.29, 259, "12 619", 0.13, 1.1),
    "pftp": ("95 241", 1.72, 1325, "90 057", 1.27, 19.8),
}
# Insertion and reduction every n, four times, then canonical: s, MB.
INSERTION = {
    "T.M.": ("> 40000, < 1.14", "619, 1.14", "342, 1.35", "617, 2.52",
             "389, 1.07"),
    "C.E.": ("> 40000, < 1.53", "843, 1.53", "430, 1.77", "795, 2.94",
             "481, 1.37"),
    "G.F.T.P.": ("> 40000, < 3.76", "1447, 3.76", "1502, 5.29",
                 "4339, 10.75", "436, 3.21"),
}
# Decision diagrams and sharing trees, good and pathological: MB.
ORDERS = {"3": ("2.7", "-", "0.011", "0.31"), "4": ("3.2", "-", "0.25", "2.5"),
          "5": ("4.2", "-", "0.28", "23")}
# States a second, states per MB: table, MDD, hybrid.
ZHENG = {
    "arbN7": (43092, 6291, 25184, 12445, 30806, 8420),
    "dmeN4": (78854, 9097, 48733, 101239, 103237, 28021),
    "fifoN8": (30017, 5470, 3632, 3538, 35020, 5184),
    "mmu": (9205, 5422, 6103, 7256, 10063, 5325),
    "pipectrl": (62414, 5243, 38417, 7222, 55483, 11041),
    "tagunit": (12278, 1651, 2830, 1327, 2966, 1523),
    "anderson.6": (85201, 6007, 20298, 10561, 52319, 10398),
    "at.4": (64679, 6481, 6843, 8083, 54076, 4062),
    "fischer.3": (55706, 7082, 2627, 7185, 43889, 3229),
    "lamport.5": (106680, 7902, 56147, 20918, 104588, 9698),
    "peterson.4": (101778, 7616, 53312, 16464, 101778, 6954),
    "phils.6": (96664, 1520, 17261, 1714, 60415, 392),
    "szymanski.4": (113425, 8205, 50301, 29665, 110184, 11342),
}
ZHENG_AVERAGE = (69875, 5220, 22155, 16269, 49263, 10712)
# Memory and time against SPIN's own.
GELDENHUYS = {
    "cambridge": (0.44, 0.99), "leader": (0.36, 0.61), "pftp": (0.40, 0.83),
    "snoopy": (0.70, 0.84), "sort": (1.19, 0.77), "sort (BIG)": (0.54, 0.65),
    "slide": (0.61, 0.97),
}

# ---- words --------------------------------------------------------------------


def count(n):
    return f"{n:,}".replace(",", " ")


def figure(value):
    """Three digits that count, never as a power of ten."""
    if value >= 100:
        return count(round(value))
    return f"{value:.3g}"


def megabytes(cell):
    if cell["failed"]:
        return cell["failed"]
    return ("" if cell["complete"] else "> ") + figure(
        cell["store_bytes"] / 1e6)


def states_of(cells):
    best = max(cells, key=lambda c: c["states"])
    return ("" if best["complete"] else "> ") + count(best["states"])


def ratio(cell, base, field):
    """How many times the base; a lower bound when the cell did not end."""
    if cell["failed"] or base["failed"] or not base["complete"]:
        return None
    return cell[field] / max(base[field], 1e-9)


def times(cell, base, field):
    value = ratio(cell, base, field)
    if value is None:
        return "-"
    return ("" if cell["complete"] else "> ") + figure(value)


def beside(ours, published):
    return ours if published is None else f"{ours} *({published})*"


def by(a, b):
    """A published ratio."""
    return None if a is None or b is None else figure(a / b)


def markdown(headings, rows):
    lines = ["| " + " | ".join(headings) + " |",
             "|" + " --- |" * len(headings)]
    return "\n".join(lines + ["| " + " | ".join(r) + " |" for r in rows])


def mean(values):
    """Geometric."""
    values = [v for v in values if v]
    if not values:
        return None
    return math.exp(sum(map(math.log, values)) / len(values))


def shown(value):
    return "-" if value is None else figure(value)


# ---- Visser ---------------------------------------------------------------------

PLAIN = Column("table", "raw+table")
OBDD = Column("obdd", "raw+obdd")
PIECES = Column("chunk, table", "chunk+table")
COLLAPSE = Column("collapse, table", "collapse+table")
OBDD_PIECES = Column("chunk, obdd", "chunk+obdd")
OBDD_COLLAPSE = Column("collapse, obdd", "collapse+obdd")
WIDE_PIECES = Column("chunk, obdd, breadth-first", "chunk+obdd", "--search",
                     "bfs")
WIDE_COLLAPSE = Column("collapse, obdd, breadth-first", "collapse+obdd",
                       "--search", "bfs")
TREE = Column("collapse, tree", "collapse+tree")
CHECK = ("--max-errors", "0", "--no-liveness", "--merge", "off",
         "--reset-dead", "off")
ALL_OBDD = Column("all, obdd", "collapse+obdd", *CHECK, "--por", "off",
                  command="check")
LESS_OBDD = Column("reduced, obdd", "collapse+obdd", *CHECK, "--por", "on",
                   command="check")
LESS_TABLE = Column("reduced, table", "collapse+table", *CHECK, "--por", "on",
                    command="check")


def visser_1(r):
    rows = []
    for m in r.some(COUNTERS + PROTOCOLS):
        plain = r.run("visser", m, PLAIN, growth=True)
        obdd = r.run("visser", m, OBDD, growth=True)
        p = VISSER_1.get(m.published, (None,) * 6)
        rows.append([
            m.name, beside(states_of([plain, obdd]), p[5]),
            beside(megabytes(plain), p[0]), beside(megabytes(obdd), p[2]),
            beside(count(obdd["most_nodes"]), p[3]), count(obdd["nodes"]),
            beside(times(obdd, plain, "cpu_seconds"), by(p[4], p[1]))])
    return markdown(["model", "states", "table, MB", "obdd, MB",
                     "largest, nodes", "last, nodes",
                     "CPU time / that of the table"], rows)


def visser_2(r):
    rows = []
    for m in r.some(COUNTERS + PROTOCOLS):
        plain = r.run("visser", m, PLAIN, growth=True)
        cells = [r.run("visser", m, c, growth=True)
                 for c in (PIECES, COLLAPSE, TREE)]
        one = VISSER_1.get(m.published, (None,) * 6)
        p = VISSER_2.get(m.published, (None,) * 6)
        row = [m.name, beside(megabytes(plain), one[0])]
        for cell, memory, seconds in zip(cells, (p[0], p[4], None),
                                         (p[1], p[5], None)):
            row += [beside(megabytes(cell), memory),
                    beside(times(cell, plain, "cpu_seconds"),
                           by(seconds, one[1]))]
        rows.append(row)
    return markdown(["model", "table, MB", "chunk, MB", "time",
                     "collapse, MB", "time", "collapse+tree, MB", "time"],
                    rows)


def visser_3(r, columns=(OBDD_PIECES, OBDD_COLLAPSE)):
    rows = []
    for m in r.some(COUNTERS + PROTOCOLS):
        plain = r.run("visser", m, PLAIN, growth=True)
        cells = [r.run("visser", m, c, growth=True) for c in columns]
        one = VISSER_1.get(m.published, (None,) * 6)
        p = VISSER_3.get(m.published, (None,) * 6)
        row = [m.name]
        for cell, (memory, nodes, seconds) in zip(cells, (p[:3], p[3:])):
            row += [beside(megabytes(cell), memory),
                    beside(count(cell["most_nodes"]), nodes),
                    beside(times(cell, plain, "store_bytes"),
                           by(memory, one[0])),
                    beside(times(cell, plain, "cpu_seconds"),
                           by(seconds, one[1]))]
        rows.append(row)
    return markdown(
        ["model"] + ["chunk: MB", "nodes", "memory / table", "time / table",
                     "collapse: MB", "nodes", "memory / table",
                     "time / table"], rows)


def visser_wide(r):
    return visser_3(r, (WIDE_PIECES, WIDE_COLLAPSE))


def visser_4(r):
    rows = []
    for m in r.some(PROTOCOLS):
        whole = r.run("visser-por", m, ALL_OBDD, growth=True)
        less = r.run("visser-por", m, LESS_OBDD, growth=True)
        table = r.run("visser-por", m, LESS_TABLE, growth=True)
        p = VISSER_4.get(m.published, (None,) * 6)
        three = VISSER_3.get(m.published, (None,) * 6)
        rows.append([
            m.name, count(whole["states"]),
            beside(states_of([less, table]), p[0]),
            beside(megabytes(whole), three[3]),
            beside(count(whole["most_nodes"]), three[4]),
            beside(megabytes(less), p[1]),
            beside(count(less["most_nodes"]), p[3]),
            beside(megabytes(table), p[4]),
            beside(times(less, table, "cpu_seconds"), by(p[2], p[5]))])
    return markdown(["model", "states", "reduced", "obdd: MB", "nodes",
                     "reduced obdd: MB", "nodes", "reduced table: MB",
                     "time, obdd / table"], rows)


def visser_drawings(r):
    r.draw("papers-reduction.svg", draw([
        {"title": m.name, "x": "states", "y": "nodes", "lines": [
            (c.name, r.curve("visser-por", m, c, "states", "nodes"))
            for c in (ALL_OBDD, LESS_OBDD)]}
        for m in r.some([ADDRESS, SNOOPING, SCHEDULER, LAYERS])]))
    r.draw("papers-growth.svg", draw([
        {"title": m.name, "x": "states", "y": "bytes of the store",
         "log": True, "lines": [
             (" ".join([c.store, *c.options[1:]]),
              r.curve("visser", m, c, "states", "store_bytes"))
             for c in (PLAIN, COLLAPSE, TREE, OBDD, OBDD_PIECES,
                       WIDE_PIECES)]}
        for m in r.some([COUNTERS[2], SCHEDULER, LAYERS, SNOOPING])]))
    return ("![Nodes against states, with and without reduction]"
            "(papers-reduction.svg)\n\n![Memory against states]"
            "(papers-growth.svg)")


# ---- sharing trees ------------------------------------------------------------------

CANONICAL = Column("canonical", "pack+sharing")
EVERY = [Column(f"every {n}", "pack+sharing", "--reduce-every", str(n))
         for n in (1, 100, 1000, 10000)]


def sharing_insertion(r):
    rows = []
    for m in r.some([IDENTIFIERS, CONNECTION, SMALL_TRANSFER]):
        cells = [r.run("insertion", m, c) for c in EVERY + [CANONICAL]]
        row = [m.name, states_of(cells)]
        for cell in cells:
            row.append(f"{figure(cell['cpu_seconds'])}, {megabytes(cell)}" +
                       ("" if cell["complete"] else
                        f" ({human(cell['states'])} states)"))
        rows.append(row)
        rows.append([f"*{m.published}, published*", "*50 000*"] +
                    [f"*{p}*" for p in INSERTION[m.published]])
    return markdown(["model", "states"] + [c.name for c in EVERY] +
                    ["canonical"], rows)


LONGER = ("--time", "75")  # a million states of 379 bytes take their time
SHARED_MODES = [
    Column("full: raw+table", "raw+table", *LONGER),
    Column("bitstate: raw+bitstate", "raw+bitstate", "--memory", "128M",
           *LONGER),
    Column("shared: raw+sharing", "raw+sharing", *LONGER),
    Column("shared: pack+sharing", "pack+sharing", *LONGER),
    Column("shared: collapse+sharing", "collapse+sharing", *LONGER),
    Column("collapse+tree", "collapse+tree", *LONGER)]


def sharing_memory(r):
    cells = [r.run("sharing", TRANSFER, c, growth=True) for c in SHARED_MODES]
    rows = []
    for column, cell in zip(SHARED_MODES, cells):
        full = cell["states"] * cell["state_bytes"]
        rows.append([column.name, states_of([cell]), megabytes(cell),
                     figure(cell["store_bytes"] / max(cell["states"], 1)),
                     figure(full / max(cell["store_bytes"], 1)),
                     figure(cell["cpu_seconds"]),
                     count(round(cell["states"] /
                                 max(cell["cpu_seconds"], 1e-3)))])
    r.draw("papers-sharing.svg", draw([
        {"title": title, "x": "states", "y": name, "log": logarithmic,
         "lines": [(c.store, r.curve("sharing", TRANSFER, c, "states", field))
                   for c in SHARED_MODES]}
        for title, name, field, logarithmic in (
            ("memory", "bytes of the store", "store_bytes", True),
            ("time", "seconds", "seconds", False))]))
    return (markdown(["store", "states", "MB", "bytes a state",
                      "full states / store", "CPU s", "states a second"],
                     rows) +
            "\n\n![Memory and time against states](papers-sharing.svg)")


ORDERED = [Column(f"{what}, {name}", f"pack+{name}", *options)
           for name in ("obdd", "mdd", "sharing")
           for what, options in (
               ("good", ["--order", "declared"]),
               ("torn", ["--order", "declared", "-DTORN"]),
               ("torn, learned", ["--order", "learned", "-DTORN"]))]


def orders(r):
    rows = []
    for m in r.some(MIRROR):
        cells = [r.run("orders", m, c, growth=True) for c in ORDERED]
        rows.append([m.name, states_of(cells)] + [
            f"{megabytes(c)}, {count(c['most_nodes'])}, "
            f"{figure(c['cpu_seconds'])}" for c in cells])
        toupie, toupie_torn, boulier, boulier_torn = ORDERS[m.name]
        rows.append([f"*{m.name}, published*", "", "", "", "", f"*{toupie}*",
                     f"*{toupie_torn}*", "", f"*{boulier}*",
                     f"*{boulier_torn}*", ""])
    return markdown(["pairs", "states"] + [c.name for c in ORDERED], rows)


# ---- diagrams with a buffer -----------------------------------------------------------

BASE = Column("base", "collapse+table")
MDD = Column("mdd", "collapse+mdd")
HYBRID = Column("hybrid", "collapse+hybrid")


def speed(cell):
    return cell["states"] / max(cell["cpu_seconds"], 1e-3)


def density(cell):
    return cell["states"] / max(cell["store_bytes"] / 1e6, 1e-6)


def relative(cell, base, measure, p, column, first):
    """Our ratio to the base, and the published one."""
    ours = measure(cell) / measure(base)
    mark = "" if cell["complete"] else "†"
    return beside(figure(ours) + mark,
                  None if not p else figure(p[column] / p[first]))


def diagrams(r):
    rows, sums = [], [[] for _ in range(4)]
    for m in r.some(CIRCUITS + OUR_DVE + BEEM_MODELS):
        base, mdd, hybrid = (r.run("diagrams", m, c)
                             for c in (BASE, MDD, HYBRID))
        if base["failed"] or mdd["failed"] or hybrid["failed"]:
            rows.append([m.name, base["failed"] or mdd["failed"] or
                         hybrid["failed"]] + [""] * 6)
            continue
        p = ZHENG.get(m.published)
        for i, value in enumerate((
                speed(mdd) / speed(base), density(mdd) / density(base),
                speed(hybrid) / speed(base),
                density(hybrid) / density(base))):
            sums[i].append(value)
        rows.append([
            m.name, states_of([base, mdd, hybrid]),
            beside(count(round(speed(base))), p and count(p[0])),
            beside(count(round(density(base))), p and count(p[1])),
            relative(mdd, base, speed, p, 2, 0),
            relative(mdd, base, density, p, 3, 1),
            relative(hybrid, base, speed, p, 4, 0),
            relative(hybrid, base, density, p, 5, 1)])
    p = ZHENG_AVERAGE
    rows.append(["**mean**", "", f"*({count(p[0])})*", f"*({count(p[1])})*"] +
                [beside(shown(mean(s)), figure(p[2 + i] / p[i % 2]))
                 for i, s in enumerate(sums)])
    r.facts["hybrid speed"], r.facts["hybrid density"] = (mean(sums[2]),
                                                          mean(sums[3]))
    r.facts["hybrid slowest"] = min(sums[2], default=None)
    return markdown(["model", "states", "base: states/s", "states/MB",
                     "mdd: speed / base", "density / base",
                     "hybrid: speed / base", "density / base"], rows)


# ---- compaction -----------------------------------------------------------------------

PACKED = Column("pack", "pack+table")
RADIX = Column("radix", "radix+table")


def compaction(r):
    rows, memory, seconds = [], [], []
    for m in r.some(COMPACTED):
        plain, packed, radix, tree = (r.run("compaction", m, c)
                                      for c in (PLAIN, PACKED, RADIX, TREE))
        p = GELDENHUYS.get(m.published, (None, None))
        rows.append([
            m.name, states_of([plain, packed, tree]),
            str(plain["state_bytes"]), megabytes(plain), megabytes(packed),
            beside(times(packed, plain, "store_bytes"), p[0]),
            beside(times(packed, plain, "cpu_seconds"), p[1]),
            times(radix, plain, "store_bytes"),
            times(radix, plain, "cpu_seconds"),
            times(tree, plain, "store_bytes"),
            times(tree, plain, "cpu_seconds")])
        if plain["complete"] and packed["complete"]:
            memory.append(ratio(packed, plain, "store_bytes"))
            seconds.append(ratio(packed, plain, "cpu_seconds"))
    r.facts["pack memory"], r.facts["pack time"] = mean(memory), mean(seconds)
    rows.append(["**mean**", "", "", "", "",
                 beside(shown(mean(memory)), "0.60"),
                 beside(shown(mean(seconds)), "0.81"), "", "", "", ""])
    return markdown(["model", "states", "bytes", "raw+table, MB",
                     "pack+table, MB", "memory", "time",
                     "radix+table: memory", "time", "collapse+tree: memory", "time"], rows)


# ---- targets ----------------------------------------------------------------------------


def targets(r):
    """Made last, of what the other tables found."""
    rows = []

    def row(what, wanted, reached):
        rows.append([what, wanted, reached])

    f = r.facts
    row("`pack+table` against `raw+table`, memory", "at most 0.60",
        shown(f.get("pack memory")))
    row("the same, time", "below 1", shown(f.get("pack time")))
    row("`collapse+hybrid` against `collapse+table`, speed", "at least 0.7",
        shown(f.get("hybrid speed")))
    row("the same, states per MB", "at least 2", shown(f.get("hybrid density")))
    row("the same, the slowest model", "at least 0.25",
        shown(f.get("hybrid slowest")))
    for column in SHARED_MODES[2:5]:
        cell = r.get("sharing", TRANSFER, column)
        if cell:
            full = cell["states"] * cell["state_bytes"]
            row(f"`{column.store}` on the file transfer, full states / store",
                "at least 100", figure(full / max(cell["store_bytes"], 1)))
            row("the same, states a second", "at least 150 000",
                count(round(speed(cell))))
    for m in [SCHEDULER] + COUNTERS[2:]:
        plain = r.get("visser", m, PLAIN)
        for column in (OBDD_PIECES, OBDD_COLLAPSE, WIDE_PIECES,
                       WIDE_COLLAPSE):
            cell = r.get("visser", m, column)
            how = ", breadth-first" if "bfs" in column.options else ""
            if cell and plain:
                row(f"`{column.store}`{how} on {m.name}, memory / `raw+table`",
                    "at most 0.1", times(cell, plain, "store_bytes"))
                row("the same, time", "at most 30",
                    times(cell, plain, "cpu_seconds"))
    return markdown(["", "wanted", "reached"], rows)


TABLES = {
    "visser-1": visser_1, "visser-2": visser_2, "visser-3": visser_3,
    "visser-wide": visser_wide,
    "visser-4": visser_4, "visser-drawings": visser_drawings,
    "sharing-insertion": sharing_insertion, "sharing-memory": sharing_memory,
    "orders": orders, "diagrams": diagrams, "compaction": compaction,
    "targets": targets,
}
