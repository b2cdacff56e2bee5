// The table of a run: a lane for each process, only what changed.  Rows are made
// for what is seen, and steps are asked for in pieces, so that a run of a hundred
// thousand steps costs no more than a short one.

import * as api from "./api";
import type { App } from "./app";
import { button, fill, h, later, newest, type Child } from "./dom";

const ROW = 24;
const PIECE = 200;
const LANES_MOST = 8;

export class TraceTable {
  readonly element: HTMLElement;
  private body = h("div", { class: "rows", role: "rowgroup" });
  private head = h("div", { class: "trace-row head", role: "row" });
  private scroller: HTMLElement;
  private space: HTMLElement;
  private pieces = new Map<number, Promise<api.Step[]>>();
  private ready = new Map<number, api.Step>();
  private lanes: api.Lane[] = [];
  private run: api.Run | null = null;
  private numbers: number[] | null = null; // of the rows; null: all
  private selected = 0;
  difference = 0; // number of the first step that differs; 0: none
  private compact = false; // no lanes

  constructor(
    private app: App,
    label: string,
    private choose: (number: number) => void,
  ) {
    this.space = h("div", { class: "space", role: "presentation" }, this.body);
    this.scroller = h(
      "div",
      {
        class: "trace",
        role: "grid",
        tabindex: 0,
        "aria-label": label,
        onscroll: () => this.scrolled(),
        onkeydown: (e: KeyboardEvent) => this.key(e),
      },
      h("div", { role: "rowgroup", class: "head-group" }, this.head),
      this.space,
    );
    this.element = this.scroller;
    new ResizeObserver(() => this.draw()).observe(this.scroller);
  }

  private beside: TraceTable | null = null;

  /** Without lanes, and with the rows of another table beside its own. */
  pairWith(other: TraceTable | null): void {
    this.beside = other;
    this.compact = other !== null;
    this.scroller.classList.toggle("compact", this.compact);
    this.drawHead();
    this.draw();
  }

  private scrolled(): void {
    this.draw();
    const other = this.beside?.scroller;
    if (other && Math.abs(other.scrollTop - this.scroller.scrollTop) > 1)
      other.scrollTop = this.scroller.scrollTop;
  }

  /** Shows another run. */
  async show(run: api.Run, numbers: number[] | null = null): Promise<void> {
    this.run = run;
    this.numbers = numbers;
    this.pieces.clear();
    this.ready.clear();
    this.difference = 0;
    const { lanes } = await api.ask<{ lanes: api.Lane[] }>(this.app.runPath("lanes", run));
    if (this.run !== run) return;
    this.lanes = lanes.sort((a, b) => a.process - b.process);
    this.drawHead();
    this.draw();
  }

  private rows(): number {
    return this.numbers ? this.numbers.length : (this.run?.length ?? 0);
  }

  private numberAt(row: number): number {
    return this.numbers ? this.numbers[row] : row + 1;
  }

