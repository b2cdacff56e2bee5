// The sequence chart of a run, drawn by the library.

import * as api from "./api";
import type { App } from "./app";
import { fill, h, newest, s } from "./dom";
import { Frame } from "./picture";

const STEPS_MOST = 2000;

/** The heads of the lanes, to stand above them wherever one scrolls to, and how
 * high they are. */
function headOf(svg: SVGSVGElement): [SVGSVGElement, number] | undefined {
  const heads = [...svg.querySelectorAll<SVGRectElement>("rect.head")];
  const names = [...svg.querySelectorAll("text.name")];
  const bottom = (e: Element) => Number(e.getAttribute("y")) + Number(e.getAttribute("height"));
  const first = Math.min(...heads.map(bottom));
  const top = heads.filter((e) => bottom(e) === first);
  if (!top.length) return undefined;
  const copy = svg.cloneNode(false) as SVGSVGElement;
  copy.setAttribute("aria-hidden", "true");
  copy.append(s("rect", { class: "paper", width: "100%", height: "100%" }));
  for (const e of [...top, ...names.filter((t) => Number(t.getAttribute("y")) < first)])
    copy.append(e.cloneNode(true));
  return [copy, first + 4];
}

export class ChartView {
  readonly element: HTMLElement;
  readonly frame = new Frame("Sequence chart of the run");
  private note = h("p", { class: "quiet" });
  private local = h("input", { type: "checkbox", id: "local" });
  private drawn = "";
  private rows: [number, number][] = []; // number of the step, y
  private line: Element | null = null;
  private ask = newest();
  visible = false;

  constructor(private app: App) {
    this.local.addEventListener("change", () => void this.show());
    this.element = h(
      "div",
      { class: "view chart-view" },
      h("div", { class: "bar" }, h("label", {}, this.local, " steps of single processes, too"), this.frame.buttons()),
      this.note,
      this.frame.element,
    );
    app.on("run", () => void this.show());
    app.on("state", () => this.mark());
  }

  async show(): Promise<void> {
    const { app } = this;
    if (!this.visible || !app.model.good) return;
    const wanted = this.ask();
    const key = `${app.model.id} ${app.run.id} ${app.run.length} ${this.local.checked}`;
    if (key === this.drawn) return this.mark();
    if (app.run.length > STEPS_MOST) {
      this.drawn = "";
      fill(this.frame.element);
      this.note.textContent = `A run of ${app.run.length} steps is too long for a chart; up to ${STEPS_MOST} are drawn.`;
      return;
    }
    this.note.textContent = app.run.length ? "" : "Nothing has happened yet.";
    const text = await api.words(
      app.runPath("export" + api.query({ format: "svg", verbose: this.local.checked ? 1 : 0 })),
    );
    if (!wanted()) return;
    this.drawn = key;
    this.put(text);
    this.mark();
  }

  private put(text: string): void {
    // Its styles are ours, for light and dark; the policy allows no others.
    const plain = text.replace(/<style>[^<]*<\/style>/, "");
    const read = new DOMParser().parseFromString(plain, "image/svg+xml");
    const svg = document.importNode(read.documentElement, true) as unknown as SVGSVGElement;
    svg.classList.add("chart");
    const width = Number(svg.getAttribute("width"));
    const height = Number(svg.getAttribute("height"));
    this.rows = [];
    for (const t of svg.querySelectorAll("text.row")) {
      const number = Number(t.textContent);
      const y = Number(t.getAttribute("y"));
      if (!number) continue;
      this.rows.push([number, y]);
      t.setAttribute("role", "button");
      t.setAttribute("tabindex", "0");
      t.setAttribute("aria-label", `Go to step ${number}`);
      const go = () => void this.app.work(() => this.app.goTo(number));
      t.addEventListener("click", go);
      t.addEventListener("keydown", (e) => {
        if ((e as KeyboardEvent).key === "Enter") go();
      });
    }
    this.line = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    this.line.setAttribute("class", "now");
    this.line.setAttribute("x", "0");
    this.line.setAttribute("width", String(width));
    this.line.setAttribute("height", "22");
    const paper = svg.querySelector("rect.paper");
    if (paper) paper.after(this.line);
    else svg.prepend(this.line);
    this.frame.show(svg, width, height, headOf(svg));
    this.frame.fitWidth();
  }

  /** The last row at or before where one is. */
  private mark(): void {
    if (!this.visible || !this.line) return;
    const here = this.rows.filter(([number]) => number <= this.app.at).pop();
    this.line.setAttribute("visibility", here ? "visible" : "hidden");
    if (!here) return;
    this.line.setAttribute("y", String(here[1] - 15));
    this.frame.look(60, here[1]);
  }
}
