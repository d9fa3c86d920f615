import assert from "node:assert/strict";
import { db } from "../support/db.js";
import { bin, item, purchaseOrder, warehouse } from "../support/fixtures.js";
import { pluck } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { unique } from "../support/unique.js";

describe("the trace of a lot", () => {
  const service = testService({ worker: true });

  /** Ten units that came, of which four were moved and three of these picked for an order. */
  async function traced() {
    const warehouse_id = await warehouse();
    const [dock, shelf] = [
      await bin(warehouse_id, { pick_sequence: 9 }),
      await bin(warehouse_id, { pick_sequence: 1 }),
    ];
    const { item_id, sku } = await item();
    const { po_id, po_number } = await purchaseOrder(warehouse_id, [{ item_id, quantity: 10 }]);
    await service.admin.ok("POST", "/api/receiving/receive", {
      ...{ po_id, items: [{ item_id, quantity: 10, bin_id: dock, lot_number: "L-7" }] },
    });
    const move = { item_id, from_bin_id: dock, to_bin_id: shelf, quantity: 4, lot_number: "L-7" };
    await service.admin.ok("POST", "/api/transfers/move", move);
    const { sales_order } = await service.admin.ok("POST", "/api/admin/sales-orders", {
      ...{ so_number: `SO-${unique()}`, warehouse_id, customer_name: "Ada" },
      lines: [{ item_id, quantity_ordered: 3 }],
    });
    const { so_id, so_number } = sales_order;
    const { batch_id, first_pick } = await service.admin.ok("POST", "/api/picking/wave-create", {
      ...{ so_ids: [so_id], warehouse_id },
    });
    await service.admin.ok("POST", "/api/picking/confirm", {
      ...{ pick_task_id: first_pick.pick_task_id, scanned_barcode: sku, quantity_picked: 3 },
    });
    await service.admin.ok("POST", "/api/picking/complete-batch", { batch_id });
    const lot_id = await db.value<number>("select lot_id from lots where item_id = $1", [item_id]);
    return { warehouse_id, lot_id, po_number, so_number, path: `/api/admin/lots/${lot_id}/trace` };
  }

  it("names what came, where it lies, how it moved, and the customers that it went to", async () => {
    const { path, po_number, so_number } = await traced();
    const { lot, steps, next_cursor } = await service.admin.ok("GET", path);
    assert.deepEqual([lot.lot_number, next_cursor], ["L-7", null]);
    assert.deepEqual(
      steps.map(({ kind, quantity }: { kind: string; quantity: number }) => [kind, quantity]),
      [
        ...[
          ["receipt", 10],
          ["place", 6],
          ["place", 1],
        ],
        ...[
          ["move", 4],
          ["pick", 3],
        ],
      ],
    );
    assert.deepEqual([steps[0].po_number, steps[0].vendor_name], [po_number, "Vendor"]);
    assert.deepEqual([steps[4].so_number, steps[4].customer_name, steps[4].shipped_at], [so_number, "Ada", null]);
  });

  it("is read in parts, each beginning where the one before ended", async () => {
    const { path } = await traced();
    const whole = await service.admin.ok("GET", path);
    for (const limit of [1, 2, 3]) {
      const steps = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const part: { steps: object[]; next_cursor: string | null } = await service.admin.ok(
          "GET",
          `${path}?limit=${limit}${cursor && `&cursor=${cursor}`}`,
        );
        assert.ok(part.steps.length <= limit);
        steps.push(...part.steps);
        cursor = part.next_cursor;
      }
      assert.deepEqual(steps, whole.steps);
    }
    const { steps } = await service.admin.ok("GET", `${path}?kind=move`);
    assert.deepEqual(pluck(steps, "kind"), ["move"]);
  });

  it("shows a user what happened in the user's warehouses alone", async () => {
    const { path, warehouse_id } = await traced();
    const here = await service.user({ warehouse_ids: [warehouse_id], page_keys: ["inventory"] });
    assert.equal((await here.ok("GET", path)).steps.length, 5);
    const elsewhere = await service.user({ warehouse_ids: [await warehouse()], page_keys: ["inventory"] });
    assert.equal((await elsewhere.get(path)).status, 404);
  });
});
