// The graph of states, grown by clicking: around where one is, each state by what
// differs from the one it was found from.

import * as api from "./api";
import type { App } from "./app";
import { button, fill, h, plural, s, type Child } from "./dom";
import { layout, smooth, type Box, type Link } from "./layout";
import { Frame, arrowHead, plate } from "./picture";

const RUN_MOST = 150;
const NODES_MOST = 500;

interface Node {
  name: string;
  choices: number[] | null; // that lead there; null: not looked up yet
  state: api.State | null; // once it was looked at
  words: string[];
  open: boolean; // its successors are there
}
interface Arc extends Link {
  words: string;
  fault?: string;
}

function valuesOf(state: api.State): Map<string, string> {
  return new Map(
    state.values.filter((v) => v.type !== "chan").map((v) => [v.name, v.value]),
  );
}

/** What a state has that another has not. */
function differences(from: api.State, to: api.State): string[] {
  const before = valuesOf(from);
  const words: string[] = [];
  for (const [name, value] of valuesOf(to))
    if (before.get(name) !== value) words.push(`${name} = ${value}`);
  for (const p of to.processes) {
    const old = from.processes.find((q) => q.process === p.process);
    if (old?.location !== p.location)
      words.push(`${p.process_type}(${p.process}) ${p.line ? `at ${p.line}` : p.location}`);
  }
  return words;
}

function cut(words: string): string {
  return words.length > 26 ? words.slice(0, 25) + "…" : words;
}

export class GraphView {
  readonly element: HTMLElement;
  readonly frame = new Frame("Graph of states");
  private nodes = new Map<string, Node>();
  private arcs: Arc[] = [];
  private model = "";
  private onRun = new Set<string>(); // states, and arcs as "from to"
  private cutRun = false;
  private status = h("span", { class: "quiet", role: "status", id: "graph-said" });
  visible = false;

  constructor(private app: App) {
    const work = (job: () => Promise<unknown>) => () => void app.work(job);
    this.element = h(
      "div",
      { class: "view graph-view" },
      h(
        "div",
        { class: "bar" },
        button("Grow here", work(() => this.grow(app.state.name)), {
          title: "Successors of this state (g)",
          id: "grow",
        }),
        button("Show the run", work(() => this.showRun()), { id: "graph-run" }),
        button("Clear", () => this.clear(), {}),
        this.frame.buttons(),
        this.status,
      ),
      this.frame.element,
    );
    app.on("model", () => this.clear());
    app.on("run", () => this.forgetRun());
    app.on("state", () => void this.follow());
  }

  private clear(): void {
    this.nodes.clear();
    this.arcs = [];
    this.forgetRun();
    this.model = this.app.model.id;
    fill(this.frame.element);
    if (this.visible && this.app.model.good && this.app.state) void this.follow();
  }

  private forgetRun(): void {
    this.onRun.clear();
    this.cutRun = false;
  }

  async show(): Promise<void> {
    await this.follow();
  }

  private node(name: string): Node {
    let node = this.nodes.get(name);
    if (!node) {
      node = { name, choices: null, state: null, words: [], open: false };
      this.nodes.set(name, node);
    }
    return node;
  }

  /** Where one is, is always there. */
  private async follow(): Promise<void> {
    const { app } = this;
    if (!this.visible || !app.model.good || !app.state?.name) return this.draw();
    if (this.model !== app.model.id) this.clear();
    const node = this.node(app.state.name);
    node.state ??= app.state;
    const from = app.before;
    if (from?.name && from.name !== node.name && this.nodes.has(from.name)) {
      const move = from.moves.find((m) => m.target === node.name);
      if (move) this.arc(from.name, node.name, move.text, move.fault);
      if (!node.words.length) node.words = differences(from, node.state);
    }
    this.draw();
  }

  private arc(from: string, to: string, words: string, fault?: string): void {
    const there = this.arcs.find((a) => a.from === from && a.to === to);
    if (!there) this.arcs.push({ from, to, words, fault, points: [] });
    else if (!there.words.split("\n").includes(words) && there.words.split("\n").length < 3)
      there.words += "\n" + words;
  }

  private async stateOf(node: Node): Promise<api.State> {
    node.state ??= await api.ask<api.State>(this.app.path(`states/${node.name}`));
    return node.state;
  }

  /** Puts the successors of a state into the graph. */
  async grow(name: string | undefined): Promise<void> {
    if (!name) return;
    const node = this.node(name);
    const state = await this.stateOf(node);
    if (name === this.app.state.name) node.choices ??= await this.app.choices();
    for (const move of state.moves) {
      if (!move.target) continue;
      const other = this.node(move.target);
      const found = await this.stateOf(other);
      if (!other.words.length && other !== node) other.words = differences(state, found);
      if (!other.choices && node.choices) other.choices = [...node.choices, move.choice];
      this.arc(name, move.target, move.text, move.fault);
      if (this.nodes.size >= NODES_MOST) break;
    }
    node.open = true;
    this.draw();
  }

