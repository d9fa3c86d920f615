import assert from "node:assert/strict";
import type { StuckDelivery } from "../../src/outbound/sending.js";
import { runSequencer } from "../../workers/sequencer.js";
import { db } from "../support/db.js";
import { emit, eventsOf, got, rowsOf, type Subscribed, senderEnv, subscribe } from "../support/deliveries.js";
import { warehouse } from "../support/fixtures.js";
import { pluck, pluckAll } from "../support/pluck.js";
import { sendersOf } from "../support/running-senders.js";
import { openService, type TestService } from "../support/service.js";
import { openSink, type Received, type Sink } from "../support/sink.js";
import { until } from "../support/until.js";
import { newWebhook, WEBHOOKS } from "../support/webhooks.js";

interface Sent {
  event_id: number;
  event_type: string;
  data: { quantity_delta: number };
}

describe("the forms in which a webhook is sent", () => {
  let service: TestService;
  let sequencer: { stop: () => Promise<void> };
  let sink: Sink;
  let warehouse_id: number;
  let subscription: Subscribed;
  /** What Temporal would look after. */
  let stuck: StuckDelivery[] = [];
  const { start, stopAll } = sendersOf(
    () => service,
    async ({ args }) => void stuck.push(args[0] as StuckDelivery),
  );
  before(async () => {
    service = await openService({ env: senderEnv });
    sequencer = runSequencer();
  });
  after(async () => {
    await sequencer.stop();
    await service.close();
  });
  beforeEach(async () => {
    stuck = [];
    sink = await openSink();
    warehouse_id = await warehouse();
  });
  afterEach(async () => {
    await stopAll();
    await db.run("update webhook_subscriptions set status = 'revoked', pause_reason = null");
    await sink.stop();
  });

  const path = (rest = "") => `${WEBHOOKS}/${subscription.subscription_id}${rest}`;
  const change = (fields: object) => service.admin.ok("PATCH", path(), fields);
  const subscribed = async (fields: object) => {
    const filter = { subscription_filter: { warehouse_ids: [warehouse_id] } };
    subscription = await subscribe(service.admin, sink.url, { ...filter, ...fields });
  };
  const rows = () => rowsOf(subscription.subscription_id);
  const stands = (wanted: Record<string, number>) =>
    until(async () => {
      const count: Record<string, number> = {};
      for (const { status } of await rows()) count[status] = (count[status] ?? 0) + 1;
      return JSON.stringify(Object.entries(count).sort()) === JSON.stringify(Object.entries(wanted).sort());
    });
  const bodyOf = ({ body }: Received) => JSON.parse(body.toString());
  const last = () => sink.received.at(-1) as Received;
  const numbers = (request: Received) => (bodyOf(request) as Sent[]).map(({ data }) => data.quantity_delta);
  const upTo = (count: number, first = 1) => Array.from({ length: count }, (_, i) => first + i);

  it("are thin where a partner wants to fetch what happened, which it can", async () => {
    await subscribed({ payload: "thin" });
    start();
    await emit(warehouse_id, 1, 7);
    await got(sink, 1);
    assert.ok(sink.verifies(last(), subscription.secret));
    const { url, ...event } = bodyOf(last());
    const scope = { warehouse_ids: [warehouse_id], event_types: ["inventoryadjusted.completed"] };
    const token = { token_name: `poll ${warehouse_id}`, ...scope, endpoints: ["events.poll"] };
    const poller = service.anyone.with({
      "x-wms-token": (await service.admin.ok("POST", "/api/admin/tokens", token)).token,
    });
    const [{ data, ...whole }] = (await poller.ok("GET", url)).events;
    assert.deepEqual(event, whole);
    assert.equal(data.quantity_delta, 7);
    await service.admin.ok("POST", path("/test"));
    const test = bodyOf(last());
    assert.deepEqual([test.event_type, "data" in test, "url" in test], ["webhook.test", false, false]);
  });

  it("are CloudEvents by their headers, with the same body", async () => {
    await subscribed({ format: "cloudevents-binary" });
    start();
    await emit(warehouse_id, 1, 7);
    await got(sink, 1);
    assert.ok(sink.verifies(last(), subscription.secret));
    const event = bodyOf(last());
    const { headers } = last();
    assert.equal(headers["content-type"], "application/json");
    assert.deepEqual(Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith("ce-"))), {
      ...{ "ce-specversion": "1.0", "ce-id": headers["webhook-id"], "ce-source": `urn:uuid:${event.epoch}` },
      ...{ "ce-type": "inventoryadjusted.completed", "ce-subject": `inventory/${event.aggregate_id}` },
      "ce-time": event.event_timestamp,
    });
  });

  it("are CloudEvents by their body, one by one and in batches", async () => {
    await subscribed({ format: "cloudevents-structured" });
    start();
    await emit(warehouse_id, 1, 1);
    await got(sink, 1);
    assert.equal(last().headers["content-type"], "application/cloudevents+json; charset=utf-8");
    assert.ok(sink.verifies(last(), subscription.secret));
    const { data, ...context } = bodyOf(last());
    assert.deepEqual(context, {
      ...{ specversion: "1.0", id: last().headers["webhook-id"], source: `urn:uuid:${data.epoch}` },
      ...{ type: data.event_type, subject: `inventory/${data.aggregate_id}`, time: data.event_timestamp },
      datacontenttype: "application/json",
    });
    assert.equal(data.event_id, last().event_id);
    await change({ batch: { max_events: 2, max_wait_ms: 5_000 } });
    await emit(warehouse_id, 2, 2);
    await got(sink, 2);
    assert.equal(last().headers["content-type"], "application/cloudevents-batch+json; charset=utf-8");
    assert.deepEqual(pluck(pluck(bodyOf(last()), "data"), "event_type"), Array(2).fill("inventoryadjusted.completed"));
  });

  describe("with batches", () => {
    const batch = { max_events: 5, max_wait_ms: 2_000 };
    /** Subscribes, and starts a sender that knows of events as they come, as it does once it has sent one. */
    const sending = async (of: object, more: Parameters<typeof start>[0] = {}) => {
      await subscribed({ batch: of });
      const senders = start(more);
      await emit(warehouse_id, 1, 99);
      await got(sink, 1);
      await stands({ succeeded: 1 });
      await db.run("delete from webhook_deliveries where subscription_id = $1", [subscription.subscription_id]);
      sink.received.splice(0);
      return senders;
    };

    it("have several events in order, signed once, and no more than they may", async () => {
      await sending(batch);
      await emit(warehouse_id, 12);
      await got(sink, 3);
      assert.deepEqual(sink.received.map(numbers), [upTo(5), upTo(5, 6), upTo(2, 11)]);
      for (const request of sink.received) assert.ok(sink.verifies(request, subscription.secret));
      assert.equal(last().headers["x-service-event-type"], "webhook.batch");
      assert.equal(new Set(pluck(pluck(sink.received, "headers"), "webhook-id")).size, 3);
      await stands({ succeeded: 12 });
      const { last_delivered_event_id } = await service.admin.ok("GET", path());
      assert.equal(last_delivered_event_id, eventsOf(last()).at(-1));
    });

    it("wait for others, and not longer than they may", async () => {
      await sending({ max_events: 100, max_wait_ms: 1_500 });
      await emit(warehouse_id, 3);
      await got(sink, 1);
      assert.deepEqual(numbers(last()), upTo(3));
    });

    it("are tried again as a whole, the same message, while those behind wait", async () => {
      const { activities } = await sending(batch);
      sink.answerNext(500, 503);
      await emit(warehouse_id, 7);
      await until(() => stuck.length === 1);
      await stands({ failed: 5, pending: 5 });
      await until(async () => {
        const { ended } = await activities
          .attemptDelivery(stuck[0] as StuckDelivery)
          .catch(() => ({ ended: undefined }));
        return ended === "succeeded";
      });
      await got(sink, 4);
      assert.deepEqual(sink.received.map(numbers), [upTo(5), upTo(5), upTo(5), upTo(2, 6)]);
      const ids = pluck(pluck(sink.received, "headers"), "webhook-id");
      assert.deepEqual([new Set(ids.slice(0, 3)).size, new Set(ids).size], [1, 2]);
      await stands({ failed: 10, succeeded: 7 });
      const first = (await rows()).filter(({ event_id }) => event_id === sink.received[0]?.event_id);
      assert.deepEqual(pluckAll(first, "attempt_number", "status", "http_status"), [
        [1, "failed", 500],
        [2, "failed", 503],
        [3, "succeeded", 200],
      ]);
    });

    it("are given up as a whole, and each of their events can be replayed", async () => {
      const { activities } = await sending(batch, { dispatcherRetryDelaysMs: Array(7).fill(1) });
      sink.answerNext(...Array(8).fill(500));
      await emit(warehouse_id, 6);
      await until(() => stuck.length === 1);
      await until(async () => {
        const { ended } = await activities
          .attemptDelivery(stuck[0] as StuckDelivery)
          .catch(() => ({ ended: undefined }));
        return ended === "dlq";
      });
      await got(sink, 9);
      assert.deepEqual(numbers(last()), [6]);
      await stands({ failed: 35, dlq: 5, succeeded: 1 });
      const { replayed_count } = await service.admin.ok("POST", path("/replay-batch"), { filter: {} });
      assert.equal(replayed_count, 5);
      await got(sink, 10);
      assert.deepEqual(numbers(last()), upTo(5));
    });

    it("end when their receiver says so, and go on with the same", async () => {
      await sending(batch);
      sink.answerNext(410);
      await emit(warehouse_id, 2);
      await until(async () => (await service.admin.ok("GET", path())).pause_reason === "gone");
      await stands({ failed: 2, pending: 2 });
    });

    it("that waited are sent one by one when there are none any more", async () => {
      const { activities } = await sending(batch);
      sink.answerNext(500);
      await emit(warehouse_id, 2);
      await until(() => stuck.length === 1);
      await change({ batch: null });
      const attempt = (n: number) =>
        until(async () => {
          if (!stuck[n]) return false;
          const { ended } = await activities.attemptDelivery(stuck[n]).catch(() => ({ ended: undefined }));
          return ended === "succeeded";
        });
      await attempt(0);
      await attempt(1);
      assert.deepEqual(
        sink.received.slice(1).map((request) => bodyOf(request).data.quantity_delta),
        [1, 2],
      );
    });

    it("go with no choice that they contradict", async () => {
      await subscribed({ batch });
      for (const fields of [{ ordering: "aggregate" }, { format: "cloudevents-binary" }]) {
        for (const refused of [
          await service.admin.patch(path(), fields),
          await service.admin.post(WEBHOOKS, await newWebhook({ batch, ...fields })),
        ])
          assert.deepEqual([refused.status, refused.body.error], [400, "conflicting_choices"]);
        await change({ ...fields, batch: null });
        assert.equal((await service.admin.patch(path(), { batch })).body.error, "conflicting_choices");
        await change({ batch, ordering: "subscription", format: "envelope" });
      }
    });
  });
});
