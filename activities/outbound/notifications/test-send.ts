import { z } from "zod";
import { NotificationWebhookNotFound } from "../../../src/outbound/notifications/problems.js";
import { TestSent } from "../../../src/outbound/notifications/shapes.js";
import { type Actor, visibleWarehouses } from "../../../src/platform/actor.js";
import { int } from "../../../src/platform/db/columns.js";
import { db } from "../../../src/platform/db/db.js";
import { outcomeOfTest, UNSENT } from "../sending/test-outcome.js";

const Row = z.strictObject({
  ...TestSent.omit({ delivered: true }).shape,
  status: z.enum(["pending", "succeeded", "dlq", "stopped"]),
});
type Row = z.infer<typeof Row>;

/**
 * Has a worker send a test message, once, and says what came of it: workers alone reach the outside. What no worker
 * sent in time is withdrawn. It is neither audited nor remembered under a key, as it changes no record.
 */
export async function sendTest(webhookId: number, by: Actor): Promise<TestSent> {
  const made = await db.row(
    { notification_id: int },
    `insert into notifications (webhook_id, event_type, facts, occurred_at)
     select webhook_id, 'test', '{}', now() from notification_webhooks
     where ($1::int[] is null or warehouse_id = any($1)) and webhook_id = $2
     returning notification_id`,
    [visibleWarehouses(by), webhookId],
  );
  if (!made) throw NotificationWebhookNotFound();
  const { notification_id } = made;
  const ended = (row: Row) => row.status !== "pending";
  const row = await outcomeOfTest(
    () => read(notification_id),
    ended,
    () => withdraw(notification_id),
  );
  if (!row) throw NotificationWebhookNotFound();
  const { status, ...outcome } = row;
  if (status === "stopped")
    return { ...outcome, delivered: false, error_kind: "unknown", error_detail: "Switched off meanwhile" };
  return { ...outcome, delivered: status === "succeeded" };
}

const OUTCOME = "status, http_status as status_code, error_kind, error_detail";

const read = (notificationId: number) =>
  db.row(Row, `select ${OUTCOME} from notifications where notification_id = $1`, [notificationId]);

const withdraw = async (notificationId: number) =>
  (await db.row(
    Row,
    `update notifications set status = 'dlq', completed_at = now(), error_kind = 'timeout',
       error_detail = $2 where notification_id = $1 and status = 'pending'
     returning ${OUTCOME}`,
    [notificationId, UNSENT],
  )) ?? read(notificationId);
