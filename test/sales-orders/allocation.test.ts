import assert from "node:assert/strict";
import { confirmPick } from "../../activities/picking/scan.js";
import { statusAndBody } from "../support/caller.js";
import { db } from "../support/db.js";
import { desk } from "../support/desk.js";
import * as fixtures from "../support/fixtures.js";
import { pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { actor, startWave } from "../support/walk.js";

describe("the allocation of a line", () => {
  const { at, order, reserved, linesOf } = desk();
  const adjust = (line: string, delta: number) => at().clerk.patch(`${line}/allocation`, { delta });
  /** What is allocated after it, or how it was refused. */
  const adjusted = async (line: string, delta: number) => {
    const { status, body } = await adjust(line, delta);
    return status === 200 ? [body.quantity_allocated, body.unchanged] : [status, body.error];
  };
  const allocated = async (bins: { inventory_id: number }[]) =>
    Promise.all(bins.map(async (bin) => (await fixtures.stockOf(bin.inventory_id)).allocated));

  it("is lowered, never below nothing, and what is freed is free for others", async () => {
    const { line, bins, so_line_id, item_id, so_number, sku } = await reserved(5, 20);
    const mark = await auditMark();
    const { body } = await adjust(line, -2);
    assert.deepEqual(body, { so_line_id, quantity_allocated: 3 });
    assert.deepEqual(await allocated(bins), [3]);
    assert.deepEqual(pluckAll(await auditSince(mark), "action_type", "details"), [
      [
        "SO_ALLOCATION_RELEASED",
        {
          ...{ so_number, so_line_id, item_id },
          field: `line[${sku}].quantity_allocated`,
          ...{ old_value: "5", new_value: "3" },
        },
      ],
    ]);
    assert.deepEqual(await adjusted(line, -100), [0, undefined]);
    assert.deepEqual((await adjust(line, -1)).body, { unchanged: true, so_line_id, quantity_allocated: 0 });
  });

  it("is raised up to what is ordered, from the fullest bin first", async () => {
    const { line, bins, so_line_id, item_id } = await reserved(12);
    const { here } = at();
    for (const units of [3, 8, 5]) {
      const bin_id = await fixtures.bin(here);
      const inventory_id = await fixtures.stock(here, bin_id, item_id, units);
      bins.push({ bin_id, inventory_id });
    }
    const mark = await auditMark();
    assert.deepEqual(await adjusted(line, 9), [9, undefined]);
    assert.deepEqual(await allocated(bins), [0, 8, 1]);
    assert.deepEqual(
      (await auditSince(mark)).map((row) => [row.action_type, row.details.so_line_id, row.details.new_value]),
      [["UPDATE", so_line_id, "9"]],
    );
    assert.deepEqual(await adjusted(line, 100), [12, undefined]);
    assert.deepEqual(await allocated(bins), [0, 8, 4]);
    assert.deepEqual(await adjusted(line, 1), [12, true]);
  });

  it("is raised as far as there is stock", async () => {
    const { line, item_id } = await reserved(10, 4);
    assert.deepEqual(await adjusted(line, 3), [4, true]);
    const { here } = at();
    await fixtures.stock(here, await fixtures.bin(here), item_id, 2);
    assert.deepEqual(await adjusted(line, 3), [6, undefined]);
  });

  it("never exceeds the stock when several raise it at once", async () => {
    const first = await reserved(10);
    const { here, clerk } = at();
    const { item_id } = first;
    const others = await Promise.all(
      [1, 2, 3].map(async () => {
        const { so_id } = await fixtures.salesOrder(here, [{ item_id, quantity: 10 }]);
        const path = `/api/admin/sales-orders/${so_id}`;
        const [line] = await linesOf(path);
        return `${path}/lines/${line?.so_line_id}`;
      }),
    );
    const rows = [7, 6].map(async (units) => fixtures.stock(here, await fixtures.bin(here), item_id, units));
    const inventory = await Promise.all(rows);
    const lines = [first.line, ...others];
    await Promise.all(
      lines.flatMap((line) => [3, 4, -2, 3].map((delta) => clerk.ok("PATCH", `${line}/allocation`, { delta }))),
    );
    await Promise.all(lines.map((line) => clerk.ok("PATCH", `${line}/allocation`, { delta: 10 })));
    const held = await allocated(inventory.map((inventory_id) => ({ inventory_id })));
    assert.deepEqual(held, [7, 6]);
  });

  it("is refused once the order is not to be picked any more", async () => {
    const { line, so_id, so_number } = await reserved(5);
    const { here, service } = at();
    const [row] = await db.rows<{ item_id: number }>("select item_id from sales_order_lines where so_id = $1", [so_id]);
    await fixtures.stock(here, await fixtures.bin(here), row?.item_id as number, 9);
    await db.run("update sales_orders set status = 'CANCELLED' where so_id = $1", [so_id]);
    const refused = await service.admin.patch(`${line}/allocation`, { delta: 1 });
    assert.deepEqual(statusAndBody(refused), [
      400,
      { error: `Sales order ${so_number} is CANCELLED: its allocation cannot be changed` },
    ]);
    const same = await service.admin.ok("PATCH", `${line}/allocation`, { delta: -1 });
    assert.equal(same.unchanged, true);
  });

  it("keeps what is picked, and is left alone while the order is being picked", async () => {
    const { line, so_id, so_number, sku } = await reserved(5, 20);
    const { service, here } = at();
    const { first_pick, batch_number } = await startWave(service.admin, here, [so_id]);
    await confirmPick(
      { pick_task_id: first_pick?.pick_task_id as number, scanned_barcode: sku, quantity_picked: 3 },
      actor(service.admin),
    );
    assert.deepEqual(await adjusted(line, -1), [3, true]);
    assert.deepEqual(await adjusted(line, 1), [
      400,
      `Sales order ${so_number} is being picked in ${batch_number}: complete or cancel that batch first`,
    ]);
  });

  it("changes by a whole number", async () => {
    for (const delta of [0.5, "one", null, undefined]) {
      const answer = await at().clerk.patch("/api/admin/sales-orders/1/lines/1/allocation", { delta });
      assert.deepEqual([answer.status, answer.body.error], [400, "validation_error"]);
    }
  });

  describe("can come from bins", () => {
    it("that hold the item in the order's warehouse, preferred ones first, with its own reservations", async () => {
      const { line, bins, item_id } = await reserved(6, 10, 5);
      const { here, elsewhere, clerk } = at();
      const staging = await fixtures.bin(here, { type: "Staging" });
      await fixtures.stock(here, staging, item_id, 2);
      await fixtures.stock(here, staging, item_id, 1, "LOT-1");
      await fixtures.stock(here, await fixtures.bin(here), item_id, 0);
      await fixtures.stock(elsewhere, await fixtures.bin(elsewhere), item_id, 9);
      await db.run("insert into preferred_bins (item_id, bin_id, priority) values ($1, $2, 1)", [item_id, staging]);
      // Somebody else's claim.
      const other = await fixtures.salesOrder(here, [{ item_id, quantity: 3 }]);
      const otherPath = `/api/admin/sales-orders/${other.so_id}`;
      const [claim] = await linesOf(otherPath);
      await clerk.ok("PATCH", `${otherPath}/lines/${claim?.so_line_id}/allocation`, { delta: 3 });
      const found = await clerk.ok("GET", `${line}/available-bins`);
      assert.deepEqual([found.warehouse_id, found.item_id], [here, item_id]);
      const shown = found.bins.map(({ bin_code, zone_name, ...bin }: Record<string, unknown>) => bin);
      assert.deepEqual(shown, [
        {
          ...{ bin_id: staging, quantity_on_hand: 3, quantity_allocated: 0, quantity_available: 3 },
          preferred_priority: 1,
          lots: [{ lot_number: "LOT-1", expiry_date: null, quantity_available: 1 }],
        },
        {
          ...{ bin_id: bins[0]?.bin_id, quantity_on_hand: 10 },
          ...{ quantity_allocated: 6, quantity_available: 10 },
          preferred_priority: null,
        },
        {
          ...{ bin_id: bins[1]?.bin_id, quantity_on_hand: 5 },
          ...{ quantity_allocated: 3, quantity_available: 2 },
          preferred_priority: null,
        },
      ]);
      assert.ok(found.bins[0].bin_code && found.bins[0].zone_name);
    });

    it("of an order and a line that there are, in a warehouse of the user", async () => {
      const { clerk, elsewhere } = at();
      const away = await order({ warehouse_id: elsewhere });
      const mine = await order();
      const ask = async (path: string) => {
        const { status, body } = await clerk.get(`${path}/lines/999999/available-bins`);
        return [status, body.error];
      };
      assert.deepEqual(await ask("/api/admin/sales-orders/999999"), [404, "Sales order not found"]);
      assert.deepEqual(await ask(away.path), [403, "Access denied for this warehouse"]);
      assert.deepEqual(await ask(mine.path), [404, "Sales order line not found"]);
    });
  });
});