  private rowOf(number: number): number {
    if (!this.numbers) return number - 1;
    let low = 0;
    let high = this.numbers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.numbers[middle] < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Steps from a number on, of the piece that it lies in. */
  piece(number: number): Promise<api.Step[]> {
    const run = this.run!;
    const first = Math.floor((number - 1) / PIECE) * PIECE;
    let found = this.pieces.get(first);
    if (!found) {
      found = api
        .ask<{ steps: api.Step[] }>(
          this.app.runPath("steps" + api.query({ from: first, count: PIECE }), run),
        )
        .then(({ steps }) => {
          if (this.run === run) for (const step of steps) this.ready.set(step.number, step);
          return steps;
        });
      this.pieces.set(first, found);
      found.then(
        () => this.redraw(),
        () => this.pieces.delete(first),
      );
    }
    return found;
  }

  private redraw = later(() => this.draw(), 0);

  private wide(): boolean {
    return !this.compact && this.lanes.length <= LANES_MOST && this.lanes.length > 0;
  }

  private drawHead(): void {
    const lanes = this.wide()
      ? this.lanes.map((l) =>
          h(
            "div",
            { role: "columnheader", class: "lane", title: `${l.process_type}(${l.process})` },
            h("span", { class: "cut" }, this.app.model.net ? "transition" : l.process_type),
            this.app.model.net ? null : `(${l.process})`,
          ),
        )
      : [h("div", { role: "columnheader", class: "lane" }, "step")];
    const columns = this.wide() ? this.lanes.length : 1;
    this.scroller.style.setProperty("--lanes", String(columns));
    fill(
      this.head,
      h("div", { role: "columnheader", class: "number" }, "#"),
      ...lanes,
      h("div", { role: "columnheader", class: "changes" }, "changes"),
    );
  }

  /** Makes the rows that are seen. */
  draw(): void {
    const n = this.rows();
    const top = Math.max(0, Math.floor(this.scroller.scrollTop / ROW) - 4);
    const seen = Math.ceil(this.scroller.clientHeight / ROW) + 8;
    const end = Math.min(n, top + seen);
    this.space.style.height = `${n * ROW}px`;
    this.body.style.transform = `translateY(${top * ROW}px)`;
    this.scroller.setAttribute("aria-rowcount", String(n + 1));
    const rows: Child[] = [];
    for (let row = top; row < end; row++) rows.push(this.row(row));
    fill(this.body, ...rows);
    const chosen = this.body.querySelector('[aria-selected="true"]');
    if (chosen) this.scroller.setAttribute("aria-activedescendant", chosen.id);
    else this.scroller.removeAttribute("aria-activedescendant");
  }

  private row(row: number): HTMLElement {
    const number = this.numberAt(row);
    const step = this.ready.get(number);
    if (!step) void this.piece(number);
    const loop = this.run!.loop;
    const names = ["trace-row"];
    if (number > this.app.at && this.run === this.app.run) names.push("later");
    if (loop !== null && number > loop) names.push("in-loop");
    if (loop !== null && number === loop + 1) names.push("loop-start");
    if (number === this.difference) names.push("differs");
    if (step?.folded) names.push("folded");
    return h(
      "div",
      {
        role: "row",
        id: `${this.scroller.id || "trace"}-row-${number}`,
        class: names.join(" "),
        "aria-rowindex": row + 2,
        "aria-selected": number === this.selected ? "true" : "false",
        "data-number": number,
        onclick: () => this.choose(number),
      },
      h("div", { role: "gridcell", class: "number" }, number),
      ...this.laneCells(step),
      h("div", { role: "gridcell", class: "changes" }, ...this.changes(step)),
    );
  }

  private laneCells(step: api.Step | undefined): Child[] {
    const words = step ? h("code", { title: step.text }, step.text) : "…";
    if (!this.wide())
      return [
        h(
          "div",
          { role: "gridcell", class: "lane" },
          step && !this.app.model.net && h("span", { class: "who" }, `${step.process_type}(${step.process}) `),
          words,
        ),
      ];
    return this.lanes.map((lane, i) =>
      h(
        "div",
        // The others are empty: there is room, to the right or to the left.
        { role: "gridcell", class: 2 * i < this.lanes.length ? "lane wide" : "lane wide left" },
        step?.process === lane.process || (!step && i === 0) ? words : null,
      ),
    );
  }

  private changes(step: api.Step | undefined): Child[] {
    if (!step) return [];
    const all: Child[] = step.changes.map((c, i) =>
      h(
        "span",
        { class: "change" },
        i ? ", " : "",
        c.name,
        c.before === "" ? " starts" : c.after === "" ? " ends" : ` = ${c.after}`,
      ),
    );
    if (step.output) all.push(h("samp", { class: "output" }, step.output.trimEnd()));
    return all;
  }

  /** Marks the step that was made last, and brings it into sight. */
  select(number: number): void {
    this.selected = number;
    const row = this.rowOf(Math.max(1, number));
    const y = row * ROW;
    const { scrollTop, clientHeight } = this.scroller;
    if (y < scrollTop || y > scrollTop + clientHeight - 3 * ROW)
      this.scroller.scrollTop = y - clientHeight / 2;
    this.draw();
  }

  private key(e: KeyboardEvent): void {
    const row = this.selected ? this.rowOf(this.selected) : -1;
    const page = Math.max(1, Math.floor(this.scroller.clientHeight / ROW) - 2);
    const to: Record<string, number> = {
      ArrowDown: row + 1,
      ArrowUp: row - 1,
      PageDown: row + page,
      PageUp: row - page,
      Home: 0,
      End: this.rows() - 1,
    };
    if (!(e.key in to)) return;
    e.preventDefault();
    e.stopPropagation();
    const next = Math.max(-1, Math.min(this.rows() - 1, to[e.key]));
    this.choose(next < 0 ? 0 : this.numberAt(next));
  }
}

export class TraceView {
  readonly element: HTMLElement;
  private table: TraceTable;
  private other: TraceTable;
  private pair: HTMLElement;
  private runs = h("select", { "aria-label": "Run", id: "runs" });
  private compared = h("select", { "aria-label": "Compare with", id: "compare" });
  private only = h("input", {
    type: "text",
    placeholder: "P(1), x, q",
    "aria-label": "Show only steps of these processes, variables and channels",
    id: "only",
    spellcheck: "false",
  });
  private where = h("input", {
    type: "text",
    placeholder: "x == 3",
    "aria-label": "Find the first step after which this is true",
    id: "find",
    spellcheck: "false",
  });
  private matters: HTMLButtonElement;
  private said = h("span", { class: "quiet", role: "status", id: "trace-said" });
  private folding = false;
  private ask = newest();
  private askOther = newest();

