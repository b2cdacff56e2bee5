// The page in Chromium: tests/run-page starts this.

import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import * as kit from "./kit.mjs";
import { same, expect, withPage } from "./kit.mjs";

const model = (name) => path.join(kit.ROOT, name);
const MODELS = [
  "examples/promela/requests.pml", "examples/promela/philosophers.pml",
  "examples/promela/alternating_bit.pml", "examples/promela/peterson_broken.pml",
  "examples/promela/producer_consumer.pml", "examples/promela/leader_ring.pml",
  "examples/dve/bridge.dve", "examples/dve/philosophers.mdve",
  "examples/gaston/identifiers.gst", "examples/pnml/mutex.pnml",
  "tests/lpn/csc.g", "tests/lpn/ring.lpn",
];
const COUNTER = "byte x;\nactive proctype count() { do :: x < 3 -> x++ :: x > 0 -> x-- od }\n";
const LONG = "int n; active proctype P() { do :: n < 2000000000 -> n++ od }\n";
const MANY = `int n;
active proctype P() { do :: n < 50000 -> n++ :: else -> break od; assert(false) }
`;

// ---- values --------------------------------------------------------------------

/** Values after each numbered step, as the program replays the file. */
function replayed(file, trace) {
  const said = JSON.parse(kit.nutshell("replay", file, trace, "--json"));
  const all = [said.initial];
  for (const step of said.steps)
    if (step.unseen || step.inner) all[all.length - 1] = step.values;
    else all.push(step.values);
  return all;
}

/** Walks through the run by clicks on its rows and compares all values. */
async function compareRun(page, file) {
  const trace = await kit.exported(page, "Trace as JSON");
  const wanted = replayed(file, trace);
  const length = Number((await page.textContent(".where")).match(/of (\d+)/)[1]);
  same(wanted.length, length + 1, "steps");
  await page.focus("#trace");
  await page.keyboard.press("Home");
  await kit.waitPosition(page, Math.min(1, length));
  if (length) await page.keyboard.press("ArrowUp");
  for (let at = 0; at <= length; at++) {
    const shown = await kit.valuesAt(page, at);
    for (const [name, value] of Object.entries(wanted[at]))
      same(shown[name], value, `${name} after ${at} steps`);
    same(Object.keys(shown).length, Object.keys(wanted[at]).length, `values after ${at} steps`);
    if (at < length) await page.keyboard.press("ArrowDown");
  }
}

async function testModel(name) {
  const file = model(name);
  const report = JSON.parse(kit.nutshell("check", file, "--json"));
  await withPage(file, async (page) => {
    await page.fill("#steps", "15");
    await page.click("#random");
    await page.waitForFunction(() => document.querySelector("#undo") && document.querySelector("#position").textContent !== "after 0 steps");
    await compareRun(page, file);
    same(await kit.check(page), report.verdict, "the verdict");
    for (const row of report.properties) {
      const shown = await page.textContent(`#properties tr[data-name="${row.name}"] td`);
      expect(shown.startsWith(row.verdict), `${row.name}: ${shown}, not ${row.verdict}`);
      if (!(await page.$(`[data-property="${row.name}"]`))) continue;
      await page.click(`[data-property="${row.name}"]`);
      await page.waitForFunction((n) => document.querySelector("#runs").selectedOptions[0]?.textContent === n, row.name);
      await compareRun(page, file);
    }
  });
}

// ---- walking -------------------------------------------------------------------

async function testKeyboard() {
  await withPage(kit.scratch("m.pml", COUNTER), async (page) => {
    const x = async () => (await kit.values(page)).x;
    await page.keyboard.press("1");
    await kit.waitPosition(page, 1);
    await page.keyboard.press("1");
    await kit.waitPosition(page, 2);
    same(await x(), "1", "x");
    await page.keyboard.press("u");
    await kit.waitPosition(page, 1);
    same(await x(), "0", "x");
    await page.keyboard.press("r");
    await kit.waitPosition(page, 2);
    await page.keyboard.press("Home");
    await kit.waitPosition(page, 0);
    await page.keyboard.press("End");
    await kit.waitPosition(page, 2);
    await page.keyboard.press("x");
    await page.waitForFunction(() => document.querySelector("#position").textContent === "after 22 steps");
    await page.keyboard.press("w");
    await page.keyboard.type("x == 0");
    await page.keyboard.press("Shift+Enter");
    await page.waitForFunction(() => document.querySelector('#values tr[data-name="x"] td').textContent === "0");
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("c");
    same(await kit.verdict(page), "holds", "the verdict");
    // What is pressed keeps the focus, though all around it is made anew.
    await page.focus('[data-choice="0"]');
    const at = await kit.position(page);
    await page.keyboard.press("Enter");
    await kit.waitPosition(page, at + 1);
    same(await page.evaluate(() => document.activeElement.dataset.choice), "0", "focus");
    for (const tab of ["chart", "graph", "automata", "growth", "trace"]) {
      await page.keyboard.press("]");
      same(await page.getAttribute(`#tab-${tab}`, "aria-selected"), "true", tab);
    }
    await page.keyboard.press("?");
    expect(await page.isVisible("#help"), "help");
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => !document.querySelector("#help").open);
    await page.keyboard.press("/");
    same(await page.evaluate(() => document.activeElement.id), "find", "focus");
    await page.keyboard.type("x == 1");
    same(await page.inputValue("#find"), "x == 1", "what was typed");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector("#trace-said").textContent !== "");
    same(await page.textContent("#trace-said"), "after 2 steps", "found");
    await kit.waitPosition(page, 2);
    // Everything can be reached by Tab, and is seen to be.
    const seen = new Set();
    for (let i = 0; i < 80; i++) {
      await page.keyboard.press("Tab");
      seen.add(await page.evaluate(() => document.activeElement.id || document.activeElement.textContent));
    }
    for (const id of ["check", "undo", "redo", "random", "until", "export", "share", "theme", "trace", "formula"])
      expect(seen.has(id), `Tab does not lead to ${id}`);
  });
}

