import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { CannotUnseal, unseal } from "../../../src/auth/sealed.js";
import { headersOf, Telling, teamsMessage } from "../../../src/outbound/notifications/message.js";
import { eventNotices } from "../../../src/outbound/notifications/notices.js";
import { SealedDestination } from "../../../src/outbound/notifications/queries.js";
import { NotificationMessage } from "../../../src/outbound/notifications/shapes.js";
import { MAX_ATTEMPTS, type Retry, retryDelay, tryAgain } from "../../../src/outbound/retry.js";
import { notificationSecretOwner, urlOwner } from "../../../src/outbound/secrets.js";
import {
  type NotificationAttempted,
  type NotificationEnded,
  NotificationPartner,
  notificationRetry,
  type RetriedNotification,
} from "../../../src/outbound/sending.js";
import { withinTime } from "../../../src/outbound/wire/exchange.js";
import { bool, int, time } from "../../../src/platform/db/columns.js";
import { db } from "../../../src/platform/db/db.js";
import { systemActor } from "../../../src/platform/system-actor.js";
import { command } from "../../command.js";
import { nextEvents } from "../../event-window.js";
import type { Ends } from "../sending/changes.js";
import { type Attempt, notSent, type Sending } from "../sending/wire.js";

/** A claim lasts longer than an attempt may. */
const CLAIM_MARGIN_MS = 10_000;
const LOOK_EVERY_MS = 1_000;

const claimMs = ({ config }: Sending) => config.dispatcherHttpTimeoutMs + CLAIM_MARGIN_MS;

/**
 * Makes the first attempts of the messages to a destination, one after the other, as long as there are any. Used only
 * under the destination's lock.
 * @param startRetry Starts the retry schedule of a message whose first attempt failed.
 */
export async function sendFirstAttempts(
  webhookId: number,
  sending: Sending,
  ends: Ends,
  startRetry: (retry: Retry) => Promise<void>,
): Promise<void> {
  for (;;) {
    ends.lost.throwIfAborted();
    if (ends.stop.aborted) return;
    const claimed = await claimFirst(webhookId, claimMs(sending));
    if (!claimed) return;
    if ("wait_ms" in claimed) {
      await pause(Math.min(claimed.wait_ms, LOOK_EVERY_MS), undefined, { signal: ends.stop }).catch(() => {});
      continue;
    }
    const { notification_id, event_type } = claimed;
    const { next } = await attemptClaimed(claimed, sending, ends);
    if (next) await startRetry(notificationRetry({ notification_id, webhook_id: webhookId, event_type }));
  }
}

