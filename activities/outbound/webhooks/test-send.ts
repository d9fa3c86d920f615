import { randomUUID } from "node:crypto";
import { z } from "zod";
import { TestedWebhook } from "../../../src/outbound/webhooks/delivery-shapes.js";
import { CannotTestRevoked, SubscriptionNotFound, TestThrottled } from "../../../src/outbound/webhooks/problems.js";
import { TEST_EVENT, type TestEvent } from "../../../src/outbound/webhooks/test-event.js";
import type { Actor } from "../../../src/platform/actor.js";
import { bool, int, text } from "../../../src/platform/db/columns.js";
import { db } from "../../../src/platform/db/db.js";
import { command, type Tx } from "../../command.js";
import { outcomeOfTest, UNSENT } from "../sending/test-outcome.js";
import { entry, lockVisibleSubscription, notifySenders } from "./subscription.js";

/** A subscription is tested once in this time. */
const EVERY_S = 10;
/** Longer than a repeat under the same `Idempotency-Key` may come. */
const KEPT = "interval '2 days'";

/** Has a worker send the event `webhook.test`, once, and says what came of it. */
export async function testSubscription(subscription_id: string, by: Actor): Promise<TestedWebhook> {
  const { test_id } = await requestTest(subscription_id, by);
  const row = await outcomeOfTest(
    () => read(test_id),
    ({ ended }) => ended,
    () => withdraw(test_id),
  );
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
    await notifySenders(tx, subscription_id);
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

const Row = z.strictObject({ ...TestedWebhook.omit({ subscription_id: true, delivered: true }).shape, ended: bool });

const OUTCOME = `completed_at is not null as ended, http_status as status_code, error_kind, error_detail,
  response_time_ms`;

const read = (testId: string) => db.row(Row, `select ${OUTCOME} from webhook_tests where test_id = $1`, [testId]);

const withdraw = async (testId: string) =>
  (await db.row(
    Row,
    `update webhook_tests
     set completed_at = now(), error_kind = 'timeout',
         error_detail = case when claimed_at is null then $2 else 'Not done in time' end
     where test_id = $1 and completed_at is null returning ${OUTCOME}`,
    [testId, UNSENT],
  )) ?? read(testId);
