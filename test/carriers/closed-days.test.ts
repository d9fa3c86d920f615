import assert from "node:assert/strict";
import fc from "fast-check";
import type { Caller } from "../support/caller.js";
import { COLLECTIONS, closedParcel, insertAccount, insertLabel } from "../support/carrier-requests.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { openService, type TestService } from "../support/service.js";
import { until } from "../support/until.js";
import { detailsOf } from "../support/workflow-environment.js";

const WAREHOUSES = "/api/admin/warehouses";
const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Pacific/Auckland", "Asia/Kolkata", "America/Sao_Paulo"];

/** The day and the time of day in a zone, as `2026-05-06` and `14:05`. */
function clockIn(timeZone: string, moment = new Date()): { day: string; time: string } {
  const text = moment.toLocaleString("sv-SE", { timeZone });
  return { day: text.slice(0, 10), time: text.slice(11, 16) };
}

const later = (day: string, days: number) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
const weekday = (day: string) => new Date(day).getUTCDay() || 7;

describe("closed days of a warehouse", function () {
  this.timeout(60_000);
  let service: TestService;
  let admin: Caller;
  before(async () => {
    service = await openService({ worker: true });
    admin = service.admin;
  });
  after(() => service.close());

  const closeOn = (warehouse_id: number, closed_days: string[]) =>
    admin.ok("PUT", `${WAREHOUSES}/${warehouse_id}`, { closed_days });

  /** An account whose carrier comes by that clock. */
  async function house(timezone: string, collection_at: string | null, collection_days = [1, 2, 3, 4, 5, 6, 7]) {
    const warehouse_id = await fixtures.warehouse();
    await db.run("update warehouses set timezone = $2 where warehouse_id = $1", [warehouse_id, timezone]);
    const account_id = await insertAccount(warehouse_id);
    await db.run("update carrier_accounts set collection_at = $2, collection_days = $3 where account_id = $1", [
      ...[account_id, collection_at, collection_days],
    ]);
    return { warehouse_id, account_id };
  }
  const begin = (account_id: number) => admin.ok("POST", COLLECTIONS, { account_id, carrier: "UPS" });
  const read = async (collection_id: number) => (await admin.ok("GET", `${COLLECTIONS}/${collection_id}`)).collection;
  /** What the job of that name does each minute. */
  async function reconcile() {
    const { startMissing } = await import("../../workers/reconcile.js");
    const { temporalClient } = await import("../../api/http/workflow-updates.js");
    return startMissing(temporalClient(), service.config);
  }
  const workflowOf = async (collection_id: number) => {
    const { temporalClient } = await import("../../api/http/workflow-updates.js");
    return temporalClient().workflow.getHandle(`carrier-collection-${collection_id}`);
  };

  it("are sent and shown as days, once each and in order; what is no list of days changes nothing", async () => {
    const { warehouse_id } = await house("UTC", "16:00");
    const changed = await closeOn(warehouse_id, ["2026-12-26", "2026-12-25", "2026-12-26"]);
    assert.deepEqual(changed.closed_days, ["2026-12-25", "2026-12-26"]);
    const many = Array.from({ length: 367 }, (_, at) => later("2027-01-01", at));
    for (const closed_days of [["25.12.2026"], ["2026-02-30"], "2026-12-25", many]) {
      const refused = await admin.put(`${WAREHOUSES}/${warehouse_id}`, { closed_days });
      assert.deepEqual([refused.status, refused.code], [400, "validation_error"], JSON.stringify(closed_days));
    }
    const { warehouse, closed_days } = await admin.ok("GET", `${WAREHOUSES}/${warehouse_id}`);
    assert.deepEqual([closed_days, warehouse.closed_days], [changed.closed_days, changed.closed_days]);
    const { warehouses } = await admin.ok("GET", WAREHOUSES);
    const listed = warehouses.find((one: { warehouse_id: number }) => one.warehouse_id === warehouse_id);
    assert.deepEqual(listed.closed_days, changed.closed_days);
  });

  it("are passed over by collections, whatever the clock, the days of the week and how many are closed", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...ZONES),
        fc.constantFrom("00:00", "02:30", "11:59", "23:59"),
        fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }),
        fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 40 }),
        async (zone, at, days, closed) => {
          const { warehouse_id, account_id } = await house(zone, at, days);
          const { day: today } = clockIn(zone);
          const shut = closed.map((one) => later(today, one));
          await closeOn(warehouse_id, shut);
          const expected = () => {
            const now = clockIn(zone);
            const fits = (day: string) =>
              days.includes(weekday(day)) && !shut.includes(day) && (day > now.day || now.time < at);
            let day = now.day;
            while (!fits(day)) day = later(day, 1);
            return day;
          };
          // A cut-off may come, or a day begin, meanwhile.
          const possible = [expected()];
          const { collection_day, cut_off_at } = await begin(account_id);
          possible.push(expected());
          assert.ok(possible.includes(collection_day), `${collection_day}, not ${possible[0]}`);
          assert.equal(clockIn(zone, new Date(cut_off_at)).day, collection_day);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("may close a month and more, on the only day of the week on which the carrier comes", async () => {
    const { warehouse_id, account_id } = await house("UTC", "16:00", [1]);
    const { day: today } = clockIn("UTC");
    const mondays = Array.from({ length: 420 }, (_, at) => later(today, at)).filter((day) => weekday(day) === 1);
    await closeOn(warehouse_id, mondays.slice(0, -1));
    assert.equal((await begin(account_id)).collection_day, mondays.at(-1));
  });

  it("leave the cut-off where the clock of the warehouse has it, on the days on which clocks change", async () => {
    const changes: [zone: string, at: string, month: number, from: number, hours: (day: string) => string][] = [
      // The hour from two to three is not there: what is in it is that much later.
      ["Europe/Berlin", "02:30", 2, 25, (day) => `${day}T01:30`],
      ["Europe/Berlin", "16:00", 2, 25, (day) => `${day}T14:00`],
      // The hour comes twice: the second one counts, by the time of winter.
      ["Europe/Berlin", "02:30", 9, 25, (day) => `${day}T01:30`],
      ["Europe/Berlin", "16:00", 9, 25, (day) => `${day}T15:00`],
    ];
    for (const [zone, at, month, from, hours] of changes) {
      const { warehouse_id, account_id } = await house(zone, at);
      const { day: today } = clockIn(zone);
      // The last Sunday of the month, in the next year that it is ahead.
      const sundayOf = (year: number) => {
        let day = new Date(Date.UTC(year, month, from)).toISOString().slice(0, 10);
        while (weekday(day) !== 7) day = later(day, 1);
        return day;
      };
      const year = Number(today.slice(0, 4));
      const sunday = [sundayOf(year), sundayOf(year + 1)].find((day) => day > later(today, 1)) as string;
      const before = [];
      for (let day = today; day < sunday; day = later(day, 1)) before.push(day);
      await closeOn(warehouse_id, before);
      const { collection_day, cut_off_at } = await begin(account_id);
      assert.deepEqual([collection_day, cut_off_at.slice(0, 16)], [sunday, hours(sunday)], `${zone} ${at}`);
    }
  });

  it("move a collection that began, with its labels, which its workflow says", async () => {
    const { warehouse_id, account_id } = await house("UTC", "23:59");
    const { day: today } = clockIn("UTC");
    const [tomorrow, next, after] = [later(today, 1), later(today, 2), later(today, 3)] as const;
    await closeOn(warehouse_id, [today]);
    const { collection_id, collection_day } = await begin(account_id);
    assert.equal(collection_day, tomorrow);
    const { item_id } = await fixtures.item();
    const order = await fixtures.salesOrder(warehouse_id, [{ item_id, quantity: 1 }]);
    const purchase_id = await insertLabel(await closedParcel(order.so_id), account_id);
    await begin(account_id);
    const says = async (day: string) => {
      const handle = await workflowOf(collection_id);
      const waiting = `collection of UPS on ${day} takes labels until its cut-off`;
      await until(async () => (await detailsOf(handle).catch(() => "")).includes(waiting));
    };
    await says(tomorrow);

    await closeOn(warehouse_id, [today, tomorrow, next]);
    await reconcile();
    await says(after);
    const moved = await read(collection_id);
    assert.deepEqual([moved.collection_day, moved.cut_off_at.slice(0, 16)], [after, `${after}T23:59`]);
    assert.deepEqual([moved.status, moved.parcels], ["open", 1]);
    assert.equal((await begin(account_id)).collection_id, collection_id, "labels go on to join it");
    const audit = await db.column<string>(
      `select details->>'day' from audit_log
       where entity_type = 'COLLECTION' and entity_id = $1 and action_type = 'COLLECTION_MOVE' order by log_id`,
      [collection_id],
    );
    assert.deepEqual(audit, [after]);

    // Opened again, and other days closed: it stays.
    await closeOn(warehouse_id, [later(after, 1)]);
    await reconcile();
    assert.equal((await read(collection_id)).collection_day, after);
    // The day is closed, and nobody told it before its cut-off.
    await closeOn(warehouse_id, [after]);
    const changed = async () => (await workflowOf(collection_id)).signal("changed");
    await db.run("update carrier_collections set cut_off_at = now() where collection_id = $1", [collection_id]);
    await changed();
    await until(async () => (await read(collection_id)).collection_day !== after);
    assert.equal((await read(collection_id)).status, "open");
    await closeOn(warehouse_id, []);
    await db.run("update carrier_collections set cut_off_at = now() where collection_id = $1", [collection_id]);
    await changed();
    await until(async () => (await read(collection_id)).collected_at !== null);
    assert.equal(
      await db.value("select manifested_with from label_purchases where purchase_id = $1", [purchase_id]),
      collection_id,
    );
  });

  it("do not move behind another collection of the carrier", async () => {
    const { warehouse_id, account_id } = await house("UTC", "23:59");
    const { day: today } = clockIn("UTC");
    const first = await begin(account_id);
    await db.run(
      `insert into carrier_collections (warehouse_id, account_id, carrier, collection_day, scan_out, cut_off_at)
       values ($1, $2, 'UPS', $3::date, false, $3::date + time '23:59')`,
      [warehouse_id, account_id, later(today, 4)],
    );
    await closeOn(warehouse_id, [first.collection_day]);
    await reconcile();
    await until(async () => (await read(first.collection_id)).collection_day !== first.collection_day);
    assert.equal((await read(first.collection_id)).collection_day, later(today, 5), "each day has one at most");
  });

  it("do not stop people who begin a collection themselves; the one after it is of an open day", async () => {
    const { warehouse_id, account_id } = await house("UTC", null);
    const { day: today } = clockIn("UTC");
    await closeOn(warehouse_id, [today, later(today, 1)]);
    const { collection_id, collection_day, cut_off_at } = await begin(account_id);
    assert.deepEqual([collection_day, cut_off_at], [today, null]);
    await db.run("update carrier_collections set status = 'cancelled' where collection_id = $1", [collection_id]);
    assert.equal((await begin(account_id)).collection_day, later(today, 2));
  });
});
