import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { StuckDelivery } from "../../src/outbound/sending.js";
import { runSequencer } from "../../workers/sequencer.js";
import { db } from "../support/db.js";
import { emit, got, numbersIn, rowsOf, senderEnv, subscribe } from "../support/deliveries.js";
import { warehouse } from "../support/fixtures.js";
import { sendersOf } from "../support/running-senders.js";
import { openService, type TestService } from "../support/service.js";
import { openSink, type Received, type Sink } from "../support/sink.js";
import { until } from "../support/until.js";

const HOUR_MS = 3_600_000;
const [A, B] = [randomUUID(), randomUUID()];

describe("a webhook in the order of aggregates", () => {
  let service: TestService;
  let sequencer: { stop: () => Promise<void> };
  let sink: Sink;
  let warehouse_id: number;
  let id: string;
  /** What Temporal would show, and look after. */
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
    const fields = { subscription_filter: { warehouse_ids: [warehouse_id] }, ordering: "aggregate" };
    id = (await subscribe(service.admin, sink.url, fields)).subscription_id;
  });
  afterEach(async () => {
    await stopAll();
    await db.run("update webhook_subscriptions set status = 'revoked', pause_reason = null");
    await sink.stop();
  });

  /** Senders whose retries come in an hour. */
  const startPatient = () => start({ dispatcherRetryDelaysMs: Array(7).fill(HOUR_MS) });
  const aggregateOf = ({ body }: Received): string => JSON.parse(body.toString()).aggregate_id;
  const refuse = (aggregate: string) => {
    sink.usual = (request) => (aggregateOf(request) === aggregate ? 500 : 200);
  };
  const retryNow = async () => {
    await db.run(
      "update webhook_deliveries set scheduled_at = now() where subscription_id = $1 and status = 'pending'",
      [id],
    );
    await change({ display_name: randomUUID() });
  };
  const path = () => `/api/admin/webhooks/${id}`;
  const change = (fields: object) => service.admin.ok("PATCH", path(), fields);
  const statuses = async () => (await rowsOf(id)).map(({ status }) => status);
  const stands = (...wanted: string[]) => until(async () => `${(await statuses()).toSorted()}` === `${wanted}`);

  it("sends those of others while one is under way, never two of the same", async () => {
    sink.answerNext("stall");
    start();
    await emit(warehouse_id, 2, 1, A);
    await emit(warehouse_id, 20, 3);
    await got(sink, 21);
    assert.ok(!numbersIn(sink).includes(2));
    assert.ok(sink.mostAtOnce > 1);
  });

  it("holds back those of an aggregate behind one that failed, and no others", async () => {
    refuse(A);
    const senders = startPatient();
    await emit(warehouse_id, 2, 1, A);
    await emit(warehouse_id, 2, 3, B);
    await got(sink, 3);
    await stands("failed", "pending", "pending", "succeeded", "succeeded");
    await until(() => failed.length === 1);
    assert.equal(failed[0]?.event_id, sink.received[numbersIn(sink).indexOf(1)]?.event_id);
    // It is this sender that goes on with it: the workflow looks again later.
    const { failure, next } = await senders.activities.attemptDelivery(failed[0] as StuckDelivery);
    assert.equal(failure, "5xx 500");
    assert.equal(next?.attempt, 2);
    assert.ok((next?.wait_ms ?? 0) > HOUR_MS / 2);
    sink.usual = 200;
    await retryNow();
    await got(sink, 5);
    assert.deepEqual(
      numbersIn(sink).filter((n) => n < 3),
      [1, 1, 2],
    );
    assert.equal(failed.length, 1);
  });

  it("goes on with those of an aggregate of which one was given up", async () => {
    refuse(A);
    start();
    await emit(warehouse_id, 1, 1, A);
    await until(async () => (await statuses()).includes("dlq"));
    sink.usual = 200;
    await emit(warehouse_id, 1, 2, A);
    await got(sink, 9);
    assert.deepEqual(numbersIn(sink), [...Array<number>(8).fill(1), 2]);
    assert.equal(failed.length, 1);
  });

  it("sends a replay behind what waits of its aggregate, and before what comes later", async () => {
    startPatient();
    await emit(warehouse_id, 1, 1, A);
    await until(async () => `${await statuses()}` === "succeeded");
    refuse(A);
    await emit(warehouse_id, 1, 2, A);
    await until(() => failed.length === 1);
    const [first] = await rowsOf(id);
    await service.admin.ok("POST", `${path()}/replay/${first?.delivery_id}`);
    await emit(warehouse_id, 1, 3, A);
    await emit(warehouse_id, 1, 4, B);
    await got(sink, 3);
    sink.usual = 200;
    await retryNow();
    await got(sink, 6);
    assert.deepEqual(numbersIn(sink), [1, 2, 4, 2, 1, 3]);
  });

  it("keeps both orders when it is changed to that of the subscription while one waits", async () => {
    refuse(A);
    const patient = startPatient();
    await emit(warehouse_id, 2, 1, A);
    await emit(warehouse_id, 1, 3, B);
    await stands("failed", "pending", "pending", "succeeded");
    await change({ ordering: "subscription" });
    await emit(warehouse_id, 1, 4, B);
    await until(() => failed.length === 2, 30_000);
    sink.usual = 200;
    const [stuck] = failed;
    await db.run(
      "update webhook_deliveries set scheduled_at = now() where subscription_id = $1 and status = 'pending'",
      [id],
    );
    await until(async () => (await patient.activities.attemptDelivery(stuck as StuckDelivery)).ended === "succeeded");
    await got(sink, 5);
    assert.deepEqual(numbersIn(sink), [1, 3, 1, 2, 4]);
  });

  it("sends what waits behind one that failed when it is changed to that of aggregates", async () => {
    await change({ ordering: "subscription" });
    refuse(A);
    startPatient();
    await emit(warehouse_id, 2, 1, A);
    await emit(warehouse_id, 1, 3, B);
    await until(() => failed.length === 1);
    await change({ ordering: "aggregate" });
    await got(sink, 2);
    sink.usual = 200;
    await retryNow();
    await got(sink, 4);
    assert.deepEqual(numbersIn(sink), [1, 3, 1, 2]);
  });

  it("sends no event again when the filter is changed while one waits", async () => {
    refuse(A);
    startPatient();
    await emit(warehouse_id, 2, 1, A);
    await emit(warehouse_id, 1, 3, B);
    await stands("failed", "pending", "pending", "succeeded");
    await change({ subscription_filter: { warehouse_ids: [warehouse_id], event_types: [TYPE] } });
    sink.usual = 200;
    await retryNow();
    await emit(warehouse_id, 1, 4, B);
    await got(sink, 5);
    await until(async () => !(await statuses()).some((status) => status === "pending" || status === "in_flight"));
    assert.deepEqual(numbersIn(sink).toSorted(), [1, 1, 2, 3, 4]);
  });

  it("begins no more of them when very many wait for a retry", async () => {
    sink.usual = 500;
    const fields = { rate_limit_per_second: 100, dlq_ceiling: 10 };
    await change(fields);
    startPatient();
    await emit(warehouse_id, 130);
    await got(sink, 100, 60_000);
    await until(async () => !(await statuses()).includes("in_flight"));
    assert.ok(sink.received.length < 120, `${sink.received.length} were tried`);
    sink.usual = 200;
    await retryNow();
    await until(async () => (await statuses()).filter((status) => status === "succeeded").length === 130, 60_000);
  });

  it("keeps the order of each, whatever fails, and whoever sends, in whichever order", async () => {
    const aggregates = Array.from({ length: 8 }, () => randomUUID());
    const accepted = new Map<string, number>();
    const wrong: string[] = [];
    sink.usual = (request) => {
      const aggregate = aggregateOf(request);
      const n: number = JSON.parse(request.body.toString()).data.quantity_delta;
      const before = accepted.get(aggregate) ?? 0;
      if (n > before + 1) wrong.push(`${n} after ${before} of ${aggregate}`);
      if (Math.random() < 0.15) return 500;
      accepted.set(aggregate, Math.max(before, n));
      return 200;
    };
    const COUNT = 30;
    let emitted = false;
    const emitting = (async () => {
      for (let n = 1; n <= COUNT; n++) await Promise.all(aggregates.map((one) => emit(warehouse_id, 1, n, one)));
      emitted = true;
    })();
    const arrived = () => [...accepted.values()].reduce((sum, n) => sum + n, 0);
    for (let round = 0; !emitted || arrived() < COUNT * aggregates.length; round++) {
      const senders = start();
      const before = arrived();
      await until(() => arrived() > before + 10 || arrived() === COUNT * aggregates.length, 60_000);
      if (round % 2 === 0) await stop(senders);
      else {
        await db.run("select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1", [
          "warehouse webhook locks",
        ]);
        await stop(senders);
      }
      await change({ display_name: `Round ${round}` });
    }
    await emitting;
    assert.deepEqual(wrong, []);
  });
});

const TYPE = "inventoryadjusted.completed";
