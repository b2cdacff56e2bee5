// Addresses and files to give to others.

import * as api from "./api";
import type { App } from "./app";
import { button, h } from "./dom";
import type { Frame } from "./picture";

export function download(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  window.setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** A menu that opens below its button. */
export function menu(
  words: string,
  items: [string, () => void][],
  id: string,
): HTMLElement {
  const list = h("div", { class: "menu", role: "group", "aria-label": words, hidden: true });
  const opener = button(words, () => toggle(list.hidden), {
    "aria-expanded": "false",
    "aria-controls": `${id}-list`,
    id,
  });
  list.id = `${id}-list`;
  const toggle = (open: boolean) => {
    list.hidden = !open;
    opener.setAttribute("aria-expanded", String(open));
  };
  for (const [label, run] of items)
    list.append(
      button(label, () => {
        toggle(false);
        run();
      }),
    );
  const box = h("div", { class: "menu-box" }, opener, list);
  document.addEventListener("click", (e) => {
    if (!box.contains(e.target as Node)) toggle(false);
  });
  box.addEventListener("keydown", (e) => {
    if (e.key === "Escape" && !list.hidden) {
      e.stopPropagation();
      toggle(false);
      opener.focus();
    }
  });
  return box;
}

export function exportMenu(app: App, frame: () => { frame: Frame; name: string } | null): HTMLElement {
  const base = () => app.model.file.replace(/^.*\//, "").replace(/\.\w+$/, "");
  const run = (format: string, name: string) => () =>
    void app.work(async () => download(await api.blob(app.runPath("export" + api.query({ format }))), name));
  const picture = (kind: "svg" | "png") => () =>
    void app.work(async () => {
      const shown = frame();
      if (!shown) throw new Error("Show a drawing first: chart, states or processes.");
      download(await shown.frame.export(kind), `${base()}-${shown.name}.${kind}`);
    });
  return menu(
    "Export",
    [
      ["Trace as JSON", () => run("json", `${base()}.json`)()],
      ["Trail for SPIN", () => run("trail", `${base()}.trail`)()],
      ["Trace as text", () => run("text", `${base()}.txt`)()],
      ["Chart as SVG", () => run("svg", `${base()}-chart.svg`)()],
      ["Chart as Mermaid", () => run("mermaid", `${base()}.mmd`)()],
      ["Drawing as SVG", picture("svg")],
      ["Drawing as PNG", picture("png")],
    ],
    "export",
  );
}

/** Copies the address of where one is; shows it where that is not allowed. */
export function shareButton(app: App): HTMLElement {
  const shown = h("input", { type: "text", readonly: true, hidden: true, "aria-label": "Address of this state", id: "address" });
  const share = button(
    "Share",
    () =>
      void app.work(async () => {
        const address = location.origin + location.pathname + (await app.address());
        history.replaceState(null, "", address);
        shown.value = address;
        shown.hidden = false;
        shown.focus();
        shown.select();
        try {
          await navigator.clipboard.writeText(address);
        } catch {
          /* it can be copied from the field */
        }
      }),
    { title: "The address of this state; who opens it needs a server of the same model", id: "share" },
  );
  shown.addEventListener("blur", () => (shown.hidden = true));
  return h("span", { class: "share" }, share, shown);
}

/** Opens a trace or a trail from a file of the user. */
export function openButton(app: App): HTMLElement {
  const input = h("input", { type: "file", id: "trace-file", hidden: true, "aria-label": "Trace or trail" });
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (!file) return;
    void app.work(async () => {
      await app.start({ trace: await file.text() }, file.name);
      input.value = "";
    });
  });
  return h("span", {}, button("Open trace", () => input.click(), { title: "A trace in JSON or a trail of SPIN" }), input);
}
