// Elements made by functions.  All text goes in as text: nothing of a model is
// ever markup.

export type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, unknown>;

function set(e: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on") && typeof value === "function")
      e.addEventListener(name.slice(2), value as EventListener);
    else e.setAttribute(name, value === true ? "" : String(value));
  }
}

function add(e: Element, children: Child[]): void {
  for (const child of children)
    if (child !== null && child !== undefined && child !== false)
      e.append(child instanceof Node ? child : String(child));
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  set(e, attributes);
  add(e, children);
  return e;
}

export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(e, attributes);
  add(e, children);
  return e;
}

const FOCUSABLE = "button, input, select, a[href], [tabindex]";

/** What an element is called, to find the one that takes its place. */
function called(e: Element): string {
  const data = Object.entries((e as HTMLElement).dataset ?? {});
  return JSON.stringify([e.tagName, e.id, e.getAttribute("aria-label"), data, e.id || data.length ? "" : e.textContent]);
}

/** Puts other children into an element; what had the focus has it again, or what
 * stands in its place. */
export function fill(e: Element, ...children: Child[]): void {
  const had = document.activeElement;
  const place = had && had !== e && e.contains(had) ? [...e.querySelectorAll(FOCUSABLE)].indexOf(had) : -1;
  e.replaceChildren();
  add(e, children);
  if (place < 0) return;
  const all = [...e.querySelectorAll<HTMLElement>(FOCUSABLE)];
  const again = all.find((one) => called(one) === called(had!)) ?? all[Math.min(place, all.length - 1)];
  again?.focus({ preventScroll: true });
}

/** A button with words; `title` may tell its key. */
export function button(
  words: Child,
  run: () => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  return h("button", { type: "button", onclick: run, ...attributes }, words);
}

/** Calls `run` when nothing has happened for a while. */
export function later(run: () => void, milliseconds: number): () => void {
  let timer = 0;
  return () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(run, milliseconds);
  };
}

/** Whether an answer is still wanted: each call makes the answers to all calls
 * before it old ones. */
export function newest(): () => () => boolean {
  let last = 0;
  return () => {
    const mine = ++last;
    return () => mine === last;
  };
}

export function count(n: number): string {
  return n.toLocaleString("en").replace(/,/g, "\u202f");
}

export function bytes(n: number): string {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  let i = 0;
  for (; n >= 1024 && i + 1 < units.length; i++) n /= 1024;
  return `${i ? n.toFixed(1) : n} ${units[i]}`;
}

export function plural(n: number, word: string): string {
  return `${count(n)} ${word}${n === 1 ? "" : "s"}`;
}