async function testWalk() {
  await withPage(kit.scratch("m.pml", COUNTER), async (page) => {
    // A move in the middle that the run makes anyway goes on in it; another one
    // makes another run.
    await page.click('[data-choice="0"]');
    await kit.waitPosition(page, 1);
    await page.click('[data-choice="0"]');
    await kit.waitPosition(page, 2);
    await page.click('[data-choice="1"]');
    await kit.waitPosition(page, 3);
    await page.click("#undo");
    await kit.waitPosition(page, 2);
    await page.click('[data-choice="1"]');
    await kit.waitPosition(page, 3);
    expect((await page.textContent(".where")).includes("of 3"), "the same run");
    await page.click("#undo");
    await kit.waitPosition(page, 2);
    await page.click("#undo");
    await kit.waitPosition(page, 1);
    await page.click("#redo");
    await kit.waitPosition(page, 2);
    await page.click('[data-choice="0"]');
    await kit.waitPosition(page, 3);
    const reason = await page.textContent(".blocked");
    expect(reason !== null, "reasons");
    // The walk before stays, and can stand beside this one.
    const runs = () => page.$$eval("#runs option", (all) => all.map((o) => o.textContent));
    same(await runs(), ["walk", "walk 2"], "runs");
    await page.selectOption("#compare", { label: "walk" });
    await page.waitForFunction(() => document.querySelector("#trace-said").textContent === "they differ first in step 3");
    await page.selectOption("#compare", { label: "nothing" });
    // Until something is true.
    await page.fill("#until", "x == 3");
    await page.click("#run-until");
    await page.waitForFunction(() => document.querySelector('#values tr[data-name="x"] td').textContent === "3");
    await page.fill("#until", "x == 77");
    await page.click("#run-until");
    await page.waitForFunction(() => document.querySelector("#problem").textContent.includes("did not become true"));
    await page.fill("#until", "x ==");
    await page.click("#run-until");
    await page.waitForFunction(() => !document.querySelector("#problem").textContent.includes("did not become"));
    // By a shortest way: as many steps as it takes, and no others.
    await page.fill("#until", "x == 0");
    await page.keyboard.press("Shift+Enter");
    await page.waitForFunction(() => document.querySelector('#values tr[data-name="x"] td').textContent === "0");
    const here = await kit.position(page);
    await page.fill("#until", "x == 3");
    await page.click("#run-shortest");
    await page.waitForFunction(() => document.querySelector('#values tr[data-name="x"] td').textContent === "3");
    same(await kit.position(page), here + 6, "three times a guard and x++");
    await page.fill("#until", "x == 77");
    await page.click("#run-shortest");
    await page.waitForFunction(() => document.querySelector("#problem").textContent.includes("no state from here on"));
    same(await kit.position(page), here + 6, "nothing was done");
    // In the middle of a run another one begins.
    await page.click("#undo");
    await kit.waitPosition(page, here + 5);
    await page.fill("#until", "x == 2");
    await page.click("#run-shortest");
    await page.waitForFunction((n) => document.querySelector(".where").textContent.includes(`of ${n}`), here + 5);
    // What is watched is worth something in each state.
    await page.fill("#watch", "x * 10");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".watches td");
    const now = Number((await kit.values(page)).x);
    same(Number(await page.textContent(".watches td")), 10 * now, "watched");
  });
}

async function testReasons() {
  await withPage(model("examples/promela/philosophers.pml"), async (page) => {
    const said = JSON.parse(kit.nutshell("check", model("examples/promela/philosophers.pml"), "--json"));
    await kit.check(page);
    const row = said.properties.find((p) => p.verdict === "violated");
    await page.click(`[data-property="${row.name}"]`);
    await page.waitForSelector("#ending.violated");
    const words = await page.textContent(".blocked");
    for (const blocked of row.blocked ?? [])
      expect(words.includes(blocked.because ?? ""), `${blocked.because}: ${words}`);
    expect((await page.textContent(".moves")).includes("Nothing"), "nothing can happen");
  });
}

async function testLasso() {
  await withPage(model("examples/promela/requests.pml"), async (page) => {
    await kit.check(page);
    await page.click('[data-property="answered"]');
    await page.waitForSelector(".chip.loop");
    const length = await kit.position(page);
    const last = await page.textContent("#state-name");
    expect(await page.$(".trace-row.loop-start"), "the loop is marked");
    await page.click("#redo");
    await page.waitForFunction((n) => document.querySelector("#position").textContent !== `after ${n} steps`, length);
    let at = await kit.position(page);
    expect(at < length, "round the loop");
    while (at < length) {
      await page.keyboard.press("r");
      await page.waitForFunction((n) => document.querySelector("#position").textContent !== `after ${n} steps`, at);
      at = await kit.position(page);
    }
    same(await page.textContent("#state-name"), last, "the same state after a round");
  });
}

// ---- traces --------------------------------------------------------------------

