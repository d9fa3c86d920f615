import assert from "node:assert/strict";
import { planWave } from "../../activities/picking/create-wave.js";
import { systemActor } from "../../src/platform/system-actor.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { assertEventsMatchSchemas } from "../support/events.js";
import { bin, item, purchaseOrder, salesOrder, stockOf, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { pluck, pluckAll } from "../support/pluck.js";
import { testService } from "../support/service.js";

describe("receiving", () => {
  const service = testService();
  let receiver: Caller;
  let warehouse_id: number;
  let bin_id: number;
  before(async () => {
    warehouse_id = await warehouse();
    bin_id = await bin(warehouse_id, { type: "Staging", code: "RECV-1" });
    receiver = await service.user({ warehouse_ids: [warehouse_id] });
  });
  afterEach(() => assertInvariants());

  const overReceiving = (value: string) =>
    service.admin.ok("PUT", "/api/admin/settings", { settings: { allow_over_receiving: value } });

  /** A purchase order of one item. */
  async function order(quantity = 10) {
    const { item_id, sku } = await item();
    return { ...(await purchaseOrder(warehouse_id, [{ item_id, quantity }])), item_id, sku };
  }
  const receive = (po_id: number, item_id: number, quantity: number, more = {}) =>
    receiver.post("/api/receiving/receive", { po_id, items: [{ item_id, quantity, bin_id, ...more }] });
  const onHand = (item_id: number, lot: string | null = null) =>
    db.value<number>(
      `select coalesce(sum(quantity_on_hand), 0) as units from inventory where item_id = $1
          and lot_number is not distinct from $2`,
      [item_id, lot],
    );
  const audits = (po_id: number, action: string) =>
    db.rows<{ details: Record<string, unknown>; user_id: string; warehouse_id: number }>(
      `select details, user_id, warehouse_id from audit_log where entity_type = 'PO' and entity_id = $1
        and action_type = $2 order by log_id`,
      [po_id, action],
    );

  describe("looking up a purchase order", () => {
    it("shows the order and what remains on its lines", async () => {
      const { po_id, po_number, item_id, sku } = await order(10);
      await receive(po_id, item_id, 4);
      const { purchase_order, lines } = await receiver.ok("GET", `/api/receiving/po/${po_number}`);
      assert.equal(purchase_order.po_id, po_id);
      await db.run("update purchase_orders set po_barcode = 'PO-ME' where po_id = $1", [po_id]);
      for (const barcode of ["PO-ME", "po-me", po_number.toLowerCase()])
        assert.equal((await receiver.ok("GET", `/api/receiving/po/${barcode}`)).purchase_order.po_id, po_id);
      assert.equal(purchase_order.status, "PARTIAL");
      assert.deepEqual(
        pluckAll(lines, "sku", "quantity_ordered", "quantity_received", "quantity_remaining", "status"),
        [[sku, 10, 4, 6, "PARTIAL"]],
      );
    });

    it("answers 404 for an unknown order and for one of another warehouse", async () => {
      const elsewhere = await purchaseOrder(await warehouse(), []);
      assert.equal((await receiver.get("/api/receiving/po/NOPE")).status, 404);
      const refused = await receiver.get(`/api/receiving/po/${elsewhere.po_number}`);
      assert.deepEqual([refused.status, refused.body], [404, { error: "Purchase order not found" }]);
      assert.equal((await service.admin.get(`/api/receiving/po/${elsewhere.po_number}`)).status, 200);
    });

    for (const status of ["CLOSED", "ARCHIVED"]) {
      it(`answers 400 when the order is ${status}`, async () => {
        const { po_id, po_number } = await order();
        await db.run("update purchase_orders set status = $2 where po_id = $1", [po_id, status]);
        for (const path of [`/api/receiving/po/${po_number}`, `/api/receiving/po/${po_number}/offline`]) {
          const refused = await receiver.get(path);
          assert.deepEqual([refused.status, refused.body], [400, { error: `Purchase order is ${status}`, status }]);
        }
      });
    }
  });

  describe("taking a purchase order on a device", () => {
    it("gives all that is needed without the net", async () => {
      const { item_id, sku } = await item({ upc: "400000000015", aliases: [`BOX-${warehouse_id}`] });
      const { po_id, po_number } = await purchaseOrder(warehouse_id, [{ item_id, quantity: 9 }]);
      const shelf = await bin(warehouse_id, { code: `SHELF-${item_id}` });
      await bin(warehouse_id, { type: "Staging", code: "CLOSED-1" });
      await db.run("update bins set is_active = false where bin_code = 'CLOSED-1'");
      await service.admin.ok("POST", "/api/putaway/update-preferred", { item_id, bin_id: shelf });
      await receive(po_id, item_id, 4, { lot_number: "L-1" });
      const path = `/api/receiving/po/${po_number}`;
      const found = await receiver.ok("GET", `${path}/offline`);
      const { purchase_order, lines } = await receiver.ok("GET", path);
      assert.deepEqual(found.purchase_order, purchase_order);
      const [{ codes, suggested_bin_id, suggested_bin_code, suggested_bin_barcode, ...line }] = found.lines;
      assert.deepEqual([line], lines);
      for (const code of [sku, "400000000015", "0400000000015", "00400000000015", `BOX-${warehouse_id}`])
        assert.ok(codes.includes(code), code);
      assert.deepEqual([suggested_bin_id, suggested_bin_code], [shelf, `SHELF-${item_id}`]);
      assert.equal(suggested_bin_barcode, await db.value("select bin_barcode from bins where bin_id = $1", [shelf]));
      assert.deepEqual(pluckAll(found.receiving_bins, "bin_id", "bin_code"), [[bin_id, "RECV-1"]]);
      assert.deepEqual(pluckAll(found.pending_items, "item_id", "quantity", "bin_id", "lot_number"), [
        [item_id, 4, bin_id, "L-1"],
      ]);
      const { pending_items } = await receiver.ok("GET", `/api/putaway/pending/${warehouse_id}`);
      const ofItem = pending_items.filter((row: { item_id: number }) => row.item_id === item_id);
      assert.deepEqual(found.pending_items, ofItem);
    });

    it("suggests a bin by the rules, where the warehouse has some", async () => {
      const here = await warehouse();
      const shelf = await bin(here, { code: `RULED-${here}` });
      await service.admin.ok("POST", "/api/admin/put-away-rules", {
        ...{ warehouse_id: here, rule_name: "Everything", priority: 1 },
      });
      const { item_id } = await item();
      const { po_number } = await purchaseOrder(here, [{ item_id, quantity: 2 }]);
      const { lines } = await service.admin.ok("GET", `/api/receiving/po/${po_number}/offline`);
      assert.equal(lines[0].suggested_bin_id, shelf);
    });

    it("answers 404 for an unknown order and for one of another warehouse", async () => {
      const elsewhere = await purchaseOrder(await warehouse(), []);
      for (const number of ["NOPE", elsewhere.po_number]) {
        const refused = await receiver.get(`/api/receiving/po/${number}/offline`);
        assert.deepEqual([refused.status, refused.body], [404, { error: "Purchase order not found" }]);
      }
    });
  });

  describe("receiving items", () => {
    it("raises stock, line and order, and leaves a receipt, an audit row and an event for each item", async () => {
      const first = await item();
      const second = await item();
      const { po_id } = await purchaseOrder(warehouse_id, [
        { item_id: first.item_id, quantity: 10 },
        { item_id: second.item_id, quantity: 5 },
      ]);
      const requestId = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
      const answer = await receiver.with({ "x-request-id": requestId }).ok("POST", "/api/receiving/receive", {
        po_id,
        items: [
          { item_id: first.item_id, quantity: 10, bin_id, lot_number: "LOT-1", serial_number: "SN-1" },
          { item_id: second.item_id, quantity: 2, bin_id },
        ],
      });
      assert.equal(answer.po_status, "PARTIAL");
      assert.deepEqual(answer.warnings, []);
      assert.equal(answer.receipt_ids.length, 2);
      assert.equal(await onHand(first.item_id, "LOT-1"), 10);
      assert.equal(await onHand(second.item_id), 2);
      const rows = await audits(po_id, "RECEIVE");
      assert.deepEqual(pluck(rows, "details"), [
        { item_id: first.item_id, quantity: 10, bin_id, receipt_id: answer.receipt_ids[0] },
        { item_id: second.item_id, quantity: 2, bin_id, receipt_id: answer.receipt_ids[1] },
      ]);
      assert.equal(rows[0]?.user_id, receiver.username);
      const events = await db.rows<{
        event_type: string;
        entity_id: number;
        source_txn_id: string;
        payload: { lines: unknown[] };
      }>(
        `select event_type, entity_id, source_txn_id, event_data(integration_events) as payload
          from integration_events where source_txn_id = $1 order by outbox_id`,
        [requestId],
      );
      assert.deepEqual(
        pluckAll(events, "event_type", "entity_id"),
        answer.receipt_ids.map((id: number) => ["receipt.completed", id]),
      );
      await assertEventsMatchSchemas();
      const rest = await receive(po_id, second.item_id, 3);
      assert.equal(rest.body.po_status, "RECEIVED");
    });

    it("fills a second line of the same item when the first is full", async () => {
      const { item_id } = await item();
      const { po_id, po_number } = await purchaseOrder(warehouse_id, [
        { item_id, quantity: 2 },
        { item_id, quantity: 3 },
      ]);
      await receive(po_id, item_id, 2);
      const answer = await receive(po_id, item_id, 3);
      assert.deepEqual([answer.body.po_status, answer.body.warnings], ["RECEIVED", []]);
      assert.equal((await receiver.get(`/api/receiving/po/${po_number}`)).status, 200);
    });

    it("warns about units above the order with over-receiving allowed, and refuses them without", async () => {
      const { po_id, item_id, sku } = await order(5);
      await overReceiving("true");
      const allowed = await receive(po_id, item_id, 4);
      assert.deepEqual(allowed.body.warnings, []);
      const over = await order(5);
      const warned = await receive(over.po_id, over.item_id, 7);
      assert.equal(warned.body.warnings.length, 1);
      assert.match(warned.body.warnings[0], new RegExp(over.sku));
      await overReceiving("false");
      const refused = await receive(po_id, item_id, 2);
      assert.equal(refused.status, 400);
      assert.match(refused.body.error, new RegExp(`${sku} would exceed the 1 remaining`));
      assert.equal(await onHand(item_id), 4);
      await overReceiving("true");
    });

    it("receives all items or none", async () => {
      const { po_id, item_id } = await order(5);
      const answer = await receiver.post("/api/receiving/receive", {
        po_id,
        items: [
          { item_id, quantity: 2, bin_id },
          { item_id: (await item()).item_id, quantity: 1, bin_id },
        ],
      });
      assert.equal(answer.status, 400);
      assert.match(answer.body.error, /is not on PO/);
      assert.equal(await onHand(item_id), 0);
      assert.deepEqual(await audits(po_id, "RECEIVE"), []);
    });

    it("names the order, the bin or the warehouse that is wrong", async () => {
      const { po_id, item_id } = await order();
      const elsewhere = await bin(await warehouse(), { code: "FAR-1" });
      const attempt = async (fields: object, items: object = {}, by = receiver) => {
        const answer = await by.post("/api/receiving/receive", {
          po_id,
          items: [{ item_id, quantity: 1, bin_id, ...items }],
          ...fields,
        });
        return [answer.status, answer.body.error];
      };
      assert.deepEqual(await attempt({ po_id: 2_000_000_000 }), [404, "Purchase order not found"]);
      assert.deepEqual(await attempt({}, { bin_id: 2_000_000_000 }), [404, "Bin 2000000000 not found"]);
      const far = (name: string | number) => [
        400,
        `Bin ${name} does not belong to the warehouse of the purchase order`,
      ];
      const there = { bin_id: elsewhere };
      assert.deepEqual(await attempt({}, there, service.admin), far("FAR-1"));
      assert.deepEqual(await attempt({}, there), far(elsewhere));
      await db.run("update purchase_orders set status = 'RECEIVED' where po_id = $1", [po_id]);
      assert.deepEqual(await attempt({}), [400, "Purchase order is RECEIVED"]);
      const stranger = await service.user({ warehouse_ids: [await warehouse()] });
      assert.equal(
        (await stranger.post("/api/receiving/receive", { po_id, items: [{ item_id, quantity: 1, bin_id }] })).status,
        404,
      );
    });

    it("names the field that is wrong by its place", async () => {
      const { po_id, item_id } = await order();
      const { status, body } = await receive(po_id, item_id, 0);
      assert.equal(status, 400);
      assert.equal(body.error, "validation_error");
      assert.deepEqual(body.details[0].loc, ["items", 0, "quantity"]);
      assert.equal(body.details[0].type, "greater_than");
      const empty = await receiver.post("/api/receiving/receive", {});
      assert.deepEqual(pluckAll(empty.body.details, "type", "loc"), [
        ["missing", ["po_id"]],
        ["missing", ["items"]],
      ]);
    });

    it("refuses a sum that no column holds", async () => {
      const { po_id, item_id } = await order(10);
      await receive(po_id, item_id, 1);
      await db.run("update inventory set quantity_on_hand = 2147483647 where item_id = $1", [item_id]);
      const refused = await receive(po_id, item_id, 1);
      assert.deepEqual([refused.status, refused.body], [400, { error: "A quantity is out of range" }]);
      assert.equal(await onHand(item_id), 2147483647);
    });
  });

  describe("cancelling receipts", () => {
    const cancel = (po_id: number, receipt_ids: number[], by: Caller = receiver) =>
      by.post("/api/receiving/cancel", { po_id, receipt_ids });

    it("takes the units back and recomputes line and order, without an event", async () => {
      const { po_id, po_number, item_id } = await order(10);
      const first = (await receive(po_id, item_id, 6)).body.receipt_ids;
      const second = (await receive(po_id, item_id, 4)).body.receipt_ids;
      const events = await db.row<{ n: number }>("select count(*) as n from integration_events");
      const answer = await cancel(po_id, first);
      assert.deepEqual([answer.status, answer.body.reversed], [200, 1]);
      assert.equal(await onHand(item_id), 4);
      const { purchase_order, lines } = await receiver.ok("GET", `/api/receiving/po/${po_number}`);
      assert.deepEqual([purchase_order.status, lines[0].quantity_received, lines[0].status], ["PARTIAL", 4, "PARTIAL"]);
      assert.deepEqual((await audits(po_id, "RECEIVE_CANCEL"))[0]?.details, {
        reversed_receipts: 1,
        receipt_ids: first,
      });
      assert.deepEqual(await db.row("select count(*) as n from integration_events"), events);
      await cancel(po_id, second);
      assert.equal((await receiver.ok("GET", `/api/receiving/po/${po_number}`)).purchase_order.status, "OPEN");
    });

    it("finds units that were already put away", async () => {
      const { po_id, item_id } = await order(10);
      const { receipt_ids } = (await receive(po_id, item_id, 10)).body;
      const shelf = await bin(warehouse_id);
      await receiver.ok("POST", "/api/putaway/confirm", {
        item_id,
        from_bin_id: bin_id,
        to_bin_id: shelf,
        quantity: 7,
      });
      assert.equal((await cancel(po_id, receipt_ids)).body.reversed, 1);
      assert.equal(await onHand(item_id), 0);
    });

    it("refuses when the units have left the warehouse, and changes nothing", async () => {
      const { po_id, item_id } = await order(10);
      const { receipt_ids } = (await receive(po_id, item_id, 10)).body;
      const row = await db.row<{ inventory_id: number }>(
        "update inventory set quantity_on_hand = 3 where item_id = $1 returning inventory_id",
        [item_id],
      );
      const refused = await cancel(po_id, receipt_ids);
      assert.equal(refused.status, 400);
      assert.match(refused.body.error, /7 of its units have left the warehouse/);
      assert.equal((await stockOf(row?.inventory_id as number)).on_hand, 3);
    });

    it("leaves units that a pick task will take", async () => {
      const { po_id, item_id, sku } = await order(10);
      const shelf = await bin(warehouse_id, { code: `SHELF-${sku}` });
      const { receipt_ids } = await receiver.ok("POST", "/api/receiving/receive", {
        po_id,
        items: [{ item_id, quantity: 10, bin_id: shelf }],
      });
      const { so_id } = await salesOrder(warehouse_id, [{ item_id, quantity: 4 }]);
      await planWave(
        { batchId: 1, warehouseId: warehouse_id, soIds: [so_id], excludeSoIds: [], combine: true },
        { ...systemActor("a wave"), userId: receiver.userId },
      );
      const refused = await cancel(po_id, receipt_ids);
      assert.equal(refused.status, 400);
      assert.match(refused.body.error, /^4 units in SHELF-\S+ are promised to pick tasks/);
      assert.equal(await onHand(item_id), 10);
    });

    it("refuses receipts of another order before anything changes", async () => {
      const mine = await order();
      const other = await order();
      const a = (await receive(mine.po_id, mine.item_id, 2)).body.receipt_ids;
      const b = (await receive(other.po_id, other.item_id, 2)).body.receipt_ids;
      const refused = await cancel(mine.po_id, [...a, ...b]);
      assert.equal(refused.status, 400);
      assert.deepEqual(refused.body, { error: "receipts_belong_to_other_po", receipt_ids: b, po_id: mine.po_id });
      assert.equal(await onHand(mine.item_id), 2);
    });

    it("skips receipts that are unknown, out of scope or already cancelled", async () => {
      const { po_id, item_id } = await order();
      const { receipt_ids } = (await receive(po_id, item_id, 2)).body;
      const stranger = await service.user({ warehouse_ids: [await warehouse()] });
      assert.equal((await cancel(po_id, receipt_ids, stranger)).body.reversed, 0);
      assert.equal((await cancel(po_id, [2_000_000_000])).body.reversed, 0);
      const answers = await Promise.all([cancel(po_id, receipt_ids), cancel(po_id, receipt_ids)]);
      assert.deepEqual(answers.map((a) => a.body.reversed).sort(), [0, 1]);
    });

    it("does nothing for an empty list, and requires po_id", async () => {
      const { po_id } = await order();
      const nothing = await cancel(po_id, []);
      assert.deepEqual([nothing.status, Object.keys(nothing.body)], [200, ["message"]]);
      const missing = await receiver.post("/api/receiving/cancel", { receipt_ids: [1] });
      assert.deepEqual([missing.status, missing.body.details[0].loc], [400, ["po_id"]]);
    });
  });
});
