import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { pluckAll } from "../support/pluck.js";
import { openService, type TestService, testService } from "../support/service.js";

/** Days on which a clock is set, from their first moment to that of the next day, and how many hours they have. */
const days: [zone: string, day: string, begins: string, ends: string, hours: number][] = [
  ["Pacific/Auckland", "2026-04-05", "2026-04-04T11:00:00Z", "2026-04-05T12:00:00Z", 25],
  ["Pacific/Auckland", "2026-09-27", "2026-09-26T12:00:00Z", "2026-09-27T11:00:00Z", 23],
  ["Pacific/Auckland", "2026-07-01", "2026-06-30T12:00:00Z", "2026-07-01T12:00:00Z", 24],
  ["America/New_York", "2026-03-08", "2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z", 23],
  ["America/New_York", "2026-11-01", "2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z", 25],
  ["America/New_York", "2026-07-01", "2026-07-01T04:00:00Z", "2026-07-02T04:00:00Z", 24],
  // The clock is set at midnight, and by half an hour.
  ["America/Havana", "2026-03-08", "2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z", 23],
  ["Australia/Lord_Howe", "2026-10-04", "2026-10-03T13:30:00Z", "2026-10-04T13:00:00Z", 24],
];

const TICK = 1;
const shifted = (moment: string, ms: number) => new Date(Date.parse(moment) + ms).toISOString();

/** Everything that is told by day, whether the zone is the warehouse's own or the company's. */
for (const of of ["the warehouse", "the company"] as const)
  describe(`reports and filters by the clock of ${of}`, () => {
    for (const [zone, day, begins, ends, hours] of days)
      describe(`on ${day} in ${zone}`, () => {
        let service: TestService;
        let warehouse_id: number;
        let clerk: Caller;
        /** The last moment of the day before, the first and last of the day, and the first of the next one. */
        const moments = [shifted(begins, -TICK), begins, shifted(ends, -TICK), ends];
        before(async () => {
          const company = of === "the company" ? zone : "Asia/Kolkata";
          service = await openService({ env: { SERVICE_COMPANY_TIMEZONE: company } });
          warehouse_id = await fixtures.warehouse();
          if (of === "the warehouse")
            await db.run("update warehouses set timezone = $2 where warehouse_id = $1", [warehouse_id, zone]);
          clerk = await service.user({
            warehouse_ids: [warehouse_id],
            page_keys: ["dashboard", "sales-orders", "audit-log", "pos-activity"],
          });
          await work();
        });
        after(() => service.close());

        /** At each moment something is picked, received, ordered, shipped and sold at a till. */
        async function work(): Promise<void> {
          await service.admin.ok("PUT", "/api/admin/settings", {
            settings: { dashboard_bubble_origins: JSON.stringify([{ origin: "web", label: "Web" }]) },
          });
          const { item_id } = await fixtures.item();
          const bin_id = await fixtures.bin(warehouse_id);
          const po = await fixtures.purchaseOrder(warehouse_id, [{ item_id, quantity: 100 }]);
          for (const [place, at] of moments.entries()) {
            const { so_id } = await fixtures.salesOrder(warehouse_id, []);
            await db.run(
              `update sales_orders set created_at = $2, shipped_at = $2, status = 'SHIPPED', order_origin = 'web',
                 order_source = 'pos' where so_id = $1`,
              [so_id, at],
            );
            await db.run(
              `insert into item_fulfillments (so_id, warehouse_id, tracking_number, carrier, shipped_at)
               values ($1, $2, $3, 'UPS', $4)`,
              [so_id, warehouse_id, `T${place}`, at],
            );
            await db.run(
              `insert into item_receipts (po_id, po_line_id, item_id, quantity_received, bin_id, warehouse_id,
                 received_by, received_at)
               select po_id, po_line_id, item_id, 1, $2, $3, 'ann', $4 from purchase_order_lines where po_id = $1`,
              [po.po_id, bin_id, warehouse_id, at],
            );
            await db.run(
              `insert into audit_log (action_type, entity_type, entity_id, user_id, warehouse_id, details, created_at)
               values ('PICK', 'SO', $1, 'ann', $2, '{}', $3)`,
              [so_id, warehouse_id, at],
            );
            await db.run(
              `insert into counter_bookings (so_id, is_refund, warehouse_id, cashier_id, total_cents, booked_at)
               values ($1, false, $2, 'ann', 100, $3)`,
              [so_id, warehouse_id, at],
            );
          }
        }

        const isoOf = (moment: string) => new Date(moment).toISOString();
        const inDay = moments.slice(1, 3).map(isoOf);

        it("the day at a glance has the hours of that clock, and what was done in them", async () => {
          for (const by of [clerk, service.admin]) {
            const glance = await by.ok("GET", `/api/v1/dashboard/day?day=${day}&warehouse_id=${warehouse_id}`);
            assert.equal(glance.timezone, zone);
            // Where the clock is set by half an hour, the hour before and after share one.
            assert.ok(Math.abs(glance.hours.length - hours) <= (zone === "Australia/Lord_Howe" ? 1 : 0));
            const picked = glance.hours.map((hour: { picked: number }) => hour.picked);
            assert.equal(
              picked.reduce((sum: number, one: number) => sum + one, 0),
              2,
            );
            assert.deepEqual([picked[0], picked.at(-1)], [1, 1]);
          }
        });

        it("so have productivity, receipts and the health of shipping", async () => {
          const range = `start=${day}&end=${day}&warehouse_id=${warehouse_id}`;
          const work = await clerk.ok("GET", `/api/v1/dashboard/productivity?${range}`);
          assert.deepEqual([work.timezone, work.totals_per_event.picking], [zone, 2]);
          const received = await clerk.ok("GET", `/api/v1/dashboard/received?${range}`);
          assert.deepEqual([received.timezone, received.pos[0].units_received], [zone, 2]);
          const health = await clerk.ok("GET", `/api/v1/dashboard/shipping-health?${range}`);
          const [{ orders_received, orders_shipped }] = health.by_source;
          assert.deepEqual([health.timezone, orders_received, orders_shipped], [zone, 2, 2]);
        });

        it("filters of shipments, of the audit log and of sales at tills take the same day", async () => {
          const times = async (path: string, field: string, at: string) =>
            (await clerk.ok("GET", path))[field].map((row: Record<string, string>) => isoOf(row[at] as string)).sort();
          const shipments = `/api/admin/shipments?date_from=${day}&date_to=${day}`;
          assert.deepEqual(await times(shipments, "shipments", "shipped_at"), inDay);
          const log = `/api/admin/audit-log?action_type=PICK&start_date=${day}&end_date=${day}`;
          assert.deepEqual(await times(log, "entries", "created_at"), inDay);
          const sales = `/api/admin/pos/sales-orders?order_type=all&since=${day}&until=${day}`;
          assert.deepEqual(await times(sales, "sales_orders", "checkout_at"), inDay);
        });

        it("an order shows it as the day on which it was shipped", async () => {
          const { sales_orders } = await clerk.ok("GET", "/api/admin/sales-orders?sort=shipped_at");
          const shown = sales_orders.map((order: { shipped_date_local: string }) => order.shipped_date_local);
          assert.deepEqual([shown[1], shown[2]], [day, day]);
          assert.ok(shown[0] < day && shown[3] > day);
        });
      });
  });

