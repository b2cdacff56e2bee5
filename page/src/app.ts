// What is shown now, for all views: a model, a run with a place in it, and the
// last check.  Views listen to changes; work goes one after the other.

import * as api from "./api";
import { writeAddress } from "./address";
import { later } from "./dom";

export type Event = "model" | "run" | "state" | "check" | "coverage" | "problem";

export interface Asked {
  kind: "ltl" | "ctl" | "invariants" | "reach";
  formula: string;
}

export interface CheckOptions {
  coverage: boolean;
  explain: boolean;
  shortest: boolean;
  all_errors: boolean;
  fair: string;
  seconds: number;
}

const PATH_MOST = 2000; // longer ways are looked up only when somebody shares

export class App {
  model!: api.Model;
  run!: api.Run;
  /** Steps made of the run: 0 .. run.length. */
  at = 0;
  state!: api.State;
  before: api.State | null = null;
  check: api.Check | null = null;
  progress: api.Progress | null = null;
  coverage: api.Covered[] = [];
  coverageComplete = false;
  asked: Asked[] = [];
  problem = "";
  tab = "trace";
  runs: { label: string; run: api.Run }[] = [];
  options: CheckOptions = {
    coverage: true,
    explain: false,
    shortest: false,
    all_errors: false,
    fair: "none",
    seconds: 60,
  };
  private listeners = new Map<Event, (() => void)[]>();
  private line: Promise<unknown> = Promise.resolve();
  private listening: AbortController | null = null;

  on(event: Event, run: () => void): void {
    this.listeners.set(event, [...(this.listeners.get(event) ?? []), run]);
  }

  tell(event: Event): void {
    for (const run of this.listeners.get(event) ?? []) run();
  }

  /** Does work after all work before it; what goes wrong is shown. */
  work<T>(job: () => Promise<T>): Promise<T | undefined> {
    const next = this.line.then(job).catch((error: unknown) => {
      this.say(error instanceof Error ? error.message : String(error));
      return undefined;
    });
    this.line = next;
    return next as Promise<T | undefined>;
  }

  say(problem: string): void {
    this.problem = problem;
    this.tell("problem");
  }

  path(rest: string): string {
    return `models/${this.model.id}/${rest}`;
  }

  runPath(rest = "", run: api.Run = this.run): string {
    return this.path(`runs/${run.id}${rest ? "/" + rest : ""}`);
  }

  /** Shows another model, from its initial state or by these choices. */
  async show(model: api.Model, choices: number[] = []): Promise<void> {
    this.cancelListening();
    this.model = model;
    this.runs = [];
    this.coverage = [];
    this.check = null;
    this.say("");
    this.tell("model");
    this.tell("coverage");
    this.tell("check");
    if (!model.good || !model.initial) {
      if (model.problem) this.say(model.problem);
      return;
    }
    try {
      await this.start({ choices }, "walk");
    } catch (error) {
      if (!choices.length) throw error;
      await this.start({}, "walk");
      this.say("These steps do not fit this model: it begins anew.");
    }
  }

  /** Another run; one stands at its end, or where it is told. */
  async start(body: unknown, label: string, at?: number): Promise<void> {
    const run = await api.ask<api.Run>(this.path("runs"), body);
    this.adopt(run, label);
    if (at !== undefined && at !== run.length) await this.goTo(at);
  }

  /** A run that was shown before. */
  async open(run: api.Run): Promise<void> {
    this.adopt(await api.ask<api.Run>(this.runPath("", run)));
  }

  private adopt(run: api.Run, label?: string): void {
    if (label) {
      this.runs = this.runs.filter((r) => r.label !== label);
      this.runs.push({ label, run });
    }
    const entry = this.runs.find((r) => r.run.id === run.id);
    if (entry) entry.run = run;
    this.before = null;
    this.run = run;
    this.at = run.length;
    this.state = run.state;
    if (run.problem) this.say(run.problem);
    this.tell("run");
    this.moved();
  }

  private moved(): void {
    this.tell("state");
    this.updateAddress();
  }

  async goTo(at: number): Promise<void> {
    if (!this.model.good) return;
    at = Math.max(0, Math.min(at, this.run.length));
    const state = await api.ask<api.State>(this.runPath(`state?at=${at}`));
    this.before = this.state;
    this.at = at;
    this.state = state;
    this.moved();
  }

  /** Makes a move here; what followed before is another run from then on. */
  async take(choice: number): Promise<void> {
    const before = this.state;
    if (this.at === this.run.length && !this.run.replayed) {
      const run = await api.ask<api.Run>(this.runPath("take"), {
        choices: [choice],
      });
      this.adopt(run);
    } else {
      const move = this.state.moves[choice];
      if (move && this.at < this.run.length && (await this.isNext(move))) {
        await this.forward();
        return;
      }
      await this.start(
        { run: this.run.id, at: this.at, choices: [choice] },
        "walk",
      );
    }
    this.before = before;
    this.tell("state");
  }

