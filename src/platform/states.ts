/**
 * State machines as data (docs/interface.md, Sales orders). Each table has, for a state, the states that may follow it.
 * The code that changes a status checks `mayBecome`; a test tries every pair.
 */
export type Transitions<S extends string> = Readonly<Record<S, readonly S[]>>;

export const salesOrderStates = {
  OPEN: ["PICKED", "CANCELLED", "FRAUD_REVIEW", "REFUNDED", "PARTIALLY_RECEIVED", "RECEIVED"],
  PICKED: ["PACKED", "SHIPPED", "OPEN", "CANCELLED"],
  PACKED: ["SHIPPED", "PICKED", "OPEN", "CANCELLED"],
  SHIPPED: ["PACKED", "PICKED", "OPEN", "REFUNDED"],
  CANCELLED: ["REFUNDED"],
  REFUNDED: [],
  WAITING_STOCK: ["OPEN", "CANCELLED", "REFUNDED"],
  FRAUD_REVIEW: ["OPEN", "CANCELLED"],
  PARTIALLY_RECEIVED: ["RECEIVED", "OPEN"],
  RECEIVED: ["PARTIALLY_RECEIVED", "OPEN"],
} as const satisfies Transitions<string>;
export type SalesOrderStatus = keyof typeof salesOrderStates;

export const purchaseOrderStates = {
  OPEN: ["PARTIAL", "RECEIVED", "CLOSED"],
  PARTIAL: ["OPEN", "RECEIVED", "CLOSED"],
  RECEIVED: ["OPEN", "PARTIAL", "CLOSED"],
  CLOSED: ["OPEN", "PARTIAL", "RECEIVED", "ARCHIVED"],
  ARCHIVED: ["OPEN", "PARTIAL", "RECEIVED", "CLOSED"],
} as const satisfies Transitions<string>;
export type PurchaseOrderStatus = keyof typeof purchaseOrderStates;

export const batchStates = {
  OPEN: ["IN_PROGRESS", "COMPLETED", "CANCELLED"],
  IN_PROGRESS: ["COMPLETED", "CANCELLED"],
  COMPLETED: [],
  CANCELLED: [],
} as const satisfies Transitions<string>;

export const taskStates = {
  PENDING: ["PICKED", "SHORT", "SKIPPED"],
  PICKED: ["RELEASED"],
  SHORT: ["RELEASED"],
  SKIPPED: [],
  RELEASED: [],
} as const satisfies Transitions<string>;

export const countStates = {
  PENDING: ["IN_PROGRESS", "COMPLETED", "VARIANCE"],
  IN_PROGRESS: ["COMPLETED", "VARIANCE"],
  COMPLETED: [],
  VARIANCE: [],
} as const satisfies Transitions<string>;

/**
 * APPROVED is a status of the interface that is never set; only the system cancels an order with a pending approval.
 */
/** A task to fill up a pick face (docs/replenishment.md); who has taken one may give it back. */
export const replenishmentStates = {
  OPEN: ["TAKEN", "CANCELLED"],
  TAKEN: ["OPEN", "DONE", "SHORT", "CANCELLED"],
  DONE: [],
  SHORT: [],
  CANCELLED: [],
} as const satisfies Transitions<string>;

export const transferOrderStates = {
  OPEN: ["PARTIALLY_PICKED", "AWAITING_APPROVAL", "CLOSED", "CANCELLED"],
  PARTIALLY_PICKED: ["OPEN", "AWAITING_APPROVAL", "CLOSED", "CANCELLED"],
  AWAITING_APPROVAL: ["OPEN", "PARTIALLY_PICKED", "CLOSED", "CANCELLED"],
  APPROVED: [],
  CLOSED: [],
  CANCELLED: [],
} as const satisfies Transitions<string>;
export type TransferOrderStatus = keyof typeof transferOrderStates;

/** A line goes back when its picks are undone. */
export const transferLineStates = {
  PENDING: ["PARTIALLY_PICKED", "PICKED", "SHORT_CLOSED"],
  PARTIALLY_PICKED: ["PENDING", "PICKED", "APPROVED", "SHORT_CLOSED"],
  PICKED: ["PENDING", "PARTIALLY_PICKED", "APPROVED", "SHORT_CLOSED"],
  APPROVED: [],
  SHORT_CLOSED: [],
} as const satisfies Transitions<string>;

export const transferApprovalStates = {
  PENDING: ["APPROVED", "REJECTED"],
  APPROVED: [],
  REJECTED: [],
} as const satisfies Transitions<string>;

export const webhookSubscriptionStates = {
  active: ["paused", "revoked"],
  paused: ["active", "revoked"],
  revoked: [],
} as const satisfies Transitions<string>;

/** A revoked channel stays listed. */
export const channelStates = {
  active: ["paused", "revoked"],
  paused: ["active", "revoked"],
  revoked: [],
} as const satisfies Transitions<string>;

/**
 * One row for each attempt; `pending` again when its sender died, `failed` from `pending` when the subscription was
 * revoked.
 */
export const webhookDeliveryStates = {
  pending: ["in_flight", "failed"],
  in_flight: ["succeeded", "failed", "dlq", "pending"],
  succeeded: [],
  failed: [],
  dlq: [],
} as const satisfies Transitions<string>;

/** A message to a notification destination; `stopped` when that was switched off before the message got through. */
export const notificationStates = {
  pending: ["succeeded", "dlq", "stopped"],
  succeeded: [],
  dlq: [],
  stopped: [],
} as const satisfies Transitions<string>;
export type NotificationStatus = keyof typeof notificationStates;

/**
 * A shipment or a void that is pushed to a shop; `skipped` where there was nothing to push. People retry a failed one.
 */
export const fulfillmentPushStates = {
  pending: ["pushed", "failed", "skipped"],
  pushed: [],
  failed: ["pending"],
  skipped: [],
} as const satisfies Transitions<string>;
export type FulfillmentPushStatus = keyof typeof fulfillmentPushStates;

/** What is sent to a printer; people have one printed again that ended, and discard one that failed. */
export const printJobStates = {
  pending: ["printed", "failed", "cancelled"],
  printed: ["pending"],
  failed: ["pending", "cancelled"],
  cancelled: ["pending"],
} as const satisfies Transitions<string>;
export type PrintJobStatus = keyof typeof printJobStates;

/**
 * A label that is bought for a parcel. One that may have been bought is not cancelled but taken back (`voiding`), which
 * ends as `cancelled` where nothing was bought after all. One that was bought by hand is voided by hand, too.
 */
export const labelPurchaseStates = {
  pending: ["bought", "failed", "cancelled", "voiding"],
  bought: ["voiding", "voided"],
  failed: [],
  cancelled: [],
  voiding: ["voided", "void_failed", "cancelled"],
  voided: [],
  void_failed: ["voiding", "written_off"],
  written_off: [],
} as const satisfies Transitions<string>;
export type LabelPurchaseStatus = keyof typeof labelPurchaseStates;

/**
 * What a carrier fetches on a day: it takes labels until its manifest is asked for. One that nothing was in is
 * cancelled; a manifest that a carrier refused may be asked for again.
 */
export const collectionStates = {
  open: ["manifesting", "cancelled"],
  manifesting: ["manifested", "manifest_failed"],
  manifested: ["manifesting"],
  manifest_failed: ["manifesting"],
  cancelled: [],
} as const satisfies Transitions<string>;
export type CollectionStatus = keyof typeof collectionStates;

/** Whether the table lets `to` follow `from`. A status is never its own successor. */
export function mayBecome<S extends string>(states: Transitions<S>, from: S, to: S): boolean {
  return states[from].includes(to);
}
