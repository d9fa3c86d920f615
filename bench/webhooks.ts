import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { command } from "../activities/command.js";
import { notifySenders, webhookReceivers } from "../activities/outbound/receivers.js";
import type { Ordering } from "../src/outbound/webhooks/shapes.js";
import { int, text } from "../src/platform/db/columns.js";
import { db } from "../src/platform/db/db.js";
import { sharesOfWorkers } from "../test/support/shares.js";
import { anew } from "./case.js";
import { packed } from "./cases/events.js";
import { Connection, type RequestLine } from "./connection.js";
import { WAREHOUSE } from "./data.js";
import { type Times, timesOf } from "./measure.js";
import { arrived, openPartner } from "./partner.js";
import { rounded } from "./rounded.js";
import type { BenchService } from "./service.js";

/** How fast events reach webhooks on this machine, which is the partners', too. */
export interface Webhooks {
  /** Deliveries a second to one subscription, in order, and to ten together. */
  one_per_s: number;
  ten_per_s: number;
  /** The same to one whose receiver takes 50 ms to answer, in either order. */
  slow_one_per_s: Record<Ordering, number>;
  /** From the commit of an event to its arrival, at 50 events a second to each of ten subscriptions. */
  end_to_end_ms: Times & { least: number };
  /** The same for fast partners beside slow ones. */
  beside_slow_ms: Times & { least: number };
  /** Share of a processor that is taken by subscriptions without events. */
  idle_cpu: { worker: number; temporal: number };
  /** Until subscriptions are shared out among two workers, and until one has all again after the other was killed. */
  balanced_s: { after_start: number; after_kill: number };
}

const PARTNERS = 10;
const EVENTS_TO_ONE = 5_000;
const EVENTS_TO_TEN = 1_500;
const EVENTS_TO_SLOW_ONE = { subscription: 200, aggregate: 3_000 };
const ANSWER_MS = 50;
const EVENTS_A_SECOND = 50;
const SECONDS = 10;
const SLOW_PARTNERS = 20;
const FAST_PARTNERS = 40;
const SLOW_ANSWER_MS = 7_000;
const FEW_EVENTS_A_SECOND = 5;
const FEW_SECONDS = 30;
const IDLE_SUBSCRIPTIONS = 500;
const IDLE_SECONDS = 30;
const SETTLED_AFTER_MS = 5_000;

/** Partners' servers, all of them one: it notes when what arrived. */
async function openSink(answerAfterMs = 0) {
  const arrivals: { event_id: number; at: number }[] = [];
  const server = await openPartner((incoming, outgoing) => {
    const id = incoming.headers["x-service-delivery-id"];
    incoming.resume().on("end", () => {
      arrivals.push({ event_id: Number.parseInt(`${id}`, 10), at: Date.now() });
      if (answerAfterMs === 0) outgoing.end();
      else setTimeout(() => outgoing.end(), answerAfterMs);
    });
  });
  return { ...server, arrivals };
}

/**
 * Measures the service's worker. The rate that a subscription may ask for is lower than what is measured, so it is
 * lifted.
 * @param share The share of all events that are sent.
 */
export async function measureWebhooks(service: BenchService, share: number): Promise<Webhooks> {
  await service.enter();
  await db.run("alter table webhook_subscriptions drop constraint if exists webhook_subscriptions_rate_check");
  const sink = await openSink();
  const one_per_s = await deliveriesASecond(service, sink, 1, share * EVENTS_TO_ONE);
  const ten_per_s = await deliveriesASecond(service, sink, PARTNERS, share * EVENTS_TO_TEN);
  const slower = await openSink(ANSWER_MS);
  const slow = async (ordering: Ordering) =>
    rounded(await deliveriesASecond(service, slower, 1, share * EVENTS_TO_SLOW_ONE[ordering], ordering));
  const slow_one_per_s = { subscription: await slow("subscription"), aggregate: await slow("aggregate") };
  slower.close();
  const end_to_end_ms = await endToEnd(service, sink, PARTNERS, EVENTS_A_SECOND, share * SECONDS);
  const slowest = await openSink(SLOW_ANSWER_MS);
  const slowOnes = await subscribe(service, slowest, SLOW_PARTNERS);
  const beside_slow_ms = await endToEnd(service, sink, FAST_PARTNERS, FEW_EVENTS_A_SECOND, share * FEW_SECONDS);
  await slowOnes.end();
  slowest.close();
  const subscriptions = Math.ceil(share * IDLE_SUBSCRIPTIONS);
  const costs = await idle(service, sink, subscriptions, share * IDLE_SECONDS);
  sink.close();
  return {
    one_per_s: rounded(one_per_s),
    ten_per_s: rounded(ten_per_s),
    slow_one_per_s,
    end_to_end_ms,
    beside_slow_ms,
    ...costs,
  };
}

type Sink = Awaited<ReturnType<typeof openSink>>;

