// Layered drawings of graphs, after Sugiyama, Tagawa and Toda (1981): edges that
// close circles are turned, nodes get layers, long edges pass through nodes of
// their own, and the order in each layer follows the neighbours' middle.

export interface Box {
  id: string;
  width: number;
  height: number;
  x: number; // of the middle
  y: number;
}
export interface Link {
  from: string;
  to: string;
  points: [number, number][]; // from border to border
  label?: { width: number; height: number; x: number; y: number };
}
export interface Drawn {
  width: number;
  height: number;
}

interface Node {
  box: Box | null;
  height: number;
  layer: number;
  width: number;
  x: number;
  up: Node[];
  down: Node[];
  order: number;
}

const GAP_X = 26;
const GAP_Y = 22; // half of the way between two layers of boxes
const STRAIGHT = 8; // width of an edge that passes a layer

/** Which links are to be turned, so that no circle is left. */
function turned(boxes: Box[], links: Link[]): Set<Link> {
  const out = new Map<string, Link[]>(boxes.map((b) => [b.id, []]));
  for (const link of links) out.get(link.from)?.push(link);
  const found = new Set<Link>();
  const seen = new Map<string, number>(); // 1: on the way, 2: done
  for (const root of boxes) {
    if (seen.has(root.id)) continue;
    const stack: [string, number][] = [[root.id, 0]];
    seen.set(root.id, 1);
    while (stack.length) {
      const top = stack[stack.length - 1];
      const link = out.get(top[0])![top[1]++];
      if (!link) {
        seen.set(top[0], 2);
        stack.pop();
      } else if (seen.get(link.to) === 1) found.add(link);
      else if (!seen.has(link.to)) {
        seen.set(link.to, 1);
        stack.push([link.to, 0]);
      }
    }
  }
  return found;
}

function layersOf(boxes: Box[], edges: [string, string][]): Map<string, number> {
  const layer = new Map<string, number>(boxes.map((b) => [b.id, 0]));
  const waiting = new Map<string, number>(boxes.map((b) => [b.id, 0]));
  const next = new Map<string, string[]>(boxes.map((b) => [b.id, []]));
  for (const [from, to] of edges) {
    next.get(from)!.push(to);
    waiting.set(to, waiting.get(to)! + 1);
  }
  const queue = boxes.filter((b) => !waiting.get(b.id)).map((b) => b.id);
  for (let i = 0; i < queue.length; i++)
    for (const to of next.get(queue[i])!) {
      layer.set(to, Math.max(layer.get(to)!, layer.get(queue[i])! + 1));
      waiting.set(to, waiting.get(to)! - 1);
      if (!waiting.get(to)) queue.push(to);
    }
  return layer;
}

function middle(nodes: Node[]): number {
  return nodes.reduce((sum, n) => sum + n.order, 0) / nodes.length;
}

function sweep(layers: Node[][], down: boolean): void {
  const order = down ? layers : [...layers].reverse();
  for (const layer of order) {
    const keys = new Map(
      layer.map((n) => {
        const near = down ? n.up : n.down;
        return [n, near.length ? middle(near) : n.order];
      }),
    );
    layer.sort((a, b) => keys.get(a)! - keys.get(b)!);
    layer.forEach((n, i) => (n.order = i));
  }
}

/** Moves nodes towards their neighbours, none over another. */
function place(layers: Node[][]): void {
  for (const layer of layers) {
    let x = 0;
    for (const n of layer) {
      n.x = x + n.width / 2;
      x += n.width + GAP_X;
    }
  }
  for (let round = 0; round < 12; round++) {
    const down = round % 2 === 0;
    for (const layer of down ? layers : [...layers].reverse()) {
      const wish = layer.map((n) => {
        const near = (down ? n.up : n.down).length
          ? down
            ? n.up
            : n.down
          : [...n.up, ...n.down];
        if (!near.length) return n.x;
        return near.reduce((sum, m) => sum + m.x, 0) / near.length;
      });
      spread(layer, wish);
    }
  }
}

/** The places nearest to the wishes that keep order and gaps: pools of nodes
 * that touch stand where their wishes are on the average. */
function spread(layer: Node[], wish: number[]): void {
  const pools: { sum: number; n: number; offset: number; nodes: number[] }[] = [];
  let offset = 0;
  layer.forEach((node, i) => {
    const half = node.width / 2;
    offset += i ? layer[i - 1].width / 2 + GAP_X + half : 0;
    pools.push({ sum: wish[i] - offset, n: 1, offset, nodes: [i] });
    while (pools.length > 1) {
      const b = pools[pools.length - 1];
      const a = pools[pools.length - 2];
      if (a.sum / a.n <= b.sum / b.n) break;
      pools.pop();
      a.sum += b.sum;
      a.n += b.n;
      a.nodes.push(...b.nodes);
    }
  });
  const offsets: number[] = [];
  offset = 0;
  layer.forEach((node, i) => {
    offset += i ? layer[i - 1].width / 2 + GAP_X + node.width / 2 : 0;
    offsets.push(offset);
  });
  for (const pool of pools)
    for (const i of pool.nodes) layer[i].x = pool.sum / pool.n + offsets[i];
}

