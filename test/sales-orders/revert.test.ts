import assert from "node:assert/strict";
import { salesOrderStates } from "../../src/platform/states.js";
import { db } from "../support/db.js";
import { salesOrder, stockOf } from "../support/fixtures.js";
import { orderActions } from "../support/order-actions.js";
import { pluck, pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";

describe("taking an order back", () => {
  const actions = orderActions();
  const { at, act, picked, packed, shipped, ordered, shelved } = actions;
  const { header, linesOf, lying, tasksOf, orderStatus, eventsOf } = actions;
  const revert = (so_id: number, new_status: string, release_pick_task_ids: number[] = [], by = at().service.admin) =>
    act(so_id, "revert-status", { new_status, release_pick_task_ids }, by);
  const countersOf = (so_id: number) =>
    db.rows(
      `select quantity_picked as picked, quantity_packed as packed, quantity_shipped as shipped, status
       from sales_order_lines where so_id = $1`,
      [so_id],
    );

  it("from SHIPPED to PACKED undoes the shipment alone", async () => {
    const { so_id, so_number } = await shipped();
    const mark = await auditMark();
    const { status, body } = await revert(so_id, "PACKED");
    assert.deepEqual(
      [status, body],
      [
        200,
        {
          message: `${so_number} is PACKED again`,
          ...{ so_id, so_number, from_status: "SHIPPED", to_status: "PACKED" },
          ...{ released_pick_tasks: [], unpacked: false, unshipped: true },
        },
      ],
    );
    assert.deepEqual(await countersOf(so_id), [{ picked: 5, packed: 5, shipped: 0, status: "PACKED" }]);
    const { carrier, tracking_number, shipped_date_local } = await header(so_id);
    assert.deepEqual([carrier, tracking_number, shipped_date_local], [null, null, null]);
    assert.deepEqual(
      await db.row("select status, voided_by, void_reason from item_fulfillments where so_id = $1", [so_id]),
      { status: "VOIDED", voided_by: at().service.admin.username, void_reason: "Reverted to PACKED" },
    );
    assert.deepEqual(pluckAll(await auditSince(mark), "action_type", "details"), [
      ["SO_UNSHIPPED", { so_number, to_status: "PACKED" }],
      ["SO_STATUS_REVERTED", { so_number, from_status: "SHIPPED", to_status: "PACKED" }],
    ]);
    assert.deepEqual(await eventsOf(so_id), ["pick.confirmed", "pack.confirmed", "ship.confirmed"]);
  });

  it("lets it ship again afterwards", async () => {
    const { so_id } = await shipped();
    await revert(so_id, "PACKED");
    const again = await act(so_id, "admin-ship");
    assert.equal(again.status, 200, JSON.stringify(again.body));
  });

  it("from PACKED to PICKED unpacks", async () => {
    const { so_id } = await packed();
    const { body } = await revert(so_id, "PICKED");
    assert.deepEqual([body.unpacked, body.unshipped], [true, false]);
    assert.deepEqual(await countersOf(so_id), [{ picked: 5, packed: 0, shipped: 0, status: "PICKED" }]);
  });

  it("to OPEN puts the picks back into the bins they came from, in one go from SHIPPED", async () => {
    const { so_id, task_id, item_id, bin_id } = await shipped();
    const { line_id } = (await db.row<{ line_id: number }>(
      "select so_line_id as line_id from sales_order_lines where so_id = $1",
      [so_id],
    )) as { line_id: number };
    const mark = await auditMark();
    const { status, body } = await revert(so_id, "OPEN", [task_id]);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body.released_pick_tasks, [
      { pick_task_id: task_id, so_line_id: line_id, item_id, bin_id, quantity: 5 },
    ]);
    assert.deepEqual([body.unpacked, body.unshipped], [true, true]);
    assert.deepEqual(await lying(item_id), [{ bin_id, on_hand: 5, allocated: 5 }]);
    assert.deepEqual(await countersOf(so_id), [{ picked: 0, packed: 0, shipped: 0, status: "PENDING" }]);
    assert.deepEqual(await tasksOf(so_id), [{ pick_task_id: task_id, status: "RELEASED", quantity: 5 }]);
    assert.deepEqual(pluck(await auditSince(mark), "action_type"), [
      "SO_UNSHIPPED",
      "SO_UNPACKED",
      "SO_PICK_RELEASED",
      "SO_STATUS_REVERTED",
    ]);
    assert.deepEqual(
      await db.row("select picked_at, packed_at, shipped_at from sales_orders where so_id = $1", [so_id]),
      { picked_at: null, packed_at: null, shipped_at: null },
    );
  });

  it("puts goods of a lot back as that lot", async () => {
    const { so_id, task_id, bin_id } = await picked(5, { lot: "LOT-7" });
    assert.equal((await revert(so_id, "OPEN", [task_id])).status, 200);
    assert.deepEqual(
      await db.rows(
        "select lot_number, quantity_on_hand as on_hand from inventory where bin_id = $1 order by lot_number",
        [bin_id],
      ),
      [{ lot_number: "LOT-7", on_hand: 5 }],
    );
  });

  it("to OPEN puts back what short picks got too, and forgets that they were short", async () => {
    const { so_id, item_id, bin_id } = await picked(5, { found: 3 });
    const { body } = await revert(so_id, "OPEN");
    assert.deepEqual(pluck(body.released_pick_tasks, "quantity"), [3]);
    // The two that were not found are promised to nobody until the bin is counted.
    assert.deepEqual(await lying(item_id), [{ bin_id, on_hand: 5, allocated: 3 }]);
    const [task] = await tasksOf(so_id);
    assert.equal(task?.status, "RELEASED");
  });

  it("puts back what the desk picked", async () => {
    const { item_id, bin_id, inventory_id } = await shelved(5);
    const { so_id, line_ids } = await ordered({ item_id, quantity: 5 });
    const { body } = await act(so_id, "admin-pick", { lines: [{ so_line_id: line_ids[0], bin_id, quantity: 5 }] });
    assert.equal((await revert(so_id, "OPEN", body.pick_task_ids)).status, 200);
    assert.deepEqual(await stockOf(inventory_id), { on_hand: 5, allocated: 5 });
  });

  it("to the status it has only puts picks back", async () => {
    const { so_id, so_number, task_id, item_id } = await packed();
    const mark = await auditMark();
    const { body } = await revert(so_id, "PACKED", [task_id]);
    assert.equal(body.message, `${so_number} stays PACKED, 5 unit(s) are put back`);
    assert.deepEqual(await countersOf(so_id), [{ picked: 0, packed: 0, shipped: 0, status: "PICKED" }]);
    assert.equal(await orderStatus(so_id), "PACKED");
    assert.equal((await lying(item_id)).length, 1);
    const rows = await auditSince(mark);
    assert.deepEqual(pluck(rows, "action_type"), ["SO_PICK_RELEASED"]);
    await revert(so_id, "PACKED");
    assert.equal((await auditSince(mark)).length, 1);
  });

  it("after a pick in parts puts the named part back and leaves the other", async () => {
    const { item_id, bin_id } = await shelved(5);
    const { so_id, line_ids } = await ordered({ item_id, quantity: 5 });
    const part = (quantity: number) =>
      act(so_id, "admin-pick", { lines: [{ so_line_id: line_ids[0], bin_id, quantity }] });
    const { body: two } = await part(2);
    await part(1);
    assert.equal((await revert(so_id, "OPEN", two.pick_task_ids)).status, 200);
    const [line] = await linesOf(so_id);
    assert.deepEqual([line?.picked, await orderStatus(so_id)], [1, "OPEN"]);
  });

  describe("is refused", () => {
    const refusal = async (...asked: Parameters<typeof revert>) => {
      const { status, body } = await revert(...asked);
      const { error: _, ...fields } = body;
      return [status, fields];
    };

    it("for no order, and in a warehouse that is not the user's", async () => {
      assert.deepEqual(await refusal(999_999, "OPEN"), [404, { kind: "not_found" }]);
      const { so_id } = await packed();
      const stranger = await at().service.user({ page_keys: ["sales-orders"] });
      const { status, body } = await revert(so_id, "PICKED", [], stranger);
      assert.deepEqual([status, body], [403, { error: "Access denied for this warehouse" }]);
      const clerk = await at().service.user({ warehouse_ids: [at().warehouse_id], page_keys: ["sales-orders"] });
      assert.equal((await revert(so_id, "PICKED", [], clerk)).status, 200);
    });

    it("to a status that orders are not reverted to", async () => {
      const { so_id } = await shipped();
      for (const status of ["SHIPPED", "CANCELLED", "open", "?"])
        assert.deepEqual(await refusal(so_id, status), [400, { kind: "invalid_status" }]);
    });

    it("from wherever the state table has no way back", async () => {
      const { so_id } = await salesOrder(at().warehouse_id, []);
      for (const from of Object.keys(salesOrderStates))
        for (const to of ["OPEN", "PICKED", "PACKED"]) {
          await db.run("update sales_orders set status = $2 where so_id = $1", [so_id, from]);
          const way = ["OPEN", "PICKED", "PACKED", "SHIPPED"];
          const back = way.indexOf(from) >= way.indexOf(to);
          assert.deepEqual(
            (await revert(so_id, to)).body.kind,
            back ? undefined : from === "CANCELLED" ? "cancelled" : "not_backward",
            `${from} to ${to}`,
          );
        }
    });

    it("for a refund", async () => {
      const { so_id } = await salesOrder(at().warehouse_id, []);
      await db.run("update sales_orders set order_type = 'refund', status = 'SHIPPED' where so_id = $1", [so_id]);
      assert.deepEqual(await refusal(so_id, "OPEN"), [400, { kind: "not_eligible" }]);
    });

    it("with picks of others, with picks that are put back, and while picks remain", async () => {
      const { so_id, task_id } = await picked();
      const other = await picked();
      assert.deepEqual(await refusal(so_id, "OPEN", [task_id, other.task_id, 999_999]), [
        400,
        { kind: "pick_task_missing", missing_ids: [other.task_id, 999_999] },
      ]);
      assert.deepEqual(await refusal(so_id, "OPEN"), [
        409,
        { kind: "picked_qty_remaining", remaining_picked: 5, target_status: "OPEN" },
      ]);
      await revert(so_id, "OPEN", [task_id]);
      assert.deepEqual(await refusal(so_id, "OPEN", [task_id]), [
        400,
        { kind: "pick_task_wrong_state", wrong_state_ids: [task_id] },
      ]);
    });
  });
});
