import type { Published } from "./figures.js";
import { chapter, markdownTable } from "./markdown.js";

/** What measures it: test/cluster/cluster.test.ts. */
export const RECOVERY = 'WRITE_FIGURES=1 npm run test:cluster -- -g "each killed"';

/** On docs/benchmarks.md, and between its two marks in docs/operations.md. */
export const recovery = (published: Published): string =>
  chapter(published.recovery, RECOVERY, (seconds) => [
    markdownTable(["What happens", "Seconds"], Object.entries(seconds)),
    "Nothing was lost, done twice or sent out of order, and no wave stayed open.",
  ]);
