import assert from "node:assert/strict";
import { type Caller, statusAndBody } from "../support/caller.js";
import { db } from "../support/db.js";
import { assertEventsMatchSchemas } from "../support/events.js";
import * as fixtures from "../support/fixtures.js";
import { assertInvariants, unexplainedUnits } from "../support/invariants.js";
import { pluck } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";

const ORDERS = "/api/admin/purchase-orders";

describe("receipts, as an admin", () => {
  const service = testService();
  let mender: Caller;
  let stranger: Caller;
  let here: number;
  let dock: number;
  let shelf: number;
  before(async () => {
    here = await fixtures.warehouse();
    dock = await fixtures.bin(here, { type: "Staging" });
    shelf = await fixtures.bin(here);
    const page_keys = ["receiving"];
    mender = await service.user({ warehouse_ids: [here], page_keys });
    const elsewhere = await fixtures.warehouse();
    stranger = await service.user({ warehouse_ids: [elsewhere], page_keys });
  });
  afterEach(async () => {
    await assertInvariants();
    assert.deepEqual(await unexplainedUnits(), []);
  });

  /** An order of 10 of which so many came on the dock, receipt by receipt. */
  async function received(...quantities: number[]) {
    const { item_id, sku } = await fixtures.item();
    const lines = [{ item_id, quantity: 10 }];
    const { po_id } = await fixtures.purchaseOrder(here, lines);
    const { receipt_ids } = await mender.ok("POST", "/api/receiving/receive", {
      po_id,
      items: quantities.map((quantity, i) => ({
        ...{ item_id, quantity, bin_id: dock },
        ...(i === 0 && { serial_number: "SN-1", notes: "box dented" }),
      })),
    });
    return { po_id, item_id, sku, receipt_ids: receipt_ids as number[] };
  }
  const move = (item_id: number, quantity: number, to_bin_id = shelf) =>
    mender.ok("POST", "/api/transfers/move", { item_id, quantity, from_bin_id: dock, to_bin_id });
  const unreceive = (receipt_id: number, body: object = {}) =>
    mender.post(`/api/admin/receipts/${receipt_id}/unreceive`, body);
  const stockIn = (item_id: number) =>
    db.rows<{ bin_id: number; units: number }>(
      `select bin_id, quantity_on_hand as units from inventory where item_id = $1 order by bin_id`,
      [item_id],
    );

  describe("are listed", () => {
    it("newest first, with what came and where", async () => {
      const { po_id, item_id, sku, receipt_ids } = await received(4, 3);
      const answer = await mender.ok("GET", `${ORDERS}/${po_id}/receipts`);
      assert.equal(answer.po_id, po_id);
      assert.deepEqual(pluck(answer.receipts, "receipt_id"), receipt_ids.toReversed());
      const { po_line_id, bin_code, received_at, external_id, ...first } = answer.receipts[1];
      assert.deepEqual(first, {
        receipt_id: receipt_ids[0],
        line_number: 1,
        item_id,
        sku,
        item_name: `Item ${sku}`,
        quantity_received: 4,
        bin_id: dock,
        warehouse_id: here,
        received_by: mender.username,
        lot_number: null,
        serial_number: "SN-1",
        notes: "box dented",
        serial_numbers: [],
      });
    });

    it("of an order that is there and the user's", async () => {
      const { po_id } = await received(1);
      const missing = await mender.get(`${ORDERS}/1999999999/receipts`);
      assert.deepEqual(statusAndBody(missing), [404, { error: "Purchase order not found" }]);
      const path = `${ORDERS}/${po_id}/receipts`;
      assert.equal((await stranger.get(path)).status, 403);
      const buyer = await service.user({ warehouse_ids: [here], page_keys: ["purchase-orders"] });
      assert.equal((await buyer.get(path)).status, 403);
    });
  });

  describe("are taken back", () => {
    it("with their units, their line and their order", async () => {
      const { po_id, item_id, receipt_ids } = await received(4, 6);
      const [receipt_id] = receipt_ids as [number];
      const { external_id } = (await db.row<{ external_id: string }>(
        "select external_id from item_receipts where receipt_id = $1",
        [receipt_id],
      )) as { external_id: string };
      const mark = await auditMark();
      const answer = await unreceive(receipt_id, { reason: "wrong item" });
      const bin_decrements = [{ bin_id: dock, quantity: 4 }];
      assert.deepEqual(statusAndBody(answer), [
        200,
        {
          message: `Receipt ${receipt_id} was taken back`,
          ...{ receipt_id, po_id, po_status: "PARTIAL" },
          ...{ quantity_reversed: 4, bin_decrements },
        },
      ]);
      assert.deepEqual(await stockIn(item_id), [{ bin_id: dock, units: 6 }]);
      const order = await service.admin.ok("GET", `${ORDERS}/${po_id}`);
      const [line] = order.lines;
      assert.deepEqual([order.purchase_order.status, line.quantity_received, line.status], ["PARTIAL", 6, "PARTIAL"]);
      assert.deepEqual(await auditSince(mark), [
        {
          ...{ action_type: "RECEIVE_CANCEL", entity_type: "PO" },
          ...{ entity_id: po_id, user_id: mender.username, warehouse_id: here },
          details: {
            ...{ source: "admin_unreceive", receipt_id, item_id, quantity: 4 },
            ...{ bin_decrements, reason: "wrong item" },
          },
        },
      ]);
      const [event] = await db.rows<{ payload: Record<string, unknown> }>(
        `select event_data(integration_events) as payload from integration_events
          where event_type = 'receipt.cancelled' and entity_id = $1`,
        [receipt_id],
      );
      const ids = await db.row<{ item: string; sku: string; po: string; po_number: string; user: string }>(
        `select i.external_id as item, sku, p.external_id as po, po_number, u.external_id as user
         from items i, purchase_orders p, users u where item_id = $1 and po_id = $2 and user_id = $3`,
        [item_id, po_id, mender.userId],
      );
      const { cancelled_at, ...payload } = event?.payload ?? {};
      assert.deepEqual(payload, {
        receipt_external_id: external_id,
        po_external_id: ids?.po,
        po_number: ids?.po_number,
        lines: [
          { item_external_id: ids?.item, sku: ids?.sku, quantity_reversed: 4, lot_number: null, serial_number: "SN-1" },
        ],
        cancelled_by_user_external_id: ids?.user,
        reason: "wrong item",
      });
      const again = await unreceive(receipt_id);
      assert.deepEqual(statusAndBody(again), [404, { error: "Receipt not found", kind: "not_found" }]);
    });

    it("from their bin first, then from the others", async () => {
      const { item_id, receipt_ids } = await received(10);
      await move(item_id, 7);
      const { body } = await unreceive(receipt_ids[0] as number);
      assert.deepEqual(body.bin_decrements, [
        { bin_id: dock, quantity: 3 },
        { bin_id: shelf, quantity: 7 },
      ]);
      assert.equal(body.po_status, "OPEN");
    });

    it("only where nobody reserved the units", async () => {
      const { item_id, receipt_ids } = await received(10);
      const [receipt_id] = receipt_ids as [number];
      await service.admin.ok("POST", "/api/admin/sales-orders", {
        ...{ so_number: `R-${receipt_id}`, warehouse_id: here },
        lines: [{ item_id, quantity_ordered: 4 }],
      });
      assert.deepEqual(statusAndBody(await unreceive(receipt_id)), [
        409,
        {
          error: `Receipt ${receipt_id} has 10 units, of which the warehouse has 6 that are not reserved`,
          kind: "insufficient_available",
          warehouse_available: 6,
          receipt_quantity: 10,
        },
      ]);
      assert.deepEqual(await stockIn(item_id), [{ bin_id: dock, units: 10 }]);
    });

    it("also from a closed order, which stays closed", async () => {
      const { po_id, receipt_ids } = await received(10);
      await service.admin.ok("POST", `${ORDERS}/${po_id}/close`);
      const { body } = await unreceive(receipt_ids[0] as number);
      assert.equal(body.po_status, "CLOSED");
      const reopened = await service.admin.ok("POST", `${ORDERS}/${po_id}/reopen`);
      assert.equal(reopened.status, "OPEN");
    });

    it("once, however many ask", async () => {
      const { item_id, receipt_ids } = await received(4, 6);
      const answers = await Promise.all(Array.from({ length: 8 }, () => unreceive(receipt_ids[0] as number)));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404, 404, 404, 404, 404, 404]);
      assert.deepEqual(await stockIn(item_id), [{ bin_id: dock, units: 6 }]);
    });

    it("while more comes in, and the order's status tells of all", async () => {
      const { po_id, item_id, receipt_ids } = await received(5);
      await Promise.all([
        unreceive(receipt_ids[0] as number),
        ...[2, 3].map((quantity) =>
          mender.ok("POST", "/api/receiving/receive", { po_id, items: [{ item_id, quantity, bin_id: dock }] }),
        ),
      ]);
      const order = await service.admin.ok("GET", `${ORDERS}/${po_id}`);
      assert.equal(order.purchase_order.status, "PARTIAL");
      assert.equal(order.lines[0].quantity_received, 5);
    });

    it("not when they are a return's", async () => {
      const { item_id } = await fixtures.item();
      const { so_id } = await fixtures.salesOrder(here, [{ item_id, quantity: 1 }]);
      const row = await db.row<{ receipt_id: number }>(
        `with s as (
           insert into inventory (item_id, bin_id, warehouse_id, quantity_on_hand) values ($1, $2, $3, 1)
         )
         insert into item_receipts (so_id, item_id, quantity_received, bin_id, warehouse_id)
         values ($4, $1, 1, $2, $3) returning receipt_id`,
        [item_id, dock, here, so_id],
      );
      const receipt_id = row?.receipt_id as number;
      assert.deepEqual(statusAndBody(await unreceive(receipt_id)), [
        422,
        { error: `Receipt ${receipt_id} is of a return, not of a purchase order`, kind: "not_a_po_receipt" },
      ]);
    });

    it("not by a user of another warehouse, nor when there is none", async () => {
      const { receipt_ids } = await received(1);
      const path = `/api/admin/receipts/${receipt_ids[0]}/unreceive`;
      const missing = [404, { error: "Receipt not found", kind: "not_found" }];
      assert.deepEqual(statusAndBody(await stranger.post(path)), missing);
      assert.deepEqual(statusAndBody(await unreceive(1_999_999_999)), missing);
    });

    it("with a reason that is text of at most 500 characters", async () => {
      const { receipt_ids } = await received(1);
      for (const reason of ["x".repeat(501), 5, {}])
        assert.deepEqual(statusAndBody(await unreceive(receipt_ids[0] as number, { reason })), [
          422,
          { error: "reason must be text of at most 500 characters", kind: "bad_reason" },
        ]);
      const reason = "x".repeat(500);
      const answer = await unreceive(receipt_ids[0] as number, { reason });
      assert.equal(answer.status, 200);
    });

    it("with an event that fits its schema", assertEventsMatchSchemas);
  });
});
