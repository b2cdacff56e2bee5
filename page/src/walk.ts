// Where one is: what can happen, what cannot and why, and all values.

import * as api from "./api";
import type { App } from "./app";
import { button, fill, h, newest, plural, type Child } from "./dom";

const UNTIL_MOST = 10000; // steps by chance

function placeOf(p: api.Place): string {
  return p.line ? `line ${p.line}` : "";
}

export class WalkView {
  readonly element: HTMLElement;
  private head = h("div", { class: "where" });
  private moves = h("div", { class: "moves" });
  private blocked = h("div", { class: "blocked" });
  private values = h("div", { class: "values" });
  private watches = h("div", { class: "watches" });
  private expressions: string[] = [];
  private ask = newest();
  private steps = h("input", {
    type: "number",
    min: "1",
    max: "1000000",
    value: "20",
    "aria-label": "Steps of the random walk",
    id: "steps",
  });
  private until = h("input", {
    type: "text",
    placeholder: "x == 3",
    "aria-label": "Run until this expression is true",
    id: "until",
    spellcheck: "false",
  });
  private watch = h("input", {
    type: "text",
    placeholder: "x + y",
    "aria-label": "Expression to watch",
    id: "watch",
    spellcheck: "false",
  });

  constructor(
    private app: App,
    private goTo: (p: api.Place) => void,
  ) {
    const work = (job: () => Promise<unknown>) => () => void app.work(job);
    this.element = h(
      "section",
      { class: "pane walk", "aria-label": "Walk" },
      h(
        "div",
        { class: "bar" },
        button("«", work(() => app.goTo(0)), { title: "First state (Home)", "aria-label": "First state" }),
        button("Undo", work(() => app.back()), { title: "One step back (u or ←)", id: "undo" }),
        button("Redo", work(() => app.forward()), { title: "One step on (r or →)", id: "redo" }),
        button("»", work(() => app.goTo(app.run.length)), { title: "Last state (End)", "aria-label": "Last state" }),
      ),
      this.head,
      h(
        "form",
        { class: "bar", onsubmit: (e: Event) => this.random(e) },
        button("Random", () => this.walkRandomly(), { title: "Go on by chance (x)", id: "random" }),
        this.steps,
        h("span", {}, "steps"),
      ),
      h(
        "form",
        { class: "bar", onsubmit: (e: Event) => this.runUntil(e) },
        h("span", {}, "until"),
        this.until,
        h("button", { type: "submit", id: "run-until", title: "Go on by chance until it is true (Enter)" }, "Run"),
        button("Shortest", () => this.goShortest(), {
          title: "A shortest way to where it is true, by a search (Shift+Enter)",
          id: "run-shortest",
        }),
      ),
      h("h2", {}, "Can happen"),
      this.moves,
      h("h2", {}, "Cannot happen, and why"),
      this.blocked,
      h("h2", {}, "Values"),
      this.values,
      h(
        "form",
        { class: "bar", onsubmit: (e: Event) => this.addWatch(e) },
        this.watch,
        h("button", { type: "submit" }, "Watch"),
      ),
      this.watches,
    );
    this.until.addEventListener("keydown", (e) => {
      if (e.key !== "Enter" || !e.shiftKey) return;
      e.preventDefault();
      this.goShortest();
    });
    app.on("state", () => this.show());
    app.on("model", () => {
      if (!app.model.good) this.clear();
    });
  }

  private clear(): void {
    for (const e of [this.head, this.moves, this.blocked, this.values, this.watches]) fill(e);
  }

  private walkRandomly(): void {
    void this.app.work(() => this.app.random(Number(this.steps.value) || 1));
  }

  private random(e: Event): void {
    e.preventDefault();
    this.walkRandomly();
  }

  private runUntil(e: Event): void {
    e.preventDefault();
    const until = this.until.value.trim();
    if (!until) return this.until.focus();
    void this.app.work(async () => {
      const reached = await this.app.random(UNTIL_MOST, until);
      this.app.say(reached ? "" : `${until} did not become true on this way.`);
    });
  }

  private goShortest(): void {
    const until = this.until.value.trim();
    if (!until) return this.until.focus();
    void this.app.work(async () => {
      const why = await this.app.reach(until);
      this.app.say(why ? `${until}: ${why}` : "");
    });
  }

  private addWatch(e: Event): void {
    e.preventDefault();
    const expression = this.watch.value.trim();
    if (!expression || this.expressions.includes(expression)) return;
    this.expressions.push(expression);
    this.watch.value = "";
    void this.showWatches();
  }

