import assert from "node:assert/strict";
import { db } from "../support/db.js";
import { assertEventsMatchSchemas } from "../support/events.js";
import { bin, salesOrder, stock, stockOf, warehouse } from "../support/fixtures.js";
import { orderActions } from "../support/order-actions.js";
import { pluck, pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";

describe("picking an order from the desk", () => {
  const { at, act, ordered, picked, shelved, startWave, linesOf, orderStatus, eventsOf, header, lying } =
    orderActions();
  const pick = (
    so_id: number,
    lines: { so_line_id: number; bin_id: number; quantity: number }[],
    by = at().service.admin,
  ) => act(so_id, "admin-pick", { lines }, by);

  it("takes the units, promotes the order, and tells of it", async () => {
    const { item_id, sku, bin_id, inventory_id } = await shelved(8);
    const order = await ordered({ item_id, quantity: 5 });
    const [so_line_id] = order.line_ids as [number];
    const mark = await auditMark();
    const { status, body } = await pick(order.so_id, [{ so_line_id, bin_id, quantity: 5 }]);
    const { batch_id, batch_number, pick_task_ids, ...told } = body;
    assert.deepEqual(
      [status, told],
      [200, { message: `${order.so_number} is picked`, picks_applied: 1, promoted_to_picked: true }],
    );
    assert.match(batch_number, new RegExp(`^ADMIN-PICK-${order.so_number}-\\d{20}$`));
    assert.deepEqual(await stockOf(inventory_id), { on_hand: 3, allocated: 0 });
    assert.deepEqual(await linesOf(order.so_id), [{ picked: 5, allocated: 5, status: "PICKED" }]);
    assert.equal((await header(order.so_id)).status, "PICKED");
    const { pick_tasks } = await at().service.admin.ok("GET", `/api/admin/sales-orders/${order.so_id}`);
    assert.deepEqual(pluck(pick_tasks, "pick_task_id"), pick_task_ids);
    assert.deepEqual(
      await db.row("select status, total_orders, total_items from pick_batches where batch_id = $1", [batch_id]),
      { status: "COMPLETED", total_orders: 1, total_items: 5 },
    );
    const [row, ...others] = await auditSince(mark);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [row?.action_type, row?.entity_id, row?.details],
      [
        "PICK",
        order.so_id,
        { source: "admin_pick", so_line_id, sku, item_id, bin_id, batch_id, quantity_to_pick: 5, quantity_picked: 5 },
      ],
    );
    assert.deepEqual(await eventsOf(order.so_id), ["pick.confirmed"]);
    await assertEventsMatchSchemas();
  });

  it("splits a line over bins and lots", async () => {
    const { item_id, bin_id } = await shelved(2);
    await stock(at().warehouse_id, bin_id, item_id, 2, "LOT-7");
    const other = await bin(at().warehouse_id);
    await stock(at().warehouse_id, other, item_id, 3);
    const { so_id, line_ids } = await ordered({ item_id, quantity: 6 });
    const [so_line_id] = line_ids as [number];
    const { body } = await pick(so_id, [
      { so_line_id, bin_id, quantity: 4 },
      { so_line_id, bin_id: other, quantity: 2 },
    ]);
    assert.deepEqual([body.picks_applied, body.pick_task_ids.length], [2, 3]);
    assert.equal(body.promoted_to_picked, true);
    assert.deepEqual(await lying(item_id), [{ bin_id: other, on_hand: 1, allocated: 0 }]);
    const told = await db.row<{ lines: { lot_number: string | null; quantity_picked: number }[] }>(
      `select event_data(integration_events)->'lines' as lines from integration_events where entity_id = $1
        and event_type = 'pick.confirmed'`,
      [so_id],
    );
    assert.deepEqual(pluckAll(told?.lines ?? [], "lot_number", "quantity_picked"), [
      ["LOT-7", 2],
      [null, 4],
    ]);
  });

  it("in parts promotes the order with the last of them, and what is left stays reserved", async () => {
    const { item_id, bin_id, inventory_id } = await shelved(5);
    const { so_id, line_ids } = await ordered({ item_id, quantity: 5 });
    const [so_line_id] = line_ids as [number];
    const part = await pick(so_id, [{ so_line_id, bin_id, quantity: 2 }]);
    assert.equal(part.body.promoted_to_picked, false);
    assert.deepEqual(await stockOf(inventory_id), { on_hand: 3, allocated: 3 });
    assert.deepEqual(await linesOf(so_id), [{ picked: 2, allocated: 5, status: "PENDING" }]);
    assert.deepEqual(await eventsOf(so_id), []);
    const rest = await pick(so_id, [{ so_line_id, bin_id, quantity: 3 }]);
    assert.equal(rest.body.promoted_to_picked, true);
    const event = await db.row<{ units: number }>(
      `select (event_data(integration_events)->'lines'->0->>'quantity_picked')::int as units from integration_events
       where entity_id = $1 and event_type = 'pick.confirmed'`,
      [so_id],
    );
    assert.equal(event?.units, 5);
  });

  it("in part leaves the rest to a walk, which confirms the whole", async () => {
    const { item_id, bin_id, upc } = await shelved(5);
    const { so_id, line_ids } = await ordered({ item_id, quantity: 5 });
    const [so_line_id] = line_ids as [number];
    await pick(so_id, [{ so_line_id, bin_id, quantity: 2 }]);
    const { picker } = at();
    const { batch_id, first_pick } = await startWave(so_id);
    assert.equal(first_pick.quantity_to_pick, 3);
    const { pick_task_id } = first_pick;
    await picker.ok("POST", "/api/picking/confirm", { pick_task_id, scanned_barcode: upc, quantity_picked: 3 });
    await picker.ok("POST", "/api/picking/complete-batch", { batch_id });
    const told = await db.row<{ lines: { quantity_picked: number }[] }>(
      `select event_data(integration_events)->'lines' as lines from integration_events where entity_id = $1
        and event_type = 'pick.confirmed'`,
      [so_id],
    );
    assert.deepEqual(pluck(told?.lines ?? [], "quantity_picked"), [5]);
  });

  it("may take what the order itself has reserved, not what others have", async () => {
    const { item_id, sku, bin_id } = await shelved(5);
    const mine = await ordered({ item_id, quantity: 3 });
    const theirs = await ordered({ item_id, quantity: 2 });
    const [so_line_id] = mine.line_ids as [number];
    const third = await ordered({ item_id, quantity: 4 });
    const refused = await pick(third.so_id, [{ so_line_id: third.line_ids[0] ?? 0, bin_id, quantity: 1 }]);
    const { error, ...fields } = refused.body;
    assert.deepEqual(
      [refused.status, error.startsWith(`${sku}: only 0 available`), fields],
      [
        409,
        true,
        { kind: "insufficient_available", so_line_id: third.line_ids[0], bin_id, requested: 1, available: 0 },
      ],
    );
    const done = await pick(mine.so_id, [{ so_line_id, bin_id, quantity: 3 }]);
    assert.equal(done.status, 200);
    assert.deepEqual(await linesOf(theirs.so_id), [{ picked: 0, allocated: 2, status: "PENDING" }]);
  });

  it("picks all that is sent or nothing", async () => {
    const [plenty, scarce] = [await shelved(9), await shelved(1)];
    const { so_id, line_ids } = await ordered(
      { item_id: plenty.item_id, quantity: 5 },
      { item_id: scarce.item_id, quantity: 2 },
    );
    const [first, second] = line_ids as [number, number];
    const refused = await pick(so_id, [
      { so_line_id: first, bin_id: plenty.bin_id, quantity: 5 },
      { so_line_id: second, bin_id: scarce.bin_id, quantity: 2 },
    ]);
    assert.equal(refused.body.kind, "insufficient_available");
    assert.deepEqual(await stockOf(plenty.inventory_id), { on_hand: 9, allocated: 5 });
    assert.equal(await orderStatus(so_id), "OPEN");
  });

  describe("is refused", () => {
    const refusal = async (...asked: Parameters<typeof pick>) => {
      const { status, body } = await pick(...asked);
      const { error: _, ...fields } = body;
      return [status, fields];
    };

    it("for no order", async () => {
      assert.deepEqual(await refusal(999_999, []), [404, { kind: "so_not_found" }]);
    });

    it("for an order that is not OPEN", async () => {
      const { so_id } = await picked();
      assert.deepEqual(await refusal(so_id, []), [422, { kind: "so_not_open", current_status: "PICKED" }]);
    });

    it("for a return", async () => {
      const { so_id } = await salesOrder(at().warehouse_id, []);
      await db.run("update sales_orders set order_type = 'return' where so_id = $1", [so_id]);
      assert.deepEqual(await refusal(so_id, []), [422, { kind: "not_eligible" }]);
    });

    it("for an order that is being walked for", async () => {
      const { item_id, bin_id } = await shelved(5);
      const { so_id, line_ids } = await ordered({ item_id, quantity: 5 });
      const { batch_id } = await startWave(so_id);
      assert.deepEqual(await refusal(so_id, [{ so_line_id: line_ids[0] ?? 0, bin_id, quantity: 5 }]), [
        422,
        { kind: "in_active_batch", batch_id },
      ]);
    });

    it("for nothing, for lines of other orders, for more than is left", async () => {
      const { item_id, bin_id } = await shelved(9);
      const { so_id, line_ids } = await ordered({ item_id, quantity: 5 });
      const other = await ordered({ item_id, quantity: 1 });
      const [so_line_id] = line_ids as [number];
      const [elsewhere] = other.line_ids as [number];
      assert.deepEqual(await refusal(so_id, []), [422, { kind: "empty" }]);
      assert.deepEqual(await refusal(so_id, [{ so_line_id: elsewhere, bin_id, quantity: 1 }]), [
        422,
        { kind: "line_not_on_so", missing_line_ids: [elsewhere] },
      ]);
      const twice = { so_line_id, bin_id, quantity: 3 };
      assert.deepEqual(await refusal(so_id, [twice, twice]), [
        422,
        { kind: "over_pick", so_line_id, requested: 6, remaining: 5 },
      ]);
    });

    it("from no bin, and from a bin of another warehouse", async () => {
      const { item_id } = await shelved(9);
      const { so_id, line_ids } = await ordered({ item_id, quantity: 5 });
      const [so_line_id] = line_ids as [number];
      const elsewhere = await bin(await warehouse());
      for (const [bin_id, kind] of [
        [999_999, "bin_not_found"],
        [elsewhere, "bin_wrong_warehouse"],
      ] as const)
        assert.deepEqual(await refusal(so_id, [{ so_line_id, bin_id, quantity: 1 }]), [422, { kind, bin_id }]);
    });

    it("to a user without the override, and in a warehouse that is not the user's", async () => {
      const { item_id, bin_id } = await shelved(9);
      const { so_id, line_ids } = await ordered({ item_id, quantity: 5 });
      const lines = [{ so_line_id: line_ids[0] ?? 0, bin_id, quantity: 5 }];
      const { service, warehouse_id } = at();
      const plain = await service.user({ warehouse_ids: [warehouse_id], page_keys: ["sales-orders"] });
      assert.deepEqual((await pick(so_id, lines, plain)).body, { error: "permission_denied", page: "so-full-edit" });
      const page_keys = ["sales-orders", "so-full-edit"];
      const stranger = await service.user({ page_keys });
      assert.deepEqual((await pick(so_id, lines, stranger)).body, { error: "Access denied for this warehouse" });
      const entitled = await service.user({ warehouse_ids: [warehouse_id], page_keys });
      assert.equal((await pick(so_id, lines, entitled)).status, 200);
    });
  });
});
