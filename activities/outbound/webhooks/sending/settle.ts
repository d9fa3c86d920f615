import { type Sql, transaction } from "../../../../src/db/db.js";
import { lockSubscription } from "../subscription.js";

/** The result of an attempt, as its row stores it. */
export interface Ended {
  delivery_id: number;
  status: "succeeded" | "failed" | "dlq";
  attempted_at: string;
  completed_at: string;
  http_status: number | null;
  response_body_hash: string | null;
  response_time_ms: number | null;
  error_kind: string | null;
  error_detail: string | null;
  secret_generation: 1 | 2 | null;
}

/**
 * Stores the results of deliveries that a sender had claimed, and releases those that it did not send. The cursor moves
 * to the newest event that was delivered or given up.
 */
export async function settle(tx: Sql, subscriptionId: string, ended: Ended[], unsent: number[]): Promise<void> {
  await Promise.all([
    ended.length > 0 &&
      tx.run(
        `with noted as (
           update webhook_deliveries d
           set status = r.status, attempted_at = r.attempted_at, completed_at = r.completed_at,
               http_status = r.http_status, response_body_hash = r.response_body_hash,
               response_time_ms = r.response_time_ms, error_kind = r.error_kind, error_detail = r.error_detail,
               secret_generation = r.secret_generation
           from jsonb_populate_recordset(null::webhook_deliveries, $2) r
           where d.delivery_id = r.delivery_id and d.status = 'in_flight'
           returning d.event_id, d.status
         )
         update webhook_subscriptions s
         set last_delivered_event_id = greatest(s.last_delivered_event_id, newest.event_id)
         from (select max(event_id) as event_id from noted where status in ('succeeded', 'dlq')) newest
         where s.subscription_id = $1`,
        [subscriptionId, JSON.stringify(ended)],
      ),
    unsent.length > 0 &&
      tx.run("update webhook_deliveries set status = 'pending' where delivery_id = any($1) and status = 'in_flight'", [
        unsent,
      ]),
  ]);
}

/** The same in a transaction of its own, for a sender that stops. */
export function settleNow(subscriptionId: string, ended: Ended[], unsent: number[]): Promise<void> {
  return transaction(async (tx) => {
    await Promise.all([lockSubscription(tx, subscriptionId), settle(tx, subscriptionId, ended, unsent)]);
  });
}

/** Releases the deliveries that a sender which was killed had claimed, so that they are sent (again). */
export function releaseClaims(subscriptionId: string): Promise<void> {
  return transaction(async (tx) => {
    await Promise.all([
      lockSubscription(tx, subscriptionId),
      tx.run("update webhook_deliveries set status = 'pending' where subscription_id = $1 and status = 'in_flight'", [
        subscriptionId,
      ]),
    ]);
  });
}
