// Bundles the page: node build.mjs TARGET
import { build } from "esbuild";
import { copyFile, mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import path from "node:path";

// The licences of the packages that are in the bundle.
async function licences(inputs) {
  const packages = new Set(
    Object.keys(inputs)
      .map((file) => /^node_modules\/(@[^/]+\/[^/]+|[^/]+)/.exec(file)?.[0])
      .filter(Boolean),
  );
  let out = "The page of Nutshell contains these packages, under their licences.\n";
  for (const folder of [...packages].sort()) {
    const about = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8"));
    const file = (await readdir(folder)).find((name) => /^licen[sc]e/i.test(name));
    const words = file ? await readFile(path.join(folder, file), "utf8") : about.license;
    out += `\n---- ${about.name} ${about.version}, ${about.license}\n\n${words.trim()}\n`;
  }
  return out;
}

const target = process.argv[2];
await mkdir(target, { recursive: true });
const { metafile } = await build({
  metafile: true,
  entryPoints: ["src/main.ts"],
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2021",
  legalComments: "eof",
  outfile: path.join(target, "page.js"),
  logLevel: "warning",
});
await writeFile(path.join(target, "LICENSES.txt"), await licences(metafile.inputs));
const own = await readFile("page.css", "utf8");
const plot = await readFile("node_modules/uplot/dist/uPlot.min.css", "utf8");
await writeFile(path.join(target, "page.css"), plot + "\n" + own);
for (const name of ["index.html", "icon.svg"])
  await copyFile(name, path.join(target, name));
