// The API of docs/http.md, and nothing else: what the page knows comes from here.

export interface Place {
  file?: string;
  line?: number;
  column?: number;
  end_line?: number;
  end_column?: number;
}
export interface Diagnostic extends Place {
  severity: "error" | "warning" | "note";
  message: string;
}
export interface Question extends Place {
  name: string;
  kind: string;
  formula?: string;
}
export interface Model {
  id: string;
  good: boolean;
  language: string | null;
  net: boolean; // there are no processes, only transitions
  drawn: "net" | "processes";
  file: string;
  sources: { file: string; text: string | null }[];
  diagnostics: Diagnostic[];
  properties: Question[];
  initial?: string;
  problem?: string;
  saved: boolean;
}
export interface Value {
  name: string;
  type: string;
  value: string;
  process?: number;
}
export interface Process extends Place {
  process: number;
  process_type: string;
  location: number;
  label?: string;
  end?: boolean;
}
export interface Move extends Place {
  choice: number;
  process: number;
  process_type: string;
  text: string;
  fault?: string;
  target?: string;
}
export interface Blocked extends Place {
  process: number;
  process_type: string;
  text: string;
  why: string;
  because: string;
}
export interface State {
  at: number;
  rests: boolean;
  name?: string;
  values: Value[];
  processes: Process[];
  moves: Move[];
  blocked: Blocked[];
}
export interface Run {
  id: string;
  length: number;
  verdict: string;
  ending: string;
  loop: number | null;
  about?: { check: string; property: number };
  explained?: boolean;
  replayed?: boolean;
  problem?: string;
  reached?: boolean;
  because?: string; // not reached: why
  state: State;
}
export interface Change {
  name: string;
  before: string;
  after: string;
}
export interface Step extends Place {
  number: number;
  process: number;
  process_type: string;
  text: string;
  changes: Change[];
  output?: string;
  rests?: boolean;
  folded?: boolean;
}
export interface Lane {
  process: number;
  process_type: string;
}
export interface Progress {
  id: string;
  done: boolean;
  states: number;
  transitions: number;
  depth: number;
  waiting: number;
  memory_bytes: number;
  seconds: number;
  states_per_second: number;
  /** At the end of the search: low, likely, high. */
  expected?: Record<"states" | "seconds" | "memory_bytes", [number, number, number]>;
}
export interface Branch {
  formula: string;
  parent: number; // 0: the run itself; otherwise a branch, from 1
  from_step: number;
  message?: string | null;
  steps: number;
}
export interface ReportRow {
  name: string;
  kind: string;
  verdict: string;
  formula?: string | null;
  message?: string | null;
  reason?: string | null;
  shows?: string;
  branches?: Branch[];
  holds_on_all_runs?: { formula: string; after_step?: number; run?: number }[];
  runs: (string | null)[];
}
export interface Report {
  verdict: string;
  complete: boolean;
  reason: string | null;
  states: number;
  transitions: number;
  depth: number;
  memory_bytes: number;
  seconds: number;
  properties: ReportRow[];
}
export type Sample = [number, number, number, number, number, number];
export interface Check extends Progress {
  growth: Sample[];
  report?: Report;
  problem?: string;
}
export interface Covered extends Place {
  process_type: string;
  text: string;
  count: number;
}

export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const KEY = "nutshell-token";

/** The token of the address, which leaves it at once; or of this tab before. */
export function takeToken(): boolean {
  const found = /[#&]token=([0-9a-f]{32})/.exec(location.hash);
  if (found) {
    sessionStorage.setItem(KEY, found[1]);
    const rest = location.hash.replace(found[0], "").replace(/^#?&?/, "");
    history.replaceState(null, "", rest ? "#" + rest : location.pathname);
  }
  return sessionStorage.getItem(KEY) !== null;
}

export function setToken(token: string): void {
  sessionStorage.setItem(KEY, token);
}

function headers(): Record<string, string> {
  return {
    Authorization: "Bearer " + sessionStorage.getItem(KEY),
    "Content-Type": "application/json",
  };
}

async function send(path: string, body?: unknown): Promise<Response> {
  const answer = await fetch("/api/v1/" + path, {
    method: body === undefined ? "GET" : "POST",
    headers: headers(),
    body: body === undefined ? undefined : JSON.stringify(body),
    referrerPolicy: "no-referrer",
  });
  if (answer.ok) return answer;
  const said = await answer.text();
  let why = said.trim();
  try {
    why = JSON.parse(said).error;
  } catch {
    /* it was plain text */
  }
  throw new Refused(answer.status, why);
}

export async function ask<T>(path: string, body?: unknown): Promise<T> {
  return (await send(path, body)).json() as Promise<T>;
}

export async function blob(path: string): Promise<Blob> {
  return (await send(path)).blob();
}

export async function words(path: string): Promise<string> {
  return (await send(path)).text();
}

/** Server-sent events of a check until it is done. */
export async function listen(
  id: string,
  told: (p: Progress) => void,
  signal: AbortSignal,
): Promise<void> {
  const answer = await fetch(`/api/v1/checks/${id}/events`, {
    headers: headers(),
    signal,
  });
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    rest += value;
    const parts = rest.split("\n\n");
    rest = parts.pop()!;
    for (const part of parts) {
      const data = /^data: (.*)$/m.exec(part);
      if (data) told(JSON.parse(data[1]) as Progress);
    }
  }
}

export function query(values: Record<string, string | number>): string {
  return "?" + new URLSearchParams(
    Object.entries(values).map(([k, v]) => [k, String(v)]),
  );
}
