import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { command } from "../../activities/command.js";
import { databaseUnavailable } from "../../src/platform/db/db.js";
import { systemActor } from "../../src/platform/system-actor.js";
import type { Caller } from "./caller.js";
import { db } from "./db.js";
import { adjusted } from "./events.js";
import { pluck } from "./pluck.js";
import type { Received, Sink } from "./sink.js";
import { until } from "./until.js";
import { subscribe as newSubscription } from "./webhooks.js";

/** For services and stacks that send to a sink on this machine, through a retry schedule of milliseconds. */
export const senderEnv = {
  SERVICE_ALLOW_HTTP_WEBHOOKS: "true",
  SERVICE_ALLOW_INTERNAL_WEBHOOKS: "true",
  DISPATCHER_RETRY_DELAYS_MS: "100,100,100,100,100,100,100",
};

export interface Subscribed {
  subscription_id: string;
  secret: string;
}

/** A subscription to what a sink gets; to everything, unless a filter is given. */
export const subscribe = (admin: Caller, url: string, fields: object = {}): Promise<Subscribed> =>
  newSubscription(admin, { delivery_url: url, subscription_filter: {}, rate_limit_per_second: 100, ...fields });

/**
 * Events of a warehouse, one after the other, whose adjustments are numbered from `first`; each once, whatever dies
 * meanwhile. Each is of an aggregate of its own, unless one is given.
 */
export async function emit(warehouseId: number, count = 1, first = 1, aggregateId?: string): Promise<void> {
  for (let n = first; n < first + count; n++) {
    const by = systemActor(randomUUID());
    const write = () => command("test.emit", by, {}, async (tx) => tx.emit(adjusted(warehouseId, n, aggregateId)));
    let written = false;
    await until(async () => {
      await write().then(
        () => (written = true),
        (error) => assert.ok(databaseUnavailable(error), error),
      );
      return written;
    }, 60_000);
  }
}

export interface Row {
  delivery_id: number;
  event_id: number;
  attempt_number: number;
  status: string;
  http_status: number | null;
  error_kind: string | null;
  secret_generation: number | null;
  wait_ms: number;
}

/** A subscription's deliveries, in the order they were made; how long after the one before it each was tried. */
export const rowsOf = (subscriptionId: string) =>
  db.rows<Row>(
    `select delivery_id, event_id, attempt_number, status, http_status, error_kind, secret_generation,
            (extract(epoch from attempted_at - lag(completed_at) over (order by delivery_id)) * 1000)::int as wait_ms
     from webhook_deliveries where subscription_id = $1 order by delivery_id`,
    [subscriptionId],
  );

/** Waits until a sink got so many requests. */
export const got = (sink: Sink, count: number, withinMs?: number) =>
  until(() => sink.received.length >= count, withinMs);

/** The numbers of the events that came with a request: one, or those of a batch. */
export const eventsOf = ({ event_id, body }: Received): number[] =>
  body[0] === "[".charCodeAt(0) ? pluck(JSON.parse(body.toString()), "event_id") : [event_id];

/** The adjustments' numbers in the order in which a sink got them. */
export const numbersIn = (sink: Sink): number[] =>
  sink.received.map(({ body }) => JSON.parse(body.toString()).data.quantity_delta);