async function testManySteps() {
  await withPage(kit.scratch("m.pml", MANY), async (page, server) => {
    await page.uncheck("#option-coverage");
    same(await kit.check(page), "violated", "the verdict");
    await page.click('[data-property="assertions"]');
    await page.waitForSelector("#ending.violated");
    const length = await kit.position(page);
    expect(length > 100000, `${length} steps`);
    await page.waitForSelector(`[data-number="${length}"]`);
    const rows = await page.$$eval(".trace-row", (all) => all.length);
    expect(rows < 120, `${rows} rows are there`);
    await page.fill("#find", "n == 33333");
    await page.press("#find", "Enter");
    await page.waitForFunction(() => document.querySelector('#values tr[data-name="n"] td').textContent === "33333");
    const at = await kit.position(page);
    same(at, 2 * 33333, "where n is 33333");
    await page.waitForFunction((n) => document.querySelector(`[data-number="${n}"]`)?.textContent.includes("n = 33333"), at);
    // Any place can be scrolled to, and its steps are shown.
    await page.$eval("#trace", (e) => (e.scrollTop = 24 * 77776));
    await page.waitForFunction(() => document.querySelector('[data-number="77780"]')?.textContent.includes("n = 38890"));
    await page.click('[data-number="77780"]');
    await kit.waitPosition(page, 77780);
    same((await kit.values(page)).n, "38890", "n there");
    // The address bar cannot hold that, and says so; what Share makes can.
    expect(await page.isVisible("#no-address"), "it is told");
    await page.waitForFunction(() => !location.hash.includes("p="));
    await page.click("#share");
    await page.waitForFunction(() => document.querySelector("#address").value.includes("p="));
    const address = await page.inputValue("#address");
    const other = await kit.openPage(server, { address: address + "&token=" + server.token });
    same(await kit.position(other), 77780, "the same place");
    same((await kit.values(other)).n, "38890", "the same state");
    await kit.closePage(other);
    await page.click('[aria-label="First state"]');
    await kit.waitPosition(page, 0);
    expect(!(await page.isVisible("#no-address")), "a short way is in the address");
  });
}

async function testFilters() {
  await withPage(model("examples/promela/requests.pml"), async (page) => {
    await kit.check(page);
    await page.click('[data-property="answered"]');
    await page.waitForSelector(".chip.loop");
    await page.fill("#only", "serving, server");
    await page.press("#only", "Enter");
    await page.waitForFunction(() => / of 30 steps/.test(document.querySelector("#trace-said").textContent));
    // Rows are filled as they come, and again when they are made anew.
    await page.waitForFunction(() => {
      const texts = [...document.querySelectorAll("#trace .rows .trace-row")].map((r) => r.textContent);
      return texts.length && texts.every((t) => t.includes("serving") || t.includes("desk"));
    });
    await page.fill("#only", "nobody");
    await page.press("#only", "Enter");
    await page.waitForFunction(() => document.querySelector("#problem").textContent.includes("nobody"));
    await page.fill("#only", "");
    await page.press("#only", "Enter");
    await page.waitForFunction(() => document.querySelectorAll("#trace .rows .trace-row").length > 8);
    // Two runs beside each other.
    await page.click('[data-property="both_served"]');
    await page.waitForFunction(() => document.querySelector("#runs").selectedOptions[0]?.textContent === "both_served");
    await page.selectOption("#compare", { label: "answered" });
    await page.waitForFunction(() => /differ first|same steps/.test(document.querySelector("#trace-said").textContent));
    expect(await page.isVisible("#other"), "the other run");
    await page.$eval("#trace", (e) => (e.scrollTop = 60));
    await page.waitForFunction(() => {
      const [one, other] = ["#trace", "#other"].map((id) => document.querySelector(id));
      const room = Math.min(one.scrollHeight - one.clientHeight, other.scrollHeight - other.clientHeight);
      return Math.abs(one.scrollTop - other.scrollTop) < 30 && one.scrollTop >= Math.min(50, room - 1);
    });
  });
}

async function testExplained() {
  await withPage(model("examples/promela/requests.pml"), async (page) => {
    await page.check("#option-explain");
    await kit.check(page);
    await page.click('[data-property="answered"]');
    await page.waitForSelector(".chip.loop");
    await page.click("#matters");
    await page.waitForFunction(() => /^\d+ of 30 steps/.test(document.querySelector("#trace-said").textContent));
    const left = Number((await page.textContent("#trace-said")).match(/^\d+/)[0]);
    expect(left > 5 && left < 30, `${left} steps`);
    await page.focus("#trace");
    await page.keyboard.press("Home");
    await page.waitForFunction((n) => document.querySelectorAll("#trace .rows .trace-row").length === n, left);
    await page.waitForFunction(() => !document.querySelector("#trace .rows").textContent.includes("\u2026"));
    same(await page.$$eval("#trace .trace-row.folded", (all) => all.length), 0, "steps that do not matter");
    await page.click("#matters");
    await page.waitForSelector("#trace .trace-row.folded");
  });
  // Where nothing was explained there is nothing to fold.
  await withPage(kit.scratch("m.pml", COUNTER), async (page) => expect(await page.isDisabled("#matters"), "not explained"));
}

