import assert from "node:assert/strict";
import { todayAt } from "../../src/platform/db/days.js";
import type { HourOfWork } from "../../src/reports/dashboard/shapes.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { pluck } from "../support/pluck.js";
import { testService } from "../support/service.js";

const ROUTE = "/api/v1/dashboard/day";

describe("the day at a glance", () => {
  const service = testService({ env: { SERVICE_COMPANY_TIMEZONE: "America/New_York" } });
  let warehouse_id: number;
  before(async () => {
    warehouse_id = await fixtures.warehouse();
  });

  const worked = (at: string, action: string, where = warehouse_id) =>
    db.run(
      `insert into audit_log (action_type, entity_type, entity_id, user_id, warehouse_id, created_at)
       values ($1, 'SO', 1, 'ann', $2, $3)`,
      [action, where, at],
    );
  const isBusy = ({ at: _, ...counts }: HourOfWork) => Object.values(counts).some((count) => count > 0);

  it("counts what was done in each hour of the company's day", async () => {
    for (const at of ["2026-02-02T05:00:00Z", "2026-02-02T05:59:59.999999Z", "2026-02-02T06:00:00Z"])
      await worked(at, "PICK");
    for (const action of ["RECEIVE", "PUTAWAY", "PACK", "SHIP", "ADJUST"]) await worked("2026-02-03T04:59:00Z", action);
    await worked("2026-02-02T04:59:59.999999Z", "PICK");
    await worked("2026-02-03T05:00:00Z", "PICK");
    const { day, hours } = await service.admin.ok("GET", `${ROUTE}?day=2026-02-02`);
    assert.deepEqual([day, hours.length], ["2026-02-02", 24]);
    const none = { received: 0, put_away: 0, picked: 0, packed: 0, shipped: 0 };
    assert.deepEqual(
      hours.filter(isBusy).map(({ at, ...counts }: HourOfWork) => [new Date(at).toISOString(), counts]),
      [
        ["2026-02-02T05:00:00.000Z", { ...none, picked: 2 }],
        ["2026-02-02T06:00:00.000Z", { ...none, picked: 1 }],
        ["2026-02-03T04:00:00.000Z", { received: 1, put_away: 1, picked: 0, packed: 1, shipped: 1 }],
      ],
    );
  });

  it("counts an order that was shipped again once, when it was shipped last", async () => {
    for (const at of ["2026-02-10T15:10:00Z", "2026-02-10T15:20:00Z", "2026-02-10T17:00:00Z"]) {
      await worked(at, "PACK");
      await worked(at, "SHIP");
    }
    const { hours } = await service.admin.ok("GET", `${ROUTE}?day=2026-02-10`);
    assert.deepEqual(
      hours.filter(isBusy).map(({ at, packed, shipped }: HourOfWork) => [new Date(at).toISOString(), packed, shipped]),
      [["2026-02-10T17:00:00.000Z", 1, 1]],
    );
  });

  it("has as many hours as the clocks gave the day", async () => {
    const hoursOf = async (day: string) => (await service.admin.ok("GET", `${ROUTE}?day=${day}`)).hours.length;
    assert.deepEqual([await hoursOf("2026-03-08"), await hoursOf("2026-11-01")], [23, 25]);
  });

  it("tells of orders that are late, held or wait, in the caller's warehouses", async () => {
    const elsewhere = await fixtures.warehouse();
    const lead = await service.user({ warehouse_ids: [warehouse_id], page_keys: ["dashboard"] });
    const order = async (where: number, status: string, ship_by: string) => {
      const { so_id, so_number } = await fixtures.salesOrder(where, []);
      await db.run("update sales_orders set status = $2, ship_by_date = $3 where so_id = $1", [so_id, status, ship_by]);
      return so_number;
    };
    const latest = await order(warehouse_id, "PICKED", "2026-01-01");
    const late = await order(warehouse_id, "OPEN", "2026-01-02");
    await order(warehouse_id, "SHIPPED", "2026-01-01");
    await order(warehouse_id, "OPEN", "2999-01-01");
    await order(warehouse_id, "FRAUD_REVIEW", "2026-01-01");
    await order(warehouse_id, "WAITING_STOCK", "2999-01-01");
    await order(elsewhere, "OPEN", "2026-01-01");
    await worked("2026-04-01T17:00:00Z", "SHIP");
    await worked("2026-04-01T17:00:00Z", "SHIP", elsewhere);
    const dueToday = await fixtures.salesOrder(warehouse_id, []);
    await db.run(`update sales_orders so set ship_by_date = ${todayAt("so.warehouse_id")} where so_id = $1`, [
      dueToday.so_id,
    ]);
    const shippedAt = async (at: string, { ship_by = "2026-01-03", where = warehouse_id, voided = false } = {}) => {
      const { so_id } = await fixtures.salesOrder(where, []);
      await db.run("update sales_orders set status = 'SHIPPED', ship_by_date = $2 where so_id = $1", [so_id, ship_by]);
      await db.run(
        `insert into item_fulfillments (so_id, warehouse_id, shipped_at, status, voided_at)
         select $1, $2, ${at}, case when $3 then 'VOIDED' else 'SHIPPED' end::fulfillment_status,
           case when $3 then now() end`,
        [so_id, where, voided],
      );
    };
    // What was shipped yesterday, is due later, was taken back or left elsewhere does not count.
    await shippedAt("now()");
    await shippedAt("now() - interval '25 hours'");
    await shippedAt("now()", { ship_by: "2999-01-01" });
    await shippedAt("now()", { voided: true });
    await shippedAt("now()", { where: elsewhere });
    const seen = await lead.ok("GET", `${ROUTE}?day=2026-04-01`);
    assert.deepEqual([seen.late, seen.due_today, seen.due_shipped, seen.held, seen.waiting], [2, 1, 1, 1, 1]);
    assert.deepEqual(pluck(seen.late_orders, "so_number"), [latest, late]);
    const shipped = async (query: string) => {
      const { hours } = await service.admin.ok("GET", `${ROUTE}?day=2026-04-01${query}`);
      return hours.reduce((sum: number, hour: HourOfWork) => sum + hour.shipped, 0);
    };
    assert.equal(seen.hours.find(isBusy).shipped, 1);
    assert.deepEqual([await shipped(""), await shipped(`&warehouse_id=${elsewhere}`)], [2, 1]);
  });

  it("is of today when no day is given", async () => {
    const today = await db.row<{ day: string }>("select (now() at time zone 'America/New_York')::date::text as day");
    assert.equal((await service.admin.ok("GET", ROUTE)).day, today?.day);
  });
});
