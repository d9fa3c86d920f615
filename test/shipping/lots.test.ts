import assert from "node:assert/strict";
import { db } from "../support/db.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { scannedPdf } from "../support/printed/fetch.js";
import { testService } from "../support/service.js";
import { startWave } from "../support/walk.js";

describe("the lots of what is shipped", () => {
  const service = testService({ worker: true });

  it("are named by tasks, the order's page, the packing slip and the events of its parcel", async () => {
    const warehouse_id = await warehouse();
    const bin_id = await bin(warehouse_id);
    const { item_id, sku } = await item();
    const plain = await item();
    for (const [lot, quantity, day] of [
      ["LATE", 5, "2098-02-01"],
      ["EARLY", 3, "2098-01-01"],
    ] as const) {
      const row = await stock(warehouse_id, bin_id, item_id, quantity, lot);
      await db.run("update inventory set expiry_date = $2 where inventory_id = $1", [row, day]);
    }
    await stock(warehouse_id, bin_id, plain.item_id, 5);
    const lines = [
      { item_id, quantity: 4 },
      { item_id: plain.item_id, quantity: 1 },
    ];
    const { so_id, so_number } = await salesOrder(warehouse_id, lines);
    const { batch_id } = await startWave(service.admin, warehouse_id, [so_id]);
    const { tasks } = await service.admin.ok("GET", `/api/picking/batch/${batch_id}`);
    for (const { pick_task_id, sku: scanned_barcode, quantity_to_pick: quantity_picked } of tasks)
      await service.admin.ok("POST", "/api/picking/confirm", { pick_task_id, scanned_barcode, quantity_picked });
    await service.admin.ok("POST", "/api/picking/complete-batch", { batch_id });
    const order = await service.admin.ok("GET", `/api/admin/sales-orders/${so_id}`);
    const lotsOf = (rows: { lot_number: string; expiry_date: string; quantity_picked: number }[]) =>
      rows.map(({ lot_number, expiry_date, quantity_picked }) => [lot_number, expiry_date, quantity_picked]).sort();
    const picked = [
      [null, null, 1],
      ["EARLY", "2098-01-01", 3],
      ["LATE", "2098-02-01", 1],
    ];
    assert.deepEqual(lotsOf(order.pick_tasks), picked);
    for (const { sku: scanned_barcode, quantity } of [
      { sku, quantity: 4 },
      { sku: plain.sku, quantity: 1 },
    ])
      await service.admin.ok("POST", "/api/packing/verify", { so_id, scanned_barcode, quantity });
    await service.admin.ok("POST", "/api/packing/complete", { so_id });
    await service.admin.ok("POST", "/api/shipping/fulfill", { so_id, tracking_number: "1Z9", carrier: "UPS" });
    const [page] = await scannedPdf(service.admin, `/api/packing/order/${so_number}/packing-slip`);
    const text = (page?.texts ?? []).join(" ").replace(/\s+/g, " ");
    assert.match(text, /3 of lot EARLY, expires 2098-01-01 .*1 of lot LATE, expires 2098-02-01/);
    for (const type of ["pack.confirmed", "ship.confirmed"]) {
      const event = await db.row<{ data: { packages: { lines: { lots?: unknown }[] }[] } }>(
        `select event_data(integration_events) as data from integration_events
         where event_type = $1 and entity_id = $2`,
        [type, so_id],
      );
      const [first, second] = event?.data.packages[0]?.lines ?? [];
      assert.deepEqual(first?.lots, [
        { lot_number: "EARLY", expiry_date: "2098-01-01", quantity: 3 },
        { lot_number: "LATE", expiry_date: "2098-02-01", quantity: 1 },
      ]);
      assert.ok(second && !("lots" in second), "an item without lots is told as before");
    }
  });
});
