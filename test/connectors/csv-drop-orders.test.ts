import assert from "node:assert/strict";
import csvDrop from "../../src/connectors/built-in/csv-drop.js";
import { SourceError } from "../../src/connectors/connector.js";
import { db } from "../support/db.js";
import { item } from "../support/fixtures.js";
import { fresh } from "../support/inbound.js";
import { pluck, pluckAll } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { type CsvDrop, openCsvDrop } from "../support/shops/csv.js";
import { type ConnectedWarehouse, connectedWarehouse } from "../support/shops/sync.js";

describe("orders from CSV files", () => {
  const service = testService();
  let drop: CsvDrop;
  let mug: string;
  let bowl: string;
  before(async () => {
    mug = (await item()).sku;
    bowl = (await item()).sku;
  });
  beforeEach(async () => {
    drop = await openCsvDrop();
  });
  afterEach(() => drop.close());

  async function withOrders(content: string): Promise<ConnectedWarehouse> {
    drop.put("orders", content);
    return connectedWarehouse(service, csvDrop, drop.config());
  }
  const stored = (number: string) =>
    db.row<Record<string, unknown>>("select * from sales_orders where so_number = $1", [number]);
  const linesOf = (number: string) =>
    db.rows<{ sku: string; quantity_ordered: number; line_number: number }>(
      `select sku, quantity_ordered, line_number from sales_order_lines join sales_orders using (so_id)
       join items using (item_id) where so_number = $1 order by line_number`,
      [number],
    );
  const failing = (message: RegExp) => (error: unknown) => {
    assert.ok(error instanceof SourceError, String(error));
    assert.match(error.message, message);
    return true;
  };

  it("have each column of an order", async () => {
    const number = fresh("SO");
    const columns = {
      ...{ customer_name: "Jane Doe", customer_email: "jane@example.com", customer_phone: "0113 496" },
      customer_address: "1 Main St, Leeds",
      ship_address: "9 High St, Austin",
      priority: 3,
      ship_method: "Ground",
      ...{ billing_address_name: "Jane Doe", billing_address_line1: "1 Main St", billing_address_line2: "Flat 2" },
      ...{ billing_address_city: "Leeds", billing_address_state: "W Yorks", billing_address_postal_code: "LS1 1AA" },
      ...{ billing_address_country: "GB", billing_address_phone: "0113 496", shipping_address_name: "Sam Roe" },
      ...{ shipping_address_line1: "9 High St", shipping_address_line2: "Rear", shipping_address_city: "Austin" },
      ...{ shipping_address_state: "TX", shipping_address_postal_code: "78701", shipping_address_country: "US" },
      ...{ shipping_address_phone: "512 555", order_total: "49.35", customer_shipping_paid: "10.80", currency: "GBP" },
      ...{ memo: "Ring twice", order_origin: "fair", order_date: "2026-03-01", ship_by_date: "2026-03-05" },
      ...{ status: "OPEN" },
    };
    const names = ["order_number", "sku", "quantity", ...Object.keys(columns)];
    const values = [number, mug, 2, ...Object.values(columns)].map((value) => `"${value}"`);
    const warehouse = await withOrders(`${names.join()}\n${values.join()}\n`);
    assert.deepEqual(await warehouse.sync("orders"), { written: 1 });
    const row = (await stored(number)) ?? {};
    assert.deepEqual(Object.fromEntries(Object.keys(columns).map((name) => [name, row[name]])), columns);
    assert.equal(row.warehouse_id, warehouse.id);
    assert.deepEqual(await linesOf(number), [{ sku: mug, quantity_ordered: 2, line_number: 1 }]);
  });

  it("have a row for each line, wherever it stands, and say the rest in any of them", async () => {
    const [one, other] = [fresh("SO"), fresh("SO")];
    const warehouse = await withOrders(
      [
        "order_number;sku;quantity;customer_name;memo",
        `${one};${mug};2;Jane Doe;`,
        `${other};${mug};1;;`,
        `${one};${bowl};1;;Ring twice`,
        `${other};${bowl};5;Sam Roe;`,
        `${one};${mug};3;Jane Doe;`,
      ].join("\n"),
    );
    assert.deepEqual(await warehouse.sync("orders"), { written: 2 });
    assert.equal((await stored(one))?.customer_name, "Jane Doe");
    assert.equal((await stored(one))?.memo, "Ring twice");
    assert.equal((await stored(other))?.customer_name, "Sam Roe");
    assert.deepEqual(pluckAll(await linesOf(one), "sku", "quantity_ordered"), [
      [mug, 2],
      [bowl, 1],
      [mug, 3],
    ]);
    assert.deepEqual(await warehouse.sync("orders"), { known: 2 });
  });

  it("are whole on their page, however far apart their rows are", async () => {
    const numbers = Array.from({ length: 600 }, (_, i) => `SO-${i}`);
    const rows = [...numbers, ...numbers.toReversed(), ...numbers];
    const warehouse = await withOrders(
      `order_number,sku,quantity\n${rows.map((number, i) => `${number},${mug},${i + 1}`).join("\n")}\n`,
    );
    const pages = await warehouse.pages("orders");
    assert.deepEqual(
      pages.map((page) => page.records.length),
      [250, 250, 100],
    );
    const records = await warehouse.records("orders");
    assert.deepEqual(pluck(records, "external_id"), numbers);
    for (const [i, { lines }] of records.entries())
      assert.deepEqual(
        lines?.map(({ values }) => values.quantity_ordered),
        [i + 1, 1200 - i, 1201 + i],
      );
  });

  it("are written again when they say something else, and the others are not", async () => {
    const [one, other] = [fresh("SO"), fresh("SO")];
    const content = (memo: string, quantity: number) =>
      `order_number,sku,quantity,memo\n${one},${mug},${quantity},${memo}\n${other},${mug},1,\n`;
    const warehouse = await withOrders(content("", 1));
    await warehouse.sync("orders");
    drop.put("orders", content("Ring", 1));
    assert.deepEqual(await warehouse.sync("orders"), { written: 1, known: 1 });
    drop.put("orders", content("Ring", 4));
    assert.deepEqual(await warehouse.sync("orders"), { written: 1, known: 1 });
    assert.equal((await linesOf(one))[0]?.quantity_ordered, 4);
    assert.equal((await stored(one))?.memo, "Ring");
  });

  it("stay when the file no longer has them, and end when it says so", async () => {
    const [one, other] = [fresh("SO"), fresh("SO")];
    const header = "order_number,sku,quantity,status";
    const warehouse = await withOrders(`${header}\n${one},${mug},1,\n${other},${mug},1,OPEN\n`);
    await warehouse.sync("orders");
    drop.put("orders", `${header}\n${one},${mug},1,CANCELLED\n${fresh("NEVER")},${mug},1,CANCELLED\n`);
    assert.deepEqual(await warehouse.sync("orders"), { written: 1, known: 1 });
    assert.equal((await stored(one))?.status, "CANCELLED");
    assert.equal((await stored(other))?.status, "OPEN");
  });

  it("wait for an item that is not here, and find one of the items' file", async () => {
    const [number, sku] = [fresh("SO"), fresh("LATE")];
    drop.put("items", `sku,item_name\n${sku},Late\n`);
    const warehouse = await withOrders(`order_number,sku,quantity\n${number},${sku},1\n`);
    assert.deepEqual(await warehouse.sync("orders"), { refused: 1 });
    assert.deepEqual(await warehouse.refusals(), ["cross_system_lookup_miss"]);
    await warehouse.sync("items");
    assert.deepEqual(await warehouse.sync("orders"), { written: 1 });
    assert.deepEqual(await warehouse.refusals(), []);
  });

  for (const [what, rows, message] of [
    ["a quantity that is none", ["1,A,,,,"], /row 2: quantity: is needed/],
    ["a quantity of nothing", ["1,A,0,,,"], /row 2: quantity: 0 is not from 1 to 1000000/],
    ["no item", ["1,,2,,,"], /row 2: sku: is needed/],
    ["no number", [",A,2,,,"], /row 2: order_number: is needed/],
    ["a day that is none", ["1,A,2,05.03.2026,,"], /row 2: ship_by_date: "05.03.2026" is not a date as YYYY-MM-DD/],
    ["an amount that is none", ['1,A,2,,"4,500",'], /row 2: order_total: "4,500" may mean two numbers/],
    ["a status that a file cannot set", ["1,A,2,,,SHIPPED"], /row 2: status: "SHIPPED" is none of OPEN, CANCELLED/],
    ["rows that disagree", ["1,A,2,2026-03-05,,", "1,B,1,2026-03-06,,"], /row 3: ship_by_date is not what row 2/],
    ["a number that is too long", [`${"9".repeat(129)},A,1,,,`], /row 2: order_number: is longer than 128 characters/],
    ["a value too many", ["1,A,2,,,,x"], /row 2: it has 7 values, and the header has 6 columns/],
  ] as const)
    it(`are left out with ${what}, and the others come`, async () => {
      const good = fresh("SO");
      const warehouse = await withOrders(
        [
          "order_number,sku,quantity,ship_by_date,order_total,status",
          ...[...rows, `1,${mug},1,,,`, `${good},${mug},1,,,`],
        ].join("\n"),
      );
      const first = await csvDrop.syncOrders?.(warehouse.source, { since: null, cursor: null });
      const numbers = first?.records.map((record) => record.external_id) ?? [];
      assert.ok(numbers.includes(good));
      if (rows[0].startsWith("1")) assert.ok(!numbers.includes("1"));
      await assert.rejects(warehouse.sync("orders"), failing(message));
    });

  it("are named by their columns when one is unknown", async () => {
    const warehouse = await withOrders("order_number,sku,quantity,so_number,warehouse_id\n1,A,1,1,1\n");
    await assert.rejects(warehouse.sync("orders"), failing(/unknown columns "so_number", "warehouse_id"; the columns/));
  });
});
