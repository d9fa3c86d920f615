import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { testService } from "../support/service.js";

describe("an import", () => {
  const service = testService();
  let warehouse_id: number;
  let warehouse: string;
  before(async () => {
    warehouse_id = await fixtures.warehouse();
    const row = await db.row<{ code: string }>(
      "select warehouse_code as code from warehouses where warehouse_id = $1",
      [warehouse_id],
    );
    warehouse = row?.code as string;
  });
  afterEach(() => assertInvariants());

  const load = (type: string, records: object[], key?: string) =>
    (key ? service.admin.with({ "idempotency-key": key }) : service.admin).post(`/api/admin/import/${type}`, {
      records,
    });
  let count = 0;
  /** A bin, and rows that bring units of an item there. */
  async function place(item: { sku: string }) {
    const code = `SHELF-${++count}`;
    const bin_id = await fixtures.bin(warehouse_id, { code });
    const row = (qty: number, sku = item.sku) => ({ sku, warehouse, bin: code, qty });
    return { bin_id, row };
  }
  const onHand = (bin_id: number) =>
    db.value<number>("select coalesce(sum(quantity_on_hand), 0) as units from inventory where bin_id = $1", [bin_id]);

  it("of more than a bin can hold refuses the rows that do not fit, and says so", async () => {
    const goods = await fixtures.item();
    const { bin_id, row } = await place(goods);
    const rows = Array.from({ length: 2_200 }, () => row(1_000_000));
    const { status, body } = await load("inventory-adjustments", [...rows, row(-1_000_000), row(1_000_000)]);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body.total, body.imported, body.skipped], [2_202, 2_149, 53]);
    const [first] = body.errors;
    assert.equal(first.row, 2_148);
    assert.match(first.error, /^Quantity out of range: SHELF-\d+ has 2147000000/);
    assert.equal(await onHand(bin_id), 2_147_000_000);
  });

  it("gives the same file under the same key the same answer, and without one imports it again", async () => {
    const goods = await fixtures.item();
    const { bin_id, row } = await place(goods);
    const rows = Array.from({ length: 1_200 }, () => row(1));
    const mixed = [...rows, row(0), row(1, "unknown"), "no record"] as object[];
    const key = randomUUID();
    const first = await load("inventory-adjustments", mixed, key);
    assert.deepEqual([first.body.imported, first.body.skipped], [1_200, 3]);
    const again = await load("inventory-adjustments", mixed, key);
    assert.deepEqual(again.body, first.body);
    assert.equal(again.headers.get("x-idempotent-replay"), "true");
    assert.equal(await onHand(bin_id), 1_200);
    const commands = await db.rows("select from command_log where command_id like '%' || $1", [key]);
    assert.equal(commands.length, 1);
    await load("inventory-adjustments", mixed);
    assert.equal(await onHand(bin_id), 2_400);
  });

  it("that fails for no row's reason has imported nothing, and imports all when sent again", async () => {
    const goods = await fixtures.item();
    const { bin_id, row } = await place(goods);
    const rows = Array.from({ length: 1_500 }, () => row(1));
    const key = randomUUID();
    await db.run(
      `alter table inventory_adjustments add constraint only_a_few check (item_id <> ${goods.item_id}
        or adjustment_id % 700 <> 0)`,
    );
    const failed = await load("inventory-adjustments", rows, key);
    await db.run("alter table inventory_adjustments drop constraint only_a_few");
    assert.equal(failed.status, 409);
    assert.equal(await onHand(bin_id), 0);
    const { status, body } = await load("inventory-adjustments", rows, key);
    assert.deepEqual([status, body.imported], [200, 1_500]);
    assert.equal(await onHand(bin_id), 1_500);
  });

  it("does not lock up with another one of the same bins in another order", async () => {
    const items = await Promise.all(Array.from({ length: 40 }, () => fixtures.item()));
    const { bin_id, row } = await place(items[0] as { sku: string });
    const rows = items.map(({ sku }) => row(3, sku));
    const orders = [rows, rows.toReversed(), rows, rows.toReversed()];
    const answers = await Promise.all(orders.map((each) => load("inventory-adjustments", each)));
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.imported]),
      orders.map(() => [200, 40]),
    );
    assert.equal(await onHand(bin_id), 40 * 3 * 4);
  });

  const broken = "half a character: \ud800";
  for (const [type, fields] of Object.entries({
    items: { item_name: "Mug", description: broken },
    "purchase-orders": { po_number: "PO-H", quantity: 1, vendor: broken },
    "sales-orders": { so_number: "SO-H", quantity: 1, customer: broken },
  }))
    it(`of ${type} takes the largest quantity of many lines, refusing only the invalid Unicode row`, async () => {
      const { sku } = await fixtures.item();
      const named = { items: {}, "purchase-orders": { po_number: "PO-L" } };
      const number = (named as Record<string, object>)[type] ?? { so_number: "SO-L" };
      const line = { ...number, sku, quantity: 1_000_000, warehouse_id };
      const lines =
        type === "items" ? [{ sku: `N-${sku}`, item_name: "Mug" }] : Array.from({ length: 2_200 }, () => line);
      const { status, body } = await load(type, [
        ...lines,
        { ...fields, sku: type === "items" ? `B-${sku}` : sku, warehouse_id },
      ]);
      assert.equal(status, 200, JSON.stringify(body));
      assert.ok(body.imported >= lines.length);
    });
});
