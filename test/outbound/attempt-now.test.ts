import assert from "node:assert/strict";
import { runSequencer } from "../../workers/sequencer.js";
import { db } from "../support/db.js";
import { emit, got, numbersIn, rowsOf, type Subscribed, senderEnv, subscribe } from "../support/deliveries.js";
import { warehouse } from "../support/fixtures.js";
import { pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { openService, type TestService } from "../support/service.js";
import { openSink, type Sink } from "../support/sink.js";
import { until } from "../support/until.js";
import { delivery } from "../support/webhooks.js";

const HOUR_MS = 3_600_000;

describe("a delivery that waits for its next attempt", () => {
  let service: TestService;
  let sequencer: { stop: () => Promise<void> };
  let warehouse_id: number;
  let sink: Sink;
  let subscription: Subscribed;
  before(async () => {
    const DISPATCHER_RETRY_DELAYS_MS = Array(7).fill(HOUR_MS).join(",");
    service = await openService({ worker: true, env: { ...senderEnv, DISPATCHER_RETRY_DELAYS_MS } });
    sequencer = runSequencer();
  });
  after(async () => {
    await sequencer.stop();
    await service.close();
  });
  beforeEach(async () => {
    warehouse_id = await warehouse();
    sink = await openSink();
  });
  afterEach(async () => {
    await service.admin.delete(path());
    await sink.stop();
  });

  const path = (rest = "") => `/api/admin/webhooks/${subscription.subscription_id}${rest}`;
  const subscribed = async (fields: object = {}) => {
    const subscription_filter = { warehouse_ids: [warehouse_id] };
    subscription = await subscribe(service.admin, `${sink.url}/hook`, { subscription_filter, ...fields });
  };
  const rows = () => rowsOf(subscription.subscription_id);
  const waiting = async () =>
    (await rows()).filter(({ status, attempt_number }) => status === "pending" && attempt_number > 1);
  const waits = (count: number) => until(async () => (await waiting()).length === count);
  const now = (body: object = {}) => service.admin.ok("POST", path("/attempt-now"), body);

  it("is attempted at once, as the attempt that was due later, and those behind it go on", async () => {
    await subscribed();
    sink.answerNext(503, 503);
    await emit(warehouse_id, 2);
    await waits(1);
    const mark = await auditMark();
    const { subscription_id } = subscription;
    assert.deepEqual(await now(), { subscription_id, attempts: 1 });
    // It fails once more: the third attempt is due in an hour again.
    await until(async () => (await waiting())[0]?.attempt_number === 3);
    assert.deepEqual(numbersIn(sink), [1, 1]);
    assert.deepEqual(await now(), { subscription_id, attempts: 1 });
    await got(sink, 4);
    assert.deepEqual(numbersIn(sink), [1, 1, 1, 2]);
    await until(async () => (await rows()).at(-1)?.status === "succeeded");
    const ofFirst = (await rows()).filter(({ event_id }) => event_id === sink.received[0]?.event_id);
    assert.deepEqual(pluckAll(ofFirst, "attempt_number", "status"), [
      [1, "failed"],
      [2, "failed"],
      [3, "succeeded"],
    ]);
    assert.deepEqual(await now(), { subscription_id, attempts: 0 });
    const audited = (await auditSince(mark)).filter(
      ({ action_type }) => action_type === "WEBHOOK_DELIVERY_ATTEMPT_NOW",
    );
    assert.equal(audited.length, 2);
  });

  it("is the only one that is attempted where it is named", async () => {
    await subscribed({ ordering: "aggregate" });
    sink.answerNext(503, 503);
    await emit(warehouse_id, 2);
    await waits(2);
    const [one, other] = await waiting();
    const { delivery_id } = one as { delivery_id: number };
    assert.equal((await now({ delivery_id })).attempts, 1);
    await got(sink, 3);
    await waits(1);
    assert.equal((await waiting())[0]?.delivery_id, other?.delivery_id);
    assert.equal((await now()).attempts, 1);
    await got(sink, 4);
    await waits(0);
    assert.deepEqual(numbersIn(sink).toSorted(), [1, 1, 2, 2]);
  });

  it("is left as it is where it waits for nothing, is not there, or its webhook is not active", async () => {
    await subscribed();
    const ended = await delivery(subscription.subscription_id, { status: "succeeded" });
    const code = async (body: object, of = path()) => (await service.admin.post(`${of}/attempt-now`, body)).body.error;
    assert.equal(await code({ delivery_id: ended }), "delivery_not_waiting");
    assert.equal(await code({ delivery_id: 999_999_999 }), "delivery_not_found");
    for (const delivery_id of [0, "x", 1.5]) assert.equal(await code({ delivery_id }), "validation_error");
    const nobody = "/api/admin/webhooks/00000000-0000-4000-8000-000000000000";
    assert.equal(await code({}, nobody), "subscription_not_found");
    assert.equal(await code({}, "/api/admin/webhooks/x"), "invalid_subscription_id");
    sink.answerNext(503);
    await emit(warehouse_id);
    await waits(1);
    await service.admin.ok("PATCH", path(), { status: "paused" });
    const mark = await auditMark();
    const [{ delivery_id } = { delivery_id: 0 }] = await waiting();
    for (const body of [{}, { delivery_id }]) assert.equal(await code(body), "webhook_not_active");
    const due = await db.value("select scheduled_at > now() from webhook_deliveries where delivery_id = $1", [
      delivery_id,
    ]);
    assert.deepEqual([due, await auditSince(mark)], [true, []]);
    await service.admin.ok("DELETE", path());
    assert.equal(await code({}), "webhook_not_active");
  });
});
