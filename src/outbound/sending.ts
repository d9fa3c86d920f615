import { z } from "zod";
import { bool, int, text } from "../platform/db/columns.js";
import type { Attempted, Retry } from "./retry.js";

/*
 * What is sent by workers, for other code and for the retry workflows: the locks that senders hold, where they are
 * notified of changes, and what is tried again. Workflows import types alone.
 */

/** Kinds of what is sent for, each by one worker at a time, under a session lock of Postgres. */
export type Owned = "webhook" | "channel" | "notification" | "notification-message" | "push" | "label" | "collection";

/** The name of the lock under which something is sent for. */
export const lockName = (kind: Owned, id: string | number) => `${kind}:${id}`;

/** Its key, the hash of that name, by the id in SQL. */
export const lockKey = (kind: Owned, id: string) => `hashtextextended('${kind}:' || ${id}::text, 0)`;

/** The class of the advisory locks that workers hold as long as they send; the other key is the connection's. */
export const SENDING_WORKER = 7_304;

/** The name of the connection that holds the locks of a worker. */
export const LOCKS_CONNECTION = "warehouse webhook locks";

/** The Postgres channel that notifies senders of the ids of changed webhook subscriptions. */
export const CHANGES = "webhook_subscription_changes";

/** That of the ids of channels that were changed or have items to be sent. */
export const CHANNEL_NEWS = "channel_news";

/**
 * Why nothing is sent any more: the status of the subscription, or `deleted`; `disabled`: webhooks are switched off
 * (DISPATCHER_ENABLED).
 */
export type SendingEnded = "paused" | "revoked" | "deleted" | "disabled";

/** An event whose delivery failed, and which blocks the ones behind it. */
export const StuckDelivery = z.strictObject({
  subscription_id: text,
  first_delivery_id: int,
  event_id: int,
  event_type: text.nullable(),
});
export type StuckDelivery = z.infer<typeof StuckDelivery>;

/** How the retry schedule of a stuck delivery is started: named after the first attempt, so all have the same one. */
export const retrySchedule = (stuck: StuckDelivery): Retry => ({
  workflow: "webhookDelivery",
  workflowId: `webhook-delivery-${stuck.first_delivery_id}`,
  args: [stuck],
  staticSummary: `Event ${stuck.event_id} (${stuck.event_type})`,
});

/** The result of an attempt of a stuck delivery. */
export type DeliveryAttempted = Attempted<"succeeded" | "dlq" | "failed" | SendingEnded>;

/** What the workflow of a stuck delivery shows of its partner. */
export const StuckPartner = z.strictObject({
  display_name: text,
  connector_id: text.nullable(),
  /** Whether only events of the same aggregate wait for it. */
  by_aggregate: bool,
  /** Why the last attempt failed: the kind of failure, and its HTTP status. */
  failure: text.nullable(),
});
export type StuckPartner = z.infer<typeof StuckPartner>;

/** How a delivery ended: by being given up, or before. */
export interface GivenUp {
  ended: "cancelled" | "succeeded" | "dlq" | "failed";
}

/** A message whose first attempt failed. */
export const RetriedNotification = z.strictObject({ notification_id: int, webhook_id: int, event_type: text });
export type RetriedNotification = z.infer<typeof RetriedNotification>;

/** How the retry schedule of a message is started. */
export const notificationRetry = (retried: RetriedNotification): Retry => ({
  workflow: "notificationDelivery",
  workflowId: `notification-${retried.notification_id}`,
  args: [retried],
  staticSummary: `Message ${retried.notification_id} (${retried.event_type})`,
});

/**
 * Why no further attempt is made: it got through, it is a dead letter, its destination was switched off (`stopped`) or
 * deleted (`gone`), or nothing is sent at all (`disabled`, DISPATCHER_ENABLED).
 */
export type NotificationEnded = "succeeded" | "dlq" | "stopped" | "gone" | "disabled";

/** The result of an attempt. */
export type NotificationAttempted = Attempted<NotificationEnded>;

/** What the workflow of a message shows of its destination. */
export const NotificationPartner = z.strictObject({
  host_preview: text,
  warehouse_id: int.nullable(),
  warehouse_code: text.nullable(),
  /** Why the last attempt failed: the kind of failure, and its HTTP status. */
  failure: text.nullable(),
});
export type NotificationPartner = z.infer<typeof NotificationPartner>;

/** The activities of retry schedules that need more than the database (activities/outbound/engine.ts). */
export interface SendingActivities {
  /** Makes the next attempt of a stuck delivery if it is due, else says when it will be. */
  attemptDelivery(delivery: StuckDelivery): Promise<DeliveryAttempted>;
  /** The same of a message. */
  attemptNotification(retried: RetriedNotification): Promise<NotificationAttempted>;
}
