import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import pg from "pg";
import { command } from "../../activities/command.js";
import { sequenceAll } from "../../activities/outbound/sequencer.js";
import { connect, disconnect } from "../../src/platform/db/db.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { runSequencer } from "../../workers/sequencer.js";
import { db } from "../support/db.js";
import { adjusted } from "../support/events.js";
import { pluck } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";

/** One command with one event, the n-th of a writer. */
const emit = (writer: number, n: number) =>
  command("test.emit", systemActor(randomUUID()), {}, async (tx) => tx.emit(adjusted(writer, n)));

interface Seen {
  event_id: number;
  writer: number;
  n: number;
}
const newerThan = (event_id: number, most = 1_000) =>
  db.rows<Seen>(
    `select event_id, warehouse_id as writer, entity_id as n from integration_events
     where event_id > $1 order by event_id limit $2`,
    [event_id, most],
  );

describe("the sequencer", () => {
  const service = testService();
  before(async () => {
    await disconnect();
    connect(service.config.databaseUrl, 40);
  });

  it("gives a reader that polls every event of 32 writers once, in order, with two sequencers at work", async () => {
    const sequencers = [runSequencer(), runSequencer()];
    const seen: Seen[] = [];
    let writing = true;
    const reading = until(async () => {
      seen.push(...(await newerThan(seen.at(-1)?.event_id ?? 0, 50)));
      return !writing && seen.length >= 32 * 25;
    });
    await Promise.all(
      Array.from({ length: 32 }, async (_, writer) => {
        for (let n = 0; n < 25; n++) {
          await emit(writer, n);
          if (n % 10 === writer % 10) await sequenceAll();
        }
      }),
    );
    writing = false;
    await reading;
    await Promise.all(sequencers.map((sequencer) => sequencer.stop()));
    assert.deepEqual(
      pluck(seen, "event_id"),
      seen.map((_, i) => i + 1),
    );
    for (let writer = 0; writer < 32; writer++)
      assert.deepEqual(
        pluck(
          seen.filter((event) => event.writer === writer),
          "n",
        ),
        Array.from({ length: 25 }, (_, n) => n),
      );
    assert.deepEqual(await newerThan(seen.length), []);
  });

  it("numbers by commit: who commits later gets a higher number, though it wrote first", async () => {
    const slow = new pg.Client(service.config.databaseUrl);
    await slow.connect();
    await slow.query("begin");
    await slow.query(
      `insert into integration_events (event_type, aggregate_type, aggregate_external_id, entity_type, entity_id,
        warehouse_id,
                                       source_txn_id, payload)
       values ('ship.confirmed', 'sales_order', gen_random_uuid(), 'sales_order', 1, 901, gen_random_uuid(), '{}')`,
    );
    await emit(902, 1);
    await sequenceAll();
    await slow.query("commit");
    await slow.end();
    await sequenceAll();
    const last = (await newerThan(0)).slice(-2).map(({ writer }) => writer);
    assert.deepEqual(last, [902, 901]);
  });

  it("never gives a number again, also when the newest events are gone", async () => {
    await emit(903, 1);
    await sequenceAll();
    const newest = (await newerThan(0)).at(-1)?.event_id as number;
    await db.run("delete from integration_events");
    await emit(903, 2);
    assert.equal(await sequenceAll(), 1);
    assert.deepEqual(await newerThan(0), [{ event_id: newest + 1, writer: 903, n: 2 }]);
  });

  it("numbers more than one batch at once, and nothing when nothing waits", async () => {
    await db.run(
      `insert into integration_events (event_type, aggregate_type, aggregate_external_id, entity_type, entity_id,
        warehouse_id,
                                       source_txn_id, payload)
       select 'ship.confirmed', 'sales_order', gen_random_uuid(), 'sales_order', n, 1, gen_random_uuid(), '{}'
       from generate_series(1, 2500) n`,
    );
    assert.equal(await sequenceAll(), 2_500);
    assert.equal(await sequenceAll(), 0);
  });

  it("tells listeners of new numbers, and the newest of them", async () => {
    const listener = new pg.Client(service.config.databaseUrl);
    await listener.connect();
    await listener.query("listen integration_events_visible");
    const told: (string | undefined)[] = [];
    listener.on("notification", ({ payload }) => told.push(payload));
    await sequenceAll();
    await emit(904, 1);
    await sequenceAll();
    await until(() => told.length > 0);
    const newest = (await newerThan(0, 10_000)).at(-1)?.event_id;
    assert.deepEqual(told, [`${newest}`]);
    await listener.end();
  });
});