  /** The states of the run, one after the other. */
  private async showRun(): Promise<void> {
    const { app } = this;
    const { names } = await api.ask<{ names: { at: number; name: string }[] }>(app.runPath("names"));
    let last: Node | null = null;
    for (const { at, name } of names.slice(0, RUN_MOST)) {
      const node = this.node(name);
      node.state ??= await api.ask<api.State>(app.runPath(`state?at=${at}`));
      if (last?.state && !node.words.length && last !== node)
        node.words = differences(last.state, node.state);
      const move = last?.state?.moves.find((m) => m.target === name);
      if (last) {
        this.arc(last.name, name, move?.text ?? "", move?.fault);
        this.onRun.add(`${last.name} ${name}`);
      }
      this.onRun.add(name);
      last = node;
    }
    this.cutRun = names.length > RUN_MOST;
    this.draw();
  }

  /** Goes to a state, by the run if it comes by, or by the way it was found. */
  private async goTo(node: Node): Promise<void> {
    const { app } = this;
    const { names } = await api.ask<{ names: { at: number; name: string }[] }>(app.runPath("names"));
    const there = names.find((n) => n.name === node.name);
    if (there) await app.goTo(there.at);
    else if (node.choices) await app.start({ choices: node.choices }, "walk");
    else await app.start({ find: node.name }, "walk");
    if (!node.open) await this.grow(node.name);
  }

  private draw(): void {
    if (!this.visible) return;
    const here = this.app.state?.name;
    const first = this.app.model.initial;
    const order = [...this.nodes.values()].sort(
      (a, b) => Number(b.name === first) - Number(a.name === first),
    );
    const boxes = order.map((n): Box => {
      const words = this.wordsOf(n);
      return {
        id: n.name,
        width: Math.max(70, ...words.map((w) => w.length * 6.3 + 16)),
        height: 14 + words.length * 13,
        x: 0,
        y: 0,
      };
    });
    if (!boxes.length) return fill(this.frame.element);
    for (const arc of this.arcs) {
      const lines = arc.words.split("\n").map(cut);
      arc.points = [];
      arc.label = {
        width: Math.max(...lines.map((w) => w.length)) * 6 + 10,
        height: 12 * lines.length,
        x: 0,
        y: 0,
      };
    }
    const { width, height } = layout(boxes, this.arcs);
    const svg = s("svg", { class: "graph states", "aria-label": "Graph of states", role: "group" });
    const [defs, tip, red] = arrowHead();
    svg.append(
      defs,
      ...this.arcs.map((arc) => this.drawArc(arc, tip, red)),
      ...this.arcs.flatMap((arc) =>
        arc.words ? plate(arc.words.split("\n").map(cut), arc.label!.x, arc.label!.y, arc.fault ? "label bad" : "label") : [],
      ),
      ...boxes.map((b) => this.drawNode(b, here)),
    );
    const focus = (document.activeElement as SVGElement | null)?.dataset?.state;
    this.frame.show(svg, width + 60, height);
    if (focus) svg.querySelector<SVGElement>(`[data-state="${focus}"]`)?.focus();
    this.status.textContent = plural(this.nodes.size, "state") + (this.cutRun ? `, the first ${RUN_MOST} of the run` : "");
    const box = boxes.find((b) => b.id === here);
    if (box) this.frame.look(box.x, box.y);
  }

  private wordsOf(n: Node): string[] {
    const words = n.words.slice(0, 4).map(cut);
    if (n.words.length > 4) words.push(`and ${n.words.length - 4} more`);
    return [n.name.slice(0, 8), ...words];
  }

  private drawArc(arc: Arc, tip: string, red: string): SVGElement {
    const marked = this.onRun.has(`${arc.from} ${arc.to}`);
    return s(
      "g",
      { class: `edge${marked ? " marked" : ""}` },
      s("path", { d: smooth(arc.points), class: "arrow", "marker-end": marked ? red : tip }),
    );
  }

  private drawNode(b: Box, here: string | undefined): SVGElement {
    const node = this.nodes.get(b.id)!;
    const names = ["node"];
    if (b.id === here) names.push("lit");
    if (this.onRun.has(b.id)) names.push("marked");
    if (node.state && !node.state.moves.length) names.push("last");
    if (!node.open) names.push("closed");
    const go = () => void this.app.work(() => this.goTo(node));
    const words = this.wordsOf(node);
    return s(
      "g",
      {
        class: names.join(" "),
        role: "button",
        tabindex: 0,
        "data-state": b.id,
        "aria-label": `State ${words.join(", ")}${b.id === here ? ", here" : ""}`,
        onclick: go,
        onkeydown: (e: KeyboardEvent) => {
          if (e.key === "Enter" || e.key === " ") {
            e.preventDefault();
            go();
          }
        },
      },
      s("rect", {
        x: b.x - b.width / 2,
        y: b.y - b.height / 2,
        width: b.width,
        height: b.height,
        rx: 6,
        class: "shape",
      }),
      s(
        "text",
        { x: b.x, y: b.y - b.height / 2 + 15 },
        ...words.map((w, i): Child => s("tspan", { x: b.x, dy: i ? 13 : 0, class: i ? null : "id" }, w)),
      ),
    );
  }
}
