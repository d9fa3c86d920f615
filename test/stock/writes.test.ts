import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../../activities", import.meta.url));

/** The files that write to table inventory, and why. */
const writers: Record<string, string> = {
  "stock/stock.ts": "every change of stock on hand, and of what is allocated of it",
  "stock/reserve-rows.ts": "the SQL of what is allocated, for those who reserve and release",
  "stock/doubts.ts": "what pickers looked for in vain, and what of it was counted",
  "stock/moves.ts": "a move inserts the rows that it locks",
  "stock/merge-rows.ts": "the rows of two lots that are one; what may be sold then goes to the orders that wait",
  "lots/lots.ts": "the condition and the last day of a lot are those of its rows",
  "lots/too-old.ts": "the day after which rows are sold no more",
  "lots/withdraw.ts": "rows that are sold no more, which makes nothing available",
  "master-data/items.ts": "an item that has no stock takes its empty rows with it",
  "master-data/bins.ts": "a bin that has no stock takes its empty rows with it",
  "remove-warehouses.ts": "the stock of the demo, and of a sandbox, goes with its warehouses",
};

const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));

/** A statement that writes to stock rows, whichever column. */
const aWrite = /\b(insert\s+into|update|delete\s+from|merge\s+into)\s+inventory\b/i;

const filesWith = (pattern: RegExp) =>
  files
    .filter(({ text }) => pattern.test(text))
    .map(({ name }) => name)
    .sort();

describe("stock rows", () => {
  it("are written only where the orders that wait are tested, or nothing increases", () => {
    assert.deepEqual(filesWith(aWrite), Object.keys(writers).sort());
  });

  it("increase only where the orders that wait will be tested", () => {
    assert.deepEqual(filesWith(/ as StockIncrease\b/), ["stock/backorders.ts"]);
  });

  it("are released by SQL of three files, which require the proof", () => {
    assert.deepEqual(filesWith(/\breleaseRows\(/), [
      ...["stock/holds.ts", "stock/reservations.ts", "stock/transfer-reservations.ts"],
    ]);
  });

  it("would be missed in no new file", () => {
    for (const text of [
      "update inventory set quantity_allocated = quantity_allocated - $1",
      "UPDATE inventory i SET quantity_on_hand = 5",
      "insert into inventory (item_id) values ($1)",
      "delete from inventory where true",
    ])
      assert.match(text, aWrite);
    assert.doesNotMatch("update inventory_adjustments set status = 'APPROVED'", aWrite);
  });
});

describe("the counters of sales order lines", () => {
  it("are written in one file", () => {
    const aWrite = /\bupdate\s+sales_order_lines\b[^`]*?\bquantity_(allocated|picked|packed|shipped|received)\s*=/i;
    assert.deepEqual(filesWith(aWrite), ["stock/line-counters.ts"]);
  });
});

describe("sales orders", () => {
  it("note the time of every change: lists are asked for what changed since", () => {
    const changes = files.flatMap(({ name, text }) =>
      [...text.matchAll(/\bupdate\s+sales_orders\b[\s\S]*?\bwhere\b/gi)].map(([sets]) => ({ name, sets })),
    );
    assert.ok(changes.length >= 17);
    for (const { name, sets } of changes) assert.match(sets, /\bupdated_at = clock_timestamp\(\)/, name);
    // A push writes the columns that its mapping names.
    const push = files.find(({ name }) => name === "inbound/order-headers.ts");
    assert.match(push?.text ?? "", /\{ updated_at: "clock_timestamp\(\)" \}[\s\S]*?updateRow\(/);
  });
});
