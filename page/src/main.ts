// The page: a bar, the source with the properties, the views of a run, and where
// one is.

import * as api from "./api";
import { readAddress } from "./address";
import { App } from "./app";
import { AutomataView } from "./automata";
import { ChartView } from "./chart";
import { button, fill, h } from "./dom";
import { GraphView } from "./graph";
import { GrowthView } from "./growth";
import type { Frame } from "./picture";
import { PropertiesView } from "./properties";
import { exportMenu, openButton, shareButton } from "./share";
import { SourceView } from "./source";
import { TraceView } from "./trace";
import { WalkView } from "./walk";

interface View {
  element: HTMLElement;
  visible?: boolean;
  frame?: Frame;
  show?: () => void | Promise<void>;
}

const KEYS: [string, string][] = [
  ["1 … 9", "make this step"],
  ["u or ←", "one step back"],
  ["r or →", "one step on; round a loop"],
  ["Home, End", "first and last state of the run"],
  ["x", "go on by chance"],
  ["w", "say until what is to be true, then Enter, or Shift+Enter for a shortest way"],
  ["g", "grow the graph of states here"],
  ["c", "check"],
  ["Esc", "end the check"],
  ["/", "find the first step where something is true"],
  ["b", "the trace above a drawing, or not"],
  ["[ and ]", "view to the left, to the right"],
  ["?", "this help"],
];

function theme(): HTMLElement {
  const words = { auto: "Auto", light: "Light", dark: "Dark" } as const;
  type Theme = keyof typeof words;
  const order: Theme[] = ["auto", "light", "dark"];
  let now = (localStorage.getItem("nutshell-theme") as Theme) || "auto";
  if (!order.includes(now)) now = "auto";
  const system = matchMedia("(prefers-color-scheme: dark)");
  const set = () => {
    document.documentElement.dataset.theme = now === "auto" ? (system.matches ? "dark" : "light") : now;
    toggle.textContent = words[now];
    localStorage.setItem("nutshell-theme", now);
    window.dispatchEvent(new Event("theme"));
  };
  const toggle = button("", () => {
    now = order[(order.indexOf(now) + 1) % order.length];
    set();
  }, { title: "Colours: as the system, light, dark", id: "theme", "aria-label": "Colours" });
  system.addEventListener("change", set);
  set();
  return toggle;
}

function help(): HTMLDialogElement {
  const dialog = h(
    "dialog",
    { id: "help", "aria-labelledby": "help-title" },
    h("h2", { id: "help-title" }, "Keys"),
    h(
      "table",
      { class: "plain" },
      h("tbody", {}, ...KEYS.map(([key, what]) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, key)), h("td", {}, what)))),
    ),
    button("Close", () => dialog.close()),
  );
  return dialog;
}

class Tabs {
  readonly element: HTMLElement;
  private buttons = new Map<string, HTMLButtonElement>();
  private panels = new Map<string, HTMLElement>();
  private split: boolean; // the trace stands above drawings
  private splitter: HTMLButtonElement;

