import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { verifyWebhook } from "../../examples/verify-webhook.js";
import { TestEvent } from "../../src/outbound/webhooks/test-event.js";
import { type Caller, statusAndError } from "../support/caller.js";
import { db } from "../support/db.js";
import { rowsOf, type Subscribed, senderEnv, subscribe } from "../support/deliveries.js";
import * as fixtures from "../support/fixtures.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";
import { openSink, type Received, type Sink } from "../support/sink.js";
import { numberedEvent, publicUrl, WEBHOOKS } from "../support/webhooks.js";

describe("the test of a webhook", () => {
  const service = testService({
    worker: true,
    env: {
      ...senderEnv,
      DISPATCHER_HTTP_TIMEOUT_MS: "1000",
      DISPATCHER_HTTP_READ_TIMEOUT_MS: "300",
      DISPATCHER_HTTP_CONNECT_TIMEOUT_MS: "300",
      DISPATCHER_RETRY_DELAYS_MS: "600000,1,1,1,1,1,1",
    },
  });
  let admin: Caller;
  let sink: Sink;
  let to: Subscribed;
  before(async () => {
    admin = service.admin;
  });
  beforeEach(async () => {
    sink = await openSink();
    to = await subscribe(admin, `${sink.url}/hook`, {
      subscription_filter: { aggregate_external_id_allowlist: [randomUUID()] },
    });
  });
  afterEach(async () => {
    await admin.delete(path());
    await sink.stop();
  });

  const path = (rest = "") => `${WEBHOOKS}/${to.subscription_id}${rest}`;
  const test = () => admin.post(path("/test"));
  /** As if the last test was long ago. */
  const later = () => db.run("update webhook_tests set created_at = created_at - interval '1 minute'");
  const eventIn = ({ body }: Received) => JSON.parse(body.toString());
  const record = () => admin.ok("GET", path());

  it("sends webhook.test once, signed as a delivery is, and says what came of it", async () => {
    const { status, body } = await test();
    assert.equal(status, 200);
    const { response_time_ms, ...answer } = body;
    assert.deepEqual(answer, {
      ...{ subscription_id: to.subscription_id, delivered: true, status_code: 200 },
      ...{ error_kind: null, error_detail: null },
    });
    assert.ok(Number.isInteger(response_time_ms));
    const [received] = sink.received as [Received];
    assert.equal(sink.received.length, 1);
    assert.ok(sink.verifies(received, to.secret));
    assert.ok(!verifyWebhook(received.headers, received.body, ["whsec_AAAA"]));
    const event = eventIn(received);
    assert.deepEqual(Object.keys(event), Object.keys(event).toSorted());
    const { event_timestamp, source_txn_id, epoch, data, ...rest } = TestEvent.parse(event);
    assert.deepEqual(rest, {
      ...{ event_id: 0, event_type: "webhook.test", event_version: 1, warehouse_id: 0 },
      ...{ aggregate_type: "webhook_subscription", aggregate_id: to.subscription_id },
    });
    assert.match(event_timestamp, /^\d{4}-.*\+00:00$/);
    assert.ok(source_txn_id);
    const current = await db.row("select epoch from stream_epochs order by begins_after desc limit 1");
    assert.deepEqual(current, { epoch });
    assert.equal(data.subscription_id, to.subscription_id);
    const { headers } = received;
    assert.equal(headers["x-service-event-type"], "webhook.test");
    assert.equal(headers["x-service-delivery-id"], `0:${headers["x-service-timestamp"]}`);
    assert.equal(headers["webhook-id"], `test_${data.test_id}`);
    assert.equal(headers["x-service-signature-generation"], "1");
  });

  it("moves no cursor, and makes no delivery and no event", async () => {
    const before = await record();
    const events = "select count(*) from integration_events";
    const count = await db.row(events);
    sink.answerNext(500);
    await test();
    assert.deepEqual(await record(), before);
    assert.deepEqual(await rowsOf(to.subscription_id), []);
    assert.deepEqual(await db.row(events), count);
  });

  it("names the kind of a failure, never what the partner said, and is not repeated", async () => {
    const kinds: unknown[] = [];
    for (const answer of [503, 404, "stall", "reset", { redirect: "https://elsewhere.example.com" }] as const) {
      await later();
      sink.answerNext(answer);
      const { status, body } = await test();
      assert.deepEqual([status, body.delivered], [200, false]);
      kinds.push([body.error_kind, body.status_code]);
    }
    assert.deepEqual(kinds, [
      ["5xx", 503],
      ["4xx", 404],
      ["timeout", null],
      ["connection", null],
      ["redirected", 302],
    ]);
    assert.equal(sink.received.length, 5);
    await later();
    await db.run("update webhook_secrets set secret_ciphertext = 'v1.00000000.AAAA' where subscription_id = $1", [
      to.subscription_id,
    ]);
    const { body } = await test();
    assert.deepEqual([body.delivered, body.error_kind, body.response_time_ms], [false, "unknown", null]);
  });

  it("goes to a paused one too, and to one that is stuck, and not to a revoked one", async () => {
    await admin.ok("PATCH", path(), { status: "paused" });
    assert.equal((await test()).body.delivered, true);
    assert.equal((await record()).status, "paused");
    await later();
    const event_id = await numberedEvent();
    await db.run(
      `insert into webhook_deliveries (subscription_id, event_id, attempt_number, scheduled_at)
       values ($1, $2, 2, now() + interval '1 hour')`,
      [to.subscription_id, event_id],
    );
    assert.equal((await test()).body.delivered, true);
    await admin.ok("DELETE", path());
    const { status, body } = await test();
    assert.deepEqual([status, body.error], [400, "cannot_test_revoked_subscription"]);
  });

  it("is limited to one in ten seconds for each subscription", async () => {
    const answers = await Promise.all([test(), test(), test()]);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 429, 429]);
    const refused = answers.find(({ status }) => status === 429);
    assert.equal(refused?.body.error, "webhook_test_throttled");
    assert.ok(refused?.body.seconds_until_retry >= 1 && refused?.body.seconds_until_retry <= 10);
    assert.equal(refused?.headers.get("retry-after"), `${refused?.body.seconds_until_retry}`);
    assert.equal(sink.received.length, 1);
    const other = await subscribe(admin, sink.url);
    assert.equal((await admin.post(`${WEBHOOKS}/${other.subscription_id}/test`)).status, 200);
    await admin.delete(`${WEBHOOKS}/${other.subscription_id}`);
  });

  it("is in the audit log", async () => {
    const mark = await auditMark();
    await test();
    const [row] = await auditSince(mark);
    const { test_id } = eventIn(sink.received[0] as Received).data;
    assert.deepEqual(row, {
      ...{ action_type: "WEBHOOK_TEST", entity_type: "WEBHOOK_SUBSCRIPTION", entity_id: 0 },
      ...{ user_id: "admin", warehouse_id: null },
      details: {
        ...{ subscription_id: to.subscription_id, display_name: "Acme ERP", delivery_url: `${sink.url}/hook` },
        test_id,
      },
    });
  });

  it("is sent once under one Idempotency-Key", async () => {
    const same = admin.with({ "idempotency-key": randomUUID() });
    const first = await same.ok("POST", path("/test"));
    assert.deepEqual(await same.ok("POST", path("/test")), first);
    assert.equal(sink.received.length, 1);
  });

  it("is for those who may see the subscription", async () => {
    const warehouse_id = await fixtures.warehouse();
    const keeper = await service.user({ page_keys: ["webhooks"], warehouse_ids: [warehouse_id] });
    const other = await service.user({ warehouse_ids: [warehouse_id] });
    for (const [by, status, error] of [
      [keeper, 404, "subscription_not_found"],
      [other, 403, undefined],
    ] as const) {
      const refused = await by.post(path("/test"));
      assert.equal(refused.status, status);
      if (error) assert.equal(refused.body.error, error);
    }
    assert.deepEqual(statusAndError(await admin.post(`${WEBHOOKS}/no-id/test`)), [400, "invalid_subscription_id"]);
  });
});

describe("the test of a webhook whose address turned private", () => {
  const service = testService({ worker: true });

  it("sends nothing, as a delivery would", async () => {
    const { subscription_id } = await subscribe(service.admin, publicUrl());
    await db.run(
      "update webhook_subscriptions set delivery_url = 'https://169.254.169.254/' where subscription_id = $1",
      [subscription_id],
    );
    const { delivered, status_code, error_kind } = await service.admin.ok(
      "POST",
      `${WEBHOOKS}/${subscription_id}/test`,
    );
    assert.deepEqual([delivered, status_code, error_kind], [false, null, "ssrf_rejected"]);
  });
});