export function layout(boxes: Box[], links: Link[]): Drawn {
  if (!boxes.length) return { width: 0, height: 0 };
  // A loop at a box needs room on both sides, as the box stays in the middle.
  const looped = new Map<string, number>();
  for (const link of links)
    if (link.from === link.to)
      looped.set(link.from, Math.max(looped.get(link.from) ?? 0, 30 + (link.label?.width ?? 0)));
  const known = new Set(boxes.map((b) => b.id));
  const real = links.filter(
    (l) => l.from !== l.to && known.has(l.from) && known.has(l.to),
  );
  const back = turned(boxes, real);
  const ends = (l: Link): [string, string] =>
    back.has(l) ? [l.to, l.from] : [l.from, l.to];
  const layer = layersOf(boxes, real.map(ends));
  const nodes = new Map<string, Node>();
  const layers: Node[][] = [];
  const make = (box: Box | null, at: number, width: number, height: number): Node => {
    const row = (layers[at] ??= []);
    const n = { box, height, layer: at, width, x: 0, up: [], down: [], order: row.length };
    row.push(n);
    return n;
  };
  // Boxes have even layers, so that each edge has a layer for its label.
  for (const box of boxes)
    nodes.set(box.id, make(
      box,
      2 * layer.get(box.id)!,
      box.width + 2 * (looped.get(box.id) ?? 0),
      box.height,
    ));
  const chains = new Map<Link, Node[]>();
  for (const link of real) {
    const [from, to] = ends(link).map((id) => nodes.get(id)!);
    const chain = [from];
    const half = from.layer + 1 + 2 * Math.floor((to.layer - from.layer - 2) / 4);
    for (let at = from.layer + 1; at < to.layer; at++) {
      const label = at === half ? link.label : undefined;
      chain.push(make(null, at, label?.width ?? STRAIGHT, label?.height ?? 0));
    }
    chain.push(to);
    for (let i = 1; i < chain.length; i++) {
      chain[i - 1].down.push(chain[i]);
      chain[i].up.push(chain[i - 1]);
    }
    chains.set(link, chain);
  }
  for (let i = 0; i < 8; i++) sweep(layers, i % 2 === 0);
  place(layers);
  return finish(layers, real, chains, back, links);
}

function finish(
  layers: Node[][],
  real: Link[],
  chains: Map<Link, Node[]>,
  back: Set<Link>,
  links: Link[],
): Drawn {
  const left = Math.min(...layers.flat().map((n) => n.x - n.width / 2));
  const ys: number[] = [];
  let y = 0;
  for (let i = 0; i < layers.length; i++) {
    const height = Math.max(2, ...(layers[i] ?? []).map((n) => n.height));
    ys.push(y + height / 2);
    y += height + GAP_Y;
  }
  for (const row of layers)
    for (const n of row) {
      n.x += 20 - left;
      if (n.box) {
        n.box.x = n.x;
        n.box.y = ys[n.layer] + 10;
      }
    }
  for (const link of real) {
    const chain = chains.get(link)!;
    const points = chain.map((n): [number, number] => [n.x, ys[n.layer] + 10]);
    const first = chain[0].box!;
    const last = chain[chain.length - 1].box!;
    points[0] = [first.x, first.y + first.height / 2];
    points[points.length - 1] = [last.x, last.y - last.height / 2];
    link.points = back.has(link) ? points.reverse() : points;
    const named = chain.find((n) => !n.box && link.label && n.width === link.label.width);
    if (named && link.label) {
      link.label.x = named.x;
      link.label.y = ys[named.layer] + 10;
    }
  }
  for (const link of links) {
    if (link.from !== link.to) continue;
    const box = layers.flat().find((n) => n.box?.id === link.from)?.box;
    if (!box) continue;
    if (link.label) {
      link.label.x = box.x + box.width / 2 + 26 + link.label.width / 2;
      link.label.y = box.y;
    }
    const right = box.x + box.width / 2;
    link.points = [
      [right - 1, box.y - 5],
      [right + 30, box.y - 18],
      [right + 30, box.y + 18],
      [right - 1, box.y + 5],
    ];
  }
  const right = Math.max(...layers.flat().map((n) => n.x + n.width / 2));
  const loops = links
    .filter((l) => l.from === l.to && l.label)
    .map((l) => l.label!.x + l.label!.width / 2);
  return { width: Math.max(right + 30, ...loops) + 10, height: y - GAP_Y + 20 };
}

/** A smooth way through points, as the data of an SVG path. */
export function smooth(points: [number, number][]): string {
  if (points.length < 2) return "";
  let out = `M${points[0][0].toFixed(1)} ${points[0][1].toFixed(1)}`;
  if (points.length === 4 && points[0][0] === points[3][0] && points[1][0] === points[2][0])
    return out + " C" + points.slice(1).map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join(" "); // a loop
  for (let i = 1; i < points.length; i++) {
    const [x0, y0] = points[i - 1];
    const [x1, y1] = points[i];
    const my = ((y0 + y1) / 2).toFixed(1);
    out +=
      Math.abs(y1 - y0) < 12
        ? ` L${x1.toFixed(1)} ${y1.toFixed(1)}`
        : ` C${x0.toFixed(1)} ${my} ${x1.toFixed(1)} ${my} ${x1.toFixed(1)} ${y1.toFixed(1)}`;
  }
  return out;
}