/** The trace above a drawing, and both follow. */
async function testBeside() {
  await withPage(model("examples/promela/requests.pml"), async (page) => {
    await kit.check(page);
    await page.click('[data-property="answered"]');
    await page.waitForSelector(".chip.loop");
    expect(!(await page.isVisible("#split")), "beside itself");
    await page.click("#tab-chart");
    await page.click("#split");
    await page.waitForSelector("svg.chart text.row");
    expect((await page.isVisible("#trace")) && (await page.isVisible("svg.chart .now")), "both are seen");
    const line = () => page.$eval("svg.chart .now", (e) => Number(e.getAttribute("y")));
    const last = await line();
    await page.waitForSelector('#trace [data-number="30"][aria-selected="true"]');
    await page.click('#trace [data-number="24"]');
    await kit.waitPosition(page, 24);
    await kit.until(async () => (await line()) < last);
    await page.waitForFunction(() => document.querySelector(".statement")?.textContent.includes("serving"));
    await page.click('svg.chart text.row >> text="9"');
    await page.waitForSelector('#trace [data-number="9"][aria-selected="true"]');
    await page.keyboard.press("b");
    await page.waitForFunction(() => document.querySelector("#panel-trace").hidden);
    await page.click("#tab-graph");
    await page.keyboard.press("b");
    await page.waitForFunction(() => !document.querySelector("#panel-trace").hidden);
    expect(await page.isVisible("[data-state].lit"), "the state, and the trace");
  });
}

// ---- drawings ------------------------------------------------------------------

async function testChart() {
  await withPage(model("examples/promela/requests.pml"), async (page) => {
    await kit.check(page);
    await page.click('[data-property="answered"]');
    await page.waitForSelector(".chip.loop");
    await page.click("#tab-chart");
    await page.waitForSelector("svg.chart text.row");
    await page.click('svg.chart text.row >> text="9"');
    await kit.waitPosition(page, 9);
    const line = await page.$eval("svg.chart .now", (e) => Number(e.getAttribute("y")));
    await page.keyboard.press("End");
    await kit.waitPosition(page, 30);
    const later = await page.$eval("svg.chart .now", (e) => Number(e.getAttribute("y")));
    expect(later > line, "the mark follows");
  });
}

async function testGraph() {
  await withPage(kit.scratch("m.pml", COUNTER), async (page, server) => {
    await page.click("#tab-graph");
    await page.waitForSelector("[data-state]");
    await page.click("#grow");
    await page.waitForFunction(() => document.querySelectorAll("[data-state]").length > 1);
    const first = await page.textContent("#state-name");
    const other = await page.$(`[data-state]:not(.lit)`);
    const name = await other.getAttribute("data-state");
    await other.click();
    await page.waitForFunction((n) => document.querySelector("#state-name").textContent === n.slice(0, 12), name);
    expect(first !== name.slice(0, 12), "another state");
    // All states, as many as the program counts, by clicking alone.
    const states = JSON.parse(kit.nutshell("count", server.model, "--json")).states;
    for (let i = 0; i < 40; i++) {
      const closed = await page.evaluate(() => {
        const node = document.querySelector("[data-state].closed");
        node?.focus();
        return node?.dataset.state;
      });
      if (!closed) break;
      await page.keyboard.press("Enter");
      await page.waitForFunction(
        (id) => !document.querySelector(`[data-state="${id}"]`).classList.contains("closed"), closed,
      );
      await page.waitForFunction((id) => document.activeElement.dataset.state === id, closed);
    }
    same(await page.$$eval("[data-state]", (all) => all.length), states, "states");
  });
}

async function testAutomata() {
  await withPage(kit.scratch("m.pml", COUNTER.replace("->", "->\n")), async (page) => {
    await page.click("#tab-automata");
    await page.waitForSelector(".node.lit");
    const before = await page.textContent(".node.lit");
    await page.keyboard.press("1");
    await kit.waitPosition(page, 1);
    await page.waitForFunction((w) => document.querySelector(".node.lit")?.textContent !== w, before);
  });
  await withPage(model("examples/pnml/mutex.pnml"), async (page) => {
    same(await page.textContent("#tab-automata"), "Net", "its name");
    expect(!(await page.textContent("main")).includes("net(0)"), "a net has no processes");
    await page.click("#tab-automata");
    await page.waitForSelector(".node.marked");
    const marked = () => page.$$eval(".node.marked", (all) => all.map((n) => n.querySelectorAll("text")[1].textContent).sort());
    const places = async () =>
      Object.entries(await kit.values(page)).filter(([, v]) => v === "1").map(([n]) => n).sort();
    for (let i = 0; i < 4; i++) {
      same(await marked(), await places(), "places with tokens");
      const fire = await page.$$eval(".node.transition.lit", (all) => all.map((n) => n.querySelector("text").textContent).sort());
      same(fire, await page.$$eval(".take code", (all) => all.map((n) => n.textContent).sort()), "what can fire");
      await page.keyboard.press("1");
      await kit.waitPosition(page, i + 1);
      await kit.waitIdle(page);
    }
  });
}

/** Several parts with places and transitions of the same names. */
async function testParts() {
  await withPage(model("tests/lpn/ring.lpn"), async (page) => {
    await page.click("#tab-automata");
    await page.waitForSelector(".node.marked");
    same(await page.$$eval(".title.part", (all) => all.map((t) => t.textContent)), ["a", "b", "c", "main"], "parts");
    for (let i = 0; i < 8; i++) {
      const values = Object.entries(await kit.values(page));
      const wanted = values.filter(([name, v]) => /\.p\d$/.test(name) && v === "1").length;
      same(await page.$$eval(".node.marked", (all) => all.length), wanted, `tokens after ${i} steps`);
      same(
        await page.$$eval(".node.transition.lit", (all) => all.length),
        await page.$$eval(".take", (all) => all.length), `what can fire after ${i} steps`,
      );
      await page.keyboard.press("1");
      await kit.waitPosition(page, i + 1);
    }
  });
}

