"""Drawings of growth: lines in panels, as SVG."""

import math

COLOURS = ("#1b6ca8", "#c0392b", "#2e8b57", "#8e5ea2", "#b8860b", "#555555")
WIDTH, HEIGHT, MARGIN = 300, 210, 48


def human(value):
    for unit in ("", "k", "M", "G"):
        if abs(value) < 1000:
            return f"{value:.3g}{unit}"
        value /= 1000
    return f"{value:.3g}T"


class Axis:
    """From values to places, linear or by logarithm."""

    def __init__(self, values, length, logarithmic):
        self.log, self.length = logarithmic, length
        values = [v for v in values if v > 0] or [1]
        if logarithmic:
            self.low = math.floor(math.log10(min(values)))
            self.high = max(math.ceil(math.log10(max(values))), self.low + 1)
        else:
            self.low, self.high = 0, max(values)

    def place(self, value):
        at = math.log10(max(value, 1e-9)) if self.log else value
        at = (at - self.low) / (self.high - self.low)
        return self.length * min(1, max(0, at))

    def marks(self):
        if self.log:
            return [10 ** e for e in range(self.low, self.high + 1)]
        step = 10 ** math.floor(math.log10(self.high))
        while self.high / step < 3:
            step /= 2
        while self.high / step > 6:
            step *= 2
        return [step * i for i in range(int(self.high / step) + 1)]


def frame(panel, across, up):
    parts = [f'<text x="{WIDTH}" y="-10" class="title">{panel["title"]}'
             f'</text>',
             f'<text x="{WIDTH / 2}" y="{HEIGHT + 30}" class="axis">'
             f'{panel["x"]}</text>',
             f'<text x="0" y="-10" class="left">{panel["y"]}</text>']
    for mark in across.marks():
        x = across.place(mark)
        parts.append(f'<path d="M{x:.1f} 0V{HEIGHT}" class="grid"/>'
                     f'<text x="{x:.1f}" y="{HEIGHT + 14}" class="axis">'
                     f'{human(mark)}</text>')
    for mark in up.marks():
        y = HEIGHT - up.place(mark)
        parts.append(f'<path d="M0 {y:.1f}H{WIDTH}" class="grid"/>'
                     f'<text x="-4" y="{y + 4:.1f}" class="number">'
                     f'{human(mark)}</text>')
    return parts


def thinned(places):
    """Without those that nobody could tell from the ones before."""
    kept = places[:1]
    for place in places[1:-1]:
        if math.dist(place, kept[-1]) > 3:
            kept.append(place)
    return kept + places[1:][-1:]


def draw_panel(panel, left, top):
    """panel: title, x, y (names of axes), log (of the axis upwards), lines
    (name, points)."""
    lines = [line for line in panel["lines"] if line[1]]
    logs = panel.get("log", False)
    across = Axis([x for _, points in lines for x, _ in points], WIDTH, False)
    up = Axis([y for _, points in lines for _, y in points], HEIGHT, logs)
    parts = [f'<g transform="translate({left},{top})">']
    parts += frame(panel, across, up)
    for i, (name, points) in enumerate(lines):
        colour = COLOURS[i % len(COLOURS)]
        path = " ".join(f"{x:.0f},{HEIGHT - y:.0f}" for x, y in thinned(
            [(across.place(x), up.place(y)) for x, y in points]))
        place = HEIGHT - 8 - 13 * (len(lines) - 1 - i)
        parts.append(f'<polyline points="{path}" stroke="{colour}"/>'
                     f'<text x="{WIDTH - 6}" y="{place}" fill="{colour}" '
                     f'class="name">{name}</text>')
    return parts + ["</g>"]


def draw(panels, columns=2):
    rows = (len(panels) + columns - 1) // columns
    step_x, step_y = WIDTH + 2 * MARGIN, HEIGHT + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" '
        f'viewBox="0 0 {columns * step_x} {rows * step_y}" '
        f'font-family="sans-serif" font-size="11">',
        "<style>polyline{fill:none;stroke-width:1.6}"
        ".grid{stroke:#ddd;fill:none}.title{font-size:13px;"
        "text-anchor:end}.axis{text-anchor:middle;fill:#555}"
        ".number,.name{text-anchor:end}.number,.left{fill:#555}</style>",
        f'<rect width="{columns * step_x}" height="{rows * step_y}" '
        f'fill="white"/>']
    for i, panel in enumerate(panels):
        parts += draw_panel(panel, MARGIN + i % columns * step_x,
                            MARGIN - 8 + i // columns * step_y)
    return "\n".join(parts + ["</svg>", ""])
