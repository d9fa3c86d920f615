import { Context } from "@temporalio/activity";
import type { Config } from "../../../../src/config/config.js";
import {
  type Attempted,
  retryDelay,
  type Senders,
  type StuckDelivery,
} from "../../../../src/outbound/webhooks/delivery.js";
import { openWire } from "../../../../src/outbound/webhooks/wire/send.js";
import { type NextAttempt, takeAttempt } from "../attempt.js";
import { failDelivery } from "../fail.js";
import { settleNow } from "../settle.js";
import { openChanges } from "./changes.js";
import { destinationOf } from "./destination.js";
import { openFeed } from "./event-feed.js";
import { openLocks } from "./locks.js";
import { eventGone, hasEvent, poster } from "./post.js";
import { Sender, type Sending } from "./sender.js";

/** The interval of heartbeats; the heartbeat timeout is ten seconds. */
const HEARTBEAT_EVERY_MS = 2_000;
/** The longest turn. The next one may run on a newer version of the service. */
const TURN_MS = 6 * 3_600_000;

/** The senders of a worker. */
export interface RunningSenders {
  activities: Senders;
  /** Ends the running activities after their current delivery. */
  stop(): void;
  /** Releases the connections, when no activity runs any more. */
  close(): Promise<void>;
}

export function openSenders(config: Config<"worker">): RunningSenders {
  const { databaseUrl } = config;
  const retryDelaysMs = config.dispatcherRetryDelaysMs;
  const wire = openWire({
    connectTimeoutMs: config.dispatcherHttpConnectTimeoutMs,
    readTimeoutMs: config.dispatcherHttpReadTimeoutMs,
    totalTimeoutMs: config.dispatcherHttpTimeoutMs,
    allowHttp: config.allowHttpWebhooks,
    allowInternal: config.allowInternalWebhooks,
  });
  const locks = openLocks(databaseUrl);
  const changes = openChanges(databaseUrl);
  const feed = openFeed(databaseUrl, config.dispatcherFallbackPollMs);
  const post = poster(wire, config.dispatcherMaxConcurrentPosts);
  const sending: Sending = {
    keys: config,
    retryDelaysMs,
    feed,
    changes,
    post,
  };
  const stopping = new AbortController();

  /** Runs an activity under the subscription's lock, with heartbeats. */
  async function underLock<T>(
    subscriptionId: string,
    work: (stop: AbortSignal, lost: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const context = Context.current();
    const stop = AbortSignal.any([stopping.signal, context.cancellationSignal, AbortSignal.timeout(TURN_MS)]);
    const heartbeats = setInterval(() => context.heartbeat(), HEARTBEAT_EVERY_MS);
    try {
      return await locks.under(subscriptionId, stop, (lost) => work(stop, lost));
    } finally {
      clearInterval(heartbeats);
    }
  }

  async function attempt(stuck: StuckDelivery, lost: AbortSignal): Promise<Attempted> {
    const { subscription_id } = stuck;
    const to = await destinationOf(subscription_id, config);
    if (typeof to === "string") return { ended: to };
    const { taken, waits, ended }: NextAttempt = await takeAttempt(stuck, to.version);
    if (!taken) return ended ? { ended } : { ...(waits && { next: waits }) };
    if (!hasEvent(taken)) {
      await settleNow(subscription_id, [eventGone(taken)], []);
      return { ended: "failed" };
    }
    const outcome = await post(taken, to, lost);
    lost.throwIfAborted();
    if (outcome.status === "succeeded") {
      await settleNow(subscription_id, [outcome], []);
      return { ended: "succeeded" };
    }
    const { attempt_number } = taken;
    const wait_ms = retryDelay(attempt_number, retryDelaysMs, Math.random());
    const { given_up } = await failDelivery(
      subscription_id,
      taken,
      { before: [], failure: outcome, unsent: [] },
      wait_ms,
    );
    if (given_up) return { ended: "dlq" };
    const failure = [outcome.error_kind, outcome.http_status].filter(Boolean).join(" ");
    return { failure, next: { attempt: attempt_number + 1, wait_ms } };
  }

  return {
    activities: {
      async deliverInOrder(subscriptionId) {
        if (!config.dispatcherEnabled) return { ended: "disabled" };
        return underLock(subscriptionId, (stop, lost) => new Sender(subscriptionId, sending, stop, lost).turn());
      },
      attemptDelivery: (stuck) => underLock(stuck.subscription_id, (_, lost) => attempt(stuck, lost)),
    },
    stop: () => stopping.abort(),
    async close() {
      await Promise.all([feed.close(), changes.close(), locks.close()]);
      wire.close();
    },
  };
}
