// Properties: their verdicts, what they are worth here, and the runs that show
// them; formulas that somebody enters; the check itself with its figures.

import * as api from "./api";
import type { App, Asked } from "./app";
import { button, bytes, count, fill, h, type Child } from "./dom";

const KINDS: [Asked["kind"], string][] = [
  ["ltl", "LTL: of every run"],
  ["ctl", "CTL"],
  ["invariants", "invariant: in every state"],
  ["reach", "reach: in some state"],
];

interface Row {
  name: string;
  kind: string;
  formula?: string | null;
  place?: api.Place;
  report?: api.ReportRow;
  index: number; // in the report
}

/** What can be asked of a single state: a formula without what is about runs. */
function ofState(formula: string): string {
  return formula.replace(/^\s*(\[\]|<>|always|eventually|AG|EF|AF|EG|G\b|F\b|\s)+/, "");
}

/** Two digits, as nobody knows better. */
function about(n: number): string {
  return count(Number(n.toPrecision(2)));
}

export class PropertiesView {
  readonly element: HTMLElement;
  private rows = h("tbody");
  private figures = h("div", { class: "figures", id: "figures", role: "status" });
  private kind = h(
    "select",
    { "aria-label": "Kind of formula", id: "kind" },
    ...KINDS.map(([value, words]) => h("option", { value }, words)),
  );
  private formula = h("input", {
    type: "text",
    placeholder: "[] (x < 3)",
    "aria-label": "Formula",
    id: "formula",
    spellcheck: "false",
  });
  private check: HTMLButtonElement;
  private cancel: HTMLButtonElement;
  private verdict = h("span", { class: "verdict", id: "verdict", role: "status" });
  private worth = new Map<string, string>();

  constructor(
    private app: App,
    private goTo: (p: api.Place) => void,
    private shown: () => void,
  ) {
    this.check = button("Check", () => void app.work(() => app.startCheck()), {
      title: "Check all properties (c)",
      class: "main",
      id: "check",
    });
    this.cancel = button("Cancel", () => void app.cancel(), { title: "End the check (Esc)", id: "cancel" });
    this.element = h(
      "section",
      { class: "pane properties", "aria-label": "Properties" },
      h("div", { class: "bar" }, this.check, this.cancel, this.verdict, ...this.choices()),
      this.figures,
      h(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": "All properties" },
        h(
          "table",
          { class: "plain", id: "properties" },
          h(
            "thead",
            {},
            h("tr", {}, ...["property", "verdict", "here", "runs"].map((w) => h("th", { scope: "col" }, w))),
          ),
          this.rows,
        ),
      ),
      h(
        "form",
        { class: "bar", onsubmit: (e: Event) => this.add(e) },
        this.kind,
        this.formula,
        h("button", { type: "submit", id: "add" }, "Add"),
      ),
    );
    for (const event of ["model", "check"] as const) app.on(event, () => this.show());
    app.on("state", () => void this.evaluate());
    app.on("check", () => {
      if (app.check) void this.evaluate();
    });
  }

  private choices(): Child[] {
    const { options } = this.app;
    const flag = (
      name: "coverage" | "explain" | "shortest" | "all_errors",
      tip: string,
      words: string = name,
    ) => {
      const box = h("input", { type: "checkbox", id: `option-${name}` });
      box.checked = options[name];
      box.addEventListener("change", () => (options[name] = box.checked));
      return h("label", { title: tip }, box, ` ${words}`);
    };
    const fair = h(
      "select",
      { "aria-label": "Fairness", id: "fair" },
      ...["none", "weak", "strong"].map((w) => h("option", { value: w }, w)),
    );
    fair.addEventListener("change", () => (options.fair = fair.value));
    const seconds = h("input", { type: "number", min: 1, value: options.seconds, "aria-label": "Seconds", id: "seconds" });
    seconds.addEventListener("change", () => (options.seconds = Number(seconds.value) || 60));
    return [
      flag("coverage", "Count how often each statement is executed"),
      flag("shortest", "Find shortest counterexamples"),
      flag("explain", "Fold what does not matter in counterexamples"),
      flag("all_errors", "Go on after the first error, until all is known", "all errors"),
      h("label", {}, "fair ", fair),
      h("label", {}, seconds, " s"),
    ];
  }

  private add(e: Event): void {
    e.preventDefault();
    const formula = this.formula.value.trim();
    const kind = this.kind.value as Asked["kind"];
    if (!formula || this.app.asked.some((a) => a.kind === kind && a.formula === formula)) return;
    this.app.asked.push({ kind, formula });
    this.formula.value = "";
    this.show();
    void this.app.work(() => this.app.startCheck());
  }

  private forget(asked: Asked): void {
    const { app } = this;
    app.asked = app.asked.filter((a) => a !== asked);
    if (app.check?.report)
      app.check.report.properties.forEach((r) => {
        if (r.formula === asked.formula && !app.model.properties.some((q) => q.name === r.name)) r.forgotten = true;
      });
    this.show();
  }

  private list(): Row[] {
    const { app } = this;
    const report = app.check?.report;
    const place = (name: string) => app.model.properties.find((q) => q.name === name);
    if (report)
      return report.properties
        .map((r, index) => ({
          name: r.name,
          kind: r.kind,
          formula: r.formula,
          place: place(r.name),
          report: r,
          index,
        }))
        .filter((row) => !row.report.forgotten);
    const own = app.model.properties.map((q) => ({ ...q, place: q, index: -1 }));
    const asked = app.asked.map((a) => ({
      name: a.kind === "invariants" ? "invariant" : a.kind,
      kind: a.kind,
      formula: a.formula,
      index: -1,
    }));
    return [...own, ...asked];
  }