describe("warehouses with different clocks", () => {
  const service = testService({ env: { SERVICE_COMPANY_TIMEZONE: "America/New_York" } });
  /** Where it is always another day than in the other one, or nearly so: 25 hours lie between them. */
  let [first, last] = [0, 0];
  const zones = ["Pacific/Kiritimati", "Pacific/Pago_Pago"];
  before(async () => {
    [first, last] = [await fixtures.warehouse(), await fixtures.warehouse()];
    await db.run(
      `update warehouses set timezone = n.zone from unnest($1::int[], $2::text[]) n (id, zone)
       where warehouse_id = n.id`,
      [[first, last], zones],
    );
  });
  const todayIn = async (zone: string) =>
    (await db.value<string>("select (now() at time zone $1)::date::text as day", [zone])) as string;

  it("have each row by its own, and what is told of both by the company's", async () => {
    const noon = "2026-05-06T12:00:00Z";
    for (const where of [first, last])
      await db.run(
        `insert into audit_log (action_type, entity_type, entity_id, user_id, warehouse_id, details, created_at)
         values ('SHIP', 'SO', 1, 'ann', $1, '{}', $2)`,
        [where, noon],
      );
    const placesOn = async (day: string) =>
      (await service.admin.ok("GET", `/api/admin/audit-log?action_type=SHIP&start_date=${day}&end_date=${day}`)).entries
        .map((entry: { warehouse_id: number }) => entry.warehouse_id)
        .sort();
    assert.deepEqual(await placesOn("2026-05-07"), [first]);
    assert.deepEqual(await placesOn("2026-05-06"), [last]);
    const { timezone, hours } = await service.admin.ok("GET", "/api/v1/dashboard/day?day=2026-05-06");
    assert.equal(timezone, "America/New_York");
    assert.deepEqual(
      hours.filter(({ shipped }: { shipped: number }) => shipped > 0).map(({ at }: { at: string }) => Date.parse(at)),
      [Date.parse(noon)],
    );
  });

  it("have another day today, by which orders are late and dates are written", async () => {
    const due = async (where: number, day: string) => {
      const { so_id, so_number } = await fixtures.salesOrder(where, []);
      await db.run("update sales_orders set ship_by_date = $2 where so_id = $1", [so_id, day]);
      return so_number;
    };
    const [there, here] = [await todayIn(zones[0] as string), await todayIn(zones[1] as string)];
    assert.ok(there > here);
    // The day before today in the one is today in the other, or later.
    const late = await due(first, here);
    await due(last, here);
    const glance = await service.admin.ok("GET", "/api/v1/dashboard/day");
    assert.deepEqual(pluckAll(glance.late_orders, "so_number", "warehouse_id"), [[late, first]]);
    for (const [where, zone] of [
      [first, zones[0]],
      [last, zones[1]],
    ] as const) {
      const today = await todayIn(zone as string);
      const { day } = await service.admin.ok("GET", `/api/v1/dashboard/day?warehouse_id=${where}`);
      assert.equal(day, today);
      const { item_id } = await fixtures.item();
      const order = await service.admin.ok("POST", "/api/admin/sales-orders", {
        so_number: `CLOCK-${where}`,
        warehouse_id: where,
        lines: [{ item_id, quantity_ordered: 1 }],
      });
      assert.equal(order.sales_order.order_date, today);
    }
  });
});