  private async showWatches(): Promise<void> {
    const { app } = this;
    const wanted = this.ask();
    if (!this.expressions.length) return fill(this.watches);
    const { values } = await api.ask<{ values: { value?: number; problem?: string }[] }>(
      app.runPath("evaluate"),
      { at: app.at, expressions: this.expressions },
    );
    if (!wanted()) return;
    fill(
      this.watches,
      h(
        "table",
        { class: "plain" },
        h(
          "tbody",
          {},
          ...this.expressions.map((expression, i) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, expression),
              h("td", {}, values[i].value ?? values[i].problem),
              h(
                "td",
                {},
                button("✕", () => {
                  this.expressions.splice(i, 1);
                  void this.showWatches();
                }, { "aria-label": `Forget ${expression}`, class: "small" }),
              ),
            ),
          ),
        ),
      ),
    );
  }

  private show(): void {
    const { app } = this;
    const { state, run } = app;
    const ending = app.at === run.length && run.ending ? run.ending : "";
    fill(
      this.head,
      h("strong", { id: "position" }, `after ${plural(app.at, "step")}`),
      ` of ${run.length} `,
      state.name &&
        h("code", { class: "name", title: `The state ${state.name}`, id: "state-name" }, state.name.slice(0, 12)),
      run.loop !== null && app.at >= run.loop && h("span", { class: "chip loop" }, "in the loop"),
      !app.inAddress &&
        h("div", { class: "quiet", id: "no-address" }, "The address bar does not hold so many steps; Share makes an address that does."),
      ending && h("div", { class: `ending ${run.verdict === "unknown" ? "quiet" : run.verdict}`, id: "ending" }, ending),
    );
    fill(this.moves, ...this.moveRows());
    fill(this.blocked, ...this.blockedRows());
    fill(this.values, this.valueTable());
    void this.showWatches();
  }

  private moveRows(): Child[] {
    const { state } = this.app;
    if (!state.rests)
      return [h("p", { class: "quiet" }, "Inside of an atomic sequence: undo or redo.")];
    if (!state.moves.length) return [h("p", { class: "quiet" }, "Nothing.")];
    const rows: Child[] = [];
    let last = -1;
    for (const move of state.moves) {
      if (move.process !== last && !this.app.model.net)
        rows.push(h("h3", {}, `${move.process_type}(${move.process})`));
      last = move.process;
      const key = move.choice < 9 ? String(move.choice + 1) : "";
      rows.push(
        h(
          "div",
          { class: "move" },
          button(
            h("span", {}, h("kbd", {}, key), " ", h("code", {}, move.text)),
            () => void this.app.work(() => this.app.take(move.choice)),
            { class: "take", "data-choice": move.choice, title: move.fault },
          ),
          move.fault && h("span", { class: "violated" }, move.fault),
          this.placeButton(move),
        ),
      );
    }
    return rows;
  }

  private placeButton(p: api.Place): Child {
    if (!p.line) return null;
    return button(placeOf(p), () => this.goTo(p), { class: "link" });
  }

  private blockedRows(): Child[] {
    const { blocked } = this.app.state;
    if (!blocked.length) return [h("p", { class: "quiet" }, "Nothing else is there.")];
    return blocked.map((b) =>
      h(
        "div",
        { class: "reason" },
        !this.app.model.net && h("span", { class: "who" }, `${b.process_type}(${b.process}) `),
        h("code", {}, b.text),
        " ",
        h("span", { class: "because" }, b.because || b.why),
        " ",
        this.placeButton(b),
      ),
    );
  }

  private valueTable(): HTMLElement {
    const { state, before } = this.app;
    const old = new Map((before?.values ?? []).map((v) => [v.type + v.name, v.value]));
    const channels = new Set(state.values.filter((v) => v.type === "channel").map((v) => v.name));
    const shown = state.values.filter((v) => v.type !== "chan" || !channels.has(v.name));
    const rows = shown.map((v) => {
      const was = old.get(v.type + v.name);
      const changed = before !== null && was !== v.value;
      return h(
        "tr",
        { class: changed ? "changed" : null, "data-name": v.name, "data-type": v.type },
        h("th", { scope: "row" }, v.name),
        h("td", { class: "value" }, v.value),
        h("td", { class: "quiet" }, changed && was !== undefined ? `was ${was}` : v.type),
      );
    });
    const places = (this.app.model.net ? [] : state.processes).map((p) =>
      h(
        "tr",
        { class: "process" },
        h("th", { scope: "row" }, `${p.process_type}(${p.process})`),
        h("td", { colspan: 2 }, p.label ? `${p.label}, ` : "", placeOf(p) || `location ${p.location}`, p.end ? " (valid end)" : ""),
      ),
    );
    return h("table", { class: "plain", id: "values" }, h("tbody", {}, ...rows, ...places));
  }
}
