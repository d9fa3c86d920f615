import assert from "node:assert/strict";
import { MOST_SUMMED } from "../../src/platform/list.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { testService } from "../support/service.js";

describe("the totals of a list", function () {
  this.timeout(60_000);
  const service = testService();

  const totals = async (path: string) => (await service.admin.ok("GET", `${path}&totals=true&per_page=1`)).totals;

  it("are of the units of its records, of all that the filters leave and of own warehouses alone", async () => {
    const [here, there] = [await fixtures.warehouse(), await fixtures.warehouse()];
    const { item_id } = await fixtures.item();
    for (const quantity of [3, 4]) await fixtures.salesOrder(here, [{ item_id, quantity }]);
    await fixtures.salesOrder(there, [{ item_id, quantity: 9 }]);
    const sent = await fixtures.shippedOrder(here, [{ item_id, quantity: 5 }]);
    const orders = "/api/admin/sales-orders?q=";
    assert.deepEqual(await totals(`${orders}&warehouse_id=${here}`), { quantity_ordered: 12, quantity_shipped: 5 });
    assert.deepEqual(await totals(`${orders}&warehouse_id=${here}&status=OPEN`), {
      ...{ quantity_ordered: 7, quantity_shipped: 0 },
    });
    const user = await service.user({ warehouse_ids: [there], page_keys: ["sales-orders"] });
    const own = await user.ok("GET", "/api/admin/sales-orders?totals=true");
    assert.deepEqual(own.totals, { quantity_ordered: 9, quantity_shipped: 0 });
    const bin_id = await fixtures.bin(here);
    const shipments = `/api/admin/shipments?warehouse_id=${here}`;
    for (let i = 0; i < 2; i++)
      await db.run(
        `with f as (insert into item_fulfillments (so_id, warehouse_id) values ($1, $2) returning fulfillment_id)
         insert into item_fulfillment_lines (fulfillment_id, so_line_id, item_id, quantity_shipped, bin_id)
         select fulfillment_id, so_line_id, item_id, 2, $3 from f, sales_order_lines where so_id = $1`,
        [sent.so_id, here, bin_id],
      );
    assert.deepEqual(await totals(shipments), { quantity_shipped: 4 });
    await db.run(
      `update item_fulfillments set status = 'VOIDED', voided_at = now()
       where fulfillment_id = (select max(fulfillment_id) from item_fulfillments where so_id = $1)`,
      [sent.so_id],
    );
    assert.deepEqual(await totals(shipments), { quantity_shipped: 2 });
  });

  it("are none where there are too many records to be summed", async () => {
    const warehouse_id = await fixtures.warehouse();
    const { item_id } = await fixtures.item();
    await db.run(
      `insert into sales_orders (so_number, warehouse_id)
       select 'MANY-' || n, $1 from generate_series(1, $2::int) n`,
      [warehouse_id, MOST_SUMMED],
    );
    const path = `/api/admin/sales-orders?warehouse_id=${warehouse_id}`;
    assert.deepEqual(await totals(path), { quantity_ordered: 0, quantity_shipped: 0 });
    await fixtures.salesOrder(warehouse_id, [{ item_id, quantity: 1 }], "ONE-MORE");
    assert.equal(await totals(`${path}&status=OPEN`), null);
    assert.deepEqual(await totals(`${path}&q=ONE-MORE`), { quantity_ordered: 1, quantity_shipped: 0 });
  });

  it("are asked for by true or false alone", async () => {
    assert.equal((await service.admin.get("/api/admin/sales-orders?totals=maybe")).status, 400);
    assert.equal((await service.admin.get("/api/admin/items?totals=true")).status, 400);
  });
});
