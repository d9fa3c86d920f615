import assert from "node:assert/strict";
import fc from "fast-check";
import { noteTracking } from "../../activities/carriers/track.js";
import type { Scan, Tracked } from "../../src/carriers/tracking.js";
import { trackingStatuses } from "../../src/shipping/parcels/tracking-statuses.js";
import { trackedParcel } from "../support/carrier-requests.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { testService } from "../support/service.js";

const START = Date.UTC(2026, 4, 4, 8);
const HOUR_MS = 3_600_000;
const at = (hour: number) => new Date(START + hour * HOUR_MS).toISOString();

const scan: fc.Arbitrary<Scan> = fc.record({
  at: fc.integer({ min: 0, max: 12 }).map(at),
  status: fc.option(fc.constantFrom(...trackingStatuses), { freq: 8 }),
  message: fc.option(fc.constantFrom("scanned", "moved"), { freq: 4 }),
  place: fc.option(fc.constantFrom("Springfield", "Berlin"), { freq: 4 }),
});
const message = fc.record({
  scans: fc.array(scan, { minLength: 1, maxLength: 3 }),
  expected_day: fc.option(fc.constantFrom("2026-05-06", "2026-05-07", "2026-05-08")),
  as_of: fc.integer({ min: 0, max: 6 }).map(at),
});
/** Messages, and the same ones in another order, some of them more than once. */
const heard = fc.array(message, { minLength: 1, maxLength: 5 }).chain((messages) =>
  fc.record({
    messages: fc.constant(messages),
    again: fc
      .tuple(
        fc.shuffledSubarray(messages, { minLength: messages.length }),
        fc.array(fc.constantFrom(...messages), { maxLength: 3 }),
        fc.shuffledSubarray(messages, { minLength: messages.length }),
      )
      .map((parts) => parts.flat()),
  }),
);

describe("what a carrier says of a parcel", function () {
  this.timeout(60_000);
  testService();

  async function outcomeOf(messages: Tracked[]) {
    const warehouse_id = await fixtures.warehouse();
    const { item_id } = await fixtures.item();
    const { so_id } = await fixtures.salesOrder(warehouse_id, [{ item_id, quantity: 1 }]);
    const parcel_id = await trackedParcel(so_id, warehouse_id);
    const purchase_id = (await db.value<number>("select purchase_id from parcel_trackings where parcel_id = $1", [
      parcel_id,
    ])) as number;
    for (const said of messages) await noteTracking(purchase_id, said, "webhook");
    const state = await db.row<Record<string, unknown>>(
      `select status, status_at, message, place, expected_day, expected_as_of, last_scan_at,
              ended_at is not null as ended,
              (select json_agg(json_build_array(scanned_at, s.status, s.message, s.place)
                      order by scanned_at, s.status, s.message, s.place)
               from parcel_scans s where s.purchase_id = t.purchase_id) as scans
       from parcel_trackings t where purchase_id = $1`,
      [purchase_id],
    );
    const events = await db.rows<{ type: string; at: string }>(
      `select event_type as type, event_data(e) ->> 'happened_at' as at from integration_events e
       where entity_type = 'sales_order' and entity_id = $1 and event_type like 'parcel.%'`,
      [so_id],
    );
    return { state, events: events.map(({ type, at }) => `${type} ${type === "parcel.delivered" ? "" : at}`) };
  }

  it("leads to the same in any order and however often, and each event is told once", () =>
    fc.assert(
      fc.asyncProperty(heard, async ({ messages, again }) => {
        const [once, twice] = [await outcomeOf(messages), await outcomeOf(again)];
        assert.deepEqual(twice.state, once.state);
        const said = messages.flatMap(({ scans }) => scans.map(({ status }) => status));
        const final = said.includes("returned") ? "returned" : said.includes("delivered") ? "delivered" : undefined;
        if (final) assert.equal(once.state?.status, final);
        for (const { events } of [once, twice]) assert.equal(new Set(events).size, events.length, events.join());
        const isDelivered = once.state?.status === "delivered";
        for (const { events } of [once, twice])
          assert.ok(!isDelivered || events.some((event) => event.startsWith("parcel.delivered")));
      }),
      { numRuns: 40 },
    ));
});
