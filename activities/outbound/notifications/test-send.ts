import { setTimeout as pause } from "node:timers/promises";
import { type Actor, scopeOf } from "../../../src/actor.js";
import { db } from "../../../src/db/db.js";
import { NotificationWebhookNotFound } from "../../../src/outbound/notifications/problems.js";
import type { TestSent } from "../../../src/outbound/notifications/shapes.js";

/** A worker looks for messages every second, and an attempt lasts ten seconds by default. */
const WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 200;

type Row = Omit<TestSent, "delivered"> & { status: "pending" | "succeeded" | "dlq" | "stopped" };

/**
 * Has a worker send a test message, once, and says what came of it: workers alone reach the outside. What no worker
 * sent in time is withdrawn. It is neither audited nor remembered under a key, as it changes no record.
 */
export async function sendTest(webhookId: number, by: Actor): Promise<TestSent> {
  const made = await db.row<{ notification_id: number }>(
    `insert into notifications (webhook_id, event_type, facts, occurred_at)
     select webhook_id, 'test', '{}', now() from notification_webhooks
     where ($1::int[] is null or warehouse_id = any($1)) and webhook_id = $2
     returning notification_id`,
    [scopeOf(by), webhookId],
  );
  if (!made) throw NotificationWebhookNotFound();
  const giveUpAt = Date.now() + WITHIN_MS;
  for (;;) {
    const late = Date.now() > giveUpAt;
    const row = await (late ? withdraw(made.notification_id) : read(made.notification_id));
    if (!row) throw NotificationWebhookNotFound();
    const { status, ...outcome } = row;
    if (status === "stopped")
      return { ...outcome, delivered: false, error_kind: "unknown", error_detail: "Switched off meanwhile" };
    if (status !== "pending") return { ...outcome, delivered: status === "succeeded" };
    await pause(LOOK_EVERY_MS);
  }
}

const OUTCOME = "status, http_status as status_code, error_kind, error_detail";

const read = (notificationId: number) =>
  db.row<Row>(`select ${OUTCOME} from notifications where notification_id = $1`, [notificationId]);

const withdraw = async (notificationId: number) =>
  (await db.row<Row>(
    `update notifications set status = 'dlq', completed_at = now(), error_kind = 'timeout',
       error_detail = 'No worker sent it in time' where notification_id = $1 and status = 'pending'
         returning ${OUTCOME}`,
    [notificationId],
  )) ?? read(notificationId);
