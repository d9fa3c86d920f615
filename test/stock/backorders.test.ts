import assert from "node:assert/strict";
import { int } from "../../src/platform/db/columns.js";
import { transaction } from "../../src/platform/db/db.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { assertEventsMatchSchemas } from "../support/events.js";
import { bin, item, type OrderedLine, warehouse } from "../support/fixtures.js";
import { fresh } from "../support/inbound.js";
import { assertInvariants } from "../support/invariants.js";
import { pluck } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { releases, releasesOf, statusOf, waitingOrder } from "../support/waiting.js";

describe("orders that wait for stock", () => {
  const service = testService();
  let here: number;
  let admin: Caller;
  before(async () => {
    here = await warehouse();
    admin = service.admin;
  });
  afterEach(async () => {
    await assertInvariants();
  });

  const waits = (lines: OrderedLine[], { where = here, days = 0 } = {}) => waitingOrder(where, lines, days);

  /** Orders that wait for two units of each of these items. */
  const manyWaiting = (where: number, count: number, itemIds: number[]) =>
    db.run(
      `with waiting as (
         insert into sales_orders (so_number, warehouse_id, status, order_type, backorder_opened_at)
         select $3 || n, $1, 'WAITING_STOCK', 'backorder', now() from generate_series(1, $2::int) n returning so_id
       )
       insert into sales_order_lines (so_id, item_id, quantity_ordered) select so_id, unnest($4::int[]), 2
         from waiting`,
      [where, count, `${fresh("many")}-`, itemIds],
    );

  const adjust = (item_id: number, bin_id: number, quantity: number, warehouse_id = here) =>
    admin.ok("POST", "/api/admin/adjustments/direct", {
      ...{ item_id, bin_id, warehouse_id, quantity },
      ...{ adjustment_type: "ADD", reason: "found" },
    });

  it("are OPEN again as soon as what they wait for is there, and it is told", async () => {
    const goods = await item();
    const { so_id, so_number } = await waits([{ item_id: goods.item_id, quantity: 5 }], { days: 3 });
    await adjust(goods.item_id, await bin(here), 5);
    const row = await db.row<Record<string, unknown>>(
      "select status, backorder_fulfillable_at is not null as stamped, external_id from sales_orders where so_id = $1",
      [so_id],
    );
    assert.deepEqual([row?.status, row?.stamped], ["OPEN", true]);
    const [event, ...more] = await releasesOf(so_id);
    assert.deepEqual(more, []);
    const { fulfillable_at, items, ...payload } = event?.payload ?? {};
    assert.match(String(fulfillable_at), /Z$/);
    const [external] = await db.rows<{ external_id: string }>("select external_id from items where item_id = $1", [
      goods.item_id,
    ]);
    assert.deepEqual(items, [
      { item_external_id: external?.external_id, ...{ sku: goods.sku, item_name: `Item ${goods.sku}`, qty: 5 } },
    ]);
    assert.deepEqual(payload, {
      backorder_so_external_id: row?.external_id,
      backorder_so_number: so_number,
      ...{ parent_so_number: "", warehouse_id: here },
      ...{ customer_name: "Customer", days_waiting: 3, source: "adjustment" },
    });
    const audits = await db.rows<{ details: object }>(
      "select details from audit_log where action_type = 'SO_STATUS_CHANGED' and entity_id = $1",
      [so_id],
    );
    assert.deepEqual(pluck(audits, "details"), [
      { so_number, field: "status", source: "adjustment", old_value: "WAITING_STOCK", new_value: "OPEN" },
    ]);
    await assertEventsMatchSchemas();
  });

  it("wait on while a line is not covered, and for what nobody has a claim on", async () => {
    const [a, b] = [await item(), await item()];
    const { so_id } = await waits([
      { item_id: a.item_id, quantity: 2 },
      { item_id: b.item_id, quantity: 2 },
      { item_id: b.item_id, quantity: 1 },
    ]);
    const shelf = await bin(here);
    await adjust(a.item_id, shelf, 2);
    await adjust(b.item_id, shelf, 2);
    assert.equal(await statusOf(so_id), "WAITING_STOCK");
    await admin.ok("POST", "/api/admin/sales-orders", {
      so_number: fresh("claim"),
      warehouse_id: here,
      lines: [{ item_id: a.item_id, quantity_ordered: 1 }],
    });
    await adjust(b.item_id, shelf, 1);
    assert.equal(await statusOf(so_id), "WAITING_STOCK");
    await adjust(a.item_id, shelf, 1);
    assert.equal(await statusOf(so_id), "OPEN");
  });

  it("do not count what lies in staging, in a bin that is not used, or elsewhere", async () => {
    const { item_id } = await item();
    const { so_id } = await waits([{ item_id, quantity: 1 }]);
    const unused = await bin(here);
    await db.run("update bins set is_active = false where bin_id = $1", [unused]);
    const there = await warehouse();
    await adjust(item_id, await bin(here, { type: "Staging" }), 5);
    await adjust(item_id, unused, 5);
    await adjust(item_id, await bin(there), 5, there);
    assert.equal(await statusOf(so_id), "WAITING_STOCK");
    await adjust(item_id, await bin(here, { type: "PickableStaging" }), 1);
    assert.equal(await statusOf(so_id), "OPEN");
  });

  it("are told of in their order, and each holds what it was told of", async () => {
    const { item_id } = await item();
    const young = await waits([{ item_id, quantity: 4 }], { days: 1 });
    const urgent = await waits([{ item_id, quantity: 2 }]);
    const due = await waits([{ item_id, quantity: 1 }]);
    await db.run("update sales_orders set priority = 1 where so_id = $1", [urgent.so_id]);
    await db.run("update sales_orders set ship_by_date = '2026-01-01' where so_id = $1", [due.so_id]);
    const old = await waits([{ item_id, quantity: 5 }], { days: 9 });
    const large = await waits([{ item_id, quantity: 9 }], { days: 20 });
    await adjust(item_id, await bin(here), 8);
    const told = (await releases())
      .map((event) => event.entity_id)
      .filter((id) => [young, urgent, due, old, large].some(({ so_id }) => so_id === id));
    assert.deepEqual(told, [urgent.so_id, due.so_id, old.so_id]);
    for (const { so_id } of [young, large]) assert.equal(await statusOf(so_id), "WAITING_STOCK");
    const { lines } = await admin.ok("POST", "/api/admin/sales-orders", {
      ...{ so_number: fresh("next"), warehouse_id: here, lines: [{ item_id, quantity_ordered: 3 }] },
    });
    assert.equal(lines[0].quantity_allocated, 0);
    const { lines: held } = await admin.ok("GET", `/api/admin/sales-orders/${old.so_id}`);
    assert.equal(held[0].quantity_allocated, 5);
  });

  it("are not forgotten when what they wait for comes in parts at the same time, and are told of once", async () => {
    for (let round = 0; round < 15; round++) {
      const [a, b] = [(await item()).item_id, (await item()).item_id];
      const orders = [
        await waits([
          { item_id: a, quantity: 3 },
          { item_id: b, quantity: 3 },
        ]),
        await waits([
          { item_id: b, quantity: 2 },
          { item_id: a, quantity: 3 },
        ]),
      ];
      const bins = [await bin(here), await bin(here), await bin(here)];
      await Promise.all(bins.flatMap((bin_id) => [adjust(a, bin_id, 2), adjust(b, bin_id, 2)]));
      for (const { so_id } of orders) {
        assert.equal(await statusOf(so_id), "OPEN");
        assert.equal((await releasesOf(so_id)).length, 1);
      }
    }
  });

  it("stay cancelled when they are cancelled while goods come", async () => {
    for (let round = 0; round < 10; round++) {
      const { item_id } = await item();
      const { so_id } = await waits([{ item_id, quantity: 1 }]);
      const shelf = await bin(here);
      await Promise.all([admin.ok("POST", `/api/admin/sales-orders/${so_id}/cancel`), adjust(item_id, shelf, 1)]);
      assert.equal(await statusOf(so_id), "CANCELLED");
    }
  });

  it("are looked at ten thousand at once", async () => {
    const [coming, lacking] = [await item(), await item()];
    // As after a quiet year: the statistics know of many orders, none of which waits.
    await db.run(
      `insert into sales_orders (so_number, warehouse_id, status)
       select $2 || n, $1, 'SHIPPED' from generate_series(1, 2000) n`,
      [here, `${fresh("old")}-`],
    );
    await db.run("analyze sales_orders");
    await manyWaiting(here, 10_000, [coming.item_id, lacking.item_id]);
    await db.run("analyze stock_waits");
    await adjust(coming.item_id, await bin(here), 5);
    const watched = await db.rows(
      "select item_id, count(*) from stock_waits where item_id = any($1) and watched group by item_id",
      [[coming.item_id, lacking.item_id]],
    );
    assert.deepEqual(watched, [{ item_id: lacking.item_id, count: 10_000 }]);
  });

  it("cost an increase that none of them waits for nothing, whatever the statistics suggest", async () => {
    const [one, another, third] = [await item(), await item(), await item()];
    await manyWaiting(here, 1_000, [one.item_id, another.item_id]);
    await db.run("analyze stock_waits");
    await transaction(async (tx) => {
      const read = () =>
        tx.row(
          { whole: int, rows: int },
          `select seq_tup_read as whole, idx_tup_fetch as rows from pg_stat_xact_user_tables
           where relname = 'stock_waits'`,
        );
      const before = await read();
      const items = [one.item_id, third.item_id];
      const awaited = await tx.rows({ item_id: int }, "select item_id from awaited_places($1, $2)", [[here], items]);
      assert.deepEqual(awaited, [{ item_id: one.item_id }]);
      for (const item_id of items) {
        const orders = await tx.rows({ watching_orders: int }, "select watching_orders($1, $2, 1, 1)", [here, item_id]);
        assert.deepEqual(orders, []);
      }
      const after = await read();
      assert.equal(after?.whole, before?.whole);
      const rows = (after?.rows ?? 0) - (before?.rows ?? 0);
      assert.ok(rows <= 3, `${rows} rows were read`);
    });
  });
});
