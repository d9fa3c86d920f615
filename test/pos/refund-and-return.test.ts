import assert from "node:assert/strict";
import type { Answer } from "../support/caller.js";
import { counter, shipFromFloor } from "../support/counter.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";

/** Units come back once: on a return or over the counter (docs/interface.md, Returns). */
describe("a counter sale of which units come back on returns and over the counter", () => {
  const { at, shelved, sold, refund, onHand, statusOf } = counter();
  const refusal = ({ status, body }: Answer) => [status, body.error_kind, body.details];
  const admin = (so_id: number, action: string, body: object = {}) =>
    at().service.admin.post(`/api/admin/sales-orders/${so_id}/${action}`, body);

  /** A sale of three, and a return that names some of them. */
  async function withReturn(quantity: number) {
    const mug = await shelved();
    const sale = await sold([mug.units(3)]);
    const rma = await admin(sale.so_id, "create-rma", { lines: [{ item_id: mug.item_id, quantity }] });
    assert.equal(rma.status, 201);
    return { ...sale, mug, rma: rma.body.so_id as number };
  }
  const received = async (rma: number, { item_id, bin_id }: { item_id: number; bin_id: number }, quantity: number) => {
    const { status } = await admin(rma, "receive-return", { item_id, bin_id, quantity, warehouse_id: at().here });
    assert.equal(status, 200);
  };

  it("lets no return name what was refunded, of the item or of a line", async () => {
    const mug = await shelved();
    const { so_number, so_id } = await sold([mug.units(2), mug.units(1)]);
    const lines = await db.rows<{ so_line_id: number }>(
      "select so_line_id from sales_order_lines where so_id = $1 order by line_number",
      [so_id],
    );
    await refund(so_number, { lines: [mug.units(2)] });
    const back = (quantity: number, more: object = {}) =>
      admin(so_id, "create-rma", { lines: [{ item_id: mug.item_id, quantity, ...more }] });
    const over = await back(2);
    assert.deepEqual([over.status, over.code], [400, "over_return"]);
    assert.match(over.body.error, /only 1 remaining of 3 shipped and 2 already returned/);
    assert.equal((await back(2, { original_so_line_id: lines[0]?.so_line_id })).status, 400);
    assert.equal((await back(1, { original_so_line_id: lines[1]?.so_line_id })).status, 201);
    assert.equal((await back(1)).status, 400);
  });

  it("lets no refund take what a return names, open or received; a voided one lets go of it", async () => {
    const { mug, so_number, rma } = await withReturn(2);
    const exceeds = [422, "refund_exceeds_remaining", { sku: mug.sku, shipped: 3, already_refunded: 2, requested: 2 }];
    assert.deepEqual(refusal(await refund(so_number, { lines: [mug.units(2)] })), exceeds);
    await admin(rma, "void-return");
    assert.equal((await refund(so_number)).body.fully_refunded, true);
    assert.equal(await onHand(mug.item_id), 10);
  });

  it("counts what came on a return as refunded: the rest makes it REFUNDED", async () => {
    const { mug, so_number, rma } = await withReturn(2);
    await received(rma, mug, 2);
    const { body } = await refund(so_number);
    assert.deepEqual(
      [body.fully_refunded, await statusOf(so_number), await onHand(mug.item_id)],
      [true, "REFUNDED", 10],
    );
    const lines = await db.rows<{ quantity_ordered: number }>(
      "select quantity_ordered from sales_order_lines join sales_orders using (so_id) where so_number = $1",
      [body.refund_so_id],
    );
    assert.deepEqual(lines, [{ quantity_ordered: -1 }]);
  });

  it("stays SHIPPED while a return is open, whose units no refund takes", async () => {
    const { mug, so_number, rma } = await withReturn(1);
    const first = await refund(so_number);
    assert.deepEqual([first.body.fully_refunded, await statusOf(so_number)], [false, "SHIPPED"]);
    assert.deepEqual(refusal(await refund(so_number)), [
      ...[422, "refund_exceeds_remaining", { sku: mug.sku, shipped: 3, already_refunded: 3, requested: 1 }],
    ]);
    await received(rma, mug, 1);
    const last = await refund(so_number);
    assert.deepEqual([last.body.fully_refunded, await statusOf(so_number)], [true, "REFUNDED"]);
    assert.equal(await onHand(mug.item_id), 10);
  });

  it("is paid back without goods when all of them came on returns", async () => {
    const { mug, so_number, rma } = await withReturn(3);
    await received(rma, mug, 3);
    const { body } = await refund(so_number);
    assert.equal(body.fully_refunded, true);
    const [memo] = await db.rows<{ order_total: string; lines: number }>(
      `select order_total, (select count(*)::int from sales_order_lines l where l.so_id = so.so_id) as lines
       from sales_orders so where so_number = $1`,
      [body.refund_so_id],
    );
    assert.deepEqual([memo, await onHand(mug.item_id)], [{ order_total: "-10.00", lines: 0 }, 10]);
  });

  it("takes nothing back that an exchange took", async () => {
    const mug = await shelved();
    const { so_number } = await sold([mug.units(2)]);
    const exchange = { order_type: "exchange", parent_so_number: so_number };
    await sold([mug.units(1)], { ...exchange, returned_items: [{ sku: mug.sku, quantity: 1 }] });
    assert.equal((await refund(so_number, { lines: [mug.units(2)] })).body.error_kind, "refund_exceeds_remaining");
    await refund(so_number, { lines: [mug.units(1)] });
    const again = { ...exchange, returned_items: [{ sku: mug.sku, quantity: 1 }] };
    await assert.rejects(sold([mug.units(1)], again), /returned_quantity_exceeds_remaining/);
  });

  it("cannot be returned any more once it is REFUNDED", async () => {
    const mug = await shelved();
    const { so_number, so_id } = await sold([mug.units(1)]);
    await refund(so_number);
    const answer = await admin(so_id, "create-rma", { lines: [{ item_id: mug.item_id, quantity: 1 }] });
    assert.deepEqual([answer.status, answer.code], [400, "not_returnable"]);
  });

  describe("that was picked on the floor", () => {
    const shipped = (order: { so_id: number }) => shipFromFloor(at().service.admin, at().here, order.so_id);

    it("goes back into the bin that the phone order named", async () => {
      const mug = await shelved();
      const sale = await sold([mug.units(3)], { is_phone_order: true });
      await shipped(sale);
      assert.equal(await onHand(mug.item_id), 7);
      assert.equal((await refund(sale.so_number)).body.fully_refunded, true);
      assert.equal(await onHand(mug.item_id), 10);
    });

    it("goes back into the bins that the backorder was picked from, which the sale could not name", async () => {
      const { here, service } = at();
      await service.admin.ok("PUT", "/api/admin/settings", {
        settings: { BACKORDER_WAREHOUSE_CODE: (await shelved()).units(1).warehouse_id },
      });
      const mug = await shelved(0);
      const nowhere = { ...mug.units(3), warehouse_id: "", bin_id: "" };
      const sale = await sold([nowhere], { backorder: true });
      const second = await fixtures.bin(here);
      await fixtures.stock(here, second, mug.item_id, 2);
      await service.admin.ok("POST", "/api/admin/adjustments/direct", {
        ...{ item_id: mug.item_id, bin_id: mug.bin_id, warehouse_id: here },
        ...{ adjustment_type: "ADD", quantity: 1, reason: "found" },
      });
      assert.equal(await statusOf(sale.so_number), "OPEN");
      await shipped(sale);
      assert.equal((await refund(sale.so_number)).body.fully_refunded, true);
      const lying = await db.rows(
        "select bin_id, quantity_on_hand as on_hand from inventory where item_id = $1 order by bin_id",
        [mug.item_id],
      );
      assert.deepEqual(lying, [
        { bin_id: mug.bin_id, on_hand: 1 },
        { bin_id: second, on_hand: 2 },
      ]);
    });

    it("is not reverted after a part was refunded: 409", async () => {
      const mug = await shelved();
      const sale = await sold([mug.units(3)], { is_phone_order: true });
      await shipped(sale);
      await refund(sale.so_number, { lines: [mug.units(1)] });
      const answer = await admin(sale.so_id, "revert-status", { new_status: "PACKED", release_pick_task_ids: [] });
      assert.deepEqual(
        [answer.status, answer.body.kind, answer.body.returns],
        [409, "has_returns", [`${sale.so_number}-REFUND`]],
      );
    });
  });
});
