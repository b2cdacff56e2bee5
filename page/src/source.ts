// The texts of the model: read, edited, with what is wrong, how often each line
// was executed, and where the processes are.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import {
  HighlightStyle,
  StreamLanguage,
  bracketMatching,
  syntaxHighlighting,
} from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Range, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  GutterMarker,
  gutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import * as api from "./api";
import type { App } from "./app";
import { button, count, fill, h, later } from "./dom";

const WORDS = new Set(
  ("active proctype init never ltl mtype chan of bit bool byte short int unsigned typedef " +
    "inline atomic d_step if fi do od for select else break goto skip run assert printf " +
    "timeout unless provided priority hidden local show xr xs true false empty full nempty " +
    "nfull len eval process state trans effect guard sync commit assert system async sync " +
    "property channel progress accept const var module main import").split(" "),
);

const language = StreamLanguage.define<{ comment: boolean }>({
  startState: () => ({ comment: false }),
  token(stream, state) {
    if (state.comment) {
      if (stream.match(/.*?\*\//)) state.comment = false;
      else stream.skipToEnd();
      return "comment";
    }
    if (stream.eatSpace()) return null;
    if (stream.match("/*")) {
      state.comment = true;
      return "comment";
    }
    if (stream.match("//") || stream.match(/^#(?=\s)/)) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.sol() && stream.match(/#\w+/)) return "meta";
    if (stream.match(/"(\\.|[^"\\])*"?/)) return "string";
    if (stream.match(/\d+/)) return "number";
    const word = stream.match(/[A-Za-z_]\w*/) as RegExpMatchArray | null;
    if (word) return WORDS.has(word[0]) ? "keyword" : null;
    stream.next();
    return null;
  },
});

const colors = HighlightStyle.define([
  { tag: tags.keyword, class: "t-keyword" },
  { tag: tags.comment, class: "t-comment" },
  { tag: tags.string, class: "t-string" },
  { tag: tags.number, class: "t-number" },
  { tag: tags.meta, class: "t-meta" },
]);

const STEPS_MARKED = 100; // of one atomic sequence

/** What is said of lines, from 1. */
interface Marks {
  classes: Map<number, string[]>;
  statements: { from: number; to: number }[]; // executed last, by characters
  counts: Map<number, number> | null;
  here: Map<number, string[]>; // processes
}

const setMarks = StateEffect.define<Marks>();
const none: Marks = { classes: new Map(), statements: [], counts: null, here: new Map() };

const marks = StateField.define<Marks>({
  create: () => none,
  update(value, change) {
    for (const effect of change.effects)
      if (effect.is(setMarks)) value = effect.value;
    return value;
  },
  provide: (field) =>
    EditorView.decorations.compute([field, "doc"], (state): DecorationSet => {
      const { classes, statements } = state.field(field);
      const found: Range<Decoration>[] = [];
      for (const [line, names] of classes) {
        if (line < 1 || line > state.doc.lines) continue;
        found.push(Decoration.line({ class: names.join(" ") }).range(state.doc.line(line).from));
      }
      for (const { from, to } of statements)
        if (from < to && to <= state.doc.length)
          found.push(Decoration.mark({ class: "statement" }).range(from, to));
      return Decoration.set(found, true);
    }),
});

class Words extends GutterMarker {
  constructor(
    readonly words: string,
    readonly kind: string,
    readonly tip: string,
  ) {
    super();
  }
  eq(other: Words): boolean {
    return other.words === this.words && other.kind === this.kind;
  }
  toDOM(): Node {
    return h("span", { class: this.kind, title: this.tip }, this.words);
  }
}

function short(n: number): string {
  if (n < 1000) return String(n);
  const units = ["k", "M", "G", "T"];
  let i = -1;
  for (; n >= 1000 && i + 1 < units.length; i++) n /= 1000;
  return `${n < 10 ? n.toFixed(1) : Math.round(n)}${units[i]}`;
}

function countsGutter() {
  return gutter({
    class: "counts",
    lineMarker(view, block) {
      const m = view.state.field(marks);
      const line = view.state.doc.lineAt(block.from).number;
      const n = m.counts?.get(line);
      return n === undefined
        ? null
        : new Words(short(n), n ? "some" : "never", `executed ${count(n)} times`);
    },
    lineMarkerChange: () => true,
  });
}

function placesGutter() {
  return gutter({
    class: "places",
    lineMarker(view, block) {
      const line = view.state.doc.lineAt(block.from).number;
      const here = view.state.field(marks).here.get(line);
      return here
        ? new Words(here.map((p) => p.replace(/^.*\(|\)$/g, "")).join(","), "here", here.join(", "))
        : null;
    },
    lineMarkerChange: () => true,
  });
}

export class SourceView {
  readonly element: HTMLElement;
  private view: EditorView;
  private tabs: HTMLElement;
  private saved: HTMLElement;
  private saveButton: HTMLButtonElement;
  private file = 0;
  private texts: string[] = [];
  private edited = false;
  private setting = false;
  private writable = new Compartment();

  constructor(private app: App) {
    const nonce = document.querySelector<HTMLMetaElement>('meta[name="nonce"]')?.content ?? "";
    const host = h("div", { class: "editor" });
    this.tabs = h("div", { class: "files", role: "group", "aria-label": "Files of the model" });
    this.saved = h("span", { class: "quiet", role: "status" });
    this.saveButton = button("Save", () => this.save(), {
      title: "Write the text to the file",
      id: "save",
    });
    this.element = h(
      "section",
      { class: "pane source", "aria-label": "Source" },
      h(
        "div",
        { class: "bar" },
        this.tabs,
        this.saved,
        button("Reload", () => this.reload(), { title: "Read the file again" }),
        this.saveButton,
      ),
      host,
    );
    this.view = new EditorView({
      parent: host,
      state: EditorState.create({
        extensions: [
          EditorView.cspNonce.of(nonce),
          lineNumbers(),
          placesGutter(),
          countsGutter(),
          history(),
          bracketMatching(),
          highlightSelectionMatches(),
          language,
          syntaxHighlighting(colors),
          lintGutter(),
          marks,
          this.writable.of(EditorState.readOnly.of(false)),
          EditorView.contentAttributes.of({ "aria-label": "Text of the model", tabindex: "0" }),
          keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap]),
          EditorView.updateListener.of((u) => {
            if (u.docChanged && !this.setting && this.file === 0) this.typed();
          }),
        ],
      }),
    });
    app.on("model", () => this.onModel());
    app.on("coverage", () => this.mark());
    app.on("state", () => this.mark(true));
  }

  text(): string {
    return this.file === 0 ? this.view.state.doc.toString() : this.texts[0];
  }

  private put(text: string): void {
    if (this.view.state.doc.toString() === text) return;
    this.setting = true;
    this.view.dispatch({
      changes: { from: 0, to: this.view.state.doc.length, insert: text },
    });
    this.setting = false;
  }

  private onModel(): void {
    const model = this.app.model;
    const texts = model.sources.map((s) => s.text ?? "");
    if (!this.edited) this.texts = texts;
    else this.texts = [this.text(), ...texts.slice(1)];
    if (this.file >= this.texts.length) this.file = 0;
    this.showFile(this.file);
    this.saved.textContent = model.saved ? "" : "not saved";
    this.saveButton.disabled = model.saved;
    this.showDiagnostics();
  }

  private showFile(index: number): void {
    if (this.file === 0) this.texts[0] = this.edited ? this.text() : (this.texts[0] ?? "");
    this.file = index;
    this.put(this.texts[index] ?? "");
    this.view.dispatch({
      effects: this.writable.reconfigure(EditorState.readOnly.of(
        index !== 0 || this.app.model.sources[0]?.text === null,
      )),
    });
    fill(
      this.tabs,
      ...this.app.model.sources.map((source, i) =>
        button(source.file.replace(/^.*\//, ""), () => this.showFile(i), {
          "aria-pressed": i === index ? "true" : "false",
          title: source.file,
        }),
      ),
    );
    this.showDiagnostics();
    this.mark();
  }

  private typed = later(() => {
    this.edited = true;
    const text = this.text();
    void this.app.work(async () => {
      if (text !== this.text()) return;
      const model = await api.ask<api.Model>("models", { text });
      if (text !== this.text()) return;
      const choices = this.app.model.good && this.app.run ? await this.app.choices() : [];
      await this.app.show(model, model.good ? choices : []);
    });
  }, 350);

  private save(): void {
    void this.app.work(async () => {
      await api.ask(this.app.path("save"), {});
      this.app.model.saved = true;
      this.saved.textContent = "saved";
      this.saveButton.disabled = true;
    });
  }

  private reload(): void {
    void this.app.work(async () => {
      this.edited = false;
      await this.app.show(await api.ask<api.Model>("model"));
    });
  }

  /** Where a place is in the text, in characters: its columns are bytes. */
  private offset(line: number, column: number): number {
    const doc = this.view.state.doc;
    if (line < 1 || line > doc.lines) return doc.length;
    const at = doc.line(line);
    let left = column - 1;
    let i = 0;
    while (left > 0 && i < at.length) {
      const code = at.text.codePointAt(i)!;
      left -= code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
      i += code < 0x10000 ? 1 : 2;
    }
    return at.from + Math.min(i, at.length);
  }

  private isShown(file?: string): boolean {
    return file === this.app.model.sources[this.file]?.file;
  }

  private showDiagnostics(): void {
    const found: Diagnostic[] = this.app.model.diagnostics
      .filter((d) => this.isShown(d.file) && d.line)
      .map((d) => {
        const from = this.offset(d.line!, d.column ?? 1);
        const to = this.offset(d.end_line ?? d.line!, d.end_column ?? (d.column ?? 1) + 1);
        return {
          from,
          to: Math.max(from, to),
          severity: d.severity === "note" ? "info" : d.severity,
          message: d.message,
        };
      });
    this.view.dispatch(setDiagnostics(this.view.state, found));
  }

  private mark(follow = false): void {
    const app = this.app;
    const classes = new Map<number, string[]>();
    const put = (line: number, name: string) =>
      classes.set(line, [...(classes.get(line) ?? []), name]);
    const counts = this.countLines();
    const most = Math.max(1, ...(counts?.values() ?? []));
    for (const [line, n] of counts ?? []) {
      if (n) put(line, `heat-${1 + Math.floor((4 * Math.log(n)) / Math.log(most + 1))}`);
      else put(line, app.coverageComplete ? "heat-never" : "heat-unknown");
    }
    const here = new Map<number, string[]>();
    if (app.model.good && app.state && !app.model.net)
      for (const p of app.state.processes)
        if (this.isShown(p.file) && p.line)
          here.set(p.line, [...(here.get(p.line) ?? []), `${p.process_type}(${p.process})`]);
    const marks: Marks = { classes, statements: [], counts, here };
    this.view.dispatch({ effects: setMarks.of(marks) });
    if (app.model.good && app.run) void this.markStep(marks, follow);
  }

  /** The statements that were executed last: of an atomic sequence or a
   * rendezvous all, since the state before. */
  private async markStep(marks: Marks, follow: boolean): Promise<void> {
    const { run, at } = this.app;
    if (!at) return;
    const from = Math.max(0, at - STEPS_MARKED);
    const rows = await api
      .ask<{ steps: api.Step[] }>(this.app.runPath("steps" + api.query({ from, count: at - from })))
      .catch(() => null);
    if (this.app.run !== run || this.app.at !== at || !rows?.steps.length) return;
    const steps = rows.steps;
    let first = steps.length - 1;
    while (first > 0 && !steps[first - 1].rests) first--;
    const shown = steps.slice(first).filter((s) => s.line && this.isShown(s.file));
    if (!shown.length) return;
    const classes = new Map(marks.classes);
    for (const step of shown) {
      const names = classes.get(step.line!) ?? [];
      if (!names.includes("executed")) classes.set(step.line!, [...names, "executed"]);
    }
    const statements = shown.map((s) => ({
      from: this.offset(s.line!, s.column ?? 1),
      to: this.offset(s.end_line ?? s.line!, s.end_column ?? s.column ?? 1),
    }));
    const effects: StateEffect<unknown>[] = [setMarks.of({ ...marks, classes, statements })];
    if (follow && !this.view.hasFocus)
      effects.push(
        EditorView.scrollIntoView(this.offset(shown[shown.length - 1].line!, 1), { y: "nearest", yMargin: 60 }),
      );
    this.view.dispatch({ effects });
  }

  private countLines(): Map<number, number> | null {
    if (!this.app.coverage.length) return null;
    const counts = new Map<number, number>();
    for (const c of this.app.coverage)
      if (this.isShown(c.file) && c.line)
        counts.set(c.line, Math.max(counts.get(c.line) ?? 0, c.count));
    return counts;
  }

  /** Puts the cursor to a place. */
  goTo(place: api.Place): void {
    const file = this.app.model.sources.findIndex((s) => s.file === place.file);
    if (file < 0 || !place.line) return;
    if (file !== this.file) this.showFile(file);
    const at = this.offset(place.line, place.column ?? 1);
    this.view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
  }
}
