import type { FulfillmentPushStatus } from "../../platform/states.js";

/** The workflow `fulfillmentPush` and its messages. Types and pure functions only, for the workflow. */

export type PushKind = "ship" | "void";

/** Attempts of one run; somebody may ask for another run of one that failed. */
export const PUSH_ATTEMPTS = 3;

export const pushWorkflowId = (pushId: number): string => `fulfillment-push-${pushId}`;

/** How the workflow of a push is started. */
export const startOfPush = (pushId: number) => ({
  workflowId: pushWorkflowId(pushId),
  args: [pushId],
  staticSummary: `Push ${pushId} of a shipment or its void`,
});

/** What the workflow of a push shows. */
export interface PushSummary {
  kind: PushKind;
  connector: string;
  so_number: string;
  warehouse_id: number;
  warehouse_code: string;
}

/**
 * How a push ended: as its row says, or `disabled`: nothing is sent at all (DISPATCHER_ENABLED), and the row waits.
 */
export type PushEnded = Exclude<FulfillmentPushStatus, "pending"> | "disabled";

/** What came of an attempt; without `ended` there will be another one. */
export interface PushAttempted {
  ended?: PushEnded;
  /** How long to wait before the next attempt. */
  wait_ms?: number;
  /** It was no attempt that failed: the source is away or asks to wait, and is asked again. */
  waits?: boolean;
  /** Why the attempt failed, or why there was nothing to push. */
  why: string | null;
}

/** How a push ended that was to be given up: `cancelled`, unless it had ended before. */
export interface PushGivenUp {
  ended: PushEnded | "cancelled";
  why: string | null;
}

export interface PushActivities {
  /**
   * Tells the source of the shipment or of its void, and stores what came of it.
   * @param attempt Of this run, counted from 1; after the last one the push has failed.
   */
  pushShipment(pushId: number, attempt: number): Promise<PushAttempted>;
}
