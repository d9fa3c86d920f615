import { ApplicationFailure } from "@temporalio/activity";
import { CHANNEL_NEWS, channelLockName } from "../../../src/outbound/channels/senders.js";
import type { DeliveryActivities, StuckDelivery } from "../../../src/outbound/webhooks/delivery.js";
import { HEAD_ATTEMPT } from "../../../src/outbound/webhooks/queries.js";
import { CHANGES, senderLockName } from "../../../src/outbound/webhooks/senders.js";
import type { Config } from "../../../src/platform/config/config.js";
import { db } from "../../../src/platform/db/db.js";
import { ChannelSender } from "../channels/sending/sender.js";
import { openFeed } from "../webhooks/sending/event-feed.js";
import { attempt, endedBefore } from "../webhooks/sending/retry.js";
import { Sender, type Sending } from "../webhooks/sending/sender.js";
import { runTests } from "../webhooks/sending/tests.js";
import { notifySenders } from "../webhooks/subscription.js";
import { openChanges } from "./changes.js";
import { openLocks } from "./locks.js";
import { keepShare } from "./shares.js";
import { openSharedWire, type SharedWire } from "./wire.js";

/** The senders of a worker. */
export interface RunningSenders {
  activities: DeliveryActivities;
  /** For what else the worker sends. */
  wire: SharedWire;
  /** Ends sending, after the current delivery of each subscription and channel. */
  stop(): Promise<void>;
  /** Releases the connections, when no activity runs any more. */
  close(): Promise<void>;
}

/** A subscription whose next delivery waits for a retry is no worker's: the retry needs its lock. */
const SUBSCRIPTIONS = {
  what: "webhook subscription",
  active: `select subscription_id::text as id, coalesce(${HEAD_ATTEMPT}, 1) = 1 as free
           from webhook_subscriptions s where status = 'active'`,
  lockName: senderLockName,
};
const CHANNELS = {
  what: "channel",
  active: "select channel_id as id, true as free from channels where status = 'active'",
  lockName: channelLockName,
};

/**
 * Sends events to webhooks, without Temporal as long as they succeed, and availability to channels.
 * @param startRetry Starts the retry schedule of a delivery that failed.
 */
export function runSenders(
  config: Config<"worker">,
  startRetry: (stuck: StuckDelivery) => Promise<void>,
): RunningSenders {
  const { databaseUrl } = config;
  const wire = openSharedWire(config);
  const locks = openLocks(databaseUrl);
  const changes = openChanges(databaseUrl, CHANGES);
  const news = openChanges(databaseUrl, CHANNEL_NEWS);
  const feed = openFeed(databaseUrl, config.dispatcherFallbackPollMs);
  const retryDelaysMs = config.dispatcherRetryDelaysMs;
  const sending: Sending = { keys: config, retryDelaysMs, feed, changes, wire };
  const tests = runTests(changes, { wire, keys: config, enabled: config.dispatcherEnabled });
  const publishing = { keys: config, retryDelaysMs, news, wire };
  const stopping = new AbortController();
  const shares = config.dispatcherEnabled
    ? [
        keepShare(SUBSCRIPTIONS, locks, changes, async (id, { lost }, stop) => {
          const stuck = await new Sender(id, sending, stop, lost).run();
          return stuck && (() => startRetry(stuck));
        }),
        keepShare(CHANNELS, locks, news, async (id, { lost }, stop) => {
          await new ChannelSender(id, publishing, stop, lost).run();
          return undefined;
        }),
      ]
    : [];

  return {
    activities: {
      async attemptDelivery(stuck) {
        if (!config.dispatcherEnabled) return { ended: "disabled" };
        const { subscription_id } = stuck;
        const [held] = await locks.take([senderLockName(subscription_id)]);
        if (!held) {
          const ended = await endedBefore(stuck);
          if (ended) return { ended };
          // Temporal tries again.
          throw ApplicationFailure.create({ message: "A sender is at work", category: "BENIGN" });
        }
        const attempted = await attempt(stuck, sending, stopping.signal, held.lost).finally(held.release);
        // What waited behind it can be sent.
        if (attempted.ended) await notifySenders(db, subscription_id);
        return attempted;
      },
    },
    wire,
    stop: async () => {
      stopping.abort();
      await Promise.all([tests, ...shares].map((part) => part.stop()));
    },
    async close() {
      await Promise.all([feed.close(), changes.close(), news.close(), locks.close()]);
      wire.close();
    },
  };
}
