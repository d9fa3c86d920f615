import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { assertEventsMatchSchemas } from "../support/events.js";
import * as fixtures from "../support/fixtures.js";
import { orderActions } from "../support/order-actions.js";
import { pluck, pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { waitingOrder } from "../support/waiting.js";

describe("an order that is filled in part", () => {
  const { at, act, ordered, picked, shelved, startWave, eventsOf, header, lying, pickAll, complete } = orderActions();

  interface Short {
    so_line_id: number | undefined;
    short_qty: number;
    write_off?: boolean;
  }
  const cut = (so_id: number, lines: Short[], more = {}, by?: Caller) =>
    act(so_id, "partial-fulfill", { lines, ...more }, by);
  const order = (path: string) => at().service.admin.ok("GET", path);
  const read = (so_id: number) => order(`/api/admin/sales-orders/${so_id}`);
  const shorts = (item_id: number) =>
    db.rows<{ bin_id: number; quantity_change: number; reason_detail: string | null }>(
      `select bin_id, quantity_change, reason_detail from inventory_adjustments
       where item_id = $1 and reason_code = 'SHORT' and status = 'APPROVED' order by adjustment_id`,
      [item_id],
    );

  /** An order of 5 units that are reserved in the only bin of their item. */
  async function reserved(quantity = 5, more: { item_id: number; quantity: number }[] = []) {
    const goods = await shelved(quantity);
    const made = await ordered({ item_id: goods.item_id, quantity }, ...more);
    const [so_line_id] = made.line_ids as [number];
    return { ...goods, ...made, so_line_id };
  }

  it("asks for less, and a backorder waits for the rest; what is written off is adjusted away", async () => {
    const { so_id, so_number, so_line_id, item_id, bin_id, sku } = await reserved();
    await db.run(
      `update sales_orders set memo = 'leave at door', customer_phone = '1', shipping_address_city = 'Oslo',
         order_total = 50, priority = 3, order_origin = 'web' where so_id = $1`,
      [so_id],
    );
    const mark = await auditMark();
    const answer = await cut(so_id, [{ so_line_id, short_qty: 2, write_off: true }], { reason_detail: "damaged" });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const { original_so, backorder_so, shrink_summary } = answer.body;
    assert.deepEqual(original_so, { so_id, so_number, status: "OPEN" });
    const { external_id, so_id: bo_id, ...bo } = backorder_so;
    assert.deepEqual(bo, { so_number: `${so_number}-BO`, status: "WAITING_STOCK" });
    const item = await db.row<{ external_id: string }>("select external_id from items where item_id = $1", [item_id]);
    assert.deepEqual(shrink_summary, [
      {
        ...{ so_line_id, item_id, sku, item_name: `Item ${sku}`, item_external_id: item?.external_id },
        ...{ line_number: 1, ordered_before: 5, short_qty: 2, ordered_after: 3 },
        ...{ line_deleted: false, adjustment_qty: -2 },
      },
    ]);
    const [line] = (await read(so_id)).lines;
    assert.deepEqual([line.quantity_ordered, line.quantity_allocated], [3, 3]);
    assert.deepEqual(await lying(item_id), [{ bin_id, on_hand: 3, allocated: 3 }]);
    assert.deepEqual(await shorts(item_id), [{ bin_id, quantity_change: -2, reason_detail: "damaged" }]);

    const made = await read(bo_id);
    const { sales_order: child } = made;
    assert.deepEqual(
      [child.order_type, child.parent_so_id, child.memo, child.customer_phone, child.shipping_address_city],
      ["backorder", so_id, `Backorder of ${so_number}: leave at door`, "1", "Oslo"],
    );
    assert.deepEqual(
      [child.order_total, child.customer_shipping_paid, child.priority, child.order_origin, child.external_id],
      [null, null, 3, "web", external_id],
    );
    assert.ok(child.backorder_opened_at);
    assert.deepEqual(pluckAll(made.lines, "item_id", "quantity_ordered", "quantity_allocated"), [[item_id, 2, 0]]);
    assert.deepEqual(await eventsOf(bo_id), ["backorder.opened"]);
    const [opened] = await db.rows<{ payload: Record<string, unknown> }>(
      `select event_data(integration_events) as payload from integration_events
       where event_type = 'backorder.opened' and entity_id = $1`,
      [bo_id],
    );
    const { opened_at, opened_by_user_external_id, ...payload } = opened?.payload ?? {};
    assert.match(String(opened_at), /Z$/);
    assert.ok(opened_by_user_external_id);
    const parent = await header(so_id);
    assert.deepEqual(payload, {
      ...{ backorder_so_external_id: external_id, backorder_so_number: `${so_number}-BO` },
      ...{ parent_so_external_id: parent.external_id, parent_so_number: so_number },
      ...{ warehouse_id: at().warehouse_id, customer_name: null },
      items: [{ item_external_id: item?.external_id, sku, item_name: `Item ${sku}`, qty: 2 }],
    });
    assert.deepEqual((await auditSince(mark)).map((row) => [row.action_type, row.entity_id]).sort(), [
      ["ADJUST", item_id],
      ["CREATE", bo_id],
      ["SO_PARTIALLY_FULFILLED", so_id],
    ]);
    await assertEventsMatchSchemas();
  });

  it("loses the lines of which nothing is left; a second cut is another backorder", async () => {
    const other = await shelved(9);
    const { so_id, so_number, line_ids, item_id } = await reserved(5, [{ item_id: other.item_id, quantity: 4 }]);
    const first = await cut(so_id, [{ so_line_id: line_ids[0], short_qty: 5, write_off: true }]);
    assert.equal(first.body.shrink_summary[0].line_deleted, true);
    assert.deepEqual(pluck((await read(so_id)).lines, "so_line_id"), line_ids.slice(1));
    assert.deepEqual(await lying(item_id), []);
    const second = await cut(so_id, [
      { so_line_id: line_ids[1], short_qty: 1 },
      { so_line_id: line_ids[1], short_qty: 1 },
    ]);
    assert.equal(second.body.backorder_so.so_number, `${so_number}-BO-2`);
    assert.equal(second.body.shrink_summary[0].short_qty, 2);
    const nothing = await cut(so_id, [{ so_line_id: line_ids[1], short_qty: 2 }]);
    assert.deepEqual([nothing.status, nothing.body.kind], [422, "nothing_left"]);
  });

  it("takes from the books what is nobody's alone, the line's own bin first", async () => {
    const goods = await shelved(2, 500);
    const { so_id, line_ids } = await ordered({ item_id: goods.item_id, quantity: 5 });
    const elsewhere = await fixtures.bin(at().warehouse_id);
    await fixtures.stock(at().warehouse_id, elsewhere, goods.item_id, 9);
    const taken = await ordered({ item_id: goods.item_id, quantity: 8 });
    const [so_line_id] = line_ids as [number];
    const answer = await cut(so_id, [{ so_line_id, short_qty: 4, write_off: true }]);
    // One of its own two reserved units, and the one that nobody else has a claim on.
    assert.equal(answer.body.shrink_summary[0].adjustment_qty, -2);
    assert.deepEqual(pluckAll(await shorts(goods.item_id), "bin_id", "quantity_change"), [
      [goods.bin_id, -1],
      [elsewhere, -1],
    ]);
    assert.equal((await read(taken.so_id)).lines[0].quantity_allocated, 8);
  });

  it("adjusts nothing where the books have nothing", async () => {
    const goods = await shelved(0);
    const { so_id, line_ids } = await ordered({ item_id: goods.item_id, quantity: 5 });
    const answer = await cut(so_id, [{ so_line_id: line_ids[0], short_qty: 3 }]);
    assert.equal(answer.body.shrink_summary[0].adjustment_qty, 0);
    assert.deepEqual(await shorts(goods.item_id), []);
  });

  it("is PICKED when all that is left of it is picked, and that is told", async () => {
    const { so_id, so_line_id, bin_id } = await reserved();
    const pick = await act(so_id, "admin-pick", { lines: [{ so_line_id, bin_id, quantity: 3 }] });
    assert.equal(pick.body.promoted_to_picked, false, JSON.stringify(pick.body));
    const answer = await cut(so_id, [{ so_line_id, short_qty: 2 }]);
    assert.equal(answer.body.original_so.status, "PICKED");
    assert.deepEqual(await eventsOf(so_id), ["pick.confirmed"]);
    const made = await read(so_id);
    assert.deepEqual([made.sales_order.status, made.lines[0].status], ["PICKED", "PICKED"]);
    assert.equal((await act(so_id, "admin-ship")).status, 200);
  });

  it("may be one that was picked short, by who edits orders that are not OPEN", async () => {
    const { so_id, item_id, bin_id } = await picked(5, { found: 3 });
    const [line] = (await read(so_id)).lines;
    const lines = [{ so_line_id: line.so_line_id, short_qty: 2 }];
    const { service, warehouse_id } = at();
    const clerk = await service.user({ warehouse_ids: [warehouse_id], page_keys: ["sales-orders"] });
    const refused = await cut(so_id, lines, {}, clerk);
    assert.deepEqual([refused.status, refused.body.current_status], [403, "PICKED"]);
    const trusted = await service.user({ warehouse_ids: [warehouse_id], page_keys: ["sales-orders", "so-full-edit"] });
    const answer = await cut(so_id, lines, {}, trusted);
    assert.equal(answer.body.original_so.status, "PICKED", JSON.stringify(answer.body));
    // The short pick left two units on the books, in the bin of the pick.
    assert.deepEqual(pluckAll(await shorts(item_id), "bin_id", "quantity_change"), [[bin_id, -2]]);
    assert.deepEqual(await eventsOf(so_id), ["pick.confirmed"]);
  });

  it("loses a line that was picked short of all its units", async () => {
    const { service, warehouse_id } = at();
    const [a, b] = [await fixtures.item(), await fixtures.item()];
    const { pickedOrder } = await import("../support/walk.js");
    const { so_id } = await pickedOrder(service.admin, warehouse_id, [
      { item: a, quantity: 2 },
      { item: b, quantity: 3, found: 0 },
    ]);
    const { lines } = await read(so_id);
    const answer = await cut(so_id, [{ so_line_id: lines[1].so_line_id, short_qty: 3 }]);
    assert.equal(answer.body.shrink_summary[0].line_deleted, true, JSON.stringify(answer.body));
    assert.equal((await read(so_id)).lines.length, 1);
  });

  it("leaves orders that wait for the item as they are: the units are not there", async () => {
    const { so_id, so_line_id, item_id } = await reserved();
    const waiting = await waitingOrder(at().warehouse_id, [{ item_id, quantity: 1 }]);
    await cut(so_id, [{ so_line_id, short_qty: 2, write_off: true }]);
    assert.equal((await header(waiting.so_id)).status, "WAITING_STOCK");
  });

  it("writes nothing off that no picker looked for in vain: it goes to who waits for it", async () => {
    const goods = await shelved(0);
    const staging = await fixtures.bin(at().warehouse_id, { type: "Staging" });
    await fixtures.stock(at().warehouse_id, staging, goods.item_id, 5);
    const { so_id, line_ids } = await ordered({ item_id: goods.item_id, quantity: 10 });
    const waiting = await waitingOrder(at().warehouse_id, [{ item_id: goods.item_id, quantity: 2 }]);
    const answer = await cut(so_id, [{ so_line_id: line_ids[0], short_qty: 7 }]);
    assert.equal(answer.body.shrink_summary[0].adjustment_qty, 0);
    assert.deepEqual(await shorts(goods.item_id), []);
    assert.deepEqual(
      (await lying(goods.item_id)).filter((row) => row.on_hand > 0),
      [{ bin_id: staging, on_hand: 5, allocated: 3 }],
    );
    assert.equal((await header(waiting.so_id)).status, "WAITING_STOCK", "nobody picks from where they lie");
  });

  it("writes off what a picker missed once, not what lies elsewhere as well", async () => {
    const { so_id, item_id, bin_id } = await picked(5, { found: 3 });
    const elsewhere = await fixtures.bin(at().warehouse_id, { type: "Staging" });
    await fixtures.stock(at().warehouse_id, elsewhere, item_id, 4);
    const [line] = (await read(so_id)).lines;
    assert.equal(line.reported_missing, 2);
    const answer = await cut(so_id, [{ so_line_id: line.so_line_id, short_qty: 2 }]);
    assert.equal(answer.body.shrink_summary[0].adjustment_qty, -2);
    assert.deepEqual(
      (await lying(item_id)).filter((row) => row.on_hand > 0),
      [{ bin_id: elsewhere, on_hand: 4, allocated: 0 }],
    );
    assert.deepEqual(pluckAll(await shorts(item_id), "bin_id", "quantity_change"), [[bin_id, -2]]);
  });

  describe("is refused", () => {
    const refusal = async (so_id: number, lines: { so_line_id: number; short_qty: number }[], by?: Caller) => {
      const { status, body } = await cut(so_id, lines, {}, by);
      return { status, ...body };
    };

    it("when it is unknown, or of another warehouse", async () => {
      const lines = [{ so_line_id: 1, short_qty: 1 }];
      const missing = await refusal(999999, lines);
      assert.deepEqual([missing.status, missing.kind], [404, "so_not_found"]);
      const { so_id, so_line_id } = await reserved();
      const { service } = at();
      const elsewhere = await service.user({
        warehouse_ids: [await fixtures.warehouse()],
        page_keys: ["sales-orders"],
      });
      assert.equal((await refusal(so_id, [{ so_line_id, short_qty: 1 }], elsewhere)).status, 403);
    });

    it("for returns and backorders, and in other statuses", async () => {
      const { so_id, so_line_id } = await reserved();
      const lines = [{ so_line_id, short_qty: 1 }];
      for (const type of ["return", "refund", "backorder"]) {
        await db.run("update sales_orders set order_type = $2 where so_id = $1", [so_id, type]);
        const { status, kind } = await refusal(so_id, lines);
        assert.deepEqual([status, kind], [422, "not_eligible"], type);
      }
      await db.run("update sales_orders set order_type = 'sale' where so_id = $1", [so_id]);
      for (const state of ["PACKED", "SHIPPED", "CANCELLED", "REFUNDED", "WAITING_STOCK", "FRAUD_REVIEW"]) {
        await db.run("update sales_orders set status = $2 where so_id = $1", [so_id, state]);
        const { status, kind, current_status } = await refusal(so_id, lines);
        assert.deepEqual([status, kind, current_status], [409, "wrong_status", state]);
      }
      await db.run("update sales_orders set status = 'OPEN' where so_id = $1", [so_id]);
    });

    it("while it is in a wave, whose batch is named", async () => {
      const { so_id, so_line_id } = await reserved();
      const { batch_id } = await startWave(so_id);
      const told = await refusal(so_id, [{ so_line_id, short_qty: 1 }]);
      assert.deepEqual([told.status, told.kind, told.batch_id], [409, "in_active_batch", batch_id]);
      await pickAll(batch_id);
      await complete(batch_id);
    });

    it("for lines of other orders, and for more than is still to be picked", async () => {
      const { so_id, so_line_id, bin_id } = await reserved();
      const other = await reserved();
      const strange = await refusal(so_id, [{ so_line_id: other.so_line_id, short_qty: 1 }]);
      assert.deepEqual(
        [strange.status, strange.kind, strange.missing_line_ids],
        [422, "line_not_on_so", [other.so_line_id]],
      );
      await act(so_id, "admin-pick", { lines: [{ so_line_id, bin_id, quantity: 3 }] });
      const {
        status,
        kind,
        so_line_id: named,
        requested,
        remaining,
      } = await refusal(so_id, [{ so_line_id, short_qty: 3 }]);
      assert.deepEqual([status, kind, named, requested, remaining], [422, "over_short", so_line_id, 3, 2]);
    });

    it("with a body that is no cut", async () => {
      const { so_id, so_line_id } = await reserved();
      for (const body of [
        {},
        { lines: [] },
        { lines: [{ so_line_id, short_qty: 0 }] },
        { lines: [{ so_line_id, short_qty: 1 }], reason_detail: "x".repeat(501) },
        { lines: [{ so_line_id, short_qty: 1, more: 1 }] },
      ]) {
        const answer = await act(so_id, "partial-fulfill", body);
        assert.deepEqual([answer.status, answer.body.error], [400, "validation_error"]);
      }
    });
  });

  it("is divided once by eight who do so at the same moment", async () => {
    const { so_id, so_line_id, so_number } = await reserved();
    const answers = await Promise.all(Array.from({ length: 8 }, () => cut(so_id, [{ so_line_id, short_qty: 4 }])));
    assert.deepEqual(
      answers.map((answer) => answer.status).sort(),
      [200, ...Array.from({ length: 7 }, () => 422)],
      JSON.stringify(answers.map(({ body }) => body)),
    );
    const children = await db.rows<{ so_number: string }>(
      "select so_number from sales_orders where parent_so_id = $1",
      [so_id],
    );
    assert.deepEqual(children, [{ so_number: `${so_number}-BO` }]);
  });
});
