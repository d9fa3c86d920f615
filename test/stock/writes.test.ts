import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../../activities", import.meta.url));

/** The files that write to table inventory, and why. */
const writers: Record<string, string> = {
  "stock/stock.ts": "every change of stock on hand, and of what is allocated of it",
  "stock/moves.ts": "a move inserts the rows that it locks",
  "master-data/items.ts": "an item that has no stock takes its empty rows with it",
  "master-data/bins.ts": "a bin that has no stock takes its empty rows with it",
};

const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));

const filesWith = (pattern: RegExp) =>
  files
    .filter(({ text }) => pattern.test(text))
    .map(({ name }) => name)
    .sort();

describe("stock rows", () => {
  it("are written only where the orders that wait are tested, or nothing increases", () => {
    const aWrite = /\b(insert\s+into|update|delete\s+from)\s+inventory\b/i;
    assert.deepEqual(filesWith(aWrite), Object.keys(writers).sort());
  });

  it("increase only where the orders that wait are locked", () => {
    assert.deepEqual(filesWith(/ as StockIncrease\b/), ["stock/backorders.ts"]);
  });
});

describe("the counters of sales order lines", () => {
  it("are written in one file", () => {
    const aWrite = /\bupdate\s+sales_order_lines\b[^`]*?\bquantity_(allocated|picked|packed|shipped|received)\s*=/i;
    assert.deepEqual(filesWith(aWrite), ["sales-orders/line-counters.ts"]);
  });
});
