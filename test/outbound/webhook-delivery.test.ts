import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { clearSecrets } from "../../activities/maintenance/webhook-hygiene.js";
import { notifySenders, webhookReceivers } from "../../activities/outbound/receivers.js";
import { claim } from "../../activities/outbound/webhooks/sending/claim.js";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { lockKey } from "../../src/outbound/sending.js";
import { startMissing } from "../../workers/reconcile.js";
import { runSequencer } from "../../workers/sequencer.js";
import { breaking } from "../support/breaking.js";
import { db } from "../support/db.js";
import { emit, got, numbersIn, rowsOf, type Subscribed, senderEnv, subscribe } from "../support/deliveries.js";
import { warehouse } from "../support/fixtures.js";
import { patient } from "../support/machine-speed.js";
import { pluck, pluckAll } from "../support/pluck.js";
import { openService, type TestService } from "../support/service.js";
import { openSink, type Sink } from "../support/sink.js";
import { until } from "../support/until.js";
import { refusalOf } from "../support/workflow-environment.js";

describe("webhook delivery", () => {
  let service: TestService;
  let sequencer: { stop: () => Promise<void> };
  let warehouse_id: number;
  let sink: Sink;
  let subscription: Subscribed;
  before(async () => {
    // A partner that says nothing is waited for until the test is over.
    const env = { DISPATCHER_HTTP_TIMEOUT_MS: "60000", DISPATCHER_HTTP_READ_TIMEOUT_MS: "60000" };
    service = await openService({ worker: true, env: { ...senderEnv, ...env } });
    sequencer = runSequencer();
  });
  after(async () => {
    await db.run("update webhook_subscriptions set status = 'revoked', pause_reason = null");
    await sequencer.stop();
    await service.close();
  });
  beforeEach(async () => {
    warehouse_id = await warehouse();
    sink = await openSink();
    subscription = await subscribe(service.admin, `${sink.url}/hook`, {
      subscription_filter: { warehouse_ids: [warehouse_id] },
    });
  });
  afterEach(async () => {
    await service.admin.delete(path());
    await sink.stop();
  });

  const path = (rest = "") => `/api/admin/webhooks/${subscription.subscription_id}${rest}`;
  const rows = () => rowsOf(subscription.subscription_id);
  const statuses = async () => (await rows()).map(({ status }) => status);
  const patch = (changes: object) => service.admin.ok("PATCH", path(), changes);
  const processOf = (id: string) => temporalClient().workflow.getHandle(id);
  /** The retry schedule of the subscription's first delivery. */
  const retrySchedule = async () => processOf(`webhook-delivery-${(await rows())[0]?.delivery_id}`);
  const reconcile = () => startMissing(temporalClient(), { ...service.config, dispatcherEnabled: true });
  const statusOf = async () => (await service.admin.ok("GET", path())).status;
  /** Whether nobody sends for the subscription. */
  const isFree = async () => {
    const lock = await db.row<{ free: boolean }>(
      `select pg_try_advisory_xact_lock(${lockKey("webhook", "$1")}) as free`,
      [subscription.subscription_id],
    );
    return lock?.free === true;
  };
  const nobodySends = () => until(isFree);

  it("sends each event once, in order, signed, two seconds after it became visible and soon after that", async () => {
    await emit(warehouse_id, 40);
    await got(sink, 40);
    assert.deepEqual(
      numbersIn(sink),
      Array.from({ length: 40 }, (_, i) => i + 1),
    );
    const events = await db.rows<{ event_id: number; committed: string; visible: number }>(
      `select event_id, extract(epoch from created_at) * 1000 as committed, extract(epoch
        from visible_at) * 1000 as visible
       from integration_events where warehouse_id = $1 order by event_id`,
      [warehouse_id],
    );
    for (const [i, request] of sink.received.entries()) {
      assert.equal(request.event_id, events[i]?.event_id);
      assert.ok(sink.verifies(request, subscription.secret));
      assert.ok(request.at - Number(events[i]?.visible) >= 2_000, "too early");
    }
    await until(async () => (await statuses()).every((status) => status === "succeeded"));
    const { last_delivered_event_id } = await service.admin.ok("GET", path());
    assert.equal(last_delivered_event_id, events.at(-1)?.event_id);
    assert.equal(sink.connections, 1);
  });

  it("tries a failed one again on its schedule, while those behind it wait", async () => {
    sink.answerNext(503, 404, 500);
    await emit(warehouse_id, 3);
    await got(sink, 6);
    assert.deepEqual(numbersIn(sink), [1, 1, 1, 1, 2, 3]);
    await until(async () => (await statuses()).at(-1) === "succeeded");
    const first = (await rows()).filter(({ event_id }) => event_id === sink.received[0]?.event_id);
    assert.deepEqual(pluckAll(first, "attempt_number", "status", "http_status", "error_kind"), [
      [1, "failed", 503, "5xx"],
      [2, "failed", 404, "4xx"],
      [3, "failed", 500, "5xx"],
      [4, "succeeded", 200, null],
    ]);
    // One message however often it is sent, each time with a time and a delivery id of its own.
    const headersOf = (name: string) => sink.received.slice(0, 4).map(({ headers }) => headers[name]);
    assert.equal(new Set(headersOf("webhook-id")).size, 1);
    assert.ok(sink.received.every((request) => sink.verifies(request, subscription.secret)));
  });

  it("gives an event up after eight attempts, and goes on with the next", async () => {
    sink.answerNext(...Array(8).fill(500));
    await emit(warehouse_id, 2);
    await got(sink, 9);
    assert.deepEqual(numbersIn(sink), [...Array(8).fill(1), 2]);
    await until(async () => (await statuses()).at(-1) === "succeeded");
    const first = (await rows()).slice(0, 9).filter(({ event_id }) => event_id === sink.received[0]?.event_id);
    assert.deepEqual(pluck(first, "status"), [...Array(7).fill("failed"), "dlq"]);
    const stuck = processOf(`webhook-delivery-${first[0]?.delivery_id}`);
    const gaveUp = await refusalOf(stuck.result());
    assert.match(gaveUp, new RegExp(`^Acme ERP did not take event ${first[0]?.event_id} .* \\(HTTP 500\\)$`));
    const { searchAttributes } = await stuck.describe();
    assert.deepEqual(
      [searchAttributes.SubscriptionId, searchAttributes.EventId],
      [[subscription.subscription_id], [String(first[0]?.event_id)]],
    );
    const { deliveries } = await service.admin.ok("GET", path("/dlq"));
    assert.equal(deliveries[0].event_id, first[0]?.event_id);
  });

  it("leaves an event at a fault of ours to the next run, while those behind it wait, and loses none", async () => {
    await breaking("webhook_deliveries", "status <> 'in_flight' or attempt_number = 1", async () => {
      sink.answerNext(503);
      await emit(warehouse_id, 3);
      await got(sink, 1);
      const stuck = async () => (await retrySchedule()).describe();
      await until(async () => (await stuck().catch(() => undefined))?.status.name === "FAILED");
      assert.match(await refusalOf((await retrySchedule()).result()), /has not got event .*"broken"/);
      const { runId } = await stuck();
      await reconcile();
      await until(async () => (await stuck()).runId !== runId && (await stuck()).status.name === "FAILED");
      assert.deepEqual([numbersIn(sink), await statuses()], [[1], ["failed", "pending"]]);
    });
    await reconcile();
    await got(sink, 4);
    assert.deepEqual(numbersIn(sink), [1, 1, 2, 3]);
  });

  it("stops when it is paused, and goes on where it was when it is resumed", async () => {
    await patch({ status: "paused" });
    await nobodySends();
    await emit(warehouse_id, 2);
    await pause(2_300);
    assert.equal(sink.received.length, 0);
    await patch({ status: "active" });
    await got(sink, 2);
    assert.deepEqual(numbersIn(sink), [1, 2]);
  });

  it("stops in the middle of a retry schedule when it is paused; resumed, it keeps to the schedule", async () => {
    sink.usual = 500;
    await emit(warehouse_id, 2);
    await got(sink, 2);
    await patch({ status: "paused" });
    assert.equal((await (await retrySchedule()).result()).ended, "paused");
    const before = sink.received.length;
    await pause(300);
    assert.equal(sink.received.length, before);
    sink.usual = 200;
    await patch({ status: "active" });
    await got(sink, before + 2);
    assert.deepEqual(numbersIn(sink).slice(before), [1, 2]);
    const attempts = (await rows()).filter(({ event_id }) => event_id === sink.received[0]?.event_id);
    assert.deepEqual(
      pluck(attempts, "attempt_number"),
      attempts.map((_, i) => i + 1),
    );
  });

  it("follows a new address, a new filter and a new secret", async () => {
    const other = await openSink();
    const elsewhere = await warehouse();
    try {
      sink.usual = 500;
      await emit(warehouse_id, 1, 1);
      await emit(elsewhere, 1, 2);
      await got(sink, 1);
      const rotated = await service.admin.ok("POST", path("/rotate-secret"));
      await patch({ delivery_url: `${other.url}/new` });
      await got(other, 1);
      const [retried] = other.received;
      assert.ok(retried && other.verifies(retried, rotated.secret));
      assert.ok(other.verifies(retried, subscription.secret), "the old one holds for a day");
      await patch({ subscription_filter: { warehouse_ids: [elsewhere] } });
      await got(other, 2);
      await emit(warehouse_id, 1, 3);
      await emit(elsewhere, 1, 4);
      await got(other, 3);
      assert.deepEqual(numbersIn(other), [1, 2, 4]);
    } finally {
      await other.stop();
    }
  });

  it("signs with a secret that was replaced until its day is over", async () => {
    const rotated = await service.admin.ok("POST", path("/rotate-secret"));
    await emit(warehouse_id, 1);
    await got(sink, 1);
    const [first] = sink.received;
    assert.ok(first && sink.verifies(first, subscription.secret));
    await db.run("update webhook_secrets set expires_at = now() where subscription_id = $1 and generation = 2", [
      subscription.subscription_id,
    ]);
    await clearSecrets(webhookReceivers);
    await emit(warehouse_id, 1);
    await got(sink, 2);
    const [, second] = sink.received;
    assert.ok(second && sink.verifies(second, rotated.secret) && !sink.verifies(second, subscription.secret));
  });

  it("sends an event again that is replayed: the same message, signed anew", async () => {
    await emit(warehouse_id, 2);
    await got(sink, 2);
    await until(async () => (await statuses()).every((status) => status === "succeeded"));
    const [first] = await rows();
    // The delivery id tells attempts apart by the second.
    await pause(1_000);
    await service.admin.ok("POST", path(`/replay/${first?.delivery_id}`), {});
    await got(sink, 3);
    const [sent, , again] = sink.received;
    assert.deepEqual(again?.body, sent?.body);
    assert.equal(again?.headers["webhook-id"], sent?.headers["webhook-id"]);
    assert.notEqual(again?.headers["x-service-delivery-id"], sent?.headers["x-service-delivery-id"]);
    assert.ok(again && sink.verifies(again, subscription.secret));
    await until(async () => (await statuses()).at(-1) === "succeeded");
    const { last_delivered_event_id } = await service.admin.ok("GET", path());
    assert.equal(last_delivered_event_id, sink.received[1]?.event_id, "the cursor never goes back");
  });

  it("loses nothing in a storm of pauses, resumptions and replays", async () => {
    let storming = true;
    let replayed = 0;
    const storm = (async () => {
      while (storming) {
        await patch({ status: "paused" });
        const sent = (await rows()).find(({ status }) => status === "succeeded");
        if (sent) {
          await service.admin.ok("POST", path(`/replay/${sent.delivery_id}`), {});
          replayed++;
        }
        await patch({ status: "active" });
        await pause(150 * Math.random());
      }
    })();
    await emit(warehouse_id, 60);
    await until(() => new Set(numbersIn(sink)).size === 60, 20_000);
    storming = false;
    await storm;
    await got(sink, 60 + replayed);
    await until(async () => (await statuses()).every((status) => status === "succeeded"));
    assert.equal(sink.received.length, 60 + replayed);
    assert.deepEqual(
      [...new Set(numbersIn(sink))],
      Array.from({ length: 60 }, (_, i) => i + 1),
    );
    assert.equal(sink.mostAtOnce, 1);
  });

  it("pauses itself when too many events were given up", async () => {
    await db.run(
      "update webhook_subscriptions set dlq_ceiling = 10, updated_at = clock_timestamp() where subscription_id = $1",
      [subscription.subscription_id],
    );
    await db.run(
      `insert into webhook_deliveries (subscription_id, event_id, attempt_number, status, attempted_at, completed_at,
        error_kind)
       select $1, n, 8, 'dlq', now(), now(), '5xx' from generate_series(1, 9) n`,
      [subscription.subscription_id],
    );
    sink.usual = 500;
    await emit(warehouse_id, 2);
    await until(async () => (await statusOf()) === "paused");
    await nobodySends();
    const { status, pause_reason } = await service.admin.ok("GET", path());
    assert.deepEqual([status, pause_reason], ["paused", "dlq_ceiling"]);
    assert.equal(sink.received.length, 8);
    await assertAutoPaused("dlq_ceiling");
  });

  it("pauses itself when too many deliveries wait", async () => {
    await emit(warehouse_id, 1);
    await got(sink, 1);
    sink.usual = 500;
    const event_id = sink.received[0]?.event_id;
    await db.run(
      `with s as (
         update webhook_subscriptions set pending_ceiling = 100, updated_at = clock_timestamp()
           where subscription_id = $1
       )
       insert into webhook_deliveries (subscription_id, event_id) select $1, $2 from generate_series(1, 100)`,
      [subscription.subscription_id, event_id],
    );
    await notifySenders(db, webhookReceivers, subscription.subscription_id);
    await until(async () => (await statusOf()) === "paused");
    const { status, pause_reason } = await service.admin.ok("GET", path());
    assert.deepEqual([status, pause_reason], ["paused", "pending_ceiling"]);
    await assertAutoPaused("pending_ceiling");
  });

  it("pauses itself when its stored filter cannot be read, and sends nothing", async () => {
    await db.run(
      `update webhook_subscriptions set subscription_filter = '{"event_types": "all"}', updated_at = clock_timestamp()
       where subscription_id = $1`,
      [subscription.subscription_id],
    );
    await notifySenders(db, webhookReceivers, subscription.subscription_id);
    await emit(warehouse_id, 1);
    await until(async () => (await statusOf()) === "paused");
    const { status, pause_reason } = await service.admin.ok("GET", path());
    assert.deepEqual([status, pause_reason], ["paused", "malformed_filter"]);
    assert.equal(sink.received.length, 0);
    await assertAutoPaused("malformed_filter");
  });

  it("ends when its receiver answers 410, until a person turns it on again; then nothing is missing", async () => {
    sink.answerNext(200, 410);
    await emit(warehouse_id, 3);
    await until(async () => (await statusOf()) === "paused");
    await nobodySends();
    const { status, pause_reason } = await service.admin.ok("GET", path());
    assert.deepEqual([status, pause_reason], ["paused", "gone"]);
    await assertAutoPaused("gone");
    const inbox = await service.admin.ok("GET", "/api/admin/inbox");
    assert.ok(JSON.stringify(inbox).includes(subscription.subscription_id), "not in the inbox");
    await pause(300);
    assert.deepEqual(numbersIn(sink), [1, 2]);
    await patch({ status: "active" });
    await got(sink, 4);
    assert.deepEqual(numbersIn(sink), [1, 2, 2, 3]);
    const record = await service.admin.ok("GET", path());
    assert.deepEqual([record.status, record.pause_reason], ["active", null]);
  });

  async function assertAutoPaused(reason: string) {
    const audits = await db.rows<{ user_id: string }>(
      `select user_id from audit_log where action_type = 'WEBHOOK_SUBSCRIPTION_AUTO_PAUSE'
         and details->>'subscription_id' = $1 and details->>'pause_reason' = $2`,
      [subscription.subscription_id, reason],
    );
    assert.deepEqual(audits, [{ user_id: "system" }]);
  }

  it("ends when it is revoked, also the retry schedule of what failed", async () => {
    sink.usual = 500;
    await emit(warehouse_id, 2);
    await got(sink, 2);
    const { headers } = await service.admin.delete(path());
    const schedule = await retrySchedule();
    assert.equal(headers.get("x-service-workflow-id"), schedule.workflowId);
    assert.equal((await schedule.result()).ended, "revoked");
    await nobodySends();
    const before = sink.received.length;
    await emit(warehouse_id, 1, 3);
    await pause(2_300);
    assert.equal(sink.received.length, before);
    assert.equal(new Set(numbersIn(sink)).size, 1);
  });

  it("applies a new filter to events selected afterwards, not to what waits already", async () => {
    const elsewhere = await warehouse();
    await patch({ subscription_filter: { warehouse_ids: [warehouse_id, elsewhere] } });
    sink.usual = 500;
    await emit(elsewhere, 1, 1);
    await emit(warehouse_id, 1, 2);
    await got(sink, 1);
    const [first] = await rows();
    // Behind the one that failed waits a replay of it.
    await service.admin.ok("POST", path(`/replay/${first?.delivery_id}`), {});
    await patch({ subscription_filter: { warehouse_ids: [warehouse_id] } });
    await emit(elsewhere, 1, 3);
    await emit(warehouse_id, 1, 4);
    sink.usual = 200;
    await until(() => numbersIn(sink).at(-1) === 4);
    const sent = numbersIn(sink);
    assert.deepEqual(sent.slice(sent.lastIndexOf(1) - 1), [1, 1, 2, 4], "retry, replay, then what the filter selects");
  });

  it("lets no dead partner slow another", async () => {
    sink.usual = "stall";
    const healthy = await openSink();
    const { subscription_id } = await subscribe(service.admin, healthy.url, {
      subscription_filter: { warehouse_ids: [warehouse_id] },
    });
    try {
      await emit(warehouse_id, 5);
      await got(healthy, 5);
      // The dead one is still being waited for.
      assert.deepEqual(await statuses(), ["in_flight"]);
      assert.equal(sink.received.length, 1);
    } finally {
      await service.admin.delete(`/api/admin/webhooks/${subscription_id}`);
      await healthy.stop();
    }
  });

  it("hardly looks while there is nothing to send", async function () {
    this.timeout(patient(60_000));
    const scans = async () =>
      (await db.value<number>(`select coalesce(seq_scan, 0) + coalesce(idx_scan, 0) as scans from pg_stat_user_tables
           where relname = 'webhook_deliveries'`)) as number;
    // What was done before comes into the statistics late.
    await until(async () => {
      const before = await scans();
      await pause(3_000);
      return (await scans()) - before < 6;
    }, 40_000);
  });

  it("goes on with a retry schedule from its rows when its workflow is gone", async () => {
    sink.usual = 500;
    await emit(warehouse_id, 1);
    await got(sink, 2);
    await patch({ status: "paused" });
    const schedule = await retrySchedule();
    await schedule.result();
    // As it is when nobody could start it.
    await db.run("update webhook_subscriptions set status = 'active', pause_reason = null where subscription_id = $1", [
      subscription.subscription_id,
    ]);
    sink.usual = 200;
    const before = sink.received.length;
    await temporalClient().workflow.execute("maintenance", {
      args: ["reconcile"],
      taskQueue: service.config.temporalTaskQueue,
      workflowId: `reconcile-${subscription.subscription_id}`,
    });
    await got(sink, before + 1);
    assert.equal((await schedule.result()).ended, "succeeded");
  });

  it("ends a retry schedule that looks again after its event got through and a sender took over", async () => {
    sink.answerNext(503);
    await emit(warehouse_id, 2);
    await got(sink, 3);
    const { workflowId } = await retrySchedule();
    await processOf(workflowId).result();
    await until(async () => !(await isFree()));
    const [first] = await rows();
    const { subscription_id } = subscription;
    const late = await temporalClient().workflow.start("webhookDelivery", {
      args: [{ subscription_id, first_delivery_id: first?.delivery_id, event_id: first?.event_id, event_type: null }],
      taskQueue: service.config.temporalTaskQueue,
      workflowId,
    });
    assert.equal((await late.result()).ended, "succeeded");
  });

  it("never goes back to events that it has sent, also when it has not heard of any event yet", async () => {
    await emit(warehouse_id, 2);
    await got(sink, 2);
    await patch({ status: "paused" });
    await nobodySends();
    const version = await db.row<{ updated_at: string; scanned: number }>(
      `update webhook_subscriptions set status = 'active', pause_reason = null, updated_at = clock_timestamp()
       where subscription_id = $1 returning updated_at, scanned_event_id as scanned`,
      [subscription.subscription_id],
    );
    const claimed = await claim({
      subscriptionId: subscription.subscription_id,
      ...{ ended: [], unsent: [], ordering: "subscription", filter: {}, scanned: 0, due: 0, most: 1 },
      version: version?.updated_at as string,
    });
    const { current, deliveries, scanned } = claimed;
    assert.deepEqual({ current, deliveries, scanned }, { current: true, deliveries: [], scanned: version?.scanned });
  });
});
