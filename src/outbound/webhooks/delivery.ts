/**
 * The delivery of events to a subscription (docs/interface.md, Webhooks). Types and pure functions: workflows import
 * them.
 */
import { z } from "zod";
import { int, text } from "../../platform/db/columns.js";
import type { Attempted, Retry } from "../retry.js";

/** Named after the first attempt, so that all attempts have the same workflow. */
const deliveryWorkflowId = (firstDeliveryId: number) => `webhook-delivery-${firstDeliveryId}`;

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

/** How the retry schedule of a stuck delivery is started. */
export const retrySchedule = (stuck: StuckDelivery): Retry => ({
  workflow: "webhookDelivery",
  workflowId: deliveryWorkflowId(stuck.first_delivery_id),
  args: [stuck],
  staticSummary: `Event ${stuck.event_id} (${stuck.event_type})`,
});

/** The result of an attempt of a stuck delivery. */
export type DeliveryAttempted = Attempted<"succeeded" | "dlq" | "failed" | SendingEnded>;

/** What the workflow of a stuck delivery shows of its partner. */
export const StuckPartner = z.strictObject({
  display_name: text,
  connector_id: text.nullable(),
  /** Why the last attempt failed: the kind of failure, and its HTTP status. */
  failure: text.nullable(),
});
export type StuckPartner = z.infer<typeof StuckPartner>;

/** How a delivery ended: by being given up, or before. */
export interface GivenUp {
  ended: "cancelled" | "succeeded" | "dlq" | "failed";
}

/** The activities of a retry schedule; the worker makes them (activities/outbound/webhooks/sending/). */
export interface DeliveryActivities {
  /** Makes the next attempt of a stuck delivery if it is due, else says when it will be. */
  attemptDelivery(delivery: StuckDelivery): Promise<DeliveryAttempted>;
}
