import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type Caller, statusAndError } from "../support/caller.js";
import * as fixtures from "../support/fixtures.js";
import { testService } from "../support/service.js";
import { deliveriesOf, delivery, numberedEvent, subscribe, WEBHOOKS } from "../support/webhooks.js";

describe("the deliveries of a webhook", () => {
  const service = testService({ env: { DISPATCHER_REPLAY_BATCH_GLOBAL_BUDGET: "1000" } });
  let admin: Caller;
  before(async () => {
    admin = service.admin;
  });

  const on = (subscription_id: string) => `${WEBHOOKS}/${subscription_id}`;
  const subscription = async (fields: object = {}) => (await subscribe(admin, fields)).subscription_id as string;
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString();

  describe("in a list", () => {
    const listed = (subscription_id: string, query = "", by = admin) =>
      by.ok("GET", `${on(subscription_id)}/deliveries?${query}`);
    const ids = async (subscription_id: string, query = "", by = admin): Promise<number[]> =>
      (await listed(subscription_id, query, by)).deliveries.map((one: { delivery_id: number }) => one.delivery_id);

    it("are all there: what has not ended, then the others, newest first", async () => {
      const warehouse_id = await fixtures.warehouse();
      const event_id = await numberedEvent({ warehouse_id });
      const [id, other] = [await subscription(), await subscription()];
      const failed = await delivery(id, {
        ...{ status: "failed", event_id, age: "2 hours" },
        ...{ http_status: 503, error_kind: "5xx", error_detail: "HTTP status 503" },
      });
      const sent = await delivery(id, { status: "succeeded", event_id, attempt_number: 2, age: "1 hour" });
      const gone = await delivery(id, { status: "dlq", event_id: 9_999_999, age: "3 hours" });
      const sending = await delivery(id, { status: "in_flight", event_id });
      const waiting = await delivery(id, { status: "pending", event_id });
      await delivery(other, { status: "succeeded", event_id });

      const { deliveries, ...rest } = await listed(id);
      assert.deepEqual(rest, { total: 5, page: 1, per_page: 50, pages: 1 });
      const found = deliveries.map((one: { delivery_id: number }) => one.delivery_id);
      assert.deepEqual(found, [waiting, sending, sent, failed, gone]);
      const { attempted_at, event, ...row } = deliveries[3];
      assert.deepEqual(row, {
        ...{ delivery_id: failed, event_id, attempt_number: 1, status: "failed" },
        ...{ http_status: 503, error_kind: "5xx", error_detail: "HTTP status 503" },
        ...{ completed_at: attempted_at, scheduled_at: attempted_at, secret_generation: 1 },
      });
      const { event_timestamp, aggregate_external_id, source_txn_id } = event;
      assert.deepEqual(event, {
        ...{ event_type: "ship.confirmed", event_timestamp, warehouse_id },
        ...{ aggregate_external_id, source_txn_id },
      });
      assert.equal(deliveries[4].event, null);
      assert.deepEqual([deliveries[0].attempted_at, deliveries[0].completed_at], [null, null]);
    });

    it("are shown one by one, with what is sent", async () => {
      const warehouse_id = await fixtures.warehouse();
      const event_id = await numberedEvent({ warehouse_id });
      const [id, other] = [await subscription(), await subscription()];
      const failed = await delivery(id, { status: "failed", event_id });
      const gone = await delivery(id, { status: "dlq", event_id: 9_999_998 });
      const [listing] = (await listed(id, "status=failed")).deliveries;
      const { body, ...shown } = await admin.ok("GET", `${on(id)}/deliveries/${failed}`);
      assert.deepEqual(shown, listing);
      assert.deepEqual(
        [body.event_id, body.event_type, body.warehouse_id, typeof body.data],
        [event_id, "ship.confirmed", warehouse_id, "object"],
      );
      assert.equal((await admin.ok("GET", `${on(id)}/deliveries/${gone}`)).body, null);
      for (const path of [`${on(other)}/deliveries/${failed}`, `${on(id)}/deliveries/999999999`]) {
        assert.deepEqual(statusAndError(await admin.get(path)), [404, "delivery_not_found"]);
      }
      assert.equal((await admin.get(`${on("nonsense")}/deliveries/1`)).body.error, "invalid_subscription_id");
      assert.equal((await admin.get(`${on(randomUUID())}/deliveries/1`)).body.error, "subscription_not_found");
      const elsewhere = await service.user({ page_keys: ["webhooks"], warehouse_ids: [await fixtures.warehouse()] });
      assert.equal((await elsewhere.get(`${on(id)}/deliveries/${failed}`)).status, 404);
    });

    it("are found by status and by the type of their event", async () => {
      const id = await subscription();
      const picked = await numberedEvent({ event_type: "pick.confirmed" });
      const shipped = await numberedEvent();
      const rows: Record<string, number> = {};
      for (const status of ["pending", "in_flight", "succeeded", "failed", "dlq"] as const)
        rows[status] = await delivery(id, { status, event_id: status === "failed" ? picked : shipped });
      for (const [status, delivery_id] of Object.entries(rows))
        assert.deepEqual(await ids(id, `status=${status}`), [delivery_id]);
      assert.deepEqual(await ids(id, "event_type=pick.confirmed"), [rows.failed]);
      assert.deepEqual(await ids(id, "event_type=ship.confirmed&status=dlq"), [rows.dlq]);
      assert.deepEqual(await ids(id, "event_type=pick.confirmed&status=dlq"), []);
      const refused = await admin.get(`${on(id)}/deliveries?status=lost`);
      assert.deepEqual([refused.status, refused.body.details?.[0].loc], [400, ["status"]]);
    });

    it("are none of another warehouse, for which the subscription once was", async () => {
      const [here, there] = [await fixtures.warehouse(), await fixtures.warehouse()];
      const keeper = await service.user({ page_keys: ["webhooks"], warehouse_ids: [here] });
      const id = await subscription({ subscription_filter: { warehouse_ids: [here] } });
      const ours = await delivery(id, { status: "dlq", event_id: await numberedEvent({ warehouse_id: here }) });
      const theirs = await delivery(id, { status: "dlq", event_id: await numberedEvent({ warehouse_id: there }) });
      assert.deepEqual(await ids(id, "", keeper), [ours]);
      assert.deepEqual((await ids(id, "sort=delivery_id")).toSorted(), [ours, theirs].toSorted());
    });
  });

  describe("that a replay would send again", () => {
    const counted = async (subscription_id: string, filter: object = {}, by = admin) => {
      const query = new URLSearchParams(filter as Record<string, string>);
      return (await by.ok("GET", `${on(subscription_id)}/replay-batch?${query}`)).count as number;
    };

    it("are counted as the replay with the same filter makes them, and none is made", async () => {
      const warehouse_id = await fixtures.warehouse();
      const [shipped, there] = [await numberedEvent(), await numberedEvent({ warehouse_id })];
      const picked = await numberedEvent({ event_type: "pick.confirmed" });
      for (const [filter, expected] of [
        [{}, 4],
        [{ status: "dlq" }, 4],
        [{ status: "failed" }, 1],
        [{ status: "succeeded" }, 0],
        [{ event_type: "pick.confirmed" }, 1],
        [{ warehouse_id }, 1],
        [{ completed_at_to: day(2) }, 1],
        [{ completed_at_from: day(4), completed_at_to: day(1) }, 1],
        [{ completed_at_from: day(1) }, 3],
      ] as const) {
        const id = await subscription();
        // An event with two rows is sent once, and one that is gone not at all.
        for (const event_id of [shipped, shipped, there, picked, 9_999_999])
          await delivery(id, { status: "dlq", event_id });
        await delivery(id, { status: "dlq", event_id: await numberedEvent(), age: "3 days" });
        await delivery(id, { status: "failed", event_id: shipped });
        const before = await deliveriesOf(id);
        assert.equal(await counted(id, filter), expected, JSON.stringify(filter));
        assert.deepEqual(await deliveriesOf(id), before);
        const { replayed_count } = await admin.ok("POST", `${on(id)}/replay-batch`, { filter });
        assert.equal(replayed_count, expected, JSON.stringify(filter));
      }
    });

    it("are for a USER those of the user's warehouses", async () => {
      const [here, there] = [await fixtures.warehouse(), await fixtures.warehouse()];
      const keeper = await service.user({ page_keys: ["webhooks"], warehouse_ids: [here] });
      const id = await subscription({ subscription_filter: { warehouse_ids: [here] } });
      for (const warehouse_id of [here, there])
        await delivery(id, { status: "dlq", event_id: await numberedEvent({ warehouse_id }) });
      assert.deepEqual([await counted(id, {}, keeper), await counted(id)], [1, 2]);
    });

    it("cannot be asked for by filters that are wrong", async () => {
      const id = await subscription();
      for (const [field, value] of [
        ["status", "pending"],
        ["warehouse_id", "one"],
        ["completed_at_from", "yesterday"],
        ["sku", "A"],
      ] as const) {
        const refused = await admin.get(`${on(id)}/replay-batch?${field}=${value}`);
        assert.deepEqual([refused.status, refused.body.details?.[0].loc], [400, [field]]);
      }
    });
  });

  for (const path of ["deliveries", "replay-batch"])
    it(`are told to nobody else, and of no subscription that is not there: ${path}`, async () => {
      const warehouse_ids = [await fixtures.warehouse()];
      const id = await subscription({ subscription_filter: { warehouse_ids: [await fixtures.warehouse()] } });
      const keeper = await service.user({ page_keys: ["webhooks"], warehouse_ids });
      for (const { status, body } of [
        await keeper.get(`${on(id)}/${path}`),
        await admin.get(`${on(randomUUID())}/${path}`),
      ])
        assert.deepEqual([status, body.error], [404, "subscription_not_found"]);
      const denied = await (await service.user()).get(`${on(id)}/${path}`);
      assert.equal(denied.body.error, "permission_denied");
      const wrong = await admin.get(`${on("17")}/${path}`);
      assert.deepEqual([wrong.status, wrong.body], [400, { error: "invalid_subscription_id" }]);
    });
});
