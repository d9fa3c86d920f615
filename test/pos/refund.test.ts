import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Answer } from "../support/caller.js";
import { counter, paid, refundOf, tillFor } from "../support/counter.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { stockOf } from "../support/fixtures.js";
import { pluckAll } from "../support/pluck.js";
import { queuedBehindLock } from "../support/queued-behind-lock.js";
import { codeOfWarehouse, PATIENT } from "../support/till.js";

const REFUND = "/api/v1/pos/refund";

describe("a refund", () => {
  const { at, shelved, sold, refund, onHand, statusOf } = counter(PATIENT);
  const refusal = ({ status, body }: Answer) => [status, body.error_kind, body.details];

  const orderOf = async (so_number: string) => {
    const header = await db.row<Record<string, unknown>>(
      `select order_type, status, order_source, order_origin, warehouse_id, customer_name, external_txn_ref, created_by,
         order_total, customer_shipping_paid, refunded_at is not null as refunded,
         (select p.so_number from sales_orders p where p.so_id = so.parent_so_id) as parent,
         (select r.so_number from sales_orders r where r.so_id = so.refund_so_id) as refund
       from sales_orders so where so_number = $1`,
      [so_number],
    );
    const lines = await db.rows<Record<string, unknown>>(
      `select sku, quantity_ordered, quantity_shipped, l.status, line_number, original_so_line_id is not null as linked
       from sales_order_lines l join items using (item_id) join sales_orders so using (so_id)
       where so_number = $1 order by line_number`,
      [so_number],
    );
    return { header, lines };
  };
  const auditOf = async (so_number: string) => {
    const [row, ...more] = await db.rows<{ user_id: string; warehouse_id: number; details: Record<string, unknown> }>(
      `select user_id, a.warehouse_id, details from audit_log a join sales_orders on so_id = entity_id
       where action_type = 'POS_REFUND' and entity_type = 'SO' and so_number = $1`,
      [so_number],
    );
    assert.equal(more.length, 0);
    return row;
  };
  const memosOf = (so_number: string) =>
    db.rows(
      `select memo.so_number from sales_orders memo join sales_orders sale on sale.so_id = memo.parent_so_id
       where sale.so_number = $1 and memo.order_type = 'refund' order by memo.so_id`,
      [so_number],
    );

  it("of a whole sale puts all units back where they came from, and makes it REFUNDED", async () => {
    const [mug, lid] = [await shelved(), await shelved()];
    const { so_number } = await sold([mug.units(3), lid.units(2)], {
      ...{ customer_name: "Ada", order_origin: "Counter", payment_summary: paid(4_999, "cash") },
    });
    assert.deepEqual([await onHand(mug.item_id), await onHand(lid.item_id)], [7, 8]);
    const key = randomUUID();
    const { status, body } = await refund(so_number, {
      ...{ idempotency_key: key, cashier_id: "ben", terminal_id: "TILL-2", external_refund_ref: null },
      refund_summary: paid(4_999, "cash", 1_005),
    });
    const memo = `${so_number}-REFUND`;
    assert.equal(status, 200);
    assert.deepEqual(body, { refund_so_id: memo, original_so_id: so_number, fully_refunded: true, replayed: false });
    assert.deepEqual(
      [await stockOf(mug.inventory_id), await stockOf(lid.inventory_id)],
      [
        { on_hand: 10, allocated: 0 },
        { on_hand: 10, allocated: 0 },
      ],
    );
    const original = await orderOf(so_number);
    assert.deepEqual(
      [original.header?.status, original.header?.refunded, original.header?.refund],
      ["REFUNDED", true, memo],
    );
    const { header, lines } = await orderOf(memo);
    assert.deepEqual(header, {
      ...{ order_type: "refund", status: "SHIPPED", order_source: "pos", order_origin: "Counter" },
      ...{ warehouse_id: at().here, customer_name: "Ada", external_txn_ref: null, created_by: "ben" },
      ...{ order_total: "-49.99", customer_shipping_paid: "-10.05", refunded: false, parent: so_number, refund: null },
    });
    const line = { quantity_shipped: 0, status: "SHIPPED", linked: true };
    assert.deepEqual(lines, [
      { sku: mug.sku, quantity_ordered: -3, line_number: 1, ...line },
      { sku: lid.sku, quantity_ordered: -2, line_number: 2, ...line },
    ]);
    const audit = await auditOf(memo);
    assert.deepEqual([audit?.user_id, audit?.warehouse_id], ["ben", at().here]);
    const { token, ...details } = audit?.details ?? {};
    assert.match(String(token), /^system:wms_token:\d+$/);
    assert.deepEqual(details, {
      ...{ idempotency_key: key, so_number: memo, original_so_number: so_number, terminal_id: "TILL-2" },
      ...{ original_external_txn_ref: "txn_1", external_refund_ref: null, payment_method: "cash" },
      ...{ total_cents: 4_999, shipping_cents: 1_005, partial: false, fully_refunded: true },
      lines: [
        { ...mug.units(3), item_id: mug.item_id, lot_number: null, expiry_date: null },
        { ...lid.units(2), item_id: lid.item_id, lot_number: null, expiry_date: null },
      ],
    });
    const events = await db.rows(
      "select from integration_events where entity_id in (select so_id from sales_orders where so_number = any($1))",
      [[so_number, memo]],
    );
    assert.equal(events.length, 0);
  });

  it("of a part leaves the sale SHIPPED; parts add up to the whole, each with a memo of its own", async () => {
    const mug = await shelved();
    const { so_number } = await sold([mug.units(5)]);
    const parts = [];
    for (const quantity of [1, 2, 2]) parts.push(await refund(so_number, { lines: [mug.units(quantity)] }));
    assert.deepEqual(
      parts.map(({ body }) => [body.refund_so_id, body.fully_refunded]),
      [
        [`${so_number}-REFUND`, false],
        [`${so_number}-REFUND-2`, false],
        [`${so_number}-REFUND-3`, true],
      ],
    );
    const { header } = await orderOf(so_number);
    assert.deepEqual([header?.status, header?.refund], ["REFUNDED", `${so_number}-REFUND-3`]);
    assert.equal((await auditOf(`${so_number}-REFUND`))?.details.partial, true);
    assert.equal(await onHand(mug.item_id), 10);
  });

  it("without lines after a part is of the rest", async () => {
    const [mug, lid] = [await shelved(), await shelved()];
    const { so_number } = await sold([mug.units(2), lid.units(1), mug.units(1)]);
    await refund(so_number, { lines: [mug.units(2)] });
    const { body } = await refund(so_number);
    assert.equal(body.fully_refunded, true);
    const { lines } = await orderOf(body.refund_so_id);
    assert.deepEqual(
      pluckAll(lines, "sku", "quantity_ordered", "linked"),
      // Two lines of the sale have mugs: the memo names neither.
      [
        [mug.sku, -1, false],
        [lid.sku, -1, true],
      ],
    );
    assert.deepEqual([await onHand(mug.item_id), await onHand(lid.item_id)], [10, 10]);
  });

  it("goes back into each bin of the sale, or into a bin that the till names", async () => {
    const mug = await shelved();
    const second = await fixtures.bin(at().here, { code: `S-${mug.sku}` });
    await fixtures.stock(at().here, second, mug.item_id, 4);
    const inSecond = { ...mug.units(4), bin_id: `S-${mug.sku}` };
    const { so_number } = await sold([mug.units(3), inSecond]);
    const desk = await fixtures.bin(at().here, { code: `D-${mug.sku}`, type: "Staging" });
    await refund(so_number, { lines: [{ ...mug.units(2), bin_id: `D-${mug.sku}` }] });
    await refund(so_number);
    const lying = await db.rows<{ bin_id: number; on_hand: number }>(
      "select bin_id, quantity_on_hand as on_hand from inventory where item_id = $1 order by bin_id",
      [mug.item_id],
    );
    // The two at the desk count as those of the first line.
    assert.deepEqual(lying, [
      { bin_id: mug.bin_id, on_hand: 8 },
      { bin_id: second, on_hand: 4 },
      { bin_id: desk, on_hand: 2 },
    ]);
  });

  it("names an item by the SKU that it has now", async () => {
    const mug = await shelved();
    const { so_number } = await sold([mug.units(2)]);
    const sku = `NEW-${mug.sku}`;
    await db.run("update items set sku = $2 where item_id = $1", [mug.item_id, sku]);
    assert.equal((await refund(so_number, { lines: [{ ...mug.units(1), sku }] })).status, 200);
    assert.equal((await refund(so_number)).body.fully_refunded, true);
  });

  it("opens an order that waited for what comes back", async () => {
    const mug = await shelved(3);
    const { so_number } = await sold([mug.units(3)]);
    const waiting = await fixtures.salesOrder(at().here, [{ item_id: mug.item_id, quantity: 2 }]);
    await db.run("update sales_orders set status = 'WAITING_STOCK', backorder_opened_at = now() where so_id = $1", [
      waiting.so_id,
    ]);
    await refund(so_number, { lines: [mug.units(1)] });
    assert.equal(await statusOf(waiting.so_number), "WAITING_STOCK");
    await refund(so_number);
    assert.equal(await statusOf(waiting.so_number), "OPEN");
    const events = await db.rows<{ source: string }>(
      `select event_data(e)->>'source' as source from integration_events e
       where event_type = 'backorder.fulfillable' and entity_id = $1`,
      [waiting.so_id],
    );
    assert.deepEqual(events, [{ source: "adjustment" }]);
  });

  it("may be of a replacement or an exchange", async () => {
    const mug = await shelved();
    const { so_number } = await sold([mug.units(1)]);
    for (const order_type of ["replacement", "exchange"]) {
      const child = await sold([mug.units(1)], { order_type, parent_so_number: so_number });
      assert.equal((await refund(child.so_number)).body.refund_so_id, `${child.so_number}-REFUND`);
    }
    assert.equal(await statusOf(so_number), "SHIPPED");
  });

  describe("finds no sale", () => {
    const missing = async (answer: Promise<Answer>, so_number: string) =>
      assert.deepEqual(refusal(await answer), [404, "original_so_not_found", {}], so_number);

    it("where there is none, it is of other warehouses, of another source, or was never paid", async () => {
      const { here, elsewhere, service } = at();
      await missing(refund("POS-2147483647"), "unknown");
      const goods = await shelved(5, elsewhere);
      const far = await sold([goods.units(1)], {}, await tillFor(service, elsewhere));
      await missing(refund(far.so_number), "elsewhere");
      const mug = await shelved();
      const own = await sold([mug.units(1)]);
      await db.run("update sales_orders set order_source = 'reference' where so_id = $1", [own.so_id]);
      await missing(refund(own.so_number), "reference order");
      await db.run("update sales_orders set order_source = 'pos', order_type = 'backorder' where so_id = $1", [
        own.so_id,
      ]);
      await missing(refund(own.so_number), "no sale");
      const web = await fixtures.shippedOrder(here, [{ item_id: mug.item_id, quantity: 1 }]);
      const number = `POS-9${web.so_id}`;
      await db.run("update sales_orders set so_number = $2, order_source = 'pos' where so_id = $1", [
        web.so_id,
        number,
      ]);
      await missing(refund(number), "without the audit row of its checkout");
    });

    it("where the number is none of a sale: 422", async () => {
      for (const number of ["SO-1", "POS-1-REFUND", "POS-1-RMA", "POS-x", ""]) {
        const { status, body } = await refund(number);
        assert.deepEqual([status, body.error_kind, body.details.field], [422, "invalid_body", "original_so_id"]);
      }
    });
  });

  it("is refused after all was refunded, with the number of the last memo", async () => {
    const mug = await shelved();
    const { so_number } = await sold([mug.units(2)]);
    await refund(so_number, { lines: [mug.units(1)] });
    await refund(so_number);
    assert.deepEqual(refusal(await refund(so_number)), [
      ...[422, "already_refunded", { existing_refund_so_id: `${so_number}-REFUND-2` }],
    ]);
    assert.equal(await onHand(mug.item_id), 10);
  });

  it("is refused for a sale older than 90 days", async () => {
    const mug = await shelved();
    const { so_number, so_id } = await sold([mug.units(1)]);
    const age = (interval: string) =>
      db.row<{ created_at: string }>(
        "update sales_orders set created_at = now() - $2::interval where so_id = $1 returning created_at",
        [so_id, interval],
      );
    const old = await age("90 days 1 minute");
    assert.deepEqual(refusal(await refund(so_number)), [
      ...[422, "refund_window_expired", { original_created_at: old?.created_at }],
    ]);
    await age("89 days 23 hours");
    assert.equal((await refund(so_number)).status, 200);
  });

  it("is paid back as it was paid", async () => {
    const mug = await shelved();
    for (const original_method of ["card", "cash", "split"] as const) {
      const { so_number } = await sold([mug.units(1)], { payment_summary: paid(1_000, original_method) });
      for (const refund_method of ["card", "cash", "split"] as const) {
        if (refund_method === original_method) continue;
        assert.deepEqual(refusal(await refund(so_number, { refund_summary: paid(1_000, refund_method) })), [
          ...[422, "tender_mismatch", { original_method, refund_method }],
        ]);
      }
      assert.equal((await refund(so_number, { refund_summary: paid(1_000, original_method) })).status, 200);
    }
  });

  it("names items of the sale and known bins of the till's warehouses", async () => {
    const { elsewhere } = at();
    const [mug, other] = [await shelved(), await shelved()];
    const { so_number } = await sold([mug.units(2)]);
    const far = await shelved(1, elsewhere);
    const closed = `X-${mug.sku}`;
    await db.run("update bins set is_active = false where bin_id = $1", [
      await fixtures.bin(at().here, { code: closed }),
    ]);
    const inClosedZone = `Z-${mug.sku}`;
    await db.run(
      `with zone as (
         insert into zones (warehouse_id, zone_code, zone_name, zone_type, is_active)
         values ($2, $3, $3, 'STORAGE', false) returning zone_id)
       update bins set zone_id = zone.zone_id from zone where bin_id = $1`,
      [await fixtures.bin(at().here, { code: inClosedZone }), at().here, inClosedZone.slice(0, 20)],
    );
    for (const line of [
      other.units(1),
      { ...mug.units(1), sku: "NO-SUCH" },
      { ...mug.units(1), bin_id: "NO-SUCH" },
      { ...mug.units(1), bin_id: closed },
      { ...mug.units(1), bin_id: inClosedZone },
      { ...mug.units(1), warehouse_id: "NO-SUCH" },
      { ...mug.units(1), warehouse_id: await codeOfWarehouse(elsewhere), bin_id: far.units(1).bin_id },
    ]) {
      const { sku, warehouse_id, bin_id } = line;
      assert.deepEqual(refusal(await refund(so_number, { lines: [mug.units(1), line] })), [
        ...[422, "refund_line_not_in_order", { sku, warehouse_id, bin_id }],
      ]);
    }
    assert.deepEqual([await onHand(mug.item_id), await memosOf(so_number)], [8, []]);
  });

  it("is never of more than was sold, over all lines and all refunds", async () => {
    const mug = await shelved();
    const { so_number } = await sold([mug.units(2), mug.units(1)]);
    const exceeds = (already_refunded: number, requested: number) => [
      ...[422, "refund_exceeds_remaining", { sku: mug.sku, shipped: 3, already_refunded, requested }],
    ];
    assert.deepEqual(refusal(await refund(so_number, { lines: [mug.units(4)] })), exceeds(0, 4));
    assert.deepEqual(refusal(await refund(so_number, { lines: [mug.units(2), mug.units(2)] })), exceeds(0, 4));
    await refund(so_number, { lines: [mug.units(2)] });
    assert.deepEqual(refusal(await refund(so_number, { lines: [mug.units(2)] })), exceeds(2, 2));
    assert.equal(await onHand(mug.item_id), 9);
  });

  it("says what is wrong with its body", async () => {
    const mug = await shelved();
    const { so_number } = await sold([mug.units(1)]);
    for (const [field, value] of [
      ["idempotency_key", "4711"],
      ["completed_at", "yesterday"],
      ["lines", []],
      ["refund_summary", { ...paid(1_000), total_cents: 10.5 }],
      ["cashier_id", ""],
      ["external_refund_ref", "x".repeat(129)],
      ["surprise", 1],
    ] as const) {
      const { status, body } = await at().till.post(REFUND, { ...refundOf(so_number), [field]: value });
      assert.deepEqual([status, body.error_kind], [422, "invalid_body"], field);
    }
    assert.equal(await statusOf(so_number), "SHIPPED");
  });

  describe("under its key", () => {
    it("happens once: a repeat has the first answer, and says so in a header", async () => {
      const mug = await shelved();
      const { so_number } = await sold([mug.units(2)]);
      const body = refundOf(so_number, { lines: [mug.units(1)] });
      const first = await at().till.post(REFUND, body);
      const again = await at().till.post(REFUND, { ...body, idempotency_key: body.idempotency_key.toUpperCase() });
      assert.deepEqual(again.body, first.body);
      assert.deepEqual(
        [first, again].map(({ headers }) => headers.get("x-idempotent-replay")),
        [null, "true"],
      );
      assert.equal((await memosOf(so_number)).length, 1);
    });

    it("happens once, however often it is sent at the same time", async () => {
      const mug = await shelved();
      const { so_number } = await sold([mug.units(2)]);
      const body = refundOf(so_number);
      const answers = await Promise.all(Array.from({ length: 8 }, () => at().till.post(REFUND, body)));
      for (const { status, body } of answers)
        assert.deepEqual([status, body.refund_so_id], [200, `${so_number}-REFUND`]);
      assert.equal(await onHand(mug.item_id), 10);
    });

    it("is refused with another body, with the number that the key stands for, also that of a sale", async () => {
      const mug = await shelved();
      const key = randomUUID();
      const { so_number } = await sold([mug.units(3)], { idempotency_key: key });
      const reused = [409, "idempotency_key_reused_with_different_body"];
      assert.deepEqual(refusal(await refund(so_number, { idempotency_key: key })), [
        ...[...reused, { existing_refund_so_id: so_number }],
      ]);
      const body = refundOf(so_number, { lines: [mug.units(1)] });
      await at().till.post(REFUND, body);
      assert.deepEqual(refusal(await at().till.post(REFUND, { ...body, lines: [mug.units(2)] })), [
        ...[...reused, { existing_refund_so_id: `${so_number}-REFUND` }],
      ]);
      const stranger = await tillFor(at().service, at().elsewhere);
      assert.deepEqual(refusal(await stranger.post(REFUND, body)), [...reused, {}]);
      assert.equal(await onHand(mug.item_id), 8);
    });

    it("is free after a refusal, which changed nothing", async () => {
      const mug = await shelved();
      const { so_number } = await sold([mug.units(1)]);
      const body = refundOf(so_number, { lines: [mug.units(2)] });
      assert.equal((await at().till.post(REFUND, body)).status, 422);
      assert.equal((await at().till.post(REFUND, { ...body, lines: [mug.units(1)] })).status, 200);
    });
  });

  it("waits for another one of the same sale, and sees what that one left", async () => {
    const mug = await shelved();
    const { so_number, so_id } = await sold([mug.units(3)]);
    const part = () => refund(so_number, { lines: [mug.units(2)] });
    const lock = "select from sales_orders where so_id = $1 for update";
    const [first, second] = await queuedBehindLock(lock, [so_id], part, part);
    assert.deepEqual([first?.status, second?.status], [200, 422]);
    assert.equal(await onHand(mug.item_id), 9);
  });
});