/** A search by levels: what is to be expected, and what waits at each level. */
async function testForecast() {
  const text = `byte a, b, c;
active proctype P() { do :: a = (a + 1) % 250 :: a = (a + 7) % 250 od }
active proctype Q() { do :: b = (b + 1) % 250 od }
active proctype R() { do :: c = (c + 1) % 250 od }
`;
  await withPage(kit.scratch("m.pml", text), async (page) => {
    await page.uncheck("#option-coverage");
    await page.click("#tab-growth");
    await page.click("#check");
    await page.waitForFunction(() => /states expected/.test(document.querySelector("#figures").textContent));
    await page.waitForSelector('[aria-label^="waiting states by level"] canvas');
    await page.click("#cancel");
    same(await kit.verdict(page), "unknown", "the verdict");
  });
}

async function testGrowth() {
  await withPage(kit.scratch("m.pml", LONG), async (page) => {
    await page.click("#tab-growth");
    await page.click("#check");
    await page.waitForSelector(".uplot canvas");
    await page.waitForFunction(() => /states a second/.test(document.querySelector("#figures").textContent));
    await page.click("#cancel");
    same(await kit.verdict(page), "unknown", "the verdict");
  });
}

// ---- editing, checking, sharing ------------------------------------------------

async function testEdit() {
  const file = kit.scratch("m.pml", COUNTER);
  await withPage(file, async (page) => {
    await page.click(".cm-content");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("active proctype Q() { y = 1 }");
    await page.waitForSelector(".cm-lint-marker-error");
    await page.waitForFunction(() => document.querySelector("#problem").textContent.includes("y"));
    expect(await page.isDisabled("#check"), "what has errors is not checked");
    same(readFileSync(file, "utf8"), COUNTER, "nothing is written without being asked");
    for (let i = 0; i < 6; i++) await page.keyboard.press("Backspace");
    for (let i = 0; i < 1; i++) await page.keyboard.press("Backspace");
    await page.keyboard.type("x = 9 }");
    await page.waitForFunction(() => !document.querySelector(".cm-lint-marker-error"));
    await page.waitForFunction(() => !document.querySelector("#check").disabled);
    await page.click("#check");
    same(await kit.verdict(page), "holds", "the verdict");
    await page.click("#save");
    await page.waitForFunction(() => document.querySelector("#save").disabled);
    expect(readFileSync(file, "utf8").includes("x = 9"), "it is written");
    // Somebody else writes: that is not overwritten.
    await page.click(".cm-content");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("/* mine */");
    await page.waitForFunction(() => !document.querySelector("#save").disabled);
    writeFileSync(file, COUNTER + "/* theirs */\n");
    await page.click("#save");
    await page.waitForFunction(() => document.querySelector("#problem").textContent.includes("changed"));
    expect(readFileSync(file, "utf8").includes("theirs"), "it is not overwritten");
  });
}

async function testBroken() {
  await withPage(kit.scratch("m.pml", "byte x;\nactive proctype P() { y = 1 }\n"), async (page) => {
    await page.waitForSelector(".cm-lint-marker-error");
    expect((await page.textContent("#problem")).includes("line 2"), "where it is wrong");
    for (const id of ["#undo", "#redo", "#random"]) await page.click(id);
    for (const tab of ["chart", "graph", "automata", "growth", "trace"]) await page.click(`#tab-${tab}`);
    await page.click(".cm-content");
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("byte y; ");
    await page.waitForFunction(() => document.querySelector("#position")?.textContent === "after 0 steps");
    await page.click('[data-choice="0"]');
    await page.waitForFunction(() => document.querySelector('#values tr[data-name="y"] td').textContent === "1");
    same(await page.textContent("#position"), "after 1 step", "walked");
  });
  // What is typed while a check runs ends the check, which was of another model.
  await withPage(kit.scratch("m.pml", LONG), async (page) => {
    await page.click("#check");
    await page.waitForFunction(() => /states a second/.test(document.querySelector("#figures").textContent));
    await page.click(".cm-content");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("/* another */");
    await page.waitForFunction(() => document.querySelector("#verdict").textContent === "" && !document.querySelector("#check").disabled);
  });
}

async function testCoverage() {
  const text = "byte x;\nactive proctype P() {\n  do\n  :: x < 3 -> x++\n  :: x > 5 -> x = 0\n  :: x == 3 -> x = 1\n  od\n}\n";
  await withPage(kit.scratch("m.pml", text), async (page) => {
    await page.waitForSelector(".cm-line");
    await kit.check(page);
    await page.waitForSelector(".heat-never");
    expect((await page.textContent(".heat-never")).includes("x = 0") || (await page.textContent(".heat-never")).includes("x > 5"), "never executed");
    expect(await page.$(".heat-4, .heat-3, .heat-2, .heat-1"), "executed");
    await page.keyboard.press("1");
    await page.waitForSelector(".cm-line.executed");
    expect((await page.textContent(".cm-line.executed")).includes("x < 3"), "the step is marked");
  });
}

/** Statements, not lines: those since the state before. */
async function testStatements() {
  const text = `byte x, y; chan q = [0] of { byte };
active proctype P() { /* \u00e4\u20ac\u{1f600} */ x = 1; atomic { x = 2; y = 7 }; q!5 }
active proctype Q() { byte z; q?z }
`;
  await withPage(kit.scratch("m.pml", text), async (page) => {
    const marked = async (...wanted) => {
      await kit.until(async () => {
        const found = await page.$$eval(".statement", (all) => all.map((e) => e.textContent));
        return JSON.stringify(found) === JSON.stringify(wanted);
      });
    };
    await marked();
    await page.keyboard.press("1");
    await marked("x = 1");
    await page.keyboard.press("1");
    await marked("x = 2", "y = 7");
    await page.keyboard.press("1");
    await marked("q!5", "q?z");
    await page.keyboard.press("u");
    await marked("x = 2", "y = 7");
    await page.keyboard.press("Home");
    await marked();
  });
}