  /** Whether the run goes on by this move anyway. */
  private async isNext(move: api.Move): Promise<boolean> {
    const rows = await api.ask<{ steps: api.Step[] }>(
      this.runPath("steps" + api.query({ from: this.at, count: 50 })),
    );
    const first = rows.steps[0];
    const rest = rows.steps.findIndex((step) => step.rests);
    if (!first || rest < 0 || first.process !== move.process) return false;
    const state = await api.ask<api.State>(
      this.runPath(`state?at=${this.at + rest + 1}`),
    );
    return state.name !== undefined && state.name === move.target;
  }

  /** To the next state in which the run rests; round a loop at its end. */
  async forward(): Promise<void> {
    if (!this.model.good) return;
    const { loop, length } = this.run;
    if (this.at === length) {
      if (loop !== null && loop < length) await this.goTo(loop + 1);
      return;
    }
    const rows = await api.ask<{ steps: api.Step[] }>(
      this.runPath("steps" + api.query({ from: this.at, count: 200 })),
    );
    const rest = rows.steps.findIndex((step) => step.rests);
    await this.goTo(this.at + (rest < 0 ? rows.steps.length : rest + 1));
  }

  async back(): Promise<void> {
    if (!this.at || !this.model.good) return;
    const from = Math.max(0, this.at - 200);
    const rows = await api.ask<{ steps: api.Step[] }>(
      this.runPath("steps" + api.query({ from, count: this.at - from })),
    );
    let at = this.at - 1;
    while (at > from && !rows.steps[at - from - 1]?.rests) at--;
    await this.goTo(at);
  }

  async random(steps: number, until?: string): Promise<boolean> {
    if (!this.model.good) return true;
    const before = this.state;
    if (this.at < this.run.length || this.run.replayed)
      await this.start({ run: this.run.id, at: this.at }, "walk");
    const run = await api.ask<api.Run>(this.runPath("go"), {
      steps,
      seed: Math.floor(Math.random() * 2 ** 31),
      ...(until ? { until } : {}),
    });
    this.adopt(run);
    this.before = before;
    this.tell("state");
    return run.reached !== false;
  }

  /** By a shortest way to where an expression is true; why not, or "". */
  async reach(until: string): Promise<string> {
    if (!this.model.good) return "";
    const before = this.state;
    if (this.at < this.run.length || this.run.replayed)
      await this.start({ run: this.run.id, at: this.at }, "walk");
    const run = await api.ask<api.Run>(this.runPath("go"), { until, shortest: true });
    this.adopt(run);
    this.before = before;
    this.tell("state");
    return run.reached ? "" : (run.because ?? "not reached");
  }

  // ---- checks -----------------------------------------------------------------

  async startCheck(): Promise<void> {
    this.cancelListening();
    const listening = new AbortController();
    this.listening = listening;
    const body: Record<string, unknown> = { ...this.options };
    for (const { kind, formula } of this.asked)
      body[kind] = [...((body[kind] as string[]) ?? []), formula];
    const { id } = await api.ask<{ id: string }>(this.path("checks"), body);
    this.progress = null;
    this.check = null;
    void this.follow(id, listening);
    this.tell("check");
  }

  private async follow(id: string, listening: AbortController): Promise<void> {
    try {
      await api.listen(
        id,
        (p) => {
          this.progress = p;
          this.tell("check");
        },
        listening.signal,
      );
      const check = await api.ask<api.Check>("checks/" + id);
      const covered = await api.ask<{
        complete: boolean;
        statements: api.Covered[];
      }>(`checks/${id}/coverage`);
      if (this.listening !== listening) return;
      this.listening = null;
      this.check = check;
      this.coverage = covered.statements;
      this.coverageComplete = covered.complete;
      if (check.problem) this.say(check.problem);
      this.tell("check");
      this.tell("coverage");
    } catch (error) {
      if (this.listening === listening) this.listening = null;
      if (!listening.signal.aborted)
        this.say(error instanceof Error ? error.message : String(error));
      this.tell("check");
    }
  }

  get checking(): boolean {
    return this.listening !== null;
  }

  async cancel(): Promise<void> {
    const id = this.progress?.id;
    if (!this.listening) return;
    if (id) await api.ask(`checks/${id}/cancel`, {});
    else this.cancelListening();
  }

  private cancelListening(): void {
    this.listening?.abort();
    this.listening = null;
  }

  // ---- addresses --------------------------------------------------------------

  /** The choices that lead to where one is. */
  async choices(): Promise<number[]> {
    const found = await api.ask<{ choices: number[] }>(
      this.runPath("path" + api.query({ at: this.at })),
    );
    return found.choices;
  }

  /** Whether the address bar tells where one is. */
  get inAddress(): boolean {
    return this.at <= PATH_MOST;
  }

  async address(): Promise<string> {
    return writeAddress({
      model: this.model.id,
      choices: await this.choices(),
      tab: this.tab === "trace" ? undefined : this.tab,
    });
  }

  updateAddress = later(() => {
    void this.work(async () => {
      const tab = this.tab === "trace" ? undefined : this.tab;
      const address = this.inAddress ? await this.address() : writeAddress({ model: this.model.id, tab });
      history.replaceState(null, "", address || location.pathname);
    });
  }, 250);
}
