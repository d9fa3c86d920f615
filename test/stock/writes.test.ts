import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../../activities", import.meta.url));

/** The files that write to table inventory, and why. */
const writers: Record<string, string> = {
  "stock/stock.ts": "every change of stock on hand",
  "stock/moves.ts": "a move inserts the rows that it locks",
  "stock/reservations.ts": "claims of order lines, together with the lines",
  "picking/scan.ts": "a confirmed pick is one statement with its task, shares and lines, and only takes",
  "master-data/items.ts": "an item that has no stock takes its empty rows with it",
  "master-data/bins.ts": "a bin that has no stock takes its empty rows with it",
};

describe("stock rows", () => {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
  const matching = (pattern: RegExp) =>
    files
      .filter(({ text }) => pattern.test(text))
      .map(({ name }) => name)
      .sort();

  it("are written only by those who test the orders that wait, or who raise nothing", () => {
    const aWrite = /\b(insert\s+into|update|delete\s+from)\s+inventory\b/i;
    assert.deepEqual(matching(aWrite), Object.keys(writers).sort());
  });

  it("rise only for who has locked the orders that wait", () => {
    assert.deepEqual(matching(/ as Rise\b/), ["stock/backorders.ts"]);
  });
});
