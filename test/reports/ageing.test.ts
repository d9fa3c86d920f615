import assert from "node:assert/strict";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { testService } from "../support/service.js";

const ROUTE = "/api/v1/dashboard/ageing";

describe("ages", () => {
  const service = testService();

  it("are told of open orders and of stock, in the caller's warehouses", async () => {
    const [warehouse_id, elsewhere] = [await fixtures.warehouse(), await fixtures.warehouse()];
    const lead = await service.user({ warehouse_ids: [warehouse_id], page_keys: ["dashboard"] });
    const ordered = async (days: number, { where = warehouse_id, status = "OPEN" } = {}) => {
      const { so_id } = await fixtures.salesOrder(where, []);
      await db.run(
        `update sales_orders set status = $2, created_at = now() - make_interval(days => $3, mins => 1)
         where so_id = $1`,
        [so_id, status, days],
      );
    };
    for (const days of [0, 1, 2, 3, 4, 20]) await ordered(days);
    await ordered(2, { status: "SHIPPED" });
    await ordered(2, { where: elsewhere });
    const lain = async (days: number, units: number) => {
      const { item_id } = await fixtures.item();
      const id = await fixtures.stock(warehouse_id, await fixtures.bin(warehouse_id), item_id, units);
      await db.run(
        "update inventory set updated_at = now() - make_interval(days => $2, mins => 1) where inventory_id = $1",
        [id, days],
      );
    };
    await lain(0, 3);
    await lain(6, 4);
    await lain(7, 5);
    await lain(400, 6);
    await lain(400, 0);
    const { orders, stock } = await lead.ok("GET", ROUTE);
    assert.deepEqual(orders, [
      { from_days: 0, until_days: 0, orders: 1 },
      { from_days: 1, until_days: 1, orders: 1 },
      { from_days: 2, until_days: 3, orders: 2 },
      { from_days: 4, until_days: 7, orders: 1 },
      { from_days: 8, until_days: 14, orders: 0 },
      { from_days: 15, until_days: null, orders: 1 },
    ]);
    assert.deepEqual(
      stock.map(({ from_days, stock_rows, units }: Record<string, number>) => [from_days, stock_rows, units]),
      [
        [0, 2, 7],
        [7, 1, 5],
        [30, 0, 0],
        [90, 0, 0],
        [180, 0, 0],
        [365, 1, 6],
      ],
    );
    // Cached for a minute.
    await ordered(0);
    assert.deepEqual((await lead.ok("GET", ROUTE)).orders, orders);
    const other = await lead.get(`${ROUTE}?warehouse_id=${elsewhere}`);
    assert.equal(other.status, 403);
  });
});
