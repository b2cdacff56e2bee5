// Processes as automata with the places where they are, or a net with its
// tokens: what the library draws, laid out here, and lit by the state.

import * as api from "./api";
import type { App } from "./app";
import { fill, h, newest, s } from "./dom";
import { readDot, type Dot, type DotEdge } from "./dot";
import { layout, smooth, type Box, type Link } from "./layout";
import { Frame, arrowHead, plate } from "./picture";

const NODES_MOST = 600;

interface Edge extends Link {
  edge: DotEdge;
  words: string;
}

function widthOf(words: string): number {
  return Math.max(...words.split("\n").map((line) => line.length)) * 6.4 + 18;
}

function linesOf(words: string, x: number, y: number, attributes = {}): SVGTextElement {
  const lines = words.split("\n");
  return s(
    "text",
    { x, y: y - (lines.length - 1) * 6.5 + 4, ...attributes },
    ...lines.map((line, i) => s("tspan", { x, dy: i ? 13 : 0 }, line)),
  );
}

/** Places are drawn with their name and, below it, their tokens. */
function nameOf(label: string): string {
  return label.split("\n")[0];
}

export class AutomataView {
  readonly element: HTMLElement;
  readonly frame = new Frame("Processes, or the net");
  private note = h("p", { class: "quiet" });
  private dot: Dot | null = null;
  private model = "";
  private lit = new Map<string, ((on: string[]) => void)[]>(); // by node
  private tokens = new Map<string, (words: string) => void>(); // by place
  private titles: [string, number, number][] = []; // of the parts of a net
  private types = new Map<string, string>(); // p0 -> its name
  private ask = newest();
  visible = false;

  constructor(private app: App) {
    this.element = h(
      "div",
      { class: "view automata-view" },
      h("div", { class: "bar" }, this.note, this.frame.buttons()),
      this.frame.element,
    );
    app.on("model", () => void this.show());
    app.on("state", () => this.light());
  }

  async show(): Promise<void> {
    const { app } = this;
    if (!this.visible || !app.model.good) return;
    if (this.model !== app.model.id) {
      const wanted = this.ask();
      const { dot } = await api.ask<{ dot: string }>(app.path("drawing?what=processes"));
      if (!wanted()) return;
      this.dot = readDot(dot);
      this.model = app.model.id;
      this.draw();
      this.frame.fitWidth();
    }
    this.light();
  }

  /** A net of transitions and places, as PNML, STG and LPN have it. */
  private get isNet(): boolean {
    return this.dot?.name === "net";
  }

  private isPlace(attributes: Map<string, string>): boolean {
    return this.isNet && ["circle", "ellipse"].includes(attributes.get("shape") ?? "");
  }

  private draw(): void {
    const dot = this.dot!;
    this.lit.clear();
    this.tokens.clear();
    this.types.clear();
    if (dot.nodes.size > NODES_MOST) {
      this.note.textContent = `${dot.nodes.size} nodes are too many to be drawn.`;
      return fill(this.frame.element);
    }
    this.note.textContent = this.isNet
      ? "Tokens are those of the state; boxes that can fire are green."
      : "The processes of the state stand where they are.";
    const boxes = [...dot.nodes.values()].map((n): Box => {
      const words = n.attributes.get("label") ?? "";
      const place = this.isPlace(n.attributes);
      return {
        id: n.id,
        width: place ? Math.max(44, widthOf(nameOf(words))) : widthOf(words),
        height: place ? 50 : 26 + 13 * (words.split("\n").length - 1),
        x: 0,
        y: 0,
      };
    });
    const edges = this.join(dot.edges).map((edge): Edge => {
      const words = (edge.attributes.get("label") ?? "").trim();
      const height = 13 * words.split("\n").length;
      return {
        from: edge.from,
        to: edge.to,
        points: [],
        edge,
        words,
        label: words ? { width: widthOf(words), height, x: 0, y: 0 } : undefined,
      };
    });
    this.titles = [];
    const { width, height } = this.arrange(boxes, edges);
    const svg = s("svg", { class: "graph", role: "img", "aria-label": this.isNet ? "The net" : "The processes" });
    const [defs, tip] = arrowHead();
    svg.append(
      defs,
      ...edges.map((e) => this.edge(e, tip)),
      ...edges.flatMap((e) => this.label(e)),
      ...boxes.map((b) => this.node(b)),
      ...this.titles.map(([name, x, y]) => s("text", { x, y, class: "title part" }, name)),
    );
    this.frame.show(svg, width, height);
  }

  /** Edges between the same two nodes are one, with all their labels. */
  private join(edges: DotEdge[]): DotEdge[] {
    const found = new Map<string, DotEdge>();
    for (const edge of edges) {
      const key = `${edge.from} ${edge.to} ${edge.attributes.get("arrowhead") ?? ""}`;
      const there = found.get(key);
      if (!there) found.set(key, { ...edge, attributes: new Map(edge.attributes) });
      else
        there.attributes.set(
          "label",
          `${(there.attributes.get("label") ?? "").trim()}\n${(edge.attributes.get("label") ?? "").trim()}`,
        );
    }
    return [...found.values()];
  }

  private nameIn(part: string, name: string): string {
    return part ? `${part}.${name}` : name;
  }

