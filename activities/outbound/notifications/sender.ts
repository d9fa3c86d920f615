import { setTimeout as pause } from "node:timers/promises";
import {
  type NotificationEnded,
  NotificationPartner,
  type RetriedNotification,
} from "../../../src/outbound/notifications/delivery.js";
import { NotificationMessage } from "../../../src/outbound/notifications/shapes.js";
import { int } from "../../../src/platform/db/columns.js";
import { db } from "../../../src/platform/db/db.js";
import { systemActor } from "../../../src/platform/system-actor.js";
import { command } from "../../command.js";
import type { Ends } from "../sending/changes.js";
import { attemptClaimed, CLAIMED, Claimed, type Posting } from "./attempt.js";

/** A claim lasts longer than an attempt may. */
const CLAIM_MARGIN_MS = 10_000;
const LOOK_EVERY_MS = 1_000;

const claimMs = ({ timeoutMs }: Posting) => timeoutMs + CLAIM_MARGIN_MS;

/**
 * Makes the first attempts of the messages to a destination, one after the other, as long as there are any. Used only
 * under the destination's lock.
 * @param startRetry Starts the retry schedule of a message whose first attempt failed.
 */
export async function sendFirstAttempts(
  webhookId: number,
  posting: Posting,
  ends: Ends,
  startRetry: (retried: RetriedNotification) => Promise<void>,
): Promise<void> {
  for (;;) {
    ends.lost.throwIfAborted();
    if (ends.stop.aborted) return;
    const claimed = await claimFirst(webhookId, claimMs(posting));
    if (!claimed) return;
    if ("wait_ms" in claimed) {
      await pause(Math.min(claimed.wait_ms, LOOK_EVERY_MS), undefined, { signal: ends.stop }).catch(() => {});
      continue;
    }
    const { notification_id, event_type } = claimed;
    const { next } = await attemptClaimed(claimed, posting, ends);
    if (next) await startRetry({ notification_id, webhook_id: webhookId, event_type });
  }
}

/** Makes the next attempt of a message if it is due, else says when it will be. Used only under the message's lock. */
export async function retryNotification(retried: RetriedNotification, posting: Posting, ends: Ends) {
  const found = await claimRetry(retried, claimMs(posting));
  return "claimed" in found ? attemptClaimed(found.claimed, posting, ends) : found;
}

/**
 * Messages are claimed under the lock of their destination, or of their own when they are tried again. The time in
 * `claimed_until` is for workers of 0.3.0, which know no such locks: they leave alone what is claimed until then, and
 * what they have claimed is left alone here. The release after 1.0 drops the column.
 */
const CLAIM = `update notifications n set claimed_until = now() + $2 * interval '1 millisecond'
  from notification_webhooks d, warehouses w
  where n.status = 'pending' and d.webhook_id = n.webhook_id and w.warehouse_id = d.warehouse_id`;

const untilFree = (time: string) => `greatest(1, ceil(extract(epoch from ${time} - now()) * 1000))::int as wait_ms`;

/**
 * Claims the oldest message to a destination for its first attempt; somebody waits for a test, so that comes first.
 * @returns Undefined where none waits for its first attempt; how long where a worker of 0.3.0 makes one.
 */
export async function claimFirst(webhookId: number, forMs: number): Promise<Claimed | { wait_ms: number } | undefined> {
  const waiting = "webhook_id = $1 and status = 'pending' and attempts = 0";
  const claimed = await db.row(
    Claimed,
    `${CLAIM} and n.attempts = 0
       and n.notification_id = (select notification_id from notifications
                                where ${waiting} order by event_type <> 'test', notification_id limit 1)
       and not exists (select from notifications where ${waiting} and claimed_until > now())
     returning ${CLAIMED}`,
    [webhookId, forMs],
  );
  if (claimed) return claimed;
  return db.row(
    { wait_ms: int },
    `select ${untilFree("max(claimed_until)")} from notifications where ${waiting} having count(*) > 0`,
    [webhookId],
  );
}

/** A message claimed for its next attempt, or when that is due, or how it ended. */
type NextNotification =
  | { claimed: Claimed }
  | { next: { attempt: number; wait_ms: number } }
  | { ended: NotificationEnded };

/** Claims a message whose first attempt failed, if its next one is due. */
async function claimRetry({ notification_id }: RetriedNotification, forMs: number): Promise<NextNotification> {
  const claimed = await db.row(
    Claimed,
    `${CLAIM} and n.notification_id = $1 and n.due_at <= now() and coalesce(n.claimed_until <= now(), true)
     returning ${CLAIMED}`,
    [notification_id, forMs],
  );
  if (claimed) return { claimed };
  const row = await db.row(
    { status: NotificationMessage.shape.status, attempts: int, wait_ms: int },
    `select status, attempts, ${untilFree("greatest(due_at, claimed_until)")}
     from notifications where notification_id = $1`,
    [notification_id],
  );
  if (!row) return { ended: "gone" };
  const { status, attempts, wait_ms } = row;
  return status === "pending" ? { next: { attempt: attempts + 1, wait_ms } } : { ended: status };
}

/** What the workflow of a message shows of its destination, and why the last attempt failed. */
export async function readDestination({
  notification_id,
  webhook_id,
}: RetriedNotification): Promise<NotificationPartner> {
  const found = await db.row(
    NotificationPartner,
    `select d.host_preview, d.warehouse_id, w.warehouse_code,
            (select nullif(concat_ws(' ', error_kind, http_status), '') from notifications
             where notification_id = $1) as failure
     from notification_webhooks d join warehouses w using (warehouse_id) where d.webhook_id = $2`,
    [notification_id, webhook_id],
  );
  return found ?? { host_preview: "a deleted destination", warehouse_id: null, warehouse_code: null, failure: null };
}

/**
 * Gives up a message as the system user, because somebody asked its workflow to be cancelled in the Temporal UI. Where
 * it had ended before, says how.
 */
export function giveUpNotification(
  { notification_id, event_type }: RetriedNotification,
  commandId: string,
): Promise<{ ended: NotificationEnded | "cancelled" }> {
  return command("notifications.giveUp", systemActor(commandId), { notification_id }, async (tx) => {
    await tx.run("select from notifications where notification_id = $1 for update", [notification_id]);
    const found = await tx.row(
      { status: NotificationMessage.shape.status, webhook_id: int, warehouse_id: int },
      `select n.status, d.webhook_id, d.warehouse_id
       from notifications n join notification_webhooks d using (webhook_id)
       where notification_id = $1`,
      [notification_id],
    );
    if (!found) return { ended: "gone" as const };
    const { status, webhook_id, warehouse_id } = found;
    if (status !== "pending") return { ended: status };
    await tx.run(
      `update notifications set status = 'dlq', completed_at = now(), error_kind = 'unknown',
         error_detail = 'Cancelled in the Temporal UI' where notification_id = $1`,
      [notification_id],
    );
    tx.audit({
      action: "NOTIFICATION_GIVE_UP",
      entity: "NOTIFICATION_WEBHOOK",
      entityId: webhook_id,
      warehouseId: warehouse_id,
      details: { notification_id, event_type, reason: "cancelled in the Temporal UI" },
    });
    return { ended: "cancelled" as const };
  });
}
