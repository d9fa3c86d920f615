import assert from "node:assert/strict";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { statusAndBody } from "../support/caller.js";
import { db } from "../support/db.js";
import { pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { returnsDesk } from "../support/returns.js";
import { until } from "../support/until.js";

describe("a return that does not end as it was announced", () => {
  const { at, create, receive, voidIt, expected, headerOf, receivedOf, onHand, pathOf, shippedFromBin } = returnsDesk();

  const close = (so_id: number) => at().clerk.post(pathOf(so_id, "close-return"));
  const reverse = (so_id: number, receipt_id: number) =>
    at().clerk.post(pathOf(so_id, `return-receipts/${receipt_id}/reverse`), { reason: "wrong item" });
  const statusOf = async (so_id: number) =>
    (await temporalClient().workflow.getHandle(`rma-${so_id}`).describe()).status;

  it("expects no more once its rest is closed, which may then be returned anew", async () => {
    const { so_id, so_number, item_id, sku, original } = await expected(5);
    await receive(so_id, item_id, 2);
    const mark = await auditMark();
    const { status, body } = await close(so_id);
    const released = [{ so_line_id: body.released?.[0]?.so_line_id, item_id, sku, quantity: 3 }];
    const message = `Return ${so_number} expects nothing more`;
    assert.deepEqual([status, body], [200, { message, so_id, so_number, status: "RECEIVED", released }]);
    const [row] = await auditSince(mark);
    assert.deepEqual(
      [row?.action_type, row?.entity_id, row?.details],
      ["RETURN_CLOSE", so_id, { so_number, released }],
    );
    assert.equal((await headerOf(so_id)).status, "RECEIVED");
    await until(async () => (await statusOf(so_id)).name === "COMPLETED");
    assert.equal((await receive(so_id, item_id, 1)).status, 400);
    assert.equal((await create(original.so_id, [{ item_id, quantity: 4 }])).status, 400);
    assert.equal((await create(original.so_id, [{ item_id, quantity: 3 }])).status, 201);
  });

  it("is not closed while nothing has come, nor when all has, nor twice", async () => {
    const { so_id, item_id } = await expected(2);
    assert.deepEqual([(await close(so_id)).status, (await close(so_id)).code], [409, "return_not_partly_received"]);
    await receive(so_id, item_id, 2);
    assert.equal((await close(so_id)).status, 409);
  });

  it("is a return of the caller's warehouses, with such a receipt", async () => {
    const { so_id, original } = await expected(1);
    const stranger = await at().service.user({ page_keys: ["sales-orders"] });
    for (const action of ["close-return", "return-receipts/1/reverse"]) {
      const codeOf = async (id: number, by = at().clerk) => (await by.post(pathOf(id, action), {})).code;
      assert.equal(await codeOf(original.so_id), "not_a_return", action);
      assert.equal(await codeOf(99_999_999), "so_not_found", action);
      assert.equal(await codeOf(so_id, stranger), "warehouse_denied", action);
    }
    assert.equal((await reverse(so_id, 99_999_999)).code, "receipt_not_found");
    const list = (id: number, by = at().clerk) => by.get(pathOf(id, "return-receipts"));
    assert.equal((await list(99_999_999)).code, "so_not_found");
    assert.equal((await list(so_id, stranger)).code, "warehouse_denied");
  });

  it("keeps the receipts of a return that was paid back", async () => {
    const { so_id, item_id, original } = await expected(2);
    const { body } = await receive(so_id, item_id, 2);
    await db.run("update sales_orders set status = 'REFUNDED' where so_id = $1", [original.so_id]);
    const { status, code } = await reverse(so_id, body.receipt_id);
    assert.deepEqual([status, code], [409, "receipt_refunded"]);
  });

  it("takes a wrong receipt back, and waits for the goods again", async () => {
    const { so_id, item_id } = await expected(3);
    const { body } = await receive(so_id, item_id, 3);
    await until(async () => (await statusOf(so_id)).name === "COMPLETED");
    const { receipts } = await at().clerk.ok("GET", pathOf(so_id, "return-receipts"));
    assert.deepEqual(pluckAll(receipts, "receipt_id", "quantity_received", "bin_id"), [
      [body.receipt_id, 3, at().dock],
    ]);
    const mark = await auditMark();
    const reversed = await reverse(so_id, body.receipt_id);
    assert.deepEqual(statusAndBody(reversed), [
      200,
      {
        ...{ message: `Receipt ${body.receipt_id} was taken back`, receipt_id: body.receipt_id, so_id },
        ...{ status: "OPEN", quantity_reversed: 3, bin_decrements: [{ bin_id: at().dock, quantity: 3 }] },
      },
    ]);
    assert.equal((await auditSince(mark))[0]?.action_type, "RETURN_RECEIVE_CANCEL");
    assert.deepEqual([await onHand(item_id), await receivedOf(so_id)], [0, [0]]);
    await until(async () => (await statusOf(so_id)).name === "RUNNING");
    assert.equal((await reverse(so_id, body.receipt_id)).status, 404);
    assert.equal((await voidIt(so_id)).status, 200);
  });

  it("keeps a receipt whose units are not free any more", async () => {
    const { so_id, item_id } = await expected(3);
    const { body } = await receive(so_id, item_id, 2);
    await db.run("update inventory set quantity_on_hand = 1 where item_id = $1", [item_id]);
    const refused = await reverse(so_id, body.receipt_id);
    assert.deepEqual([refused.status, refused.code], [409, "receipt_not_available"]);
    assert.deepEqual(await receivedOf(so_id), [2]);
    await db.run("update inventory set quantity_on_hand = 2 where item_id = $1", [item_id]);
  });

  /** The lots of an item in the bin where returns arrive. */
  const lots = (item_id: number) =>
    db.rows<{ lot_number: string | null; expiry_date: string | null; units: number }>(
      `select lot_number, expiry_date, quantity_on_hand as units from inventory
       where item_id = $1 and bin_id = $2 order by lot_number`,
      [item_id, at().dock],
    );

  it("says which lot came, and until when it keeps", async () => {
    const { so_id, item_id } = await expected(3);
    await receive(so_id, item_id, 1, { lot_number: "L-9", expiry_date: "2027-03-01" });
    assert.deepEqual(await lots(item_id), [{ lot_number: "L-9", expiry_date: "2027-03-01", units: 1 }]);
  });

  it("keeps the lot and the expiry that its order left with, where nobody says another", async () => {
    const goods = await shippedFromBin(5, "L-1");
    await db.run("update inventory set expiry_date = '2027-01-31' where item_id = $1", [goods.item_id]);
    const made = await create(goods.so_id, [{ item_id: goods.item_id, quantity: 2 }]);
    await receive(made.body.so_id, goods.item_id, 2);
    assert.deepEqual(await lots(goods.item_id), [{ lot_number: "L-1", expiry_date: "2027-01-31", units: 2 }]);
  });
});