  /** Each process type beside the one before, and each part of a net. */
  private arrange(boxes: Box[], edges: Edge[]): { width: number; height: number } {
    const part = (id: string) => (this.isNet ? (this.dot!.nodes.get(id)?.part ?? "") : id.replace(/_.*/, ""));
    const parts = [...new Set(boxes.map((b) => part(b.id)))];
    let x = 0;
    let y = 0;
    let row = 0;
    let width = 0;
    const most = Math.max(480, this.frame.room() / 0.9);
    for (const name of parts) {
      const own = boxes.filter((b) => part(b.id) === name);
      const links = edges.filter((e) => part(e.from) === name);
      const size = layout(own, links);
      const title = this.isNet && name !== "";
      if (x && x + size.width > most) {
        x = 0;
        y += row + 20;
        row = 0;
      }
      if (title) this.titles.push([name, x + 20, y + 12]);
      const below = title ? 20 : 0;
      size.height += below;
      y += below;
      for (const b of own) {
        b.x += x;
        b.y += y;
      }
      for (const link of links) {
        link.points = link.points.map(([px, py]) => [px + x, py + y]);
        if (link.label) {
          link.label.x += x;
          link.label.y += y;
        }
      }
      y -= below;
      x += size.width + 20;
      row = Math.max(row, size.height);
      width = Math.max(width, x);
    }
    return { width: width + 10, height: y + row + 30 };
  }

  private middle(e: Edge): [number, number] {
    if (e.label) return [e.label.x, e.label.y];
    return e.points[Math.floor(e.points.length / 2)] ?? [0, 0];
  }

  private edge(e: Edge, tip: string): SVGElement {
    return s("path", {
      d: smooth(e.points),
      class: "arrow" + (e.edge.attributes.get("style") === "dotted" ? " dotted" : ""),
      "marker-end": e.edge.attributes.get("arrowhead") === "none" ? null : tip,
    });
  }

  /** What stands at an arrow: words, or the tokens of a place that is drawn as
   * an arc between two transitions. */
  private label(e: Edge): SVGElement[] {
    const [x, y] = this.middle(e);
    const from = this.dot!.nodes.get(e.from)?.attributes;
    const to = this.dot!.nodes.get(e.to)?.attributes;
    if (this.isNet && from?.get("shape") === "box" && to?.get("shape") === "box") {
      const tokens = linesOf("", x, y, { class: "label" });
      const part = this.dot!.nodes.get(e.from)!.part;
      const ends = [from, to].map((a) => nameOf(a.get("label") ?? ""));
      this.tokens.set(this.nameIn(part, `<${ends.join(",")}>`), (words) => {
        tokens.firstElementChild!.textContent = words;
      });
      return [tokens];
    }
    return e.words && !e.from.endsWith("_in") ? plate(e.words.split("\n"), x, y) : [];
  }

  private node(b: Box): SVGElement {
    const { attributes, part } = this.dot!.nodes.get(b.id)!;
    const words = attributes.get("label") ?? "";
    const shape = attributes.get("shape");
    const group = s("g", { class: "node" });
    if (this.isPlace(attributes)) {
      const name = nameOf(words);
      const inside = linesOf("", b.x, b.y - 6, { class: "tokens" });
      group.append(
        s("circle", { cx: b.x, cy: b.y - 6, r: 17, class: "shape" }),
        inside,
        linesOf(name, b.x, b.y + 20, { class: "label" }),
      );
      this.tokens.set(this.nameIn(part, name), (text) => {
        inside.firstElementChild!.textContent = text;
        group.classList.toggle("marked", text !== "");
      });
      return group;
    }
    if (shape === "plaintext") {
      this.types.set(b.id.replace(/_in$/, ""), words);
      group.append(linesOf(words, b.x, b.y, { class: "title" }));
      return group;
    }
    if (shape === "box") group.classList.add("transition");
    group.append(
      s("rect", {
        x: b.x - b.width / 2,
        y: b.y - b.height / 2,
        width: b.width,
        height: b.height,
        rx: shape === "box" ? 2 : 13,
        class: "shape" + (attributes.get("peripheries") === "2" ? " end" : ""),
      }),
      linesOf(words, b.x, b.y),
    );
    const who = linesOf("", b.x + b.width / 2 + 4, b.y - b.height / 2, { class: "who" });
    group.append(who);
    const key = shape === "box" ? `t ${part} ${nameOf(words)}` : `${b.id.replace(/_.*/, "")} ${attributes.get("tooltip")}`;
    const light = (on: string[]) => {
      group.classList.toggle("lit", on.length > 0);
      who.firstElementChild!.textContent = on.join(" ");
    };
    this.lit.set(key, [...(this.lit.get(key) ?? []), light]);
    return group;
  }

  /** Puts tokens and processes where the state has them. */
  private light(): void {
    const { app } = this;
    if (!this.visible || !this.dot || this.model !== app.model.id || !app.state) return;
    const on = new Map<string, string[]>();
    const put = (key: string, words: string) => on.set(key, [...(on.get(key) ?? []), words]);
    if (this.isNet) {
      // Parts have the names of their processes; a net of one part has none.
      for (const move of app.state.moves)
        for (const part of [move.process_type, ""]) put(`t ${part} ${move.text}`, "");
      for (const v of app.state.values) {
        const n = Number(v.value);
        const short = v.name.replace(/^[^.]*\./, "");
        const name = this.tokens.has(v.name) ? v.name : short;
        this.tokens.get(name)?.(n > 3 ? String(n) : "●".repeat(Math.max(0, n || 0)));
      }
    } else {
      const ids = new Map([...this.types].map(([id, name]) => [name, id]));
      for (const p of app.state.processes) {
        const id = ids.get(p.process_type);
        if (id) put(`${id} location ${p.location}`, `(${p.process})`);
      }
    }
    for (const [key, all] of this.lit) for (const set of all) set(on.get(key) ?? []);
  }
}
