import assert from "node:assert/strict";
import { transaction } from "../../src/platform/db/db.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { pluck } from "../support/pluck.js";
import { waitingForLocks } from "../support/queued-behind-lock.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";

const ROUTE = "/api/admin/dashboard";

describe("dashboard", () => {
  const service = testService();
  beforeEach(async () => {
    await packing("true");
  });

  const packing = (value: string) =>
    service.admin.ok("PUT", "/api/admin/settings", { settings: { require_packing_before_shipping: value } });
  const read = (warehouse_id: number, by: Caller = service.admin) =>
    by.ok("GET", `${ROUTE}?warehouse_id=${warehouse_id}`);
  const setStatus = (soId: number, status: string) =>
    db.run("update sales_orders set status = $2 where so_id = $1", [soId, status]);
  /** Orders of a warehouse in the given states. */
  async function orders(warehouse_id: number, ...states: string[]) {
    const ids: number[] = [];
    for (const status of states) {
      const { so_id } = await fixtures.salesOrder(warehouse_id, []);
      await setStatus(so_id, status);
      ids.push(so_id);
    }
    return ids;
  }

  it("counts what is to come, and what lies at the dock", async () => {
    const warehouse_id = await fixtures.warehouse();
    const dock = await fixtures.bin(warehouse_id, { type: "Staging" });
    await fixtures.bin(warehouse_id);
    const { item_id } = await fixtures.item();
    const { po_id } = await fixtures.purchaseOrder(warehouse_id, [{ item_id, quantity: 10 }]);
    await fixtures.purchaseOrder(warehouse_id, [{ item_id, quantity: 5 }]);
    const { po_id: closed } = await fixtures.purchaseOrder(warehouse_id, [{ item_id, quantity: 100 }]);
    await db.run("update purchase_orders set status = 'CLOSED' where po_id = $1", [closed]);
    await service.admin.ok("POST", "/api/receiving/receive", {
      po_id,
      items: [{ item_id, quantity: 4, bin_id: dock }],
    });
    const { open_pos, pending_receipts, items_awaiting_putaway, total_bins } = await read(warehouse_id);
    assert.deepEqual(
      { open_pos, pending_receipts, items_awaiting_putaway, total_bins },
      { open_pos: 2, pending_receipts: 11, items_awaiting_putaway: 4, total_bins: 2 },
    );
  });

  it("leaves connections to others, however many look at it while it takes long", async () => {
    const warehouse_id = await fixtures.warehouse();
    const { asked, other } = await transaction(async (tx) => {
      await tx.run("lock table transfer_orders in access exclusive mode");
      const asked = Array.from({ length: 40 }, () => read(warehouse_id));
      await until(async () => (await waitingForLocks()) > 0);
      return { asked, other: await service.admin.get("/api/receiving/po/no-such-order") };
    });
    assert.equal(other.status, 404);
    for (const { open_sos } of await Promise.all(asked)) assert.equal(open_sos, 0);
  });

  it("counts orders by how far they are, those in a running walk apart", async () => {
    const warehouse_id = await fixtures.warehouse();
    const [walked] = await orders(
      warehouse_id,
      ...["OPEN", "OPEN", "OPEN", "PICKED", "PICKED", "PACKED", "SHIPPED"],
      ...["CANCELLED", "WAITING_STOCK", "FRAUD_REVIEW", "OPEN"],
    );
    await db.run("update sales_orders set order_type = 'return' where so_id = (select max(so_id) from sales_orders)");
    await db.run(
      `with batch as (insert into pick_batches (batch_number, warehouse_id) values ('WALK', $1) returning batch_id)
       insert into pick_batch_orders (batch_id, so_id) select batch_id, $2 from batch`,
      [warehouse_id, walked],
    );
    const counted = await read(warehouse_id);
    const { open_sos, orders_ready_to_pick, orders_in_picking } = counted;
    const { ready_to_pack, orders_packed, ready_to_ship } = counted;
    assert.deepEqual([open_sos, orders_ready_to_pick, orders_in_picking], [3, 2, 1]);
    assert.deepEqual([ready_to_pack, orders_packed, ready_to_ship, counted.cancelled_orders], [2, 1, 1, 1]);
    assert.equal(counted.require_packing, true);
    const { item_id } = await fixtures.item();
    await fixtures.salesOrder(warehouse_id, [{ item_id, quantity: 1 }]);
    assert.deepEqual((await read(warehouse_id)).orders_lacking_stock, 1);
    await db.run("update pick_batch_orders set active = false");
    assert.deepEqual((await read(warehouse_id)).orders_in_picking, 0);
  });

  it("has no words for packing where nothing is packed", async () => {
    const warehouse_id = await fixtures.warehouse();
    await orders(warehouse_id, "PICKED", "PICKED");
    await db.run("update sales_orders set status = 'SHIPPED' where status = 'PACKED'");
    await packing("false");
    const counted = await read(warehouse_id);
    assert.equal("ready_to_pack" in counted, false);
    assert.equal("orders_packed" in counted, false);
    assert.equal(counted.require_packing, false);
    await orders(warehouse_id, "PACKED");
    assert.equal((await read(warehouse_id)).ready_to_ship, 3);
  });

  it("counts items whose stock is low, wherever it lies, and SKUs that are active", async () => {
    const before = await service.admin.ok("GET", ROUTE);
    const [here, there] = [await fixtures.warehouse(), await fixtures.warehouse()];
    const watched = async (reorder_point: number, active = true) => {
      const { item_id } = await fixtures.item();
      await db.run("update items set reorder_point = $2, is_active = $3 where item_id = $1", [
        item_id,
        reorder_point,
        active,
      ]);
      return item_id;
    };
    const [low, enough] = [await watched(10), await watched(10)];
    for (const item_id of [low, enough]) await fixtures.stock(here, await fixtures.bin(here), item_id, 5);
    await fixtures.stock(there, await fixtures.bin(there), low, 5);
    await fixtures.stock(there, await fixtures.bin(there), enough, 6);
    await watched(1); // Not in stock at all.
    await watched(0); // Nobody waits for it.
    await watched(10, false);
    const after = await read(here);
    assert.equal(after.low_stock_items - before.low_stock_items, 2);
    assert.equal(after.total_skus - before.total_skus, 4);
  });

  it("counts short picks of seven days and adjustments that wait", async () => {
    const warehouse_id = await fixtures.warehouse();
    const { item_id } = await fixtures.item();
    const bin_id = await fixtures.bin(warehouse_id);
    await db.run(
      `insert into audit_log (action_type, entity_type, entity_id, warehouse_id, details, created_at)
       select 'PICK', 'SO', 1, $1, details, now() - age
       from (values (interval '1 minute', '{"type": "SHORT_PICK"}'::jsonb), ('6 days 23 hours',
         '{"type": "SHORT_PICK"}'),
         ('7 days 1 minute', '{"type": "SHORT_PICK"}'), ('1 minute', '{}')) as v(age, details)`,
      [warehouse_id],
    );
    await db.run(
      `insert into inventory_adjustments (item_id, bin_id, warehouse_id, quantity_change, reason_code, status)
       select $1, $2, $3, 1, 'CYCLE_COUNT', s from unnest('{PENDING,PENDING,APPROVED,REJECTED}'::text[]) as s`,
      [item_id, bin_id, warehouse_id],
    );
    const { short_picks_7d, pending_adjustments } = await read(warehouse_id);
    assert.deepEqual([short_picks_7d, pending_adjustments], [2, 2]);
  });

  it("counts transfers to be approved by the warehouse that they go to, whose people approve them", async () => {
    const [source, destination] = [await fixtures.warehouse(), await fixtures.warehouse()];
    await db.run(
      `with orders as (
         insert into transfer_orders (to_number, source_warehouse_id, destination_warehouse_id, status)
         select $1 || status, $2, $3, status
         from unnest('{OPEN,PARTIALLY_PICKED,AWAITING_APPROVAL,CLOSED,CANCELLED}'::text[]) as o(status)
         returning to_id, status)
       insert into transfer_order_approvals (to_id, submitted_by, status, approved_at, rejected_at)
       select to_id, 'ann', a.status, now(), now()
       from orders join (values ('PARTIALLY_PICKED', 'PENDING'), ('PARTIALLY_PICKED', 'REJECTED'),
         ('AWAITING_APPROVAL', 'PENDING'), ('AWAITING_APPROVAL', 'PENDING'), ('CLOSED', 'APPROVED'),
         ('CANCELLED', 'REJECTED')) as a(order_status, status) on orders.status = a.order_status`,
      [`${source}-`, source, destination],
    );
    assert.equal((await read(destination)).pending_to_approvals, 3);
    assert.equal((await read(source)).pending_to_approvals, 0);
  });

  it("describes what happened last, newest first, ten at most", async () => {
    const warehouse_id = await fixtures.warehouse();
    const { item_id, sku } = await fixtures.item();
    const bin_id = await fixtures.bin(warehouse_id, { code: "SHELF-9" });
    for (let i = 1; i <= 11; i++)
      await service.admin.ok("POST", "/api/admin/adjustments/direct", {
        ...{ item_id, bin_id, warehouse_id, adjustment_type: "ADD" },
        ...{ quantity: i, reason: "found" },
      });
    const { recent_activity } = await read(warehouse_id);
    assert.equal(recent_activity.length, 10);
    const [{ time, detail, ...newest }] = recent_activity;
    assert.deepEqual(newest, { action: "ADJUST", user: "admin" });
    assert.match(time, /^\d{4}-.*\+00:00$/);
    assert.match(detail, new RegExp(`^ITEM ${sku}: .*quantity change 11`));
    assert.match(detail, /bin SHELF-9/);
    const all = await service.admin.ok("GET", ROUTE);
    assert.equal(all.recent_activity[0].time, time);
  });

  it("shows a user the own warehouses together, an admin all", async () => {
    const [one, two, three] = [await fixtures.warehouse(), await fixtures.warehouse(), await fixtures.warehouse()];
    for (const id of [one, two, three]) {
      await orders(id, "OPEN", "CANCELLED");
      await fixtures.bin(id);
      await fixtures.purchaseOrder(id, []);
    }
    // The scanner's first page asks for it too, so it needs no page.
    const lead = await service.user({ warehouse_ids: [one, two] });
    const own = await lead.ok("GET", ROUTE);
    const { open_sos, cancelled_orders, total_bins, open_pos } = own;
    assert.deepEqual([open_sos, cancelled_orders, total_bins, open_pos], [2, 2, 2, 2]);
    assert.equal((await read(one, lead)).open_sos, 1);
    assert.equal((await lead.get(`${ROUTE}?warehouse_id=${three}`)).status, 403);
    const all = await service.admin.ok("GET", ROUTE);
    assert.ok(all.open_sos >= 3 && all.open_pos >= 3 && all.total_bins >= 3);
  });

  it("shows no user what happened elsewhere", async () => {
    const [own, other] = [await fixtures.warehouse(), await fixtures.warehouse()];
    const lead = await service.user({ warehouse_ids: [own] });
    await db.run(
      `insert into audit_log (action_type, entity_type, entity_id, warehouse_id)
       values ('OWN', 'SO', 1, $1), ('OTHER', 'SO', 1, $2), ('NONE', 'USER', 1, null)`,
      [own, other],
    );
    const { recent_activity } = await lead.ok("GET", ROUTE);
    assert.deepEqual(pluck(recent_activity, "action"), ["OWN"]);
    const nobody = await service.user();
    assert.deepEqual((await nobody.ok("GET", ROUTE)).recent_activity, []);
  });
});
