import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type Resource, resources } from "../../src/auth/tokens/scope.js";
import { columns, lineColumns } from "../../src/inbound/columns.js";
import { fitInto, missing } from "../../src/inbound/fit.js";
import type { Column } from "../../src/platform/pushed-columns.js";
import { db } from "../support/db.js";
import { testService } from "../support/service.js";

interface TableColumn {
  name: string;
  type: string;
  width: number | null;
  digits: number | null;
  places: number | null;
  nullable: boolean;
  filled: boolean;
}

const tableColumns = (table: string) =>
  db.rows<TableColumn>(
    `select column_name as name, data_type as type, character_maximum_length as width, numeric_precision as digits,
            numeric_scale as places, is_nullable = 'YES' as nullable, column_default is not null as filled
     from information_schema.columns where table_name = $1`,
    [table],
  );

const types: Record<Column["kind"], string[]> = {
  text: ["character varying", "text"],
  integer: ["integer"],
  decimal: ["numeric"],
  enum: ["character varying", "text"],
  textList: ["jsonb"],
  properties: ["jsonb"],
  boolean: ["boolean"],
  date: ["date"],
  // On a line the canonical item, which the write finds.
  uuid: ["integer"],
};

const lineTables: Partial<Record<Resource, string>> = {
  purchase_orders: "purchase_order_lines",
  sales_orders: "sales_order_lines",
};