  constructor(private app: App) {
    this.table = new TraceTable(app, "Steps of the run", (number) => this.goTo(number));
    this.other = new TraceTable(app, "Steps of the other run", () => undefined);
    this.table.element.id = "trace";
    this.other.element.id = "other";
    this.pair = h("div", { class: "pair" }, this.table.element);
    this.matters = button("What matters", () => this.fold(), {
      "aria-pressed": "false",
      title: "Fold the steps that do not matter (check with “explain”)",
      id: "matters",
    });
    this.runs.addEventListener("change", () => this.chooseRun());
    this.compared.addEventListener("change", () => void this.compare());
    this.element = h(
      "div",
      { class: "view trace-view" },
      h(
        "div",
        { class: "bar" },
        h("label", {}, "run ", this.runs),
        h("label", {}, "beside ", this.compared),
        h("form", { class: "inline", onsubmit: (e: Event) => this.filter(e) }, h("label", {}, "only ", this.only)),
        h(
          "form",
          { class: "inline", onsubmit: (e: Event) => this.find(e) },
          h("label", {}, "first ", this.where),
          h("button", { type: "submit" }, "Find"),
        ),
        this.matters,
        this.said,
      ),
      this.pair,
    );
    app.on("run", () => void this.onRun());
    app.on("state", () => this.table.select(app.at));
  }

  /** What was hidden has forgotten where it was scrolled to. */
  show(): void {
    if (this.app.run) this.table.select(this.app.at);
  }

  private goTo(number: number): void {
    void this.app.work(() => this.app.goTo(number));
  }

  private async onRun(): Promise<void> {
    const { app } = this;
    fill(
      this.runs,
      ...app.runs.map((r) =>
        h("option", { value: r.run.id, selected: r.run.id === app.run.id }, r.label),
      ),
    );
    fill(
      this.compared,
      h("option", { value: "" }, "nothing"),
      ...app.runs
        .filter((r) => r.run.id !== app.run.id)
        .map((r) => h("option", { value: r.run.id }, r.label)),
    );
    this.matters.disabled = !app.run.explained;
    if (!app.run.explained) this.setFolding(false);
    this.alone();
    await this.fillTable();
  }