/** Makes the next attempt of a message if it is due, else says when it will be. Used only under the message's lock. */
export async function retryNotification(retried: RetriedNotification, sending: Sending, ends: Ends) {
  const { claimed, ...next } = await claimAgain(retried, claimMs(sending));
  return claimed ? attemptClaimed(claimed, sending, ends) : next;
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

/** Claims a message whose first attempt failed, if its next one is due; else says when it is, or how it ended. */
async function claimAgain(
  { notification_id }: RetriedNotification,
  forMs: number,
): Promise<{ claimed?: Claimed } & NotificationAttempted> {
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

/** The longest wait for a host that is busy. It is part of the margin of a claim. */
const SLOT_WITHIN_MS = 5_000;

/** A message that was claimed for an attempt. */
const Claimed = z.strictObject({
  ...SealedDestination.shape,
  ...Telling.pick({ facts: true }).shape,
  notification_id: int,
  event_type: Telling.shape.notice,
  occurred_at: time,
  attempts: int,
});
type Claimed = z.infer<typeof Claimed>;

/** What of a message `n`, its destination `d` and that one's warehouse `w` an attempt needs. */
const CLAIMED = `n.notification_id, n.event_type, n.facts, n.occurred_at, n.attempts, d.webhook_id, d.url_sealed,
  d.secret_sealed, w.warehouse_code, w.warehouse_name`;

/** Posts a message to its destination; undefined where the host was too busy. */
async function postNotification(
  { facts, event_type: notice, occurred_at: occurredAt, ...to }: Claimed,
  { wire, config }: Sending,
  { stop, lost }: Ends,
): Promise<Attempt | undefined> {
  const warehouse = { code: to.warehouse_code, name: to.warehouse_name };
  const body = Buffer.from(
    JSON.stringify(teamsMessage({ notice, facts, warehouse, occurredAt, panelUrl: config.panelUrl })),
  );
  try {
    const url = unseal(to.url_sealed, urlOwner(to.webhook_id), config);
    const secret = to.secret_sealed && unseal(to.secret_sealed, notificationSecretOwner(to.webhook_id), config);
    const message = (now: Date) => ({ headers: headersOf(body, secret, now), body, signal: lost });
    return await withinTime(SLOT_WITHIN_MS, AbortSignal.any([stop, lost]), (unwanted) =>
      wire.send(url, message, unwanted),
    );
  } catch (error) {
    if (error instanceof CannotUnseal) return notSent(error.message);
    throw error;
  }
}

/**
 * Makes an attempt of a claimed message and stores what came of it: after a failure the next one is due by the schedule
 * of webhooks, after the eighth there is none. A test message is tried once. Where its host was too busy, it is free
 * again, and nothing is said of it.
 */
async function attemptClaimed(claimed: Claimed, sending: Sending, ends: Ends): Promise<NotificationAttempted> {
  const outcome = await postNotification(claimed, sending, ends);
  // What arrived is stored all the same: the first result holds.
  if (!outcome?.ok) ends.lost.throwIfAborted();
  if (!outcome) {
    await release(claimed);
    return {};
  }
  const attempt = claimed.attempts + 1;
  const last = attempt >= MAX_ATTEMPTS || claimed.event_type === "test";
  const wait_ms = outcome.ok || last ? 0 : retryDelay(attempt, sending.config.dispatcherRetryDelaysMs, Math.random());
  const status = outcome.ok ? "succeeded" : last ? "dlq" : "pending";
  const stored = await store(claimed, status, outcome, wait_ms);
  if (!stored) return { ended: (await isThere(claimed)) ? "stopped" : "gone" };
  if (status !== "pending") return { ended: status };
  return tryAgain(outcome, attempt, wait_ms);
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
  { notification_id, attempts }: Claimed,
  status: "pending" | "succeeded" | "dlq",
  { http_status, error_kind, error_detail }: Attempt,
  waitMs: number,
): Promise<boolean> {
  const changed = await db.run(
    `update notifications
     set status = :status::text, attempts = :attempts::int + 1, claimed_until = null,
         due_at = now() + :waitMs * interval '1 millisecond',
         completed_at = case when :status::text <> 'pending' then now() end, http_status = :http_status,
         error_kind = :error_kind, error_detail = :error_detail
     where notification_id = :notification_id and attempts = :attempts::int and status = 'pending'`,
    { notification_id, attempts, status, waitMs, http_status, error_kind, error_detail },
  );
  return changed > 0;
}

/**
 * Writes the messages of the next events that readers may see (two seconds old) to the destinations of their
 * warehouses; gives whether there are more. Needs no command id: the row of the progress is locked, one worker at a
 * time, and moves with the messages.
 */
export async function writeNotifications(): Promise<boolean> {
  const done = await db.row({ more: bool }, WRITE, [eventNotices]);
  return done?.more === true;
}

const WRITE = `
  with reach as materialized (${nextEvents("notification_progress")}
  ), written as (
    insert into notifications (webhook_id, event_type, event_id, facts, occurred_at)
    select d.webhook_id, e.event_type, e.event_id, event_data(e), e.event_timestamp
    from reach, lateral (
      select * from integration_events i
      where i.event_id > reach.after and i.event_id <= reach.upto and i.event_type = any($1)) e
      join notification_webhooks d on d.warehouse_id = e.warehouse_id and e.event_type = any(d.event_filter)
        and d.enabled and d.created_at <= e.visible_at
    order by e.event_id, d.webhook_id
    on conflict do nothing
  ), moved as (
    update notification_progress set event_id = reach.upto from reach
  )
  select upto < horizon as more from reach`;
