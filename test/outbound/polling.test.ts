import assert from "node:assert/strict";
import { outboundSlugs } from "../../src/auth/tokens/scope.js";
import type { Answer, Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import {
  ACK,
  age,
  consumerGroup,
  EVENTS,
  error,
  happened,
  newest,
  page,
  partner,
  poll,
  told,
} from "../support/polling.js";
import { testService } from "../support/service.js";
import { tokenCaller } from "../support/tokens.js";

describe("polling", () => {
  const service = testService();
  let north: number;
  let south: number;
  /** May see everything of both warehouses. */
  let reader: Caller;
  before(async () => {
    north = await fixtures.warehouse();
    south = await fixtures.warehouse();
    await consumerGroup("erp");
    reader = await token();
  });

  const token = (fields?: object) => partner(service, [north, south], fields);

  describe("a page", () => {
    it("has events as they happened, in the envelope", async () => {
      const { item_id } = await fixtures.item();
      const bin_id = await fixtures.bin(north);
      const start = await newest();
      const before = new Date().toISOString();
      await service.admin.ok("POST", "/api/admin/adjustments/direct", {
        ...{ item_id, bin_id, warehouse_id: north },
        ...{ adjustment_type: "ADD", quantity: 3, reason: "found" },
      });
      await age();
      const { events, next_cursor } = await reader.ok("GET", `${EVENTS}?after=${start}`);
      assert.equal(events.length, 1);
      const [event] = events;
      const ids = await db.row<{ item: string; adjustment: string }>(
        `select i.external_id as item, a.external_id as adjustment
         from inventory_adjustments a join items i using (item_id) where item_id = $1`,
        [item_id],
      );
      assert.deepEqual(
        [event.event_id, event.event_type, event.event_version],
        [start + 1, "inventoryadjusted.completed", 1],
      );
      assert.deepEqual([event.aggregate_type, event.warehouse_id, next_cursor], ["inventory", north, start + 1]);
      assert.equal(event.data.item_external_id, ids?.item);
      assert.equal(event.data.adjustment_external_id, ids?.adjustment);
      assert.match(event.event_timestamp, /T.*\+00:00$/);
      assert.ok(event.event_timestamp.slice(0, 19) >= before.slice(0, 19));
      assert.match(event.aggregate_id, /^[0-9a-f-]{36}$/);
      assert.match(event.source_txn_id, /^[0-9a-f-]{36}$/);
    });

    it("goes on where the last one ended, until one is not full", async () => {
      const start = await newest();
      const all = await happened(...Array(7).fill(["ship.confirmed", north] as const));
      const pages: number[][] = [];
      for (let after = start; pages.at(-1)?.length !== 1; ) {
        const path = `${EVENTS}?after=${after}&limit=3`;
        const answer = await reader.ok("GET", path);
        pages.push(answer.events.map((event: { event_id: number }) => event.event_id));
        after = answer.next_cursor;
      }
      assert.deepEqual(pages, [all.slice(0, 3), all.slice(3, 6), all.slice(6)]);
      const end = await poll(reader, { after: start + 7, limit: 3 });
      const { epoch, ...body } = end.body;
      assert.match(epoch, /^[\da-f-]{36}$/);
      assert.deepEqual(body, { events: [], next_cursor: start + 7 });
    });

    it("starts with the first event when nothing is said, and may be asked with a slash at the end", async () => {
      await happened(["ship.confirmed", north]);
      const all = await newest();
      for (const path of [EVENTS, `${EVENTS}/`]) {
        const { events } = await reader.ok("GET", path);
        assert.equal(events[0].event_id, 1);
        assert.equal(events.length, all);
      }
    });

    it("has 500 events, or as many as asked for up to 2,000", async () => {
      const start = await newest();
      await happened(...Array(2_001).fill(["ship.confirmed", north] as const));
      const sizes = [];
      const query: Record<string, number>[] = [{}, { limit: 1 }, { limit: 2_000 }];
      for (const limit of query) sizes.push((await page(reader, { after: start, ...limit })).length);
      assert.deepEqual(sizes, [500, 1, 2_000]);
    });

    it("after the newest event is empty and stays where it is; beyond it there is none", async () => {
      const last = await newest();
      const { body } = await poll(reader, { after: last });
      assert.deepEqual([body.events, body.next_cursor], [[], last]);
      for (const after of [last + 1, "9007199254740991"])
        assert.equal((await poll(reader, { after })).body.error, "cursor_beyond_horizon");
    });

    it("shows an event two seconds after it was numbered", async () => {
      const [event_id] = (await happened(["ship.confirmed", north])) as [number];
      const seen = async (secondsAgo: number) => {
        await db.run(
          "update integration_events set visible_at = now() - make_interval(secs => $2) where event_id = $1",
          [event_id, secondsAgo],
        );
        return (await page(reader, { after: event_id - 1 })).length;
      };
      assert.deepEqual([await seen(1), await seen(2)], [0, 1]);
    });

    it("has no event before those of a lower number, whatever the clock said when it was numbered", async () => {
      const [first, second] = (await happened(["ship.confirmed", north], ["ship.confirmed", north])) as [
        number,
        number,
      ];
      await db.run("update integration_events set visible_at = now() + interval '1 hour' where event_id = $1", [first]);
      assert.deepEqual(await page(reader, { after: first - 1 }), [first, second]);
    });

    it("numbers events that waited for more than a second, where no worker does", async () => {
      const start = await newest();
      const wait = (seconds: number) =>
        db.run(
          `insert into integration_events (event_type, aggregate_type, aggregate_external_id, entity_type, entity_id,
            warehouse_id,
                                           source_txn_id, payload, created_at)
           values ('ship.confirmed', 'sales_order', gen_random_uuid(), 'sales_order', 1, $1, gen_random_uuid(), '{}',
                   now() - make_interval(secs => $2))`,
          [north, seconds],
        );
      await wait(0);
      await poll(reader);
      assert.equal(await newest(), start);
      await wait(2);
      await poll(reader);
      assert.equal(await newest(), start + 2);
    });
  });

  describe("a filter", () => {
    let start: number;
    let all: number[];
    before(async () => {
      start = await newest();
      all = await happened(
        ["ship.confirmed", north],
        ["pick.confirmed", north],
        ["ship.confirmed", south],
        ["pack.confirmed", south],
      );
    });
    /** Which of the four a page has. */
    const which = async (caller: Caller, query: object = {}) =>
      (await page(caller, { after: start, ...query })).map((event_id) => all.indexOf(event_id) + 1);

    it("of the request takes types, a warehouse, or both", async () => {
      assert.deepEqual(await which(reader), [1, 2, 3, 4]);
      assert.deepEqual(await which(reader, { types: "ship.confirmed" }), [1, 3]);
      const types = "pack.confirmed, pick.confirmed";
      assert.deepEqual(await which(reader, { types }), [2, 4]);
      assert.deepEqual(await which(reader, { warehouse_id: south }), [3, 4]);
      assert.deepEqual(await which(reader, { types, warehouse_id: south }), [4]);
    });

    it("of the token is never widened", async () => {
      const narrow = await token({ event_types: ["ship.confirmed"], warehouse_ids: [south] });
      assert.deepEqual(await which(narrow), [3]);
      const outside = (field: string) => error(403, "scope_violation", { field });
      assert.deepEqual(told(await poll(narrow, { warehouse_id: north })), outside("warehouse_id"));
      for (const types of ["pick.confirmed", "ship.confirmed,x", ","])
        assert.deepEqual(told(await poll(narrow, { types })), outside("types"));
    });

    it("of a token without types or warehouses takes nothing", async () => {
      for (const none of [{ event_types: [] }, { warehouse_ids: [] }])
        assert.deepEqual(await which(await token(none)), []);
    });

    it("of a group is one more", async () => {
      const groupOf = async (subscription: object) => {
        const consumer_group = await consumerGroup("erp", subscription);
        await db.run("update consumer_groups set last_cursor = $2 where consumer_group_id = $1", [
          consumer_group,
          start,
        ]);
        return consumer_group;
      };
      const of = async (caller: Caller, subscription: object, query = {}) =>
        (await page(caller, { consumer_group: await groupOf(subscription), ...query })).map(
          (event_id) => all.indexOf(event_id) + 1,
        );
      assert.deepEqual(await of(reader, {}), [1, 2, 3, 4]);
      const ships = { event_types: ["ship.confirmed"] };
      assert.deepEqual(await of(reader, ships), [1, 3]);
      assert.deepEqual(await of(reader, { warehouse_ids: [south] }), [3, 4]);
      assert.deepEqual(await of(reader, { ...ships, warehouse_ids: [south] }), [3]);
      const picks = { types: "pick.confirmed" };
      assert.deepEqual(await of(reader, ships, picks), []);
      const southern = await token({ warehouse_ids: [south] });
      assert.deepEqual(await of(southern, ships), [3]);
      assert.deepEqual(await of(southern, ships, { warehouse_id: south }), [3]);
    });

    it("finds few events among many, each once and in order", async () => {
      const before = await newest();
      await db.run(
        `insert into integration_events (event_type, aggregate_type, aggregate_external_id, entity_type, entity_id,
          warehouse_id,
                                         source_txn_id, payload)
         select case when n % 1000 in (7, 9) then 'pack.confirmed'
           else 'ship.confirmed' end, 'sales_order', gen_random_uuid(),
                'sales_order', n, case when n % 1000 = 9 or n > 9500 then $2::int
                  else $1::int end, gen_random_uuid(), '{}'
         from generate_series(1, 10000) n`,
        [north, south],
      );
      await age();
      const expect = (of: (n: number) => boolean) =>
        Array.from({ length: 10_000 }, (_, i) => i + 1)
          .filter(of)
          .map((n) => before + n);
      const packed = (n: number) => [7, 9].includes(n % 1000);
      const southern = (n: number) => n % 1000 === 9 || n > 9500;
      const walk = async (query: object, limit: number) => {
        const seen: number[] = [];
        for (;;) {
          const after = seen.at(-1) ?? before;
          const more = await page(reader, { after, limit, ...query });
          seen.push(...more);
          if (more.length < limit) return seen;
        }
      };
      const packs = { types: "pack.confirmed" };
      for (const limit of [1, 7, 500]) {
        assert.deepEqual(await walk(packs, limit), expect(packed));
        const both = { ...packs, warehouse_id: south };
        assert.deepEqual(
          await walk(both, limit),
          expect((n) => packed(n) && southern(n)),
        );
      }
      assert.deepEqual(await walk({ warehouse_id: south }, 60), expect(southern));
    });
  });

  describe("a consumer group", () => {
    const of = (consumer_group: string, caller = reader) => poll(caller, { consumer_group });
    const row = async (consumer_group: string) =>
      (await db.row<{ last_cursor: number; last_heartbeat: string | null }>(
        "select last_cursor, last_heartbeat from consumer_groups where consumer_group_id = $1",
        [consumer_group],
      )) as { last_cursor: number; last_heartbeat: string | null };

    it("is read from where it stands, and is not moved by that", async () => {
      const group = await consumerGroup("erp");
      const [event_id] = (await happened(["ship.confirmed", north])) as [number];
      await db.run("update consumer_groups set last_cursor = $2 where consumer_group_id = $1", [group, event_id - 1]);
      for (let again = 0; again < 2; again++) {
        const { body } = await of(group);
        assert.deepEqual([body.events.length, body.next_cursor], [1, event_id]);
        assert.equal((await row(group)).last_cursor, event_id - 1);
      }
      const other = await poll(reader, { consumer_group: group, types: "pick.confirmed" });
      assert.equal(other.body.next_cursor, event_id - 1);
    });

    it("leaves a sign of life every half a minute", async () => {
      const group = await consumerGroup("erp");
      assert.equal((await row(group)).last_heartbeat, null);
      await of(group);
      const first = (await row(group)).last_heartbeat;
      assert.ok(first);
      await of(group);
      assert.equal((await row(group)).last_heartbeat, first);
      await db.run(
        "update consumer_groups set last_heartbeat = now() - interval '31 seconds' where consumer_group_id = $1",
        [group],
      );
      await of(group);
      assert.ok(((await row(group)).last_heartbeat as string) > first);
    });

    it("must exist, and be of the token's connector, if it has one", async () => {
      assert.deepEqual(told(await of("nobody")), error(404, "consumer_group_not_found"));
      const foreign = error(403, "consumer_group_scope_violation");
      const group = await consumerGroup("shop");
      assert.deepEqual(told(await of(group)), foreign);
      const loose = await token({ connector_id: null });
      assert.equal((await of(group, loose)).status, 200);
    });

    it("with a subscription that is none is not read", async () => {
      for (const stored of [
        ...[[], "all", { event_types: [] }, { warehouse_ids: "1" }],
        ...[{ types: ["ship.confirmed"] }, { event_types: null }],
      ]) {
        const consumer_group = await consumerGroup("erp", stored);
        const invalid = error(409, "subscription_invalid");
        assert.deepEqual(told(await of(consumer_group)), invalid);
        const ack = await reader.post(ACK, { consumer_group, cursor: 1 });
        assert.deepEqual(told(ack), invalid);
      }
    });

    it("and a place of one's own are two starts", async () => {
      const consumer_group = await consumerGroup("erp");
      const { status, body } = await poll(reader, { consumer_group, after: 0 });
      assert.equal(status, 400);
      assert.match(body.error, /after or consumer_group/);
    });
  });

  it("takes no query that it does not know", async () => {
    for (const query of [
      ...[{ after: -1 }, { after: "x" }, { after: "" }, { after: "1.5" }],
      ...[{ after: "9223372036854775808" }, { limit: 0 }, { limit: 2_001 }],
      ...[{ limit: "x" }, { warehouse_id: "x" }, { warehouse_id: 0 }],
      ...[{ types: "x".repeat(2_049) }, { consumer_group: "" }],
      ...[{ consumer_group: "x".repeat(65) }, { type: "ship.confirmed" }],
      ...[{ consumer_group: "a\0b" }],
    ]) {
      const { status, body } = await poll(reader, query as { after: string });
      assert.deepEqual(
        [status, body.error, body.details?.[0].loc.length <= 1],
        [400, "validation_error", true],
        JSON.stringify(query),
      );
    }
  });
});

describe("the rate of polling", () => {
  const service = testService({ env: { POLL_RATE_LIMIT_PER_MINUTE: "3" } });

  it("is bounded for each endpoint of a token, and told with the time to wait", async () => {
    const burst = async (): Promise<Answer[][]> => {
      const { caller } = await tokenCaller(service, { event_types: ["ship.confirmed"], endpoints: [...outboundSlugs] });
      const minute = () => db.value<string>("select date_trunc('minute', now()) as now");
      const begun = await minute();
      const answers = [];
      for (const path of [EVENTS, `${EVENTS}/types`])
        answers.push(await Promise.all(Array.from({ length: 5 }, () => caller.get(path))));
      return begun === (await minute()) ? answers : burst();
    };
    for (const answers of await burst()) {
      const statuses = answers.map(({ status }) => status).toSorted();
      assert.deepEqual(statuses, [200, 200, 200, 429, 429]);
      const refused = answers.find(({ status }) => status === 429) as Answer;
      assert.deepEqual(refused.body, { error: "rate_limited" });
      const seconds = Number(refused.headers.get("retry-after"));
      assert.ok(seconds >= 1 && seconds <= 60, `${seconds}`);
    }
  });
});
