import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import csvDrop from "../../src/connectors/built-in/csv-drop.js";
import { inventory } from "../../src/connectors/csv/inventory.js";
import { items } from "../../src/connectors/csv/items.js";
import { orders } from "../../src/connectors/csv/orders.js";
import { columns } from "../../src/inbound/columns.js";
import type { Columns } from "../../src/platform/pushed-columns.js";
import { bin } from "../support/fixtures.js";
import { openService, type TestService } from "../support/service.js";
import { type CsvDrop, openCsvDrop } from "../support/shops/csv.js";
import { connectedWarehouse } from "../support/shops/sync.js";

describe("docs/connectors-csv.md", () => {
  const sections = new Map<string, string>();
  let service: TestService;
  let drop: CsvDrop;
  before(async () => {
    const text = await readFile(new URL("../../../docs/connectors-csv.md", import.meta.url), "utf8");
    for (const section of text.split("\n## ")) sections.set(section.slice(0, section.indexOf("\n")), section);
    service = await openService();
    drop = await openCsvDrop();
  });
  after(async () => {
    await drop.close();
    await service.close();
  });

  const section = (name: string) => sections.get(name) ?? assert.fail(`no section ${name}`);
  const example = (name: string) =>
    /```csv\n([\s\S]*?)```/.exec(section(name))?.[1] ?? assert.fail(`no file in ${name}`);

  it("has examples that are read as they stand", async () => {
    drop.put("items", example("Items"));
    drop.put("orders", example("Orders"));
    drop.put("inventory", example("What lies in bins"));
    const warehouse = await connectedWarehouse(service, csvDrop, drop.config());
    for (const code of ["A-01", "B-07"]) await bin(warehouse.id, { code });
    assert.deepEqual(await warehouse.sync("items"), { written: 3 });
    assert.deepEqual(await warehouse.sync("orders"), { written: 2 });
    assert.deepEqual(await warehouse.sync("inventory"), { written: 2, known: 1 });
  });

  it("names the columns of items that have to be there, and refers for the others to those of a push", () => {
    const [, needed = "", but] = /\n(\*\*`sku`.*), and what else .* but not `(\w+)`/s.exec(section("Items")) ?? [];
    const required = Object.entries(items.columns).filter(([, column]) => column.required);
    assert.deepEqual(
      [...needed.matchAll(/\*\*`(\w+)`\*\*/g)].map(([, column]) => column),
      required.map(([column]) => column),
    );
    const { [but ?? ""]: left, ...others } = columns.items;
    assert.ok(left);
    assert.deepEqual(items.columns, others);
  });

  for (const [name, { columns }] of [
    ["Orders", orders],
    ["What lies in bins", inventory],
  ] as const)
    it(`names the columns of "${name}", their lengths, and which have to be there`, () => {
      const paragraph = section(name)
        .split("\n\n")
        .find((one) => one.startsWith("**`"))
        ?.replaceAll("\n", " ");
      const found = [...(paragraph ?? "").matchAll(/(\*\*)?`([a-z_0-9]+)`(?:\*\*)?(?: \((\d+)[):])?/g)];
      const said = found.map(([, bold, column, length]) => [column, Boolean(bold), length]);
      assert.deepEqual(new Set(said.map(String)), new Set(Object.entries(columns as Columns).map(expected)));
    });
});

const expected = ([name, column]: [string, Columns[string]]) => {
  const length = column.kind === "text" ? column.maxLength : undefined;
  return String([name, column.required === true, length]);
};