  constructor(
    private app: App,
    private views: [string, string, View][],
  ) {
    const list = h("div", { class: "tabs", role: "tablist", "aria-label": "Views" });
    this.split = (localStorage.getItem("nutshell-split") ?? String(window.innerHeight >= 1000)) === "true";
    this.splitter = button("With trace", () => this.toggleSplit(), {
      title: "The trace above the drawing (b)",
      id: "split",
      class: "small",
    });
    this.element = h(
      "section",
      { class: "pane views", "aria-label": "Views of the run" },
      h("div", { class: "tab-bar" }, list, this.splitter),
    );
    for (const [id, words, view] of views) {
      const tab = button(words, () => this.choose(id), {
        role: "tab",
        id: `tab-${id}`,
        "aria-controls": `panel-${id}`,
      });
      const panel = h("div", { role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}`, class: "panel" }, view.element);
      list.append(tab);
      this.buttons.set(id, tab);
      this.panels.set(id, panel);
      this.element.append(panel);
    }
    list.addEventListener("keydown", (e) => {
      const step = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
      if (!step) return;
      e.stopPropagation();
      this.move(step);
      this.buttons.get(this.app.tab)!.focus();
    });
  }

  rename(id: string, words: string): void {
    this.buttons.get(id)!.textContent = words;
  }

  move(step: number): void {
    const ids = this.views.map(([id]) => id);
    this.choose(ids[(ids.indexOf(this.app.tab) + step + ids.length) % ids.length]);
  }

  toggleSplit(): void {
    this.split = !this.split;
    localStorage.setItem("nutshell-split", String(this.split));
    this.choose(this.app.tab);
  }

  choose(id: string): void {
    if (!this.buttons.has(id)) id = "trace";
    this.app.tab = id;
    const both = this.split && id !== "trace" && id !== "growth";
    this.splitter.hidden = id === "trace" || id === "growth";
    this.splitter.setAttribute("aria-pressed", String(this.split));
    for (const [name, , view] of this.views) {
      const on = name === id || (both && name === "trace");
      this.buttons.get(name)!.setAttribute("aria-selected", String(name === id));
      this.buttons.get(name)!.tabIndex = name === id ? 0 : -1;
      this.panels.get(name)!.hidden = !on;
      if ("visible" in view) view.visible = on;
    }
    for (const [name, , view] of this.views) {
      if (!this.panels.get(name)!.hidden && this.app.model?.good)
        Promise.resolve(view.show?.()).catch((error: Error) => this.app.say(error.message));
    }
    if (this.app.run) this.app.updateAddress();
  }

  frame(): { frame: Frame; name: string } | null {
    const found = this.views.find(([id]) => id === this.app.tab);
    return found?.[2].frame ? { frame: found[2].frame, name: found[0] } : null;
  }
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest("input:not([type=checkbox]), select, textarea, .cm-editor, dialog[open]") !== null
  );
}

function keys(app: App, tabs: Tabs, graph: GraphView, dialog: HTMLDialogElement): void {
  const work = (job: () => Promise<unknown>) => void app.work(job);
  const actions: Record<string, () => void> = {
    u: () => work(() => app.back()),
    ArrowLeft: () => work(() => app.back()),
    r: () => work(() => app.forward()),
    ArrowRight: () => work(() => app.forward()),
    Home: () => work(() => app.goTo(0)),
    End: () => work(() => app.goTo(app.run.length)),
    x: () => work(() => app.random(Number(document.querySelector<HTMLInputElement>("#steps")!.value) || 1)),
    w: () => document.querySelector<HTMLInputElement>("#until")!.focus(),
    c: () => work(() => app.startCheck()),
    g: () => {
      tabs.choose("graph");
      work(() => graph.grow(app.state.name));
    },
    Escape: () => void app.cancel(),
    "/": () => {
      tabs.choose("trace");
      document.querySelector<HTMLInputElement>("#find")!.focus();
    },
    b: () => tabs.toggleSplit(),
    "[": () => tabs.move(-1),
    "]": () => tabs.move(1),
    "?": () => dialog.showModal(),
  };
  document.addEventListener("keydown", (e) => {
    if (e.defaultPrevented || e.ctrlKey || e.altKey || e.metaKey || isTyping(e.target)) return;
    if (!app.model?.good || !app.run) return;
    const choice = /^[1-9]$/.test(e.key) ? Number(e.key) - 1 : -1;
    if (choice >= 0) {
      work(async () => {
        if (app.state.moves[choice]) await app.take(choice);
      });
    } else if (actions[e.key]) actions[e.key]();
    else return;
    e.preventDefault();
  });
}

function build(app: App): Tabs {
  const source = new SourceView(app);
  const goTo = (p: api.Place) => source.goTo(p);
  const graph = new GraphView(app);
  const tabs = new Tabs(app, [
    ["trace", "Trace", new TraceView(app)],
    ["chart", "Chart", new ChartView(app)],
    ["graph", "States", graph],
    ["automata", "Processes", new AutomataView(app)],
    ["growth", "Growth", new GrowthView(app)],
  ]);
  const properties = new PropertiesView(app, goTo, () => undefined);
  const walk = new WalkView(app, goTo);
  const problem = h("div", { class: "problem", role: "alert", id: "problem", hidden: true });
  const file = h("span", { class: "file" });
  const dialog = help();
  app.on("problem", () => {
    problem.hidden = !app.problem;
    fill(problem, h("span", {}, app.problem), button("✕", () => app.say(""), { "aria-label": "Close", class: "small" }));
  });
  app.on("model", () => {
    tabs.rename("automata", app.model.drawn === "net" ? "Net" : "Processes");
    file.textContent = app.model.file;
    document.title = `${app.model.file.replace(/^.*\//, "")} – Nutshell`;
    if (!app.model.good) {
      const first = app.model.diagnostics.find((d) => d.severity === "error");
      app.say(first ? `${first.line ? `line ${first.line}: ` : ""}${first.message}` : "The model cannot be used.");
    }
  });
  fill(
    document.body,
    h(
      "header",
      { class: "bar top" },
      h("h1", {}, "Nutshell"),
      file,
      h("span", { class: "grow" }),
      openButton(app),
      exportMenu(app, () => tabs.frame()),
      shareButton(app),
      theme(),
      button("?", () => dialog.showModal(), { title: "Keys (?)", "aria-label": "Help", id: "help-button" }),
    ),
    h("main", {}, h("div", { class: "left" }, source.element, properties.element), tabs.element, walk.element),
    problem,
    dialog,
  );
  keys(app, tabs, graph, dialog);
  return tabs;
}

function askForToken(start: () => void): void {
  const input = h("input", { type: "text", id: "token", "aria-label": "Token or address", size: 60 });
  fill(
    document.body,
    h(
      "main",
      { class: "token" },
      h("h1", {}, "Nutshell"),
      h("p", {}, "Please open the address that nutshell explore has printed, or enter it here."),
      h(
        "form",
        {
          onsubmit: (e: Event) => {
            e.preventDefault();
            const found = /[0-9a-f]{32}\s*$/.exec(input.value);
            if (!found) return;
            api.setToken(found[0].trim());
            start();
          },
        },
        input,
        h("button", { type: "submit" }, "Open"),
      ),
    ),
  );
}

async function start(): Promise<void> {
  const address = readAddress(location.hash);
  const app = new App();
  let model: api.Model;
  try {
    model = await api.ask<api.Model>("model");
  } catch (error) {
    if (error instanceof api.Refused && error.status === 401) return askForToken(() => void start());
    throw error;
  }
  const tabs = build(app);
  await app.work(async () => {
    await app.show(model, address.choices);
    if (address.model && address.model !== model.id && !app.problem)
      app.say("The address was made for another version of this model; its steps were made on this one.");
  });
  tabs.choose(address.tab ?? "trace");
  document.body.dataset.ready = "true";
}

if (api.takeToken()) void start();
else askForToken(() => void start());
