import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { CannotUnseal } from "../../src/auth/sealed.js";
import { NotificationMessage, TestSent } from "../../src/outbound/notifications/shapes.js";
import {
  CannotTestRevoked,
  NotificationWebhookNotFound,
  SubscriptionNotFound,
  TestThrottled,
} from "../../src/outbound/problems.js";
import { TestedWebhook } from "../../src/outbound/webhooks/delivery-shapes.js";
import { TEST_EVENT, TestEvent } from "../../src/outbound/webhooks/test-event.js";
import { withinTime } from "../../src/outbound/wire/exchange.js";
import { type Actor, visibleWarehouses } from "../../src/platform/actor.js";
import { bool, int, text } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";
import type { RowOf, Shape } from "../../src/platform/db/shape.js";
import { log } from "../../src/platform/log.js";
import { command, type Tx } from "../command.js";
import { entry, lockVisibleSubscription, notifySenders, webhookReceivers } from "./receivers.js";
import { type Attempt, notSent } from "./sending/wire.js";
import { post, readSubscription, receiverOf } from "./webhooks/sending/post.js";
import type { WebhookSending } from "./webhooks/sending/sender.js";

/*
 * Tests that people ask for. Workers alone reach the outside, so a row asks one of them to send a test, once, and the
 * route waits for what came of it. For a notification destination it is a message like others; a webhook's has a table
 * of its own, as it has no place in the order of events.
 */

/** A worker takes a test up within a second, and an attempt lasts ten seconds by default. */
const WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 200;

/** The error of a test that was withdrawn. */
const UNSENT = "No worker sent it in time";

/**
 * Waits for a worker to send a test, and gives its row as it ended; undefined when the row is gone.
 * @param withdraw SQL that ends the test $1, for the reason $2, unless a worker did meanwhile.
 */
async function outcomeOf<S extends Shape>(
  shape: S,
  id: number | string,
  { read, ended, withdraw }: { read: string; ended: (row: RowOf<S>) => boolean; withdraw: string },
): Promise<RowOf<S> | undefined> {
  const giveUpAt = Date.now() + WITHIN_MS;
  while (Date.now() < giveUpAt) {
    const row = await db.row(shape, read, [id]);
    if (!row || ended(row)) return row;
    await pause(LOOK_EVERY_MS);
  }
  return (await db.row(shape, withdraw, [id, UNSENT])) ?? db.row(shape, read, [id]);
}

const MessageRow = z.strictObject({
  ...TestSent.omit({ delivered: true }).shape,
  status: NotificationMessage.shape.status,
});
const MESSAGE = "status, http_status as status_code, error_kind, error_detail";

/**
 * Has a worker send a test message to a destination, and says what came of it. It is neither audited nor remembered
 * under a key, as it changes no record.
 */
export async function testDestination(webhookId: number, by: Actor): Promise<TestSent> {
  const made = await db.row(
    { notification_id: int },
    `insert into notifications (webhook_id, event_type, facts, occurred_at)
     select webhook_id, 'test', '{}', now() from notification_webhooks
     where ($1::int[] is null or warehouse_id = any($1)) and webhook_id = $2
     returning notification_id`,
    [visibleWarehouses(by), webhookId],
  );
  const row =
    made &&
    (await outcomeOf(MessageRow, made.notification_id, {
      read: `select ${MESSAGE} from notifications where notification_id = $1`,
      ended: ({ status }) => status !== "pending",
      withdraw: `update notifications
                 set status = 'dlq', completed_at = now(), error_kind = 'timeout', error_detail = $2
                 where notification_id = $1 and status = 'pending' returning ${MESSAGE}`,
    }));
  if (!row) throw NotificationWebhookNotFound();
  const { status, ...outcome } = row;
  if (status === "stopped")
    return { ...outcome, delivered: false, error_kind: "unknown", error_detail: "Switched off meanwhile" };
  return { ...outcome, delivered: status === "succeeded" };
}

/** A subscription is tested once in this time. */
const EVERY_S = 10;
/** Longer than a repeat under the same `Idempotency-Key` may come. */
const KEPT = "interval '2 days'";

const EventRow = z.strictObject({
  ...TestedWebhook.omit({ subscription_id: true, delivered: true }).shape,
  ended: bool,
});
const EVENT = `completed_at is not null as ended, http_status as status_code, error_kind, error_detail,
  response_time_ms`;

/** Has a worker send the event `webhook.test` to a subscription, and says what came of it. */
export async function testSubscription(subscription_id: string, by: Actor): Promise<TestedWebhook> {
  const { test_id } = await requestTest(subscription_id, by);
  const row = await outcomeOf(EventRow, test_id, {
    read: `select ${EVENT} from webhook_tests where test_id = $1`,
    ended: ({ ended }) => ended,
    withdraw: `update webhook_tests
               set completed_at = now(), error_kind = 'timeout',
                   error_detail = case when claimed_at is null then $2 else 'Not done in time' end
               where test_id = $1 and completed_at is null returning ${EVENT}`,
  });
  if (!row) throw SubscriptionNotFound();
  const { ended: _, ...outcome } = row;
  return { subscription_id, ...outcome, delivered: outcome.error_kind === null };
}

