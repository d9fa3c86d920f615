import { ApplicationFailure } from "@temporalio/activity";
import type { Config } from "../../../../src/config/config.js";
import { db } from "../../../../src/db/db.js";
import type { DeliveryActivities, StuckDelivery } from "../../../../src/outbound/webhooks/delivery.js";
import { openWire } from "../../../../src/outbound/webhooks/wire/send.js";
import { notifySenders } from "../changed.js";
import { openChanges } from "./changes.js";
import { openFeed } from "./event-feed.js";
import { openLocks } from "./locks.js";
import { poster } from "./post.js";
import { attempt } from "./retry.js";
import { Sender, type Sending } from "./sender.js";
import { keepShare } from "./shares.js";

/** The senders of a worker. */
export interface RunningSenders {
  activities: DeliveryActivities;
  /** Ends sending, after the current delivery of each subscription. */
  stop(): Promise<void>;
  /** Releases the connections, when no activity runs any more. */
  close(): Promise<void>;
}

/**
 * Sends events to webhooks, without Temporal as long as they succeed.
 * @param startRetry Starts the retry schedule of a delivery that failed.
 */
export function runSenders(
  config: Config<"worker">,
  startRetry: (stuck: StuckDelivery) => Promise<void>,
): RunningSenders {
  const { databaseUrl } = config;
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
  const sending: Sending = {
    keys: config,
    retryDelaysMs: config.dispatcherRetryDelaysMs,
    feed,
    changes,
    post: poster(wire, config.dispatcherMaxConcurrentPosts),
  };
  const shares = config.dispatcherEnabled
    ? keepShare(locks, changes, async ({ subscriptionId, lost }, stop) => {
        const stuck = await new Sender(subscriptionId, sending, stop, lost).run();
        return stuck && (() => startRetry(stuck));
      })
    : undefined;

  return {
    activities: {
      async attemptDelivery(stuck) {
        if (!config.dispatcherEnabled) return { ended: "disabled" };
        const { subscription_id } = stuck;
        const [held] = await locks.take([subscription_id]);
        // Temporal tries again.
        if (!held) throw ApplicationFailure.create({ message: "A sender is at work", category: "BENIGN" });
        const attempted = await attempt(stuck, sending, held.lost).finally(held.release);
        // What waited behind it can be sent.
        if (attempted.ended) await notifySenders(db, subscription_id);
        return attempted;
      },
    },
    stop: async () => shares?.stop(),
    async close() {
      await Promise.all([feed.close(), changes.close(), locks.close()]);
      wire.close();
    },
  };
}
