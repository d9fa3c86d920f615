import assert from "node:assert/strict";
import { completeWave } from "../../activities/picking/index.js";
import { shortPick } from "../../activities/picking/scan.js";
import type { NextStep } from "../../src/sales-orders/next-step-shapes.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, item, stock, warehouse } from "../support/fixtures.js";
import { fresh } from "../support/inbound.js";
import { testService } from "../support/service.js";
import { actor, startWave, walked } from "../support/walk.js";

describe("what comes next for an order", () => {
  const service = testService({ worker: true });
  let desk: Caller;
  let warehouse_id: number;
  before(async () => {
    desk = service.admin;
    warehouse_id = await warehouse();
  });

  const next = async (so_id: number): Promise<NextStep> =>
    (await desk.ok("GET", `/api/admin/sales-orders/${so_id}`)).next_step;
  const said = async (so_id: number) => {
    const { code, message } = await next(so_id);
    return [code, message];
  };
  async function ordered(inStock: number, ...quantities: number[]) {
    const mug = await item();
    await stock(warehouse_id, await bin(warehouse_id), mug.item_id, inStock);
    const { sales_order, lines } = await desk.ok("POST", "/api/admin/sales-orders", {
      ...{ so_number: fresh("SO"), warehouse_id },
      lines: quantities.map((quantity_ordered) => ({ item_id: mug.item_id, quantity_ordered })),
    });
    return { so_id: sales_order.so_id as number, mug, line: lines[0].so_line_id as number };
  }
  const set = (so_id: number, change: string) => db.run(`update sales_orders set ${change} where so_id = $1`, [so_id]);

  it("is to be picked, packed and shipped, and then nothing", async () => {
    const order = await ordered(2, 2);
    const { so_id, mug } = order;
    assert.deepEqual(await said(so_id), ["pick", "Ready to be picked"]);
    const picker = await service.user({ warehouse_ids: [warehouse_id], full_name: "Ann Miller" });
    const { batch_id, batch_number } = await startWave(picker, warehouse_id, [so_id]);
    const picking = await next(so_id);
    assert.deepEqual(picking, {
      ...{ code: "in_wave", message: `In wave ${batch_number}, picked by Ann Miller`, missing: [] },
      ...{ wave: { batch_id, batch_number }, by: "Ann Miller" },
    });
    await walked(picker, warehouse_id, order, []);
    assert.deepEqual(await said(so_id), ["pack", "To be packed"]);
    await desk.ok("POST", "/api/packing/verify", { so_id, scanned_barcode: mug.sku, quantity: 2 });
    await desk.ok("POST", "/api/packing/complete", { so_id });
    assert.deepEqual(await said(so_id), ["ship", "To be shipped"]);
    await desk.ok("POST", "/api/shipping/fulfill", { so_id, tracking_number: "1Z9", carrier: "UPS" });
    assert.deepEqual(await said(so_id), ["shipped", "Shipped by UPS, tracking number 1Z9"]);
  });

  it("is to wait for what no bin has, of all lines together", async () => {
    const { so_id, mug, line } = await ordered(3, 3, 2);
    const step = await next(so_id);
    assert.deepEqual(
      [step.code, step.message, step.missing],
      ["wait_for_stock", `Waits for stock: 2 of ${mug.sku} missing`, [{ sku: mug.sku, units: 2 }]],
    );
    const { backorder_so } = await desk.ok("POST", `/api/admin/sales-orders/${so_id}/partial-fulfill`, {
      lines: [{ so_line_id: line, short_qty: 3 }],
    });
    await set(backorder_so.so_id, "status = 'WAITING_STOCK'");
    assert.equal((await next(backorder_so.so_id)).code, "wait_for_stock");
  });

  it("is a decision where it was picked short", async () => {
    const order = await ordered(2, 2);
    const { batch_id, first_pick } = await startWave(desk, warehouse_id, [order.so_id]);
    const { pick_task_id } = first_pick ?? assert.fail("nothing to pick");
    await shortPick({ pick_task_id, quantity_available: 1 }, actor(desk));
    await completeWave(batch_id, actor(desk));
    const step = await next(order.so_id);
    assert.deepEqual([step.code, step.missing], ["picked_short", [{ sku: order.mug.sku, units: 1 }]]);
    assert.match(step.message, /^Picked short, 1 of .* missing: somebody has to decide/);
    await desk.ok("POST", `/api/admin/sales-orders/${order.so_id}/admin-ship`, { acknowledge_shortfall: true });
    const shipped = await next(order.so_id);
    assert.deepEqual([shipped.code, shipped.missing], ["shipped", [{ sku: order.mug.sku, units: 1 }]]);
    assert.match(shipped.message, new RegExp(`^Shipped.*, without 1 of ${order.mug.sku}$`));
  });

  it("is a decision or a wait where it is held", async () => {
    const { so_id } = await ordered(2, 2);
    for (const [change, code] of [
      ["hold_reason = 'differs_from_shop'", "held_differs_from_shop"],
      ["hold_reason = 'on_hold_in_shop'", "held_on_hold_in_shop"],
      ["hold_reason = 'by_hand'", "held_by_hand"],
      ["hold_reason = null, status = 'FRAUD_REVIEW'", "review"],
    ] as const) {
      await set(so_id, change);
      assert.equal((await next(so_id)).code, code);
    }
  });

  it("is nothing where it ended, and says who ended it and why", async () => {
    const { so_id } = await ordered(2, 2);
    await desk.ok("POST", `/api/admin/sales-orders/${so_id}/cancel`);
    const by = (await next(so_id)).by;
    assert.deepEqual(await said(so_id), ["cancelled", `Cancelled by ${by}`]);
    await set(so_id, "cancellation_reason = 'removed_in_shop'");
    assert.match((await next(so_id)).message, /: removed_in_shop$/);
    for (const [change, code] of [
      ["status = 'REFUNDED'", "refunded"],
      ["order_type = 'refund', status = 'SHIPPED'", "documents_refund"],
      ["order_type = 'return', status = 'OPEN'", "wait_for_return"],
      ["status = 'RECEIVED'", "returned"],
      ["voided_at = now()", "voided"],
    ] as const) {
      await set(so_id, change);
      assert.equal((await next(so_id)).code, code);
    }
  });
});
