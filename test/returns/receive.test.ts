import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { statusAndError } from "../support/caller.js";
import { db } from "../support/db.js";
import { assertEventsMatchSchemas } from "../support/events.js";
import * as fixtures from "../support/fixtures.js";
import { pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { receiveAtDesk, returnsDesk } from "../support/returns.js";
import { releasesOf, statusOf, waitingOrder } from "../support/waiting.js";

/** Spec 4.6 and 6.2, docs/interface.md, Returns. */
describe("receiving a return", () => {
  const { at, create, receive, voidIt, shipped, expected, headerOf, onHand, receivedOf, events, pathOf } =
    returnsDesk();

  it("counts each part in stock and on the line, until all has come", async () => {
    const { so_id, so_number, item_id, sku } = await expected(3);
    const first = await receive(so_id, item_id, 1);
    assert.equal(first.status, 200);
    const { receipt_id } = first.body;
    assert.deepEqual(first.body, {
      message: `Received 1 × ${sku} on ${so_number}`,
      ...{ receipt_id, status: "PARTIALLY_RECEIVED" },
    });
    assert.equal((await headerOf(so_id)).status, "PARTIALLY_RECEIVED");
    assert.deepEqual([await onHand(item_id), await receivedOf(so_id)], [1, [1]]);
    const second = await receive(so_id, item_id, 2);
    assert.equal(second.body.status, "RECEIVED");
    assert.deepEqual([(await headerOf(so_id)).status, await onHand(item_id)], ["RECEIVED", 3]);
    const [line] = (await at().clerk.ok("GET", pathOf(so_id))).lines;
    assert.deepEqual([line.quantity_received, line.quantity_shipped, line.status], [3, 0, "OPEN"]);
  });

  it("is refused where the bin, its zone or its warehouse is out of use", async () => {
    const { so_id, item_id } = await expected(3);
    const warehouse_id = await fixtures.warehouse();
    const bin_id = await fixtures.bin(warehouse_id);
    const { service } = at();
    const anyone = await service.user({ role: "ADMIN" });
    const into = () => receiveAtDesk(anyone, so_id, { item_id, quantity: 1, warehouse_id, bin_id });
    for (const [table, which] of [
      ["bins", "bin_id = $1"],
      ["zones", "zone_id = (select zone_id from bins where bin_id = $1)"],
      ["warehouses", "warehouse_id = (select warehouse_id from bins where bin_id = $1)"],
    ]) {
      await db.run(`update ${table} set is_active = false where ${which}`, [bin_id]);
      const { status, code } = await into();
      assert.deepEqual([status, code], [400, "bin_inactive"], table);
      await db.run(`update ${table} set is_active = true where ${which}`, [bin_id]);
    }
    assert.equal((await into()).status, 200);
  });

  it("tells partners of each part, and the audit log", async () => {
    const { so_id, so_number, item_id, sku, original } = await expected(3);
    const { here, dock, clerk } = at();
    const mark = await auditMark();
    const { body } = await receive(so_id, item_id, 2, { notes: "box was open" });
    const [event, ...others] = await events(so_id);
    assert.deepEqual(others, []);
    const [place] = await db.rows<{ warehouse_code: string; bin_code: string }>(
      "select warehouse_code, bin_code from bins join warehouses using (warehouse_id) where bin_id = $1",
      [dock],
    );
    const [receipt] = await db.rows<Record<string, unknown>>(
      `select r.external_id, i.external_id as item, u.external_id as user_id, r.notes, r.received_by, l.so_id
       from item_receipts r join items i using (item_id) join users u on u.username = r.received_by
         join sales_order_lines l using (so_line_id) where receipt_id = $1`,
      [body.receipt_id],
    );
    const { received_at, ...payload } = event?.payload ?? {};
    assert.match(String(received_at), /^\d{4}-.*Z$/);
    assert.deepEqual([event?.aggregate_type, event?.warehouse_id], ["sales_order", here]);
    assert.deepEqual(payload, {
      receipt_external_id: receipt?.external_id,
      so_external_id: (await headerOf(so_id)).external_id,
      so_number,
      parent_so_external_id: (await headerOf(original.so_id)).external_id,
      ...place,
      lines: [{ item_external_id: receipt?.item, sku, quantity_received: 2 }],
      received_by_user_external_id: receipt?.user_id,
    });
    assert.deepEqual([receipt?.notes, receipt?.received_by, receipt?.so_id], ["box was open", clerk.username, so_id]);
    const details = { so_number, item_id, quantity: 2, bin_id: dock, receipt_id: body.receipt_id };
    assert.deepEqual(
      pluckAll(await auditSince(mark), "action_type", "entity_type", "entity_id", "warehouse_id", "details"),
      [["RETURN_RECEIVE", "SO", so_id, here, { ...details, status: "PARTIALLY_RECEIVED", notes: "box was open" }]],
    );
    await assertEventsMatchSchemas();
  });

  it("fills the lines of an item in order, also with one receipt", async () => {
    const { item_id } = await fixtures.item();
    const { so_id: original } = await fixtures.shippedOrder(at().here, [{ item_id, quantity: 5 }]);
    const lines = [2, 3].map((quantity) => ({ item_id, quantity }));
    const { so_id } = (await create(original, lines)).body;
    await receive(so_id, item_id, 1);
    assert.deepEqual(await receivedOf(so_id), [1, 0]);
    const { body } = await receive(so_id, item_id, 4);
    assert.deepEqual([body.status, await receivedOf(so_id)], ["RECEIVED", [2, 3]]);
    const [receipt] = await db.rows("select so_line_id from item_receipts where receipt_id = $1", [body.receipt_id]);
    assert.deepEqual(receipt, { so_line_id: null });
  });

  it("opens the orders that wait for the item, in the same transaction, as a receipt", async () => {
    const { so_id, item_id } = await expected(3);
    const { here, elsewhere } = at();
    const waiting = await waitingOrder(here, [{ item_id, quantity: 3 }]);
    const there = await waitingOrder(elsewhere, [{ item_id, quantity: 1 }]);
    const shelf = await fixtures.bin(here);
    await receive(so_id, item_id, 2, { bin_id: shelf });
    assert.equal(await statusOf(waiting.so_id), "WAITING_STOCK");
    await receive(so_id, item_id, 1, { bin_id: shelf });
    assert.equal(await statusOf(waiting.so_id), "OPEN");
    assert.equal(await statusOf(there.so_id), "WAITING_STOCK");
    const [release] = await releasesOf(waiting.so_id);
    const [, last] = await db.rows<{ command_id: string }>(
      `select command_id from integration_events where event_type = 'return.received'
         and entity_id in (select receipt_id from item_receipts where so_id = $1) order by outbox_id`,
      [so_id],
    );
    assert.deepEqual([release?.payload.source, release?.command_id], ["receipt", last?.command_id]);
  });

  it("takes goods into another warehouse that the user works in, and into none other", async () => {
    const { so_id, item_id } = await expected(3);
    const { here, elsewhere, service, clerk, dock } = at();
    const bin_id = await fixtures.bin(elsewhere);
    const there = { warehouse_id: elsewhere, bin_id };
    assert.equal((await receive(so_id, item_id, 1, there)).status, 403);
    const both = await service.user({ warehouse_ids: [here, elsewhere], page_keys: ["sales-orders"] });
    assert.equal((await receive(so_id, item_id, 1, there, both)).status, 200);
    assert.equal((await events(so_id))[0]?.warehouse_id, elsewhere);
    const only = await service.user({ warehouse_ids: [elsewhere], page_keys: ["sales-orders"] });
    assert.equal((await receive(so_id, item_id, 1, there, only)).status, 403);
    const wrong = await receive(so_id, item_id, 1, { bin_id });
    assert.deepEqual(
      [wrong.status, wrong.code, wrong.body.error.includes(String(bin_id))],
      [400, "bin_elsewhere", true],
    );
    const { status, code } = await receive(
      so_id,
      item_id,
      1,
      { warehouse_id: 2 ** 31 - 1, bin_id: dock },
      service.admin,
    );
    assert.deepEqual([status, code], [400, "bin_elsewhere"]);
    const none = await receive(so_id, item_id, 1, { bin_id: 2 ** 31 - 1 }, clerk);
    assert.deepEqual([none.status, none.code], [400, "bin_not_found"]);
  });

  it("receives a part once however often it is sent under its key", async () => {
    const { so_id, item_id } = await expected(3);
    const key = { idempotency_key: randomUUID(), notes: "box was open" };
    const first = await receive(so_id, item_id, 1, key);
    assert.equal(first.body.replayed, undefined);
    const again = await receive(so_id, item_id, 1, { ...key, idempotency_key: key.idempotency_key.toUpperCase() });
    assert.deepEqual(again.body, { ...first.body, replayed: true });
    const [receipt] = await db.rows("select receipt_id from item_receipts where external_id = $1", [
      key.idempotency_key,
    ]);
    assert.deepEqual(receipt, { receipt_id: first.body.receipt_id });
    await receive(so_id, item_id, 2);
    const late = await receive(so_id, item_id, 1, key);
    assert.deepEqual(late.body, { ...first.body, status: "RECEIVED", replayed: true });
    assert.deepEqual([await onHand(item_id), (await events(so_id)).length], [3, 2]);
  });

  it("refuses a key that was used with another body or for another return", async () => {
    const { so_id, item_id, original } = await expected(3);
    const { here, service } = at();
    const idempotency_key = randomUUID();
    await receive(so_id, item_id, 1, { idempotency_key });
    const other = (await create(original.so_id, [{ item_id, quantity: 1 }])).body.so_id;
    const bin_id = await fixtures.bin(here);
    for (const asked of [
      receive(so_id, item_id, 2, { idempotency_key }),
      receive(so_id, item_id, 1, { idempotency_key, notes: "another" }),
      receive(so_id, item_id, 1, { idempotency_key, bin_id }),
      receive(other, item_id, 1, { idempotency_key }, service.admin),
    ])
      assert.deepEqual(statusAndError(await asked), [409, "This idempotency_key was used for another receipt"]);
    assert.equal(await onHand(item_id), 1);
  });

  it("is refused above what remains, for what is not on it, and for what is no return", async () => {
    const { so_id, so_number, item_id, sku, original } = await expected(3);
    assert.deepEqual(statusAndError(await receive(so_id, item_id, 4)), [
      400,
      `Receiving 4 of ${sku} would exceed the 3 remaining on ${so_number}`,
    ]);
    await receive(so_id, item_id, 3);
    assert.equal((await receive(so_id, item_id, 1)).code, "over_receipt");
    const stranger = await fixtures.item();
    const open = await expected(3);
    assert.equal((await receive(open.so_id, stranger.item_id, 1)).code, "item_not_on_so");
    assert.deepEqual(statusAndError(await receive(original.so_id, item_id, 1)), [
      400,
      `Sales order ${original.so_number} is a sale, not a return`,
    ]);
    assert.equal((await receive(2 ** 31 - 1, item_id, 1)).status, 404);
    assert.equal(await onHand(item_id), 3);
  });

  it("is refused once the return was voided", async () => {
    const { so_id, so_number, item_id } = await expected(3);
    await voidIt(so_id);
    assert.deepEqual(statusAndError(await receive(so_id, item_id, 1)), [
      400,
      `Return ${so_number} is voided: nothing can be received on it`,
    ]);
  });

  it("wants whole requests of the caller's warehouses", async () => {
    const { so_id, item_id } = await expected(3);
    for (const more of [{ quantity: 0 }, { notes: "x".repeat(501) }, { idempotency_key: "no uuid" }, { lot: "L" }])
      assert.deepEqual(statusAndError(await receive(so_id, item_id, 1, more)), [400, "validation_error"]);
    const original = await shipped(5, at().elsewhere);
    const { admin } = at().service;
    const made = await create(original.so_id, [{ item_id: original.item_id, quantity: 1 }], {}, admin);
    assert.equal((await receive(made.body.so_id, original.item_id, 1)).status, 403);
    const guest = await at().service.user({ warehouse_ids: [at().here] });
    assert.equal((await receive(so_id, item_id, 1, {}, guest)).status, 403);
  });
});
