import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { counter } from "../support/counter.js";
import { db } from "../support/db.js";

describe("a sale that left without picks", () => {
  const { at, shelved, sold, onHand } = counter();
  const admin = (so_id: number, action: string, body: object = {}) =>
    at().service.admin.post(`/api/admin/sales-orders/${so_id}/${action}`, body);

  for (const new_status of ["PACKED", "PICKED", "OPEN"])
    it(`makes no stock where another system made it and somebody wants it ${new_status} again`, async () => {
      const mug = await shelved();
      const so_number = `REF-${randomUUID()}`;
      const lines = [{ sku: mug.sku, quantity: 5_000 }];
      assert.equal((await at().till.post("/api/v1/pos/reference-orders", { so_number, lines })).status, 201);
      const order = await db.row<{ so_id: number }>("select so_id from sales_orders where so_number = $1", [so_number]);
      const so_id = order?.so_id as number;
      const reverted = await admin(so_id, "revert-status", { new_status, release_pick_task_ids: [] });
      assert.deepEqual([reverted.status, reverted.body.kind], [409, "shipped_without_picks"]);
      assert.equal((await admin(so_id, "cancel")).status, 400);
      assert.equal(await onHand(mug.item_id), 10);
    });

  it("does not come back in the order's warehouse when it was sold from the shelves of several", async () => {
    const mug = await shelved();
    const sale = await sold([mug.units(3)]);
    const reverted = await admin(sale.so_id, "revert-status", { new_status: "PACKED", release_pick_task_ids: [] });
    assert.deepEqual([reverted.status, reverted.body.kind], [409, "shipped_without_picks"]);
    assert.equal(await onHand(mug.item_id), 7);
  });
});
