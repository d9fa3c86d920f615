import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { assertEventsMatchSchemas } from "../support/events.js";
import * as fixtures from "../support/fixtures.js";
import { orderActions } from "../support/order-actions.js";
import { pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { statusOf, waitingOrder } from "../support/waiting.js";

describe("a backorder", () => {
  const { at, act, ordered, picked, shelved, startWave, eventsOf, header, lying, cancel: cancelBatch } = orderActions();

  /** The backorder of two of five units. */
  async function backorder() {
    const goods = await shelved(5);
    const order = await ordered({ item_id: goods.item_id, quantity: 5 });
    const lines = [{ so_line_id: order.line_ids[0], short_qty: 2, write_off: true }];
    const { body } = await act(order.so_id, "partial-fulfill", { lines });
    return { ...goods, order, ...(body.backorder_so as { so_id: number; so_number: string }) };
  }
  const add = (item_id: number, bin_id: number, quantity: number) =>
    at().service.admin.ok("POST", "/api/admin/adjustments/direct", {
      ...{ item_id, bin_id, warehouse_id: at().warehouse_id, quantity },
      ...{ adjustment_type: "ADD", reason: "found" },
    });
  const cancelled = async (so_id: number) =>
    (
      await db.rows<{ payload: Record<string, unknown> }>(
        `select event_data(integration_events) as payload from integration_events
         where event_type = 'backorder.cancelled' and entity_id = $1 order by outbox_id`,
        [so_id],
      )
    ).map(({ payload }) => payload.cancellation_reason);

  it("is cancelled once, for a reason, and that is told", async () => {
    const { so_id, so_number } = await backorder();
    const mark = await auditMark();
    const { status, body } = await act(so_id, "cancel-backorder", { cancellation_reason: "customer left" });
    assert.equal(status, 200, JSON.stringify(body));
    const { audit_log_id, ...answer } = body;
    assert.deepEqual(answer, {
      ...{ message: `${so_number} is cancelled`, bo_so_id: so_id },
      cancellation_reason: "customer left",
    });
    const rows = await auditSince(mark);
    assert.deepEqual(pluckAll(rows, "action_type", "entity_id"), [["CANCEL", so_id]]);
    const logged = await db.row<{ log_id: number }>(
      "select log_id from audit_log where entity_type = 'SO' and entity_id = $1 and action_type = 'CANCEL'",
      [so_id],
    );
    assert.equal(audit_log_id, logged?.log_id);
    const { status: now, cancellation_reason } = await header(so_id);
    assert.deepEqual([now, cancellation_reason], ["CANCELLED", "customer left"]);
    const again = await act(so_id, "cancel-backorder", { cancellation_reason: "another" });
    assert.deepEqual(
      [again.status, again.body.audit_log_id, again.body.cancellation_reason],
      [200, null, "customer left"],
    );
    assert.deepEqual(await cancelled(so_id), ["customer left"]);
    await assertEventsMatchSchemas();
  });

  it("is cancelled for another reason when none is given, and REFUNDED when it was refunded", async () => {
    const [plain, paid] = [await backorder(), await backorder()];
    assert.equal((await act(plain.so_id, "cancel-backorder")).body.cancellation_reason, "other");
    await act(paid.so_id, "cancel-backorder", { cancellation_reason: "refunded" });
    assert.equal(await statusOf(paid.so_id), "REFUNDED");
    const row = await db.row<{ stamped: boolean }>(
      "select refunded_at is not null as stamped from sales_orders where so_id = $1",
      [paid.so_id],
    );
    assert.equal(row?.stamped, true);
    assert.deepEqual(await cancelled(paid.so_id), ["refunded"]);
    const again = await act(paid.so_id, "cancel-backorder");
    assert.deepEqual([again.body.audit_log_id, again.body.cancellation_reason], [null, "refunded"]);
  });

  it("that is OPEN again frees what it reserved and what was picked for it, for those that wait", async () => {
    const { so_id, item_id, bin_id } = await backorder();
    await add(item_id, bin_id, 2);
    assert.equal(await statusOf(so_id), "OPEN");
    const { lines } = await at().service.admin.ok("GET", `/api/admin/sales-orders/${so_id}`);
    await at().service.admin.ok("PATCH", `/api/admin/sales-orders/${so_id}/lines/${lines[0].so_line_id}/allocation`, {
      delta: 2,
    });
    const waiting = await waitingOrder(at().warehouse_id, [{ item_id, quantity: 2 }]);
    await act(so_id, "cancel-backorder");
    assert.deepEqual(await lying(item_id), [{ bin_id, on_hand: 5, allocated: 5 }]);
    assert.equal(await statusOf(waiting.so_id), "OPEN");
  });

  it("is not cancelled while it is in a wave, nor once it is picked, nor when it is none", async () => {
    const { so_id, item_id, bin_id } = await backorder();
    await add(item_id, bin_id, 2);
    const { batch_id } = await startWave(so_id);
    const walking = await act(so_id, "cancel-backorder");
    assert.deepEqual([walking.status, walking.body.kind, walking.body.batch_id], [409, "in_active_batch", batch_id]);
    await cancelBatch(batch_id);
    await db.run("update sales_orders set status = 'PICKED' where so_id = $1", [so_id]);
    const late = await act(so_id, "cancel-backorder");
    assert.deepEqual([late.status, late.body.kind, late.body.current_status], [409, "wrong_status", "PICKED"]);
    await db.run("update sales_orders set status = 'OPEN' where so_id = $1", [so_id]);
    const { so_id: sale } = await picked();
    const none = await act(sale, "cancel-backorder");
    assert.deepEqual([none.status, none.body.kind], [422, "not_a_backorder"]);
    const missing = await act(999999, "cancel-backorder");
    assert.deepEqual([missing.status, missing.body.kind], [404, "so_not_found"]);
    const long = await act(so_id, "cancel-backorder", { cancellation_reason: "x".repeat(51) });
    assert.equal(long.status, 400);
  });

  it("ends with its order, and as any order", async () => {
    const [first, second] = [await backorder(), await backorder()];
    await act(first.order.so_id, "cancel");
    assert.deepEqual(await cancelled(first.so_id), ["parent_cancelled"]);
    assert.equal((await header(first.so_id)).cancellation_reason, "parent_cancelled");
    await act(second.so_id, "cancel");
    assert.deepEqual(await cancelled(second.so_id), ["other"]);
    const again = await act(second.so_id, "cancel-backorder");
    assert.deepEqual([again.body.audit_log_id, again.body.cancellation_reason], [null, "other"]);
  });

  it("may be a sale that waited from the start", async () => {
    const { item_id } = await shelved(0);
    const { so_id } = await waitingOrder(at().warehouse_id, [{ item_id, quantity: 1 }]);
    assert.equal((await act(so_id, "cancel-backorder")).status, 200);
    assert.deepEqual(await cancelled(so_id), ["other"]);
    assert.deepEqual(await eventsOf(so_id), ["backorder.cancelled"]);
  });
});

describe("the list of backorders", () => {
  const { at, shelved } = orderActions();
  let where: number;
  let clerk: Caller;
  beforeEach(async () => {
    where = await fixtures.warehouse();
    clerk = await at().service.user({ warehouse_ids: [where], page_keys: ["backorders"] });
  });
  const list = async (query = "", by = clerk) => await by.ok("GET", `/api/admin/backorders${query}`);
  const numbers = async (query = "", by = clerk) =>
    (await list(query, by)).backorders.map((order: { so_number: string }) => order.so_number);
  const expect = async (item_id: number, quantity: number, day: string | null, warehouse_id = where) => {
    const order = await fixtures.purchaseOrder(warehouse_id, [{ item_id, quantity }]);
    await db.run("update purchase_orders set expected_date = $2 where po_id = $1", [order.po_id, day]);
    return order;
  };
  /** Units that come, but may not be picked yet. */
  const receive = async (po_id: number, item_id: number, quantity: number) =>
    at().service.admin.ok("POST", "/api/receiving/receive", {
      ...{ po_id, items: [{ item_id, quantity, bin_id: await fixtures.bin(where, { type: "Staging" }) }] },
    });

  it("shows those that wait, the oldest first, with what is on its way for each item", async () => {
    const [a, b] = [await shelved(0), await shelved(0)];
    const young = await waitingOrder(where, [{ item_id: a.item_id, quantity: 2 }], 1);
    const old = await waitingOrder(
      where,
      [
        { item_id: a.item_id, quantity: 3 },
        { item_id: b.item_id, quantity: 1 },
      ],
      9,
    );
    await db.run("update sales_orders set parent_so_id = $2 where so_id = $1", [old.so_id, young.so_id]);
    await expect(a.item_id, 50, null);
    await expect(a.item_id, 40, "2031-05-02");
    const first = await expect(a.item_id, 30, "2031-05-01");
    await receive(first.po_id, a.item_id, 8);
    await expect(a.item_id, 9, "2031-01-01", await fixtures.warehouse());
    const closed = await expect(a.item_id, 9, "2031-01-01");
    await db.run("update purchase_orders set status = 'CLOSED' where po_id = $1", [closed.po_id]);
    const full = await expect(a.item_id, 9, "2031-01-01");
    await receive(full.po_id, a.item_id, 9);
    await db.run("update purchase_orders set status = 'OPEN' where po_id = $1", [full.po_id]);

    const { tab, backorders } = await list();
    assert.equal(tab, "waiting");
    const [one, two, ...more] = backorders;
    assert.deepEqual(more, []);
    const { po_id, po_number } = first;
    const coming = { po_id, po_number, expected_date: "2031-05-01", quantity_remaining: 22 };
    const { backorder_opened_at, external_id, warehouse_code, ...row } = one;
    assert.ok(backorder_opened_at && external_id);
    assert.deepEqual(row, {
      ...{ so_id: old.so_id, so_number: old.so_number },
      ...{ parent_so_id: young.so_id, parent_so_number: young.so_number },
      ...{ warehouse_id: where, status: "WAITING_STOCK", customer_name: "Customer" },
      items: [
        { sku: a.sku, item_name: `Item ${a.sku}`, qty: 3, open_po: coming },
        { sku: b.sku, item_name: `Item ${b.sku}`, qty: 1, open_po: null },
      ],
      ...{ days_waiting: 9, fulfillable_since: null },
    });
    assert.deepEqual([two.so_number, two.items[0].open_po], [young.so_number, coming]);
    await db.run("update purchase_orders set status = 'ARCHIVED' where warehouse_id = $1", [where]);
    assert.equal((await list()).backorders[0].items[0].open_po, null);
    await expect(a.item_id, 7, null);
    assert.equal((await list()).backorders[0].items[0].open_po.expected_date, null);
  });

  it("shows those whose stock came until they are shipped", async () => {
    const { item_id } = await shelved(0);
    const made: Record<string, string> = {};
    for (const status of ["WAITING_STOCK", "OPEN", "PICKED", "PACKED", "SHIPPED", "CANCELLED", "REFUNDED"]) {
      const { so_id, so_number } = await waitingOrder(where, [{ item_id, quantity: 1 }], 2);
      made[status] = so_number;
      await db.run("update sales_orders set status = $2, backorder_fulfillable_at = now() where so_id = $1", [
        so_id,
        status,
      ]);
    }
    await fixtures.salesOrder(where, [{ item_id, quantity: 1 }]);
    assert.deepEqual(await numbers("?tab=ready-to-ship"), [made.OPEN, made.PICKED, made.PACKED]);
    assert.deepEqual(await numbers("?tab=waiting"), [made.WAITING_STOCK]);
    const [open] = (await list("?tab=ready-to-ship")).backorders;
    assert.ok(open.fulfillable_since);
    assert.equal((await clerk.get("/api/admin/backorders?tab=all")).status, 400);
  });

  it("is of the user's warehouses, or of one of them, and of the page `backorders`", async () => {
    const { item_id } = await shelved(0);
    const there = await fixtures.warehouse();
    const here = await waitingOrder(where, [{ item_id, quantity: 1 }]);
    const away = await waitingOrder(there, [{ item_id, quantity: 1 }]);
    assert.deepEqual(await numbers(), [here.so_number]);
    assert.equal((await clerk.get(`/api/admin/backorders?warehouse_id=${there}`)).status, 403);
    const { admin } = at().service;
    assert.deepEqual(await numbers(`?warehouse_id=${there}`, admin), [away.so_number]);
    const all = await numbers("", admin);
    assert.ok(all.includes(here.so_number) && all.includes(away.so_number));
    const seller = await at().service.user({ warehouse_ids: [where], page_keys: ["sales-orders"] });
    assert.equal((await seller.get("/api/admin/backorders")).status, 403);
  });
});
