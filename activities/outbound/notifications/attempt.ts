import { z } from "zod";
import { CannotUnseal, type EncryptionKeys, unseal } from "../../../src/auth/sealed.js";
import type { NotificationAttempted } from "../../../src/outbound/notifications/delivery.js";
import { headersOf, Telling, teamsMessage } from "../../../src/outbound/notifications/message.js";
import { SealedDestination } from "../../../src/outbound/notifications/queries.js";
import { notificationSecretOwner, urlOwner } from "../../../src/outbound/notifications/sealing.js";
import { MAX_ATTEMPTS, retryDelay } from "../../../src/outbound/retry.js";
import type { Outcome } from "../../../src/outbound/wire/send.js";
import { withinTime } from "../../../src/outbound/wire/time.js";
import { int, time } from "../../../src/platform/db/columns.js";
import { db, type Sql, transaction } from "../../../src/platform/db/db.js";
import type { Ends } from "../sending/changes.js";
import type { SharedWire } from "../sending/wire.js";

/** What attempts are made with. */
export interface Posting {
  wire: SharedWire;
  keys: EncryptionKeys;
  panelUrl: string | undefined;
  retryDelaysMs: readonly number[];
  /** The longest that an attempt takes. */
  timeoutMs: number;
}

/** The longest wait for a host that is busy. It is part of the margin of a claim. */
const SLOT_WITHIN_MS = 5_000;

/** A message that was claimed for an attempt. */
export const Claimed = z.strictObject({
  ...SealedDestination.shape,
  ...Telling.pick({ facts: true }).shape,
  notification_id: int,
  event_type: Telling.shape.notice,
  occurred_at: time,
  attempts: int,
});
export type Claimed = z.infer<typeof Claimed>;

/** What of a message `n`, its destination `d` and that one's warehouse `w` an attempt needs. */
export const CLAIMED = `n.notification_id, n.event_type, n.facts, n.occurred_at, n.attempts, d.webhook_id, d.url_sealed,
  d.secret_sealed, w.warehouse_code, w.warehouse_name`;

/** Posts a message to its destination; undefined where the host was too busy. */
async function postNotification(
  { facts, event_type: notice, occurred_at: occurredAt, ...to }: Claimed,
  { wire, keys, panelUrl }: Posting,
  { stop, lost }: Ends,
): Promise<Outcome | undefined> {
  const warehouse = { code: to.warehouse_code, name: to.warehouse_name };
  const body = Buffer.from(JSON.stringify(teamsMessage({ notice, facts, warehouse, occurredAt, panelUrl })));
  try {
    const url = unseal(to.url_sealed, urlOwner(to.webhook_id), keys);
    const secret = to.secret_sealed && unseal(to.secret_sealed, notificationSecretOwner(to.webhook_id), keys);
    const message = (now: Date) => ({ headers: headersOf(body, secret, now), body, signal: lost });
    return await withinTime(SLOT_WITHIN_MS, AbortSignal.any([stop, lost]), (unwanted) =>
      wire.send(url, message, unwanted),
    );
  } catch (error) {
    if (!(error instanceof CannotUnseal)) throw error;
    const failed = { ok: false, http_status: null, response_time_ms: 0, response_body_hash: null };
    return { ...failed, error_kind: "unknown", error_detail: error.message.slice(0, 512) };
  }
}

/**
 * Makes an attempt of a claimed message and stores what came of it: after a failure the next one is due by the schedule
 * of webhooks, after the eighth there is none. A test message is tried once. Where its host was too busy, it is free
 * again, and nothing is said of it.
 */
export async function attemptClaimed(claimed: Claimed, posting: Posting, ends: Ends): Promise<NotificationAttempted> {
  const outcome = await postNotification(claimed, posting, ends);
  // What arrived is stored all the same: the first result holds.
  if (!outcome?.ok) ends.lost.throwIfAborted();
  if (!outcome) {
    await release(claimed);
    return {};
  }
  const attempt = claimed.attempts + 1;
  const last = attempt >= MAX_ATTEMPTS || claimed.event_type === "test";
  const wait_ms = outcome.ok || last ? 0 : retryDelay(attempt, posting.retryDelaysMs, Math.random());
  const status = outcome.ok ? "succeeded" : last ? "dlq" : "pending";
  const stored = await transaction((tx) => store(tx, claimed, status, outcome, wait_ms));
  if (!stored) return { ended: (await isThere(claimed)) ? "stopped" : "gone" };
  if (status !== "pending") return { ended: status };
  const failure = [outcome.error_kind, outcome.http_status].filter(Boolean).join(" ");
  return { failure, next: { attempt: attempt + 1, wait_ms } };
}

const release = ({ notification_id, attempts }: Claimed) =>
  db.run("update notifications set claimed_until = null where notification_id = $1 and attempts = $2", [
    notification_id,
    attempts,
  ]);

const isThere = async ({ notification_id }: Claimed) =>
  (await db.row({}, "select from notifications where notification_id = $1", [notification_id])) !== undefined;

/** Whether the result was stored: not where the destination was switched off or deleted meanwhile. */
async function store(
  tx: Sql,
  { notification_id, attempts }: Claimed,
  status: "pending" | "succeeded" | "dlq",
  { http_status, error_kind, error_detail }: Outcome,
  waitMs: number,
): Promise<boolean> {
  const changed = await tx.run(
    `update notifications
     set status = $3::text, attempts = $2::int + 1, claimed_until = null,
         due_at = now() + $4 * interval '1 millisecond',
         completed_at = case when $3::text <> 'pending' then now() end, http_status = $5, error_kind = $6,
         error_detail = $7
     where notification_id = $1 and attempts = $2::int and status = 'pending'`,
    [notification_id, attempts, status, waitMs, http_status, error_kind, error_detail],
  );
  return changed > 0;
}
