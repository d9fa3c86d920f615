import assert from "node:assert/strict";
import { once } from "node:events";
import { MockActivityEnvironment } from "@temporalio/testing";
import { openSenders, type RunningSenders } from "../../activities/outbound/webhooks/sending/senders.js";
import { db } from "../../src/db/db.js";
import type { Attempted, StuckDelivery, Turn } from "../../src/outbound/webhooks/delivery.js";
import { runSequencer } from "../../workers/sequencer.js";
import { emit, got, numbersIn, rowsOf, senderEnv, subscribe } from "../support/deliveries.js";
import { warehouse } from "../support/fixtures.js";
import { type House, openHouse } from "../support/house.js";
import { openSink, type Sink } from "../support/sink.js";
import { until } from "../support/until.js";

describe("the activities that send webhooks", () => {
  let house: House;
  let sequencer: { stop: () => Promise<void> };
  /** Those of this worker, and of others. */
  let senders: RunningSenders;
  const opened: RunningSenders[] = [];
  let sink: Sink;
  let warehouse_id: number;
  let id: string;
  before(async () => {
    house = await openHouse({ env: senderEnv });
    sequencer = runSequencer();
  });
  after(async () => {
    await sequencer.stop();
    await house.close();
  });
  beforeEach(async () => {
    senders = open();
    sink = await openSink();
    warehouse_id = await warehouse();
    const filter = { subscription_filter: { warehouse_ids: [warehouse_id] } };
    id = (await subscribe(house.admin, sink.url, filter)).subscription_id;
  });
  afterEach(async () => {
    for (const { stop, close } of opened.splice(0)) {
      stop();
      await close();
    }
    await sink.stop();
  });
  function open(config = house.config): RunningSenders {
    const made = openSenders(config);
    opened.push(made);
    return made;
  }

  const statuses = async () => (await rowsOf(id)).map(({ status }) => status);
  const locksHeld = async () =>
    (
      await db.rows(
        `select from pg_locks join pg_stat_activity using (pid)
         where locktype = 'advisory' and granted and application_name = 'warehouse webhook locks'
           and datname = current_database()`,
      )
    ).length;
  /** A turn of sending, as the engine runs it. */
  function turn({ activities } = senders) {
    const env = new MockActivityEnvironment();
    const ended = env.run(activities.deliverInOrder, id) as Promise<Turn>;
    ended.catch(() => {});
    return { env, ended };
  }
  const attempt = (stuck: StuckDelivery) =>
    new MockActivityEnvironment().run(senders.activities.attemptDelivery, stuck) as Promise<Attempted>;

  it("are heard of while they wait for events, and end when they are cancelled", async () => {
    const { env, ended } = turn();
    const heard = once(env, "heartbeat");
    await emit(warehouse_id);
    await got(sink, 1);
    await heard;
    await until(async () => (await statuses())[0] === "succeeded");
    env.cancel();
    assert.deepEqual(await ended, {});
  });

  for (const [what, end] of [
    ["cancelled", (env: MockActivityEnvironment) => env.cancel()],
    ["told that the worker stops", () => senders.stop()],
  ] as const)
    it(`finish the delivery they are at when they are ${what}, and give back the rest`, async () => {
      await emit(warehouse_id, 20);
      const { env, ended } = turn();
      // So that there is a rest of what was taken together.
      sink.usual = () => {
        if (sink.received.length === 3) end(env);
        return 200;
      };
      assert.deepEqual(await ended, {});
      assert.deepEqual(numbersIn(sink), [1, 2, 3]);
      const rows = await statuses();
      assert.deepEqual(
        rows.filter((status) => status !== "pending"),
        ["succeeded", "succeeded", "succeeded"],
      );
    });

  it("go on where the turn before was cancelled", async () => {
    await emit(warehouse_id, 20);
    const first = turn();
    sink.usual = () => {
      if (sink.received.length === 10) first.env.cancel();
      return 200;
    };
    await first.ended;
    const second = turn();
    await got(sink, 20);
    second.env.cancel();
    await second.ended;
    assert.deepEqual(
      numbersIn(sink),
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
  });

  it("end with the delivery that failed, and attempt that one on its schedule", async () => {
    await emit(warehouse_id, 2);
    sink.answerNext(500, 503);
    const { stuck } = await turn().ended;
    const [first] = await rowsOf(id);
    assert.deepEqual(stuck, {
      ...{ subscription_id: id, first_delivery_id: first?.delivery_id },
      ...{
        event_id: first?.event_id,
        event_type: "inventoryadjusted.completed",
      },
    });
    const attempted: Attempted[] = [];
    while (!attempted.at(-1)?.ended) attempted.push(await attempt(stuck as StuckDelivery));
    const [failed, ...others] = attempted.filter(({ failure }) => failure);
    assert.equal(failed?.failure, "5xx 503");
    assert.equal(failed?.next?.attempt, 3);
    assert.deepEqual(others, []);
    assert.deepEqual(attempted.at(-1), { ended: "succeeded" });
    // Too early, it is told how long to wait.
    for (const { next } of attempted.slice(0, -1)) assert.ok(next && next.wait_ms > 0 && next.wait_ms <= 110);
  });

  it("say what a subscription is that sends nothing", async () => {
    await emit(warehouse_id);
    sink.answerNext(500);
    const { stuck } = await turn().ended;
    const path = `/api/admin/webhooks/${id}`;
    await house.admin.ok("PATCH", path, { status: "paused" });
    assert.deepEqual(await turn().ended, { ended: "paused" });
    assert.deepEqual(await attempt(stuck as StuckDelivery), {
      ended: "paused",
    });
    await house.admin.ok("DELETE", path);
    assert.deepEqual(await turn().ended, { ended: "revoked" });
    await house.admin.ok("DELETE", `${path}?purge=true`);
    assert.deepEqual(await turn().ended, { ended: "deleted" });
    const disabled = open({ ...house.config, dispatcherEnabled: false });
    assert.deepEqual(await turn(disabled).ended, { ended: "disabled" });
  });

  it("send for a subscription one at a time: who is cancelled while it waits has sent nothing", async () => {
    const first = turn();
    await until(async () => (await locksHeld()) === 1);
    await emit(warehouse_id);
    const second = turn(open());
    await once(second.env, "heartbeat");
    await got(sink, 1);
    second.env.cancel();
    await assert.rejects(second.ended, /cancel/i);
    first.env.cancel();
    await first.ended;
    assert.equal(sink.received.length, 1);
  });
});
