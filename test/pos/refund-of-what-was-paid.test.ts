import assert from "node:assert/strict";
import { transaction } from "../../src/platform/db/db.js";
import { counter, paid, saleOf } from "../support/counter.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { closedParcel } from "../support/parcels.js";
import { waitingForLocks } from "../support/queued-behind-lock.js";
import { until } from "../support/until.js";

const refusal = ({ status, body }: { status: number; body: Record<string, unknown> }) => [status, body.error_kind];

describe("a refund of what was paid", () => {
  const { at, shelved, sold, refund, onHand, statusOf } = counter();
  const admin = (so_id: number, action: string, body: object = {}) =>
    at().service.admin.ok("POST", `/api/admin/sales-orders/${so_id}/${action}`, body);
  const money = (cents: number, method: "card" | "cash" | "split" = "card") => ({
    refund_summary: paid(cents, method),
  });

  for (const state of ["open", "cancelled"] as const)
    it(`of a phone order that is ${state} pays it back once, and cancels it`, async () => {
      const mug = await shelved();
      const order = await sold([mug.units(2)], { is_phone_order: true });
      if (state === "cancelled") await admin(order.so_id, "cancel");
      const { status, body } = await refund(order.so_number, money(2_000));
      assert.deepEqual([status, body.fully_refunded], [200, true], JSON.stringify(body));
      assert.equal(await statusOf(order.so_number), "REFUNDED");
      assert.equal(await onHand(mug.item_id), 10);
      const stock = await fixtures.stockOf(mug.inventory_id);
      assert.equal(stock?.allocated, 0);
      assert.deepEqual(refusal(await refund(order.so_number, money(1))), [422, "already_refunded"]);
    });

  it("of a phone order that was picked puts its goods back", async () => {
    const mug = await shelved();
    const order = await sold([mug.units(2)], { is_phone_order: true });
    const [line] = await db.rows<{ so_line_id: number }>("select so_line_id from sales_order_lines where so_id = $1", [
      order.so_id,
    ]);
    await admin(order.so_id, "admin-pick", { lines: [{ ...line, bin_id: mug.bin_id, quantity: 2 }] });
    assert.equal(await onHand(mug.item_id), 8);
    assert.equal((await refund(order.so_number, money(2_000))).status, 200);
    assert.equal(await onHand(mug.item_id), 10);
  });

  it("of a phone order a part of which has left waits for the rest, or for its parcels to be taken back", async () => {
    const mug = await shelved();
    const order = await sold([mug.units(2)], { is_phone_order: true });
    const [line] = await db.rows<{ so_line_id: number }>("select so_line_id from sales_order_lines where so_id = $1", [
      order.so_id,
    ]);
    await admin(order.so_id, "admin-pick", { lines: [{ ...line, bin_id: mug.bin_id, quantity: 2 }] });
    const by = at().service.admin;
    const { parcel_id } = await closedParcel(by, order.so_id, mug.sku);
    await by.ok("POST", `/api/shipping/parcels/${parcel_id}/ship`, { tracking_number: "1Z", carrier: "UPS" });
    assert.deepEqual(refusal(await refund(order.so_number, money(2_000))), [409, "partly_shipped"]);
    await by.ok("POST", `/api/shipping/parcels/${parcel_id}/void`, { reason: "refunded" });
    assert.equal((await refund(order.so_number, money(2_000))).status, 200);
    assert.equal(await onHand(mug.item_id), 10);
  });

  it("counts what was split off as a backorder: neither is paid back for the other", async () => {
    const mug = await shelved();
    const order = await sold([mug.units(3)], { is_phone_order: true });
    const [line] = await db.rows<{ so_line_id: number }>("select so_line_id from sales_order_lines where so_id = $1", [
      order.so_id,
    ]);
    await admin(order.so_id, "partial-fulfill", { lines: [{ ...line, short_qty: 1 }] });
    const first = await refund(order.so_number, money(2_000));
    assert.deepEqual([first.status, first.body.fully_refunded], [200, false], JSON.stringify(first.body));
    const backorder = `${order.so_number}-BO`;
    assert.deepEqual(refusal(await refund(backorder, money(1_001))), [422, "refund_exceeds_paid"]);
    const second = await refund(backorder, money(1_000));
    assert.deepEqual([second.status, second.body.fully_refunded], [200, true], JSON.stringify(second.body));
    assert.deepEqual([await statusOf(order.so_number), await statusOf(backorder)], ["REFUNDED", "REFUNDED"]);
    assert.deepEqual(refusal(await refund(backorder, money(1))), [422, "already_refunded"]);
  });

  it("locks the order that was paid before what was split off it, as every command does", async () => {
    const mug = await shelved();
    const order = await sold([mug.units(3)], { is_phone_order: true });
    const [line] = await db.rows<{ so_line_id: number }>("select so_line_id from sales_order_lines where so_id = $1", [
      order.so_id,
    ]);
    await admin(order.so_id, "partial-fulfill", { lines: [{ ...line, short_qty: 1 }] });
    const backorder = `${order.so_number}-BO`;
    const { asked, free } = await transaction(async (tx) => {
      await tx.run("select from sales_orders where so_id = $1 for update", [order.so_id]);
      const asked = refund(backorder, money(1_000));
      await until(async () => (await waitingForLocks()) > 0);
      const free = await tx.run("select from sales_orders where so_number = $1 for update skip locked", [backorder]);
      return { asked, free };
    });
    assert.deepEqual([free, (await asked).status], [1, 200]);
    assert.deepEqual([await statusOf(order.so_number), await statusOf(backorder)], ["OPEN", "REFUNDED"]);
  });

  it("never pays back more than was paid, in parts neither", async () => {
    const mug = await shelved();
    const sale = await sold([mug.units(2)]);
    const part = { lines: [mug.units(1)] };
    const tooMuch = await refund(sale.so_number, { ...part, ...money(99_999_999) });
    assert.deepEqual(refusal(tooMuch), [422, "refund_exceeds_paid"]);
    assert.deepEqual(tooMuch.body.details, { paid_cents: 2_000, refunded_cents: 0, requested_cents: 99_999_999 });
    assert.equal((await refund(sale.so_number, { ...part, ...money(1_500) })).status, 200);
    assert.deepEqual(refusal(await refund(sale.so_number, { ...part, ...money(501) })), [422, "refund_exceeds_paid"]);
    assert.equal((await refund(sale.so_number, { ...part, ...money(500) })).status, 200);
  });

  it("is of tenders that add up, as the sale is", async () => {
    const mug = await shelved();
    const off = { ...paid(2_000), tenders: paid(2).tenders };
    const sale = await at().till.post("/api/v1/pos/checkout", saleOf([mug.units(2)], { payment_summary: off }));
    assert.deepEqual(
      [...refusal(sale), sale.body.details],
      [422, "tender_mismatch", { tenders_cents: 2, total_cents: 2_000 }],
    );
    assert.equal(await onHand(mug.item_id), 10);
    const { so_number } = await sold([mug.units(2)]);
    assert.deepEqual(refusal(await refund(so_number, { refund_summary: off })), [422, "tender_mismatch"]);
  });

  it("goes into the bins of the sale, whatever they are called by now", async () => {
    const mug = await shelved();
    const sale = await sold([mug.units(2)]);
    await db.run("update bins set bin_code = bin_code || '-NEW' where bin_id = $1", [mug.bin_id]);
    assert.equal((await refund(sale.so_number, money(2_000))).status, 200);
    assert.equal((await fixtures.stockOf(mug.inventory_id))?.on_hand, 10);
  });

  it("keeps lot and expiry of what was sold, named or not", async () => {
    const mug = await shelved(0);
    await fixtures.stock(at().here, mug.bin_id, mug.item_id, 1, "L-1");
    await fixtures.stock(at().here, mug.bin_id, mug.item_id, 5, "L-2");
    await db.run(
      `update inventory set expiry_date = case lot_number when 'L-1' then date '2027-01-01' else '2027-02-02' end
       where item_id = $1 and lot_number is not null`,
      [mug.item_id],
    );
    const sale = await sold([mug.units(3)]);
    await refund(sale.so_number, { lines: [mug.units(2)], ...money(2_000) });
    await refund(sale.so_number, money(1_000));
    assert.deepEqual(
      await db.rows(
        `select lot_number, expiry_date, quantity_on_hand as units from inventory
         where item_id = $1 and quantity_on_hand > 0 order by lot_number`,
        [mug.item_id],
      ),
      [
        { lot_number: "L-1", expiry_date: "2027-01-01", units: 1 },
        { lot_number: "L-2", expiry_date: "2027-02-02", units: 5 },
      ],
    );
  });

  it("pays for units that came back on a return of which more is to come", async () => {
    const mug = await shelved();
    const sale = await sold([mug.units(3)]);
    const rma = await admin(sale.so_id, "create-rma", { lines: [{ item_id: mug.item_id, quantity: 3 }] });
    assert.deepEqual(refusal(await refund(sale.so_number, money(1_000))), [422, "refund_exceeds_remaining"]);
    await admin(rma.so_id, "receive-return", {
      ...{ item_id: mug.item_id, quantity: 1, warehouse_id: at().here, bin_id: mug.bin_id },
    });
    const part = await refund(sale.so_number, money(1_000));
    assert.deepEqual([part.status, part.body.fully_refunded], [200, false], JSON.stringify(part.body));
    assert.equal(await onHand(mug.item_id), 8);
    assert.equal(await statusOf(sale.so_number), "SHIPPED");
  });

  it("and its sale are counted by each tender", async () => {
    const mug = await shelved();
    const byTender = async () => {
      const { by_tender } = await at().service.admin.ok("GET", "/api/admin/pos/summary");
      return (method: string) =>
        (by_tender as { method: string; total_cents: number; count: number }[]).find(
          (one) => one.method === method,
        ) ?? { total_cents: 0, count: 0 };
    };
    const earlier = await byTender();
    await sold([mug.units(1)], { payment_summary: paid(1_001, "split") });
    const later = await byTender();
    const more = (method: string) => [
      later(method).total_cents - earlier(method).total_cents,
      later(method).count - earlier(method).count,
    ];
    assert.deepEqual(
      [more("card"), more("cash"), more("split")],
      [
        [500, 1],
        [501, 1],
        [0, 0],
      ],
    );
  });
});
