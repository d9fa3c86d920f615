import { setMaxListeners } from "node:events";
import { ApplicationFailure } from "@temporalio/activity";
import type { Retry } from "../../src/outbound/retry.js";
import {
  CHANGES,
  CHANNEL_NEWS,
  lockName,
  type Owned,
  retrySchedule,
  type SendingActivities,
} from "../../src/outbound/sending.js";
import { CAN_BE_SENT_FOR, stuckDeliveries } from "../../src/outbound/webhooks/queries.js";
import type { Config } from "../../src/platform/config/config.js";
import { db } from "../../src/platform/db/db.js";
import { withHeartbeat } from "../heartbeat.js";
import { publish } from "./channels/sender.js";
import { retryNotification, sendFirstAttempts, writeNotifications } from "./notifications/sender.js";
import { notifySenders, webhookReceivers } from "./receivers.js";
import { type Changes, openChanges } from "./sending/changes.js";
import { openLocks } from "./sending/locks.js";
import { keepShare, type Shared } from "./sending/shares.js";
import { openSharedWire, type Sending } from "./sending/wire.js";
import { runTests } from "./test-sends.js";
import { standOf } from "./webhooks/sending/claim.js";
import { openFeed } from "./webhooks/sending/event-feed.js";
import { Sender, type WebhookSending } from "./webhooks/sending/sender.js";

/*
 * What is sent outside, and by whom. Rows say what is to be sent, and when; a session lock of Postgres says who sends
 * for a destination (locks.ts). Whoever holds that lock sends one thing after the other (to webhooks that are in order
 * by aggregate, several at a time), and nobody else sends for it:
 *
 *   destination                  lock                    sent first     a failure
 *   webhook subscription         webhook:<id>            by a Sender    holds up all events behind it, or those of its
 *                                                                       aggregate
 *   channel                      channel:<id>            publish        is a row like any other: its items wait
 *   notification destination     notification:<id>       first attempts holds up nothing: the message has a lock of its
 *                                                                       own, notification-message:<id>
 *   order of a shop              push:<id of the push>   by a workflow  holds up the later pushes of the order
 *   carrier                      label:<id of the label> by a workflow  holds up nothing
 *
 * A destination is, for the workers:
 *
 *   IDLE       Nobody's. Either nothing is to be sent, or it is paused, or (webhooks) its next delivery waits for a
 *              retry. Each worker looks for what is to be sent, and takes as many locks as are its share
 *              (shares.ts): -> OWNED.
 *   OWNED      One worker claims what is next, sends it when the host has a slot (wire.ts), stores what came of it,
 *              and claims on. Nothing to claim: it waits (webhooks, channels) or releases the lock (notifications):
 *              -> IDLE. A webhook's attempt that failed, if all others wait for it: -> RETRYING. The worker stops, or
 *              has more than its share: after the current one, -> IDLE. The connection of the locks breaks: what is
 *              under way is aborted, and Postgres releases the lock: -> IDLE.
 *   RETRYING   A retry workflow waits for the time that the row says; its activity takes the lock, makes one attempt,
 *              stores what came of it, and releases the lock: -> RETRYING again, or -> IDLE after success, the last
 *              attempt, or a cancellation. Temporal lost: `reconcile` starts the workflow from the row.
 *
 * One thing that is sent goes through these states, each a transaction:
 *
 *   WAITS      A row that is due. Claimed under the lock: -> CLAIMED.
 *   CLAIMED    The row says that an attempt was begun: `in_flight`, `claimed_until`, `attempts + 1`. A worker that is
 *              killed leaves it so; the next one that holds the lock sends it again.
 *   ENDED      Delivered, given up, or dropped. The first result that is stored holds: whoever lost the lock meanwhile
 *              changes nothing.
 *
 * A channel's items are not claimed: what is sent again has the same versions, and changes nothing there.
 */

/**
 * Runs something under its lock, with the signal that aborts it when that is lost. Where somebody else holds it, gives
 * what `otherwise` does; failing that, throws: Temporal tries again.
 */
export type UnderLock = <T>(
  kind: Owned,
  id: string | number,
  run: (lost: AbortSignal) => Promise<T>,
  otherwise?: () => Promise<T | undefined>,
) => Promise<T>;

/** The senders of a worker. */
export interface RunningSenders {
  activities: SendingActivities;
  /** For attempts of what is sent elsewhere. */
  underLock: UnderLock;
  /** Ends sending, after the current delivery of each destination. */
  stop(): Promise<void>;
  /** Releases the connections, when no activity runs any more. */
  close(): Promise<void>;
}