/** Subscribes so many partners to what happens from now on, or to nothing. */
async function subscribe(
  { port, office }: BenchService,
  { url }: Sink,
  count: number,
  { filter = {}, ordering = "subscription" }: { filter?: object; ordering?: Ordering } = {},
) {
  const to = await Connection.open(port);
  const call = (line: RequestLine, body?: unknown) => to.ask(line, office.token, body);
  const connector_id = randomUUID();
  await call("POST /api/admin/connector-registry", { connector_id, display_name: "Bench" });
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const { subscription_id } = await call("POST /api/admin/webhooks", {
      connector_id,
      display_name: `Partner ${i}`,
      delivery_url: `${url}/${i}`,
      // Nothing happens there: what was before is passed over.
      subscription_filter: { event_types: ["ship.voided"] },
      ordering,
    });
    ids.push(subscription_id);
  }
  await db.run(
    `update webhook_subscriptions set subscription_filter = $2, rate_limit_per_second = 1000000, updated_at =
      clock_timestamp(),
            scanned_event_id = last_no, last_delivered_event_id = last_no
     from sequencer_state where name = 'events' and subscription_id = any($1)`,
    [ids, JSON.stringify(filter)],
  );
  for (const id of ids) await notifySenders(db, webhookReceivers, id);
  return {
    end: async () => {
      for (const id of ids) await call(`DELETE /api/admin/webhooks/${id}`);
      to.close();
    },
  };
}

async function deliveriesASecond(
  service: BenchService,
  sink: Sink,
  partners: number,
  events: number,
  ordering?: Ordering,
): Promise<number> {
  const subscribed = await subscribe(service, sink, partners, { ...(ordering && { ordering }) });
  sink.arrivals.length = 0;
  await db.run(
    `insert into integration_events (event_type, aggregate_type, aggregate_external_id, entity_type, entity_id,
      warehouse_id,
                                     source_txn_id, payload)
     select 'inventoryadjusted.completed', 'inventory', gen_random_uuid(), 'inventory_adjustment', n, $2,
       gen_random_uuid(),
            jsonb_build_object(
              'adjustment_external_id', gen_random_uuid(), 'item_external_id', gen_random_uuid(),
              'bin_external_id', gen_random_uuid(), 'quantity_delta', n, 'reason_code', 'CORRECTION',
              'applied_by_user_external_id', null, 'applied_at', now())
     from generate_series(1, $1::int) n`,
    [events, WAREHOUSE],
  );
  await arrived(sink.arrivals, partners * events);
  await subscribed.end();
  const first = sink.arrivals[0]?.at ?? 0;
  const last = sink.arrivals.at(-1)?.at ?? 0;
  return (partners * events) / ((last - first) / 1_000);
}

async function endToEnd(
  service: BenchService,
  sink: Sink,
  partners: number,
  eventsASecond: number,
  seconds: number,
): Promise<Times & { least: number }> {
  const subscribed = await subscribe(service, sink, partners);
  sink.arrivals.length = 0;
  const { by } = service.office;
  const committed: { aggregateId: string; at: number }[] = [];
  for (let i = 0; i < eventsASecond * seconds; i++) {
    const event = packed(by, i);
    await command("bench.event", anew(by), {}, async (tx) => tx.emit(event));
    const { aggregateId } = event;
    committed.push({ aggregateId, at: Date.now() });
    await pause(1_000 / eventsASecond);
  }
  const atOf = await numbered(committed);
  // Others' events come, too: jobs of the service are events as well.
  const ours = () => sink.arrivals.filter(({ event_id }) => atOf.has(event_id));
  while (ours().length < partners * committed.length) await pause(20);
  await subscribed.end();
  const took = ours().map(({ event_id, at }) => at - (atOf.get(event_id) ?? at));
  return { least: Math.min(...took), ...timesOf(took) };
}

/** When the events were committed, by their numbers, once all of them have one. */
async function numbered(committed: { aggregateId: string; at: number }[]): Promise<Map<number, number>> {
  const atOf = new Map(committed.map((e) => [e.aggregateId, e.at]));
  for (;;) {
    const events = await db.rows(
      { event_id: int, aggregate: text },
      `select event_id, aggregate_external_id as aggregate from integration_events
       where aggregate_external_id = any($1) and event_id is not null`,
      [[...atOf.keys()]],
    );
    if (events.length === committed.length)
      return new Map(events.map(({ event_id, aggregate }) => [event_id, atOf.get(aggregate) ?? 0]));
    await pause(20);
  }
}

/** Subscriptions to nothing: what they cost, and how soon workers share them out. */
async function idle(service: BenchService, sink: Sink, subscriptions: number, seconds: number) {
  const subscribed = await subscribe(service, sink, subscriptions, { filter: { event_types: ["ship.voided"] } });
  await shared(([share = 0]) => share === subscriptions);
  await pause(SETTLED_AFTER_MS);
  const [before, begun] = [service.cpuSeconds(), performance.now()];
  await pause(seconds * 1_000);
  const [after, took] = [service.cpuSeconds(), (performance.now() - begun) / 1_000];
  const kill = await service.addWorker();
  const after_start = await shared(([least = 0, most = 0]) => least > 0 && most - least <= 1);
  kill();
  const after_kill = await shared(([share = 0]) => share === subscriptions);
  await subscribed.end();
  return {
    idle_cpu: {
      worker: rounded((after.worker - before.worker) / took),
      temporal: rounded((after.temporal - before.temporal) / took),
    },
    balanced_s: { after_start: rounded(after_start), after_kill: rounded(after_kill) },
  };
}

/** Waits until the workers' shares are as wanted; gives the seconds that took. */
async function shared(wanted: (shares: number[]) => boolean): Promise<number> {
  const begun = performance.now();
  while (!wanted(await sharesOfWorkers())) await pause(50);
  return (performance.now() - begun) / 1_000;
}
