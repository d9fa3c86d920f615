import { z } from "zod";
import { int, text } from "../../platform/db/columns.js";
/** The retries of a message to a notification destination. Types and pure functions: workflows import them. */
import type { Attempted, Retry } from "../retry.js";

/** A message whose first attempt failed. */
export const RetriedNotification = z.strictObject({ notification_id: int, webhook_id: int, event_type: text });
export type RetriedNotification = z.infer<typeof RetriedNotification>;

const notificationWorkflowId = (notificationId: number) => `notification-${notificationId}`;

/** How the retry schedule of a message is started. */
export const notificationRetry = (retried: RetriedNotification): Retry => ({
  workflow: "notificationDelivery",
  workflowId: notificationWorkflowId(retried.notification_id),
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

/** The activities of a retry schedule that need more than the database. */
export interface NotificationActivities {
  /** Makes the next attempt of a message if it is due, else says when it will be. */
  attemptNotification(retried: RetriedNotification): Promise<NotificationAttempted>;
}
