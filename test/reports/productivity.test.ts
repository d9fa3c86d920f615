import assert from "node:assert/strict";
import { ttlCache } from "../../src/platform/concurrency/ttl-cache.js";
import { type Caller, statusAndBody } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { pluckAll } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";

const ROUTE = "/api/v1/dashboard/productivity";

describe("productivity", () => {
  const service = testService({ env: { SERVICE_COMPANY_TIMEZONE: "America/New_York" } });
  let warehouse_id: number;
  let ann: Caller;
  before(async () => {
    warehouse_id = await fixtures.warehouse();
    ann = await service.user({ username: "ann", warehouse_ids: [warehouse_id] });
  });

  /** Rows of the audit log at noon of a day, or at a moment: action, entity, and for a receipt its item. */
  async function worked(
    at: string,
    rows: [action: string, entity_id: number, item_id?: number][],
    { by = "ann", where = warehouse_id as number | null } = {},
  ) {
    await db.run(
      `insert into audit_log (action_type, entity_type, entity_id, user_id, warehouse_id, details, created_at)
       select action, 'SO', entity, $1, $2, jsonb_build_object('item_id', item, 'total_packed', entity * 3), $3
       from unnest($4::text[], $5::int[], $6::int[]) as r(action, entity, item)`,
      [
        by,
        where,
        at.length === 10 ? `${at}T17:00:00Z` : at,
        rows.map(([action]) => action),
        rows.map(([, entity]) => entity),
        rows.map(([, , item]) => item ?? null),
      ],
    );
  }
  const read = (start: string, end = start, by = service.admin) => by.ok("GET", `${ROUTE}?start=${start}&end=${end}`);

  it("counts a user's different orders and different items, by kind of work", async () => {
    await worked("2026-02-02", [
      ["PICK", 1],
      ["PICK", 1],
      ["PICK", 2],
      ["PACK", 1],
      ["SHIP", 1],
      ["RECEIVE", 9, 5],
      ["RECEIVE", 8, 5],
      ["RECEIVE", 9, 6],
      ["PUTAWAY", 5],
      ["PUTAWAY", 5],
      ["ADJUST", 1],
    ]);
    await worked("2026-02-02", [["SHIP", 1]], { by: "gone" });
    await worked("2026-02-02", [["PICK", 1]], { by: "system:demo" });
    const { range, timezone, warehouse_id: all, ...rest } = await read("2026-02-02");
    const days = { start: "2026-02-02", end: "2026-02-02" };
    assert.deepEqual([range, timezone, all], [days, "America/New_York", null]);
    const none = { picking: 0, packing: 0, received_skus: 0, putaway_skus: 0 };
    assert.deepEqual(rest, {
      events_visible: ["picking", "packing", "shipped", "received_skus", "putaway_skus"],
      users: [
        {
          user_id: ann.userId,
          username: "ann",
          display_name: "ann",
          metrics: { picking: 2, packing: 3, shipped: 1, received_skus: 2, putaway_skus: 1 },
          total: 9,
          active_hours: 1,
        },
        {
          user_id: null,
          username: "gone",
          display_name: "gone",
          metrics: { ...none, shipped: 1 },
          total: 1,
          active_hours: 1,
        },
      ],
      totals_per_event: { picking: 2, packing: 3, shipped: 2, received_skus: 2, putaway_skus: 1 },
    });
  });

  it("cuts days in the company's time zone, also when the clock is set", async () => {
    // In New York 2026-03-08 has 23 hours, from 05:00Z to 04:00Z.
    const moments = [
      "2026-03-08T04:59:59.999999Z",
      "2026-03-08T05:00:00Z",
      "2026-03-09T03:59:59.999999Z",
      "2026-03-09T04:00:00Z",
    ];
    for (const [i, at] of moments.entries()) await worked(at, [["PICK", i]]);
    const picked = async (start: string, end = start) => (await read(start, end)).totals_per_event.picking;
    assert.equal(await picked("2026-03-08"), 2);
    assert.equal(await picked("2026-03-07"), 1);
    assert.equal(await picked("2026-03-07", "2026-03-09"), 4);
  });

  it("shows a user the own warehouses, and one warehouse when it is named", async () => {
    const elsewhere = await fixtures.warehouse();
    await worked("2026-04-01", [["SHIP", 1]]);
    await worked("2026-04-01", [["SHIP", 2]], { where: elsewhere });
    const lead = await service.user({ warehouse_ids: [warehouse_id], page_keys: ["dashboard"] });
    const shipped = async (query: string, by: Caller) =>
      (await by.ok("GET", `${ROUTE}?start=2026-04-01&end=2026-04-01${query}`)).totals_per_event.shipped;
    assert.equal(await shipped("", lead), 1);
    assert.equal(await shipped("", service.admin), 2);
    assert.equal(await shipped(`&warehouse_id=${elsewhere}`, service.admin), 1);
  });

  it("keeps an answer for a minute, for the same question alone", async () => {
    await worked("2026-05-01", [["SHIP", 1]]);
    const first = await read("2026-05-01");
    await worked("2026-05-01", [["SHIP", 2]]);
    assert.deepEqual(await read("2026-05-01"), first);
    assert.equal((await read("2026-05-01", "2026-05-02")).totals_per_event.shipped, 2);
  });

  it("leaves packing out where packing is switched off, at once", async () => {
    await worked("2026-05-05", [["PACK", 1]], { by: "bob" });
    await worked("2026-05-05", [
      ["PACK", 1],
      ["SHIP", 1],
    ]);
    assert.equal((await read("2026-05-05")).totals_per_event.packing, 6);
    const packing = (value: string) =>
      service.admin.ok("PUT", "/api/admin/settings", { settings: { require_packing_before_shipping: value } });
    await packing("false");
    const { events_visible, users, totals_per_event } = await read("2026-05-05");
    await packing("true");
    assert.equal(events_visible.includes("packing"), false);
    assert.equal("packing" in totals_per_event, false);
    assert.deepEqual(pluckAll(users, "username", "total"), [["ann", 1]]);
  });

  it("needs two days, the first one first, at most 90 with both", async () => {
    const refused = async (query: string) => {
      const { status, body } = await service.admin.get(`${ROUTE}?${query}`);
      return [status, body.error, body.details?.[0]];
    };
    const wrong = (type: string, field: string, msg: string) => [422, "validation_error", { type, loc: [field], msg }];
    assert.deepEqual(await refused("end=2026-01-01"), wrong("missing", "start", "start is required"));
    assert.deepEqual(await refused("start=2026-01-01"), wrong("missing", "end", "end is required"));
    for (const day of ["2026-02-30", "yesterday", ""])
      assert.deepEqual(
        await refused(`start=2026-01-01&end=${day}`),
        wrong("value_error", "end", "end is not a date as YYYY-MM-DD"),
      );
    assert.deepEqual(
      await refused("start=2026-01-02&end=2026-01-01"),
      wrong("value_error", "end", "end is before start"),
    );
    const tooLarge = await service.admin.get(`${ROUTE}?start=2026-01-01&end=2026-04-01`);
    assert.deepEqual(statusAndBody(tooLarge), [
      422,
      { error: "range_too_large", max_range_days: 90, requested_days: 91 },
    ]);
    assert.equal((await service.admin.get(`${ROUTE}?start=2026-01-01&end=2026-03-31`)).status, 200);
  });
});

describe("what is kept of reads", () => {
  const counting = () => {
    let made = 0;
    return async () => ++made;
  };

  it("is made again when its time is over, once for all who ask then", async () => {
    const keep = ttlCache<number>((made) => (made < 3 ? 20 : 60_000));
    const make = counting();
    assert.equal(await keep("a", make), 1);
    assert.equal(await keep("b", make), 2);
    await until(async () => (await keep("b", make)) === 3);
    assert.deepEqual(await Promise.all([keep("a", make), keep("a", make)]), [4, 4]);
  });

  it("is not what failed, nor what is to be fresh", async () => {
    const keep = ttlCache<number>((made) => (made === 1 ? 0 : 60_000));
    await assert.rejects(keep("a", () => Promise.reject(new Error("no database"))));
    const make = counting();
    assert.equal(await keep("a", make), 1);
    assert.equal(await keep("a", make), 2);
    assert.equal(await keep("a", make), 2);
  });

  it("is never more than 200 entries: the oldest goes", async () => {
    const keep = ttlCache<number>(() => 60_000);
    const make = counting();
    for (let i = 0; i <= 200; i++) await keep(`${i}`, make);
    assert.equal(await keep("200", make), 201);
    assert.equal(await keep("0", make), 202);
  });
});