describe("the columns that a mapping may name", () => {
  testService();

  const tables = resources.flatMap((resource) => [
    { table: resource as string, known: columns[resource] },
    ...(lineTables[resource] ? [{ table: lineTables[resource], known: lineColumns[resource] ?? {} }] : []),
  ]);
  for (const { table, known } of tables)
    it(`of ${table} are what the database has`, async () => {
      const found = await tableColumns(table);
      for (const [name, column] of Object.entries(known)) {
        const real = found.find((row) => row.name === name);
        assert.ok(real, `${name} is no column`);
        assert.ok(types[column.kind].includes(real.type), `${name}: ${real.type}`);
        if (column.kind === "text") assert.equal(column.maxLength ?? null, real.width, name);
        if (column.kind === "decimal")
          assert.deepEqual([column.precision, column.scale], [real.digits, real.places], name);
        if (column.kind === "enum") for (const word of column.values) assert.ok(word.length <= (real.width ?? 32));
        const kind = column.required ? "required" : column.filled ? "filled" : "nullable";
        // The number of an order fills its barcode.
        const byUs = name === "po_barcode";
        const isNow = real.nullable ? "nullable" : real.filled || byUs ? "filled" : "required";
        assert.equal(kind, isNow, name);
      }
    });

  it("are all that a new record needs", async () => {
    for (const resource of resources) {
      const needed = (await tableColumns(resource)).filter(
        ({ name, nullable, filled }) => !nullable && !filled && !(name in columns[resource]),
      );
      const generated = ["item_id", "po_id", "so_id"];
      assert.deepEqual(
        needed.map(({ name }) => name).filter((name) => !generated.includes(name)),
        [],
        resource,
      );
    }
  });

  it("take values of their kind, however a sender writes them", async () => {
    const { values, faults } = fitInto(columns.items, {
      sku: 4711,
      item_name: "Kettle",
      upc: "😀".repeat(128),
      barcode_aliases: "one",
      weight_lbs: "1.23456",
      length_in: 3,
      reorder_point: "12",
      reorder_qty: 5.0,
      is_lot_tracked: "TRUE",
      is_serial_tracked: 0,
      default_bin_id: null,
      is_active: null,
    });
    assert.deepEqual(faults, []);
    assert.deepEqual(values, {
      sku: "4711",
      item_name: "Kettle",
      upc: "😀".repeat(128),
      barcode_aliases: ["one"],
      weight_lbs: "1.2346",
      length_in: "3",
      reorder_point: 12,
      reorder_qty: 5,
      is_lot_tracked: true,
      is_serial_tracked: false,
      default_bin_id: null,
    });
    // The database agrees: it reads the row as it is.
    const row = await db.row<Record<string, unknown>>("select * from jsonb_populate_record(null::items, $1)", [
      JSON.stringify(values),
    ]);
    assert.equal(row?.weight_lbs, "1.2346");
    assert.equal(row?.upc, "😀".repeat(128));
  });

  it("round as the database does", async () => {
    for (const value of ["0.005", "-0.005", "0.015", "2.675", "-1.994999"]) {
      const { values } = fitInto(columns.sales_orders, { order_total: value });
      const row = await db.row<{ rounded: string; same: boolean }>(
        "select $1::numeric(12, 2) as rounded, $1::numeric(12, 2) = $2::numeric as same",
        [value, values.order_total],
      );
      assert.ok(row?.same, `${value}: ${row?.rounded}, not ${values.order_total}`);
    }
  });

  const wrong: [Resource, string, unknown, RegExp][] = [
    ["items", "sku", null, /^sku: is needed$/],
    ["items", "sku", " ", /^sku: is blank$/],
    ["items", "sku", "x".repeat(129), /^sku: is longer than 128 characters$/],
    ["items", "sku", "x".repeat(2_000_000), /^sku: is longer than 128 characters$/],
    ["items", "hs_code", "69.12", /^hs_code: "69\.12" is not 6, 8 or 10 digits of the customs tariff$/],
    ["items", "origin_country", "pt", /^origin_country: "pt" is not a country by its two capitals$/],
    ["items", "sku", true, /^sku: true is not a text$/],
    ["items", "sku", ["a", "b"], /^sku: a list is not a text$/],
    ["items", "sku", 2 ** 53, /^sku: .* has to come as text$/],
    ["items", "description", "a\u0000b", /^description: has characters that cannot be kept$/],
    ["items", "description", "a\ud800b", /^description: has characters that cannot be kept$/],
    ["items", "barcode_aliases", [" "], /^barcode_aliases: is blank$/],
    ["items", "barcode_aliases", Array(101).fill("a"), /^barcode_aliases: has more than 100 entries$/],
    ["items", "weight_lbs", "-1", /^weight_lbs: -1 is below 0$/],
    ["items", "weight_lbs", "1000000", /^weight_lbs: 1000000 is too large$/],
    ["items", "weight_lbs", "999999.99999", /^weight_lbs: 1000000 is too large$/],
    ["items", "weight_lbs", "heavy", /^weight_lbs: "heavy" is not a number$/],
    ["items", "reorder_point", "1.5", /^reorder_point: 1\.5 is not a whole number$/],
    ["items", "reorder_point", -1, /^reorder_point: -1 is not from 0 to 2147483647$/],
    ["items", "reorder_point", 2 ** 31, /^reorder_point: 2147483648 is not from 0/],
    ["items", "is_active", "maybe", /^is_active: "maybe" is neither true nor false$/],
    ["items", "is_active", ["true"], /^is_active: a list is neither true nor false$/],
    ["sales_orders", "status", "open", /^status: "open" is none of OPEN, /],
    ["sales_orders", "order_date", "2026-02-30", /^order_date: "2026-02-30" is not a date as YYYY-MM-DD$/],
    ["sales_orders", "order_date", 20260506, /^order_date: 20260506 is not a date/],
    ["sales_orders", "order_total", "10000000000", /^order_total: 10000000000 is too large$/],
    ["sales_orders", "warehouse_id", 0, /^warehouse_id: 0 is not from 1/],
  ];
  for (const [resource, name, value, message] of wrong)
    it(`do not take ${JSON.stringify(value).slice(0, 30)} as ${name}`, () => {
      const { faults, values } = fitInto(columns[resource], { [name]: value });
      assert.equal(faults.length, 1);
      assert.match(faults[0] ?? "", message);
      assert.deepEqual(values, {});
    });

  it("of a line take the item's UUID", () => {
    const of = (item_id: unknown) => fitInto(lineColumns.sales_orders ?? {}, { item_id }).faults.length;
    assert.equal(of(randomUUID()), 0);
    for (const value of ["7", 7, null, {}]) assert.equal(of(value), 1);
  });

  it("name every fault, and what a new record lacks", () => {
    const { faults } = fitInto(columns.items, { sku: null, weight_lbs: "x", reorder_qty: "y" });
    assert.equal(faults.length, 3);
    assert.deepEqual(missing(columns.sales_orders, { so_number: "1" }), ["warehouse_id"]);
    assert.deepEqual(missing(columns.customers, { customer_name: "A" }), []);
  });
});
