import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { benchmarksPage } from "./benchmarks.js";
import { contentionPage } from "./contention.js";
import { readFigures } from "./figures.js";
import { wrapped } from "./markdown.js";
import { recovery } from "./recovery.js";

/** Between these marks of docs/operations.md a program writes, too. */
const BETWEEN = /(?<=<!-- npm run pages -->\n).*(?=<!-- end -->)/s;

/** The pages that are made of figures, by their paths, as they should be now. */
export function pages(docs: string): Record<string, string> {
  const published = readFigures(docs);
  const operations = `${docs}/operations.md`;
  return {
    [`${docs}/benchmarks.md`]: benchmarksPage(published),
    [`${docs}/contention.md`]: contentionPage(published),
    ...(existsSync(operations) && {
      [operations]: readFileSync(operations, "utf8").replace(BETWEEN, () => `\n${wrapped(recovery(published))}\n\n`),
    }),
  };
}

export function writePages(docs: string): void {
  for (const [path, text] of Object.entries(pages(docs))) writeFileSync(path, text);
}