async function testCancel() {
  await withPage(kit.scratch("m.pml", LONG), async (page, server) => {
    await page.click("#check");
    await page.waitForFunction(() => /states/.test(document.querySelector("#figures").textContent));
    await page.keyboard.press("Escape");
    same(await kit.verdict(page), "unknown", "the verdict");
    // A page that is closed cancels its work.
    await page.click("#check");
    await page.waitForFunction(() => /states a second/.test(document.querySelector("#figures").textContent));
    await page.goto("about:blank");
    page.complaints = page.complaints.filter((c) => !c.includes("about:blank"));
    for (let id = 1; id < 40; id++) {
      let check = await server.call(`checks/${id}`);
      while (check.id && !check.done) {
        await new Promise((r) => setTimeout(r, 100));
        check = await server.call(`checks/${id}`);
      }
      if (check.id) same(check.report.reason, "interrupted", `check ${id}`);
    }
  }, "--time", "60");
}

async function testFormulas() {
  await withPage(kit.scratch("m.pml", COUNTER), async (page) => {
    const add = async (kind, formula) => {
      await page.selectOption("#kind", kind);
      await page.fill("#formula", formula);
      await page.click("#add");
      await page.waitForFunction(
        (f) => [...document.querySelectorAll("#properties tr")].some(
          (r) => r.textContent.includes(f) && /holds|violated/.test(r.querySelector("td")?.textContent ?? "")), formula);
      return page.$$eval("#properties tr", (rows, f) => rows.find((r) => r.textContent.includes(f)).querySelector("td").textContent, formula);
    };
    await page.check("#option-all_errors");
    expect((await add("ltl", "[] (x < 4)")).startsWith("holds"), "LTL");
    expect((await add("ltl", "<> (x == 3)")).startsWith("violated"), "LTL");
    expect((await add("ctl", "AG EF (x == 0)")).startsWith("holds"), "CTL");
    expect((await add("invariants", "x < 2")).startsWith("violated"), "invariant");
    expect((await add("reach", "x == 2")).startsWith("holds"), "reach");
    // In the state where one is.
    const here = await page.$$eval("#properties tr", (rows) => rows.find((r) => r.textContent.includes("x < 2"))?.querySelector(".here").textContent);
    same(here, "true", "x < 2 here");
    // What was entered can be taken away again.
    await page.click('[aria-label="Forget x < 2"]');
    await page.waitForFunction(() => !document.querySelector("#properties").textContent.includes("x < 2"));
    same(await kit.check(page), "violated", "without it");
    expect(!(await page.textContent("#properties")).includes("x < 2"), "it stays away");
    await page.selectOption("#kind", "ltl");
    await page.fill("#formula", "[] (");
    await page.click("#add");
    await page.waitForFunction(() => document.querySelector("#problem").textContent.includes("error"));
  });
}

async function testTree() {
  const file = kit.scratch("m.pml", `byte x; bool open;
active proctype P() { do :: x < 2 -> x++ :: x > 0 -> x-- :: x == 2 -> open = 1 :: open -> open = 0 od }
`);
  await withPage(file, async (page) => {
    await page.selectOption("#kind", "ctl");
    await page.fill("#formula", "AG (x == 2 -> AF open)");
    await page.click("#add");
    await page.waitForSelector(".tree li li");
    expect(/after step 4.*EG/.test(await page.textContent(".tree li li")), "the branch");
    await page.click('[data-property="ctl"][data-run="0"]');
    await kit.waitPosition(page, 4);
    same((await kit.values(page)).x, "2", "x where the run ends");
    await page.click('[data-property="ctl"][data-run="1"]');
    await page.waitForSelector(".chip.loop");
    await compareRun(page, file);
  });
}

async function testShare() {
  const file = model("examples/promela/requests.pml");
  const server = await kit.Server.start(file);
  try {
    const page = await kit.openPage(server);
    expect(!page.url().includes("token"), "the token has left the address");
    await kit.check(page);
    await page.click('[data-property="answered"]');
    await page.waitForSelector(".chip.loop");
    await page.click("#tab-graph");
    await page.click("#share");
    await page.waitForFunction(() => document.querySelector("#address").value.includes("p="));
    const address = await page.inputValue("#address");
    expect(!address.includes(server.token), "the token is not shared");
    const name = await page.textContent("#state-name");
    const other = await kit.openPage(server, { address: address + "&token=" + server.token });
    same(await other.textContent("#state-name"), name, "the same state");
    same(await other.getAttribute("#tab-graph", "aria-selected"), "true", "the same view");
    await kit.closePage(other);
    // Reloaded, it is where it was.
    await page.reload();
    await page.waitForSelector("body[data-ready]");
    same(await page.textContent("#state-name"), name, "after reloading");
    await kit.closePage(page);
  } finally {
    await server.stop();
  }
}

