import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { RunningSenders } from "../../activities/outbound/engine.js";
import { sequenceAll } from "../../activities/outbound/sequencer.js";
import type { DeliveryAttempted, StuckDelivery } from "../../src/outbound/sending.js";
import { runSequencer } from "../../workers/sequencer.js";
import { db } from "../support/db.js";
import { emit, got, numbersIn, rowsOf, senderEnv, subscribe } from "../support/deliveries.js";
import { warehouse } from "../support/fixtures.js";
import { pluck } from "../support/pluck.js";
import { sendersOf } from "../support/running-senders.js";
import { openService, type TestService } from "../support/service.js";
import { sharesOfWorkers } from "../support/shares.js";
import { openSink, type Sink } from "../support/sink.js";
import { until } from "../support/until.js";
import { delivery, numberedEvent } from "../support/webhooks.js";

describe("the senders of webhooks", () => {
  let service: TestService;
  let sequencer: { stop: () => Promise<void> };
  let sink: Sink;
  let warehouse_id: number;
  let id: string;
  /** What they would have Temporal try again. */
  let failed: StuckDelivery[] = [];
  const { start, stop, stopAll } = sendersOf(
    () => service,
    async ({ args }) => void failed.push(args[0] as StuckDelivery),
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
    failed = [];
    sink = await openSink();
    warehouse_id = await warehouse();
    id = (await subscribeTo(sink)).subscription_id;
  });
  afterEach(async () => {
    await stopAll();
    await db.run("update webhook_subscriptions set status = 'revoked', pause_reason = null");
    await sink.stop();
  });

  const subscribeTo = ({ url }: Sink, subscription_filter: object = { warehouse_ids: [warehouse_id] }) =>
    subscribe(service.admin, url, { subscription_filter });
  const statusesOf = async (...ids: string[]) =>
    (await Promise.all(ids.map(rowsOf))).flat().map(({ status }) => status);
  const statuses = () => statusesOf(id);
  const shared = (...shares: number[]) =>
    until(async () => `${await sharesOfWorkers()}` === `${shares}`, 30_000).catch(async (cause) => {
      throw new Error(`shared as ${await sharesOfWorkers()}`, { cause });
    });
  const path = () => `/api/admin/webhooks/${id}`;

  it("share the subscriptions out among the workers", async () => {
    for (let i = 1; i < 9; i++) await subscribeTo(sink, { aggregate_external_id_allowlist: [randomUUID()] });
    const first = start();
    await shared(9);
    const second = start();
    await shared(4, 5);
    start();
    await shared(3, 3, 3);
    // Paused, they are nobody's; resumed, they are shared out as before.
    await service.admin.ok("PATCH", path(), { status: "paused" });
    await until(async () => `${await sharesOfWorkers()}` === "2,3,3");
    await service.admin.ok("PATCH", path(), { status: "active" });
    await shared(3, 3, 3);
    await stop(second);
    await shared(4, 5);
    await stop(first);
    await shared(9);
  });

  it("share only those out that can be sent for", async () => {
    const stuck = await Promise.all([1, 2].map(() => subscribeTo(sink, { event_types: ["ship.voided"] })));
    for (const { subscription_id } of stuck) await delivery(subscription_id, { status: "pending", attempt_number: 2 });
    await subscribeTo(sink);
    start();
    await shared(2);
    start();
    await shared(1, 1);
  });

  it("go on, in order, as subscriptions pass from worker to worker", async () => {
    const senders = [start()];
    const sending = emit(warehouse_id, 300);
    for (let round = 0; round < 3; round++) {
      senders.push(start());
      await got(sink, (round + 1) * 50, 30_000);
      await stop(senders.shift() as RunningSenders);
    }
    await sending;
    await got(sink, 300, 30_000);
    assert.deepEqual(
      numbersIn(sink),
      Array.from({ length: 300 }, (_, i) => i + 1),
    );
    assert.equal(sink.mostAtOnce, 1);
  });

  /** Stops senders that have taken four deliveries together as the first of these arrives. */
  async function stopWithARest(): Promise<void> {
    await emit(warehouse_id, 20);
    // Else it could have taken no more than those that were numbered so far.
    await sequenceAll();
    let stopped: Promise<void> | undefined;
    const senders = start();
    sink.usual = () => {
      if (sink.received.length === 4) stopped = stop(senders);
      return 200;
    };
    await until(() => stopped !== undefined);
    await stopped;
    assert.deepEqual(numbersIn(sink), [1, 2, 3, 4]);
    const written = await statuses();
    assert.deepEqual(written.slice(0, 4), Array(4).fill("succeeded"));
    // How many it had taken beforehand depends on how far it had come.
    assert.deepEqual([...new Set(written.slice(4))], ["pending"]);
  }
  const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

  it("finish the delivery they are at when they are stopped, and give back the rest", async () => {
    await stopWithARest();
    start();
    await got(sink, 20);
    assert.deepEqual(numbersIn(sink), upTo(20));
  });

  it("do not select again what waits already when the filter is changed", async () => {
    await stopWithARest();
    const filter = { warehouse_ids: [warehouse_id, await warehouse()] };
    await service.admin.ok("PATCH", path(), { subscription_filter: filter });
    start();
    await until(() => numbersIn(sink).at(-1) === 20);
    assert.deepEqual(numbersIn(sink), upTo(20));
  });

  it("store what they sent, also when the database refuses that for a while", async () => {
    await emit(warehouse_id, 20);
    // As a lock that is held too long: the results of one, and of those that were taken with it, are refused twice.
    await db.run("create sequence refusals");
    await db.run(
      `create function refuse() returns trigger language plpgsql as $$ begin
         if nextval('refusals') <= 2 then raise lock_not_available; end if;
         return new;
       end $$`,
    );
    await db.run(
      `create trigger refuse before update on webhook_deliveries for each row
       when (new.status = 'succeeded' and new.event_id % 20 = 5) execute function refuse()`,
    );
    try {
      start();
      await until(() => numbersIn(sink).at(-1) === 20);
      assert.deepEqual(numbersIn(sink), upTo(20));
    } finally {
      await db.run("drop function refuse cascade");
      await db.run("drop sequence refusals");
    }
  });

  it("take up again when the connection that holds their locks is lost", async () => {
    start();
    await shared(1);
    await db.run(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'warehouse webhook locks' and datname = current_database()`,
    );
    await emit(warehouse_id, 2);
    await got(sink, 2);
    assert.deepEqual(numbersIn(sink), [1, 2]);
  });

  it("leave a delivery that failed to its retry schedule, and go on behind it", async () => {
    await emit(warehouse_id, 2);
    sink.answerNext(500, 503);
    const { activities } = start();
    await until(() => failed.length === 1);
    const [first] = await rowsOf(id);
    assert.deepEqual(failed, [
      {
        ...{ subscription_id: id, first_delivery_id: first?.delivery_id },
        ...{ event_id: first?.event_id, event_type: "inventoryadjusted.completed" },
      },
    ]);
    await shared(0);
    const attempted: DeliveryAttempted[] = [];
    while (!attempted.at(-1)?.ended) attempted.push(await activities.attemptDelivery(failed[0] as StuckDelivery));
    const [again, ...others] = attempted.filter(({ failure }) => failure);
    assert.equal(again?.failure, "5xx 503");
    assert.equal(again?.next?.attempt, 3);
    assert.deepEqual(others, []);
    assert.deepEqual(attempted.at(-1), { ended: "succeeded" });
    // Too early, it is told how long to wait.
    for (const { next } of attempted.slice(0, -1)) assert.ok(next && next.wait_ms > 0 && next.wait_ms <= 110);
    await got(sink, 4);
    assert.deepEqual(numbersIn(sink), [1, 1, 1, 2]);
  });

  it("send a delivery once that has a retry already, and leave that to its schedule", async () => {
    // So that the next two are taken together.
    const before = await numberedEvent({ warehouse_id });
    await delivery(id, { status: "pending", event_id: before });
    const event_id = await numberedEvent({ warehouse_id });
    const first = await delivery(id, { status: "pending", event_id });
    const retry = await delivery(id, { status: "pending", event_id, attempt_number: 2 });
    await db.run("update webhook_deliveries set first_delivery_id = $2 where delivery_id = $1", [retry, first]);
    await delivery(id, { status: "pending", event_id: await numberedEvent({ warehouse_id }) });
    start();
    await until(() => failed.length > 0 || sink.received.length > 2);
    assert.deepEqual(pluck(failed, "first_delivery_id"), [first]);
    assert.deepEqual(pluck(sink.received, "event_id"), [before, event_id]);
    assert.deepEqual(await statuses(), ["succeeded", "succeeded", "pending", "pending"]);
  });

  it("say why a retry schedule is over", async () => {
    await emit(warehouse_id);
    sink.usual = 500;
    const senders = start();
    await until(() => failed.length === 1);
    const attempt = ({ activities } = senders) => activities.attemptDelivery(failed[0] as StuckDelivery);
    const disabled = start({ dispatcherEnabled: false });
    assert.deepEqual(await attempt(disabled), { ended: "disabled" });
    await service.admin.ok("PATCH", path(), { status: "paused" });
    assert.deepEqual(await attempt(), { ended: "paused" });
    await service.admin.ok("DELETE", path());
    assert.deepEqual(await attempt(), { ended: "revoked" });
    await service.admin.ok("DELETE", `${path()}?purge=true`);
    assert.deepEqual(await attempt(), { ended: "deleted" });
  });

  it("do not try again what another one is sending", async () => {
    sink.usual = "stall";
    start();
    await emit(warehouse_id);
    await got(sink, 1);
    const [row] = await rowsOf(id);
    const stuck = { subscription_id: id, first_delivery_id: row?.delivery_id as number, event_id: 1, event_type: null };
    await assert.rejects(start().activities.attemptDelivery(stuck), /A sender is at work/);
  });

  it("send nothing where they are switched off", async () => {
    start({ dispatcherEnabled: false });
    await emit(warehouse_id);
    start();
    await got(sink, 1);
    await shared(1);
  });

  it("ask a host for so much at a time, and let its slowness cost nobody else", async () => {
    sink.usual = "stall";
    for (let i = 0; i < 7; i++) await subscribeTo(sink);
    const fast = await openSink();
    await subscribeTo(fast);
    try {
      const senders = start({ dispatcherMaxConcurrentPosts: 3 });
      await emit(warehouse_id, 40);
      await got(fast, 40);
      assert.equal(sink.mostAtOnce, 3);
      assert.equal(sink.received.length, 3);
      // Those that wait for it leave at once; what it does not answer is waited for until its end.
      const stopped = stop(senders);
      const given = `select from webhook_deliveries join webhook_subscriptions s using (subscription_id)
                     where s.status = 'active' and webhook_deliveries.status = 'pending'`;
      await until(async () => (await db.rows(given)).length === 5);
      assert.equal(sink.received.length, 3);
      await sink.stop();
      await stopped;
    } finally {
      await fast.stop();
    }
  });

  it("take two spellings of a host for one", async () => {
    sink.usual = "stall";
    const port = new URL(sink.url).port;
    await service.admin.ok("PATCH", path(), { delivery_url: `http://localhost:${port}/` });
    const other = await subscribeTo({ ...sink, url: `http://localhost.:${port}/` });
    start({ dispatcherMaxConcurrentPosts: 1 });
    await emit(warehouse_id);
    await until(async () => (await statusesOf(id, other.subscription_id)).length === 2);
    await got(sink, 1);
    sink.usual = 200;
    await sink.stop();
    assert.equal(sink.mostAtOnce, 1);
  });

  describe("that wait for a host", () => {
    let other: Sink;
    /** A subscription whose delivery waits until the host has answered that of another one. */
    let waits: string;
    let senders: RunningSenders;
    beforeEach(async () => {
      other = await openSink();
      sink.usual = "stall";
      senders = start({ dispatcherMaxConcurrentPosts: 1, dispatcherHttpReadTimeoutMs: 2_000 });
      await emit(warehouse_id);
      await got(sink, 1);
      waits = (
        await subscribe(service.admin, `${sink.url}/waits`, { subscription_filter: { warehouse_ids: [warehouse_id] } })
      ).subscription_id;
      await until(async () => `${await statusesOf(waits)}` === "in_flight");
      sink.usual = 200;
    });
    afterEach(() => other.stop());
    const sentTo = (path: string) => sink.received.filter((request) => request.path === path).length;

    it("send it to the new address when that changes", async () => {
      await service.admin.ok("PATCH", `/api/admin/webhooks/${waits}`, { delivery_url: `${other.url}/new` });
      await got(other, 1);
      await until(() => failed.length === 1);
      assert.equal(sentTo("/waits"), 0);
    });

    it("sign it with the new secret", async () => {
      const { secret } = await service.admin.ok("POST", `/api/admin/webhooks/${waits}/rotate-secret`);
      await until(() => sentTo("/waits") === 1);
      const request = sink.received.find((one) => one.path === "/waits");
      assert.ok(request && sink.verifies(request, secret));
    });

    it("do not send it when the subscription is revoked", async () => {
      await service.admin.ok("DELETE", `/api/admin/webhooks/${waits}`);
      await until(async () => `${await statusesOf(waits)}` === "pending");
      await until(() => failed.length === 1);
      await stop(senders);
      assert.equal(sentTo("/waits"), 0);
    });
  });

  it("give a retry back that waits for a host when its subscription is paused", async () => {
    sink.answerNext(500);
    const { activities } = start({ dispatcherMaxConcurrentPosts: 1, dispatcherHttpReadTimeoutMs: 2_000 });
    await emit(warehouse_id);
    await until(() => failed.length === 1);
    sink.usual = "stall";
    await subscribeTo(sink);
    await got(sink, 2);
    const attempt = async (): Promise<DeliveryAttempted> => {
      const attempted = await activities.attemptDelivery(failed[0] as StuckDelivery);
      return attempted.next && !attempted.failure ? attempt() : attempted;
    };
    const attempting = attempt();
    await until(async () => `${await statuses()}` === "failed,in_flight");
    await service.admin.ok("PATCH", path(), { status: "paused" });
    assert.deepEqual(await attempting, {});
    assert.deepEqual(await statuses(), ["failed", "pending"]);
    assert.equal(sink.received.length, 2);
  });
});
