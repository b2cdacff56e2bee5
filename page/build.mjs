// Bundles the page: node build.mjs TARGET
import { build } from "esbuild";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

const target = process.argv[2];
await mkdir(target, { recursive: true });
await build({
  entryPoints: ["src/main.ts"],
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2021",
  legalComments: "eof",
  outfile: path.join(target, "page.js"),
  logLevel: "warning",
});
const own = await readFile("page.css", "utf8");
const plot = await readFile("node_modules/uplot/dist/uPlot.min.css", "utf8");
await writeFile(path.join(target, "page.css"), plot + "\n" + own);
for (const name of ["index.html", "icon.svg"])
  await copyFile(name, path.join(target, name));