  private show(): void {
    const { app } = this;
    this.check.disabled = app.checking || !app.model.good;
    this.cancel.disabled = !app.checking;
    const report = app.check?.report;
    const verdict = app.checking ? "checking" : (report?.verdict ?? "");
    this.verdict.textContent = verdict;
    this.verdict.dataset.check = app.check?.id ?? "";
    this.verdict.className = `verdict ${verdict}`;
    this.showFigures();
    fill(this.rows, ...this.list().flatMap((row) => [this.row(row), this.tree(row)]));
  }

  private showFigures(): void {
    const { app } = this;
    const p = app.check ?? app.progress;
    if (!p || (!app.checking && !app.check)) return fill(this.figures);
    const report = app.check?.report;
    const facts: [string, string][] = [
      ["states", count(report?.states ?? p.states)],
      ["transitions", count(report?.transitions ?? p.transitions)],
      ["memory", bytes(report?.memory_bytes ?? p.memory_bytes)],
      ["depth", count(report?.depth ?? p.depth)],
      ["seconds", (report?.seconds ?? p.seconds).toFixed(2)],
    ];
    if (app.checking) facts.push(["states a second", count(Math.round(p.states_per_second))]);
    if (app.checking && p.expected) {
      const { states, seconds, memory_bytes } = p.expected;
      facts.push(
        ["states expected", `${about(states[0])} to ${about(states[2])}`],
        ["seconds expected", `${about(seconds[0])} to ${about(seconds[2])}`],
        ["memory expected", `${bytes(memory_bytes[0])} to ${bytes(memory_bytes[2])}`],
      );
    }
    fill(
      this.figures,
      ...facts.map(([name, value]) => h("span", {}, h("b", {}, value), " ", name)),
      report?.reason && h("span", { class: "unknown" }, report.reason),
    );
  }

  /** What shows a formula of branching time: a run, and runs that leave it. */
  private tree(row: Row): Child {
    const r = row.report;
    if (!r?.branches?.length) return null;
    const below = (parent: number): Child => {
      const own = r.branches!.map((b, i) => ({ b, k: i + 1 })).filter(({ b }) => b.parent === parent);
      if (!own.length) return null;
      return h(
        "ul",
        {},
        ...own.map(({ b, k }) =>
          h(
            "li",
            {},
            `after step ${b.from_step}: `,
            h("code", {}, b.formula),
            b.message ? ` (${b.message}) ` : " ",
            this.runButton(row, k, "Show"),
            below(k),
          ),
        ),
      );
    };
    return h(
      "tr",
      { class: "tree" },
      h(
        "td",
        { colspan: 4 },
        h("ul", {}, h("li", {}, "the run shows ", h("code", {}, r.shows ?? ""), below(0))),
      ),
    );
  }

  private runButton(row: Row, k: number, words: string): HTMLButtonElement {
    return button(words, () => this.openRun(row, k), {
      class: "small",
      "data-property": row.name,
      "data-run": k,
      "aria-label": `Show ${row.name}${k ? `, branch ${k}` : ""}`,
    });
  }

  private row(row: Row): HTMLElement {
    const r = row.report;
    const branches = r?.branches?.length ?? 0;
    const runs = (r?.runs ?? [])
      .slice(0, branches ? 1 : undefined)
      .map((name, k) => this.runButton(row, k, k ? (name ?? `run ${k + 1}`) : "Show"));
    const asked = this.app.asked.find(
      (a) => a.formula === row.formula && !row.place && a.kind.replace(/s$/, "") === row.kind.replace(/s$/, ""),
    );
    const said = r?.reason ?? (r?.verdict === "violated" ? r.message : null);
    return h(
      "tr",
      { "data-name": row.name },
      h(
        "th",
        { scope: "row" },
        row.place?.line
          ? button(row.name, () => this.goTo(row.place!), { class: "link" })
          : row.name,
        asked &&
          button("✕", () => this.forget(asked), {
            class: "small forget",
            "aria-label": `Forget ${asked.formula}`,
            title: "Do not check this any more",
          }),
        row.formula && h("code", { class: "formula" }, row.formula),
      ),
      h(
        "td",
        { class: r?.verdict ?? "" },
        r?.verdict ?? "",
        said && h("div", { class: "quiet" }, said),
      ),
      h("td", { class: "here" }, this.worth.get(row.formula ?? "") ?? ""),
      h("td", {}, h("div", { class: "runs" }, ...runs)),
    );
  }

  private openRun(row: Row, trace: number): void {
    const { app } = this;
    void app.work(async () => {
      await app.start(
        { check: app.check!.id, property: row.index, trace_number: trace },
        trace ? `${row.name}, branch ${trace}` : row.name,
      );
      this.shown();
    });
  }

  /** What the formulas are worth where one is, as far as a state can tell. */
  private async evaluate(): Promise<void> {
    const { app } = this;
    if (!app.model.good || !app.run) return;
    const formulas = [...new Set(this.list().flatMap((r) => (r.formula ? [r.formula] : [])))];
    if (!formulas.length || !app.state.rests) {
      this.worth.clear();
    } else {
      const { run, at } = app;
      const { values } = await api.ask<{ values: { value?: number }[] }>(app.runPath("evaluate"), {
        at,
        expressions: formulas.map(ofState),
      });
      if (app.run !== run || app.at !== at) return;
      this.worth = new Map(
        formulas.map((f, i) => {
          const v = values[i].value;
          const part = ofState(f).trim() === f.trim() ? "" : `${ofState(f).trim()}: `;
          return [f, v === undefined ? "" : `${part.length > 30 ? "inside: " : part}${v ? "true" : "false"}`];
        }),
      );
    }
    fill(this.rows, ...this.list().flatMap((row) => [this.row(row), this.tree(row)]));
  }
}
