import assert from "node:assert/strict";
import { statusAndBody } from "../support/caller.js";
import { db } from "../support/db.js";
import { assertEventsMatchSchemas } from "../support/events.js";
import { bin, item, salesOrder, stockOf, warehouse } from "../support/fixtures.js";
import { orderActions } from "../support/order-actions.js";
import { pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { pickedOrder } from "../support/walk.js";

describe("cancelling an order", () => {
  const actions = orderActions();
  const { at, act, picked, packed, shipped, ordered, shelved } = actions;
  const { header, linesOf, lying, tasksOf, orderStatus, eventsOf } = actions;
  let receiving: number;
  before(async () => {
    const { service, warehouse_id } = at();
    await bin(warehouse_id, { type: "Staging" });
    receiving = await bin(warehouse_id, { type: "Staging" });
    await service.admin.ok("PUT", "/api/admin/settings", { settings: { default_receiving_bin: String(receiving) } });
  });
  const cancel = (so_id: number, by = at().service.admin) => act(so_id, "cancel", {}, by);
  const set = (so_id: number, columns: string) =>
    db.run(`update sales_orders set ${columns} where so_id = $1`, [so_id]);

  it("that is OPEN releases what it has reserved, and names its audit row", async () => {
    const { item_id, inventory_id } = await shelved(8);
    const { so_id, so_number } = await ordered({ item_id, quantity: 5 });
    const mark = await auditMark();
    const { status, body } = await cancel(so_id);
    const { audit_log_id, ...told } = body;
    assert.deepEqual([status, told], [200, { message: "Sales order cancelled", pre_status: "OPEN" }]);
    assert.deepEqual(await stockOf(inventory_id), { on_hand: 8, allocated: 0 });
    assert.deepEqual(await linesOf(so_id), [{ picked: 0, allocated: 0, status: "PENDING" }]);
    assert.equal(await orderStatus(so_id), "CANCELLED");
    const [row, ...others] = await auditSince(mark);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [row?.action_type, row?.entity_id, row?.details],
      ["CANCEL", so_id, { so_number, pre_status: "OPEN", released_allocation: 5, restocked: 0 }],
    );
    assert.deepEqual(await db.row("select log_id from audit_log where log_id > $1", [mark]), { log_id: audit_log_id });
    assert.deepEqual(await eventsOf(so_id), []);
  });

  for (const [what, make] of [
    ["PICKED", picked],
    ["PACKED", packed],
  ] as const)
    it(`that is ${what} puts what was picked into receiving`, async () => {
      const { so_id, item_id } = await make();
      const { body } = await cancel(so_id);
      assert.equal(body.pre_status, what);
      assert.deepEqual(await lying(item_id), [{ bin_id: receiving, on_hand: 5, allocated: 0 }]);
      assert.deepEqual(
        await db.rows(
          `select quantity_allocated + quantity_picked + quantity_packed + quantity_shipped as counted
            from sales_order_lines
           where so_id = $1`,
          [so_id],
        ),
        [{ counted: 0 }],
      );
      const [task] = await tasksOf(so_id);
      assert.equal(task?.status, "RELEASED");
    });

  it("keeps the lot of what it puts into receiving, and counts what short picks got", async () => {
    const { so_id, item_id } = await picked(5, { lot: "LOT-7", found: 3 });
    await cancel(so_id);
    assert.deepEqual(
      await db.rows(
        "select lot_number, quantity_on_hand as on_hand from inventory where item_id = $1 and bin_id = $2",
        [item_id, receiving],
      ),
      [{ lot_number: "LOT-7", on_hand: 3 }],
    );
  });

  it("makes no stock of units that no pick task took", async () => {
    const { item_id } = await shelved(0);
    const { so_id } = await salesOrder(at().warehouse_id, [{ item_id, quantity: 4 }]);
    await set(so_id, "status = 'PICKED'");
    await db.run("update sales_order_lines set quantity_allocated = 4, quantity_picked = 4 where so_id = $1", [so_id]);
    await cancel(so_id);
    assert.deepEqual(await lying(item_id), []);
  });

  it("puts nothing into a bin that is out of use, as long as there is another", async () => {
    const use = (isActive: boolean) =>
      db.run("update bins set is_active = $2 where bin_id = $1", [receiving, isActive]);
    const { so_id, item_id } = await picked();
    await use(false);
    await cancel(so_id);
    await use(true);
    const lies = (await lying(item_id)).filter((row) => row.on_hand > 0);
    assert.equal(lies.length, 1);
    assert.notEqual(lies[0]?.bin_id, receiving);
  });

  it("in a warehouse that the receiving bin is not of, puts goods where they arrive there", async () => {
    const elsewhere = await warehouse();
    const shelf = await bin(elsewhere);
    const staging = await bin(elsewhere, { type: "Staging" });
    const mug = await item();
    const { so_id } = await pickedOrder(at().service.admin, elsewhere, [{ item: mug, quantity: 2 }]);
    await cancel(so_id);
    assert.ok(shelf < staging);
    assert.deepEqual(await lying(mug.item_id), [{ bin_id: staging, on_hand: 2, allocated: 0 }]);
  });

  for (const status of ["WAITING_STOCK", "FRAUD_REVIEW"])
    it(`that is in ${status} releases its reservations`, async () => {
      const { item_id, inventory_id } = await shelved(5);
      const { so_id } = await ordered({ item_id, quantity: 5 });
      await set(so_id, `status = '${status}'`);
      const { body } = await cancel(so_id);
      assert.equal(body.pre_status, status);
      assert.deepEqual(await stockOf(inventory_id), { on_hand: 5, allocated: 0 });
    });

  it("again changes nothing", async () => {
    const { item_id } = await shelved(5);
    const { so_id } = await ordered({ item_id, quantity: 5 });
    await cancel(so_id);
    const mark = await auditMark();
    const { status, body } = await cancel(so_id);
    assert.deepEqual([status, body.pre_status, body.audit_log_id], [200, "CANCELLED", null]);
    assert.deepEqual(await auditSince(mark), []);
  });

  it("cancels its open backorders with it, each with its event", async () => {
    const { item_id, inventory_id } = await shelved(9);
    const parent = await ordered({ item_id, quantity: 5 });
    const child = async (status: string) => {
      const order = await ordered({ item_id, quantity: 1 });
      await db.run(
        "update sales_orders set order_type = 'backorder', parent_so_id = $2, status = $3 where so_id = $1",
        [order.so_id, parent.so_id, status],
      );
      return order;
    };
    const waiting = await child("WAITING_STOCK");
    const open = await child("OPEN");
    const gone = await child("SHIPPED");
    const before = await child("CANCELLED");
    assert.equal((await cancel(parent.so_id)).status, 200);
    const children = [waiting, open, gone, before];
    const headers = await Promise.all(children.map((order) => header(order.so_id)));
    assert.deepEqual(pluckAll(headers, "status", "cancellation_reason"), [
      ["CANCELLED", "parent_cancelled"],
      ["CANCELLED", "parent_cancelled"],
      ["SHIPPED", null],
      ["CANCELLED", null],
    ]);
    assert.deepEqual(await Promise.all(children.map((order) => eventsOf(order.so_id))), [
      ["backorder.cancelled"],
      ["backorder.cancelled"],
      [],
      [],
    ]);
    const told = await db.row<{ payload: Record<string, unknown> }>(
      `select event_data(integration_events) as payload from integration_events where entity_id = $1
        and event_type = 'backorder.cancelled'`,
      [waiting.so_id],
    );
    const {
      backorder_so_external_id: _,
      cancelled_by_user_external_id: __,
      cancelled_at: ___,
      ...payload
    } = told?.payload ?? {};
    assert.deepEqual(payload, {
      backorder_so_number: waiting.so_number,
      parent_so_number: parent.so_number,
      warehouse_id: at().warehouse_id,
      cancellation_reason: "parent_cancelled",
    });
    // What the two that are gone or were cancelled by hand hold is theirs.
    assert.equal((await stockOf(inventory_id)).allocated, 2);
    await assertEventsMatchSchemas();
  });

  it("that is a backorder itself tells of it too", async () => {
    const { item_id } = await shelved(0);
    const { so_id } = await ordered({ item_id, quantity: 1 });
    await set(so_id, "order_type = 'backorder', status = 'WAITING_STOCK'");
    await cancel(so_id);
    const told = await db.row(
      `select event_data(integration_events)->>'cancellation_reason' as reason,
        event_data(integration_events)->>'parent_so_number' as parent from integration_events
       where entity_id = $1 and event_type = 'backorder.cancelled'`,
      [so_id],
    );
    assert.deepEqual(told, { reason: "other", parent: "" });
  });

  describe("is refused", () => {
    it("for no order, and in a warehouse that is not the user's", async () => {
      const { status, body } = await cancel(999_999);
      assert.deepEqual([status, body], [404, { error: "Sales order not found" }]);
      const { so_id } = await picked();
      const stranger = await at().service.user({ page_keys: ["sales-orders"] });
      assert.deepEqual((await cancel(so_id, stranger)).body, { error: "Access denied for this warehouse" });
      assert.equal(await orderStatus(so_id), "PICKED");
    });

    it("once it is SHIPPED, and what follows that", async () => {
      const { so_id, so_number } = await shipped();
      for (const status of ["SHIPPED", "REFUNDED", "RECEIVED"]) {
        await set(so_id, `status = '${status}'`);
        const answer = await cancel(so_id);
        assert.deepEqual(statusAndBody(answer), [
          400,
          { error: `Sales order ${so_number} is ${status}: it cannot be cancelled`, current_status: status },
        ]);
      }
    });
  });
});