/** A worker that was killed during an attempt is missed after five times that. */
const HEARTBEAT_MS = 2_000;

/** A subscription whose next delivery waits for a retry is no worker's: the retry needs its lock. */
const subscriptions = (sending: WebhookSending): Shared => ({
  what: "webhook subscription",
  kind: "webhook",
  active: `select subscription_id::text as id, ${CAN_BE_SENT_FOR} as free
           from webhook_subscriptions s where status = 'active'`,
  changes: sending.changes,
  async send(id, ends) {
    const stuck = await new Sender(id, sending, ends).run();
    return stuck && retrySchedule(stuck);
  },
});

const channels = (sending: Sending, changes: Changes): Shared => ({
  what: "channel",
  kind: "channel",
  active: "select channel_id as id, true as free from channels where status = 'active'",
  changes,
  async send(id, ends) {
    await publish(id, sending, changes, ends);
    return undefined;
  },
});

/** Messages are few: a destination is somebody's as long as it has some that were never tried. */
const destinations = (sending: Sending, stop: AbortSignal, startRetry: (retry: Retry) => Promise<void>): Shared => ({
  what: "notification destination",
  kind: "notification",
  active: `select webhook_id::text as id, true as free from notification_webhooks d
           where exists (select from notifications n
                         where n.webhook_id = d.webhook_id and n.status = 'pending' and n.attempts = 0)`,
  lookEveryMs: 1_000,
  async prepare() {
    while (!stop.aborted && (await writeNotifications()));
  },
  async send(id, ends) {
    await sendFirstAttempts(Number(id), sending, ends, startRetry);
    return undefined;
  },
});

/**
 * Sends what a worker has for webhooks, channels and people, without Temporal as long as that succeeds; and makes the
 * attempts of the retry workflows.
 * @param startRetry Starts the retry workflow of what failed.
 */
export function runSenders(config: Config<"worker">, startRetry: (retry: Retry) => Promise<void>): RunningSenders {
  const { databaseUrl, dispatcherEnabled: enabled } = config;
  const wire = openSharedWire(config);
  const locks = openLocks(databaseUrl);
  const changes = openChanges(databaseUrl, CHANGES);
  const channelNews = openChanges(databaseUrl, CHANNEL_NEWS);
  const feed = openFeed(databaseUrl, config.dispatcherFallbackPollMs);
  const sending: WebhookSending = { config, wire, feed, changes, startRetry };
  const stopping = new AbortController();
  // Each attempt that waits for its host listens to it.
  setMaxListeners(0, stopping.signal);

  const shared = [
    subscriptions(sending),
    channels(sending, channelNews),
    destinations(sending, stopping.signal, startRetry),
  ];
  const parts = [runTests(sending), ...(enabled ? shared : []).map((kind) => keepShare(kind, locks, startRetry))];

  const underLock: UnderLock = async (kind, id, run, otherwise) => {
    const [held] = await locks.take([lockName(kind, id)]);
    const done = held ? await run(held.lost).finally(held.release) : await otherwise?.();
    if (done === undefined) throw ApplicationFailure.create({ message: "A sender is at work", category: "BENIGN" });
    return done;
  };

  return {
    activities: {
      async attemptDelivery(stuck) {
        if (!enabled) return { ended: "disabled" };
        const { subscription_id } = stuck;
        const attempted = await underLock(
          "webhook",
          subscription_id,
          (lost) => new Sender(subscription_id, sending, { stop: stopping.signal, lost }).retry(stuck),
          () => standOf(stuck),
        );
        // What waited behind it can be sent, or waits for a retry of its own, as what is left of a batch does.
        const { ended } = attempted;
        if (ended === "succeeded" || ended === "dlq") {
          const [next] = await stuckDeliveries(subscription_id);
          if (next) await startRetry(retrySchedule(next));
        }
        if (ended) await notifySenders(db, webhookReceivers, subscription_id);
        return attempted;
      },
      attemptNotification: (retried) =>
        withHeartbeat(HEARTBEAT_MS, async () => {
          if (!enabled) return { ended: "disabled" };
          return underLock("notification-message", retried.notification_id, (lost) =>
            retryNotification(retried, sending, { stop: stopping.signal, lost }),
          );
        }),
    },
    underLock,
    stop: async () => {
      stopping.abort();
      await Promise.all(parts.map((part) => part.stop()));
    },
    async close() {
      await Promise.all([feed, changes, channelNews, locks].map((open) => open.close()));
      wire.close();
    },
  };
}
