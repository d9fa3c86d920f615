/**
 * The delivery of events to a subscription (docs/interface.md, Webhooks). Types and pure functions: workflows import
 * them.
 */
import type { Attempted, Retry } from "../retry.js";

/** Named after the first attempt, so that all attempts have the same workflow. */
const deliveryWorkflowId = (firstDeliveryId: number) => `webhook-delivery-${firstDeliveryId}`;

/**
 * Why nothing is sent any more: the status of the subscription, or `deleted`; `disabled`: webhooks are switched off
 * (DISPATCHER_ENABLED).
 */
export type SendingEnded = "paused" | "revoked" | "deleted" | "disabled";

/** An event whose delivery failed, and which blocks the ones behind it. */
export interface StuckDelivery {
  subscription_id: string;
  first_delivery_id: number;
  event_id: number;
  event_type: string | null;
}

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
export interface StuckPartner {
  display_name: string;
  connector_id: string | null;
  /** Why the last attempt failed: the kind of failure, and its HTTP status. */
  failure: string | null;
  /** Search attributes that the workflow must not set. */
  missing_attributes: string[];
}

/** How a delivery ended: by being given up, or before. */
export interface GivenUp {
  ended: "cancelled" | "succeeded" | "dlq" | "failed";
}

/** The activities of a retry schedule; the worker makes them (activities/outbound/webhooks/sending/). */
export interface DeliveryActivities {
  /** Makes the next attempt of a stuck delivery if it is due, else says when it will be. */
  attemptDelivery(delivery: StuckDelivery): Promise<DeliveryAttempted>;
}