function requestTest(subscription_id: string, by: Actor): Promise<{ test_id: string }> {
  return command("webhooks.test", by, { subscription_id }, async (tx) => {
    const subscription = await lockVisibleSubscription(tx, subscription_id, by);
    if (subscription.status === "revoked") throw CannotTestRevoked();
    const { epoch } = await refuseTooSoon(tx, subscription_id);
    const test_id = randomUUID();
    const event: TestEvent = {
      ...{ event_id: 0, event_type: TEST_EVENT, event_version: 1, event_timestamp: tx.now.replace("Z", "+00:00") },
      ...{ aggregate_type: "webhook_subscription", aggregate_id: subscription_id, warehouse_id: 0 },
      ...{ source_txn_id: by.requestId, epoch, data: { subscription_id, test_id } },
    };
    tx.later.run(`delete from webhook_tests where subscription_id = $1 and created_at < now() - ${KEPT}`, [
      subscription_id,
    ]);
    await tx.run("insert into webhook_tests (test_id, subscription_id, event) values ($1, $2, $3)", [
      test_id,
      subscription_id,
      JSON.stringify(event),
    ]);
    const { details, ...of } = entry(subscription);
    const { delivery_url } = subscription;
    tx.audit({ ...of, action: "WEBHOOK_TEST", details: { ...details, delivery_url, test_id } });
    await notifySenders(tx, webhookReceivers, subscription_id);
    return { test_id };
  });
}

const RefuseTooSoonRow = { wait: int.nullable(), epoch: text };

/** Under the lock of the subscription. Gives the epoch of the stream. */
async function refuseTooSoon(tx: Tx, subscriptionId: string): Promise<{ epoch: string }> {
  const { wait, epoch } = (await tx.row(
    RefuseTooSoonRow,
    `select current_epoch() as epoch,
            (select ceil($2::int - extract(epoch from clock_timestamp() - max(created_at)))::int
             from webhook_tests where subscription_id = $1) as wait`,
    [subscriptionId, EVERY_S],
  )) as { wait: number | null; epoch: string };
  if (wait !== null && wait > 0) throw TestThrottled({}, { seconds_until_retry: wait }).after(wait);
  return { epoch };
}

const Asked = z.strictObject({ test_id: text, subscription_id: text, event: TestEvent });
type Asked = z.infer<typeof Asked>;

/** Sends the test events that people ask for, each at once, also to paused subscriptions and beside their senders. */
export function runTests({ config, wire, changes }: WebhookSending): { stop(): Promise<void> } {
  const underWay = new Set<Promise<void>>();
  const stopping = new AbortController();
  // Each test that is under way listens to it.
  setMaxListeners(0, stopping.signal);

  async function attempt({ test_id, subscription_id, event }: Asked): Promise<Attempt> {
    if (!config.dispatcherEnabled) return notSent("Sending is switched off (DISPATCHER_ENABLED)");
    const subscription = await readSubscription(subscription_id);
    if (!subscription || subscription.status === "revoked") return notSent("The subscription was revoked");
    try {
      const to = receiverOf(subscription, config);
      const sent = await withinTime(WITHIN_MS, stopping.signal, (unwanted) =>
        post(wire, [{ messageId: `test_${test_id}`, event }], to, { unwanted }),
      );
      return sent ?? notSent(UNSENT);
    } catch (error) {
      if (error instanceof CannotUnseal) return notSent(error.message);
      throw error;
    }
  }

  async function look(): Promise<void> {
    try {
      const asked = await claimTests();
      await Promise.all(asked.map(async (test) => store(test.test_id, await attempt(test))));
    } catch (err) {
      log.warn({ err }, "test event not sent");
    }
  }

  const unlisten = changes.onAny(() => {
    const looking = look().finally(() => underWay.delete(looking));
    underWay.add(looking);
  });
  return {
    /** Ends it after the attempts that are under way. */
    async stop() {
      unlisten();
      stopping.abort();
      await Promise.all(underWay);
    },
  };
}

const claimTests = () =>
  db.rows(
    Asked,
    `update webhook_tests t set claimed_at = now()
     from (select test_id from webhook_tests where claimed_at is null and completed_at is null
           order by created_at for update skip locked) free
     where t.test_id = free.test_id returning t.test_id, t.subscription_id, t.event`,
  );

const store = (testId: string, { http_status, error_kind, error_detail, response_time_ms }: Attempt) =>
  db.run(
    `update webhook_tests
     set completed_at = now(), http_status = :http_status, error_kind = :error_kind, error_detail = :error_detail,
         response_time_ms = :response_time_ms
     where test_id = :testId and completed_at is null`,
    { testId, http_status, error_kind, error_detail, response_time_ms },
  );
