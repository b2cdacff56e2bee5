// How a check grows: states, memory and what waits, against time.

import uPlot from "uplot";
import * as api from "./api";
import type { App } from "./app";
import { bytes, count, fill, h } from "./dom";

interface Curve {
  name: string;
  index: number; // in a sample
  color: string;
  format: (n: number) => string;
  steps?: number[]; // between the lines of its axis
  byLevel?: boolean; // not against time
}

const POWERS = [...Array(50).keys()].map((i) => 2 ** i);
const CURVES: Curve[] = [
  { name: "states", index: 1, color: "--curve-1", format: count },
  { name: "memory", index: 3, color: "--curve-2", format: bytes, steps: POWERS },
  { name: "waiting states", index: 4, color: "--curve-3", format: count },
  { name: "waiting states by level", index: 4, color: "--curve-3", format: count, byLevel: true },
];

/** The most that waited at each level, of the search that was the last: one that
 * began anew begins at the first level again. */
function byLevel(samples: api.Sample[]): [number[], number[]] {
  const most = new Map<number, number>();
  let last = 0;
  for (const sample of samples) {
    if (sample[5] < last) most.clear();
    last = sample[5];
    most.set(last, Math.max(most.get(last) ?? 0, sample[4]));
  }
  return [[...most.keys()], [...most.values()]];
}

export class GrowthView {
  readonly element: HTMLElement;
  private host = h("div", { class: "plots" });
  private note = h("p", { class: "quiet" }, "A check draws these curves.");
  private samples: api.Sample[] = [];
  private plots: uPlot[] = [];
  visible = false;

  constructor(private app: App) {
    this.element = h("div", { class: "view growth-view" }, this.note, this.host);
    app.on("check", () => this.onCheck());
    new ResizeObserver(() => this.draw()).observe(this.host);
    window.addEventListener("theme", () => this.draw());
  }

  private onCheck(): void {
    const { app } = this;
    if (app.check) this.samples = app.check.growth;
    else if (!app.progress) this.samples = [];
    else {
      const p = app.progress;
      const last = this.samples[this.samples.length - 1];
      if (!last || p.seconds > last[0])
        this.samples.push([p.seconds, p.states, p.transitions, p.memory_bytes, p.waiting, p.depth]);
    }
    this.draw();
  }

  show(): void {
    this.draw();
  }

  draw(): void {
    if (!this.visible) return;
    for (const plot of this.plots) plot.destroy();
    this.plots = [];
    fill(this.host);
    const enough = this.samples.length > 1;
    const last = this.samples[this.samples.length - 1];
    this.note.textContent = !this.samples.length
      ? "A check draws these curves."
      : enough
        ? ""
        : `The check was done after ${last[0].toFixed(3)} s with ${count(last[1])} states: too soon for curves.`;
    if (!enough) return;
    const style = getComputedStyle(document.body);
    const color = (name: string) => style.getPropertyValue(name).trim();
    const width = Math.max(200, this.host.clientWidth);
    const height = Math.max(110, Math.floor((this.element.clientHeight - 30) / CURVES.length) - 30);
    const axis = { stroke: color("--text"), grid: { stroke: color("--line"), width: 1 } };
    for (const { name, index, color: stroke, format, steps, byLevel: levels } of CURVES) {
      const data: [number[], number[]] = levels
        ? byLevel(this.samples)
        : [this.samples.map((r) => r[0]), this.samples.map((r) => r[index])];
      if (data[0].length < 2) continue;
      const host = h("div", {
        role: "img",
        "aria-label": `${name}${levels ? "" : " against seconds"}; now ${format(last[index])}`,
      });
      this.host.append(host);
      this.plots.push(
        new uPlot(
          {
            width,
            height,
            title: name,
            cursor: { y: false },
            legend: { show: false },
            scales: { x: { time: false } },
            axes: [
              { ...axis, size: 34, values: (_: uPlot, ticks: number[]) => ticks.map((t) => (levels ? String(t) : `${t} s`)) },
              { ...axis, size: 80, ...(steps ? { incrs: steps } : {}), values: (_: uPlot, ticks: number[]) => ticks.map(format) },
            ],
            series: [{}, { label: name, stroke: color(stroke), width: 2, points: { show: false } }],
          },
          data,
          host,
        ),
      );
    }
  }
}
