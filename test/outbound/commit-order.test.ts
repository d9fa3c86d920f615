import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { notifySenders, webhookReceivers } from "../../activities/outbound/receivers.js";
import { connect, disconnect, transaction } from "../../src/platform/db/db.js";
import { runSequencer } from "../../workers/sequencer.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { senderEnv, subscribe } from "../support/deliveries.js";
import { ACK, consumerGroup, EVENTS } from "../support/polling.js";
import { openService, type TestService } from "../support/service.js";
import { openSink, type Sink } from "../support/sink.js";
import { tokenCaller } from "../support/tokens.js";
import { until } from "../support/until.js";

/** How many events there are in all: `TEST_EVENTS=100000 npx mocha dist/test/outbound/commit-order.test.js`. */
const EVENTS_IN_ALL = Number(process.env.TEST_EVENTS ?? 3_200);
const WRITERS = 32;
const EACH = EVENTS_IN_ALL / WRITERS;
/** The first warehouses are the writers'; a writer's events take turns between two types. */
const warehouses = Array.from({ length: WRITERS }, (_, writer) => writer + 1);
const types = ["ship.confirmed", "pick.confirmed"] as const;
const typeOf = (n: number) => types[n % 2] as string;

interface Event {
  event_id: number;
  data: { writer: number; n: number };
}

/** One who takes events, however it gets them, until all were written and nothing more comes. */
interface Reader {
  name: string;
  /** Which events it is to get. */
  wants: (writer: number, n: number) => boolean;
  seen: Event[];
  /** Takes what there is. */
  read: () => Promise<void>;
}

describe(`${WRITERS} writers who commit when they please, and those who read`, function () {
  this.timeout(60_000 + EVENTS_IN_ALL * 10);
  let service: TestService;
  let sink: Sink;
  before(async () => {
    service = await openService({ worker: true, env: senderEnv });
    sink = await openSink();
    await disconnect();
    connect(service.config.databaseUrl, 60);
    await consumerGroup("erp");
  });
  after(async () => {
    await service.close();
    await sink.stop();
  });

  /**
   * Writes the events of a writer, one to four at a time, and lets each lie open before it commits: for a moment, and
   * now and then for longer than readers stay behind.
   */
  async function write(writer: number): Promise<void> {
    for (let n = 0, turn = writer; n < EACH; turn++) {
      const first = n;
      n = Math.min(EACH, n + 1 + Math.floor(Math.random() * 4));
      await transaction(async (tx) => {
        await tx.run(
          `insert into integration_events (event_type, aggregate_type, aggregate_external_id, entity_type, entity_id,
                                           warehouse_id, source_txn_id, payload)
           select ($4::text[])[1 + n % 2], 'sales_order', gen_random_uuid(), 'sales_order', n, $1, $5,
                  jsonb_build_object('writer', $1::int, 'n', n)
           from generate_series($2::int, $3::int - 1) n order by n`,
          [writer, first, n, types, randomUUID()],
        );
        await pause(turn % 64 === 0 ? 3_000 : Math.random() * 20);
      });
    }
  }

  const token = async () =>
    (
      await tokenCaller(service, {
        ...{ event_types: [...types], warehouse_ids: warehouses },
        ...{ endpoints: ["events.poll", "events.ack"], connector_id: "erp" },
      })
    ).caller;
  const poller = (name: string, wants: Reader["wants"], poll: (seen: Event[]) => Promise<Event[]>): Reader => {
    const seen: Event[] = [];
    const read = async () => {
      for (let more = 1; more > 0; ) {
        const events = await poll(seen);
        seen.push(...events);
        more = events.length;
      }
    };
    return { name, wants, seen, read };
  };
  const eventsOf = async (caller: Caller, query: string): Promise<Event[]> =>
    (await caller.ok("GET", `${EVENTS}?${query}`)).events;

  /** Everyone who reads. Another way to get events is one more entry. */
  async function readers(): Promise<Reader[]> {
    const caller = await token();
    const group = await consumerGroup("erp");
    return [
      poller(
        "everything, after the last it has",
        () => true,
        (seen) => eventsOf(caller, `limit=50&after=${seen.at(-1)?.event_id ?? 0}`),
      ),
      poller(
        "everything, as a group that acknowledges",
        () => true,
        async () => {
          const events = await eventsOf(caller, `consumer_group=${group}`);
          const cursor = events.at(-1)?.event_id;
          if (cursor !== undefined) await caller.ok("POST", ACK, { consumer_group: group, cursor });
          return events;
        },
      ),
      poller(
        "one type of one warehouse",
        (writer, n) => writer === 7 && n % 2 === 1,
        (seen) => eventsOf(caller, `types=${typeOf(1)}&warehouse_id=7&after=${seen.at(-1)?.event_id ?? 0}`),
      ),
      await webhook(),
    ];
  }

  /** Everything, by webhook, as fast as it goes. */
  async function webhook(): Promise<Reader> {
    await db.run("alter table webhook_subscriptions drop constraint webhook_subscriptions_rate_check");
    const { subscription_id } = await subscribe(service.admin, sink.url);
    await db.run(
      `update webhook_subscriptions set rate_limit_per_second = 1000000, updated_at = clock_timestamp()
        where subscription_id = $1`,
      [subscription_id],
    );
    await notifySenders(db, webhookReceivers, subscription_id);
    const seen: Event[] = [];
    const read = async () => {
      for (const { body } of sink.received.slice(seen.length)) seen.push(JSON.parse(body.toString()));
    };
    return { name: "a webhook", wants: () => true, seen, read };
  }

  it("lose nothing between them: each reader gets all that it wants, once, in the order of the commits", async () => {
    const sequencers = [runSequencer(), runSequencer()];
    const all = await readers();
    let written = false;
    const reading = all.map(async ({ name, wants, seen, read }) => {
      const due = warehouses.flatMap((writer) =>
        Array.from({ length: EACH }, (_, n) => n).filter((n) => wants(writer, n)),
      ).length;
      await until(
        async () => {
          await read();
          return written && seen.length >= due;
        },
        30_000 + EVENTS_IN_ALL * 5,
      ).catch((cause) => {
        throw new Error(`${name}: ${seen.length} of ${due}`, { cause });
      });
    });
    const writing = Promise.all(warehouses.map(write)).then(() => {
      written = true;
    });
    await Promise.all([writing, ...reading]);
    await Promise.all(sequencers.map((sequencer) => sequencer.stop()));
    for (const { name, wants, seen } of all) {
      const ids = seen.map((event) => event.event_id);
      assert.deepEqual(
        ids,
        [...new Set(ids)].toSorted((a, b) => a - b),
        name,
      );
      for (const writer of warehouses)
        assert.deepEqual(
          seen.filter((event) => event.data.writer === writer).map(({ data }) => data.n),
          Array.from({ length: EACH }, (_, n) => n).filter((n) => wants(writer, n)),
          `${name}: of writer ${writer}`,
        );
    }
  });
});
