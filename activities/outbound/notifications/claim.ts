import type { NotificationEnded, RetriedNotification } from "../../../src/outbound/notifications/delivery.js";
import { db } from "../../../src/platform/db/db.js";
import type { NotificationStatus } from "../../../src/platform/states.js";
import { CLAIMED, type Claimed } from "./attempt.js";

/** The most messages that one look claims. */
const MOST = 50;

/**
 * Claims the oldest message of each destination that has one for a first attempt. Only one first attempt is made at a
 * time for each destination, by any worker: so messages come in order, and a slow destination holds up no other.
 * Somebody waits for a test, so it comes first.
 * @param forMs After this long the claim of a worker that was killed is over.
 */
export const claimFirst = (busy: number[], forMs: number): Promise<Claimed[]> =>
  db.rows<Claimed>(
    `with free as (
       select d.webhook_id from notification_webhooks d
       where d.webhook_id <> all($1::int[]) and exists (
           select from notifications n
           where n.webhook_id = d.webhook_id and n.status = 'pending' and n.attempts = 0)
         and not exists (
           select from notifications n
           where n.webhook_id = d.webhook_id and n.status = 'pending' and n.attempts = 0 and n.claimed_until > now())
       limit ${MOST} for update skip locked
     ), oldest as (
       select n.notification_id from free cross join lateral (
         select notification_id from notifications m
         where m.webhook_id = free.webhook_id and m.status = 'pending' and m.attempts = 0
         order by m.event_type <> 'test', m.notification_id limit 1) n
     )
     update notifications n set claimed_until = now() + $2 * interval '1 millisecond'
     from oldest, notification_webhooks d, warehouses w
     where n.notification_id = oldest.notification_id and n.status = 'pending' and n.attempts = 0
       and (n.claimed_until is null or n.claimed_until <= now())
       and d.webhook_id = n.webhook_id and w.warehouse_id = d.warehouse_id
     returning ${CLAIMED}`,
    [busy, forMs],
  );

/** A message claimed for its next attempt, or when that is due, or how it ended. */
export type NextNotification =
  | { claimed: Claimed }
  | { next: { attempt: number; wait_ms: number } }
  | { ended: NotificationEnded };

/** Claims a message whose first attempt failed, if its next one is due. */
export async function claimRetry({ notification_id }: RetriedNotification, forMs: number): Promise<NextNotification> {
  const claimed = await db.row<Claimed>(
    `update notifications n set claimed_until = now() + $2 * interval '1 millisecond'
     from notification_webhooks d, warehouses w
     where n.notification_id = $1 and n.status = 'pending' and n.due_at <= now()
       and (n.claimed_until is null or n.claimed_until <= now())
       and d.webhook_id = n.webhook_id and w.warehouse_id = d.warehouse_id
     returning ${CLAIMED}`,
    [notification_id, forMs],
  );
  if (claimed) return { claimed };
  const row = await db.row<{ status: NotificationStatus; attempts: number; wait_ms: number }>(
    `select status, attempts,
            greatest(1, ceil(extract(epoch from greatest(due_at, claimed_until) - now()) * 1000))::int as wait_ms
     from notifications where notification_id = $1`,
    [notification_id],
  );
  if (!row) return { ended: "gone" };
  const { status, attempts, wait_ms } = row;
  return status === "pending" ? { next: { attempt: attempts + 1, wait_ms } } : { ended: status };
}
