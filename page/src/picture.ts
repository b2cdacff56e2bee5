// A drawing that can be moved and made larger, and taken away as SVG or PNG.

import { button, h, s } from "./dom";

const STYLES = [
  "fill", "stroke", "stroke-width", "stroke-dasharray", "font-family",
  "font-size", "font-weight", "text-anchor", "opacity",
];

/** A copy with its styles inside, so that it looks the same anywhere. */
export function standalone(svg: SVGSVGElement): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const from = [svg, ...svg.querySelectorAll("*")];
  const to = [copy, ...copy.querySelectorAll("*")];
  from.forEach((e, i) => {
    const style = getComputedStyle(e);
    for (const name of STYLES) {
      const value = style.getPropertyValue(name);
      if (value) to[i].setAttribute(name, value);
    }
    to[i].removeAttribute("class");
    to[i].removeAttribute("tabindex");
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.removeAttribute("style");
  return copy;
}

export function svgText(svg: SVGSVGElement): string {
  return new XMLSerializer().serializeToString(standalone(svg));
}

export async function pngOf(text: string, width: number, height: number): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    await new Promise<void>((good, bad) => {
      image.onload = () => good();
      image.onerror = () => bad(new Error("the picture cannot be drawn"));
      image.src = url;
    });
    const scale = Math.min(2, 8000 / Math.max(width, height, 1));
    const canvas = h("canvas", { width: Math.ceil(width * scale), height: Math.ceil(height * scale) });
    const context = canvas.getContext("2d")!;
    context.fillStyle = getComputedStyle(document.body).getPropertyValue("--paper") || "#fff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise<Blob>((good, bad) =>
      canvas.toBlob((b) => (b ? good(b) : bad(new Error("the picture is too large"))), "image/png"),
    );
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** A drawing inside of a frame: wheel and buttons zoom, dragging moves. */
export class Frame {
  readonly element: HTMLElement;
  svg: SVGSVGElement = s("svg");
  private scale = window.innerWidth >= 1700 ? 1.3 : 1; // on a wall
  private head: [SVGSVGElement, number] | null = null;
  private width = 0;
  private height = 0;

  constructor(label: string) {
    this.element = h("div", {
      class: "frame",
      role: "group",
      "aria-label": label,
      tabindex: 0,
      onwheel: (e: WheelEvent) => {
        if (!e.ctrlKey) return;
        e.preventDefault();
        this.zoom(e.deltaY < 0 ? 1.15 : 1 / 1.15);
      },
    });
    let from: [number, number] | null = null;
    this.element.addEventListener("pointerdown", (e) => {
      if ((e.target as Element).closest("[role=button]")) return;
      from = [e.clientX, e.clientY];
    });
    this.element.addEventListener("pointermove", (e) => {
      if (!from || !e.buttons) return;
      this.element.scrollBy(from[0] - e.clientX, from[1] - e.clientY);
      from = [e.clientX, e.clientY];
    });
    window.addEventListener("pointerup", () => (from = null));
  }

  buttons(): HTMLElement {
    return h(
      "span",
      { class: "zoom" },
      button("−", () => this.zoom(1 / 1.25), { "aria-label": "Smaller" }),
      button("+", () => this.zoom(1.25), { "aria-label": "Larger" }),
      button("Fit", () => this.fit(), {}),
    );
  }

  /** 'head' is a part of it that stays in sight, and how high it is. */
  show(svg: SVGSVGElement, width: number, height: number, head?: [SVGSVGElement, number]): void {
    const { scrollLeft, scrollTop } = this.element;
    this.head = head ?? null;
    this.svg = svg;
    this.width = width;
    this.height = height;
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.element.replaceChildren(svg);
    if (this.head) {
      const [part, high] = this.head;
      part.setAttribute("viewBox", `0 0 ${width} ${high}`);
      part.classList.add("lanes-head");
      this.element.prepend(part);
    }
    this.size();
    this.element.scrollTo(scrollLeft, scrollTop);
  }

  private size(): void {
    this.svg.setAttribute("width", String(this.width * this.scale));
    this.svg.setAttribute("height", String(this.height * this.scale));
    if (!this.head) return;
    const [part, high] = this.head;
    part.setAttribute("width", String(this.width * this.scale));
    part.setAttribute("height", String(high * this.scale));
    this.svg.style.marginTop = `${-high * this.scale}px`; // they lie on each other
  }

  zoom(factor: number): void {
    this.scale = Math.max(0.1, Math.min(4, this.scale * factor));
    this.size();
  }

  /** All of it in sight, as small as that may be. */
  fit(): void {
    const room = this.element.getBoundingClientRect();
    if (!this.width || !this.height || !room.width) return;
    this.scale = Math.max(0.1, Math.min(1.3, (room.width - 20) / this.width, (room.height - 20) / this.height));
    this.size();
  }

  /** No wider than the frame, as long as it can be read. */
  fitWidth(): void {
    const room = this.element.getBoundingClientRect().width - 20;
    if (this.width && room > 0) this.scale = Math.max(0.85, Math.min(1.3, room / this.width));
    this.size();
  }

  /** What there is to be drawn in, in the units of a drawing. */
  room(): number {
    return this.element.getBoundingClientRect().width - 20;
  }

  /** Brings a place of the drawing into sight. */
  look(x: number, y: number): void {
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = this.element;
    const [px, py] = [x * this.scale, y * this.scale];
    if (px < scrollLeft + 30 || px > scrollLeft + clientWidth - 30)
      this.element.scrollLeft = px - clientWidth / 2;
    if (py < scrollTop + 30 + (this.head ? this.head[1] * this.scale : 0) || py > scrollTop + clientHeight - 30)
      this.element.scrollTop = py - clientHeight / 2;
  }

  async export(kind: "svg" | "png"): Promise<Blob> {
    const text = svgText(this.svg);
    return kind === "svg"
      ? new Blob([text], { type: "image/svg+xml" })
      : pngOf(text, this.width, this.height);
  }
}

let ids = 0;

/** Heads of arrows, plain and red: markers, and their names. */
export function arrowHead(): [SVGDefsElement, string, string] {
  const id = `tip-${++ids}`;
  const marker = (name: string, kind: string, size: number) =>
    s(
      "marker",
      { id: name, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: size, markerHeight: size, orient: "auto" },
      s("path", { d: "M0 0 L10 5 L0 10 z", class: kind }),
    );
  return [
    s("defs", {}, marker(id, "tip", 7), marker(`${id}-red`, "tip red", 5)),
    `url(#${id})`,
    `url(#${id}-red)`,
  ];
}

/** Words on an arrow, in lines, with something behind them so that they can be
 * read whatever passes there. */
export function plate(lines: string[], x: number, y: number, kind = "label"): SVGElement[] {
  const width = Math.max(...lines.map((line) => line.length)) * 5.9 + 4;
  const top = y - (13 * lines.length) / 2;
  return [
    s("rect", { x: x - width / 2, y: top, width, height: 13 * lines.length, class: "plate" }),
    s(
      "text",
      { x, y: top + 10, class: kind },
      ...lines.map((line, i) => s("tspan", { x, dy: i ? 13 : 0 }, line)),
    ),
  ];
}