async function testExports() {
  const file = model("examples/promela/requests.pml");
  await withPage(file, async (page) => {
    await kit.check(page);
    await page.click('[data-property="answered"]');
    await page.waitForSelector(".chip.loop");
    const name = await page.textContent("#state-name");
    for (const item of ["Trace as JSON", "Trail for SPIN"]) {
      const trace = await kit.exported(page, item);
      expect(kit.nutshell("replay", file, trace, "-q").includes("steps"), item);
      await page.click("#undo");
      await page.setInputFiles("#trace-file", trace);
      await page.waitForFunction((n) => document.querySelector("#runs").selectedOptions[0]?.textContent === n, path.basename(trace));
      same(await page.textContent("#state-name"), name, `${item}, opened again`);
    }
    expect(readFileSync(await kit.exported(page, "Trace as text"), "utf8").includes("tick"), "text");
    expect(readFileSync(await kit.exported(page, "Chart as Mermaid"), "utf8").includes("sequenceDiagram"), "mermaid");
    const good = (text) =>
      page.evaluate((t) => {
        const read = new DOMParser().parseFromString(t, "image/svg+xml");
        return !read.querySelector("parsererror") && read.querySelectorAll("text").length > 3;
      }, text.replace(/<style>[^<]*<\/style>/, ""));
    expect(await good(readFileSync(await kit.exported(page, "Chart as SVG"), "utf8")), "chart");
    for (const tab of ["chart", "graph", "automata"]) {
      await page.click(`#tab-${tab}`);
      await page.waitForSelector(`#panel-${tab} svg text`);
      if (tab === "graph") {
        await page.click("#graph-run");
        await page.waitForFunction(() => document.querySelectorAll("[data-state]").length > 5);
      }
      expect(await good(readFileSync(await kit.exported(page, "Drawing as SVG"), "utf8")), `${tab} as SVG`);
      const png = readFileSync(await kit.exported(page, "Drawing as PNG"));
      expect(png.subarray(1, 4).toString() === "PNG" && png.length > 2000, `${tab} as PNG`);
      const size = await page.evaluate(async (data) => {
        const image = new Image();
        image.src = "data:image/png;base64," + data;
        await image.decode();
        return image.width * image.height;
      }, png.toString("base64"));
      expect(size > 10000, `${tab}: a picture of ${size} pixels`);
    }
  });
}

// ---- everybody -----------------------------------------------------------------

