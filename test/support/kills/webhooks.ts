import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { MAX_CLAIM } from "../../../activities/outbound/webhooks/sending/sender.js";
import type { Ordering } from "../../../src/outbound/webhooks/shapes.js";
import { db } from "../db.js";
import { emit, eventsOf, rowsOf, type Subscribed, subscribe } from "../deliveries.js";
import { warehouse } from "../fixtures.js";
import { pluck } from "../pluck.js";
import { openSink, type Sink } from "../sink.js";
import type { Stack } from "../stack.js";
import { until } from "../until.js";
import { WEBHOOKS } from "../webhooks.js";
import { HEALED_WITHIN_MS } from "./kills.js";

const PARTNERS = 5;
/** The last one gets events of so many aggregates, in the order of each; the one before it gets batches. */
const AGGREGATES = Array.from({ length: 20 }, () => randomUUID());
/** A partner's server fails so many of its requests. */
const FAILURES = 0.03;
const BATCH = { max_events: 10, max_wait_ms: 300 };
const EMITS_EVERY_MS = 80;
const MOST_BEHIND = 300;

/** Who is sent the events of a warehouse of its own. */
interface Partner {
  warehouse_id: number;
  sink: Sink;
  subscription: Subscribed;
  ordering: Ordering;
  emitted: number;
}

/** So many of its events have arrived. */
export const arrived = ({ sink }: Partner) => new Set(sink.received.flatMap(eventsOf)).size;

/** Waits until every attempt of a partner's events has ended. */
export const settled = ({ subscription }: Partner) =>
  until(async () => {
    const rows = await rowsOf(subscription.subscription_id);
    return rows.every(({ status }) => ["succeeded", "failed"].includes(status));
  });

/** Events for several partners, and an admin who pauses, resumes and replays, whatever else happens. */
export async function webhooksOf({ admin }: Pick<Stack, "admin">) {
  const partners: Partner[] = [];
  for (let i = 0; i < PARTNERS; i++) {
    const warehouse_id = await warehouse();
    const sink = await openSink();
    sink.usual = () => (Math.random() < FAILURES ? 500 : 200);
    const subscription_filter = { warehouse_ids: [warehouse_id] };
    const ordering = i < PARTNERS - 1 ? "subscription" : "aggregate";
    const batch = i === PARTNERS - 2 ? BATCH : null;
    const subscription = await subscribe(admin, sink.url, { subscription_filter, ordering, batch });
    partners.push({ warehouse_id, sink, subscription, ordering, emitted: 0 });
  }
  const every = <T>(work: (partner: Partner) => Promise<T>) => Promise.all(partners.map(work));

  async function write(partner: Partner, end: AbortSignal): Promise<void> {
    while (!end.aborted) {
      const n = partner.emitted + 1;
      await emit(partner.warehouse_id, 1, n, AGGREGATES[n % AGGREGATES.length]);
      partner.emitted++;
      await pause(EMITS_EVERY_MS);
      // Each failure costs its wait, so there is a rate that nobody keeps up with.
      await until(() => end.aborted || partner.emitted - arrived(partner) < MOST_BEHIND, HEALED_WITHIN_MS);
    }
  }

  async function administer({ subscription }: Partner, end: AbortSignal): Promise<void> {
    const path = `${WEBHOOKS}/${subscription.subscription_id}`;
    while (!end.aborted) {
      await pause(700 * Math.random());
      await admin.patch(path, { status: "paused" }).catch(() => {});
      await pause(100 * Math.random());
      await until(
        async () => (await admin.patch(path, { status: "active" }).catch(() => undefined))?.status === 200,
        HEALED_WITHIN_MS,
      );
    }
  }

  /** What a failed test wants to know. */
  async function state(partner: Partner) {
    const row = await db.row<object>(
      `select status, pause_reason, last_delivered_event_id, scanned_event_id,
              (select json_agg(w) from (select status, attempt_number, count(*) from webhook_deliveries d
                                        where d.subscription_id = s.subscription_id group by 1, 2) w) as deliveries
       from webhook_subscriptions s where subscription_id = $1`,
      [partner.subscription.subscription_id],
    );
    return { ...row, emitted: partner.emitted, arrived: arrived(partner) };
  }

  return {
    partners,
    /** Goes on until its end. */
    load: async (end: AbortSignal) => {
      await every((partner) => Promise.all([write(partner, end), administer(partner, end)]));
    },
    /** Waits until each partner got so many more events. */
    more: async (count = 10) => {
      await every((partner) => {
        const wanted = arrived(partner) + count;
        return until(() => arrived(partner) >= wanted, HEALED_WITHIN_MS);
      });
    },
    /** The partners' servers break off what they are sent, and come back. */
    sinksDie: async () => {
      for (const { sink } of partners) await sink.stop();
      await pause(1_000);
      for (const { sink } of partners) await sink.start();
    },
    /**
     * Every partner gets every event, in order, and few of them twice.
     * @param ends How often anything was killed that sends, or that is needed for it.
     */
    assertArrived: async (ends: number) => {
      await until(() => partners.every((one) => arrived(one) === one.emitted), HEALED_WITHIN_MS).catch(
        async (cause) => {
          throw new Error(JSON.stringify(await every(state)), { cause });
        },
      );
      for (const partner of partners) await assertArrivedAt(partner, ends);
    },
    close: async () => {
      for (const { sink } of partners) await sink.stop();
    },
  };
}

/** Each of these events came, none before the one before it, nor again when more than so many after it had come. */
function assertInOrder(sink: Sink, eventIds: number[], again: number): void {
  const place = new Map(eventIds.map((event_id, i) => [event_id, i]));
  let next = 0;
  for (const event_id of sink.received.flatMap(eventsOf)) {
    const i = place.get(event_id);
    if (i === undefined) continue;
    assert.ok(i <= next, `event ${event_id} came before the one before it`);
    assert.ok(next - i <= again, `event ${event_id} came again long after it had come`);
    next = Math.max(next, i + 1);
  }
  assert.equal(next, eventIds.length);
}

async function assertArrivedAt(partner: Partner, ends: number): Promise<void> {
  const { warehouse_id, sink, subscription, ordering } = partner;
  const events = await db.rows<{ event_id: number; aggregate: string }>(
    `select event_id, aggregate_external_id::text as aggregate from integration_events
     where warehouse_id = $1 order by event_id`,
    [warehouse_id],
  );
  const known = new Set(pluck(events, "event_id"));
  const sent = sink.received.flatMap(eventsOf);
  for (const event_id of sent) assert.ok(known.has(event_id), `event ${event_id} is of somebody else`);
  if (ordering === "subscription") {
    assertInOrder(sink, pluck(events, "event_id"), MAX_CLAIM);
    assert.equal(sink.mostAtOnce, 1, "one at a time");
  } else
    for (const of of AGGREGATES)
      assertInOrder(
        sink,
        pluck(
          events.filter(({ aggregate }) => aggregate === of),
          "event_id",
        ),
        1,
      );
  await settled(partner);
  const rows = await rowsOf(subscription.subscription_id);
  const failed = rows.filter(({ status }) => status === "failed").length;
  const again = sent.length - events.length - failed;
  assert.ok(again <= MAX_CLAIM * ends, `${again} sent again, though it had arrived`);
  console.log(
    `    ${ends} kills, ${events.length} events, ${failed} attempts failed, ${Math.max(0, again)} sent again`,
  );
}
