import assert from "node:assert/strict";
import { db } from "../support/db.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { testService } from "../support/service.js";
import { checkOut, codeOfBin, codeOfWarehouse, lineOf, saleOf, tillOf } from "../support/till.js";
import { unique } from "../support/unique.js";
import { startWave } from "../support/walk.js";

describe("what expires first is taken first", () => {
  const service = testService({ worker: true });
  afterEach(() => assertInvariants());

  /**
   * An item in a bin of its own warehouse: the most of it expires late, some never, some early. All other things that
   * decide (bin, pick sequence, age, number of units) are for the late ones, or equal.
   */
  async function threeLots() {
    const warehouse_id = await warehouse();
    const bin_id = await bin(warehouse_id);
    const { item_id, sku } = await item();
    const lots: Record<string, [units: number, lastDay: string | null]> = {
      LATE: [9, "2098-01-02"],
      EVER: [8, null],
      EARLY: [4, "2098-01-01"],
    };
    for (const [lot, [units, lastDay]] of Object.entries(lots)) {
      const row = await stock(warehouse_id, bin_id, item_id, units, lot);
      await db.run("update inventory set expiry_date = $2 where inventory_id = $1", [row, lastDay]);
    }
    return { warehouse_id, bin_id, item_id, sku };
  }

  /** Units by lot of what a table holds of stock rows. */
  const heldIn = async (table: string, units: string, item_id: number) => {
    const rows = await db.rows<{ lot: string; units: number }>(
      `select lot_number as lot, sum(${units})::int as units from ${table} join inventory v using (inventory_id)
       where v.item_id = $1 group by lot_number`,
      [item_id],
    );
    return Object.fromEntries(rows.map(({ lot, units }) => [lot, units]));
  };
  const leftOf = async (item_id: number) => {
    const rows = await db.rows<{ lot: string; units: number }>(
      "select lot_number as lot, quantity_on_hand as units from inventory where item_id = $1",
      [item_id],
    );
    return Object.fromEntries(rows.map(({ lot, units }) => [lot, units]));
  };
  const ordered = (warehouse_id: number, item_id: number, quantity_ordered: number) =>
    service.admin.ok("POST", "/api/admin/sales-orders", {
      ...{ so_number: `SO-${unique()}`, warehouse_id, lines: [{ item_id, quantity_ordered }] },
    });

  it("by an order that reserves", async () => {
    const { warehouse_id, item_id } = await threeLots();
    await ordered(warehouse_id, item_id, 6);
    assert.deepEqual(await heldIn("stock_reservations", "quantity", item_id), { EARLY: 4, LATE: 2 });
  });

  it("by an order that waited, when units come", async () => {
    const { warehouse_id, bin_id, item_id } = await threeLots();
    await ordered(warehouse_id, item_id, 23);
    const fresh = await bin(warehouse_id);
    await stock(warehouse_id, fresh, item_id, 1, "LATEST");
    await db.run("update inventory set expiry_date = '2098-02-02' where item_id = $1 and lot_number = 'LATEST'", [
      item_id,
    ]);
    await service.admin.ok("POST", "/api/admin/adjustments/direct", {
      ...{ item_id, bin_id, warehouse_id, quantity: 5, adjustment_type: "ADD", reason: "found" },
    });
    const held = await heldIn("stock_reservations", "quantity", item_id);
    assert.equal(held.LATEST, 1, "two were missing: the one with a last day went before those without");
  });

  for (const combine of [true, false])
    it(`by a ${combine ? "wave" : "batch of single orders"}, also of a bin that is reached later`, async () => {
      const { warehouse_id, item_id } = await threeLots();
      const near = await bin(warehouse_id, { pick_sequence: 1 });
      await stock(warehouse_id, near, item_id, 50, "NEAR");
      const { so_id } = await salesOrder(warehouse_id, [{ item_id, quantity: 14 }]);
      await startWave(service.admin, warehouse_id, [so_id], combine);
      assert.deepEqual(await heldIn("pick_tasks", "quantity_to_pick", item_id), { EARLY: 4, LATE: 9, NEAR: 1 });
    });

  it("by a pick at the desk", async () => {
    const { warehouse_id, bin_id, item_id } = await threeLots();
    const { so_id } = await salesOrder(warehouse_id, [{ item_id, quantity: 5 }]);
    const path = `/api/admin/sales-orders/${so_id}`;
    const { lines } = await service.admin.ok("GET", path);
    await service.admin.ok("POST", `${path}/admin-pick`, {
      lines: [{ so_line_id: lines[0].so_line_id, bin_id, quantity: 5 }],
    });
    assert.deepEqual(await leftOf(item_id), { EARLY: 0, LATE: 8, EVER: 8 });
  });

  it("by a till", async () => {
    const { warehouse_id, bin_id, item_id, sku } = await threeLots();
    const { caller } = await tillOf(service, { warehouse_ids: [warehouse_id] });
    const shelf = { sku, warehouse: await codeOfWarehouse(warehouse_id), bin: await codeOfBin(bin_id) };
    const sold = await checkOut(
      caller,
      saleOf(shelf, {
        lines: [lineOf(shelf, 5, { unit_price_cents: 200, tax_cents: 200, line_total_cents: 1200 })],
      }),
    );
    assert.equal(sold.status, 200, JSON.stringify(sold.body));
    assert.deepEqual(await leftOf(item_id), { EARLY: 0, LATE: 8, EVER: 8 });
  });

  it("by a transfer order", async () => {
    const { warehouse_id, item_id } = await threeLots();
    await service.admin.ok("POST", "/api/admin/transfer-orders", {
      ...{ source_warehouse_id: warehouse_id, destination_warehouse_id: await warehouse() },
      lines: [{ item_id, quantity: 14 }],
    });
    assert.deepEqual(await heldIn("transfer_reservations", "quantity", item_id), { EARLY: 4, LATE: 9, EVER: 1 });
  });
});
