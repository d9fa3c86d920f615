import assert from "node:assert/strict";
import { dayBegins, dayAt as dayOfMoment, noonOf, zoneOf } from "../../src/platform/db/days.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { pluck } from "../support/pluck.js";
import { openService, type TestService, testService } from "../support/service.js";

/** What the database says of an expression, in UTC to the second. */
async function said(expression: string, value: string): Promise<string> {
  const row = await db.row<{ said: string }>(`select to_char(${expression}, 'YYYY-MM-DD HH24:MI:SS') as said`, [value]);
  return row?.said as string;
}
/** Of a row of no warehouse. */
const ZONE = zoneOf("null");
const begins = (day: string) => said(dayBegins("$1", ZONE), day);
const noon = (day: string) => said(noonOf("$1", ZONE), day);
const dayAt = async (moment: string) => (await said(dayOfMoment("$1::timestamptz", ZONE), moment)).slice(0, 10);

/** A service in a time zone, for the tests of one describe. */
function inZone(zone: string, tests: (service: () => TestService) => void): void {
  describe(`days in ${zone}`, () => {
    const service = testService({ env: { SERVICE_COMPANY_TIMEZONE: zone } });
    tests(() => service);
  });
}

inZone("America/New_York", (service) => {
  it("change at the company's midnight, in winter and in summer", async () => {
    assert.equal(await dayAt("2026-01-15T04:59:59.999999Z"), "2026-01-14");
    assert.equal(await dayAt("2026-01-15T05:00:00Z"), "2026-01-15");
    assert.equal(await dayAt("2026-07-15T03:59:59.999999Z"), "2026-07-14");
    assert.equal(await dayAt("2026-07-15T04:00:00Z"), "2026-07-15");
    assert.equal(await begins("2026-01-15"), "2026-01-15 05:00:00");
    assert.equal(await begins("2026-07-15"), "2026-07-15 04:00:00");
  });

  it("have 23 and 25 hours when the clock is set", async () => {
    assert.equal(await begins("2026-03-08"), "2026-03-08 05:00:00");
    assert.equal(await begins("2026-03-09"), "2026-03-09 04:00:00");
    assert.equal(await begins("2026-11-01"), "2026-11-01 04:00:00");
    assert.equal(await begins("2026-11-02"), "2026-11-02 05:00:00");
  });

  it("have their noon by the clock on the wall", async () => {
    assert.equal(await noon("2026-01-15"), "2026-01-15 17:00:00");
    assert.equal(await noon("2026-03-08"), "2026-03-08 16:00:00");
    assert.equal(await noon("2026-11-01"), "2026-11-01 17:00:00");
  });

  it("are what the audit log is asked by", async () => {
    await db.run(
      `insert into audit_log (action_type, entity_type, entity_id, details, created_at)
       select 'DAYS', 'ITEM', 1, jsonb_build_object('at', t), t
       from unnest(array['2026-03-08T04:59:59Z', '2026-03-08T05:00Z', '2026-03-09T03:59:59.999999Z',
         '2026-03-09T04:00Z']::timestamptz[]) as t`,
    );
    const { entries } = await service().admin.ok(
      "GET",
      "/api/admin/audit-log?action_type=DAYS&start_date=2026-03-08&end_date=2026-03-08&sort_direction=asc",
    );
    assert.deepEqual(pluck(entries, "created_at"), ["2026-03-08T05:00:00+00:00", "2026-03-09T03:59:59.999999+00:00"]);
  });

  it("are what an order shows as the day it was shipped", async () => {
    const { so_id } = await fixtures.salesOrder(await fixtures.warehouse(), []);
    await db.run("update sales_orders set status = 'SHIPPED', shipped_at = '2026-07-15T03:59:59Z' where so_id = $1", [
      so_id,
    ]);
    const { sales_order } = await service().admin.ok("GET", `/api/admin/sales-orders/${so_id}`);
    assert.equal(sales_order.shipped_date_local, "2026-07-14");
  });
});

inZone("America/Havana", () => {
  // The clock goes from 00:00 to 01:00 in spring and from 01:00 back to 00:00 in autumn.
  it("begin at the first moment of the day where midnight is missing or comes twice", async () => {
    assert.equal(await begins("2026-03-08"), "2026-03-08 05:00:00");
    assert.equal(await dayAt("2026-03-08T05:00:00Z"), "2026-03-08");
    assert.equal(await dayAt("2026-03-08T04:59:59Z"), "2026-03-07");
    assert.equal(await begins("2026-11-01"), "2026-11-01 04:00:00");
    assert.equal(await dayAt("2026-11-01T04:00:00Z"), "2026-11-01");
    assert.equal(await dayAt("2026-11-01T03:59:59Z"), "2026-10-31");
  });
});

describe("days without a time zone given", () => {
  it("are those of UTC", async () => {
    const service = await openService();
    assert.equal(await begins("2026-07-15"), "2026-07-15 00:00:00");
    assert.equal(await noon("2026-07-15"), "2026-07-15 12:00:00");
    await service.close();
  });
});
