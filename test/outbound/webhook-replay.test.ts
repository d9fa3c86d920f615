import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type Caller, statusAndBody, statusAndError } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";
import { deliveriesOf, delivery, type NewDelivery, numberedEvent, subscribe, WEBHOOKS } from "../support/webhooks.js";

describe("replaying webhooks", () => {
  const service = testService({
    env: { DISPATCHER_REPLAY_BATCH_GLOBAL_BUDGET: "1000", DISPATCHER_REPLAY_BATCH_HARD_CAP: "3" },
  });
  let admin: Caller;
  let mark: number;
  /** The budget of all subscriptions is out of the way. */
  before(async () => {
    admin = service.admin;
  });
  beforeEach(async () => {
    mark = await auditMark();
  });

  const on = (subscription_id: string) => `${WEBHOOKS}/${subscription_id}`;
  const subscription = async (fields: object = {}) => (await subscribe(admin, fields)).subscription_id as string;
  /** A subscription with deliveries that ended so. */
  const withEnded = async (...ended: NewDelivery[]) => {
    const subscription_id = await subscription();
    const ids: number[] = [];
    for (const one of ended) ids.push(await delivery(subscription_id, one));
    mark = await auditMark();
    return { subscription_id, ids };
  };
  const dead = async (): Promise<NewDelivery> => ({
    ...{ status: "dlq", event_id: await numberedEvent(), attempt_number: 8 },
  });

  describe("the viewer of what was given up", () => {
    it("shows it newest first, with its events", async () => {
      const warehouse_id = await fixtures.warehouse();
      const event_id = await numberedEvent({ warehouse_id });
      const { subscription_id, ids } = await withEnded(
        {
          ...{ status: "dlq", event_id, attempt_number: 8, age: "2 hours" },
          ...{ http_status: 503, error_kind: "5xx", error_detail: "HTTP 503" },
        },
        { status: "dlq", event_id: 9_999_999, age: "1 hour" },
        { status: "failed", event_id },
      );
      const answer = await admin.ok("GET", `${on(subscription_id)}/dlq`);
      const { deliveries, ...rest } = answer;
      assert.deepEqual(rest, { subscription_id, total: 2, limit: 50, offset: 0 });
      const [gone, known] = deliveries;
      assert.deepEqual([gone.delivery_id, gone.event], [ids[1], null]);
      const { attempted_at, event, ...row } = known;
      const { event_timestamp, aggregate_external_id, source_txn_id } = event;
      assert.deepEqual(row, {
        ...{ delivery_id: ids[0], event_id, attempt_number: 8 },
        ...{ http_status: 503, error_kind: "5xx", error_detail: "HTTP 503" },
        ...{ completed_at: attempted_at, scheduled_at: attempted_at },
        secret_generation: 1,
      });
      assert.deepEqual(event, {
        ...{ event_type: "ship.confirmed", event_timestamp, warehouse_id },
        ...{ aggregate_external_id, source_txn_id },
      });
      assert.match(event_timestamp, /^\d{4}-.*\+00:00$/);
    });

    it("pages through all of it once", async () => {
      const { subscription_id, ids } = await withEnded(
        ...Array.from({ length: 5 }, () => ({ status: "dlq" as const, age: "1 hour" })),
      );
      const seen: number[] = [];
      for (const offset of [0, 2, 4, 6]) {
        const path = `${on(subscription_id)}/dlq?limit=2&offset=${offset}`;
        const { deliveries, total } = await admin.ok("GET", path);
        assert.equal(total, 5);
        for (const { delivery_id } of deliveries) seen.push(delivery_id);
      }
      assert.deepEqual(seen, ids.toReversed());
    });

    it("refuses pages that cannot be", async () => {
      const subscription_id = await subscription();
      for (const query of [
        ...["limit=0", "limit=x", "limit=1.5", "limit=", "limit=99999999999"],
        ...["offset=-1", "offset=x", "offset=99999999999999999999"],
      ]) {
        const refused = await admin.get(`${on(subscription_id)}/dlq?${query}`);
        assert.deepEqual([refused.status, refused.body], [400, { error: "invalid_pagination" }], query);
      }
    });

    it("gives 500 at most, whatever is asked for", async () => {
      const subscription_id = await subscription();
      for (const limit of [500, 501, 2_147_483_647]) {
        const page = await admin.ok("GET", `${on(subscription_id)}/dlq?limit=${limit}`);
        assert.equal(page.limit, 500, `${limit}`);
      }
    });
  });

  describe("one delivery", () => {
    it("makes a fresh one of its event, and leaves the old one as it is", async () => {
      const { subscription_id, ids } = await withEnded(await dead());
      const [before] = await deliveriesOf(subscription_id);
      const path = `${on(subscription_id)}/replay/${ids[0]}`;
      const { status, body } = await admin.post(path);
      assert.equal(status, 201);
      const { replayed_delivery_id } = body;
      assert.deepEqual(body, { subscription_id, original_delivery_id: ids[0], replayed_delivery_id });
      assert.deepEqual(await deliveriesOf(subscription_id), [
        before,
        {
          ...{ delivery_id: replayed_delivery_id, event_id: before?.event_id },
          ...{ attempt_number: 1, status: "pending" },
          ...{ error_kind: null, error_detail: null },
        },
      ]);
      const [row] = await auditSince(mark);
      assert.equal(row?.action_type, "WEBHOOK_DELIVERY_REPLAY_SINGLE");
      assert.deepEqual(row?.details, {
        ...{ subscription_id, display_name: "Acme ERP" },
        ...{ original_delivery_id: ids[0], replayed_delivery_id },
        event_id: before?.event_id,
      });
    });

    it("is refused where there is none, of another one, and of a revoked one", async () => {
      const { subscription_id, ids } = await withEnded(await dead());
      const other = await subscription();
      const replay = async (id: string, of: number) => {
        const { status, body } = await admin.post(`${on(id)}/replay/${of}`);
        return [status, body.error];
      };
      const [id] = ids as [number];
      assert.deepEqual(await replay(subscription_id, 999_999_999), [404, "delivery_not_found"]);
      assert.deepEqual(await replay(other, id), [400, "delivery_subscription_mismatch"]);
      await admin.ok("DELETE", on(subscription_id));
      assert.deepEqual(await replay(subscription_id, id), [400, "cannot_replay_to_revoked_subscription"]);
      assert.equal((await deliveriesOf(subscription_id)).length, 1);
    });
  });

  describe("many deliveries", () => {
    const replay = (subscription_id: string, body: object = {}, by = admin) =>
      by.post(`${on(subscription_id)}/replay-batch`, body);
    const replayed = async (subscription_id: string) =>
      (await deliveriesOf(subscription_id))
        .filter(({ status }) => status === "pending")
        .map(({ event_id }) => event_id);

    it("sends each event once, in the order of events", async () => {
      const [first, second] = [await dead(), await dead()];
      const { subscription_id } = await withEnded(second, first, second, {
        ...{ status: "succeeded", event_id: await numberedEvent() },
      });
      const { status, body } = await replay(subscription_id);
      assert.deepEqual(
        [status, body],
        [
          201,
          {
            ...{ subscription_id, impact_count: 3, replayed_count: 2 },
            ...{ matched_with_event_data: 3, matched_without_event_data: 0 },
          },
        ],
      );
      assert.deepEqual(await replayed(subscription_id), [first.event_id, second.event_id]);
      const [row] = await auditSince(mark);
      assert.equal(row?.action_type, "WEBHOOK_DELIVERY_REPLAY_BATCH");
      assert.deepEqual(row?.details, {
        ...{ subscription_id, display_name: "Acme ERP" },
        filter: { status: "dlq" },
        ...{ acknowledge_large_replay: false, impact_count: 3, replayed_count: 2 },
        ...{ matched_with_event_data: 3, matched_without_event_data: 0 },
      });
    });

    it("counts those whose event is gone, and does not send them", async () => {
      const { subscription_id } = await withEnded(await dead(), { status: "dlq", event_id: 9_999_999 });
      const { body } = await replay(subscription_id, { filter: { event_type: "ship.confirmed" } });
      assert.deepEqual(body, {
        ...{ subscription_id, impact_count: 2, replayed_count: 1 },
        ...{ matched_with_event_data: 1, matched_without_event_data: 1 },
        detail: "The events of 1 of them are gone and cannot be sent again",
      });
      assert.equal((await replayed(subscription_id)).length, 1);
    });

    it("takes those that match all of the filter", async () => {
      const warehouse_id = await fixtures.warehouse();
      const other = { ...(await dead()), event_id: await numberedEvent({ event_type: "pick.confirmed" }) };
      const there = { ...(await dead()), event_id: await numberedEvent({ warehouse_id }) };
      const old = { ...(await dead()), age: "3 days" };
      const failed = { ...(await dead()), status: "failed" as const };
      const sent = { ...(await dead()), status: "succeeded" as const };
      const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString();
      for (const [filter, expected] of [
        [{ status: "failed" }, failed],
        [{ status: "succeeded" }, sent],
        [{ event_type: "pick.confirmed" }, other],
        [{ warehouse_id }, there],
        [{ completed_at_to: day(2) }, old],
        [{ completed_at_from: day(4), completed_at_to: day(1) }, old],
      ] as const) {
        const { subscription_id } = await withEnded(...[other, there, old, failed, sent]);
        const { body } = await replay(subscription_id, { filter });
        assert.equal(body.replayed_count, 1, JSON.stringify(filter));
        assert.deepEqual(await replayed(subscription_id), [expected.event_id]);
      }
    });

    it("is refused above the cap until that is acknowledged", async () => {
      const { subscription_id } = await withEnded(...[await dead(), await dead(), await dead(), await dead()]);
      const refused = await replay(subscription_id);
      assert.deepEqual(statusAndBody(refused), [
        409,
        {
          ...{ error: "batch_size_above_hard_cap", impact_count: 4 },
          hard_cap: 3,
          detail: "Narrow the filter, or send acknowledge_large_replay: true",
        },
      ]);
      assert.deepEqual(await auditSince(mark), []);
      assert.deepEqual(await replayed(subscription_id), []);
      const meant = await replay(subscription_id, { acknowledge_large_replay: true });
      assert.equal(meant.body.replayed_count, 4);
    });

    it("is refused where more would wait than may", async () => {
      const { subscription_id } = await withEnded(await dead(), await dead());
      await admin.ok("PATCH", on(subscription_id), { pending_ceiling: 100 });
      await db.run(
        `insert into webhook_deliveries (subscription_id, event_id, status)
         select $1, n, case n when 1 then 'in_flight' else 'pending' end from generate_series(1, 99) n`,
        [subscription_id],
      );
      const refused = await replay(subscription_id, { acknowledge_large_replay: true });
      assert.deepEqual(statusAndBody(refused), [
        409,
        {
          error: "replay_would_exceed_pending_ceiling",
          ...{ current_pending: 99, impact_count: 2, pending_ceiling: 100 },
          ...{ gap: 1, detail: "Narrow the filter, wait, or raise pending_ceiling" },
        },
      ]);
      assert.equal((await replayed(subscription_id)).length, 98);
    });

    it("waits a minute, also after one that matched nothing", async () => {
      const subscription_id = await subscription();
      const { status, body } = await replay(subscription_id);
      assert.deepEqual([status, body.impact_count], [201, 0]);
      const again = await replay(subscription_id);
      assert.equal(again.status, 429);
      const { seconds_until_retry, ...rest } = again.body;
      assert.deepEqual(rest, { error: "replay_batch_throttled" });
      assert.ok(seconds_until_retry > 50 && seconds_until_retry <= 60);
      assert.equal((await replay(await subscription())).status, 201);
    });

    it("by several at once goes through once", async () => {
      const { subscription_id } = await withEnded(await dead());
      const answers = await Promise.all(Array.from({ length: 6 }, () => replay(subscription_id)));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 429, 429, 429, 429, 429]);
      assert.equal((await replayed(subscription_id)).length, 1);
    });

    it("is refused of a revoked one, and where there is none", async () => {
      const subscription_id = await subscription();
      await admin.ok("DELETE", on(subscription_id));
      const revoked = await replay(subscription_id);
      assert.deepEqual([revoked.status, revoked.body], [400, { error: "cannot_replay_to_revoked_subscription" }]);
      const missing = await replay(randomUUID());
      assert.equal(missing.status, 404);
    });

    it("refuses filters that are wrong", async () => {
      const subscription_id = await subscription();
      for (const [field, value] of [
        ["status", "pending"],
        ["event_type", 5],
        ["warehouse_id", "one"],
        ["completed_at_from", "yesterday"],
        ["completed_at_to", "0000-01-01T00:00:00Z"],
        ["sku", "A"],
      ] as const) {
        const refused = await replay(subscription_id, { filter: { [field]: value } });
        assert.deepEqual([refused.status, refused.body.details?.[0].loc], [400, ["filter", field]]);
      }
    });
  });

  describe("of others", () => {
    it("is not there for a USER, nor are their deliveries", async () => {
      const warehouse_id = await fixtures.warehouse();
      const subscription_filter = { warehouse_ids: [warehouse_id] };
      const keeper = await service.user({ page_keys: ["webhooks"], warehouse_ids: [warehouse_id] });
      const own = await subscription({ subscription_filter });
      const { subscription_id, ids } = await withEnded(await dead());
      for (const { status, body } of [
        await keeper.get(`${on(subscription_id)}/dlq`),
        await keeper.get(`${on(subscription_id)}/stats`),
        await keeper.post(`${on(subscription_id)}/replay/${ids[0]}`),
        await keeper.post(`${on(subscription_id)}/replay-batch`),
      ])
        assert.deepEqual([status, body.error], [404, "subscription_not_found"]);
      assert.deepEqual(statusAndError(await keeper.post(`${on(own)}/replay/${ids[0]}`)), [404, "delivery_not_found"]);
    });

    it("gives a USER no event of another warehouse, for which the subscription once was", async () => {
      const [here, there] = [await fixtures.warehouse(), await fixtures.warehouse()];
      const keeper = await service.user({ page_keys: ["webhooks"], warehouse_ids: [here] });
      const id = await subscription({ subscription_filter: { warehouse_ids: [here] } });
      const [own, foreign] = [
        await numberedEvent({ warehouse_id: here }),
        await numberedEvent({ warehouse_id: there }),
      ];
      const [ours, theirs] = [
        await delivery(id, { status: "dlq", event_id: own }),
        await delivery(id, { status: "dlq", event_id: foreign }),
      ];
      const dlq = async (by: Caller) =>
        (await by.ok("GET", `${on(id)}/dlq`)).deliveries.map((one: { delivery_id: number }) => one.delivery_id);
      assert.deepEqual(await dlq(keeper), [ours]);
      assert.deepEqual(await dlq(admin), [theirs, ours]);
      assert.deepEqual(statusAndError(await keeper.post(`${on(id)}/replay/${theirs}`)), [404, "delivery_not_found"]);
      await keeper.ok("POST", `${on(id)}/replay/${ours}`);
      const batch = await keeper.ok("POST", `${on(id)}/replay-batch`);
      assert.equal(batch.replayed_count, 1);
      const pending = (await deliveriesOf(id))
        .filter(({ status }) => status === "pending")
        .map(({ event_id }) => event_id);
      assert.deepEqual(pending, [own, own]);
    });

    it("needs the page, and an id that can be one", async () => {
      const subscription_id = await subscription();
      const nobody = await service.user();
      for (const [method, path] of [
        ["GET", "dlq"],
        ["GET", "stats"],
        ["POST", "replay/1"],
        ["POST", "replay-batch"],
      ] as const) {
        const body = method === "POST" ? {} : undefined;
        const denied = await nobody.call(...([method, `${on(subscription_id)}/${path}`, body] as const));
        assert.equal(denied.body.error, "permission_denied");
        const wrong = await admin.call(...([method, `${on("17")}/${path}`, body] as const));
        assert.deepEqual([wrong.status, wrong.body], [400, { error: "invalid_subscription_id" }]);
      }
    });
  });
});

describe("replaying webhooks of all subscriptions", () => {
  const service = testService();

  it("lets five batches through in five minutes, also when more come at once", async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => subscribe(service.admin)));
    const answers = await Promise.all(
      made.map(({ subscription_id }) => service.admin.post(`${WEBHOOKS}/${subscription_id}/replay-batch`)),
    );
    const refused = answers.filter(({ status }) => status === 429);
    assert.equal(answers.length - refused.length, 5);
    for (const { body } of refused)
      assert.deepEqual(body, {
        error: "replay_batch_global_throttled",
        ...{ global_count: 5, global_budget: 5, global_window_s: 300 },
        detail: "Too many batches of all subscriptions; try again later",
      });
  });
});