async function testAccessible() {
  for (const colorScheme of ["light", "dark"]) {
    const server = await kit.Server.start(model("examples/promela/requests.pml"));
    try {
      const page = await kit.openPage(server, { colorScheme, bypassCSP: true });
      await kit.check(page);
      await page.click('[data-property="answered"]');
      await page.waitForSelector(".chip.loop");
      await page.addScriptTag({ content: kit.AXE });
      for (const tab of ["trace", "chart", "graph", "automata", "growth"]) {
        await page.click(`#tab-${tab}`);
        await page.waitForTimeout(200);
        const found = await page.evaluate(async () => {
          const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
          return violations
            .filter((v) => ["serious", "critical"].includes(v.impact))
            .map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(" | ")}`);
        });
        same(found, [], `${colorScheme}, ${tab}`);
      }
      await kit.closePage(page);
    } finally {
      await server.stop();
    }
  }
}

// ---- safe ----------------------------------------------------------------------

async function testMarkup() {
  const wild = "<img src=x onerror=alert(1)>";
  const text = `mtype = { a };
active proctype P() { printf("${wild}\\n"); printf("<script>alert(2)</script>\\n"); assert(false) }
/* </script>${wild} */
`;
  await withPage(kit.scratch("<img onerror=alert(3)>.pml", text), async (page) => {
    await kit.check(page);
    await page.click('[data-property="assertions"]');
    await page.waitForSelector("#ending.violated");
    await page.waitForFunction(() => document.querySelector("#trace").textContent.includes("<img src=x onerror"));
    for (const tab of ["graph", "automata", "growth", "chart"]) {
      await page.click(`#tab-${tab}`);
      await page.waitForTimeout(150);
    }
    await page.check("#local");
    await page.waitForFunction(() => document.querySelector("svg.chart:not(.lanes-head)").textContent.includes("<script>"));
    same(await page.$$eval("body img, body script, body iframe", (all) => all.length), 0, "elements made of text");
  });
  const net = readFileSync(model("examples/pnml/mutex.pnml"), "utf8").replaceAll('"busy1"', '"&lt;img/src=x onerror=alert(4)&gt;"').replaceAll("busy1", "&lt;img/src=x");
  const server = await kit.Server.start(kit.scratch("n.pnml", net)).catch(() => null);
  if (!server) return;
  try {
    const page = await kit.openPage(server);
    await page.click("#tab-automata");
    await page.waitForTimeout(200);
    same(await page.$$eval("body img", (all) => all.length), 0, "elements made of names");
    await kit.closePage(page);
  } finally {
    await server.stop();
  }
}

/** Light, dark, and as the system has it, which may change. */
async function testColours() {
  await withPage(kit.scratch("m.pml", COUNTER), async (page) => {
    const paper = () => page.evaluate(() => getComputedStyle(document.querySelector(".pane")).backgroundColor);
    const light = await paper();
    await page.emulateMedia({ colorScheme: "dark" });
    await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
    const dark = await paper();
    expect(light !== dark, "dark is another colour");
    await page.click("#theme");
    same([await page.textContent("#theme"), await paper()], ["Light", light], "light in a dark system");
    await page.click("#theme");
    await page.emulateMedia({ colorScheme: "light" });
    same([await page.textContent("#theme"), await paper()], ["Dark", dark], "dark in a light system");
    await page.reload();
    await page.waitForSelector("body[data-ready]");
    same(await paper(), dark, "after reloading");
  });
}

/** A page of somebody else, in the same browser, that tries to get in. */
async function testForeign() {
  const server = await kit.Server.start(kit.scratch("m.pml", COUNTER));
  const port = new URL(server.base).port;
  const other = http.createServer((_, answer) => {
    answer.setHeader("Content-Type", "text/html");
    answer.end("<!DOCTYPE html><title>foreign</title>");
  });
  await new Promise((done) => other.listen(0, "127.0.0.1", done));
  try {
    const page = await kit.openPage(server);
    const foreign = await page.context().newPage();
    await foreign.goto(`http://localhost:${other.address().port}/`);
    const got = await foreign.evaluate(async ([base, token]) => {
      const out = [];
      const attempt = async (name, settings) => {
        try {
          const r = await fetch(base + "/api/v1/model", settings);
          const text = await r.text();
          out.push(`${name}: ${r.type} ${text.length}`);
        } catch (e) {
          out.push(`${name}: failed`);
        }
      };
      await attempt("plain", {});
      await attempt("token", { headers: { Authorization: "Bearer " + token } });
      await attempt("no-cors", { mode: "no-cors" });
      const frame = document.createElement("iframe");
      frame.src = base + "/";
      document.body.append(frame);
      await new Promise((r) => setTimeout(r, 500));
      let inside = "nothing";
      try {
        inside = frame.contentDocument ? "readable" : "nothing";
      } catch {
        inside = "nothing";
      }
      out.push(`frame: ${inside}`);
      const script = document.createElement("script");
      out.push(await new Promise((done) => {
        script.onload = () => done("script: loaded");
        script.onerror = () => done("script: failed");
        script.src = base + "/page.js";
        document.body.append(script);
      }));
      return out;
    }, [server.base, server.token]);
    same(got, ["plain: failed", "token: failed", "no-cors: failed", "frame: nothing", "script: failed"], "a foreign page");
    // A name that leads here is not ours.
    const rebound = await page.context().newPage();
    const answer = await rebound.goto(`http://evil.example:${port}/`);
    same(answer.status(), 421, "another name");
    const status = await rebound.evaluate(async (token) => {
      const r = await fetch("/api/v1/model", { headers: { Authorization: "Bearer " + token } });
      return r.status;
    }, server.token);
    same(status, 421, "another name, with the token");
    await page.context().close();
  } finally {
    other.close();
    await server.stop();
  }
}

async function testToken() {
  const server = await kit.Server.start(kit.scratch("m.pml", COUNTER));
  try {
    const page = await kit.openPage(server);
    await page.evaluate(() => sessionStorage.clear());
    await page.reload();
    await page.waitForSelector("#token");
    await page.fill("#token", server.address);
    await page.keyboard.press("Enter");
    await page.waitForSelector("body[data-ready]");
    await kit.closePage(page);
  } finally {
    await server.stop();
  }
}

/** Gives the address to the desktop where there is one, unless told not to. */
async function testOpening() {
  const file = kit.scratch("m.pml", COUNTER);
  const folder = path.dirname(kit.scratch("x"));
  const told = path.join(folder, "told");
  const tool = path.join(folder, "xdg-open");
  const none = { DISPLAY: undefined, WAYLAND_DISPLAY: undefined };
  const opened = () => (existsSync(told) ? readFileSync(told, "utf8") : "");
  for (const [words, display, status, wanted] of [
    [[], { DISPLAY: ":77" }, 0, true], [[], { WAYLAND_DISPLAY: "w" }, 3, true],
    [[], {}, 0, false], [["--no-open"], { DISPLAY: ":77" }, 0, false],
  ]) {
    writeFileSync(told, "");
    writeFileSync(tool, `#!/bin/sh\nprintf '%s|%s' "$#" "$1" >'${told}.new'\nmv '${told}.new' '${told}'\nexit ${status}\n`);
    chmodSync(tool, 0o755);
    const server = new kit.Server();
    await server.begin([file, ...words], { ...process.env, ...none, ...display, PATH: `${folder}:${process.env.PATH}` });
    try {
      if (wanted) await kit.until(() => opened());
      else await server.call("model");
      same(opened(), wanted ? `1|${server.address}` : "", JSON.stringify([words, display]));
      same((await server.call("model")).good, true, "it serves");
    } finally {
      await server.stop();
    }
  }
}

// ---- all -----------------------------------------------------------------------

/** The sources of the page mean what they say. */
function testTypes() {
  const folder = path.join(kit.BUILD, "page-node");
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "--noEmit", "-p", "."], { cwd: folder, stdio: "pipe" });
}

const tests = [
  ["types", testTypes],
  ...MODELS.map((name) => [`values of ${name}`, () => testModel(name)]),
  ["keyboard only", testKeyboard],
  ["walk", testWalk],
  ["reasons", testReasons],
  ["lasso", testLasso],
  ["a hundred thousand steps", testManySteps],
  ["filters and two runs", testFilters],
  ["what matters", testExplained],
  ["a drawing beside the trace", testBeside],
  ["chart", testChart],
  ["graph of states", testGraph],
  ["processes and nets", testAutomata],
  ["nets of several parts", testParts],
  ["growth", testGrowth],
  ["forecast", testForecast],
  ["edit and save", testEdit],
  ["a model with errors", testBroken],
  ["coverage", testCoverage],
  ["statements", testStatements],
  ["cancel", testCancel],
  ["formulas", testFormulas],
  ["trees of CTL", testTree],
  ["share", testShare],
  ["exports", testExports],
  ["accessible", testAccessible],
  ["colours", testColours],
  ["text is no markup", testMarkup],
  ["foreign pages", testForeign],
  ["token", testToken],
  ["a browser is opened", testOpening],
];

await kit.openBrowser();
let status = 1;
try {
  status = await kit.run(tests, process.argv.slice(2));
} finally {
  await kit.closeBrowser();
}
process.exit(status);
