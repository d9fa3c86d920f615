import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, item, purchaseOrder, stock, warehouse } from "../support/fixtures.js";
import { fresh } from "../support/inbound.js";
import { assertHeld, assertInvariants } from "../support/invariants.js";
import { pluck } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { statusOf, waitingOrder } from "../support/waiting.js";

describe("an open order that lacks something", () => {
  const service = testService({ worker: true });
  let admin: Caller;
  let here: number;
  let shelf: number;
  before(async () => {
    admin = service.admin;
  });
  beforeEach(async () => {
    here = await warehouse();
    shelf = await bin(here);
  });
  afterEach(async () => {
    await assertInvariants();
    await assertHeld(here);
  });

  const order = async (item_id: number, quantity_ordered: number, fields: object = {}) => {
    const { sales_order, lines } = await admin.ok("POST", "/api/admin/sales-orders", {
      ...{ so_number: fresh("lacks"), warehouse_id: here, lines: [{ item_id, quantity_ordered }] },
      ...fields,
    });
    const path = `/api/admin/sales-orders/${sales_order.so_id}`;
    return { so_id: sales_order.so_id as number, path, line: `${path}/lines/${lines[0].so_line_id}` };
  };
  const held = async (...orders: { path: string }[]) =>
    Promise.all(orders.map(async ({ path }) => (await admin.ok("GET", path)).lines[0].quantity_allocated));
  const receive = async (item_id: number, quantity: number, bin_id = shelf) => {
    const { po_id } = await purchaseOrder(here, [{ item_id, quantity }]);
    return admin.ok("POST", "/api/receiving/receive", { po_id, items: [{ item_id, quantity, bin_id }] });
  };
  const adjust = (item_id: number, quantity: number, adjustment_type = "REMOVE", bin_id = shelf) =>
    admin.ok("POST", "/api/admin/adjustments/direct", {
      ...{ item_id, bin_id, warehouse_id: here, quantity, adjustment_type, reason: "seen" },
    });

  it("gets what arrives, before whoever orders next, and can be picked", async () => {
    const { item_id } = await item();
    const first = await order(item_id, 2);
    await receive(item_id, 2);
    const next = await order(item_id, 2);
    assert.deepEqual(await held(first, next), [2, 0]);
    const wave = await admin.ok("POST", "/api/picking/wave-create", { so_ids: [first.so_id], warehouse_id: here });
    assert.equal(wave.total_units, 2);
  });

  it("comes by priority, then by its day, then by age, and takes a part", async () => {
    const { item_id } = await item();
    const old = await order(item_id, 3);
    const due = await order(item_id, 3, { ship_by_date: "2026-12-24" });
    const sooner = await order(item_id, 3, { ship_by_date: "2026-12-23" });
    const urgent = await order(item_id, 3);
    await admin.ok("PUT", urgent.path, { priority: 5 });
    await receive(item_id, 4);
    assert.deepEqual(await held(urgent, sooner, due, old), [3, 1, 0, 0]);
    await receive(item_id, 6, await bin(here, { type: "Staging" }));
    assert.deepEqual(await held(urgent, sooner, due, old), [3, 3, 3, 1]);
  });

  it("comes before a backorder that is younger, and after one that is older", async () => {
    const { item_id } = await item();
    const older = await waitingOrder(here, [{ item_id, quantity: 2 }], 9);
    const open = await order(item_id, 2);
    const younger = await waitingOrder(here, [{ item_id, quantity: 1 }], -1);
    await receive(item_id, 3);
    assert.equal(await statusOf(older.so_id), "OPEN");
    assert.deepEqual(await held(open), [1]);
    assert.equal(await statusOf(younger.so_id), "WAITING_STOCK");
    await receive(item_id, 2);
    assert.deepEqual(await held(open), [2]);
    assert.equal(await statusOf(younger.so_id), "OPEN");
  });

  it("gets what another one gives up", async () => {
    const { item_id } = await item();
    await receive(item_id, 4);
    const has = await order(item_id, 4);
    const lacks = await order(item_id, 3);
    await admin.ok("PATCH", `${has.line}/allocation`, { delta: -1 });
    assert.deepEqual(await held(has, lacks), [3, 1]);
    await admin.ok("PATCH", has.line, { quantity_ordered: 2 });
    assert.deepEqual(await held(has, lacks), [2, 2]);
    await admin.ok("POST", `${has.path}/cancel`);
    assert.deepEqual(await held(lacks), [3]);
  });

  it("that lost its units gets others that are free, or those that come", async () => {
    const { item_id } = await item();
    await receive(item_id, 5);
    const has = await order(item_id, 5);
    await receive(item_id, 1, await bin(here));
    await adjust(item_id, 3);
    assert.deepEqual(await held(has), [3]);
    await receive(item_id, 9);
    assert.deepEqual(await held(has), [5]);
  });

  it("that loses its units to a bin for damaged goods gets others", async () => {
    const { item_id } = await item();
    await receive(item_id, 5);
    const has = await order(item_id, 5);
    const damaged = await bin(here);
    await db.run("update zones set zone_type = 'DAMAGE' where zone_id = (select zone_id from bins where bin_id = $1)", [
      damaged,
    ]);
    await receive(item_id, 2, await bin(here));
    await admin.ok("POST", "/api/transfers/move", { item_id, from_bin_id: shelf, to_bin_id: damaged, quantity: 4 });
    assert.deepEqual(await held(has), [3]);
    await admin.ok("POST", "/api/transfers/move", { item_id, from_bin_id: damaged, to_bin_id: shelf, quantity: 1 });
    assert.deepEqual(await held(has), [4]);
  });

  it("holds what is free of what is added to it", async () => {
    const [one, other] = [await item(), await item()];
    await receive(one.item_id, 5);
    await receive(other.item_id, 5);
    const { path, line } = await order(one.item_id, 1);
    await admin.ok("PATCH", line, { quantity_ordered: 3 });
    await admin.ok("POST", `${path}/lines`, { item_id: other.item_id, quantity_ordered: 2 });
    const { lines } = await admin.ok("GET", path);
    assert.deepEqual(pluck(lines, "quantity_allocated"), [3, 2]);
  });

  it("holds what it can again when it was picked and is taken back", async () => {
    const { item_id, upc } = await item();
    await receive(item_id, 5);
    const has = await order(item_id, 5);
    const { batch_id, first_pick } = await admin.ok("POST", "/api/picking/wave-create", {
      ...{ so_ids: [has.so_id], warehouse_id: here },
    });
    const { pick_task_id } = first_pick;
    await admin.ok("POST", "/api/picking/confirm", { pick_task_id, scanned_barcode: upc, quantity_picked: 5 });
    await admin.ok("POST", "/api/picking/complete-batch", { batch_id });
    await admin.ok("POST", `${has.path}/revert-status`, { new_status: "OPEN", release_pick_task_ids: [pick_task_id] });
    assert.deepEqual(await held(has), [5]);
  });

  it("misses nothing of what comes while it is made", async () => {
    for (let round = 0; round < 10; round++) {
      const { item_id } = await item();
      const bins = [await bin(here), await bin(here), await bin(here)];
      const [first, second] = await Promise.all([
        order(item_id, 4),
        order(item_id, 4),
        ...bins.map((bin_id) => receive(item_id, 2, bin_id)),
      ]);
      const units = (await held(first as { path: string }, second as { path: string })) as number[];
      assert.equal((units[0] ?? 0) + (units[1] ?? 0), 6);
    }
  });

  it("does not keep units from a till for longer than it lacks them", async () => {
    const { item_id } = await item();
    const lacks = await order(item_id, 1);
    await stock(here, shelf, item_id, 0);
    await adjust(item_id, 3, "ADD");
    assert.deepEqual(await held(lacks), [1]);
    const watching = await db.rows("select from stock_waits where so_id = $1", [lacks.so_id]);
    assert.deepEqual(watching, []);
    assert.deepEqual(await held(await order(item_id, 2)), [2]);
  });
});
