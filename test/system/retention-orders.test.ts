import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { writeSourceRecord } from "../../activities/connectors/records.js";
import { orderKinds } from "../../activities/maintenance/retirement/order-kinds.js";
import { sealAll } from "../../activities/outbound/sequencer.js";
import { completeWave } from "../../activities/picking/index.js";
import { confirmPick } from "../../activities/picking/scan.js";
import { type Connector, type SourceRecord, sourceSystemOf } from "../../src/connectors/connector.js";
import { verifyAuditLog } from "../../src/reports/audit/verify.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { fresh, push, pushedItem, sender, useTestMappings } from "../support/inbound.js";
import { assertInvariants } from "../support/invariants.js";
import { patient } from "../support/machine-speed.js";
import { filesOf, month, retention } from "../support/retention.js";
import { checkOut, openShop, PATH, saleOf } from "../support/till.js";
import { confirm, submitted, transferOrder, twoSites, walk } from "../support/transfers.js";
import { until } from "../support/until.js";
import { actor, startWave } from "../support/walk.js";

const ORDERS = "/api/admin/sales-orders";
const program = fileURLToPath(new URL("../support/retire-rows.js", import.meta.url));

describe("retention of orders", () => {
  const { folder, service, retire, rowsIn } = retention();
  let here: number;
  before(async () => {
    await useTestMappings();
    here = await fixtures.warehouse();
  });
  /** What earlier tests left is of today, so it stays. */
  beforeEach(async () => {
    for (const table of ["sales_orders", "purchase_orders", "transfer_orders"]) await changed("true", "now()", table);
  });
  afterEach(() => assertInvariants());

  const off = { auditRetentionDays: undefined, eventRetentionDays: undefined, movementRetentionDays: undefined };
  const retireOrders = (more: object = {}) => retire({ ...off, orderRetentionDays: 365, ...more });
  const NONE = { sales_orders: 0, purchase_orders: 0, transfer_orders: 0 };
  /** Says of orders when they were changed last. */
  async function changed(which: string, at: string, table = "sales_orders"): Promise<void> {
    await db.run(`alter table ${table} disable trigger user`);
    await db.run(`update ${table} set updated_at = ${at} where ${which}`);
    await db.run(`alter table ${table} enable trigger user`);
  }
  const countOf = (table: string, which = "true") =>
    db.value<number>(`select count(*)::int as n from ${table} where ${which}`);
  /** The rows of a table that are in its files. */
  const filed = async (table: string) => (await filesOf(table)).flatMap(rowsIn);
  const stockNow = () =>
    db.rows("select inventory_id, quantity_on_hand, quantity_allocated from inventory order by inventory_id");

  async function ship(so_id: number, sku: string, quantity: number): Promise<void> {
    await service.admin.ok("POST", "/api/packing/verify", { so_id, scanned_barcode: sku, quantity });
    await service.admin.ok("POST", "/api/packing/complete", { so_id });
    await service.admin.ok("POST", "/api/shipping/fulfill", { so_id, carrier: "UPS", tracking_number: "1Z999" });
  }
  /** Orders of two units of one item, picked in one wave that does not tell them apart, and shipped. */
  async function shippedTogether(count: number) {
    const { item_id, sku } = await fixtures.item();
    await fixtures.stock(here, await fixtures.bin(here), item_id, 100);
    const orders = [];
    for (let n = 0; n < count; n++) orders.push(await fixtures.salesOrder(here, [{ item_id, quantity: 2 }]));
    const { batch_id } = await startWave(
      service.admin,
      here,
      orders.map(({ so_id }) => so_id),
    );
    const tasks = await db.rows<{ pick_task_id: number; quantity_to_pick: number }>(
      "select pick_task_id, quantity_to_pick from pick_tasks where batch_id = $1",
      [batch_id],
    );
    for (const { pick_task_id, quantity_to_pick } of tasks)
      await confirmPick(
        { pick_task_id, scanned_barcode: sku, quantity_picked: quantity_to_pick },
        actor(service.admin),
      );
    await completeWave(batch_id, actor(service.admin));
    for (const { so_id } of orders) await ship(so_id, sku, 2);
    return { orders, item_id, sku, batch_id, tasks: tasks.length };
  }
  const shipped = async () => {
    const { orders, ...more } = await shippedTogether(1);
    return { ...(orders[0] as (typeof orders)[0]), ...more };
  };
  const returned = async (so_id: number, item_id: number, quantity: number) => {
    const made = await service.admin.ok("POST", `${ORDERS}/${so_id}/create-rma`, { lines: [{ item_id, quantity }] });
    return made.so_id as number;
  };
  const received = async (so_id: number, item_id: number, quantity: number) =>
    service.admin.ok("POST", `${ORDERS}/${so_id}/receive-return`, {
      ...{ item_id, quantity, warehouse_id: here, bin_id: await fixtures.bin(here, { type: "Staging" }) },
    });

  it("takes an order that ended with what is its own, and leaves what others still need", async () => {
    const { orders, item_id, batch_id, tasks } = await shippedTogether(2);
    const [{ so_id, so_number }, other] = orders as [(typeof orders)[0], (typeof orders)[0]];
    const rma = await returned(so_id, item_id, 1);
    await received(rma, item_id, 1);
    await changed(`so_id in (${so_id}, ${rma})`, month(15));
    await sealAll();
    const stock = await stockNow();
    assert.deepEqual(await retireOrders(), { ...NONE, sales_orders: 2 });

    assert.deepEqual(await stockNow(), stock);
    assert.deepEqual(
      (await filed("sales_orders")).map((row) => [Number(row.so_id), row.so_number, row.status]),
      [
        [so_id, so_number, "SHIPPED"],
        [rma, `${so_number}-RMA`, "RECEIVED"],
      ],
    );
    for (const table of ["sales_order_lines", "wave_pick_breakdown", "pick_batch_orders", "item_fulfillments"]) {
      assert.ok((await filed(table)).length > 0, table);
      assert.equal(await countOf(table, `so_id in (${so_id}, ${rma})`), 0, table);
    }
    assert.equal((await filed("item_fulfillment_lines")).length, 1);
    assert.equal((await filed("item_receipts")).length, 1);
    assert.deepEqual([await filed("pick_tasks"), await filed("pick_batches")], [[], []]);
    assert.equal(await countOf("pick_tasks", `batch_id = ${batch_id}`), tasks);
    assert.equal(await countOf("leaving_rows"), 0);
    assert.equal((await verifyAuditLog()).broken, undefined);

    await changed(`so_id = ${other.so_id}`, month(14));
    assert.deepEqual(await retireOrders(), { ...NONE, sales_orders: 1 });
    assert.equal((await filed("pick_tasks")).length, tasks);
    assert.deepEqual(
      (await filed("pick_batches")).map((row) => Number(row.batch_id)),
      [batch_id],
    );
    assert.equal(await countOf("pick_tasks", `batch_id = ${batch_id}`), 0);
    assert.deepEqual(await stockNow(), stock);
  });

  it("keeps each value as it was", async () => {
    const { so_id } = await shipped();
    await db.run(
      `update sales_orders set customer_name = $2, memo = '', order_total = 12.50, customer_shipping_paid = 0.00
       where so_id = $1`,
      [so_id, 'Größe, "ann"\n\\x27; 日本'],
    );
    await changed(`so_id = ${so_id}`, month(14, "1 hour 0.123456 s"));
    const columns = Object.keys((await db.row("select * from sales_orders limit 1")) as object);
    const texts = columns.map((name) => `coalesce(${name}::text, '') as ${name}`).join();
    const before = await db.row(`select ${texts} from sales_orders where so_id = $1`, [so_id]);
    await retireOrders();
    assert.deepEqual(await filed("sales_orders"), [before]);
  });

  it("waits until all that hangs together has ended", async () => {
    const { so_id, so_number, item_id } = await shipped();
    const rma = await returned(so_id, item_id, 2);
    const old = () => changed(`so_number like '${so_number}%'`, month(14));
    const stays = async () => {
      await old();
      assert.deepEqual(await retireOrders(), NONE);
    };
    await stays();
    await received(rma, item_id, 2);
    assert.deepEqual(await retireOrders(), NONE, "the return was changed today");
    await db.run("update sales_orders set hold_reason = 'differs_from_shop' where so_id = $1", [so_id]);
    await stays();
    await db.run("update sales_orders set hold_reason = null where so_id = $1", [so_id]);
    await db.run(
      `insert into fulfillment_pushes (kind, connector_name, warehouse_id, so_id, fulfillment_id, source_order_id,
         tracking_numbers, carrier, shipped_at)
       select 'ship', 'shop', warehouse_id, so_id, fulfillment_id, '1', '{}', 'UPS', shipped_at
       from item_fulfillments where so_id = $1`,
      [so_id],
    );
    await stays();
    await db.run("update fulfillment_pushes set status = 'failed', completed_at = now() where so_id = $1", [so_id]);
    await old();
    assert.deepEqual(await retireOrders(), { ...NONE, sales_orders: 2 });
    assert.equal((await filed("fulfillment_pushes")).length, 1);
  });

  it("leaves those that had units of an open recall, and where these came from", async () => {
    const { so_id, item_id } = await shipped();
    const { po_id } = await fixtures.purchaseOrder(here, [{ item_id, quantity: 2 }]);
    await service.admin.ok("POST", "/api/receiving/receive", {
      ...{ po_id, items: [{ item_id, quantity: 2, bin_id: await fixtures.bin(here), lot_number: "L-9" }] },
    });
    await db.run(
      `update inventory set lot_number = 'L-9'
       where inventory_id in (
         select inventory_id from wave_pick_breakdown w join pick_tasks using (pick_task_id) where w.so_id = $1)`,
      [so_id],
    );
    const lot_id = await db.value<number>("select lot_id from lots where item_id = $1", [item_id]);
    const recall_id = await db.value<number>(
      "insert into recalls (reason, opened_by) values ('glass', 'test') returning recall_id as id",
    );
    await db.run("insert into recall_lots (recall_id, lot_id) values ($1, $2)", [recall_id, lot_id]);
    const old = async () => {
      await changed(`so_id = ${so_id}`, month(14));
      await changed(`po_id = ${po_id}`, month(14), "purchase_orders");
    };
    await old();
    assert.deepEqual(await retireOrders(), NONE);
    await db.run("update recalls set closed_at = now(), closed_by = 'test' where recall_id = $1", [recall_id]);
    await old();
    assert.deepEqual(await retireOrders(), { ...NONE, sales_orders: 1, purchase_orders: 1 });
  });

  it("leaves the order of units that are called back by their serials", async () => {
    const { item_id } = await fixtures.item();
    await db.run("update items set serial_policy = 'at_receipt' where item_id = $1", [item_id]);
    const { po_id } = await fixtures.purchaseOrder(here, [{ item_id, quantity: 1 }]);
    await service.admin.ok("POST", "/api/receiving/receive", {
      ...{ po_id, items: [{ item_id, quantity: 1, bin_id: await fixtures.bin(here), serial_numbers: ["S-1"] }] },
    });
    const recall_id = await db.value<number>(
      "insert into recalls (reason, opened_by) values ('glass', 'test') returning recall_id as id",
    );
    await db.run(
      "insert into recall_serials (recall_id, serial_id) select $1, serial_id from serials where item_id = $2",
      [recall_id, item_id],
    );
    const old = () => changed(`po_id = ${po_id}`, month(14), "purchase_orders");
    await old();
    assert.deepEqual(await retireOrders(), NONE);
    await db.run("update recalls set closed_at = now(), closed_by = 'test' where recall_id = $1", [recall_id]);
    await old();
    assert.deepEqual(await retireOrders(), { ...NONE, purchase_orders: 1 });
  });

  it("takes what was held back with a later month, and no month before it is over", async () => {
    const [first, late, young] = [await shipped(), await shipped(), await shipped()];
    await changed(`so_id = ${first.so_id}`, month(15));
    await changed(`so_id = ${late.so_id}`, month(15));
    await db.run("update sales_orders set hold_reason = 'on_hold_in_shop' where so_id = $1", [late.so_id]);
    await changed(`so_id = ${young.so_id}`, "now() - interval '366 days'");
    assert.equal((await retireOrders()).sales_orders, 1);
    await db.run("update sales_orders set hold_reason = null where so_id = $1", [late.so_id]);
    assert.equal((await retireOrders()).sales_orders, 1);
    const files = await db.rows<{ at: string; n: number }>(
      `select case month when ${month(15, "0 s")} then 'its own' else 'a later one' end as at, row_count as n
       from retired_files where table_name = 'sales_orders' order by month`,
    );
    assert.deepEqual(files, [
      { at: "its own", n: 1 },
      { at: "a later one", n: 1 },
    ]);
    assert.equal(await countOf("sales_orders", `so_id = ${young.so_id}`), 1);
  });

  it("takes purchase orders with their receipts, and transfer orders with their walks", async () => {
    const { item_id } = await fixtures.item();
    const bin_id = await fixtures.bin(here, { type: "Staging" });
    const receive = async (quantity: number) => {
      const { po_id } = await fixtures.purchaseOrder(here, [{ item_id, quantity: 5 }]);
      const items = [{ item_id, quantity, bin_id }];
      await service.admin.ok("POST", "/api/receiving/receive", { po_id, items });
      return po_id;
    };
    const [whole, part] = [await receive(5), await receive(3)];
    await changed("true", month(14), "purchase_orders");
    const sites = await twoSites();
    const { to_id, to_approval_id, path, picker, batch_id } = await submitted(service, sites);
    await picker.ok("POST", "/api/picking/complete-batch", { batch_id });
    await service.admin.ok("POST", `${path}/approvals/${to_approval_id}/approve`);
    const open = await transferOrder(service.admin, sites, [{ item_id: (await sites.goods(5)).item_id, quantity: 5 }]);
    const { tasks } = await walk(service.admin, open.to_id);
    await confirm(service.admin, tasks[0] as (typeof tasks)[0], 5);
    await changed("true", month(14), "transfer_orders");
    const stock = await stockNow();

    assert.deepEqual(await retireOrders(), { sales_orders: 0, purchase_orders: 1, transfer_orders: 1 });
    assert.deepEqual(await stockNow(), stock);
    assert.deepEqual(
      (await filed("item_receipts")).map((row) => Number(row.po_id)),
      [whole],
    );
    assert.equal(await countOf("item_receipts", `po_id = ${part}`), 1);
    for (const table of ["transfer_orders", "transfer_order_lines", "transfer_order_approvals", "pick_batches"])
      assert.deepEqual(
        (await filed(table)).map((row) => Number(row.to_id)),
        [to_id],
        table,
      );
    for (const table of ["to_approval_lines", "pick_tasks"]) assert.equal((await filed(table)).length, 1, table);
    assert.equal((await service.admin.get(`/api/admin/purchase-orders/${whole}`)).status, 404);
    assert.equal((await service.admin.get(`/api/admin/transfer-orders/${to_id}`)).status, 404);
  });

  it("is to people as if the order had never been, but for its number", async () => {
    const { so_id, so_number, item_id, sku } = await shipped();
    await changed(`so_id = ${so_id}`, month(14));
    const total = async () => (await service.admin.ok("GET", `${ORDERS}?limit=1`)).total;
    const before = await total();
    await retireOrders();
    assert.equal(await total(), before - 1);
    const unknown = 2_000_000_000;
    const ask: ((id: number, number: string) => ReturnType<Caller["get"]>)[] = [
      (id) => service.admin.get(`${ORDERS}/${id}`),
      (id) => service.admin.get(`${ORDERS}/${id}/story`),
      (id) => service.admin.post(`${ORDERS}/${id}/create-rma`, { lines: [{ item_id, quantity: 1 }] }),
      (id) => service.admin.post(`${ORDERS}/${id}/cancel`, {}),
      (id) => service.admin.post("/api/shipping/fulfill", { so_id: id, carrier: "UPS", tracking_number: "1" }),
      (_, number) => service.admin.get(`/api/lookup/so/${number}`),
    ];
    for (const one of ask) {
      const [was, never] = [await one(so_id, so_number), await one(unknown, "NEVER-WAS")];
      assert.ok(never.status >= 400, JSON.stringify(never.body));
      assert.deepEqual([was.status, was.body], [never.status, never.body]);
    }
    const again = await service.admin.post(ORDERS, {
      ...{ so_number, warehouse_id: here, lines: [{ item_id, quantity_ordered: 1 }] },
    });
    assert.deepEqual([again.status, again.code], [400, "so_exists"]);
    const imported = await service.admin.post("/api/admin/import/sales-orders", {
      records: [
        { so_number, sku, quantity: 1, warehouse_id: here },
        { so_number: fresh("SO"), sku, quantity: 1, warehouse_id: here },
      ],
    });
    assert.deepEqual([imported.body.imported, imported.body.errors?.length], [1, 1], JSON.stringify(imported.body));
    await assert.rejects(fixtures.salesOrder(here, [], so_number), { code: "23505" });
  });

  it("gives a purchase order's number to no other", async () => {
    const { item_id } = await fixtures.item();
    const { po_id, po_number } = await fixtures.purchaseOrder(here, [{ item_id, quantity: 1 }]);
    await db.run("update purchase_orders set status = 'CLOSED' where po_id = $1", [po_id]);
    await changed(`po_id = ${po_id}`, month(14), "purchase_orders");
    assert.equal((await retireOrders()).purchase_orders, 1);
    const lines = [{ item_id, quantity_ordered: 1 }];
    const make = (number: string) =>
      service.admin.post("/api/admin/purchase-orders", { po_number: number, warehouse_id: here, lines });
    assert.equal((await make(po_number)).code, "po_exists");
    const made = await make(fresh("PO"));
    const { po_id: other } = made.body.purchase_order;
    const renamed = await service.admin.put(`/api/admin/purchase-orders/${other}`, { po_number });
    assert.equal(renamed.code, "po_exists");
  });

  describe("whoever pushes it again", () => {
    for (const [resource, table] of [
      ["sales_orders", "sales_orders"],
      ["purchase_orders", "purchase_orders"],
    ] as const)
      it(`makes none anew: ${resource}`, async () => {
        const shop = await sender(service, { warehouse_ids: [here] });
        const goods = await pushedItem(shop);
        const id = fresh("order");
        const [number, status] =
          resource === "sales_orders" ? [{ so_number: id }, "SHIPPED"] : [{ po_number: id }, "RECEIVED"];
        const document = (quantity_ordered = 2) => ({
          ...{ ...number, lines: [{ item_id: goods.external_id, quantity_ordered }] },
        });
        const first = await push(shop, resource, id, 5, document());
        const second = await push(shop, resource, id, 6, document());
        assert.deepEqual([first.status, second.status], [201, 201]);
        await db.run(`update ${table} set status = '${status}' where external_id = $1`, [first.body.canonical_id]);
        await changed(`external_id = '${first.body.canonical_id}'`, month(14), table);
        assert.equal((await retireOrders())[table], 1);
        const pushes = await filed(`inbound_${resource}`);
        assert.deepEqual(
          pushes.map((row) => [row.external_version, JSON.parse(row.canonical_payload ?? "").lines.length]),
          [
            ["5", 1],
            ["6", 1],
          ],
        );
        const orders = await countOf(table);

        for (const [version, answer] of [
          [5, first],
          [6, second],
        ] as const) {
          const again = await push(shop, resource, id, version, document());
          assert.deepEqual([again.status, again.body], [200, answer.body]);
        }
        const stale = await push(shop, resource, id, 4, document());
        assert.deepEqual([stale.status, stale.body.error_kind], [409, "stale_version"]);
        for (const payload of [document(), document(3), { ...number, status: "CANCELLED" }]) {
          const newer = await push(shop, resource, id, 7, payload);
          assert.deepEqual([newer.status, newer.body.error_kind], [409, "lines_in_flight"]);
          assert.match(newer.body.message, new RegExp(`^${id} ended long ago and was retired`));
        }
        const renamed = await push(shop, resource, fresh("other id"), 1, document());
        assert.deepEqual([renamed.status, renamed.body.error_kind], [422, "canonical_constraint_violation"]);
        assert.match(renamed.body.message, /is that of a retired order/);
        const links = await service.admin.ok("GET", `/api/admin/source-links?source_id=${id}`);
        await service.admin.ok("DELETE", `/api/admin/source-links/${links.source_links[0].link_id}`);
        assert.equal((await push(shop, resource, id, 8, document())).status, 422);
        assert.equal(await countOf(table), orders);
      });
  });

  it("is passed over where a shop changes it", async () => {
    const connector = { name: "list-shop", versions: "integer" } as Connector;
    await db.run("insert into inbound_source_systems_allowlist (source_system, kind) values ($1, 'connector')", [
      sourceSystemOf(connector.name, here),
    ]);
    const { sku } = await fixtures.item();
    const so_number = fresh("SHOP");
    const said = (external_version: string, memo: string, quantity_ordered: number): SourceRecord => ({
      ...{ resource: "sales_orders", external_id: so_number, external_version, payload: {} },
      values: { so_number, memo },
      lines: [{ item: "1", sku, sku_alone: true, values: { quantity_ordered } }],
    });
    const written = await writeSourceRecord(connector, here, said("1", "", 1));
    assert.equal(written.done, "written");
    await db.run("update sales_orders set status = 'SHIPPED' where so_number = $1", [so_number]);
    await changed(`so_number = '${so_number}'`, month(14));
    assert.equal((await retireOrders()).sales_orders, 1);
    for (const [version, memo, quantity] of [
      ["1", "", 1],
      ["2", "a tag of the shop", 1],
      ["3", "", 0],
    ] as const) {
      const { done, question } = await writeSourceRecord(connector, here, said(version, memo, quantity));
      assert.deepEqual([done, question], ["known", undefined]);
    }
    assert.equal(await countOf("sales_orders", `so_number = '${so_number}'`), 0);
  });

  it("leaves nothing behind that refers to it", async () => {
    const leaving = new Set(orderKinds.flatMap(({ table, parts }) => [table, ...parts.map(({ name }) => name)]));
    const referring = await db.rows<{ name: string; to: string }>(
      `select conrelid::regclass::text as name, confrelid::regclass::text as to from pg_constraint
       where contype = 'f' and confrelid::regclass::text = any($1)`,
      [[...leaving]],
    );
    const others = referring.filter(({ name }) => !leaving.has(name)).map(({ name, to }) => `${name} to ${to}`);
    // The first goes with its purchase; of the others an order that ended has none.
    assert.deepEqual(others.sort(), [
      "parcel_labels to label_purchases",
      "stock_reservations to sales_order_lines",
      "stock_waits to sales_orders",
      "transfer_reservations to transfer_order_lines",
    ]);
  });

  describe("of a counter sale", () => {
    it("refuses a refund as for an unknown order, and repeats the answer of its key", async () => {
      const shop = await openShop(service);
      const sale = saleOf(shop);
      const sold = await checkOut(shop.till, sale);
      assert.equal(sold.status, 200, JSON.stringify(sold.body));
      await changed(`so_number = '${sold.body.so_number}'`, month(14));
      const stock = await stockNow();
      assert.equal((await retireOrders()).sales_orders, 1);
      for (const table of ["counter_bookings", "counter_sale_units"])
        assert.equal((await filed(table)).length, 1, table);
      const again = await checkOut(shop.till, sale);
      assert.deepEqual([again.status, again.body], [200, sold.body]);
      const other = await checkOut(shop.till, { ...sale, terminal_id: "till-3" });
      assert.deepEqual([other.status, other.body.details], [409, { existing_so_id: sold.body.so_number }]);
      const refund = (original_so_id: string) =>
        shop.till.post(`${PATH}/refund`, {
          ...{ idempotency_key: randomUUID(), original_so_id, cashier_id: "cashier-7", terminal_id: "till-2" },
          ...{ original_external_txn_ref: null, completed_at: "2026-05-06T12:00:00Z", refund_reason: "broken" },
          refund_summary: saleOf(shop).payment_summary,
          returned_items: [],
        });
      const [was, never] = [await refund(sold.body.so_number), await refund("NEVER-WAS")];
      assert.deepEqual([was.status, was.body.error_kind], [never.status, never.body.error_kind]);
      assert.deepEqual(await stockNow(), stock);
    });

    it("does not take a reference order up again", async () => {
      const shop = await openShop(service);
      const reference = { so_number: fresh("REF"), customer_name: "Ada", lines: [{ sku: shop.sku, quantity: 1 }] };
      const ingest = async () => (await shop.till.ok("POST", `${PATH}/reference-orders`, reference)).created;
      assert.equal(await ingest(), true);
      await changed(`so_number = '${reference.so_number}'`, month(14));
      assert.equal((await retireOrders()).sales_orders, 1);
      assert.equal(await ingest(), false);
    });
  });

  it("is off unless it is set, and is told of in the audit log", async () => {
    const { so_id } = await shipped();
    await changed(`so_id = ${so_id}`, month(14));
    assert.deepEqual(await retire(off), {});
    assert.equal((await retireOrders()).sales_orders, 1);
    const rows = await db.rows<{ details: { table_name: string; sha256: string } }>(
      "select details from audit_log where action_type = 'ROWS_RETIRE'",
    );
    const files = await db.column<string>("select sha256 from retired_files");
    assert.deepEqual(rows.map(({ details }) => details.sha256).sort(), files.sort());
    assert.equal(readdirSync(folder).filter((name) => name.endsWith(".csv.gz")).length, files.length);
  });

  it("loses no row, whenever it is killed, and has none twice", async function () {
    this.timeout(patient(180_000));
    const { item_id } = await fixtures.item();
    const ORDERS_OF_A_MONTH = 3_000;
    for (const ago of [15, 14])
      await db.run(
        `with made as (
           insert into sales_orders (so_number, so_barcode, warehouse_id, status, updated_at)
           select 'OLD-${ago}-' || n, 'OLD-${ago}-' || n, $1, 'SHIPPED', ${month(ago)}
           from generate_series(1, ${ORDERS_OF_A_MONTH}) n returning so_id
         )
         insert into sales_order_lines (so_id, item_id, quantity_ordered) select so_id, $2, 1 from made`,
        [here, item_id],
      );
    const all = await db.column<number>("select so_id from sales_orders where so_number like 'OLD-%' order by so_id");
    const old = "so_number like 'OLD-%'";
    const start = () =>
      spawn(process.execPath, [program, service.config.databaseUrl, folder, "orders"], {
        stdio: ["ignore", "inherit", "inherit"],
      });
    /** Each order is in its table, among those that leave or in a noted file, and so is its line. */
    const whole = async () => {
      for (const [table, which] of [
        ["sales_orders", old],
        ["sales_order_lines", `item_id = ${item_id}`],
      ] as const) {
        const rows = [
          ...(await db.column<number>(`select so_id from ${table} where ${which}`)),
          ...(await db.column<number>("select (row->>'so_id')::int as so_id from leaving_rows where table_name = $1", [
            table,
          ])),
          ...(await filed(table)).map((row) => Number(row.so_id)),
        ];
        assert.deepEqual(
          rows.sort((a, b) => a - b),
          all,
        );
      }
    };
    const killedWhen = async (moment: () => Promise<boolean>) => {
      const child = start();
      const exit = once(child, "exit");
      await until(moment, 60_000);
      child.kill("SIGKILL");
      await exit;
      await whole();
    };
    const left = async () => (await countOf("sales_orders", old)) as number;
    await killedWhen(async () => (await left()) < all.length - 500);
    await killedWhen(async () => (await left()) < all.length - 2_000);
    await killedWhen(async () => readdirSync(folder).some((name) => name.endsWith(".part") || name.endsWith(".gz")));
    await killedWhen(async () => ((await countOf("retired_files")) as number) > 0);
    await killedWhen(async () => (await left()) < 1_000);
    const [code] = await once(start(), "exit");
    assert.equal(code, 0);
    await whole();
    assert.deepEqual([await left(), await countOf("leaving_rows")], [0, 0]);
    assert.equal(await countOf("retired_orders"), all.length);
    assert.equal((await filesOf("sales_orders")).length, 2);
  });
});
