import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { layout } from "./layout.js";
import { llmsTxt } from "./llms.js";
import { markdownOf, projectFolder, readSite } from "./pages.js";
import { render } from "./render.js";

/**
 * Writes the documentation as a static site: `node dist/site/main.js [project] [target]`, as part of the build without
 * either. The same pages give the same files.
 */
const [root = projectFolder, folder = join(projectFolder, "dist/docs")] = process.argv.slice(2);
const write = (name: string, text: string) => {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

rmSync(folder, { recursive: true, force: true });
const site = readSite(root);
const found: object[] = [];
for (const page of site.pages) {
  const rendered = render(page, site);
  write(`${page.name}.html`, layout(page, rendered, site));
  write(`${page.name}.md`, markdownOf(page, site));
  // The index has nothing that other pages do not say.
  if (page.name === "index") continue;
  for (const { anchor, text, body, depth } of rendered.sections)
    found.push({ at: `${page.name}.html#${anchor}`, page: page.title, heading: depth > 1 ? text : "", text: body });
}
write("search.json", JSON.stringify(found));
write("llms.txt", llmsTxt(site));
cpSync(join(root, "site/assets"), folder, { recursive: true });
cpSync(join(root, "console/public/icon.svg"), join(folder, "icon.svg"));
const minisearch = dirname(createRequire(import.meta.url).resolve("minisearch"));
cpSync(join(minisearch, "../es/index.js"), join(folder, "minisearch.js"));
