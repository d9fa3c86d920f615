import assert from "node:assert/strict";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { testService } from "../support/service.js";

/** With `zz` before a letter of each kind, before something else, and at the end; the last two have none. */
const TEXTS = ["Pizza", "Buzz", "ZZ-1", "Fizz’s", "Grizzé", "Zz東京", "Jazzł", "a zz b", "Zz\ttab", "Zaz", "z z"];
const WITH = TEXTS.slice(0, -2).sort();
/** From so many among the newest on, a page is read along the list. */
const MANY = 60;

describe("a search for two letters", function () {
  this.timeout(60_000);
  const service = testService();
  let warehouse_id: number;
  let item_id: number;
  before(async () => {
    warehouse_id = await fixtures.warehouse();
    ({ item_id } = await fixtures.item());
  });

  const found = async (list: string, plural: string, field: string, q = "zz") => {
    const answer = await service.admin.ok("GET", `/api/admin/${list}?q=${encodeURIComponent(q)}&per_page=1000&page=1`);
    const texts = (answer[plural] as Record<string, string>[]).map((row) => row[field]).sort();
    assert.equal(answer.total, texts.length);
    return texts;
  };

  it("finds them in orders, in each case and before any letter", async () => {
    for (const text of TEXTS) {
      const { so_id } = await fixtures.salesOrder(warehouse_id, [{ item_id, quantity: 1 }]);
      await db.run("update sales_orders set customer_name = $2 where so_id = $1", [so_id, text]);
    }
    await fixtures.salesOrder(warehouse_id, [{ item_id, quantity: 1 }], "SO-0zZ");
    assert.deepEqual(await found("sales-orders", "sales_orders", "customer_name"), [...WITH, "Customer"].sort());
    assert.deepEqual(await found("sales-orders", "sales_orders", "customer_name", "zé"), ["Grizzé"]);
    assert.deepEqual(await found("sales-orders", "sales_orders", "customer_name", "xq"), []);
  });

  it("finds them in shipments, by the order and by the tracking number", async () => {
    await db.run(
      `insert into item_fulfillments (so_id, warehouse_id, tracking_number)
       select so_id, warehouse_id, customer_name from sales_orders
       where customer_name = any($1) or so_number = 'SO-0zZ'`,
      [TEXTS],
    );
    assert.deepEqual(await found("shipments", "shipments", "tracking_number"), [...WITH, "Customer"].sort());
  });

  it("finds them in items, bins, stock and preferred bins", async () => {
    const bin_id = await fixtures.bin(warehouse_id);
    for (const text of TEXTS) {
      const item = await fixtures.item();
      await db.run("update items set item_name = $2 where item_id = $1", [item.item_id, text]);
      await fixtures.stock(warehouse_id, bin_id, item.item_id, 1);
      await db.run("insert into preferred_bins (item_id, bin_id) values ($1, $2)", [item.item_id, bin_id]);
      await db.run("update bins set bin_code = $2 where bin_id = $1", [await fixtures.bin(warehouse_id), text]);
    }
    assert.deepEqual(await found("items", "items", "item_name"), WITH);
    assert.deepEqual(await found("inventory", "inventory", "item_name"), WITH);
    assert.deepEqual(await found("preferred-bins", "preferred_bins", "item_name"), WITH);
    assert.deepEqual(await found("bins", "bins", "bin_code"), WITH);
    await fixtures.item({ sku: "S-1", aliases: ["QQ7"] });
    assert.deepEqual(await found("items", "items", "sku", "qq"), ["S-1"]);
  });

  it("finds the same where many have them", async () => {
    await db.run(
      `insert into sales_orders (so_number, warehouse_id, customer_name)
       select 'MANY-' || n, $1, 'Fuzzy ' || n from generate_series(1, $2::int) n`,
      [warehouse_id, MANY],
    );
    const names = await found("sales-orders", "sales_orders", "customer_name");
    assert.equal(names.length, WITH.length + 1 + MANY);
  });
});
