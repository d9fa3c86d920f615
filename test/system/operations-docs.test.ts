import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { pluckAll } from "../support/pluck.js";
import { testService } from "../support/service.js";

const RECEIVED = "/api/v1/dashboard/received";
const HEALTH = "/api/v1/dashboard/shipping-health";

describe("operations views", () => {
  const service = testService({ env: { SERVICE_COMPANY_TIMEZONE: "America/New_York" } });
  let warehouse_id: number;
  let lead: Caller;
  before(async () => {
    warehouse_id = await fixtures.warehouse();
    lead = await service.user({ warehouse_ids: [warehouse_id] });
  });

  const today = async () =>
    (await db.value<string>("select (now() at time zone 'America/New_York')::date as day")) as string;

  for (const route of [RECEIVED, HEALTH]) {
    describe(route, () => {
      it("is about today when no days are named", async () => {
        const answer = await lead.ok("GET", `${route}?warehouse_id=${warehouse_id}`);
        const day = await today();
        assert.deepEqual([answer.warehouse_id, answer.range], [warehouse_id, { start: day, end: day }]);
      });

      it("is refused for another warehouse than one's own", async () => {
        assert.equal((await lead.get(`${route}?warehouse_id=${await fixtures.warehouse()}`)).status, 403);
      });

      it("needs a warehouse and days in order, at most 90", async () => {
        const refused = async (query: string) => {
          const { status, body } = await lead.get(`${route}?${query}`);
          return [status, body];
        };
        const of = `warehouse_id=${warehouse_id}`;
        assert.deepEqual(await refused(""), [422, { error: "warehouse_id is required" }]);
        assert.deepEqual(await refused(`${of}&start=soon`), [422, { error: "start is not a date as YYYY-MM-DD" }]);
        assert.deepEqual(await refused(`${of}&start=2026-01-02&end=2026-01-01`), [
          422,
          { error: "end is before start" },
        ]);
        assert.deepEqual(await refused(`${of}&start=2026-01-01&end=2026-12-31`), [
          422,
          { error: "range_too_large", max_range_days: 90, requested_days: 365 },
        ]);
      });
    });
  }

  describe("received", () => {
    let dock: number;
    before(async () => {
      dock = await fixtures.bin(warehouse_id, { type: "Staging" });
    });
    const read = async (day: string) =>
      (await lead.ok("GET", `${RECEIVED}?warehouse_id=${warehouse_id}&start=${day}&end=${day}`)).pos;
    /** An order of two items, of which so many units came at these moments. */
    async function received(moments: [at: string, item: 0 | 1, units: number, by: string][]) {
      const items = [await fixtures.item(), await fixtures.item()];
      const po = await fixtures.purchaseOrder(
        warehouse_id,
        items.map(({ item_id }) => ({ item_id, quantity: 100 })),
      );
      for (const [at, item, units, by] of moments)
        await db.run(
          `insert into item_receipts (po_id, item_id, quantity_received, bin_id, warehouse_id, received_by, received_at)
           values ($1, $2, $3, $4, $5, $6, $7)`,
          [po.po_id, items[item]?.item_id, units, dock, warehouse_id, by, at],
        );
      return po;
    }

    it("adds up what came for each order, the latest order first", async () => {
      const first = await received([
        ["2026-05-06T12:00:00Z", 0, 3, "bob"],
        ["2026-05-06T13:00:00Z", 0, 4, "ann"],
        ["2026-05-06T12:30:00Z", 1, 5, "bob"],
      ]);
      const latest = await received([["2026-05-06T14:00:00Z", 0, 1, "ann"]]);
      assert.deepEqual(await read("2026-05-06"), [
        {
          ...latest,
          vendor_name: "Vendor",
          status: "OPEN",
          units_received: 1,
          lines_received: 1,
          receive_events: 1,
          receivers: ["ann"],
          last_received_at: "2026-05-06T14:00:00+00:00",
        },
        {
          ...first,
          vendor_name: "Vendor",
          status: "OPEN",
          units_received: 12,
          lines_received: 2,
          receive_events: 3,
          receivers: ["ann", "bob"],
          last_received_at: "2026-05-06T13:00:00+00:00",
        },
      ]);
    });

    it("cuts days in the company's time zone", async () => {
      await received([
        ["2026-07-15T03:59:59.999999Z", 0, 1, "ann"],
        ["2026-07-15T04:00:00Z", 0, 2, "ann"],
        ["2026-07-16T03:59:59.999999Z", 0, 4, "ann"],
        ["2026-07-16T04:00:00Z", 0, 8, "ann"],
      ]);
      const [{ units_received }] = await read("2026-07-15");
      assert.equal(units_received, 6);
    });

    it("shows what the scanner received today, until it is taken back", async () => {
      const { item_id } = await fixtures.item();
      const { po_id } = await fixtures.purchaseOrder(warehouse_id, [{ item_id, quantity: 5 }]);
      const { receipt_ids } = await lead.ok("POST", "/api/receiving/receive", {
        po_id,
        items: [{ item_id, quantity: 5, bin_id: dock }],
      });
      const path = `${RECEIVED}?warehouse_id=${warehouse_id}`;
      const { pos } = await lead.ok("GET", path);
      assert.deepEqual([pos[0].po_id, pos[0].status, pos[0].receivers], [po_id, "RECEIVED", [lead.username]]);
      await lead.ok("POST", "/api/receiving/cancel", { po_id, receipt_ids });
      assert.deepEqual((await lead.ok("GET", path)).pos, []);
    });
  });

  describe("shipping health", () => {
    const origins = (value: unknown) =>
      service.admin.ok("PUT", "/api/admin/settings", {
        settings: { dashboard_bubble_origins: typeof value === "string" ? value : JSON.stringify(value) },
      });
    const read = async (day: string) =>
      (await lead.ok("GET", `${HEALTH}?warehouse_id=${warehouse_id}&start=${day}&end=${day}`)).by_source;
    async function order(order_origin: string, fields: Record<string, string | number | null>) {
      const { so_id, so_number } = await fixtures.salesOrder(
        (fields.warehouse_id as number | undefined) ?? warehouse_id,
        [],
      );
      const columns = Object.entries({ order_origin, ...fields });
      await db.run(`update sales_orders set ${columns.map(([name], i) => `${name} = $${i + 2}`)} where so_id = $1`, [
        so_id,
        ...columns.map(([, value]) => value),
      ]);
      return { so_id, so_number };
    }

    it("counts what came and what left by origin, in days of the company", async () => {
      await origins([
        { origin: "web", label: "Web shop" },
        { origin: "Amazon", label: "Amazon" },
        { origin: "nobody", label: "Nobody" },
      ]);
      const created_at = "2026-07-15T04:00:00Z";
      await order("web", { created_at });
      await order("web", { created_at, shipped_at: "2026-07-16T03:59:59Z", status: "SHIPPED" });
      await order("web", { created_at: "2026-07-16T04:00:00Z", shipped_at: "2026-07-15T03:59:59Z" });
      await order("Web", { created_at });
      await order("web", { created_at, order_type: "return" });
      await order("web", { created_at, warehouse_id: await fixtures.warehouse() });
      await order("Amazon", { created_at: "2026-07-10T00:00:00Z", shipped_at: "2026-07-15T12:00:00Z" });
      const found = await read("2026-07-15");
      assert.deepEqual(pluckAll(found, "order_origin", "label", "orders_received", "orders_shipped"), [
        ["Amazon", "Amazon", 0, 1],
        ["nobody", "Nobody", 0, 0],
        ["web", "Web shop", 2, 1],
      ]);
    });

    it("names what must leave today, whatever the range: not what left, was cancelled or is held", async () => {
      await origins([{ origin: "due", label: "Due" }]);
      const day = await today();
      const due = await order("due", { ship_by_date: day });
      const late = await order("due", { ship_by_date: "2026-01-01", status: "PACKED" });
      await order("due", { ship_by_date: "2999-01-01" });
      await order("due", { ship_by_date: null });
      for (const status of ["SHIPPED", "CANCELLED", "FRAUD_REVIEW", "REFUNDED"])
        await order("due", { ship_by_date: day, status });
      const [source] = await read("2026-01-01");
      assert.equal(source.need_to_ship_today, 2);
      const inWarehouse = await db.row<object>(
        "select warehouse_id, warehouse_code from warehouses where warehouse_id = $1",
        [source.orders[0].warehouse_id],
      );
      assert.deepEqual(source.orders, [
        { ...late, ...inWarehouse, customer_name: "Customer", status: "PACKED", ship_by_date: "2026-01-01" },
        { ...due, ...inWarehouse, customer_name: "Customer", status: "OPEN", ship_by_date: day },
      ]);
    });

    it("names 200 orders at most and counts all", async () => {
      await origins([{ origin: "many", label: "Many" }]);
      await db.run(
        `insert into sales_orders (so_number, warehouse_id, order_origin, ship_by_date)
         select 'MANY-' || n, $1, 'many', '2026-01-01' from generate_series(1, 205) n`,
        [warehouse_id],
      );
      const [source] = await read("2026-01-01");
      assert.equal(source.need_to_ship_today, 205);
      assert.equal(source.orders.length, 200);
    });

    it("has no sources where the setting is unset or cannot be read", async () => {
      await db.run("delete from app_settings where key = 'dashboard_bubble_origins'");
      assert.deepEqual(await read("2026-01-01"), []);
      for (const value of ["no json", "null", {}, [], [1, null, { label: "x" }]]) {
        await db.run(
          `insert into app_settings (key, value) values ('dashboard_bubble_origins', $1)
           on conflict (key) do update set value = excluded.value`,
          [typeof value === "string" ? value : JSON.stringify(value)],
        );
        assert.deepEqual(await read("2026-01-01"), []);
      }
    });
  });
});
