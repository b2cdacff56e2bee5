// How a check grows: states, memory and what waits, against time.

import uPlot from "uplot";
import * as api from "./api";
import type { App } from "./app";
import { bytes, count, fill, h } from "./dom";

const CURVES: [string, number, string, (n: number) => string][] = [
  ["states", 1, "--curve-1", count],
  ["memory", 3, "--curve-2", bytes],
  ["waiting", 4, "--curve-3", count],
];

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
    for (const [name, index, stroke, format] of CURVES) {
      const host = h("div", { role: "img", "aria-label": `${name} against seconds; now ${format(last[index])}` });
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
              axis,
              { ...axis, size: 80, values: (_: uPlot, ticks: number[]) => ticks.map(format) },
            ],
            series: [{}, { label: name, stroke: color(stroke), width: 2, points: { show: false } }],
          },
          [this.samples.map((r) => r[0]), this.samples.map((r) => r[index])],
          host,
        ),
      );
    }
  }
}
