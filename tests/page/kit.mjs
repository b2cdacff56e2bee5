// What the tests of the page share: a browser, servers, and how results are told.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
export const NUTSHELL = process.env.NUTSHELL;
export const BUILD = path.dirname(NUTSHELL);
const require = createRequire(path.join(BUILD, "page-node", "x.js"));
const { chromium } = require("playwright-core");
export const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const PATIENCE = Number(process.env.NUT_PATIENCE ?? 120000);
export const SCRATCH = mkdtempSync(path.join(os.tmpdir(), "nutshell-page-"));

export function scratch(name, text) {
  const folder = mkdtempSync(path.join(SCRATCH, "x"));
  const file = path.join(folder, name);
  if (text !== undefined) writeFileSync(file, text);
  return file;
}

/** What the program prints; its status does not matter. */
export function nutshell(...words) {
  try {
    return execFileSync(NUTSHELL, words, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 30 });
  } catch (error) {
    return error.stdout;
  }
}

export function expect(condition, what) {
  if (!condition) throw new Error(typeof what === "string" ? what : JSON.stringify(what));
}

export function same(a, b, what) {
  expect(JSON.stringify(a) === JSON.stringify(b), `${what}: ${JSON.stringify(a)}, not ${JSON.stringify(b)}`);
}

/** Waits until something is there; tests have no other clock than patience. */
export async function until(done) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const found = await done();
    if (found) return found;
    expect(Date.now() < end, "it never came");
    await new Promise((r) => setTimeout(r, 20));
  }
}

let browser;

export async function openBrowser() {
  browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync",
      "--host-resolver-rules=MAP evil.example 127.0.0.1",
    ],
  });
}

export async function closeBrowser() {
  await browser?.close();
  rmSync(SCRATCH, { recursive: true, force: true });
}

/** 'nutshell explore' of a model. */
export class Server {
  static async start(model, ...words) {
    const server = new Server();
    server.model = model;
    await server.begin(["--no-open", model, ...words]);
    return server;
  }

  async begin(words, env = process.env) {
    this.process = spawn(NUTSHELL, ["explore", ...words], {
      cwd: ROOT, stdio: ["ignore", "pipe", "inherit"], env,
    });
    this.address = await new Promise((good, bad) => {
      let said = "";
      this.process.stdout.on("data", (d) => {
        said += d;
        if (said.includes("\n")) good(said.trim());
      });
      this.process.once("exit", () => bad(new Error("the server has ended")));
    });
    this.base = this.address.replace(/\/#.*/, "");
    this.token = this.address.replace(/.*token=/, "");
  }

  async call(what, body) {
    const answer = await fetch(`${this.base}/api/v1/${what}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { Authorization: `Bearer ${this.token}`, "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    return answer.json();
  }

  async stop() {
    if (this.process.exitCode !== null) return;
    const gone = new Promise((done) => this.process.once("exit", done));
    this.process.kill("SIGINT");
    await gone;
  }
}

/** A page in a context of its own; complaints of the browser are failures. */
export async function openPage(server, settings = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 }, acceptDownloads: true, ...settings,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.complaints = [];
  page.on("pageerror", (e) => page.complaints.push(`error: ${e.message}`));
  page.on("console", (m) => {
    // Refusals of the API are answers, too.
    if (m.type() === "error" && !/status of 4\d\d/.test(m.text())) page.complaints.push(m.text());
  });
  page.on("dialog", (d) => {
    page.complaints.push(`dialog: ${d.message()}`);
    void d.dismiss();
  });
  page.on("request", (r) => {
    if (!r.url().startsWith(server.base) && !/^(blob|data):/.test(r.url()))
      page.complaints.push(`asked ${r.url()}`);
  });
  await page.goto(settings.address ?? server.address);
  await page.waitForSelector("body[data-ready]");
  return page;
}

export async function closePage(page) {
  same(page.complaints, [], "complaints of the browser");
  await page.context().close();
}

/** Runs work with a server and a page of a model. */
export async function withPage(model, work, ...words) {
  const server = await Server.start(model, ...words);
  try {
    const page = await openPage(server);
    await work(page, server);
    await closePage(page);
  } finally {
    await server.stop();
  }
}

// ---- what a person sees and does -----------------------------------------------

export async function values(page) {
  return page.$$eval("#values tr[data-name]", (rows) =>
    Object.fromEntries(rows.map((r) => [r.dataset.name, r.querySelector("td").textContent])),
  );
}

/** The values after so many steps, as soon as these are shown. */
export async function valuesAt(page, at) {
  const handle = await page.waitForFunction((n) => {
    const where = document.querySelector("#position");
    if (Number(where?.textContent.replace(/\D+/g, "") ?? -1) !== n) return null;
    const rows = document.querySelectorAll("#values tr[data-name]");
    return Object.fromEntries([...rows].map((r) => [r.dataset.name, r.querySelector("td").textContent]));
  }, at);
  return handle.jsonValue();
}

export async function position(page) {
  const words = await page.textContent("#position");
  return Number(words.replace(/\D+/g, ""));
}

export async function waitPosition(page, at) {
  await page.waitForFunction(
    (n) => Number(document.querySelector("#position")?.textContent.replace(/\D+/g, "") ?? -1) === n, at,
  );
}

/** Checks, and waits for the verdict. */
export async function check(page) {
  const before = await page.getAttribute("#verdict", "data-check");
  await page.click("#check");
  return verdict(page, before);
}

/** The verdict of a check, other than one that was there before. */
export async function verdict(page, before = "") {
  const found = await page.waitForFunction((old) => {
    const { textContent, dataset } = document.querySelector("#verdict");
    const done = ["holds", "violated", "unknown", "error"].includes(textContent) && dataset.check !== old;
    return done ? textContent : null;
  }, before);
  return found.jsonValue();
}

/** Takes a file away by the menu; its path. */
export async function exported(page, item) {
  await page.click("#export");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.click(`#export-list >> text="${item}"`),
  ]);
  const file = scratch(download.suggestedFilename());
  await download.saveAs(file);
  return file;
}

export async function waitIdle(page) {
  await page.waitForTimeout(30);
}

// ---- tests ---------------------------------------------------------------------

export async function run(tests, words) {
  const patterns = words.filter((w) => !w.startsWith("--"));
  let passed = Number(process.env.NUT_PAGE_PASSED ?? 0);
  let failed = Number(process.env.NUT_PAGE_FAILED ?? 0);
  for (const [name, test] of tests) {
    if (patterns.length && !patterns.some((p) => name.includes(p.replace(/\*/g, "")))) continue;
    // A browser may be asked just when it draws: what fails is tried once more,
    // and said to have failed.
    let wrong = "first";
    for (let tries = 0; wrong && tries < 2; tries++) {
      try {
        await test();
        wrong = "";
      } catch (error) {
        wrong = String(error.stack ?? error);
        if (!tries) console.log(`# ${name}: once more after ${wrong.split("\n")[0]}`);
      }
    }
    console.log(`${wrong ? "not ok" : "ok"} ${passed + failed + 1} - ${name}`);
    for (const line of wrong.split("\n").filter(Boolean).slice(0, 12)) console.log(`# ${line}`);
    if (wrong) failed++;
    else passed++;
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed || !passed ? 1 : 0;
}