  private alone(): void {
    this.askOther();
    this.pair.replaceChildren(this.table.element);
    this.table.difference = 0;
    this.table.pairWith(null);
  }

  private setFolding(on: boolean): void {
    this.folding = on;
    this.matters.setAttribute("aria-pressed", String(on));
  }

  private async chosenNumbers(): Promise<number[] | null> {
    const only = this.only.value.trim();
    if (!only && !this.folding) return null;
    const path = only
      ? "select" + api.query({ only: only.replace(/\s*,\s*/g, ",") })
      : "matters";
    try {
      const { numbers } = await api.ask<{ numbers: number[] }>(this.app.runPath(path));
      this.said.textContent = `${numbers.length} of ${this.app.run.length} steps`;
      return numbers;
    } catch (error) {
      this.app.say(error instanceof Error ? error.message : String(error));
      return null;
    }
  }

  /** Shows the run as it is now: its rows may come when it is another one. */
  private async fillTable(): Promise<void> {
    const wanted = this.ask();
    const numbers = await this.chosenNumbers();
    if (!wanted()) return;
    await this.table.show(this.app.run, numbers);
    if (wanted()) this.table.select(this.app.at);
  }

  private async refresh(): Promise<void> {
    this.said.textContent = "";
    await this.fillTable();
  }

  private filter(e: Event): void {
    e.preventDefault();
    this.setFolding(false);
    void this.refresh();
  }

  private fold(): void {
    this.setFolding(!this.folding);
    this.only.value = "";
    void this.refresh();
  }

  private find(e: Event): void {
    e.preventDefault();
    const expression = this.where.value.trim();
    if (!expression) return;
    void this.app.work(async () => {
      const ask = (from: number) =>
        api.ask<{ at: number | null }>(this.app.runPath("find" + api.query({ expression, from })));
      let { at } = await ask(0);
      // Found before: the next one.
      if (at !== null && at === this.app.at) at = (await ask(at + 1)).at ?? at;
      this.said.textContent = at === null ? "nowhere in this run" : `after ${at} steps`;
      if (at !== null) await this.app.goTo(at);
    });
  }

  private chooseRun(): void {
    const entry = this.app.runs.find((r) => r.run.id === this.runs.value);
    if (entry) void this.app.work(() => this.app.open(entry.run));
  }

  /** Another run beside this one, and the first step in which they differ. */
  private async compare(): Promise<void> {
    const entry = this.app.runs.find((r) => r.run.id === this.compared.value);
    const wanted = this.askOther();
    this.said.textContent = "";
    if (!entry) return this.alone();
    this.pair.replaceChildren(this.table.element, this.other.element);
    this.table.pairWith(this.other);
    this.other.pairWith(this.table);
    await this.other.show(entry.run);
    const number = await this.firstDifference(entry.run);
    if (!wanted()) return;
    this.table.difference = this.other.difference = number;
    this.said.textContent = number
      ? `they differ first in step ${number}`
      : "they have the same steps";
    if (number) {
      this.table.select(Math.min(number, this.app.run.length));
      this.other.select(Math.min(number, entry.run.length));
    }
  }

  private async firstDifference(other: api.Run): Promise<number> {
    const both = Math.min(this.app.run.length, other.length);
    for (let first = 1; first <= both; first += PIECE) {
      const [a, b] = await Promise.all([this.table.piece(first), this.other.piece(first)]);
      for (let i = 0; i < Math.min(a.length, b.length); i++)
        if (
          a[i].process !== b[i].process ||
          a[i].text !== b[i].text ||
          JSON.stringify(a[i].changes) !== JSON.stringify(b[i].changes)
        )
          return first + i;
    }
    return this.app.run.length === other.length ? 0 : both + 1;
  }
}
