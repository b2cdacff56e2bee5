// Pictures of all views, light and dark, on a laptop and on a wall, for somebody
// to look at: NUTSHELL=build/nutshell node tests/page/pictures.mjs FOLDER

import { mkdirSync } from "node:fs";
import path from "node:path";
import * as kit from "./kit.mjs";

const SIZES = [[1280, 800], [1920, 1080]];
const LONG = `byte a, b, c; int n;
active [3] proctype P() { do :: a++ :: b++ :: c++ :: n < 4000 -> n++ od; assert(a + b + c + n) }
active proctype Q() { do :: a + b + c > 600 -> n = 0 :: a > b && c > n -> a = 0 od }
`;

async function first(page) {
  await kit.check(page);
  await page.click((await page.$("[data-property]")) ? "[data-property] >> nth=0" : "#random");
  await page.waitForTimeout(500);
}

async function tab(page, name) {
  await page.click(`#tab-${name}`);
  await page.waitForTimeout(400);
}

const VIEWS = {
  trace: ["examples/promela/requests.pml", async (page) => {
    await page.check("#option-explain");
    await first(page);
  }],
  deadlock: ["examples/promela/philosophers.pml", first],
  chart: ["examples/promela/producer_consumer.pml", async (page) => {
    await page.fill("#steps", "40");
    await page.click("#random");
    await tab(page, "chart");
  }],
  states: ["examples/promela/requests.pml", async (page) => {
    await first(page);
    await tab(page, "graph");
    await page.click("#graph-run");
    await page.waitForTimeout(400);
    await page.click("#grow");
    await page.waitForTimeout(400);
  }],
  processes: ["examples/promela/alternating_bit.pml", async (page) => {
    await page.click("#random");
    await page.waitForTimeout(300);
    await tab(page, "automata");
  }],
  net: ["examples/pnml/mutex.pnml", async (page) => {
    await page.keyboard.press("1");
    await tab(page, "automata");
  }],
  growth: [null, async (page) => {
    await page.uncheck("#option-coverage");
    await tab(page, "growth");
    await page.click("#check");
    await page.waitForTimeout(4000);
    await page.keyboard.press("Escape");
    await kit.verdict(page);
    await page.waitForTimeout(300);
  }],
  compare: ["examples/promela/requests.pml", async (page) => {
    await first(page);
    await page.click('[data-property="both_served"]');
    await page.waitForTimeout(300);
    await page.selectOption("#compare", { label: "answered" });
    await page.waitForTimeout(400);
  }],
  error: ["examples/promela/peterson.pml", async (page) => {
    await page.click(".cm-content");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("active proctype wrong() { y = 1 }");
    await page.waitForSelector(".cm-lint-marker-error");
    await page.waitForTimeout(300);
  }],
  help: ["examples/promela/peterson.pml", async (page) => {
    await page.keyboard.press("?");
  }],
};

const [folder, ...chosen] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
await kit.openBrowser();
try {
  for (const [name, [model, work]] of Object.entries(VIEWS)) {
    if (chosen.length && !chosen.includes(name)) continue;
    const file = model ?? kit.scratch("growing.pml", LONG);
    const server = await kit.Server.start(file);
    for (const [width, height] of SIZES)
      for (const colorScheme of ["light", "dark"]) {
        const page = await kit.openPage(server, { viewport: { width, height }, colorScheme });
        await work(page);
        await page.screenshot({ path: path.join(folder, `${name}-${colorScheme}-${width}.png`) });
        await kit.closePage(page);
      }
    await server.stop();
  }
  await kit.closeBrowser();
} catch (error) {
  console.error(error);
  await kit.closeBrowser();
  process.exit(1);
}
process.exit(0);
